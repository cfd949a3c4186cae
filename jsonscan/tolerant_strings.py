"""Strings that strict JSON refuses: where they end, and what their text would be between double quotes.

The rules, with an example of each, are in conformance/REPAIR.md. Offsets are code points. A string is read in two steps: find where it
ends (`ends_safely` where there is one reading, `ends` where a quote must be weighed), then say what to change in it (`respelt`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from sys import maxsize

from .machine import count, parse_at
from .patterns import Pattern
from .records import NamedTuple

KEY, MEMBER, ITEM, ROOT = "key", "member", "item", "root"  # what a string is: a name, the value of one, of an array, the whole value

Find = Callable[[str, str, int], int]
Edit = tuple[str, int, int, str]  # code, start, end, what stands there instead


class Quote(NamedTuple):
    """An opening quote: what it closes with under `safe` and under `full`, and the code of the repair."""

    closers: str
    more_closers: str
    code: str


_SINGLE, _CURLY, _OTHER = "single-quotes", "typographic-quotes", "other-quotes"
QUOTES = {
    '"': Quote('"', '"', ""),
    "'": Quote("'", "'’", _SINGLE),
    "‘": Quote("’‘", "’‘'", _CURLY),
    "’": Quote("’‘", "’‘'", _CURLY),
    "‚": Quote("‘’", "‘’'", _CURLY),
    "“": Quote("”“", '”“"', _CURLY),
    "”": Quote("”“", '”“"', _CURLY),
    "„": Quote("“”", '“”"', _CURLY),
    "`": Quote("`", "`'´", _OTHER),
    "´": Quote("´", "´'`", _OTHER),
    "«": Quote("»", "»", _OTHER),
    "»": Quote("«", "«", _OTHER),
    "‹": Quote("›", "›", _OTHER),
    "「": Quote("」", "」", _OTHER),
    "『": Quote("』", "』", _OTHER),
    "＂": Quote("＂", '＂"', _OTHER),
    "＇": Quote("＇", "＇'", _OTHER),
}
OPENERS = frozenset(QUOTES)
_COMMAS = ",，、،﹐"
_CLOSERS = "]}］｝"
_CLOSER_OF = {"{": "}", "[": "]", "(": ")"}
_OPENER_OF = {closer: opener for opener, closer in _CLOSER_OF.items()}
_INCHES = Pattern(r"(?<![\w-])[0-9][0-9./'’×x½¼¾]{0,15}\Z")
_OF_PATTERNS = "(*+?^$|\\\\"  # what stands behind a bracket in a regular expression, and behind none in JSON

_BLANK = Pattern(r"[ \t\n\r]*")
_NEXT = {closers: Pattern(f"[{re.escape(closers)}\\\\]") for quote in QUOTES.values() for closers in quote[:2]}
# Ahead of a fault only so much is looked at; a name or item beyond that counts as one that fits.
KEY_AHEAD = Pattern(r"""["“”](?:[^"“”\\\n]|\\.){0,128}["“”][ \t\r\n]{0,64}[:：]|'[^'\\\n]{0,128}'[ \t\r\n]{0,64}:""")
_HALF_NAME = Pattern(r"""["'](?:[^"'\\\n:]|\\.){0,128}\Z|["'](?:[^"'\\\n:]|\\.){128}""")
bare_name = Pattern(r"[^\W\d][\w$-]{0,127}[ \t]{0,64}[:=]|[$][\w$-]{0,127}[ \t]{0,64}:|[0-9]{1,16}(?:\.[0-9]{1,16})?[ \t]{0,64}:")
_ITEM = Pattern(r'"(?:[^"\\\n]|\\.){0,256}"')
_AFTER_ITEM = Pattern(r'[ \t\r\n]{0,64}(?:[,\]}"+)]|\Z|//|/\*)|[ \t\r]{0,64}\n')
half_quoted_key = Pattern(
    r"""([^\s"':,{}\[\]()\\][^"':,{}\[\]()\n\\]{0,127})["'](?=[ \t]{0,64}:[ \t\r\n]{0,64}(?:["'\[{0-9tfnTFN-]|\Z))"""
)
_ADDRESS = Pattern(r"[a-zA-Z]{2,16}://[^\s,]*(?=,)")
_CONTAINER = Pattern(r"[{\[][ \t\r\n]{0,64}[\"'{\[]")
stray_words = Pattern(r"""(\w[^\s"'{}\[\]:,]{0,63}(?:[ \t]+[^\s"'{}\[\]:,]{1,64}){0,16})[ \t\r]*(?=[,}\]\n"])""")
_LITERAL = Pattern(r"(?:true|false|null|True|False|None)\b")
_JOIN = Pattern(r"\+[ \t\r\n]{0,64}[\"']")
_SEMICOLON = Pattern(r";[ \t\r]{0,64}(?:[\"'}\]\n]|\Z)")
_PARENTHESIS = Pattern(r"\)[ \t\r\n]{0,64}(?:[,)\]};]|\Z)")
_GLUED_NAME = Pattern(r"""(["'])[^"'\\\n:]{1,64}\1[ \t\r\n]{0,32}:[ \t\r\n]{0,32}(?=["'\-0-9\[{tfnTFN]|\Z)""")
_MARKED_ITEM = Pattern(r"[-*•][ \t]+[\"'{\[]")
_SEAM = Pattern(r"[ \t\r\n]*(?:(?:[}\]][ \t\r\n]*)+(?:,[ \t\r\n]*(?:[{\[][ \t\r\n]*)*)?|,[ \t\r\n]*)?")
_SEAM_ROOM = 256
_JOINT_ROOM = 64
_PIECES_ROOM = 2
_ONLY_CLOSERS = Pattern(r"[}\]][ \t\r\n}\],]{0,256}\Z")
_STRUCTURE_AT_END = Pattern(r"[ \t\r]*(?:[}\]][ \t\r]*)*[,}\]][ \t\r]*")


