"""Mistakes that a type checker finds. Read by mypy --strict and by pyright, never run.

A line that is found no fault with is an error itself: mypy reports the unused `type: ignore`, and pyright the unnecessary one.
"""

from __future__ import annotations

import jsonscan
from jsonscan import Match, Options
from jsonscan.page import page

raw = "{}"

jsonscan.loads(3)  # type: ignore
jsonscan.loads(raw, expect="dict")  # type: ignore
jsonscan.loads(raw, repair="all")  # type: ignore
jsonscan.loads(raw, colour="red")  # type: ignore
jsonscan.loads(raw, "object")  # type: ignore
print(jsonscan.search(raw).value)  # type: ignore
jsonscan.search(raw, select=len)  # type: ignore
jsonscan.compile(limits=3)  # type: ignore
jsonscan.repair(raw, truncated=True)  # type: ignore
page(raw, expect="list")  # type: ignore
Options("object")  # type: ignore
narrower: Match[str] | None = jsonscan.search(raw, expect="object")  # type: ignore
number: int = jsonscan.loads(raw, expect="array")  # type: ignore
match = jsonscan.fullmatch(raw, expect="object")
assert match is not None
text: str = match.to(int)  # type: ignore
