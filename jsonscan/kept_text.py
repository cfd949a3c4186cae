"""The text of a stream, less what provably cannot change the answer, and the way back to offsets into the whole.

Two kinds of text are let go once there is much of it, and only while nothing broken stands before it:

- the middle of a stretch that holds no landmark at all, and of reasoning that stands before anything else: no rule looks further than
  `MARGIN` characters away from a landmark or from the ends of the text, but to ask whether there is a line feed, or anything but blanks,
  in between: one of each is kept on both sides (conformance/STREAM.md, KEEP-1 to KEEP-3);
- the text of items that `Stream.items` has handed out.
"""

from __future__ import annotations

from .errors import JSONScanError
from .machine import count, parse_at
from .model import Match, Repair, T_co
from .patterns import Pattern
from .records import NamedTuple
from .shapes import ELEMENT, KEY, OPEN_QUOTE, RUN_OF_BRACES

ROOM = 1 << 16  # characters that are kept whatever they are: so everything is kept of a response of common size
MARGIN = 1 << 13  # more than any rule looks ahead or back: the longest is the look at a first key, below 5,000

PIECES = 1 << 12  # texts that are kept as they came, before they become one: so short ones take no more room than long ones

_MARK = Pattern(r"[\[{｛<◁`~]")
_QUOTED = Pattern(rf"\W{{0,256}}[{OPEN_QUOTE}]")  # a quoted name may be of any length
_FILLED = Pattern(r"\S")


class Gap(NamedTuple):
    """Text that was let go: it stood before offset `at` of what is kept. Its length in code points, UTF-16 units, bytes of UTF-8 and
    line feeds."""

    at: int
    points: int
    units: int
    octets: int
    lines: int

    def joined(self, other: Gap) -> Gap:
        return Gap(self.at, *(mine + its for mine, its in zip(self[1:], other[1:])))


