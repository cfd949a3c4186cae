"""``run`` and ``report``: exit codes, accounts, known failures, renderings."""

from __future__ import annotations

import datetime
import json
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest
from jsonscan_conformance.runner import cli, known
from jsonscan_conformance.runner.log import Report, read_log

Command = Callable[..., SimpleNamespace]
Edit = Callable[..., None]
Make = Callable[[str], Path]
VICTIM = "extract-json-object.basics.prose-4"


def test_an_honest_adapter_is_green(command: Command, adapter: Make) -> None:
    done = command("run", adapter("honest"))
    assert done.code == 0
    assert "as expected" in done.out


def test_a_failure_says_what_was_expected_and_how_to_repeat_it(command: Command, adapter: Make) -> None:
    here = adapter("wrong-on-one")
    done = command("run", here)
    assert done.code == 1
    assert "they part at 15" in done.out
    (repeat,) = [line.split("repeat:")[1] for line in done.out.splitlines() if "repeat:" in line]
    words = shlex.split(repeat)
    assert words[-3:] == [str(here), "--id", VICTIM]
    assert cli.main(words[words.index("run") :]) == 1
    assert command("run", here, "--id", VICTIM).code == 1
    assert command("run", here, "--id", "extract-json-object.basics.prose-3").code == 0


def test_an_edited_case_is_exit_3(command: Command, adapter: Make, edit: Edit) -> None:
    edit("integer", expect={"outcome": "value", "value": [1, 2, 30]})
    done = command("run", adapter("honest"))
    assert done.code == 3
    assert "json-parse.basics.integer: changed since" in done.err


def test_a_deleted_case_is_exit_3(command: Command, adapter: Make, corpus: Path) -> None:
    path = corpus / "json-parse" / "basics.json"
    content = json.loads(path.read_text())
    del content["cases"][0]
    path.write_text(json.dumps(content))
    done = command("run", adapter("honest"))
    assert done.code == 3
    assert "no longer in the corpus" in done.err


def test_an_emptied_directory_is_exit_3(command: Command, adapter: Make, corpus: Path) -> None:
    shutil.rmtree(corpus)
    corpus.mkdir()
    done = command("run", adapter("honest"))
    assert done.code == 3
    assert "cases: no cases" in done.err


def test_an_emptied_directory_of_an_operation_is_told_from_deleted_cases(
    command: Command, adapter: Make, corpus: Path
) -> None:
    shutil.rmtree(corpus / "json-parse")
    done = command("run", adapter("honest"))
    assert done.code == 3
    assert "json-parse: the directory has no cases; " in done.err
    assert "no longer in the corpus" not in done.err


def test_no_case_selected_is_no_success(command: Command, adapter: Make) -> None:
    assert command("run", adapter("honest"), "--level", "host").code == 5
    assert command("run", adapter("honest"), "--id", "json-parse.nothing").code == 2


def test_an_adapter_whose_tool_is_missing_names_the_install_step(command: Command, adapter: Make) -> None:
    here = adapter("honest")
    content = json.loads((here / "adapter.json").read_text())
    (here / "adapter.json").write_text(json.dumps({**content, "command": ["no-such-tool"], "setup": "apt install it"}))
    done = command("run", here)
    assert done.code == 4
    assert "cannot run no-such-tool" in done.out
    assert "apt install it" in done.out


def test_an_adapter_is_built_before_it_is_started(command: Command, adapter: Make) -> None:
    here = adapter("honest")
    content = json.loads((here / "adapter.json").read_text())
    build = [["{python}", "-c", "import shutil, sys; shutil.copy(*sys.argv[1:])", content["command"][1], "built.py"]]
    content["command"][1] = "built.py"
    (here / "adapter.json").write_text(json.dumps({**content, "build": build}))
    done = command("run", here)
    assert done.code == 0, done.out


def test_a_build_step_that_fails_is_named(command: Command, adapter: Make) -> None:
    here = adapter("honest")
    content = json.loads((here / "adapter.json").read_text())
    build = [["{python}", "-c", "import sys; sys.exit('no such compiler')"]]
    (here / "adapter.json").write_text(json.dumps({**content, "build": build}))
    done = command("run", here)
    assert done.code == 4
    assert "the build step" in done.out and "failed with status 1" in done.out
    assert "no such compiler" in done.out and "set-up: Nothing to install." in done.out


def test_an_unknown_adapter_is_a_usage_error(command: Command) -> None:
    done = command("run", "nobody")
    assert done.code == 2
    assert "no adapter 'nobody'" in done.err


