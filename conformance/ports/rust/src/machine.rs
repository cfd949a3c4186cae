//! The strict reader that can be talked to: it stops at a fault, and goes on behind an edit.
//!
//! It reads the grammar of [`Reader`](crate::reader::Reader) on a stack of its own, and builds the value. Where strict
//! reading cannot go on, the one who asked says what stands there instead, and asks again. A
//! machine only moves on in its text, so however often it is asked, it is linear.

use std::mem;

use crate::number::Number;
use crate::options::{BigInts, DuplicateKeys, Options};
use crate::reader::{escape_end, literal_end, number_end, skip_space, Stop};
use crate::scan::steps;
use crate::strict::{escaped_unit, unescape};
use crate::value::{Array, Object, Value};
use crate::wtf8::{Wtf8, Wtf8Buf};

/// Integers beyond this magnitude are the ones that [`BigInts`] speaks of.
const SAFE_INTEGER: u64 = (1 << 53) - 1;

/// What may stand at the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Value,
    /// A value, or `]`.
    FirstValue,
    Key,
    /// A key, or `}`.
    FirstKey,
    Colon,
    /// A comma, or the closer.
    Next,
    /// Nothing.
    End,
}

impl Phase {
    pub(crate) fn is_value(self) -> bool {
        matches!(self, Self::Value | Self::FirstValue)
    }

    pub(crate) fn is_key(self) -> bool {
        matches!(self, Self::Key | Self::FirstKey)
    }
}

/// Why strict reading cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The character at the position cannot stand there.
    Unexpected,
    /// A raw control character at the position, in the string that starts at the token.
    Control,
    /// The backslash at the position starts no escape; the string starts at the token.
    Escape,
    /// The number at the token breaks off at the position.
    Number,
    /// The word at the token begins like a literal and goes on otherwise at the position.
    Literal,
    /// The container at the position would be deeper than the limit.
    Depth,
    /// The integer at the token has more digits than the limit.
    Digits,
    /// The name at the position stands in its object already.
    DuplicateKey,
}

/// A name that stands in its object already and must not.
pub(crate) struct Duplicate;

/// A scalar or name that was taken back.
pub(crate) enum Scalar {
    Value(Value),
    Key(Wtf8Buf),
}

/// What the options say of single values.
#[derive(Clone, Copy)]
struct Bounds {
    depth: usize,
    digits: usize,
    big_ints: BigInts,
    duplicates: DuplicateKeys,
}

struct Frame {
    start: usize,
    items: Items,
}

enum Items {
    Array(Array),
    /// The members; the name read last; whether its value is dropped.
    Object(Object, Wtf8Buf, bool),
}

impl Frame {
    fn kind(&self) -> u8 {
        match self.items {
            Items::Array(_) => b'[',
            Items::Object(..) => b'{',
        }
    }

    fn store(&mut self, value: Value) {
        match &mut self.items {
            Items::Array(items) => items.push(value),
            Items::Object(members, key, dropped) => {
                if !*dropped {
                    members.insert(key.clone(), value);
                }
            }
        }
    }

    fn into_value(self) -> Value {
        match self.items {
            Items::Array(items) => Value::Array(items),
            Items::Object(members, ..) => Value::Object(members),
        }
    }
}

pub(crate) struct Machine<'a> {
    text: &'a [u8],
    pub(crate) pos: usize,
    /// Where the last token, or the one at fault, starts.
    pub(crate) token: usize,
    pub(crate) phase: Phase,
    pub(crate) fault: Fault,
    /// Did the text end inside a string?
    pub(crate) in_string: bool,
    root: Option<Value>,
    frames: Vec<Frame>,
    /// The string that the text ended in, as far as it was decoded.
    partial: Wtf8Buf,
    /// Where the scalar or name read last starts, if at most a comma was read since.
    last: Option<usize>,
    bounds: Bounds,
}

