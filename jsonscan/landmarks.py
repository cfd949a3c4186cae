"""What stands in the text around JSON: fences, tags and brackets, found in one pass and without regard to strings.

Nothing here reads JSON. A reader that gets past a landmark has thereby shown that it was inside a string (rule LAND-1 of
conformance/RULES.md); so landmarks are handed out one at a time, from any offset on. All of it is linear: fences are paired once when
first asked for, and what lies between two landmarks is looked at once.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Final

from .machine import count, mark
from .patterns import Pattern
from .records import NamedTuple

REASONING: Final = {
    "think", "thinking", "thought", "thoughts", "reason", "reasoning", "reasoning_content", "reflection", "reflect",
    "scratchpad", "scratch_pad", "analysis", "draft", "antthinking", "ant_thinking", "inner_thoughts",
    "inner_monologue", "monologue", "internal_monologue", "chain_of_thought", "cot", "deliberation", "think_silently",
    "seed:think", "begin_of_thought",
}  # fmt: skip
QUOTED: Final = {
    "example", "examples", "schema", "observation", "tool_response", "tool_result", "tool_results", "tool_output",
    "function_response", "function_result", "function_results",
}  # fmt: skip
ANSWER: Final = {
    "answer", "final_answer", "finalanswer", "final", "final_output", "final_json", "json", "json_output",
    "json_response", "output", "response", "result", "solution", "structured_output", "begin_of_solution", "verdict",
    "submission",
}  # fmt: skip
_JSON_FENCES: Final = {
    "json", "json5", "jsonc", "jsonl", "ndjson", "jsonlines", "hjson", "geojson", "json-ld", "jsonld",
    "application/json", "tool_call", "tool_use", "tool", "function_call", "action", "answer", "output", "response",
    "result", "final",
}  # fmt: skip
_TEXT_FENCES: Final = {
    "text", "txt", "plaintext", "plain", "markdown", "md", "console", "log", "xml", "html", "http",
}  # fmt: skip


_ROLES: Final = (("reasoning", REASONING), ("quoted", QUOTED), ("answer", ANSWER))


class Fence(NamedTuple):
    """A fence: from `start`, the offset of its first mark, to `after`, the one behind its last. Its content is `[content:end]`."""

    start: int
    content: int
    end: int
    after: int
    width: int
    info: str

    @property
    def is_json(self) -> bool:
        return self.info in _JSON_FENCES or not self.info

    @property
    def is_text(self) -> bool:
        return self.info in _TEXT_FENCES


class Tag(NamedTuple):
    """A tag at `[start:end]`; `role` is "reasoning", "quoted", "answer" or "other"."""

    start: int
    end: int
    name: str
    closes: bool
    role: str


class Bracket(NamedTuple):
    """A `{`, `[` or full-width `｛` at `start`."""

    start: int
    char: str


_RUN = Pattern(r"`+|~+")
_REST_BLANK = Pattern(r"[ \t\r]*(?:\n|\Z)")
_INFO = Pattern(r"[ \t]*([^\s`~{\[]*)[ \t]*")
_INFO_LINE = Pattern(r"[^\n`]*(?:\n|\Z)")
_ONE_LINE = Pattern(r"[\w+./-]{0,24}[ \t]*[\[{]")
_CHANNEL = Pattern(
    r"<\|channel\|>[ \t]*(\w{1,32})[^<\n]{0,200}(?:<\|constrain\|>[^<\n]{0,32})?<\|message\|>"
)  # harmony's; the recipient and the content type stand between
_CHANNEL_END = Pattern(r"<\|(?:end|return|call|start|channel)\|>")
_TAG = Pattern(r"<[|｜]?(/?)[|｜]?([A-Za-z][\w:.▁-]{0,63})[^<>\n]{0,256}>")
_SQUARE_TAG = Pattern(r"\[(/?)([A-Z][A-Z_]{2,31})\]")
_DIAMOND_TAG = Pattern(r"◁(/?)([A-Za-z]\w{0,31})▷")
_TAGS = {"<": _TAG, "[": _SQUARE_TAG, "◁": _DIAMOND_TAG}
_CLOSING = Pattern(
    r"<[|｜]?/[|｜]?([A-Za-z][\w:.▁-]{0,63})[^<>\n]{0,256}>|\[/(THINK|THOUGHT|REASONING)\]|◁/(\w{1,32})▷|<\|(end_of_thought)\|>"
)
_QUOTES = frozenset("`'\"“”‘’")


class Landmarks:
    """The landmarks of a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._fences: dict[int, Fence] | None = None  # by the offset where they start
        self._starts: list[int] = []  # of those that open a line
        self._closers: dict[str, list[tuple[int, int]]] | None = None

    def next(self, pos: int) -> Fence | Tag | Bracket | None:
        """The first landmark that starts at or after `pos`."""
        text = self.text
        while True:
            start = mark(text, pos)
            count(start - pos + 1)
            if start == len(text):
                return None
            char = text[start]
            pos = behind_mark(text, start)
            if char in "{｛":
                return Bracket(start, char)
            found = self._pair().get(start) if char in "`~" else self.tag_at(start)
            if found is not None:
                return found
            if char == "[":
                return Bracket(start, char)

    # -- fences

    def _pair(self) -> dict[int, Fence]:
        if self._fences is None:
            self._fences, self._starts = _paired(self.text)
        return self._fences

    def fence_after(self, pos: int) -> int:
        """Where the next fence that opens a line starts, at or after `pos`, or the end of the text."""
        self._pair()
        at = bisect_left(self._starts, pos)
        return self._starts[at] if at < len(self._starts) else len(self.text)

    # -- tags

    def tag_at(self, start: int) -> Tag | None:
        """The tag that starts with the `<`, `[` or `◁` there."""
        text = self.text
        if text.startswith("<|channel|>", start):
            return self._channel(start)
        found = _TAGS[text[start]].match(text, start)
        if found is None:
            return None
        count(found.end() - start)
        name, closes = found[2].lower().replace("-", "_"), bool(found[1])
        if name == "end_of_thought":
            name, closes = "begin_of_thought", True
        elif name == "details" and not closes:
            name = "thinking" if re.search("reason|think", found[0]) else name
        role = next((role for role, names in _ROLES if name in names), "other")
        if role != "other" and (text[start - 1 : start] in _QUOTES or text[found.end() : found.end() + 1] in _QUOTES - {'"', "'"}):
            role = "other"  # a mention, not a use
        return Tag(start, found.end(), name, closes, role)

    def _channel(self, start: int) -> Tag | None:
        found = _CHANNEL.match(self.text, start)
        if found is None:
            return None
        count(found.end() - start)
        role = {"analysis": "reasoning", "final": "answer"}.get(found[1], "other")
        return Tag(start, found.end(), "|" + found[1], False, role)

    def closing(self, tag: Tag) -> tuple[int, int] | None:
        """Where the tag that closes `tag`, an opening one, starts and ends; None if there is none."""
        if tag.name.startswith("|"):
            found = _CHANNEL_END.search(self.text, tag.end)
            count((found.end() if found else len(self.text)) - tag.end)
            return (found.start(), found.start()) if found else None
        if self._closers is None:
            self._closers = _closing_tags(self.text)
        places = self._closers.get("details" if self.text.startswith("<details", tag.start) else tag.name, [])
        at = bisect_left(places, (tag.end, 0))
        return places[at] if at < len(places) else None


