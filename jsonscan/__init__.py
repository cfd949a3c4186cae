"""The JSON in an LLM response, exactly, fast, and with a record of everything that was not exact."""

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
from .model import Limits, Match, Options, Repair, Repaired
from .originals import extract_json, extract_json_object, try_extract_json
from .scanner import Scanner, compile, findall, finditer, fullmatch, loads, repair, search

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
    "TruncatedJSONError",
    "compile",
    "extract_json",
    "extract_json_object",
    "findall",
    "finditer",
    "fullmatch",
    "loads",
    "repair",
    "search",
    "try_extract_json",
]
__version__ = "0.1.0"
