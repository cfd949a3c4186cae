"""Families of hostile texts: each makes a text of about n characters that would cost a careless reader more than n steps."""

from __future__ import annotations

from collections.abc import Callable

FAMILIES: dict[str, Callable[[int], str]] = {}


def family(make: Callable[[int], str]) -> Callable[[int], str]:
    FAMILIES[make.__name__] = make
    return make


def repeated(name: str, unit: str, before: str = "", after: str = "") -> None:
    """A family of one unit over and over."""
    FAMILIES[name] = lambda n: before + unit * (n // len(unit)) + after


repeated("prose", "word ")
repeated("spaces", " ")
repeated("braces", "{")
repeated("brackets", "[")
repeated("closers", "]}")
repeated("braces_turned", "}{")
repeated("template_braces", "{x}")
repeated("quotes", '"')
repeated("quoted_braces", '"{" ')
repeated("backticks", "`")
repeated("fences", "```\n")
repeated("fences_with_tags", "```json [")
repeated("an_unclosed_fence_and_spaces", " ", "```json")
repeated("an_unclosed_fence_and_wide_spaces", "\u3000", "```")
repeated("a_fence_full_of_spaces", " ", "```", "x```")
repeated("a_fence_full_of_brackets", "[", "```", "```")
repeated("open_objects", '{"a":')
repeated("open_objects_and_arrays", '{"k":{"j":[')
repeated("objects_opened_in_strings", '{"a":"{')
repeated("strings_opened_in_objects", '{"')
repeated("names_cut_off", '{"a')
repeated("backslashes_behind_braces", "{\\")
repeated("backslashes_in_a_name_that_its_line_ends", "\\", '{"', "\nb")
repeated("an_unterminated_string", "x", '{"a":"')
repeated("an_unterminated_string_of_escapes", '\\"', '{"a":"')
repeated("an_unterminated_string_of_braces", "{", '{"a":"')
repeated("an_unterminated_string_of_backslashes", "\\", '["')
repeated("a_quote_in_prose_behind_a_bracket", "word ", '[see "')
repeated("objects_in_an_array_that_breaks", "{},", '{"a":[', "x")
repeated("strings_of_braces_in_an_array_that_breaks", '"{",', '{"a":[', "x")
repeated("strings_of_objects_in_an_array_that_breaks", '"{\\"",', '{"a":[', "x")
repeated("objects_in_strings_of_an_object_that_breaks", '"{}",', '{"a":[', "x")
repeated("commas", ",", "[", "]")
repeated("commas_and_spaces", ", ", "[", "]")
repeated("commas_before_closers", ",}", "[", "]")
repeated("apostrophes", "'", "[", "]")
repeated("single_quoted_strings", "'a',", "[", "]")
repeated("an_array_of_minus_zeros", "-0,", "[", "0]")
repeated("dates", '"2024-01-05",', "[", "0]")
repeated("nan_in_objects", '{"a":NaN}')
repeated("one_long_integer", "7", '{"a":', "}")
repeated("one_long_integer_that_breaks", "7", '{"a":', "x}")
repeated("one_long_fraction", "7", '{"a":0.', "}")
repeated("one_long_exponent", "0", '{"a":1e', "1}")
repeated("integers_of_4301_digits", "9" * 4301 + ",", "[", "0]")
repeated("literals_that_break", "[t", "")
repeated("one_member_again_and_again", '"a":1,', "{", '"a":2}')
repeated("escaped_leads", "\\ud83d", '["', '"]')
repeated("escaped_pairs_half_raw", "\\ud83d\ude00", '["', '"]')
repeated("raw_leads", "\ud83d", '["', "\\")
repeated("raw_leads_and_escaped_trails", "\ud83d\\ude00", '["', '"]')
repeated("emoji", "😀")
repeated("emoji_behind_an_object", "😀", "{}")
repeated("controls_in_strings", '{"\n')
repeated("ansi_colours", "\x1b[0m")
repeated("latex", "\\frac{1}{2} ")
repeated("a_valid_array", '{"id":17,"name":"x y z"},', "[", "{}]")
repeated("a_valid_array_cut_short", '{"id":17,"name":"x y z"},', "[")
repeated("json_lines", '{"id":17}\n')


# What a search meets: landmarks that do not close, values that break in every way, and what stands side by side.
repeated("objects_without_colons", '{"satisfied" ')
repeated("tags_without_ends", "<thought ")
repeated("reasoning_that_opens", "a <think>\n", after='{"a":1}')
repeated("reasoning_that_closes", "x</think>", after='{"a":1}')
repeated("answer_tags", "<answer>{'a':1}")
repeated("answer_tags_and_broken_values", '<answer>{"a": b c')
repeated("channels", '<|channel|>final<|message|>{"a":1}')
repeated("tags_and_broken_values", '<a>{"a": x')
repeated("less_than", "<")
repeated("react", "Thought: x\nAction: a\n")
repeated("citations", "[1] ")
repeated("placeholders", "{a} ")
repeated("objects_in_a_line", '{"a": 1} ')
repeated("objects_glued", '{"a":1}')
repeated("objects_and_commas", '{"a":1},')
repeated("broken_objects", '{"a": x y z ')
repeated("broken_objects_on_lines", '{"a": 1 oops\n')
repeated("broken_objects_in_paragraphs", '{"a": 1 oops\n\n')
repeated("strings_over_lines", '{"a": "x\n')
repeated("objects_in_strings_of_broken_ones", '{"a": "x {"b": "y ')
repeated("objects_that_go_on_in_strings_of_a_broken_one", '",":{', '["{', '" x')
repeated("json_fences_that_open", "```json\n")
repeated("fences_in_a_line", '```json{"a": ')
repeated("fences_with_broken_values", '```json\n{"a": x y\n```\n')
repeated("fences_with_open_strings", '```json\n{"a": "x\n```\n')
repeated("fences_with_cut_values", '```json\n{"a": [1\n```\n')
repeated("members_behind_braces", '{"a":1}, "b":')
repeated("members_behind_braces_once_each", '{"a":1}, "b":2} ')
repeated("comments_behind_braces", "{// x\n")
repeated("open_comments_behind_braces", "{/* x ")
repeated("escaped_names", '{\\"a')
repeated("an_object_and_spaces", " ", '{"a": 1}', "x")
repeated("a_member_first", '"a": {"b": ')
repeated("inner_quotes", '{"a": "x "y" z", ')
repeated("apostrophes_in_single_quotes", "{'a': 'it's ")
repeated("brackets_in_strings", '["x [ "y""], ', "[", "]")
repeated("objects_that_lack_a_brace", '{"a": 1', "[", "]")
repeated("strings_in_an_array", '["a", ')
repeated("names_in_escaped_quotes", '{\\"a\\": ')
repeated("names_in_entities", "{&quot;a&quot; ")
repeated("empty_names_that_are_a_layer", '{""":}')
repeated("objects_in_doubled_quotes_that_break", '{""name"": ""Ann"", ""text"" of some words: x} and ')
repeated("objects_closed_in_their_strings", '{"a": "x}" y} ')
repeated("arrays_closed_in_their_strings", '["x]" y] ')
repeated("objects_closed_in_single_quotes", "{'a': 'x}' y} ")
repeated("objects_closed_in_their_strings_in_a_fence", '{"a": "x}" y} ', "```json\n", "\n```\n")
repeated("fences_with_open_tuples", '```json\n("a ')
repeated("fences_with_tuples_that_go_on", "```json\n(1, 2) x\n")
repeated("reasoning_tags_that_nothing_closes", "x <think>")

repeated("comments_that_no_line_ends", '{"a": 1 // x} ')
repeated("quotes_that_nothing_closes", '{"a": „x,\n"b": 1}\n')
repeated("quotes_closed_far_away", '{"a": „x,\n"b": 1}\n', after="”z")
repeated("names_in_quotes_that_only_open", "{«")
repeated("entities_in_broken_objects", '{"b": 2, &quot;a x&quot;: 1 x} ')
repeated("prefixed_strings_that_break", "{\"a\": b'x y} ")
repeated("words_behind_strings", '{"a": "x" y} ')
repeated("closers_and_objects_opened_in_strings", '}{"a": "{"a": ', before='{"a": ')
repeated("damaged_names_in_paragraphs", '{"c": 1, "a"x,\n\n', after='"b": 1}')
repeated("broken_values_in_one_fence", '{"a": x y z:\n\n', "```json\n", "\n```\nx")

# Values inside strings of broken ones, over and over; regions that overlap; runs of braces, each of which may be visited.
repeated("objects_in_strings_of_arrays", '{"a":1}["')
repeated("objects_in_strings_on_lines", '{"a":1}\n{"q": "')
repeated("objects_in_strings_of_inner_objects", '- {"a": 1}\n{"q":{"q": "te', after='[{"a": 1}, "b": 2}, ')
repeated("objects_that_go_on_in_strings_of_many", '[":{",":",",",] ')
repeated("braces_in_paragraphs", "\n\n{\u200b")
repeated("double_braces_in_paragraphs", "\n\n{{\u00a0")
repeated("calls_that_nothing_closes", 'f(",')
repeated("fences_in_strings_of_many_values", '{"a": "\n```\n",{"a":„ "b": },\n', "[{")
repeated("reasoning_in_fences_in_strings", '„":{\nte<think>\n```\n{"a":')


@family
def damaged_names_before_commas(n: int) -> str:
    return "[{&quot;" * (n // 16) + ', ",' * (n // 8) + '"]'


@family
def objects_in_strings_before_answer_tags(n: int) -> str:
    return '{"a": "x {"b": 1} ' * (n // 36) + "<answer>{" * (n // 18) + '}}"'


@family
def tags_of_many_names(n: int) -> str:
    """Each region ends elsewhere, and inside the ones before it."""
    count = n // 29
    return "".join(f'<a{i}>{{"a": 1,}} x' for i in range(count)) + "".join(f"</a{i}>" for i in reversed(range(count)))


@family
def fences_in_wider_fences(n: int) -> str:
    widths = range(3, int(n**0.5))
    return "".join("`" * i + 'json\n{"a": 1,}\n' for i in widths) + "".join("\n" + "`" * i + "\n" for i in widths)


@family
def fences_of_many_widths(n: int) -> str:
    return "".join("`" * (3 + i % 50) + "a\n" for i in range(n // 30))


@family
def runs_of_spaces_behind_commas(n: int) -> str:
    return "[" + ("," + " " * (n // 8)) * 8 + "]"


@family
def runs_of_spaces_behind_braces(n: int) -> str:
    return ("{" + " " * (n // 50)) * 50


@family
def long_names_behind_braces(n: int) -> str:
    """Fifty reads that each go on to the end of the text: every string opened in one is closed in the next."""
    return ('{"' + "x" * (n // 50)) * 50


@family
def spaces_and_then_braces(n: int) -> str:
    return " " * (n // 2) + "{x " * (n // 6)


@family
def braces_and_then_spaces(n: int) -> str:
    return "{x " * (n // 6) + " " * (n // 2)


@family
def nested_and_closed_wrongly(n: int) -> str:
    return "[" * (n // 2) + "}" * (n // 2)


@family
def nested_objects_and_one_fault(n: int) -> str:
    return '{"a":' * (n // 6) + "x" + "}" * (n // 6)


@family
def nested_arrays_in_strings(n: int) -> str:
    return ('{"a":"' + "[" * (n // 50) + '","b":') * 50


@family
def many_names(n: int) -> str:
    return "{" + ",".join(f'"key{i}":{i}' for i in range(n // 16)) + "}"
