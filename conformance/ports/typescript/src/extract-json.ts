import { BACKSLASH, LEFT_BRACE, LEFT_BRACKET, QUOTE, RIGHT_BRACE, RIGHT_BRACKET } from './units.ts';

export type ExtractionErrorCode = 'invalid-input' | 'no-json' | 'unbalanced' | 'parse-failed';

/** Why there is no value. `preview` is the part of the text that shows it; a surrogate pair may be cut at its end. */
export class JsonExtractionError extends Error {
  readonly code: ExtractionErrorCode;
  readonly preview: string | undefined;

  constructor(code: ExtractionErrorCode, message: string, preview?: string) {
    super(preview === undefined ? message : `${message}: ${preview}`);
    this.name = 'JsonExtractionError';
    this.code = code;
    this.preview = preview;
  }
}

/** Units of the whole text shown when it holds no bracket, and of the candidate in the other errors. */
const TEXT_PREVIEW = 200;
const CANDIDATE_PREVIEW = 300;

const FENCE = '```';
const FENCE_TAGS = ['json', 'yaml', 'js', 'javascript', 'typescript', 'dart'] as const;

/**
 * Return the JSON value of an LLM response: the content of the first Markdown fence when it parses, else the balanced text from the
 * first `{` or `[` on, else that text with commas before closers dropped and apostrophes made quotes.
 *
 * Throws a `JsonExtractionError`. Nothing behind the first bracket's candidate is tried. Time is linear in `raw`.
 */
export function extractJson(raw: string): unknown {
  if (typeof raw !== 'string' || raw === '') {
    throw new JsonExtractionError('invalid-input', 'a string that is not empty is wanted');
  }
  const fenced = fenceContent(raw);
  if (fenced !== undefined) {
    const parsed = parse(fenced);
    if (parsed !== undefined) return parsed.value;
  }
  const start = firstBracket(raw);
  if (start === -1) throw new JsonExtractionError('no-json', 'no { or [ in the text', raw.slice(0, TEXT_PREVIEW));
  const end = closerOf(raw, start);
  if (end === -1) {
    throw new JsonExtractionError('unbalanced', 'the first bracket never closes', raw.slice(start, start + CANDIDATE_PREVIEW));
  }
  const candidate = raw.slice(start, end + 1);
  const parsed = parse(candidate) ?? parse(repaired(candidate));
  // A repaired candidate starts with a bracket still, so that its value is never null.
  if (parsed !== undefined) return parsed.value;
  throw new JsonExtractionError('parse-failed', 'not JSON, nor after repair', candidate.slice(0, CANDIDATE_PREVIEW));
}

/** Like `extractJson`, but `null` when there is no value. A fenced `null` is `null` too. */
export function tryExtractJson(raw: string): unknown {
  try {
    return extractJson(raw);
  } catch (error) {
    if (error instanceof JsonExtractionError) return null;
    throw error;
  }
}

/** A box, since `null` is a value and `undefined` stands for none. */
function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/**
 * The trimmed content between the first three backticks and the next three, less one known tag right behind the opening.
 * `trim` drops the white space behind the tag as well: no tag, and no white space, holds a backtick.
 */
function fenceContent(raw: string): string | undefined {
  const opening = raw.indexOf(FENCE);
  if (opening === -1) return undefined;
  const inside = opening + FENCE.length;
  const closing = raw.indexOf(FENCE, inside);
  if (closing === -1) return undefined;
  return raw.slice(inside + tagLength(raw, inside), closing).trim();
}

function tagLength(raw: string, at: number): number {
  return FENCE_TAGS.find((tag) => hasTag(raw, at, tag))?.length ?? 0;
}

/** Folds A to Z alone: `toLowerCase` would take the Kelvin sign for a k and more. */
function hasTag(raw: string, at: number, tag: string): boolean {
  for (let i = 0; i < tag.length; i++) {
    const unit = raw.charCodeAt(at + i);
    const folded = unit >= 0x41 && unit <= 0x5a ? unit | 0x20 : unit;
    if (folded !== tag.charCodeAt(i)) return false;
  }
  return true;
}

function firstBracket(raw: string): number {
  for (let i = 0; i < raw.length; i++) {
    const unit = raw.charCodeAt(i);
    if (unit === LEFT_BRACE || unit === LEFT_BRACKET) return i;
  }
  return -1;
}

/** The position of the closer that balances the bracket at `start`, strings set aside; the other kind of bracket is not looked at. */
function closerOf(raw: string, start: number): number {
  const opener = raw.charCodeAt(start);
  const closer = opener === LEFT_BRACE ? RIGHT_BRACE : RIGHT_BRACKET;
  let depth = 0;
  for (let i = start; i < raw.length; i++) {
    const unit = raw.charCodeAt(i);
    if (unit === QUOTE) {
      i = closingQuote(raw, i);
      if (i === -1) return -1;
    } else if (unit === opener) {
      depth++;
    } else if (unit === closer && --depth === 0) {
      return i;
    }
  }
  return -1;
}

/** `at` is on the opening quote. A backslash shields the unit behind it, here and nowhere else. */
function closingQuote(raw: string, at: number): number {
  for (let i = at + 1; i < raw.length; i++) {
    const unit = raw.charCodeAt(i);
    if (unit === QUOTE) return i;
    if (unit === BACKSLASH) i++;
  }
  return -1;
}

/** Drops each comma with the white space behind it before a closer, then turns every apostrophe into a quote: in strings too. */
function repaired(candidate: string): string {
  const kept: string[] = [];
  let from = 0;
  for (let comma = candidate.indexOf(','); comma !== -1; comma = candidate.indexOf(',', comma + 1)) {
    const next = skipWhiteSpace(candidate, comma + 1);
    const unit = candidate.charCodeAt(next);
    if (unit === RIGHT_BRACE || unit === RIGHT_BRACKET) {
      kept.push(candidate.slice(from, comma));
      from = next;
    }
  }
  kept.push(candidate.slice(from));
  return kept.join('').replaceAll("'", '"');
}

const WHITE_SPACE = new Set(
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff',
);

/** JavaScript's white space: what `trim` and a regular expression's `\s` take. */
function skipWhiteSpace(text: string, at: number): number {
  let end = at;
  while (end < text.length && WHITE_SPACE.has(text.charAt(end))) end++;
  return end;
}
