//! Receivers of events: one item each, and one registry for a tenant and mode.
//!
//! The registry lists every receiver with its address. Rules about all of them together (at most twenty, no two with
//! the same address) are checked on it, in the transaction that creates, moves or deletes one. The health of a receiver
//! is an item of its own ([`health`]), so that deliveries do not conflict with changes of the receiver.

mod health;
mod records;
mod replays;
mod slots;

use super::expression::Expression;
use super::table::{Consistency, Item, PartitionQuery, item, number, record};
use super::transaction::{Refused, Write};
use super::{Store, keys};
use crate::store::line::Contest;
use domain::error::Code;
use domain::models::{EventKind, Replay, ReplayKind, Scope, Timestamp, Webhook, WebhookId};
use domain::{Error, Result};
pub(in crate::store) use records::WebhookRecord;
use records::{HealthRecord, RegistryRecord};

/// The most receivers of a tenant in one mode.
const MAX_WEBHOOKS: usize = 20;

/// How long creating or deleting a receiver is retried against concurrent ones of the same tenant, in milliseconds.
const PATIENCE_MS: i64 = 20_000;

/// The receivers.
#[derive(Debug, Clone, Copy)]
pub struct Webhooks<'a>(pub(super) &'a Store);

impl Webhooks<'_> {
    /// Keeps a new receiver: 409 where its address is taken, or where there are twenty already.
    pub async fn create(&self, scope: &Scope, webhook: &Webhook) -> Result<()> {
        let mut contest = self.registry_contest(scope);
        loop {
            let seen = self.registry(scope).await?;
            if seen.has(&webhook.webhook_id) {
                return Ok(());
            }
            let after = seen.clone().with(&webhook.webhook_id, &webhook.url)?;
            let writes = vec![registry_write(scope, &seen, &after)?, Write::create(webhook_item(scope, webhook)?)];
            match self.0.transact(writes, None).await {
                Ok(()) => return Ok(()),
                Err(Refused::Condition(_)) => contest.lost().await?,
                Err(other) => return Err(other.into_error()),
            }
        }
    }

    /// A receiver, with how it has been doing; consistent.
    pub async fn get(&self, scope: &Scope, id: &WebhookId) -> Result<Option<Webhook>> {
        let (webhook, health) = (keys::webhook(scope, id), keys::webhook_health(scope, id));
        let webhook = self.0.get::<WebhookRecord>(&webhook, Consistency::Strong);
        let health = self.0.get::<HealthRecord>(&health, Consistency::Strong);
        let (webhook, health) = futures::try_join!(webhook, health)?;
        Ok(webhook.map(|record| joined(record, health)))
    }

    /// All receivers, oldest first, with how they have been doing; consistent.
    pub async fn list(&self, scope: &Scope) -> Result<Vec<Webhook>> {
        let webhooks = self.all::<WebhookRecord>(keys::webhooks(scope));
        let health = self.all::<HealthRecord>(keys::webhooks_health(scope));
        let (webhooks, health) = futures::try_join!(webhooks, health)?;
        let of = |id: &WebhookId| health.iter().find(|health| health.webhook_id == *id).cloned();
        Ok(webhooks.into_iter().map(|record| (of(&record.webhook_id), record)).map(|(h, w)| joined(w, h)).collect())
    }

    /// The receivers that subscribed to `kind`, disabled ones too: their deliveries are held. Without their health;
    /// consistent, so that a receiver gets every event after its registration.
    pub async fn subscribed(&self, scope: &Scope, kind: EventKind) -> Result<Vec<Webhook>> {
        let all = self.all::<WebhookRecord>(keys::webhooks(scope)).await?;
        Ok(all.into_iter().map(Webhook::from).filter(|webhook| webhook.events.includes(kind)).collect())
    }

    async fn all<R: serde::de::DeserializeOwned>(&self, partition: String) -> Result<Vec<R>> {
        let mut query = PartitionQuery::new(partition);
        let mut found = Vec::new();
        loop {
            let page = self.0.query(query.clone()).await?;
            for item in page.items {
                found.push(record(item)?);
            }
            match page.next {
                Some(next) => query.start = Some(next),
                None => return Ok(found),
            }
        }
    }

    /// Replaces a receiver by what `decide` makes of it, again from the start when another writer was faster; `None`
    /// leaves it as it is. 404 where there is none, 409 where its new address is taken.
    pub async fn change(
        &self,
        scope: &Scope,
        id: &WebhookId,
        decide: impl Fn(&Webhook) -> Result<Option<Webhook>>,
    ) -> Result<Webhook> {
        let mut contest = self.0.contest(&keys::webhook(scope, id), self.0.patience());
        let mut written: Option<Webhook> = None;
        loop {
            let seen = self.get(scope, id).await?.ok_or_else(missing)?;
            if let Some(mine) = written.filter(|mine| same(mine, &seen)) {
                return Ok(mine);
            }
            let Some(mut after) = decide(&seen)? else { return Ok(seen) };
            after.version = seen.version + 1;
            let write = Write::Put { item: webhook_item(scope, &after)?, condition: Some(at_version(seen.version)) };
            let mut writes = vec![write];
            if after.is_active() && !seen.is_active() {
                writes.push(replays::order(scope, &released(&seen, self.0.ambient.now()))?);
                writes.push(health::put(scope, id, &after.health)?);
            }
            if after.url != seen.url {
                let registry = self.registry(scope).await?;
                let moved = registry.clone().without(id).with(id, &after.url)?;
                writes.push(registry_write(scope, &registry, &moved)?);
            }
            match self.0.transact(writes, None).await {
                Ok(()) => return Ok(after),
                Err(Refused::Condition(_)) => contest.lost().await?,
                Err(other) => return Err(other.into_error()),
            }
            written = Some(after);
        }
    }

    /// Deletes a receiver; 404 if there is none. Its pending deliveries are not sent.
    pub async fn delete(&self, scope: &Scope, id: &WebhookId) -> Result<()> {
        let mut contest = self.registry_contest(scope);
        let mut tried = false;
        loop {
            let seen = self.registry(scope).await?;
            if !seen.has(id) {
                return if tried { Ok(()) } else { Err(missing()) };
            }
            let writes = vec![
                registry_write(scope, &seen, &seen.clone().without(id))?,
                Write::Delete { key: keys::webhook(scope, id), condition: None },
                Write::Delete { key: keys::webhook_health(scope, id), condition: None },
            ];
            match self.0.transact(writes, None).await {
                Ok(()) => return Ok(()),
                Err(Refused::Condition(_)) => contest.lost().await?,
                Err(other) => return Err(other.into_error()),
            }
            tried = true;
        }
    }

    fn registry_contest(&self, scope: &Scope) -> Contest<'_> {
        let deadline = self.0.ambient.now().plus_millis(PATIENCE_MS);
        self.0.contest(&keys::webhook_registry(scope), deadline)
    }

    async fn registry(&self, scope: &Scope) -> Result<RegistryRecord> {
        Ok(self.0.get(&keys::webhook_registry(scope), Consistency::Strong).await?.unwrap_or_default())
    }
}

