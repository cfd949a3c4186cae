"""A headless Chromium. One that is missing fails every test that wants it; nothing is skipped.

JSONSCAN_CHROMIUM names one, else it is looked for on PATH.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, sync_playwright

ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip


def _path() -> str:
    """The browser's path."""
    names = ("chromium", "chromium-browser", "google-chrome")
    found = os.environ.get("JSONSCAN_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if not found:
        pytest.fail("no Chromium: apt-get install chromium, or name one in JSONSCAN_CHROMIUM", pytrace=False)
    return found


@contextmanager
def launched() -> Iterator[Browser]:
    path = _path()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()
