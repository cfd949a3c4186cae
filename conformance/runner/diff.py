"""``diff A B``: where two adapters part, over the corpus's inputs and over made-up ones; the shortest input that shows it.

Two answers are the same when they are as far as both host models can say. A crash or a missed deadline is an answer too.
"""

from __future__ import annotations

import itertools
import json
import re
import struct
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from .adapters import Spec
from .drive import Driver, Limits
from .generate import Inputs, joined, request_input
from .model import Case, Corpus, UsageError, directory_of
from .text import Malformed, digest, plain, read_string, sizes, slice_of, spans, weaken, write_string
from .values import EXACT, Host, bits_of, names_merge, read_events, values_in

#: Questions asked at once: so many, or so many characters of input.
BATCH = 400
BATCH_TEXT = 4_000_000

#: No input is cut into more parts than this to shorten it.
PARTS = 1024


@dataclass(frozen=True)
class Said:
    """What an adapter said to one request: a whole answer, or why there is none."""

    answer: Any
    text: str

    @property
    def brief(self) -> str:
        """It on one line."""
        if not isinstance(self.answer, dict):
            return self.text
        line = json.dumps({name: item for name, item in self.answer.items() if name != "id"})
        return line if len(line) <= 200 else line[:197] + "..."


NOTHING = Said(None, "not answered")


class Side:
    """One of the two adapters, kept running."""

    def __init__(self, spec: Spec, limits: Limits) -> None:
        self.spec = spec
        self.said: dict[str, Said] = {}
        self.faults: list[str] = []
        self.driver = Driver(
            spec, limits, self.answered, self.charged, lambda kind, detail: self.faults.append(f"{kind}: {detail}")
        )
        self.hello = self.driver.open()

    def answered(self, case: Case, answer: Any, line: bytes) -> None:
        self.said[case.id] = Said(answer, f"malformed: {answer}" if isinstance(answer, Malformed) else "")

    def charged(self, case: Case, kind: str, detail: str) -> None:
        self.said[case.id] = Said(None, f"{kind}: {plain(detail)[:200]}")

    def ask(self, cases: list[Case]) -> list[Said]:
        """What it says to each case; NOTHING where time ran out first."""
        self.said.clear()
        self.driver.not_run.clear()
        self.driver.run(cases)
        return [self.said.get(case.id, NOTHING) for case in cases]


def weaker(one: Host, other: Host) -> Host:
    """What both hosts can say; spans are told in code points."""
    order = Host.VOCABULARY
    members = {
        name: max(getattr(one, name), getattr(other, name), key=order[name].index)
        for name in order
        if name != "strings"
    }
    return Host(strings="codepoints", **members)


def comparable(said: Said, text: str, own: Host, both: Host) -> Any:
    """An answer in a form that is equal for equal answers. Raises Malformed."""
    if not isinstance(said.answer, dict):
        return said.text.split(":")[0]
    return {name: _member(name, item, text, own, both) for name, item in said.answer.items() if name != "id"}


def _member(name: str, item: Any, text: str, own: Host, both: Host) -> Any:
    if name == "value":
        return [_scalar(event, both) for event in read_events(item, both.key_order)]
    if name in ("text", "preview"):
        return weaken(read_string(item)) if both.ill_formed == "lost" else read_string(item)
    if name == "span" and isinstance(item, list) and len(item) == 2:
        before = slice_of(text, own.strings, 0, item[0])
        return [len(before), len(before) + len(slice_of(text, own.strings, *item))]
    if name in ("matches", "snapshots") and isinstance(item, list):
        inner = "value" if name == "snapshots" else "final"
        return [_member(inner, one, text, own, both) for one in item]
    if name == "final" and isinstance(item, dict):
        return {inner: _member(inner, one, text, own, both) for inner, one in item.items()}
    return item


def _scalar(event: Any, both: Host) -> Any:
    if event[0] in ("s", "k") and both.ill_formed == "lost":
        return (event[0], weaken(event[1]))
    if event[0] == "i" and (both.numbers == "untyped" or (abs(int(event[1])) >= EXACT and both.integers == "binary64")):
        return ("f", bits_of(float(event[1])))  # from the digits: infinite where JavaScript's number is
    return event


def merges(answer: Any) -> bool:
    """Whether an answer has names that one of the hosts cannot tell apart. Raises Malformed."""
    return isinstance(answer, dict) and any(names_merge(read_events(value)) for value in values_in(answer))


