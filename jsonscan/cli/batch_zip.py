"""Compressed files, by their ending. A chunk of the output is a gzip member or a zstd frame of its own, so that a file can be cut there."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import IO, Any

from .edges import Trouble

PIECE = 1 << 10  # bytes of a zstd frame at a time: they can hold thirty thousand times as many


def _gzip(data: bytes) -> bytes:
    from gzip import compress

    return compress(data, 6, mtime=0)


def _zstd(data: bytes) -> bytes:
    compressed: bytes = zstd().compress(data)
    return compressed


PACKERS: dict[str, Callable[[bytes], bytes]] = {"": bytes, "gz": _gzip, "zst": _zstd}


def packing_of(path: str) -> str:
    """How the file of this name is compressed: a key of `PACKERS`."""
    ending = path.lower().rpartition(".")[2]
    return ending if ending in PACKERS else ""


def unpacked(file: IO[bytes], packing: str) -> IO[bytes]:
    """What reads the content of a compressed file."""
    if packing == "gz":
        from gzip import GzipFile

        return GzipFile(fileobj=file, mode="rb")  # type: ignore[return-value]
    if packing == "zst":
        module = zstd()
        if hasattr(module, "ZstdFile"):
            return module.ZstdFile(file, "r")  # type: ignore[no-any-return]
        return io.BufferedReader(_Frames(file, module.ZstdDecompressor().decompressobj))
    return file


class _Frames(io.RawIOBase):
    """The content of zstd frames. The reader that zstandard has takes a file that ends inside a frame for whole."""

    def __init__(self, file: IO[bytes], begin: Callable[[], Any]) -> None:
        self.file, self.begin = file, begin
        self.frame: Any = None  # the one being read
        self.packed, self.content = b"", b""

    def readable(self) -> bool:
        return True

    def readinto(self, room: Any) -> int:
        while not self.content:
            self.packed = self.packed or self.file.read(PIECE)
            if not self.packed:
                if self.frame is not None:
                    raise EOFError("it ends inside a frame")
                return 0
            self.frame = self.frame or self.begin()
            self.content = self.frame.decompress(self.packed)
            self.packed = self.frame.unused_data
            if self.frame.eof:
                self.frame = None
        count = min(len(room), len(self.content))
        room[:count], self.content = self.content[:count], self.content[count:]
        return count


def faults() -> tuple[type[Exception], ...]:
    """What reading a damaged file raises. Only what is loaded can have raised."""
    import sys
    from zlib import error

    modules = [sys.modules.get("zstandard"), sys.modules.get("compression.zstd")]
    return (EOFError, error, *(module.ZstdError for module in modules if module is not None))


def zstd() -> Any:
    """The standard library's module where there is one (Python 3.14), else that of the extra. Raises Trouble."""
    try:
        from compression import zstd
    except ImportError:
        try:
            import zstandard as zstd
        except ImportError:
            raise Trouble("for .zst files zstandard is needed: pip install 'jsonscan[zstd]'") from None
    return zstd
