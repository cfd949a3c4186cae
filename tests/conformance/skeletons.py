"""Every skeleton of ``adapter init`` starts, is well, and fails honestly. Needs Go, Rust, Java and Node, so it is asked for by name:

pytest tests/conformance/skeletons.py
"""

from __future__ import annotations

import subprocess
from collections import Counter
from pathlib import Path

import pytest
from jsonscan_conformance.runner import cli, doctor, scaffold
from jsonscan_conformance.runner.adapters import load_spec
from jsonscan_conformance.runner.log import Report, read_log
from jsonscan_conformance.runner.selftest import PROGRAM


@pytest.mark.parametrize("language", scaffold.LANGUAGES)
def test_a_skeleton_is_well_and_fails_honestly(tmp_path: Path, language: str) -> None:
    here = tmp_path / language
    scaffold.init(language, here)
    told: list[str] = []
    assert doctor.examine(load_spec(here), 60, told.append), told
    log = tmp_path / "log"
    assert (
        cli.main(["run", str(here), "--corpus", str(PROGRAM.parent / "cases"), "--log", str(log), "--no-progress"]) == 1
    )
    column = Report.of(read_log(log)).columns[language]
    assert Counter(result["verdict"] for result in column.results.values()) == {"fail": 31}
    assert all("answered failed" in result["difference"] for result in column.results.values())


@pytest.mark.parametrize(
    ("language", "suffix", "formatter"),
    [("go", ".go", ["gofmt", "-l"]), ("rust", ".rs", ["rustfmt", "--check", "--edition", "2021"])],
)
def test_a_skeleton_is_as_its_formatter_leaves_it(
    tmp_path: Path, language: str, suffix: str, formatter: list[str]
) -> None:
    sources = [path for path in scaffold.init(language, tmp_path / "a-name-of-some-length") if path.suffix == suffix]
    done = subprocess.run([*formatter, *map(str, sources)], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")
