"""``python -m conformance.recorder [--check]``: exit 0 as recorded, 1 differences, 2 something is missing."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from ..runner.model import CORE, PACKAGE, Case, CorpusError, UsageError, canonical_file, read_json, to_be_written
from . import originals
from .record import Doubtful, expectation


def main(argv: list[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m conformance.recorder", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; a missing expectation is a difference too")
    parser.add_argument("--corpus", type=Path, default=PACKAGE / "cases", help="another directory of cases")
    arguments = parser.parse_args(argv)
    try:
        if not arguments.check:
            to_be_written(arguments.corpus, "name a directory of cases of your own with --corpus, or --check")
        return run(arguments.corpus, arguments.check)
    except CorpusError as error:
        print(error, file=sys.stderr)
    except (originals.SetupError, UsageError) as error:
        print(f"recorder: {error}", file=sys.stderr)
    return 2


def run(corpus: Path, check: bool) -> int:
    """Record every case of the core operations below ``corpus``; write what is missing unless ``check``."""
    modules = originals.directory()
    files = {path: read_json(path.read_bytes(), path.name) for path in sorted(corpus.rglob("*.json"))}
    cases = [Case(record, path.name) for path, content in files.items() for record in content["cases"]]
    core = [case for case in cases if case.operation in CORE]
    if not core:
        raise originals.SetupError(f"{corpus} has no case of a core operation")
    problems = []
    for case, answer in zip(core, originals.answers(core, modules, originals.node())):
        problems += reconcile(case, answer, check)
    print("\n".join(problems) or f"{len(core)} cases: as the originals answer")
    if not check:
        write(files)
    return 1 if problems else 0


def write(files: dict[Path, Any]) -> None:
    """Write the files that have changed."""
    for path, content in files.items():
        text = canonical_file(content)
        if path.read_text("ascii") != text:
            path.write_text(text, "ascii", newline="\n")


def reconcile(case: Case, answer: dict[str, Any], check: bool) -> list[str]:
    """One line when the case's expectation is not what was recorded. A missing one is filled in unless ``check``."""
    try:
        recorded = expectation(case, answer)
    except Doubtful as error:
        return [f"{case.id}: doubtful: {error}"]
    expected = case.record.get("expect")
    if expected is None and not check:
        case.record["expect"] = recorded
        return []
    if json.dumps(expected) == json.dumps(recorded):
        return []
    return [f"{case.id}: recorded {brief(recorded)}, the case has {brief(expected)}"]


def brief(expect: Any) -> str:
    """An expectation on one line of bearable length."""
    text = json.dumps(expect)
    return text if len(text) <= 300 else text[:297] + "..."


if __name__ == "__main__":
    sys.exit(main())
