//! The numbers of a JSON text that no double equals: `serde_json` reads the nearest double in their place.

use std::collections::BTreeSet;

/// The doubles, as bits, that stand for another number of `json`. It is linear in the length of `json`, which must be
/// valid JSON.
pub(crate) fn rounded(mut json: &[u8]) -> BTreeSet<u64> {
    let mut found = BTreeSet::new();
    while let Some((first, rest)) = json.split_first() {
        json = match first {
            b'"' => after_string(rest),
            b'-' | b'0'..=b'9' => {
                let length = json.iter().position(|byte| !is_of_number(*byte)).unwrap_or(json.len());
                let (number, rest) = json.split_at(length);
                found.extend(std::str::from_utf8(number).ok().and_then(nearest_other));
                rest
            }
            _ => rest,
        };
    }
    found
}

/// What follows a string, whose opening quote lies before `rest`.
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

/// The double, as bits, that `number` is read as, if it differs from `number`.
fn nearest_other(number: &str) -> Option<u64> {
    if number.parse::<i64>().is_ok() || number.parse::<u64>().is_ok() {
        return None;
    }
    let nearest: f64 = number.parse().ok()?;
    // The shortest digits that are read as this double: how it comes back.
    (digits_and_exponent(number) != digits_and_exponent(&format!("{nearest:e}"))).then(|| nearest.to_bits())
}

/// The significant digits of a decimal number as an integer, and the power of ten that it is multiplied by; the sign is
/// left out. Equal numbers have equal parts.
fn digits_and_exponent(number: &str) -> (String, i64) {
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{}{fraction}", whole.trim_start_matches('-'));
    let leading = all.trim_start_matches('0');
    let digits = leading.trim_end_matches('0');
    if digits.is_empty() {
        return (String::new(), 0);
    }
    let places = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    let exponent = exponent.parse().unwrap_or(i64::MAX).saturating_sub(places(fraction.len()));
    (digits.to_owned(), exponent.saturating_add(places(leading.len() - digits.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_rounded_unless_a_double_or_an_integer_of_64_bits_equals_it() {
        for kept in [
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
            "10000000000000000000000",
        ] {
            assert_eq!(rounded(kept.as_bytes()), BTreeSet::new(), "{kept}");
        }
        for (number, nearest) in [
            ("1e-400", 0.0_f64),
            ("-1e-400", -0.0),
            ("0.1234567890123456789012345", 0.123_456_789_012_345_68),
            ("0.10000000000000000001", 0.1),
            ("-9223372036854775809", -9_223_372_036_854_775_808.0),
            ("12345678901234567890123", 1.234_567_890_123_456_8e22),
        ] {
            assert_eq!(rounded(number.as_bytes()), BTreeSet::from([nearest.to_bits()]), "{number}");
        }
    }

    #[test]
    fn what_stands_in_a_string_is_no_number() {
        assert_eq!(rounded(br#"{"1e-400":"\"1e-400\\","b":[1.5,-2]}"#), BTreeSet::new());
        assert_eq!(rounded(br#"{"a":"\\","b":[1.5,{"c":1e-400}]}"#).len(), 1);
        assert_eq!(rounded(br#""1e-400"#), BTreeSet::new());
    }

    #[test]
    fn finding_rounded_numbers_is_linear() {
        growth::linear("rounded numbers", 65_536, ["1", "1.5,", "\"", "\\", "1e-400 ", "[", "-"], |text| {
            std::hint::black_box(rounded(text.as_bytes()));
        });
    }
}
