//! Choosing among candidates: values side by side, equal ones, schemas and templates, drafts.

use std::collections::HashSet;

use crate::candidates::{Candidate, Quality};
use crate::options::{Expect, Level, Options};
use crate::scan::{back, back_over, is_blank, is_near, line_start, FEW};
use crate::shapes::{fence_opening, is_echo, joint, says_draft, says_revised, Joint};
use crate::value::{Event, Value};
use crate::wtf8::Wtf8;

/// How much of the text before a value its label may be in, and how long the label is.
const LABEL_ROOM: usize = 200;
const LABEL: usize = 80;

/// Values that nothing, a line feed or a comma parts, as one candidate with parts each.
pub(crate) fn joined(text: &[u8], found: Vec<Candidate>) -> Vec<Candidate> {
    let mut units: Vec<Candidate> = Vec::new();
    for each in found {
        let joint = units.last().and_then(|last| {
            let tail = last.parts.last().unwrap_or(last);
            joint_of(text, tail, &each)
        });
        match (units.pop(), joint) {
            (Some(last), Some(joint)) => units.push(grouped(last, each, joint)),
            (last, _) => units.extend(last.into_iter().chain([each])),
        }
    }
    units
}

/// The unit with one value more. Of a group `on_lines` says that commas alone join it.
fn grouped(last: Candidate, each: Candidate, joint: Joint) -> Candidate {
    let mut group = if last.parts.is_empty() {
        let mut group = Candidate::new(last.range.clone(), None, last.quality);
        (group.rank, group.place, group.in_answer) = (last.rank, last.place, last.in_answer);
        group.fence = last.fence.clone();
        group.on_lines = true;
        group.parts.push(last);
        group
    } else {
        last
    };
    group.range.end = each.range.end;
    group.quality = group.quality.max(each.quality);
    group.on_lines &= joint == Joint::Comma;
    group.parts.push(each);
    group
}

fn joint_of(text: &[u8], left: &Candidate, right: &Candidate) -> Option<Joint> {
    let (end, start) = (left.range.end, right.range.start);
    let may_join = left.in_answer == right.in_answer
        && left.quality <= Quality::Guessed
        && right.quality != Quality::Broken
        && left.rank == right.rank
        && end <= start
        && is_near(text, end, start, FEW + 1);
    let joint = joint(text.get(end..start).filter(|_| may_join)?)?;
    (joint != Joint::Line || (left.on_lines && right.on_lines)).then_some(joint)
}

/// What a unit counts as: itself; the array of its parts; else its parts, to be told apart.
pub(crate) fn settled(text: &[u8], options: &Options, mut unit: Candidate) -> Vec<Candidate> {
    if unit.parts.is_empty() {
        return vec![unit];
    }
    let is_full = options.repair == Level::Full;
    let mut parts = distinct(unit.parts.clone());
    if parts.len() == 1 && unit.on_lines && is_full {
        parts.clone_from(&unit.parts); // commas between equal values say that all are meant
    }
    parts = fuller(parts);
    if !unit.on_lines {
        parts = superseded(text, parts);
    }
    if parts.len() == 1 || options.expect == Expect::Object {
        return parts;
    }
    if is_full {
        let values: Vec<_> = unit.parts.iter().filter_map(|part| part.value.clone()).collect();
        (unit.value, unit.quality) = (Some(Value::Array(values.into())), unit.quality.max(Quality::Guessed));
    } else {
        (unit.parts, unit.quality) = (parts, Quality::Broken);
    }
    vec![unit]
}

/// Equal values are one, the first. One that was cut could have become another, and a broken one is none.
pub(crate) fn distinct(mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    let mut seen = HashSet::new();
    candidates.retain(|each| match &each.value {
        Some(value) if each.quality < Quality::Cut => seen.insert(fingerprint(value)),
        _ => true,
    });
    candidates
}

