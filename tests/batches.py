"""Responses of all kinds, the columns that `jsonscan batch` adds to them, and files that hold them."""

from __future__ import annotations

import contextlib
import csv
import io
import json
from collections.abc import Callable, Iterator
from types import ModuleType

import pytest

FENCED = 'Sure:\n```json\n{"a": [1, 2.50]}\n```\nbye'
RESPONSES = [FENCED, "{'b': 'ü', }", '{"c": [1, 2', "no", "", '{"d": "\u2028 \\ud800"}', '{"e":\n "x, \\"y\\""}']
NEW = ["json", "ok", "source", "start", "end", "complete", "repairs", "error"]
EXPECTED = [
    ['{"a": [1, 2.50]}', True, "fence", 14, 30, True, [], None],
    ['{"b": "ü" }', True, "bare", 0, 12, True, ["single-quotes", "trailing-comma"], None],
    [None, False, None, None, None, None, None, "truncated"],
    [None, False, None, None, None, None, None, "no-json"],
    [None, False, None, None, None, None, None, "no-json"],
    ['{"d": "\u2028 \\ud800"}', True, "bare", 0, 17, True, [], None],
    ['{"e":\n "x, \\"y\\""}', True, "bare", 0, 18, True, [], None],
]


def jsonl(responses: list[object]) -> str:
    return "".join(json.dumps({"id": at, "response": each}) + "\n" for at, each in enumerate(responses))


def csv_of(responses: list[str]) -> str:
    out = io.StringIO()
    csv.writer(out).writerows([["id", "response"], *enumerate(responses)])
    return out.getvalue()


def new_columns(data: bytes) -> list[list[object]]:
    return [[json.loads(line)[name] for name in NEW] for line in data.splitlines()]


@contextlib.contextmanager
def interrupted(module: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch, chunks: int) -> Iterator[None]:
    """An interrupt once so many chunks are written."""
    output = module("cli.batch_output").Journalled
    append, seen = output.append, []

    def counted(self, *chunk):
        append(self, *chunk)
        seen.append(chunk)
        if len(seen) == chunks:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(output, "append", counted)
        patch.setattr(module("cli"), "drop_stdout", lambda: None)
        yield


@contextlib.contextmanager
def killed_at(module: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch, step: str) -> Iterator[None]:
    """A kill at a call of `os` while the output is put in its place: nothing is tidied up behind it."""

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(module("cli.batch_output").os, step, killed)
        patch.setattr(module("cli.batch"), "leave", lambda *_: [])
        patch.setattr(module("cli"), "drop_stdout", lambda: None)
        yield
