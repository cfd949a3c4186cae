"""`jsonscan.arrow.extract_column`: what comes in, what goes out, and that nothing about a row raises."""

from __future__ import annotations

import subprocess
import sys

import pyarrow as pa
import pytest

TEXTS = [
    '{"a": 1}',
    None,
    'é: ```json\n{"a": "x",}\n``` 😀',
    "nothing",
    '{"a": [1',
    "",
    "😀 so {'a': \"é\"} it is",
    "[" * 1001 + "]" * 1001,
    '{"a": 1} {"a": 2}',
]
ANSWERS = [
    ('{"a": 1}', True, "bare", 0, 8, True, [], None),
    (None, False, None, None, None, None, None, "null"),
    ('{"a": "x"}', True, "fence", 11, 22, True, ["trailing-comma"], None),
    (None, False, None, None, None, None, None, "no-json"),
    (None, False, None, None, None, None, None, "truncated"),
    (None, False, None, None, None, None, None, "no-json"),
    ('{"a": "é"}', True, "prose", 5, 15, True, ["single-quotes"], None),
    (None, False, None, None, None, None, None, "limit"),
    (None, False, None, None, None, None, None, "ambiguous"),
]


@pytest.fixture
def extract(module):
    return module("arrow").extract_column


def rows(column) -> list[tuple[object, ...]]:
    return [tuple(row.values()) for row in pa.chunked_array(column).to_pylist()]


@pytest.mark.parametrize("kind", ["string", "large_string", "string_view"])
def test_strings_of_every_layout(extract, kind):
    column = pa.array(TEXTS, getattr(pa, kind)())
    found = extract(column)
    found.validate(full=True)
    assert [tuple(row.values()) for row in found.to_pylist()] == ANSWERS
    assert isinstance(found, pa.StructArray)
    assert found.type.field("json").type == (pa.string() if kind == "string" else pa.large_string())


@pytest.mark.parametrize("kind", ["binary", "large_binary", "binary_view"])
def test_bytes_are_utf_8_or_have_a_code(extract, kind):
    column = pa.array([None if text is None else text.encode() for text in TEXTS] + [b'\xff{"a": 1}'], getattr(pa, kind)())
    found = extract(column).to_pylist()
    assert [tuple(row.values()) for row in found[:-1]] == ANSWERS
    assert (found[-1]["ok"], found[-1]["error"]) == (False, "encoding")


@pytest.mark.parametrize("kind", ["string", "large_string", "string_view"])
def test_a_string_column_that_holds_no_utf_8(extract, kind):
    same_bytes = {"string": pa.binary(), "large_string": pa.large_binary(), "string_view": pa.binary_view()}[kind]
    column = pa.array([b'{"a": 1}', b"\xc3", None, b"{}"], same_bytes).view(getattr(pa, kind)())
    assert [row["error"] for row in extract(column).to_pylist()] == [None, "encoding", "null", None]


def test_the_offsets_are_code_points_of_the_row(extract):
    for text, row in zip(TEXTS, extract(pa.array(TEXTS)).to_pylist()):
        if row["ok"] and not row["repairs"]:
            assert text[row["start"] : row["end"]] == row["json"]
    assert extract(pa.array(['😀é {"a": 1}'])).to_pylist()[0]["start"] == 3


@pytest.mark.parametrize("kind", ["string", "large_string"])
def test_dictionaries_give_what_plain_columns_give(extract, kind):
    texts = pa.array([*TEXTS, *TEXTS[::-1], "[1]"], getattr(pa, kind)())
    found = extract(texts.dictionary_encode())
    assert found.to_pylist() == extract(texts).to_pylist()
    found.validate(full=True)


def test_each_value_of_a_dictionary_is_read_once_and_unused_ones_never(extract, module, monkeypatch):
    seen = []
    reader = module("rows").reader
    monkeypatch.setattr(module("arrow"), "reader", lambda **options: lambda text: seen.append(text) or reader(**options)(text))
    values = pa.array(["[0]", "[1]", "[2]", None])
    found = extract(pa.DictionaryArray.from_arrays(pa.array([2, 0, None, 2, 3, 0]), values)).to_pylist()
    assert [row["json"] for row in found] == ["[2]", "[0]", None, "[2]", None, "[0]"]
    assert [row["error"] for row in found] == [None, None, "null", None, "null", None]
    assert sorted(seen, key=str) == [None, None, "[0]", "[2]"]


