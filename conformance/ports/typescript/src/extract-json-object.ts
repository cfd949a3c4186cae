import { FAULT, readValue, type Verdicts } from './strict.ts';

/** The longest text that is searched, in UTF-16 code units. */
export const MAX_SEARCHED_UNITS = 262_144;

/** The braces that are tried, counted in text order wherever they stand. */
export const MAX_TRIED_BRACES = 50;

/**
 * Return the text of the first strict JSON object in `raw`, or `raw` itself when there is none.
 *
 * Each of the first 50 `{` is a candidate, those in prose, in strings and in failed candidates included. A `raw` of more than
 * 262,144 UTF-16 code units comes back unsearched. Throws a `TypeError` when `raw` is no string.
 *
 * Time is linear. Reading an object at a brace equals balancing braces outside strings and handing the slice to `JSON.parse`:
 * inside a valid object both see the same strings, and an invalid one fails both ways. A failed read decides every brace it
 * passed outside strings: an object that was closed stands on its own, and one still open would fail at the same place. Only
 * braces inside its strings, or beyond its end, are read afresh; two reads never overlap in step, so no unit is read by more than two.
 */
export function extractJsonObject(raw: string): string {
  if (typeof raw !== 'string') throw new TypeError(`extractJsonObject: a string is wanted, not ${kindOf(raw)}`);
  if (raw.length > MAX_SEARCHED_UNITS) return raw;
  const verdicts: Verdicts = new Map();
  let start = raw.indexOf('{');
  for (let tried = 0; start !== -1 && tried < MAX_TRIED_BRACES; tried++) {
    const end = verdicts.get(start) ?? readValue(raw, start, verdicts, MAX_TRIED_BRACES);
    if (end !== FAULT) return raw.slice(start, end);
    start = raw.indexOf('{', start + 1);
  }
  return raw;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : typeof value;
}
