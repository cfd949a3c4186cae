"""The strategies keep their word: what they say is the answer is what `search` finds."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import find, given
from hypothesis import strategies as st
from laws import tried

from jsonscan.strategies import CODES, STYLES, responses, values

LAW = tried(100)


@LAW
@given(response=responses())
def test_the_answer_of_a_response(js: Any, response: Any) -> None:
    match = js.search(response.raw, repair="off")
    assert (match.value, match.span(), match.complete) == (response.value, response.span, True)
    assert response.codes == set()


@LAW
@given(response=responses(repairs=True))
def test_the_answer_of_a_damaged_response(js: Any, response: Any) -> None:
    match = js.search(response.raw)
    assert (match.value, match.span()) == (response.value, response.span)
    assert {repair.code for repair in match.repairs} == response.codes
    assert js.loads(response.raw, repair="full", select="sole") == response.value


@pytest.mark.parametrize("style", STYLES)
def test_every_style_is_made(style: str) -> None:
    marks = {"bare": "", "fence": "\n```", "lines": "\n\n", "tag": "</", "inline": ": {"}
    strategy = responses(st.just({"a": 1}), styles=[style], reasoning=False)
    response = find(strategy, lambda each: marks[style] in each.raw)
    assert response.raw[slice(*response.span)].replace(" ", "").replace("\n", "") == '{"a":1}'


@pytest.mark.parametrize("code", CODES)
def test_every_code_is_made(code: str) -> None:
    value = {"a": [True, 1000, "text"], "b c": {}}
    assert find(responses(st.just(value), repairs=True), lambda each: code in each.codes).value == value


def test_drafts_and_decoys_are_made() -> None:
    assert find(responses(styles=["lines"]), lambda each: "<think>" in each.raw)
    assert find(responses(reasoning=False), lambda each: "{name}" in each.raw)
    assert find(values(), lambda each: isinstance(each, list)) == []
