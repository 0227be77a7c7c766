//! Limits concurrent deliveries to one receiver to five, so that a slow receiver leaves room for the others.
//!
//! Within this process the count is kept here. For a receiver whose last response was slow it is also kept in the
//! table, for all processes; that costs two writes, which a fast receiver does not need.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError, Weak};
use std::time::Duration;

use crate::WebhookWorker;
use domain::Result;
use domain::models::{Scope, Timestamp, Webhook, WebhookId};
use domain::webhooks::health::is_slow;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How many wait for one receiver at once.
const AT_ONCE: usize = 5;
/// How long a delivery to a fast receiver waits for a permit.
const PATIENCE: Duration = Duration::from_millis(1_000);
/// If all deliveries to a receiver have run for this long, in milliseconds, no further one waits for a permit.
const STUCK_MS: i64 = 1_000;

static GATES: LazyLock<Mutex<HashMap<WebhookId, Weak<Gate>>>> = LazyLock::new(Mutex::default);

/// The limiter of one receiver.
struct Gate {
    places: Arc<Semaphore>,
    since: Mutex<Vec<Timestamp>>,
}

/// A place with a receiver; it is free again once this is dropped.
pub(crate) struct Place {
    gate: Arc<Gate>,
    since: Timestamp,
    _permit: OwnedSemaphorePermit,
}

/// Takes a place with a receiver; none where it is busy and the delivery had better wait elsewhere.
pub(crate) async fn enter(id: &WebhookId, now: Timestamp) -> Option<Place> {
    let gate = gate(id);
    let places = Arc::clone(&gate.places);
    let permit = match Arc::clone(&places).try_acquire_owned() {
        Ok(permit) => permit,
        Err(_) if gate.is_stuck(now) => return None,
        Err(_) => tokio::time::timeout(PATIENCE, places.acquire_owned()).await.ok()?.ok()?,
    };
    gate.since().push(now);
    Some(Place { gate, since: now, _permit: permit })
}

fn gate(id: &WebhookId) -> Arc<Gate> {
    let mut gates = GATES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(gate) = gates.get(id).and_then(Weak::upgrade) {
        return gate;
    }
    gates.retain(|_, gate| gate.strong_count() > 0);
    let gate = Arc::new(Gate { places: Arc::new(Semaphore::new(AT_ONCE)), since: Mutex::default() });
    gates.insert(id.clone(), Arc::downgrade(&gate));
    gate
}

impl Gate {
    fn since(&self) -> std::sync::MutexGuard<'_, Vec<Timestamp>> {
        self.since.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_stuck(&self, now: Timestamp) -> bool {
        self.since().iter().all(|since| now.millis_since(*since) >= STUCK_MS)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut since = self.gate.since();
        if let Some(mine) = since.iter().position(|at| *at == self.since) {
            since.swap_remove(mine);
        }
    }
}

/// A place with a slow receiver among all processes.
pub(crate) struct Slot<'a> {
    ctx: &'a WebhookWorker,
    scope: &'a Scope,
    webhook: &'a WebhookId,
    holder: Option<&'a str>,
}

impl<'a> Slot<'a> {
    /// Takes one until `until`; none where a slow receiver has none left. A quick one needs none.
    pub(crate) async fn take(
        ctx: &'a WebhookWorker,
        scope: &'a Scope,
        webhook: &'a Webhook,
        holder: &'a str,
        until: Timestamp,
    ) -> Result<Option<Self>> {
        let id = &webhook.webhook_id;
        if !is_slow(&webhook.health) {
            return Ok(Some(Self { ctx, scope, webhook: id, holder: None }));
        }
        let taken = ctx.store.webhooks().take_slot(scope, id, holder, until).await?;
        Ok(taken.then_some(Self { ctx, scope, webhook: id, holder: Some(holder) }))
    }

    /// Gives it back; where that fails it is free again in a while.
    pub(crate) async fn free(self) {
        let Some(holder) = self.holder else { return };
        if let Err(error) = self.ctx.store.webhooks().free_slot(self.scope, self.webhook, holder).await {
            tracing::warn!(webhook.id = %self.webhook, error.story = %error, "failed to release the receiver's permit; it expires with its lease");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(n: u128) -> WebhookId {
        WebhookId::from_parts(Timestamp::from_millis(1), n)
    }

    #[tokio::test]
    async fn the_sixth_is_turned_away_from_a_receiver_that_is_stuck_and_nobody_else_is() {
        let (stuck, other) = (id(1), id(2));
        let start = Timestamp::from_millis(0);
        let mut held = Vec::new();
        for _ in 0..AT_ONCE {
            held.push(enter(&stuck, start).await.unwrap());
        }
        assert!(enter(&stuck, start.plus_millis(STUCK_MS)).await.is_none());
        assert!(enter(&other, start.plus_millis(STUCK_MS)).await.is_some());
        held.pop();
        assert!(enter(&stuck, start.plus_millis(STUCK_MS)).await.is_some());
    }

    #[tokio::test]
    async fn one_who_stands_before_a_quick_receiver_gets_in_when_another_leaves() {
        let busy = id(3);
        let start = Timestamp::from_millis(0);
        let mut held = Vec::new();
        for _ in 0..AT_ONCE {
            held.push(enter(&busy, start).await.unwrap());
        }
        let waiting = enter(&busy, start.plus_millis(1));
        let (entered, ()) = tokio::join!(waiting, async { drop(held.pop()) });
        assert!(entered.is_some());
    }
}
