//! Values that stand without quotes: numbers as JSON does not write them, text, calls. Each function looks at the text
//! and says what is there.

use std::ops::Range;

use crate::number::Number;
use crate::quotes::{
    bare_key, between_quotes, decoded, half_quoted_key, is_bare_name, is_key_ahead, respelt, short_string, units, What,
};
use crate::reader::{number_end, skip_space};
use crate::scan::{
    any, back_over, char_at, is_digit, is_gap, is_json_space, is_space, is_word, none, starts_word, Scan,
};
use crate::value::Value;
use crate::wtf8::Wtf8Buf;

/// Within how much text a call's closing parenthesis is looked for.
const CALL_ROOM: usize = 4096;

/// The position behind what looks like a number at `at`.
pub(crate) fn number_like(text: &[u8], at: usize) -> Option<usize> {
    let mut scan = Scan::new(text, at);
    scan.one(any("+-"));
    let mut hex = scan;
    if hex.one_word(&["0x", "0X"]) && hex.run(64, |each| each.is_ascii_hexdigit()) > 0 {
        return Some(hex.at);
    }
    let is_grouped_digit = |each: char| is_digit(each) || each == '_';
    let has_whole = scan.one(is_digit);
    if has_whole {
        scan.all(is_grouped_digit);
        if scan.word(".") {
            scan.all(is_grouped_digit);
        }
    } else if !(scan.word(".") && scan.run(usize::MAX, is_digit) > 0) {
        return None;
    }
    let mut exponent = scan;
    if exponent.one(any("eE")) {
        exponent.one(any("+-"));
        if exponent.run(usize::MAX, is_digit) > 0 || has_whole {
            return Some(exponent.at);
        }
    }
    Some(scan.at)
}

/// Is it a JSON number but for `_` between digits?
pub(crate) fn is_grouped(token: &[u8]) -> bool {
    let grouped = |scan: &mut Scan<'_>| {
        let mut count = scan.run(usize::MAX, is_digit);
        while count > 0 {
            let mut next = *scan;
            if !(next.word("_") && next.run(usize::MAX, is_digit) > 0) {
                break;
            }
            *scan = next;
            count += 1;
        }
        count > 0
    };
    let mut scan = Scan::new(token, 0);
    scan.word("-");
    if !scan.word("0") && !grouped(&mut scan) {
        return false;
    }
    if scan.word(".") && !grouped(&mut scan) {
        return false;
    }
    if scan.one(any("eE")) {
        scan.one(any("+-"));
        if scan.run(usize::MAX, is_digit) == 0 {
            return false;
        }
    }
    scan.ends()
}

fn is_strict(token: &str) -> bool {
    matches!(token.as_bytes(), [b'-' | b'0'..=b'9', ..]) && number_end(token.as_bytes(), 0) == Ok(token.len())
}

/// The code for a number that JSON writes otherwise, and how JSON writes it; `number-text` where it is none to JSON, `None`
/// where it is one as it stands.
pub(crate) fn plain_number(token: &str) -> Option<(&'static str, String)> {
    if is_strict(token) {
        return None;
    }
    let text = Some(("number-text", token.to_owned()));
    let sign = if token.starts_with('-') { "-" } else { "" };
    let digits = token.trim_start_matches(['+', '-']);
    if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        return Some(("hex-number", format!("{sign}{}", decimal(hex))));
    }
    let mut code = if token.starts_with('+') { "plus-sign" } else { "" };
    let mut or = |other: &'static str| {
        if code.is_empty() {
            code = other;
        }
    };
    let mut digits = digits.to_owned();
    if digits.contains('_') {
        if !is_grouped(digits.as_bytes()) {
            return text;
        }
        digits.retain(|each| each != '_');
        or("digit-grouping");
    }
    if digits.starts_with('.') {
        digits.insert(0, '0');
        or("bare-point");
    }
    if digits.ends_with(['e', 'E', '+', '-']) {
        digits = format!("{}0", digits.trim_end_matches(['+', '-']));
        or("bare-exponent");
    }
    if let Some((whole, rest)) = digits.split_once('.').filter(|(_, rest)| !rest.starts_with(is_digit)) {
        digits = format!("{whole}.0{rest}");
        or("bare-point");
    }
    if !is_strict(&digits) {
        return text;
    }
    or("number-text");
    Some((code, format!("{sign}{digits}")))
}

