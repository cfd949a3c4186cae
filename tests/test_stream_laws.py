"""What holds for every text and every way to cut it: the laws of streaming (conformance/STREAM.md, LAW-1 to LAW-6)."""

from __future__ import annotations

import itertools
import json
import os
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from laws import tried

PREFIXES = int(os.environ.get("JSONSCAN_PREFIXES", "2000"))  # random ones; 100,000 make a thorough run

DOCUMENTS = [
    '{"name": "Ada", "born": 1815, "fields": ["mathematics", "computing"], "alive": false, "note": null}',
    '[1, -2.5, 3e8, true, "four \\"quoted\\" \\u00e9 \\ud83d\\ude00", [[], {}], {"a": {"b": [0]}}]',
    '{"tool": "search", "arguments": {"query": "tea \\n houses", "limit": 10, "tags": ["a", "b"]}}',
    'Sure! Here it is:\n```json\n{"verdict": "yes", "score": 0.75, "why": "as {asked}"}\n```\nAnything else?',
    '<think>Perhaps {"a": 1}?</think>\n{"steps": [{"n": 1, "do": "boil"}, {"n": 2, "do": "pour"}]}',
    '{"a": 1, "a": {"b": "x"}, "c": "tab\there", "d": 12.06250}',
]
FRAGMENTS = [
    '{"a": 1}', '{"b": [1, "x"], "c": ', "[1]", '["é😀", ', '"k": ', '"\\ud83d\\ude00', '"\\u12', "{", "}", "[", "]", '"', ",", ": ", "tru",
    "true", "12.5e3", "-", "```json\n", "```\n", "\n```", "~~~", "<think>", "</think>", "<answer>", "</answer>", "Final: ", "draft ",
    "\n", "\n\n", " ", "word", "{name}", "[link](x)", "'a'", "\\", "\ud83d", "\ude00", "//", "<", "\x00", "$", "(", "1. ", "- ",
]  # fmt: skip

NUMBERS = st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False)
SCALARS = st.none() | st.booleans() | NUMBERS | st.text(max_size=6)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4), max_leaves=10
)
CONTAINERS = st.lists(VALUES, max_size=4) | st.dictionaries(st.text(max_size=3), VALUES, max_size=4)
STRICT = st.builds(lambda value, ascii_only, indent: json.dumps(value, ensure_ascii=ascii_only, indent=indent), CONTAINERS, st.booleans(),
                   st.sampled_from([None, 1]))  # fmt: skip
TEXTS = st.lists(st.sampled_from(FRAGMENTS) | STRICT, max_size=10).map("".join)
FEW = tried(40)


@st.composite
def cut(draw, texts=TEXTS):
    """A text and the pieces that make it up."""
    text = draw(texts)
    places = sorted(draw(st.lists(st.integers(0, len(text)), max_size=6)))
    return text, [text[start:end] for start, end in zip([0, *places], [*places, len(text)], strict=True)]


def exact(value: Any) -> str:
    """Equal for values that are the same and of the same types."""
    return repr(value)


def refines(new: Any, old: Any) -> bool:
    """Is `new` what `old` may have become, within one value?"""
    if type(new) is not type(old):
        return False
    if isinstance(old, str):
        return new.startswith(old)
    if isinstance(old, list):
        if not old:
            return True
        return len(new) >= len(old) and exact(new[: len(old) - 1]) == exact(old[:-1]) and refines(new[len(old) - 1], old[-1])
    if isinstance(old, dict):
        names, before = list(new), list(old)
        return (
            names[: len(before)] == before
            and all(exact(new[name]) == exact(old[name]) for name in before[:-1])
            and (not before or refines(new[before[-1]], old[before[-1]]))
        )
    return exact(new) == exact(old)


def applied(document: Any, operations: list[dict[str, Any]]) -> Any:
    """The document after some operations: RFC 6902, and `append`."""
    for each in operations:
        if each["path"] == "":
            document = each["value"]
            continue
        *parents, last = [part.replace("~1", "/").replace("~0", "~") for part in each["path"].split("/")[1:]]
        target = document
        for part in parents:
            target = target[int(part) if isinstance(target, list) else part]
        if isinstance(target, list) and each["op"] == "add":
            assert int(last) == len(target)
            target.append(each["value"])
            continue
        place = int(last) if isinstance(target, list) else last
        assert (each["op"] == "add") == (isinstance(target, dict) and place not in target)
        target[place] = target[place] + each["value"] if each["op"] == "append" else each["value"]
    return document


def outcome(call, errors) -> tuple[str, Any]:
    try:
        return "match", call()
    except errors as error:
        return "error", error


def snapshots(js, pieces, **options) -> tuple[Any, list[str]]:
    """A stream fed with pieces, and what it showed after each."""
    stream, seen = js.Stream(**options), []
    for piece in pieces:
        stream.feed(piece)
        seen.append(f"{stream.state} {exact(stream.value)}")
    return stream, seen


