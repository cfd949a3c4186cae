"""What a stranger may put in the runner's way beside answers: files of every shape. A clear exit code, and never a traceback."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from jsonscan_conformance.runner import run, selftest
from jsonscan_conformance.runner.drive import read_line
from jsonscan_conformance.runner.known import read_known
from jsonscan_conformance.runner.model import PACKAGE, Case
from jsonscan_conformance.runner.values import STRICT

Command = Callable[..., SimpleNamespace]
Make = Callable[[str], Path]
RECORD: dict[str, Any] = {
    "id": "json-parse.odd.one",
    "title": "one of its kind",
    "level": "must",
    "operation": "json_parse",
    "input": {"text": "7"},
    "expect": {"outcome": "value", "value": 7},
}
DEEP = '{"concat": [' * 480 + '"x"' + "]}" * 480


# A corpus


@pytest.fixture
def odd(corpus: Path) -> Path:
    """A file of cases beside the others; there is no manifest any more."""
    shutil.rmtree(corpus.parent / "dist")
    return corpus / "json-parse" / "odd.json"


@pytest.mark.parametrize(
    "members",
    [
        {"id": 7},
        {"id": ["json-parse.odd.one"]},
        {"id": "../../../etc/passwd"},
        {"id": "json-parse.odd.one\n"},
        {"title": "\u001b[2Jall cases pass"},
        {"why": ["a reason"]},
        {"level": "perhaps"},
        {"operation": "__class__"},
        {"input": "7"},
        {"input": {}},
        {"input": {"text": 7}},
        {"input": {"text": "7", "utf16": "0037"}},
        {"input": {"utf16": "003"}},
        {"input": {"build": {"repeat": ["x", 10**15]}}},
        {"input": {"build": {"repeat": [{"repeat": ["x", 10**7]}, 10**7]}}},
        {"input": {"build": {"repeat": 5}}},
        {"input": {"build": {"slice": ["x", "0", "1"]}}},
        {"input": {"build": "DEEP"}},
        {"options": [1]},
        {"expect": {}},
        {"expect": {"outcome": "value"}},
        {"expect": {"any_of": 5}},
        {"expect": {"any_of": [5]}},
        {"expect": {"outcome": "value", "value": {"$flat": [["*", ["["], 10**15]]}}},
        {"expect": {"outcome": "value", "value": {"$n": "1", "$b": 7}}},
        {"limits": {"deadline_ms": -1}},
        {"limits": {"deadline_ms": "x"}},
        {"needs": ["luck"]},
    ],
)
def test_a_case_that_means_nothing_is_exit_3(command: Command, adapter: Make, odd: Path, members: dict) -> None:
    odd.write_text(json.dumps({"cases": [{**RECORD, **members}]}).replace('"DEEP"', DEEP))
    done = command("run", adapter("honest"), "--id", "json-parse.*")
    assert done.code == 3
    assert "corpus invalid" in done.err
    assert "\u001b" not in done.err


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"cases": ' + "9" * 10_000 + "}",
        '{"cases": [1]}',
        '{"cases": {}}',
        '{"cases": [], "cases": []}',
        '{"cases": ["\\ud800"]}',
        "\u00e9",
        "",
    ],
)
def test_a_file_that_holds_no_cases_is_exit_3(command: Command, adapter: Make, odd: Path, text: str) -> None:
    odd.write_text(text, "utf-8")
    assert command("run", adapter("honest")).code == 3


def test_what_is_no_file_is_not_read(command: Command, adapter: Make, odd: Path) -> None:
    for make in (os.mkfifo, os.mkdir, lambda path: os.symlink("/dev/zero", path), lambda path: os.symlink(path, path)):
        make(odd)
        done = command("run", adapter("honest"))
        assert done.code == 3
        assert "odd.json" in done.err
        odd.rmdir() if odd.is_dir() else odd.unlink()


def test_the_corpus_of_the_package_needs_its_manifest(tmp_path: Path) -> None:
    for part in ("runner", "mutants", "saboteurs"):
        shutil.copytree(PACKAGE / part, tmp_path / "conformance" / part)
    shutil.copytree(selftest.PROGRAM.parent / "cases", tmp_path / "conformance" / "cases")
    for file in ("__init__.py", "__main__.py"):
        shutil.copy(PACKAGE / file, tmp_path / "conformance")
    words = [sys.executable, "-m", "conformance", "list"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 3
    assert "manifest.json: missing" in done.stderr


# An adapter's files


@pytest.mark.parametrize(
    "members",
    [
        {"name": "../../elsewhere"},
        {"name": ["x"]},
        {"command": "python adapter.py"},
        {"command": [1]},
        {"env": ["A=1"]},
        {"env": {"A": 1}},
        {"build": [["x", 1]]},
        {"kind": "friend"},
        {"operations": "json_parse"},
        {"setup": {"a": 1}},
        {"\u001b[2J": 1},
    ],
)
def test_an_adapter_json_of_another_shape_is_exit_2(command: Command, adapter: Make, members: dict) -> None:
    file = adapter("honest") / "adapter.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), **members}))
    done = command("run", file.parent)
    assert done.code == 2
    assert "adapter.json" in done.err
    assert "\u001b" not in done.err


def test_a_command_with_a_nul_does_not_start(command: Command, adapter: Make) -> None:
    file = adapter("honest") / "adapter.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "command": ["a\0b"]}))
    assert command("run", file.parent).code == 4


def test_known_failures_that_are_no_text_are_exit_2(command: Command, adapter: Make) -> None:
    here = adapter("honest")
    (here / "honest.known").write_bytes(b"\xff\xfe\n")
    assert command("run", here).code == 2


def test_an_adapter_cannot_excuse_itself_while_it_runs(command: Command, adapter: Make) -> None:
    here = adapter("wrong-on-one")
    assert command("run", here, "--update-known").code == 0
    excuse = (here / "wrong-on-one.known").rename(here / "excuse")
    program = f"cp {excuse} wrong-on-one.known; exec {sys.executable} {selftest.PROGRAM} wrong-on-one"
    file = here / "adapter.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "command": ["sh", "-c", program]}))
    assert command("run", here).code == 1


def test_an_outcome_cannot_write_a_line_of_known_failures(command: Command, adapter: Make) -> None:
    here = adapter("outcome-of-lines")
    assert command("run", here, "--update-known").code == 0
    assert list(read_known(here / "outcome-of-lines.known")) == ["extract-json-object.basics.prose-4"]


# A log, and what is kept in it


@pytest.mark.parametrize(
    "line",
    [
        b"nonsense",
        b"[1]",
        b'{"event":"case"}',
        b'{"event":"case","case":{}}',
        b"[" * 100_000,
        b'{"event":"done","adapter":"z"}',
    ],
)
def test_a_forged_log_is_refused(command: Command, adapter: Make, tmp_path: Path, line: bytes) -> None:
    log = tmp_path / "log"
    command("run", adapter("honest"), "--log", log)
    head, *lines, last = log.read_bytes().splitlines(keepends=True)
    body = b"".join([head, line + b"\n", *lines])
    footer = {**json.loads(last), "events": len(lines) + 2, "sha256": hashlib.sha256(body).hexdigest()}
    log.write_bytes(body + json.dumps(footer).encode() + b"\n")
    done = command("report", log, "--html", tmp_path / "page.html")
    assert done.code == 5


def test_a_large_answer_is_not_kept_whole() -> None:
    line = b'{"id":1,"outcome":"none","pad":"' + b"y" * 1_000_000 + b'"}'
    outcome = run.judge(Case({**RECORD}, ""), read_line(line), line, STRICT)
    assert outcome.verdict == "fail"
    assert len(json.dumps(outcome.answer)) < 2000


# The command itself


def test_sigterm_ends_the_adapters_too(adapter: Make, corpus: Path, tmp_path: Path) -> None:
    here = adapter("hangs-on-one")
    mark = tmp_path / "pid"
    program = f"echo $$ > {mark}; exec {sys.executable} {selftest.PROGRAM} hangs-on-one"
    file = here / "adapter.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "command": ["sh", "-c", program]}))
    call = "import sys; from jsonscan_conformance.runner.cli import main; sys.exit(main())"
    words = [sys.executable, "-c", call, "run", str(here), "--corpus", str(corpus)]
    runner = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while not mark.exists() or not mark.read_text().strip():
        time.sleep(0.05)
    runner.send_signal(signal.SIGTERM)
    _, complaint = runner.communicate(timeout=60)
    assert runner.returncode == 143
    assert b"Traceback" not in complaint
    with pytest.raises(ProcessLookupError):
        os.kill(int(mark.read_text()), 0)


def test_a_reader_that_goes_away_is_no_traceback(corpus: Path) -> None:
    call = "import sys; from jsonscan_conformance.runner.cli import main; sys.exit(main())"
    words = [sys.executable, "-c", call, "list", "--corpus", str(corpus)]
    out, sink = os.pipe()
    os.close(out)
    done = subprocess.run(words, stdout=sink, stderr=subprocess.PIPE, timeout=60)
    os.close(sink)
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr and b"Exception ignored" not in done.stderr
