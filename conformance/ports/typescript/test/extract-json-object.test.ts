import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { extractJsonObject } from '../src/index.ts';

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
    const before = brace.repeat(49);
    found(`${before}{"z":1}`, '{"z":1}');
    const beyond = `${before}${brace}{"z":1}`;
    found(beyond, beyond);
  }
});

test('searches 262,144 code units and no more', () => {
  for (const filler of ['x', '\u4e2d', '\u{1f600}']) {
    const longest = `{}${filler.repeat(262_142 / filler.length)}`;
    found(longest, '{}');
    const beyond = `${longest}x`;
    found(beyond, beyond);
  }
});

test('deep and hostile texts come back', () => {
  const open = '{'.repeat(262_144);
  found(open, open);
  const members = '{"":'.repeat(50_000);
  found(members, members);
  const quoted = '{"'.repeat(100_000);
  found(quoted, quoted);
  const nested = `${'{"":'.repeat(40_000)}{}${'}'.repeat(40_000)}`;
  found(`x${nested}`, nested);
});

test('looks at no unit more than a few times, whatever the text', () => {
  const families = ['{', '{"', '{"k":', '{"k":[', '[{"k":', '{x}', '{"a":"{', '{"a":{"b":1},', '{ ', '{"a":1,', '{"\\"', '"{":'];
  for (const piece of families) {
    const raw = piece.repeat(Math.floor(20_000 / piece.length));
    const looks = mock.method(String.prototype, 'charCodeAt');
    extractJsonObject(raw);
    const count = looks.mock.callCount();
    looks.mock.restore();
    assert.ok(count <= 6 * raw.length + 1000, `${JSON.stringify(piece)}: ${count} looks at ${raw.length} units`);
  }
});

test('throws at once on what is no string', () => {
  for (const [value, kind] of [[null, 'null'], [undefined, 'undefined'], [1, 'number'], [['{}'], 'an array'], [{}, 'object']] as const) {
    assert.throws(() => extractJsonObject(value as never), { name: 'TypeError', message: `extractJsonObject: a string is wanted, not ${kind}` });
  }
});
