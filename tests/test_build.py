"""The installation under test is the one that was meant."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import pathlib
import pickle
import sys

import builds
import pytest

import jsonscan

CHECKOUT = pathlib.Path(__file__).parents[1]


def test_the_installed_build_is_the_expected_one():
    assert jsonscan.BUILD == builds.EXPECTED


def test_the_build_says_whether_the_extension_is_there():
    extension = importlib.util.find_spec("jsonscan._machine")
    assert jsonscan.BUILD == ("pure" if extension is None else "compiled")


def test_each_build_has_its_own_machine(js, build, module):
    assert js.BUILD == build
    body = {"compiled": "_machine", "pure": "_machine_py"}[build]
    assert module("machine").Machine.__module__.rpartition(".")[2] == body


def test_the_twins_share_no_module():
    mine = {name for name in sys.modules if name.partition(".")[0] == "jsonscan"}
    if "compiled" in builds.BUILDS:
        twin = builds.package_of("pure")
        assert twin is not jsonscan
        assert all(sys.modules.get(f"{twin.__name__}{name[8:]}") is not sys.modules[name] for name in mine)
    else:
        assert builds.package_of("pure") is jsonscan


def test_a_missing_build_is_an_error():
    absent = {"compiled": "neither", "pure": "compiled"}[jsonscan.BUILD]
    with pytest.raises(RuntimeError, match=f"the {absent} build was meant"):
        builds.package_of(absent)


def test_an_extension_that_cannot_be_loaded_is_an_error_and_no_pure_build():
    with pytest.raises(ModuleNotFoundError, match="something_else"):
        builds.import_twin("jsonscan_broken", "something_else")
    assert "jsonscan_broken._machine_py" not in sys.modules


def test_classes_of_each_build_pickle_by_name(js, module):
    error = module("errors").JSONScanError
    assert pickle.loads(pickle.dumps(error)) is error


def test_metadata_and_package_tell_the_same_version():
    assert importlib.metadata.version("jsonscan") == jsonscan.__version__


def test_there_are_no_run_time_dependencies():
    assert [need for need in importlib.metadata.requires("jsonscan") or [] if "extra ==" not in need] == []


def test_tox_tests_the_installation_and_not_the_checkout():
    assert "TOX_ENV_NAME" not in os.environ or pathlib.Path(jsonscan.__file__).parents[1] != CHECKOUT
