"""`Match.to` with the libraries themselves."""

from __future__ import annotations

import dataclasses
import enum

import attrs
import cattrs
import msgspec
import pydantic
import pytest

import jsonscan

RAW = 'So: {"name": "x", "one": {"n": 1}, "many": [{"n": 2}], "by": {"k": {"n": 3}}, "maybe": null}'


class PydanticInner(pydantic.BaseModel):
    n: int


class PydanticOuter(pydantic.BaseModel):
    name: str
    one: PydanticInner
    many: list[PydanticInner]
    by: dict[str, PydanticInner]
    maybe: PydanticInner | None


class MsgspecInner(msgspec.Struct):
    n: int


class MsgspecOuter(msgspec.Struct):
    name: str
    one: MsgspecInner
    many: list[MsgspecInner]
    by: dict[str, MsgspecInner]
    maybe: MsgspecInner | None


@attrs.define
class AttrsInner:
    n: int


@attrs.define
class AttrsOuter:
    name: str
    one: AttrsInner
    many: list[AttrsInner]
    by: dict[str, AttrsInner]
    maybe: AttrsInner | None


@dataclasses.dataclass
class PlainInner:
    n: int


@dataclasses.dataclass
class PlainOuter:
    name: str
    one: PlainInner
    many: list[PlainInner]
    by: dict[str, PlainInner]
    maybe: PlainInner | None


@pydantic.dataclasses.dataclass
class CheckedInner:
    n: int


@pydantic.dataclasses.dataclass
class CheckedOuter:
    name: str
    one: CheckedInner
    many: list[CheckedInner]
    by: dict[str, CheckedInner]
    maybe: CheckedInner | None


FAMILIES = {
    "pydantic": (PydanticOuter, PydanticInner),
    "msgspec": (MsgspecOuter, MsgspecInner),
    "attrs": (AttrsOuter, AttrsInner),
    "dataclass": (PlainOuter, PlainInner),
    "pydantic-dataclass": (CheckedOuter, CheckedInner),
}


@pytest.fixture(params=FAMILIES)
def family(request):
    return FAMILIES[request.param]


def made(outer, inner):
    return outer(name="x", one=inner(n=1), many=[inner(n=2)], by={"k": inner(n=3)}, maybe=None)


def test_a_model_and_those_inside_it(family):
    assert jsonscan.search(RAW).to(family[0]) == made(*family)


def test_lists_dicts_and_optionals_of_models(family):
    inner = family[1]
    assert jsonscan.search('[{"n": 1}, {"n": 2}]').to(list[inner]) == [inner(n=1), inner(n=2)]
    assert jsonscan.search('{"a": {"n": 1}}').to(dict[str, inner]) == {"a": inner(n=1)}
    assert jsonscan.search('{"a": [{"n": 1}]}').to(dict[str, list[inner]]) == {"a": [inner(n=1)]}
    assert jsonscan.search('{"n": 1}').to(inner | None) == inner(n=1)
    assert jsonscan.search("null", expect="any").to(inner | None) is None


@pytest.mark.parametrize("inner", [each[1] for each in FAMILIES.values()], ids=FAMILIES)
def test_models_of_any_library_inside_a_dataclass(inner):
    outer = dataclasses.make_dataclass("Outer", [("one", inner), ("many", list[inner]), ("maybe", inner | None, None)])
    assert jsonscan.search('{"one": {"n": 1}, "many": [{"n": 2}]}').to(outer) == outer(inner(n=1), [inner(n=2)])


@pytest.mark.parametrize(
    ("model", "error"),
    [
        (PydanticInner, pydantic.ValidationError),
        (MsgspecInner, msgspec.ValidationError),
        (AttrsInner, cattrs.ClassValidationError),
        (PlainInner, TypeError),
        (CheckedInner, pydantic.ValidationError),
    ],
)
def test_what_does_not_fit_is_the_librarys_own_error(model, error):
    with pytest.raises(error):
        jsonscan.search('{"m": "x"}').to(model)
    with pytest.raises(error):
        jsonscan.search('[{"n": 1}, {"m": "x"}]').to(list[model])


def test_a_type_adapter():
    adapter = pydantic.TypeAdapter(list[PydanticInner])
    assert jsonscan.search('[{"n": "1"}]').to(adapter) == [PydanticInner(n=1)]


def test_the_alternatives_are_the_librarys_to_choose_from():
    class Other(pydantic.BaseModel):
        kind: str

    assert jsonscan.search('{"kind": "x"}').to(pydantic.TypeAdapter(PydanticInner | Other)) == Other(kind="x")


def test_a_truncated_value_is_no_model_by_accident():
    match = jsonscan.search('{"name": "x", "one": {"n": 1', truncated="keep")
    with pytest.raises(pydantic.ValidationError):
        match.to(PydanticOuter)


def test_other_callables_get_the_value():
    class Colour(enum.Enum):
        RED = "red"

    assert jsonscan.search('"red"', expect="any").to(Colour) is Colour.RED
    assert jsonscan.search("[1, 2]").to(sum) == 3
