"""The contract of `machine.py`, held against each body."""

from __future__ import annotations

import inspect
import json
import math
import random
import re
import sys
from typing import Any

import pytest
from fuzz import bodies, generator
from fuzz.bodies import exact, state
from fuzz.floats import tokens

LEAD, TRAIL = "\ud83d", "\ude00"


@pytest.fixture(scope="session")
def machine(module):
    return module("machine")


@pytest.fixture(scope="session")
def reference(module):
    """The pure body, which every build has: the compiled one must be in the same state after the same steps."""
    return module("_machine_py")


def run(m, final: bool = True) -> dict[str, Any]:
    return state(m, m.run(final))


# -- what is read

VALUES = [
    ("null", None),
    (" true", True),
    ("\t\n\r false", False),
    ("0", 0),
    ("-0", -0.0),
    ("-0.0", -0.0),
    ("-0e5", -0.0),
    ("0e5", 0.0),
    ("-12", -12),
    ("1.5", 1.5),
    ("1E+2", 100.0),
    ("1e400", math.inf),
    ("-1e400", -math.inf),
    ("1e-400", 0.0),
    ("5e-324", 5e-324),
    ("123456789012345678", 123456789012345678),
    ("-9223372036854775809", -9223372036854775809),
    ("[]", []),
    ("{}", {}),
    ("[ ]", []),
    ("{ }", {}),
    ("[[],{}]", [[], {}]),
    ('{"a":[1,{"b":null}],"":""}', {"a": [1, {"b": None}], "": ""}),
    ('{ "a" : 1 , "b" : [ 2 , 3 ] }', {"a": 1, "b": [2, 3]}),
    ('{"b":1,"a":2,"b":3}', {"b": 3, "a": 2}),
    ('{"a":1,"\\u0061":2}', {"a": 2}),
    ('{"__proto__":1}', {"__proto__": 1}),
    ('""', ""),
    (r'"\"\\\/\b\f\n\r\t\u0041\u00e9\u4e2d"', '"\\/\b\f\n\r\tAé中'),
    ('"\x7f\x80\u2028\ufeff"', "\x7f\x80\u2028\ufeff"),
    (f'"a{LEAD}b"', f"a{LEAD}b"),
    (f'"{TRAIL}{LEAD}"', f"{TRAIL}{LEAD}"),
    (r'"\ud83d"', LEAD),
    (r'"\ude00\ud83d"', TRAIL + LEAD),
    (r'"\ud83d\ude00"', "😀"),
    (r'"\uD83D\uDE00"', "😀"),
    (rf'"\ud83d{TRAIL}"', "😀"),
    (rf'"{LEAD}\ude00"', "😀"),
    (rf'"x{LEAD}\ude00y{LEAD}\ud83d\ude00"', f"x😀y{LEAD}😀"),
    (r'"\ud83d\ud83d\ude00"', LEAD + "😀"),
    (r'"\ud83d\n"', LEAD + "\n"),
    (rf'{{"{LEAD}\ude00":1,"😀":2}}', {"😀": 2}),
]


@pytest.mark.parametrize(("text", "value"), VALUES, ids=[ascii(text) for text, _ in VALUES])
def test_values(machine, text, value):
    m = machine.Machine(text)
    assert m.run() == "done"
    assert (exact(m.value), m.pos, m.phase) == (exact(value), len(text), "end")
    assert exact(machine.parse_at(text, 0)) == exact((value, len(text)))


@pytest.mark.parametrize("around", ["", "é", "中", "😀"])
@pytest.mark.parametrize(("text", "value"), VALUES, ids=[ascii(text) for text, _ in VALUES])
def test_every_width_of_text_reads_alike(machine, around, text, value):
    if text[0] in " \t":
        return
    whole = f"{around}{text} {around}"
    assert exact(machine.parse_at(whole, len(around))) == exact((value, len(around) + len(text)))


@pytest.mark.parametrize("text", ['[1]"', "{}}", "1 2", "1]", '"a"b', "null,", "true\xa0", "-1\ud800"])
def test_reading_ends_with_the_value(machine, text):
    m = machine.Machine(text)
    assert m.run() == "done"
    assert m.pos == len(re.match(r'\[1\]|\{\}|-?1|"a"|null|true', text)[0])


@pytest.mark.parametrize("bad", ["\x0b", "\x0c", "\xa0", "\ufeff", "\u2028", "\x85", "\x00", "\x1c", "\u3000"])
def test_no_other_white_space(machine, bad):
    for text in (f"{bad}1", f"[{bad}1]", f"[1{bad}]", f'{{{bad}"a":1}}', f'{{"a"{bad}:1}}', f'{{"a":{bad}1}}', f'{{"a":1{bad}}}'):
        m = machine.Machine(text)
        assert (m.run(), m.fault, m.pos) == ("fault", "unexpected", text.index(bad))


@pytest.mark.parametrize("code", range(0x20))
def test_raw_controls_are_refused_in_strings(machine, code):
    m = machine.Machine(f'["ab{chr(code)}c"]')
    assert (m.run(), m.fault, m.token, m.pos, m.in_string) == ("fault", "control", 1, 4, False)


