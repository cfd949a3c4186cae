"""How other libraries are compared: ``search`` by its value alone, and no verdict against them where the rules are a choice."""

from __future__ import annotations

import functools
import re

from .model import PACKAGE, Case

_SECTION = re.compile(r"^## Where other libraries decide otherwise\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_RULE = re.compile(r"\b[A-Z]+-\d+\b")


@functools.cache
def choices() -> frozenset[str]:
    """The rules that RULES.md names as ones where other libraries decide otherwise."""
    section = _SECTION.search((PACKAGE / "RULES.md").read_text("utf-8"))
    return frozenset(_RULE.findall(section[1]) if section else ())


def is_disputed(case: Case) -> bool:
    """Whether another answer is no fault in a peer: the case is none of those that must be, asks for what options of jsonscan's own mean,
    or rests on a rule that is a choice."""
    return case.level != "must" or bool(case.options) or not choices().isdisjoint(case.record.get("rules", ()))
