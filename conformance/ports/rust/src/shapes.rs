//! What stands round and at the start of a value: the terms of the rules, each as a question to a text.
//!
//! None takes more than linear time: what is not bounded ends where no other answer can start.

use crate::scan::{
    any, back, back_over, char_at, char_before, count, is_all, is_any_digit, is_blank, is_gap, is_json_space,
    is_letter, is_near, is_space, is_word, none, starts_word, Scan, FEW,
};
use crate::value::{Event, Value};

pub(crate) const OPEN_QUOTES: &str = "\"'`“”„‟«‘‚’＂＇「『";
pub(crate) const CLOSE_QUOTES: &str = "\"'`“”‟»‘’＂＇」』";
/// Opening quotes that never close.
const ONLY_OPENING: &str = "„«‚「『";
const LITERALS: [&str; 6] = ["true", "false", "null", "None", "True", "False"];

// Space, comments and colons.

/// Space between tokens, generously: also zero-width, and a spelt-out `\n`.
fn space(scan: &mut Scan<'_>, most: usize) -> usize {
    let mut count = 0;
    while count < most && (scan.one(is_loose_space) || scan.one_word(&["\\n", "\\r", "\\t"])) {
        count += 1;
    }
    count
}

fn is_loose_space(each: char) -> bool {
    is_space(each) || matches!(each, '\u{feff}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{2581}')
}

/// Space and up to four comments.
fn skip(scan: &mut Scan<'_>) {
    space(scan, FEW);
    for _ in 0..4 {
        let mut comment = *scan;
        if !(line_comment(&mut comment) || block_comment(&mut comment)) {
            return;
        }
        space(&mut comment, FEW);
        *scan = comment;
    }
}

fn line_comment(scan: &mut Scan<'_>) -> bool {
    let start = *scan;
    if scan.one_word(&["//", "#"]) {
        scan.run(160, none("\n"));
        if scan.one(|each| each == '\n') {
            return true;
        }
    }
    *scan = start;
    false
}

fn block_comment(scan: &mut Scan<'_>) -> bool {
    let start = *scan;
    if scan.word("/*") {
        scan.run(160, none("*"));
        if scan.word("*/") {
            return true;
        }
    }
    *scan = start;
    false
}

/// A colon, or what stands for one.
fn colon(scan: &mut Scan<'_>) -> bool {
    space(scan, 64);
    if scan.run(2, |each| each == '*') > 0 {
        space(scan, 64);
    }
    scan.word("=>") || scan.one(any(":：="))
}

// The start of an object.

/// What stands behind an opening brace, where that opens an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    /// `}`
    Empty,
    /// A name in quotes of any kind, and a colon.
    Quoted,
    /// A bare name and a colon. Does its value start like one of JSON's?
    Bare { value: bool },
}

/// The position behind a run of braces.
pub(crate) fn behind_braces(text: &[u8], at: usize) -> usize {
    let mut scan = Scan::new(text, at);
    while scan.one(any("{｛")) {
        space(&mut scan, 64);
    }
    scan.at
}

/// Does an object with a first name as JSON writes it start here?
pub(crate) fn starts_strictly(text: &[u8], at: usize) -> bool {
    let mut scan = Scan::new(text, at);
    if !scan.one(|each| each == '{') {
        return false;
    }
    scan.all(is_json_space);
    if !scan.one(|each| each == '"') {
        return false;
    }
    scan.all(none("\"\\\n"));
    while scan.one(|each| each == '\\') && scan.one(none("\n")) {
        scan.all(none("\"\\\n"));
    }
    if !scan.one(|each| each == '"') {
        return false;
    }
    scan.all(is_json_space);
    scan.sees(|each| each == ':')
}

/// What stands behind the opening brace before `at`; `None` where that opens no object.
pub(crate) fn key(text: &[u8], at: usize) -> Option<Key> {
    let mut scan = Scan::new(text, at);
    skip(&mut scan);
    if scan.sees(|each| each == '}') {
        return Some(Key::Empty);
    }
    for _ in 0..2 {
        if scan.one_word(&["...", "…", ","]) {
            skip(&mut scan);
        }
    }
    scan.run(2, |each| each == '*');
    if is_quoted_name(scan) || is_half_quoted_name(scan) {
        return Some(Key::Quoted);
    }
    if !scan.one(|each| is_word(each) || any("$@")(each)) {
        return None;
    }
    scan.run(63, |each| is_word(each) || any("$@.- ")(each));
    scan.one(any("\"'”’"));
    colon(&mut scan).then(|| Key::Bare {
        value: is_plain_value(scan),
    })
}

