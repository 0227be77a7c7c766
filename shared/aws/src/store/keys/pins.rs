//! The keys of pins.

use super::{Key, key, scope};
use domain::models::{PinId, Scope};

/// Every pin of a tenant and mode.
pub(crate) fn pins(s: &Scope) -> String {
    format!("{}#PINS", scope(s))
}

pub(crate) fn pin(s: &Scope, id: &PinId) -> Key {
    key(pins(s), id.as_str())
}

/// Reads back which pin an item is.
pub(crate) fn pin_id(sk: &str) -> Option<PinId> {
    PinId::parse(sk)
}

/// How many pins there are.
pub(crate) fn pin_count(s: &Scope) -> Key {
    key(format!("{}#PINCOUNT", scope(s)), "PINS")
}
