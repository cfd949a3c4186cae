"""Every code of conformance/REPAIR.md: the text, the value, and the level that it takes."""

from __future__ import annotations

import json
import pathlib
import re
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

Module = Callable[[str], ModuleType]

# code, text, value; what `off` refuses and `safe` reads
SAFE: list[tuple[str, str, Any]] = [
    ("comment", '{"a": 1, // one\n "b": 2}', {"a": 1, "b": 2}),
    ("comment", '[1, /* two, ] */ 3]', [1, 3]),
    ("comment", '{# first\n"a": 1 # last\n}', {"a": 1}),
    ("comment", '[1, # a\n # b\n]', [1]),
    ("comment", "[# \n1]", [1]),
    ("trailing-comma", "[1, 2,]", [1, 2]),
    ("trailing-comma", '{"a": [{}, ] , // end\n }', {"a": [{}]}),
    ("missing-comma", '{"a": 1 "b": 2}', {"a": 1, "b": 2}),
    ("missing-comma", '{"a": "x"\n "b": {}  "c": [] \'d\': 1 e: 2}', {"a": "x", "b": {}, "c": [], "d": 1, "e": 2}),
    ("missing-comma", '[1 2 "x"]', [1, 2, "x"]),
    ("missing-comma", '["a" "b" true null False {} []]', ["a", "b", True, None, False, {}, []]),
    ("missing-comma", '[[1][-2]{"a": 1}{"b": 2}3]', [[1], [-2], {"a": 1}, {"b": 2}, 3]),
    ("missing-comma", '{"a": 1 // one\n "b": 2}', {"a": 1, "b": 2}),
    ("missing-closer", '[{"a": 1]', [{"a": 1}]),
    ("missing-closer", '[{"b": {"c": 1, ]', [{"b": {"c": 1}}]),
    ("missing-closer", '{"a": [{"b": {"c": 1}]}', {"a": [{"b": {"c": 1}}]}),
    ("single-quotes", "{'a': 'say \"x\"', 'b': 'it\\'s'}", {"a": 'say "x"', "b": "it's"}),
    ("single-quotes", "['a\nb', '']", ["a\nb", ""]),
    ("typographic-quotes", "{“a”: ‘b’, „c“: ”d”}", {"a": "b", "c": "d"}),
    ("control-character", '["a\nb\tc\x01"]', ["a\nb\tc\x01"]),
    ("control-character", '{"a\n": "x\n, y"}', {"a\n": "x\n, y"}),
    ("invalid-escape", r'["\d+ \S \u12", "C:\data"]', [r"\d+ \S \u12", r"C:\data"]),
    ("invalid-escape", r'["\\d\.\"x\" \/ \u00e9\_"]', [r'\d\."x" / é\_']),
    ("needless-escape", r'["it\'s"]', ["it's"]),
    ("unquoted-key", "{a: 1, _b2: 2, $c-d: 3, 4: 5, é: 6}", {"a": 1, "_b2": 2, "$c-d": 3, "4": 5, "é": 6}),
    ("python-literal", "[True, False, None]", [True, False, None]),
    ("digit-grouping", "[71_350_220, -1_0.5_0e3]", [71350220, -10500.0]),
    ("escaped-space", r'{"a":\n [1,\t2\r\n]\n}', {"a": [1, 2]}),
]

