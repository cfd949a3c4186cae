"""The adapter of NAME: fill in the four functions, and leave the rest as it is."""

import json
import os
import re
import struct
import sys

LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class Error(Exception):
    """What extract_json raises: a code, and the preview where the original's message holds one."""

    def __init__(self, code, preview=None):
        super().__init__(code)
        self.code, self.preview = code, preview


# To be filled in. `text` is a str that may hold lone surrogates; a value is None, bool, int, float, str, list or dict.


def json_parse(text):
    """The value of a strict JSON text; raises ValueError."""
    raise NotImplementedError("TODO: json_parse")


def extract_json_object(text):
    """The text of the first object, or `text` itself."""
    raise NotImplementedError("TODO: extract_json_object")


def extract_json(text):
    """The value; raises Error("invalid-input" | "no-json" | "unbalanced" | "parse-failed", preview)."""
    raise NotImplementedError("TODO: extract_json")


def try_extract_json(text):
    """The value, None on any failure."""
    try:
        return extract_json(text)
    except Error:
        return None


# The protocol. Nothing below needs to change.

HELLO = {
    "protocol": 1,
    "implementation": "NAME",
    "version": "0",
    "language": "python",
    "operations": ["json_parse", "extract_json_object", "extract_json", "try_extract_json"],
    "host": {"strings": "codepoints", "ill_formed": "kept", "integers": "exact", "numbers": "typed", "key_order": "kept"},
}


def string(text):
    return {"$u16": text.encode("utf-16-be", "surrogatepass").hex()} if LONE_SURROGATE.search(text) else text


def scalar(value):
    if isinstance(value, str):
        return string(value)
    if isinstance(value, float):
        return {"$f": struct.pack(">d", value).hex()}
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 2**53:
        return {"$i": str(value)}
    return value


def tagged(value, depth=0):
    if not isinstance(value, (list, dict)):
        return scalar(value)
    if depth == 200:
        raise RecursionError
    if isinstance(value, list):
        return [tagged(item, depth + 1) for item in value]
    return {"$o": [[string(key), tagged(item, depth + 1)] for key, item in value.items()]}


def events(value):
    """A value of any depth as a list of events."""
    out, stack = [], [("value", value)]
    while stack:
        kind, item = stack.pop()
        if kind == "event":
            out.append(item)
        elif isinstance(item, list):
            out.append("[")
            stack.append(("event", "]"))
            stack += [("value", one) for one in reversed(item)]
        elif isinstance(item, dict):
            out.append("{")
            stack.append(("event", "}"))
            for key, one in reversed(item.items()):
                stack += [("value", one), ("event", ["k", string(key)])]
        else:
            out.append(["v", scalar(item)])
    return out


def wire(value):
    try:
        return tagged(value)
    except RecursionError:
        return {"$flat": events(value)}


def given(request):
    source = request["input"]
    if "text" in source:
        return source["text"]
    if "utf16" in source:
        return bytes.fromhex(source["utf16"]).decode("utf-16-be", "surrogatepass")
    if "bytes" in source:
        return bytes.fromhex(source["bytes"])
    return source["value"]


def operate(name, text):
    if name == "json_parse":
        try:
            return {"outcome": "value", "value": wire(json_parse(text))}
        except ValueError:
            return {"outcome": "error", "code": "syntax"}
    if name == "extract_json_object":
        try:
            found = extract_json_object(text)
        except TypeError:
            return {"outcome": "error", "code": "type"}
        return {"outcome": "unchanged"} if found == text else {"outcome": "found", "text": string(found)}
    if name == "extract_json":
        try:
            return {"outcome": "value", "value": wire(extract_json(text))}
        except Error as error:
            preview = {} if error.preview is None else {"preview": string(error.preview)}
            return {"outcome": "error", "code": error.code, **preview}
    if name == "try_extract_json":
        value = try_extract_json(text)
        return {"outcome": "null"} if value is None else {"outcome": "value", "value": wire(value)}
    return {"outcome": "unsupported"}


def answer(request):
    try:
        return {"id": request["id"], **operate(request["op"], given(request))}
    except Exception as error:
        return {"id": request["id"], "outcome": "failed", "message": string(f"{type(error).__name__}: {error}")}


def main():
    rest = b""
    while chunk := os.read(0, 1 << 18):
        *lines, rest = (rest + chunk).split(b"\n")
        out = []
        for line in lines:
            message = json.loads(line)
            if "bye" in message:
                break
            out.append(HELLO if "hello" in message else answer(message))
        data = "".join(json.dumps(one) + "\n" for one in out).encode("ascii")
        while data:
            data = data[os.write(1, data) :]
        if lines and "bye" in message:
            return 0
    return 1


sys.exit(main())
