"""Values that stand without quotes: numbers as JSON does not write them, text, calls. Each function looks at the text and says what is
there; conformance/REPAIR.md has the rules. Offsets are code points."""

from __future__ import annotations

import re
from typing import Any

from .machine import count
from .patterns import Pattern
from .tolerant_strings import KEY_AHEAD, MEMBER, ROOT, bare_name, decoded, half_quoted_key, respelt

NUMBER_LIKE = Pattern(
    r"[+-]?(?:0[xX][0-9a-fA-F]{1,64}|[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][+-]?[0-9]*)?|\.[0-9]+(?:[eE][+-]?[0-9]+)?)"
)
GROUPED = Pattern(r"-?(?:0|[1-9][0-9]*(?:_[0-9]+)*)(?:\.[0-9]+(?:_[0-9]+)*)?(?:[eE][+-]?[0-9]+)?")
_STRICT = Pattern(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_EXPRESSION = Pattern(
    r"[-+]?[0-9][\w.()]*(?:[ \t]+[-+*/%^&|]+[ \t]+[\w.()]+)+|[\w.()]+(?:[ \t]+[+*/%^&|]+[ \t]+[\w.()]+)+|[0-9.]+(?:[*+%^][0-9.]+)+"
    r"|[-+]?[0-9.]+(?:[ \t]+[-+]?[0-9.]+)+"
)
_STOP = Pattern(r"[,\]}\n\"{\[(#/:);，｝］]")
_BALANCED = Pattern(r"\[[^\[\]{}\"\n]{0,64}\]|\{[^\[\]{}\"\n]{0,64}\}|\([^()\n]{0,128}\)")
_BLANK = Pattern(r"[ \t\n\r]*")
_TEXT_END = Pattern(r"[ \t]{0,64}(?:[,\]})]|\n|\Z)")
ARGUMENT = Pattern(
    r"(?:\"((?:[^\"\\\n]|\\.){0,512})\"|'((?:[^'\\\n]|\\.){0,512})'|(-?(?:0|[1-9][0-9]{0,64})(?:\.[0-9]{1,64})?)|(true|false|null))"
    r"[ \t\r\n]{0,64}\)"
)
_CALL_PART = Pattern(r"[()]|\"(?:[^\"\\\n]|\\.){0,512}\"|'(?:[^'\\\n]|\\.){0,512}'")
CALL_ROOM = 4096
_LITERALS = {"true": True, "false": False, "null": None}


def bare(text: str, start: int, what: str, in_parentheses: bool) -> tuple[int, int] | None:
    """The end of the text without quotes that starts at `start`, and the offset behind it; None where it is no text but an expression,
    a name with its value in an array, or a bracket without its partner."""
    at = start
    while True:
        found = _STOP.search(text, at)
        if found is None:
            at = len(text)
            break
        at = found.start()
        char = text[at]
        if char in "]}\n｝］" or (char in ",，" and (what != MEMBER or _member_ends(text, at + 1))):
            break
        if char == ")" and in_parentheses:
            break
        if char == ";" and _TEXT_END.match(text, at + 1):
            break
        if char == '"' and (at == start or text[at - 1] != "\\"):
            if KEY_AHEAD.match(text, at) and at > start:
                break
            if at > start and text[at - 1] not in " \t" and _TEXT_END.match(text, at + 1):
                return _checked(text, start, at, at + 1)
        elif char in "{[(":
            group = _BALANCED.match(text, at) if what != ROOT or char == "(" else None
            if group:
                at = group.end()
                continue
            if char != "(":
                return None
        elif char == ":" and (text[at - 1] in " \t" or (what != MEMBER and text[at + 1 : at + 2] in (" ", '"', "'", "\t"))):
            return None
        elif char in "#/" and at > start and text[at - 1] in " \t" and (char == "#" or text[at + 1 : at + 2] in ("/", "*")):
            break
        at += 1
    return _checked(text, start, at, -1)


def _checked(text: str, start: int, end: int, after: int) -> tuple[int, int] | None:
    while end > start and text[end - 1] in " \t\r":
        end -= 1
    if end == start or _EXPRESSION.fullmatch(text[start:end]):
        return None
    return end, after if after >= 0 else end


def _member_ends(text: str, pos: int) -> bool:
    """Whether a comma before `pos` ends a member: a name, a closer, a comment or nothing follows."""
    at = _BLANK.match(text, pos).end()  # type: ignore[union-attr]
    if at == len(text) or text[at] in "}]/#,.…":
        return True
    return bool(KEY_AHEAD.match(text, at) or bare_name.match(text, at) or half_quoted_key.match(text, at))


def plain_number(token: str) -> tuple[str, str]:
    """The code for a number that JSON writes otherwise, and how JSON writes it; "number-text" where it is none to JSON, "" where it is
    one as it stands."""
    if _STRICT.fullmatch(token):
        return "", token
    sign = "-" if token[0] == "-" else ""
    digits = token.lstrip("+-")
    if digits[:2] in ("0x", "0X"):
        return "hex-number", sign + str(int(digits[2:], 16))
    code = "plus-sign" if token[0] == "+" else ""
    if "_" in digits:
        if not GROUPED.fullmatch(digits):
            return "number-text", token
        digits, code = digits.replace("_", ""), code or "digit-grouping"
    if digits[0] == ".":
        digits, code = "0" + digits, code or "bare-point"
    if digits[-1] in "eE+-":
        digits, code = digits.rstrip("+-") + "0", code or "bare-exponent"
    whole, point, rest = digits.partition(".")
    if point and rest[:1] not in tuple("0123456789"):
        digits, code = whole + ".0" + rest, code or "bare-point"
    return (code or "number-text", sign + digits) if _STRICT.fullmatch(digits) else ("number-text", token)


def literal_argument(found: re.Match[str]) -> tuple[Any, str]:
    """The value of a match of `ARGUMENT`, and how JSON spells it."""
    if found[3]:
        return (float(found[3]) if "." in found[3] or found[3] == "-0" else int(found[3])), found[3]
    if found[4]:
        return _LITERALS[found[4]], found[4]
    group = 1 if found[1] is not None else 2
    spelling, _ = respelt(found.string, found.start(group), found.end(group), "'")
    return decoded(spelling), f'"{spelling}"'


def call_end(text: str, inside: int) -> int:
    """The offset behind the parenthesis that closes a call whose arguments start at `inside`; -1 if it is not within `CALL_ROOM`."""
    depth = 1
    for part in _CALL_PART.finditer(text, inside, inside + CALL_ROOM):
        depth += {"(": 1, ")": -1}.get(part[0], 0)
        if not depth:
            count(part.end() - inside)
            return part.end()
    count(min(CALL_ROOM, len(text) - inside))
    return -1


# -- layers of escaping that lie over a whole text

ESCAPED = Pattern(r"\\(?:[\"\\/bfnrt]|u[0-9a-fA-F]{4})")
DOUBLED = Pattern(r'""')
HTML = Pattern(r"&(?:quot|apos|amp|lt|gt|nbsp|#[0-9]{1,6}|#[xX][0-9a-fA-F]{1,5});")
ENTITY = Pattern(r"&(?:quot|apos|#0?3[49]|#x2[27]);")
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


def unwrapped(found: re.Match[str]) -> str:
    """What one token of a layer stands for."""
    token = found[0]
    if token[0] == "&":
        import html

        return html.unescape(token)
    if token[0] == '"':
        return '"'
    return chr(int(token[2:], 16)) if token[1] == "u" else _ESCAPES[token[1]]


def raw_length(layer: re.Pattern[str], raw: str, length: int) -> int:
    """How much of `raw` gives the first `length` characters of the text under the layer."""
    shrunk = 0
    for found in layer.finditer(raw):
        if found.start() - shrunk >= length:
            break
        shrunk += len(found[0]) - len(unwrapped(found))
    return length + shrunk
