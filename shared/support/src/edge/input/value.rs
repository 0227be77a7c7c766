//! The formats of single values: texts, words of a list, ids, times, numbers, flags.

use std::marker::PhantomData;
use std::ops::RangeInclusive;

use domain::error::DetailCode;
use domain::limits::metadata::is_storable;
use domain::limits::{TextKind, TextLimit};
use domain::models::{NamedId, Timestamp};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::Value;
use text::{BLANK, WireEnum};

use super::{FieldPath, Format, Or, or};

/// A text of so many characters.
#[derive(Debug, Clone, Copy)]
pub struct Text(pub(super) TextLimit);

/// A text of `min` to `max` characters; if `min` is not 0, white space and invisible characters alone are none.
#[must_use]
pub const fn text(min: usize, max: usize) -> Text {
    Text(TextLimit::prose(min, max))
}

/// A text of one line, for titles and names: no control and no bidirectional-formatting characters.
#[must_use]
pub const fn line(min: usize, max: usize) -> Text {
    Text(TextLimit::line(min, max))
}

/// A text within `limit`.
#[must_use]
pub const fn within(limit: TextLimit) -> Text {
    Text(limit)
}

impl Text {
    /// The same as a regular expression of ECMA-262, without the lengths.
    pub(super) fn pattern(self) -> String {
        let refused = match self.0.kind {
            TextKind::Prose => r"\u0000",
            TextKind::Line => r"\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069",
        };
        match self.0.min {
            0 => format!("^[^{refused}]*$"),
            _ => format!("^[^{refused}]*[^{BLANK}][^{refused}]*$"),
        }
    }

    pub(super) fn describe(self) -> Schema {
        let mut schema = json_schema!({"type": "string", "maxLength": self.0.max, "pattern": self.pattern()});
        if self.0.min > 0 {
            schema.insert("minLength".into(), self.0.min.into());
        }
        schema
    }

    /// At most `max_bytes` bytes of UTF-8, too.
    #[must_use]
    pub const fn max_bytes(self, max_bytes: usize) -> Bounded {
        Bounded { text: self, max_bytes }
    }

    /// Also validated by `check`, whose problems have the code `code`; `pattern` is as much of it as a regular
    /// expression can say.
    #[must_use]
    pub const fn checked<C>(self, code: DetailCode, check: C, pattern: &'static str) -> Checked<C>
    where
        C: Fn(&str) -> Result<(), &'static str>,
    {
        Checked { text: self, code, check, pattern }
    }
}

impl Format for Text {
    type Value = String;

    fn read(&self, value: &Value, at: &FieldPath<'_>) -> Option<String> {
        let Value::String(text) = value else { return at.wrong_type("a string") };
        match self.0.validate(text) {
            Ok(()) => Some(text.clone()),
            Err((code, message)) => at.refuse(code, message),
        }
    }

    fn schema(&self, _: &mut SchemaGenerator) -> Schema {
        self.describe()
    }
}

/// A text whose bytes are counted, too.
#[derive(Debug, Clone, Copy)]
pub struct Bounded {
    text: Text,
    max_bytes: usize,
}

impl Format for Bounded {
    type Value = String;

    fn read(&self, value: &Value, at: &FieldPath<'_>) -> Option<String> {
        let text = self.text.read(value, at)?;
        if text.len() > self.max_bytes {
            return at.refuse(DetailCode::TooLarge, format!("must be at most {} bytes of UTF-8", self.max_bytes));
        }
        Some(text)
    }

    fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        let mut schema = self.text.schema(generator);
        schema.insert("description".into(), format!("At most {} bytes of UTF-8.", self.max_bytes).into());
        schema
    }
}

/// A text with an additional check.
#[derive(Debug, Clone, Copy)]
pub struct Checked<C> {
    text: Text,
    code: DetailCode,
    check: C,
    pattern: &'static str,
}

impl<C: Fn(&str) -> Result<(), &'static str>> Format for Checked<C> {
    type Value = String;

    fn read(&self, value: &Value, at: &FieldPath<'_>) -> Option<String> {
        let text = self.text.read(value, at)?;
        match (self.check)(&text) {
            Ok(()) => Some(text),
            Err(message) => at.refuse(self.code, message),
        }
    }

    fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        let mut schema = self.text.schema(generator);
        schema.insert("pattern".into(), self.pattern.into());
        schema
    }
}

/// A text that stands for a value.
#[derive(Debug, Clone, Copy)]
pub struct Parsed<T, P> {
    parse: P,
    value: PhantomData<T>,
}

