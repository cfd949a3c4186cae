"""Every public name, used in every way. The tools of this directory run it, and none of them but this knows what there is to call.

    PYTHONPATH=BUILD python calls.py [--every N]

makes every call with every text (or every Nth), and fails if a public name or an error was not met. It needs nothing but the standard
library, so it runs under any Python.
"""

from __future__ import annotations

import argparse
import asyncio
import copy
import dataclasses
import importlib
import json
import pathlib
import pickle
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

TESTS = pathlib.Path(__file__).parents[1]
sys.path.append(str(TESTS))

from families import FAMILIES  # noqa: E402

import jsonscan  # noqa: E402

Call = Callable[[str], Any]

# Chosen to reach every way through the machine: the memo of names, all widths, numbers that are made in every way, strings in pieces,
# each fault, each plain edit, more containers and values than there is room for at first.
FEW = [
    '{"a": [1, 2.5, "x\\n", true], "b": {}, "k": "é中", "a name that is no short one": [[null]], "n": -0}',
    '{"sixteen chars ok": 1, "sixteen chars ok": 2, "é": 3, "😀": 4}',
    "[" * 60 + "1" + "]" * 60,
    "[" + ",".join(map(str, range(200))) + "]",
    '{"' + '": {"'.join("abcdefghijklmnopqrstuvwxyzabcdef") + '": 1' + "}" * 32,
    "[12345678901234567890123, 9007199254740993, 1e400, 5e-324, 0.1, 1.7976931348623157e308, 123456789012345678901234567890.5e-10]",
    "[0." + "7" * 80 + ", 1e" + "0" * 70 + "1]",
    "[" + "9" * 4301 + "]",
    '["\\ud83d\\ude00", "\\ud83d", "\ud83d\\ude00", "😀\\u00e9", "中\\n' + "x" * 300 + '"]',
    '中 {"a": "é", "b": ["\\u4e2d", 1]} 😀',
    "{'a': 'b', c: True, // x\n d: [1,2,], \"e\": None, /* y */ 5: False,}",
    '{"a": "He said "hi" there, ok", "b": "x", "c": "raw\nline"}',
    '{\n  "a": "x",\n  "b": "y"\n  "c": [\n    "p",\n    "q"\n  ]\n}',
    '{"a": (1, 2), "b": datetime(2020, 1), "c": "x" + "y", "d": ObjectId("1"), "e": 1,000, "f": 5 mg}',
    '{\\"a\\": \\"b\\", \\"c\\": [1]}',
    '{"result": {"ok": true}, "items": [1 2 3]} ???',
    'Sure:\n```json\n{"a": 1, "b": [true]}\n```\nbye',
    '<think>maybe {"x": 1}?</think>\n<answer>{"x": 2}</answer>',
    'First {"vote": "yes"} then {"vote": "no"}',
    '{"a": 1, "b": [2, {"c": "cut',
    '{"a": tru',
    "[1, 2",
    '["\\x"]',
    '["raw\tcontrol"]',
    "[01]",
    "[nul]",
    "{x}",
    '{"a":1}}',
    "no JSON at all",
    "",
    "42",
    '"a string"',
    "[NaN, Infinity]",
    '{"__proto__": {"x": 1}, "__class__": 2, "": 3}',
    '{"a": {"b": 1, "b": 2}, "list": [{"n": 1}, {"n": 2}, {"n": 3}]}',
    '{"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6, "g": 7}',
    "{'a name': 'a value', another: [1, 2,],}",
    "[" + "[], {}, " * 100 + "[]]",
]

OPTIONS: list[dict[str, Any]] = [
    {},
    {"repair": "off", "expect": "any", "fragments": True},
    {"repair": "full", "truncated": "keep", "expect": "any"},
    {"select": "sole", "duplicate_keys": "raise", "big_int": "str"},
    {"select": "last", "expect": "object", "duplicate_keys": "first", "big_int": "float", "nonfinite": "null"},
    {"limits": {"max_depth": 3, "max_digits": 5, "max_candidates": 2, "max_repairs": 1, "max_input": 2000}},
]


