"""`jsonscan doctor`: what is installed here, for a bug report."""

from __future__ import annotations

import argparse
import platform
import sys
from pathlib import Path

from .. import BUILD, __version__, loads
from .edges import Nothing, printable, write

OPTIONAL = ("pyarrow", "zstandard", "argcomplete")
SAMPLE = 'Sure:\n```json\n{"a": [1, -0.5e1, "\\u00e9"]}\n```\n'
SAMPLE_VALUE = {"a": [1, -5.0, "é"]}


def add(it: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    it.description = "Say what is installed here, for a bug report, and try it once."
    it.epilog = "example: jsonscan doctor"


def run(args: argparse.Namespace) -> int:
    """Print the facts, one a line."""
    facts = {
        "jsonscan": __version__,
        "build": BUILD,
        "python": f"{platform.python_implementation()} {platform.python_version()} ({sys.executable})",
        "platform": platform.platform(),
        "installed in": Path(__file__).parents[1],
        "beside it": ", ".join(f"{name} {version_of(name)}" for name in OPTIONAL),
    }
    write("".join(f"{name}: {printable(fact)}\n" for name, fact in facts.items()))
    if loads(SAMPLE) != SAMPLE_VALUE:
        raise Nothing("a sample response was misread: this installation is broken")
    return 0


def version_of(name: str) -> str:
    """The version of a package that jsonscan uses where it is installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return "(not installed)"
