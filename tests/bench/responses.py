"""Responses as models write them: prose, and in it a fenced and indented document."""

from __future__ import annotations

import json
import random
import textwrap

# Whole responses, in UTF-16 units. The largest is just below the 262,144 that the original searches.
SIZES = {"0.5 KB": 512, "4 KB": 4096, "32 KB": 32_768, "252 KB": 258_048}

WORDS = {
    alphabet: words.split()
    for alphabet, words in {
        "ASCII": "request total customer shipping notes the order was placed on review and is ready for pickup by agent",
        "Latin-1": "requête client commande était prête après façade déjà élevé für Größe über señor niño año là où ça",
        "CJK": "注文 顧客 配送 备注 订单 已经 准备 完成 由于 天气 延迟 明日 東京 大阪 確認 請求書 合計 数量",
        "emoji": "order 🚚 shipped ✅ customer 🎉 happy 😀 review 👍 late 😢 total 💶 agent 🤖 done note 📦 pickup ok",
    }.items()
}


def response(alphabet: str, units: int) -> tuple[str, str]:
    """A response of exactly so many UTF-16 units, and the document in it."""
    rng = random.Random(f"{alphabet} {units}")
    before = f"Here is the {sentence(rng, alphabet, 6)} you asked for:\n\n```json\n"
    after = "\n```\n\nLet me know if anything is missing"
    head, tail = '{\n  "items": [\n', "\n  ]\n}"
    room = units - length(before + head + tail + after)
    items: list[str] = []
    while True:
        item = textwrap.indent(json.dumps(record(rng, alphabet), indent=2, ensure_ascii=False), "    ")
        if length(item) + 2 > room:
            break
        room -= length(item) + (2 if items else 0)
        items.append(item)
    document = head + ",\n".join(items) + tail
    return before + document + after + "." * room, document


def length(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def sentence(rng: random.Random, alphabet: str, words: int) -> str:
    return " ".join(rng.choice(WORDS[alphabet]) for _ in range(words))


def record(rng: random.Random, alphabet: str) -> dict[str, object]:
    return {
        "id": rng.randrange(10**6),
        "name": sentence(rng, alphabet, 2),
        "active": rng.random() < 0.7,
        "score": round(rng.random() * 100, 2),
        "tags": [rng.choice(WORDS[alphabet]) for _ in range(rng.randrange(4))],
        "note": sentence(rng, alphabet, rng.randrange(4, 14)),
        "parent": None,
    }
