"""Spark: a session on this machine with two cores, whose Python workers are processes; a task may fail three times."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator

# The workers are started by the JVM, which looks for `python3` unless told otherwise.
os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql.pandas.types import from_arrow_schema
from tables import PARTS, SCHEMA, Extract, answered

HAS_WORKERS = True


@contextlib.contextmanager
def session(workers: int = 2) -> Iterator[SparkSession]:
    spark = (
        SparkSession.builder.master(f"local[{workers},4]")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.execution.arrow.pyspark.enabled", "true")
        .config("spark.log.level", "OFF")
        .getOrCreate()
    )
    try:
        yield spark
    finally:
        spark.stop()


def through(spark: SparkSession, rows: pa.Table, extract: Extract) -> pa.Table:
    frame = spark.createDataFrame(rows).repartition(PARTS)
    return frame.mapInArrow(lambda batches: (answered(batch, extract) for batch in batches), from_arrow_schema(SCHEMA)).toArrow()
