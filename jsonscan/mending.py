"""The repair policy, and its answers that are safe.

The machine reads; here is decided, only where it says "fault", which one edit lets it go on, and the edit is logged. `Mender` knows the
answers of `safe`; `guessing.Guesser` is asked where it has none, so whatever `safe` accepts, `full` accepts with the same value.

Every edit moves on in the text or puts tokens before it. What is looked at ahead of a fault is bounded, or read over with the edit, or
remembered so that it is looked at once. So reading is O(text), whatever it holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from sys import maxsize
from typing import Any

from .bare_values import GROUPED, NUMBER_LIKE
from .machine import Machine, count
from .model import Options, Repair, pointer
from .patterns import Pattern
from .records import NamedTuple
from .tolerant_strings import (
    ITEM,
    KEY,
    KEY_AHEAD,
    MEMBER,
    OPENERS,
    QUOTES,
    ROOT,
    End,
    Outlook,
    decoded,
    ends_safely,
    respelt,
)

LOSSLESS, LIKELY, GUESS = "lossless", "likely", "guess"
SAFE: dict[str, str] = {  # the codes of `safe`, with their risk
    "byte-order-mark": LOSSLESS,
    "comment": LOSSLESS,
    "trailing-comma": LOSSLESS,
    "missing-comma": LIKELY,
    "missing-closer": LIKELY,
    "single-quotes": LOSSLESS,
    "typographic-quotes": LOSSLESS,
    "control-character": LOSSLESS,
    "invalid-escape": LIKELY,
    "needless-escape": LOSSLESS,
    "unquoted-key": LOSSLESS,
    "python-literal": LOSSLESS,
    "digit-grouping": LOSSLESS,
    "nonfinite": LIKELY,
    "surplus-closer": LIKELY,
    "escaped-space": LIKELY,
    "truncated": GUESS,
}
RISKS: dict[str, str] = {
    **SAFE,
    "odd-space": LOSSLESS,
    "extra-comma": LIKELY,
    "wrong-comma": LIKELY,
    "wide-punctuation": LOSSLESS,
    "missing-colon": LIKELY,
    "wrong-colon": LIKELY,
    "mismatched-closer": GUESS,
    "surplus-opener": LIKELY,
    "missing-opener": GUESS,
    "other-quotes": LIKELY,
    "code-escape": LIKELY,
    "literal-backslash": GUESS,
    "inner-quote": GUESS,
    "missing-quote": GUESS,
    "concatenation": LIKELY,
    "string-prefix": LIKELY,
    "triple-quotes": LIKELY,
    "escaped-quotes": LIKELY,
    "escaped-json": LIKELY,
    "doubled-quotes": LIKELY,
    "html-entities": LIKELY,
    "unquoted-value": GUESS,
    "other-literal": LIKELY,
    "plus-sign": LIKELY,
    "bare-point": LIKELY,
    "hex-number": LIKELY,
    "bare-exponent": GUESS,
    "decimal-comma": GUESS,
    "number-text": LIKELY,
    "missing-value": GUESS,
    "tuple": LOSSLESS,
    "call": LIKELY,
    "ellipsis": GUESS,
    "emphasis": LIKELY,
    "list-marker": LIKELY,
    "wrapper": LIKELY,
    "root-array": GUESS,
    "stray-text": GUESS,
}

BLANK = Pattern(r"[ \t\n\r]*")
WORD = Pattern(r"[^\W\d][\w$]*|[$][\w$]*")
BARE_KEY = Pattern(r"(?:[^\W\d][\w$-]{0,255}|[$][\w$-]{0,255}|[0-9]{1,16})(?=[ \t]{0,64}:(?!/))")
DELIMITED = Pattern(r"[ \t\r\n]{0,64}(?:[,\]});，｝］]|\Z|//|/\*|\n)|[ \t\r]{0,64}\n|[ \t]{1,64}[\"'{\[]")
_ESCAPED_SPACE = Pattern(r"(?:\\[nrt])+")
_LONG_KEY_AHEAD = Pattern(r'"(?:[^"\\\n]|\\.){128}')
_NUMBER_AHEAD = Pattern(r"-?(?:0|[1-9][0-9]{0,64})(?:\.[0-9]{1,64})?(?:[eE][+-]?[0-9]{1,8})?(?=[ \t\r\n,\]])")
_LITERAL_AHEAD = Pattern(r"(?:true|false|null|True|False|None)(?=[ \t\r\n,\]}])")
_STRING_AHEAD = Pattern(r'"(?:[^"\\\n]|\\.){0,256}"[ \t\r\n]{0,64}[,\]" \t\r\n]')
CLOSES = {"{": "}", "[": "]"}
_SAFE_OPENERS = "".join(quote for quote in QUOTES if QUOTES[quote].code in SAFE)
ANY_QUOTE = "".join({*QUOTES, *(closer for each in QUOTES.values() for closer in each.more_closers)})
_PYTHON = {"True": True, "False": False, "None": None}
SPELLING = {True: "true", False: "false", None: "null"}
NONFINITE_WORD = Pattern(r"[+-]?(?:NaN|Infinity|nan|inf)\b")
_CLOSERS_AT_ONCE = 64  # containers among which the partner of a closer is looked for
_STUCK = 8  # edits that may follow each other at one offset
_PLACES = 1 << 17  # names and indices in the paths of the log, beyond as many as the text has characters

Entry = tuple[str, int, int, str, list[Any]]  # code, start, end, inserted, path
Begun = tuple[Machine, str]  # a strict read, and where it stopped


def comment_end(text: str, pos: int, outlook: Outlook) -> int:
    """The offset behind the comment at `pos`, `pos` if there is none."""
    if text.startswith("/*", pos):
        end = outlook.next(text, "*/", pos + 2)
        return end + 2 if end >= 0 else len(text)
    if text.startswith(("//", "#"), pos):
        end = outlook.next(text, "\n", pos)
        return end if end >= 0 else len(text)
    return pos


Log = tuple[Repair, ...] | Callable[[], tuple[Repair, ...]]


class Reading:
    """What a read came to. Offsets are code points into the text that was given.

    stop       "done"; "fault"; "starved": the text ended inside the value; "limit": a bound of `Limits` was passed
    value      the value; if not done, the value so far by the rules of streaming (None: nothing yet)
    start, end  of the value
    repairs    the edits made, in text order; put together when asked for
    safe       whether all of them are ones that `safe` allows
    fault      the machine's word for why it stopped, or the name of the limit; fault_pos, phase and path say where
    covered    the furthest offset that was looked at
    """

    __slots__ = ("stop", "value", "start", "end", "_repairs", "_safe", "fault", "fault_pos", "phase", "path", "covered")

    def __init__(self, stop: str, value: Any, start: int, end: int, repairs: Log, fault: str = "",
                 fault_pos: int = -1, phase: str = "end", path: str = "", covered: int = 0, safe: bool | None = None) -> None:  # fmt: skip
        self.stop = stop
        self.value = value
        self.start = start
        self.end = end
        self._repairs = repairs
        self._safe = safe
        self.fault = fault
        self.fault_pos = fault_pos
        self.phase = phase
        self.path = path
        self.covered = covered

    @property
    def repairs(self) -> tuple[Repair, ...]:
        if not isinstance(self._repairs, tuple):
            self._repairs = self._repairs()
        return self._repairs

    @repairs.setter
    def repairs(self, repairs: tuple[Repair, ...]) -> None:
        self._repairs, self._safe = repairs, None

    @property
    def safe(self) -> bool:
        if self._safe is None:
            self._safe = all(repair.code in SAFE for repair in self.repairs)
        return self._safe

    def __repr__(self) -> str:
        return f"<Reading {self.stop} [{self.start}:{self.end}] {self.value!r:.60} {[r.code for r in self.repairs]}>"


def applied(text: str, start: int, end: int, repairs: Iterable[Repair]) -> str:
    """`text[start:end]` with these edits, which stand in text order, made. O(end - start)."""
    pieces: list[str] = []
    at = start
    for repair in repairs:
        pieces += text[at : repair.start], repair.inserted
        at = repair.end
    pieces.append(text[at:end])
    return "".join(pieces)


class Last(NamedTuple):
    """A scalar or name that was taken back: its value and place, the fault's offset, and whether a comma came before that."""

    value: Any
    start: int
    end: int
    pos: int
    comma: bool


