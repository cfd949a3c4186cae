"""A response while it arrives: the value so far after every chunk, and at the end the answer.

    Stream ── feed ──> watching: which value is shown     (the machine, resumed where it starved)
       │
       └──── close ──> the library's search of what was kept: KeptText

conformance/STREAM.md has the rules, each with an id.
"""

from __future__ import annotations

import codecs
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, cast

from .errors import AmbiguousJSONError, InvalidJSONError, JSONScanError, LimitError, NoJSONError, TruncatedJSONError
from .kept_text import KeptText, placed, relocate
from .machine import Machine, count
from .model import Match, pointer
from .patterns import Pattern
from .scanner import compile
from .watching import PIECE, Sighting, Watch

if TYPE_CHECKING:
    from types import TracebackType

    from typing_extensions import Self

Path = str | Sequence[str | int]
State = Literal["searching", "open", "complete", "truncated"]
Operation = dict[str, Any]


class _Given:
    """What was handed out of an array: how many items, of how many of them the text was let go, and the end of an item whose comma was
    still to come, with the number of items up to it."""

    __slots__ = ("array", "behind", "number", "untexted")

    def __init__(self, array: list[Any]) -> None:
        self.array = array
        self.number = self.untexted = 0
        self.behind: tuple[int, int] | None = None


