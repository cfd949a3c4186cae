//! Strings that strict JSON refuses: where they end, and what their text is between double quotes.

use std::collections::HashMap;

use crate::reader::skip_space;
use crate::scan::{
    any, back, back_over, char_at, char_before, find, find_byte, holds, is_digit, is_gap, is_json_space, is_space,
    is_word, none, starts_word, steps, Scan,
};
use crate::strict::unescape;
use crate::wtf8::{Source, Wtf8, Wtf8Buf};

/// What a string is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum What {
    /// A name.
    Key,
    /// The value of one.
    Member,
    /// An item of an array.
    Item,
    /// The whole value.
    Root,
}

/// An opening quote.
#[derive(Clone, Copy)]
pub(crate) struct Quote {
    /// What closes it.
    pub(crate) closers: &'static str,
    /// What closes it where guesses are allowed.
    pub(crate) more_closers: &'static str,
    /// The repair's code.
    pub(crate) code: &'static str,
}

pub(crate) const SINGLE: &str = "single-quotes";
pub(crate) const TYPOGRAPHIC: &str = "typographic-quotes";
const OTHER: &str = "other-quotes";

/// What is known of an opening quote; `None` for any other character.
pub(crate) fn quote(each: char) -> Option<Quote> {
    let (closers, more_closers, code) = match each {
        '"' => ("\"", "\"", ""),
        '\'' => ("'", "'’", SINGLE),
        '‘' | '’' => ("’‘", "’‘'", TYPOGRAPHIC),
        '‚' => ("‘’", "‘’'", TYPOGRAPHIC),
        '“' | '”' => ("”“", "”“\"", TYPOGRAPHIC),
        '„' => ("“”", "“”\"", TYPOGRAPHIC),
        '`' => ("`", "`'´", OTHER),
        '´' => ("´", "´'`", OTHER),
        '«' => ("»", "»", OTHER),
        '»' => ("«", "«", OTHER),
        '‹' => ("›", "›", OTHER),
        '「' => ("」", "」", OTHER),
        '『' => ("』", "』", OTHER),
        '＂' => ("＂", "＂\"", OTHER),
        '＇' => ("＇", "＇'", OTHER),
        _ => return None,
    };
    Some(Quote {
        closers,
        more_closers,
        code,
    })
}

pub(crate) fn is_opener(each: char) -> bool {
    quote(each).is_some()
}

/// Is it a quote of any kind, opening or closing?
pub(crate) fn is_quote(each: char) -> bool {
    is_opener(each) || any("›」』")(each)
}

/// The opening quote at `at`.
pub(crate) fn quote_at(text: &[u8], at: usize) -> Option<Quote> {
    char_at(text, at).and_then(quote)
}

// What may stand ahead. Only so much is looked at; what is longer counts as what fits.

/// Steps over up to `most` characters that are none of `stops`, a backslash and what it escapes being one.
pub(crate) fn units(scan: &mut Scan<'_>, most: usize, stops: &'static str) -> usize {
    let mut count = 0;
    while count < most {
        let mut escape = *scan;
        if escape.one(|each| each == '\\') {
            if !escape.one(none("\n")) {
                break;
            }
            *scan = escape;
        } else if !scan.one(|each| each != '\n' && !stops.contains(each)) {
            break;
        }
        count += 1;
    }
    count
}

/// Steps over a string of up to `most` characters in one line between two of `mark`.
pub(crate) fn short_string(scan: &mut Scan<'_>, most: usize, mark: char) -> bool {
    let stops = if mark == '"' { "\"" } else { "'" };
    let start = *scan;
    if scan.one(|each| each == mark) {
        units(scan, most, stops);
        if scan.one(|each| each == mark) {
            return true;
        }
    }
    *scan = start;
    false
}

/// Does a quoted name and its colon stand here?
pub(crate) fn is_key_ahead(text: &[u8], at: usize) -> bool {
    let mut double = Scan::new(text, at);
    let mut single = double;
    if double.one(any("\"“”")) {
        units(&mut double, 128, "\"“”");
        let closes = double.one(any("\"“”"));
        double.run(64, is_json_space);
        return closes && double.sees(any(":："));
    }
    if single.one(|each| each == '\'') {
        single.run(128, none("'\\\n"));
        let closes = single.one(|each| each == '\'');
        single.run(64, is_json_space);
        return closes && single.sees(|each| each == ':');
    }
    false
}

/// Does a quoted name stand here that is too long to look at, or that the end of the text cuts off?
fn is_half_name(text: &[u8], at: usize) -> bool {
    let mut scan = Scan::new(text, at);
    scan.one(any("\"'")) && (units(&mut scan, 128, "\"':") == 128 || scan.ends())
}

