"""JSON text of a value, for standard output: valid JSON always, safe on any terminal, without recursion."""

from __future__ import annotations

from collections.abc import Iterator
from json.encoder import encode_basestring
from typing import Any

from .edges import printable

# Containers nested deeper are written on one line: with an indentation at every level, the text of n nested arrays
# would be n * n long.
DEEPEST_INDENT = 64
_INFINITIES = {float("inf"): "1e999", float("-inf"): "-1e999"}
_WORDS = {None: "null", True: "true", False: "false"}


def dump(value: Any, indent: int | None = 2) -> Iterator[str]:
    """Yield the JSON text of a value in pieces: indented by `indent` spaces, on one line if it is None. O(length)."""
    open_ones: list[tuple[Iterator[tuple[str, Any]], str]] = []
    lead, item = "", value
    while True:
        if isinstance(item, (dict, list)) and item:
            start, end = _line_breaks(len(open_ones), indent)
            opener, closer = "{}" if isinstance(item, dict) else "[]"
            open_ones.append((_members(item, start, ":" if indent is None else ": "), end + closer))
            yield lead + opener
        else:
            yield lead + _leaf(item)
        while open_ones:
            member = next(open_ones[-1][0], None)
            if member is not None:
                lead, item = member
                break
            yield open_ones.pop()[1]
        else:
            return


def _line_breaks(level: int, indent: int | None) -> tuple[str, str]:
    """What stands before each member of a container at this level, and before its closer."""
    if indent is None or level >= DEEPEST_INDENT:
        return "", ""
    return "\n" + " " * indent * (level + 1), "\n" + " " * indent * level


def _members(container: Any, start: str, colon: str) -> Iterator[tuple[str, Any]]:
    """Yield each member of a container with the text that stands before it."""
    comma = ""
    if isinstance(container, dict):
        for key, item in container.items():
            yield f"{comma}{start}{_leaf(key)}{colon}", item
            comma = ","
    else:
        for item in container:
            yield comma + start, item
            comma = ","


def _leaf(value: Any) -> str:
    """The JSON text of a scalar or an empty container.

    An infinity, for which JSON has no word, is a number too large for binary64.
    """
    if isinstance(value, str):
        return printable(encode_basestring(value))
    if isinstance(value, float) and value in _INFINITIES:
        return _INFINITIES[value]
    return _WORDS[value] if value is None or isinstance(value, bool) else repr(value)
