"""A column of responses in, a column of answers out, for anything that speaks Arrow. Needs pyarrow: `pip install 'jsonscan[arrow]'`.

The column that comes out is a struct with the fields of `rows.COLUMNS`. No row raises: where there is no answer, `ok` is false, `error`
has the code and the other fields are null.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from .errors import JSONScanError
from .model import Options
from .records import replace
from .rows import COLUMNS, Row, failed, reader
from .scanner import compile

# A window is what is read and built at a time: enough rows that the cost of a window does not show, few enough bytes that its Python
# strings, which are about three times as large, do not show beside the column itself.
WINDOW_ROWS: Final = 4096
WINDOW_BYTES: Final = 16 << 20
_MISSING: Final = "jsonscan.arrow needs pyarrow, which is not installed: pip install 'jsonscan[arrow]'"


def extract_column(array: Any, *, schema: Any = None, **options: Any) -> Any:
    """The answers in a column of responses, as `search` finds them under these options.

    `array` is anything with the Arrow PyCapsule interface (`__arrow_c_array__` or `__arrow_c_stream__`): an array, chunked array or
    series of pyarrow, Polars, DuckDB, pandas or nanoarrow. It holds strings of any Arrow layout, or bytes in UTF-8, plain or as a
    dictionary, whose values are read once each. It is taken over without a copy; Python strings are made of a window at a time.

    Returns a pyarrow `StructArray`, for what comes in chunks a `ChunkedArray`; other libraries take both through the same interface.
    Its fields:

        json      text of the value, strict JSON: as it stands in the response, with its repairs applied
        ok        whether there is one
        source    "bare", "fence", "tag" or "prose"
        start     its offset in the response, in code points, not bytes
        end       the offset behind it
        complete  false where the response ended inside it and truncated="keep" kept what there was
        repairs   codes of the edits, each once, in order of their first
        error     null, or the `code` of the `JSONScanError` that `search` raises, "no-json" where it finds none, "null" for a null,
                  "encoding" for bytes that are no UTF-8
        value     only where `schema` is given: the value in this Arrow type

    `schema` is a pyarrow schema (of an object's members) or data type, or anything with `__arrow_c_schema__`, made of structs, lists,
    strings, numbers, booleans and nulls. Members that it does not name are left out, those that are missing are null, and nothing is
    converted: a value that does not fit is null, with the error "schema" and `ok` false, in a row that is else as it was. `big_int`,
    `nonfinite` and `duplicate_keys` shape this value, not the text in `json`.

    Raises ImportError without pyarrow, TypeError for anything but a column of text or a schema of other types, and what `Options`
    raises. Safe to call from several threads, and without state, so an engine may call it again for rows it lost. O(text).
    """
    pa = _pyarrow()
    column = _column(pa, array)
    pieces = list(_Answers(pa, column.type, schema, options).pieces(column))
    if isinstance(column, pa.ChunkedArray):
        return pa.chunked_array(pieces)
    return pieces[0] if len(pieces) == 1 else pa.concat_arrays(pieces)


def _pyarrow() -> Any:
    try:
        import pyarrow
        import pyarrow.compute
    except ImportError as error:
        raise ImportError(_MISSING) from error
    return pyarrow


def _column(pa: Any, array: Any) -> Any:
    """The same column as an array or chunked array of pyarrow."""
    if isinstance(array, (pa.Array, pa.ChunkedArray)):
        column = array
    elif hasattr(array, "__arrow_c_stream__"):
        column = pa.chunked_array(array)
    elif hasattr(array, "__arrow_c_array__"):
        column = pa.array(array)
    else:
        raise TypeError(f"expected an Arrow array, not {type(array).__name__}")
    if isinstance(column.type, pa.BaseExtensionType):
        column = column.cast(column.type.storage_type)
    return column


class _Answers:
    """What turns a column of this type into pieces of the result."""

    def __init__(self, pa: Any, column_type: Any, schema: Any, options: dict[str, Any]) -> None:
        self.pa = pa
        text_type = column_type.value_type if pa.types.is_dictionary(column_type) else column_type
        if str(text_type) not in _BINARY:
            raise TypeError(f"expected a column of text, not of {column_type}")
        self._row = reader(**options)
        json = pa.string() if text_type == column_type == pa.string() else pa.large_string()
        names = {"json": json, "ok": pa.bool_(), "start": pa.int64(), "end": pa.int64(), "complete": pa.bool_()}
        self._types = [names.get(name, pa.list_(pa.string()) if name == "repairs" else pa.string()) for name in COLUMNS]
        self._values = None if schema is None else _Values(pa, schema, options)
        self._fields = [*map(pa.field, COLUMNS, self._types)]
        if self._values is not None:
            self._fields.append(pa.field("value", self._values.type))

    def pieces(self, column: Any) -> Iterator[Any]:
        """Yield the result for an array or a chunked array, one piece at least."""
        pa = self.pa
        chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
        if pa.types.is_dictionary(column.type):
            yield from self._by_distinct(chunks)
            return
        for chunk in chunks or [pa.array([], column.type)]:
            yield from self._by_windows(chunk)

    def _by_windows(self, array: Any) -> Iterator[Any]:
        rows = max(1, min(WINDOW_ROWS, WINDOW_BYTES * len(array) // max(1, array.nbytes)))
        for start in range(0, len(array) or 1, rows):
            yield self._built([self._answer(text) for text in self._texts(array.slice(start, rows))])

    def _by_distinct(self, chunks: list[Any]) -> Iterator[Any]:
        """Dictionaries: the values that are used are read, once each in a chunk, however long the dictionary is."""
        pa = self.pa
        for chunk in chunks:
            used = chunk.indices.unique().drop_null()
            texts = self._takeable(chunk.dictionary).take(used)
            answers = pa.concat_arrays([*self._by_windows(texts), self._built([self._row(None)])])
            at = pa.compute.index_in(chunk.indices, value_set=used)
            yield answers.take(at.fill_null(len(used)))

    def _takeable(self, array: Any) -> Any:
        """The same texts in a layout that pyarrow's `take` knows: views are none."""
        large = {"string_view": self.pa.large_string(), "binary_view": self.pa.large_binary()}.get(str(array.type))
        return array if large is None else array.cast(large)

    def _texts(self, window: Any) -> list[Any]:
        """Each row as a str, or as bytes where it is no UTF-8, or None."""
        try:
            texts: list[Any] = window.to_pylist()
        except UnicodeDecodeError:
            texts = window.cast(getattr(self.pa, _BINARY[str(window.type)])()).to_pylist()
        return [_decoded(text) if type(text) is bytes else text for text in texts]

    def _answer(self, text: Any) -> Row:
        return failed("encoding") if type(text) is bytes else self._row(text)

    def _built(self, rows: list[Row]) -> Any:
        """The rows as a struct array."""
        columns: list[Any] = [*map(list, zip(*rows))] if rows else [[] for _ in COLUMNS]
        values = [] if self._values is None else [self._values.of(columns)]
        arrays = [*map(self.pa.array, columns, self._types), *values]
        return self.pa.StructArray.from_arrays(arrays, fields=self._fields)


# The types of text there are, and how pyarrow calls each one's bytes.
_BINARY: Final = {
    "string": "binary", "large_string": "large_binary", "string_view": "binary_view",
    "binary": "binary", "large_binary": "large_binary", "binary_view": "binary_view", "null": "null",
}  # fmt: skip


def _decoded(raw: bytes) -> str | bytes:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw


Fits = Callable[[Any], bool]
_UNFIT: Final = object()
_BEYOND_DOUBLE: Final = 1 << 1023


class _Values:
    """What reads the JSON texts once more, into values of an Arrow type."""

    def __init__(self, pa: Any, schema: Any, options: dict[str, Any]) -> None:
        self.pa = pa
        self.type = _data_type(pa, schema)
        self._fits = _fitting(pa, self.type)
        given = Options(**options)
        self._loads = compile(
            expect="any", repair="off", big_int=given.big_int, nonfinite=given.nonfinite, duplicate_keys=given.duplicate_keys,
            limits=replace(given.limits, max_input=None),
        ).loads  # fmt: skip

    def of(self, columns: list[Any]) -> Any:
        """The values in the rows of which these are the columns; those that do not fit are marked there."""
        texts, ok, error = (columns[COLUMNS.index(name)] for name in ("json", "ok", "error"))
        values = [self._value(text) if found else None for text, found in zip(texts, ok)]
        for at, value in enumerate(values):
            if value is _UNFIT:
                values[at], ok[at], error[at] = None, False, "schema"
        return self.pa.array(values, self.type)

    def _value(self, text: str) -> Any:
        try:
            value = self._loads(text)
        except JSONScanError:  # the brackets of a root array, which a repair put round it, count for max_depth now
            return _UNFIT
        return value if self._fits(value) else _UNFIT


def _data_type(pa: Any, schema: Any) -> Any:
    if isinstance(schema, pa.DataType):
        return schema
    if not isinstance(schema, pa.Schema):
        if not hasattr(schema, "__arrow_c_schema__"):
            raise TypeError(f"expected an Arrow schema or type, not {type(schema).__name__}")
        schema = pa.schema(schema)
    return pa.struct(list(schema))


def _fitting(pa: Any, kind: Any) -> Fits:
    """Whether a JSON value fits this Arrow type as it is. Decided here, because pyarrow would cut 3.5 to the integer 3 and say nothing."""
    types = pa.types
    if types.is_struct(kind):
        return _struct_fits({field.name: (field.nullable, _fitting(pa, field.type)) for field in kind})
    if types.is_list(kind) or types.is_large_list(kind):
        nullable, fits = kind.value_field.nullable, _fitting(pa, kind.value_type)
        return lambda value: isinstance(value, list) and all(nullable if item is None else fits(item) for item in value)
    if types.is_integer(kind):
        signed = types.is_signed_integer(kind)
        least, most = (-(1 << kind.bit_width - 1), (1 << kind.bit_width - 1) - 1) if signed else (0, (1 << kind.bit_width) - 1)
        return lambda value: type(value) is int and least <= value <= most
    if types.is_floating(kind):
        return lambda value: type(value) is float or (type(value) is int and abs(value) < _BEYOND_DOUBLE)
    if types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind):
        return lambda value: isinstance(value, str) and _is_encodable(value)
    if types.is_boolean(kind):
        return lambda value: isinstance(value, bool)
    if types.is_null(kind):
        return lambda value: value is None
    raise TypeError(f"a schema of JSON values cannot hold {kind}")


def _struct_fits(members: dict[str, tuple[bool, Fits]]) -> Fits:
    def fits(value: Any) -> bool:
        return isinstance(value, dict) and all(
            nullable if value.get(name) is None else fit(value[name]) for name, (nullable, fit) in members.items()
        )

    return fits


def _is_encodable(text: str) -> bool:
    """Is it free of lone surrogates, which UTF-8 cannot hold?"""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
