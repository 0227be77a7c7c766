//! How a body names the person behind a session: the same fields and limits wherever one may be given.

use schemars::{Schema, SchemaGenerator};
use serde_json::Value;

use super::{FieldPath, Format, Text, line, object, optional};
use domain::models::Visitor;

/// `externalUserId`: the visitor, as the tenant names it (a limit of ours).
#[must_use]
pub const fn external_user_id() -> Text {
    line(1, 200)
}

crate::body! {
    /// The person behind a session.
    #[derive(Debug)]
    pub struct VisitorIn as "NewVisitor" {
        /// The name.
        pub name: Option<String> = "name" => optional(line(1, 100)),
        /// The e-mail address.
        pub email: Option<String> = "email" => optional(line(1, 254)),
    }
}

/// See [`visitor`].
#[derive(Debug, Clone, Copy)]
pub struct VisitorFormat;

/// `user`: the person behind a session; nobody where neither name nor address is said.
#[must_use]
pub const fn visitor() -> VisitorFormat {
    VisitorFormat
}

impl Format for VisitorFormat {
    type Value = Option<Visitor>;

    fn read(&self, value: &Value, at: &FieldPath<'_>) -> Option<Option<Visitor>> {
        let VisitorIn { name, email } = object::<VisitorIn>().read(value, at)?;
        Some(Some(Visitor { name, email }).filter(|visitor| *visitor != Visitor::default()))
    }

    fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        object::<VisitorIn>().schema(generator)
    }
}
