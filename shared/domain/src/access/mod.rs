//! Callers and their permissions.
//!
//! A [`Principal`] is an authenticated caller: the holder of an [`ApiKey`], a member who signed in to the desk, or a chat
//! widget. [`Permission`] is the one table of what a principal may do. A [`SecretToken`] is what an invitation and the
//! cookie of a sign-in hold.

mod api_key;
mod permission;
mod principal;
mod secret_token;

pub use api_key::{ApiKey, KeyHash};
pub use permission::Permission;
pub use principal::{MemberIdentity, PreviewOwner, Principal, WidgetIdentity};
pub use secret_token::SecretToken;
