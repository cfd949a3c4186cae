"""What every engine is held against: the table that one process makes, as bytes, and a worker that dies on the way."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pyarrow as pa
import pyarrow.compute as pc
from responses import responses

from jsonscan.arrow import extract_column

ROWS = int(os.environ.get("JSONSCAN_ROWS", "4000"))
PARTS = 20
DIES_AFTER = PARTS // 3  # parts are begun before one is that ends in death
PATIENCE = 120  # seconds that the dying wait for it; a test that gets there fails


def table(rows: int = ROWS) -> pa.Table:
    return pa.table({"id": pa.array(range(rows)), "response": pa.array(responses(rows), pa.string())})


Extract = Callable[[Any], Any]


def answered(batch: Any, extract: Extract = extract_column) -> Any:
    """A table or record batch with the column of answers."""
    return batch.append_column("answer", extract(batch["response"]))


ANSWER = extract_column(pa.array([], pa.string())).type
SCHEMA = pa.schema([("id", pa.int64()), ("response", pa.string()), ("answer", ANSWER)])


def as_bytes(result: pa.Table) -> bytes:
    """The table as an Arrow IPC stream, whatever order, chunks and string layouts it came in."""
    rows = result.select(SCHEMA.names).take(pc.sort_indices(result["id"])).cast(SCHEMA).to_pylist()
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, SCHEMA) as writer:
        writer.write_table(pa.Table.from_pylist(rows, SCHEMA))
    return sink.getvalue().to_pybytes()


class Mortal:
    """`extract_column`, which keeps a record of the parts begun; the worker that begins one of them waits to be killed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, column: Any) -> Any:
        if len(column):
            (self.folder / f"{os.getpid()}-{uuid.uuid4().hex}.begun").touch()
            if len(self.begun()) > DIES_AFTER and self._is_chosen():
                time.sleep(PATIENCE)
                raise RuntimeError("nobody came to kill this worker")
        return extract_column(column)

    def _is_chosen(self) -> bool:
        """True once among all workers: who makes the file that stays is the one."""
        try:
            (self.folder / "taken").touch(exist_ok=False)
        except FileExistsError:
            return False
        (self.folder / "chosen.new").write_text(str(os.getpid()))
        os.rename(self.folder / "chosen.new", self.folder / "chosen")  # with the number in it; the end may come at once
        return True

    def begun(self) -> list[int]:
        """The processes that began the parts, one a part."""
        return [int(path.name.partition("-")[0]) for path in self.folder.glob("*.begun")]

    @contextlib.contextmanager
    def death(self) -> Iterator[list[int]]:
        """While the engine runs in here, the chosen worker is killed; yields what will hold its process id."""
        killed: list[int] = []
        over = threading.Event()

        def kill() -> None:
            while not over.wait(0.02):
                if (self.folder / "chosen").exists():
                    killed.append(int((self.folder / "chosen").read_text()))
                    os.kill(killed[0], signal.SIGKILL)
                    return

        killer = threading.Thread(target=kill)
        killer.start()
        try:
            yield killed
        finally:
            over.set()
            killer.join()


def open_to_others() -> list[str]:
    """The addresses that this process and those it started listen on, but for those of this machine alone."""
    found = set()
    me = psutil.Process()
    for process in [me, *me.children(recursive=True)]:
        with contextlib.suppress(psutil.NoSuchProcess):
            listening = (each for each in process.net_connections("tcp") if each.status == psutil.CONN_LISTEN)
            found |= {f"{each.laddr.ip}:{each.laddr.port} {process.name()}" for each in listening}
    return sorted(each for each in found if not each.startswith(("127.", "::1:", "::ffff:127.")))
