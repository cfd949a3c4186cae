"""The operations: which answers each allows, how a member of an answer is read, and how it is compared.

One place per operation, the table OPERATIONS; one place per kind of member, its reader and its comparison. To add an
operation, add a row; to add a kind of member, add a class.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from .model import CORE, Case
from .text import Malformed, plain, quoted, read_string, slice_of, spans, to_utf16
from .values import Host, compare, glimpse, read_events, same_skeleton, spelled, text_loss

#: How many events an answer may have over twice those expected, before its unfolding is given up.
SLACK = 10_000


class Member:
    """A kind of member of an answer. ``lint`` raises Malformed for an expectation that has no meaning."""

    def lint(self, want: Any, case: Case) -> None:
        raise NotImplementedError

    def differs(self, want: Any, got: Any, case: Case, host: Host, loss: set[str]) -> str | None:
        """None when ``got`` is as good as ``want`` for this host, adding to ``loss`` what was given up; else where not.

        Raises Malformed when ``got`` has no meaning.
        """
        raise NotImplementedError


class Value(Member):
    def lint(self, want: Any, case: Case) -> None:
        read_events(want, corpus=True)

    def differs(self, want: Any, got: Any, case: Case, host: Host, loss: set[str]) -> str | None:
        if isinstance(want, dict) and "$flat" in want:
            if not isinstance(got, (dict, list)):
                return f"at $: expected a deep value, got {brief_value(got)}"
            if same_skeleton(want, got):
                return None
        expected = case.events(want, host.key_order)
        if host.key_order != "kept" and expected != case.events(want, "kept"):
            loss.add("key_order")
        answer = read_events(got, host.key_order, most=2 * len(expected) + SLACK)
        difference, weakened = compare(expected, answer, host)
        loss |= weakened
        return difference


class Text(Member):
    def lint(self, want: Any, case: Case) -> None:
        read_string(want, corpus=True)

    def differs(self, want: Any, got: Any, case: Case, host: Host, loss: set[str]) -> str | None:
        return _text_differs(read_string(want, corpus=True), read_string(got), case, host, loss)


def _text_differs(want: str, got: str, case: Case, host: Host, loss: set[str]) -> str | None:
    lost = text_loss(want, got, host)
    if lost is not None:
        loss.update(lost)
        return None
    at = next((at for at, (one, other) in enumerate(zip(want, got)) if one != other), min(len(want), len(got)))
    sizes = [size_of(text, case.operation) for text in (want, got, want[:at])]
    pieces = [quoted(text[max(0, at - 10) : at + 30]) for text in (want, got)]
    return "expected {:,} {}, got {:,}; they part at {:,}: expected {}, got {}".format(
        sizes[0], unit_of(case.operation), *sizes[1:], *pieces
    )


def unit_of(operation: str) -> str:
    """The unit in which the rules of an operation count."""
    return "UTF-16 code units" if operation in CORE else "code points"


def size_of(text: str, operation: str) -> int:
    """The length of a text in that unit."""
    return len(to_utf16(text)) // 2 if operation in CORE else len(text)


class Span(Member):
    """A span; the expectation has it in three units, the answer in the host's own."""

    def lint(self, want: Any, case: Case) -> None:
        if case.text is None:
            raise Malformed("a span needs an input that is text")
        start, end = want["codepoints"]
        if not 0 <= start <= end <= len(case.text) or spans(case.text, start, end) != want:
            raise Malformed("the span's three units do not agree, or it lies outside the input")

    def differs(self, want: Any, got: Any, case: Case, host: Host, loss: set[str]) -> str | None:
        if not (isinstance(got, list) and len(got) == 2 and all(type(offset) is int for offset in got)):
            raise Malformed("a span is [start, end], two integers")
        expected = want[host.strings]
        if got == expected:
            return None
        return f"expected {expected} ({host.strings}), got {got}: {ascii(slice_of(case.text or '', host.strings, *got))[:80]}"


class Word(Member):
    """A member from a closed list, or any word when there is none."""

    def __init__(self, *allowed: Any) -> None:
        self.allowed = allowed

    def lint(self, want: Any, case: Case) -> None:
        if self.allowed and want not in self.allowed:
            raise Malformed(f"{want!r} is none of {', '.join(map(str, self.allowed))}")

    def differs(self, want: Any, got: Any, case: Case, host: Host, loss: set[str]) -> str | None:
        self.lint(got, case)
        return None if type(want) is type(got) and want == got else f"expected {want!r}, got {got!r}"


