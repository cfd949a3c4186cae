"""One mutant in a process of its own: the pure build of jsonscan with some modules replaced, asked case after case.

The process is a fork of the runner's, so that the corpus is read once; nothing of jsonscan is loaded before the fork.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.util
import json
import os
import select
import signal
import sys
import time
import types
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .model import PACKAGE, Case
from .operations import judge_answer
from .text import Malformed
from .values import STRICT

#: Seconds of processor time for a case, more for each byte of it; after so many cases out of time a trial is over.
CASE_SECONDS, BYTE_SECONDS, OVERTIMES = 2.0, 1e-5, 3
#: Seconds for a whole trial, by the clock: only for what hangs without working.
TRIAL_SECONDS = 900.0
MEMORY = 4 << 30
#: A request of more bytes is asked only of mutants that its case names, and of those that all other cases let live.
LARGE = 20_000


class Overtime(BaseException):
    """The case took too long. No mistake of a mutant may swallow it with `except Exception`."""


@dataclass
class Trial:
    """What is tried. ``codes`` gives, after the fork, the code of the core's modules, by file; ``order`` the indexes of the cases to
    ask; the trial ends after ``enough`` cases were lost. ``trace`` asks which lines of which files are run."""

    name: str
    codes: Callable[[], dict[str, Any]]
    order: list[int]
    enough: int = sys.maxsize
    trace: frozenset[str] = frozenset()


@dataclass
class Result:
    """Which cases told the mutant from the reference, and how: ``fail``, ``malformed``, ``failed`` (an exception), ``timeout``.
    ``end`` says how the trial ended: ``end``, ``timeout``, ``crash``, or ``broken`` and why the mutant could not be loaded."""

    trial: Trial
    lost: dict[int, str] = field(default_factory=dict)
    lines: set[tuple[str, int]] = field(default_factory=set)
    end: str = "crash"


class Replaced(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Finds modules whose code is given."""

    def __init__(self, codes: dict[str, Any]) -> None:
        self.codes = codes

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:
        return importlib.util.spec_from_loader(fullname, self) if fullname in self.codes else None

    def get_code(self, fullname: str) -> Any:
        return self.codes[fullname]

    def get_source(self, fullname: str) -> None:
        return None


def load(package: Path, codes: dict[str, Any]) -> types.ModuleType:
    """The core of the pure build: modules from these files' code, any other from ``package``."""
    for name in [name for name in sys.modules if name.split(".")[0] == "jsonscan"]:
        del sys.modules[name]
    core = types.ModuleType("jsonscan")
    core.__path__ = [str(package)]
    sys.modules["jsonscan"] = core
    sys.modules["jsonscan._machine"] = None  # type: ignore[assignment]
    sys.meta_path.insert(0, Replaced({f"jsonscan.{Path(file).stem}": code for file, code in codes.items()}))
    for room in ("errors", "originals"):
        core.__dict__.update(vars(importlib.import_module(f"jsonscan.{room}")))
    return core


