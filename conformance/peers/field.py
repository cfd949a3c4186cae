"""Score jsonscan and its peers on field cases: ``python -m conformance.peers.field CASES.jsonl [--only NAME ...]``.

A field case is a line with ``id``, ``mode``, ``raw``, ``intended`` (a value, or ``{"error": reason}`` where refusing is right) and
``ambiguous``. What comes back is *right*, *wrong* (another value, and nothing that says so) or *refused*; a refusal is right where one is
intended. Numbers are equal by value, members in any order. Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import datetime
import json
import platform
import struct
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from ..adapters.python.adapter import wire
from ..runner.adapters import SHELVES, Spec, StartError, load_spec
from ..runner.drive import Driver, Limits
from ..runner.model import PACKAGE, Case
from ..runner.text import Malformed
from ..runner.values import read_events

#: Whose expectation a case's ``mode`` is.
ROLES = {
    "final": "final",
    "schema": "final",
    "tool-args": "tool",
    "judge": "judge",
    "partial": "partial",
    "stream": "partial",
}
#: What the adapters of peers are asked in a role; they have no other options.
PEER_OPTIONS = {"partial": {"truncated": "keep"}}
REFUSED = None
Answers = dict[str, Any]  # case id -> [tagged value], or REFUSED


def read_cases(path: Path) -> list[dict[str, Any]]:
    """The field cases of a file."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def meaning(tagged: Any) -> list[Any]:
    """What is compared of a tagged value. Raises Malformed."""
    return [_number(event) for event in read_events(tagged, "lost")]


def _number(event: Any) -> Any:
    if event[0] == "i":
        return ("number", int(event[1]))
    if event[0] == "f":
        return ("number", struct.unpack(">d", bytes.fromhex(event[1]))[0])
    return event


def verdict(case: dict[str, Any], got: Any) -> str:
    """``right``, ``wrong`` or ``refused``; ``got`` is a tagged value in a list, or REFUSED. A refusal is no ``null``."""
    intended = case["intended"]
    refusing = isinstance(intended, dict) and set(intended) == {"error"}
    if got is REFUSED:
        return "right" if refusing else "refused"
    try:
        same = not refusing and meaning(got[0]) == meaning(wire(intended))
    except Malformed:
        same = False
    return "right" if same else "wrong"


def ask_jsonscan(cases: list[dict[str, Any]]) -> tuple[str, Answers]:
    """Version and answers of the jsonscan that is imported here: in each role with the options made for it."""
    import jsonscan

    functions: dict[str, Callable[[str], Any]] = {
        "final": lambda raw: jsonscan.loads(raw, repair="full", truncated="keep"),
        "tool": lambda raw: jsonscan.loads(raw, select="sole"),
        "judge": lambda raw: jsonscan.loads(raw, select="sole", duplicate_keys="raise"),
        "partial": so_far(jsonscan),
    }
    answers: Answers = {}
    for case in cases:
        try:
            answers[case["id"]] = [wire(functions[ROLES[case["mode"]]](case["raw"]))]
        except (jsonscan.JSONScanError, TypeError):  # TypeError: the input is no text
            answers[case["id"]] = REFUSED
    return jsonscan.__version__, answers


def so_far(jsonscan: Any) -> Callable[[str], Any]:
    """The value of a stream; a stream that has found nothing yet has none to give."""

    def function(raw: str) -> Any:
        stream = jsonscan.Stream()
        stream.feed(raw)
        return stream.value

    return function


def ask_peer(spec: Spec, cases: list[dict[str, Any]]) -> tuple[str, Answers]:
    """Version and answers of a peer. What crashes or does not answer in time has refused. Raises StartError."""
    answers: Answers = {case["id"]: REFUSED for case in cases}

    def answered(case: Case, answer: Any, line: bytes) -> None:
        if not isinstance(answer, Malformed) and answer.get("outcome") == "found":
            answers[case.id] = [answer["value"]]

    driver = Driver(spec, Limits(), answered, lambda case, kind, detail: None, lambda kind, detail: None)
    try:
        hello = driver.open()
        driver.run([request(case) for case in cases])
        driver.close()
    finally:
        driver.end_process()
    return hello.wire["version"], answers


def request(case: dict[str, Any]) -> Case:
    """A field case as the harness asks it."""
    options = PEER_OPTIONS.get(ROLES[case["mode"]], {})
    raw = case["raw"]
    given = {"text" if isinstance(raw, str) else "value": raw}
    record = {"id": case["id"], "operation": "search", "input": given, "options": options}
    return Case(record, "field")


def peers() -> list[Spec]:
    """Every peer there is an adapter for."""
    found = [load_spec(file) for shelf in SHELVES for file in sorted((PACKAGE / shelf).glob("*/adapter.json"))]
    return [spec for spec in found if spec.kind == "peer"]


def score(cases: Iterable[dict[str, Any]], answers: Answers) -> dict[bool, Counter[str]]:
    """Verdicts by whether a case is ambiguous."""
    counts: dict[bool, Counter[str]] = {False: Counter(), True: Counter()}
    for case in cases:
        counts[case["ambiguous"]][verdict(case, answers[case["id"]])] += 1
    return counts


Row = tuple[str, str, dict[bool, Counter[str]]]


def table(rows: list[Row]) -> str:
    """Markdown: per cent of the clear cases, and of the ambiguous ones."""
    sums = {group: rows[0][2][group].total() for group in (False, True)}
    lines = [
        f"| of {sums[False]} clear and {sums[True]} ambiguous cases, % | right | wrong | refused | ambiguous: right | wrong | refused |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for name, version, counts in sorted(rows, key=lambda row: (-row[2][False]["right"], row[2][False]["wrong"])):
        cells = [
            f"{100 * counts[group][kind] / max(1, sums[group]):.0f}"
            for group in (False, True)
            for kind in ("right", "wrong", "refused")
        ]
        lines.append(f"| {name} {version} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m conformance.peers.field", description=__doc__.split("\n\n")[0])
    parser.add_argument("cases", type=Path, help="field cases, one JSON object a line")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these peers alone")
    parser.add_argument("--failures", action="store_true", help="first name what jsonscan did not get right")
    options = parser.parse_args(arguments)
    cases = read_cases(options.cases)
    version, answers = ask_jsonscan(cases)
    rows: list[Row] = [("**jsonscan**", version, score(cases, answers))]
    if options.failures:
        for case in cases:
            if (found := verdict(case, answers[case["id"]])) != "right":
                print(f"{case['id']} {case['kind']}{', ambiguous' if case['ambiguous'] else ''}: {found}")
    missing = []
    for spec in peers():
        if options.only and spec.name not in options.only:
            continue
        try:
            version, answers = ask_peer(spec, cases)
        except StartError as error:
            missing.append(str(error))
            continue
        rows.append((spec.name, version, score(cases, answers)))
    print(table(rows))
    print(f"{datetime.date.today().isoformat()}, Python {platform.python_version()}.")
    for trouble in missing:
        print(f"not scored: {trouble}", file=sys.stderr)
    return 4 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
