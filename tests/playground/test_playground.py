"""The playground in headless Chromium: Python runs there, the address repeats what was seen, keyboard and phone will do."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout

import pytest
from looks import CLIPPED, CONTRAST, NUMBERED
from playwright.sync_api import Browser, Page, expect

import jsonscan
from jsonscan.page import page as render

START = 60_000  # milliseconds for Python to start, on a busy machine
HOSTILE = "</textarea></script><script>document.title='owned'</script><img src=x onerror=\"parent.document.title='owned'\">"
TEXTS = {
    "plain": '{"a": 1}',
    "empty": "",
    "crlf": 'So:\r\n```json\r\n{"a": 1,}\r\n```\r',
    "unseen": '{"a": "\u202e\x00\x1b\u2028\ufeff", }',
    "lone": '{"a": "\ud83d", "b": "\udc00 \ud83d"}',
    "markup": f'{HOSTILE} {{"a": "{"".join(reversed(HOSTILE))}", "b": [1,]}}'.replace('"pa', "pa").replace("'\"", "'"),
    "long": json.dumps([{"id": at, "text": "ä" * 20} for at in range(2000)]),
}


@pytest.fixture(scope="module")
def asked() -> list[str]:
    return []


@pytest.fixture(scope="module")
def said() -> list[str]:
    return []


@pytest.fixture(scope="module")
def tab(browser: Browser, address: str, asked: list[str], said: list[str]) -> Iterator[Page]:
    """One page for all, since Python takes seconds to start."""
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(address)
    page.frame_locator("#page").locator(".verdict").wait_for(timeout=START)
    yield page
    context.close()


@pytest.fixture(scope="module")
def text_of(browser: Browser) -> Iterator[Callable[..., str]]:
    """The text of the page that jsonscan makes here, as a browser has it."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()

    def go(raw: str, **options: str) -> str:
        page.set_content(render(raw, **options).replace(f"{jsonscan.BUILD} build", "pure build"))  # type: ignore[arg-type]
        return page.locator("body").text_content() or ""

    yield go
    context.close()


@pytest.fixture
def wait_for(tab: Page, text_of: Callable[..., str]) -> Callable[..., None]:
    """Wait until the page about this text is shown, the same as it is here."""

    def go(raw: str, **options: str) -> None:
        expect(tab.frame_locator("#page").locator("body")).to_have_js_property("textContent", text_of(raw, **options), timeout=20_000)

    return go


@pytest.fixture
def type_in(tab: Page, wait_for: Callable[..., None]) -> Callable[..., None]:
    """Type a text, choose options, and wait for the page about it."""

    def go(raw: str, **options: str) -> None:
        for name in ("expect", "repair", "truncated", "select", "duplicate_keys", "nonfinite", "big_int"):
            tab.select_option(f"#{name}", options.get(name) or tab.locator(f"#{name} option").first.get_attribute("value"))
        tab.fill("#raw", raw)
        wait_for(raw, **options)

    return go


def test_it_starts_with_an_example_and_asks_nobody_else(tab: Page, address: str, asked: list[str], said: list[str]) -> None:
    assert "answer found, with 4 repairs" in tab.frame_locator("#page").locator(".verdict").inner_text()
    assert asked and all(url.startswith((address, "data:,", "blob:")) for url in asked)
    assert said == []


@pytest.mark.parametrize("options", [{}, {"repair": "full", "truncated": "keep", "expect": "any", "select": "last"}])
@pytest.mark.parametrize("name", ["plain", "empty", "unseen", "markup", "long"])
def test_it_shows_what_jsonscan_makes_of_it_here(tab: Page, type_in: Callable[..., None], name: str, options: dict[str, str]) -> None:
    type_in(TEXTS[name], **options)
    call = ", ".join(["raw", *(f'{option}="{value}"' for option, value in options.items())])
    assert sorted(re.findall(r'\w+="\w+"|raw', tab.locator("#call").inner_text())) == sorted(call.split(", "))
    assert tab.title() == "jsonscan playground"


def test_every_option_gets_through(tab: Page, type_in: Callable[..., None]) -> None:
    type_in('{"a": 12345678901234567890, "a": [NaN, 1', truncated="keep", big_int="str", duplicate_keys="first", nonfinite="null")
    assert "'12345678901234567890'" in repr(jsonscan.loads('{"a": 12345678901234567890}', big_int="str"))
    assert "complete" not in tab.locator("#status").inner_text()
    assert "truncated_at='/a/1'" in tab.locator("#status").inner_text()


@pytest.mark.parametrize("name", TEXTS)
def test_the_address_repeats_what_was_seen(tab: Page, wait_for: Callable[..., None], name: str) -> None:
    raw = TEXTS[name]
    fragment = tab.evaluate(
        """async raw => {
            const json = new TextEncoder().encode(JSON.stringify({ raw: JSON.parse(raw), repair: "full", select: "sole" }));
            const stream = new Blob([json]).stream().pipeThrough(new CompressionStream("deflate-raw"));
            const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
            const text = Array.from(bytes, byte => String.fromCharCode(byte)).join("");
            return "#1." + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
        }""",
        json.dumps(raw),
    )
    tab.evaluate("fragment => location.hash = fragment", fragment)
    wait_for(raw, repair="full", select="sole")
    assert tab.evaluate("location.hash") == fragment  # and it stays as it is
    assert tab.locator("#note").is_visible() == ("\r" in raw)
    assert tab.input_value("#repair") == "full"


