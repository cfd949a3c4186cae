"""Texts such as language models write, and worse: grammar-driven, then damaged. The same seed and number give the same text."""

from __future__ import annotations

import random
from collections.abc import Callable

JS_WHITE = "\t\n\v\f\r \u00a0\u1680\u2000\u2004\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
OTHER_BLANKS = "\x1c\x1d\x1e\x1f\x85\u180e\u200b\u200c\u2060\x00"
TAGS = ["json", "yaml", "js", "javascript", "typescript", "dart"]
STRANGE_TAGS = ["ts", "yml", "json5", "jsonc", "jsonl", "JSON", "Json", "jSoN", "YAML", "JS", "Dart", "j\u017fon", "python",
                "javascr\u0131pt", "JAVASCR\u0130PT", "\u212a", "jso", "jsonjson", "java", " json", "{.json}", "typescriptx"]  # fmt: skip
NUMBERS = ["0", "-0", "-0.0", "0e0", "-0e5", "1", "-1", "7", "42", "1.5", "0.1", "1e5", "1E+5", "1e-5", "1e400", "-1e400", "1e-400",
           "5e-324", "2e-324", "3e-324", "9007199254740991", "9007199254740993", "-9007199254740993", "12345678901234567890",
           "1.7976931348623157e308", "1.7976931348623159e308", "4.35", "2.2250738585072011e-308", "0.30000000000000004",
           "100000000000000000000000", "9223372036854775807", "9223372036854775808", "18446744073709551616"]  # fmt: skip
NO_NUMBERS = ["01", "-01", "00", "1.", ".5", "+1", "1e", "1e+", "-", "--1", "NaN", "Infinity", "-Infinity", "0x10", "1_000", "1n",
              "\u0661", "\uff11", "1.e1", "1,000", "- 1", "2024-01-05", "1.2.3"]  # fmt: skip
LITERALS = ["true", "false", "null"]
NO_LITERALS = ["True", "None", "undefined", "tru", "nul", "nulll", "TRUE", "t", "truefalse"]
ESCAPES = [r"\"", r"\\", r"\/", r"\b", r"\f", r"\n", r"\r", r"\t", r"\u0041", r"\u00e9", r"\u0000", r"\ud83d\ude00", r"\ud83d",
           r"\ude00", r"\uD800", r"\udfff", r"\u2028", r"\uFEFF", r"\u0022", r"\u005c", r"\u0027"]  # fmt: skip
NO_ESCAPES = [r"\'", r"\x41", r"\u12", r"\u00G0", r"\U0041", r"\u{41}", r"\0", "\\\n", r"\ ", "\\", r"\u", r"\ud83d\u", r"\ud83d\x",
              "\\\u4e2d", "\\\U0001f600"]  # fmt: skip
CHUNKS = ["a", "key", "value", " ", "é", "ÿ", "中", "日本", "😀", "\U00010000", "\U0010ffff", "\ud83d", "\ude00", "\ud800", "\udfff",
          "{", "}", "[", "]", "{}", "[]", '{"a":1}', ",", ":", "'", "it's", "`", "```", "```json", "//", "/*", "#", "x, }", "1, ]",
          "-0", " -0 ", "2024-01-05", "\u2028", "\x7f", "\x80", "http://x", "<think>", "\ufeff", "\\\\"]  # fmt: skip
RAW_CONTROLS = ["\n", "\t", "\r", "\x00", "\x1f", "\x0b"]
PROSE = ["Here is the JSON:", "Sure!", "I think ", "{name}", "{", "}", "[1]", "[x]", "[", "]", "(see [2])", '"quoted', "it's", "\n\n",
         "- item\n", "$\\frac{1}{2}$", "<think>", "</think>", "{}", "`code`", "``", "```", "~~~", "用 {json} 回答", "😀", "\ud83d",
         "\\{", "\\", '"{"', "{{", "}}", "Note: \"{a}\"", "{x}", "{'a': 1}", "\x1b[0m", "null", "5", ",", "'", "\u201c"]  # fmt: skip
KEYS = ["a", "b", "key", "", "1", "2", "01", "4294967294", "4294967295", "__proto__", "constructor", "é", "中", "😀", r"\u0061",
        r"\ud83d\ude00", r"\n", "-0", "a b", "toString", "\ud83d", r"\ud83d", "{", "x\\\\", "length"]  # fmt: skip
