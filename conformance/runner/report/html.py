"""One self-contained HTML page: operations and topics by adapters, and every case; no script, nothing from outside.

All that it shows comes from the event log, and is made visible before it is escaped: white space, control and formatting characters,
lone surrogates. Colours come with symbols; what did not run is never green.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..adapters import StartError
from ..log import GREEN, MEANING, RED, Column, Report
from ..model import PACKAGE, Case
from ..operations import OPERATIONS
from ..text import plain, sizes
from . import terminal

TEMPLATES = Path(__file__).parent / "templates"
SYMBOLS = {
    "crash": "✹", "timeout": "◷", "fail": "✗", "unstable": "↯", "not-run": "○", "known": "⚑", "differs": "≠", "disputed": "∥",
    "weakened": "≈", "pass": "✓",
}  # fmt: skip
#: Worst first.
VERDICTS = tuple(SYMBOLS)
#: Code points of an input or an answer that are shown at its beginning, and at its end.
HEAD, TAIL = 1200, 300
NAMED = {"\t": ("⇥", "TAB"), "\n": ("↵\n", "LF"), " ": ("·", "SPACE")}
_STRANGE = re.compile("[^\x21-\x7e]")
_RUN = re.compile(r"([ \t\n])\1{23,}|([^\x21-\x7e\n\t ])\2{7,}")


def render(report: Report) -> str:
    """The page. Raises StartError when jinja2 is not installed."""
    try:
        import jinja2
        from markupsafe import Markup
    except ImportError:
        raise StartError("the HTML report needs jinja2: pip install jinja2") from None
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["seen"] = lambda text: Markup(visible(str(text)))
    environment.filters["said"] = lambda text: Markup(visible(str(text), plain_space=True))
    environment.filters["plain"] = plain
    style = (TEMPLATES / "page.css").read_text("utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return environment.get_template("page.html").render(page=Page(report), style=Markup(style), policy=policy)


def visible(text: str, plain_space: bool = False) -> str:
    """Text as HTML in which every character can be seen: what is no printable ASCII, but for letters and the like, gets a mark."""
    out = []
    at = 0
    for run in _RUN.finditer(text):
        out += [marked(text[at : run.start()], plain_space), one(run[0][0], False), f"<b>×{len(run[0])}</b>"]
        at = run.end()
    out.append(marked(text[at:], plain_space))
    return "".join(out)


def marked(text: str, plain_space: bool) -> str:
    return _STRANGE.sub(
        lambda found: one(found[0], plain_space),
        text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&#34;"),
    )


def one(char: str, plain_space: bool) -> str:
    """The HTML of one character that is no visible ASCII."""
    if char in NAMED:
        return " " if plain_space and char == " " else f"<i>{NAMED[char][0]}</i>"
    kind = unicodedata.category(char)
    if kind[0] == "M":
        return f"<b>◌{char}{ord(char):04X}</b>"
    if kind[0] in "CZ" or char in "·⇥↵×◌":
        return f"<b>{ord(char):04X}</b>"
    return char


def clipped(text: str) -> list[str | int]:
    """A text's beginning and end, and between them how many code points are left out."""
    if len(text) <= HEAD + TAIL + 100:
        return [text]
    return [text[:HEAD], len(text) - HEAD - TAIL, text[-TAIL:]]


def compact(value: Any) -> str:
    return json.dumps(value, separators=(", ", ": "))


@dataclass
class Cell:
    """What one adapter did with some cases."""

    column: Column
    counts: Counter[str]

    @property
    def worst(self) -> str:
        return next((verdict for verdict in VERDICTS if self.counts[verdict]), "not-run")

    @property
    def parts(self) -> list[tuple[str, int]]:
        """Verdicts and their numbers, worst first."""
        return [(verdict, self.counts[verdict]) for verdict in VERDICTS if self.counts[verdict]]

    @property
    def total(self) -> int:
        return self.counts.total()


@dataclass
class Group:
    """The cases of a topic with one result vector: the verdict of each adapter, in their order."""

    vector: tuple[str, ...]
    cases: list[CaseView]
    columns: list[Column]

    @property
    def by_verdict(self) -> list[tuple[str, list[str]]]:
        """Which adapters came to which verdict, worst first."""
        found = [
            (verdict, [c.name for c, got in zip(self.columns, self.vector) if got == verdict]) for verdict in VERDICTS
        ]
        return [(verdict, names) for verdict, names in found if names]

    @property
    def calm(self) -> bool:
        """Whether there is nothing here to look into."""
        return not set(self.vector) - set(GREEN)

    @property
    def red(self) -> bool:
        return bool(set(self.vector) & set(RED))

    @property
    def open(self) -> bool:
        """Whether to show the cases at once: what is wrong, as long as it is not too much."""
        return self.red and len(self.cases) <= 12


@dataclass
class Topic:
    name: str
    operation: str
    cells: list[Cell]
    groups: list[Group]
    floor: int
    cases: int

    @property
    def calm(self) -> bool:
        return all(group.calm for group in self.groups)


