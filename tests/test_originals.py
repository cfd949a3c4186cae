"""The three original functions: what they answer, and what they refuse, in each build."""

from __future__ import annotations

import contextlib
import io
import json
import math
import pathlib
import pickle
import subprocess
import sys
from typing import Any

import pytest
from fuzz import generator, oracle

FINDS = json.loads((pathlib.Path(__file__).parent / "fuzz" / "finds.json").read_text(encoding="ascii"))
LEAD, TRAIL = "\ud83d", "\ude00"
ASTRAL = "😀"
JS_WHITE = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
NO_JS_WHITE = "\x00\x08\x0e\x1b\x1c\x1d\x1e\x1f\x7f\x85\u180e\u200b\u200c\u200d\u2060\u2800\ufffe"


def error_of(js, raw: Any):
    with pytest.raises(js.ExtractJsonError) as caught:
        js.extract_json(raw)
    return caught.value


# -- extract_json_object


@pytest.mark.parametrize(
    ("raw", "found"),
    [
        ('{"a":1}', '{"a":1}'),
        (' {"a": 1 }\n', '{"a": 1 }'),
        ('Sure:\n```json\n{"a":1}\n```\nBye {x}', '{"a":1}'),
        ('{not} then {"a":{"b":[{}]}} and {"c":1}', '{"a":{"b":[{}]}}'),
        ('He said "hi {"a":1}', '{"a":1}'),
        ('{a "quoted} {"b":1}', '{"b":1}'),
        ('{"a":"} \\" {"} {}', '{"a":"} \\" {"}'),
        ('{"a":"\\\\"} "}', '{"a":"\\\\"}'),
        ('\\{"a":1}', '{"a":1}'),
        ('{"a":{"b":1},}', '{"b":1}'),  # the outer one fails, the inner one is taken
        ('{"a":[{"x":1},{"y":2}', '{"x":1}'),
        ('{"a":"{}",}', "{}"),  # even out of a string
        ('{"a":"x} {"b":2}', '{"b":2}'),
        ("[{},1]", "{}"),
        ("<think>{}</think>{\"a\":1}", "{}"),
        ('{{"a":1}}', '{"a":1}'),
        ('{"a":01} {"a":NaN} {"a":.5} {"a":1}', '{"a":1}'),
        ('{"a":"\n"} {\xa0} {"b":2}', '{"b":2}'),
        (f'x{ASTRAL}{{"{ASTRAL}":"{LEAD}"}}{ASTRAL}', f'{{"{ASTRAL}":"{LEAD}"}}'),
    ],
)
def test_the_first_object_that_parses(js, raw, found):
    assert js.extract_json_object(raw) == found


@pytest.mark.parametrize("raw", ["", "no json", "[1]", "{", "}", '{"a":1', "{'a':1}", '{"a":1,}', '{\\"a\\":1}', '{"a":1\\}', "null"])
def test_without_an_object_the_text_itself_comes_back(js, raw):
    assert js.extract_json_object(raw) is raw


@pytest.mark.parametrize("unit", ["{", "{x}", '"{" ', "{,}", "{'"])
def test_fifty_braces_are_tried(js, unit):
    assert js.extract_json_object(unit * 49 + '{"a":1} {}') == '{"a":1}'
    raw = unit * 50 + '{"a":1} {}'
    assert js.extract_json_object(raw) is raw


def test_braces_inside_a_failed_object_count_as_well(js):
    assert js.extract_json_object("{{x}}" * 24 + '{ {"a":1}') == '{"a":1}'
    raw = "{{x}}" * 25 + '{"a":1}'
    assert js.extract_json_object(raw) is raw
    outer = '{"k":[' + '{"i":"{"},' * 60 + "x"
    assert js.extract_json_object(outer) == '{"i":"{"}'


def test_brackets_do_not_count(js):
    assert js.extract_json_object("[" * 200 + '{"a":1}') == '{"a":1}'


