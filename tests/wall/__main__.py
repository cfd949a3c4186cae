"""The tools that watch the compiled machine from outside:

    python -m tests.wall asan        AddressSanitizer, UndefinedBehaviourSanitizer and LeakSanitizer: every call
    python -m tests.wall asan-suite  the same: the test suite
    python -m tests.wall asan-pauses the same: tests of the machine and streams, in a build that pauses behind every 16 characters
    python -m tests.wall tsan        ThreadSanitizer: the tests of threads
    python -m tests.wall valgrind    memcheck under Debian's Python: every call with some of the texts
    python -m tests.wall refleaks    references under a debug build of Python
    python -m tests.wall nomemory    every allocation failing in turn

Each builds the extension as its tool wants it, in a directory of its own (--keep names one). Exit status: 0 nothing found.
"""

from __future__ import annotations

import argparse
import functools
import os
import pathlib
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence

if __package__ in (None, ""):
    raise SystemExit("run it as a module: python -m tests.wall")

from .build import KINDS, ROOT, built

HERE = pathlib.Path(__file__).parent
PAUSING = [f"tests/test_{name}.py" for name in ("machine", "machine_edges", "answers", "entries", "stream", "originals")]
# Whatever the tool, these are the build's own Python files, and nothing is written beside them.
PLAIN = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0", "PYTHONFAULTHANDLER": "1"}


def run(command: list[str | pathlib.Path], build: pathlib.Path, **more: str) -> int:
    """The exit status of a command that imports the package from a build."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment |= PLAIN | {"PYTHONPATH": str(build)} | more
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


def sanitizers() -> dict[str, str]:
    """The environment in which a Python that knows nothing of sanitizers can load what was built for them. Without PYTHONMALLOC a str
    lies in an arena with others, where reading past its end is no fault."""
    found = [subprocess.run(["gcc", f"-print-file-name={name}.so"], check=True, capture_output=True, text=True).stdout.strip()
             for name in ("libasan", "libubsan")]  # fmt: skip
    return {"LD_PRELOAD": " ".join(found), "PYTHONMALLOC": "malloc", "UBSAN_OPTIONS": "print_stacktrace=1",
            "LSAN_OPTIONS": f"suppressions={HERE / 'lsan.supp'}:print_suppressions=0",
            "ASAN_OPTIONS": "detect_leaks=1:detect_stack_use_after_return=1:allocator_may_return_null=1"}  # fmt: skip


def suite(build: pathlib.Path, files: Sequence[str] = (), **more: str) -> int:
    """The tests of the compiled build, a file at a time: leaks are reported at the end of a process, so the file is known. Those that
    start a Python of their own hand on what watches it with the environment."""
    chosen = files or sorted(str(file.relative_to(ROOT)) for file in (ROOT / "tests").glob("test_*.py"))
    worst = 0
    for file in chosen:
        print(f"--- {file}", flush=True)
        worst = max(worst, run([sys.executable, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider", file], build,
                               JSONSCAN_EXPECT_BUILD="compiled", JSONSCAN_TEST_BUILDS="compiled", **more))  # fmt: skip
    return worst


def asan(build: pathlib.Path, every: int = 1) -> int:
    return run([sys.executable, HERE / "calls.py", "--every", str(every)], build, **sanitizers())


def asan_of_the_suite(build: pathlib.Path, files: Sequence[str] = ()) -> int:
    return suite(build, files, **sanitizers())


def asan_of_pauses(build: pathlib.Path, files: Sequence[str] = PAUSING) -> int:
    return suite(build, files, **sanitizers())


def tsan(build: pathlib.Path) -> int:
    """Python itself is not instrumented, but its lock is one of the C library's, which ThreadSanitizer knows: so what it guards is no race,
    and what runs without it is watched."""
    library = subprocess.run(["gcc", "-print-file-name=libtsan.so"], check=True, capture_output=True, text=True).stdout.strip()
    return suite(build, ["tests/test_threads.py"], LD_PRELOAD=library, TSAN_OPTIONS="die_after_fork=0:exitcode=66")


def valgrind(build: pathlib.Path, every: int = 60) -> int:
    memcheck = ["valgrind", "-q", "--error-exitcode=99", "--leak-check=full", "--show-leak-kinds=definite",
                "--errors-for-leak-kinds=definite"]  # fmt: skip
    return run([*memcheck, KINDS["valgrind"].python, HERE / "calls.py", "--every", str(every)], build, PYTHONMALLOC="malloc")


def refleaks(build: pathlib.Path, every: int = 60) -> int:
    return run([KINDS["debug"].python, HERE / "refleaks.py", "--every", str(every)], build)


def nomemory_of_the_machine(build: pathlib.Path, every: int = 1) -> int:
    return run([KINDS["debug"].python, HERE / "nomemory.py", "--every", str(every), "machine", "once"], build)


def nomemory_of_all(build: pathlib.Path, every: int = 6) -> int:
    # Not under the debug Python: its 3.11 aborts by itself where no cell can be made for a closure.
    command = [sys.executable, HERE / "nomemory.py", "--every", str(every), "entries", "python"]
    return run(command, build, **sanitizers() | {"ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1"})


TOOLS: dict[str, list[tuple[str, Callable[..., int]]]] = {
    "asan": [("asan", asan)],
    "asan-suite": [("asan", asan_of_the_suite)],
    "asan-pauses": [("asan-pauses", asan_of_pauses)],
    "tsan": [("tsan", tsan)],
    "valgrind": [("valgrind", valgrind)],
    "refleaks": [("debug", refleaks)],
    "nomemory": [("debug", nomemory_of_the_machine), ("asan", nomemory_of_all)],
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.wall", description=__doc__.split("\n")[0])
    parser.add_argument("tools", nargs="+", choices=TOOLS, metavar="TOOL", help=", ".join(TOOLS))
    parser.add_argument("--files", nargs="+", metavar="TEST", help="asan-suite: only these files of the suite")
    parser.add_argument("--every", type=int, help="take every Nth text: how thorough it is")
    parser.add_argument("--keep", type=pathlib.Path, help="a directory for the build, which is kept")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        where = (options.keep or pathlib.Path(scratch)).resolve()
        made = functools.cache(lambda kind: built(kind, where))
        asked = {name: value for name, value in (("every", options.every), ("files", options.files)) if value is not None}
        return max(tool(made(kind), **asked) for name in options.tools for kind, tool in TOOLS[name])


if __name__ == "__main__":
    sys.exit(main())
