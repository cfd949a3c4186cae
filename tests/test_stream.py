"""`Stream` and its helpers, by example. The laws that hold for every text are in test_stream_laws.py."""

from __future__ import annotations

import asyncio
import importlib
import json
import random
import tracemalloc

import pytest
from families import FAMILIES

DOCUMENT = {"title": "Tea", "steps": [{"n": 1, "do": "boil"}, {"n": 2, "do": "pour"}], "ok": True, "ratio": 1.5}
TEXT = json.dumps(DOCUMENT)

# what a stream shows after each prefix: id, prefix, value (None: nothing yet)
SNAPSHOTS = [
    ("nothing", "", None),
    ("blanks", " \n\t", None),
    ("an object opens", "{", {}),
    ("a name opens", '{"', {}),
    ("a name", '{"key"', {}),
    ("a name and a colon", '{"key": ', {}),
    ("a string opens", '{"key": "', {"key": ""}),
    ("a part of a string", '{"key": "va', {"key": "va"}),
    ("half an escape", '{"key": "va\\', {"key": "va"}),
    ("half a Unicode escape", '{"key": "va\\u00e', {"key": "va"}),
    ("an escape", '{"key": "va\\u00e9', {"key": "vaé"}),
    ("half a pair", '{"key": "va\\ud83d\\ude0', {"key": "va"}),
    ("a pair", '{"key": "va\\ud83d\\ude00', {"key": "va😀"}),
    ("a raw lead surrogate", '{"key": "va\ud83d', {"key": "va"}),
    ("a number that may go on", '{"key": 12', {}),
    ("a number and what ends it", '{"key": 12,', {"key": 12}),
    ("a number that what touches it does not end", '[7, 1_', [7]),
    ("the same in an object", '{"k": 7, "n": 12:', {"k": 7}),
    ("the same under a name that had a value", '{"k": 7, "n": {}, "k": 12:', {"k": 7, "n": {}}),
    ("a number that a blank ends", "[7, 1 _", [7, 1]),
    ("half a literal", '{"a": 1, "b": tru', {"a": 1}),
    ("a literal", '{"a": 1, "b": true', {"a": 1, "b": True}),
    ("the second name", '{"a": 1, "b"', {"a": 1}),
    ("an array opens", "[", []),
    ("a container in an array", '[{"a": 1}, {', [{"a": 1}, {}]),
    ("a duplicate name", '{"a": {"x": 1}, "a": {', {"a": {}}),
    ("a raw line feed in a string", '{"a": "l1\nl2', {"a": "l1\nl2"}),
    ("a fault", '{"a": 1 "b": 2', {"a": 1}),
    ("a fault inside a string", '{"a": "C:\\dir', {"a": "C:"}),
    ("complete", '{"a": 1}', {"a": 1}),
    ("text behind", '{"a": 1} and so on', {"a": 1}),
    ("a second value behind", '{"a": 1}\n{"b', {"a": 1}),
    ("a fence", '```json\n{"a": "x', {"a": "x"}),
    ("half a fence", "```js", None),
    ("prose", 'Sure, here it is: {"a": "x', {"a": "x"}),
    ("a brace in prose", "Use {name} or {Note: as it is}", None),
    ("a brace in prose that may open an object", 'Use {"name"', None),
    ("a citation", "As [1] says", None),
    ("a link", "See [the docs](https://example.org)", None),
    ("reasoning", '<think>{"draft": 1}', None),
    ("behind reasoning", '<think>{"draft": 1}</think>{"a": 1', {}),
    ("scalars", '"abc', None),
    ("a shell variable", 'Run ${"a": 1}', None),
    ("an escaped blank in prose, cut", "So {\\", None),
    ("an escaped blank behind a brace", '{\\n "a": 1', {}),
    ("two braces", '{{"a": 1}}', {}),
    ("single quotes", "{'a': 1}", {}),
]


def fed(js, text: str, size: int = 1, **options):
    """A stream that was fed a text in chunks of one size."""
    stream = js.Stream(**options)
    for at in range(0, len(text), size):
        stream.feed(text[at : at + size])
    return stream


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize(("text", "value"), [case[1:] for case in SNAPSHOTS], ids=[case[0] for case in SNAPSHOTS])
def test_snapshots(js, text, value, size):
    assert fed(js, text, size).value == value


