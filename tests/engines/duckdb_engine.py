"""DuckDB, in this process: an Arrow function of SQL is called for each vector of 2,048 rows."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import duckdb
import pyarrow as pa
from tables import Extract

HAS_WORKERS = False
TYPE = duckdb.sqltype(
    "STRUCT(json VARCHAR, ok BOOLEAN, source VARCHAR, start BIGINT, \"end\" BIGINT, complete BOOLEAN, repairs VARCHAR[], error VARCHAR)"
)


@contextlib.contextmanager
def session(workers: int = 1) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        connection.execute(f"SET threads = {workers}")
        yield connection


def through(connection: duckdb.DuckDBPyConnection, rows: pa.Table, extract: Extract) -> pa.Table:
    function = lambda column: extract(column)  # noqa: E731 - DuckDB counts the parameters
    connection.create_function("extract_json", function, ["VARCHAR"], TYPE, type="arrow", null_handling="special")
    connection.register("responses", rows)
    try:
        return connection.sql("SELECT id, response, extract_json(response) AS answer FROM responses").to_arrow_table()
    finally:
        connection.remove_function("extract_json")
