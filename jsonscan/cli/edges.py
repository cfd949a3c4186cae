"""Where the command meets the world: files, standard streams, terminals. What fails here is one clear line."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from errno import EAGAIN
from typing import IO

STDIN = "-"
PIECE = 1 << 16
# A longer line is refused, whatever is behind it: memory stays bounded on any input.
LONGEST = 64 << 20
# An input that is read whole ends here unless `--max-bytes` says otherwise: far beyond a response, and an endless one fills no memory.
MOST = 256 << 20
# What moves a terminal's cursor, changes its state or reorders its text: the C0 and C1 controls, DEL, and the marks of
# bidirectional text.
UNSAFE = [
    *range(0x20),
    *range(0x7F, 0xA0),
    0x061C,
    0x200E,
    0x200F,
    0x2028,
    0x2029,
    *range(0x202A, 0x202F),
    *range(0x2066, 0x206A),
]
_SHOWN = {code: f"\\u{code:04x}" for code in UNSAFE}
_SHOWN_IN_JSON = _SHOWN | {ord("\t"): "\t", ord("\n"): "\n", ord("\r"): ""}


class Trouble(Exception):
    """Usage, input or output is not as it must be. Its text is the line a person reads; the exit status is 2."""


class BadInput(Trouble):
    """What is in the input is not as it must be: read again, it ends there again."""


class Unwritten(Trouble):
    """Standard output does not take what is written: no use going on to the next file."""


class Nothing(Exception):
    """There is no answer. Its text says why; the exit status is 1."""


def printable(text: object) -> str:
    """Text that can go to any terminal: controls, bidirectional marks and lone surrogates as ``\\uXXXX``. O(length)."""
    shown = str(text).translate(_SHOWN)
    return shown if shown.isascii() else shown.encode("utf-8", "backslashreplace").decode("utf-8")


def say(message: object) -> None:
    """One line to a person, on standard error, if there is still one that reads it."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            print(f"jsonscan: {printable(message)}", file=sys.stderr)


def name_of(path: str) -> str:
    """What messages call an input."""
    return "standard input" if path == STDIN else path


@contextlib.contextmanager
def opened(path: str) -> Iterator[IO[bytes]]:
    """An input, to read bytes from. Raises Trouble, naming it, also for what goes wrong while it is read."""
    try:
        if path != STDIN:
            with open(path, "rb") as file:
                yield file
            return
        if sys.stdin is None:
            raise Trouble("standard input is closed")
        if sys.stdin.isatty():
            say("reading standard input; end it with Ctrl-D (on Windows Ctrl-Z, Enter)")
        yield sys.stdin.buffer
    except OSError as error:
        raise Trouble(f"{name_of(path)}: {error.strerror or error}") from None


def read_bytes(path: str, most: int) -> bytearray:
    """The whole input. Raises Trouble, naming it, also where it is longer than `most` bytes."""
    data = bytearray()
    with opened(path) as file:
        while piece := file.read(PIECE):
            data += piece
            if len(data) > most:
                raise Trouble(f"{name_of(path)}: longer than {most} bytes: see --max-bytes")
    return data


def arriving(path: str) -> Iterator[bytes]:
    """Yield the input in the pieces in which it arrives. Raises Trouble."""
    with opened(path) as file:
        while chunk := file.read1(PIECE):  # type: ignore[attr-defined]
            yield chunk


def input_lines(path: str, most: int) -> Iterator[tuple[int, bytes]]:
    """Yield the number, from 1, and the bytes of each line, once it is there. Raises Trouble, also for one longer than `most` bytes."""
    number = 0
    with opened(path) as file:
        while line := file.readline(most + 1):
            number += 1
            if len(line) > most:
                raise Trouble(f"{name_of(path)}: line {number} is longer than {most} bytes: see --max-bytes")
            yield number, line


def read_text(path: str, most: int | None) -> str:
    """The whole input as text. Raises Trouble if it cannot be read, is no UTF-8, is empty, or longer than `most` bytes (`MOST`)."""
    data = read_bytes(path, most or MOST)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise not_utf8(name_of(path), data, error.start) from None
    if not text:
        raise Trouble(f"{name_of(path)}: empty")
    return text


def not_utf8(name: str, data: bytes | bytearray, at: int) -> BadInput:
    """What to raise for bytes that are no UTF-8 at this offset."""
    return BadInput(f"{name}: not UTF-8 (byte 0x{data[at]:02x} at offset {at})")


