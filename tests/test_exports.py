"""What the package exports, and what importing it costs."""

from __future__ import annotations

import importlib
import pathlib
import pkgutil
import subprocess
import sys
from types import ModuleType

import pytest

import jsonscan

# Each of these costs milliseconds at import; none is needed to have the names.
HEAVY = {
    "argparse",
    "asyncio",
    "dataclasses",
    "jsonscan.model",
    "jsonscan.scanner",
    "inspect",
    "logging",
    "importlib.metadata",
    "tokenize",
    "subprocess",
    "unittest",
}


def test_every_exported_name_is_there(js):
    assert [name for name in js.__all__ if not hasattr(js, name)] == []


def test_exports_are_unique():
    assert len(jsonscan.__all__) == len(set(jsonscan.__all__))


def test_nothing_public_is_left_out():
    # what importing needs itself, and the modules of the package, are no names for users
    own = {"TYPE_CHECKING", "import_module", "annotations"}
    here = {
        name for name, value in vars(jsonscan).items() if not name.startswith("_") and type(value) is not ModuleType
    }
    assert here - own <= set(jsonscan.__all__)


def test_names_that_come_late_are_as_good_as_the_others(js):
    scope: dict[str, object] = {}
    exec(f"from {js.__name__} import *", scope)
    assert {name for name in scope if name != "__builtins__"} == set(js.__all__)
    assert dir(js) == sorted([*js.__all__, "__version__"])


def test_a_name_that_is_not_exported_is_an_attribute_error(js):
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = js.nonsense


def test_both_builds_export_the_same(js):
    assert js.__all__ == jsonscan.__all__


@pytest.mark.parametrize("name", ["extract_json", "extract_json_object", "try_extract_json", "ExtractJsonError"])
def test_the_originals_are_exported(js, name):
    assert name in js.__all__


def test_what_is_exported_is_documented(js):
    assert [name for name in js.__all__ if callable(getattr(js, name)) and not getattr(js, name).__doc__] == []


def test_every_module_says_what_it_is_for():
    names = [
        module.name
        for module in pkgutil.walk_packages(jsonscan.__path__, "jsonscan.")
        if module.name != "jsonscan.__main__"
    ]
    assert [name for name in names if not importlib.import_module(name).__doc__] == []


def test_the_package_is_typed():
    assert (pathlib.Path(jsonscan.__file__).parent / "py.typed").is_file()


def test_importing_the_package_loads_nothing_heavy():
    script = "import sys; before = set(sys.modules); import jsonscan; print(*set(sys.modules) - before)"
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path[:] = {sys.path!r}; {script}"],
        capture_output=True,
        check=True,
    )
    loaded = set(done.stdout.decode().split())
    assert "jsonscan.machine" in loaded
    assert loaded & HEAVY == set()
