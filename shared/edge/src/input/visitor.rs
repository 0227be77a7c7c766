//! How a body names the person behind a session: the same limits wherever one may be given.

use schemars::{Schema, SchemaGenerator};
use serde_json::Value;

use super::{Checked, FieldPath, Format, Text, flag, object, optional, or, within};
use domain::error::DetailCode;
use domain::limits::{self, email};
use domain::models::Visitor;

/// `externalUserId`: the visitor, as the tenant names it (a limit of ours).
#[must_use]
pub const fn external_user_id() -> Text {
    within(limits::EXTERNAL_USER_ID)
}

/// The name of a person.
const NAME: Text = within(limits::PERSON_NAME);

/// A check of a text.
type Check = fn(&str) -> Result<(), &'static str>;

/// An e-mail address, as sent.
const EMAIL: Checked<Check> =
    within(limits::PERSON_EMAIL).checked(DetailCode::InvalidFormat, email::parse as Check, email::PATTERN);

crate::body! {
    /// The person behind a session.
    #[derive(Debug)]
    pub struct VisitorIn as "NewVisitor" {
        /// The name.
        pub name: Option<String> = "name" => optional(NAME),
        /// The e-mail address.
        pub email: Option<String> = "email" => optional(EMAIL),
        /// Whether you vouch for both, because the person signed in with you. Ignored in a widget's body.
        pub verified: bool = "verified" => or(flag(), false),
    }
}

crate::body! {
    /// The person that a token names: verified in the sessions that its widget opens.
    #[derive(Debug)]
    pub struct TokenUserIn as "TokenUser" {
        /// The name.
        pub name: Option<String> = "name" => optional(NAME),
        /// The e-mail address.
        pub email: Option<String> = "email" => optional(EMAIL),
    }
}

/// See [`visitor`].
#[derive(Debug, Clone, Copy)]
pub struct VisitorFormat;

/// `user`: the person behind a session; nobody if neither name nor address is said.
#[must_use]
pub const fn visitor() -> VisitorFormat {
    VisitorFormat
}

impl Format for VisitorFormat {
    type Value = Option<Visitor>;

    fn read(&self, value: &Value, at: &FieldPath<'_>) -> Option<Option<Visitor>> {
        let VisitorIn { name, email, verified } = object::<VisitorIn>().read(value, at)?;
        Some(Visitor::new(name, email, verified))
    }

    fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        object::<VisitorIn>().schema(generator)
    }
}

/// See [`token_user`].
#[derive(Debug, Clone, Copy)]
pub struct TokenUserFormat;

/// `user` of a widget token; nobody if neither name nor address is said.
#[must_use]
pub const fn token_user() -> TokenUserFormat {
    TokenUserFormat
}

impl Format for TokenUserFormat {
    type Value = Option<Visitor>;

    fn read(&self, value: &Value, at: &FieldPath<'_>) -> Option<Option<Visitor>> {
        let TokenUserIn { name, email } = object::<TokenUserIn>().read(value, at)?;
        Some(Visitor::new(name, email, true))
    }

    fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        object::<TokenUserIn>().schema(generator)
    }
}
