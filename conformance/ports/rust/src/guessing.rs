//! The answers of `full`: readings that guess. Each is asked for only where `safe` has none.

use std::ops::Range;

use crate::bare::{
    argument, bare, bold_key, call_end, call_start, is_decimal_comma, is_name_ahead, is_parenthesised, is_value_ahead,
    keeps_text, list_marker, lone_key, loose_key, number_like, plain_number, unclosed_key,
};
use crate::layers::{is_quote_entity, Layer};
use crate::machine::{Fault, Phase, Scalar};
use crate::mending::{
    applied, closer_of, comment_end, is_delimited, nonfinite_word, word_end, Ending, Last, Mender, Parenthesis, Reading,
};
use crate::options::{Level, Options, Repair};
use crate::quotes::{
    bare_key, behind, between_quotes, decoded, ends, ends_before_closers, ends_with_line, half_quoted_key,
    is_key_ahead, is_opener, is_quote, quote_at, quoted, respelt, stray_words, whole_escapes, End, Outlook, What,
};
use crate::reader::skip_space;
use crate::scan::{any, back, char_at, char_before, holds, is_digit, is_gap, is_json_space, none, Scan, FEW};
use crate::shapes::is_alphanumeric_at;
use crate::value::Value;
use crate::wtf8::{Source, Wtf8, Wtf8Buf};

const HALF_LITERALS: [&[u8]; 10] = [
    b"true",
    b"false",
    b"null",
    b"True",
    b"False",
    b"None",
    b"undefined",
    b"NaN",
    b"Infinity",
    b"-Infinity",
];

/// How much of a text a layer is taken off at first.
const LAYER_ROOM: usize = 256;

/// How far what stands behind a place may decide about it.
const FORESIGHT: usize = 512;

/// Space that is none to JSON.
fn is_odd_space(each: char) -> bool {
    matches!(
        each,
        '\0' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{a0}' | '\u{ad}' | '\u{1680}' | '\u{180e}' | '\u{2000}'..='\u{200f}'
            | '\u{2028}'..='\u{202f}' | '\u{205f}' | '\u{2060}' | '\u{2066}'..='\u{2069}' | '\u{2581}' | '\u{3000}'
            | '\u{feff}'
    )
}

/// The position behind the space at `at` that is none to JSON.
pub(crate) fn odd_space_end(text: &[u8], at: usize) -> usize {
    let mut scan = Scan::new(text, at);
    scan.all(is_odd_space);
    scan.at
}

/// JSON's punctuation for that of another script.
fn narrow(each: char) -> Option<u8> {
    Some(match each {
        '，' | '、' | '،' | '﹐' => b',',
        '：' | '﹕' => b':',
        '｛' => b'{',
        '｝' => b'}',
        '［' | '【' => b'[',
        '］' | '】' => b']',
        _ => return None,
    })
}

/// The position behind a mark of emphasis.
fn emphasis_end(text: &[u8], at: usize) -> Option<usize> {
    let mut scan = Scan::new(text, at);
    let mark = scan.peek().filter(|each| any("*_")(*each))?;
    scan.run(3, |each| each == mark);
    Some(scan.at)
}

/// The characters `each` and `more` stand for a plain string or number.
fn is_number_start(each: char) -> bool {
    each == '-' || is_digit(each)
}

