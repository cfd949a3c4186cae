"""The three original functions, with the answers and the faults of the TypeScript they come from, in linear time.

Why each is linear while the originals are not: a strict read that starts at a bracket succeeds exactly where the
original's scan for the closer succeeds and `JSON.parse` takes the slice, since inside valid JSON both see the same
strings. So the read comes first, and the scan only after it failed, to tell what the original would have handed to
its repair.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from .ecma import WHITE_SPACE, longer_than, utf16_prefix
from .errors import ExtractJsonError, InvalidJSONError
from .machine import Machine, count, entry, parse_at, walk
from .patterns import Pattern

# The original's bounds on its quadratic search. A response of 8,192 tokens is about 33 KB: no real one meets the first.
_MAX_UNITS = 262_144
_MAX_BRACES = 50

_FENCE = "```"
_OPENING = Pattern(f"(?:json|yaml|js|javascript|typescript|dart)?[{WHITE_SPACE}]*", re.IGNORECASE | re.ASCII)
_MARKS = {"{": Pattern('["{}]'), "[": Pattern(r'["\[\]]')}
_STRING_MARK = Pattern(r'["\\]')
_COMMA_BEFORE_CLOSER = Pattern(rf",[{WHITE_SPACE}]*(?=[}}\]])")

_MESSAGES = {
    "invalid-input": "extractJson: input must be a non-empty string",
    "no-json": "extractJson: no JSON object or array found in response.\nResponse preview: {preview}",
    "unbalanced": "extractJson: unbalanced brackets in LLM response.\nResponse preview: {preview}",
    "parse-failed": "extractJson: JSON.parse failed.\nError: {cause}\nCandidate (first 300 chars): {preview}",
}
_FAULTS = {
    "unexpected": "unexpected character",
    "control": "raw control character in a string",
    "escape": "invalid escape in a string",
    "number": "malformed number",
    "literal": "malformed literal",
}


def extract_json_object(raw: str) -> str:
    """Return the text of the first strict JSON object in `raw`, or `raw` itself where there is none.

    Each of the first 50 `{` in text order is tried, whether it stands in prose, in quotes or in an object that
    failed. A `raw` of more than 262,144 UTF-16 code units is returned unsearched. Raises TypeError if `raw` is no
    str. O(len(raw)).
    """
    if not isinstance(raw, str):
        raise TypeError(f"extract_json_object() takes a str, not {type(raw).__name__}")
    text = _exact(raw)
    if longer_than(text, _MAX_UNITS):
        return raw
    known: dict[int, int] = {}
    start = _find(text, "{", 0)
    for _ in range(_MAX_BRACES):
        if start < 0:
            break
        end = known.get(start)
        if end is None:
            end = walk(text, start, known)
        if end >= 0:
            return text[start:end]
        start = _find(text, "{", start + 1)
    return raw


def extract_json(raw: str) -> Any:
    """Return the JSON value of an LLM response.

    That is the content of the first Markdown fence where it is strict JSON of any kind, else the text from the first
    `{` or `[` to the bracket that balances it, as it stands or without commas before closers and with every `'` made
    `"`. Later brackets are not tried.

    Raises ExtractJsonError, whose `code` is "invalid-input" (`raw` is empty or no str), "no-json", "unbalanced" or
    "parse-failed". O(len(raw)).
    """
    try:
        return _extract(raw)
    except _Failed as failed:
        raise _error(raw, failed) from None


def try_extract_json(raw: str) -> Any | None:
    """Return what `extract_json` returns, and None where it raises ExtractJsonError (a fenced `null` is None too).
    O(len(raw))."""
    try:
        return _extract(raw)
    except _Failed:
        return None


class _Failed(Exception):
    """There is no value: the code, and the slice of the text that the message is about."""

    def __init__(self, code: str, start: int = 0, end: int = 0) -> None:
        self.code, self.start, self.end = code, start, end


def _extract(raw: Any) -> Any:
    text = raw if type(raw) is str else _exact(raw)
    if not text:
        raise _Failed("invalid-input")
    found = _fenced(text)
    if found is not None:
        return found[0]
    start = _first_bracket(text)
    if start < 0:
        raise _Failed("no-json", 0, len(text))
    found = parse_at(text, start)
    if found is not None:
        return found[0]
    end = _closed(text, start)
    if end < 0:
        raise _Failed("unbalanced", start, len(text))
    repaired = _repaired(text[start:end])
    found = parse_at(repaired, 0)
    if found is None or found[1] != len(repaired):
        raise _Failed("parse-failed", start, end)
    return found[0]


def _exact(raw: Any) -> str:
    """The text of a str, whatever its class overrides; of anything else, none."""
    return str.__str__(raw) if isinstance(raw, str) else ""


def _fenced(text: str) -> tuple[Any, int] | None:
    """The value that fills the first fence, and the offset behind it; None if there is no fence, or more or less in it."""
    opening = _fence(text, 0)
    inside = opening + len(_FENCE)
    closing = _fence(text, inside) if opening >= 0 else -1
    count(closing if closing >= 0 else len(text))
    if closing < 0:
        return None
    found: tuple[Any, int] | None = parse_at(text, _OPENING.match(text, inside).end())  # type: ignore[union-attr]
    if found is None or found[1] > closing or text[found[1] : closing].strip(WHITE_SPACE):
        return None
    return found


def _fence(text: str, start: int) -> int:
    found = text.find("`", start)  # many times as fast as looking for three
    return found if found < 0 or text.startswith(_FENCE, found) else text.find(_FENCE, found)


def _first_bracket(text: str) -> int:
    brace = _find(text, "{", 0)
    bracket = _find(text, "[", 0, brace if brace >= 0 else len(text))
    return brace if bracket < 0 else bracket


def _closed(text: str, start: int) -> int:
    """The offset behind the closer of the bracket at `start`, or -1. Only brackets of its kind and outside strings
    count."""
    opener, next_mark = text[start], _MARKS[text[start]].search
    depth, pos = 0, start
    while mark := next_mark(text, pos):
        pos = mark.end()
        if mark[0] == '"':
            pos = _string_end(text, pos)
        else:
            depth += 1 if mark[0] == opener else -1
            if not depth:
                count(pos - start)
                return pos
    count(len(text) - start)
    return -1


def _string_end(text: str, pos: int) -> int:
    """The offset behind the string that `pos` is in; that of the text's end where it is not closed."""
    while mark := _STRING_MARK.search(text, pos):
        pos = mark.end()
        if mark[0] == '"':
            return pos
        pos += 1  # whatever is escaped
    return len(text)


