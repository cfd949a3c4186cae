//! The errors, one type for the strict layer and one for extraction.

use std::error::Error;
use std::fmt;

use crate::wtf8::Wtf8Buf;

/// Why [`parse`](crate::parse) refused a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    pub(crate) offset: usize,
    pub(crate) ended: bool,
}

impl SyntaxError {
    /// The byte offset of the first character that no JSON text could have there, or of the end.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Did the text end inside a value? Otherwise a character is wrong.
    pub fn is_unexpected_end(&self) -> bool {
        self.ended
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if self.ended {
            "unexpected end of JSON"
        } else {
            "unexpected character in JSON"
        };
        write!(f, "{what} at byte {}", self.offset)
    }
}

impl Error for SyntaxError {}

/// Why [`extract_json`](crate::extract_json) found no value.
///
/// Printed, it is the message of the original; the reason of a failed parse is in this crate's
/// own words. Previews are parts of the input, cut after 200 or 300 UTF-16 code units; a pair that
/// the cut falls into leaves its lead surrogate, which prints as U+FFFD.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExtractError {
    /// The input is empty.
    InvalidInput,
    /// There is no `{` and no `[`.
    NoJson {
        /// The start of the input.
        preview: Wtf8Buf,
    },
    /// The first bracket is never closed.
    Unbalanced {
        /// The input from the first bracket on.
        preview: Wtf8Buf,
    },
    /// What the first bracket and its closer enclose is no JSON, and repair did not help.
    ParseFailed {
        /// Why, before the repair.
        cause: SyntaxError,
        /// The start of what they enclose.
        preview: Wtf8Buf,
    },
}

impl ExtractError {
    /// The error's name in the conformance corpus.
    pub fn code(&self) -> &'static str {
        match self {
            Self::InvalidInput => "invalid-input",
            Self::NoJson { .. } => "no-json",
            Self::Unbalanced { .. } => "unbalanced",
            Self::ParseFailed { .. } => "parse-failed",
        }
    }

    /// The part of the input that the message shows, if it shows one.
    pub fn preview(&self) -> Option<&Wtf8Buf> {
        match self {
            Self::InvalidInput => None,
            Self::NoJson { preview } | Self::Unbalanced { preview } | Self::ParseFailed { preview, .. } => {
                Some(preview)
            }
        }
    }
}

impl fmt::Display for ExtractError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InvalidInput => f.write_str("extractJson: input must be a non-empty string"),
            Self::NoJson { preview } => {
                f.write_str("extractJson: no JSON object or array found in response.\n")?;
                write!(f, "Response preview: {preview}")
            }
            Self::Unbalanced { preview } => {
                f.write_str("extractJson: unbalanced brackets in LLM response.\n")?;
                write!(f, "Response preview: {preview}")
            }
            Self::ParseFailed { cause, preview } => {
                f.write_str("extractJson: JSON.parse failed.\n")?;
                write!(f, "Error: SyntaxError: {cause}\nCandidate (first 300 chars): {preview}")
            }
        }
    }
}

impl Error for ExtractError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::ParseFailed { cause, .. } => Some(cause),
            _ => None,
        }
    }
}
