"""Probing a host model: a weakness that is declared must be there, or it hides faults."""

from __future__ import annotations

from typing import Any

from .model import Case
from .text import Malformed
from .values import Host, read_events

#: What is parsed to see each member of the host model. The keys are in no order, and too many to be in text order by chance.
TEXTS = {
    "integers": "[9007199254740993]",
    "numbers": "[1.0]",
    "key_order": '{"q":0,"b":0,"10":0,"x":0,"2":0,"m":0,"a":0,"z":0,"c":0}',
    "ill_formed": '["\\ud800"]',
}


def shown(member: str, value: Any) -> str | None:
    """Which value of a host member an answer to its probe shows; None when it shows nothing known."""
    if member == "key_order":
        if not isinstance(value, dict):
            raise Malformed("no object")
        keys = list(value)
        if keys == ["q", "b", "10", "x", "2", "m", "a", "z", "c"]:
            return "kept"
        return "integers-first" if keys == ["2", "10", "q", "b", "x", "m", "a", "z", "c"] else "lost"
    (event,) = read_events(value)[1:-1]
    if member == "integers":
        return "exact" if event == ("i", "9007199254740993") else "binary64"
    if member == "numbers":
        return "typed" if event[0] == "f" else "untyped"
    return "kept" if event == ("s", "\ud800") else "lost"


class Probes:
    """The probes of one handshake. ``overstated``: weaknesses that are declared and not there; ``hints``: those that are there
    and not declared, and probes that were not answered at all."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.cases = [self.case(member, text) for member, text in TEXTS.items()]
        self.overstated: list[str] = []
        self.hints: list[str] = []

    @staticmethod
    def case(member: str, text: str) -> Case:
        record = {
            "id": f"probe.host.{member}",
            "operation": "json_parse",
            "level": "must",
            "input": {"text": text},
            "expect": {},
        }
        return Case(record, "")

    def answered(self, case: Case, answer: Any, line: bytes) -> None:
        """Note what an answer shows."""
        member = case.id.rsplit(".", 1)[1]
        declared = getattr(self.host, member)
        try:
            seen = shown(member, answer["value"])
        except (Malformed, TypeError, KeyError, ValueError):
            return  # the cases will tell
        order = Host.VOCABULARY[member]
        if seen == declared:
            return
        detail = f"host.{member}: declared {declared}, but {TEXTS[member]} shows {seen}"
        (self.overstated if order.index(seen) < order.index(declared) else self.hints).append(detail)

    def charged(self, case: Case, kind: str, detail: str) -> None:
        """Note a probe that was not answered."""
        self.hints.append(f"{TEXTS[case.id.rsplit('.', 1)[1]]} was not answered: {kind}: {detail}"[:300])
