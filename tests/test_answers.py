"""The rules of conformance/RULES.md, each by its id: which text is the answer."""

from __future__ import annotations

from typing import Any

import pytest

A: dict[str, Any] = {"a": 1}
B: dict[str, Any] = {"b": 2}
NONE, INVALID, CUT, AMBIGUOUS = "no-json", "invalid", "truncated", "ambiguous"

# rule, text, the value or the code of the error under default options
STRICT: list[tuple[str, str, Any]] = [
    # the whole text
    ("ANS-1", '{"a": 1}', A),
    ("ANS-1", ' \n[1, 2]\t', [1, 2]),
    ("ANS-1", '\ufeff{"a": 1}', A),
    ("ANS-1", '{"a": "```json\\n{}\\n```"}', {"a": "```json\n{}\n```"}),
    ("ANS-1", '{"a": "<think>x</think>"}', {"a": "<think>x</think>"}),
    ("ANS-1", '{"a": "x,} y"}', {"a": "x,} y"}),
    ("ANS-1", "{}", {}),
    ("ANS-1", "[]", []),
    ("ANS-1", '["[1]"]', ["[1]"]),
    ("ANS-2", "42", NONE),
    ("ANS-2", '"{\\"a\\": 1}"', NONE),
    ("ANS-2", "null", NONE),
    ("ANS-4", "", NONE),
    ("ANS-4", "No JSON here.", NONE),
    ("ANS-4", "- **LATE**", NONE),
    ("ANS-4", "| a | b |\n|---|---|\n| 1 | 2 |", NONE),
    ("ANS-4", "stop } here", NONE),
    # fences
    ("FENCE-1", 'Sure:\n```json\n{"a": 1}\n```\nDone.', A),
    ("FENCE-1", '```\n{"a": 1}\n```', A),
    ("FENCE-1", '~~~json\n{"a": 1}\n~~~', A),
    ("FENCE-1", '   ```json\n{"a": 1}\n   ```', A),
    ("FENCE-1", '```JSON\n{"a": 1}\n```', A),
    ("FENCE-1", '```json title="x.json"\n{"a": 1}\n```', A),
    ("FENCE-1", '``` json\r\n{"a": 1}\r\n```\r\n', A),
    ("FENCE-2", '````json\n{"a": "``` and ```"}\n````', {"a": "``` and ```"}),
    ("FENCE-2", '````\n```json\n{"a": 1}\n```\n````', A),
    ("FENCE-3", '```json{"a": 1}```', A),
    ("FENCE-3", 'Here:```{"a": 1}``` and so on', A),
    ("FENCE-3", '```json {"a": 1} ```', A),
    ("FENCE-3", '```json [1, 2] ```', [1, 2]),
    ("FENCE-3", 'Result: ```json\n{"a": 1}\n```', A),
    ("FENCE-4", '```json\n{"a": 1}', A),
    ("FENCE-4", '```json\n{"a": 1}\n\nThat is all.', A),
    ("FENCE-5", '```\nPlan\n```json\n{"a": 1}\n```\nend\n```', A),
    ("FENCE-5", '```markdown\n# Title\n```json\n{"a": 1}\n```\n```', A),
    ("FENCE-6", '{"a": 1}```', A),
    ("FENCE-6", '```json\n{"a": 1}```\nThen {x: y}', A),
    ("FENCE-8", '[```json\n[1, 2]\n```]', [1, 2]),
    ("FENCE-8", 'json\n```json\n{"a": 1}\n```', A),
    ("FENCE-9", '```\nNo changes.\n```', NONE),
    ("FENCE-9", '```bash\nmake ${TARGET}\n```\n```json\n{"a": 1}\n```', A),
    ("FENCE-9", '```python\nprint({"b": 2})\n```', NONE),
    ("FENCE-9", '```python\nx = foo({"b": 2})\n```\n\n{"a": 1}', A),
    ("FENCE-9", '```js\nfunction f() { return {"b": 2} }\n```\nThe answer is {"a": 1}', A),
    ("FENCE-9", '```json5\n{"a": 1}\n```', A),
    ("FENCE-9", '```yaml\n{"a": 1}\n```', A),
    ("FENCE-9", '```js\nconst x = {"a": 1};\n```', A),
    ("FENCE-9", '```text\nThe result:\n{"a": 1}\n```', A),
    # reasoning
    ("TAG-1", '<think>{"b": 2}</think>{"a": 1}', A),
    ("TAG-1", '<thinking>\n{"b": 2}\n</thinking>\n```json\n{"a": 1}\n```', A),
    ("TAG-1", '<reasoning effort="high">{"b": 2}</reasoning>\n{"a": 1}', A),
    ("TAG-1", '<THINK>{"b": 2}</THINK>{"a": 1}', A),
    ("TAG-1", '[THINK]{"b": 2}[/THINK]{"a": 1}', A),
    ("TAG-1", '◁think▷{"b": 2}◁/think▷{"a": 1}', A),
    ("TAG-1", '<|begin_of_thought|>{"b": 2}<|end_of_thought|>{"a": 1}', A),
    ("TAG-1", '<seed:think>{"b": 2}</seed:think>{"a": 1}', A),
    ("TAG-1", '<scratchpad>{"b": 2}</scratchpad>\n{"a": 1}', A),
    ("TAG-1", '<details type="reasoning"><summary>Thought</summary>{"b": 2}</details>\n{"a": 1}', A),
    ("TAG-1", '{"a": 1}\n<think>{"b": 2}</think>', A),
    ("TAG-1", "<think>So \\sqrt{n} and x_{i, j+1}</think>{\"a\": 1}", A),
    ("TAG-2", 'Perhaps {"b": 2}.\n</think>\n{"a": 1}', A),
    ("TAG-2", '{"b": 2}\n</think>\n\n```json\n{"a": 1}\n```', A),
    ("TAG-2", '<think>I mention </think> here: {"b": 2}\n</think>{"a": 1}', A),
    ("TAG-2", '{"b": 2}</think>', NONE),
    ("TAG-3", '<think>plan: {"b": 2} and', NONE),
    ("TAG-3", '{"a": 1}\n<think>Or rather {"b": 2}', A),
    ("TAG-3", 'Use the <think> tag: {"a": 1}', A),
    ("TAG-3", '<thought <thought {"a": 1}', A),
    ("TAG-3", 'Wrap it in `<think>` and `</think>`: {"a": 1}', A),
    ("TAG-4", '<tool_call>\n{"a": 1}\n</tool_call>', A),
    ("TAG-4", '[TOOL_CALLS] [{"a": 1}]', [A]),
    ("TAG-4", '<|python_tag|>{"a": 1}', A),
    ("TAG-4", '<function=f>{"a": 1}</function>', A),
    ("TAG-4", '<|tool_calls_section_begin|><|tool_call_begin|>f:0<|tool_call_argument_begin|>{"a": 1}<|tool_call_end|>', A),
    ("TAG-4", '<\uff5cDSML\uff5cinvoke name="s">\n<\uff5cDSML\uff5cparameter name="q">["x"]</\uff5cDSML\uff5cparameter>', ["x"]),
    ("TAG-4", '[{"a": 1}]</tasks>\n</invoke>', [A]),
    ("TAG-4", '<blocks>\n[{"a": 1}]\n</blocks>\n<score>5</score>', [A]),
    ("TAG-4", '<parameter name="edits">[{"a": 1}]</parameter>', [A]),
    ("TAG-5", '```json\n{"b": 2}\n```\n<answer>{"a": 1}</answer>', A),
    ("TAG-5", '<answer>\n```json\n{"a": 1}\n```\n</answer>\n```json\n{"b": 2}\n```', A),
    ("TAG-5", 'Put it in <answer> tags: {"b": 2}\n<answer>{"a": 1}</answer>', A),
    ("TAG-6", '<|channel|>analysis<|message|>{"b": 2}<|end|><|start|>assistant<|channel|>final<|message|>{"a": 1}<|return|>', A),
    ("TAG-6", '<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"a": 1}<|call|>', A),
    ("TAG-6", '<|channel|>analysis<|message|>{"b": 2}', NONE),
    # candidates
    ("CAND-1", '{"b": {"a": 1}, "c": }', INVALID),
    ("CAND-1", '[{"a": 1}, {"b": oops]', INVALID),
    ("CAND-2", 'Chat {about sailing}: {"a": 1}', A),
    ("CAND-2", '{"a": 1}\n\nSwap {old} for {new}.', A),
    ("CAND-2", " ".join(f"{{s{i}}}" for i in range(60)) + '\nAnswer: {"a": 1}', A),
    ("CAND-2", 'S = {x | x > 0}, T = {1, 2}. Answer: {"a": 1}', A),
    ("CAND-2", "Let S = {x : x > 0}.", NONE),
    ("CAND-2", 'Great :-} go :-{ [sic]: {"a": 1} :]', A),
    ("CAND-2", "{Note: casing kept as is} is what I did.", NONE),
    ("CAND-2", 'Pulling. {Note: kept as is}\nResult: {"a": 1}', A),
    ("CAND-2", 'Set ${name: "x"} first: {"a": 1}', A),
    ("CAND-2", "Solve \\frac{1}{2} and \\{x: 1\\}.", NONE),
    ("CAND-2", '{"satisfied" {"satisfied" {"satisfied" no end', NONE),
    ("CAND-2", "body { color: red; } is CSS", NONE),
    ("CAND-3", 'As in [1] and [PR #30]: {"a": 1}.', A),
    ("CAND-3", "See [1], [2, 3] and [4-6].", NONE),
    ("CAND-3", "A [link](http://x.example) and a [x] box.", NONE),
    ("CAND-2", 'Here it is: {"na', CUT),
    ("CAND-2", "The brace { and", NONE),
    ("CAND-2", "Ends with {", NONE),
    ("CAND-3", "[1] Smith, 2020. A paper.", NONE),
    ("CAND-3", "[INFO] started\n[WARN] slow", NONE),
    ("CAND-3", 'tags is a list[str], xs[0] and d["k"].', NONE),
    ("CAND-3", "The answer: [1, 2, 3]", [1, 2, 3]),
    ("CAND-3", 'The tags are ["x", "y"].', ["x", "y"]),
    ("CAND-3", 'Result:\n[1, 2, 3]', [1, 2, 3]),
    ("CAND-3", '<sources>[1] First source</sources>\n{"a": 1}', A),
    ("CAND-3", '<answer>\n[1] First\n[2] Second\n\n{"a": 1}\n</answer>', A),
    ("CAND-3", '<ref>[1]</ref> {"a": 1}', A),
    ("CAND-3", '<b>[1]</b> x\n{"a": 1}', A),
    ("CAND-3", '<list>[1, 2]</list>\n{"a": 1}', [1, 2]),
    ("CAND-3", '<list>[1, 2]</list></all>\n{"a": 1}', [1, 2]),
    ("CAND-3", '<answer>[1, 2]</answer> it is', [1, 2]),
    ("TAG-3", '\ufeff<think>{"a": 1}', NONE),
    ("LINE-1", '\ufeff- {"a": 1}\n- {"a": 2}', AMBIGUOUS),
    ("LINE-1", 'A\n\u200b\u2060> [1, 2]', [1, 2]),
    ("CAND-4", 'They wrote {"b": true, "r": "ok. Mine: {"a": 1}', A),
    ("CAND-5", '{"a": 1}, "b": 2}', INVALID),
    # ranks
    ("RANK-1", 'Inline {"b": 2} first.\n```json\n{"a": 1}\n```', A),
    ("RANK-1", '{"b": 2}\n```json\n{"a": 1}\n```', A),
    ("RANK-1", '```js\n{"b": 2}\n```\n{"a": 1}', A),
    ("RANK-1", 'I said {"b": 2} before.\n\n{"a": 1}', A),
    ("RANK-1", 'I will not run {"b": 2} because.\nAnswer: {"a": 1}', A),
    ("RANK-2", '{"b": [1, 2,]}\n\nand\n\n{"a": 1}', A),
    ("RANK-3", '```json\n{"a": 1}\n```\nand\n```json\n{"b": 2}\n```', A),
    # among equals
    ("SEL-1", '{"a": 1}\n\nAgain:\n\n{"a": 1}', A),
    ("SEL-2", '{}{"a": 1}', A),
    ("SEL-2", '```json\n{}\n```\n\n{"a": 1}', A),
    ("SEL-2", '{"a": 1}{"b": 2', AMBIGUOUS),
    ("SEL-2", '{}\n{"b":', CUT),
    ("SEL-1", '{"a": "x"}\n{"a": "x', AMBIGUOUS),
    ("SEL-3", '{"properties": {"a": {"type": "integer"}}, "required": ["a"]}\n\n{"a": 1}', A),
    ("SEL-3", '{"$schema": "x", "version": 3}\n\n{"a": 1}', {"$schema": "x", "version": 3}),
    ("SEL-3", '{"properties": {"p": {"title": "Home"}}}\n\nTotal:\n{"n": 1}', {"properties": {"p": {"title": "Home"}}}),
    ("SEL-3", '{"properties": {"a": {"type": "integer"}}}\n{"a": 1}', A),
    ("SEL-3", '[1]\n\n{"properties": {"a": {}}}', [1]),
    ("SEL-3", '{"type": "Feature", "properties": {"n": 1}}\n\nand\n\n{"a": 1}', {"type": "Feature", "properties": {"n": 1}}),
    ("SEL-4", 'Format:\n```json\n{"a": "string"}\n```\n```json\n{"a": "x"}\n```', {"a": "x"}),
    ("SEL-4", '{"a": "<name>", "b": "yes|no"}\n\n{"a": "Al", "b": "yes"}', {"a": "Al", "b": "yes"}),
    ("SEL-4", '{"a": "..."}', {"a": "..."}),
    ("SEL-4", '{"a": "..."}\n\n{"b": 2}', {"b": 2}),
    ("SEL-4", '{"a": "..."}\n{"b": 2}', {"b": 2}),
    ("SEL-4", '{"a": "A"}\n{"p": 0.9}', AMBIGUOUS),
    ("SEL-4", '{"a": "A"}\n\n{"a": "B"}', {"a": "A"}),
    ("SEL-4", '["a"]\n["b"]', AMBIGUOUS),
    ("SEL-4", '{"a": "string"}\n{"a": "x"}', AMBIGUOUS),
    ("SEL-4", '```json\n{"a": "A"}\n```\nUsage:\n```json\n{"tokens": 5}\n```', {"a": "A"}),
    ("SEL-4", '{"a": "date", "b": "x|y", "c": "[1]"}\n\n{"p": 0.9}', {"a": "date", "b": "x|y", "c": "[1]"}),
    ("SEL-4", '{"a": "date", "b": "x|y"}\n\n{"b": "x", "p": 0.9}', {"b": "x", "p": 0.9}),
    ("SEL-4", '{"a": "date", "b": "x|y", "c": 1}\n\n{"b": "x", "p": 0.9}', {"a": "date", "b": "x|y", "c": 1}),
    ("SEL-4", '["a|b"]\n\n["a"]', ["a|b"]),
    ("SEL-4", '{"q": "the weather"}\n\n{"q": "x"}', {"q": "the weather"}),
    ("SEL-4", '{"q": "The Great Dictator"}\n\n{"q": "x"}', {"q": "The Great Dictator"}),
    ("SEL-4", '{"q": "the weather there"}\n\n{"q": "x"}', {"q": "x"}),
    ("SEL-4", '{"q": "Your Name"}\n\n{"q": "x"}', {"q": "x"}),
    ("SEL-5", 'Draft:\n```json\n{"b": 2}\n```\nNow:\n```json\n{"a": 1}\n```', A),
    ("SEL-5", 'One:\n```json\n{"b": 2}\n```\nCorrected:\n```json\n{"a": 1}\n```', A),
    ("SEL-5", 'For example:\n{"b": 2}\n\nHere you go:\n{"a": 1}', A),
    ("SEL-5", 'As the input was valid, the output is:\n{"b": 2}\n\nNotes:\n{"a": 1}', {"b": 2}),
    ("SEL-5", 'Nothing wrong with it:\n{"b": 2}\n\nLog:\n{"a": 1}', {"b": 2}),
    ("SEL-5", 'Format:\n{"b": 2}\n\nHere it is:\n{"a": 1}', {"b": 2}),
    ("SEL-5", 'Format:\n{"a": 2}\n\nThat of yesterday:\n{"a": 1}', A),
    ("SEL-5", 'For example, the following:\n{"b": 2}\n\n{"a": 1}', A),
    ("SEL-5", 'Example of a good one:\n{"b": 2}\n\n{"a": 1}', A),
    ("SEL-5", 'My first attempt:\n{"b": 2}\n\n{"a": 1}', A),
    ("SEL-5", 'First:\n{"a": 2}\n\nSecond:\n{"a": 1}', {"a": 2}),
    ("SEL-5", 'Draft:\n{"a": 1}\n\nNarrated {"a": 2} is it.', A),
    ("SEL-5", 'Draft:\n{"a": 1}\n\nExample:\n{"a": 2}', A),
    ("SEL-5", 'Original:\n[1, 2]\n\nSorted by size:\n[2, 1]', [2, 1]),
    ("SEL-5", 'Examples:\n{"a": 1}\n{"a": 2}', AMBIGUOUS),
    ("SEL-5", '{"b": 2}\n\nIf you want a better format, use:\n{"a": 1}', {"b": 2}),
    ("SEL-5", '{"b": 2}\n\nLast updated:\n{"a": 1}', {"b": 2}),
    ("SEL-5", '{"b": 2}\n\nUpdated:\n{"a": 1}', {"b": 2}),
    ("SEL-5", '{"a": 2}\n\nUpdated:\n{"a": 1}', A),
    ("SEL-5", '{"a": 2}\n\nNo, wait!\n{"a": 1}', A),
    ("SEL-5", '{"b": 2}\n\nWait! Here\'s the **corrected** JSON with the comma:\n{"a": 1}', A),
    ("SEL-5", '{"b": 2}\n\nBased on the first query, the answer:\n{"a": 1}', A),
    ("SEL-5", '{"b": 2}\n\nAfter review:\n{"a": 1}', A),
    ("SEL-5", '{"b": 2}\n\nReview:\n{"a": 1}', {"b": 2}),
    ("SEL-5", '{"b": 2}\n\nThe \u212aorrected answer:\n{"a": 1}', {"b": 2}),
    ("SEL-5", '```json\n{"b": 2}\n```\nFinal: {"a": 1}', {"b": 2}),
    ("SEL-5", 'The answer:\n{"b": 2}\n\nFinal:\n{"a": 1}', {"b": 2}),
    ("SEL-5", '<answer>\nDraft:\n{"a": 2}\n\nNow:\n{"a": 1}\n</answer>', A),
    ("SEL-5", '<answer>\n{"b": 2}\n\nNo, that was wrong. Corrected:\n{"a": 1}\n</answer>', A),
    ("SEL-5", '<answer>{"b": 2}</answer>\n\nFinal:\n{"a": 1}', {"b": 2}),
    ("SEL-5", 'Draft:\n{"a": 1}\n\nFinal:\n{"a": 2, "b": oops oops}', INVALID),
    ("SEL-5", 'Draft:\n{"a": 1}\n\n{"a": 2, "b": oops oops}', INVALID),
    ("SEL-5", '{"a": 1}\n\nCorrected:\n{"a": 2, "b": oops oops}', INVALID),
    ("SEL-8", 'Draft:\n{"a": 1}\n\nNotes:\n{"b": 2}', AMBIGUOUS),
    ("SEL-8", 'Format:\n{"a": "..."}\n\nNotes:\n{"b": 2}', AMBIGUOUS),
    ("SEL-8", 'Draft:\n{"a": 1}\n\nI would not run {"b": 2} now.', A),
    ("SEL-8", '```json\n{"a": 1}\n```\nDraft:\n{"b": 2}\n\nNotes:\n{"c": 3}', A),
    # joined values
    ("JOIN-1", '{"a": 1}, {"b": 2}', AMBIGUOUS),
    ("JOIN-2", '{"a": 1}\n{"b": 2}\n', AMBIGUOUS),
    ("JOIN-3", '{"a": 1}{"b": 2}', AMBIGUOUS),
    ("JOIN-4", '{"a": 1}{"a": 1}', A),
    # truncation
    ("TRUNC-1", '{"a": 1, "b": [2', CUT),
    ("TRUNC-1", '```json\n{"a": 1, "b": [2', CUT),
    ("TRUNC-1", '```json\n{"a": 1, "b": [2\n```\nDone.', CUT),
]


