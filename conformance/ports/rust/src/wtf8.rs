//! Text that can hold what a JavaScript string can.
//!
//! `str` cannot hold a lone surrogate, and JSON text can write one (`"\ud800"`). WTF-8 can: it is
//! UTF-8 with lone surrogates encoded as if they were characters, and pairs never left apart, so
//! two texts are equal as bytes exactly when they are equal as UTF-16.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// Borrowed WTF-8: well-formed text from a `&str`, or part of a [`Wtf8Buf`].
///
/// Offsets into it count bytes, as in `str`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Wtf8<'a> {
    bytes: &'a [u8],
}

/// Owned WTF-8. The strings and keys of a [`Value`](crate::Value) are of this type.
///
/// ```
/// use jsonscan::Wtf8Buf;
///
/// assert_eq!(Wtf8Buf::from("a").as_str(), Some("a"));
/// assert_eq!(Wtf8Buf::from_utf16([0xd83d, 0xde00]).as_str(), Some("\u{1f600}"));
/// assert_eq!(Wtf8Buf::from_utf16([0xd83d]).as_str(), None);
/// ```
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Wtf8Buf {
    bytes: Vec<u8>,
}

/// What the entry points read: `&str`, `&String`, [`Wtf8`] or `&Wtf8Buf`.
///
/// A part of the input comes back in the input's own type, so a `&str` gives a `&str`.
pub trait Source<'a>: Copy + sealed::Sealed {
    /// The type of a part of this text.
    type Slice;

    /// The whole text.
    fn as_wtf8(self) -> Wtf8<'a>;

    /// The bytes `range` of this text.
    ///
    /// # Panics
    /// When `range` is out of bounds or cuts a character.
    fn slice(self, range: Range<usize>) -> Self::Slice;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for &str {}
    impl Sealed for &String {}
    impl Sealed for super::Wtf8<'_> {}
    impl Sealed for &super::Wtf8Buf {}
}

impl<'a> Source<'a> for &'a str {
    type Slice = &'a str;

    fn as_wtf8(self) -> Wtf8<'a> {
        Wtf8 { bytes: self.as_bytes() }
    }

    fn slice(self, range: Range<usize>) -> &'a str {
        &self[range]
    }
}

impl<'a> Source<'a> for &'a String {
    type Slice = &'a str;

    fn as_wtf8(self) -> Wtf8<'a> {
        self.as_str().as_wtf8()
    }

    fn slice(self, range: Range<usize>) -> &'a str {
        self.as_str().slice(range)
    }
}

impl<'a> Source<'a> for Wtf8<'a> {
    type Slice = Wtf8<'a>;

    fn as_wtf8(self) -> Wtf8<'a> {
        self
    }

    fn slice(self, range: Range<usize>) -> Wtf8<'a> {
        let on_boundary = |at: usize| self.bytes.get(at).is_none_or(|byte| !is_continuation(*byte));
        assert!(
            on_boundary(range.start) && on_boundary(range.end),
            "a slice must not cut a character"
        );
        Wtf8 {
            bytes: &self.bytes[range],
        }
    }
}

impl<'a> Source<'a> for &'a Wtf8Buf {
    type Slice = Wtf8<'a>;

    fn as_wtf8(self) -> Wtf8<'a> {
        Wtf8 { bytes: &self.bytes }
    }

    fn slice(self, range: Range<usize>) -> Wtf8<'a> {
        self.as_wtf8().slice(range)
    }
}

impl<'a> Wtf8<'a> {
    /// The bytes, UTF-8 where the text is well-formed.
    pub fn as_bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// `bytes` must be part of a text that no character was cut from.
    pub(crate) fn from_bytes(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// The text as a `str`, or `None` when it holds a lone surrogate. O(n).
    pub fn as_str(self) -> Option<&'a str> {
        std::str::from_utf8(self.bytes).ok()
    }