def corpus() -> list[str]:
    """Every text of the conformance corpus, and one of every hostile family."""
    found = []
    for file in sorted((TESTS.parent / "conformance" / "cases").glob("*/*.json")):
        for case in json.loads(file.read_text("utf-8"))["cases"]:
            given = case["input"]
            if "text" in given:
                found.append(given["text"])
            elif "utf16" in given:
                found.append(bytes.fromhex("".join(given["utf16"].split())).decode("utf-16-be", "surrogatepass"))
    return [*dict.fromkeys(found), *(make(2000) for make in FAMILIES.values())]


class Met:
    """The package, noting which of its names are asked for, and the errors it raised."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.codes: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        self.names.add(name)
        return getattr(jsonscan, name)


sys.setrecursionlimit(20_000)  # the hostile families nest 2,000 deep, and repr and pickle recurse
js = Met()
machine: Any = importlib.import_module("jsonscan.machine")


def caught(call: Callable[[], Any]) -> Any:
    """What a call gives, or all that its error says."""
    try:
        return call()
    except jsonscan.JSONScanError as error:
        js.names.add(type(error).__name__)
        js.codes.add(error.code)
        said = (type(error).__name__, error.code, str(error), error.hint(), error.pos, error.lineno, error.colno)
        assert pickle.loads(pickle.dumps(error)) == copy.copy(error) == error
        return (*said, getattr(error, "partial", None), len(getattr(error, "matches", ())))


def refused(call: Callable[[], Any], *kinds: type[Exception]) -> None:
    """A wrong argument is an error of its own, and never one of the text's."""
    try:
        call()
    except kinds:
        return
    raise AssertionError("a wrong argument was taken")


def _scanner(options: dict[str, Any]) -> Any:
    limits = options.get("limits")
    return js.compile(**options | ({"limits": js.Limits(**limits)} if limits else {}))


def _match(text: str) -> Any:
    match = js.search(text, repair="full", truncated="keep")
    if match is None:
        return None
    assert isinstance(match, js.Match)
    assert all(isinstance(each, js.Repair) for each in match.repairs)
    assert pickle.loads(pickle.dumps(match)) == match
    seen = [getattr(match, name) for name in type(match).__slots__ if name[0] != "_"]
    return seen, match.text, match.span(), match.span_utf16, match.span_bytes, match.lineno, match.colno, repr(match), match.to(repr)


def _repaired(text: str) -> Any:
    found = js.repair(text, repair="full", truncated="keep")
    assert isinstance(found, js.Repaired)
    return found, found.changed, dataclasses.astuple(found)


def _options(text: str) -> Any:
    """All that a Scanner can do, under each set of options in turn."""
    said = []
    for each in OPTIONS:
        scanner = _scanner(each)
        assert isinstance(scanner, js.Scanner) and isinstance(scanner.options, js.Options)
        assert pickle.loads(pickle.dumps(scanner)) == scanner and hash(scanner) == hash(copy.copy(scanner))
        ways: list[Callable[[], Any]] = [
            lambda s=scanner: s.loads(text), lambda s=scanner: s.search(text), lambda s=scanner: list(s.finditer(text)),
            lambda s=scanner: s.findall(text), lambda s=scanner: s.fullmatch(text), lambda s=scanner: s.repair(text),
        ]  # fmt: skip
        said.append([repr(caught(way)) for way in ways])
    return said


def _stream(text: str, size: int, **options: Any) -> Any:
    stream, said = js.Stream(**options), []
    for at in range(0, len(text), size):
        stream.feed(text[at : at + size])
        said.append((stream.state, repr(stream.snapshot()), stream.is_complete("/a"), stream.is_complete()))
    said.append(repr(stream.close()))
    refused(lambda: stream.feed("x"), ValueError)
    return said, repr(stream), stream.value


