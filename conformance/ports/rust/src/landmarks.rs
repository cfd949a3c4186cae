//! What stands in the text around JSON: fences, tags and brackets, found without regard to strings.
//!
//! Nothing here reads JSON. Fences are paired once, when first asked for, and what lies between two
//! landmarks is looked at once, so all of it is linear.

use std::collections::HashMap;
use std::sync::Arc;

use crate::scan::{any, char_at, char_before, find_byte, is_gap, is_space, is_word, none, Scan};

const REASONING: &[&str] = &[
    "think",
    "thinking",
    "thought",
    "thoughts",
    "reason",
    "reasoning",
    "reasoning_content",
    "reflection",
    "reflect",
    "scratchpad",
    "scratch_pad",
    "analysis",
    "draft",
    "antthinking",
    "ant_thinking",
    "inner_thoughts",
    "inner_monologue",
    "monologue",
    "internal_monologue",
    "chain_of_thought",
    "cot",
    "deliberation",
    "think_silently",
    "seed:think",
    "begin_of_thought",
];
const QUOTED: &[&str] = &[
    "example",
    "examples",
    "schema",
    "observation",
    "tool_response",
    "tool_result",
    "tool_results",
    "tool_output",
    "function_response",
    "function_result",
    "function_results",
];
const ANSWER: &[&str] = &[
    "answer",
    "final_answer",
    "finalanswer",
    "final",
    "final_output",
    "final_json",
    "json",
    "json_output",
    "json_response",
    "output",
    "response",
    "result",
    "solution",
    "structured_output",
    "begin_of_solution",
    "verdict",
    "submission",
];
const JSON_FENCES: &[&str] = &[
    "",
    "json",
    "json5",
    "jsonc",
    "jsonl",
    "ndjson",
    "jsonlines",
    "hjson",
    "geojson",
    "json-ld",
    "jsonld",
    "application/json",
    "tool_call",
    "tool_use",
    "tool",
    "function_call",
    "action",
    "answer",
    "output",
    "response",
    "result",
    "final",
];
const TEXT_FENCES: &[&str] = &[
    "text",
    "txt",
    "plaintext",
    "plain",
    "markdown",
    "md",
    "console",
    "log",
    "xml",
    "html",
    "http",
];
/// A tag that touches one of these is a mention. Plain quotes count before it only.
const QUOTES_BEFORE: &str = "`'\"“”‘’";
const QUOTES_BEHIND: &str = "`“”‘’";

/// A landmark: `start` is where it starts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Landmark {
    Fence(Fence),
    Tag(Tag),
    /// A `{`, `[` or full-width `{`.
    Bracket(char, usize),
}

/// A fence from `start`, its first mark, to `after`, behind its last. Its content is `content..end`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fence {
    pub(crate) start: usize,
    pub(crate) content: usize,
    pub(crate) end: usize,
    pub(crate) after: usize,
    pub(crate) width: usize,
    pub(crate) info: Arc<str>,
}

impl Fence {
    pub(crate) fn is_json(&self) -> bool {
        JSON_FENCES.contains(&&*self.info)
    }

    pub(crate) fn is_text(&self) -> bool {
        TEXT_FENCES.contains(&&*self.info)
    }
}

/// A tag at `start..end`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tag {
    pub(crate) start: usize,
    pub(crate) end: usize,
    name: String,
    pub(crate) closes: bool,
    pub(crate) role: Role,
}

impl Tag {
    /// Is it one of harmony's channels, which other marks close?
    pub(crate) fn is_channel(&self) -> bool {
        self.name.starts_with('|')
    }
}

/// What a tag means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Reasoning,
    Quoted,
    Answer,
    Other,
}

/// The landmarks of a text.
pub(crate) struct Landmarks<'a> {
    text: &'a [u8],
    fences: Option<Fences>,
    closers: Option<HashMap<String, Vec<(usize, usize)>>>,
}

/// All fences by where they start, and the starts of those that open a line.
struct Fences {
    by_start: HashMap<usize, Fence>,
    line_starts: Vec<usize>,
}

impl<'a> Landmarks<'a> {
    pub(crate) fn new(text: &'a [u8]) -> Self {
        Self {
            text,
            fences: None,
            closers: None,
        }
    }