# -- LAW-1: a snapshot depends on the text so far only


@pytest.mark.parametrize("text", DOCUMENTS)
def test_every_split_in_two_and_every_size_of_chunk(js, text):
    _, by_character = snapshots(js, text)
    for at in range(1, len(text)):
        _, (one, other) = snapshots(js, [text[:at], text[at:]])
        assert (one, other) == (by_character[at - 1], by_character[-1])
    for size in range(2, 9):
        _, seen = snapshots(js, [text[at : at + size] for at in range(0, len(text), size)])
        assert seen == [by_character[min(at + size, len(text)) - 1] for at in range(0, len(text), size)]


@FEW
@given(cut())
def test_any_split(js, given_cut):
    text, pieces = given_cut
    _, by_character = snapshots(js, text)
    stream, seen = snapshots(js, pieces)
    length = 0
    for piece, shown in zip(pieces, seen, strict=True):
        length += len(piece)
        assert shown == (by_character[length - 1] if length else "searching None")
    assert outcome(stream.close, js.JSONScanError)[0] in ("match", "error")


@FEW
@given(cut(STRICT.map(lambda text: f"So:\n{text}")), st.integers(1, 5))
def test_bytes_are_as_text(js, given_cut, size):
    text, _ = given_cut
    raw = text.encode("utf-8", "replace")
    by_bytes, _ = snapshots(js, [raw[at : at + size] for at in range(0, len(raw), size)])
    whole, _ = snapshots(js, [raw.decode()])
    assert exact(by_bytes.value) == exact(whole.value)
    assert outcome(by_bytes.close, js.JSONScanError) == outcome(lambda: js.search(raw), js.JSONScanError)


# -- LAW-2: within one value each snapshot refines the one before; LAW-3: the changes lead from one to the next


def check_refinement(js, text: str, pieces: list[str], append: bool) -> int:
    stream, document, violations = js.Stream(), None, 0
    for piece in pieces:
        before = stream.snapshot()
        operations = stream.feed(piece).delta(append=append)
        document = applied(document, operations)
        assert exact(document) == exact(stream.value), (text, piece)
        violations += not any(each["path"] == "" for each in operations) and not refines(stream.value, before)
    return violations


@FEW
@given(cut(), st.booleans())
def test_refinement_and_changes(js, given_cut, append):
    assert check_refinement(js, given_cut[0], list(given_cut[0]), append) == 0
    assert check_refinement(js, *given_cut, append) == 0


def test_no_violation_over_all_prefixes_and_many_random_ones(js):
    assert sum(map(len, DOCUMENTS)) == 527
    for text in DOCUMENTS:
        assert check_refinement(js, text, list(text), False) == 0
    rng, prefixes = random.Random(6), 0
    while prefixes < PREFIXES:
        pieces = [rng.choice(FRAGMENTS) for _ in range(rng.randrange(1, 12))] if rng.random() < 0.5 else _mutated(rng)
        assert check_refinement(js, "".join(pieces), pieces, rng.random() < 0.5) == 0
        prefixes += len(pieces)


def _mutated(rng: random.Random) -> list[str]:
    text = list(rng.choice(DOCUMENTS))
    for _ in range(rng.randrange(3)):
        at = rng.randrange(len(text))
        text[at : at + rng.randrange(2)] = rng.choice(FRAGMENTS)
    return text


@pytest.mark.parametrize("text", DOCUMENTS)
def test_without_duplicate_names_nothing_but_another_value_replaces_the_root(js, text):
    stream, replaced = js.Stream(), 0
    for char in text:
        replaced += any(each["path"] == "" for each in stream.feed(char).delta())
    assert replaced == 1 + text.count('"a": {"b": "x"}')


# -- LAW-4: `close` equals `search` of the whole


@FEW
@given(cut(), st.sampled_from([{}, {"repair": "full", "truncated": "keep"}, {"repair": "off"}, {"select": "sole"}, {"expect": "any"}]))
def test_close_is_search(js, given_cut, options):
    text, pieces = given_cut
    stream, _ = snapshots(js, pieces, **options)
    here = outcome(stream.close, js.JSONScanError)
    there = outcome(lambda: js.search(text, **options), js.JSONScanError)
    assert here == there
    assert exact(here) == exact(there)


@FEW
@given(
    STRICT.filter(lambda text: len(text) > 2 or text == "[]"),
    st.sampled_from(["{}", "So:\n```json\n{}\n```\n", "<think>x</think>\n{}", " {} "]),
)
def test_the_last_snapshot_of_a_strict_answer_is_the_answer(js, text, frame):
    whole = frame.replace("{}", text)
    stream, _ = snapshots(js, whole)
    value = stream.snapshot()
    assert exact(value) == exact(json.loads(text))
    assert exact(stream.close().value) == exact(value)


# -- LAW-5: what `items` hands out and what stays are the whole