impl<'a> Machine<'a> {
    /// A machine that reads one value at or after `pos`.
    pub(crate) fn new(text: &'a [u8], pos: usize, options: &Options) -> Self {
        Self {
            text,
            pos,
            token: pos,
            phase: Phase::Value,
            fault: Fault::Unexpected,
            in_string: false,
            root: None,
            frames: Vec::new(),
            partial: Wtf8Buf::new(),
            last: None,
            bounds: Bounds {
                depth: options.limits.max_depth.unwrap_or(usize::MAX),
                digits: options.limits.max_digits.unwrap_or(usize::MAX),
                big_ints: options.big_ints,
                duplicates: options.duplicate_keys,
            },
        }
    }

    /// A machine that has read the object `members`, which stands at `start..end`, but for its last brace.
    pub(crate) fn reopened(text: &'a [u8], start: usize, end: usize, members: Object, options: &Options) -> Self {
        let mut machine = Self::new(text, end, options);
        machine.phase = if members.is_empty() {
            Phase::FirstKey
        } else {
            Phase::Next
        };
        machine.frames.push(Frame {
            start,
            items: Items::Object(members, Wtf8Buf::new(), false),
        });
        machine
    }

    /// Reads on until the value is whole, strict reading cannot go on, or the text ends.
    pub(crate) fn run(&mut self) -> Stop {
        let start = self.pos;
        loop {
            if let Err(stop) = self.step() {
                steps::count(self.pos.saturating_sub(start) + 1);
                return stop;
            }
        }
    }

    /// The value, once it is whole.
    pub(crate) fn into_value(self) -> Option<Value> {
        self.root
    }

    /// The value so far: names with their value only, strings as far as they were decoded, numbers and
    /// literals only when whole.
    pub(crate) fn into_partial(mut self) -> Option<Value> {
        let mut inner = (self.in_string && self.phase.is_value()).then_some(Value::String(self.partial));
        while let Some(mut frame) = self.frames.pop() {
            if let Some(value) = inner {
                frame.store(value);
            }
            inner = Some(frame.into_value());
        }
        inner.or(self.root)
    }

    /// The bracket of the innermost open container; `None` where none is open.
    pub(crate) fn kind(&self) -> Option<u8> {
        self.frames.last().map(Frame::kind)
    }

    /// The bracket of the container round that one, or its own where it stands in none.
    pub(crate) fn outer_kind(&self) -> Option<u8> {
        self.frames.get(self.frames.len().saturating_sub(2)).map(Frame::kind)
    }

    /// How many containers are open.
    pub(crate) fn depth(&self) -> usize {
        self.frames.len()
    }

