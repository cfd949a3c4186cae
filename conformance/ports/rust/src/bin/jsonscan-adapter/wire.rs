//! Strings and values as the adapter protocol writes them: pure ASCII, tagged JSON.

use std::fmt::Write;

use jsonscan::{Event, Number, Object, Value, Wtf8, Wtf8Buf};

/// Values nested deeper than this are written as events.
const MAX_NESTED: usize = 200;

/// Integers below this magnitude are written as they are.
const PLAIN_BOUND: u64 = 1 << 53;

/// The string on the wire: a JSON string, or its UTF-16 units in hexadecimal when ill-formed.
pub fn string(text: Wtf8<'_>) -> String {
    let mut out = String::new();
    write_string(&mut out, text);
    out
}

/// The value on the wire.
pub fn value(value: &Value) -> String {
    let mut out = String::new();
    if depth(value) > MAX_NESTED {
        write_flat(&mut out, value);
    } else {
        write_nested(&mut out, value);
    }
    out
}

/// The text of a string of UTF-16 units in hexadecimal, four digits each.
pub fn from_utf16_hex(digits: &str) -> Option<Wtf8Buf> {
    let units = digits.as_bytes().chunks(4).map(|chunk| hex_number(chunk, 4));
    units.collect::<Option<Vec<u16>>>().map(Wtf8Buf::from_utf16)
}

/// The text of a string of UTF-8 bytes in hexadecimal; `None` when it is ill-formed.
pub fn from_utf8_hex(digits: &str) -> Option<Wtf8Buf> {
    let bytes = digits
        .as_bytes()
        .chunks(2)
        .map(|chunk| hex_number(chunk, 2).map(|byte| byte as u8));
    String::from_utf8(bytes.collect::<Option<_>>()?).ok().map(Wtf8Buf::from)
}

/// How many code points the bytes of a text are.
pub fn code_points(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
}

fn hex_number(digits: &[u8], width: usize) -> Option<u16> {
    let is_hex = digits.len() == width && digits.iter().all(u8::is_ascii_hexdigit);
    let digits = std::str::from_utf8(digits).ok().filter(|_| is_hex)?;
    u16::from_str_radix(digits, 16).ok()
}

/// How many containers the innermost value is in, itself included.
fn depth(value: &Value) -> usize {
    let (mut now, mut most) = (0, 0);
    for event in value.events() {
        match event {
            Event::ArrayStart | Event::ObjectStart => now += 1,
            Event::ArrayEnd | Event::ObjectEnd => now -= 1,
            _ => {}
        }
        most = most.max(now);
    }
    most
}

/// Recurses as deep as `value` is: at most `MAX_NESTED`.
fn write_nested(out: &mut String, value: &Value) {
    match value {
        Value::Array(items) => {
            out.push('[');
            write_list(out, items.iter(), write_nested);
            out.push(']');
        }
        Value::Object(object) => write_object(out, object),
        scalar => scalar.events().for_each(|event| write_scalar(out, event)),
    }
}