    /// The first landmark that starts at or after `pos`.
    pub(crate) fn next(&mut self, pos: usize) -> Option<Landmark> {
        let text = self.text;
        let mut at = pos;
        loop {
            at = find_byte(text, at, text.len(), |byte| {
                matches!(byte, b'[' | b'{' | b'<' | b'`' | b'~' | 0xe2 | 0xef)
            })?;
            let here = char_at(text, at)?;
            let mut behind = Scan::new(text, at);
            behind.run(1, |_| true);
            let found = match here {
                '{' | '｛' => return Some(Landmark::Bracket(here, at)),
                '[' => {
                    let tag = square_tag(text, at).map(Landmark::Tag);
                    return tag.or(Some(Landmark::Bracket('[', at)));
                }
                '`' | '~' => {
                    let width = 1 + behind.run(usize::MAX, |each| each == here);
                    let fence = if width >= 3 {
                        self.fences().by_start.get(&at).cloned()
                    } else {
                        None
                    };
                    fence.map(Landmark::Fence)
                }
                '<' => angle_tag(text, at).map(Landmark::Tag),
                '◁' => diamond_tag(text, at).map(Landmark::Tag),
                _ => None,
            };
            if found.is_some() {
                return found;
            }
            at = behind.at;
        }
    }

    /// Where the next fence that opens a line starts, at or after `pos`, or the end of the text.
    pub(crate) fn fence_after(&mut self, pos: usize) -> usize {
        let end = self.text.len();
        let starts = &self.fences().line_starts;
        let at = starts.partition_point(|start| *start < pos);
        starts.get(at).copied().unwrap_or(end)
    }

    fn fences(&mut self) -> &Fences {
        let text = self.text;
        self.fences.get_or_insert_with(|| Fences::paired(text))
    }

    /// Where the tag that closes an opening one starts and ends, if there is one.
    pub(crate) fn closing(&mut self, tag: &Tag) -> Option<(usize, usize)> {
        let text = self.text;
        if tag.is_channel() {
            return channel_end(text, tag.end).map(|at| (at, at));
        }
        let closers = self.closers.get_or_insert_with(|| closing_tags(text));
        let is_details = text[tag.start..].starts_with(b"<details");
        let places = closers.get(if is_details { "details" } else { &tag.name })?;
        places.get(places.partition_point(|place| place.0 < tag.end)).copied()
    }
}

// Tags.

/// `<name ...>`, `</name>`, with bars inside the angle brackets or without.
fn angle_tag(text: &[u8], start: usize) -> Option<Tag> {
    if text[start..].starts_with(b"<|channel|>") {
        return channel(text, start);
    }
    let mut scan = Scan::new(text, start + 1);
    scan.one(any("|｜"));
    let closes = scan.one(|each| each == '/');
    scan.one(any("|｜"));
    let name = tag_name(&mut scan)?;
    scan.run(256, none("<>\n"));
    scan.one(|each| each == '>')
        .then(|| tag(text, start, scan.at, &name, closes))
}

/// The name of a tag: a letter, and up to 63 characters of a word, `:`, `.`, `-` and the blank of SentencePiece.
fn tag_name(scan: &mut Scan<'_>) -> Option<String> {
    let start = scan.at;
    if !scan.one(|each| each.is_ascii_alphabetic()) {
        return None;
    }
    scan.run(63, |each| is_word(each) || any(":.▁-")(each));
    Some(normal(&scan.text[start..scan.at]))
}

/// A tag's name in lower case, with `_` for `-`.
fn normal(name: &[u8]) -> String {
    String::from_utf8_lossy(name).to_lowercase().replace('-', "_")
}

/// `[NAME]` or `[/NAME]`.
fn square_tag(text: &[u8], start: usize) -> Option<Tag> {
    let mut scan = Scan::new(text, start + 1);
    let closes = scan.one(|each| each == '/');
    let name = scan.at;
    let is_name = scan.one(|each| each.is_ascii_uppercase())
        && scan.run(31, |each| each.is_ascii_uppercase() || each == '_') >= 2;
    let name = normal(&text[name..scan.at]);
    (is_name && scan.one(|each| each == ']')).then(|| tag(text, start, scan.at, &name, closes))
}

/// `◁name▷` or `◁/name▷`.
fn diamond_tag(text: &[u8], start: usize) -> Option<Tag> {
    let mut scan = Scan::new(text, start);
    scan.word("◁");
    let closes = scan.one(|each| each == '/');
    let name = scan.at;
    let is_name = scan.one(|each| each.is_ascii_alphabetic());
    scan.run(31, is_word);
    let name = normal(&text[name..scan.at]);
    (is_name && scan.word("▷")).then(|| tag(text, start, scan.at, &name, closes))
}

