"""The public functions, and the `Scanner` behind them: text in, options frozen, value, `Match` or error out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, TypeVar, cast, overload

from .answers import MISSING, Outcome, clean
from .errors import InvalidJSONError, LimitError, NoJSONError
from .machine import entry
from .model import Limits, Match, Options, Repaired
from .repairs import Begun
from .whole_text import repaired

if TYPE_CHECKING:
    from typing_extensions import TypedDict, Unpack

    from .model import BigInt, DuplicateKeys, Expect, Level, Nonfinite, Truncated

    class _Common(TypedDict, total=False):
        repair: Level
        truncated: Truncated
        select: str | Callable[[Sequence[Match[Any]]], Match[Any] | None]
        duplicate_keys: DuplicateKeys
        nonfinite: Nonfinite
        big_int: BigInt
        fragments: bool
        limits: Limits


T_co = TypeVar("T_co", covariant=True)
Raw = str | bytes | bytearray | memoryview
Object = dict[str, Any]
Array = list[Any]


class Scanner(Generic[T_co]):
    """Frozen options, and the functions of this module as methods. Hashable, picklable, safe to share among threads."""

    __slots__ = ("_clean", "options")

    options: Options
    _clean: bool

    def __init__(self, options: Options) -> None:
        object.__setattr__(self, "options", options)
        plain = Options(repair=options.repair, truncated=options.truncated, nonfinite=options.nonfinite, fragments=options.fragments)
        object.__setattr__(self, "_clean", options == plain)  # none of these can change an answer that reads strictly

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Scanner is frozen: cannot set {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Scanner is frozen: cannot delete {name!r}")

    def __reduce__(self) -> tuple[Any, ...]:
        return Scanner, (self.options,)

    def __eq__(self, other: object) -> bool:
        return self.options == other.options if isinstance(other, Scanner) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.options)

    def __repr__(self) -> str:
        return f"<jsonscan.Scanner {self.options!r}>"

    def loads(self, raw: Raw) -> T_co:
        """The answer in this response. Raises a `JSONScanError` where there is none, or not one only. O(text)."""
        begun: dict[int, Begun] = {}
        if self._clean:  # the limits are the default ones then, and set the text none
            text = raw if type(raw) is str else text_of(raw, self.options.limits)
            value = clean(text, begun)
            if value is not MISSING:
                return value  # type: ignore[no-any-return]
        else:
            text = text_of(raw, self.options.limits)
        return cast("T_co", Outcome(text, self.options, begun).answer().value)

    def search(self, raw: Raw) -> Match[T_co] | None:
        """The answer and where it stands; None where there is no JSON in the text. Raises as `loads` does where there is JSON that is
        broken, cut or ambiguous under the options. O(text)."""
        try:
            return Outcome(text_of(raw, self.options.limits), self.options).answer()
        except NoJSONError:
            return None

    def finditer(self, raw: Raw) -> Iterator[Match[T_co]]:
        """Every top-level value outside reasoning that the options let through, in text order. Values that are broken or cut are left
        out; `loads` and `search` raise for them. O(text) before the first."""
        outcome = Outcome(text_of(raw, self.options.limits), self.options)
        return iter(outcome.every())

    def findall(self, raw: Raw) -> list[T_co]:
        """The values of `finditer`."""
        return [match.value for match in self.finditer(raw)]

    def fullmatch(self, raw: Raw) -> Match[T_co] | None:
        """The one value that is the whole text, blanks aside, as it stands or with the repairs allowed; else None. O(text)."""
        return Outcome(text_of(raw, self.options.limits), self.options).full()

    def repair(self, raw: Raw) -> Repaired:
        """The whole text as strict JSON, with a log of what was done. Raises a `JSONScanError` where the options do not allow what
        would be needed. O(text)."""
        return repaired(text_of(raw, self.options.limits), self.options)


def text_of(raw: object, limits: Limits) -> str:
    """The text of what was given: bytes are UTF-8, and a str subclass becomes a str."""
    if isinstance(raw, str):
        text = raw if type(raw) is str else str.__str__(raw)
    elif isinstance(raw, (bytes, bytearray, memoryview)):
        text = _decoded(bytes(raw))
    else:
        raise TypeError(f"expected str or bytes, not {type(raw).__name__}")
    if limits.max_input is not None and len(raw) > limits.max_input:
        raise LimitError(f"the text is longer than max_input = {limits.max_input}", text, 0, "max_input", limits.max_input)
    return text


def _decoded(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        text = raw.decode(errors="replace")
        raise InvalidJSONError("the bytes are not UTF-8", text, len(raw[: error.start].decode()), "encoding") from None


@lru_cache(maxsize=256, typed=True)
def _scanner(**options: Any) -> Scanner[Any]:
    return Scanner(Options(**options))


def _frozen(options: dict[str, Any]) -> Scanner[Any]:
    try:
        return _scanner(**options)
    except TypeError:  # something that cannot be hashed, or no option at all: then this says which
        return Scanner(Options(**options))


_DEFAULT: Final = Scanner[Any](Options())


@overload
def compile(*, expect: Literal["object"], **options: Unpack[_Common]) -> Scanner[Object]: ...
@overload
def compile(*, expect: Literal["array"], **options: Unpack[_Common]) -> Scanner[Array]: ...
@overload
def compile(*, expect: Literal["any", "container"] = ..., **options: Unpack[_Common]) -> Scanner[Any]: ...
def compile(**options: Any) -> Scanner[Any]:
    """These options, frozen, as a `Scanner`. See `Options` for what they are; an unknown one is a `TypeError`."""
    return _frozen(options)


@overload
def loads(raw: Raw, *, expect: Literal["object"], **options: Unpack[_Common]) -> Object: ...
@overload
def loads(raw: Raw, *, expect: Literal["array"], **options: Unpack[_Common]) -> Array: ...
@overload
def loads(raw: Raw, *, expect: Literal["any", "container"] = ..., **options: Unpack[_Common]) -> Any: ...
def loads(raw: Raw, **options: Any) -> Any:
    """The answer in this response. Raises a `JSONScanError` where there is none, or not one only. O(text).

    The options are those of `Options` (`help(jsonscan.Options)`, docs/options.md), by keyword: `expect`, `repair`, `truncated`, `select`,
    `duplicate_keys`, `nonfinite`, `big_int`, `limits`. The errors are `NoJSONError`, `InvalidJSONError`, `TruncatedJSONError`,
    `AmbiguousJSONError` and `LimitError` (`help(jsonscan.errors)`); `.hint()` of each says what to do."""
    return (_frozen(options) if options else _DEFAULT).loads(raw)


if not TYPE_CHECKING:  # pragma: no branch - only type checkers go round it
    loads = entry(loads)


@overload
def search(raw: Raw, *, expect: Literal["object"], **options: Unpack[_Common]) -> Match[Object] | None: ...
@overload
def search(raw: Raw, *, expect: Literal["array"], **options: Unpack[_Common]) -> Match[Array] | None: ...
@overload
def search(raw: Raw, *, expect: Literal["any", "container"] = ..., **options: Unpack[_Common]) -> Match[Any] | None: ...
def search(raw: Raw, **options: Any) -> Match[Any] | None:
    """The answer and where it stands, as a `Match`; None where there is no JSON in the text. Options and errors as for `loads`: it raises
    where there is JSON that is broken, cut or ambiguous under the options. O(text)."""
    return (_frozen(options) if options else _DEFAULT).search(raw)



@overload
def finditer(raw: Raw, *, expect: Literal["object"], **options: Unpack[_Common]) -> Iterator[Match[Object]]: ...
@overload
def finditer(raw: Raw, *, expect: Literal["array"], **options: Unpack[_Common]) -> Iterator[Match[Array]]: ...
@overload
def finditer(raw: Raw, *, expect: Literal["any", "container"] = ..., **options: Unpack[_Common]) -> Iterator[Match[Any]]: ...
def finditer(raw: Raw, **options: Any) -> Iterator[Match[Any]]:
    """Every top-level value outside reasoning that the options let through, in text order, as a `Match`; those that are broken or cut
    are left out. Options as for `loads`, and `fragments`; raises `LimitError`, and `InvalidJSONError` for bytes that are no UTF-8. O(text)
    before the first."""
    return (_frozen(options) if options else _DEFAULT).finditer(raw)



@overload
def findall(raw: Raw, *, expect: Literal["object"], **options: Unpack[_Common]) -> list[Object]: ...
@overload
def findall(raw: Raw, *, expect: Literal["array"], **options: Unpack[_Common]) -> list[Array]: ...
@overload
def findall(raw: Raw, *, expect: Literal["any", "container"] = ..., **options: Unpack[_Common]) -> list[Any]: ...
def findall(raw: Raw, **options: Any) -> list[Any]:
    """The values of `finditer`, with its options."""
    return (_frozen(options) if options else _DEFAULT).findall(raw)



@overload
def fullmatch(raw: Raw, *, expect: Literal["object"], **options: Unpack[_Common]) -> Match[Object] | None: ...
@overload
def fullmatch(raw: Raw, *, expect: Literal["array"], **options: Unpack[_Common]) -> Match[Array] | None: ...
@overload
def fullmatch(raw: Raw, *, expect: Literal["any", "container"] = ..., **options: Unpack[_Common]) -> Match[Any] | None: ...
def fullmatch(raw: Raw, **options: Any) -> Match[Any] | None:
    """The one value that is the whole text, blanks aside, as a `Match`, as it stands or with the repairs allowed; else None. Options as for
    `loads`. O(text)."""
    return (_frozen(options) if options else _DEFAULT).fullmatch(raw)



def repair(raw: Raw, *, expect: Expect = "any", **options: Unpack[_Common]) -> Repaired:
    """The whole text as strict JSON, with a log of what was done. Options and errors as for `loads` (`select` is no matter here); a bare
    scalar will do unless `expect` says otherwise. O(text)."""
    return _frozen({"expect": expect, **options}).repair(raw)
