"""Memory that runs out, at every allocation of every call with a set of texts: MemoryError or the right answer, no crash and no leak.

    PYTHONPATH=BUILD python3.11-dbg nomemory.py [--every N] machine
    PYTHONPATH=BUILD python nomemory.py [--every N] entries python

Each call is made once for each allocation: with that one failing, and with that one and many later ones. Whoever catches the error goes
on: what was used when memory ran out is used again afterwards. Leaks are seen where Python counts all references.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import sys
from array import array
from collections.abc import Callable, Iterator
from typing import Any

import _testcapi  # isort: skip
import calls

import jsonscan
from jsonscan.machine import Machine
from jsonscan.rows import reader

machine: Any = calls.machine
forget: Callable[[], None] = importlib.import_module("jsonscan._machine").clear_memo
PASSES = 4
CALM = 5  # answers in a row, after which no allocation was left: some do without what they cannot get
# How many fail in a row: of the machine all that follow; elsewhere few, since CPython 3.11 itself aborts at the 33rd while it raises one
# MemoryError, and makes an int on its way to a handler that lies far behind the start of a function, which it tries again for ever.
MANY = {"machine": 1_000_000, "once": 1_000_000, "entries": 20, "python": 20}
references: Callable[[], int] = getattr(sys, "gettotalrefcount", lambda: 0)


class Unlike(AssertionError):
    """An answer that came although memory ran out, and is not the right one."""


def attempts(call: Callable[[], Any], right: str, prepare: Callable[[], None], many: int) -> Iterator[bool]:
    """Make the call with every allocation failing in turn, alone and with many behind it. Whether it raised MemoryError."""
    for span in (1, many):
        number = answered = 0
        while answered < CALM:
            failed, answer = True, None
            prepare()
            _testcapi.set_nomemory(number, number + span)
            try:
                answer = call()
                failed = False
            except MemoryError:
                pass
            except SystemError as error:  # CPython 3.11's own, where it has no room for the frame of a Python function
                if str(error) != "error return without exception set" and not str(error).startswith("<function "):
                    raise
            finally:
                _testcapi.remove_mem_hooks()
            yield failed
            if not failed and repr(answer) != right:
                raise Unlike(f"allocation {number}: {answer!r} instead of {right}")
            number, answered = number + 1, 0 if failed else answered + 1


def driven(options: dict[str, Any]) -> Callable[[str], Any]:
    """A Machine fed in pieces with a look after each; where memory ran out it is asked everything once more."""

    def call(text: str) -> Any:
        reader = Machine(text[:7], **options)
        try:
            stop = reader.run(False)
            for at in range(7, len(text), 7):
                if stop not in ("starved", ""):
                    break
                reader.snapshot()
                stop = reader.feed(text[at : at + 7])
            if stop in ("starved", ""):
                stop = reader.run(True)
            return stop, reader.snapshot(), reader.path(), reader.frames()
        except MemoryError:
            _testcapi.remove_mem_hooks()
            used_again(reader)
            raise

    return call


def shown_late(text: str) -> Any:
    """A Machine whose first look comes when many members wait for it."""
    reader = Machine(text[:-2])
    reader.run(False)
    return reader.snapshot()


def emptied(_: str) -> Any:
    """A Machine whose list is emptied by whoever was shown it, while a long string in it goes on."""
    reader = Machine('["' + "x" * 300)
    reader.run(False)
    reader.snapshot().clear()
    reader.feed("\\ny")
    return reader.snapshot()


def edited(duplicates: str) -> Any:
    """A Machine to which everything is given by edits, deeper and wider than there is room for at first."""
    reader = Machine("{", duplicates=duplicates)
    try:
        reader.run(False)
        for number in range(100):
            reader.put(f"a name that is no short one {number}", 1)
            for char in (":", "[", "{"):
                reader.punct(char, 1)
        return reader.frames(), repr(reader.snapshot())
    except MemoryError:
        _testcapi.remove_mem_hooks()
        used_again(reader)
        raise


def used_again(reader: Any) -> None:
    for again in (reader.snapshot, lambda: reader.run(False), lambda: reader.feed('",1]}'), reader.path, reader.frames, reader.snapshot,
                  lambda: reader.goto(0), lambda: reader.punct("}", 0), lambda: reader.put("x", 0), reader.retract, reader.run,
                  lambda: reader.value):  # fmt: skip
        try:
            again()
        except (MemoryError, ValueError, IndexError, KeyError):
            pass


def streamed(text: str) -> Any:
    stream = jsonscan.Stream(expect="any")
    try:
        for at in range(0, len(text), 9):
            stream.feed(text[at : at + 9])
            stream.value  # noqa: B018
        return stream.close()
    except MemoryError:
        _testcapi.remove_mem_hooks()
        for again in (lambda: stream.feed("1]}"), lambda: stream.value, stream.delta, stream.close):
            try:
                again()
            except Exception:  # its Python parts may be half way through a step, and say so in any way but a crash
                pass
        raise


def with_deltas(text: str) -> Any:
    stream, said = jsonscan.Stream(repair="full", truncated="keep"), []
    for at in range(0, len(text), 15):
        stream.feed(text[at : at + 15])
        said.append(stream.delta(append=True))
    return said, stream.close(), stream.delta()


def tried(call: Callable[[str], Any]) -> Callable[[str], Any]:
    """The call, with an error about the text as its answer: without what `calls.caught` looks at, which allocates a lot."""

    def answer(text: str) -> Any:
        try:
            return call(text)
        except jsonscan.JSONScanError as error:
            return type(error), error.code, error.pos

    return answer


MACHINE: dict[str, Callable[[str], Any]] = {
    "parse_at": lambda text: machine.parse_at(text, 0, 1000, 4300),
    "read_plain": lambda text: machine.read_plain(text, 0),
    "read_plain, guess": lambda text: machine.read_plain(text, max(text.find("{"), 0), 0, 0, "float", True),
    "walk": lambda text: machine.walk(text, max(text.find("{"), 0), {}),
    "Machine": driven({}),
    "Machine, first": driven({"duplicates": "first"}),
    "Machine, raise": driven({"duplicates": "raise", "big_int": "str", "controls": True}),
    "Machine, shown late": shown_late,
}
ONCE = {  # which have texts of their own
    "Machine, edits": lambda _: edited("last"),
    "Machine, edits, first": lambda _: edited("first"),
    "Machine, emptied": emptied,
}
ENTRIES = {
    "loads": tried(jsonscan.loads),
    "extract_json": tried(jsonscan.extract_json),
    "extract_json_object": tried(jsonscan.extract_json_object),
    "try_extract_json": tried(jsonscan.try_extract_json),
}
PYTHON = {
    "search": tried(lambda text: jsonscan.search(text, repair="full", truncated="keep")),
    "findall": tried(jsonscan.findall),
    "fullmatch": tried(lambda text: jsonscan.fullmatch(text, repair="full", truncated="keep")),
    "Scanner": tried(jsonscan.compile(select="sole", duplicate_keys="raise", big_int="str", fragments=True).findall),
    "repair": tried(jsonscan.repair),
    "Match": tried(lambda text: [(match.text, match.span_bytes, match.repairs) for match in jsonscan.finditer(text)]),
    "Stream": tried(streamed),
    "Stream, deltas": tried(with_deltas),
    "iter_items": tried(lambda text: list(jsonscan.iter_items([text[:9], text[9:]], "/list"))),
    "row": tried(reader()),
}


GROUPS = {"machine": MACHINE, "once": ONCE, "entries": ENTRIES, "python": PYTHON}


def checked(call: Callable[[str], Any], text: str, many: int) -> tuple[int, str]:
    """How many allocations were failed, and what is wrong."""
    right, prepare, failures = "", forget, 0
    grown = array("q", bytes(8 * PASSES))  # which holds no references itself
    for _ in range(2):  # caches fill
        right = repr(call(text))
    for at in range(PASSES):
        before = references()
        try:
            failures = sum(attempts(lambda: call(text), right, prepare, many))
        except Unlike as unlike:
            return failures, str(unlike)
        prepare()
        gc.collect()
        grown[at] = references() - before
        if grown[at] <= 0:
            return failures, ""
    return failures, f"references left by {PASSES} passes over {failures} failures: {list(grown)}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--every", type=int, default=1, help="take every Nth text (default %(default)s)")
    parser.add_argument("groups", nargs="+", choices=GROUPS, help="of calls: entries are what users call first, python runs more of it")
    options = parser.parse_args()
    assert jsonscan.BUILD == "compiled"
    total = wrong = 0
    for group in options.groups:
        for name, call in GROUPS[group].items():
            failures = 0
            for text in calls.FEW[: 1 if group == "once" else None : options.every]:
                count, problem = checked(call, text, MANY[group])
                failures += count
                if problem:
                    wrong += 1
                    print(f"{name}({text[:60]!a}): {problem}", flush=True)
            print(f"{name}: {failures:,} allocations failed", flush=True)
            total += failures
    print(f"{total:,} failed allocations, {wrong} answered wrongly or leaked")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
