//! One of a few words.

use std::marker::PhantomData;

use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::Value;

use super::{FieldPath, Format};
use ::text::WireEnum;
use domain::error::DetailCode;

/// A word of an enum of the contract.
#[derive(Debug, Clone, Copy)]
pub struct Choice<T>(PhantomData<T>);

/// One of the words of `T`.
#[must_use]
pub const fn choice<T: WireEnum>() -> Choice<T> {
    Choice(PhantomData)
}

impl<T: WireEnum> Choice<T> {
    /// The value of a word, or what is wrong with it.
    pub(crate) fn validate(text: &str) -> Result<T, String> {
        one_of(T::ALL.iter().map(|value| (value.as_str(), *value)), text)
    }
}

/// The value of `text` in `known`, or what is wrong with it.
fn one_of<T>(known: impl Iterator<Item = (&'static str, T)> + Clone, text: &str) -> Result<T, String> {
    let allowed = || known.clone().map(|(word, _)| word).collect::<Vec<_>>().join(", ");
    let found = known.clone().find(|(word, _)| *word == text).map(|(_, value)| value);
    found.ok_or_else(|| format!("must be one of {}", allowed()))
}

impl<T: WireEnum> Format for Choice<T> {
    type Value = T;

    fn read(&self, value: &Value, at: &FieldPath<'_>) -> Option<T> {
        let Value::String(text) = value else { return at.wrong_type("a string") };
        Self::validate(text).map_or_else(|message| at.refuse(DetailCode::NotAllowed, message), Some)
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

impl<T: Copy> Words<T> {
    /// The value of a word, or what is wrong with it.
    pub(crate) fn validate(self, text: &str) -> Result<T, String> {
        one_of(self.0.iter().copied(), text)
    }

    pub(crate) fn describe(self) -> Schema {
        let words: Vec<_> = self.0.iter().map(|(word, _)| *word).collect();
        json_schema!({"type": "string", "enum": words})
    }
}

impl<T: Copy> Format for Words<T> {
    type Value = T;

    fn read(&self, value: &Value, at: &FieldPath<'_>) -> Option<T> {
        let Value::String(text) = value else { return at.wrong_type("a string") };
        self.validate(text).map_or_else(|message| at.refuse(DetailCode::NotAllowed, message), Some)
    }

    fn schema(&self, _: &mut SchemaGenerator) -> Schema {
        self.describe()
    }
}
