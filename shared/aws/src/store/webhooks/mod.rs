//! Receivers of events: one item each, and one registry for a tenant and mode.
//!
//! The registry lists every receiver with its address. Rules about all of them together (at most twenty, no two with
//! the same address) are checked on it, in the transaction that creates, moves or deletes one. The health of a receiver
//! is an item of its own ([`health`]), so that deliveries do not conflict with changes of the receiver.

mod health;
mod permits;
mod records;
mod replays;

use std::sync::atomic::{AtomicBool, Ordering};

use super::client::Store;
use super::cursor_page::CursorPage;
use super::keys;
use super::table::{Consistency, Item, PartitionQuery, SortCondition, item, record};
use super::transaction::{RequestRecord, Tag, Transaction, Write, version_condition};
use super::update::{Attempt, Basis, Decision, contended};
use crate::store::item_kind::ItemKind;
use domain::error::{Code, DetailCode};
use domain::models::{EventKind, Replay, ReplayKind, Scope, Timestamp, Webhook, WebhookId};
use domain::{Error, Result};
pub(in crate::store) use records::WebhookRecord;
use records::{HealthRecord, RegistryRecord};

/// The most receivers of a tenant in one mode.
pub const MAX_WEBHOOKS: usize = 20;

/// How long a receiver's making or deleting goes on against others of the same tenant, in milliseconds.
const WRITE_TIMEOUT_MS: i64 = 20_000;

/// The receivers.
#[derive(Debug, Clone, Copy)]
pub struct Webhooks<'a>(pub(super) &'a Store);