class TestWhichValueIsShown:
    @pytest.mark.parametrize(
        ("first", "then", "value"),
        [
            ('An example is {"a": 1} as such.\n', '```json\n{"b": 2,', {"b": 2}),  # a fence before a line of prose
            ('```json\n{"a": 1}\n```\n', 'or {"b": 2', {"a": 1}),
            ('{"a": 1}', "</think>\n", None),  # all of that was reasoning
            ('{"a": 1}</think>\n', '{"b": 2,', {"b": 2}),
            ('{"a": 1}\n', '<answer>{"b": 2,', {"b": 2}),
            ("{}\n\n", '{"b": 2}', {"b": 2}),  # the fuller one
            ('{"a": 1}\n\n', "{}", {"a": 1}),
            ('Draft:\n{"a": 1}\n\n', 'Final answer:\n{"a": 2}', {"a": 2}),
            ('{"a": "<string>"}\n\n', 'So:\n{"a": "Tea"}', {"a": "Tea"}),  # a template, and its instance
            ("[1]", " says so", None),  # a citation at the start of a line
            ("{", "name} is a placeholder", None),
        ],
    )
    @pytest.mark.parametrize("size", [1, 1000])
    def test_another_one_takes_its_place(self, js, first, then, value, size):
        stream = fed(js, first, size)
        before = stream.snapshot()
        stream.delta()
        stream = stream.feed(then) if size > 1 else _fed_on(stream, then)
        assert stream.value == value
        operations = stream.delta()
        assert (operations == []) == (before == value)
        assert all(each["path"] == "" for each in operations)

    @pytest.mark.parametrize(("select", "value"), [("first", {"a": 1}), ("last", {"b": 2}), ("largest", {"b": 2, "c": 3})])
    def test_select(self, js, select, value):
        text = '{"a": 1}\n\nor\n\n{"b": 2, "c": 3}\n\nor\n\n{"b": 2}'
        stream = fed(js, text, select=select)
        assert stream.value == value
        assert stream.close() == js.search(text, select=select)

    def test_expect(self, js):
        assert fed(js, '{"a": 1}\n\n[1, 2', expect="array").value == [1]
        assert fed(js, "[1, 2]\n\n{", expect="object").value == {}

    def test_duplicate_keys_and_numbers_obey_the_options(self, js):
        text = '{"a": 1, "a": 2, "n": 12345678901234567890, "x"'
        assert fed(js, text).value == {"a": 2, "n": 12345678901234567890}
        assert fed(js, text, duplicate_keys="first", big_int="str").value == {"a": 1, "n": "12345678901234567890"}
        assert fed(js, text, duplicate_keys="raise").value == {"a": 1}

    def test_control_characters_are_a_fault_without_repair(self, js):
        assert fed(js, '{"a": "l1\nl2', repair="off").value == {"a": "l1"}


def _fed_on(stream, text):
    for char in text:
        stream.feed(char)
    return stream


class TestFeed:
    def test_it_returns_the_stream(self, js):
        stream = js.Stream()
        assert stream.feed("{") is stream
        assert stream.feed(b"}") is stream

    @pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
    def test_bytes_may_be_cut_anywhere(self, js, kind):
        text = '{"a": "é漢😀"}'
        stream = js.Stream()
        for at in range(len(raw := text.encode())):
            stream.feed(kind(raw[at : at + 1]))
        assert stream.close() == js.search(text)

    def test_an_empty_chunk_changes_nothing(self, js):
        stream = js.Stream().feed("").feed('{"a').feed("").feed(b"").feed('": 1')
        assert (stream.value, stream.state) == ({}, "open")

    def test_a_str_subclass_is_a_str(self, js):
        class Odd(str):
            def __str__(self):
                return "no"

        assert js.Stream().feed(Odd('{"a": ')).feed(Odd("1}")).value == {"a": 1}

    @pytest.mark.parametrize("chunk", [None, 1, ["{}"], object()])
    def test_other_types_are_refused(self, js, chunk):
        with pytest.raises(TypeError, match=type(chunk).__name__):
            js.Stream().feed(chunk)

    def test_text_inside_a_character_is_refused(self, js):
        with pytest.raises(ValueError, match="inside a character"):
            js.Stream().feed("é".encode()[:1]).feed("x")

    def test_what_is_no_utf8_ends_the_reading_and_is_reported_by_close(self, js):
        raw = b'{"a": "x\xff", "b": 1}'
        stream = js.Stream()
        for at in range(len(raw)):
            stream.feed(raw[at : at + 1])
        assert stream.value == {"a": "x"}
        with pytest.raises(js.InvalidJSONError) as here:
            stream.close()
        with pytest.raises(js.InvalidJSONError) as there:
            js.search(raw)
        assert here.value == there.value

    def test_a_character_cut_by_the_end_is_reported_too(self, js):
        with pytest.raises(js.InvalidJSONError, match="UTF-8"):
            js.Stream().feed('{"a": "é'.encode()[:-1]).close()

    def test_max_input(self, js):
        stream = js.Stream(limits=js.Limits(max_input=8)).feed('{"a": 1}')
        with pytest.raises(js.LimitError) as error:
            stream.feed(" ")
        assert (error.value.limit, error.value.value) == ("max_input", 8)

    def test_too_deep_is_an_error_of_close(self, js):
        stream = fed(js, "[[[[1]]]]", limits=js.Limits(max_depth=3))
        assert stream.value == [[[]]]
        with pytest.raises(js.LimitError):
            stream.close()

    def test_not_behind_close(self, js):
        stream = js.Stream().feed("{}")
        stream.close()
        with pytest.raises(ValueError, match="closed"):
            stream.feed("x")

    def test_unknown_options_are_refused(self, js):
        with pytest.raises(TypeError):
            js.Stream(mode="fast")


