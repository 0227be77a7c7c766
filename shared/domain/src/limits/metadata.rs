//! The metadata of a session: flat, of strings, numbers and flags.

use serde_json::Value;

use super::TextLimit;
use crate::error::DetailCode;

/// A key.
pub const KEY: TextLimit = TextLimit::line(1, 100);
/// The most keys.
pub const MAX_KEYS: usize = 50;
/// The most bytes of JSON in all.
pub const MAX_BYTES: usize = 4_096;

/// The problem of a value, as its code and message; none if it is sound.
#[must_use]
pub fn value_problem(value: &Value) -> Option<(DetailCode, &'static str)> {
    match value {
        Value::Array(_) | Value::Object(_) | Value::Null => {
            Some((DetailCode::NotFlat, "values must be strings, numbers, true or false"))
        }
        Value::String(text) if text.contains('\0') => Some((DetailCode::InvalidCharacter, "must not contain U+0000")),
        Value::Number(_) if !is_storable(value) => {
            Some((DetailCode::OutOfRange, "numbers must be 0, or between 1e-130 and 2^64 without their sign"))
        }
        Value::String(_) | Value::Number(_) | Value::Bool(_) => None,
    }
}

/// Whether a number comes back as it was sent: not one of so many digits that it was read as something else, and
/// within what every store of ours can hold (DynamoDB: 1e-130 to 9.99e125).
#[must_use]
pub fn is_storable(number: &Value) -> bool {
    let sound = |float: f64| float == 0.0 || (1e-130..18_446_744_073_709_551_616.0).contains(&float.abs());
    !number.is_f64() || number.as_f64().is_some_and(sound)
}
