//! The candidates: one walk over the landmarks of a text, which reads a value wherever one may start.
//!
//! At each bracket that may open a value one is read, strictly first, then with the repairs
//! allowed; the walk goes on behind what was read, whether that succeeded or not. So it is linear:
//! no character is read again but by the next, more tolerant, reading of the same value.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use crate::landmarks::{Fence, Landmark, Landmarks, Role, Tag};
use crate::machine::Machine;
use crate::mending::{self, Ending, Reading};
use crate::options::{Expect, Level, Options, Place, Repair, SearchError};
use crate::quotes::Outlook;
use crate::reader::Stop;
use crate::scan::{
    any, back, back_over, char_at, char_before, end_before_blank, find_byte, find_last, holds, is_all, is_blank,
    is_near, is_space, skip_blank, FEW,
};
use crate::shapes::{self, Introduction, Key, CLOSE_QUOTES};
use crate::value::{Object, Value};

/// How often a text is read on with repairs behind a brace that closed too early.
const MERGES: usize = 8;

/// How well a value reads, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Quality {
    Strict,
    Mended,
    Guessed,
    Cut,
    Broken,
}

/// Where a value stands, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    InFence,
    OnLines,
    InOtherFence,
    InLine,
    Narrated,
}

/// A value that may be the answer, or several that are joined.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) range: Range<usize>,
    /// What was read; nothing of a broken one, and perhaps of one that was cut.
    pub(crate) value: Option<Value>,
    pub(crate) quality: Quality,
    pub(crate) repairs: Vec<Repair>,
    /// Of a broken one: the fault, and where.
    pub(crate) fault: (&'static str, usize),
    pub(crate) rank: Rank,
    pub(crate) place: Place,
    pub(crate) fence: Option<Arc<str>>,
    pub(crate) in_answer: bool,
    pub(crate) on_lines: bool,
    pub(crate) parts: Vec<Candidate>,
    /// By its label it is no answer, but what follows is perhaps none either.
    pub(crate) doubt: bool,
}

impl Candidate {
    pub(crate) fn new(range: Range<usize>, value: Option<Value>, quality: Quality) -> Self {
        Self {
            fault: ("unexpected", range.start),
            range,
            value,
            quality,
            repairs: Vec::new(),
            rank: Rank::OnLines,
            place: Place::Prose,
            fence: None,
            in_answer: false,
            on_lines: false,
            parts: Vec::new(),
            doubt: false,
        }
    }

    fn read(range: Range<usize>, reading: Reading, quality: Quality) -> Self {
        Self {
            repairs: reading.repairs,
            ..Self::new(range, reading.value, quality)
        }
    }

    fn broken(range: Range<usize>, fault: &'static str, at: usize) -> Self {
        Self {
            fault: (fault, at),
            ..Self::new(range, None, Quality::Broken)
        }
    }

    /// Makes it a broken one.
    fn spoil(&mut self) {
        (self.value, self.quality, self.fault) = (None, Quality::Broken, ("unexpected", self.range.start));
        self.repairs.clear();
    }

    /// Is it the empty object?
    pub(crate) fn is_empty_object(&self) -> bool {
        matches!(&self.value, Some(Value::Object(members)) if members.is_empty())
    }
}

/// The candidates of a text, in text order.
pub(crate) fn candidates(text: &[u8], options: &Options) -> Result<Vec<Candidate>, SearchError> {
    let mut walk = Walk::new(text, options);
    walk.run()?;
    Ok(walk.found)
}

struct Walk<'a> {
    text: &'a [u8],
    options: &'a Options,
    marks: Landmarks<'a>,
    found: Vec<Candidate>,
    /// Those open at the landmark, outermost first.
    fences: Vec<Fence>,
    /// The end of the one that was left last.
    left: Option<usize>,
    /// The last opening tag.
    tag: Option<Tag>,
    /// Where the answer tag ends that is open, if one is.
    answer_end: usize,
    /// The first of `found` in it.
    answer_from: usize,
    /// How far readings went that left their region.
    stretched: usize,
    /// How far readings went that left out a brace.
    merged_until: usize,
    merges: usize,
    attempts: usize,
    /// Where the region of the last broken value ends whose own end is not known.
    broken_until: usize,
    /// How far readings of parentheses went that came to nothing.
    no_tuple_until: usize,
    outlook: Outlook,
}