class TestValue:
    def test_it_is_live_and_a_snapshot_is_not(self, js):
        stream = js.Stream().feed('{"a": [1, ')
        live, copy = stream.value, stream.snapshot()
        stream.feed('2, {"b": "x')
        assert stream.value is live
        assert live == {"a": [1, 2, {"b": "x"}]}
        assert copy == {"a": [1]}

    def test_an_older_string_stays_as_it_was(self, js):
        stream = js.Stream().feed('{"a": "' + "x" * 1000)
        old = stream.value["a"]
        assert stream.feed("yz").value["a"] == "x" * 1000 + "yz"
        assert old == "x" * 1000

    def test_deep_values(self, js):
        stream = js.Stream(limits=js.Limits(max_depth=None)).feed("[" * 50_000)
        copy, depth = stream.snapshot(), 0
        while copy:
            copy, depth = copy[0], depth + 1
        assert depth == 49_999

    def test_state(self, js):
        stream = js.Stream()
        states = [stream.state]
        for chunk in ("So: ", '{"a"', ": 1", "}", " Done."):
            states.append(stream.feed(chunk).state)
        assert states == ["searching", "searching", "searching", "open", "complete", "complete"]

    def test_is_complete(self, js):
        stream = js.Stream().feed('{"a": [1, {"b~/": "x"}, "y')
        complete = {path: stream.is_complete(path) for path in ("", "/a", "/a/0", "/a/1", "/a/1/b~0~1", "/a/2", "/a/3", "/c", "/a/x")}
        assert [path for path, done in complete.items() if done] == ["/a/0", "/a/1", "/a/1/b~0~1"]
        assert stream.is_complete(["a", 1, "b~/"])
        stream.feed('"]')
        assert (stream.is_complete("/a/2"), stream.is_complete("/a"), stream.is_complete()) == (True, True, False)
        assert stream.feed("}").is_complete()

    def test_nothing_is_complete_behind_a_fault_that_was_not_before(self, js):
        stream = js.Stream().feed('{"a": {"b": 1}, "c": {"d": "x\\q')
        assert (stream.is_complete("/a"), stream.is_complete("/c"), stream.is_complete("/c/d")) == (True, False, False)

    @pytest.mark.parametrize(("text", "path"), [("[1, 2 mg", "/1"), ('["it"s', "/0"), ('{"a": "b"c', "/a"), ('{"a": true-', "/a")])
    def test_what_a_fault_follows_at_once_is_not_complete(self, js, text, path):
        for stream in (js.Stream().feed(text), fed(js, text)):
            assert (stream.is_complete(path), stream.is_complete(path[:-1] + "0")) == (False, path == "/1")

    def test_a_path_that_is_none(self, js):
        with pytest.raises(ValueError, match="JSON Pointer"):
            js.Stream().is_complete("a")


