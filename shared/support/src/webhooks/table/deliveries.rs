//! Deliveries: one item for each event and receiver, kept 30 days.
//!
//! A delivery is created once, under the ids of its event and its receiver. Then it is only replaced, on the condition
//! of the version that was read. After a lost race nothing is done: another worker handled it.

use domain::Result;
use domain::models::{Delivery, DeliveryStatus, EventId, OutgoingEvent, Scope, SessionId, Timestamp, WebhookId};
use serde::{Deserialize, Serialize};

use crate::table::item::{self, Expression, Item, ItemKind, item, number, record, set_gsi2_key, text};
use crate::table::keys::{self, Key};
use crate::table::pages::CursorPage;
use crate::table::transaction::{Outcome, RequestRecord, Tag, Transaction, Write};
use crate::table::{Consistency, PartitionQuery, SortCondition, repository};

/// How long a delivery is kept, in hours.
const RETENTION_HOURS: i64 = 30 * 24;

repository!(deliveries: Deliveries);

/// The result of making a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Created {
    /// It is new, and to be sent.
    New,
    /// It exists and is not done: its message is sent again, because it may have been lost.
    StillPending,
    /// It waits until its receiver is active again.
    Held,
    /// It was there already and is done.
    Done,
}

impl Created {
    /// Whether a message belongs on the queue.
    #[must_use]
    pub const fn should_send(self) -> bool {
        matches!(self, Self::New | Self::StillPending)
    }

    const fn found(status: DeliveryStatus) -> Self {
        match status {
            DeliveryStatus::Pending => Self::StillPending,
            DeliveryStatus::Held => Self::Held,
            DeliveryStatus::Succeeded | DeliveryStatus::Failed | DeliveryStatus::Erased => Self::Done,
        }
    }
}

impl Deliveries<'_> {
    /// Makes the delivery of an event to a receiver, `held` if that is disabled; one that exists is left as it is.
    pub async fn create(
        &self,
        scope: &Scope,
        event: impl Into<OutgoingEvent>,
        webhook_id: &WebhookId,
        held: bool,
    ) -> Result<Created> {
        let delivery = Delivery::new(event.into(), webhook_id.clone(), held, self.0.runtime.now());
        self.create_once(scope, delivery, None).await
    }

    /// Stores a new delivery with the record of the request that asks for it.
    pub(in crate::webhooks) async fn create_once(
        &self,
        scope: &Scope,
        delivery: Delivery,
        request: Option<RequestRecord>,
    ) -> Result<Created> {
        let (held, (item, token)) = (delivery.status == DeliveryStatus::Held, self.item(scope, &delivery)?);
        let session = delivery.event.session_id.as_ref();
        let pointer = session.map(|session| pointer(scope, session, &delivery));
        let transaction = Transaction::of(Write::create(item)).with(Tag::Beside, pointer).recording(request);
        let outcome = self.0.commit(transaction, None).await?;
        match delivery_there(&outcome)? {
            Some(found) if found.write_token != token => return Ok(Created::found(found.delivery.status)),
            Some(_) => {}
            None => outcome.expected()?,
        }
        if held { self.hold_or_release(scope, delivery).await } else { Ok(Created::New) }
    }

    /// The receiver may have been enabled meanwhile; then nothing else would send this delivery.
    async fn hold_or_release(&self, scope: &Scope, delivery: Delivery) -> Result<Created> {
        let receiver = self.0.webhooks().get(scope, &delivery.webhook_id).await?;
        if !receiver.is_some_and(|webhook| webhook.is_active()) {
            return Ok(Created::Held);
        }
        let Some(released) = delivery.clone().released(self.0.runtime.now()) else { return Ok(Created::Held) };
        self.replace(scope, &delivery, &released).await?;
        Ok(Created::New)
    }

    /// A delivery; consistent.
    pub(in crate::webhooks) async fn get(
        &self,
        scope: &Scope,
        webhook_id: &WebhookId,
        event_id: &EventId,
    ) -> Result<Option<Delivery>> {
        let key = delivery_key(scope, webhook_id, event_id);
        let found: Option<DeliveryRecord> = self.0.get(&key, Consistency::Strong).await?;
        Ok(found.filter(|record| !self.is_expired(record)).map(|record| record.delivery))
    }

    /// Replaces what was `seen` by `after`; false if it changed meanwhile.
    pub(in crate::webhooks) async fn replace(&self, scope: &Scope, seen: &Delivery, after: &Delivery) -> Result<bool> {
        self.replace_once(scope, seen, after, None).await
    }

    /// The same with the record of the request that asks for it.
    ///
    /// # Errors
    /// 409 `IDEMPOTENCY_IN_PROGRESS` if there is a record with its key.
    pub(in crate::webhooks) async fn replace_once(
        &self,
        scope: &Scope,
        seen: &Delivery,
        after: &Delivery,
        request: Option<RequestRecord>,
    ) -> Result<bool> {
        let (item, token) = self.item(scope, after)?;
        let transaction = Transaction::of(Write::replace(item, seen.version)).recording(request);
        let outcome = self.0.commit(transaction, None).await?;
        Ok(outcome.is_committed() || delivery_there(&outcome)?.is_some_and(|there| there.write_token == token))
    }

    /// Forgets a delivery whose receiver is gone.
    pub(in crate::webhooks) async fn delete(
        &self,
        scope: &Scope,
        webhook_id: &WebhookId,
        event_id: &EventId,
    ) -> Result<()> {
        let delete = Write::delete(delivery_key(scope, webhook_id, event_id));
        self.0.write(vec![delete]).await
    }

    fn item(&self, scope: &Scope, delivery: &Delivery) -> Result<(Item, String)> {
        let key = delivery_key(scope, &delivery.webhook_id, &delivery.event.event_id);
        let token = self.0.runtime.token()?;
        let ttl = expires_at(delivery.created_at);
        let record = DeliveryRecord { delivery: delivery.clone(), write_token: token.clone(), ttl };
        let mut item = item(&key, ItemKind::Delivery, &record)?;
        if let Some(due) = delivery.due_at {
            set_gsi2_key(&mut item, &keys::due(&key, due));
        }
        Ok((item, token))
    }

    fn is_expired(&self, record: &DeliveryRecord) -> bool {
        record.ttl <= self.0.runtime.now().as_seconds()
    }
}

