"""The candidates: one walk over the landmarks of a text, which reads a value wherever one may start.

At each bracket that may open a value one is read, strictly first, then with the repairs allowed; the walk goes on behind what was read,
whether that succeeded or not. So it is linear: no character is read again but by the next, more tolerant, reading of the same value.
"""

from __future__ import annotations

import re
from typing import Any, Final

from .errors import LimitError
from .landmarks import Bracket, Fence, Landmarks, Tag
from .machine import count, parse_at
from .model import Level, Limits, Options, Repair, Source
from .records import replace
from .repairs import Begun, Outlook, Reading, begin, read, thorough
from .shapes import (
    ASSIGNED,
    BARE_LINE_END,
    BEHIND_PARAGRAPH,
    BLANK,
    BLANK_LINE,
    BY_WORDS,
    CALL_ELEMENT,
    CALL_HEAD,
    CALL_TAIL,
    CITATION,
    CLOSE_QUOTE,
    CLOSED_IN_LINE,
    CLOSERS_FOLLOW,
    COMMA,
    COMMA_LAST,
    CUT_KEY,
    ELEMENT,
    ENCLOSER_FOLLOWS,
    FENCE_END,
    GOES_ON,
    IN_STRING,
    IN_TAG,
    INLINE_ELEMENT,
    INTRODUCTION,
    KEY,
    LEADING_BLANK,
    LINE_END,
    LINE_HEAD,
    MEMBER,
    MEMBER_BEHIND_CLOSERS,
    NAME_OR_LIST_ENDS,
    NAMED_OR_LISTED,
    PART_FOLLOWS,
    PLAIN_VALUE,
    PREMATURE,
    RUN_OF_BRACES,
    SPACES,
    STATEMENT_END,
    STRICT_KEY,
    TAG_END,
    end_of,
)

STRICT, MENDED, GUESSED, CUT, BROKEN = range(5)  # how well a value reads; the order is that of rule RANK-2
IN_FENCE, ON_LINES, IN_OTHER_FENCE, IN_LINE, NARRATED = range(5)  # where it stands, RANK-1
ENCLOSED: Final = 256  # CAND-8: so far is looked back for what makes a value a part
IN_BRACKETS: Final = "this stands in brackets that cannot be read"
_SLACK: Final = 2048  # CAND-4: so that a short text is read thoroughly
MERGES: Final = 8  # CAND-5: how often a text is copied to read on behind a brace


class Candidate:
    """A value that may be the answer, or several that are joined (`parts`)."""

    __slots__ = ("complaint", "doubt", "end", "fence", "in_answer", "on_lines", "parts", "quality", "rank", "reading", "source", "start",
                 "value")  # fmt: skip

    def __init__(self, start: int, end: int, value: Any, quality: int, reading: Reading | None = None) -> None:
        self.start, self.end, self.value, self.quality, self.reading = start, end, value, quality, reading
        self.rank = ON_LINES
        self.source: Source = "prose"
        self.fence: str | None = None
        self.in_answer = False
        self.on_lines = False
        self.doubt = False  # by its label it is no answer, but what follows is perhaps none either (SEL-8)
        self.parts: list[Candidate] = []
        self.complaint: tuple[str, int] = ("", 0)  # about a broken value where no reading says it: message and offset

    def spoil(self, message: str, pos: int) -> None:
        """Make it a broken one, for a reason that its reading does not give."""
        self.value, self.quality, self.reading, self.complaint = None, BROKEN, None, (message, pos)


def unreadable(start: int, end: int, message: str, pos: int) -> Candidate:
    candidate = Candidate(start, end, None, BROKEN)
    candidate.spoil(message, pos)
    return candidate