# the same for what only `full` reads
FULL: list[tuple[str, str, Any]] = [
    ("comment", '{"a": {"b": "c" // d }, "e": 1}', {"a": {"b": "c"}, "e": 1}),
    ("odd-space", '\ufeff{\xa0"a"\u3000:▁1\u200b}', {"a": 1}),
    ("extra-comma", '[, 1,, 2]', [1, 2]),
    ("extra-comma", '{, "a": 1,, "b": 2}', {"a": 1, "b": 2}),
    ("wrong-comma", '{"a": [1; 2]; "b": 3;}', {"a": [1, 2], "b": 3}),
    ("wide-punctuation", '｛"a"：［1，2］，"b"：3、｝', {"a": [1, 2], "b": 3}),
    ("missing-comma", '{"a": "x""b": 2}', {"a": "x", "b": 2}),
    ("missing-comma", "[\na\nb\n{}\n'c'\n]", ["a", "b", {}, "c"]),
    ("missing-comma", '[(1) (2)]', [1, 2]),
    ("missing-comma", '[5 -3]', [5, -3]),
    ("missing-comma", '{"a": 1\n b": 2}', {"a": 1, "b": 2}),
    ("missing-colon", '{"a" 1, "b" "x", "c" {}, "d" null}', {"a": 1, "b": "x", "c": {}, "d": None}),
    ("wrong-colon", '{"a" = 1, "b" => 2, "c":: 3, "d" -> 4, "e" := 5}', {"a": 1, "b": 2, "c": 3, "d": 4, "e": 5}),
    ("mismatched-closer", '{"a": [1, 2}, "b": 3}', {"a": [1, 2], "b": 3}),
    ("mismatched-closer", '{"a": [1, 2,}}', {"a": [1, 2]}),
    ("mismatched-closer", "[1, 2}", [1, 2]),
    ("missing-closer", '{"a": [1, "b", "c": 2, "d": 3}', {"a": [1, "b"], "c": 2, "d": 3}),
    ("missing-closer", '[{"a": 1, {"b": 2}]', [{"a": 1}, {"b": 2}]),
    ("missing-opener", '[{"a": 1}, "b": 2, "c": 3}]', [{"a": 1}, {"b": 2, "c": 3}]),
    ("missing-closer", '{"x": {"k": ["a"}, "l": 1}', {"x": {"k": ["a"]}, "l": 1}),
    ("surplus-closer", '{"a": 1], "b": 2}', {"a": 1, "b": 2}),
    ("surplus-opener", '{{"a": {{b: 1}}', {"a": {"b": 1}}),
    ("other-quotes", "[`a`, «b», ‹c›, 「d」, 『e』, ＂f＂, ´g´]", list("abcdefg")),
    ("code-escape", r"['\x41\u0042\U0001F600', " "'a\\\nb']", ["AB😀", "ab"]),
    ("code-escape", '["a\\\r\nb"]', ["ab"]),
    ("literal-backslash", r'["C:\temp\new\x"]', [r"C:\temp\new\x"]),
    ("literal-backslash", r'["\frac{1}{2} \alpha\n\nA \times \(x\)\n- y"]',
     ["\\frac{1}{2} \\alpha\n\nA \\times \\(x\\)\n- y"]),
    ("literal-backslash", r"['C:\temp\d']", [r"C:\temp\d"]),
    ("inner-quote", '["say "x" now"]', ['say "x" now']),
    ("inner-quote", '{"a": "Sea "birds" nest early, mostly" }', {"a": 'Sea "birds" nest early, mostly'}),
    ("inner-quote", '[{"t": "The 1/2" driver was, sold.", "s": "x"}]', [{"t": 'The 1/2" driver was, sold.', "s": "x"}]),
    ("inner-quote", '{"a": "find -name "*.log""}', {"a": 'find -name "*.log"'}),
    ("inner-quote", '["He said "yes", "no" and left", "b"]', ['He said "yes", "no" and left', "b"]),
    ("inner-quote", '{"a": "say {"x": 1} now", "b": 2}', {"a": 'say {"x": 1} now', "b": 2}),
    ("inner-quote", '{"a": "The 3", old driver.", "b": 1}', {"a": 'The 3", old driver.', "b": 1}),
    ("inner-quote", '{"say "x" now": 1}', {'say "x" now': 1}),
    ("inner-quote", '{"a": "x\n"y" z", "b": 1}', {"a": 'x\n"y" z', "b": 1}),
    ("single-quotes", "{'a': '24'19.80', 'b': 'it's'}", {"a": "24'19.80", "b": "it's"}),
    ("missing-quote", '{"a: 1, "b": 2, "c": d", "e": "f}', {"a": 1, "b": 2, "c": "d", "e": "f"}),
    ("missing-quote", '{"a": "long text, with commas,"b": 1}', {"a": "long text, with commas", "b": 1}),
    ("missing-quote", '{"a": "dropped cha"b": 4}', {"a": "dropped cha", "b": 4}),
    ("missing-quote", '["a, "b", "c"]', ["a", "b", "c"]),
    ("inner-quote", '["a 5\'10" man", "c"]', ["a 5'10\" man", "c"]),
    ("missing-quote", '["say "x" now, "b", "c"]', ['say "x" now', "b", "c"]),
    ("missing-quote", '{"a": "x", b": "y", "c: [\n1], "d": 2}', {"a": "x", "b": "y", "c": [1], "d": 2}),
    ("missing-quote", '{"a": 1, "b: [2]}', {"a": 1, "b": [2]}),
    ("missing-quote", '{"a": 5, b": 6}', {"a": 5, "b": 6}),
    ("missing-quote", '[{"a": "01:31}\n]', [{"a": "01:31"}]),
    ("missing-quote", '{"a": "x\n}', {"a": "x"}),
    ("missing-quote", '{"a": "x\n, "b": 1}', {"a": "x", "b": 1}),
    ("missing-quote", '{"a": "x\r\n "b": 1}', {"a": "x", "b": 1}),
    ("missing-quote", '{"a": 12", "b": "x"y}', {"a": "12", "b": 'x"y'}),
    ("typographic-quotes", '{"a": "v”,\n "b": 1}', {"a": "v", "b": 1}),
    ("concatenation", '{"a": "x" + \'y\'\n + "z"}', {"a": "xyz"}),
    ("string-prefix", """{"a": b'x', "b": r'\\d', "c": f"y", "d": u'\\n'}""", {"a": "x", "b": "\\d", "c": "y", "d": "\n"}),
    ("triple-quotes", '{"a": """say "x"\n""", "b": \'\'\'y\'\'\', "c": r"""z"""}', {"a": 'say "x"\n', "b": "y", "c": "z"}),
    ("escaped-quotes", r'{"a": \"b\", \"c \\\"d\\\"\": 1}', {"a": "b", 'c "d"': 1}),
    ("escaped-json", r'{\"a\": \"x\\\"y\\n\", \"b\": [1]}', {"a": 'x"y\n', "b": [1]}),
    ("doubled-quotes", '{""a"": ""b"", ""c"": """"}', {"a": "b", "c": ""}),
    ("html-entities", "{&quot;a&quot;: &quot;x &amp; y&quot;}", {"a": "x & y"}),
    ("html-entities", "[&#39;a&#39;]", ["a"]),
    ("unquoted-key", "{first name: 1, 1.5: 2}", {"first name": 1, "1.5": 2}),
    ("unquoted-value", "{a: some text, b: foo, bar, c: https://x.org/y?z=1, d: *.vue}",
     {"a": "some text", "b": "foo, bar", "c": "https://x.org/y?z=1", "d": "*.vue"}),
    ("unquoted-value", "[red, dark green, /a[(]b/, f(x) g, #fff, list[int]]",
     ["red", "dark green", "/a[(]b/", "f(x) g", "#fff", "list[int]"]),
    ("unquoted-value", '{"a": None of it, "b": say "x" y // c\n, "c": nullable}', {"a": "None of it", "b": 'say "x" y', "c": "nullable"}),
    ("unquoted-value", '{"a": ...}', {"a": "..."}),
    ("other-literal", "[undefined, TRUE, nil, NULL, none]", [None, True, None, None, None]),
    ("plus-sign", "[+1, +.5]", [1, 0.5]),
    ("bare-point", "[.5, 1., -.5, 1.e3]", [0.5, 1.0, -0.5, 1000.0]),
    ("hex-number", "[0x1F, -0xff]", [31, -255]),
    ("number-text", "{a: 5 mg, b: 1/3, c: 1,000, d: 0.3.7, f: 10:30, g: 2024-01-02, h: 50%, i: 007, j: 1__0}",
     {"a": "5 mg", "b": "1/3", "c": "1,000", "d": "0.3.7", "f": "10:30", "g": "2024-01-02", "h": "50%", "i": "007",
    "j": "1__0"}),
    ("bare-exponent", "[2e, 1.5E+, -3e-, 2.e]", [2.0, 1.5, -3.0, 2.0]),
    ("decimal-comma", '{"a": 58,4, "b": -0,125, "c": 12,3456 }', {"a": 58.4, "b": -0.125, "c": 12.3456}),
    ("missing-value", '{"a": , "b": }', {"a": None, "b": None}),
    ("tuple", "{a: (1, 'x'), b: (), c: (1,), d: ((1, 2), 3), e: (5), f: ('y')}",
     {"a": [1, "x"], "b": [], "c": [1], "d": [[1, 2], 3], "e": 5, "f": "y"}),
    ("call", "{a: ObjectId(\"1a\"), b: NumberLong(2), c: Decimal('1.5'), d: new Date( \"x\" ), e: Some(true), f: F(-0.5)}",
     {"a": "1a", "b": 2, "c": "1.5", "d": "x", "e": True, "f": -0.5}),
    ("call", "[datetime(2024, 1, 2), f(')', (\"(\")), np.array([1, 2]), set([3]), OrderedDict([('a', 1)])]",
     ["datetime(2024, 1, 2)", "f(')', (\"(\"))", [1, 2], [3], "OrderedDict([('a', 1)])"]),
    ("inner-quote", '{"a": "is {"b": "c"}, I think", "d": 1}', {"a": 'is {"b": "c"}, I think', "d": 1}),
    ("inner-quote", '{"a": "```json {"b": [{"c": 1},{"d": 2}]}```"}', {"a": '```json {"b": [{"c": 1},{"d": 2}]}```'}),
    ("inner-quote", '["the \\"big" one, they said", "x"]', ['the "big" one, they said', "x"]),
    ("missing-quote", '{"a": "if (b) { c(1); }, "d": "e"}', {"a": "if (b) { c(1); }", "d": "e"}),
    ("inner-quote", '["the (5" x 3") one", 1]', ['the (5" x 3") one', 1]),
    ("inner-quote", '{"a": "use { as "x""}', {"a": 'use { as "x"'}),
    ("inner-quote", '[{"a": "use { as "x""}, {"b": "y"}]', [{"a": 'use { as "x"'}, {"b": "y"}]),
    ("invalid-escape", r"""[{"a": "^\s*['"]([^'"]+)['"]\s*,"}]""", [{"a": r"""^\s*['"]([^'"]+)['"]\s*,"""}]),
    ("stray-text", '{"a": "x", NOTE "b": "y "z", w." }', {"a": "x", "b": 'y "z", w.'}),
    ("missing-comma", '["a1" xx", "c"]', ["a1", "xx", "c"]),
    ("missing-comma", '["a" some words, "c"]', ["a", "some words", "c"]),
    ("missing-comma", '{"a": ["x","y" z],"b": ["v","w"]}', {"a": ["x", "y", "z"], "b": ["v", "w"]}),
    ("missing-quote", '{"a": ["x", "y],"b": ["v", "w"]}', {"a": ["x", "y"], "b": ["v", "w"]}),
    ("missing-quote", '["https://x.org/a,2]', ["https://x.org/a", 2]),
    ("doubled-quotes", '{"a": ""x y", "b": [""z"]}', {"a": "x y", "b": ["z"]}),
    ("concatenation", '{"a": "x" + /* c */ "y", "b": "p +\n  "q"}', {"a": "xy", "b": "pq"}),
    ("missing-colon", "{'a' 'b'}", {"a": "b"}),
    ("missing-colon", "{“a” “b”, 'c': 1}", {"a": "b", "c": 1}),
    ("missing-colon", "{'a': 1, b 'c', \"d\": 2}", {"a": 1, "b": "c", "d": 2}),
    ("missing-closer", '[{"a": 1{"b": "x"{"c": 2}]', [{"a": 1}, {"b": "x"}, {"c": 2}]),
    ("ellipsis", "[1, ..., 2, ...]", [1, 2]),
    ("ellipsis", '{"a": [..., {}, …], ...}', {"a": [{}]}),
    ("ellipsis", '{..., "a": [1 ...]}', {"a": [1]}),
    ("emphasis", '{**"a"**: 1, __"b"__: *"c"*, **d**: 2}', {"a": 1, "b": "c", "d": 2}),
    ("list-marker", '[\n- "a"\n- "b",\n* {"c": 1}\n]', ["a", "b", {"c": 1}]),
    ("list-marker", '{\n- "a": 1,\n- b: 2\n}', {"a": 1, "b": 2}),
    ("stray-text", '{"a": "x" extra words, "b": true, oops "c": 1}', {"a": "x", "b": True, "c": 1}),
]  # fmt: skip

