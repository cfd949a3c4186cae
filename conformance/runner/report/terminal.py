"""The report for people at a terminal."""

from __future__ import annotations

import json
import shlex
import sys
import time
from collections.abc import Iterator
from typing import Any, TextIO

from ..log import RED, VERDICTS, Column, Report
from ..model import Case
from ..operations import brief, cut, preview

SYMBOLS = {
    "pass": "ok", "weakened": "~", "fail": "FAIL", "crash": "CRASH", "timeout": "TIMEOUT", "unstable": "UNSTABLE",
    "known": "known", "differs": "differs", "disputed": "disputed", "not-run": "not run",
}  # fmt: skip
SHOWN = 20

#: Characters of an input or a member of an answer that are shown.
WIDE = 160


def render(report: Report, shown: int = SHOWN) -> str:
    """The whole report as text."""
    return "\n".join(lines(report, shown)) + "\n"


def lines(report: Report, shown: int) -> Iterator[str]:
    for column in report.columns.values():
        yield from failures(report, column, shown)
    yield from table(report)
    for column in report.columns.values():
        yield from troubles(column)
    yield verdict(report)


def failures(report: Report, column: Column, shown: int) -> Iterator[str]:
    """Each red result, what is expected, and the command that repeats it."""
    red = [result for result in column.results.values() if result["verdict"] in RED]
    for result in red[:shown]:
        case = report.cases[result["id"]]
        yield f"{SYMBOLS[result['verdict']]}  {column.name}  {result['id']}"
        yield f"    {case['title']}"
        if not says_no_more(result.get("difference", ""), case):
            yield f"    {result.get('difference', '')}"
        if result.get("note"):
            yield f"    {result['note']}"
        yield f"    input:    {preview(Case(case, ''), WIDE)}"
        if case.get("options"):
            yield f"    options:  {json.dumps(case['options'])}"
        yield f"    expected: {' or '.join(brief(one, WIDE) for one in alternatives(case))}"
        if result.get("answer"):
            yield f"    got:      {got(result['answer'])}"
        yield f"    rules:    {', '.join(case.get('rules', ())) or '-'}"
        yield f"    catches:  {case.get('why', '')}"
        yield f"    repeat:   {repeat_command(report, column, result['id'])}"
        yield ""
    if len(red) > shown:
        yield f"... and {len(red) - shown} more of {column.name}"
        yield ""


def says_no_more(difference: str, case: dict[str, Any]) -> bool:
    """Whether a difference is that of two outcomes, which are shown anyway."""
    return difference.startswith(f"expected {brief(alternatives(case)[0])}, got ")


def got(answer: dict[str, Any]) -> str:
    """An answer as the log has it."""
    if "head" in answer:
        return f"{cut(answer['head'], WIDE)} ({answer['bytes']:,} bytes)"
    return cut(answer["line"], WIDE) if "line" in answer else brief(answer, WIDE)


def alternatives(case: dict[str, Any]) -> list[dict[str, Any]]:
    """The acceptable answers of a case as the log has it."""
    return case["expect"].get("any_of", [case["expect"]])


def repeat_command(report: Report, column: Column, case: str) -> str:
    """One line for a shell that runs one case again."""
    return f"{report.header['repeat']} {shlex.quote(column.about['path'])} --id {case}"


def table(report: Report) -> Iterator[str]:
    """Adapters by verdicts."""
    used = [
        name
        for name in VERDICTS
        if name == "pass" or any(column.counts.get(name) for column in report.columns.values())
    ]
    rows = [["adapter", *used, "cases/s"]]
    for column in report.columns.values():
        rows.append([column.name, *(str(column.counts.get(name, 0)) for name in used), speed(column)])
    for name, passed in report.floors.items():
        rows.append([f"floor: {name}", *(str(len(passed)) if verdict == "pass" else "" for verdict in used), ""])
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    for row in rows:
        yield "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))]
        ).rstrip()


def speed(column: Column) -> str:
    """Cases per second over the fastest pass."""
    rates = [one["cases"] / one["seconds"] for one in column.passes if one["seconds"] > 0]
    return f"{max(rates):,.0f}" if rates else "-"


def troubles(column: Column) -> Iterator[str]:
    """What is wrong with an adapter apart from its answers, and what it gave up."""
    if column.not_started:
        yield f"{column.name}: did not start: {column.not_started}"
    for fault in column.faults:
        yield f"{column.name}: fault: {fault['kind']}: {fault['detail']}"
    for hint in (column.hello or {}).get("hints", []):
        yield f"{column.name}: hint: {hint}"
    for entry in column.stale:
        yield f"{column.name}: known failure is stale: {entry['id']}: {entry['reason']}"
    weak: dict[str, int] = {}
    for result in column.results.values():
        for member in result.get("weakened", ()):
            weak[member] = weak.get(member, 0) + 1
    if weak:
        yield f"{column.name}: weakened by its host: " + ", ".join(
            f"{name} {count}" for name, count in sorted(weak.items())
        )


def verdict(report: Report) -> str:
    """The last line."""
    words = {
        0: "as expected",
        1: "unexpected results",
        4: "an adapter did not start",
        5: "incomplete",
        6: "stale known failures only",
    }
    digest = report.header["corpus"]["digest"][:12]
    return f"{report.header['selection']['cases']} cases, corpus {digest}: {words.get(report.exit, '?')} (exit {report.exit})"


class Progress:
    """A line of progress on a terminal, after one second, at most ten times a second; nothing elsewhere."""

    def __init__(self, stream: TextIO = sys.stderr, wanted: bool = True) -> None:
        self.stream = stream
        self.wanted = wanted and stream.isatty()
        self.due = time.monotonic() + 1
        self.width = 0

    def __call__(self, what: str, done: int, total: int) -> None:
        if self.wanted and time.monotonic() >= self.due:
            self.due = time.monotonic() + 0.1
            text = f"{what}: {done}/{total}"
            self.stream.write("\r" + text.ljust(self.width))
            self.stream.flush()
            self.width = len(text)

    def end(self) -> None:
        """Wipe the line."""
        if self.width:
            self.stream.write("\r" + " " * self.width + "\r")
            self.stream.flush()
            self.width = 0
