"""`repair`: a text that is meant to be JSON from its first character to its last. What a wrapper leaves around the value goes, and values
that stand in a row become an array."""

from __future__ import annotations

import re
from typing import Any, NoReturn

from .errors import InvalidJSONError, LimitError, NoJSONError, TruncatedJSONError
from .model import Options, Repair, Repaired
from .patterns import Pattern
from .records import replace
from .repairs import RISKS, Outlook, Reading, applied, comment_end, odd_space_end, read

_BLANK = Pattern(r"[ \t\n\r]*")
_FENCE = Pattern(r"(?:```|~~~)[\w+-]{0,32}[ \t]{0,64}(?=[\n{\[])")
_FENCE_END = Pattern(r"```|~~~")
_LABEL = Pattern(r"json[ \t]{0,64}:?[ \t]{0,64}\n?(?=[ \t]{0,64}[{\[])", re.IGNORECASE)
_ASSIGNMENT = Pattern(
    r"(?:(?:(?:export[ \t]+)?(?:const|let|var)[ \t]+)?[^\W\d][\w$.]{0,127}[ \t]{0,64}(?::[ \t]{0,64}[\w<>\[\], ]{1,64})?=[ \t\n]{0,64}"
    r"|(?:return|export[ \t]+default)\b[ \t]{0,64})(?=[{\[])"
)
_BEGINS_VALUE = Pattern(r"[{\[\"'\w“‘`(+.-]")


def repaired(text: str, options: Options) -> Repaired:
    """The whole text as strict JSON with the repairs that `options` allow. Raises `NoJSONError`, `InvalidJSONError`,
    `TruncatedJSONError` or `LimitError`. O(text)."""
    whole = _Whole(text, options)
    return whole.read()


class _Whole:
    __slots__ = ("text", "options", "full", "edits", "own", "outlook")

    def __init__(self, text: str, options: Options) -> None:
        self.text = text
        self.options = options
        self.full = options.repair == "full"
        self.edits: list[Repair] = []
        self.own: list[slice] = []  # which of them are each value's own
        self.outlook = Outlook(len(text))

    def read(self) -> Repaired:
        text, options = self.text, self.options
        if not text.strip(" \t\r\n"):
            raise NoJSONError("the text is empty", text, 0)
        pos = self._before() if options.repair != "off" else 0
        readings = [self._value(pos)]
        pos = readings[0].end
        while readings[-1].stop == "done" and (pos := self._next(pos, readings[-1])) < len(text):
            readings.append(self._value(pos))
            pos = readings[-1].end
        last = readings[-1]
        if last.stop == "starved" and last.value is None and not last.path:
            raise NoJSONError("there is no value in the text", text, last.end)
        value, path = last.value, last.path
        if len(readings) > 1:
            value, path = self._as_array(readings), f"/{len(readings) - 1}{path}"
        if last.stop == "starved" and (options.truncated == "raise" or options.repair == "off"):  # what may not be edited is not closed
            raise TruncatedJSONError(f"the text ends inside the value, at {path or 'its root'}", text, last.end, value, path)
        self._expect(value)
        self.edits.sort(key=_place)
        return Repaired(applied(text, 0, len(text), self.edits), value, tuple(self.edits), last.stop == "done")

    def _value(self, pos: int) -> Reading:
        reading = read(self.text, pos, len(self.text), self.options, self.options.repair, outlook=self.outlook)
        if reading.stop == "limit":
            bound = getattr(self.options.limits, reading.fault)
            message = f"the value passes the limit {reading.fault} = {bound}"
            raise LimitError(message, self.text, reading.fault_pos, reading.fault, bound)
        if reading.stop == "fault":
            self._refuse(reading.fault_pos, reading.fault, f"no repair that is allowed mends this: {reading.fault}")
        self.own.append(slice(len(self.edits), len(self.edits) + len(reading.repairs)))
        self.edits += reading.repairs
        return reading

    def _refuse(self, pos: int, code: str, message: str) -> NoReturn:
        raise InvalidJSONError(message, self.text, pos, code)

    def _expect(self, value: Any) -> None:
        kinds = {"any": object, "object": dict, "array": list, "container": (dict, list)}
        if not isinstance(value, kinds[self.options.expect]):  # type: ignore[arg-type]
            raise NoJSONError(f"the text is no {self.options.expect}", self.text, 0)

    def _edit(self, code: str, start: int, end: int, inserted: str = "") -> int:
        most = self.options.limits.max_repairs
        if most is not None and len(self.edits) >= most:
            raise LimitError(f"the value passes the limit max_repairs = {most}", self.text, start, "max_repairs", most)
        self.edits.append(Repair(code, start, end, self.text[start:end], inserted, "", RISKS[code]))  # type: ignore[arg-type]
        return end

    def _before(self) -> int:
        """What stands before the value: a mark of the encoding, a fence, a label, an assignment."""
        text = self.text
        pos = self._edit("byte-order-mark", 0, 1) if text[0] == "\ufeff" else 0
        pos = _BLANK.match(text, pos).end()  # type: ignore[union-attr]
        if not self.full:
            return pos
        for wrapper in (_FENCE.match, _LABEL.match, _ASSIGNMENT.match):
            found = wrapper(text, pos)
            if found:
                pos = _BLANK.match(text, self._edit("wrapper", pos, found.end())).end()  # type: ignore[union-attr]
        return pos

    def _between(self, pos: int) -> int:
        """Where what stands behind a value ends: space, comments, closers too many, the rest of a wrapper."""
        text = self.text
        while True:
            pos = _BLANK.match(text, pos).end()  # type: ignore[union-attr]
            if pos == len(text) or self.options.repair == "off":
                return pos
            char = text[pos]
            end = comment_end(text, pos, self.outlook)
            if end > pos:
                pos = self._edit("comment", pos, end)
            elif char in "]}":
                pos = self._edit("surplus-closer", pos, pos + 1)
            elif self.full and char in ");":
                pos = self._edit("wrapper", pos, pos + 1)
            elif self.full and _FENCE_END.match(text, pos):
                pos = self._edit("wrapper", pos, pos + 3)
            elif self.full and odd_space_end(text, pos) > pos:
                pos = self._edit("odd-space", pos, odd_space_end(text, pos))
            else:
                return pos

    def _next(self, pos: int, last: Reading) -> int:
        """Where the next of several values starts, or the end of the text. They stand apart by a comma or a line, or are containers."""
        text, pos = self.text, self._between(pos)
        if pos == len(text):
            return pos
        if self.full and text[pos] == ",":
            after = self._between(pos + 1)
            if after == len(text):
                self._edit("trailing-comma", pos, pos + 1)
            return after
        apart = "\n" in text[last.end : pos] or (isinstance(last.value, (dict, list)) and text[pos] in "{[")
        if self.full and apart and _BEGINS_VALUE.match(text, pos):
            self._edit("missing-comma", last.end, last.end, ",")
            return pos
        return self._refuse(pos, "unexpected", "there is text behind the value")

    def _as_array(self, readings: list[Reading]) -> list[Any]:
        first, last = readings[0], readings[-1]
        for at, own in enumerate(self.own):
            self.edits[own] = [replace(each, path=f"/{at}{each.path}") for each in self.edits[own]]
        self._edit("root-array", first.start, first.start, "[")
        self._edit("root-array", last.end, last.end, "]")
        return [reading.value for reading in readings]


def _place(edit: Repair) -> tuple[int, int]:
    return edit.start, edit.end
