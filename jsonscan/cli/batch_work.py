"""The rows of a batch: a chunk of the input goes in, a chunk of the output and what is to count come out. Runs in each worker.

JSONL    bytes of whole lines  -> each line as it is, with the new members before its last brace
CSV      a list of rows        -> those rows with the new fields behind them
Parquet  an Arrow stream       -> an Arrow stream with the new columns
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from json.encoder import encode_basestring, encode_basestring_ascii
from typing import Any

from ..machine import parse_at
from ..rows import COLUMNS, Row, encodable, reader
from .batch_zip import PACKERS
from .edges import BadInput, Nothing, Trouble, not_utf8
from .fields import BLANK, dig

Chunk = tuple[bytes, "Counter[str]"]
_WORDS = {True: "true", False: "false", None: "null"}


@dataclass(frozen=True)
class Job:
    """What a worker must know."""

    name: str  # of the input, for messages
    format: str
    column: str
    options: dict[str, Any] = field(default_factory=dict)
    errors: str = "null"
    prefix: str = ""
    at: int = 0  # of the column, where columns are numbered
    delimiter: str = ","
    packing: str = ""  # of the output: a key of PACKERS

    @property
    def names(self) -> tuple[str, ...]:
        """Of the new columns."""
        return tuple(self.prefix + name for name in COLUMNS)

    def clash(self, taken: Iterable[str], where: str) -> None:
        """Raise Trouble if a new column has the name of one that is there."""
        there = [name for name in taken if name in self.names]
        if there:
            raise BadInput(f"{where} has a column {there[0]!r} already: choose a --prefix for the new ones")


def worker(job: Job) -> Callable[[Any, int], Chunk]:
    """What turns a chunk, and the number of the line or row before it, into rows. It raises Trouble, and Nothing under errors="fail"."""
    read, pack = _reader(job), PACKERS[job.packing]
    work = _work_of(job)

    def packed(payload: Any, before: int) -> Chunk:
        counts: Counter[str] = Counter()
        return pack(work(job, read, payload, before, counts)), counts

    return packed


def _work_of(job: Job) -> Callable[[Job, Reader, Any, int, Counter[str]], bytes]:
    if job.format == "parquet":
        from .batch_parquet import batch

        return batch
    return _fields if job.format == "csv" else _lines


Reader = Callable[[object, int, "Counter[str]"], Row]


def _reader(job: Job) -> Reader:
    """`rows.reader`, which counts, and does with a response without a value what `errors` says."""
    row, keep, fail = reader(**job.options), job.errors == "keep", job.errors == "fail"
    unit = "line" if job.format == "jsonl" else "row"

    def read(raw: object, number: int, counts: Counter[str]) -> Row:
        found = row(raw)
        _, ok, _, _, _, complete, repairs, error = found
        if ok:
            if not repairs:
                counts["strict" if complete else "truncated"] += 1
                return found
            counts["repaired" if complete else "truncated"] += 1
            for code in repairs:
                counts[f"repair {code}"] += 1
            return found
        if fail:
            raise Nothing(f"{job.name}: {unit} {number}: {error}")
        counts["truncated" if error == "truncated" else "none"] += 1
        counts[f"error {error}"] += 1
        return (raw, *found[1:]) if keep and isinstance(raw, str) else found

    return read


def _lines(job: Job, read: Reader, payload: bytes, before: int, counts: Counter[str]) -> bytes:
    names, places = frozenset(job.names), job.column.split(".")
    column, deep = job.column, len(places) > 1
    strict, without = _strict_tail(job), dict[str | None, str]()
    pieces: list[str] = []
    for number, line in enumerate(_decoded(job, payload, before).split("\n"), before + 1):
        found = parse_at(line, 0)
        if found is None or line[found[1] :].strip(BLANK):
            if not line.strip(BLANK):
                continue
            raise BadInput(f"{job.name}: line {number}: not JSON")
        row, end = found
        if type(row) is not dict:
            raise BadInput(f"{job.name}: line {number}: no object, so nothing that has columns")
        if not names.isdisjoint(row):
            job.clash(row, f"{job.name}: line {number}")
        raw = row.get(column)
        if raw is None:
            raw = dig(row, places) if deep else None
            if raw is None and number == 1 and column not in row:
                raise no_column(job, row)
        found_row = read(raw, number, counts)
        text, _, source, start, stop, complete, repairs, error = found_row
        head = line[: end - 1] + "," if row else line[: end - 1]
        if complete and not repairs and text is not None:
            pieces.append(strict % (head, encode_basestring(text), source, start, stop))
        elif text is None:
            pieces.append(head + (without.get(error) or without.setdefault(error, _members(job, found_row))))
        else:
            pieces.append(head + _members(job, found_row))
    return "".join(pieces).encode("utf-8")


def _strict_tail(job: Job) -> str:
    """The line of a row that reads strictly, which most are, with places for what differs."""
    quoted = [encode_basestring(name).replace("%", "%%") for name in job.names]
    values = ["%s", "true", '"%s"', "%d", "%d", "true", "[]", "null"]
    return "%s" + ",".join(f"{name}:{value}" for name, value in zip(quoted, values)) + "}\n"


def _members(job: Job, row: Row) -> str:
    """The new members of a line, and its end."""
    return ",".join(f"{encode_basestring(name)}:{_json(value)}" for name, value in zip(job.names, row)) + "}\n"


def _json(value: Any) -> str:
    """The JSON text of what can stand in a row."""
    if isinstance(value, str):
        return encode_basestring(value) if encodable(value) is value else encode_basestring_ascii(value)
    if isinstance(value, tuple):
        return f"[{','.join(map(_json, value))}]"
    return _WORDS[value] if value is None or isinstance(value, bool) else str(value)


def _decoded(job: Job, payload: bytes, before: int) -> str:
    try:
        return payload.decode("utf-8")
    except UnicodeDecodeError as error:
        number = before + payload.count(b"\n", 0, error.start) + 1
        start = payload.rfind(b"\n", 0, error.start) + 1
        raise not_utf8(f"{job.name}: line {number}", payload[start:], error.start - start) from None


def _fields(job: Job, read: Reader, payload: list[list[str]], before: int, counts: Counter[str]) -> bytes:
    out = io.StringIO()
    write, at = csv.writer(out, delimiter=job.delimiter, lineterminator="\n").writerow, job.at
    for number, row in enumerate(payload, before + 1):
        write([*row, *map(_field, read(row[at], number, counts))])
    return out.getvalue().encode("utf-8")


def field_line(job: Job, row: Sequence[str]) -> bytes:
    """One row as it goes out."""
    out = io.StringIO()
    csv.writer(out, delimiter=job.delimiter, lineterminator="\n").writerow(row)
    return out.getvalue().encode("utf-8")


def _field(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return " ".join(value)
    return "" if value is None else _WORDS[value] if isinstance(value, bool) else str(value)


def place_of(job: Job, names: Sequence[str]) -> int:
    """Where the column asked for stands among those that are there. Raises Trouble if that is not one place, or a new one has no place."""
    if job.column not in names:
        raise no_column(job, names)
    if names.count(job.column) > 1:
        raise Trouble(f"{job.name} has {names.count(job.column)} columns {job.column!r}")
    job.clash(names, job.name)
    return names.index(job.column)


def no_column(job: Job, there: Iterable[str]) -> Trouble:
    """What to raise where the column asked for is not among those that are there."""
    return Trouble(
        f"{job.name}: no column {job.column!r}; there are {', '.join(map(repr, there)) or 'none'}: see --column"
    )
