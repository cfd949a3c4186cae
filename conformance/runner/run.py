"""``run``: cases through adapters, verdicts, and the accounts of it all in the event log."""

from __future__ import annotations

import datetime
import hashlib
import json
import platform
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from . import nulls, probes
from .adapters import Spec, StartError
from .drive import Driver, Limits, read_line
from .known import read_known, stale, write_known
from .lint import passes
from .log import FORMAT, RED, Log
from .model import Case, Corpus
from .operations import judge_answer
from .peers import is_disputed
from .text import Malformed, plain
from .values import Host

#: A request of more bytes than this is asked once in each pass; an answer of more is compared with the next by its bytes.
LARGE = 20_000

#: An answer of more bytes than this is kept in the log as its head, size and digest.
ANSWER_KEPT = 4096

#: A kept answer with more brackets is kept as text: it may be nested deeper than a writer of JSON goes.
BRACKETS_KEPT = 400

_ID = re.compile(rb'"id"\s*:\s*\d+')
_NO_WORD = re.compile("[^A-Za-z0-9_.-]+")


@dataclass
class Options:
    """What ``run`` was asked for."""

    limits: Limits = field(default_factory=Limits)
    passes: int = 2
    jobs: int = 1
    seed: int = 0
    update_known: bool = False
    today: datetime.date = field(default_factory=datetime.date.today)


@dataclass
class Outcome:
    """The verdict on one case; ``answer`` is what the log keeps of the line."""

    verdict: str
    signature: str = ""
    difference: str = ""
    weakened: tuple[str, ...] = ()
    answer: Any = None
    note: str = ""
    known: str = ""


def signature_of(answer: Any) -> str:
    """A short name for an answer: its outcome and a digest of the rest."""
    if isinstance(answer, Malformed):
        return "malformed"
    rest = {name: answer[name] for name in sorted(answer) if name not in ("id", "outcome")}
    outcome = _NO_WORD.sub("_", str(answer.get("outcome"))[:40])  # it stands in a file of lines
    return f"{outcome}:{hashlib.sha256(json.dumps(rest).encode()).hexdigest()[:10]}" if rest else outcome


def judge(case: Case, answer: Any, line: bytes, host: Host, peer: bool = False) -> Outcome:
    """The verdict on an answer, of a peer or not."""
    try:
        if isinstance(answer, Malformed):
            raise answer
        if answer.get("outcome") in ("unsupported", "failed"):
            said = str(answer.get("message", ""))[:300]
            return red(
                case, answer, f"the adapter answered {answer['outcome']}" + (f": {plain(said)}" if said else ""), line
            )
        difference, loss = judge_answer(case, answer, host, peer)
    except Malformed as error:
        return red(case, error, f"malformed answer: {error}", line)
    if difference and peer and is_disputed(case):
        return Outcome("disputed", signature_of(answer), difference, answer=kept_answer(line))
    if difference:
        return red(case, answer, difference, line)
    if loss:
        return Outcome("weakened", signature_of(answer), weakened=tuple(sorted(loss)), answer=kept_answer(line))
    return Outcome("pass", answer=kept_answer(line) if len(case.expectations) > 1 else None)


def red(case: Case, answer: Any, difference: str, line: bytes) -> Outcome:
    verdict = "differs" if case.level == "host" else "fail"
    return Outcome(verdict, signature_of(answer), difference, answer=kept_answer(line))


def fingerprint(answer: Any, line: bytes, host: Host) -> bytes:
    """What must be the same on every pass: the answer but for its id, for white space, and for an order that the host does not
    keep; a large answer of a host that keeps order must be the same bytes."""
    if isinstance(answer, Malformed):
        return b"malformed"
    if len(line) > LARGE and host.key_order != "lost":
        return hashlib.blake2b(_ID.sub(b"", line, 1), digest_size=16).digest()
    members = [(name, answer[name]) for name in sorted(answer) if name != "id"]
    text = json.dumps(members, sort_keys=host.key_order == "lost")
    return hashlib.blake2b(text.encode(), digest_size=16).digest()


def tail(line: bytes) -> int:
    """The hash of an answer's line behind its id; of the whole line where it does not start with the id."""
    return hash(line[line.find(b",") :]) if line.startswith(b'{"id":') else hash(line)