FAULTS = [  # text, fault, phase, token, pos
    ("x", "unexpected", "value", 0, 0),
    (" ]", "unexpected", "value", 1, 1),
    (",", "unexpected", "value", 0, 0),
    ("+1", "unexpected", "value", 0, 0),
    (".5", "unexpected", "value", 0, 0),
    ("NaN", "unexpected", "value", 0, 0),
    ("Infinity", "unexpected", "value", 0, 0),
    ("'a'", "unexpected", "value", 0, 0),
    ("[,", "unexpected", "first-value", 1, 1),
    ("[}", "unexpected", "first-value", 1, 1),
    ("[1}", "unexpected", "next", 2, 2),
    ("[1 2]", "unexpected", "next", 3, 3),
    ("[1:2]", "unexpected", "next", 2, 2),
    ("[1,]", "unexpected", "value", 3, 3),
    ("[1,,", "unexpected", "value", 3, 3),
    ('[1"a"]', "unexpected", "next", 2, 2),
    ("{,", "unexpected", "first-key", 1, 1),
    ("{]", "unexpected", "first-key", 1, 1),
    ("{1", "unexpected", "first-key", 1, 1),
    ("{a", "unexpected", "first-key", 1, 1),
    ("{{", "unexpected", "first-key", 1, 1),
    ('{"a"}', "unexpected", "colon", 4, 4),
    ('{"a" "b"', "unexpected", "colon", 5, 5),
    ('{"a",', "unexpected", "colon", 4, 4),
    ('{"a":}', "unexpected", "value", 5, 5),
    ('{"a":,', "unexpected", "value", 5, 5),
    ('{"a"::', "unexpected", "value", 5, 5),
    ('{"a":1]', "unexpected", "next", 6, 6),
    ('{"a":1 "b"', "unexpected", "next", 7, 7),
    ('{"a":1,}', "unexpected", "key", 7, 7),
    ('{"a":1,1', "unexpected", "key", 7, 7),
    ('{"a":[],]', "unexpected", "key", 8, 8),
    (r'"\x41"', "escape", "value", 0, 1),
    (r'["a\'"]', "escape", "first-value", 1, 3),
    (r'{"a\u00g0":1}', "escape", "first-key", 1, 3),
    (r'"\ud83d\u12x"', "escape", "value", 0, 7),
    ('"\\\n"', "escape", "value", 0, 1),
    ("\"\\\u0660\"", "escape", "value", 0, 1),
    (r'"\u٠٠٤١"', "escape", "value", 0, 1),
    ('{"a":"\n"}', "control", "value", 5, 6),
    ("01", "number", "value", 0, 1),
    ("-01", "number", "value", 0, 2),
    ("[1.]", "number", "first-value", 1, 3),
    ("[1.x", "number", "first-value", 1, 3),
    ("[-]", "number", "first-value", 1, 2),
    ("[--1", "number", "first-value", 1, 2),
    ("-Infinity", "number", "value", 0, 1),
    ("[1e]", "number", "first-value", 1, 3),
    ("[1e+]", "number", "first-value", 1, 4),
    ("[1e+x", "number", "first-value", 1, 4),
    ("[1.5e-]", "number", "first-value", 1, 6),
    ("[tru]", "literal", "first-value", 1, 4),
    ("[truE]", "literal", "first-value", 1, 4),
    ("nil", "literal", "value", 0, 1),
    ('{"a":fa"', "literal", "value", 5, 7),
]


@pytest.mark.parametrize(("text", "fault", "phase", "token", "pos"), FAULTS, ids=[ascii(row[0]) for row in FAULTS])
def test_faults(machine, text, fault, phase, token, pos):
    for final in (True, False):
        m = machine.Machine(text)
        assert (m.run(final), m.fault, m.phase, m.token, m.pos) == ("fault", fault, phase, token, pos)
        if token == pos:  # else a new token would be looked for inside the one at fault
            assert m.run(final) == "fault"
            assert (m.fault, m.phase, m.token, m.pos) == (fault, phase, token, pos)
    assert machine.parse_at(text, 0) is None