def _closing_tags(text: str) -> dict[str, list[tuple[int, int]]]:
    count(len(text))
    places: dict[str, list[tuple[int, int]]] = {}
    for found in _CLOSING.finditer(text):
        name = (found[1] or found[2] or found[3] or "begin_of_thought").lower().replace("-", "_")
        places.setdefault(name, []).append(found.span())
    return places


def behind_mark(text: str, start: int) -> int:
    """Behind the mark at `start`, or the run of them that a fence may start with."""
    return _RUN.match(text, start).end() if text[start] in "`~" else start + 1  # type: ignore[union-attr]


def run_after(text: str, char: str, pos: int) -> int:
    """Where the next run of three or more of this character starts, or -1. One is found many times as fast as three."""
    start = text.find(char, pos)
    return start if start < 0 or text.startswith(char * 3, start) else text.find(char * 3, start)


def _runs(text: str) -> list[tuple[int, int]]:
    """Where the runs of three or more marks start and end, the last one first."""
    count(len(text))
    runs = []
    for char in "`~":
        start = run_after(text, char, 0)
        while start >= 0:
            end = behind_mark(text, start)
            runs.append((start, end))
            start = run_after(text, char, end)
    runs.sort(reverse=True)
    return runs


def _paired(text: str) -> tuple[dict[int, Fence], list[int]]:
    """Every fence by the offset of its opening marks, and those offsets that start a line. Read from the end of the text, so that the
    closer of each is at hand."""
    fences: dict[int, Fence] = {}
    starts: list[int] = []
    enders: dict[str, list[tuple[int, int]]] = {"`": [], "~": []}  # runs that may close a block: (width, offset), nearest last
    runs: dict[str, list[tuple[int, int]]] = {"`": [], "~": []}  # all runs, likewise
    for start, end in _runs(text):
        char, width = text[start], end - start
        ends_line = _REST_BLANK.match(text, end) is not None
        fence = None
        if _starts_line(text, start):
            fence = _block(text, start, end, enders[char], runs[char])
            if fence is not None:
                starts.append(start)
        elif char == "`" and not ends_line:
            fence = _inline(text, start, end, enders[char], runs[char])
        if fence is not None:
            fences[start] = fence
        _push(runs[char], width, start)
        if ends_line:
            _push(enders[char], width, start)
    starts.reverse()
    return fences, starts