def outcome(js: Any, text: str, **options: Any) -> Any:
    try:
        return js.loads(text, **options)
    except js.InvalidJSONError:
        return INVALID
    except js.JSONScanError as error:
        return error.code


@pytest.mark.parametrize(("rule", "text", "expected"), STRICT, ids=[f"{rule}:{at}" for at, (rule, _, _) in enumerate(STRICT)])
def test_the_answer_under_default_options(js: Any, rule: str, text: str, expected: Any) -> None:
    assert outcome(js, text) == expected
    found = outcome(js, text) if expected in (INVALID, CUT, AMBIGUOUS) else js.search(text)
    if expected == NONE:
        assert found is None
    elif found is not None and not isinstance(found, str):
        assert found.value == expected
        assert js.loads(found.text) == expected


# -- with repairs

REPAIRED: list[tuple[str, str, str, Any]] = [  # rule, level, text, the value or the code of the error; truncated="keep"
    ("ANS-3", "full", '"{\\"a\\": 1}"', A),
    ("ANS-3", "full", '"a {\\"a\\": 1}"', NONE),
    ("ANS-5", "full", '"a": 1, "b": {"c": 2}}', {"a": 1, "b": {"c": 2}}),
    ("ANS-5", "full", '"a": 1, "b": [2', {"a": 1, "b": []}),
    ("ANS-5", "safe", '"a": {"b": 2}', INVALID),
    ("ANS-5", "full", '"a": {"b": 2 3 4}', INVALID),
    ("FENCE-7", "safe", '{"md": "# T\n```python\nx = 1\n```\nend", "n": 1}', {"md": "# T\n```python\nx = 1\n```\nend", "n": 1}),
    ("FENCE-7", "safe", '```json\n{"md": "a\n```py\nb\n```\nc"}\n```', {"md": "a\n```py\nb\n```\nc"}),
    ("FENCE-7", "full", '```json\n{"a": "cut\n```\nHe said "hi".', {"a": "cut\n"}),
    ("FENCE-7", "full", '<tool_call>{"a": 1, "b": {"c": 2}</tool_call>', {"a": 1, "b": {"c": 2}}),
    ("FENCE-7", "full", '<answer>Here: {"a": 1, "b": [2,</answer> so be it', {"a": 1, "b": [2]}),
    ("FENCE-7", "safe", '<x>{"a": 1,}', A),
    ("FENCE-9", "full", "```js\nexport default {a: 1};\n```", A),
    ("CAND-1", "off", '{"a": {"b": 2}, "c": x}', INVALID),
    ("CAND-1", "safe", '{"a": {"b": 2}, "c": x}', INVALID),
    ("CAND-1", "full", '[{"i":1 : {"i":2}]', INVALID),
    ("CAND-1", "full", '{"k": [1], [2], "m": {"a": 1} }\n\n{"a": 1}', A),
    ("CAND-2", "full", "{'a' : 1, b: 2}", {"a": 1, "b": 2}),
    ("CAND-2", "full", "It is {a: 1}.", A),
    ("CAND-2", "full", "It is {a: b}.", NONE),
    ("CAND-2", "full", "{{\"a\": 1}}", A),
    ("CAND-2", "full", '{"a": 1, "b', A),
    ("CAND-2", "safe", '{"say \\"it\'s', {}),
    ("CAND-2", "safe", '{"say \\', {}),
    ("CAND-2", "full", "{", {}),
    ("CAND-2", "full", '{"a', {}),
    ("CAND-2", "full", "{a b}", NONE),
    ("CAND-2", "full", "f{a: 1}", NONE),
    ("CAND-2", "full", "class A {}", NONE),
    ("CAND-2", "full", "Found: {}", {}),
    ("CAND-2", "full", "｛\"a\"：1｝", A),
    ("CAND-3", "full", "callback([1, 2]);", [1, 2]),
    ("CAND-3", "full", "/* x */ callback([])", []),
    ("CAND-3", "full", 'see ["a", "b', NONE),
    ("CAND-4", "full", '{"x": "However, {"b": "m"}, which is not"}', {"x": 'However, {"b": "m"}, which is not'}),
    ("CAND-5", "full", '{"a": 1}, "b": 2}', {"a": 1, "b": 2}),
    ("CAND-5", "full", '{"a": 1}, "b": 2, c: 3}', {"a": 1, "b": 2, "c": 3}),
    ("CAND-5", "full", '{"a": 1}, "b": ' + '"' + "x" * 9000 + '"}', {"a": 1, "b": "x" * 9000}),
    ("CAND-5", "full", '{"a": 1}, "b": 2}, "c": 3}', INVALID),
    ("JOIN-5", "full", '{"a": 1}, {"b": 2}', [A, B]),
    ("JOIN-5", "full", '{"a": 1}\n{"b": 2}\n', [A, B]),
    ("JOIN-5", "full", '{"a": 1}{"b": 2}', [A, B]),
    ("JOIN-5", "full", '{"a": 1}\n{"b": 2}\n{"a": 1}', [A, B, A]),
    ("JOIN-5", "full", '- {"a": 1}\n- {"b": 2,}', [A, B]),
    ("JOIN-5", "full", '/* 1 */\n{"a": 1}\n\n/* 2 */\n{"b": 2}\n', [A, B]),
    ("JOIN-5", "full", '/* 1 */\n{"a": 1},\n\n/* 2 */\n{"b": 2},\n', [A, B]),
    ("JOIN-4", "full", '{"a": 1}, {"a": 1}', [A, A]),
    ("JOIN-4", "safe", '{"a": 1}, {"a": 1}', A),
    ("FENCE-4", "full", '{"a": "x}```', {"a": "x"}),
    ("KIND-3", "full", "The pair:\n```json\n(1, 'x')\n```\n", [1, "x"]),
    ("KIND-3", "full", "```json\n(1, 'x') y\n```\n[2]", [2]),
    ("KIND-3", "full", "```py\nfoo()\n```\n\n(See below.)", NONE),
    ("KIND-3", "full", '```py\nfoo()\n```\n"a": 1 is a member.', NONE),
    ("KIND-3", "full", '```\n```json\n(1, 2)\n```', [1, 2]),
    ("KIND-3", "full", '```json\n({"a": 1})\n```', {"a": 1}),
    ("KIND-3", "full", '```json\n({"a": 1},\n)\n```', [{"a": 1}]),
    ("KIND-3", "safe", "```json\n(1, 2)\n```\n", NONE),
    ("JOIN-4", "full", '{"a": "<x>"}\n{"a": "y"}', {"a": "y"}),
    ("TRUNC-1", "safe", 'So: {"a": 1, "b": [2', {"a": 1, "b": []}),
    ("TRUNC-1", "full", "2.", NONE),
    ("TRUNC-2", "safe", '{"a": 1, "b": {"c": 2}\n\nHope this helps!', {"a": 1, "b": {"c": 2}}),
    ("TRUNC-2", "safe", '{"a": 1, "b": {"c": 2 x\n\nHope this helps!', INVALID),
    ("TRUNC-2", "full", '{"a": 1 2 3\n\n{"b": 2} oops', INVALID),
    ("ANS-5", "full", '```json\n"a": 1\n```', A),
    ("ANS-5", "safe", '```json\n"a": {"b": 2}\n```', INVALID),
    ("CAND-3", "full", 'functools[{"a": 1}]', [A]),
    ("CAND-3", "full", '<![CDATA[{"a": 1}]]>', A),
    ("CAND-3", "full", "as is [1].", NONE),
    ("CAND-3", "full", "they are [1, 2].", [1, 2]),
    ("TAG-1", "full", '</example>{"a": 1}', A),
    ("CAND-5", "full", '{"a":1}, "b":' * 3, INVALID),
    ("CAND-5", "full", '{"a":1}, "b": 1 2 3}\n\n' * 9, INVALID),
    ("CAND-7", "full", '{"a": b c} d"}', INVALID),
    ("CAND-2", "full", '{"a": "six feet (72") tall"}', {"a": 'six feet (72") tall'}),
    ("CAND-2", "full", "{\"a\" 'b'}", {"a": "b"}),
    ("TAG-5", "safe", "<answer>{'a': 1}</answer> and {\"b\": 2}", A),
]