    /// The brackets of the open containers, outermost first, and where they stand.
    pub(crate) fn open(&self) -> impl DoubleEndedIterator<Item = (u8, usize)> + ExactSizeIterator + '_ {
        self.frames.iter().map(|frame| (frame.kind(), frame.start))
    }

    // Edits: each says what stands before a position, in place of the text there.

    /// Nothing stands before `pos`.
    pub(crate) fn goto(&mut self, pos: usize) {
        self.in_string = false;
        self.pos = pos;
        self.last = None;
    }

    /// This value stands before `pos`. One must be due.
    pub(crate) fn put(&mut self, value: Value, pos: usize) {
        self.in_string = false;
        self.place(value, pos);
    }

    /// This name stands before `pos`. One must be due.
    pub(crate) fn put_key(&mut self, key: Wtf8Buf, pos: usize) -> Result<(), Duplicate> {
        self.name(key, pos)?;
        self.in_string = false;
        Ok(())
    }

    /// This punctuation stands before `pos`. A closer is the innermost container's whatever its kind; behind a comma it
    /// takes back that. Says whether it could stand there; if not, nothing has changed.
    pub(crate) fn punct(&mut self, mark: u8, pos: usize) -> bool {
        let behind_comma = self.phase == Phase::Key || (self.phase == Phase::Value && self.kind() == Some(b'['));
        let phase = self.phase;
        if matches!(mark, b'}' | b']') && behind_comma {
            self.phase = Phase::Next;
        }
        if !self.mark(mark, self.pos, pos) {
            self.phase = phase;
            return false;
        }
        self.in_string = false;
        self.last = None;
        true
    }

    /// Takes back the scalar or name read last, and a comma behind it, if nothing was read since.
    pub(crate) fn retract(&mut self) -> Option<Scalar> {
        self.token = self.last.take()?;
        self.pos = self.token;
        let Some(frame) = self.frames.last_mut() else {
            self.phase = Phase::Value;
            return self.root.take().map(Scalar::Value);
        };
        match &mut frame.items {
            Items::Object(members, key, _) if self.phase == Phase::Colon => {
                self.phase = if members.is_empty() {
                    Phase::FirstKey
                } else {
                    Phase::Key
                };
                Some(Scalar::Key(mem::take(key)))
            }
            Items::Object(members, key, _) => {
                // The old value stays until the new one takes its place, and so keeps the place.
                self.phase = Phase::Value;
                members.get(&*key).cloned().map(Scalar::Value)
            }
            Items::Array(items) => {
                let value = items.pop().map(Scalar::Value);
                self.phase = if items.is_empty() {
                    Phase::FirstValue
                } else {
                    Phase::Value
                };
                value
            }
        }
    }

    // The grammar.

    /// Reads one token; an error is the reason to stop.
    fn step(&mut self) -> Result<(), Stop> {
        if self.phase == Phase::End {
            return Err(Stop::Done);
        }
        self.pos = skip_space(self.text, self.pos);
        let pos = self.pos;
        let Some(byte) = self.text.get(pos).copied() else {
            self.token = pos;
            return Err(Stop::Starved);
        };
        match byte {
            b'"' if self.phase.is_value() || self.phase.is_key() => self.string(pos),
            b'-' | b'0'..=b'9' if self.phase.is_value() => self.number(pos),
            b't' | b'f' | b'n' if self.phase.is_value() => self.literal(pos, byte),
            b'{' | b'[' if self.phase.is_value() && self.frames.len() >= self.bounds.depth => {
                Err(self.stop(Fault::Depth, pos, pos))
            }
            b'}' | b']' if self.kind() != Some(byte - 2) => Err(self.stop(Fault::Unexpected, pos, pos)),
            _ if self.mark(byte, pos, pos + 1) => Ok(()),
            _ => Err(self.stop(Fault::Unexpected, pos, pos)),
        }
    }

    fn stop(&mut self, fault: Fault, token: usize, pos: usize) -> Stop {
        (self.fault, self.token, self.pos) = (fault, token, pos);
        Stop::Fault
    }

    fn starve(&mut self, token: usize) -> Stop {
        (self.token, self.pos) = (token, token);
        Stop::Starved
    }

    /// Lets the punctuation stand at `start..pos`, if it can.
    fn mark(&mut self, mark: u8, start: usize, pos: usize) -> bool {
        self.phase = match (mark, self.phase) {
            (b'{', Phase::Value | Phase::FirstValue) => {
                self.open_frame(start, Items::Object(Object::new(), Wtf8Buf::new(), false));
                Phase::FirstKey
            }
            (b'[', Phase::Value | Phase::FirstValue) => {
                self.open_frame(start, Items::Array(Array::default()));
                Phase::FirstValue
            }
            (b'}' | b']', Phase::Next | Phase::FirstKey | Phase::FirstValue) => self.close_frame(),
            (b',', Phase::Next) => match self.kind() {
                Some(b'{') => Phase::Key,
                _ => Phase::Value,
            },
            (b':', Phase::Colon) => Phase::Value,
            _ => return false,
        };
        (self.token, self.pos) = (start, pos);
        if mark != b',' {
            self.last = None;
        }
        true
    }

    fn open_frame(&mut self, start: usize, items: Items) {
        self.frames.push(Frame { start, items });
    }

    fn close_frame(&mut self) -> Phase {
        if let Some(frame) = self.frames.pop() {
            self.store(frame.into_value());
        }
        self.behind_value()
    }

    fn behind_value(&self) -> Phase {
        if self.frames.is_empty() {
            Phase::End
        } else {
            Phase::Next
        }
    }

    fn store(&mut self, value: Value) {
        match self.frames.last_mut() {
            Some(frame) => frame.store(value),
            None => self.root = Some(value),
        }
    }

    /// Lets the scalar at the token stand before `pos`.
    fn place(&mut self, value: Value, pos: usize) {
        self.store(value);
        self.phase = self.behind_value();
        self.pos = pos;
        self.last = Some(self.token);
    }

    /// Lets the name at the token stand before `pos`.
    fn name(&mut self, key: Wtf8Buf, pos: usize) -> Result<(), Duplicate> {
        if let Some(Frame {
            items: Items::Object(members, name, dropped),
            ..
        }) = self.frames.last_mut()
        {
            let is_known = self.bounds.duplicates != DuplicateKeys::Last && members.get(&key).is_some();
            if is_known && self.bounds.duplicates == DuplicateKeys::Refuse {
                return Err(Duplicate);
            }
            *dropped = is_known;
            *name = key;
        }
        self.phase = Phase::Colon;
        self.pos = pos;
        self.last = Some(self.token);
        Ok(())
    }

    fn string(&mut self, start: usize) -> Result<(), Stop> {
        self.token = start;
        let mut at = start + 1;
        loop {
            at += self.text[at..]
                .iter()
                .take_while(|byte| !matches!(byte, b'"' | b'\\' | 0..=0x1f))
                .count();
            match self.text.get(at) {
                Some(b'"') => break,
                Some(b'\\') => match escape_end(self.text, at) {
                    Ok(end) => at = end,
                    Err((Stop::Starved, _)) => return Err(self.starve_in_string(start)),
                    Err(_) => return Err(self.stop(Fault::Escape, start, at)),
                },
                Some(_) => return Err(self.stop(Fault::Control, start, at)),
                None => return Err(self.starve_in_string(start)),
            }
        }
        let text = unescape(&self.text[start + 1..at]);
        if self.phase.is_value() {
            self.place(Value::String(text), at + 1);
            return Ok(());
        }
        self.name(text, at + 1)
            .map_err(|Duplicate| self.stop(Fault::DuplicateKey, start, start))
    }

    fn starve_in_string(&mut self, start: usize) -> Stop {
        self.in_string = true;
        (self.partial, self.pos) = decoded_part(self.text, start + 1);
        Stop::Starved
    }

    fn number(&mut self, start: usize) -> Result<(), Stop> {
        let end = match number_end(self.text, start) {
            Ok(end) if end == self.text.len() && !self.frames.is_empty() => return Err(self.starve(start)),
            Ok(end) if self.text.get(end).is_some_and(u8::is_ascii_digit) => {
                return Err(self.stop(Fault::Number, start, end));
            }
            Ok(end) => end,
            Err((Stop::Starved, _)) => return Err(self.starve(start)),
            Err((_, at)) => return Err(self.stop(Fault::Number, start, at)),
        };
        let token = &self.text[start..end];
        let Some(value) = number(token, &self.bounds) else {
            return Err(self.stop(Fault::Digits, start, start));
        };
        self.token = start;
        self.place(value, end);
        Ok(())
    }

    fn literal(&mut self, start: usize, first: u8) -> Result<(), Stop> {
        let (word, value) = match first {
            b't' => (b"true".as_slice(), Value::Bool(true)),
            b'f' => (b"false".as_slice(), Value::Bool(false)),
            _ => (b"null".as_slice(), Value::Null),
        };
        match literal_end(self.text, start, word) {
            Ok(end) => {
                self.token = start;
                self.place(value, end);
                Ok(())
            }
            Err((Stop::Starved, _)) => Err(self.starve(start)),
            Err((_, at)) => Err(self.stop(Fault::Literal, start, at)),
        }
    }
}