/// May a value open at a bracket?
enum Opening {
    /// No: the walk goes on here.
    No(usize),
    Yes,
    /// If it stands alone: it shows neither a quoted name nor a JSON value.
    Weak,
    /// If it can be read to its end: it shows neither name nor element, but encloses the whole text.
    Loose,
}

impl<'a> Walk<'a> {
    fn new(text: &'a [u8], options: &'a Options) -> Self {
        Self {
            text,
            options,
            marks: Landmarks::new(text),
            found: Vec::new(),
            fences: Vec::new(),
            left: None,
            tag: None,
            answer_end: 0,
            answer_from: 0,
            stretched: 0,
            merged_until: 0,
            merges: 0,
            attempts: 0,
            broken_until: 0,
            no_tuple_until: 0,
            outlook: Outlook::new(text.len()),
        }
    }

    fn run(&mut self) -> Result<(), SearchError> {
        let mut pos = self.headless(0, self.text.len())?;
        while let Some(mark) = self.marks.next(pos) {
            let start = match &mark {
                Landmark::Fence(Fence { start, .. })
                | Landmark::Tag(Tag { start, .. })
                | Landmark::Bracket(_, start) => *start,
            };
            while let Some(end) = self.fences.last().map(|fence| fence.end).filter(|end| start >= *end) {
                self.left = Some(end);
                self.fences.pop();
            }
            pos = match mark {
                Landmark::Bracket(bracket, start) => self.bracket(bracket, start)?,
                Landmark::Fence(fence) => self.enter(fence)?,
                Landmark::Tag(tag) => self.pass(tag),
            };
        }
        Ok(())
    }

    /// What starts with a member is an object whose opening brace was not sent. Where the walk goes on.
    fn headless(&mut self, pos: usize, end: usize) -> Result<usize, SearchError> {
        let start = skip_blank(self.text, pos);
        if !shapes::is_member(self.text, start) {
            return Ok(pos);
        }
        let mut candidate = Candidate::broken(start..end, "unexpected", start);
        if self.options.repair == Level::Full {
            let braced = [b"{", &self.text[start..end]].concat();
            let mut reading = mending::read(&braced, 0, self.options, Level::Full, &mut Outlook::new(braced.len()));
            if matches!(reading.ending, Ending::Done | Ending::Starved) {
                for edit in &mut reading.repairs {
                    edit.range = edit.range.start.max(1) + start - 1..edit.range.end.max(1) + start - 1;
                }
                reading.repairs.insert(0, edit("missing-opener", start..start, "{"));
                let quality = quality_of(&reading);
                candidate = Candidate::read(start..start + reading.end - 1, reading, quality);
            }
        }
        let end = candidate.range.end;
        self.add(candidate, true, true);
        Ok(end)
    }

    // Landmarks: each method says where the walk goes on.

    fn enter(&mut self, fence: Fence) -> Result<usize, SearchError> {
        let (content, end) = (fence.content, fence.end);
        if self.left == Some(fence.start) {
            self.fences.push(fence); // its marks close one: what is behind them is no whole content of another
            return Ok(content);
        }
        let may_be_headless = fence.is_json() && self.found.is_empty();
        let may_be_tuple = fence.is_json() && self.options.repair == Level::Full;
        self.fences.push(fence);
        if may_be_headless {
            let headless = self.headless(content, end)?;
            if headless > content {
                return Ok(headless);
            }
        }
        let behind = self.scalar(content);
        if behind > content || !may_be_tuple {
            return Ok(behind);
        }
        self.tuple(content, end)
    }

    /// Parentheses that are the whole content of a JSON fence. What that went over in vain, no others are read in.
    fn tuple(&mut self, content: usize, end: usize) -> Result<usize, SearchError> {
        let start = skip_blank(self.text, content);
        if start >= end || start < self.no_tuple_until || self.text[start] != b'(' {
            return Ok(content);
        }
        let reading = self.read_until(start, end, Level::Full);
        if let Ending::Limit(limit) = reading.ending {
            return Err(SearchError::Limit { limit });
        }
        let behind = reading.end;
        let is_whole = reading.ending == Ending::Done && is_all(self.text, behind, end, is_space);
        let is_one = matches!(&reading.value, Some(Value::Array(items)) if items.len() == 1);
        if !is_whole || (is_one && !shapes::is_comma_last(&self.text[start..behind])) {
            self.no_tuple_until = reading.covered;
            return Ok(content);
        }
        self.add(Candidate::read(start..behind, reading, Quality::Guessed), true, true);
        Ok(behind)
    }