@pytest.mark.parametrize(("rule", "level", "text", "expected"), REPAIRED, ids=[f"{row[0]}:{at}" for at, row in enumerate(REPAIRED)])
def test_the_answer_with_repairs(js: Any, rule: str, level: str, text: str, expected: Any) -> None:
    assert outcome(js, text, repair=level, truncated="keep") == expected


ANY: list[tuple[str, Any]] = [
    ("42", 42), ("true", True), ('"x"', "x"), ("'x'", "x"), ("```json\n42\n```", 42), ("<answer>\"x\"</answer>", "x"), ("<answer>42", 42),
    ("callback(2)", 2), ("two words", "two words"), ("It is a sentence.", NONE), ("Text with [1] in it", NONE), ("[e],", ["e"]),
    ("trueble", "trueble"), ("0.0.1", "0.0.1"), ('"a 24" screen"', 'a 24" screen'), ('"a" "b", "c"', NONE),
    ('"the list [1, 2"] more"', 'the list [1, 2"] more'), ('"((72")) "tall""', '((72")) "tall"'),
    ('"a"] "b', NONE), ("/", NONE), ('"', NONE),
    ("/[a-z]_/i", "/[a-z]_/i"), ("She said: no way", "She said: no way"), ("Answer: yes", NONE),
    ("2.", 2.0), ("2e+", 2.0), ("yes\nno", ["yes", "no"]), ("- -", NONE),
    ("```json\nhello\n```", NONE), ("```json\n{\"a\": 1}\n```", A), ("", NONE), ("{'k1', 'k2'}", NONE),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), ANY)
