//! How a body names the person behind a session: the same limits wherever one may be given.

use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value};

use super::{Checked, FieldPath, Format, Text, flag, object, optional, or, within};
use domain::error::DetailCode;
use domain::limits;
use domain::models::Visitor;
use text::is_invisible;

/// `externalUserId`: the visitor, as the tenant names it (a limit of ours).
#[must_use]
pub const fn external_user_id() -> Text {
    within(limits::EXTERNAL_USER_ID)
}

/// The name of a person.
const NAME: Text = within(limits::PERSON_NAME);

/// An e-mail address, as sent: what could be taken for two addresses, or for none, is refused.
const EMAIL: Checked<fn(&str) -> Result<(), &'static str>> =
    within(limits::PERSON_EMAIL).checked(DetailCode::InvalidFormat, email as _, EMAIL_PATTERN);

/// As much of [`email`] as a regular expression can say: of what cannot be seen, [`text::BLANK`].
const EMAIL_PATTERN: &str = r"^[^@,;<>\u0000- \u007f-\u00a0\u00ad\u034f\u061c\u115f-\u1160\u1680\u17b4-\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb]*@[^@,;<>\u0000- \u007f-\u00a0\u00ad\u034f\u061c\u115f-\u1160\u1680\u17b4-\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb]*$";

fn email(text: &str) -> Result<(), &'static str> {
    let refused =
        |c: char| c.is_whitespace() || c.is_control() || is_invisible(c) || c == '\u{FE0F}' || ",;<>".contains(c);
    if text.matches('@').count() != 1 {
        return Err("must have exactly one @");
    }
    if text.contains(refused) {
        return Err("must not contain white space, invisible characters, commas, semicolons or angle brackets");
    }
    Ok(())
}

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

/// `user`: the person behind a session; nobody where neither name nor address is said.
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

    fn normalized(&self, value: &Value) -> Value {
        let known = object::<VisitorIn>().normalized(value);
        if known.as_object().is_some_and(Map::is_empty) { Value::Null } else { known }
    }
}

/// See [`token_user`].
#[derive(Debug, Clone, Copy)]
pub struct TokenUserFormat;

/// `user` of a widget token; nobody where neither name nor address is said.
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

#[cfg(test)]
mod tests {
    use super::EMAIL_PATTERN;

    #[test]
    fn the_pattern_of_an_address_refuses_all_that_is_blank_on_both_sides_of_its_sign() {
        let part = format!("[^@,;<>{}]*", text::BLANK);
        assert_eq!(EMAIL_PATTERN, format!("^{part}@{part}$"));
    }
}