class TestItems:
    @pytest.mark.parametrize("size", [1, 2, 7, 1000])
    def test_each_is_handed_out_once_when_it_is_finished(self, js, size):
        text = '{"n": 3, "list": [1, "two", [3], {"four": 4}, true], "m": 1}'
        stream, items = js.Stream(), []
        for at in range(0, len(text), size):
            items += stream.feed(text[at : at + size]).items("/list")
        assert items == [1, "two", [3], {"four": 4}, True]
        assert stream.value == {"n": 3, "list": [], "m": 1}
        assert stream.close().value == {"n": 3, "list": [], "m": 1}

    def test_an_item_that_is_not_finished_stays(self, js):
        stream = js.Stream().feed('[{"a": 1}, {"b": "x')
        assert stream.items() == [{"a": 1}]
        assert stream.value == [{"b": "x"}]
        assert stream.feed('y"}, "z').items() == [{"b": "xy"}]
        assert stream.value == ["z"]

    def test_places_count_what_was_handed_out(self, js):
        stream = js.Stream().feed('[[1], [2], [3, ')
        assert stream.items() == [[1], [2]]
        assert [stream.is_complete(f"/{at}") for at in range(4)] == [True, True, False, False]
        assert stream.items("/2") == [3]
        assert stream.items("/0") == []
        with pytest.raises(js.TruncatedJSONError) as error:
            stream.close()
        assert (error.value.partial, error.value.path) == ([[]], "/2/1")

    def test_no_array_no_items(self, js):
        stream = js.Stream().feed('{"a": {"b": 1}, "c": "x')
        assert [stream.items(path) for path in ("", "/a", "/c", "/d", "/a/b")] == [[]] * 5

    def test_a_repaired_rest(self, js):
        stream = js.Stream().feed("[1, 2.5, ")
        assert stream.items() == [1, 2.5]
        assert stream.feed("True, 4,]").close().value == [True, 4]

    @pytest.mark.parametrize(
        ("text", "items"),
        [
            ("[1_234, 5]", [1234, 5]),
            ("[0x1F, 2]", [31, 2]),
            ("[12:30, 4]", ["12:30", 4]),
            ("[5 mg, 6]", ["5 mg", 6]),
            ("[true-ish, 2]", ["true-ish", 2]),
            ('["it"s ok", "b"]', ['it"s ok', "b"]),
            ('["a" + "b", "c"]', ["ab", "c"]),
            ('["x", "a, "b"]', ["x", "a", "b"]),
            ('[{"a": 1}, "b": 2]', [{"a": 1}, {"b": 2}]),
            ('[7, {"n": 1_234}, 5]', [7, {"n": 1234}, 5]),
        ],
    )
    def test_no_piece_of_an_item_is_handed_out(self, js, text, items):
        assert list(js.iter_items([text], repair="full")) == list(js.iter_items(text, repair="full")) == items

    @pytest.mark.parametrize(
        ("text", "items", "end"),
        [
            ('See [1](http://x) [{"b":2}]', [{"b": 2}], None),
            ('I tried [{"a":1}] first.\n```json\n[{"b":2}]\n```', [{"b": 2}], None),
            ('Draft:\n[{"a":1}]\n\nFinal:\n[{"b":2}]', [{"b": 2}], None),
            ('[1] says\n[{"b":2}]', [{"b": 2}], None),
            ("[1, 2]\n", [1, 2], None),
            ("[1, 2", [1], "TruncatedJSONError"),
            (str([*range(20)])[:-1], [*range(19)], "TruncatedJSONError"),
            ('{"n": 1}\n{"n": 2}', [{"n": 1}, {"n": 2}], None),
            ('["a"]\n["b"]', ["a"], "AmbiguousJSONError"),
            ('Rows:\n["a"]\n\n```json\n["b"]\n```', ["a"], "AmbiguousJSONError"),
            ('["a"]</think>\n["b"]', ["a"], "AmbiguousJSONError"),
            ('["a"]</think>\n', ["a"], "NoJSONError"),
            ('[["a"]}["b"]]', [["a"]], "AmbiguousJSONError"),
            ("[1] says", [], None),
        ],
    )
    def test_items_are_of_one_value(self, js, text, items, end):
        for pieces in ([text], text, [text[at : at + 5] for at in range(0, len(text), 5)]):
            found, error = [], None
            try:
                for item in js.iter_items(pieces, repair="full"):
                    found.append(item)
            except js.JSONScanError as raised:
                error = raised
            assert (found, type(error).__name__) == (items, end or "NoneType")

    def test_items_of_two_values_are_both_told(self, js):
        stream = js.Stream().feed('So:\n["a", ')
        assert stream.items() == ["a"]
        match = stream.feed('"b"]\n\n```json\n["c"]\n```').close()
        assert match.value == ["c"]
        with pytest.raises(js.AmbiguousJSONError, match="another value") as error:
            stream.items()
        assert [(each.value, each.span()) for each in error.value.matches] == [(["b"], (4, 14)), (["c"], match.span())]

    @pytest.mark.parametrize(("select", "items"), [("first", ["a"]), ("last", []), ("largest", []), (lambda matches: matches[0], [])])
    def test_items_wait_where_only_the_end_tells_the_answer(self, js, select, items):
        stream = js.Stream(select=select).feed('It is ["a"], so ')
        assert stream.items() == items
        stream.close()
        assert items + stream.items() == ["a"]

    def test_a_name_given_twice_on_the_way_is_told(self, js):
        items = js.iter_items('{"rows": [1], "rows": [2]}', "/rows")
        assert next(items) == 1
        with pytest.raises(js.AmbiguousJSONError):
            next(items)

    def test_what_was_taken_does_not_make_an_array_a_citation(self, js):
        stream = js.Stream().feed('["a"]')
        assert (stream.items(), stream.feed(" is it").value) == (["a"], [])

    def test_items_of_an_array_that_is_an_item_move_with_it(self, js):
        stream = js.Stream().feed("[[1], [2], [3, ")
        assert (stream.items(), stream.items("/2")) == ([[1], [2]], [3])
        assert stream.feed("4], [5, 6, ").items() == [[4]]
        assert (stream.items("/3"), stream.items("/2"), stream.value) == ([5, 6], [], [[]])

    def test_a_scalar_waits_for_what_follows_it_and_a_container_does_not(self, js):
        stream = js.Stream().feed('{"a": ["x", "y"')
        assert (stream.items("/a"), stream.is_complete("/a/1")) == (["x"], False)
        assert stream.feed(" ").items("/a") == []
        assert (stream.feed(",").is_complete("/a/1"), stream.items("/a")) == (True, ["y"])
        assert stream.feed(' {"z": 1}').items("/a") == [{"z": 1}]

    @pytest.mark.parametrize("joint", ["{}, ", ", {}", "{},\n"])
    def test_iter_items_keeps_neither_items_nor_their_text(self, js, joint):
        item = json.dumps({"id": 1, "text": "x" * 200})
        piece = joint.replace("{}", item) * 50
        number = 0

        def chunks():
            yield '{"items": [' + item + (", " if joint[0] == "{" else "")
            yield from [piece] * 200
            yield (item if joint[0] == "{" else "") + '], "n": 1}'

        tracemalloc.start()
        try:
            number = sum(1 for _ in js.iter_items(chunks(), "/items"))
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert number == 10_001 + (joint[0] == "{")
        assert peak < 1_500_000  # the items alone would be 5,000,000

    def test_iter_items_ends_as_close_does(self, js):
        items = js.iter_items(["[1, 2", ", 3"])
        assert [next(items), next(items)] == [1, 2]
        with pytest.raises(js.TruncatedJSONError):
            next(items)

    def test_iter_items_without_json(self, js):
        assert list(js.iter_items(["nothing ", "here"])) == []