class Stream:
    """One response, fed as it arrives. The options are those of `search`; what they mean is the same, and `close` obeys all of them.

    Snapshots cost nothing unless they are asked for. All work together is linear in the text plus what is read out.
    """

    def __init__(self, **options: Any) -> None:
        self._scanner = compile(**options)
        chosen = self._scanner.options
        self._kept = KeptText()
        self._watch = Watch(chosen, self._kept.piece)
        self._keep = self._kept.pieces.append
        self._feed = self._watch.feed
        self._values = 0  # as many had been read to their end
        self._shown: Sighting | None = None
        self._source: Machine | None = None  # what has the value so far
        self._length = 0  # of the text, counted where there is a bound
        self._bound = chosen.limits.max_input
        self._thins = chosen.expect != "any" and not callable(chosen.select)
        self._decoder: codecs.IncrementalDecoder | None = None
        self._not_utf8 = -1  # offset of the first byte that is no UTF-8, in code points
        self._given: dict[tuple[str | int, ...], _Given] = {}  # items handed out, by the path of their array, as `_live` has it
        self._spine = _Spine()
        self._match: Match[Any] | None = None
        self._error: JSONScanError | None = None
        self._closed = False

    # -- text in

    def feed(self, chunk: str | bytes | bytearray | memoryview) -> Self:
        """Add a chunk: text, or UTF-8 that may be cut anywhere. Raises `LimitError` where the text passes `limits.max_input`, and
        `ValueError` behind `close`. O(chunk)."""
        feed = self._feed
        if feed is not None and type(chunk) is str and len(chunk) <= PIECE:
            self._keep(chunk)
            stop = feed(chunk)
            if stop:
                self._watch.stopped(stop)
                self._look()
            return self
        self._take(self._decoded(chunk))
        return self

    def _take(self, text: str) -> None:
        if self._closed:
            raise ValueError("the stream is closed")
        if self._bound is not None:
            self._length += len(text)
            if self._length > self._bound:
                raise LimitError(f"the text is longer than max_input = {self._bound}", "", 0, "max_input", self._bound)
        self._keep(text)
        self._watch.take(text)
        self._look()

    def _look(self) -> None:
        """Take over what the watch has come to."""
        watch = self._watch
        shown = watch.shown
        if shown is not self._shown:
            self._shown, self._source = shown, shown.machine if shown is not None else None
        self._feed = watch.feed if self._bound is None else None
        if watch.values != self._values:
            self._values = watch.values
            self._kept.hold()
        if self._thins and watch.is_idle() and self._kept.is_full():
            self._kept.thin(watch.thought)

    def _decoded(self, chunk: object) -> str:
        if isinstance(chunk, str):
            if self._decoder is not None and self._decoder.getstate()[0]:
                raise ValueError("text follows bytes that end inside a character")
            return chunk if type(chunk) is str else str.__str__(chunk)
        if not isinstance(chunk, (bytes, bytearray, memoryview)):
            raise TypeError(f"expected str or bytes, not {type(chunk).__name__}")
        if self._decoder is None:
            self._decoder = codecs.getincrementaldecoder("utf-8")()
        return self._decode(bytes(chunk), False)

    def _decode(self, data: bytes, final: bool) -> str:
        decoder = self._decoder
        assert decoder is not None
        held = decoder.getstate()
        try:
            return decoder.decode(data, final)
        except UnicodeDecodeError as error:
            good = error.object[: error.start].decode()
            self._not_utf8 = self._kept.whole_length() + len(good)
            self._watch.take(good)
            self._watch.freeze()
            self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
            return self._decoder.decode(held[0] + data, final)

    # -- value out

    @property
    def value(self) -> Any:
        """The value so far; None while there is none. It is live: what is fed later goes on in the same dicts and lists. After `close` the
        answer's value. O(what was read since the last look)."""
        source = self._source
        return source.snapshot() if source is not None else None if self._match is None else self._match.value

    def snapshot(self) -> Any:
        """A copy of `value` that stays as it is. O(value)."""
        return _copied(self.value)

    @property
    def state(self) -> State:
        """`"searching"`: no value yet; `"open"`: one is being read, or cannot be read on before `close`; `"complete"`: it is, though a
        better one may follow; `"truncated"`: `close` found that the text ended inside it."""
        if self._closed:
            if isinstance(self._error, TruncatedJSONError):
                return "truncated"
            if self._match is not None:
                return "complete" if self._match.complete else "truncated"
        if self._shown is None:
            return "searching"
        return "open" if self._shown.end < 0 else "complete"

    def is_complete(self, path: Path = "") -> bool:
        """Whether the value at this place is there and will not grow. `path` is a JSON Pointer, or the names and indices that lead there.
        O(depth)."""
        live = self._live(_places(path)) if self._is_given() else list(_places(path))
        if live is None:
            return True  # it was handed out
        value = self.value
        try:
            found = _found(value, live)
        except LookupError:
            return False
        shown = self._shown
        return value is not None and (shown is None or self._closed or not _is_open(shown, _normal(value, live), found))

    def _is_given(self) -> bool:
        """Whether `value` is what items are handed out of."""
        return self._shown is self._watch.giver if self._match is None else self._gave_of(self._match)

    def _live(self, places: Sequence[str | int]) -> list[str | int] | None:
        """The place in the value that items are handed out of, with those left out; None if it is in one of them."""
        live: list[str | int] = []
        for place in places:
            given = self._given.get(tuple(live))
            if given is not None and (index := _index(place)) is not None:
                if index < given.number:
                    return None
                place = index - given.number
            live.append(place)
        return live

    def items(self, path: Path = "") -> list[Any]:
        """The items of the array at `path` that have been finished since the last call. They are the caller's: they are taken out of
        `value`, of what `close` returns, and in time their text out of memory. They are of one value, the first one shown that may well be
        the answer (STREAM.md, ITEM-1 to ITEM-6); behind `close` those of the answer, and an error where it is another value
        than the one they were of (`AmbiguousJSONError`) or there is none (`NoJSONError`). O(items)."""
        if self._closed and self._error is None:
            if self._given and (self._match is None or not self._gave_of(self._match)):
                raise self._other(self._match)
            value = self.value if self._match is not None else None
        else:
            giver = self._watch.giver
            if giver is None:
                return []
            if not self._given and not isinstance(self._error, TruncatedJSONError) and self._watch.may_be_cited(giver):
                return []
            value = giver.machine.snapshot()
        live = self._live(_places(path))
        try:
            array = _found(value, live) if live is not None else None
        except LookupError:
            return []
        if not isinstance(array, list) or live is None:
            return []
        live = _normal(value, live)
        return self._taken_of(array, live) if self._match is None else _emptied(array, len(array))

    def _taken_of(self, array: list[Any], live: list[str | int]) -> list[Any]:
        """The items that are finished of the array at `live`, before the end."""
        giver, where = self._watch.giver, tuple(live)
        assert giver is not None
        given = self._given.get(where) or _Given(array)
        if given.array is not array:
            return []  # its name was given a second value; `close` tells
        finished = len(array) - _is_open(giver, [*live, len(array) - 1], array[-1]) if array else 0
        if finished:
            taken = _emptied(array, finished)
            self._given[where] = given
            given.number += finished
            giver.is_emptied |= not live
            self._move(where, finished)
            self._spine.forget(len(live), array, finished)
            if self._kept.is_full() and not self._closed and not self._watch.frozen and _is_open(giver, live, array):
                self._let_go(giver, live, given, len(array))
            return taken
        return []

    def _move(self, where: tuple[str | int, ...], finished: int) -> None:
        """So many items were taken out of an array: what was handed out of others inside it stands elsewhere now, or went with them."""
        at, moved = len(where), dict[tuple[str | int, ...], _Given]()
        for place, given in self._given.items():
            if len(place) > at and place[:at] == where:
                index = cast("int", place[at]) - finished
                if index >= 0:
                    moved[where + (index,) + place[at + 1 :]] = given  # noqa: RUF005 - Python 3.10 takes no star there
            else:
                moved[place] = given
        self._given = moved

    def _let_go(self, giver: Sighting, live: list[str | int], given: _Given, left: int) -> None:
        """Forget the text of the items handed out of the array that is open at `live` and has as many left."""
        kept, machine, frames, number = self._kept, giver.machine, giver.machine.frames(), given.number
        at = machine.base + machine.pos
        start = kept.inner(giver.start + frames[len(live)][1] + 1)
        earlier, given.behind = given.behind, None
        if len(live) + 1 < len(frames):
            end = kept.inner(giver.start + frames[len(live) + 1][1])
        elif machine.phase != "next":
            end = kept.inner(giver.start + (machine.base + machine.token if machine.in_string else at))
        else:  # the comma behind the last item is still to come, and must go with it; so go back to the item behind which one came
            given.behind = giver.start + at, number + left
            if earlier is None:
                return
            end, number = kept.text().find(",", kept.inner(earlier[0])) + 1, earlier[1]
        given.untexted = number
        kept.cut([(start, end)] if start < end else [])

    # -- changes out

    def delta(self, *, append: bool = False) -> list[Operation]:
        """What has changed in `value` since the last call, as RFC 6902 operations: applied in order to the document before (null at first),
        they give the one now. `replace` at the root says that another value is shown, or that a name was given a second value. With
        `append`, a string that has grown gives `{"op": "append", "path": ..., "value": what was added}`, which RFC 6902 does not have;
        else `replace`. Indices count the items handed out by `items`, which no operation removes. O(what was read since and what is
        reported, with its paths)."""
        return self._spine.delta(self, append)

    # -- the end

    def close(self) -> Match[Any] | None:
        """The end of the text. Returns and raises what `search` of the whole text does, less the items handed out; a second time the same.
        O(text kept)."""
        if not self._closed:
            try:
                self._match = self._answer()
            except JSONScanError as error:
                self._error = error
            self._closed = True
            self._feed = None
            if self._match is not None and not self._is_right(self._match):
                self._source = None
        if self._error is not None:
            raise self._error
        return self._match

    def _is_right(self, match: Match[Any]) -> bool:
        """Whether the value shown is the answer's."""
        shown = self._shown
        if shown is None:
            return False
        if match.complete and not match.repairs and shown.end >= 0:
            return match.span() == (shown.start, shown.end)
        return _same(shown.machine.snapshot(), match.value)

    def _answer(self) -> Match[Any] | None:
        if self._decoder is not None:
            self._keep(self._decode(b"", True))
        gaps = tuple(self._kept.gaps)
        try:
            if self._not_utf8 >= 0:
                raise InvalidJSONError("the bytes are not UTF-8", self._kept.text(), self._kept.inner(self._not_utf8), "encoding")
            match = self._scanner.search(self._kept.text())
        except JSONScanError as error:
            if gaps:
                relocate(error, gaps)
            giver = self._watch.giver
            if isinstance(error, TruncatedJSONError) and giver is not None and giver.end < 0:
                error.partial = self._less(error.partial)
                error.path = self._path(error.path)
            raise
        if match is None:
            return None
        match = placed(match, gaps)
        if self._given and self._gave_of(match):
            where = None if match.truncated_at is None else self._path(match.truncated_at)
            match = _like(match, value=self._less(match.value), truncated_at=where)
        return match

    def _gave_of(self, match: Match[Any]) -> bool:
        """Whether the answer is the value that items were handed out of."""
        giver = self._watch.giver
        if giver is None or match.start != giver.start or giver.end not in (-1, match.end):
            return False
        if giver.end < 0 and match.repairs and match.repairs[0].code == "root-array":  # an array of it and others
            return False
        value = giver.machine.snapshot()
        return all(_found_or_none(value, live) is given.array for live, given in self._given.items())

    def _other(self, match: Match[Any] | None) -> JSONScanError:
        """The answer is another value than the one that items were handed out of, or there is none."""
        if match is None:
            return NoJSONError("there is no answer, though items were handed out: what they stood in is none", self._kept.text(), 0)
        giver, gaps = self._watch.giver, tuple(self._kept.gaps)
        assert giver is not None
        machine = giver.machine
        end = giver.start + machine.base + machine.pos if giver.end < 0 else giver.end
        given = _like(match, value=machine.snapshot(), start=giver.start, end=end, complete=giver.end >= 0, truncated_at=None, _repairs=())
        both = tuple(sorted([given, match], key=lambda each: each.start))
        error = AmbiguousJSONError("the answer is another value than the one whose items were handed out", self._kept.text(),
                                   self._kept.inner(match.start), both)  # fmt: skip
        if gaps:
            error.lineno, error.colno = match.lineno, match.colno
        return error

    def _less(self, value: Any) -> Any:
        """The value without the items handed out whose text was kept."""
        for live, given in sorted(self._given.items(), key=lambda each: len(each[0])):
            array = _found_or_none(value, live)
            if isinstance(array, list):
                del array[: given.number - given.untexted]
        return value

    def _path(self, path: str) -> str:
        """A pointer as it is in the whole text."""
        places: list[str | int] = list(_places(path))
        for live, given in self._given.items():
            at = len(live)
            if len(places) > at and tuple(map(str, live)) == tuple(map(str, places[:at])) and (index := _index(places[at])) is not None:
                places[at] = index + given.untexted
        return pointer(places)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if kind is None:
            self.close()

    def __repr__(self) -> str:
        return f"<jsonscan.Stream {self.state}>"