def _repaired(candidate: str) -> str:
    """The original's repair: it knows nothing of strings."""
    count(len(candidate))
    return _COMMA_BEFORE_CLOSER.sub("", candidate).replace("'", '"')


def _error(raw: Any, failed: _Failed) -> ExtractJsonError:
    doc = _exact(raw)
    about, pos = doc[failed.start : failed.end], failed.start
    preview = utf16_prefix(about, 200 if failed.code == "no-json" else 300)
    cause = ""
    if failed.code == "parse-failed":
        fault = _why_not(about)
        cause = f"{type(fault).__name__}: {fault}"
        pos += fault.pos
    return ExtractJsonError(_MESSAGES[failed.code].format(preview=preview, cause=cause), doc, pos, failed.code, preview)


def _why_not(candidate: str) -> InvalidJSONError:
    """What strict JSON has against a candidate that it refuses."""
    machine = Machine(candidate)
    machine.run()
    return InvalidJSONError(_FAULTS[machine.fault], candidate, machine.pos, machine.fault)


def _find(text: str, what: str, start: int, end: int | None = None) -> int:
    found = text.find(what, start, end)
    count((len(text) if found < 0 else found) - start + 1)
    return found


if not TYPE_CHECKING:  # pragma: no branch - only type checkers go round it
    extract_json_object = entry(extract_json_object)
    extract_json = entry(extract_json)
