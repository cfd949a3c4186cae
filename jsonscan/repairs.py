"""The repair policy: what to do where strict reading faults.

The machine reads; here is decided, only where it says "fault", which one edit lets it go on, and the edit is logged. conformance/REPAIR.md
names every code with its level, its risk and an example. The answers of `safe` are asked for first, and those of `full` only where there
is none: so whatever `safe` accepts, `full` accepts with the same value.

Every edit moves on in the text or puts tokens before it. What is looked at ahead of a fault is bounded, or read over with the edit, or
remembered so that it is looked at once. So reading is O(text), but for the JSON Pointers of the log, which are as long as they are.
"""

from __future__ import annotations

import re
from sys import maxsize
from typing import Any, NamedTuple

from .bare_values import (
    ARGUMENT,
    DOUBLED,
    ENTITY,
    ESCAPED,
    GROUPED,
    HTML,
    NUMBER_LIKE,
    bare,
    call_end,
    literal_argument,
    plain_number,
    raw_length,
    unwrapped,
)
from .errors import InvalidJSONError, LimitError, TruncatedJSONError
from .machine import Machine, count
from .model import Level, Options, Repair, Repaired, pointer
from .tolerant_strings import (
    ITEM,
    KEY,
    KEY_AHEAD,
    MEMBER,
    OPENERS,
    QUOTES,
    ROOT,
    End,
    bare_name,
    decoded,
    ends,
    ends_before_closers,
    ends_safely,
    ends_with_line,
    quoted,
    respelt,
    whole_escapes,
)

LOSSLESS, LIKELY, GUESS = "lossless", "likely", "guess"
SAFE: dict[str, str] = {  # the codes of `safe`, with their risk
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
    "number-text": LIKELY,
    "missing-value": GUESS,
    "tuple": LOSSLESS,
    "call": LIKELY,
    "ellipsis": GUESS,
    "emphasis": LIKELY,
    "list-marker": LIKELY,
    "wrapper": LIKELY,
    "root-array": GUESS,
}

_FOREIGN_SPACE = "\x0b\x0c\x85\xa0\u1680\u180e\u2028\u2029\u202f\u205f\u2060\u3000\ufeff\u2581\x00\xad"
_ODD_SPACE = re.compile(f"[{_FOREIGN_SPACE}\u2000-\u200f\u202a-\u202e\u2066-\u2069]+").match
_BLANK = re.compile(r"[ \t\n\r]*").match
_ESCAPED_SPACE = re.compile(r"(?:\\[nrt])+").match
_WORD = re.compile(r"[^\W\d][\w$]*|[$][\w$]*").match
_BARE_KEY = re.compile(r"(?:[^\W\d][\w$-]*|[$][\w$-]*|[0-9]{1,16})(?=[ \t]{0,64}:(?!/))").match
_LOOSE_KEY = re.compile(r"""([^\s"':,{}\[\]()#/\\][^"':,{}\[\]()\n\\]{0,127}?)[ \t]{0,64}(?=:(?!/)|=)""").match
_HALF_QUOTED_KEY = re.compile(r"""([^\s"':,{}\[\]()\\][^"':,{}\[\]()\n\\]{0,127})["'](?=[ \t]{0,64}:)""").match
_BOLD_KEY = re.compile(r"(\*{1,3}|_{2,3})([^*_\s\"':\n][^*\"':\n]{0,127}?)\1(?=[ \t]{0,64}:)").match
_GROUPED_PAIR = re.compile(r"[0-9],[0-9]{3}").match
_COLON_SIGN = re.compile(r"=>|->|:=|=").match
_VALUE_AHEAD = re.compile(
    r'"(?:[^"\\\n]|\\.){0,256}"[ \t\r\n]{0,64}[,}]|-?[0-9][0-9.eE+-]{0,64}[ \t\r\n]{0,64}[,}]|(?:true|false|null|True|False|None)[ \t\r\n]{0,64}[,}]'
).match
_UNCLOSED_KEY = re.compile(r"""["']([\w$. -]{1,64}):""").match
_LONG_KEY_AHEAD = re.compile(r'"(?:[^"\\\n]|\\.){128}').match
_NUMBER_AHEAD = re.compile(r"-?(?:0|[1-9][0-9]{0,64})(?:\.[0-9]{1,64})?(?:[eE][+-]?[0-9]{1,8})?(?=[ \t\r\n,\]])").match
_LITERAL_AHEAD = re.compile(r"(?:true|false|null|True|False|None)(?=[ \t\r\n,\]}])").match
_STRING_AHEAD = re.compile(r'"(?:[^"\\\n]|\\.){0,256}"[ \t\r\n]{0,64}[,\]" \t\r\n]').match
_DELIMITED = re.compile(r"[ \t\r\n]{0,64}(?:[,\]});，｝］]|\Z|//|/\*|\n)|[ \t\r]{0,64}\n").match
_CLOSER = re.compile(r"[}\]]").search
_CLOSES = {"{": "}", "[": "]"}
_SAFE_OPENERS = "".join(quote for quote in QUOTES if QUOTES[quote].code in SAFE)
_ANY_QUOTE = "".join({*QUOTES, *(closer for each in QUOTES.values() for closer in each.more_closers)})
_CALL = re.compile(r"(?:new[ \t]+)?[^\W\d][\w$.]*[ \t]?\(").match
_KEEPS_TEXT = re.compile(r"(?:\w+\.)*(?:OrderedDict|defaultdict|Counter|deque|namedtuple|dict)[ \t]?\(").match
_PARENTHESISED = re.compile(r"\([ \t\r\n]{0,64}(?:\"(?:[^\"\\\n]|\\.){0,256}\"|'(?:[^'\\\n]|\\.){0,256}'|[-\w.+]{1,64})[ \t\r\n]{0,64}\)").match
_PREFIXED = re.compile(r"[bBuUrRfF]{1,2}(?=[\"'])").match
_PLUS = re.compile(r"[ \t\r\n]*\+[ \t\r\n]*(?=[\"'])").match
_ELLIPSIS = re.compile(r"(?:\.{3,}|…+)").match
_EMPHASIS = re.compile(r"\*{1,3}|_{1,3}").match
_MARKER = re.compile(r"[-*•+][ \t]+(?=[\"'{\[]|[^\W\d][\w$-]{0,127}[ \t]{0,8}:)").match
_WIDE = {"，": ",", "、": ",", "،": ",", "﹐": ",", "：": ":", "﹕": ":", "｛": "{", "｝": "}", "［": "[", "］": "]", "【": "[", "】": "]"}
_PYTHON = {"True": True, "False": False, "None": None}
_OTHER = {"true": True, "false": False, "null": None, "none": None, "nil": None, "undefined": None}
_SPELLING = {True: "true", False: "false", None: "null"}
_HALF_LITERALS = tuple("true false null True False None undefined NaN Infinity -Infinity".split())
_NONFINITE = {"NaN": "nan", "Infinity": "inf", "-Infinity": "-inf", "+Infinity": "inf"}
_PYTHON_NONFINITE = {"nan": "nan", "inf": "inf", "-inf": "-inf", "+inf": "inf", "-nan": "nan"}
_NONFINITE_WORD = re.compile(r"[+-]?(?:NaN|Infinity|nan|inf)\b").match
_STUCK = 8  # edits that may follow each other at one offset
_POINTER_ROOM = 1 << 20  # characters of the log's JSON Pointers, and as many as the text has

