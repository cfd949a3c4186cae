"""A differential fuzzer between the two bodies of the machine: the same texts, cuts and edits, and the same state after each step.

    python -m tests.fuzz.bodies --count 100000

Exit status: 0 they agree, 1 they do not (the steps that lead to the difference are printed), 2 there is no compiled body.
"""

from __future__ import annotations

import argparse
import importlib
import os
import random
import sys
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any

from . import generator

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
STEPS = 12  # edits to one text
OPTIONS = [{}, {}, {"duplicates": "first"}, {"duplicates": "raise"}, {"max_depth": 2}, {"max_digits": 3}, {"big_int": "float"},
           {"big_int": "str"}, {"controls": True}]  # fmt: skip


def exact(value: Any) -> Any:
    """Something that is equal only for the same types, signs and order of names as well."""
    if isinstance(value, dict):
        return [(key, exact(item)) for key, item in value.items()]
    if isinstance(value, list):
        return ("list", [exact(item) for item in value])
    return (type(value).__name__, repr(value))


def state(machine: Any, stop: str | None = None) -> dict[str, Any]:
    """All that a machine says about itself; `stop` is what its last `run` gave, if that came last."""
    said = {name: getattr(machine, name) for name in ("pos", "base", "phase", "token", "in_string", "text", "kind", "depth")}
    said |= {"stop": stop, "frames": machine.frames(), "innermost": machine.frames(1), "path": machine.path()}
    if stop == "fault":
        said["fault"] = machine.fault
    if stop == "done":
        said["value"] = exact(machine.value)
    return said


class Step:
    """One thing to do with a machine that has stopped, drawn at random; the same for both."""

    NAMES = ("goto", "put", "put", "punct", "punct", "punct", "retract", "snapshot", "run", "run", "extend", "feed")

    def __init__(self, rng: random.Random) -> None:
        self.name = rng.choice(self.NAMES)
        self.char = rng.choice("{[}],:")
        self.value = rng.choice([None, "s", 5, [1], "a", "b"])
        self.skip = rng.randrange(3)
        self.more = rng.choice(['"', "x", "1,", "]", '\\n"', '{"a":1'])
        self.final = rng.random() < 0.5

    def __str__(self) -> str:
        return ascii(vars(self))

    def take(self, machine: Any) -> Any:
        """What the step gives, or the type of what it raises."""
        pos = min(machine.pos + self.skip, len(machine.text))
        ways: dict[str, Callable[[], Any]] = {
            "goto": lambda: machine.goto(pos),
            "put": lambda: machine.put(self.value, pos),
            "punct": lambda: machine.punct(self.char, pos),
            "retract": lambda: self._retract(machine),
            "snapshot": lambda: exact(machine.snapshot()),
            "run": lambda: machine.run(self.final),
            "extend": lambda: machine.extend(self.more),
            "feed": lambda: machine.feed(self.more),
        }
        try:
            return ways[self.name]()
        except (ValueError, KeyError) as error:
            return type(error)

    def _retract(self, machine: Any) -> Any:
        back, pos = machine.retract()
        after = state(machine)
        try:
            machine.put(self.value, machine.pos)
        except (ValueError, KeyError) as error:  # a `put` must follow all the same
            machine.put("fallback", machine.pos)
            return exact(back), pos, after, type(error)
        return exact(back), pos, after


def difference(ours: ModuleType, theirs: ModuleType, seed: int, number: int) -> list[str] | None:
    """The steps after which two bodies differ in the case of this number, or None."""
    rng = random.Random(f"bodies {seed}/{number}")
    text = generator.value(rng, 4, rng.choice([0.0, 0.05, 0.2]))
    text = text[: rng.randrange(80)] if rng.random() < 0.7 else text
    options = rng.choice(OPTIONS)
    pair = [body.Machine(text, **options) for body in (ours, theirs)]
    history = [f"Machine({text!a}, **{options})"]
    stops = [machine.run(number % 2 == 0) for machine in pair]
    for _ in range(STEPS):
        if state(pair[0], stops[0]) != state(pair[1], stops[1]):
            return history
        if pair[0].phase == "end":
            return None
        step = Step(rng)
        if step.name in ("extend", "feed") and stops[0] not in ("starved", ""):
            continue
        history.append(str(step))
        given = [step.take(machine) for machine in pair]
        if given[0] != given[1]:
            return history
        stops = given if step.name in ("run", "feed") else [None, None]
    return None


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.bodies", description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=100_000, help="cases to try (default %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="which cases (default %(default)s)")
    options = parser.parse_args(argv)
    checkout = os.path.dirname(TESTS)
    sys.path[:] = [*(path for path in sys.path if os.path.abspath(path) != checkout), checkout]
    theirs = importlib.import_module("jsonscan._machine_py")
    try:
        ours = importlib.import_module("jsonscan._machine")
    except ModuleNotFoundError:
        print("error: the jsonscan that is installed has no compiled body", file=sys.stderr)
        return 2
    began = time.monotonic()
    for number in range(options.count):
        found = difference(ours, theirs, options.seed, number)
        if found is not None:
            print(f"case {number} (seed {options.seed}) differs after:", *found, sep="\n    ")
            return 1
    print(f"{options.count:,} cases (seed {options.seed}), none differs; {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
