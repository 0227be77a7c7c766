//! Receivers of events: one item each, and one registry for a tenant and mode.
//!
//! The registry lists every receiver with its address. Rules about all of them together (at most twenty, no two with
//! the same address) are checked on it, in the transaction that creates, moves or deletes one. Health is an item of its
//! own, written after each attempt, so that deliveries do not conflict with changes of the receiver. Permits limit the
//! deliveries that run for a slow receiver, over all workers. An order to send again is deleted once it is done.

pub mod deliveries;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use domain::error::{Code, DetailCode};
use domain::models::{Replay, ReplayKind, Scope, Timestamp, Webhook, WebhookHealth, WebhookId};
use domain::webhooks::RECEIVER_CONCURRENCY;
use domain::{Error, Result};
use serde::{Deserialize, Serialize};

use crate::table::item::{Item, ItemKind, item, record, set_gsi2_key};
use crate::table::keys::{self, Key};
use crate::table::pages::CursorPage;
use crate::table::transaction::{RequestRecord, Tag, Transaction, Write, version_condition};
use crate::table::update::{Attempt, Basis, Decision, Permits, contended};
use crate::table::{Consistency, PartitionQuery, SortCondition, repository};

/// The most receivers of a tenant in one mode.
pub(crate) const MAX_WEBHOOKS: usize = 20;

/// How long a receiver's making or deleting goes on against others of the same tenant, in milliseconds.
const WRITE_TIMEOUT_MS: i64 = 20_000;

