"""Texts of a size that no response has, in both builds: answered, in memory a small multiple of the text, or let go of when asked to.

`tox run -e large`. Each text is made here; the largest has a gigabyte.
"""

from __future__ import annotations

import signal
import time
import tracemalloc
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

MEGA = 1024 * 1024


def peak(work: Callable[[], Any]) -> tuple[Any, int, int]:
    """What the work gives, the bytes this holds, and the most that was held meanwhile."""
    tracemalloc.start()
    try:
        value = work()
        return value, *tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("wide", ["x", "é", "中", "😀"])
def test_a_string_of_100_mb(js: ModuleType, wide: str):
    text = wide * (100 * MEGA // len(wide.encode()))
    value = js.loads(f'It is {{"a": "{text}"}}.')
    assert value == {"a": text}


def test_a_string_of_escapes(js: ModuleType):
    text = "\\n\\u00e9" * (4 * MEGA)
    value = js.loads(f'{{"a": "{text}"}}')
    assert value == {"a": "\né" * (4 * MEGA)}


def test_a_name_of_10_mb_is_not_kept(js: ModuleType):
    name = "k" * (10 * MEGA)
    value, held, _ = peak(lambda: len(js.loads(f'{{"{name}": 1, "{name}2": 2}}')))
    assert value == 2
    assert held < MEGA


def test_a_million_members_and_names(js: ModuleType):
    text = "{" + ", ".join(f'"n{number}": {number}' for number in range(1_000_000)) + "}"
    value, held, most = peak(lambda: js.loads(text))
    assert len(value) == 1_000_000 and value["n999999"] == 999_999
    assert most < held + 4 * len(text)


@pytest.mark.parametrize(
    "text",
    ["[" * MEGA, '{"a":' * MEGA, '{"a": "' + "x" * (8 * MEGA), "{}" * MEGA, "```json\n[" * MEGA, "<think>" * MEGA, '["' * MEGA],
    ids=["brackets", "objects", "string", "empty objects", "fences", "tags", "strings"],
)
def test_memory_for_what_is_no_answer(js: ModuleType, text: str):
    """At most 400 bytes a character, whatever the text: a dict of one member has 232."""

    def outcome() -> str:
        try:
            js.loads(text)
        except js.JSONScanError as error:
            return error.code
        return "value"

    _, _, most = peak(outcome)
    assert most < 400 * len(text) + MEGA


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers")
@pytest.mark.parametrize("kind", ["numbers", "strings", "one string", "prose", "blanks"])
def test_a_signal_during_a_gigabyte(js: ModuleType, build: str, kind: str):
    if build == "pure":
        pytest.skip("the standard library's scanner, which the pure build asks first, does not look for signals")
    unit = {"numbers": "12345678, ", "strings": '"abcdefghijklmnopqrstuvwxyz", ', "one string": "x" * 1000, "prose": "word " * 20,
            "blanks": " " * 1000}[kind]  # fmt: skip
    text = unit * (1024 * MEGA // len(unit))
    text = {"one string": f'["{text}"]', "prose": text + "[1]"}.get(kind, f"[{text}1]")
    heard: list[float] = []
    loads = js.loads  # which imports the module now, not under the timer

    class Heard(Exception):
        pass

    def handler(*_: object) -> None:
        heard.append(time.perf_counter())
        raise Heard

    before = signal.signal(signal.SIGALRM, handler)
    began = time.perf_counter()
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        loads(text)
    except (Heard, js.JSONScanError):
        pass
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert heard, "read to its end"
    print(f"{kind}: heard {(heard[0] - began - 0.01) * 1000:.0f} ms after it was sent")