def _gap(at: int, text: str) -> Gap:
    octets = len(text.encode("utf-8", "surrogatepass"))
    return Gap(at, len(text), len(text.encode("utf-16-le", "surrogatepass")) // 2, octets, text.count("\n"))


class KeptText:
    """`pieces` is appended to. Offsets are into what is kept, unless they are called whole."""

    def __init__(self) -> None:
        self.gaps: list[Gap] = []
        self.pieces: list[str] = []
        self._checked = 0  # there is nothing broken before this offset
        self._is_stuck = False  # there is something broken at it, or it cannot be told
        self._fill("")

    def _fill(self, text: str) -> None:
        self._texts = [text]
        self._blocks: list[str] = []  # what many texts were joined to
        self._length = len(text)
        self._due = max(ROOM, 2 * len(text))

    def join(self) -> None:
        """Count the pieces in."""
        if self.pieces:
            text = "".join(self.pieces)
            self.pieces.clear()
            self._texts.append(text)
            self._length += len(text)
            if len(self._texts) >= PIECES:
                self._blocks.append("".join(self._texts))
                self._texts.clear()

    def text(self) -> str:
        self.join()
        self._texts = ["".join([*self._blocks, *self._texts])]
        self._blocks.clear()
        return self._texts[0]

    def piece(self, start: int, end: int) -> str:
        """The text between two places, in whole offsets. O(text kept)."""
        return self.text()[self.inner(start) : self.inner(end)]

    def whole_length(self) -> int:
        self.join()
        return self._length + sum(gap.points for gap in self.gaps)

    def is_full(self) -> bool:
        """Whether it has grown so much that to look for what may go pays: so all the looks together are O(text)."""
        self.join()
        return self._length >= self._due

    def hold(self) -> None:
        """Look again only when there is as much again: a value has been read, which to look would cost as much again."""
        self.join()
        self._due = max(self._due, 2 * self._length)

    def inner(self, whole: int) -> int:
        """The offset of a place that was kept."""
        for gap in self.gaps:
            if gap.at + gap.points > whole:
                break
            whole -= gap.points
        return whole

    def thin(self, thought: list[list[int]]) -> None:
        """Let go what may go. `thought`: where reasoning that is surely set aside stands, in whole offsets; -1: it has not ended."""
        text = self.text()
        thoughts = {self.inner(start): len(text) if end < 0 else self.inner(end) for start, end in thought}
        cuts: list[tuple[int, int]] = []
        at = self._checked
        while not self._is_stuck and at < len(text):
            mark = _MARK.search(text, at)
            quiet_end = mark.start() if mark else len(text)
            cuts += _middle(text, at, quiet_end)
            if mark is None or len(text) - quiet_end < 2 * MARGIN:
                break
            at = mark.end()
            tag_end = next((start for start in thoughts if at < start <= at + 512), -1)
            if tag_end >= 0:
                cuts += _middle(text, tag_end, thoughts[tag_end])
                if thoughts[tag_end] == len(text):
                    at = mark.start()
                    break
                at = thoughts[tag_end]
            elif mark[0] in "{[｛":
                at = _harmless(text, mark.start())
                self._is_stuck = at < 0
                at = mark.start() if at < 0 else at
        count(len(text) - self._checked)
        gone = sum(min(end, at) - start for start, end in cuts if start < at)
        self.cut(cuts)
        self._checked = at - gone

    def cut(self, cuts: list[tuple[int, int]]) -> None:
        """Let go these parts, which do not overlap and come in text order."""
        text, pieces, last, kept = self.text(), [], 0, 0
        gaps: list[Gap] = []
        old = iter([*self.gaps, None])
        gap = next(old)
        for start, end in [*cuts, (len(text), len(text))]:
            while gap is not None and gap.at < start:
                gaps.append(gap._replace(at=gap.at - last + kept))
                gap = next(old)
            pieces.append(text[last:start])
            kept += start - last
            made = _gap(kept, text[start:end])
            while gap is not None and gap.at <= end:
                made = made.joined(gap)
                gap = next(old)
            if made.points:
                gaps.append(made)
            last = end
        self.gaps = gaps
        self._fill("".join(pieces))


def _middle(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """What may go of a stretch that the rules see only as something that lies between (KEEP-2)."""
    left, right = start + MARGIN, end - MARGIN
    if right - left < MARGIN:
        return []
    if not _FILLED.search(text, start, left):
        filled = _FILLED.search(text, left, right)
        left = filled.end() if filled else left
    if "\n" not in text[start:left] and (line := text.find("\n", left, right)) >= 0:
        left = line + 1
    if not _FILLED.search(text, right, end) and (length := len(text[left:right].rstrip())):
        right = left + length - 1
    if "\n" not in text[right:end] and (line := text.rfind("\n", left, right)) >= 0:
        right = line
    return [(left, right)] if left < right else []


def _harmless(text: str, start: int) -> int:
    """Where to look on behind a bracket that opens no value or one that reads strictly; -1 where it may be something broken (KEEP-3)."""
    if text[:start].strip() and not _may_open(text, start):
        return start + 1
    found = parse_at(text, start)
    return -1 if found is None or len(text) - found[1] < MARGIN else found[1]


def _may_open(text: str, start: int) -> bool:
    if text[start] == "[":
        return ELEMENT.match(text, start + 1) is not None
    run = RUN_OF_BRACES.match(text, start).end()  # type: ignore[union-attr]
    return _QUOTED.match(text, run) is not None or KEY.match(text, run) is not None


class StreamMatch(Match[T_co]):
    """A match in a text of which not all was kept. `start`, `end`, the other offsets, lines and columns are those in the whole text;
    `string` is what was kept of it, and `text` the text of the value in that. It equals a match that is the same in all but `string`."""

    __slots__ = ("gaps",)

    gaps: tuple[Gap, ...]

    def __init__(self, *state: object, gaps: tuple[Gap, ...] = ()) -> None:
        super().__init__(*state)  # type: ignore[arg-type]
        object.__setattr__(self, "gaps", gaps)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuilt, (self._state(), self.gaps)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Match):
            return NotImplemented
        return (self.text, self.lineno, self.colno, self.span_bytes, self._state()[1:]) == \
            (other.text, other.lineno, other.colno, other.span_bytes, other._state()[1:])

    def __hash__(self) -> int:
        return hash((self.start, self.end, self.text))

    def _inner(self) -> tuple[int, int]:
        return _inward(self.gaps, self.start, True), _inward(self.gaps, self.end, False)

    @property
    def text(self) -> str:
        start, end = self._inner()
        return self.string[start:end]

    def _span_in(self, encoding: str, unit: int) -> tuple[int, int]:
        at = 2 if unit == 2 else 3
        ends = []
        for inner, is_start in zip(self._inner(), (True, False)):
            lost = sum(gap[at] for gap in self.gaps if gap.at < inner or (is_start and gap.at == inner))
            ends.append(len(self.string[:inner].encode(encoding, "surrogatepass")) // unit + lost)
        return ends[0], ends[1]

    @property
    def lineno(self) -> int:
        return _line(self.string, self.gaps, self._inner()[0])

    @property
    def colno(self) -> int:
        return _column(self.string, self.gaps, self._inner()[0])


def _rebuilt(state: tuple[object, ...], gaps: tuple[Gap, ...]) -> StreamMatch[object]:
    return StreamMatch(*state, gaps=gaps)


def _inward(gaps: tuple[Gap, ...], whole: int, is_start: bool) -> int:
    for gap in gaps:
        if whole < gap.at + gap.points + (not is_start):
            break
        whole -= gap.points
    return whole


def _outward(gaps: tuple[Gap, ...], inner: int, is_start: bool) -> int:
    return inner + sum(gap.points for gap in gaps if gap.at < inner or (is_start and gap.at == inner))


def _line(text: str, gaps: tuple[Gap, ...], inner: int) -> int:
    return text.count("\n", 0, inner) + 1 + sum(gap.lines for gap in gaps if gap.at <= inner)


def _column(text: str, gaps: tuple[Gap, ...], inner: int) -> int:
    """A gap that holds a line feed has another behind it in what is kept (KEEP-2), so lengths are all that counts."""
    head = text.rfind("\n", 0, inner)
    return inner - head + sum(gap.points for gap in gaps if head < gap.at <= inner)


def placed(match: Match[T_co], gaps: tuple[Gap, ...]) -> Match[T_co]:
    """A match in what is kept as one in the whole text."""
    if not gaps:
        return match
    repairs = tuple(_moved(each, gaps) for each in match.repairs)
    start, end = _outward(gaps, match.start, True), _outward(gaps, match.end, False)
    return StreamMatch(match.string, match.value, start, end, match.source, match.fence, match.complete, match.truncated_at, repairs,
                       gaps=gaps)  # fmt: skip


def _moved(edit: Repair, gaps: tuple[Gap, ...]) -> Repair:
    start = _outward(gaps, edit.start, True)
    return Repair(edit.code, start, start + edit.end - edit.start, edit.removed, edit.inserted, edit.path, edit.risk)


def relocate(error: JSONScanError, gaps: tuple[Gap, ...]) -> None:
    """Lines and columns as in the whole text; `doc` is what was kept, and `pos` an offset into that."""
    error.lineno, error.colno = _line(error.doc, gaps, error.pos), _column(error.doc, gaps, error.pos)
    if isinstance(matches := getattr(error, "matches", None), tuple):
        error.matches = tuple(placed(match, gaps) for match in matches)  # type: ignore[attr-defined]
