"""A badge: how many of the ``must`` cases of the core operations an adapter meets, as an SVG without outside parts."""

from __future__ import annotations

from html import escape

from ..log import Column, Report
from ..model import CORE


def text(report: Report, column: Column) -> tuple[str, str]:
    """The label and the message: ``core 2026.1``, ``402/402 must``."""
    cases = [case["id"] for case in report.cases.values() if case["level"] == "must" and case["operation"] in CORE]
    met = sum(column.results.get(name, {}).get("verdict") in ("pass", "weakened") for name in cases)
    name = report.header["selection"].get("set")
    return f"core {name}" if name else "core", f"{met}/{len(cases)} must"


def render(report: Report, column: Column) -> str:
    """The badge as SVG. Green only when everything was met and the run was as expected."""
    label, message = text(report, column)
    met, of = message.split(" ")[0].split("/")
    colour = "#2da44e" if met == of != "0" and column.exit == 0 else "#cf222e"
    left, right = 10 + 7 * len(label), 10 + 7 * len(message)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" '
        f'aria-label="{escape(label)}: {escape(message)}">'
        f'<rect width="{left}" height="20" fill="#444"/><rect x="{left}" width="{right}" height="20" fill="{colour}"/>'
        f'<g fill="#fff" text-anchor="middle" font-family="Verdana,sans-serif" font-size="11">'
        f'<text x="{left / 2:g}" y="14">{escape(label)}</text><text x="{left + right / 2:g}" y="14">{escape(message)}</text></g></svg>\n'
    )