#: The fingerprint of every answer that is nested too deep to have one.
DEEP = b"deep"

#: Told what is being done, how much of it is, and how much there is.
Progress = Callable[[str, int, int], None]


class Run:
    """One adapter's run over the selected cases; its ``events`` are for the log."""

    def __init__(
        self, spec: Spec, cases: list[Case], corpus: Corpus, options: Options, progress: Progress, path: str
    ) -> None:
        self.spec = spec
        self.cases = cases
        self.corpus = corpus
        self.options = options
        self.events: list[tuple[str, dict[str, Any]]] = []
        self.progress = progress
        self.outcomes: dict[str, Outcome] = {}
        self.lines: dict[str, bytes] = {}  # the small answers of the first pass
        self.prints: dict[str, bytes] = {}  # the fingerprints of the large ones
        self.tails: dict[str, int] = {}
        self.faults = 0
        self.host = Host()
        self.hello: dict[str, Any] = {}
        self.known = read_known(spec.known_path)  # before the adapter runs, which might write there
        self.driver: Driver | None = None
        self.cancelled = False
        self.path = path
        self.pass_number = 1
        self.done = self.total = 0

    def write(self, event: str, **members: Any) -> None:
        self.events.append((event, members))

    def fault(self, kind: str, detail: str) -> None:
        self.faults += 1
        self.write("fault", kind=kind, detail=plain(detail)[:2000])

    def cancel(self) -> None:
        """End the run as soon as may be, from another thread."""
        self.cancelled = True
        if self.driver:
            self.driver.cancel()

    def run(self) -> int:
        """Run and write all events; the exit code of this adapter."""
        spec = self.spec
        if self.cancelled:
            return 5
        self.write(
            "adapter", kind=spec.kind, about=spec.about, setup=spec.setup, command=list(spec.command), path=self.path
        )
        driver = self.driver = Driver(spec, self.options.limits, self.first_answer, self.charged, self.fault, self.tell)
        try:
            try:
                spec.prepare()
                hello = driver.open()
            except StartError as error:
                self.write("not-started", detail=str(error))
                return self.finish(4, driver)
            self.host, self.hello = hello.host, hello.wire
            driver = self.after_probes(driver, hello)
            asked = self.askable(hello.operations)
            self.timed(driver, asked)
            while self.pass_number < self.options.passes and not self.cancelled:
                self.pass_number += 1
                self.again(asked)
        finally:
            driver.end_process()
        return self.finish(self.exit_code(asked, hello.operations), driver)

    def after_probes(self, driver: Driver, hello: Any) -> Driver:
        """Ask the probes of the host model, and log the handshake with what they showed."""
        probe = probes.Probes(hello.host, hello.operations)
        driver.answered, driver.charged = probe.answered, probe.charged
        driver.run(probe.cases)
        driver.answered, driver.charged = self.first_answer, self.charged
        self.write("hello", hello=hello.wire, overstated=probe.overstated, hints=probe.hints)
        for detail in probe.overstated:
            self.fault("host-overstated", detail)
        return driver

    def askable(self, offered: frozenset[str]) -> list[Case]:
        """The cases that can be asked; the verdict on the others is settled here."""
        asked = []
        for case in self.cases:
            lacking = self.host.lacks(case.needs)
            if self.host.ill_formed == "lost" and case.needs_ill_formed:
                lacking.append("ill_formed")
            if case.operation not in offered:
                self.outcomes[case.id] = Outcome("not-run", note="operation not offered")
            elif lacking:
                self.outcomes[case.id] = Outcome("weakened", weakened=tuple(sorted(set(lacking))), note="not asked")
            else:
                asked.append(case)
        return asked

    def timed(self, driver: Driver, cases: list[Case]) -> None:
        """One pass over the cases, to the adapter's farewell."""
        self.done, self.total = 0, len(cases)
        started = time.perf_counter()
        driver.run(cases)
        seconds = time.perf_counter() - started
        for case in driver.not_run:
            self.outcomes.setdefault(case.id, Outcome("not-run", note="the adapter had to be given up"))
        driver.close()
        self.write(
            "pass", number=self.pass_number, cases=len(cases), seconds=round(seconds, 4), restarts=driver.restarts
        )

    def again(self, asked: list[Case]) -> None:
        """Another pass in a new process: every case backwards, so that what came before comes after, then every case that is not
        large again, shuffled, so that each has been seen before. Every answer must be the one of the first pass."""
        cases = [case for case in reversed(asked) if case.id in self.tails]
        small = [case for case in cases if len(case.request_tail) <= LARGE]
        cases += random.Random(f"{self.options.seed}/{self.pass_number}").sample(small, len(small))
        driver = Driver(self.spec, self.options.limits, self.later_answer, self.later_charged, self.fault, self.tell)
        driver.repeats = self.repeats
        self.driver = driver
        try:
            if driver.open().wire != self.hello:
                self.fault("hello-changed", f"another handshake on pass {self.pass_number}")
            self.timed(driver, cases)
        except StartError as error:
            self.fault("restart-failed", str(error))
        finally:
            driver.end_process()

    def tell(self) -> None:
        self.progress(f"{self.spec.name} pass {self.pass_number}", self.done, self.total)

    def first_answer(self, case: Case, answer: Any, line: bytes) -> None:
        self.done += 1
        if len(line) <= LARGE:
            self.lines[case.id] = line
        else:
            self.prints[case.id] = self.fingerprint(answer, line)
        try:
            self.outcomes[case.id] = judge(case, answer, line, self.host, self.spec.kind == "peer")
        except RecursionError:  # it could just be read, and is too deep for all else
            self.outcomes[case.id] = judge(case, Malformed("nested too deep"), line, self.host)
        self.tails[case.id] = tail(line)

    def fingerprint(self, answer: Any, line: bytes) -> bytes:
        try:
            return fingerprint(answer, line, self.host)
        except RecursionError:
            return DEEP

    def first_fingerprint(self, case: Case) -> bytes:
        """That of the first pass. Where the line was kept it is made now: few are ever asked for."""
        line = self.lines.get(case.id)
        if line is None:
            return self.prints[case.id]
        try:
            return self.fingerprint(read_line(line), line)
        except Malformed as error:
            return self.fingerprint(error, line)

    def repeats(self, case: Case, line: bytes) -> bool:
        """Whether a line is the first pass's but for its id: then all about it is known."""
        same = tail(line) == self.tails[case.id]
        self.done += same
        return same

    def later_answer(self, case: Case, answer: Any, line: bytes) -> None:
        self.done += 1
        if self.fingerprint(answer, line) != self.first_fingerprint(case):
            self.unstable(case, "another answer on pass", line)

    def charged(self, case: Case, kind: str, detail: str) -> None:
        self.done += 1
        verdict = "crash" if kind == "crash" else "timeout"
        signature = f"crash:{detail.split(':')[0].replace(' ', '-')}" if kind == "crash" else kind
        self.outcomes[case.id] = Outcome(verdict, signature, plain(detail)[:1000])

    def later_charged(self, case: Case, kind: str, detail: str) -> None:
        self.done += 1
        self.unstable(case, f"{kind} ({plain(detail)[:200]}) on pass", None)

    def unstable(self, case: Case, what: str, line: bytes | None) -> None:
        before = self.outcomes[case.id]
        if before.verdict != "unstable":
            was = f" (was: {before.verdict})"
            self.outcomes[case.id] = Outcome(
                "unstable",
                "unstable",
                f"{what} {self.pass_number}, in another order{was}",
                answer=line and kept_answer(line),
            )

    def exit_code(self, asked: list[Case], offered: frozenset[str]) -> int:
        """Apply the known failures, then say what all this amounts to."""
        failures = {name: outcome.signature for name, outcome in self.outcomes.items() if outcome.verdict in RED}
        passed = {name for name, outcome in self.outcomes.items() if outcome.verdict in ("pass", "weakened", "differs")}
        entries = self.known
        if self.options.update_known:
            write_known(self.spec.known_path, entries, failures, set(self.outcomes), self.options.today)
            entries = read_known(self.spec.known_path)
        reasons = stale(entries.values(), failures, passed, set(self.corpus.by_id), self.options.today)
        for name, signature in failures.items():
            if name in entries and entries[name].signature == signature:
                self.outcomes[name].verdict = "known"
                self.outcomes[name].known = str(entries[name])
            elif name in entries:
                self.outcomes[name].note = f"listed as known, but with the signature {entries[name].signature}"
        for name, reason in reasons.items():
            self.write("stale", id=name, reason=reason)
        verdicts = Counter(outcome.verdict for outcome in self.outcomes.values())
        required = [case for case in self.cases if case.operation in self.spec.operations or case.operation in offered]
        complete = asked and all(self.outcomes.get(case.id, MISSING).verdict != "not-run" for case in required)
        if self.faults or not complete:
            return 5
        if any(verdicts[name] for name in RED) and self.spec.kind != "peer":
            return 1
        return 6 if reasons else 0

    def finish(self, code: int, driver: Driver) -> int:
        """Write the results, in the order of the corpus, and the adapter's accounts."""
        counts: Counter[str] = Counter()
        for case in self.cases:
            outcome = self.outcomes.get(case.id, MISSING)
            counts[outcome.verdict] += 1
            self.write("result", id=case.id, verdict=outcome.verdict, **details(outcome))
        self.write("done", counts=dict(counts), exit=code)
        return code


