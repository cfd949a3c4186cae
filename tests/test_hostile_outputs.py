"""Lone surrogates and what steers a terminal, through everything that prints: no crash, nothing replaced, nothing unescaped."""

from __future__ import annotations

import json
import pathlib
import unicodedata
from collections.abc import Callable
from types import ModuleType

import pytest
from commands import Done, maker, runner

STEER = "\x1b]0;x\x07\x9b31m\u202e"
# Read, mended, refused; with surrogates in names, values and what is mended.
TEXTS = {
    "strict": r'Text {"a\ud800": ["\udc00", "\ud83d\u001b[2J"], "__proto__": {"\udfff": 1}} ',
    "damaged": r"""Text {'a\ud800': "\udc00", b: "\u001b", "c": [True,]} """,
    "cut": r'Text {"a\ud800": ["\udc00", "\ud83d',
    "refused": r'{"a\ud800": "\udc00" "\ud83d\u001b" \x}',
}
LINES = {name: json.dumps({"response": text + "\ud800 " + STEER}) + "\n" for name, text in TEXTS.items()}
VERBS = [
    ("extract",), ("extract", "-c", "--truncated", "keep"), ("extract", "--lines", "--field", "response"),
    ("find",), ("find", "--format", "jsonl"), ("find", "--format", "github"), ("repair", "--truncated", "keep"),
    ("check",), ("check", "--format", "github"), ("stream",),
    ("batch",), ("batch", "--truncated", "keep", "--errors", "keep"), ("batch", "--errors", "fail"),
]  # fmt: skip


@pytest.fixture
def run(module, monkeypatch) -> Callable[..., Done]:
    return runner(module, monkeypatch)


def unescaped(text: str) -> set[str]:
    """The characters that no line of output may have."""
    return {char for char in text if unicodedata.category(char) in ("Cc", "Cf", "Cs") or char == "\ufffd"} - {"\n"}


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_every_verb(run: Callable[..., Done], tmp_path: pathlib.Path, verb: tuple[str, ...], text: str):
    lines = verb[0] == "batch" or "--lines" in verb
    file = maker(tmp_path, "in.jsonl" if lines else "in.txt")
    done = run(*verb, file(LINES[text] if lines else TEXTS[text] + STEER))
    assert done.status in (0, 1, 2)
    assert not unescaped(done.err)
    if verb[0] != "batch":
        assert not unescaped(done.out.decode())
    else:  # the row stays as it was given; what is put behind it is JSON
        for line in done.out.splitlines():
            row = json.loads(line)
            assert row["response"] == json.loads(LINES[text])["response"]
            assert row["json"] is None or row["json"] == row["response"] or isinstance(json.loads(row["json"]), dict)


@pytest.mark.parametrize("text", TEXTS)
def test_errors_and_matches(js: ModuleType, text: str):
    """What the library itself would print."""
    raw = TEXTS[text] + "\ud83d" + STEER
    said = [repr(match) for match in js.finditer(raw, truncated="keep", fragments=True)]
    for way in (js.loads, js.fullmatch, js.repair):
        try:
            way(raw, repair="off")
        except js.JSONScanError as error:
            said += [str(error), error.hint()]
    assert said
    for each in said:
        assert not unescaped(each)
        each.encode()
