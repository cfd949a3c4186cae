"""Which lines of the compiled machine the suite runs, and which lines and branches of its C header, as gcov counts them.

    python -m tests.wall.covered [FILE ...]

Two builds are counted: what this processor gets, under the test suite (or only these files of it) and with failing allocations; and what a
processor without SSE2 gets, under `calls.py` and the tests of the machine. A line that no run reaches must stand in UNREACHED, with the
reason; so exit status 0 says that nothing else was left out.
"""

from __future__ import annotations

import collections
import json
import pathlib
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

from . import __main__ as wall
from .build import PACKAGE, compiled, generated

SOURCES = ("_machine.pyx", "_plain.pxi", "_entries.pxi", "_leaves.h")

# What stands in a line, and why nothing comes there.
UNREACHED: dict[str, str] = {}

Lines = dict[tuple[str, int], int]
Branches = dict[tuple[str, int, int, int], int]


def pinned(sources: pathlib.Path) -> pathlib.Path:
    """The sources, every line of the C under the number of the line it was made from: Cython says that once for several of them, and a
    compiler counts on."""
    file = sources / "_machine.c"
    made, place, goes_on = [], "", False
    for line in file.read_text("utf-8").split("\n"):
        if line.startswith("#line"):
            place = line
        elif place and not goes_on:
            made.append(place)
        goes_on = line.endswith("\\")
        made.append(line)
    file.write_text("\n".join(made), "utf-8")
    return sources


def counts(build: pathlib.Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each line of the sources as gcov has it; a line of a fused function comes once for each of its instances."""
    [data] = (build / "jsonscan").glob("*.gcda")
    said = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities", data], check=True, capture_output=True, cwd=build)
    for file in json.loads(said.stdout)["files"]:
        name = pathlib.Path(file["file"]).name
        if name in SOURCES:
            for line in file["lines"]:
                yield name, line


def read(build: pathlib.Path) -> tuple[Lines, Branches]:
    """How often each line was run, in any instance, and each branch of the header was taken."""
    lines: Lines = collections.Counter()
    branches: Branches = collections.Counter()
    for name, line in counts(build):
        lines[name, line["line_number"]] += line["count"]
        if name.endswith(".h"):
            # A macro's line has other branches in another build: they are told apart by their number.
            for at, branch in enumerate(line["branches"]):
                branches[name, line["line_number"], len(line["branches"]), at] += branch["count"]
    return lines, branches


def figures(what: str, lines: Lines, branches: Branches) -> None:
    print(what)
    for name in SOURCES:
        mine = [count for (file, _), count in lines.items() if file == name]
        print(f"    {name}: {sum(map(bool, mine)):,} of {len(mine):,} lines", end="")
        taken = [count for (file, *_), count in branches.items() if file == name]
        print(f", {sum(map(bool, taken)):,} of {len(taken):,} branches" if taken else "", flush=True)


def left_out(lines: Lines, branches: Branches) -> int:
    """How many lines were not run, and branches not taken, without a reason; each is printed."""
    wrong = 0
    missed = {place for place, count in lines.items() if not count} | {place[:2] for place, count in branches.items() if not count}
    for name, number in sorted(missed):
        text = (PACKAGE / name).read_text("utf-8").splitlines()[number - 1].strip()
        reason = next((why for piece, why in UNREACHED.items() if piece in text), None)
        print(f"    {name}:{number}: {text}  -- {reason or 'NOT REACHED'}")
        wrong += reason is None
    return wrong


def main() -> int:
    with tempfile.TemporaryDirectory() as scratch:
        where = pathlib.Path(scratch)
        sources = pinned(generated(where / "sources", "--line-directives"))
        here, portable = (compiled(kind, sources, where / kind) for kind in ("coverage", "portable"))
        failed = wall.suite(here, sys.argv[1:])
        figures("the suite", *read(here))
        failed |= wall.run([sys.executable, wall.HERE / "nomemory.py", "machine", "once", "entries"], here)
        lines, branches = read(here)
        figures("the suite, and failing allocations", lines, branches)
        failed |= wall.run([sys.executable, wall.HERE / "calls.py"], portable)
        failed |= wall.run([sys.executable, wall.HERE / "nomemory.py", "machine", "once"], portable)
        failed |= wall.suite(portable, wall.PAUSING)
        other_lines, other_branches = read(portable)
        figures("without SSE2", other_lines, other_branches)
        lines.update(other_lines)
        branches.update(other_branches)
        figures("together", lines, branches)
        return 1 if failed or left_out(lines, branches) else 0


if __name__ == "__main__":
    sys.exit(main())