    fn pass(&mut self, tag: Tag) -> usize {
        if matches!(tag.role, Role::Reasoning | Role::Quoted) {
            return self.set_aside(&tag);
        }
        let end = tag.end;
        if tag.closes {
            return end;
        }
        let is_answer = tag.role == Role::Answer;
        if is_answer {
            if self.answer_end > tag.start {
                // The tag before was only mentioned, for this one stands inside it.
                self.found[self.answer_from..]
                    .iter_mut()
                    .for_each(|each| each.in_answer = false);
            }
            self.answer_end = self.marks.closing(&tag).map_or(self.text.len(), |closing| closing.0);
            self.answer_from = self.found.len();
        }
        self.tag = Some(tag);
        if is_answer {
            self.scalar(end)
        } else {
            end
        }
    }

    fn set_aside(&mut self, tag: &Tag) -> usize {
        if tag.closes {
            if tag.role == Role::Reasoning {
                self.found.clear();
                (self.answer_from, self.answer_end) = (0, 0);
            }
            return tag.end;
        }
        if let Some((_, end)) = self.marks.closing(tag) {
            return end.max(tag.end);
        }
        let head = back_over(self.text, 0, tag.start, usize::MAX, |each| {
            each != '\n' && (is_space(each) || is_blank(each))
        });
        if tag.is_channel() || char_before(self.text, head).is_none_or(|each| each == '\n') {
            return self.text.len();
        }
        tag.end
    }

    /// Where any value is wanted: a strict scalar that is the whole content of a fence or answer tag.
    fn scalar(&mut self, pos: usize) -> usize {
        let content = skip_blank(self.text, pos);
        let is_container = char_at(self.text, content).is_none_or(any("{["));
        if self.options.expect != Expect::Any || is_container {
            return pos;
        }
        match read_strictly(self.text, content, self.options) {
            Some((value, end)) if shapes::fence_end(self.text, end).is_some() || shapes::is_tag_end(self.text, end) => {
                self.add(Candidate::new(content..end, Some(value), Quality::Strict), true, true);
                end
            }
            _ => pos,
        }
    }

    fn bracket(&mut self, bracket: char, start: usize) -> Result<usize, SearchError> {
        let text = self.text;
        let on_line = self.starts_line(start);
        let opening = if bracket == '[' {
            self.opens_array(start, on_line)
        } else {
            self.opens_object(start, on_line)
        };
        if let Opening::No(next) = opening {
            return Ok(next);
        }
        self.attempts += 1;
        if self
            .options
            .limits
            .max_candidates
            .is_some_and(|most| self.attempts > most)
        {
            return Err(SearchError::Limit {
                limit: "max_candidates",
            });
        }
        let (mut candidate, resume) = self.read(start)?;
        if candidate.quality < Quality::Cut && self.is_enclosed(&candidate.range) {
            candidate = Candidate::broken(start..candidate.range.end, "unexpected", start);
        }
        let (from, end) = (candidate.range.start, candidate.range.end);
        let broken = candidate.quality >= Quality::Cut;
        if broken && matches!(opening, Opening::Loose) {
            return Ok(start + 1);
        }
        let ends = broken || shapes::is_line_end(text, end) || holds(text, b'\n', from, end);
        let is_prose = matches!(opening, Opening::Weak) && (broken || !ends);
        if is_prose || self.is_fragment(end) {
            return Ok(resume);
        }
        let starts = if from == start { on_line } else { self.starts_line(from) };
        self.add(candidate, starts, ends);
        if let Some(fence) = self.fences.last().filter(|fence| end <= fence.end) {
            // Marks right behind the value close its fence.
            if let Some((_, behind)) = shapes::fence_end(text, end).filter(|(width, _)| *width >= fence.width) {
                self.fences.pop();
                return Ok(behind);
            }
        }
        Ok(resume)
    }

    // Admission.