class Search:
    """One walk over a text. `found` holds the candidates in text order; `thought` says whether reasoning was set aside."""

    def __init__(self, text: str, options: Options, begun: dict[int, Begun] | None = None) -> None:
        self.text, self.options = text, options
        self._begun = begun or {}  # strict reads that have been made already, by where they started
        self._lead = LEADING_BLANK.match(text).end()  # type: ignore[union-attr]
        end = end_of(text)
        self._last = text[end - 1 : end]
        count(self._lead + len(text) - end)
        self.marks = Landmarks(text)
        self._outlook = Outlook(len(text))
        self.found: list[Candidate] = []
        self.thought = False
        self._fences: list[Fence] = []  # those open at the landmark, outermost first
        self._left = -1  # the end of the one that was left last
        self._tag: Tag | None = None  # the last opening tag
        self._answer_end = -1  # of the answer tag that is open, if one is
        self._answer_from = 0  # index in `found` of the first candidate in it
        self._stretched = 0  # how far readings went that left their region
        self._run: tuple[int, int, re.Match[str] | None] = (0, 0, None)  # the last run of braces: from and to where, and the name behind it
        self.failed: set[int] = set()  # the brackets that were open where a strict read failed: none of them opens a strict value
        self._overlap = 0  # how much was read with level full behind candidates of CAND-4
        self._no_tuple_until = 0  # how far readings of parentheses went that came to nothing
        self._merged_until = 0  # how far readings went that left out a brace
        self._merges = 0  # those with repairs
        self._attempts = 0
        self._loose = False  # it shows neither, but its brackets enclose the whole text
        self._broken_until = -1  # the end of the region of the last broken value whose end is not known
        self._weak = False  # the object about to be read shows neither a quoted name nor a JSON value: prose unless it stands alone

    def run(self) -> list[Candidate]:
        pos = self._headless(0, len(self.text))
        while (mark := self.marks.next(pos)) is not None:
            while self._fences and mark.start >= self._fences[-1].end:
                self._left = self._fences.pop().end
            if isinstance(mark, Bracket):
                pos = self._bracket(mark)
            elif isinstance(mark, Fence):
                pos = self._enter(mark)
            else:
                pos = self._pass(mark)
        return self.found

    def _headless(self, pos: int, end: int) -> int:
        """ANS-5: what starts with a member is an object whose opening brace was not sent (it was prefilled)."""
        text = self.text
        start = LEADING_BLANK.match(text, pos).end()  # type: ignore[union-attr]
        if not MEMBER.match(text, start):
            return pos
        candidate = unreadable(start, end, "the opening brace is missing", start)
        if self.options.repair == "full":
            reading = read("{" + text[start:end], 0, end - start + 1, self.options, "full")
            if reading.stop in ("done", "starved"):
                reading = shifted(reading, start - 1)
                reading.start = start
                edits = unframed(text, reading.repairs, start, end)
                reading.repairs = (Repair("missing-opener", start, start, "", "{", "", "guess"), *edits)
                candidate = Candidate(start, reading.end, reading.value, GUESSED if reading.stop == "done" else CUT, reading)
        self._add(candidate, True, True)
        return candidate.end

    # -- landmarks: each method returns where the walk goes on

    def _enter(self, fence: Fence) -> int:
        self._fences.append(fence)
        if fence.start == self._left:  # these marks close a fence: what is behind them is no whole content of another
            return fence.content
        if fence.is_json and not self.found:
            headless = self._headless(fence.content, fence.end)
            if headless > fence.content:
                return headless
        if self.options.expect == "any":
            pos = self._scalar(fence.content)
            if pos > fence.content:
                return pos
        return self._tuple(fence) if fence.is_json and self.options.repair == "full" else fence.content

    def _tuple(self, fence: Fence) -> int:
        """KIND-3: parentheses that are the whole content of a JSON fence."""
        start = LEADING_BLANK.match(self.text, fence.content).end()  # type: ignore[union-attr]
        if start < self._no_tuple_until or not self.text.startswith("(", start, fence.end):
            return fence.content
        reading = self._limited(self._tolerantly(start, fence.end, "full"), start)
        is_whole = reading.stop == "done" and SPACES.match(self.text, reading.end).end() >= fence.end  # type: ignore[union-attr]
        is_one = isinstance(reading.value, list) and len(reading.value) == 1 and not COMMA_LAST.search(self.text, start, reading.end)
        if not is_whole or is_one:
            self._no_tuple_until = reading.covered
            return fence.content
        self._add(Candidate(start, reading.end, reading.value, GUESSED, reading), True, True)
        return reading.end

    def _pass(self, tag: Tag) -> int:
        if tag.role in ("reasoning", "quoted"):
            return self._set_aside(tag)
        if tag.closes:
            return tag.end
        self._tag = tag
        if tag.role == "answer":
            closing = self.marks.closing(tag)
            for each in self.found[self._answer_from :]:  # TAG-4: the tag before was only mentioned if this one stands inside it
                each.in_answer = each.in_answer and self._answer_end <= tag.start
            self._answer_end = closing[0] if closing else len(self.text)
            self._answer_from = len(self.found)
            if self.options.expect == "any":
                return self._scalar(tag.end)
        return tag.end

    def _set_aside(self, tag: Tag) -> int:
        """TAG-1 to TAG-3."""
        text = self.text
        if tag.closes:
            if tag.role == "reasoning":
                self.found.clear()
                self._answer_from, self._answer_end = 0, -1
                self.thought = True
            return tag.end
        closing = self.marks.closing(tag)
        if closing:
            self.thought = True
            return max(closing[1], tag.end)
        if tag.name[0] == "|" or _opens_line(text, tag.start):
            self.thought = True
            return len(text)
        return tag.end

    def _scalar(self, pos: int) -> int:
        """Under expect="any", a strict scalar that is the whole content of a fence or answer tag."""
        text = self.text
        content = LEADING_BLANK.match(text, pos).end()  # type: ignore[union-attr]
        if text[content : content + 1] not in ("", "{", "["):
            found = self._strict(content)
            if found and (FENCE_END.match(text, found[1]) or TAG_END.match(text, found[1])):
                self._add(Candidate(content, found[1], found[0], STRICT), True, True)
                return found[1]
        return pos

    def _bracket(self, mark: Bracket) -> int:
        text, start = self.text, mark.start
        self._weak = self._loose = False
        on_line = self._starts_line(start)
        if mark.char != "[":
            skipped = self._opens_object(start, on_line)
        else:
            skipped = self._opens_array(start, on_line)
        if skipped:
            return skipped
        self._attempts += 1
        limits = self.options.limits
        if limits.max_candidates is not None and self._attempts > limits.max_candidates:
            raise LimitError("too many places look like JSON", text, start, "max_candidates", limits.max_candidates)
        candidate, resume = self._read(start)
        if candidate.quality < CUT and self._is_enclosed(candidate):
            candidate.spoil(IN_BRACKETS, start)
        broken = candidate.quality >= CUT
        if broken and self._loose:
            return start + 1
        ends = broken or LINE_END.match(text, candidate.end) is not None or text.find("\n", candidate.start, candidate.end) >= 0
        if (self._weak and (broken or not ends)) or self._is_fragment(candidate):
            return resume
        self._add(candidate, on_line if candidate.start == start else self._starts_line(candidate.start), ends)
        fence = self._fences[-1] if self._fences else None
        if fence is not None and candidate.end <= fence.end:  # FENCE-6: marks right behind the value close its fence
            close = FENCE_END.match(text, candidate.end)
            if close and len(close[1]) >= fence.width:
                self._fences.pop()
                return close.end()
        return resume

    # -- admission: 0 where a value may open at `start`, else where the walk goes on

    def _opens_object(self, start: int, on_line: bool) -> int:
        text = self.text
        if text[start - 1 : start] in ("$", "\\") and start:
            return start + 1
        strict = STRICT_KEY.match(text, start)
        if strict is not None:
            count(strict.end() - start)
            return 0
        run, key = self._behind_braces(start)
        if key is None:
            self._loose = self._is_whole(start, "}")
            return 0 if self._loose or (CUT_KEY.match(text, run) and (on_line or self._introduced(start))) else run
        self._weak = key["bare"] is not None and not PLAIN_VALUE.match(text, key.end())
        if self._weak and not on_line and not self._fences:
            return run
        if key["bare"] is not None and not on_line and (text[start - 1].isalnum() or text[start - 1] in "_)}"):
            return run
        if key["empty"] is not None and not on_line and not self._joins(start) and not self._introduced(start):
            return run
        return 0

    def _behind_braces(self, start: int) -> tuple[int, re.Match[str] | None]:
        """Where the run of braces at `start` ends, and the name there. It is looked at once, though each of its braces may be visited."""
        since, end, key = self._run
        if not since <= start < end:
            end = RUN_OF_BRACES.match(self.text, start).end()  # type: ignore[union-attr]
            key = KEY.match(self.text, end)
            count(end - start + (key.end() - end if key else 1))
            self._run = start, end, key
        return end, key

    def _opens_array(self, start: int, on_line: bool) -> int:
        text = self.text
        before = text[start - 1] if start else " "
        holds_object = before.islower() and STRICT_KEY.match(text, start + 1)  # `functools[{"name": ...}]`
        if (before.isalnum() or before in "_)]") and not holds_object and not self._joins(start):
            return start + 1
        if on_line or self._introduced(start):
            if ELEMENT.match(text, start + 1) or (CALL_ELEMENT.match(text, start + 1) and self._is_whole(start, "]")):
                return 0
            meant = self.options.expect in ("any", "array") and self._is_whole(start, "]")
            self._loose = meant and not FENCE_END.match(text, start + 1)
            return 0 if self._loose else start + 1
        return 0 if INLINE_ELEMENT.match(text, start + 1) else start + 1

    def _is_whole(self, start: int, closer: str) -> bool:
        """Do this bracket and this closer enclose the whole text?"""
        return start == self._lead and self._last == closer

    # -- where a value stands

    def _joins(self, start: int) -> bool:
        """Does a value or a tag end right here?"""
        return bool(self.found and self.found[-1].end == start) or (self._tag is not None and self._tag.end == start)

    def _starts_line(self, start: int) -> bool:
        """LINE-1: nothing but blanks, a list mark, a tag or another value stands before it in its line."""
        text = self.text
        fence = self._fences[-1] if self._fences else None
        head = text[max(0, start - 256) : start].rpartition("\n")[2].rstrip(BLANK)
        last = start - 256 if start > 256 else 0
        if fence is not None and 0 <= start - fence.content < 256 and not text[fence.content : start].strip():
            return True
        if not head or LINE_HEAD.fullmatch(head):
            return "\n" in text[last:start] or not last
        if self._is_tag_end(start):
            return True
        left = self.found[-1] if self.found else None
        return left is not None and left.on_lines and start - left.end < 256 and not text[left.end : start].strip(" \t,")

    def _is_tag_end(self, start: int) -> bool:
        before = self.text[max(0, start - 256) : start].rstrip(BLANK)[-1:]
        tag = self._tag
        if before in ("▷", "]"):
            return tag is not None and start - tag.end < 256 and not self.text[tag.end : start].strip()
        return before == ">" and IN_TAG.search(self.text, max(0, start - 256), start) is not None

    def _introduced(self, start: int) -> bool:
        if INTRODUCTION.search(self.text, max(0, start - 24), start):
            return True
        if start >= 128 or not CALL_HEAD.fullmatch(self.text[:start]):
            return False
        return CALL_TAIL.search(self.text, max(start, len(self.text) - 64)) is not None

    def _add(self, candidate: Candidate, starts: bool, ends: bool) -> None:
        """Rank a candidate (RANK-1) and keep it, unless its place is one where no answer stands."""
        text, start, end = self.text, candidate.start, candidate.end
        fence = self._fences[-1] if self._fences else None
        tag = self._tag
        candidate.on_lines = starts and ends
        candidate.in_answer = start < self._answer_end
        if fence is not None:
            candidate.source, candidate.fence = "fence", fence.info
        elif tag is not None and start - tag.end < 256 and not text[tag.end : start].strip(BLANK):
            candidate.source = "tag"
        if fence is not None and not fence.is_json:
            candidate.rank = IN_OTHER_FENCE
            whole = ASSIGNED.fullmatch(text, fence.content, start) and STATEMENT_END.fullmatch(text, end, max(end, fence.end))
            if not whole and not (fence.is_text and candidate.on_lines):
                return
        elif (candidate.on_lines or (starts and candidate.source == "tag")) and not self._is_cited(candidate):
            candidate.rank = IN_FENCE if fence is not None else ON_LINES
        else:
            if text[start] == "[" and not self._is_inline_array(candidate):
                return
            candidate.rank = IN_LINE
            if not starts and not self._introduced(start) and GOES_ON.match(text, end):
                candidate.rank = NARRATED
        self.found.append(candidate)

    def _is_cited(self, candidate: Candidate) -> bool:
        """CAND-3: is it a citation directly behind a tag, whose line goes on?"""
        text, start, end = self.text, candidate.start, candidate.end
        if candidate.source != "tag" or text[start] != "[" or not CITATION.fullmatch(text, start, end):
            return False
        return not candidate.on_lines or CLOSED_IN_LINE.match(text, end) is not None

    def _is_inline_array(self, candidate: Candidate) -> bool:
        """PROSE-4."""
        text, start, end = self.text, candidate.start, candidate.end
        if CITATION.fullmatch(text, start, end):
            told = text.find(",", start, end) > 0 or not BY_WORDS.search(text, max(0, start - 24), start)
            return told and self._introduced(start) and LINE_END.match(text, end) is not None
        return candidate.quality <= GUESSED and not text.startswith("(", end)

    # -- reading

    def _strict(self, start: int) -> tuple[Any, int] | None:
        return read_strictly(self.text, start, self.options)

    def _tolerantly(self, start: int, end: int, level: Level, begun: Begun | None = None) -> Reading:
        return read(self.text, start, end, self.options, level, begun, self._outlook.until(end))

    def _read(self, start: int) -> tuple[Candidate, int]:
        """The value at `start`, and where the walk goes on."""
        begun = self._begun.pop(start, None) or begin(self.text, start, self.options)
        machine, stop = begun
        if stop == "done":
            return self._whole(start, machine.pos, machine.value)
        fault = machine.pos if stop == "fault" else -1
        self.failed.update(place for _, place in machine.frames())
        inner = self._independent(start, None, fault) if 2 * self._overlap > len(self.text) + _SLACK else None
        if inner is not None:
            return inner, inner.end
        region = self._region(start)
        level = self.options.repair
        reading = self._limited(self._tolerantly(start, region, level, begun), start)
        if reading.stop != "done" and level != "off" and region < len(self.text) and start >= self._stretched:
            reading = self._stretch(start, region, begun) or reading
        if reading.stop == "done":
            quality = MENDED if reading.safe else GUESSED
            if quality == MENDED:
                return Candidate(start, reading.end, reading.value, MENDED, reading), reading.end
        extent = reading if level == "full" or reading.stop == "starved" else self._tolerantly(start, region, "full")
        inner = self._independent(start, extent, fault)
        if inner is not None:
            self._overlap += max(0, extent.end - inner.end)
            return inner, inner.end
        if reading.stop == "done":
            if CLOSERS_FOLLOW.match(self.text, reading.end):
                return unreadable(start, reading.end, "text goes on behind the closing bracket", reading.end), reading.end
            return Candidate(start, reading.end, reading.value, GUESSED, reading), reading.end
        if reading.stop == "starved":
            return Candidate(start, region, reading.value, CUT, reading), max(region, start + 1)
        if extent.stop == "fault" and BEHIND_PARAGRAPH.search(self.text, max(start, extent.fault_pos - 256), extent.fault_pos):
            cut = self._cut_at(start, extent.fault_pos)
            if cut is not None:
                return cut, cut.end
        if extent.stop == "done":
            end = extent.end
        else:  # nobody can say where it ends: what stands in the same paragraph, or is followed by a comma or closer, is part of it
            end = self._paragraph_end(max(extent.covered, start + 1), region)
            self._broken_until = region
        return Candidate(start, end, None, BROKEN, reading), end

    def _whole(self, start: int, end: int, value: Any) -> tuple[Candidate, int]:
        """The same where the value reads strictly: CAND-5."""
        if self.text[start] != "{" or not PREMATURE.match(self.text, end):
            return Candidate(start, end, value, STRICT), end
        merged = self._merged(start, end) if self.options.repair == "full" else None
        if merged is not None:
            return merged, merged.end
        return unreadable(start, end, "members go on behind the closing brace", end), end

    def _cut_at(self, start: int, fault: int) -> Candidate | None:
        """TRUNC-2: prose follows in a paragraph of its own, so the value ended before it."""
        end = self.text.rfind("\n", start, fault)
        reading = read(self.text, start, end, self.options, self.options.repair)
        return Candidate(start, end, reading.value, CUT, reading) if reading.stop == "starved" else None

    def _merged(self, start: int, end: int) -> Candidate | None:
        """CAND-5: the object without the brace at `end - 1`, read on strictly, in pieces that double so as not to copy the rest."""
        if start < self._merged_until or self._is_named_or_listed(start):
            return None
        text, pos, size = self.text, end, 4096
        machine, stop = begin(text[start : end - 1], 0, self.options, False)
        piece = " "
        while stop == "starved" and pos < len(text):
            machine.extend(piece + text[pos : pos + size])
            pos, size, piece = pos + size, size * 2, ""
            stop = machine.run(False)
        self._merged_until = whole = start + machine.base + machine.pos
        if stop == "done":
            reading: Reading | None = Reading("done", machine.value, start, whole, (), covered=whole)
        else:
            reading = self._merged_tolerantly(start, end)
        if reading is None or PREMATURE.match(text, reading.end):
            return None
        edits = [replace(each, removed=text[each.start : each.end]) for each in reading.repairs]
        if edits and edits[0].start == start and edits[0].end >= end:  # a layer (LAYER-1), which holds the brace
            reading.repairs = tuple(edits)
        else:
            reading.repairs = (Repair("surplus-closer", end - 1, end, "}", "", "", "guess"), *edits)
        return Candidate(start, reading.end, reading.value, GUESSED, reading)

    def _merged_tolerantly(self, start: int, end: int) -> Reading | None:
        """The same with repairs. This copies the rest, so it is tried a few times only."""
        if self._merges == MERGES:
            return None
        self._merges += 1
        text = f"{self.text[start : end - 1]} {self.text[end:]}"
        reading = read(text, 0, len(text), self.options, "full")
        self._merged_until = max(self._merged_until, start + reading.covered)
        return shifted(reading, start) if reading.stop == "done" else None

    def _paragraph_end(self, pos: int, region: int) -> int:
        blank_line = BLANK_LINE.search(self.text, pos, region)
        end = blank_line.start() if blank_line else region
        count(end - pos)
        return end

    def _is_enclosed(self, candidate: Candidate) -> bool:
        """CAND-8: is it a member or an item in brackets that opened nothing? Then so are those that only commas part from it."""
        text, row, start = self.text, [], candidate.start
        if not ENCLOSER_FOLLOWS.match(text, candidate.end):
            return False
        for each in reversed(self.found):
            if start - each.end > 256 or not COMMA.fullmatch(text, each.end, start):
                break
            row.append(each)
            start = each.start
        if not self._is_named_or_listed(start) and not MEMBER_BEHIND_CLOSERS.match(text, candidate.end):
            return False
        for each in row:
            each.spoil(IN_BRACKETS, each.start)
        return True

    def _is_named_or_listed(self, start: int) -> bool:
        blanks = self.text[max(0, start - 65) : start]
        head = blanks.rstrip()
        count(len(blanks) - len(head) + 1)
        if head[-1:] not in NAME_OR_LIST_ENDS:  # nearly always
            return False
        before = max(0, start - ENCLOSED)
        count(start - before)
        return NAMED_OR_LISTED.search(self.text, before, start) is not None

    def _is_fragment(self, candidate: Candidate) -> bool:
        """CAND-1: does it look like a part of the broken value before it?"""
        return candidate.end <= self._broken_until and PART_FOLLOWS.match(self.text, candidate.end) is not None

    def _region(self, start: int) -> int:
        """Where a broken value at `start` must end: with its fence, before the next one, or where its tag closes."""
        if self._fences:
            end = self._fences[-1].end
        elif self._quotes_fences(start):
            end = len(self.text)
        else:
            end = self.marks.fence_after(start)
        tag = self._tag
        if tag is not None and start - tag.end < 256 and not self.text[tag.end : start].strip():
            closing = self.marks.closing(tag)
            if closing:
                end = min(end, closing[0])
        if start < self._answer_end:
            end = min(end, self._answer_end)
        end = max(end, start + 1)
        return end if self._outlook.has_room(start, end) else len(self.text)

    def _quotes_fences(self, start: int) -> bool:
        """FENCE-7: do this bracket and a quote with closers behind it enclose the whole text?"""
        return start == self._lead and self._last in ("}", "]") and self.text.rstrip(BLANK + "}]")[-1:] in CLOSE_QUOTE

    def _stretch(self, start: int, region: int, begun: Begun) -> Reading | None:
        """FENCE-7: the end of the region was inside a string, if a safe reading gets past it that way."""
        line = self.text.rfind("\n", start, region)
        if 0 <= line < begun[0].pos:  # strict reading has seen that it was not
            return None
        reading = thorough(self.text, start, self.options, "safe", 0, begun, self._outlook.until(len(self.text)))
        self._stretched = max(reading.covered, region)
        if reading.stop != "done":
            return None
        inside = line < 0 or any(repair.start <= line < repair.end for repair in reading.repairs)
        return reading if inside else None

    def _limited(self, reading: Reading, start: int) -> Reading:
        if reading.stop == "limit":
            raise limit_error(self.text, reading, self.options.limits)
        return reading

    def _independent(self, start: int, extent: Reading | None, fault: int) -> Candidate | None:
        """CAND-4: a strict object that starts inside a string of the broken value and ends past its fault, not inside its extent (None: it
        is not asked for that)."""
        text, pos = self.text, start + 1
        for found in IN_STRING.finditer(text, pos, max(fault, pos)):
            at = found.start()
            if at < pos or at in self.failed:
                continue
            machine, stop = begin(text, at, self.options)
            if stop != "done":
                self.failed.update(place for _, place in machine.frames())
                continue
            value, end = machine.value, machine.pos
            is_last = extent is None or end >= extent.end or extent.stop != "done"
            if end > fault and value and is_last and BARE_LINE_END.match(text, end) and not CLOSERS_FOLLOW.match(text, end):
                return Candidate(at, end, value, STRICT)
            pos = end
        return None