def test_the_bound_counts_utf_16_units(js):
    for fill, width in ((" ", 1), ("é", 1), ("中", 1), (ASTRAL, 2), (LEAD, 1)):
        room = 262_144 - len('{"a":1}')
        inside = '{"a":1}' + fill * (room // width) + "x" * (room % width)
        assert js.extract_json_object(inside) == '{"a":1}'
        beyond = inside + "x"
        assert js.extract_json_object(beyond) is beyond
        assert js.extract_json_object(beyond[::-1]) is not None


@pytest.mark.parametrize("raw", [None, b"{}", 0, True, ["{"], {"length": 1}, 1.5])
def test_an_object_is_looked_for_in_a_str_only(js, raw):
    with pytest.raises(TypeError, match=f"str, not {type(raw).__name__}"):
        js.extract_json_object(raw)


# -- extract_json: the fence


@pytest.mark.parametrize("tag", ["", "json", "yaml", "js", "javascript", "typescript", "dart", "JSON", "jSoN", "YaMl", "JavaScript"])
def test_tags_of_a_fence(js, tag):
    for gap in ("\n", "", " \n", "\ufeff"):
        assert js.extract_json(f"say:\n```{tag}{gap}[5]\n``` and [6]") == [5]
        assert js.extract_json(f"```{tag}{gap}5```") == 5


@pytest.mark.parametrize(
    "tag",
    ["ts", "yml", "json5", "jsonc", "jsonl", "python", "jso", "java", "jsonjson", " json", "{.json}", "j\u017fon", "JAVASCR\u0130PT",
     "javascr\u0131pt", "\u212a", "json\x85", "json\u200b", "json\x1c"],
)  # fmt: skip
def test_other_tags_are_content(js, tag):
    assert error_of(js, f"```{tag}\n7\n```").code in ("no-json", "parse-failed")
    if "{" not in tag:
        assert js.extract_json(f"```{tag}\n[7]\n``` [8]") == [7]  # by the first bracket


@pytest.mark.parametrize("white", JS_WHITE)
def test_white_space_of_javascript_is_trimmed(js, white):
    assert js.extract_json(f"```json{white}7{white}{white}```") == 7
    assert js.extract_json(f"```{white}7```") == 7
    assert js.extract_json(f"[1,{white}]") == [1]
    assert js.extract_json(f"{{'a':1,{white}{white}}}") == {"a": 1}


@pytest.mark.parametrize("other", NO_JS_WHITE)
def test_no_other_character_is(js, other):
    assert error_of(js, f"```json{other}7```").code == "no-json"
    assert error_of(js, f"```json\n7{other}```").code == "no-json"
    assert error_of(js, f"[1,{other}]").code == "parse-failed"


@pytest.mark.parametrize("white", sorted(set(JS_WHITE) - set(" \t\n\r")))
def test_json_s_own_white_space_is_less(js, white):
    assert error_of(js, f"[1,{white}2]").code == "parse-failed"
    assert error_of(js, f"{white}[{white}]").code == "parse-failed"


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ("```null```", None),
        ("``` false ```", False),
        ('```"hi"```', "hi"),
        ("```\n-0\n```", -0.0),
        ("```1e400```", math.inf),
        ("```jsnull```", None),
        ('{"x":0}\n```json\n{"a":1}\n```', {"a": 1}),  # the fence comes before any bracket
        ("``` [1] ``` {} ``` [2] ```", [1]),
        ("```\nbad\n```\n```json\n[1]\n```", [1]),
        ('```json\n{"a":1,}\n```\n{"b":2}', {"a": 1}),  # repaired as the first bracket's, not as the fence's
        ('```json\n{"a":1} {"b":2}\n```', {"a": 1}),
        ('{"md":"```json {} ```"}', {}),  # a fence in a string is a fence
        ('```json\n{"code":"```js x```"}\n```', {"code": "```js x```"}),
        ('```json\n{"a":1}', {"a": 1}),
        ("Use ``` so ```json [1] ```", [1]),
        ("````json\n[1]\n````", [1]),
        ("`[1]`", [1]),
        ('``` {"a":"b``` c"} ```', {"a": "b``` c"}),
    ],
)
def test_fences(js, raw, value):
    assert repr(js.extract_json(raw)) == repr(value)
    assert repr(js.try_extract_json(raw)) == repr(value)


