//! What a search is asked for, and what it gives.

use std::error::Error;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::value::Value;
use crate::wtf8::Wtf8Buf;

/// How to search. `Options::default()` takes an object or array, repaired where that is safe.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Options {
    /// The kind of value wanted.
    pub expect: Expect,
    /// What may be repaired.
    pub repair: Level,
    /// What becomes of a value that the end of the text cuts off.
    pub truncated: Truncated,
    /// Which of several values is the answer.
    pub select: Select,
    /// What two members of one name are.
    pub duplicate_keys: DuplicateKeys,
    /// What the words `NaN` and `Infinity` are.
    pub nonfinite: Nonfinite,
    /// What integers beyond 2^53 - 1 in magnitude become.
    pub big_ints: BigInts,
    /// Does [`find_all`](crate::find_all) give the values inside broken ones too?
    pub fragments: bool,
    /// The bounds.
    pub limits: Limits,
}

/// The kind of value wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Expect {
    /// An object or array.
    #[default]
    Container,
    /// An object.
    Object,
    /// An array.
    Array,
    /// Any value.
    Any,
}

/// What may be repaired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Level {
    /// Nothing.
    Off,
    /// What keeps all that was written and has one reading.
    #[default]
    Safe,
    /// What guesses as well.
    Full,
}

/// What becomes of a value that the end of the text cuts off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Truncated {
    /// It is the error [`SearchError::Truncated`].
    #[default]
    Refuse,
    /// It is given as far as it goes.
    Keep,
}

/// Which of several values is the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Select {
    /// The best by the ranking of the rules.
    #[default]
    Answer,
    /// The first.
    First,
    /// The last.
    Last,
    /// The one of the longest text.
    Largest,
    /// The only one; several are the error [`SearchError::Ambiguous`].
    Sole,
}

/// What two members of one name are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum DuplicateKeys {
    /// The last value, at the first one's place.
    #[default]
    Last,
    /// The first value.
    First,
    /// A fault.
    Refuse,
}

/// What the words `NaN` and `Infinity` are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Nonfinite {
    /// A fault.
    #[default]
    Refuse,
    /// The floats of that name.
    Allow,
    /// Nulls.
    Null,
}

/// What integers beyond 2^53 - 1 in magnitude become.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum BigInts {
    /// Exact integers.
    #[default]
    Exact,
    /// The nearest binary64.
    Float,
    /// Strings of their digits.
    Text,
}

/// Bounds; `None` is no bound. Passing one is the error [`SearchError::Limit`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Code points of text.
    pub max_input: Option<usize>,
    /// Open containers.
    pub max_depth: Option<usize>,
    /// Places at which a value is tried.
    pub max_candidates: Option<usize>,
    /// Edits in one value.
    pub max_repairs: Option<usize>,
    /// Digits of one integer.
    pub max_digits: Option<usize>,
}

impl Default for Limits {
    /// 1,000 containers, 10,000 edits, 4,300 digits, and no other bound.
    fn default() -> Self {
        Self {
            max_input: None,
            max_depth: Some(1000),
            max_candidates: None,
            max_repairs: Some(10_000),
            max_digits: Some(4300),
        }
    }
}

/// A JSON value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// The value.
    pub value: Value,
    /// The bytes of the text that it is.
    pub range: Range<usize>,
    /// What it stands in.
    pub place: Place,
    /// Inside a fence, the word behind the opening marks in lower case, empty where there is none.
    pub fence: Option<Arc<str>>,
    /// Is it whole? If not, the end of the text cuts it off.
    pub complete: bool,
    /// The edits that make it strict JSON, in text order.
    pub repairs: Vec<Repair>,
}

/// What a value stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Nothing else is in the text.
    Bare,
    /// A code fence.
    Fence,
    /// Directly behind an opening tag.
    Tag,
    /// Text.
    Prose,
    /// A broken value.
    Fragment,
}

impl Place {
    /// The name in the conformance corpus.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Bare => "bare",
            Self::Fence => "fence",
            Self::Tag => "tag",
            Self::Prose => "prose",
            Self::Fragment => "fragment",
        }
    }
}

/// One edit: these bytes of the text became `inserted`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// What was mended, in the words of the conformance corpus: `trailing-comma`, `single-quotes`.
    pub code: &'static str,
    /// The bytes of the text that were edited.
    pub range: Range<usize>,
    /// What stands there instead.
    pub inserted: Wtf8Buf,
}

/// Why [`search`](crate::search) gives no value though there is JSON in the text.
#[derive(Clone, Debug, PartialEq)]
pub enum SearchError {
    /// The answer is broken beyond the repairs allowed.
    Invalid {
        /// The fault: `unexpected`, `control`, `escape`, `number`, `literal` or `duplicate-key`.
        fault: &'static str,
        /// The byte of the text where strict reading could not go on.
        offset: usize,
    },
    /// The text ends inside the answer.
    Truncated {
        /// The value so far, if there is anything of it.
        partial: Option<Box<Value>>,
    },
    /// Different values compete.
    Ambiguous {
        /// The bytes of each, in text order.
        ranges: Vec<Range<usize>>,
    },
    /// A bound was passed.
    Limit {
        /// The name of the field of [`Limits`].
        limit: &'static str,
    },
}

impl SearchError {
    /// The error's name in the conformance corpus.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Invalid { fault, .. } => fault,
            Self::Truncated { .. } => "truncated",
            Self::Ambiguous { .. } => "ambiguous",
            Self::Limit { .. } => "limit",
        }
    }
}

impl fmt::Display for SearchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid { fault, offset } => write!(f, "the JSON in the text is broken at byte {offset} ({fault})"),
            Self::Truncated { .. } => f.write_str("the text ends inside the value"),
            Self::Ambiguous { ranges } => write!(f, "{} different values compete", ranges.len()),
            Self::Limit { limit } => write!(f, "the text passes the limit {limit}"),
        }
    }
}

impl Error for SearchError {}
