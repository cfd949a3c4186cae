"""The recorder of core expectations, without the originals and without Node; and the vocabulary of `kills`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from jsonscan_conformance.recorder import __main__ as command
from jsonscan_conformance.recorder import originals, reader, tagged
from jsonscan_conformance.recorder.record import Doubtful, expectation
from jsonscan_conformance.runner.model import PACKAGE, Case, load_corpus
from jsonscan_conformance.runner.values import read_events


def case(operation: str, text: str, **more: object) -> Case:
    record = {"id": f"x.y.{operation}", "operation": operation, "input": {"text": text}, **more}
    return Case(record, "x/y.json")


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("[1, -2, 9007199254740991]", [1, -2, 9007199254740991]),
        ("9007199254740992", {"$n": "9007199254740992", "$b": "4340000000000000"}),
        ("[1.50,-0,1e400]", [{"$n": "1.50", "$b": "3ff8000000000000"}, {"$n": "-0", "$b": "8000000000000000"},
                             {"$n": "1e400", "$b": "7ff0000000000000"}]),
        ('{"b":1,"a":{},"b":[ ]}', {"b": [], "a": {}}),
        ('{"$x":1,"a":2}', {"$o": [["$x", 1], ["a", 2]]}),
        ('{"\\ud800":"\\ud83d\\ude00"}', {"$o": [[{"$u16": "d800"}, "\U0001f600"]]}),
        ('["\\ud83d\ude00","\ud83d\\ude00"]', ["\U0001f600", "\U0001f600"]),
        ('"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041"', '"\\/\b\f\n\r\tA'),
        (" [true , false,null]\r\n", [True, False, None]),
    ],
)  # fmt: skip
def test_a_text_is_written_in_the_corpus_form(text: str, form: object) -> None:
    written = tagged.write(reader.read(text))
    assert json.dumps(written) == json.dumps(form)


@pytest.mark.parametrize(
    "text",
    ["", "[", "[1", "[1,]", "[,1]", "[1 2]", "[1}", "{]", "{a:1}", '{"a"}', '{"a":}', '{"a":1,}', "01", "1.", ".5", "+1", "1e", "NaN",
     "tru", "1 2", '"\t"', '"\\x41"', '"\\u00g0"', '"a', "\u00a01", "\ufeff1", "'a'", "[1]]", "\u0661"],
)  # fmt: skip
def test_what_is_no_strict_json_is_refused(text: str) -> None:
    with pytest.raises(reader.NotJSON):
        reader.read(text)


def test_deep_values_are_folded_and_mean_the_same() -> None:
    text = "[" * 300 + "0" + "]" * 300
    written = tagged.write(reader.read(text))
    assert written == {"$flat": [["*", ["["], 300], ["v", 0], ["*", ["]"], 300]]}
    assert len(read_events(written, corpus=True)) == 601
    assert tagged.write(reader.read("[" * 200 + "]" * 200)) != {"$flat": [["*", ["["], 200], ["*", ["]"], 200]]}
    keys = tagged.write(reader.read('{"k":' * 250 + "1" + "}" * 250))
    assert keys == {"$flat": [["*", ["{", ["k", "k"]], 250], ["v", 1], ["*", ["}"], 250]]}


def test_a_found_text_has_its_first_place_in_three_units() -> None:
    recorded = expectation(case("extract_json_object", "\U0001f600\u00e9 {} {}"), {"outcome": "found", "text": "{}"})
    assert recorded == {
        "outcome": "found",
        "text": "{}",
        "span": {"codepoints": [3, 5], "utf16": [4, 6], "utf8": [7, 9]},
    }


@pytest.mark.parametrize(
    ("operation", "text", "answer"),
    [
        ("json_parse", "1.5", {"outcome": "value", "value": {"$f": "3ff8000000000001"}, "parsed": "1.5"}),
        ("json_parse", "[1,2]", {"outcome": "value", "value": [2, 1], "parsed": "[1,2]"}),
        ("json_parse", "[1,]", {"outcome": "value", "value": [1], "parsed": "[1,]"}),
        ("json_parse", "[1]", {"outcome": "error", "code": "syntax"}),
        ("extract_json_object", "x {} y", {"outcome": "found", "text": "{ }"}),
        ("extract_json", "abc", {"outcome": "error", "code": "no-json", "preview": "abd"}),
    ],
)
def test_an_answer_that_the_recorder_reads_otherwise_is_doubtful(operation: str, text: str, answer: dict) -> None:
    with pytest.raises(Doubtful):
        expectation(case(operation, text), answer)


def test_member_order_comes_from_the_text() -> None:
    answer = {"outcome": "value", "value": {"1": 0, "b": 0}, "parsed": '{"b":0,"1":0}'}
    assert json.dumps(expectation(case("json_parse", '{"b":0,"1":0}'), answer)["value"]) == '{"b": 0, "1": 0}'


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A corpus of one case without expectation, and originals that answer 7."""
    record = {"id": "json-parse.t.x", "title": "t", "level": "must", "operation": "json_parse", "input": {"text": "7"}}
    (tmp_path / "t.json").write_text(json.dumps({"cases": [record]}))
    monkeypatch.setattr(originals, "directory", lambda: tmp_path)
    monkeypatch.setattr(originals, "node", lambda: "node")
    monkeypatch.setattr(originals, "answers", lambda *_: [{"outcome": "value", "value": 7, "parsed": "7"}])
    return tmp_path


