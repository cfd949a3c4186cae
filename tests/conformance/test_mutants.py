"""The mutants: those that must be noticed twice are, and the machinery itself would say so if one were not.

`tox -e mutants` tries all of them; here are the edits of all, and the trials of a choice.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path
from types import CodeType

import pytest
from jsonscan_conformance.mutants import named
from jsonscan_conformance.mutants.named import Named
from jsonscan_conformance.runner import mutants, trial
from jsonscan_conformance.runner.automatic import sites
from jsonscan_conformance.runner.model import PACKAGE, Corpus, CorpusError, load_corpus
from jsonscan_conformance.runner.mutants import Matrix, Plan

MUST = (
    "string-blind", "escape-blind", "codepoint-length", "length-off-by-one-low", "length-off-by-one-high", "off-by-one-attempts-low",
    "off-by-one-attempts-high", "python-strip", "re-ignorecase", "nan-accepted", "throws", "preview-off-by-one",
    "fence-tag-case-kept", "first-duplicate-kept", "depth-limited", "minus-zero-lost", "overflow-refused", "long-integer-off-by-one",
    "escaped-pair-kept-apart", "mixed-pair-kept-apart",
)  # fmt: skip
TAGS = tuple(f"fence-tag-{tag}-dropped" for tag in ("json", "yaml", "js", "javascript", "typescript", "dart"))
WHITE = tuple(f"white-space-{ord(char):04x}-dropped" for char in named.WHITE)


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return load_corpus(PACKAGE / "cases")


@pytest.fixture(scope="module")
def matrix(corpus: Corpus) -> Matrix:
    return Matrix(corpus, 2)


@pytest.fixture
def few(matrix: Matrix, monkeypatch: pytest.MonkeyPatch) -> Matrix:
    """A matrix with other named mutants: set ``named``."""
    monkeypatch.setattr(matrix, "named", [])
    return matrix


def lines_of(corpus: Corpus, matrix: Matrix, plan: Plan, monkeypatch: pytest.MonkeyPatch) -> tuple[int, list[str]]:
    monkeypatch.setattr(mutants, "Matrix", lambda *_: matrix)
    said: list[str] = []
    return mutants.run(corpus, plan, said.append), said


def test_every_edit_applies_to_the_reference(matrix: Matrix) -> None:
    assert matrix.problems() == []


def test_there_is_a_mutant_for_everything_that_must_be_noticed_twice(matrix: Matrix) -> None:
    names = {one.name for one in matrix.named}
    assert names.issuperset({*MUST, *TAGS, *WHITE})
    assert len(WHITE) == 25
    assert len(names) >= 270


@pytest.mark.parametrize("name", [*MUST, *TAGS, *WHITE])
def test_it_turns_two_cases_red_that_name_it(verdicts: dict[str, mutants.Verdict], name: str) -> None:
    assert verdicts[name].state == "killed"
    assert len(verdicts[name].named_by) >= 2


@pytest.fixture(scope="module")
def verdicts(matrix: Matrix) -> dict[str, mutants.Verdict]:
    wanted = [one for one in matrix.named if one.name in (*MUST, *TAGS, *WHITE)]
    return {one.name: one for one in matrix.run_named(wanted, quick=True)}


def test_the_bases_are_right(matrix: Matrix) -> None:
    trials = [trial.Trial(one.name, matrix.codes(one.edits), matrix.small) for one in named.CONTROLS]
    results = list(matrix.bench.run(trials, 2))
    assert [(result.end, result.lost) for result in results] == [("end", {})] * len(named.CONTROLS)


def test_a_mutant_that_changes_nothing_is_red(few: Matrix, corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    few.named.append(Named("string-blind", (named.originals("50\n", "25 * 2\n"),)))
    code, said = lines_of(corpus, few, Plan(quick=True, jobs=1), monkeypatch)
    assert code == 1
    assert "survived: string-blind" in said


def test_a_mutant_that_cannot_be_loaded_is_red(few: Matrix, corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    few.named.append(Named("string-blind", (named.originals("_MAX_BRACES = 50", "_MAX_BRACES = 1 // 0"),)))
    code, said = lines_of(corpus, few, Plan(quick=True, jobs=1), monkeypatch)
    assert code == 1
    assert any(line.startswith("broken: ZeroDivisionError") for line in said)


@pytest.mark.parametrize(
    ("mutant", "problem"),
    [
        (Named("string-blind", (named.originals("no such text", ""),)), "has not once but 0 times"),
        (Named("string-blind", (named.originals("return", ""),)), "times: 'return'"),
        (Named("string-blind", (named.originals("_MAX_BRACES = 50", "_MAX_BRACES = ("),)), "was never closed"),
        (Named("no-such-mistake", ()), "not in NAMES.md"),
    ],
)
def test_a_mutant_that_cannot_be_made_is_an_error(
    few: Matrix, corpus: Corpus, monkeypatch: pytest.MonkeyPatch, mutant: Named, problem: str
) -> None:
    few.named.append(mutant)
    with pytest.raises(CorpusError, match=problem):
        lines_of(corpus, few, Plan(quick=True), monkeypatch)


def test_an_unknown_name_is_an_error(matrix: Matrix, corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CorpusError, match="no mutant has the name nobody"):
        lines_of(corpus, matrix, Plan(names=["nobody"]), monkeypatch)


def test_the_vocabulary_knows_patterns() -> None:
    known = mutants.vocabulary()
    assert known("white-space-2028-dropped") and known("fence-tag-json5-added") and known("string-blind")
    assert not known("white-space-20-dropped") and not known("string-blinder")


def test_what_hangs_crashes_or_hoards_is_noticed(few: Matrix, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "CASE_SECONDS", 0.2)
    body = "    if longer_than(text, _MAX_UNITS):\n"
    at = next(at for at in few.small if few.cases[at].operation == "extract_json_object")
    for line, lost, end in (
        ("    while True:\n        pass\n", {at: "timeout"}, "end"),
        ('    __import__("os")._exit(3)\n', {}, "crash"),
        ('    __import__("os").kill(__import__("os").getpid(), 9)\n', {}, "crash"),
        ('    "x" * 10**11\n', {at: "failed"}, "end"),
        ("    raise TypeError\n", {at: "fail"}, "end"),
    ):
        codes = few.codes((named.originals(body, line + body),))
        (result,) = few.bench.run([trial.Trial("one", codes, [at])], 1)
        assert (result.lost, result.end) == (lost, end), line


def test_one_that_sleeps_is_ended_by_the_clock(few: Matrix, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "TRIAL_SECONDS", 0.5)
    body = "    if longer_than(text, _MAX_UNITS):\n"
    codes = few.codes((named.originals(body, '    __import__("time").sleep(100)\n' + body),))
    at = next(at for at in few.small if few.cases[at].operation == "extract_json_object")
    (result,) = few.bench.run([trial.Trial("one", codes, [at])], 1)
    assert result.end == "timeout"


def test_a_trial_leaves_no_process_behind(matrix: Matrix) -> None:
    list(matrix.bench.run([trial.Trial("one", matrix.codes(()), matrix.small[:1], 1)], 1))
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_automatic_mutants_have_names_of_their_own_and_can_be_compiled(matrix: Matrix) -> None:
    names: list[str] = []
    for file in mutants.FILES:
        text = matrix.source[file]
        found = sites(ast.parse(text), file)
        names += [site.id for site in found]
        for number in range(0, len(found), 17):
            made(text, found[number].id)
    assert len(names) == len(set(names)) > 600
    assert not any("\n" in name for name in names)


def made(text: str, name: str) -> CodeType:
    """The code of a text after the change of this name."""
    tree = ast.parse(text)
    next(site for site in sites(tree, name.partition(":")[0]) if site.id == name).apply()
    return compile(ast.fix_missing_locations(tree), "made", "exec")


def test_an_automatic_mutant_is_the_change_that_its_name_says() -> None:
    text = "def f(a, b):\n    if a < b:\n        return a[1:]\n    return b\n"
    space: dict[str, object] = {}
    exec(made(text, "f.py:f: if a < b:: boundary: a < b -> a <= b"), space)
    assert space["f"]((0, 1), (0, 1)) == (1,)  # type: ignore[operator]
    exec(made(text, "f.py:f: return a[1:]: constant: 1 -> 2"), space)
    assert space["f"]((0, 1, 2), (1,)) == (2,)  # type: ignore[operator]


def test_automatic_mutants_are_killed_explained_or_reported(matrix: Matrix, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matrix, "large", [])
    ids = [site.id for found in matrix.sites(()).values() for _, site in found]
    killed = next(name for name in ids if ":_first_bracket: return brace" in name and "negate" in name)
    lives = next(name for name in ids if ":scanned: " in name and "return" in name)
    monkeypatch.setattr(mutants, "explained", list)
    assert {one.name: one.state for one in matrix.run_automatic([killed, lives])} == {
        killed: "killed",
        lives: "survived",
    }
    monkeypatch.setattr(mutants, "explained", lambda: [("*:scanned: *", "the machine reads the same")])
    assert [(one.state, one.reason) for one in matrix.run_automatic([lives])] == [
        ("equivalent", "the machine reads the same")
    ]


def test_an_explanation_that_explains_nothing_is_stale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "equivalent.txt").write_text("# because\n\na.py:f: x*\nb.py:g: *\n")
    monkeypatch.setattr(mutants, "DIRECTORY", tmp_path)
    lived = [mutants.Verdict("a.py:f: x + 1 -> x - 1", "equivalent")]
    assert mutants.explained() == [("a.py:f: x*", "because"), ("b.py:g: *", "because")]
    assert mutants.stale(lived, whole=True) == ["b.py:g: *"]
    assert mutants.stale(lived, whole=False) == []


def test_the_runner_does_not_import_the_reference() -> None:
    script = (
        "import sys, jsonscan_conformance.runner.mutants as m; m.find_source(); "
        "sys.exit(any(name.split('.')[0] == 'jsonscan' for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_the_case_that_noticed_a_mutant_before_is_asked_first(matrix: Matrix, tmp_path: Path) -> None:
    at = matrix.small[7]
    rows = [{"name": "a", "lost": [1]}, {"name": "b", "lost": [0]}, {"name": "c", "reason": "equivalent"}]
    file = tmp_path / "matrix.json"
    file.write_text(json.dumps({"cases": ["json-parse.gone.x", matrix.cases[at].id], "automatic mutants": rows}))
    assert matrix.noticed(file) == {"a": [at], "b": [], "c": []}
    assert matrix.noticed(tmp_path / "none.json") == {}
