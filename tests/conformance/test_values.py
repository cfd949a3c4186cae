"""Tagged values: what is read, what is refused, and what a host model may give up."""

from __future__ import annotations

from typing import Any

import pytest
from jsonscan_conformance.runner.model import Case
from jsonscan_conformance.runner.operations import brief, judge_answer, preview
from jsonscan_conformance.runner.text import Malformed, expand, from_hex16, read_string, sizes, slice_of, spans, weaken
from jsonscan_conformance.runner.values import Host, bits_of, compare, read_events, same_skeleton

EXACT = Host()
JAVASCRIPT = Host("utf16", "kept", "binary64", "untyped", "integers-first")
LOSSY = Host("utf8", "lost", "exact", "typed", "lost")


def number(token: str) -> dict[str, str]:
    return {"$n": token, "$b": bits_of(float(token))}


def meet(want: Any, got: Any, host: Host = EXACT) -> set[str] | None:
    """What was weakened when the answer meets the expectation, None when it does not."""
    difference, loss = compare(read_events(want, host.key_order, corpus=True), read_events(got, host.key_order), host)
    return None if difference else loss


@pytest.mark.parametrize(
    ("want", "got", "host", "result"),
    [
        (1, 1, EXACT, set()),
        (1, True, EXACT, None),
        (0, False, EXACT, None),
        (1, {"$f": bits_of(1.0)}, EXACT, None),
        (1, {"$f": bits_of(1.0)}, JAVASCRIPT, {"numbers"}),
        (number("1.0"), 1, EXACT, None),
        (number("1.0"), 1, JAVASCRIPT, {"numbers"}),
        (number("1.0"), {"$f": bits_of(1.0)}, EXACT, set()),
        (number("1.5"), {"$f": bits_of(1.5)}, JAVASCRIPT, set()),
        (number("1.5"), {"$f": bits_of(1.25)}, EXACT, None),
        (1, {"$f": bits_of(2.0)}, JAVASCRIPT, None),
        (number("-0"), 0, JAVASCRIPT, None),
        (number("-0"), {"$f": bits_of(-0.0)}, EXACT, set()),
        (number("9007199254740993"), {"$i": "9007199254740993"}, EXACT, set()),
        (number("9007199254740993"), {"$f": bits_of(9007199254740992.0)}, EXACT, None),
        (number("9007199254740993"), {"$f": bits_of(9007199254740992.0)}, JAVASCRIPT, {"integers"}),
        (number("9007199254740993"), {"$i": "9007199254740992"}, EXACT, None),
        (number("1e2"), {"$i": "100"}, EXACT, None),
        (number("1e400"), {"$f": bits_of(float("inf"))}, EXACT, set()),
        (number("1e400"), {"$i": "1" + "0" * 400}, JAVASCRIPT, None),
        ("\u00e9", "e", EXACT, None),
        ({"$u16": "d800"}, "\ufffd", EXACT, None),
        ({"$u16": "d800"}, "\ufffd", LOSSY, {"ill_formed"}),
        ({"$u16": "d83d"}, {"$u16": "d83e"}, EXACT, None),
        ({"b": 1, "2": 2, "1": 3}, {"1": 3, "2": 2, "b": 1}, EXACT, None),
        ({"b": 1, "2": 2, "1": 3}, {"1": 3, "2": 2, "b": 1}, JAVASCRIPT, set()),
        ({"b": 1, "a": 2}, {"a": 2, "b": 1}, JAVASCRIPT, None),
        ({"b": 1, "a": 2}, {"a": 2, "b": 1}, LOSSY, set()),
        ({"b": [1], "a": [2]}, {"a": [1], "b": [2]}, LOSSY, None),
        ([], {}, EXACT, None),
        ([1], [1, 2], EXACT, None),
        ([1, 2], [1], EXACT, None),
        ({"$o": [["$i", "1"]]}, {"$o": [["$i", "1"]]}, EXACT, set()),
        ({"$flat": [["*", ["["], 300], ["*", ["]"], 300]]}, {"$flat": ["["] * 300 + ["]"] * 300}, EXACT, set()),
        ({"$flat": [["*", ["["], 300], ["*", ["]"], 300]]}, {"$flat": ["["] * 299 + ["]"] * 299}, EXACT, None),
        ([["a"]], {"$flat": ["[", "[", ["v", "a"], "]", "]"]}, EXACT, set()),
        ({"a": 1}, {"$flat": ["{", ["k", "a"], ["v", 1], "}"]}, EXACT, set()),
    ],
)
def test_an_answer_meets_an_expectation_as_far_as_the_host_can_say(
    want: Any, got: Any, host: Host, result: set[str] | None
) -> None:
    assert meet(want, got, host) == result


@pytest.mark.parametrize(
    "wire",
    [
        1.5,
        2**53,
        {"$f": "3FF8000000000000"},
        {"$f": 1},
        {"$i": "01"},
        {"$i": "-0"},
        {"$n": "1", "$b": bits_of(1.0)},
        {"$u16": "d80"},
        {"$i": "1", "a": 2},
        {"$unknown": 1},
        "\ud800",
        {"\ud800": 1},
        {"$o": [["a"]]},
        {"$flat": []},
        {"$flat": ["["]},
        {"$flat": ["[", "}"]},
        {"$flat": ["[", "]", "]"]},
        {"$flat": ["{", ["v", 1], "}"]},
        {"$flat": ["{", ["k", "a"], "}"]},
        {"$flat": ["{", ["k", "a"], ["k", "b"], "}"]},
        {"$flat": ["[", ["k", "a"], "]"]},
        {"$flat": ["[", ["v", [1]], "]"]},
        {"$flat": ["[", ["*", [["*", ["["], 2]], 2], "]"]},
        {"$flat": ["[", ["*", [["v", 1]], 10**15], "]"]},
        {"$flat": "[]"},
    ],
)
def test_what_the_protocol_does_not_have_is_malformed(wire: Any) -> None:
    with pytest.raises(Malformed):
        read_events(wire)


