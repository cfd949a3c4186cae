//! The three originals: what each finds, decided as JavaScript decides it, in linear time.

use std::borrow::Cow;
use std::ops::Range;

use crate::error::ExtractError;
use crate::javascript::{skip_white_space, trim};
use crate::reader::{Reader, Sink, Stop, Token};
use crate::strict::parse_bytes;
use crate::value::Value;
use crate::wtf8::Source;

/// UTF-16 code units above which [`extract_json_object`] does not search.
const MAX_SEARCHED_UNITS: usize = 256 * 1024;

/// How many `{` of a text [`extract_json_object`] tries, wherever they stand.
const MAX_ATTEMPTS: usize = 50;

/// UTF-16 code units of the input shown by an error without a bracket, and with one.
const PREVIEW_UNITS: usize = 200;
const BRACKET_PREVIEW_UNITS: usize = 300;

const FENCE: &[u8] = b"```";
const FENCE_TAGS: [&[u8]; 6] = [b"json", b"yaml", b"js", b"javascript", b"typescript", b"dart"];

/// The first part of `raw` that is a JSON object, else `raw` itself.
///
/// Each of the first 50 `{`, in quotes or not, is tried in turn: the answer is the first from
/// which an object can be read. A text of more than 262,144 UTF-16 code units comes back at once.
///
/// O(n) time, no recursion.
///
/// ```
/// use jsonscan::extract_json_object;
///
/// assert_eq!(extract_json_object("use {x}: {\"a\": \"}\"} ok"), "{\"a\": \"}\"}");
/// assert_eq!(extract_json_object("no JSON"), "no JSON");
/// ```
pub fn extract_json_object<'a, S: Source<'a>>(raw: S) -> S::Slice {
    let text = raw.as_wtf8();
    let whole = 0..text.as_bytes().len();
    let too_long = whole.end > MAX_SEARCHED_UNITS && text.utf16_len() > MAX_SEARCHED_UNITS;
    let found = if too_long {
        None
    } else {
        first_object(text.as_bytes(), |_| {})
    };
    raw.slice(found.unwrap_or(whole))
}

/// The value in `raw`: that of its first code fence when that is JSON, else that of what its first
/// bracket and the closer encloses, if need be without trailing commas and with `'` as `"`.
///
/// O(n) time, no recursion.
///
/// # Errors
/// [`ExtractError`], with the original's messages.
///
/// ```
/// use jsonscan::extract_json;
///
/// assert_eq!(extract_json("Sure:\n```json\n[1]\n```")?.to_string(), "[1]");
/// assert_eq!(extract_json("I say {'a': 1,}")?.to_string(), r#"{"a":1}"#);
/// assert_eq!(extract_json("I refuse").unwrap_err().code(), "no-json");
/// # Ok::<(), jsonscan::ExtractError>(())
/// ```
pub fn extract_json<'a>(raw: impl Source<'a>) -> Result<Value, ExtractError> {
    let text = raw.as_wtf8();
    let bytes = text.as_bytes();
    if bytes.is_empty() {
        return Err(ExtractError::InvalidInput);
    }
    if let Some(Ok(value)) = fenced(bytes).map(parse_bytes) {
        return Ok(value);
    }
    let Some(start) = bytes.iter().position(|byte| matches!(byte, b'{' | b'[')) else {
        return Err(ExtractError::NoJson {
            preview: text.utf16_prefix(PREVIEW_UNITS),
        });
    };
    let preview = |end| text.slice(start..end).utf16_prefix(BRACKET_PREVIEW_UNITS);
    let Some(end) = balanced_end(bytes, start) else {
        return Err(ExtractError::Unbalanced {
            preview: preview(bytes.len()),
        });
    };
    let candidate = &bytes[start..end];
    parse_bytes(candidate).or_else(|cause| {
        parse_bytes(&repaired(candidate)).map_err(|_| ExtractError::ParseFailed {
            cause,
            preview: preview(end),
        })
    })
}

/// The value [`extract_json`] finds, or `None` where it fails. O(n) time, no recursion.
///
/// ```
/// assert_eq!(jsonscan::try_extract_json("{bad}"), None);
/// ```
pub fn try_extract_json<'a>(raw: impl Source<'a>) -> Option<Value> {
    extract_json(raw).ok()
}

