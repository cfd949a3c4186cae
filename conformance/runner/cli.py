"""The command: ``python -m conformance`` in a checkout, ``jsonscan-conformance`` once installed."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from . import lint
from .model import PACKAGE, CorpusError, UsageError

OK, UNEXPECTED, USAGE, INVALID, NOT_STARTED, INCOMPLETE, STALE = range(7)


def main(argv: list[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    arguments = parser().parse_args(argv)
    try:
        return arguments.action(arguments)
    except CorpusError as error:
        print("\n".join(error.problems), file=sys.stderr)
        print(f"corpus invalid: {len(error.problems)} problems", file=sys.stderr)
        return INVALID
    except UsageError as error:
        print(f"jsonscan-conformance: {error}", file=sys.stderr)
        return USAGE


def parser() -> argparse.ArgumentParser:
    """The argument parser."""
    top = argparse.ArgumentParser(prog="jsonscan-conformance", description=__doc__)
    verbs = top.add_subparsers(dest="verb", required=True)

    verb = verbs.add_parser("check", help="lint the corpus")
    verb.add_argument("--fix", action="store_true", help="write canonical form, sizes and digests of builds first")
    verb.add_argument("--write-manifest", action="store_true", help="write dist/manifest.json when all else is right")
    verb.add_argument("--corpus", type=Path, default=PACKAGE / "cases", help="another directory of cases")
    verb.set_defaults(action=do_check)
    return top


def do_check(arguments: argparse.Namespace) -> int:
    """``check``."""
    manifest = arguments.corpus.parent / "dist" / "manifest.json"
    corpus, problems = lint.check(arguments.corpus, arguments.fix, None if arguments.write_manifest else manifest)
    if problems:
        raise CorpusError(problems)
    if arguments.write_manifest:
        lint.write_manifest(corpus, manifest)
    print(f"{len(corpus.cases)} cases, corpus {corpus.digest[:12]}: all right")
    return OK
