//! Answers for this crate over the conformance corpus's adapter protocol: NDJSON on standard input
//! and output, one answer a request, in order.

mod options;
mod wire;

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::ExitCode;

use jsonscan::{
    extract_json, extract_json_object, find_all, parse, repair, search, try_extract_json, Expect, Match, Repaired,
    Source, Value, Wtf8Buf,
};

fn main() -> ExitCode {
    let input = BufReader::with_capacity(1 << 16, io::stdin());
    match converse(input, io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("jsonscan-adapter: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Answers each line until `bye` or the end. Answers leave together as long as whole requests wait.
fn converse(mut input: BufReader<impl Read>, mut output: impl Write) -> io::Result<()> {
    let (mut line, mut answers) = (Vec::new(), Vec::new());
    while input.read_until(b'\n', &mut line)? > 0 {
        let text = std::str::from_utf8(&line).ok();
        let request = text.and_then(|text| parse(text).ok()).unwrap_or(Value::Null);
        if request.get("bye").is_some() {
            break;
        }
        writeln!(answers, "{}", reply(&request))?;
        if !input.buffer().contains(&b'\n') {
            output.write_all(&answers)?;
            output.flush()?;
            answers.clear();
        }
        line.clear();
    }
    output.write_all(&answers)?;
    output.flush()
}

fn reply(request: &Value) -> String {
    if request.get("hello").is_some() {
        return hello();
    }
    let id = request.get("id").unwrap_or(&Value::Null);
    let result = answer(request).unwrap_or_else(|| outcome("unsupported"));
    format!(r#"{{"id":{id},{result}}}"#)
}

fn hello() -> String {
    let version = env!("CARGO_PKG_VERSION");
    let operations = concat!(
        r#"["json_parse","extract_json_object","extract_json","try_extract_json","#,
        r#""search","finditer","repair"]"#
    );
    let host = concat!(
        r#"{"strings":"utf8","ill_formed":"kept","integers":"exact","#,
        r#""numbers":"typed","key_order":"kept"}"#
    );
    format!(
        r#"{{"protocol":1,"implementation":"jsonscan-rust","version":"{version}","language":"rust","operations":{operations},"host":{host}}}"#
    )
}

/// The members of the answer after its id; `None` where the request asks for nothing known here.
fn answer(request: &Value) -> Option<String> {
    let operation = request.get("op")?.as_str()?;
    let Some(raw) = input(request.get("input")?) else {
        let is_encoding = matches!(operation, "search" | "finditer" | "repair") && is_bytes(request);
        return is_encoding.then(|| error("encoding"));
    };
    if matches!(operation, "search" | "finditer" | "repair") {
        let any = if operation == "repair" {
            Expect::Any
        } else {
            Expect::default()
        };
        let options = options::options(request.get("options")?, any)?;
        return Some(match operation {
            "search" => match search(&raw, &options) {
                Ok(Some(found)) => format!("{},{}", outcome("found"), match_of(&found)),
                Ok(None) => outcome("none"),
                Err(why) => error(why.code()),
            },
            "finditer" => match find_all(&raw, &options) {
                Ok(found) => {
                    let matches: Vec<String> = found.iter().map(|each| format!("{{{}}}", match_of(each))).collect();
                    format!(r#"{},"matches":[{}]"#, outcome("found"), matches.join(","))
                }
                Err(why) => error(why.code()),
            },
            _ => match repair(&raw, &options) {
                Ok(Some(repaired)) => repaired_of(&raw, &repaired),
                Ok(None) => error("no-json"),
                Err(why) => error(why.code()),
            },
        });
    }
    Some(match operation {
        "json_parse" => match parse(&raw) {
            Ok(value) => value_of(&value),
            Err(_) => error("syntax"),
        },
        "extract_json_object" => match extract_json_object(&raw) {
            same if same == raw.as_wtf8() => outcome("unchanged"),
            part => format!(r#"{},"text":{}"#, outcome("found"), wire::string(part)),
        },
        "extract_json" => match extract_json(&raw) {
            Ok(value) => value_of(&value),
            Err(why) => match why.preview() {
                Some(preview) => {
                    let preview = wire::string(preview.as_wtf8());
                    format!(r#"{},"preview":{preview}"#, error(why.code()))
                }
                None => error(why.code()),
            },
        },
        "try_extract_json" => match try_extract_json(&raw) {
            None | Some(Value::Null) => outcome("null"),
            Some(value) => value_of(&value),
        },
        _ => return None,
    })
}

/// The members of a match.
fn match_of(found: &Match) -> String {
    let repairs: Vec<String> = found.repairs.iter().map(|edit| format!("\"{}\"", edit.code)).collect();
    format!(
        r#""span":[{},{}],"value":{},"source":"{}","complete":{},"repairs":[{}]"#,
        found.range.start,
        found.range.end,
        wire::value(&found.value),
        found.place.as_str(),
        found.complete,
        repairs.join(",")
    )
}

/// The members of a repaired text. Its edits are in code points, whatever the host's unit.
fn repaired_of(raw: &Wtf8Buf, repaired: &Repaired) -> String {
    let (mut at, mut points) = (0, 0);
    let mut point = |to: usize| {
        points += wire::code_points(&raw.as_wtf8().as_bytes()[at.min(to)..to]);
        at = at.max(to);
        points
    };
    let edits = repaired.repairs.iter().map(|edit| {
        let (start, end) = (point(edit.range.start), point(edit.range.end));
        format!(r#"["{}",{start},{end}]"#, edit.code)
    });
    format!(
        r#"{},"value":{},"text":{},"repairs":[{}]"#,
        outcome("found"),
        wire::value(&repaired.value),
        wire::string(repaired.text.as_wtf8()),
        edits.collect::<Vec<_>>().join(",")
    )
}

/// Is the input of a request bytes?
fn is_bytes(request: &Value) -> bool {
    request.get("input").is_some_and(|input| input.get("bytes").is_some())
}

/// The text of a request's input; `None` for a value that is no text, or bytes that are no UTF-8.
fn input(input: &Value) -> Option<Wtf8Buf> {
    match (input.get("text"), input.get("utf16"), input.get("bytes")) {
        (Some(Value::String(text)), None, None) => Some(text.clone()),
        (None, Some(digits), None) => wire::from_utf16_hex(digits.as_str()?),
        (None, None, Some(digits)) => wire::from_utf8_hex(digits.as_str()?),
        _ => None,
    }
}

fn outcome(name: &str) -> String {
    format!(r#""outcome":"{name}""#)
}

fn error(code: &str) -> String {
    format!(r#"{},"code":"{code}""#, outcome("error"))
}

fn value_of(value: &Value) -> String {
    format!(r#"{},"value":{}"#, outcome("value"), wire::value(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(requests: &str) -> String {
        let mut output = Vec::new();
        converse(BufReader::new(requests.as_bytes()), &mut output).unwrap();
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn the_handshake_says_what_the_host_can_hold() {
        let hello = parse(answers("{\"hello\":1}\n").trim_end()).unwrap();
        assert_eq!(hello.get("protocol").unwrap().as_i64(), Some(1));
        assert_eq!(hello.get("operations").unwrap().as_array().unwrap().len(), 7);
        assert_eq!(
            hello.get("host").unwrap().get("ill_formed").unwrap().as_str(),
            Some("kept")
        );
    }

    #[test]
    fn each_operation_answers_in_its_own_form() {
        for (op, text, result) in [
            (
                "json_parse",
                "[1.5]",
                r#""outcome":"value","value":[{"$f":"3ff8000000000000"}]"#,
            ),
            ("json_parse", "[1,]", r#""outcome":"error","code":"syntax""#),
            ("extract_json_object", "a {} b", r#""outcome":"found","text":"{}""#),
            ("extract_json_object", "{}", r#""outcome":"unchanged""#),
            ("extract_json", "x [1]", r#""outcome":"value","value":[1]"#),
            ("extract_json", "", r#""outcome":"error","code":"invalid-input""#),
            (
                "extract_json",
                "x",
                r#""outcome":"error","code":"no-json","preview":"x""#,
            ),
            (
                "extract_json",
                "x[",
                r#""outcome":"error","code":"unbalanced","preview":"[""#,
            ),
            (
                "extract_json",
                "x[y]z",
                r#""outcome":"error","code":"parse-failed","preview":"[y]""#,
            ),
            ("try_extract_json", "x[", r#""outcome":"null""#),
            ("try_extract_json", "```null```", r#""outcome":"null""#),
            ("try_extract_json", "[null]", r#""outcome":"value","value":[null]"#),
            (
                "search",
                "- [2,]\\n x",
                r#""outcome":"found","span":[2,6],"value":[2],"source":"prose","complete":true,"repairs":["trailing-comma"]"#,
            ),
            ("search", "x", r#""outcome":"none""#),
            ("search", "[1", r#""outcome":"error","code":"truncated""#),
            (
                "finditer",
                "{} x",
                r#""outcome":"found","matches":[{"span":[0,2],"value":{},"source":"prose","complete":true,"repairs":[]}]"#,
            ),
            (
                "repair",
                r#"[\"\u00e9\",]"#,
                r#""outcome":"found","value":["\u00e9"],"text":"[\"\u00e9\"]","repairs":[["trailing-comma",4,5]]"#,
            ),
            ("repair", "[x]", r#""outcome":"error","code":"unexpected""#),
            ("repair", " ", r#""outcome":"error","code":"no-json""#),
            ("stream", "[]", r#""outcome":"unsupported""#),
        ] {
            let request = format!(r#"{{"id":7,"op":"{op}","input":{{"text":"{text}"}},"options":{{}}}}"#);
            assert_eq!(answers(&request), format!("{{\"id\":7,{result}}}\n"), "{op} {text}");
        }
    }

    #[test]
    fn inputs_come_in_three_forms_and_others_are_unsupported() {
        for (input, result) in [
            (
                r#"{"utf16":"005bd83d005d"}"#,
                r#""code":"parse-failed","preview":{"$u16":"005bd83d005d"}"#,
            ),
            (
                r#"{"bytes":"5bc3a95d"}"#,
                r#""code":"parse-failed","preview":"[\u00e9]""#,
            ),
            (r#"{"bytes":"5bc35d"}"#, r#""outcome":"unsupported""#),
            (r#"{"value":null}"#, r#""outcome":"unsupported""#),
        ] {
            let request = format!(r#"{{"id":1,"op":"extract_json","input":{input},"options":{{}}}}"#);
            assert!(answers(&request).contains(result), "{}", answers(&request));
        }
    }

    #[test]
    fn what_is_no_request_is_answered_too_and_bye_ends() {
        let unsupported = "\"outcome\":\"unsupported\"}\n";
        let requests = "{\"id\":3}\nnonsense\n{\"bye\":1}\n{\"id\":4}\n";
        assert_eq!(
            answers(requests),
            format!("{{\"id\":3,{unsupported}{{\"id\":null,{unsupported}")
        );
    }
}