def adapter() -> types.ModuleType:
    """The adapter of the Python builds, whose handlers answer here without a process or a wire."""
    path = PACKAGE / "adapters" / "python" / "adapter.py"
    spec = importlib.util.spec_from_file_location("jsonscan_conformance_python_adapter", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Bench:
    """Trials over these cases. ``package`` is the directory of jsonscan's source."""

    def __init__(self, cases: list[Case], package: Path) -> None:
        self.cases = cases
        self.package = package
        self.adapter = adapter()
        self.inputs = [self.adapter.given(case.wire_input) for case in cases]
        for case in cases:
            if len(case.request_tail) <= LARGE:  # read now, before any fork; larger ones would make each fork slower
                for expect in case.expectations:
                    if "value" in expect:
                        case.events(expect["value"], STRICT.key_order)

    def run(self, trials: Iterable[Trial], jobs: int) -> Iterator[Result]:
        """Run trials, so many at once; results come as they end."""
        waiting, running = iter(trials), {}
        while True:
            while len(running) < jobs:
                trial = next(waiting, None)
                if trial is None:
                    break
                process = Process(self, trial)
                running[process.pipe] = process
            if not running:
                return
            ready, _, _ = select.select(list(running), [], [], 0.2)
            for pipe, process in list(running.items()):
                if pipe in ready:
                    process.read()
                elif time.monotonic() > process.until:
                    process.kill()
                if process.over:
                    del running[pipe]
                    yield process.result

    def ask(self, trial: Trial, tell: Callable[[Any], None]) -> None:
        """The child's whole life: ask the cases, and tell each one lost as [index, how]."""
        try:
            core = load(self.package, trial.codes())
        except Exception as error:
            tell({"broken": repr(error)[:300]})
            return
        handlers = self.adapter.handlers(core)
        lost = overtimes = 0
        with traced(trial.trace, tell):
            for index in trial.order:
                how = verdict(self.cases[index], self.inputs[index], handlers)
                if how:
                    tell([index, how])
                    lost += 1
                    overtimes += how == "timeout"
                if lost >= trial.enough or overtimes >= OVERTIMES:
                    return


def verdict(case: Case, given: Any, handlers: dict[str, Any]) -> str | None:
    """How the answer to a case is wrong; None when it is right."""
    signal.setitimer(signal.ITIMER_PROF, CASE_SECONDS + BYTE_SECONDS * len(case.request_tail))
    try:
        answer = handlers[case.operation](given, case.options)
        difference, _ = judge_answer(case, answer, STRICT)
    except Malformed:
        return "malformed"
    except Overtime:
        return "timeout"
    except Exception:
        return "failed"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return "fail" if difference else None


@contextmanager
def traced(files: frozenset[str], tell: Callable[[Any], None]) -> Iterator[None]:
    """Tell which lines of these files were run meanwhile, as {"lines": [[file, line], ...]}."""
    if not files:
        yield
        return
    lines: set[tuple[str, int]] = set()

    def enter(frame: Any, event: str, _: Any) -> Any:
        return line if frame.f_code.co_filename in files else None

    def line(frame: Any, event: str, _: Any) -> Any:
        lines.add((frame.f_code.co_filename, frame.f_lineno))
        return line

    sys.settrace(enter)
    try:
        yield
    finally:
        sys.settrace(None)
        tell({"lines": sorted(lines)})


class Process:
    """A trial under way."""

    def __init__(self, bench: Bench, trial: Trial) -> None:
        self.result = Result(trial)
        self.until = time.monotonic() + TRIAL_SECONDS
        self.rest = b""
        self.over = False
        self.pipe, sink = os.pipe()
        self.pid = os.fork()
        if not self.pid:
            os.close(self.pipe)
            child(bench, trial, sink)
        os.close(sink)

    def read(self) -> None:
        """Take in what the child has told."""
        chunk = os.read(self.pipe, 1 << 16)
        if not chunk:
            self.reap()
            return
        *lines, self.rest = (self.rest + chunk).split(b"\n")
        for line in lines:
            told = json.loads(line)
            if isinstance(told, list):
                self.result.lost[told[0]] = told[1]
            elif told == "end":
                self.result.end = self.result.end if self.result.end.startswith("broken") else "end"
            elif "broken" in told:
                self.result.end = f"broken: {told['broken']}"
            else:
                self.result.lines = {(file, number) for file, number in told["lines"]}

    def kill(self) -> None:
        """End a child that takes too long."""
        os.kill(self.pid, signal.SIGKILL)
        self.reap()
        self.result.end = "timeout"

    def reap(self) -> None:
        os.close(self.pipe)
        os.waitpid(self.pid, 0)
        self.over = True


def child(bench: Bench, trial: Trial, sink: int) -> None:
    """Never returns."""
    import resource

    status = 1
    try:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        signal.signal(signal.SIGPROF, raise_overtime)
        bench.ask(trial, lambda told: tell(sink, told))
        tell(sink, "end")
        status = 0
    except BaseException:
        pass  # told as a crash: the parent sees no "end"
    finally:
        os._exit(status)


def raise_overtime(*_: Any) -> None:
    raise Overtime


def tell(sink: int, told: Any) -> None:
    data = json.dumps(told).encode() + b"\n"
    while data:
        data = data[os.write(sink, data) :]
