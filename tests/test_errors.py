"""The exception tree: what each error carries, that it says where, and that it survives comparing, pickling and printing."""

from __future__ import annotations

import functools
import io
import json
import pickle
from typing import Any

import pytest

DOC = '{\n  "a": 1\n  "b": 2\n}'


def errors(js: Any) -> list[Any]:
    return [
        js.NoJSONError("none", DOC, 0),
        js.InvalidJSONError("expected a comma", DOC, 13, "unexpected"),
        js.TruncatedJSONError("cut", DOC, 21, {"a": 1}, "/b"),
        js.AmbiguousJSONError("several", DOC, 0, (js.Match(DOC, {}, 0, 2), js.Match(DOC, [], 13, 14))),
        js.LimitError("too deep", DOC, 5, "max_depth", 1000),
        js.ExtractJsonError("extractJson: \ud83d", DOC, 0, "no-json", "\ud83d"),
    ]


def test_the_tree(js: Any) -> None:
    assert [error.code for error in errors(js)] == ["no-json", "unexpected", "truncated", "ambiguous", "limit", "no-json"]
    for error in errors(js):
        assert isinstance(error, js.JSONScanError)
        assert isinstance(error, ValueError)
    assert issubclass(js.InvalidJSONError, json.JSONDecodeError)


def test_the_tree_is_drawn_where_it_is_defined(module: Any) -> None:
    errors = module("errors")
    names = [name for name, each in vars(errors).items() if isinstance(each, type) and issubclass(each, errors.JSONScanError)]
    assert len(names) == 7
    assert [name for name in names if name not in errors.__doc__] == []


def test_errors_are_values(js: Any) -> None:
    for error, again in zip(errors(js), errors(js), strict=True):
        assert error == again
        assert hash(error) == hash(again)
        assert pickle.loads(pickle.dumps(error)) == error
    assert len({type(error): error for error in errors(js)}) == 6
    assert js.NoJSONError("x", DOC, 0) != js.NoJSONError("x", DOC, 1)
    assert js.NoJSONError("x") != ValueError("x")


def test_position_and_message(js: Any) -> None:
    error = js.InvalidJSONError("expected a comma", DOC, 13, "unexpected")
    assert (error.msg, error.doc, error.pos, error.lineno, error.colno) == ("expected a comma", DOC, 13, 3, 3)
    assert str(error) == "expected a comma: line 3 column 3 (char 13)"


def test_a_hint_shows_the_line_and_a_caret(js: Any) -> None:
    hint = js.InvalidJSONError("expected a comma", DOC, 13, "unexpected").hint()
    assert '\n      "b": 2\n      ^\n' in hint
    assert hint.startswith("expected a comma (line 3, column 3)")


def test_a_hint_of_a_long_line_is_short(js: Any) -> None:
    doc = "x" * 10_000 + "\t!" + "y" * 10_000
    lines = js.InvalidJSONError("odd", doc, 10_001).hint().split("\n")
    caret = next(line for line in lines if line.strip() == "^")
    shown = lines[lines.index(caret) - 1]
    assert shown[len(caret) - 1] == "!"
    assert len(shown) <= 80
    assert "\t" not in shown


def test_each_hint_says_what_to_do(js: Any) -> None:
    _, _, truncated, ambiguous, limit, _ = (error.hint() for error in errors(js))
    assert "cut off inside /b" in truncated
    assert "2 different values (at lines 1, 3)" in ambiguous
    assert "max_depth = 1,000" in limit
    assert "the root" in js.TruncatedJSONError("cut", "", 0).hint()


@pytest.mark.parametrize(
    ("text", "options", "way"),
    [
        ('{"loss": NaN}', {}, 'NaN and Infinity are no JSON. (nonfinite="null" would read it as it is.)'),
        ('{"loss": -Infinity}', {"repair": "full"}, '(nonfinite="null" would read it as it is.)'),
        ('{"a": 5 mg}', {}, '(repair="full" would read it as it is.)'),
        ('x {"a": 5 mg}', {"repair": "off"}, '(repair="full" would read it as it is.)'),
        ("{'a': 1}", {"repair": "off"}, '(repair="safe" would read it as it is.)'),
        ('{"a": NaN, "b": 5 mg}', {}, '(nonfinite="null" and repair="full" would read it as it is.)'),
        ('{"a": 6 * 7}', {}, ""),
        ('{"a": 6 * 7} {"b": 5 mg}', {}, ""),
        ('{"a": 1, "a": 2}', {"duplicate_keys": "raise"}, ""),
        (b'{"a": "\xff", "b": 5 mg}', {}, ""),
    ],
)
def test_a_hint_names_the_options_that_would_read_the_text(js: Any, text: str, options: dict[str, Any], way: str) -> None:
    with pytest.raises(js.InvalidJSONError) as raised:
        js.loads(text, **options)
    hint = raised.value.hint()
    assert ("would read" in hint) == bool(way)
    assert hint.endswith(way or "and nothing else.")


