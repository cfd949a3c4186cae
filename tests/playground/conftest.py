"""The playground as it would be served, and a browser that looks at it.

JSONSCAN_PLAYGROUND names a folder that docs/playground/build.py has filled; without it one is filled here.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from chromium import launched
from playwright.sync_api import Browser

CHECKOUT = Path(__file__).parents[2]


def commands() -> list[list[str]]:
    """What docs/playground/README.md says to run, but for the first, which installs what the environment has: build, and serve."""
    (block,) = re.findall(r"^```sh\n(.*?)^```$", (CHECKOUT / "docs/playground/README.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return [line.split() for line in block.splitlines()[1:]]


def run_with(command: list[str], **instead: object) -> list[str]:
    """The command, by this Python, with other words instead of some."""
    assert command[0] == "python" and not instead.keys() - {*command}
    return [sys.executable, *(str(instead.get(word, word)) for word in command[1:])]


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = os.environ.get("JSONSCAN_PLAYGROUND")
    if built:
        return Path(built)
    folder = tmp_path_factory.mktemp("playground") / "site"
    subprocess.run(run_with(commands()[0], playground=folder), cwd=CHECKOUT, check=True)
    return folder


@pytest.fixture(scope="session")
def address(folder: Path) -> Iterator[str]:
    argv = run_with(commands()[1], playground=folder, **{"8000": 0})
    argv.insert(1, "-u")  # or where it serves is not said before it ends
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8") as server:
        assert server.stdout is not None
        (port,) = re.findall(r"^Serving HTTP on 127\.0\.0\.1 port (\d+) ", server.stdout.readline())
        yield f"http://127.0.0.1:{port}/"
        server.terminate()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with launched() as browser:
        yield browser
