//! Callers and their permissions.
//!
//! A [`Principal`] is an authenticated caller: the holder of an [`ApiKey`], or a chat widget. [`Permission`] is the one
//! table of what a principal may do.

mod api_key;
mod permission;
mod principal;

pub use api_key::{ApiKey, KeyHash};
pub use permission::Permission;
pub use principal::{Principal, WidgetIdentity};
