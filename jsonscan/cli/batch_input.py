"""What a batch reads: chunks that can be worked on anywhere, each with the place behind it, from which a later run can go on."""

from __future__ import annotations

import contextlib
import csv
import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import sha256
from stat import S_ISREG
from typing import IO, Any

from .batch_work import Job, field_line, place_of
from .batch_zip import faults, packing_of, unpacked
from .edges import LONGEST, STDIN, BadInput, Trouble, name_of, not_utf8

Place = dict[str, int]
Chunks = Iterator[tuple[Any, int, Place]]  # the payload, the number of the line or row before it, the place behind it
FORMATS = {"jsonl": "jsonl", "ndjson": "jsonl", "csv": "csv", "tsv": "csv", "parquet": "parquet", "pq": "parquet"}
BOM = b"\xef\xbb\xbf"
HEAD = 1 << 16  # bytes of an input that tell it from others


def format_of(path: str) -> str | None:
    """The format that a name's ending tells, behind that of a compression; None if it tells none."""
    if packing_of(path):
        path = path.rpartition(".")[0]
    return FORMATS.get(path.lower().rpartition(".")[2])


class Input(ABC):
    """An input file, open until `close`."""

    header = b""  # what the output starts with
    finisher: Callable[[str, str], None] | None = (
        None  # what makes the file of the rows, where that takes anything more
    )

    def __init__(self, path: str, job: Job, size: int) -> None:
        self.path, self.job, self.size = path, job, size
        if path == STDIN:
            if sys.stdin is None:
                raise Trouble("standard input is closed")
            self.raw: IO[bytes] = sys.stdin.buffer
        else:
            with self.named():
                self.raw = open(path, "rb")  # noqa: SIM115 - until close()
        self.is_file = path != STDIN and S_ISREG(os.fstat(self.raw.fileno()).st_mode)

    def close(self) -> None:
        if self.path != STDIN:
            self.raw.close()

    @abstractmethod
    def open(self) -> Job:
        """Read as much as it takes to know the columns; the job that says which one is meant."""

    @abstractmethod
    def chunks(self, place: Place) -> Chunks:
        """Yield the chunks behind this place."""

    def share(self) -> float | None:
        """How much of it was read, where that can be told."""
        return self.raw.tell() / (os.fstat(self.raw.fileno()).st_size or 1) if self.is_file else None

    def identity(self) -> dict[str, Any] | None:
        """What tells this input, as it is now, from another."""
        if not self.is_file:
            return None
        with self.named(), open(self.path, "rb") as file:
            about = os.fstat(file.fileno())
            return {"size": about.st_size, "mtime": about.st_mtime_ns, "head": sha256(file.read(HEAD)).hexdigest()}

    @contextlib.contextmanager
    def named(self) -> Iterator[None]:
        """Turn what can go wrong while it is read into Trouble."""
        try:
            yield
        except OSError as error:
            raise Trouble(f"{name_of(self.path)}: {error.strerror or error}") from None
        except faults() as error:
            raise BadInput(f"{name_of(self.path)}: damaged or cut short: {error}") from None


class Text(Input):
    """An input of lines, perhaps compressed. A place is an offset in what it holds uncompressed, and the number of lines or rows before."""

    def open(self) -> Job:
        with self.named():
            self.file = unpacked(self.raw, packing_of(self.path))
        self.offset = 0
        return self.job

    def seek(self, offset: int) -> None:
        """Go to an offset. In a compressed file that takes reading up to it."""
        if self.file is self.raw and self.is_file:
            self.offset = self.file.seek(min(offset, os.fstat(self.raw.fileno()).st_size))
        while self.offset < offset and (piece := self.file.read(min(self.size, offset - self.offset))):
            self.offset += len(piece)
        if self.offset < offset:
            raise BadInput(f"{name_of(self.path)} ends before the place that the journal tells")

    def empty(self) -> BadInput:
        return BadInput(f"{name_of(self.path)}: empty")

    def too_long(self, number: int) -> BadInput:
        return BadInput(f"{name_of(self.path)}: line {number} is longer than {LONGEST >> 20} MiB")


