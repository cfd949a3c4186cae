"""The adapter of jsonscan: ``python adapter.py compiled`` or ``pure``, the build that must answer.

The pure build is asked for by hiding the compiled machine; ``jsonscan.BUILD`` is checked either way.
"""

from __future__ import annotations

import gc
import json
import os
import platform
import re
import struct
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

DEEPEST = 200
EXACT = 2**53
LONE = re.compile("[\ud800-\udfff]")


def load(build: str) -> Any:
    """The package, in the build asked for."""
    if build == "pure":
        sys.modules["jsonscan._machine"] = None  # type: ignore[assignment]
    import jsonscan

    if build != jsonscan.BUILD:
        sys.exit(f"the {build} build was asked for, but the jsonscan installed here is the {jsonscan.BUILD} one")
    return jsonscan


def string(text: str) -> Any:
    """A STRING of the protocol."""
    if text.isascii() or not LONE.search(text):
        return text
    return {"$u16": text.encode("utf-16-be", "surrogatepass").hex()}


class TooDeep(Exception):
    """A value that must be sent flat."""


def scalar(value: Any) -> Any:
    """The tagged form of a value that is no container."""
    if type(value) is str:
        return string(value)
    if type(value) is int:
        return value if -EXACT < value < EXACT else {"$i": str(value)}
    if type(value) is float:
        return {"$f": struct.pack(">d", value).hex()}
    if value is None or type(value) is bool:
        return value
    raise TypeError(f"a value of type {type(value).__name__}")


def tagged(value: Any, depth: int = 0) -> Any:
    """The tagged form of a value. Raises TooDeep."""
    kind = type(value)
    if kind is not dict and kind is not list:
        return scalar(value)
    if depth == DEEPEST:
        raise TooDeep
    if kind is list:
        return [tagged(item, depth + 1) for item in value]
    members = {key: tagged(item, depth + 1) for key, item in value.items()}
    if all(key[:1] != "$" and (key.isascii() or not LONE.search(key)) for key in members):
        return members
    return {"$o": [[string(key), item] for key, item in members.items()]}


def events(value: Any) -> list[Any]:
    """The events of a value of any depth."""
    out: list[Any] = []
    closers: list[str] = []
    # what is left of each open container: values, or members, which are tuples, as no value is
    left: list[Iterator[Any]] = [iter((value,))]
    while True:
        for item in left[-1]:
            if type(item) is tuple:
                out.append(["k", string(item[0])])
                item = item[1]
            if type(item) is list:
                out.append("[")
                closers.append("]")
                left.append(iter(item))
                break
            if type(item) is dict:
                out.append("{")
                closers.append("}")
                left.append(iter(item.items()))
                break
            out.append(["v", scalar(item)])
        else:
            left.pop()
            if not closers:
                return out
            out.append(closers.pop())


def wire(value: Any) -> Any:
    """A value of the protocol."""
    try:
        return tagged(value)
    except TooDeep:
        return {"$flat": events(value)}


def given(wire_input: dict[str, Any]) -> Any:
    """The input of a request."""
    if "text" in wire_input:
        return wire_input["text"]
    if "utf16" in wire_input:
        return bytes.fromhex(wire_input["utf16"]).decode("utf-16-be", "surrogatepass")
    if "bytes" in wire_input:
        return bytes.fromhex(wire_input["bytes"])
    return wire_input["value"]