def test_any_kind_of_root(js: Any, text: str, expected: Any) -> None:
    assert outcome(js, text, expect="any", repair="full") == expected


# -- options

TWO = '{"a": 1} and then\n\n[1, {"b": 2}]'


def test_select(js: Any) -> None:
    assert js.loads(TWO, select="first") == A
    assert js.loads(TWO, select="last") == [1, B]
    assert js.loads(TWO, select="largest") == [1, B]
    assert js.loads(TWO, select=lambda matches: matches[-1]) == [1, B]
    assert outcome(js, TWO, select=lambda matches: None) == NONE
    assert outcome(js, "none", select="last") == NONE
    assert outcome(js, '{"a": x}', select="first") == INVALID


def test_sole(js: Any) -> None:
    with pytest.raises(js.AmbiguousJSONError) as caught:
        js.loads(TWO, select="sole")
    assert [match.value for match in caught.value.matches] == [A, [1, B]]
    assert "at lines 1, 3" in caught.value.hint()
    assert js.loads('{"a": 1}\n\n{}\n\n{"a": 1}', select="sole") == A
    assert js.loads('{"a": 1, "b": 2}\n\n{"b": 2, "a": 1}', select="sole") == {"a": 1, "b": 2}
    assert outcome(js, '{"a": 1}\n\n{"a": 1.0}', select="sole") == AMBIGUOUS
    assert outcome(js, '{"a": 1}\n\n{"a": true}', select="sole") == AMBIGUOUS
    assert outcome(js, '{"a": "<x>"}\n\n{"a": "y"}', select="sole") == AMBIGUOUS
    assert outcome(js, '{"a": 1}\n\n{"b": x}', select="sole") == AMBIGUOUS
    assert outcome(js, '{"a": 1}\n\nCorrected: {"a', select="sole") == AMBIGUOUS
    assert outcome(js, "none", select="sole") == NONE
    assert outcome(js, '{"b": x}', select="sole") == INVALID


