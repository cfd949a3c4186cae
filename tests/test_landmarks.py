"""Fences, tags and brackets, as Markdown and the models write them."""

from __future__ import annotations

from typing import Any

import pytest


def marks(module: Any, text: str) -> list[Any]:
    landmarks, pos, found = module("landmarks").Landmarks(text), 0, []
    while (mark := landmarks.next(pos)) is not None:
        found.append(mark)
        pos = getattr(mark, "content", getattr(mark, "end", mark.start + 1))
    return found


def fences(module: Any, text: str) -> list[tuple[str, str, str]]:
    """Content, info word and what follows, of each fence."""
    return [(text[f.content : f.end], f.info, text[f.after :]) for f in marks(module, text) if type(f).__name__ == "Fence"]


@pytest.mark.parametrize(
    ("text", "content", "info", "after"),
    [
        ("```json\nx\n```\ny", "x\n", "json", "\ny"),
        ("  ~~~ JSON title\nx\n  ~~~~\ny", "x\n  ", "json", "\ny"),
        ("````\n```\n````", "```\n", "", ""),
        ("```\nx", "x", "", ""),
        ("```json{}```y", "{}", "json", "y"),
        ("a ```{}``` b", "{}", "", " b"),
        ("a ```json\nx\n``` \nb", "x\n", "json", " \nb"),
        ("```json\nx```\nb", "x", "json", "\nb"),
        ("```json\nx``` b\n```", "x``` b\n", "json", ""),
        ("```json\n~~~\n```", "~~~\n", "json", ""),
        ("```", "", "", ""),
    ],
)
def test_a_fence(module: Any, text: str, content: str, info: str, after: str) -> None:
    assert fences(module, text)[0] == (content, info, after)


@pytest.mark.parametrize(
    "text", ["    ```python\nx", "a ```x\n", "a ``{}``", "``` `a`\nx", "x```", "~~{}", "a ~~~{}", "\t```\nx", "a ```python\nx"]
)
def test_no_fence(module: Any, text: str) -> None:
    assert fences(module, text) == []


def test_fences_in_fences(module: Any) -> None:
    text = "```md\na\n```json\nx\n```\nb\n```"
    assert [info for _, info, _ in fences(module, text)] == ["md", "json", "", ""]


def test_kinds_of_fences(module: Any) -> None:
    def kind(info: str) -> tuple[bool, bool]:
        fence = marks(module, f"```{info}\n")[0]
        return fence.is_json, fence.is_text

    assert kind("") == kind("JSONC") == kind("tool_call") == (True, False)
    assert kind("txt") == (False, True)
    assert kind("python") == (False, False)


@pytest.mark.parametrize(
    ("text", "name", "closes", "role"),
    [
        ("<think>", "think", False, "reasoning"),
        ("</THINK>", "think", True, "reasoning"),
        ('<reasoning effort="low">', "reasoning", False, "reasoning"),
        ("<|thinking|>", "thinking", False, "reasoning"),
        ("<|/thinking|>", "thinking", True, "reasoning"),
        ("[THINK]", "think", False, "reasoning"),
        ("[/THINK]", "think", True, "reasoning"),
        ("◁/think▷", "think", True, "reasoning"),
        ("<|end_of_thought|>", "begin_of_thought", True, "reasoning"),
        ('<details type="reasoning">', "thinking", False, "reasoning"),
        ("<details>", "details", False, "other"),
        ("<final-answer>", "final_answer", False, "answer"),
        ("<tool_response>", "tool_response", False, "quoted"),
        ("<\uff5cDSML\uff5cinvoke name='x'>", "dsml", False, "other"),
        ("[TOOL_CALLS]", "tool_calls", False, "other"),
        ("<|channel|>analysis<|message|>", "|analysis", False, "reasoning"),
        ("<|channel|>commentary to=f <|constrain|>json<|message|>", "|commentary", False, "other"),
        ("<|channel|>final<|message|>", "|final", False, "answer"),
        ("`<think>", "think", False, "other"),
        ("<think>`", "think", False, "other"),
        ('"<think>', "think", False, "other"),
    ],
)
def test_a_tag(module: Any, text: str, name: str, closes: bool, role: str) -> None:
    tag = marks(module, text)[0]
    assert (tag.name, tag.closes, tag.role) == (name, closes, role)
    assert (tag.start, tag.end) == (len(text) - len(text.lstrip("`\"")), len(text.rstrip("`")))


@pytest.mark.parametrize("text", ["<think", "< think>", "a < b > c", "<1>", "◁", "◁x", "<a\nb>", "<|channel|>x", "<<"])
def test_no_tag(module: Any, text: str) -> None:
    assert marks(module, text) == []


def test_brackets(module: Any) -> None:
    assert [(mark.start, mark.char) for mark in marks(module, "a [x] {y} ｛")] == [(2, "["), (6, "{"), (10, "｛")]


@pytest.mark.parametrize(
    ("text", "closing"),
    [
        ("<think>a</think>b</think>", "</think>"),
        ("<think>", None),
        ("<think></thinking>", None),
        ("<|begin_of_thought|>x<|end_of_thought|>", "<|end_of_thought|>"),
        ("[THINK]x[/THINK]", "[/THINK]"),
        ("◁think▷x◁/think▷", "◁/think▷"),
        ("<details type='think'>x</details>", "</details>"),
        ("<|channel|>analysis<|message|>x<|end|>", ""),
        ("<|channel|>analysis<|message|>x", None),
    ],
)
def test_what_closes_a_tag(module: Any, text: str, closing: str | None) -> None:
    landmarks = module("landmarks").Landmarks(text)
    found = landmarks.closing(landmarks.next(0))
    assert closing == (None if found is None else text[found[0] : found[1]])
    assert found == landmarks.closing(landmarks.next(0))


def test_the_next_fence_that_opens_a_line(module: Any) -> None:
    text = "a ```{}``` b\n```\nx\n```"
    landmarks = module("landmarks").Landmarks(text)
    assert landmarks.fence_after(0) == 13
    assert landmarks.fence_after(14) == 19
    assert landmarks.fence_after(20) == len(text)
