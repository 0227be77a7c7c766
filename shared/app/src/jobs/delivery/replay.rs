//! Executes an order to send missed deliveries again, page by page, as far as time allows. The due index brings up the
//! rest. A page that is done twice changes nothing more.

use futures::StreamExt;

use super::{Deliveries, enqueue_stored};
use domain::Result;
use domain::models::{Delivery, Replay, ReplayKind, Scope, Timestamp, WebhookId};

/// Deliveries looked at in one step.
const DELIVERIES_PER_STEP: usize = 100;
/// How many are put on the queue at once.
const CONCURRENCY: usize = 8;

/// Carries out the orders for a receiver until `deadline`; true when none is left.
pub async fn run_replays(
    service: &Deliveries,
    scope: &Scope,
    webhook: &WebhookId,
    deadline: Timestamp,
) -> Result<bool> {
    let mut done = true;
    for &kind in ReplayKind::ALL {
        done &= run_replay(service, scope, webhook, kind, deadline).await?;
    }
    Ok(done)
}

/// Executes one order until `deadline`; true when nothing of it is left.
///
/// # Errors 503 while the table cannot be reached: the order stays.
pub async fn run_replay(
    service: &Deliveries,
    scope: &Scope,
    webhook: &WebhookId,
    kind: ReplayKind,
    deadline: Timestamp,
) -> Result<bool> {
    let webhooks = service.store.webhooks();
    loop {
        let Some(order) = webhooks.get_replay(scope, webhook, kind).await? else { return Ok(true) };
        let receiver = webhooks.get(scope, webhook).await?;
        // If the receiver is disabled again, its deliveries are held again. Enabling it creates another order.
        if receiver.is_none_or(|receiver| kind == ReplayKind::Held && !receiver.is_active()) {
            webhooks.end_replay(scope, &order).await?;
            return Ok(true);
        }
        let page = service
            .store
            .deliveries()
            .list_missed_since(scope, webhook, order.from, order.after.as_ref(), DELIVERIES_PER_STEP)
            .await?;
        resend_page(service, scope, &order, page.items).await?;
        let Some(next) = page.next else {
            webhooks.end_replay(scope, &order).await?;
            continue;
        };
        let now = service.runtime.now();
        webhooks.advance_replay(scope, &order, &order.clone().advanced(next, now)).await?;
        if now >= deadline {
            return Ok(false);
        }
    }
}

async fn resend_page(service: &Deliveries, scope: &Scope, order: &Replay, deliveries: Vec<Delivery>) -> Result<()> {
    let one = |delivery: Delivery| async move {
        let Some(after) = order.apply(&delivery, service.runtime.now()) else { return Ok(()) };
        if service.store.deliveries().replace(scope, &delivery, &after).await? {
            enqueue_stored(service, scope, &after, 0).await;
        }
        Ok(())
    };
    let mut all = futures::stream::iter(deliveries).map(one).buffer_unordered(CONCURRENCY);
    while let Some(sent) = all.next().await {
        sent?;
    }
    Ok(())
}
