"""Recording: one case in, the expectation that the original's answer makes out; every part that can be is computed twice."""

from __future__ import annotations

from typing import Any

from ..runner.model import Case
from ..runner.text import read_string, spans, to_utf16, write_string
from ..runner.values import Host, compare, read_events
from . import reader, tagged

#: What the original's answers keep: doubles, and members in JavaScript's order.
ORIGINAL = Host(strings="utf16", integers="binary64", numbers="untyped", key_order="integers-first")


class Doubtful(Exception):
    """The original's answer and the recorder's own reading of it disagree."""


def expectation(case: Case, answer: dict[str, Any]) -> dict[str, Any]:
    """The ``expect`` of a case from the answer of the originals. Raises Doubtful."""
    outcome = answer["outcome"]
    if outcome == "found":
        return {"outcome": "found", **found(case, read_string(answer["text"]))}
    if outcome == "value":
        return {"outcome": "value", "value": value(answer)}
    if case.operation == "json_parse" and case.text is not None:
        refused(case.text)
    if "preview" in answer:
        shown(case, read_string(answer["preview"]))
    return {name: answer[name] for name in ("outcome", "code", "preview") if name in answer}


def found(case: Case, text: str) -> dict[str, Any]:
    """Where the text stands, and the text itself where it is short enough to read.

    Its first occurrence is the one: an earlier one would have been answered earlier.
    """
    start = (case.text or "").find(text)
    if start < 0 or text[:1] != "{" or text[-1:] != "}":
        raise Doubtful("the answer is no object cut from the input")
    reader.read(text)
    whole = {"text": write_string(text)} if len(text) <= 400 else {}
    return {**whole, "span": spans(case.text or "", start, start + len(text))}


def value(answer: dict[str, Any]) -> Any:
    """The value, read from the text that the original had parsed, and compared with the value it gave."""
    try:
        wanted = tagged.write(reader.read(read_string(answer["parsed"])))
    except reader.NotJSON as error:
        raise Doubtful(f"the original parsed what the recorder's reader refuses: {error}") from None
    ours = read_events(wanted, ORIGINAL.key_order, corpus=True)
    difference, _ = compare(ours, read_events(answer["value"]), ORIGINAL)
    if difference:
        raise Doubtful(f"the recorder's reader and the original differ: {difference}")
    return wanted


def refused(text: str) -> None:
    """The recorder's reader must refuse what the original refuses."""
    try:
        reader.read(text)
    except reader.NotJSON:
        return
    raise Doubtful("the original refuses what the recorder's reader reads")


def shown(case: Case, preview: str) -> None:
    """A preview is a part of the input, in code units: its ends may cut a pair."""
    units, part = to_utf16(case.text or "").hex(" ", 2), to_utf16(preview).hex(" ", 2)
    if part not in units:
        raise Doubtful("the preview is no part of the input")
