"""The builds there are to test, each as a package of its own."""

from __future__ import annotations

import importlib.util
import os
import sys
from types import ModuleType

import jsonscan

EXPECTED = os.environ.get("JSONSCAN_EXPECT_BUILD") or jsonscan.BUILD
BUILDS = ["compiled", "pure"] if "compiled" in (EXPECTED, jsonscan.BUILD) else ["pure"]
PURE_TWIN = "jsonscan_pure"


class _NoExtension:
    """An import hook: the pure twin has no compiled machine, whatever lies beside its sources."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        if name == f"{PURE_TWIN}._machine":
            raise ModuleNotFoundError(f"No module named {name!r} (hidden by the tests)", name=name)


def _pure_twin() -> ModuleType:
    """The installed sources imported once more, as the package `jsonscan_pure`, without the extension.

    A name of its own keeps the two apart for good: late imports inside the package are relative and stay in their twin, and what
    its classes pickle is found again by name.
    """
    if PURE_TWIN not in sys.modules:
        spec = importlib.util.spec_from_file_location(
            PURE_TWIN, jsonscan.__file__, submodule_search_locations=[*jsonscan.__path__]
        )
        assert spec is not None
        assert spec.loader is not None
        sys.meta_path.insert(0, _NoExtension())
        sys.modules[PURE_TWIN] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[PURE_TWIN])
    return sys.modules[PURE_TWIN]


def package_of(build: str) -> ModuleType:
    """The package of one build; an error if the installation does not hold it."""
    package = jsonscan if build == jsonscan.BUILD else _pure_twin()
    if build != package.BUILD:
        raise RuntimeError(
            f"the {build} build was meant, but {jsonscan.__file__} is {jsonscan.BUILD}: its extension is missing"
        )
    return package
