// Times the original modules inside Node: node originals.mjs DIRECTORY < [{"raw","document"}...] > [{name: seconds}...]
// Best of many rounds by the clock. Another process cannot be interleaved with, so the ratios to it are rougher than the others.
import { pathToFileURL } from 'node:url';

const directory = pathToFileURL(`${process.argv[2]}/`);
const { extractJsonObject } = await import(new URL('json.ts', directory).href);
const { extractJson } = await import(new URL('jsonCleaner.ts', directory).href);

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);

/** Seconds of one call. Warm-up goes on until the compiler has settled. */
function best(work, rounds = 60) {
  let calls = 1;
  for (let turn = 0; turn < 2_000_000_000; calls *= 2) {
    const began = process.hrtime.bigint();
    for (let i = 0; i < calls; i++) work();
    turn = Number(process.hrtime.bigint() - began) * 100;
    if (turn > 500_000_000) break;
  }
  let least = Infinity;
  for (let round = 0; round < rounds; round++) {
    const began = process.hrtime.bigint();
    for (let i = 0; i < calls; i++) work();
    least = Math.min(least, Number(process.hrtime.bigint() - began) / calls);
  }
  return least / 1e9;
}

const timed = JSON.parse(Buffer.concat(chunks)).map(({ raw, document }) => ({
  extract_json_object: best(() => extractJsonObject(raw)),
  extract_json: best(() => extractJson(raw)),
  'JSON.parse': best(() => JSON.parse(document)),
}));
console.log(JSON.stringify(timed));
