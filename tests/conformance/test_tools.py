"""``diff``, ``adapter init`` and ``doctor``, ``new``, ``export``, ``selftest`` and the pytest plugin."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from jsonscan_conformance.runner import adapters, cli, diff, doctor, lint, nulls, scaffold, selftest
from jsonscan_conformance.runner.generate import Inputs
from jsonscan_conformance.runner.log import BESIDE, MEANING
from jsonscan_conformance.runner.model import PACKAGE, Case, canonical_file, load_corpus
from jsonscan_conformance.runner.operations import lint_expectation
from jsonscan_conformance.runner.values import Host

pytest_plugins = ["pytester"]

Command = Callable[..., SimpleNamespace]
Make = Callable[[str], Path]


# diff


@pytest.fixture
def pair(adapter: Make, tmp_path: Path) -> Callable[[str], tuple[Path, Path]]:
    """The honest adapter and a saboteur."""

    def make(name: str) -> tuple[Path, Path]:
        other = shutil.copytree(adapter(name), tmp_path / "other")
        return adapter("honest"), other

    return make


def test_an_adapter_does_not_differ_from_itself(command: Command, pair: Callable[[str], tuple[Path, Path]]) -> None:
    done = command("diff", *pair("out-of-order"), "--inputs", 400)
    assert (done.code, done.out) == (0, "no difference found\n")


@pytest.mark.parametrize(
    ("saboteur", "says"),
    [("accepts-everything", '"null"'), ("loses-order", "value"), ("crashes-on-one", "crash: SIGSEGV")],
)
def test_a_difference_is_shortened_and_printed_as_a_case(
    command: Command, pair: Callable[[str], tuple[Path, Path]], saboteur: str, says: str
) -> None:
    done = command("diff", *pair(saboteur), "--inputs", 0)
    assert done.code == 1
    assert says.strip('"') in done.out
    case = json.loads("{" + done.out.split("    {\n", 1)[1].split("\n    }")[0] + "}")
    assert len(case["input"]["text"]) < 40
    assert lint_expectation(Case(case, "")) == []


def test_a_difference_that_only_made_up_inputs_show_is_found(
    command: Command, pair: Callable[[str], tuple[Path, Path]]
) -> None:
    one, other = pair("honest")
    source = (other.parent / "blind.py").resolve()
    source.write_text(
        selftest.PROGRAM.read_text("utf-8").replace('if char == "{"', 'if char == "{" and text[at - 1] != "`"')
    )
    spec = json.loads((other / "adapter.json").read_text())
    (other / "adapter.json").write_text(
        json.dumps({**spec, "name": "blind", "command": ["{python}", str(source), "honest"]})
    )
    done = command("diff", one, other, "--inputs", 4000, "--operation", "extract_json_object")
    assert done.code == 1
    assert "made up, seed 0" in done.out
    assert 'input: "`{}"' in done.out


def test_made_up_inputs_repeat_with_their_seed() -> None:
    one, again, other = (list(itertools.islice(Inputs(seed, ["{}"]), 50)) for seed in (1, 1, 2))
    assert one == again != other


def test_answers_of_different_hosts_are_compared_as_far_as_both_can_say() -> None:
    one, other = Host(), Host("utf16", "kept", "binary64", "untyped", "integers-first")
    both = diff.weaker(one, other)
    assert both == Host("codepoints", "kept", "binary64", "untyped", "integers-first")
    exact = diff.Said({"outcome": "value", "value": {"b": {"$i": "9007199254740993"}, "1": 1}}, "")
    double = diff.Said(
        {"outcome": "value", "value": {"1": {"$f": "3ff0000000000000"}, "b": {"$f": "4340000000000000"}}}, ""
    )
    assert diff.comparable(exact, "", one, both) == diff.comparable(double, "", other, both)


LOSSY = """
def lossy(pairs):
    return {LONE_SURROGATE.sub("\\ufffd", name): lossy_string(item) for name, item in pairs}


def lossy_string(value):
    if isinstance(value, list):
        return [lossy_string(item) for item in value]
    return LONE_SURROGATE.sub("\\ufffd", value) if isinstance(value, str) else value