def handlers(jsonscan: Any) -> dict[str, Callable[[Any, dict[str, Any]], dict[str, Any]]]:
    """What answers each operation."""
    from jsonscan.machine import parse_at

    def json_parse(raw: Any, options: dict[str, Any]) -> dict[str, Any]:
        found = parse_at(raw, 0)
        if found is None or raw[found[1] :].strip(" \t\n\r"):
            return {"outcome": "error", "code": "syntax"}
        return {"outcome": "value", "value": wire(found[0])}

    def extract_json_object(raw: Any, options: dict[str, Any]) -> dict[str, Any]:
        try:
            text = jsonscan.extract_json_object(raw)
        except TypeError:
            return {"outcome": "error", "code": "type"}
        return {"outcome": "unchanged"} if text == raw else {"outcome": "found", "text": string(text)}

    def extract_json(raw: Any, options: dict[str, Any]) -> dict[str, Any]:
        try:
            return {"outcome": "value", "value": wire(jsonscan.extract_json(raw))}
        except jsonscan.ExtractJsonError as error:
            preview = {} if error.code == "invalid-input" else {"preview": string(error.preview)}
            return {"outcome": "error", "code": error.code, **preview}

    def try_extract_json(raw: Any, options: dict[str, Any]) -> dict[str, Any]:
        value = jsonscan.try_extract_json(raw)
        return {"outcome": "null"} if value is None else {"outcome": "value", "value": wire(value)}

    def repair(raw: Any, options: dict[str, Any]) -> dict[str, Any]:
        try:
            made = jsonscan.repair(raw, **options)
        except jsonscan.JSONScanError as error:
            return {"outcome": "error", "code": error.code}
        repairs = [[edit.code, edit.start, edit.end] for edit in made.repairs]
        return {"outcome": "found", "value": wire(made.value), "text": string(made.text), "repairs": repairs}

    def settings(options: dict[str, Any]) -> dict[str, Any]:
        limits = options.get("limits")
        return options if limits is None else {**options, "limits": jsonscan.Limits(**limits)}

    def match(found: Any) -> dict[str, Any]:
        codes = [edit.code for edit in found.repairs]
        value = wire(found.value)
        return {"span": [found.start, found.end], "value": value, "source": found.source, "complete": found.complete, "repairs": codes}

    def search(raw: Any, options: dict[str, Any]) -> dict[str, Any]:
        try:
            found = jsonscan.search(raw, **settings(options))
        except jsonscan.JSONScanError as error:
            return {"outcome": "error", "code": error.code}
        return {"outcome": "none"} if found is None else {"outcome": "found", **match(found)}

    def finditer(raw: Any, options: dict[str, Any]) -> dict[str, Any]:
        try:
            return {"outcome": "found", "matches": [match(found) for found in jsonscan.finditer(raw, **settings(options))]}
        except jsonscan.JSONScanError as error:
            return {"outcome": "error", "code": error.code}

    def stream(raw: Any, options: dict[str, Any], chunks: list[int]) -> dict[str, Any]:
        fed, snapshots, at = jsonscan.Stream(**settings(options)), [], 0
        for length in [*chunks, len(raw)]:
            if length < len(raw) or at < len(raw):
                snapshots.append(wire(fed.feed(raw[at : at + length]).value))
            at += length
        try:
            last = fed.close()
        except jsonscan.JSONScanError as error:
            final = {"outcome": "error", "code": error.code}
        else:
            final = {"outcome": "none"} if last is None else {"outcome": "found", **match(last)}
        return {"outcome": "found", "snapshots": snapshots, "final": final}

    found = locals()
    names = ("json_parse", "extract_json_object", "extract_json", "try_extract_json", "search", "finditer", "repair", "stream")
    return {name: found[name] for name in names}


def hello(jsonscan: Any, operations: Iterable[str]) -> dict[str, Any]:
    """The handshake."""
    return {
        "protocol": 1,
        "implementation": f"jsonscan ({jsonscan.BUILD})",
        "version": jsonscan.__version__,
        "language": f"python {platform.python_version()}",
        "operations": list(operations),
        "host": {
            "strings": "codepoints",
            "ill_formed": "kept",
            "integers": "exact",
            "numbers": "typed",
            "key_order": "kept",
        },
    }


def answer(request: dict[str, Any], known: dict[str, Any]) -> dict[str, Any]:
    """The answer to one request."""
    handler = known.get(request["op"])
    if handler is None:
        return {"id": request["id"], "outcome": "unsupported"}
    try:
        more = [request["input"]["chunks"]] if "chunks" in request["input"] else []
        return {"id": request["id"], **handler(given(request["input"]), request["options"], *more)}
    except Exception as error:
        return {"id": request["id"], "outcome": "failed", "message": string(f"{type(error).__name__}: {error}"[:300])}


def main(build: str) -> int:
    """Answer until ``bye``: whatever has arrived is read at once, and its answers written at once."""
    gc.disable()  # no answer holds a cycle, and the collector walks deep values again and again
    jsonscan = load(build)
    known = handlers(jsonscan)
    rest = b""
    while chunk := os.read(0, 1 << 18):
        *lines, rest = (rest + chunk).split(b"\n") if b"\n" in chunk else (rest + chunk,)
        answers = []
        for line in lines:
            request = json.loads(line)
            if "bye" in request:
                write(answers)
                return 0
            answers.append(hello(jsonscan, known) if "hello" in request else answer(request, known))
        write(answers)
    return 1


def write(answers: list[dict[str, Any]]) -> None:
    """Write answers, all of them."""
    data = "".join([json.dumps(one, separators=(",", ":")) + "\n" for one in answers]).encode("ascii")
    while data:
        data = data[os.write(1, data) :]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
