"""A response as a row of a table: the one definition of the columns that `jsonscan batch` and the Arrow functions add.

    json      text of the value as it stands in the response, with its repairs applied: strict JSON, and never laid out anew
    ok        whether there is one
    source    "bare", "fence", "tag" or "prose"
    start     its offset in the response, in code points
    end       the offset behind it
    complete  False where the response ended inside it and what there was is kept
    repairs   codes of the edits, each once, in order of their first; none where it reads strictly
    error     None, or why there is none: the `code` of a `JSONScanError`, "null" for no response at all, "not-text" for one that is no str

Where `ok` is False, all but `ok` and `error` are None.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from .answers import holds_landmark, is_clean_tail
from .errors import JSONScanError, NoJSONError
from .machine import parse_at
from .model import Match, Options, Repair
from .repairs import applied, read
from .scanner import compile
from .shapes import LEADING_BLANK

COLUMNS = ("json", "ok", "source", "start", "end", "complete", "repairs", "error")
Row = tuple[str | None, bool, str | None, int | None, int | None, bool | None, tuple[str, ...] | None, str | None]
_KEEP = Options(truncated="keep")
_SURROGATE = re.compile("[\ud800-\udfff]")


def reader(**options: Any) -> Callable[[object], Row]:
    """What reads one response under these options of `search`, into a tuple in the order of `COLUMNS`. It never raises on account of
    the text, and is O(text)."""
    scanner = compile(**options)
    search, plain = scanner.search, _plain_reader(scanner.options)

    def row(raw: object) -> Row:
        if not isinstance(raw, str):
            return failed("null" if raw is None else "not-text")
        known = plain(raw)
        if known is not None:
            return known
        try:
            match = search(raw)
        except JSONScanError as error:
            return failed(error.code)
        return failed(NoJSONError.code) if match is None else _found(match)

    return row


def failed(code: str) -> Row:
    """The row of a response without a value."""
    return None, False, None, None, None, None, None, code


def _plain_reader(options: Options) -> Callable[[str], Row | None]:
    """What tells the row of a plain response, and None of any other, without a search. The rules give the same where it tells one:

    (a) A strict value that is the whole text is the answer (ANS-1).
    (b) Without `{`, `[`, a full-width brace, a fence or a member at the start there is no candidate, unless scalars are wanted.
    (c) A strict object with a member, no bracket and no tag outside it, and nothing before it but words or a fence that opens a line,
        untagged or tagged json, is the one candidate: why, is written at `clean` in answers.py.
    """
    limits, expect = options.limits, options.expect
    plain = Options(expect=expect, repair=options.repair, truncated=options.truncated, nonfinite=options.nonfinite,
                    fragments=options.fragments, limits=limits)  # fmt: skip
    if options != plain or limits.max_input is not None:
        return lambda text: None
    kinds = {"any": (dict, list), "object": (dict,), "array": (list,), "container": (dict, list)}[expect]
    max_depth, max_digits = limits.max_depth or 0, limits.max_digits or 0

    def row(text: str) -> Row | None:
        start, source = 0, "bare"
        first = text[:1]
        if first not in ("{", "["):
            start = LEADING_BLANK.match(text).end()  # type: ignore[union-attr]
            first = text[start : start + 1]
        if first not in ("{", "["):
            brace = text.find("{", start)
            if first == '"':
                return None
            if brace < 0:
                return None if expect == "any" or _has_mark(text) else failed(NoJSONError.code)
            start, source = brace, _source(text[:brace])
            if not source:
                return None
        found = parse_at(text, start, max_depth, max_digits)
        if found is None or not isinstance(found[0], kinds):
            return None
        value, end = found
        if source == "bare" and end < len(text) and LEADING_BLANK.match(text, end).end() < len(text):  # type: ignore[union-attr]
            source = "prose"
        if source != "bare" and (not value or first == "[" or expect == "any" or not is_clean_tail(text[end:])):
            return None
        return encodable(text[start:end]), True, source, start, end, True, (), None

    return row


# `in` for a character is many times as fast as a regular expression.


def _has_mark(text: str) -> bool:
    """Has a text without braces anything else that may start a candidate?"""
    return "[" in text or "｛" in text or "```" in text or "~~~" in text


def _source(head: str) -> str:
    """What an object stands in that has only this before it; "" where that takes the rules."""
    if head[-1] in "$\\" or "~~~" in head or holds_landmark(head):
        return ""
    if "`" not in head:
        return "prose"
    words = head.rstrip(" \t\r\n")
    line_end = head[len(words) :]
    words = words.removesuffix("json")
    opens_line = words.endswith("```") and words[-4:-3] in ("", "\n") and ("\n" in line_end or "\r" not in line_end)
    return "fence" if opens_line and words.count("`") == 3 else ""


def _found(match: Match[Any]) -> Row:
    edits = match.repairs if match.complete or match.repairs else _closers(match)
    return _edited(match.string, match.start, match.end, edits, match.source, match.complete)


def _edited(text: str, start: int, end: int, edits: tuple[Repair, ...], source: str, complete: bool) -> Row:
    made = applied(text, start, end, edits) if edits else text[start:end]
    return encodable(made), True, source, start, end, complete, tuple(dict.fromkeys(edit.code for edit in edits)), None


def _closers(match: Match[Any]) -> tuple[Repair, ...]:
    """What repair="off" keeps of a cut value has no log; this is the one edit that closes it."""
    return read(match.string, match.start, match.end, _KEEP, "safe").repairs


def encodable(text: str) -> str:
    """JSON text that UTF-8 can carry: lone surrogates, which stand in strings only, as the escapes that mean the same."""
    return text if text.isascii() else _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
