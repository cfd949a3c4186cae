"""A response as a row: what each column holds."""

from __future__ import annotations

import json

import pytest

FENCED = 'Sure:\n```json\n{"a": [1, 2.50]}\n```\nThat is all.'
TEXTS = [
    FENCED,
    '{"a": 1e400, "b": -0, "a": 2}',
    "I would say {'a': True, b: [1, 2,], } // roughly",
    'so: {"a": "x\ty", "b": None, "c": "it\\\'s"}',
    '<tool_call>{"name": "f"}</tool_call>',
    '[{"a":1]',
    '{"say": "the "big" one", "n": 5 mg}',
    '{"a": 1}, {"b": 2}',
    '{"a": 1}\n{"b": 2}',
    '{"a": [1, {"b": "c',
    '{"a": "\ud800 and \\ud800 and \ud83d\\ude00"}',
    '{"a": "\ud800",}',
    '"{\\"a\\": 1}"',
]


@pytest.fixture
def row(module):
    rows = module("rows")
    return lambda text, **options: dict(zip(rows.COLUMNS, rows.reader(**options)(text), strict=True))


def test_a_value_that_reads_strictly_is_its_own_text(row):
    assert row(FENCED) == {
        "json": '{"a": [1, 2.50]}', "ok": True, "source": "fence", "start": 14, "end": 30,
        "complete": True, "repairs": (), "error": None,
    }  # fmt: skip


def test_a_mended_value_is_its_text_with_the_edits(row):
    found = row("so {'a': True,\n 'b':  [1,]}")
    assert found["json"] == '{"a": true,\n "b":  [1]}'
    assert found["repairs"] == ("single-quotes", "python-literal", "trailing-comma")


def test_a_cut_value_that_is_kept(row):
    found = row('{"a": [1, 2', truncated="keep")
    assert (found["json"], found["ok"], found["complete"]) == ('{"a": [1]}', True, False)
    assert found["repairs"] == ("truncated",)


@pytest.mark.parametrize(
    ("text", "options", "error"),
    [
        ("I cannot help with that.", {}, "no-json"),
        ("", {}, "no-json"),
        ("[1]", {"expect": "object"}, "no-json"),
        ('{"a": [1', {}, "truncated"),
        ('{"a": 1} or {"a": 2}', {"select": "sole"}, "ambiguous"),
        ('{"a": 1 2}', {"repair": "off"}, "unexpected"),
        ("[" * 1001 + "]" * 1001, {}, "limit"),
        (None, {}, "null"),
        (12, {}, "not-text"),
        (b"{}", {}, "not-text"),
    ],
)
def test_no_value_has_a_code(row, text, options, error):
    found = row(text, **options)
    assert (found.pop("ok"), found.pop("error")) == (False, error)
    assert set(found.values()) == {None}


@pytest.mark.parametrize("repair", ["off", "safe", "full"])
@pytest.mark.parametrize("text", TEXTS)
def test_the_text_is_strict_json_of_the_value_that_search_finds(js, module, row, text, repair):
    found = row(text, repair=repair, truncated="keep")
    if found["ok"]:
        match = js.search(text, repair=repair, truncated="keep")
        assert module("machine").parse_at(found["json"], 0) == (match.value, len(found["json"]))
        assert (found["source"], found["start"], found["end"]) == (match.source, *match.span())
        codes = tuple(dict.fromkeys(each.code for each in match.repairs)) or (() if match.complete else ("truncated",))
        assert (found["repairs"], found["complete"]) == (codes, match.complete)
        found["json"].encode()


def test_of_each_kind_some_text_is_read(row):
    found = [row(text, repair="full", truncated="keep") for text in TEXTS]
    assert {each["source"] for each in found} == {"bare", "fence", "tag", "prose"}
    assert sum(each["ok"] for each in found) == len(TEXTS)


def test_numbers_keep_their_digits_and_the_options_are_the_library_s(row):
    assert row("[1.00, 1e2, 12345678901234567890]")["json"] == "[1.00, 1e2, 12345678901234567890]"
    with pytest.raises(TypeError, match="nonsense"):
        row("[]", nonsense=1)


def test_json_is_json(row):
    assert json.loads(row(FENCED)["json"]) == {"a": [1, 2.5]}