@pytest.mark.parametrize(
    "raw",
    ["```\n7", "``7``", "~~~\n7\n~~~", "``````", "```json\n```", "````7````", "```\n7 8\n```", "```7,```", "```\nbad\n```\n```5```"],
)
def test_no_value_in_the_first_fence(js, raw):
    assert error_of(js, raw).code == "no-json"
    assert js.try_extract_json(raw) is None


# -- extract_json: the first bracket, and the repair


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ("a {} [2]", {}),
        ("a [2] {}", [2]),
        ("As in [1], see {}", [1]),
        ("][{}]", [{}]),
        ('{"a":"}"} "', {"a": "}"}),
        (r'["\"]","\\"] "]', ['"]', "\\"]),
        ('\\{"a":1}', {"a": 1}),
        ('{"a":1} trailing } ]', {"a": 1}),
        ('{"a":1,}', {"a": 1}),
        ("[1,2, ]", [1, 2]),
        ("[,]", []),
        ("{,}", {}),
        ("{'a':'b'}", {"a": "b"}),
        ("{'a':1,'b':[1,2,],}", {"a": 1, "b": [1, 2]}),
        (r"{'a':'it\'s'}", {"a": 'it"s'}),
        ('{"a":"x, }",}', {"a": "x}"}),  # the repair does not know strings
        (r'{"a":"\'"}', {"a": '"'}),
        ("['a\",\"b']", ["a", "b"]),
        ('"[1]"', [1]),
        (f"[-0, 1e400, \"{LEAD}\",]", [-0.0, math.inf, LEAD]),
    ],
)
def test_the_first_bracket(js, raw, value):
    assert repr(js.extract_json(raw)) == repr(value)


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        ("nothing", "no-json"),
        (" ", "no-json"),
        ("5", "no-json"),
        ("null", "no-json"),
        ("{", "unbalanced"),
        ('{"a":1]', "unbalanced"),
        ("[1}", "unbalanced"),
        ('[see {"a":1}', "unbalanced"),
        ('[see "note] {"a":1}', "unbalanced"),
        ('{"a":"x} y', "unbalanced"),
        ('["\\"]', "unbalanced"),
        ('["\\', "unbalanced"),
        ('{"a":[1}', "parse-failed"),
        ('Hi {name}, {"a":1}', "parse-failed"),  # nothing behind the first bracket is tried
        ("{{}}", "parse-failed"),
        ("[1,,]", "parse-failed"),
        ("{a:1}", "parse-failed"),
        ("{\"a\":\"it's\",}", "parse-failed"),
        ("{'a':'}'}", "parse-failed"),
        ("[1,'\"]\"']", "parse-failed"),  # repaired, its first part would do
        ('{"a":1 // c\n}', "parse-failed"),
        ("[NaN]", "parse-failed"),
        ('["\n"]', "parse-failed"),
        ("[01]", "parse-failed"),
        ("['\\x']", "parse-failed"),
        ("[tru]", "parse-failed"),
    ],
)
def test_failures(js, raw, code):
    error = error_of(js, raw)
    assert error.code == code
    assert isinstance(error, js.JSONScanError)
    assert isinstance(error, ValueError)
    assert js.try_extract_json(raw) is None


@pytest.mark.parametrize("raw", ["", None, b"[1]", 0, 1, True, False, [], {}, ["{}"], float("nan"), bytearray(b"{}")])
def test_invalid_input(js, raw):
    error = error_of(js, raw)
    assert (error.code, error.args[0], error.preview) == ("invalid-input", "extractJson: input must be a non-empty string", "")
    assert js.try_extract_json(raw) is None


def test_messages(js):
    assert error_of(js, "no\nbrackets").args[0] == "extractJson: no JSON object or array found in response.\nResponse preview: no\nbrackets"
    assert error_of(js, "a [1, 2").args[0] == "extractJson: unbalanced brackets in LLM response.\nResponse preview: [1, 2"
    failed = error_of(js, 'text {"a":1,\n "b":x} text')
    assert failed.args[0] == (
        "extractJson: JSON.parse failed.\nError: InvalidJSONError: unexpected character: line 2 column 6 (char 13)\n"
        'Candidate (first 300 chars): {"a":1,\n "b":x}'
    )
    assert (failed.pos, failed.doc[failed.pos]) == (18, "x")
    assert str(failed) == failed.args[0]