STARVED = [  # text, phase, pos, in_string, path, snapshot
    ("", "value", 0, False, [], "nothing"),
    (" \n", "value", 2, False, [], "nothing"),
    ("[", "first-value", 1, False, [0], []),
    ("{ ", "first-key", 2, False, [], {}),
    ('{"', "first-key", 2, True, [], {}),
    ('{"a', "first-key", 3, True, [], {}),
    ('{"a"', "colon", 4, False, ["a"], {}),
    ('{"a" :', "value", 6, False, ["a"], {}),
    ('{"a":t', "value", 5, False, ["a"], {}),
    ('{"a":true', "next", 9, False, ["a"], {"a": True}),
    ('{"a":true,', "key", 10, False, [], {"a": True}),
    ('{"a":12', "value", 5, False, ["a"], {}),
    ('{"a":12 ', "next", 8, False, ["a"], {"a": 12}),
    ('{"a":-', "value", 5, False, ["a"], {}),
    ('{"a":1e+', "value", 5, False, ["a"], {}),
    ("[1", "first-value", 1, False, [0], []),
    ("[1,", "value", 3, False, [1], [1]),
    ("[1,2 ", "next", 5, False, [1], [1, 2]),
    ('["', "first-value", 2, True, [0], [""]),
    ('["ab', "first-value", 4, True, [0], ["ab"]),
    ('[1,"ab', "value", 6, True, [1], [1, "ab"]),
    ('["ab\\', "first-value", 4, True, [0], ["ab"]),
    ('["ab\\u00e', "first-value", 4, True, [0], ["ab"]),
    (r'["ab\ud83d', "first-value", 4, True, [0], ["ab"]),
    ('["ab\\ud83d\\', "first-value", 4, True, [0], ["ab"]),
    (r'["ab\ud83d\u', "first-value", 4, True, [0], ["ab"]),
    (r'["ab\ud83d\ude0', "first-value", 4, True, [0], ["ab"]),
    (r'["ab\ud83d\u0', "first-value", 10, True, [0], ["ab" + LEAD]),
    (f'["ab{LEAD}', "first-value", 4, True, [0], ["ab"]),
    (f'["ab{LEAD}\\', "first-value", 4, True, [0], ["ab"]),
    (f'["ab{LEAD}\\ud', "first-value", 4, True, [0], ["ab"]),
    (f'["ab{LEAD}\\u0', "first-value", 5, True, [0], ["ab" + LEAD]),
    (f'["ab{TRAIL}', "first-value", 5, True, [0], ["ab" + TRAIL]),
    ('{"a":["x', "first-value", 8, True, ["a", 0], {"a": ["x"]}),
    ('{"a":{"b":"x', "value", 12, True, ["a", "b"], {"a": {"b": "x"}}),
    ('{"a":[[],{}', "next", 11, False, ["a", 1], {"a": [[], {}]}),
    ('"ab', "value", 3, True, [], "ab"),
    ("tru", "value", 0, False, [], "nothing"),
    ("-", "value", 0, False, [], "nothing"),
    ("1e", "value", 0, False, [], "nothing"),
    ("1.", "value", 0, False, [], "nothing"),
]


@pytest.mark.parametrize(("text", "phase", "pos", "in_string", "path", "snapshot"), STARVED, ids=[ascii(row[0]) for row in STARVED])
def test_starved(machine, text, phase, pos, in_string, path, snapshot):
    m = machine.Machine(text)
    assert m.run() == "starved"
    assert (m.phase, m.pos, m.in_string, m.path()) == (phase, pos, in_string, path)
    assert exact(m.snapshot("nothing")) == exact(snapshot)
    assert (m.phase, m.pos, m.in_string, m.path()) == (phase, pos, in_string, path)
    assert machine.parse_at(text, 0) is None


def test_a_number_at_the_end_is_whole_only_as_a_final_root(machine):
    for text in ("12", "-1.5e3", "0"):
        assert machine.Machine(text).run() == "done"
        assert machine.Machine(text).run(False) == "starved"
        assert machine.Machine("[" + text).run() == "starved"
        assert machine.Machine(text + " ").run(False) == "done"


def test_frames_and_path(machine):
    m = machine.Machine('  [0,{"a":[{"b":[]},x')
    assert m.run() == "fault"
    assert m.frames() == [("[", 2), ("{", 5), ("[", 10)]
    assert m.path() == [1, "a", 1]


def test_the_innermost_container(machine):
    m = machine.Machine('[{"a":[x')
    assert (m.kind, m.depth, m.frames(1)) == ("", 0, [])
    m.run()
    assert (m.kind, m.depth) == ("[", 3)
    assert m.frames(1) == [("[", 6)]
    assert m.frames(2) == [("{", 1), ("[", 6)]
    assert m.frames(9) == m.frames(0) == [("[", 0), ("{", 1), ("[", 6)]
    m.punct("]", 7)
    assert (m.kind, m.depth) == ("{", 2)


@pytest.mark.parametrize(
    ("text", "path"),
    [("[x", [0]), ("[1 x", [0]), ("[1,x", [1]), ('{"a":1 x', ["a"]), ('{"a":1,x', []), ('{"a" x', ["a"]), ('{"a":x', ["a"]),
     ("{x", []), ('[{"a":[]x', [0, "a"]), ('[{"a":[]},x', [1]), ('[{"a":[1,{x', [0, "a", 1]), ("[[[]x", [0, 0]), ("x", [])],
)  # fmt: skip
def test_path_where_a_value_is_due_read_or_was_read_last(machine, text, path):
    for shown in (False, True):
        m = machine.Machine(text)
        m.run()
        if shown:
            m.snapshot()
        assert m.path() == path


def test_a_start_position(machine):
    m = machine.Machine('x{"a":1}y', 1)
    assert (m.run(), m.value, m.pos) == ("done", {"a": 1}, 8)
    m = machine.Machine("ab[", 2)
    assert (m.run(), m.frames()) == ("starved", [("[", 2)])