def json_parse(text):
    return lossy_string(json.loads(text, object_pairs_hook=lossy))
"""


@pytest.fixture
def lossy(command: Command, tmp_path: Path) -> Path:
    """A port from the skeleton, right but for lone surrogates, which its host loses."""
    here = tmp_path / "lossy"
    command("adapter", "init", "python", here)
    program = (here / "adapter.py").read_text("utf-8").replace('"ill_formed": "kept"', '"ill_formed": "lost"')
    (here / "adapter.py").write_text(program.replace("# The protocol. N", LOSSY + "\n\n# The protocol. N"), "utf-8")
    return here


NAMES = '["\u00e9",{"\\ud800":1,"\\ud801":2},{"a":1}]'
NAMES_READ = ["\u00e9", {"$o": [[{"$u16": "d800"}, 1], [{"$u16": "d801"}, 2]]}, {"a": 1}]


@pytest.fixture
def names(tmp_path: Path) -> Path:
    """A corpus of two cases: names that only lone surrogates tell apart, and a lone surrogate elsewhere."""
    root = tmp_path / "names" / "cases"
    texts = {"twice": (NAMES, NAMES_READ), "once": ('["\\ud800"]', [{"$u16": "d800"}])}
    for slug, (text, value) in texts.items():
        path = scaffold.new(root, "json_parse", "names", slug, text)
        content = json.loads(path.read_text())
        content["cases"][-1] |= {"title": slug, "why": slug, "expect": {"outcome": "value", "value": value}}
        path.write_text(canonical_file(content))
    return root


def test_names_that_a_host_cannot_tell_apart_are_not_asked_of_it(
    names: Path, lossy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["run", str(lossy), "--corpus", str(names)]) == 0
    assert "weakened by its host: ill_formed 2" in capsys.readouterr().out


def test_names_that_a_host_cannot_tell_apart_are_no_difference(
    names: Path, lossy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    diff = ["diff", "jsonscan-pure", str(lossy), "--operation", "json_parse", "--inputs", "0", "--corpus", str(names)]
    assert cli.main(diff) == 0, capsys.readouterr().out


# adapter init and doctor


@pytest.mark.parametrize("language", scaffold.LANGUAGES)
def test_every_skeleton_is_whole(command: Command, tmp_path: Path, language: str) -> None:
    here = tmp_path / "My Port"
    assert command("adapter", "init", language, here).code == 0
    spec = adapters.load_spec(here)
    assert spec.name == "my-port"
    assert [
        error.message
        for error in lint.validator("adapter").iter_errors(json.loads((here / "adapter.json").read_text()))
    ] == []
    assert not any("NAME" in path.read_text("utf-8") for path in here.rglob("*") if path.is_file())


def test_the_python_skeleton_is_well_and_fails_honestly(command: Command, tmp_path: Path) -> None:
    here = tmp_path / "port"
    command("adapter", "init", "python", here)
    assert command("adapter", "doctor", here).code == 0
    done = command("run", here)
    assert done.code == 1
    assert "the adapter answered failed: NotImplementedError: TODO: json_parse" in done.out


def test_a_directory_that_is_not_empty_is_left_alone(command: Command, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    assert command("adapter", "init", "go", tmp_path).code == 2


def test_the_next_step_that_init_names_is_about_what_it_wrote(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = command("adapter", "init", "python", "go")
    words = done.out.splitlines()[-1].split()
    assert adapters.find_spec(words[-1]).here == tmp_path / "go"
    assert "TODO: json_parse" in command("run", words[-1]).out


@pytest.mark.parametrize("verb", [("run",), ("adapter", "doctor"), ("diff", "identity")])
def test_a_name_that_could_be_a_port_that_ships_or_a_directory_here_is_refused(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    command("adapter", "init", "python", "go")
    done = command(*verb, "go")
    assert done.code == 2
    assert f"write ./go or {PACKAGE / 'adapters' / 'go'}" in done.err


def test_a_directory_without_an_adapter_does_not_hide_the_one_that_ships(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "go").mkdir()
    assert adapters.find_spec("go").here == PACKAGE / "adapters" / "go"
    monkeypatch.chdir(PACKAGE / "adapters")
    assert adapters.find_spec("go").here == PACKAGE / "adapters" / "go"


@pytest.mark.parametrize(
    ("saboteur", "finds"),
    [
        ("garbage-at-hello", "offset 0: 57 65"),
        ("hello-without-line-end", "no line end (LF)"),
        ("other-protocol", '"protocol" must be 1'),
        ("ends-at-hello", "it ended (exit-0) instead of answering hello"),
        ("hangs-at-hello", "nothing came in answer to hello"),
        ("talks-first", "more than one line came"),
        ("drops-operations", "does not offer extract_json_object"),
        ("raw-utf8", "byte 0xc3 is no ASCII"),
        ("carriage-returns", "carriage return"),
        ("blank-lines", "more than one line"),
        ("lone-surrogate-raw", "ill-formed string"),
        ("plain-fractions", "has no plain form"),
        ("id-as-text", "has the id '1'"),
        ("talks-after-bye", "output after bye"),
        ("fails-at-bye", "exit-3 after bye"),
    ],
)
def test_the_doctor_finds_the_first_wrong_byte(saboteur: str, finds: str) -> None:
    told: list[str] = []
    spec = selftest.spec_of(saboteur)
    assert not doctor.examine(spec, 1.5, told.append)
    assert finds in "\n".join(told)


def test_the_doctor_tells_buffering_from_silence(tmp_path: Path) -> None:
    program = tmp_path / "buffers.py"
    program.write_text("import sys\nfor line in sys.stdin:\n    sys.stdout.write('{}\\n')\n")
    told: list[str] = []
    spec = adapters.Spec("buffers", tmp_path, ("{python}", str(program)), "nothing", env=(("PYTHONUNBUFFERED", ""),))
    assert not doctor.examine(spec, 1.5, told.append)
    assert "the answer sat in a buffer" in "\n".join(told)


@pytest.mark.parametrize("saboteur", ["slow-start", "dribbles", "complains-a-lot", "leaves-a-child"])
def test_the_doctor_finds_the_noisy_well(saboteur: str) -> None:
    told: list[str] = []
    assert doctor.examine(selftest.spec_of(saboteur), 30, told.append), told


# The messages


def message_validator() -> Any:
    from jsonschema import Draft202012Validator
    from referencing import Registry, Resource

    schemas = {path.name: json.loads(path.read_text()) for path in (PACKAGE / "schema").glob("*.json")}
    registry = Registry().with_resources([(name, Resource.from_contents(schema)) for name, schema in schemas.items()])
    return Draft202012Validator(schemas["message.json"], registry=registry)


def test_what_is_sent_and_answered_keeps_to_the_schema(corpus: Path) -> None:
    validator = message_validator()
    for case in load_corpus(corpus).cases:
        validator.validate(json.loads(b'{"id":1,' + case.request_tail))
        for name in nulls.NULLS:
            validator.validate({"id": 1, **nulls.ANSWERS[name](case.operation, case.wire_input)})
    hello = {
        "protocol": 1,
        "implementation": "x",
        "version": "1",
        "language": "x",
        "operations": list(nulls.OPERATIONS),
        "host": nulls.HOST,
    }
    validator.validate(hello)


@pytest.mark.parametrize(
    "message",
    [
        {"hello": 2},
        {"id": "1", "outcome": "null"},
        {"id": 1, "outcome": "perhaps"},
        {"id": 1, "outcome": "value", "value": 1.5},
        {"id": 1, "outcome": "value", "value": {"$f": "1"}},
        {"id": 1, "op": "search", "input": {"text": "", "value": 1}, "options": {}},
    ],
)
def test_what_the_protocol_does_not_have_is_not_in_the_schema(message: dict[str, Any]) -> None:
    assert not message_validator().is_valid(message)


# new, export


def test_new_appends_a_draft_that_check_does_not_let_through(command: Command) -> None:
    done = command("new", "json_parse", "basics", "draft", "--text", "{}x")
    assert done.code == 0
    assert command("new", "json_parse", "basics", "draft", "--text", "{}x").code == 2
    assert command("new", "json_parse", "basics", "Draft", "--text", "{}x").code == 2
    checked = command("check")
    assert checked.code == 3
    assert "json-parse.basics.draft" in checked.err


def test_export_writes_requests_that_need_nothing_but_json(command: Command, tmp_path: Path, corpus: Path) -> None:
    assert cli.main(["export", str(tmp_path / "out"), "--corpus", str(corpus)]) == 0
    lines = [json.loads(line) for line in (tmp_path / "out" / "corpus.jsonl").read_text("ascii").splitlines()]
    assert [line["id"] for line in lines] == [case.id for case in load_corpus(corpus).cases]
    assert all(line["request"]["op"] == line["operation"] for line in lines)
    assert (tmp_path / "out" / "schema" / "case.json").exists()


# An installation


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package under its installed name, with what is asked of it here."""
    package = tmp_path_factory.mktemp("site-packages") / "jsonscan_conformance"
    leave_out = shutil.ignore_patterns("__pycache__", "node_modules", "target", "kill-matrix.json")
    for name in ("runner", "recorder", "schema", "cases", "dist", "adapters", "mutants", "ports/rust"):
        shutil.copytree(PACKAGE / name, package / name, ignore=leave_out)
    for path in [*PACKAGE.glob("*.py"), *PACKAGE.glob("*.md")]:
        shutil.copy(path, package)
    return package


