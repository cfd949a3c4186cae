//! Search and repair through the public interface, in the order of the rules.

use jsonscan::{
    find_all, parse, repair, search, BigInts, DuplicateKeys, Expect, Level, Limits, Nonfinite, Options, Place,
    SearchError, Select, Truncated, Wtf8Buf,
};

fn with(set: impl Fn(&mut Options)) -> Options {
    let mut options = Options::default();
    set(&mut options);
    options
}

fn at(level: Level) -> Options {
    with(|options| options.repair = level)
}

/// The answer's JSON text, `none`, or the error's code.
fn answer(text: &str, options: &Options) -> String {
    match search(text, options) {
        Ok(Some(found)) => found.value.to_string(),
        Ok(None) => "none".to_owned(),
        Err(why) => why.code().to_owned(),
    }
}

fn check(cases: &[(&str, &str)], options: &Options) {
    for (text, wanted) in cases {
        assert_eq!(answer(text, options), *wanted, "{text}");
    }
}

#[test]
fn a_whole_text_that_reads_strictly_is_the_answer() {
    let cases = [
        (
            "\u{feff} {\"a\": \"```json\\n[1]\\n```\"}\u{3000}",
            r#"{"a":"```json\n[1]\n```"}"#,
        ),
        ("42", "none"),
        (r#""{\"a\": 1}""#, "none"),
    ]
    .map(|(text, wanted)| (text, wanted.replace("\\n", "\\u000a")));
    for (text, wanted) in cases {
        assert_eq!(answer(text, &Options::default()), wanted, "{text}");
    }
    let found = search(" [1]\n", &Options::default()).unwrap().unwrap();
    assert_eq!((found.range, found.place, found.fence), (1..4, Place::Bare, None));
    check(&[(r#""{\"a\": 1}""#, r#"{"a":1}"#)], &at(Level::Full));
    check(
        &[(r#"[{"a": 1}]"#, "none")],
        &with(|options| options.expect = Expect::Object),
    );
}

#[test]
fn a_value_in_brackets_that_opened_nothing_is_broken() {
    let far = |blanks| format!("{{\"x\"{}{{\"a\": 1}}}}", " ".repeat(blanks));
    for text in [
        "\u{e9} {\"x\" {\"a\": 1}}",
        &far(128),
        r#"é {"x" => {"a": 1} \}"#,
        "[+1,\u{3000}{'a': 1}]",
        "é {to: all, \u{e1}.b : {\"a\": 1}}",
        "> {\"a\": 1},\n> \"b\": 2}",
    ] {
        assert_eq!(answer(text, &Options::default()), "unexpected", "{text}");
    }
    for text in [
        r#"é [so: {"a": 1}]"#,
        r#"é {"x" > {"a": 1}}"#,
        r#"use "x" {"a": 1}."#,
        &far(129),
    ] {
        assert_eq!(answer(text, &Options::default()), r#"{"a":1}"#, "{text}");
    }
}

#[test]
fn fences_hold_answers() {
    check(
        &[
            ("{\"b\": 2}\n\n```JSON\n{\"a\": 1}\n```", r#"{"a":1}"#),
            ("````json\n{\"a\": \"```\"}\n````\n{\"b\": 2}", r#"{"a":"```"}"#),
            ("So: ```json{\"a\": 1}``` and {\"b\": 2}", r#"{"a":1}"#),
            ("```\nPlan\n```json\n{\"a\": 1}\n```\nend\n```", r#"{"a":1}"#),
            ("```python\nprint({\"b\": 2})\n```", "none"),
            ("```js\nexport default {\"a\": 1};\n```", r#"{"a":1}"#),
            ("```text\nSo:\n{\"a\": 1}\n```", r#"{"a":1}"#),
            ("```json\n{\"a\": [\"x\"\n```\nend", "truncated"),
        ],
        &Options::default(),
    );
    let found = search("Hi\n~~~ Json5\n[1]\n~~~", &Options::default()).unwrap().unwrap();
    assert_eq!(
        (found.range, found.place, found.fence.as_deref()),
        (13..16, Place::Fence, Some("json5"))
    );
    let inside = "{\"a\": \"x\n```py\ny\n```\nz\", \"b\": 1}";
    assert_eq!(answer(inside, &Options::default()).matches("```").count(), 2);
}

#[test]
fn reasoning_is_set_aside_and_answer_tags_come_first() {
    check(
        &[
            ("<think>{\"b\": 2}</think>{\"a\": 1}", r#"{"a":1}"#),
            ("{\"b\": 2}\n</think>\n{\"a\": 1}", r#"{"a":1}"#),
            ("<think>{\"b\": 2} and", "none"),
            ("Use `<think>` here:\n{\"a\": 1}", r#"{"a":1}"#),
            ("[THINK]{\"b\": 2}[/THINK]{\"a\": 1}", r#"{"a":1}"#),
            ("```json\n{\"b\": 2}\n```\n<answer>{\"a\": 1}</answer>", r#"{"a":1}"#),
            (
                "in <answer> tags: {\"b\": 2}\n<answer>{\"a\": 1}</answer>",
                r#"{"a":1}"#,
            ),
            (
                "<|channel|>analysis<|message|>{\"b\": 2}<|end|><|channel|>final<|message|>{\"a\": 1}",
                r#"{"a":1}"#,
            ),
            ("<tool_response>{\"b\": 2}</tool_response>\n{\"a\": 1}", r#"{"a":1}"#),
        ],
        &Options::default(),
    );
    let found = search("Hi <tool_call> {\"a\": 1}</tool_call>", &Options::default())
        .unwrap()
        .unwrap();
    assert_eq!(found.place, Place::Tag);
}

#[test]
fn what_stands_in_prose_must_look_like_json() {
    check(
        &[
            ("{about} {s1} then {\"a\": 1}", r#"{"a":1}"#),
            ("class A {} and ${\"a\": 1}", "none"),
            ("as in [1] and [PR #3] it is {\"a\": 1}.", r#"{"a":1}"#),
            ("xs[0] and d[\"k\"] are list[str].", "none"),
            ("the tags [\"x\", \"y\"] it is.", r#"["x","y"]"#),
            ("the scores are [1, 2]", "[1,2]"),
            ("the score is [7]", "none"),
            ("the score: [7] now", "none"),
            ("print([1, 2])", "[1,2]"),
            ("a [\"x\"](y) b", "none"),
            ("{x: -1} or f{a: 1}", r#"{"x":-1}"#),
            ("functools[{\"a\": 1}]", r#"[{"a":1}]"#),
            ("{\"p\": true, \"r\": \"ok. Mine: {\"a\": 1}", r#"{"a":1}"#),
            ("{\"a\": 1}, \"b\": 2}", "unexpected"),
        ],
        &Options::default(),
    );
    check(
        &[
            ("{\"a\": 1}, \"b\": 2}", r#"{"a":1,"b":2}"#),
            ("{\"a\": 1}, \"b\": 'x'}", r#"{"a":1,"b":"x"}"#),
            ("\"a\": {\"b\": 2}, \"c\": 3}", r#"{"a":{"b":2},"c":3}"#),
        ],
        &at(Level::Full),
    );
}

#[test]
fn the_ranking_chooses() {
    check(
        &[
            ("I said {\"b\": 2} then.\n\n{\"a\": 1}", r#"{"a":1}"#),
            ("I will not run {\"b\": 2} here.\nAnswer: {\"a\": 1} now", r#"{"a":1}"#),
            ("{\"b\": 2,}\n\nand\n\n{\"a\": 1}", r#"{"a":1}"#),
            ("{}{\"a\": 1}", r#"{"a":1}"#),
            (
                "{\"properties\": {\"a\": {\"type\": \"x\"}}}\n\n{\"a\": 1}",
                r#"{"a":1}"#,
            ),
            ("{\"a\": \"<name>\"}\n\n{\"a\": \"Al\"}", r#"{"a":"Al"}"#),
            ("Draft:\n{\"b\": 2}\n\nNow:\n{\"a\": 1}", r#"{"a":1}"#),
            ("{\"b\": 2}\n\nCorrected:\n{\"a\": 1}", r#"{"a":1}"#),
            ("{\"a\": 1}\n{\"b\": 2}", "ambiguous"),
            ("{\"a\": 1}, {\"b\": 2}", "ambiguous"),
            ("{\"a\": 1}{\"a\": 1.0}", "ambiguous"),
        ],
        &Options::default(),
    );
    check(
        &[
            ("{\"a\": 1}\n{\"b\": 2}", r#"[{"a":1},{"b":2}]"#),
            ("{\"a\": 1}{\"a\": 1}", r#"{"a":1}"#),
            ("{\"a\": 1}, {\"a\": 1}", r#"[{"a":1},{"a":1}]"#),
            ("{\"a\": 1}\n/* and */\n{\"b\": 2}", r#"[{"a":1},{"b":2}]"#),
            ("```json\n(1, 2)\n```", "[1,2]"),
        ],
        &at(Level::Full),
    );
}

#[test]
fn where_any_value_is_wanted_a_scalar_or_a_line_of_words_is_one() {
    let any = |level: Level| with(move |options| (options.expect, options.repair) = (Expect::Any, level));
    check(
        &[
            ("'a'", r#""a""#),
            ("True", "true"),
            ("```\n42\n```", "42"),
            ("<answer>\"x\"</answer>", r#""x""#),
            ("some words", "none"),
        ],
        &any(Level::Safe),
    );
    check(
        &[
            ("(1, 2)", "[1,2]"),
            ("ObjectId('a')", r#""a""#),
            ("2.", "2.0"),
            ("some words", r#""some words""#),
            ("a\nb", r#"["a","b"]"#),
            ("the reason, as said: none", r#""the reason, as said: none""#),
            ("/[a-z]+/i", r#""/[a-z]+/i""#),
            ("\"x [1, 2\"] y\"", r#""x [1, 2\"] y""#),
            ("A sentence.", "none"),
            ("\"", "none"),
            ("/", "none"),
        ],
        &any(Level::Full),
    );
}

#[test]
fn select_chooses_otherwise() {
    let text = "```json\n{\"b\": 2}\n```\nand {\"aa\": 1}, [\"y\"] x";
    for (select, wanted) in [
        (Select::Answer, r#"{"b":2}"#),
        (Select::First, r#"{"b":2}"#),
        (Select::Last, r#"["y"]"#),
        (Select::Largest, r#"{"aa":1}"#),
        (Select::Sole, "ambiguous"),
    ] {
        assert_eq!(
            answer(text, &with(|options| options.select = select)),
            wanted,
            "{select:?}"
        );
    }
    check(
        &[
            ("{\"a\": 1, \"b\": 2}\n\n{\"b\": 2, \"a\": 1}", r#"{"a":1,"b":2}"#),
            ("I will not run {\"a\": 1} here.", "ambiguous"),
        ],
        &with(|options| options.select = Select::Sole),
    );
    let last = with(|options| (options.select, options.expect) = (Select::Last, Expect::Object));
    check(
        &[(text, r#"{"aa":1}"#), ("[1]", "none"), ("{\"a\": @", "unexpected")],
        &last,
    );
}

#[test]
fn cut_values_are_errors_or_kept() {
    let text = "So:\n{\"a\": 1, \"b\": [\"x\\ud83d";
    let Err(SearchError::Truncated { partial }) = search(text, &Options::default()) else {
        panic!("not cut");
    };
    assert_eq!(partial.unwrap().to_string(), r#"{"a":1,"b":["x"]}"#);
    check(
        &[("{\"a", "truncated"), (r#"{"a \" b"#, "truncated")],
        &Options::default(),
    );
    let found = search(text, &with(|options| options.truncated = Truncated::Keep))
        .unwrap()
        .unwrap();
    assert_eq!(
        (found.value.to_string().as_str(), found.complete),
        (r#"{"a":1,"b":["x"]}"#, false)
    );
    assert_eq!(
        found.repairs.last().map(|edit| (edit.code, edit.inserted == "\"]}")),
        Some(("truncated", true))
    );
    check(
        &[("{\"a\": [{\"b\": 1}\n\nThat is it.", r#"{"a":[{"b":1}]}"#)],
        &with(|options| {
            (options.truncated, options.repair) = (Truncated::Keep, Level::Off);
        }),
    );
}

#[test]
fn options_decide_about_single_values() {
    let twice = r#"{"a": 1, "b": 2, "a": 3}"#;
    for (duplicate_keys, wanted) in [
        (DuplicateKeys::Last, r#"{"a":3,"b":2}"#),
        (DuplicateKeys::First, r#"{"a":1,"b":2}"#),
        (DuplicateKeys::Refuse, "duplicate-key"),
    ] {
        assert_eq!(
            answer(twice, &with(|options| options.duplicate_keys = duplicate_keys)),
            wanted
        );
    }
    for (nonfinite, wanted) in [
        (Nonfinite::Refuse, "number"),
        (Nonfinite::Allow, r#"{"a":-1e999}"#),
        (Nonfinite::Null, r#"{"a":null}"#),
    ] {
        assert_eq!(
            answer("{\"a\": -Infinity}", &with(|options| options.nonfinite = nonfinite)),
            wanted
        );
    }
    let text = with(|options| options.big_ints = BigInts::Text);
    check(&[("[9007199254740992, 1]", r#"["9007199254740992",1]"#)], &text);
}

#[test]
fn a_limit_that_is_passed_is_an_error() {
    for (text, limits) in [
        (
            "\u{e9}\u{e9}\u{e9}",
            Limits {
                max_input: Some(2),
                ..Limits::default()
            },
        ),
        (
            "x: [[[1]]] {\"a\": 1}",
            Limits {
                max_depth: Some(2),
                ..Limits::default()
            },
        ),
        (
            "{\"b\": 2} {\"a\": 1}",
            Limits {
                max_candidates: Some(1),
                ..Limits::default()
            },
        ),
        (
            "[1,,,,2]",
            Limits {
                max_repairs: Some(2),
                ..Limits::default()
            },
        ),
        (
            "x: [1234] y",
            Limits {
                max_digits: Some(3),
                ..Limits::default()
            },
        ),
    ] {
        let options = with(|options| (options.limits, options.repair) = (limits.clone(), Level::Full));
        assert_eq!(answer(text, &options), "limit", "{text}");
    }
    let fits = with(|options| options.limits.max_input = Some(4));
    assert_eq!(answer("\u{e9}\n[]", &fits), "[]");
}

#[test]
fn find_all_gives_every_value_and_fragments_if_asked() {
    let values = |text: &str, options: &Options| -> Vec<String> {
        let found = find_all(text, options).unwrap();
        found
            .iter()
            .map(|each| format!("{} {}", each.place.as_str(), each.value))
            .collect()
    };
    let text = "<think>[0]</think> {\"a\": 1} or\n```json\n[2]\n```\n{\"b\": {\"c\": 3}, \"d\": oops, \"e\": [4]}";
    assert_eq!(values(text, &Options::default()), [r#"prose {"a":1}"#, "fence [2]"]);
    let fragments = with(|options| options.fragments = true);
    assert_eq!(
        values(text, &fragments),
        [r#"prose {"a":1}"#, "fence [2]", r#"fragment {"c":3}"#, "fragment [4]"]
    );
    assert_eq!(values("[1]", &fragments), ["bare [1]"]);
    assert!(values("7", &fragments).is_empty());
}

/// The repaired text and the codes of the edits, or the error's code.
fn repaired(text: &str, options: &Options) -> (String, Vec<&'static str>) {
    match repair(text, options) {
        Ok(Some(repaired)) => {
            assert_eq!(
                parse(&repaired.text).unwrap().to_string(),
                repaired.value.to_string(),
                "{text}"
            );
            let codes = repaired.repairs.iter().map(|edit| edit.code).collect();
            (repaired.text.to_string(), codes)
        }
        Ok(None) => ("none".to_owned(), Vec::new()),
        Err(why) => (why.code().to_owned(), Vec::new()),
    }
}

#[test]
fn safe_edits_keep_what_was_written() {
    let options = with(|options| options.expect = Expect::Any);
    for (text, wanted, code) in [
        ("\u{feff}[1]", "[1]", "byte-order-mark"),
        ("[1, // one\n2]", "[1, \n2]", "comment"),
        ("[1, 2,]", "[1, 2]", "trailing-comma"),
        ("{\"a\": 1 \"b\": 2}", "{\"a\": 1, \"b\": 2}", "missing-comma"),
        ("[{\"a\": 1]", "[{\"a\": 1}]", "missing-closer"),
        ("{\"a\": 1}}", "{\"a\": 1}", "surplus-closer"),
        ("{'a': 1}", "{\"a\": 1}", "single-quotes"),
        ("{\u{201c}a\u{201d}: 1}", "{\"a\": 1}", "typographic-quotes"),
        ("[\"a\tb\"]", "[\"a\\tb\"]", "control-character"),
        (r#"["\d"]"#, r#"["\\d"]"#, "invalid-escape"),
        (r#"["it\'s"]"#, r#"["it's"]"#, "needless-escape"),
        ("{a: 1}", "{\"a\": 1}", "unquoted-key"),
        ("[True]", "[true]", "python-literal"),
        ("[71_350]", "[71350]", "digit-grouping"),
        ("{\"a\":\\n[1]}", "{\"a\":[1]}", "escaped-space"),
    ] {
        let found = repaired(text, &options);
        assert_eq!(found, (wanted.to_owned(), vec![code]), "{text}");
        let full = with(|options| (options.expect, options.repair) = (Expect::Any, Level::Full));
        assert_eq!(repaired(text, &full), found, "{text}");
    }
}

#[test]
fn guesses_are_made_where_they_are_allowed() {
    let full = with(|options| (options.expect, options.repair) = (Expect::Any, Level::Full));
    let safe = with(|options| options.expect = Expect::Any);
    for (text, wanted, code) in [
        ("[1,\u{a0}2]", "[1,2]", "odd-space"),
        ("{\"a\"\u{ff1a}1}", "{\"a\":1}", "wide-punctuation"),
        ("[1,,2]", "[1,2]", "extra-comma"),
        ("{\"a\": 1; \"b\": 2}", "{\"a\": 1, \"b\": 2}", "wrong-comma"),
        ("{\"a\" 1}", "{\"a\" :1}", "missing-colon"),
        ("{\"a\" = 1}", "{\"a\" : 1}", "wrong-colon"),
        ("{\"a\": , \"b\": 1}", "{\"a\": null, \"b\": 1}", "missing-value"),
        ("{\"a\": [1}, \"b\": 2}", "{\"a\": [1], \"b\": 2}", "mismatched-closer"),
        ("{{\"a\": 1}", "{\"a\": 1}", "surplus-opener"),
        ("[{\"a\": 1}, \"b\": 2}]", "[{\"a\": 1}, {\"b\": 2}]", "missing-opener"),
        ("[`a`]", "[\"a\"]", "other-quotes"),
        (r#"["C:\temp\x"]"#, r#"["C:\\temp\\x"]"#, "literal-backslash"),
        ("[\"say \"x\" now\"]", r#"["say \"x\" now"]"#, "inner-quote"),
        ("{a\": 1}", "{\"a\": 1}", "missing-quote"),
        ("[\"a\" + 'b']", "[\"ab\"]", "concatenation"),
        ("[b'a']", "[\"a\"]", "string-prefix"),
        ("[\"\"\"say \"x\" \"\"\"]", r#"["say \"x\" "]"#, "triple-quotes"),
        ("{\"a\": \\\"b\\\"}", "{\"a\": \"b\"}", "escaped-quotes"),
        ("{\\\"a\\\": 1}", "{\"a\": 1}", "escaped-json"),
        ("{\"\"a\"\": 1}", "{\"a\": 1}", "doubled-quotes"),
        ("{&quot;a&quot;: 1}", "{\"a\": 1}", "html-entities"),
        ("{\"a\": some text}", "{\"a\": \"some text\"}", "unquoted-value"),
        ("[undefined]", "[null]", "other-literal"),
        ("[+1]", "[1]", "plus-sign"),
        ("[.5]", "[0.5]", "bare-point"),
        ("[0x1F]", "[31]", "hex-number"),
        ("[1.5e+]", "[1.5e0]", "bare-exponent"),
        ("{\"a\": 58,4}", "{\"a\": 58.4}", "decimal-comma"),
        ("{\"a\": 1,000}", "{\"a\": \"1,000\"}", "number-text"),
        ("[ObjectId(\"a\")]", "[\"a\"]", "call"),
        ("[..., 1]", "[ 1]", "ellipsis"),
        ("[\n- \"a\"\n]", "[\n\"a\"\n]", "list-marker"),
        (
            "{\"a\": \"x\" more words, \"b\": 1}",
            "{\"a\": \"x\" , \"b\": 1}",
            "stray-text",
        ),
        ("json: [1]", "[1]", "wrapper"),
    ] {
        let (repaired_text, codes) = repaired(text, &full);
        assert_eq!(
            (repaired_text.as_str(), codes.contains(&code)),
            (wanted, true),
            "{text}: {codes:?}"
        );
        let refused = repair(text, &safe);
        assert!(refused.is_err() || refused.unwrap().is_none(), "{text}");
    }
    for (text, wanted) in [
        ("(1, 2)", "[1, 2]"),
        ("{\"a\": 1}\n{\"b\": 2}", "[{\"a\": 1},\n{\"b\": 2}]"),
        ("const x = {\"a\": 1};", "{\"a\": 1}"),
        ("{**\"a\"**: 1}", "{\"a\": 1}"),
    ] {
        assert_eq!(repaired(text, &full).0, wanted, "{text}");
    }
    for text in [
        "[6 * 7]",
        "[\"a\": 1]",
        "{\"a\", \"b\": 1}",
        "{:1}",
        "[1,000]",
        "{\"a\": 1} x",
        "hello [",
    ] {
        assert!(repair(text, &full).is_err(), "{text}");
    }
    assert_eq!(repaired(" \n", &full).0, "none");
}

#[test]
fn offsets_count_bytes_and_surrogates_may_stand_alone() {
    let mut text = Wtf8Buf::from("Voil\u{e0} \u{1f600} ");
    text.push_utf16_unit(0xd800);
    text.push_wtf8("[\"\\ud83d".into());
    text.push_utf16_unit(0xde00);
    text.push_wtf8("\", 'x']".into());
    let found = search(&text, &Options::default()).unwrap().unwrap();
    assert_eq!(found.value.to_string(), r#"["\ud83d\ude00","x"]"#);
    assert_eq!((found.range, &found.repairs[0].range), (15..33, &(29..32)));
}

#[test]
fn nesting_is_bounded_by_the_limit_alone() {
    let deep = |open: &str, close: &str, depth: usize| open.repeat(depth) + &close.repeat(depth);
    let unbounded = with(|options| {
        (options.limits.max_depth, options.limits.max_repairs) = (None, None);
        options.repair = Level::Full;
    });
    for text in [
        deep("[", "]", 200_000),
        deep("{'a':", "}", 100_000).replace(":}", ":1}"),
        deep("[", "", 200_000),
    ] {
        assert_eq!(answer(&text, &Options::default()), "limit");
        let found = find_all(&text, &unbounded).unwrap();
        drop(found.clone());
        assert!(found.len() <= 1);
        drop(repair(&text, &unbounded));
    }
}
