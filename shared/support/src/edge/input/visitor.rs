//! How a body names the person behind a session: the same limits wherever one may be given.

use domain::error::DetailCode;
use domain::limits::{self, email};
use domain::models::Visitor;

use super::{Checked, Mapped, Object, Text, flag, object, optional, or, within};

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

crate::edge::body! {
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

crate::edge::body! {
    /// The person that a token names: verified in the sessions that its widget opens.
    #[derive(Debug)]
    pub struct TokenUserIn as "TokenUser" {
        /// The name.
        pub name: Option<String> = "name" => optional(NAME),
        /// The e-mail address.
        pub email: Option<String> = "email" => optional(EMAIL),
    }
}

/// `user`: the person behind a session; nobody if neither name nor address is said.
#[must_use]
pub const fn visitor() -> Mapped<Object<VisitorIn>, VisitorIn, Option<Visitor>> {
    Mapped { format: object(), map: |VisitorIn { name, email, verified }| Visitor::new(name, email, verified) }
}

/// `user` of a widget token; nobody if neither name nor address is said.
#[must_use]
pub const fn token_user() -> Mapped<Object<TokenUserIn>, TokenUserIn, Option<Visitor>> {
    Mapped { format: object(), map: |TokenUserIn { name, email }| Visitor::new(name, email, true) }
}