def test_sole_refuses_what_is_only_mentioned(js: Any) -> None:
    text = 'I will not run {"name": "rm"} because that is unsafe.'
    assert outcome(js, text, select="sole") == AMBIGUOUS
    assert js.loads(text) == {"name": "rm"}
    assert js.loads('Calling: {"name": "ls"} now.', select="sole") == {"name": "ls"}


def test_expect(js: Any) -> None:
    assert js.loads(TWO, expect="object") == A
    assert js.loads(TWO, expect="array") == [1, B]
    assert outcome(js, '[{"a": 1}]', expect="object") == NONE
    assert outcome(js, 'x [{"a": 1}] y', expect="object") == NONE
    assert outcome(js, '{"a": [1, x]}', expect="array") == NONE
    assert js.loads('{"a": 1}, {"b": 2}', expect="object", repair="full") == A
    assert js.loads("[a, b]", expect="array", repair="full") == ["a", "b"]
    with pytest.raises(js.NoJSONError, match="not an array"):
        js.loads('x {"a": 1} y', expect="array")


def test_duplicate_keys(js: Any) -> None:
    assert js.loads('{"a": 1, "a": 2}') == {"a": 2}
    assert js.loads('{"a": 1, "a": 2}', duplicate_keys="first") == A
    with pytest.raises(js.InvalidJSONError, match="stands in its object already") as caught:
        js.loads('x {"a": 1, "a": 2} y', duplicate_keys="raise")
    assert (caught.value.code, caught.value.pos) == ("duplicate-key", 11)


