//! Authentication.
//!
//! An [`Authenticator`] turns a credential into a [`Principal`](domain::access::Principal): an API key by its hash in
//! the table, a widget token by its signature and all of its claims, a desk token by these and by its member, which is read
//! for every request.

mod authenticate;
mod desk_token;
mod desk_tokens;
mod revoked_keys;
mod tenant_status;
mod token_shape;
mod widget_token;
mod widget_tokens;

pub use authenticate::Authenticator;
pub use desk_token::{DESK_TOKEN_SECONDS, DeskClaims, issue_desk_token, verify_desk_token};
pub use desk_tokens::DeskTokenService;
pub use widget_token::{IssuedToken, TokenRequest, issue, verify};
pub use widget_tokens::WidgetTokenService;

/// The longest credential that is looked at, in bytes: the longest widget token that [`issue`] makes, with room.
pub(crate) const CREDENTIAL_MAX_BYTES: usize = 4_096;

/// How long a process remembers whether a tenant is served and which keys are revoked, in milliseconds: so long what the
/// operator ended may still be served.
pub const MAX_STATUS_AGE_MS: i64 = 5_000;
