"""Inputs made up: pieces of what language models write, and corpus inputs damaged a little. The same seed, the same inputs."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence

FENCE = "```"
SPACES = "\t\n\v\f\r \xa0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
NO_SPACES = "\x1c\x1d\x1e\x1f\x85\u180e\u200b\u2060"
TAGS = (
    "json",
    "yaml",
    "js",
    "javascript",
    "typescript",
    "dart",
    "JSON",
    "Js",
    "j\u017fon",
    "python",
    "jso",
    "jsonl",
    "",
)
NUMBERS = (
    *("0", "-0", "1", "-1", "1.0", "1e2", "1E+2", "0.1", "1e400", "-1e400", "5e-324", "9007199254740993", "1" * 25),
    *("01", "1.", ".5", "+1", "NaN", "Infinity", "0x1F", "1e", "--1", "\u0661", "1_0"),
)
ESCAPES = (
    *('\\"', "\\\\", "\\/", "\\b", "\\n", "\\u0041", "\\ud83d\\ude00", "\\ud800", "\\udc00", "\\u00e9", "\\\ud800"),
    *("\\x41", "\\'", "\\u12", "\\U0041", "\\", "\\ud83d\ude00", "\\\n"),
)
PIECES = (
    *("{", "}", "[", "]", '"', "'", ",", ":", "\\", "`", FENCE, FENCE + "json\n", "\n" + FENCE, "~~~"),
    *(
        "{}",
        "[]",
        '{"a":1}',
        '{"a":"}"}',
        '{"a":"\\"}"}',
        "[1,2]",
        '{"b":[{}]}',
        "{x}",
        "{'a': 1}",
        '{"a":1,}',
        "[1, ]",
    ),
    *(
        "null",
        "true",
        "false",
        "nul",
        "True",
        '""',
        '"a"',
        "a",
        "the answer is ",
        "Here is the JSON:\n",
        "it's",
        "<think>",
    ),
    *(
        "\u00e9",
        "\U0001f600",
        "\u212a",
        "\u0130",
        "\ud83d",
        "\ude00",
        "\x00",
        "\x1f",
        "\x7f",
        "__proto__",
        "$i",
        "//",
        "/*",
    ),
)


class Inputs:
    """An endless source of inputs. ``seeds`` are texts to damage."""

    def __init__(self, seed: int, seeds: Sequence[str]) -> None:
        self.random = random.Random(seed)
        self.seeds = [text for text in seeds if len(text) <= 400]

    def __iter__(self) -> Iterator[str]:
        makers = (self.value, self.prose, self.soup, self.flood, self.fenced, self.damaged, self.damaged)
        while True:
            yield joined(self.random.choice(makers)())

    def spaces(self) -> str:
        return "".join(
            self.random.choices(SPACES if self.random.random() < 0.5 else " \n\t", k=self.random.choice((0, 0, 1, 2)))
        )

    def string(self) -> str:
        inner = "".join(
            self.random.choices((*ESCAPES[:11], *PIECES[:4], "a", "b", "\u00e9"), k=self.random.randrange(4))
        )
        return '"' + inner.replace('"', '\\"').replace('\\\\"', '\\"') + '"'

    def value(self, depth: int = 0) -> str:
        kind = self.random.randrange(7 if depth < 4 else 4)
        if kind == 0:
            return self.random.choice(NUMBERS)
        if kind == 1:
            return self.random.choice(("null", "true", "false"))
        if kind <= 3:
            return self.string()
        count = self.random.randrange(4)
        if kind == 4:
            items = [self.value(depth + 1) for _ in range(count)]
            return "[" + self.spaces() + ("," + self.spaces()).join(items) + self.spaces() + "]"
        names = [self.random.choice((self.string(), '"a"', '"b"', '"1"', '"10"', '"__proto__"')) for _ in range(count)]
        members = [name + self.spaces() + ":" + self.spaces() + self.value(depth + 1) for name in names]
        return "{" + self.spaces() + ",".join(members) + self.spaces() + "}"

    def prose(self) -> str:
        parts = [self.random.choice(PIECES) for _ in range(self.random.randrange(4))]
        parts.insert(self.random.randrange(len(parts) + 1), self.value())
        return self.spaces().join(parts)

    def soup(self) -> str:
        choices = PIECES + ESCAPES + NUMBERS + tuple(SPACES) + tuple(NO_SPACES)
        return "".join(self.random.choices(choices, k=self.random.randrange(1, 14)))

    def flood(self) -> str:
        unit = self.random.choice(("{", "{}x", '"{" ', "{x}", "[", '{"a":', "'", ",", "}", FENCE, "\\", "{ "))
        return unit * self.random.choice((2, 10, 48, 49, 50, 51, 52, 200)) + self.value()

    def fenced(self) -> str:
        before, after = ("".join(self.random.choices(PIECES, k=self.random.randrange(2))) for _ in range(2))
        space = self.random.choice((self.spaces(), self.random.choice(NO_SPACES), "\n"))
        close = self.random.choice((FENCE, FENCE, FENCE, "``", "", FENCE + "`"))
        return before + FENCE + self.random.choice(TAGS) + space + self.value() + self.spaces() + close + after

    def damaged(self) -> str:
        text = list(self.random.choice(self.seeds)) if self.seeds else list(self.prose())
        for _ in range(self.random.randrange(1, 4)):
            at = self.random.randrange(len(text) + 1)
            upto = min(len(text), at + self.random.choice((0, 1, 1, 2, 5)))
            kind = self.random.randrange(4)
            if kind == 0:
                del text[at:upto]
            elif kind == 1:
                text[at:at] = self.random.choice(PIECES + ESCAPES + tuple(SPACES + NO_SPACES))
            elif kind == 2:
                text[at:upto] = self.random.choice(PIECES)
            else:
                text[at:at] = text[at:upto]
        return "".join(text)


def joined(text: str) -> str:
    """The text with lead and trail surrogates that met made one character, as everywhere in the runner."""
    return text if text.isascii() else text.encode("utf-16-be", "surrogatepass").decode("utf-16-be", "surrogatepass")


def request_input(text: str) -> dict[str, str]:
    """The corpus's form of an input."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return {"utf16": text.encode("utf-16-be", "surrogatepass").hex()}
    return {"text": text}


def in_json(text: str) -> str:
    """A text as JSON, for people."""
    return json.dumps(request_input(text))
