"""One HTML page that shows a response: the answer, the other candidates, each repair, and what was set aside.

    page_survey.survey()  ->  Survey, what was found  ->  _Page, the same as HTML

The page needs no script and nothing from outside, and says in words what it says in colours. Whatever the response holds is shown as
text: markup is escaped, and what cannot be seen, or could reorder what is seen, stands there as its code point.
"""

from __future__ import annotations

import re
from base64 import b64encode
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256
from html import escape
from typing import TYPE_CHECKING, Any, Final

from . import BUILD, __version__
from .candidates import BROKEN, Candidate
from .errors import JSONScanError
from .model import Options, Repair
from .page_style import STYLE
from .page_survey import Region, Survey, survey
from .page_words import ASIDE, PLACE, QUALITY, RISK, WHY
from .records import asdict
from .repairs import applied
from .scanner import Raw
from .shapes import FENCE_END

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .model import Expect
    from .scanner import _Common

LISTED: Final = 300  # repairs, candidates or regions in a list: more than this nobody reads, and each costs a few hundred bytes
EXCERPT: Final = 400  # code points of a candidate or a removed text in such a list
CONTEXT: Final = 32  # code points round an edit, in its line
_DIGEST: Final = b64encode(sha256(STYLE.encode()).digest()).decode()
_POLICY: Final = f"default-src 'none'; style-src 'sha256-{_DIGEST}'; base-uri 'none'; form-action 'none'"
_KINDS: Final = {"answer": "answer", "cut": "answer, cut off", "candidate": "other candidate"} | {
    kind: words for kind, (words, _) in ASIDE.items()
}
_SIGNS: Final = {"good": "✓", "likely": "✎", "late": "✂", "bad": "✗"}
_NO_ANSWER: Final = {"truncated": "cut off", "no-json": "no answer", "ambiguous": "more than one answer", "limit": "too much"}
DEEPEST: Final = 24  # levels that are indented: with all of them the text of n nested arrays would be n * n long


def page(raw: Raw, *, title: str = "response", expect: Expect = "container", **options: Unpack[_Common]) -> str:
    """A self-contained HTML page about what `search` makes of this response under these options (see `Options`; an unknown one is a
    `TypeError`). `title` names the response, a file name for instance. Never raises on account of the text: an error is shown as one.
    O(text), in time and in size."""
    return _Page(survey(raw, Options(expect=expect, **options)), title).render()


# -- text that can be looked at


