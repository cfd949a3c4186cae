"""The builds there are to test, each as a package of its own."""

from __future__ import annotations

import importlib.util
import os
import sys
from types import ModuleType

import jsonscan

EXPECTED = os.environ.get("JSONSCAN_EXPECT_BUILD") or jsonscan.BUILD
BUILDS = ["compiled", "pure"] if "compiled" in (EXPECTED, jsonscan.BUILD) else ["pure"]
TESTED = os.environ.get("JSONSCAN_TEST_BUILDS", "").split() or BUILDS
PURE_TWIN = "jsonscan_pure"


class _Missing:
    """An import hook: the module `name` is not there, whatever lies beside the sources; the error names `blamed`."""

    def __init__(self, name: str, blamed: str) -> None:
        self.name = name
        self.blamed = blamed

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name == self.name:
            raise ModuleNotFoundError(f"No module named {self.blamed!r} (hidden by the tests)", name=self.blamed)


def import_twin(name: str, blamed: str) -> ModuleType:
    """The installed sources imported once more, as the package `name`, without the extension.

    A name of its own keeps the twins apart for good: late imports inside the package are relative and stay in their
    twin, and what its classes pickle is found again by name.
    """
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(
            name, jsonscan.__file__, submodule_search_locations=[*jsonscan.__path__]
        )
        assert spec is not None
        assert spec.loader is not None
        sys.meta_path.insert(0, _Missing(f"{name}._machine", blamed))
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


def package_of(build: str) -> ModuleType:
    """The package of one build; an error if the installation does not hold it."""
    package = jsonscan if build == jsonscan.BUILD else import_twin(PURE_TWIN, f"{PURE_TWIN}._machine")
    if build != package.BUILD:
        raise RuntimeError(
            f"the {build} build was meant, but {jsonscan.__file__} is {jsonscan.BUILD}: its extension is missing"
        )
    return package
