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
from .model import Match, Options, Repair
from .repairs import applied, read
from .scanner import compile

COLUMNS = ("json", "ok", "source", "start", "end", "complete", "repairs", "error")
Row = tuple[str | None, bool, str | None, int | None, int | None, bool | None, tuple[str, ...] | None, str | None]
_KEEP = Options(truncated="keep")
_SURROGATE = re.compile("[\ud800-\udfff]")


def reader(**options: Any) -> Callable[[object], Row]:
    """What reads one response under these options of `search`, into a tuple in the order of `COLUMNS`. It never raises on account of
    the text, and is O(text)."""
    search = compile(**options).search

    def row(raw: object) -> Row:
        if not isinstance(raw, str):
            return failed("null" if raw is None else "not-text")
        try:
            match = search(raw)
        except JSONScanError as error:
            return failed(error.code)
        return failed(NoJSONError.code) if match is None else _found(match)

    return row


def failed(code: str) -> Row:
    """The row of a response without a value."""
    return None, False, None, None, None, None, None, code


def _found(match: Match[Any]) -> Row:
    edits = match.repairs if match.complete or match.repairs else _closers(match)
    text = applied(match.string, match.start, match.end, edits) if edits else match.text
    codes = tuple(dict.fromkeys(edit.code for edit in edits))
    return encodable(text), True, match.source, match.start, match.end, match.complete, codes, None


def _closers(match: Match[Any]) -> tuple[Repair, ...]:
    """What repair="off" keeps of a cut value has no log; this is the one edit that closes it."""
    return read(match.string, match.start, match.end, _KEEP, "safe").repairs


def encodable(text: str) -> str:
    """JSON text that UTF-8 can carry: lone surrogates, which stand in strings only, as the escapes that mean the same."""
    return text if text.isascii() else _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