class Listing(Member):
    """A list of members of one kind, equal in number and order."""

    def __init__(self, item: Member) -> None:
        self.item = item

    def lint(self, want: Any, case: Case) -> None:
        if not isinstance(want, list):
            raise Malformed("must be a list")
        for item in want:
            self.item.lint(item, case)

    def differs(self, want: Any, got: Any, case: Case, host: Host, loss: set[str]) -> str | None:
        if not isinstance(got, list):
            raise Malformed("must be a list")
        for at, (one, other) in enumerate(zip(want, got)):
            difference = self.item.differs(one, other, case, host, loss)
            if difference:
                return f"[{at}]: {difference}"
        return None if len(want) == len(got) else f"expected {len(want)} items, got {len(got)}"


class Record(Member):
    """An object with these members; an expectation may leave out the ``optional`` ones, and has no others."""

    def __init__(self, members: Mapping[str, Member], optional: frozenset[str] = frozenset()) -> None:
        self.members = members
        self.optional = optional

    def missing(self, wire: Any, optional: frozenset[str]) -> None:
        """Raise Malformed for what is missing."""
        if not isinstance(wire, dict):
            raise Malformed("must be an object")
        missing = self.members.keys() - wire.keys() - optional
        if missing:
            raise Malformed(f"has no {', '.join(sorted(missing))}")

    def lint(self, want: Any, case: Case) -> None:
        self.missing(want, self.optional)
        strange = want.keys() - self.members.keys() - {"outcome"}
        if strange:
            raise Malformed(f"has members that mean nothing here: {', '.join(sorted(strange))}")
        for name in want.keys() & self.members.keys():
            self.members[name].lint(want[name], case)

    def differs(self, want: Any, got: Any, case: Case, host: Host, loss: set[str]) -> str | None:
        self.missing(got, frozenset(self.members.keys() - want.keys()))
        for name in self.members:
            if name in want:
                difference = self.members[name].differs(want[name], got[name], case, host, loss)
                if difference:
                    return f"{name}{'' if difference.startswith('[') else ': '}{difference}"
            elif name in got:
                return f"{name}: none expected"
        return None


class Slice(Record):
    """``found`` of extract_json_object: the answer has the text, the expectation its span, and the text where it is short."""

    def __init__(self) -> None:
        super().__init__({"text": Text(), "span": Span()}, frozenset({"text"}))

    def lint(self, want: Any, case: Case) -> None:
        super().lint(want, case)
        text = self.text(want, case)
        if "text" in want and read_string(want["text"], corpus=True) != text:
            raise Malformed("the text is not what the span cuts out")
        if text == case.text:
            raise Malformed("the text is the input: the outcome must be unchanged")

    def text(self, want: Any, case: Case) -> str:
        start, end = want["span"]["codepoints"]
        return (case.text or "")[start:end]

    def differs(self, want: Any, got: Any, case: Case, host: Host, loss: set[str]) -> str | None:
        difference = _text_differs(self.text(want, case), read_string(got.get("text")), case, host, loss)
        return difference and f"text: {difference}"


class Alternatives(Member):
    """An answer within an answer: an ``outcome`` chooses the record."""

    def __init__(self, outcomes: Mapping[str, Record]) -> None:
        self.outcomes = outcomes
        names = {name for record in outcomes.values() for name in record.members}
        self.foreign = {outcome: names - record.members.keys() for outcome, record in outcomes.items()}

    def record(self, wire: Any) -> Record:
        outcome = wire.get("outcome") if isinstance(wire, dict) else None
        if not isinstance(outcome, str) or outcome not in self.outcomes:
            raise Malformed(f"outcome must be one of {', '.join(self.outcomes)}, not {ascii(outcome)[:60]}")
        return self.outcomes[outcome]

    def lint(self, want: Any, case: Case) -> None:
        self.record(want).lint(want, case)

    def differs(self, want: Any, got: Any, case: Case, host: Host, loss: set[str]) -> str | None:
        record = self.record(got)
        foreign = self.foreign[got["outcome"]] & got.keys()
        if foreign:
            raise Malformed(f"{got['outcome']} with {', '.join(sorted(foreign))}, which belongs to another outcome")
        if got["outcome"] != want["outcome"]:
            return f"expected {brief(want)}, got {brief(got)}"
        return record.differs(want, got, case, host, loss)


def brief(answer: Mapping[str, Any], most: int = 100) -> str:
    """An expectation or an answer on one line of ASCII, each member of at most ``most`` characters or so."""
    members = {name: item for name, item in answer.items() if name not in ("id", "outcome")}
    words = [
        ("" if name == "code" or list(members) in (["value"], ["text"]) else f"{name} ") + brief_member(name, item, most)
        for name, item in members.items()
    ]
    return f"{plain(str(answer.get('outcome', '')))[:60]} {', '.join(words)}".strip()