class CaseView:
    """One case, with every adapter's answer."""

    def __init__(self, record: dict[str, Any], columns: list[Column], report: Report) -> None:
        self.record = record
        self.case = Case(record, "")
        self.id = record["id"]
        self.columns = columns
        self.report = report

    @property
    def slug(self) -> str:
        return self.id.split(".", 2)[-1]

    @property
    def kind(self) -> str:
        """How the corpus writes the input."""
        return next(iter(self.record["input"]))

    @property
    def input(self) -> list[tuple[str, list[str | int]]]:
        """The input in pieces: (kind, parts), where the kind of what is to be found is ``mark``."""
        text = self.case.text
        if text is None:
            return [("text", clipped(compact(self.record["input"].get(self.kind))))]
        span = self.span
        if span is None:
            return [("text", clipped(text))]
        start, end = span
        pieces = [("text", text[:start]), ("mark", text[start:end]), ("text", text[end:])]
        return [(kind, clipped(piece)) for kind, piece in pieces if piece]

    @property
    def span(self) -> tuple[int, int] | None:
        """What is to be found, when the only expectation says where."""
        span = self.record["expect"].get("span")
        return tuple(span["codepoints"]) if span else None

    @property
    def size(self) -> str:
        if self.case.text is None:
            return ""
        size = sizes(self.case.text)
        points, units, octets = size["codepoints"], size["utf16"], size["utf8"]
        if points == units == octets:
            return f"{points:,} character{'s' * (points != 1)}"
        return f"{points:,} code points, {units:,} UTF-16 units, {octets:,} bytes of UTF-8"

    @property
    def build(self) -> str:
        """The formula of an input that is built."""
        return compact(self.record["input"]["build"]) if self.kind == "build" else ""

    @property
    def expected(self) -> list[tuple[str, list[str | int]]]:
        """Each acceptable answer: its outcome, the rest."""
        return [self.answer(expect) for expect in terminal.alternatives(self.record)]

    @staticmethod
    def answer(wire: dict[str, Any]) -> tuple[str, list[str | int]]:
        """An answer as (outcome, the rest)."""
        rest = {name: value for name, value in wire.items() if name not in ("outcome", "code")}
        words = " ".join(str(wire[name]) for name in ("outcome", "code") if name in wire)
        if list(rest) == ["value"]:
            rest = rest["value"]
        return words, clipped(compact(rest)) if rest != {} or "value" in wire else []

    @property
    def answers(self) -> list[tuple[str, list[str], dict[str, Any]]]:
        """What the adapters did, the same together, worst first: (verdict, names, the result of one of them)."""
        found: dict[str, tuple[str, list[str], dict[str, Any]]] = {}
        for column in self.columns:
            result = result_of(column, self.id)
            said = {name: value for name, value in result.items() if name not in ("adapter", "id", "event")}
            found.setdefault(compact(said), (result["verdict"], [], said))[1].append(column.name)
        return sorted(found.values(), key=lambda entry: VERDICTS.index(entry[0]))

    @property
    def asked(self) -> list[str]:
        """The commands that repeat the case: one for each adapter that is red there, or else one for the first."""
        failing = [c for c in self.columns if result_of(c, self.id)["verdict"] in (*RED, "known")]
        return [terminal.repeat_command(self.report, column, self.id) for column in (failing or self.columns[:1])]

    @property
    def facts(self) -> list[tuple[str, str]]:
        """The rest of what the case says of itself."""
        source = self.record.get("source", {})
        facts = [
            (
                "level",
                self.record["level"] + (" (languages differ here by design)" if self.record["level"] == "host" else ""),
            ),
            ("catches", ", ".join(self.record.get("kills", ()))),
            ("needs", ", ".join(self.record.get("needs", ()))),
            ("source", " ".join(str(source[name]) for name in ("kind", "ref") if name in source)),
            ("replaces", self.record.get("replaces", "")),
            ("options", compact(self.record["options"]) if self.record.get("options") else ""),
            ("chunks", compact(self.record["input"]["chunks"]) if "chunks" in self.record["input"] else ""),
        ]
        return [(name, text) for name, text in facts if text]


def result_of(column: Column, name: str) -> dict[str, Any]:
    """An adapter's result for a case; what is missing did not run."""
    return column.results.get(name) or {"verdict": "not-run", "note": "the adapter did not get that far"}


