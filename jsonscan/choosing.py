"""Choosing among candidates: values side by side (JOIN), equal ones, echoes of a schema or template, drafts (SEL)."""

from __future__ import annotations

import re
from typing import Any

from .candidates import BROKEN, CUT, GUESSED, NARRATED, ON_LINES, Candidate, Search
from .shapes import (
    ANNOUNCING,
    BLANK,
    BLANKS_TO_FILL,
    COMMA,
    DRAFT,
    FENCE_OPENING,
    GLUE,
    LABEL_PART,
    LINE,
    OUTRIGHT,
    PLACEHOLDER,
    PLAIN,
    PREPOSITIONS,
    REVISED,
    SCHEMA_WORDS,
)


def joined(search: Search) -> list[Candidate]:
    """JOIN-1 to JOIN-3: values that nothing, a line feed or a comma parts are one candidate with parts."""
    text, units = search.text, list[Candidate]()
    for each in search.found:
        last = units[-1] if units else None
        tail = last.parts[-1] if last is not None and last.parts else last
        how = _joint(text, tail, each) if tail is not None and each.in_answer == tail.in_answer else None
        if last is None or tail is None or how is None:
            units.append(each)
            continue
        if not last.parts:
            group = Candidate(last.start, last.end, None, last.quality)
            group.parts = [last]
            group.rank, group.source, group.fence, group.in_answer = last.rank, last.source, last.fence, last.in_answer
            group.on_lines = True
            units[-1] = last = group
        last.parts.append(each)
        last.end = each.end
        last.quality = max(last.quality, each.quality)
        last.on_lines = last.on_lines and how == "comma"
    return units


def _joint(text: str, left: Candidate, right: Candidate) -> str | None:
    if left.quality > GUESSED or right.quality == BROKEN or right.start - left.end > 256 or left.rank != right.rank:
        return None
    gap = text[left.end : right.start]
    if COMMA.fullmatch(gap):
        return "comma"
    if GLUE.fullmatch(gap) or (LINE.fullmatch(gap) and left.on_lines and right.on_lines):
        return "line"
    return None


def settled(search: Search, unit: Candidate) -> list[Candidate]:
    """What a unit counts as: itself; the array of its parts under repair="full"; else its parts, to be told apart (JOIN-4, JOIN-5)."""
    if not unit.parts:
        return [unit]
    parts = distinct(unit.parts)
    if len(parts) == 1 and unit.on_lines and search.options.repair == "full":  # commas say that the same is meant again
        parts = unit.parts
    parts = fuller(parts)
    if not unit.on_lines:  # parted by something else than commas
        parts = without_echoes(parts)
    if len(parts) == 1 or search.options.expect == "object":
        return parts
    if search.options.repair == "full":
        unit.value, unit.quality = [part.value for part in unit.parts], max(unit.quality, GUESSED)
        return [unit]
    unit.value, unit.quality = None, BROKEN
    unit.parts = parts
    return [unit]


def distinct(candidates: list[Candidate]) -> list[Candidate]:
    """SEL-1: identical values are one, the first. One that was cut could have become another, and a broken one is none."""
    kept: list[Candidate] = []
    by_text: set[str] = set()
    for each in candidates:
        if each.quality >= CUT:
            kept.append(each)
            continue
        mark = fingerprint(each.value)
        if mark not in by_text:
            by_text.add(mark)
            kept.append(each)
    return kept


def fuller(candidates: list[Candidate]) -> list[Candidate]:
    """SEL-2: `{}` does not compete with a value that is none. What was cut is no `{}`, though nothing more came of it."""
    fuller = [each for each in candidates if each.quality >= CUT or each.value != {}]
    return fuller or candidates


def without_echoes(candidates: list[Candidate]) -> list[Candidate]:
    """SEL-3 and SEL-4 among values in a row: leave out a schema before its instance, and what is nothing but blanks to fill."""
    kept: list[Candidate] = []
    names: set[str] = set()
    for each in reversed(candidates):
        described = _described(each.value)
        if names and ((described and shares(described, names)) or _placeholders(each.value, BLANKS_TO_FILL)):
            continue
        kept.append(each)
        names |= names_of(each.value)
    kept.reverse()
    return kept


def fingerprint(value: Any) -> str:
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


def supersede(text: str, candidates: list[Candidate]) -> list[Candidate]:
    """SEL-3 to SEL-5 and SEL-8: leave out what the text itself says is no answer, where an answer follows."""
    if len(candidates) < 2:
        return candidates
    kept: list[Candidate] = []
    behind = Behind()
    for at in range(len(candidates) - 1, -1, -1):
        each = candidates[at]
        label = label_of(text, candidates[at - 1].end if at else 0, each.start)
        is_none = is_no_answer(each.value, label)
        if behind.outdo(each.value, label) or behind.revise(each.value, label, place_of(each)):
            continue
        each.doubt = is_none and behind.followed
        kept.append(each)
        if not is_none and (each.rank <= ON_LINES or (each.quality <= CUT and each.rank < NARRATED)):
            behind.add(each.value, label, place_of(each))
    kept.reverse()
    return kept


