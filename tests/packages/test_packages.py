"""What is in the sdist and in the two wheels built from it, and what a build says that cannot be made."""

from __future__ import annotations

import email
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import zipfile

import pytest

CHECKOUT = pathlib.Path(__file__).parents[2]
TRACKED = (
    subprocess.run(["git", "ls-files", "-z"], cwd=CHECKOUT, capture_output=True, check=True)
    .stdout.decode()
    .split("\0")[:-1]
)
# Of use in the repository alone.
NOT_SHIPPED = (".github/", ".gitignore")
SOURCES_ONLY = (".pyx", ".pxd", ".pxi", ".h")


def build(kind: str, source: pathlib.Path, into: pathlib.Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Build without isolation: the environment of this test holds what the build needs."""
    return subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", f"--{kind}", "--outdir", into, source],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def only(directory: pathlib.Path) -> pathlib.Path:
    [path] = directory.iterdir()
    return path


@pytest.fixture(scope="session")
def sdist(tmp_path_factory) -> pathlib.Path:
    """The sdist of the tracked files, made where no earlier build has left anything."""
    source, into = tmp_path_factory.mktemp("tracked"), tmp_path_factory.mktemp("sdist")
    for name in TRACKED:
        if (CHECKOUT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(CHECKOUT / name, source / name)
    done = build("sdist", source, into)
    assert done.returncode == 0, done.stdout + done.stderr
    return only(into)


@pytest.fixture(scope="session")
def unpacked(sdist, tmp_path_factory) -> pathlib.Path:
    """The sources as a user of the sdist has them."""
    into = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(sdist) as archive:
        archive.extractall(into, filter="data")
    return only(into)


@pytest.fixture(scope="session", params=["compiled", "pure"])
def build_kind(request) -> str:
    return request.param


@pytest.fixture(scope="session")
def wheel(unpacked, build_kind, tmp_path_factory) -> zipfile.ZipFile:
    source, into = tmp_path_factory.mktemp("source") / "jsonscan", tmp_path_factory.mktemp("wheel")
    shutil.copytree(unpacked, source)
    done = build("wheel", source, into, JSONSCAN_PURE={"compiled": "0", "pure": "1"}[build_kind])
    assert done.returncode == 0, done.stdout + done.stderr
    return zipfile.ZipFile(only(into))


def test_the_sdist_holds_every_tracked_file(unpacked):
    assert TRACKED
    wanted = [name for name in TRACKED if not name.startswith(NOT_SHIPPED) and (CHECKOUT / name).is_file()]
    assert [name for name in wanted if not (unpacked / name).is_file()] == []


def test_the_sdist_holds_nothing_that_a_build_made(unpacked):
    shipped = {path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*") if path.is_file()}
    made = {"PKG-INFO", "setup.cfg", *(name for name in shipped if name.startswith("jsonscan.egg-info/"))}
    assert shipped - made - set(TRACKED) == set()


def test_the_wheel_is_tagged_for_what_it_holds(wheel, build_kind):
    name = pathlib.Path(wheel.filename).name
    assert name.endswith("-py3-none-any.whl") == (build_kind == "pure")
    extensions = [name for name in wheel.namelist() if name.endswith((".so", ".pyd"))]
    assert [name.partition(".")[0] for name in extensions] == (
        ["jsonscan/_machine"] if build_kind == "compiled" else []
    )


def test_the_wheel_holds_the_packages_whole(wheel):
    wanted = [name for name in TRACKED if name.startswith("jsonscan/") and not name.endswith(SOURCES_ONLY)]
    wanted += [
        name.replace("conformance/", "jsonscan_conformance/", 1) for name in TRACKED if name.startswith("conformance/")
    ]
    wanted = [name for name in wanted if not name.rpartition("/")[2].startswith(".")]
    assert set(wanted) - set(wheel.namelist()) == set()


def test_the_wheel_holds_nothing_else(wheel):
    homes = ("jsonscan/", "jsonscan_conformance/", "jsonscan-")
    assert [name for name in wheel.namelist() if not name.startswith(homes)] == []
    assert [
        name
        for name in wheel.namelist()
        if name.endswith((".c", ".pyc", *SOURCES_ONLY)) and name.startswith("jsonscan/")
    ] == []
    assert [name for name in wheel.namelist() if "/target/" in name or "/node_modules/" in name] == []


def test_the_metadata(wheel):
    [name] = [name for name in wheel.namelist() if name.endswith("/METADATA")]
    metadata = email.message_from_bytes(wheel.read(name))
    assert [need for need in metadata.get_all("Requires-Dist") if "extra ==" not in need] == []
    assert (metadata["Requires-Python"], metadata["License-Expression"]) == (">=3.10", "MIT")
    assert "set-up" in metadata.get_payload()


def test_a_compile_that_fails_fails_the_build_and_says_the_way_out(unpacked, tmp_path):
    shutil.copytree(unpacked, tmp_path / "source")
    done = build("wheel", tmp_path / "source", tmp_path / "out", CC="false")
    assert done.returncode != 0
    assert "JSONSCAN_PURE=1 pip install ." in done.stdout + done.stderr
    assert not list((tmp_path / "out").glob("*.whl"))


@pytest.mark.parametrize(
    ("asked", "wrong"), [("1", False), ("0", False), ("", False), ("yes", True), ("true", True), ("no", True)]
)
def test_only_plain_answers_choose_the_build(unpacked, asked, wrong):
    done = subprocess.run(
        [sys.executable, "setup.py", "--name"],
        cwd=unpacked,
        env=os.environ | {"JSONSCAN_PURE": asked},
        capture_output=True,
        text=True,
        check=False,
    )
    assert bool(done.returncode) == wrong
    assert ("JSONSCAN_PURE is" in done.stderr) == wrong
