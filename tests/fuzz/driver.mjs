// Answers for the original modules over NDJSON: node driver.mjs DIRECTORY < requests > answers, one line each, in order, ASCII.
//   request  [operation, text]        answer  ["text", text] | ["same"] | ["value", canonical text] | ["error", message]
// Canonical text is JSON with each number as # and the hex digits of its binary64, so that -0 and infinities survive.
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const directory = pathToFileURL(`${process.argv[2]}/`);
const { extractJsonObject } = await import(new URL('json.ts', directory).href);
const { extractJson, tryExtractJson } = await import(new URL('jsonCleaner.ts', directory).href);

const ascii = (line) => line.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const bits = new DataView(new ArrayBuffer(8));

function scalar(value) {
  if (typeof value !== 'number') return ascii(JSON.stringify(value));
  bits.setFloat64(0, value);
  return `#${bits.getBigUint64(0).toString(16).padStart(16, '0')}`;
}

/** Holds its own stack: the originals take any depth. */
function canonical(root) {
  const out = [];
  const todo = [{ value: root }];
  while (todo.length > 0) {
    const { text, value } = todo.pop();
    if (text !== undefined) {
      out.push(text);
    } else if (Array.isArray(value)) {
      out.push('[');
      todo.push({ text: ']' });
      for (let i = value.length - 1; i >= 0; i--) todo.push({ text: ',' }, { value: value[i] });
    } else if (value !== null && typeof value === 'object') {
      out.push('{');
      todo.push({ text: '}' });
      for (const [key, member] of Object.entries(value).reverse()) {
        todo.push({ text: ',' }, { value: member }, { text: `${ascii(JSON.stringify(key))}:` });
      }
    } else {
      out.push(scalar(value));
    }
  }
  return out.join('');
}

function answer(operation, text) {
  if (operation === 'extract_json_object') {
    const found = extractJsonObject(text);
    return found === text ? ['same'] : ['text', found];
  }
  const read = { extract_json: extractJson, try_extract_json: tryExtractJson, json_parse: JSON.parse }[operation];
  try {
    return ['value', canonical(read(text))];
  } catch (error) {
    return ['error', error.message];
  }
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  process.stdout.write(`${ascii(JSON.stringify(answer(...JSON.parse(line))))}\n`);
}