    fn opens_object(&self, start: usize, on_line: bool) -> Opening {
        let text = self.text;
        if char_before(text, start).is_some_and(any("$\\")) {
            return Opening::No(start + 1);
        }
        if shapes::starts_strictly(text, start) {
            return Opening::Yes;
        }
        let run = shapes::behind_braces(text, start);
        match shapes::key(text, run) {
            None if self.is_whole(start, '}') => Opening::Loose,
            None if shapes::is_cut_key(text, run) && (on_line || self.is_introduced(start)) => Opening::Yes,
            Some(Key::Quoted) => Opening::Yes,
            Some(Key::Empty) if on_line || self.joins(start) || self.is_introduced(start) => Opening::Yes,
            Some(Key::Bare { .. }) if !on_line && shapes::is_glued(text, start, "_)}") => Opening::No(run),
            Some(Key::Bare { value: true }) => Opening::Yes,
            Some(Key::Bare { value: false }) if on_line || !self.fences.is_empty() => Opening::Weak,
            _ => Opening::No(run),
        }
    }

    fn opens_array(&self, start: usize, on_line: bool) -> Opening {
        let text = self.text;
        // As in `functools[{"name": ...}]`.
        let holds_object =
            char_before(text, start).is_some_and(char::is_lowercase) && shapes::starts_strictly(text, start + 1);
        if shapes::is_glued(text, start, "_)]") && !holds_object && !self.joins(start) {
            return Opening::No(start + 1);
        }
        if !on_line && !self.is_introduced(start) {
            return match shapes::is_inline_element(text, start + 1) {
                true => Opening::Yes,
                false => Opening::No(start + 1),
            };
        }
        if shapes::is_element(text, start + 1) || (shapes::is_call(text, start + 1) && self.is_whole(start, ']')) {
            return Opening::Yes;
        }
        let meant = matches!(self.options.expect, Expect::Any | Expect::Array) && self.is_whole(start, ']');
        if meant && shapes::fence_end(text, start + 1).is_none() {
            Opening::Loose
        } else {
            Opening::No(start + 1)
        }
    }

    /// Do this bracket and this closer enclose the whole text?
    fn is_whole(&self, start: usize, closer: char) -> bool {
        is_all(self.text, 0, start, is_blank) && char_before(self.text, end_before_blank(self.text)) == Some(closer)
    }

    // Where a value stands.

    /// Does a value or tag end right here?
    fn joins(&self, start: usize) -> bool {
        self.found.last().is_some_and(|last| last.range.end == start)
            || self.tag.as_ref().is_some_and(|tag| tag.end == start)
    }

    /// Does nothing but what `is` says yes to stand between the two positions, and not much of it?
    fn is_little(&self, from: usize, to: usize, is: impl Fn(char) -> bool) -> bool {
        from <= to && is_near(self.text, from, to, FEW) && is_all(self.text, from, to, is)
    }

    /// Does nothing but blanks, a list mark, a tag or another value stand before it in its line?
    fn starts_line(&self, start: usize) -> bool {
        let text = self.text;
        if self
            .fences
            .last()
            .is_some_and(|fence| self.is_little(fence.content, start, is_space))
        {
            return true;
        }
        let least = back(text, start, FEW);
        let line = find_last(text, b'\n', least, start).map_or(least, |found| found + 1);
        let end = back_over(text, line, start, FEW, is_blank);
        if end == line || shapes::is_line_head(&text[line..end]) {
            return line > least || least == 0;
        }
        let left = self.found.last().filter(|left| left.on_lines);
        self.is_behind_tag(start) || left.is_some_and(|left| self.is_little(left.range.end, start, any(" \t,")))
    }

    fn is_behind_tag(&self, start: usize) -> bool {
        let least = back(self.text, start, FEW);
        match char_before(self.text, back_over(self.text, least, start, FEW, is_blank)) {
            Some('▷' | ']') => self
                .tag
                .as_ref()
                .is_some_and(|tag| self.is_little(tag.end, start, is_space)),
            Some('>') => shapes::is_behind_tag(self.text, start),
            _ => false,
        }
    }

    fn is_introduced(&self, start: usize) -> bool {
        shapes::introduction(self.text, start).is_some() || shapes::is_argument(self.text, start)
    }

