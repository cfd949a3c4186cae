//! The adapter of NAME: fill in the functions of extract.rs, and leave this file as it is.

mod extract;

use extract::{Failure, Value};
use std::io::{BufRead, Write};

const HELLO: &str = r#"{"protocol":1,"implementation":"NAME","version":"0","language":"rust","operations":["json_parse","extract_json_object","extract_json","try_extract_json"],"host":{"strings":"utf16","ill_formed":"kept","integers":"exact","numbers":"typed","key_order":"kept"}}"#;
const DEEPEST: usize = 200;

fn quoted(text: &[u16], out: &mut String) {
    out.push('"');
    for &unit in text {
        match unit {
            0x22 | 0x5c => {
                out.push('\\');
                out.push(unit as u8 as char);
            }
            0x20..=0x7e => out.push(unit as u8 as char),
            _ => out.push_str(&format!("\\u{unit:04x}")),
        }
    }
    out.push('"');
}

fn string(text: &[u16], out: &mut String) {
    if char::decode_utf16(text.iter().copied()).all(|unit| unit.is_ok()) {
        return quoted(text, out);
    }
    out.push_str("{\"$u16\":\"");
    for unit in text {
        out.push_str(&format!("{unit:04x}"));
    }
    out.push_str("\"}");
}

fn scalar(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
        Value::String(text) => string(text, out),
        Value::Float(number) => out.push_str(&format!("{{\"$f\":\"{:016x}\"}}", number.to_bits())),
        Value::Integer(digits) => match digits.parse::<i64>() {
            Ok(number) if number.unsigned_abs() < 1 << 53 => out.push_str(digits),
            _ => out.push_str(&format!("{{\"$i\":\"{digits}\"}}")),
        },
        Value::Array(_) | Value::Object(_) => unreachable!("a container is no scalar"),
    }
}

/// Writes the tagged value; false when it is too deep to be sent as such.
fn tagged(value: &Value, depth: usize, out: &mut String) -> bool {
    match value {
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                if depth == DEEPEST || !tagged(item, depth + 1, out) {
                    return false;
                }
            }
            out.push(']');
        }
        Value::Object(members) => {
            out.push_str("{\"$o\":[");
            for (at, (key, item)) in members.iter().enumerate() {
                out.push_str(if at > 0 { ",[" } else { "[" });
                string(key, out);
                out.push(',');
                if depth == DEEPEST || !tagged(item, depth + 1, out) {
                    return false;
                }
                out.push(']');
            }
            out.push_str("]}");
        }
        _ => scalar(value, out),
    }
    true
}

