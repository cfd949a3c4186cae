"""Where the rows of a batch go: a file that a crash cannot spoil, or standard output.

    OUT.part     the rows so far, whole chunks only up to the length that the journal tells
    OUT.journal  one line that says which run this is, then one line a checkpoint: how far in the input, how long the output, the counts
    OUT          takes the place of OUT.part when all is done; the journal stays, shortened, and says what OUT was made of

A checkpoint is written behind the output that it tells of, each forced to the disk. So a run that goes on cuts the output to the length in
the last whole line, reads on from the place there, and no row is lost or doubled, wherever the one before was killed.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import IO, Any, NamedTuple

from ..machine import parse_at
from .edges import Trouble, for_stdout, stdout_is_terminal, write, write_all, write_bytes

try:
    from fcntl import LOCK_EX, LOCK_NB, lockf
except ImportError:  # pragma: no cover - Windows
    lockf = None  # type: ignore[assignment]

TAIL = 1 << 16  # bytes at the end of a journal, which surely hold a whole line


class AlreadyDone(Exception):
    """The output is there, whole, and its journal says that it is of this very run."""


class State(NamedTuple):
    """How far a run has come. One object, so that no interrupt can part what belongs together."""

    place: dict[str, int]  # in the input; {} is its start
    length: int  # of the output
    counts: Counter[str]

    def behind(self, data: bytes, place: dict[str, int], counts: Counter[str]) -> State:
        return State(place, self.length + len(data), self.counts + counts)


START = State({}, 0, Counter())
Finisher = Callable[[str, str], None]  # makes its second file of its first


def files_of(path: str) -> tuple[str, str, str, str]:
    """All that is written for the sake of an output, which comes first."""
    return path, f"{path}.part", f"{path}.journal", f"{path}.tmp"


class Standard:
    """Rows to standard output, as they are."""

    ended = False

    def __init__(self) -> None:
        self.state = START

    def append(self, data: bytes, place: dict[str, int], counts: Counter[str]) -> None:
        if stdout_is_terminal():
            write(for_stdout(data.decode()))
        else:
            write_bytes(data)
        self.state = self.state.behind(data, place, counts)

    def finish(self, finisher: Finisher | None = None) -> None:
        """Nothing is left to do."""

    def leave(self) -> None:
        """What was written is gone already."""

    discard = close = leave


class Journalled:
    """Rows to a file, through OUT.part and OUT.journal. Raises Trouble."""

    def __init__(self, path: str, run: dict[str, Any], resume: bool, every: float) -> None:
        self.path, self.part, self.journal, self.made = files_of(path)
        self.run = run
        self.every, self.checked = every, time.monotonic()
        self.state, self.ended = START, False
        self._out: IO[bytes] | None = None
        with self._named(self.journal):
            if resume and not os.path.exists(self.journal) and _is_newer(path, run["input"]):
                raise Trouble(f"{path} is there, and no {self.journal} tells of what run: start without --resume")
            self._log: IO[bytes] = open(self.journal, "a+b", buffering=0)  # noqa: SIM115 - locked until close()
        try:
            self._begin(resume)
        except BaseException:
            self.close()
            raise

    def _begin(self, resume: bool) -> None:
        self._lock()
        with self._named(self.journal):
            if not (resume and self._went_on()):
                self._start_journal()
        with self._named(self.part):
            mode = "r+b" if self.state.length else "wb"
            # A file without a buffer keeps nothing that fails once more when it is closed.
            self._out = open(self.part, mode, buffering=0)  # noqa: SIM115 - until close()
            if os.fstat(self._out.fileno()).st_size < self.state.length:
                raise Trouble(f"{self.part} is shorter than its journal says: start without --resume")
            self._out.truncate(self.state.length)
            self._out.seek(self.state.length)

    def append(self, data: bytes, place: dict[str, int], counts: Counter[str]) -> None:
        """Add the rows of a chunk, behind which the input stands at `place`."""
        with self._named(self.part):
            assert self._out is not None
            write_all(self._out, data)
        self.state = self.state.behind(data, place, counts)
        if time.monotonic() - self.checked >= self.every:
            self._checkpoint()

    def finish(self, finisher: Finisher | None = None) -> None:
        """All rows are there: OUT takes the place of OUT.part, or what `finisher` makes of it does. The journal is left with what run
        it was, and that it ended."""
        self._checkpoint(end=True)
        with self._named(self.path):
            if finisher is None:
                os.replace(self.part, self.path)
            else:
                finisher(self.part, self.made)
                os.replace(self.made, self.path)
            self._sync_directory()
        self._remove(self.part)
        with self._named(self.journal):  # a crash in between costs another run, and no row
            self._start_journal()
            self._record(self._fact_of_state(end=True))

    def leave(self) -> None:
        """The run ends before its time: what is written whole counts, if there is still room to say so."""
        with contextlib.suppress(Trouble):
            self._checkpoint()

    def discard(self) -> None:
        """Leave nothing behind, the journal last."""
        self._remove(self.part)
        self._remove(self.journal)

    def _remove(self, path: str) -> None:
        with self._named(path), contextlib.suppress(FileNotFoundError):
            os.unlink(path)

    def close(self) -> None:
        """Let go of the files, and of the lock."""
        for file in (self._out, self._log):
            if file is not None:
                file.close()

    def _checkpoint(self, end: bool = False) -> None:
        with self._named(self.part):
            assert self._out is not None
            os.fsync(self._out.fileno())
        with self._named(self.journal):
            self._record(self._fact_of_state(end))
        self.checked = time.monotonic()

    def _fact_of_state(self, end: bool) -> dict[str, Any]:
        place, length, counts = self.state
        return {"in": place, "out": length, "counts": counts, "end": end}

    def _start_journal(self) -> None:
        self._log.truncate(0)
        self._record(self.run)

    def _record(self, fact: dict[str, Any]) -> None:
        write_all(self._log, json.dumps(fact).encode() + b"\n")
        os.fsync(self._log.fileno())

    def _went_on(self) -> bool:
        """Take over the last checkpoint of this very run, and say whether there was such a run. A line that breaks off was being written
        when it ended. A run that is done, but not this one, is nothing to go on from; if only the input is another, it is not missed.
        Raises AlreadyDone."""
        self._log.seek(0)
        head = self._log.readline()
        if not head.endswith(b"\n"):
            return False
        size = self._log.seek(0, os.SEEK_END)
        start = self._log.seek(max(len(head), size - TAIL))
        tail = self._log.read()
        whole = tail.rfind(b"\n") + 1
        last = self._fact(tail[:whole].splitlines()[-1]) if whole else None
        before, is_done = self._fact(head), _is_end(last) and not os.path.exists(self.part)
        if is_done and (_input_of(before) != self.run["input"] or not os.path.exists(self.path)):
            return False
        if before != self.run:
            raise Trouble(
                f"{self.journal} is of another run: the input, the options or jsonscan changed; start without --resume"
            )
        if is_done:
            raise AlreadyDone(self.path)
        self._log.truncate(start + whole)
        if last is not None:
            self._take_over(last)
        return True

    def _fact(self, line: bytes) -> Any:
        """What a line of the journal says."""
        found = parse_at(line.decode("utf-8", "replace"), 0)
        if found is None:
            raise self._damaged()
        return found[0]

    def _take_over(self, last: Any) -> None:
        try:
            place, length, counts, ended = (last[name] for name in ("in", "out", "counts", "end"))
            numbers = [length, *place.values(), *counts.values()]
        except (KeyError, TypeError, AttributeError):
            raise self._damaged() from None
        if any(type(number) is not int or number < 0 for number in numbers):
            raise self._damaged()
        self.state, self.ended = State(place, length, Counter(counts)), ended

    def _damaged(self) -> Trouble:
        return Trouble(f"{self.journal} is damaged: start without --resume")

    def _lock(self) -> None:
        if lockf is not None:  # freed when the process ends, however it ends
            try:
                lockf(self._log, LOCK_EX | LOCK_NB)
            except OSError:
                raise Trouble(f"{self.path}: another run is writing it") from None

    def _sync_directory(self) -> None:
        """Force the new name to the disk, where a directory can be opened for that."""
        with contextlib.suppress(OSError):
            directory = os.open(os.path.dirname(os.path.abspath(self.path)), os.O_RDONLY)
            try:
                os.fsync(directory)
            finally:
                os.close(directory)

    @contextlib.contextmanager
    def _named(self, path: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise Trouble(f"{path}: {error.strerror or error}") from None


def _is_end(fact: Any) -> bool:
    """Whether a line of a journal says that the run ended."""
    return isinstance(fact, dict) and fact.get("end") is True


def _input_of(fact: Any) -> Any:
    """What input the first line of a journal is of."""
    return fact.get("input") if isinstance(fact, dict) else None


def _is_newer(path: str, source: dict[str, Any]) -> bool:
    """Whether there is a file that was written behind its input."""
    return os.path.exists(path) and os.stat(path).st_mtime_ns >= source["mtime"]
