"""What stands round and at the start of a value, as patterns: the terms of conformance/RULES.md.

None of them takes more than linear time: every repetition inside a repetition is bounded, and what is not bounded ends where no other
match can start.
"""

from __future__ import annotations

import re
from typing import Final

BLANK: Final = " \t\n\r\f\v\u00a0\u200b\u200e\u200f\u2060\u2581\u3000\ufeff"
LEADING_BLANK = re.compile(f"[{BLANK}]*").match
SPACES = re.compile(r"\s*").match
SPACE = r"(?:[\s\ufeff\u200b-\u200f\u2060\u2581]|\\[nrt])"
SKIP = rf"{SPACE}{{0,256}}(?:(?://|#)[^\n]{{0,160}}\n{SPACE}{{0,256}}|/\*[^*]{{0,160}}\*/{SPACE}{{0,256}}){{0,4}}"
OPEN_QUOTE = "\"'`“”„‟«‘‚’＂＇「『"
CLOSE_QUOTE = "\"'`“”‟»‘’＂＇」』"
COLON = rf"{SPACE}{{0,64}}(?:\*{{1,2}}{SPACE}{{0,64}})?(?:=>|[:：=])"
NAME = rf"[^{CLOSE_QUOTE}\\\n]*(?:(?:\\.|(?<=\w)['’](?=\w))[^{CLOSE_QUOTE}\\\n]*){{0,16}}"
RUN_OF_BRACES = re.compile(rf"(?:[{{｛]{SPACE}{{0,64}})+").match
STRICT_KEY = re.compile(r'\{[ \t\r\n]*"[^"\\\n]*(?:\\.[^"\\\n]*)*"[ \t\r\n]*:').match
KEY = re.compile(
    rf"{SKIP}(?:(?P<empty>\}})|(?:(?:\.{{3}}|…|,){SKIP}){{0,2}}\*{{0,2}}(?:"
    rf"(?P<quoted>\\{{0,4}}[{OPEN_QUOTE}]{{1,2}}{NAME}\\{{0,4}}[{CLOSE_QUOTE}]{{1,2}}"
    rf"|[\"'“][^\"'“”\n:{{}}]{{1,80}}(?=:)){COLON}"
    rf"|(?P<bare>[\w$@][\w$@.\- ]{{0,63}}[\"'”’]?){COLON}))"
).match
CUT_KEY = re.compile(
    rf"{SKIP}(?:(?:\"(?:[^\"\\\n}}\]]|\\[^\n]?){{0,256}}\"?|[{OPEN_QUOTE}][^{CLOSE_QUOTE}\n}}\]]{{0,256}}[{CLOSE_QUOTE}]?){SPACE}{{0,64}})?\Z"
).match
PLAIN_VALUE = re.compile(
    rf"{SKIP}(?:[\"'“‘„`{{\[]|[-+]?[\d.]+\w{{0,16}}{SPACE}{{0,64}}[,}}\n]|(?:true|false|null|None|True|False|NaN|undefined)\b)"
).match
ELEMENT = re.compile(rf"(?:{SKIP}|[ \t\r\n]*)(?:\Z|[{{\[\"'“‘„\]]|-?\d|(?:true|false|null|None|True|False|NaN)\b)").match
INLINE_ELEMENT = re.compile(rf"(?:{SKIP}|[ \t\r\n]*)[{{\[\"']").match
CITATION = re.compile(r"\[[\s\d,;–-]*\]").fullmatch
A_REMARK = r"/\*[^*]{0,160}\*/\s{0,64}"
REMARK = f"(?:{A_REMARK})?"
LINE_HEAD = re.compile(rf"\s*(?:[-*•>]|\d{{1,3}}[.)])?[ \t]*{REMARK}").fullmatch
LINE_END = re.compile(r"[ \t\r]*(?:[;,.][ \t\r]*)?(?:\)?;?\s{0,8}\Z|\n|[`{\[]|</|<[|｜])").match
GOES_ON = re.compile(r"[)\]\"'’”`*_.,;!?]{0,8}[ \t]{1,64}[^\W\d_]").match
FENCE_END = re.compile(r"\s{0,256}(`{3,}|~{3,})").match
FENCE_OPENING = re.compile(r"(?:`{3,}|~{3,})[\w+./-]{0,64}\s{0,256}\Z").search
TAG_END = re.compile(r"\s{0,256}(?:<[|｜]?/|\Z)").match
IN_TAG = re.compile(r"[\w\"'|｜/▁]>\s{0,256}\Z").search
INTRODUCTION = re.compile(r"(?:[:=>：→]|\b(?:return|is|are))[ \t\"'`*]{0,8}\Z").search
BY_WORDS = re.compile(r"\b(?:return|is|are)[ \t\"'`*]{0,8}\Z").search
CALL_HEAD = re.compile(rf"[{BLANK}]*{REMARK}[\w$.]{{1,64}}\s{{0,8}}\(\s*").fullmatch
CALL_TAIL = re.compile(r"\)\s{0,8};?\s{0,8}\Z").search
ASSIGNED = re.compile(
    r"\s{0,256}(?:(?:export|default|module\.exports|const|let|var|return)\s{1,8}){0,3}"
    r"(?:[\w.$]{1,64}\s{0,8}(?::\s{0,8}[\w\[\], .]{1,64})?=)?\s{0,64}"
).fullmatch
STATEMENT_END = re.compile(r"\s*(?:;\s*)?").fullmatch
PREMATURE = re.compile(r'\s{0,256},\s{0,256}"[^"\\\n]{0,64}"(?:\s{0,8}:|\s{1,8}")').match
SCALAR = re.compile(rf"(?!```)\\{{0,4}}[{OPEN_QUOTE}]|[-+.]?[.\d]|-\s*\Z|\(|(?:true|false|null|True|False|None|NaN|Infinity)\s*\Z").match
LONE_NUMBER = re.compile(r"[-+]?[0-9]{1,64}\.\s{0,64}\Z").match
CALLED = re.compile(r"[\w$.]{1,64}\(").match
WORDS = re.compile(r"\[?[^{}\[\]<>`\n]*[^\W_][^{}\[\]<>`\n]*|[\w.-]+(?:\n[\w.-]+)+").fullmatch
SAYING = re.compile(r"[^\W\d]\w*,?(?: [^\W\d]\w*,?){1,16}: [^{}\[\]<>`\n\"]+").fullmatch
PATTERN = re.compile(r"/[^\n]+/[a-z]{0,8}").fullmatch
SENTENCE_END = re.compile(r"[.!?:…。]\s*\Z").search
BEHIND_PARAGRAPH = re.compile(r"\n[ \t\r]*\n\s*\Z").search
BLANK_LINE = re.compile(r"\n[ \t\r]*\n").search
MEMBER = re.compile(r"\"[^\"\\\n]{1,64}\"\s{0,8}:\s{0,8}[\"{\[\dtfn-]").match
CLOSERS_FOLLOW = re.compile(r"[^\n{\[]{0,256}[\"'][ \t]{0,64}[}\]]").match
# A brace that may stand in a string and open an object there: behind it the string ends, where the end of what was read is no matter.
IN_STRING = re.compile(r'\{[ \t\r\n]*(?:\Z|"[ \t\r\n]*(?:\Z|[,:}\]]))').finditer
PART_FOLLOWS = re.compile(r"\s{0,256}[,}\]]").match
OPENING = re.compile(r"[{\[]").search
COMMA, LINE, GLUE = (re.compile(part).fullmatch for part in (
    rf"\s*,\s*{REMARK}", rf"[ \t\r]*\n(?:[ \t]*(?:(?:[-*•]|\d{{1,3}}[.)])[ \t]+)?|\s*{A_REMARK})", r"[ \t]*"))



