"""Fenced responses: `loads` against other libraries given the same response, and against strict parsers given the bare document."""

from __future__ import annotations

import json
from collections.abc import Callable
from types import ModuleType
from typing import Any

import json_repair
import jsonmend
import orjson
import pytest
import robust_json
from bench._ratio import best_times, fresh
from bench.responses import SIZES, response
from instructor.utils.core import extract_json_from_codeblock
from langchain_core.output_parsers import JsonOutputParser

PEERS: dict[str, Callable[[str], Any]] = {
    "json_repair": json_repair.loads,
    "jsonmend": jsonmend.loads,
    "robust-json-parser": robust_json.loads,
    "langchain-core": JsonOutputParser().parse,
    "instructor": lambda raw: json.loads(extract_json_from_codeblock(raw)),
}
ROUNDS = 12


@pytest.mark.parametrize("size", ["0.5 KB", "4 KB", "32 KB"])
def test_against_peers_and_the_bare_document(js: ModuleType, build: str, size: str, note, benchmark):
    raw, document = response("ASCII", SIZES[size])
    value = json.loads(document)
    assert js.loads(raw) == value
    right = {name: function for name, function in PEERS.items() if function(raw) == value}
    contestants = {"jsonscan": (js.loads, raw), "json.loads": (json.loads, document), "orjson.loads": (orjson.loads, document)}
    times = best_times(contestants | {name: (function, raw) for name, function in right.items()}, ROUNDS)
    for name in ("json.loads", "orjson.loads"):
        note(f"{build} build, fenced response: x the time of the document alone", name, size, times["jsonscan"] / times[name])
    for name in right:
        note(f"{build} build, fenced response: times faster than peers", name, size, times[name] / times["jsonscan"])
        benchmark.extra_info[f"{name} / jsonscan"] = times[name] / times["jsonscan"]
    benchmark.pedantic(js.loads, setup=lambda: ((fresh(raw),), {}), rounds=10)
