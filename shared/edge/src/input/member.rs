//! Whether a field must be there, and what its absence means.

use std::marker::PhantomData;

use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;
use serde_json::Value;

use super::{Fields, Format, ObjectSchema, nullable};
use crate::FromFields;
use domain::error::DetailCode;

/// A field of an object: its format, and whether it must be there.
pub trait Member {
    /// The parsed value.
    type Value;

    /// Reads the field `name`; `None` goes with a problem.
    fn read(&self, fields: &Fields<'_>, name: &'static str) -> Option<Self::Value>;

    /// Adds the field `name` to `object`.
    fn describe(&self, object: &mut ObjectSchema, name: &'static str, about: &str, generator: &mut SchemaGenerator);

    /// Whether `fields` say something of the field `name`.
    fn is_present(&self, fields: &Fields<'_>, name: &str) -> bool {
        fields.value(name).is_some()
    }
}

/// See [`required`].
#[derive(Debug, Clone, Copy)]
pub struct Required<F>(F);

/// A field that must be there, and not `null`.
#[must_use]
pub const fn required<F: Format>(format: F) -> Required<F> {
    Required(format)
}

impl<F: Format> Member for Required<F> {
    type Value = F::Value;

    fn read(&self, fields: &Fields<'_>, name: &'static str) -> Option<F::Value> {
        let place = fields.place().field(name);
        let Some(value) = fields.value(name) else { return place.refuse(DetailCode::Required, "is required") };
        self.0.read(value, &place)
    }

    fn describe(&self, object: &mut ObjectSchema, name: &'static str, about: &str, generator: &mut SchemaGenerator) {
        object.add(name, about, self.0.schema(generator));
        object.require(name);
    }
}

/// See [`optional`].
#[derive(Debug, Clone, Copy)]
pub struct Optional<F>(F);

/// A field that may be absent or `null`.
#[must_use]
pub const fn optional<F: Format>(format: F) -> Optional<F> {
    Optional(format)
}

impl<F: Format> Member for Optional<F> {
    type Value = Option<F::Value>;

    fn read(&self, fields: &Fields<'_>, name: &'static str) -> Option<Option<F::Value>> {
        Some(fields.value(name).and_then(|value| self.0.read(value, &fields.place().field(name))))
    }

    fn describe(&self, object: &mut ObjectSchema, name: &'static str, about: &str, generator: &mut SchemaGenerator) {
        object.add(name, about, nullable(self.0.schema(generator)));
    }
}

/// See [`or`].
#[derive(Debug, Clone, Copy)]
pub struct Or<F, V>(F, V);

/// A field that has a value of its own if it is absent or `null`.
#[must_use]
pub const fn or<F: Format>(format: F, value: F::Value) -> Or<F, F::Value> {
    Or(format, value)
}

impl<F: Format<Value = V>, V: Clone + Serialize> Member for Or<F, V> {
    type Value = V;

    fn read(&self, fields: &Fields<'_>, name: &'static str) -> Option<V> {
        let Some(value) = fields.value(name) else { return Some(self.1.clone()) };
        self.0.read(value, &fields.place().field(name))
    }

    fn describe(&self, object: &mut ObjectSchema, name: &'static str, about: &str, generator: &mut SchemaGenerator) {
        // In words: generators of clients take a field with a `default` for one that must be sent.
        let about = format!("{} By default `{}`.", about.trim_end(), plain(&serde_json::json!(self.1)));
        object.add(name, &about, nullable(self.0.schema(generator)));
    }
}

/// A value as people write it: a text without quotes.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A change of a value that may be empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Change<T> {
    /// The field was absent.
    #[default]
    Keep,
    /// The field was `null`.
    Clear,
    /// The field had a value.
    Set(T),
}

impl<T> Change<T> {
    /// The value that replaces `old`.
    #[must_use]
    pub fn of(self, old: Option<T>) -> Option<T> {
        match self {
            Self::Keep => old,
            Self::Clear => None,
            Self::Set(new) => Some(new),
        }
    }

    /// The new value, if the old one is to change.
    #[must_use]
    pub fn replacement(self) -> Option<Option<T>> {
        match self {
            Self::Keep => None,
            Self::Clear => Some(None),
            Self::Set(new) => Some(Some(new)),
        }
    }
}

/// See [`clearable`].
#[derive(Debug, Clone, Copy)]
pub struct Clearable<F>(F);

/// A field of a change: absent keeps the old value, `null` clears it.
#[must_use]
pub const fn clearable<F: Format>(format: F) -> Clearable<F> {
    Clearable(format)
}

impl<F: Format> Member for Clearable<F> {
    type Value = Change<F::Value>;

    fn read(&self, fields: &Fields<'_>, name: &'static str) -> Option<Self::Value> {
        if fields.is_null(name) {
            return Some(Change::Clear);
        }
        let Some(value) = fields.value(name) else { return Some(Change::Keep) };
        self.0.read(value, &fields.place().field(name)).map(Change::Set)
    }

    fn describe(&self, object: &mut ObjectSchema, name: &'static str, about: &str, generator: &mut SchemaGenerator) {
        object.add(name, about, nullable(self.0.schema(generator)));
    }

    fn is_present(&self, fields: &Fields<'_>, name: &str) -> bool {
        fields.contains(name)
    }
}

/// See [`replaceable`].
#[derive(Debug, Clone, Copy)]
pub struct Replaceable<F>(F);

/// A field of a change that is never empty: absent keeps the old value, `null` is refused.
#[must_use]
pub const fn replaceable<F: Format>(format: F) -> Replaceable<F> {
    Replaceable(format)
}

impl<F: Format> Member for Replaceable<F> {
    type Value = Option<F::Value>;

    fn read(&self, fields: &Fields<'_>, name: &'static str) -> Option<Self::Value> {
        let place = fields.place().field(name);
        if fields.is_null(name) {
            return place.refuse(DetailCode::Required, "must not be null; leave the field out to keep its value");
        }
        Some(fields.value(name).and_then(|value| self.0.read(value, &place)))
    }

    fn describe(&self, object: &mut ObjectSchema, name: &'static str, about: &str, generator: &mut SchemaGenerator) {
        object.add(name, about, self.0.schema(generator));
    }

    fn is_present(&self, fields: &Fields<'_>, name: &str) -> bool {
        fields.contains(name)
    }
}

/// See [`flattened`].
#[derive(Debug, Clone, Copy)]
pub struct Flattened<T>(PhantomData<T>);

/// The fields of another type, beside those of this one; the name is that of none of them.
#[must_use]
pub const fn flattened<T: FromFields + JsonSchema>() -> Flattened<T> {
    Flattened(PhantomData)
}

impl<T: FromFields + JsonSchema> Member for Flattened<T> {
    type Value = T;

    fn read(&self, fields: &Fields<'_>, _: &'static str) -> Option<T> {
        T::from_fields(fields)
    }

    fn describe(&self, object: &mut ObjectSchema, _: &'static str, _: &str, generator: &mut SchemaGenerator) {
        object.add_all(&T::json_schema(generator));
    }
}
