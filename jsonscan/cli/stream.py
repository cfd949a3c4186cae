"""`jsonscan stream`: print the value so far while a response arrives."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from .. import JSONScanError, Stream
from ..stream import _found, _places
from .edges import STDIN, Nothing, Trouble, add_exit_zero, arriving, name_of, write
from .options import add_options, options_of, pointer
from .output import dump


def add(it: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    it.description = (
        "Read a response as it arrives, and print the value so far on a line whenever it has changed; the last line is the answer. "
        "A line costs its length, so a long response had better be followed by --items or --delta."
    )
    it.epilog = "example: jsonscan stream --items /pros < examples/response.txt"
    it.add_argument(
        "file", nargs="?", default=STDIN, metavar="FILE", help="the response, as UTF-8; - or none: standard input"
    )
    add_options(it)
    what = it.add_mutually_exclusive_group()
    what.add_argument(
        "--items",
        type=pointer,
        metavar="PATH",
        help="print each item of the array at this JSON Pointer once it is finished",
    )
    what.add_argument("--delta", action="store_true", help="print what has changed, as a list of RFC 6902 operations")
    add_exit_zero(it)


def run(args: argparse.Namespace) -> int:
    """Print lines until the input ends. Raises Nothing where it holds no answer, or no array where the items were to be."""
    stream = Stream(**options_of(args))
    show = items(stream, args.items) if args.items is not None else deltas(stream) if args.delta else snapshots(stream)
    for chunk in arriving(args.file):
        stream.feed(chunk)
        next(show)
    try:
        found = stream.close()
        if found is not None:
            next(show)  # that items are of another value than the answer is an error as well
    except JSONScanError as error:
        kind = Trouble if error.code == "encoding" else Nothing
        raise kind(f"{name_of(args.file)}: {error}") from None
    if found is None:
        raise Nothing(f"{name_of(args.file)}: no JSON")
    if args.items is not None and not is_array(found.value, args.items):
        raise Nothing(f"{name_of(args.file)}: no array at {args.items or 'the root'}")
    return 0


def is_array(value: Any, path: str) -> bool:
    """Whether an array stands at this place, though its items were handed out."""
    try:
        return isinstance(_found(value, _places(path)), list)
    except LookupError:
        return False


def line(value: Any) -> None:
    write("".join(dump(value, None)) + "\n")


def snapshots(stream: Stream) -> Iterator[None]:
    """Print the value whenever it has changed since the last look."""
    while True:
        if stream.delta():
            line(stream.value)
        yield


def deltas(stream: Stream) -> Iterator[None]:
    """Print the changes since the last look, where there are any."""
    while True:
        operations = stream.delta()
        if operations:
            line(operations)
        yield


def items(stream: Stream, path: str) -> Iterator[None]:
    """Print the items that are finished since the last look."""
    while True:
        for item in stream.items(path):
            line(item)
        yield
