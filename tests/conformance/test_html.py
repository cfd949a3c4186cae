"""The HTML page as text: nothing from outside, everything escaped, everything visible. tests/browser has what takes a browser."""

from __future__ import annotations

import base64
import hashlib
import re
import sys
from html.parser import HTMLParser

import pytest
import reports
from jsonscan_conformance.runner.adapters import StartError
from jsonscan_conformance.runner.log import Report
from jsonscan_conformance.runner.report import html


class Elements(HTMLParser):
    """Every element with its attributes, and what encloses it."""

    VOID = {"meta", "input", "br", "rect"}

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.unbalanced: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.unbalanced.append(tag)


@pytest.fixture(scope="module")
def page() -> str:
    return html.render(reports.report())


@pytest.fixture(scope="module")
def elements(page: str) -> Elements:
    parser = Elements()
    parser.feed(page)
    return parser


def test_elements_are_balanced(elements: Elements) -> None:
    assert not elements.unbalanced
    assert not elements.open


def test_nothing_from_outside_and_no_script(elements: Elements) -> None:
    names = {name for name, _ in elements.found}
    assert not names & {"script", "link", "img", "iframe", "object", "embed", "form", "base"}
    for _, attributes in elements.found:
        assert not any(name.startswith("on") or name in ("src", "style", "action") for name in attributes)
        assert attributes.get("href", "#").startswith("#")


def test_the_policy_allows_this_style_sheet_alone(page: str, elements: Elements) -> None:
    policy = next(attributes["content"] for name, attributes in elements.found if attributes.get("http-equiv"))
    style = re.search("<style>(.*?)</style>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert "url(" not in style[1] and "@import" not in style[1]


def test_hostile_text_stays_text(page: str) -> None:
    assert "owned" in page and "<img" not in page and "<script" not in page and page.count("</style>") == 1
    assert "{{ 7*7 }}" in page  # was no template


def test_a_hostile_name_of_an_adapter_is_escaped_too() -> None:
    name = reports.HOSTILE + "\u202e\ud800"
    page = html.render(reports.report(**{name: "fail", "calm": "pass"}))
    parser = Elements()
    parser.feed(page)
    assert not parser.unbalanced and not parser.open
    assert not {"script", "img"} & {element for element, _ in parser.found}
    assert "\u202e" not in page
    assert page.encode("utf-8")


def test_every_strange_character_is_a_code() -> None:
    shown = html.visible(reports.INVISIBLE)
    plain = re.sub("<[^>]*>", "", shown)
    assert not re.search("[^\x21-\x7e\u00b7\u21e5\u21b5\n\u25cc\u0301]", plain)
    for code in (
        "0000",
        "001B",
        "007F",
        "0085",
        "00A0",
        "00AD",
        "180E",
        "200B",
        "200D",
        "202E",
        "2028",
        "2066",
        "FEFF",
        "FFFE",
        "E0001",
    ):
        assert f"<b>{code}</b>" in shown
    assert html.visible("\ud83d") == "<b>D83D</b>"
    assert html.visible("a b", plain_space=True) == "a b"
    assert html.visible("\u00b7") == "<b>00B7</b>"  # the sign for a space stands for a space only


def test_a_long_run_is_counted() -> None:
    assert html.visible("[" + " " * 500 + "]") == "[<i>\u00b7</i><b>\u00d7500</b>]"


def test_letters_of_all_scripts_stay_letters() -> None:
    assert html.visible("é漢Ж") == "é漢Ж"


def test_what_is_to_be_found_is_marked(page: str) -> None:
    assert "x<i>\u00b7</i><mark>{}</mark><i>\u00b7</i>y" in page


def test_all_text_is_encodable(page: str) -> None:
    assert page.encode("utf-8").decode("utf-8") == page


def test_ids_are_unique_and_links_lead_somewhere(elements: Elements) -> None:
    ids = [attributes["id"] for _, attributes in elements.found if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert {attributes["href"][1:] for _, attributes in elements.found if "href" in attributes} <= set(ids)


def test_every_case_is_there_with_the_command_that_repeats_it(page: str, elements: Elements) -> None:
    ids = {attributes.get("id") for name, attributes in elements.found if name == "details"}
    for at, record in enumerate(reports.CASES):
        assert record["id"] in ids
        failing = "fail" if at % 3 else "pass"
        assert f"jsonscan-conformance run {failing} --id {record['id']}<" in page


def test_cases_with_the_same_results_are_folded() -> None:
    (operation,) = html.Page(reports.report(one="pass", two="fail")).operations
    _, _, (topic,), count = operation
    assert count == len(reports.CASES)
    assert [(group.vector, len(group.cases)) for group in topic.groups] == [
        (("pass", "fail"), 26),
        (("pass", "pass"), 13),
    ]


def test_not_run_is_no_pass() -> None:
    for name in ("gone", "other"):
        page = html.Page(reports.report(**{name: "not-run"}))
        (_, cell), *_ = page.totals
        assert cell.worst == "not-run" and cell.counts["not-run"] >= 26
    empty = reports.report(one="pass")
    empty.columns["one"].results.clear()
    assert html.Page(empty).totals[0][1].counts == {"not-run": len(reports.CASES)}


def test_the_worst_verdict_gives_the_colour() -> None:
    found = {column.name: cell.worst for column, cell in html.Page(reports.report()).totals}
    assert found == {**{verdict: verdict for verdict in reports.VERDICTS}, "gone": "not-run"}


def test_a_missing_jinja2_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(StartError, match="pip install jinja2"):
        html.render(reports.report(one="pass"))


def test_a_thousand_cases_and_eight_adapters_stay_below_three_megabytes() -> None:
    small = reports.report(**{f"adapter-{number}": "pass" for number in range(8)})
    base = len(html.render(Report(small.header, {}, {}, small.columns, 0)))
    record = reports.case(
        "some", input={"text": 'Some prose, then ```json\n{"a": [1, 2, 3], "b": "text"}\n``` and more of it. ' * 2}
    )
    for number in range(100):
        identity = f"extract-json-object.page.some-{number}"
        small.cases[identity] = {**record, "id": identity}
        for column in small.columns.values():
            column.results[identity] = {"verdict": "pass"}
    many = {name: record for name, record in small.cases.items() if "some-" in name}
    each = (len(html.render(Report(small.header, many, {}, small.columns, 0))) - base) / 100
    assert each * 1000 < 3_000_000
