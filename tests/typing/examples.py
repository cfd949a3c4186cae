"""What the types of the public functions are. Read by mypy --strict and by pyright, never run."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any

from hypothesis.strategies import SearchStrategy
from typing_extensions import assert_type

import jsonscan
from jsonscan import Limits, Match, Options, Repair, Repaired, Scanner, Stream
from jsonscan.page import page
from jsonscan.strategies import Response, responses

raw = '{"a": 1}'


@dataclass
class City:
    name: str


class Numbers:
    """As pydantic's TypeAdapter is."""

    def validate_python(self, value: Any, /, *, strict: bool | None = None) -> list[int]:
        return [int(each) for each in value]


def made(value: object) -> int:
    return len(str(value))


# The kind that is expected is the type of the value.
assert_type(jsonscan.loads(raw), Any)
assert_type(jsonscan.loads(raw, expect="any"), Any)
assert_type(jsonscan.loads(raw, expect="object"), dict[str, Any])
assert_type(jsonscan.loads(raw.encode(), expect="array", repair="full"), list[Any])
assert_type(jsonscan.search(raw), Match[Any] | None)
assert_type(jsonscan.search(raw, expect="object"), Match[dict[str, Any]] | None)
assert_type(jsonscan.fullmatch(raw, expect="array"), Match[list[Any]] | None)
assert_type(jsonscan.finditer(raw, expect="object"), Iterator[Match[dict[str, Any]]])
assert_type(jsonscan.findall(raw, expect="array", select="last"), list[list[Any]])
assert_type(jsonscan.compile(expect="object", limits=Limits(max_depth=10)), Scanner[dict[str, Any]])
assert_type(jsonscan.compile(expect="array").loads(raw), list[Any])
assert_type(jsonscan.compile().search(raw), Match[Any] | None)
assert_type(jsonscan.repair(raw), Repaired)
assert_type(jsonscan.repair(raw).repairs, tuple[Repair, ...])

# A match is generic, and covariant in its value.
match = jsonscan.search(raw, expect="object")
assert match is not None
assert_type(match.value, dict[str, Any])
assert_type(match.to(City), City)
assert_type(match.to(list[City]), list[City])
assert_type(match.to(Numbers()), list[int])
assert_type(match.to(made), int)
assert_type(match.span(), tuple[int, int])
assert_type(match.span_utf16, tuple[int, int])
assert_type(match.fence, str | None)
wider: Match[object] = match


# What chooses gets the matches and gives back one of them.
def choose(matches: Any) -> Match[Any] | None:
    return next(iter(matches), None)


assert_type(jsonscan.loads(raw, select=choose), Any)
assert_type(Options(expect="object").expect, "jsonscan.model.Expect")

# Errors.
try:
    jsonscan.loads(raw)
except jsonscan.TruncatedJSONError as error:
    assert_type(error.partial, Any)
    assert_type(error.path, str)
except jsonscan.AmbiguousJSONError as error:
    assert_type(error.matches, tuple[Match[Any], ...])
except jsonscan.JSONScanError as error:
    assert_type((error.code, error.pos, error.hint()), tuple[str, int, str])

# The originals, streaming, the page.
assert_type(jsonscan.extract_json_object(raw), str)
assert_type(jsonscan.extract_json(raw), Any)
assert_type(Stream(expect="object").feed(raw).feed(b"{}").close(), Match[Any] | None)
assert_type(page(raw, title="a response", expect="object", repair="full"), str)


async def pieces() -> AsyncIterator[str]:
    yield raw


async def watch() -> None:
    async for value in jsonscan.astream(pieces()):
        assert_type(value, Any)


# Strategies.
assert_type(responses(repairs=True), SearchStrategy[Response])
