"""The pure body of the machine. The contract is the docstring of `machine.py`."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from json.scanner import c_make_scanner  # type: ignore[attr-defined]
from typing import Any

_SPACE = re.compile(r"[ \t\n\r]*").match
_RUN = re.compile(r'[^"\\\x00-\x1f]*').match
_ESCAPE = re.compile(r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})').match
_HALF_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{0,3})?\Z").match
_HALF_TRAIL = re.compile(r"(?:\\(?:u(?:[dD](?:[c-fC-F][0-9a-fA-F]?)?)?)?)?\Z").match
_TRAIL = re.compile(r"\\u[dD][c-fC-F][0-9a-fA-F]{2}|[\udc00-\udfff]").match
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?").match
_HALF_NUMBER = re.compile(r"-?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?(?:(?<=[0-9])[eE][+-]?[0-9]*)?)?").match
_MARK = re.compile(r"[\[{｛<◁`~](?:(?<![`~])|(?<=`)``|(?<=~)~~)").search  # `re` passes at once what is not in a set that comes first
_SIMPLE = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_LITERALS = {"t": ("true", True), "f": ("false", False), "n": ("null", None)}
_VALUE = ("value", "first-value")
_KEY = ("key", "first-key")
_EXACT_DIGITS = 4300  # CPython's default bound for int(); a longer integer token is the infinity JavaScript gives
_SAFE_INTEGER = 2**53 - 1
_LIMB = 600  # digits a piece: below 640, the smallest bound that sys.set_int_max_str_digits takes
_SHORT = 32  # more than any token but a number can be and not be known yet
_RECORDED = 50  # objects `walk` reports: the originals never try more braces

_looked_at = 0


def steps() -> int:
    return _looked_at


def count(n: int) -> None:
    global _looked_at
    _looked_at += n


class Machine:
    __slots__ = ("text", "pos", "base", "phase", "token", "fault", "in_string", "repeats",
                 "_root", "_frames", "_parts", "_shown", "_last",
                 "_max_depth", "_max_digits", "_big_int", "_duplicates", "_controls", "_spans", "_seen", "_is_new")  # fmt: skip

    def __init__(self, text: str, pos: int = 0, *, max_depth: int = 0, max_digits: int = 0, big_int: str = "exact",
                 duplicates: str = "last", controls: bool = False) -> None:  # fmt: skip
        self.text = text
        self.pos = self.token = pos
        self.base = 0
        self.phase = "value"
        self.fault = ""
        self.in_string = False
        self._root: list[Any] = []  # the root value, once there is one
        self._frames: list[_Frame] = []
        self._parts: list[str] = []  # of the string being read
        self._shown = False  # the string being read stands in its array, as far as it was decoded
        self._last: int | None = None  # offset of the scalar or key read last, if at most a comma was read since
        self._max_depth = max_depth
        self._max_digits = max_digits
        self._big_int = big_int
        self._duplicates = duplicates
        self._controls = controls
        self._seen = 0  # so many of the open containers a snapshot has shown
        self.repeats = 0
        self._spans: dict[int, int] | None = None  # start and end of the objects closed, where `walk` asks for them
        self._is_new = (  # the scanner may be asked first
            max_digits in (0, _EXACT_DIGITS) and big_int == "exact" and duplicates == "last" and not controls
        )

    @property
    def value(self) -> Any:
        return self._root[0]

    def run(self, final: bool = True) -> str:
        is_new, self._is_new = self._is_new, False
        found = scanned(self.text, self.pos, self._max_depth) if is_new and final else None
        if found is not None:
            self._root.append(found[0])
            self.token, self.pos, self.phase = found[1] - 1, found[1], "end"
            return "done"
        began = self.pos
        stop = self._string(self.pos) if self.in_string else None
        while stop is None:
            stop = self._step(final)
        count(max(0, self.pos - began) + 1)
        return stop

    @property
    def kind(self) -> str:
        return self._frames[-1].kind if self._frames else ""

    @property
    def depth(self) -> int:
        return len(self._frames)

    def frames(self, most: int = 0) -> list[tuple[str, int]]:
        return [(frame.kind, frame.start) for frame in self._frames[-most:]]

    def path(self) -> list[str | int]:
        places: list[str | int] = []
        for frame in self._frames:
            innermost = frame is self._frames[-1]
            if frame.kind == "[":
                due = innermost and self.phase in _VALUE and not self._shown
                places.append(len(frame.items) - (not due))
            elif not (innermost and self.phase in _KEY):
                places.append(frame.key)
        return places

    def snapshot(self, default: Any = None) -> Any:
        self._seen = len(self._frames)
        if self.in_string and self.phase in _VALUE:
            self._parts = ["".join(self._parts)]
            if self._frames:
                self._store(self._frames[-1], self._parts[0])
                self._shown = True
            else:
                return self._parts[0]
        return self._root[0] if self._root else default

    # -- edits

    def goto(self, pos: int) -> None:
        self._forget_string()
        self.pos = pos
        self._last = None

    def put(self, value: Any, pos: int) -> None:
        if self.phase not in _VALUE + _KEY:
            raise ValueError(f"no value may stand where the phase is {self.phase!r}")
        if self.phase in _KEY and type(value) is not str:
            raise ValueError("a key must be a str")
        if self._is_duplicate(value):
            raise KeyError(value)
        self._scalar(value, pos)
        self._forget_string()

    def punct(self, char: str, pos: int) -> None:
        if len(char) != 1:  # "" would be found in any str below
            raise ValueError("punct takes one character")
        if char in "}]" and (self.phase == "key" or (self.phase == "value" and self._frames and self._frames[-1].kind == "[")):
            self.phase = "next"  # as if there had been no comma
        if not self._punct(char, pos, self.pos):
            raise ValueError(f"{char!r} may not stand where the phase is {self.phase!r}")
        self._forget_string()
        self._last = None

    def retract(self) -> tuple[Any, int]:
        if self._last is None:
            raise ValueError("nothing to take back")
        self.pos = self.token = self._last
        self._last = None
        if not self._frames:
            self.phase = "value"
            return self._root.pop(), self.token
        frame = self._frames[-1]
        if self.phase == "colon":
            key, frame.key = frame.key, None
            self.phase = "key" if frame.items else "first-key"
            return key, self.token
        if frame.kind == "{":  # the old value stays until the new one takes its place, and so keeps the place
            self.phase = "value"
            return frame.items[frame.key], self.token
        value = frame.items.pop()
        self.phase = "value" if frame.items else "first-value"
        return value, self.token

    def extend(self, more: str) -> None:
        self.text = self.text[self.pos :] + more
        self.base += self.pos
        self.token -= self.pos
        self.pos = 0
        self._last = None

    def feed(self, more: str) -> str:
        self.extend(more)
        stop = self.run(False)
        return "" if stop == "starved" and len(self.text) - self.pos <= _SHORT else stop

    # -- the grammar

    def _step(self, final: bool) -> str | None:
        """Read one token at `pos`; None, or the reason to stop."""
        phase, text = self.phase, self.text
        if phase == "end":
            return "done"
        pos = self.pos = _SPACE(text, self.pos).end()  # type: ignore[union-attr]
        if pos == len(text):
            self.token = pos
            return "starved"
        char = text[pos]
        if char == '"' and phase in _VALUE + _KEY:
            self.token = pos
            return self._string(pos + 1)
        if phase in _VALUE:
            if char in "-0123456789":
                return self._number(pos, final)
            if char in "tfn":
                return self._literal(pos)
        if self._max_depth and char in "[{" and phase in _VALUE and len(self._frames) >= self._max_depth:
            return self._stop("depth", pos, pos)
        closes = self._frames and char == ("}" if self._frames[-1].kind == "{" else "]")
        if (closes or char not in "}]") and self._punct(char, pos + 1, pos):
            return None
        return self._stop("unexpected", pos, pos)

    def _stop(self, fault: str, token: int, pos: int) -> str:
        self.fault, self.token, self.pos = fault, token, pos
        return "fault"

    def _punct(self, char: str, pos: int, start: int) -> bool:
        """Let `char` stand before `pos`; False if it cannot."""
        phase = self.phase
        if char in "{[" and phase in _VALUE:
            items: Any = {} if char == "{" else []
            self._place(items)
            self._frames.append(_Frame(char, self.base + start, items))
            self.phase = "first-key" if char == "{" else "first-value"
        elif char in "}]" and phase in ("next", "first-key", "first-value"):
            frame = self._frames.pop()
            self._seen = min(self._seen, len(self._frames))
            self._shown = False
            self.phase = "next" if self._frames else "end"
            if self._spans is not None and frame.kind == "{":
                self._spans[frame.start] = self.base + pos
        elif char == "," and phase == "next":
            self.phase = "key" if self._frames[-1].kind == "{" else "value"
        elif char == ":" and phase == "colon":
            self.phase = "value"
        else:
            return False
        self.pos = pos
        self.token = start
        if char != ",":
            self._last = None
        return True

    def _scalar(self, value: Any, pos: int) -> str | None:
        """Let this scalar or key stand before `pos`."""
        if self.phase in _KEY:
            frame = self._frames[-1]
            if self._is_duplicate(value):
                return self._stop("duplicate-key", self.token, max(self.token, 0))
            frame.key = value
            frame.dropped = self._duplicates == "first" and value in frame.items
            self.phase = "colon"
        else:
            self._place(value)
            self.phase = "next" if self._frames else "end"
        self.pos = pos
        self._last = self.token if self.token >= 0 else None  # an offset into text that `extend` dropped is none
        return None

    def _is_duplicate(self, key: Any) -> bool:
        return self._duplicates == "raise" and self.phase in _KEY and key in self._frames[-1].items

    def _place(self, value: Any) -> None:
        if self._frames:
            self._store(self._frames[-1], value)
            self._shown = False
        else:
            self._root = [value]

    def _store(self, frame: _Frame, value: Any) -> None:
        if frame.kind == "[":
            if self._shown and frame.items:  # whoever was shown it may have emptied it
                frame.items[-1] = value
            else:
                frame.items.append(value)
        elif not frame.dropped:
            self.repeats += len(self._frames) <= self._seen and not self._shown and frame.key in frame.items
            frame.items[frame.key] = value

    # -- the leaves: each takes a position and moves on behind what it read

    def _string(self, pos: int) -> str | None:
        """Read on inside a string."""
        text, parts = self.text, self._parts
        while True:
            end = _RUN(text, pos).end()  # type: ignore[union-attr]
            if end > pos:
                parts.append(text[pos:end])
            if end > pos and "\ud800" <= text[end - 1] <= "\udbff":
                if _HALF_TRAIL(text, end):
                    parts[-1] = parts[-1][:-1]
                    return self._starve_in_string(end - 1)
                trail = _TRAIL(text, end)
                if trail:
                    parts[-1] = parts[-1][:-1] + _pair(ord(text[end - 1]), trail[0])
                    pos = trail.end()
                    continue
            if end == len(text):
                return self._starve_in_string(end)
            if text[end] == '"':
                self.in_string = False
                self._parts = []
                return self._scalar("".join(parts), end + 1)
            if text[end] != "\\":
                if not self._controls:
                    return self._fault_in_string("control", end)
                parts.append(text[end])
                pos = end + 1
                continue
            escape = _ESCAPE(text, end)
            if escape is None:
                return self._starve_in_string(end) if _HALF_ESCAPE(text, end) else self._fault_in_string("escape", end)
            pos = escape.end()
            if pos - end == 2:
                parts.append(_SIMPLE[text[end + 1]])
                continue
            unit = int(text[end + 2 : pos], 16)
            if 0xD800 <= unit <= 0xDBFF:
                if _HALF_TRAIL(text, pos):
                    return self._starve_in_string(end)
                trail = _TRAIL(text, pos)
                if trail:
                    parts.append(_pair(unit, trail[0]))
                    pos = trail.end()
                    continue
            parts.append(chr(unit))

    def _starve_in_string(self, pos: int) -> str:
        self.in_string, self.pos = True, pos
        return "starved"

    def _fault_in_string(self, fault: str, pos: int) -> str:
        self._forget_string()
        return self._stop(fault, self.token, pos)

    def _forget_string(self) -> None:
        self.in_string = False
        self._parts = []

    def _number(self, pos: int, final: bool) -> str | None:
        text = self.text
        half_end = _HALF_NUMBER(text, pos).end()  # type: ignore[union-attr]
        if half_end == len(text) and not (final and not self._frames and _is_number(text, pos, half_end)):
            self.token = self.pos = pos
            return "starved"
        found = _NUMBER(text, pos)
        if found is None or found.end() != half_end or text[half_end : half_end + 1] in tuple("0123456789"):
            return self._stop("number", pos, half_end)
        if found[1] or found[2] or found[0] == "-0":
            value: Any = float(found[0])
        else:
            digits = half_end - pos - (text[pos] == "-")
            if self._max_digits and digits > self._max_digits:
                return self._stop("digits", pos, pos)
            value = _integer(found[0], digits, self._max_digits or _EXACT_DIGITS, self._big_int)
        self.token = pos
        return self._scalar(value, half_end)

    def _literal(self, pos: int) -> str | None:
        text = self.text
        word, value = _LITERALS[text[pos]]
        if text.startswith(word, pos):
            self.token = pos
            return self._scalar(value, pos + len(word))
        end = pos
        while end < len(text) and text[end] == word[end - pos]:
            end += 1
        if end == len(text):
            self.token = self.pos = pos
            return "starved"
        return self._stop("literal", pos, end)


class _Frame:
    """An open container: its opening bracket, the offset of that, the list or dict, the key read last and whether its value is
    dropped (duplicates="first")."""

    __slots__ = ("kind", "start", "items", "key", "dropped")

    def __init__(self, kind: str, start: int, items: Any) -> None:
        self.kind, self.start, self.items = kind, start, items
        self.key: Any = None
        self.dropped = False


def _pair(lead: int, trail: str) -> str:
    """The character that a lead surrogate makes with a raw or escaped trail."""
    low = int(trail[2:], 16) if trail[0] == "\\" else ord(trail)
    return chr(0x10000 + ((lead - 0xD800) << 10) + (low - 0xDC00))


def _is_number(text: str, pos: int, end: int) -> bool:
    found = _NUMBER(text, pos)
    return found is not None and found.end() == end


def _integer(token: str, digits: int, exact_digits: int, big_int: str) -> Any:
    if digits <= 15:
        return int(token)
    if digits > exact_digits:
        return float(token)
    value = 0
    for at in range(len(token) - digits, len(token), _LIMB):
        limb = token[at : at + _LIMB]
        value = value * 10 ** len(limb) + int(limb)
    if value > _SAFE_INTEGER and big_int != "exact":
        return token if big_int == "str" else float(token)
    return -value if token[0] == "-" else value


# -- functions. The standard library's C scanner reads what `JSON.parse` reads but for NaN and the infinities, `-0`, integers of more
# than 4,300 digits, deep nesting, and surrogate pairs with one half escaped: where one of these is met, the machine answers.


class _Strict(ValueError):
    """The scanner met NaN, Infinity or -Infinity."""


class _Context:
    strict = True
    object_hook = object_pairs_hook = None
    parse_float = float
    parse_int = int
    memo: dict[str, str] = {}

    @staticmethod
    def parse_constant(name: str) -> Any:
        raise _Strict(name)


_scan = c_make_scanner(_Context()) if c_make_scanner else None
_OPENERS = ("{", "[")
_CONTAINERS = (dict, list)
_NEAR = 4096
_NEAR_END = 16  # a token but a string that is longer has had its fault before
_MINUS_ZERO = re.compile(r"-0(?![0-9.eE])").search
_JOINED = re.compile(r"\\u[dD](?:[89abAB]..[\udc00-\udfff]|[c-fC-F](?<=[\ud800-\udbff]\\u..))").search
_int_bound = getattr(sys, "get_int_max_str_digits", int)  # 0 where there is none, which is no 4,300 either


def scanned(text: str, pos: int, max_depth: int = 0) -> tuple[Any, int] | None:
    """What the C scanner reads at `pos`, where that is provably what the machine would."""
    if _scan is None or _int_bound() != _EXACT_DIGITS:
        return None
    if text[pos : pos + 1] not in _OPENERS:
        pos = _SPACE(text, pos).end()  # type: ignore[union-attr]
        if text[pos : pos + 1] not in _OPENERS:  # the scanner takes the `0` of `01`
            return None
    try:
        value, end = _scan(text, pos) if pos <= _NEAR else _scan_piece(_scan, text, pos)
    except (StopIteration, ValueError, RecursionError):  # the machine reads, and counts, the same characters once more
        return None
    count(end - pos)
    if text.find("-", pos, end) >= 0 and _MINUS_ZERO(text, pos, end):  # one character is found many times as fast
        return None
    if not text.isascii() and text.find("\\", pos, end) >= 0 and _JOINED(text, pos, end):
        return None
    if max_depth and end - pos > 2 * max_depth and _is_deeper(value, text, pos, end, max_depth):
        return None
    return value, end


def _scan_piece(scan: Callable[[str, int], tuple[Any, int]], text: str, pos: int) -> tuple[Any, int]:
    """`scan(text, pos)` far from the start of a text. The error it raises counts the lines before it, so that many faults would cost
    the square of the text; here it gets a piece that starts at `pos`, and a longer one only where the fault could be the piece's end."""
    width = _NEAR
    while True:
        piece = text[pos : pos + width]
        try:
            value, end = scan(piece, 0)
            return value, pos + end
        except (StopIteration, ValueError) as error:
            at = error.value if isinstance(error, StopIteration) else getattr(error, "pos", 0)
            is_cut = at > width - _NEAR_END or str(error).startswith("Unterminated string")
            if len(piece) < width or not is_cut:
                raise
        width *= 2


