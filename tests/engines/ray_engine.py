"""Ray Data: two workers, each a process, on 127.0.0.1, without a dashboard and without usage statistics."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"  # whatever the system: no cluster, so 127.0.0.1 and nothing else
os.environ["RAY_raylet_start_wait_time_s"] = "180"  # noqa: SIM112 - instead of 30: what a busy machine takes

import pyarrow as pa
import ray
import ray.data
from tables import PARTS, Extract, answered

HAS_WORKERS = True


@contextlib.contextmanager
def session(workers: int = 2) -> Iterator[None]:
    ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False)
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    try:
        yield
    finally:
        ray.shutdown()


def through(_: None, rows: pa.Table, extract: Extract) -> pa.Table:
    parts = ray.data.from_arrow(rows).repartition(PARTS)
    made = parts.map_batches(lambda batch: answered(batch, extract), batch_format="pyarrow", batch_size=None)
    return pa.concat_tables(ray.get(made.to_arrow_refs()))