/// Does a bare name and its colon stand here?
pub(crate) fn is_bare_name(text: &[u8], at: usize) -> bool {
    let mut scan = Scan::new(text, at);
    if scan.run(16, is_digit) > 0 {
        let mut point = scan;
        if point.one(|each| each == '.') && point.run(16, is_digit) > 0 {
            scan = point;
        }
        scan.run(64, is_gap);
        return scan.sees(|each| each == ':');
    }
    let variable = scan.one(|each| each == '$');
    if !variable && !scan.one(starts_word) {
        return false;
    }
    scan.run(127, |each| is_word(each) || any("$-")(each));
    scan.run(64, is_gap);
    scan.sees(|each| each == ':' || (each == '=' && !variable))
}

/// Where the bare name ends that stands here before a colon that no `/` follows.
pub(crate) fn bare_key(text: &[u8], at: usize) -> Option<usize> {
    let mut scan = Scan::new(text, at);
    if scan.run(16, is_digit) == 0 {
        if !scan.one(|each| each == '$' || starts_word(each)) {
            return None;
        }
        scan.run(255, |each| is_word(each) || any("$-")(each));
    }
    is_colon_ahead(scan, 64).then_some(scan.at)
}

/// Does a colon follow, spaces aside, and no `/` behind it?
fn is_colon_ahead(mut scan: Scan<'_>, most: usize) -> bool {
    scan.run(most, is_gap);
    scan.one(|each| each == ':') && !scan.sees(|each| each == '/')
}

/// Where the name ends that stands here without its opening quote.
pub(crate) fn half_quoted_key(text: &[u8], at: usize) -> Option<usize> {
    let mut scan = Scan::new(text, at);
    if !scan.one(|each| !is_space(each) && none("\"':,{}[]()\\")(each)) {
        return None;
    }
    scan.run(127, none("\"':,{}[]()\n\\"));
    let end = scan.at;
    if !scan.one(any("\"'")) {
        return None;
    }
    scan.run(64, is_gap);
    let has_colon = scan.one(|each| each == ':');
    scan.run(64, is_json_space);
    let has_value = scan.ends() || scan.sees(|each| is_digit(each) || any("\"'[{tfnTFN-")(each));
    (has_colon && has_value).then_some(end)
}

/// Does a string that can stand in an array start here, or one too long to tell?
fn is_item(text: &[u8], at: usize) -> bool {
    let mut scan = Scan::new(text, at);
    if !short_string(&mut scan, 256, '"') {
        return true;
    }
    let mut line = scan;
    line.run(64, any(" \t\r"));
    scan.run(64, is_json_space);
    line.sees(|each| each == '\n') || scan.ends() || scan.sees(any(",]}\"+)")) || scan.one_word(&["//", "/*"])
}

/// Words that belong to nothing: where they end, and the position behind the space that follows.
pub(crate) fn stray_words(text: &[u8], at: usize) -> Option<(usize, usize)> {
    let is_part = |each: char| !is_space(each) && none("\"'{}[]:,")(each);
    let mut scan = Scan::new(text, at);
    if !scan.one(is_word) {
        return None;
    }
    scan.run(63, is_part);
    for _ in 0..16 {
        let mut next = scan;
        if !(next.run(usize::MAX, is_gap) > 0 && next.run(64, is_part) > 0) {
            break;
        }
        scan = next;
    }
    let end = scan.at;
    scan.all(any(" \t\r"));
    scan.sees(any(",}]\n\"")).then_some((end, scan.at))
}

/// Steps over one of the literals, whole.
pub(crate) fn literal(scan: &mut Scan<'_>) -> bool {
    let start = *scan;
    if scan.one_word(&["true", "false", "null", "True", "False", "None"]) && scan.ends_word() {
        return true;
    }
    *scan = start;
    false
}

/// Does `+` and another string stand here?
fn is_join(text: &[u8], at: usize) -> bool {
    let mut scan = Scan::new(text, at);
    let plus = scan.one(|each| each == '+');
    scan.run(64, is_json_space);
    plus && scan.sees(any("\"'"))
}

