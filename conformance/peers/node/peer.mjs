/**
 * Adapters of other libraries: `node peer.mjs NAME`. Each answers `search` with what its own documented way from a text to a value gives;
 * a value is all that is compared. What throws refuses.
 */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { decodeInput, encodeValue, toLine } from '../../adapters/typescript/wire.mts';

/** The library says that there is nothing. */
class Refused extends Error {}

const PEERS = {
  async jsonrepair() {
    const { jsonrepair } = await import('jsonrepair');
    return (text) => JSON.parse(jsonrepair(text));
  },
  async 'partial-json'() {
    const { parse } = await import('partial-json');
    return parse;
  },
  async 'best-effort-json-parser'() {
    const { parse, disableErrorLogging } = await import('best-effort-json-parser');
    disableErrorLogging();
    return parse;
  },
  async ai() {
    const { parsePartialJson } = await import('ai');
    return async (text) => {
      const { value, state } = await parsePartialJson(text);
      if (state === 'failed-parse' || state === 'undefined-input') throw new Refused(state);
      return value;
    };
  },
};

async function search(read, input) {
  try {
    const value = await read(decodeInput(input));
    return value === undefined ? { outcome: 'none' } : { outcome: 'found', value: encodeValue(value) };
  } catch {
    return { outcome: 'none' };
  }
}

const name = process.argv[2];
const { version } = JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url), 'utf8'));
const read = await PEERS[name]();
console.log = console.info = console.error; // standard output is for answers alone

const HELLO = {
  protocol: 1,
  implementation: name,
  version,
  language: `node ${process.versions.node}`,
  operations: ['search'],
  host: { strings: 'utf16', ill_formed: 'kept', integers: 'binary64', numbers: 'untyped', key_order: 'integers-first' },
};

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  if ('bye' in request) break;
  if ('hello' in request) process.stdout.write(toLine(HELLO));
  else {
    const answer = request.op === 'search' ? await search(read, request.input) : { outcome: 'unsupported' };
    process.stdout.write(toLine({ id: request.id, ...answer }));
  }
}
process.stdin.destroy();
