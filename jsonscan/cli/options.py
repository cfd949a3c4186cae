"""The options of the library on the command line, and the ways to lay out a value."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Iterable
from typing import Any

# What the library accepts, said again here so that usage and help need not load it; a test holds the two together.
CHOICES = {
    "select": (("answer", "first", "last", "largest", "sole"), "which value, where there are several"),
    "expect": (("any", "object", "array", "container"), "kind of the value"),
    "repair": (("off", "safe", "full"), "what may be mended"),
    "truncated": (("raise", "keep"), "what to do with a value that the text ends inside"),
}
# argparse takes any integer; a wider indentation than this is a slip, not a style.
WIDEST_INDENT = 16
INDENT = 2


def add_options(it: argparse.ArgumentParser, names: Iterable[str] = CHOICES) -> None:
    """Options of the library, with its defaults."""
    for name in names:
        choices, about = CHOICES[name]
        it.add_argument(
            f"--{name}",
            choices=choices,
            default=argparse.SUPPRESS,
            help=f"{about}: {', '.join(choices)}",
            metavar="HOW",
        )


def options_of(args: argparse.Namespace) -> dict[str, Any]:
    """Those options that were given."""
    return {name: value for name, value in vars(args).items() if name in CHOICES}


def add_format(it: argparse.ArgumentParser, formats: Collection[str]) -> None:
    """How a line of the output is written; `text` unless said otherwise."""
    it.add_argument(
        "--format",
        choices=tuple(formats),
        default="text",
        metavar="HOW",
        help=f"one of {', '.join(formats)} (default: text)",
    )


def add_layout(it: argparse.ArgumentParser) -> Any:
    """Ways to lay out a value, of which one can be taken."""
    layout = it.add_mutually_exclusive_group()
    layout.add_argument("-c", "--compact", action="store_true", help="on one line, without spaces")
    layout.add_argument(
        "--indent", type=indent_width, metavar="N", help=f"spaces a level, 0 to {WIDEST_INDENT} (default: {INDENT})"
    )
    return layout


def indent_width(text: str) -> int:
    """The value of --indent."""
    if not (text.isascii() and text.isdigit() and int(text) <= WIDEST_INDENT):
        raise argparse.ArgumentTypeError(f"{text!r} is no width from 0 to {WIDEST_INDENT}")
    return int(text)


def pointer(text: str) -> str:
    """The value of an option that is a JSON Pointer."""
    if text and not text.startswith("/"):
        raise argparse.ArgumentTypeError(f"{text!r} is no JSON Pointer: it starts with a slash, or is empty")
    return text
