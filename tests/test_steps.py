"""Linear time, counted and not clocked: how many characters each function looks at in texts meant to make it look at too many.

The machine counts the characters it reads, and the rooms around it those that they search; a regular expression, a `str.find` or the
standard library's scanner counts what it was handed.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from families import FAMILIES

# Each function, and how often it may look at a character. `extract_json_object`: at most two reads overlap, the search for braces is
# one, and the compiled entry tries the first read on its own. `extract_json`: two searches for a fence, one or two for a bracket, a read
# of the fence and one from the bracket (and the compiled entry's own), the scan for the closer, the repair and the read of what it
# made; the message of a failure takes one read more.
FUNCTIONS: dict[str, tuple[Callable[[ModuleType], Callable[[str], Any]], int]] = {
    "extract_json_object": (lambda package: package.extract_json_object, 4),
    "extract_json": (lambda package: package.extract_json, 9),
    "try_extract_json": (lambda package: package.try_extract_json, 7),
    # A search: the landmarks, what closes them, the fast attempt, and up to four readings of each value; `loads` enters by the compiled
    # machine, which tries twice before that.
    "loads": (lambda package: package.loads, 14),
    "loads, full": (lambda package: package.compile(repair="full", truncated="keep", expect="any").loads, 12),
    "loads, sole": (lambda package: package.compile(select="sole").loads, 12),
    "findall, fragments": (lambda package: package.compile(repair="off", fragments=True).findall, 12),
    "repair, full": (lambda package: package.compile(repair="full", truncated="keep", expect="any").repair, 12),
}
ORIGINALS = {"extract_json_object", "extract_json", "try_extract_json"}
SIZES = [5_000, 20_000, 40_000]
SHORTER = [4_000, 16_000]  # a search does more at each character


def steps_of(package: ModuleType, call: Callable[[str], Any], text: str) -> int:
    machine = importlib.import_module(f"{package.__name__}.machine")
    before = machine.steps()
    try:
        call(text)
    except package.JSONScanError:
        pass
    return machine.steps() - before


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("family", FAMILIES)
def test_steps_are_linear(js, family, name):
    find, factor = FUNCTIONS[name]
    texts = [FAMILIES[family](size) for size in (SIZES if name in ORIGINALS else SHORTER)]
    counted = [steps_of(js, find(js), text) for text in texts]
    for text, steps in zip(texts, counted, strict=True):
        assert steps <= factor * len(text) + 1000
    for (short, few), (long, many) in zip(zip(texts, counted, strict=True), zip(texts[1:], counted[1:], strict=True), strict=False):
        # Above a thousand brackets a text is read twice in the pure build: the scanner does not count its depth.
        assert many <= max(1.2 * few * len(long) / len(short) + 500, 3 * len(long))


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name not in ORIGINALS])
def test_a_layer_that_cannot_be_read_is_looked_under_once(js, name):
    text = '{""a"": ' * 1500  # deeper than max_depth, where a search stops
    find, factor = FUNCTIONS[name]
    assert steps_of(js, find(js), text) <= factor * len(text) + 1000


def test_there_are_families_enough():
    assert len(FAMILIES) >= 30
    for make in FAMILIES.values():
        assert 0.8 * 40_000 <= len(make(40_000)) <= 1.2 * 40_000


def test_steps_count_what_is_looked_at(js):
    text = '{"a":[1,2,3]}'
    for find, _ in FUNCTIONS.values():
        assert steps_of(js, find(js), text) >= len('{"a":[1,2,3]}')