impl Webhooks<'_> {
    /// Keeps a new receiver, with the record of its request: 409 if its address is taken, or if there are twenty
    /// already.
    pub async fn create(&self, scope: &Scope, webhook: &Webhook, request: Option<RequestRecord>) -> Result<()> {
        let decide = |seen: Option<RegistryRecord>| {
            let seen = seen.unwrap_or_default();
            if seen.has(&webhook.webhook_id) {
                return Ok(Decision::Keep(()));
            }
            let after = seen.clone().with_webhook(&webhook.webhook_id, &webhook.url)?;
            let new = Write::create(webhook_item(scope, webhook)?);
            let registry = Transaction::of(registry_write(scope, &seen, &after)?);
            Ok(Decision::Write(registry.with(Tag::Beside, [new]).recording(request.clone()), ()))
        };
        self.0.update(&keys::webhook_registry(scope), Basis::Read, self.registry_deadline(), decide).await
    }

    /// Keeps an imported receiver, unless it is there; whether it was not. The rules are those of [`Self::create`], but
    /// for the address: exported addresses lose their query, so two receivers may have the same, until somebody who
    /// enables them writes the whole.
    pub(super) async fn put_copy(&self, scope: &Scope, id: &WebhookId, url: &str, items: Vec<Item>) -> Result<bool> {
        let decide = |seen: Option<RegistryRecord>| {
            let seen = seen.unwrap_or_default();
            if seen.has(id) {
                return Ok(Decision::Keep(false));
            }
            let after = match seen.has_address(url) {
                // No receiver listens at an address with a fragment.
                true => seen.clone().with_webhook(id, &format!("{url}#{id}"))?,
                false => seen.clone().with_webhook(id, url)?,
            };
            let registry = Transaction::of(registry_write(scope, &seen, &after)?);
            Ok(Decision::Write(registry.with(Tag::Beside, items.iter().cloned().map(Write::create)), true))
        };
        self.0.update(&keys::webhook_registry(scope), Basis::Read, self.registry_deadline(), decide).await
    }

    /// A receiver, with how it has been doing; consistent.
    pub async fn get(&self, scope: &Scope, id: &WebhookId) -> Result<Option<Webhook>> {
        let (webhook, health) = (keys::webhook(scope, id), keys::webhook_health(scope, id));
        let webhook = self.0.get::<WebhookRecord>(&webhook, Consistency::Strong);
        let health = self.0.get::<HealthRecord>(&health, Consistency::Strong);
        let (webhook, health) = futures::try_join!(webhook, health)?;
        Ok(webhook.map(|record| with_health(record, health)))
    }

    /// Receivers after `after`, oldest first, with how they have been doing; consistent.
    pub async fn list(
        &self,
        scope: &Scope,
        after: Option<&WebhookId>,
        limit: usize,
    ) -> Result<CursorPage<Webhook, WebhookId>> {
        let mut query = PartitionQuery::new(keys::webhooks(scope));
        query.condition = after.map_or(SortCondition::Any, |id| SortCondition::Above(id.to_string()));
        // There are no more items of health than receivers.
        let health = self.0.query_all::<HealthRecord>(PartitionQuery::new(keys::webhooks_health(scope)));
        let (page, health) = futures::try_join!(self.0.cursor_page(query, limit), health)?;
        let of = |id: &WebhookId| health.iter().find(|health| health.webhook_id == *id).cloned();
        let webhook = |item| {
            let webhook: WebhookRecord = record(item)?;
            let health = of(&webhook.webhook_id);
            Ok(with_health(webhook, health))
        };
        page.try_map(webhook, |sk| WebhookId::parse(&sk))
    }

    /// The receivers that subscribed to `kind`, disabled ones too: their deliveries are held. Without their health;
    /// consistent, so that a receiver gets every event after its registration.
    pub async fn list_subscribed(&self, scope: &Scope, kind: EventKind) -> Result<Vec<Webhook>> {
        let all = self.0.query_all::<WebhookRecord>(PartitionQuery::new(keys::webhooks(scope))).await?;
        Ok(all.into_iter().map(Webhook::from).filter(|webhook| webhook.events.includes(kind)).collect())
    }

    /// Replaces a receiver by what `decide` makes of it, again from the start when another writer was faster; `None`
    /// leaves it as it is. 404 if there is none, 409 if its new address is taken.
    pub async fn update(
        &self,
        scope: &Scope,
        id: &WebhookId,
        decide: impl Fn(&Webhook) -> Result<Option<Webhook>>,
    ) -> Result<Webhook> {
        self.update_once(scope, id, decide, |_| Ok(None)).await
    }

    /// The same with the `record` of the request that asks for it.
    pub async fn update_once(
        &self,
        scope: &Scope,
        id: &WebhookId,
        decide: impl Fn(&Webhook) -> Result<Option<Webhook>>,
        record: impl Fn(&Webhook) -> Result<Option<RequestRecord>>,
    ) -> Result<Webhook> {
        let (decide, record) = (&decide, &record);
        let attempt = |_: Basis<()>| self.try_change(scope, id, decide, record);
        self.0.retry(&contended(&keys::webhook(scope, id)), Basis::Read, self.0.default_deadline(), attempt).await
    }

    async fn try_change(
        &self,
        scope: &Scope,
        id: &WebhookId,
        decide: &impl Fn(&Webhook) -> Result<Option<Webhook>>,
        request: &impl Fn(&Webhook) -> Result<Option<RequestRecord>>,
    ) -> Result<Attempt<(), Webhook>> {
        let seen = self.get(scope, id).await?.ok_or_else(missing)?;
        let Some(mut after) = decide(&seen)? else {
            self.0.idempotency().store(request(&seen)?).await?;
            return Ok(Attempt::Done(seen));
        };
        after.version = seen.version + 1;
        let mut beside = Vec::new();
        if after.is_active() && !seen.is_active() {
            beside.push(records::order_write(scope, &released(&seen, self.0.runtime.now()))?);
            beside.push(records::health_write(scope, id, &after.health)?);
        }
        if after.url != seen.url {
            let registry = self.registry(scope).await?;
            let moved = registry.clone().without_webhook(id).with_webhook(id, &after.url)?;
            beside.push(registry_write(scope, &registry, &moved)?);
        }
        let transaction = Transaction::of(Write::replace(webhook_item(scope, &after)?, seen.version))
            .with(Tag::Beside, beside)
            .recording(request(&after)?);
        let outcome = self.0.commit(transaction, None).await?;
        let there = outcome.at(Tag::Item).flatten().cloned().map(record::<WebhookRecord>).transpose()?;
        // The reply of this very write was lost, and it was sent again.
        let mine = there.is_some_and(|there| is_same_request(&after, &Webhook::from(there)));
        let written = outcome.is_committed() || mine;
        Ok(if written { Attempt::Done(after) } else { Attempt::Conflict(Basis::Read) })
    }

    /// Deletes a receiver that `check` lets go; 404 if there is none. Its pending deliveries are not sent.
    pub async fn delete(&self, scope: &Scope, id: &WebhookId, check: impl Fn(&Webhook) -> Result<()>) -> Result<()> {
        // Gone after an attempt: that attempt's reply was lost, or somebody else deleted it at the same moment.
        let (check, tried) = (&check, &AtomicBool::new(false));
        let attempt = |_: Basis<()>| async move {
            let (registry, seen) = futures::try_join!(self.registry(scope), self.get(scope, id))?;
            let Some(seen) = seen.filter(|_| registry.has(id)) else {
                return if tried.load(Ordering::Relaxed) { Ok(Attempt::Done(())) } else { Err(missing()) };
            };
            check(&seen)?;
            tried.store(true, Ordering::Relaxed);
            let condition = Some(version_condition(seen.version));
            let gone = [
                Write::Delete { key: keys::webhook(scope, id), condition },
                Write::Delete { key: keys::webhook_health(scope, id), condition: None },
            ];
            let change = registry_write(scope, &registry, &registry.clone().without_webhook(id))?;
            let transaction = Transaction::of(change).with(Tag::Beside, gone);
            let outcome = self.0.commit(transaction, Some(self.registry_deadline())).await?;
            Ok(if outcome.is_committed() { Attempt::Done(()) } else { Attempt::Conflict(Basis::Read) })
        };
        let about = contended(&keys::webhook_registry(scope));
        self.0.retry(&about, Basis::Read, self.registry_deadline(), attempt).await
    }

    fn registry_deadline(&self) -> Timestamp {
        self.0.runtime.now().plus_millis(WRITE_TIMEOUT_MS)
    }

    async fn registry(&self, scope: &Scope) -> Result<RegistryRecord> {
        Ok(self.0.get(&keys::webhook_registry(scope), Consistency::Strong).await?.unwrap_or_default())
    }
}