def _starts_line(text: str, start: int) -> bool:
    if not start or text[start - 1] == "\n":
        return True
    before = text[max(0, start - 4) : start]
    return not before.rpartition("\n")[2].strip(" ") and (len(before) < 4 or "\n" in before)


def _block(text: str, start: int, end: int, enders: list[tuple[int, int]], runs: list[tuple[int, int]]) -> Fence | None:
    """The fence that opens a line, or None if its info string holds backticks and no value."""
    info = _INFO.match(text, end)
    content = info.end()  # type: ignore[union-attr]
    if text[content : content + 1] in ("{", "["):
        return _made(text, start, end, content, info, runs)
    line = _INFO_LINE.match(text, content)
    count(1 if line is None else line.end() - content)
    return None if line is None else _made(text, start, end, line.end(), info, enders)


def _inline(text: str, start: int, end: int, enders: list[tuple[int, int]], runs: list[tuple[int, int]]) -> Fence | None:
    """The fence that opens inside a line: a value follows, or JSON is announced and the line ends."""
    info = _INFO.match(text, end)
    if _ONE_LINE.match(text, end):
        return _made(text, start, end, info.end(), info, runs)  # type: ignore[union-attr]
    line = _REST_BLANK.match(text, info.end())  # type: ignore[union-attr]
    return _made(text, start, end, line.end(), info, enders) if line and info[1].lower() in _JSON_FENCES else None  # type: ignore[index]


def _made(text: str, start: int, end: int, content: int, info: re.Match[str] | None, enders: list[tuple[int, int]]) -> Fence:
    close = _nearest(enders, end - start)
    word = info[1].lower()  # type: ignore[index]
    if close < 0:
        return Fence(start, content, len(text), len(text), end - start, word)
    return Fence(start, content, max(close, content), _RUN.match(text, close).end(), end - start, word)  # type: ignore[union-attr]


def _push(stack: list[tuple[int, int]], width: int, start: int) -> None:
    """Add a run, nearer than all others: those no wider than it are not needed any more."""
    while stack and stack[-1][0] <= width:
        stack.pop()
    stack.append((width, start))


def _nearest(stack: list[tuple[int, int]], width: int) -> int:
    """Offset of the nearest run at least this wide, or -1. Widths fall towards the end of the stack."""
    low, high = 0, len(stack)
    while low < high:
        middle = (low + high) // 2
        if stack[middle][0] >= width:
            low = middle + 1
        else:
            high = middle
    return stack[low - 1][1] if low else -1
