"""Driving one adapter process: start, handshake, a pipelined window of requests, and a certain end.

``Process`` is the pipe work; ``Driver`` runs cases through as many processes as it takes and accounts for every one.
A case is charged with a crash or a time-out only when it was alone in flight, or when nothing that was in flight repeats it.
"""

from __future__ import annotations

import json
import os
import re
import selectors
import signal
import subprocess
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from .adapters import Spec, StartError
from .model import Case
from .operations import OPERATIONS
from .text import Malformed
from .values import Host

CHUNK = 1 << 18
LONGEST_LINE = 64 << 20
IN_FLIGHT_BYTES = 4 << 20
STDERR_KEPT = 8192
LONGEST_HELLO = 1 << 16

#: Control characters of a terminal, but for the line feed.
_CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f]")


class Fault(Exception):
    """A breach of the protocol that no case can be charged with."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind = kind
        self.detail = detail


@dataclass
class Limits:
    """How patient the runner is. Seconds; counts."""

    start: float = 60.0
    deadline: float = 20.0
    farewell: float = 10.0
    patience: float = 1.0
    window: int = 256
    restarts: int = 25
    faults: int = 20

    def of(self, case: Case) -> float:
        """The deadline of one case."""
        return (case.deadline or self.deadline) * self.patience


class Process:
    """One adapter process in its own process group, its pipes not blocking."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        words = spec.filled(spec.command)
        try:
            self.popen = subprocess.Popen(
                words,
                cwd=spec.here,
                env=spec.environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            spec.fail(f"cannot run {words[0]}: {error.strerror}")
        except ValueError as error:  # a NUL in a word
            spec.fail(f"cannot run {words[0]!a}: {error}")
        assert self.popen.stdin and self.popen.stdout and self.popen.stderr
        self.stdin, self.stdout, self.stderr = (
            pipe.fileno() for pipe in (self.popen.stdin, self.popen.stdout, self.popen.stderr)
        )
        self.selector = selectors.DefaultSelector()
        for descriptor in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(descriptor, False)
        self.selector.register(self.stdout, selectors.EVENT_READ)
        self.selector.register(self.stderr, selectors.EVENT_READ)
        self.out = bytearray()
        self.writing = False
        self.partial = bytearray()
        self.complaints = bytearray()
        self.ended = False

    def send(self, data: bytes) -> None:
        """Queue bytes for the adapter."""
        self.out += data
        self.watch_stdin(bool(self.out) and not self.popen.stdin.closed)  # type: ignore[union-attr]

    def watch_stdin(self, wanted: bool) -> None:
        if wanted != self.writing:
            (
                self.selector.register(self.stdin, selectors.EVENT_WRITE)
                if wanted
                else self.selector.unregister(self.stdin)
            )
            self.writing = wanted

    def turn(self, timeout: float) -> list[bytes]:
        """Wait for at most ``timeout`` seconds, move what can be moved; the whole lines that came, without their LF."""
        lines: list[bytes] = []
        for key, _ in self.selector.select(max(0.0, timeout)):
            if key.fd == self.stdin:
                self.write()
            elif key.fd == self.stderr:
                self.complain()
            else:
                lines += self.read()
        return lines

    def write(self) -> None:
        try:
            done = os.write(self.stdin, self.out[:CHUNK])
            del self.out[:done]
        except BlockingIOError:
            return
        except OSError:
            self.out.clear()
        if not self.out:
            self.watch_stdin(False)

    def complain(self) -> None:
        try:
            data = os.read(self.stderr, CHUNK)
        except BlockingIOError:
            return
        if not data:
            self.selector.unregister(self.stderr)
        self.complaints = (self.complaints + data)[-STDERR_KEPT:]

    def read(self) -> list[bytes]:
        try:
            data = os.read(self.stdout, CHUNK)
        except BlockingIOError:
            return []
        if not data:
            self.selector.unregister(self.stdout)
            self.ended = True
            return []
        *whole, rest = data.split(b"\n")
        if whole and self.partial:
            whole[0] = bytes(self.partial) + whole[0]
            self.partial.clear()
        self.partial += rest
        if len(self.partial) > LONGEST_LINE:
            raise Fault("endless-line", f"a line of more than {LONGEST_LINE:,} bytes")
        return whole

    def kill_group(self) -> None:
        """End the whole process group."""
        try:
            os.killpg(self.popen.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass

    def kill(self) -> None:
        """End the whole process group and reap the adapter."""
        self.kill_group()
        self.popen.wait()
        self.drain_complaints()
        self.selector.close()
        for pipe in (self.popen.stdin, self.popen.stdout, self.popen.stderr):
            try:
                pipe.close()  # type: ignore[union-attr]
            except OSError:
                pass

    def drain_complaints(self) -> None:
        try:
            while data := os.read(self.stderr, CHUNK):
                self.complaints = (self.complaints + data)[-STDERR_KEPT:]
        except (OSError, ValueError):
            pass

    def death(self) -> str:
        """How the adapter ended, once it has: ``SIGSEGV`` or ``exit-3``."""
        status = self.popen.wait()
        if status >= 0:
            return f"exit-{status}"
        try:
            return signal.Signals(-status).name
        except ValueError:
            return f"signal-{-status}"

    def last_words(self) -> str:
        """The end of what it wrote to standard error, nothing of which can steer a terminal."""
        words = self.complaints.decode("utf-8", "backslashreplace").strip()[-2000:]
        return _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", words)


@dataclass(frozen=True)
class Hello:
    """A handshake, read."""

    wire: dict[str, Any]
    operations: frozenset[str]
    host: Host

    @classmethod
    def read(cls, line: bytes) -> Hello:
        """Raises Malformed, saying what is wrong."""
        if len(line) > LONGEST_HELLO:
            raise Malformed(f"it has more than {LONGEST_HELLO:,} bytes")
        wire = read_line(line)
        if type(wire.get("protocol")) is not int or wire["protocol"] != 1:
            raise Malformed('"protocol" must be 1')
        for name in ("implementation", "version", "language"):
            if not isinstance(wire.get(name), str) or not wire[name] or not wire[name].isprintable():
                raise Malformed(f'"{name}" must be a string of printable characters, not empty')
        offered = wire.get("operations")
        if not isinstance(offered, list) or not offered or not all(isinstance(name, str) for name in offered):
            raise Malformed('"operations" must be a list of names, not empty')
        unknown = [name for name in offered if name not in OPERATIONS]
        if unknown:
            raise Malformed(f"no such operation: {', '.join(map(ascii, unknown))}"[:200])
        return cls(wire, frozenset(offered), Host.read(wire.get("host")))


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Malformed("an object has a member twice")
    return found


def _no_number(token: str) -> Any:
    raise Malformed(f"the number {token[:30]} has no plain form; see PROTOCOL.md on values")


def _no_minus_zero(digits: str) -> int:
    return _no_number(digits) if digits == "-0" else int(digits)


_decode = json.JSONDecoder(object_pairs_hook=_members, parse_float=_no_number, parse_constant=_no_number).decode
_decode_wary = json.JSONDecoder(
    object_pairs_hook=_members, parse_int=_no_minus_zero, parse_float=_no_number, parse_constant=_no_number
).decode


def read_line(line: bytes) -> dict[str, Any]:
    """The object of one line. Raises Malformed, saying what is wrong with it."""
    try:
        text = line.decode("ascii")
    except UnicodeDecodeError as error:
        raise Malformed(
            f"byte {error.start} of the line is 0x{line[error.start]:02x}: no ASCII; write \\uXXXX"
        ) from None
    if text.endswith("\r"):
        raise Malformed("the line ends with CR LF; write LF alone")
    try:
        wire = (_decode_wary if "-0" in text else _decode)(text)
    except Malformed:
        raise
    except (ValueError, RecursionError) as error:
        raise Malformed(f"no JSON: {error}") from None
    if not isinstance(wire, dict):
        raise Malformed("the line is no JSON object")
    return wire


def start(spec: Spec, limits: Limits) -> tuple[Process, Hello]:
    """A process that has said hello. Raises StartError."""
    process = Process(spec)
    try:
        return process, _greet(process, limits)
    except (Malformed, Fault) as error:
        process.kill()
        words = process.last_words()
        spec.fail(f"no hello: {error}" + (f"\n  its standard error ends: {words}" if words else ""))
        raise
    except BaseException:
        process.kill()
        raise


def _greet(process: Process, limits: Limits) -> Hello:
    process.send(b'{"hello":1}\n')
    until = time.monotonic() + limits.start * limits.patience
    while True:
        lines = process.turn(until - time.monotonic())
        if lines:
            if len(lines) > 1 or process.partial:
                raise Malformed("more than one line in answer to hello")
            return Hello.read(lines[0])
        if process.ended:
            process.popen.wait(5)
            process.drain_complaints()
            raise Malformed(f"it ended ({process.death()}) without an answer")
        if time.monotonic() >= until:
            waiting = ", though bytes without a line end came" if process.partial else ""
            raise Malformed(
                f"no answer within {limits.start * limits.patience:g} s{waiting}; is standard output flushed?"
            )


@dataclass
class Request:
    """A case in flight."""

    case: Case
    size: int
    deadline: float


@dataclass
class Stop:
    """Why a pump stopped before all was answered: ``kind`` is crash, timeout, no-answer or fault."""

    kind: str
    detail: str
    suspects: list[Case]


Answered = Callable[[Case, Any, bytes], None]
Faulted = Callable[[str, str], None]


class Driver:
    """Runs cases through an adapter, one process after another.

    ``answered(case, answer, line)`` is called once for each case that is answered, ``answer`` being the decoded object or the
    Malformed that it is; ``charged(case, kind, detail)`` once for each that is not; ``fault(kind, detail)`` for breaches that
    no case can be charged with. ``not_run`` holds what was never asked or never settled when the driver gave up. After ``until`` (a
    time.monotonic()) no process is started and no more cases are begun with. ``repeats(case, line)``, where it is set, says
    whether a line is one that was answered before: then it is neither read nor told again.
    """

    def __init__(
        self,
        spec: Spec,
        limits: Limits,
        answered: Answered,
        charged: Callable[[Case, str, str], None],
        fault: Faulted,
        progress: Callable[[], None] = lambda: None,
    ) -> None:
        self.spec = spec
        self.limits = limits
        self.answered = answered
        self.charged = charged
        self.report_fault = fault
        self.progress = progress
        self.faults = 0
        self.restarts = 0
        self.process: Process | None = None
        self.hello: Hello | None = None
        self.last_id = 0
        self.flying = 0
        self.until = float("inf")
        self.repeats: Callable[[Case, bytes], bool] | None = None
        self.not_run: list[Case] = []

    def fault(self, kind: str, detail: str) -> None:
        self.faults += 1
        self.report_fault(kind, detail)

    def open(self) -> Hello:
        """Start the first process. Raises StartError."""
        self.process, self.hello = start(self.spec, self.limits)
        return self.hello

    def cancel(self) -> None:
        """Kill the process and start no other: from another thread."""
        self.limits = replace(self.limits, faults=-1)
        process = self.process
        if process:
            process.kill_group()

    def run(self, cases: Iterable[Case]) -> None:
        """Ask every case; each is answered, charged, or left in ``not_run``."""
        queue = deque(cases)
        while queue:
            if not self.ready():
                self.not_run += queue
                return
            stop = self.pump(queue, self.limits.window)
            if stop:
                self.settle(stop, queue)

    def settle(self, stop: Stop, queue: deque[Case]) -> None:
        """After a crash or hang: run the suspects one at a time until one repeats it; exactly one is charged."""
        self.end_process()
        if stop.kind == "fault":
            self.not_run += stop.suspects
            self.not_run += queue
            queue.clear()
            return
        if not stop.suspects:
            self.fault("unplanned-restart", f"{stop.detail}, with nothing asked")
            return
        if len(stop.suspects) == 1:
            self.charged(stop.suspects[0], stop.kind, stop.detail)
            return
        lone: deque[Case] = deque(stop.suspects)
        while lone:
            if not self.ready():
                break
            again = self.pump(lone, 1)
            if again:
                self.end_process()
                if again.kind == "fault" or not again.suspects:
                    self.not_run += again.suspects
                    if again.kind != "fault":
                        self.fault("unplanned-restart", f"{again.detail}, with nothing asked")
                    break
                self.charged(again.suspects[0], again.kind, again.detail)
                queue.extendleft(reversed(lone))
                return
        self.not_run += lone
        self.fault(
            "unplanned-restart",
            f"{stop.detail} with {len(stop.suspects)} cases in flight from {stop.suspects[0].id} on; none repeats it alone",
        )

    def ready(self) -> bool:
        """Whether there is a process to ask, starting one when the last is gone and the caps allow it."""
        if self.faults > self.limits.faults or time.monotonic() > self.until:
            return False
        if self.process:
            return True
        if self.restarts >= self.limits.restarts:
            self.fault("restart-cap", f"gave up after {self.restarts} restarts")
            return False
        self.restarts += 1
        try:
            self.process, hello = start(self.spec, self.limits)
        except StartError as error:
            self.fault("restart-failed", str(error))
            return False
        if self.hello and hello.wire != self.hello.wire:
            self.fault("hello-changed", "another handshake after the restart")
        return True

    def pump(self, queue: deque[Case], window: int) -> Stop | None:
        """Ask from ``queue`` with at most ``window`` in flight, until all is answered (None) or the process fails."""
        process = self.process
        assert process
        pending: dict[int, Request] = {}
        self.flying = 0
        highest = 0
        moved = time.monotonic()
        try:
            while queue or pending:
                if queue and len(pending) <= window // 2:
                    if not pending:
                        moved = time.monotonic()
                    self.fill(queue, pending, window)
                oldest = next(iter(pending.values()))
                lines = process.turn(moved + oldest.deadline - time.monotonic())
                for line in lines:
                    number = self.take(line, pending)
                    if number:
                        highest = max(highest, number)
                    elif self.faults > self.limits.faults:
                        break
                if lines:
                    moved = time.monotonic()
                    self.progress()
                    if self.faults > self.limits.faults:
                        return Stop("fault", "too many faults", self.cases(pending))
                if process.ended and (queue or pending):
                    return self.died(process, pending)
                if pending and time.monotonic() >= moved + oldest.deadline:
                    first = next(iter(pending))
                    kind = "no-answer" if highest > first else "timeout"
                    return Stop(kind, f"no answer within {oldest.deadline:g} s", self.cases(pending))
        except Fault as error:
            self.fault(error.kind, error.detail)
            return Stop("fault", str(error), self.cases(pending))
        return None

    @staticmethod
    def cases(pending: dict[int, Request]) -> list[Case]:
        return [request.case for request in pending.values()]

    def fill(self, queue: deque[Case], pending: dict[int, Request], window: int) -> None:
        """Send from the queue up to the window and the byte bound; at least one."""
        assert self.process
        batch = []
        while queue and len(pending) < window and (self.flying < IN_FLIGHT_BYTES or not pending):
            case = queue.popleft()
            self.last_id += 1
            line = b'{"id":%d,%b' % (self.last_id, case.request_tail)
            pending[self.last_id] = Request(case, len(line), self.limits.of(case))
            self.flying += len(line)
            batch.append(line)
        self.process.send(b"".join(batch))

    def take(self, line: bytes, pending: dict[int, Request]) -> int | None:
        """Account for one line of the adapter; the id it answers, if it answers one."""
        if self.repeats:
            number = salvage_id(line)
            plain = number in pending and line.startswith((b'{"id":%d,' % number, b'{"id": %d,' % number))
            if plain and self.repeats(pending[number].case, line):
                self.flying -= pending.pop(number).size
                return number
        try:
            answer: Any = read_line(line)
            number = answer.get("id")
        except Malformed as error:
            answer, number = error, salvage_id(line)
        if type(number) is not int or number not in pending:
            if isinstance(answer, Malformed):
                self.fault("garbage", f"{answer}: {line[:120]!r}")
            elif type(number) is int and 0 < number <= self.last_id:
                self.fault("duplicate-id", f"a second answer to request {number}: {line[:120]!r}")
            else:
                self.fault("unknown-id", f"an answer to nothing: {line[:120]!r}")
            return None
        request = pending.pop(number)
        self.flying -= request.size
        self.answered(request.case, answer, line)
        return number

    def died(self, process: Process, pending: dict[int, Request]) -> Stop:
        """The Stop of a process whose standard output ended."""
        try:
            process.popen.wait(1)
        except subprocess.TimeoutExpired:
            return Stop("crash", "standard output closed", self.cases(pending))
        process.drain_complaints()
        if process.partial:
            self.fault("cut-line", f"the last line has no end: {bytes(process.partial[:120])!r}")
        words = process.last_words()
        return Stop("crash", process.death() + (f": {words}" if words else ""), self.cases(pending))

    def end_process(self) -> None:
        if self.process:
            self.process.kill()
            self.process = None

    def close(self) -> None:
        """Say bye and see the adapter out: exit status 0, nothing more on standard output."""
        process = self.process
        if not process:
            return
        if process.ended or process.popen.poll() is not None:
            self.fault("early-exit", "it ended before bye")
        process.send(b'{"bye":1}\n')
        until = time.monotonic() + self.limits.farewell * self.limits.patience
        lines: list[bytes] = []
        try:
            while not process.ended and time.monotonic() < until and process.popen.poll() is None:
                lines += process.turn(
                    min(0.1, until - time.monotonic()) if not process.out else until - time.monotonic()
                )
            lines += self.leftovers(process)
        except Fault as error:
            self.fault(error.kind, error.detail)
        if lines or process.partial:
            self.fault("output-after-bye", f"{(lines or [bytes(process.partial)])[0][:120]!r}")
        self.check_exit(process, until)
        self.end_process()

    @staticmethod
    def leftovers(process: Process) -> list[bytes]:
        """What is still in the pipe once the adapter has gone."""
        lines = []
        until = time.monotonic() + 0.5
        while not process.ended and time.monotonic() < until and process.popen.poll() is not None:
            lines += process.turn(0.05)
        return lines

    def check_exit(self, process: Process, until: float) -> None:
        try:
            process.popen.wait(max(0.1, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            self.fault("no-exit", "still running after bye")
            return
        if process.popen.returncode:
            process.drain_complaints()
            self.fault("bad-exit", f"{process.death()} after bye: {process.last_words()[-300:]}")


def salvage_id(line: bytes) -> int | None:
    """The id of a line that is no proper answer but starts as one, so that its case can be charged."""
    if not line.startswith(b'{"id":'):
        return None
    digits = line[6:26].lstrip().split(b",")[0]
    return int(digits) if digits.isdigit() else None
