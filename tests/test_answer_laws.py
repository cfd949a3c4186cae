"""What holds for every text, tried on texts that hypothesis makes up."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import tried
from options import OPTIONS

SCALARS = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8)
NAMES = st.text(max_size=5) | st.sampled_from(["a", "type", "properties", "</think>", "```", "{", "```json\n{}\n```"])
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4), max_leaves=12)
CONTAINERS = VALUES.filter(lambda value: isinstance(value, (dict, list)))
BLANKS = st.sampled_from(["", " ", "\n", "\t\r\n  "])
PROSE = st.text(st.characters(exclude_characters="{}[]<>`~◁｛\":="), max_size=30)  # nothing that could be a landmark or a member
PIECES = st.sampled_from(
    ["{", "}", "[", "]", '"', "'", "\\", ",", ":", "\n", "\n\n", " ", "```", "```json\n", "\n```\n", "<think>", "</think>",
     "<answer>", "</answer>", "<|channel|>final<|message|>", "draft: ", "null", "1", "x", "...", "{{", "{a: b}", "[1]", "[1, 2]",
     '{"a": 1}', '{"a": ', '{"a": 1}, "b": 2}', '"a": 1']
)  # fmt: skip
MESS = st.lists(PIECES, max_size=14).map("".join) | st.text(max_size=40)
LAW = tried(300)


def dump(value: Any, data: Any) -> str:
    ascii_only = data.draw(st.booleans())
    return json.dumps(value, ensure_ascii=ascii_only, indent=data.draw(st.sampled_from([None, 1, "\t"])))


def same(left: Any, right: Any) -> bool:
    return json.dumps(left) == json.dumps(right)


@LAW
@given(st.data(), VALUES, BLANKS, BLANKS, OPTIONS)
def test_text_that_parses_is_the_answer_and_never_edited(
    js: Any, data: Any, value: Any, before: str, behind: str, options: dict[str, Any]
) -> None:
    text = before + dump(value, data) + behind
    options["expect"] = "any"
    match = js.search(text, **options)
    assert same(match.value, json.loads(text))
    assert (match.source, match.repairs, match.complete) == ("bare", (), True)
    assert match.text == text.strip()
    assert js.repair(text, repair="full") == js.Repaired(text, match.value)
    assert same(js.loads(text, **options), match.value)
    assert [same(each, value) for each in js.findall(text, **options)] == [True]


@LAW
@given(st.data(), CONTAINERS, PROSE, PROSE)
def test_the_only_value_is_found_in_prose_fences_and_tags(js: Any, data: Any, value: Any, before: str, behind: str) -> None:
    body = dump(value, data)
    for opening, closing in (("", "\n"), ("```json\n", "\n```\n"), ("<tool_call>", "</tool_call>")):
        text = f"{before}\n{opening}{body}{closing}{behind}"
        match = js.search(text)
        assert same(match.value, json.loads(body))
        assert match.text == body
        assert match.repairs == ()


@LAW
@given(MESS, OPTIONS)
def test_any_text_gives_a_value_or_an_error_that_says_where(js: Any, text: str, options: dict[str, Any]) -> None:
    try:
        match = js.search(text, **options)
    except js.JSONScanError as error:
        assert 0 <= error.pos <= len(text)
        assert error.hint()
        assert outcome(js, text, options) == (type(error), error.code)
    else:
        assert outcome(js, text, options) == ((js.NoJSONError, "no-json") if match is None else match.value)
        if match is not None:
            assert 0 <= match.start <= match.end <= len(text)
            assert match.complete == (match.truncated_at is None)
            strict = match.complete and not match.repairs
            assert not strict or same(json.loads(match.text), match.value) or options.get("duplicate_keys") == "first"
            assert all(text[edit.start : edit.end] == edit.removed for edit in match.repairs)
            assert options.get("repair") != "off" or all(edit.code == "truncated" for edit in match.repairs)


JOINED = ["[1]", '{"a": 1}', "{'b': 2,}", "{}", '{"c": [1', '["x"', "&quot;", '""', '\\"', '"a": ', "x", '"y ', "`y", "'z\n'", "\ufeff"]
GAPS = ["", " ", ",", "\n", ", ", "\n- ", "\n1. ", "\n/* a, b */ ", ", /* a, b */ ", "\xa0,\xa0"]


@LAW
@given(st.lists(st.sampled_from(JOINED) | st.sampled_from(GAPS), max_size=7).map("".join) | MESS, st.sampled_from(["any", "container"]))
def test_the_edits_lead_to_the_value(js: Any, module: Any, text: str, expect: str) -> None:
    try:
        match = js.search(text, repair="full", truncated="keep", expect=expect)
    except js.JSONScanError:
        return
    if match is not None:
        assert all(text[edit.start : edit.end] == edit.removed for edit in match.repairs)
        assert all(one.end <= other.start for one, other in itertools.pairwise(match.repairs))
        assert all(match.start <= edit.start <= edit.end <= match.end for edit in match.repairs)
        assert same(json.loads(module("repairs").applied(text, match.start, match.end, match.repairs)), match.value)


def outcome(js: Any, text: str, options: dict[str, Any]) -> Any:
    try:
        return js.loads(text, **options)
    except js.JSONScanError as error:
        return type(error), error.code


@LAW
@given(MESS)
def test_safe_is_a_subset_of_full(js: Any, text: str) -> None:
    """A value that `safe` finds to be the answer is the answer under `full`, unless `full` reads what was broken before."""
    match = js.fullmatch(text)
    if match is not None:
        full = js.fullmatch(text, repair="full")
        assert (full.value, full.repairs) == (match.value, match.repairs)


@LAW
@given(MESS)
def test_what_is_clean_is_what_the_rules_give(js: Any, module: Any, text: str) -> None:
    """`loads` with default options answers plain texts without a search."""
    found = module("answers").Outcome(text, js.Options())
    try:
        expected = found.answer().value
    except js.JSONScanError as error:
        expected = [type(error), error.code]
        assert module("answers").clean(text, {}) is module("answers").MISSING
        assert list(outcome(js, text, {})) == expected
    else:
        assert same(outcome(js, text, {}), expected)


HEADS = ["", " ", "So:\n```json\n", "```\n", "     ```\n", "a `b` c: ", "So: ", "5: ", "｛", "~~~\n", "x <think>\n", '"a": 1, ']
BODIES = [
    '{"a": [1, {"b": "c', '{"a": [1', "{'a': True,}", "{a: 1, b: [2", '["a", "b"', '{"a": "x {", ":": 1}', '{"a": "b\nc", "d": 1', "[f",
    "{}", "{a: b c", "['a']", "{a: x}"
]  # fmt: skip
TAILS = ["", " it is", "\n```\n", "```", "\n``` x", "\n```\n```", "\n````", "\nThat's it.", '"}', "\n~~~", " [1]", '", "x": 1}', "]", "}"]


@pytest.mark.parametrize("expect", ["container", "any", "object"])
@pytest.mark.parametrize("repair", ["off", "safe", "full"])
def test_a_lone_value_is_what_the_rules_give(js: Any, module: Any, repair: str, expect: str) -> None:
    """Where a search is spared, it would have come to the same."""
    answers, options = module("answers"), js.Options(repair=repair, expect=expect, truncated="keep")

    def told(ask: Any) -> Any:
        try:
            match = ask()
        except js.JSONScanError as error:
            return type(error), error.code, error.pos
        return match and (match, match.repairs)

    spared = 0
    for text in map("".join, itertools.product(HEADS, BODIES, TAILS)):
        lone = told(answers.Outcome(text, options).lone)
        if lone is not None and told(answers.Outcome(text, options).whole) is None:
            assert lone == told(answers.Outcome(text, options).select)
            spared += 1
    assert spared > 10


@LAW
@given(MESS)
def test_matches_are_in_order_and_do_not_overlap(js: Any, text: str) -> None:
    for fragments in (False, True):
        end = 0
        for match in js.finditer(text, repair="full", truncated="keep", fragments=fragments):
            assert match.start >= end
            end = match.end


@LAW
@given(st.data(), CONTAINERS.filter(bool), st.integers(0, 40))
def test_a_cut_value_never_looks_whole(js: Any, data: Any, value: Any, cut: int) -> None:
    body = dump(value, data)
    text = body[: max(1, len(body) - 1 - cut)]
    for wrapped in (text, f"```json\n{text}", f"So:\n{text}"):
        for options in ({}, {"repair": "full"}):
            if options and text.rstrip()[-1] in "]}":  # `full` may read it as a closer behind a quote that was forgotten
                continue
            try:
                js.loads(wrapped, **options)
            except js.JSONScanError:
                continue
            raise AssertionError((wrapped, options))