def _opens_line(text: str, pos: int) -> bool:
    """Whether nothing but blanks stands before `pos` in its line."""
    at = pos
    while at and text[at - 1] != "\n" and (text[at - 1].isspace() or text[at - 1] in BLANK):
        at -= 1
    count(pos - at)
    return not at or text[at - 1] == "\n"


def shifted(reading: Reading, by: int) -> Reading:
    """The same reading of a text in which it stands `by` later."""
    repairs = tuple(replace(each, start=each.start + by, end=each.end + by) for each in reading.repairs)
    return Reading(reading.stop, reading.value, reading.start + by, reading.end + by, repairs, reading.fault, reading.fault_pos + by,
                   reading.phase, reading.path, reading.covered + by)  # fmt: skip


def unframed(text: str, edits: tuple[Repair, ...], start: int, end: int) -> tuple[Repair, ...]:
    """The same edits without a bracket put before `start`, and one behind `end`: only a layer's holds them."""
    return tuple(
        replace(each, start=start, end=min(each.end, end), removed=text[start : min(each.end, end)],
                inserted=each.inserted[1 : -1 if each.end > end else None])
        if each.start < start else each for each in edits
    )  # fmt: skip


def read_strictly(text: str, start: int, options: Options) -> tuple[Any, int] | None:
    """The value that starts at `start` and its end, if it reads strictly."""
    limits = options.limits
    if options.big_int == "exact" and options.duplicate_keys == "last":
        found: tuple[Any, int] | None = parse_at(text, start, limits.max_depth or 0, limits.max_digits or 0)
        return found
    machine, stop = begin(text, start, options)
    return (machine.value, machine.pos) if stop == "done" else None


def limit_error(text: str, reading: Reading, limits: Limits) -> LimitError:
    bound = getattr(limits, reading.fault)
    return LimitError(f"the value passes the limit {reading.fault} = {bound}", text, reading.fault_pos, reading.fault, bound)