# -- numbers


def test_floats_are_those_of_python(machine):
    wrong = [token for token in tokens(random.Random(7), 6000) if repr(machine.parse_at(token, 0)[0]) != repr(float(token))]
    assert wrong == []


def test_long_fractions(machine):
    for token in ("0." + "1" * 800, "1" + "0" * 400 + ".5e-400", "0." + "0" * 400 + "1e401", "2.2250738585072011e-308" + "0" * 3):
        assert repr(machine.parse_at(token, 0)[0]) == repr(float(token))


@pytest.mark.parametrize("digits", [15, 16, 17, 18, 19, 20, 36, 37, 599, 600, 601, 640, 641, 1200, 4299, 4300])
def test_integers_are_exact(machine, digits):
    for sign in ("", "-"):
        token = sign + "9876543210" * 430
        token = token[: digits + len(sign)]
        value, end = machine.parse_at(f"[{token}]", 0)
        assert (str(value[0]), type(value[0]), end) == (token, int, len(token) + 2)


def test_longer_integers_are_the_infinity_of_javascript(machine):
    assert machine.parse_at("9" * 4301, 0)[0] == math.inf
    assert machine.parse_at("[-" + "1" * 5000 + "]", 0)[0] == [-math.inf]


@pytest.mark.skipif(not hasattr(sys, "set_int_max_str_digits"), reason="this Python has no bound on int() to change")
@pytest.mark.parametrize("bound", [0, 640, 4299, 100_000])
def test_python_s_own_bound_on_digits_changes_nothing(machine, bound):
    long, longer = "1" * 4300, "2" * 4301
    expected = 10**4300 // 9
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(bound)
    try:
        value, _ = machine.parse_at(f"[{long},{longer},-0,123456]", 0)
        m = machine.Machine(f"[{long},{longer},-0,123456]")
        m.run()
    finally:
        sys.set_int_max_str_digits(before)
    assert exact(value) == exact(m.value) == exact([expected, math.inf, -0.0, 123456])


# -- options


def test_max_depth(machine):
    m = machine.Machine('[{"a":[', max_depth=2)
    assert (m.run(), m.fault, m.phase, m.pos, m.token) == ("fault", "depth", "value", 6, 6)
    assert machine.Machine('[{"a":1}]', max_depth=2).run() == "done"
    assert machine.parse_at("[[]]", 0, 2) == ([[]], 4)
    assert machine.parse_at("[[]]", 0, 1) is None
    assert machine.parse_at('["[[["]', 0, 1) == (["[[["], 7)
    assert machine.parse_at("[[],[],[]]", 0, 2) == ([[], [], []], 10)


def test_max_digits(machine):
    m = machine.Machine("[123,-1234]", max_digits=3)
    assert (m.run(), m.fault, m.token, m.pos) == ("fault", "digits", 5, 5)
    assert machine.parse_at("[123,-123,12.3456,1e10]", 0, 0, 3) == ([123, -123, 12.3456, 1e10], 23)
    assert machine.parse_at("1234", 0, 0, 3) is None
    assert machine.parse_at("1" * 5000, 0, 0, 6000) == (int("1" * 2500) * 10**2500 + int("1" * 2500), 5000)
    assert machine.parse_at("9" * 4301, 0, 0, 4300) is None


@pytest.mark.parametrize(
    ("token", "float_", "str_"),
    [("9007199254740991", 9007199254740991, 9007199254740991), ("-9007199254740991", -9007199254740991, -9007199254740991),
     ("9007199254740992", 9007199254740992.0, "9007199254740992"), ("-9007199254740993", -9007199254740992.0, "-9007199254740993"),
     ("123456789012345678901", 123456789012345683968.0, "123456789012345678901"), ("12", 12, 12), ("-0", -0.0, -0.0),
     ("9007199254740993.0", 9007199254740992.0, 9007199254740992.0)],
)  # fmt: skip
def test_big_int(machine, token, float_, str_):
    for big_int, expected in (("float", float_), ("str", str_), ("exact", machine.parse_at(token, 0)[0])):
        m = machine.Machine(f"[{token}]", big_int=big_int)
        assert m.run() == "done"
        assert exact(m.value) == exact([expected])


def test_duplicates_first(machine):
    m = machine.Machine('{"a":1,"b":[{"c":1,"c":[{"a":7}]}],"a":{"x":9},"d":4,"b":0}', duplicates="first")
    assert m.run() == "done"
    assert exact(m.value) == exact({"a": 1, "b": [{"c": 1}], "d": 4})


def test_duplicates_raise(machine):
    m = machine.Machine('[{"a":{"a":1},"b":2,"\\u0061":3}]', duplicates="raise")
    assert (m.run(), m.fault, m.pos, m.token, m.phase) == ("fault", "duplicate-key", 20, 20, "key")
    assert m.frames() == [("[", 0), ("{", 1)]
    assert m.snapshot() == [{"a": {"a": 1}, "b": 2}]
    with pytest.raises(KeyError):
        m.put("b", 28)
    m.put("c", 28)
    assert m.run() == "done"
    assert m.value == [{"a": {"a": 1}, "b": 2, "c": 3}]


