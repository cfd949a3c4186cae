"""JavaScript's strings and white space."""

from __future__ import annotations

import random

import pytest

LEAD, TRAIL = "\ud83d", "\ude00"
TEXTS = [
    "", "abc", "é", "中文", "😀", "a😀b", "😀😀", "😀x", "x😀", f"a{LEAD}b", f"{TRAIL}{LEAD}😀{LEAD}", f"{LEAD}{TRAIL}!",
    "\U0010ffff\uffff",
]  # fmt: skip


@pytest.fixture
def ecma(module):
    return module("ecma")


def units(text: str) -> list[str]:
    """The UTF-16 code units, one by one."""
    made = []
    for char in text:
        code = ord(char)
        if code > 0xFFFF:
            made += [chr(0xD800 + ((code - 0x10000) >> 10)), chr(0xDC00 + ((code - 0x10000) & 0x3FF))]
        else:
            made.append(char)
    return made


def test_white_space_is_that_of_ecma_262(ecma):
    expected = {0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x20, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF}
    assert {ord(char) for char in ecma.WHITE_SPACE} == expected
    assert len(ecma.WHITE_SPACE) == len(expected)


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_a_prefix_may_cut_a_pair(ecma, text):
    for count in range(len(units(text)) + 2):
        prefix = ecma.utf16_prefix(text, count)
        assert units(prefix) == units(text)[:count]


def test_a_prefix_costs_what_it_holds(ecma):
    text = "😀" * 1_000_000
    assert ecma.utf16_prefix(text, 3) == "😀" + LEAD


@pytest.mark.parametrize("fill", ["x", "é", "中", "😀", "a😀"])
def test_longer_than(ecma, fill):
    for bound in (0, 1, 7, 8, 9, 100):
        for count in range(bound + 2):
            text = (fill * count)[:count]
            assert ecma.longer_than(text, bound) == (len(units(text)) > bound)
    assert ecma.longer_than(fill * 300_000, 262_144)


def test_random_texts(ecma):
    rng = random.Random(3)
    for _ in range(500):
        text = "".join(rng.choice(["a", "é", "中", "😀", LEAD, TRAIL]) for _ in range(rng.randrange(12)))
        cut = rng.randrange(25)
        assert units(ecma.utf16_prefix(text, cut)) == units(text)[:cut]
        assert ecma.longer_than(text, cut) == (len(units(text)) > cut)
