"""What streaming costs, beside what others do, in one run: `tox run -e bench -- tests/bench/test_stream.py`.

Each contestant gets a document in chunks and gives its value so far after each. Those that cannot go on parse all of the text again.
Thread CPU time; contestants interleaved; the best of some rounds, since what disturbs a round does not count. The figures of the first
table are milliseconds for the whole document.
"""

from __future__ import annotations

import importlib
import json
import random
import time
from collections.abc import Callable
from typing import Any

import pytest

import jsonscan

WORDS = ["request", "total", "customer", "shipping", "notes", "the", "order", "was", "placed", "on", "review", "and", "ready", "for"]


def document(size: int) -> str:
    """Arguments of a tool call, as a model writes them, of about so many characters."""
    rng = random.Random(size)
    items: list[dict[str, Any]] = []
    length = 0
    while length < size - 120:
        note = " ".join(rng.choices(WORDS, k=rng.randrange(4, 14)))
        price, tags = rng.randrange(10_000) / 100, rng.sample(WORDS, 2)
        item = {"id": rng.randrange(10**6), "note": note, "tags": tags, "price": price, "new": rng.random() < 0.5}
        items.append(item)
        length += len(json.dumps(item)) + 2
    return json.dumps({"items": items, "count": len(items)})


def pieces(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


def streamed(chunks: list[str]) -> Any:
    stream, value = jsonscan.Stream(), None
    for chunk in chunks:
        value = stream.feed(chunk).value
    return value


def fed(chunks: list[str]) -> Any:
    stream = jsonscan.Stream()
    for chunk in chunks:
        stream.feed(chunk)
    return stream.value


def again(parse: Callable[[str], Any]) -> Callable[[list[str]], Any]:
    """What a parser of partial texts costs that has no state: everything so far once more."""

    def run(chunks: list[str]) -> Any:
        text, value = "", None
        for chunk in chunks:
            text += chunk
            value = parse(text)
        return value

    return run


def _jiter(jiter: Any) -> Callable[[list[str]], Any]:
    return again(lambda text: jiter.from_json(text.encode(), partial_mode="trailing-strings"))


def _partial(package: Any) -> Callable[[list[str]], Any]:
    def parse(text: str) -> Any:
        try:
            return package.loads(text)
        except Exception:
            return None

    return again(parse)


def _ijson(ijson: Any) -> Callable[[list[str]], Any]:
    def run(chunks: list[str]) -> Any:
        events = ijson.sendable_list()
        parser = ijson.parse_coro(events)
        builder = ijson.ObjectBuilder()
        for chunk in chunks:
            parser.send(chunk.encode())
            for _, event, value in events:
                builder.event(event, value)
            del events[:]
        return builder.value

    return run


def _jsonmend(package: Any) -> Callable[[list[str]], Any]:
    return again(lambda text: package.loads(text) if hasattr(package, "loads") else package.repair(text))


PEERS: dict[str, tuple[str, Callable[[Any], Callable[[list[str]], Any]]]] = {
    "jiter": ("jiter", _jiter),
    "ijson": ("ijson", _ijson),
    "partial-json-parser": ("partial_json_parser", _partial),
    "json_repair": ("json_repair", lambda package: again(package.loads)),
    "jsonmend": ("jsonmend", _jsonmend),
}


SLOW = ("json_repair", "jsonmend", "partial-json-parser")


def contestants(most: int) -> dict[str, Callable[[list[str]], Any]]:
    found: dict[str, Callable[[list[str]], Any]] = {"jsonscan": streamed}
    for name, (module, make) in PEERS.items():
        if most > 10_000 and name in SLOW:
            continue  # they take minutes
        try:
            found[name] = make(importlib.import_module(module))
        except ModuleNotFoundError:
            continue  # the table has no row for it, so this shows
    return found


def best(runs: dict[str, Callable[[], Any]], rounds: int) -> dict[str, float]:
    times = dict.fromkeys(runs, float("inf"))
    for _ in range(rounds):
        for name, run in runs.items():
            began = time.thread_time_ns()
            run()
            times[name] = min(times[name], (time.thread_time_ns() - began) / 1e6)
    return times


@pytest.mark.parametrize(("column", "size", "rounds"), [("4 KB", 4_096, 5), ("42 KB", 43_008, 3)])
def test_five_characters_at_a_time_with_the_value_after_each(note, column, size, rounds):
    text = document(size)
    chunks = pieces(text, 5)
    runs = {name: (lambda run=run: run(chunks)) for name, run in contestants(size).items()}
    for name, run in runs.items():
        if name == "jsonscan":
            assert run() == json.loads(text)
    for name, milliseconds in best(runs, rounds).items():
        note("ms for all chunks of 5 characters, value read after each", name, column, milliseconds)


def test_sixty_four_characters_at_a_time_against_loads(note):
    text = document(10_000_000)
    chunks = pieces(text, 64)
    times = best({"loads": lambda: jsonscan.loads(text), "stream": lambda: fed(chunks)}, 5)
    note("64-character chunks of 10 MB, x one-shot loads", "jsonscan", "ratio", times["stream"] / times["loads"])
