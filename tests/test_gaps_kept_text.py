"""What a stream lets go of a long text changes nothing that `close` returns (conformance/STREAM.md, KEEP-1 to KEEP-3)."""

from __future__ import annotations

import pytest

WORDS = "plain words " * 8_000  # more than is kept whatever it is
BLANKS = " " * 20_000
ANSWER = '\n```json\n{"é😀": "x"}\n```\n'

TEXTS = {
    "two stretches": f"See [1].\n{WORDS}\nAnd [2].\n{WORDS}\nAnd [3].\n{WORDS}{ANSWER}",
    "reasoning, and words behind it": f"<think>{WORDS}\n{WORDS}</think>\n{WORDS}{ANSWER}",
    "marks that open nothing": f"Use `x` or <b>bold</b>.\n{WORDS}{ANSWER}",
    "a line feed far inside": f"{WORDS[:15_000]}\n{WORDS}{ANSWER}",
    "blanks first": f"{BLANKS}\n{WORDS}{ANSWER}",
    "blanks last": f"{WORDS[:50_000]}{BLANKS}\n{BLANKS}{BLANKS}{ANSWER}",
    "line feeds first": "\n" + WORDS[:40_000] + "\n" + WORDS[:30_000] + ANSWER,
    "the answer first": f'{{"é😀": "x"}}\n{WORDS}\nand\n{WORDS}',
    "the answer between": f'{WORDS}\n{{"é😀": "x"}}\n{WORDS}',
    "an answer as long as the rest": f'{{"a": "{WORDS}"}}\n{WORDS}\n{WORDS}',
    "repairs": f"{WORDS}\n{{'é😀': True,}}\n",
}


def fed(js, text, **options):
    stream = js.Stream(**options)
    for at in range(0, len(text), 5_000):
        stream.feed(text[at : at + 5_000])
    return stream


@pytest.mark.parametrize("name", TEXTS)
def test_the_match_is_that_of_the_whole_text(js, name):
    text = TEXTS[name]
    match, whole = fed(js, text).close(), js.search(text)
    assert match == whole
    for each in ("value", "text", "start", "end", "span_utf16", "span_bytes", "lineno", "colno", "source", "fence", "complete", "repairs"):
        assert getattr(match, each) == getattr(whole, each), each


@pytest.mark.parametrize("name", ["two stretches", "reasoning, and words behind it", "marks that open nothing", "repairs"])
def test_something_was_let_go(js, name):
    match = fed(js, TEXTS[name]).close()
    assert len(match.string) < len(TEXTS[name]) - 20_000


def test_a_match_is_no_other_thing(js):
    match = fed(js, TEXTS["repairs"]).close()
    assert match != (match.start, match.end)
    assert match == fed(js, TEXTS["repairs"]).close()


def test_behind_what_may_be_broken_all_is_kept(js):
    text = f'{{"name" of it}}\n{WORDS}\n{WORDS}\n{WORDS}{ANSWER}'
    match = fed(js, text).close()
    assert match == js.search(text)
    assert match.string == text
