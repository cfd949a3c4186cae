"""Chunks through workers, in their order."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from .batch_input import Chunks, Place
from .batch_work import Chunk, Job, worker
from .edges import Trouble

AHEAD = 2  # chunks a worker has waiting, so that it never waits itself
LIVES = 3  # times that a chunk is tried whose worker dies

_work: Callable[[Any, int], Chunk] | None = None  # of this process, if it is a worker


def results(job: Job, chunks: Chunks, workers: int) -> Iterator[tuple[Chunk, Place]]:
    """Yield what the workers make of each chunk, in order, with the place behind it. No more chunks are held than the workers need."""
    if workers == 1:
        work = worker(job)
        for payload, before, place in chunks:
            yield work(payload, before), place
        return
    pool = Pool(job, workers)
    try:
        for chunk in chunks:
            pool.put(chunk)
            if pool.is_full():
                yield pool.take()
        while pool.waiting:
            yield pool.take()
    finally:
        pool.close()


class Pool:
    """Worker processes. One that dies is replaced, and its chunk tried again."""

    def __init__(self, job: Job, workers: int) -> None:
        self.job, self.workers = job, workers
        self.waiting: deque[tuple[Any, tuple[Any, int, Place]]] = deque()
        self._open()

    def _open(self) -> None:
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        # A fork shares what is loaded; it is safe where no thread runs, and Arrow starts some.
        how = "fork" if sys.platform == "linux" and self.job.format != "parquet" else "spawn"
        self.pool = ProcessPoolExecutor(self.workers, get_context(how), _begin, (self.job,))

    def put(self, chunk: tuple[Any, int, Place]) -> None:
        from concurrent.futures import Future
        from concurrent.futures.process import BrokenProcessPool

        try:
            with _uninterrupted():  # this may start the workers
                future = self.pool.submit(_do, *chunk[:2])
        except BrokenProcessPool as error:  # a worker died meanwhile: `take` will see to it
            future = Future()
            future.set_exception(error)
        self.waiting.append((future, chunk))

    def is_full(self) -> bool:
        return len(self.waiting) > self.workers * AHEAD

    def take(self) -> tuple[Chunk, Place]:
        """What became of the oldest chunk."""
        from concurrent.futures.process import BrokenProcessPool

        for _ in range(LIVES):
            future, (_, _, place) = self.waiting[0]
            try:
                made: Chunk = future.result()
            except BrokenProcessPool:
                self._again()
                continue
            self.waiting.popleft()
            return made, place
        raise Trouble("a worker was ended from outside, again and again: is there memory for all?")

    def _again(self) -> None:
        """A new pool for all chunks that wait."""
        self.pool.shutdown(wait=True)
        chunks = [chunk for _, chunk in self.waiting]
        self.waiting.clear()
        self._open()
        for chunk in chunks:
            self.put(chunk)

    def close(self) -> None:
        self.pool.shutdown(wait=True, cancel_futures=True)


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    """No Ctrl-C meanwhile, for this thread or what it starts: inside a fork it would be printed and forgotten. It comes afterwards."""
    if not hasattr(signal, "pthread_sigmask"):  # pragma: no cover - Windows, where nothing forks
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(job: Job) -> None:
    """A worker starts. It leaves Ctrl-C to its parent, and never outlives it."""
    global _work
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    _work = worker(job)


def _end_with_parent() -> None:
    from multiprocessing import parent_process
    from multiprocessing.connection import wait

    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _do(payload: Any, before: int) -> Chunk:
    assert _work is not None
    return _work(payload, before)