/// A name between quotes of any kind, escaped or doubled ones too, and a colon.
fn is_quoted_name(mut scan: Scan<'_>) -> bool {
    scan.run(4, |each| each == '\\');
    if !scan.one(any(OPEN_QUOTES)) {
        return false;
    }
    let single = scan;
    (scan.one(any(OPEN_QUOTES)) && closes_name(scan)) || closes_name(single)
}

/// Does the name that goes on here end with a quote and a colon? Escapes and apostrophes inside it may be part of it.
fn closes_name(mut scan: Scan<'_>) -> bool {
    for _ in 0..=16 {
        scan.all(|each| !CLOSE_QUOTES.contains(each) && !ONLY_OPENING.contains(each) && !any("\\\n")(each));
        let mut end = scan;
        end.run(4, |each| each == '\\');
        if end.run(2, any(CLOSE_QUOTES)) > 0 && colon(&mut end) {
            return true;
        }
        let is_apostrophe = scan.sees(any("'’")) && char_before(scan.text, scan.at).is_some_and(is_word);
        if is_apostrophe {
            scan.run(1, |_| true);
            if !scan.sees(is_word) {
                return false;
            }
        } else if !scan.one(any(ONLY_OPENING)) {
            let is_escape = scan.one(|each| each == '\\') && scan.one(none("\n"));
            if !is_escape {
                return false;
            }
        }
    }
    false
}

/// A name that lacks its closing quote, directly before its colon.
fn is_half_quoted_name(mut scan: Scan<'_>) -> bool {
    scan.one(any("\"'“")) && scan.run(80, none("\"'“”\n:{}")) > 0 && scan.sees(|each| each == ':')
}

/// Does what starts like a JSON value stand here?
fn is_plain_value(mut scan: Scan<'_>) -> bool {
    skip(&mut scan);
    if scan.sees(any("\"'“‘„`{[")) || literal(scan, &LITERALS) || literal(scan, &["NaN", "undefined"]) {
        return true;
    }
    scan.one(any("-+"));
    if scan.run(usize::MAX, |each| is_any_digit(each) || each == '.') == 0 {
        return false;
    }
    scan.run(16, is_word);
    let from = scan.at;
    space(&mut scan, 64);
    scan.sees(any(",}\n")) || scan.text[from..scan.at].contains(&b'\n')
}

/// One of these words, whole.
fn literal(scan: Scan<'_>, words: &[&str]) -> bool {
    let whole = |word: &&str| {
        let mut scan = scan;
        scan.word(word) && scan.ends_word()
    };
    words.iter().any(whole)
}

/// Does a first name start here that the end of the text cuts off, or nothing?
pub(crate) fn is_cut_key(text: &[u8], at: usize) -> bool {
    let mut scan = Scan::new(text, at);
    skip(&mut scan);
    if is_cut_string(scan) {
        return true;
    }
    if scan.one(any(OPEN_QUOTES)) {
        scan.run(FEW, |each| !CLOSE_QUOTES.contains(each) && !any("\n}]")(each));
        scan.one(any(CLOSE_QUOTES));
        space(&mut scan, 64);
    }
    scan.ends()
}

/// Does a short string start here, as JSON writes it, behind which or in which the text ends?
fn is_cut_string(mut scan: Scan<'_>) -> bool {
    if !scan.one(|each| each == '"') {
        return false;
    }
    for _ in 0..FEW {
        if scan.one(|each| each == '\\') {
            scan.one(none("\n"));
        } else if !scan.one(none("\"\n}]")) {
            break;
        }
    }
    scan.one(|each| each == '"');
    space(&mut scan, 64);
    scan.ends()
}

/// Does a member start here, as JSON writes it?
pub(crate) fn is_member(text: &[u8], at: usize) -> bool {
    let mut scan = Scan::new(text, at);
    let is_name = scan.one(|each| each == '"')
        && (1..=64).contains(&scan.run(65, none("\"\\\n")))
        && scan.one(|each| each == '"');
    scan.run(8, is_space);
    if !is_name || !scan.one(|each| each == ':') {
        return false;
    }
    scan.run(8, is_space);
    scan.sees(|each| is_any_digit(each) || any("\"{[-tfn")(each))
}

// The start of an array.

/// Does an element or the closer stand behind the opening bracket before `at`?
pub(crate) fn is_element(text: &[u8], at: usize) -> bool {
    behind_skip(text, at).into_iter().any(|scan| {
        let mut negative = scan;
        scan.ends()
            || scan.sees(|each| is_any_digit(each) || any("{[\"'“‘„]")(each))
            || (negative.one(|each| each == '-') && negative.sees(is_any_digit))
            || literal(scan, &LITERALS)
            || literal(scan, &["NaN"])
    })
}

