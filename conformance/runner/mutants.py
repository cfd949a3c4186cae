"""``mutants``: wrong implementations, each of which the corpus must notice.

The named ones (mutants/named.py) must each be told from the reference by two cases or more that name them in ``kills``. The automatic
ones, every small change of the reference's syntax, must be noticed by any case, or be explained in mutants/equivalent.txt. The
reference is the pure build of the jsonscan that is installed; its core is three files.
"""

from __future__ import annotations

import ast
import gc
import hashlib
import importlib.util
import json
import os
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ..mutants.named import CONTROLS, NO_SCANNER, Edit, Named, mutants
from .adapters import StartError
from .automatic import Site, sites
from .model import CORE, PACKAGE, Case, Corpus, CorpusError, read_json
from .trial import LARGE, Bench, Trial

#: The files that mutants are made of, and those that stand beside them in the core.
FILES = ("originals.py", "ecma.py", "_machine_py.py")
BESIDE = ("machine.py", "errors.py")
DIRECTORY = PACKAGE / "mutants"
#: By so many cases that name it must a named mutant be told from the reference.
WANTED = 2
FORMAT = 1


def find_source() -> Path:
    """The directory of jsonscan's source, found without importing it. Raises StartError."""
    spec = importlib.util.find_spec("jsonscan")
    if spec is None or not spec.submodule_search_locations:
        raise StartError("the mutants are made from jsonscan's source: pip install jsonscan")
    if not hasattr(os, "fork"):
        raise StartError("the mutants need a system with fork")
    return Path(next(iter(spec.submodule_search_locations)))


def read_source(package: Path) -> dict[str, str]:
    """The text of the core's files, read once: nothing may change under a run."""
    return {file: (package / file).read_text("utf-8") for file in FILES + BESIDE}


def edited(edits: Iterable[Edit], source: dict[str, str]) -> dict[str, str]:
    """The source after some edits: the files that change. Raises ValueError when an edit's text does not stand there once."""
    texts: dict[str, str] = {}
    for file, old, new in edits:
        text = texts.get(file, source[file])
        if text.count(old) != 1:
            raise ValueError(f"{file} has not once but {text.count(old)} times: {old!r}")
        texts[file] = text.replace(old, new)
    return texts


def unfit(named: Iterable[Named], source: dict[str, str]) -> list[str]:
    """One line for each named mutant that cannot be made from this source."""
    problems = []
    for one in named:
        try:
            for file, text in edited(one.edits, source).items():
                compile(text, file, "exec")
        except (ValueError, SyntaxError) as error:
            problems.append(f"mutants/named.py: {one.name}: {error}")
    return problems


def vocabulary() -> Callable[[str], bool]:
    """Whether NAMES.md has a name. XXXX there stands for a code unit, TAG for a word."""
    text = (DIRECTORY / "NAMES.md").read_text("utf-8")
    names = [
        re.escape(name).replace("XXXX", "[0-9a-f]{4}").replace("TAG", "[a-z0-9]+")
        for name in re.findall(r"^\| `([^`]+)`", text, re.M)
    ]
    return re.compile("|".join(names)).fullmatch  # type: ignore[return-value]


def explained() -> list[tuple[str, str]]:
    """The entries of equivalent.txt: a pattern of automatic mutants' ids, in which * stands for anything, and the reason."""
    entries, reason = [], ""
    for line in (DIRECTORY / "equivalent.txt").read_text("utf-8").splitlines():
        if line.startswith("# "):
            reason = line[2:]
        elif line.strip():
            entries.append((line, reason))
    return entries


def covers(pattern: str, name: str) -> bool:
    return bool(re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), name))


@dataclass
class Verdict:
    """What became of a mutant. ``state``: ``killed``, ``weakly`` (by too few cases that name it), ``survived``, ``equivalent``,
    ``control``. ``form`` is where an automatic one showed: ``machine``, ``scanner`` or ``large``."""

    name: str
    state: str
    lost: dict[int, str] = field(default_factory=dict)
    named_by: list[int] = field(default_factory=list)
    reason: str = ""
    form: str = ""


