"""`jsonscan extract`: print the JSON of responses."""

from __future__ import annotations

import argparse
from typing import Any

from .. import InvalidJSONError, JSONScanError, Match, fullmatch, search
from .edges import (
    LONGEST,
    Nothing,
    Trouble,
    add_exit_zero,
    add_files,
    for_each,
    for_stdout,
    input_lines,
    name_of,
    read_text,
    say,
    write,
)
from .fields import dig, line_value, steps
from .options import INDENT, add_layout, add_options, instead, options_of, read_instead
from .output import dump


def add(it: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    it.description = "Print the JSON of each response: the value that jsonscan.search finds, laid out anew."
    it.epilog = "example: jsonscan extract --expect object --repair off -c examples/response.txt"
    add_files(it, "a response, as UTF-8")
    add_options(it)
    add_layout(it).add_argument("--raw", action="store_true", help="its text as it stands in the response, unmended")
    it.add_argument(
        "--lines",
        action="store_true",
        help="each line of the input is JSON that holds a response; each line of the output its JSON, or null; "
        f"--max-bytes is for a line then (default: {LONGEST})",
    )
    it.add_argument(
        "--field",
        metavar="PATH",
        help="with --lines: where the response stands in the line, as in choices.0.message.content",
    )
    add_exit_zero(it)


def run(args: argparse.Namespace) -> int:
    """Print the answer of each input, and a line feed."""
    if args.field is not None and not args.lines:
        raise Trouble("--field is for --lines")
    if args.raw and args.lines:
        raise Trouble("--raw and --lines exclude each other: a slice can hold line feeds")
    return for_each(args.files, lambda path: (of_lines if args.lines else of_file)(path, args))


def of_file(path: str, args: argparse.Namespace) -> int:
    """Print the answer in one input."""
    found = answer(read_text(path, args.max_bytes), name_of(path), options_of(args))
    indent = None if args.compact else INDENT if args.indent is None else args.indent
    write((for_stdout(found.text) if args.raw else "".join(dump(found.value, indent))) + "\n")
    return 0


def of_lines(path: str, args: argparse.Namespace) -> int:
    """Print the answer of each line, as soon as the line is there."""
    options, places, name = options_of(args), steps(args.field), name_of(path)
    none = 0
    for number, line in input_lines(path, args.max_bytes or LONGEST):
        if not line.strip():
            continue
        response = dig(line_value(line, name, number), places)
        try:
            if not isinstance(response, str):
                raise Nothing(
                    f"{name}: line {number}: no text at {args.field}"
                    if places
                    else f"{name}: line {number}: no string; name its --field"
                )
            value = answer(response, f"{name}: line {number}", options).value
        except Nothing as nothing:
            say(nothing)
            value, none = None, none + 1
        write("".join(dump(value, args.indent)) + "\n")
    return int(none > 0)


def answer(raw: str, name: str, options: dict[str, Any]) -> Match[Any]:
    """What `search` finds. Raises Nothing, which says what would have helped, if some option would."""
    try:
        found = search(raw, **options)
    except InvalidJSONError as error:
        raise Nothing(f"{name}: {error}{read_instead(search, raw, options)}") from None
    except JSONScanError as error:
        raise Nothing(f"{name}: {error}") from None
    if found is None:
        scalar = {"expect": "any"}
        raise Nothing(f"{name}: no JSON{instead(scalar if fullmatch(raw, **options | scalar) else {})}")
    return found
