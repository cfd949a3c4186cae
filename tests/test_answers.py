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
    ("CAND-3", "[1] Smith, 2020. A paper.", NONE),
    ("CAND-3", "[INFO] started\n[WARN] slow", NONE),
    ("CAND-3", 'tags is a list[str], xs[0] and d["k"].', NONE),
    ("CAND-3", "The answer: [1, 2, 3]", [1, 2, 3]),
    ("CAND-3", 'The tags are ["x", "y"].', ["x", "y"]),
    ("CAND-3", 'Result:\n[1, 2, 3]', [1, 2, 3]),
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
    ("SEL-3", '{"properties": {"a": {"type": "integer"}}, "required": ["a"]}\n\n{"a": 1}', A),
    ("SEL-3", '```json\n{"$schema": "x"}\n```\n```json\n{"a": 1}\n```', A),
    ("SEL-3", '```json\n{"$schema": "x"}\n```', {"$schema": "x"}),
    ("SEL-3", '{"type": "Feature", "properties": {"n": 1}}\n\nand\n\n{"a": 1}', {"type": "Feature", "properties": {"n": 1}}),
    ("SEL-4", 'Format:\n```json\n{"a": "string"}\n```\n```json\n{"a": "x"}\n```', {"a": "x"}),
    ("SEL-4", '{"a": "<name>", "b": "yes|no"}\n\n{"a": "Al", "b": "yes"}', {"a": "Al", "b": "yes"}),
    ("SEL-4", '{"a": "..."}', {"a": "..."}),
    ("SEL-5", 'Draft:\n```json\n{"b": 2}\n```\nNow:\n```json\n{"a": 1}\n```', A),
    ("SEL-5", 'One:\n```json\n{"b": 2}\n```\nCorrected:\n```json\n{"a": 1}\n```', A),
    ("SEL-5", 'For example:\n{"b": 2}\n\nHere you go:\n{"a": 1}', A),
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
