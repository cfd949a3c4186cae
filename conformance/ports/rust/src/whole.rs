//! A text that is meant to be JSON from its first character to its last. What a wrapper leaves around the value goes, and
//! values that stand in a row become an array.

use crate::candidates::edit;
use crate::guessing::odd_space_end;
use crate::mending::{applied, comment_end, read, Ending, Reading};
use crate::options::{Expect, Level, Options, Repair, SearchError, Truncated};
use crate::quotes::Outlook;
use crate::reader::skip_space;
use crate::scan::{any, char_at, holds, is_gap, is_word, starts_word, Scan};
use crate::search::check_length;
use crate::value::Value;
use crate::wtf8::{Source, Wtf8Buf};

/// A whole text that is meant to be JSON.
#[derive(Clone, Debug, PartialEq)]
pub struct Repaired {
    /// The value.
    pub value: Value,
    /// The text as strict JSON.
    pub text: Wtf8Buf,
    /// The edits that lead there, in text order.
    pub repairs: Vec<Repair>,
    /// Is the value whole? If not, the end of the text cuts it off.
    pub complete: bool,
}

/// The whole text as strict JSON, with the repairs that the options allow; `None` where there is nothing in it, or a value of
/// another kind than expected. O(n) time, no recursion.
///
/// # Errors
/// [`SearchError`], where more would be needed than the options allow.
///
/// ```
/// use jsonscan::{repair, Options};
///
/// let options = Options { expect: jsonscan::Expect::Any, ..Options::default() };
/// let repaired = repair("{'a': [1, 2,], // three\n}", &options)?.unwrap();
/// assert_eq!(repaired.text, "{\"a\": [1, 2] \n}");
/// # Ok::<(), jsonscan::SearchError>(())
/// ```
pub fn repair<'a>(text: impl Source<'a>, options: &Options) -> Result<Option<Repaired>, SearchError> {
    let text = text.as_wtf8().as_bytes();
    check_length(text, options)?;
    repaired(text, options)
}

pub(crate) fn repaired(text: &[u8], options: &Options) -> Result<Option<Repaired>, SearchError> {
    if skip_space(text, 0) == text.len() {
        return Ok(None);
    }
    Whole {
        text,
        options,
        edits: Vec::new(),
        outlook: Outlook::new(text.len()),
    }
    .read()
}

/// Is the value of the kind wanted?
pub(crate) fn is_expected(value: &Value, expect: Expect) -> bool {
    match (value, expect) {
        (_, Expect::Any) => true,
        (Value::Object(_), _) => expect != Expect::Array,
        (Value::Array(_), _) => expect != Expect::Object,
        _ => false,
    }
}

struct Whole<'a> {
    text: &'a [u8],
    options: &'a Options,
    edits: Vec<Repair>,
    outlook: Outlook,
}