ALPHABET = "{}[]\",:'\\` \n\t0123456789-+.eEabtruefalsn/u" + "é中😀\ud83d\ude00\u00a0\ufeff\u2028\x1c\x85\x00"
MAX_UNITS = 262_144


def text(seed: int, number: int) -> str:
    """The text of this number under this seed. Surrogate pairs in it are one character, as in any text that was decoded."""
    made = _text(random.Random(f"{seed}/{number}"))
    return made.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _text(rng: random.Random) -> str:
    draw = rng.random()
    if draw < 0.0004:
        return at_the_bound(rng)
    if draw < 0.00042:
        return _deep(rng, 1_000_000)
    if draw < 0.002:
        return _deep(rng, rng.randrange(900, 30_000))
    made = rng.choices(_KINDS, _WEIGHTS)[0](rng)
    while rng.random() < 0.35:
        made = _mutated(rng, made)
    return made


def _repeat(rng: random.Random, pool: list[str], most: int) -> str:
    return "".join(rng.choice(pool) for _ in range(rng.randrange(most)))


def _blank(rng: random.Random) -> str:
    draw = rng.random()
    if draw < 0.6:
        return ""
    if draw < 0.97:
        return _repeat(rng, [" ", "\n", "\t", "\r", "  "], 4)
    return rng.choice(JS_WHITE + OTHER_BLANKS)


def _string(rng: random.Random, wild: float) -> str:
    quote = "'" if rng.random() < wild else '"'
    parts = []
    for _ in range(rng.randrange(5)):
        draw = rng.random()
        if draw < 0.3:
            parts.append(rng.choice(ESCAPES))
        elif draw < 0.3 + wild:
            parts.append(rng.choice(NO_ESCAPES + RAW_CONTROLS))
        else:
            parts.append(rng.choice(CHUNKS))
    inner = "".join(parts)
    if quote == '"' and rng.random() >= wild:
        inner = inner.replace('"', '\\"').replace('\\\\"', '\\"')
    return quote + inner + ("" if rng.random() < wild / 4 else quote)


def _scalar(rng: random.Random, wild: float) -> str:
    draw = rng.random()
    if draw < 0.4:
        return _string(rng, wild)
    if draw < 0.7:
        if rng.random() < 0.01:
            return rng.choice(["", "-"]) + "9" * rng.choice([16, 309, 640, 4299, 4300, 4301, 5000])
        return rng.choice(NO_NUMBERS if rng.random() < wild else NUMBERS)
    return rng.choice(NO_LITERALS if rng.random() < wild else LITERALS)


def value(rng: random.Random, depth: int = 4, wild: float = 0.0) -> str:
    """A JSON value; with `wild`, each choice may with that chance be one that JSON does not have."""
    if depth == 0 or rng.random() < 0.35:
        return _scalar(rng, wild)
    return container(rng, depth, wild)


def container(rng: random.Random, depth: int = 4, wild: float = 0.0) -> str:
    """The same, but an object or array."""
    blank = lambda: _blank(rng)  # noqa: E731
    items = []
    opener, closer = rng.choice(["{}", "{}", "[]"])
    for _ in range(rng.randrange(4)):
        item = blank() + value(rng, depth - 1, wild) + blank()
        if opener == "{":
            key = '"' + rng.choice(KEYS) + '"'
            if rng.random() < wild:
                key = rng.choice([key.replace('"', "'"), key.strip('"'), _scalar(rng, wild)])
            item = blank() + key + blank() + ("" if rng.random() < wild / 4 else ":") + item
        items.append(item)
    comma = "" if rng.random() < wild / 4 else ","
    trailing = ""
    if rng.random() < wild:
        trailing = "," + (rng.choice(JS_WHITE + OTHER_BLANKS) if rng.random() < 0.3 else blank())
    if rng.random() < wild / 4:
        closer = rng.choice(["", "}", "]", "}}", "]]"])
    return opener + comma.join(items) + (trailing or blank()) + closer


def _maybe_wild(rng: random.Random) -> float:
    return rng.choice([0.0, 0.0, 0.05, 0.2])


def _fenced(rng: random.Random) -> str:
    fence = rng.choice(["```"] * 8 + ["````", "``", "~~~", "``````"])
    tag = rng.choice(TAGS + STRANGE_TAGS + [""] * 6)
    after = rng.choice(["\n"] * 5 + ["", " ", "\r\n", *JS_WHITE, *OTHER_BLANKS])
    before = rng.choice(["\n"] * 5 + ["", " ", "\r\n", *JS_WHITE, *OTHER_BLANKS])
    inner = value(rng, 3, _maybe_wild(rng)) + rng.choice([""] * 6 + [" x", "\n{}", ",", "{"])
    close = rng.choice([fence] * 8 + ["", "``", "```x"])
    return fence + tag + after + inner + before + close


