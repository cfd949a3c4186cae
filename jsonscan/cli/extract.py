"""`jsonscan extract`: print the JSON of a response."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from .. import ExtractJsonError, extract_json, extract_json_object
from ..machine import parse_at
from .edges import STDIN, Nothing, for_stdout, name_of, read_text, write
from .output import dump

if TYPE_CHECKING:
    from . import Verbs

# argparse takes any integer; a wider indentation than this is a slip, not a style.
WIDEST_INDENT = 16
INDENT = 2
WHAT = {
    "no-json": "no JSON object or array",
    "unbalanced": "a JSON value that never closes",
    "parse-failed": "something like JSON that does not parse",
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
        description="Print the JSON of a response: the value that jsonscan.extract_json finds, laid out anew.",
        epilog="example: jsonscan extract --indent 4 response.txt",
    )
    it.add_argument(
        "file", nargs="?", default=STDIN, metavar="FILE", help="the response as UTF-8; - or nothing: standard input"
    )
    layout = it.add_mutually_exclusive_group()
    layout.add_argument("-c", "--compact", action="store_true", help="on one line, without spaces")
    layout.add_argument(
        "--indent", type=indent_width, metavar="N", help=f"spaces a level, 0 to {WIDEST_INDENT} (default: {INDENT})"
    )
    layout.add_argument(
        "--raw",
        action="store_true",
        help="the first object that parses, as it stands in the response (jsonscan.extract_json_object)",
    )


def run(args: argparse.Namespace) -> int:
    """Print the answer and a line feed."""
    raw = read_text(args.file)
    try:
        text = for_stdout(first_object(raw)) if args.raw else "".join(dump(answer(raw), indent_of(args)))
    except Nothing as nothing:
        raise Nothing(f"{name_of(args.file)}: {nothing}") from None
    write(text + "\n")
    return 0


def indent_of(args: argparse.Namespace) -> int | None:
    """The indentation asked for; None is all on one line."""
    if args.compact:
        return None
    return INDENT if args.indent is None else int(args.indent)


def answer(raw: str) -> Any:
    """The value that `extract_json` finds. Raises Nothing."""
    try:
        return extract_json(raw)
    except ExtractJsonError as error:
        raise Nothing(WHAT[error.code]) from None


def first_object(raw: str) -> str:
    """The slice that `extract_json_object` finds. Raises Nothing."""
    found = extract_json_object(raw)
    # That function answers with its whole input both where the input is one object and where it found none.
    if found == raw and (not raw.startswith("{") or _end_of_value(raw) != len(raw)):
        raise Nothing("no JSON object that parses")
    return found


def _end_of_value(raw: str) -> int:
    """The offset behind the strict JSON value that the text starts with, -1 if it starts with none."""
    read = parse_at(raw, 0)
    return -1 if read is None else read[1]
