//! Which JSON in a text is the answer.
//!
//! Landmarks, then candidates, then the choice among them; `conformance/RULES.md` has the rules.

use std::cmp::Reverse;
use std::ops::Range;

use crate::candidates::{candidates, edit, fragments, read_strictly, Candidate, Quality, Rank};
use crate::choosing::{distinct, fuller, joined, settled, superseded};
use crate::guessing::one_string;
use crate::mending::{read, Ending};
use crate::options::{Expect, Level, Match, Options, Place, Repair, SearchError, Select, Truncated};
use crate::quotes::{behind as skip_one, quoted, Outlook};
use crate::scan::{any, char_at, char_before, count, end_before_blank, is_all, is_blank, is_near, skip_blank};
use crate::shapes::{
    is_lone_number, is_phrase, is_saying, part_of_gap, starts_like_scalar, starts_with_call, Gap, CLOSE_QUOTES,
    OPEN_QUOTES,
};
use crate::value::Value;
use crate::whole::{is_expected, repaired, Repaired};
use crate::wtf8::{Source, Wtf8};

/// The answer in this text and where it stands; `None` where there is no JSON of the kind wanted.
///
/// O(n) time, no recursion.
///
/// # Errors
/// [`SearchError`], where there is JSON that is broken, cut or ambiguous under the options.
///
/// ```
/// use jsonscan::{search, Options, Place};
///
/// let text = "<think>{\"a\": 0}?</think> So:\n```json\n{'a': 1,}\n```";
/// let found = search(text, &Options::default())?.unwrap();
/// assert_eq!(found.value.to_string(), r#"{"a":1}"#);
/// assert_eq!((&text[found.range], found.place), ("{'a': 1,}", Place::Fence));
/// assert_eq!(found.repairs[1].code, "trailing-comma");
/// # Ok::<(), jsonscan::SearchError>(())
/// ```
pub fn search<'a>(text: impl Source<'a>, options: &Options) -> Result<Option<Match>, SearchError> {
    let text = text.as_wtf8().as_bytes();
    check_length(text, options)?;
    let outcome = Outcome::new(text, options);
    match outcome.whole() {
        Whole::Match(found) => Ok(Some(found)),
        Whole::OfAnotherKind => Ok(None),
        Whole::No => outcome.select(),
    }
}

/// Every top-level value outside reasoning that the options let through, in text order. Values that are broken or cut are left
/// out.
///
/// O(n) time, no recursion.
///
/// # Errors
/// [`SearchError::Limit`] alone.
///
/// ```
/// use jsonscan::{find_all, Options};
///
/// let found = find_all("{\"a\": 1} and {x} and [2]: [[3]]", &Options::default())?;
/// let values: Vec<String> = found.iter().map(|each| each.value.to_string()).collect();
/// assert_eq!(values, [r#"{"a":1}"#, "[[3]]"]);
/// # Ok::<(), jsonscan::SearchError>(())
/// ```
pub fn find_all<'a>(text: impl Source<'a>, options: &Options) -> Result<Vec<Match>, SearchError> {
    let text = text.as_wtf8().as_bytes();
    check_length(text, options)?;
    let outcome = Outcome::new(text, options);
    match outcome.whole() {
        Whole::Match(found) => return Ok(vec![found]),
        Whole::OfAnotherKind => return Ok(Vec::new()),
        Whole::No => {}
    }
    let found = candidates(text, options)?;
    if !options.fragments {
        return Ok(outcome
            .usable(found)
            .into_iter()
            .filter_map(|each| outcome.found(each))
            .collect());
    }
    let parts = found.into_iter().flat_map(|each| match each.quality {
        Quality::Cut | Quality::Broken => fragments(text, &each, options),
        _ => vec![each],
    });
    let expected = parts.filter(|each| outcome.is_expected(each));
    Ok(expected.filter_map(|each| outcome.found(each)).collect())
}