# What no level reads: there is no one reading, or none at all.
REFUSED = [
    '["a": 1, "b": 2]', '{"q": ["a": 1, "b": 2]}', '[1, "a": 1]', "[1, {'a' 1 x}]", "[a: 1]", '{"a": 6 * 7}', "{a: 6*7}",
    "{a: x + y}", '{"a": 1 2}', "[1,000]", '{"a", "b": 1}', "{:1}", '{"a" ]',
    '{"a": 1 : 2}', '{"a": "b": "c"}', "{'a', 'b'}", '{"a": NaN}', "[Infinity]", "[-Infinity]", "[nan]", "x {", "[a{b]", "callback {}",
    "{'a': ['b': {'c': 'd', 'e': 'f'}]}", '{"a": "x", ["y"]}', '{"a": 1{"b": 2}}',
    "[)]", "]", "}", "[=1]", '{"a" {"b" no', '{"a": \\x}', "[1 & 2]", "```", "[(1))",
    '{"a": 1 :2}',
]  # fmt: skip


def options(module: Module, **changes: Any) -> Any:
    return module("model").Options(**changes)


@pytest.fixture
def reading(module: Module) -> Callable[..., Any]:
    def read(text: str, level: str, pos: int = 0, end: int | None = None, **changes: Any) -> Any:
        return module("repairs").read(text, pos, len(text) if end is None else end, options(module, **changes), level)

    return read


