//! The originals through the public interface.

use jsonscan::{extract_json, extract_json_object, parse, try_extract_json, Source, Wtf8, Wtf8Buf};

/// The value as JSON text, or the error's code and preview.
fn extracted(raw: &str) -> String {
    match extract_json(raw) {
        Ok(value) => value.to_string(),
        Err(error) => format!("{}: {}", error.code(), error.preview().unwrap_or(&Wtf8Buf::new())),
    }
}

#[test]
fn the_object_is_the_first_that_can_be_read() {
    for (raw, object) in [
        ("He said \"hi {\"a\":1} x", "{\"a\":1}"),
        ("{note \"quoted} {\"a\":1}", "{\"a\":1}"),
        ("{\"a\":\"}\"} x", "{\"a\":\"}\"}"),
        ("{\"a\":\"\\\\\"} x", "{\"a\":\"\\\\\"}"),
        ("{\"a\":\"x} {\"b\":2}", "{\"b\":2}"),
        ("x {\"a\":\"{}\",}", "{}"),
        ("{\"a\":{\"b\":1},}", "{\"b\":1}"),
        ("[{\"a\":1},{\"a\":2}]", "{\"a\":1}"),
        ("{\"a\":[{\"x\":1},{\"x\":2}", "{\"x\":1}"),
        ("\u{4e2d}{{ }}", "{ }"),
        ("{'a':1}", "{'a':1}"),
        ("no", "no"),
        ("", ""),
    ] {
        assert_eq!(extract_json_object(raw), object, "{raw}");
    }
}

#[test]
fn fifty_braces_are_tried_wherever_they_stand() {
    for failing in ["{", "{x}", "\"{\" "] {
        let raw = failing.repeat(49) + "{\"a\":1}";
        assert_eq!(extract_json_object(&raw), "{\"a\":1}", "{failing}");
        let raw = failing.repeat(50) + "{\"a\":1}";
        assert_eq!(extract_json_object(&raw), raw, "{failing}");
    }
    assert_eq!(extract_json_object(&("[".repeat(60) + "{}")), "{}");
}

#[test]
fn the_bound_of_the_search_counts_utf16_units() {
    for filler in ["\u{4e2d}", "x", "\u{1f600}"] {
        let units = filler.encode_utf16().count();
        let longest = format!("{{}}{}", filler.repeat((262_144 - 2) / units));
        assert_eq!(extract_json_object(&longest), "{}");
        let longer = longest + "x";
        assert_eq!(extract_json_object(&longer), longer);
    }
}

#[test]
fn the_value_is_the_fenced_one_or_the_first_brackets() {
    for (raw, wanted) in [
        ("```json\n7\n```", "7"),
        ("{\"x\":0}\n```JS\n[1]```", "[1]"),
        ("```ts\n{\"a\":1}\n```", "{\"a\":1}"),
        ("```json\n{'a':1,}\n```", "{\"a\":1}"),
        ("{\"md\":\"```5```\"}", "5"),
        ("a [2] {\"x\":1}", "[2]"),
        ("{\"a\":\"x, }\",}", "{\"a\":\"x}\"}"),
        ("['a\",\"b']", "[\"a\",\"b\"]"),
        ("", "invalid-input: "),
        (" ", "no-json:  "),
        ("```\n7", "no-json: ```\n7"),
        ("[see {\"a\":1}", "unbalanced: [see {\"a\":1}"),
        ("Hi {name}, {\"a\":1}", "parse-failed: {name}"),
        ("{a:'x',}", "parse-failed: {a:'x',}"),
    ] {
        assert_eq!(extracted(raw), wanted, "{raw}");
        let value = parse(wanted).ok();
        assert_eq!(try_extract_json(raw), value, "{raw}");
    }
}

#[test]
fn previews_are_cut_in_utf16_units_and_print() {
    let face = "\u{1f600}";
    for (raw, start, units) in [
        (format!("{}{face}y", "x".repeat(199)), 0, 200),
        (format!("y{{{}{face}", "x".repeat(298)), 1, 300),
        (format!("y{{{}{face}}}", "x".repeat(298)), 1, 300),
    ] {
        let error = extract_json(&raw).unwrap_err();
        let wanted = Wtf8Buf::from_utf16(raw.encode_utf16().skip(start).take(units));
        assert_eq!(error.preview(), Some(&wanted));
        assert_eq!(wanted.as_str(), None);
        assert!(error.to_string().ends_with("x\u{fffd}"), "{error}");
    }
}

#[test]
fn messages_name_the_kind_of_failure() {
    for (raw, message) in [
        ("", "extractJson: input must be a non-empty string"),
        (
            "a",
            "extractJson: no JSON object or array found in response.\nResponse preview: a",
        ),
        (
            "a[",
            "extractJson: unbalanced brackets in LLM response.\nResponse preview: [",
        ),
    ] {
        assert_eq!(extract_json(raw).unwrap_err().to_string(), message);
    }
    let message = extract_json("a[b]").unwrap_err().to_string();
    assert!(
        message.starts_with("extractJson: JSON.parse failed.\nError: "),
        "{message}"
    );
    assert!(message.ends_with("\nCandidate (first 300 chars): [b]"), "{message}");
}

#[test]
fn ill_formed_text_comes_back_as_it_went_in() {
    let units: Vec<u16> = "x{\"a\":\""
        .encode_utf16()
        .chain([0xd83d])
        .chain("\"}".encode_utf16())
        .collect();
    let raw = Wtf8Buf::from_utf16(units.iter().copied());
    let object: Wtf8<'_> = extract_json_object(&raw);
    assert_eq!(object.encode_utf16().collect::<Vec<_>>(), units[1..]);
    let value = extract_json(raw.as_wtf8()).unwrap();
    assert_eq!(value.to_string(), r#"{"a":"\ud83d"}"#);
}

/// Small texts from pieces that the originals decide on, the same in every run.
struct Texts(u64);

impl Texts {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % bound
    }

    fn next(&mut self) -> String {
        const PIECES: [&str; 20] = [
            "{", "}", "[", "]", "\"", "\\", ",", ":", "1", "{\"a\":", "\"k\"", "{}", "null", "\"{\"", "\\\"", " ", "x",
            "{{", "}}", "\"a\":1",
        ];
        (0..self.below(14)).map(|_| PIECES[self.below(PIECES.len())]).collect()
    }
}

/// What the documentation says, brace by brace: the slow way.
fn object_by_trial(raw: &str) -> &str {
    let ends = |start: usize| (start + 1..=raw.len()).filter(|end| raw.is_char_boundary(*end));
    let braces = raw.match_indices('{').take(50).map(|(start, _)| start);
    let mut objects = braces.flat_map(|start| ends(start).map(move |end| &raw[start..end]));
    objects.find(|part| parse(*part).is_ok()).unwrap_or(raw)
}

#[test]
fn reading_once_finds_what_trying_every_part_finds() {
    let mut texts = Texts(1);
    let mut found = 0;
    for _ in 0..20_000 {
        let raw = texts.next();
        let object = extract_json_object(&raw);
        assert_eq!(object, object_by_trial(&raw), "{raw}");
        found += usize::from(object != raw);
    }
    assert!(found > 2_000, "only {found} texts hold an object");
}
