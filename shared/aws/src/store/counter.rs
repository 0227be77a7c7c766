//! How many items of a kind a tenant has: an item that counts them in the transactions that make and end them.

use super::expression::Expression;
use super::keys::Key;
use super::table::number;
use super::transaction::Write;
use crate::store::item_kind::ItemKind;

/// Adds `change` to the counter; with `most` only while it is below.
pub(super) fn count(key: Key, kind: ItemKind, change: i32, most: Option<u32>) -> Write {
    let update = Expression::new("SET kind = :kind ADD amount :change")
        .with(":kind", kind.attribute())
        .with(":change", number(change));
    let below = |most| Expression::new("attribute_not_exists(amount) OR amount < :most").with(":most", number(most));
    Write::Update { key, update, condition: most.map(below) }
}
