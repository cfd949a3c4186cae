//! The repair policy, and its answers that are safe.
//!
//! The machine reads; here is decided, only where it stops at a fault, which one edit lets it go
//! on, and the edit is logged. Where `safe` has no answer, [`guessing`](crate::guessing) is asked if the level
//! is `full`, so whatever `safe` accepts, `full` accepts with the same value.
//!
//! Every edit moves on in the text or puts tokens before it. What is looked at ahead of a fault is
//! bounded, or read over with the edit, or remembered. So reading is linear.

use std::ops::Range;

use crate::bare::{is_grouped, number_like};
use crate::guessing::with_the_rest;
use crate::layers::Layer;
use crate::machine::{Duplicate, Fault, Machine, Phase, Scalar};
use crate::number::Number;
use crate::options::{Level, Nonfinite, Options, Repair};
use crate::quotes::{
    bare_key, behind, between_quotes, decoded, ends_safely, is_key_ahead, is_opener, is_quote, literal, quote, quoted,
    respelt, short_string, units, End, Outlook, What,
};
use crate::reader::{skip_space, Stop};
use crate::scan::{
    any, char_at, char_before, find_byte, find_last, is_digit, is_gap, is_json_space, is_word, starts_word, steps, Scan,
};
use crate::value::Value;
use crate::wtf8::{Source, Wtf8, Wtf8Buf};

/// The codes of edits that keep all that was written and have one reading.
const SAFE: [&str; 17] = [
    "byte-order-mark",
    "comment",
    "trailing-comma",
    "missing-comma",
    "missing-closer",
    "single-quotes",
    "typographic-quotes",
    "control-character",
    "invalid-escape",
    "needless-escape",
    "unquoted-key",
    "python-literal",
    "digit-grouping",
    "nonfinite",
    "surplus-closer",
    "escaped-space",
    "truncated",
];

/// Containers among which the partner of a closer is looked for.
const CLOSERS_AT_ONCE: usize = 64;

/// Edits that may follow each other at one place.
const STUCK: usize = 8;

/// How a read ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    Done,
    /// No edit that is allowed mends this.
    Fault(&'static str),
    /// The text ended inside the value.
    Starved,
    /// This bound was passed.
    Limit(&'static str),
}

impl Ending {
    pub(crate) fn fault(self) -> &'static str {
        match self {
            Self::Fault(name) => name,
            _ => "unexpected",
        }
    }
}

/// What a read came to.
pub(crate) struct Reading {
    pub(crate) ending: Ending,
    /// The value, or what there is of it.
    pub(crate) value: Option<Value>,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) repairs: Vec<Repair>,
    pub(crate) fault_pos: usize,
    /// The furthest position that was looked at.
    pub(crate) covered: usize,
}

impl Reading {
    /// A read without edits.
    pub(crate) fn strict(range: Range<usize>, value: Option<Value>) -> Self {
        Self {
            ending: Ending::Done,
            value,
            start: range.start,
            end: range.end,
            repairs: Vec::new(),
            fault_pos: range.end,
            covered: range.end,
        }
    }

    /// Are all edits safe?
    pub(crate) fn is_safe(&self) -> bool {
        self.repairs.iter().all(|edit| SAFE.contains(&edit.code))
    }

    /// Makes it the reading of a text in which it stands `by` later.
    pub(crate) fn shift(&mut self, by: usize) {
        self.start += by;
        self.end += by;
        self.fault_pos += by;
        self.covered += by;
        for edit in &mut self.repairs {
            edit.range = edit.range.start + by..edit.range.end + by;
        }
    }
}

/// Reads one value that starts at or after `pos`, with what is known of the text. O(n), less what is known already.
pub(crate) fn read(text: &[u8], pos: usize, options: &Options, level: Level, outlook: &mut Outlook) -> Reading {
    Mender::new(text, pos, options, level, outlook).read()
}

/// The part of `text` that a reading is of, with its edits made.
pub(crate) fn applied(text: &[u8], range: Range<usize>, repairs: &[Repair]) -> Wtf8Buf {
    let mut out = Wtf8Buf::new();
    let mut at = range.start;
    for edit in repairs {
        out.push_wtf8(Wtf8::from_bytes(&text[at..edit.range.start.max(at)]));
        out.push_wtf8(edit.inserted.as_wtf8());
        at = at.max(edit.range.end);
    }
    out.push_wtf8(Wtf8::from_bytes(&text[at..range.end.max(at)]));
    out
}

