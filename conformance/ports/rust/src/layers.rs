//! Layers of escaping that lie over a whole text.

use crate::reader::escape_end;
use crate::scan::{any, find_byte, Scan};
use crate::strict::escaped_unit;
use crate::wtf8::{Wtf8, Wtf8Buf};

/// What a text may have been put through once more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layer {
    /// JSON's escapes.
    Escapes,
    /// Quotes doubled.
    Doubled,
    /// HTML's entities.
    Html,
}

impl Layer {
    pub(crate) fn code(self) -> &'static str {
        match self {
            Self::Escapes => "escaped-json",
            Self::Doubled => "doubled-quotes",
            Self::Html => "html-entities",
        }
    }

    /// `raw` with the layer taken off, up to the first place where at least `most` bytes came of it; and how much of `raw` that took.
    pub(crate) fn taken_off(self, raw: &[u8], most: usize) -> (Wtf8Buf, usize) {
        let mut plain = Wtf8Buf::new();
        let mut at = 0;
        while at < raw.len() {
            let left = most.saturating_sub(plain.as_bytes().len());
            if left == 0 {
                break;
            }
            let run = find_byte(raw, at, raw.len(), |byte| byte == self.mark()).unwrap_or(raw.len()) - at;
            // A raw trail surrogate could join an escaped lead, and then adds less than its width.
            let is_trail = matches!(raw[at..], [0xed, 0xb0..=0xbf, _, ..]);
            let step = if is_trail { 3 } else { run.min(left) };
            plain.push_wtf8(Wtf8::from_bytes(&raw[at..at + step]));
            at += step;
            if step == run && step < left && at < raw.len() {
                at = self.token(raw, at, &mut plain);
            }
        }
        (plain, at)
    }

    /// What a token of the layer starts with.
    fn mark(self) -> u8 {
        match self {
            Self::Escapes => b'\\',
            Self::Doubled => b'"',
            Self::Html => b'&',
        }
    }

    /// Adds what the token at `at` stands for, or the mark itself; the position behind.
    fn token(self, raw: &[u8], at: usize, plain: &mut Wtf8Buf) -> usize {
        match self {
            Self::Escapes => {
                if let Ok(end) = escape_end(raw, at) {
                    plain.push_utf16_unit(escaped_unit(&raw[at..end]).0);
                    return end;
                }
            }
            Self::Doubled => {
                plain.push_wtf8("\"".into());
                return at + 1 + usize::from(raw.get(at + 1) == Some(&b'"'));
            }
            Self::Html => {
                if let Some((character, end)) = entity(raw, at) {
                    plain.push_wtf8(character.encode_utf8(&mut [0; 4]).to_owned().as_str().into());
                    return end;
                }
            }
        }
        plain.push_wtf8(Wtf8::from_bytes(&raw[at..at + 1]));
        at + 1
    }
}

/// The character that the HTML entity at `at` stands for, and where it ends.
fn entity(raw: &[u8], at: usize) -> Option<(char, usize)> {
    let named = [
        ("&quot;", '"'),
        ("&apos;", '\''),
        ("&amp;", '&'),
        ("&lt;", '<'),
        ("&gt;", '>'),
        ("&nbsp;", '\u{a0}'),
    ];
    let mut scan = Scan::new(raw, at);
    if let Some((name, character)) = named
        .into_iter()
        .find(|(name, _)| raw[at..].starts_with(name.as_bytes()))
    {
        return Some((character, at + name.len()));
    }
    if !scan.word("&#") {
        return None;
    }
    let (most, radix) = if scan.one(any("xX")) { (5, 16) } else { (6, 10) };
    let from = scan.at;
    scan.run(most, |each| each.is_digit(radix));
    let digits = std::str::from_utf8(&raw[from..scan.at]).unwrap_or("");
    let point = u32::from_str_radix(digits, radix).ok()?;
    let character = char::from_u32(point)
        .filter(|each| *each != '\0')
        .unwrap_or(char::REPLACEMENT_CHARACTER);
    scan.word(";").then_some((character, scan.at))
}

/// Does the entity of a quote stand at `at`?
pub(crate) fn is_quote_entity(text: &[u8], at: usize) -> bool {
    entity(text, at).is_some_and(|(character, _)| any("\"'")(character))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layer_is_taken_off_as_far_as_wanted() {
        for (layer, raw, plain) in [
            (
                Layer::Escapes,
                r#"{\"a\": \"\u00e9\ud83d\ude00\\n\q\"}"#,
                "{\"a\": \"\u{e9}\u{1f600}\\n\\q\"}",
            ),
            (Layer::Doubled, r#"{""a"": ""b"}"#, r#"{"a": "b"}"#),
            (Layer::Html, "{&quot;a&#34;: &#x27;b&#X27;&amp;&x;}", "{\"a\": 'b'&&x;}"),
        ] {
            let (whole, length) = layer.taken_off(raw.as_bytes(), usize::MAX);
            assert_eq!((whole, length), (plain.into(), raw.len()));
        }
        let raw = Wtf8Buf::from_utf16(
            "\\ud83d?x"
                .encode_utf16()
                .map(|unit| if unit == 0x3f { 0xde00 } else { unit }),
        );
        let raw = raw.as_bytes();
        let (joined, length) = Layer::Escapes.taken_off(raw, 4);
        assert_eq!((joined, length), ("\u{1f600}".into(), raw.len() - 1));
        let (part, length) = Layer::Escapes.taken_off(br#"{\"a\": 1} \"x"#, 8);
        assert_eq!((part, length), (r#"{"a": 1}"#.into(), 10));
    }
}
