//! The concurrency limiter of receivers: not more than [`RECEIVER_CONCURRENCY`] deliveries wait for one receiver at once,
//! so that a slow one leaves room for the others.
//!
//! Every permit counts in this process. One for a receiver whose last answer was slow counts in the table, too, over all
//! processes; that costs two writes, which a quick one is spared.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError, Weak};
use std::time::Duration;

use crate::WebhookWorker;
use domain::Result;
use domain::models::{DeliveryLease, Scope, Timestamp, Webhook, WebhookId};
use domain::webhooks::RECEIVER_CONCURRENCY;
use domain::webhooks::health::is_slow;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How long a delivery waits for a permit of this process.
const PATIENCE: Duration = Duration::from_millis(1_000);
/// Where all permits of this process are held for so long, in milliseconds, nobody waits for one.
const STUCK_MS: i64 = 1_000;

static RECEIVERS: LazyLock<Mutex<HashMap<WebhookId, Weak<Receiver>>>> = LazyLock::new(Mutex::default);

/// What this process has under way to one receiver.
struct Receiver {
    permits: Arc<Semaphore>,
    since: Mutex<Vec<Timestamp>>,
}

/// Leave to send to a receiver; [`Permit::release`] gives it back.
pub(crate) struct Permit<'a> {
    _local: LocalPermit,
    /// The lease under which it counts in the table.
    shared: Option<&'a DeliveryLease>,
}

impl<'a> Permit<'a> {
    /// Takes one for a delivery under `lease`; none where the receiver is busy and the delivery had better wait
    /// elsewhere.
    pub(crate) async fn acquire(
        ctx: &WebhookWorker,
        scope: &Scope,
        webhook: &Webhook,
        lease: &'a DeliveryLease,
    ) -> Result<Option<Self>> {
        let id = &webhook.webhook_id;
        let Some(local) = LocalPermit::acquire(id, ctx.ambient.now()).await else { return Ok(None) };
        if !is_slow(&webhook.health) {
            return Ok(Some(Self { _local: local, shared: None }));
        }
        let taken = ctx.store.webhooks().take_slot(scope, id, &lease.holder, lease.until).await?;
        Ok(taken.then_some(Self { _local: local, shared: Some(lease) }))
    }

    /// Gives it back; where that fails it is free again when its lease ends.
    pub(crate) async fn release(self, ctx: &WebhookWorker, scope: &Scope, webhook: &WebhookId) {
        let Some(lease) = self.shared else { return };
        if let Err(error) = ctx.store.webhooks().free_slot(scope, webhook, &lease.holder).await {
            tracing::warn!(webhook.id = %webhook, error.story = %error, "a permit of a receiver stays taken until its lease ends");
        }
    }
}

/// A permit of this process; free again once it is dropped.
struct LocalPermit {
    receiver: Arc<Receiver>,
    since: Timestamp,
    _permit: OwnedSemaphorePermit,
}

impl LocalPermit {
    async fn acquire(id: &WebhookId, now: Timestamp) -> Option<Self> {
        let receiver = receiver(id);
        let permits = Arc::clone(&receiver.permits);
        let permit = match Arc::clone(&permits).try_acquire_owned() {
            Ok(permit) => permit,
            Err(_) if receiver.is_stuck(now) => return None,
            Err(_) => tokio::time::timeout(PATIENCE, permits.acquire_owned()).await.ok()?.ok()?,
        };
        receiver.since().push(now);
        Some(Self { receiver, since: now, _permit: permit })
    }
}

fn receiver(id: &WebhookId) -> Arc<Receiver> {
    let mut receivers = RECEIVERS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(receiver) = receivers.get(id).and_then(Weak::upgrade) {
        return receiver;
    }
    receivers.retain(|_, receiver| receiver.strong_count() > 0);
    let permits = Arc::new(Semaphore::new(RECEIVER_CONCURRENCY));
    let receiver = Arc::new(Receiver { permits, since: Mutex::default() });
    receivers.insert(id.clone(), Arc::downgrade(&receiver));
    receiver
}

impl Receiver {
    fn since(&self) -> std::sync::MutexGuard<'_, Vec<Timestamp>> {
        self.since.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_stuck(&self, now: Timestamp) -> bool {
        self.since().iter().all(|since| now.millis_since(*since) >= STUCK_MS)
    }
}

impl Drop for LocalPermit {
    fn drop(&mut self) {
        let mut since = self.receiver.since();
        if let Some(mine) = since.iter().position(|at| *at == self.since) {
            since.swap_remove(mine);
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
        for _ in 0..RECEIVER_CONCURRENCY {
            held.push(LocalPermit::acquire(&stuck, start).await.unwrap());
        }
        assert!(LocalPermit::acquire(&stuck, start.plus_millis(STUCK_MS)).await.is_none());
        assert!(LocalPermit::acquire(&other, start.plus_millis(STUCK_MS)).await.is_some());
        held.pop();
        assert!(LocalPermit::acquire(&stuck, start.plus_millis(STUCK_MS)).await.is_some());
    }

    #[tokio::test]
    async fn one_who_waits_for_a_quick_receiver_gets_a_permit_when_another_gives_one_back() {
        let busy = id(3);
        let start = Timestamp::from_millis(0);
        let mut held = Vec::new();
        for _ in 0..RECEIVER_CONCURRENCY {
            held.push(LocalPermit::acquire(&busy, start).await.unwrap());
        }
        let waiting = LocalPermit::acquire(&busy, start.plus_millis(1));
        let (acquired, ()) = tokio::join!(waiting, async { drop(held.pop()) });
        assert!(acquired.is_some());
    }
}
