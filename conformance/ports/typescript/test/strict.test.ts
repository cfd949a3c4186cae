import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FAULT, readValue, type Verdicts } from '../src/index.ts';

const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

const reads = (text: string): boolean => {
  const end = readValue(text, 0);
  return end !== FAULT && /^[ \t\r\n]*$/.test(text.slice(end));
};

const SCALARS = [
  '0', '-0', '1', '-1', '10', '1.5', '1e5', '1E+5', '1e-5', '0e5', '0.0', '1e400', 'true', 'false', 'null', '""', '"a"',
  '"\\""', '"\\\\"', '"\\/\\b\\f\\n\\r\\t"', '"\\u0041\\uABcd"', '"\\ud800"', '"\ud800"', '"\u007f\u0085\u2028"',
];
const FAULTS = [
  '', ' ', '-', '01', '-01', '1.', '1.e1', '.5', '+1', '1e', '1e+', '0x10', '1_0', '\u0661', '\uff11', 'NaN', 'Infinity', 'tru', 'True',
  'nullx', '"', '"a', '"\\', '"\\"', '"\\x41"', '"\\\'"', '"\\u00g0"', '"\\u004', '"\\U0041"', '"\t"', '"\u0000"', "'a'",
  '\u00a01', '\ufeff1', '\f1', '1\u00a0', '}', ']', ',', ':',
];

test('reads exactly the scalars that JSON.parse takes, bare and inside containers', () => {
  for (const text of [...SCALARS, ...FAULTS]) {
    for (const whole of [text, ` ${text}\n`, `[${text}]`, `[1, ${text} ]`, `{"k": ${text}}`, `{"k":1,"l":${text},"m":[]}`]) {
      assert.equal(reads(whole), parses(whole), JSON.stringify(whole));
    }
  }
});

test('reads exactly the containers that JSON.parse takes', () => {
  const tokens = ['{', '}', '[', ']', ',', ':', '"k"', '1', ' '];
  const pieces = (length: number): string[] => length === 0
    ? [''] : pieces(length - 1).flatMap((head) => tokens.map((token) => head + token));
  for (const text of pieces(5)) assert.equal(reads(text), parses(text), JSON.stringify(text));
});

test('every single unit before, inside and behind a value is judged as JSON.parse judges it', () => {
  for (let unit = 0; unit <= 0xffff; unit++) {
    const one = String.fromCharCode(unit);
    for (const text of [`${one}[]`, `[]${one}`, `"${one}"`, `"\\${one}"`]) assert.equal(reads(text), parses(text), JSON.stringify(text));
  }
});

test('stops behind the value, at a position in code units', () => {
  assert.equal(readValue('\u{1f600} {"a":[1]} tail', 3), 12);
  assert.equal(readValue('12x', 0), 2);
  assert.equal(readValue('{} {}', 0), 2);
});

test('a failed read knows which of its objects stand alone', () => {
  const text = '{"a":{"b":{}},"s":"{}",{"c":1}}';
  const verdicts: Verdicts = new Map();
  assert.equal(readValue(text, 0, verdicts, 50), FAULT);
  assert.deepEqual([...verdicts], [[0, FAULT], [5, 13], [10, 12]]);
  for (const [start, end] of verdicts) assert.equal(readValue(text, start), end);
});

test('keeps no more verdicts than it is told to, the first ones', () => {
  const verdicts: Verdicts = new Map();
  assert.equal(readValue('[{},{},{},]', 0, verdicts, 2), FAULT);
  assert.deepEqual([...verdicts], [[1, 3], [4, 6]]);
});

test('reads a million open containers', () => {
  const deep = 1_000_000;
  assert.equal(readValue('['.repeat(deep) + ']'.repeat(deep), 0), 2 * deep);
  assert.equal(readValue('['.repeat(deep), 0), FAULT);
  assert.equal(readValue('{"":'.repeat(deep) + '0' + '}'.repeat(deep), 0), 5 * deep + 1);
});
