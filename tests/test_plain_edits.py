"""What the compiled machine mends by itself is what the rules would have come to; what it must leave to them it leaves."""

from __future__ import annotations

import importlib
from typing import Any

import pytest
from builds import package_of

import jsonscan

pytestmark = pytest.mark.skipif(jsonscan.BUILD == "pure", reason="the pure body mends nothing by itself")
FAR = " " * 70  # farther than is looked
LEFT = [
    '{12345678901234567890: 1}', '{"a" /* x */ : 1}', '{"a": 1#x\n}', '[#x\n1]', '{"a": 1 "b\\n": 2}', f'{{"a": "x "y" z"{FAR}}}',
    f'{{"a": "x "y" z",{FAR}"b": 1}}', '["a x"b c" d"]', '{"a": "x "y"z", b": 1}', '{"a": "x "y"z", b: 1}',
    '{"a": "x"y", ' + "word " * 40 + '"}', '"raw\nline"', '["raw\n\\x"]',
]  # fmt: skip
MENDED = [
    '["a "b"c d", 1]', '["a "b"c d", [1]]', '{"a": "say "hi"x, then go, and so", "b": 1}', '{"a": "x "y"z", it\'s so", "b": 1}',
    '{"a": "x "y", then "q" and so", "b": 1}', '{"a": "x "y", then go, so", "b": 1}',
    '{"a": "x "y"z, and w", "b": "v "u"t", "c": 2}', "{'a': 'b'}", "{a: True, b: [1,],}", '{"a": 1 "b": 2}', '["raw\nline"]',
]  # fmt: skip


@pytest.mark.parametrize("wide", ["", "中", "😀"], ids=["ASCII", "CJK", "emoji"])
@pytest.mark.parametrize("text", LEFT + MENDED)
def test_an_edit_is_the_one_of_the_rules(text: str, wide: str):
    read_plain: Any = importlib.import_module("jsonscan._machine").read_plain
    found = read_plain(text + " " + wide, 0, 1000, 4300, "exact", True)
    rules = package_of("pure").repair(text, repair="full", truncated="keep", expect="any")
    assert found is None or found[0] == rules.value
    assert jsonscan.repair(text, repair="full", truncated="keep", expect="any").value == rules.value


def test_they_are_made():
    read_plain: Any = importlib.import_module("jsonscan._machine").read_plain
    assert [text for text in MENDED[-5:] if read_plain(text, 0, 1000, 4300, "exact", True) is None] == []