impl Mender<'_> {
    pub(crate) fn guess(&mut self, here: char) -> bool {
        match self.machine.phase {
            Phase::Next => self.guess_next(here),
            Phase::Value | Phase::FirstValue => self.guess_value(here),
            Phase::Colon => self.guess_colon(here),
            Phase::Key | Phase::FirstKey => self.guess_key(here),
            Phase::End => false,
        }
    }

    /// A string with something in it that JSON refuses.
    pub(crate) fn guess_string(&mut self) -> bool {
        let start = self.machine.token;
        self.unclosed_name(start) || self.weigh_string(start, '"')
    }

    /// A name whose closing quote is missing before its colon, so that the string goes on in the next line.
    fn unclosed_name(&mut self, start: usize) -> bool {
        if self.what() != What::Key {
            return false;
        }
        let name = unclosed_key(self.text, start);
        name.is_some_and(|name| self.put_name("missing-quote", name.clone(), name.end))
    }

    fn guess_value(&mut self, here: char) -> bool {
        let (text, start) = (self.text, self.machine.token);
        if self.machine.fault == Fault::Unexpected {
            if let Some(done) = self.anywhere(here) {
                return done;
            }
            if text[start..].starts_with(b"```") {
                return false;
            }
            match here {
                _ if text[start..].starts_with(b"'''") => return self.triple(start, start, "triple-quotes"),
                _ if is_opener(here) => return self.weigh_string(start, here),
                ',' => return self.comma_for_value(),
                ']' | '}' => return self.closer(here as u8, true),
                '(' => return self.parenthesis(),
                ':' | '=' | '>' => {
                    let doubled = char_before(text, start).is_some_and(any(":="));
                    return doubled && self.machine.kind() == Some(b'{') && self.skip("wrong-colon", start + 1);
                }
                _ => {}
            }
        }
        if char_at(text, start).is_some_and(any("*_-•+")) && self.mark() {
            return true;
        }
        // An option decides, or `[1,000]` is one number or two.
        if nonfinite_word(text, start).is_some() || (self.machine.kind() == Some(b'[') && is_grouped_pair(text, start))
        {
            return false;
        }
        self.odd_number(start) || self.word(start) || self.bare_value(start)
    }

    /// What may stand between any two tokens; `None` if `here` is none of it.
    fn anywhere(&mut self, here: char) -> Option<bool> {
        let (text, pos) = (self.text, self.machine.pos);
        if is_odd_space(here) {
            return Some(self.skip("odd-space", odd_space_end(text, pos)));
        }
        if let Some(mark) = narrow(here) {
            return Some(self.wide(mark, pos + here.len_utf8()));
        }
        match here {
            '\\' => Some(self.backslash()),
            '&' if is_quote_entity(text, pos) => Some(self.restart(Layer::Html)),
            '.' | '…' => {
                let mut dots = Scan::new(text, pos);
                let count = dots.run(usize::MAX, |each| each == here);
                (count >= 3 || here == '…').then(|| self.ellipsis(dots.at))
            }
            ')' => Some(self.close_parenthesis()),
            '`' if self.machine.kind().is_some() && is_fence_tail(text, pos) => Some(self.skip("wrapper", text.len())),
            '*' | '_' if self.emphasis => {
                self.emphasis = false;
                emphasis_end(text, pos).map(|end| self.skip("emphasis", end))
            }
            _ => None,
        }
    }

    /// Punctuation of another script in the place of JSON's.
    fn wide(&mut self, mark: u8, end: usize) -> bool {
        let (pos, phase, kind) = (self.machine.pos, self.machine.phase, self.machine.kind());
        let fits = match mark {
            b']' | b'}' => {
                let closes = kind.is_some_and(|kind| closer_of(kind) == mark);
                closes && phase != Phase::Colon && !(phase == Phase::Value && kind == Some(b'{'))
            }
            b',' => phase == Phase::Next && kind.is_some(),
            b':' => phase == Phase::Colon,
            _ => phase.is_value(),
        };
        if fits && matches!(mark, b']' | b'}') && matches!(phase, Phase::Key | Phase::Value) {
            self.drop_comma(pos);
        }
        fits && self.opens_no_deeper(mark) && self.replace("wide-punctuation", end, mark)
    }

    /// Is it no opening bracket, or one that the limit of depth allows?
    fn opens_no_deeper(&self, mark: u8) -> bool {
        !matches!(mark, b'{' | b'[') || self.may_go_deeper()
    }

    fn may_go_deeper(&self) -> bool {
        self.options
            .limits
            .max_depth
            .is_none_or(|most| self.machine.depth() < most)
    }

    /// Three dots: something was left out. Where a value is due after a name, they are its text.
    fn ellipsis(&mut self, end: usize) -> bool {
        let phase = self.machine.phase;
        if phase == Phase::Value && self.machine.kind() != Some(b'[') {
            return self.bare_value(self.machine.pos);
        }
        let at = skip_space(self.text, end);
        let takes_comma = (phase.is_value() || phase.is_key()) && self.text.get(at) == Some(&b',');
        self.skip("ellipsis", if takes_comma { at + 1 } else { end })
    }

    /// A list marker, or Markdown's emphasis before a quote.
    fn mark(&mut self) -> bool {
        let (text, pos) = (self.text, self.machine.token);
        if let Some(end) = list_marker(text, pos).filter(|_| self.machine.phase != Phase::Colon) {
            if holds(text, b'\n', self.start.max(back(text, pos, 64)), pos) {
                self.machine.goto(pos);
                return self.skip("list-marker", end);
            }
        }
        let end = emphasis_end(text, pos).filter(|end| char_at(text, *end).is_some_and(any("\"'“")));
        self.emphasis |= end.is_some();
        end.is_some_and(|end| self.skip("emphasis", end))
    }

    /// A comma where a value is due.
    fn comma_for_value(&mut self) -> bool {
        let pos = self.machine.pos;
        match self.machine.kind() {
            Some(b'{') => self.put("missing-value", Value::Null, pos, "null"),
            Some(_) => self.skip("extra-comma", pos + 1),
            None => false,
        }
    }

    /// A string whose end must be weighed. One that ends nowhere ends with its line, or was cut off by the end of the text.
    fn weigh_string(&mut self, start: usize, mark: char) -> bool {
        let (text, what) = (self.text, self.what());
        let body = start + mark.len_utf8();
        let Some(quote) = quote_at(text, start) else {
            return false;
        };
        let mut end = ends(text, body, quote.more_closers, what, self.outlook);
        if end.is_none() && matches!(what, What::Member | What::Item) {
            end = ends_with_line(text, body).or_else(|| ends_before_closers(text, body, &self.closers(), what));
        }
        let end = match end {
            Some(end) => end,
            None => {
                self.covered = text.len();
                if what == What::Key {
                    let closer = &quote.more_closers[..quote.more_closers.chars().next().map_or(0, char::len_utf8)];
                    return self.outlook.find(text, closer.as_bytes(), body).is_none() && self.lose(start);
                }
                self.cut = true;
                End::new(whole_escapes(text, body), text.len(), "truncated")
            }
        };
        self.put_string(start, body, end, mark, true, "")
    }

    /// The text ended inside a string, and behind it just what would close everything: then its quote is what is missing.
    pub(crate) fn guess_end(&mut self) -> bool {
        let (text, start) = (self.text, self.machine.token);
        if self.what() == What::Key {
            let last = text.iter().rev().find(|byte| !is_json_space(char::from(**byte)));
            return matches!(last, Some(b'}' | b']')) && self.unclosed_name(start);
        }
        let closers = self.closers();
        if closers.is_empty() {
            return false;
        }
        let end = ends_before_closers(text, start + 1, &closers, self.what());
        end.is_some_and(|end| self.put_string(start, start + 1, end, '"', true, ""))
    }

    /// The text ended inside a token of which nothing can be kept.
    fn lose(&mut self, start: usize) -> bool {
        self.lost = Some(start);
        self.machine.goto(self.text.len());
        true
    }

    /// A string between three quotes, as Python writes it, which start at `quotes`.
    fn triple(&mut self, start: usize, quotes: usize, code: &'static str) -> bool {
        let text = self.text;
        let body = quotes + 3;
        let three = if text[quotes] == b'"' { b"\"\"\"" } else { b"'''" };
        let Some(end) = self.outlook.find(text, three, body) else {
            return false;
        };
        self.forget_log(start);
        let (spelling, _) = respelt(text, body, end, '\'');
        self.put(
            code,
            Value::String(decoded(&spelling)),
            end + 3,
            between_quotes(&spelling),
        )
    }

    // Numbers and words.

    /// A number that JSON writes otherwise.
    fn odd_number(&mut self, start: usize) -> bool {
        let text = self.text;
        let Some(end) = number_like(text, start).filter(|end| is_delimited(text, *end)) else {
            return false;
        };
        let token = String::from_utf8_lossy(&text[start..end]);
        match plain_number(&token) {
            None => false,
            Some(("number-text", _)) => self.put_name("number-text", start..end, end),
            Some((code, spelling)) => match self.number(&spelling) {
                Some(value) => self.put(code, value, end, spelling),
                None => false,
            },
        }
    }

    /// Other literals, calls and prefixed strings.
    fn word(&mut self, start: usize) -> bool {
        let text = self.text;
        let Some(end) = word_end(text, start) else {
            return false;
        };
        if is_delimited(text, end) {
            let name = String::from_utf8_lossy(&text[start..end]).to_lowercase();
            let literal = match name.as_str() {
                "true" => Some((Value::Bool(true), "true")),
                "false" => Some((Value::Bool(false), "false")),
                "null" | "none" | "nil" | "undefined" => Some((Value::Null, "null")),
                _ => None,
            };
            if let Some((value, spelling)) = literal {
                return self.put("other-literal", value, end, spelling);
            }
        }
        let mut prefix = Scan::new(text, start);
        if prefix.run(2, any("bBuUrRfF")) > 0 && opens_prefixed(prefix) {
            let quotes = prefix.at;
            if [b"\"\"\"", b"'''"]
                .iter()
                .any(|three| text[quotes..].starts_with(*three))
            {
                return self.triple(start, quotes, "triple-quotes");
            }
            let raw = text[start..quotes].iter().any(|byte| matches!(byte, b'r' | b'R'));
            return self.prefixed(quotes, raw);
        }
        let inside = call_start(text, start);
        inside.is_some_and(|inside| self.call(start, inside))
    }

    /// A string behind a prefix as Python has them.
    fn prefixed(&mut self, quotes: usize, raw: bool) -> bool {
        let (text, what) = (self.text, self.what());
        let Some(quote) = quote_at(text, quotes) else {
            return false;
        };
        let Some(end) = ends(text, quotes + 1, quote.more_closers, what, self.outlook) else {
            return false;
        };
        let content = quotes + 1..end.body_end;
        if raw {
            return self.put_name("string-prefix", content, end.after);
        }
        let (inside, _) = respelt(text, content.start, content.end, '\'');
        self.put(
            "string-prefix",
            Value::String(decoded(&inside)),
            end.after,
            between_quotes(&inside),
        )
    }

    /// A call round one literal is that literal, round a container that container; others are their own text.
    fn call(&mut self, start: usize, inside: usize) -> bool {
        let text = self.text;
        let at = skip_space(text, inside);
        if let Some((value, spelling, end)) = argument(text, at) {
            return self.put("call", value, end, spelling);
        }
        if matches!(text.get(at), Some(b'{' | b'[' | b'(')) && !keeps_text(text, start) {
            self.open_parenthesis(false, self.machine.depth(), "call");
            self.machine.goto(start);
            return self.skip("call", at);
        }
        let end = call_end(text, inside).filter(|end| is_delimited(text, *end));
        end.is_some_and(|end| self.put_name("call", start..end, end))
    }

    fn open_parenthesis(&mut self, is_array: bool, depth: usize, code: &'static str) {
        self.parentheses.push(Parenthesis { is_array, depth, code });
    }

    /// A tuple is an array; parentheses round one scalar are nothing.
    fn parenthesis(&mut self) -> bool {
        let (pos, depth) = (self.machine.pos, self.machine.depth());
        if is_parenthesised(self.text, pos) {
            self.open_parenthesis(false, depth, "tuple");
            return self.skip("tuple", pos + 1);
        }
        if !self.may_go_deeper() {
            return false;
        }
        self.open_parenthesis(true, depth + 1, "tuple");
        self.replace("tuple", pos + 1, b'[')
    }

    fn close_parenthesis(&mut self) -> bool {
        let (pos, depth) = (self.machine.pos, self.machine.depth());
        while self.parentheses.last().is_some_and(|open| open.depth > depth) {
            self.parentheses.pop();
        }
        if self.parentheses.last().is_none_or(|open| open.depth != depth) {
            return false;
        }
        let Some(open) = self.parentheses.pop() else {
            return false;
        };
        if !open.is_array {
            return self.skip(open.code, pos + 1);
        }
        if self.machine.phase == Phase::Value {
            self.drop_comma(pos);
        }
        self.replace("tuple", pos + 1, b']')
    }

    /// Text without quotes.
    fn bare_value(&mut self, start: usize) -> bool {
        let (text, what) = (self.text, self.what());
        let Some((end, after)) = bare(text, start, what, !self.parentheses.is_empty()) else {
            return false;
        };
        let value = &text[start..end];
        if after == text.len() && end == after && what != What::Root {
            if HALF_LITERALS.iter().any(|word| word.starts_with(value)) {
                return self.lose(start);
            }
            self.cut = true;
        }
        if what == What::Member && after == end && is_decimal_comma(value) {
            let spelling = String::from_utf8_lossy(value).replace(',', ".");
            return match self.number(&spelling) {
                Some(number) => self.put("decimal-comma", number, end, spelling),
                None => false,
            };
        }
        let mut number = Scan::new(value, 0);
        number.one(any("+-"));
        number.word(".");
        let code = match number.sees(is_digit) {
            _ if after > end => "missing-quote",
            true => "number-text",
            false => "unquoted-value",
        };
        self.put_name(code, start..end, after)
    }

    // Names.

    fn guess_key(&mut self, here: char) -> bool {
        let (text, pos) = (self.text, self.machine.pos);
        if let Some(done) = self.anywhere(here) {
            return done;
        }
        if let Some(lone) = lone_key(text, pos).filter(|lone| is_value_ahead(text, lone.value)) {
            return self.lone_name(lone.range, here);
        }
        match here {
            _ if is_opener(here) => return self.weigh_string(pos, here),
            ',' => return self.skip("extra-comma", pos + 1),
            ']' | '}' => return self.closer(here as u8, true),
            '{' => return self.surplus_opener() || self.unclosed_before(pos),
            ':' => return false,
            '*' | '_' | '-' | '•' | '+' => {
                if let Some((name, end)) = bold_key(text, pos) {
                    return self.put_name("emphasis", name, end);
                }
                if self.mark() {
                    return true;
                }
            }
            _ => {}
        }
        if let Some(end) = half_quoted_key(text, pos) {
            return self.put_name("missing-quote", pos..end, end + 1);
        }
        if self.machine.phase == Phase::Key && self.again(Self::comma_was_text) {
            return true;
        }
        if let Some((end, _)) = stray_words(text, pos).filter(|(_, behind)| is_key_ahead(text, *behind)) {
            return self.skip("stray-text", end);
        }
        let name = loose_key(text, pos);
        name.is_some_and(|name| self.put_name("unquoted-key", name.clone(), name.end))
    }

    /// A name behind which a value stands and no colon, which is seen to next.
    fn lone_name(&mut self, name: Range<usize>, mark: char) -> bool {
        if !is_opener(mark) {
            return self.put_name("unquoted-key", name.clone(), name.end);
        }
        let closer = back(self.text, name.end, 1);
        let end = End::new(closer, name.end, "");
        self.put_string(name.start, name.start + mark.len_utf8(), end, mark, true, "")
    }

    /// `[{"a": 1, {`: where a name is due an item starts, so a closer is missing before the comma.
    fn unclosed_before(&mut self, pos: usize) -> bool {
        self.machine.phase == Phase::Key && self.starts_item(pos) && self.close_before_comma(b'}', pos)
    }

    /// Does the brace at `pos` open an object, and the innermost one stand in an array, which could hold it too?
    fn starts_item(&self, pos: usize) -> bool {
        let at = skip_space(self.text, pos + 1);
        self.machine.outer_kind() == Some(b'[') && is_name_ahead(self.text, at)
    }

    fn close_before_comma(&mut self, closer: u8, pos: usize) -> bool {
        let at = self.before_comma(pos);
        self.note_before("missing-closer", at..at, char::from(closer).to_string());
        self.machine.punct(closer, pos) && self.machine.punct(b',', pos)
    }

    /// `{{`: an object may not start with another.
    fn surplus_opener(&mut self) -> bool {
        let (text, pos) = (self.text, self.machine.pos);
        let at = skip_space(text, pos + 1);
        let goes_on = text.get(at) == Some(&b'{') || is_name_ahead(text, at);
        self.machine.phase == Phase::FirstKey && goes_on && self.skip("surplus-opener", pos + 1)
    }

    /// No name stands behind a comma: then it was part of the value before.
    fn comma_was_text(&mut self, last: &Last) -> bool {
        let (text, start) = (self.text, last.start);
        if let Some(quote) = quote_at(text, start) {
            let body = behind(text, start);
            let end = ends(text, body, quote.more_closers, What::Member, self.outlook);
            return end.is_some_and(|end| end.after > last.pos && self.read_anew(start, end));
        }
        if !char_at(text, start).is_some_and(is_number_start) {
            return false;
        }
        let end = bare(text, start, What::Member, !self.parentheses.is_empty());
        if end.is_none_or(|(_, after)| after <= last.pos) {
            return false;
        }
        self.forget_log(start);
        self.bare_value(start)
    }

    /// A string that the machine took to end elsewhere.
    fn read_anew(&mut self, start: usize, end: End) -> bool {
        let Some(mark) = char_at(self.text, start) else {
            return false;
        };
        self.forget_log(start);
        self.put_string(start, start + mark.len_utf8(), end, mark, true, "")
    }

    fn guess_colon(&mut self, here: char) -> bool {
        let (text, pos) = (self.text, self.machine.pos);
        if let Some(done) = self.anywhere(here) {
            return done;
        }
        let mut sign = Scan::new(text, pos);
        if sign.one_word(&["=>", "->", ":=", "="]) {
            return self.replace("wrong-colon", sign.at, b':');
        }
        let is_quoted = char_before(text, pos) == Some('"');
        if is_quoted && !any(",]}")(here) && self.again(Self::damaged_key) {
            return true;
        }
        if any("{[")(here) || is_value_ahead(text, pos) {
            return self.replace("missing-colon", pos, b':');
        }
        false
    }

    /// A name that lost its closing quote, or has quotes inside.
    fn damaged_key(&mut self, last: &Last) -> bool {
        let (text, start) = (self.text, last.start);
        if text[start] != b'"' {
            return false;
        }
        let is_empty = matches!(&last.scalar, Scalar::Key(key) if key.as_bytes().is_empty());
        if is_empty && self.restart(Layer::Doubled) {
            return true;
        }
        if let Some(name) = unclosed_key(text, start) {
            self.forget_log(start);
            return self.put_name("missing-quote", name.clone(), name.end);
        }
        let Some(end) = ends(text, start + 1, "\"", What::Key, self.outlook) else {
            return false;
        };
        if end.after <= last.pos || holds(text, b',', last.end, end.body_end) {
            return false;
        }
        self.read_anew(start, end)
    }

    // Behind a value.

    fn guess_next(&mut self, here: char) -> bool {
        let (text, pos, kind) = (self.text, self.machine.pos, self.machine.kind());
        let is_behind_quote = char_before(text, pos).is_some_and(is_quote);
        if here == ')' && self.parentheses.is_empty() && is_behind_quote {
            return self.again(Self::string_goes_on);
        }
        if let Some(done) = self.anywhere(here) {
            return done;
        }
        match here {
            ']' | '}' => return self.closer(here as u8, true),
            ';' if kind.is_some() => return self.replace("wrong-comma", pos + 1, b','),
            '+' if skip_space(text, pos + 1) == text.len() => return self.skip("concatenation", text.len()),
            '+' if self.again(Self::concatenation) => return true,
            ':' if kind == Some(b'[') && self.again(Self::name_in_array) => return true,
            _ => {}
        }
        let end = self.back(pos);
        let before = char_before(text, end);
        if here == '{' && kind == Some(b'{') && self.starts_item(pos) {
            self.note_before("missing-closer", end..end, "}");
            return self.machine.punct(b'}', pos);
        }
        if before.is_some_and(is_quote) {
            if self.again(Self::string_goes_on) || (end < pos && kind != Some(b'[') && self.stray_text()) {
                return true;
            }
        } else if !before.is_some_and(any("]}")) && self.again(Self::scalar_goes_on) {
            return true;
        }
        kind.is_some_and(|kind| self.comma_may_be_missing(here, kind, end)) && self.insert_comma()
    }

    fn comma_may_be_missing(&self, here: char, kind: u8, end: usize) -> bool {
        let (text, pos) = (self.text, self.machine.pos);
        let line_break = holds(text, b'\n', end, pos);
        if kind == b'{' {
            let is_name = || bare_key(text, pos).is_some() || half_quoted_key(text, pos).is_some();
            return is_key_ahead(text, pos) || (line_break && is_name());
        }
        if is_key_ahead(text, pos) {
            return false;
        }
        if is_opener(here) || any("{[(")(here) || (end < pos && is_number_start(here)) {
            return true;
        }
        let before = char_before(text, end);
        if before.is_some_and(is_quote) && end < pos && stray_words(text, pos).is_some() {
            return true;
        }
        // Words behind a container are no item.
        line_break && !before.is_some_and(any("]}")) && !any(":=")(here)
    }

    /// Text behind a string that looked closed: its quote was one of the text's.
    fn string_goes_on(&mut self, last: &Last) -> bool {
        let (text, start, pos) = (self.text, last.start, last.pos);
        let Some(quote) = quote_at(text, start).filter(|_| text.get(pos) != Some(&b':')) else {
            return false;
        };
        if text[start..].starts_with(b"\"\"\"") && self.triple(start, start, "triple-quotes") {
            return true;
        }
        let body = behind(text, start);
        let mut end = ends(text, body, quote.more_closers, self.what(), self.outlook);
        if end.is_none() && last.end == pos && is_alphanumeric_at(text, pos) {
            end = self.ends_at_delimiter(pos);
        } else if let Some(end) = end.filter(|_| behind(text, body) == pos && last.end == pos) {
            let mark = &text[start..body];
            let quotes = text[start..end.body_end]
                .windows(mark.len())
                .filter(|window| *window == mark);
            if quotes.count() == 2 {
                self.forget_log(start);
                let mark = char_at(text, start).unwrap_or('"');
                return self.put_string(start, pos, end, mark, true, "doubled-quotes");
            }
        }
        end.is_some_and(|end| end.after != last.end && self.read_anew(start, end))
    }

    /// An item that is a name: in `{"a": [1, "b": 2}` a closer is missing before its comma, in `[{"a": 1}, "b": 2}]` an opener
    /// behind that. The first item could be either.
    fn name_in_array(&mut self, last: &Last) -> bool {
        let start = last.start;
        if self.machine.phase != Phase::Value || quote_at(self.text, start).is_none() {
            return false;
        }
        let comma = self.before_comma(start);
        if self.machine.outer_kind() == Some(b'{') {
            self.close_before_comma(b']', start);
        } else if comma > 0 && self.text[comma - 1] == b'}' && self.may_go_deeper() {
            self.note("missing-opener", start..start, "{");
            self.machine.punct(b'{', start);
        } else {
            return false;
        }
        if let Scalar::Value(Value::String(name)) = &last.scalar {
            self.place_key(name.clone(), last.end); // if it is a duplicate that must not be, the machine says so where it stands
        }
        true
    }

    /// `"a" b, ...` where no quote can be the closing one: the text ends where an unquoted one would.
    fn ends_at_delimiter(&mut self, pos: usize) -> Option<End> {
        let (end, after) = bare(self.text, pos, self.what(), !self.parentheses.is_empty())?;
        self.cut = after == self.text.len();
        let code = match after == end {
            _ if self.cut => "truncated",
            true => "missing-quote",
            false => "",
        };
        Some(End::new(end, after, code))
    }

    /// Words behind a value or before a name that belong to neither.
    fn stray_text(&mut self) -> bool {
        let stray = stray_words(self.text, self.machine.pos);
        stray.is_some_and(|(end, _)| self.skip("stray-text", end))
    }

    /// Text behind a number or literal: `5 mg`, `1/3`, `0x1F`.
    fn scalar_goes_on(&mut self, last: &Last) -> bool {
        let (text, start, pos) = (self.text, last.start, last.pos);
        let is_number = char_at(text, pos).is_some_and(is_number_start);
        let listed = self.machine.kind() == Some(b'[') && last.end < pos && is_number;
        if listed || quote_at(text, start).is_some() {
            return false;
        }
        let end = bare(text, start, self.what(), !self.parentheses.is_empty());
        if end.is_none_or(|(_, after)| after <= pos) {
            return false;
        }
        self.forget_log(start);
        self.odd_number(start) || self.bare_value(start)
    }

    /// `"a" + "b"`: the whole chain is one edit.
    fn concatenation(&mut self, last: &Last) -> bool {
        let Scalar::Value(Value::String(first)) = &last.scalar else {
            return false;
        };
        let chain = joined(self.text, first, last.pos, self.what(), self.outlook);
        let Some((joined, after)) = chain else {
            return false;
        };
        self.forget_log(last.start);
        let spelling = quoted(joined.as_bytes());
        self.put("concatenation", Value::String(joined), after, spelling)
    }

    // Texts that were encoded once more.

    /// A quote that some layer escaped.
    fn backslash(&mut self) -> bool {
        let (text, pos, phase) = (self.text, self.machine.pos, self.machine.phase);
        if !text[pos..].starts_with(b"\\\"") || !(phase.is_value() || phase.is_key()) {
            return false;
        }
        let is_first = !self.peeled.contains(&Layer::Escapes) && !holds(text, b'"', self.start, pos);
        if is_first && self.restart(Layer::Escapes) {
            return true;
        }
        let mut end = self.outlook.find(text, b"\\\"", pos + 2);
        while let Some(found) = end.filter(|found| text[found - 1] == b'\\') {
            end = self.outlook.find(text, b"\\\"", found + 2);
        }
        let Some(end) = end else {
            return false;
        };
        let (content, _) = Layer::Escapes.taken_off(&text[pos + 2..end], usize::MAX);
        let content = content.as_bytes();
        let (spelling, _) = respelt(content, 0, content.len(), '"');
        self.put(
            "escaped-quotes",
            Value::String(decoded(&spelling)),
            end + 2,
            between_quotes(&spelling),
        )
    }

    /// Takes one layer of escaping off the text from the root's start, and reads that. It is one edit. So much is undone at a
    /// time as reading needs, twice as much each time, so it is linear. True if something came of it; else it is not tried
    /// again, and nowhere once more was read in vain than the text is long.
    fn restart(&mut self, layer: Layer) -> bool {
        if self.nested || self.peeled.contains(&layer) || !self.outlook.may_peel() {
            return false;
        }
        self.peeled.push(layer);
        let (text, start) = (self.text, skip_space(self.text, self.start));
        let (mut room, mut tried) = (LAYER_ROOM, 0);
        loop {
            let until = text.len().min(start + room);
            let mut raw = &text[start..until];
            if until < text.len() {
                let seam = raw.iter().rposition(|byte| matches!(byte, b'\n' | b' ' | b','));
                raw = &raw[..seam.filter(|seam| *seam > 0).unwrap_or(behind(raw, 0))];
            }
            tried += raw.len();
            let (plain, _) = layer.taken_off(raw, usize::MAX);
            let plain = plain.as_bytes();
            let mut outlook = Outlook::new(plain.len());
            let mut inner = Mender::new(plain, 0, self.options, Level::Full, &mut outlook);
            inner.nested = true;
            let mut inner = inner.read();
            let is_whole = inner.ending == Ending::Done && inner.end < plain.len();
            // Would it have stopped here too if the text went on?
            let is_sure = inner.fault_pos + FORESIGHT <= plain.len() && outlook.is_hopeful();
            if until < text.len() && !is_whole && !is_sure {
                room *= 2;
                continue;
            }
            if !matches!(inner.ending, Ending::Done | Ending::Starved) {
                self.outlook.peeled_in_vain(tried);
                return false;
            }
            let (_, length) = layer.taken_off(raw, inner.end);
            let inserted = applied(plain, inner.start..inner.end, &inner.repairs);
            inner.repairs = vec![Repair {
                code: layer.code(),
                range: start..start + length,
                inserted,
            }];
            (inner.start, inner.end) = (start, start + length);
            inner.covered = self.covered.max(until);
            self.restarted = Some(inner);
            return true;
        }
    }
}