pub(crate) fn check_length(text: &[u8], options: &Options) -> Result<(), SearchError> {
    match options.limits.max_input {
        Some(most) if text.len() > most && !is_near(text, 0, text.len(), most + 1) => {
            Err(SearchError::Limit { limit: "max_input" })
        }
        _ => Ok(()),
    }
}

/// What the whole text is.
enum Whole {
    Match(Match),
    /// A value that is not wanted.
    OfAnotherKind,
    /// No strict value.
    No,
}

struct Outcome<'a> {
    text: &'a [u8],
    options: &'a Options,
    /// Where the text starts, blanks aside, and where it ends.
    lead: usize,
    end: usize,
}

impl<'a> Outcome<'a> {
    fn new(text: &'a [u8], options: &'a Options) -> Self {
        let lead = skip_blank(text, 0);
        Self {
            text,
            options,
            lead,
            end: end_before_blank(text).max(lead),
        }
    }

    fn whole(&self) -> Whole {
        let Some((value, end)) = read_strictly(self.text, self.lead, self.options).filter(|(_, end)| *end >= self.end)
        else {
            return Whole::No;
        };
        if is_expected(&value, self.options.expect) {
            return Whole::Match(self.bare(value, end, Vec::new()));
        }
        match self.decoded(&value, end) {
            Some(found) => Whole::Match(found),
            None => Whole::OfAnotherKind,
        }
    }

    /// A string that holds JSON, where no string is wanted.
    fn decoded(&self, value: &Value, end: usize) -> Option<Match> {
        let Value::String(inner) = value else {
            return None;
        };
        let inside = inner.as_bytes();
        let (value, inner_end) =
            read_strictly(inside, 0, self.options).filter(|_| self.options.repair == Level::Full)?;
        if !is_expected(&value, self.options.expect) || !is_all(inside, inner_end, inside.len(), is_blank) {
            return None;
        }
        let unwrapped = Repair {
            code: "escaped-json",
            range: self.lead..end,
            inserted: inner.clone(),
        };
        Some(self.bare(value, end, vec![unwrapped]))
    }

    fn bare(&self, value: Value, end: usize, repairs: Vec<Repair>) -> Match {
        Match {
            value,
            range: self.lead..end,
            place: Place::Bare,
            fence: None,
            complete: true,
            repairs,
        }
    }

    /// The candidate as a match; `None` if there is nothing of it.
    fn found(&self, candidate: Candidate) -> Option<Match> {
        let is_bare = candidate.range.start == self.lead && candidate.range.end >= self.end;
        let repairs = self.repairs(&candidate);
        Some(Match {
            value: candidate.value?,
            place: if is_bare { Place::Bare } else { candidate.place },
            range: candidate.range,
            fence: candidate.fence,
            complete: candidate.quality != Quality::Cut,
            repairs,
        })
    }

    fn repairs(&self, candidate: &Candidate) -> Vec<Repair> {
        let (start, end) = (candidate.range.start, candidate.range.end);
        if candidate.parts.is_empty() {
            return candidate.repairs.clone();
        }
        let mut edits = vec![edit("root-array", start..start, "[")];
        let mut before = start;
        for (at, part) in candidate.parts.iter().enumerate() {
            if at > 0 {
                edits.extend(between(self.text, before, part.range.start));
            }
            edits.extend(part.repairs.iter().cloned());
            before = part.range.end;
        }
        edits.push(edit("root-array", end..end, "]"));
        edits
    }

    /// Every value that may be given out.
    fn usable(&self, found: Vec<Candidate>) -> Vec<Candidate> {
        let worst = match self.options.truncated {
            Truncated::Keep => Quality::Cut,
            Truncated::Refuse => Quality::Guessed,
        };
        let is_usable = |each: &Candidate| each.quality <= worst && self.is_expected(each);
        found.into_iter().filter(is_usable).collect()
    }