def for_each(paths: Iterable[str], act: Callable[[str], int]) -> int:
    """The worst status of what `act` does with each input. What is wrong with one is said, and the next is taken."""
    worst = 0
    for path in paths:
        try:
            status = act(path)
        except Unwritten:
            raise
        except (Nothing, Trouble) as trouble:
            say(trouble)
            status = 2 if isinstance(trouble, Trouble) else 1
        worst = max(worst, status)
    return worst


def stdout_is_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def in_colour() -> bool:
    """Whether colours are welcome on standard output: https://no-color.org."""
    return stdout_is_terminal() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def for_stdout(json_text: str) -> str:
    """JSON text taken from the input as it stands; on a terminal with the characters escaped that could steer it.

    All of them but white space can stand only in strings, where the escape is the same JSON.
    """
    return json_text.translate(_SHOWN_IN_JSON) if stdout_is_terminal() else json_text


def write(text: str) -> None:
    """Text to standard output as UTF-8, whatever the locale, and at once. Lone surrogates, which in JSON stand in strings only, go out
    as escapes. Raises Unwritten."""
    write_bytes(text.encode("utf-8", "backslashreplace"))


def write_bytes(data: bytes) -> None:
    """The same with what is bytes already."""
    if sys.stdout is None:
        raise Unwritten("standard output is closed")
    try:
        sys.stdout.flush()
        write_all(sys.stdout.buffer, data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        drop_stdout()
        raise Unwritten(f"standard output: {error.strerror or error}") from None


def write_all(file: IO[bytes], data: bytes) -> None:
    """All of it. A file without a buffer, as standard output is under PYTHONUNBUFFERED, may take a part at a time, and only says so.
    Raises OSError."""
    rest = memoryview(data)
    while rest:
        taken = file.write(rest)
        if taken is None:  # it was told not to wait, and there is no room
            raise BlockingIOError(EAGAIN, os.strerror(EAGAIN))
        rest = rest[taken:]


def save(path: str, text: str) -> None:
    """Make a file hold this text, all or nothing: it is written beside it and takes its place, with its permissions. Raises Trouble."""
    data = text.encode("utf-8", "backslashreplace")
    path = os.path.realpath(path)  # a link stays a link
    beside = f"{path}.{os.getpid()}.tmp"
    try:
        if is_device(path):
            with open(path, "wb") as file:
                file.write(data)
            return
        try:
            with open(beside, "xb") as file:
                if os.path.exists(path):
                    os.chmod(beside, os.stat(path).st_mode & 0o7777)
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(beside, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(beside)
            raise
    except OSError as error:
        raise Trouble(f"{path}: {error.strerror or error}") from None


def spare(path: str, inputs: Iterable[str]) -> None:
    """Raise Trouble if a file to be written is one of these inputs, by this or another name: its content would be lost."""
    for each in inputs:
        if is_same_file(path, sys.stdin if each == STDIN else each):
            raise Trouble(f"{path}: the output would take the place of the input")


def is_same_file(path: str, other: str | IO[str] | None) -> bool:
    """Whether the file of this name is that of another name, or the one behind a stream. A device takes whatever is written to it."""
    if other is None or is_device(path):
        return False
    try:
        return os.path.samestat(os.stat(path), os.stat(other) if isinstance(other, str) else os.fstat(other.fileno()))
    except OSError:  # one of them is not there
        return False


def is_device(path: str) -> bool:
    """Whether something is there that no file may take the place of: a device, a pipe."""
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)


def add_files(it: argparse.ArgumentParser, what: str) -> None:
    """The argument FILE, of verbs that take any number and read each whole, and how long one may be."""
    it.add_argument("files", nargs="*", default=[STDIN], metavar="FILE", help=f"{what}; - or none: standard input")
    it.add_argument("--max-bytes", type=size, metavar="N", help=f"refuse an input of more (default: {MOST})")


def size(text: str) -> int:
    """The value of --max-bytes."""
    if not (text.isascii() and text.isdigit() and len(text) < 19 and int(text) > 0):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of bytes")
    return int(text)


def add_exit_zero(it: argparse.ArgumentParser) -> None:
    """The option of verbs whose status 1 is a finding."""
    it.add_argument("--exit-zero", action="store_true", help="exit with 0 where it would be 1")


def drop_stdout() -> None:
    """Send what is still buffered nowhere: the interpreter flushes once more at exit, and must not fail there."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
