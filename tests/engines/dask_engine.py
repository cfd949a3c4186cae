"""Dask: two local workers, each a process, on 127.0.0.1."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import dask.dataframe as dd
import pandas
import pyarrow as pa
from distributed import Client, LocalCluster
from tables import PARTS, SCHEMA, Extract, answered

HAS_WORKERS = True
META = pandas.DataFrame({field.name: pandas.Series(dtype=pandas.ArrowDtype(field.type)) for field in SCHEMA})


@contextlib.contextmanager
def session(workers: int = 2) -> Iterator[Client]:
    with (
        LocalCluster(n_workers=workers, threads_per_worker=1, host="127.0.0.1", dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        yield client


def through(client: Client, rows: pa.Table, extract: Extract) -> pa.Table:
    def part(frame: pandas.DataFrame) -> pandas.DataFrame:
        return as_frame(answered(as_table(frame), extract))

    made = dd.from_pandas(as_frame(rows), npartitions=PARTS).map_partitions(part, meta=META)
    return as_table(client.compute(made).result())


def as_frame(rows: pa.Table) -> pandas.DataFrame:
    return rows.to_pandas(types_mapper=pandas.ArrowDtype)


def as_table(frame: pandas.DataFrame) -> pa.Table:
    return pa.Table.from_pandas(frame, preserve_index=False)
