"""Polars, in this process: its streaming engine hands a column over in morsels."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

import pyarrow as pa
from tables import ANSWER, PARTS, ROWS, Extract

os.environ["POLARS_IDEAL_MORSEL_SIZE"] = str(max(1, ROWS // PARTS))  # read when Polars starts

import polars as pl

HAS_WORKERS = False
DTYPE = pl.Series(pa.array([], ANSWER)).dtype


@contextlib.contextmanager
def session(workers: int = 1) -> Iterator[None]:
    yield


def through(_: None, rows: pa.Table, extract: Extract) -> pa.Table:
    frame = pl.from_arrow(rows).lazy()
    answer = pl.col("response").map_batches(
        lambda column: pl.Series(extract(column)), return_dtype=DTYPE, is_elementwise=True
    )
    return frame.with_columns(answer=answer).collect(engine="streaming").to_arrow()