    /// Ranks a candidate and keeps it, unless its place is one where no answer stands.
    fn add(&mut self, mut candidate: Candidate, starts: bool, ends: bool) {
        let (text, start, end) = (self.text, candidate.range.start, candidate.range.end);
        candidate.on_lines = starts && ends;
        candidate.in_answer = start < self.answer_end;
        let fence = self.fences.last();
        if let Some(fence) = fence {
            (candidate.place, candidate.fence) = (Place::Fence, Some(fence.info.clone()));
        } else if self
            .tag
            .as_ref()
            .is_some_and(|tag| self.is_little(tag.end, start, is_blank))
        {
            candidate.place = Place::Tag;
        }
        if let Some(fence) = fence.filter(|fence| !fence.is_json()) {
            let is_whole = shapes::is_assignment(text, fence.content.min(start), start)
                && shapes::is_statement_end(text, end, end.max(fence.end));
            let is_among_lines = fence.is_text() && candidate.on_lines;
            if !is_whole && !is_among_lines {
                return;
            }
            candidate.rank = Rank::InOtherFence;
        } else if (candidate.on_lines || (starts && candidate.place == Place::Tag)) && !self.is_cited(&candidate) {
            candidate.rank = if fence.is_some() { Rank::InFence } else { Rank::OnLines };
        } else if text[start] == b'[' && !self.is_inline_array(&candidate) {
            return;
        } else if !starts && !self.is_introduced(start) && shapes::goes_on(text, end) {
            candidate.rank = Rank::Narrated;
        } else {
            candidate.rank = Rank::InLine;
        }
        self.found.push(candidate);
    }

    /// Is it a member or an item in brackets that opened nothing? Then those that only commas part from it are broken too.
    fn is_enclosed(&mut self, range: &Range<usize>) -> bool {
        let text = self.text;
        if !shapes::does_closer_follow(text, range.end) {
            return false;
        }
        let (mut start, mut first) = (range.start, self.found.len());
        while let Some(left) = first.checked_sub(1).map(|at| &self.found[at]) {
            if !shapes::is_comma_between(text, left.range.end, start) {
                break;
            }
            (start, first) = (left.range.start, first - 1);
        }
        if !shapes::is_named_or_listed(text, start) && !shapes::does_member_follow_closers(text, range.end) {
            return false;
        }
        for each in &mut self.found[first..] {
            each.spoil();
        }
        true
    }

    /// Is it a citation directly behind a tag, whose line goes on?
    fn is_cited(&self, candidate: &Candidate) -> bool {
        let (text, start, end) = (self.text, candidate.range.start, candidate.range.end);
        candidate.place == Place::Tag
            && text[start] == b'['
            && shapes::is_citation(&text[start..end])
            && (!candidate.on_lines || shapes::is_closed_in_line(text, end))
    }

    /// Is an array inside a line no citation, checkbox or link?
    fn is_inline_array(&self, candidate: &Candidate) -> bool {
        let (text, start, end) = (self.text, candidate.range.start, candidate.range.end);
        if shapes::is_citation(&text[start..end]) {
            let told = holds(text, b',', start, end) || shapes::introduction(text, start) != Some(Introduction::Word);
            return told && self.is_introduced(start) && shapes::is_line_end(text, end);
        }
        candidate.quality <= Quality::Guessed && text.get(end) != Some(&b'(')
    }

    // Reading.

    /// The value at `start`, and where the walk goes on.
    fn read(&mut self, start: usize) -> Result<(Candidate, usize), SearchError> {
        let text = self.text;
        if let Some((value, end)) = read_strictly(text, start, self.options) {
            if text[start] != b'{' || !shapes::is_premature(text, end) {
                return Ok((Candidate::new(start..end, Some(value), Quality::Strict), end));
            }
            let merged = match value {
                Value::Object(members) if self.options.repair == Level::Full => self.merged(start, end, members),
                _ => None,
            };
            let candidate = merged.unwrap_or_else(|| Candidate::broken(start..end, "unexpected", end));
            let end = candidate.range.end;
            return Ok((candidate, end));
        }
        let region = self.region(start);
        let level = self.options.repair;
        let mut reading = self.read_until(start, region, level);
        if let Ending::Limit(limit) = reading.ending {
            return Err(SearchError::Limit { limit });
        }
        let may_stretch = level != Level::Off && region < text.len() && start >= self.stretched;
        if reading.ending != Ending::Done && may_stretch {
            reading = self.stretch(start, region).unwrap_or(reading);
        }
        if reading.ending == Ending::Done && reading.is_safe() {
            let end = reading.end;
            return Ok((Candidate::read(start..end, reading, Quality::Mended), end));
        }
        // What `full` makes of it says where it ends.
        let wider = (level != Level::Full && reading.ending != Ending::Starved)
            .then(|| self.read_until(start, region, Level::Full));
        let extent = Extent::of(wider.as_ref().unwrap_or(&reading));
        if let Some(inner) = self.independent(start, &extent) {
            let end = inner.range.end;
            return Ok((inner, end));
        }
        match reading.ending {
            Ending::Done => {
                let end = reading.end;
                let is_cut_off = shapes::do_closers_follow(text, end);
                let candidate = match is_cut_off {
                    true => Candidate::broken(start..end, "unexpected", end),
                    false => Candidate::read(start..end, reading, Quality::Guessed),
                };
                return Ok((candidate, end));
            }
            Ending::Starved => {
                let candidate = Candidate::read(start..region, reading, Quality::Cut);
                return Ok((candidate, region.max(start + 1)));
            }
            _ => {}
        }
        if let Some(cut) = self.cut_before_prose(start, &extent) {
            let end = cut.range.end;
            return Ok((cut, end));
        }
        let end = match extent.done {
            true => extent.end,
            false => {
                // Nobody can say where it ends: what stands in the same paragraph, or is followed by a comma or closer,
                // is part of it.
                self.broken_until = region;
                let from = extent.covered.clamp(start + 1, region);
                shapes::blank_line(text, from, region).unwrap_or(region)
            }
        };
        Ok((
            Candidate::broken(start..end, reading.ending.fault(), reading.fault_pos),
            end,
        ))
    }