/// Does a parenthesis stand there, perhaps with a name before it?
pub(crate) fn is_call(text: &[u8], at: usize) -> bool {
    let mut scan = Scan::new(text, at);
    scan.all(is_json_space);
    scan.run(64, |each| is_word(each) || each == '.');
    scan.sees(|each| each == '(')
}

/// Does a bracket or quote stand there?
pub(crate) fn is_inline_element(text: &[u8], at: usize) -> bool {
    behind_skip(text, at).into_iter().any(|scan| scan.sees(any("{[\"'")))
}

/// Behind space and comments, and behind any amount of JSON's own space.
fn behind_skip(text: &[u8], at: usize) -> [Scan<'_>; 2] {
    let (mut loose, mut plain) = (Scan::new(text, at), Scan::new(text, at));
    skip(&mut loose);
    plain.all(is_json_space);
    [loose, plain]
}

/// Is this array nothing but digits, commas and dashes?
pub(crate) fn is_citation(array: &[u8]) -> bool {
    let inner = array.strip_prefix(b"[").and_then(|rest| rest.strip_suffix(b"]"));
    inner.is_some_and(|inner| {
        is_all(inner, 0, inner.len(), |each| {
            is_space(each) || is_any_digit(each) || any(",;–-")(each)
        })
    })
}

/// Does a comma stand before the closing parenthesis?
pub(crate) fn is_comma_last(tuple: &[u8]) -> bool {
    let inside = tuple.strip_suffix(b")").unwrap_or_default();
    inside[..back_over(inside, 0, inside.len(), usize::MAX, is_space)].ends_with(b",")
}

/// Does a closing tag stand here, and behind it in its line something other than a tag?
pub(crate) fn is_closed_in_line(text: &[u8], at: usize) -> bool {
    let mut scan = Scan::new(text, at);
    scan.all(any(" \t"));
    if !scan.word("</") {
        return false;
    }
    scan.run(64, none("<>\n"));
    if !scan.one(|each| each == '>') {
        return false;
    }
    scan.all(any(" \t"));
    scan.sees(|each| each != '<' && !is_space(each))
}

// The line before and behind.

/// Is this, what stands before a value in its line, a list mark or remark at most?
pub(crate) fn is_line_head(head: &[u8]) -> bool {
    let mut scan = Scan::new(head, 0);
    scan.all(|each| is_space(each) || is_blank(each));
    list_mark(&mut scan, "-*•>");
    scan.all(is_gap);
    remark(&mut scan);
    scan.ends()
}

fn list_mark(scan: &mut Scan<'_>, marks: &'static str) -> bool {
    let mut number = *scan;
    if number.run(3, is_any_digit) > 0 && number.one(any(".)")) {
        *scan = number;
        return true;
    }
    scan.one(any(marks))
}

fn remark(scan: &mut Scan<'_>) {
    if block_comment(scan) {
        scan.run(64, is_space);
    }
}

/// Does the line end at `at`, or something follow that ends a value's? Closers too many may stand before that.
pub(crate) fn is_line_end(text: &[u8], at: usize) -> bool {
    let mut at = at;
    for _ in 0..8 {
        let mut scan = Scan::new(text, at);
        scan.all(any(" \t\r"));
        if !scan.one(any("}]")) {
            break;
        }
        at = scan.at;
    }
    is_bare_line_end(text, at)
}

/// The same without closers.
pub(crate) fn is_bare_line_end(text: &[u8], at: usize) -> bool {
    let mut scan = Scan::new(text, at);
    scan.all(any(" \t\r"));
    if scan.one(any(";,.")) {
        scan.all(any(" \t\r"));
    }
    let mut end = scan;
    end.one(|each| each == ')');
    end.one(|each| each == ';');
    end.run(8, is_space);
    end.ends() || scan.sees(any("\n`{[")) || scan.one_word(&["</", "<|", "<｜"])
}

/// Do words stand behind `at` in its line?
pub(crate) fn goes_on(text: &[u8], at: usize) -> bool {
    let mut scan = Scan::new(text, at);
    scan.run(8, any(")]\"'’”`*_.,;!?"));
    scan.run(64, is_gap) > 0 && scan.sees(is_letter)
}

/// The marks of a fence right behind `at`, a few blanks aside: how many, and where they end.
pub(crate) fn fence_end(text: &[u8], at: usize) -> Option<(usize, usize)> {
    let mut scan = Scan::new(text, at);
    scan.run(FEW, is_space);
    let mark = scan.peek().filter(|each| any("`~")(*each))?;
    let width = scan.run(usize::MAX, |each| each == mark);
    (width >= 3).then_some((width, scan.at))
}