/// The position behind the comment at `at`; `at` if there is none.
pub(crate) fn comment_end(text: &[u8], at: usize, outlook: &mut Outlook) -> usize {
    let rest = &text[at..];
    if rest.starts_with(b"/*") {
        return outlook.find(text, b"*/", at + 2).map_or(text.len(), |found| found + 2);
    }
    if rest.starts_with(b"//") || rest.starts_with(b"#") {
        return outlook.find(text, b"\n", at).unwrap_or(text.len());
    }
    at
}

/// The position behind the word at `at`, if one starts there.
pub(crate) fn word_end(text: &[u8], at: usize) -> Option<usize> {
    let mut scan = Scan::new(text, at);
    if !scan.one(|each| each == '$' || starts_word(each)) {
        return None;
    }
    scan.all(|each| each == '$' || is_word(each));
    Some(scan.at)
}

/// Does what stands at `at` end a value without quotes?
pub(crate) fn is_delimited(text: &[u8], at: usize) -> bool {
    let (mut scan, mut gap) = (Scan::new(text, at), Scan::new(text, at));
    scan.run(64, is_json_space);
    let blanks = &text[at..scan.at];
    blanks.contains(&b'\n')
        || scan.ends()
        || scan.sees(any("\n,]});，｝］"))
        || scan.one_word(&["//", "/*"])
        || (gap.run(64, is_gap) > 0 && gap.sees(any("\"'{[")))
}

/// NaN or an infinity in one of its spellings, and where it ends.
pub(crate) fn nonfinite_word(text: &[u8], at: usize) -> Option<(f64, usize)> {
    let mut scan = Scan::new(text, at);
    let negative = scan.sees(|each| each == '-');
    scan.one(any("+-"));
    let number = if scan.one_word(&["NaN", "nan"]) {
        f64::NAN
    } else if scan.one_word(&["Infinity", "inf"]) {
        f64::INFINITY
    } else {
        return None;
    };
    scan.ends_word()
        .then_some((if negative { -number } else { number }, scan.at))
}

/// The closer of an opening bracket.
pub(crate) fn closer_of(kind: u8) -> u8 {
    kind + 2
}

/// A scalar or name that was taken back: its place, the fault's position, and whether a comma came before that.
pub(crate) struct Last {
    pub(crate) scalar: Scalar,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) pos: usize,
    comma: bool,
}

/// An open parenthesis: is it an array, the depth inside, and the code of its edit.
pub(crate) struct Parenthesis {
    pub(crate) is_array: bool,
    pub(crate) depth: usize,
    pub(crate) code: &'static str,
}

/// One read in progress. Methods that mend say whether they did; one that did not changed nothing.
pub(crate) struct Mender<'a> {
    pub(crate) text: &'a [u8],
    pub(crate) start: usize,
    pub(crate) options: &'a Options,
    level: Level,
    pub(crate) machine: Machine<'a>,
    pub(crate) log: Vec<Repair>,
    pub(crate) parentheses: Vec<Parenthesis>,
    pub(crate) outlook: &'a mut Outlook,
    /// Did the text end inside a string that was put?
    pub(crate) cut: bool,
    /// Where the token starts that the text ended inside of, if the machine has left it.
    pub(crate) lost: Option<usize>,
    pub(crate) covered: usize,
    /// Is Markdown's emphasis open round a name or value?
    pub(crate) emphasis: bool,
    pub(crate) restarted: Option<Reading>,
    /// The name put last.
    key: Range<usize>,
    /// Is this the text under a layer of escaping?
    pub(crate) nested: bool,
    /// The layers that were taken off the text in vain.
    pub(crate) peeled: Vec<Layer>,
    /// Was a name to be put that stands in its object already?
    duplicate: bool,
}

impl<'a> Mender<'a> {
    pub(crate) fn new(
        text: &'a [u8],
        pos: usize,
        options: &'a Options,
        level: Level,
        outlook: &'a mut Outlook,
    ) -> Self {
        Self {
            text,
            start: pos,
            options,
            level,
            machine: Machine::new(text, pos, options),
            log: Vec::new(),
            parentheses: Vec::new(),
            outlook,
            cut: false,
            lost: None,
            covered: pos,
            emphasis: false,
            restarted: None,
            key: 0..0,
            nested: false,
            peeled: Vec::new(),
            duplicate: false,
        }
    }

