"""One browser for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from chromium import launched
from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with launched() as browser:
        yield browser