fn tag(text: &[u8], start: usize, end: usize, name: &str, closes: bool) -> Tag {
    let (name, closes) = match name {
        "end_of_thought" => ("begin_of_thought", true),
        "details" if !closes && is_about_thinking(&text[start..end]) => ("thinking", closes),
        _ => (name, closes),
    };
    let is_mention =
        char_before(text, start).is_some_and(any(QUOTES_BEFORE)) || char_at(text, end).is_some_and(any(QUOTES_BEHIND));
    let role = if is_mention { Role::Other } else { role(name) };
    Tag {
        start,
        end,
        name: name.to_owned(),
        closes,
        role,
    }
}

fn is_about_thinking(tag: &[u8]) -> bool {
    [b"reason".as_slice(), b"think"]
        .into_iter()
        .any(|word| tag.windows(word.len()).any(|window| window == word))
}

fn role(name: &str) -> Role {
    if REASONING.contains(&name) {
        Role::Reasoning
    } else if QUOTED.contains(&name) {
        Role::Quoted
    } else if ANSWER.contains(&name) {
        Role::Answer
    } else {
        Role::Other
    }
}

/// Harmony's `<|channel|>NAME ... <|message|>`; the recipient and the content type stand between.
fn channel(text: &[u8], start: usize) -> Option<Tag> {
    let mut scan = Scan::new(text, start);
    scan.word("<|channel|>");
    scan.all(is_gap);
    let from = scan.at;
    scan.run(32, is_word);
    let name = String::from_utf8_lossy(&text[from..scan.at]).into_owned();
    scan.run(200, none("<\n"));
    let mut constrained = scan;
    if constrained.word("<|constrain|>") {
        constrained.run(32, none("<\n"));
        scan = constrained;
    }
    let role = match name.as_str() {
        "" => return None,
        "analysis" => Role::Reasoning,
        "final" => Role::Answer,
        _ => Role::Other,
    };
    scan.word("<|message|>").then(|| Tag {
        start,
        end: scan.at,
        name: format!("|{name}"),
        closes: false,
        role,
    })
}

/// Where the next mark that closes a channel starts.
fn channel_end(text: &[u8], from: usize) -> Option<usize> {
    let ends = ["<|end|>", "<|return|>", "<|call|>", "<|start|>", "<|channel|>"];
    let mut at = from;
    while let Some(found) = find_byte(text, at, text.len(), |byte| byte == b'<') {
        if Scan::new(text, found).one_word(&ends) {
            return Some(found);
        }
        at = found + 1;
    }
    None
}

/// Where each closing tag starts and ends, by its name.
fn closing_tags(text: &[u8]) -> HashMap<String, Vec<(usize, usize)>> {
    let mut places: HashMap<String, Vec<(usize, usize)>> = HashMap::new();
    let mut at = 0;
    while let Some(start) = find_byte(text, at, text.len(), |byte| matches!(byte, b'<' | b'[' | 0xe2)) {
        match closing_tag(text, start) {
            Some((name, end)) => {
                places.entry(name).or_default().push((start, end));
                at = end;
            }
            None => at = start + 1,
        }
    }
    places
}

fn closing_tag(text: &[u8], start: usize) -> Option<(String, usize)> {
    let mut scan = Scan::new(text, start);
    if scan.word("<|end_of_thought|>") {
        return Some(("begin_of_thought".to_owned(), scan.at));
    }
    match char_at(text, start)? {
        '<' => {
            scan.at += 1;
            scan.one(any("|｜"));
            if !scan.one(|each| each == '/') {
                return None;
            }
            scan.one(any("|｜"));
            let name = tag_name(&mut scan)?;
            scan.run(256, none("<>\n"));
            scan.one(|each| each == '>').then_some((name, scan.at))
        }
        '[' => ["THINK", "THOUGHT", "REASONING"].into_iter().find_map(|name| {
            let mut scan = scan;
            (scan.word("[/") && scan.word(name) && scan.word("]")).then(|| (name.to_lowercase(), scan.at))
        }),
        _ => {
            if !scan.word("◁/") {
                return None;
            }
            let from = scan.at;
            scan.run(32, is_word);
            let name = normal(&text[from..scan.at]);
            (!name.is_empty() && scan.word("▷")).then_some((name, scan.at))
        }
    }
}

// Fences.

/// Runs of one mark met so far, reading from the end of the text: their widths fall towards the last, the nearest.
#[derive(Default)]
struct Runs(Vec<(usize, usize)>);