class TestDelta:
    @pytest.mark.parametrize(("chunk", "reports"), [("", 0), ("]", 0), ("ab", 1), ("1, ", 1)])
    def test_a_look_costs_what_changed_at_any_depth(self, js, chunk, reports):
        machine = importlib.import_module(f"{js.__name__}.machine")
        stream = js.Stream().feed("[" * 900 + ('"' if chunk == "ab" else ""))
        stream.delta()
        stream.feed(chunk).delta()
        before, operations = machine.steps(), 0
        for _ in range(200):
            operations += len(stream.feed(chunk).delta(append=True))
        assert operations == 200 * reports
        assert machine.steps() - before <= 200 * (900 * (chunk == "1, ") + 20)  # as much as its path is long, where one is told anew

    def test_a_string_that_grew_before_its_containers_closed(self, js):
        stream = js.Stream().feed('{"a": ["')
        stream.delta()
        operations = stream.feed('x"], "b": 1}').delta()
        assert operations == [{"op": "add", "path": "/b", "value": 1}, {"op": "replace", "path": "/a/0", "value": "x"}]

    def test_names_that_are_dropped(self, js):
        stream = js.Stream(duplicate_keys="first").feed('{"a": 1, "b": "x", "a": [')
        assert stream.delta() == [{"op": "replace", "path": "", "value": {"a": 1, "b": "x"}}]
        assert stream.feed('2, "y"], "c": 3,').delta() == [{"op": "add", "path": "/c", "value": 3}]

    def test_operations(self, js):
        stream = js.Stream()
        operations = [stream.feed(chunk).delta() for chunk in ['{"a": ["x', "y", '", 1', ', {"b": true', '}], "c~/": null', "}", ""]]
        assert operations == [
            [{"op": "replace", "path": "", "value": {"a": ["x"]}}],
            [{"op": "replace", "path": "/a/0", "value": "xy"}],
            [],
            [{"op": "add", "path": "/a/1", "value": 1}, {"op": "add", "path": "/a/2", "value": {"b": True}}],
            [{"op": "add", "path": "/c~0~1", "value": None}],
            [],
            [],
        ]

    def test_strings_may_be_appended_to(self, js):
        stream = js.Stream().feed('{"a": "x')
        stream.delta()
        assert stream.feed("yz").delta(append=True) == [{"op": "append", "path": "/a", "value": "yz"}]
        assert stream.feed('1", "b": 1').delta(append=True) == [{"op": "append", "path": "/a", "value": "1"}]

    def test_a_second_value_for_a_name_replaces_the_root(self, js):
        stream = js.Stream().feed('{"a": 1, "b": 2')
        stream.delta()
        assert stream.feed(', "a": "x').delta() == [{"op": "replace", "path": "", "value": {"a": "x", "b": 2}}]

    def test_values_in_operations_are_copies(self, js):
        stream = js.Stream().feed('{"a": [1, ')
        (operation,) = stream.delta()
        stream.feed("2, ")
        assert stream.value == {"a": [1, 2]}
        assert operation["value"] == {"a": [1]}

    def test_indices_count_what_was_handed_out(self, js):
        stream = js.Stream().feed('[1, 2, "x')
        stream.delta()
        assert stream.items() == [1, 2]
        assert stream.feed('y", 4, ').delta() == [{"op": "replace", "path": "/2", "value": "xy"}, {"op": "add", "path": "/3", "value": 4}]

    def test_close_gives_what_was_repaired(self, js):
        stream = js.Stream().feed('{"a": 1, "b": True}')
        stream.delta()
        stream.close()
        assert stream.delta() == [{"op": "replace", "path": "", "value": {"a": 1, "b": True}}]
        assert stream.delta() == []
        assert stream.value == {"a": 1, "b": True}

    def test_close_says_nothing_where_nothing_changed(self, js):
        stream = js.Stream().feed('{"a": 1}')
        stream.delta()
        stream.close()
        assert stream.delta() == []