def test_chunks(extract):
    chunks = pa.chunked_array([TEXTS[:2], [], TEXTS[2:]], pa.string())
    assert rows(extract(chunks)) == ANSWERS
    encoded = pa.chunked_array([pa.array(TEXTS[:3]).dictionary_encode(), pa.array(TEXTS[2:]).dictionary_encode()])
    assert rows(extract(encoded)) == ANSWERS[:3] + ANSWERS[2:]
    assert rows(extract(pa.chunked_array([], pa.string()))) == []


def test_slices(extract):
    column = pa.array(["[0]", *TEXTS, "[9]"])
    assert [tuple(row.values()) for row in extract(column.slice(1, len(TEXTS))).to_pylist()] == ANSWERS


def test_columns_without_rows_or_without_texts(extract):
    empty = extract(pa.array([], pa.string()))
    assert (len(empty), empty.type) == (0, extract(pa.array(TEXTS)).type)
    assert [row["error"] for row in extract(pa.nulls(3)).to_pylist()] == ["null"] * 3
    assert len(extract(pa.array([], pa.string()).dictionary_encode())) == 0


@pytest.mark.parametrize(("rows_at_a_time", "bytes_at_a_time"), [(1, 1 << 20), (4, 1 << 20), (100, 1), (100, 40)])
def test_windows_do_not_show(extract, module, monkeypatch, rows_at_a_time, bytes_at_a_time):
    monkeypatch.setattr(module("arrow"), "WINDOW_ROWS", rows_at_a_time)
    monkeypatch.setattr(module("arrow"), "WINDOW_BYTES", bytes_at_a_time)
    for column in (pa.array(TEXTS), pa.array(TEXTS).dictionary_encode()):
        assert [tuple(row.values()) for row in extract(column).to_pylist()] == ANSWERS


class OnlyASchema:
    """What has `__arrow_c_schema__` and no more."""

    def __init__(self, schema: pa.Schema) -> None:
        self.schema = schema

    def __arrow_c_schema__(self):
        return self.schema.__arrow_c_schema__()


class OnlyAnArray:
    """What has `__arrow_c_array__` and no more."""

    def __init__(self, array: pa.Array) -> None:
        self.array = array

    def __arrow_c_array__(self, requested_schema=None):
        return self.array.__arrow_c_array__(requested_schema)


def test_a_single_array_stays_one(extract):
    found = extract(OnlyAnArray(pa.array(TEXTS)))
    assert isinstance(found, pa.StructArray)
    assert [tuple(row.values()) for row in found.to_pylist()] == ANSWERS


def test_an_extension_type_is_read_by_its_storage(extract):
    assert extract(pa.array(['{"a": 1}'], pa.json_())).to_pylist()[0]["json"] == '{"a": 1}'


def test_the_buffers_are_not_copied_on_the_way_in(extract, module):
    column = pa.array(TEXTS, pa.string())
    taken = module("arrow")._column(pa, OnlyAnArray(column))
    assert taken.buffers()[2].address == column.buffers()[2].address


@pytest.mark.parametrize(
    "column",
    [12, "text", ["{}"], pa.array([1]), pa.array([["{}"]]), pa.table({"a": ["{}"]})],
    ids=lambda column: type(column).__name__,
)
def test_what_is_no_column_of_text_is_a_type_error(extract, column):
    with pytest.raises(TypeError, match="expected"):
        extract(column)


def test_the_options_are_those_of_search(extract):
    column = pa.array(['{"a": [1', '{"a": 1} {"b": 2}', "[1]"])
    assert [row["complete"] for row in extract(column, truncated="keep").to_pylist()] == [False, None, True]
    assert [row["json"] for row in extract(column, select="last").to_pylist()] == [None, '{"b": 2}', "[1]"]
    assert [row["error"] for row in extract(column, expect="object").to_pylist()] == ["truncated", None, "no-json"]
    with pytest.raises(TypeError, match="nonsense"):
        extract(column, nonsense=1)
    with pytest.raises(ValueError, match="expect"):
        extract(column, expect="number")


# -- values of a schema

SCHEMA = pa.schema([("id", pa.int32()), ("score", pa.float64()), ("tags", pa.list_(pa.string())), ("at", pa.struct([("x", pa.bool_())]))])


def value(extract, text, schema=SCHEMA, **options):
    row = extract(pa.array([text]), schema=schema, **options).to_pylist()[0]
    assert row["ok"] == (row["error"] is None)
    return row["value"] if row["ok"] else row["error"]


def test_values_in_the_types_of_a_schema(extract):
    text = 'So: {"id": 1, "score": 2, "tags": ["é", null], "at": {"x": true}, "more": {}}'
    assert value(extract, text) == {"id": 1, "score": 2.0, "tags": ["é", None], "at": {"x": True}}
    assert value(extract, '{"id": 1}') == {"id": 1, "score": None, "tags": None, "at": None}
    assert extract(pa.array([text]), schema=SCHEMA).type.field("value").type == pa.struct(list(SCHEMA))


