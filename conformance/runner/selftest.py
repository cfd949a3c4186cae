"""``selftest``: the runner against adapters that misbehave on purpose.

Each saboteur must end with the exit code that is due to it: the faulty red, the merely noisy green. A saboteur that is in
``saboteurs/saboteur.py`` but not in the table here is an error, and so is the reverse.
"""

from __future__ import annotations

import runpy
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from .adapters import Spec
from .drive import Limits
from .log import Log, Report
from .model import PACKAGE, load_corpus
from .run import Options, run

PROGRAM = PACKAGE / "saboteurs" / "saboteur.py"
GREEN, WRONG, NOT_STARTED, INCOMPLETE = 0, 1, 4, 5

#: The exit code each saboteur must earn.
DUE = {
    "honest": GREEN,
    "hangs-at-hello": NOT_STARTED,
    "ends-at-hello": NOT_STARTED,
    "garbage-at-hello": NOT_STARTED,
    "hello-without-line-end": NOT_STARTED,
    "other-protocol": NOT_STARTED,
    "offers-nothing": NOT_STARTED,
    "no-host": NOT_STARTED,
    "talks-first": NOT_STARTED,
    "escapes-in-hello": NOT_STARTED,
    "escapes-at-hello": NOT_STARTED,
    "huge-hello": NOT_STARTED,
    "another-hello-later": INCOMPLETE,
    "answers-ahead": INCOMPLETE,
    "daemonizes": INCOMPLETE,
    "drops-operations": INCOMPLETE,
    "overstates-host": INCOMPLETE,
    "wrong-on-one": WRONG,
    "all-unsupported": WRONG,
    "accepts-everything": WRONG,
    "refuses-everything": WRONG,
    "outcome-of-lines": WRONG,
    "swaps-two": WRONG,
    "two-on-a-line": WRONG,
    "not-a-number": WRONG,
    "huge-integer": WRONG,
    "leading-zeros": WRONG,
    "first-process-only": WRONG,
    "echoes": WRONG,
    "both-outcomes": WRONG,
    "found-for-unchanged": WRONG,
    "floats-for-integers": WRONG,
    "loses-order": WRONG,
    "member-twice": WRONG,
    "lone-surrogate-raw": WRONG,
    "plain-fractions": WRONG,
    "raw-utf8": WRONG,
    "carriage-returns": WRONG,
    "shifted-ids": WRONG,
    "flaky": WRONG,
    "stateful": WRONG,
    "second-time": WRONG,
    "tires": WRONG,
    "crashes-on-one": WRONG,
    "exits-on-one": WRONG,
    "hangs-on-one": WRONG,
    "stops-itself": WRONG,
    "swallows-one": WRONG,
    "swallows-the-last": WRONG,
    "exits-midway": INCOMPLETE,
    "dies-once": INCOMPLETE,
    "closes-output": WRONG,
    "stops-reading": WRONG,
    "closes-input": INCOMPLETE,
    "drips": WRONG,
    "complains-forever": WRONG,
    "leaves-the-pipe": WRONG,
    "one-per-process": INCOMPLETE,
    "cuts-a-line": INCOMPLETE,
    "answers-twice": INCOMPLETE,
    "answers-twice-differently": INCOMPLETE,
    "unknown-id": INCOMPLETE,
    "id-as-text": INCOMPLETE,
    "id-as-boolean": INCOMPLETE,
    "prints": INCOMPLETE,
    "blank-lines": INCOMPLETE,
    "floods": INCOMPLETE,
    "endless-line": INCOMPLETE,
    "deep-answer": WRONG,
    "at-the-edge": WRONG,
    "vast-answer": WRONG,
    "talks-after-bye": INCOMPLETE,
    "fails-at-bye": INCOMPLETE,
    "child-talks-after-bye": INCOMPLETE,
    "stays-after-bye": INCOMPLETE,
    "leaves-before-bye": INCOMPLETE,
    "changes-its-hello": INCOMPLETE,
    "missing-tool": NOT_STARTED,
    "complains-a-lot": GREEN,
    "no-standard-error": GREEN,
    "out-of-order": GREEN,
    "dribbles": GREEN,
    "hoards": GREEN,
    "slow": GREEN,
    "slow-start": GREEN,
    "odd-json": GREEN,
    "leaves-a-child": GREEN,
    "ignores-signals": GREEN,
}


@dataclass
class Trial:
    """What became of one saboteur."""

    name: str
    due: int
    exit: int
    seconds: float
    report: Report = field(repr=False)

    @property
    def right(self) -> bool:
        return self.exit == self.due

    @property
    def found(self) -> str:
        """What the runner holds against it, in a few words."""
        column = self.report.columns[self.name]
        if column.not_started:
            return column.not_started.splitlines()[0]
        if column.faults:
            return f"{column.faults[0]['kind']}: {column.faults[0]['detail']}"
        red = [one for one in column.results.values() if one["verdict"] not in ("pass", "weakened")]
        if red:
            return f"{len(red)} x {red[0]['verdict']}: {red[0].get('difference') or red[0].get('note')}"
        return ""


def spec_of(name: str) -> Spec:
    """The adapter that a saboteur is."""
    program = ("no-such-program-anywhere",) if name == "missing-tool" else ("{python}", str(PROGRAM), name)
    return Spec(
        name,
        PROGRAM.parent,
        program,
        "nothing to install",
        operations=("json_parse", "extract_json_object"),
        kind="port",
    )


def trials(names: list[str], patience: float = 1.0) -> Iterator[Trial]:
    """Try these saboteurs, a few at a time: most of them do nothing but wait."""
    corpus = load_corpus(PROGRAM.parent / "cases")

    def trial(name: str) -> Trial:
        limits = Limits(start=2.0, deadline=0.7, farewell=1.5, patience=patience, restarts=6, faults=10)
        header: dict[str, Any] = {"selection": {}, "repeat": "", "command": [], "paths": {}}
        log = Log()
        started = time.monotonic()
        code = run([spec_of(name)], corpus.cases, corpus, Options(limits=limits), log, header, lambda *_: None)
        return Trial(name, DUE[name], code, time.monotonic() - started, Report.of(log.events))

    with ThreadPoolExecutor(4) as pool:
        yield from pool.map(trial, names)


def names() -> list[str]:
    """Every saboteur. Raises AssertionError when the program and the table disagree."""
    there = set(runpy.run_path(str(PROGRAM))["KINDS"]) | {"missing-tool"}
    assert there == set(DUE), f"saboteur.py and the table disagree: {sorted(there ^ set(DUE))}"
    return list(DUE)


def row(trial: Trial) -> str:
    """One line of the table."""
    colour = "green" if trial.exit == 0 else "red"
    mark = "ok   " if trial.right else "WRONG"
    due = "" if trial.right else f" (due: {trial.due})"
    return f"{mark}  {trial.name:<26} {colour:<5} exit {trial.exit}{due}  {trial.seconds:4.1f} s  {trial.found[:90]}"
