"""Choosing among candidates: values side by side (JOIN), equal ones, echoes of a schema or template, drafts (SEL)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .candidates import BROKEN, CUT, GUESSED, Candidate, Search
from .shapes import BLANK, COMMA, DRAFT, FENCE_OPENING, GLUE, LINE, PLACEHOLDER, REVISED, SCHEMA_WORDS


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
        parts = supersede(search.text, parts)
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
    """SEL-3 to SEL-5: leave out what the text itself says is no answer, where an answer follows."""
    kept: list[Candidate] = []
    followed = False  # by an answer
    for at in range(len(candidates) - 1, -1, -1):
        each = candidates[at]
        since = candidates[at - 1].end if at else 0
        if not followed or not (is_echo(each.value) or labelled(DRAFT.search, text, since, each)):
            kept.append(each)
            followed = followed or each.quality <= CUT
        if each.quality <= CUT and labelled(REVISED.search, text, since, each):
            kept += _not_revised(text, candidates[:at], each)
            break
    return sorted(kept, key=lambda each: each.start)


def _not_revised(text: str, earlier: list[Candidate], later: Candidate) -> list[Candidate]:
    """Those of a better rank than this one, which is labelled as final, or labelled so themselves."""
    kept, since = [], 0
    for each in earlier:
        if each.rank < later.rank or each.in_answer or labelled(REVISED.search, text, since, each):
            kept.append(each)
        since = each.end
    return kept


def labelled(words: Callable[[str, int], object], text: str, since: int, candidate: Candidate) -> bool:
    """Does the label of this value, the last line of words before it, hold one of these?"""
    start = max(since, candidate.start - 200)
    fence = FENCE_OPENING.search(text, start, candidate.start)
    before = text[start : fence.start() if fence else candidate.start].rstrip(BLANK)
    label = before[before.rfind("\n") + 1 :]
    return words(label, max(0, len(label) - 80)) is not None


def is_echo(value: Any) -> bool:
    return (isinstance(value, dict) and _is_schema(value)) or _is_template(value)


def _is_schema(value: dict[str, Any]) -> bool:
    if "$schema" in value:
        return True
    properties = value.get("properties")
    return isinstance(properties, dict) and bool(properties) and all(
        isinstance(each, dict) and not SCHEMA_WORDS.isdisjoint(each) for each in properties.values()
    )


def _is_template(value: Any) -> bool:
    """Is every string in it a placeholder, and is there one?"""
    stack, strings = [value], 0
    while stack:
        each = stack.pop()
        if isinstance(each, (dict, list)):
            stack += each.values() if isinstance(each, dict) else each
        elif isinstance(each, str):
            if len(each) > 256 or not PLACEHOLDER.fullmatch(each):
                return False
            strings += each != ""
    return strings > 0