    fn is_expected(&self, candidate: &Candidate) -> bool {
        match &candidate.value {
            Some(value) => is_expected(value, self.options.expect),
            None => self.options.expect == Expect::Any,
        }
    }

    /// What competes to be the answer.
    fn units(&self, found: Vec<Candidate>) -> Vec<Candidate> {
        let units = joined(self.text, found);
        let settled = units.into_iter().flat_map(|unit| settled(self.options, unit));
        settled.filter(|unit| self.has_kind(unit)).collect()
    }

    fn has_kind(&self, unit: &Candidate) -> bool {
        if unit.quality != Quality::Broken {
            return self.is_expected(unit);
        }
        let is_object = self.text.get(unit.range.start) == Some(&b'{') && unit.parts.is_empty();
        self.options.expect != if is_object { Expect::Array } else { Expect::Object }
    }

    fn select(&self) -> Result<Option<Match>, SearchError> {
        let mut cut = None; // what the text is if it is nothing else: a string that its end cut off
        if self.options.expect == Expect::Any && self.options.repair != Level::Off {
            match self.root_scalar() {
                Err(error) if is_string_cut(&error) => cut = Some(error),
                Ok(None) => {}
                found => return found,
            }
        }
        let found = candidates(self.text, self.options)?;
        let is_nothing_else = found.is_empty();
        let answer = match self.options.select {
            Select::Answer => self.answer(found, cut.is_none()),
            Select::Sole => self.sole(found),
            Select::First | Select::Last | Select::Largest => self.one_of(found),
        }?;
        match cut.filter(|_| answer.is_none() && is_nothing_else) {
            Some(cut) => Err(cut),
            None => Ok(answer),
        }
    }

    fn one_of(&self, found: Vec<Candidate>) -> Result<Option<Match>, SearchError> {
        let usable = self.usable(found.clone()).into_iter();
        let chosen = match self.options.select {
            Select::Last => usable.last(),
            Select::Largest => usable.min_by_key(|each| Reverse(count(&self.text[each.range.clone()]))),
            _ => { usable }.next(),
        };
        match chosen {
            Some(chosen) => Ok(self.found(chosen)),
            None => best(self.units(found)).map_or(Ok(None), |unit| Err(refusal(unit))),
        }
    }

    fn answer(&self, found: Vec<Candidate>, may_be_words: bool) -> Result<Option<Match>, SearchError> {
        let units = fuller(superseded(self.text, self.units(found)));
        let ranges = units.iter().map(|unit| unit.range.clone()).collect();
        match best(units) {
            Some(unit) if unit.doubt => Err(SearchError::Ambiguous { ranges }),
            Some(unit) => self.accepted(unit),
            None if may_be_words && self.is_meant() => {
                let whole = self.full();
                let cut = whole.as_ref().is_err_and(is_string_cut);
                let found = if cut { None } else { whole.clone()? };
                match found.or_else(|| self.bare_scalar()).or_else(|| self.saying()) {
                    None if cut => whole,
                    found => Ok(found),
                }
            }
            None => Ok(None),
        }
    }

    fn sole(&self, found: Vec<Candidate>) -> Result<Option<Match>, SearchError> {
        let units = fuller(distinct(self.units(found)));
        let Some(best_rank) = units.iter().min_by_key(|unit| standing(unit)).map(|unit| unit.rank) else {
            return Ok(None);
        };
        let is_rival =
            |unit: &&Candidate| unit.quality <= Quality::Cut || unit.rank <= best_rank.max(Rank::InOtherFence);
        let rivals: Vec<_> = units.iter().filter(is_rival).map(|unit| unit.range.clone()).collect();
        if rivals.len() > 1 || best_rank == Rank::Narrated {
            return Err(SearchError::Ambiguous { ranges: rivals });
        }
        best(units).map_or(Ok(None), |unit| self.accepted(unit))
    }

