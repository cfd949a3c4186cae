"""The page of a response: everything is in it, in words; whatever the response holds is text; and it stays linear."""

from __future__ import annotations

import html
import json
import re

import pytest

RESPONSE = """<think>
Draft: {"city": "Lyon"}
</think>
Here, {name}:

```json
{
  'city': "Paris",  // the capital
  "open": True
}
```

The old one was {"city": "Nice"} by the way.
"""
HOSTILE = "</pre></style><script>alert(1)</script><img src=x onerror=alert(1)>&amp;\"'\x00\x1b[2J\u202e\u2066\u200b\ud83d\udc00\ufeff\u2028"
MANY_REPAIRS = "{" + ", ".join(f"'{at}': 1" for at in range(800)) + "}"


@pytest.fixture
def page(module):
    return module("page").page


def words(page: str) -> str:
    """What a reader reads."""
    body = page[page.index("<body>") :]
    return re.sub(r"\s+", " ", html.unescape(re.sub("<[^>]*>", " ", body)))


def section(page: str, name: str) -> str:
    return words("<body>" + page.split(f'<section id="{name}">')[1].split("</section>")[0])


def test_it_says_what_became_of_the_response(page):
    assert "answer found, strict JSON" in words(page('{"a": 1}'))
    assert "answer found, with 3 repairs Risk: 3 lossless" in words(page(RESPONSE))
    assert "cut off The text ends inside the value, at /a" in words(page('{"a": [1'))
    assert "cut off, and kept" in words(page('{"a": [1', truncated="keep"))
    assert "no answer There is no JSON in the text" in words(page("nothing"))
    assert "more than one answer" in words(page('{"a": 1}\n\nor\n\n{"a": 2}', select="sole"))
    assert "broken Expected a comma" in words(page('{"a": 6 * 7}'))
    assert "too much" in words(page("[" * 2000))
    assert "broken The bytes are not UTF-8" in words(page(b'{"a": "\xff"}'))


def test_what_is_wrong_is_marked_in_its_line(page):
    shown = words(page('x\n{"a": 6 * 7}'))
    assert 'expected a comma or the closing bracket (line 2, column 9): {"a": 6 ⚠ here * 7} Answer again' in shown
    assert "^" not in shown
    assert "What is wrong there is no JSON in the text. " in words(page(""))


def test_each_repair_with_what_was_there_what_came_why_and_how_risky(page):
    shown = page(RESPONSE)
    repairs = section(shown, "repairs")
    for code, why in (
        ("single-quotes", "Strings in JSON stand in double quotes."),
        ("comment", "JSON has no comments."),
        ("python-literal", "JSON's words are true, false and null; these are Python's."),
    ):
        assert re.search(rf"{re.escape(why)} Before .* = lossless all that was written is kept[^≈?]* {code} ,", repairs)
    assert "Before 'city' : \"Paris\", // the capital After \"city\" : \"Paris\"," in repairs
    assert "single-quotes , line 8, column 3, at /city" in repairs


def test_candidates_say_why_they_were_not_taken(page):
    shown = section(page(RESPONSE), "candidates")
    assert "answer Candidate 1: JSON after safe repairs, in a JSON fence" in shown
    assert "not taken Candidate 2: strict JSON, in a sentence that mentions it" in shown
    assert "the answer in a JSON fence" in shown


@pytest.mark.parametrize(
    ("raw", "options", "reason"),
    [
        ('[1, 2]\n\nThen\n\n{"a": 1}', {"expect": "object"}, "it is not of the kind that expect='object' asks for"),
        ('{"a": 1}\n\nThen\n\n{"a": 2}', {"select": "last"}, "select='last' takes another"),
        ('{"a": 1}\n\nThen\n\n{"a": 1}', {}, "it is the answer once more"),
        ('{}\n\nThen\n\n{"a": 1}', {}, "an empty object does not compete with a fuller value"),
        ('{"a": "<string>"}\n\nThen\n\n{"a": "b"}', {}, "it is a schema or a template"),
        ('Draft:\n{"a": 1}\n\nThen\n\n{"a": 2}', {}, "its label says that it is a draft"),
        ('{"a": 1}\n\n<answer>{"a": 2}</answer>', {}, "the answer stands in an answer tag"),
        ("{'a': 1}\n\nThen\n\n{\"a\": 2}", {}, "it is JSON after safe repairs, the answer strict JSON"),
        ('{"a": 1}\n\nThen\n\n{"a": 2}', {}, "the answer comes first"),
        ('{"a": 1}\n\nCorrected:\n\n{"a": 2}', {}, "stands for those before"),
        ('{"a": 6 * 7}\n\nThen\n\n{"a": 2}', {}, "cannot be read to its end"),
        ('{"a": 1}\n\nThen\n\n{"a": 2', {}, "Not taken: the text ends inside it"),
        ('{"a": 1}\n\nThen\n\n{"a": 2}', {"select": "sole"}, "nothing says which is meant"),
        ('```json\n{"a": 6 * 7}\n```\nas in {"a": 2}', {}, "No value is taken: expected a comma or the closing bracket"),
    ],
)
def test_a_reason_for_each(page, raw, options, reason):
    assert reason in section(page(raw, **options), "candidates")


