"""Damaged documents of 4 KB: against their clean twins, and against other libraries where these give the value that was meant.

The text is the document alone, as the other libraries want it. Nothing is asserted of time. The goals: at most 3 times the clean
twin's time; at least 100 times faster than json_repair, 3 times than fast_json_repair, 1.5 times than repairjson.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import fast_json_repair
import json_repair
import pytest
import repairjson
from bench._ratio import best_times, fresh
from bench.damage import DAMAGES, damaged, document, truncated
from fuzz.truncation import expected

PEERS: dict[str, Callable[[str], Any]] = {
    "json_repair": json_repair.loads,
    "fast_json_repair": fast_json_repair.loads,
    "repairjson": repairjson.loads,
}
CLEAN = document(1)
IN_A_STRING = CLEAN[: CLEAN.rindex('": "') + 10]
DAMAGED = {
    **{f"a few {kind}": damaged(CLEAN, kind, False) for kind in DAMAGES},
    **{f"{kind} throughout": damaged(CLEAN, kind, True) for kind in DAMAGES},
    "truncated": truncated(CLEAN),
    "truncated in a string": (IN_A_STRING, expected(IN_A_STRING)),
}
ROUNDS = 12


def test_documents_are_of_4_kb_and_damaged():
    assert 3800 < len(CLEAN) < 4400
    assert all(text != CLEAN for text, _ in DAMAGED.values())


@pytest.mark.parametrize("kind", DAMAGED)
def test_against_the_clean_twin_and_peers(js: ModuleType, build: str, kind: str, note, benchmark):
    text, meant = DAMAGED[kind]

    def loads(raw: str) -> Any:
        return js.loads(raw, repair="full", truncated="keep")

    assert loads(text) == meant
    right = {name: function for name, function in PEERS.items() if gives(function, text, meant)}
    contestants = {"damaged": (loads, text), "clean": (loads, CLEAN)}
    times = best_times(contestants | {name: (function, text) for name, function in right.items()}, ROUNDS)
    note(f"{build} build, damaged 4 KB: x its clean twin", kind, "time", times["damaged"] / times["clean"])
    for name in right:
        ratio = times[name] / times["damaged"]
        note(f"{build} build, damaged 4 KB: times faster than peers that are right", kind, name, ratio)
        benchmark.extra_info[f"{name} / jsonscan"] = ratio
    benchmark.pedantic(loads, setup=lambda: ((fresh(text),), {}), rounds=10)


def gives(function: Callable[[str], Any], text: str, meant: Any) -> bool:
    try:
        return bool(function(text) == meant)
    except Exception:  # a peer's refusal, of whatever kind
        return False