/// The bytes of the object at the first of the first 50 `{` from which one can be read.
///
/// `on_read` is told the bytes that each read covered.
///
/// A read that fails inside nested containers settles them too: those closed before the fault are
/// whole, and one still open would, read alone, stop at the same fault. So a `{` is read from only
/// when no read before has come past it as structure, only inside a string. Two such reads that
/// overlap are never both inside a string or both outside, for a backslash outside ends a read; so
/// no character is read more than twice.
fn first_object(text: &[u8], mut on_read: impl FnMut(Range<usize>)) -> Option<Range<usize>> {
    let braces = text.iter().enumerate().filter(|(_, byte)| **byte == b'{');
    let starts: Vec<usize> = braces.map(|(at, _)| at).take(MAX_ATTEMPTS).collect();
    let mut fates = Fates {
        ends: vec![None; starts.len()],
        starts: &starts,
    };
    for (attempt, start) in starts.iter().enumerate() {
        if fates.ends[attempt].is_none() {
            let mut reader = Reader::new(text, *start);
            if reader.run(&mut fates) != Stop::Done {
                reader
                    .still_open()
                    .iter()
                    .for_each(|open| fates.set(*open, Fate::Fails));
            }
            on_read(*start..reader.position());
        }
        if let Some(Fate::Ends(end)) = fates.ends[attempt] {
            return Some(*start..end);
        }
    }
    None
}

#[derive(Clone, Copy)]
enum Fate {
    /// An object starts there and ends before this byte.
    Ends(usize),
    Fails,
}

/// What is known of each `{` that may be tried.
struct Fates<'s> {
    starts: &'s [usize],
    ends: Vec<Option<Fate>>,
}

impl Fates<'_> {
    fn set(&mut self, start: usize, fate: Fate) {
        if let Ok(attempt) = self.starts.binary_search(&start) {
            self.ends[attempt] = Some(fate);
        }
    }
}

impl Sink for Fates<'_> {
    fn open(&mut self, _: u8, _: usize) {}

    fn close(&mut self, start: usize, end: usize) {
        self.set(start, Fate::Ends(end));
    }

    fn key(&mut self, _: &[u8]) {}

    fn scalar(&mut self, _: Token<'_>) {}
}

/// The content of the first code fence, trimmed; `None` where no fence is opened and closed.
fn fenced(text: &[u8]) -> Option<&[u8]> {
    let opening_end = find_fence(text, 0)? + FENCE.len();
    let closing = find_fence(text, opening_end)?;
    let block = &text[opening_end..closing];
    let has_tag = |tag: &&[u8]| {
        block
            .get(..tag.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(tag))
    };
    let tag_end = FENCE_TAGS.into_iter().find(has_tag).map_or(0, <[u8]>::len);
    Some(trim(&block[tag_end..]))
}

/// The first fence at or after `at`.
fn find_fence(text: &[u8], at: usize) -> Option<usize> {
    text[at..]
        .windows(FENCE.len())
        .position(|window| window == FENCE)
        .map(|found| at + found)
}

