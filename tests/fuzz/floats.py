"""A differential fuzzer of numbers: what a build reads and what `float()` makes of the same token, to the last bit.

    python -m tests.fuzz.floats --count 10000000

Exit status: 0 none differs, 1 one does (it is printed).
"""

from __future__ import annotations

import argparse
import math
import random
import struct
import sys
import time
from collections.abc import Iterator
from fractions import Fraction

BLOCK = 1000


def tokens(rng: random.Random, count: int) -> Iterator[str]:
    """So many tokens of JSON numbers with a fraction or an exponent."""
    for _ in range(count):
        yield rng.choice(KINDS)(rng)


def shortest(rng: random.Random) -> str:
    """Any finite binary64, as short as it goes."""
    number = struct.unpack("<d", rng.randbytes(8))[0]
    text = repr(number) if math.isfinite(number) else "1.5"
    return text if "." in text or "e" in text else f"{text}.0"


def many_digits(rng: random.Random) -> str:
    return f"{rng.randrange(10 ** rng.randrange(1, 25))}.{rng.randrange(10**18):018}e{rng.randrange(-340, 310)}"


def whole_halfway(rng: random.Random) -> str:
    """Halfway between two floats, and just beside."""
    exact_half = (2 * rng.randrange(2**52, 2**53) + 1) * 2 ** rng.randrange(60)
    return f"{exact_half + rng.choice([-1, 0, 0, 1])}.{rng.choice(['0', '5'])}"


def fraction_halfway(rng: random.Random) -> str:
    """The same below 1, subnormals among them: all digits (up to 800) of the point, and a last one that may lift it."""
    bits = rng.choice([rng.randrange(53, 120), rng.randrange(900, 1075)])
    mantissa = 2 * rng.randrange(2 ** rng.choice([52, rng.randrange(1, 53)])) + 1
    digits = str((Fraction(mantissa, 2**bits) * 10**bits).numerator).zfill(bits)
    return f"{digits[:-bits] or '0'}.{digits[-bits:]}{rng.choice(['', '0', '1', '0' * 30 + '1'])}"


def subnormal(rng: random.Random) -> str:
    return f"{rng.randrange(1, 10**17)}e{rng.randrange(-345, -300)}"


def small(rng: random.Random) -> str:
    return f"-0.{'0' * rng.randrange(5)}{rng.randrange(1, 10 ** rng.randrange(1, 20))}"


def with_exponent(rng: random.Random) -> str:
    return f"{rng.randrange(10 ** rng.randrange(1, 310))}{rng.choice('eE')}{rng.choice(['', '+', '-'])}{rng.randrange(320)}"


def long(rng: random.Random) -> str:
    """800 digits and more, the point anywhere, the exponent bringing it back or not."""
    digits = str(rng.randrange(1, 10)) + "".join(rng.choices("0123456789", k=rng.randrange(700, 900)))
    at = rng.randrange(1, len(digits))
    return f"{digits[:at]}.{digits[at:]}e{rng.choice([-at, rng.randrange(-400, 400)])}"


KINDS = [shortest, many_digits, whole_halfway, subnormal, small, with_exponent] * 8 + [fraction_halfway, long]


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.floats", description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=200_000, help="tokens to try (default %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="which tokens (default %(default)s)")
    options = parser.parse_args(argv)
    from jsonscan.machine import BUILD, parse_at

    rng, began = random.Random(f"floats {options.seed}"), time.monotonic()
    for start in range(0, options.count, BLOCK):
        block = list(tokens(rng, min(BLOCK, options.count - start)))
        read = parse_at(f"[{','.join(block)}]", 0)[0]
        if struct.pack(f"{len(block)}d", *read) != struct.pack(f"{len(block)}d", *map(float, block)):
            print(*(f"{token}: {ours!r}" for token, ours in zip(block, read, strict=True) if repr(ours) != repr(float(token))), sep="\n")
            return 1
    print(f"{BUILD} build: {options.count:,} numbers (seed {options.seed}), each as float() has it; {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
