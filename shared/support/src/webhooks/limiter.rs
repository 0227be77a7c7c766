//! The concurrency limiter of receivers: at most [`RECEIVER_CONCURRENCY`] deliveries to one receiver run concurrently,
//! so that a slow receiver leaves room for the others.
//!
//! Every permit counts in this process. For a receiver whose last response was slow it also counts in the table, for
//! all processes; that costs two writes, which a fast receiver does not need.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError, Weak};
use std::time::Duration;

use domain::Result;
use domain::models::{DeliveryLease, Scope, Timestamp, Webhook, WebhookId};
use domain::webhooks::RECEIVER_CONCURRENCY;
use domain::webhooks::health::is_slow;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::edge::App;

/// How long a delivery waits for a permit of this process.
const ACQUIRE_TIMEOUT: Duration = Duration::from_millis(1_000);
/// If all permits of this process are held for this long, in milliseconds, no delivery waits for one.
const SATURATED_AFTER_MS: i64 = 1_000;

/// By tenant and mode, too: an import keeps the ids, so two tenants may have webhooks of the same id.
type ReceiverKey = (Scope, WebhookId);

static RECEIVERS: LazyLock<Mutex<HashMap<ReceiverKey, Weak<Receiver>>>> = LazyLock::new(Mutex::default);

/// The permits of this process for one receiver.
struct Receiver {
    permits: Arc<Semaphore>,
    started: Mutex<Vec<Timestamp>>,
}

/// A permit to send to a receiver; [`Permit::release`] returns it.
pub(crate) struct Permit<'a> {
    _local: LocalPermit,
    /// The lease under which the permit counts in the table.
    shared: Option<&'a DeliveryLease>,
}

impl<'a> Permit<'a> {
    /// Acquires a permit for a delivery under `lease`. Returns `None` if the receiver is saturated: the delivery is
    /// then rescheduled.
    pub(crate) async fn acquire(
        app: &App,
        scope: &Scope,
        webhook: &Webhook,
        lease: &'a DeliveryLease,
    ) -> Result<Option<Self>> {
        let id = &webhook.webhook_id;
        let key = (scope.clone(), id.clone());
        let Some(local) = LocalPermit::acquire(&key, app.runtime.now()).await else { return Ok(None) };
        if !is_slow(&webhook.health) {
            return Ok(Some(Self { _local: local, shared: None }));
        }
        let taken = app.store.webhooks().acquire_permit(scope, id, &lease.holder, lease.until).await?;
        Ok(taken.then_some(Self { _local: local, shared: Some(lease) }))
    }

    /// Releases the permit; if that fails, it expires with its lease.
    pub(crate) async fn release(self, app: &App, scope: &Scope, webhook: &WebhookId) {
        let Some(lease) = self.shared else { return };
        if let Err(error) = app.store.webhooks().release_permit(scope, webhook, &lease.holder).await {
            tracing::warn!(webhook.id = %webhook, error = %error, "failed to release the receiver's permit; it expires with its lease");
        }
    }
}

/// A permit of this process; dropping it releases it.
struct LocalPermit {
    receiver: Arc<Receiver>,
    started_at: Timestamp,
    _permit: OwnedSemaphorePermit,
}

impl LocalPermit {
    async fn acquire(key: &ReceiverKey, now: Timestamp) -> Option<Self> {
        let receiver = receiver(key);
        let permits = Arc::clone(&receiver.permits);
        let permit = match Arc::clone(&permits).try_acquire_owned() {
            Ok(permit) => permit,
            Err(_) if receiver.is_saturated(now) => return None,
            Err(_) => tokio::time::timeout(ACQUIRE_TIMEOUT, permits.acquire_owned()).await.ok()?.ok()?,
        };
        receiver.started().push(now);
        Some(Self { receiver, started_at: now, _permit: permit })
    }
}

fn receiver(key: &ReceiverKey) -> Arc<Receiver> {
    let mut receivers = RECEIVERS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(receiver) = receivers.get(key).and_then(Weak::upgrade) {
        return receiver;
    }
    receivers.retain(|_, receiver| receiver.strong_count() > 0);
    let permits = Arc::new(Semaphore::new(RECEIVER_CONCURRENCY));
    let receiver = Arc::new(Receiver { permits, started: Mutex::default() });
    receivers.insert(key.clone(), Arc::downgrade(&receiver));
    receiver
}

impl Receiver {
    fn started(&self) -> std::sync::MutexGuard<'_, Vec<Timestamp>> {
        self.started.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_saturated(&self, now: Timestamp) -> bool {
        self.started().iter().all(|at| now.millis_since(*at) >= SATURATED_AFTER_MS)
    }
}

impl Drop for LocalPermit {
    fn drop(&mut self) {
        let mut started = self.receiver.started();
        if let Some(mine) = started.iter().position(|at| *at == self.started_at) {
            started.swap_remove(mine);
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::models::{Mode, TenantId};

    use super::*;

    fn key(tenant: u128, webhook: u128) -> ReceiverKey {
        let tenant = TenantId::from_parts(Timestamp::from_millis(1), tenant);
        (Scope { tenant, mode: Mode::Live }, WebhookId::from_parts(Timestamp::from_millis(1), webhook))
    }

    #[tokio::test]
    async fn a_saturated_receiver_refuses_a_sixth_permit_and_others_do_not() {
        let saturated = key(1, 1);
        let start = Timestamp::from_millis(0);
        let mut held = Vec::new();
        for _ in 0..RECEIVER_CONCURRENCY {
            held.push(LocalPermit::acquire(&saturated, start).await.unwrap());
        }
        assert!(LocalPermit::acquire(&saturated, start.plus_millis(SATURATED_AFTER_MS)).await.is_none());
        for other in [key(1, 2), key(2, 1)] {
            assert!(LocalPermit::acquire(&other, start.plus_millis(SATURATED_AFTER_MS)).await.is_some(), "{other:?}");
        }
        held.pop();
        assert!(LocalPermit::acquire(&saturated, start.plus_millis(SATURATED_AFTER_MS)).await.is_some());
    }

    #[tokio::test]
    async fn a_waiting_acquire_succeeds_when_a_permit_is_released() {
        let busy = key(1, 3);
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
