"""JUnit XML: one suite an adapter, one test case a case; what CI systems show."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape, quoteattr

from ..log import RED, Column, Report

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(report: Report) -> str:
    """The report as JUnit XML. Faults, and adapters that did not start, are test cases in error."""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n'
        + "".join(map(suite, report.columns.values()))
        + "</testsuites>\n"
    )


def clean(text: str) -> str:
    """Text that XML can hold."""
    return _NOT_XML.sub("\ufffd", text)


def suite(column: Column) -> str:
    cases = [case(column, result) for result in column.results.values()]
    troubles = [f"fault: {fault['kind']}: {fault['detail']}" for fault in column.faults]
    troubles += [f"stale known failure: {entry['id']}: {entry['reason']}" for entry in column.stale]
    troubles += [f"did not start: {column.not_started}"] if column.not_started else []
    cases += [element(column, trouble[:80], f"<error message={quoteattr(clean(trouble))}/>") for trouble in troubles]
    counts = column.counts
    failed = sum(counts.get(verdict, 0) for verdict in RED)
    skipped = sum(counts.get(verdict, 0) for verdict in ("known", "differs", "disputed"))
    errors = len(troubles) + counts.get("not-run", 0)
    head = f'<testsuite name={quoteattr(column.name)} tests="{len(cases)}" failures="{failed}" errors="{errors}" skipped="{skipped}">\n'
    return head + "".join(cases) + "</testsuite>\n"


def element(column: Column, name: str, inner: str) -> str:
    return f"<testcase classname={quoteattr(column.name)} name={quoteattr(clean(name))}>{inner}</testcase>\n"


def case(column: Column, result: dict) -> str:
    verdict = result["verdict"]
    message = clean(result.get("difference") or result.get("note") or verdict)
    if verdict in RED:
        inner = f"<failure type={quoteattr(verdict)} message={quoteattr(message)}>{escape(clean(str(result.get('answer', ''))))}</failure>"
    elif verdict == "not-run":
        inner = f'<error type="not-run" message={quoteattr(message)}/>'
    elif verdict in ("known", "differs", "disputed"):
        inner = f"<skipped message={quoteattr(clean(verdict + ': ' + (result.get('known') or message)))}/>"
    else:
        inner = ""
    return element(column, result["id"], inner)
