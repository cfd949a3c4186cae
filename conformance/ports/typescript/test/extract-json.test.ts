import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { extractJson, JsonExtractionError, tryExtractJson, type ExtractionErrorCode } from '../src/index.ts';

const gives = (raw: string, value: unknown): void => assert.deepEqual(extractJson(raw), value, JSON.stringify(raw));

const fails = (raw: string, code: ExtractionErrorCode, preview?: string): void => {
  assert.throws(() => extractJson(raw), (error) => {
    assert.ok(error instanceof JsonExtractionError);
    assert.equal(error.code, code);
    assert.equal(error.preview, preview ?? (code === 'invalid-input' ? undefined : raw));
    return true;
  });
  assert.equal(tryExtractJson(raw), null);
};

test('a fence comes first and may hold any value', () => {
  gives('{"x":0}\n```json\n{"a":1}\n```', { a: 1 });
  gives('```\n"hi"\n```', 'hi');
  gives('```json\nnull\n```', null);
  gives('```json5```', 5);
  gives('```json\n7``` x ```', 7);
  gives('{"md":"```json {} ```"}', {});
});

test('every tag is taken off once, in any ASCII case', () => {
  for (const tag of ['json', 'yaml', 'js', 'javascript', 'typescript', 'dart']) {
    gives('```' + tag + '\n7\n```', 7);
    gives('```' + tag.toUpperCase() + ' 7```', 7);
    fails('```' + tag + tag + '\n7\n```', 'no-json');
    fails('``` ' + tag + '\n7\n```', 'no-json');
  }
  for (const tag of ['ts', 'yml', 'jsonc', 'jsx', 'python', 'j\u017fon', 'javascr\u0131pt', 'JAVASCR\u0130PT']) {
    fails('```' + tag + '\n7\n```', 'no-json');
  }
});

test('white space is JavaScript\'s, one unit at a time', () => {
  for (let unit = 0; unit <= 0xffff; unit++) {
    const one = String.fromCharCode(unit);
    const white = /^\s$/.test(one);
    assert.equal(tryExtractJson('```json' + one + '7```') === 7, white, unit.toString(16));
    assert.equal(tryExtractJson('```json 7' + one + '```') === 7, white || one === '`', unit.toString(16));
    assert.equal(JSON.stringify(tryExtractJson(`[true,${one}]`)) === '[true]', white || one === ']', unit.toString(16));
  }
});

test('no fence, or no JSON in it: the first bracket decides', () => {
  gives('a {"x":1} [2]', { x: 1 });
  gives('a [2] {"x":1}', [2]);
  gives('```\nnot json\n```\n```json\n{"a":1}\n```', { a: 1 });
  gives('```json\n{"a":1}', { a: 1 });
  gives('x {"a":"}\\"}"} y', { a: '}"}' });
  fails('{name} {"a":1}', 'parse-failed', '{name}');
  fails('{"a":[1}]}', 'parse-failed', '{"a":[1}');
  fails('x [1}', 'unbalanced', '[1}');
  fails('{"a":"x} y', 'unbalanced');
  fails('{"a":"x\\', 'unbalanced');
  fails('text', 'no-json');
  fails('', 'invalid-input');
});

test('repairs commas before closers and apostrophes, in strings too', () => {
  gives("{'a':1,'b':[1,2,],}", { a: 1, b: [1, 2] });
  gives('[1, \n\u3000]', [1]);
  gives('[,]', []);
  gives('{"a":"x, }",}', { a: 'x}' });
  gives("{'a':'it\\'s'}", { a: 'it"s' });
  fails('[1,,]', 'parse-failed');
  fails('{"a":"it\'s",}', 'parse-failed');
});

test('previews are cut by code units', () => {
  fails('x'.repeat(201), 'no-json', 'x'.repeat(200));
  fails('x'.repeat(199) + '\u{1f600}', 'no-json', 'x'.repeat(199) + '\ud83d');
  fails('y{' + 'x'.repeat(300), 'unbalanced', '{' + 'x'.repeat(299));
  fails('{' + 'x'.repeat(298) + '\u{1f600}}', 'parse-failed', '{' + 'x'.repeat(298) + '\ud83d');
});

test('hostile texts come back', () => {
  const long = 200_000;
  fails('```' + ' '.repeat(long), 'no-json', '```' + ' '.repeat(197));
  gives('[1' + ','.repeat(1) + ' '.repeat(long) + ']', [1]);
  fails('[' + ', '.repeat(long) + '1]', 'parse-failed', '[' + ', '.repeat(long).slice(0, 299));
  const deep = extractJson('['.repeat(long) + ']'.repeat(long));
  assert.ok(Array.isArray(deep));
});

test('what is no string is refused, null when tried', () => {
  for (const value of [null, undefined, 0, true, [], {}, ['[1]']]) {
    assert.throws(() => extractJson(value as never), { name: 'JsonExtractionError', code: 'invalid-input' });
    assert.equal(tryExtractJson(value as never), null);
  }
});

test('an error of another kind is passed on, not taken for the absence of JSON', () => {
  const broken = mock.method(String.prototype, 'indexOf', () => { throw new RangeError('out of something'); });
  try {
    assert.throws(() => tryExtractJson('[1]'), RangeError);
  } finally {
    broken.mock.restore();
  }
});