class Pair:
    """Two adapters asked the same."""

    def __init__(self, one: Spec, other: Spec, limits: Limits) -> None:
        for spec in (one, other):
            spec.prepare()
        self.one = Side(one, limits)
        try:
            self.other = Side(other, limits)
        except BaseException:
            self.one.driver.end_process()
            raise
        self.both = weaker(self.one.hello.host, self.other.hello.host)

    @property
    def operations(self) -> list[str]:
        """What both offer."""
        return sorted(self.one.hello.operations & self.other.hello.operations)

    def differences(self, cases: list[Case]) -> Iterator[tuple[Case, Said, Said]]:
        """The cases on which the two part."""
        for case, said, other in zip(cases, self.one.ask(cases), self.other.ask(cases), strict=True):
            if not self.same(case, said, other):
                yield case, said, other

    def same(self, case: Case, said: Said, other: Said) -> bool:
        """Whether two answers are the same as far as both hosts can say."""
        if NOTHING in (said, other):
            return True  # or rather, not known
        text = case.text or ""
        try:
            first = comparable(said, text, self.one.hello.host, self.both)
            if first == comparable(other, text, self.other.hello.host, self.both):
                return True
            return self.both.ill_formed == "lost" and (merges(said.answer) or merges(other.answer))
        except (Malformed, ValueError):
            return False

    def close(self) -> None:
        """End both."""
        for side in (self.one, self.other):
            side.driver.end_process()


def question(operation: str, text: str, number: int, options: dict[str, Any] | None = None) -> Case:
    """A case that only asks."""
    record = {
        "id": f"asked.{number}",
        "operation": operation,
        "level": "must",
        "input": request_input(text),
        "options": options or {},
        "expect": {},
    }
    return Case(record, "")


@dataclass
class Difference:
    """A difference, as short as it was made, and what both say to it."""

    case: Case
    said: Said
    other: Said
    found_in: str


class Search:
    """The search for differences: one for each operation, within a budget of seconds."""

    def __init__(self, pair: Pair, operations: list[str], seconds: float, seed: int) -> None:
        self.pair = pair
        self.operations = operations
        self.until = pair.one.driver.until = pair.other.driver.until = time.monotonic() + seconds
        self.seed = seed
        self.asked = 0
        self.number = itertools.count(1)

    def run(self, corpus: Corpus, inputs: int) -> Iterator[Difference]:
        """Each difference, shortened, as it is found."""
        left = set(self.operations)
        texts: list[str] = []
        for batch, origin in itertools.chain(self.of_corpus(corpus, texts), self.made_up(texts, inputs)):
            wanted = [case for case in batch if case.operation in left]
            if not left or time.monotonic() > self.until:
                return
            self.asked += len(wanted)
            found: dict[str, tuple[Case, Said, Said]] = {}
            for case, said, other in self.pair.differences(wanted):
                shortest = found.get(case.operation)
                if shortest is None or len(case.text or "") < len(shortest[0].text or ""):
                    found[case.operation] = (case, said, other)
            for operation, (case, said, other) in sorted(found.items()):
                left.discard(operation)
                yield Difference(*self.shorten(case, said, other), origin if origin else case.id)

    def of_corpus(self, corpus: Corpus, texts: list[str]) -> Iterator[tuple[list[Case], str]]:
        cases = [case for case in corpus.cases if case.operation in self.operations and case.text is not None]
        if self.pair.both.ill_formed == "lost":
            cases = [case for case in cases if not case.ill_formed_input]
        cases.sort(key=lambda case: len(case.text or ""))
        texts += sorted({case.text or "" for case in cases})
        for at in range(0, len(cases), BATCH):
            yield cases[at : at + BATCH], ""

    def made_up(self, texts: list[str], inputs: int) -> Iterator[tuple[list[Case], str]]:
        source: Iterable[str] = iter(Inputs(self.seed, texts))
        if self.pair.both.ill_formed == "lost":
            source = (text for text in source if not any("\ud800" <= char <= "\udfff" for char in text))
        for _ in range(0, inputs, BATCH):
            batch = list(itertools.islice(source, BATCH))
            for operation in self.operations:
                yield [question(operation, text, next(self.number)) for text in batch], f"made up, seed {self.seed}"

    def while_time(self, texts: Iterator[str]) -> Iterator[str]:
        return itertools.takewhile(lambda _: time.monotonic() < self.until, texts)

    def shorten(self, case: Case, said: Said, other: Said) -> tuple[Case, Said, Said]:
        """The shortest input this finds that still shows a difference of the same sort, every round one batch of requests."""
        best = (case, said, other)
        kinds = (kind_of(said), kind_of(other))
        # Each crash costs a process, so then few are risked at once.
        most = BATCH if isinstance(said.answer, dict) and isinstance(other.answer, dict) else 4

        def attempt(texts: Iterator[str]) -> bool:
            nonlocal best
            now = best[0].text or ""
            for batch in batches((text for text in map(joined, self.while_time(texts)) if smaller(text, now)), most):
                cases = [question(case.operation, text, next(self.number), case.options) for text in batch]
                self.asked += len(cases)
                for found in self.pair.differences(cases):
                    if (kind_of(found[1]), kind_of(found[2])) == kinds:
                        best = found
                        return True
            return False

        while attempt(cuts(best[0].text or "")) or attempt(plainer(best[0].text or "")):
            pass
        return best


def batches(texts: Iterable[str], most: int) -> Iterator[list[str]]:
    """The different texts, at most so many at a time, in the order they come."""
    batch: dict[str, None] = {}
    held = 0
    for text in texts:
        if text not in batch:
            batch[text] = None
            held += len(text)
        if len(batch) == most or held > BATCH_TEXT:
            yield list(batch)
            batch, held = {}, 0
    if batch:
        yield list(batch)