    fn guesses(&self) -> bool {
        self.level == Level::Full
    }

    pub(crate) fn read(mut self) -> Reading {
        let most = self.options.limits.max_repairs.unwrap_or(usize::MAX);
        let (mut stuck, mut stuck_at) = (0, None);
        loop {
            match self.machine.run() {
                Stop::Done if !self.cut => return self.done(),
                Stop::Starved if self.machine.in_string && !self.cut && self.guesses() && self.guess_end() => continue,
                Stop::Starved | Stop::Done => return self.starved(),
                Stop::Fault => {}
            }
            match self.machine.fault {
                Fault::Depth => return self.stopped(Ending::Limit("max_depth")),
                Fault::Digits => return self.stopped(Ending::Limit("max_digits")),
                _ => {}
            }
            if Some(self.machine.pos) > stuck_at {
                (stuck, stuck_at) = (0, Some(self.machine.pos));
            }
            stuck += 1;
            let mended = stuck <= STUCK && self.mend();
            if let Some(reading) = self.restarted {
                return reading;
            }
            if !mended {
                let fault = if self.duplicate {
                    Fault::DuplicateKey
                } else {
                    self.machine.fault
                };
                return self.stopped(Ending::Fault(fault_name(fault)));
            }
            if self.log.len() > most {
                return self.stopped(Ending::Limit("max_repairs"));
            }
        }
    }

    fn done(mut self) -> Reading {
        let end = self.machine.pos;
        let mut reading = self.reading(Ending::Done, end);
        reading.value = self.machine.into_value();
        if self.level == Level::Full && !self.nested {
            return with_the_rest(self.text, reading, self.outlook);
        }
        reading
    }

    fn starved(mut self) -> Reading {
        if self.level != Level::Off {
            self.close_off();
        }
        let mut reading = self.reading(Ending::Starved, self.text.len());
        reading.value = self.machine.into_partial();
        reading
    }

    fn stopped(mut self, ending: Ending) -> Reading {
        let end = self.machine.pos.max(skip_space(self.text, self.start));
        self.reading(ending, end)
    }

    fn reading(&mut self, ending: Ending, end: usize) -> Reading {
        Reading {
            ending,
            value: None,
            start: skip_space(self.text, self.start),
            end,
            repairs: std::mem::take(&mut self.log),
            fault_pos: self.machine.pos,
            covered: self.covered.max(self.machine.pos).max(end),
        }
    }

    // The log.

    pub(crate) fn note(&mut self, code: &'static str, range: Range<usize>, inserted: impl Into<Wtf8Buf>) {
        self.log.push(Repair {
            code,
            range,
            inserted: inserted.into(),
        });
    }

    /// The same for an edit that may stand before comments and space already taken out: the log is in text order.
    pub(crate) fn note_before(&mut self, code: &'static str, range: Range<usize>, inserted: impl Into<Wtf8Buf>) {
        let later = |edit: &&Repair| edit.range.start >= range.end && edit.range.end > range.end;
        let place = self.log.len() - self.log.iter().rev().take_while(later).count();
        let edit = Repair {
            code,
            range,
            inserted: inserted.into(),
        };
        self.log.insert(place, edit);
    }

    // What to do at a fault.

    /// One edit at the fault. What is safe is asked first, and guesses last.
    fn mend(&mut self) -> bool {
        let (fault, phase) = (self.machine.fault, self.machine.phase);
        if fault == Fault::DuplicateKey {
            return false;
        }
        if self.options.nonfinite != Nonfinite::Refuse && phase.is_value() && self.nonfinite() {
            return true;
        }
        if self.level == Level::Off {
            return false;
        }
        if matches!(fault, Fault::Control | Fault::Escape) {
            return self.damaged_string() || (self.guesses() && self.guess_string());
        }
        let Some(here) = char_at(self.text, self.machine.pos) else {
            return false;
        };
        if fault == Fault::Unexpected {
            if any("/#\\")(here) && (self.comment(here) || self.escaped_space()) {
                return true;
            }
            let mended = match phase {
                Phase::Next => self.next(here),
                Phase::Value | Phase::FirstValue => self.value(here),
                Phase::Key | Phase::FirstKey => self.key(here),
                Phase::Colon | Phase::End => false,
            };
            if mended {
                return true;
            }
        }
        self.guesses() && self.guess(here)
    }

