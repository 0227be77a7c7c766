//! A receiver's deliveries in order of their events.

use super::Deliveries;
use super::records::DeliveryRecord;
use crate::store::cursor_page::CursorPage;
use crate::store::expression::Expression;
use crate::store::keys;
use crate::store::table::{PartitionQuery, SortCondition, record, text};
use domain::Result;
use domain::models::{Delivery, DeliveryStatus, EventId, Scope, Timestamp, WebhookId};

impl Deliveries<'_> {
    /// Deliveries to a receiver, newest event first, below `below`, of one status or of all; consistent. One call
    /// reads 1 MiB at the most: a page may be short, or empty, and have a `next`.
    pub async fn list(
        &self,
        scope: &Scope,
        webhook_id: &WebhookId,
        status: Option<DeliveryStatus>,
        below: Option<&EventId>,
        limit: usize,
    ) -> Result<CursorPage<Delivery, EventId>> {
        let mut query = PartitionQuery::new(keys::deliveries(scope, webhook_id));
        query.forward = false;
        query.condition = below.map_or(SortCondition::Any, |id| SortCondition::Below(id.to_string()));
        query.filter =
            status.map(|status| Expression::new("deliveryStatus = :status").with(":status", text(status.as_str())));
        let page = self.0.cursor_page(query, limit).await?;
        let records = page.items.into_iter().map(record).collect::<Result<Vec<DeliveryRecord>>>()?;
        let kept = records.into_iter().filter(|record| !self.is_expired(record));
        let next = page.next.as_deref().and_then(EventId::parse);
        Ok(CursorPage { items: kept.map(Delivery::from).collect(), next })
    }

    /// One page of the deliveries to a receiver whose events are of `from` or later, oldest first, after `after`.
    pub async fn list_missed_since(
        &self,
        scope: &Scope,
        webhook_id: &WebhookId,
        from: Timestamp,
        after: Option<&EventId>,
        limit: usize,
    ) -> Result<CursorPage<Delivery, EventId>> {
        let first = EventId::from_parts(from, 0);
        let start = after.filter(|after| **after >= first).unwrap_or(&first);
        let mut query = PartitionQuery::new(keys::deliveries(scope, webhook_id));
        query.condition = SortCondition::Between(start.to_string(), format!("{}~", EventId::PREFIX));
        query.limit = i32::try_from(limit).ok();
        let found = self.0.query(query).await?;
        let records = found.items.into_iter().map(record).collect::<Result<Vec<DeliveryRecord>>>()?;
        let kept = records.into_iter().filter(|record| !self.is_expired(record)).map(Delivery::from);
        let items = kept.filter(|delivery| Some(&delivery.event.event_id) != after).collect();
        let next = found.next.and_then(|key| EventId::parse(key.get("sk")?.as_s().ok()?));
        Ok(CursorPage { items, next })
    }
}
