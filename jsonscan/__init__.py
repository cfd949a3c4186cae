"""The JSON in an LLM response, exactly, fast, and with a record of everything that was not exact."""

from importlib import import_module
from typing import TYPE_CHECKING

from .errors import (
    AmbiguousJSONError,
    ExtractJsonError,
    InvalidJSONError,
    JSONScanError,
    LimitError,
    NoJSONError,
    TruncatedJSONError,
)
from .machine import BUILD
from .originals import extract_json, extract_json_object, try_extract_json

__all__ = [
    "BUILD",
    "AmbiguousJSONError",
    "ExtractJsonError",
    "InvalidJSONError",
    "JSONScanError",
    "LimitError",
    "Limits",
    "Match",
    "NoJSONError",
    "Options",
    "Repair",
    "Repaired",
    "Scanner",
    "Stream",
    "TruncatedJSONError",
    "astream",
    "compile",
    "extract_json",
    "extract_json_object",
    "findall",
    "finditer",
    "fullmatch",
    "iter_items",
    "loads",
    "repair",
    "search",
    "try_extract_json",
]
__version__ = "0.1.0"

# Loading these rooms takes more than all the others together, so it waits until one of their names is asked for.
_LATE = {
    "model": ["Limits", "Match", "Options", "Repair", "Repaired"],
    "scanner": ["Scanner", "compile", "findall", "finditer", "fullmatch", "loads", "repair", "search"],
    "stream": ["Stream", "astream", "iter_items"],
}


if TYPE_CHECKING:
    from .model import Limits, Match, Options, Repair, Repaired
    from .scanner import Scanner, compile, findall, finditer, fullmatch, loads, repair, search
    from .stream import Stream, astream, iter_items
else:

    def __getattr__(name: str) -> object:
        for room, names in _LATE.items():
            if name in names:
                module = import_module(f".{room}", __name__)
                globals().update((each, getattr(module, each)) for each in names)
                return globals()[name]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
