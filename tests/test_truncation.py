"""Documents cut anywhere, bare and in a fence that nothing closes: the value so far is what CUT-1 says.

`python -m tests.fuzz.truncation` tries every place."""

from __future__ import annotations

import json
from types import ModuleType

import pytest
from fuzz.documents import documents
from fuzz.truncation import LEVELS, NOTHING, expected, places, told


@pytest.mark.parametrize("level", LEVELS)
def test_the_value_so_far(js: ModuleType, level: str) -> None:
    for text, prefix in places(documents(), 23):
        assert repr(told(js, text, level)) == repr(expected(prefix)), text


def test_a_cut_text_is_never_whole(js: ModuleType) -> None:
    for text, _ in places(documents(), 97):
        with pytest.raises((js.TruncatedJSONError, js.NoJSONError)):
            js.loads(text)


def test_the_documents_are_twenty_and_strict(js: ModuleType) -> None:
    texts = documents()
    assert len({*texts}) == 20
    assert [json.dumps(js.loads(text)) for text in texts] == [json.dumps(json.loads(text)) for text in texts]


def test_the_oracle() -> None:
    cuts = {
        '{"a': {}, '{"a": [1, 23': {"a": [1]}, '{"a": 23 ': {"a": 23}, '["x\\': ["x"], '["\\u00': [""], '["\\\\u00': ["\\u00"],
        '["a\\ud83d\\ude': ["a"], "[true": [True], "[tru": [], '[{"a": 1}, {"b"': [{"a": 1}, {}],
    }  # fmt: skip
    assert {cut: expected(cut) for cut in cuts} == cuts
    assert expected("") is NOTHING
