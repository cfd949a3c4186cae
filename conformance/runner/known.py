"""Known failures: ``<name>.known`` beside an adapter.json, one line each: ``id  signature  # issue  until=YYYY-MM-DD``.

A listed case still runs. The same wrong answer (by signature) is expected, another is a new failure, a pass makes the entry
stale, and after its date an entry is expired.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from .model import UsageError

_ENTRY = re.compile(
    r"(?P<id>\S+)\s+(?P<signature>\S+)\s+#\s*(?P<issue>\S.*?)\s+until=(?P<until>\d{4}-\d{2}-\d{2})\s*\Z"
)
FRESH = datetime.timedelta(days=90)


@dataclass(frozen=True)
class Known:
    """One entry."""

    id: str
    signature: str
    issue: str
    until: datetime.date

    def __str__(self) -> str:
        return f"{self.id}  {self.signature}  # {self.issue}  until={self.until.isoformat()}"


def read_known(path: Path) -> dict[str, Known]:
    """The entries of a file by case id; none when there is no such file. Raises UsageError for a line that is no entry."""
    entries: dict[str, Known] = {}
    try:
        lines = path.read_text("utf-8").split("\n") if path.exists() else []
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: {error}") from None
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        found = _ENTRY.match(line)
        try:
            entry = Known(found["id"], found["signature"], found["issue"], datetime.date.fromisoformat(found["until"]))  # type: ignore[index]
        except (TypeError, ValueError):
            raise UsageError(f"{path}:{number}: no `id  signature  # issue  until=YYYY-MM-DD`: {line[:100]!a}") from None
        if entry.id in entries:
            raise UsageError(f"{path}:{number}: {entry.id} is listed twice")
        entries[entry.id] = entry
    return entries


def write_known(
    path: Path, old: dict[str, Known], failures: dict[str, str], touched: set[str], today: datetime.date
) -> int:
    """Rewrite the file for the failures (signature by id) among the ``touched`` cases; entries keep their issue and date
    while their signature stands. Entries of cases that were not touched stay. The number of entries written."""
    kept = {name: entry for name, entry in old.items() if name not in touched}
    for name, signature in failures.items():
        before = old.get(name)
        same = before is not None and before.signature == signature and before.until >= today
        kept[name] = (
            before if same else Known(name, signature, before.issue if before else "TODO: name an issue", today + FRESH)
        )  # type: ignore[assignment]
    if kept:
        head = "# Known failures, written by `run --update-known`: id  signature  # issue  until=DATE\n"
        path.write_text(head + "".join(f"{kept[name]}\n" for name in sorted(kept)), "utf-8", newline="\n")
    elif path.exists():
        path.unlink()
    return len(kept)


def stale(
    entries: Iterable[Known], failures: dict[str, str], passed: set[str], all_ids: set[str], today: datetime.date
) -> dict[str, str]:
    """Why an entry is of no use any more, by case id."""
    reasons = {}
    for entry in entries:
        if entry.id not in all_ids:
            reasons[entry.id] = "no such case"
        elif entry.id in passed:
            reasons[entry.id] = "passes now"
        elif entry.until < today and failures.get(entry.id) == entry.signature:
            reasons[entry.id] = f"expired on {entry.until.isoformat()}"
    return reasons
