"""`jsonscan batch`: add columns to a file of many responses."""

from __future__ import annotations

import argparse
import os
from collections import Counter
from contextlib import closing
from typing import Any

from .. import __version__
from .batch_input import FORMATS, Input, format_of, input_of
from .batch_output import START, AlreadyDone, Journalled, Standard, files_of
from .batch_pool import results
from .batch_work import Job
from .batch_zip import PACKERS, packing_of
from .edges import STDIN, BadInput, Nothing, Trouble, add_exit_zero, is_device, name_of, say, spare
from .options import TEXT_CHOICES, add_options, options_of
from .progress import Progress, duration

CHUNK = 1024  # KiB
MOST_WORKERS = 256
KINDS = ("strict", "repaired", "truncated", "none")


def add(it: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    it.description = (
        "Read the responses in one column of a file and write the file again with the columns json, ok, source, start, end, complete, "
        "repairs and error behind its own. JSONL, CSV, TSV and Parquet, by ending; .gz and .zst behind it. docs/batch.md says more."
    )
    it.epilog = "example: jsonscan batch -q --column response examples/responses.jsonl"
    it.add_argument("file", nargs="?", default=STDIN, metavar="FILE", help="the input; - or none: standard input")
    it.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        help="the output, in the format of the input; it is there once it is whole (default: standard output)",
    )
    it.add_argument(
        "--format",
        choices=sorted(set(FORMATS.values())),
        metavar="HOW",
        help="where no ending tells it: jsonl, csv or parquet",
    )
    it.add_argument(
        "--column",
        default="response",
        metavar="NAME",
        help="the column with the responses; in JSONL also a path as in a.0.b (default: response)",
    )
    it.add_argument("--prefix", default="", metavar="TEXT", help="what the names of the new columns start with")
    add_options(it, TEXT_CHOICES)
    it.add_argument(
        "--errors", choices=("null", "keep", "fail"), default="null", metavar="HOW",
        help="where a response has no JSON, json is null, or the response itself (keep), or the run ends (fail) (default: null)",
    )  # fmt: skip
    it.add_argument(
        "--workers", type=number(1, MOST_WORKERS), default=1, metavar="N", help="processes that read (default: 1)"
    )
    it.add_argument(
        "--resume",
        action="store_true",
        help="go on where a run of the same line was cut short, or see that it is done; OUT.part and OUT.journal tell",
    )
    it.add_argument(
        "--chunk",
        type=number(1, 1 << 16),
        default=CHUNK,
        metavar="KIB",
        help=f"how much is read at a time (default: {CHUNK})",
    )
    it.add_argument(
        "--checkpoint", type=seconds, default=1.0, metavar="SECONDS", help="how much work a crash may cost (default: 1)"
    )
    it.add_argument("--no-progress", action="store_true", help="no progress, also on a terminal")
    it.add_argument("-q", "--quiet", action="store_true", help="no summary at the end, nor that a run was done already")
    add_exit_zero(it)


def number(least: int, most: int) -> Any:
    """The type of an option that is a whole number in this range."""

    def parsed(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 10 and least <= int(text) <= most):
            raise argparse.ArgumentTypeError(f"{text!r} is no number from {least} to {most}")
        return int(text)

    return parsed


def seconds(text: str) -> float:
    """The value of --checkpoint."""
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds")
    return value


def run(args: argparse.Namespace) -> int:
    """Do the whole input."""
    job = job_of(args)
    with closing(input_of(args.file, job, args.chunk << 10)) as source:
        job = source.open()
        try:
            output = output_of(args, job, source)
        except AlreadyDone:
            if not args.quiet:
                say(f"{args.output}: done already")
            return 0
        progress = Progress(not args.no_progress)
        with closing(output):
            try:
                went(source, job, output, args.workers, progress)
            except Nothing:
                output.discard()
                raise
            except Trouble as trouble:
                raise Trouble("; ".join([str(trouble), *leave(args, output, trouble)])) from None
            except BaseException as error:
                for hint in leave(args, output, error):
                    say(hint)
                raise
    if not args.quiet:
        summarise(output.state.counts, progress)
    return 0


