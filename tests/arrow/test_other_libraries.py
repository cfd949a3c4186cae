"""What Polars, DuckDB and nanoarrow hold goes in, and they take what comes out."""

from __future__ import annotations

import duckdb
import nanoarrow
import polars
import pyarrow as pa
import pytest

TEXTS = ['{"a": 1}', None, "é {'a': \"x\"}", "nothing", "😀 [1, 2"]
JSON = ['{"a": 1}', None, '{"a": "x"}', None, None]
ERRORS = [None, "null", None, "no-json", "no-json"]


@pytest.fixture
def extract(module):
    return module("arrow").extract_column


def told(rows):
    return [row["json"] for row in rows], [row["error"] for row in rows]


@pytest.mark.parametrize("kind", [polars.String, polars.Categorical])
def test_polars(extract, kind):
    assert told(polars.Series(extract(polars.Series(TEXTS, dtype=kind))).to_list()) == (JSON, ERRORS)


def test_a_schema_of_polars(extract):
    found = extract(pa.array(TEXTS), schema=polars.Schema({"a": polars.Int64}))
    assert polars.Series(found).struct.field("value").to_list() == [{"a": 1}, None, None, None, None]


def test_duckdb(extract):
    column = duckdb.from_arrow(pa.table({"response": TEXTS})).to_arrow_table()["response"]
    answered = pa.table({"answer": extract(column)})  # noqa: F841 - DuckDB finds it by its name
    assert duckdb.sql("SELECT answer.json, answer.error FROM answered").fetchall() == list(zip(JSON, ERRORS))


def test_nanoarrow(extract):
    found = extract(nanoarrow.Array(TEXTS, nanoarrow.string()))
    assert told(nanoarrow.ArrayStream(found).read_all().to_pylist()) == (JSON, ERRORS)


def test_a_whole_frame_is_no_column(extract):
    with pytest.raises(TypeError, match="column of text"):
        extract(polars.DataFrame({"a": ["{}"]}))
