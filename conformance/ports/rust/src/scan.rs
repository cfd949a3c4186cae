//! Looking at text by position: every step takes a position in WTF-8 and gives one.
//!
//! A lone surrogate is looked at as U+FFFD: no rule asks for either. Bounds count code points.

use crate::wtf8::{decode, is_continuation};

/// How many characters were looked at, which is told in tests alone.
pub(crate) mod steps {
    #[cfg(test)]
    thread_local! {
        static STEPS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
    }

    #[cfg(not(test))]
    pub(crate) fn count(_: usize) {}

    #[cfg(test)]
    pub(crate) fn count(more: usize) {
        STEPS.with(|steps| steps.set(steps.get() + more));
    }

    /// How many there were since the last time.
    #[cfg(test)]
    pub(crate) fn take() -> usize {
        STEPS.with(|steps| steps.replace(0))
    }
}

/// How much "a few" is in the rules: what is looked at round a place without being paid for.
pub(crate) const FEW: usize = 256;

/// A position from which one reads on. Copies stay where they are, so a step can be tried.
#[derive(Clone, Copy)]
pub(crate) struct Scan<'a> {
    pub(crate) text: &'a [u8],
    pub(crate) at: usize,
}

impl<'a> Scan<'a> {
    pub(crate) fn new(text: &'a [u8], at: usize) -> Self {
        Self { text, at }
    }

    /// The character here.
    pub(crate) fn peek(self) -> Option<char> {
        char_at(self.text, self.at)
    }

    /// Is there a character here, and one that `is` says yes to?
    pub(crate) fn sees(self, is: impl Fn(char) -> bool) -> bool {
        self.peek().is_some_and(is)
    }

    /// Does the text end here?
    pub(crate) fn ends(self) -> bool {
        self.at >= self.text.len()
    }

    /// Steps over one character that `is` says yes to.
    pub(crate) fn one(&mut self, is: impl Fn(char) -> bool) -> bool {
        self.run(1, is) == 1
    }

    /// Steps over `word`.
    pub(crate) fn word(&mut self, word: &str) -> bool {
        let found = self.text[self.at..].starts_with(word.as_bytes());
        self.at += if found { word.len() } else { 0 };
        found
    }

    /// Steps over one of `words`, the first that stands here.
    pub(crate) fn one_word(&mut self, words: &[&str]) -> bool {
        words.iter().any(|word| self.word(word))
    }

    /// Steps over up to `most` characters that `is` says yes to; how many there were.
    pub(crate) fn run(&mut self, most: usize, is: impl Fn(char) -> bool) -> usize {
        let mut count = 0;
        while count < most {
            match self.peek() {
                Some(here) if is(here) => self.at += width(self.text[self.at]),
                _ => break,
            }
            count += 1;
        }
        steps::count(count + 1);
        count
    }

    /// Steps over everything up to a character that `is` says no to.
    pub(crate) fn all(&mut self, is: impl Fn(char) -> bool) {
        self.run(usize::MAX, is);
    }

    /// Does a word end here: is the character before one of a word and the one here none?
    pub(crate) fn ends_word(self) -> bool {
        !self.sees(is_word)
    }
}

/// Is the character one of these?
pub(crate) fn any(of: &'static str) -> impl Fn(char) -> bool + Copy {
    move |each| of.contains(each)
}

/// Is the character none of these?
pub(crate) fn none(of: &'static str) -> impl Fn(char) -> bool + Copy {
    move |each| !of.contains(each)
}

/// What the rules call blank.
pub(crate) fn is_blank(each: char) -> bool {
    matches!(
        each,
        '\t'..='\r'
            | ' '
            | '\u{a0}'
            | '\u{200b}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{2060}'
            | '\u{2581}'
            | '\u{3000}'
            | '\u{feff}'
    )
}

/// Unicode's white space, and the information separators.
pub(crate) fn is_space(each: char) -> bool {
    each.is_whitespace() || matches!(each, '\u{1c}'..='\u{1f}')
}

