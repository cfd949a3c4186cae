"""Builds of the compiled machine for tools that watch it from outside: a copy of the package, and in it the extension made for one tool.

`planted.py` changes the generated C before it is compiled.
"""

from __future__ import annotations

import pathlib
import shutil
import subprocess
import sys
from typing import NamedTuple

ROOT = pathlib.Path(__file__).parents[2]
PACKAGE = ROOT / "jsonscan"


class Kind(NamedTuple):
    compiler: str
    flags: str
    python: str  # for which Python


PAUSES = "-DJSCAN_UNITS_PER_CHECK=16 -DJSCAN_MANY_VALUES=3"

KINDS = {
    # -O1 keeps the lines of a report true; without recover=undefined UBSan would only print.
    "asan": Kind("gcc", "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer", sys.executable),
    "asan-pauses": Kind("gcc", "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer " + PAUSES,
                        sys.executable),
    "valgrind": Kind("gcc", "-O1 -g", "/usr/bin/python3.11"),
    "debug": Kind("gcc", "-O1 -g", "/usr/bin/python3.11-dbg"),
    "tsan": Kind("gcc", "-O1 -g -fsanitize=thread", sys.executable),
    "plain": Kind("gcc", "-O1 -g", sys.executable),
    # Lines and branches for gcov; "portable" has what a processor without SSE2, or a compiler without 128-bit integers, gets, and stops so
    # often to look for signals that every short text is read in pieces.
    "coverage": Kind("gcc", "-O0 --coverage", sys.executable),
    "portable": Kind("gcc", "-O0 --coverage -U__SSE2__ -U__SIZEOF_INT128__ " + PAUSES, sys.executable),
    "libfuzzer": Kind("clang-19", "-O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined",
                      "/usr/bin/python3.11"),
}  # fmt: skip


def generated(into: pathlib.Path, *options: str) -> pathlib.Path:
    """`into`, with the generated C and the headers it includes. `options` are Cython's."""
    into.mkdir(parents=True, exist_ok=True)
    shutil.copy(PACKAGE / "_leaves.h", into)
    command = [sys.executable, "-m", "cython", "-3", "-X", "emit_code_comments=False", *options, PACKAGE / "_machine.pyx"]
    command += ["-o", into / "_machine.c"]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    return into


def compiled(kind: str, sources: pathlib.Path, into: pathlib.Path) -> pathlib.Path:
    """`into`, a new directory, with a package `jsonscan` whose extension is made from these sources in this way."""
    compiler, flags, python = KINDS[kind]
    into.mkdir(parents=True)
    (into / "jsonscan_conformance").symlink_to(ROOT / "conformance")
    shutil.copytree(PACKAGE, into / "jsonscan", dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.so", "__pycache__", "*.c", "*.html"))
    ask = "import sysconfig as s; print(s.get_config_var('INCLUDEPY'), s.get_config_var('EXT_SUFFIX'))"
    include, suffix = subprocess.run([python, "-c", ask], check=True, capture_output=True, text=True).stdout.split()
    target = into / "jsonscan" / f"_machine{suffix}"
    command = [compiler, "-w", "-shared", "-fPIC", *flags.split(), f"-I{include}", sources / "_machine.c", "-o", target]
    subprocess.run(command, check=True)
    return into


def built(kind: str, where: pathlib.Path) -> pathlib.Path:
    """A build of this kind in a directory, from the checkout as it is."""
    return compiled(kind, generated(where / "sources"), where / kind)
