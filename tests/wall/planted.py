"""Faults planted in a copy of the generated C, one at a time: each must be reported by the tool that is there to report it.

    python -m tests.wall.planted [NAME ...]

Run on demand: it shows that a tool that finds nothing could have found something. Exit status: 0 every fault was reported.
"""

from __future__ import annotations

import contextlib
import os
import pathlib
import sys
import tempfile
from collections.abc import Callable
from typing import NamedTuple

from . import __main__ as wall
from .build import compiled, generated

FEW = 0  # of the texts: enough for these


class Fault(NamedTuple):
    """A piece of the sources, what stands there instead, and how that shows."""

    file: str
    piece: str
    instead: str
    kind: str  # of the build
    tool: Callable[[pathlib.Path], int]
    sign: str  # in what the tool prints


def asan(build: pathlib.Path) -> int:
    return wall.asan(build, FEW)


def steps(build: pathlib.Path) -> int:
    return wall.suite(build, ["tests/test_steps.py"])


FAULTS = {
    "a byte read behind the text": Fault("_leaves.h", "while (end - p >= 16)", "while (end - p >= 14)", "asan", asan,
                                         "ERROR: AddressSanitizer"),
    "an undefined shift": Fault("_leaves.h", "1u << *width)", "1u << (*width + 31))", "asan", asan, "shift exponent"),
    "a block of memory not freed": Fault("_machine.c", "PyMem_RawFree(__pyx_v_st->values);", "", "asan", asan, "LeakSanitizer"),
    "a reference kept where reading fails": Fault("_machine.c", "Py_DECREF((__pyx_v_st->values[__pyx_v_at]));", "", "debug",
                                                  lambda build: wall.refleaks(build, FEW), "(references, blocks) per round"),
    "a block used before it is filled": Fault("_machine.c", "__pyx_v_run.seen = 0;", "", "valgrind",
                                              lambda build: wall.valgrind(build, FEW), "uninitialised value"),
    "a block not looked at before it is used": Fault("_machine.c", "(__pyx_v_made == NULL)", "0", "debug",
                                                     lambda build: wall.nomemory_of_the_machine(build, 3), "Segmentation fault"),
    "objects read again from each of their braces": Fault("_machine.c", "RECORDED = 50", "RECORDED = 1", "plain", steps,
                                                          "assert steps <= factor * len(text)"),
    "a counter that threads share without the lock": Fault("_leaves.h", "*seen |= 0x80;\n        p += 16;",
                                                           "*seen |= 0x80;\n        p += 16;\n        static int raced;\n"
                                                           "        raced++;", "tsan", wall.tsan, "ThreadSanitizer: reported"),
}  # fmt: skip


def plant(fault: Fault, sources: pathlib.Path) -> None:
    """Put the fault in place of every occurrence of its piece; a piece that is not there is an error."""
    file = sources / fault.file
    text = file.read_text("utf-8")
    if fault.piece not in text:
        raise SystemExit(f"nothing to plant in: {fault.file} has no {fault.piece!r}")
    file.write_text(text.replace(fault.piece, fault.instead), "utf-8")


@contextlib.contextmanager
def output_in(file: pathlib.Path):
    """What this process and its children write goes to the file."""
    kept = os.dup(1), os.dup(2)
    with file.open("wb") as stream:
        os.dup2(stream.fileno(), 1)
        os.dup2(stream.fileno(), 2)
        try:
            yield
        finally:
            for at, each in enumerate(kept, 1):
                os.dup2(each, at)
                os.close(each)


def reported(fault: Fault, originals: pathlib.Path, where: pathlib.Path) -> bool:
    sources = where / "planted"
    sources.mkdir()
    for file in originals.iterdir():
        (sources / file.name).write_bytes(file.read_bytes())
    plant(fault, sources)
    build = compiled(fault.kind, sources, where / "build")
    with output_in(where / "log"):
        status = fault.tool(build)
    log = (where / "log").read_text("utf-8", "replace")
    if status and fault.sign in log:
        return True
    print(f"    exit status {status}, and no {fault.sign!r} in:\n{log[-1500:]}")
    return False


def main() -> int:
    missed = 0
    with tempfile.TemporaryDirectory() as scratch:
        originals = generated(pathlib.Path(scratch) / "sources")
        for number, (name, fault) in enumerate(FAULTS.items()):
            if sys.argv[1:] and name not in sys.argv[1:]:
                continue
            where = pathlib.Path(scratch) / str(number)
            where.mkdir()
            found = reported(fault, originals, where)
            missed += not found
            print(f"{name}: {'reported' if found else 'MISSED'} by {fault.kind}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