    /// What a string that stands here is.
    pub(crate) fn what(&self) -> What {
        match (self.machine.phase, self.machine.kind()) {
            (Phase::Key | Phase::FirstKey | Phase::Colon, _) => What::Key,
            (_, Some(b'{')) => What::Member,
            (_, Some(_)) => What::Item,
            (_, None) => What::Root,
        }
    }

    /// Nothing stands between here and `end`.
    pub(crate) fn skip(&mut self, code: &'static str, end: usize) -> bool {
        self.note(code, self.machine.pos..end, "");
        self.machine.goto(end);
        true
    }

    /// This mark stands between here and `end`.
    pub(crate) fn replace(&mut self, code: &'static str, end: usize, mark: u8) -> bool {
        let pos = self.machine.pos;
        if !self.machine.punct(mark, end) {
            return false;
        }
        self.note(code, pos..end, char::from(mark).to_string());
        true
    }

    /// This scalar stands between the token at fault and `end`.
    pub(crate) fn put(&mut self, code: &'static str, value: Value, end: usize, spelling: impl Into<Wtf8Buf>) -> bool {
        let start = self.machine.token;
        if !self.place(value, end) {
            return false;
        }
        self.note(code, start..end, spelling);
        true
    }

    /// Puts a scalar or, where one is due, a name in place of the token at fault; `false` if that cannot be.
    pub(crate) fn place(&mut self, value: Value, end: usize) -> bool {
        if self.machine.phase.is_value() {
            self.machine.put(value, end);
            return true;
        }
        match value {
            Value::String(name) if self.machine.phase.is_key() => self.place_key(name, end),
            _ => false,
        }
    }

    pub(crate) fn place_key(&mut self, name: Wtf8Buf, end: usize) -> bool {
        if let Err(Duplicate) = self.machine.put_key(name, end) {
            self.duplicate = true;
            return false;
        }
        self.key = self.machine.token..end;
        true
    }

    // What went before.

    /// The position behind the token before `pos`: white space and what was taken out between them are skipped.
    pub(crate) fn back(&self, pos: usize) -> usize {
        let mut at = pos;
        let mut edits = self.log.iter().rev().peekable();
        loop {
            while edits.next_if(|edit| edit.range.end > at).is_some() {}
            match edits.peek() {
                Some(edit) if edit.range.end == at => {
                    if !edit.inserted.as_bytes().is_empty() {
                        return at;
                    }
                    at = edit.range.start;
                    edits.next();
                }
                _ if at > 0 && matches!(self.text[at - 1], b' ' | b'\t' | b'\r' | b'\n') => at -= 1,
                _ => return at,
            }
            steps::count(1);
        }
    }

    /// Takes out the comma before `pos`, whether it stood there or was an edit.
    pub(crate) fn drop_comma(&mut self, pos: usize) {
        let at = self.back(pos);
        if at > 0 && self.text[at - 1] == b',' {
            self.note_before("trailing-comma", at - 1..at, "");
            return;
        }
        for edit in self.log.iter_mut().rev().take_while(|edit| edit.range.end >= at) {
            if edit.range.end == at && edit.inserted.as_bytes() == b"," {
                edit.inserted = Wtf8Buf::new();
            }
        }
    }

    /// The scalar or name read last, with the machine back before it.
    fn taken_back(&mut self) -> Option<Last> {
        let pos = self.machine.pos;
        let comma = matches!(self.machine.phase, Phase::Key | Phase::Value);
        let scalar = self.machine.retract()?;
        let mut end = self.back(pos);
        if comma {
            end = self.back(end.saturating_sub(1));
        }
        Some(Last {
            scalar,
            start: self.machine.token,
            end,
            pos,
            comma,
        })
    }

