//! Who calls, and what they may do.

mod permission;
mod principal;

pub use permission::Permission;
pub use principal::{Principal, WidgetIdentity};