/// Can what stands at `at` follow a string that is a `what`?
fn follows(text: &[u8], pos: usize, what: What, full: bool) -> bool {
    let at = skip_space(text, pos);
    let Some(here) = char_at(text, at) else {
        return true;
    };
    let behind = at + here.len_utf8();
    let gap = at > pos;
    if what == What::Key {
        return here == ':' || (full && any("：=")(here));
    }
    match here {
        ',' => what != What::Root && follows_comma(text, behind, what, full),
        '，' | '、' | '،' | '﹐' => full && what != What::Root && follows_comma(text, behind, what, full),
        ']' | '}' => what != What::Root && follows_closer(text, at, what, full),
        '］' | '｝' => full && what != What::Root && follows_closer(text, at, what, full),
        '/' => matches!(text.get(behind), Some(b'/' | b'*')),
        '#' => gap,
        _ if is_opener(here) => match what {
            What::Member => is_key_ahead(text, at) && (gap || full),
            What::Item => gap && is_item(text, at),
            _ => false,
        },
        _ if !full => false,
        '+' => is_join(text, at),
        _ if what == What::Root => false,
        ';' => {
            let mut scan = Scan::new(text, behind);
            scan.run(64, any(" \t\r"));
            scan.ends() || scan.sees(any("\"'}]\n"))
        }
        ')' => {
            let mut scan = Scan::new(text, behind);
            scan.run(64, is_json_space);
            scan.ends() || scan.sees(any(",)]};"))
        }
        _ if !holds(text, b'\n', pos, at) => false,
        _ if what == What::Member => is_bare_name(text, at),
        _ => is_marked_item(text, at),
    }
}

/// Does an item stand here behind a list mark?
fn is_marked_item(text: &[u8], at: usize) -> bool {
    let mut scan = Scan::new(text, at);
    scan.one(any("-*•")) && scan.run(usize::MAX, is_gap) > 0 && scan.sees(any("\"'{["))
}

fn follows_closer(text: &[u8], at: usize, what: What, full: bool) -> bool {
    let Some(closer) = char_at(text, at) else {
        return false;
    };
    let is_wrong = any(if what == What::Item { "}｝" } else { "]］" })(closer);
    if what == What::Item && is_wrong && !full {
        return false;
    }
    let Some(next) = char_at(text, at + closer.len_utf8()) else {
        return true;
    };
    // Behind a bracket in a regular expression, and behind none in JSON.
    let is_pattern = (full || is_wrong) && any("(*+?^$|\\")(next);
    !is_pattern && !is_opener(next) && !next.is_alphanumeric()
}

fn follows_comma(text: &[u8], pos: usize, what: What, full: bool) -> bool {
    let at = skip_space(text, pos);
    let Some(here) = char_at(text, at) else {
        return true;
    };
    if any("]}］｝/#")(here) || (full && any(",.…")(here)) {
        return true;
    }
    if what == What::Member {
        if is_opener(here) {
            return !full || is_key_ahead(text, at) || is_half_name(text, at) || none("\"'“")(here);
        }
        return is_bare_name(text, at) || (full && follows_damaged(text, at));
    }
    if here == '"' {
        return !full || is_item(text, at);
    }
    is_opener(here) || is_digit(here) || any("{[-(")(here) || literal(&mut Scan::new(text, at))
}

/// Does the next member start here behind a comma, though not with its name; or what is none, but no text either?
fn follows_damaged(text: &[u8], at: usize) -> bool {
    let mut container = Scan::new(text, at);
    let is_container = container.one(any("{[")) && {
        container.run(64, is_json_space);
        container.sees(any("\"'{["))
    };
    Scan::new(text, at).one_word(&["**", "__"])
        || half_quoted_key(text, at).is_some()
        || is_container
        || stray_words(text, at).is_some_and(|(_, behind)| is_key_ahead(text, behind))
}

/// The next of `closers` or backslash at or after `at`.
fn next_closer(text: &[u8], at: usize, closers: &str) -> Option<usize> {
    let mut scan = Scan::new(text, at.min(text.len()));
    scan.all(|each| each != '\\' && !closers.contains(each));
    (!scan.ends()).then_some(scan.at)
}

/// The position behind the backslash at `at` and what it escapes.
fn behind_escape(text: &[u8], at: usize) -> usize {
    let mut scan = Scan::new(text, at);
    scan.run(2, |_| true);
    scan.at
}

/// The first quote that is not escaped, if nothing but a string's end can stand there.
pub(crate) fn ends_safely(
    text: &[u8],
    body: usize,
    closers: &'static str,
    what: What,
    outlook: &mut Outlook,
) -> Option<usize> {
    let end = outlook.closer(text, body, closers)?;
    follows(text, behind(text, end), what, false).then_some(end)
}

/// The position behind the character at `at`.
pub(crate) fn behind(text: &[u8], at: usize) -> usize {
    at + char_at(text, at).map_or(0, char::len_utf8)
}

/// Where a string ends: the end of its text, the position behind it, and the code of its closing quote if that is not the plain one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct End {
    pub(crate) body_end: usize,
    pub(crate) after: usize,
    pub(crate) code: &'static str,
}

impl End {
    pub(crate) fn new(body_end: usize, after: usize, code: &'static str) -> Self {
        Self { body_end, after, code }
    }
}

