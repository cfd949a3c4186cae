"""A differential fuzzer of repair: both builds on damaged documents, down to the last edit.

    python -m tests.fuzz.repair --count 1000000 --total FILE

compares, for each text, value, log, fault, position, phase and place of a reading under every level, and what `loads` gives or raises.
`--from` and `--count` cut a seed's texts into chunks; `--total` names a file to which each chunk adds what it read, and prints the sum.
With `--valid` the texts are documents that are JSON, and what is compared is json's own value: nothing may be edited, under no options.
Exit status: 0 none differs, 1 one does (it is printed), 2 there is no compiled build.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import random
import sys
import time
from types import ModuleType
from typing import Any

from . import generator

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DOCUMENTS = [
    '{"name": "Ann", "tags": ["a", "b c"], "n": 1.5, "ok": true, "sub": {"x": null, "y": [1, [2], {"z": "q\\n\\u00e9"}]}}',
    "{'a': 'b', c: True, // x\n d: [1,2,], }",
    '{\n  "a": "x",\n  "b": "y"\n  "c": [\n    "p",\n    "q"\n  ]\n}',
    '["He said "hi" there, ok", "b", {"c": "Sea "birds" nest early, mostly", "d": "x "y" z"}]',
    '{"p": "C:\\new\\data", "r": "\\d+", "s": "it\\\'s"}',
    '{"a": (1, 2), "b": datetime(2020, 1), "c": "x" + "y", "d": ObjectId("1")}',
    '{\\"a\\": \\"b\\", \\"c\\": [1]}',
    '{""a"": ""b""}',
    "{&quot;a&quot;: 1}",
    '[1 2 3, {"a": 1; "b" = 2}]',
    '{"a": 5 mg, "b": 1,000, "c": 0.3.7, "d": +1, "e": 71_350}',
    '{"long": "no end, "c": [1, 2}, "d": "01:31}\n}',
    "Sure:\n```json\n{'a': 1,}\n```",
]
BITS = [
    *"\"'{}[],:\\\n #10-+_“”‘`()…;=，：▁\xa0\t\x00é😀", "\ud83d", "//", "/*", "*/", "True", "None", "null", "NaN", ".5", "e5", "a", "b c",
    "f(", "...", "=>", "&quot;", '\\"', "\\n", "\\u", "\\d", "\\u00e9", "**", "- ", '""', '"""', "'''", "b'", '"k":', '"k": "v"', "k: ",
    'x"', '", ', '", "', '": "', "5 mg", "1/3", "1,000", "```", "{}", "[]", '""]', '+ "x"',
]  # fmt: skip


def damaged(seed: int, number: int) -> str:
    """The text of this number under this seed."""
    rng = random.Random(f"repair {seed}/{number}")
    text = rng.choice(DOCUMENTS) if rng.random() < 0.8 else generator.value(rng, 4, 0.05)[:400]
    for _ in range(rng.randrange(5)):
        at, gone = rng.randrange(len(text) + 1), rng.choice([0, 0, 1, 2, 3])
        text = text[:at] + rng.choice(["", *BITS]) + text[at + gone :]
    return text[: rng.randrange(len(text) + 1)] if rng.random() < 0.2 else text


HAZARDS = [
    "", "a", "é😀", "</think>", "<answer>", "```", "```json\n{}\n```", '{"x": 1}', "[1]", 'a "b" c', "C:\\temp", "line\nbreak", "it's",
    "//x", "/* y */", "# z", "True", "NaN", "'", "\u2028", "\ud800", "draft:", "\x00", "\\u0041", "&quot;", '\\"', '""', "“q”", "，", "...",
    "null", "$schema", "properties",
]  # fmt: skip
READINGS = [
    {}, {"repair": "full", "truncated": "keep"}, {"select": "sole", "duplicate_keys": "raise"}, {"repair": "off", "nonfinite": "null"},
    {"repair": "full", "nonfinite": "allow", "select": "last"},
]  # fmt: skip