class Jsonl(Text):
    """JSON lines: a chunk is the bytes of whole lines."""

    def chunks(self, place: Place) -> Chunks:
        lines = place.get("lines", 0)
        with self.named():
            self.seek(place.get("offset", 0))
            held = b""
            while True:
                # As a chunk depends on where it starts alone, compressed output is the same whether a run was cut short or not.
                piece = self.file.read(
                    min(self.size - len(held) if len(held) < self.size else len(held), LONGEST + 1 - len(held))
                )
                if not piece and not held:
                    if not self.offset:
                        raise self.empty()
                    return
                held += piece
                cut = held.rfind(b"\n") + 1 if piece else len(held)
                if len(held) - cut > LONGEST:
                    raise self.too_long(lines + held.count(b"\n") + 1)
                if cut:
                    payload, held = held[:cut], held[cut:]
                    before, lines = lines, lines + payload.count(b"\n")
                    if not self.offset and payload.startswith(BOM):
                        payload = payload[len(BOM) :]
                    self.offset += cut
                    yield payload, before, {"offset": self.offset, "lines": lines}


class Csv(Text):
    """Rows of fields under a header: a chunk is a list of rows, each a list of fields."""

    def open(self) -> Job:
        super().open()
        csv.field_size_limit(LONGEST)
        delimiter = "\t" if ".tsv" in self.path.lower()[-8:] else ","
        self.lines = 0
        with self.named():
            self.rows = csv.reader(self._text(), delimiter=delimiter, strict=True)
            header = self._next()
        if header is None:
            raise self.empty()
        self.width = len(header)
        self.job = replace(self.job, at=place_of(self.job, header), delimiter=delimiter)
        self.header = field_line(self.job, [*header, *self.job.names])
        return self.job

    def _text(self) -> Iterator[str]:
        """Yield the lines, and count them and their bytes."""
        while line := self.file.readline(LONGEST + 1):
            self.lines += 1
            self.offset += len(line)
            if len(line) > LONGEST:
                raise self.too_long(self.lines)
            try:
                yield line.decode("utf-8-sig" if self.offset == len(line) else "utf-8")
            except UnicodeDecodeError as error:
                raise not_utf8(f"{name_of(self.path)}: line {self.lines}", line, error.start) from None

    def _next(self) -> list[str] | None:
        """The next row that is not a blank line; None at the end."""
        try:
            return next((row for row in self.rows if row), None)
        except csv.Error as error:
            why = str(error).partition(" - ")[0]  # without what a program could do about it
            raise BadInput(f"{name_of(self.path)}: line {self.lines}: {why}") from None

    def chunks(self, place: Place) -> Chunks:
        with self.named():
            number, before = place.get("rows", 0), place.get("rows", 0)
            if place:
                self.seek(place["offset"])
                self.lines = place["lines"]
            held: list[list[str]] = []
            since = self.offset
            while (row := self._next()) is not None:
                if len(row) != self.width:
                    raise BadInput(
                        f"{name_of(self.path)}: line {self.lines}: {len(row)} fields, and {self.width} in the header"
                    )
                number += 1
                held.append(row)
                if self.offset - since >= self.size:
                    yield held, before, {"offset": self.offset, "lines": self.lines, "rows": number}
                    held, since, before = [], self.offset, number
            if held:
                yield held, before, {"offset": self.offset, "lines": self.lines, "rows": number}


def input_of(path: str, job: Job, size: int) -> Input:
    """The input that reads the format of the job."""
    if job.format == "parquet":
        from .batch_parquet import Parquet

        return Parquet(path, job, size)
    return (Csv if job.format == "csv" else Jsonl)(path, job, size)