def test_operations_that_are_not_offered_are_not_run_and_never_green(
    command: Command, adapter: Make, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    assert command("run", adapter("drops-operations"), "--log", log).code == 5
    column = Report.of(read_log(log)).columns["drops-operations"]
    assert column.counts == {"pass": 19, "not-run": 12}


# The log


@pytest.fixture
def log(command: Command, adapter: Make, tmp_path: Path) -> Path:
    path = tmp_path / "run.ndjson"
    command("run", adapter("wrong-on-one"), "--log", path)
    return path


def test_a_log_is_rendered_again_with_the_exit_code_of_its_run(command: Command, log: Path) -> None:
    done = command("report", log)
    assert done.code == 1
    assert VICTIM in done.out


def test_every_case_has_one_result(log: Path) -> None:
    events = read_log(log)
    cases = [event["case"]["id"] for event in events if event["event"] == "case"]
    assert [event["id"] for event in events if event["event"] == "result"] == cases
    assert events[-1]["counts"] == {"wrong-on-one": {"pass": 30, "fail": 1}}
    assert json.loads(log.read_bytes().splitlines()[0])["selection"]["cases"] == len(cases)


def _without_a_result(lines: list[bytes]) -> list[bytes]:
    at = next(at for at, line in enumerate(lines) if b'"event":"result"' in line)
    return lines[:at] + lines[at + 1 :]


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        (lambda lines: lines[:-1], "cut short"),
        (lambda lines: lines[:-5], "cut short"),
        (lambda lines: [*lines[:-1], lines[-1][:-9]], "cut short"),
        (lambda lines: [line.replace(b'"fail"', b'"pass"') for line in lines], "edited"),
        (_without_a_result, "edited"),
        (lambda lines: [*lines, b'{"event":"result"}\n'], "cut short"),
        (lambda lines: [], "empty"),
        (lambda lines: [b"nonsense\n"], "cut short"),
    ],
)
def test_a_damaged_log_is_refused(
    command: Command, log: Path, damage: Callable[[list[bytes]], list[bytes]], complaint: str
) -> None:
    log.write_bytes(b"".join(damage(log.read_bytes().splitlines(keepends=True))))
    done = command("report", log)
    assert done.code == 5
    assert complaint in done.err


def test_a_log_whose_results_do_not_add_up_is_refused_though_its_hash_is_right(command: Command, log: Path) -> None:
    import hashlib

    lines = _without_a_result(log.read_bytes().splitlines(keepends=True))
    footer = {**json.loads(lines[-1]), "sha256": hashlib.sha256(b"".join(lines[:-1])).hexdigest()}
    log.write_bytes(b"".join(lines[:-1]) + json.dumps(footer).encode() + b"\n")
    done = command("report", log)
    assert done.code == 5
    assert "do not add up" in done.err


def test_the_log_keeps_to_its_schema(log: Path) -> None:
    from jsonscan_conformance.runner.lint import validator

    check = validator("report")
    assert [error.message for event in read_log(log) for error in check.iter_errors(event)] == []


def test_a_red_case_is_shown_with_what_a_port_needs(command: Command, adapter: Make, edit: Edit, corpus: Path) -> None:
    shutil.rmtree(corpus.parent / "dist")
    edit("integer", rules=["PARSE-3", "PARSE-6"], expect={"outcome": "value", "value": [1]})
    shown = command("run", adapter("honest")).out.split("json-parse.basics.integer\n")[1].splitlines()
    assert [line.split(":")[0].strip() for line in shown[1:7]] == ["value", "input", "expected", "got", "rules", "catches"]
    assert shown[1].strip().startswith("value: at $[1]: expected the array's end, got integer -2")
    assert shown[3].split() == ["expected:", "value", "[1]"]
    assert shown[5].split() == ["rules:", "PARSE-3,", "PARSE-6"]


# Known failures


def entry_of(log: Path) -> tuple[str, str]:
    (result,) = [event for event in read_log(log) if event["event"] == "result" and event["verdict"] == "fail"]
    return result["id"], result["signature"]


def list_known(here: Path, *lines: str) -> None:
    (here / f"{here_name(here)}.known").write_text("".join(f"{line}\n" for line in lines))


def here_name(here: Path) -> str:
    return json.loads((here / "adapter.json").read_text())["name"]


