"""What starting the command costs: CPU time of the whole process as a multiple of what Python alone takes to start and end.

Runs take turns, so that what else the machine does meets all of them, and the median counts. `argparse` is Python with that import,
below which no command of this kind can come.
"""

from __future__ import annotations

import compileall
import os
import pathlib
import statistics
import subprocess
import sys
import sysconfig

import jsonscan

COMMAND = pathlib.Path(sysconfig.get_path("scripts")) / "jsonscan"
RUNS = 30
PLAIN, MENDED = 'Sure: ```json\n{"a": [1, 2]}\n```\n', "Sure: ```json\n{'a': [1, 2,]}\n```\n"
STARTS = {
    "argparse": ([sys.executable, "-c", "import argparse"], ""),
    "--version": ([COMMAND, "--version"], ""),
    "extract": ([COMMAND, "extract"], PLAIN),
    "extract, mended": ([COMMAND, "extract"], MENDED),
    "find": ([COMMAND, "find"], PLAIN),
    "check": ([COMMAND, "check"], '{"a": 1}'),
}


def cpu_seconds(argv: list[object], text: str) -> float:
    """Of one run."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL}
    process = subprocess.Popen([*map(str, argv)], **pipes)
    process.stdin.write(text.encode())
    process.stdin.close()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, argv
    return used.ru_utime + used.ru_stime


def test_start_up(note) -> None:
    compileall.compile_dir(pathlib.Path(jsonscan.__file__).parent, quiet=1)
    bare = ([sys.executable, "-c", "pass"], "")
    took: dict[str, list[float]] = {name: [] for name in ("bare", *STARTS)}
    for _ in range(RUNS):
        for name, (argv, text) in {"bare": bare, **STARTS}.items():
            took[name].append(cpu_seconds(argv, text))
    alone = statistics.median(took["bare"])
    print(f"Python alone: {alone * 1e3:.1f} ms of CPU time")
    for name in STARTS:
        note("Start-up of the command, x Python alone", name, "ratio", statistics.median(took[name]) / alone)
