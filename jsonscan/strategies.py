"""Responses for hypothesis: text as models write it, with the JSON that is the answer and where it stands.

For tests of whatever takes responses. Needs the extra `strategies`:

    @given(responses(repairs=True))
    def test_the_answer_is_found(response):
        assert my_parser(response.raw) == response.value
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from json import dumps
from random import Random
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, Protocol, TypeVar

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

T = TypeVar("T")
Style = Literal["bare", "fence", "lines", "tag", "inline"]

STYLES: Final[tuple[Style, ...]] = ("bare", "fence", "lines", "tag", "inline")
CODES: Final = (
    "comment", "digit-grouping", "missing-comma", "python-literal", "single-quotes", "trailing-comma", "typographic-quotes", "unquoted-key",
)  # fmt: skip
_WORDS: Final = ("so", "the", "city", "was", "checked", "twice", "and", "it's", "fine", "naïve", "日本", "then", "100%", "they", "said")
_DECOYS: Final = ("{name}", "[1]", "[docs](https://example.org)", "${x}", "`code`", "a < b", '"quoted"', "f(x)", "<b>bold</b>", "{a, b}")
_PLAIN: Final = "abcdefgxyzABXYZ 0123456789 .,;:!?-/éßøλЖאع日本語😀"
_BLANKS: Final = ("", " ", "\n", "\t\r\n  ")
_NAME: Final = re.compile(r"[A-Za-z_]\w{0,31}", re.ASCII).fullmatch
_LITERALS: Final = {None: ("null", "None"), True: ("true", "True"), False: ("false", "False")}


class Pick(Protocol):
    """Takes one of the options."""

    def __call__(self, options: Sequence[T], /) -> T: ...


class Response(NamedTuple):
    """A response. `search(raw)` gives `value` at `span`, in code points, with repairs of the codes `codes`."""

    raw: str
    value: Any
    span: tuple[int, int]
    codes: frozenset[str] = frozenset()


def values(*, plain: bool = False, max_leaves: int = 10) -> SearchStrategy[Any]:
    """JSON objects and arrays with any strings in them, or under `plain` with strings free of quotes, brackets and markup."""
    from hypothesis import strategies as st

    text = st.text(_PLAIN, max_size=12) if plain else st.text(max_size=12)
    numbers = st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)
    scalars = st.none() | st.booleans() | numbers | text
    inner = st.recursive(scalars, lambda inner: _containers(st, inner, text), max_leaves=max_leaves)
    return _containers(st, inner, text)


def _containers(st: Any, inner: SearchStrategy[Any], text: SearchStrategy[str]) -> SearchStrategy[Any]:
    names = st.sampled_from(["id", "name", "items", "ok"]) | text
    containers: SearchStrategy[Any] = st.dictionaries(names, inner, max_size=4) | st.lists(inner, max_size=4)
    return containers


def responses(
    json: SearchStrategy[Any] | None = None, *, styles: Sequence[Style] = STYLES, reasoning: bool = True, repairs: bool = False
) -> SearchStrategy[Response]:
    """Responses that hold one answer, as a strategy.

    json       what the answers are drawn from: objects and arrays; by default `values()`. Under `repairs` their strings must be as those of
               `values(plain=True)`.
    styles     where the answer stands: "bare", in a "fence", on "lines" of its own, in a "tag", or "inline" in a sentence (which takes
               objects with members only; others stand on lines then)
    reasoning  whether drafts may stand before it, in reasoning that is set aside
    repairs    whether the answer may need the repairs of `CODES`, all of level "safe"
    """
    from hypothesis import strategies as st

    drafts = values(plain=True, max_leaves=4)
    answers = json if json is not None else values(plain=repairs)

    def response(draw: Callable[[Any], Any]) -> Response:
        value, style, damaged = draw(answers), draw(st.sampled_from(styles)), repairs and draw(st.booleans())
        pick = _picker(draw(st.integers(0, 2**32)))
        before, behind = _placed(pick, value, style)
        if reasoning and draw(st.booleans()):
            before = f"<think>{_sentence(pick)} {dumps(draw(drafts))} {_sentence(pick)}</think>\n{before}"
        writer = _Writer(pick, damaged)
        text = writer.written(value)
        return Response(before + text + behind, value, (len(before), len(before) + len(text)), frozenset(writer.codes))

    made: SearchStrategy[Response] = st.composite(response)()
    return made


def _first(options: Sequence[T], /) -> T:
    return options[0]


def _picker(seed: int) -> Pick:
    """Picks from options, always the first of them for 0: one number is far faster than a choice of hypothesis each, and shrinks to it."""
    return Random(seed).choice if seed else _first


def _sentence(pick: Pick) -> str:
    """Words, and among them what looks like JSON to a careless reader."""
    words = [pick(_WORDS) for _ in range(pick((1, 3, 5)))]
    if pick((False, True)):
        words.insert(1, pick(_DECOYS))
    return " ".join([*words, "end"]) + pick((".", "!", ":"))


def _placed(pick: Pick, value: Any, style: Style) -> tuple[str, str]:
    """What stands before and behind the answer."""
    if style == "bare":
        return pick(_BLANKS), pick(_BLANKS)
    introduction = f"{_sentence(pick)}\n" if pick((False, True)) else ""
    rest = f"\n\n{_sentence(pick)}" if pick((False, True)) else ""
    if style == "fence":
        mark = pick(("```", "````", "~~~"))
        return f"{introduction}{mark}{pick(('json', '', 'JSON'))}\n", f"\n{mark}{rest}"
    if style == "tag":
        name = pick(("answer", "output", "tool_call", "json"))
        return f"{introduction}<{name}>{pick(_BLANKS)}", f"{pick(_BLANKS)}</{name}>{rest}"
    if style == "inline" and isinstance(value, dict) and value:
        return f"{_sentence(pick)[:-1]}: ", f"{pick(('', '.', ';'))}{rest}"
    return f"{introduction}\n", rest


class _Writer:
    """JSON text of a value; with `damaged`, here and there as no strict parser takes it."""

    def __init__(self, pick: Pick, damaged: bool) -> None:
        self.pick, self.damaged = pick, damaged
        self.ascii, self.indent = pick((False, True)), pick((None, 2))
        self.codes: set[str] = set()

    def written(self, value: Any) -> str:
        if not self.damaged:
            return dumps(value, ensure_ascii=self.ascii, indent=self.indent)
        return "".join(self._pieces(value))

    def _damage(self, code: str) -> bool:
        if self.pick((False, False, True)):
            self.codes.add(code)
            return True
        return False

    def _pieces(self, value: Any) -> Iterator[str]:
        if isinstance(value, str):
            yield self._string(value)
        elif value is None or isinstance(value, bool):
            yield _LITERALS[value][self._damage("python-literal")]
        elif isinstance(value, int):
            yield f"{value:_}" if abs(value) >= 1000 and self._damage("digit-grouping") else str(value)
        elif isinstance(value, dict):
            yield "{" + self._gap()
            yield from self._members([(f"{self._name(name)}: ", item) for name, item in value.items()], True)
            yield "}"
        elif isinstance(value, list):
            yield "[" + self._gap()
            yield from self._members([("", item) for item in value], False)
            yield "]"
        else:
            yield dumps(value)

    def _members(self, members: list[tuple[str, Any]], named: bool) -> Iterator[str]:
        for at, (name, item) in enumerate(members):
            if at:
                yield "\n" if named and name[0] == '"' and self._damage("missing-comma") else f",{self._gap()}"
            yield name
            yield from self._pieces(item)
        if members and self._damage("trailing-comma"):
            yield ","
        yield self._gap()

    def _gap(self) -> str:
        """What may stand between tokens."""
        return self.pick(("/* note */", " // note\n")) if self._damage("comment") else self.pick(("", " ", "\n"))

    def _name(self, name: str) -> str:
        return name if _NAME(name) and self._damage("unquoted-key") else self._string(name)

    def _string(self, text: str) -> str:
        if self._damage("single-quotes"):
            return f"'{text}'"
        if self._damage("typographic-quotes"):
            return f"“{text}”"
        return dumps(text, ensure_ascii=self.ascii)
