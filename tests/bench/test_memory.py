"""What `loads` holds beside the value and the text while it reads a response of 64 MB, and whether two threads are faster than one.

Memory is counted by `tracemalloc`, which sees every allocation of the machine as well. Threads are timed by the clock on the wall, since
that is what they are for: the best of some rounds, on a machine that has two cores to spare.
"""

from __future__ import annotations

import gc
import threading
import time
import tracemalloc
from collections.abc import Callable
from types import ModuleType
from typing import Any

from bench._ratio import fresh
from bench.responses import SIZES, response

MEGABYTES = 64


def long_response() -> str:
    document = response("ASCII", SIZES["252 KB"])[1]
    return "Here it is:\n```json\n[" + ",\n".join([document] * (MEGABYTES * 1024 * 1024 // len(document))) + "]\n```\n"


def test_peak_of_a_long_response(js: ModuleType, build: str, note, benchmark):
    raw = long_response()
    gc.collect()
    tracemalloc.start()
    try:
        value = js.loads(raw)
        now, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(value) == raw.count('"items"')
    note(f"memory beside the value of {MEGABYTES} MB, x the text", f"loads, {build} build", "peak", (peak - now) / len(raw))
    benchmark.pedantic(js.loads, args=(raw,), rounds=1)


def test_two_threads(js: ModuleType, build: str, note, benchmark):
    raw, document = response("ASCII", SIZES["252 KB"])
    function = js.extract_json_object
    assert function(raw) == document
    serial = parallel = float("inf")
    for _ in range(30):
        serial = min(serial, clocked(lambda: [many(function, raw) for _ in range(2)]))
        parallel = min(parallel, clocked(lambda: in_threads(lambda: many(function, raw))))
    row = f"extract_json_object, {build} build"
    note("two threads, each its response of 252 KB, x one after the other", row, "time", parallel / serial)
    benchmark.pedantic(function, setup=lambda: ((fresh(raw),), {}), rounds=20)


def many(function: Callable[[str], Any], raw: str) -> None:
    for _ in range(100):
        function(raw)


def in_threads(work: Callable[[], None]) -> None:
    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def clocked(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
