"""The HTML page in headless Chromium: without scripts, by keyboard, at phone width, with hostile text, in both colour schemes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import reports
from jsonscan_conformance.runner.report import html
from looks import CONTRAST
from playwright.sync_api import Browser, Page

GREENISH = """element => {
    const style = getComputedStyle(element);
    const colours = [style.color, style.backgroundColor].map(text => text.match(/[\\d.]+/g).map(Number));
    return colours.some(([r, g, b, a]) => a !== 0 && g > r + 12 && g > b + 12);
}"""


@pytest.fixture(scope="session")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "page.html"
    path.write_text(html.render(reports.report()), "utf-8")
    return path


@pytest.fixture
def visit(browser: Browser, file: Path) -> Iterator[Callable[..., Page]]:
    """Open the page in a context of its own: ``visit(fragment, width=..., scheme=..., scripts=...)``."""
    contexts = []

    def go(fragment: str = "", width: int = 1280, scheme: str = "light", scripts: bool = True) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": 800}, color_scheme=scheme, java_script_enabled=scripts
        )
        contexts.append(context)
        page = context.new_page()
        page.goto(f"{file.as_uri()}{fragment}")
        return page

    yield go
    for context in contexts:
        context.close()


def open_all(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach(element => element.open = true)")


def test_without_scripts_a_case_opens_and_closes(visit: Callable[..., Page]) -> None:
    page = visit(scripts=False)
    case = page.locator("[id='extract-json-object.page.hostile']")
    group = page.locator("details.group", has=case)
    if not case.is_visible():
        group.locator("> summary").click()
    assert not case.locator("pre").first.is_visible()
    case.locator("> summary").click()
    assert case.locator("pre").first.is_visible()
    case.locator("> summary").click()
    assert not case.locator("pre").first.is_visible()


def test_without_scripts_a_link_leads_to_its_case(visit: Callable[..., Page]) -> None:
    page = visit("#extract-json-object.page.calm-4", scripts=False)
    assert page.locator("[id='extract-json-object.page.calm-4']").is_visible()


def test_without_scripts_the_filter_hides_what_is_as_expected(visit: Callable[..., Page]) -> None:
    page = visit(scripts=False)
    calm = page.locator(".group.calm").count()
    assert calm == 0  # in this log somebody fails everywhere, or did not run
    assert page.locator(".matrix tbody tr:not(.operation)").first.is_visible()
    page.locator("#only").check()
    assert page.locator(".matrix tbody tr:not(.operation)").first.is_visible()


def test_the_filter_hides_a_topic_without_failures(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "calm.html"
    path.write_text(html.render(reports.report(one="pass", two="differs")), "utf-8")
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(path.as_uri())
    row = page.locator(".matrix tbody tr.calm")
    assert row.is_visible()
    page.locator("#only").check()
    assert not row.is_visible()
    context.close()


def test_everything_that_can_be_used_is_reached_by_tab(visit: Callable[..., Page]) -> None:
    page = visit()
    open_all(page)
    wanted = page.evaluate(
        "[...document.querySelectorAll('a[href], summary, input, [tabindex]')].map((element, at) => element.dataset.at = at).length"
    )
    reached = []
    for _ in range(wanted + 5):
        page.keyboard.press("Tab")
        at, outline = page.evaluate(
            "[document.activeElement.dataset.at, getComputedStyle(document.activeElement).outlineStyle]"
        )
        if at is None:
            break
        assert outline not in ("none", "hidden"), f"no sign of the focus on element {at}"
        reached.append(int(at))
    assert reached == list(range(wanted))


def test_a_case_opens_by_keyboard(visit: Callable[..., Page]) -> None:
    page = visit("#extract-json-object.page.invisible")
    case = page.locator("[id='extract-json-object.page.invisible']")
    case.locator("> summary").focus()
    before = case.evaluate("element => element.open")
    page.keyboard.press("Enter")
    assert case.evaluate("element => element.open") is not before
    page.keyboard.press("Space")
    assert case.evaluate("element => element.open") is before


def test_the_first_tab_skips_to_the_matrix(visit: Callable[..., Page]) -> None:
    page = visit()
    page.keyboard.press("Tab")
    box = page.locator(".skip").bounding_box()
    assert box and box["x"] >= 0
    page.keyboard.press("Enter")
    page.wait_for_url("**/page.html#matrix")


@pytest.mark.parametrize("width", [320, 390, 768, 1280])
def test_no_width_needs_sideways_scrolling(visit: Callable[..., Page], width: int) -> None:
    page = visit(width=width)
    open_all(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    clipped = page.evaluate(
        """[...document.querySelectorAll('pre, code, .answer, .card, .panel, td, li, dd')]
            .filter(element => element.getBoundingClientRect().right > innerWidth + 1 && !element.closest('.wide'))
            .map(element => element.outerHTML.slice(0, 200))"""
    )
    assert clipped == []


def test_text_is_large_enough_on_a_phone(visit: Callable[..., Page]) -> None:
    page = visit(width=390)
    open_all(page)
    small = page.evaluate(
        """[...document.querySelectorAll('p, li, td, th, dd, dt, summary, pre, code, h5')]
            .map(element => parseFloat(getComputedStyle(element).fontSize)).filter(size => size < 11.5)"""
    )
    assert small == []
    assert page.evaluate("parseFloat(getComputedStyle(document.body).fontSize)") >= 16


def test_a_cell_names_its_adapter_on_a_phone(visit: Callable[..., Page]) -> None:
    page = visit(width=390)
    shown = page.evaluate("getComputedStyle(document.querySelector('.matrix td.c'), '::before').content")
    assert "pass" in shown


def test_hostile_text_is_shown_and_does_nothing(visit: Callable[..., Page], file: Path) -> None:
    page = visit()
    asked: list[str] = []
    said: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.on("dialog", lambda dialog: said.append(dialog.message))
    page.reload()
    open_all(page)
    assert asked == [file.as_uri()]
    assert said == []  # the policy had nothing to complain of either
    assert page.title().startswith("Conformance: ")
    assert page.locator("script, img, iframe").count() == 0
    shown = page.locator("[id='extract-json-object.page.hostile'] pre").first.inner_text()
    assert "document.title='owned'" in shown and "<img" in shown
    assert page.evaluate("getComputedStyle(document.body).maxWidth") is not None
    assert page.evaluate("document.styleSheets.length") == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_not_run_is_never_green(visit: Callable[..., Page], scheme: str) -> None:
    page = visit(scheme=scheme)
    open_all(page)
    signs = page.locator(".v.not-run, .n.not-run, td.c.not-run, .f-not-run")
    assert signs.count() > 50
    assert not any(sign.evaluate(GREENISH) for sign in signs.all()[:200])
    assert page.locator(".v.pass").first.evaluate(GREENISH)  # the measure knows green
    gone = page.locator("td.c[data-a=gone]")
    assert gone.count() == 2 and all("not-run" in (cell.get_attribute("class") or "") for cell in gone.all())


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(visit: Callable[..., Page], scheme: str) -> None:
    page = visit(scheme=scheme)
    open_all(page)
    for selector in (".v", ".n", "p", "a", "h5", ".diff", "dt", "dd", "pre", ".answer code", "mark", "small"):
        assert page.locator(selector).evaluate_all(CONTRAST) >= 4.5, selector


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_colour_schemes(visit: Callable[..., Page], scheme: str) -> None:
    page = visit(scheme=scheme)
    red = page.evaluate("parseInt(getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0])")
    assert red > 200 if scheme == "light" else red < 60


def test_colours_come_with_signs(visit: Callable[..., Page]) -> None:
    page = visit()
    for verdict, symbol in html.SYMBOLS.items():
        assert symbol in page.locator(f".v.{verdict}").first.inner_text()


def test_invisible_characters_are_seen_in_text_order(visit: Callable[..., Page]) -> None:
    page = visit()
    open_all(page)
    shown = page.locator("[id='extract-json-object.page.invisible'] pre").first.inner_text()
    assert [code for code in ("0000", "001B", "00A0", "202E", "2066", "FEFF") if code in shown] == [
        "0000",
        "001B",
        "00A0",
        "202E",
        "2066",
        "FEFF",
    ]
    assert "\u202e" not in page.locator("body").inner_text()
    assert "D83D" in page.locator("[id='extract-json-object.page.lone'] pre").first.inner_text()