class Matrix:
    """The mutants of one source against one corpus."""

    def __init__(self, corpus: Corpus, jobs: int) -> None:
        self.corpus = corpus
        self.package = find_source()
        self.source = read_source(self.package)
        self.compiled = {file: compile(text, file, "exec") for file, text in self.source.items()}
        self.named = list(mutants())
        self.jobs = jobs
        self.cases: list[Case] = [case for case in corpus.cases if case.operation in CORE and case.level != "host"]
        self.small = [at for at, case in enumerate(self.cases) if len(case.request_tail) <= LARGE]
        self.large = sorted(
            set(range(len(self.cases))) - set(self.small), key=lambda at: len(self.cases[at].request_tail)
        )
        self.bench = Bench(self.cases, self.package)
        self.namers: dict[str, list[int]] = {}
        for at, case in enumerate(self.cases):
            for name in case.record.get("kills", ()):
                self.namers.setdefault(name, []).append(at)
        gc.collect()
        gc.freeze()  # so that the forks share it

    def problems(self) -> list[str]:
        """What is wrong before anything is run: edits that do not apply, names that mean nothing."""
        known = vocabulary()
        found = unfit([*CONTROLS, *self.named], self.source)
        twice = [name for name, count in Counter(one.name for one in self.named).items() if count > 1]
        found += [f"mutants/named.py: {name}: made twice" for name in twice]
        found += [f"mutants/named.py: {one.name}: not in NAMES.md" for one in self.named if not known(one.name)]
        found += [
            f"{self.cases[at].id}: kills: NAMES.md has no {name}"
            for name, ats in self.namers.items()
            if not known(name)
            for at in ats
        ]
        return found

    def codes(self, edits: Iterable[Edit]) -> Callable[[], dict[str, Any]]:
        """What compiles the core with these edits made."""
        return lambda: {
            **self.compiled,
            **{file: compile(text, file, "exec") for file, text in edited(edits, self.source).items()},
        }

    def controls(self) -> Iterator[Verdict]:
        """The bases: each must pass every small case."""
        trials = [Trial(one.name, self.codes(one.edits), self.small) for one in CONTROLS]
        for result in self.bench.run(trials, self.jobs):
            right = result.end == "end" and not result.lost
            yield Verdict(
                result.trial.name,
                "control" if right else "survived",
                result.lost,
                reason="" if right else "a right form fails",
            )

    def run_named(self, wanted: list[Named], quick: bool) -> Iterator[Verdict]:
        """The named mutants: all small cases and the large ones that name it, or, quickly, only as many as must notice it."""
        trials = []
        for one in wanted:
            mine = self.namers.get(one.name, [])
            rest = [] if quick else [at for at in self.small if at not in set(mine)]
            trials.append(Trial(one.name, self.codes(one.edits), [*mine, *rest], WANTED if quick else 1 << 30))
        for result in self.bench.run(trials, self.jobs):
            mine = self.namers.get(result.trial.name, [])
            by = [at for at in mine if at in result.lost]
            state = "killed" if len(by) >= WANTED else "weakly" if by else "survived"
            yield Verdict(result.trial.name, state if result.end in ("end", "timeout") else result.end, result.lost, by)

    def reached(self) -> set[tuple[str, int]]:
        """The lines of the source that the small cases run, on the scanner's way and on the machine's."""
        trials = [Trial("trace", self.codes(edits), self.small, trace=frozenset(FILES)) for edits in ((), NO_SCANNER)]
        return {line for result in self.bench.run(trials, self.jobs) for line in result.lines}

    def changes(self) -> tuple[list[str], list[str]]:
        """The ids of the automatic mutants, and the functions that no operation of the core calls."""
        lines = self.reached()
        found, idle = [], []
        for file in FILES:
            every = [site for of, site in self.sites(())[file]]
            run = {"module"} | {site.function for site in every if (file, site.line) in lines}
            found += [site.id for site in every if site.function in run]
            idle += [f"{file}:{name}" for name in sorted({site.function for site in every} - run)]
        return found, idle

    def sites(self, edits: tuple[Edit, ...]) -> dict[str, list[tuple[ast.Module, Site]]]:
        """The places for automatic mutants in the source after some edits, each with the tree that it is in, by file."""
        texts = {**self.source, **edited(edits, self.source)}
        trees = {file: ast.parse(texts[file]) for file in FILES}
        return {file: [(tree, site) for site in sites(tree, file)] for file, tree in trees.items()}

    def run_automatic(
        self, chosen: list[str], first: Mapping[str, list[int]] = MappingProxyType({})
    ) -> Iterator[Verdict]:
        """The automatic mutants, each until one case notices it: those that ``first`` has for it; the small cases, on the machine's
        way and on the scanner's; and the large ones for those that live and that nobody has explained."""
        entries = explained()
        order = random.Random("cases").sample(self.small, len(self.small))
        living = chosen
        for form, cases in (("machine", order), ("scanner", order), ("large", self.large)):
            edits = NO_SCANNER if form == "machine" else ()
            places = {site.id: (file, tree, site) for file, found in self.sites(edits).items() for tree, site in found}
            trials = [
                Trial(name, self.change(*places[name], edits), [*first.get(name, ()), *cases], 1)
                for name in living
                if name in places
            ]
            living = [name for name in living if name not in places]
            for result in self.bench.run(trials, self.jobs):
                name = result.trial.name
                if result.lost or result.end != "end":
                    yield Verdict(name, "killed", result.lost, form=form, reason="" if result.lost else result.end)
                    continue
                reason = next((reason for pattern, reason in entries if covers(pattern, name)), "")
                if reason and form == "scanner":
                    yield Verdict(name, "equivalent", reason=reason)
                else:
                    living.append(name)
        for name in living:
            yield Verdict(name, "survived")

    def noticed(self, path: Path | None) -> dict[str, list[int]]:
        """The small cases that noticed each automatic mutant when the matrix at ``path`` was written, which is where to look first."""
        if not path or not path.exists():
            return {}
        before = read_json(path.read_bytes(), path.name)
        here = {self.cases[at].id: at for at in self.small}
        return {
            row["name"]: [here[before["cases"][at]] for at in row.get("lost", ()) if before["cases"][at] in here]
            for row in before["automatic mutants"]
        }

    def change(self, file: str, tree: ast.Module, site: Site, edits: tuple[Edit, ...]) -> Callable[[], dict[str, Any]]:
        """What compiles the core with one change made: in the fork, whose tree is its own."""

        def codes() -> dict[str, Any]:
            site.apply()
            return {**self.codes(edits)(), file: compile(ast.fix_missing_locations(tree), file, "exec")}

        return codes


