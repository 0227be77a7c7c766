//! Numbers and flags.

use std::ops::RangeInclusive;

use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::Value;

use super::{FieldPath, Format};
use domain::limits::metadata::is_storable;

/// A whole number in a range.
#[derive(Debug, Clone, Copy)]
pub struct Integer {
    min: u32,
    max: u32,
}

/// A whole number from `min` to `max`, written without fraction or exponent.
#[must_use]
pub const fn integer_in(range: &RangeInclusive<u32>) -> Integer {
    Integer { min: *range.start(), max: *range.end() }
}

/// A whole number from `min` to `max`, written without fraction or exponent.
#[must_use]
pub const fn integer(min: u32, max: u32) -> Integer {
    Integer { min, max }
}

impl Format for Integer {
    type Value = u32;

    fn read(&self, value: &Value, at: &FieldPath<'_>) -> Option<u32> {
        if !value.is_i64() && !value.is_u64() {
            return at.wrong_type("a whole number");
        }
        let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
        let found = number.filter(|number| (self.min..=self.max).contains(number));
        found.or_else(|| at.out_of_range(self.min, self.max))
    }

    fn schema(&self, _: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "integer", "minimum": self.min, "maximum": self.max})
    }
}

/// A number in a range.
#[derive(Debug, Clone, Copy)]
pub struct Number {
    min: f64,
    max: f64,
}

/// A number from `min` to `max`.
#[must_use]
pub const fn number(min: f64, max: f64) -> Number {
    Number { min, max }
}

impl Format for Number {
    type Value = f64;

    fn read(&self, value: &Value, at: &FieldPath<'_>) -> Option<f64> {
        let Some(number) = value.as_f64() else { return at.wrong_type("a number") };
        if (self.min..=self.max).contains(&number) && is_storable(value) {
            Some(number)
        } else {
            at.out_of_range(self.min, self.max)
        }
    }

    fn schema(&self, _: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "number", "minimum": self.min, "maximum": self.max})
    }
}

/// As much of [`is_storable`] as a schema can say.
pub(super) fn storable_number() -> Schema {
    json_schema!({
        "type": "number", "exclusiveMinimum": -18_446_744_073_709_551_616.0, "exclusiveMaximum": 18_446_744_073_709_551_616.0,
    })
}

/// `true` or `false`.
#[derive(Debug, Clone, Copy)]
pub struct Flag;

/// `true` or `false`.
#[must_use]
pub const fn flag() -> Flag {
    Flag
}

impl Format for Flag {
    type Value = bool;

    fn read(&self, value: &Value, at: &FieldPath<'_>) -> Option<bool> {
        value.as_bool().or_else(|| at.wrong_type("true or false"))
    }

    fn schema(&self, _: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "boolean"})
    }
}
