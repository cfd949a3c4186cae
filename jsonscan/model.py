"""What goes in and what comes out: `Options` and `Limits`, `Match`, `Repair` and `Repaired`. All frozen, comparable and picklable.

Offsets are code points into the text as it was given. Places inside a value are JSON Pointers (RFC 6901): `""` is the root.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Final, Generic, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

T_co = TypeVar("T_co", covariant=True)
M = TypeVar("M")

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
        for field in fields(self):
            bound = getattr(self, field.name)
            if bound is not None and (not isinstance(bound, int) or bound < 1):
                raise ValueError(f"{field.name} must be a positive integer or None, not {bound!r}")


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

    def to(self, model: type[M]) -> M:
        """The value as a `model`: pydantic (a model or a TypeAdapter), msgspec, attrs (through cattrs), a dataclass, or any other
        callable that takes the value. What that raises is passed on. O(value)."""
        for name in ("model_validate", "validate_python"):
            if hasattr(model, name):
                return getattr(model, name)(self.value)  # type: ignore[no-any-return]
        if hasattr(model, "__struct_fields__"):
            import msgspec

            made: M = msgspec.convert(self.value, model)
            return made
        if hasattr(model, "__attrs_attrs__"):
            import cattrs

            structured: M = cattrs.structure(self.value, model)
            return structured
        return _built(model, self.value)  # type: ignore[no-any-return]


def _shortened(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")


def _built(hint: Any, value: Any) -> Any:
    """`value` as `hint` says: dataclasses are made, also inside lists, dicts and optionals; a plain class is left to check itself."""
    if is_dataclass(hint) and isinstance(hint, type) and isinstance(value, dict):
        hints, make = get_type_hints(hint), cast("Callable[..., Any]", hint)
        return make(**{name: _inner(hints.get(name), item) for name, item in value.items()})
    return cast("Callable[..., Any]", hint)(value)


def _inner(hint: Any, value: Any) -> Any:
    origin, args = get_origin(hint), get_args(hint)
    if origin is list and isinstance(value, list):
        return [_inner(args[0], item) for item in value]
    if origin is dict and isinstance(value, dict):
        return {name: _inner(args[1], item) for name, item in value.items()}
    if origin is not None and (origin is Union or origin.__name__ == "UnionType"):
        made = [each for each in args if is_dataclass(each)]
        return _inner(made[0], value) if len(made) == 1 and isinstance(value, dict) else value
    return _built(hint, value) if is_dataclass(hint) and isinstance(value, dict) else value


def pointer(places: Iterable[str | int]) -> str:
    """The JSON Pointer of the names and indices that lead to a place."""
    return "".join("/" + str(place).replace("~", "~0").replace("/", "~1") for place in places)
