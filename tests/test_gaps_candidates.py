"""Corners of the search for candidates (conformance/RULES.md) that no other test comes to."""

from __future__ import annotations

import pytest


def refusal(js, text, **options):
    with pytest.raises(js.JSONScanError) as caught:
        js.loads(text, **options)
    return caught.value


def test_a_member_without_brace_that_no_repair_reads_is_refused_as_such(js):
    for level in ("safe", "full"):
        error = refusal(js, '"a": 1 : 2}', repair=level)
        assert isinstance(error, js.InvalidJSONError)
        assert (error.msg, error.pos) == ("the opening brace is missing", 0)


def test_the_end_of_a_quotation_that_was_not_opened_sets_nothing_aside(js):
    assert js.findall('{"a": 1}\n</example>\n{"b": 2}') == [{"a": 1}, {"b": 2}]
    assert js.findall('<example>{"a": 1}\n</example>\n{"b": 2}') == [{"b": 2}]


def test_a_guess_that_ends_too_soon_is_no_answer(js):
    error = refusal(js, '{"a": x} y"}', repair="full")
    assert (error.msg, error.pos) == ("text goes on behind the closing bracket", 8)
    assert js.loads('{"a": x} y', repair="full") == {"a": "x"}


def test_behind_a_brace_too_many_a_text_is_read_on_but_once(js):
    """CAND-5: the second brace stands in what the first attempt has looked at already."""
    assert js.findall('{"a": 1}, "b": {"c": 2}, "d": 6 * 7}', repair="full") == []
    assert js.findall('{"a": 1}, "b": {"c": 2}, "d": 7}', repair="full") == [{"a": 1, "b": {"c": 2}, "d": 7}]


@pytest.mark.parametrize(("before", "found"), [(0, True), (7, True), (8, False), (20, False)])
def test_behind_a_brace_too_many_repairs_are_tried_eight_times(js, before, found):
    text = '{"a": 1}, "b": 6 * 7}\n\n' * before + '{"a": 1}, "b": \'x\'}'
    assert js.findall(text, repair="full") == [{"a": 1, "b": "x"}] * found


def test_a_tag_that_is_not_closed_bounds_no_value(js):
    assert js.loads("<result>{'a': 1 : 2} tail\n\n{\"b\": 1}", repair="full") == {"b": 1}
    assert refusal(js, "<result>{'a': 1 : 2}</result> tail", repair="full").pos == 16


def test_three_values_on_lines_are_one_array_under_full(js):
    text = '{"a": 1}\n{"b": 2}\n{"c": 3}'
    assert js.loads(text, repair="full") == [{"a": 1}, {"b": 2}, {"c": 3}]
    assert isinstance(refusal(js, text), js.AmbiguousJSONError)


def test_a_whole_text_of_another_kind_is_no_full_match(js):
    assert js.fullmatch("42", expect="object") is None
    assert js.fullmatch("42", expect="any").value == 42


def test_a_text_that_is_closed_but_not_whole_is_no_full_match(js):
    assert js.fullmatch('{"a": {"b": 1}', truncated="keep") is None
    match = js.fullmatch('{"a": {"b": 1', truncated="keep")
    assert (match.value, match.complete, match.truncated_at) == ({"a": {}}, False, "/a/b")