class _Seen(dict[int, str]):
    """What stands for each character: itself, or its code point in a box."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        self[code] = char if char.isprintable() else f'<b class="u">U+{code:04X}</b>'
        return self[code]


# Words of Hebrew, Arabic and the like. Each run of them stands by itself, or the punctuation between two would be taken into their order,
# and a name and its value change places.
_LETTERS = "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff]+"
_RIGHT_TO_LEFT: Final = re.compile(f"{_LETTERS}(?: {_LETTERS})*")
_SEEN: Final = _Seen({10: "\n", 9: '<i class="t">⇥</i>\t'})


def seen(text: str) -> str:
    """Text as HTML in which every character can be seen. O(text)."""
    shown = escape(text)
    if not text.isprintable():
        shown = shown.translate(_SEEN)
    return shown if text.isascii() else _RIGHT_TO_LEFT.sub(r"<bdi>\g<0></bdi>", shown)


def _hint(error: JSONScanError) -> str:
    """What an error says, with a mark in the line of the text instead of a caret below it, which would be elsewhere once lines wrap."""
    lines = error.hint().split("\n")
    carets = [number for number, line in enumerate(lines) if line.strip() == "^"]
    if not carets:
        return seen("\n".join(lines))
    number = carets[-1]
    line, column = lines[number - 1], lines[number].index("^")
    before = seen("\n".join([*lines[: number - 1], line[:column]]))
    behind = seen("\n".join([line[column:], *lines[number + 1 :]]))
    return f'{before}<span class="fault">⚠ here</span>{behind}'


def excerpt(text: str, most: int = EXCERPT) -> str:
    """The same, of a text that may be too long."""
    return seen(text[:most]) + (f" <em>and {len(text) - most:,} more</em>" if len(text) > most else "")


def plural(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL).finditer


def laid_out(strict: str) -> str:
    """Strict JSON with line ends and indentation. O(text)."""
    out, depth, last = list[str](), 0, ""
    for found in _TOKEN(strict):
        token = found[0]
        closes = token in ("}", "]")
        depth -= closes
        if (closes and last not in ("{", "[")) or (not closes and last in ("{", "[", ",")):
            out.append("\n" + "  " * depth if depth <= DEEPEST else " " * (last == ","))
        depth += token in ("{", "[")
        out.append(": " if token == ":" else token)
        last = token
    return "".join(out)


# -- the page


class _Page:
    """A survey as HTML."""

    def __init__(self, seen: Survey, title: str) -> None:
        self.seen, self.title, self.text = seen, title, seen.text
        self.repairs: tuple[Repair, ...] = seen.match.repairs if seen.match is not None else ()
        self.lines = [0, *(found.end() for found in re.finditer("\n", self.text))]
        self.regions = self._regions()

    def render(self) -> str:
        sections = [self._text_and_answer(), self._repairs(), self._candidates(), self._aside(), self._about()]
        links = " ".join(f'<a href="#{name}">{words}</a>' for name, words, body in sections if body)
        body = "\n".join(f'<section id="{name}">\n{body}\n</section>' for name, words, body in sections if body)
        return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>{seen(self.title)}: {seen(self._verdict()[1])}</title>
<style>{STYLE}</style>
</head>
<body>
<a class="skip" href="#text">To the response</a>
<header>
<h1>{seen(self.title)}</h1>
{self._headline()}
<nav aria-label="Sections">{links}</nav>
</header>
<main>
{body}
</main>
<footer>jsonscan {__version__}, {BUILD} build. Lines and columns count from 1, offsets from 0, all in code points.
<b class="u">U+202E</b> stands for a character that cannot be seen.</footer>
</body>
</html>
"""

    # -- the verdict

    def _verdict(self) -> tuple[str, str, str]:
        """Class, words and an explanation."""
        match, error = self.seen.match, self.seen.error
        if error is not None:
            return "late" if match is not None else "bad", _NO_ANSWER.get(error.code, "broken"), f"{error.msg[:1].upper()}{error.msg[1:]}."
        assert match is not None  # or there were an error
        if not match.complete:
            return "late", "cut off, and kept", f"The text ends inside the value, at {match.truncated_at or 'its root'}."
        if not self.repairs:
            return "good", "answer found, strict JSON", "Nothing was changed."
        risks = Counter[str](each.risk for each in self.repairs)
        kinds = ", ".join(f"{risks[risk]:,} {risk}" for risk in RISK if risks[risk])
        return "likely", f"answer found, with {plural(len(self.repairs), 'repair')}", f"Risk: {kinds}."

    def _headline(self) -> str:
        kind, words, more = self._verdict()
        badge = f'<span class="v {kind}"><span aria-hidden="true">{_SIGNS[kind]}</span> {words}</span>'
        return f'<p class="verdict">{badge} <span>{seen(more)}</span></p>'

    # -- the response

    def _text_and_answer(self) -> tuple[str, str, str]:
        kinds = {region.kind for region in self.regions}
        keys = "".join(f'<li class="{kind}">{words}</li>' for kind, words in _KINDS.items() if kind in kinds)
        if self.repairs:
            keys += "<li><del>removed</del></li><li><ins>inserted</ins></li>"
        legend = f'<ul class="legend" aria-label="What the colours mean">{keys}</ul>' if keys else ""
        answer = self._answer()
        body = f"""<div class="two{"" if answer else " alone"}"><div>
<h2>The response</h2>
{legend}
<pre class="response" tabindex="0" translate="no" aria-label="The response">{self._marked() or "<em>empty</em>"}</pre>
</div>{answer}</div>"""
        return "text", "The response", body

    def _answer(self) -> str:
        match, error = self.seen.match, self.seen.error
        if match is None:
            assert error is not None
            return f'<div>\n<h2>What is wrong</h2>\n<pre tabindex="0" aria-label="What is wrong">{_hint(error)}</pre>\n</div>'
        strict = laid_out(applied(self.text, match.start, match.end, self.repairs))
        words = "The value so far" if error is not None or not match.complete else "The answer, as strict JSON"
        hint = "" if error is None else f'<h2>What is wrong</h2>\n<pre tabindex="0" aria-label="What is wrong">{_hint(error)}</pre>\n'
        return f'<div>\n{hint}<h2>{words}</h2>\n<pre tabindex="0" translate="no" aria-label="{words}">{seen(strict)}</pre>\n</div>'

    def _regions(self) -> list[Region]:
        """What the text is made of, in text order; what lies inside another region is left out, and the rest is prose."""
        regions = list(self.seen.aside)
        for number, each in enumerate(self.seen.found, 1):
            if not self.seen.is_in_answer(each):
                regions.append(Region(each.start, each.end, "candidate", number))
            marks = FENCE_END.match(self.text, each.end) if each.source == "fence" else None
            if marks:
                regions.append(Region(*marks.span(1), "fence"))
        match = self.seen.match
        if match is not None:
            regions.append(Region(match.start, match.end, "cut" if self.seen.error is not None or not match.complete else "answer"))
        regions.sort(key=lambda each: (each.start, -each.end))
        return list(_apart(regions, len(self.text)))

    def _marked(self) -> str:
        """The text with its regions, and in them the edits and the fault."""
        out, pos, edits = list[str](), 0, list(self._edits())[::-1]
        for region in self.regions:
            out.append(self._opening(region))
            end = region.end
            while edits and (edits[-1][0] < end or (edits[-1][0] == end and region.kind in ("answer", "cut"))):
                start, behind, mark = edits.pop()
                out += seen(self.text[pos:start]), mark
                pos = max(pos, start, behind)
            out += seen(self.text[pos:end]), "</span>"
            pos = max(pos, end)
        out += [mark for _, _, mark in reversed(edits)]
        return "".join(out)

    def _opening(self, region: Region) -> str:
        if region.kind in ("fence", "tag", "prose"):
            return f'<span class="{region.kind}">'
        words = f"candidate {region.number}" if region.kind == "candidate" else _KINDS[region.kind]
        anchor = ' id="answer"' if region.kind in ("answer", "cut") else ""
        linked = region.kind == "candidate" and region.number <= LISTED
        label = f'<a href="#candidate-{region.number}">{words}</a>' if linked else words
        return f'<span class="{region.kind}"{anchor}><b class="label">{label}</b>'

    def _edits(self) -> Iterator[tuple[int, int, str]]:
        """Where each edit of the answer stands, and how it is shown; or the place of the fault."""
        for number, each in enumerate(self.repairs, 1):
            removed = f'<del><span class="x">removed: </span>{seen(each.removed)}</del>' if each.removed else ""
            inserted = f'<ins><span class="x">inserted: </span>{seen(each.inserted)}</ins>' if each.inserted else ""
            link = f' href="#repair-{number}"' if number <= LISTED else ""
            sign = f'<a class="at" id="at-{number}"{link} aria-label="repair {number}">{number}</a>'
            yield each.start, each.end, removed + inserted + sign
        error = self.seen.error
        if error is not None and error.code not in ("no-json", "ambiguous", "truncated"):
            yield error.pos, error.pos, f'<span class="fault" id="fault">⚠ {seen(error.msg)}</span>'

    # -- the lists

    def _repairs(self) -> tuple[str, str, str]:
        cards = "".join(self._repair(number, each) for number, each in enumerate(self.repairs[:LISTED], 1))
        heading = plural(len(self.repairs), "repair")
        return "repairs", heading, f'<h2>{heading}</h2>\n<ol class="cards">{cards}</ol>{_rest(self.repairs)}' if cards else ""

    def _repair(self, number: int, each: Repair) -> str:
        before = self.text[max(0, each.start - CONTEXT) : each.start].rpartition("\n")[2]
        behind = self.text[each.end : each.end + CONTEXT].partition("\n")[0]
        sign, meaning = RISK[each.risk]
        sides = "".join(
            f"<div><h4>{words}</h4><pre>{seen(before)}<{tag}>{excerpt(part)}</{tag}>{seen(behind)}</pre></div>"
            for words, tag, part in (("Before", "del", each.removed), ("After", "ins", each.inserted))
        )
        path = f", at <code>{excerpt(each.path, 120)}</code>" if each.path else ""
        return f"""<li class="card" id="repair-{number}">
<h3><a class="at" href="#at-{number}" aria-label="repair {number} in the response">{number}</a> {WHY[each.code]}</h3>
<div class="change">{sides}</div>
<p><span class="v {each.risk}"><span aria-hidden="true">{sign}</span> {each.risk}</span> {meaning}.
<code>{each.code}</code>, {self._where(each.start)}{path}.</p>
</li>"""

    def _candidates(self) -> tuple[str, str, str]:
        found = self.seen.found
        heading = plural(len(found), "candidate")
        cards = "".join(self._candidate(number, each) for number, each in enumerate(found[:LISTED], 1))
        if not cards:
            words = "The whole text is the value." if self.seen.match is not None else (
                "No place in the text looks like the start of a value.")
            return "candidates", "Candidates", f"<h2>Candidates</h2>\n<p>{words}</p>"
        return "candidates", heading, f'<h2>{heading}</h2>\n<ol class="cards">{cards}</ol>{_rest(found)}'

    def _candidate(self, number: int, each: Candidate) -> str:
        kind, words, reason = self.seen.standing(each)
        place = "in an answer tag" if each.in_answer else PLACE[each.rank]
        repairs = Counter(repair.code for repair in self.seen.outcome.match(each).repairs) if each.quality != BROKEN else {}
        codes = ", ".join(f"<code>{code}</code> {count:,}" for code, count in repairs.items())
        done = f" Repairs: {codes}." if codes else ""
        return f"""<li class="card" id="candidate-{number}">
<h3><span class="v {kind}">{words}</span> Candidate {number}: {QUALITY[each.quality]}, {place}</h3>
<p>{seen(reason)} {self._where(each.start).capitalize()}, {plural(each.end - each.start, "character")}.{done}</p>
<pre>{excerpt(self.text[each.start : each.end])}</pre>
</li>"""

    def _aside(self) -> tuple[str, str, str]:
        regions = self.regions
        sizes = Counter[str]()
        for region in regions:
            sizes[region.kind] += region.end - region.start
        rows = []
        for kind, (words, why) in ASIDE.items():
            if sizes[kind]:
                places = [self._where(each.start) for each in regions if each.kind == kind][: 1 if kind == "prose" else 10]
                more = f" From {'; '.join(places)}." if kind != "prose" else ""
                rows.append(f'<dt><span class="v {kind}">{words}</span></dt><dd>{why} {plural(sizes[kind], "character")}.{more}</dd>')
        return "aside", "Set aside", f"<h2>Set aside</h2>\n<dl>{''.join(rows)}</dl>" if rows else ""

    def _about(self) -> tuple[str, str, str]:
        options, default = self.seen.options, Options()
        given = asdict(options).items()
        asked = ", ".join(f"{name}={_named(value)}" for name, value in given if value != getattr(default, name))
        return "about", "About this page", f"""<h2>About this page</h2>
<dl><dt>Size</dt><dd>{plural(len(self.text), "character")}, {plural(len(self.lines), "line")}</dd>
<dt>Options</dt><dd>{f"<code>{seen(asked)}</code>" if asked else "the defaults"}</dd></dl>"""

    def _where(self, pos: int) -> str:
        line = bisect_right(self.lines, pos)
        return f"line {line:,}, column {pos - self.lines[line - 1] + 1:,}"


def _apart(regions: Iterable[Region], end: int) -> Iterator[Region]:
    """Regions that do not overlap, and prose between them."""
    pos = 0
    for region in regions:
        if region.start < pos or region.start == region.end:
            continue
        if pos < region.start:
            yield Region(pos, region.start, "prose")
        yield region
        pos = region.end
    if pos < end:
        yield Region(pos, end, "prose")


def _named(value: Any) -> str:
    return value.__name__ if hasattr(value, "__name__") else repr(value)


def _rest(items: Any) -> str:
    return f"<p>And {len(items) - LISTED:,} more.</p>" if len(items) > LISTED else ""