/// A hexadecimal number in decimal. O(n^2) in its digits, which are at most 64.
fn decimal(hex: &str) -> String {
    let mut digits = vec![0u32]; // least significant first
    for each in hex.chars().filter_map(|each| each.to_digit(16)) {
        let mut carry = each;
        for digit in &mut digits {
            let sum = *digit * 16 + carry;
            (*digit, carry) = (sum % 10, sum / 10);
        }
        while carry > 0 {
            digits.push(carry % 10);
            carry /= 10;
        }
    }
    digits
        .iter()
        .rev()
        .filter_map(|digit| char::from_digit(*digit, 10))
        .collect()
}

/// Where the text without quotes ends that starts at `start`, and the position behind it; `None` where it is no text but an
/// expression, a name with its value in an array, or a bracket without its partner.
pub(crate) fn bare(text: &[u8], start: usize, what: What, in_parentheses: bool) -> Option<(usize, usize)> {
    let mut scan = Scan::new(text, start);
    loop {
        scan.all(none(",]}\n\"{[(#/:);，｝］"));
        let Some(here) = scan.peek() else { break };
        let at = scan.at;
        let behind = at + here.len_utf8();
        let before = at.checked_sub(1).filter(|_| at > start).map(|before| text[before]);
        let gap_before = matches!(before, Some(b' ' | b'\t'));
        match here {
            ']' | '}' | '\n' | '｝' | '］' => break,
            ',' | '，' if what != What::Member || member_ends(text, behind) => break,
            ')' if in_parentheses => break,
            ';' if is_text_end(text, behind) => break,
            '"' if before != Some(b'\\') => {
                if at > start && is_key_ahead(text, at) {
                    break;
                }
                if at > start && !gap_before && is_text_end(text, behind) {
                    return checked(text, start, at, Some(behind));
                }
            }
            '{' | '[' | '(' => {
                let group = if what != What::Root || here == '(' {
                    balanced_end(text, at)
                } else {
                    None
                };
                if let Some(end) = group {
                    scan.at = end;
                    continue;
                }
                if here != '(' {
                    return None;
                }
            }
            ':' => {
                let names = char_at(text, behind).is_some_and(any(" \"'\t"));
                if gap_before || (what != What::Member && names) {
                    return None;
                }
            }
            '#' if gap_before => break,
            '/' if gap_before && matches!(text.get(behind), Some(b'/' | b'*')) => break,
            _ => {}
        }
        scan.at = behind;
    }
    checked(text, start, scan.at, None)
}

fn checked(text: &[u8], start: usize, end: usize, after: Option<usize>) -> Option<(usize, usize)> {
    let end = back_over(text, start, end, usize::MAX, any(" \t\r"));
    if end == start || is_expression(&text[start..end]) {
        return None;
    }
    Some((end, after.unwrap_or(end)))
}

/// Does a comma before `pos` end a member: does a name, a closer, a comment or nothing follow?
fn member_ends(text: &[u8], pos: usize) -> bool {
    let at = skip_space(text, pos);
    char_at(text, at).is_none_or(any("}]/#,.…"))
        || is_key_ahead(text, at)
        || is_bare_name(text, at)
        || half_quoted_key(text, at).is_some()
}

fn is_text_end(text: &[u8], at: usize) -> bool {
    let mut scan = Scan::new(text, at);
    scan.run(64, is_gap);
    scan.ends() || scan.sees(any(",]})\n"))
}

