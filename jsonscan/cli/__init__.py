"""The command `jsonscan`: JSON out of responses, on standard output and nothing else there.

Each verb is a module of its name with two functions: ``add(it)`` describes its arguments to its parser, ``run(args)`` does it
and returns the exit status. Only the module of the verb that was asked for is loaded.
Data goes to standard output as UTF-8 whatever the locale; what is said to a person goes to standard error.

Exit status: 0 found or clean, 1 nothing found or a finding, 2 usage or input and output, 130 interrupted, 141 the
reader of standard output went away.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

from .. import BUILD, __version__
from .edges import Nothing, Trouble, drop_stdout, printable, say, write

VERBS = {
    "extract": "print the JSON of responses (the default)",
    "find": "list every JSON value in responses, and where it stands",
    "repair": "turn text that is meant to be JSON into JSON",
    "check": "report files that are not strict JSON",
    "stream": "print the value so far while a response arrives",
    "batch": "add columns to a file of many responses: JSONL, CSV, Parquet",
    "doctor": "say what is installed here",
}
DEFAULT_VERB = "extract"
ALONE = {"-h", "--help", "--version"}


class Parser(argparse.ArgumentParser):
    """argparse with options spelt out, messages that cannot steer a terminal, and its output checked as all other is."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options, allow_abbrev=False, formatter_class=formatter)

    def error(self, message: str) -> NoReturn:
        super().error(printable(message))

    def _print_message(self, message: str, file: Any = None) -> None:
        """Help and version are data: argparse would say nothing where standard output does not take them."""
        if file is not None and file is sys.stdout:
            write(message)
        else:
            super()._print_message(message, file)


def formatter(prog: str) -> argparse.HelpFormatter:
    """What argparse asks for with every argument. It would load shutil, and with it all that is for archives, to know the width."""
    return argparse.HelpFormatter(prog, width=columns() - 2)


def columns() -> int:
    """How wide a line of help may be."""
    given = os.environ.get("COLUMNS", "")
    if given.isdecimal() and int(given) > 0:
        return int(given)
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or 80  # type: ignore[union-attr]
    except (AttributeError, ValueError, OSError):
        return 80


def verb_named(name: str) -> Any:
    """The module of a verb."""
    return import_module(f".{name}", __name__)


def parser(only: str | None = None) -> argparse.ArgumentParser:
    """The whole command line, or as much of it as it takes to read one verb's."""
    top = Parser(
        prog="jsonscan",
        description="Get the JSON out of LLM responses. Without a verb: extract.",
        epilog="example: jsonscan -c examples/response.txt",
    )
    top.add_argument("--version", action="version", version=f"jsonscan {__version__} ({BUILD})")
    verbs = top.add_subparsers(dest="verb", required=True, metavar="VERB")
    for name in VERBS if only is None or only not in VERBS else [only]:
        it = verbs.add_parser(name, help=VERBS[name])
        if only in (None, name):
            verb_named(name).add(it)
    return top


def with_verb(argv: Sequence[str]) -> list[str]:
    """The arguments with the default verb in front, unless they begin with a verb or ask about the command itself."""
    return [*argv] if argv and (argv[0] in VERBS or argv[0] in ALONE) else [DEFAULT_VERB, *argv]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit status. Usage errors and --help raise SystemExit, as argparse does."""
    exit_zero = False
    try:
        words = with_verb(sys.argv[1:] if argv is None else argv)
        args = parser(only=words[0]).parse_args(words)
        exit_zero = getattr(args, "exit_zero", False)
        status: int = verb_named(args.verb).run(args)
    except Nothing as nothing:
        say(nothing)
        status = 1
    except Trouble as trouble:
        say(trouble)
        status = 2
    except MemoryError:
        say("out of memory")
        status = 2
    except KeyboardInterrupt:
        drop_stdout()
        status = 130
    except BrokenPipeError:
        drop_stdout()
        status = 141
    return 0 if status == 1 and exit_zero else status


def entry() -> int:
    """Run the command line of this process, or complete it for a shell."""
    if "_ARGCOMPLETE" in os.environ:  # set by the shell while a line is being completed
        import argcomplete

        argcomplete.autocomplete(parser())
    return main()
