"""``adapter doctor``: one conversation with an adapter, step by step, to the first wrong byte.

Unlike ``run`` it sends one line at a time and waits, so that buffering, line ends, encoding and the handshake each show as what
they are. It says nothing of whether answers are right.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

from .adapters import Spec
from .drive import Fault, Hello, Process, read_line
from .model import Case
from .operations import OPERATIONS
from .text import Malformed, plain
from .values import read_events

#: So many times as long as for an answer is waited for the hello.
START = 3.0

#: What each check of values sends to json_parse, and what a right answer may be mistaken in.
VALUES = {
    "a plain object": '{"a":[1,"x",null,true]}',
    "fractions as $f": "[1.5,-0,1e400]",
    "integers beyond 2^53": "[9007199254740993]",
    "strings beyond ASCII": '["\\u00e9\\ud83d\\ude00"]',
    "lone surrogates as $u16": '["\\ud800"]',
    "keys that start with $ as $o": '{"$i":"1"}',
    "nesting of 1,000 as $flat": "[" * 1000 + "]" * 1000,
}


class Sick(Exception):
    """The first thing that is wrong; ``line`` are the bytes it is in, ``at`` the offset of the first wrong one."""

    def __init__(self, text: str, line: bytes = b"", at: int | None = None) -> None:
        super().__init__(text)
        self.line = line
        self.at = at


def first_wrong_byte(line: bytes) -> tuple[int, str] | None:
    """The offset of the first byte of a line that cannot stand there, and why; None for a proper JSON object."""
    if line.startswith(b"\xef\xbb\xbf"):
        return 0, "a byte order mark; write none"
    for at, byte in enumerate(line):
        if byte >= 0x80:
            return at, f"byte 0x{byte:02x} is no ASCII; write \\uXXXX for every character beyond"
    if line.endswith(b"\r"):
        return len(line) - 1, "a carriage return before the LF; write LF alone"
    if not line.strip():
        return 0, "a blank line; one LF after each answer"
    try:
        json.loads(line)
    except (ValueError, RecursionError) as error:
        return getattr(error, "pos", 0), f"no JSON: {getattr(error, 'msg', error)}"
    try:
        read_line(line)
    except Malformed as error:
        return 0, str(error)
    return None


def dump(line: bytes, at: int) -> str:
    """The bytes around an offset, in hex and as text, with a mark under it."""
    start = max(0, at - 16)
    piece = line[start : at + 24]
    text = "".join(chr(byte) if 0x20 <= byte < 0x7F else "." for byte in piece)
    return f"    offset {at}: {piece.hex(' ')}\n    {text}\n    {' ' * (at - start)}^"


class Doctor:
    """One examination. Each step says what it found, or raises Sick."""

    def __init__(self, spec: Spec, patience: float) -> None:
        self.spec = spec
        self.patience = patience
        self.hello: Hello | None = None
        self.number = 0
        self.process = Process(spec)

    def examine(self) -> Iterator[tuple[str, str]]:
        """Each step's name and what it found. Raises Sick."""
        steps: list[tuple[str, Callable[[], str]]] = [
            ("starts", self.starts),
            ("hello", self.says_hello),
            ("one answer", self.answers),
            ("values", self.values),
            ("strings both ways", self.strings),
            ("an unknown operation", self.unknown),
            ("a long line", self.long_line),
            ("200 requests at once", self.pipelined),
            ("bye", self.bye),
        ]
        for name, step in steps:
            yield name, ""
            yield name, step()

    def starts(self) -> str:
        time.sleep(0.05)
        if self.process.popen.poll() is not None:
            raise Sick(f"it ended at once: {self.process.death()}")
        return " ".join(self.spec.filled(self.spec.command))

    def line(self, data: bytes, what: str, patience: float) -> bytes:
        """The one line that answers ``data``. Raises Sick."""
        process = self.process
        process.send(data)
        until = time.monotonic() + patience
        while time.monotonic() < until:
            lines = process.turn(until - time.monotonic())
            if lines:
                if len(lines) > 1 or process.partial:
                    raise Sick(
                        f"more than one line came in answer to {what}",
                        b"\n".join([*lines, bytes(process.partial)]),
                        len(lines[0]),
                    )
                return lines[0]
            if process.ended:
                raise Sick(f"it ended ({process.death()}) instead of answering {what}")
        if process.partial:
            raise Sick(
                f"{len(process.partial)} bytes came in answer to {what}, but no line end (LF)",
                bytes(process.partial),
                len(process.partial),
            )
        raise Sick(self.silence(what, patience))

    def silence(self, what: str, patience: float) -> str:
        """Why nothing may have come: closing standard input tells buffering from silence."""
        process = self.process
        process.watch_stdin(False)
        process.popen.stdin.close()  # type: ignore[union-attr]
        until = time.monotonic() + min(self.patience, 3)
        while time.monotonic() < until and not process.ended:
            if process.turn(until - time.monotonic()) or process.partial:
                return (
                    f"nothing came in answer to {what} within {patience:g} s, but it did once standard input was closed: "
                    "the answer sat in a buffer. Flush standard output after each line, and read lines as they come"
                )
        return f"nothing came in answer to {what} within {patience:g} s, nor when standard input was closed"

    def message(self, data: bytes, what: str) -> dict[str, Any]:
        """The object that answers. Raises Sick at its first wrong byte."""
        line = self.line(data, what, self.patience)
        wrong = first_wrong_byte(line)
        if wrong:
            raise Sick(f"the answer to {what}: {wrong[1]}", line, wrong[0])
        return read_line(line)

    def says_hello(self) -> str:
        line = self.line(b'{"hello":1}\n', "hello", START * self.patience)  # it may be compiling yet
        wrong = first_wrong_byte(line)
        if wrong:
            raise Sick(f"the answer to hello: {wrong[1]}", line, wrong[0])
        try:
            self.hello = Hello.read(line)
        except Malformed as error:
            raise Sick(f"the handshake: {error}", line, 0) from None
        missing = [name for name in self.spec.operations if name not in self.hello.operations]
        if missing:
            raise Sick(f"the handshake does not offer {', '.join(missing)}, which adapter.json promises", line, 0)
        return (
            f"{self.hello.wire['implementation']} {self.hello.wire['version']}, {len(self.hello.operations)} operations"
        )

    def ask(self, operation: str, given: dict[str, Any], what: str) -> dict[str, Any]:
        self.number += 1
        answer = self.message(request(self.number, operation, given), what)
        if answer.get("id") != self.number or type(answer.get("id")) is not int:
            raise Sick(
                f"the answer to {what} has the id {answer.get('id')!r}, the request had {self.number}",
                json.dumps(answer).encode(),
                0,
            )
        if not isinstance(answer.get("outcome"), str):
            raise Sick(f'the answer to {what} has no "outcome"', json.dumps(answer).encode(), 0)
        return answer

    def answers(self) -> str:
        assert self.hello
        said = []
        for operation in sorted(self.hello.operations):
            given: dict[str, Any] = {"text": "{}"} | ({"chunks": [1]} if operation == "stream" else {})
            answer = self.ask(operation, given, operation)
            outcomes = [*OPERATIONS[operation].outcomes, "failed", "unsupported"]
            if answer["outcome"] not in outcomes:
                raise Sick(f"{operation} answered the outcome {answer['outcome']!r}; it can be {', '.join(outcomes)}")
            said.append(f"{operation} {answer['outcome']}")
        return ", ".join(said)

    def values(self) -> str:
        assert self.hello
        if "json_parse" not in self.hello.operations:
            return "left out: json_parse is not offered"
        unread = []
        for name, text in VALUES.items():
            answer = self.ask("json_parse", {"text": text}, name)
            if answer["outcome"] != "value":
                unread.append(name)
                continue
            try:
                read_events(answer.get("value"))
            except Malformed as error:
                raise Sick(f"{name}: {error}: {json.dumps(answer)[:200]}") from None
        return f"not answered with a value: {', '.join(unread)}" if unread else "all forms well written"

    def strings(self) -> str:
        assert self.hello
        operation = min(self.hello.operations)
        extra: dict[str, Any] = {"chunks": [1]} if operation == "stream" else {}
        self.ask(operation, {"text": "\u00e9\U0001f600"} | extra, "a text beyond ASCII")
        if self.hello.host.ill_formed == "kept":
            self.ask(operation, {"utf16": "d800"} | extra, "a text given as UTF-16 code units")
        return "understood"

    def unknown(self) -> str:
        answer = self.ask("no_such_operation", {"text": ""}, "an unknown operation")
        if answer["outcome"] != "unsupported":
            raise Sick(f"an unknown operation must be answered unsupported, not {answer['outcome']!r}")
        return "unsupported, as it should be"

    def long_line(self) -> str:
        assert self.hello
        operation = min(self.hello.operations)
        extra: dict[str, Any] = {"chunks": [1]} if operation == "stream" else {}
        self.ask(operation, {"text": "x" * 2_000_000} | extra, "a line of two megabytes")
        return "two megabytes"

    def pipelined(self) -> str:
        assert self.hello
        operation = min(self.hello.operations)
        extra: dict[str, Any] = {"chunks": [1]} if operation == "stream" else {}
        wanted = set(range(self.number + 1, self.number + 201))
        self.number += 200
        self.process.send(b"".join(request(number, operation, {"text": "{}"} | extra) for number in sorted(wanted)))
        until = time.monotonic() + self.patience
        while wanted and time.monotonic() < until and not self.process.ended:
            for line in self.process.turn(until - time.monotonic()):
                wrong = first_wrong_byte(line)
                if wrong:
                    raise Sick(f"an answer of many: {wrong[1]}", line, wrong[0])
                number = read_line(line).get("id")
                if type(number) is not int or number not in wanted:
                    raise Sick(f"an answer with the id {number!r}, which was answered already or never asked", line, 0)
                wanted.remove(number)
        if wanted:
            raise Sick(f"{len(wanted)} of 200 requests sent at once were not answered within {self.patience:g} s")
        return "all answered once"

    def bye(self) -> str:
        process = self.process
        process.send(b'{"bye":1}\n')
        until = time.monotonic() + self.patience
        while time.monotonic() < until and not process.ended and process.popen.poll() is None:
            lines = process.turn(min(0.1, until - time.monotonic()))
            if lines or process.partial:
                raise Sick("output after bye", (lines or [bytes(process.partial)])[0], 0)
        try:
            process.popen.wait(max(0.1, until - time.monotonic()))
        except Exception:
            raise Sick(f"still running {self.patience:g} s after bye") from None
        if process.popen.returncode:
            raise Sick(f"{process.death()} after bye; it must exit with status 0")
        return "exit status 0"


def request(number: int, operation: str, given: dict[str, Any]) -> bytes:
    record = {"id": "", "operation": operation, "input": given}
    return b'{"id":%d,%b' % (number, Case(record, "").request_tail)


def examine(spec: Spec, patience: float, tell: Callable[[str], None]) -> bool:
    """Examine an adapter, telling each step; whether it is well. Raises StartError, also for a build step that fails."""
    spec.prepare()
    for command in spec.build:
        tell(f"ok    build: {' '.join(spec.filled(command))}")
    doctor = Doctor(spec, patience)
    name = ""
    try:
        for name, found in doctor.examine():
            if found:
                tell(f"ok    {name}: {plain(found)[:200]}")
        return True
    except (Sick, Fault) as error:
        tell(f"FAIL  {name}: {error}")
        if isinstance(error, Sick) and error.at is not None and error.line:
            tell(dump(error.line, error.at))
        return False
    finally:
        doctor.process.kill()
        words = doctor.process.last_words()
        if words:
            tell(f"its standard error ends:\n{words}")
