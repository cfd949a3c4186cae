"""Ratios between implementations, measured so that they repeat on a busy machine.

Thread CPU time, so that other processes do not count; all contestants in one process and interleaved round by round, so that a change
of clock speed meets all of them; the best of many rounds, so that what disturbs one round does not count. Every call gets a str of
its own: some parsers keep the UTF-8 form they make inside the object, and would find it there the next time.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

ROUNDS = 30
ROUND_NS = 300_000  # what one contestant's turn should last: well above the clock's own cost, short enough to stay undisturbed
MOST_CALLS = 400


def fresh(text: str) -> str:
    """An equal str that is another object."""
    return (text + " ")[:-1]


def best_times(
    contestants: Mapping[str, tuple[Callable[[str], Any], str | Sequence[str]]], rounds: int = ROUNDS
) -> dict[str, float]:
    """Best CPU seconds of one call of each contestant, given as function and text; with several texts, which take turns, of a call on
    average."""
    each = {name: [text] if isinstance(text, str) else text for name, (_, text) in contestants.items()}
    calls = {name: _calls_in_a_turn(function, each[name]) for name, (function, _) in contestants.items()}
    best = dict.fromkeys(contestants, float("inf"))
    for _ in range(rounds):
        for name, (function, _) in contestants.items():
            best[name] = min(best[name], _turn(function, each[name], calls[name]))
    return best


def _calls_in_a_turn(function: Callable[[str], Any], texts: Sequence[str]) -> int:
    once = min(_turn(function, texts, 1) for _ in range(5))
    wanted = max(1, min(MOST_CALLS, int(ROUND_NS / 1e9 / max(once, 1e-9))))
    return -(-wanted // len(texts)) * len(texts)  # every text as often as the others


def _turn(function: Callable[[str], Any], all_texts: Sequence[str], calls: int) -> float:
    texts = [fresh(text) for text in itertools.islice(itertools.cycle(all_texts), calls)]
    began = time.thread_time_ns()
    for each in texts:
        function(each)
    return (time.thread_time_ns() - began) / 1e9 / calls