/// The end of the closer that balances the bracket at `start`. Only brackets of its kind, outside
/// of double quotes, count.
fn balanced_end(text: &[u8], start: usize) -> Option<usize> {
    let opener = text[start];
    let closer = if opener == b'{' { b'}' } else { b']' };
    let mut depth = 0usize;
    let mut at = start;
    while let Some(byte) = text.get(at) {
        at += 1;
        if *byte == b'"' {
            at = quoted_end(text, at);
        } else if *byte == opener {
            depth += 1;
        } else if *byte == closer {
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

/// The position after the quote that ends the quoted text at `at`, or the end.
fn quoted_end(text: &[u8], mut at: usize) -> usize {
    while let Some(byte) = text.get(at) {
        at += match byte {
            b'"' => return at + 1,
            b'\\' => 2,
            _ => 1,
        };
    }
    text.len()
}

/// `candidate` without each comma that only white space parts from a closer, without that white
/// space, and with every `'` as `"`; in strings and outside alike.
fn repaired(candidate: &[u8]) -> Cow<'_, [u8]> {
    if !candidate.iter().any(|byte| matches!(byte, b',' | b'\'')) {
        return Cow::Borrowed(candidate);
    }
    let mut out = Vec::with_capacity(candidate.len());
    let mut at = 0;
    while let Some(byte) = candidate.get(at) {
        at += 1;
        match byte {
            b',' => {
                let next = skip_white_space(candidate, at);
                match candidate.get(next) {
                    Some(b'}' | b']') => at = next,
                    _ => out.push(b','),
                }
            }
            b'\'' => out.push(b'"'),
            _ => out.push(*byte),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often the most read byte of `text` is read, and where the object is.
    fn overlap(text: &str) -> (usize, Option<Range<usize>>) {
        let mut reads = vec![0; text.len() + 1];
        let found = first_object(text.as_bytes(), |read| {
            reads[read].iter_mut().for_each(|count| *count += 1)
        });
        (reads.into_iter().max().unwrap_or(0), found)
    }

    #[test]
    fn no_byte_is_read_more_than_twice() {
        let in_strings = format!(r#"{}"x"#, r#"{"a":"{\"b\":","#.repeat(25));
        for text in [
            "{".repeat(1000),
            r#"{"a":"#.repeat(1000),
            r#"{"a":["#.repeat(1000) + "}",
            r#"{"{"#.repeat(1000),
            r#"{"a":1,"{":{"#.repeat(1000),
            r#"{"":""#.repeat(1000),
            in_strings,
        ] {
            let (most, found) = overlap(&text);
            assert!(most <= 2, "{most} reads of one byte of {}...", &text[..20]);
            assert_eq!(found, None);
        }
    }

    #[test]
    fn a_failed_read_settles_what_it_came_past() {
        let text = r#"{"a":{"b":{"c":1},"d":"{}"};"#;
        let mut reads = Vec::new();
        let found = first_object(text.as_bytes(), |read| reads.push(read));
        assert_eq!(found, Some(5..27));
        assert_eq!((reads.len(), &reads[0]), (1, &(0..27)));
    }

    #[test]
    fn a_fence_needs_a_closer_and_has_at_most_one_tag() {
        for (text, content) in [
            ("```json\n1\n```", Some("1")),
            ("x```JavaScript1``` ```2```", Some("1")),
            ("```jsonjson\n1```", Some("json\n1")),
            ("``` js\u{feff}1\u{a0}```", Some("js\u{feff}1")),
            ("```j\u{17f}on 1```", Some("j\u{17f}on 1")),
            ("````1````", Some("`1")),
            ("``````", Some("")),
            ("`````", None),
            ("```1", None),
            ("``1``", None),
        ] {
            assert_eq!(fenced(text.as_bytes()), content.map(str::as_bytes), "{text}");
        }
    }

    #[test]
    fn six_words_are_tags_of_a_fence_in_any_case() {
        for tag in ["json", "YAML", "js", "JavaScript", "typeScript", "DART"] {
            assert_eq!(
                fenced(format!("```{tag}1```").as_bytes()),
                Some(b"1".as_slice()),
                "{tag}"
            );
        }
        for word in ["ts", "yml", "py", "javascr\u{131}pt"] {
            assert_eq!(
                fenced(format!("```{word} 1```").as_bytes()),
                Some(format!("{word} 1").as_bytes())
            );
        }
    }

    #[test]
    fn a_bracket_is_balanced_by_its_own_kind_outside_of_double_quotes() {
        for (text, end) in [
            ("{[}]}", Some(3)),
            (r#"["]"]]"#, Some(5)),
            (r#"{"\"}"}"#, Some(7)),
            (r#"{"\\"}"}"#, Some(6)),
            (r"[\]]", Some(3)),
            ("['\"']", None),
            ("[[]", None),
            ("{\"\\", None),
        ] {
            assert_eq!(balanced_end(text.as_bytes(), 0), end, "{text}");
        }
    }

    #[test]
    fn repair_drops_commas_before_closers_and_turns_quotes() {
        for (text, wanted) in [
            ("[1,\u{a0}\n]", "[1]"),
            ("[1,,]", "[1,]"),
            ("{'a':', }',}", "{\"a\":\"}\"}"),
            ("[1,\u{85}]", "[1,\u{85}]"),
            ("[1 , 2]", "[1 , 2]"),
        ] {
            assert_eq!(repaired(text.as_bytes()).as_ref(), wanted.as_bytes(), "{text}");
        }
    }
}