    /// The value at `start`, as if the text ended at `end`.
    fn read_until(&mut self, start: usize, end: usize, level: Level) -> Reading {
        mending::read(&self.text[..end], start, self.options, level, self.outlook.until(end))
    }

    /// The value without the prose behind it, where a blank line comes between that and the fault.
    fn cut_before_prose(&mut self, start: usize, extent: &Extent) -> Option<Candidate> {
        let fault = extent.fault?;
        let least = start.max(back(self.text, fault, FEW));
        if !shapes::is_behind_blank_line(self.text, least, fault) {
            return None;
        }
        let end = find_last(self.text, b'\n', start, fault)?;
        let reading = self.read_until(start, end, self.options.repair);
        (reading.ending == Ending::Starved).then(|| Candidate::read(start..end, reading, Quality::Cut))
    }

    /// The object without the brace that ends it at `end`, read on from there.
    fn merged(&mut self, start: usize, end: usize, members: Object) -> Option<Candidate> {
        if start < self.merged_until || shapes::is_named_or_listed(self.text, start) {
            return None;
        }
        let mut machine = Machine::reopened(self.text, start, end, members, self.options);
        let stop = machine.run();
        self.merged_until = machine.pos;
        let mut reading = if stop == Stop::Done {
            let whole = machine.pos;
            Reading::strict(start..whole, machine.into_value())
        } else {
            self.merged_tolerantly(start, end)?
        };
        if shapes::is_premature(self.text, reading.end) {
            return None;
        }
        let is_layer = |edit: &Repair| edit.range.start == start && edit.range.end >= end; // which holds the brace
        if !reading.repairs.first().is_some_and(is_layer) {
            reading.repairs.insert(0, edit("surplus-closer", end - 1..end, ""));
        }
        Some(Candidate::read(start..reading.end, reading, Quality::Guessed))
    }

    /// The same with repairs. This copies the rest, so it is tried a few times only.
    fn merged_tolerantly(&mut self, start: usize, end: usize) -> Option<Reading> {
        if self.merges == MERGES {
            return None;
        }
        self.merges += 1;
        let mut text = self.text[start..].to_vec();
        text[end - 1 - start] = b' ';
        let mut reading = mending::read(&text, 0, self.options, Level::Full, &mut Outlook::new(text.len()));
        self.merged_until = self.merged_until.max(start + reading.covered);
        reading.shift(start);
        (reading.ending == Ending::Done).then_some(reading)
    }

    /// Does what ends at `end` look like a part of the broken value before it?
    fn is_fragment(&self, end: usize) -> bool {
        end <= self.broken_until && shapes::does_part_follow(self.text, end)
    }

    /// Where a broken value at `start` must end: with its fence, before the next one, or where its tag closes.
    fn region(&mut self, start: usize) -> usize {
        let mut end = match self.fences.last() {
            Some(fence) => fence.end,
            None if self.quotes_fences(start) => self.text.len(),
            None => self.marks.fence_after(start),
        };
        if let Some(tag) = self.tag.as_ref().filter(|tag| self.is_little(tag.end, start, is_space)) {
            if let Some((closing, _)) = self.marks.closing(tag) {
                end = end.min(closing);
            }
        }
        if start < self.answer_end {
            end = end.min(self.answer_end);
        }
        end.max(start + 1)
    }