_HALF_ESCAPE = Pattern(
    r"\\(?:u(?:[0-9a-fA-F]{0,3}|[dD][89abAB][0-9a-fA-F]{2}(?:\\(?:u[0-9a-fA-F]{0,3})?)?))?\Z|[\ud800-\udbff]\Z"
)


def follows(text: str, pos: int, what: str, full: bool) -> bool:
    """Whether what stands at `pos` can follow a string that is a `what`."""
    at = _BLANK.match(text, pos).end()  # type: ignore[union-attr]
    count(at - pos + 1)
    if at == len(text):
        return True
    char = text[at]
    if what == KEY:
        return char == ":" or (full and char in "：=")
    if char in _COMMAS:
        return (full or char == ",") and what != ROOT and _follows_comma(text, at + 1, what, full)
    if char in _CLOSERS:
        return (full or char in "}]") and what != ROOT and _follows_closer(text, at, what, full)
    if char == "/":
        return text[at + 1 : at + 2] in ("/", "*")
    gap = at > pos
    if char == "#":
        return gap
    if char in OPENERS:
        if what == MEMBER:
            return bool(KEY_AHEAD.match(text, at)) and (gap or full)
        return what == ITEM and gap and _is_item(text, at)
    if not full:
        return False
    if what == ROOT:
        return bool(_JOIN.match(text, at))
    if char == "+":
        return bool(_JOIN.match(text, at))
    if char == ";":
        return bool(_SEMICOLON.match(text, at))
    if char == ")":
        return bool(_PARENTHESIS.match(text, at))
    return "\n" in text[pos:at] and bool(bare_name.match(text, at) if what == MEMBER else _MARKED_ITEM.match(text, at))


def _follows_closer(text: str, pos: int, what: str, full: bool) -> bool:
    wrong = text[pos] in ("}｝" if what == ITEM else "]］")
    if what == ITEM and wrong and not full:
        return False
    behind = text[pos + 1 : pos + 2]
    if (full or wrong) and behind in _OF_PATTERNS and behind:
        return False
    return behind not in OPENERS and not behind.isalnum()