def test_big_integers(js: Any) -> None:
    text = "[9007199254740993]"
    assert js.loads(text) == [9007199254740993]
    assert js.loads(text, big_int="str") == ["9007199254740993"]
    assert isinstance(js.loads(text, big_int="float")[0], float)


def test_limits(js: Any) -> None:
    def limit(text: Any, **bounds: int) -> Any:
        with pytest.raises(js.LimitError) as caught:
            js.loads(text, repair="full", limits=js.Limits(**bounds))
        return caught.value.limit, caught.value.value

    assert limit("[[[]]]", max_depth=2) == ("max_depth", 2)
    assert limit("x [[[]]]", max_depth=2) == ("max_depth", 2)
    assert limit("[12345]", max_digits=4) == ("max_digits", 4)
    assert limit('{"a": 1, b: 2, c: 3}', max_repairs=1) == ("max_repairs", 1)
    assert limit("{a} {\"b\": 1} {\"c\": 1}", max_candidates=1) == ("max_candidates", 1)
    assert limit("[1]", max_input=2) == ("max_input", 2)
    assert limit("[\"é\"]".encode(), max_input=5) == ("max_input", 5)
    assert limit('"' + "[" * 9 + '"', max_input=2) == ("max_input", 2)
    assert js.loads("[[[]]]", limits=js.Limits(max_depth=3)) == [[[]]]
    assert js.loads("[[[]]]", limits=js.Limits(max_depth=None, max_digits=None, max_repairs=None)) == [[[]]]
    with pytest.raises(js.LimitError):
        js.fullmatch("[[[1,]]]", limits=js.Limits(max_depth=2))


# -- the functions


