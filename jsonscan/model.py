"""What goes in and what comes out: `Options` and `Limits`, `Match`, `Repair` and `Repaired`. All frozen, comparable and picklable.

Offsets are code points into the text as it was given. Places inside a value are JSON Pointers (RFC 6901): `""` is the root.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from functools import lru_cache
from types import NoneType, UnionType
from typing import (
    Any,
    Final,
    Generic,
    Literal,
    Protocol,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    overload,
)

from .records import asdict, dataclass

T_co = TypeVar("T_co", covariant=True)
M = TypeVar("M")
M_co = TypeVar("M_co", covariant=True)

Expect = Literal["any", "object", "array", "container"]
Level = Literal["off", "safe", "full"]
Truncated = Literal["raise", "keep"]
Source = Literal["bare", "fence", "tag", "prose", "fragment"]
Risk = Literal["lossless", "likely", "guess"]
DuplicateKeys = Literal["last", "first", "raise"]
Nonfinite = Literal["raise", "allow", "null"]
BigInt = Literal["exact", "float", "str"]


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds that every entry point of every build enforces alike; `None` is no bound. Passing one raises `LimitError`.

    max_input       code points of text (bytes, where bytes are given)
    max_depth       open containers. 1,000 is beyond what models write and below what recursive consumers of the value survive.
    max_candidates  places at which a value was tried. No default: the search is linear without it.
    max_repairs     edits in one value. 10,000 keeps a log that someone could still read from becoming the size of the text.
    max_digits      digits of one integer. 4,300 is CPython's own bound, beyond which turning it into text raises.
    """

    max_input: int | None = None
    max_depth: int | None = 1000
    max_candidates: int | None = None
    max_repairs: int | None = 10_000
    max_digits: int | None = 4300

    def __post_init__(self) -> None:
        for name, bound in asdict(self).items():
            if bound is not None and (not isinstance(bound, int) or bound < 1):
                raise ValueError(f"{name} must be a positive integer or None, not {bound!r}")