MISSING = Outcome("not-run", note="the adapter did not get that far")


def details(outcome: Outcome) -> dict[str, Any]:
    """The members of a result event that have something to say."""
    found: dict[str, Any] = {}
    for name in ("weakened", "signature", "difference", "note", "known"):
        value = getattr(outcome, name)
        if value:
            found[name] = list(value) if name == "weakened" else value
    if outcome.answer is not None:
        found["answer"] = outcome.answer
    return found


def kept_answer(line: bytes) -> Any:
    """An answer as the log keeps it."""
    if len(line) > ANSWER_KEPT:
        head = plain(line[:1000].decode("ascii", "backslashreplace"))
        return {"head": head, "bytes": len(line), "sha256": hashlib.sha256(line).hexdigest()}
    try:
        wire = read_line(line)
    except Malformed:
        wire = {}
    if not isinstance(wire.pop("id", None), int) or line.count(b"[") + line.count(b"{") > BRACKETS_KEPT:
        return {"line": plain(line.decode("ascii", "backslashreplace"))}
    return wire


def run(
    specs: list[Spec],
    cases: list[Case],
    corpus: Corpus,
    options: Options,
    log: Log,
    header: dict[str, Any],
    progress: Progress,
) -> int:
    """Run every adapter, ``options.jobs`` at a time; write the whole log, one adapter after another. The exit code."""
    log.write(
        "header",
        format=FORMAT,
        corpus={"digest": corpus.digest, "cases": len(corpus.cases)},
        selection={"digest": selection_digest(cases), "cases": len(cases), **header["selection"]},
        seed=options.seed,
        passes=options.passes,
        environment=environment(),
        started=datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        repeat=header["repeat"],
        command=header["command"],
    )
    for case in cases:
        log.write("case", case=case.record)
    for name in nulls.NULLS:
        log.write("floor", name=name, passed=floor(name, cases))
    runs = [Run(spec, cases, corpus, options, progress, header["paths"].get(spec.name, spec.name)) for spec in specs]
    codes = []
    with ThreadPoolExecutor(options.jobs) as pool:
        try:
            for one, code in zip(runs, pool.map(Run.run, runs)):
                codes.append(code)
                for event, members in one.events:
                    log.write(event, adapter=one.spec.name, **members)
        except BaseException:
            for one in runs:
                one.cancel()
            raise
    code = overall(codes)
    log.close(code)
    return code


def floor(name: str, cases: Iterable[Case]) -> list[str]:
    """The ids that a null implementation passes."""
    answers = nulls.ANSWERS[name]
    return [case.id for case in cases if passes(case, answers(case.operation, case.wire_input))]


def overall(codes: list[int]) -> int:
    """One exit code for several adapters: the gravest."""
    return next((code for code in (4, 5, 1, 6) if code in codes), 0 if codes else 5)


def selection_digest(cases: list[Case]) -> str:
    """The digest of the selected ids."""
    return hashlib.sha256("".join(f"{case.id}\n" for case in cases).encode("ascii")).hexdigest()


def environment() -> dict[str, str]:
    """Where this runs."""
    return {
        "python": platform.python_version(),
        "platform": platform.platform(),
        "machine": platform.machine(),
        "byteorder": sys.byteorder,
    }
