"""The event log: one NDJSON file that everything else is rendered from. schema/report.json describes each event.

In this order, one JSON object a line, pure ASCII:

- ``header``: ``format`` (1), ``corpus`` (digest and number of cases), ``selection`` (digest and number of the selected ids, how they
  were selected), ``seed`` and ``passes``, ``environment``, ``started`` (UTC), ``command``, ``repeat`` (the words that
  run one case again, but for ``ADAPTER --id CASE``);
- ``case``, one for each selected case: the whole case, as in its file, under ``case``;
- ``floor``, one for each null implementation: ``name`` and the ``passed`` ids;
- for each adapter: ``adapter`` (name, kind, about, setup), then either ``not-started`` (``detail``) or ``hello`` (the handshake,
  ``overstated`` and ``hints`` from the probes), then any ``fault`` (``kind``, ``detail``), one ``pass`` for each time through
  (``number``, ``cases``, ``seconds``), one ``result`` for each selected case, any ``stale`` known entry (``id``, ``reason``), and
  ``done`` (``counts`` by verdict, ``exit``);
- ``footer``: ``events`` (lines before it), ``counts`` by adapter and verdict, ``exit``, and ``sha256`` of all bytes before it.

A ``result`` has ``adapter``, ``id``, ``verdict`` and, as they apply, ``weakened`` (host members that were given up),
``signature``, ``difference`` (a sentence), ``answer`` (as it was sent; a long one as its ``head``, ``bytes`` and ``sha256``),
``known`` (the entry), ``note``. The verdicts are those of MEANING.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

FORMAT = 1
GREEN = ("pass", "weakened", "known", "differs", "disputed")
RED = ("fail", "crash", "timeout", "unstable")

#: Each verdict, in the order of the table, and what it means.
MEANING = {
    "pass": "the expected answer",
    "weakened": "right as far as the language can say, or not asked because it cannot hold the input or the answer; counted",
    "fail": "another answer",
    "crash": "the process ended",
    "timeout": "no answer before the deadline",
    "unstable": "another answer when asked again, in another order",
    "known": "fails as its list of known failures says",
    "differs": "another answer to an input that is no string, where languages differ by design: no failure",
    "disputed": "another library's other answer where the rules are a choice: no failure",
    "not-run": "not asked, for its operation is not offered, or the adapter had to be given up; never counts as passed",
}
VERDICTS = tuple(MEANING)

#: What stands in the table beside the verdicts.
BESIDE = {
    "cases/s": "cases a second in the fastest pass, runner and pipes included: no benchmark",
    "floor: NAME": "what an implementation that does nothing passes: identity gives the input back, always-none finds nothing, "
    "always-error only fails",
}


class LogError(Exception):
    """A log that is no whole log: cut, edited, or of another format."""


class Log:
    """Writes events, to memory and to a file if there is one."""

    def __init__(self, sink: BinaryIO | None = None) -> None:
        self.events: list[dict[str, Any]] = []
        self.sink = sink
        self.hash = hashlib.sha256()

    def write(self, event: str, **members: Any) -> None:
        """Append one event."""
        record = {"event": event, **members}
        line = json.dumps(record, separators=(",", ":")).encode("ascii") + b"\n"
        self.events.append(record)
        self.hash.update(line)
        if self.sink:
            self.sink.write(line)

    def close(self, exit: int) -> None:
        """Append the footer."""
        counts = {event["adapter"]: event["counts"] for event in self.events if event["event"] == "done"}
        self.write("footer", events=len(self.events), counts=counts, exit=exit, sha256=self.hash.hexdigest())
        if self.sink:
            self.sink.flush()


def read_log(path: Path) -> list[dict[str, Any]]:
    """The events of a log. Raises LogError unless it is whole and untouched."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise LogError(f"{path}: {error.strerror}") from None
    body, last = split_footer(raw, path)
    if last.get("sha256") != hashlib.sha256(body).hexdigest():
        raise LogError(f"{path}: edited: its footer has not the hash of what stands before it")
    try:
        events = [json.loads(line) for line in body.splitlines()]
        if not events or events[0].get("event") != "header" or events[0].get("format") != FORMAT:
            raise LogError(f"{path}: no log of format {FORMAT}")
        check_accounts(events, last, path)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise LogError(f"{path}: no log that this program wrote: {error!r:.100}") from None
    return [*events, last]


def split_footer(raw: bytes, path: Path) -> tuple[bytes, dict[str, Any]]:
    """The bytes before the footer, and the footer."""
    if not raw:
        raise LogError(f"{path}: empty")
    at = raw[:-1].rfind(b"\n") + 1
    try:
        last = json.loads(raw[at:])
    except (ValueError, RecursionError):
        last = None
    if not raw.endswith(b"\n") or not isinstance(last, dict) or last.get("event") != "footer":
        raise LogError(f"{path}: cut short: its last line is no footer")
    return raw[:at], last


def check_accounts(events: list[dict[str, Any]], footer: dict[str, Any], path: Path) -> None:
    """One result for each case and adapter, counted as the footer says. Raises LogError."""
    selected = {event["case"]["id"] for event in events if event["event"] == "case"}
    results: dict[str, Counter[str]] = {}
    seen: set[tuple[str, str]] = set()
    for event in events:
        if event["event"] == "result":
            seen.add((event["adapter"], event["id"]))
            results.setdefault(event["adapter"], Counter())[event["verdict"]] += 1
    for name, counts in footer["counts"].items():
        had = results.get(name, Counter())
        if (
            dict(had) != counts
            or sum(had.values()) != len(selected)
            or any((name, case) not in seen for case in selected)
        ):
            raise LogError(f"{path}: the results of {name} do not add up")
    if footer["events"] != len(events):
        raise LogError(f"{path}: {len(events)} events where the footer counts {footer['events']}")


@dataclass
class Column:
    """What one adapter did."""

    name: str
    about: dict[str, Any]
    hello: dict[str, Any] | None = None
    not_started: str | None = None
    faults: list[dict[str, Any]] = field(default_factory=list)
    passes: list[dict[str, Any]] = field(default_factory=list)
    results: dict[str, dict[str, Any]] = field(default_factory=dict)
    stale: list[dict[str, Any]] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    exit: int = 4


@dataclass
class Report:
    """A log, arranged: what every rendering starts from."""

    header: dict[str, Any]
    cases: dict[str, dict[str, Any]]
    floors: dict[str, list[str]]
    columns: dict[str, Column]
    exit: int

    @classmethod
    def of(cls, events: Iterable[dict[str, Any]]) -> Report:
        """The report of a whole log's events."""
        report = cls({}, {}, {}, {}, 5)
        for event in events:
            kind = event["event"]
            if kind == "header":
                report.header = event
            elif kind == "case":
                report.cases[event["case"]["id"]] = event["case"]
            elif kind == "floor":
                report.floors[event["name"]] = event["passed"]
            elif kind == "adapter":
                report.columns[event["adapter"]] = Column(event["adapter"], event)
            elif kind == "footer":
                report.exit = event["exit"]
            else:
                report.place(report.columns[event["adapter"]], kind, event)
        return report

    @staticmethod
    def place(column: Column, kind: str, event: dict[str, Any]) -> None:
        if kind == "hello":
            column.hello = event
        elif kind == "not-started":
            column.not_started = event["detail"]
        elif kind == "fault":
            column.faults.append(event)
        elif kind == "pass":
            column.passes.append(event)
        elif kind == "result":
            column.results[event["id"]] = event
        elif kind == "stale":
            column.stale.append(event)
        elif kind == "done":
            column.counts, column.exit = event["counts"], event["exit"]