def test_search_says_where(js: Any) -> None:
    text = 'Ah:\n```json5 x\n{"a": 1,}\n```'
    match = js.search(text)
    assert (match.span(), match.text, match.source, match.fence) == ((15, 24), '{"a": 1,}', "fence", "json5")
    assert [(edit.code, edit.start, edit.end) for edit in match.repairs] == [("trailing-comma", 22, 23)]
    assert js.search("```\n[1]\n```").fence == ""
    assert js.search('{"a": 1}').source == "bare"
    assert js.search(' {"a": 1, } ').source == "bare"
    assert js.search('<x>{"a": 1}</x>').source == "tag"
    assert js.search('[TOOL_CALLS] [{"a": 1}]').source == "tag"
    assert js.search('Say {"a": 1}').source == "prose"
    assert js.search("nothing") is None
    assert js.search("42") is None
    with pytest.raises(js.InvalidJSONError):
        js.search('{"a": x}')


def test_search_keeps_what_was_cut(js: Any) -> None:
    match = js.search('{"a": {"b": "x', truncated="keep")
    assert (match.value, match.complete, match.truncated_at) == ({"a": {"b": "x"}}, False, "/a/b")
    with pytest.raises(js.TruncatedJSONError) as caught:
        js.search('{"a": {"b": "x')
    assert (caught.value.partial, caught.value.path) == ({"a": {"b": "x"}}, "/a/b")


def test_joined_values_are_logged(js: Any) -> None:
    match = js.search('{"a": 1}\n{"b": 2,}', repair="full")
    assert [edit.code for edit in match.repairs] == ["root-array", "missing-comma", "trailing-comma", "root-array"]


def test_an_edit_that_takes_blanks_before_the_value_is_logged_from_the_value_on(js: Any) -> None:
    match = js.search('\u00a0\\"\u00e9', expect="any", repair="full", truncated="keep")
    assert [(edit.start, edit.removed) for edit in match.repairs][:1] == [(1, '\\"\u00e9')]


@pytest.mark.parametrize("text", ['{"a": 1}', 'x {"a": 1} {"b": 2} y'])
def test_a_function_chooses_among_the_matches_it_is_given(js: Any, text: str) -> None:
    assert js.search(text, select=lambda matches: matches[0]).value == A
    with pytest.raises(js.NoJSONError, match="none of the values"):
        js.loads(text, select=lambda matches: None)
    for other in (5, js.search('{"a": 1}')):
        with pytest.raises(TypeError, match="one of the matches"):
            js.loads(text, select=lambda matches, other=other: other)


def test_finditer_and_findall(js: Any) -> None:
    text = '<think>{"x": 0}</think> {"a": 1} then {"b": y} and {"c": 3,}\n```json\n[1]\n```\n{"d": "cut'
    assert js.findall(text) == [A, {"c": 3}, [1]]
    assert js.findall(text, repair="off") == [A, [1]]
    assert js.findall(text, truncated="keep") == [A, {"c": 3}, [1], {"d": "cut"}]
    assert [match.source for match in js.finditer(text)] == ["prose", "prose", "fence"]
    assert js.findall("[1, 2]") == [[1, 2]]
    assert js.findall("42") == []
    assert js.findall('{"a": 1}\n{"b": 2}') == [A, B]
    assert js.findall("none") == []


def test_fragments(js: Any) -> None:
    text = '{"a": {"x": 1}, "b": [[2], {"y": 3}, oops, "c": {"z": 4}'
    found = list(js.finditer(text, repair="off", fragments=True))
    assert [match.value for match in found] == [{"x": 1}, [2], {"y": 3}, {"z": 4}]
    assert {match.source for match in found} == {"fragment"}
    assert js.findall(text, repair="off") == []
    assert js.findall('{"a": 1}', fragments=True) == [A]
    assert js.findall('x {"a": 1} y', fragments=True) == [A]


def test_fullmatch(js: Any) -> None:
    assert js.fullmatch(' {"a": 1} ').span() == (1, 9)
    assert js.fullmatch('{"a": 1,}').value == A
    assert js.fullmatch('{"a": 1,}', repair="off") is None
    assert js.fullmatch('x {"a": 1}') is None
    assert js.fullmatch("42") is None
    assert js.fullmatch("42", expect="any").value == 42
    assert js.fullmatch('{"a": "x') is None
    cut = js.fullmatch('{"a": "x', truncated="keep")
    assert (cut.value, cut.complete, cut.truncated_at) == ({"a": "x"}, False, "/a")
    assert js.fullmatch("-", truncated="keep", expect="any") is None
    assert js.fullmatch('{"a": "b}', truncated="keep") is None


def test_repair(js: Any) -> None:
    assert js.repair('{"a": 1}') == js.Repaired('{"a": 1}', A)
    made = js.repair('{"a": 1,}')
    assert (made.text, made.value, made.changed) == ('{"a": 1}', A, True)
    assert js.repair("42").value == 42
    with pytest.raises(js.JSONScanError):
        js.repair("42", expect="object")
    with pytest.raises(js.InvalidJSONError):
        js.repair('{"a": x}')


def test_scanners_are_values(js: Any) -> None:
    import pickle

    scanner = js.compile(expect="object", repair="off")
    assert scanner == js.compile(repair="off", expect="object")
    assert scanner != js.compile()
    assert scanner != "scanner"
    assert hash(scanner) == hash(js.compile(repair="off", expect="object"))
    assert pickle.loads(pickle.dumps(scanner)) == scanner
    assert "expect='object'" in repr(scanner)
    with pytest.raises(AttributeError):
        scanner.options = None
    with pytest.raises(AttributeError):
        del scanner.options
    assert scanner.loads('x {"a": 1}') == A
    assert scanner.search("x") is None
    assert [match.value for match in scanner.finditer('{"a": 1}')] == [A]
    assert scanner.findall("[1]") == []
    assert scanner.fullmatch('{"a": 1}').value == A
    assert scanner.repair('{"a": 1}').value == A