/// Where the opening of a fence starts that ends before `at`, not before `least`.
pub(crate) fn fence_opening(text: &[u8], least: usize, at: usize) -> Option<usize> {
    let info = back_over(text, least, at, FEW, is_space);
    let marks = back_over(text, least, info, 64, |each| is_word(each) || any("+./-")(each));
    let mark = char_before(text, marks).filter(|each| any("`~")(*each))?;
    let start = back_over(text, least, marks, usize::MAX, |each| each == mark);
    (marks - start >= 3).then_some(start)
}

/// Does a closing tag follow, or nothing?
pub(crate) fn is_tag_end(text: &[u8], at: usize) -> bool {
    let mut scan = Scan::new(text, at);
    scan.run(FEW, is_space);
    scan.ends() || scan.one_word(&["</", "<|/", "<｜/"])
}

/// Does what looks like a tag end before `at`, a few blanks aside?
pub(crate) fn is_behind_tag(text: &[u8], at: usize) -> bool {
    let least = back(text, at, FEW);
    let end = back_over(text, least, at, FEW, is_space);
    char_before(text, end) == Some('>')
        && end > least + 1
        && char_before(text, end - 1).is_some_and(|each| is_word(each) || any("\"'|｜/▁")(each))
}

/// What announces a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Introduction {
    Mark,
    Word,
}

/// What announces the value at `at`: a mark, or a word, blanks and quotes aside.
pub(crate) fn introduction(text: &[u8], at: usize) -> Option<Introduction> {
    let end = back_over(text, 0, at, 8, any(" \t\"'`*"));
    if char_before(text, end).is_some_and(any(":=>：→")) {
        return Some(Introduction::Mark);
    }
    let is_word_before = |word: &&str| {
        text[..end].ends_with(word.as_bytes()) && !char_before(text, end - word.len()).is_some_and(is_word)
    };
    ["return", "is", "are"]
        .iter()
        .any(is_word_before)
        .then_some(Introduction::Word)
}

/// Is the value at `at` the argument of a call that is the whole text?
pub(crate) fn is_argument(text: &[u8], at: usize) -> bool {
    if !is_near(text, 0, at, 128) {
        return false;
    }
    let mut head = Scan::new(&text[..at], 0);
    head.all(is_blank);
    remark(&mut head);
    let has_name = head.run(64, |each| is_word(each) || any("$.")(each)) > 0;
    head.run(8, is_space);
    let is_call = has_name && head.one(|each| each == '(');
    head.all(is_space);
    if !is_call || !head.ends() {
        return false;
    }
    let least = back(text, text.len(), 64).max(at);
    let mut end = back_over(text, least, text.len(), 8, is_space);
    if end > least && text[end - 1] == b';' {
        end -= 1;
    }
    end = back_over(text, least, end, 8, is_space);
    end > least && text[end - 1] == b')'
}

/// Is what stands in the range nothing, or what assigns the value behind it?
pub(crate) fn is_assignment(text: &[u8], from: usize, to: usize) -> bool {
    const WORDS: [&str; 7] = ["export", "default", "module.exports", "const", "let", "var", "return"];
    let mut scan = Scan::new(&text[..to], from);
    scan.run(FEW, is_space);
    let mut starts = vec![scan];
    for _ in 0..3 {
        if !(scan.one_word(&WORDS) && scan.run(8, is_space) > 0) {
            break;
        }
        starts.push(scan);
    }
    starts.into_iter().any(|start| {
        let mut name = start;
        is_rest_space(start) || (assigned_name(&mut name) && is_rest_space(name))
    })
}

fn assigned_name(scan: &mut Scan<'_>) -> bool {
    if scan.run(64, |each| is_word(each) || any("$.")(each)) == 0 {
        return false;
    }
    scan.run(8, is_space);
    if scan.one(|each| each == ':') {
        scan.run(8, is_space);
        if scan.run(64, |each| is_word(each) || any("[], .")(each)) == 0 {
            return false;
        }
    }
    scan.one(|each| each == '=')
}

fn is_rest_space(mut scan: Scan<'_>) -> bool {
    scan.run(64, is_space);
    scan.ends()
}

/// Does nothing but space and a semicolon stand in the range?
pub(crate) fn is_statement_end(text: &[u8], from: usize, to: usize) -> bool {
    let mut scan = Scan::new(&text[..to], from);
    scan.all(is_space);
    scan.one(|each| each == ';');
    scan.all(is_space);
    scan.ends()
}