repository!(webhooks: Webhooks);

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
        self.0.update(&registry_key(scope), Basis::Read, self.registry_deadline(), decide).await
    }

    /// Keeps an imported receiver, unless it is there; whether it was not. The rules are those of [`Self::create`], but
    /// for the address: exported addresses lose their query, so two receivers may have the same, until somebody who
    /// enables them writes the whole.
    pub(crate) async fn put_copy(&self, scope: &Scope, id: &WebhookId, url: &str, items: Vec<Item>) -> Result<bool> {
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
        self.0.update(&registry_key(scope), Basis::Read, self.registry_deadline(), decide).await
    }

    /// A receiver, with how it has been doing; consistent.
    pub(crate) async fn get(&self, scope: &Scope, id: &WebhookId) -> Result<Option<Webhook>> {
        let (webhook, health) = (webhook_key(scope, id), webhook_health_key(scope, id));
        let webhook = self.0.get::<Webhook>(&webhook, Consistency::Strong);
        let health = self.0.get::<HealthRecord>(&health, Consistency::Strong);
        let (webhook, health) = futures::try_join!(webhook, health)?;
        Ok(webhook.map(|record| with_health(record, health)))
    }

    /// Receivers after `after`, oldest first, with how they have been doing; consistent.
    pub(super) async fn list(
        &self,
        scope: &Scope,
        after: Option<&WebhookId>,
        limit: usize,
    ) -> Result<CursorPage<Webhook, WebhookId>> {
        let mut query = PartitionQuery::new(webhooks_partition(scope));
        query.condition = after.map_or(SortCondition::Any, |id| SortCondition::Above(id.to_string()));
        // There are no more items of health than receivers.
        let health = self.0.query_all::<HealthRecord>(PartitionQuery::new(webhooks_health(scope)));
        let (page, health) = futures::try_join!(self.0.cursor_page(query, limit), health)?;
        let of = |id: &WebhookId| health.iter().find(|health| health.webhook_id == *id).cloned();
        let webhook = |item| {
            let webhook: Webhook = record(item)?;
            let health = of(&webhook.webhook_id);
            Ok(with_health(webhook, health))
        };
        page.try_map(webhook, |sk| WebhookId::parse(&sk))
    }

    /// Every receiver, disabled ones too: their deliveries are held. Without their health; consistent, so that a
    /// receiver gets every event after its registration.
    pub(crate) async fn list_receivers(&self, scope: &Scope) -> Result<Vec<Webhook>> {
        self.0.query_all(PartitionQuery::new(webhooks_partition(scope))).await
    }

    /// Replaces a receiver by what `decide` makes of it, again from the start when another writer was faster; `None`
    /// leaves it as it is. 404 if there is none, 409 if its new address is taken.
    pub(super) async fn update(
        &self,
        scope: &Scope,
        id: &WebhookId,
        decide: impl Fn(&Webhook) -> Result<Option<Webhook>>,
    ) -> Result<Webhook> {
        self.update_once(scope, id, decide, |_| Ok(None)).await
    }

    /// The same with the `record` of the request that asks for it.
    pub(super) async fn update_once(
        &self,
        scope: &Scope,
        id: &WebhookId,
        decide: impl Fn(&Webhook) -> Result<Option<Webhook>>,
        record: impl Fn(&Webhook) -> Result<Option<RequestRecord>>,
    ) -> Result<Webhook> {
        let (decide, record) = (&decide, &record);
        let attempt = |_: Basis<()>| self.try_change(scope, id, decide, record);
        self.0.retry(&contended(&webhook_key(scope, id)), Basis::Read, self.0.default_deadline(), attempt).await
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
            beside.push(order_write(scope, &released(&seen, self.0.runtime.now()))?);
            beside.push(health_write(scope, id, &after.health)?);
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
        let there = outcome.at(Tag::Item).flatten().cloned().map(record::<Webhook>).transpose()?;
        // The reply of this very write was lost, and it was sent again.
        let mine = there.is_some_and(|there| is_same_request(&after, &there));
        let written = outcome.is_committed() || mine;
        Ok(if written { Attempt::Done(after) } else { Attempt::Conflict(Basis::Read) })
    }

    /// Deletes a receiver that `check` lets go; 404 if there is none. Its pending deliveries are not sent.
    pub(super) async fn delete(
        &self,
        scope: &Scope,
        id: &WebhookId,
        check: impl Fn(&Webhook) -> Result<()>,
    ) -> Result<()> {
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
                Write::Delete { key: webhook_key(scope, id), condition },
                Write::delete(webhook_health_key(scope, id)),
            ];
            let change = registry_write(scope, &registry, &registry.clone().without_webhook(id))?;
            let transaction = Transaction::of(change).with(Tag::Beside, gone);
            let outcome = self.0.commit(transaction, Some(self.registry_deadline())).await?;
            Ok(if outcome.is_committed() { Attempt::Done(()) } else { Attempt::Conflict(Basis::Read) })
        };
        let about = contended(&registry_key(scope));
        self.0.retry(&about, Basis::Read, self.registry_deadline(), attempt).await
    }

    fn registry_deadline(&self) -> Timestamp {
        self.0.runtime.now().plus_millis(WRITE_TIMEOUT_MS)
    }

    async fn registry(&self, scope: &Scope) -> Result<RegistryRecord> {
        Ok(self.0.get(&registry_key(scope), Consistency::Strong).await?.unwrap_or_default())
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

fn with_health(webhook: Webhook, health: Option<HealthRecord>) -> Webhook {
    Webhook { health: health.map(|record| record.health).unwrap_or_default(), ..webhook }
}

/// A receiver as an item. Its health is that of when it was disabled, for the event.
pub(crate) fn webhook_item(scope: &Scope, webhook: &Webhook) -> Result<Item> {
    let health = if webhook.is_active() { WebhookHealth::default() } else { webhook.health.clone() };
    let stored = Webhook { health, ..webhook.clone() };
    item(&webhook_key(scope, &webhook.webhook_id), ItemKind::Webhook, &stored)
}

fn registry_write(scope: &Scope, seen: &RegistryRecord, after: &RegistryRecord) -> Result<Write> {
    let item = item(&registry_key(scope), ItemKind::WebhookRegistry, after)?;
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

impl Webhooks<'_> {
    /// Replaces how a receiver has been doing by what `decide` makes of it, again from the start when another attempt
    /// was faster; `None` leaves it as it is. What it is afterwards.
    pub(super) async fn record_health(
        &self,
        scope: &Scope,
        id: &WebhookId,
        decide: impl Fn(&WebhookHealth) -> Option<WebhookHealth>,
    ) -> Result<WebhookHealth> {
        let key = webhook_health_key(scope, id);
        // After a lost reply this counts one failure twice, which nothing depends on.
        let decide = |seen: Option<HealthRecord>| {
            let seen = seen.map(|record| record.health).unwrap_or_default();
            let Some(mut after) = decide(&seen) else { return Ok(Decision::Keep(seen)) };
            after.version = seen.version + 1;
            let record = HealthRecord { webhook_id: id.clone(), health: after.clone() };
            Ok(Decision::Write(Write::replace(item(&key, ItemKind::WebhookHealth, &record)?, seen.version), after))
        };
        self.0.update(&key, Basis::Read, self.0.default_deadline(), decide).await
    }
}

impl Webhooks<'_> {
    /// Takes a place with a receiver for `holder`, who gives it back or loses it at `until`; false if none is free.
    pub(super) async fn acquire_permit(
        &self,
        scope: &Scope,
        id: &WebhookId,
        holder: &str,
        until: Timestamp,
    ) -> Result<bool> {
        let refuse = |others: &[&str]| match others.len() < RECEIVER_CONCURRENCY {
            true => Ok(()),
            false => Err(Error::new(Code::RateLimited, "Too many deliveries run for this receiver.")),
        };
        match self.0.acquire_permit(&permits(scope, id), (holder, until), refuse).await {
            Err(error) if error.code() == Code::RateLimited => Ok(false),
            taken => taken.map(|()| true),
        }
    }

    /// Gives a place back.
    pub(super) async fn release_permit(&self, scope: &Scope, id: &WebhookId, holder: &str) -> Result<()> {
        self.0.release_permit(&permits(scope, id), holder).await
    }
}