/// Whether what is there is what this request wrote in an attempt whose reply was lost.
fn same(mine: &Webhook, there: &Webhook) -> bool {
    let without_health = |webhook: &Webhook| Webhook { health: Default::default(), ..webhook.clone() };
    without_health(mine) == without_health(there)
}

/// What was held while a receiver was disabled is sent once it is active again: ordered with the change itself.
fn released(seen: &Webhook, now: Timestamp) -> Replay {
    Replay::new(seen.webhook_id.clone(), ReplayKind::Held, seen.disabled_at.unwrap_or_default(), now)
}

fn missing() -> Error {
    Error::not_found("webhook")
}

fn joined(record: WebhookRecord, health: Option<HealthRecord>) -> Webhook {
    let mut webhook = Webhook::from(record);
    webhook.health = health.map(|record| record.health.into()).unwrap_or_default();
    webhook
}

fn webhook_item(scope: &Scope, webhook: &Webhook) -> Result<Item> {
    item(&keys::webhook(scope, &webhook.webhook_id), "webhook", &WebhookRecord::from(webhook.clone()))
}

fn at_version(version: u64) -> Expression {
    match version {
        0 => Expression::new("attribute_not_exists(pk)"),
        seen => Expression::new("version = :seen").with(":seen", number(seen)),
    }
}

fn registry_write(scope: &Scope, seen: &RegistryRecord, after: &RegistryRecord) -> Result<Write> {
    let item = item(&keys::webhook_registry(scope), "webhook_registry", after)?;
    Ok(Write::Put { item, condition: Some(at_version(seen.version)) })
}

impl RegistryRecord {
    fn has(&self, id: &WebhookId) -> bool {
        self.addresses.contains_key(id.as_str())
    }

    /// With one more receiver.
    ///
    /// # Errors
    /// 409 where the address is taken, or where there are as many as there may be.
    fn with(mut self, id: &WebhookId, url: &str) -> Result<Self> {
        let address = domain::sha256_hex(url.as_bytes());
        if self.addresses.values().any(|taken| *taken == address) {
            return Err(Error::new(Code::Conflict, "A webhook with this URL exists already.")
                .because("DUPLICATE_URL", "change or delete the existing one"));
        }
        if self.addresses.len() >= MAX_WEBHOOKS {
            let message = format!("A tenant may have at most {MAX_WEBHOOKS} webhooks.");
            return Err(Error::new(Code::Conflict, message).because("TOO_MANY_WEBHOOKS", "delete one first"));
        }
        self.addresses.insert(id.to_string(), address);
        self.version += 1;
        Ok(self)
    }

    fn without(mut self, id: &WebhookId) -> Self {
        self.addresses.remove(id.as_str());
        self.version += 1;
        self
    }
}