class Behind:
    """The answers behind a value, as far as it matters whether they take its place."""

    def __init__(self) -> None:
        self.followed = False  # by an answer
        self.announced = False  # by one whose label says nothing else
        self.names: set[str] = set()
        self._revised_names: set[str] = set()
        self._revising = self._final = (True, NARRATED + 1)  # the best places of those that stand for values of their names, and for all

    def add(self, value: Any, label: str, place: tuple[bool, int]) -> None:
        names = names_of(value)
        self.followed = True
        self.announced = self.announced or said(label, ANNOUNCING) >= 0
        self.names |= names
        revised = said(label, REVISED)
        if revised > 0:
            self._revising = min(self._revising, place)
            self._revised_names |= names
        if revised == OUTRIGHT:
            self._final = min(self._final, place)

    def outdo(self, value: Any, label: str) -> bool:
        """Is this value, so labelled, left out for one of them?"""
        if self.announced and is_no_answer(value, label):
            return True
        return (said(label, DRAFT) > 0 and shares(names_of(value), self.names)) or is_filled(value, self.names)

    def revise(self, value: Any, label: str, place: tuple[bool, int]) -> bool:
        """Does one of them, labelled as corrected or final, stand for this one, which is not?"""
        if place < self._revising or said(label, REVISED) > 0:
            return False
        return self._final <= place or shares(names_of(value), self._revised_names)


def place_of(candidate: Candidate) -> tuple[bool, int]:
    """Where it stands, the best place first (RANK-1)."""
    return not candidate.in_answer, candidate.rank


def names_of(value: Any) -> set[str]:
    """The names of an object, or of the objects in an array; for a value without any, the one empty name."""
    objects = value if isinstance(value, list) else [value]
    return {name for each in objects if isinstance(each, dict) for name in each} or {""}


def shares(names: set[str], others: set[str]) -> bool:
    """Is at least half of these names among the others?"""
    return 2 * len(names & others) >= len(names)


def label_of(text: str, since: int, start: int) -> str:
    """The label of the value at `start`: the last line of words before it, but behind `since`."""
    since = max(since, start - 200)
    fence = FENCE_OPENING.search(text, since, start)
    before = text[since : fence.start() if fence else start].rstrip(BLANK)
    return before[before.rfind("\n") + 1 :][-80:]


def said(label: str, words: dict[str, int]) -> int:
    """How clearly the last sentence of a label says one of these words and else only PLAIN ones, or what a preposition behind it starts:
    OUTRIGHT, PARTLY, or 0 if it says none of them; -1 if it says other things."""
    level, is_other, is_over, last, mark = 0, False, False, "", ""
    for found in LABEL_PART.finditer(label):
        part = found[0]
        if not part[0].isalnum():  # a mark, or a tag
            mark = part if part[0] != "<" and mark in ("", ",") else mark
            continue
        if mark and (mark != "," or is_other):  # a sentence is over, or a part of one that says other things
            level, is_other, is_over = 0, False, False
        word = part.lower() if part.isascii() else ""
        found_level = max(words.get(word, -1), words.get(f"{last} {word}", -1))
        if found_level >= 0:
            level = max(level, found_level)
        elif word not in PLAIN and not word.isdecimal() and not is_over:
            is_over = level > 0 and not is_other and word in PREPOSITIONS
            is_other = not is_over
        last, mark = word, ""
    return -1 if is_other else level


def is_no_answer(value: Any, label: str) -> bool:
    """Does a value or its label say by itself that it is none?"""
    return said(label, DRAFT) == OUTRIGHT or _placeholders(value, BLANKS_TO_FILL)


def is_filled(value: Any, names: set[str]) -> bool:
    """Is it a schema, or all placeholders, of a value with these names?"""
    described = _described(value)
    if described:
        return shares(described, names)
    return names_of(value) != {""} and shares(names_of(value), names) and _placeholders(value, PLACEHOLDER)


def _described(value: Any) -> set[str]:
    """The names that a schema describes."""
    properties = value.get("properties") if isinstance(value, dict) else None
    if not isinstance(properties, dict):
        return set()
    is_schema = all(isinstance(each, dict) and not SCHEMA_WORDS.isdisjoint(each) for each in properties.values())
    return set(properties) if is_schema else set()


def _placeholders(value: Any, pattern: re.Pattern[str]) -> bool:
    """Is every string in it such a placeholder or empty, and is one not empty?"""
    stack, strings = [value], 0
    while stack:
        each = stack.pop()
        if isinstance(each, (dict, list)):
            stack += each.values() if isinstance(each, dict) else each
        elif isinstance(each, str) and each:
            if len(each) > 256 or not pattern.fullmatch(each):
                return False
            strings += 1
    return strings > 0
