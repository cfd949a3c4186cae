"""The command `jsonscan`: JSON out of responses, on standard output and nothing else there.

Each verb is a module with two functions: ``add(verbs)`` describes its arguments, ``run(args)`` does it and returns the
exit status. Data goes to standard output as UTF-8 whatever the locale; what is said to a person goes to standard error.

Exit status: 0 found or clean, 1 nothing found or a finding, 2 usage or input and output, 130 interrupted, 141 the
reader of standard output went away.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from .. import BUILD, __version__
from . import doctor, extract
from .edges import Nothing, Trouble, drop_stdout, printable, say

if TYPE_CHECKING:
    Verbs = argparse._SubParsersAction[argparse.ArgumentParser]

VERBS = {"extract": extract, "doctor": doctor}
DEFAULT_VERB = "extract"
ALONE = {"-h", "--help", "--version"}


class Parser(argparse.ArgumentParser):
    """argparse with options spelt out, messages that cannot steer a terminal, and a closed pipe noticed before exit."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options, allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        super().error(printable(message))

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        if sys.stdout is not None:
            sys.stdout.flush()
        super().exit(status, message)


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    top = Parser(
        prog="jsonscan",
        description="Get the JSON out of LLM responses. Without a verb: extract.",
        epilog="example: jsonscan -c response.txt",
    )
    top.add_argument("--version", action="version", version=f"jsonscan {__version__} ({BUILD})")
    verbs = top.add_subparsers(dest="verb", required=True, metavar="VERB")
    for verb in VERBS.values():
        verb.add(verbs)
    return top


def with_verb(argv: Sequence[str]) -> list[str]:
    """The arguments with the default verb in front, unless they begin with a verb or ask about the command itself."""
    return [*argv] if argv and (argv[0] in VERBS or argv[0] in ALONE) else [DEFAULT_VERB, *argv]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit status. Usage errors and --help raise SystemExit, as argparse does."""
    try:
        args = parser().parse_args(with_verb(sys.argv[1:] if argv is None else argv))
        status: int = VERBS[args.verb].run(args)
        return status
    except Nothing as nothing:
        say(nothing)
        return 1
    except Trouble as trouble:
        say(trouble)
        return 2
    except KeyboardInterrupt:
        drop_stdout()
        return 130
    except BrokenPipeError:
        drop_stdout()
        return 141


def entry() -> None:
    """The console script."""
    sys.exit(main())