@pytest.mark.parametrize(
    ("line", "code", "says"),
    [
        ("{id}  {signature}  # tracker 7  until=2999-01-01", 0, "as expected"),
        (
            "{id}  found:0123456789  # tracker 7  until=2999-01-01",
            1,
            "listed as known, but with the signature found:0123456789",
        ),
        ("{id}  {signature}  # tracker 7  until=2020-01-01", 6, "expired on 2020-01-01"),
        ("{id}x  {signature}  # tracker 7  until=2999-01-01", 1, "no such case"),
        ("{id}  {signature}  until=2999-01-01", 2, "no `id"),
        ("{id}  {signature}  # tracker 7", 2, "no `id"),
        ("{id}  {signature}  # tracker 7  until=2999-02-30", 2, "no `id"),
    ],
)
def test_known_failures(command: Command, adapter: Make, log: Path, line: str, code: int, says: str) -> None:
    here = adapter("wrong-on-one")
    name, signature = entry_of(log)
    list_known(here, line.format(id=name, signature=signature))
    done = command("run", here)
    assert done.code == code
    assert says in done.out + done.err


def test_an_entry_that_passes_is_stale(command: Command, adapter: Make) -> None:
    here = adapter("honest")
    list_known(here, f"{VICTIM}  found:0123456789  # tracker 7  until=2999-01-01")
    done = command("run", here)
    assert done.code == 6
    assert "passes now" in done.out


def test_an_entry_listed_twice_is_refused(command: Command, adapter: Make) -> None:
    here = adapter("honest")
    list_known(here, *[f"{VICTIM}  found:0123456789  # tracker 7  until=2999-01-01"] * 2)
    assert command("run", here).code == 2


def test_update_known_lists_what_fails_and_drops_what_does_not(command: Command, adapter: Make) -> None:
    here = adapter("wrong-on-one")
    list_known(here, "json-parse.basics.integer  value:0123456789  # tracker 7  until=2999-01-01")
    assert command("run", here, "--update-known").code == 0
    (entry,) = known.read_known(here / "wrong-on-one.known").values()
    assert entry.id == VICTIM
    assert entry.until > datetime.date.today()
    assert command("run", here).code == 0


def test_faults_cannot_be_listed(command: Command, adapter: Make) -> None:
    assert command("run", adapter("prints"), "--update-known").code == 5


# Renderings


def test_junit_counts_what_the_log_counts(command: Command, log: Path, tmp_path: Path) -> None:
    command("report", log, "--junit", tmp_path / "junit.xml")
    suite = ElementTree.parse(tmp_path / "junit.xml").getroot()[0]
    assert suite.attrib == {"name": "wrong-on-one", "tests": "31", "failures": "1", "errors": "0", "skipped": "0"}
    assert [case.attrib["name"] for case in suite if case.find("failure") is not None] == [VICTIM]


def test_markdown_and_badge_show_the_failure(command: Command, log: Path, tmp_path: Path) -> None:
    command("report", log, "--markdown", tmp_path / "report.md", "--badge", tmp_path / "badge.svg")
    assert f"`{VICTIM}`" in (tmp_path / "report.md").read_text()
    badge = (tmp_path / "badge.svg").read_text()
    ElementTree.fromstring(badge)
    assert "30/31 must" in badge
    assert "#cf222e" in badge


def test_hostile_answers_do_not_break_a_rendering(
    command: Command, adapter: Make, tmp_path: Path, edit: Edit, corpus: Path
) -> None:
    shutil.rmtree(corpus.parent / "dist")
    hostile = '`|<b>&\u0000]]>\u001b[31m {"a":1}'
    edit("prose-4", input={"text": hostile}, expect={"outcome": "unchanged"})
    done = command("run", adapter("honest"), "--junit", tmp_path / "j.xml", "--markdown", tmp_path / "m.md")
    assert done.code == 1
    assert "\u001b" not in done.out
    ElementTree.parse(tmp_path / "j.xml")


def test_the_floors_stand_in_the_report(log: Path) -> None:
    floors: dict[str, Any] = Report.of(read_log(log)).floors
    assert {name: len(passed) for name, passed in floors.items()} == {
        "identity": 2,
        "always-none": 0,
        "always-error": 5,
    }


def test_list_and_show(command: Command) -> None:
    listed = command("list", "--id", "json-parse")
    assert listed.code == 0
    assert len(listed.out.splitlines()) == 19
    shown = command("show", VICTIM)
    assert "an object is cut out of the prose around it" in shown.out
    request = json.loads(command("show", VICTIM, "--request").out)
    assert request["op"] == "extract_json_object"
    assert command("show", "nothing.at.all").code == 2