/// What readings have learnt about a text, so that none of it is looked over again and again.
pub(crate) struct Outlook {
    /// The length of the text.
    room: usize,
    /// How much was looked at in vain for an end behind one that was there.
    spent: usize,
    /// How much was looked at under a layer of escaping that there was none of.
    spent_on_layers: usize,
    /// Where the text ends for what is read now.
    end: usize,
    /// What is known of the text up to an end.
    known: HashMap<usize, Known>,
}

#[derive(Default)]
struct Known {
    /// From where on no quote can close a string of a kind.
    hopeless: HashMap<(&'static str, What), usize>,
    /// The first quote that is not escaped, at or after a position.
    closers: HashMap<&'static str, (usize, Option<usize>)>,
    /// From where on a word does not stand.
    absent: HashMap<&'static [u8], usize>,
}

impl Outlook {
    pub(crate) fn new(room: usize) -> Self {
        Self {
            room,
            spent: 0,
            spent_on_layers: 0,
            end: room,
            known: HashMap::new(),
        }
    }

    /// The same for a reading of the text up to `end`.
    pub(crate) fn until(&mut self, end: usize) -> &mut Self {
        self.end = end;
        self
    }

    fn known(&mut self) -> &mut Known {
        self.known.entry(self.end).or_default()
    }

    /// Has nothing been given up for want of a quote?
    pub(crate) fn is_hopeful(&mut self) -> bool {
        self.known().hopeless.is_empty()
    }

    /// May one more layer of escaping be looked under?
    pub(crate) fn may_peel(&self) -> bool {
        self.spent_on_layers <= self.room
    }

    /// So much was looked at under one in vain.
    pub(crate) fn peeled_in_vain(&mut self, length: usize) {
        self.spent_on_layers += length;
    }

    /// Where `word` first stands at or after `from`.
    pub(crate) fn find(&mut self, text: &[u8], word: &'static [u8], from: usize) -> Option<usize> {
        let absent = &mut self.known().absent;
        if absent.get(word).is_some_and(|known| from >= *known) {
            return None;
        }
        let found = find(text, word, from);
        if found.is_none() {
            absent.insert(word, from);
        }
        found
    }

    /// The first of `closers` at or after `body`, the inside of a string, that is not escaped.
    fn closer(&mut self, text: &[u8], body: usize, closers: &'static str) -> Option<usize> {
        if let Some((from, found)) = self.known().closers.get(closers) {
            if *from <= body && found.is_none_or(|found| body <= found) {
                return *found;
            }
        }
        let mut at = body;
        let found = loop {
            match next_closer(text, at, closers) {
                Some(escape) if text[escape] == b'\\' => at = behind_escape(text, escape),
                found => break found,
            }
        };
        self.known().closers.insert(closers, (body, found));
        found
    }
}

/// The end of a string whose quotes must be weighed: the first that something which can follow a string follows.
pub(crate) fn ends(text: &[u8], body: usize, closers: &'static str, what: What, outlook: &mut Outlook) -> Option<End> {
    let hopeless = outlook.known().hopeless.get(&(closers, what));
    if hopeless.is_some_and(|from| body >= *from) {
        return None;
    }
    let (mut at, mut first) = (body, body);
    let mut inner = 0;
    let mut split = None;
    let mut escaped = false;
    let mut brackets = Brackets::new(text, body);
    // An end, but that the closer behind it closes a bracket of the string's.
    let mut held: Option<End> = None;
    loop {
        let Some(found) = next_closer(text, at, closers) else {
            match held {
                Some(end) => outlook.spent += text.len() - end.after,
                None => drop(outlook.known().hopeless.insert((closers, what), body)),
            }
            return held;
        };
        at = found;
        if text[at] == b'\\' {
            escaped |= char_at(text, at + 1).is_some_and(|each| closers.starts_with(each));
            at = behind_escape(text, at);
            continue;
        }
        let next = behind(text, at);
        let alone = if inner == 1 && !escaped {
            ends_inside(text, first)
        } else {
            None
        };
        let is_name = what == What::Item && inner == 0 && body > 0 && is_glued_name(text, body - 1);
        if is_name || follows(text, next, what, true) {
            let end = End::new(at, next, "");
            if outlook.spent > outlook.room || !brackets.are_open(at, next) {
                if what != What::Item || inner % 2 == 0 {
                    return Some(end);
                }
                let lost = split.map_or(end, |comma| End::new(comma, comma, "missing-quote"));
                return Some(alone.unwrap_or(lost));
            }
            held = held.or(Some(end));
        } else if let Some(plus) = before_chain(text, body, at) {
            return Some(End::new(plus, plus, "missing-quote"));
        } else if matches!(what, What::Member | What::Item) {
            let own = if held.is_none() { Some(&mut brackets) } else { None };
            if let Some(glued) = ends_before_name(text, body, at, what, own) {
                outlook.spent += held.map_or(0, |end| at - end.after);
                return held.or(alone).or(Some(glued));
            }
            if what == What::Item {
                if alone.is_some() && comma_before(text, body, at).is_some() {
                    return alone;
                }
                if inner % 2 == 0 && split.is_none() {
                    split = comma_before(text, body, at);
                }
            }
        }
        if inner == 0 {
            first = at;
        }
        inner += 1;
        at = next;
    }
}

/// The brackets of a string, counted as far as it has been read.
struct Brackets<'a> {
    text: &'a [u8],
    at: usize,
    depths: [usize; 3],
}