def valid(seed: int, number: int) -> str:
    """The document of this number under this seed: a value with all in it that means something elsewhere, written in one of json's ways."""
    rng = random.Random(f"valid {seed}/{number}")

    def text() -> str:
        return rng.choice(HAZARDS) + rng.choice(["", "", *HAZARDS])

    def value(depth: int) -> Any:
        kind = rng.random() if depth else 0
        if kind < 0.35:
            number = rng.choice([rng.randint(-(10 ** rng.randint(1, 25)), 10**20), rng.random() * 10 ** rng.randint(-9, 9), -0.0])
            return rng.choice([None, True, False, number, text(), text()])
        if kind < 0.65:
            return [value(depth - 1) for _ in range(rng.randrange(5))]
        return {text(): value(depth - 1) for _ in range(rng.randrange(5))}

    written = json.dumps(
        value(4), ensure_ascii=rng.random() < 0.5, indent=rng.choice([None, None, 1, "\t"]),
        separators=rng.choice([None, (",", ":"), (" , ", " : ")]))  # fmt: skip
    return rng.choice(["", " ", "\n"]) + written + rng.choice(["", "\n"])


def unlike_json(package: ModuleType, text: str) -> list[Any]:
    """The readings of a valid document that edit it, or give another value than json."""
    value = json.dumps(json.loads(text))
    found = []
    for asked in READINGS:
        scanner = package.compile(expect="any", **asked)
        match, made = scanner.search(text), scanner.repair(text)
        given = [match.value, made.value, scanner.loads(text), *scanner.findall(text)]
        if match.repairs or made.changed or made.text != text or not match.complete or {*map(json.dumps, given)} != {value}:
            found.append((asked, match, made))
    return found


def said(package: ModuleType, text: str) -> list[Any]:
    """All that a build says about a text, in a form that compares."""
    repairs = importlib.import_module(f"{package.__name__}.repairs")
    options, found = package.Options(), []
    for level in ("off", "safe", "full"):
        reading = repairs.read(text, 0, len(text), options, level)
        log = [(each.code, each.start, each.end, each.inserted, each.path, each.risk) for each in reading.repairs]
        found.append((level, reading.stop, repr(reading.value), reading.start, reading.end, log, reading.fault, reading.fault_pos,
                      reading.phase, reading.path, reading.safe))  # fmt: skip
    for asked in ({}, {"repair": "full", "truncated": "keep", "expect": "any"}):
        try:
            found.append(repr(package.loads(text, **asked)))
        except package.JSONScanError as error:
            found.append((type(error).__name__, error.code, error.pos, str(error)))
    return found


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.repair", description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=20_000, help="texts to try (default %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="which texts (default %(default)s)")
    parser.add_argument("--from", type=int, default=0, dest="first", help="number of the first text (default %(default)s)")
    parser.add_argument("--valid", action="store_true", help="valid documents, which nothing may edit")
    parser.add_argument("--total", metavar="FILE", help="a file of the chunks that were read without a difference")
    options = parser.parse_args(argv)
    checkout = os.path.dirname(TESTS)
    sys.path[:] = [TESTS, *(path for path in sys.path if os.path.abspath(path) != checkout), checkout]
    from builds import BUILDS, package_of

    if "compiled" not in BUILDS:
        print("error: the jsonscan that is installed is the pure build", file=sys.stderr)
        return 2
    compiled, pure = package_of("compiled"), package_of("pure")
    began = time.monotonic()
    for number in range(options.first, options.first + options.count):
        if options.valid:
            text = valid(options.seed, number)
            if unlike := [*unlike_json(compiled, text), *unlike_json(pure, text)]:
                print(f"document {number} (seed {options.seed}) is edited, or has another value: {text!a}\n    {unlike!a}")
                return 1
            continue
        text = damaged(options.seed, number)
        ours, theirs = said(compiled, text), said(pure, text)
        if ours != theirs:
            print(f"text {number} (seed {options.seed}) is read differently: {text!a}")
            for one, other in zip(ours, theirs, strict=True):
                if one != other:
                    print(f"    compiled  {one!a}\n    pure      {other!a}")
            return 1
    what = ("valid documents", "edited, all have json's value") if options.valid else ("damaged texts", "read differently")
    print(f"{options.count:,} {what[0]} (seed {options.seed}), none is {what[1]}; {time.monotonic() - began:.0f} s")
    if options.total:
        with open(options.total, "a+", encoding="ascii") as file:
            file.write(f"{options.seed} {options.first} {options.count}\n")
            file.seek(0)
            chunks = {tuple(map(int, line.split())) for line in file}
        print(f"{sum(count for _, _, count in chunks):,} in all, in {len(chunks)} chunks")
    return 0


if __name__ == "__main__":
    sys.exit(main())
