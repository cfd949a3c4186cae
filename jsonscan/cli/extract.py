"""`jsonscan extract`: print the JSON of a response."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, get_args

from .. import JSONScanError, Match, search
from ..model import Expect, Level, Truncated
from .edges import STDIN, Nothing, for_stdout, name_of, read_text, write
from .output import dump

if TYPE_CHECKING:
    from . import Verbs

# argparse takes any integer; a wider indentation than this is a slip, not a style.
WIDEST_INDENT = 16
INDENT = 2
CHOICES = {
    "--select": (("answer", "first", "last", "largest", "sole"), "which value, where there are several"),
    "--expect": (get_args(Expect), "kind of the value"),
    "--repair": (get_args(Level), "what may be mended"),
    "--truncated": (get_args(Truncated), "what to do with a value that the text ends inside"),
}


def indent_width(text: str) -> int:
    """The value of --indent."""
    if not (text.isascii() and text.isdigit() and int(text) <= WIDEST_INDENT):
        raise argparse.ArgumentTypeError(f"{text!r} is no width from 0 to {WIDEST_INDENT}")
    return int(text)


def add(verbs: Verbs) -> None:
    """Describe the arguments."""
    it = verbs.add_parser(
        "extract",
        help="print the JSON of a response (the default)",
        description="Print the JSON of a response: the value that jsonscan.search finds, laid out anew.",
        epilog="example: jsonscan extract --expect object --repair off response.txt",
    )
    it.add_argument(
        "file", nargs="?", default=STDIN, metavar="FILE", help="the response as UTF-8; - or nothing: standard input"
    )
    add_options(it)
    layout = it.add_mutually_exclusive_group()
    layout.add_argument("-c", "--compact", action="store_true", help="on one line, without spaces")
    layout.add_argument(
        "--indent", type=indent_width, metavar="N", help=f"spaces a level, 0 to {WIDEST_INDENT} (default: {INDENT})"
    )
    layout.add_argument("--raw", action="store_true", help="its text as it stands in the response, unmended")


def add_options(verb: argparse.ArgumentParser) -> None:
    """The options of the library, with its defaults."""
    for flag, (choices, about) in CHOICES.items():
        verb.add_argument(
            flag, choices=choices, default=argparse.SUPPRESS, help=f"{about}: {', '.join(choices)}", metavar="HOW"
        )


def options_of(args: argparse.Namespace) -> dict[str, Any]:
    """Those options that were given."""
    return {name: value for name, value in vars(args).items() if f"--{name}" in CHOICES}


def run(args: argparse.Namespace) -> int:
    """Print the answer and a line feed."""
    found = answer(args.file, options_of(args))
    write((for_stdout(found.text) if args.raw else "".join(dump(found.value, indent_of(args)))) + "\n")
    return 0


def answer(path: str, options: dict[str, Any]) -> Match[Any]:
    """What `search` finds in an input. Raises Nothing, and Trouble if it cannot be read."""
    raw = read_text(path)
    try:
        found = search(raw, **options)
    except JSONScanError as error:
        raise Nothing(f"{name_of(path)}: {error}") from None
    if found is None:
        raise Nothing(f"{name_of(path)}: no JSON")
    return found


def indent_of(args: argparse.Namespace) -> int | None:
    """The indentation asked for; None is all on one line."""
    if args.compact:
        return None
    return INDENT if args.indent is None else int(args.indent)
