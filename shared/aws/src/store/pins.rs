//! Pins: one item each, and their number.

use super::item::{Expression, Item, ItemKind, item, record, text};
use super::keys::{self, Key};
use super::pages::CursorPage;
use super::table::{Consistency, PartitionQuery, SortCondition, Store};
use super::transaction::{RequestRecord, Tag, Transaction, Write, count};
use domain::error::{Code, DetailCode};
use domain::models::{MAX_PINS, Pin, PinId, Scope, WikiPath};
use domain::{Error, Result};

/// Pins; made by [`Store::pins`].
#[derive(Debug, Clone, Copy)]
pub struct PinRepository<'a>(pub(super) &'a Store);

impl PinRepository<'_> {
    /// Keeps a new one, with the record of its request.
    ///
    /// # Errors
    /// 409 if there are as many as there may be.
    pub async fn create(&self, scope: &Scope, pin: &Pin, request: Option<RequestRecord>) -> Result<()> {
        let new = Transaction::of(Write::create(pin_item(scope, pin)?))
            .with(Tag::Taken, [count_pins(scope, 1, Some(MAX_PINS))])
            .recording(request);
        let outcome = self.0.commit(new, None).await?;
        // Nobody else has its id: the reply of this very write was lost, and it was sent again.
        if outcome.at(Tag::Item).is_some() {
            return Ok(());
        }
        if outcome.at(Tag::Taken).is_some() { Err(too_many()) } else { outcome.expected() }
    }

    /// Keeps an imported one, unless it is there; whether it was not.
    pub(super) async fn put_copy(&self, scope: &Scope, stored: Item) -> Result<bool> {
        let new = Transaction::of(Write::create(stored));
        self.0.write_if(new.with(Tag::Beside, [count_pins(scope, 1, None)])).await
    }

    /// One, consistently.
    pub async fn get(&self, scope: &Scope, id: &PinId) -> Result<Option<Pin>> {
        self.0.get(&pin_key(scope, id), Consistency::Strong).await
    }

    /// Those of a path, or all, oldest first, younger than `after`; consistent.
    pub async fn list(
        &self,
        scope: &Scope,
        path: Option<&WikiPath>,
        after: Option<&PinId>,
        limit: usize,
    ) -> Result<CursorPage<Pin, PinId>> {
        let mut query = PartitionQuery::new(pins_partition(scope));
        query.condition = after.map_or(SortCondition::Any, |id| SortCondition::Above(id.as_str().to_owned()));
        query.filter = path.map(|path| Expression::new("entryPath = :path").with(":path", text(path.as_str())));
        self.0.cursor_page(query, limit).await?.try_map(record, |sk| PinId::parse(&sk))
    }

    /// Deletes one; whether there was one.
    pub async fn delete(&self, scope: &Scope, id: &PinId) -> Result<bool> {
        let there = Some(Expression::new("attribute_exists(pk)"));
        let gone = Transaction::of(Write::Delete { key: pin_key(scope, id), condition: there });
        self.0.write_if(gone.with(Tag::Beside, [count_pins(scope, -1, None)])).await
    }

    /// Deletes those of a path; may be called again.
    pub async fn delete_of(&self, scope: &Scope, path: &WikiPath) -> Result<()> {
        let all: Vec<Pin> = self.0.query_all(PartitionQuery::new(pins_partition(scope))).await?;
        for pin in all.into_iter().filter(|pin| pin.path == *path) {
            self.delete(scope, &pin.pin_id).await?;
        }
        Ok(())
    }
}

/// Adds `change` to the number of pins, while it is below `most`.
fn count_pins(scope: &Scope, change: i32, most: Option<u32>) -> Write {
    count(pin_count_key(scope), ItemKind::PinCount, change, most)
}

fn too_many() -> Error {
    let message = format!("A tenant may pin at most {MAX_PINS} questions.");
    Error::new(Code::Conflict, message).with_detail(DetailCode::TooManyPins, "delete one first")
}

pub(super) fn pin_item(scope: &Scope, pin: &Pin) -> Result<Item> {
    item(&pin_key(scope, &pin.pin_id), ItemKind::Pin, pin)
}

/// Every pin of a tenant and mode.
fn pins_partition(s: &Scope) -> String {
    format!("{}#PINS", keys::scope(s))
}

fn pin_key(s: &Scope, id: &PinId) -> Key {
    Key::new(pins_partition(s), id.as_str())
}

/// How many pins there are.
fn pin_count_key(s: &Scope) -> Key {
    Key::new(format!("{}#PINCOUNT", keys::scope(s)), "PINS")
}