def _follows_comma(text: str, pos: int, what: str, full: bool) -> bool:
    at = _BLANK.match(text, pos).end()  # type: ignore[union-attr]
    count(at - pos + 1)
    if at == len(text):
        return True
    char = text[at]
    if char in _CLOSERS or char in "/#" or (full and char in ",.…"):
        return True
    if what == MEMBER:
        if char in OPENERS:
            return not full or bool(KEY_AHEAD.match(text, at) or _HALF_NAME.match(text, at)) or char not in "\"'“"
        return bool(bare_name.match(text, at)) or (full and _follows_damaged(text, at))
    if char == '"':
        return not full or _is_item(text, at)
    return char in OPENERS or char in "{[-0123456789(" or bool(_LITERAL.match(text, at))


def _follows_damaged(text: str, pos: int) -> bool:
    """Whether the next member starts at `pos` behind a comma, though not with its name; or what is none, but no text either."""
    if text.startswith(("**", "__"), pos) or half_quoted_key.match(text, pos) or _CONTAINER.match(text, pos):
        return True
    words = stray_words.match(text, pos)
    return words is not None and bool(KEY_AHEAD.match(text, words.end()))


def _is_item(text: str, pos: int) -> bool:
    """Whether a string that can stand in an array starts at `pos`, or one too long to tell."""
    item = _ITEM.match(text, pos)
    return item is None or bool(_AFTER_ITEM.match(text, item.end()))


def ends_safely(text: str, body: int, closers: str, what: str, outlook: Outlook) -> int:
    """The offset of the first quote that is not escaped, if nothing but a string's end can stand there; else -1."""
    at = outlook.next(text, closers, body, _unescaped)
    return at if at >= 0 and follows(text, at + 1, what, False) else -1


def _unescaped(text: str, closers: str, pos: int) -> int:
    """Where the first of these quotes stands that is not escaped, or -1."""
    search = _NEXT[closers].search
    while (found := search(text, pos)) is not None:
        at = found.start()
        if text[at] != "\\":
            return at
        pos = at + 2
    return -1


class End(NamedTuple):
    """Where a string ends: the end of its text, the offset behind it, and the code if its closing quote is not the plain one."""

    body_end: int
    after: int
    code: str


class Outlook:
    """What the readings of one text have learnt, so that nothing is looked over again and again. `room`: the length of the text.

    What was searched for is kept by its distance from the end, so that it holds in a piece of the text that ends there too."""

    __slots__ = ("room", "spent", "spent_on_layers", "spent_on_ends", "hopeless", "_seen", "_regions", "_pieces", "_held")

    def __init__(self, room: int) -> None:
        self.room = room
        self.spent = 0  # looked at in vain for an end behind one that was there
        self.spent_on_layers = 0  # looked at under a layer of escaping that there was none of
        self.spent_on_ends = 0  # looked at for the end of a call or a damaged name, in vain
        self.hopeless: dict[tuple[str, str], int] = {}  # quotes and kind of string: so near to the end none can close one
        self._seen: dict[str, tuple[int, int]] = {}  # how near to the end a search began, and what it found; 0: nothing
        self._regions = {room: (self.hopeless, self._seen)}  # those by the end
        self._pieces: dict[int, tuple[int, str]] = {}  # by the end: an offset, and the text from there
        self._held = 0  # how much was copied for them

    def until(self, end: int) -> Outlook:
        """The same, for readings that go no further than `end`."""
        self.hopeless, self._seen = self._regions.setdefault(end, ({}, {}))
        return self

    def again(self) -> Outlook:
        """The same for a reading that is made once more: nothing is spent on it."""
        made = Outlook(self.room)
        made.hopeless, made._seen = self.hopeless, self._seen
        return made

    def has_room(self, pos: int, end: int) -> bool:
        """Whether the text between may be copied: all copies together are bounded."""
        return end == self.room or end in self._pieces or self._held + end - pos <= _PIECES_ROOM * self.room

    def piece(self, text: str, pos: int, end: int) -> tuple[int, str]:
        """The text up to `end`, from an offset on at or before `pos`. One copy serves all readings that end there."""
        base, piece = self._pieces.get(end, (maxsize, ""))
        if pos < base:
            count(end - pos)
            self._held += end - pos
            base, piece = self._pieces[end] = pos, text[pos:end]
        return base, piece

    def next(self, text: str, what: str, pos: int, find: Find = str.find) -> int:
        """Where `find` finds the next `what` at or after `pos`, or -1. There is one way to find each."""
        size = len(text)
        left = size - pos
        seen = self._seen.get(what)
        if seen is not None and seen[1] <= left <= seen[0]:
            return size - seen[1] if seen[1] else -1
        found = find(text, what, pos)
        at = size - found if found >= 0 else 0
        self._seen[what] = left, at
        count(left - at + 1)
        return found