def iter_items(chunks: Iterable[str | bytes], path: Path = "", **options: Any) -> Iterator[Any]:
    """The items of the array at `path` of the answer as they are finished, freed as they are handed out; the same however the text is cut.
    Where what stands before a value does not say that it may well be the answer, its items wait for the end. There it raises what
    `Stream.close` does, having handed out all there was, and `AmbiguousJSONError` or `NoJSONError` where the answer is another value after
    all, or none."""
    stream = Stream(**options)
    for chunk in chunks:
        yield from stream.feed(chunk).items(path)
    try:
        stream.close()
    except TruncatedJSONError:
        yield from stream.items(path)
        raise
    yield from stream.items(path)


async def astream(chunks: AsyncIterable[str | bytes], **options: Any) -> AsyncIterator[Any]:
    """The live value after each chunk once there is one, then the answer's. At the end it raises what `Stream.close` does."""
    stream = Stream(**options)
    async for chunk in chunks:
        if stream.feed(chunk).state != "searching":
            yield stream.value
    match = stream.close()
    if match is not None:
        yield match.value


class _Spine:
    """Where the value stood when the changes were last asked for: only what was open then can have changed since, and of that only the
    innermost container that is still open, and what is in it."""

    def __init__(self) -> None:
        self._shown: object = None  # what was shown
        self._repeats = 0
        self._levels: list[_Level] = []  # the containers open then
        self._places: list[str] = []  # the pointer to the innermost one, in parts
        self._prefix = ""  # and as a whole, up to as many parts
        self._prefixed = 0
        self._string: tuple[str | int, str] | None = None  # the string open then in it: its place, and as far as it was read

    def forget(self, level: int, array: list[Any], number: int) -> None:
        """The first items of the array at this level were taken out."""
        if level < len(self._levels) and (noted := self._levels[level]).container is array:
            noted.seen = max(0, noted.seen - number)
            noted.gone += number
            if self._string is not None and level + 1 == len(self._levels):
                place = cast("int", self._string[0]) - number
                self._string = (place, self._string[1]) if place >= 0 else None

    def delta(self, stream: Stream, append: bool) -> list[Operation]:
        value, shown = stream.value, stream._shown if stream._source is not None else stream._match
        repeats = stream._source.repeats if stream._source is not None else 0
        sighting = stream._shown if stream._source is not None else None
        if shown is not self._shown or repeats != self._repeats:
            operations: list[Operation] = [{"op": "replace", "path": "", "value": _copied(value)}]
            self._levels, self._places, self._string, self._prefixed = [], [], None, -1
            self._shown, self._repeats = shown, repeats
            if sighting is not None:
                self._note(sighting, value, stream._given if stream._is_given() else {})
            return operations
        if sighting is None or not self._levels:
            return []
        kept = self._kept(sighting)
        operations = self._grown(max(0, kept - 1), append)
        if kept < len(self._levels):
            del self._levels[kept:], self._places[max(0, kept - 1) :]
            self._string = None
        if operations and self._levels and self._string is None:  # else that string has grown, and all else is as it was
            self._note(sighting, value, stream._given if stream._is_given() else {})
        return operations

    def _kept(self, sighting: Sighting) -> int:
        """How many of the containers noted are still open. O(those that are not, and those that are new)."""
        machine, levels = sighting.machine, self._levels
        if sighting.end >= 0:
            return 0
        depth, most = machine.depth, 1
        while True:
            frames = machine.frames(most)
            at = depth - len(frames)
            if at == 0 or (at < len(levels) and levels[at].start == frames[0][1]):
                break
            most *= 2
        count(len(frames))
        kept = at
        while kept < min(depth, len(levels)) and levels[kept].start == frames[kept - at][1]:
            kept += 1
        return kept

    def _grown(self, since: int, append: bool) -> list[Operation]:
        """What has changed in the containers noted from this level on."""
        operations: list[Operation] = []
        levels = self._levels
        count(len(levels) - since)
        for depth in range(since, len(levels)):
            level = levels[depth]
            container, seen, gone = level.container, level.seen, level.gone
            if depth + 1 == len(levels) and self._string is not None:
                place, old = self._string
                text = container[place]  # type: ignore[index]
                if len(text) > len(old):
                    where = self._pointer(depth, place, gone)
                    operations.append({"op": "append", "path": where, "value": text[len(old) :]} if append else
                                      {"op": "replace", "path": where, "value": text})  # fmt: skip
                    self._string = place, text
            if len(container) > seen:
                if depth + 1 == len(levels):
                    self._string = None
                for place, member in _members(container, seen):
                    operations.append({"op": "add", "path": self._pointer(depth, place, gone), "value": _copied(member)})
                level.seen = len(container)
        return operations

    def _pointer(self, depth: int, place: str | int, gone: int) -> str:
        if self._prefixed != depth:
            self._prefix, self._prefixed = "".join(self._places[:depth]), depth
        return self._prefix + pointer([place + gone if isinstance(place, int) else place])

    def _note(self, sighting: Sighting, value: Any, given: dict[tuple[str | int, ...], _Given]) -> None:
        """Note the containers that were opened since, and the string that is open."""
        machine, levels = sighting.machine, self._levels
        self._string = None
        if sighting.end >= 0:
            return
        path, in_string = sighting.place()
        count(len(path))
        if len(levels) < machine.depth:
            frames, gones = machine.frames(), {id(each.array): each.number for each in given.values()}
            if not levels:
                levels.append(_Level(value, frames[0][1], gones.get(id(value), 0)))
            for depth in range(len(levels), machine.depth):
                parent, place = levels[-1], path[depth - 1]
                container = _found_or_none(parent.container, [place])
                if not isinstance(container, (dict, list)):
                    break  # what is being read is dropped: its name has a value, and the first one stays
                self._places.append(pointer([place + parent.gone if isinstance(place, int) else place]))
                levels.append(_Level(container, frames[depth][1], gones.get(id(container), 0)))
            self._prefixed = -1
        if in_string and len(levels) == machine.depth:
            text = _found_or_none(levels[-1].container, path[-1:])
            self._string = (path[-1], text) if isinstance(text, str) else None