def content_of(directory: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in directory.rglob("*") if path.is_file()}


def in_installation(installed: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A module of the installation, run as ``python -m``."""
    return subprocess.run(
        [sys.executable, "-B", "-m", *words],
        cwd=installed.parent,
        env={**os.environ, "PYTHONPATH": str(installed.parent), **environment},
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize(
    ("words", "instead"),
    [
        ("jsonscan_conformance new json_parse numbers draft --text {}x", "--corpus DIR"),
        ("jsonscan_conformance check --fix", "--corpus DIR"),
        ("jsonscan_conformance check --write-manifest", "--corpus DIR"),
        ("jsonscan_conformance run identity --id json-parse.numbers --update-known", "run the copy by its path"),
        ("jsonscan_conformance mutants", "--matrix FILE"),
        ("jsonscan_conformance.recorder", "--check"),
    ],
)
def test_an_installation_is_left_as_it_is(installed: Path, words: str, instead: str) -> None:
    before = content_of(installed)
    done = in_installation(installed, *words.split())
    assert done.returncode == 2, done.stderr
    assert "is part of the installed package" in done.stderr
    assert instead in done.stderr
    assert content_of(installed) == before


def test_new_of_an_installation_writes_where_it_is_told(installed: Path, tmp_path: Path) -> None:
    words = ("new", "json_parse", "numbers", "draft", "--text", "{}x", "--corpus", str(tmp_path / "mine"))
    assert in_installation(installed, "jsonscan_conformance", *words).returncode == 0
    assert (tmp_path / "mine" / "json-parse" / "numbers.json").exists()


def test_the_ports_of_an_installation_are_built_in_the_cache(installed: Path, tmp_path: Path) -> None:
    cargo = tmp_path / "bin" / "cargo"
    cargo.parent.mkdir()
    cargo.write_text('#!/bin/sh\nmkdir -p "$CARGO_TARGET_DIR"\necho "into $CARGO_TARGET_DIR" >&2\nexit 3\n')
    cargo.chmod(0o755)
    before = content_of(installed)
    where = {"PATH": f"{cargo.parent}{os.pathsep}{os.environ['PATH']}", "XDG_CACHE_HOME": str(tmp_path / "cache")}
    done = in_installation(installed, "jsonscan_conformance", "adapter", "doctor", "rust", **where)
    assert done.returncode == 4
    assert f"into {tmp_path / 'cache' / 'jsonscan-conformance'}" in done.stderr
    assert content_of(installed) == before


# The command


def test_the_adapter_that_the_readme_writes_by_hand_is_well_and_fails_honestly(command: Command, tmp_path: Path) -> None:
    section = (PACKAGE / "README.md").read_text("utf-8").split("### A language without a skeleton\n")[1].split("\n## ")[0]
    here = tmp_path / "my-port"
    here.mkdir()
    for name, language in (("adapter.json", "json"), ("adapter.sh", "sh")):
        (here / name).write_text(section.split(f"```{language}\n")[1].split("```")[0])
    content = json.loads((here / "adapter.json").read_text())
    schema = lint.validator("adapter")
    assert schema.is_valid(content)
    assert content.keys() == schema.schema["properties"].keys()
    examined = command("adapter", "doctor", here)
    assert examined.code == 0, examined.out
    done = command("run", here)
    assert done.code == 1
    assert done.out.count("the adapter answered failed: TODO") == 19


@pytest.mark.parametrize("words", [["--help"], ["run", "--help"], ["report", "--help"]])
def test_the_help_explains_the_table(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(words)
    said = capsys.readouterr().out
    assert [name for name, text in {**MEANING, **BESIDE}.items() if f"  {name:<13}{text}" not in said] == []


def test_the_readme_explains_the_table() -> None:
    rows = (PACKAGE / "README.md").read_text("utf-8").splitlines()
    assert [name for name, text in {**MEANING, **BESIDE}.items() if f"| `{name}` | {text} |" not in rows] == []


def test_selftest_prints_a_table_and_knows_its_saboteurs(command: Command) -> None:
    done = command("selftest", "honest", "wrong-on-one")
    assert done.code == 0
    assert [line.split()[:3] for line in done.out.splitlines()[:2]] == [
        ["ok", "honest", "green"],
        ["ok", "wrong-on-one", "red"],
    ]
    assert command("selftest", "nobody").code == 2


# The plugin

# A checkout on the path has no entry point, an installation has.
INSTALLED = any(point.name == "jsonscan_conformance" for point in entry_points(group="pytest11"))
RIGHT = """
import importlib.util, sys
spec = importlib.util.spec_from_file_location("saboteur", {program!r})
saboteur = importlib.util.module_from_spec(spec)
spec.loader.exec_module(saboteur)

def json_parse(text):
    if len(text) > 500:
        value = []
        for _ in range(len(text) // 2 - 1):
            value = [value]
        return value
    return saboteur.DECODER.decode(text)

def extract_json_object(text):
    answer = saboteur.extract_json_object(text)
    return answer.get("text", text)
"""


@pytest.fixture
def plugged(pytester: pytest.Pytester, corpus: Path) -> Callable[..., pytest.RunResult]:
    pytester.makepyfile(
        right=RIGHT.format(program=str(selftest.PROGRAM)), wrong="import json\njson_parse = json.loads\n"
    )
    pytester.makepyfile(test_own="def test_own():\n    pass\n")
    pytester.syspathinsert()

    def run(*words: str) -> pytest.RunResult:
        plugin = ("-p", "no:cacheprovider", *(() if INSTALLED else ("-p", "jsonscan_conformance.pytest_plugin")))
        where = ("--conformance-corpus", str(corpus)) if "--conformance" in words else ()
        return pytester.runpytest_inprocess(*plugin, *words, *where)

    return run


def test_the_plugin_is_off_unless_asked(plugged: Callable[..., pytest.RunResult]) -> None:
    plugged().assert_outcomes(passed=1)


def test_the_plugin_runs_the_corpus_as_items(plugged: Callable[..., pytest.RunResult]) -> None:
    plugged("--conformance", "right").assert_outcomes(passed=1 + 31)


def test_the_plugin_fails_what_is_wrong_by_id(plugged: Callable[..., pytest.RunResult]) -> None:
    result = plugged("--conformance", "wrong", "--conformance-id", "json-parse.basics.minus-zero", "-rf")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["FAILED *conformance::json-parse.basics.minus-zero*"])


def test_the_plugin_refuses_what_has_no_case(plugged: Callable[..., pytest.RunResult]) -> None:
    assert plugged("--conformance", "json").ret == pytest.ExitCode.USAGE_ERROR
    assert plugged("--conformance", "no.such.module").ret == pytest.ExitCode.USAGE_ERROR