_CHOICES: Final = {
    "expect": get_args(Expect),
    "repair": get_args(Level),
    "truncated": get_args(Truncated),
    "select": ("answer", "first", "last", "largest", "sole"),
    "duplicate_keys": get_args(DuplicateKeys),
    "nonfinite": get_args(Nonfinite),
    "big_int": get_args(BigInt),
    "fragments": (False, True),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How to read. The same for every function; an unknown value is a `ValueError`.

    expect          kind of the root: "any", "object", "array", or "container" (either of the two)
    repair          "off", "safe" (edits that keep all data and have one reading) or "full" (readings that guess as well)
    truncated       text that ends inside the value: "raise" `TruncatedJSONError`, or "keep" what there is with `complete=False`
    select          "answer" (the ranking of conformance/RULES.md), "first", "last", "largest", "sole" (different values that
                    compete raise `AmbiguousJSONError`), or a function that gets the list of matches and returns one of them or None
    duplicate_keys  "last", "first" or "raise"
    nonfinite       the words NaN and Infinity: "raise" (they are no JSON), "allow" (floats) or "null"
    big_int         integers beyond 2**53 - 1 in magnitude: "exact" ints, "float", or their text as "str"
    fragments       `finditer` and `findall` give values inside broken ones too
    limits          see `Limits`
    """

    expect: Expect = "container"
    repair: Level = "safe"
    truncated: Truncated = "raise"
    select: str | Callable[[Sequence[Match[Any]]], Match[Any] | None] = "answer"
    duplicate_keys: DuplicateKeys = "last"
    nonfinite: Nonfinite = "raise"
    big_int: BigInt = "exact"
    fragments: bool = False
    limits: Limits = Limits()

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            value = getattr(self, name)
            if value not in choices and not (name == "select" and callable(value)):
                raise ValueError(f"{name} must be one of {', '.join(map(repr, choices))}, not {value!r}")
        if not isinstance(self.limits, Limits):
            raise TypeError(f"limits must be a Limits, not {type(self.limits).__name__}")


@dataclass(frozen=True, slots=True)
class Repair:
    """One edit: `text[start:end]`, which is `removed`, became `inserted`. `code` is one of conformance/RULES.md, `path` the JSON
    Pointer of the value it touches."""

    code: str
    start: int
    end: int
    removed: str
    inserted: str
    path: str
    risk: Risk


@dataclass(frozen=True, slots=True)
class Repaired:
    """A whole text that is meant to be JSON: `text` is strict JSON with the value `value`, `repairs` the edits that lead to it."""

    text: str
    value: Any
    repairs: tuple[Repair, ...] = ()
    complete: bool = True

    @property
    def changed(self) -> bool:
        return bool(self.repairs)


class Match(Generic[T_co]):
    """A JSON value and where it stands.

    string        the text that was searched
    value         the value
    start, end    its offsets there, in code points: `string[start:end]` is `text`
    source        "bare" (nothing else in the text), "fence", "tag", "prose", or "fragment" (inside a broken value)
    fence         the first word behind the opening fence, lower case, `""` where there is none; `None` outside a fence
    complete      False where the text ended inside the value
    truncated_at  then the JSON Pointer of the place that was being read; else `None`
    repairs       the edits, in text order; empty where the value reads strictly
    """

    __slots__ = ("_repairs", "complete", "end", "fence", "source", "start", "string", "truncated_at", "value")

    string: str
    value: T_co
    start: int
    end: int
    source: Source
    fence: str | None
    complete: bool
    truncated_at: str | None
    _repairs: tuple[Repair, ...] | Callable[[], tuple[Repair, ...]]

    def __init__(self, string: str, value: T_co, start: int, end: int, source: Source = "bare", fence: str | None = None,
                 complete: bool = True, truncated_at: str | None = None,
                 repairs: tuple[Repair, ...] | Callable[[], tuple[Repair, ...]] = ()) -> None:  # fmt: skip
        put = object.__setattr__
        put(self, "string", string)
        put(self, "value", value)
        put(self, "start", start)
        put(self, "end", end)
        put(self, "source", source)
        put(self, "fence", fence)
        put(self, "complete", complete)
        put(self, "truncated_at", truncated_at)
        put(self, "_repairs", repairs)

    @property
    def repairs(self) -> tuple[Repair, ...]:
        """The edits, in text order. They are put together when first asked for."""
        if not isinstance(self._repairs, tuple):
            object.__setattr__(self, "_repairs", self._repairs())
        return self._repairs  # type: ignore[return-value]

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Match is frozen: cannot set {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Match is frozen: cannot delete {name!r}")

    def _state(self) -> tuple[Any, ...]:
        return (self.string, self.value, self.start, self.end, self.source, self.fence, self.complete, self.truncated_at, self.repairs)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._state()

    def __eq__(self, other: object) -> bool:
        return self._state() == other._state() if isinstance(other, Match) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.string, self.start, self.end))

    def __repr__(self) -> str:
        extra = "" if self.complete else f", truncated_at={self.truncated_at!r}"
        extra += f", repairs={len(self.repairs)}" if self.repairs else ""
        return f"<jsonscan.Match span={self.span()}, source={self.source!r}{extra}, text={_shortened(self.text)}>"

    @property
    def text(self) -> str:
        """The text of the value as it stands in `string`."""
        return self.string[self.start : self.end]

    def span(self) -> tuple[int, int]:
        """`(start, end)`, in code points."""
        return self.start, self.end

    @property
    def span_utf16(self) -> tuple[int, int]:
        """The same offsets in UTF-16 code units, as JavaScript, Java and LSP count. O(end)."""
        return self._span_in("utf-16-le", 2)

    @property
    def span_bytes(self) -> tuple[int, int]:
        """The same offsets in bytes of the text in UTF-8. O(end)."""
        return self._span_in("utf-8", 1)

    def _span_in(self, encoding: str, unit: int) -> tuple[int, int]:
        start = len(self.string[: self.start].encode(encoding, "surrogatepass")) // unit
        return start, start + len(self.text.encode(encoding, "surrogatepass")) // unit

    @property
    def lineno(self) -> int:
        """Line of the first character, from 1; lines end with LF. O(start)."""
        return self.string.count("\n", 0, self.start) + 1

    @property
    def colno(self) -> int:
        """Column of the first character in its line, from 1, in code points."""
        return self.start - self.string.rfind("\n", 0, self.start)

    @overload
    def to(self, model: type[M]) -> M: ...
    @overload
    def to(self, model: Adapter[M]) -> M: ...
    @overload
    def to(self, model: Callable[[Any], M]) -> M: ...
    def to(self, model: Any) -> Any:
        """The value as a `model`: pydantic's (a model or a TypeAdapter), msgspec's, attrs' (through cattrs), a dataclass, a list, dict or
        optional of those, or any other callable that takes the value. What that raises is passed on; a value of another shape than
        a list or dict asked for is a `TypeError`. O(value)."""
        return _run(_made(model, self.value, True))


class Adapter(Protocol[M_co]):
    """What validates a value by itself, as pydantic's TypeAdapter does."""

    def validate_python(self, value: Any, /) -> M_co: ...


def _shortened(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")


Making = Generator["Making", Any, Any]


def _run(making: Making) -> Any:
    """What `making` returns. Whatever it waits for stands on a stack of its own, since the text says how deep the value is."""
    stack, made = [making], None
    while stack:
        try:
            stack.append(stack[-1].send(made))
            made = None
        except StopIteration as done:
            stack.pop()
            made = done.value
    return made


def _made(hint: Any, value: Any, asked: bool = False) -> Making:
    """`value` as `hint` says. What is no model is left as it is, but where it was asked for by the user."""
    origin, args = get_origin(hint), get_args(hint)
    if origin in (list, dict):
        if isinstance(value, origin):
            return (yield from _container(args[-1], value))
        if asked:
            raise TypeError(f"the value is no {origin.__name__}, but a {type(value).__name__}")
        return value
    if origin in (Union, UnionType):
        models = [each for each in args if each is not NoneType]
        if len(models) > 1:  # then only one that takes an object can be told from the others
            models = [each for each in models if _is_model(each) and isinstance(value, dict)]
        return value if value is None or len(models) != 1 else (yield _made(models[0], value))
    if not asked and not (isinstance(value, dict) and _is_model(hint)):
        return value
    for name in ("model_validate", "validate_python"):
        if hasattr(hint, name):
            return getattr(hint, name)(value)
    if hasattr(hint, "__struct_fields__"):
        import msgspec

        return msgspec.convert(value, hint)
    if hasattr(hint, "__attrs_attrs__"):
        import cattrs

        return cattrs.structure(value, hint)
    if not isinstance(value, dict) or not _is_model(hint):
        return hint(value)
    hints, members = _hints(hint), {}
    for name, item in value.items():
        members[name] = yield _made(hints.get(name), item)
    return hint(**members)


def _container(hint: Any, value: list[Any] | dict[str, Any]) -> Making:
    if isinstance(value, dict):
        members = {}
        for name, item in value.items():
            members[name] = yield _made(hint, item)
        return members
    items = []
    for item in value:
        items.append((yield _made(hint, item)))
    return items


def _is_model(hint: Any) -> bool:
    marks = ("model_validate", "validate_python", "__struct_fields__", "__attrs_attrs__", "__dataclass_fields__")
    return isinstance(hint, type) and any(hasattr(hint, mark) for mark in marks)


@lru_cache(maxsize=256)
def _hints(model: type) -> dict[str, Any]:
    return get_type_hints(model)


def pointer(places: Iterable[str | int]) -> str:
    """The JSON Pointer of the names and indices that lead to a place."""
    return "".join("/" + str(place).replace("~", "~0").replace("/", "~1") for place in places)
