//! What the label of a value says: words for what is no answer, and for what is.

use crate::scan::{any, none, steps, Scan};

/// How clearly a word says it: not at all, only of values that share their names, or whatever the values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Nothing,
    Partly,
    Outright,
}

/// Does this word, or the one before with it, stand in the list, and how clearly does it say it?
type List = fn(last: &str, word: &str) -> Option<Level>;

/// That a value is no answer.
pub(crate) fn draft(last: &str, word: &str) -> Option<Level> {
    match (last, word) {
        (_, "draft" | "example" | "examples" | "template" | "placeholder" | "input" | "wrong" | "incorrect")
        | ("first", "attempt" | "try") => Some(Level::Outright),
        (
            _,
            "before" | "earlier" | "format" | "initial" | "invalid" | "old" | "original" | "previous" | "sample"
            | "schema",
        ) => Some(Level::Partly),
        (_, "answer" | "attempt" | "for" | "try") => Some(Level::Nothing),
        _ => None,
    }
}

/// That a value is corrected or final.
pub(crate) fn revised(last: &str, word: &str) -> Option<Level> {
    match (last, word) {
        (_, "answer" | "corrected" | "correction" | "final" | "finale" | "revised")
        | ("after", "review")
        | ("me", "correct" | "fix" | "redo") => Some(Level::Outright),
        (
            _,
            "actual" | "actually" | "better" | "complete" | "correct" | "edit" | "fix" | "fixed" | "improved"
            | "instead" | "new" | "real" | "redo" | "revision" | "right" | "updated" | "wait",
        )
        | ("on", "reflection")
        | ("second", "thought") => Some(Level::Partly),
        (_, "after" | "no" | "on" | "sorry") => Some(Level::Nothing),
        _ => None,
    }
}

/// What the label of an answer may say.
pub(crate) fn announcing(last: &str, word: &str) -> Option<Level> {
    (PLAIN.contains(&word) || revised(last, word).is_some()).then_some(Level::Partly)
}

const PLAIN: [&str; 65] = [
    "a",
    "an",
    "and",
    "are",
    "array",
    "be",
    "below",
    "code",
    "complete",
    "const",
    "data",
    "expected",
    "first",
    "follow",
    "following",
    "follows",
    "go",
    "here",
    "i",
    "is",
    "it",
    "json",
    "let",
    "ll",
    "me",
    "message",
    "my",
    "new",
    "now",
    "object",
    "one",
    "our",
    "output",
    "provided",
    "record",
    "required",
    "response",
    "result",
    "results",
    "return",
    "rough",
    "s",
    "second",
    "should",
    "so",
    "structured",
    "that",
    "the",
    "then",
    "therefore",
    "third",
    "this",
    "thus",
    "use",
    "user",
    "value",
    "values",
    "var",
    "version",
    "was",
    "we",
    "were",
    "will",
    "you",
    "your",
];

const PREPOSITIONS: [&str; 18] = [
    "after",
    "as",
    "based",
    "by",
    "for",
    "from",
    "in",
    "including",
    "of",
    "on",
    "that",
    "to",
    "using",
    "when",
    "where",
    "which",
    "with",
    "without",
];

/// How clearly the last sentence of a label consists of words of a list, plain ones and, behind one of the list, what a
/// preposition starts; nothing if it says other things.
pub(crate) fn said(label: &[u8], list: List) -> Option<Level> {
    let (mut level, mut is_other, mut is_over) = (Level::Nothing, false, false);
    let (mut last, mut mark) = (String::new(), None);
    let mut scan = Scan::new(label, 0);
    while let Some(here) = scan.peek() {
        let start = scan.at;
        if scan.run(usize::MAX, char::is_alphanumeric) == 0 {
            scan.one(|_| true);
            let mut tag = scan;
            tag.all(none("<>"));
            if here == '<' && tag.one(|each| each == '>') {
                scan = tag;
            } else if any(".!?;:,：。…—–")(here) && (mark.is_none() || mark == Some(',')) {
                mark = Some(here);
            }
            continue;
        }
        if mark.is_some_and(|mark| mark != ',' || is_other) {
            (level, is_other, is_over) = (Level::Nothing, false, false); // a sentence is over, or a part that says other things
        }
        let word = ascii_lower(&label[start..scan.at]);
        let is_number = !word.is_empty() && word.bytes().all(|each| each.is_ascii_digit());
        if let Some(found) = list(&last, &word) {
            level = level.max(found);
        } else if !is_number && !is_over && !PLAIN.contains(&word.as_str()) {
            is_over = level > Level::Nothing && !is_other && PREPOSITIONS.contains(&word.as_str());
            is_other = !is_over;
        }
        (last, mark) = (word, None);
    }
    steps::count(label.len());
    (!is_other).then_some(level)
}

/// A word in lower case; nothing of one that is not all ASCII.
fn ascii_lower(word: &[u8]) -> String {
    String::from_utf8(word.to_ascii_lowercase())
        .ok()
        .filter(|word| word.is_ascii())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_say_what_their_values_are() {
        let (none, partly, outright) = (Some(Level::Nothing), Some(Level::Partly), Some(Level::Outright));
        for (label, is_draft, is_revised) in [
            ("", none, none),
            ("A draft:", outright, None),
            ("Drafts:", None, None),
            ("My FIRST attempt", outright, None),
            ("Attempt 2:", none, None),
            ("Tool input:", None, None),
            ("My input:", outright, None),
            ("The format is:", partly, None),
            ("Here is the JSON in that format", None, None),
            ("Corrected, after review", None, outright),
            ("That was wrong! Let me fix it:", None, outright),
            ("Based on that, the answer", none, outright),
            ("The answer, based on that", None, outright),
            ("<answer>", none, none),
            ("**Updated**, with what you asked for", None, partly),
            ("\u{212a}orrected answer", None, None),
        ] {
            let label = label.as_bytes();
            assert_eq!(
                (said(label, draft), said(label, revised)),
                (is_draft, is_revised),
                "{label:?}"
            );
        }
    }
}