def test_options_that_are_none(js: Any) -> None:
    with pytest.raises(TypeError):
        js.loads("{}", repairs="full")
    with pytest.raises(ValueError, match="repair must be one of"):
        js.loads("{}", repair="perhaps")

    class Unhashable:
        __hash__ = None  # type: ignore[assignment]

        def __call__(self, matches: Any) -> Any:
            return matches[0]

    assert js.loads(TWO, select=Unhashable()) == A


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_bytes_are_utf8(js: Any, kind: Any) -> None:
    assert js.loads(kind('{"a": "é"}'.encode())) == {"a": "é"}
    assert js.loads(kind(b"\xef\xbb\xbf[1]")) == [1]
    with pytest.raises(js.InvalidJSONError) as caught:
        js.loads(kind(b'{"\xc3\xa9": "\xff"}'))
    assert (caught.value.code, caught.value.pos) == ("encoding", 7)


def test_what_is_no_text(js: Any) -> None:
    class Text(str):
        def __str__(self) -> str:
            return "[2]"

    assert js.loads(Text("[1]")) == [1]
    for raw in (None, 1, ["[1]"], object):
        for function in (js.loads, js.search, js.finditer, js.findall, js.fullmatch, js.repair):
            with pytest.raises(TypeError, match="expected str or bytes, not"):
                function(raw)


def test_errors_say_what_was_wanted(js: Any) -> None:
    for text, complaint, pos in [
        ('{"a": 1 2}', "expected a comma or the closing bracket", 8),
        ('{"b": 2, "a" 1}', "expected a colon", 13),
        ('{"a": x}', "expected a value", 6),
        ('{"a": 1, x y}', "expected a name in double quotes", 9),
        ('{"a": 01x}', "the number breaks off", 7),
        ('{"a": trux}', "this word is no true, false or null", 9),
        ('"a": {"b": 1}', "the opening brace is missing", 0),
        ('{"a": 1}, "b": 2}', "members go on behind the closing brace", 8),
    ]:
        with pytest.raises(js.InvalidJSONError, match=complaint) as caught:
            js.loads(text)
        assert caught.value.pos == pos
    for text, complaint in [("x", "there is no JSON in the text"), ("<think>", "there is only reasoning"), ("42", "the text is a number")]:
        with pytest.raises(js.NoJSONError, match=complaint):
            js.loads(text)


@pytest.mark.parametrize("text", ['{"x": 1}], "total": 2}', '{"x": 1}, {"x": 2}], "total": 2}', '[+1, {"id": 7}, {"id": 8}]',
                                  'a, {"id": 7}}', '[("a", {"id": 7}), ("b", {"id": 8})]', '[Item({"a": 1}), Item({"a": 2})]'])  # fmt: skip
def test_parts_of_what_cannot_be_read_are_no_answers(js: Any, text: str) -> None:
    with pytest.raises(js.InvalidJSONError):
        js.loads(text)
    assert js.findall(text) == []


def test_a_named_value_does_not_take_up_the_members_round_it(js: Any) -> None:
    with pytest.raises(js.InvalidJSONError):
        js.loads('\'name": "foo", "config": {"a": 1}, "x": 2}', repair="full")


def test_fences_in_a_string_of_a_broken_text_are_its_own(js: Any) -> None:
    text = '{"reply": "Run:\n\n```python\nprint({"a": 1})\n```\n\nDone.", "ok": "yes"}'
    with pytest.raises(js.InvalidJSONError):
        js.loads(text)
    assert js.loads(text, repair="full") == {"reply": 'Run:\n\n```python\nprint({"a": 1})\n```\n\nDone.', "ok": "yes"}
    assert js.loads('{"draft": "no\n```json\n{"a": 1}\n```\n') == {"a": 1}


def test_a_list_without_its_opening_bracket_is_values_side_by_side(js: Any) -> None:
    text = '{"a": 1}, {"a": 2}, {"a": 3}]'
    with pytest.raises(js.AmbiguousJSONError):
        js.loads(text)
    assert js.loads(text, repair="full") == [{"a": 1}, {"a": 2}, {"a": 3}]


def test_an_array_round_a_text_that_opens_with_odd_spaces_starts_with_its_bracket(js: Any) -> None:
    match = js.search('\ufeff\ufeff""\n- ', repair="full", expect="any")
    assert (match.start, match.value) == (2, ["", "-"])
    assert [(edit.code, edit.start, edit.inserted) for edit in match.repairs if edit.code == "root-array"] == [
        ("root-array", 2, "["),
        ("root-array", 6, "]"),
    ]


@pytest.mark.parametrize("text", ['[]["', '{"a": 1}\n{"b": "x', "[1], [2"])
def test_joined_values_of_which_one_is_cut_are_cut(js: Any, text: str) -> None:
    match = js.search(text, repair="full", truncated="keep")
    assert (match.complete, match.truncated_at[:2]) == (False, "/1")
    with pytest.raises(js.TruncatedJSONError) as caught:
        js.loads(text, repair="full")
    assert caught.value.partial == match.value


@pytest.mark.parametrize("text", ["&quot;a &quot;b&quot;", '  ""a"" x"', '"a": "b", "c": &quot;d&quot;}'])
def test_no_edit_starts_before_the_text(js: Any, text: str) -> None:
    match = js.search(text, repair="full", truncated="keep", expect="any")
    assert match.repairs
    assert all(match.start <= edit.start and text[edit.start : edit.end] == edit.removed for edit in match.repairs)


@pytest.mark.parametrize("text", [":", "=", "  :", ":="])
def test_a_colon_alone_is_broken(js: Any, text: str) -> None:
    with pytest.raises(js.InvalidJSONError) as caught:
        js.repair(text, repair="full")
    assert (caught.value.code, caught.value.pos) == ("unexpected", len(text) - len(text.lstrip()))


def test_a_text_too_long_to_copy_is_answered_by_the_rules(js: Any, module: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The short way takes slices of it, during which no signal is heard; so nothing depends on that way."""
    answers, text = module("answers"), 'Sure: {"a": [1, 2]}, as asked.'
    assert answers.clean(text, {}) == {"a": [1, 2]}
    monkeypatch.setattr(answers, "_LONG", len(text) - 1)
    assert answers.clean(text, {}) is answers.MISSING
    assert js.compile().loads(text) == {"a": [1, 2]}