def _is_deeper(value: Any, text: str, pos: int, end: int, max_depth: int) -> bool:
    """Whether what was read there could have had more than so many levels."""
    if sys.version_info < (3, 12) and sys.getrecursionlimit() <= max_depth:  # that bounds the scanner as well; later it has one of its own
        return False
    brackets = text.count("[", pos, end) + text.count("{", pos, end)
    return brackets > max_depth and _deepest(value, brackets) > max_depth


def _deepest(value: Any, brackets: int) -> int:
    """A bound of the levels that so many opening brackets made: those of the value, counted level by level, and one for each bracket that
    made none of its containers, but stood in a string or in the value of a name given again."""
    level, depth = [value], 0
    while level:
        depth += 1
        brackets -= len(level)
        level = [part for one in level for part in (one.values() if type(one) is dict else one) if type(part) in _CONTAINERS]
    return depth + brackets


def entry(driver: Callable[..., Any]) -> Callable[..., Any]:
    return driver


def parse_at(text: str, pos: int, max_depth: int = 0, max_digits: int = 0) -> tuple[Any, int] | None:
    found = scanned(text, pos, max_depth) if max_digits in (0, _EXACT_DIGITS) else None  # without the cost of a Machine
    if found is not None:
        return found
    machine = Machine(text, pos, max_depth=max_depth, max_digits=max_digits)
    machine._is_new = False
    return (machine.value, machine.pos) if machine.run() == "done" else None


def read_plain(
    text: str, pos: int, max_depth: int = 0, max_digits: int = 0, big_int: str = "exact", guess: bool = False
) -> tuple[Any, int, int, bool] | None:
    return None


def mark(text: str, pos: int) -> int:
    found = _MARK(text, pos)
    return found.start() if found else len(text)


def walk(text: str, pos: int, known: dict[int, int]) -> int:
    found = scanned(text, pos, 0)
    if found is not None:
        return found[1]
    machine = Machine(text, pos)
    spans = machine._spans = {}
    machine._is_new = False
    if machine.run() == "done":
        return machine.pos
    spans.update((start, -1) for kind, start in machine.frames() if kind == "{")
    known.update(sorted(spans.items())[:_RECORDED])
    return -1
