"""Which text is the answer: the rules of conformance/RULES.md, behind `loads`, `search`, `finditer`, `findall` and `fullmatch`.

    Landmarks  ->  Search (candidates.py)  ->  joined, settled, supersede (choosing.py)  ->  Outcome: a match or an error
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from .candidates import (
    BROKEN,
    CUT,
    GUESSED,
    IN_OTHER_FENCE,
    MENDED,
    NARRATED,
    STRICT,
    Candidate,
    Search,
    read_strictly,
    shifted,
    unframed,
)
from .choosing import distinct, fuller, joined, settled, supersede
from .errors import AmbiguousJSONError, InvalidJSONError, JSONScanError, LimitError, NoJSONError, TruncatedJSONError
from .landmarks import run_after
from .machine import mark, scanned
from .model import Match, Options, Repair
from .patterns import Pattern
from .records import replace
from .repairs import RISKS, Begun, Reading, begin, one_string, read
from .shapes import (
    BLANK,
    CALLED,
    CLOSE_QUOTE,
    ELEMENT,
    ENCLOSER_FOLLOWS,
    IN_STRING,
    LEADING_BLANK,
    LONE_NUMBER,
    OPEN_QUOTE,
    OPENING,
    PATTERN,
    PREMATURE,
    SAYING,
    SCALAR,
    SENTENCE_END,
    WORDS,
    end_of,
)
from .tolerant_strings import quoted
from .whole_text import repaired


class Outcome:
    """What a search of a text came to, in matches and errors."""

    def __init__(self, text: str, options: Options, begun: dict[int, Begun] | None = None) -> None:
        self.text, self.options = text, options
        self.lead = LEADING_BLANK.match(text).end()  # type: ignore[union-attr]
        self._begun = {} if begun is None else begun  # strict reads, by where they started: a search goes on from there
        self._search: Search | None = None
        self._cut: TruncatedJSONError | None = None  # what the text is if it is nothing else: a string that its end cut off

    @property
    def search(self) -> Search:
        if self._search is None:
            self._search = Search(self.text, self.options, self._begun)
            self._search.run()
        return self._search

    def _begin(self, start: int) -> Begun:
        if start not in self._begun:
            self._begun[start] = begin(self.text, start, self.options)
        return self._begun[start]

    def answer(self) -> Match[Any]:
        """The answer, or the error that there is none."""
        whole = self.whole()
        if whole is not None and callable(self.options.select):
            return self._chosen([whole], self.options.select)
        return whole or self.lone() or self.select()

    def lone(self) -> Match[Any] | None:
        """The answer, where it is the only thing in the text that could be one: then there is nothing to search for and to choose.

        It is the text, but for blanks; or the content of the one fence there is, if that opens on a line of its own and is tagged json
        or not at all; or an object in prose. No fence, tag or bracket stands elsewhere (LAND-1), it shows a name and colon or an
        element (CAND-2, CAND-3), and where CAND-4 or CAND-5 could have a say the rules are asked.
        """
        text, place = self.text, self._only_place() if self.options.select == "answer" else None
        if place is None:
            return None
        start, region, info = place
        is_array, opening = text[start] == "[", _OPENS_OBJECT.match(text, start)
        if ELEMENT.match(text, start + 1) is None if is_array else opening is None:
            return None
        is_bare = opening is not None and opening["bare"] is not None
        if is_bare and info is None and start > self.lead:
            return None
        candidate = self._lone(start, region, info is not None or is_array or is_bare)
        if candidate is None or not candidate.value or not is_expected(candidate.value, self.options.expect):
            return None
        if is_bare and candidate.quality == CUT:
            return None
        if info is not None:
            candidate.source, candidate.fence = "fence", info
        return self._accepted(candidate)

    def _only_place(self) -> tuple[int, int, str | None] | None:
        """Where the only value would start, the end of its region, and the info word of its fence, if it is in one."""
        text, start, info = self.text, self.lead, None
        first = text[start : start + 1]
        if first not in ("{", "["):
            if self.options.expect == "any" or first == '"':  # it may start like a scalar (ANS-4) or a member (ANS-5)
                return None
            start = mark(text, start)
            before = text[start - 1 : start]
            if text.find("`", self.lead, start) >= 0:
                return None
            fence = _ONE_FENCE.match(text, start)
            if fence and before in ("", "\n") and (start == self.lead or first not in OPEN_QUOTE):
                start, info = fence.end(), fence[1]
            elif text[start : start + 1] != "{" or before in ("$", "\\"):
                return None
        region = run_after(text, "`", start)
        if run_after(text, "~", start) >= 0 or (region >= 0 and (info is None or not _CLOSES_FENCE.match(text, region))):
            return None
        return start, region if region >= 0 else len(text), info

    def _lone(self, start: int, region: int, ends_region: bool) -> Candidate | None:
        """The value that starts at `start`, with nothing behind it that matters and, if it `ends_region`, nothing but blanks before the
        end of that."""
        text, options = self.text, self.options
        machine, stop = begun = self._begin(start)
        fault = machine.pos
        if stop == "done":
            candidate = Candidate(start, machine.pos, machine.value, STRICT)
        else:
            del self._begun[start]
            reading = read(text, start, region, options, options.repair, begun)
            if reading.stop == "starved":
                candidate = Candidate(start, region, reading.value, CUT, reading)
            elif reading.stop == "done":
                candidate = Candidate(start, reading.end, reading.value, MENDED if reading.safe else GUESSED, reading)
            else:
                return None
        if not self._is_quiet(candidate.end) or (ends_region and _BLANKS.match(text, candidate.end, region).end() < region):  # type: ignore[union-attr]
            return None
        if stop == "done":
            return None if PREMATURE.match(text, candidate.end) else candidate
        if stop == "fault" and candidate.quality != MENDED and next(IN_STRING.finditer(text, start + 1, fault), None):
            return None
        return candidate

    def _is_quiet(self, pos: int) -> bool:
        """Is there no landmark and no closer behind a value and its fence?"""
        text = self.text
        pos = _BLANKS.match(text, pos).end()  # type: ignore[union-attr]
        pos += 3 * text.startswith("```", pos)
        return mark(text, pos) == len(text) and all(text.find(char, pos) < 0 for char in "`~}]")

    def whole(self) -> Match[Any] | None:
        """ANS-1: the whole text, if it reads strictly. Raises where its kind is not the one expected (ANS-2)."""
        text, options = self.text, self.options
        machine, stop = self._begin(self.lead)
        if stop != "done" or not self._ends(machine.pos):
            return None
        value, end = machine.value, machine.pos
        if is_expected(value, options.expect):
            return Match(text, value, self.lead, end)
        if isinstance(value, str) and options.repair == "full":
            match = self._decoded(value, end)
            if match is not None:
                return match
        raise NoJSONError(f"the text is {_KINDS[type(value)]}, not {_EXPECTED[options.expect]}", text, self.lead)

    def _decoded(self, inner: str, end: int) -> Match[Any] | None:
        """ANS-3: a string that holds JSON, where no string is expected."""
        found = read_strictly(inner, 0, self.options)
        if found is None or not is_expected(found[0], self.options.expect) or inner[found[1] :].strip(BLANK):
            return None
        edit = Repair("escaped-json", self.lead, end, self.text[self.lead : end], inner, "", "likely")
        return Match(self.text, found[0], self.lead, end, repairs=(edit,))

    def _ends(self, end: int) -> bool:
        return LEADING_BLANK.match(self.text, end).end() == len(self.text)  # type: ignore[union-attr]

    def match(self, candidate: Candidate) -> Match[Any]:
        reading = candidate.reading
        bare = candidate.start == self.lead and self._ends(candidate.end)
        where = _cut_at(candidate) if candidate.quality == CUT else None
        repairs = partial(self._repairs, candidate) if reading or candidate.parts else ()
        return Match(self.text, candidate.value, candidate.start, candidate.end, "bare" if bare else candidate.source, candidate.fence,
                     where is None, where, repairs)  # fmt: skip

    def _repairs(self, candidate: Candidate) -> tuple[Repair, ...]:
        own = candidate.reading.repairs if candidate.reading is not None else ()
        if not candidate.parts or candidate.quality == BROKEN:
            return own
        edits = [Repair("root-array", candidate.start, candidate.start, "", "[", "", "guess")]
        for at, part in enumerate(candidate.parts):
            if at:
                edits += self._parted(candidate.parts[at - 1].end, part.start)
            edits += [replace(each, path=f"/{at}{each.path}") for each in (part.reading.repairs if part.reading is not None else ())]
        edits.append(Repair("root-array", candidate.end, candidate.end, "", "]", "", "guess"))
        return tuple(edits)

    def _parted(self, start: int, end: int) -> list[Repair]:
        """The edits that leave a comma between two values that are joined."""
        edits, comma = [], False
        for found in _BETWEEN.finditer(self.text, start, end):
            code = str(found.lastgroup).replace("_", "-")
            if code == "comma":
                comma = True
            else:
                edits.append(Repair(code, found.start(), found.end(), found[0], "", "", RISKS[code]))  # type: ignore[arg-type]
        return edits if comma else [*edits, Repair("missing-comma", end, end, "", ",", "", "likely")]

    def usable(self) -> list[Candidate]:
        """Every value found that may be given out, in text order."""
        worst = CUT if self.options.truncated == "keep" else GUESSED
        return [each for each in self.search.found if each.quality <= worst and is_expected(each.value, self.options.expect)]

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
        return [self.match(each) for each in found if is_expected(each.value, self.options.expect)]

    def _fragments(self, broken: Candidate) -> list[Candidate]:
        """The outermost strict values inside a broken one. What was open where a reading failed has failed as well."""
        text, pos, found = self.text, broken.start, []
        while (opening := OPENING.search(text, pos, broken.end)) is not None:
            pos = opening.end()
            if pos - 1 in self.search.failed:
                continue
            machine, stop = begin(text, pos - 1, self.options)
            if stop == "done":
                found.append(Candidate(pos - 1, machine.pos, machine.value, STRICT))
                found[-1].source = "fragment"
                pos = machine.pos
            else:
                self.search.failed.update(place for _, place in machine.frames())
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
        except JSONScanError as error:
            if isinstance(error, TruncatedJSONError) and isinstance(error.partial, str):
                self._cut = error
            return None
        start, end, where = self.lead, end_of(self.text), None
        if not made.complete and (made.value is None or self.text[end - 1] in "}]"):
            return None
        if not made.complete:
            where = next((each.path for each in made.repairs if each.code == "truncated"), "")
        # What became of blanks around it is no matter, what was put among them is. Those at the end of a string that was cut are its own.
        edits = (_from(start, each) if each.start < start and (each.inserted or start < each.end) else each for each in made.repairs)
        repairs = tuple(each for each in edits if each.start >= start and (each.start < end or not each.removed or not made.complete))
        end = max(end, repairs[-1].end) if repairs else end
        return Match(self.text, made.value, start, end, "bare", None, made.complete, where, repairs)

    def units(self) -> list[Candidate]:
        """What competes to be the answer, in text order."""
        units = [each for unit in joined(self.search) for each in settled(self.search, unit)]
        return [each for each in units if self._has_kind(each)]

    def _has_kind(self, unit: Candidate) -> bool:
        if unit.quality == BROKEN:
            return self.options.expect != ("array" if self.text[unit.start] == "{" and not unit.parts else "object")
        return is_expected(unit.value, self.options.expect)

    def select(self) -> Match[Any]:
        """The answer under the options, or the error that there is none."""
        scalar = self._root_scalar() if self.options.expect == "any" and self.options.repair != "off" else None
        return scalar or self._selected()

    def _root_scalar(self) -> Match[Any] | None:
        """ANS-4: under expect="any", a text that starts like a scalar, a tuple or (under "full") a call."""
        full = self.options.repair == "full"
        if self.text.strip(BLANK) in OPEN_QUOTE:
            return None
        if not SCALAR.match(self.text, self.lead) and not (full and CALLED.match(self.text, self.lead)):
            return None
        match = self.full()
        if match is not None or self._cut is not None or not full:
            return match
        in_quotes = self.text[self.lead] in OPEN_QUOTE and self.text[end_of(self.text) - 1] in CLOSE_QUOTE
        return self._bare_scalar() if in_quotes or LONE_NUMBER.match(self.text, self.lead) else None

    def _bare_scalar(self) -> Match[Any] | None:
        """The whole text read as the one item of an array: there a damaged string or bare words have an end."""
        end = end_of(self.text)
        reading = read(f"[{self.text[self.lead : end]}]", 0, end - self.lead + 2, self.options, "full")
        if reading.stop != "done" or len(reading.value) != 1:
            return None
        if reading.end != end - self.lead + 2:  # a quote before a bracket of the text, not the array's
            found = one_string(self.text, self.lead, end, self.options)
            return None if found is None else Match(self.text, found.value, self.lead, end, repairs=found.repairs)
        edits = unframed(self.text, shifted(reading, self.lead - 1).repairs, self.lead, end)
        return Match(self.text, reading.value[0], self.lead, end, repairs=tuple(replace(each, path="") for each in edits))

    def _is_meant(self) -> bool:
        """ANS-4: is a text without candidates one bracketed thing, or a line of words that is no sentence?"""
        text, options = self.text, self.options
        if options.expect != "any" or options.repair != "full":
            return False
        line = text[self.lead :].rstrip(BLANK) if len(text) - self.lead <= 80 else ""
        bracketed = text[self.lead : self.lead + 1] in ("[", "{") and text[end_of(text) - 1] in "]},"
        return bracketed or (WORDS.fullmatch(line) is not None and not SENTENCE_END.search(line)) or PATTERN.fullmatch(line) is not None

    def _saying(self) -> Match[Any] | None:
        """ANS-4: words with a colon in them, where what stands before that is no name."""
        line = self.text[self.lead :].rstrip(BLANK)
        if not SAYING.fullmatch(line):
            return None
        end = self.lead + len(line)
        edit = Repair("unquoted-value", self.lead, end, line, quoted(line), "", "guess")
        return Match(self.text, line, self.lead, end, repairs=(edit,))

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
            return self._chosen([self.match(each) for each in usable], select)
        if select == "largest":
            return self.match(max(usable, key=lambda each: each.end - each.start))
        return self.match(usable[0 if select == "first" else -1])

    def _chosen(self, matches: list[Match[Any]], select: Callable[[list[Match[Any]]], Match[Any] | None]) -> Match[Any]:
        """SEL-6: what the user's function takes of these."""
        chosen = select(matches)
        if chosen is None:
            raise NoJSONError("select took none of the values", self.text, matches[0].start)
        if not any(chosen is each for each in matches):
            raise TypeError(f"select must return one of the matches it was given, or None, not {type(chosen).__name__}")
        return chosen

    def _answer(self) -> Match[Any]:
        units = fuller(supersede(self.text, self.units()))
        if not units:
            is_meant = self._cut is None and self._is_meant()
            whole = self.full() or self._bare_scalar() or self._saying() if is_meant else None
            if whole is not None:
                return whole
            raise self._refusal(units)
        best = min(units, key=_standing)
        if best.doubt:
            raise self._ambiguous("the only value that could be the answer is labelled as none", units)
        return self._accepted(best)

    def _sole(self) -> Match[Any]:
        units = fuller(distinct(self.units()))
        if not units:
            raise self._refusal(units)
        best = min(units, key=_standing)
        rivals = [each for each in units if each.quality <= CUT or each.rank <= max(best.rank, IN_OTHER_FENCE)]
        if len(rivals) > 1:
            raise self._ambiguous("several different values compete", rivals)
        if best.rank == NARRATED:
            raise self._ambiguous("the only value is mentioned inside a sentence", rivals)
        return self._accepted(best)

    def _accepted(self, unit: Candidate) -> Match[Any]:
        if unit.quality == BROKEN or (unit.quality == CUT and (self.options.truncated == "raise" or unit.value is None)):
            raise self._refusal([unit])
        return self.match(unit)

    def _ambiguous(self, message: str, units: list[Candidate]) -> AmbiguousJSONError:
        return AmbiguousJSONError(message, self.text, units[0].start, tuple(self.match(each) for each in units))

    def _refusal(self, units: list[Candidate]) -> JSONScanError:
        """Why none of these is the answer."""
        text = self.text
        if not units:
            if self.search.found:
                wanted = _EXPECTED[self.options.expect]
                return NoJSONError(f"there is JSON in the text, but not {wanted}", text, self.search.found[0].start)
            if self._cut is not None:
                return self._cut
            if self.search.thought:
                return NoJSONError("there is only reasoning, and no answer behind it", text, len(text))
            return NoJSONError("there is no JSON in the text", text, self.lead)
        unit = min(units, key=_standing)
        reading = unit.reading
        if unit.parts and unit.quality == BROKEN:
            return self._ambiguous("several values stand side by side", unit.parts)
        if unit.quality == CUT:
            where = _cut_at(unit)
            message = f"the text ends inside the value, at {where or 'its root'}"
            return TruncatedJSONError(message, text, unit.end, unit.value, where)
        if reading is None:
            return InvalidJSONError(unit.complaint[0], text, unit.complaint[1])
        return InvalidJSONError(_complaint(reading), text, reading.fault_pos, reading.fault)


