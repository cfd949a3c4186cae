"""Other libraries: what they are held to, and that their versions are named once."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from jsonscan_conformance.peers import field
from jsonscan_conformance.runner import peers
from jsonscan_conformance.runner.model import PACKAGE, Case
from jsonscan_conformance.runner.run import judge
from jsonscan_conformance.runner.values import STRICT

ROOT = Path(__file__).resolve().parents[2]
MATCH = {"span": {}, "source": "prose", "complete": True, "repairs": ["trailing-comma"], "value": {"a": 1}}


def case(**members) -> Case:
    record = {"id": "search.a.b", "operation": "search", "level": "must", "input": {"text": 'x {"a": 1,}'}}
    return Case({**record, "expect": {"outcome": "found", **MATCH}, **members}, "search/a.json")


def verdict(one: Case, answer: dict) -> str:
    return judge(one, answer, b"", STRICT, peer=True).verdict


def test_a_search_is_compared_by_its_value_alone():
    assert verdict(case(), {"outcome": "found", "value": {"a": 1}}) == "pass"
    assert verdict(case(), {"outcome": "found", "value": {"a": 2}}) == "fail"
    assert verdict(case(), {"outcome": "none"}) == "fail"
    assert judge(case(), {"outcome": "found", "value": {"a": 1}}, b"", STRICT).verdict == "fail"


@pytest.mark.parametrize("expect", [{"outcome": "none"}, {"outcome": "error", "code": "ambiguous"}])
def test_none_meets_every_kind_of_refusal(expect):
    assert verdict(case(expect=expect), {"outcome": "none"}) == "pass"
    assert verdict(case(expect=expect), {"outcome": "found", "value": None}) == "fail"


@pytest.mark.parametrize("members", [{"level": "should"}, {"options": {"select": "last"}}, {"rules": ["SEL-2"]}])
def test_another_answer_is_disputed_where_the_rules_are_a_choice(members):
    assert verdict(case(**members), {"outcome": "none"}) == "disputed"
    assert judge(case(**members), {"outcome": "none"}, b"", STRICT).verdict == "fail"


def test_the_choices_are_rules():
    text = (PACKAGE / "RULES.md").read_text("utf-8") + (PACKAGE / "REPAIR.md").read_text("utf-8")
    assert {"SEL-1", "SEL-2"} <= peers.choices() <= set(re.findall(r"\*\*([A-Z]+-\d+)\*\*", text))


def test_a_peer_that_differs_fails_no_run(tmp_path):
    from jsonscan_conformance.runner.cli import main

    (tmp_path / "cases" / "search").mkdir(parents=True)
    content = {"cases": [{**case().record, "title": "a title", "why": "a reason", "source": {"kind": "written"}}]}
    content["cases"][0]["expect"] = {"outcome": "none"}
    (tmp_path / "cases" / "search" / "a.json").write_text(json.dumps(content), "ascii")
    adapter = {"name": "twin", "setup": "None.", "operations": ["search"]}
    adapter["command"] = ["{python}", "{package}/runner/nulls.py", "identity"]
    codes = []
    for kind in ("peer", "port"):
        (tmp_path / "adapter.json").write_text(json.dumps({**adapter, "kind": kind}), "ascii")
        arguments = ["run", "--no-progress", "--corpus", str(tmp_path / "cases"), str(tmp_path)]
        codes.append(main(arguments))
    assert codes == [0, 1]


def test_versions_are_those_of_the_extra():
    if sys.version_info < (3, 11):
        import tomli as tomllib
    else:
        import tomllib
    extra = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]["peers"]
    files = [path.read_text("ascii").strip() for path in sorted((PACKAGE / "peers").glob("*/requirements.txt"))]
    assert len(files) == 10
    assert sorted(files) == sorted(extra)
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", line) for line in files)


def test_npm_versions_are_exact():
    package = json.loads((PACKAGE / "peers" / "node" / "package.json").read_text("ascii"))
    lock = json.loads((PACKAGE / "peers" / "node" / "package-lock.json").read_text("ascii"))
    for name, version in package["dependencies"].items():
        assert lock["packages"][f"node_modules/{name}"]["version"] == version


@pytest.mark.parametrize(
    ("intended", "got", "expected"),
    [
        ({"a": 1, "b": 2}, [{"b": {"$f": "4000000000000000"}, "a": 1}], "right"),
        ({"a": 1}, [{"a": True}], "wrong"),
        ([1], [[1, 2]], "wrong"),
        ({"a": 1}, field.REFUSED, "refused"),
        ({"error": "cut"}, field.REFUSED, "right"),
        ({"error": "cut"}, [{"error": "cut"}], "wrong"),
        (None, [None], "right"),
        (None, field.REFUSED, "refused"),
    ],
)
def test_field_verdicts(intended, got, expected):
    assert field.verdict({"intended": intended}, got) == expected
