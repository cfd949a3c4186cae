"""`jsonscan batch` against loops as one writes them by hand: python -m tests.bench.batch [ROWS]

Each is a process of its own over the same file of made-up responses (tests/bench/rows.py). The loops read the file line by line, parse the
line with `json.loads`, add the columns and write it with `json.dumps`: one by `jsonscan.loads`, which leaves source, start, end and
repairs empty, and one by `jsonscan.search`, which fills them.
"""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
import sysconfig
import tempfile
import time

COMMAND = pathlib.Path(sysconfig.get_path("scripts")) / "jsonscan"
NONE = dict.fromkeys(["json", "ok", "source", "start", "end", "complete", "repairs", "error"]) | {"ok": False}


def by_loads(row: dict) -> None:
    import jsonscan

    try:
        row.update(NONE, json=json.dumps(jsonscan.loads(row["response"])), ok=True, complete=True)
    except jsonscan.JSONScanError as error:
        row.update(NONE, error=error.code)


def by_search(row: dict) -> None:
    import jsonscan

    try:
        match = jsonscan.search(row["response"])
    except jsonscan.JSONScanError as error:
        row.update(NONE, error=error.code)
        return
    if match is None:
        row.update(NONE, error="no-json")
        return
    row.update(
        json=json.dumps(match.value), ok=True, source=match.source, start=match.start, end=match.end, complete=match.complete,
        repairs=[repair.code for repair in match.repairs], error=None,
    )  # fmt: skip


def by_hand(how: str, path: str, out: str) -> None:
    """The whole loop."""
    fill = {"loads": by_loads, "search": by_search}[how]
    with open(path, encoding="utf-8") as source, open(out, "w", encoding="utf-8") as to:
        for line in source:
            row = json.loads(line)
            fill(row)
            to.write(json.dumps(row) + "\n")


def measure(name: str, rows: int, argv: list[object]) -> None:
    """Run one and print what it took."""
    began = time.perf_counter()
    process = subprocess.Popen([*map(str, argv)], cwd=pathlib.Path(__file__).parents[2])
    _, status, used = os.wait4(process.pid, 0)
    took = time.perf_counter() - began
    process.returncode = status
    assert status == 0, name
    cpu = used.ru_utime + used.ru_stime
    print(f"| {name} | {took:.1f} | {rows / took:,.0f} | {cpu:.1f} | {used.ru_maxrss / 1024:.0f} |", flush=True)


def main(number: str = "200000") -> None:
    from tests.bench.rows import lines

    rows = int(number)
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "in.jsonl"
        with path.open("w", encoding="utf-8") as file:
            file.writelines(lines(rows))
        print(f"{rows:,} rows, {path.stat().st_size / 1e6:.0f} MB\n")
        print("| | seconds | rows/s | CPU seconds | MB of the largest process |\n|---|--:|--:|--:|--:|")
        for workers in (1, 2):
            argv = [COMMAND, "batch", "-q", path, "-o", f"{directory}/{workers}.jsonl", "--workers", workers]
            measure(f"batch, {workers} worker{'s' * (workers > 1)}", rows, argv)
        for how in ("loads", "search"):
            out = f"{directory}/{how}.jsonl"
            measure(f"loop by hand, `{how}`", rows, [sys.executable, __file__, how, path, out])
        same = [json.loads(line)["ok"] for line in open(f"{directory}/1.jsonl", encoding="utf-8")]
        assert same == [json.loads(line)["ok"] for line in open(f"{directory}/search.jsonl", encoding="utf-8")]


if __name__ == "__main__":
    if sys.argv[1:2] in (["loads"], ["search"]):
        by_hand(*sys.argv[1:])
    else:
        main(*sys.argv[1:])