/// A text that `parse` turns into a value, whose schema is that of its type; the error is shown to people.
#[must_use]
pub const fn parsed<T, P>(parse: P) -> Parsed<T, P>
where
    P: Fn(&str) -> Result<T, &'static str>,
{
    Parsed { parse, value: PhantomData }
}

/// Reads a text that stands for a `T`.
pub type Parse<T> = fn(&str) -> Result<T, &'static str>;

/// A moment in RFC 3339.
#[must_use]
pub const fn timestamp() -> Parsed<Timestamp, Parse<Timestamp>> {
    parsed(|text| Timestamp::parse(text).ok_or("must be an RFC 3339 time such as 2026-01-02T03:04:05Z"))
}

impl<T: JsonSchema, P: Fn(&str) -> Result<T, &'static str>> Format for Parsed<T, P> {
    type Value = T;

    fn read(&self, value: &Value, at: &FieldPath<'_>) -> Option<T> {
        let Value::String(text) = value else { return at.wrong_type("a string") };
        (self.parse)(text).map_or_else(|message| at.refuse(DetailCode::InvalidFormat, message), Some)
    }

    fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }
}

/// See [`id`].
#[derive(Debug, Clone, Copy)]
pub struct Id<T>(PhantomData<T>);

/// The id of something that need not exist; a text that is no id is answered like one that does not exist.
#[must_use]
pub const fn id<T: JsonSchema + NamedId>() -> Id<T> {
    Id(PhantomData)
}

impl<T: JsonSchema + NamedId> Format for Id<T> {
    type Value = T;

    fn read(&self, value: &Value, at: &FieldPath<'_>) -> Option<T> {
        let Value::String(text) = value else { return at.wrong_type("a string") };
        Some(T::named(text))
    }

    fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }
}

/// A word of an enum of the contract.
#[derive(Debug, Clone, Copy)]
pub struct Choice<T>(PhantomData<T>);

/// One of the words of `T`.
#[must_use]
pub const fn choice<T: WireEnum>() -> Choice<T> {
    Choice(PhantomData)
}

impl<T: WireEnum> Format for Choice<T> {
    type Value = T;

    fn read(&self, value: &Value, at: &FieldPath<'_>) -> Option<T> {
        one_of(T::ALL.iter().map(|value| (value.as_str(), *value)), value, at)
    }

    fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }
}

/// Words that only this field has.
#[derive(Debug, Clone, Copy)]
pub struct Words<T: 'static>(&'static [(&'static str, T)]);

/// One of `words`, with what each of them stands for.
#[must_use]
pub const fn words<T: Copy>(words: &'static [(&'static str, T)]) -> Words<T> {
    Words(words)
}

impl<T: Copy> Format for Words<T> {
    type Value = T;

    fn read(&self, value: &Value, at: &FieldPath<'_>) -> Option<T> {
        one_of(self.0.iter().copied(), value, at)
    }

    fn schema(&self, _: &mut SchemaGenerator) -> Schema {
        let words: Vec<_> = self.0.iter().map(|(word, _)| *word).collect();
        json_schema!({"type": "string", "enum": words})
    }
}

/// What the word `value` stands for in `known`.
fn one_of<T>(known: impl Iterator<Item = (&'static str, T)> + Clone, value: &Value, at: &FieldPath<'_>) -> Option<T> {
    let Value::String(text) = value else { return at.wrong_type("a string") };
    let found = known.clone().find(|(word, _)| word == text).map(|(_, value)| value);
    let allowed = || known.map(|(word, _)| word).collect::<Vec<_>>().join(", ");
    found.or_else(|| at.refuse(DetailCode::NotAllowed, format!("must be one of {}", allowed())))
}

/// A whole number in a range.
#[derive(Debug, Clone, Copy)]
pub struct Integer {
    min: u32,
    max: u32,
}

impl Integer {
    /// With a number of its own if it is absent.
    #[must_use]
    pub const fn or(self, number: u32) -> Or<Self, u32> {
        or(self, number)
    }

    fn in_range(self, number: Option<u32>, at: &FieldPath<'_>) -> Option<u32> {
        let found = number.filter(|number| (self.min..=self.max).contains(number));
        found.or_else(|| at.out_of_range(self.min, self.max))
    }
}

/// A whole number in `range`, written without fraction or exponent.
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
        self.in_range(value.as_u64().and_then(|number| u32::try_from(number).ok()), at)
    }

    fn read_text(&self, given: &str, at: &FieldPath<'_>) -> Option<u32> {
        let unsigned = given.strip_prefix('-').unwrap_or(given);
        if unsigned.is_empty() || !unsigned.bytes().all(|b| b.is_ascii_digit()) {
            return at.refuse(DetailCode::WrongType, "must be a whole number in plain digits");
        }
        self.in_range(given.parse().ok(), at)
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