Entry = tuple[str, int, int, str, list[Any]]  # code, start, end, inserted, path


def _place(entry: Entry) -> tuple[int, int]:
    return entry[1], entry[2]


class Reading:
    """What a read came to. Offsets are code points into the text that was given.

    stop       "done"; "fault"; "starved": the text ended inside the value; "limit": a bound of `Limits` was passed
    value      the value; if not done, the value so far by the rules of streaming (None: nothing yet)
    start, end  of the value
    repairs    the edits made, in text order
    fault      the machine's word for why it stopped, or the name of the limit; fault_pos, phase and path say where
    covered    the furthest offset that was looked at
    """

    __slots__ = ("stop", "value", "start", "end", "repairs", "fault", "fault_pos", "phase", "path", "covered")

    def __init__(self, stop: str, value: Any, start: int, end: int, repairs: tuple[Repair, ...], fault: str = "",
                 fault_pos: int = -1, phase: str = "end", path: str = "", covered: int = 0) -> None:  # fmt: skip
        self.stop = stop
        self.value = value
        self.start = start
        self.end = end
        self.repairs = repairs
        self.fault = fault
        self.fault_pos = fault_pos
        self.phase = phase
        self.path = path
        self.covered = covered

    def __repr__(self) -> str:
        return f"<Reading {self.stop} [{self.start}:{self.end}] {self.value!r:.60} {[r.code for r in self.repairs]}>"


def read(text: str, pos: int, end: int, options: Options, level: Level) -> Reading:
    """Read one value that starts at or after `pos`, up to `end`. Never raises on account of the text. O(end - pos)."""
    base = 0
    if end < len(text):  # a copy of what may be looked at, so that neither room needs to know of an end
        text, base, pos = text[pos:end], pos, 0
    return _Reader(text, pos, options, level, base).read()


def edited(text: str, reading: Reading) -> str:
    """`text[reading.start:reading.end]` with the log's edits applied. For a reading that is done it is strict JSON of the same value,
    and so for a truncated one whose closers were logged. O(text)."""
    return _applied(text, reading.start, reading.end, [(each.start, each.end, each.inserted) for each in reading.repairs])


def _applied(text: str, start: int, end: int, edits: list[tuple[int, int, str]]) -> str:
    pieces, at = [], start
    for first, behind, inserted in edits:
        pieces += text[at:first], inserted
        at = behind
    pieces.append(text[at:end])
    return "".join(pieces)


class _Last(NamedTuple):
    """A scalar or name that was taken back: its value and place, the fault's offset, and whether a comma came before that."""

    value: Any
    start: int
    end: int
    pos: int
    comma: bool


