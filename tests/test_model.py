"""Options, Limits, Match, Repair and Repaired: frozen, comparable, picklable, and right about offsets."""

from __future__ import annotations

import pickle
import sys
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import pytest


def make(js: Any, string: str = "a😀 [1]\nx", start: int = 3, end: int = 6) -> Any:
    return js.Match(string, [1], start, end, "prose")


def test_a_match_knows_its_place_in_every_unit(js: Any) -> None:
    match = make(js)
    assert match.text == "[1]"
    assert match.span() == (3, 6)
    assert match.span_utf16 == (4, 7)
    assert match.span_bytes == (6, 9)
    assert (match.lineno, match.colno) == (1, 4)


def test_line_and_column_count_from_one(js: Any) -> None:
    match = make(js, "ab\n\n [1]", 5, 8)
    assert (match.lineno, match.colno) == (3, 2)


def test_lone_surrogates_have_offsets_too(js: Any) -> None:
    match = make(js, "\ud800[1]", 1, 4)
    assert match.span_utf16 == (1, 4)
    assert match.span_bytes == (3, 6)


def test_a_match_is_frozen_comparable_and_picklable(js: Any) -> None:
    match = make(js)
    with pytest.raises(AttributeError):
        match.value = 2
    with pytest.raises(AttributeError):
        del match.value
    assert match == make(js)
    assert hash(match) == hash(make(js))
    assert match != make(js, end=5)
    assert match != "[1]"
    assert pickle.loads(pickle.dumps(match)) == match


def test_a_match_shows_what_matters(js: Any) -> None:
    assert repr(make(js)) == "<jsonscan.Match span=(3, 6), source='prose', text='[1]'>"
    cut = js.Match("[" + "1, " * 40, [1], 0, 121, complete=False, truncated_at="/40")
    assert "truncated_at='/40'" in repr(cut)
    assert repr(cut).endswith("...'>")


def test_options_refuse_what_they_do_not_know(js: Any) -> None:
    for name in ("expect", "repair", "truncated", "select", "duplicate_keys", "nonfinite", "big_int", "fragments"):
        with pytest.raises(ValueError, match=f"{name} must be one of"):
            js.Options(**{name: "perhaps"})
    with pytest.raises(TypeError, match="limits"):
        js.Options(limits={"max_depth": 3})
    with pytest.raises(TypeError):
        js.Options(repairs="full")


@pytest.mark.parametrize("bound", [0, -1, 1.5, "9"])
def test_limits_are_positive_integers_or_none(js: Any, bound: Any) -> None:
    with pytest.raises(ValueError, match="max_depth must be a positive integer or None"):
        js.Limits(max_depth=bound)
    assert js.Limits(max_depth=None).max_depth is None


def test_options_are_hashable_and_picklable(js: Any) -> None:
    options = js.Options(expect="object", limits=js.Limits(max_input=7))
    assert pickle.loads(pickle.dumps(options)) == options
    assert {options: 1}[js.Options(expect="object", limits=js.Limits(max_input=7))] == 1


def test_repairs_are_values(js: Any) -> None:
    edit = js.Repair("trailing-comma", 2, 3, ",", "", "/a", "lossless")
    assert pickle.loads(pickle.dumps(edit)) == edit
    assert not js.Repaired("{}", {}).changed
    assert js.Repaired("{}", {}, (edit,)).changed


# -- Match.to


@dataclass
class Inner:
    n: int


@dataclass
class Outer:
    name: str
    one: Inner
    many: list[Inner] = field(default_factory=list)
    by_name: dict[str, Inner] = field(default_factory=dict)
    perhaps: Inner | None = None


VALUE = {"name": "x", "one": {"n": 1}, "many": [{"n": 2}], "by_name": {"k": {"n": 3}}, "perhaps": {"n": 4}}


def test_to_a_dataclass_with_dataclasses_inside(js: Any) -> None:
    made = js.Match("", VALUE, 0, 0).to(Outer)
    assert made == Outer("x", Inner(1), [Inner(2)], {"k": Inner(3)}, Inner(4))
    assert js.Match("", {"name": "x", "one": {"n": 1}, "perhaps": None}, 0, 0).to(Outer).perhaps is None
    with pytest.raises(TypeError):
        js.Match("", {"nome": "x"}, 0, 0).to(Inner)


def test_to_any_callable(js: Any) -> None:
    assert js.Match("[1]", [1, 1], 0, 3).to(set) == {1}


def test_to_a_model_that_validates_itself(js: Any) -> None:
    class Model:
        @classmethod
        def model_validate(cls, value: Any) -> Any:
            return "validated", value

    class Adapter:
        def validate_python(self, value: Any) -> Any:
            return "adapted", value

    match = js.Match("", {"n": 1}, 0, 0)
    assert match.to(Model) == ("validated", {"n": 1})
    assert match.to(Adapter()) == ("adapted", {"n": 1})


@pytest.mark.parametrize(
    ("mark", "library", "function"), [("__struct_fields__", "msgspec", "convert"), ("__attrs_attrs__", "cattrs", "structure")]
)
def test_to_a_model_of_another_library(
    js: Any, monkeypatch: pytest.MonkeyPatch, mark: str, library: str, function: str
) -> None:
    """The libraries themselves are tried in tests/models."""
    model = type("Model", (), {mark: ()})
    called = ModuleType(library)
    setattr(called, function, lambda value, kind: (kind, value))
    monkeypatch.setitem(sys.modules, library, called)
    assert js.Match("", {"n": 1}, 0, 0).to(model) == (model, {"n": 1})


@dataclass
class Tree:
    branches: list[Tree]


def test_to_a_list_dict_or_optional(js: Any) -> None:
    match = js.Match("", [{"n": 1}, {"n": 2}], 0, 0)
    assert match.to(list[Inner]) == [Inner(1), Inner(2)]
    assert match.to(list) == match.value
    assert match.to(list[Inner] | None) == [Inner(1), Inner(2)]
    assert js.Match("", {"a": [{"n": 1}]}, 0, 0).to(dict[str, list[Inner]]) == {"a": [Inner(1)]}
    assert js.Match("", None, 0, 0).to(Inner | None) is None
    with pytest.raises(TypeError, match="the value is no list, but a dict"):
        js.Match("", {"n": 1}, 0, 0).to(list[Inner])
    with pytest.raises(TypeError, match="the value is no dict, but a list"):
        match.to(dict[str, Inner])
    odd = js.Match("", {"name": "x", "one": {"n": 1}, "many": "none"}, 0, 0).to(Outer)
    assert odd.many == "none"  # a dataclass does not check what it is given


def test_to_one_of_several_only_where_one_alone_takes_an_object(js: Any) -> None:
    @dataclass
    class Either:
        one: Inner | str
        other: Inner | Outer

    made = js.Match("", {"one": {"n": 1}, "other": {"n": 1}}, 0, 0).to(Either)
    assert made == Either(Inner(1), {"n": 1})
    assert js.Match("", {"one": "x", "other": None}, 0, 0).to(Either) == Either("x", None)


def test_to_a_model_does_not_recurse(js: Any) -> None:
    value: dict[str, Any] = {"branches": []}
    for _ in range(20_000):
        value = {"branches": [value]}
    tree, depth = js.Match("", value, 0, 0).to(Tree), 0
    while tree.branches:
        (branch,) = tree.branches
        tree.branches.clear()  # or taking it apart would recurse
        tree, depth = branch, depth + 1
    assert depth == 20_000