/// Does a comma and another member follow the object that ends at `at`? Behind the comma may stand marks of lines that are
/// quoted or listed.
pub(crate) fn is_premature(text: &[u8], at: usize) -> bool {
    let mut scan = Scan::new(text, at);
    scan.run(FEW, is_space);
    if !scan.one(|each| each == ',') {
        return false;
    }
    scan.run(FEW, |each| is_space(each) || any(">+|*-")(each));
    if !scan.one(|each| each == '"') {
        return false;
    }
    scan.run(64, none("\"\\\n"));
    if !scan.one(|each| each == '"') {
        return false;
    }
    let blanks = scan.run(8, is_space);
    scan.sees(|each| each == ':' || (each == '"' && blanks > 0))
}

/// Do a quote and then a closer follow in the line, before any opening bracket?
pub(crate) fn do_closers_follow(text: &[u8], at: usize) -> bool {
    let mut scan = Scan::new(text, at);
    for _ in 0..=FEW {
        let mut closer = scan;
        if closer.one(any("\"'")) {
            closer.run(64, is_gap);
            if closer.sees(any("}]")) {
                return true;
            }
        }
        if !scan.one(none("\n{[")) {
            return false;
        }
    }
    false
}

/// Does a comma or closer follow?
pub(crate) fn does_part_follow(text: &[u8], at: usize) -> bool {
    let mut scan = Scan::new(text, at);
    scan.run(FEW, is_space);
    scan.sees(any(",}]"))
}

/// Does a closer follow, perhaps an escaped one?
pub(crate) fn does_closer_follow(text: &[u8], at: usize) -> bool {
    closer(text, at).sees(any("}]"))
}

fn closer(text: &[u8], at: usize) -> Scan<'_> {
    let mut scan = Scan::new(text, at);
    scan.run(FEW, is_space);
    scan.one(|each| each == '\\');
    scan
}

/// Do closers follow, and behind them a comma, a name in quotes and a colon?
pub(crate) fn does_member_follow_closers(text: &[u8], at: usize) -> bool {
    let mut scan = closer(text, at);
    if !scan.one(any("}]")) {
        return false;
    }
    scan.run(FEW, |each| is_space(each) || any("}]")(each));
    if !scan.one(|each| each == ',') {
        return false;
    }
    scan.run(FEW, is_space);
    if !scan.one(|each| each == '"') {
        return false;
    }
    scan.run(64, none("\"\\\n"));
    if !scan.one(|each| each == '"') {
        return false;
    }
    scan.run(8, is_space);
    scan.sees(|each| each == ':')
}

/// Do only a comma, blanks and a remark stand between the end of a value and the start of another?
pub(crate) fn is_comma_between(text: &[u8], end: usize, start: usize) -> bool {
    end <= start && is_near(text, end, start, FEW + 1) && joint(&text[end..start]) == Some(Joint::Comma)
}

/// Does a name or a comma stand before a value?
pub(crate) fn is_named_or_listed(text: &[u8], start: usize) -> bool {
    // In a slice, so that nothing before it is looked at.
    let head = &text[back(text, start, FEW)..start];
    let at = back_over(head, 0, head.len(), 64, is_space);
    if is_behind(head, at, ",(") || is_behind(head, back_over(head, 0, at, 64, is_space), CLOSE_QUOTES) {
        return true;
    }
    let Some(sign) = ["->", "=>", ":", "="]
        .iter()
        .find(|sign| head[..at].ends_with(sign.as_bytes()))
    else {
        return false;
    };
    let end = at - sign.len();
    is_behind(head, back_over(head, 0, end, 64, is_space), CLOSE_QUOTES)
        || (*sign == ":" && is_behind_bare_name(head, end))
}

/// Does a name without quotes end at `at` that is the first in its brackets or stands behind a comma?
fn is_behind_bare_name(head: &[u8], at: usize) -> bool {
    let end = back_over(head, 0, at, 8, is_space);
    let name = back_over(head, 0, end, 64, |each| is_word(each) || any("$@.-")(each));
    name < end && is_behind(head, back_over(head, 0, name, 64, is_space), "{,(")
}

/// Does one of these end at `at`?
fn is_behind(text: &[u8], at: usize, of: &'static str) -> bool {
    char_before(text, at).is_some_and(any(of))
}

/// Is a blank line all that stands between `at` and what was before it?
pub(crate) fn is_behind_blank_line(text: &[u8], least: usize, at: usize) -> bool {
    let start = back_over(text, least, at, usize::MAX, is_space);
    blank_line(text, start, at).is_some()
}

/// Where the first blank line in the range starts: the LF before it.
pub(crate) fn blank_line(text: &[u8], from: usize, to: usize) -> Option<usize> {
    let mut scan = Scan::new(&text[..to], from);
    loop {
        scan.all(none("\n"));
        let start = scan.at;
        if !scan.one(|each| each == '\n') {
            return None;
        }
        scan.all(any(" \t\r"));
        if scan.sees(|each| each == '\n') {
            return Some(start);
        }
    }
}

