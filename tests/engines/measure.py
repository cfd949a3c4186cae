"""Rows per second: `python tests/engines/measure.py ENGINE...`, an engine being one of those here or one of

    alone   extract_column on the whole column, in one process
    loop    a Python loop of jsonscan.search over the column's values, and the same columns built from what it found
    loads   a Python loop of jsonscan.loads and json.dumps, and the columns that this can fill: json, ok and error

Each engine is started anew with one worker and with two (duckdb: threads; polars takes all there are), runs a few rows to
warm up, and then all, three times; the best counts. The first rows of its table must be those of one process. Besides rows per second
there are the rows per second of CPU time, of all its processes together: how well the cores are used, and what repeats on a busy machine.

    ratio   alone, loop and loads in turn in one process, in CPU time, the best of five rounds: repeats on a busy machine
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

WARM_UP = 2000
REPEATS = 3


class Alone:
    """One process without an engine, in the shape of one."""

    def __init__(self, answers: Any) -> None:
        self.answers = answers

    @contextlib.contextmanager
    def session(self, workers: int) -> Iterator[None]:
        yield

    def through(self, _: None, rows: Any, extract: Any) -> Any:
        return rows.append_column("answer", self.answers(rows["response"]))


def loop(column: Any) -> Any:
    import pyarrow as pa
    from tables import ANSWER

    import jsonscan

    rows: list[tuple[Any, ...]] = []
    for text in column.to_pylist():
        if text is None:
            rows.append((None, False, None, None, None, None, None, "null"))
            continue
        try:
            match = jsonscan.search(text)
        except jsonscan.JSONScanError as error:
            rows.append((None, False, None, None, None, None, None, error.code))
            continue
        if match is None:
            rows.append((None, False, None, None, None, None, None, "no-json"))
        else:
            found = json.dumps(match.value, ensure_ascii=False) if match.repairs else match.text
            codes = list(dict.fromkeys(repair.code for repair in match.repairs))
            rows.append((found, True, match.source, match.start, match.end, match.complete, codes, None))
    return pa.StructArray.from_arrays([pa.array(values, field.type) for values, field in zip(zip(*rows), ANSWER)], fields=list(ANSWER))


def loads(column: Any) -> Any:
    import pyarrow as pa

    import jsonscan

    rows: list[tuple[Any, ...]] = []
    for text in column.to_pylist():
        try:
            rows.append((json.dumps(jsonscan.loads(text)), True, None))
        except jsonscan.JSONScanError as error:
            rows.append((None, False, error.code))
        except TypeError:
            rows.append((None, False, "null"))
    return pa.StructArray.from_arrays([pa.array(values) for values in zip(*rows)], names=["json", "ok", "error"])


def measured(name: str, workers: int, count: int) -> dict[str, float]:
    """Seconds to start and rows per second, of one engine in this process."""
    os.environ["JSONSCAN_ROWS"] = str(count)
    from tables import answered, as_bytes, table

    from jsonscan.arrow import extract_column

    rows = table(count)
    began = time.perf_counter()
    own = {"alone": extract_column, "loop": loop, "loads": loads}
    engine: Any = Alone(own[name]) if name in own else importlib.import_module(f"{name}_engine")
    with engine.session(workers) as session:
        engine.through(session, rows.slice(0, WARM_UP), extract_column)
        started = time.perf_counter()
        best = least = float("inf")
        for _ in range(REPEATS):
            again, before = time.perf_counter(), cpu_seconds()
            result = engine.through(session, rows, extract_column)
            best, least = min(best, time.perf_counter() - again), min(least, cpu_seconds() - before)
        if name not in own:
            assert as_bytes(_first(result)) == as_bytes(answered(rows.slice(0, WARM_UP)))
    return {"start": started - began, "rate": count / best, "cpu": count / least}


def cpu_seconds() -> float:
    """CPU time of this process and of those it started, which go on."""
    import psutil

    me = psutil.Process()
    total = 0.0
    for process in [me, *me.children(recursive=True)]:
        with contextlib.suppress(psutil.NoSuchProcess):
            total += sum(process.cpu_times()[:2])
    return total


def _first(result: Any) -> Any:
    """The rows with the lowest numbers."""
    import pyarrow.compute as pc

    return result.filter(pc.less(result["id"], WARM_UP))


def ratios(count: int) -> None:
    """Print what `alone` makes of the column in a second of CPU time, and how many times as much that is as the loops do."""
    from tables import table

    from jsonscan.arrow import extract_column

    column = table(count)["response"].combine_chunks()
    contestants = {"alone": extract_column, "loop": loop, "loads": loads}
    best = dict.fromkeys(contestants, float("inf"))
    for _ in range(5):
        for name, function in contestants.items():
            began = time.process_time()
            function(column)
            best[name] = min(best[name], time.process_time() - began)
    for name, seconds in best.items():
        print(f"{name:<6} {count / seconds:10,.0f} rows/s {seconds / best['alone']:6.2f}")


def apart(name: str, workers: int, count: int) -> dict[str, float]:
    """The same in a process of its own, whose chatter is shown only if it fails."""
    command = [sys.executable, __file__, name, "--rows", str(count), "--workers", str(workers)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])}
    with tempfile.TemporaryFile("w+") as chatter:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=chatter, env=environment, check=False)
        if done.returncode:
            chatter.seek(0)
            raise SystemExit(chatter.read())
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("engine", nargs="+")
    arguments.add_argument("--rows", type=int, default=200_000)
    arguments.add_argument("--workers", type=int, help="measure in this process, with so many, and print JSON")
    given = arguments.parse_args()
    if given.workers is not None:
        print(json.dumps(measured(given.engine[0], given.workers, given.rows)))
        return
    if given.engine == ["ratio"]:
        ratios(given.rows)
        return
    print(f"{given.rows:>9,} rows  start  rows/s on one   of CPU  on two   of CPU")
    for name in given.engine:
        one = apart(name, 1, given.rows)
        line = f"{name:<14} {one['start']:5.1f} s {one['rate']:13,.0f} {one['cpu']:8,.0f}"
        if name not in ("alone", "loop", "loads"):
            two = apart(name, 2, given.rows)
            line += f" {two['rate']:7,.0f} {two['cpu']:8,.0f}"
        print(line, flush=True)


if __name__ == "__main__":
    main()
