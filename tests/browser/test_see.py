"""The page of a response in headless Chromium: without scripts, by keyboard, on a phone, in both colour schemes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from looks import CLIPPED, CONTRAST, NUMBERED
from playwright.sync_api import Browser, Page

from jsonscan.page import page as render

HOSTILE = "</pre></style><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
LONG = "x" * 300
RESPONSES = {
    "repaired": (
        "<think>\nDraft: {\"city\": \"Lyon\"}\n</think>\nHere, {name}:\n\n```json\n{'city': \"Paris\",  // the capital\n"
        f'  "open": True\n  "said": "{HOSTILE}\u202e\x00\ud83d", "word": "{LONG}"}}\n```\n\n'
        'The old one was {"city": "Nice"} by the way.\n',
        {"repair": "full"},
    ),
    "strict": ('{"a": [1, 2]}', {}),
    "cut": ('Sure:\n```json\n{"items": [{"id": 1}, {"id": 2, "na', {}),
    "broken": ('Result: {"a": 6 * 7, "b": 2}', {}),
    "ambiguous": ('{"v": "yes"}\n\nor\n\n{"v": "no"}', {"select": "sole"}),
    "none": ("I cannot help with that.", {}),
    "arabic": ('{"مدينة": "القاهرة", "n": [1, 2]}', {}),
}


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("see")
    for name, (raw, options) in RESPONSES.items():
        (folder / f"{name}.html").write_text(render(raw, title=f"{name}.txt", **options), "utf-8")
    return {name: folder / f"{name}.html" for name in RESPONSES}


@pytest.fixture(scope="module")
def tab(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    yield context.new_page()
    context.close()


@pytest.fixture
def visit(tab: Page, files: dict[str, Path]) -> Callable[..., Page]:
    """Show one of the pages."""

    def go(name: str, width: int = 1280, scheme: str = "light") -> Page:
        tab.set_viewport_size({"width": width, "height": 800})
        tab.emulate_media(color_scheme=scheme)
        tab.goto("about:blank")
        tab.goto(files[name].as_uri())
        return tab

    return go


@pytest.mark.parametrize("name", RESPONSES)
def test_no_width_needs_sideways_scrolling(visit: Callable[..., Page], name: str) -> None:
    for width in (320, 375, 1280):
        page = visit(name, width=width)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(CLIPPED) == []
        assert page.evaluate("[...document.querySelectorAll('pre')].filter(e => e.scrollWidth > e.clientWidth).length") == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["repaired", "strict", "cut", "broken"])
def test_text_stands_out_from_its_ground(visit: Callable[..., Page], name: str, scheme: str) -> None:
    contrast = visit(name, scheme=scheme).locator("body *:not(:empty)").evaluate_all(CONTRAST)
    assert contrast >= 4.5


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_colour_schemes(visit: Callable[..., Page], scheme: str) -> None:
    page = visit("repaired", scheme=scheme)
    red = page.evaluate("parseInt(getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0])")
    assert red > 200 if scheme == "light" else red < 60


def test_hostile_text_is_shown_and_does_nothing(visit: Callable[..., Page], files: dict[str, Path]) -> None:
    page = visit("repaired")
    asked: list[str] = []
    said: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.reload()
    assert asked == [files["repaired"].as_uri()]
    assert said == []  # the policy had nothing to complain of either
    assert page.title() == "repaired.txt: answer found, with 6 repairs"
    assert page.locator("script, img, iframe").count() == 0
    assert page.evaluate("document.styleSheets.length") == 1
    shown = page.locator(".response").inner_text()
    assert "document.title='owned'" in shown and "<img" in shown
    assert all(code in shown for code in ("U+202E", "U+0000", "U+D83D"))
    assert "\u202e" not in page.locator("body").inner_text()


def test_everything_that_can_be_used_is_reached_by_tab(visit: Callable[..., Page]) -> None:
    page = visit("repaired")
    wanted = page.evaluate(NUMBERED)
    assert wanted > 20
    reached = []
    for _ in range(wanted):
        page.keyboard.press("Tab")
        at, outline = page.evaluate("[document.activeElement.dataset.at, getComputedStyle(document.activeElement).outlineStyle]")
        assert outline not in ("none", "hidden"), f"no sign of the focus on element {at}"
        reached.append(int(at))
    assert reached == list(range(wanted))


def test_a_repair_and_its_place_lead_to_each_other(visit: Callable[..., Page]) -> None:
    page = visit("repaired", width=375)
    page.locator("#at-2").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**#repair-2")
    back = page.locator("#repair-2 a.at")
    assert back.is_visible()
    back.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**#at-2")


def test_the_first_tab_skips_to_the_response(visit: Callable[..., Page]) -> None:
    page = visit("strict")
    page.keyboard.press("Tab")
    box = page.locator(".skip").bounding_box()
    assert box and box["x"] >= 0
    page.keyboard.press("Enter")
    page.wait_for_url("**#text")


def test_colours_come_with_words(visit: Callable[..., Page]) -> None:
    page = visit("repaired")
    labels = page.locator(".response .label").all_inner_texts()
    assert labels == ["reasoning", "answer", "candidate 2"]
    assert page.locator(".legend").inner_text().split("\n") == [
        "answer", "other candidate", "reasoning", "fence", "prose", "removed", "inserted",
    ]  # fmt: skip
    assert page.locator(".response del .x").first.inner_text() == "removed:"
    assert [page.locator(f"#repair-{at} .v").inner_text() for at in (1, 4)] == ["= lossless", "≈ likely"]


def test_text_is_large_enough_on_a_phone(visit: Callable[..., Page]) -> None:
    page = visit("repaired", width=375)
    sizes = page.evaluate(
        "[...document.querySelectorAll('p, li, dt, dd, pre, .label, .at, h4')].map(e => parseFloat(getComputedStyle(e).fontSize))"
    )
    assert min(sizes) >= 12


def test_side_by_side_on_a_desk_and_below_on_a_phone(visit: Callable[..., Page]) -> None:
    tops = {}
    for width in (375, 1280):
        boxes = [each.bounding_box() for each in visit("repaired", width=width).locator(".change").first.locator("div").all()]
        tops[width] = [box["y"] for box in boxes if box]
    assert tops[1280][0] == tops[1280][1]
    assert tops[375][0] < tops[375][1]


def test_a_name_stands_left_of_its_value_in_any_script(visit: Callable[..., Page]) -> None:
    places = [each.bounding_box() for each in visit("arabic").locator(".response bdi").all()]
    left = [box["x"] for box in places if box]
    assert len(left) == 2 and left[0] < left[1]
