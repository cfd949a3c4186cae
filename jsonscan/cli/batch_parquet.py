"""Parquet in a batch. A Parquet file has its footer at the end and cannot be added to, so the rows go to OUT.part as Arrow streams, one
a chunk, and are made one Parquet file when all are there. Needs pyarrow, and is loaded for Parquet only."""

from __future__ import annotations

import io
from collections import Counter
from dataclasses import replace
from typing import Any

from .batch_input import Chunks, Input, Place
from .batch_work import Job, Reader, place_of, worker
from .edges import STDIN, BadInput, Trouble, name_of

BATCH_ROWS = 4096  # of a chunk
GROUP_ROWS, GROUP_BYTES = 1 << 16, 64 << 20  # of a row group of the output


def to_parquet(streams: str, path: str) -> None:
    """Make one Parquet file of Arrow streams, one behind the other. Memory holds one row group."""
    import pyarrow as pa
    from pyarrow import parquet

    with pa.OSFile(streams) as file:
        schema = pa.ipc.open_stream(file).schema
        size, held, rows = file.size(), list[Any](), 0
        file.seek(0)
        with parquet.ParquetWriter(path, schema) as writer:
            while file.tell() < size:
                table = pa.ipc.open_stream(file).read_all()
                held.append(table)
                rows += table.num_rows
                if rows >= GROUP_ROWS or sum(each.nbytes for each in held) >= GROUP_BYTES:
                    writer.write_table(pa.concat_tables(held))
                    held, rows = [], 0
            if rows:
                writer.write_table(pa.concat_tables(held))


class Parquet(Input):
    """A Parquet file: a chunk is an Arrow stream of one batch. A place is the number of rows before."""

    finisher = staticmethod(to_parquet)

    def open(self) -> Job:
        try:
            import pyarrow as pa
            from pyarrow import parquet
        except ImportError:
            raise Trouble("for Parquet pyarrow is needed: pip install 'jsonscan[arrow]'") from None
        self.pa, self.done = pa, 0
        with self.named():
            if self.path == STDIN:
                raise Trouble("Parquet is read from a file, not from standard input")
            try:
                self.parquet = parquet.ParquetFile(self.raw)
            except pa.ArrowInvalid as error:
                raise Trouble(f"{name_of(self.path)}: {error}") from None
        schema = self.parquet.schema_arrow
        job = self.job = replace(self.job, at=place_of(self.job, schema.names))
        kind = schema.types[self.job.at]
        kind = kind.value_type if pa.types.is_dictionary(kind) else kind
        if not any(check(kind) for check in (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)):
            raise Trouble(f"{name_of(self.path)}: column {self.job.column!r} is {kind}, not text")
        self.header, _ = worker(job)(self._stream(pa.RecordBatch.from_pylist([], schema)), 0)
        return job

    def chunks(self, place: Place) -> Chunks:
        self.done = skip = place.get("rows", 0)
        before = 0
        with self.named():
            for group in range(self.parquet.num_row_groups):
                rows = self.parquet.metadata.row_group(group).num_rows
                if before + rows <= skip:
                    before += rows
                    continue
                try:
                    for batch in self.parquet.iter_batches(BATCH_ROWS, row_groups=[group]):
                        if before + batch.num_rows > skip:
                            self.done = before + batch.num_rows
                            yield self._stream(batch), before, {"rows": self.done}
                        before += batch.num_rows
                except self.pa.ArrowException as error:
                    raise BadInput(f"{name_of(self.path)}: damaged: {error}") from None

    def _stream(self, batch: Any) -> bytes:
        sink = io.BytesIO()
        with self.pa.ipc.new_stream(sink, batch.schema) as stream:
            stream.write_batch(batch)
        return sink.getvalue()

    def share(self) -> float | None:
        return self.done / (self.parquet.metadata.num_rows or 1)


def batch(job: Job, read: Reader, payload: bytes, before: int, counts: Counter[str]) -> bytes:
    """What a worker makes of a chunk: its columns, and the new ones."""
    import pyarrow as pa

    table = pa.ipc.open_stream(payload).read_all()
    rows = [read(raw, at, counts) for at, raw in enumerate(table.column(job.at).to_pylist(), before + 1)]
    text, number, truth = pa.string(), pa.int64(), pa.bool_()
    types = [text, truth, text, number, number, truth, pa.list_(text), text]
    for name, kind, values in zip(job.names, types, zip(*rows) if rows else [()] * len(types)):
        table = table.append_column(name, pa.array(values, kind))
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    return sink.getvalue()