// Values side by side.

/// What joins two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Joint {
    Comma,
    Glue,
    Line,
}

/// What joins two values with this between them.
pub(crate) fn joint(gap: &[u8]) -> Option<Joint> {
    if is_all(gap, 0, gap.len(), is_gap) {
        return Some(Joint::Glue);
    }
    let mut scan = Scan::new(gap, 0);
    scan.all(is_space);
    if scan.one(|each| each == ',') {
        scan.all(is_space);
        remark(&mut scan);
        if scan.ends() {
            return Some(Joint::Comma);
        }
    }
    scan = Scan::new(gap, 0);
    scan.all(any(" \t\r"));
    if !scan.one(|each| each == '\n') {
        return None;
    }
    let mut remarked = scan;
    remarked.all(is_space);
    if block_comment(&mut remarked) {
        remarked.run(64, is_space);
        if remarked.ends() {
            return Some(Joint::Line);
        }
    }
    scan.all(is_gap);
    if list_mark(&mut scan, "-*•") && scan.run(usize::MAX, is_gap) == 0 {
        return None;
    }
    scan.ends().then_some(Joint::Line)
}

/// What stands at a place between two joined values.
pub(crate) enum Gap {
    /// JSON's white space.
    Space,
    Comma,
    /// What must go; the code of the edit.
    Surplus(&'static str),
}

/// What stands at `at` in a gap that [`joint`] takes, and where it ends.
pub(crate) fn part_of_gap(gap: &[u8], at: usize) -> (Gap, usize) {
    let mut scan = Scan::new(gap, at);
    let part = if scan.run(usize::MAX, is_json_space) > 0 {
        Gap::Space
    } else if scan.one(|each| each == ',') {
        Gap::Comma
    } else if block_comment(&mut scan) {
        Gap::Surplus("comment")
    } else if list_mark(&mut scan, "-*•") {
        Gap::Surplus("list-marker")
    } else {
        scan.all(|each| is_space(each) && !is_json_space(each));
        Gap::Surplus("odd-space")
    };
    (part, scan.at)
}

// Scalars.

/// Does the text from `at` on start like a scalar?
pub(crate) fn starts_like_scalar(text: &[u8], at: usize) -> bool {
    let scan = Scan::new(text, at);
    let mut quote = scan;
    quote.run(4, |each| each == '\\');
    if !text[at..].starts_with(b"```") && quote.sees(any(OPEN_QUOTES)) {
        return true;
    }
    let mut number = scan;
    number.one(any("-+."));
    if number.sees(|each| is_any_digit(each) || each == '.') || scan.sees(|each| is_any_digit(each) || any(".(")(each))
    {
        return true;
    }
    ["-", "NaN", "Infinity"].iter().chain(&LITERALS).any(|word| {
        let mut rest = scan;
        rest.word(word) && is_all(text, rest.at, text.len(), is_space)
    })
}

/// Does the text from `at` on start with a call?
pub(crate) fn starts_with_call(text: &[u8], at: usize) -> bool {
    let mut scan = Scan::new(text, at);
    scan.run(64, |each| is_word(each) || any("$.")(each)) > 0 && scan.sees(|each| each == '(')
}

/// Is it a number that ends with its point?
pub(crate) fn is_lone_number(text: &[u8], at: usize) -> bool {
    let mut scan = Scan::new(text, at);
    scan.one(any("-+"));
    let is_number = (1..=64).contains(&scan.run(65, is_any_digit)) && scan.word(".");
    scan.run(64, is_space);
    is_number && scan.ends()
}

/// Is this one line of words that is no sentence, lines of one word each, or a pattern between slashes?
pub(crate) fn is_phrase(line: &[u8]) -> bool {
    let end = back_over(line, 0, line.len(), usize::MAX, is_space);
    let is_sentence = char_before(line, end).is_some_and(any(".!?:…。"));
    (!is_sentence && (is_words(line) || is_listed_words(line))) || is_pattern(line)
}

fn is_words(line: &[u8]) -> bool {
    let mut scan = Scan::new(line, 0);
    scan.word("[");
    let mut has_letter = false;
    while let Some(here) = scan.peek().filter(|each| none("{}[]<>`\n")(*each)) {
        has_letter |= here != '_' && is_word(here);
        scan.one(|_| true);
    }
    has_letter && scan.ends()
}

fn is_listed_words(lines: &[u8]) -> bool {
    let is_word =
        |line: &[u8]| !line.is_empty() && is_all(line, 0, line.len(), |each| is_word(each) || any(".-")(each));
    lines.contains(&b'\n') && lines.split(|byte| *byte == b'\n').all(is_word)
}

fn is_pattern(line: &[u8]) -> bool {
    let end = back_over(line, 0, line.len(), 8, |each| each.is_ascii_lowercase());
    end > 2 && line[0] == b'/' && line[end - 1] == b'/' && !line.contains(&b'\n')
}

/// Is it several words, a colon and more words?
pub(crate) fn is_saying(line: &[u8]) -> bool {
    let word = |scan: &mut Scan<'_>| {
        let is_word_here = scan.one(starts_word);
        scan.all(is_word);
        scan.word(",");
        is_word_here
    };
    let mut scan = Scan::new(line, 0);
    if !word(&mut scan) {
        return false;
    }
    let mut more = 0;
    loop {
        let mut next = scan;
        if more == 16 || !(next.word(" ") && word(&mut next)) {
            break;
        }
        scan = next;
        more += 1;
    }
    more > 0 && scan.word(": ") && scan.run(usize::MAX, none("{}[]<>`\n\"")) > 0 && scan.ends()
}