    fn accepted(&self, unit: Candidate) -> Result<Option<Match>, SearchError> {
        let is_cut = unit.quality == Quality::Cut;
        if unit.quality == Quality::Broken
            || (is_cut && (self.options.truncated == Truncated::Refuse || unit.value.is_none()))
        {
            return Err(refusal(unit));
        }
        Ok(self.found(unit))
    }

    // Whole texts that read with repairs alone.

    /// The whole text as one value, with the repairs allowed.
    fn full(&self) -> Result<Option<Match>, SearchError> {
        match self.whole() {
            Whole::Match(found) => return Ok(Some(found)),
            Whole::OfAnotherKind => return Ok(None),
            Whole::No => {}
        }
        let made = match repaired(self.text, self.options) {
            Err(error) if matches!(error, SearchError::Limit { .. }) || is_string_cut(&error) => return Err(error),
            made => made.ok().flatten(),
        };
        let ends_closed = char_before(self.text, self.end).is_some_and(any("}]"));
        let made = made.filter(|made| made.complete || !ends_closed);
        Ok(made.map(|made| self.whole_match(made)))
    }

    /// What became of blanks around it is no matter, but what was put among them is, and those at the end of a string
    /// that was cut are its own.
    fn whole_match(&self, made: Repaired) -> Match {
        let mut repairs = made.repairs;
        let counts = |edit: &&mut Repair| edit.range.end > self.lead || !edit.inserted.as_bytes().is_empty();
        for edit in repairs.iter_mut().filter(counts) {
            edit.range = edit.range.start.max(self.lead)..edit.range.end.max(self.lead);
        }
        let is_outside = |range: &Range<usize>| range.start >= self.end && !range.is_empty() && made.complete;
        repairs.retain(|edit| edit.range.start >= self.lead && !is_outside(&edit.range));
        let end = repairs.iter().fold(self.end, |end, edit| end.max(edit.range.end));
        Match {
            complete: made.complete,
            ..self.bare(made.value, end, repairs)
        }
    }

    /// Where any value is wanted: a text that starts like a scalar, a tuple or (under `full`) a call.
    fn root_scalar(&self) -> Result<Option<Match>, SearchError> {
        let is_full = self.options.repair == Level::Full;
        let is_quote_alone = skip_one(self.text, self.lead) >= self.end;
        if is_quote_alone && char_at(self.text, self.lead).is_none_or(any(OPEN_QUOTES)) {
            return Ok(None);
        }
        let is_call = is_full && starts_with_call(self.text, self.lead);
        if !starts_like_scalar(self.text, self.lead) && !is_call {
            return Ok(None);
        }
        let found = self.full()?;
        let is_quoted = char_at(self.text, self.lead).is_some_and(any(OPEN_QUOTES))
            && char_before(self.text, self.end).is_some_and(any(CLOSE_QUOTES));
        let is_meant = is_full && (is_quoted || is_lone_number(self.text, self.lead));
        Ok(found.or_else(|| is_meant.then(|| self.bare_scalar()).flatten()))
    }

    /// The whole text read as the one item of an array: there a damaged string or bare words have an end.
    fn bare_scalar(&self) -> Option<Match> {
        let text = [b"[", &self.text[self.lead..self.end], b"]"].concat();
        let mut reading = read(&text, 0, self.options, Level::Full, &mut Outlook::new(text.len()));
        let Some(Value::Array(items)) = reading.value.take().filter(|_| reading.ending == Ending::Done) else {
            return None;
        };
        let mut items = items.into_vec();
        let value = items.pop().filter(|_| items.is_empty())?;
        if reading.end != text.len() {
            // A quote stands before a bracket of the text, not the array's.
            let mut found = one_string(&self.text[self.lead..self.end], self.options)?;
            found.shift(self.lead);
            return Some(self.bare(found.value?, self.end, found.repairs));
        }
        let place = |at: usize| (at.max(1) + self.lead - 1).min(self.end);
        for edit in &mut reading.repairs {
            edit.range = place(edit.range.start)..place(edit.range.end);
        }
        Some(self.bare(value, self.end, reading.repairs))
    }