def _response(rng: random.Random) -> str:
    parts = []
    for _ in range(rng.randrange(1, 4)):
        parts.append(_repeat(rng, PROSE, 4))
        parts.append(rng.choice([_fenced, lambda r: container(r, 3, _maybe_wild(r)), lambda r: value(r, 2, 0.1)])(rng))
    return rng.choice(["", " ", "\n"]).join(parts) + _repeat(rng, PROSE, 3)


def _bare(rng: random.Random) -> str:
    return _blank(rng) + value(rng, 5, _maybe_wild(rng)) + _blank(rng)


def _near_json(rng: random.Random) -> str:
    return _repeat(rng, PROSE, 2) + container(rng, 4, rng.choice([0.05, 0.1, 0.3])) + _repeat(rng, PROSE, 2)


def _attempts(rng: random.Random) -> str:
    """About as many braces as the original tries, then an answer."""
    unit = rng.choice(["{", "{x}", '"{" ', "{{x}}", "{}}{", '{"a', '{"', "{'", '{"a":', "{[", '{"a":"{', "{\\", '{"k":{"j":[{'])
    times = max(0, rng.choice([48, 49, 50, 51]) // max(1, unit.count("{")) + rng.choice([0, 0, 0, 1, -1]))
    return unit * times + _repeat(rng, PROSE, 2) + container(rng, 2) + _repeat(rng, PROSE, 2)


def _soup(rng: random.Random) -> str:
    return "".join(rng.choice(ALPHABET) for _ in range(rng.randrange(40)))


def _previewed(rng: random.Random) -> str:
    """No answer, and an error message that cuts the text: around its 200 or 300 units stand pairs."""
    start = rng.choice(["", "{", "[", "{x", "no "])
    fill = rng.choice(["x", "😀", "中", "é😀", "\ud83d"])
    long = start + fill * rng.randrange(80, 320) + "x" * rng.randrange(3) + "😀" * rng.randrange(3)
    return long + rng.choice(["", "}", "]", '"'])


def at_the_bound(rng: random.Random) -> str:
    """Just below, at and just above the length that the original searches."""
    body = rng.choice([_response, _near_json, _attempts])(rng)
    filler = rng.choice([" ", "x", "中", "😀", "\n", "{", "[", "é"])
    room = MAX_UNITS + rng.choice([-1, 0, 1, 2]) - len(body.encode("utf-16-le", "surrogatepass")) // 2
    width = 2 if filler > "\uffff" else 1
    padding = filler * (room // width) + "y" * (room % width)
    return rng.choice([body + padding, padding + body])


def _deep(rng: random.Random, depth: int) -> str:
    opener, closer = rng.choice([("[", "]"), ('{"a":', "}"), ('[{"b":', "}]"), ("[1,", "]"), ("{'a':", "}"), ('["{",', "]")])
    inner = rng.choice(["1", "[]", "{}", "", "x", '"', "{"])
    lost = rng.choice([0, 0, 0, 1])
    made = opener * depth + inner + closer * (depth - lost)
    return rng.choice([made, f'{{"k":{made}}}', f"```\n{made}\n```", f"{{ {made}"])


def _mutated(rng: random.Random, made: str) -> str:
    at = rng.randrange(len(made) + 1)
    end = min(len(made), at + rng.choice([1, 1, 1, 2, 3, 10, 50]))
    draw = rng.randrange(7)
    if draw == 0:
        return made[:at] + made[end:]
    if draw == 1:
        return made[:at] + rng.choice(ALPHABET) + made[at:]
    if draw == 2:
        return made[:at] + rng.choice(ALPHABET) + made[at + 1 :]
    if draw == 3:
        return made[:end] + made[at:end] * rng.randrange(1, 4) + made[end:]
    if draw == 4:
        return made[:at]
    if draw == 5:
        to = rng.randrange(len(made) + 1)
        return made[:to] + made[at:end] + made[to:]
    return made[:at] + rng.choice(PROSE + CHUNKS + ESCAPES + NO_ESCAPES) + made[at:]


_KINDS: list[Callable[[random.Random], str]] = [_response, _bare, _near_json, _fenced, _attempts, _soup, _previewed]
_WEIGHTS = [6, 5, 6, 6, 2, 2, 0.3]