// Schemas and templates.

const SCHEMA_WORDS: [&str; 11] = [
    "type",
    "$ref",
    "anyOf",
    "oneOf",
    "allOf",
    "enum",
    "const",
    "description",
    "title",
    "items",
    "properties",
];
const TYPES: [&str; 23] = [
    "string",
    "str",
    "text",
    "number",
    "num",
    "int",
    "integer",
    "float",
    "double",
    "decimal",
    "bool",
    "boolean",
    "null",
    "any",
    "array",
    "list",
    "object",
    "dict",
    "date",
    "datetime",
    "timestamp",
    "url",
    "uuid",
];

fn word_ignoring_case(scan: &mut Scan<'_>, word: &str) -> bool {
    let end = scan.at + word.len();
    let found = scan
        .text
        .get(scan.at..end)
        .is_some_and(|here| here.eq_ignore_ascii_case(word.as_bytes()));
    scan.at = if found { end } else { scan.at };
    found
}

/// Does it describe a value, as a property of a schema does?
pub(crate) fn is_described(value: &Value) -> bool {
    SCHEMA_WORDS.iter().any(|word| value.get(*word).is_some())
}

/// Is every string in it a placeholder, and one of them not empty?
pub(crate) fn is_template(value: &Value) -> bool {
    stands_for_others(value, is_placeholder)
}

/// Does each do nothing but stand for another?
pub(crate) fn is_blank_to_fill(value: &Value) -> bool {
    stands_for_others(value, is_ellipsis)
}

fn stands_for_others(value: &Value, stands: fn(Scan<'_>) -> bool) -> bool {
    let mut some = false;
    for event in value.events() {
        if let Event::String(text) = event {
            let text = text.as_bytes();
            if !text.is_empty() && (count(text) > FEW || !stands(stripped(text))) {
                return false;
            }
            some |= !text.is_empty();
        }
    }
    some
}

/// The text without white space around it.
fn stripped(text: &[u8]) -> Scan<'_> {
    let mut scan = Scan::new(text, 0);
    scan.all(is_space);
    Scan::new(
        &text[..back_over(text, scan.at, text.len(), usize::MAX, is_space)],
        scan.at,
    )
}

/// Is it an ellipsis, or a name in angle brackets?
fn is_ellipsis(scan: Scan<'_>) -> bool {
    [b"...".as_slice(), "…".as_bytes()].contains(&&scan.text[scan.at..]) || is_enclosed(scan, "<", "<>")
}

/// Is this string no value but says what kind of value belongs there?
fn is_placeholder(scan: Scan<'_>) -> bool {
    is_ellipsis(scan)
        || is_enclosed(scan, "{", "{}")
        || is_enclosed(scan, "[", "[]")
        || is_instruction(scan)
        || is_type(scan)
        || is_choice(scan)
}

/// Is it text between these two brackets, with neither inside?
fn is_enclosed(mut scan: Scan<'_>, open: &str, pair: &'static str) -> bool {
    scan.word(open) && (1..=200).contains(&scan.run(201, none(pair))) && scan.word(&pair[1..]) && scan.ends()
}

/// Is it a phrase like `your name` or `the name of it`?
fn is_instruction(mut scan: Scan<'_>) -> bool {
    if scan.one_word(&["Your ", "your "]) {
        scan.run(200, none("\n"));
    } else if scan.one_word(&["The ", "the ", "A ", "a ", "An ", "an ", "Some ", "some "]) {
        let is_small = |each: char| !each.is_ascii_uppercase();
        if scan.run(200, |each| is_small(each) && !is_space(each)) == 0 || !scan.word(" ") {
            return false;
        }
        scan.run(200, |each| is_small(each) && each != '\n');
    } else {
        return false;
    }
    scan.ends() && !is_sentence(scan.text)
}

