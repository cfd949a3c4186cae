// The adapter of NAME: fill in the four functions, and leave the rest as it is.
import { writeSync } from 'node:fs';

/** What extractJson throws: a code, and the preview where the original's message holds one. */
class ExtractError extends Error {
  constructor(code, preview) {
    super(code);
    this.code = code;
    this.preview = preview;
  }
}

// To be filled in.

/** The value of a strict JSON text; throws a SyntaxError. */
function jsonParse(text) {
  throw new Error('TODO: json_parse');
}

/** The text of the first object, or `text` itself. */
function extractJsonObject(text) {
  throw new Error('TODO: extract_json_object');
}

/** The value; throws an ExtractError('invalid-input' | 'no-json' | 'unbalanced' | 'parse-failed', preview). */
function extractJson(text) {
  throw new Error('TODO: extract_json');
}

/** The value, null on any failure. */
function tryExtractJson(text) {
  try {
    return extractJson(text);
  } catch (error) {
    if (error instanceof ExtractError) return null;
    throw error;
  }
}

// The protocol. Nothing below needs to change.

const HELLO = {
  protocol: 1,
  implementation: 'NAME',
  version: '0',
  language: 'javascript',
  operations: ['json_parse', 'extract_json_object', 'extract_json', 'try_extract_json'],
  host: { strings: 'utf16', ill_formed: 'kept', integers: 'binary64', numbers: 'untyped', key_order: 'integers-first' },
};

const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

function string(text) {
  if (!LONE.test(text)) return text;
  return { $u16: Array.from({ length: text.length }, (_, i) => text.charCodeAt(i).toString(16).padStart(4, '0')).join('') };
}

function scalar(value) {
  if (typeof value === 'string') return string(value);
  if (typeof value !== 'number') return value;
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) return value;
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setFloat64(0, value);
  return { $f: bytes.getBigUint64(0).toString(16).padStart(16, '0') };
}

/** A value's events, whatever its depth. */
function events(value) {
  const out = [];
  const stack = [{ value }];
  while (stack.length > 0) {
    const step = stack.pop();
    if ('event' in step) out.push(step.event);
    else if (Array.isArray(step.value)) {
      out.push('[');
      stack.push({ event: ']' });
      for (let i = step.value.length - 1; i >= 0; i--) stack.push({ value: step.value[i] });
    } else if (step.value !== null && typeof step.value === 'object') {
      out.push('{');
      stack.push({ event: '}' });
      for (const [key, inner] of Object.entries(step.value).reverse()) stack.push({ value: inner }, { event: ['k', string(key)] });
    } else out.push(['v', scalar(step.value)]);
  }
  return out;
}

/** The tagged value, or undefined when it is too deep to be sent as such. */
function tagged(value, depth) {
  if (value === null || typeof value !== 'object') return scalar(value);
  if (depth === 200) return undefined;
  const items = [];
  for (const [key, inner] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    const item = tagged(inner, depth + 1);
    if (item === undefined) return undefined;
    items.push(Array.isArray(value) ? item : [string(key), item]);
  }
  return Array.isArray(value) ? items : { $o: items };
}

const wire = (value) => tagged(value, 0) ?? { $flat: events(value) };

function given({ input }) {
  if ('utf16' in input) return (input.utf16.match(/.{4}/g) ?? []).map((hex) => String.fromCharCode(parseInt(hex, 16))).join('');
  if ('bytes' in input) return new Uint8Array(Buffer.from(input.bytes, 'hex'));
  return 'text' in input ? input.text : input.value;
}

function operate(name, text) {
  switch (name) {
    case 'json_parse':
      try {
        return { outcome: 'value', value: wire(jsonParse(text)) };
      } catch (error) {
        if (error instanceof SyntaxError) return { outcome: 'error', code: 'syntax' };
        throw error;
      }
    case 'extract_json_object':
      try {
        const found = extractJsonObject(text);
        return found === text ? { outcome: 'unchanged' } : { outcome: 'found', text: string(found) };
      } catch (error) {
        if (error instanceof TypeError) return { outcome: 'error', code: 'type' };
        throw error;
      }
    case 'extract_json':
      try {
        return { outcome: 'value', value: wire(extractJson(text)) };
      } catch (error) {
        if (!(error instanceof ExtractError)) throw error;
        return { outcome: 'error', code: error.code, ...(error.preview === undefined ? {} : { preview: string(error.preview) }) };
      }
    case 'try_extract_json': {
      const value = tryExtractJson(text);
      return value === null ? { outcome: 'null' } : { outcome: 'value', value: wire(value) };
    }
    default:
      return { outcome: 'unsupported' };
  }
}

function answer(request) {
  try {
    return { id: request.id, ...operate(request.op, given(request)) };
  } catch (error) {
    return { id: request.id, outcome: 'failed', message: string(String(error)) };
  }
}

/** One line of pure ASCII. */
const line = (message) => JSON.stringify(message).replace(/[\x7f-\uffff]/g, (char) => '\\u' + char.charCodeAt(0).toString(16).padStart(4, '0')) + '\n';

function send(text) {
  const bytes = Buffer.from(text, 'latin1');
  for (let sent = 0; sent < bytes.length; ) {
    try {
      sent += writeSync(1, bytes, sent);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error; // the pipe is full: try again
    }
  }
}

let rest = '';
process.stdin.setEncoding('latin1');
for await (const chunk of process.stdin) {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  let out = '';
  for (const text of lines) {
    const message = JSON.parse(text);
    if ('bye' in message) {
      send(out);
      process.exit(0);
    }
    out += line('hello' in message ? HELLO : answer(message));
  }
  send(out);
}
