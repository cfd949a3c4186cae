"""Files of responses as a night's run leaves them: python -m tests.bench.rows 1000000 responses.jsonl [SEED]

About 250 bytes a row. Of 100 responses about 25 are bare JSON, 40 fenced with prose around, 10 in a line of prose, 6 behind reasoning,
8 in need of repair, 4 cut, 7 refusals. The same number and seed give the same file everywhere.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator

CITIES = ["Oslo", "Lima", "Kyoto", "Accra", "Quito", "São Paulo", "Zürich", "東京", "Cork", "Perth"]
WORDS = [
    "quiet",
    "kettle",
    "boils",
    "fast",
    "and",
    "fits",
    "under",
    "the",
    "tap",
    "but",
    "its",
    "lid",
    "is",
    "hard",
    "to",
    "open",
    "when",
    "wet",
    "or",
    "hot",
    "says",
    "one",
    "review",
]
BEFORE = [
    "Sure! Here is the JSON you asked for:",
    "Here you go:",
    "I read the review. This is what I found:",
    "Result below.",
]
BEHIND = ["Let me know if you need anything else!", "Anything else?", "", "The score is out of five."]
REFUSALS = [
    "I'm sorry, but I can't help with that.",
    "There is no review in the text you sent.",
    "As a language model, I have no opinion.",
]


def document(rng: random.Random) -> str:
    """One answer, as a model lays it out."""
    value = {
        "city": rng.choice(CITIES),
        "score": rng.randrange(50) / 10,
        "tags": rng.sample(WORDS, rng.randrange(1, 4)),
        "stock": rng.random() < 0.5,
        "note": " ".join(rng.choices(WORDS, k=rng.randrange(6, 16))),
    }
    return json.dumps(value, ensure_ascii=False, indent=rng.choice([None, None, 2]))


def response(rng: random.Random) -> str:
    """One response of any kind."""
    kind, text = rng.randrange(100), document(rng)
    if kind < 25:
        return text
    if kind < 65:
        return f"{rng.choice(BEFORE)}\n\n```json\n{text}\n```\n{rng.choice(BEHIND)}"
    if kind < 75:
        return f"{rng.choice(BEFORE)} {text} {rng.choice(BEHIND)}"
    if kind < 81:
        return f"<think>The user wants {' '.join(rng.choices(WORDS, k=8))}.</think>\n{text}"
    if kind < 84:
        return text.replace('"tags": [', '"tags": [ // words\n')
    if kind < 87:
        return f"```json\n{text.replace(']', ',]')}\n```"
    if kind < 89:
        return text.replace("true", "True").replace("false", "False")
    if kind < 93:
        return f"```json\n{text[: rng.randrange(10, len(text) - 5)]}"
    return f"{rng.choice(REFUSALS)} {' '.join(rng.choices(WORDS, k=25))}"


def lines(number: int, seed: int = 1) -> Iterator[str]:
    """Yield the lines of a file of so many rows."""
    rng = random.Random(seed)
    for at in range(number):
        yield json.dumps({"id": at, "model": "m-1", "response": response(rng)}, ensure_ascii=at % 2 == 0) + "\n"


def main(number: str, path: str, seed: str = "1") -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(lines(int(number), int(seed)))


if __name__ == "__main__":
    main(*sys.argv[1:])