/// When a delivery made at `created_at` is forgotten, in seconds since 1970 UTC.
fn expires_at(created_at: Timestamp) -> i64 {
    created_at.plus_hours(RETENTION_HOURS).as_seconds()
}

/// The delivery that is stored in the place of the one that was to be written; none if there is none.
fn delivery_there(outcome: &Outcome) -> Result<Option<DeliveryRecord>> {
    outcome.at(Tag::Item).flatten().cloned().map(record).transpose()
}

/// By which the deliveries about a conversation are found when it is erased.
fn pointer(scope: &Scope, session: &SessionId, delivery: &Delivery) -> Write {
    let key = delivery_of_session_key(scope, session, &delivery.webhook_id, &delivery.event.event_id);
    let mut item = item::key_only_item(&key, ItemKind::DeliveryPointer);
    item.insert("ttl".into(), number(expires_at(delivery.created_at)));
    Write::put(item)
}

impl Deliveries<'_> {
    /// Erases the text of what was sent, or is yet to be sent, about a conversation; false if there is more to do.
    pub(crate) async fn erase_by_session(&self, scope: &Scope, session: &SessionId) -> Result<bool> {
        let query = PartitionQuery::new(deliveries_of_session(scope, session));
        let page = self.0.query(query).await?;
        let mut done = page.next.is_none();
        for item in page.items {
            let sk = item.get("sk").and_then(|sk| sk.as_s().ok()).cloned().unwrap_or_default();
            let Some((webhook, event)) = pointed_delivery(&sk) else { continue };
            done &= self.erase_delivery(scope, session, &webhook, &event).await?;
        }
        Ok(done)
    }

    async fn erase_delivery(
        &self,
        scope: &Scope,
        session: &SessionId,
        webhook: &WebhookId,
        event: &EventId,
    ) -> Result<bool> {
        let seen = self.get(scope, webhook, event).await?;
        if let Some((seen, erased)) = seen.and_then(|seen| Some((seen.clone(), seen.erased()?)))
            && !self.replace(scope, &seen, &erased).await?
        {
            return Ok(false);
        }
        let key = delivery_of_session_key(scope, session, webhook, event);
        let delete = Write::delete(key);
        self.0.write(vec![delete]).await?;
        Ok(true)
    }
}

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
        let mut query = PartitionQuery::new(deliveries_partition(scope, webhook_id));
        query.forward = false;
        query.condition = below.map_or(SortCondition::Any, |id| SortCondition::Below(id.to_string()));
        query.filter =
            status.map(|status| Expression::new("deliveryStatus = :status").with(":status", text(status.as_str())));
        let page = self.0.cursor_page(query, limit).await?;
        let records = page.items.into_iter().map(record).collect::<Result<Vec<DeliveryRecord>>>()?;
        let kept = records.into_iter().filter(|record| !self.is_expired(record));
        let next = page.next.as_deref().and_then(EventId::parse);
        Ok(CursorPage { items: kept.map(|record| record.delivery).collect(), next })
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
        let mut query = PartitionQuery::new(deliveries_partition(scope, webhook_id));
        query.condition = SortCondition::Between(start.to_string(), format!("{}~", EventId::PREFIX));
        query.limit = i32::try_from(limit).ok();
        let found = self.0.query(query).await?;
        let records = found.items.into_iter().map(record).collect::<Result<Vec<DeliveryRecord>>>()?;
        let kept = records.into_iter().filter(|record| !self.is_expired(record)).map(|record| record.delivery);
        let items = kept.filter(|delivery| Some(&delivery.event.event_id) != after).collect();
        let next = found.next.and_then(|key| EventId::parse(key.get("sk")?.as_s().ok()?));
        Ok(CursorPage { items, next })
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct DeliveryRecord {
    #[serde(flatten)]
    delivery: Delivery,
    /// Of the call that wrote this version.
    write_token: String,
    /// Seconds since 1970 UTC.
    ttl: i64,
}

/// A receiver's deliveries, by event, which is by time.
fn deliveries_partition(s: &Scope, id: &WebhookId) -> String {
    format!("{}#DLV#{id}", keys::scope(s))
}

pub(crate) fn delivery_key(s: &Scope, id: &WebhookId, event: &EventId) -> Key {
    Key::new(deliveries_partition(s, id), event.as_str())
}

/// The partition of the pointers to the deliveries about a conversation, which are erased with it.
fn deliveries_of_session(s: &Scope, id: &SessionId) -> String {
    format!("{}#SESDLV#{id}", keys::scope(s))
}

fn delivery_of_session_key(s: &Scope, id: &SessionId, webhook: &WebhookId, event: &EventId) -> Key {
    Key::new(deliveries_of_session(s, id), format!("{webhook}#{event}"))
}

/// Reads back which delivery such an item points to.
fn pointed_delivery(sk: &str) -> Option<(WebhookId, EventId)> {
    let (webhook, event) = sk.split_once('#')?;
    Some((WebhookId::parse(webhook)?, EventId::parse(event)?))
}