    /// Undoes that.
    fn give_back(&mut self, last: Last) {
        match last.scalar {
            Scalar::Value(value) => self.machine.put(value, last.end),
            // It was there before, so it is no duplicate.
            Scalar::Key(key) => drop(self.machine.put_key(key, last.end)),
        }
        if last.comma {
            self.machine.punct(b',', last.pos);
        }
        self.machine.run(); // to the same fault
    }

    /// Takes back the scalar or name read last and lets `read` put another in its place; if it does not, undoes that.
    pub(crate) fn again(&mut self, read: fn(&mut Self, &Last) -> bool) -> bool {
        let Some(last) = self.taken_back() else {
            return false;
        };
        if read(self, &last) {
            return true;
        }
        self.give_back(last);
        false
    }

    /// Drops the edits inside a token that is read anew.
    pub(crate) fn forget_log(&mut self, start: usize) {
        while self.log.last().is_some_and(|edit| edit.range.end > start) {
            self.log.pop();
        }
    }

    // Safe answers.

    fn value(&mut self, here: char) -> bool {
        match here {
            'T' | 'F' | 'N' => self.python_literal(),
            ']' | '}' => self.closer(here as u8, false),
            _ => self.string_safely(here),
        }
    }

    fn key(&mut self, here: char) -> bool {
        if any("]}")(here) {
            return self.closer(here as u8, false);
        }
        if is_safe_opener(here) {
            return self.string_safely(here);
        }
        let pos = self.machine.pos;
        let Some(end) = bare_key(self.text, pos) else {
            return false;
        };
        self.put_name("unquoted-key", pos..end, end)
    }

    /// The text of this range stands here as a name or string, up to `end`.
    pub(crate) fn put_name(&mut self, code: &'static str, name: Range<usize>, end: usize) -> bool {
        let name = &self.text[name];
        let spelling = quoted(name);
        self.put(code, Value::String(Wtf8::from_bytes(name).into()), end, spelling)
    }

    fn next(&mut self, here: char) -> bool {
        match here {
            ']' | '}' => self.closer(here as u8, false),
            '_' => self.again(Self::grouped_number),
            _ => self.is_comma_missing(here) && self.insert_comma(),
        }
    }

    /// Skips a comment. A `#` where a value is due could be a colour: there it needs a space behind it.
    fn comment(&mut self, here: char) -> bool {
        let (text, pos) = (self.text, self.machine.pos);
        let is_heading = matches!(text.get(pos + 1), None | Some(b' ' | b'\t' | b'#' | b'\n'));
        if here == '#' && self.machine.phase.is_value() && !is_heading {
            return false;
        }
        let mut end = comment_end(text, pos, self.outlook);
        if end == text.len() && !text[pos..].starts_with(b"/*") {
            // No line break ends it. If it hides closers, it could be meant to end before them.
            let closer = find_byte(text, pos, end, |byte| matches!(byte, b'}' | b']'));
            end = match closer {
                Some(_) if !self.guesses() => pos,
                Some(at) => at,
                None => end,
            };
        }
        end > pos && self.skip("comment", end)
    }

    fn python_literal(&mut self) -> bool {
        let (text, pos) = (self.text, self.machine.pos);
        let Some(end) = word_end(text, pos).filter(|end| is_delimited(text, *end)) else {
            return false;
        };
        let (value, spelling) = match &text[pos..end] {
            b"True" => (Value::Bool(true), "true"),
            b"False" => (Value::Bool(false), "false"),
            b"None" => (Value::Null, "null"),
            _ => return false,
        };
        self.put("python-literal", value, end, spelling)
    }

    /// `71_350`: the machine has read 71.
    fn grouped_number(&mut self, last: &Last) -> bool {
        let text = self.text;
        let Some(end) = number_like(text, last.start).filter(|end| *end > last.end) else {
            return false;
        };
        let token = &text[last.start..end];
        if !is_grouped(token) || !is_delimited(text, end) {
            return false;
        }
        let spelling: String = token
            .iter()
            .filter(|byte| **byte != b'_')
            .map(|byte| char::from(*byte))
            .collect();
        match self.number(&spelling) {
            Some(value) => self.put("digit-grouping", value, end, spelling),
            None => false,
        }
    }

    /// The value of a JSON number, unless it is too long.
    pub(crate) fn number(&self, spelling: &str) -> Option<Value> {
        let mut machine = Machine::new(spelling.as_bytes(), 0, self.options);
        (machine.run() == Stop::Done).then(|| machine.into_value()).flatten()
    }

