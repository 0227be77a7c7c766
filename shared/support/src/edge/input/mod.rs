//! Reading a JSON object field by field: what reads a field is what describes it.
//!
//! A [`Format`] says what a value must be, and reads and describes it by the same numbers: [`text()`], [`line()`],
//! [`choice`], [`list`], … A [`Member`] says whether it must be there: [`required`], [`optional`], [`or`], and in a
//! change [`clearable`] or [`replaceable`]. A [`Rule`] is about several fields at once. [`body!`](crate::edge::body!) makes the
//! type of a body of them.
//!
//! Every problem of a body is collected. Absent and `null` are the same and no problem by themselves, except in a change,
//! where `null` clears what may be empty and is a problem elsewhere. A wrong type, an
//! unknown value or a number out of range is a problem, never a guess. Unknown fields are never looked at, except in a
//! [`Closed`] object.

mod collection;
mod member;
mod rule;
#[cfg(test)]
mod tests;
mod value;
mod visitor;

use std::cell::RefCell;

use domain::error::{Detail, DetailCode};
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value};

pub use collection::{Distinct, FlatMap, List, Mapped, Object, distinct, flat_map, list, list_between, object};
pub(crate) use member::body;
pub use member::{
    Change, Clearable, Flattened, Member, ObjectSchema, Optional, Or, Replaceable, Required, clearable, flattened,
    nullable, optional, or, replaceable, required,
};
pub use rule::{Alternative, AtLeastOne, AtLeastOneOf, Closed, ExactlyOne, RequiredUnless, Rule};
pub use value::{
    Bounded, Checked, Choice, Flag, Id, Integer, Number, Parse, Parsed, Text, Words, choice, flag, id, integer,
    integer_in, line, number, parsed, text, timestamp, within, words,
};
pub use visitor::{TokenUserIn, VisitorIn, external_user_id, token_user, visitor};

/// The format of a value.
pub trait Format {
    /// The parsed value.
    type Value;

    /// Reads `value`; `None` goes with a problem at `at`.
    fn read(&self, value: &Value, at: &FieldPath<'_>) -> Option<Self::Value>;

    /// Reads the text of a query parameter; `None` goes with a problem at `at`.
    fn read_text(&self, given: &str, at: &FieldPath<'_>) -> Option<Self::Value> {
        self.read(&Value::String(given.to_owned()), at)
    }

    /// The JSON schema of what is read.
    fn schema(&self, generator: &mut SchemaGenerator) -> Schema;
}

/// A place in a body, as problems name it: `user.name`, `tags[3]`, or the whole.
#[derive(Debug, Clone)]
pub struct FieldPath<'a> {
    problems: &'a RefCell<Vec<Detail>>,
    path: String,
}

impl<'a> FieldPath<'a> {
    /// The whole body; problems are put into `problems`.
    pub(crate) const fn whole(problems: &'a RefCell<Vec<Detail>>) -> Self {
        Self { problems, path: String::new() }
    }

    /// The field `name` of the object here.
    #[must_use]
    pub fn field(&self, name: &str) -> Self {
        let dot = if self.path.is_empty() { "" } else { "." };
        Self { path: format!("{}{dot}{name}", self.path), ..*self }
    }

    /// The element `index` of the list here.
    #[must_use]
    pub fn item(&self, index: usize) -> Self {
        Self { path: format!("{}[{index}]", self.path), ..*self }
    }

    /// Reports a problem here.
    pub fn problem(&self, code: DetailCode, message: impl Into<String>) {
        let field = (!self.path.is_empty()).then(|| self.path.clone());
        self.problems.borrow_mut().push(Detail { field, code, message: message.into().into() });
    }

    /// Reports a problem here, in the place of a value.
    pub fn refuse<T>(&self, code: DetailCode, message: impl Into<String>) -> Option<T> {
        self.problem(code, message);
        None
    }

    pub(super) fn wrong_type<T>(&self, wanted: &str) -> Option<T> {
        self.refuse(DetailCode::WrongType, format!("must be {wanted}"))
    }

    pub(super) fn out_of_range<T>(&self, min: impl std::fmt::Display, max: impl std::fmt::Display) -> Option<T> {
        self.refuse(DetailCode::OutOfRange, format!("must be between {min} and {max}"))
    }
}

/// One JSON object being read.
#[derive(Debug, Clone)]
pub struct Fields<'a> {
    map: &'a Map<String, Value>,
    place: FieldPath<'a>,
}

impl<'a> Fields<'a> {
    pub(crate) const fn new(map: &'a Map<String, Value>, place: FieldPath<'a>) -> Self {
        Self { map, place }
    }

    /// The object's place.
    #[must_use]
    pub const fn place(&self) -> &FieldPath<'a> {
        &self.place
    }

    /// The names of all fields that are there.
    pub(super) fn names(&self) -> impl Iterator<Item = &'a str> {
        self.map.keys().map(String::as_str)
    }

    /// A field that is there and not `null`.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&'a Value> {
        self.map.get(name).filter(|value| !value.is_null())
    }

    /// Whether a field is there, `null` or not.
    #[must_use]
    pub fn contains(&self, name: &str) -> bool {
        self.map.contains_key(name)
    }

    /// Whether a field is there and `null`, by which a change clears what may be empty.
    #[must_use]
    pub fn is_null(&self, name: &str) -> bool {
        self.map.get(name).is_some_and(Value::is_null)
    }
}