class _Level:
    """A container that was open, the offset where it was, how many members it had, and how many had been taken out of it."""

    __slots__ = ("container", "gone", "seen", "start")

    def __init__(self, container: dict[str, Any] | list[Any], start: int, gone: int) -> None:
        self.container, self.start, self.gone = container, start, gone
        self.seen = len(container)


def _members(container: dict[str, Any] | list[Any], since: int) -> Iterable[tuple[str | int, Any]]:
    if isinstance(container, list):
        return list(enumerate(container[since:], since))
    names = list(islice(reversed(container), len(container) - since))
    return [(name, container[name]) for name in reversed(names)]


def _places(path: Path) -> tuple[str | int, ...]:
    """The names and indices of a JSON Pointer, or those given."""
    if not isinstance(path, str):
        return tuple(path)
    if path and path[0] != "/":
        raise ValueError(f"a JSON Pointer is empty or starts with a slash, not {path!r}")
    return tuple(place.replace("~1", "/").replace("~0", "~") for place in path.split("/")[1:])


_INDEX = Pattern(r"0|[1-9][0-9]{0,18}")


def _index(place: str | int) -> int | None:
    if isinstance(place, int):
        return place
    return int(place) if _INDEX.fullmatch(place) else None


def _is_open(sighting: Sighting, live: list[str | int], value: Any) -> bool:
    """Whether this value, which stands at a place of what was met, may still become another: it is being read, or a scalar that no comma
    and no closer follows (SNAP-8)."""
    if sighting.end >= 0:
        return False
    path, in_string = sighting.place()
    if path[: len(live)] != live:
        return False
    is_last = in_string or (sighting.machine.phase == "next" and not isinstance(value, (dict, list)))
    return len(live) < sighting.machine.depth or (is_last and len(path) == len(live))