/// A space or tab.
pub(crate) fn is_gap(each: char) -> bool {
    matches!(each, ' ' | '\t')
}

/// White space to JSON.
pub(crate) fn is_json_space(each: char) -> bool {
    matches!(each, ' ' | '\t' | '\n' | '\r')
}

/// A letter, digit or `_`.
pub(crate) fn is_word(each: char) -> bool {
    each == '_' || each.is_alphanumeric()
}

/// A letter, or a number that is no decimal digit.
pub(crate) fn is_letter(each: char) -> bool {
    each.is_alphanumeric() && !is_any_digit(each)
}

/// What may start a bare word: a letter or `_`.
pub(crate) fn starts_word(each: char) -> bool {
    each == '_' || is_letter(each)
}

/// One of JSON's digits.
pub(crate) fn is_digit(each: char) -> bool {
    each.is_ascii_digit()
}

/// Where the ten digits of each other script start (Unicode's Nd).
const ZEROS: &str = "\
    \u{660}\u{6f0}\u{7c0}\u{966}\u{9e6}\u{a66}\u{ae6}\u{b66}\u{be6}\u{c66}\u{ce6}\u{d66}\u{de6}\u{e50}\u{ed0}\
    \u{f20}\u{1040}\u{1090}\u{17e0}\u{1810}\u{1946}\u{19d0}\u{1a80}\u{1a90}\u{1b50}\u{1bb0}\u{1c40}\u{1c50}\
    \u{a620}\u{a8d0}\u{a900}\u{a9d0}\u{a9f0}\u{aa50}\u{abf0}\u{ff10}\u{104a0}\u{10d30}\u{11066}\u{110f0}\
    \u{11136}\u{111d0}\u{112f0}\u{11450}\u{114d0}\u{11650}\u{116c0}\u{11730}\u{118e0}\u{11950}\u{11c50}\u{11d50}\
    \u{11da0}\u{16a60}\u{16ac0}\u{16b50}\u{1d7ce}\u{1d7d8}\u{1d7e2}\u{1d7ec}\u{1d7f6}\u{1e140}\u{1e2f0}\u{1e950}\
    \u{1fbf0}";

/// A digit of any script, as in prose.
pub(crate) fn is_any_digit(each: char) -> bool {
    let is_of = |zero: char| u32::from(each).wrapping_sub(u32::from(zero)) < 10;
    is_digit(each) || (!each.is_ascii() && ZEROS.chars().any(is_of))
}

/// The character that starts at `at`.
pub(crate) fn char_at(text: &[u8], at: usize) -> Option<char> {
    match *text.get(at)? {
        ascii @ 0..=0x7f => Some(char::from(ascii)),
        _ => Some(char::from_u32(decode(text, at).0).unwrap_or(char::REPLACEMENT_CHARACTER)),
    }
}

/// The character that ends before `at`.
pub(crate) fn char_before(text: &[u8], at: usize) -> Option<char> {
    char_at(text, back(text, at, 1)).filter(|_| at > 0)
}

/// The bytes of the character that starts with `first`.
fn width(first: u8) -> usize {
    match first {
        0..=0xbf => 1,
        0xc0..=0xdf => 2,
        0xe0..=0xef => 3,
        _ => 4,
    }
}

/// The position `count` characters before `at`, or the start of the text.
pub(crate) fn back(text: &[u8], mut at: usize, count: usize) -> usize {
    steps::count(count);
    for _ in 0..count {
        if at == 0 {
            break;
        }
        at -= 1;
        while at > 0 && is_continuation(text[at]) {
            at -= 1;
        }
    }
    at
}

/// The position before up to `most` characters that `is` says yes to and that end at `at`, not before `least`.
pub(crate) fn back_over(text: &[u8], least: usize, mut at: usize, most: usize, is: impl Fn(char) -> bool) -> usize {
    for _ in 0..most {
        let before = back(text, at, 1);
        if before < least || at == before || !char_at(text, before).is_some_and(&is) {
            break;
        }
        at = before;
    }
    at
}