fn permits(scope: &Scope, id: &WebhookId) -> Permits {
    Permits { key: webhook_permits_key(scope, id), kind: ItemKind::WebhookPermits }
}

impl Webhooks<'_> {
    /// The order of a kind for a receiver, if there is one; consistent.
    pub(super) async fn get_replay(&self, scope: &Scope, id: &WebhookId, kind: ReplayKind) -> Result<Option<Replay>> {
        self.0.get(&replay_key(scope, id, kind), Consistency::Strong).await
    }

    /// Creates an order, with the record of its request; an existing one starts again, with the earlier time of both.
    pub(super) async fn start_replay(
        &self,
        scope: &Scope,
        mut replay: Replay,
        request: Option<RequestRecord>,
    ) -> Result<()> {
        if let Some(standing) = self.get_replay(scope, &replay.webhook_id, replay.kind).await? {
            replay.since = replay.since.min(standing.since);
            replay.from = replay.from.min(standing.from);
            replay.version = standing.version + 1;
        }
        self.0.commit(Transaction::of(order_write(scope, &replay)?).recording(request), None).await?.expected()
    }

    /// Records the progress of an order, unless it started again meanwhile.
    pub(super) async fn advance_replay(&self, scope: &Scope, seen: &Replay, after: &Replay) -> Result<()> {
        let write = Write::replace(order_item(scope, after)?, seen.version);
        self.0.write_if(write).await.map(drop)
    }

    /// Deletes an order, unless it started again meanwhile.
    pub(super) async fn end_replay(&self, scope: &Scope, seen: &Replay) -> Result<()> {
        let key = replay_key(scope, &seen.webhook_id, seen.kind);
        let delete = Write::Delete { key, condition: Some(version_condition(seen.version)) };
        self.0.write_if(delete).await.map(drop)
    }
}

/// The item next to a receiver that every attempt changes.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct HealthRecord {
    webhook_id: WebhookId,
    #[serde(flatten)]
    pub(crate) health: WebhookHealth,
}

/// Every receiver's address, hashed, by its id.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct RegistryRecord {
    #[serde(default)]
    addresses: BTreeMap<String, String>,
    #[serde(default)]
    version: u64,
}

/// Writes a receiver's health, replacing an existing one.
fn health_write(scope: &Scope, id: &WebhookId, health: &WebhookHealth) -> Result<Write> {
    let health = WebhookHealth { version: health.version + 1, ..health.clone() };
    let record = HealthRecord { webhook_id: id.clone(), health };
    Ok(Write::put(item(&webhook_health_key(scope, id), ItemKind::WebhookHealth, &record)?))
}

fn order_item(scope: &Scope, replay: &Replay) -> Result<Item> {
    let key = replay_key(scope, &replay.webhook_id, replay.kind);
    let mut item = item(&key, ItemKind::Replay, replay)?;
    set_gsi2_key(&mut item, &keys::due(&key, replay.due_at));
    Ok(item)
}

/// Writes an order, replacing an existing one.
fn order_write(scope: &Scope, replay: &Replay) -> Result<Write> {
    Ok(Write::put(order_item(scope, replay)?))
}

/// All receivers of a tenant and mode.
fn webhooks_partition(s: &Scope) -> String {
    format!("{}#WHK", keys::scope(s))
}

fn webhook_key(s: &Scope, id: &WebhookId) -> Key {
    Key::new(webhooks_partition(s), id.as_str())
}

/// The receivers that there are, with their addresses: what must hold of all of them together is decided here.
fn registry_key(s: &Scope) -> Key {
    Key::new(format!("{}#WHKREG", keys::scope(s)), "REGISTRY")
}

/// How every receiver has been doing.
fn webhooks_health(s: &Scope) -> String {
    format!("{}#WHKRUN", keys::scope(s))
}

fn webhook_health_key(s: &Scope, id: &WebhookId) -> Key {
    Key::new(webhooks_health(s), id.as_str())
}

/// The permits of a slow receiver.
fn webhook_permits_key(s: &Scope, id: &WebhookId) -> Key {
    Key::new(format!("{}#WHKSLOTS", keys::scope(s)), id.as_str())
}

/// A standing order to send again.
fn replay_key(s: &Scope, id: &WebhookId, kind: ReplayKind) -> Key {
    Key::new(format!("{}#{REPLAYS}", keys::scope(s)), format!("{id}#{kind}"))
}

pub(crate) const REPLAYS: &str = "WHKREPLAY";
