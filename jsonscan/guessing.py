"""The answers of `full`: readings that guess. Each is asked for only where `safe` has none; conformance/REPAIR.md has them all."""

from __future__ import annotations

import re
from typing import Any

from .bare_values import (
    ARGUMENT,
    CALL_ROOM,
    DOUBLED,
    ENTITY,
    ESCAPED,
    HTML,
    NUMBER_LIKE,
    bare,
    call_end,
    literal_argument,
    plain_number,
    raw_length,
    unwrapped,
)
from .machine import count
from .mending import (
    ANY_QUOTE,
    BARE_KEY,
    BLANK,
    CLOSES,
    DELIMITED,
    NONFINITE_WORD,
    SPELLING,
    WORD,
    Last,
    Mender,
    Reading,
    applied,
    comment_end,
)
from .model import Options
from .patterns import Pattern
from .tolerant_strings import (
    ITEM,
    KEY,
    KEY_AHEAD,
    MEMBER,
    OPENERS,
    QUOTES,
    ROOT,
    End,
    decoded,
    ends,
    ends_before_closers,
    ends_with_line,
    half_quoted_key,
    quoted,
    respelt,
    stray_words,
    whole_escapes,
)

_FOREIGN_SPACE = "\x0b\x0c\x85\xa0\u1680\u180e\u2028\u2029\u202f\u205f\u2060\u3000\ufeff\u2581\x00\xad"
_ODD_SPACE = Pattern(f"[{_FOREIGN_SPACE}\u2000-\u200f\u202a-\u202e\u2066-\u2069]+")
_LOOSE_KEY = Pattern(r"""([^\s"':,{}\[\]()#/\\][^"':,{}\[\]()\n\\]{0,127}?)[ \t]{0,64}(?=:(?!/)|=)""")
_BOLD_KEY = Pattern(r"(\*{1,3}|_{2,3})([^*_\s\"':\n][^*\"':\n]{0,127}?)\1(?=[ \t]{0,64}:)")
_DIGIT_FIRST = Pattern(r"[+-]?\.?[0-9]")
_DECIMAL_COMMA = Pattern(r"-?(?:(?:0|[1-9][0-9]{0,15}),(?:[0-9]{1,2}|[0-9]{4,16})|0,[0-9]{3})")  # else 1,000 is a thousand
_GROUPED_PAIR = Pattern(r"[0-9],[0-9]{3}")
_COLON_SIGN = Pattern(r"=>|->|:=|=")
_VALUE_AHEAD = Pattern(
    r"""(?:"(?:[^"\\\n]|\\.){0,256}"|'(?:[^'\\\n]|\\.){0,256}'|[“„][^“”\n]{0,256}[“”])[ \t\r\n]{0,64}[,}]"""
    r"|-?[0-9][0-9.eE+-]{0,64}[ \t\r\n]{0,64}[,}]"
    r"|(?:true|false|null|True|False|None)[ \t\r\n]{0,64}[,}]"
)
_LONE_KEY = Pattern(r"""('[^'\\\n]{1,128}'|[“„][^“”\\\n]{1,128}[“”]|[^\W\d][\w$-]{0,63})[ \t\r\n]{1,64}(?=["'“„])""")
_UNCLOSED_KEY = Pattern(r"""["']([\w$. -]{1,64}):""")
_CALL = Pattern(r"(?:new[ \t]+)?[^\W\d][\w$.]*[ \t]?\(")
_KEEPS_TEXT = Pattern(r"(?:\w+\.)*(?:OrderedDict|defaultdict|Counter|deque|namedtuple|dict)[ \t]?\(")
_PARENTHESISED = Pattern(
    r"\([ \t\r\n]{0,64}(?:\"(?:[^\"\\\n]|\\.){0,256}\"|'(?:[^'\\\n]|\\.){0,256}'|[-\w.+]{1,64})[ \t\r\n]{0,64}\)"
)
_PREFIXED = Pattern(r"[bBuUrRfF]{1,2}(?=[\"'](?![ \t]{0,8}[,}\]]))")
_REMARK = r"(?:/\*[^*]{0,160}\*/[ \t\r\n]{0,64})?"
_PLUS = Pattern(rf"[ \t\r\n]*{_REMARK}\+[ \t\r\n]*{_REMARK}(?=[\"'])")
_FENCE_TAIL = Pattern(r"`{3,64}[ \t\r\n]{0,256}\Z")
_ELLIPSIS = Pattern(r"(?:\.{3,}|…+)")
_EMPHASIS = Pattern(r"\*{1,3}|_{1,3}")
_MARKER = Pattern(r"[-*•+][ \t]+(?=[\"'{\[]|[^\W\d][\w$-]{0,127}[ \t]{0,8}:)")
_WIDE = {"，": ",", "、": ",", "،": ",", "﹐": ",", "：": ":", "﹕": ":", "｛": "{", "｝": "}", "［": "[", "］": "]", "【": "[", "】": "]"}
_OTHER = {"true": True, "false": False, "null": None, "none": None, "nil": None, "undefined": None}
_FIRST_PIECE = 256  # of a text that a layer of escaping is taken off
_FORESIGHT = 512  # how far what stands behind a place may decide about it
_HALF_LITERALS = ("true", "false", "null", "True", "False", "None", "undefined", "NaN", "Infinity", "-Infinity")


