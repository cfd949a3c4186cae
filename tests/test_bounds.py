"""Limits, alike at every entry point of every build; and what is deep, in little room."""

from __future__ import annotations

import copy
import json
import pickle
import threading
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from families import FAMILIES

# A text, and the largest bound that it passes.
LIMITS: dict[str, tuple[str, int]] = {
    "max_input": ('{"a": 1}', 7),
    "max_depth": ('[[[{"a":[1]}]]]', 4),
    "max_candidates": ('{"a":1} and {"b":2} or {"c":3}', 2),
    "max_repairs": ("{'a': 'b', 'c': 'd'}", 3),
    "max_digits": ('{"a": 12345}', 4),
}


def closed(js: ModuleType, text: str, **options: Any) -> Any:
    stream = js.Stream(**options)
    for at in range(0, len(text), 3):
        stream.feed(text[at : at + 3])
    return stream.close()


ENTRIES: dict[str, Callable[..., Any]] = {
    "loads": lambda js, text, **options: js.loads(text, **options),
    "loads of bytes": lambda js, text, **options: js.loads(text.encode(), **options),
    "search": lambda js, text, **options: js.search(text, **options),
    "finditer": lambda js, text, **options: list(js.finditer(text, **options)),
    "findall": lambda js, text, **options: js.findall(text, **options),
    "fullmatch": lambda js, text, **options: js.fullmatch(text, **options),
    "repair": lambda js, text, **options: js.repair(text, **options),
    "Scanner.loads": lambda js, text, **options: js.compile(**options).loads(text),
    "Scanner.search": lambda js, text, **options: js.compile(**options).search(text),
    "Stream.close": closed,
    "iter_items": lambda js, text, **options: list(js.iter_items([text], **options)),
}
# These read one value that is all of the text: nothing is a candidate.
ONE_VALUE = ("fullmatch", "repair")
TABLE = [(entry, limit) for entry in ENTRIES for limit in LIMITS if not (entry in ONE_VALUE and limit == "max_candidates")]


@pytest.mark.parametrize(("entry", "limit"), TABLE)
def test_every_entry_point_keeps_every_bound(js: ModuleType, entry: str, limit: str):
    text, passed = LIMITS[limit]
    with pytest.raises(js.LimitError) as caught:
        ENTRIES[entry](js, text, limits=js.Limits(**{limit: passed}))
    assert caught.value.limit == limit
    ENTRIES[entry](js, text, limits=js.Limits(**{limit: passed + 1}))


def in_little_room(js: ModuleType, work: Callable[[], Any]) -> Any:
    """What `work` gives in a thread. The compiled build gets a C stack of 256 KB, where a recursion over the text would not survive
    (CPython 3.13 itself needs more than 128 KB to let go of 4,000 levels); the pure one the usual stack, since the standard
    library's scanner, which it asks first, recurses up to the interpreter's own bound."""
    result: list[Any] = []
    before = threading.stack_size(256 * 1024 if js.BUILD == "compiled" else 0)
    try:
        thread = threading.Thread(target=lambda: result.append(work()))
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()
    [value] = result  # nothing, if the work raised
    return value


@pytest.mark.parametrize("name", FAMILIES)
def test_no_text_makes_it_recurse(js: ModuleType, name: str):
    text = FAMILIES[name](4_000)
    unbound = js.Limits(max_depth=None, max_repairs=None)

    def everything() -> list[str]:
        ended = []
        for entry, call in ENTRIES.items():
            if entry == "loads of bytes" and not text.isascii():
                continue
            try:
                call(js, text, repair="full", truncated="keep", limits=unbound)
                ended.append("value")
            except js.JSONScanError as error:
                ended.append(error.code)
        return ended

    assert in_little_room(js, everything)


@pytest.mark.parametrize(("opener", "closer"), ["[]", ('{"a":', "}")], ids=["arrays", "objects"])
def test_a_value_of_a_million_levels_is_given_back_and_let_go(js: ModuleType, opener: str, closer: str):
    """Letting go of it is CPython's affair, and it keeps its stack; so is showing, storing or copying it, which it refuses."""
    levels = 1_000_000 if js.BUILD == "compiled" else 50_000  # seconds otherwise
    value = js.loads(opener * levels + "1" + closer * levels, limits=js.Limits(max_depth=None))
    for refused in (repr, pickle.dumps, copy.deepcopy, json.dumps):
        with pytest.raises(RecursionError):
            refused(value)
    found = 0
    while not isinstance(value, int):
        value = value[0] if isinstance(value, list) else value["a"]
        found += 1
    assert found == levels