class Page:
    """The report, arranged for the template."""

    symbols, meaning = SYMBOLS, MEANING

    def __init__(self, report: Report) -> None:
        self.report = report
        self.header = report.header
        self.columns = list(report.columns.values())
        self.views = {name: CaseView(record, self.columns, report) for name, record in report.cases.items()}
        self.verdict = terminal.verdict(report)
        self.green = report.exit == 0
        self.many = len(self.columns) > 9
        self.red = RED
        self.totals = [(column, Cell(column, self.count(column, self.views))) for column in self.columns]
        self.used = [name for name in reversed(VERDICTS) if any(cell.counts[name] for _, cell in self.totals)]
        self.operations = list(self.arranged())
        self.rules = self.rules_of(self.views.values())

    def count(self, column: Column, names: Iterable[str]) -> Counter[str]:
        return Counter(result_of(column, name)["verdict"] for name in names)

    def arranged(self) -> Iterator[tuple[str, list[Cell], list[Topic], int]]:
        """Operations in the order of the runner's table: name, cells, topics, number of cases."""
        order = list(OPERATIONS)
        names = sorted(
            {view.case.operation for view in self.views.values()},
            key=lambda name: order.index(name) if name in order else len(order),
        )
        for operation in names:
            mine = [view for view in self.views.values() if view.case.operation == operation]
            topics: dict[str, list[CaseView]] = {}
            for view in mine:
                topics.setdefault(".".join(view.id.split(".")[:2]), []).append(view)
            cells = [Cell(column, self.count(column, [view.id for view in mine])) for column in self.columns]
            yield operation, cells, [self.topic(name, operation, views) for name, views in topics.items()], len(mine)

    def topic(self, name: str, operation: str, views: list[CaseView]) -> Topic:
        groups: dict[tuple[str, ...], list[CaseView]] = {}
        for view in views:
            vector = tuple(result_of(column, view.id)["verdict"] for column in self.columns)
            groups.setdefault(vector, []).append(view)
        worst_first = sorted(groups.items(), key=lambda group: sorted(map(VERDICTS.index, group[0])))
        ids = {view.id for view in views}
        return Topic(
            name=name,
            operation=operation,
            cells=[Cell(column, self.count(column, ids)) for column in self.columns],
            groups=[Group(vector, cases, self.columns) for vector, cases in worst_first],
            floor=max((len(ids.intersection(passed)) for passed in self.report.floors.values()), default=0),
            cases=len(views),
        )

    @property
    def floors(self) -> list[tuple[str, int]]:
        return [(name, len(passed)) for name, passed in self.report.floors.items()]

    @property
    def failures(self) -> list[tuple[Column, list[tuple[str, list[tuple[CaseView, dict[str, Any]]]]]]]:
        """For each adapter with something red: by topic, the cases and results."""
        found = []
        for column in self.columns:
            topics: dict[str, list[tuple[CaseView, dict[str, Any]]]] = {}
            for name, view in self.views.items():
                result = result_of(column, name)
                if result["verdict"] in RED:
                    topics.setdefault(".".join(name.split(".")[:2]), []).append((view, result))
            if topics:
                found.append((column, list(topics.items())))
        return found

    @staticmethod
    def implementation(column: Column) -> str:
        hello = (column.hello or {}).get("hello", {})
        return f"{hello['implementation']} {hello['version']}, {hello['language']}" if hello else ""

    @staticmethod
    def host(column: Column) -> str:
        """The members of the host model, in words."""
        host = (column.hello or {}).get("hello", {}).get("host", {})
        return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in host.items())

    @staticmethod
    def troubles(column: Column) -> list[tuple[str, str]]:
        """What there is to say of an adapter: (``wrong`` or ``note``, text)."""
        said = [line.removeprefix(f"{column.name}: ") for line in terminal.troubles(column)]
        return [("note" if text.startswith(("hint", "weakened")) else "wrong", text) for text in said]

    speed = staticmethod(terminal.speed)

    @property
    def environment(self) -> list[tuple[str, str]]:
        header = self.header
        return [
            ("corpus", f"{header['corpus']['cases']:,} cases, digest {header['corpus']['digest']}"),
            (
                "selected",
                f"{header['selection']['cases']:,} cases"
                + "".join(f", {k}: {v}" for k, v in header["selection"].items() if k not in ("cases", "digest")),
            ),
            ("started", header["started"]),
            ("passes", f"{header['passes']}, seed {header['seed']}"),
            *header["environment"].items(),
            ("command", " ".join(header["command"])),
        ]

    @staticmethod
    def rules_of(views: Iterable[CaseView]) -> dict[str, str]:
        """The text of the rules that cases name, as far as RULES.md has them."""
        wanted = {rule for view in views for rule in view.record.get("rules", ())}
        found = {}
        for file in ("RULES.md", "REPAIR.md"):
            path = PACKAGE / file
            text = path.read_text("utf-8") if path.exists() else ""
            for rule, words in re.findall(
                r"^- \*\*([A-Z][A-Z0-9]*-[0-9]+[a-z]?)\*\* +(.*(?:\n  .*)*)", text, re.MULTILINE
            ):
                if rule in wanted:
                    found[rule] = " ".join(words.split())
        return dict(
            sorted(
                found.items(),
                key=lambda entry: (entry[0].split("-")[0], int(re.sub(r"\D", "", entry[0].split("-")[1]))),
            )
        )