fn write_object(out: &mut String, object: &Object) {
    let is_plain = |key: Wtf8<'_>| key.as_str().is_some_and(|key| !key.starts_with('$'));
    let (open, pair_open, colon, pair_close, close) = match object.iter().all(|(key, _)| is_plain(key)) {
        true => ("{", "", ":", "", "}"),
        false => (r#"{"$o":["#, "[", ",", "]", "]}"),
    };
    out.push_str(open);
    write_list(out, object.iter(), |out, (key, value)| {
        out.push_str(pair_open);
        write_string(out, key);
        out.push_str(colon);
        write_nested(out, value);
        out.push_str(pair_close);
    });
    out.push_str(close);
}

fn write_flat(out: &mut String, value: &Value) {
    out.push_str(r#"{"$flat":["#);
    write_list(out, value.events(), |out, event| match event {
        Event::ArrayStart | Event::ArrayEnd | Event::ObjectStart | Event::ObjectEnd => {
            push(out, format_args!("\"{event}\""));
        }
        Event::Key(key) => {
            out.push_str(r#"["k","#);
            write_string(out, key);
            out.push(']');
        }
        scalar => {
            out.push_str(r#"["v","#);
            write_scalar(out, scalar);
            out.push(']');
        }
    });
    out.push_str("]}");
}

fn write_list<T>(out: &mut String, items: impl Iterator<Item = T>, mut write: impl FnMut(&mut String, T)) {
    for (at, item) in items.enumerate() {
        if at > 0 {
            out.push(',');
        }
        write(out, item);
    }
}

fn write_scalar(out: &mut String, event: Event<'_>) {
    match event {
        Event::String(text) => write_string(out, text),
        Event::Number(Number::Int(int)) if int.unsigned_abs() >= PLAIN_BOUND => {
            push(out, format_args!(r#"{{"$i":"{int}"}}"#));
        }
        Event::Number(Number::BigInt(big)) => push(out, format_args!(r#"{{"$i":"{}"}}"#, big.as_str())),
        Event::Number(Number::Float(float)) => {
            push(out, format_args!(r#"{{"$f":"{:016x}"}}"#, float.to_bits()));
        }
        plain => push(out, format_args!("{plain}")),
    }
}

fn write_string(out: &mut String, text: Wtf8<'_>) {
    if text.as_str().is_some() {
        return push(out, format_args!("{}", Event::String(text)));
    }
    out.push_str(r#"{"$u16":""#);
    text.encode_utf16()
        .for_each(|unit| push(out, format_args!("{unit:04x}")));
    out.push_str(r#""}"#);
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("a String takes any text");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_tagged_only_where_plain_json_would_lose_something() {
        for (text, wire) in [
            (
                r#"[null,true,9007199254740991,"\u00e9\n"]"#,
                r#"[null,true,9007199254740991,"\u00e9\u000a"]"#,
            ),
            ("-9007199254740992", r#"{"$i":"-9007199254740992"}"#),
            ("12345678901234567890", r#"{"$i":"12345678901234567890"}"#),
            ("1.0", r#"{"$f":"3ff0000000000000"}"#),
            ("-0", r#"{"$f":"8000000000000000"}"#),
            (r#""\ud83da""#, r#"{"$u16":"d83d0061"}"#),
            (r#"{"b":{},"a":1}"#, r#"{"b":{},"a":1}"#),
            (r#"{"a":1,"$b":[]}"#, r#"{"$o":[["a",1],["$b",[]]]}"#),
            (r#"{"\ude00":1}"#, r#"{"$o":[[{"$u16":"de00"},1]]}"#),
        ] {
            assert_eq!(value(&jsonscan::parse(text).unwrap()), wire);
        }
    }

    #[test]
    fn values_deeper_than_200_are_flat() {
        let nested = |depth: usize| format!("{}1{}", r#"{"k":"#.repeat(depth), "}".repeat(depth));
        assert_eq!(value(&jsonscan::parse(&nested(200)).unwrap()), nested(200));
        let opened = r#""{",["k","k"],"#.repeat(201);
        let flat = format!(r#"{{"$flat":[{opened}["v",1]{}]}}"#, r#","}""#.repeat(201));
        assert_eq!(value(&jsonscan::parse(&nested(201)).unwrap()), flat);
    }

    #[test]
    fn hexadecimal_input_is_whole_or_refused() {
        assert_eq!(from_utf16_hex("d83dDE00"), Some("\u{1f600}".into()));
        assert_eq!(from_utf16_hex("d83"), None);
        assert_eq!(from_utf16_hex("+061"), None);
        assert_eq!(from_utf8_hex("c3a9"), Some("\u{e9}".into()));
        assert_eq!(from_utf8_hex("c3"), None);
        assert_eq!(from_utf8_hex("c"), None);
    }
}