def machine_at(text: str, pos: int, options: Options) -> Machine:
    limits = options.limits
    return Machine(text, pos, max_depth=limits.max_depth or 0, max_digits=limits.max_digits or 0, big_int=options.big_int,
                   duplicates=options.duplicate_keys)  # fmt: skip


def begin(text: str, pos: int, options: Options, final: bool = True) -> Begun:
    """Read strictly what starts at `pos`, as far as that goes. `final`: nothing will be added to the text."""
    machine = machine_at(text, pos, options)
    return machine, machine.run(final)


class Mender:
    """One read in progress, with the answers of `safe`. Methods that mend say whether they did; one that did not changed nothing."""

    __slots__ = ("text", "base", "start", "options", "off", "machine", "log", "parens", "outlook", "cut", "lost", "covered",
                 "emphasis", "peeled", "restarted", "stopped", "key_start", "key_end", "nested", "room", "duplicate")  # fmt: skip

    def __init__(self, text: str, pos: int, options: Options, off: bool, base: int, nested: bool = False,
                 begun: Begun | None = None, outlook: Outlook | None = None) -> None:  # fmt: skip
        self.text = text
        self.base = base
        self.start = pos
        self.options = options
        self.off = off
        self.machine, self.stopped = begun or (machine_at(text, pos, options), "")
        self.log: list[Entry] = []
        self.parens: list[tuple[str, int, str]] = []  # open: "[" for a tuple, "" for none of the value's; the depth inside; the code
        self.outlook = outlook or Outlook(len(text))
        self.cut = False  # the text ended inside a string that was put
        self.lost = -1  # where the token starts that the text ended inside of, if the machine has left it
        self.covered = pos
        self.emphasis = False
        self.peeled: set[str] = set()  # layers of escaping that were looked for, by the code of the edit
        self.restarted: Reading | None = None
        self.key_start = self.key_end = -1  # of the key put last
        self.nested = nested
        self.duplicate = False  # a name that was to be put stands in its object already
        self.room = _PLACES + len(text)

    def read(self) -> Reading:
        machine, most = self.machine, self.options.limits.max_repairs or maxsize
        stop, stuck, stuck_at = self.stopped or machine.run(), 0, -1
        while stop == "fault" or (stop == "starved" and machine.in_string and not self.cut and self._guess_end()):
            if stop == "starved":
                stop = machine.run()
                continue
            if machine.fault in ("depth", "digits"):
                return self._reading("limit", machine.pos, "max_" + machine.fault)
            if machine.pos > stuck_at:
                stuck, stuck_at = 0, machine.pos
            stuck += 1
            mended = stuck <= _STUCK and self._mend()
            if self.restarted:
                return self.restarted
            if not mended:
                return self._reading("fault", machine.pos, "duplicate-key" if self.duplicate else machine.fault)
            if len(self.log) > most:
                return self._reading("limit", machine.pos, "max_repairs")
            stop = machine.run()
        if stop == "done" and not self.cut:
            return self._reading("done", machine.pos)
        path, phase = pointer(machine.path()), machine.phase
        value = machine.value if stop == "done" else machine.snapshot()
        if not self.off:
            self._close_off()
        reading = self._reading("starved", len(self.text))
        reading.value, reading.path, reading.phase = value, path, phase
        return reading

    def _reading(self, stop: str, end: int, fault: str = "") -> Reading:
        machine, base = self.machine, self.base
        if stop == "done":
            value, path = machine.value, ""
        elif stop == "starved":
            value, path = None, ""
        else:
            value, path = machine.snapshot(), pointer(machine.path())
        start = BLANK.match(self.text, self.start).end()  # type: ignore[union-attr]
        if stop == "fault":
            end = max(end, start)
        covered = max(self.covered, machine.pos, end) + base
        return Reading(stop, value, start + base, end + base, self._repairs, fault,
                       machine.pos + base if fault else -1, machine.phase, path, covered, self._is_safe())  # fmt: skip

    def _is_safe(self) -> bool:
        return all(entry[0] in SAFE for entry in self.log)

    def _repairs(self) -> tuple[Repair, ...]:
        text, base = self.text, self.base
        repairs, room = [], 8 * (_PLACES + len(text))
        for code, start, end, inserted, places in self.log:
            path = pointer(places)
            room -= len(path)
            repairs.append(Repair(code, start + base, end + base, text[start:end], inserted, path if room >= 0 else "", RISKS[code]))  # type: ignore[arg-type]
        return tuple(repairs)

    def _note(self, code: str, start: int, end: int, inserted: str) -> None:
        self.log.append((code, start, end, inserted, self._path()))

    def _note_before(self, code: str, start: int, end: int, inserted: str) -> None:
        """The same for an edit that may stand before comments and space already taken out: the log is in text order."""
        place = len(self.log)
        while place and self.log[place - 1][1] >= end and self.log[place - 1][2] > end:
            place -= 1
        self.log.insert(place, (code, start, end, inserted, self._path()))

    def _path(self) -> list[Any]:
        """Where the machine is; the root, once the log's places outgrow the text."""
        if self.room < 0:
            return []
        path: list[Any] = self.machine.path()
        self.room -= len(path)
        return path

    # -- what to do at a fault

    def _mend(self) -> bool:
        """One edit at the fault. What is safe is asked first, and guesses last."""
        machine, phase = self.machine, self.machine.phase
        if machine.fault == "duplicate-key":
            return False
        if self.options.nonfinite != "raise" and phase in ("value", "first-value") and self._nonfinite():
            return True
        if self.off:
            return False
        if machine.fault == "control" or machine.fault == "escape":
            return self._damaged_string() or self._guess_string()
        char = self.text[machine.pos]
        if machine.fault != "unexpected":
            return self._guess(char)
        if char in "/#\\" and (self._comment(char) or self._escaped_space()):
            return True
        if phase == "next":
            mended = self._next(char)
        elif phase == "value" or phase == "first-value":
            mended = self._value(char)
        else:
            mended = phase != "colon" and self._key(char)
        return mended or self._guess(char)

    def _guess(self, char: str) -> bool:
        """What `full` would do where `safe` has no answer."""
        return False

    def _guess_string(self) -> bool:
        """The same for a string with something in it that JSON refuses."""
        return False

    def _guess_end(self) -> bool:
        """The same where the text ended."""
        return False

    def _what(self) -> str:
        """What a string that stands here is."""
        phase = self.machine.phase
        if phase == "key" or phase == "first-key" or phase == "colon":
            return KEY
        kind = self.machine.kind
        return MEMBER if kind == "{" else ITEM if kind == "[" else ROOT

    def _skip(self, code: str, end: int) -> bool:
        """Nothing stands between here and `end`."""
        self._note(code, self.machine.pos, end, "")
        self.machine.goto(end)
        return True

    def _insert(self, code: str, char: str) -> bool:
        """`char` stands before here."""
        pos = self.machine.pos
        self._note(code, pos, pos, char)
        self.machine.punct(char, pos)
        return True

    def _replace(self, code: str, end: int, char: str) -> bool:
        """`char` stands between here and `end`."""
        self._note(code, self.machine.pos, end, char)
        self.machine.punct(char, end)
        return True

    def _put(self, code: str, value: Any, end: int, spelling: str) -> bool:
        """This scalar or name stands between the token at fault and `end`."""
        start = self.machine.token
        if not self._place(value, end):
            return False
        self._note(code, start, end, spelling)
        return True

    def _place(self, value: Any, end: int) -> bool:
        """Put a scalar or name in place of the token at fault; False if the name is a duplicate that must not be."""
        machine = self.machine
        is_key = machine.phase == "key" or machine.phase == "first-key"
        try:
            machine.put(value, end)
        except KeyError:
            self.duplicate = True
            return False
        if is_key:
            self.key_start, self.key_end = machine.token, end
        return True

    # -- what went before

    def _back(self, pos: int) -> int:
        """The offset behind the token before `pos`: white space and what was taken out between them are skipped."""
        text, log, at = self.text, self.log, pos
        entry = len(log) - 1
        while True:
            if entry >= 0 and log[entry][2] > at:
                entry -= 1
            elif entry >= 0 and log[entry][2] == at:
                if log[entry][3]:
                    break
                at = log[entry][1]
                entry -= 1
            elif text[at - 1] in " \t\r\n":
                at -= 1
            else:
                break
        count(pos - at)
        return at

    def _drop_comma(self, pos: int) -> None:
        """Take out the comma before `pos`, whether it stood there or was an edit."""
        at = self._back(pos)
        if self.text[at - 1] == ",":
            self._note_before("trailing-comma", at - 1, at, "")
        else:
            place = len(self.log) - 1
            while place >= 0 and self.log[place][2] >= at:
                code, start, end, inserted, path = self.log[place]
                self.log[place] = (code, start, end, "" if end == at and inserted == "," else inserted, path)
                place -= 1

    def _taken_back(self) -> Last | None:
        """The scalar or name read last, with the machine back before it; None if there is none."""
        machine = self.machine
        pos, comma = machine.pos, machine.phase == "key" or machine.phase == "value"
        try:
            value, start = machine.retract()
        except ValueError:
            return None
        end = self._back(pos)
        if comma:
            end = self._back(end - 1)
        return Last(value, start, end, pos, comma)

    def _give_back(self, last: Last) -> None:
        """Undo `_taken_back`."""
        self.machine.put(last.value, last.end)
        if last.comma:
            self.machine.punct(",", last.pos)
        self.machine.run()  # to the same fault

    def _forget_log(self, start: int) -> None:
        """Drop the edits inside a token that is read anew."""
        while self.log and self.log[-1][2] > start:
            self.log.pop()

    # -- safe answers

    def _value(self, char: str) -> bool:
        if char in _SAFE_OPENERS:
            return self._string_safely(char)
        if char in "TFN":
            return self._python_literal()
        if char in "]}":
            return self._closer(char, False)
        return False

    def _key(self, char: str) -> bool:
        if char in _SAFE_OPENERS:
            return self._string_safely(char)
        if char in "]}":
            return self._closer(char, False)
        key = BARE_KEY.match(self.text, self.machine.pos)
        return key is not None and self._put("unquoted-key", key[0], key.end(), f'"{key[0]}"')

    def _next(self, char: str) -> bool:
        if char in "]}":
            return self._closer(char, False)
        if char == "_":
            return self._again(self._grouped_number)
        return self._comma_is_missing(char) and self._insert_comma()

    def _comment(self, char: str) -> bool:
        """Skip a comment. A `#` where a value is due could be a colour: there it needs a space behind it."""
        text, pos = self.text, self.machine.pos
        if char == "#" and self.machine.phase in ("value", "first-value") and text[pos + 1 : pos + 2] not in ("", " ", "\t", "#", "\n"):
            return False
        end = comment_end(text, pos, self.outlook)
        if end == len(text) and char + text[pos + 1 : pos + 2] != "/*":
            end = self._line_end(pos)
        return end > pos and self._skip("comment", end)

    def _line_end(self, pos: int) -> int:
        """The end of a comment that no line break ends, or `pos` if it hides closers and so could be meant to end before them."""
        return pos if self._next_closer(pos) >= 0 else len(self.text)

    def _next_closer(self, pos: int) -> int:
        """Where the next closing bracket stands, or -1."""
        ends = [self.outlook.next(self.text, closer, pos) for closer in "}]"]
        return min(ends) if min(ends) >= 0 else max(ends)

    def _python_literal(self) -> bool:
        text, pos = self.text, self.machine.pos
        word = WORD.match(text, pos)
        if not word or word[0] not in _PYTHON or not DELIMITED.match(text, word.end()):
            return False
        value = _PYTHON[word[0]]
        return self._put("python-literal", value, word.end(), SPELLING[value])

    def _again(self, read: Callable[[Last], bool]) -> bool:
        """Take back the scalar or name read last and let `read` put another in its place; if it does not, undo that."""
        last = self._taken_back()
        if last is None:
            return False
        if read(last):
            return True
        self._give_back(last)
        return False

    def _grouped_number(self, last: Last) -> bool:
        """`71_350`: the machine has read 71."""
        number = NUMBER_LIKE.match(self.text, last.start)
        if not number or number.end() <= last.end or not GROUPED.fullmatch(number[0]) or not DELIMITED.match(self.text, number.end()):
            return False
        spelling = number[0].replace("_", "")
        found = self._number(spelling)
        return found is not None and self._put("digit-grouping", found, number.end(), spelling)

    def _number(self, spelling: str) -> Any:
        """The value of a JSON number, or None where it is too long."""
        machine, stop = begin(spelling, 0, self.options)
        return machine.value if stop == "done" else None

    def _string_safely(self, char: str) -> bool:
        pos, quote = self.machine.pos, QUOTES[char]
        end = ends_safely(self.text, pos + 1, quote.closers, self._what(), self.outlook)
        return end >= 0 and self._put_string(pos, pos + 1, End(end, end + 1, ""), char, False)

    def _damaged_string(self) -> bool:
        """A control character or an escape that is none in a string that the machine was reading."""
        start = self.machine.token
        end = ends_safely(self.text, start + 1, '"', self._what(), self.outlook)
        return end >= 0 and self._put_string(start, start + 1, End(end, end + 1, ""), '"', False)

    def _put_string(self, start: int, body: int, end: End, quote: str, full: bool, code: str = "") -> bool:
        """A string whose text stands from `body` to `end.body_end`, opened by `quote` (`code` if the opening is more than that)."""
        text = self.text
        spelling, edits = respelt(text, body, end.body_end, quote)
        if not full:
            for edit in edits:
                if edit[0] not in SAFE:
                    return False
        if not self._place(decoded(spelling), end.after):
            return False
        path, code = self._path(), code or QUOTES[quote].code
        note = self.log.append
        if code and not end.code and all(edit[0] == code for edit in edits):
            note((code, start, end.after, f'"{spelling}"', path))
            return True
        if code:
            note((code, start, body, '"', path))
        for flaw, first, behind, inserted in edits:
            note((flaw, first, behind, inserted, path))
        if text[end.body_end : end.after] != '"':
            note((end.code or code or "missing-quote", end.body_end, end.after, '"', path))
        return True

    def _insert_comma(self) -> bool:
        at = self._back(self.machine.pos)
        self._note_before("missing-comma", at, at, ",")
        self.machine.punct(",", self.machine.pos)
        return True

    def _comma_is_missing(self, char: str) -> bool:
        """Whether only a comma is missing between the value before and the member or item here."""
        text, pos = self.text, self.machine.pos
        kind, end = self.machine.kind, self._back(pos)
        closed, is_string, gap = text[end - 1] in "]}", text[end - 1] in ANY_QUOTE, end < pos
        if kind == "{":
            apart = gap or closed or (char in OPENERS and not is_string)
            return apart and bool(KEY_AHEAD.match(text, pos) or _LONG_KEY_AHEAD.match(text, pos) or BARE_KEY.match(text, pos))
        if kind != "[" or not (gap or closed or (char == '"' and not is_string)):
            return False
        if char == '"':
            return bool(_STRING_AHEAD.match(text, pos))
        if char in "{[":
            return True
        if char in "-0123456789":
            return (char != "-" or closed) and bool(_NUMBER_AHEAD.match(text, pos))
        return char in "tfnTFN" and bool(_LITERAL_AHEAD.match(text, pos))

    # -- closers

    def _closer(self, char: str, full: bool) -> bool:
        """A closer of the wrong kind, or behind a comma, or where a value is due."""
        machine, pos, phase = self.machine, self.machine.pos, self.machine.phase
        kind = machine.kind
        if not kind:
            return False
        if phase == "value" and kind == "{":
            return full and self._put("missing-value", None, pos, "null")
        behind_comma = phase == "key" or phase == "value"
        if CLOSES[kind] == char:
            self._drop_comma(pos)
            return self._punct(char, pos + 1)
        return self._mismatch(char, [frame[0] for frame in machine.frames(_CLOSERS_AT_ONCE)], behind_comma, full)

    def _punct(self, char: str, end: int) -> bool:
        self.machine.punct(char, end)
        return True

    def _mismatch(self, char: str, kinds: list[str], behind_comma: bool, full: bool) -> bool:
        """A closer that is not the innermost container's: one is missing before it, or it is the wrong one, or one too many."""
        pos = self.machine.pos
        opener = "{" if char == "}" else "["
        target = len(kinds) - 1
        while target >= 0 and kinds[target] != opener:
            target -= 1
        closes_outer = target >= 0 and self._fits(pos + 1, kinds[target - 1] if target else "")
        closes_inner = self._fits(pos + 1, kinds[-2] if len(kinds) > 1 else "")
        goes_on = not behind_comma and self._fits(pos + 1, kinds[-1])
        missing = target >= 0 and (closes_outer or (full and not closes_inner and not goes_on))
        if not (full or (missing and not closes_inner)):
            return False
        if (missing or closes_inner or not goes_on) and behind_comma:
            self._drop_comma(pos)
        if missing:
            at = self._back(pos)
            inserted = "".join(CLOSES[kind] for kind in reversed(kinds[target + 1 :]))
            self._note_before("missing-closer", at, at, inserted)
            for each in inserted:
                self.machine.punct(each, pos)
            return True
        if closes_inner or (not goes_on and len(kinds) == 1):
            return self._replace("mismatched-closer", pos + 1, CLOSES[kinds[-1]])
        return self._skip("surplus-closer", pos + 1)

    def _fits(self, pos: int, kind: str) -> bool:
        """Whether what stands at `pos` can go on behind a value in an open container of this kind (`""`: behind the root)."""
        text = self.text
        at = BLANK.match(text, pos).end()  # type: ignore[union-attr]
        count(at - pos + 1)
        if at == len(text):
            return not kind
        char = text[at]
        if not kind:
            return char not in ",:]}"
        if char == CLOSES[kind]:
            return True
        if char != ",":
            return kind == "{" and bool(KEY_AHEAD.match(text, at))
        at = BLANK.match(text, at + 1).end()  # type: ignore[union-attr]
        is_key = bool(KEY_AHEAD.match(text, at) or BARE_KEY.match(text, at))
        if kind == "{":
            return is_key or text[at : at + 1] == "}"
        return not is_key and text[at : at + 1] not in ("", "}", ",", ":")

    # -- options and layers that are safe to follow

    def _nonfinite(self) -> bool:
        """NaN and the infinities, where the options say what they are."""
        text, start = self.text, self.machine.token
        word = NONFINITE_WORD.match(text, start)
        name = word[0] if word else ""
        if not name or not DELIMITED.match(text, start + len(name)):
            return False
        if self.options.nonfinite == "null":
            return self._put("nonfinite", None, start + len(name), "null")
        return self._put("nonfinite", float(name), start + len(name), name)

    def _escaped_space(self) -> bool:
        space = _ESCAPED_SPACE.match(self.text, self.machine.pos)
        return space is not None and self._skip("escaped-space", space.end())

    def _closers(self) -> str:
        """The closers of the open containers, innermost first."""
        return "".join(CLOSES[kind] for kind, _ in reversed(self.machine.frames()))

    # -- the end of a text that was cut off

    def _close_off(self) -> None:
        """Log what makes the text so far strict JSON of the value so far: what is not whole goes, and what is open is closed."""
        machine, text = self.machine, self.text
        closers, phase, cut = self._closers(), machine.phase, len(text)
        token = self.lost if self.lost >= 0 else machine.token
        if machine.in_string and phase in ("value", "first-value"):
            cut, closers = machine.pos, '"' + closers
        elif phase in ("first-key", "first-value"):
            cut = token
        elif phase == "key" or (phase == "value" and self.machine.kind == "["):
            cut = self._before_comma(token)
        elif phase in ("colon", "value") and closers:
            cut = self._before_member(token, phase)
        elif phase == "value":
            cut = token
        if not self.cut:
            self.log = [each for each in self.log if max(each[1:3]) < cut or (each[2] == cut and each[3] != ",")]
        if cut < len(text) or closers:
            self.log.append(("truncated", cut, len(text), closers, self._path()))

    def _before_comma(self, pos: int) -> int:
        at = self._back(pos)
        return at - 1 if self.text[at - 1] == "," else self._inserted(",", at)

    def _inserted(self, char: str, at: int) -> int:
        """Where the edit that ends at `at` and put `char` there starts."""
        return next((start for _, start, end, inserted, _ in reversed(self.log) if end == at and inserted == char), at)

    def _before_member(self, pos: int, phase: str) -> int:
        """The offset of the comma before the member that is being read, or of its name if it is the first."""
        text, at = self.text, self._back(pos)
        if phase == "value":
            at = self._back(at - 1 if text[at - 1] == ":" else self._inserted(":", at))
        if at == self.key_end:
            start = self.key_start
        else:
            start = text.rfind('"', self.start, at - 1)
            while _escaped(text, start):
                start = text.rfind('"', self.start, start)
        count(at - start)
        is_first = text[self._back(start) - 1] == "{" or any(end == start and char == "{" for _, _, end, char, _ in reversed(self.log))
        return start if is_first else self._before_comma(start)


def _escaped(text: str, pos: int) -> bool:
    """Whether an odd number of backslashes stands before `pos`."""
    at = pos
    while at > 0 and text[at - 1] == "\\":
        at -= 1
    return (pos - at) % 2 == 1
