//! The few notions of JavaScript's that decide what the originals do.

use crate::wtf8::{decode, is_continuation};

/// JavaScript's white space: what its `\s` matches and its `trim` removes. Rust's `char` answers
/// otherwise for U+0085 and U+FEFF.
fn is_white_space(point: u32) -> bool {
    matches!(
        point,
        0x09..=0x0d
            | 0x20
            | 0xa0
            | 0x1680
            | 0x2000..=0x200a
            | 0x2028
            | 0x2029
            | 0x202f
            | 0x205f
            | 0x3000
            | 0xfeff
    )
}

/// The first position at or after `at` that is no white space, or the end.
pub(crate) fn skip_white_space(text: &[u8], mut at: usize) -> usize {
    while at < text.len() {
        let (point, width) = decode(text, at);
        if !is_white_space(point) {
            break;
        }
        at += width;
    }
    at
}

/// `text` without white space at both ends.
pub(crate) fn trim(text: &[u8]) -> &[u8] {
    let text = &text[skip_white_space(text, 0)..];
    let mut end = text.len();
    while let Some(last) = text[..end].iter().rposition(|byte| !is_continuation(*byte)) {
        if !is_white_space(decode(text, last).0) {
            break;
        }
        end = last;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHITE: &str = "\t\n\u{b}\u{c}\r \u{a0}\u{1680}\u{2000}\u{2001}\u{2002}\u{2003}\u{2004}\
                         \u{2005}\u{2006}\u{2007}\u{2008}\u{2009}\u{200a}\u{2028}\u{2029}\u{202f}\
                         \u{205f}\u{3000}\u{feff}";

    #[test]
    fn exactly_these_code_points_are_white_space() {
        let found: String = (0..0x11_0000)
            .filter(|point| is_white_space(*point))
            .filter_map(char::from_u32)
            .collect();
        assert_eq!(found, WHITE);
    }

    #[test]
    fn trimming_takes_white_space_of_every_width_from_both_ends_only() {
        let text = format!("{WHITE}\u{85}a{WHITE}b\u{200b}{WHITE}");
        assert_eq!(trim(text.as_bytes()), format!("\u{85}a{WHITE}b\u{200b}").as_bytes());
        assert_eq!(trim(WHITE.as_bytes()), b"");
        assert_eq!(trim(b""), b"");
    }
}
