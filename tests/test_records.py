"""The records of the package: dataclasses and named tuples to whoever looks at them, though `dataclasses` is not loaded to make them."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import subprocess
import sys
from types import ModuleType
from typing import Any

import pytest

SEEN = "import sys; from jsonscan import search, repair; search('a {\"b\": [1,]}').repairs; repair('[1,]'); print(*sys.modules)"


@dataclasses.dataclass(frozen=True, slots=True)
class Repair:
    """As it would be made by `dataclasses`."""

    code: str
    start: int
    end: int
    removed: str
    inserted: str
    path: str
    risk: str


@dataclasses.dataclass(frozen=True, slots=True)
class Repaired:
    text: str
    value: Any
    repairs: tuple[Repair, ...] = ()
    complete: bool = True


ARGUMENTS = {"Repair": ("trailing-comma", 2, 3, ",", "", "/a", "lossless"), "Repaired": ("{}", {})}


@pytest.fixture(params=[Repair, Repaired], ids=lambda real: real.__name__)
def pair(request: Any, js: ModuleType) -> tuple[Any, Any]:
    """A record of the package, and its twin."""
    real = request.param
    return getattr(js, real.__name__)(*ARGUMENTS[real.__name__]), real(*ARGUMENTS[real.__name__])


def said(call: Any) -> tuple[type, str]:
    with pytest.raises((AttributeError, TypeError)) as caught:
        call()
    return caught.type, str(caught.value)


def test_a_record_looks_like_a_dataclass(pair: tuple[Any, Any]) -> None:
    record, twin = pair
    assert repr(record) == repr(twin)
    assert type(record).__match_args__ == type(twin).__match_args__
    assert [*inspect.signature(type(record)).parameters] == [*inspect.signature(type(twin)).parameters]
    assert not hasattr(record, "__dict__")


def test_the_functions_of_dataclasses_take_a_record(pair: tuple[Any, Any]) -> None:
    record, twin = pair
    assert dataclasses.is_dataclass(record) and dataclasses.is_dataclass(type(record))
    assert dataclasses.asdict(record) == dataclasses.asdict(twin)
    assert dataclasses.astuple(record) == dataclasses.astuple(twin)
    ours, theirs = dataclasses.fields(record), dataclasses.fields(twin)
    assert [(each.name, each.default) for each in ours] == [(each.name, each.default) for each in theirs]
    name = ours[0].name
    assert repr(dataclasses.replace(record, **{name: "other"})) == repr(dataclasses.replace(twin, **{name: "other"}))
    assert dataclasses.replace(record) == record


def test_a_record_is_equal_to_its_like_alone(pair: tuple[Any, Any]) -> None:
    record, twin = pair
    assert record == copy.copy(record) == copy.deepcopy(record) == pickle.loads(pickle.dumps(record))
    assert record != twin
    first = dataclasses.fields(record)[0].name
    assert record != dataclasses.replace(record, **{first: "other"})


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_a_record_is_pickled_by_every_protocol(pair: tuple[Any, Any], protocol: int) -> None:
    assert pickle.loads(pickle.dumps(pair[0], protocol)) == pair[0]


def test_a_record_is_frozen_with_the_words_of_a_dataclass(pair: tuple[Any, Any]) -> None:
    record, twin = pair
    name = dataclasses.fields(record)[0].name
    assert said(lambda: setattr(record, name, 1)) == said(lambda: setattr(twin, name, 1))
    assert said(lambda: delattr(record, name)) == said(lambda: delattr(twin, name))
    with pytest.raises(dataclasses.FrozenInstanceError):
        record.nonsense = 1


def test_a_wrong_call_says_what_a_dataclass_says(js: ModuleType) -> None:
    assert said(lambda: js.Repair("x")) == said(lambda: Repair("x"))  # type: ignore[call-arg]
    assert said(lambda: js.Repaired("x", 1, nonsense=2)) == said(lambda: Repaired("x", 1, nonsense=2))  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="positional"):
        js.Options("object")


def test_records_are_hashed_by_what_they_hold(js: ModuleType) -> None:
    assert len({js.Repair(*ARGUMENTS["Repair"]), js.Repair(*ARGUMENTS["Repair"]), js.Limits()}) == 2


def test_the_named_tuples_are_named_tuples(module: Any) -> None:
    fence = module("landmarks").Fence(0, 8, 10, 13, 3, "json")
    assert fence.is_json and not fence.is_text
    assert fence == (0, 8, 10, 13, 3, "json")
    assert repr(fence) == "Fence(start=0, content=8, end=10, after=13, width=3, info='json')"
    assert fence._replace(info="text").is_text
    assert pickle.loads(pickle.dumps(fence)) == fence
    assert not hasattr(fence, "__dict__")


def test_reading_and_mending_load_no_dataclasses() -> None:
    done = subprocess.run([sys.executable, "-S", "-c", f"import sys; sys.path[:] = {sys.path!r}; {SEEN}"], capture_output=True, check=True)
    assert not {"dataclasses", "inspect", "ast", "tokenize"} & set(done.stdout.decode().split())