@pytest.mark.parametrize("around", ["", "é", "中", "😀"])
def test_controls_on_request(machine, around):
    text = f'["{around}a\nb\x00\x1f","\\n\t{around}"]'
    m = machine.Machine(text, controls=True)
    assert m.run() == "done"
    assert m.value == [f"{around}a\nb\x00\x1f", f"\n\t{around}"]
    assert machine.Machine(text).run() == "fault"
    for cut in range(len(text)):
        m = machine.Machine(text[:cut], controls=True)
        assert m.run(False) == "starved"
        m.extend(text[cut:])
        assert (m.run(), m.value) == ("done", [f"{around}a\nb\x00\x1f", f"\n\t{around}"])


# -- edits


def test_goto_leaves_a_token_and_keeps_the_phase(machine):
    m = machine.Machine('{"a":1, // note\n "b":2}')
    assert (m.run(), m.pos, m.phase) == ("fault", 8, "key")
    m.goto(16)
    assert m.run() == "done"
    assert m.value == {"a": 1, "b": 2}


def test_goto_out_of_a_string(machine):
    m = machine.Machine('["ab')
    assert (m.run(), m.in_string) == ("starved", True)
    m.goto(4)
    assert (m.in_string, m.phase, m.pos) == (False, "first-value", 4)
    m.punct("]", 4)
    assert m.value == []


def test_put_a_value_and_a_key(machine):
    m = machine.Machine("{a:True}")
    assert (m.run(), m.pos, m.phase) == ("fault", 1, "first-key")
    m.put("a", 2)
    assert (m.phase, m.path()) == ("colon", ["a"])
    assert (m.run(), m.pos) == ("fault", 3)
    m.put(True, 7)
    assert (m.phase, m.pos, m.snapshot()) == ("next", 7, {"a": True})
    assert m.run() == "done"
    assert m.value == {"a": True}


def test_put_a_root(machine):
    m = machine.Machine("NaN rest")
    m.run()
    m.put(None, 3)
    assert (m.phase, m.run(), m.value, m.pos) == ("end", "done", None, 3)


def test_put_any_object(machine):
    m = machine.Machine("[x]")
    m.run()
    value = object()
    m.put(value, 2)
    assert m.run() == "done"
    assert m.value[0] is value


def test_punct_every_kind(machine):
    m = machine.Machine("#" * 9)
    m.run()
    for at, char in enumerate('{:[,]}'):
        if char == ":":
            m.put("k", at)
        if char == ",":
            m.put(1, at)
        m.punct(char, at + 1)
    assert (m.run(), m.value, m.pos) == ("done", {"k": [1]}, 6)


@pytest.mark.parametrize(("opened", "closer"), [("[", "]"), ("[", "}"), ('{"a":1', "]"), ('{"a":1', "}"), ("[1,", "]"), ('{"a":1,', "]")])
def test_both_closers_close_the_innermost_container(machine, opened, closer):
    m = machine.Machine(f"[{opened} ?")
    assert m.run() == "fault"
    m.punct(closer, len(opened) + 3)
    assert m.frames() == [("[", 0)]
    m.punct("}", len(opened) + 3)
    assert m.run() == "done"
    assert m.value == [{"a": 1} if "a" in opened else [1] if "1" in opened else []]


REFUSED = [
    ("value", "x", "]}:,"),
    ("first-value", "[x", ":,"),
    ("key", '{"a":1,x', "{[:,"),
    ("first-key", "{x", "{[:,"),
    ("colon", '{"a" x', "{[}],"),
    ("next", "[1 x", "{[:"),
    ("value", '{"a":x', "}]:,"),
    ("value", "[1,x", ":,"),
]


@pytest.mark.parametrize(("phase", "text", "chars"), REFUSED)
def test_punct_obeys_the_grammar(machine, phase, text, chars):
    m = machine.Machine(text)
    before = run(m)
    assert before["phase"] == phase
    for char in chars:
        with pytest.raises(ValueError, match="may not stand"):
            m.punct(char, m.pos)
        assert {**state(m, "fault"), "token": before["token"]} == before


@pytest.mark.parametrize("text", ["[1 x", '{"a" x'])
def test_put_obeys_the_grammar(machine, text):
    m = machine.Machine(text)
    before = run(m)
    with pytest.raises(ValueError, match="no value may stand"):
        m.put(1, 4)
    assert state(m, "fault") == before


def test_a_key_must_be_a_str(machine):
    m = machine.Machine("{1:2}")
    before = run(m)
    with pytest.raises(ValueError, match="key"):
        m.put(1, 2)
    assert state(m, "fault") == before


