"""The laws of repair, over documents that were damaged in all the ways that have a code, and by chance."""

from __future__ import annotations

import json
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import tried

DOCUMENTS = [
    '{"name": "Ann", "tags": ["a", "b c"], "n": 1.5, "ok": true, "sub": {"x": null, "y": [1, [2], {"z": "q\\n\\u00e9"}]}}',
    '[{"id": 1, "text": "Hello, world: \\"hi\\""}, {"id": 2, "text": "C:\\\\dir"}]',
    "{'a': 'b', c: True, // x\n d: [1,2,], }",
    '{"a": "x",\n "b": "y",\n "c": [\n  "p",\n  "q"\n ]\n}',
    '["He said "hi" there", "b"]',
    '{"p": "C:\\new\\data", "r": "\\d+"}',
    '{"a": (1, 2), "b": datetime(2020, 1), "c": "x" + "y"}',
    '{\\"a\\": \\"b\\", \\"c\\": [1]}',
    '{""a"": ""b""}',
    "{&quot;a&quot;: 1}",
    '[1 2 3, {"a": 1; "b" = 2}]',
    '{"a": 5 mg, "b": 1,000, "c": 0.3.7, "d": +1, "e": 71_350}',
    '{"long": "The 1/2" driver was, sold.", "b": "no end, "c": [1, 2}}',
    '{"a": "is {"b": "c"}, I (5") think", "d": ["x" yy", "z", "v" w],"e": 58,4, \'f\' "g", "h": ""i", "j": 2e}',
    '[{"a": 1{"b": "x +\n "y"}, {"c": "d", NOTE "e": "https://x.org/,2}]```',
]
BITS = [
    *"\"'{}[],:\\\n #10-+_“”‘`()…;=，：▁\xa0\t\x00é😀", "\ud83d", "//", "/*", "*/", "True", "None", "null", "NaN", ".5", "e5", "a", "b c",
    "f(", "...", "=>", "&quot;", '\\"', "\\n", "\\u", "\\d", "\\u00e9", "**", "- ", '""', '"""', "'''", "b'", '"k":', '"k": "v"', "k: ",
    'x"', '", ', '", "', '": "', "5 mg", "1/3", "1,000", "```", "{}", "[]", '""]', '+ "x"',
]  # fmt: skip


@st.composite
def damaged(draw: st.DrawFn) -> str:
    text = draw(st.sampled_from(DOCUMENTS))
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(text)))
        bit = draw(st.sampled_from(BITS) | st.just(""))
        gone = draw(st.sampled_from([0, 0, 1, 2, 3]))
        text = text[:at] + bit + text[at + gone :]
    return text[: draw(st.integers(0, len(text)))] if draw(st.booleans()) else text


@pytest.fixture
def laws(module: Callable[[str], ModuleType]) -> Callable[[str], None]:
    repairs, model, machine = module("repairs"), module("model"), module("machine")
    options = model.Options()

    def strict(text: str) -> tuple[Any, int] | None:
        return machine.parse_at(text, 0)

    def check(text: str) -> None:
        found = strict(text)
        if found is not None and not isinstance(found[0], (dict, list)):
            return  # a scalar that may go on: the law is one of whole texts
        readings = {level: repairs.read(text, 0, len(text), options, level) for level in ("off", "safe", "full")}
        for reading in readings.values():
            done = reading.stop == "done"
            assert (done and not reading.repairs) == (found is not None), "an empty log is strict JSON, and strict JSON an empty log"
            if found is not None:
                assert json.dumps(reading.value) == json.dumps(found[0])
                assert reading.end == found[1]
            assert all(text[each.start : each.end] == each.removed for each in reading.repairs)
            assert all(a.end <= b.start for a, b in zip(reading.repairs, reading.repairs[1:], strict=False)), "edits in text order"
            if done or (reading.repairs and reading.repairs[-1].code == "truncated" and reading.value is not None):
                edited = repairs.edited(text, reading)
                again = strict(edited)
                assert again is not None, "edited text is strict JSON"
                assert not edited[again[1] :].strip(" \t\r\n")
                assert json.dumps(again[0]) == json.dumps(reading.value), "and has the same value"
        assert {each.code for each in readings["safe"].repairs} <= set(repairs.SAFE)
        assert not readings["off"].repairs
        if readings["safe"].stop in ("done", "starved"):
            assert readings["full"].stop in ("done", readings["safe"].stop)
            if readings["full"].stop == readings["safe"].stop:
                assert json.dumps(readings["full"].value) == json.dumps(readings["safe"].value), "safe is a part of full"

    return check


@tried(500)
@given(text=damaged())
def test_laws_hold_for_damaged_documents(laws, text):
    laws(text)


PLAIN = [
    *DOCUMENTS[:4],
    "{'a': 'b', 'c': ['d', 'e'], 'f': {'g': True}, h: None,}",
    '{\n  // c\n  a: 1, /* x */ "b": [1, 2,], # y\n  c: "q\nr"\n  "d": {}\n}',
    '[\n {"a": 1}\n {"b": 2}\n ["x"]\n "y"\n "z"\n]',
    '["He said "hi" there, ok", "b", {"c": "Sea "birds" nest early, mostly on cliffs", "d": "x "y" z"}]',
    '[{"t": "The 12" driver was sold.", "src": "a "b", "c" d"}, 1]',
]