/// Does it end as a sentence does?
fn is_sentence(text: &[u8]) -> bool {
    text.ends_with(b"!") || text.ends_with(b"?") || (text.ends_with(b".") && !text.ends_with(b".."))
}

/// Is it the name of a type?
fn is_type(scan: Scan<'_>) -> bool {
    TYPES.iter().any(|name| {
        let mut scan = scan;
        if !word_ignoring_case(&mut scan, name) {
            return false;
        }
        scan.one_word(&["[]", "?"]);
        let mut remark = scan;
        remark.all(is_space);
        if remark.one(|each| each == '(') {
            remark.run(200, none("()"));
            if remark.one(|each| each == ')') {
                scan = remark;
            }
        }
        scan.ends()
    })
}

/// Is it words apart by `|`?
fn is_choice(mut scan: Scan<'_>) -> bool {
    let word = |scan: &mut Scan<'_>| (1..=40).contains(&scan.run(41, is_word));
    let mut others = 0;
    if !word(&mut scan) {
        return false;
    }
    while !scan.ends() {
        scan.all(is_space);
        if !scan.one(|each| each == '|') {
            return false;
        }
        scan.all(is_space);
        if !word(&mut scan) {
            return false;
        }
        others += 1;
    }
    (1..=40).contains(&others)
}

/// Is the character before `at` one that makes a bracket a subscript, or one of these?
pub(crate) fn is_glued(text: &[u8], at: usize, others: &'static str) -> bool {
    char_before(text, at).is_some_and(|each| each.is_alphanumeric() || any(others)(each))
}

/// Does the text at `at` go on with a character of a word?
pub(crate) fn is_alphanumeric_at(text: &[u8], at: usize) -> bool {
    char_at(text, at).is_some_and(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_brace_opens_an_object_before_a_name_and_a_colon() {
        for (text, found) in [
            ("}", Some(Key::Empty)),
            (" // c\n }", Some(Key::Empty)),
            ("\"a\": 1", Some(Key::Quoted)),
            ("\"\": 1", Some(Key::Quoted)),
            ("\"\"a\"\": 1", Some(Key::Quoted)),
            (r#"\"a\": 1"#, Some(Key::Quoted)),
            ("'it's': 1", Some(Key::Quoted)),
            ("\"a: 1", Some(Key::Quoted)),
            ("..., **\"a\"**: 1", Some(Key::Quoted)),
            (r"\n 'a' => 1", Some(Key::Quoted)),
            ("a: 1}", Some(Key::Bare { value: true })),
            ("a b-c: x", Some(Key::Bare { value: false })),
            ("a: 1 x", Some(Key::Bare { value: false })),
            ("a: nullx", Some(Key::Bare { value: false })),
            ("x", None),
            ("\"a\", 1", None),
            ("(a): 1", None),
        ] {
            assert_eq!(key(text.as_bytes(), 0), found, "{text}");
        }
    }

    #[test]
    fn assignments_are_told_from_other_code() {
        for (text, is) in [
            ("", true),
            ("const x = ", true),
            ("export default ", true),
            ("module.exports = ", true),
            ("x: list[int] =\n", true),
            ("return = ", true),
            ("print(", false),
            ("x = f", false),
        ] {
            assert_eq!(is_assignment(text.as_bytes(), 0, text.len()), is, "{text}");
        }
    }

    #[test]
    fn placeholders_are_told_from_text() {
        for text in [
            " ... ",
            "<name>",
            "{name}",
            "Your Name",
            "The name of it",
            "an idea ...",
            "string",
            "int[]",
            "number (1 to 5)",
            "a | b|c",
        ] {
            assert!(is_placeholder(stripped(text.as_bytes())), "{text}");
        }
        for text in [
            "A",
            "the weather",
            "The Great Escape",
            "Your order has shipped.",
            "Al",
            "<a><b>",
            "yours",
            "strings",
            "x |",
            "| a",
        ] {
            assert!(!is_placeholder(stripped(text.as_bytes())), "{text}");
        }
    }

    #[test]
    fn values_are_joined_by_commas_lines_or_nothing() {
        for (gap, found) in [
            ("", Some(Joint::Glue)),
            (" \t", Some(Joint::Glue)),
            ("\n , ", Some(Joint::Comma)),
            ("\r\n ", Some(Joint::Line)),
            ("\n 1. ", Some(Joint::Line)),
            ("\n-", None),
            ("\n\n", None),
            (",,", None),
            (" x ", None),
        ] {
            assert_eq!(joint(gap.as_bytes()), found, "{gap:?}");
        }
    }
}