    /// The text with each lone surrogate replaced by U+FFFD.
    pub fn to_string_lossy(self) -> Cow<'a, str> {
        match self.as_str() {
            Some(text) => Cow::Borrowed(text),
            None => Cow::Owned(code_points(self.bytes).map(to_char_lossy).collect()),
        }
    }

    /// The UTF-16 code units, lone surrogates as they are.
    pub fn encode_utf16(self) -> impl Iterator<Item = u16> + 'a {
        code_points(self.bytes).flat_map(|point| {
            let (first, second) = utf16_units(point);
            std::iter::once(first).chain(second)
        })
    }

    /// How many UTF-16 code units the text has: what JavaScript calls its `length`. O(n).
    pub fn utf16_len(self) -> usize {
        let units = |byte: &u8| usize::from(!is_continuation(*byte)) + usize::from(*byte >= 0xf0);
        self.bytes.iter().map(units).sum()
    }

    /// The first `units` UTF-16 code units. A surrogate pair that the cut falls into leaves its
    /// lead behind, as JavaScript's `slice` does.
    pub(crate) fn utf16_prefix(self, units: usize) -> Wtf8Buf {
        Wtf8Buf::from_utf16(self.encode_utf16().take(units))
    }
}

impl Wtf8Buf {
    /// An empty text.
    pub fn new() -> Self {
        Self::default()
    }

    /// The text of these UTF-16 code units: pairs become one character, lone surrogates stay.
    pub fn from_utf16(units: impl IntoIterator<Item = u16>) -> Self {
        let mut text = Self::new();
        units.into_iter().for_each(|unit| text.push_utf16_unit(unit));
        text
    }

    /// The bytes, UTF-8 where the text is well-formed.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The text as a `str`, or `None` when it holds a lone surrogate. O(n).
    pub fn as_str(&self) -> Option<&str> {
        self.as_wtf8().as_str()
    }

    /// Appends one UTF-16 code unit. A trail surrogate joins a lead surrogate before it.
    pub fn push_utf16_unit(&mut self, unit: u16) {
        let point = match (self.last_lead(), unit) {
            (Some(lead), 0xdc00..=0xdfff) => {
                self.bytes.truncate(self.bytes.len() - 3);
                0x10000 + ((u32::from(lead) - 0xd800) << 10) + (u32::from(unit) - 0xdc00)
            }
            _ => u32::from(unit),
        };
        self.push_code_point(point);
    }

    /// Appends text. A trail surrogate at its start joins a lead surrogate before it.
    pub fn push_wtf8(&mut self, text: Wtf8<'_>) {
        let joins = self.last_lead().is_some() && matches!(text.bytes, [0xed, 0xb0..=0xbf, ..]);
        let mut rest = text.bytes;
        if joins {
            let (trail, width) = decode(rest, 0);
            self.push_utf16_unit(trail as u16);
            rest = &rest[width..];
        }
        self.bytes.extend_from_slice(rest);
    }

    /// The lone lead surrogate that the text ends with, if any.
    fn last_lead(&self) -> Option<u16> {
        match *self.bytes.as_slice() {
            [.., 0xed, second @ 0xa0..=0xaf, third] => {
                Some(0xd000 | u16::from(second & 0x3f) << 6 | u16::from(third & 0x3f))
            }
            _ => None,
        }
    }

    pub(crate) fn push_code_point(&mut self, point: u32) {
        let tail = |shift: u32| 0x80 | (point >> shift & 0x3f) as u8;
        match point {
            0..=0x7f => self.bytes.push(point as u8),
            0x80..=0x7ff => self.bytes.extend([0xc0 | (point >> 6) as u8, tail(0)]),
            0x800..=0xffff => self.bytes.extend([0xe0 | (point >> 12) as u8, tail(6), tail(0)]),
            _ => self
                .bytes
                .extend([0xf0 | (point >> 18) as u8, tail(12), tail(6), tail(0)]),
        }
    }
}

impl<'a> From<&'a str> for Wtf8<'a> {
    fn from(text: &'a str) -> Self {
        text.as_wtf8()
    }
}

impl From<&str> for Wtf8Buf {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<String> for Wtf8Buf {
    fn from(text: String) -> Self {
        Self {
            bytes: text.into_bytes(),
        }
    }
}

impl From<Wtf8<'_>> for Wtf8Buf {
    fn from(text: Wtf8<'_>) -> Self {
        Self {
            bytes: text.bytes.to_vec(),
        }
    }
}

impl PartialEq<str> for Wtf8<'_> {
    fn eq(&self, other: &str) -> bool {
        self.bytes == other.as_bytes()
    }
}

impl PartialEq<&str> for Wtf8<'_> {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

impl PartialEq<str> for Wtf8Buf {
    fn eq(&self, other: &str) -> bool {
        self.as_wtf8() == *other
    }
}

impl PartialEq<&str> for Wtf8Buf {
    fn eq(&self, other: &&str) -> bool {
        self.as_wtf8() == **other
    }
}

/// Lone surrogates are shown as U+FFFD.
impl fmt::Display for Wtf8<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.to_string_lossy())
    }
}

