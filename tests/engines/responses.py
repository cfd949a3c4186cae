"""Responses as a night's run leaves them: seeded, so that a table of any size can be made anew anywhere.

In every hundred: 24 bare values, 24 fenced ones, 24 in prose, 16 refusals, 6 to be mended, 3 cut off, 2 rows without a response, 1 with
reasoning before it. A tenth holds text beyond ASCII.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

WORDS = ["request", "total", "customer", "shipping", "notes", "the", "order", "was", "placed", "on", "review", "is", "ready", "for"]
BEYOND = ["façade", "élevé", "Größe", "niño", "注文", "顧客", "配送", "🚚", "✅", "😀"]
KINDS = ["bare"] * 24 + ["fence"] * 24 + ["prose"] * 24 + ["refusal"] * 16 + ["mended"] * 6 + ["cut"] * 3 + ["none"] * 2 + ["thought"]


def responses(count: int, seed: int = 7) -> Iterator[str | None]:
    """Yield so many responses, of about 240 bytes."""
    rng = random.Random(seed)
    for _ in range(count):
        yield response(rng)


def response(rng: random.Random) -> str | None:
    kind = rng.choice(KINDS)
    words = WORDS + BEYOND * 4 if rng.random() < 0.1 else WORDS
    if kind == "none":
        return None
    if kind == "refusal":
        return f"I am sorry, but I cannot help with that: {sentence(rng, words, 24)}."
    text = json.dumps(record(rng, words), indent=2 if kind == "fence" else None, ensure_ascii=False)
    if kind == "bare":
        return text
    if kind == "fence":
        return f"Here is the {sentence(rng, words, 5)}:\n\n```json\n{text}\n```\nLet me know if anything is missing."
    if kind == "prose":
        return f"The {sentence(rng, words, 6)}.\n{text}\nThat is the {sentence(rng, words, 4)}."
    if kind == "mended":
        return "```json\n" + text.replace("true", "True").replace("null", "None").replace("}", ",}") + "\n```"
    if kind == "cut":
        return text[: len(text) * 2 // 3]
    return f'<think>Perhaps {{"score": 0}}? The {sentence(rng, words, 6)}.</think>\n{text}'


def record(rng: random.Random, words: list[str]) -> dict[str, object]:
    return {
        "id": rng.randrange(10**6),
        "name": sentence(rng, words, 2),
        "active": rng.random() < 0.7,
        "score": round(rng.random() * 100, 2),
        "tags": [rng.choice(words) for _ in range(rng.randrange(4))],
        "note": sentence(rng, words, rng.randrange(4, 14)),
        "parent": None,
    }


def sentence(rng: random.Random, words: list[str], count: int) -> str:
    return " ".join(rng.choice(words) for _ in range(count))