def brief_member(name: str, item: Any, most: int) -> str:
    if name == "value":
        return brief_value(item, most)
    if name in ("text", "preview"):
        try:
            return cut(quoted(read_string(item, corpus=True)), most)
        except Malformed:
            pass
    if name == "span" and isinstance(item, dict):
        return str(item.get("codepoints"))
    if name == "final" and isinstance(item, dict):
        return f"({brief(item, most)})"
    if name in ("matches", "snapshots") and isinstance(item, list):
        shown = [f"({brief(one, most)})" if isinstance(one, dict) and name == "matches" else brief_value(one, most) for one in item[:3]]
        return f"{len(item)} [{', '.join(shown)}{', ...' if len(item) > 3 else ''}]"
    return cut(json.dumps(item).replace("\x7f", "\\u007f").strip('"'), most)


def brief_value(wire: Any, most: int = 100) -> str:
    """A tagged value as JSON, cut after ``most`` characters; as it was sent, where it has no meaning."""
    try:
        return spelled(glimpse(wire), most)
    except (Malformed, RecursionError, TypeError, ValueError):
        return cut(plain(json.dumps(wire)), most)


def cut(text: str, most: int) -> str:
    """At most so many characters of a text, and a sign that there were more."""
    return text if len(text) <= most else text[:most] + "..."


def preview(case: Case, most: int) -> str:
    """The input on one line of ASCII: of a long text how it begins, how it ends, and its length in the unit of the operation's rules."""
    text = case.text
    if text is None:
        return cut(json.dumps(case.record["input"]), most)
    if len(text) <= most and len(quoted(text)) <= most + 2:
        return quoted(text)
    head, tail = text[: most * 3 // 4], text[-most // 4 :]
    while len(quoted(head)) > most:
        head, tail = head[: len(head) // 2], tail[len(tail) // 2 :]
    return f"{quoted(head)} ... {quoted(tail)} ({size_of(text, case.operation):,} {unit_of(case.operation)})"


EMPTY = Record({})
CODE = Word()
REPAIR_CODES = Listing(Word())
MATCH_MEMBERS: dict[str, Member] = {
    "span": Span(),
    "value": Value(),
    "source": Word("bare", "fence", "tag", "prose", "fragment"),
    "complete": Word(True, False),
    "repairs": REPAIR_CODES,
}
MATCH = Record(MATCH_MEMBERS)
ERROR = Record({"code": CODE})
SEARCH = {"found": MATCH, "none": EMPTY, "error": ERROR}


def _error(*codes: str) -> Record:
    return Record({"code": Word(*codes)})


OPERATIONS: dict[str, Alternatives] = {
    "json_parse": Alternatives({"value": Record({"value": Value()}), "error": _error("syntax")}),
    "extract_json_object": Alternatives({"found": Slice(), "unchanged": EMPTY, "error": _error("type")}),
    "extract_json": Alternatives(
        {
            "value": Record({"value": Value()}),
            "error": Record(
                {"code": Word("invalid-input", "no-json", "unbalanced", "parse-failed"), "preview": Text()},
                frozenset({"preview"}),
            ),
        }
    ),
    "try_extract_json": Alternatives({"value": Record({"value": Value()}), "null": EMPTY}),
    "search": Alternatives(SEARCH),
    "finditer": Alternatives({"found": Record({"matches": Listing(MATCH)}), "error": ERROR}),
    "repair": Alternatives(
        {"found": Record({"value": Value(), "text": Text(), "repairs": Listing(Word())}), "error": ERROR}
    ),
    "stream": Alternatives(
        {"found": Record({"snapshots": Listing(Value()), "final": Alternatives(SEARCH)}), "error": ERROR}
    ),
}

#: What a peer answers to ``search``: a value is all that every library gives.
BY_VALUE = Alternatives({"found": Record({"value": Value()}), "none": EMPTY})

#: Operations whose answers hold spans: there the unit must show.
WITH_SPANS = ("search", "finditer", "repair", "stream")


def lint_expectation(case: Case) -> list[str]:
    """What is wrong with a case's expectations."""
    problems = []
    for expect in case.expectations:
        try:
            OPERATIONS[case.operation].lint(expect, case)
        except (Malformed, LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
            problems.append(f"expect: {error}")
    return problems


def by_value(expect: Mapping[str, Any]) -> Mapping[str, Any]:
    """What is left of an expectation of ``search`` for a peer: an error is one more way to say that there is none."""
    return expect if expect["outcome"] == "found" else {"outcome": "none"}


def judge_answer(case: Case, answer: Mapping[str, Any], host: Host, peer: bool = False) -> tuple[str | None, set[str]]:
    """(None, what was weakened) when the answer meets one of the expectations; else (the difference from the first, ...).

    Raises Malformed when the answer has no meaning for the operation.
    """
    valued = peer and case.operation == "search"
    operation = BY_VALUE if valued else OPERATIONS[case.operation]
    first: str | None = None
    for expect in map(by_value, case.expectations) if valued else case.expectations:
        loss: set[str] = set()
        difference = operation.differs(expect, answer, case, host, loss)
        if difference is None:
            return None, loss
        first = first or difference
    return first, set()
