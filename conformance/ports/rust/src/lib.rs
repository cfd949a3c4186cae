#![forbid(unsafe_code)]
#![doc = include_str!("../README.md")]

mod error;
mod javascript;
mod number;
mod originals;
mod reader;
mod strict;
mod value;
mod wtf8;

pub use error::{ExtractError, SyntaxError};
pub use number::{BigInt, Number};
pub use originals::{extract_json, extract_json_object, try_extract_json};
pub use strict::parse;
pub use value::{Array, Event, Object, Value};
pub use wtf8::{Source, Wtf8, Wtf8Buf};
