//! Requests for a human: read by id, and their place in the queue.

use super::records::EscalationRecord;
use crate::models::{Escalation, EscalationId, EscalationStatus, Priority, Scope};
use crate::store::Store;
use crate::store::keys::{self, IndexKey};
use crate::store::table::{Consistency, PartitionQuery, SortCondition, from_value};
use crate::{Error, Result};

/// Positions and counts are exact up to here.
const COUNT_CAP: u32 = 1_000;

/// Requests for a human.
#[derive(Debug, Clone, Copy)]
pub struct EscalationRepo<'a> {
    store: &'a Store,
}

/// Where an escalation stands in its status's list.
pub(super) fn place(scope: &Scope, escalation: &Escalation) -> IndexKey {
    let rank = match escalation.priority {
        Priority::High => 0,
        Priority::Normal => 1,
    };
    let status = escalation.status.as_str();
    keys::inbox_place(scope, status, rank, escalation.created_at, &escalation.escalation_id)
}

impl<'a> EscalationRepo<'a> {
    pub(super) const fn new(store: &'a Store) -> Self {
        Self { store }
    }

    /// One, consistently.
    pub async fn get(&self, scope: &Scope, id: &EscalationId) -> Result<Option<Escalation>> {
        let found: Option<EscalationRecord> = self.store.get(&keys::escalation(scope, id), Consistency::Strong).await?;
        Ok(found.map(Escalation::from))
    }

    /// Every one that ended, resolved or closed; over the index, so what ended in the last moment may be missing.
    pub async fn ended(&self, scope: &Scope) -> Result<Vec<Escalation>> {
        let mut ended = Vec::new();
        for status in [EscalationStatus::Resolved, EscalationStatus::Closed] {
            let mut query = PartitionQuery::of_index("gsi1", keys::inbox(scope, status.as_str()));
            loop {
                let page = self.store.query(query.clone()).await?;
                for mut item in page.items {
                    let card = item.remove("card").ok_or_else(|| Error::internal("an escalation without a card"))?;
                    ended.push(Escalation::from(from_value::<EscalationRecord>(card)?));
                }
                match page.next {
                    Some(next) => query.start = Some(next),
                    None => break,
                }
            }
        }
        Ok(ended)
    }

    /// The place in the queue, from 1; exact up to 1,000 but for what was queued in the last moment. None when not pending.
    pub async fn queue_position(&self, scope: &Scope, escalation: &Escalation) -> Result<Option<u32>> {
        if escalation.status != EscalationStatus::Pending {
            return Ok(None);
        }
        let place = place(scope, escalation);
        let before = PartitionQuery {
            condition: SortCondition::Below(place.sk),
            ..PartitionQuery::of_index("gsi1", keys::inbox(scope, EscalationStatus::Pending.as_str()))
        };
        Ok(Some((self.store.count(before, COUNT_CAP).await? + 1).min(COUNT_CAP)))
    }
}
