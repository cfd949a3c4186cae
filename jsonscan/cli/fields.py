"""Where in a JSON line the response stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..machine import parse_at
from .edges import Trouble, not_utf8

BLANK = " \t\r\n"


def line_value(line: bytes, name: str, number: int) -> Any:
    """The strict JSON value that is this line. Raises Trouble, naming it."""
    try:
        text = line.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        raise not_utf8(f"{name}: line {number}", line, error.start) from None
    found = parse_at(text, 0)
    if found is None or text[found[1] :].strip(BLANK):
        raise Trouble(f"{name}: line {number}: not JSON")
    return found[0]


def steps(path: str | None) -> tuple[str, ...]:
    """The names and indices of a dotted path."""
    return tuple(path.split(".")) if path is not None else ()


def dig(value: Any, places: Sequence[str]) -> Any:
    """What stands at these names and indices; None where there is nothing."""
    for place in places:
        if isinstance(value, dict):
            value = value.get(place)
        elif isinstance(value, list) and place.isdecimal() and len(place) < 10 and int(place) < len(value):
            value = value[int(place)]
        else:
            return None
    return value
