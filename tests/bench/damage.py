"""Documents of about 4 KB, and the same damaged as models damage them: seeded, and always with one value that was meant."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from typing import Any

from .responses import record

ITEMS = 16
FEW = 3
Damage = tuple[str, Callable[[re.Match[str]], str]]

# What is looked for in the indented document, and what becomes of it.
DAMAGES: dict[str, Damage] = {
    "trailing commas": (r"(?<=[\w\"\]}])\n(?= *[\]}])", lambda found: ",\n"),
    "missing commas": (r",\n(?= *\")", lambda found: "\n"),
    "single quotes": (r'"[^"\\\n]*"(?=[,\n])', lambda found: f"'{found[0][1:-1]}'"),
    "bare keys": (r'"(\w+)":', lambda found: f"{found[1]}:"),
    "literals": (r"\b(true|false|null)\b", lambda found: {"true": "True", "false": "False", "null": "None"}[found[0]]),
    "comments": (r",\n", lambda found: ", // as agreed\n"),
    "raw newlines": (r'(?<=": ")(\w+) (?=\w+ \w+ \w+)', lambda found: f"{found[1]}\n"),
    "inner quotes": (r'(?<=": ")(\w+) (\w+) (\w+) (?=\w+ \w+)', lambda found: f'{found[1]} "{found[2]}" {found[3]} '),
}
IN_STRINGS = ("raw newlines", "inner quotes")  # these change the value: what was broken is what was meant


def document(seed: int) -> str:
    """A clean document."""
    rng = random.Random(seed)
    return json.dumps({"items": [record(rng, "ASCII") for _ in range(ITEMS)]}, indent=2)


def damaged(clean: str, kind: str, throughout: bool) -> tuple[str, Any]:
    """The document with a few damages of one kind, or with one wherever there can be, and the value that was meant."""
    pattern, change = DAMAGES[kind]
    places = list(re.finditer(pattern, clean))
    if not throughout:
        places = sorted(random.Random(kind).sample(places, FEW), key=re.Match.start)
    text = replaced(clean, places, change)
    well = replaced(clean, places, lambda found: json.dumps(change(found))[1:-1]) if kind in IN_STRINGS else clean
    return text, json.loads(well)


def replaced(text: str, places: list[re.Match[str]], change: Callable[[re.Match[str]], str]) -> str:
    parts, at = [], 0
    for found in places:
        parts += [text[at : found.start()], change(found)]
        at = found.end()
    return "".join(parts) + text[at:]


def truncated(clean: str) -> tuple[str, Any]:
    """The document up to the end of its last item but one, and the value so far."""
    return clean[: clean.rindex("},") + 1], {"items": json.loads(clean)["items"][:-1]}