class TestClose:
    def test_twice(self, js):
        stream = js.Stream().feed('{"a": 1}')
        assert stream.close() is stream.close()
        stream = js.Stream().feed('{"a": 1')
        errors = []
        for _ in range(2):
            with pytest.raises(js.TruncatedJSONError) as error:
                stream.close()
            errors.append(error.value)
        assert errors[0] is errors[1]
        assert (stream.state, stream.value) == ("truncated", {})

    def test_nothing_there(self, js):
        stream = js.Stream().feed("no JSON")
        assert (stream.close(), stream.value, stream.state) == (None, None, "searching")

    def test_kept_truncations(self, js):
        stream = js.Stream(truncated="keep").feed('{"a": [1, 2, "x')
        match = stream.close()
        assert (match.value, match.complete, match.truncated_at, stream.state) == ({"a": [1, 2, "x"]}, False, "/a/2", "truncated")

    def test_the_value_is_the_answers(self, js):
        stream = js.Stream().feed("{'a': 1}")
        assert stream.value == {}
        stream.close()
        assert stream.value == {"a": 1}

    def test_as_a_context_manager(self, js):
        with js.Stream() as stream:
            stream.feed("{'a': 1}")
        assert stream.value == {"a": 1}
        with pytest.raises(js.TruncatedJSONError), js.Stream() as stream:
            stream.feed('{"a')
        with pytest.raises(KeyError), js.Stream() as stream:
            raise KeyError(stream.feed('{"a'))

    def test_repr(self, js):
        assert repr(js.Stream().feed("{")) == "<jsonscan.Stream open>"


def test_astream(js):
    async def chunks():
        for chunk in ("So: ", '{"a', '": "x', 'y"', ', "b": True}'):
            yield chunk

    async def main():
        return [json.dumps(value) async for value in js.astream(chunks())]

    assert asyncio.run(main()) == ['{"a": "x"}', '{"a": "xy"}', '{"a": "xy"}', '{"a": "xy", "b": true}']


