//! The formats of parameters.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;

use super::string::Query;
use crate::input::{Choice, Parsed, Words};
use ::text::{BLANK, WireEnum, is_blank};
use domain::error::DetailCode;

/// Control characters that no parameter has, in a class of a regular expression of ECMA-262.
const CONTROL: &str = r"\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f";

/// The format of a parameter: reads it, and describes it.
pub trait Parameter {
    /// The parsed value.
    type Value;

    /// Reads the parameter `name`, or reports what is wrong with it.
    fn read(&self, query: &Query, name: &str) -> Self::Value;

    /// The JSON schema of what is read.
    fn schema(&self, generator: &mut SchemaGenerator) -> Schema;

    /// With a value of its own if the parameter is absent.
    fn or<V>(self, value: V) -> Or<Self, V>
    where
        Self: Parameter<Value = Option<V>> + Sized,
    {
        Or(self, value)
    }
}

/// See [`Parameter::or`].
#[derive(Debug, Clone, Copy)]
pub struct Or<P, V>(P, V);

impl<P: Parameter<Value = Option<V>>, V: Clone + Serialize> Parameter for Or<P, V> {
    type Value = V;

    fn read(&self, query: &Query, name: &str) -> V {
        self.0.read(query, name).unwrap_or_else(|| self.1.clone())
    }

    fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        let mut schema = self.0.schema(generator);
        schema.insert("default".into(), serde_json::json!(self.1));
        schema
    }
}

/// See [`text()`].
#[derive(Debug, Clone, Copy)]
pub struct Text {
    min: usize,
    max: usize,
}

/// A text of `min` to `max` characters, none of them a control character; white space and invisible characters alone
/// are none.
#[must_use]
pub const fn text(min: usize, max: usize) -> Text {
    Text { min, max }
}

impl Parameter for Text {
    type Value = Option<String>;

    fn read(&self, query: &Query, name: &str) -> Option<String> {
        let Self { min, max } = self;
        let value = query.value(name)?;
        if !(*min..=*max).contains(&value.chars().count()) {
            return query.reject(name, DetailCode::OutOfRange, format!("must have {min} to {max} characters"));
        }
        if value.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
            return query.reject(name, DetailCode::InvalidCharacter, "must not contain control characters");
        }
        if is_blank(value) {
            return query.reject(name, DetailCode::Blank, "must contain a visible character");
        }
        Some(value.to_owned())
    }

    fn schema(&self, _: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string", "minLength": self.min, "maxLength": self.max,
            "pattern": format!("^[^{CONTROL}]*[^{BLANK}][^{CONTROL}]*$"),
        })
    }
}

/// See [`email`].
#[derive(Debug, Clone, Copy)]
pub struct Email(Text);

/// An e-mail address to look for, without white space: a `+` that is not percent-encoded is a space.
#[must_use]
pub const fn email() -> Email {
    Email(text(1, 254))
}

impl Parameter for Email {
    type Value = Option<String>;

    fn read(&self, query: &Query, name: &str) -> Option<String> {
        let value = self.0.read(query, name)?;
        if value.chars().any(char::is_whitespace) {
            let message = "must not contain white space; write + as %2B";
            return query.reject(name, DetailCode::InvalidCharacter, message);
        }
        Some(value)
    }

    fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        let mut schema = self.0.schema(generator);
        let refused = format!(r"\s{CONTROL}");
        schema.insert("pattern".into(), format!("^[^{refused}]*[^{BLANK}][^{refused}]*$").into());
        schema
    }
}

/// See [`integer`].
#[derive(Debug, Clone, Copy)]
pub struct Integer {
    min: u32,
    max: u32,
}

impl Integer {
    /// With a number of its own if the parameter is absent.
    #[must_use]
    pub const fn or(self, number: u32) -> Or<Self, u32> {
        Or(self, number)
    }
}

/// A whole number from `min` to `max`, in plain digits.
#[must_use]
pub const fn integer(min: u32, max: u32) -> Integer {
    Integer { min, max }
}

impl Parameter for Integer {
    type Value = Option<u32>;

    fn read(&self, query: &Query, name: &str) -> Option<u32> {
        let Self { min, max } = self;
        let value = query.value(name)?;
        let unsigned = value.strip_prefix('-').unwrap_or(value);
        if unsigned.is_empty() || !unsigned.bytes().all(|b| b.is_ascii_digit()) {
            return query.reject(name, DetailCode::WrongType, "must be a whole number in plain digits");
        }
        let in_range = value.parse::<u32>().ok().filter(|number| (min..=max).contains(&number));
        in_range.or_else(|| query.reject(name, DetailCode::OutOfRange, format!("must be between {min} and {max}")))
    }

    fn schema(&self, _: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "integer", "minimum": self.min, "maximum": self.max})
    }
}

impl<T: JsonSchema, P: Fn(&str) -> Result<T, &'static str>> Parameter for Parsed<T, P> {
    type Value = Option<T>;

    fn read(&self, query: &Query, name: &str) -> Option<T> {
        let value = query.value(name)?;
        self.parse(value).map_or_else(|message| query.reject(name, DetailCode::InvalidFormat, message), Some)
    }

    fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }
}

impl<T: WireEnum> Parameter for Choice<T> {
    type Value = Option<T>;

    fn read(&self, query: &Query, name: &str) -> Option<T> {
        let value = query.value(name)?;
        Self::validate(value).map_or_else(|message| query.reject(name, DetailCode::NotAllowed, message), Some)
    }

    fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }
}

impl<T: Copy> Parameter for Words<T> {
    type Value = Option<T>;

    fn read(&self, query: &Query, name: &str) -> Option<T> {
        let value = query.value(name)?;
        self.validate(value).map_or_else(|message| query.reject(name, DetailCode::NotAllowed, message), Some)
    }

    fn schema(&self, _: &mut SchemaGenerator) -> Schema {
        self.describe()
    }
}
