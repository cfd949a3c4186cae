"""Every document cut at every place, bare and in a fence: is the value so far the one that the rules (CUT-1) say?

    python -m tests.fuzz.truncation

prints how many of the places are right under each level of repair, and those that are not. Exit status: 0 all are, 1 one is not.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from .documents import documents

FENCE = "Here it is:\n```json\n"
LEVELS = ("off", "safe", "full")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|"(?:[^"\\]|\\.)*\\?|[{}\[\],:]|[^\s{}\[\],:"]+')
_PIECE = re.compile(r"[^\\]|\\u[0-9a-fA-F]{4}|\\[^u]")
_LEAD = re.compile(r"\\u[dD][89abAB]..").fullmatch
NOTHING = object()


def _decodable(token: str) -> str:
    """A string that was cut, without half an escape or half a pair at its end."""
    pieces, at = [], 0
    while (found := _PIECE.match(token, at)) is not None:
        pieces.append(found[0])
        at = found.end()
    return "".join(pieces[:-1] if _LEAD(pieces[-1]) else pieces)


def expected(prefix: str) -> Any:
    """The value so far of a prefix of a strict container, or `NOTHING`: what is not whole goes, and what is open is closed."""
    closers, kept, is_name = "", "", False
    for found in _TOKEN.finditer(prefix):
        token, end = found[0], found.end()
        char, is_last = token[0], end == len(prefix)
        if char in "{[":
            closers = ("}" if char == "{" else "]") + closers
            kept, is_name = prefix[:end] + closers, char == "{"
        elif char in "}]":
            closers = closers[1:]
            kept, is_name = prefix[:end] + closers, False
        elif char == ",":
            is_name = closers[0] == "}"
        elif char == ":":
            is_name = False
        elif is_name:
            continue
        elif char == '"':
            whole = len(token) > 1 and token[-1] == '"' and (len(token) - 1 - len(token[:-1].rstrip("\\"))) % 2 == 0
            kept = (prefix[:end] if whole else prefix[: found.start()] + _decodable(token) + '"') + closers
        elif not is_last or token in ("true", "false", "null"):
            kept = prefix[:end] + closers
    return json.loads(kept) if kept else NOTHING


def told(package: ModuleType, text: str, level: str) -> Any:
    try:
        match = package.search(text, repair=level, truncated="keep")
    except package.TruncatedJSONError as error:
        return NOTHING if error.partial is None else error.partial
    return NOTHING if match is None else match.value


def places(texts: list[str], step: int = 1) -> Iterator[tuple[str, str]]:
    """The text to read, and the prefix of a document that is in it."""
    for number, text in enumerate(texts):
        for end in range(1 + number % step, len(text), step):
            yield text[:end], text[:end]
            yield FENCE + text[:end], text[:end]


def main() -> int:
    import jsonscan

    total = 0
    wrong = dict.fromkeys(LEVELS, 0)
    for text, prefix in places(documents()):
        total += 1
        for level in LEVELS:
            value, wanted = told(jsonscan, text, level), expected(prefix)
            if repr(value) != repr(wanted):
                wrong[level] += 1
                if wrong[level] <= 3:
                    print(f"{level}: {text[-60:]!a}\n    wanted {wanted!a:.300}\n    got    {value!a:.300}")
    for level in LEVELS:
        print(f"{level}: {total - wrong[level]:,} of {total:,} places are right ({100 * (total - wrong[level]) / total:.2f} %)")
    return 1 if any(wrong.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
