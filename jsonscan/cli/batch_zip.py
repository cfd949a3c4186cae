"""Compressed files, by their ending. A chunk of the output is a gzip member or a zstd frame of its own, so that a file can be cut there."""

from __future__ import annotations

from collections.abc import Callable
from typing import IO, Any

from .edges import Trouble


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
        return module.ZstdDecompressor().stream_reader(file, read_across_frames=True)  # type: ignore[no-any-return]
    return file


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