class TestMemory:
    """What is no answer is not kept."""

    @pytest.fixture
    def kept(self, module):
        return module("kept_text")

    @pytest.mark.parametrize(
        ("before", "unit", "after"),
        [
            ("<think>", 'so {"a": 1} or [2] `x` <b> ```\n', "</think>"),
            ("\n<|channel|>analysis<|message|>", "{ [ ``` <think> \n", "<|end|>"),
            ("", "plain words and no more of it ", "\n"),
            ("Lines.", "plain words\nand lines\n\n", "\n"),
            ("See [1], {name} and [this](link). ", "plain words ", "\n"),
            ("", " \n", ""),
        ],
    )
    def test_of_long_text_little_is_kept(self, js, kept, before, unit, after):
        size, stream, most = 40 * kept.ROOM, js.Stream(), 0
        piece = unit * (5000 // len(unit))
        text = before + piece * (size // len(piece)) + after + '\n```json\n{"é😀": "x"}\n```\n'
        for at in range(0, len(text), 5000):
            stream.feed(text[at : at + 5000])
            most = max(most, len(stream._kept.text()))
        assert most <= 2 * kept.ROOM
        match, whole = stream.close(), js.search(text)
        assert match == whole
        assert whole == match
        assert match.string != whole.string
        names = "value text start end span_utf16 span_bytes lineno colno source fence complete repairs"
        for name in names.split():
            assert getattr(match, name) == getattr(whole, name), name
        assert hash(match) == hash(stream.close())
        assert match != js.search(text + " ", select="last") or match == whole

    def test_of_a_common_response_all_is_kept(self, js, kept):
        text = "<think>" + "word " * 5000 + '</think>{"a": 1}'
        match = fed(js, text, 100).close()
        assert match.string == text
        assert type(match) is js.Match

    def test_errors_say_where_in_the_whole_text(self, js, kept):
        text = "line\n" * kept.ROOM + '{"a": 1, "b": ?}'
        with pytest.raises(js.InvalidJSONError) as here:
            fed(js, text, 5000).close()
        with pytest.raises(js.InvalidJSONError) as there:
            js.search(text)
        assert (here.value.lineno, here.value.colno, here.value.msg) == (there.value.lineno, there.value.colno, there.value.msg)
        assert len(here.value.doc) < len(text)

    def test_ambiguous_matches_are_placed(self, js, kept):
        text = "word " * kept.ROOM + '\n\n{"a": 1}\n\nor\n\n{"a": 2}\n'
        with pytest.raises(js.AmbiguousJSONError) as here:
            fed(js, text, 5000, select="sole").close()
        with pytest.raises(js.AmbiguousJSONError) as there:
            js.search(text, select="sole")
        assert here.value.matches == there.value.matches

    def test_behind_something_broken_all_is_kept(self, js, kept):
        text = '{"a": 1 "b"' + "word " * kept.ROOM
        stream = fed(js, text, 5000)
        assert len(stream._kept.text()) == len(text)

    def test_a_match_survives_pickling(self, js):
        import pickle

        text = "word " * 50_000 + '\n{"a": 1}'
        match = fed(js, text, 5000).close()
        assert type(match) is not js.Match
        assert pickle.loads(pickle.dumps(match)) == match


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("size", [1, 7])
def test_steps_are_linear(js, family, size):
    machine = importlib.import_module(f"{js.__name__}.machine")
    counted = []
    for length in (2_000, 6_000):
        text, stream = FAMILIES[family](length), js.Stream()
        before = machine.steps()
        for at in range(0, len(text), size):
            stream.feed(text[at : at + size])
        counted.append((machine.steps() - before) / max(1, len(text)))
    assert counted[1] <= 1000  # a decision that waits is taken afresh at each chunk, over at most so many characters
    assert counted[1] <= 1.3 * counted[0] + 20


def test_a_number_of_any_length_costs_its_length(js):
    machine = importlib.import_module(f"{js.__name__}.machine")
    before = machine.steps()
    stream = fed(js, "[" + "7" * 20_000 + ", 1", limits=js.Limits(max_digits=None))
    assert machine.steps() - before < 100_000
    assert stream.value == [float("inf")]


# what only odd texts show: text, the value shown at its end
ODD = [
    ("a fault in a string that was not shown", '["C:\\d', ["C:"]),
    ("a full-width brace", '｛"a": 1｝ {"b": 2}', {"b": 2}),
    ("a run of marks too wide for a fence", "`" * 100 + '\n{"a": 1}', {"a": 1}),
    ("marks in an info line", '```a`b\n{"a": 1}', {"a": 1}),
    ("a fence that stays open over an endless info line", "```" + "x" * 600 + '\n{"a": 1}', {"a": 1}),
    ("a fence and endless blanks", "```" + " " * 600 + '\n{"a": 1}', {"a": 1}),
    ("a fence that blanks follow", '```\nx\n```  \n{"a": 1}', {"a": 1}),
    ("a fence in a line", 'So ```json {"a": 1}``` and', {"a": 1}),
    ("a fence of another language", '```python\nx = 1\n```\n{"a": 1}', {"a": 1}),
    ("many braces in a row", "{" * 40 + '"a": 1', {}),
    ("a comment before the first name", '{\n// x\n"a": 1}', {}),
    ("a first name of colons", 'So {"a{:::::::::::::::b"', None),
    ("a word before a brace", "f{a: 1}", None),
    ("a square tag", '[TOOL_CALLS] [{"a": 1}]', [{"a": 1}]),
    ("a diamond tag", '◁think▷x◁/think▷{"a": 1}', {"a": 1}),
    ("reasoning inside a line", 'So <think>{"a": 1}</think> {"b": 2}', {"b": 2}),
    ("a sentence round a value", 'I will not run {"a": 1} today.\n\nIn a line {"b": 2}', {"b": 2}),
    ("a value that a call follows", 'x [["a"]](b)', None),
    ("a channel", '<|channel|>analysis<|message|>{"a": 1}<|end|><|channel|>final<|message|>{"b": 2}', {"b": 2}),
    ("an array of words", "[true] and [None, 1", [True]),
    ("an array that opens with a word", "[word", []),
    ("an array that opens with no word", "[word]", None),
]


@pytest.mark.parametrize("size", [1, 2, 1000])
@pytest.mark.parametrize(("text", "value"), [case[1:] for case in ODD], ids=[case[0] for case in ODD])
def test_odd_texts(js, text, value, size):
    stream = fed(js, text, size)
    assert stream.value == value


class TestOddEnds:
    def test_an_answer_that_was_not_shown(self, js):
        assert fed(js, '"a": 1, "b": 2}', repair="full").close() == js.search('"a": 1, "b": 2}', repair="full")

    @pytest.mark.parametrize("text", ["[1, 2, 'x']", '["a", nul]', '{"a": 1, b: 2}', '[1, 2 3]'])
    def test_the_value_behind_close_is_the_answers(self, js, text):
        stream = fed(js, text, repair="full", truncated="keep")
        match = stream.close()
        assert stream.value == match.value == js.search(text, repair="full", truncated="keep").value

    def test_items_of_another_value_than_the_answer(self, js):
        stream = fed(js, '{"list": [1, 2]}\n\nFinal answer:\n')
        assert stream.items("/list") == [1, 2]
        assert stream.feed('{"n": 3}').close().value == {"n": 3}

    def test_items_of_what_is_cut_count_from_the_first(self, js):
        stream = js.Stream(truncated="keep")
        taken = len(stream.feed('{"list": [' + '{"a": "b"}, ' * 20_000).items("/list"))
        taken += len(stream.feed('{"a": "b"}, ' * 20_000).items("/list"))
        match = stream.feed('{"a": "x').close()
        assert (taken, match.value, match.truncated_at) == (40_000, {"list": [{"a": "x"}]}, "/list/40000/a")

    def test_repairs_are_placed(self, js, module):
        text = "word " * module("kept_text").ROOM + "\n{'a': 1}"
        here, there = fed(js, text, 5000).close(), js.search(text)
        assert here.repairs == there.repairs
        assert here == there
        assert here != text

    def test_many_pieces_become_one(self, js, module):
        size = module("kept_text").PIECES
        stream = fed(js, "no JSON " * size)
        assert len(stream._kept._texts) < size
        assert stream.close() is None

    def test_astream_without_json(self, js):
        async def chunks():
            yield "nothing"

        async def main():
            return [value async for value in js.astream(chunks())]

        assert asyncio.run(main()) == []


QUIET = ["alpha beta gamma é ", "delta 😀 so. ", "final \n", "draft: ", "\n\n", " ", "\t"]
LOUD = [
    "[1] ", "see [text](link) ", "{name} ", "`code` ", "```\n", '```json\n{"a": 1}\n```\n', '{"b": 2}',
    '\n{"c": [1, {"d": 3}]}\n', "<b>", "\n[1, 2]\n", '{"a": 1,}', "<answer>", "</answer>", "${x}", '{ "k', "[", "{",
    "<think>", "</think>", " " * 30_000, "\n" * 30_000, '{"t": "' + "long " * 9000 + '"}',
]  # fmt: skip


@pytest.mark.parametrize("seed", range(12))
def test_what_is_let_go_does_not_change_the_answer(js, module, monkeypatch, seed):
    kept, rng = module("kept_text"), random.Random(seed)
    monkeypatch.setattr(kept, "ROOM", 1 << 12)
    parts = [rng.choice(["", "\n"]) + "<think>" + "".join(rng.choices(LOUD + QUIET, k=9)) * 40 + "</think>"] if seed % 3 else []
    for _ in range(rng.randrange(2, 6)):
        parts.append("".join(rng.choices(QUIET, k=40)) * rng.choice([1, 90]))
        parts.append(rng.choice(LOUD))
    text = "".join(parts) + ('\n```json\n{"z": 1}\n```\n' if seed % 2 else "")
    stream, size = js.Stream(), rng.choice([500, 5000, 50_000])
    for at in range(0, len(text), size):
        stream.feed(text[at : at + size])
    try:
        whole = js.search(text)
    except js.JSONScanError as error:
        with pytest.raises(type(error)) as here:
            stream.close()
        assert (here.value.msg, here.value.lineno, here.value.colno) == (error.msg, error.lineno, error.colno)
    else:
        match = stream.close()
        assert match == whole
        assert match is None or (match.span_utf16, match.colno, match.text) == (whole.span_utf16, whole.colno, whole.text)


def test_items_cut_anywhere_are_let_go(js):
    text = '{"items": [' + ", ".join(['{"id": [1, "' + "x" * 200 + '"]}'] * 3000) + "]}"
    stream, number, most = js.Stream(), 0, 0
    for at in range(0, len(text), 997):
        number += len(stream.feed(text[at : at + 997]).items("/items"))
        most = max(most, len(stream._kept.text()))
    assert (number, stream.close().value) == (3000, {"items": []})
    assert most < 150_000


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("word\n" * 40_000 + "word " * 4000 + '{"a": 1}', {}),  # the last line feed is far from the value: its column counts from there
        ("word " * 4000 + "word\n" * 40_000 + '{"a": 1}', {}),
        ('So ｛"a": "' + "word " * 60_000 + '"｝', {"repair": "full"}),  # read by repair, and all of it is the value
        (" " * 200_000 + "x" + " " * 200_000 + '{"a": 1}', {}),
    ],
)
def test_what_lies_far_away_and_matters_is_kept(js, text, options):
    match, whole = fed(js, text, 5000, **options).close(), js.search(text, **options)
    for name in ("value", "start", "end", "lineno", "colno", "source"):
        assert getattr(match, name) == getattr(whole, name)


