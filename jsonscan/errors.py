"""Everything that jsonscan raises about a text. (A wrong argument is a `TypeError` or `ValueError` of its own.)

    ValueError
    └── JSONScanError            code msg doc pos lineno colno hint()
        ├── NoJSONError          there is no JSON in the text, or none of the kind expected
        ├── InvalidJSONError     there is, but it is broken beyond the repairs allowed (also a json.JSONDecodeError)
        ├── TruncatedJSONError   there is, but the text ends inside it             partial path
        ├── AmbiguousJSONError   there are several, and select="sole" must not choose     matches
        ├── LimitError           a bound of `Limits` was passed                    limit value
        └── ExtractJsonError     what the original `extractJson` throws            preview

`doc` is the text that was read and `pos` an offset into it in code points. Each error equals another of the same type and content,
and survives pickling.
"""

from __future__ import annotations

from json import JSONDecodeError
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from .model import Match

_WIDTH = 76  # of the line shown in a hint: fits a terminal of 80 with its indentation


class JSONScanError(ValueError):
    """The base of all; never raised itself.

    code           which error, stable, for programs
    msg            what is wrong, for people; what it says of the text can be printed anywhere: controls stand there as escapes
    doc, pos       the text and the offset in it
    lineno, colno  the same place as line and column, from 1
    """

    code: str = "error"
    _more: tuple[str, ...] = ()  # arguments of the constructor behind msg, doc and pos

    def __init__(self, msg: str, doc: str = "", pos: int = 0) -> None:
        self.msg = msg = visible(msg)
        self.doc = doc
        self.pos = pos
        self.lineno = doc.count("\n", 0, pos) + 1
        self.colno = pos - doc.rfind("\n", 0, pos)
        ValueError.__init__(self, msg)  # not super(): JSONDecodeError would want to write the message

    def __str__(self) -> str:
        where = f": line {self.lineno} column {self.colno} (char {self.pos})" if self.doc else ""
        return self.msg + where

    def hint(self) -> str:
        """What went wrong and what to do about it, with the line in question and a caret: fit to send back to a model. Names the options
        that would read the text as it is, where some would; they are tried when this is asked for. O(text)."""
        where = f" (line {self.lineno}, column {self.colno}):\n\n{_excerpt(self.doc, self.pos)}\n\n" if self.doc else ". "
        return f"{_lines(self.msg)}{where}{self._advice()}"

    def _advice(self) -> str:
        return "Answer again with one JSON value only."

    def _state(self) -> tuple[Any, ...]:
        return (self.msg, self.doc, self.pos, *(getattr(self, name) for name in self._more))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._state()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, JSONScanError) and type(self) is type(other) and self._state() == other._state()

    def __hash__(self) -> int:
        return hash((type(self), self.msg, self.pos))


class NoJSONError(JSONScanError):
    """The text holds no JSON, or none of the kind that `expect` asks for."""

    code = "no-json"

    def _advice(self) -> str:
        wanted = "The answer must be one JSON value: no explanation before or after it, and not only reasoning."
        return wanted + _named({"expect": "any"} if self._is_value() else {})

    def _is_value(self) -> bool:
        """Whether the text is a value after all, of a kind that was not asked for."""
        from .scanner import fullmatch

        try:
            return fullmatch(self.doc, expect="any") is not None
        except JSONScanError:
            return False


class InvalidJSONError(JSONScanError, JSONDecodeError):
    """The text holds JSON that strict reading refuses and the repairs allowed do not mend. `code` says why: a fault of the machine
    (`unexpected`, `control`, `escape`, `number`, `literal`, `duplicate-key`), or `encoding` where the bytes are no UTF-8."""

    _more = ("code",)

    def __init__(self, msg: str, doc: str = "", pos: int = 0, code: str = "unexpected") -> None:
        JSONScanError.__init__(self, msg, doc, pos)
        self.code = code

    def _advice(self) -> str:
        way = {} if self.code in ("encoding", "duplicate-key") else way_out(self._read)
        about = " NaN and Infinity are no JSON." if "nonfinite" in way else ""
        return f"Answer again with the same data as strict JSON (RFC 8259), and nothing else.{about}{_named(way)}"

    def _read(self, **options: Any) -> bool:
        """Whether these options mend a value at the place of the fault."""
        from .scanner import search

        match = search(self.doc, **options)
        return match is not None and match.start <= self.pos < match.end and bool(match.repairs)


