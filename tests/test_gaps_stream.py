"""Corners of streaming (conformance/STREAM.md): what is shown, and what `close` makes of it."""

from __future__ import annotations

import asyncio
import json

import pytest


def fed(js, text, size=1, **options):
    stream = js.Stream(**options)
    for at in range(0, len(text), size):
        stream.feed(text[at : at + size])
    return stream


# what is shown after a text; None: nothing
SHOWN = [
    ("a fault inside a string in an array", '["a", "C:\\dir', ["a", "C:"]),
    ("a wide brace opens nothing yet", '｛"a"：1', None),
    ("behind a wide brace", '｛x｝ {"a": "x', {"a": "x"}),
    ("behind a fence without a value", '```text\nfoo\n```\n{"b": "x', {"b": "x"}),
    ("a fence in a fence", '```text\nfoo\n```json\n{"b": "x', {"b": "x"}),
    ("an answer stays", '<answer>{"a": 1}</answer>\n\n{"b": "x', {"a": 1}),
    ("behind an answer without a value", '<answer>none</answer>\n\n{"b": "x', {"b": "x"}),
    ("in an answer that another tag does not close", '{"b": 1}\n<answer>so</json>\n{"a": "x', {"a": "x"}),
    ("behind a line that goes on", '{"a": 1} is one way.\n\nThe other:\n{"b": "x', {"b": "x"}),
    ("inside late reasoning", 'Use {name}. <think>{"a": 1}', None),
    ("behind late reasoning", 'Use {name}. <think>{"a": 1}</think>\n{"b": "x', {"b": "x"}),
    ("in code", '```python\nx = {"a": "x', {"a": "x"}),
    ("behind code", '```python\nx = {"a": 1}\n```\n{"b": "x', {"b": "x"}),
    ("a name with nine colons", "{`a:b:c:d:e:f:g:h:i:j:k`: 'x'", None),
    ("a name with three colons", "{`a:b:c:d`: 'x'", {}),
    ("a brace behind a word", "style{color: 1, ", None),
    ("a brace by itself", "{color: 1, ", {}),
    ("behind a tag of another script", "◁answer▷{", {}),
    ("a brace in prose", "answer {", None),
    ("told in a sentence, and another", 'It was {"a": 1} that failed, not {"b": "x', {"b": "x"}),
    ("a link", 'See ["the docs"](x) ', None),
    ("an array in prose", 'See ["the docs"] ', ["the docs"]),
]


@pytest.mark.parametrize("size", [1, 1000])
@pytest.mark.parametrize(("text", "value"), [case[1:] for case in SHOWN], ids=[case[0] for case in SHOWN])
def test_what_is_shown(js, text, value, size):
    assert fed(js, text, size).value == value


def test_fence_marks_at_the_end_wait_for_what_follows(js):
    stream = js.Stream().feed("```text\nfoo\n```")
    assert stream.feed('json\n{"a": "x').value == {"a": "x"}
    assert fed(js, "```text\nfoo\n```" + " " * 600 + '\n{"a": "x', 400).value == {"a": "x"}


@pytest.mark.parametrize("answer", ['{"b": 1}', '{"a": "x"}'])
def test_items_of_what_is_no_answer_in_the_end(js, answer):
    stream = js.Stream().feed('{"a": [1, 2, ')
    assert stream.items("/a") == [1, 2]
    text = f"x + y : z]}}\n\n```json\n{answer}\n```"
    assert stream.feed(text).close().value == js.loads(answer)


def test_the_path_of_what_was_cut_counts_items_whose_text_is_gone(js):
    stream, long = js.Stream(), "x" * 70_000
    stream.feed(f'{{"n": 1, "a": [["{long}"], ["{long}"], [3')
    assert stream.items("/a") == [[long], [long]]
    assert len(stream._kept.text()) < 1000
    stream.feed(", ")
    with pytest.raises(js.TruncatedJSONError) as error:
        stream.close()
    assert (error.value.partial, error.value.path) == ({"n": 1, "a": [[3]]}, "/a/2/1")


def test_the_path_of_what_was_cut_elsewhere_is_as_it_was(js):
    stream, long = js.Stream(), "x" * 70_000
    stream.feed(f'{{"a": ["{long}", "{long}", "y')
    assert stream.items("/a") == [long, long]
    stream.feed('"], "b": [0, ')
    with pytest.raises(js.TruncatedJSONError) as error:
        stream.close()
    assert error.value.path == "/b/1"


def test_iter_items_hands_out_what_close_repaired(js):
    assert list(js.iter_items(["[1, Tr", "ue]"])) == [1, True]


def test_astream_without_json(js):
    async def chunks():
        yield "nothing "
        yield "here"

    async def main():
        return [value async for value in js.astream(chunks())]

    assert asyncio.run(main()) == []


@pytest.mark.parametrize(
    ("text", "shown", "value"),
    [
        ('{"a": "C:\\dir"}', {"a": "C:"}, {"a": "C:\\dir"}),  # the same but for a string
        ('{"a": 1, x + y : z}\n\n```json\n[1]\n```', {"a": 1}, [1]),  # of another type
        ('{"a": 1, x + y : z}\n\n```json\n{"b": 1}\n```', {"a": 1}, {"b": 1}),  # of other names
    ],
)
def test_the_answer_takes_the_place_of_what_was_shown(js, text, shown, value):
    stream = fed(js, text)
    stream.delta()
    assert stream.value == shown
    assert stream.close().value == stream.value == value
    assert stream.delta() == [{"op": "replace", "path": "", "value": value}]


def test_an_answer_of_which_nothing_was_shown(js):
    stream = fed(js, "42 ", expect="any")
    assert (stream.value, stream.delta()) == (None, [])
    assert stream.close().value == stream.value == 42
    assert stream.delta() == [{"op": "replace", "path": "", "value": 42}]


@pytest.mark.parametrize("item", [json.dumps({"id": 1, "text": "x" * 200}), json.dumps("x" * 200)])
def test_items_are_handed_out_where_their_comma_is_still_to_come(js, item):
    pieces = ['{"items": [' + item, *[", " + item] * 600, '], "n": 1}']
    stream, items, most = js.Stream(), [], 0
    for piece in pieces:
        items += stream.feed(piece).items("/items")
        most = max(most, len(stream._kept.text()))
    assert items == [json.loads(item)] * 601
    assert most < 80_000
    assert stream.close().value == {"items": [], "n": 1}