@FEW
@given(st.lists(VALUES, max_size=8), st.lists(st.integers(0, 400), max_size=8), st.sampled_from([None, 1]))
def test_items_and_the_rest(js, values, places, indent):
    text = json.dumps({"a": 1, "list": values, "z": [values]}, indent=indent)
    places = sorted({min(at, len(text)) for at in places} | {0, len(text)})
    stream, items = js.Stream(), []
    for start, end in itertools.pairwise(places):
        items += stream.feed(text[start:end]).items("/list")
    assert exact(items) == exact(values)
    assert exact(stream.close().value) == exact({"a": 1, "list": [], "z": [values]})


DECOYS = [
    'See [1](http://x) ', "[1, 2] says\n", '["x", {"b": [3]}]', '[{"a": [1, "y"]}]', '\n[{"b": [2, ', "5 mg, ", "1_234, ", "0x1F]",
    "]}]", '"b"]\n', "Draft:\n", "\n\nFinal:\n", "```json\n", "\n```\n", "</think>\n", "<answer>", "</answer>", '{"b": ["z", [7], ',
    "\n", "and so on. ", '["t"] (x)', "}", "]",
]  # fmt: skip
WITH_DECOYS = st.lists(st.sampled_from(DECOYS) | st.sampled_from(FRAGMENTS) | STRICT, max_size=10).map("".join)


@FEW
@given(cut(TEXTS | WITH_DECOYS), st.sampled_from(["", "/b", "/0/a", "/1/b"]), st.sampled_from([{}, {"repair": "full"},
                                                                                             {"select": "first"}]))  # fmt: skip
def test_items_do_not_depend_on_the_cut(js, given_cut, path, options):
    text, pieces = given_cut
    whole, end = handed_out(js, [text], path, **options)
    assert handed_out(js, text, path, **options) == handed_out(js, pieces, path, **options) == (whole, end)
    match, error = outcome(lambda: js.search(text, **options), js.JSONScanError)
    if end == "" and match == "match":  # no error: all are the answer's, each once
        try:
            items = _at(error.value, [int(part) if part.isdigit() else part for part in path.split("/")[1:]]) if error else []
        except (LookupError, TypeError):
            items = []
        assert whole == exact(items if isinstance(items, list) else [])


def handed_out(js, pieces, path, **options) -> tuple[str, str]:
    """The items, and the type of the error that the end raised."""
    items: list[Any] = []
    try:
        for item in js.iter_items(pieces, path, **options):
            items.append(item)
    except js.JSONScanError as error:
        return exact(items), type(error).__name__
    return exact(items), ""


@FEW
@given(cut(STRICT))
def test_what_is_complete_stays_as_it_is(js, given_cut):
    stream, complete = js.Stream(), {}
    for piece in given_cut[1]:
        stream.feed(piece)
        for path, value in complete.items():
            assert stream.is_complete(path)
            assert exact(_at(stream.value, path)) == value
        complete = {path: exact(_at(stream.value, path)) for path in _paths(stream.value) if stream.is_complete(path)}
    assert stream.is_complete()


def _at(value, path):
    for place in path:
        value = value[place]
    return value


def _paths(value, path=()):
    yield path
    if isinstance(value, (dict, list)):
        for place, member in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _paths(member, (*path, place))


# -- all of it in any order


class Streaming(RuleBasedStateMachine):
    """A stream used in any order, beside the text it was fed."""

    package: Any

    @initialize()
    def start(self):
        self.stream, self.text, self.document, self.before, self.closed = self.package.Stream(), "", None, None, False

    @precondition(lambda self: not self.closed)
    @rule(piece=st.sampled_from(FRAGMENTS) | STRICT)
    def feed(self, piece):
        self.stream.feed(piece)
        self.text += piece

    @rule(append=st.booleans())
    def delta(self, append):
        operations = self.stream.delta(append=append)
        self.document = applied(self.document, operations)
        assert exact(self.document) == exact(self.stream.value)
        if not any(each["path"] == "" for each in operations):
            assert self.before is None or refines(self.stream.value, self.before)
        self.before = self.stream.snapshot()

    @rule()
    def look(self):
        assert exact(self.stream.value) == exact(self.stream.snapshot())

    @precondition(lambda self: not self.closed)
    @rule()
    def close(self):
        here = outcome(self.stream.close, self.package.JSONScanError)
        there = outcome(lambda: self.package.search(self.text), self.package.JSONScanError)
        assert (here, exact(here)) == (there, exact(there))
        self.closed = True
        self.before = None

    @invariant()
    def another_stream_shows_the_same(self):
        if not self.closed:
            assert exact(self.package.Stream().feed(self.text).value) == exact(self.stream.value)


def test_in_any_order(js):
    class Here(Streaming):
        package = js

    run_state_machine_as_test(Here, settings=tried(15, stateful_step_count=12))