def odd_space_end(text: str, pos: int) -> int:
    """The offset behind the space at `pos` that is none to JSON, `pos` if there is none."""
    space = _ODD_SPACE.match(text, pos)
    return space.end() if space else pos


def one_string(text: str, start: int, end: int, options: Options) -> Reading | None:
    """What stands between quotes at both ends of `text[start:end]`, with any others in it, as one string; None where they are no pair.
    O(end - start)."""
    quote, size = QUOTES.get(text[start]), end - start
    if quote is None or size < 2 or text[end - 1] not in quote.more_closers:
        return None
    reader = Guesser(text[start:end], 0, options, False, start)
    reader._put_string(0, 1, End(size - 1, size, ""), text[start], True)
    return reader._reading("done", size)


class Guesser(Mender):
    """One read in progress, with all answers there are."""

    __slots__ = ()

    # -- what is asked for

    def _guess(self, char: str) -> bool:
        phase = self.machine.phase
        if phase == "next":
            return self._guess_next(char)
        if phase == "value" or phase == "first-value":
            return self._guess_value(char)
        return self._guess_colon(char) if phase == "colon" else self._guess_key(char)

    def _guess_string(self) -> bool:
        start = self.machine.token
        return self._unclosed_name(start) or self._weigh_string(start, start + 1, '"')

    def _unclosed_name(self, start: int) -> bool:
        """A name whose closing quote is missing before its colon, so that the string goes on in the next line."""
        found = _UNCLOSED_KEY.match(self.text, start) if self._what() == KEY else None
        return found is not None and self._put("missing-quote", found[1], found.end(1), quoted(found[1]))

    def _line_end(self, pos: int) -> int:
        closer = self._next_closer(pos)
        return closer if closer >= 0 else len(self.text)

    def _guess_value(self, char: str) -> bool:
        text, start = self.text, self.machine.token
        if self.machine.fault == "unexpected":
            done = self._anywhere(char)
            if done is not None:
                return done
            if text.startswith("```", start):
                return False
            if char in OPENERS:
                return self._weigh_string(start, start + 1, char) if not text.startswith("'''", start) else self._triple(start)
            if char == ",":
                return self._comma_for_value()
            if char in "]}":
                return self._closer(char, True)
            if char == "(":
                return self._parenthesis()
            if char in ":=>":
                return self.machine.kind == "{" and text[start - 1] in ":=" and self._skip("wrong-colon", start + 1)
        if text[start] in "*_-•+" and self._mark():
            return True
        in_pair = text[start - 1] == "," and self.machine.kind == "[" and _GROUPED_PAIR.match(text, start - 2)
        if in_pair or NONFINITE_WORD.match(text, start):
            return False  # an option decides; [1,000] is one number or two
        return self._odd_number(start) or self._word(start) or self._bare_value(start)

    def _anywhere(self, char: str) -> bool | None:
        """What may stand between any two tokens; None if `char` is none of it."""
        text, pos = self.text, self.machine.pos
        if char > "\x7f" or char in "\x0b\x0c\x00":
            end = odd_space_end(text, pos)
            if end > pos:
                return self._skip("odd-space", end)
            if char in _WIDE:
                return self._wide(_WIDE[char])
        if char == "\\":
            return self._backslash()
        if char == "&" and ENTITY.match(text, pos):
            return self._restart("html-entities", HTML)
        if char in ".…":
            dots = _ELLIPSIS.match(text, pos)
            if dots:
                return self._ellipsis(dots.end())
        if char == ")":
            return self._close_parenthesis()
        if char == "`":
            return self._skip("wrapper", len(text)) if self.machine.kind and _FENCE_TAIL.match(text, pos) else None
        if char in "*_" and self.emphasis:
            mark = _EMPHASIS.match(text, pos)
            assert mark is not None
            self.emphasis = False
            return self._skip("emphasis", mark.end())
        return None

    def _wide(self, char: str) -> bool:
        """Punctuation of another script in the place of JSON's."""
        machine, pos = self.machine, self.machine.pos
        if char in "]}" and machine.phase in ("next", "first-value", "first-key", "key", "value"):
            kind = self.machine.kind
            if not kind or CLOSES[kind] != char or (machine.phase == "value" and kind == "{"):
                return False
            if machine.phase in ("key", "value"):
                self._drop_comma(pos)
        elif not (
            (char == "," and machine.phase == "next" and self.machine.kind)
            or (char == ":" and machine.phase == "colon")
            or (char in "{[" and machine.phase in ("value", "first-value"))
        ):
            return False
        return self._replace("wide-punctuation", pos + 1, char)

    def _ellipsis(self, end: int) -> bool:
        """Three dots: something was left out. Where a value is due after a name, they are its text."""
        if self.machine.phase == "value" and self.machine.kind != "[":
            return self._bare_value(self.machine.pos)
        at = BLANK.match(self.text, end).end()  # type: ignore[union-attr]
        if self.machine.phase in ("value", "first-value", "key", "first-key") and self.text[at : at + 1] == ",":
            end = at + 1
        return self._skip("ellipsis", end)

    def _mark(self) -> bool:
        """A list marker, or Markdown's emphasis before a quote."""
        text, pos = self.text, self.machine.token
        marker = _MARKER.match(text, pos)
        if marker and self.machine.phase != "colon" and "\n" in text[max(self.start, pos - 64) : pos]:
            self.machine.goto(pos)
            return self._skip("list-marker", marker.end())
        mark = _EMPHASIS.match(text, pos)
        if mark and text[mark.end() : mark.end() + 1] in ('"', "'", "“"):
            self.emphasis = True
            return self._skip("emphasis", mark.end())
        return False

    def _comma_for_value(self) -> bool:
        """A comma where a value is due."""
        kind, pos = self.machine.kind, self.machine.pos
        if kind == "{":
            return self._put("missing-value", None, pos, "null")
        return kind == "[" and self._skip("extra-comma", pos + 1)

    def _weigh_string(self, start: int, body: int, quote: str, code: str = "") -> bool:
        """A string whose end must be weighed. One that ends nowhere ends with its line, or was cut off by the end of the text."""
        text, what, closers = self.text, self._what(), QUOTES[quote].more_closers
        end = ends(text, body, closers, what, self.outlook)
        if end is None and what in (MEMBER, ITEM):
            end = ends_with_line(text, body) or ends_before_closers(text, body, self._closers(), what)
        if end is None:
            self.covered = len(text)
            if what == KEY:
                return text.find(closers[0], body) < 0 and self._lose(start)
            cut = whole_escapes(text, body)
            end, self.cut = End(cut, len(text), "truncated"), True
        return self._put_string(start, body, end, quote, True, code)

    def _guess_end(self) -> bool:
        """The text ended inside a string, and behind it just what would close everything: then its quote is what is missing."""
        start, closers = self.machine.token, self._closers()
        if self._what() == KEY:
            return self.text.rstrip(" \t\r\n")[-1] in "]}" and self._unclosed_name(start)
        if not closers:
            return False
        end = ends_before_closers(self.text, start + 1, closers, self._what())
        return end is not None and self._put_string(start, start + 1, end, '"', True)

    def _lose(self, start: int) -> bool:
        """The text ended inside a token of which nothing can be kept."""
        self.lost = start
        self.machine.goto(len(self.text))
        return True

    def _triple(self, start: int, code: str = "triple-quotes") -> bool:
        """A string between three quotes, as Python writes it."""
        text, quotes = self.text, self.text[start : start + 3]
        end = text.find(quotes, start + 3)
        count((end if end >= 0 else len(text)) - start)
        if end < 0:
            return False
        self._forget_log(start)
        spelling, _ = respelt(text, start + 3, end, "'")
        return self._put(code, decoded(spelling), end + 3, f'"{spelling}"')

    # numbers and words

    def _odd_number(self, start: int) -> bool:
        """A number that JSON writes otherwise."""
        text = self.text
        found = NUMBER_LIKE.match(text, start)
        if not found or not DELIMITED.match(text, found.end()):
            return False
        count(len(found[0]))
        code, spelling = plain_number(found[0])
        if not code:
            return False
        if code == "number-text":
            return self._put(code, found[0], found.end(), quoted(found[0]))
        value = self._number(spelling)
        return value is not None and self._put(code, value, found.end(), spelling)

    def _word(self, start: int) -> bool:
        """Other literals, calls and prefixed strings."""
        text = self.text
        word = WORD.match(text, start)
        if not word:
            return False
        name, end = word[0], word.end()
        if name.lower() in _OTHER and DELIMITED.match(text, end):
            value = _OTHER[name.lower()]
            return self._put("other-literal", value, end, SPELLING[value])
        prefix = _PREFIXED.match(text, start)
        if prefix:
            body = prefix.end()
            if text.startswith(('"""', "'''"), body):
                return self._triple_prefixed(start, body)
            quote = "'" if "r" not in prefix[0].lower() else '"'
            return self._weigh_prefixed(start, body, quote)
        call = _CALL.match(text, start)
        return call is not None and self._call(start, call.end())

    def _weigh_prefixed(self, start: int, open_at: int, spelt_as: str) -> bool:
        text, what = self.text, self._what()
        closers = QUOTES[text[open_at]].more_closers
        end = ends(text, open_at + 1, closers, what, self.outlook)
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
        at = BLANK.match(text, inside).end()  # type: ignore[union-attr]
        argument = ARGUMENT.match(text, at)
        if argument:
            value, spelling = literal_argument(argument)
            return self._put("call", value, argument.end(), spelling)
        if text[at : at + 1] in ("{", "[", "(") and not _KEEPS_TEXT.match(text, start):
            self.parens.append(("", self.machine.depth, "call"))
            self.machine.goto(start)
            return self._skip("call", at)
        if not self._may_look_on():
            return False
        end = call_end(text, inside)
        if end < 0 or not DELIMITED.match(text, end):
            self._look_in_vain(inside, end if end >= 0 else min(inside + CALL_ROOM, len(text)))
            return False
        content = text[start:end]
        return self._put("call", content, end, quoted(content))

    def _parenthesis(self) -> bool:
        """A tuple is an array; parentheses round one scalar are nothing."""
        text, pos = self.text, self.machine.pos
        depth = self.machine.depth
        if _PARENTHESISED.match(text, pos):
            self.parens.append(("", depth, "tuple"))
            return self._skip("tuple", pos + 1)
        if self.options.limits.max_depth and depth >= self.options.limits.max_depth:
            return False
        self.parens.append(("[", depth + 1, "tuple"))
        return self._replace("tuple", pos + 1, "[")

    def _close_parenthesis(self) -> bool:
        machine, pos = self.machine, self.machine.pos
        while self.parens and self.parens[-1][1] > machine.depth:
            self.parens.pop()
        if not self.parens or self.parens[-1][1] != machine.depth:
            return False
        opener, _, code = self.parens.pop()
        if not opener:
            return self._skip(code, pos + 1)
        if machine.phase == "value":
            self._drop_comma(pos)
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
        if after == end == len(self.text) and what != ROOT:
            if any(word.startswith(value) for word in _HALF_LITERALS):
                return self._lose(start)
            self.cut = True
        if what == MEMBER and after == end and _DECIMAL_COMMA.fullmatch(value):
            spelling = value.replace(",", ".")
            return self._put("decimal-comma", self._number(spelling), end, spelling)
        code = "number-text" if _DIGIT_FIRST.match(value) else "unquoted-value"
        if after > end:
            code = "missing-quote"
        return self._put(code, value, after, quoted(value))

    # names

    def _guess_key(self, char: str) -> bool:
        text, pos = self.text, self.machine.pos
        done = self._anywhere(char)
        if done is not None:
            return done
        lone = _LONE_KEY.match(text, pos)
        if lone and _VALUE_AHEAD.match(text, lone.end()):
            return self._lone_key(lone)
        if char in OPENERS:
            return self._weigh_string(pos, pos + 1, char)
        if char == ",":
            return self._skip("extra-comma", pos + 1)
        if char in "]}":
            return self._closer(char, True)
        if char == "{":
            return self._surplus_opener() or self._unclosed_before(pos)
        if char == ":":
            return False
        if char in "*_-•+":
            bold = _BOLD_KEY.match(text, pos)
            if bold:
                return self._put("emphasis", bold[2], bold.end(), quoted(bold[2]))
            if self._mark():
                return True
        half = half_quoted_key.match(text, pos)
        if half:
            return self._put("missing-quote", half[1], half.end(), quoted(half[1]))
        if self.machine.phase == "key" and self._again(self._comma_was_text):
            return True
        stray = stray_words.match(text, pos)
        if stray and KEY_AHEAD.match(text, stray.end()):
            return self._skip("stray-text", stray.end(1))
        key = _LOOSE_KEY.match(text, pos)
        return key is not None and self._put("unquoted-key", key[1], key.end(1), quoted(key[1]))

    def _lone_key(self, found: re.Match[str]) -> bool:
        """A name behind which a value stands and no colon, which is seen to next."""
        char = found[0][0]
        if char in OPENERS:
            return self._put_string(found.start(), found.start() + 1, End(found.end(1) - 1, found.end(1), ""), char, True)
        return self._put("unquoted-key", found[1], found.end(1), quoted(found[1]))

    def _unclosed_before(self, pos: int) -> bool:
        """`[{"a": 1, {`: where a name is due an item starts, so a closer is missing before the comma."""
        return self.machine.phase == "key" and self._starts_item(pos) and self._close_before_comma("}", pos)

    def _starts_item(self, pos: int) -> bool:
        """Whether the brace at `pos` opens an object, and the innermost one stands in an array, which could hold it too."""
        at = BLANK.match(self.text, pos + 1).end()  # type: ignore[union-attr]
        return self.machine.frames(2)[0][0] == "[" and bool(KEY_AHEAD.match(self.text, at) or BARE_KEY.match(self.text, at))

    def _close_before_comma(self, closer: str, pos: int) -> bool:
        at = self._before_comma(pos)
        self._note_before("missing-closer", at, at, closer)
        self.machine.punct(closer, pos)
        self.machine.punct(",", pos)
        return True

    def _surplus_opener(self) -> bool:
        """`{{`: an object may not start with another."""
        text, pos = self.text, self.machine.pos
        at = BLANK.match(text, pos + 1).end()  # type: ignore[union-attr]
        count(at - pos)
        goes_on = text[at : at + 1] == "{" or KEY_AHEAD.match(text, at) or BARE_KEY.match(text, at)
        return self.machine.phase == "first-key" and bool(goes_on) and self._skip("surplus-opener", pos + 1)

    def _comma_was_text(self, last: Last) -> bool:
        """No name stands behind a comma: then it was part of the value before."""
        start, char = last.start, self.text[last.start]
        if char in QUOTES:
            found = ends(self.text, start + 1, QUOTES[char].more_closers, MEMBER, self.outlook)
            return found is not None and found.after > last.pos and self._read_anew(start, found)
        text_end = bare(self.text, start, MEMBER, bool(self.parens)) if char in "-0123456789" else None
        if text_end is None or text_end[1] <= last.pos:
            return False
        self._forget_log(start)
        return self._bare_value(start)

    def _read_anew(self, start: int, end: End) -> bool:
        """A string that the machine took to end sooner."""
        self._forget_log(start)
        return self._put_string(start, start + 1, end, self.text[start], True)

    def _guess_colon(self, char: str) -> bool:
        text, pos = self.text, self.machine.pos
        done = self._anywhere(char)
        if done is not None:
            return done
        sign = _COLON_SIGN.match(text, pos)
        if sign:
            return self._replace("wrong-colon", sign.end(), ":")
        if text[pos - 1] == '"' and char not in ",]}" and self._again(self._damaged_key):
            return True
        fits = char in "{[" or _VALUE_AHEAD.match(text, pos) is not None
        return fits and self._insert("missing-colon", ":")

    def _damaged_key(self, last: Last) -> bool:
        """A name that lost its closing quote, or has quotes inside."""
        text, start = self.text, last.start
        if text[start] != '"':
            return False
        if not last.value and self._restart("doubled-quotes", DOUBLED):
            return True
        unclosed = _UNCLOSED_KEY.match(text, start)
        if unclosed:
            self._forget_log(start)
            return self._put("missing-quote", unclosed[1], unclosed.end(1), quoted(unclosed[1]))
        found = ends(text, start + 1, '"', KEY, self.outlook) if self._may_look_on() else None
        if found is None or found.after <= last.pos:
            return False
        if "," in text[last.end : found.body_end]:
            self._look_in_vain(start, found.body_end)
            return False
        return self._read_anew(start, found)

    def _may_look_on(self) -> bool:
        """Whether an end may be looked for that can turn out to be none: until that was so at half as many characters as the text has, and
        some more so that a short one is read thoroughly."""
        return 2 * self.outlook.spent_on_ends <= self.outlook.room + 2 * CALL_ROOM

    def _look_in_vain(self, pos: int, end: int) -> None:
        self.outlook.spent_on_ends += end - pos

    # behind a value

    def _guess_next(self, char: str) -> bool:
        text, pos = self.text, self.machine.pos
        if char == ")" and not self.parens and text[pos - 1] in ANY_QUOTE:
            return self._again(self._string_goes_on)
        done = self._anywhere(char)
        if done is not None:
            return done
        if char in "]}":
            return self._closer(char, True)
        kind = self.machine.kind
        if char == ";" and kind:
            return self._replace("wrong-comma", pos + 1, ",")
        if char == "+" and BLANK.match(text, pos + 1).end() == len(text):  # type: ignore[union-attr]
            return self._skip("concatenation", len(text))
        if char == "+" and self._again(self._concatenation):
            return True
        if char == ":" and kind == "[" and self._again(self._name_in_array):
            return True
        end = self._back(pos)
        before = text[end - 1]
        if char == "{" and kind == "{" and self._starts_item(pos):
            self._note_before("missing-closer", end, end, "}")
            return self._punct("}", pos)
        if before in ANY_QUOTE:
            if self._again(self._string_goes_on) or (end < pos and kind != "[" and self._stray_text()):
                return True
        elif before not in "]}" and self._again(self._scalar_goes_on):
            return True
        if kind and self._comma_may_be_missing(char, kind, end):
            return self._insert_comma()
        return False

    def _comma_may_be_missing(self, char: str, kind: str, end: int) -> bool:
        text, pos = self.text, self.machine.pos
        line_break = "\n" in text[end:pos]
        if kind == "{":
            return bool(KEY_AHEAD.match(text, pos) or (line_break and (BARE_KEY.match(text, pos) or half_quoted_key.match(text, pos))))
        if KEY_AHEAD.match(text, pos):
            return False
        if char in OPENERS or char in "{[(" or (end < pos and char in "-0123456789"):
            return True
        if text[end - 1] in ANY_QUOTE and end < pos and stray_words.match(text, pos):
            return True
        return line_break and text[end - 1] not in "]}" and char not in ":="  # words behind a container are no item

    def _string_goes_on(self, last: Last) -> bool:
        """Text behind a string that looked closed: its quote was one of the text's."""
        text, start, pos = self.text, last.start, last.pos
        if text[start] not in QUOTES or text[pos] == ":":
            return False
        if text.startswith('"""', start) and self._triple(start):
            return True
        found = ends(text, start + 1, QUOTES[text[start]].more_closers, self._what(), self.outlook)
        if found is None and last.end == pos and text[pos].isalnum():
            found = self._ends_at_delimiter(pos)
        elif found is not None and last.end == start + 2 == pos and text[start : found.body_end].count(text[start]) == 2:
            self._forget_log(start)
            return self._put_string(start, pos, found, text[start], True, "doubled-quotes")
        return found is not None and found.after != last.end and self._read_anew(start, found)

    def _name_in_array(self, last: Last) -> bool:
        """An item that is a name: in `{"a": [1, "b": 2}` a closer is missing before its comma, in `[{"a": 1}, "b": 2}]` an opener
        behind that. The first item could be either."""
        machine, start = self.machine, last.start
        if machine.phase != "value" or self.text[start] not in QUOTES:
            return False
        comma = self._before_comma(start)
        if machine.frames(2)[0][0] == "{":
            self._close_before_comma("]", start)
        elif self.text[comma - 1] == "}":
            self._note("missing-opener", start, start, "{")
            machine.punct("{", start)
        else:
            return False
        self._place(last.value, last.end)  # if it is a duplicate that must not be, the machine says so where it stands
        return True

    def _ends_at_delimiter(self, pos: int) -> End | None:
        """`"a" b, ...` where no quote can be the closing one: the text ends where an unquoted one would."""
        found = bare(self.text, pos, self._what(), bool(self.parens))
        if found is None:
            return None
        end, after = found
        self.cut = after == len(self.text)
        return End(end, after, "truncated" if self.cut else "missing-quote" if after == end else "")

    def _stray_text(self) -> bool:
        """Words behind a value or before a name that belong to neither."""
        stray = stray_words.match(self.text, self.machine.pos)
        return stray is not None and self._skip("stray-text", stray.end(1))

    def _scalar_goes_on(self, last: Last) -> bool:
        """Text behind a number or literal: `5 mg`, `1/3`, `0x1F`."""
        start, pos = last.start, last.pos
        listed = self.machine.kind == "[" and last.end < pos and self.text[pos] in "-0123456789"
        found = None if listed or self.text[start] in QUOTES else bare(self.text, start, self._what(), bool(self.parens))
        if found is None or found[1] <= pos:
            return False
        self._forget_log(start)
        return self._odd_number(start) or self._bare_value(start)

    def _concatenation(self, last: Last) -> bool:
        """`"a" + "b"`: the whole chain is one edit."""
        parts, after = self._joined(last.value, last.pos, self._what()) if isinstance(last.value, str) else ([], 0)
        if len(parts) < 2:
            return False
        self._forget_log(last.start)
        joined = "".join(parts)
        return self._put("concatenation", joined, after, quoted(joined))

    def _joined(self, first: str, after: int, what: str) -> tuple[list[str], int]:
        """The strings of a chain whose first ends before `after`, and the offset behind the last."""
        text, parts = self.text, [first]
        while (plus := _PLUS.match(text, after)) is not None:
            quote = text[plus.end()]
            found = ends(text, plus.end() + 1, QUOTES[quote].more_closers, what, self.outlook)
            if not found:
                break
            parts.append(decoded(respelt(text, plus.end() + 1, found.body_end, quote)[0]))
            after = found.after
        return parts, after

    # -- texts that were encoded once more

    def _backslash(self) -> bool:
        """A quote that some layer escaped."""
        text, pos = self.text, self.machine.pos
        if not text.startswith('\\"', pos) or self.machine.phase not in ("value", "first-value", "key", "first-key"):
            return False
        if "escaped-json" not in self.peeled and text.find('"', self.start, pos) < 0 and self._restart("escaped-json", ESCAPED):
            return True
        self.peeled.add("escaped-json")  # from now on a quote stands before
        end = text.find('\\"', pos + 2)
        while end > 0 and text[end - 1] == "\\":
            end = text.find('\\"', end + 2)
        count((end if end > 0 else len(text)) - pos)
        if end < 0:
            return False
        content = ESCAPED.sub(unwrapped, text[pos + 2 : end])
        spelling, _ = respelt(content, 0, len(content), '"')
        return self._put("escaped-quotes", decoded(spelling), end + 2, f'"{spelling}"')

    def _restart(self, code: str, layer: re.Pattern[str]) -> bool:
        """Take one layer of escaping off the text from the root's start, and read that. It is one edit. So much is undone at a time
        as reading needs, twice as much each time, so it is O(text read). True if something came of it: it is `restarted`; else it is
        not tried again, and nowhere once more was read in vain than the text is long."""
        outlook = self.outlook
        if self.nested or code in self.peeled or outlook.spent_on_layers > outlook.room:
            return False
        self.peeled.add(code)
        text, start, size = self.text, BLANK.match(self.text, self.start).end(), _FIRST_PIECE  # type: ignore[union-attr]
        tried = 0
        while True:
            behind = min(len(text), start + size)
            raw = text[start:behind]
            if behind < len(text):
                raw = raw[: max(raw.rfind("\n"), raw.rfind(" "), raw.rfind(","), 1)]
            count(len(raw))
            tried += len(raw)
            plain = layer.sub(unwrapped, raw)
            reader = Guesser(plain, 0, self.options, False, 0, True)
            inner = reader.read()
            if behind == len(text) or (inner.stop == "done" and inner.end < len(plain)) or reader.is_sure():
                break
            size *= 2
        if inner.stop not in ("done", "starved"):
            outlook.spent_on_layers += tried
            return False
        end = start + raw_length(layer, raw, inner.end)
        outlook.spent_on_layers += max(0, tried - 4 * (end - start) - _FORESIGHT)  # pieces that double read less for a value of this length
        path: list[Any] = []
        self.log = [(code, start, end, applied(plain, inner.start, inner.end, inner.repairs), path)]
        outer = Reading(inner.stop, inner.value, start + self.base, end + self.base, self._repairs, "", -1, inner.phase, inner.path,
                        max(self.covered, behind) + self.base, False)  # fmt: skip
        self.restarted = outer
        return True

    def is_sure(self) -> bool:
        """Whether it would have stopped here too if the text went on."""
        return self.machine.pos + _FORESIGHT <= len(self.text) and not self.outlook.hopeless

    # -- a scalar root that goes on

    def read(self) -> Reading:
        """A root that is a string or number is complete to the machine where text may still follow that belongs to it."""
        reading = super().read()
        if reading.stop != "done" or self.nested or isinstance(reading.value, (dict, list)):
            return reading
        text, start, end = self.text, reading.start - self.base, reading.end - self.base
        found = self._root_goes_on(text, start, end, reading.value)
        if found is None:
            return reading
        code, value, behind, spelling = found
        self.log = [(code, start, behind, spelling, [])]
        return Reading("done", value, reading.start, behind + self.base, self._repairs, covered=behind + self.base, safe=False)

    def _root_goes_on(self, text: str, start: int, end: int, value: Any) -> tuple[str, Any, int, str] | None:
        if not isinstance(value, str):
            if text[start] not in "-0123456789":
                return None
            goes_on = text[end : end + 1].isalnum() or text[end : end + 1] in tuple("-/.:%_")
            goes_on = goes_on and comment_end(text, end, self.outlook) == end
            found = bare(text, start, ROOT, False) if goes_on else None
            return ("number-text", text[start : found[0]], found[1], quoted(text[start : found[0]])) if found else None
        if text[start] not in QUOTES:
            return None
        parts, after = self._joined(value, end, ROOT)
        if len(parts) > 1:
            joined = "".join(parts)
            return "concatenation", joined, after, quoted(joined)
        return None