def kind_of(said: Said) -> str:
    """The sort of an answer: its outcome, or how there is none."""
    return str(said.answer.get("outcome")) if isinstance(said.answer, dict) else said.text.split(":")[0]


def smaller(text: str, than: str) -> bool:
    """Shorter, or as long and plainer."""
    if len(text) != len(than):
        return len(text) < len(than)
    return [plainness(char) for char in text] < [plainness(char) for char in than]


def plainness(char: str) -> tuple[int, str]:
    return ("a10 ".find(char) if char in "a10 " else 4 if char.isascii() and char.isprintable() else 5, char)


def pieces(text: str) -> Iterator[tuple[int, int]]:
    """Parts of the text, large ones first; of a long text no small ones."""
    size = len(text) // 2
    while size > len(text) // PARTS:
        for at in range(0, len(text), size):
            yield at, at + size
        size //= 2


def cuts(text: str) -> Iterator[str]:
    """The text without a part; without two characters that stand apart, where it is short."""
    for at, end in pieces(text):
        yield text[:at] + text[end:]
    if len(text) <= 40:
        for one, other in itertools.combinations(range(len(text)), 2):
            yield text[:one] + text[one + 1 : other] + text[other + 1 :]


def plainer(text: str) -> Iterator[str]:
    """The text, unless it is long, with a part made of one plain character."""
    for at, end in pieces(text) if len(text) <= PARTS else ():
        for char in "a10 ":
            yield text[:at] + char * len(text[at:end]) + text[end:]


def corpus_value(wire: Any) -> Any:
    """A value of the protocol as the corpus writes it; number tokens that were not sent are the shortest ones."""
    if isinstance(wire, list):
        return [corpus_value(item) for item in wire]
    if not isinstance(wire, dict):
        return wire
    if "$i" in wire:
        return {"$n": wire["$i"], "$b": bits_of(float(wire["$i"]))}
    if "$f" in wire:
        return {"$n": token_of(wire["$f"]), "$b": wire["$f"]}
    return {name: corpus_value(item) for name, item in wire.items()}


def token_of(bits: str) -> str:
    """The shortest number token of a binary64."""
    number: float = struct.unpack(">d", bytes.fromhex(bits))[0]
    if number != number:
        return "NaN"
    if number in (float("inf"), float("-inf")):
        return "1e400" if number > 0 else "-1e400"
    return "-0" if bits == "8" + "0" * 15 else repr(number)


def expectation(case: Case, answer: dict[str, Any]) -> dict[str, Any]:
    """An answer as an expectation of the corpus."""
    expect = {name: item for name, item in answer.items() if name != "id"}
    if "value" in expect:
        expect["value"] = corpus_value(expect["value"])
    if case.operation == "extract_json_object" and "text" in expect:
        text = read_string(expect["text"])
        start = (case.text or "").find(text)
        if start >= 0:
            expect["span"] = spans(case.text or "", start, start + len(text))
    return expect


def corpus_input(text: str) -> dict[str, Any]:
    """An input as the corpus writes it: a long text with its runs of one character folded."""
    if len(text) <= 400:
        return request_input(text)
    parts = [run[0] for run in re.finditer(r"(.)\1{15,}|(?:(?!(.)\2{15}).)+", text, re.DOTALL)]
    builds = [
        {"repeat": [write_string(part[0]), len(part)]} if len(part) > 15 and len(set(part)) == 1 else write_string(part)
        for part in parts
    ]
    return {"build": {"concat": builds}, "size": sizes(text), "sha256": digest(text)}


def ready_case(difference: Difference, one: str, other: str) -> dict[str, Any]:
    """A difference as a case: the first adapter's answer is what is expected."""
    case = difference.case
    answer = difference.said.answer if isinstance(difference.said.answer, dict) else {"outcome": "TODO"}
    return {
        "id": f"{directory_of(case.operation)}.TODO.TODO",
        "title": "TODO: the behaviour, as a statement",
        "why": f"TODO: the mistake; {one} says {difference.said.brief}, {other} says {difference.other.brief}",
        "level": "must",
        "operation": case.operation,
        "input": corpus_input(case.text or ""),
        "options": case.options,
        "expect": expectation(case, answer),
        "source": {"kind": "fuzz", "ref": f"diff {one} {other}: {difference.found_in}"},
    }


def diff(
    one: Spec, other: Spec, corpus: Corpus, operations: list[str], seconds: float, seed: int, inputs: int
) -> Iterator[Difference]:
    """Each difference, as it is found. Raises StartError; UsageError when there is nothing that both could be asked."""
    limits = replace(Limits(), deadline=5.0, restarts=10_000, faults=10_000)
    pair = Pair(one, other, limits)
    try:
        wanted = [name for name in pair.operations if not operations or name in operations]
        if not wanted:
            raise UsageError(f"{one.name} and {other.name} offer no operation that both could be asked")
        yield from Search(pair, wanted, seconds, seed).run(corpus, inputs)
    finally:
        pair.close()
