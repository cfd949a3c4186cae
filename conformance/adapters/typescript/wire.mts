/** Strings and values as PROTOCOL.md has them on the wire. */

/** A value that JSON can carry as it stands. */
export type Wire = null | boolean | number | string | readonly Wire[] | { readonly [key: string]: Wire };

/** Containers nested deeper than this are sent as events. */
const MAX_NESTING = 200;

export function encodeString(text: string): Wire {
  return text.isWellFormed() ? text : { $u16: toHex(text) };
}

function toHex(text: string): string {
  let hex = '';
  for (let i = 0; i < text.length; i++) hex += text.charCodeAt(i).toString(16).padStart(4, '0');
  return hex;
}

function fromHex(hex: string): string {
  const units: string[] = [];
  for (let i = 0; i < hex.length; i += 4) units.push(String.fromCharCode(Number.parseInt(hex.slice(i, i + 4), 16)));
  return units.join('');
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A request's input: a string, or the value that stands for none. Bytes that are no UTF-8 throw a `TypeError`. */
export function decodeInput(input: Readonly<Record<string, unknown>>): unknown {
  if (typeof input['utf16'] === 'string') return fromHex(input['utf16']);
  if (typeof input['bytes'] === 'string') return UTF8.decode(Buffer.from(input['bytes'], 'hex'));
  return 'text' in input ? input['text'] : input['value'];
}

/** `value` is what `JSON.parse` makes. */
export function encodeValue(value: unknown): Wire {
  return encodeNested(value, MAX_NESTING) ?? { $flat: encodeEvents(value) };
}

/** `undefined` when containers are nested deeper than `room`, which also bounds the recursion. */
function encodeNested(value: unknown, room: number): Wire | undefined {
  if (value === null || typeof value !== 'object') return encodeScalar(value);
  if (room === 0) return undefined;
  if (Array.isArray(value)) {
    const items: Wire[] = [];
    for (const item of value) {
      const encoded = encodeNested(item, room - 1);
      if (encoded === undefined) return undefined;
      items.push(encoded);
    }
    return items;
  }
  const members: [string, Wire][] = [];
  for (const [key, member] of Object.entries(value)) {
    const encoded = encodeNested(member, room - 1);
    if (encoded === undefined) return undefined;
    members.push([key, encoded]);
  }
  const plain = members.every(([key]) => !key.startsWith('$') && key.isWellFormed());
  // `fromEntries` defines its keys, so that `__proto__` is one like any other.
  return plain ? Object.fromEntries(members) : { $o: members.map(([key, member]) => [encodeString(key), member]) };
}

function encodeScalar(value: unknown): Wire {
  if (typeof value === 'string') return encodeString(value);
  if (typeof value === 'number') return encodeNumber(value);
  return value as null | boolean;
}

function encodeNumber(value: number): Wire {
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) return value;
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  return { $f: bits.getBigUint64(0).toString(16).padStart(16, '0') };
}

/** The value's events in order, by a stack of iterators: nesting costs memory alone. */
function encodeEvents(root: unknown): Wire[] {
  const events: Wire[] = [];
  const open: { readonly closer: string; readonly rest: Iterator<readonly [string, unknown] | readonly [unknown]> }[] = [];
  const enter = (value: unknown): void => {
    if (value === null || typeof value !== 'object') {
      events.push(['v', encodeScalar(value)]);
    } else if (Array.isArray(value)) {
      events.push('[');
      open.push({ closer: ']', rest: value.map((item): readonly [unknown] => [item]).values() });
    } else {
      events.push('{');
      open.push({ closer: '}', rest: Object.entries(value).values() });
    }
  };
  enter(root);
  for (let innermost = open.at(-1); innermost !== undefined; innermost = open.at(-1)) {
    const next = innermost.rest.next();
    if (next.done) {
      events.push(innermost.closer);
      open.pop();
    } else if (next.value.length === 2) {
      events.push(['k', encodeString(next.value[0])]);
      enter(next.value[1]);
    } else {
      enter(next.value[0]);
    }
  }
  return events;
}

/** One line of pure ASCII, its LF included. */
export function toLine(message: Wire): string {
  const line = JSON.stringify(message);
  return `${line.replace(/[\u007f-\uffff]/g, (unit) => `\\u${toHex(unit)}`)}\n`;
}