def ends(text: str, body: int, closers: str, what: str, outlook: Outlook) -> End | None:
    """The end of a string whose quotes must be weighed: the first that something which can follow a string follows. None where there
    is none."""
    search, at = _NEXT[closers].search, body
    inner, split, first, escaped = 0, -1, body, False
    brackets = _Brackets(text, body)
    held: End | None = None  # an end, but that the closer behind it closes a bracket of the string's
    if len(text) - body <= outlook.hopeless.get((closers, what), -1):
        return None
    while True:
        found = search(text, at)
        if found is None:
            count(len(text) - body)
            if held is None:
                outlook.hopeless[closers, what] = len(text) - body
            else:
                outlook.spent += len(text) - held.after
            return held
        at = found.start()
        if text[at] == "\\":
            escaped = escaped or text[at + 1 : at + 2] == closers[0]
            at += 2
            continue
        alone = _one_of_two(text, first) if inner == 1 and not escaped else None
        if follows(text, at + 1, what, True) or (what == ITEM and not inner and _GLUED_NAME.match(text, body - 1)):
            end = End(at, at + 1, "")
            if outlook.spent > outlook.room or not brackets.open(at, at + 1):
                count(at - body)
                lost = End(split, split, "missing-quote") if split >= 0 else end
                return end if what != ITEM or inner % 2 == 0 else alone or lost
            held = held or end
        elif (plus := _before_chain(text, body, at)) >= 0:
            count(at - body)
            return End(plus, plus, "missing-quote")
        elif what in (MEMBER, ITEM):
            glued = _ends_before_name(text, body, at, what, None if held else brackets)
            if glued:
                count(at - body)
                outlook.spent += at - held.after if held else 0
                return held or alone or glued
            if what == ITEM and alone and _comma_before(text, body, at) >= 0:
                count(at - body)
                return alone
            if what == ITEM and inner % 2 == 0 and split < 0:
                split = _comma_before(text, body, at)
        if not inner:
            first = at
        inner += 1
        at += 1


class _Brackets:
    """The brackets of a string, counted as far as it has been read."""

    __slots__ = ("text", "pos", "depths")

    def __init__(self, text: str, pos: int) -> None:
        self.text, self.pos, self.depths = text, pos, dict.fromkeys(_CLOSER_OF, 0)

    def open(self, end: int, pos: int) -> bool:
        """Whether the next thing at `pos` is a closer, and closes a bracket that stands in the string before `end`."""
        pos = _BLANK.match(self.text, pos).end()  # type: ignore[union-attr]
        opener = _OPENER_OF.get(self.text[pos : pos + 1])
        if not opener:
            return False
        if end > self.pos:
            part = self.text[self.pos : end]
            for each, closer in _CLOSER_OF.items():
                self.depths[each] = max(0, self.depths[each] + part.count(each) - part.count(closer))
            self.pos = end
        return self.depths[opener] > 0

    def behind_own(self, end: int) -> int:
        """The offset behind those closers at `end` that close brackets which stand in the string before them."""
        at, left = end, None
        while self.open(end, at):
            left = left or dict(self.depths)
            pos = _BLANK.match(self.text, at).end()  # type: ignore[union-attr]
            opener = _OPENER_OF[self.text[pos]]
            if not left[opener]:
                break
            left[opener] -= 1
            at = pos + 1
        return at


def _one_of_two(text: str, quote: int) -> End | None:
    """The end of a string at the one quote inside, if that can only have closed it: no blank stands before it, none but a blank behind
    it, and it is not for inches. What follows is another's text."""
    if text[quote + 1] not in " \t" or text[quote - 1] in " \t\r\n" or _INCHES.search(text, max(0, quote - 16), quote):
        return None
    return End(quote, quote + 1, "")