impl Runs {
    /// Adds a run nearer than all others: those no wider than it are not needed any more.
    fn push(&mut self, width: usize, start: usize) {
        while self.0.last().is_some_and(|last| last.0 <= width) {
            self.0.pop();
        }
        self.0.push((width, start));
    }

    /// Where the nearest run at least this wide starts.
    fn nearest(&self, width: usize) -> Option<usize> {
        let wide = self.0.partition_point(|run| run.0 >= width);
        wide.checked_sub(1).map(|at| self.0[at].1)
    }
}

impl Fences {
    fn paired(text: &[u8]) -> Self {
        let mut marks = Vec::new();
        let mut at = 0;
        while let Some(start) = find_byte(text, at, text.len(), |byte| matches!(byte, b'`' | b'~')) {
            at = start + text[start..].iter().take_while(|byte| **byte == text[start]).count();
            if at - start >= 3 {
                marks.push((start, at));
            }
        }
        let mut fences = Self {
            by_start: HashMap::new(),
            line_starts: Vec::new(),
        };
        // For backticks and for tildes: runs that may close a block, and all runs.
        let mut enders = [Runs::default(), Runs::default()];
        let mut runs = [Runs::default(), Runs::default()];
        for (start, end) in marks.into_iter().rev() {
            let kind = usize::from(text[start] == b'~');
            let ends_line = rest_is_blank(text, end).is_some();
            let fence = if starts_line(text, start) {
                block(text, start, end, &enders[kind], &runs[kind]).inspect(|_| fences.line_starts.push(start))
            } else if kind == 0 && !ends_line {
                inline(text, start, end, &enders[kind], &runs[kind])
            } else {
                None
            };
            fences.by_start.extend(fence.map(|fence| (start, fence)));
            runs[kind].push(end - start, start);
            if ends_line {
                enders[kind].push(end - start, start);
            }
        }
        fences.line_starts.reverse();
        fences
    }
}

/// Does nothing but up to three spaces stand before it in its line?
fn starts_line(text: &[u8], start: usize) -> bool {
    let before = &text[start.saturating_sub(4)..start];
    let indent = before.iter().rev().take_while(|byte| **byte == b' ').count();
    indent <= 3 && (indent == start || before[before.len() - 1 - indent] == b'\n')
}

/// The position behind the line, if nothing but spaces is left of it at `at`.
fn rest_is_blank(text: &[u8], at: usize) -> Option<usize> {
    let mut scan = Scan::new(text, at);
    scan.all(any(" \t\r"));
    (scan.ends() || scan.one(|each| each == '\n')).then_some(scan.at)
}

/// The info word behind the marks, where it ends, and where what follows it starts.
fn info(text: &[u8], at: usize) -> (&[u8], usize) {
    let mut scan = Scan::new(text, at);
    scan.all(is_gap);
    let start = scan.at;
    scan.all(|each| !is_space(each) && none("`~{[")(each));
    let word = &text[start..scan.at];
    scan.all(is_gap);
    (word, scan.at)
}

/// The fence that opens a line; `None` if backticks and no value stand behind its info word.
fn block(text: &[u8], start: usize, end: usize, enders: &Runs, runs: &Runs) -> Option<Fence> {
    let (_, content) = info(text, end);
    if matches!(text.get(content), Some(b'{' | b'[')) {
        return Some(made(text, start, end, content, runs));
    }
    let mut line = Scan::new(text, content);
    line.all(none("\n`"));
    (line.ends() || line.one(|each| each == '\n')).then(|| made(text, start, end, line.at, enders))
}

/// The fence that opens inside a line: a value follows, or JSON is announced and the line ends.
fn inline(text: &[u8], start: usize, end: usize, enders: &Runs, runs: &Runs) -> Option<Fence> {
    let (word, content) = info(text, end);
    let mut value = Scan::new(text, end);
    value.run(24, |each| is_word(each) || any("+./-")(each));
    value.all(is_gap);
    if value.sees(any("[{")) {
        return Some(made(text, start, end, content, runs));
    }
    let line = rest_is_blank(text, content)?;
    let announced = !word.is_empty() && JSON_FENCES.contains(&lower(word).as_str());
    announced.then(|| made(text, start, end, line, enders))
}

fn made(text: &[u8], start: usize, end: usize, content: usize, enders: &Runs) -> Fence {
    let close = enders.nearest(end - start);
    let after = |at: usize| at + text[at..].iter().take_while(|byte| **byte == text[at]).count();
    Fence {
        start,
        content,
        end: close.map_or(text.len(), |at| at.max(content)),
        after: close.map_or(text.len(), after),
        width: end - start,
        info: lower(info(text, end).0).into(),
    }
}

