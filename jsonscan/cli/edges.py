"""Where the command meets the world: files, standard streams, terminals. What fails here is one clear line."""

from __future__ import annotations

import contextlib
import os
import sys

STDIN = "-"
# What moves a terminal's cursor, changes its state or reorders its text: the C0 and C1 controls, DEL, and the marks of
# bidirectional text. Lone surrogates cannot be encoded at all.
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
_SHOWN = {code: f"\\u{code:04x}" for code in [*UNSAFE, *range(0xD800, 0xE000)]}
_SHOWN_IN_JSON = _SHOWN | {ord("\t"): "\t", ord("\n"): "\n", ord("\r"): ""}


class Trouble(Exception):
    """Usage, input or output is not as it must be. Its text is the line a person reads; the exit status is 2."""


class Nothing(Exception):
    """There is no answer. Its text says why; the exit status is 1."""


def printable(text: object) -> str:
    """Text that can go to any terminal: controls, bidirectional marks and lone surrogates as ``\\uXXXX``. O(length)."""
    return str(text).translate(_SHOWN)


def say(message: object) -> None:
    """One line to a person, on standard error, if there is still one that reads it."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            print(f"jsonscan: {printable(message)}", file=sys.stderr)


def name_of(path: str) -> str:
    """What messages call an input."""
    return "standard input" if path == STDIN else path


def read_bytes(path: str) -> bytes:
    """The whole input. Raises Trouble, naming it."""
    try:
        if path != STDIN:
            with open(path, "rb") as file:
                return file.read()
        if sys.stdin is None:
            raise Trouble("standard input is closed")
        if sys.stdin.isatty():
            say("reading standard input; end it with Ctrl-D (on Windows Ctrl-Z, Enter)")
        return sys.stdin.buffer.read()
    except OSError as error:
        raise Trouble(f"{name_of(path)}: {error.strerror or error}") from None


def read_text(path: str) -> str:
    """The whole input as text. Raises Trouble if it cannot be read, is no UTF-8 or is empty."""
    data = read_bytes(path)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Trouble(f"{name_of(path)}: not UTF-8 (byte 0x{data[error.start]:02x} at offset {error.start})") from None
    if not text:
        raise Trouble(f"{name_of(path)}: empty")
    return text


def for_stdout(json_text: str) -> str:
    """JSON text taken from the input as it stands; on a terminal with the characters escaped that could steer it.

    All of them but white space can stand only in strings, where the escape is the same JSON.
    """
    return json_text.translate(_SHOWN_IN_JSON) if sys.stdout is not None and sys.stdout.isatty() else json_text


def write(text: str) -> None:
    """Well-formed text to standard output as UTF-8, whatever the locale. Raises Trouble."""
    if sys.stdout is None:
        raise Trouble("standard output is closed")
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode("utf-8"))
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        drop_stdout()
        raise Trouble(f"standard output: {error.strerror or error}") from None


def drop_stdout() -> None:
    """Send what is still buffered nowhere: the interpreter flushes once more at exit, and must not fail there."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
