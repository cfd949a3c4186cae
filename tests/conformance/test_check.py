"""``check``: each lint finds what it is for."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

Command = Callable[..., SimpleNamespace]
Edit = Callable[..., None]


def test_an_untouched_corpus_is_all_right(command: Command) -> None:
    assert command("check").code == 0


@pytest.mark.parametrize(
    ("slug", "members", "complaint"),
    [
        ("prose-0", {"title": "check that it works"}, "title"),
        ("prose-0", {"title": "found"}, "title"),
        ("prose-0", {"level": "most"}, "'most' is not one of"),
        ("prose-0", {"surprise": 1}, "surprise"),
        ("prose-0", {"id": "extract-json-object.other.prose-0"}, "must start with"),
        ("prose-0", {"operation": "json_parse"}, "live in json-parse"),
        ("prose-0", {"level": "host"}, "level host"),
        ("prose-0", {"expect": {"outcome": "null"}}, "outcome must be one of"),
        (
            "prose-0",
            {"expect": {"outcome": "found", "span": {"codepoints": [2, 4], "utf16": [2, 4], "utf8": [2, 4]}}},
            "units",
        ),
        (
            "prose-0",
            {
                "expect": {
                    "outcome": "found",
                    "text": "x",
                    "span": {"codepoints": [2, 4], "utf16": [2, 4], "utf8": [3, 5]},
                }
            },
            "not what the span cuts out",
        ),
        (
            "bare",
            {"expect": {"outcome": "found", "span": {"codepoints": [0, 7], "utf16": [0, 7], "utf8": [0, 7]}}},
            "must be unchanged",
        ),
        ("none", {"contrast": None}, "contrast"),
        ("none", {"contrast": "extract-json-object.basics.bare"}, "passes extract-json-object.basics.bare as well"),
        ("none", {"contrast": "json-parse.basics.integer"}, "same operation"),
        ("none", {"contrast": "extract-json-object.basics.nothing"}, "no other case"),
        ("float", {"expect": {"outcome": "value", "value": [{"$n": "1.5", "$b": "0" * 16}, 1]}}, "has not the bits"),
        (
            "float",
            {
                "input": {
                    "build": {"repeat": ["x", 3]},
                    "size": {"codepoints": 3, "utf16": 3, "utf8": 3},
                    "sha256": "0" * 64,
                }
            },
            "sha256",
        ),
        ("prose-1", {"input": {"text": '\u00e9 {"a":"}","n":0} {}'}}, "asks the same"),
        ("prose-0", {"rules": ["lower-1"]}, "does not match"),
        ("prose-0", {"waive": {"everything": "because I say so"}}, "everything"),
    ],
)
def test_each_lint_finds_what_it_is_for(
    command: Command, edit: Edit, corpus: Path, slug: str, members: dict[str, Any], complaint: str
) -> None:
    edit(slug, **members)
    (corpus.parent / "dist" / "manifest.json").unlink()
    done = command("check", "--write-manifest")
    assert done.code == 3
    assert complaint in done.err


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        (lambda raw: raw.replace(b"empty object", "empty \u00e9".encode()), "no ASCII"),
        (lambda raw: raw.replace(b'"level": "must"', b'"level": "must", "level": "must"', 1), "twice"),
        (lambda raw: raw.replace(b"an empty object is", b"a \\ud800 is"), "lone surrogate"),
        (lambda raw: raw.replace(b'"value": 7', b'"value": 7.0'), "no integer"),
        (lambda raw: raw.replace(b'"value": 7', b'"value": 9007199254740993'), "no plain integer"),
        (lambda raw: raw.replace(b'"value": 7', b'"value": -0'), "no plain integer"),
        (lambda raw: raw[:-10], "no JSON"),
        (lambda raw: raw.replace(b"  ", b" "), "canonical form"),
        (lambda raw: b"[]", 'no "cases" list'),
    ],
)
def test_a_file_that_is_no_case_file_is_refused(
    command: Command, corpus: Path, damage: Callable[[bytes], bytes], complaint: str
) -> None:
    path = corpus / "json-parse" / "basics.json"
    raw = path.read_bytes()
    path.write_bytes(damage(raw))
    assert path.read_bytes() != raw
    done = command("check")
    assert done.code == 3
    assert complaint in done.err


def test_fix_writes_canonical_form_and_the_facts_of_builds(command: Command, corpus: Path, edit: Edit) -> None:
    edit("float", input={"build": {"concat": ["[1.5,1.0", {"repeat": [" ", 9]}, "]"]}, "size": {}, "sha256": ""})
    path = corpus / "json-parse" / "basics.json"
    content = json.loads(path.read_text())
    path.write_text(json.dumps(content))
    assert command("check", "--fix", "--write-manifest").code == 0
    again = path.read_bytes()
    assert command("check", "--fix").code == 0
    assert path.read_bytes() == again
    (fixed,) = [record for record in json.loads(again)["cases"] if record["id"].endswith(".float")]
    assert fixed["input"]["size"] == {"codepoints": 18, "utf16": 18, "utf8": 18}


def test_one_id_for_two_cases_is_refused(command: Command, edit: Edit) -> None:
    edit("prose-1", id="extract-json-object.basics.prose-0")
    done = command("check")
    assert done.code == 3
    assert "is taken already" in done.err


def test_a_case_of_a_frozen_set_cannot_change(command: Command, corpus: Path, edit: Edit) -> None:
    sets = corpus.parent / "sets"
    sets.mkdir()
    (sets / "1.json").write_bytes((corpus.parent / "dist" / "manifest.json").read_bytes())
    edit("prose-0", why="another reason than before")
    done = command("check", "--write-manifest")
    assert done.code == 3
    assert "sets/1.json" in done.err


def test_what_doing_nothing_scores_may_only_fall(command: Command, corpus: Path) -> None:
    assert command("check", "--write-manifest").code == 0
    floors = corpus.parent / "dist" / "floors.json"
    lower = {**json.loads(floors.read_text()), "identity": 1}
    floors.write_text(json.dumps(lower))
    done = command("check")
    assert done.code == 3
    assert "floors.json: identity passes 64 of 1000 core cases now, it was 1" in done.err
