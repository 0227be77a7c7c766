//! Strict JSON: one object, no duplicate key, no trailing text, and only numbers that come back as they were sent.
//!
//! `serde_json::Value` silently keeps the last of two equal keys; this refuses them. It reads the nearest double in the place
//! of a number that is neither a 64-bit integer nor a double; [`has_inexact_number`] finds those. serde_json limits the depth
//! (127), numbers keep whether they were written as integers, and lone surrogates never become text.

use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

const BYTE_ORDER_MARK: &[u8] = "\u{FEFF}".as_bytes();

/// Reads `bytes` as one JSON object without duplicate keys. The error says what is wrong and where, and quotes nothing.
pub(crate) fn object(bytes: &[u8]) -> Result<Map<String, Value>, String> {
    if bytes.starts_with(BYTE_ORDER_MARK) {
        return Err("it begins with a byte order mark".to_owned());
    }
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let value = StrictValue.deserialize(&mut reader).map_err(cause)?;
    reader.end().map_err(cause)?;
    match value {
        Value::Object(map) => Ok(map),
        _ => Err("it is another value".to_owned()),
    }
}

/// The problem and its place. serde_json reports a high surrogate without a low one as an unexpected end.
fn cause(error: serde_json::Error) -> String {
    error.to_string().replace("unexpected end of hex escape", "lone surrogate in a hex escape")
}

struct StrictValue;

impl<'de> DeserializeSeed<'de> for StrictValue {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for StrictValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(StrictValue)? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            let value = entries.next_value_seed(StrictValue)?;
            if map.insert(key, value).is_some() {
                return Err(de::Error::custom("duplicate key"));
            }
        }
        Ok(Value::Object(map))
    }
}

/// Whether some number of `json`, which must be valid JSON, is neither a 64-bit integer nor has the digits of the shortest
/// form of an IEEE 754 double. It is linear in the length of `json`.
pub(crate) fn has_inexact_number(mut json: &[u8]) -> bool {
    while let Some((first, rest)) = json.split_first() {
        json = match first {
            b'"' => after_string(rest),
            b'-' | b'0'..=b'9' => {
                let length = json.iter().position(|byte| !is_of_number(*byte)).unwrap_or(json.len());
                let (number, rest) = json.split_at(length);
                if !std::str::from_utf8(number).is_ok_and(is_exact) {
                    return true;
                }
                rest
            }
            _ => rest,
        };
    }
    false
}

/// The rest after a string, whose opening quote lies before `rest`.
fn after_string(rest: &[u8]) -> &[u8] {
    let mut escaped = false;
    let closing = rest.iter().position(|byte| {
        let closes = *byte == b'"' && !escaped;
        escaped = *byte == b'\\' && !escaped;
        closes
    });
    closing.and_then(|quote| rest.get(quote + 1..)).unwrap_or_default()
}

const fn is_of_number(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E')
}

fn is_exact(number: &str) -> bool {
    if number.parse::<i64>().is_ok() || number.parse::<u64>().is_ok() {
        return true;
    }
    // Written in its shortest form, the nearest double has the same digits. Equal digits of other magnitude are no
    // other number: two powers of ten never have the same nearest double.
    number.parse::<f64>().is_ok_and(|nearest| significant_digits(number) == significant_digits(&format!("{nearest:e}")))
}