    /// Do this bracket and a quote with closers behind it enclose the whole text? Then the fences are text of a string.
    fn quotes_fences(&self, start: usize) -> bool {
        if !self.is_whole(start, '}') && !self.is_whole(start, ']') {
            return false;
        }
        let is_end = |each| is_blank(each) || any("}]")(each);
        let end = back_over(self.text, start, self.text.len(), usize::MAX, is_end);
        char_before(self.text, end).is_some_and(any(CLOSE_QUOTES))
    }

    /// What a safe reading makes of it beyond its region, if the end of that was inside a string.
    fn stretch(&mut self, start: usize, region: usize) -> Option<Reading> {
        let reading = self.read_until(start, self.text.len(), Level::Safe);
        self.stretched = reading.covered.max(region);
        if reading.ending != Ending::Done {
            return None;
        }
        let line = find_last(self.text, b'\n', start, region);
        let inside = line.is_none_or(|line| reading.repairs.iter().any(|edit| edit.range.contains(&line)));
        inside.then_some(reading)
    }

    /// A strict object that starts inside a string of the broken value and ends behind its fault, not inside its extent.
    fn independent(&self, start: usize, extent: &Extent) -> Option<Candidate> {
        let text = self.text;
        let mut machine = Machine::new(text, start, self.options);
        if machine.run() != Stop::Fault {
            return None;
        }
        let fault = machine.pos;
        let mut opened = machine.open().map(|(_, at)| at).peekable();
        let mut pos = start + 1;
        while let Some(at) = find_byte(text, pos, fault, |byte| byte == b'{') {
            pos = at + 1;
            while opened.next_if(|open| *open < at).is_some() {}
            if opened.peek() == Some(&at) {
                continue;
            }
            let Some((value, end)) = read_strictly(text, at, self.options) else {
                continue;
            };
            let is_empty = matches!(&value, Value::Object(members) if members.is_empty());
            let is_last = end >= extent.end || !extent.done;
            if end > fault
                && !is_empty
                && is_last
                && shapes::is_bare_line_end(text, end)
                && !shapes::do_closers_follow(text, end)
            {
                return Some(Candidate::new(at..end, Some(value), Quality::Strict));
            }
            pos = end;
        }
        None
    }
}

/// What the most tolerant reading of a value says of where it ends.
struct Extent {
    done: bool,
    end: usize,
    covered: usize,
    /// Where it could not go on.
    fault: Option<usize>,
}

impl Extent {
    fn of(reading: &Reading) -> Self {
        Self {
            done: reading.ending == Ending::Done,
            end: reading.end,
            covered: reading.covered,
            fault: matches!(reading.ending, Ending::Fault(_)).then_some(reading.fault_pos),
        }
    }
}

fn quality_of(reading: &Reading) -> Quality {
    match reading.ending {
        Ending::Done => Quality::Guessed,
        _ => Quality::Cut,
    }
}

pub(crate) fn edit(code: &'static str, range: Range<usize>, inserted: &str) -> Repair {
    Repair {
        code,
        range,
        inserted: inserted.into(),
    }
}

/// The value that starts at `start` and its end, if it reads strictly.
pub(crate) fn read_strictly(text: &[u8], start: usize, options: &Options) -> Option<(Value, usize)> {
    let mut machine = Machine::new(text, start, options);
    if machine.run() != Stop::Done {
        return None;
    }
    let end = machine.pos;
    machine.into_value().map(|value| (value, end))
}

/// The outermost strict values inside a broken one.
pub(crate) fn fragments(text: &[u8], broken: &Candidate, options: &Options) -> Vec<Candidate> {
    let (mut pos, mut found) = (broken.range.start, Vec::new());
    // What was open where a reading failed has failed as well.
    let mut failed = HashSet::new();
    while let Some(at) = find_byte(text, pos, broken.range.end, |byte| matches!(byte, b'{' | b'[')) {
        pos = at + 1;
        if failed.contains(&at) {
            continue;
        }
        let mut machine = Machine::new(text, at, options);
        if machine.run() == Stop::Done {
            pos = machine.pos;
            let mut fragment = Candidate::new(at..pos, machine.into_value(), Quality::Strict);
            fragment.place = Place::Fragment;
            found.push(fragment);
        } else {
            failed.extend(machine.open().map(|(_, start)| start));
        }
    }
    found
}
