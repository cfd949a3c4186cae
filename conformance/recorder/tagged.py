"""Values as the corpus writes them: PROTOCOL.md's tagged JSON, numbers with their tokens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..runner.text import well_formed, write_string
from .reader import Number

NESTING = 200
#: Runs of events are folded when they have at most this many events a turn, and at least this many turns.
PERIOD = 4
TURNS = 8


def write(value: Any) -> Any:
    """The corpus form of what ``reader.read`` gives."""
    events = list(_events(value))
    if _depth(events) <= NESTING:
        return _nested(value)
    return {"$flat": _fold(events)}


def _nested(value: Any) -> Any:
    if isinstance(value, list):
        return [_nested(item) for item in value]
    if not isinstance(value, dict):
        return _scalar(value)
    if all(well_formed(key) and not key.startswith("$") for key in value):
        return {key: _nested(member) for key, member in value.items()}
    return {"$o": [[write_string(key), _nested(member)] for key, member in value.items()]}


def _scalar(value: Any) -> Any:
    if isinstance(value, Number):
        return int(value.token) if value.plain else {"$n": value.token, "$b": value.bits}
    return write_string(value) if isinstance(value, str) else value


def _events(value: Any) -> Iterator[Any]:
    """The value's events in text order."""
    open_: list[tuple[str, Iterator[Any]]] = []
    pending = iter([value])
    closer = ""
    while True:
        for item in pending:
            if isinstance(item, tuple):
                yield ["k", write_string(item[0])]
                item = item[1]
            if isinstance(item, (list, dict)):
                yield "[" if isinstance(item, list) else "{"
                open_.append((closer, pending))
                closer, pending = ("]", iter(item)) if isinstance(item, list) else ("}", iter(item.items()))
                break
            yield ["v", _scalar(item)]
        else:
            if not open_:
                return
            yield closer
            closer, pending = open_.pop()


def _depth(events: list[Any]) -> int:
    deepest = depth = 0
    for event in events:
        depth += 1 if event in ("[", "{") else -1 if event in ("]", "}") else 0
        deepest = max(deepest, depth)
    return deepest


def _fold(events: list[Any]) -> list[Any]:
    """Events with each long run written once, shortest period first."""
    folded: list[Any] = []
    at = 0
    while at < len(events):
        period, turns = next(((p, t) for p in range(1, PERIOD + 1) if (t := _turns(events, at, p)) >= TURNS), (1, 1))
        run = events[at : at + period]
        folded += [["*", run, turns]] if turns > 1 else run
        at += period * turns
    return folded


def _turns(events: list[Any], at: int, period: int) -> int:
    end = at + period
    while end < len(events) and events[end] == events[end - period]:
        end += 1
    return (end - at) // period
