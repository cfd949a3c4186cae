"""A pytest plugin: the corpus as test items for Python implementations. Off unless asked for.

    pytest --conformance mypackage.adapter        a module, or ``module:object``, with the functions below
    pytest --conformance mypackage.adapter --conformance-id json-parse.numbers

Each case is one item whose node id ends with the case's id: ``conformance::json-parse.numbers.minus-zero``. The object has any of
the functions ``json_parse(text)``, ``extract_json_object(text)``, ``extract_json(text)``, ``try_extract_json(text)``, which return
Python values; ``json_parse`` raises ``ValueError`` for a text that is no JSON, ``extract_json`` an exception with a ``code`` and,
where the original's message holds one, a ``preview``. Cases of functions that are not there are not collected; when none are, that
is an error. Without ``--conformance`` nothing happens at all.
"""

from __future__ import annotations

import importlib
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from .runner.model import CORE, PACKAGE, Case, load_corpus, select
from .runner.operations import brief, judge_answer, preview
from .runner.text import write_string
from .runner.values import EXACT, STRICT

OPTION = "--conformance"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options."""
    group = parser.getgroup("conformance", "the jsonscan corpus")
    group.addoption(OPTION, metavar="MODULE[:OBJECT]", help="run the corpus against this Python implementation")
    group.addoption(
        "--conformance-id", action="append", default=[], metavar="PATTERN", help="only cases with ids like this"
    )
    group.addoption("--conformance-corpus", metavar="DIR", help="another directory of cases")


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(session: pytest.Session, items: list[pytest.Item]) -> Iterator[None]:
    """Add the corpus to the items, before they are selected or put in order."""
    name = session.config.getoption(OPTION)
    if name:
        items.extend(Corpus.from_parent(session, name="conformance", nodeid="conformance").collect())
    yield


class Corpus(pytest.Collector):
    """All cases of the functions there are."""

    def collect(self) -> list[pytest.Item]:
        """One item a case. Raises UsageError when there is none."""
        given = self.config.getoption("--conformance-corpus")
        name = self.config.getoption(OPTION)
        target = implementation(name)
        cases = select(
            load_corpus(Path(given) if given else PACKAGE / "cases").cases, self.config.getoption("--conformance-id")
        )
        wanted = [case for case in cases if case.operation in CORE and callable(getattr(target, case.operation, None))]
        if not wanted:
            raise pytest.UsageError(f"{OPTION} {name}: no case of the corpus is for what it has")
        return [Item.from_parent(self, name=case.id, case=case, target=target) for case in wanted]


def implementation(name: str) -> Any:
    """The module or object of that name. Raises UsageError."""
    module, _, attribute = name.partition(":")
    try:
        target = importlib.import_module(module)
        return getattr(target, attribute) if attribute else target
    except (ImportError, AttributeError) as error:
        raise pytest.UsageError(f"{OPTION} {name}: {error}") from None


class Wrong(Exception):
    """A case that is not met."""


class Item(pytest.Item):
    """One case."""

    def __init__(self, *, case: Case, target: Any, **rest: Any) -> None:
        super().__init__(**rest)
        self.case = case
        self.function: Callable[[Any], Any] = getattr(target, case.operation)

    def runtest(self) -> None:
        """Ask, and compare. Raises Wrong; a case of level host is an expected failure where it differs."""
        try:
            difference, _ = judge_answer(self.case, answer_of(self.case, self.function), STRICT)
        except Exception as error:
            if self.case.level != "host":
                raise
            difference = f"{type(error).__name__}: {error}"
        if difference and self.case.level == "host":
            pytest.xfail(f"hosts differ here by design: {difference}")
        if difference:
            raise Wrong(difference)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What was expected, what came, and why the case is there."""
        if not isinstance(excinfo.value, Wrong):
            return super().repr_failure(excinfo, style)
        record = self.case.record
        expected = " or ".join(brief(one) for one in self.case.expectations)
        return (
            f"{record['title']}\n  {excinfo.value}\n  input:    {preview(self.case, 400)}\n  expected: {expected}\n"
            f"  rules:    {', '.join(record.get('rules', ()))}\n  catches:  {record['why']}"
        )

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where the case stands."""
        return PACKAGE / "cases" / self.case.file, None, self.case.id


def answer_of(case: Case, function: Callable[[Any], Any]) -> dict[str, Any]:
    """The answer of the protocol that a function's result amounts to. An exception it should not raise goes through."""
    given = case.record["input"]
    raw = bytes.fromhex(given["bytes"]) if "bytes" in given else given.get("value", case.text)
    if case.operation == "json_parse":
        try:
            return {"outcome": "value", "value": wire(function(raw))}
        except ValueError:
            return {"outcome": "error", "code": "syntax"}
    if case.operation == "extract_json_object":
        try:
            text = function(raw)
        except TypeError:
            return {"outcome": "error", "code": "type"}
        return {"outcome": "unchanged"} if text == raw else {"outcome": "found", "text": write_string(text)}
    if case.operation == "extract_json":
        try:
            return {"outcome": "value", "value": wire(function(raw))}
        except Exception as error:
            if not isinstance(getattr(error, "code", None), str):
                raise
            preview = {} if error.code == "invalid-input" else {"preview": write_string(error.preview)}  # type: ignore[attr-defined]
            return {"outcome": "error", "code": error.code, **preview}  # type: ignore[attr-defined]
    value = function(raw)
    return {"outcome": "null"} if value is None else {"outcome": "value", "value": wire(value)}


def wire(value: Any) -> dict[str, Any]:
    """A Python value as a value of the protocol, whatever its depth."""
    events: list[Any] = []
    stack: list[Any] = [value]
    while stack:
        top = stack.pop()
        if isinstance(top, Event):
            events.append(top.event)
        elif isinstance(top, list):
            events.append("[")
            stack += [Event("]"), *reversed(top)]
        elif isinstance(top, dict):
            events.append("{")
            stack.append(Event("}"))
            for key, item in reversed(top.items()):
                stack += [item, Event(["k", write_string(key)])]
        else:
            events.append(["v", scalar(top)])
    return {"$flat": events}


class Event:
    """An event among values."""

    def __init__(self, event: Any) -> None:
        self.event = event


def scalar(value: Any) -> Any:
    """A Python scalar as the protocol writes it."""
    if isinstance(value, str):
        return write_string(value)
    if isinstance(value, float):
        return {"$f": struct.pack(">d", value).hex()}
    if type(value) is int and not -EXACT < value < EXACT:
        return {"$i": str(value)}
    return value
