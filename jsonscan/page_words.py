"""What the page says in words: why a repair was made, how well a value reads, where it stands.

A sentence for each code of conformance/REPAIR.md: what strict JSON has against the text before the edit.
"""

from __future__ import annotations

from typing import Final

from .candidates import BROKEN, CUT, GUESSED, IN_FENCE, IN_LINE, IN_OTHER_FENCE, MENDED, NARRATED, ON_LINES, STRICT

WHY: Final = {
    "bare-exponent": "The exponent of a number in JSON has digits.",
    "bare-point": "A number in JSON has digits on both sides of its point.",
    "byte-order-mark": "A byte order mark is no JSON.",
    "call": "JSON has no function calls: the argument stands for the call.",
    "code-escape": "Python and JavaScript know this escape, JSON does not.",
    "comment": "JSON has no comments.",
    "concatenation": "JSON cannot add strings up: they are one string.",
    "control-character": "A control character inside a string must be written as an escape.",
    "decimal-comma": "A number in JSON has a decimal point, not a comma.",
    "digit-grouping": "JSON does not group digits.",
    "doubled-quotes": "Every quote was doubled, as in CSV.",
    "ellipsis": "Dots stand for something left out, and JSON has no such sign.",
    "emphasis": "Markdown's asterisks are no JSON.",
    "escaped-json": "The JSON was escaped as if it stood inside a string.",
    "escaped-quotes": "These quotes were escaped although no string is open.",
    "escaped-space": "A line end or tab was written as an escape although no string is open.",
    "extra-comma": "A comma with nothing before it, or a second one.",
    "hex-number": "JSON writes numbers in decimal.",
    "html-entities": "The quotes were written as HTML entities.",
    "inner-quote": "A quote inside a string must be escaped.",
    "invalid-escape": "This backslash starts no escape that JSON knows: it stands for itself.",
    "list-marker": "A Markdown list mark is no JSON.",
    "literal-backslash": "The string was not escaped: its backslashes stand for themselves.",
    "mismatched-closer": "The closing bracket is not of the kind that was opened.",
    "missing-closer": "An inner container was not closed before the outer one.",
    "missing-colon": "A colon is missing between a name and its value.",
    "missing-comma": "A comma is missing between two values.",
    "missing-opener": "The opening bracket is missing.",
    "missing-quote": "One of the string's two quotes is missing.",
    "missing-value": "A name without a value: null stands for it.",
    "needless-escape": "This character needs no escape, and JSON knows none for it.",
    "nonfinite": "JSON has no word for this number.",
    "number-text": "This starts like a number and is none in JSON: it is kept as text.",
    "odd-space": "Only space, tab and line ends may stand between the tokens of JSON.",
    "other-literal": "JSON's words are true, false and null.",
    "other-quotes": "Strings in JSON stand in double quotes.",
    "plus-sign": "A number in JSON has no plus sign.",
    "python-literal": "JSON's words are true, false and null; these are Python's.",
    "root-array": "Several values stand side by side: they become one array.",
    "single-quotes": "Strings in JSON stand in double quotes.",
    "stray-text": "Words outside any string.",
    "string-prefix": "Strings in JSON have no prefix.",
    "surplus-closer": "A closing bracket that closes nothing.",
    "surplus-opener": "An opening bracket too many.",
    "trailing-comma": "A comma with nothing behind it.",
    "triple-quotes": "JSON has no triple quotes.",
    "truncated": "The text ends here: these closers only make it whole to look at.",
    "tuple": "JSON has no tuples: it is an array, or the one value in it.",
    "typographic-quotes": "Strings in JSON stand in plain double quotes.",
    "unquoted-key": "A name in JSON stands in double quotes.",
    "unquoted-value": "Text in JSON stands in double quotes.",
    "wide-punctuation": "This is the full-width or foreign form of JSON's punctuation.",
    "wrapper": "What is wrapped round the value is no part of it.",
    "wrong-colon": "Between a name and its value stands a colon in JSON.",
    "wrong-comma": "Between two values stands a comma in JSON.",
}  # fmt: skip
RISK: Final = {
    "lossless": ("=", "all that was written is kept, and there is one reading"),
    "likely": ("≈", "there is one sensible reading"),
    "guess": ("?", "it could have been meant otherwise"),
}
QUALITY: Final = {
    STRICT: "strict JSON",
    MENDED: "JSON after safe repairs",
    GUESSED: "JSON after repairs that guess",
    CUT: "cut off by the end of the text",
    BROKEN: "broken",
}
PLACE: Final = {
    IN_FENCE: "in a JSON fence",
    ON_LINES: "on lines of its own",
    IN_OTHER_FENCE: "in a fence of another language",
    IN_LINE: "inside a line of prose",
    NARRATED: "in a sentence that mentions it",
}
ASIDE: Final = {
    "reasoning": ("reasoning", "What a model thinks before it answers is no answer, and neither are the drafts in it."),
    "quoted": ("quotation", "What stands between these tags is quoted: an example, a schema, what a tool gave back."),
    "fence": ("fence", "A fence says where a value stands; its marks are no part of it."),
    "tag": ("tag", "A tag says what stands behind it; it is no part of the value."),
    "prose": ("prose", "Text around the values, and what looks like JSON to no rule."),
}