def _from(start: int, edit: Repair) -> Repair:
    """What of an edit that starts before `start` counts from there on."""
    return replace(edit, start=start, end=max(start, edit.end), removed=edit.removed[start - edit.start :])


def _cut_at(unit: Candidate) -> str:
    """The JSON Pointer of the place where a value was cut. Of joined ones only the last can be."""
    last = unit.parts[-1] if unit.parts else unit
    assert last.reading is not None
    return f"/{len(unit.parts) - 1}{last.reading.path}" if unit.parts else last.reading.path


def _standing(unit: Candidate) -> tuple[bool, int, int, int]:
    """RANK-1 to RANK-3: the least is the answer."""
    return not unit.in_answer, unit.rank, unit.quality, unit.start


_BETWEEN = Pattern(
    r"(?P<comment>/\*[^*]*\*/)|(?P<comma>,)|(?P<list_marker>[-*•]|\d{1,3}[.)])|(?P<odd_space>[^\S \t\r\n]+)"
)
_KINDS: Final = {
    dict: "an object", list: "an array", str: "a string", int: "a number", float: "a number", bool: "a boolean", type(None): "null"
}  # fmt: skip
_EXPECTED: Final = {"any": "a JSON value", "object": "an object", "array": "an array", "container": "an object or array"}