/// Whether what is there is what this request wrote in an attempt whose reply was lost.
fn is_same_request(mine: &Webhook, there: &Webhook) -> bool {
    let without_health = |webhook: &Webhook| Webhook { health: Default::default(), ..webhook.clone() };
    without_health(mine) == without_health(there)
}

/// The replay of the deliveries that were held while a receiver was disabled. It is ordered with the change that makes
/// the receiver active again.
fn released(seen: &Webhook, now: Timestamp) -> Replay {
    Replay::new(seen.webhook_id.clone(), ReplayKind::Held, seen.disabled_at.unwrap_or_default(), now)
}

fn missing() -> Error {
    Error::not_found("webhook")
}

fn with_health(record: WebhookRecord, health: Option<HealthRecord>) -> Webhook {
    let mut webhook = Webhook::from(record);
    webhook.health = health.map(|record| record.health.into()).unwrap_or_default();
    webhook
}

pub(super) fn webhook_item(scope: &Scope, webhook: &Webhook) -> Result<Item> {
    item(&keys::webhook(scope, &webhook.webhook_id), ItemKind::Webhook, &WebhookRecord::from(webhook.clone()))
}

fn registry_write(scope: &Scope, seen: &RegistryRecord, after: &RegistryRecord) -> Result<Write> {
    let item = item(&keys::webhook_registry(scope), ItemKind::WebhookRegistry, after)?;
    Ok(Write::replace(item, seen.version))
}

impl RegistryRecord {
    fn has(&self, id: &WebhookId) -> bool {
        self.addresses.contains_key(id.as_str())
    }

    fn has_address(&self, url: &str) -> bool {
        let address = address(url);
        self.addresses.values().any(|taken| *taken == address)
    }

    /// With one more receiver.
    ///
    /// # Errors
    /// 409 if the address is taken, or if there are as many as there may be.
    fn with_webhook(mut self, id: &WebhookId, url: &str) -> Result<Self> {
        if self.has_address(url) {
            return Err(Error::new(Code::Conflict, "A webhook with this URL exists already.")
                .with_detail(DetailCode::DuplicateUrl, "change or delete the existing one"));
        }
        if self.addresses.len() >= MAX_WEBHOOKS {
            let message = format!("A tenant may have at most {MAX_WEBHOOKS} webhooks.");
            return Err(
                Error::new(Code::Conflict, message).with_detail(DetailCode::TooManyWebhooks, "delete one first")
            );
        }
        self.addresses.insert(id.to_string(), address(url));
        self.version += 1;
        Ok(self)
    }

    fn without_webhook(mut self, id: &WebhookId) -> Self {
        self.addresses.remove(id.as_str());
        self.version += 1;
        self
    }
}

/// How an address is registered: it may hold a secret.
fn address(url: &str) -> String {
    domain::sha256_hex(url.as_bytes())
}