class _Reader:
    """One read in progress. Methods that mend say whether they did; one that did not has changed nothing."""

    __slots__ = ("text", "base", "start", "options", "full", "off", "machine", "log", "parens", "hopeless", "cut", "covered",
                 "emphasis", "restarted", "key_start", "key_end", "nested")  # fmt: skip

    def __init__(self, text: str, pos: int, options: Options, level: str, base: int, nested: bool = False) -> None:
        limits = options.limits
        self.text = text
        self.base = base
        self.start = pos
        self.options = options
        self.full = level == "full"
        self.off = level == "off"
        self.machine = Machine(text, pos, max_depth=limits.max_depth or 0, max_digits=limits.max_digits or maxsize,
                               big_int=options.big_int, duplicates=options.duplicate_keys)  # fmt: skip
        self.log: list[Entry] = []
        self.parens: list[tuple[str, int]] = []  # open parentheses: "[" for a tuple, "" for none of the value's, and the depth inside
        self.hopeless: dict[tuple[str, str], int] = {}
        self.cut = False  # the text ended inside a string that was put
        self.covered = pos
        self.emphasis = False
        self.restarted: Reading | None = None
        self.key_start = self.key_end = -1  # of the key put last
        self.nested = nested

    def read(self) -> Reading:
        machine, most = self.machine, self.options.limits.max_repairs or maxsize
        stuck, stuck_at = 0, -1
        while True:
            stop = machine.run()
            if stop != "fault":
                break
            if machine.fault in ("depth", "digits"):
                return self._reading("limit", machine.pos, "max_" + machine.fault)
            if machine.pos > stuck_at:
                stuck, stuck_at = 0, machine.pos
            stuck += 1
            mended = stuck <= _STUCK and self._mend()
            if self.restarted:
                return self.restarted
            if not mended:
                return self._reading("fault", machine.pos, machine.fault)
            if len(self.log) > most:
                return self._reading("limit", machine.pos, "max_repairs")
        if stop == "done":
            return self._reading("done", machine.pos)
        if self.full and machine.in_string and self._close_before_closers():
            return self.read()
        path = pointer(machine.path())
        value, phase = machine.snapshot(), machine.phase
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
        start = _BLANK(self.text, self.start).end()  # type: ignore[union-attr]
        if stop == "fault":
            end = max(end, start)
        covered = max(self.covered, machine.pos, end) + base
        return Reading(stop, value, start + base, end + base, self._repairs(), fault,
                       machine.pos + base if fault else -1, machine.phase, path, covered)  # fmt: skip

    def _repairs(self) -> tuple[Repair, ...]:
        text, base = self.text, self.base
        self.log.sort(key=_place)
        repairs, room = [], _POINTER_ROOM + len(text)
        for code, start, end, inserted, places in self.log:
            path = pointer(places)
            room -= len(path)
            repairs.append(Repair(code, start + base, end + base, text[start:end], inserted, path if room >= 0 else "", RISKS[code]))  # type: ignore[arg-type]
        return tuple(repairs)

    def _note(self, code: str, start: int, end: int, inserted: str) -> None:
        self.log.append((code, start, end, inserted, self.machine.path()))

    # -- what to do at a fault

    def _mend(self) -> bool:
        """One edit at the fault. What is asked first is safe, and what `full` guesses is asked last."""
        machine = self.machine
        fault = machine.fault
        if fault == "duplicate-key":
            return False
        char, phase = self.text[machine.pos], machine.phase
        if self.options.nonfinite != "raise" and phase in ("value", "first-value") and self._nonfinite():
            return True
        if self.off:
            return False
        if fault == "control" or fault == "escape":
            return self._damaged_string()
        if char == "\\" and self._escaped_space():
            return True
        if phase == "next":
            return self._next_safely(char) or (self.full and self._next(char))
        if phase == "value" or phase == "first-value":
            return self._value_safely(char) or (self.full and self._value(char))
        if phase == "colon":
            return self._comment(char) or (self.full and self._colon(char))
        return self._key_safely(char) or (self.full and self._key(char))

    def _kind(self) -> str:
        frames = self.machine.frames()
        return frames[-1][0] if frames else ""

    def _what(self) -> str:
        """What a string that stands here is."""
        phase = self.machine.phase
        if phase == "key" or phase == "first-key" or phase == "colon":
            return KEY
        kind = self._kind()
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
        except ValueError:
            machine.fault = "duplicate-key"
            return False
        if is_key:
            self.key_start, self.key_end = machine.token, end
        return True

    # -- what went before

    def _back(self, pos: int) -> int:
        """The offset behind the token before `pos`: white space and what was taken out between them are skipped."""
        text, at, entry = self.text, pos, len(self.log)
        while True:
            while at > self.start and text[at - 1] in " \t\r\n":
                at -= 1
            if not entry or self.log[entry - 1][2] != at or self.log[entry - 1][3]:
                count(pos - at)
                return at
            entry -= 1
            at = self.log[entry][1]

    def _drop_comma(self, pos: int) -> bool:
        """Take out the comma before `pos`, whether it stood there or was an edit."""
        at = self._back(pos)
        if self.text[at - 1] == ",":
            self._note("trailing-comma", at - 1, at, "")
            return True
        for entry in range(len(self.log) - 1, -1, -1):
            code, start, end, inserted, path = self.log[entry]
            if end == at and inserted == ",":
                if start == end:
                    del self.log[entry]
                else:
                    self.log[entry] = (code, start, end, "", path)
                return True
            if end < at:
                break
        return False

    def _taken_back(self) -> _Last | None:
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
        return _Last(value, start, end, pos, comma)

    def _give_back(self, last: _Last) -> None:
        """Undo `_taken_back`."""
        self.machine.put(last.value, last.end)
        if last.comma:
            self.machine.punct(",", last.pos)
        else:
            self.machine.goto(last.pos)

    def _forget_log(self, start: int) -> None:
        """Drop the edits inside a token that is read anew."""
        while self.log and self.log[-1][1] >= start:
            self.log.pop()

    # -- safe answers

    def _value_safely(self, char: str) -> bool:
        if char in _SAFE_OPENERS:
            return self._string_safely(char)
        if char in "TFN":
            return self._python_literal()
        if char in "]}":
            return self._closer(char, False)
        return char in "/#" and self._comment(char)

    def _key_safely(self, char: str) -> bool:
        if char in _SAFE_OPENERS:
            return self._string_safely(char)
        if char in "]}":
            return self._closer(char, False)
        if char in "/#":
            return self._comment(char)
        key = _BARE_KEY(self.text, self.machine.pos)
        return key is not None and self._put("unquoted-key", key[0], key.end(), f'"{key[0]}"')

    def _next_safely(self, char: str) -> bool:
        if char in "]}":
            return self._closer(char, False)
        if char in "/#":
            return self._comment(char)
        if char == "_":
            return self._grouped_number()
        return self._comma_is_missing(char) and self._insert_comma()

    def _comment(self, char: str) -> bool:
        """Skip a comment. One that would run to the end of the text over closers is none under `safe`, and ends there under `full`."""
        text, pos = self.text, self.machine.pos
        if text.startswith("/*", pos):
            end = text.find("*/", pos + 2) + 2
            end = end if end > 1 else len(text)
        elif text.startswith("//", pos) or (char == "#" and self._is_hash_comment(pos)):
            end = text.find("\n", pos)
            if end < 0:
                closer = _CLOSER(text, pos)
                if closer and not self.full:
                    return False
                end = closer.start() if closer else len(text)
        else:
            return False
        count(end - pos)
        return self._skip("comment", end)

    def _is_hash_comment(self, pos: int) -> bool:
        """A `#` where a value is due could be a colour: there it needs a space behind it."""
        return self.machine.phase not in ("value", "first-value") or self.text[pos + 1 : pos + 2] in ("", " ", "\t", "#", "\n")

    def _python_literal(self) -> bool:
        text, pos = self.text, self.machine.pos
        word = _WORD(text, pos)
        if not word or word[0] not in _PYTHON or not _DELIMITED(text, word.end()):
            return False
        value = _PYTHON[word[0]]
        return self._put("python-literal", value, word.end(), _SPELLING[value])

    def _grouped_number(self) -> bool:
        """`71_350`: the machine has read 71."""
        last = self._taken_back()
        if last is None:
            return False
        value, start, end = last.value, last.start, last.end
        number = NUMBER_LIKE(self.text, start)
        if number and number.end() > end and GROUPED(number[0]) and _DELIMITED(self.text, number.end()):
            spelling = number[0].replace("_", "")
            found = self._number(spelling)
            if found is not None:
                return self._put("digit-grouping", found, number.end(), spelling)
        self._give_back(last)
        return False

    def _number(self, spelling: str) -> Any:
        """The value of a JSON number, or None where it is too long."""
        options, most = self.options, self.options.limits.max_digits or maxsize
        machine = Machine(spelling, 0, max_digits=most, big_int=options.big_int)
        return machine.value if machine.run() == "done" else None

    def _string_safely(self, char: str) -> bool:
        pos, quote = self.machine.pos, QUOTES[char]
        end = ends_safely(self.text, pos + 1, quote.closers, self._what())
        return end >= 0 and self._put_string(pos, pos + 1, End(end, end + 1, ""), char, False)

    def _damaged_string(self) -> bool:
        """A control character or an escape that is none in a string that the machine was reading."""
        start = self.machine.token
        end = ends_safely(self.text, start + 1, '"', self._what())
        if end >= 0 and self._put_string(start, start + 1, End(end, end + 1, ""), '"', False):
            return True
        return self.full and self._weigh_string(start, start + 1, '"')

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
        path, code = self.machine.path(), code or QUOTES[quote].code
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
        self._note("missing-comma", at, at, ",")
        self.machine.punct(",", self.machine.pos)
        return True

    def _comma_is_missing(self, char: str) -> bool:
        """Whether only a comma is missing between the value before and the member or item here."""
        text, pos = self.text, self.machine.pos
        kind, end = self._kind(), self._back(pos)
        closed, is_string, gap = text[end - 1] in "]}", text[end - 1] in _ANY_QUOTE, end < pos
        if kind == "{":
            apart = gap or closed or (char in OPENERS and not is_string)
            return apart and bool(KEY_AHEAD(text, pos) or _LONG_KEY_AHEAD(text, pos) or _BARE_KEY(text, pos))
        if kind != "[" or not (gap or closed or (char == '"' and not is_string)):
            return False
        if char == '"':
            return bool(_STRING_AHEAD(text, pos))
        if char in "{[":
            return True
        if char in "-0123456789":
            return (char != "-" or closed) and bool(_NUMBER_AHEAD(text, pos))
        return char in "tfnTFN" and bool(_LITERAL_AHEAD(text, pos))

    # -- closers

    def _closer(self, char: str, full: bool) -> bool:
        """A closer of the wrong kind, or behind a comma, or where a value is due."""
        machine, pos, phase = self.machine, self.machine.pos, self.machine.phase
        frames = machine.frames()
        if not frames:
            return False
        kind = frames[-1][0]
        if phase == "value" and kind == "{":
            return full and self._put("missing-value", None, pos, "null")
        behind_comma = phase == "key" or phase == "value"
        if _CLOSES[kind] == char:
            return self._drop_comma(pos) and self._punct(char, pos + 1)
        return self._mismatch(char, [frame[0] for frame in frames], behind_comma, full)

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
        if missing or closes_inner or not goes_on:
            if behind_comma and not self._drop_comma(pos):
                return False
        if missing:
            at = self._back(pos)
            inserted = "".join(_CLOSES[kind] for kind in reversed(kinds[target + 1 :]))
            self._note("missing-closer", at, at, inserted)
            for each in inserted:
                self.machine.punct(each, pos)
            while self.parens and self.parens[-1][1] > target + 1:
                self.parens.pop()
            return True
        if closes_inner or (not goes_on and len(kinds) == 1):
            return self._replace("mismatched-closer", pos + 1, _CLOSES[kinds[-1]])
        return self._skip("surplus-closer", pos + 1)

    def _fits(self, pos: int, kind: str) -> bool:
        """Whether what stands at `pos` can go on behind a value in an open container of this kind (`""`: behind the root)."""
        text = self.text
        at = _BLANK(text, pos).end()  # type: ignore[union-attr]
        count(at - pos + 1)
        if at == len(text):
            return not kind
        char = text[at]
        if not kind:
            return char not in ",:]}"
        if char == _CLOSES[kind]:
            return True
        if char != ",":
            return kind == "{" and bool(KEY_AHEAD(text, at))
        at = _BLANK(text, at + 1).end()  # type: ignore[union-attr]
        is_key = bool(KEY_AHEAD(text, at) or _BARE_KEY(text, at))
        if kind == "{":
            return is_key or text[at : at + 1] == "}"
        return not is_key and text[at : at + 1] not in ("", "}", ",", ":")

    # -- full answers

    def _value(self, char: str) -> bool:
        text, start = self.text, self.machine.token
        if self.machine.fault == "unexpected":
            done = self._anywhere(char)
            if done is not None:
                return done
            if char in OPENERS:
                return self._weigh_string(start, start + 1, char) if not text.startswith("'''", start) else self._triple(start)
            if char == ",":
                return self._comma_for_value()
            if char in "]}":
                return self._closer(char, True)
            if char == "(":
                return self._parenthesis()
            if char == "{" or char == "[":
                return False
            if char == ":":
                return text[start - 1] == ":" and self._skip("wrong-colon", start + 1)
        if text[start] in "*_-•+" and self._mark():
            return True
        if _NONFINITE_WORD(text, start) or (text[start - 1] == "," and _GROUPED_PAIR(text, start - 2) and self._kind() == "["):
            return False  # an option decides; [1,000] is one number or two
        return self._odd_number(start) or self._word(start) or self._bare_value(start)

    def _anywhere(self, char: str) -> bool | None:
        """What may stand between any two tokens; None if `char` is none of it."""
        text, pos = self.text, self.machine.pos
        if char > "\x7f" or char in "\x0b\x0c\x00":
            space = _ODD_SPACE(text, pos)
            if space:
                return self._skip("odd-space", space.end())
            if char in _WIDE:
                return self._wide(_WIDE[char])
        if char == "\\":
            return self._backslash()
        if char == "&" and ENTITY(text, pos):
            return self._restart("html-entities", HTML)
        if char in ".…":
            dots = _ELLIPSIS(text, pos)
            if dots:
                return self._ellipsis(dots.end())
        if char == ")":
            return self._close_parenthesis()
        if char in "*_" and self.emphasis:
            mark = _EMPHASIS(text, pos)
            assert mark is not None
            self.emphasis = False
            return self._skip("emphasis", mark.end())
        return None

    def _wide(self, char: str) -> bool:
        """Punctuation of another script in the place of JSON's."""
        machine, pos = self.machine, self.machine.pos
        if char in "]}" and machine.phase in ("next", "first-value", "first-key", "key", "value"):
            kind = self._kind()
            if not kind or _CLOSES[kind] != char or (machine.phase == "value" and kind == "{"):
                return False
            if machine.phase in ("key", "value") and not self._drop_comma(pos):
                return False
        elif not (
            (char == "," and machine.phase == "next" and self._kind())
            or (char == ":" and machine.phase == "colon")
            or (char in "{[" and machine.phase in ("value", "first-value"))
        ):
            return False
        return self._replace("wide-punctuation", pos + 1, char)

    def _ellipsis(self, end: int) -> bool:
        """Three dots: something was left out. Where a value is due after a name, null stands for it."""
        if self.machine.phase == "value" and self._kind() == "{":
            return self._put("ellipsis", None, end, "null")
        at = _BLANK(self.text, end).end()  # type: ignore[union-attr]
        if self.machine.phase in ("value", "first-value", "key", "first-key") and self.text[at : at + 1] == ",":
            end = at + 1
        return self._skip("ellipsis", end)

    def _mark(self) -> bool:
        """A list marker, or Markdown's emphasis before a quote."""
        text, pos = self.text, self.machine.token
        marker = _MARKER(text, pos)
        if marker and self.machine.phase != "colon" and "\n" in text[max(self.start, pos - 64) : pos]:
            self.machine.goto(pos)
            return self._skip("list-marker", marker.end())
        mark = _EMPHASIS(text, pos)
        if mark and text[mark.end() : mark.end() + 1] in ('"', "'", "“"):
            self.emphasis = True
            return self._skip("emphasis", mark.end())
        return False

    def _comma_for_value(self) -> bool:
        """A comma where a value is due."""
        kind, pos = self._kind(), self.machine.pos
        if kind == "{":
            return self._put("missing-value", None, pos, "null")
        return kind == "[" and self._skip("extra-comma", pos + 1)

    def _weigh_string(self, start: int, body: int, quote: str, code: str = "") -> bool:
        """A string whose end must be weighed. One that ends nowhere ends with its line, or was cut off by the end of the text."""
        text, what, closers = self.text, self._what(), QUOTES[quote].more_closers
        end = ends(text, body, closers, what, self.hopeless)
        if end is None and what in (MEMBER, ITEM):
            end = ends_with_line(text, body) or ends_before_closers(text, body, self._closers())
        if end is None:
            self.covered = len(text)
            if what == KEY:
                self.machine.goto(len(text))
                return True
            cut = whole_escapes(text, body)
            end, self.cut = End(cut, len(text), "truncated"), True
        return self._put_string(start, body, end, quote, True, code)

    def _closers(self) -> str:
        """The closers of the open containers, innermost first."""
        return "".join(_CLOSES[kind] for kind, _ in reversed(self.machine.frames()))

    def _close_before_closers(self) -> bool:
        """The text ended inside a string, and behind it just what would close everything: then its quote is what is missing."""
        start, closers = self.machine.token, self._closers()
        if self._what() == KEY or not closers:
            return False
        end = ends_before_closers(self.text, start + 1, closers)
        return end is not None and self._put_string(start, start + 1, end, '"', True)

    def _triple(self, start: int, code: str = "triple-quotes") -> bool:
        """A string between three quotes, as Python writes it."""
        text, quotes = self.text, self.text[start : start + 3]
        end = text.find(quotes, start + 3)
        count((end if end >= 0 else len(text)) - start)
        if end < 0:
            return False
        spelling, _ = respelt(text, start + 3, end, "'")
        return self._put(code, decoded(spelling), end + 3, f'"{spelling}"')

    # numbers and words

    def _odd_number(self, start: int) -> bool:
        """A number that JSON writes otherwise."""
        text = self.text
        found = NUMBER_LIKE(text, start)
        if not found or not _DELIMITED(text, found.end()):
            return False
        count(len(found[0]))
        code, spelling = plain_number(found[0])
        if not code:
            return False
        if code == "number-text":
            return self._put(code, found[0], found.end(), quoted(found[0]))
        value = self._number(spelling)
        return value is not None and self._put(code, value, found.end(), spelling)

    def _nonfinite(self) -> bool:
        """NaN and the infinities, where the options say what they are."""
        text, start = self.text, self.machine.token
        word = _NONFINITE_WORD(text, start)
        name = word[0] if word else ""
        value = _NONFINITE.get(name) or (_PYTHON_NONFINITE.get(name) if self.full else None)
        if value is None or not _DELIMITED(text, start + len(name)):
            return False
        if self.options.nonfinite == "null":
            return self._put("nonfinite", None, start + len(name), "null")
        return self._put("nonfinite", float(value), start + len(name), name)

    def _word(self, start: int) -> bool:
        """Other literals, calls and prefixed strings."""
        text = self.text
        word = _WORD(text, start)
        if not word:
            return False
        name, end = word[0], word.end()
        if name.lower() in _OTHER and _DELIMITED(text, end):
            value = _OTHER[name.lower()]
            return self._put("other-literal", value, end, _SPELLING[value])
        prefix = _PREFIXED(text, start)
        if prefix:
            body = prefix.end()
            if text.startswith(('"""', "'''"), body):
                return self._triple_prefixed(start, body)
            quote = "'" if "r" not in prefix[0].lower() else '"'
            return self._weigh_prefixed(start, body, quote)
        call = _CALL(text, start)
        return call is not None and self._call(start, call.end())

    def _weigh_prefixed(self, start: int, open_at: int, spelt_as: str) -> bool:
        text, what = self.text, self._what()
        closers = QUOTES[text[open_at]].more_closers
        end = ends(text, open_at + 1, closers, what, self.hopeless)
        if end is None:
            return False
        raw = spelt_as == '"'
        content = text[open_at + 1 : end.body_end]
        if raw:
            value, spelling = content, quoted(content)
        else:
            inside, _ = respelt(text, open_at + 1, end.body_end, "'")
            value, spelling = decoded(inside), f'"{inside}"'
        return self._put("string-prefix", value, end.after, spelling)

    def _triple_prefixed(self, start: int, quotes_at: int) -> bool:
        text = self.text
        end = text.find(text[quotes_at : quotes_at + 3], quotes_at + 3)
        count((end if end >= 0 else len(text)) - start)
        if end < 0:
            return False
        spelling, _ = respelt(text, quotes_at + 3, end, "'")
        return self._put("triple-quotes", decoded(spelling), end + 3, f'"{spelling}"')

    def _call(self, start: int, inside: int) -> bool:
        """`ObjectId("..")`: a call round one literal is that literal, round a container that container; others are their own text."""
        text = self.text
        at = _BLANK(text, inside).end()  # type: ignore[union-attr]
        argument = ARGUMENT(text, at)
        if argument:
            value, spelling = literal_argument(argument)
            return self._put("call", value, argument.end(), spelling)
        if text[at : at + 1] in ("{", "[", "(") and not _KEEPS_TEXT(text, start):
            self.parens.append(("", len(self.machine.frames())))
            self.machine.goto(start)
            return self._skip("call", at)
        end = call_end(text, inside)
        if end < 0 or not _DELIMITED(text, end):
            return False
        content = text[start:end]
        return self._put("call", content, end, quoted(content))

    def _parenthesis(self) -> bool:
        """A tuple is an array; parentheses round one scalar are nothing."""
        text, pos = self.text, self.machine.pos
        depth = len(self.machine.frames())
        if _PARENTHESISED(text, pos):
            self.parens.append(("", depth))
            return self._skip("tuple", pos + 1)
        if self.options.limits.max_depth and depth >= self.options.limits.max_depth:
            return False
        self.parens.append(("[", depth + 1))
        return self._replace("tuple", pos + 1, "[")

    def _close_parenthesis(self) -> bool:
        machine, pos = self.machine, self.machine.pos
        if not self.parens or self.parens[-1][1] != len(machine.frames()):
            return False
        kind = self.parens[-1][0]
        if not kind:
            if machine.phase not in ("next", "end"):
                return False
            self.parens.pop()
            return self._skip("call", pos + 1)
        if machine.phase not in ("next", "first-value", "value"):
            return False
        if machine.phase == "value" and not self._drop_comma(pos):
            return False
        self.parens.pop()
        return self._replace("tuple", pos + 1, "]")

    def _bare_value(self, start: int) -> bool:
        """Text without quotes."""
        what = self._what()
        found = bare(self.text, start, what, bool(self.parens))
        if found is None:
            return False
        end, after = found
        value = self.text[start:end]
        count(after - start)
        if after == len(self.text) and what != ROOT:
            if value.startswith(_HALF_LITERALS) or any(word.startswith(value) for word in _HALF_LITERALS):
                self.machine.goto(len(self.text))
                return True
            self.cut = True
        code = "number-text" if value[0] in "+-.0123456789" else "unquoted-value"
        if after > end:
            code = "missing-quote"
        return self._put(code, value, after, quoted(value))

    # names

    def _key(self, char: str) -> bool:
        text, pos = self.text, self.machine.pos
        done = self._anywhere(char)
        if done is not None:
            return done
        if char in OPENERS:
            return self._weigh_string(pos, pos + 1, char)
        if char == ",":
            return self._skip("extra-comma", pos + 1)
        if char in "]}":
            return self._closer(char, True)
        if char == "{":
            return self._surplus_opener()
        if char == ":":
            return False
        if char in "*_-•+":
            bold = _BOLD_KEY(text, pos)
            if bold:
                return self._put("emphasis", bold[2], bold.end(), quoted(bold[2]))
            if self._mark():
                return True
        if self.machine.phase == "key" and self._comma_was_text():
            return True
        key = _HALF_QUOTED_KEY(text, pos)
        if key:
            return self._put("missing-quote", key[1], key.end(), quoted(key[1]))
        key = _LOOSE_KEY(text, pos)
        return key is not None and self._put("unquoted-key", key[1], key.end(1), quoted(key[1]))

    def _surplus_opener(self) -> bool:
        """`{{`: an object may not start with another."""
        text, pos = self.text, self.machine.pos
        at = _BLANK(text, pos + 1).end()  # type: ignore[union-attr]
        count(at - pos)
        goes_on = text[at : at + 1] == "{" or KEY_AHEAD(text, at) or _BARE_KEY(text, at)
        return self.machine.phase == "first-key" and bool(goes_on) and self._skip("surplus-opener", pos + 1)

    def _comma_was_text(self) -> bool:
        """No name stands behind a comma: then it was part of the value before."""
        pos, last = self.machine.pos, self._taken_back()
        if last is None:
            return False
        value, start, end = last.value, last.start, last.end
        if isinstance(value, str) and self.text[start] in QUOTES:
            found = ends(self.text, start + 1, QUOTES[self.text[start]].more_closers, MEMBER, self.hopeless)
            if found and found.after > pos and self._read_anew(start, found):
                return True
        elif self.machine.phase == "value":
            text_end = bare(self.text, start, MEMBER, bool(self.parens))
            if text_end and text_end[1] > pos:
                self._forget_log(start)
                return self._bare_value(start)
        self._give_back(last)
        return False

    def _read_anew(self, start: int, end: End) -> bool:
        """A string that the machine took to end sooner."""
        self._forget_log(start)
        return self._put_string(start, start + 1, end, self.text[start], True)

    def _colon(self, char: str) -> bool:
        text, pos = self.text, self.machine.pos
        done = self._anywhere(char)
        if done is not None:
            return done
        sign = _COLON_SIGN(text, pos)
        if sign:
            return self._replace("wrong-colon", sign.end(), ":")
        if text[pos - 1] == '"' and self._damaged_key(pos):
            return True
        if char in '"-0123456789tfnTFN':
            fits = _VALUE_AHEAD(text, pos)
        else:
            fits = char in "{["
        return bool(fits) and self._insert("missing-colon", ":")

    def _damaged_key(self, pos: int) -> bool:
        """A name that lost its closing quote, or has quotes inside."""
        last = self._taken_back()
        if last is None:
            return False
        value, start, end = last.value, last.start, last.end
        text = self.text
        if text[start] in "\"'":
            if not value and text[start] == '"' and self._restart("doubled-quotes", DOUBLED):
                return True
            unclosed = _UNCLOSED_KEY(text, start)
            if unclosed:
                self._forget_log(start)
                return self._put("missing-quote", unclosed[1], unclosed.end(1), quoted(unclosed[1]))
            found = ends(text, start + 1, '"', KEY, self.hopeless)
            if found and found.after > pos and self._read_anew(start, found):
                return True
        self._give_back(last)
        return False

    # behind a value

    def _next(self, char: str) -> bool:
        text, pos = self.text, self.machine.pos
        done = self._anywhere(char)
        if done is not None:
            return done
        if char in "]}":
            return self._closer(char, True)
        kind = self._kind()
        if char == ";" and kind:
            return self._replace("wrong-comma", pos + 1, ",")
        if char == "+" and self._concatenation():
            return True
        end = self._back(pos)
        before = text[end - 1]
        if before in _ANY_QUOTE and self._string_goes_on(pos):
            return True
        if before not in "]}" and before not in _ANY_QUOTE and self._scalar_goes_on(pos):
            return True
        if kind and self._comma_may_be_missing(char, kind, end):
            return self._insert_comma()
        return False

    def _comma_may_be_missing(self, char: str, kind: str, end: int) -> bool:
        text, pos = self.text, self.machine.pos
        line_break = "\n" in text[end:pos]
        if kind == "{":
            return bool(KEY_AHEAD(text, pos) or (line_break and (_BARE_KEY(text, pos) or _HALF_QUOTED_KEY(text, pos))))
        if KEY_AHEAD(text, pos):
            return False
        return char in OPENERS or char in "{[(" or ((line_break or text[end - 1] in "]}") and char not in ":=")

    def _string_goes_on(self, pos: int) -> bool:
        """Text behind a string that looked closed: its quote was one of the text's."""
        last = self._taken_back()
        if last is None:
            return False
        value, start, end = last.value, last.start, last.end
        text = self.text
        if isinstance(value, str) and text[start] in QUOTES:
            quote = text[start]
            if text.startswith('"""', start):
                self._forget_log(start)
                if self._triple(start):
                    return True
            what = self._what()
            found = ends(text, start + 1, QUOTES[quote].more_closers, what, self.hopeless)
            if found is None and what != KEY and text[pos] not in OPENERS:
                found = self._ends_at_delimiter(pos)
            if found and found.after != end and self._read_anew(start, found):
                return True
        self._give_back(last)
        return False

    def _ends_at_delimiter(self, pos: int) -> End | None:
        """`"a" b, ...` where no quote can be the closing one: the text ends where an unquoted one would."""
        found = bare(self.text, pos, self._what(), bool(self.parens))
        return End(found[0], found[0], "missing-quote") if found else None

    def _scalar_goes_on(self, pos: int) -> bool:
        """Text behind a number or literal: `5 mg`, `1/3`, `0x1F`."""
        last = self._taken_back()
        if last is None:
            return False
        value, start, end = last.value, last.start, last.end
        listed = self._kind() == "[" and end < pos and self.text[pos] in "-0123456789"
        if self.text[start] not in QUOTES and not listed:
            found = bare(self.text, start, self._what(), bool(self.parens))
            if found and found[0] > pos and (self._odd_number(start) or self._bare_value(start)):
                return True
        self._give_back(last)
        return False

    def _concatenation(self) -> bool:
        """`"a" + "b"`: the whole chain is one edit."""
        text, pos = self.text, self.machine.pos
        if not _PLUS(text, pos):
            return False
        last = self._taken_back()
        if last is None:
            return False
        value, start, end = last.value, last.start, last.end
        parts, after, what = [value], pos, self._what()
        while isinstance(value, str):
            plus = _PLUS(text, after)
            if not plus:
                break
            quote = text[plus.end()]
            found = ends(text, plus.end() + 1, QUOTES[quote].more_closers, what, self.hopeless)
            if not found:
                break
            parts.append(decoded(respelt(text, plus.end() + 1, found.body_end, quote)[0]))
            after = found.after
        if len(parts) == 1:
            self._give_back(last)
            return False
        self._forget_log(start)
        joined = "".join(parts)
        return self._put("concatenation", joined, after, quoted(joined))

    # -- texts that were encoded once more

    def _backslash(self) -> bool:
        """A quote that some layer escaped."""
        text, pos = self.text, self.machine.pos
        if not text.startswith('\\"', pos) or self.machine.phase not in ("value", "first-value", "key", "first-key"):
            return False
        if text.find('"', self.start, pos) < 0 and not self.nested and self._restart("escaped-json", ESCAPED):
            return True
        end = text.find('\\"', pos + 2)
        while end > 0 and text[end - 1] == "\\":
            end = text.find('\\"', end + 2)
        count((end if end > 0 else len(text)) - pos)
        if end < 0:
            return False
        content = ESCAPED.sub(unwrapped, text[pos + 2 : end])
        spelling, _ = respelt(content, 0, len(content), '"')
        return self._put("escaped-quotes", decoded(spelling), end + 2, f'"{spelling}"')

    def _escaped_space(self) -> bool:
        space = _ESCAPED_SPACE(self.text, self.machine.pos)
        return space is not None and self._skip("escaped-space", space.end())

    def _restart(self, code: str, layer: re.Pattern[str]) -> bool:
        """Take one layer of escaping off the text from the root's start, and read that. It is one edit. So much is undone at a time
        as reading needs, twice as much each time, so it is O(text read). True if something came of it: it is `restarted`."""
        if self.nested or self.off:
            return False
        text, start, size = self.text, _BLANK(self.text, self.start).end(), 4096  # type: ignore[union-attr]
        while True:
            behind = min(len(text), start + size)
            raw = text[start:behind]
            if behind < len(text):
                raw = raw[: max(raw.rfind("\n"), raw.rfind(" "), raw.rfind(","), 1)]
            count(len(raw))
            plain = layer.sub(unwrapped, raw)
            reader = _Reader(plain, 0, self.options, "full", 0, True)
            inner = reader.read()
            if behind == len(text) or (inner.stop == "done" and inner.end < len(plain)):
                break
            size *= 2
        if inner.stop not in ("done", "starved"):
            return False
        end = start + raw_length(layer, raw, inner.end)
        path: list[Any] = []
        self.log = [(code, start, end, edited(plain, inner), path)]
        outer = Reading(inner.stop, inner.value, start + self.base, end + self.base, self._repairs(), "", -1, inner.phase, inner.path,
                        max(self.covered, behind) + self.base)  # fmt: skip
        self.restarted = outer
        return True

    # -- the end of a text that was cut off

    def _close_off(self) -> None:
        """Log what makes the text so far strict JSON of the value so far: what is not whole goes, and what is open is closed."""
        machine, text = self.machine, self.text
        closers, phase, cut = self._closers(), machine.phase, len(text)
        if machine.in_string and phase in ("value", "first-value"):
            cut, closers = machine.pos, '"' + closers
        elif phase in ("first-key", "first-value"):
            cut = machine.token
        elif phase == "key" or (phase == "value" and self._kind() == "["):
            cut = self._before_comma(machine.token)
        elif phase in ("colon", "value") and self._kind():
            cut = self._before_member(machine.token, phase)
        elif phase == "value":
            cut, closers = machine.token, ""
        self._forget_log(cut)
        if phase == "next" and not closers:
            return
        self.log.append(("truncated", cut, len(text), closers, machine.path()))

    def _before_comma(self, pos: int) -> int:
        at = self._back(pos)
        if self.text[at - 1] == ",":
            return at - 1
        for code, start, end, inserted, _ in reversed(self.log):
            if end == at and inserted == ",":
                return start
        return pos

    def _before_member(self, pos: int, phase: str) -> int:
        """The offset of the comma before the member that is being read, or of its name if it is the first."""
        text, at = self.text, self._back(pos)
        if phase == "value":
            at = self._back(at - 1) if text[at - 1] == ":" else self._before_colon(at)
        if at == self.key_end:
            start = self.key_start
        else:
            start = text.rfind('"', self.start, at - 1)
            while _escaped(text, start):
                start = text.rfind('"', self.start, start)
        count(at - start)
        comma = self._back(start)
        return self._before_comma(start) if text[comma - 1] != "{" else start

    def _before_colon(self, at: int) -> int:
        for code, start, end, inserted, _ in reversed(self.log):
            if end == at and inserted == ":":
                return self._back(start)
        return at


def _escaped(text: str, pos: int) -> bool:
    """Whether an odd number of backslashes stands before `pos`."""
    at = pos
    while at > 0 and text[at - 1] == "\\":
        at -= 1
    return (pos - at) % 2 == 1