    /// Is a text without candidates one bracketed thing, or a line of words that is no sentence?
    fn is_meant(&self) -> bool {
        if self.options.expect != Expect::Any || self.options.repair != Level::Full {
            return false;
        }
        let is_bracketed = char_at(self.text, self.lead).is_some_and(any("[{"))
            && char_before(self.text, self.end).is_some_and(any("]},"));
        let is_short = is_near(self.text, self.lead, self.text.len(), 81);
        is_bracketed || (is_short && is_phrase(&self.text[self.lead..self.end]))
    }

    /// Words with a colon in them, where what stands before that is no name.
    fn saying(&self) -> Option<Match> {
        let line = &self.text[self.lead..self.end];
        if !is_saying(line) {
            return None;
        }
        let edit = Repair {
            code: "unquoted-value",
            range: self.lead..self.end,
            inserted: quoted(line),
        };
        Some(self.bare(Value::String(Wtf8::from_bytes(line).into()), self.end, vec![edit]))
    }
}

/// Is it a string that the end of the text cut off?
fn is_string_cut(error: &SearchError) -> bool {
    matches!(error, SearchError::Truncated { partial: Some(partial) } if matches!(**partial, Value::String(_)))
}

/// The place in the ranking; the least is the answer.
fn standing(unit: &Candidate) -> (bool, Rank, Quality, usize) {
    (!unit.in_answer, unit.rank, unit.quality, unit.range.start)
}

fn best(units: Vec<Candidate>) -> Option<Candidate> {
    units.into_iter().min_by_key(standing)
}

/// Why this is not the answer.
fn refusal(unit: Candidate) -> SearchError {
    if !unit.parts.is_empty() && unit.quality == Quality::Broken {
        let ranges = unit.parts.into_iter().map(|part| part.range).collect();
        return SearchError::Ambiguous { ranges };
    }
    if unit.quality == Quality::Cut {
        let partial = unit.value.map(Box::new);
        return SearchError::Truncated { partial };
    }
    let (fault, offset) = unit.fault;
    SearchError::Invalid { fault, offset }
}

