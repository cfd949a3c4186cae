"""`loads` answers plain calls without the rules: wherever something stands that needs them, it must see that."""

from __future__ import annotations

from types import ModuleType

import pytest

# What makes the rules come to another answer than the value alone: a second one, a tag, a fence.
MARKS = ['[{"b": 2}]', '{"b": 2}', "</think>", "◁/think▷", '```json\n{"b": 2}\n```', '~~~json\n{"b": 2}\n~~~']


def loaded(js: ModuleType, text: str) -> object:
    try:
        return js.loads(text)
    except js.NoJSONError:
        return None
    except js.JSONScanError as error:
        return error.code


def searched(js: ModuleType, text: str) -> object:
    try:
        match = js.search(text)
    except js.JSONScanError as error:
        return error.code
    return match and match.value


@pytest.mark.parametrize("wide", ["", "é", "中", "😀"], ids=["ASCII", "Latin-1", "CJK", "emoji"])
@pytest.mark.parametrize("mark", MARKS)
def test_a_mark_is_seen_at_every_place(js: ModuleType, wide: str, mark: str):
    for place in range(40):
        for text in (f'{{"a": 1}}{wide}{"x" * place}\n{mark}\n', f'{wide}{"x" * place}\n{mark}\n{{"a": 1}}'):
            assert loaded(js, text) == searched(js, text), text


SHORT = ["[2]", "{}", '{"b":2}', "<b>", "~", "`", "◁", ""]


@pytest.mark.parametrize("wide", ["", "é", "中", "😀"], ids=["ASCII", "Latin-1", "CJK", "emoji"])
@pytest.mark.parametrize("mark", SHORT)
def test_a_mark_is_seen_near_the_end(js: ModuleType, wide: str, mark: str):
    """The text ends with it, within the block of 16 bytes in which the search for it begins or in a later one."""
    for place in range(20):
        for text in (f'{wide} {{"a": 1}}{"x" * place}{mark}', f"{wide} {'x' * place}{mark}"):
            assert loaded(js, text) == searched(js, text), text


@pytest.mark.parametrize("text", ["{}", "[]", "[}", "{]", "]]", "}}", "ab", "{中", "[\u0101", " {", "{} ", "[] "])
def test_two_characters(js: ModuleType, text: str):
    assert loaded(js, text) == searched(js, text)
    assert type(loaded(js, text)) is type(searched(js, text))


BLANKS = ["", " ", "\t", "\n", "\r\n", "\r", " \r \n", "\r\r", "\x0b", "\x85", "\xa0", "\xa0\n", "\u2028", "\u3000", "\ufeff"]


@pytest.mark.parametrize("word", ["", "json"])
@pytest.mark.parametrize("blank", BLANKS)
def test_what_ends_the_line_of_a_fence(js: ModuleType, word: str, blank: str):
    for before in ("", "Text\n", "中\n", "A `b` c\n"):
        for value in ('{"a": 1}', "[1, 2]"):
            text = f"{before}```{word}{blank}{value}\n```"
            assert loaded(js, text) == searched(js, text), text
