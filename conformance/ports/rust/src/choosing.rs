//! Choosing among candidates: values side by side, equal ones, schemas and templates, drafts.

use std::collections::HashSet;

use crate::candidates::{Candidate, Quality, Rank};
use crate::labels::{announcing, draft, revised, said, Level};
use crate::options::{Expect, Level as Repairs, Options};
use crate::scan::{back, back_over, is_blank, is_near, line_start, FEW};
use crate::shapes::{fence_opening, is_blank_to_fill, is_described, is_template, joint, Joint};
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
pub(crate) fn settled(options: &Options, mut unit: Candidate) -> Vec<Candidate> {
    if unit.parts.is_empty() {
        return vec![unit];
    }
    let is_full = options.repair == Repairs::Full;
    let mut parts = distinct(unit.parts.clone());
    if parts.len() == 1 && unit.on_lines && is_full {
        parts.clone_from(&unit.parts); // commas between equal values say that all are meant
    }
    parts = fuller(parts);
    if !unit.on_lines {
        parts = without_echoes(parts);
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

/// Among values in a row, leaves out a schema before its instance, and what is nothing but blanks to fill.
fn without_echoes(candidates: Vec<Candidate>) -> Vec<Candidate> {
    let mut names = Names::default();
    let mut kept: Vec<_> = candidates
        .into_iter()
        .rev()
        .filter(|each| {
            let value = each.value.as_ref();
            let described = value.map(described).unwrap_or_default();
            let is_schema = !described.0.is_empty() && described.share(&names);
            if !names.0.is_empty() && (is_schema || value.is_some_and(is_blank_to_fill)) {
                return false;
            }
            names.add(Names::of(value));
            true
        })
        .collect();
    kept.reverse();
    kept
}

/// Leaves out what the text itself says is no answer, where an answer follows.
pub(crate) fn superseded(text: &[u8], mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    if candidates.len() < 2 {
        return candidates;
    }
    let mut behind = Behind::default();
    let mut kept = vec![false; candidates.len()];
    for at in (0..candidates.len()).rev() {
        let since = at.checked_sub(1).map_or(0, |before| candidates[before].range.end);
        let each = &mut candidates[at];
        let label = label(text, since, each.range.start);
        if behind.outdo(each.value.as_ref(), label) || behind.revise(each, label) {
            continue;
        }
        let is_none = is_no_answer(each.value.as_ref(), label);
        each.doubt = is_none && behind.followed;
        kept[at] = true;
        let is_readable = each.quality <= Quality::Cut && each.rank < Rank::Narrated;
        if !is_none && (each.rank <= Rank::OnLines || is_readable) {
            behind.add(each, label);
        }
    }
    let mut kept = kept.into_iter();
    candidates.into_iter().filter(|_| kept.next() == Some(true)).collect()
}

/// Where a value stands, the best place first.
type Standing = (bool, Rank);

fn place_of(each: &Candidate) -> Standing {
    (!each.in_answer, each.rank)
}

/// The answers behind a value, as far as it matters whether they take its place.
#[derive(Default)]
struct Behind {
    followed: bool,
    /// By one whose label says nothing else.
    announced: bool,
    names: Names,
    revised_names: Names,
    /// The best places of those that stand for values of their names, and for all.
    revising: Option<Standing>,
    last: Option<Standing>,
}

impl Behind {
    fn add(&mut self, each: &Candidate, label: &[u8]) {
        let best = |place: Option<Standing>| Some(place.map_or(place_of(each), |place| place.min(place_of(each))));
        self.followed = true;
        self.announced |= said(label, announcing).is_some();
        let revised = said(label, revised);
        if revised > Some(Level::Nothing) {
            self.revising = best(self.revising);
            self.revised_names.add(Names::of(each.value.as_ref()));
        }
        if revised == Some(Level::Outright) {
            self.last = best(self.last);
        }
        self.names.add(Names::of(each.value.as_ref()));
    }

    /// Is this value, so labelled, left out for one of them?
    fn outdo(&self, value: Option<&Value>, label: &[u8]) -> bool {
        (self.announced && is_no_answer(value, label))
            || (said(label, draft) > Some(Level::Nothing) && Names::of(value).share(&self.names))
            || value.is_some_and(|value| is_filled(value, &self.names))
    }

    /// Does one of them, labelled as corrected or final, stand for this one, which is not?
    fn revise(&self, each: &Candidate, label: &[u8]) -> bool {
        let is_no_better = |place: Option<Standing>| place.is_some_and(|place| place <= place_of(each));
        is_no_better(self.revising)
            && said(label, revised) <= Some(Level::Nothing)
            && (is_no_better(self.last) || Names::of(each.value.as_ref()).share(&self.revised_names))
    }
}

/// Does a value or its label say by itself that it is none?
fn is_no_answer(value: Option<&Value>, label: &[u8]) -> bool {
    said(label, draft) == Some(Level::Outright) || value.is_some_and(is_blank_to_fill)
}

/// Is it a schema, or all placeholders, of a value with these names?
fn is_filled(value: &Value, others: &Names) -> bool {
    let described = described(value);
    if !described.0.is_empty() {
        return described.share(others);
    }
    let names = Names::of(Some(value));
    !names.is_none() && names.share(others) && is_template(value)
}

/// The names that a schema describes.
fn described(value: &Value) -> Names {
    match value.get("properties") {
        Some(Value::Object(properties)) if properties.iter().all(|(_, each)| is_described(each)) => {
            Names(properties.iter().map(|(name, _)| name.as_bytes().to_vec()).collect())
        }
        _ => Names::default(),
    }
}

/// Names of values.
#[derive(Default)]
struct Names(HashSet<Vec<u8>>);

impl Names {
    /// Those of an object, or of the objects in an array; for a value without any the one empty name.
    fn of(value: Option<&Value>) -> Self {
        let items = match value {
            Some(Value::Array(items)) => items,
            Some(value) => std::slice::from_ref(value),
            None => &[],
        };
        let objects = items.iter().filter_map(|each| match each {
            Value::Object(object) => Some(object),
            _ => None,
        });
        let mut names: HashSet<_> = objects
            .flat_map(|object| object.iter().map(|(name, _)| name.as_bytes().to_vec()))
            .collect();
        if names.is_empty() {
            names.insert(Vec::new());
        }
        Self(names)
    }

    /// Is there only the empty one?
    fn is_none(&self) -> bool {
        self.0.len() == 1 && self.0.contains(&Vec::new())
    }

    fn add(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// Is at least half of them among the others?
    fn share(&self, others: &Self) -> bool {
        2 * self.0.intersection(&others.0).count() >= self.0.len()
    }
}

/// The label of a value: the last line of words before it.
fn label(text: &[u8], since: usize, start: usize) -> &[u8] {
    let least = since.max(back(text, start, LABEL_ROOM)).min(start);
    let end = fence_opening(text, least, start).unwrap_or(start);
    let before = &text[least..end];
    let before = &before[..back_over(before, 0, before.len(), usize::MAX, is_blank)];
    let line = &before[line_start(before, before.len())..];
    &line[back(line, line.len(), LABEL)..]
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
