"""References, under a debug build of Python: every call, with texts that bring every error, again and again; their number must stay.

    PYTHONPATH=BUILD python3.11-dbg refleaks.py [--every N]
"""

from __future__ import annotations

import argparse
import gc
import sys
from array import array

import calls

ROUNDS = 10
PATIENCE = 400  # rounds with one text, where blocks grow: CPython's own pools of them fill as slowly as one a round
CALM = 4  # at the end: a leak shows in each of these, while a cache that fills comes to rest


def growth(call: calls.Call, texts: list[str], rounds: int = ROUNDS) -> list[tuple[int, int]]:
    """References and blocks of memory that each of the last rounds left behind."""
    references, blocks = array("q", bytes(8 * rounds)), array("q", bytes(8 * rounds))  # which hold no references themselves
    for at in range(rounds):
        for text in texts:
            call(text)
        gc.collect()
        references[at], blocks[at] = sys.gettotalrefcount(), sys.getallocatedblocks()  # type: ignore[attr-defined]
    return [(references[at] - references[at - 1], blocks[at] - blocks[at - 1]) for at in range(rounds - CALM, rounds)]


def grows(grown: list[tuple[int, int]]) -> bool:
    return min(references for references, _ in grown) > 0 or min(blocks for _, blocks in grown) > 0


def leaks(call: calls.Call, text: str) -> list[tuple[int, int]] | None:
    """The growth with this text, if it does not stop."""
    grown = growth(call, [text])
    if grows(grown) and grown[-1][0] <= 0:
        grown = growth(call, [text], PATIENCE)
    return grown if grows(grown) else None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--every", type=int, default=40, help="take every Nth text of the corpus (default %(default)s)")
    options = parser.parse_args()
    texts, leaking = list(calls.texts(options.every)), 0
    for name, call in calls.CALLS.items():
        if grows(growth(call, texts)):
            for text in texts:
                grown = leaks(call, text)
                if grown:
                    leaking += 1
                    print(f"{name}({text[:60]!a}): (references, blocks) per round: {grown}")
    missed = calls.unmet(options.every)
    print(f"{len(calls.CALLS)} groups of calls, {len(texts)} texts, {ROUNDS} rounds: {leaking} leak; not met: {sorted(missed) or None}")
    return 1 if leaking or missed else 0


if __name__ == "__main__":
    sys.exit(main())
