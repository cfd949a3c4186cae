"""The rows that are told without a search are those that `search` gives."""

from __future__ import annotations

import random
from collections import Counter

import pytest

VALUES = ['{"a":1}', '{"a": [1,{"b":2}]}', "[1,2]", "{}", "[]", '{"a": "x ``` y"}', '{"a":"\\u00e9 \\n"}', "{'a': 1}", '{"a": [1,']
AROUND = [
    "```json\n", "```\n", "\n```", "\n```\n", "```json", "``` ", "```", "```jsonc\n", "~~~\n", "\n",
    "  ", "     ", "\t", "\r\n", "\r", "\u2028", "\x0b", "\u200b", "\ufeff", "Here: ", '"', '"k": 1', "`x`", "``", "$", "\\",
    "<b>", "<think>", "</think>", "<answer>", "◁", "｛", "text.", ". ", ', "b": 2}', "Final:", "- ", "{x}", "json", "é", "😀",
    ">", "(", ")", "[citation]", "example:", "of the", "1",
]  # fmt: skip
OPTIONS = [
    {},
    {"repair": "off"},
    {"repair": "full", "truncated": "keep"},
    {"expect": "object"},
    {"expect": "array"},
    {"expect": "any", "repair": "full"},
    {"select": "sole"},
]
TEXTS = [
    "", " ", "no", "[1] and [2]", '"a": 1}', '\n"a": 1}', "5", '{"a": 1}', ' \n{"a": 1}\n', '{"a": 1} and so on', "{} and", "[1] and",
    'Well: {"a": 1}', 'Well: {"a": 1}, "b": 2}', '5 {"a": 1}', 'x\n```json\n{"a": 1}\n```\ny',
    '```\u2028{"a":1}', '```\r{"a":1}', 'a ```\n{"a":1}\n```',
    '     ```\n{"a":1}\n```',
    '```json {"a": "``` "}\n```\n', '${"a": 1}', '\\{"a": 1}', 'x ｛"a": 1｝', '{"a": 1} ｛"b": 2｝',
    "```\n```", '```json\n"a": 1\n```',
    '{"a":{"b":{}}}', "[" * 50 + "]" * 50, '{"a": 1' + "0" * 5000 + "}", '{"a": "\ud800"}', 'x `y` {"a": 1}', 'x ``` {"a": 1}',
    '{"type": "object", "properties": {"a": {"type": "string"}}}',
]  # fmt: skip


def generated(count: int, seed: int = 1) -> list[str]:
    """Texts of a value, most of them, with something before and behind it."""
    rng = random.Random(seed)
    made = []
    for _ in range(count):
        before, behind = ("".join(rng.choices(AROUND, k=rng.randrange(4))) for _ in "12")
        if rng.random() < 0.2:
            before, behind = rng.choice(["", "of the\n", before]) + "```json\n", "\n```" + rng.choice(["", "\ntext.", behind])
        made.append(before + (rng.choice(VALUES) if rng.random() < 0.9 else "") + behind)
    return made


@pytest.fixture
def both(module):
    """The row of a text without a search, None where it takes one, and the row of its match."""
    rows = module("rows")

    def readers(**options):
        plain = rows._plain_reader(module("model").Options(**options))
        search = module("scanner").compile(**options).search

        def by_search(text):
            try:
                match = search(text)
            except module("errors").JSONScanError as error:
                return rows.failed(error.code)
            return rows.failed("no-json") if match is None else rows._found(match)

        return plain, by_search

    return readers


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "-".join(options.values()) or "default")
def test_a_plain_row_is_the_row_of_the_search(both, options):
    plain, by_search = both(**options)
    told = {text: row for text in TEXTS + generated(1500) if (row := plain(text)) is not None}
    assert {text: row for text, row in told.items() if row != by_search(text)} == {}
    assert bool(told) == (options.get("select") is None)


def test_limits_hold_in_plain_rows(both, module):
    limits = module("model").Limits
    for bounds in (limits(max_depth=2), limits(max_digits=3), limits(max_input=9)):
        plain, by_search = both(limits=bounds)
        rows = [(text, plain(text), by_search(text)) for text in ['{"a": {"b": {}}}', '{"a": 12345}', "[]", "no JSON in this text"]]
        assert [text for text, told, found in rows if told not in (None, found)] == []
        assert any(found[7] == "limit" for _, _, found in rows)


def test_each_kind_of_plain_row_is_told_and_no_more_than_those(both):
    plain, _ = both()
    kinds = Counter(row and (row[2] or row[7]) for row in map(plain, TEXTS + generated(1500)))
    assert set(kinds) == {None, "bare", "fence", "prose", "no-json"}
    assert min(kinds.values()) > 20