@pytest.mark.parametrize(
    ("raw", "cause"),
    [('["\t"]', "raw control character in a string"), ('["\\x"]', "invalid escape in a string"), ("[1.]", "malformed number"),
     ("[tru]", "malformed literal"), ("[?]", "unexpected character")],
)  # fmt: skip
def test_the_message_says_what_strict_json_has_against_it(js, raw, cause):
    assert error_of(js, raw).args[0].split("\n")[1].startswith(f"Error: InvalidJSONError: {cause}: line 1 column ")


PREVIEWS = [  # raw, preview
    ("x" * 300, "x" * 200),
    ("x" * 199 + ASTRAL * 5, "x" * 199 + LEAD),
    (ASTRAL * 150, ASTRAL * 100),
    ("x" + ASTRAL * 150, "x" + ASTRAL * 99 + LEAD),
    (LEAD * 250, LEAD * 200),
    ("y" * 50 + "{" + "x" * 400, "{" + "x" * 299),
    (ASTRAL * 50 + "[" + "x" * 298 + ASTRAL, "[" + "x" * 298 + LEAD),
    ("{" + ASTRAL * 300 + "}", "{" + ASTRAL * 149 + LEAD),
    ("{" + "x" * 297 + ASTRAL + "}", "{" + "x" * 297 + ASTRAL),
    ("[" + "中" * 400 + "]", "[" + "中" * 299),
    ("{x}" + "y" * 400, "{x}"),
]


@pytest.mark.parametrize(("raw", "preview"), PREVIEWS)
def test_previews_are_cut_by_utf_16_units(js, raw, preview):
    error = error_of(js, raw)
    assert error.preview == preview
    assert error.args[0].endswith(": " + preview)


@pytest.mark.parametrize("raw", ["x" * 199 + ASTRAL, f"no {LEAD}", f"[{LEAD}]", f"[{TRAIL}"])
def test_half_a_character_can_be_printed(js, raw):
    error = error_of(js, raw)
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="strict")
    with contextlib.redirect_stdout(out):
        print(error, error.hint())
    half = ascii(error.preview[-2:])
    assert str(error) == error.args[0].encode("utf-8", "backslashreplace").decode()
    assert "\\ud" in str(error) or half.isascii()


def test_a_traceback_with_half_a_character(js):
    code = f"import {js.__name__.partition('_')[0]} as js; js.extract_json('no \\ud83d')"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert ended.returncode == 1
    assert b"no JSON object or array found" in ended.stderr
    assert b"\\ud83d" in ended.stderr


def test_errors_survive_pickling(js):
    for raw in ("", "x", "{", "{x}", "x" * 199 + ASTRAL):
        error = error_of(js, raw)
        assert pickle.loads(pickle.dumps(error)) == error


def test_errors_have_no_hidden_context(js):
    error = error_of(js, "{x}")
    assert error.__cause__ is None
    assert error.__suppress_context__


# -- for all three


class Loud(str):
    """A str that does not behave."""

    __slots__ = ()

    def find(self, *_):
        raise AssertionError

    def __len__(self):
        return 0

    def __getitem__(self, _):
        raise AssertionError

    def __str__(self):
        return "other"


def test_subclasses_of_str_are_taken_for_their_text(js):
    assert js.extract_json_object(Loud('x {"a":1}')) == '{"a":1}'
    assert type(js.extract_json_object(Loud('{"a":1}'))) is str
    assert js.extract_json(Loud("x [1]")) == [1]
    assert js.extract_json(Loud("x [1,]")) == [1]
    assert error_of(js, Loud("{x")).preview == "{x"
    nothing = Loud("nothing")
    assert js.extract_json_object(nothing) is nothing


