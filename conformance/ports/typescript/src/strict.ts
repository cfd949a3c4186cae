/**
 * A validity-only reader of strict JSON, as V8's `JSON.parse` has it. It builds no value: it takes a position and returns the
 * position behind what it read, or `FAULT`. Positions are UTF-16 code units. Nesting costs memory, never stack.
 */
import {
  BACKSLASH, CARRIAGE_RETURN, COLON, COMMA, LEFT_BRACE, LEFT_BRACKET, LINE_FEED, LOWER_E, LOWER_F, LOWER_N, LOWER_T, LOWER_U,
  MINUS, NINE, PLUS, POINT, QUOTE, RIGHT_BRACE, RIGHT_BRACKET, SPACE, TAB, UPPER_E, ZERO,
} from './units.ts';

/** No strict JSON there. */
export const FAULT = -1;

/** What a read learned of the objects it met: start of each to its end, or to `FAULT` while (or because) it never closed. */
export type Verdicts = Map<number, number>;

/**
 * Read one JSON value that starts at `start`, white space before it allowed, and return the position behind it, or `FAULT`.
 *
 * When `verdicts` is given, the first `keep` objects the read opens, in text order, are entered in it. They hold for a read of
 * each object alone: it would see the same units in the same state. Time: the units read, each once.
 */
export function readValue(text: string, start: number, verdicts?: Verdicts, keep = 0): number {
  // Starts of the open containers; an array's is kept complemented, so that a sign tells the kinds apart.
  const open: number[] = [];
  let room = verdicts === undefined ? 0 : keep;
  let at = start;
  for (;;) {
    at = skipSpace(text, at);
    const unit = text.charCodeAt(at);
    let closed = false;
    if (unit === LEFT_BRACE) {
      if (room > 0) {
        verdicts?.set(at, FAULT);
        room--;
      }
      open.push(at);
      at = skipSpace(text, at + 1);
      closed = text.charCodeAt(at) === RIGHT_BRACE;
      if (!closed) {
        at = readKey(text, at);
        if (at === FAULT) return FAULT;
        continue;
      }
    } else if (unit === LEFT_BRACKET) {
      open.push(~at);
      at = skipSpace(text, at + 1);
      closed = text.charCodeAt(at) === RIGHT_BRACKET;
      if (!closed) continue;
    } else {
      at = readScalar(text, at, unit);
      if (at === FAULT) return FAULT;
    }
    // A scalar ends at `at`, or the innermost container closes there: close what can be closed, up to the next value.
    for (;;) {
      if (closed) {
        const opened = open.pop() as number;
        at++;
        if (verdicts?.has(opened)) verdicts.set(opened, at);
      }
      const innermost = open.at(-1);
      if (innermost === undefined) return at;
      at = skipSpace(text, at);
      const next = text.charCodeAt(at);
      if (next === COMMA) {
        at = innermost < 0 ? at + 1 : readKey(text, skipSpace(text, at + 1));
        if (at === FAULT) return FAULT;
        break;
      }
      if (next !== (innermost < 0 ? RIGHT_BRACKET : RIGHT_BRACE)) return FAULT;
      closed = true;
    }
  }
}

/** A member's name and its colon. */
function readKey(text: string, at: number): number {
  if (text.charCodeAt(at) !== QUOTE) return FAULT;
  const end = readString(text, at);
  if (end === FAULT) return FAULT;
  const colon = skipSpace(text, end);
  return text.charCodeAt(colon) === COLON ? colon + 1 : FAULT;
}

function readScalar(text: string, at: number, first: number): number {
  switch (first) {
    case QUOTE: return readString(text, at);
    case LOWER_T: return readWord(text, at, 'true');
    case LOWER_F: return readWord(text, at, 'false');
    case LOWER_N: return readWord(text, at, 'null');
    default: return readNumber(text, at);
  }
}

function readWord(text: string, at: number, word: string): number {
  return text.startsWith(word, at) ? at + word.length : FAULT;
}

/** `at` is on the opening quote. Any unit but a control, a quote or a backslash stands for itself, lone surrogates too. */
function readString(text: string, at: number): number {
  for (let i = at + 1; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === QUOTE) return i + 1;
    if (unit < SPACE) return FAULT;
    if (unit === BACKSLASH) {
      i = readEscape(text, i);
      if (i === FAULT) return FAULT;
    }
  }
  return FAULT;
}

/** `at` is on the backslash; returns the escape's last unit. */
function readEscape(text: string, at: number): number {
  const unit = text.charCodeAt(at + 1);
  if (unit !== LOWER_U) return '"\\/bfnrt'.includes(text.charAt(at + 1) || ' ') ? at + 1 : FAULT;
  for (let i = at + 2; i < at + 6; i++) if (!isHexDigit(text.charCodeAt(i))) return FAULT;
  return at + 5;
}

function readNumber(text: string, at: number): number {
  let end = text.charCodeAt(at) === MINUS ? at + 1 : at;
  end = text.charCodeAt(end) === ZERO ? end + 1 : readDigits(text, end);
  if (end !== FAULT && text.charCodeAt(end) === POINT) end = readDigits(text, end + 1);
  if (end === FAULT) return FAULT;
  const unit = text.charCodeAt(end);
  if (unit !== LOWER_E && unit !== UPPER_E) return end;
  const sign = text.charCodeAt(end + 1);
  return readDigits(text, sign === PLUS || sign === MINUS ? end + 2 : end + 1);
}

/** One ASCII digit or more. */
function readDigits(text: string, at: number): number {
  let end = at;
  while (isDigit(text.charCodeAt(end))) end++;
  return end > at ? end : FAULT;
}

/** JSON's white space, which is less than JavaScript's. */
function skipSpace(text: string, at: number): number {
  let end = at;
  for (;;) {
    const unit = text.charCodeAt(end);
    if (unit !== SPACE && unit !== LINE_FEED && unit !== CARRIAGE_RETURN && unit !== TAB) return end;
    end++;
  }
}

// Both are false of the NaN that `charCodeAt` gives behind the end.
function isDigit(unit: number): boolean {
  return unit >= ZERO && unit <= NINE;
}

function isHexDigit(unit: number): boolean {
  return isDigit(unit) || ((unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x66);
}
