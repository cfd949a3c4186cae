"""Names that are chosen to be mistaken for one another, or for something of the host's."""

from __future__ import annotations

import itertools
import json
from collections import defaultdict
from types import ModuleType

import pytest

SLOTS = 512  # of the compiled machine's memo of short names
WORD = 2**64 - 1


def slot(name: str) -> int:
    """Where the compiled machine's memo keeps a name of at most 16 ASCII characters: jscan_hash in _leaves.h."""
    raw = name.encode().ljust(16, b"\0")
    low, high = int.from_bytes(raw[:8], "little"), int.from_bytes(raw[8:], "little")
    return ((low ^ high * 0x9E3779B97F4A7C15) * 0xD6E8FEB86659FD93 & WORD) >> 32 & SLOTS - 1


def in_one_slot(count: int) -> list[str]:
    """Names of several lengths that all want the same slot of the memo."""
    slots = defaultdict(list)
    for number in itertools.count():
        names = slots[slot(str(number))]
        names.append(str(number))
        if len(names) == count:
            return names
    raise AssertionError


@pytest.mark.parametrize("wide", ["", "中", "😀"], ids=["ASCII", "CJK", "emoji"])
def test_names_that_want_one_slot(js: ModuleType, wide: str):
    names = in_one_slot(100)
    assert len({slot(name) for name in names}) == 1
    rows = [{name: at, names[-1 - at]: name} for at, name in enumerate(names)]
    assert js.loads(json.dumps({"rows": rows, "é": wide}, ensure_ascii=False))["rows"] == rows


def test_names_with_zeros_at_their_ends(js: ModuleType):
    """The memo fills a short name up with zeros; a name that has them itself is another one."""
    text = '[{"a": 1}, {"a\\u0000": 2}, {"a": 3}, {"a\\u0000\\u0000": 4}]'
    assert js.loads(text) == [{"a": 1}, {"a\0": 2}, {"a": 3}, {"a\0\0": 4}]


def test_names_of_one_hash(js: ModuleType):
    """Names whose hashes end in the same bits, as a dict sees them in this process, are told apart and keep their order."""
    names = [name for name in map(str, range(200_000)) if not hash(name) & 0x3FF]
    assert len(names) > 100
    text = "{" + ", ".join(f'"{name}": {at}' for at, name in enumerate(names)) + "}"
    assert list(js.loads(text).items()) == list(zip(names, range(len(names))))


@pytest.mark.parametrize("name", ["__proto__", "__class__", "__dict__", "__init__", "constructor", "toString", "", "\0", "\ud800"])
def test_names_of_the_host_are_names(js: ModuleType, name: str):
    text = json.dumps({name: {name: [1]}})
    assert js.loads(text) == {name: {name: [1]}}
    found = js.findall(f"x {text}")
    assert found == [{name: {name: [1]}}]
    stream = js.Stream()
    for char in text:
        stream.feed(char)
    assert stream.close().value == {name: {name: [1]}}