def _deltas(text: str) -> Any:
    stream, said = js.Stream(repair="full", truncated="keep"), []
    for char in text[:400]:
        stream.feed(char)
        said.append(stream.delta(append=True))
    stream.close()
    return said, stream.delta()


def _taken(text: str) -> Any:
    with js.Stream(expect="any") as stream:
        said = []
        for char in text[:400]:
            stream.feed(char)
            said.append(stream.items() + stream.items("/list"))
        return said, stream.close()


def _bytes(text: str) -> Any:
    raw = text.encode("utf-8", "surrogatepass")
    stream = js.Stream()
    for at in range(0, len(raw), 3):
        stream.feed(memoryview(raw)[at : at + 3])
    return caught(lambda: stream.close()), caught(lambda: js.loads(raw)), caught(lambda: js.search(bytearray(raw)))


def _astream(text: str) -> Any:
    async def chunks() -> AsyncIterator[str]:
        for char in text[:200]:
            yield char

    async def values() -> list[str]:
        return [repr(value) async for value in js.astream(chunks())]

    def driven(coroutine: Any) -> Any:
        """A loop's work without a loop, which would allocate more than all the rest."""
        try:
            while True:
                coroutine.send(None)
        except StopIteration as stop:
            return stop.value

    return driven(values()) if len(text) % 2 else asyncio.run(values())


def _machine(text: str) -> Any:
    """The machine with each of its options, fed in pieces, looked at, edited at every stop."""
    said = []
    for each in ({}, {"duplicates": "first"}, {"duplicates": "raise"}, {"max_depth": 2, "max_digits": 3}, {"big_int": "float"},
                 {"big_int": "str", "controls": True}):  # fmt: skip
        reader = machine.Machine(text[:5], **each)
        stop, edits = reader.run(False), 0
        for at in range(5, min(len(text), 600), 7):
            if stop not in ("starved", ""):
                break
            repr(reader.snapshot())
            stop = reader.feed(text[at : at + 7])
        while stop != "done" and edits < 20:
            edits += 1
            said.append((stop, reader.phase, reader.pos, reader.base, reader.token, reader.kind, reader.depth, reader.fault))
            said.append((reader.frames(), reader.frames(1), reader.path(), repr(reader.snapshot()), reader.in_string, reader.repeats))
            stop = _edited(reader, edits)
        said.append((stop, repr(reader.snapshot()), repr(reader.value) if stop == "done" else None))
    return said


def _edited(reader: Any, number: int) -> str:
    """One edit, and on with reading."""
    at = min(reader.pos + 1, len(reader.text))
    ways: list[Callable[[], Any]] = [
        lambda: reader.goto(at), lambda: reader.put("name", at), lambda: reader.punct(":", at), lambda: reader.put([number], at),
        lambda: reader.punct("}", at), lambda: (reader.retract(), reader.put("b", reader.pos)), lambda: reader.punct(",", at),
    ]  # fmt: skip
    try:
        ways[number % len(ways)]()
    except (ValueError, KeyError):
        reader.goto(at)
    return reader.run(True)


def _leaves(text: str) -> Any:
    """The machine's functions, from the start and from the first bracket."""
    said = []
    for start in {0, max(text.find("{"), 0), max(text.find("["), 0)}:
        known: dict[int, int] = {}
        said.append((machine.parse_at(text, start), machine.parse_at(text, start, 3, 5), machine.walk(text, start, known), known))
        said += [machine.read_plain(text, start, 1000, 4300, how, guess) for how in ("exact", "float", "str") for guess in (True, False)]
    return repr(said)