/// The value of a number token, `None` where the bounds do not allow it.
fn number(token: &[u8], bounds: &Bounds) -> Option<Value> {
    let digits = token.strip_prefix(b"-").unwrap_or(token);
    let is_integer = digits.iter().all(u8::is_ascii_digit) && token != b"-0";
    if is_integer && digits.len() > bounds.digits {
        return None;
    }
    let number = Number::from_token(token);
    let is_big = is_integer && number.as_i64().is_none_or(|int| int.unsigned_abs() > SAFE_INTEGER);
    Some(match bounds.big_ints {
        BigInts::Float if is_big => Value::Number(Number::Float(number.as_f64())),
        BigInts::Text if is_big => Value::String(Wtf8::from_bytes(token).into()),
        _ => Value::Number(number),
    })
}

/// What stands from `body` to the end of the text, the inside of a string that the end cut off, as far as it can be
/// decoded: without half an escape or half a surrogate pair. And where that ends.
pub(crate) fn decoded_part(text: &[u8], body: usize) -> (Wtf8Buf, usize) {
    let (mut decoded, mut at) = (Wtf8Buf::new(), body);
    loop {
        let run = at
            + text[at..]
                .iter()
                .position(|byte| *byte == b'\\')
                .unwrap_or(text.len() - at);
        let lead = run
            .checked_sub(3)
            .filter(|lead| *lead >= at && is_lead(&text[*lead..run]) && is_half_trail(text, run));
        let end = lead.unwrap_or(run);
        decoded.push_wtf8(Wtf8::from_bytes(&text[at..end]));
        if lead.is_some() || run == text.len() {
            return (decoded, end);
        }
        let Ok(behind) = escape_end(text, run) else {
            return (decoded, run);
        };
        let (unit, _) = escaped_unit(&text[run..]);
        if matches!(unit, 0xd800..=0xdbff) && is_half_trail(text, behind) {
            return (decoded, run);
        }
        decoded.push_utf16_unit(unit);
        at = behind;
    }
}