impl<'a> Brackets<'a> {
    const PAIRS: [(u8, u8); 3] = [(b'{', b'}'), (b'[', b']'), (b'(', b')')];

    fn new(text: &'a [u8], at: usize) -> Self {
        Self {
            text,
            at,
            depths: [0; 3],
        }
    }

    /// Is the next thing at `pos` a closer, and closes a bracket that stands in the string before `end`?
    fn are_open(&mut self, end: usize, pos: usize) -> bool {
        let next = self.text.get(skip_space(self.text, pos));
        let Some(kind) = Self::PAIRS.iter().position(|(_, closer)| next == Some(closer)) else {
            return false;
        };
        if end > self.at {
            let part = &self.text[self.at..end];
            let count = |byte: u8| part.iter().filter(|each| **each == byte).count();
            for (depth, (opener, closer)) in self.depths.iter_mut().zip(Self::PAIRS) {
                *depth = (*depth + count(opener)).saturating_sub(count(closer));
            }
            self.at = end;
        }
        self.depths[kind] > 0
    }

    /// The position behind those closers at `end` that close brackets which stand in the string before them.
    fn behind_own(&mut self, end: usize) -> usize {
        let (mut at, mut left) = (end, None);
        while self.are_open(end, at) {
            let depths = left.get_or_insert(self.depths);
            let closer = skip_space(self.text, at);
            match Self::PAIRS.iter().position(|pair| pair.1 == self.text[closer]) {
                Some(kind) if depths[kind] > 0 => depths[kind] -= 1,
                _ => break,
            }
            at = closer + 1;
        }
        at
    }
}

/// The end of a string at the one quote inside, if that can only have closed it: no blank stands before it, none but a blank
/// behind it, and it is not for inches. What follows is another's text.
fn ends_inside(text: &[u8], quote: usize) -> Option<End> {
    let next = behind(text, quote);
    let opens = char_before(text, quote).is_some_and(is_json_space);
    let closes = !opens && char_at(text, next).is_some_and(is_gap) && !is_inches(text, quote);
    closes.then(|| End::new(quote, next, ""))
}

/// Does a measure end before the quote at `at`?
fn is_inches(text: &[u8], at: usize) -> bool {
    let mut start = at;
    for _ in 0..16 {
        let before = back(text, start, 1);
        if start == 0 || !char_at(text, before).is_some_and(any("0123456789./'’×x½¼¾")) {
            break;
        }
        start = before;
        let is_part = char_before(text, start).is_some_and(|each| is_word(each) || each == '-');
        if text[start].is_ascii_digit() && !is_part {
            return true;
        }
    }
    false
}

/// The end of a string that lost its closing quote, where the quote found opens the next name.
/// Behind an item an array ends first.
fn ends_before_name(
    text: &[u8],
    body: usize,
    quote: usize,
    what: What,
    brackets: Option<&mut Brackets<'_>>,
) -> Option<End> {
    if !is_glued_name(text, quote) {
        return None;
    }
    let at = back_over(text, body, quote, 256, any(" \t\r\n,{}[]"));
    let at = brackets.map_or(at, |brackets| brackets.behind_own(at));
    let seam = text.get(at..quote)?;
    let is_blank = seam.iter().all(|byte| is_json_space(char::from(*byte)));
    let is_gap = !seam.is_empty() && is_blank && !seam.contains(&b'\n');
    if !is_seam(seam) || is_gap || (what == What::Item && !seam.contains(&b']')) {
        return None;
    }
    Some(without_quote(text, body, at))
}

/// Does a short name between quotes, its colon and the start of a value stand here?
fn is_glued_name(text: &[u8], at: usize) -> bool {
    let mut scan = Scan::new(text, at);
    let Some(mark) = scan.peek().filter(|each| any("\"'")(*each)) else {
        return false;
    };
    scan.one(|_| true);
    if scan.run(64, none("\"'\\\n:")) == 0 || !scan.one(|each| each == mark) {
        return false;
    }
    scan.run(32, is_json_space);
    if !scan.one(|each| each == ':') {
        return false;
    }
    scan.run(32, is_json_space);
    scan.ends() || scan.sees(|each| is_digit(each) || any("\"'-[{tfnTFN")(each))
}