class TruncatedJSONError(JSONScanError):
    """The text ends inside the value. `partial` is the value so far (`None` where nothing of it can be told yet), by the rules of
    streaming; `path` is the JSON Pointer of the place that was being read."""

    code = "truncated"
    _more = ("partial", "path")

    def __init__(self, msg: str, doc: str = "", pos: int = 0, partial: Any = None, path: str = "") -> None:
        super().__init__(msg, doc, pos)
        self.partial = partial
        self.path = path

    def _advice(self) -> str:
        return f"The answer was cut off inside {visible(self.path) or 'the root'}. Answer again, shorter, with the whole JSON value."


class AmbiguousJSONError(JSONScanError):
    """Different values compete. `matches` are those, in text order."""

    code = "ambiguous"
    _more = ("matches",)

    def __init__(self, msg: str, doc: str = "", pos: int = 0, matches: tuple[Match[Any], ...] = ()) -> None:
        super().__init__(msg, doc, pos)
        self.matches = matches

    def _advice(self) -> str:
        lines = ", ".join(str(match.lineno) for match in self.matches[:5]) + ", ..." * (len(self.matches) > 5)
        return f"There are {len(self.matches)} different values (at lines {lines}). Answer again with the final one only."


class LimitError(JSONScanError):
    """A bound was passed. `limit` is the name of it in `Limits`, `value` the bound."""

    code = "limit"
    _more = ("limit", "value")

    def __init__(self, msg: str, doc: str = "", pos: int = 0, limit: str = "", value: int = 0) -> None:
        super().__init__(msg, doc, pos)
        self.limit = limit
        self.value = value

    def _advice(self) -> str:
        return f"Answer again within the limit {self.limit} = {self.value:,}."


class ExtractJsonError(JSONScanError):
    """What the original `extractJson` throws. `code` is `invalid-input`, `no-json`, `unbalanced` or `parse-failed`; `preview` the
    part of the text that the message shows, with half a surrogate pair where the original cuts one. `msg` is the original's to the
    character; `str()` of the error has escapes where it cannot be printed."""

    _more = ("code", "preview")

    def __init__(self, msg: str, doc: str = "", pos: int = 0, code: str = "invalid-input", preview: str = "") -> None:
        super().__init__(msg, doc, pos)
        self.msg = msg
        self.args = (msg,)
        self.code = code
        self.preview = preview

    def __str__(self) -> str:
        return _lines(self.msg)


_WAYS: tuple[dict[str, str], ...] = (
    {"repair": "safe"}, {"nonfinite": "null"}, {"repair": "full"}, {"nonfinite": "null", "repair": "full"}
)  # fmt: skip


def way_out(read: Callable[..., object]) -> dict[str, str]:
    """The options, as few as it takes, under which `read` gives something after all: it is called with some until it does. Empty where
    none helps."""
    for way in _WAYS:
        try:
            if read(**way):
                return way
        except JSONScanError:
            continue
    return {}


def _named(way: dict[str, str]) -> str:
    """What an advice says of such options."""
    named = " and ".join(f'{name}="{value}"' for name, value in way.items())
    return f" ({named} would read it as it is.)" if way else ""


def visible(text: str) -> str:
    """The text with `\\uXXXX` for each character that cannot be seen, could steer a terminal, or no stream takes (lone surrogates)."""
    return text if text.isprintable() else "".join(char if char.isprintable() else _escaped(ord(char)) for char in text)


def _escaped(code: int) -> str:
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _lines(text: str) -> str:
    """The same of each line."""
    return "\n".join(map(visible, text.split("\n")))


def _excerpt(doc: str, pos: int) -> str:
    """The line around `pos`, indented and shortened, and a caret below `pos`."""
    start, end = doc.rfind("\n", 0, pos) + 1, doc.find("\n", pos)
    end = len(doc) if end < 0 else end
    left = max(start, pos - _WIDTH // 2)
    line = "".join(char if char.isprintable() else " " for char in doc[left : min(end, left + _WIDTH)])
    return f"    {line}\n    {' ' * (pos - left)}^"
