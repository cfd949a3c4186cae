"""This library against the original modules that JSONSCAN_ORIGINALS names, under Node. Where they are absent these tests fail: whoever
runs them has asked for the comparison."""

from __future__ import annotations

import random

import pytest
from fuzz import generator, original
from fuzz.oracle import Absent, Oracle, agree, answer, originals

COUNT = 3_000


@pytest.fixture(scope="session")
def oracle():
    with Oracle() as running:
        yield running


@pytest.mark.parametrize("seed", [0, 1])
def test_random_texts(js, oracle, seed):
    for start in range(0, COUNT, original.BATCH):
        texts = [generator.text(seed, number) for number in range(start, start + original.BATCH)]
        differences = original.compare(oracle, js, texts)
        assert [str(original.minimised(oracle, js, difference)) for difference in differences[:3]] == []


@pytest.mark.parametrize("code", range(0x20))
def test_every_control_everywhere(js, oracle, code):
    char = chr(code)
    places = [f'{char}{{"a":1}}{char}', f'{{"a":"{char}"}}', f'{{{char}"a":1}}', f"```json{char}1{char}```"]
    places += [f"[1,{char}]", f'["\\{char}"]', f"[{char}1{char}]"]
    assert original.compare(oracle, js, places) == []


def test_every_character_that_anyone_takes_for_white_space(js, oracle):
    for codes in (range(0x80, 0x900), range(0x1600, 0x1900), range(0x1F00, 0x3100), range(0xFE00, 0x10000)):
        texts = [f"```json{chr(code)}[1,{chr(code)}]{chr(code)}```{chr(code)}" for code in codes]
        assert original.compare(oracle, js, texts) == []


@pytest.mark.parametrize(
    ("opener", "inner", "closer", "depth"), [("[", "", "]", 1_000_000), ('{"":', "1", "}", 20_000), ("[", "", "", 20_000)]
)
def test_deep_nesting(js, build, oracle, opener, inner, closer, depth):
    if build == "pure":
        depth = min(depth, 200_000)  # more shows nothing else, and takes minutes
    assert original.compare(oracle, js, [opener * depth + inner + closer * depth]) == []


def test_the_length_that_is_searched(js, oracle):
    rng = random.Random(5)
    assert original.compare(oracle, js, [generator.at_the_bound(rng) for _ in range(20)]) == []


@pytest.mark.parametrize("operation", ["json_parse", "extract_json"])
def test_a_difference_would_be_seen(js, oracle, operation):
    """The comparison itself can fail: each answer agrees with that of its own text only."""
    texts = ['{"a":1,"b":1}', '{"a":1.5}', '{"a":0}', '{"a":-0}', '{"b":1,"a":1}', "[1e400]", '["\ud83d"]', '["\ude00"]', "[]", "?"]
    answers = list(oracle.answers([(operation, text) for text in texts]))
    ours = [answer(js, operation, text) for text in texts]
    for at, original_answer in enumerate(answers):
        assert [agree(operation, original_answer, each) for each in ours] == [at == other for other in range(len(texts))]


def test_previews_are_compared_and_causes_are_not(js, oracle):
    (theirs,) = oracle.answers([("extract_json", "{x}")])
    ours = answer(js, "extract_json", "{x}")
    assert theirs != ours
    assert agree("extract_json", theirs, ours)
    assert not agree("extract_json", theirs, answer(js, "extract_json", "{y}"))


def test_absent_originals_are_an_error(monkeypatch, tmp_path):
    monkeypatch.setenv("JSONSCAN_ORIGINALS", str(tmp_path))
    with pytest.raises(Absent, match="must name the directory"):
        originals()