def test_a_link_opens_the_same_in_a_new_window(tab: Page, browser: Browser, type_in: Callable[..., None]) -> None:
    type_in('{"a": 1} or {"a": 2}', select="sole", repair="off")
    tab.click("#link")
    expect(tab.locator("#status")).to_have_text("Link copied.")
    link = tab.evaluate("navigator.clipboard.readText()")
    assert link == tab.url
    context = browser.new_context()
    other = context.new_page()
    other.goto(link)
    expect(other.frame_locator("#page").locator(".verdict")).to_contain_text("more than one answer", timeout=START)
    assert other.input_value("#raw") == '{"a": 1} or {"a": 2}'
    context.close()


def test_a_link_that_was_cut_says_so(tab: Page, type_in: Callable[..., None]) -> None:
    type_in('{"a": "' + "text " * 50 + '"}')
    before = tab.url
    for fragment in (tab.evaluate("location.hash")[:-9], "#1.", "#1.%%%", "#1.AAAA"):
        tab.evaluate("fragment => location.hash = fragment", fragment)
        expect(tab.locator("#status")).to_contain_text("it may have been cut off")
        assert "bad" in (tab.get_attribute("#status", "class") or "")
        tab.evaluate("address => location.href = address", before)


def test_a_bug_report_runs_and_gives_what_it_says(tab: Page, type_in: Callable[..., None]) -> None:
    type_in('It\'s {"a": "é\u202e\\n\'\'\'", }', repair="full")
    tab.click("#report")
    expect(tab.locator("#status")).to_have_text("Bug report copied.")
    report = tab.evaluate("navigator.clipboard.readText()")
    code, outcome = re.findall(r"```(?:python)?\n(.*?)\n```", report, re.DOTALL)
    *lines, call = code.splitlines()
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec("\n".join(["import json, jsonscan", *lines, f"print(repr({call}))"]), {})
    assert printed.getvalue() == f"{outcome}\n"
    assert tab.url in report


def test_the_page_can_be_saved(tab: Page, type_in: Callable[..., None]) -> None:
    type_in('{"a": 1, }')
    with tab.expect_download() as download:
        tab.click("#save")
    assert download.value.suggested_filename == "response.html"
    assert download.value.path().read_text("utf-8") == render('{"a": 1, }').replace(f"{jsonscan.BUILD} build", "pure build")


def test_links_in_the_page_work_inside_it(tab: Page, type_in: Callable[..., None]) -> None:
    type_in("{'a': 1}")
    frame = tab.frame_locator("#page")
    frame.locator("nav a", has_text="1 repair").click()
    expect(frame.locator("#repairs")).to_be_in_viewport()


def test_everything_is_reached_by_keyboard(tab: Page, type_in: Callable[..., None]) -> None:
    type_in('{"a": 1}')
    wanted = tab.evaluate(NUMBERED)
    tab.locator("h1").click()
    tab.keyboard.press("Shift+Tab")
    reached = []
    for _ in range(wanted):
        at, outline = tab.evaluate("[document.activeElement.dataset.at, getComputedStyle(document.activeElement).outlineStyle]")
        assert outline not in ("none", "hidden"), f"no sign of the focus on element {at}"
        reached.append(int(at))
        tab.keyboard.press("Tab")
    assert reached == list(range(wanted))
    assert tab.evaluate("document.activeElement.id") == "page"  # and on into the page


def test_an_example_by_keyboard(tab: Page) -> None:
    tab.locator("#example").focus()
    tab.keyboard.type("two verdicts")
    tab.keyboard.press("Enter")
    expect(tab.locator("#select")).to_have_value("sole")
    expect(tab.frame_locator("#page").locator(".verdict")).to_contain_text("more than one answer")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 375, 1280])
def test_it_fits_and_is_legible(tab: Page, width: int, scheme: str) -> None:
    tab.set_viewport_size({"width": width, "height": 800})
    tab.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    assert tab.evaluate(CLIPPED) == []
    assert tab.locator("p, label, h1, legend, button, select, textarea, code").evaluate_all(CONTRAST) >= 4.5
    sizes = "[...document.querySelectorAll('p, label, button, select, textarea, code')].map(e => parseFloat(getComputedStyle(e).fontSize))"
    assert min(tab.evaluate(sizes)) >= 13
    targets = "[...document.querySelectorAll('button, select')].map(e => e.getBoundingClientRect().height)"
    assert min(tab.evaluate(targets)) >= 40


def test_typing_keeps_the_cursor_where_it_is(tab: Page, type_in: Callable[..., None], wait_for: Callable[..., None]) -> None:
    type_in('{"a": 1}')
    tab.locator("#raw").focus()
    tab.keyboard.press("Control+Home")
    for _ in range(2):
        tab.keyboard.press("ArrowRight")
    tab.keyboard.type("bc")
    wait_for('{"bca": 1}')
    tab.keyboard.type("d")
    wait_for('{"bcda": 1}')


def test_a_text_that_takes_too_long_is_stopped(browser: Browser, address: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.clock.install()
    slow = "postMessage({ version: '0', build: 'pure', python: '3' });"
    page.route("**/worker.js", lambda route: route.fulfill(body=slow, content_type="text/javascript"))
    page.goto(address)
    page.wait_for_function("document.getElementById('status').textContent.startsWith('jsonscan 0')")
    page.clock.run_for(16_000)
    expect(page.locator("#status")).to_contain_text(re.compile("took too long|jsonscan 0"))
    assert page.workers and len(page.workers) == 1
    context.close()


def test_python_that_does_not_start_is_said(browser: Browser, address: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.route("**/jsonscan.whl", lambda route: route.fulfill(status=404))
    page.goto(address)
    expect(page.locator("#status")).to_contain_text("Python could not be started: jsonscan.whl: 404", timeout=START)
    context.close()
