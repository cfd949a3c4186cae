r"""The named mutants: for each name of NAMES.md, exact edits that make the pure build of jsonscan wrong in that way.

An edit is (file, text that stands there once, what takes its place); one that does not apply is an error, so nobody can change the
reference and lose a mutant unseen. Bases are other right ways to write the reference, on which a mistake can be made that its fast
paths leave no room for; each base is a control, and must pass every case.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

Edit = tuple[str, str, str]

ORIGINALS, ECMA, MACHINE = "originals.py", "ecma.py", "_machine_py.py"


@dataclass(frozen=True)
class Named:
    """A mutant: edits of the base, then its own."""

    name: str
    edits: tuple[Edit, ...]


def originals(old: str, new: str) -> Edit:
    return ORIGINALS, old, new


def machine(old: str, new: str) -> Edit:
    return MACHINE, old, new


# Everything is read by the machine, nothing by the standard library's scanner.
NO_SCANNER = (machine("_scan = c_make_scanner(_Context()) if c_make_scanner else None", "_scan = None"),)

# Brackets are balanced before anything is parsed, as in the originals.
BALANCE_FIRST = (
    originals(
        "        end = known.get(start)\n        if end is None:\n            end = walk(text, start, known)\n"
        "        if end >= 0:\n            return text[start:end]\n",
        "        end = _closed(text, start)\n        candidate = text[start:end] if end >= 0 else ''\n"
        "        found = parse_at(candidate, 0)\n"
        "        if found is not None and found[1] == len(candidate):\n            return candidate\n",
    ),
    originals(
        "    found = parse_at(text, start)\n    if found is not None:\n        return found[0]\n    end = _closed(text, start)\n"
        '    if end < 0:\n        raise _Failed("unbalanced", start, len(text))\n',
        '    end = _closed(text, start)\n    if end < 0:\n        raise _Failed("unbalanced", start, len(text))\n'
        "    candidate = text[start:end]\n    found = parse_at(candidate, 0)\n"
        "    if found is not None and found[1] == len(candidate):\n        return found[0]\n",
    ),
)

# The fence's content is cut out and named before it is read.
INNER = (
    originals(
        "def _first_bracket(",
        "def _inner(text):\n"
        '    opening = text.find("```")\n'
        '    closing = text.find("```", opening + 3) if opening >= 0 else -1\n'
        "    return None if closing < 0 else text[_OPENING.match(text, opening + 3).end() : closing]\n\n\n"
        "def _first_bracket(",
    ),
)

CONTROLS = (
    Named("control: as it is", ()),
    Named("control: no scanner", NO_SCANNER),
    Named("control: balance first", BALANCE_FIRST),
    Named("control: inner", INNER),
)


def mutants() -> Iterator[Named]:
    """Every named mutant."""
    yield from strict_layer()
    yield from numbers()
    yield from scanning()
    yield from object_search()
    yield from fences()
    yield from white_space()
    yield from repair()
    yield from errors()


def strict(name: str, *edits: tuple[str, str]) -> Named:
    """A mutant of the machine, whose scanner is off."""
    return Named(name, (*NO_SCANNER, *(machine(*edit) for edit in edits)))


# -- the strict layer

SPACE = (r'_SPACE = re.compile(r"[ \t\n\r]*").match', r'_SPACE = re.compile(r"{}").match')
RUN = (r"""_RUN = re.compile(r'[^"\\\x00-\x1f]*').match""", "_RUN = re.compile(r'{}').match")
ESCAPE = (
    r"""_ESCAPE = re.compile(r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})').match""",
    "_ESCAPE = re.compile(r'''{}''', re.DOTALL).match",
)
STEP = "        if char == '\"' and phase in _VALUE + _KEY:\n"
CLOSE = "            frame = self._frames.pop()\n"
COMMA = '        elif char == "," and phase == "next":\n'
STORE = "        elif not frame.dropped:\n"


def regex(pattern: tuple[str, str], new: str) -> tuple[str, str]:
    """The edit that gives a compiled pattern another text."""
    return pattern[0], pattern[1].format(new)


def before_step(lines: str) -> tuple[str, str]:
    """The edit that has the machine do something else before it looks for a string."""
    return STEP, lines + STEP


def word(name: str, letters: str, entries: str, *more: tuple[str, str]) -> Named:
    """A mutant that knows more literals."""
    literals = '_LITERALS = {"t": ("true", True), "f": ("false", False), "n": ("null", None)}'
    return strict(
        name,
        ('            if char in "tfn":', f'            if char in "tfn{letters}":'),
        (literals, literals[:-1] + ", " + entries + "}"),
        *more,
    )