RETRACTED = [  # text, (what comes back), phase, path, snapshot, replacement, what the rest gives
    ('["a" x]', ("a", 1), "first-value", [0], [], "b", ["b"]),
    ('[1,2 x]', (2, 3), "value", [1], [1], 5, [1, 5]),
    ('[1,2, x]', (2, 3), "value", [1], [1], 5, [1, 5]),
    ('{"a" x:1}', ("a", 1), "first-key", [], {}, "b", {"b": 1}),
    ('{"a":1,"b" x:1}', ("b", 7), "key", [], {"a": 1}, "c", {"a": 1, "c": 1}),
    ('{"a":1 x}', (1, 5), "value", ["a"], {}, 7, {"a": 7}),
    ('{"a":1,"b":2 x}', (2, 11), "value", ["b"], {"a": 1}, 7, {"a": 1, "b": 7}),
    ('{"a":1, x}', (1, 5), "value", ["a"], {}, 7, {"a": 7}),
]


@pytest.mark.parametrize(("text", "back", "phase", "path", "snapshot", "put", "value"), RETRACTED, ids=[row[0] for row in RETRACTED])
def test_retract(machine, text, back, phase, path, snapshot, put, value):
    m = machine.Machine(text)
    assert m.run() == "fault"
    assert exact(m.retract()) == exact(back)
    assert (m.phase, m.pos, m.path()) == (phase, back[1], path)
    m.put(put, text.index("x") + 1)
    assert m.run() == "done"
    assert m.value == value


@pytest.mark.parametrize(("text", "back", "phase", "path", "snapshot", "put", "value"), RETRACTED, ids=[row[0] for row in RETRACTED])
def test_retract_after_a_snapshot(machine, text, back, phase, path, snapshot, put, value):
    m = machine.Machine(text)
    m.run()
    m.snapshot()
    assert exact(m.retract()) == exact(back)
    assert (m.phase, m.pos, m.path()) == (phase, back[1], path)
    m.put(put, text.index("x") + 1)
    assert m.run() == "done"
    assert m.value == value


def test_a_retracted_duplicate_keeps_its_place(machine):
    for shown in (False, True):
        m = machine.Machine('{"a":1,"b":2,"a":3 x}')
        m.run()
        if shown:
            m.snapshot()
        assert m.retract() == (3, 17)
        m.put(4, 20)
        assert m.run() == "done"
        assert list(m.value.items()) == [("a", 4), ("b", 2)]


@pytest.mark.parametrize("text", ["x", "[x", "{x", "[[] x", "[[], x", '{"a":x', '[{} x', '{"a":[] x'])
def test_nothing_to_retract(machine, text):
    m = machine.Machine(text)
    before = run(m)
    with pytest.raises(ValueError, match="nothing to take back"):
        m.retract()
    assert state(m, "fault") == before


def test_retract_the_root(machine):
    m = machine.Machine("12 ")
    m.run()
    assert m.retract() == (12, 0)
    assert (m.phase, m.pos) == ("value", 0)
    m.put("other", 2)
    assert (m.run(), m.value) == ("done", "other")


def test_retract_only_once(machine):
    m = machine.Machine("[1 x]")
    m.run()
    m.retract()
    with pytest.raises(ValueError, match="nothing to take back"):
        m.retract()


# -- streaming

DOCUMENTS = [
    '{"a":[1,-2.5e3,true,null,"x\\n\\u00e9"],"b":{"c":[],"d":{}},"a":"again"}',
    '[[[1],[2,[3]]],{"k":[{"j":"v"}]}]',
    r'["\ud83d\ude00","\ud83d","\ude00","\ud83d\n\u00e9","\\\"\/"]',
    f'["{LEAD}\\ude00","\\ud83d{TRAIL}","{LEAD}","a{LEAD}\\u0041"]',
    ' {"😀" : "中文" , "é" : [ 12345678901234567890 , 0.1 , -0 ] }',
    '"just a string"',
    "-12.5e+3 ",
    "true",
    "[]",
]


@pytest.mark.parametrize("text", DOCUMENTS, ids=ascii)
def test_a_text_cut_anywhere_reads_as_one(machine, text):
    whole = machine.Machine(text)
    assert whole.run() == "done"
    for cut in range(len(text) + 1):
        m = machine.Machine(text[:cut])
        stop = m.run(False)
        if stop == "starved":
            before = m.base + m.pos
            m.extend(text[cut:])
            assert (m.base, m.pos, m.text) == (before, 0, text[before:])
            assert m.run() == "done"
        assert exact(m.value) == exact(whole.value)
        assert m.base + m.pos == whole.pos


@pytest.mark.parametrize("shown", [False, True])
@pytest.mark.parametrize("text", DOCUMENTS, ids=ascii)
def test_characters_one_by_one(machine, text, shown):
    m = machine.Machine("")
    last = None
    for index, char in enumerate(text):
        assert m.run(False) == "starved"
        if shown:
            snapshot = m.snapshot("none")
            assert exact(snapshot) == exact(cut_short(machine, text[:index]))
            last = snapshot
        m.extend(char)
    assert m.run() == "done"
    assert exact(m.value) == exact(machine.parse_at(text, 0)[0])
    if isinstance(last, list | dict):
        assert m.snapshot() is m.value is last  # live


