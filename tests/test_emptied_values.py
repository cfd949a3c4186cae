"""The value that a stream shows is live, and whoever holds it may do what one does with lists and dicts while more arrives."""

from __future__ import annotations

import pytest


def emptied_at(js, text, at, of):
    stream = js.Stream().feed(text[:at])
    of(stream.value).clear()
    for char in text[at:]:
        stream.feed(char)
        assert stream.value is not None
    return stream


@pytest.mark.parametrize("wide", ["x", "é", "中", "😀"])
@pytest.mark.parametrize("length", [1, 300])  # a long string grows where it is
def test_a_list_whose_last_string_is_being_read(js, wide, length):
    text = f'["{wide * length}", 1]'
    stream = emptied_at(js, text, length // 2 + 3, lambda value: value)
    assert stream.value == [wide * length, 1]
    assert stream.close().value == [wide * length, 1]


def test_everything_at_every_place(js):
    text = '{"a": ["x\\n", {"b": ["y", [1, "z"], "w"]}, "v"], "c": "u"}'
    for at in range(2, len(text)):
        for of in (lambda value: value, lambda value: value.get("a", [])):
            assert emptied_at(js, text, at, of).close().value == js.loads(text)
