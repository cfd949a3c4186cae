"""The playground as it would be served, and a browser that looks at it.

JSONSCAN_PLAYGROUND names a folder that docs/playground/build.py has filled; without it one is filled here.
"""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from chromium import launched
from playwright.sync_api import Browser

BUILD = Path(__file__).parents[2] / "docs" / "playground" / "build.py"


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = os.environ.get("JSONSCAN_PLAYGROUND")
    if built:
        return Path(built)
    folder = tmp_path_factory.mktemp("playground") / "site"
    subprocess.run([sys.executable, BUILD, folder], check=True)
    return folder


@pytest.fixture(scope="session")
def address(folder: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with launched() as browser:
        yield browser
