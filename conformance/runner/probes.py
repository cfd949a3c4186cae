"""Probing a host model: a weakness that is declared must be there, or it hides faults."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from .model import Case
from .text import Malformed, plain
from .values import Host, read_events

#: What is parsed to see each member of the host model. The keys are in no order, and too many to be in text order by chance.
TEXTS = {
    "integers": "[9007199254740993]",
    "numbers": "[1.0]",
    "key_order": '{"q":0,"b":0,"10":0,"x":0,"2":0,"m":0,"a":0,"z":0,"c":0}',
    "ill_formed": '["\\ud800"]',
}


#: The operations that a probe can be asked of, the best first: each gives the value of a text that is JSON.
PROBED = ("json_parse", "extract_json", "try_extract_json")

ORDER = ["q", "b", "10", "x", "2", "m", "a", "z", "c"]


def shown(member: str, value: Any) -> str:
    """Which value of a host member an answer to its probe shows. Raises Malformed or ValueError when it shows nothing."""
    events = read_events(value)
    if member == "key_order":
        keys = [event[1] for event in events if event[0] == "k"]
        if sorted(keys) != sorted(ORDER):
            raise Malformed("not the object")
        if keys == ORDER:
            return "kept"
        return "integers-first" if keys == ["2", "10", "q", "b", "x", "m", "a", "z", "c"] else "lost"
    (event,) = events[1:-1]
    if member == "integers":
        return "exact" if event == ("i", "9007199254740993") else "binary64"
    if member == "numbers":
        return "typed" if event[0] == "f" else "untyped"
    return "kept" if event == ("s", "\ud800") else "lost"


class Probes:
    """The probes of one handshake. ``overstated``: weaknesses that are declared and not there; ``hints``: those that are there
    and not declared, and probes that were not answered at all."""

    def __init__(self, host: Host, offered: Collection[str] = PROBED) -> None:
        self.host = host
        operations = [name for name in PROBED if name in offered][:1]
        self.cases = [self.case(name, member, text) for name in operations for member, text in TEXTS.items()]
        self.overstated: list[str] = []
        self.hints: list[str] = []

    @staticmethod
    def case(operation: str, member: str, text: str) -> Case:
        record = {
            "id": f"probe.host.{member}",
            "operation": operation,
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
        except (Malformed, TypeError, KeyError, ValueError, RecursionError):
            return  # the cases will tell
        order = Host.VOCABULARY[member]
        if seen == declared:
            return
        detail = f"host.{member}: declared {declared}, but {TEXTS[member]} shows {seen}"
        (self.overstated if order.index(seen) < order.index(declared) else self.hints).append(detail)

    def charged(self, case: Case, kind: str, detail: str) -> None:
        """Note a probe that was not answered."""
        self.hints.append(f"{TEXTS[case.id.rsplit('.', 1)[1]]} was not answered: {kind}: {plain(detail)}"[:300])
