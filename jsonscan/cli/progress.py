"""How far a long run has come: for a person at a terminal, and only if it takes long enough to wonder."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable

from .edges import printable

PATIENCE = 1.0  # seconds before the first line
PAUSE = 0.2  # between one and the next
_CLEAR = "\r\x1b[K"


class Progress:
    """One line on standard error that is written over. Silent where that is no terminal, or nobody wants it."""

    def __init__(self, wanted: bool, clock: Callable[[], float] = time.monotonic) -> None:
        self.wanted = wanted and sys.stderr is not None and sys.stderr.isatty()
        self.clock = clock
        self.began = clock()
        self.next = self.began + PATIENCE
        self.shown = False
        self.came: float | None = None  # so much had been read when the first rows of this run were done

    def update(self, rows: int, without: int, share: float | None) -> None:
        """`rows` of this run are done, `without` of them have no JSON; `share` is the part of the input that is read, if that is known."""
        now = self.clock()
        self.came = share if self.came is None else self.came
        if not self.wanted or now < self.next:
            return
        self.next = now + PAUSE
        took = now - self.began
        facts = [f"{rows:,} rows", f"{rows / took:,.0f} rows/s", f"{without:,} without JSON"]
        if share is not None and self.came is not None and share > self.came:
            facts.append(f"{share:.0%}, {duration(took * (1 - share) / (share - self.came))} left")
        self.shown = True
        self._write(_CLEAR + printable("; ".join(facts))[: _room()])

    def close(self) -> None:
        """Take the line away, so that what is said next stands alone."""
        if self.shown:
            self.shown = False
            self._write(_CLEAR)

    def seconds(self) -> float:
        """Since the start."""
        return self.clock() - self.began

    def _write(self, text: str) -> None:
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except OSError:
            self.wanted = self.shown = False


def _room() -> int | None:
    """How much goes on one line of the terminal: what is wrapped is not cleared."""
    try:
        return max(0, os.get_terminal_size(sys.stderr.fileno()).columns - 1) or None
    except OSError:
        return None


def duration(seconds: float) -> str:
    """Seconds in words."""
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole} s"
    return f"{whole // 60} min {whole % 60} s" if whole < 3600 else f"{whole // 3600} h {whole % 3600 // 60} min"