def test_recording_fills_in_and_checking_compares(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = corpus / "t.json"
    assert command.main(["--check", "--corpus", str(corpus)]) == 1
    assert "json-parse.t.x" in capsys.readouterr().out
    assert command.main(["--corpus", str(corpus)]) == 0
    assert json.loads(file.read_text())["cases"][0]["expect"] == {"outcome": "value", "value": 7}
    assert command.main(["--check", "--corpus", str(corpus)]) == 0
    file.write_text(file.read_text().replace('"value": 7', '"value": 8'))
    before = file.read_text()
    assert command.main(["--check", "--corpus", str(corpus)]) == 1
    assert command.main(["--corpus", str(corpus)]) == 1
    assert file.read_text() == before


def test_absent_originals_and_an_empty_corpus_are_errors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("JSONSCAN_ORIGINALS", raising=False)
    assert command.main(["--check"]) == 2
    assert "JSONSCAN_ORIGINALS" in capsys.readouterr().err
    monkeypatch.setenv("JSONSCAN_ORIGINALS", str(tmp_path))
    assert command.main(["--check"]) == 2
    assert "no json.ts and no jsonCleaner.ts" in capsys.readouterr().err
    monkeypatch.setattr(originals, "directory", lambda: tmp_path)
    assert command.main(["--check", "--corpus", str(tmp_path)]) == 2
    assert "no case" in capsys.readouterr().err


def test_every_mistake_has_an_entry_and_two_cases() -> None:
    entries = re.findall(r"^\| `([^`]+)`", (PACKAGE / "mutants" / "NAMES.md").read_text("ascii"), re.MULTILINE)
    patterns = {name: re.compile(name.replace("XXXX", "[0-9a-f]{4}").replace("TAG", "[a-z0-9]+")) for name in entries}
    named: dict[str, int] = {}
    for one in load_corpus(PACKAGE / "cases").cases:
        for mistake in one.record.get("kills", []) if one.level != "should" else ():
            named[mistake] = named.get(mistake, 0) + 1
    assert len(entries) == len(patterns)
    assert [mistake for mistake in named if not any(entry.fullmatch(mistake) for entry in patterns.values())] == []
    assert [entry for entry, wanted in patterns.items() if not any(map(wanted.fullmatch, named))] == []
    assert {mistake: count for mistake, count in named.items() if count < 2} == {}