def codes(found: Any) -> set[str]:
    return {repair.code for repair in found.repairs}


def same(a: Any, b: Any) -> bool:
    return json.dumps(a) == json.dumps(b)


@pytest.mark.parametrize(("code", "text", "value"), SAFE)
def test_safe_repairs(module, reading, code, text, value):
    found = reading(text, "safe")
    assert (found.stop, found.end) == ("done", len(text))
    assert same(found.value, value)
    assert code in codes(found) <= set(module("repairs").SAFE)
    assert same(json.loads(module("repairs").edited(text, found)), value)
    assert reading(text, "off").stop == "fault"
    again = reading(text, "full")
    assert (again.value, again.repairs) == (found.value, found.repairs)


@pytest.mark.parametrize(("code", "text", "value"), FULL)
def test_full_repairs(module, reading, code, text, value):
    found = reading(text, "full")
    assert (found.stop, found.end) == ("done", len(text))
    assert same(found.value, value)
    assert code in codes(found)
    assert same(json.loads(module("repairs").edited(text, found)), value)
    assert reading(text, "safe").stop in ("fault", "starved")


@pytest.mark.parametrize("text", REFUSED)
def test_what_has_no_one_reading_is_refused(reading, text):
    assert reading(text, "full").stop == "fault"


def test_the_document_names_every_code_with_its_level_and_risk(module):
    path = pathlib.Path(__file__).parents[1] / "conformance" / "REPAIR.md"
    if not path.exists():  # installed tests: the rules stand in the harness
        path = pathlib.Path(__import__("jsonscan_conformance").__file__).with_name("REPAIR.md")
    safe, full = path.read_text(encoding="utf-8").split("## Codes of `full`")
    rows = [(re.findall(r"`([a-z-]+)`", left), risk) for left, risk in re.findall(r"^\| (`[^|]*`) \| (\w+) \|", safe + full, re.M)]
    assert {code: risk for names, risk in rows for code in names} == module("mending").RISKS
    assert set(re.findall(r"^\| `([a-z-]+)` \|", safe, re.M)) == set(module("repairs").SAFE)


# text, value, path, the text with its closers
CUT: list[tuple[str, Any, str, str]] = [
    ("{", {}, "", "{}"),
    ('{"a', {}, "", "{}"),
    ('{"a"', {}, "/a", "{}"),
    ('{"a": ', {}, "/a", "{}"),
    ('{"a": 1', {}, "/a", "{}"),
    ('{"a": [1, 2', {"a": [1]}, "/a/1", '{"a": [1]}'),
    ('{"a": [1, ', {"a": [1]}, "/a/1", '{"a": [1]}'),
    ('{"a": 1, "b": tr', {"a": 1}, "/b", '{"a": 1}'),
    ('{"a": 1, "b"', {"a": 1}, "/b", '{"a": 1}'),
    ('{"a": 1, "b\\"c" : ', {"a": 1}, '/b"c', '{"a": 1}'),
    ('{"a": 1, // x\n "b": ', {"a": 1}, "/b", '{"a": 1}'),
    ('{"a": 1, b: ', {"a": 1}, "/b", '{"a": 1}'),
    ('{"a": 1 "b": ', {"a": 1}, "/b", '{"a": 1}'),
    ('[1, {"a": "x\\u00', [1, {"a": "x"}], "/1/a", '[1, {"a": "x"}]'),
    ('["x\\ud83d', ["x"], "/0", '["x"]'),
    ("[[], {} ", [[], {}], "/1", "[[], {} ]"),
    ("[1, 2 /* open", [1, 2], "/1", "[1, 2 ]"),
    ("[1, 2 // line", [1, 2], "/1", "[1, 2 ]"),
]


@pytest.mark.parametrize(("text", "value", "path", "edited"), CUT)
def test_what_was_cut_off_is_closed_behind_what_is_whole(module, reading, text, value, path, edited):
    for level in ("safe", "full"):
        found = reading(text, level)
        assert (found.stop, found.value, found.path, found.end) == ("starved", value, path, len(text))
        assert found.repairs[-1].code == "truncated"
        assert module("repairs").edited(text, found) == edited
    found = reading(text, "off")
    assert found.stop in ("starved", "fault")
    assert found.repairs == ()