def cut_short(machine, prefix: str) -> Any:
    m = machine.Machine(prefix)
    assert m.run(False) == "starved"
    return m.snapshot("none")


def test_the_offsets_of_frames_count_from_the_first_character(machine):
    m = machine.Machine('  {"a":')
    m.run(False)
    m.extend(' [1, {"b')
    m.run(False)
    assert m.frames() == [("{", 2), ("[", 8), ("{", 12)]
    assert m.base + m.pos == 15


def test_a_snapshot_is_live(machine):
    m = machine.Machine('{"a":[1,"x')
    m.run(False)
    first = m.snapshot()
    assert first == {"a": [1, "x"]}
    m.extend('y",{"b":2}],"c":3}')
    assert m.run() == "done"
    assert m.value is first
    assert first == {"a": [1, "xy", {"b": 2}], "c": 3}


def test_feed_is_extend_and_run(machine):
    m = machine.Machine("")
    m.run(False)
    said = [m.feed(more) for more in ('{"a', '":', "[1,", " 2", "]", "x")]
    assert said == ["", "", "", "", "", "fault"]
    assert (m.base + m.pos, m.snapshot()) == (11, {"a": [1, 2]})
    m.goto(m.pos + 1)
    assert m.feed("}") == "done"
    assert m.value == {"a": [1, 2]}


def test_feed_tells_of_a_long_token_left_over(machine):
    m = machine.Machine("[")
    m.run(False)
    assert m.feed("1" * 32) == ""
    assert m.feed("1") == "starved"
    assert m.feed("]") == "done"
    assert m.value == [int("1" * 33)]


def test_repeats_are_names_given_a_second_value_in_sight(machine):
    m = machine.Machine('{"a":1,"a":2,"b":{')
    m.run(False)
    m.snapshot()
    before = m.repeats
    m.extend('"c":1,"c":2},"a":3,"d":4}')
    assert m.run() == "done"
    assert m.value == {"a": 3, "b": {"c": 2}, "d": 4}
    assert m.repeats - before == 2


# -- the functions


@pytest.mark.parametrize("name", ["loads", "extract_json", "extract_json_object"])
def test_what_users_call_says_what_its_driver_says(js, name):
    function = getattr(js, name)
    assert function.__name__ == name
    assert inspect.getdoc(function)
    assert str(inspect.signature(function)).startswith("(raw")


def test_parse_at_is_a_machine(machine):
    rng = random.Random(11)
    for _ in range(3000):
        text = generator.value(rng, 4, rng.choice([0.0, 0.02, 0.1]))
        pos = rng.choice([0, 0, 0, rng.randrange(len(text) + 1)])
        limits = (rng.choice([0, 0, 1, 2, 3]), rng.choice([0, 0, 1, 5, 4300]))
        m = machine.Machine(text, pos, max_depth=limits[0], max_digits=limits[1])
        expected = (m.value, m.pos) if m.run() == "done" else None
        assert exact(machine.parse_at(text, pos, *limits)) == exact(expected), ascii(text)


def test_parse_at_agrees_with_the_standard_library(machine):
    rng = random.Random(12)
    for _ in range(2000):
        text = generator.container(rng, 4)
        try:
            value, end = json.JSONDecoder(parse_int=lambda token: -0.0 if token == "-0" else int(token)).raw_decode(text)
        except ValueError:  # of digits, or controls drawn into the gaps
            continue
        found = machine.parse_at(text, 0)
        if found is not None and "\\ud83d" not in text and LEAD not in text:
            assert exact(found) == exact((value, end)), ascii(text)


def braces_outside_strings(text: str, start: int, end: int) -> list[int]:
    found, pos = [], start
    while pos < end:
        if text[pos] == '"':
            closed = re.compile(r'(?:[^"\\]|\\.)*"', re.DOTALL).match(text, pos + 1)
            pos = closed.end() if closed else end
            continue
        if text[pos] == "{":
            found.append(pos)
        pos += 1
    return found


def test_walk_tells_what_a_failed_read_learned(machine):
    rng = random.Random(13)
    failures = 0
    for _ in range(3000):
        text = generator.container(rng, 5, rng.choice([0.02, 0.1]))
        start = text.find("{")
        if start < 0:
            continue
        known: dict[int, int] = {}
        end = machine.walk(text, start, known)
        read = machine.parse_at(text, start)
        assert end == (read[1] if read else -1)
        if end >= 0:
            continue
        failures += 1
        assert start in known
        for brace, closed in known.items():
            alone = machine.parse_at(text, brace)
            assert closed == (alone[1] if alone else -1), (text, brace)
        m = machine.Machine(text, start)
        m.run()
        met = braces_outside_strings(text, start, m.pos)
        assert sorted(known) == met[:50]
    assert failures > 500


def test_walk_knows_fifty_objects(machine):
    known: dict[int, int] = {}
    text = "[" + "{}," * 60 + "x"
    assert machine.walk('{"a":' + text, 0, known) == -1
    assert sorted(known) == [0, *range(6, 6 + 3 * 49, 3)]
    assert known[0] == -1
    assert known[6] == 8


