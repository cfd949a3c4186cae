"""A small strict reader of JSON that keeps what values lose: the text of each number, and the order of members.

It knows nothing of any implementation. What it reads is compared with the original's value, number for number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from ..runner.text import from_utf16, to_utf16
from ..runner.values import EXACT, bits_of

_SPACE = re.compile(r"[ \t\n\r]*")
_SCALAR = re.compile(
    r"""(?P<word>true|false|null)
    |(?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)
    |"(?P<string>(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*)\"""",
    re.VERBOSE,
)
_ESCAPE = re.compile(r"\\(?:u(....)|(.))")
_CLOSERS = {"{": "}", "[": "]"}
_WORDS = {"true": True, "false": False, "null": None}
_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class NotJSON(ValueError):
    """The text is no strict JSON."""


@dataclass(frozen=True)
class Number:
    """A number as its text has it."""

    token: str

    @property
    def plain(self) -> bool:
        """Whether the token stands for itself in the corpus: an integer of magnitude below 2^53."""
        digits = self.token.lstrip("-")
        return digits.isdigit() and self.token != "-0" and len(digits) <= 16 and int(digits) < EXACT

    @property
    def bits(self) -> str:
        """The nearest binary64, sixteen hex digits."""
        return bits_of(float(self.token))


def read(text: str) -> Any:
    """The value of a strict JSON text: dict, list, str, Number, True, False or None. Raises NotJSON. Depth costs memory only.

    Of members with one name the last value counts, at the place of the first.
    """
    root: list[Any] = []
    stack: list[Any] = [root]
    key = ""
    at = _skip(text, 0)
    while True:
        # A value starts here.
        closer = _CLOSERS.get(text[at : at + 1])
        if closer:
            value: Any = {} if closer == "}" else []
            at = _skip(text, at + 1)
            opened = text[at : at + 1] != closer
            at += not opened
        else:
            value, at = _scalar(text, at)
            opened = False
        top = stack[-1]
        if isinstance(top, dict):
            top[key] = value
        else:
            top.append(value)
        if opened:
            stack.append(value)
        # Close what ends here; stop where the next value starts.
        while not opened:
            at = _skip(text, at)
            if len(stack) == 1:
                if at != len(text):
                    raise NotJSON(f"text goes on at {at}")
                return root[0]
            mark = text[at : at + 1]
            if mark == ",":
                at = _skip(text, at + 1)
                break
            if mark != ("}" if isinstance(stack[-1], dict) else "]"):
                raise NotJSON(f"no comma or closer at {at}")
            stack.pop()
            at += 1
        if isinstance(stack[-1], dict):
            key, at = _key(text, at)


def _skip(text: str, at: int) -> int:
    return _SPACE.match(text, at).end()  # type: ignore[union-attr]


def _scalar(text: str, at: int) -> tuple[Any, int]:
    found = _SCALAR.match(text, at)
    if not found:
        raise NotJSON(f"no value at {at}")
    if found["word"]:
        return _WORDS[found["word"]], found.end()
    if found["number"]:
        return Number(found["number"]), found.end()
    return _unescape(found["string"]), found.end()


def _key(text: str, at: int) -> tuple[str, int]:
    if text[at : at + 1] != '"':
        raise NotJSON(f"no name at {at}")
    key, at = _scalar(text, at)
    at = _skip(text, at)
    if text[at : at + 1] != ":":
        raise NotJSON(f"no colon at {at}")
    return key, _skip(text, at + 1)


def _unescape(body: str) -> str:
    plain = _ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else _ESCAPES.get(found[2], found[2]), body)
    # Half pairs that have come together are one character, however each was written.
    return plain if plain.isascii() else from_utf16(to_utf16(plain))