    fn string_safely(&mut self, here: char) -> bool {
        let Some(quote) = quote(here).filter(|_| is_safe_opener(here)) else {
            return false;
        };
        let pos = self.machine.pos;
        let body = pos + here.len_utf8();
        let end = ends_safely(self.text, body, quote.closers, self.what(), self.outlook);
        end.is_some_and(|end| {
            let end = End::new(end, behind(self.text, end), "");
            self.put_string(pos, body, end, here, false, "")
        })
    }

    /// A control character or an escape that is none in a string that the machine was reading.
    fn damaged_string(&mut self) -> bool {
        let start = self.machine.token;
        let end = ends_safely(self.text, start + 1, "\"", self.what(), self.outlook);
        end.is_some_and(|end| self.put_string(start, start + 1, End::new(end, end + 1, ""), '"', false, ""))
    }

    /// A string whose text stands from `body` to the end's, opened by `mark` (with `code` if the opening is more than that).
    pub(crate) fn put_string(
        &mut self,
        start: usize,
        body: usize,
        end: End,
        mark: char,
        full: bool,
        code: &'static str,
    ) -> bool {
        let (spelling, flaws) = respelt(self.text, body, end.body_end, mark);
        if !full && flaws.iter().any(|flaw| !SAFE.contains(&flaw.code)) {
            return false;
        }
        if !self.place(Value::String(decoded(&spelling)), end.after) {
            return false;
        }
        let own = quote(mark).map_or("", |quote| quote.code);
        let code = if code.is_empty() { own } else { code };
        if !code.is_empty() && end.code.is_empty() && flaws.iter().all(|flaw| flaw.code == code) {
            self.note(code, start..end.after, between_quotes(&spelling));
            return true;
        }
        if !code.is_empty() {
            self.note(code, start..body, "\"");
        }
        for flaw in flaws {
            self.note(flaw.code, flaw.start..flaw.end, flaw.inserted);
        }
        if &self.text[end.body_end..end.after] != b"\"" {
            let closing = [end.code, code, "missing-quote"]
                .into_iter()
                .find(|code| !code.is_empty());
            self.note(closing.unwrap_or_default(), end.body_end..end.after, "\"");
        }
        true
    }

    pub(crate) fn insert_comma(&mut self) -> bool {
        let pos = self.machine.pos;
        let at = self.back(pos);
        if !self.machine.punct(b',', pos) {
            return false;
        }
        self.note_before("missing-comma", at..at, ",");
        true
    }

    /// Is only a comma missing between the value before and the member or item here?
    fn is_comma_missing(&self, here: char) -> bool {
        let (text, pos) = (self.text, self.machine.pos);
        let end = self.back(pos);
        let before = char_before(text, end);
        let closed = before.is_some_and(any("]}"));
        let is_string = before.is_some_and(is_quote);
        let gap = end < pos;
        if self.machine.kind() == Some(b'{') {
            let apart = gap || closed || (is_opener(here) && !is_string);
            return apart && (is_key_ahead(text, pos) || is_long_key(text, pos) || bare_key(text, pos).is_some());
        }
        if self.machine.kind().is_none() || !(gap || closed || (here == '"' && !is_string)) {
            return false;
        }
        match here {
            '"' => is_string_ahead(text, pos),
            '{' | '[' => true,
            '-' | '0'..='9' => (here != '-' || closed) && is_number_ahead(text, pos),
            't' | 'f' | 'n' | 'T' | 'F' | 'N' => {
                let mut scan = Scan::new(text, pos);
                literal(&mut scan) && scan.sees(any(" \t\r\n,]}"))
            }
            _ => false,
        }
    }

    // Closers.

    /// A closer of the wrong kind, or behind a comma, or where a value is due.
    pub(crate) fn closer(&mut self, mark: u8, full: bool) -> bool {
        let (pos, phase) = (self.machine.pos, self.machine.phase);
        let Some(kind) = self.machine.kind() else {
            return false;
        };
        if phase == Phase::Value && kind == b'{' {
            return full && self.put("missing-value", Value::Null, pos, "null");
        }
        let behind_comma = matches!(phase, Phase::Key | Phase::Value);
        if closer_of(kind) == mark {
            self.drop_comma(pos);
            return self.machine.punct(mark, pos + 1);
        }
        let kinds: Vec<u8> = self
            .machine
            .open()
            .rev()
            .take(CLOSERS_AT_ONCE)
            .map(|(kind, _)| kind)
            .collect();
        self.mismatch(mark, &kinds, behind_comma, full)
    }

