"""JavaScript facts: its strings are sequences of UTF-16 code units, and its white space is not Python's.

A Python string stands for the UTF-16 sequence that encodes it: a code point beyond U+FFFF is two units, every other
one, lone surrogates included, is one.
"""

from __future__ import annotations

import re

# ECMA-262's WhiteSpace and LineTerminator: what `trim` drops and `\s` matches. Python's U+001C-001F and U+0085 are not
# among them, and neither are U+180E, U+200B and U+2060.
WHITE_SPACE = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)

_WHITE = re.compile(f"[{WHITE_SPACE}]*").match


def skip_white(text: str, pos: int) -> int:
    """The offset of the first character at or after `pos` that is no JavaScript white space. O(characters skipped)."""
    return _WHITE(text, pos).end()  # type: ignore[union-attr]


def utf16_length(text: str, start: int = 0, end: int | None = None) -> int:
    """The UTF-16 units of `text[start:end]`. O(1) for ASCII text, else O(end - start)."""
    start, end, _ = slice(start, end).indices(len(text))
    if end <= start:
        return 0
    return end - start if text.isascii() else len(_units(text[start:end])) // 2


def longer_than(text: str, units: int) -> bool:
    """Whether `text` has more UTF-16 units than that. O(1) but where the number of its code points leaves it open,
    which takes at least half as many and at most as many of them."""
    points = len(text)
    return points > units or (points * 2 > units and utf16_length(text) > units)


def utf16_offset(text: str, index: int) -> int:
    """The UTF-16 offset of the code point at `index`. O(1) for ASCII text, else O(index)."""
    return utf16_length(text, 0, index)


def codepoint_index(text: str, offset: int) -> int:
    """The index of the code point that holds the UTF-16 unit at `offset`, or `len(text)` if there is none.
    O(offset)."""
    prefix = text[:offset]
    if prefix.isascii():
        return len(prefix)
    # "replace" makes one unit of a lone surrogate and one character of a pair cut in half
    whole = prefix.encode("utf-16-le", "replace")[: 2 * offset].decode("utf-16-le", "replace")
    cut = whole[-1] == "\ufffd" and prefix[len(whole) - 1] > "\uffff"
    return len(whole) - cut


def utf16_prefix(text: str, units: int) -> str:
    """JavaScript's `text.slice(0, units)`: a surrogate pair that the cut divides leaves its lead behind. O(units)."""
    prefix = text[:units]
    if prefix.isascii():
        return prefix
    return _units(prefix)[: 2 * units].decode("utf-16-le", "surrogatepass")


def _units(text: str) -> bytes:
    return text.encode("utf-16-le", "surrogatepass")
