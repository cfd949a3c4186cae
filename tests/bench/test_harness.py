"""How many small cases a second the runner gets through each adapter: issue them in a window, judge every answer.

    pytest tests/bench/test_harness.py --benchmark-only

`extra_info` of each row has two rates: of the first pass, in which every answer is read and judged, and of the fastest later
one, in which an answer that is the same bytes as before is known. Starting the program is in neither. An adapter whose tool is
missing is an error, as in `run`.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonscan_conformance.runner import adapters
from jsonscan_conformance.runner.log import Log, Report
from jsonscan_conformance.runner.model import Corpus, load_corpus
from jsonscan_conformance.runner.run import Options, run

CASES = 4_000
PASSES = 5  # each but the first asks every case twice


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """Small objects, each told from the next by one number."""
    root = tmp_path_factory.mktemp("small") / "cases"
    (root / "json-parse").mkdir(parents=True)
    records = []
    for number in range(CASES):
        value = {"name": f"x{number}", "list": [1, 2, number], "ok": True, "none": None}
        records.append(
            {
                "id": f"json-parse.small.n{number}",
                "title": "a small object",
                "level": "must",
                "operation": "json_parse",
                "input": {"text": json.dumps(value)},
                "expect": {"outcome": "value", "value": value},
            }
        )
    (root / "json-parse" / "small.json").write_text(json.dumps({"cases": records}))
    return load_corpus(root)


@pytest.mark.parametrize("name", ["jsonscan-compiled", "jsonscan-pure", "typescript", "go", "rust"])
def test_small_cases_a_second(benchmark: Any, corpus: Corpus, name: str) -> None:
    spec = adapters.find_spec(name)
    header: dict[str, Any] = {"selection": {}, "repeat": "", "command": [], "paths": {}}

    def once() -> Report:
        log = Log()
        assert run([spec], corpus.cases, corpus, Options(passes=PASSES), log, header, lambda *_: None) == 0
        return Report.of(log.events)

    report = benchmark.pedantic(once, rounds=1)
    rates = [one["cases"] / one["seconds"] for one in report.columns[name].passes]
    first, later = round(rates[0]), round(max(rates[1:]))
    benchmark.extra_info.update({"cases a second, first pass": first, "later": later})
    print(f"{name}: {first:,} cases/s in the first pass, {later:,} later")
