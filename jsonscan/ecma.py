"""JavaScript facts: its strings are sequences of UTF-16 code units, and its white space is not Python's.

A Python string stands for the UTF-16 sequence that encodes it: a code point beyond U+FFFF is two units, every other
one, lone surrogates included, is one.
"""

from __future__ import annotations

# ECMA-262's WhiteSpace and LineTerminator: what `trim` drops and `\s` matches. Python's U+001C-001F and U+0085 are not
# among them, and neither are U+180E, U+200B and U+2060.
WHITE_SPACE = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)


def longer_than(text: str, units: int) -> bool:
    """Whether `text` has more UTF-16 units than that. O(1) but where the number of its code points leaves it open,
    which takes at least half as many and at most as many of them."""
    points = len(text)
    return points > units or (points * 2 > units and not text.isascii() and len(_units(text)) // 2 > units)


def utf16_prefix(text: str, units: int) -> str:
    """JavaScript's `text.slice(0, units)`: a surrogate pair that the cut divides leaves its lead behind. O(units)."""
    prefix = text[:units]
    if prefix.isascii():
        return prefix
    return _units(prefix)[: 2 * units].decode("utf-16-le", "surrogatepass")


def _units(text: str) -> bytes:
    return text.encode("utf-16-le", "surrogatepass")
