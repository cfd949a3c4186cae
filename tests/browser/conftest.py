"""One headless Chromium for all tests of this folder.

A browser that is missing fails every test here; nothing is skipped. JSONSCAN_CHROMIUM names one, else it is looked for on PATH.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip


def chromium() -> str:
    """The browser's path."""
    names = ("chromium", "chromium-browser", "google-chrome")
    found = os.environ.get("JSONSCAN_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if not found:
        pytest.fail("no Chromium: apt-get install chromium, or name one in JSONSCAN_CHROMIUM", pytrace=False)
    return found


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()
