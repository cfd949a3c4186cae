"""Which text is the answer: the rules of conformance/RULES.md, behind `loads`, `search`, `finditer`, `findall`, `fullmatch` and `repair`.

A search is one walk over the landmarks. At each bracket that may open a value (`_opens_object`, `_opens_array`) one value is read,
strictly first, then with the repairs allowed; the walk goes on behind what was read, whether that succeeded or not. What was found is
ranked when the walk is over. So all of it is linear: no character is read again but by the next, more tolerant, reading of the same value.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Final

from .errors import AmbiguousJSONError, InvalidJSONError, JSONScanError, LimitError, NoJSONError, TruncatedJSONError
from .landmarks import Bracket, Fence, Landmarks, Tag
from .machine import Machine, count, parse_at
from .model import Limits, Match, Options, Repair, Source
from .repairs import SAFE, Reading, read
from .whole_text import repaired

STRICT, MENDED, GUESSED, CUT, BROKEN = range(5)  # how well a value reads; the order is that of rule RANK-2
IN_FENCE, ON_LINES, IN_OTHER_FENCE, IN_LINE, NARRATED = range(5)  # where it stands, RANK-1

_BLANK: Final = " \t\n\r\f\v\u00a0\u200b\u200e\u200f\u2060\u2581\u3000\ufeff"
_LEADING_BLANK = re.compile(f"[{_BLANK}]*").match
_SPACE = r"(?:[\s\ufeff\u200b-\u200f\u2060\u2581]|\\[nrt])"
_SKIP = rf"{_SPACE}{{0,256}}(?:(?://|#)[^\n]{{0,160}}\n{_SPACE}{{0,256}}|/\*[^*]{{0,160}}\*/{_SPACE}{{0,256}}){{0,4}}"
_OPEN_QUOTE = "\"'`“”„‟«‘‚’＂＇「『"
_CLOSE_QUOTE = "\"'`“”‟»‘’＂＇」』"
_COLON = rf"{_SPACE}{{0,64}}(?:\*{{1,2}}{_SPACE}{{0,64}})?(?:=>|[:：=])"
_NAME = rf"[^{_CLOSE_QUOTE}\\\n]*(?:(?:\\.|(?<=\w)['’](?=\w))[^{_CLOSE_QUOTE}\\\n]*){{0,16}}"
_RUN_OF_BRACES = re.compile(rf"(?:[{{｛]{_SPACE}{{0,64}})+").match
_STRICT_KEY = re.compile(r'\{[ \t\r\n]*"[^"\\\n]*(?:\\.[^"\\\n]*)*"[ \t\r\n]*:').match
_KEY = re.compile(
    rf"{_SKIP}(?:(?P<empty>\}})|(?:(?:\.{{3}}|…|,){_SKIP}){{0,2}}\*{{0,2}}(?:"
    rf"(?P<quoted>\\{{0,4}}[{_OPEN_QUOTE}]{{1,2}}{_NAME}\\{{0,4}}[{_CLOSE_QUOTE}]{{1,2}}"
    rf"|[\"'“][^\"'“”\n:{{}}]{{1,80}}(?=:)){_COLON}"
    rf"|(?P<bare>[\w$@][\w$@.\- ]{{0,63}}[\"'”’]?){_COLON}))"
).match
_CUT_KEY = re.compile(rf"{_SKIP}(?:[{_OPEN_QUOTE}][^{_CLOSE_QUOTE}\n}}\]]{{0,256}}[{_CLOSE_QUOTE}]?{_SPACE}{{0,64}})?\Z").match
_PLAIN_VALUE = re.compile(
    rf"{_SKIP}(?:[\"'“‘„`{{\[]|[-+]?[\d.]+\w{{0,16}}{_SPACE}{{0,64}}[,}}\n]|(?:true|false|null|None|True|False|NaN|undefined)\b)"
).match
_ELEMENT = re.compile(rf"(?:{_SKIP}|[ \t\r\n]*)(?:\Z|[{{\[\"'“‘„\]]|-?\d|(?:true|false|null|None|True|False|NaN)\b)").match
_INLINE_ELEMENT = re.compile(rf"(?:{_SKIP}|[ \t\r\n]*)[{{\[\"']").match
_CITATION = re.compile(r"\[[\s\d,;–-]*\]").fullmatch
_REMARK = r"(?:/\*[^*]{0,160}\*/\s{0,64})?"
_LINE_HEAD = re.compile(rf"\s*(?:[-*•>]|\d{{1,3}}[.)])?[ \t]*{_REMARK}").fullmatch
_LINE_END = re.compile(r"[ \t\r]*(?:[;,.][ \t\r]*)?(?:\)?;?\s{0,8}\Z|\n|[`{\[]|</|<[|｜])").match
_GOES_ON = re.compile(r"[)\]\"'’”`*_.,;!?]{0,8}[ \t]{1,64}[^\W\d_]").match
_FENCE_END = re.compile(r"\s{0,256}(`{3,}|~{3,})").match
_TAG_END = re.compile(r"\s{0,256}(?:<[|｜]?/|\Z)").match
_IN_TAG = re.compile(r"[\w\"'|｜/▁]>\s{0,256}\Z").search
_INTRODUCTION = re.compile(r"(?:[:=>：→]|\b(?:return|is|are))[ \t\"'`*]{0,8}\Z").search
_CALL_HEAD = re.compile(rf"[{_BLANK}]*{_REMARK}[\w$.]{{1,64}}\s{{0,8}}\(\s*").fullmatch
_CALL_TAIL = re.compile(r"\)\s{0,8};?\s{0,8}\Z").search
_ASSIGNED = re.compile(
    r"\s{0,256}(?:(?:export|default|module\.exports|const|let|var|return)\s{1,8}){0,3}"
    r"(?:[\w.$]{1,64}\s{0,8}(?::\s{0,8}[\w\[\], .]{1,64})?=)?\s{0,64}"
).fullmatch
_STATEMENT_END = re.compile(r"\s*(?:;\s*)?").fullmatch
_PREMATURE = re.compile(r'\s{0,256},\s{0,256}"[^"\\\n]{0,64}"(?:\s{0,8}:|\s{1,8}")').match
_SCALAR = re.compile(rf"(?!```)\\{{0,4}}[{_OPEN_QUOTE}]|[-+.]?[.\d]|-\s*\Z|\(|(?:true|false|null|True|False|None|NaN|Infinity)\s*\Z").match
_CALLED = re.compile(r"[\w$.]{1,64}\(").match
_WORDS = re.compile(r"[^{}\[\]<>`\n]+").fullmatch
_SENTENCE_END = re.compile(r"[.!?:…。]\s*\Z").search
_BLANK_LINE = re.compile(r"\n[ \t\r]*\n").search
_MEMBER = re.compile(r"\"[^\"\\\n]{1,64}\"\s{0,8}:\s{0,8}[\"{\[\dtfn-]").match
_CLOSERS_FOLLOW = re.compile(r"[^\n{\[]{0,256}[\"'][ \t]{0,64}[}\]]").match
_PART_FOLLOWS = re.compile(r"\s{0,256}[,}\]]").match
_OPENING = re.compile(r"[{\[]").search
_MERGES: Final = 8
_COMMA, _LINE, _GLUE = (re.compile(part).fullmatch for part in (r"\s*,\s*", r"[ \t\r]*\n[ \t]*(?:(?:[-*•]|\d{1,3}[.)])[ \t]+)?", r"[ \t]*"))


class _Candidate:
    """A value that may be the answer, or several that are joined (`parts`)."""

    __slots__ = ("complaint", "end", "fence", "in_answer", "on_lines", "parts", "quality", "rank", "reading", "source", "start", "value")

    def __init__(self, start: int, end: int, value: Any, quality: int, reading: Reading | None = None) -> None:
        self.start, self.end, self.value, self.quality, self.reading = start, end, value, quality, reading
        self.rank = ON_LINES
        self.source: Source = "prose"
        self.fence: str | None = None
        self.in_answer = False
        self.on_lines = False
        self.parts: list[_Candidate] = []
        self.complaint = ("", 0)  # about a broken value where no reading says it: the message and the offset


def _broken(start: int, end: int, message: str, pos: int) -> _Candidate:
    candidate = _Candidate(start, end, None, BROKEN)
    candidate.complaint = (message, pos)
    return candidate


class _Search:
    """One walk over a text. `found` holds the candidates in text order; `thought` says whether reasoning was set aside."""

    def __init__(self, text: str, options: Options) -> None:
        self.text, self.options = text, options
        self.marks = Landmarks(text)
        self.found: list[_Candidate] = []
        self.thought = False
        self._fences: list[Fence] = []  # those open at the landmark, outermost first
        self._tag: Tag | None = None  # the last opening tag
        self._answer_end = -1  # of the answer tag that is open, if one is
        self._answer_from = 0  # index in `found` of the first candidate in it
        self._stretched = 0  # how far readings went that left their region
        self._merged_until = 0  # how far readings went that left out a brace
        self._merges = 0  # those with repairs
        self._attempts = 0
        self._loose = False  # it shows neither, but its brackets enclose the whole text
        self._broken_until = -1  # the end of the region of the last broken value whose end is not known
        self._weak = False  # the object about to be read shows neither a quoted name nor a JSON value: prose unless it stands alone

    def run(self) -> list[_Candidate]:
        pos = self._headless(_LEADING_BLANK(self.text).end())  # type: ignore[union-attr]
        while (mark := self.marks.next(pos)) is not None:
            while self._fences and mark.start >= self._fences[-1].end:
                self._fences.pop()
            if isinstance(mark, Bracket):
                pos = self._bracket(mark)
            elif isinstance(mark, Fence):
                pos = self._enter(mark)
            else:
                pos = self._pass(mark)
        return self.found

    def _headless(self, start: int) -> int:
        """ANS-5: a text that starts with a member is an object whose opening brace was not sent (it was prefilled)."""
        text = self.text
        if not _MEMBER(text, start):
            return 0
        candidate = _broken(start, len(text), "the opening brace is missing", start)
        if self.options.repair == "full":
            reading = read("{" + text[start:], 0, len(text) - start + 1, self.options, "full")
            if reading.stop in ("done", "starved"):
                reading = _shifted(reading, start - 1)
                reading.start = start
                reading.repairs = (Repair("missing-opener", start, start, "", "{", "", "guess"), *reading.repairs)
                candidate = _Candidate(start, reading.end, reading.value, GUESSED if reading.stop == "done" else CUT, reading)
        candidate.on_lines = True
        self.found.append(candidate)
        return candidate.end

    # -- landmarks: each method returns where the walk goes on

    def _enter(self, fence: Fence) -> int:
        self._fences.append(fence)
        if self.options.expect == "any":
            return self._scalar(fence.content)
        return fence.content

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
        if tag.name[0] == "|" or not text[text.rfind("\n", 0, tag.start) + 1 : tag.start].strip():
            self.thought = True
            return len(text)
        return tag.end

    def _scalar(self, pos: int) -> int:
        """Under expect="any", a strict scalar that is the whole content of a fence or answer tag."""
        text = self.text
        content = _LEADING_BLANK(text, pos).end()  # type: ignore[union-attr]
        if text[content : content + 1] not in ("", "{", "["):
            found = self._strict(content)
            if found and (_FENCE_END(text, found[1]) or _TAG_END(text, found[1])):
                self._add(_Candidate(content, found[1], found[0], STRICT), True, True)
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
        if candidate is None:
            return resume
        broken = candidate.quality >= CUT
        if broken and self._loose:
            return start + 1
        ends = broken or _LINE_END(text, candidate.end) is not None or text.find("\n", candidate.start, candidate.end) >= 0
        if (self._weak and (broken or not ends)) or self._is_fragment(candidate):
            return resume
        self._add(candidate, on_line if candidate.start == start else self._starts_line(candidate.start), ends)
        fence = self._fences[-1] if self._fences else None
        if fence is not None and candidate.end <= fence.end:  # FENCE-6: marks right behind the value close its fence
            close = _FENCE_END(text, candidate.end)
            if close and len(close[1]) >= fence.width:
                self._fences.pop()
                return close.end()
        return resume

    # -- admission: 0 where a value may open at `start`, else where the walk goes on

    def _opens_object(self, start: int, on_line: bool) -> int:
        text = self.text
        if text[start - 1 : start] in ("$", "\\") and start:
            return start + 1
        strict = _STRICT_KEY(text, start)
        if strict is not None:
            count(strict.end() - start)
            return 0
        run = _RUN_OF_BRACES(text, start).end()  # type: ignore[union-attr]
        key = _KEY(text, run)
        count(run - start + (key.end() - run if key else 1))
        if key is None:
            self._loose = self._is_whole(start, "}")
            return 0 if self._loose or (on_line and _CUT_KEY(text, run)) else run
        self._weak = key["bare"] is not None and not _PLAIN_VALUE(text, key.end())
        if self._weak and not on_line and not self._fences:
            return run
        if key["bare"] is not None and not on_line and (text[start - 1].isalnum() or text[start - 1] in "_)}"):
            return run
        if key["empty"] is not None and not on_line and not self._joins(start) and not self._introduced(start):
            return run
        return 0

    def _opens_array(self, start: int, on_line: bool) -> int:
        text = self.text
        before = text[start - 1] if start else " "
        if (before.isalnum() or before in "_)]") and not self._joins(start):
            return start + 1
        if on_line or self._introduced(start):
            if _ELEMENT(text, start + 1):
                return 0
            meant = self.options.expect in ("any", "array") and self._is_whole(start, "]")
            self._loose = meant and not _FENCE_END(text, start + 1)
            return 0 if self._loose else start + 1
        return 0 if _INLINE_ELEMENT(text, start + 1) else start + 1

    def _is_whole(self, start: int, closer: str) -> bool:
        """Do this bracket and this closer enclose the whole text?"""
        return _LEADING_BLANK(self.text).end() == start and self.text.rstrip(_BLANK)[-1:] == closer  # type: ignore[union-attr]

    # -- where a value stands

    def _joins(self, start: int) -> bool:
        """Does a value or a tag end right here?"""
        return bool(self.found and self.found[-1].end == start) or (self._tag is not None and self._tag.end == start)

    def _starts_line(self, start: int) -> bool:
        """LINE-1: nothing but blanks, a list mark, a tag or another value stands before it in its line."""
        text = self.text
        fence = self._fences[-1] if self._fences else None
        head = text[max(0, start - 256) : start].rpartition("\n")[2].rstrip(_BLANK)
        last = start - 256 if start > 256 else 0
        if fence is not None and fence.content <= start and not text[fence.content : start].strip() and start - fence.content < 256:
            return True
        if not head or _LINE_HEAD(head):
            return "\n" in text[last:start] or not last
        if self._is_tag_end(start):
            return True
        left = self.found[-1] if self.found else None
        return left is not None and left.on_lines and start - left.end < 256 and not text[left.end : start].strip(" \t,")

    def _is_tag_end(self, start: int) -> bool:
        before = self.text[max(0, start - 256) : start].rstrip(_BLANK)[-1:]
        tag = self._tag
        if before in ("▷", "]"):
            return tag is not None and not self.text[tag.end : start].strip() and start - tag.end < 256
        return before == ">" and _IN_TAG(self.text, max(0, start - 256), start) is not None

    def _introduced(self, start: int) -> bool:
        if _INTRODUCTION(self.text, max(0, start - 24), start):
            return True
        is_argument = start < 128 and _CALL_HEAD(self.text[:start]) and _CALL_TAIL(self.text, max(start, len(self.text) - 64))
        return bool(is_argument)

    def _add(self, candidate: _Candidate, starts: bool, ends: bool) -> None:
        """Rank a candidate (RANK-1) and keep it, unless its place is one where no answer stands."""
        text, start, end = self.text, candidate.start, candidate.end
        fence = self._fences[-1] if self._fences else None
        tag = self._tag
        candidate.on_lines = starts and ends
        candidate.in_answer = start < self._answer_end
        if fence is not None:
            candidate.source, candidate.fence = "fence", fence.info
        elif tag is not None and start - tag.end < 256 and not text[tag.end : start].strip(_BLANK):
            candidate.source = "tag"
        if fence is not None and not fence.is_json:
            candidate.rank = IN_OTHER_FENCE
            whole = _ASSIGNED(text, fence.content, start) and _STATEMENT_END(text, end, max(end, fence.end))
            if not whole and not (fence.is_text and candidate.on_lines):
                return
        elif candidate.on_lines or (starts and candidate.source == "tag"):
            candidate.rank = IN_FENCE if fence is not None else ON_LINES
        else:
            if text[start] == "[" and not self._is_inline_array(candidate):
                return
            candidate.rank = IN_LINE
            if not starts and not self._introduced(start) and _GOES_ON(text, end):
                candidate.rank = NARRATED
        self.found.append(candidate)

    def _is_inline_array(self, candidate: _Candidate) -> bool:
        """PROSE-4."""
        text, start, end = self.text, candidate.start, candidate.end
        if _CITATION(text, start, end):
            return self._introduced(start) and _LINE_END(text, end) is not None
        return candidate.quality <= GUESSED and not text.startswith("(", end)

    # -- reading

    def _strict(self, start: int) -> tuple[Any, int] | None:
        return _strict(self.text, start, self.options)

    def _read(self, start: int) -> tuple[_Candidate | None, int]:
        """The value at `start`, and where the walk goes on."""
        found = self._strict(start)
        if found is not None:
            value, end = found
            if self.text[start] == "{" and _PREMATURE(self.text, end):
                merged = self._merged(start, end) if self.options.repair == "full" else None
                if merged is not None:
                    return merged, merged.end
                return _broken(start, end, "members go on behind the closing brace", end), end
            return _Candidate(start, end, value, STRICT), end
        region = self._region(start)
        level = self.options.repair
        reading = self._limited(read(self.text, start, region, self.options, level), start)
        if reading.stop != "done" and level != "off" and region < len(self.text) and start >= self._stretched:
            reading = self._stretch(start, region) or reading
        if reading.stop == "done":
            quality = MENDED if all(repair.code in SAFE for repair in reading.repairs) else GUESSED
            if quality == MENDED:
                return _Candidate(start, reading.end, reading.value, MENDED, reading), reading.end
        extent = reading if level == "full" or reading.stop == "starved" else read(self.text, start, region, self.options, "full")
        inner = self._independent(start, extent)
        if inner is not None:
            return inner, inner.end
        if reading.stop == "done":
            if _CLOSERS_FOLLOW(self.text, reading.end):
                return _broken(start, reading.end, "text goes on behind the closing bracket", reading.end), reading.end
            return _Candidate(start, reading.end, reading.value, GUESSED, reading), reading.end
        if reading.stop == "starved":
            return _Candidate(start, region, reading.value, CUT, reading), max(region, start + 1)
        if extent.stop == "done":
            end = extent.end
        else:  # nobody can say where it ends: what stands in the same paragraph, or is followed by a comma or closer, is part of it
            end = self._paragraph_end(max(extent.covered, start + 1), region)
            self._broken_until = region
        return _Candidate(start, end, None, BROKEN, reading), end

    def _merged(self, start: int, end: int) -> _Candidate | None:
        """CAND-5: the object without the brace at `end - 1`, read on strictly, in pieces that double so as not to copy the rest."""
        if start < self._merged_until:
            return None
        text, pos, size = self.text, end, 4096
        machine = _machine(text[start : end - 1], 0, self.options)
        stop, piece = machine.run(False), " "
        while stop == "starved" and pos < len(text):
            machine.extend(piece + text[pos : pos + size])
            pos, size, piece = pos + size, size * 2, ""
            stop = machine.run(False)
        self._merged_until = whole = start + machine.base + machine.pos
        if stop == "done":
            reading: Reading | None = Reading("done", machine.value, start, whole, (), covered=whole)
        else:
            reading = self._merged_tolerantly(start, end)
        if reading is None or _PREMATURE(text, reading.end):
            return None
        reading.repairs = (Repair("surplus-closer", end - 1, end, "}", "", "", "guess"), *reading.repairs)
        return _Candidate(start, reading.end, reading.value, GUESSED, reading)

    def _merged_tolerantly(self, start: int, end: int) -> Reading | None:
        """The same with repairs. This copies the rest, so it is tried a few times only."""
        if self._merges == _MERGES:
            return None
        self._merges += 1
        text = f"{self.text[start : end - 1]} {self.text[end:]}"
        reading = read(text, 0, len(text), self.options, "full")
        self._merged_until = max(self._merged_until, start + reading.covered)
        return _shifted(reading, start) if reading.stop == "done" else None

    def _paragraph_end(self, pos: int, region: int) -> int:
        blank_line = _BLANK_LINE(self.text, pos, region)
        end = blank_line.start() if blank_line else region
        count(end - pos)
        return end

    def _is_fragment(self, candidate: _Candidate) -> bool:
        """CAND-1: does it look like a part of the broken value before it?"""
        return candidate.end <= self._broken_until and _PART_FOLLOWS(self.text, candidate.end) is not None

    def _region(self, start: int) -> int:
        """Where a broken value at `start` must end: with its fence, before the next one, or where its tag closes."""
        end = self._fences[-1].end if self._fences else self.marks.fence_after(start)
        tag = self._tag
        if tag is not None and start - tag.end < 256 and not self.text[tag.end : start].strip():
            closing = self.marks.closing(tag)
            if closing:
                end = min(end, closing[0])
        if start < self._answer_end:
            end = min(end, self._answer_end)
        return max(end, start + 1)

    def _stretch(self, start: int, region: int) -> Reading | None:
        """FENCE-7: the end of the region was inside a string, if a safe reading gets past it that way."""
        reading = read(self.text, start, len(self.text), self.options, "safe")
        self._stretched = max(reading.covered, region)
        if reading.stop != "done":
            return None
        line = self.text.rfind("\n", start, region)
        inside = line < 0 or any(repair.start <= line < repair.end for repair in reading.repairs)
        return reading if inside else None

    def _limited(self, reading: Reading, start: int) -> Reading:
        if reading.stop == "limit":
            raise _limit_error(self.text, reading, self.options.limits)
        return reading

    def _independent(self, start: int, extent: Reading) -> _Candidate | None:
        """CAND-4: a strict object that starts inside a string of the broken value and ends past its fault, not inside its extent."""
        text = self.text
        machine = _machine(text, start, self.options)
        if machine.run() != "fault":
            return None
        fault, pos = machine.pos, start + 1
        opened = {place for _, place in machine.frames()}
        while (at := text.find("{", pos, fault)) >= 0:
            pos = at + 1
            found = None if at in opened else self._strict(at)
            if found is None:
                continue
            is_last = found[1] >= extent.end or extent.stop != "done"
            if found[1] > fault and found[0] and is_last and _LINE_END(text, found[1]) and not _CLOSERS_FOLLOW(text, found[1]):
                return _Candidate(at, found[1], found[0], STRICT)
            pos = found[1]
        return None


def _shifted(reading: Reading, by: int) -> Reading:
    """The same reading of a text in which it stands `by` later."""
    repairs = tuple(replace(each, start=each.start + by, end=each.end + by) for each in reading.repairs)
    return Reading(reading.stop, reading.value, reading.start + by, reading.end + by, repairs, reading.fault, reading.fault_pos + by,
                   reading.phase, reading.path, reading.covered + by)  # fmt: skip


def _strict(text: str, start: int, options: Options) -> tuple[Any, int] | None:
    """The value that starts at `start` and its end, if it reads strictly."""
    limits = options.limits
    if options.big_int == "exact" and options.duplicate_keys == "last":
        return parse_at(text, start, limits.max_depth or 0, limits.max_digits or 0)
    machine = _machine(text, start, options)
    return (machine.value, machine.pos) if machine.run() == "done" else None


def _machine(text: str, start: int, options: Options) -> Machine:
    limits = options.limits
    return Machine(text, start, max_depth=limits.max_depth or 0, max_digits=limits.max_digits or 0, big_int=options.big_int,
                   duplicates=options.duplicate_keys)  # fmt: skip


# -- choosing


def _joined(search: _Search) -> list[_Candidate]:
    """JOIN-1 to JOIN-3: values that nothing, a line feed or a comma parts are one candidate with parts."""
    text, units = search.text, list[_Candidate]()
    for each in search.found:
        last = units[-1] if units else None
        tail = last.parts[-1] if last is not None and last.parts else last
        how = _joint(text, tail, each) if tail is not None and each.in_answer == tail.in_answer else None
        if last is None or tail is None or how is None:
            units.append(each)
            continue
        if not last.parts:
            group = _Candidate(last.start, last.end, None, last.quality)
            group.parts = [last]
            group.rank, group.source, group.fence, group.in_answer = last.rank, last.source, last.fence, last.in_answer
            group.on_lines = True
            units[-1] = last = group
        last.parts.append(each)
        last.end = each.end
        last.quality = max(last.quality, each.quality)
        last.on_lines = last.on_lines and how == "comma"
    return units


def _joint(text: str, left: _Candidate, right: _Candidate) -> str | None:
    if left.quality > GUESSED or right.quality == BROKEN or right.start - left.end > 256 or left.rank != right.rank:
        return None
    gap = text[left.end : right.start]
    if _COMMA(gap):
        return "comma"
    if _GLUE(gap) or (_LINE(gap) and left.on_lines and right.on_lines):
        return "line"
    return None


def _settled(search: _Search, unit: _Candidate) -> list[_Candidate]:
    """What a unit counts as: itself; the array of its parts under repair="full"; else its parts, to be told apart (JOIN-4, JOIN-5)."""
    if not unit.parts:
        return [unit]
    parts = _fuller(_distinct(unit.parts))
    if not unit.on_lines:  # parted by something else than commas
        parts = _supersede(search.text, parts)
    if len(parts) == 1 or search.options.expect == "object":
        return parts
    if search.options.repair == "full":
        unit.value, unit.quality = [part.value for part in unit.parts], max(unit.quality, GUESSED)
        unit.parts = parts
        return [unit]
    unit.value, unit.quality = None, BROKEN
    unit.parts = parts
    return [unit]


def _distinct(candidates: list[_Candidate]) -> list[_Candidate]:
    """SEL-1: identical values are one, the first."""
    kept: list[_Candidate] = []
    by_text: set[str] = set()
    for each in candidates:
        if each.quality == BROKEN:
            kept.append(each)
            continue
        mark = _fingerprint(each.value)
        if mark not in by_text:
            by_text.add(mark)
            kept.append(each)
    return kept


def _fuller(candidates: list[_Candidate]) -> list[_Candidate]:
    """SEL-2: `{}` does not compete with a value that is none."""
    fuller = [each for each in candidates if each.quality == BROKEN or each.value != {}]
    return fuller or candidates


def _fingerprint(value: Any) -> str:
    """Equal for equal JSON values, whatever the order of their members. Without recursion, since nothing bounds the depth here."""
    marks, stack = [], [value]
    while stack:
        each = stack.pop()
        if isinstance(each, dict):
            marks.append(f"{{{len(each)}")
            for name in sorted(each):
                stack += each[name], name
        elif isinstance(each, list):
            marks.append(f"[{len(each)}")
            stack += each
        else:
            marks.append(repr(each))
    return ",".join(marks)


def _supersede(text: str, candidates: list[_Candidate]) -> list[_Candidate]:
    """SEL-3 to SEL-5: leave out what the text itself says is no answer, where an answer follows."""
    kept: list[_Candidate] = []
    followed = False  # by an answer
    for at in range(len(candidates) - 1, -1, -1):
        each = candidates[at]
        since = candidates[at - 1].end if at else 0
        if not followed or not (_is_echo(each.value) or _labelled(_DRAFT, text, since, each)):
            kept.append(each)
            followed = followed or each.quality <= CUT
        if each.quality <= CUT and _labelled(_REVISED, text, since, each):
            kept += _not_revised(text, candidates[:at], each)
            break
    return sorted(kept, key=lambda each: each.start)


def _not_revised(text: str, earlier: list[_Candidate], later: _Candidate) -> list[_Candidate]:
    """Those of a better rank than this one, which is labelled as final, or labelled so themselves."""
    kept, since = [], 0
    for each in earlier:
        if each.rank < later.rank or each.in_answer or _labelled(_REVISED, text, since, each):
            kept.append(each)
        since = each.end
    return kept


_DRAFT = re.compile(
    r"(?i)\b(?:draft|examples?|sample|template|schema|placeholder|first attempt|first try|initial(?: version)?|original|"
    r"(?<!action )(?<!tool )(?<!function )input|before|wrong|incorrect|invalid|format(?= is\W*\Z|\W*\Z))\b"
).search
_REVISED = re.compile(
    r"(?i)\b(?:final|correct|corrected|correction|revised|revision|updated|fixed|improved|after review|instead|actually|actual|"
    r"real|better|answer)\b"
).search
_SCHEMA_WORDS: Final = {"type", "$ref", "anyOf", "oneOf", "allOf", "enum", "const", "description", "title", "items", "properties"}
_PLACEHOLDER = re.compile(
    r"(?i)\s*(?:|\.{3}|…|<[^<>]{1,200}>|\{[^{}]{1,200}\}|\[[^\[\]]{1,200}\]|(?:your|the|a|an|some)\b[^\n]{0,200}\b(?:here|goes here)?\.{0,3}|"
    r"(?:string|str|text|number|num|int|integer|float|double|decimal|bool|boolean|null|any|array|list|object|dict|date|datetime|"
    r"timestamp|url|uuid)(?:\[\]|\?)?(?:\s*\([^()]{0,200}\))?|\w{1,40}(?:\s*\|\s*\w{1,40}){1,40})\s*"
).fullmatch


def _labelled(words: Any, text: str, since: int, candidate: _Candidate) -> bool:
    """Does the label of this value, the last line of words before it, hold one of these?"""
    start = max(since, candidate.start - 200)
    before = re.sub(r"(?:`{3,}|~{3,})[\w+./-]*\s*\Z", "", text[start : candidate.start]).rstrip(_BLANK)
    label = before[before.rfind("\n") + 1 :]
    return words(label, max(0, len(label) - 80)) is not None


def _is_echo(value: Any) -> bool:
    return (isinstance(value, dict) and _is_schema(value)) or _is_template(value)


def _is_schema(value: dict[str, Any]) -> bool:
    if "$schema" in value:
        return True
    properties = value.get("properties")
    return isinstance(properties, dict) and bool(properties) and all(
        isinstance(each, dict) and not _SCHEMA_WORDS.isdisjoint(each) for each in properties.values()
    )


def _is_template(value: Any) -> bool:
    """Is every string in it a placeholder, and is there one?"""
    stack, strings = [value], 0
    while stack:
        each = stack.pop()
        if isinstance(each, (dict, list)):
            stack += each.values() if isinstance(each, dict) else each
        elif isinstance(each, str):
            if len(each) > 256 or not _PLACEHOLDER(each):
                return False
            strings += each != ""
    return strings > 0


# -- the outcome


class Outcome:
    """What a search of a text came to, in matches and errors."""

    def __init__(self, text: str, options: Options) -> None:
        self.text, self.options = text, options
        self.lead = _LEADING_BLANK(text).end()  # type: ignore[union-attr]
        self._search: _Search | None = None

    @property
    def search(self) -> _Search:
        if self._search is None:
            self._search = _Search(self.text, self.options)
            self._search.run()
        return self._search

    def whole(self) -> Match[Any] | None:
        """ANS-1: the whole text, if it reads strictly. Raises where its kind is not the one expected (ANS-2)."""
        text, options = self.text, self.options
        found = _strict(text, self.lead, options)
        if found is None or not self._ends(found[1]):
            return None
        value, end = found
        if _is_expected(value, options.expect):
            return Match(text, value, self.lead, end)
        if isinstance(value, str) and options.repair == "full":
            match = self._decoded(value, end)
            if match is not None:
                return match
        raise NoJSONError(f"the text is {_KINDS[type(value)]}, not {_EXPECTED[options.expect]}", text, self.lead)

    def _decoded(self, inner: str, end: int) -> Match[Any] | None:
        """ANS-3: a string that holds JSON, where no string is expected."""
        found = _strict(inner, 0, self.options)
        if found is None or not _is_expected(found[0], self.options.expect) or inner[found[1] :].strip(_BLANK):
            return None
        edit = Repair("escaped-json", self.lead, end, self.text[self.lead : end], inner, "", "likely")
        return Match(self.text, found[0], self.lead, end, repairs=(edit,))

    def _ends(self, end: int) -> bool:
        return _LEADING_BLANK(self.text, end).end() == len(self.text)  # type: ignore[union-attr]

    def match(self, candidate: _Candidate) -> Match[Any]:
        reading = candidate.reading
        bare = candidate.start == self.lead and self._ends(candidate.end)
        cut = candidate.quality == CUT
        return Match(
            self.text, candidate.value, candidate.start, candidate.end, "bare" if bare else candidate.source, candidate.fence,
            not cut, reading.path if cut and reading is not None else None, self._repairs(candidate),
        )  # fmt: skip

    def _repairs(self, candidate: _Candidate) -> tuple[Repair, ...]:
        own = candidate.reading.repairs if candidate.reading is not None else ()
        if not candidate.parts or candidate.quality == BROKEN:
            return own
        edits = [Repair("root-array", candidate.start, candidate.start, "", "[", "", "guess")]
        for at, part in enumerate(candidate.parts):
            gap = self.text[candidate.parts[at - 1].end : part.start] if at else ""
            if at and "," not in gap:
                edits.append(Repair("missing-comma", part.start, part.start, "", ",", "", "likely"))
            edits += part.reading.repairs if part.reading is not None else ()
        edits.append(Repair("root-array", candidate.end, candidate.end, "", "]", "", "guess"))
        return tuple(edits)

    def usable(self) -> list[_Candidate]:
        """Every value found that may be given out, in text order."""
        worst = CUT if self.options.truncated == "keep" else GUESSED
        return [each for each in self.search.found if each.quality <= worst and _is_expected(each.value, self.options.expect)]

    def every(self) -> list[Match[Any]]:
        """All values that may be given out, in text order; under `fragments` also the strict ones inside broken ones (CAND-6)."""
        try:
            whole = self.whole()
        except NoJSONError:
            return []
        if whole is not None:
            return [whole]
        if not self.options.fragments:
            return [self.match(each) for each in self.usable()]
        found = [part for each in self.search.found for part in (self._fragments(each) if each.quality >= CUT else [each])]
        return [self.match(each) for each in found if _is_expected(each.value, self.options.expect)]

    def _fragments(self, broken: _Candidate) -> list[_Candidate]:
        """The outermost strict values inside a broken one. What was open where a reading failed has failed as well."""
        text, pos, found = self.text, broken.start, []
        failed: set[int] = set()
        while (opening := _OPENING(text, pos, broken.end)) is not None:
            pos = opening.end()
            if pos - 1 in failed:
                continue
            machine = _machine(text, pos - 1, self.options)
            if machine.run() == "done":
                found.append(_Candidate(pos - 1, machine.pos, machine.value, STRICT))
                found[-1].source = "fragment"
                pos = machine.pos
            else:
                failed.update(start for _, start in machine.frames())
        return found

    def full(self) -> Match[Any] | None:
        """The whole text as one value, with the repairs allowed."""
        try:
            whole = self.whole()
        except NoJSONError:
            return None
        if whole is not None or self.options.repair == "off":
            return whole
        try:
            made = repaired(self.text, self.options)
        except LimitError:
            raise
        except JSONScanError:
            return None
        if not made.complete and (made.value is None or self.text.rstrip(_BLANK)[-1] in "}]"):
            return None
        where = None if made.complete else next((each.path for each in made.repairs if each.code == "truncated"), "")
        end = len(self.text.rstrip(_BLANK))
        return Match(self.text, made.value, self.lead, end, "bare", None, made.complete, where, made.repairs)

    def units(self) -> list[_Candidate]:
        """What competes to be the answer, in text order."""
        units = [each for unit in _joined(self.search) for each in _settled(self.search, unit)]
        return [each for each in units if self._has_kind(each)]

    def _has_kind(self, unit: _Candidate) -> bool:
        if unit.quality == BROKEN:
            return self.options.expect != ("array" if self.text[unit.start] == "{" and not unit.parts else "object")
        return _is_expected(unit.value, self.options.expect)

    def select(self) -> Match[Any]:
        """The answer under the options, or the error that there is none."""
        scalar = self._root_scalar() if self.options.expect == "any" and self.options.repair != "off" else None
        return scalar or self._selected()

    def _root_scalar(self) -> Match[Any] | None:
        """ANS-4: under expect="any", a text that starts like a scalar, a tuple or (under "full") a call."""
        called = self.options.repair == "full" and _CALLED(self.text, self.lead)
        return self.full() if called or _SCALAR(self.text, self.lead) else None

    def _is_meant(self) -> bool:
        """ANS-4: is a text without candidates one bracketed thing, or a line of words that is no sentence?"""
        text, options = self.text, self.options
        if options.expect != "any" or options.repair != "full":
            return False
        line = text[self.lead :] if len(text) - self.lead <= 80 else ""
        bracketed = text[self.lead : self.lead + 1] in ("[", "{") and text.rstrip(_BLANK)[-1:] in ("]", "}", ",")
        return bracketed or (_WORDS(line) is not None and not _SENTENCE_END(line))

    def _selected(self) -> Match[Any]:
        select = self.options.select
        if select == "answer":
            return self._answer()
        if select == "sole":
            return self._sole()
        usable = self.usable()
        if not usable:
            raise self._refusal(self.units())
        if callable(select):
            chosen = select([self.match(each) for each in usable])
            if chosen is None:
                raise NoJSONError("select took none of the values", self.text, usable[0].start)
            return chosen
        if select == "largest":
            return self.match(max(usable, key=lambda each: each.end - each.start))
        return self.match(usable[0 if select == "first" else -1])

    def _answer(self) -> Match[Any]:
        units = _fuller(_supersede(self.text, self.units()))
        if not units:
            whole = self.full() if self._is_meant() else None
            if whole is not None:
                return whole
            raise self._refusal(units)
        return self._accepted(min(units, key=_standing))

    def _sole(self) -> Match[Any]:
        units = _fuller(_distinct(self.units()))
        if not units:
            raise self._refusal(units)
        best = min(units, key=_standing)
        rivals = [each for each in units if each.quality <= CUT or each.rank <= max(best.rank, IN_OTHER_FENCE)]
        if len(rivals) > 1:
            raise self._ambiguous("several different values compete", rivals)
        if best.rank == NARRATED:
            raise self._ambiguous("the only value is mentioned inside a sentence", rivals)
        return self._accepted(best)

    def _accepted(self, unit: _Candidate) -> Match[Any]:
        if unit.quality == BROKEN or (unit.quality == CUT and (self.options.truncated == "raise" or unit.value is None)):
            raise self._refusal([unit])
        return self.match(unit)

    def _ambiguous(self, message: str, units: list[_Candidate]) -> AmbiguousJSONError:
        return AmbiguousJSONError(message, self.text, units[0].start, tuple(self.match(each) for each in units))

    def _refusal(self, units: list[_Candidate]) -> JSONScanError:
        """Why none of these is the answer."""
        text = self.text
        if not units:
            if self.search.found:
                wanted = _EXPECTED[self.options.expect]
                return NoJSONError(f"there is JSON in the text, but not {wanted}", text, self.search.found[0].start)
            if self.search.thought:
                return NoJSONError("there is only reasoning, and no answer behind it", text, len(text))
            return NoJSONError("there is no JSON in the text", text, self.lead)
        unit = min(units, key=_standing)
        reading = unit.reading
        if unit.parts:
            return self._ambiguous("several values stand side by side", unit.parts)
        if reading is None:
            return InvalidJSONError(unit.complaint[0], text, unit.complaint[1])
        if unit.quality == CUT:
            where = reading.path
            message = f"the text ends inside the value, at {where or 'its root'}"
            return TruncatedJSONError(message, text, unit.end, reading.value, where)
        return InvalidJSONError(_complaint(reading), text, reading.fault_pos, reading.fault)


def _standing(unit: _Candidate) -> tuple[bool, int, int, int]:
    """RANK-1 to RANK-3: the least is the answer."""
    return not unit.in_answer, unit.rank, unit.quality, unit.start


_KINDS: Final = {dict: "an object", list: "an array", str: "a string", int: "a number", float: "a number", bool: "a boolean", type(None): "null"}
_EXPECTED: Final = {"any": "a JSON value", "object": "an object", "array": "an array", "container": "an object or array"}


def _is_expected(value: Any, expect: str) -> bool:
    if expect == "any":
        return True
    if isinstance(value, dict):
        return expect != "array"
    return isinstance(value, list) and expect != "object"


def _complaint(reading: Reading) -> str:
    """What strict reading wanted and did not find, in words."""
    return _COMPLAINTS.get(reading.fault) or f"expected {_DUE.get(reading.phase, 'something else')}"


_COMPLAINTS: Final = {
    "control": "a control character stands in a string",
    "escape": "the backslash starts no valid escape",
    "number": "the number breaks off",
    "literal": "this word is no true, false or null",
    "duplicate-key": "this name stands in its object already",
}
_DUE: Final = {
    "value": "a value", "first-value": "a value or ]", "key": "a name in double quotes", "first-key": "a name in double quotes or }",
    "colon": "a colon", "next": "a comma or the closing bracket", "end": "nothing more",
}  # fmt: skip


def _limit_error(text: str, reading: Reading, limits: Limits) -> LimitError:
    bound = getattr(limits, reading.fault)
    return LimitError(f"the value passes the limit {reading.fault} = {bound}", text, reading.fault_pos, reading.fault, bound)


# -- what the public functions are made of


def clean(text: str) -> Any:
    """The answer under default options where it is the only value in the text and reads strictly; else `MISSING`.

    The rules give the same answer where this gives one, because then
    (a) the whole text, blanks aside, is a strict object or array: ANS-1; or
    (b) a strict object with a member stands in text that holds no other `{` or `[` outside it, so no other candidate, and no `<` or `◁`
        there, so no tag that could set it aside; it is admitted (CAND-2: its first name is quoted and a colon follows; neither `$` nor a
        backslash stands before it) and not cut short (CAND-5); the text does not start with a quote, so not with a member (ANS-5), and
        what is before the object holds either no fence marks, or one run of three backticks, directly before it but for the word json:
        then it is not in a fence of another language (RANK-1).
    """
    start = _LEADING_BLANK(text).end()  # type: ignore[union-attr]
    if text[start : start + 1] in ("{", "["):
        found = parse_at(text, start, _DEPTH, _DIGITS)
        if found is not None and _LEADING_BLANK(text, found[1]).end() == len(text):  # type: ignore[union-attr]
            return found[0]
    else:
        is_member = text[start : start + 1] == '"'
        start = text.find("{", start)
        if start < 0 or is_member or _UNCLEAN_HEAD(text, 0, start) or not _CLEAN_FENCE(text, 0, start):
            return MISSING
        found = parse_at(text, start, _DEPTH, _DIGITS)
    if found is None or not found[0] or not isinstance(found[0], dict) or text[start] != "{":
        return MISSING
    value, end = found
    return MISSING if _UNCLEAN_TAIL(text, end) or _PREMATURE(text, end) else value


MISSING: Final = object()
_DEPTH: Final = Limits().max_depth or 0
_DIGITS: Final = Limits().max_digits or 0
_UNCLEAN_HEAD = re.compile(r"[\[<◁]|~{3}|[$\\]\Z").search
_UNCLEAN_TAIL = re.compile(r"[{\[<◁]").search
_CLEAN_FENCE = re.compile(r"[^`]*(?:`{1,2}[^`]+)*(?:```(?:json)?\s*)?").fullmatch
