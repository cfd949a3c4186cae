"""Implementations that do nothing, as adapters: what they score is the floor, and a case they pass proves little.

Run as ``python nulls.py identity``, ``always-none`` or ``always-error``; imports nothing of the runner.
"""

from __future__ import annotations

import json
import sys
from typing import Any

NULLS = ("identity", "always-none", "always-error")
OPERATIONS = (
    "json_parse", "extract_json_object", "extract_json", "try_extract_json", "search", "finditer", "repair", "stream",
)  # fmt: skip
HOST = {
    "strings": "codepoints",
    "ill_formed": "kept",
    "integers": "exact",
    "numbers": "typed",
    "key_order": "kept",
}


def text_of(given: dict[str, Any]) -> Any:
    """The input as a STRING of the protocol, as far as it is one."""
    if "text" in given:
        return given["text"]
    if "utf16" in given:
        return {"$u16": given["utf16"]}
    return ""


def identity(operation: str, given: dict[str, Any]) -> dict[str, Any]:
    """The input is the answer."""
    text = text_of(given)
    if operation == "extract_json_object":
        return {"outcome": "unchanged"}
    if operation in ("search", "finditer", "stream"):
        length = len(text) if isinstance(text, str) else len(text["$u16"]) // 4
        match = {"span": [0, length], "value": text, "source": "bare", "complete": True, "repairs": []}
        if operation == "search":
            return {"outcome": "found", **match}
        if operation == "finditer":
            return {"outcome": "found", "matches": [match]}
        return {"outcome": "found", "snapshots": [], "final": {"outcome": "found", **match}}
    if operation == "repair":
        return {"outcome": "found", "value": text, "text": text, "repairs": []}
    return {"outcome": "value", "value": text}


def always_none(operation: str, given: dict[str, Any]) -> dict[str, Any]:
    """There is nothing in any text."""
    if operation == "extract_json_object":
        return {"outcome": "found", "text": ""} if text_of(given) else {"outcome": "unchanged"}
    if operation == "try_extract_json":
        return {"outcome": "null"}
    if operation == "search":
        return {"outcome": "none"}
    if operation == "finditer":
        return {"outcome": "found", "matches": []}
    if operation == "stream":
        return {"outcome": "found", "snapshots": [], "final": {"outcome": "none"}}
    if operation == "repair":
        return {"outcome": "found", "value": None, "text": "null", "repairs": []}
    return {"outcome": "value", "value": None}


def always_error(operation: str, given: dict[str, Any]) -> dict[str, Any]:
    """Every text is wrong."""
    if operation == "json_parse":
        return {"outcome": "error", "code": "syntax"}
    if operation == "extract_json_object":
        return {"outcome": "unchanged"}
    if operation == "extract_json":
        text = text_of(given)
        units = text["$u16"] if isinstance(text, dict) else text.encode("utf-16-be").hex()
        if not units:
            return {"outcome": "error", "code": "invalid-input"}
        try:
            preview: Any = bytes.fromhex(units[:800]).decode("utf-16-be")
        except UnicodeDecodeError:
            preview = {"$u16": units[:800]}
        return {"outcome": "error", "code": "no-json", "preview": preview}
    if operation == "try_extract_json":
        return {"outcome": "null"}
    return {"outcome": "error", "code": "invalid-json"}


ANSWERS = {"identity": identity, "always-none": always_none, "always-error": always_error}


def main(name: str) -> int:
    """Answer for the null implementation ``name`` until ``bye``."""
    hello = {
        "protocol": 1,
        "implementation": name,
        "version": "1",
        "language": "none",
        "operations": OPERATIONS,
        "host": HOST,
    }
    answers = ANSWERS[name]
    for line in sys.stdin:
        request = json.loads(line)
        if "bye" in request:
            return 0
        answer = hello if "hello" in request else {"id": request["id"], **answers(request["op"], request["input"])}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