def _ends_before_name(text: str, body: int, quote: int, what: str, brackets: _Brackets | None) -> End | None:
    """The end of a string that lost its closing quote, where the quote found opens the next name. Behind an item an array ends first."""
    if not _GLUED_NAME.match(text, quote):
        return None
    at, least = quote, max(body, quote - _SEAM_ROOM)
    while at > least and text[at - 1] in " \t\r\n,{}[]":
        at -= 1
    behind = brackets.behind_own(at) if brackets else at
    seam = text[behind:quote]
    if not _SEAM.fullmatch(seam) or (seam and not seam.strip() and "\n" not in seam) or (what == ITEM and "]" not in seam):
        return None
    return _without_quote(text, body, behind)


def _without_quote(text: str, body: int, at: int) -> End:
    """The end of a string at `at`; what looks like its closing quote there is none of its text."""
    if at - body >= 2 and text[at - 2 : at] == '\\"':
        return End(at - 1, at, "")
    if at > body and text[at - 1] in "”“’":
        return End(at - 1, at, _CURLY)
    return End(at, at, "missing-quote")


def _before_chain(text: str, body: int, quote: int) -> int:
    """Where a string ends that a `+` at the end of its line joins to the next, which the quote opens; else -1."""
    head = text[max(body, quote - _JOINT_ROOM) : quote].rstrip(" \t")
    if not head.endswith("\n"):
        return -1
    head = head.rstrip()
    return quote - min(quote - body, _JOINT_ROOM) + len(head[:-1].rstrip(" \t")) if head.endswith("+") else -1


def _comma_before(text: str, body: int, quote: int) -> int:
    """The offset of the comma right before a quote, where an item could have lost its closing quote; else -1."""
    at = quote
    while at > body and quote - at < 64 and text[at - 1] in " \t\r\n":
        at -= 1
    fits = at > body and text[at - 1] == "," and quote + 1 < len(text) and text[quote + 1] not in " \t\r\n,"
    return at - 1 if fits else -1


def ends_with_line(text: str, body: int) -> End | None:
    """The end of a string without a closing quote whose line ends as a member or item does, and whose next line goes on as one."""
    line_end = text.find("\n", body)
    count((line_end if line_end >= 0 else len(text)) - body)
    if line_end < 0:
        return None
    at = line_end
    while at > body and text[at - 1] in " \t\r,}]":
        at -= 1
    rest = _BLANK.match(text, line_end).end()  # type: ignore[union-attr]
    if at == body and rest == len(text):  # nothing says that it was to be empty
        return None
    goes_on = text[rest : rest + 1] in ("", '"', "'", "{", "[", "}", "]")
    if at < line_end and _STRUCTURE_AT_END.fullmatch(text[at:line_end]) and goes_on:
        return _without_quote(text, body, at)
    if KEY_AHEAD.match(text, rest) or _ONLY_CLOSERS.match(text, rest):
        return _without_quote(text, body, line_end - (text[line_end - 1] == "\r"))
    return None


def ends_before_closers(text: str, body: int, kinds: str, what: str) -> End | None:
    """The end of a string without a closing quote, where the text ends with exactly the closers of all open containers (`kinds`,
    innermost first; a fence's marks may follow) and the string's brackets are balanced without them. An address ends at a comma."""
    at, left = len(text.rstrip(" \t\r\n")), len(kinds)
    if text.endswith("```", body, at):
        at = len(text[:at].rstrip("`"))
    while at > body and (text[at - 1] in " \t\r\n" or (left and text[at - 1] == kinds[left - 1])):
        left -= text[at - 1] in "}]"
        at -= 1
    count(len(text) - body)
    content = text[body:at]
    if left or not content or content.count("{") != content.count("}") or content.count("[") != content.count("]"):
        return None
    address = _ADDRESS.match(content) if what == ITEM else None
    return _without_quote(text, body, (address.end() if address else len(content.rstrip())) + body)


# -- the text of a string

