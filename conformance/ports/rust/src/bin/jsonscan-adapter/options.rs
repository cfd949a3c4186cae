//! The options of a request, as the protocol names them.

use jsonscan::{BigInts, DuplicateKeys, Expect, Level, Limits, Nonfinite, Options, Select, Truncated, Value};

/// The options, with this expectation where they hold none; `None` where there is one that is not known here, or a value of one.
pub fn options(wire: &Value, expect: Expect) -> Option<Options> {
    let mut options = Options {
        expect,
        ..Options::default()
    };
    let Value::Object(members) = wire else {
        return None;
    };
    for (name, value) in members.iter() {
        match name.as_str()? {
            "expect" => options.expect = choice(value, &EXPECT)?,
            "repair" => options.repair = choice(value, &REPAIR)?,
            "truncated" => options.truncated = choice(value, &TRUNCATED)?,
            "select" => options.select = choice(value, &SELECT)?,
            "duplicate_keys" => options.duplicate_keys = choice(value, &DUPLICATE_KEYS)?,
            "nonfinite" => options.nonfinite = choice(value, &NONFINITE)?,
            "big_int" => options.big_ints = choice(value, &BIG_INT)?,
            "fragments" => match value {
                Value::Bool(fragments) => options.fragments = *fragments,
                _ => return None,
            },
            "limits" => limits(value, &mut options.limits)?,
            _ => return None,
        }
    }
    Some(options)
}

const EXPECT: [(&str, Expect); 4] = [
    ("any", Expect::Any),
    ("object", Expect::Object),
    ("array", Expect::Array),
    ("container", Expect::Container),
];
const REPAIR: [(&str, Level); 3] = [("off", Level::Off), ("safe", Level::Safe), ("full", Level::Full)];
const TRUNCATED: [(&str, Truncated); 2] = [("raise", Truncated::Refuse), ("keep", Truncated::Keep)];
const SELECT: [(&str, Select); 5] = [
    ("answer", Select::Answer),
    ("first", Select::First),
    ("last", Select::Last),
    ("largest", Select::Largest),
    ("sole", Select::Sole),
];
const DUPLICATE_KEYS: [(&str, DuplicateKeys); 3] = [
    ("last", DuplicateKeys::Last),
    ("first", DuplicateKeys::First),
    ("raise", DuplicateKeys::Refuse),
];
const NONFINITE: [(&str, Nonfinite); 3] = [
    ("raise", Nonfinite::Refuse),
    ("allow", Nonfinite::Allow),
    ("null", Nonfinite::Null),
];
const BIG_INT: [(&str, BigInts); 3] = [
    ("exact", BigInts::Exact),
    ("float", BigInts::Float),
    ("str", BigInts::Text),
];

fn choice<T: Copy>(value: &Value, choices: &[(&str, T)]) -> Option<T> {
    let name = value.as_str()?;
    choices
        .iter()
        .find(|(choice, _)| *choice == name)
        .map(|(_, each)| *each)
}

fn limits(wire: &Value, limits: &mut Limits) -> Option<()> {
    let Value::Object(members) = wire else {
        return None;
    };
    for (name, value) in members.iter() {
        let bound = match name.as_str()? {
            "max_input" => &mut limits.max_input,
            "max_depth" => &mut limits.max_depth,
            "max_candidates" => &mut limits.max_candidates,
            "max_repairs" => &mut limits.max_repairs,
            "max_digits" => &mut limits.max_digits,
            _ => return None,
        };
        *bound = match value {
            Value::Null => None,
            _ => Some(usize::try_from(value.as_i64()?).ok().filter(|bound| *bound > 0)?),
        };
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_have_the_names_of_the_protocol() {
        let wire = r#"{"expect":"any","repair":"full","truncated":"keep","select":"sole","duplicate_keys":"first",
            "nonfinite":"null","big_int":"str","fragments":true,"limits":{"max_depth":null,"max_input":7}}"#;
        let known = options(&jsonscan::parse(wire).unwrap(), Expect::Object).unwrap();
        let mut wanted = Options {
            expect: Expect::Any,
            repair: Level::Full,
            truncated: Truncated::Keep,
            select: Select::Sole,
            duplicate_keys: DuplicateKeys::First,
            nonfinite: Nonfinite::Null,
            big_ints: BigInts::Text,
            fragments: true,
            ..Options::default()
        };
        (wanted.limits.max_depth, wanted.limits.max_input) = (None, Some(7));
        assert_eq!(known, wanted);
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for wire in [
            "[]",
            r#"{"other":1}"#,
            r#"{"repair":"some"}"#,
            r#"{"fragments":1}"#,
            r#"{"limits":{"max_depth":0}}"#,
            r#"{"limits":{"other":1}}"#,
        ] {
            assert_eq!(options(&jsonscan::parse(wire).unwrap(), Expect::Object), None, "{wire}");
        }
    }
}
