/**
 * The original modules, from the directory named by the only argument, behind the adapter protocol. Answers hold one member
 * more: `parsed`, the last text that JSON.parse accepted, since a value alone tells neither its number tokens nor its members' order.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { serve, type Answer, type Input } from '../adapters/typescript/serve.mts';
import { decodeInput, encodeString, encodeValue, type Wire } from '../adapters/typescript/wire.mts';

const load = (name: string) => import(pathToFileURL(resolve(process.argv[2] ?? '.', name)).href);
const { extractJsonObject } = await load('json.ts');
const { extractJson, tryExtractJson } = await load('jsonCleaner.ts');

let parsed: string | undefined;
const parse = JSON.parse;
JSON.parse = (text: string): unknown => {
  const value: unknown = parse(text);
  parsed = text;
  return value;
};

/** For each error of extractJson how its message starts, our code, and the words that stand before its preview. */
const ERRORS: readonly (readonly [start: string, code: string, before?: string])[] = [
  ['extractJson: input must be', 'invalid-input'],
  ['extractJson: no JSON', 'no-json', 'Response preview: '],
  ['extractJson: unbalanced', 'unbalanced', 'Response preview: '],
  ['extractJson: JSON.parse failed', 'parse-failed', 'Candidate (first 300 chars): '],
];

/** The engine's own words come before the preview, and are too short to hold the words looked for. */
function extractionError(error: unknown): Answer {
  const message = error instanceof Error ? error.message : '';
  const [, code, before] = ERRORS.find(([start]) => message.startsWith(start)) ?? [];
  if (code === undefined) throw error;
  if (before === undefined) return { outcome: 'error', code };
  return { outcome: 'error', code, preview: encodeString(message.slice(message.indexOf(before) + before.length)) };
}

function attempt(run: () => Answer, failure: (error: unknown) => Answer): Answer {
  try {
    return run();
  } catch (error) {
    return failure(error);
  }
}

const found = (value: unknown): Answer => ({ outcome: 'value', value: encodeValue(value) });

const OPERATIONS: Readonly<Record<string, (input: unknown) => Answer>> = {
  json_parse: (input) => attempt(() => found(JSON.parse(input as string)), () => ({ outcome: 'error', code: 'syntax' })),
  extract_json_object: (input) => attempt(
    () => {
      const text = extractJsonObject(input);
      return text === input ? { outcome: 'unchanged' } : { outcome: 'found', text: encodeString(text) };
    },
    (error) => {
      if (error instanceof TypeError) return { outcome: 'error', code: 'type' };
      throw error;
    },
  ),
  extract_json: (input) => attempt(() => found(extractJson(input)), extractionError),
  try_extract_json: (input) => {
    const value: unknown = tryExtractJson(input);
    return value === null ? { outcome: 'null' } : found(value);
  },
};

function answer(op: unknown, input: Input): Answer {
  const run = OPERATIONS[String(op)];
  if (run === undefined) return { outcome: 'unsupported' };
  const decoded = decodeInput(input);
  parsed = undefined;
  const recorded = run(decoded);
  return { ...recorded, parsed: parsed === undefined ? null : encodeString(String(parsed)) };
}

await serve({ protocol: 1, implementation: 'originals', node: process.versions.node } satisfies Wire, answer);
