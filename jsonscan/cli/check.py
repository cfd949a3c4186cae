"""`jsonscan check`: report files that are not strict JSON, for pre-commit and CI."""

from __future__ import annotations

import argparse
from typing import Any

from .. import JSONScanError, repair
from ..repairs import RISKS
from .edges import add_exit_zero, add_files, for_each, name_of, printable, read_text, write
from .find import property_of
from .options import TEXT_CHOICES, add_format, add_options, options_of

FORMATS = {
    "text": "{file}:{line}:{column}: {about}",
    "github": "::error file={property},line={line},col={column}::{about}",
}
# Whatever has a repair is a finding of its own, and reading goes on behind it.
ALL_MENDED: dict[str, Any] = {"repair": "full", "nonfinite": "null"}
SHOWN = 40  # characters of what an edit removes or inserts


def add(it: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    it.description = (
        "Report each file that is not strict JSON from its first character to its last, as FILE:LINE:COLUMN: CODE. "
        "With --allow, deviations of these codes are accepted (conformance/REPAIR.md lists them)."
    )
    it.epilog = "example: jsonscan check --allow comment --allow trailing-comma examples/settings.json && echo good"
    add_files(it, "text that should be JSON, as UTF-8")
    add_options(it, {name: TEXT_CHOICES[name] for name in ("expect", "duplicate_keys")}, expect="any")
    it.add_argument(
        "--allow",
        action="append",
        default=[],
        type=code,
        metavar="CODE",
        help="accept what this repair would mend; can be repeated",
    )
    add_format(it, FORMATS)
    add_exit_zero(it)


def code(text: str) -> str:
    """The value of --allow."""
    if text not in RISKS:
        raise argparse.ArgumentTypeError(f"{text!r} is no code of a repair; those are {', '.join(sorted(RISKS))}")
    return text


def run(args: argparse.Namespace) -> int:
    """Print the findings."""
    return for_each(args.files, lambda path: checked(path, args))


def checked(path: str, args: argparse.Namespace) -> int:
    """Print the findings in one input: each edit that strict JSON would take, or the one fault that none can mend."""
    text = read_text(path, args.max_bytes)
    options = ALL_MENDED | options_of(args)
    if "truncated" in args.allow:
        options["truncated"] = "keep"
    try:
        edits = repair(text, **options).repairs
        faults = [
            (edit.start, f"{edit.code}: {shown(edit.removed)} should be {shown(edit.inserted)}")
            for edit in edits
            if edit.code not in args.allow
        ]
    except JSONScanError as error:
        faults = [(error.pos, f"{error.code}: {error.msg}")]
    for pos, about in faults:
        line, column = text.count("\n", 0, pos) + 1, pos - text.rfind("\n", 0, pos)
        finding = FORMATS[args.format].format(
            file=printable(name_of(path)),
            property=property_of(name_of(path)),
            line=line,
            column=column,
            about=printable(about),
        )
        write(finding + "\n")
    return int(bool(faults))


def shown(text: str) -> str:
    """What an edit removes or inserts, shortened, in words where there is nothing."""
    return repr(text if len(text) <= SHOWN else text[: SHOWN - 3] + "...") if text else "nothing"
