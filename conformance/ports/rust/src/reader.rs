//! The strict automaton: what `JSON.parse` accepts, one value at a time, on an explicit stack.
//!
//! The automaton only reads; what it has read it tells a [`Sink`]. Positions are byte offsets
//! into the text, and every token function takes a position and returns one.

use crate::scan::steps;

/// Why a read ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The value is whole.
    Done,
    /// The character at the position cannot stand there.
    Fault,
    /// The text ends inside the value.
    Starved,
}

/// Told what the automaton reads, in text order.
pub(crate) trait Sink {
    /// A container opens at byte `start`, with this bracket.
    fn open(&mut self, bracket: u8, start: usize);
    /// The container that opened at `start` ends before `end`.
    fn close(&mut self, start: usize, end: usize);
    /// The key of a member: what stands between its quotes, escapes and all.
    fn key(&mut self, body: &[u8]);
    /// A string, number or literal.
    fn scalar(&mut self, token: Token<'_>);
}

/// The source of a value that holds no others.
#[derive(Clone, Copy)]
pub(crate) enum Token<'a> {
    /// What stands between the quotes, escapes and all.
    String(&'a [u8]),
    Number(&'a [u8]),
    True,
    False,
    Null,
}

/// What may stand at the position.
#[derive(Clone, Copy)]
enum Expect {
    Value,
    FirstItem,
    FirstKey,
    Key,
    Colon,
    CommaOrClose,
}

/// A read of one value under way.
pub(crate) struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    /// Where each open container started, outermost first.
    open: Vec<usize>,
    expect: Expect,
}

/// Where a token ends, or why it does not and where.
type Ending = Result<usize, (Stop, usize)>;

impl<'a> Reader<'a> {
    /// A reader of the value that starts at or after byte `at`, white space aside.
    pub(crate) fn new(text: &'a [u8], at: usize) -> Self {
        Self {
            text,
            at,
            open: Vec::new(),
            expect: Expect::Value,
        }
    }

    /// The position: where the value ended, or the read failed.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    /// Where each container that is still open started, outermost first.
    pub(crate) fn still_open(&self) -> &[usize] {
        &self.open
    }

    /// Reads on until the value is whole or cannot become so.
    pub(crate) fn run(&mut self, sink: &mut impl Sink) -> Stop {
        loop {
            match self.step(sink) {
                Ok(()) if self.open.is_empty() => return Stop::Done,
                Ok(()) => {}
                Err((stop, at)) => {
                    self.at = at;
                    return stop;
                }
            }
        }
    }

    /// Reads one token.
    fn step(&mut self, sink: &mut impl Sink) -> Result<(), (Stop, usize)> {
        self.at = skip_space(self.text, self.at);
        let byte = *self.text.get(self.at).ok_or((Stop::Starved, self.at))?;
        match (self.expect, byte) {
            (Expect::FirstItem, b']') | (Expect::FirstKey, b'}') => self.close(sink),
            (Expect::Value | Expect::FirstItem, _) => self.value(byte, sink)?,
            (Expect::FirstKey | Expect::Key, b'"') => {
                let end = string_end(self.text, self.at)?;
                sink.key(&self.text[self.at + 1..end - 1]);
                self.advance(end, Expect::Colon);
            }
            (Expect::Colon, b':') => self.advance(self.at + 1, Expect::Value),
            (Expect::CommaOrClose, _) => self.comma_or_close(byte, sink)?,
            _ => return Err((Stop::Fault, self.at)),
        }
        Ok(())
    }

    fn value(&mut self, byte: u8, sink: &mut impl Sink) -> Result<(), (Stop, usize)> {
        let expect = match byte {
            b'{' => Expect::FirstKey,
            b'[' => Expect::FirstItem,
            _ => return self.scalar(byte, sink),
        };
        sink.open(byte, self.at);
        self.open.push(self.at);
        self.advance(self.at + 1, expect);
        Ok(())
    }

    fn scalar(&mut self, byte: u8, sink: &mut impl Sink) -> Result<(), (Stop, usize)> {
        let (text, at) = (self.text, self.at);
        let (end, token) = match byte {
            b'"' => {
                let end = string_end(text, at)?;
                (end, Token::String(&text[at + 1..end - 1]))
            }
            b'-' | b'0'..=b'9' => {
                let end = number_end(text, at)?;
                (end, Token::Number(&text[at..end]))
            }
            b't' => (literal_end(text, at, b"true")?, Token::True),
            b'f' => (literal_end(text, at, b"false")?, Token::False),
            b'n' => (literal_end(text, at, b"null")?, Token::Null),
            _ => return Err((Stop::Fault, at)),
        };
        sink.scalar(token);
        self.advance(end, Expect::CommaOrClose);
        Ok(())
    }

    fn comma_or_close(&mut self, byte: u8, sink: &mut impl Sink) -> Result<(), (Stop, usize)> {
        let in_object = self.open.last().is_some_and(|start| self.text[*start] == b'{');
        match (byte, in_object) {
            (b',', true) => self.advance(self.at + 1, Expect::Key),
            (b',', false) => self.advance(self.at + 1, Expect::Value),
            (b'}', true) | (b']', false) => self.close(sink),
            _ => return Err((Stop::Fault, self.at)),
        }
        Ok(())
    }

    fn close(&mut self, sink: &mut impl Sink) {
        self.advance(self.at + 1, Expect::CommaOrClose);
        if let Some(start) = self.open.pop() {
            sink.close(start, self.at);
        }
    }

