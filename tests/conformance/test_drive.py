"""The driver against adapters that misbehave: a choice of the saboteurs, one for each way of going wrong; `selftest` has them all."""

from __future__ import annotations

import pytest
from jsonscan_conformance.runner import selftest
from jsonscan_conformance.runner.probes import Probes
from jsonscan_conformance.runner.values import Host

CHOICE = [
    "ends-at-hello", "talks-first", "overstates-host", "echoes", "member-twice", "raw-utf8", "stateful", "second-time",
    "crashes-on-one", "hangs-on-one", "swallows-one", "exits-midway", "dies-once", "closes-output", "cuts-a-line",
    "answers-twice", "unknown-id", "id-as-text", "id-as-boolean", "prints", "floods", "deep-answer", "vast-answer", "talks-after-bye",
    "fails-at-bye", "changes-its-hello", "missing-tool", "complains-a-lot", "out-of-order", "dribbles", "hoards", "odd-json",
    "leaves-a-child", "escapes-in-hello", "another-hello-later", "leading-zeros", "two-on-a-line", "drips", "leaves-the-pipe",
    "daemonizes", "child-talks-after-bye", "at-the-edge",
]  # fmt: skip


@pytest.fixture(scope="module")
def trials() -> dict[str, selftest.Trial]:
    return {trial.name: trial for trial in selftest.trials(CHOICE)}


@pytest.mark.parametrize("name", CHOICE)
def test_a_saboteur_gets_its_due(trials: dict[str, selftest.Trial], name: str) -> None:
    trial = trials[name]
    assert trial.exit == trial.due, selftest.row(trial)


def test_every_saboteur_has_its_due() -> None:
    assert set(CHOICE) < set(selftest.names())


@pytest.mark.parametrize("name", ["crashes-on-one", "hangs-on-one", "swallows-one"])
def test_one_case_is_charged_and_the_rest_go_on(trials: dict[str, selftest.Trial], name: str) -> None:
    verdicts = {case: result["verdict"] for case, result in trials[name].report.columns[name].results.items()}
    assert verdicts.pop("extract-json-object.basics.prose-4") in ("crash", "timeout")
    assert set(verdicts.values()) == {"pass"}


def test_a_crash_says_how_it_died(trials: dict[str, selftest.Trial]) -> None:
    result = trials["crashes-on-one"].report.columns["crashes-on-one"].results["extract-json-object.basics.prose-4"]
    assert result["signature"] == "crash:SIGSEGV"


def test_a_weakness_is_probed() -> None:
    probes = Probes(Host(integers="binary64", key_order="integers-first"))
    by_name = {case.id.rsplit(".", 1)[1]: case for case in probes.cases}
    probes.answered(by_name["integers"], {"outcome": "value", "value": [{"$i": "9007199254740993"}]}, b"")
    probes.answered(by_name["numbers"], {"outcome": "value", "value": [1]}, b"")
    keys = ["2", "10", "q", "b", "x", "m", "a", "z", "c"]
    probes.answered(by_name["key_order"], {"outcome": "value", "value": dict.fromkeys(keys, 0)}, b"")
    probes.answered(by_name["ill_formed"], {"outcome": "error", "code": "syntax"}, b"")
    pairs = [[key, 0] for key in ("q", "b", "10", "x", "2", "m", "a", "z", "c")]
    probes.answered(by_name["key_order"], {"outcome": "value", "value": {"$o": pairs}}, b"")
    assert [text.split(":")[0] for text in probes.overstated] == ["host.integers", "host.key_order"]
    assert [text.split(":")[0] for text in probes.hints] == ["host.numbers"]


def test_probes_are_asked_of_the_best_operation_offered() -> None:
    assert {case.operation for case in Probes(Host(), ["try_extract_json", "extract_json"]).cases} == {"extract_json"}
    assert Probes(Host(), ["search"]).cases == []
