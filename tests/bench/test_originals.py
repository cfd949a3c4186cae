"""The three functions on clean fenced responses, against the parsers that would read the bare document in them, and the originals.

The ratios to `orjson` and `json` are measured in one process, interleaved (see `_ratio.py`). Those to the original modules under Node
cannot be: both sides take the best of many rounds, but at different times.
"""

from __future__ import annotations

import json
import subprocess
from types import ModuleType

import builds
import orjson
import pytest
from bench._ratio import best_times, fresh
from bench.responses import SIZES, WORDS, response
from fuzz import oracle

OPERATIONS = ["extract_json_object", "extract_json"]
PEER = {"compiled": "orjson", "pure": "json"}
CASES = [(alphabet, size) for alphabet in WORDS for size in SIZES]


@pytest.mark.parametrize(("alphabet", "size"), CASES, ids=[" ".join(case) for case in CASES])
def test_against_the_bare_document(js: ModuleType, build: str, alphabet: str, size: str, note, benchmark):
    raw, document = response(alphabet, SIZES[size])
    times = best_times(
        {
            "orjson": (orjson.loads, document),
            "json": (json.loads, document),
            "extract_json_object": (js.extract_json_object, raw),
            "extract_json": (js.extract_json, raw),
        }
    )
    assert js.extract_json_object(raw) == document
    assert js.extract_json(raw) == json.loads(document)
    for operation in OPERATIONS:
        for peer in ("orjson", "json"):
            ratio = times[operation] / times[peer]
            benchmark.extra_info[f"{operation} / {peer}.loads"] = ratio
            if peer == PEER[build]:
                note(f"{build} build, x {peer}.loads of the document", f"{operation}, {alphabet}", size, ratio)
    if build == "compiled":
        note("json.loads, x orjson.loads", alphabet, size, times["json"] / times["orjson"])
    benchmark.pedantic(js.extract_json, setup=lambda: ((fresh(raw),), {}), rounds=20)


def test_against_the_originals_under_node(note, benchmark):
    package = builds.package_of(builds.BUILDS[0])
    texts = [response("ASCII", units) for units in SIZES.values()]
    asked = json.dumps([{"raw": raw, "document": document} for raw, document in texts])
    script = str(oracle.DRIVER.parents[1] / "bench" / "originals.mjs")
    ended = subprocess.run(
        [oracle.node(), script, str(oracle.originals())], input=asked, capture_output=True, encoding="ascii", check=True
    )
    for size, (raw, _), original in zip(SIZES, texts, json.loads(ended.stdout), strict=True):
        times = best_times({name: (getattr(package, name), raw) for name in OPERATIONS})
        for operation in OPERATIONS:
            note(f"original under Node, x {package.BUILD} build (not interleaved)", operation, size, original[operation] / times[operation])
    benchmark.pedantic(package.extract_json_object, setup=lambda: ((fresh(texts[-1][0]),), {}), rounds=20)
