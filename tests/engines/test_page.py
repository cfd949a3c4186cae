"""The engine's page in docs/ does what it says; in the environment of Polars, the page about columns as well."""

from __future__ import annotations

import doctest
import os
import pathlib
import re
import subprocess
import sys

import pytest

DOCS = pathlib.Path(__file__).parents[2] / "docs"
ENGINE = os.environ["JSONSCAN_ENGINE"]
PAGES = [DOCS / f"{ENGINE}.md", *([DOCS / "arrow.md"] if ENGINE == "polars" else [])]


def blocks(page: pathlib.Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_sessions(page):
    test = doctest.DocTestParser().get_doctest("\n".join(blocks(page, "pycon")), {}, page.name, str(page), 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands(page):
    commands = [line[2:] for block in blocks(page, "console") for line in block.splitlines() if line.startswith("$ ")]
    assert commands
    for command in commands:
        name, *arguments = command.split()
        assert name == "python"
        done = subprocess.run([sys.executable, *arguments], cwd=DOCS.parent, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, ""), command
        assert re.search(r"\d", done.stdout)
