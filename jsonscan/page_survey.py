"""What a search of a response came to, with all that it passed on its way: the candidates, and what was set aside."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

from .answers import Outcome, is_expected
from .candidates import BROKEN, CUT, Candidate, Search
from .choosing import Behind, fingerprint, label_of, place_of
from .errors import AmbiguousJSONError, JSONScanError, TruncatedJSONError
from .landmarks import Fence, Tag
from .model import Match, Options
from .page_words import PLACE, QUALITY
from .records import replace
from .scanner import Raw, text_of


class Region(NamedTuple):
    """`text[start:end]`, and what it is: "answer", "cut", "candidate" or a kind of page_words.ASIDE."""

    start: int
    end: int
    kind: str
    number: int = 0


class Survey:
    """What a search came to. `match` is the answer, or under a `TruncatedJSONError` what there is of it."""

    def __init__(self, text: str, options: Options, error: JSONScanError | None = None) -> None:
        self.text, self.options, self.error = text, options, error
        self.outcome = Outcome(text, options)
        self.match: Match[Any] | None = None
        self.found: list[Candidate] = []
        self.aside: list[Region] = []
        self.chosen: Candidate | None = None

    def search(self) -> None:
        try:
            self.match = self.outcome.whole()
            if self.match is None:
                walk = _Walk(self.text, self.options)
                self.found, self.outcome._search = walk.run(), walk
                self.aside = walk.aside
                self.match = self.outcome.select()
                self.chosen = next((each for each in self.found if self.is_in_answer(each)), None)
        except JSONScanError as error:
            self.error = error

    def is_in_answer(self, each: Candidate) -> bool:
        return self.match is not None and self.match.start <= each.start and each.end <= self.match.end

    def standing(self, each: Candidate) -> tuple[str, str, str]:
        """Whether a candidate is the answer: how good that is, a word, and the reason."""
        if self.is_in_answer(each):
            if self.error is not None:
                return "late", "cut off", "It would be the answer, but the text ends inside it."
            return "good", "answer" if each.end - each.start == self._length() else "part of the answer", "This is it."
        if isinstance(self.error, AmbiguousJSONError) and any(each.start == match.start for match in self.error.matches):
            return "bad", "competes", "Another value competes with this one, and nothing says which is meant."
        if each.quality == BROKEN:
            complaint = each.complaint[0] or "it cannot be read to its end with the repairs allowed"
            return "bad", "broken", f"Not taken: {complaint}."
        if each.quality == CUT and self.options.truncated == "raise":
            return "late", "cut off", "Not taken: the text ends inside it."
        if self.error is not None:
            return "other", "not taken", f"No value is taken: {self.error.msg}."
        return "other", "not taken", f"Not taken: {self._reason(each)}."

    def _length(self) -> int:
        return self.match.end - self.match.start if self.match is not None else -1

    @cached_property
    def _answer_mark(self) -> str:
        return fingerprint(self.chosen.value) if self.chosen is not None else ""

    def _reason(self, each: Candidate) -> str:
        options, chosen = self.options, self.chosen
        if not is_expected(each.value, options.expect):
            return f"it is not of the kind that expect={options.expect!r} asks for"
        if options.select != "answer" or chosen is None:
            return f"select={getattr(options.select, '__name__', repr(options.select))} takes another"
        if self._answer_mark == fingerprint(each.value):
            return "it is the answer once more"
        if each.value == {}:
            return "an empty object does not compete with a fuller value"
        behind = Behind()
        if each.start < chosen.start:
            behind.add(chosen.value, label_of(self.text, 0, chosen.start), place_of(chosen))
        if behind.outdo(each.value, ""):
            return "it is a schema or a template, and an answer follows"
        if behind.outdo(each.value, label_of(self.text, 0, each.start)):
            return "its label says that it is a draft, an example or the like"
        if chosen.in_answer and not each.in_answer:
            return "the answer stands in an answer tag"
        if chosen.rank < each.rank:
            return f"it stands {PLACE[each.rank]}, the answer {PLACE[chosen.rank]}"
        if chosen.quality < each.quality:
            return f"it is {QUALITY[each.quality]}, the answer {QUALITY[chosen.quality]}"
        return "the answer comes first" if chosen.start < each.start else "the label of the answer says that it stands for those before"


class _Walk(Search):
    """A search that also keeps what it passes on its way."""

    def __init__(self, text: str, options: Options) -> None:
        super().__init__(text, options)
        self.aside: list[Region] = []

    def _enter(self, fence: Fence) -> int:
        self.aside += [Region(fence.start, fence.content, "fence"), Region(fence.end, fence.after, "fence")]
        return super()._enter(fence)

    def _pass(self, tag: Tag) -> int:
        pos = super()._pass(tag)
        if tag.role == "reasoning" and tag.closes:
            self.aside = [Region(0, pos, "reasoning")]
        else:
            is_whole = tag.role in ("reasoning", "quoted") and pos > tag.end
            self.aside.append(Region(tag.start, pos, tag.role) if is_whole else Region(tag.start, tag.end, "tag"))
        return pos


def survey(raw: Raw, options: Options) -> Survey:
    """Search, and keep all that a reader may want to see of it. Never raises on account of the text. O(text)."""
    try:
        made = Survey(text_of(raw, options.limits), options)
    except JSONScanError as error:
        return Survey(error.doc, options, error)
    made.search()
    if isinstance(made.error, TruncatedJSONError):
        kept = Survey(made.text, replace(options, truncated="keep"))
        kept.search()
        kept.options, kept.error = options, made.error
        return kept
    return made
