"""Running the command inside this process, with streams in memory."""

from __future__ import annotations

import io
import pathlib
import sys
import sysconfig
from collections.abc import Callable
from types import ModuleType
from typing import NamedTuple

import pytest

COMMAND = pathlib.Path(sysconfig.get_path("scripts")) / "jsonscan"


class Done(NamedTuple):
    status: int | str | None
    out: bytes
    err: str


class Stream(io.TextIOWrapper):
    """A standard stream in memory; a terminal if told so."""

    def __init__(self, data: bytes = b"", terminal: bool = False) -> None:
        super().__init__(io.BytesIO(data), encoding="ascii", errors="backslashreplace", write_through=True)
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


def runner(module: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Done]:
    """What runs one command line on the build whose modules `module` gives."""

    def run(*argv: object, stdin: bytes | str = b"", terminal: bool = False) -> Done:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        streams = {
            "stdin": Stream(data, terminal),
            "stdout": Stream(terminal=terminal),
            "stderr": Stream(terminal=terminal),
        }
        for name, stream in streams.items():
            monkeypatch.setattr(sys, name, stream)
        try:
            status = module("cli").main([*map(str, argv)])
        except SystemExit as end:
            status = end.code
        return Done(status, streams["stdout"].buffer.getvalue(), streams["stderr"].buffer.getvalue().decode("ascii"))

    return run


def batch_runner(module: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Done]:
    """The same for `batch`."""
    run = runner(module, monkeypatch)
    return lambda *argv, **streams: run("batch", *argv, **streams)


def maker(directory: pathlib.Path, usual: str) -> Callable[..., pathlib.Path]:
    """What makes a file of this content in the directory, under this name unless told another."""

    def file(content: str | bytes, name: str = usual) -> pathlib.Path:
        path = directory / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return file


def one_line(text: str) -> bool:
    return text.startswith("jsonscan: ") and text.count("\n") == 1 and text.endswith("\n")