@tried(800)
@given(
    text=st.sampled_from(PLAIN),
    at=st.integers(0, 60),
    bit=st.sampled_from(["", *BITS]),
    gone=st.integers(0, 3),
    level=st.sampled_from(["safe", "full"]),
)
def test_plain_edits_are_those_that_the_policy_makes(module, text, at, bit, gone, level):
    repairs, options = module("repairs"), module("model").Options()
    text = text[:at] + bit + text[at + gone :]
    plain = repairs.read_plainly(text, 0, options, level)
    if plain is not None:  # never in the pure build
        policy = repairs.thorough(text, 0, options, level, 0)
        assert (policy.stop, policy.end, json.dumps(policy.value)) == ("done", plain.end, json.dumps(plain.value))
        assert plain.safe == policy.safe
        assert plain.repairs == policy.repairs
        assert module("machine").read_plain(text, 0, guess=level == "full")[2] == len(policy.repairs)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@tried(200)
@given(value=VALUES, indent=st.sampled_from([None, 2]), escapes=st.booleans())
def test_text_that_reads_strictly_is_never_edited(module, value, indent, escapes):
    text = json.dumps([value], indent=indent, ensure_ascii=escapes)
    reading = module("repairs").read(text, 0, len(text), module("model").Options(), "full")
    assert (reading.stop, reading.value, reading.repairs) == ("done", [value], ())


FINDS = [
    '["He + "x"said "i" there", "b"1]',
    '{"name": "Ann", "ok": true, ub": {"x": null}}',
    '{""a"": ""b""1',
    '{""a"": ,""b\\""}',
    "{'a': 'b',None c: True, // x\n d: [1",
    "{'a': 'b', c: True, // 1x\n d: [1,2, // x,, }",
    "{'a': 'b', c: True, // , ",
    '[{}"He said "hi" there", "b"]',
    '[{"id":null1, "',
    '{""a"/*: ""}k: ',
    '{"x": nu/*ll, "y": [1]}',
    '{"ok": t\\rue, "sub": {"x": null}',
    '{"p": "C:\\new\\data"r": "\\d+"}',
    '{"x": {"z": ]}}"q"}',
    '{"a": (1, 2), "b": datetime(20201)Tr "c": "x"',
    '{\\"a\\":" \\"b\\\\"c\\":',
    '{""all """:null "',
    '{"a": """"k":1}',
    '{"a":" "b\\"c":',
    '[{"a": 1},"b":',
]


@pytest.mark.parametrize("text", FINDS)
def test_laws_hold_where_fuzzing_once_found_they_did_not(laws, text):
    laws(text)


UNITS = [
    '{"a": ', "[", '"a" ', '{"s" ', '"a" x ', "'a' ", '"say "x" ', "{a: ", "(", "f(", "// c\n", "/* ", "# x\n", '"a" + ', '"a": "b" ',
    '\\"a\\" ', '""a"" ', "&quot;a&quot; ", "“a” ", '{"a": "b\n', '"x\n', '{"k": [1,2}, ', "[1}", "}", "{{", "...,", ",", "1,000,",
    "5 mg, ", '"C:\\x ', "\\n", "\\", '"\\u', "1_", "-", '- "a"\n', '**"a"** ', "`a` ", '"""a ', "b\"a\" ", "True ", '{"a" = 1; ',
    '{"a":1 "b":2 ', "a b, ", "{a b: c d, ", '"a", b, ', "'it's', ", "{'a':'b'c", "(1,", "x y \"k\": ", '"a" x, ', '{"a": {"b": 1], ',
    "▁", "，", '{"a": "b, "c": ', '{"a": "b "c" d, ', '["a, "b", ', '" ', '"', "'", '{"a": nu/*', '{"a": #', 'd(2, "x") ', "\n",
    '{"a": """x""", ', '"a\\', "'a\\' ", "+ 'a' ", "\\\"a ", '"x {"k": "v"} ', '["x {"y"} ', '"x ("y") ', '{"a": 1{', "'a' 'b' ", 'a "b" ',
    '58,4, ', '"a": 58,4, ', "2e ", '["a" b", ', '"x +\n"', "```", '""x ', '{"a": "b", c "d": ', '{"a": "x}```', "[https://x.y/,", '["h://x,',
    '["x [ "y""], ', '{"a": "x { "y""}, ',
]  # fmt: skip
FRAMES = [("", ""), ("[", "]"), ('{"a": ', '"}'), ('{"k": [', '"k": 1}'), ('["x', ""), ('{"a": "b', "}")]


@pytest.mark.parametrize("unit", UNITS)
def test_reading_is_linear_in_the_text(module, unit):
    repairs, machine = module("repairs"), module("machine")
    options = module("model").Options(limits=module("model").Limits(max_repairs=None))
    for head, tail in FRAMES:
        costs = []
        for size in (500, 2000):
            text = head + unit * (size // len(unit)) + tail
            before = machine.steps()
            repairs.read(text, 0, len(text), options, "full")
            costs.append(machine.steps() - before)
        assert costs[1] <= 5 * costs[0] + 20 * 500, (head, costs)
        assert costs[1] <= 16 * 2000 + 4096, (head, costs)
