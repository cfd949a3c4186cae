"""Texts that cost more than their length: fragments put together at random as a + b * n + c, and read at several lengths.

    python -m tests.fuzz.linear [--seed N] [--count N | --seconds S] [--build pure]

Each text is read in some ways, chosen at random too: an entry point, a build, and options (the tables below). A text four times as long may
take STEEP times as much for each character; what takes more is tried again four times as long, and printed if it grows on. Steps are those
that the machine counts, so they repeat. Time is this process's own, and sees what nobody counts: regular expressions, copies.

Exit status: 0 nothing grows, 1 something does.
"""

from __future__ import annotations

import argparse
import importlib
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parent.parent))

from builds import BUILDS, package_of

TOKENS = [
    *"{}[]():,;=\"'`\n \\/#+-._*<>|&$@~!1a x", '"a"', '"a": ', '"a": 1', '"x"', '{"a": ', '{"a": 1}', '{"a": "',
    "{'a': '", "'a'", '["', '["a", ', "[1, ", "{a: ", '", "', '",', "',", '"}', '"]', '": "', '\\"', '""', "\\\\", "\\u",
    "\\ud83d", "\\n", "// ", "/* ", "*/", "# ", "```", "```json\n", "```json ", "~~~\n", "\n\n", "\r\n", "<think>",
    "</think>", "<answer>", "</answer>", "<|channel|>final<|message|>", "<a>", "</a>", "[THINK]", "[/THINK]", "&quot;",
    "&amp;", "„", "“", "”", "’", "«", "»", "「", "，", "：", "｛", "】", "…", "...", "\ufeff", "\u200b", "\u3000", "\x00",
    "é", "😀", "True", "None", "null", "tru", "NaN", "-", "1_000", "1,5", "0x1F", "1e", "007", "+1", ".5", "b'", 'r"',
    '"""', "'''", "f(", "new Date(", "(1, ", "x y", "word ", "** ", "- ", "=> ", "const x = ", "return ", "json: ",
    "key: ", "a.b", "https://x.y/z", "Final: ", "Example: ", ", ...", "…,", '"a" "b"', '"a" + ', '{"$schema": 1}', "{}",
    "[]", "[1]", "{x}", '{""', "{{", "}}", '"b": ', ",\n", "{\n", "1 x", '"x y" z',
]  # fmt: skip
FULL: dict[str, Any] = {"repair": "full", "truncated": "keep", "expect": "any"}
LEVELS: dict[str, dict[str, Any]] = {
    "default": {}, "full": FULL, "full, object": {"repair": "full"}, "off": {"repair": "off"}, "sole": {"select": "sole", "expect": "any"},
    "largest": {"select": "largest", "nonfinite": "null", "duplicate_keys": "first"}, "no limits": {},
    "full, duplicates": {**FULL, "duplicate_keys": "raise"},
}  # fmt: skip


def fed(js: Any, text: str, width: int, read: bool, **options: Any) -> None:
    stream = js.Stream(**options)
    for at in range(0, len(text), width):
        stream.feed(text[at : at + width])
        if read:
            stream.delta(append=True)
    stream.close()


ENTRIES: dict[str, Callable[..., Any]] = {
    "loads": lambda js, text, **options: js.loads(text, **options),
    "findall": lambda js, text, **options: [each.repairs for each in js.finditer(text, **options)],
    "fragments": lambda js, text, **options: js.findall(text, fragments=True, **options),
    "repair": lambda js, text, **options: js.repair(text, **options),
    "Stream": lambda js, text, **options: fed(js, text, 9, False, **options),
    "Stream, delta": lambda js, text, **options: fed(js, text, 64, True, **options),
    "iter_items": lambda js, text, **options: list(js.iter_items([text[at : at + 99] for at in range(0, len(text), 99)], **options)),
    "extract_json": lambda js, text: js.extract_json(text),
    "extract_json_object": lambda js, text: js.extract_json_object(text),
}
WAYS = 8  # in which each text is read
FIRST, LONGER, LONGEST = 1_500, 6_000, 24_000
STEEP = 1.8  # a quadratic one takes four times as much


def cost(js: Any, entry: str, options: dict[str, Any], text: str) -> tuple[float, float]:
    """Steps and microseconds for each character."""
    machine = importlib.import_module(f"{js.__name__}.machine")
    before, since = machine.steps(), time.process_time()
    try:
        ENTRIES[entry](js, text, **options)
    except (js.JSONScanError, RecursionError):
        pass
    return (machine.steps() - before) / len(text), (time.process_time() - since) * 1e6 / len(text)


def grown(js: Any, entry: str, options: dict[str, Any], parts: tuple[str, str, str]) -> str:
    """What grows too much, and how; "" if nothing does."""
    texts = [parts[0] + parts[1] * (size // len(parts[1])) + parts[2] for size in (FIRST, LONGER, LONGEST)]
    few, many = (cost(js, entry, options, text) for text in texts[:2])
    counted = many[0] > STEEP * few[0] + 1
    if not counted and not (many[1] > STEEP * few[1] and many[1] > 2):
        return ""
    most = cost(js, entry, options, texts[2])
    if counted and most[0] > STEEP * many[0]:
        return f"steps for each character: {few[0]:.1f}, {many[0]:.1f}, {most[0]:.1f}"
    if most[1] > STEEP * many[1]:  # the clock may have been at fault: the best of three
        few, many, most = (min((cost(js, entry, options, text) for _ in range(3)), key=lambda each: each[1]) for text in texts)
        if most[1] > STEEP * many[1]:
            return f"microseconds for each character: {few[1]:.2f}, {many[1]:.2f}, {most[1]:.2f}"
    return ""


def composed(chance: random.Random) -> tuple[str, str, str]:
    def some(least: int, most: int) -> str:
        return "".join(chance.choice(TOKENS) for _ in range(chance.randint(least, most)))

    return some(0, 3), some(1, chance.choice((2, 4, 8))), some(0, 2)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.linear", description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=200, help="texts (default %(default)s)")
    parser.add_argument("--seconds", type=float, help="as many texts as that takes")
    parser.add_argument("--build", choices=BUILDS, action="append")
    chosen = parser.parse_args()
    chance, found, tried = random.Random(chosen.seed), 0, 0
    ways = [(build, entry, level) for build in chosen.build or BUILDS for entry in ENTRIES for level in LEVELS
            if level == "default" or not entry.startswith("extract")]  # fmt: skip
    ends = time.monotonic() + (chosen.seconds or 1e9)
    while (tried < chosen.count or chosen.seconds) and time.monotonic() < ends:
        parts = composed(chance)
        tried += 1
        for build, entry, level in chance.sample(ways, WAYS):
            js = package_of(build)
            options = dict(LEVELS[level])
            if level == "no limits":
                options["limits"] = js.Limits(max_depth=None, max_repairs=None, max_candidates=None)
            growth = grown(js, entry, options, parts)
            if growth:
                found += 1
                print(f"{build}, {entry}, {level}: {parts!r}: {growth}", flush=True)
    print(f"{tried} texts, {found} found (seed {chosen.seed})")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
