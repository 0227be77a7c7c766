//! Where in a body something stands, and what is wrong there.

use std::cell::RefCell;

use serde_json::{Map, Value};

use domain::error::{Detail, DetailCode};

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