@pytest.mark.parametrize(
    "text",
    [
        '{"id": 1.5}', '{"id": 1.0}', '{"id": true}', '{"id": "1"}', '{"id": 2147483648}', '{"id": []}',
        '{"score": "2"}', '{"score": false}', '{"tags": "a"}', '{"tags": [1]}', '{"tags": {}}', '{"tags": ["\\ud800"]}',
        '{"at": []}', '{"at": {"x": 1}}', "[1]",
    ],
)  # fmt: skip
def test_a_value_that_does_not_fit_is_null_and_the_rest_of_the_row_stays(extract, text):
    row = extract(pa.array([text]), schema=SCHEMA).to_pylist()[0]
    assert row == {
        "json": text, "ok": False, "source": "bare", "start": 0, "end": len(text), "complete": True, "repairs": [],
        "error": "schema", "value": None,
    }  # fmt: skip


def test_rows_without_an_answer_have_no_value_either(extract):
    found = extract(pa.array(TEXTS), schema=pa.schema([("a", pa.string())])).to_pylist()
    assert [row["error"] for row in found] == ["schema", "null", None, "no-json", "truncated", "no-json", None, "limit", "ambiguous"]
    assert [row["value"] for row in found if row["value"]] == [{"a": "x"}, {"a": "é"}]


def test_schemas_of_other_kinds(extract):
    assert value(extract, "[[1], []]", pa.list_(pa.large_list(pa.uint8()))) == [[1], []]
    assert value(extract, "[256]", pa.list_(pa.uint8())) == "schema"
    assert value(extract, "[-1]", pa.list_(pa.uint8())) == "schema"
    assert value(extract, "[1e300, 1" + "0" * 400 + "]", pa.list_(pa.float64())) == "schema"
    assert value(extract, '{"a": 1}', OnlyASchema(pa.schema([("a", pa.int64())]))) == {"a": 1}
    assert value(extract, '{"a": null}', pa.struct([("a", pa.null())])) == {"a": None}
    required = pa.struct([pa.field("a", pa.list_(pa.field("item", pa.int64(), nullable=False)), nullable=False)])
    assert value(extract, '{"a": [1]}', required) == {"a": [1]}
    assert value(extract, '{"a": [null]}', required) == value(extract, "{}", required) == "schema"
    for unknown in (pa.schema([("a", pa.date32())]), pa.map_(pa.string(), pa.int64()), "int64"):
        with pytest.raises(TypeError, match="schema"):
            extract(pa.array(["{}"]), schema=unknown)


def test_options_that_shape_the_value(extract):
    big, twice = '{"a": 9007199254740993}', '{"a": "x", "a": "y"}'
    text_a, float_a = pa.schema([("a", pa.string())]), pa.schema([("a", pa.float64())])
    assert value(extract, big, text_a, big_int="str") == {"a": "9007199254740993"}
    assert value(extract, twice, text_a, duplicate_keys="first") == {"a": "x"}
    assert value(extract, twice, text_a) == {"a": "y"}
    assert value(extract, '{"a": Infinity}', float_a, nonfinite="allow") == {"a": float("inf")}
    assert value(extract, '{"a": Infinity}', float_a, nonfinite="null") == {"a": None}


def test_a_dictionary_may_have_a_schema_too(extract):
    column = pa.array(['{"a": 1}', None, '{"a": "x"}', '{"a": 1}']).dictionary_encode()
    found = extract(column, schema=pa.schema([("a", pa.int64())])).to_pylist()
    assert [row["value"] for row in found] == [{"a": 1}, None, None, {"a": 1}]
    assert [row["error"] for row in found] == [None, "null", "schema", None]


def test_a_value_that_its_repairs_made_deeper_than_allowed_does_not_fit(extract, module):
    kind, options = pa.list_(pa.struct([("a", pa.int64())])), {"repair": "full", "limits": module("model").Limits(max_depth=1)}
    assert value(extract, '{"a": 1}, {"a": 2}', kind, repair="full") == [{"a": 1}, {"a": 2}]
    assert value(extract, '{"a": 1}, {"a": 2}', kind, **options) == "schema"


def test_without_pyarrow_the_error_names_the_extra(extract, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"pip install 'jsonscan\[arrow\]'"):
        extract([])


def test_importing_takes_no_pyarrow():
    code = "import sys, jsonscan.arrow; sys.exit('pyarrow' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