/// Closers, then perhaps a comma and openers; or a comma alone.
fn is_seam(seam: &[u8]) -> bool {
    let mut scan = Scan::new(seam, 0);
    scan.all(is_json_space);
    let has_closer = scan.sees(any("}]"));
    scan.all(any(" \t\r\n}]"));
    if scan.one(|each| each == ',') {
        scan.all(any(if has_closer { " \t\r\n{[" } else { " \t\r\n" }));
    }
    scan.ends()
}

/// The end of a string at `at`; what looks like its closing quote there is none of its text.
fn without_quote(text: &[u8], body: usize, at: usize) -> End {
    if at >= body + 2 && &text[at - 2..at] == b"\\\"" {
        return End::new(at - 1, at, "");
    }
    match char_before(text, at).filter(|each| at > body && any("”“’")(*each)) {
        Some(curly) => End::new(at - curly.len_utf8(), at, TYPOGRAPHIC),
        None => End::new(at, at, "missing-quote"),
    }
}

/// Where a string ends that a `+` at the end of its line joins to the next, which the quote opens.
fn before_chain(text: &[u8], body: usize, quote: usize) -> Option<usize> {
    let least = body.max(back(text, quote, 64));
    let is_behind = |at: usize, mark: u8| at > least && text[at - 1] == mark;
    let line = back_over(text, least, quote, usize::MAX, is_gap);
    if !is_behind(line, b'\n') {
        return None;
    }
    let plus = back_over(text, least, line, usize::MAX, is_space);
    is_behind(plus, b'+').then(|| back_over(text, least, plus - 1, usize::MAX, is_gap))
}

/// The comma right before a quote, where an item could have lost its closing quote.
fn comma_before(text: &[u8], body: usize, quote: usize) -> Option<usize> {
    let at = back_over(text, body, quote, 64, is_json_space);
    let goes_on = char_at(text, behind(text, quote)).is_some_and(none(" \t\r\n,"));
    (goes_on && at > body && text[at - 1] == b',').then(|| at - 1)
}

/// The end of a string without a closing quote whose line ends as a member or item does, and whose next line goes on as one.
pub(crate) fn ends_with_line(text: &[u8], body: usize) -> Option<End> {
    let line_end = find_byte(text, body, text.len(), |byte| byte == b'\n')?;
    let at = back_over(text, body, line_end, usize::MAX, any(" \t\r,}]"));
    let rest = skip_space(text, line_end);
    if at == body && rest == text.len() {
        return None; // nothing says that it was to be empty
    }
    let goes_on = char_at(text, rest).is_none_or(any("\"'{[}]"));
    if at < line_end && is_structure(&text[at..line_end]) && goes_on {
        return Some(without_quote(text, body, at));
    }
    if is_key_ahead(text, rest) || is_only_closers(text, rest) {
        let is_carriage = line_end > body && text[line_end - 1] == b'\r';
        return Some(without_quote(text, body, line_end - usize::from(is_carriage)));
    }
    None
}

/// Closers, and a comma or closer at the end.
fn is_structure(tail: &[u8]) -> bool {
    let end = back_over(tail, 0, tail.len(), usize::MAX, any(" \t\r"));
    end > 0 && !tail[..end - 1].contains(&b',')
}

/// Are closers all that is left of the text?
fn is_only_closers(text: &[u8], at: usize) -> bool {
    let mut scan = Scan::new(text, at);
    scan.one(any("}]")) && scan.run(256, any(" \t\r\n}],")) <= 256 && scan.ends()
}

/// The end of a string without a closing quote, where the text ends with exactly the closers of all open containers
/// (innermost first; a fence's marks may follow) and the string's brackets are balanced without them. An address ends at a
/// comma.
pub(crate) fn ends_before_closers(text: &[u8], body: usize, closers: &[u8], what: What) -> Option<End> {
    let mut left = closers.len();
    let mut at = back_over(text, body, text.len(), usize::MAX, is_json_space);
    if text[body..at].ends_with(b"```") {
        at = back_over(text, body, at, usize::MAX, |each| each == '`');
    }
    while at > body {
        match text[at - 1] {
            b' ' | b'\t' | b'\r' | b'\n' => {}
            closer if left > 0 && closer == closers[left - 1] => left -= 1,
            _ => break,
        }
        at -= 1;
    }
    let content = &text[body..at];
    steps::count(text.len() - body);
    let count = |byte: u8| content.iter().filter(|each| **each == byte).count();
    if left > 0 || content.is_empty() || count(b'{') != count(b'}') || count(b'[') != count(b']') {
        return None;
    }
    let address = if what == What::Item { address_end(content) } else { None };
    let end = address.map_or_else(|| back_over(text, body, at, usize::MAX, is_space), |end| body + end);
    Some(without_quote(text, body, end))
}