def is_expected(value: Any, expect: str) -> bool:
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


# -- what `loads` tries first


def clean(text: str, begun: dict[int, Begun]) -> Any:
    """The answer under default options where it is the only value in the text and reads strictly; else `MISSING`, and what was read of it
    for nothing is in `begun`.

    The rules give the same answer where this gives one, because then
    (a) the whole text, blanks aside, is a strict object or array: ANS-1; or
    (b) a strict object with a member stands in text that holds no other `{` or `[` outside it, so no other candidate, and no `<` or `◁`
        there, so no tag that could set it aside; it is admitted (CAND-2: its first name is quoted and a colon follows; neither `$` nor a
        backslash stands before it) and neither cut short nor enclosed (CAND-5, CAND-8); the text does not start with a quote, so not with
        a member (ANS-5), and what is before the object holds either no fence marks, or one run of three backticks, directly before it but
        for the word json: then it is not in a fence of another language (RANK-1).
    """
    if len(text) > _LONG:
        return MISSING
    lead = start = LEADING_BLANK.match(text).end() if text[:1] in BLANK else 0  # type: ignore[union-attr]
    if text[start : start + 1] not in ("{", "["):
        is_member = text[start : start + 1] == '"'
        start = text.find("{", start)
        if start < 0 or is_member or not _is_clean_head(text[:start]):
            return MISSING
    found = scanned(text, start, _MAX_DEPTH)
    if found is None:
        machine, stop = begun[start] = begin(text, start, _DEFAULT)
        if stop != "done":
            return MISSING
        found = machine.value, machine.pos
    value, end = found
    if start == lead and (end == len(text) or LEADING_BLANK.match(text, end).end() == len(text)):  # type: ignore[union-attr]
        return value
    return value if value and text[start] == "{" and is_clean_tail(text[end:]) else MISSING