/// Does `1,000` stand round the comma before `at`?
fn is_grouped_pair(text: &[u8], at: usize) -> bool {
    at >= 2
        && text[at - 1] == b','
        && text[at - 2].is_ascii_digit()
        && text[at..].len() >= 3
        && text[at..at + 3].iter().all(u8::is_ascii_digit)
}

/// Does a quote stand here that opens a string rather than closes one?
fn opens_prefixed(mut scan: Scan<'_>) -> bool {
    let is_quote = scan.one(any("\"'"));
    scan.run(8, is_gap);
    is_quote && !scan.sees(any(",}]"))
}

/// Are the marks of a fence all that is left of the text?
fn is_fence_tail(text: &[u8], at: usize) -> bool {
    let mut scan = Scan::new(text, at);
    let is_fence = (3..=64).contains(&scan.run(65, |each| each == '`'));
    scan.run(FEW, is_json_space);
    is_fence && scan.ends()
}

/// Steps over a short block comment.
fn remark(scan: &mut Scan<'_>) {
    let mut comment = *scan;
    if comment.word("/*") {
        comment.run(160, none("*"));
        if comment.word("*/") {
            comment.run(64, is_json_space);
            *scan = comment;
        }
    }
}

/// The string of a chain whose first ends before `after`, and the position behind the last; `None` if there is only one.
fn joined(text: &[u8], first: &Wtf8Buf, after: usize, what: What, outlook: &mut Outlook) -> Option<(Wtf8Buf, usize)> {
    let (mut whole, mut at) = (first.clone(), after);
    loop {
        let mut plus = Scan::new(text, at);
        plus.all(is_json_space);
        remark(&mut plus);
        let is_plus = plus.word("+");
        plus.all(is_json_space);
        remark(&mut plus);
        let part = plus
            .peek()
            .filter(|each| is_plus && any("\"'")(*each))
            .and_then(|mark| {
                let quote = quote_at(text, plus.at)?;
                let end = ends(text, plus.at + 1, quote.more_closers, what, outlook)?;
                Some((respelt(text, plus.at + 1, end.body_end, mark).0, end.after))
            });
        let Some((spelling, behind)) = part else {
            return (at > after).then_some((whole, at));
        };
        let part = decoded(&spelling);
        whole.push_wtf8(part.as_wtf8());
        at = behind;
    }
}