def test_integers_keep_their_digits(js):
    assert js.extract_json("[12345678901234567890]") == [12345678901234567890]
    assert js.extract_json(f"[{'7' * 4300}]") == [int("7" * 2150) * 10**2150 + int("7" * 2150)]
    assert js.extract_json(f"[{'7' * 4301}]") == [math.inf]


@pytest.mark.parametrize(("opener", "closer"), [("[", "]"), ('{"a":', "}")])
def test_deep_nesting(js, opener, closer):
    depth = 20_000
    text = opener * depth + "0" + closer * depth
    for raw in (text, f"```\n{text}\n```", f"so: {text[:-1]},{text[-1]}"):
        value = js.extract_json(raw)
        for _ in range(depth):
            value = value["a"] if isinstance(value, dict) else value[0]
        assert value == 0
    assert js.extract_json_object(f'x {{"k":{text}}} y') == f'{{"k":{text}}}'
    assert js.extract_json_object(opener * depth) == opener * depth


# -- the same as a slow and plain reading of what the originals do


def plainly_parsed(machine, text: str) -> tuple[Any] | None:
    read = machine.parse_at(text, 0)
    return read[:1] if read and not text[read[1] :].strip(" \t\n\r") else None


def balanced(text: str, start: int, opener: str, closer: str) -> int:
    """The offset of the closer, by one look at each character; -1 if there is none."""
    depth, quoted, shielded = 0, False, False
    for at in range(start, len(text)):
        char = text[at]
        if shielded:
            shielded = False
        elif quoted:
            quoted, shielded = char != '"', char == "\\"
        elif char == '"':
            quoted = True
        elif char in (opener, closer):
            depth += 1 if char == opener else -1
            if depth == 0:
                return at
    return -1


def plain_object(machine, raw: str) -> str:
    braces = [at for at, char in enumerate(raw) if char == "{"][:50]
    for start in braces:
        end = balanced(raw, start, "{", "}")
        if end >= 0 and plainly_parsed(machine, raw[start : end + 1]):
            return raw[start : end + 1]
    return raw


def plain_value(machine, raw: str) -> Any:
    pieces = raw.split("```")
    if len(pieces) > 2:
        inner = pieces[1]
        for tag in ("json", "yaml", "js", "javascript", "typescript", "dart"):
            if inner[: len(tag)].isascii() and inner[: len(tag)].lower() == tag:
                inner = inner[len(tag) :]
                break
        if found := plainly_parsed(machine, inner.strip(JS_WHITE)):
            return found
    start = next((at for at, char in enumerate(raw) if char in "{["), -1)
    if start < 0:
        return "no-json"
    end = balanced(raw, start, raw[start], "}" if raw[start] == "{" else "]")
    if end < 0:
        return "unbalanced"
    candidate = raw[start : end + 1]
    return plainly_parsed(machine, candidate) or plainly_parsed(machine, plainly_repaired(candidate)) or "parse-failed"


def plainly_repaired(candidate: str) -> str:
    made, at = "", 0
    while at < len(candidate):
        rest = candidate[at + 1 :].lstrip(JS_WHITE)
        if candidate[at] == "," and rest[:1] in ("}", "]"):
            at = len(candidate) - len(rest)
        else:
            made += candidate[at]
            at += 1
    return made.replace("'", '"')


def test_random_texts_read_as_plainly(js, module):
    machine = module("machine")
    found = 0
    for number in range(6000):
        raw = generator.text(99, number)
        if not 0 < len(raw) < 5000:
            continue
        assert js.extract_json_object(raw) == plain_object(machine, raw), ascii(raw)
        expected = plain_value(machine, raw)
        if isinstance(expected, tuple):
            found += 1
            assert oracle.canonical(js.extract_json(raw)) == oracle.canonical(expected[0]), ascii(raw)
        else:
            assert error_of(js, raw).code == expected, ascii(raw)
    assert found > 1000


@pytest.mark.parametrize("find", FINDS, ids=[find["why"] for find in FINDS])
def test_what_the_fuzzer_found_once(js, find):
    text = find["text"]
    assert oracle.agree(find["operation"], find["original"], oracle.answer(js, find["operation"], text))
