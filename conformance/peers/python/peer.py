"""Adapters of other libraries: ``python peer.py NAME``. Each answers ``search`` with what its own documented way from a model's text to
a value gives; a value is all that is compared.

With the option ``truncated: keep`` the text may be one that is still arriving, and a library that has a mode for that uses it.
What raises refuses, and so does what returns the empty string or ``None`` where its documentation says that this means "nothing".
"""

from __future__ import annotations

import importlib
import json
import os
import platform
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "adapters" / "python"))
from adapter import given, wire

Function = Callable[[str], Any]


class Refused(Exception):
    """The library says that there is nothing."""


def loads_of(module: str, **options: Any) -> Function:
    """Its ``loads``."""
    loads = importlib.import_module(module).loads
    return lambda text: loads(text, **options)


def or_empty(loads: Function) -> Function:
    """For libraries that document the empty string as "nothing could be made of it"."""

    def function(text: str) -> Any:
        value = loads(text)
        if value == "" and type(value) is str and '""' not in text:
            raise Refused
        return value

    return function


def json_repair() -> tuple[Function, Function]:
    return or_empty(loads_of("json_repair")), or_empty(loads_of("json_repair", stream_stable=True))


def fast_json_repair() -> tuple[Function, Function]:
    return or_empty(loads_of("fast_json_repair")), or_empty(loads_of("fast_json_repair", stream_stable=True))


def repairjson() -> tuple[Function, Function]:
    loads = loads_of("repairjson")
    return loads, loads


def robust_json_parser() -> tuple[Function, Function]:
    loads = loads_of("robust_json")
    return loads, loads


def jsonmend() -> tuple[Function, Function]:
    from jsonmend import Mender

    return or_empty(loads_of("jsonmend")), or_empty(lambda text: Mender().feed(text))


def langchain_core() -> tuple[Function, Function]:
    from langchain_core.output_parsers import JsonOutputParser
    from langchain_core.outputs import Generation

    parser = JsonOutputParser()

    def so_far(text: str) -> Any:
        value = parser.parse_result([Generation(text=text)], partial=True)
        if value is None:
            raise Refused
        return value

    return parser.parse, so_far


def instructor() -> tuple[Function, Function]:
    from instructor.utils.core import extract_json_from_codeblock

    def function(text: str) -> Any:
        return json.loads(extract_json_from_codeblock(text))

    return function, function


def dirtyjson() -> tuple[Function, Function]:
    loads = loads_of("dirtyjson", search_for_first_object=True)
    return loads, loads


def partial_json_parser() -> tuple[Function, Function]:
    loads = loads_of("partial_json_parser")
    return loads, loads


def jiter() -> tuple[Function, Function]:
    from jiter import from_json

    return lambda text: from_json(text.encode()), lambda text: from_json(text.encode(), partial_mode="trailing-strings")


PEERS: dict[str, Callable[[], tuple[Function, Function]]] = {
    "json_repair": json_repair,
    "fast_json_repair": fast_json_repair,
    "repairjson": repairjson,
    "robust-json-parser": robust_json_parser,
    "jsonmend": jsonmend,
    "langchain-core": langchain_core,
    "instructor": instructor,
    "dirtyjson": dirtyjson,
    "partial-json-parser": partial_json_parser,
    "jiter": jiter,
}


def plain(value: Any) -> Any:
    """The value with containers of the built-in types alone. Raises RecursionError for what is nested too deeply."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def search(function: Function, raw: Any) -> dict[str, Any]:
    """An answer of ``search``: a value, or none. Any exception is a refusal."""
    try:
        text = raw.decode() if isinstance(raw, bytes) else raw
        return {"outcome": "found", "value": wire(plain(function(text)))}
    except Exception:
        return {"outcome": "none"}


def main(name: str) -> int:
    """Answer until ``bye``. What the library itself prints goes to standard error."""
    answers = os.fdopen(os.dup(1), "w", encoding="ascii", newline="\n")
    os.dup2(2, 1)
    whole, so_far = PEERS[name]()
    for line in sys.stdin.buffer:
        request = json.loads(line)
        if "bye" in request:
            return 0
        if "hello" in request:
            answer = {**HELLO, "implementation": name, "version": version(name)}
        elif request["op"] == "search":
            function = so_far if request["options"].get("truncated") == "keep" else whole
            answer = {"id": request["id"], **search(function, given(request["input"]))}
        else:
            answer = {"id": request["id"], "outcome": "unsupported"}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
    return 1


HELLO = {
    "protocol": 1,
    "language": f"python {platform.python_version()}",
    "operations": ["search"],
    "host": {
        "strings": "codepoints",
        "ill_formed": "kept",
        "integers": "exact",
        "numbers": "typed",
        "key_order": "kept",
    },
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