/// Lone surrogates are shown as U+FFFD.
impl fmt::Display for Wtf8Buf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_wtf8().fmt(f)
    }
}

/// A quoted literal, lone surrogates as `\u{d800}`.
impl fmt::Debug for Wtf8<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for point in code_points(self.bytes) {
            match char::from_u32(point) {
                Some(character) => write!(f, "{}", character.escape_debug())?,
                None => write!(f, "\\u{{{point:x}}}")?,
            }
        }
        f.write_str("\"")
    }
}

/// A quoted literal, lone surrogates as `\u{d800}`.
impl fmt::Debug for Wtf8Buf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_wtf8().fmt(f)
    }
}

/// The code points of WTF-8 `bytes`, surrogates among them.
fn code_points(bytes: &[u8]) -> impl Iterator<Item = u32> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        (at < bytes.len()).then(|| {
            let (point, width) = decode(bytes, at);
            at += width;
            point
        })
    })
}

/// The code point that starts at `at` in WTF-8 `bytes`, and its width in bytes.
pub(crate) fn decode(bytes: &[u8], at: usize) -> (u32, usize) {
    let tail = |offset: usize| u32::from(bytes[at + offset] & 0x3f);
    let first = u32::from(bytes[at]);
    match first {
        0..=0x7f => (first, 1),
        0x80..=0xdf => ((first & 0x1f) << 6 | tail(1), 2),
        0xe0..=0xef => ((first & 0x0f) << 12 | tail(1) << 6 | tail(2), 3),
        _ => ((first & 0x07) << 18 | tail(1) << 12 | tail(2) << 6 | tail(3), 4),
    }
}

/// Is `byte` a byte of a character after its first?
pub(crate) fn is_continuation(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

fn utf16_units(point: u32) -> (u16, Option<u16>) {
    match point.checked_sub(0x10000) {
        None => (point as u16, None),
        Some(rest) => (0xd800 | (rest >> 10) as u16, Some(0xdc00 | (rest & 0x3ff) as u16)),
    }
}

fn to_char_lossy(point: u32) -> char {
    char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_pushed_apart_become_one_character() {
        let mut text = Wtf8Buf::from("a");
        text.push_utf16_unit(0xd83d);
        assert_eq!(text.as_str(), None);
        text.push_wtf8(Wtf8Buf::from_utf16([0xde00, 0xde00]).as_wtf8());
        assert_eq!(text.encode_units(), [0x61, 0xd83d, 0xde00, 0xde00]);
        assert_eq!(text.as_wtf8().as_bytes(), b"a\xf0\x9f\x98\x80\xed\xb8\x80");
    }

    #[test]
    fn a_trail_before_a_lead_stays_two_units() {
        let text = Wtf8Buf::from_utf16([0xde00, 0xd83d]);
        assert_eq!(text.encode_units(), [0xde00, 0xd83d]);
        assert_eq!(text.to_string(), "\u{fffd}\u{fffd}");
        assert_eq!(format!("{text:?}"), r#""\u{de00}\u{d83d}""#);
    }

    #[test]
    fn lengths_and_prefixes_count_utf16_units() {
        for (text, units) in [("", 0), ("a\u{e9}\u{4e2d}", 3), ("\u{1f600}", 2)] {
            assert_eq!(text.as_wtf8().utf16_len(), units, "{text}");
        }
        let cut = "x\u{1f600}y".as_wtf8().utf16_prefix(2);
        assert_eq!(cut.encode_units(), [0x78, 0xd83d]);
        assert_eq!(cut.as_wtf8().utf16_len(), 2);
    }

    #[test]
    fn every_code_point_survives_the_way_through_utf16() {
        for point in (0..0x11_0000)
            .step_by(7)
            .filter(|point| !(0xd800..0xdc00).contains(point))
        {
            let mut text = Wtf8Buf::new();
            text.push_code_point(point);
            assert_eq!(Wtf8Buf::from_utf16(text.encode_units()), text, "{point:x}");
            assert_eq!(text.as_str(), char::from_u32(point).map(String::from).as_deref());
        }
    }

    #[test]
    #[should_panic(expected = "must not cut")]
    fn a_slice_that_cuts_a_character_panics() {
        Wtf8::from("\u{e9}").slice(0..1);
    }

    impl Wtf8Buf {
        fn encode_units(&self) -> Vec<u16> {
            self.as_wtf8().encode_utf16().collect()
        }
    }
}
