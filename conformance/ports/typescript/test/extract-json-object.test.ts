import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractJsonObject, MAX_SEARCHED_UNITS, MAX_TRIED_BRACES } from '../src/index.ts';

const found = (raw: string, text: string): void => assert.equal(extractJsonObject(raw), text, JSON.stringify(raw));

test('returns the slice of the first object, its inner white space kept', () => {
  found('Sure: { "a" : 1 }\nmore', '{ "a" : 1 }');
  found('```json\n{"a":1}\n```', '{"a":1}');
  found('{} {"a":1}', '{}');
  found('[{"a":1},{"a":2}]', '{"a":1}');
  found('no json', 'no json');
  found('', '');
});

test('strings hide braces, escapes hide quotes', () => {
  found('x {"a":"}"} {"b":2}', '{"a":"}"}');
  found('x {"a":"\\"}"} {"b":2}', '{"a":"\\"}"}');
  found('x {"a":"\\\\"} {"b":"}"}', '{"a":"\\\\"}');
});

test('a candidate that fails gives way to the next brace, inside it or behind it', () => {
  found('{x} {"a":1}', '{"a":1}');
  found('{bad {"a":1} {"b":2}', '{"a":1}');
  found('{"a":{"b":1},}', '{"b":1}');
  found('{"a":"{}",}', '{}');
  found('{"a":"x} {"b":2}', '{"b":2}');
  found('{"a":"{\\"b\\":1}",}', '{"a":"{\\"b\\":1}",}');
});

test('tries fifty braces, wherever they stand', () => {
  for (const brace of ['{', '{x}', '"{" ', '{"a":', '[{']) {
    const before = brace.repeat(MAX_TRIED_BRACES - 1);
    found(`${before}{"z":1}`, '{"z":1}');
    const beyond = `${before}${brace}{"z":1}`;
    found(beyond, beyond);
  }
});

test('searches 262,144 code units and no more', () => {
  for (const filler of ['x', '\u4e2d', '\u{1f600}']) {
    const room = MAX_SEARCHED_UNITS - 2;
    found(`{}${filler.repeat(room / filler.length)}`, '{}');
    const beyond = `{}${filler.repeat(room / filler.length)}x`;
    found(beyond, beyond);
  }
});

test('deep and hostile texts come back', () => {
  const open = '{'.repeat(MAX_SEARCHED_UNITS);
  found(open, open);
  const members = '{"":'.repeat(50_000);
  found(members, members);
  const quoted = '{"'.repeat(100_000);
  found(quoted, quoted);
  const nested = `${'{"":'.repeat(40_000)}{}${'}'.repeat(40_000)}`;
  found(`x${nested}`, nested);
});

test('throws at once on what is no string', () => {
  for (const [value, kind] of [[null, 'null'], [undefined, 'undefined'], [1, 'number'], [['{}'], 'an array'], [{}, 'object']] as const) {
    assert.throws(() => extractJsonObject(value as never), { name: 'TypeError', message: `extractJsonObject: a string is wanted, not ${kind}` });
  }
});