@pytest.mark.parametrize(
    ("text", "options", "helps"),
    [("42", {}, True), ('"so"', {}, True), ("[1]", {"expect": "object"}, True), ("none", {}, False), ("", {}, False)],
)
def test_a_hint_says_that_the_text_is_a_value_of_another_kind(js: Any, text: str, options: dict[str, Any], helps: bool) -> None:
    with pytest.raises(js.NoJSONError) as raised:
        js.loads(text, **options)
    advice = ' (expect="any" would read it as it is.)' if helps else ""
    assert raised.value.hint().endswith("and not only reasoning." + advice)


def test_a_hint_of_a_text_beyond_the_limits(js: Any) -> None:
    error = js.NoJSONError("none", "[" * 1001 + "]" * 1001, 0)
    with pytest.raises(js.LimitError):
        js.fullmatch(error.doc, expect="any")
    assert error.hint().endswith("and not only reasoning.")


def test_nothing_is_read_once_more_before_a_hint_is_asked_for(js: Any, module: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(js.InvalidJSONError) as raised:
        js.loads('{"a": 5 mg}')
    monkeypatch.setattr(module("scanner"), "search", lambda *_, **__: pytest.fail("read"))
    assert str(raised.value) == "expected a comma or the closing bracket: line 1 column 9 (char 8)"
    with pytest.raises(pytest.fail.Exception):
        raised.value.hint()


def test_lone_surrogates_can_be_printed(js: Any) -> None:
    error = errors(js)[-1]
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    print(error, error.hint(), file=stream)
    assert "\\ud83d" in str(error)
    assert error.preview == "\ud83d"


STEERING = "\x1b(0\x07\x7f\x9b\r\n\t\u200b\u202e\u2028\ud800\U000e0001"
ESCAPED = "\\u001b(0\\u0007\\u007f\\u009b\\u000d\\u000a\\u0009\\u200b\\u202e\\u2028\\ud800\\U000e0001"


@pytest.mark.parametrize("way", ["loads", "search", "repair", "stream"])
def test_a_name_in_a_message_cannot_steer_a_terminal(js: Any, way: str) -> None:
    text = f'{{{json.dumps(STEERING)}: [1, "b'
    stream = js.Stream()
    stream.feed(text)
    read = stream.close if way == "stream" else functools.partial(getattr(js, way), text)
    with pytest.raises(js.TruncatedJSONError) as raised:
        read()
    error = raised.value
    assert error.path == f"/{STEERING}/1"
    assert f"at /{ESCAPED}/1" in error.msg
    for words in (error.msg, str(error), error.args[0]):
        assert words.isprintable()
    assert all(line.isprintable() for line in error.hint().split("\n"))
    assert f"cut off inside /{ESCAPED}/1." in error.hint()
    assert pickle.loads(pickle.dumps(error)) == error


def test_a_preview_in_a_message_cannot_steer_a_terminal(js: Any) -> None:
    with pytest.raises(js.ExtractJsonError) as raised:
        js.extract_json(f"no {STEERING}!")
    error = raised.value
    assert error.msg == error.args[0]
    assert error.msg.endswith(f"\nResponse preview: no {STEERING}!")
    assert str(error).endswith("\nResponse preview: no " + ESCAPED.replace("\\u000a", "\n") + "!")
    assert all(line.isprintable() for line in (str(error) + error.hint()).split("\n"))


@pytest.mark.parametrize("pos", [0, 21])
def test_a_hint_at_either_end_of_the_text(js: Any, pos: int) -> None:
    assert "^" in js.NoJSONError("none", DOC, pos).hint()
