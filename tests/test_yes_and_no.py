"""Texts that are JSON (`y_`) and texts that are none (`n_`), named as parsing test suites name theirs: the first are never edited under any
level of repair, the second are refused or repaired with a log."""

from __future__ import annotations

import json
from types import ModuleType

import pytest

YES = {
    "y_array_empty": "[]",
    "y_array_blank_inside": "[ \t\r\n]",
    "y_array_nested_empty": "[[],[[]]]",
    "y_array_of_every_kind": '[null,true,false,0,"",[],{}]',
    "y_array_blank_around": " \n[1]\t",
    "y_object_empty": "{}",
    "y_object_empty_name": '{"":0}',
    "y_object_one_name_twice": '{"a":1,"a":2}',
    "y_object_name_of_escapes": '{"\\u0061\\n\\"":1}',
    "y_object_proto": '{"__proto__":{"x":1}}',
    "y_object_name_of_nul": '{"\\u0000":1}',
    "y_object_long_name": '{"' + "k" * 3000 + '":1}',
    "y_object_newlines": '{\n"a"\n:\n1\n}',
    "y_number_zero": "[0]",
    "y_number_minus_zero": "[-0]",
    "y_number_minus_zero_point": "[-0.0]",
    "y_number_exponents": "[1e2,1E2,1e+2,1e-2,1.5e3,0e0,0E+0]",
    "y_number_tiny": "[1e-400]",
    "y_number_long_fraction": "[0." + "3" * 400 + "]",
    "y_number_big_integer": "[123456789012345678901234567890]",
    "y_number_root": "42",
    "y_number_root_blank": " -1.5 ",
    "y_string_root": '"x"',
    "y_string_empty": '""',
    "y_string_every_escape": '["\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9"]',
    "y_string_pair": '["\\ud83d\\ude00"]',
    "y_string_lone_lead": '["\\ud800"]',
    "y_string_lone_trail": '["\\udc00x"]',
    "y_string_delete_raw": '["\x7f"]',
    "y_string_separators_raw": '["\u2028\u2029"]',
    "y_string_emoji_raw": '["😀\U0010ffff"]',
    "y_string_comment": '["/* no */ // none"]',
    "y_string_fence": '["```json\\n{}\\n```"]',
    "y_string_tag": '{"a":"<think>{}</think><answer>[]</answer>"}',
    "y_string_json": '["{\\"a\\": [1, 2,]}"]',
    "y_string_trailing_comma": '{"a":",]",",}":"}"}',
    "y_string_backslashes": '["C:\\\\dir\\\\n","\\\\\\""]',
    "y_string_apostrophes": '{"it\'s":"\'"}',
    "y_string_python": '["None","True","nan","..."]',
    "y_string_escape_of_nul": '["\\u0000"]',
    "y_literal_true": "true",
    "y_literal_null_blank": "\nnull\n",
    "y_deep": "[" * 500 + "]" * 500,
    "y_long": "[" + ",".join(map(str, range(2000))) + "]",
    "y_schema": '{"type":"object","properties":{"a":{"type":"string"}}}',
    "y_template": '{"name":"<name>","kind":"..."}',
}
NO = {
    "n_array_trailing_comma": "[1,]",
    "n_array_leading_comma": "[,1]",
    "n_array_double_comma": "[1,,2]",
    "n_array_comma_alone": "[,]",
    "n_array_unclosed": "[1",
    "n_array_unclosed_comma": "[1,",
    "n_array_closer_twice": "[1]]",
    "n_array_wrong_closer": "[1}",
    "n_array_colon": '["a":1]',
    "n_array_no_comma": "[1 true]",
    "n_array_two": "[1][2]",
    "n_array_text_behind": "[1]x",
    "n_array_star": "[*]",
    "n_object_no_colon": '{"a" 1}',
    "n_object_two_colons": '{"a"::1}',
    "n_object_no_value": '{"a":}',
    "n_object_no_name": "{:1}",
    "n_object_name_alone": '{"a"}',
    "n_object_name_bare": "{a:1}",
    "n_object_name_number": "{1:1}",
    "n_object_single_quotes": "{'a':0}",
    "n_object_trailing_comma": '{"a":1,}',
    "n_object_comment": '{"a":1/* c */}',
    "n_object_comment_behind": '{"a":1}// c',
    "n_object_semicolon": '{"a":1;"b":2}',
    "n_object_unclosed": '{"a":1',
    "n_object_twice_open": '{{"a":1}}',
    "n_object_equals": '{"a"=1}',
    "n_number_leading_zero": "[01]",
    "n_number_minus_alone": "[-]",
    "n_number_plus": "[+1]",
    "n_number_point_first": "[.5]",
    "n_number_point_last": "[1.]",
    "n_number_half_exponent": "[1e]",
    "n_number_hex": "[0x1F]",
    "n_number_nan": "[NaN]",
    "n_number_infinity": "[-Infinity]",
    "n_number_two_points": "[1.2.3]",
    "n_number_grouped": "[1_000]",
    "n_number_with_letters": "[12ab]",
    "n_number_full_width": "[１]",
    "n_string_raw_newline": '["a\nb"]',
    "n_string_raw_tab": '["\t"]',
    "n_string_raw_nul": '["\x00"]',
    "n_string_bad_escape": '["\\x"]',
    "n_string_half_escape": '["\\u00"]',
    "n_string_escape_capital": '["\\U0001F600"]',
    "n_string_unclosed": '["a',
    "n_string_inner_quotes": '["say "x" now"]',
    "n_string_single": "['a']",
    "n_string_typographic": "[“a”]",
    "n_string_backtick": "[`a`]",
    "n_string_root_unclosed": '"a',
    "n_literal_capital": "[True]",
    "n_literal_half": "[tru]",
    "n_literal_long": "[nulll]",
    "n_literal_undefined": "[undefined]",
    "n_blank_no_break": "[\u00a01]",
    "n_blank_form_feed": "[\f1]",
    "n_bom": "\ufeff[1]",
    "n_fence": "```json\n[1]\n```",
    "n_assignment": "x = [1]",
    "n_ellipsis": "[1, ...]",
    "n_tuple": "(1, 2)",
    "n_call": '{"a": f(1)}',
    "n_escaped_whole": '{\\"a\\": 1}',
    "n_html": "{&quot;a&quot;: 1}",
    "n_empty": "",
    "n_blank": " \n",
    "n_closer": "]",
    "n_words": "no JSON at all",
}  # fmt: skip
LEVELS = ("off", "safe", "full")


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", YES)
def test_what_is_json_is_never_edited(js: ModuleType, name: str, level: str) -> None:
    text, options = YES[name], {"repair": level, "expect": "any", "truncated": "keep"}
    meant = repr(json.loads(text))
    match, repaired = js.search(text, **options), js.repair(text, **options)
    assert (repr(match.value).replace("-0.0", "-0"), match.repairs, match.complete, match.source) == (
        meant.replace("-0.0", "-0") if name != "y_number_minus_zero" else "[-0]", (), True, "bare"
    )  # fmt: skip
    assert (repaired.text, repaired.repairs, repr(repaired.value)) == (text, (), repr(match.value))
    assert repr(js.loads(text, **options)) == repr(match.value)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", NO)
def test_what_is_none_is_refused_or_the_log_says_what_was_done(js: ModuleType, name: str, level: str) -> None:
    text, options = NO[name], {"repair": level, "expect": "any"}
    try:
        repaired = js.repair(text, **options)
    except js.JSONScanError:
        pass
    else:
        assert level != "off"
        assert repaired.repairs
        assert json.loads(repaired.text) == repaired.value
    match = js.fullmatch(text, **options)
    assert match is None or match.repairs or name == "n_bom"  # which is a blank, and blanks may stand around a value
