"""Which value to show while a text arrives: the walk of `answers.py` as far as it can be told from what came before.

Every decision is a function of the text so far, never of how it was cut (conformance/STREAM.md, LIVE-1 to LIVE-9): what cannot be
decided yet waits, at a place from which it is decided afresh when there is more; how long that can be is bounded. At most one value is
being read at a time, and then nothing else is done with the text. After a fault nothing more is decided: what was read stays shown
until `Stream.close`, which asks the library.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from .choosing import Behind, is_no_answer, label_of, said
from .landmarks import _CHANNEL_END, _CLOSING, _INFO, Fence, Landmarks, Tag, _starts_line, behind_mark
from .machine import Machine, count, mark
from .model import Options
from .patterns import Pattern
from .shapes import (
    BLANK,
    DRAFT,
    GOES_ON,
    IN_TAG,
    INTRODUCTION,
    KEY,
    LINE_END,
    LINE_HEAD,
    PLAIN_VALUE,
    RUN_OF_BRACES,
    STRICT_KEY,
)

IN_FENCE, ON_LINES, IN_OTHER_FENCE, IN_LINE, NARRATED = range(5)  # rule RANK-1

VALUE: Final = ("value", "first-value")

_LOOK_BACK: Final = 1024  # characters kept before the place where the walk stands: more than any rule looks back
PIECE: Final = 4096  # characters taken at once
_WAITING: Final = 1 << 14  # characters without a landmark that are left for later
_TAG_ROOM: Final = 512
_CHANNEL_ROOM: Final = 411  # what _CHANNEL_SO_FAR takes at most
_COLONS: Final = 8  # that a first name may hold
_NAME_ROOM: Final = 1024  # for a first name that is strict
_BRACES: Final = 16  # in a row
_CITED: Final = 16  # numbers that a citation holds at most, where its items are wanted
_WIDEST: Final = 64  # of the runs of marks that may be a fence's
_NEWS = Pattern(r"[\[{｛<◁`~]")
_S = r"[\s\ufeff\u200b-\u200f\u2060\u2581]"
_KEY_SO_FAR = Pattern(
    rf"{_S}{{0,256}}(?:\\|[\"'`“”„‟«‘‚’＂＇「『][^\n]{{0,256}}|[\w$@][\w$@.\- ]{{0,63}}[\"'”’]?{_S}{{0,64}})?\Z"
)
_STRICT_KEY_SO_FAR = Pattern(r'\{[ \t\r\n]*(?:"[^"\\\n]*(?:\\.[^"\\\n]*)*(?:\\|"[ \t\r\n]*)?)?\Z')
_COLON = Pattern(r"[:：=}]")
_VALUE_SO_FAR = Pattern(rf"{_S}{{0,256}}[-+.\w]{{0,40}}{_S}{{0,64}}")
_FIRST = Pattern(r"\s*")
_WORD = Pattern(r"\w*")
_ELEMENT_WORDS: Final = frozenset(["true", "false", "null", "None", "True", "False", "NaN"])
_TAG_SO_FAR = Pattern(
    r"(?:<[|｜]?/?[|｜]?(?:[A-Za-z][\w:.▁-]{0,63}[^<>\n]{0,256})?|\[/?(?:[A-Z][A-Z_]{0,31})?|◁/?(?:[A-Za-z]\w{0,31})?)\Z"
)
_CHANNEL_SO_FAR = Pattern(r"<\|channel\|>(?:(?!<\|message\|>)[^\n]){0,400}\Z")
_INLINE_OPENS = Pattern(r"[\w+./-]{0,24}[ \t]{0,64}[\[{]")
_INLINE_SO_FAR = Pattern(r"[\w+./-]{0,24}[ \t]{0,64}\Z")
_INFO_LINE_SO_FAR = Pattern(rf"[^\n`]{{0,{_TAG_ROOM}}}\Z")
_OPENS_TAG = Pattern(r"[<\[◁]")
_NUMBER = Pattern(r"[0-9.eE+-]*")


class Sighting:
    """A value that was met. `start` and `end` are offsets into the whole text; `before` and `after` are what stands next to it. `broken`
    is, behind a fault, whether a string was at fault that is shown, and by how much the machine counts it too many. The place itself is
    asked for each time: items that are taken out move it. `is_emptied`: there were such, of the array that it is."""

    __slots__ = ("after", "before", "broken", "end", "in_answer", "introduced", "is_array", "is_emptied", "machine", "on_line", "rank",
                 "start")  # fmt: skip

    def __init__(self, start: int, is_array: bool, machine: Machine) -> None:
        self.start, self.is_array, self.machine = start, is_array, machine
        self.end = -1  # of the value, once it is complete
        self.before = self.after = ""
        self.rank = ON_LINES
        self.in_answer = self.on_line = self.introduced = self.is_emptied = False
        self.broken: tuple[bool, int] | None = None

    def place(self) -> tuple[list[str | int], bool]:
        """Where the value is being read, and whether that is a string that is not finished."""
        machine = self.machine
        path = machine.path()
        if self.broken is None:
            return path, machine.in_string and machine.phase in VALUE
        in_string, surplus = self.broken
        if surplus:
            path.append(int(path.pop()) - surplus)
        return path, in_string

    def end_broken(self, string: str | None) -> None:
        """Stand where the machine met a fault; `string` is what it had decoded of the string that is at fault."""
        self.broken = string is not None, 0
        if string is None:
            return
        place, container = self.innermost()
        if isinstance(container, list) and len(container) == place:
            container.append(string)
            self.broken = True, 1
        else:
            container[place] = string  # pyright: ignore[reportCallIssue, reportArgumentType]

    def innermost(self) -> tuple[str | int, Any]:
        """The innermost container that is open, and the place in it of the value being read."""
        path, container = self.machine.path(), self.machine.snapshot()
        for place in path[:-1]:
            container = container[place]
        return path[-1], container

    @property
    def standing(self) -> tuple[bool, int]:
        """RANK-1: the least is shown."""
        return not self.in_answer, self.rank


class Watch:
    """The walk. `take` gives it text; where `feed` is not None the value being read takes the text first, and `stopped` is told what it
    said unless that was nothing."""

    def __init__(self, options: Options, text_of: Callable[[int, int], str]) -> None:
        self.options = options
        self._text_of = text_of  # gives a piece of the text that arrived and was kept
        self.feed: Callable[[str], str] | None = None
        self.thought: list[list[int]] = []  # reasoning that is surely set aside, in whole offsets; -1: it has not ended
        self.frozen = False
        self.values = 0  # that were read to their end
        self.giver: Sighting | None = None  # the value that items are handed out of before the end
        self._best: Sighting | None = None
        self._doubtful: Sighting | None = None  # it opens a line, and whether it opens a value as well is not known yet
        self._reader: Sighting | None = None
        self._number: list[str] | None = None  # pieces of a long number
        self._tail = ""  # the text from `_base` on; what is before `_at` has been decided
        self._base = self._at = 0
        self._pieces: list[str] = []  # text behind that, without landmarks
        self._waiting = 0
        self._fence: Fence | None = None  # the one that is open, in whole offsets
        self._reasoning = ""  # the name that closes it
        self._answer = ""  # the name that closes it
        self._tag_end = -1
        self._plain = True  # there was no landmark so far but reasoning
        self._follows: Sighting | None = None  # it ended just now, so `after` is not known yet

    @property
    def shown(self) -> Sighting | None:
        best, doubtful = self._best, self._doubtful
        if doubtful is not None and self._fits(doubtful) and (best is None or doubtful.standing < best.standing):
            return doubtful
        return best if best is not None and not self._is_withdrawn(best) else None

    def is_idle(self) -> bool:
        """Whether what arrives now is neither being read nor kept for a decision about something broken."""
        return self._reader is None and not self.frozen

    def take(self, text: str) -> None:
        """Go on with more text. What is left behind a value is cut out of its piece, so pieces are short: however many values one holds,
        little is copied for each."""
        for at in range(0, len(text), PIECE):
            self._take_piece(text[at : at + PIECE])

    def _take_piece(self, text: str) -> None:
        if self.frozen:
            return
        reader = self._reader
        if reader is not None:
            if self._number is not None:
                self._number.append(text)
                if _NUMBER.fullmatch(text):
                    return
                text, self._number = "".join(self._number), None
            self.stopped(reader.machine.feed(text))
            return
        self._pieces.append(text)
        self._waiting += len(text)
        pending = self._at < self._base + len(self._tail) or self._follows is not None
        if pending or self._waiting > _WAITING or _NEWS.search(text) or (self._reasoning and ">" in text):
            self._walk()

    def freeze(self) -> None:
        self.frozen, self.feed = True, None

    def _break(self, reader: Sighting) -> None:
        """The value being read has a fault."""
        self.freeze()
        machine = reader.machine
        string = None
        if machine.fault in ("escape", "control") and machine.phase in VALUE:
            start = reader.start + machine.base
            text = self._text_of(start + machine.token, start + machine.pos)
            part = Machine(text, 0, controls=self.options.repair != "off")
            part.run(False)
            string = part.snapshot()
        elif machine.fault == "unexpected" and machine.phase == "next" and machine.text[machine.pos - 1 : machine.pos].isdigit():
            self._take_back(reader)
        reader.end_broken(string)

    def _take_back(self, reader: Sighting) -> None:
        """What does not end a number touches it: none appears (SNAP-3), and a value before it under the same name stays."""
        machine = reader.machine
        _, pos = machine.retract()
        place, container = reader.innermost()
        if isinstance(container, dict):
            start = machine.frames(1)[0][1]
            before = self._machine(self._text_of(reader.start + start, reader.start + machine.base + pos))
            before.run(False)
            members = before.snapshot()
            if place in members:
                container[place] = members[place]
            else:
                container.pop(place, None)

    def _machine(self, text: str) -> Machine:
        options, limits = self.options, self.options.limits
        return Machine(text, 0, max_depth=limits.max_depth or 0, max_digits=limits.max_digits or 0, big_int=options.big_int,
                       duplicates=options.duplicate_keys, controls=options.repair != "off")  # fmt: skip

    def stopped(self, stop: str) -> None:
        """What the value being read said to some text; if that was its end, go on behind it."""
        self._stopped(stop)
        if self._reader is None and not self.frozen:
            self._walk()

    def _stopped(self, stop: str) -> None:
        """The same, without going on: for the walk, which does that itself."""
        reader = self._reader
        assert reader is not None
        machine = reader.machine
        self.feed = machine.feed
        if stop == "starved" and not machine.in_string and len(machine.text) - machine.pos > 32:
            self.feed, self._number = None, []  # only a number can be that long; it is read again when all of it is there
        elif stop == "fault":
            self._break(reader)
        elif stop == "done":
            self.feed = self._reader = None
            self.values += 1
            reader.end = reader.start + machine.base + machine.pos
            self._tail, self._base, self._at = machine.text[machine.pos :], reader.end, reader.end
            self._follows = reader
            self._choose(reader)
            self._look_after()

    # -- the walk; offsets are whole, positions are in `_tail`

    def _walk(self) -> None:
        self._tail += "".join(self._pieces)
        self._pieces.clear()
        self._waiting = 0
        self._look_after()
        while self._reader is None and not self.frozen:
            at = self._at - self._base
            if self._reasoning:
                if not self._leave(at):
                    break
                continue
            start = mark(self._tail, at)
            count(start - at + 1)
            if start == len(self._tail):
                last = self._tail[max(at, len(self._tail) - 2) :]
                half = len(last) - len(last.rstrip("`~"))  # of a run of marks that may go on
                self._at = self._base + len(self._tail) - half
                break
            behind = self._pass(start)
            if behind < 0:
                self._at = self._base + start
                break
            if self._reader is None and not self.frozen and behind:
                self._at = self._base + behind
        if self._reader is None and self._at - self._base > 2 * _LOOK_BACK:
            cut = self._at - self._base - _LOOK_BACK
            self._tail, self._base = self._tail[cut:], self._base + cut

    def _look_after(self) -> None:
        """How the line of the value shown goes on."""
        ended = self._follows
        if ended is not None and self._base <= ended.end:
            ended.after = self._tail[ended.end - self._base :][:256]
            if len(ended.after) == 256 or "\n" in ended.after:
                self._follows = None

    def _pass(self, start: int) -> int:
        """The position behind a landmark, -1 where it is not known yet what it is, 0 where a value is being read."""
        char, end = self._tail[start], behind_mark(self._tail, start)
        if char in "`~":
            self._plain = False
            return self._pass_fence(start, end)
        if char == "｛":
            self._plain = False
            return end
        if char != "{" and (behind := self._pass_tag(start)):
            is_array = char == "[" and behind < 0 and self._opens_array(start, *self._place(start)) is None
            self._doubtful = self._doubt(start) if is_array else None
            return behind
        if char in "[{":
            self._plain = False
            return self._pass_bracket(start)
        return end

    # -- fences

    def _pass_fence(self, start: int, end: int) -> int:
        text, fence, width = self._tail, self._fence, end - start
        if (start and text[start - 1] == text[start]) or width > _WIDEST:
            return end  # the rest of a run too wide, or such a run
        if end == len(text):
            return -1
        starts = _starts_line(text, start) and (self._base == 0 or start >= 4)
        if fence is not None and text[start] == fence.info[-1] and width >= fence.width:
            line, line_feed, _ = text[end : end + _TAG_ROOM].partition("\n")
            if self._is_next(start) or (line_feed and not line.strip()):
                self._fence = None
                return end
            if not line.strip() and len(line) < _TAG_ROOM:
                return -1
        if not starts and (text[start] == "~" or not _INLINE_OPENS.match(text, end)):
            return -1 if text[start] == "`" and _INLINE_SO_FAR.match(text, end) else end
        info = _INFO.match(text, end)
        assert info is not None
        content = info.end()
        if content - end > _TAG_ROOM:
            return end
        if text[content : content + 1] not in ("{", "["):
            if _INFO_LINE_SO_FAR.match(text, content):
                return -1
            line_end = text.find("\n", content, content + _TAG_ROOM + 1)
            if line_end < 0 or "`" in text[content:line_end]:
                return end
            content = line_end + 1
        word = info[1].lower()
        self._fence = Fence(self._base + start, self._base + content, -1, -1, width, word + text[start])
        return content

    def _is_next(self, start: int) -> bool:
        """FENCE-6: is there nothing but blanks between the last value and this position?"""
        best = self._best
        ended = self._follows or best
        return ended is not None and 0 <= ended.end - self._base <= start and not self._tail[ended.end - self._base : start].strip()

    def _fence_rank(self) -> int:
        fence = self._fence
        assert fence is not None
        plain = fence._replace(info=fence.info[:-1])
        return IN_FENCE if plain.is_json else IN_OTHER_FENCE

    # -- tags

    def _pass_tag(self, start: int) -> int:
        text = self._tail
        if _TAG_SO_FAR.match(text, start) or _CHANNEL_SO_FAR.match(text, start):
            return -1
        back = max(0, start - 1)
        tag = Landmarks(text[back : start + _CHANNEL_ROOM]).tag_at(start - back)
        if tag is None:
            return 0
        end = back + tag.end
        if end == len(text):
            return -1  # a quote may follow, and then it is only mentioned
        self._tag_end = self._base + end
        if tag.role == "reasoning" or (tag.role == "quoted" and not tag.closes):
            return self._pass_reasoning(tag, start, end)
        self._plain = False
        if tag.role == "answer":
            if not tag.closes:
                self._answer = tag.name
            elif tag.name == self._answer:
                self._answer = ""
        return end

    def _pass_reasoning(self, tag: Tag, start: int, end: int) -> int:
        if tag.closes:  # all before was reasoning
            self._best = self._follows = None
            self._plain = False
            return end
        is_details = self._tail.startswith("<details", start)
        self._reasoning = "details" if is_details else tag.name
        line = self._tail[:start].rpartition("\n")
        opens_line = not line[2].strip() and (bool(line[1]) or not self._base)
        if self._plain and not is_details and (opens_line or tag.name[0] == "|"):
            self.thought.append([self._base + end, -1])
        self._plain &= opens_line and not is_details
        return end

    def _leave(self, at: int) -> bool:
        """Go behind the reasoning, if its end is there."""
        text = self._tail
        if self._reasoning[0] == "|":
            found = _CHANNEL_END.search(text, at)
            span = (found.start(), found.start()) if found else None
        else:
            span = next((each.span() for each in _CLOSING.finditer(text, at) if _closing_name(each) == self._reasoning), None)
        count(len(text) - at)
        if span is None:
            opening = _OPENS_TAG.search(text, max(at, len(text) - _TAG_ROOM))
            self._at = self._base + (opening.start() if opening else len(text))
            return False
        if self.thought and self.thought[-1][1] < 0:
            self.thought[-1][1] = self._base + span[0]
        self._reasoning = ""
        self._at = self._base + span[1]
        self._tag_end = self._at
        return True

    # -- brackets

    def _pass_bracket(self, start: int) -> int:
        opens = (self._opens_object if self._tail[start] == "{" else self._opens_array)(start, *self._place(start))
        if opens is not True:
            self._doubtful = self._doubt(start) if opens is None else None
            return start + 1 if opens is False else -1
        sighting = self._doubtful or self._sight(start, *self._place(start))
        self._doubtful = None
        self._reader = sighting
        if self._fits(sighting) and self._outranks(sighting):
            self._show(sighting)
        rest, self._tail = self._tail[start + 1 :], ""
        self._stopped(sighting.machine.feed(rest))
        return 0

    def _place(self, start: int) -> tuple[bool, bool]:
        """Whether what stands here opens a line, and whether it is introduced."""
        return self._starts_line(start), INTRODUCTION.search(self._tail, max(0, start - 24), start) is not None

    def _doubt(self, start: int) -> Sighting | None:
        """A bracket of which it is not known whether it opens a value: it is shown where a value would stand by itself."""
        on_line, introduced = self._place(start)
        if not on_line and (self._tail[start] == "{" or not introduced):
            return None
        return self._doubtful or self._sight(start, on_line, introduced)

    def _sight(self, start: int, on_line: bool, introduced: bool) -> Sighting:
        text, machine = self._tail, self._machine(self._tail[start])
        machine.run(False)
        sighting = Sighting(self._base + start, text[start] == "[", machine)
        sighting.on_line, sighting.introduced, sighting.in_answer = on_line, introduced, bool(self._answer)
        sighting.before = text[max(0, start - 256) : start]
        rank = ON_LINES if on_line else IN_LINE
        sighting.rank = min(self._fence_rank(), rank) if self._fence is not None and on_line else rank
        if self._fence is not None and self._fence_rank() == IN_OTHER_FENCE:
            sighting.rank = IN_OTHER_FENCE
        return sighting

    def _opens_object(self, start: int, on_line: bool, introduced: bool) -> bool | None:
        """Whether a value opens here; None: not known yet."""
        text = self._tail
        if start and text[start - 1] in "$\\":
            return False
        run = RUN_OF_BRACES.match(text, start, start + _BRACES).end()  # type: ignore[union-attr]
        count(run - start)
        if text.count("{", start, run) == _BRACES:
            return False
        first = _FIRST.match(text, run).end()  # type: ignore[union-attr]
        if first == len(text):
            return None
        if text[first] in "/#*.…,":
            return on_line
        if STRICT_KEY.match(text, start, start + _NAME_ROOM):
            return True
        opens = self._opens_otherwise(start, run, on_line, introduced)
        count(min(len(text), start + _NAME_ROOM) - start)
        return None if opens is False and len(text) - start <= _NAME_ROOM and _STRICT_KEY_SO_FAR.match(text, start) else opens

    def _opens_otherwise(self, start: int, run: int, on_line: bool, introduced: bool) -> bool | None:
        """The same for a first name that may be written otherwise than JSON does, behind the braces that end at `run`."""
        text = self._tail
        for colon in _COLON.finditer(text, run, run + 1024):
            if not _KEY_SO_FAR.match(text, run, colon.start()):
                return False
            key = KEY.match(text, run, colon.end())
            count(colon.end() - run)
            if key is not None:
                return self._is_first_name(key, start, on_line, introduced)
            if colon.start() - run > _COLONS and text.count(":", run, colon.end()) > _COLONS:
                return False
        count(min(len(text), run + 512) - run)
        return None if _KEY_SO_FAR.match(text, run) else False

    def _is_first_name(self, key: re.Match[str], start: int, on_line: bool, introduced: bool) -> bool | None:
        text = self._tail
        if key["empty"] is not None:
            return on_line or introduced or self._joins(start)
        if key["bare"] is None:
            return True
        if not on_line and start and (text[start - 1].isalnum() or text[start - 1] in "_)}"):
            return False
        value = _VALUE_SO_FAR.match(text, key.end()).end()  # type: ignore[union-attr]
        if value == len(text):
            return None
        return PLAIN_VALUE.match(text, key.end(), value + 1) is not None

    def _opens_array(self, start: int, on_line: bool, introduced: bool) -> bool | None:
        text = self._tail
        if start and (text[start - 1].isalnum() or text[start - 1] in "_)]") and not self._joins(start):
            return False
        first = _FIRST.match(text, start + 1).end()  # type: ignore[union-attr]
        count(first - start)
        if first == len(text):
            return None
        char = text[first]
        if char in "{[\"'":
            return True
        if not (on_line or introduced):
            return False
        if char in "“‘„]/#" or char.isdigit():
            return True
        word = _WORD.match(text, first + (char == "-")).end()  # type: ignore[union-attr]
        if word == len(text):
            return None if word - first < _TAG_ROOM else False
        return text[first + 1].isdigit() if char == "-" else text[first:word] in _ELEMENT_WORDS

    def _joins(self, start: int) -> bool:
        """Does a value or a tag end right here?"""
        ended = self._follows or self._best
        return self._base + start in (self._tag_end, ended.end if ended is not None else -1)

    def _starts_line(self, start: int) -> bool:
        """LINE-1: nothing but blanks, a list mark, a tag or another value stands before it in its line."""
        text, fence = self._tail, self._fence
        if fence is not None and fence.content <= self._base + start and not text[max(0, fence.content - self._base) : start].strip():
            return True
        before = text[max(0, start - 256) : start]
        line = before.rpartition("\n")
        head = line[2].rstrip(BLANK)
        if (line[1] or (start < 256 and self._base == 0)) and (not head or LINE_HEAD.fullmatch(head)):
            return True
        if head[-1:] == ">" and IN_TAG.search(text, max(0, start - 256), start):
            return True
        if head[-1:] in ("▷", "]") and 0 <= self._tag_end - self._base <= start and not text[self._tag_end - self._base : start].strip():
            return True
        ended = self._follows or self._best
        return ended is not None and ended.on_line and 0 <= ended.end - self._base <= start and \
            not text[ended.end - self._base : start].strip(" \t,")

    # -- choosing

    def _fits(self, sighting: Sighting) -> bool:
        return self.options.expect != ("object" if sighting.is_array else "array")

    def _outranks(self, new: Sighting) -> bool:
        """Whether a value that opens is shown instead of the one before it."""
        best = self._best
        if best is None or self.options.select == "last" or self._is_withdrawn(best):
            return True
        return self.options.select in ("answer", "sole") and new.standing < self._settled(best)

    def _choose(self, new: Sighting) -> None:
        """Whether a value that is complete is shown instead of the one before it (SEL-2 to SEL-5)."""
        best, select = self._best, self.options.select
        if best is None or best is new or not self._fits(new):
            return
        if select == "largest":
            if new.end - new.start > best.end - best.start:
                self._show(new)
        elif select in ("answer", "sole"):
            old, value = best.machine.value, new.machine.value
            if value != {} and (old == {} or self._is_superseded(best, new)):
                self._show(new)

    def _show(self, sighting: Sighting) -> None:
        self._best = sighting
        if self.giver is None and self._gives(sighting):
            self.giver = sighting

    def _gives(self, sighting: Sighting) -> bool:
        """ITEM-1: does what stands before a value say that it may well be the answer?"""
        select = self.options.select
        if select not in ("answer", "sole"):
            return select == "first"
        return (sighting.in_answer or sighting.rank in (IN_FENCE, ON_LINES)) and said(_label(sighting), DRAFT) <= 0

    def may_be_cited(self, sighting: Sighting) -> bool:
        """ITEM-3: whether this array, of which nothing was handed out, may still turn out to be a citation."""
        if not sighting.is_array or sighting.rank in (IN_FENCE, IN_OTHER_FENCE):
            return False
        value = sighting.machine.snapshot()
        if len(value) > _CITED or not _is_citation(value):
            return False
        return "\n" not in sighting.after or self._is_withdrawn(sighting)

    def _is_superseded(self, best: Sighting, new: Sighting) -> bool:
        """SEL-3 to SEL-5: does what is said of these two leave out the first?"""
        value, label = new.machine.value, _label(new)
        if is_no_answer(value, label):
            return False
        behind = Behind()
        behind.add(value, label, new.standing)
        value, label = best.machine.value, _label(best)
        return behind.outdo(value, label) or behind.revise(value, label, self._settled(best))

    def _settled(self, best: Sighting) -> tuple[bool, int]:
        """The standing of a complete value, now that it is known how its line goes on."""
        if best.rank == ON_LINES and not LINE_END.match(best.after):
            return not best.in_answer, IN_LINE
        if best.rank == IN_LINE and not best.on_line and not best.introduced and GOES_ON.match(best.after):
            return not best.in_answer, NARRATED
        return best.standing

    def _is_withdrawn(self, best: Sighting) -> bool:
        """PROSE-4: an array in a line of prose that is cited, linked, or called is none."""
        if best.end < 0 or not best.is_array or best.rank in (IN_FENCE, IN_OTHER_FENCE):
            return False
        ends = LINE_END.match(best.after) is not None
        if best.on_line and ends:
            return False
        if not best.is_emptied and _is_citation(best.machine.value):
            return not (best.introduced and ends)
        return best.after.startswith("(")


def _closing_name(found: re.Match[str]) -> str:
    return (found[1] or found[2] or found[3] or "begin_of_thought").lower().replace("-", "_")


def _label(sighting: Sighting) -> str:
    return label_of(sighting.before, 0, len(sighting.before))


def _is_citation(value: list[Any]) -> bool:
    return all(type(each) is int and each >= 0 for each in value)
