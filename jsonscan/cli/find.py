"""`jsonscan find`: list every JSON value in responses, and where it stands."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import Any

from .. import JSONScanError, Match, Options
from ..answers import Outcome
from ..candidates import BROKEN, CUT
from ..records import asdict
from .edges import (
    STDIN,
    Nothing,
    Trouble,
    add_exit_zero,
    add_files,
    for_each,
    name_of,
    printable,
    read_text,
    save,
    say,
    spare,
    write,
)
from .options import TEXT_CHOICES, add_format, add_options, options_of
from .output import dump

KINDS = {
    dict: "object",
    list: "array",
    str: "string",
    bool: "boolean",
    int: "number",
    float: "number",
    type(None): "null",
}


def add(it: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    it.description = (
        "List every top-level JSON value, in text order: FILE:LINE:COLUMN: KIND SOURCE REPAIRS. "
        "How many were left out because they are broken or cut off is said on standard error."
    )
    it.epilog = "example: jsonscan find --format jsonl examples/response.txt"
    add_files(it, "a response, as UTF-8")
    add_options(it, TEXT_CHOICES, without=["select"])
    it.add_argument("--fragments", action="store_true", help="also strict values inside broken ones")
    add_format(it, FORMATS)
    it.add_argument(
        "--html",
        metavar="PAGE",
        help="write one HTML page that shows the response and what was found in it; - is standard output",
    )
    add_exit_zero(it)


def run(args: argparse.Namespace) -> int:
    """Print one line a value, or write the page."""
    if args.html is None:
        return for_each(args.files, lambda path: listed(path, args))
    if len(args.files) > 1:
        raise Trouble("--html shows one response: give one FILE")
    if args.html != STDIN:
        spare(args.html, args.files)
    return shown(args.files[0], args)


def listed(path: str, args: argparse.Namespace) -> int:
    """Print what is found in one input."""
    text, line = read_text(path, args.max_bytes), FORMATS[args.format]
    try:
        outcome = Outcome(text, Options(fragments=args.fragments, **options_of(args)))
        found = outcome.every()
    except JSONScanError as error:
        raise Nothing(f"{name_of(path)}: {error}") from None
    for match, place in zip(found, places(text, found)):
        write(line(path, match, place) + "\n")
    left = " and ".join(f"{count} {what}" for what, count in left_out(outcome).items() if count)
    if left:
        say(f"{name_of(path)}: left out: {left}; see --repair, --truncated and --fragments")
    return int(not found)


def places(text: str, found: list[Match[Any]]) -> Iterator[tuple[int, int]]:
    """Line and column of each; together they take O(text), where `lineno` of each counts from the start."""
    line, head, at = 1, 0, 0
    for match in found:
        line += text.count("\n", at, match.start)
        head = text.rfind("\n", at, match.start) + 1 or head
        at = match.start
        yield line, at - head + 1


def left_out(outcome: Outcome) -> dict[str, int]:
    """How many values were found that are not given out, by what is wrong with them."""
    tried = outcome._search.found if outcome._search is not None else []
    given = {id(each) for each in outcome.usable()} if tried else set()
    qualities = [each.quality for each in tried if id(each) not in given]
    return {"broken": qualities.count(BROKEN), "cut off": qualities.count(CUT)}


def shown(path: str, args: argparse.Namespace) -> int:
    """Write the page of one input."""
    from ..page import page

    html = page(read_text(path, args.max_bytes), title=name_of(path), fragments=args.fragments, **options_of(args))
    if args.html == STDIN:
        write(html)
    else:
        save(args.html, html)
    return 0


def as_text(path: str, match: Match[Any], place: tuple[int, int]) -> str:
    """For people and editors."""
    return f"{printable(name_of(path))}:{place[0]}:{place[1]}: {KINDS[type(match.value)]} {match.source} {codes(match)}"


def as_json(path: str, match: Match[Any], place: tuple[int, int]) -> str:
    """For programs. Offsets are code points from 0, lines and columns count from 1."""
    fact = {
        "file": name_of(path), "line": place[0], "column": place[1], "start": match.start, "end": match.end,
        "kind": KINDS[type(match.value)], "source": match.source, "fence": match.fence, "complete": match.complete,
        "truncated_at": match.truncated_at, "repairs": [asdict(repair) for repair in match.repairs], "text": match.text,
    }  # fmt: skip
    return "".join(dump(fact, None))


def as_github(path: str, match: Match[Any], place: tuple[int, int]) -> str:
    """A workflow command: a notice at the line."""
    about = f"{KINDS[type(match.value)]} {match.source} {codes(match)}"
    return f"::notice file={property_of(name_of(path))},line={place[0]},col={place[1]}::{about}"


def property_of(text: str) -> str:
    """Text as the value of a workflow command's property."""
    for char in "%\r\n:,":
        text = text.replace(char, f"%{ord(char):02X}")
    return printable(text)


def codes(match: Match[Any]) -> str:
    """What was mended, each code once; `strict` where nothing was."""
    found = dict.fromkeys(repair.code for repair in match.repairs)
    if not match.complete:
        found["truncated"] = None
    return ",".join(found) or "strict"


FORMATS: dict[str, Callable[[str, Match[Any], tuple[int, int]], str]] = {"text": as_text, "jsonl": as_json, "github": as_github}