_FLAW = Pattern(r'[\x00-\x1f"]|\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|U000[0-9a-fA-F]{5}|\r\n|.|\Z)', re.DOTALL)
_FLAWLESS = Pattern(r'[^\x00-\x1f"\\]*')
_KNOWN = "bfnrt\"\\/'`\r\n"
_ESCAPES = {code: f"\\u{code:04x}" for code in range(32)}
_ESCAPES.update({8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r", 34: '\\"', 92: "\\\\"})
_LINE_BREAK = Pattern(r"\\n(?=\\n|[ A-Z]|[-*#] |\Z)")


def quoted(value: str) -> str:
    """`value` as a JSON string."""
    return f'"{value.translate(_ESCAPES)}"'


def respelt(text: str, body: int, end: int, quote: str) -> tuple[str, list[Edit]]:
    """What stands in `text[body:end]`, the inside of a string opened by `quote`, as the inside of a JSON string; and the edits that
    lead there, neighbours of one code as one. `quote` is `"` for JSON's own rules; else escapes are those of Python and JavaScript."""
    content = text[body:end]
    count(end - body)
    if _FLAWLESS.fullmatch(content):
        return content, []
    literal = _has_invalid(content, quote)
    pieces: list[str] = []
    edits: list[Edit] = []
    code, start, stop = "", 0, 0  # the edit being collected
    run: list[str] = []  # its pieces
    last = 0
    for found in _FLAW.finditer(content):
        flaw, new = _mended(content, found.start(), found[0], quote, literal)
        if flaw is None:
            continue
        between = content[last : found.start()]
        last = found.end()
        pieces += between, new
        if flaw == code:
            run += between, new
        else:
            if code:
                edits.append((code, body + start, body + stop, "".join(run)))
            code, start, run = flaw, found.start(), [new]
        stop = last
    if code:
        edits.append((code, body + start, body + stop, "".join(run)))
    pieces.append(content[last:])
    return "".join(pieces), edits


def _has_invalid(content: str, quote: str) -> bool:
    """Whether a backslash in `content` starts no escape; where `quote` is none of JSON's, those of Python and JavaScript are known."""
    known, long = (_KNOWN, 6) if quote == '"' else (_KNOWN + "0av", 4)
    for found in _FLAW.finditer(content):
        token = found[0]
        if token[0] == "\\" and len(token) < long and (len(token) == 1 or token[1] not in known):
            return True
    return False


def _mended(content: str, pos: int, token: str, quote: str, literal: bool) -> tuple[str | None, str]:
    """The code and the new spelling of one quote, control character or escape; (None, "") where it may stay."""
    if token == '"':
        return ("inner-quote" if quote == '"' else QUOTES[quote].code), '\\"'
    if token[0] != "\\":
        return "control-character", _ESCAPES[ord(token)]
    kind = token[1:2]
    if kind in '"\\/u' and (kind != "u" or len(token) == 6) and kind:
        return None, ""
    if kind in "bfnrt" and kind:
        if not literal or _LINE_BREAK.match(content, pos):
            return None, ""
        return "literal-backslash", "\\" + token
    if kind and kind in "'`":
        return ("needless-escape" if quote == '"' else QUOTES[quote].code), kind
    if kind and kind in "\r\n":
        return "code-escape", ""
    if quote != '"' and len(token) > 2:
        return "code-escape", quoted(chr(min(int(token[2:], 16), 0x10FFFF)))[1:-1]
    return "invalid-escape", "\\\\" + quoted(token[1:])[1:-1]


def decoded(spelling: str) -> str:
    """The value of the inside of a JSON string."""
    if "\\" not in spelling:
        return spelling
    found = parse_at(f'"{spelling}"', 0)
    assert found is not None
    return found[0]  # type: ignore[no-any-return]


def whole_escapes(text: str, body: int) -> int:
    """Where the inside of a string that the end of the text cut off ends, without half an escape or half a surrogate pair."""
    half = _HALF_ESCAPE.search(text, max(body, len(text) - 12))
    if half is None:
        return len(text)
    backslashes = half.start()
    while backslashes > body and text[backslashes - 1] == "\\":
        backslashes -= 1
    return half.start() if (half.start() - backslashes) % 2 == 0 else len(text)
