"""One table of ratios at the end of a bench run, and the same as JSON where JSONSCAN_RATIOS names a file."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Callable

import pytest

Rows = dict[str, dict[str, float]]  # what is measured -> size -> ratio
_rows: dict[str, Rows] = {}  # title of a table -> its rows


@pytest.fixture(scope="session")
def note() -> Callable[[str, str, str, float], None]:
    """Enter a ratio: table, row, column, value."""

    def enter(table: str, row: str, column: str, ratio: float) -> None:
        _rows.setdefault(table, {}).setdefault(row, {})[column] = round(ratio, 3)

    return enter


def pytest_terminal_summary(terminalreporter) -> None:
    for title, rows in _rows.items():
        columns = list(dict.fromkeys(column for row in rows.values() for column in row))
        width = max(map(len, rows))
        wide = max(10, *(len(column) + 2 for column in columns))
        terminalreporter.section(title)
        terminalreporter.write_line(f"{'':{width}}" + "".join(f"{column:>{wide}}" for column in columns))
        for name, row in rows.items():
            cells = "".join(f"{row[column]:>{wide}.2f}" if column in row else f"{'':>{wide}}" for column in columns)
            terminalreporter.write_line(f"{name:{width}}{cells}")
    path = os.environ.get("JSONSCAN_RATIOS")
    if path and _rows:
        about = {"python": platform.python_version(), "machine": platform.machine(), "system": sys.platform}
        with open(path, "w", encoding="ascii") as file:
            json.dump({"about": about, "tables": _rows}, file, indent=1)
            file.write("\n")
