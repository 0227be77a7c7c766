//! The numbers of a JSON text that come back as they were sent. `serde_json` reads the nearest double in the place of
//! all others.

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
