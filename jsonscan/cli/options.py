"""The options of the library on the command line, and the ways to lay out a value."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection
from typing import Any

from ..errors import way_out

# What the library accepts, said again here so that usage and help need not load it; a test holds the two together.
CHOICES = {
    "select": (("answer", "first", "last", "largest", "sole"), "which value, where there are several"),
    "expect": (("any", "object", "array", "container"), "kind of the value"),
    "repair": (("off", "safe", "full"), "what may be mended"),
    "truncated": (("raise", "keep"), "what to do with a value that the text ends inside"),
    "duplicate_keys": (("last", "first", "raise"), "which member counts, where two of an object have one name"),
    "nonfinite": (("raise", "null"), "what to do with the words NaN and Infinity, which are no JSON"),
    "big_int": (("exact", "float", "str"), "what becomes of integers beyond 2**53 - 1"),
}
DEFAULTS = {
    "select": "answer", "expect": "container", "repair": "safe", "truncated": "raise", "duplicate_keys": "last",
    "nonfinite": "raise", "big_int": "exact",
}  # fmt: skip
# Where a value goes out as the text that it is, its integers stay, and so do both of two members with one name.
TEXT_CHOICES = {name: about for name, about in CHOICES.items() if name != "big_int"} | {
    "duplicate_keys": (("last", "raise"), "whether two members of an object may have one name")
}
# argparse takes any integer; a wider indentation than this is a slip, not a style.
WIDEST_INDENT = 16
INDENT = 2


def add_options(
    it: argparse.ArgumentParser, choices: dict[str, tuple[tuple[str, ...], str]] = CHOICES, without: Collection[str] = (), **defaults: str
) -> None:
    """Options of the library, with its defaults, or those of the function that is called."""
    for name, (values, about) in choices.items():
        if name not in without:
            it.add_argument(
                f"--{name.replace('_', '-')}",
                choices=values,
                default=argparse.SUPPRESS,
                help=f"{about}: {', '.join(values)} (default: {(DEFAULTS | defaults)[name]})",
                metavar="HOW",
            )


def options_of(args: argparse.Namespace) -> dict[str, Any]:
    """Those options that were given."""
    return {name: value for name, value in vars(args).items() if name in CHOICES}


def read_instead(read: Callable[..., object], raw: str, options: dict[str, Any]) -> str:
    """What to say behind an error of `read` under these options: which ones would have read the text, if some would. O(text)."""

    def tried(**way: str) -> object:
        return not way.items() <= (DEFAULTS | options).items() and read(raw, **options | way)

    return instead(way_out(tried))


def instead(way: dict[str, str]) -> str:
    """What to say behind an error of the options that would have read the text, if there are some."""
    named = " ".join(f"--{name.replace('_', '-')} {value}" for name, value in way.items())
    return f"; {named} would read it" if way else ""


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
