"""Twenty documents of the kinds that models send, made anew each time and always the same."""

from __future__ import annotations

import json
import random


def _split(words: str) -> list[str]:
    return words.split()


_WORDS = _split("the report shows steady growth in all regions but one where demand fell after spring and prices rose again")
_CJK = _split("模型 输出 的 结果 需要 人工 检查 東京 大阪 注文 番号 配送 状況 確認 완료 되었습니다")
_EMOJI = ["😀", "👩‍💻", "🇯🇵", "❤️", "🚀"]
_ESCAPED = ['say "so"', "C:\\dir\\new", "tab\tand\nline", "\u0001\u001f", "a/b", "\u2028", "\\u0041", 'end\\"', "𝒳 and \ud7ff"]
_NUMBERS = [0, -1, 17, 12345678901234567890, 0.5, -2.75, 1e-7, 6.02e23, 1.0, -0.0]


def _words(rng: random.Random, most: int, words: list[str] = _WORDS) -> str:
    return " ".join(rng.choice(words) for _ in range(rng.randrange(1, most)))


def _tool_call(rng: random.Random) -> object:
    arguments = {"query": _words(rng, 8), "limit": rng.randrange(100), "filters": {"lang": ["en", "ja"], "since": None, "exact": True}}
    function = {"name": "search_docs", "arguments": json.dumps(arguments)}
    return {"id": f"call_{rng.randrange(10**8)}", "type": "function", "function": function, "parsed": arguments}


def _verdict(rng: random.Random) -> object:
    return {"verdict": rng.choice(["pass", "fail"]), "score": rng.randrange(11) / 2, "reasons": [_words(rng, 12) for _ in range(3)],
            "flags": {"unsafe": False, "off_topic": True, "note": None}, "tags": [], "extra": {}}  # fmt: skip


def _config(rng: random.Random) -> object:
    node: object = {"leaf": _words(rng, 4), "on": True}
    for level in range(9):
        node = {f"level-{level}": [node, {"n": level, "": ""}], "k": rng.choice(_NUMBERS)}
    return node


def _chinese(rng: random.Random) -> object:
    return {"标题": _words(rng, 6, _CJK), "段落": [_words(rng, 9, _CJK) for _ in range(4)], "数量": rng.randrange(999)}


def _emoji(rng: random.Random) -> object:
    return [{"reaction": rng.choice(_EMOJI), "text": f"{rng.choice(_EMOJI)} {_words(rng, 4)} {rng.choice(_EMOJI)}"} for _ in range(4)]


def _escapes(rng: random.Random) -> object:
    return {f"{each} {at}": [each, rng.choice(_ESCAPED)] for at, each in enumerate(_ESCAPED)}


def _numbers(rng: random.Random) -> object:
    return [rng.sample(_NUMBERS, 5), {"all": _NUMBERS, "mixed": [1, "1", None, [True], [False, []]]}]


_MAKERS = [_tool_call, _verdict, _config, _chinese, _emoji, _escapes, _numbers]


def documents() -> list[str]:
    """Twenty texts: each kind laid out in one line and in many, and with escapes instead of what is not ASCII."""
    rng, texts = random.Random("documents"), []
    for number in range(20):
        value = _MAKERS[number % len(_MAKERS)](rng)
        texts.append(json.dumps(value, indent=[None, 2, 1][number // len(_MAKERS)], ensure_ascii=number // len(_MAKERS) == 1))
    return texts
