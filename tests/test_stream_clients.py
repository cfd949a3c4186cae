"""The adapters of docs/streaming.md, as they stand there, on recordings of whole responses (synthetic, tests/data/streams)."""

from __future__ import annotations

import doctest
import json
import pathlib

import pytest

HERE = pathlib.Path(__file__).parent
DOCUMENT = HERE.parent / "docs" / "streaming.md"


@pytest.fixture(scope="module")
def adapters(js):
    """The functions that the document defines, by name."""
    names = {"jsonscan": js}
    for example in doctest.DocTestParser().get_examples(DOCUMENT.read_text(encoding="utf-8")):
        if example.source.startswith("def "):
            exec(example.source, names)
    return names


def recording(name: str) -> list[str]:
    return (HERE / "data" / "streams" / f"{name}.jsonl").read_text(encoding="ascii").splitlines()


def events(name: str) -> list[dict]:
    return [json.loads(line) for line in recording(name)]


def test_openai_chat_with_three_calls_at_a_time_the_last_cut_by_length(adapters):
    assert adapters["openai_calls"](events("openai-chat")) == [
        {"city": "Zürich", "days": [1, 2, 3], "unit": "c"},
        {"query": "rain é 😀", "limit": 10},
        {"city": "Oslo", "days": [1]},
    ]


def test_openai_responses_with_events_sent_twice(adapters):
    numbers = [event["sequence_number"] for event in events("openai-responses")]
    assert len(set(numbers)) < len(numbers)
    calls = adapters["responses_calls"](events("openai-responses"))
    assert calls == {"fc_a": {"q": "tea", "n": 1}, "fc_b": {"q": 'coffee "black"', "hot": True}}


def test_anthropic_with_text_and_two_tools(adapters):
    text, first, second = adapters["anthropic_blocks"](events("anthropic"))
    assert (text.value, text.source) == ({"steps": 2}, "prose")
    assert (first.value, second.value) == ({"path": "/tmp/a b", "lines": [1, 20]}, {})


def test_ollama_cut_by_length(adapters):
    match = adapters["ollama_text"](recording("ollama"))
    assert (match.value, match.complete) == ({"name": "Möbius", "sizes": [10, 20, 30], "note": "cut he"}, False)