# `in` for a character is many times as fast as a regular expression.


def _is_clean_head(head: str) -> bool:
    if head[-1:] in ("$", "\\") or "~~~" in head or holds_landmark(head):
        return False
    bare = head.rstrip(" \t\r\n")
    if head.count("`") == 3 and bare.endswith(("```", "```json")):
        return "\n" in head[len(bare) :] or "\r" not in head[len(bare) :]  # a CR alone ends no line
    return "`" not in head or _CLEAN_FENCE.fullmatch(head) is not None


def is_clean_tail(tail: str) -> bool:
    """Does nothing behind an object change what it is?"""
    if holds_landmark(tail) or ("," in tail and PREMATURE.match(tail)):
        return False
    return not (("}" in tail or "]" in tail) and ENCLOSER_FOLLOWS.match(tail))


def holds_landmark(text: str) -> bool:
    """Is a bracket or tag in it (LAND-1), fences aside?"""
    return "{" in text or "[" in text or "<" in text or "｛" in text or "◁" in text


MISSING: Final = object()
_DEFAULT: Final = Options()
_LONG: Final = 1 << 26  # characters that may be copied at once: nothing looks for signals meanwhile
_MAX_DEPTH: Final = _DEFAULT.limits.max_depth or 0
_OPENS_OBJECT = Pattern(r"""\{\s*(?:(["'])[\w $.@/-]{1,64}\1|(?P<bare>[^\W\d][\w$-]{0,63}))[ \t]*:""")
_ONE_FENCE = Pattern(r"```((?:json)?)[ \t]*\r?\n[ \t\r\n]*(?=[{\[])")
_CLOSES_FENCE = Pattern(r"```[ \t\r]*(?:\n|\Z)")
_BLANKS = Pattern(r"[ \t\r\n]*")
_CLEAN_FENCE = Pattern(r"[^`]*(?:`{1,2}[^`]+)*(?:```(?:json)?[ \t]*(?:\r?\n[ \t\r\n]*)?)?")
