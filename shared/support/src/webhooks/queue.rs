//! The acts on deliveries that several functions share: queueing them, at once or from the due index, and sending
//! missed ones again.
//!
//! The item in the table is what counts. A queue message only names it. A lost message is made up for by the due index,
//! and a repeated one finds nothing to do.

use std::time::Duration;

use aws::queue::{MAX_DELAY, Queue, Task};
use domain::Result;
use domain::models::{Delivery, DeliveryStatus, EventId, Replay, ReplayKind, Scope, Timestamp, WebhookId};
use futures::StreamExt;

use crate::edge::App;

/// Whether a message of the queue can wait until a delivery is to be tried in `delay_ms` milliseconds; what is later
/// is left to the due index.
#[must_use]
pub(crate) fn fits_queue_delay(delay_ms: i64) -> bool {
    u64::try_from(delay_ms).is_ok_and(|delay| Duration::from_millis(delay) <= MAX_DELAY)
}

/// Asks the workers to look at a delivery in `delay_ms` milliseconds.
///
/// # Errors
/// 503 while the queue cannot be reached; then the due index brings the delivery up a little later.
pub async fn enqueue(app: &App, scope: &Scope, webhook: &WebhookId, event: &EventId, delay_ms: i64) -> Result<()> {
    let task = Task::Deliver { scope: scope.clone(), webhook_id: webhook.clone(), event_id: event.clone() };
    let delay = Duration::from_millis(u64::try_from(delay_ms).unwrap_or(0));
    app.queue(Queue::Webhooks)?.send(&task, delay).await
}

/// The same for a delivery that is stored and due by itself: a queue that cannot be reached only makes it later.
pub(crate) async fn enqueue_stored(app: &App, scope: &Scope, delivery: &Delivery, delay_ms: i64) {
    let (webhook, event) = (&delivery.webhook_id, &delivery.event.event_id);
    if let Err(error) = enqueue(app, scope, webhook, event, delay_ms).await {
        tracing::warn!(webhook.id = %webhook, event.id = %event, error = %error, "failed to queue a delivery; the sweeper queues it again");
    }
}

/// After this many milliseconds a queued delivery is looked at again, in case its message is lost or the queue is long.
const RECHECK_AFTER_MS: i64 = 5 * 60_000;

/// Puts a delivery that is due, or stuck, on its queue; one that is done or gone is left alone.
///
/// Its next attempt was later than a queue delay allows, or its message or worker was lost.
///
/// # Errors
/// 503 while table or queue cannot be reached: it stays due.
pub async fn due(app: &App, scope: &Scope, webhook: &WebhookId, event: &EventId) -> Result<()> {
    let Some(delivery) = app.store.deliveries().get(scope, webhook, event).await? else { return Ok(()) };
    let now = app.runtime.now();
    let is_due = delivery.status == DeliveryStatus::Pending && delivery.due_at.is_some_and(|due| due <= now);
    if !is_due || delivery.is_leased(now) {
        return Ok(());
    }
    let early = delivery.next_attempt_at.map_or(0, |next| next.millis_since(now).max(0));
    enqueue(app, scope, webhook, event, early).await?;
    // It changed meanwhile and has been handled.
    let again = delivery.clone().requeued(now.plus_millis(early + RECHECK_AFTER_MS));
    app.store.deliveries().replace(scope, &delivery, &again).await.map(drop)
}

/// Deliveries looked at in one step.
const DELIVERIES_PER_STEP: usize = 100;
/// How many are put on the queue at once.
const CONCURRENCY: usize = 8;

/// Carries out the orders for a receiver until `deadline`; true when none is left.
pub(crate) async fn run_replays(app: &App, scope: &Scope, webhook: &WebhookId, deadline: Timestamp) -> Result<bool> {
    let mut done = true;
    for &kind in ReplayKind::ALL {
        done &= run_replay(app, scope, webhook, kind, deadline).await?;
    }
    Ok(done)
}

/// Executes one order until `deadline`; true when nothing of it is left.
///
/// It goes page by page. The due index brings up the rest. A page that is done twice changes nothing more.
///
/// # Errors 503 while the table cannot be reached: the order stays.
pub(crate) async fn run_replay(
    app: &App,
    scope: &Scope,
    webhook: &WebhookId,
    kind: ReplayKind,
    deadline: Timestamp,
) -> Result<bool> {
    let webhooks = app.store.webhooks();
    loop {
        let Some(order) = webhooks.get_replay(scope, webhook, kind).await? else { return Ok(true) };
        let receiver = webhooks.get(scope, webhook).await?;
        // If the receiver is disabled again, its deliveries are held again. Enabling it creates another order.
        if receiver.is_none_or(|receiver| kind == ReplayKind::Held && !receiver.is_active()) {
            webhooks.end_replay(scope, &order).await?;
            return Ok(true);
        }
        let page = app
            .store
            .deliveries()
            .list_missed_since(scope, webhook, order.from, order.after.as_ref(), DELIVERIES_PER_STEP)
            .await?;
        resend_page(app, scope, &order, page.items).await?;
        let Some(next) = page.next else {
            webhooks.end_replay(scope, &order).await?;
            continue;
        };
        let now = app.runtime.now();
        webhooks.advance_replay(scope, &order, &order.clone().advanced(next, now)).await?;
        if now >= deadline {
            return Ok(false);
        }
    }
}

async fn resend_page(app: &App, scope: &Scope, order: &Replay, deliveries: Vec<Delivery>) -> Result<()> {
    let one = |delivery: Delivery| async move {
        let Some(after) = order.apply(&delivery, app.runtime.now()) else { return Ok(()) };
        if app.store.deliveries().replace(scope, &delivery, &after).await? {
            enqueue_stored(app, scope, &after, 0).await;
        }
        Ok(())
    };
    let mut all = futures::stream::iter(deliveries).map(one).buffer_unordered(CONCURRENCY);
    while let Some(sent) = all.next().await {
        sent?;
    }
    Ok(())
}
