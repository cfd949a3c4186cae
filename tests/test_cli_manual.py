"""What is written about the command elsewhere is what it does."""

from __future__ import annotations

import pathlib
import re

from jsonscan.cli import VERBS
from jsonscan.cli.manual import manual

CHECKOUT = pathlib.Path(__file__).parents[1]


def test_the_page_is_made_from_the_parser():
    assert (CHECKOUT / "docs" / "cli.md").read_text("utf-8") == manual(), "python -m jsonscan.cli.manual > docs/cli.md"


def test_every_verb_has_a_section_with_an_example():
    sections = re.findall(r"^## (\w+)\n\n.+\n\n```console\n\$ (jsonscan .+)\n```$", manual(), re.MULTILINE)
    assert [name for name, _ in sections] == [*VERBS]
    assert [example.split()[1] for _, example in sections] == [*VERBS]


def test_the_hooks_run_verbs():
    hooks = (CHECKOUT / ".pre-commit-hooks.yaml").read_text("utf-8")
    entries = re.findall(r"^  entry: jsonscan (\w+)", hooks, re.MULTILINE)
    assert set(entries) <= set(VERBS)
    assert "check" in entries
    named = re.findall(r"- id: (\S+)", (CHECKOUT / "docs" / "pre-commit.md").read_text("utf-8"))
    assert set(named) <= set(re.findall(r"^- id: (\S+)", hooks, re.MULTILINE))