def strict_layer() -> Iterator[Named]:
    for name, space in {
        "carriage-return-refused": r"[ \t\n]*",
        "wide-space-accepted": r"[ \t\n\r\v\f\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*",
        "form-feed-accepted": r"[ \t\n\r\v\f]*",
        "no-break-space-accepted": r"[ \t\n\r\u00a0]*",
        "control-space-accepted": r"[\x00-\x20]*",
        "comment-accepted": r"(?:[ \t\n\r]|//[^\n]*|/\*[\s\S]*?\*/)*",
        "bom-accepted": r"(?:\A\ufeff)?[ \t\n\r]*",
    }.items():
        yield strict(name, regex(SPACE, space))
    for name, run in {
        "control-accepted": r'[^"\\]*',
        "tab-accepted": r'[^"\\\x00-\x08\x0a-\x1f]*',
        "newline-accepted": r'[^"\\\x00-\x09\x0b\x0c\x0e-\x1f]*',
        "delete-refused": r'[^"\\\x00-\x1f\x7f-\x9f]*',
        "line-separator-refused": r'[^"\\\x00-\x1f\u2028\u2029]*',
        "non-ascii-refused": r'[^"\\\x00-\x1f\x80-\U0010ffff]*',
        "noncharacter-refused": r'[^"\\\x00-\x1f\ufffe\uffff]*',
    }.items():
        yield strict(name, regex(RUN, run))
    escaped = "parts.append(_SIMPLE[text[end + 1]])"
    yield strict(
        "apostrophe-escape-accepted",
        regex(ESCAPE, r"\\(?:[\"'\\/bfnrt]|u[0-9a-fA-F]{4})"),
        ("_SIMPLE = {", '_SIMPLE = {"\'": "\'", '),
    )
    yield strict(
        "bad-escape-accepted",
        regex(ESCAPE, r"\\(?:[^u]|u[0-9a-fA-F]{4})"),
        (escaped, "parts.append(_SIMPLE.get(text[end + 1], text[end + 1]))"),
    )
    yield strict("solidus-escape-refused", regex(ESCAPE, r"\\(?:[\"\\bfnrt]|u[0-9a-fA-F]{4})"))
    yield strict("upper-hex-refused", regex(ESCAPE, r"\\(?:[\"\\/bfnrt]|u[0-9a-f]{4})"))
    yield strict("upper-u-accepted", regex(ESCAPE, r"\\(?:[\"\\/bfnrt]|[uU][0-9a-fA-F]{4})"))
    yield strict("short-unicode-escape-accepted", regex(ESCAPE, r"\\(?:[\"\\/bfnrt]|u[0-9a-fA-F]{1,4})"))
    yield strict(
        "loose-unicode-escape",
        regex(ESCAPE, r"\\(?:[\"\\/bfnrt]|u.{4})"),
        (
            "            unit = int(text[end + 2 : pos], 16)\n",
            "            try:\n                unit = int(text[end + 2 : pos], 16) & 0xFFFF\n"
            '            except ValueError:\n                return self._fault_in_string("escape", end)\n',
        ),
    )
    yield strict("backspace-confused", ('"b": "\\b"', '"b": "b"'))
    yield strict("solidus-escape-kept", ('"/": "/"', '"/": "\\\\/"'))
    yield strict("escape-kept", (escaped, "parts.append(text[end:pos])"))
    yield strict(
        "nul-escape-dropped",
        ("            parts.append(chr(unit))", "            parts.append(chr(unit) if unit else '')"),
    )
    yield strict(
        "surrogate-refused",
        (
            "            parts.append(chr(unit))",
            "            if 0xD800 <= unit <= 0xDFFF:\n"
            '                return self._fault_in_string("escape", end)\n            parts.append(chr(unit))',
        ),
    )
    whole = 'return self._scalar("".join(parts), end + 1)'
    yield strict(
        "surrogate-replaced",
        (whole, 'return self._scalar(re.sub("[\\ud800-\\udfff]", "\\ufffd", "".join(parts)), end + 1)'),
    )
    yield strict(
        "swapped-pair-joined",
        (whole, 'return self._scalar(re.sub("[\\udc00-\\udfff][\\ud800-\\udbff]", "?", "".join(parts)), end + 1)'),
    )
    yield strict(
        "key-escapes-kept",
        (whole, 'return self._scalar(text[self.token + 1 : end] if self.phase in _KEY else "".join(parts), end + 1)'),
    )
    joined = "parts.append(_pair(unit, trail[0]))"
    yield strict(
        "escaped-pair-kept-apart", (joined, 'parts.append(_pair(unit, trail[0]) if len(trail[0]) == 1 else chr(unit) + chr(int(trail[0][2:], 16)))')
    )
    yield strict(
        "mixed-pair-kept-apart",
        (joined, 'parts.append(_pair(unit, trail[0]) if len(trail[0]) > 1 else chr(unit) + trail[0])'),
        ("parts[-1] = parts[-1][:-1] + _pair(ord(text[end - 1]), trail[0])", "parts.append(chr(int(trail[0][2:], 16)))"),
    )
    yield Named(
        "escape-blind",
        (
            *NO_SCANNER,
            *BALANCE_FIRST,
            machine(*regex(RUN, r'[^"\x00-\x1f]*')),
            originals("""_STRING_MARK = Pattern(r'["\\\\]')""", """_STRING_MARK = Pattern('"')"""),
        ),
    )
    yield strict("single-quote-accepted", before_step(quoted("'", "'", "_VALUE + _KEY")))
    yield strict("curly-quote-accepted", before_step(quoted("\u201c", "\u201d", "_VALUE")))
    yield strict("unquoted-key-accepted", before_step(bare_key(r"[A-Za-z_$][\w$]*")))
    yield strict("number-key-accepted", before_step(bare_key(r"[0-9]+")))
    yield strict(
        "missing-colon-accepted",
        before_step(
            '        if phase == "colon" and char != ":":\n            self.phase = "value"\n            return None\n'
        ),
    )
    yield strict(
        "missing-comma-accepted",
        before_step(
            '        if phase == "next" and char not in ",}]":\n'
            '            self.phase = "key" if self._frames[-1].kind == "{" else "value"\n            return None\n'
        ),
    )
    yield strict(
        "elision-accepted",
        before_step(
            '        if char == "," and phase in _VALUE and self._frames and self._frames[-1].kind == "[":\n'
            '            self._place(None)\n            self.phase = "next"\n            return None\n'
        ),
    )
    yield strict(
        "mismatched-closer-accepted",
        (
            'closes = self._frames and char == ("}" if self._frames[-1].kind == "{" else "]")',
            'closes = self._frames and char in "}]"',
        ),
    )
    yield strict(
        "empty-object-refused", ('phase in ("next", "first-key", "first-value"):', 'phase in ("next", "first-value"):')
    )
    yield strict(
        "leading-comma-accepted",
        (COMMA, '        elif char == "," and phase in ("next", "first-key", "first-value"):\n'),
    )
    yield strict(
        "semicolon-accepted",
        ("        closes = self._frames", '        char = "," if char == ";" else char\n        closes = self._frames'),
    )
    yield strict(
        "equals-sign-accepted",
        ("        closes = self._frames", '        char = ":" if char == "=" else char\n        closes = self._frames'),
    )
    yield strict(
        "trailing-comma-accepted",
        (
            'self.phase = "key" if self._frames[-1].kind == "{" else "value"',
            'self.phase = "first-key" if self._frames[-1].kind == "{" else "first-value"',
        ),
    )
    yield strict(
        "empty-key-refused",
        (
            "            if self._is_duplicate(value):\n                return self._stop(",
            '            if value == "":\n                return self._stop(',
        ),
    )
    yield strict("names-cut", ("            frame.key = value\n", "            frame.key = value[:1_000]\n"))
    yield strict("keys-sorted", (CLOSE, CLOSE + reordered("sorted(frame.items.items())")))
    yield strict(
        "index-keys-first",
        (
            CLOSE,
            CLOSE
            + reordered(
                "sorted(frame.items.items(), key=lambda m: (0, int(m[0])) if re.fullmatch('0|[1-9][0-9]{0,8}', m[0]) else (1, 0))"
            ),
        ),
    )
    yield strict(
        "last-member-dropped",
        (CLOSE, CLOSE + '            if frame.kind == "{" and frame.items:\n                frame.items.popitem()\n'),
    )
    yield strict(
        "empty-array-is-null",
        (
            CLOSE,
            CLOSE + '            if frame.kind == "[" and not frame.items:\n'
            "                if not self._frames:\n                    self._root = [None]\n"
            '                elif self._frames[-1].kind == "[":\n                    self._frames[-1].items[-1] = None\n'
            "                else:\n                    self._frames[-1].items[self._frames[-1].key] = None\n",
        ),
    )
    yield strict("proto-dropped", (STORE, '        elif frame.key != "__proto__":\n'))
    yield strict(
        "dunder-keys-dropped", (STORE, '        elif frame.key not in ("__proto__", "constructor", "toString"):\n')
    )
    place = "            frame.items[frame.key] = value\n"
    yield strict("duplicate-moves-last", (place, "            frame.items.pop(frame.key, None)\n" + place))
    yield strict("duplicates-kept", (place, '            frame.key += "#" * (frame.key in frame.items)\n' + place))
    yield strict("duplicate-refused", ('duplicates: str = "last"', 'duplicates: str = "raise"'))
    yield strict("first-duplicate-kept", ('duplicates: str = "last"', 'duplicates: str = "first"'))
    yield strict(
        "keys-compared-escaped",
        (whole, 'return self._scalar(_Raw("".join(parts), text[self.token + 1 : end]), end + 1)'),
        (
            "class _Frame:",
            "class _Raw(str):\n    def __new__(cls, text, raw):\n        new = super().__new__(cls, text)\n        new.raw = raw\n"
            "        return new\n\n    def __eq__(self, other):\n        return self.raw == other.raw\n\n"
            "    def __hash__(self):\n        return hash(self.raw)\n\n\nclass _Frame:",
        ),
    )
    yield strict("depth-limited", ("self._max_depth = max_depth", "self._max_depth = max_depth or 900"))
    done = '    return (machine.value, machine.pos) if machine.run() == "done" else None\n'
    yield strict(
        "scalar-root-refused",
        (done, done.replace('== "done"', '== "done" and isinstance(machine.value, (list, dict))')),
    )
    yield strict(
        "empty-accepted", (done, '    if not text[pos:].strip(" \\t\\n\\r"):\n        return None, len(text)\n' + done)
    )
    yield strict(
        "nul-ends-text",
        (
            done,
            '    if machine.run() == "done":\n'
            '        rest = text[machine.pos :].strip(" \\t\\n\\r")\n'
            '        return machine.value, len(text) if rest[:1] == "\\0" else machine.pos\n    return None\n',
        ),
    )
    yield strict(
        "unclosed-accepted",
        (
            done,
            '    stop = machine.run()\n    if stop == "starved" and machine.frames() and not machine.in_string:\n'
            '        return machine.snapshot(), len(text)\n    return (machine.value, machine.pos) if stop == "done" else None\n',
        ),
    )
    yield strict(
        "trailing-text-accepted", (done, '    return (machine.value, len(text)) if machine.run() == "done" else None\n')
    )
    yield strict(
        "trailing-letters-accepted",
        (
            done,
            '    if machine.run() == "done":\n'
            '        return machine.value, re.compile("[A-Za-z0-9,.;:=_\'-]*").match(text, machine.pos).end()\n    return None\n',
        ),
    )
    # The literals that Python's json takes come through its own scanner.
    constant = "        raise _Strict(name)\n"
    yield Named("nan-accepted", (machine(constant, "        return float(name)\n"),))
    yield Named(
        "infinity-accepted",
        (
            machine(
                constant, '        if name == "NaN":\n            raise _Strict(name)\n        return float(name)\n'
            ),
        ),
    )
    yield word("python-literals-accepted", "TFN", '"T": ("True", True), "F": ("False", False), "N": ("None", None)')
    yield word("undefined-accepted", "u", '"u": ("undefined", None)')
    yield word(
        "literal-case-ignored",
        "TFN",
        '"T": ("true", True), "F": ("false", False), "N": ("null", None)',
        ("        if text.startswith(word, pos):", "        if text[pos : pos + len(word)].lower() == word:"),
    )
    yield strict(
        "literal-prefix-accepted",
        (
            '        return self._stop("literal", pos, end)',
            "        self.token = pos\n        return self._scalar(value, end)",
        ),
    )


