/** Answers for the TypeScript port over the adapter protocol, version 1: see PROTOCOL.md. */
import { writeSync } from 'node:fs';
import port from '../../ports/typescript/package.json' with { type: 'json' };
import { extractJson, extractJsonObject, JsonExtractionError, tryExtractJson } from '../../ports/typescript/src/index.ts';
import { encodeString, encodeValue, fromHex, toLine, type Wire } from './wire.mts';

type Answer = { readonly [member: string]: Wire };

const HELLO = {
  protocol: 1,
  implementation: port.name,
  version: port.version,
  language: 'typescript',
  operations: ['json_parse', 'extract_json_object', 'extract_json', 'try_extract_json'],
  host: { strings: 'utf16', ill_formed: 'kept', integers: 'binary64', numbers: 'untyped', key_order: 'integers-first' },
} as const;

const UNSUPPORTED: Answer = { outcome: 'unsupported' };
const ALIKE = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

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
  if (error instanceof TypeError) return { outcome: 'error', code: 'invalid-input' };
  if (!(error instanceof JsonExtractionError)) throw error;
  const answer = { outcome: 'error', code: error.code };
  return error.preview === undefined ? answer : { ...answer, preview: encodeString(error.preview) };
}

function decodeInput(input: Readonly<Record<string, unknown>>): unknown {
  if (typeof input['utf16'] === 'string') return fromHex(input['utf16']);
  if (typeof input['bytes'] === 'string') return ALIKE.decode(Buffer.from(input['bytes'], 'hex'));
  return 'text' in input ? input['text'] : input['value'];
}

function answer(op: unknown, input: Readonly<Record<string, unknown>>): Answer {
  const run = typeof op === 'string' && Object.hasOwn(OPERATIONS, op) ? OPERATIONS[op] : undefined;
  if (run === undefined) return UNSUPPORTED;
  try {
    return run(decodeInput(input) as string);
  } catch (error) {
    return failure(error);
  }
}

/** The line to send back, or `undefined` after the last message. */
function reply(line: string): string | undefined {
  const message = JSON.parse(line);
  if ('hello' in message) return toLine(HELLO);
  if ('bye' in message) return undefined;
  return toLine({ id: message.id, ...answer(message.op, message.input) });
}

function send(text: string): void {
  const bytes = Buffer.from(text, 'latin1');
  for (let sent = 0; sent < bytes.length;) {
    try {
      sent += writeSync(1, bytes, sent);
    } catch (error) {
      // A pipe that is full and not blocking: try again until the reader has taken some.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}

let rest: Buffer[] = [];
for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
  let from = 0;
  let out = '';
  for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', from)) {
    rest.push(chunk.subarray(from, end));
    from = end + 1;
    const line = reply(Buffer.concat(rest).toString('latin1'));
    rest = [];
    if (line === undefined) {
      send(out);
      process.exit(0);
    }
    out += line;
  }
  rest.push(chunk.subarray(from));
  send(out);
}