    /// A closer that is not the innermost container's: one is missing before it, or it is the wrong one, or one too many.
    /// `kinds` are the open containers, innermost first.
    fn mismatch(&mut self, mark: u8, kinds: &[u8], behind_comma: bool, full: bool) -> bool {
        let pos = self.machine.pos;
        let target = kinds.iter().position(|kind| closer_of(*kind) == mark);
        let fits = |outer: usize| self.fits(pos + 1, kinds.get(outer).copied());
        let closes_outer = target.is_some_and(|target| fits(target + 1));
        let closes_inner = fits(1);
        let goes_on = !behind_comma && fits(0);
        let missing = target.filter(|_| closes_outer || (full && !closes_inner && !goes_on));
        if !full && (missing.is_none() || closes_inner) {
            return false;
        }
        if behind_comma && (missing.is_some() || closes_inner || !goes_on) {
            self.drop_comma(pos);
        }
        if let Some(target) = missing {
            let at = self.back(pos);
            let closers: Vec<u8> = kinds[..target].iter().map(|kind| closer_of(*kind)).collect();
            self.note_before("missing-closer", at..at, String::from_utf8_lossy(&closers).into_owned());
            return closers.into_iter().all(|closer| self.machine.punct(closer, pos));
        }
        if closes_inner || (!goes_on && kinds.len() == 1) {
            return self.replace("mismatched-closer", pos + 1, closer_of(kinds[0]));
        }
        self.skip("surplus-closer", pos + 1)
    }

    /// Can what stands at `pos` go on behind a value in an open container of this kind, or behind the root?
    fn fits(&self, pos: usize, kind: Option<u8>) -> bool {
        let text = self.text;
        let at = skip_space(text, pos);
        let (Some(here), Some(kind)) = (text.get(at).copied(), kind) else {
            return match text.get(at) {
                Some(here) => !b",:]}".contains(here),
                None => kind.is_none(),
            };
        };
        if here == closer_of(kind) {
            return true;
        }
        if here != b',' {
            return kind == b'{' && is_key_ahead(text, at);
        }
        let at = skip_space(text, at + 1);
        let is_key = is_key_ahead(text, at) || bare_key(text, at).is_some();
        let next = text.get(at).copied();
        match kind {
            b'{' => is_key || next == Some(b'}'),
            _ => !is_key && !matches!(next, None | Some(b'}' | b',' | b':')),
        }
    }

    // Options, and layers that are safe to follow.

    /// NaN and the infinities, where the options say what they are.
    fn nonfinite(&mut self) -> bool {
        let (text, start) = (self.text, self.machine.token);
        let Some((number, end)) = nonfinite_word(text, start).filter(|(_, end)| is_delimited(text, *end)) else {
            return false;
        };
        if self.options.nonfinite == Nonfinite::Null {
            return self.put("nonfinite", Value::Null, end, "null");
        }
        let name = Wtf8::from_bytes(&text[start..end]);
        self.put("nonfinite", Value::Number(Number::Float(number)), end, name)
    }

    fn escaped_space(&mut self) -> bool {
        let mut scan = Scan::new(self.text, self.machine.pos);
        while scan.one_word(&["\\n", "\\r", "\\t"]) {}
        scan.at > self.machine.pos && self.skip("escaped-space", scan.at)
    }

    /// The closers of the open containers, innermost first.
    pub(crate) fn closers(&self) -> Vec<u8> {
        self.machine.open().rev().map(|(kind, _)| closer_of(kind)).collect()
    }

    // The end of a text that was cut off.