    fn advance(&mut self, at: usize, expect: Expect) {
        self.at = at;
        self.expect = expect;
    }
}

/// The first position at or after `at` that is no JSON white space, or the end.
pub(crate) fn skip_space(text: &[u8], at: usize) -> usize {
    let space = text[at..]
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
    let width = space.count();
    steps::count(width);
    at + width
}

/// The end of the string whose opening quote is at `at`.
fn string_end(text: &[u8], at: usize) -> Ending {
    let mut at = at + 1;
    loop {
        at += text[at..]
            .iter()
            .take_while(|byte| !matches!(byte, b'"' | b'\\' | 0..=0x1f))
            .count();
        match text.get(at) {
            Some(b'"') => return Ok(at + 1),
            Some(b'\\') => at = escape_end(text, at)?,
            Some(_) => return Err((Stop::Fault, at)),
            None => return Err((Stop::Starved, at)),
        }
    }
}

/// The end of the escape whose backslash is at `at`.
pub(crate) fn escape_end(text: &[u8], at: usize) -> Ending {
    match text.get(at + 1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(at + 2),
        Some(b'u') => {
            let digits = text[at + 2..]
                .iter()
                .take(4)
                .take_while(|byte| byte.is_ascii_hexdigit());
            match at + 2 + digits.count() {
                end if end == at + 6 => Ok(end),
                end => Err(stopped(text, end)),
            }
        }
        _ => Err(stopped(text, at + 1)),
    }
}

/// The end of the number that starts at `at`, with a minus sign or a digit.
pub(crate) fn number_end(text: &[u8], at: usize) -> Ending {
    let mut end = at + usize::from(text[at] == b'-');
    end = match text.get(end) {
        Some(b'0') => end + 1,
        _ => digits_end(text, end)?,
    };
    if text.get(end) == Some(&b'.') {
        end = digits_end(text, end + 1)?;
    }
    if let Some(b'e' | b'E') = text.get(end) {
        let signed = matches!(text.get(end + 1), Some(b'+' | b'-'));
        end = digits_end(text, end + 1 + usize::from(signed))?;
    }
    Ok(end)
}

/// The end of a run of at least one digit at `at`.
fn digits_end(text: &[u8], at: usize) -> Ending {
    match text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count() {
        0 => Err(stopped(text, at)),
        count => Ok(at + count),
    }
}

pub(crate) fn literal_end(text: &[u8], at: usize, word: &[u8]) -> Ending {
    let common = text[at..]
        .iter()
        .zip(word)
        .take_while(|(have, want)| have == want)
        .count();
    if common == word.len() {
        Ok(at + common)
    } else {
        Err(stopped(text, at + common))
    }
}

/// The stop for a token that cannot go on at `at`.
fn stopped(text: &[u8], at: usize) -> (Stop, usize) {
    (if at < text.len() { Stop::Fault } else { Stop::Starved }, at)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Nothing;

    impl Sink for Nothing {
        fn open(&mut self, _: u8, _: usize) {}
        fn close(&mut self, _: usize, _: usize) {}
        fn key(&mut self, _: &[u8]) {}
        fn scalar(&mut self, _: Token<'_>) {}
    }

    fn read(text: &str) -> (Stop, usize, Vec<usize>) {
        let mut reader = Reader::new(text.as_bytes(), 0);
        (
            reader.run(&mut Nothing),
            reader.position(),
            reader.still_open().to_vec(),
        )
    }

    #[test]
    fn a_whole_value_ends_where_it_ends() {
        for (text, end) in [
            ("{} x", 2),
            (" [1,2] ]", 6),
            ("-0.5e+3}", 7),
            (r#"{"a":{"b":[]}}{"#, 14),
            (r#""\u00e9\"" "#, 10),
            ("truex", 4),
            ("01", 1),
        ] {
            assert_eq!(read(text), (Stop::Done, end, vec![]), "{text}");
        }
    }

    #[test]
    fn a_fault_leaves_the_position_and_the_open_containers() {
        for (text, at, open) in [
            ("x", 0, vec![]),
            ("[1,]", 3, vec![0]),
            (r#"{"a":{"b":1},}"#, 13, vec![0]),
            (r#"{"a":[{"b":1;"#, 12, vec![0, 5, 6]),
            (r#"{"a" 1}"#, 5, vec![0]),
            ("{,}", 1, vec![0]),
            ("[1}", 2, vec![0]),
            ("[\"\u{1f}\"]", 2, vec![0]),
            (r#"["\x"]"#, 3, vec![0]),
            (r#"["\u00g0"]"#, 6, vec![0]),
            (r#"["\u00e"]"#, 7, vec![0]),
            ("-x", 1, vec![]),
            ("1.x", 2, vec![]),
            ("1e+x", 3, vec![]),
            ("nulL", 3, vec![]),
        ] {
            assert_eq!(read(text), (Stop::Fault, at, open), "{text}");
        }
    }

    #[test]
    fn a_text_that_ends_inside_a_value_starves_it() {
        for text in [
            "", " ", "{", "[1", "[1,", r#"{"a"#, r#""a\"#, r#""\u00"#, "-", "1.", "1e", "1e-", "tru",
        ] {
            let (stop, at, _) = read(text);
            assert_eq!((stop, at), (Stop::Starved, text.len()), "{text}");
        }
    }
}