/// Where the address that the text starts with ends, before a comma.
fn address_end(text: &[u8]) -> Option<usize> {
    let mut scan = Scan::new(text, 0);
    let is_scheme = (2..=16).contains(&scan.run(17, |each| each.is_ascii_alphabetic())) && scan.word("://");
    scan.all(|each| !is_space(each) && each != ',');
    (is_scheme && scan.sees(|each| each == ',')).then_some(scan.at)
}

// The text of a string.

/// One edit inside a string: its code, its range, and what stands there instead.
pub(crate) struct Flaw {
    pub(crate) code: &'static str,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) inserted: Wtf8Buf,
}

/// `text` between quotes as a JSON string.
pub(crate) fn quoted(text: &[u8]) -> Wtf8Buf {
    let mut out = Wtf8Buf::from("\"");
    push_escaped(&mut out, text);
    out.push_wtf8("\"".into());
    out
}

/// A JSON string with this inside.
pub(crate) fn between_quotes(inside: &Wtf8Buf) -> Wtf8Buf {
    let mut out = Wtf8Buf::from("\"");
    out.push_wtf8(inside.as_wtf8());
    out.push_wtf8("\"".into());
    out
}

fn push_escaped(out: &mut Wtf8Buf, text: &[u8]) {
    let mut rest = text;
    while let Some(at) = rest.iter().position(|byte| matches!(byte, 0..=0x1f | b'"' | b'\\')) {
        out.push_wtf8(Wtf8::from_bytes(&rest[..at]));
        let escape = match rest[at] {
            0x08 => "\\b".to_owned(),
            b'\t' => "\\t".to_owned(),
            b'\n' => "\\n".to_owned(),
            0x0c => "\\f".to_owned(),
            b'\r' => "\\r".to_owned(),
            b'"' => "\\\"".to_owned(),
            b'\\' => "\\\\".to_owned(),
            control => format!("\\u{control:04x}"),
        };
        out.push_wtf8(escape.as_str().into());
        rest = &rest[at + 1..];
    }
    out.push_wtf8(Wtf8::from_bytes(rest));
}

/// The inside of a string that `mark` opened, as the inside of a JSON string, and the edits that lead there, neighbours of
/// one code as one. With `"` for the mark the escapes are JSON's, else those of Python and JavaScript.
pub(crate) fn respelt(text: &[u8], body: usize, end: usize, mark: char) -> (Wtf8Buf, Vec<Flaw>) {
    let content = &text[body..end];
    steps::count(content.len());
    let mut spelling = Wtf8Buf::new();
    let mut flaws: Vec<Flaw> = Vec::new();
    let literal = has_unknown_escape(content, mark);
    let mut last = 0;
    for (start, stop) in tokens(content) {
        let Some((code, new)) = mended(content, start, stop, mark, literal) else {
            continue;
        };
        let between = Wtf8::from_bytes(&content[last..start]);
        spelling.push_wtf8(between);
        spelling.push_wtf8(new.as_wtf8());
        match flaws.last_mut().filter(|flaw| flaw.code == code) {
            Some(flaw) => {
                flaw.inserted.push_wtf8(between);
                flaw.inserted.push_wtf8(new.as_wtf8());
                flaw.end = body + stop;
            }
            None => flaws.push(Flaw {
                code,
                start: body + start,
                end: body + stop,
                inserted: new,
            }),
        }
        last = stop;
    }
    spelling.push_wtf8(Wtf8::from_bytes(&content[last..]));
    (spelling, flaws)
}

/// Where quotes, control characters and escapes stand in the inside of a string.
fn tokens(content: &[u8]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let found = content[at..]
            .iter()
            .position(|byte| matches!(byte, 0..=0x1f | b'"' | b'\\'))?;
        let start = at + found;
        at = if content[start] == b'\\' {
            escape_token_end(content, start)
        } else {
            start + 1
        };
        Some((start, at))
    })
}

/// Where the escape ends whose backslash is at `at`, in JSON, Python or JavaScript.
fn escape_token_end(content: &[u8], at: usize) -> usize {
    let hex = |from: usize, digits: usize| {
        let digits = content.get(from..from + digits)?;
        digits.iter().all(u8::is_ascii_hexdigit).then_some(from + digits.len())
    };
    let rest = &content[at + 1..];
    let long = match rest {
        [b'u', ..] => hex(at + 2, 4),
        [b'x', ..] => hex(at + 2, 2),
        [b'U', b'0', b'0', b'0', ..] => hex(at + 5, 5),
        [b'\r', b'\n', ..] => Some(at + 3),
        _ => None,
    };
    long.unwrap_or_else(|| behind(content, at + 1))
}

