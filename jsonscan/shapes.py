"""What stands round and at the start of a value, as patterns: the terms of conformance/RULES.md.

None of them takes more than linear time: every repetition inside a repetition is bounded, and what is not bounded ends where no other
match can start.
"""

from __future__ import annotations

from typing import Final

from .patterns import Pattern


def _words(text: str) -> list[str]:
    return text.split()


BLANK: Final = " \t\n\r\f\v\u00a0\u200b\u200e\u200f\u2060\u2581\u3000\ufeff"
LEADING_BLANK = Pattern(f"[{BLANK}]*")
SPACES = Pattern(r"\s*")
SPACE = r"(?:[\s\ufeff\u200b-\u200f\u2060\u2581]|\\[nrt])"
SKIP = rf"{SPACE}{{0,256}}(?:(?://|#)[^\n]{{0,160}}\n{SPACE}{{0,256}}|/\*[^*]{{0,160}}\*/{SPACE}{{0,256}}){{0,4}}"
OPEN_QUOTE = "\"'`“”„‟«‘‚’＂＇「『"
CLOSE_QUOTE = "\"'`“”‟»‘’＂＇」』"
COLON = rf"{SPACE}{{0,64}}(?:\*{{1,2}}{SPACE}{{0,64}})?(?:=>|[:：=])"
# In a name these count like an escape, or each could start one that has no end.
_ONLY_OPEN = "".join(sorted(set(OPEN_QUOTE) - set(CLOSE_QUOTE)))
_IN_NAME = rf"[^{_ONLY_OPEN}{CLOSE_QUOTE}\\\n]*"
NAME = rf"{_IN_NAME}(?:(?:\\.|[{_ONLY_OPEN}]|(?<=\w)['’](?=\w)){_IN_NAME}){{0,16}}"
RUN_OF_BRACES = Pattern(rf"(?:[{{｛]{SPACE}{{0,64}})+")
STRICT_KEY = Pattern(r'\{[ \t\r\n]*"[^"\\\n]*(?:\\.[^"\\\n]*)*"[ \t\r\n]*:')
KEY = Pattern(
    rf"{SKIP}(?:(?P<empty>\}})|(?:(?:\.{{3}}|…|,){SKIP}){{0,2}}\*{{0,2}}(?:"
    rf"(?P<quoted>\\{{0,4}}[{OPEN_QUOTE}]{{1,2}}{NAME}\\{{0,4}}[{CLOSE_QUOTE}]{{1,2}}"
    rf"|[\"'“][^\"'“”\n:{{}}]{{1,80}}(?=:)){COLON}"
    rf"|(?P<bare>[\w$@][\w$@.\- ]{{0,63}}[\"'”’]?){COLON}))"
)
CUT_KEY = Pattern(
    rf"{SKIP}(?:(?:\"(?:[^\"\\\n}}\]]|\\[^\n]){{0,256}}\\?\"?|[{OPEN_QUOTE}][^{CLOSE_QUOTE}\n}}\]]{{0,256}}[{CLOSE_QUOTE}]?){SPACE}{{0,64}})?\Z"
)
PLAIN_VALUE = Pattern(
    rf"{SKIP}(?:[\"'“‘„`{{\[]|[-+]?[\d.]+\w{{0,16}}{SPACE}{{0,64}}[,}}\n]|(?:true|false|null|None|True|False|NaN|undefined)\b)"
)
ELEMENT = Pattern(rf"(?:{SKIP}|[ \t\r\n]*)(?:\Z|[{{\[\"'“‘„\]]|-?\d|(?:true|false|null|None|True|False|NaN)\b)")
CALL_ELEMENT = Pattern(r"[ \t\r\n]*[\w.]{0,64}\(")
INLINE_ELEMENT = Pattern(rf"(?:{SKIP}|[ \t\r\n]*)[{{\[\"']")
CITATION = Pattern(r"\[[\s\d,;–-]*\]")
A_REMARK = r"/\*[^*]{0,160}\*/\s{0,64}"
REMARK = f"(?:{A_REMARK})?"
_NO_WIDTH = r"\u200b\u200e\u200f\u2060\u2581\ufeff"
LINE_HEAD = Pattern(rf"[\s{_NO_WIDTH}]*(?:[-*•>]|\d{{1,3}}[.)])?[ \t]*{REMARK}")
_LINE_END = r"[ \t\r]*(?:[;,.][ \t\r]*)?(?:\)?;?\s{0,8}\Z|\n|[`{\[]|</|<[|｜])"
LINE_END = Pattern(r"(?:[ \t\r]*[}\]]){0,8}" + _LINE_END)
BARE_LINE_END = Pattern(_LINE_END)
GOES_ON = Pattern(r"[)\]\"'’”`*_.,;!?]{0,8}[ \t]{1,64}[^\W\d_]")
FENCE_END = Pattern(r"\s{0,256}(`{3,}|~{3,})")
FENCE_OPENING = Pattern(r"(?:`{3,}|~{3,})[\w+./-]{0,64}\s{0,256}\Z")
CLOSED_IN_LINE = Pattern(r"[ \t]*</[^<>\n]{0,64}>[ \t]*[^\s<]")
TAG_END = Pattern(r"\s{0,256}(?:<[|｜]?/|\Z)")
IN_TAG = Pattern(r"[\w\"'|｜/▁]>\s{0,256}\Z")
INTRODUCTION = Pattern(r"(?:[:=>：→]|\b(?:return|is|are))[ \t\"'`*]{0,8}\Z")
BY_WORDS = Pattern(r"\b(?:return|is|are)[ \t\"'`*]{0,8}\Z")
CALL_HEAD = Pattern(rf"[{BLANK}]*{REMARK}[\w$.]{{1,64}}\s{{0,8}}\(\s*")
CALL_TAIL = Pattern(r"\)\s{0,8};?\s{0,8}\Z")
ASSIGNED = Pattern(
    r"\s{0,256}(?:(?:export|default|module\.exports|const|let|var|return)\s{1,8}){0,3}"
    r"(?:[\w.$]{1,64}\s{0,8}(?::\s{0,8}[\w\[\], .]{1,64})?=)?\s{0,64}"
)
STATEMENT_END = Pattern(r"\s*(?:;\s*)?")
PREMATURE = Pattern(r'\s{0,256},[\s>+|*-]{0,256}"[^"\\\n]{0,64}"(?:\s{0,8}:|\s{1,8}")')
SCALAR = Pattern(rf"(?!```)\\{{0,4}}[{OPEN_QUOTE}]|[-+.]?[.\d]|-\s*\Z|\(|(?:true|false|null|True|False|None|NaN|Infinity)\s*\Z")
LONE_NUMBER = Pattern(r"[-+]?[0-9]{1,64}\.\s{0,64}\Z")
CALLED = Pattern(r"[\w$.]{1,64}\(")
WORDS = Pattern(r"\[?[^{}\[\]<>`\n]*[^\W_][^{}\[\]<>`\n]*|[\w.-]+(?:\n[\w.-]+)+")
SAYING = Pattern(r"[^\W\d]\w*,?(?: [^\W\d]\w*,?){1,16}: [^{}\[\]<>`\n\"]+")
PATTERN = Pattern(r"/[^\n]+/[a-z]{0,8}")
SENTENCE_END = Pattern(r"[.!?:…。]\s*\Z")
BEHIND_PARAGRAPH = Pattern(r"\n[ \t\r]*\n\s*\Z")
BLANK_LINE = Pattern(r"\n[ \t\r]*\n")
MEMBER = Pattern(r"\"[^\"\\\n]{1,64}\"\s{0,8}:\s{0,8}[\"{\[\dtfn-]")
CLOSERS_FOLLOW = Pattern(r"[^\n{\[]{0,256}[\"'][ \t]{0,64}[}\]]")
# A brace that may stand in a string and open an object there: behind it the string ends, where the end of what was read is no matter.
IN_STRING = Pattern(r'\{[ \t\r\n]*(?:\Z|"[ \t\r\n]*(?:\Z|[,:}\]]))')
PART_FOLLOWS = Pattern(r"\s{0,256}[,}\]]")
ENCLOSER_FOLLOWS = Pattern(r"\s{0,256}\\?[}\]]")
MEMBER_BEHIND_CLOSERS = Pattern(r'\s{0,256}\\?[}\]][\s}\]]{0,256},\s{0,256}"[^"\\\n]{0,64}"\s{0,8}:')
NAMED_OR_LISTED = Pattern(rf"(?:[{CLOSE_QUOTE}]\s{{0,64}}(?:[:=]|[-=]>)?|[{{,(]\s{{0,64}}[\w$@.-]{{1,64}}\s{{0,8}}:|[,(])\s{{0,64}}\Z")
NAME_OR_LIST_ENDS: Final = frozenset(CLOSE_QUOTE + ":=>,(")
OPENING = Pattern(r"[{\[]")
COMMA = Pattern(rf"\s*,\s*{REMARK}")
COMMA_LAST = Pattern(r",\s*\)\Z")
LINE = Pattern(rf"[ \t\r]*\n(?:[ \t]*(?:(?:[-*•]|\d{{1,3}}[.)])[ \t]+)?|\s*{A_REMARK})")
GLUE = Pattern(r"[ \t]*")
# What the words of a label say (SEL-5): OUTRIGHT, whatever the values are; PARTLY, only of values that share their names. PLAIN words and
# those of level 0 say nothing.
PARTLY, OUTRIGHT = 1, 2
LABEL_PART = Pattern(r"<[^<>]*>|[^\W_]+|[.!?;:,：。…—–]")
PLAIN: Final = frozenset(_words(
    "a an and are array be below code complete const data expected first follow following follows go here i is it json let ll me message "
    "my new now object one our output provided record required response result results return rough s second should so structured that the "
    "then therefore third this thus use user value values var version was we were will you your"
))  # fmt: skip
PREPOSITIONS: Final = frozenset(_words("after as based by for from in including of on that to using when where which with without"))
DRAFT: Final = {
    **dict.fromkeys(_words("draft example examples template placeholder input wrong incorrect"), OUTRIGHT),
    **dict.fromkeys(("first attempt", "first try"), OUTRIGHT),
    **dict.fromkeys(_words("before earlier format initial invalid old original previous sample schema"), PARTLY),
    **dict.fromkeys(_words("answer attempt for try"), 0),
}
REVISED: Final = {
    **dict.fromkeys(_words("answer corrected correction final finale revised"), OUTRIGHT),
    **dict.fromkeys(("after review", "me correct", "me fix", "me redo"), OUTRIGHT),
    **dict.fromkeys(_words("actual actually better complete correct edit fix fixed improved instead new real redo revision right"), PARTLY),
    **dict.fromkeys(("updated", "wait", "on reflection", "second thought"), PARTLY),
    **dict.fromkeys(_words("after no on sorry"), 0),
}
ANNOUNCING: Final = dict.fromkeys((*PLAIN, *REVISED), PARTLY)
SCHEMA_WORDS: Final = {"type", "$ref", "anyOf", "oneOf", "allOf", "enum", "const", "description", "title", "items", "properties"}
BLANKS_TO_FILL = Pattern(r"\s*(?:\.{3}|…|<[^<>]{1,200}>)\s*")
PLACEHOLDER = Pattern(
    r"\s*(?:\.{3}|…|<[^<>]{1,200}>|\{[^{}]{1,200}\}|\[[^\[\]]{1,200}\]|"
    r"(?:[Yy]our [^\n]{1,200}|(?:[Tt]he|[Aa]n?|[Ss]ome) [^\sA-Z]{1,200} [^\nA-Z]{1,200})(?<![\s!?])(?<![^.]\.)|"
    r"(?i:string|str|text|number|num|int|integer|float|double|decimal|bool|boolean|null|any|array|list|object|dict|date|datetime|"
    r"timestamp|url|uuid)(?:\[\]|\?)?(?:\s*\([^()]{0,200}\))?|\w{1,40}(?:\s*\|\s*\w{1,40}){1,40})\s*"
)


def end_of(text: str) -> int:
    """Where the blanks at the end of the text start. `rstrip` would copy all of a text to find that."""
    start = max(0, len(text) - 64)
    tail = text[start:].rstrip(BLANK)
    return start + len(tail) if tail else len(text.rstrip(BLANK))
