"""`jsonscan doctor`: what is installed here, for a bug report."""

from __future__ import annotations

import argparse
import platform
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from .. import BUILD, __version__, loads
from .edges import Nothing, printable, write

if TYPE_CHECKING:
    from . import Verbs

SAMPLE = 'Sure:\n```json\n{"a": [1, -0.5e1, "\\u00e9"]}\n```\n'
SAMPLE_VALUE = {"a": [1, -5.0, "é"]}


def add(verbs: Verbs) -> None:
    """Describe the arguments."""
    verbs.add_parser(
        "doctor",
        help="say what is installed here",
        description="Say what is installed here, for a bug report, and try it once.",
        epilog="example: jsonscan doctor",
    )


def run(args: argparse.Namespace) -> int:
    """Print the facts, one a line."""
    facts = {
        "jsonscan": __version__,
        "build": BUILD,
        "python": f"{platform.python_implementation()} {platform.python_version()} ({sys.executable})",
        "platform": platform.platform(),
        "installed in": Path(__file__).parents[1],
    }
    write("".join(f"{name}: {printable(fact)}\n" for name, fact in facts.items()))
    if loads(SAMPLE) != SAMPLE_VALUE:
        raise Nothing("a sample response was misread: this installation is broken")
    return 0