def test_a_value_nested_in_plain_json_beyond_the_bound_is_malformed() -> None:
    deep: Any = 1
    for _ in range(400):
        deep = [deep]
    with pytest.raises(Malformed, match="flat"):
        read_events(deep)


def test_the_first_difference_has_a_path() -> None:
    difference, _ = compare(read_events({"a": [1, {"b": 2}]}, corpus=True), read_events({"a": [1, {"b": 3}]}), EXACT)
    assert difference is not None
    assert difference.startswith("at $.a[1].b: expected number 2 ")


def test_skeletons_are_the_same_only_without_values() -> None:
    folded = {"$flat": [["*", ["["], 3], ["*", ["]"], 3]]}
    assert same_skeleton(folded, {"$flat": ["[", "[", "[", "]", "]", "]"]})
    assert not same_skeleton(folded, {"$flat": ["[", "[", "]", "]"]})
    assert not same_skeleton({"$flat": ["[", ["v", 1], "]"]}, {"$flat": ["[", ["v", True], "]"]})


def test_strings_are_compared_by_their_code_units() -> None:
    assert from_hex16("d83dde00") == "\U0001f600"
    assert expand({"concat": [{"$u16": "d83d"}, {"$u16": "de00"}]}) == "\U0001f600"
    assert expand({"slice": [{"repeat": ["\U0001f600", 2]}, 0, 3]}) == "\U0001f600\ud83d"
    assert weaken("a\ud800") == "a\ufffd"
    with pytest.raises(Malformed):
        read_string("\ud800")


def test_a_span_has_three_units() -> None:
    text = "\u00e9\U0001f600{}"
    assert sizes(text) == {"codepoints": 4, "utf16": 5, "utf8": 8}
    assert spans(text, 2, 4) == {"codepoints": [2, 4], "utf16": [3, 5], "utf8": [6, 8]}
    assert all(slice_of(text, unit, *span) == "{}" for unit, span in spans(text, 2, 4).items())
    with pytest.raises(Malformed, match="cuts"):
        slice_of(text, "utf8", 1, 2)


# What people are shown


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        ({"outcome": "value", "value": [1, "\u00e9", None, {"a": []}]}, r'value [1, "\u00e9", null, {"a": []}]'),
        ({"outcome": "value", "value": [number("1.50"), number("-0")]}, "value [1.50, -0]"),
        ({"outcome": "value", "value": [{"$f": bits_of(1.5)}, {"$i": "9" * 20}]}, f"value [1.5, {'9' * 20}]"),
        ({"outcome": "value", "value": {"$o": [["$a", {"$u16": "d800"}]]}}, r'value {"$a": "\ud800"}'),
        ({"outcome": "value", "value": {"$flat": ["[", "{", ["k", "a"], ["v", 1], "}", "]"]}}, 'value [{"a": 1}]'),
        ({"outcome": "value", "value": {"$flat": [["*", ["["], 10**12]]}}, f"value {'[' * 30}..."),
        ({"outcome": "value", "value": {"$flat": [["*", [], 10**12], ["v", 1]]}}, "value 1"),
        ({"outcome": "value", "value": {"$f": "x\x1b"}}, r'value {"$f": "x\\u001b"}'),
        ({"outcome": "error", "code": "no-json", "preview": "a\x7f\n"}, r'error no-json, preview "a\u007f\n"'),
        ({"outcome": "found", "text": "x" * 99}, f'found "{"x" * 29}...'),
        ({"outcome": "found", "matches": [{"value": 1}] * 9}, "found matches 9 [(1), (1), (1), ...]"),
        ({"outcome": "found", "matches": [{"span": [0, 2], "value": []}]}, "found matches 1 [(span [0, 2], value [])]"),
        ({"id": 7, "outcome": "unchanged"}, "unchanged"),
    ],
)  # fmt: skip
def test_an_answer_is_shown_as_json_of_bounded_length(answer: Any, shown: str) -> None:
    assert brief(answer, 30) == shown


def asked(operation: str, text: str, expect: Any) -> Case:
    return Case({"id": "a.b.c", "operation": operation, "level": "must", "input": {"text": text}, "expect": expect}, "")


def test_lengths_are_told_in_the_unit_that_the_rules_count_in() -> None:
    smiles = "\U0001f600" * 300
    error = {"outcome": "error", "code": "no-json"}
    core = asked("extract_json", smiles, {**error, "preview": smiles[:100]})
    difference, _ = judge_answer(core, {**error, "preview": smiles[:200]}, EXACT)
    assert difference and "expected 200 UTF-16 code units, got 400; they part at 200:" in difference
    assert preview(core, 100).endswith("(600 UTF-16 code units)")
    ours = asked("repair", smiles, {"outcome": "found", "value": 1, "text": smiles, "repairs": []})
    difference, _ = judge_answer(ours, {"outcome": "found", "value": 1, "text": smiles[1:], "repairs": []}, EXACT)
    assert difference and "expected 300 code points, got 299; they part at 299:" in difference
    assert preview(ours, 100).endswith("(300 code points)")
    assert len(preview(ours, 100)) < 200


def test_a_difference_shows_the_array_that_stands_there() -> None:
    difference, _ = compare(read_events([[1, 2], 3], corpus=True), read_events([7, 3]), EXACT)
    assert difference == "at $[0]: expected array [1, 2], got integer 7"
