"""Tolerant reading: one value, with the repairs that a level allows, and the log of what was done.

    read()  ->  Mender, the safe answers  <-  Guesser, those of `full`
                   |                             |
             tolerant_strings               bare_values

conformance/REPAIR.md names every code with its level, its risk and an example.
"""

from __future__ import annotations

from .guessing import Guesser, odd_space_end
from .mending import RISKS, SAFE, Mender, Reading, applied, comment_end
from .model import Level, Options

__all__ = ["RISKS", "SAFE", "Reading", "applied", "comment_end", "edited", "odd_space_end", "read"]


def read(text: str, pos: int, end: int, options: Options, level: Level) -> Reading:
    """Read one value that starts at or after `pos`, up to `end`. Never raises on account of the text. O(end - pos)."""
    base = 0
    if end < len(text):  # a copy of what may be looked at, so that neither room needs to know of an end
        text, base, pos = text[pos:end], pos, 0
    reader = Guesser if level == "full" else Mender
    return reader(text, pos, options, level == "off", base).read()


def edited(text: str, reading: Reading) -> str:
    """`text[reading.start:reading.end]` with the log's edits applied. For a reading that is done it is strict JSON of the same value,
    and so for a truncated one whose closers were logged. O(text)."""
    return applied(text, reading.start, reading.end, reading.repairs)
