//! Texts: what people write, names of one line, ids, times, and whatever else a text may stand for.

use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::Value;

use super::{FieldPath, Format};
use domain::error::DetailCode;
use domain::limits::{TextKind, TextLimit};
use domain::models::{NamedId, Timestamp};
use text::BLANK;

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

impl<T, P: Fn(&str) -> Result<T, &'static str>> Parsed<T, P> {
    /// The value that `text` stands for, or what is wrong with it.
    pub(crate) fn parse(&self, text: &str) -> Result<T, &'static str> {
        (self.parse)(text)
    }
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
        self.parse(text).map_or_else(|message| at.refuse(DetailCode::InvalidFormat, message), Some)
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