def stale(verdicts: Iterable[Verdict], whole: bool) -> list[str]:
    """The entries of equivalent.txt that explain nothing: every mutant they mean was noticed, or there is none."""
    lived = [one.name for one in verdicts if one.state == "equivalent"]
    return [pattern for pattern, _ in explained() if whole and not any(covers(pattern, name) for name in lived)]


@dataclass
class Plan:
    """What ``mutants`` was asked for. ``sample`` bounds the number of automatic mutants; None is all of them."""

    names: list[str] = field(default_factory=list)
    quick: bool = False
    sample: int | None = None
    seed: int = 0
    jobs: int = os.cpu_count() or 1


def run(corpus: Corpus, plan: Plan, say: Callable[[str], None], write: Path | None = None) -> int:
    """Try the mutants, say what became of them; the exit code, 0 or 1. Raises CorpusError, StartError.

    A run of all named mutants and all cases is written to ``write``, with as many of the automatic ones as were tried.
    """
    matrix = Matrix(corpus, plan.jobs)
    problems = matrix.problems()
    unknown = set(plan.names) - {one.name for one in matrix.named}
    problems += [f"mutants/named.py: no mutant has the name {name}" for name in sorted(unknown)]
    if problems:
        raise CorpusError(problems)
    started = time.monotonic()
    wanted = [one for one in matrix.named if not plan.names or one.name in plan.names]
    controls = [] if plan.quick or plan.names else list(matrix.controls())
    named = sorted(matrix.run_named(wanted, plan.quick), key=lambda one: one.name)
    bad = [one for one in (*controls, *named) if one.state not in ("killed", "control")]
    say(
        f"{len(named)} named mutants: {sum(one.state == 'killed' for one in named)} killed by {WANTED} cases or more that name them"
    )
    automatic: list[Verdict] = []
    idle: list[str] = []
    if not plan.quick and not plan.names and plan.sample != 0:
        chosen, idle = matrix.changes()
        whole = plan.sample is None or plan.sample >= len(chosen)
        if not whole:
            chosen = random.Random(plan.seed).sample(chosen, plan.sample or 0)
        automatic = sorted(matrix.run_automatic(chosen, matrix.noticed(write)), key=lambda one: one.name)
        states = Counter(one.state for one in automatic)
        say(
            f"{len(automatic)} automatic mutants: {states['killed']} killed, {states['equivalent']} equivalent, "
            f"{states['survived']} survived"
        )
        say(f"{len(idle)} functions that no operation of the core calls, and so no case: {', '.join(idle)}")
        bad += [one for one in automatic if one.state == "survived"]
        bad += [Verdict(f"equivalent.txt: {pattern}", "explains nothing") for pattern in stale(automatic, whole)]
    if write and not plan.quick and not plan.names:
        write.parent.mkdir(parents=True, exist_ok=True)
        write.write_text(rendered(matrix, named, automatic, idle), "ascii", newline="\n")
        say(f"written: {write}")
    for one in bad:
        ids = ", ".join(matrix.cases[at].id for at in list(one.lost)[:5])
        say(f"{one.state}: {one.name}{f' (lost: {ids})' if ids else ''}")
    say(f"{time.monotonic() - started:.0f} s")
    return 1 if bad else 0


def rendered(matrix: Matrix, named: list[Verdict], automatic: list[Verdict], idle: list[str]) -> str:
    """dist/kill-matrix.json: one mutant a line; cases by their index in ``cases``."""

    def row(one: Verdict, **members: Any) -> str:
        return json.dumps({"name": one.name, "state": one.state, **members}, separators=(",", ":"))

    head = {
        "format": FORMAT,
        "corpus": matrix.corpus.digest,
        "reference": {file: hashlib.sha256(text.encode()).hexdigest() for file, text in matrix.source.items()},
        "named": dict(Counter(one.state for one in named)),
        "automatic": dict(Counter(one.state for one in automatic)),
        "uncalled": idle,
        "unmade": sorted(set(matrix.namers) - {one.name for one in named}),
    }
    parts = [json.dumps(head, indent=1)[1:-2]]
    parts.append('"cases": ' + json.dumps([case.id for case in matrix.cases], indent=0))
    parts.append(
        '"named mutants": [\n'
        + ",\n".join(row(one, named_by=one.named_by, lost=sorted(one.lost)) for one in named)
        + "\n]"
    )
    details = [row(one, **({"lost": sorted(one.lost)} if one.lost else {"reason": one.reason})) for one in automatic]
    parts.append('"automatic mutants": [\n' + ",\n".join(details) + "\n]")
    return "{" + ",\n".join(parts) + "\n}\n"
