"""Tolerant reading: one value, with the repairs that a level allows, and the log of what was done.

    read()  ->  Mender, the safe answers  <-  Guesser, those of `full`
                   |                             |
             tolerant_strings               bare_values

conformance/REPAIR.md names every code with its level, its risk and an example.
"""

from __future__ import annotations

from sys import maxsize

from .guessing import Guesser, odd_space_end, one_string
from .machine import Machine, read_plain
from .mending import BLANK, RISKS, SAFE, Begun, Mender, Reading, applied, begin, comment_end
from .model import Level, Options, Repair, pointer
from .tolerant_strings import OPENERS, Outlook

__all__ = [
    "RISKS", "SAFE", "Begun", "Outlook", "Reading", "applied", "begin", "comment_end", "edited", "odd_space_end", "one_string", "read",
    "read_plainly", "thorough",
]  # fmt: skip


def read(text: str, pos: int, end: int, options: Options, level: Level, begun: Begun | None = None,
         outlook: Outlook | None = None) -> Reading:  # fmt: skip
    """Read one value that starts at or after `pos`, up to `end`. Never raises on account of the text. O(end - pos).

    `begun` is a strict read of the text from `pos` that came to no end. What it read is not read again where the policy can go on from
    there, and it shows which of two ways to begin is the shorter: where the text breaks off, no plain edit helps. `outlook` is what other
    readings of the same text up to the same end have learnt."""
    base = 0
    if end < len(text):  # a copy of what may be looked at, so that neither room needs to know of an end
        base, text = outlook.piece(text, pos, end) if outlook else (pos, text[pos:end])
        pos -= base
        if begun is None or begun[0].pos < end - 1:
            begun = None
        elif begun[0].pos == begun[0].token == end and text[-1] in " \t\r\n":  # it stopped at what now is the end, between tokens
            begun = begun[0], "starved"
        else:
            begun = begin(text, pos, options)
    if begun is not None and begun[1] == "starved":
        reading = _cut_short(text, pos, options, level, base, begun[0], outlook)
    else:
        reading = read_plainly(text, pos, options, level, base, outlook) if level != "off" else None
    return reading or thorough(text, pos, options, level, base, begun, outlook)


def thorough(text: str, pos: int, options: Options, level: Level, base: int, begun: Begun | None = None,
             outlook: Outlook | None = None) -> Reading:  # fmt: skip
    """What `read` gives otherwise: the policy is asked at every fault."""
    reader = Guesser if level == "full" else Mender
    return reader(text, pos, options, level == "off", base, begun=begun, outlook=outlook).read()


def read_plainly(text: str, pos: int, options: Options, level: Level, base: int = 0,
                 outlook: Outlook | None = None) -> Reading | None:  # fmt: skip
    """What `read` gives, if the edits that the machine makes by itself suffice. What they were, the policy says when it is asked."""
    limits = options.limits
    if options.duplicate_keys != "last":
        return None
    found = read_plain(text, pos, limits.max_depth or 0, limits.max_digits or 0, options.big_int, level == "full")
    if found is None:
        return None
    value, end, edits, safe = found
    behind = text[end : end + 1]
    if not isinstance(value, (dict, list)) or edits > (limits.max_repairs or maxsize):
        return None
    if edits and (behind in OPENERS or behind.isalnum()):  # then a string before the last closer may not end there
        return None
    start = BLANK.match(text, pos).end()  # type: ignore[union-attr]
    learnt = outlook.again() if outlook and edits else None

    def log() -> tuple[Repair, ...]:
        return thorough(text, pos, options, level, base, outlook=learnt).repairs

    return Reading("done", value, start + base, end + base, log if edits else (), covered=end + base, safe=safe)


def _cut_short(text: str, pos: int, options: Options, level: Level, base: int, machine: Machine,
               outlook: Outlook | None) -> Reading | None:  # fmt: skip
    """What `read` gives where strict reading ran out of text, but where `full` may find what closes an open string at its end."""
    if level == "full" and machine.in_string and text[-1] in " \t\r\n]}`":
        return None
    start, end, path = BLANK.match(text, pos).end() + base, len(text) + base, pointer(machine.path())  # type: ignore[union-attr]
    learnt = outlook.again() if outlook else None

    def log() -> tuple[Repair, ...]:
        return thorough(text, pos, options, level, base, outlook=learnt).repairs

    return Reading("starved", machine.snapshot(), start, end, log, "", -1, machine.phase, path, end, True)


def edited(text: str, reading: Reading) -> str:
    """`text[reading.start:reading.end]` with the log's edits applied. For a reading that is done it is strict JSON of the same value,
    and so for a truncated one whose closers were logged. O(text)."""
    return applied(text, reading.start, reading.end, reading.repairs)