impl Whole<'_> {
    fn read(mut self) -> Result<Option<Repaired>, SearchError> {
        let text = self.text;
        let pos = match self.options.repair {
            Level::Off => 0,
            _ => self.before()?,
        };
        let mut readings = vec![self.value(pos)?];
        while let Some(last) = readings.last().filter(|last| last.ending == Ending::Done) {
            let (end, is_container) = (last.end, matches!(last.value, Some(Value::Array(_) | Value::Object(_))));
            let pos = self.next(end, is_container)?;
            if pos == text.len() {
                break;
            }
            readings.push(self.value(pos)?);
        }
        let complete = readings.last().is_none_or(|last| last.ending == Ending::Done);
        let is_something = readings.last().is_some_and(|last| last.value.is_some());
        // What may not be edited is not closed.
        let refused = self.options.truncated == Truncated::Refuse || self.options.repair == Level::Off;
        if !complete && refused && is_something {
            let partial = self.value_of(readings)?.map(Box::new);
            return Err(SearchError::Truncated { partial });
        }
        let Some(value) = self.value_of(readings)? else {
            return Ok(None);
        };
        if !is_expected(&value, self.options.expect) {
            return Ok(None);
        }
        self.edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        Ok(Some(Repaired {
            value,
            text: applied(text, 0..text.len(), &self.edits),
            repairs: self.edits,
            complete,
        }))
    }

    /// The value of one reading; the array of several.
    fn value_of(&mut self, mut readings: Vec<Reading>) -> Result<Option<Value>, SearchError> {
        let (Some(first), Some(last)) = (readings.first(), readings.last()) else {
            return Ok(None);
        };
        if last.ending == Ending::Starved && last.value.is_none() {
            return Ok(None);
        }
        if readings.len() == 1 {
            return Ok(readings.pop().and_then(|only| only.value));
        }
        let (start, end) = (first.start, last.end);
        self.edit("root-array", start, start, "[")?;
        self.edit("root-array", end, end, "]")?;
        let values: Vec<Value> = readings.into_iter().filter_map(|reading| reading.value).collect();
        Ok(Some(Value::Array(values.into())))
    }

    fn value(&mut self, pos: usize) -> Result<Reading, SearchError> {
        let mut reading = read(self.text, pos, self.options, self.options.repair, &mut self.outlook);
        match reading.ending {
            Ending::Limit(limit) => return Err(SearchError::Limit { limit }),
            Ending::Fault(fault) => return Err(refusal(fault, reading.fault_pos)),
            Ending::Done | Ending::Starved => {}
        }
        self.edits.append(&mut reading.repairs);
        Ok(reading)
    }

    /// Notes an edit; the position behind it.
    fn edit(&mut self, code: &'static str, start: usize, end: usize, inserted: &str) -> Result<usize, SearchError> {
        if self
            .options
            .limits
            .max_repairs
            .is_some_and(|most| self.edits.len() >= most)
        {
            return Err(SearchError::Limit { limit: "max_repairs" });
        }
        self.edits.push(edit(code, start..end, inserted));
        Ok(end)
    }

    fn is_full(&self) -> bool {
        self.options.repair == Level::Full
    }

    /// What stands before the value: a mark of the encoding, a fence, a label, an assignment.
    fn before(&mut self) -> Result<usize, SearchError> {
        let text = self.text;
        let mut pos = 0;
        if text.starts_with("\u{feff}".as_bytes()) {
            pos = self.edit("byte-order-mark", 0, 3, "")?;
        }
        pos = skip_space(text, pos);
        if !self.is_full() {
            return Ok(pos);
        }
        for wrapper in [fence, label, assignment] {
            if let Some(end) = wrapper(text, pos) {
                pos = skip_space(text, self.edit("wrapper", pos, end, "")?);
            }
        }
        Ok(pos)
    }

    /// Where what stands behind a value ends: space, comments, closers too many, the rest of a wrapper.
    fn between(&mut self, mut pos: usize) -> Result<usize, SearchError> {
        let text = self.text;
        loop {
            pos = skip_space(text, pos);
            let here = match char_at(text, pos) {
                Some(here) if self.options.repair != Level::Off => here,
                _ => return Ok(pos),
            };
            let (comment, odd) = (comment_end(text, pos, &mut self.outlook), odd_space_end(text, pos));
            let rest = &text[pos..];
            pos = match here {
                _ if comment > pos => self.edit("comment", pos, comment, "")?,
                ']' | '}' => self.edit("surplus-closer", pos, pos + 1, "")?,
                ')' | ';' if self.is_full() => self.edit("wrapper", pos, pos + 1, "")?,
                '`' | '~' if self.is_full() && (rest.starts_with(b"```") || rest.starts_with(b"~~~")) => {
                    self.edit("wrapper", pos, pos + 3, "")?
                }
                _ if self.is_full() && odd > pos => self.edit("odd-space", pos, odd, "")?,
                _ => return Ok(pos),
            };
        }
    }

    /// Where the next of several values starts, or the end of the text. They stand apart by a comma or a line, or are containers.
    fn next(&mut self, end: usize, is_container: bool) -> Result<usize, SearchError> {
        let text = self.text;
        let pos = self.between(end)?;
        let Some(here) = char_at(text, pos) else {
            return Ok(pos);
        };
        if self.is_full() && here == ',' {
            let after = self.between(pos + 1)?;
            if after == text.len() {
                self.edit("trailing-comma", pos, pos + 1, "")?;
            }
            return Ok(after);
        }
        let apart = holds(text, b'\n', end, pos) || (is_container && any("{[")(here));
        if self.is_full() && apart && (is_word(here) || any("{[\"'“‘`(+.-")(here)) {
            self.edit("missing-comma", end, end, ",")?;
            return Ok(pos);
        }
        Err(refusal("unexpected", pos))
    }
}

fn refusal(fault: &'static str, offset: usize) -> SearchError {
    SearchError::Invalid { fault, offset }
}

/// Does a container start here?
fn opens(scan: Scan<'_>) -> bool {
    scan.sees(any("{["))
}

fn fence(text: &[u8], at: usize) -> Option<usize> {
    let mut scan = Scan::new(text, at);
    if !scan.one_word(&["```", "~~~"]) {
        return None;
    }
    scan.run(32, |each| is_word(each) || any("+-")(each));
    scan.run(64, is_gap);
    scan.sees(any("\n{[")).then_some(scan.at)
}

fn label(text: &[u8], at: usize) -> Option<usize> {
    let mut scan = Scan::new(text, at);
    if !text[at..]
        .get(..4)
        .is_some_and(|word| word.eq_ignore_ascii_case(b"json"))
    {
        return None;
    }
    scan.at += 4;
    scan.run(64, is_gap);
    scan.word(":");
    scan.run(64, is_gap);
    scan.word("\n");
    let mut value = scan;
    value.run(64, is_gap);
    opens(value).then_some(scan.at)
}

fn assignment(text: &[u8], at: usize) -> Option<usize> {
    let start = Scan::new(text, at);
    let word = |scan: &mut Scan<'_>, words: &[&str]| scan.one_word(words) && scan.run(usize::MAX, is_gap) > 0;
    let mut keyword = start;
    let mut exported = start;
    if word(&mut exported, &["export"]) {
        keyword = exported;
    }
    let has_keyword = word(&mut keyword, &["const", "let", "var"]);
    if let Some(end) = has_keyword
        .then(|| assigned(keyword))
        .flatten()
        .or_else(|| assigned(start))
    {
        return Some(end);
    }
    let mut scan = start;
    let is_statement = scan.word("return") || (word(&mut scan, &["export"]) && scan.word("default"));
    if !is_statement || !scan.ends_word() {
        return None;
    }
    scan.run(64, is_gap);
    opens(scan).then_some(scan.at)
}

/// The position behind a name, perhaps its type, and `=`, if a container follows.
fn assigned(mut scan: Scan<'_>) -> Option<usize> {
    if !scan.one(starts_word) {
        return None;
    }
    scan.run(127, |each| is_word(each) || any("$.")(each));
    scan.run(64, is_gap);
    if scan.word(":") {
        scan.run(64, is_gap);
        if scan.run(64, |each| is_word(each) || any("<>[], ")(each)) == 0 {
            return None;
        }
    }
    if !scan.word("=") {
        return None;
    }
    scan.run(64, any(" \t\n"));
    opens(scan).then_some(scan.at)
}