/// Where a short bracketed part in one line ends.
fn balanced_end(text: &[u8], at: usize) -> Option<usize> {
    let mut scan = Scan::new(text, at);
    let (most, stops, closer) = match scan.peek()? {
        '[' => (64, "[]{}\"\n", "]"),
        '{' => (64, "[]{}\"\n", "}"),
        _ => (128, "()\n", ")"),
    };
    scan.at += 1;
    scan.run(most, none(stops));
    scan.word(closer).then_some(scan.at)
}

/// Operands and operators: `6 * 7`, `a + b`, `2^10`, `1 2`.
fn is_expression(text: &[u8]) -> bool {
    let operand = |each: char| is_word(each) || any(".()")(each);
    let decimal = |each: char| is_digit(each) || each == '.';
    let spaced = |mut scan: Scan<'_>, operators: &'static str| {
        let mut count = 0;
        while !scan.ends() {
            let is_pair = scan.run(usize::MAX, is_gap) > 0
                && scan.run(usize::MAX, any(operators)) > 0
                && scan.run(usize::MAX, is_gap) > 0
                && scan.run(usize::MAX, operand) > 0;
            if !is_pair {
                return false;
            }
            count += 1;
        }
        count > 0
    };
    let start = Scan::new(text, 0);
    let mut number = start;
    number.one(any("-+"));
    let signed = number;
    if number.one(is_digit) {
        number.all(operand);
        if spaced(number, "-+*/%^&|") {
            return true;
        }
    }
    let mut word = start;
    if word.run(usize::MAX, operand) > 0 && spaced(word, "+*/%^&|") {
        return true;
    }
    is_listed(start, |scan| scan.one(any("*+%^")) && scan.run(usize::MAX, decimal) > 0)
        || is_listed(signed, |scan| {
            let gap = scan.run(usize::MAX, is_gap) > 0;
            scan.one(any("-+"));
            gap && scan.run(usize::MAX, decimal) > 0
        })
}

/// Is it a decimal and then one or more of what `next` steps over?
fn is_listed(mut scan: Scan<'_>, next: impl Fn(&mut Scan<'_>) -> bool) -> bool {
    if scan.run(usize::MAX, |each| is_digit(each) || each == '.') == 0 || scan.ends() {
        return false;
    }
    while !scan.ends() {
        if !next(&mut scan) {
            return false;
        }
    }
    true
}

/// The literal that is the one argument of a call, how JSON spells it, and the position behind the parenthesis.
pub(crate) fn argument(text: &[u8], at: usize) -> Option<(Value, Wtf8Buf, usize)> {
    let start = Scan::new(text, at);
    let mut scan = start;
    let (value, spelling) = if scan.sees(any("\"'")) {
        let mark = scan.peek()?;
        scan.at += 1;
        let body = scan.at;
        units(&mut scan, 512, if mark == '"' { "\"" } else { "'" });
        let end = scan.at;
        if !scan.one(|each| each == mark) {
            return None;
        }
        let (spelling, _) = respelt(text, body, end, '\'');
        (Value::String(decoded(&spelling)), between_quotes(&spelling))
    } else if scan.one_word(&["true", "false", "null"]) {
        let word = &text[at..scan.at];
        let value = match word {
            b"null" => Value::Null,
            _ => Value::Bool(word == b"true"),
        };
        (value, String::from_utf8_lossy(word).into_owned().into())
    } else {
        scan.one(|each| each == '-');
        if !scan.word("0") && scan.run(65, is_digit) == 0 {
            return None;
        }
        let mut fraction = scan;
        if fraction.word(".") && fraction.run(64, is_digit) > 0 {
            scan = fraction;
        }
        let token = &text[at..scan.at];
        let number = Number::from_token(token);
        (
            Value::Number(number),
            String::from_utf8_lossy(token).into_owned().into(),
        )
    };
    scan.run(64, is_json_space);
    scan.word(")").then_some((value, spelling, scan.at))
}

