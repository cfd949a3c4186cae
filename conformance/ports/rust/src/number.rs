//! Numbers: integers keep their digits, everything else is the binary64 that JavaScript gives.

use std::fmt;

/// Integers of more digits than this become the infinity that JavaScript gives.
const MAX_DIGITS: usize = 4300;

/// Tokens up to this length go to the standard library's reader as they are.
const PLAIN_TOKEN: usize = 1000;

/// Significant digits that can decide a binary64; one more says whether any further digit counts.
const DECIDING_DIGITS: usize = 800;

/// A JSON number.
///
/// A token without `.`, `e` or `E` is an integer, but for `-0`, and keeps every digit up to 4,300
/// of them. Other tokens are binary64, so `-0` keeps its sign and `1e400` is infinite.
#[derive(Clone, Debug, PartialEq)]
pub enum Number {
    /// An integer that fits an `i64`.
    Int(i64),
    /// An integer that does not.
    BigInt(BigInt),
    /// Every other number.
    Float(f64),
}

/// An integer beyond `i64`, as its decimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BigInt {
    digits: Box<str>,
}

impl BigInt {
    /// The digits, most significant first, with a `-` before them when negative.
    pub fn as_str(&self) -> &str {
        &self.digits
    }
}

impl Number {
    /// The number of a token of JSON's grammar. O(n).
    pub(crate) fn from_token(token: &[u8]) -> Self {
        let text = std::str::from_utf8(token).expect("a number token is ASCII");
        let digits = text.strip_prefix('-').unwrap_or(text);
        let is_integer = digits.bytes().all(|byte| byte.is_ascii_digit()) && text != "-0";
        if !is_integer || digits.len() > MAX_DIGITS {
            return Self::Float(binary64(text));
        }
        match text.parse() {
            Ok(small) => Self::Int(small),
            Err(_) => Self::BigInt(BigInt { digits: text.into() }),
        }
    }

    /// The binary64 nearest to this number: the value JavaScript has for it. O(n) in the digits.
    pub fn as_f64(&self) -> f64 {
        match self {
            Self::Int(small) => *small as f64,
            Self::BigInt(big) => binary64(&big.digits),
            Self::Float(float) => *float,
        }
    }

    /// The integer, when it is one and fits.
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Self::Int(small) => Some(*small),
            _ => None,
        }
    }
}

/// JSON text that reads back as the same number: infinities are written as `1e999` and `-1e999`.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(small) => write!(f, "{small}"),
            Self::BigInt(big) => f.write_str(&big.digits),
            Self::Float(float) if float.is_finite() => write!(f, "{float:?}"),
            Self::Float(float) => f.write_str(if *float < 0.0 { "-1e999" } else { "1e999" }),
        }
    }
}

/// The binary64 nearest to a number of JSON's grammar.
///
/// The standard library stops counting an exponent after six digits, which a token long enough to
/// need more would show. So a long token is first cut to the digits that can decide.
fn binary64(token: &str) -> f64 {
    let plain = if token.len() <= PLAIN_TOKEN {
        token.parse()
    } else {
        shortened(token).parse()
    };
    plain.expect("JSON's numbers are among Rust's")
}

/// The token as `[-]digits e exponent`, equal to it as a binary64, in a bounded number of digits.
fn shortened(token: &str) -> String {
    let (sign, token) = if let Some(rest) = token.strip_prefix('-') {
        ("-", rest)
    } else {
        ("", token)
    };
    let (mantissa, exponent) = token.split_once(['e', 'E']).unwrap_or((token, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut digits: String = whole
        .chars()
        .chain(fraction.chars())
        .skip_while(|digit| *digit == '0')
        .collect();
    let mut scale = saturating_exponent(exponent).saturating_sub(fraction.len() as i64);
    if digits.len() > DECIDING_DIGITS {
        let rest = digits.split_off(DECIDING_DIGITS);
        scale = scale.saturating_add(rest.len() as i64);
        if rest.bytes().any(|digit| digit != b'0') {
            digits.push('1');
            scale = scale.saturating_sub(1);
        }
    }
    // Beyond these the value is zero or infinite whatever the digits.
    format!("{sign}0{digits}e{}", scale.clamp(-5000, 5000))
}

fn saturating_exponent(text: &str) -> i64 {
    let magnitude = text.trim_start_matches(['+', '-']);
    let magnitude = magnitude.bytes().fold(0i64, |sum, digit| {
        sum.saturating_mul(10).saturating_add(i64::from(digit - b'0'))
    });
    if text.starts_with('-') {
        -magnitude
    } else {
        magnitude
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(token: &str) -> Number {
        Number::from_token(token.as_bytes())
    }

    #[test]
    fn integers_keep_their_digits_up_to_the_bound() {
        assert_eq!(number("-9223372036854775808"), Number::Int(i64::MIN));
        let big = "9223372036854775808";
        assert!(matches!(number(big), Number::BigInt(digits) if digits.as_str() == big));
        let longest = format!("-{}", "7".repeat(4300));
        assert!(matches!(number(&longest), Number::BigInt(digits) if digits.as_str() == longest));
        assert_eq!(number(&format!("{longest}7")), Number::Float(f64::NEG_INFINITY));
        assert_eq!(number("9007199254740993").as_f64(), 9007199254740992.0);
        assert_eq!(number(&longest).as_f64(), f64::NEG_INFINITY);
    }

    #[test]
    fn other_numbers_are_binary64() {
        for (token, value) in [
            ("1.0", 1.0),
            ("1E5", 1e5),
            ("1e400", f64::INFINITY),
            ("3e-324", 5e-324),
            ("2e-324", 0.0),
        ] {
            assert_eq!(number(token), Number::Float(value), "{token}");
        }
        assert!(matches!(number("-0"), Number::Float(zero) if zero == 0.0 && zero.is_sign_negative()));
    }

    #[test]
    fn long_tokens_are_rounded_by_all_their_digits() {
        let zeros = "0".repeat(1_000_000);
        for (token, value) in [
            (format!("0.{zeros}1e1000001"), 1.0),
            (format!("1{zeros}e-1000000"), 1.0),
            (format!("-1{zeros}.5e-1000000"), -1.0),
            (format!("9007199254740993.{zeros}1"), 9007199254740994.0),
            (format!("9007199254740993.{zeros}0"), 9007199254740992.0),
            (format!("1e{zeros}1"), 10.0),
            (format!("1e-1{zeros}"), 0.0),
            (format!("1e1{zeros}"), f64::INFINITY),
            (format!("0e1{zeros}"), 0.0),
        ] {
            assert_eq!(binary64(&token), value, "{}...", &token[..20]);
        }
    }

    #[test]
    fn what_is_written_reads_back_the_same() {
        for token in [
            "0",
            "-0",
            "1.0",
            "1e21",
            "-1e400",
            "5e-324",
            "12345678901234567890",
            "0.1",
            "123456789.125",
        ] {
            let value = number(token);
            assert_eq!(number(&value.to_string()), value, "{token}");
        }
    }
}