    /// Logs what makes the text so far strict JSON of the value so far: what is not whole goes, and what is open is closed.
    fn close_off(&mut self) {
        let (phase, kind) = (self.machine.phase, self.machine.kind());
        let mut closers = self.closers();
        let token = self.lost.unwrap_or(self.machine.token);
        let cut = match phase {
            Phase::Value | Phase::FirstValue if self.machine.in_string => {
                closers.insert(0, b'"');
                self.machine.pos
            }
            Phase::FirstKey | Phase::FirstValue => token,
            Phase::Key => self.before_comma(token),
            Phase::Value if kind == Some(b'[') => self.before_comma(token),
            Phase::Colon | Phase::Value if !closers.is_empty() => self.before_member(token, phase),
            Phase::Value => token,
            _ => self.text.len(),
        };
        if !self.cut {
            self.log
                .retain(|edit| edit.range.end < cut || (edit.range.end == cut && edit.inserted.as_bytes() != b","));
        }
        if cut < self.text.len() || !closers.is_empty() {
            let closers = String::from_utf8_lossy(&closers).into_owned();
            self.note("truncated", cut..self.text.len(), closers);
        }
    }

    /// Where the comma before `pos` starts.
    pub(crate) fn before_comma(&self, pos: usize) -> usize {
        let at = self.back(pos);
        if at > 0 && self.text[at - 1] == b',' {
            at - 1
        } else {
            self.inserted(b",", at)
        }
    }

    /// Where the edit that ends at `at` and put `mark` there starts.
    fn inserted(&self, mark: &[u8], at: usize) -> usize {
        let edit = self
            .log
            .iter()
            .rev()
            .find(|edit| edit.range.end == at && edit.inserted.as_bytes() == mark);
        edit.map_or(at, |edit| edit.range.start)
    }

    /// Where the comma starts before the member that is being read, or its name if it is the first.
    fn before_member(&self, pos: usize, phase: Phase) -> usize {
        let text = self.text;
        let mut at = self.back(pos);
        if phase == Phase::Value {
            let colon = if at > 0 && text[at - 1] == b':' {
                at - 1
            } else {
                self.inserted(b":", at)
            };
            at = self.back(colon);
        }
        let start = if at == self.key.end {
            self.key.start
        } else {
            let mut quote = find_last(text, b'"', self.start, at.saturating_sub(1));
            while let Some(found) = quote.filter(|found| is_escaped(text, *found)) {
                quote = find_last(text, b'"', self.start, found);
            }
            quote.unwrap_or(at)
        };
        let before = self.back(start).checked_sub(1).map(|before| text[before]);
        let is_put_in = |edit: &Repair| edit.range.end == start && edit.inserted.as_bytes() == b"{";
        if before == Some(b'{') || self.log.iter().any(is_put_in) {
            start
        } else {
            self.before_comma(start)
        }
    }
}

/// The quotes that open a string safely.
fn is_safe_opener(each: char) -> bool {
    quote(each).is_some_and(|quote| SAFE.contains(&quote.code))
}

pub(crate) fn fault_name(fault: Fault) -> &'static str {
    match fault {
        Fault::Unexpected | Fault::Depth | Fault::Digits => "unexpected",
        Fault::Control => "control",
        Fault::Escape => "escape",
        Fault::Number => "number",
        Fault::Literal => "literal",
        Fault::DuplicateKey => "duplicate-key",
    }
}

/// Does an odd number of backslashes stand before `at`?
fn is_escaped(text: &[u8], at: usize) -> bool {
    text[..at].iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1
}

/// Does a string stand here that is too long a name to look at?
fn is_long_key(text: &[u8], at: usize) -> bool {
    let mut scan = Scan::new(text, at);
    scan.one(|each| each == '"') && units(&mut scan, 128, "\"") == 128
}

/// Does a string stand here that ends where an item can?
fn is_string_ahead(text: &[u8], at: usize) -> bool {
    let mut scan = Scan::new(text, at);
    short_string(&mut scan, 256, '"') && scan.sees(any(",]\" \t\r\n"))
}

/// Does a number stand here that ends where an item can?
fn is_number_ahead(text: &[u8], at: usize) -> bool {
    let mut scan = Scan::new(text, at);
    scan.one(|each| each == '-');
    if !scan.word("0") && scan.run(65, is_digit) == 0 {
        return false;
    }
    if scan.word(".") && scan.run(64, is_digit) == 0 {
        return false;
    }
    if scan.one(any("eE")) {
        scan.one(any("+-"));
        if scan.run(8, is_digit) == 0 {
            return false;
        }
    }
    scan.sees(any(" \t\r\n,]"))
}