DRAFT = re.compile(
    r"(?i)\b(?:draft|examples?|sample|template|schema|placeholder|first attempt|first try|initial(?: version)?|original|"
    r"(?<!action )(?<!tool )(?<!function )input|before|wrong|incorrect|invalid|format(?= is\W*\Z|\W*\Z))\b"
).search
REVISED = re.compile(
    r"(?i)\b(?:final|correct|corrected|correction|revised|revision|updated|fixed|improved|after review|instead|actually|actual|"
    r"real|better|answer)\b"
).search
SCHEMA_WORDS: Final = {"type", "$ref", "anyOf", "oneOf", "allOf", "enum", "const", "description", "title", "items", "properties"}
PLACEHOLDER = re.compile(
    r"(?i)\s*(?:|\.{3}|…|<[^<>]{1,200}>|\{[^{}]{1,200}\}|\[[^\[\]]{1,200}\]|(?:your|the|a|an|some)\b[^\n]{0,200}|"
    r"(?:string|str|text|number|num|int|integer|float|double|decimal|bool|boolean|null|any|array|list|object|dict|date|datetime|"
    r"timestamp|url|uuid)(?:\[\]|\?)?(?:\s*\([^()]{0,200}\))?|\w{1,40}(?:\s*\|\s*\w{1,40}){1,40})\s*"
).fullmatch
