//! Who calls, and what they may do.
//!
//! [`authenticate`] turns a credential into a [`Principal`]: an [`ApiKey`] by its hash in the table, a widget token by
//! its signature, of a key that [`WidgetKeys`] knows, and every one of its claims. [`Permission`] is the one table of what a principal may do.

mod api_key;
mod authenticate;
mod permission;
mod principal;
mod widget_keys;
mod widget_token;

pub use api_key::{ApiKey, KeyHash};
pub use authenticate::authenticate;
pub use permission::Permission;
pub use principal::{Principal, WidgetIdentity};
pub use widget_keys::{WidgetKeySource, WidgetKeys};
pub use widget_token::{IssuedToken, TokenRequest, issue, verify};

/// The longest credential that is looked at, in bytes: the longest widget token that [`issue`] makes, with room.
pub(crate) const CREDENTIAL_MAX_BYTES: usize = 4_096;