/// What stands between quotes at both ends of the text, with any others in it, as one string; `None` where they are no pair.
pub(crate) fn one_string(text: &[u8], options: &Options) -> Option<Reading> {
    let quote = quote_at(text, 0)?;
    let (mark, closer) = (char_at(text, 0)?, back(text, text.len(), 1));
    if closer < mark.len_utf8() || !quote.more_closers.contains(char_at(text, closer)?) {
        return None;
    }
    let mut outlook = Outlook::new(text.len());
    let mut reader = Mender::new(text, 0, options, Level::Full, &mut outlook);
    reader.put_string(0, mark.len_utf8(), End::new(closer, text.len(), ""), mark, true, "");
    reader.nested = true; // nothing stands behind it
    Some(reader.read())
}

/// The reading of a root that is a string or number, with the text behind it that belongs to it.
pub(crate) fn with_the_rest(text: &[u8], reading: Reading, outlook: &mut Outlook) -> Reading {
    let (start, end) = (reading.start, reading.end);
    let found = match &reading.value {
        None | Some(Value::Array(_) | Value::Object(_)) => None,
        Some(Value::String(first)) if quote_at(text, start).is_some() => {
            let chain = joined(text, first, end, What::Root, outlook);
            chain.map(|(whole, after)| ("concatenation", whole, after))
        }
        Some(Value::String(_)) => None,
        Some(_) => {
            let is_number = char_at(text, start).is_some_and(is_number_start);
            let goes_on = is_alphanumeric_at(text, end) || char_at(text, end).is_some_and(any("-/.:%_"));
            let found = (is_number && goes_on && comment_end(text, end, outlook) == end)
                .then(|| bare(text, start, What::Root, false))
                .flatten();
            found.map(|(end, after)| ("number-text", Wtf8::from_bytes(&text[start..end]).into(), after))
        }
    };
    let Some((code, whole, after)) = found else {
        return reading;
    };
    let repair = Repair {
        code,
        range: start..after,
        inserted: quoted(whole.as_bytes()),
    };
    Reading {
        repairs: vec![repair],
        ..Reading::strict(start..after, Some(Value::String(whole)))
    }
}
