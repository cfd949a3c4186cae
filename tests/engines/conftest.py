"""`--engine NAME` says which engine is meant; each has a tox environment that brings it."""

from __future__ import annotations

import os

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--engine", choices=["polars", "duckdb", "dask", "ray", "spark"], required=True)


def pytest_configure(config: pytest.Config) -> None:
    os.environ["JSONSCAN_ENGINE"] = config.getoption("--engine")  # for the processes that tests start, too