def _wrong(text: str) -> None:
    """Arguments that no call takes."""
    for call in (js.loads, js.search, js.findall, js.fullmatch, js.repair, js.finditer):
        refused(lambda call=call: list(call(5)), TypeError)
        refused(lambda call=call: call(text, expect="?"), ValueError)
        refused(lambda call=call: call(text, unknown=1), TypeError)
    refused(lambda: js.Limits(max_depth=-1), ValueError)
    refused(lambda: js.Stream().feed(5), TypeError)
    refused(lambda: machine.Machine(5), TypeError)
    refused(lambda: machine.Machine(text, len(text) + 1), ValueError)
    refused(lambda: machine.Machine(text, big_int="?"), ValueError)
    refused(lambda: machine.Machine(text).put("x", -1), ValueError)
    refused(lambda: machine.Machine(text).punct("?", 0), ValueError)
    refused(lambda: machine.Machine(text).retract(), ValueError)
    refused(lambda: machine.Machine(text).value, IndexError)
    refused(lambda: machine.parse_at(text, len(text) + 1), ValueError)
    refused(lambda: machine.walk(text, -1, {}), ValueError)
    refused(lambda: machine.read_plain(text, 0, 0, 0, "?"), ValueError)
    refused(lambda: machine.entry(refused), ValueError)


def _originals(text: str) -> Any:
    refused(lambda: js.extract_json_object(5), TypeError)
    wrong = caught(lambda: js.extract_json(5)), js.try_extract_json(5)
    return wrong, caught(lambda: js.extract_json(text)), js.extract_json_object(text), js.try_extract_json(text)


CALLS: dict[str, Call] = {
    "loads": lambda text: caught(lambda: js.loads(text)),
    "originals": _originals,
    "functions": lambda text: [repr(caught(lambda call=call: call(text))) for call in (js.search, js.findall, js.fullmatch, js.repair)],
    "finditer": lambda text: caught(lambda: list(js.finditer(text))),
    "loads, options": lambda text: caught(lambda: js.loads(text, repair="full", truncated="keep", expect="any")),
    "Scanner": _options,
    "Match": lambda text: caught(lambda: _match(text)),
    "Repaired": lambda text: caught(lambda: _repaired(text)),
    "bytes": _bytes,
    "Stream, by one": lambda text: caught(lambda: _stream(text[:400], 1)),
    "Stream, by nine": lambda text: caught(lambda: _stream(text, 9, repair="full", truncated="keep", expect="any")),
    "Stream, sole": lambda text: caught(lambda: _stream(text, 40, select="sole", duplicate_keys="raise")),
    "Stream, deltas": lambda text: caught(lambda: _deltas(text)),
    "Stream, items": lambda text: caught(lambda: _taken(text)),
    "iter_items": lambda text: caught(lambda: list(js.iter_items(iter(text[:400]), "/list"))),
    "astream": lambda text: caught(lambda: _astream(text)),
    "Machine": _machine,
    "parse_at, read_plain, walk": _leaves,
    "wrong arguments": _wrong,
}
CODES = {"no-json", "unexpected", "control", "escape", "number", "literal", "duplicate-key", "encoding", "truncated", "ambiguous", "limit",
         "invalid-input", "unbalanced", "parse-failed"}  # fmt: skip


def texts(every: int = 1) -> Iterator[str]:
    """The few, and every Nth of the corpus; with 0 some of the few, which do not meet everything."""
    yield from FEW if every else FEW[::3]
    if every:
        yield from corpus()[::every]


def unmet(every: int = 1) -> set[str]:
    """The public names and the errors that no call with these texts has come to."""
    return (set(jsonscan.__all__) - js.names - {"JSONScanError", "BUILD"}) | (CODES - js.codes) if every else set()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--every", type=int, default=1, help="take every Nth text of the corpus (default %(default)s)")
    options = parser.parse_args()
    assert jsonscan.BUILD == "compiled"
    made = 0
    for text in texts(options.every):
        for call in CALLS.values():
            call(text)
            made += 1
    missed = unmet(options.every)
    print(f"{made:,} calls, {len(js.codes)} kinds of errors; not met: {sorted(missed) or None}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
