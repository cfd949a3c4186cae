"""Markdown: a table of adapters, and the failures under it; for a pull request or a wiki."""

from __future__ import annotations

from collections.abc import Iterator

from ..log import RED, VERDICTS, Column, Report
from . import terminal


def render(report: Report) -> str:
    """The report as Markdown."""
    return "\n".join(lines(report)) + "\n"


def code(text: str) -> str:
    """Text as inline code, whatever it holds, safe within a table."""
    flat = " ".join(text.split()).replace("|", "\\|")
    longest = max((len(run) for run in flat.replace("`", " `").split() if set(run) == {"`"}), default=0)
    fence = "`" * (flat.count("`") + 1 if longest or "`" in flat else 1)
    return f"{fence} {flat} {fence}" if "`" in flat else f"`{flat}`"


def lines(report: Report) -> Iterator[str]:
    yield "# Conformance"
    yield ""
    yield terminal.verdict(report)
    yield ""
    used = [
        name
        for name in VERDICTS
        if name == "pass" or any(column.counts.get(name) for column in report.columns.values())
    ]
    yield "| adapter | version | " + " | ".join(used) + " |"
    yield "|---|---|" + "--:|" * len(used)
    for column in report.columns.values():
        hello = (column.hello or {}).get("hello", {})
        version = code(f"{hello['implementation']} {hello['version']}") if hello else "did not start"
        yield f"| {column.name} | {version} | " + " | ".join(str(column.counts.get(name, 0)) for name in used) + " |"
    for name, passed in report.floors.items():
        cells = (str(len(passed)) if verdict == "pass" else "" for verdict in used)
        yield f"| *floor: {name}* | | " + " | ".join(cells) + " |"
    for column in report.columns.values():
        yield from failures(report, column)


def failures(report: Report, column: Column) -> Iterator[str]:
    red = [result for result in column.results.values() if result["verdict"] in RED]
    if red or column.faults or column.stale or column.not_started:
        yield ""
        yield f"## {column.name}"
        yield ""
    for trouble in terminal.troubles(column):
        yield f"- {code(trouble)}"
    for result in red:
        yield f"- **{result['verdict']}** `{result['id']}`: {code(result.get('difference', '')[:300])}"
        yield f"  - repeat: `{terminal.repeat_command(report, column, result['id'])}`"
