"""Strings: how the wire and the corpus write them, how builds expand, and the three units of length.

Inside the runner a string is a Python ``str`` in which a lone surrogate stands for itself and a pair never occurs: whatever
comes in is combined first, so that two strings are equal exactly when their UTF-16 code units are.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

LONE = re.compile("[\ud800-\udfff]")
_HEX16 = re.compile(r"(?:[0-9a-f]{4})*\Z")


#: Bytes of UTF-16 that a build may have on its way.
LARGEST_BUILD = 1 << 28


class Malformed(ValueError):
    """Something on the wire or in the corpus that has no meaning; the message says what."""


def from_utf16(units: bytes) -> str:
    """The string of big-endian UTF-16 code units; pairs are combined, lone surrogates kept."""
    return units.decode("utf-16-be", "surrogatepass")


def to_utf16(text: str) -> bytes:
    """The big-endian UTF-16 code units of a string."""
    return text.encode("utf-16-be", "surrogatepass")


def from_hex16(digits: Any) -> str:
    """The string of ``{"$u16": digits}`` or ``{"utf16": digits}``."""
    if not isinstance(digits, str) or not _HEX16.match(digits):
        raise Malformed("UTF-16 code units must be groups of four lower-case hex digits")
    return from_utf16(bytes.fromhex(digits))


def well_formed(text: str) -> bool:
    """Whether the string holds no lone surrogate."""
    return text.isascii() or not LONE.search(text)


def read_string(wire: Any, corpus: bool = False) -> str:
    """The string that a STRING of the protocol stands for; in the corpus a ``$build`` too. Raises Malformed."""
    if isinstance(wire, str):
        if not well_formed(wire):
            raise Malformed('an ill-formed string must be sent as {"$u16": ...}')
        return wire
    if isinstance(wire, dict) and len(wire) == 1:
        if "$u16" in wire:
            text = from_hex16(wire["$u16"])
            if not corpus and well_formed(text):  # a host that keeps the halves of a pair apart would pass for one that does not
                raise Malformed("a well-formed string must be sent as a JSON string")
            return text
        if corpus and "$build" in wire:
            return expand(wire["$build"])
    raise Malformed('a string must be a JSON string or {"$u16": ...}')


def write_string(text: str) -> Any:
    """The STRING of the protocol for a string."""
    return text if well_formed(text) else {"$u16": to_utf16(text).hex()}


def expand(build: Any) -> str:
    """The string that a ``build`` makes. Raises Malformed."""
    return from_utf16(_units(build))


def _units(build: Any) -> bytes:
    if isinstance(build, str) or (isinstance(build, dict) and "$u16" in build):
        return to_utf16(read_string(build))
    if isinstance(build, dict) and len(build) == 1:
        ((name, of),) = build.items()
        if not isinstance(of, list):
            raise Malformed(f"{name[:20]} takes a list")
        if name == "repeat" and len(of) == 2 and type(of[1]) is int and of[1] >= 0:
            units = _units(of[0])
            if len(units) * of[1] > LARGEST_BUILD:
                raise Malformed("a build of more than 128 million code units")
            return units * of[1]
        if name == "concat":
            return b"".join(map(_units, of))
        if name == "slice" and len(of) == 3 and all(type(offset) is int and offset >= 0 for offset in of[1:]):
            return _units(of[0])[2 * of[1] : 2 * of[2]]
    raise Malformed("a build is a string, repeat, concat or slice")


def sizes(text: str) -> dict[str, int]:
    """The length of a string in the three units; a lone surrogate is three bytes of UTF-8."""
    return {
        "codepoints": len(text),
        "utf16": len(to_utf16(text)) // 2,
        "utf8": len(text.encode("utf-8", "surrogatepass")),
    }


def spans(text: str, start: int, end: int) -> dict[str, list[int]]:
    """A span given in code points, in the three units."""
    before, upto = sizes(text[:start]), sizes(text[:end])
    return {unit: [before[unit], upto[unit]] for unit in ("codepoints", "utf16", "utf8")}


def slice_of(text: str, unit: str, start: int, end: int) -> str:
    """The part of ``text`` between two offsets in ``unit``. Raises Malformed when they cut a code point or lie outside."""
    if not 0 <= start <= end:
        raise Malformed(f"[{start}, {end}] is no span")
    if unit == "codepoints":
        if end > len(text):
            raise Malformed(f"the span ends at {end}, after the input's {len(text)} code points")
        return text[start:end]
    units = to_utf16(text) if unit == "utf16" else text.encode("utf-8", "surrogatepass")
    width = 2 if unit == "utf16" else 1
    if end * width > len(units):
        raise Malformed(f"the span ends at {end}, after the input's {len(units) // width} {unit} units")
    piece = units[start * width : end * width]
    try:
        return from_utf16(piece) if unit == "utf16" else piece.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        raise Malformed(f"the span [{start}, {end}] cuts a character") from None


def digest(text: str) -> str:
    """SHA-256 of the UTF-16BE code units, in hex: the same number in every language."""
    return hashlib.sha256(to_utf16(text)).hexdigest()


def weaken(text: str) -> str:
    """What a host that cannot hold lone surrogates makes of a string: U+FFFD for each."""
    return text if text.isascii() else LONE.sub("\ufffd", text)


def quoted(text: str) -> str:
    """A JSON string of ASCII without control characters, for people in any language."""
    return json.dumps(text).replace("\x7f", "\\u007f")


def plain(text: str) -> str:
    """Text on one line of ASCII, for people."""
    return text.encode("unicode_escape").decode("ascii")