def test_walk_adds_to_what_is_known(machine):
    known = {7: -1}
    assert machine.walk("{", 0, known) == -1
    assert known == {7: -1, 0: -1}


def test_depth_is_bound_by_memory_alone(machine):
    depth = 50_000
    for text in ("[" * depth + "1" + "]" * depth, '{"a":' * depth + "1" + "}" * depth):
        value, end = machine.parse_at(text, 0)
        assert end == len(text)
        found = 0
        while value != 1:
            value = value["a"] if isinstance(value, dict) else value[0]
            found += 1
        assert found == depth
    known: dict[int, int] = {}
    assert machine.walk('{"a":' * depth, 0, known) == -1
    assert len(known) == 50
    m = machine.Machine("[" * depth)
    assert m.run() == "starved"
    assert len(m.frames()) == len(m.path()) == depth


def test_steps_are_counted(machine):
    text = '{"a":[1,2,3,"' + "x" * 1000 + '"]}'
    for read in (lambda: machine.parse_at(text, 0), lambda: machine.walk(text, 0, {}), lambda: machine.Machine(text).run()):
        before = machine.steps()
        read()
        assert len(text) <= machine.steps() - before <= 2 * len(text)
    before = machine.steps()
    machine.count(5)
    assert machine.steps() == before + 5


# -- the two bodies, step by step


def test_the_bodies_agree_at_every_cut(machine, reference):
    rng = random.Random(21)
    for _ in range(150):
        text = generator.value(rng, 3, rng.choice([0.0, 0.05]))[:60]
        for cut in range(len(text) + 1):
            for shown in (False, True):
                ours, theirs = machine.Machine(text[:cut]), reference.Machine(text[:cut])
                for final in (False, True):
                    assert run(ours, final) == run(theirs, final), (ascii(text), cut)
                    if shown:
                        assert exact(ours.snapshot()) == exact(theirs.snapshot()), (ascii(text), cut)
                        assert state(ours) == state(theirs)
                if ours.phase != "end" and ours.run() == theirs.run() == "starved":
                    ours.extend(text[cut:])
                    theirs.extend(text[cut:])
                    assert run(ours) == run(theirs), (ascii(text), cut)


@pytest.mark.parametrize("seed", range(5))
def test_the_bodies_agree_after_any_edits(machine, reference, seed):
    for number in range(600):
        assert bodies.difference(machine, reference, seed, number) is None


@pytest.mark.parametrize("depth", [99, 100, 101])
@pytest.mark.parametrize(
    "text",
    ["{}", '{{"a": {}, "a": 1}}', '["{{[[[[", {}]', '[{}, "' + "[" * 1200 + '"]', "[" + "[1]," * 1200 + "{}]"],
    ids=["bare", "given again", "brackets in a string", "many in a string", "many siblings"],
)
def test_a_bound_of_depth_holds_whatever_was_dropped(module, text: str, depth: int):
    """The pure body counts levels in the value, where those of a name's first value do not show."""
    nested = "[" * depth + "]" * depth
    levels = depth + (text != "{}")
    found = module("machine").parse_at(text.format(nested) + " " * 200, 0, 100)
    assert (found is not None) == (levels <= 100)


class TestScanningFarFromTheStart:
    """The standard library's error counts the lines of all the text before it: each fault must meet a piece only."""

    @pytest.fixture
    def pure(self, module):
        return module("_machine_py")

    def scanned(self, pure, text: str, pos: int) -> tuple[object, list[int]]:
        lengths: list[int] = []

        def scan(piece: str, at: int) -> tuple[object, int]:
            lengths.append(len(piece))
            return pure._scan(piece, at)

        try:
            return pure._scan_piece(scan, text, pos), lengths
        except (StopIteration, ValueError):
            return None, lengths

    @pytest.mark.parametrize("broken", ['{"a": x}', "[1, 2,]", '{"a" 1}', "[01]", '["\\x"]', "[nul]", "[NaN]"])
    def test_a_fault_is_met_in_one_piece(self, pure, broken: str):
        found, lengths = self.scanned(pure, " " * 50_000 + broken + " " * 50_000, 50_000)
        assert found is None and lengths == [4096]

    @pytest.mark.parametrize("size", [10, 4086, 4096, 4097, 8192, 8200, 50_000])
    @pytest.mark.parametrize("filler", ["1, ", '"long", ', "[null], ", "{}, "])
    def test_a_value_is_read_whatever_the_pieces(self, pure, filler: str, size: int):
        value = "[" + filler * (size // len(filler)) + "1.5]"
        found, lengths = self.scanned(pure, " " * 5000 + value + " tail", 5000)
        assert found == (json.loads(value), 5000 + len(value))
        assert sum(lengths) < 4 * len(value) + 8192

    def test_a_string_is_read_whatever_the_pieces(self, pure):
        for length in range(4070, 4110):
            value = '["' + "x" * length + '\\u00e9"]'
            assert self.scanned(pure, " " * 5000 + value, 5000)[0] == (json.loads(value), 5000 + len(value))