@pytest.mark.parametrize("text", ["[null,{]", "[null,[1,{]", '[1,"a\\x', '[1,[2,"a\\x', '{"a": [1, {"b": "c\\x'])
def test_items_taken_behind_a_fault_do_not_move_the_place_of_what_is_open(js, text: str):
    for size in (1, 3, len(text)):
        stream, taken = js.Stream(repair="off"), []
        for at in range(0, len(text), size):
            stream.feed(text[at : at + size])
            stream.delta()
            taken += stream.items("/a" if text[0] == "{" else "")
        stream.delta()
        assert stream.delta() == []
        assert taken == [None if "null" in text else 1]


def test_items_of_an_item_that_is_handed_out_later(js):
    """What was taken out of an item moves with it: indices of the path count the items handed out."""
    stream = js.Stream()
    stream.feed('[["a"], ["b", "c"')
    assert (stream.items("/1"), stream.items(""), stream.value) == (["b"], [["a"]], [["c"]])
    stream.feed(', "d"], ["e"]]')
    assert (stream.items("/1"), stream.items(""), stream.value) == (["c", "d"], [[], ["e"]], [])
    assert stream.close().value == []


def test_items_of_a_name_that_is_given_another_value(js):
    """The answer has other items than those handed out, and says so."""
    stream = js.Stream()
    stream.feed('```json\n{"rows": ["a", "b"')
    assert stream.items("/rows") == ["a"]
    stream.feed(', "c"], "rows": 5}\n```')
    stream.close()
    with pytest.raises(js.AmbiguousJSONError):
        stream.items("/rows")


def test_a_draft_behind_the_answer_is_not_shown(js):
    stream = js.Stream()
    stream.feed('{"a": 1}\n\nDraft:\n{"a": 2}\n')
    assert stream.value == stream.close().value == {"a": 1}
