//! The strict layer: JavaScript's `JSON.parse`.

use crate::error::SyntaxError;
use crate::number::Number;
use crate::reader::{skip_space, Reader, Sink, Stop, Token};
use crate::value::{Builder, Value};
use crate::wtf8::{Source, Wtf8, Wtf8Buf};

/// Reads a text that is one JSON value, white space aside, as JavaScript's `JSON.parse` does.
///
/// It accepts exactly what V8 accepts: raw control characters are refused in strings and all else
/// stands for itself there, lone surrogates too; an escaped lead surrogate and a trail after it,
/// escaped or raw, are one character; of equal keys the last value stays, at the first place;
/// nesting is bounded by memory alone. Numbers are described at [`Number`].
///
/// O(n) time, no recursion.
///
/// # Errors
/// [`SyntaxError`], with its offset in bytes.
///
/// ```
/// let value = jsonscan::parse(r#"{"a": [1, 2e0], "a": -0}"#)?;
/// assert_eq!(value.to_string(), r#"{"a":-0.0}"#);
/// assert_eq!(jsonscan::parse("[1,]").unwrap_err().offset(), 3);
/// # Ok::<(), jsonscan::SyntaxError>(())
/// ```
pub fn parse<'a>(text: impl Source<'a>) -> Result<Value, SyntaxError> {
    parse_bytes(text.as_wtf8().as_bytes())
}

/// [`parse`] on the bytes of WTF-8 that no character was cut from.
pub(crate) fn parse_bytes(text: &[u8]) -> Result<Value, SyntaxError> {
    let mut reader = Reader::new(text, 0);
    let mut values = Values(Builder::default());
    let stop = reader.run(&mut values);
    let offset = match stop {
        Stop::Done => skip_space(text, reader.position()),
        Stop::Fault | Stop::Starved => reader.position(),
    };
    match values.0.finish() {
        Some(value) if stop == Stop::Done && offset == text.len() => Ok(value),
        _ => Err(SyntaxError {
            offset,
            ended: stop == Stop::Starved,
        }),
    }
}

/// Builds the value that is read.
struct Values(Builder);

impl Sink for Values {
    fn open(&mut self, bracket: u8, _: usize) {
        match bracket {
            b'[' => self.0.open_array(),
            _ => self.0.open_object(),
        }
    }

    fn close(&mut self, _: usize, _: usize) {
        self.0.close();
    }

    fn key(&mut self, body: &[u8]) {
        self.0.key(unescape(body));
    }

    fn scalar(&mut self, token: Token<'_>) {
        self.0.add(match token {
            Token::String(body) => Value::String(unescape(body)),
            Token::Number(token) => Value::Number(Number::from_token(token)),
            Token::True => Value::Bool(true),
            Token::False => Value::Bool(false),
            Token::Null => Value::Null,
        });
    }
}

/// The text that a string's well-formed body stands for.
pub(crate) fn unescape(body: &[u8]) -> Wtf8Buf {
    let mut text = Wtf8Buf::new();
    let mut rest = body;
    while let Some(backslash) = rest.iter().position(|byte| *byte == b'\\') {
        text.push_wtf8(Wtf8::from_bytes(&rest[..backslash]));
        let (unit, width) = escaped_unit(&rest[backslash..]);
        text.push_utf16_unit(unit);
        rest = &rest[backslash + width..];
    }
    text.push_wtf8(Wtf8::from_bytes(rest));
    text
}

/// The UTF-16 code unit of the escape at the start of `text`, and the escape's width.
pub(crate) fn escaped_unit(text: &[u8]) -> (u16, usize) {
    let unit = match text[1] {
        b'u' => {
            return (
                text[2..6].iter().fold(0, |unit, digit| unit << 4 | hex_value(*digit)),
                6,
            )
        }
        b'b' => 0x08,
        b'f' => 0x0c,
        b'n' => 0x0a,
        b'r' => 0x0d,
        b't' => 0x09,
        same => u16::from(same),
    };
    (unit, 2)
}

fn hex_value(digit: u8) -> u16 {
    u16::from(match digit {
        b'0'..=b'9' => digit - b'0',
        _ => (digit | 0x20) - b'a' + 10,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(text: &str) -> Vec<u16> {
        let Ok(Value::String(text)) = parse(text) else {
            panic!("{text}: no string")
        };
        text.as_wtf8().encode_utf16().collect()
    }

    #[test]
    fn escapes_stand_for_their_units() {
        let controls: Vec<u16> = "\u{8}\u{c}\n\r\t\"\\/".encode_utf16().collect();
        assert_eq!(units(r#""\b\f\n\r\t\"\\\/""#), controls);
        assert_eq!(units(r#""\u00e9\uFFfe\u0000""#), [0xe9, 0xfffe, 0]);
    }

    #[test]
    fn surrogates_pair_however_each_half_is_written() {
        assert_eq!(parse(r#""\ud83d\ude00""#).unwrap().as_str(), Some("\u{1f600}"));
        let mut raw_trail = Wtf8Buf::from(r#""\ud83d"#);
        raw_trail.push_utf16_unit(0xde00);
        raw_trail.push_wtf8("\"".into());
        assert_eq!(parse(&raw_trail).unwrap().as_str(), Some("\u{1f600}"));
        let mut raw_lead = Wtf8Buf::from_utf16([0x22, 0xd83d]);
        raw_lead.push_wtf8(r#"\ude00""#.into());
        assert_eq!(parse(&raw_lead).unwrap().as_str(), Some("\u{1f600}"));
        assert_eq!(units(r#""\ude00\ud83d""#), [0xde00, 0xd83d]);
        assert_eq!(units(r#""\ud83d\ud83d\ude00""#), [0xd83d, 0xd83d, 0xde00]);
        assert_eq!(units(r#""\ud83d-\ude00""#), [0xd83d, 0x2d, 0xde00]);
    }
}