/// `{}` does not compete with a value that is none. What was cut is no `{}`, though nothing more came of it.
pub(crate) fn fuller(candidates: Vec<Candidate>) -> Vec<Candidate> {
    let is_empty = |each: &Candidate| each.quality < Quality::Cut && each.is_empty_object();
    if candidates.iter().all(is_empty) {
        return candidates;
    }
    candidates.into_iter().filter(|each| !is_empty(each)).collect()
}

/// Equal for equal values, whatever the order of their members.
fn fingerprint(value: &Value) -> String {
    enum Piece<'a> {
        Value(&'a Value),
        Name(Wtf8<'a>),
    }
    let (mut print, mut left) = (String::new(), vec![Piece::Value(value)]);
    while let Some(piece) = left.pop() {
        match piece {
            Piece::Name(name) => print += &Event::String(name).to_string(),
            Piece::Value(Value::Object(object)) => {
                print += &format!("{{{}", object.len());
                let mut members: Vec<_> = object.iter().collect();
                members.sort_unstable_by_key(|(name, _)| name.as_bytes());
                left.extend(
                    members
                        .into_iter()
                        .flat_map(|(name, value)| [Piece::Value(value), Piece::Name(name)]),
                );
            }
            Piece::Value(Value::Array(items)) => {
                print += &format!("[{}", items.len());
                left.extend(items.iter().map(Piece::Value));
            }
            Piece::Value(scalar) => print += &scalar.to_string(),
        }
        print.push(',');
    }
    print
}

/// Leaves out what the text itself says is no answer, where an answer follows.
pub(crate) fn superseded(text: &[u8], candidates: Vec<Candidate>) -> Vec<Candidate> {
    let starts: Vec<usize> = std::iter::once(0)
        .chain(candidates.iter().map(|each| each.range.end))
        .collect();
    let label = |at: usize, each: &Candidate| Label::of(text, starts[at], each.range.start);
    let mut kept = vec![false; candidates.len()];
    let mut followed = false; // by an answer
    for (at, each) in candidates.iter().enumerate().rev() {
        let is_readable = each.quality <= Quality::Cut;
        let is_none = each.value.as_ref().is_some_and(is_echo) || label(at, each).says(says_draft);
        if !followed || !is_none {
            kept[at] = true;
            followed |= is_readable;
        }
        if is_readable && label(at, each).says(says_revised) {
            // It stands for those before, but for those of a better rank and those labelled so themselves.
            for (earlier, other) in candidates[..at].iter().enumerate() {
                kept[earlier] = other.rank < each.rank || other.in_answer || label(earlier, other).says(says_revised);
            }
            break;
        }
    }
    let mut kept = kept.into_iter();
    candidates.into_iter().filter(|_| kept.next() == Some(true)).collect()
}

/// The label of a value: the last line of words before it.
struct Label<'a> {
    line: &'a [u8],
}

impl<'a> Label<'a> {
    fn of(text: &'a [u8], since: usize, start: usize) -> Self {
        let least = since.max(back(text, start, LABEL_ROOM)).min(start);
        let end = fence_opening(text, least, start).unwrap_or(start);
        let before = &text[least..end];
        let before = &before[..back_over(before, 0, before.len(), usize::MAX, is_blank)];
        Self {
            line: &before[line_start(before, before.len())..],
        }
    }

    fn says(&self, words: fn(&[u8], usize) -> bool) -> bool {
        words(self.line, back(self.line, self.line.len(), LABEL))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strict::parse;

    #[test]
    fn equal_values_have_one_fingerprint() {
        let print = |text: &str| fingerprint(&parse(text).unwrap());
        assert_eq!(
            print(r#"{"a":[1,{"b":2,"c":{}}],"d":"x"}"#),
            print(r#"{"d":"x","a":[1,{"c":{},"b":2}]}"#)
        );
        for (one, other) in [
            ("1", "1.0"),
            ("[]", "{}"),
            ("[1,2]", "[2,1]"),
            (r#"{"a":{"b":1}}"#, r#"{"a":{},"b":1}"#),
            (r#"["a","b"]"#, r#"["a,b"]"#),
            (r#"[[1],2]"#, r#"[[1,2]]"#),
        ] {
            assert_ne!(print(one), print(other));
        }
    }
}