def leave(args: argparse.Namespace, output: Journalled | Standard, why: BaseException) -> list[str]:
    """End before the end: keep what another run can go on from. What is to be said of that, if there is any."""
    if output.state == START:
        output.discard()
        return []
    output.leave()
    if args.output is None or args.file == STDIN:
        return []
    if isinstance(why, BadInput):
        return ["--resume would stop there again: mend the input and start anew"]
    return [f"{args.output} is not done, and the same again with --resume goes on where it stopped"]


def went(source: Input, job: Job, output: Journalled | Standard, workers: int, progress: Progress) -> None:
    """Take every chunk from the input through the workers to the output."""
    first = output.state.counts
    if output.state == START and source.header:
        output.append(PACKERS[job.packing](source.header), {}, Counter())
    with closing(progress):
        if not output.ended:
            for (data, counts), place in results(job, source.chunks(output.state.place), workers):
                output.append(data, place, counts)
                done = output.state.counts - first
                progress.update(rows_of(done), done["truncated"] + done["none"], source.share())
        output.finish(source.finisher)


def job_of(args: argparse.Namespace) -> Job:
    """What the workers are to do. Raises Trouble where the arguments do not fit together."""
    if os.path.isdir(args.file):
        raise Trouble(f"{args.file}: is a directory")
    how = args.format or format_of(args.file) or ("jsonl" if args.file == STDIN else None)
    if how is None:
        raise Trouble(f"{args.file}: its ending tells no format: say --format")
    if args.output is not None:
        if (args.format or format_of(args.output)) != how:
            raise Trouble(f"{args.output}: the output has the format of the input, {how}")
        if is_device(args.output) or os.path.isdir(args.output):
            raise Trouble(f"{args.output}: is no file; leave --output out for standard output")
        for path in files_of(os.path.realpath(args.output)):
            spare(path, [args.file])
    elif how == "parquet":
        raise Trouble("Parquet is written to a file: say --output")
    if args.resume and (args.output is None or args.file == STDIN):
        raise Trouble("--resume wants a FILE and an --output")
    packing = packing_of(args.output) if args.output is not None and how != "parquet" else ""
    return Job(name_of(args.file), how, args.column, options_of(args), args.errors, args.prefix, packing=packing)


def output_of(args: argparse.Namespace, job: Job, source: Input) -> Journalled | Standard:
    """Where the rows go. Raises AlreadyDone."""
    if args.output is None:
        return Standard()
    if args.resume and not source.is_file:
        raise Trouble(f"{args.file}: is no file, so no place in it can be gone back to")
    this = {
        "jsonscan": __version__, "input": source.identity(), "format": job.format, "column": job.column,
        "options": job.options, "errors": job.errors, "prefix": job.prefix, "packing": job.packing,
    }  # fmt: skip
    return Journalled(os.path.realpath(args.output), this, args.resume, args.checkpoint)


def rows_of(counts: Counter[str]) -> int:
    return sum(counts[kind] for kind in KINDS)


def summarise(counts: Counter[str], progress: Progress) -> None:
    """Say what was found in all the rows, of runs before that this one went on from as well."""
    rows, took = rows_of(counts), progress.seconds()
    say(f"{rows:,} rows, {duration(took)}: {', '.join(f'{counts[kind]:,} {kind}' for kind in KINDS)}")
    for what, title in (("repair", "repairs, by the rows that had them"), ("error", "rows without JSON, by why")):
        found = sorted((-count, name) for name, count in counts.items() if name.startswith(f"{what} "))
        if found:
            say(f"{title}: {', '.join(f'{name.removeprefix(what + chr(32))} {-count:,}' for count, name in found)}")