/// The position behind the parenthesis that closes a call whose arguments start at `inside`, if it is within reach.
pub(crate) fn call_end(text: &[u8], inside: usize) -> Option<usize> {
    let mut scan = Scan::new(&text[..text.len().min(inside + CALL_ROOM)], inside);
    let mut depth = 1;
    loop {
        scan.all(none("()\"'"));
        match scan.peek()? {
            mark @ ('"' | '\'') if short_string(&mut scan, 512, mark) => continue,
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        scan.at += 1;
        if depth == 0 {
            return Some(scan.at);
        }
    }
}

/// The range of the bare name at `at` before its colon or `=`, which may hold blanks.
pub(crate) fn loose_key(text: &[u8], at: usize) -> Option<Range<usize>> {
    let mut scan = Scan::new(text, at);
    if !scan.one(|each| !is_space(each) && none("\"':,{}[]()#/\\")(each)) {
        return None;
    }
    for _ in 0..128 {
        let mut colon = scan;
        colon.run(64, is_gap);
        if colon.sees(|each| each == '=') || (colon.word(":") && !colon.sees(|each| each == '/')) {
            return Some(at..scan.at);
        }
        if !scan.one(none("\"':,{}[]()\n\\")) {
            return None;
        }
    }
    None
}

/// A bare name between marks of emphasis before a colon: its range, and the position behind the marks.
pub(crate) fn bold_key(text: &[u8], at: usize) -> Option<(Range<usize>, usize)> {
    let mut scan = Scan::new(text, at);
    let mark = scan.peek().filter(|each| any("*_")(*each))?;
    let width = scan.run(4, |each| each == mark);
    if width > 3 || (mark == '_' && width < 2) {
        return None;
    }
    let (marks, start) = (&text[at..scan.at], scan.at);
    if !scan.one(|each| !is_space(each) && none("*_\"':")(each)) {
        return None;
    }
    for _ in 0..128 {
        if text[scan.at..].starts_with(marks) {
            let behind = scan.at + marks.len();
            let mut colon = Scan::new(text, behind);
            colon.run(64, is_gap);
            if colon.sees(|each| each == ':') {
                return Some((start..scan.at, behind));
            }
        }
        if !scan.one(none("*\"':\n")) {
            return None;
        }
    }
    None
}

/// The range of a name that lacks its closing quote before its colon.
pub(crate) fn unclosed_key(text: &[u8], at: usize) -> Option<Range<usize>> {
    let mut scan = Scan::new(text, at);
    if !scan.one(any("\"'")) {
        return None;
    }
    let start = scan.at;
    let count = scan.run(64, |each| is_word(each) || any("$. -")(each));
    let end = scan.at;
    (count > 0 && scan.word(":")).then_some(start..end)
}

/// The position behind a list mark that stands before a string, container or member.
pub(crate) fn list_marker(text: &[u8], at: usize) -> Option<usize> {
    let mut scan = Scan::new(text, at);
    if !scan.one(any("-*•+")) || scan.run(usize::MAX, is_gap) == 0 {
        return None;
    }
    let is_name = || {
        let mut name = scan;
        name.one(starts_word) && {
            name.run(127, |each| is_word(each) || any("$-")(each));
            name.run(8, is_gap);
            name.sees(|each| each == ':')
        }
    };
    (scan.sees(any("\"'{[")) || is_name()).then_some(scan.at)
}

/// The position behind the opening parenthesis of a call.
pub(crate) fn call_start(text: &[u8], at: usize) -> Option<usize> {
    let start = Scan::new(text, at);
    let mut new = start;
    let has_new = new.word("new") && new.run(usize::MAX, is_gap) > 0;
    [has_new.then_some(new), Some(start)]
        .into_iter()
        .flatten()
        .find_map(|mut scan| {
            if !scan.one(starts_word) {
                return None;
            }
            scan.all(|each| is_word(each) || any("$.")(each));
            scan.one(is_gap);
            scan.word("(").then_some(scan.at)
        })
}

/// Is the call at `at` one whose argument is not its value?
pub(crate) fn keeps_text(text: &[u8], at: usize) -> bool {
    let mut scan = Scan::new(text, at);
    scan.all(|each| is_word(each) || each == '.');
    let names = &text[at..scan.at];
    let name = names.rsplit(|byte| *byte == b'.').next().unwrap_or(names);
    scan.one(is_gap);
    let known = ["OrderedDict", "defaultdict", "Counter", "deque", "namedtuple", "dict"];
    known.iter().any(|each| each.as_bytes() == name) && scan.word("(")
}

/// Is it a decimal fraction behind a comma? `1,000` could be a thousand and is none.
pub(crate) fn is_decimal_comma(value: &[u8]) -> bool {
    let mut scan = Scan::new(value, 0);
    scan.word("-");
    let is_zero = scan.word("0");
    if !is_zero && (scan.sees(|each| each == '0') || !(1..=16).contains(&scan.run(17, is_digit))) {
        return false;
    }
    if !scan.word(",") {
        return false;
    }
    let digits = scan.run(17, is_digit);
    scan.ends() && (matches!(digits, 1..=2 | 4..=16) || (is_zero && digits == 3))
}

/// A name that is not in double quotes, behind which a string stands and no colon.
pub(crate) struct LoneKey {
    /// The name, with its quotes if it has any.
    pub(crate) range: Range<usize>,
    /// Where the string starts.
    pub(crate) value: usize,
}

/// The name that stands here before a string and no colon.
pub(crate) fn lone_key(text: &[u8], at: usize) -> Option<LoneKey> {
    let mut scan = Scan::new(text, at);
    let (inside, closers) = match scan.peek()? {
        '\'' => ("'\\\n", "'"),
        '“' | '„' => ("“”\\\n", "“”"),
        each if starts_word(each) => ("", ""),
        _ => return None,
    };
    scan.one(|_| true);
    if closers.is_empty() {
        scan.run(63, |each| is_word(each) || any("$-")(each));
    } else if scan.run(128, none(inside)) == 0 || !scan.one(any(closers)) {
        return None;
    }
    let end = scan.at;
    let gap = scan.run(64, is_json_space);
    (gap > 0 && scan.sees(any("\"'“„"))).then_some(LoneKey {
        range: at..end,
        value: scan.at,
    })
}

/// Does one scalar between parentheses stand here?
pub(crate) fn is_parenthesised(text: &[u8], at: usize) -> bool {
    let mut scan = Scan::new(text, at);
    if !scan.word("(") {
        return false;
    }
    scan.run(64, is_json_space);
    let is_scalar = short_string(&mut scan, 256, '"')
        || short_string(&mut scan, 256, '\'')
        || (1..=64).contains(&scan.run(65, |each| is_word(each) || any("-.+")(each)));
    scan.run(64, is_json_space);
    is_scalar && scan.word(")")
}

/// Does a whole scalar that ends its member stand here?
pub(crate) fn is_value_ahead(text: &[u8], at: usize) -> bool {
    let start = Scan::new(text, at);
    let ends = |mut scan: Scan<'_>| {
        scan.run(64, is_json_space);
        scan.sees(any(",}"))
    };
    let mut scan = start;
    if short_string(&mut scan, 256, '"') || short_string(&mut scan, 256, '\'') {
        return ends(scan);
    }
    if scan.one(any("“„")) {
        scan.run(256, none("“”\n"));
        return scan.one(any("“”")) && ends(scan);
    }
    if scan.one_word(&["true", "false", "null", "True", "False", "None"]) {
        return ends(scan);
    }
    scan.one(|each| each == '-');
    if !scan.one(is_digit) {
        return false;
    }
    scan.run(64, |each| is_digit(each) || any(".eE+-")(each));
    ends(scan)
}

/// Does a member's name stand here, quoted or bare?
pub(crate) fn is_name_ahead(text: &[u8], at: usize) -> bool {
    is_key_ahead(text, at) || bare_key(text, at).is_some()
}
