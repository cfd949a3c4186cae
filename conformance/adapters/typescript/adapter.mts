/** Answers for the TypeScript port over the adapter protocol, version 1: see PROTOCOL.md. */
import port from '../../ports/typescript/package.json' with { type: 'json' };
import { extractJson, extractJsonObject, JsonExtractionError, tryExtractJson } from '../../ports/typescript/src/index.ts';
import { serve, type Answer, type Input } from './serve.mts';
import { decodeInput, encodeString, encodeValue } from './wire.mts';

const HELLO = {
  protocol: 1,
  implementation: port.name,
  version: port.version,
  language: 'typescript',
  operations: ['json_parse', 'extract_json_object', 'extract_json', 'try_extract_json'],
  host: { strings: 'utf16', ill_formed: 'kept', integers: 'binary64', numbers: 'untyped', key_order: 'integers-first' },
} as const;

const UNSUPPORTED: Answer = { outcome: 'unsupported' };

/** The operations. The types hold no longer here: an input may be any value, and each function says what it does with it. */
const OPERATIONS: Readonly<Record<string, (input: string) => Answer>> = {
  json_parse(input) {
    let value: unknown;
    try {
      value = JSON.parse(input);
    } catch {
      return { outcome: 'error', code: 'syntax' };
    }
    return { outcome: 'value', value: encodeValue(value) };
  },
  extract_json_object(input) {
    const text = extractJsonObject(input);
    return text === input ? { outcome: 'unchanged' } : { outcome: 'found', text: encodeString(text) };
  },
  extract_json(input) {
    return { outcome: 'value', value: encodeValue(extractJson(input)) };
  },
  try_extract_json(input) {
    const value = tryExtractJson(input);
    return value === null ? { outcome: 'null' } : { outcome: 'value', value: encodeValue(value) };
  },
};

function failure(error: unknown): Answer {
  if (error instanceof TypeError) return { outcome: 'error', code: 'type' };
  if (!(error instanceof JsonExtractionError)) throw error;
  const answer = { outcome: 'error', code: error.code };
  return error.preview === undefined ? answer : { ...answer, preview: encodeString(error.preview) };
}

function answer(op: unknown, input: Input): Answer {
  const run = typeof op === 'string' && Object.hasOwn(OPERATIONS, op) ? OPERATIONS[op] : undefined;
  if (run === undefined) return UNSUPPORTED;
  try {
    return run(decodeInput(input) as string);
  } catch (error) {
    return failure(error);
  }
}

await serve(HELLO, answer);
