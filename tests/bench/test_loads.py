"""`loads` on clean responses, against the parser that would read the bare document in them: `orjson` for the compiled build, `json` for the
pure one. And what such a ratio can hide: documents whose names were never seen, values that are read afterwards, the cost of a call.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from types import ModuleType
from typing import Any

import orjson
import pytest
from bench._ratio import best_times, fresh
from bench.responses import SIZES, WORDS, response, sentence

PEERS: dict[str, Callable[[str], Any]] = {"orjson": orjson.loads, "json": json.loads}
PEER = {"compiled": "orjson", "pure": "json"}
FENCE = "Here is what you asked for:\n\n```json\n{}\n```\n\nLet me know if anything is missing."
SCHEMAS = 64
UNIQUE = 400  # documents, each with names of its own: more than any cache of names holds


@pytest.fixture
def title(build: str) -> str:
    return f"loads, {build} build, x {PEER[build]}.loads of the document"


@pytest.fixture
def peer(build: str) -> Callable[[str], Any]:
    return PEERS[PEER[build]]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("alphabet", WORDS)
def test_fenced_responses(js: ModuleType, peer, title: str, alphabet: str, size: str, note, benchmark):
    raw, document = response(alphabet, SIZES[size])
    assert js.loads(raw) == js.loads(document) == json.loads(document)
    times = best_times({"peer": (peer, document), "fenced": (js.loads, raw), "bare": (js.loads, document)})
    note(title, f"fenced, {alphabet}", size, times["fenced"] / times["peer"])
    note(title, f"bare, {alphabet}", size, times["bare"] / times["peer"])
    benchmark.pedantic(js.loads, setup=lambda: ((fresh(raw),), {}), rounds=20)


@pytest.mark.parametrize("size", SIZES)
def test_prose_in_the_values(js: ModuleType, peer, title: str, size: str, note, benchmark):
    """As judges and extractors answer: fewer, longer strings."""
    document = findings(SIZES[size])
    raw = FENCE.replace("{}", document)
    assert js.loads(raw) == json.loads(document)
    times = best_times({"peer": (peer, document), "fenced": (js.loads, raw)})
    note(title, "fenced, longer strings, ASCII", size, times["fenced"] / times["peer"])
    benchmark.pedantic(js.loads, setup=lambda: ((fresh(raw),), {}), rounds=20)


@pytest.mark.parametrize(("row", "number"), [("many schemas", SCHEMAS), ("unique keys", UNIQUE)])
def test_names_not_seen_lately(js: ModuleType, peer, title: str, row: str, number: int, note, benchmark):
    documents = [renamed(number) for number in range(number)]
    raws = [FENCE.replace("{}", document) for document in documents]
    assert [js.loads(raw) for raw in raws] == [json.loads(document) for document in documents]
    times = best_times({"peer": (peer, documents), "fenced": (js.loads, raws)})
    note(title, f"fenced, {row}, ASCII", "4 KB", times["fenced"] / times["peer"])
    benchmark.pedantic(js.loads, setup=lambda: ((fresh(raws[0]),), {}), rounds=20)


def test_and_every_field_read(js: ModuleType, peer, title: str, note, benchmark):
    """A faster parse is none if what it made is slower to read."""
    raw, document = response("ASCII", SIZES["4 KB"])
    times = best_times({"peer": (lambda text: read(peer(text)), document), "fenced": (lambda text: read(js.loads(text)), raw)})
    note(title, "fenced, ASCII, and every field read once", "4 KB", times["fenced"] / times["peer"])
    benchmark.pedantic(js.loads, setup=lambda: ((fresh(raw),), {}), rounds=20)


@pytest.mark.parametrize("text", ["{}", '{"a": 1}'])
def test_the_cost_of_a_call(js: ModuleType, peer, title: str, text: str, note, benchmark):
    times = best_times({"peer": (peer, text), "loads": (js.loads, text)}, rounds=200)
    note(title, f"the text {text}", f"{len(text)} B", times["loads"] / times["peer"])
    benchmark.pedantic(js.loads, setup=lambda: ((text,), {}), rounds=20)


def findings(units: int) -> str:
    rng = random.Random(units)
    found: list[dict[str, Any]] = []
    document: dict[str, Any] = {"summary": sentence(rng, "ASCII", 20), "findings": found}
    while True:
        found.append(
            {
                "title": sentence(rng, "ASCII", 5),
                "severity": rng.choice(["low", "medium", "high"]),
                "confidence": round(rng.random(), 2),
                "line": rng.randrange(1000),
                "explanation": sentence(rng, "ASCII", 18),
                "suggestions": [sentence(rng, "ASCII", 6) for _ in range(rng.randrange(3))],
                "resolved": rng.random() < 0.5,
            }
        )
        text = json.dumps(document, indent=2)
        if len(text) + len(FENCE) >= units:
            return text


def renamed(number: int) -> str:
    """A document of 4 KB of whose kind no other has a name."""
    rng = random.Random(number)
    names = {name: f"{name[:3]}_{rng.getrandbits(32):x}" for name in ("id", "name", "active", "score", "tags", "note", "parent", "items")}
    document = response("ASCII", SIZES["4 KB"])[1]
    for old, new in names.items():
        document = document.replace(f'"{old}":', f'"{new}":')
    return document


def read(value: Any) -> int:
    """Touch all there is, without recursion."""
    count, left = 0, [value]
    while left:
        one = left.pop()
        if isinstance(one, dict):
            left.extend(one[name] for name in one)
        elif isinstance(one, list):
            left.extend(one)
        else:
            count += one is not None
    return count