def _emptied(array: list[Any], number: int) -> list[Any]:
    """The first items, taken out."""
    taken = array[:number]
    del array[:number]
    return taken


def _found_or_none(value: Any, places: Iterable[str | int]) -> Any:
    try:
        return _found(value, places)
    except LookupError:
        return None


def _found(value: Any, places: Iterable[str | int]) -> Any:
    """The value at a place. Raises LookupError."""
    for place in places:
        if isinstance(value, dict):
            value = value[place]
        elif isinstance(value, list) and (index := _index(place)) is not None and index >= 0:
            value = value[index]
        else:
            raise LookupError(place)
    return value


def _normal(value: Any, places: Iterable[str | int]) -> list[str | int]:
    """The same places, with indices as integers where there are arrays."""
    normal: list[str | int] = []
    for place in places:
        place = cast("int", _index(place)) if isinstance(value, list) else place
        value = value[place]  # pyright: ignore[reportCallIssue, reportArgumentType]
        normal.append(place)
    return normal


def _copied(value: Any) -> Any:
    """A deep copy, of any depth."""
    if not isinstance(value, (dict, list)):
        return value
    root: Any = type(value)()
    stack: list[tuple[Any, Any]] = [(value, root)]
    while stack:
        old, new = stack.pop()
        for place, member in old.items() if isinstance(old, dict) else enumerate(old):
            made = member
            if isinstance(member, (dict, list)):
                made = type(member)()
                stack.append((member, made))
            if isinstance(new, dict):
                new[place] = made
            else:
                new.append(made)
    return root


def _same(one: Any, other: Any) -> bool:
    """Whether two values are the same, of the same types and order, at any depth."""
    stack = [(one, other)]
    while stack:
        one, other = stack.pop()
        if type(one) is not type(other):
            return False
        if not isinstance(one, (dict, list)):
            if one != other:
                return False
        elif len(one) != len(other) or (isinstance(one, dict) and list(one) != list(other)):
            return False
        else:
            stack += zip(one.values(), other.values()) if isinstance(one, dict) else zip(one, other)
    return True


def _like(match: Match[Any], **changes: Any) -> Match[Any]:
    made = object.__new__(type(match))
    for name in [*Match.__slots__, *type(match).__slots__]:
        object.__setattr__(made, name, changes[name] if name in changes else getattr(match, name))
    return made
