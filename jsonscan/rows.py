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

from .errors import JSONScanError, NoJSONError
from .machine import parse_at
from .model import Match, Options, Repair
from .repairs import applied, read
from .scanner import compile
from .shapes import BLANK, LEADING_BLANK, PREMATURE

COLUMNS = ("json", "ok", "source", "start", "end", "complete", "repairs", "error")
Row = tuple[str | None, bool, str | None, int | None, int | None, bool | None, tuple[str, ...] | None, str | None]
_KEEP = Options(truncated="keep")
_OUTSIDE = "`{\\[<◁｛~"  # what may start a landmark; a single backtick does not
_HEAD = re.compile(
    rf'(?![\s{BLANK}]*")[^{_OUTSIDE}]*(?:`{{1,2}}[^{_OUTSIDE}]+)*'
    r"(?:(?<![^\n])(```)(?:json)?[ \t]*(?:\r?\n[ \t\r\n]*)?|(?<![$\\]))(?=\{)"
).match
_TAIL = re.compile(r"[{\[<◁｛]").search
_MARKS = ("{", "[", "｛", "```", "~~~")
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
        lead: int = LEADING_BLANK(text).end()  # type: ignore[union-attr]
        start, source = lead, "prose"
        if text[start : start + 1] not in ("{", "["):
            if expect != "any" and text[lead : lead + 1] != '"' and not any(mark in text for mark in _MARKS):
                return failed(NoJSONError.code)
            head = _HEAD(text)
            if head is None:
                return None
            start, source = head.end(), "fence" if head[1] else "prose"
        found = parse_at(text, start, max_depth, max_digits)
        if found is None or not isinstance(found[0], kinds):
            return None
        value, end = found
        if end == len(text) or LEADING_BLANK(text, end).end() == len(text):  # type: ignore[union-attr]
            source = "bare" if start == lead else source
        elif _TAIL(text, end) or PREMATURE(text, end):
            return None
        if source != "bare" and (not value or text[start] == "[" or expect == "any"):
            return None
        return encodable(text[start:end]), True, source, start, end, True, (), None

    return row


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
