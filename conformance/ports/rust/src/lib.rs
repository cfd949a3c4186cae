#![forbid(unsafe_code)]
#![doc = include_str!("../README.md")]

mod bare;
mod candidates;
mod choosing;
mod error;
mod guessing;
mod javascript;
mod labels;
mod landmarks;
mod layers;
mod machine;
mod mending;
mod number;
mod options;
mod originals;
mod quotes;
mod reader;
mod scan;
mod search;
mod shapes;
mod strict;
mod value;
mod whole;
mod wtf8;

pub use error::{ExtractError, SyntaxError};
pub use number::{BigInt, Number};
pub use options::{
    BigInts, DuplicateKeys, Expect, Level, Limits, Match, Nonfinite, Options, Place, Repair, SearchError, Select,
    Truncated,
};
pub use originals::{extract_json, extract_json_object, try_extract_json};
pub use search::{find_all, search};
pub use strict::parse;
pub use value::{Array, Event, Object, Value};
pub use whole::{repair, Repaired};
pub use wtf8::{Source, Wtf8, Wtf8Buf};