/// Do fewer than `bound` characters stand between the two positions?
pub(crate) fn is_near(text: &[u8], from: usize, to: usize, bound: usize) -> bool {
    let width = to.saturating_sub(from);
    width < bound || (width <= 4 * bound && count(&text[from..to]) < bound)
}

/// How many characters the text has.
pub(crate) fn count(text: &[u8]) -> usize {
    steps::count(text.len());
    text.iter().filter(|byte| !is_continuation(**byte)).count()
}

/// Is everything between the two positions something that `is` says yes to?
pub(crate) fn is_all(text: &[u8], from: usize, to: usize, is: impl Fn(char) -> bool) -> bool {
    let mut scan = Scan::new(&text[..to], from.min(to));
    scan.all(is);
    scan.ends()
}

/// The first position behind blanks.
pub(crate) fn skip_blank(text: &[u8], at: usize) -> usize {
    let mut scan = Scan::new(text, at);
    scan.all(is_blank);
    scan.at
}

/// The end of the text but for the blanks there.
pub(crate) fn end_before_blank(text: &[u8]) -> usize {
    back_over(text, 0, text.len(), usize::MAX, is_blank)
}

/// Where `word` first stands at or after `from`.
pub(crate) fn find(text: &[u8], word: &[u8], from: usize) -> Option<usize> {
    let first = *word.first()?;
    let mut at = from;
    let found = loop {
        let found = find_byte(text, at, text.len(), |byte| byte == first)?;
        if text[found..].starts_with(word) {
            break found;
        }
        at = found + 1;
    };
    Some(found)
}

/// Where a byte that `is` says yes to first stands at or after `from`, before `to`.
pub(crate) fn find_byte(text: &[u8], from: usize, to: usize, is: impl Fn(u8) -> bool) -> Option<usize> {
    let found = text[from.min(to)..to]
        .iter()
        .position(|byte| is(*byte))
        .map(|found| from + found);
    steps::count(found.unwrap_or(to).saturating_sub(from));
    found
}

/// Where the byte last stands in the range.
pub(crate) fn find_last(text: &[u8], byte: u8, from: usize, to: usize) -> Option<usize> {
    let found = text[from.min(to)..to]
        .iter()
        .rposition(|each| *each == byte)
        .map(|found| from + found);
    steps::count(to - found.unwrap_or(from.min(to)));
    found
}

/// Does the byte stand in the range?
pub(crate) fn holds(text: &[u8], byte: u8, from: usize, to: usize) -> bool {
    steps::count(to.saturating_sub(from));
    text[from.min(to)..to].contains(&byte)
}

/// The position behind the last LF before `at`: where the line starts.
pub(crate) fn line_start(text: &[u8], at: usize) -> usize {
    find_last(text, b'\n', 0, at).map_or(0, |found| found + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wtf8::Source;

    #[test]
    fn steps_forth_and_back_count_characters() {
        let text = "a\u{e9}\u{4e2d}\u{1f600}b".as_bytes();
        let mut scan = Scan::new(text, 0);
        assert_eq!(scan.run(3, |_| true), 3);
        assert_eq!((scan.at, scan.peek()), (6, Some('\u{1f600}')));
        assert_eq!(back(text, text.len(), 2), 6);
        assert_eq!(char_before(text, 6), Some('\u{4e2d}'));
        assert_eq!(char_before(text, 0), None);
        assert_eq!(back_over(text, 0, 6, 9, |each| each > 'z'), 1);
        assert_eq!(back_over(text, 3, 6, 9, |each| each > 'z'), 3);
        assert!(is_near(text, 0, text.len(), 6) && !is_near(text, 0, text.len(), 5));
    }

    #[test]
    fn a_lone_surrogate_is_in_no_class() {
        let text = crate::Wtf8Buf::from_utf16([0x61, 0xd800]);
        let text = text.as_wtf8().as_bytes();
        assert_eq!(char_at(text, 1), Some('\u{fffd}'));
        assert!(!Scan::new(text, 1).sees(is_word) && !Scan::new(text, 1).sees(is_blank));
    }
}