fn lower(word: &[u8]) -> String {
    String::from_utf8_lossy(word).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<Landmark> {
        let mut marks = Landmarks::new(text.as_bytes());
        let (mut found, mut pos) = (Vec::new(), 0);
        while let Some(mark) = marks.next(pos) {
            pos = match &mark {
                Landmark::Fence(fence) => fence.after,
                Landmark::Tag(tag) => tag.end,
                Landmark::Bracket(each, at) => at + each.len_utf8(),
            };
            found.push(mark);
        }
        found
    }

    fn fences(text: &str) -> Vec<(String, &str)> {
        let fences = all(text).into_iter().filter_map(|mark| match mark {
            Landmark::Fence(fence) => Some((fence.info.to_string(), &text[fence.content..fence.end])),
            _ => None,
        });
        fences.collect()
    }

    fn tags(text: &str) -> Vec<(String, bool, Role)> {
        let tags = all(text).into_iter().filter_map(|mark| match mark {
            Landmark::Tag(tag) => Some((tag.name, tag.closes, tag.role)),
            _ => None,
        });
        tags.collect()
    }

    #[test]
    fn a_fence_closes_with_a_run_as_wide_at_the_end_of_a_line() {
        for (text, found) in [
            ("```JSON\n1\n```\n", vec![("json", "1\n")]),
            ("   ~~~\n1\n~~~", vec![("", "1\n")]),
            ("````\n```\n1\n````", vec![("", "```\n1\n")]),
            ("a ```{1}``` b", vec![("", "{1}")]),
            ("```json {1}``` b", vec![("json", "{1}")]),
            ("a ```json\n1\n``` b\n```", vec![("json", "1\n``` b\n")]),
            ("a ```py\n1\n```", vec![("", "")]),
            ("```a`b\n1", vec![]),
            ("``{1}``", vec![]),
            ("```x\n1", vec![("x", "1")]),
        ] {
            let found: Vec<_> = found.into_iter().map(|(info, text)| (info.to_owned(), text)).collect();
            assert_eq!(fences(text), found, "{text}");
        }
    }

    #[test]
    fn tags_have_names_and_roles() {
        for (text, name, closes, role) in [
            ("<Think>", "think", false, Role::Reasoning),
            ("</final-answer>", "final_answer", true, Role::Answer),
            ("<｜tool▁call｜>", "tool▁call", false, Role::Other),
            ("[THINK]", "think", false, Role::Reasoning),
            ("◁/think▷", "think", true, Role::Reasoning),
            ("<|end_of_thought|>", "begin_of_thought", true, Role::Reasoning),
            ("<details class=reasoning>", "thinking", false, Role::Reasoning),
            ("<details>", "details", false, Role::Other),
            ("`<think>`", "think", false, Role::Other),
            ("<think>\"", "think", false, Role::Reasoning),
            ("<schema a=\"b\">", "schema", false, Role::Quoted),
            (
                "<|channel|>analysis to=x<|message|>",
                "|analysis",
                false,
                Role::Reasoning,
            ),
            (
                "<|channel|>final <|constrain|>json<|message|>",
                "|final",
                false,
                Role::Answer,
            ),
        ] {
            assert_eq!(tags(text), [(name.to_owned(), closes, role)], "{text}");
        }
        for text in ["<a\n>", "< a>", "<1>", "[Ab]", "[AB]", "◁▷", "<|channel|>final"] {
            assert_eq!(tags(text), [], "{text}");
        }
    }

    #[test]
    fn an_opening_tag_closes_with_the_next_of_its_name() {
        for (text, place) in [
            ("<think>a</b></think>c</think>", Some((12, 20))),
            ("<details x=think>a</details>", Some((18, 28))),
            ("[THOUGHT]a[/THOUGHT]", Some((10, 20))),
            ("<|channel|>final<|message|>a<|end|>", Some((28, 28))),
            ("</think><think>a</think>", Some((16, 24))),
            ("<think>a", None),
        ] {
            let mut marks = Landmarks::new(text.as_bytes());
            let opening = all(text).into_iter().find_map(|mark| match mark {
                Landmark::Tag(tag) if !tag.closes => Some(tag),
                _ => None,
            });
            assert_eq!(marks.closing(&opening.unwrap()), place, "{text}");
        }
    }
}
