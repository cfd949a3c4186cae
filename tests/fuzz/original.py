"""A differential fuzzer: this library against the original modules under Node.

    python -m tests.fuzz.original --count 300000 --build compiled

draws texts (see `generator.py`), asks both for each operation, and prints how many answers were compared and how many differ, each
difference cut down to a short text that still shows it. Exit status: 0 none differ, 1 some do, 2 the originals or Node are missing.
A difference that was a fault becomes a row of `finds.json`, which the test suite replays without Node.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from types import ModuleType

from . import generator
from .oracle import OPERATIONS, Absent, Oracle, agree, answer

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BATCH = 500


class Difference:
    """A text for which a build and the original disagree."""

    def __init__(self, operation: str, text: str, original: list, ours: list) -> None:
        self.operation, self.text, self.original, self.ours = operation, text, original, ours

    def __str__(self) -> str:
        return (
            f"{self.operation}({ascii(self.text)[:2000]})\n"
            f"    original  {ascii(self.original)[:600]}\n    here      {ascii(self.ours)[:600]}"
        )


def compare(oracle: Oracle, package: ModuleType, texts: list[str]) -> list[Difference]:
    """Ask both for every operation on every text."""
    asked = [(operation, text) for text in texts for operation in OPERATIONS]
    differences = []
    for (operation, text), original in zip(asked, oracle.answers(asked), strict=True):
        ours = answer(package, operation, text)
        if not agree(operation, original, ours):
            differences.append(Difference(operation, text, original, ours))
    return differences


def minimised(oracle: Oracle, package: ModuleType, difference: Difference) -> Difference:
    """A difference in the same operation with a text that gets no shorter by leaving out one piece of it."""
    size = max(1, len(difference.text) // 2)
    while size:
        text = difference.text
        shorter = [text[:at] + text[at + size :] for at in range(0, len(text), size)][:2000]
        found = [each for each in compare(oracle, package, shorter) if each.operation == difference.operation]
        if found:
            difference = found[0]
        else:
            size //= 2
    return difference


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.original", description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=20_000, help="texts to draw (default %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="which texts to draw (default %(default)s)")
    parser.add_argument("--build", default="compiled", choices=["compiled", "pure"], help="default %(default)s")
    parser.add_argument("--keep", type=int, default=10, help="differences to minimise and print (default %(default)s)")
    options = parser.parse_args(argv)
    # The installed package is the one to test: the checkout that `python -m` puts first comes last.
    checkout = os.path.dirname(TESTS)
    sys.path[:] = [TESTS, *(path for path in sys.path if os.path.abspath(path) != checkout), checkout]
    import builds

    package = builds.package_of(options.build)
    began, differences, progress = time.monotonic(), [], sys.stderr.isatty()
    try:
        with Oracle() as oracle:
            for start in range(0, options.count, BATCH):
                numbers = range(start, min(start + BATCH, options.count))
                differences += compare(oracle, package, [generator.text(options.seed, number) for number in numbers])
                if progress:
                    print(f"\r{numbers.stop:,} texts, {len(differences)} differ", end="", file=sys.stderr)
            if progress:
                print(file=sys.stderr)
            for difference in differences[: options.keep]:
                print(minimised(oracle, package, difference))
    except Absent as absent:
        print(f"error: {absent}", file=sys.stderr)
        return 2
    print(
        f"{options.build} build: {options.count:,} texts (seed {options.seed}), {options.count * len(OPERATIONS):,} answers "
        f"compared, {len(differences)} differ; {time.monotonic() - began:.0f} s"
    )
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