enum Step<'a> {
    Value(&'a Value),
    Key(&'a [u16]),
    Closer(&'static str),
}

fn flat(value: &Value, out: &mut String) {
    out.push_str("{\"$flat\":[");
    let mut stack = vec![Step::Value(value)];
    let mut comma = "";
    while let Some(step) = stack.pop() {
        out.push_str(comma);
        comma = ",";
        match step {
            Step::Closer(text) => out.push_str(text),
            Step::Key(key) => {
                out.push_str("[\"k\",");
                string(key, out);
                out.push(']');
            }
            Step::Value(Value::Array(items)) => {
                out.push_str("\"[\"");
                stack.push(Step::Closer("\"]\""));
                stack.extend(items.iter().rev().map(Step::Value));
            }
            Step::Value(Value::Object(members)) => {
                out.push_str("\"{\"");
                stack.push(Step::Closer("\"}\""));
                for (key, item) in members.iter().rev() {
                    stack.push(Step::Value(item));
                    stack.push(Step::Key(key));
                }
            }
            Step::Value(inner) => {
                out.push_str("[\"v\",");
                scalar(inner, out);
                out.push(']');
            }
        }
    }
    out.push_str("]}");
}

fn value(value: &Value, out: &mut String) {
    out.push_str("\"outcome\":\"value\",\"value\":");
    let start = out.len();
    if !tagged(value, 0, out) {
        out.truncate(start);
        flat(value, out);
    }
}

fn operate(op: &str, text: &[u16], out: &mut String) -> Result<(), Failure> {
    match op {
        "json_parse" => value(&extract::json_parse(text)?, out),
        "extract_json" => value(&extract::extract_json(text)?, out),
        "try_extract_json" => match extract::try_extract_json(text)? {
            Value::Null => out.push_str("\"outcome\":\"null\""),
            found => value(&found, out),
        },
        "extract_json_object" => {
            let found = extract::extract_json_object(text)?;
            if found == text {
                out.push_str("\"outcome\":\"unchanged\"");
            } else {
                out.push_str("\"outcome\":\"found\",\"text\":");
                string(&found, out);
            }
        }
        _ => out.push_str("\"outcome\":\"unsupported\""),
    }
    Ok(())
}

/// A request, which is well-formed JSON in ASCII. Numbers and literals stay text.
enum Json {
    Word(String),
    String(Vec<u16>),
    Array,
    Object(Vec<(String, Json)>),
}

impl Json {
    fn get(&self, name: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => members
                .iter()
                .find(|(key, _)| key == name)
                .map(|(_, item)| item),
            _ => None,
        }
    }

    fn text(&self, name: &str) -> Option<Vec<u16>> {
        match self.get(name) {
            Some(Json::String(units)) => Some(units.clone()),
            _ => None,
        }
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn space(&mut self) -> u8 {
        while self.bytes[self.at] <= b' ' {
            self.at += 1;
        }
        self.bytes[self.at]
    }

    fn read(&mut self) -> Json {
        match self.space() {
            b'"' => Json::String(self.string()),
            b'{' => {
                let mut members = vec![];
                self.at += 1;
                while self.space() != b'}' {
                    let key = String::from_utf16_lossy(&self.string());
                    self.space();
                    self.at += 1;
                    members.push((key, self.read()));
                    if self.space() == b',' {
                        self.at += 1;
                    }
                }
                self.at += 1;
                Json::Object(members)
            }
            b'[' => {
                self.at += 1;
                while self.space() != b']' {
                    self.read();
                    if self.space() == b',' {
                        self.at += 1;
                    }
                }
                self.at += 1;
                Json::Array
            }
            _ => {
                let start = self.at;
                while self.at < self.bytes.len() && !b",]} ".contains(&self.bytes[self.at]) {
                    self.at += 1;
                }
                Json::Word(String::from_utf8_lossy(&self.bytes[start..self.at]).into_owned())
            }
        }
    }

    fn string(&mut self) -> Vec<u16> {
        let mut units = vec![];
        self.at += 1;
        while self.bytes[self.at] != b'"' {
            let mut unit = u16::from(self.bytes[self.at]);
            if unit == 0x5c {
                self.at += 1;
                unit = match self.bytes[self.at] {
                    b'b' => 8,
                    b'f' => 12,
                    b'n' => 10,
                    b'r' => 13,
                    b't' => 9,
                    b'u' => {
                        self.at += 4;
                        hex(&self.bytes[self.at - 3..=self.at])
                    }
                    other => u16::from(other),
                };
            }
            units.push(unit);
            self.at += 1;
        }
        self.at += 1;
        units
    }
}

fn hex(digits: &[u8]) -> u16 {
    digits.iter().fold(0, |sum, &digit| {
        sum * 16 + (digit as char).to_digit(16).unwrap_or(0) as u16
    })
}

fn given(input: &Json) -> Option<Vec<u16>> {
    if let Some(digits) = input.text("utf16") {
        let bytes: Vec<u8> = digits.iter().map(|&unit| unit as u8).collect();
        return Some(bytes.chunks(4).map(hex).collect());
    }
    input.text("text")
}

fn answer(request: &Json, out: &mut String) {
    let Some(Json::Word(id)) = request.get("id") else {
        panic!("a request without an id")
    };
    out.push_str(&format!("{{\"id\":{id},"));
    let op = String::from_utf16_lossy(&request.text("op").unwrap_or_default());
    let start = out.len();
    let result = match request.get("input").and_then(given) {
        Some(text) => operate(&op, &text, out),
        None => Err(Failure::Failed("an input that is no text".to_string())),
    };
    if let Err(failure) = result {
        out.truncate(start);
        match failure {
            Failure::Syntax => out.push_str("\"outcome\":\"error\",\"code\":\"syntax\""),
            Failure::Extract(code, preview) => {
                out.push_str(&format!("\"outcome\":\"error\",\"code\":\"{code}\""));
                if let Some(text) = preview {
                    out.push_str(",\"preview\":");
                    string(&text, out);
                }
            }
            Failure::Failed(message) => {
                out.push_str("\"outcome\":\"failed\",\"message\":");
                quoted(&message.encode_utf16().collect::<Vec<_>>(), out);
            }
        }
    }
    out.push('}');
}

fn main() -> std::io::Result<()> {
    let mut input = std::io::BufReader::with_capacity(1 << 18, std::io::stdin());
    let mut output = std::io::stdout().lock();
    let mut out = String::new();
    loop {
        let mut line = vec![];
        if input.read_until(b'\n', &mut line)? == 0 {
            std::process::exit(1);
        }
        let message = Reader {
            bytes: &line,
            at: 0,
        }
        .read();
        if message.get("bye").is_some() {
            output.write_all(out.as_bytes())?;
            return output.flush();
        }
        if message.get("hello").is_some() {
            out.push_str(HELLO);
        } else {
            answer(&message, &mut out);
        }
        out.push('\n');
        if input.buffer().is_empty() {
            output.write_all(out.as_bytes())?;
            output.flush()?;
            out.clear();
        }
    }
}