/// Does a backslash start no escape?
fn has_unknown_escape(content: &[u8], mark: char) -> bool {
    let (known, long) = match mark {
        '"' => ("bfnrt\"\\/'`\r\n", 6),
        _ => ("bfnrt\"\\/'`\r\n0av", 4),
    };
    tokens(content).any(|(start, end)| {
        content[start] == b'\\'
            && Scan::new(&content[..end], start).run(long, |_| true) < long
            && char_at(&content[..end], start + 1).is_none_or(none(known))
    })
}

/// The code and new spelling of one quote, control character or escape; `None` where it may stay.
fn mended(content: &[u8], start: usize, end: usize, mark: char, literal: bool) -> Option<(&'static str, Wtf8Buf)> {
    let own_code = quote(mark).map_or("", |quote| quote.code);
    let token = &content[start..end];
    let escaped = |inside: &[u8]| {
        let mut out = Wtf8Buf::new();
        push_escaped(&mut out, inside);
        out
    };
    if token == b"\"" {
        return Some((if mark == '"' { "inner-quote" } else { own_code }, "\\\"".into()));
    }
    if token[0] != b'\\' {
        return Some(("control-character", escaped(token)));
    }
    let joined = |head: &str| {
        let mut out = Wtf8Buf::from(head);
        out.push_wtf8(escaped(&token[1..]).as_wtf8());
        out
    };
    match token.get(1) {
        Some(b'"' | b'\\' | b'/') => None,
        Some(b'u') if token.len() == 6 => None,
        Some(b'b' | b'f' | b'n' | b'r' | b't') if !literal || is_line_break(content, start) => None,
        Some(b'b' | b'f' | b'n' | b'r' | b't') => Some(("literal-backslash", joined("\\\\"))),
        Some(b'\'' | b'`') => {
            let code = if mark == '"' { "needless-escape" } else { own_code };
            Some((code, Wtf8::from_bytes(&token[1..]).into()))
        }
        Some(b'\r' | b'\n') => Some(("code-escape", Wtf8Buf::new())),
        Some(b'x' | b'U') if mark != '"' && token.len() > 2 => {
            let digits = std::str::from_utf8(&token[2..]).unwrap_or("");
            let point = u32::from_str_radix(digits, 16).map_or(0x10ffff, |point| point.min(0x10ffff));
            let mut character = Wtf8Buf::new();
            character.push_code_point(point);
            Some(("code-escape", escaped(character.as_bytes())))
        }
        _ => Some(("invalid-escape", joined("\\\\"))),
    }
}

/// Is the `\n` at `at` most likely a line break, in a string whose backslashes are not escaped?
fn is_line_break(content: &[u8], at: usize) -> bool {
    let mut scan = Scan::new(content, at);
    if !scan.word("\\n") {
        return false;
    }
    let mut mark = scan;
    scan.ends()
        || scan.sees(|each| each == ' ' || each.is_ascii_uppercase())
        || scan.word("\\n")
        || (mark.one(any("-*#")) && mark.sees(|each| each == ' '))
}

/// The value of the inside of a JSON string.
pub(crate) fn decoded(spelling: &Wtf8Buf) -> Wtf8Buf {
    unescape(spelling.as_bytes())
}

/// Where the inside of a string that the end of the text cut off ends, without half an escape or half a surrogate pair.
pub(crate) fn whole_escapes(text: &[u8], body: usize) -> usize {
    let from = body.max(text.len().saturating_sub(12));
    let Some(half) = (from..text.len()).find(|at| is_half_escape(&text[*at..])) else {
        return text.len();
    };
    let backslashes = text[body..half].iter().rev().take_while(|byte| **byte == b'\\').count();
    if backslashes % 2 == 0 {
        half
    } else {
        text.len()
    }
}

/// Is this half an escape, an escaped lead surrogate with half a trail, or a lead surrogate?
fn is_half_escape(rest: &[u8]) -> bool {
    let is_cut = |rest: &[u8]| match rest {
        [b'\\'] => true,
        [b'\\', b'u', digits @ ..] => digits.len() < 4 && digits.iter().all(u8::is_ascii_hexdigit),
        _ => false,
    };
    match rest {
        [0xed, 0xa0..=0xaf, _] => true,
        [b'\\', b'u', b'd' | b'D', b'8' | b'9' | b'a' | b'b' | b'A' | b'B', third, fourth, trail @ ..]
            if third.is_ascii_hexdigit() && fourth.is_ascii_hexdigit() =>
        {
            trail.is_empty() || is_cut(trail)
        }
        _ => is_cut(rest),
    }
}