/// The edits that leave nothing but a comma and JSON's white space between two joined values.
fn between(text: &[u8], start: usize, end: usize) -> Vec<Repair> {
    let (mut edits, mut comma) = (Vec::new(), false);
    let mut at = start;
    while at < end {
        let (part, behind) = part_of_gap(text, at);
        match part {
            Gap::Space => {}
            Gap::Comma => comma = true,
            Gap::Surplus(code) => edits.push(edit(code, at..behind, "")),
        }
        at = behind;
    }
    if !comma {
        edits.push(edit("missing-comma", end..end, ","));
    }
    edits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::steps;
    use crate::whole::repair;

    /// What costs a careless reader more than its length: what stands before, what is repeated, what stands behind.
    const HOSTILE: [(&str, &str, &str); 72] = [
        ("", "{", ""),
        ("", "[", ""),
        ("", "}{", ""),
        ("", "{x}", ""),
        ("", "\"{\" ", ""),
        ("", "```\n", ""),
        ("", "```json [", ""),
        ("", "```json\n", ""),
        ("", "~~~~\n", "{}"),
        ("```json", " ", ""),
        ("```", "[", "```"),
        ("", "```json{\"a\": ", ""),
        ("", "```json\n{\"a\": x y\n```\n", ""),
        ("", "```json\n{\"a\": \"x\n```\n", ""),
        ("", "```json\n{\"a\": [1\n```\n", ""),
        ("", "{\"a\":", ""),
        ("", "{\"k\":{\"j\":[", ""),
        ("", "{\"a\":\"{", ""),
        ("", "{\"a", ""),
        ("{\"a\":\"", "{", ""),
        ("{\"a\":\"", "\\\"", ""),
        ("[\"", "\\", ""),
        ("[see \"", "word ", ""),
        ("{\"a\":[", "{},", "x"),
        ("{\"a\":[", "\"{\\\"\",", "x"),
        ("[", ", ", "]"),
        ("[", "'", "]"),
        ("[", "-0,", "0]"),
        ("", "{\"a\":NaN}", ""),
        ("{\"a\":", "7", "x}"),
        ("{", "\"a\":1,", "\"a\":2}"),
        ("", "{\"\n", ""),
        ("", "{\"id\":17}\n", ""),
        ("", "{\"satisfied\" ", ""),
        ("", "<thought ", ""),
        ("", "a <think>\n", "{\"a\":1}"),
        ("", "<think>", "{\"a\":1}"),
        ("", "x</think>", "{\"a\":1}"),
        ("", "<answer>{'a':1}", ""),
        ("", "<answer>{\"a\": b c", ""),
        ("", "<|channel|>final<|message|>{\"a\":1}", ""),
        ("", "<a>{\"a\": x", ""),
        ("", "[1] ", ""),
        ("", "{\"a\": 1} ", ""),
        ("", "{\"a\":1},", ""),
        ("", "{\"a\": x y z ", ""),
        ("", "{\"a\": 1 oops\n\n", ""),
        ("", "{\"a\": \"x {\"b\": \"y ", ""),
        ("", "{\"a\":1}, \"b\":", ""),
        ("", "{\"a\":1}, \"b\":2} ", ""),
        ("", "{// x\n", ""),
        ("", "{/* x ", ""),
        ("", "{\\\"a", ""),
        ("{\"a\": 1}", " ", "x"),
        ("", "\"a\": {\"b\": ", ""),
        ("", "{\"a\": \"x \"y\" z, ", ""),
        ("[", "\"x [ \"y\"\"], ", "]"),
        ("", "{'a': 'it's ", ""),
        ("", "{\"a\": \"x\" y} ", ""),
        ("", "{\"a\": b'x y} ", ""),
        ("", "{\"a\": 1 // x} ", ""),
        ("", "{\"a\": \u{201e}x,\n\"b\": 1}\n", ""),
        ("", "{\"a\": \u{201e}x\\d,\n\"b\": 1}\n", "\u{201d}x"),
        ("", "{\"b\": 2, &quot;a x&quot;: 1 x} ", ""),
        ("", "{\\\"a\\\": 1} x ", ""),
        ("", "{\"a\": \"\"\"x} ", ""),
        ("{", "\"\" x: 1, ", ""),
        ("[", "\"\"a\"\" ", "]"),
        ("", "{\"a\": \"x\"+\"y z} ", ""),
        ("", "{a: f(((( ", ""),
        ("```", "x", "\n{} {} {} {}"),
        ("", "{\"a\": \"x\", y, \"b\": 1} ", ""),
    ];

    #[test]
    fn four_times_the_text_takes_about_four_times_the_steps() {
        let of = |(before, unit, after): (&str, &str, &str), size: usize| {
            format!("{before}{}{after}", unit.repeat(size / unit.len()))
        };
        let unbounded = |level: Level, expect: Expect| {
            let mut options = Options {
                repair: level,
                expect,
                fragments: true,
                ..Options::default()
            };
            (options.limits.max_depth, options.limits.max_repairs) = (None, None);
            options
        };
        for hostile in HOSTILE {
            for options in [
                unbounded(Level::Safe, Expect::Container),
                unbounded(Level::Full, Expect::Any),
            ] {
                let steps = |size: usize| {
                    let text = of(hostile, size);
                    steps::take();
                    drop(search(&text, &options));
                    drop(find_all(&text, &options));
                    drop(repair(&text, &options));
                    steps::take()
                };
                let (once, four_times) = (steps(2_000), steps(8_000));
                let unit = hostile.1;
                assert!(
                    four_times < 5 * once,
                    "{unit:?} {:?}: {once}, {four_times}",
                    options.repair
                );
            }
        }
    }
}