def quoted(opener: str, closer: str, phases: str) -> str:
    """The lines that read a string in other quotes."""
    return (
        f'        if char == "{opener}" and phase in {phases} and text.find("{closer}", pos + 1) > 0:\n'
        f'            end = text.find("{closer}", pos + 1)\n'
        "            self.token = pos\n            return self._scalar(text[pos + 1 : end], end + 1)\n"
    )


def bare_key(pattern: str) -> str:
    """The lines that read a name without quotes."""
    return (
        f"        bare = re.compile(r'{pattern}').match(text, pos) if phase in _KEY else None\n"
        "        if bare:\n            self.token = pos\n            return self._scalar(bare[0], bare.end())\n"
    )


def reordered(members: str) -> str:
    """The lines that give an object's members another order when it closes."""
    return (
        '            if frame.kind == "{":\n'
        f"                members = {members}\n"
        "                frame.items.clear()\n                frame.items.update(members)\n"
    )


# -- numbers

NUMBER = r'_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?").match'
FLOAT = "            value: Any = float(found[0])\n"


def numbers() -> Iterator[Named]:
    for name, chars, pattern in (
        ("leading-zero-accepted", "", r"-?0[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"),
        ("leading-point-accepted", ".", r"-?\.[0-9]+(?:[eE][+-]?[0-9]+)?"),
        ("trailing-point-accepted", "", r"-?(?:0|[1-9][0-9]*)\.(?:[eE][+-]?[0-9]+)?(?![0-9])"),
        ("plus-sign-accepted", "+", r"\+(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"),
        ("bare-minus-accepted", "", r"-(?:\.[0-9]+)?(?![0-9.A-Za-z])"),
        ("empty-exponent-accepted", "", r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?=[eE][+-]?(?![0-9+-]))"),
        ("hex-accepted", "", r"-?0[xX][0-9a-fA-F]+"),
        ("underscore-accepted", "", r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?_[0-9_]*(?:\.[0-9]+)?"),
        ("big-suffix-accepted", "", r"-?(?:0|[1-9][0-9]*)(?=n)"),
        (
            "unicode-digits-accepted",
            "\u0661\uff11",
            "-?[0-9]*[\u0660-\u0669\uff10-\uff19][0-9\u0660-\u0669\uff10-\uff19]*",
        ),
    ):
        tail = {
            "empty-exponent-accepted": " + 1 + (text[odd.end() + 1 : odd.end() + 2] in tuple('+-'))",
            "big-suffix-accepted": " + 1",
        }
        yield strict(
            name,
            ('            if char in "-0123456789":', f'            if char in "-0123456789{chars}":'),
            (
                "        half_end = _HALF_NUMBER(text, pos).end()",
                f'        odd = re.compile(r"{pattern}").match(text, pos)\n'
                "        if odd:\n            self.token = pos\n"
                f"            return self._scalar(0, odd.end(){tail.get(name, '')})\n"
                "        half_end = _HALF_NUMBER(text, pos).end()",
            ),
        )
    yield strict("upper-exponent-refused", (NUMBER, NUMBER.replace("[eE]", "[e]")))
    yield strict("exponent-plus-refused", (NUMBER, NUMBER.replace("[+-]?", "-?")))
    yield strict("minus-zero-lost", (FLOAT, FLOAT.replace("\n", " + 0.0\n")))
    yield strict("lone-minus-zero-lost", (FLOAT, FLOAT + "            value = value if self._frames else value + 0.0\n"))
    limit = "1.7976931348623157e308"
    for name, number in {
        "float32": '__import__("ctypes").c_float(float(found[0])).value',
        "number-to-text": 'float("%.15g" % float(found[0]))',
        "digits-cut-at-17": 'float(__import__("decimal").Context(17, "ROUND_DOWN", traps=[]).create_decimal(found[0]))',
        "overflow-clamped": f"min(max(float(found[0]), -{limit}), {limit})",
        "naive-double": "_naive(found[0])",
    }.items():
        more = [("class _Frame:", NAIVE + "class _Frame:")] if name == "naive-double" else []
        yield strict(name, (FLOAT, f"            value: Any = {number}\n"), *more)
    for name, then in {
        "overflow-refused": f'if abs(value) > {limit}:\n                return self._stop("number", pos, half_end)\n',
        "underflow-refused": 'if not value and re.search("[1-9]", re.split("[eE]", found[0])[0]):\n                return self._stop("number", pos, half_end)\n',
        "subnormal-flushed": "if abs(value) < 2.2250738585072014e-308:\n                value = 0.0\n",
        "whole-double-is-integer": "if abs(value) < 2**53 and value == int(value) and found[0] != '-0':\n                value = int(value)\n",
    }.items():
        yield strict(name, (FLOAT, FLOAT + "            " + then))
    beyond = "    if value > _SAFE_INTEGER and"
    yield strict("integer-through-double", (beyond, "    value = int(float(value))\n" + beyond))
    yield strict(
        "integer-wrapped",
        (
            '    return -value if token[0] == "-" else value',
            '    value = -value if token[0] == "-" else value\n    return (value + 2**63) % 2**64 - 2**63',
        ),
    )
    yield strict("big-integer-is-double", (beyond, "    if value >= 2**63:\n        return float(token)\n" + beyond))
    yield strict(
        "integer-saturated-53", (beyond, "    if value > _SAFE_INTEGER:\n        return float(token)\n" + beyond)
    )
    yield strict("long-integer-off-by-one", ("_EXACT_DIGITS = 4300", "_EXACT_DIGITS = 4299"))
    yield strict("long-integer-kept", ("_EXACT_DIGITS = 4300", "_EXACT_DIGITS = 10**9"))
    yield strict("long-integer-refused", ("self._max_digits = max_digits", "self._max_digits = max_digits or 4300"))


NAIVE = """def _naive(token):
    mantissa, _, exponent = token.lower().partition("e")
    whole, _, fraction = mantissa.lstrip("-").partition(".")
    value = 0.0
    for digit in whole + fraction:
        value = value * 10 + int(digit)
    power = int(exponent or 0) - len(fraction)
    try:
        value = value * 10.0**power if power >= 0 else value / 10.0**-power
    except OverflowError:
        value = float("inf") if power > 0 and value else 0.0
    return -value if token[0] == "-" else value


"""


# -- scanning for a candidate

MARKS = r"""_MARKS = {"{": Pattern('["{}]'), "[": Pattern(r'["\[\]]')}"""
STRING_MARK = r"""_STRING_MARK = Pattern(r'["\\]')"""
IN_CLOSED = "        if mark[0] == '\"':\n            pos = _string_end(text, pos)\n"
IN_STRING = "        if mark[0] == '\"':\n            return pos\n"


def scan(name: str, *edits: tuple[str, str]) -> Named:
    """A mutant of the scan for the closer, which comes first."""
    return Named(name, (*BALANCE_FIRST, *(originals(*edit) for edit in edits)))


def marks(extra: str = "", quote: str = '"') -> tuple[str, str]:
    """The edit by which the scan stops at other marks."""
    return (
        MARKS,
        f"""_MARKS = {{"{{": Pattern(r'''{extra}[{quote}{{}}]'''), "[": Pattern(r'''{extra}[{quote}\\[\\]]''')}}""",
    )


def scanning() -> Iterator[Named]:
    yield scan("string-blind", marks(quote=""))
    yield scan(
        "apostrophe-opens-string",
        marks(quote="\"'"),
        (IN_CLOSED, '        if mark[0] in "\\"\'":\n            pos = _string_end(text, pos, mark[0])\n'),
        ("def _string_end(text: str, pos: int)", "def _string_end(text: str, pos: int, quote)"),
        (STRING_MARK, STRING_MARK.replace('["', "[\"\\'")),
        (
            IN_STRING,
            '        if mark[0] in "\\"\'":\n            if mark[0] != quote:\n                continue\n            return pos\n',
        ),
    )
    both = r"""_MARKS = dict.fromkeys("{[", Pattern(r'["{}\[\]]'))"""
    yield scan(
        "brackets-balanced-too", (MARKS, both), ("1 if mark[0] == opener else -1", '1 if mark[0] in "{[" else -1')
    )
    yield scan("depth-ignored", ("            if not depth:\n", "            if not depth or mark[0] != opener:\n"))
    yield scan(
        "escape-outside-strings",
        marks(extra=r"\\[\s\S]|"),
        (IN_CLOSED, "        if len(mark[0]) == 2:\n            continue\n" + IN_CLOSED),
    )
    yield scan(
        "escaped-quote-outside-strings",
        marks(extra=r"\\\"|"),
        (IN_CLOSED, "        if len(mark[0]) == 2:\n            continue\n" + IN_CLOSED),
    )
    yield scan(
        "newline-ends-string",
        (STRING_MARK, STRING_MARK.replace('["', r'["\n')),
        (IN_STRING, "        if mark[0] in '\"\\n':\n            return pos\n"),
    )
    yield scan(
        "escape-by-look-back",
        (STRING_MARK, """_STRING_MARK = Pattern(r'(?<!\\\\)"')"""),
    )
    depth = "    depth, pos = 0, start\n"
    yield scan(
        "quote-before-brace",
        (depth, depth + "    if text.count('\"', 0, start) % 2:\n        pos = _string_end(text, start)\n"),
    )
    first = '    brace = _find(text, "{", 0)\n    bracket = _find(text, "[", 0, brace if brace >= 0 else len(text))\n    return brace if bracket < 0 else bracket\n'
    yield Named(
        "array-preferred", (originals(first, '    return text.find("[") if "[" in text else text.find("{")\n'),)
    )
    yield Named(
        "object-preferred", (originals(first, '    return text.find("{") if "{" in text else text.find("[")\n'),)
    )
    yield Named("object-only", (originals(first, '    return text.find("{")\n'),))
    closed = "    end = _closed(text, start)\n    if end < 0:\n"
    yield scan(
        "slice-to-last-closer",
        (closed, '    end = text.rfind("}" if text[start] == "{" else "]", start) + 1 or -1\n    if end < 0:\n'),
    )
    yield Named(
        "unclosed-completed",
        (
            originals(
                closed,
                "    end = _closed(text, start)\n    if end < 0:\n"
                '        for closers in ("}", "]", "]}", "}]", "}}", "]]", \'"}\', \'"]\'):\n'
                "            found = parse_at(text[start:] + closers, 0)\n            if found is not None:\n                return found[0]\n",
            ),
        ),
    )
    unbalanced, failed = 'raise _Failed("unbalanced", start, len(text))', 'raise _Failed("parse-failed", start, end)'
    for name, brackets in {"next-bracket-tried": "[{[]", "next-object-tried": "[{]"}.items():
        later = (
            f'def _later(text, start, failed):\n    after = re.compile(r"{brackets}").search(text, start + 1)\n    if after is None:\n'
            "        raise failed\n    try:\n        return _extract(text[after.start() :])\n"
            "    except _Failed:\n        raise failed from None\n\n\n"
        )
        edits = [(one, one.replace("raise", "return _later(text, start,") + ")") for one in (unbalanced, failed)]
        yield Named(name, (originals("def _fenced(", later + "def _fenced("), *(originals(*edit) for edit in edits)))


# -- extract_json_object

BOUND = "    if longer_than(text, _MAX_UNITS):\n        return raw\n"
TAKE = "        if end >= 0:\n            return text[start:end]\n"
TRY = "            return candidate\n"
NEXT = '        start = _find(text, "{", start + 1)\n'
LOOP = "    for _ in range(_MAX_BRACES):\n        if start < 0:\n            break\n"
COUNTED = "    attempts = 0\n    while start >= 0 and attempts < _MAX_BRACES:\n"
QUOTED = "text.count('\"', 0, start) % 2"


def search(name: str, *edits: tuple[str, str]) -> Named:
    return Named(name, tuple(originals(*edit) for edit in edits))


def object_search() -> Iterator[Named]:
    for name, tried in {
        "off-by-one-attempts-low": "49",
        "off-by-one-attempts-high": "51",
        "attempts-power-of-two": "64",
        "attempts-unbounded": "10**9",
        "first-candidate-only": "1",
    }.items():
        yield search(name, ("_MAX_BRACES = 50", f"_MAX_BRACES = {tried}"))
    for name, units in {
        "length-off-by-one-low": "262_143",
        "length-off-by-one-high": "262_145",
        "length-power-of-ten": "262_000",
        "length-unbounded": "10**12",
    }.items():
        yield search(name, ("_MAX_UNITS = 262_144", f"_MAX_UNITS = {units}"))
    yield search("codepoint-length", (BOUND, "    if len(text) > _MAX_UNITS:\n        return raw\n"))
    yield search(
        "byte-length", (BOUND, '    if len(text.encode("utf-8", "surrogatepass")) > _MAX_UNITS:\n        return raw\n')
    )
    yield search("oversized-cut", (BOUND, "    if longer_than(text, _MAX_UNITS):\n        text = text[:_MAX_UNITS]\n"))
    yield search("attempts-skip-quoted", (LOOP, COUNTED + f"        attempts += not {QUOTED}\n"))
    yield search(
        "attempts-count-brackets",
        (
            LOOP,
            COUNTED
            + '        attempts = text.count("{", 0, start + 1) + text.count("[", 0, start)\n        if attempts > _MAX_BRACES:\n            break\n',
        ),
    )
    yield search(
        "attempts-count-reads",
        (LOOP, COUNTED),
        ("        if end is None:\n", "        if end is None:\n            attempts += 1\n"),
    )
    yield scan(
        "attempts-count-balanced",
        (LOOP, COUNTED),
        (
            "        end = _closed(text, start)\n        candidate",
            "        end = _closed(text, start)\n        attempts += end >= 0\n        candidate",
        ),
    )
    yield search("quoted-braces-skipped", (TAKE, TAKE.replace("end >= 0", f"end >= 0 and not {QUOTED}")))
    yield search(
        "empty-object-skipped", (TAKE, TAKE.replace("end >= 0", "end >= 0 and text[start + 1 : end - 1].strip()"))
    )
    yield search(
        "bom-stripped",
        (
            "    if longer_than(text, _MAX_UNITS):\n",
            '    raw = text = text.removeprefix("\\ufeff")\n    if longer_than(text, _MAX_UNITS):\n',
        ),
        (
            "        return _extract(raw)\n    except _Failed as failed:\n",
            '        raw = raw.removeprefix("\\ufeff")\n        return _extract(raw)\n    except _Failed as failed:\n',
        ),
    )
    yield search("blank-trimmed", (NEXT + "    return raw\n", NEXT + "    return raw.strip()\n"))
    yield search(
        "codepoint-slice",
        (
            TAKE,
            TAKE.replace(
                "text[start:end]",
                'text.encode("utf-16-le", "surrogatepass")[2 * start : 2 * end].decode("utf-16-le", "surrogatepass")',
            ),
        ),
    )
    yield search(
        "reserialized",
        (
            TAKE,
            TAKE.replace(
                "text[start:end]",
                '__import__("json").dumps(parse_at(text, start)[0], ensure_ascii=False, separators=(",", ":"))',
            ),
        ),
    )
    either = 'next((at for at in range({}, len(text)) if text[at] in "{{["), -1)'
    yield search(
        "array-root-accepted",
        ('    start = _find(text, "{", 0)\n', f"    start = {either.format('0')}\n"),
        (NEXT, f"        start = {either.format('start + 1')}\n"),
    )
    known = "    known: dict[int, int] = {}\n"
    for name, better in {"last-object": "True", "largest-object": "best is None or end - start > len(best)"}.items():
        yield search(
            name,
            (known, known + "    best = None\n"),
            (
                TAKE,
                f"        if end >= 0:\n            if {better}:\n                best = text[start:end]\n"
                '            start = _find(text, "{", end)\n            continue\n',
            ),
            (NEXT + "    return raw\n", NEXT + "    return raw if best is None else best\n"),
        )
    yield search(
        "slice-to-last-brace",
        (
            known,
            known
            + '    start, end = text.find("{"), text.rfind("}") + 1\n    found = parse_at(text, start) if start >= 0 else None\n    return text[start:end] if found is not None and found[1] == end else raw\n',
        ),
    )
    yield search(
        "fence-first",
        (
            known,
            known
            + '    fence = re.search(r"```(?:json)?\\s*(\\{[\\s\\S]*?\\})\\s*```", text)\n    if fence and parse_at(fence[1], 0):\n        return fence[1]\n',
        ),
    )
    yield search(
        "think-skipped",
        (
            known,
            known
            + '    behind = text.partition("</think>")[2]\n    if behind and extract_json_object(behind) != behind:\n        return extract_json_object(behind)\n',
        ),
    )
    yield scan(
        "unbalanced-stops",
        (
            "        candidate = text[start:end] if end >= 0 else ''\n",
            "        if end < 0:\n            break\n        candidate = text[start:end]\n",
        ),
    )
    yield scan(
        "unparsed-accepted",
        (
            "        found = parse_at(candidate, 0)\n        if found is not None and found[1] == len(candidate):\n            return candidate\n",
            "        if candidate:\n            return candidate\n",
        ),
    )
    yield scan(
        "object-repaired",
        (
            TRY,
            TRY
            + "        repaired = _repaired(candidate)\n        if parse_at(repaired, 0):\n            return candidate\n",
        ),
    )
    yield scan("failed-candidate-skipped", (NEXT, '        start = _find(text, "{", max(start + 1, end))\n'))
    # What a failed read tells about the braces inside it.
    told = "    known.update(sorted(spans.items())[:_RECORDED])\n"
    yield Named("closed-inner-forgotten", (machine(told, "    known.update(dict.fromkeys(spans, -1))\n"),))
    yield Named(
        "inherited-failure-in-strings",
        (
            machine(
                told,
                '    known.update((at, -1) for at in range(pos, machine.pos) if text[at] == "{" and at not in spans)\n'
                + told,
            ),
        ),
    )


# -- fences

TAGS = ("json", "yaml", "js", "javascript", "typescript", "dart")
OPENING = '_OPENING = Pattern(f"(?:{}){}[{{WHITE_SPACE}}]*", re.IGNORECASE | re.ASCII)'
FENCE_FIRST = "    found = _fenced(text)\n"
FENCED = "    found = _fenced(text)\n    if found is not None:\n        return found[0]\n"
OPENED = "    opening = _fence(text, 0)\n"
CLOSED = "    closing = _fence(text, inside) if opening >= 0 else -1\n"
INSIDE = "    inside = opening + len(_FENCE)\n"
BEGIN = "    found: tuple[Any, int] | None = parse_at(text, _OPENING.match(text, inside).end())"
TRIMMED = "text[found[1] : closing].strip(WHITE_SPACE)"


def opening(tags: str = "|".join(TAGS), more: str = "?") -> str:
    """The line that compiles the pattern of what stands behind the opening backticks."""
    return OPENING.format(tags, more)


def after_fence(name: str, lines: str) -> Named:
    """A mutant that does something else once the fence has failed; `inner` is the fence's content, or None."""
    return Named(name, (*INNER, originals(FENCED, FENCED + "    inner = _inner(text)\n" + lines)))


def fences() -> Iterator[Named]:
    plain = opening()
    for tag in TAGS:
        yield search(f"fence-tag-{tag}-dropped", (plain, opening("|".join(one for one in TAGS if one != tag))))
    for tag in ("ts", "yml", "python", "jsonc", "jsonl", "jsx", "xml", "json5"):
        yield search(f"fence-tag-{tag}-added", (plain, opening("|".join((tag, *TAGS)))))
    yield search("fence-tag-case-kept", (plain, plain.replace("re.IGNORECASE | re.ASCII", "re.ASCII")))
    yield search("re-ignorecase", (plain, plain.replace(" | re.ASCII", "")))
    yield search("fence-tag-repeated", (plain, opening(more="*")))
    yield search("fence-tag-needs-space", (plain, opening(f"(?:{'|'.join(TAGS)})(?=[{{WHITE_SPACE}}])")))
    yield search("fence-tag-after-space", (plain, plain.replace('f"(?:', 'f"[{WHITE_SPACE}]*(?:')))
    yield search("any-fence-tag", (plain, opening(r"[A-Za-z0-9_+-]+(?=\n)|" + "|".join(TAGS))))
    yield search("info-line-dropped", (plain, opening(f"(?:{'|'.join(TAGS)})(?:[^\\n`]*(?=\\n))?")))
    yield search(
        "fence-tag-required",
        (plain, opening(more="")),
        (BEGIN, "    if _OPENING.match(text, inside) is None:\n        return None\n" + BEGIN),
    )
    yield search(
        "fence-needs-newline",
        (BEGIN, '    if "\\n" not in text[inside : _OPENING.match(text, inside).end()]:\n        return None\n' + BEGIN),
    )
    yield search(
        "long-fence-whole", (INSIDE, INSIDE + '    while text.startswith("`", inside):\n        inside += 1\n')
    )
    yield search(
        "two-backticks-accepted", (OPENED, '    text = text if "```" in text else text.replace("``", "```")\n' + OPENED)
    )
    yield search("tilde-fence-accepted", (OPENED, '    text = text.replace("~~~", "```")\n' + OPENED))
    yield search(
        "fence-at-line-start",
        (OPENED, '    opening = next((one.start() for one in re.finditer("(?m)^```", text)), -1)\n'),
    )
    yield search(
        "last-fence",
        (
            OPENED,
            OPENED
            + '    marks = [one.start() for one in re.finditer("```", text)]\n    opening = marks[len(marks) - 2 - len(marks) % 2] if len(marks) >= 4 else opening\n',
        ),
    )
    yield search(
        "last-closer", (CLOSED, CLOSED + "    closing = text.rfind(_FENCE) if closing >= 0 else -1\n")
    )
    yield search(
        "closer-at-line-start",
        (CLOSED, CLOSED + '    closing = text.find("\\n```", inside) + 1 if "\\n```" in text[inside:] else -1\n'),
    )
    yield search("unclosed-fence-accepted", (CLOSED, CLOSED + "    closing = len(text) if closing < 0 <= opening else closing\n"))
    yield search("fence-ignored", (FENCE_FIRST, "    found = None\n"))
    yield search(
        "fence-in-string-ignored",
        (FENCE_FIRST, "    found = None if text.partition('```')[0].count('\"') % 2 else _fenced(text)\n"),
    )
    yield search(
        "bare-before-fence",
        (FENCE_FIRST, "    found = None if 0 <= _first_bracket(text) < text.find('```') else _fenced(text)\n"),
    )
    yield search(
        "fenced-null-is-failure", (FENCED, FENCED.replace("is not None", "is not None and found[0] is not None"))
    )
    yield search("fenced-falsy-is-failure", (FENCED, FENCED.replace("is not None", "is not None and found[0]")))
    yield search(
        "fenced-scalar-refused",
        (FENCED, FENCED.replace("is not None", "is not None and isinstance(found[0], (list, dict))")),
    )
    yield after_fence(
        "fence-failure-final", '    if inner is not None:\n        raise _Failed("parse-failed", 0, len(text))\n'
    )
    yield after_fence("fence-content-only", "    text = text if inner is None else inner\n")
    yield after_fence("text-after-fence-only", '    text = text if inner is None else text.split("```", 2)[2]\n')
    yield after_fence(
        "fence-repaired",
        "    found = parse_at(_repaired(inner), 0) if inner is not None else None\n    if found is not None:\n        return found[0]\n",
    )
    yield after_fence(
        "fence-scanned",
        "    try:\n        if inner is not None:\n            return _extract(inner)\n    except _Failed:\n        pass\n",
    )
    yield after_fence(
        "second-fence-tried",
        '    found = _fenced("```" + text.split("```", 3)[3]) if inner is not None and text.count("```") >= 4 else None\n    if found is not None:\n        return found[0]\n',
    )


# -- white space

WHITE = "\t\n\v\f\r \u00a0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000\ufeff"
STRANGE = (0x0, 0x1C, 0x1D, 0x1E, 0x1F, 0x85, 0x180E, 0x200B, 0x200C, 0x2060)
KINDS = {
    "python": r"\t-\r\x1c- \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000",
    "ascii": r"\t\n\v\f\r ",
    "json": r"\t\n\r ",
}
COMMA_BEFORE = '_COMMA_BEFORE_CLOSER = Pattern(rf",[{WHITE_SPACE}]*(?=[}}\\]])")'


def white_space() -> Iterator[Named]:
    behind = "def longer_than("
    for char in WHITE:
        name = f"{ord(char):04x}"
        yield Named(
            f"white-space-{name}-dropped",
            ((ECMA, behind, f'WHITE_SPACE = WHITE_SPACE.replace("\\u{name}", "")\n\n\n' + behind),),
        )
    for code in STRANGE:
        yield Named(
            f"extra-white-space-{code:04x}", ((ECMA, behind, f'WHITE_SPACE += "\\u{code:04x}"\n\n\n' + behind),)
        )
    started = (opening(), opening().replace("[{WHITE_SPACE}]*", ""))
    for kind, chars in KINDS.items():
        strip = (opening(), opening().replace('f"', 'r"').replace("{WHITE_SPACE}", chars))
        yield Named(
            f"{kind}-strip",
            (
                originals(*strip),
                originals(TRIMMED, TRIMMED.replace("WHITE_SPACE", "" if kind == "python" else f'"{chars}"')),
            ),
        )
        yield Named(f"{kind}-space", (originals(COMMA_BEFORE, COMMA_BEFORE.replace("{WHITE_SPACE}", chars)),))
    ended = (TRIMMED, TRIMMED.replace("WHITE_SPACE", '" \\t\\n\\r"'))
    yield search("no-strip-start", started)
    yield search("no-strip-end", ended)
    yield search("no-strip", started, ended)
    yield search("no-space-after-comma", (COMMA_BEFORE, COMMA_BEFORE.replace("[{WHITE_SPACE}]*", "")))


# -- repair

REPAIRED = """    return _COMMA_BEFORE_CLOSER.sub("", candidate).replace("'", '"')\n"""
ASKED = "    repaired = _repaired(text[start:end])\n"
A_STRING = r'"(?:[^"\\]|\\.)*"'


def mended(name: str, expression: str) -> Named:
    """A mutant whose repair gives something else; `fixed` is what the right repair gives."""
    return search(
        name,
        (REPAIRED, f"""    fixed = _COMMA_BEFORE_CLOSER.sub("", candidate).replace("'", '"')\n    return {expression}\n"""),
    )


def repair() -> Iterator[Named]:
    yield search("repair-dropped", (ASKED, "    repaired = text[start:end]\n"))
    yield mended("commas-not-repaired", """candidate.replace("'", '"')""")
    yield mended("quotes-not-repaired", '_COMMA_BEFORE_CLOSER.sub("", candidate)')
    yield mended("first-comma-only", """_COMMA_BEFORE_CLOSER.sub("", candidate, 1).replace("'", '"')""")
    yield mended("first-quotes-only", """_COMMA_BEFORE_CLOSER.sub("", candidate).replace("'", '"', 2)""")
    yield mended(
        "space-after-comma-kept", """_COMMA_BEFORE_CLOSER.sub(lambda found: found[0][1:], candidate).replace("'", '"')"""
    )
    yield mended(
        "escaped-apostrophe-unescaped",
        """_COMMA_BEFORE_CLOSER.sub("", candidate).replace("\\\\'", "\\0").replace("'", '"').replace("\\0", "'")""",
    )
    yield mended(
        "apostrophes-in-strings-spared",
        f"""re.sub(r'''{A_STRING}|'((?:[^'\\\\]|\\\\.)*)\\'''', lambda found: found[0] if found[0][0] == '"' else '"' + found[1] + '"', _COMMA_BEFORE_CLOSER.sub("", candidate))""",
    )
    yield mended(
        "strings-spared",
        f"""re.sub(r'''{A_STRING}|,\\s*(?=[}}\\]])|\\'''', lambda found: {{",": "", "'": '"'}}.get(found[0][0], found[0]), candidate)""",
    )
    yield mended("unquoted-keys-repaired", r"""re.sub(r"([{,]\s*)([A-Za-z_]\w*)(\s*:)", r'\1"\2"\3', fixed)""")
    yield mended("comments-repaired", r"""re.sub(r"//[^\n]*|/\*[\s\S]*?\*/", "", fixed)""")
    yield mended(
        "python-literals-repaired",
        r"""re.sub(r"\b(True|False|None)\b", lambda found: {"True": "true", "False": "false", "None": "null"}[found[0]], fixed)""",
    )
    yield mended("missing-commas-repaired", r"""re.sub(r'([0-9"\]}])(\s+)(["{\[])', r"\1,\2\3", fixed)""")
    yield mended("curly-quotes-repaired", r"""re.sub("[\u201c\u201d]", '"', fixed)""")
    yield mended(
        "control-characters-repaired", r"""re.sub('"[^"]*"', lambda found: found[0].replace("\n", "\\n"), fixed)"""
    )
    yield mended("nan-repaired", r"""re.sub(r"\b(?:NaN|undefined)\b", "null", fixed)""")
    yield search("closer-lost", (COMMA_BEFORE, COMMA_BEFORE.replace("(?=[}}\\]])", "[}}\\]]")))
    yield search("commas-repaired-in-arrays-only", (COMMA_BEFORE, COMMA_BEFORE.replace("[}}\\]]", "\\]")))
    yield search("commas-repaired-in-objects-only", (COMMA_BEFORE, COMMA_BEFORE.replace("[}}\\]]", "}}")))
    yield search(
        "double-commas-repaired", (COMMA_BEFORE, COMMA_BEFORE.replace(",[{WHITE_SPACE}]*", "(?:,[{WHITE_SPACE}]*)+"))
    )
    yield scan(
        "repair-first",
        (
            "    candidate = text[start:end]\n    found = parse_at(candidate, 0)\n",
            "    candidate = _repaired(text[start:end])\n    found = parse_at(candidate, 0)\n"
            "    if found is None or found[1] != len(candidate):\n        candidate = text[start:end]\n        found = parse_at(candidate, 0)\n",
        ),
    )


# -- errors, and the rest

NO_JSON = '        raise _Failed("no-json", 0, len(text))\n'
UNBALANCED = '        raise _Failed("unbalanced", start, len(text))\n'
PARSE_FAILED = '        raise _Failed("parse-failed", start, end)\n'
PREVIEW = 'utf16_prefix(about, 200 if failed.code == "no-json" else 300)'


def errors() -> Iterator[Named]:
    yield search("no-json-as-unbalanced", (NO_JSON, NO_JSON.replace("no-json", "unbalanced")))
    yield search("unbalanced-as-no-json", (UNBALANCED, UNBALANCED.replace("unbalanced", "no-json")))
    yield search("unbalanced-as-parse-failed", (UNBALANCED, UNBALANCED.replace("unbalanced", "parse-failed")))
    yield search("parse-failed-as-no-json", (PARSE_FAILED, PARSE_FAILED.replace("parse-failed", "no-json")))
    units = '200 if failed.code == "no-json" else 300'
    for name, shown in {
        "one-preview-length": "utf16_prefix(about, 300)",
        "preview-off-by-one": f"utf16_prefix(about, 1 + ({units}))",
        "preview-short": f"utf16_prefix(about, ({units}) - 1)",
        "preview-whole": "about",
        "preview-codepoints": f"about[: {units}]",
        "preview-trimmed": f"utf16_prefix(about.strip(), {units})",
        "preview-one-line": f'utf16_prefix(about, {units}).partition("\\n")[0]',
        "preview-pair-spared": f'utf16_prefix(about, {units}).rstrip("\\ud83d\\ud83c\\ud83e\\ud800\\ud834\\ud83f\\udbff\\ud840")',
    }.items():
        yield search(name, (PREVIEW, shown))
    yield search(
        "preview-repaired",
        (PREVIEW, PREVIEW.replace("about", '_repaired(about) if failed.code == "parse-failed" else about', 1)),
    )
    yield search("preview-to-text-end", (PREVIEW, PREVIEW.replace("about", "doc[failed.start :]")))
    yield search(
        "preview-from-text-start", (PREVIEW, PREVIEW.replace("about", 'doc if failed.code == "unbalanced" else about'))
    )
    yield search("blank-is-invalid", ("    if not text:\n", "    if not text.strip():\n"))
    yield search(
        "extract-length-bounded",
        (
            FENCE_FIRST,
            "    if longer_than(text, _MAX_UNITS):\n        raise _Failed('no-json', 0, len(text))\n" + FENCE_FIRST,
        ),
    )
    yield search("text-trimmed-first", (FENCE_FIRST, "    text = text.strip()\n" + FENCE_FIRST))
    whole = "    found = parse_at(text, 0)\n    if found is not None and not text[found[1] :].strip():\n        return found[0]\n"
    yield search("whole-text-first", (FENCE_FIRST, whole + FENCE_FIRST))
    yield search(
        "bare-scalar-accepted",
        (NO_JSON, whole.replace("\n    ", "\n        ").replace("    found =", "        found =", 1) + NO_JSON),
    )
    yield search("throws", ("    except _Failed:\n        return None\n", "    except _Failed:\n        raise\n"))