FULL_CUT: list[tuple[str, Any, str]] = [
    ('{"a": "x"```\n', {"a": "x"}, '{"a": "x"}'),
    ('{"a": [1, ```', {"a": [1]}, '{"a": [1]}'),
    ("{'a", {}, "{}"),
    ("['x\ny \\", ["x\ny "], '["x\\ny "]'),
    ("['x \\u00e", ["x "], '["x "]'),
    ('["x\n\\ud83d\\ud', ["x\n"], '["x\\n"]'),
    ("{a: some te", {"a": "some te"}, '{"a": "some te"}'),
    ("{a: Tru", {}, "{}"),
    ('{"a": 1; b: ', {"a": 1}, '{"a": 1}'),
    ('{"a": 1, "b" = ', {"a": 1}, '{"a": 1}'),
    ('{"a" 1, "b" = "c', {"a": 1, "b": "c"}, '{"a": 1, "b" : "c"}'),
    ('["say "x" no', ['say "x" no'], '["say \\"x\\" no"]'),
    ('{"a": "x" + ', {"a": "x"}, '{"a": "x" }'),
    ('{\\"a\\": \\"b', {"a": "b"}, '{"a": "b"}'),
    ("[1 2", [1], "[1]"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value", "edited"), FULL_CUT)
def test_what_was_cut_off_and_damaged_is_closed_as_well(module, reading, text, value, edited):
    found = reading(text, "full")
    assert (found.stop, found.value) == ("starved", value)
    assert json.loads(module("repairs").edited(text, found)) == value
    assert module("repairs").edited(text, found).replace(" ", "") == edited.replace(" ", "")


def test_a_reading_says_where_it_stopped(reading):
    found = reading('{"a": [1, x y: z}]', "safe")
    assert (found.stop, found.fault, found.fault_pos, found.phase, found.path) == ("fault", "unexpected", 10, "value", "/a/1")
    assert found.value == {"a": [1]}
    assert found.covered >= 10
    assert "fault" in repr(found)


def test_a_reading_keeps_within_its_region(module, reading):
    text = 'x [1, "a" 2] [3'
    found = reading(text, "safe", 2, 12)
    assert (found.stop, found.start, found.end, found.value) == ("done", 2, 12, [1, "a", 2])
    (edit,) = found.repairs
    assert (edit.code, edit.start, edit.end, edit.removed, edit.inserted, edit.path, edit.risk) == (
        "missing-comma", 9, 9, "", ",", "/1", "likely")  # fmt: skip
    assert module("repairs").edited(text, found) == '[1, "a", 2]'
    assert reading(text, "safe", 2, 10).stop == "starved"


def test_places_are_json_pointers(reading):
    found = reading('{"a/b": [1, {"m~n": {c: True}}]}', "safe")
    assert [(edit.code, edit.path) for edit in found.repairs] == [
        ("unquoted-key", "/a~1b/1/m~0n/c"),
        ("python-literal", "/a~1b/1/m~0n/c"),
    ]


def test_limits(module, reading):
    limits = module("model").Limits
    assert reading("[[[1", "safe", limits=limits(max_depth=2)).fault == "max_depth"
    assert reading("[((1", "full", limits=limits(max_depth=2)).stop == "fault"
    assert reading("[12345]", "safe", limits=limits(max_digits=4)).fault == "max_digits"
    assert reading("[1_2345]", "safe", limits=limits(max_digits=4)).stop == "fault"
    found = reading("[1 2 3 4]", "safe", limits=limits(max_repairs=2))
    assert (found.stop, found.fault) == ("limit", "max_repairs")
    assert reading("[1 2 3]", "safe", limits=limits(max_repairs=2)).stop == "done"
    assert reading("[1 2 3 4]", "safe", limits=limits(max_repairs=None, max_depth=None, max_digits=None)).stop == "done"


def test_places_of_a_log_do_not_outgrow_the_text(reading):
    text = '{"' + "k" * 50_000 + '": [' + "1 " * 2_000 + "]}"
    found = reading(text, "safe")
    assert len(found.repairs) == 1_999
    assert sum(len(edit.path) for edit in found.repairs) < 5_000_000
    assert found.repairs[0].path == "/" + "k" * 50_000 + "/0"
    assert found.repairs[-1].path == ""


def test_duplicate_names(reading):
    for text in ('{"a": 1, "a": 2}', "{a: 1, 'a': 2}", "{a: 1, a : 2}"):
        found = reading(text, "full", duplicate_keys="raise")
        assert (found.stop, found.fault) == ("fault", "duplicate-key")
    assert reading("{a: 1, 'a': 2}", "full", duplicate_keys="first").value == {"a": 1}
    assert reading("{a: 1, 'a': 2}", "full").value == {"a": 2}


@pytest.mark.parametrize("level", ["off", "safe", "full"])
def test_nonfinite_numbers_are_an_option_at_every_level(reading, level):
    text = '{"a": NaN, "b": [Infinity, -Infinity], "c": 1}'
    assert reading(text, level).stop == "fault"
    found = reading(text, level, nonfinite="null")
    assert found.value == {"a": None, "b": [None, None], "c": 1}
    assert codes(found) == {"nonfinite"}
    assert str(reading(text, level, nonfinite="allow").value) == "{'a': nan, 'b': [inf, -inf], 'c': 1}"
    assert reading("[NaNny]", "safe", nonfinite="null").stop == "fault"


def test_big_integers_are_read_as_the_options_say(reading):
    text = "[9_007_199_254_740_993, 9007199254740993,]"
    assert reading(text, "safe").value == [9007199254740993] * 2
    assert reading(text, "safe", big_int="str").value == ["9007199254740993"] * 2
    assert reading(text, "safe", big_int="float").value == [9007199254740992.0] * 2


def test_a_long_text_with_one_more_layer_is_unwrapped_in_steps(module, reading):
    plain = json.dumps({"k": ["v\n" * 10] * 300}, indent=1)
    text = json.dumps(plain)[1:-1] + "\" and more {" + "x" * 10_000
    found = reading(text, "full")
    assert (found.stop, json.dumps(found.value, indent=1), found.end) == ("done", plain, text.index('" and more'))
    assert [edit.code for edit in found.repairs] == ["escaped-json"]


# text, value, codes; the whole text by `repair`
WHOLE: list[tuple[str, Any, set[str]]] = [
    ("const cfg = {name: 1};", {"name": 1}, {"wrapper", "unquoted-key"}),
    ("export default [1]", [1], {"wrapper"}),
    ("x: Foo = {}", {}, {"wrapper"}),
    ('callback({"a": 1});', {"a": 1}, {"call", "wrapper"}),
    ("callback('x')", "x", {"call"}),
    ("```json\n[1,]\n```", [1], {"wrapper", "trailing-comma"}),
    ("json\n{}", {}, {"wrapper"}),
    ('{"a": 1}\n{"b": 2}\n', [{"a": 1}, {"b": 2}], {"root-array", "missing-comma"}),
    ('{"a": 1}, {"b": 2}, ', [{"a": 1}, {"b": 2}], {"root-array", "trailing-comma"}),
    ("[1] [2]{}", [[1], [2], {}], {"root-array", "missing-comma"}),
    ("1\n2", [1, 2], {"root-array", "missing-comma"}),
    ("hello world", "hello world", {"unquoted-value"}),
    ("'x' + \"y\"", "xy", {"concatenation"}),
    ("2024-01-02", "2024-01-02", {"number-text"}),
    ("(1, 2)", [1, 2], {"tuple"}),
    ("\ufeff[1]\xa0", [1], {"byte-order-mark", "odd-space"}),
]


@pytest.mark.parametrize(("text", "value", "expected"), WHOLE)
def test_whole_texts(module, text, value, expected):
    done = module("whole_text").repaired(text, options(module, repair="full", expect="any"))
    assert (done.value, done.complete) == (value, True)
    assert {edit.code for edit in done.repairs} == expected
    assert json.loads(done.text) == value
    assert done.text == module("repairs").applied(text, 0, len(text), done.repairs)


def test_whole_texts_under_safe(module):
    repaired = module("whole_text").repaired
    done = repaired('\ufeff/* c */ {"a": 1,} // d\n}', options(module, expect="any"))
    assert done.value == {"a": 1}
    assert [edit.code for edit in done.repairs] == ["byte-order-mark", "comment", "trailing-comma", "comment", "surplus-closer"]
    clean = repaired(' {"a": 1}\n', options(module, repair="off", expect="any"))
    assert (clean.text, clean.repairs) == (' {"a": 1}\n', ())


def test_whole_texts_that_are_refused(module, js):
    repaired = module("whole_text").repaired

    def refused(text: str, **changes: Any) -> Any:
        with pytest.raises(js.JSONScanError) as caught:
            repaired(text, options(module, **{"expect": "any", "repair": "full", **changes}))
        return type(caught.value).__name__, caught.value.pos

    assert refused(" ") == ("NoJSONError", 0)
    assert refused("# c") == ("NoJSONError", 3)
    assert refused("[1] x") == ("InvalidJSONError", 4)
    assert refused("{} {}", repair="safe") == ("InvalidJSONError", 3)
    assert refused("{} x", repair="off") == ("InvalidJSONError", 3)
    assert refused("[1 : 2]") == ("InvalidJSONError", 3)
    assert refused("[1, ") == ("TruncatedJSONError", 4)
    assert refused('"a"', expect="container") == ("NoJSONError", 0)
    assert refused("[[1]]", limits=js.Limits(max_depth=1)) == ("LimitError", 1)
    assert refused("[]]]", limits=js.Limits(max_repairs=1)) == ("LimitError", 3)
    kept = repaired("[1, [2", options(module, truncated="keep"))
    assert (kept.value, kept.complete, kept.text) == ([1, []], False, "[1, []]")


def test_plain_edits_of_the_machine_suffice_where_they_can(module, monkeypatch):
    repairs, opts = module("repairs"), options(module)
    text = "[1,] "
    monkeypatch.setattr(repairs, "read_plain", lambda *_: ([1], 4, 1, True))  # the pure machine has none
    found = repairs.read(text, 0, 5, opts, "safe")
    assert (found.stop, found.value, found.start, found.end, found.safe) == ("done", [1], 0, 4, True)
    assert [edit.code for edit in found.repairs] == ["trailing-comma"]
    assert repairs.read_plainly(text, 0, options(module, duplicate_keys="first"), "safe") is None
    assert repairs.read_plainly("[1,]x", 0, opts, "safe") is None
    assert repairs.read_plainly(text, 0, options(module, limits=module("model").Limits(max_repairs=None)), "safe") is not None
    monkeypatch.setattr(repairs, "read_plain", lambda *_: ("x", 3, 0, True))
    assert repairs.read_plainly(text, 0, opts, "safe") is None
    monkeypatch.setattr(repairs, "read_plain", lambda *_: ([1], 4, 10_001, True))
    assert repairs.read_plainly(text, 0, opts, "safe") is None
    monkeypatch.setattr(repairs, "read_plain", lambda *_: ([], 2, 0, True))
    assert repairs.read("[] x", 0, 4, opts, "full").repairs == ()


# text, level, what comes of it, the value (so far)
CORNERS: list[tuple[str, str, str, Any]] = [
    ('{"a": "x}```\n', 'full', 'done', {'a': 'x'}),
('[(x y, 2)]', 'full', 'done', [['x y', 2]]),
    ('{a: b;}', 'full', 'done', {'a': 'b'}),
    ('{"a": foo "b": 1}', 'full', 'done', {'a': 'foo', 'b': 1}),
    ('{a: x y,}', 'full', 'done', {'a': 'x y'}),
    ('{"h": 5 "tall", "b": 1}', 'full', 'done', {'h': '5 "tall', 'b': 1}),
    ('{"a": f(1, 2}', 'full', 'done', {'a': 'f(1, 2'}),
    ('{\\"a\\": 1}\\n\\n', 'full', 'done', {'a': 1}),
    ('[1\uff5d', 'full', 'fault', [1]),
    ('[1\uff0c\uff3d', 'full', 'done', [1]),
    ('[\uff1a1]', 'full', 'fault', []),
    ("['''a]", 'full', 'fault', []),
    ("[b'a]", 'full', 'done', ["b'a"]),
    ('[b"""a]', 'full', 'done', ['b"""a']),
    ('[[(1] 2) ]', 'full', 'fault', [[[1], 2]]),
    ('[{"a": 1,], {"b": 2}]', 'full', 'done', [{'a': 1}, {'b': 2}]),
    ('[1 "b": 2]', 'full', 'fault', [1]),
    ('["a" /*c*/ x]', 'full', 'done', ['a', 'x']),
    ('[1 /*c*/ x]', 'full', 'fault', [1]),
    ('[1 /*c*/ _]', 'safe', 'fault', [1]),
    ('["a" /*c*/ + "b"]', 'full', 'fault', ['a']),
    ('["a"x: 1]', 'full', 'fault', ['a']),
    ('["a" + \'b]', 'full', 'fault', ['a']),
    ('["a" + b]', 'full', 'fault', ['a']),
    ('{"a": \\"b}', 'full', 'fault', {}),
    ('{\\"a\\": &quot;b&quot;}', 'full', 'done', {'a': 'b'}),
    ('{\\"a\\": \\"b\\" : 1}', 'full', 'fault', {'a': 'b'}),
    ('true x', 'full', 'done', True),
    ('{"a": (\'x\', "y" + \'z\')}', 'full', 'done', {'a': ['x', 'yz']}),
    ("['a' + 'b']", 'full', 'done', ['ab']),
    ('["a\n" // c\n]', 'safe', 'done', ['a\n']),
    ('["a\n" # c\n, 1]', 'safe', 'done', ['a\n', 1]),
    ('[(1, x y)]', 'full', 'done', [[1, 'x y']]),
    ('[+1__0]', 'full', 'done', ['+1__0']),
    ('[+1_000]', 'full', 'done', [1000]),
    ('"abc', 'full', 'starved', 'abc'),
    ('{"z": 1, \\"a\\"x: 1}', 'full', 'fault', {"z": 1}),
    ('{"a"x, "b": 1}', 'full', 'fault', {}),
    ("['a' 'b']", 'safe', 'fault', ['a']),
    ('{"a": "x "y" z"; "b": 1}', 'full', 'done', {'a': 'x "y" z', 'b': 1}),
    ('[["x "y" z") ]', 'full', 'fault', [['x "y" z']]),
    ('[("x "y" z")]', 'full', 'done', [['x "y" z']]),
    ('{"a": [\'b\'}', 'safe', 'fault', {'a': []}),
    ("['a',", 'safe', 'starved', ['a']),
    ("['a', // c\n 1]", 'safe', 'done', ['a', 1]),
    ("{'a': 'b', // c\n 'c': 1}", 'safe', 'done', {'a': 'b', 'c': 1}),
    ('[\'x,\n"b", \'y]', 'full', 'done', ['x', 'b', 'y']),
    ('{"p": "C:\\dir\\", "b": 1}', 'full', 'done', {'p': 'C:\\dir\\', 'b': 1}),
    ("['x\ny\\\\", 'full', 'starved', ['x\ny\\']),
    ("['x\ny\\\\\\", 'full', 'starved', ['x\ny\\']),
    ("['x\ny", 'full', 'starved', ['x\ny']),
    ('{"a"\uff1a 1', 'full', 'starved', {}),
    ('[1, 2\uff1b', 'full', 'starved', [1, '2；']),
    ('{"a": 1, "b"=', 'full', 'starved', {'a': 1}),
    ('[\u201ca', 'full', 'starved', ['a']),
    ('{"a": \u201cb\u201d "c": 1}', 'full', 'done', {'a': 'b', 'c': 1}),
    ('{a: x.y.z, b: -, c: +}', 'full', 'done', {'a': 'x.y.z', 'b': '-', 'c': '+'}),
    ('{"a": [1, 2;]}', 'full', 'done', {'a': [1, 2]}),
    ('{"a": .}', 'full', 'done', {'a': '.'}),
    ('[x: 1]', 'full', 'fault', []),
    ('{"a": "b" + 1}', 'full', 'fault', {'a': 'b'}),
    ('["a", * b]', 'full', 'done', ['a', '* b']),
    ('[_, *]', 'full', 'done', ['_', '*']),
    ('{_: 1}', 'full', 'done', {'_': 1}),
    ('{*: 1}', 'full', 'done', {'*': 1}),
    ('{"a": \u201cb", "c": \'d\u2019}', 'full', 'done', {'a': 'b', 'c': 'd'}),
    ('["a"b"c]', 'full', 'done', ['a"b"c']),
    ('["say "hi", you", "x"]', 'full', 'done', ['say "hi", you', 'x']),
    ('{\'a\': "it\'s", "b": \'say "x"\'}', 'full', 'done', {'a': "it's", 'b': 'say "x"'}),
    ('{"a": "b",, , "c": 1}', 'full', 'done', {'a': 'b', 'c': 1}),
    ('[\ufeff1]', 'full', 'done', [1]),
    ('{"a":\\"b\\",\\"c\\":1}', 'full', 'done', {'a': 'b', 'c': 1}),
    ('[f(a=1)]', 'full', 'done', ['f(a=1)']),
    ('[f()]', 'full', 'done', ['f()']),
    ('[new Date()]', 'full', 'done', ['new Date()']),
    ('[(]', 'full', 'starved', [[]]),
    ('[()]', 'full', 'done', [[]]),
    ('[((1))]', 'full', 'done', [[1]]),
    ('{"a": (1}', 'full', 'done', {'a': [1]}),
    ('["a";"b"]', 'full', 'done', ['a', 'b']),
    ('["a";]', 'full', 'done', ['a']),
    ('{"a" : "b"; c}', 'full', 'fault', {'a': 'b'}),
    ('[tru, fals]', 'full', 'done', ['tru', 'fals']),
    ('[nul]', 'full', 'done', ['nul']),
    ('[trueish, nullx]', 'full', 'done', ['trueish', 'nullx']),
    ('{"a": -Infinity}', 'full', 'fault', {}),
    ('{"a": 1e}', 'full', 'done', {'a': 1.0}),
    ('{"a": 1.2.3e}', 'full', 'done', {'a': '1.2.3e'}),
    ('{"a": 00, "b": -01}', 'full', 'done', {'a': '00', 'b': '-01'}),
    ('{"a": 1_, "b": _1}', 'full', 'done', {'a': '1_', 'b': '_1'}),
    ('[1 2', 'full', 'starved', [1]),
    ('[{"a": 1] x', 'full', 'done', [{'a': 1}]),
    ('{"a": {"b": 1], "c": 2}', 'full', 'done', {'a': {'b': 1}, 'c': 2}),
    (']', 'full', 'fault', None),
    ('{"a": "x" "y"}', 'full', 'done', {'a': 'x" "y'}),
    ('{"a": "x" 5}', 'full', 'done', {'a': 'x'}),
    ('{"a": "x" {}}', 'full', 'fault', {'a': 'x'}),
    ('{"a": "x",}', 'full', 'done', {'a': 'x'}),
    ('{"a": "x",]', 'full', 'done', {'a': 'x'}),
    ('{"a": \'x\' y\', "b": 1}', 'full', 'done', {'a': "x' y", 'b': 1}),
    ("{'a': 'x', y', 'b': 1}", 'full', 'done', {'a': "x', y", 'b': 1}),
    ('{"a": "\\', 'full', 'starved', {'a': ''}),
    ('{"a": "x\\u', 'full', 'starved', {'a': 'x'}),
    ('{"a": \'x\\u12', 'full', 'starved', {'a': 'x'}),
    ('{"a": \'x\\ud83d', 'full', 'starved', {'a': 'x'}),
    ('["a\\q\\ud83d', 'full', 'starved', ['a\\q']),
    ('{\u201ca\u201db\u201d: 1}', 'full', 'done', {'a”b': 1}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "level", "stop", "value"), CORNERS)
def test_corners(module, reading, text, level, stop, value):
    found = reading(text, level)
    assert (found.stop, found.value) == (stop, value)
    if stop != "fault":
        assert same(json.loads(module("repairs").edited(text, found)), value)


def test_a_log_may_be_replaced(module, reading):
    found = reading("[+1]", "full")
    assert found.safe is False
    found.repairs = reading("[1,]", "safe").repairs
    assert found.safe is True


def test_a_deep_log_keeps_its_size(reading):
    found = reading("[" * 900 + "1 " * 300, "safe")
    assert len(found.repairs) == 300
    assert found.repairs[0].path == "/0" * 900
    assert found.repairs[-1].path == ""


@pytest.mark.parametrize("level", ["off", "safe", "full"])
@pytest.mark.parametrize("text", ['{c:[1,"c":', '{"scores": [4, "scores": 5]}', '{"a": [{"a": 1}, "a": 2}]'])
def test_a_name_put_behind_a_closer_that_was_missing_may_be_a_duplicate(js, text: str, level: str):
    with pytest.raises(js.InvalidJSONError):
        js.loads(text, duplicate_keys="raise", repair=level)


@pytest.mark.parametrize("text", ["`abc", "'\"\r", "“abc ", "'", "'abc\n"])
def test_a_string_that_is_the_whole_value_and_is_never_closed_was_cut(js, text):
    for ask in (js.repair, js.loads) if text != "'" else (js.repair,):
        with pytest.raises(js.TruncatedJSONError) as caught:
            ask(text, repair="full", expect="any")
        assert (caught.value.partial, caught.value.path) == (text[1:], "")
    kept = js.repair(text, repair="full", expect="any", truncated="keep")
    assert (kept.value, kept.complete, kept.repairs[-1].code) == (text[1:], False, "truncated")
    assert json.loads(kept.text) == kept.value


@pytest.mark.parametrize("text", ['["a, b", "]', '{"a": "}', '{"a": ["x", "]}\n'])
def test_an_empty_string_is_not_closed_before_the_last_closers(js, text):
    with pytest.raises(js.TruncatedJSONError):
        js.repair(text, repair="full")
    assert not js.repair(text, repair="full", truncated="keep").complete
    assert js.repair(text.replace('"]', '"c]').replace('"}', '"c}'), repair="full").complete


@pytest.mark.parametrize("text", ["0/*", "5//", "5 // x", "-1.5/* x */", "7#"])
def test_a_number_ends_at_a_comment_at_every_level(js, text):
    safe = js.repair(text, expect="any")
    assert [each.code for each in safe.repairs] == ["comment"]
    assert js.repair(text, expect="any", repair="full") == safe


def test_paths_lead_through_an_array_that_was_put_round(js):
    made = js.repair("{'a': 1}\n[2, {b: x}]", repair="full")
    assert made.value == [{"a": 1}, [2, {"b": "x"}]]
    assert [(each.code, each.path) for each in made.repairs if each.path] == [
        ("single-quotes", "/0/a"), ("unquoted-key", "/1/1/b"), ("unquoted-value", "/1/1/b")]  # fmt: skip
    with pytest.raises(js.TruncatedJSONError) as caught:
        js.repair('{"a": 1}\n{"b": [2, "x', repair="full")
    assert (caught.value.partial, caught.value.path) == ([{"a": 1}, {"b": [2, "x"]}], "/1/b/1")


@pytest.mark.parametrize("text", ['{"a": 1}, "b": &quot;x&quot;}', '{"a": 1}, "b": 2, ""c"": 3}'])
def test_a_layer_holds_the_brace_that_was_taken_out(js, text):
    found = js.search(text, repair="full")
    assert [(each.start, each.end, each.removed) for each in found.repairs] == [(0, len(text), text)]
    assert json.loads(found.repairs[0].inserted) == found.value
