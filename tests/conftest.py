"""Every test that takes `js` runs against each build there is, and the build stands in the test's id.

A compiled installation holds both bodies of the machine, so there the tests run as ``[compiled]`` and as ``[pure]``;
a pure installation has only ``[pure]``. ``JSONSCAN_EXPECT_BUILD`` (set by each tox environment) says which one is
meant: if it says ``compiled`` and the extension is missing, every ``[compiled]`` test is an error, never a skip.
``JSONSCAN_TEST_BUILDS`` names the builds to test where not all shall be: tox tests the pure one in environments of its own.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable
from types import ModuleType

import pytest
from builds import EXPECTED, TESTED, package_of
from families import FAMILIES

import jsonscan


@pytest.fixture(scope="session", params=TESTED)
def build(request: pytest.FixtureRequest) -> str:
    """The name of the build under test."""
    return request.param


@pytest.fixture(scope="session")
def js(build: str) -> ModuleType:
    """The package `jsonscan` of the build under test."""
    return package_of(build)


@pytest.fixture(scope="session")
def module(js: ModuleType) -> Callable[[str], ModuleType]:
    """A module of the package under test by its name inside the package: ``module("errors")``."""
    return lambda name: importlib.import_module(f"{js.__name__}.{name}")


def pytest_configure(config: pytest.Config) -> None:
    if EXPECTED not in ("compiled", "pure"):
        raise pytest.UsageError(f"JSONSCAN_EXPECT_BUILD is {EXPECTED!r}; it can be compiled or pure")


def pytest_report_header(config: pytest.Config) -> str:
    return f"jsonscan {jsonscan.__version__}, {jsonscan.BUILD} build, from {os.path.dirname(jsonscan.__file__)}"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """One Python is given all the hostile families; under JSONSCAN_SOME_FAMILIES the others take a third each, and say so."""
    if not os.environ.get("JSONSCAN_SOME_FAMILIES"):
        return
    others = {name for at, name in enumerate(FAMILIES) if at % 3 != sys.version_info.minor % 3}
    left_out = [item for item in items if others & {value for value in params_of(item) if isinstance(value, str)}]
    items[:] = [item for item in items if item not in set(left_out)]
    config.hook.pytest_deselected(items=left_out)


def params_of(item: pytest.Item) -> list[object]:
    return [*item.callspec.params.values()] if hasattr(item, "callspec") else []
