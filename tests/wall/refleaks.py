"""References, under a debug build of Python: every call, with texts that bring every error, again and again; their number must stay.

    PYTHONPATH=BUILD python3.11-dbg refleaks.py [--every N]
"""

from __future__ import annotations

import argparse
import gc
import sys

import calls

ROUNDS = 10
CALM = 4  # at the end: a leak shows in each of these, while a cache that fills comes to rest


def growth(call: calls.Call, texts: list[str]) -> list[tuple[int, int]]:
    """References and blocks of memory that each of the last rounds left behind."""
    seen = []
    for _ in range(ROUNDS):
        for text in texts:
            call(text)
        gc.collect()
        seen.append((sys.gettotalrefcount(), sys.getallocatedblocks()))  # type: ignore[attr-defined]
    return [(after[0] - before[0], after[1] - before[1]) for before, after in zip(seen[-CALM - 1 :], seen[-CALM:], strict=False)]


def leaks(call: calls.Call, texts: list[str]) -> list[tuple[int, int]] | None:
    """The growth, if it does not stop."""
    grown = growth(call, texts)
    return grown if min(refs for refs, _ in grown) > 0 or min(blocks for _, blocks in grown) > 0 else None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--every", type=int, default=40, help="take every Nth text of the corpus (default %(default)s)")
    options = parser.parse_args()
    texts, leaking = list(calls.texts(options.every)), 0
    for name, call in calls.CALLS.items():
        if leaks(call, texts):
            for text in texts:
                grown = leaks(call, [text])
                if grown:
                    leaking += 1
                    print(f"{name}({text[:60]!a}): (references, blocks) per round: {grown}")
    missed = calls.unmet()
    print(f"{len(calls.CALLS)} groups of calls, {len(texts)} texts, {ROUNDS} rounds: {leaking} leak; not met: {sorted(missed) or None}")
    return 1 if leaking or missed else 0


if __name__ == "__main__":
    sys.exit(main())
