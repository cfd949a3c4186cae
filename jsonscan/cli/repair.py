"""`jsonscan repair`: turn text that is meant to be JSON into JSON."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import Any

from .. import InvalidJSONError, JSONScanError, Repaired
from .. import repair as mend
from ..records import asdict
from .edges import (
    STDIN,
    Nothing,
    Trouble,
    add_files,
    for_each,
    for_stdout,
    in_colour,
    is_same_file,
    name_of,
    read_text,
    save,
    spare,
    write,
)
from .options import TEXT_CHOICES, add_options, options_of, read_instead
from .output import dump

COLOURS = {"+": "\x1b[32m", "-": "\x1b[31m", "@": "\x1b[36m"}
PLAIN = "\x1b[0m"


def add(it: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    it.description = (
        "Print each input as strict JSON. The whole input is meant to be JSON; what is JSON already comes out as it is."
    )
    it.epilog = "example: jsonscan repair --diff examples/settings.json"
    add_files(it, "text that is meant to be JSON, as UTF-8")
    add_options(it, TEXT_CHOICES, without=["select"], expect="any")
    where = it.add_mutually_exclusive_group()
    where.add_argument("--diff", action="store_true", help="print what would change, as a unified diff")
    where.add_argument(
        "-i",
        "--in-place",
        action="store_true",
        help="write it to the file itself, all or nothing; its permissions stay",
    )
    it.add_argument("--report", metavar="REPORT", help="write the edits to this file, as JSON lines")


def run(args: argparse.Namespace) -> int:
    """Mend each input; then write the report."""
    if args.in_place and STDIN in args.files:
        raise Trouble("--in-place wants a file, not standard input")
    if args.report is not None:
        spare(args.report, args.files)
        if not args.in_place and is_same_file(args.report, sys.stdout):
            raise Trouble(f"{args.report}: the report would take the place of what goes to standard output")
    report: list[str] = []
    status = for_each(args.files, lambda path: mended(path, args, report))
    if args.report is not None:
        save(args.report, "".join(report))
    return status


def mended(path: str, args: argparse.Namespace, report: list[str]) -> int:
    """Mend one input, and add its edits to the report."""
    raw = read_text(path, args.max_bytes)
    result = strict(raw, name_of(path), options_of(args))
    report += ("".join(dump({"file": name_of(path), **asdict(edit)}, None)) + "\n" for edit in result.repairs)
    if args.diff:
        write("".join(difference(raw, result.text, name_of(path))))
    elif not args.in_place:
        write(for_stdout(result.text) + ("" if result.text.endswith("\n") else "\n"))
    elif result.changed:
        save(path, result.text)
    return 0


def strict(raw: str, name: str, options: dict[str, Any]) -> Repaired:
    """What `jsonscan.repair` makes of it. Raises Nothing, which says what would have helped, if some option would."""
    try:
        return mend(raw, **options)
    except InvalidJSONError as error:
        raise Nothing(f"{name}: {error}{read_instead(mends, raw, options)}") from None
    except JSONScanError as error:
        raise Nothing(f"{name}: {error}") from None


def mends(raw: str, **options: Any) -> bool:
    """Whether these options mend it, and not by putting all of it, prose perhaps, in quotes."""
    return not isinstance(mend(raw, **options).value, str)


def difference(old: str, new: str, name: str) -> Iterator[str]:
    """Yield the lines of a unified diff, in colour where that is welcome."""
    from difflib import unified_diff

    colours = COLOURS if in_colour() else {}
    for line in unified_diff(lines_of(old), lines_of(new), name, f"{name} (repaired)", lineterm=""):
        colour = colours.get(line[0], "")
        yield f"{colour}{for_stdout(line)}{PLAIN if colour else ''}\n"


def lines_of(text: str) -> list[str]:
    """The lines, which end with LF alone; as in a diff, a last one without it is marked."""
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else [*lines[:-1], lines[-1] + "\n\\ No newline at end of file"]
