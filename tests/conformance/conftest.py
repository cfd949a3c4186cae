"""What the tests of the runner share: a small corpus that they may damage, and the command."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from jsonscan_conformance.runner import cli, lint, selftest
from jsonscan_conformance.runner.model import canonical_file, load_corpus

SABOTEURS = selftest.PROGRAM.parent


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A copy of the saboteurs' corpus, with its manifest."""
    root = tmp_path / "cases"
    shutil.copytree(SABOTEURS / "cases", root)
    lint.write_manifest(load_corpus(root), tmp_path / "dist" / "manifest.json")
    return root


@pytest.fixture
def edit(corpus: Path) -> Callable[..., None]:
    """Change one case of the copy: ``edit(slug, member=value)``."""

    def change(slug: str, **members: Any) -> None:
        for path in corpus.rglob("*.json"):
            content = json.loads(path.read_text("ascii"))
            for record in content["cases"]:
                if record["id"].endswith("." + slug):
                    record.update(members)
                    path.write_text(canonical_file(content), "ascii")
                    return
        raise AssertionError(f"no case {slug}")

    return change


@pytest.fixture
def adapter(tmp_path: Path) -> Callable[[str], Path]:
    """The directory of an adapter that is the saboteur of that name."""

    def make(name: str) -> Path:
        here = tmp_path / "adapter"
        here.mkdir(exist_ok=True)
        content = {
            "name": name,
            "command": ["{python}", str(selftest.PROGRAM), name],
            "operations": ["json_parse", "extract_json_object"],
            "setup": "Nothing to install.",
        }
        (here / "adapter.json").write_text(json.dumps(content), "ascii")
        return here

    return make


@pytest.fixture
def command(corpus: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., SimpleNamespace]:
    """The command, with the copy as its corpus: ``command("run", ...)`` has ``code``, ``out`` and ``err``."""

    def call(*words: Any) -> SimpleNamespace:
        verb, *rest = map(str, words)
        where = [] if verb in ("report", "selftest", "adapter", "export") else ["--corpus", str(corpus)]
        code = cli.main([verb, *rest, *where])
        said = capsys.readouterr()
        return SimpleNamespace(code=code, out=said.out, err=said.err)

    return call