def test_what_was_set_aside(page):
    aside = section(page(RESPONSE), "aside")
    assert "reasoning What a model thinks" in aside
    assert "fence A fence says" in aside
    assert "prose Text around the values" in aside
    assert "quotation" in section(page('<example>{"a": 1}</example>\n{"a": 2}'), "aside")
    assert "Lyon" not in section(page(RESPONSE), "candidates")
    assert "reasoning" in section(page('{"draft": 1} hm</think>\n{"a": 2}'), "aside")


def test_every_code_has_its_words(module):
    assert module("page_words").WHY.keys() == module("repairs").RISKS.keys()
    assert module("page_words").RISK.keys() == set(module("repairs").RISKS.values())


@pytest.mark.parametrize("options", [{}, {"repair": "full"}, {"truncated": "keep", "repair": "full"}, {"expect": "any"}])
def test_hostile_text_is_text(page, options):
    for raw in (HOSTILE, f'{{"a": "{HOSTILE}"}}', f"```json\n{{'a': '{HOSTILE}', {HOSTILE}: 1", f'{HOSTILE}{{"a": [1,]}}{HOSTILE}'):
        shown = page(raw, title=HOSTILE, **options)
        shown.encode()  # no lone surrogate is left
        body = shown[shown.index("<body>") :]
        assert re.search(r"<(?:script|img|iframe|object|embed|link|base)\b", body) is None
        assert shown.count("<style>") == shown.count("</style>") == 1
        assert re.search("[^\\S \n\t]|[\x00-\x08\x0b-\x1f\x7f\u200b\u202a-\u202e\u2066-\u2069\ufeff]", shown) is None
        assert "U+202E" in body and "U+D83D" in body and "U+0000" in body


def test_what_is_shown_is_the_whole_response(page):
    shown = page(RESPONSE)
    pre = re.search(r'<pre class="response"[^>]*>(.*?)</pre>', shown, re.DOTALL)[1]
    pre = re.sub(r'<(b|a|span) class="(?:label|at|x)".*?</\1>|<ins>.*?</ins>', "", pre, flags=re.DOTALL)
    assert html.unescape(re.sub("<[^>]*>", "", pre)) == RESPONSE


@pytest.mark.parametrize("raw", [RESPONSE, '{"a": [1, {}, [], {"b": null}], "c": "x, [y] : {z} \\" "}', '{"a": [{"b": 1', "[[1],[2]]"])
def test_the_answer_is_laid_out_and_is_the_value(js, module, raw):
    match = js.search(raw, truncated="keep")
    survey = module("page_survey").survey(raw, js.Options())
    strict = module("repairs").applied(raw, survey.match.start, survey.match.end, survey.match.repairs)
    assert json.loads(module("page").laid_out(strict)) == match.value
    assert module("page").laid_out('{"a":[1,{}],"b":[]}') == '{\n  "a": [\n    1,\n    {}\n  ],\n  "b": []\n}'


def test_words_from_right_to_left_keep_to_themselves(page):
    shown = page('{"مدينة": "القاهرة اليوم", "שלום": 1}')
    assert "&quot;<bdi>مدينة</bdi>&quot;: &quot;<bdi>القاهرة اليوم</bdi>&quot;, &quot;<bdi>שלום</bdi>&quot;: 1" in shown


def test_an_answer_of_several_values(page):
    shown = page('{"a": 1}\n{"b": 2}', repair="full")
    assert section(shown, "candidates").count("part of the answer") == 2
    assert "[ { \"a\": 1 }, { \"b\": 2 } ]" in words(shown)


FAMILIES = {
    "candidates": '{"a": 1} and ',
    "repairs": "{'a': 1, 'b': [True,],}\n\n",
    "broken": '{"a": 6 * 7}\n\n',
    "fences": '```json\n{"a": 1}\n```\n',
    "tags": "<a><b>",
    "reasoning": "<think>x</think>",
    "unseen": "\u202e",
    "depth": '{"a":[',
}


@pytest.mark.parametrize("unit", FAMILIES.values(), ids=FAMILIES.keys())
def test_the_page_is_linear_in_size(js, page, unit):
    limits = js.Limits(max_depth=None)
    sizes = [len(page(unit * count, limits=limits, truncated="keep")) for count in (600, 1200, 2400)]
    assert sizes[2] - sizes[1] <= 2.2 * (sizes[1] - sizes[0]) + 2000
    assert sizes[2] <= 100 * 2400 * len(unit)


def test_long_lists_end(page):
    shown = page('{"a": 1} and ' * 1000)
    assert shown.count('id="candidate-') == 300 and "And 700 more." in shown
    assert shown.count('href="#candidate-') == 299  # one of them is the answer
    shown = page(MANY_REPAIRS)
    assert shown.count('id="repair-') == 300 and "And 500 more." in shown
    assert shown.count('id="at-') == 800
    assert "and 4,609 more" in section(page('{"a": "' + "x" * 5000 + '"}.'), "candidates")


def test_unknown_options_and_wrong_types_are_the_callers_errors(page):
    with pytest.raises(TypeError):
        page("{}", colour="red")
    with pytest.raises(ValueError, match="expect"):
        page("{}", expect="dict")
    with pytest.raises(TypeError, match="int"):
        page(3)


def test_every_link_in_the_page_leads_somewhere(page):
    for raw in (RESPONSE, "nothing", MANY_REPAIRS, '{"a": [1'):
        shown = page(raw)
        anchors = re.findall(r' id="([^"]+)"', shown)
        assert len(anchors) == len(set(anchors))
        assert set(re.findall(r'href="#([^"]+)"', shown)) <= set(anchors)