/// The digits of a decimal number without its sign, point, exponent, and zeros at both ends.
fn significant_digits(number: &str) -> String {
    let mantissa = number.split(['e', 'E']).next().unwrap_or(number);
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    digits.trim_matches('0').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: &[&str] = &[
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\"",
        "\"a\":",
        "\"b\":",
        "\\u0061",
        "\\ud83d",
        "\\ude00",
        "\\",
        "null",
        "true",
        "false",
        "0",
        "-0",
        "1e5",
        "1e999",
        "1.5",
        "-",
        "9007199254740993",
        "18446744073709551616",
        " ",
        "\n",
        "\u{0}",
        "é",
        "\u{FEFF}",
        "//",
    ];

    #[test]
    fn fuzzed_bodies() {
        fuzz::texts!(WORDS, |text| {
            for body in [text.to_owned(), format!("{{{text}}}"), format!("{{\"a\":{text}}}")] {
                let plain: Option<Value> = serde_json::from_str(&body).ok();
                match object(body.as_bytes()) {
                    // Any reader reads the same, also after the object is written again.
                    Ok(map) => {
                        let written = serde_json::to_vec(&map).unwrap();
                        assert_eq!(object(&written).as_ref(), Ok(&map), "{body}");
                        assert_eq!(plain, Some(Value::Object(map)), "{body}");
                    }
                    Err(error) => assert!(error.len() < 100, "{body}: {error}"),
                }
            }
        });
    }

    #[test]
    fn whatever_is_not_exactly_one_object_is_refused() {
        let deep_arrays = format!("{{\"a\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
        let deep_objects = format!("{}1{}", "{\"a\":".repeat(100_000), "}".repeat(100_000));
        let unclosed = "[".repeat(100_000);
        let depth_129 = format!("{{\"a\":{}{}}}", "[".repeat(128), "]".repeat(128));
        let bad: Vec<&[u8]> = vec![
            b"",
            b" ",
            b"null",
            b"true",
            b"1",
            b"\"x\"",
            b"[]",
            b"[\"x\"]",
            b"{\"a\":1,\"a\":2}",
            b"{\"a\":{\"b\":1,\"b\":1}}",
            b"{\"a\":[{\"b\":1,\"b\":1}]}",
            b"{\"a\":1,}",
            b"{'a':1}",
            b"{\"a\":1}//x",
            b"{/*x*/}",
            b"\xEF\xBB\xBF{}",
            b"{} x",
            b"{}{}",
            b"{}\0",
            b"{\"a\":\"\0\"}",
            b"{\"a\":\"\n\"}",
            b"{\"a\":\"\\ud800\"}",
            b"{\"a\":\"\\udc00\"}",
            b"{\"a\":\"\\udc00\\ud800\"}",
            b"{\"\\ud800\":1}",
            b"{\"a\":\"\xff\"}",
            b"{\"a\":\"\xc0\xaf\"}",
            b"{\"a\":\"\xed\xa0\x80\"}",
            b"{\0\"\0a\0\"\0:\x001\0}\0",
            b"{\"a\":\"\\x41\"}",
            b"{\"a\":NaN}",
            b"{\"a\":Infinity}",
            b"{\"a\":1e400}",
            b"{\"a\":01}",
            b"{\"a\":+1}",
            b"{\"a\":0x10}",
            b"{\"a\"}",
            b"{",
            deep_arrays.as_bytes(),
            deep_objects.as_bytes(),
            unclosed.as_bytes(),
            depth_129.as_bytes(),
        ];
        for body in bad {
            let shown = String::from_utf8_lossy(body.get(..40.min(body.len())).unwrap()).into_owned();
            assert!(object(body).is_err(), "{shown}");
        }
    }

    #[test]
    fn a_plain_object_is_read_whole() {
        let depth_127 = format!("{{\"a\":{}{}}}", "[".repeat(126), "]".repeat(126));
        let long_key = format!("{{\"{}\":1}}", "k".repeat(100_000));
        for good in ["{}", " {\"a\":1} \n", "{\"__proto__\":{}}", "{\"a\":\"\\ud83d\\ude00\"}", &depth_127, &long_key] {
            assert!(object(good.as_bytes()).is_ok(), "{}", good.chars().take(40).collect::<String>());
        }
        let read = object(br#"{"i":1,"f":1.0,"e":1e2,"z":-0,"b":true,"n":null,"t":["x"]}"#).unwrap();
        assert!(read["i"].is_i64() && read["f"].is_f64() && read["e"].is_f64() && read["z"].is_f64());
    }

    #[test]
    fn a_number_is_exact_if_it_is_an_integer_of_64_bits_or_has_the_digits_of_a_double() {
        for exact in [
            "0",
            "-0",
            "0e99999999999999999999",
            "1e5",
            "1E+5",
            "100.00",
            "0.10",
            "-1.50",
            "0.30000000000000004",
            "1.7976931348623157e308",
            "5e-324",
            "18446744073709551615",
            "-9223372036854775808",
            "12345678901234567890",
            "10000000000000000000000",
        ] {
            assert!(!has_inexact_number(exact.as_bytes()), "{exact}");
        }
        for inexact in [
            "1e-400",
            "-1e-400",
            "4e-324",
            "0.1234567890123456789012345",
            "0.10000000000000000001",
            "-9223372036854775809",
            "9007199254740993.5",
            "18446744073709551616",
            "12345678901234567890123",
        ] {
            assert!(has_inexact_number(inexact.as_bytes()), "{inexact}");
        }
    }

    #[test]
    fn digits_in_a_string_are_no_number() {
        assert!(!has_inexact_number(br#"{"1e-400":"\"1e-400\\","b":[1.5,-2]}"#));
        assert!(has_inexact_number(br#"{"a":"\\","b":[1.5,{"c":1e-400}]}"#));
        assert!(!has_inexact_number(br#""1e-400"#));
    }

    #[test]
    fn finding_an_inexact_number_is_linear() {
        growth::linear("inexact numbers", 65_536, ["1", "1.5,", "\"", "\\", "1e-400 ", "[", "-"], |text| {
            std::hint::black_box(has_inexact_number(text.as_bytes()));
        });
    }
}
