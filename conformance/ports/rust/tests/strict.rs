//! The strict layer through the public interface.

use jsonscan::{parse, Event, Number, Value};

fn text_of(text: &str) -> Option<String> {
    parse(text).ok().map(|value| value.to_string())
}

#[test]
fn accepted_texts_have_these_values() {
    for (text, value) in [
        (" \t\r\n[ 1 , {\"a\" : null} ]\n", r#"[1,{"a":null}]"#),
        ("\"\u{7f}\u{85}\u{2028}\"", r#""\u007f\u0085\u2028""#),
        (r#"{"a":1,"b":2,"\u0061":3}"#, r#"{"a":3,"b":2}"#),
        (r#"{"b":1,"2":1,"1":1}"#, r#"{"b":1,"2":1,"1":1}"#),
        (r#"{"__proto__":{},"":0}"#, r#"{"__proto__":{},"":0}"#),
        ("[-0,-0.0,0e5,1E2,1e400]", "[-0.0,-0.0,0.0,100.0,1e999]"),
        ("9007199254740993", "9007199254740993"),
        (r#"["\ud800","\ude00\ud83d"]"#, r#"["\ud800","\ude00\ud83d"]"#),
    ] {
        assert_eq!(text_of(text).as_deref(), Some(value), "{text}");
    }
}

#[test]
fn refused_texts_have_a_fault_here() {
    for (text, offset) in [
        ("", 0),
        ("\u{feff}{}", 0),
        ("{}\u{a0}", 2),
        ("[\u{b}]", 1),
        ("{} {}", 3),
        ("nullx", 4),
        ("True", 0),
        ("NaN", 0),
        ("01", 1),
        ("-01", 2),
        ("1.", 2),
        (".5", 0),
        ("+1", 0),
        ("0x10", 1),
        ("1e", 2),
        ("\u{661}", 0),
        ("[1,]", 3),
        ("[,1]", 1),
        ("{\"a\":1,}", 7),
        ("{a:1}", 1),
        ("{\"a\"}", 4),
        ("{\"a\":1]", 6),
        ("[1}", 2),
        ("'a'", 0),
        ("\"\t\"", 1),
        ("\"\0\"", 1),
        ("\"\\'\"", 2),
        ("\"\\u00G0\"", 5),
        ("\"\\\u{4e2d}\"", 2),
        ("[1] // c", 4),
    ] {
        assert_eq!(parse(text).map_err(|error| error.offset()), Err(offset), "{text}");
    }
}

#[test]
fn an_error_tells_a_cut_text_from_a_wrong_one() {
    for (text, ended) in [
        ("[1", true),
        ("\"a", true),
        ("tru", true),
        ("[1;", false),
        ("trux", false),
        ("[1] ;", false),
    ] {
        assert_eq!(parse(text).unwrap_err().is_unexpected_end(), ended, "{text}");
    }
}

#[test]
fn integers_of_4300_digits_are_exact_and_longer_ones_infinite() {
    let longest = "1".repeat(4300);
    assert_eq!(text_of(&longest), Some(longest.clone()));
    assert_eq!(
        parse(&format!("{longest}1")),
        Ok(Value::Number(Number::Float(f64::INFINITY)))
    );
}

/// In a thread whose stack holds no recursion to speak of.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(64 * 1024);
    thread.spawn(work).unwrap().join().unwrap();
}

#[test]
fn a_million_levels_take_no_stack() {
    on_a_small_stack(|| {
        for (opener, closer) in [("[", "]"), ("{\"\":", "}")] {
            let text = format!("{}0{}", opener.repeat(1_000_000), closer.repeat(1_000_000));
            let value = parse(&text).unwrap();
            assert_eq!(
                value
                    .events()
                    .filter(|event| matches!(event, Event::ArrayEnd | Event::ObjectEnd))
                    .count(),
                1_000_000
            );
            drop(value);
            assert!(parse(&text[..text.len() - 1]).unwrap_err().is_unexpected_end());
        }
    });
}

#[test]
fn copying_comparing_and_printing_take_no_stack() {
    on_a_small_stack(|| {
        let text = format!("{}0{}", "[{\"k\":".repeat(50_000), "}]".repeat(50_000));
        let value = parse(&text).unwrap();
        let copy = value.clone();
        assert!(copy == value);
        drop(value);
        assert!(copy.to_string() == text);
        assert!(format!("{copy:?}") == text);
    });
}

#[test]
fn many_keys_and_many_equal_keys_are_read() {
    let keys: Vec<String> = (0..200_000).map(|at| format!("\"k{at}\":{at}")).collect();
    let value = parse(&format!("{{{}}}", keys.join(","))).unwrap();
    assert_eq!(value.get("k199999").and_then(Value::as_i64), Some(199_999));
    let value = parse(&format!("{{{}\"k\":7}}", "\"k\":1,".repeat(200_000))).unwrap();
    assert_eq!(value.to_string(), r#"{"k":7}"#);
}