/// Is it one lead surrogate in WTF-8?
fn is_lead(bytes: &[u8]) -> bool {
    matches!(bytes, [0xed, 0xa0..=0xaf, _])
}

/// Is what stands from `at` to the end of the text less than an escaped trail surrogate, and could become one?
fn is_half_trail(text: &[u8], at: usize) -> bool {
    let rest = &text[at..];
    rest.len() < 6
        && rest.iter().enumerate().all(|(place, byte)| match place {
            0 => *byte == b'\\',
            1 => *byte == b'u',
            2 => matches!(byte, b'd' | b'D'),
            3 => matches!(byte, b'c'..=b'f' | b'C'..=b'F'),
            _ => byte.is_ascii_hexdigit(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at_fault(text: &str) -> (Stop, Fault, usize, usize) {
        let mut machine = Machine::new(text.as_bytes(), 0, &Options::default());
        (machine.run(), machine.fault, machine.token, machine.pos)
    }

    #[test]
    fn a_fault_has_its_kind_its_token_and_its_place() {
        for (text, fault, token, pos) in [
            ("[1,]", Fault::Unexpected, 3, 3),
            ("[1}", Fault::Unexpected, 2, 2),
            ("[\"a\n\"]", Fault::Control, 1, 3),
            (r#"["a\qb"]"#, Fault::Escape, 1, 3),
            (r#"["\u00g0"]"#, Fault::Escape, 1, 2),
            ("[-x]", Fault::Number, 1, 2),
            ("[01]", Fault::Number, 1, 2),
            ("[1.x]", Fault::Number, 1, 3),
            ("[trUe]", Fault::Literal, 1, 3),
            (r#"{"a" 1}"#, Fault::Unexpected, 5, 5),
        ] {
            assert_eq!(at_fault(text), (Stop::Fault, fault, token, pos), "{text}");
        }
    }

    #[test]
    fn reading_goes_on_behind_edits() {
        let text = br#"{"a": @, "b" 2 "c": [3,]}"#;
        let mut machine = Machine::new(text, 0, &Options::default());
        assert_eq!((machine.run(), machine.pos), (Stop::Fault, 6));
        machine.put(Value::Null, 7);
        assert_eq!((machine.run(), machine.phase), (Stop::Fault, Phase::Colon));
        assert!(machine.punct(b':', machine.pos));
        assert_eq!((machine.run(), machine.phase), (Stop::Fault, Phase::Next));
        assert!(machine.punct(b',', machine.pos));
        assert_eq!((machine.run(), machine.pos), (Stop::Fault, 23));
        assert!(!machine.punct(b':', 24));
        assert!(machine.punct(b']', 24));
        assert_eq!((machine.run(), machine.pos), (Stop::Done, 25));
        assert_eq!(machine.into_value().unwrap().to_string(), r#"{"a":null,"b":2,"c":[3]}"#);
    }

    #[test]
    fn what_was_read_last_can_be_taken_back() {
        let mut machine = Machine::new(br#"{"a": 7, ]"#, 0, &Options::default());
        assert_eq!(machine.run(), Stop::Fault);
        assert!(matches!(
            machine.retract(),
            Some(Scalar::Value(Value::Number(Number::Int(7))))
        ));
        assert_eq!((machine.pos, machine.phase), (6, Phase::Value));
        assert!(machine.retract().is_none());
    }

    #[test]
    fn the_value_so_far_has_nothing_that_is_not_whole() {
        for (text, value) in [
            (r#"{"a": [1, 2"#, r#"{"a":[1]}"#),
            (r#"{"a": 1, "b"#, r#"{"a":1}"#),
            (r#"{"a": "x\u00"#, r#"{"a":"x"}"#),
            (r#"["x\ud83d\ude0"#, r#"["x"]"#),
            (r#"["x\ud83d\u00"#, r#"["x\ud83d"]"#),
            (r#"["\ud83d\ude00"#, r#"["\ud83d\ude00"]"#),
            (r#"{"a": {"b": tru"#, r#"{"a":{}}"#),
        ] {
            let mut machine = Machine::new(text.as_bytes(), 0, &Options::default());
            assert_eq!(machine.run(), Stop::Starved, "{text}");
            assert_eq!(machine.into_partial().unwrap().to_string(), value, "{text}");
        }
    }

    #[test]
    fn options_decide_about_names_integers_and_bounds() {
        let read = |text: &str, options: &Options| {
            let mut machine = Machine::new(text.as_bytes(), 0, options);
            match machine.run() {
                Stop::Done => Ok(machine.into_value().unwrap().to_string()),
                _ => Err((machine.fault, machine.pos)),
            }
        };
        let with = |set: fn(&mut Options)| {
            let mut options = Options::default();
            set(&mut options);
            options
        };
        let twice = r#"{"a":1,"b":2,"a":3}"#;
        let first = with(|options| options.duplicate_keys = DuplicateKeys::First);
        assert_eq!(read(twice, &first), Ok(r#"{"a":1,"b":2}"#.into()));
        let refuse = with(|options| options.duplicate_keys = DuplicateKeys::Refuse);
        assert_eq!(read(twice, &refuse), Err((Fault::DuplicateKey, 13)));
        let big = "[9007199254740991,-9007199254740993]";
        let float = with(|options| options.big_ints = BigInts::Float);
        assert_eq!(read(big, &float), Ok("[9007199254740991,-9007199254740992.0]".into()));
        let text = with(|options| options.big_ints = BigInts::Text);
        assert_eq!(read(big, &text), Ok(r#"[9007199254740991,"-9007199254740993"]"#.into()));
        let flat = with(|options| options.limits.max_depth = Some(2));
        assert_eq!(read("[[[]]]", &flat), Err((Fault::Depth, 2)));
        let short = with(|options| options.limits.max_digits = Some(3));
        assert_eq!(read("[123,-1234]", &short), Err((Fault::Digits, 5)));
    }
}
