//! Reading a JSON object field by field: what reads a field is what describes it.
//!
//! A [`Format`] says what a value must be, and reads and describes it by the same numbers: [`text`], [`line()`],
//! [`choice`], [`list`], … A [`Member`] says whether it must be there: [`required`], [`optional`], [`or`], and in a
//! change [`clearable`] or [`replaceable`]. A [`Rule`] is about several fields at once. [`body!`](crate::body) makes the
//! type of a body of them.
//!
//! Every problem of a body is collected. Absent and `null` are the same and no problem by themselves, except in a change,
//! where `null` clears what may be empty and is a problem elsewhere. A wrong type, an
//! unknown value or a number out of range is a problem, never a guess. Unknown fields are never looked at, except in a
//! [`Closed`] object.

mod choice;
mod collection;
mod member;
mod number;
mod object;
mod place;
mod rule;
#[cfg(test)]
mod tests;
mod text;
mod visitor;

use schemars::{Schema, SchemaGenerator};
use serde_json::Value;

pub use choice::{Choice, Words, choice, words};
pub use collection::{Distinct, FlatMap, List, distinct, flat_map, list, list_between};
pub use member::{
    Change, Clearable, Flattened, Member, Optional, Or, Replaceable, Required, clearable, flattened, optional, or,
    replaceable, required,
};
pub use number::{Flag, Integer, Number, flag, integer, integer_in, number};
pub use object::{Object, ObjectSchema, nullable, object};
pub use place::{FieldPath, Fields};
pub use rule::{Alternative, AtLeastOne, AtLeastOneOf, Closed, ExactlyOne, RequiredUnless, Rule};
pub use text::{Bounded, Checked, Id, Parse, Parsed, Text, id, line, parsed, text, timestamp, within};
pub use visitor::{TokenUserIn, VisitorIn, external_user_id, token_user, visitor};

/// The format of a value.
pub trait Format {
    /// The parsed value.
    type Value;

    /// Reads `value`; `None` goes with a problem at `at`.
    fn read(&self, value: &Value, at: &FieldPath<'_>) -> Option<Self::Value>;

    /// The JSON schema of what is read.
    fn schema(&self, generator: &mut SchemaGenerator) -> Schema;
}
