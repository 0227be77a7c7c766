//! A delivery from the due index: its next attempt was later than a queue delay allows, or its message or worker was
//! lost.

use super::{Deliveries, enqueue};
use domain::Result;
use domain::models::{DeliveryStatus, EventId, Scope, WebhookId};

/// After this many milliseconds a queued delivery is looked at again, in case its message is lost or the queue is long.
const RECHECK_AFTER_MS: i64 = 5 * 60_000;

/// Puts a delivery that is due, or stuck, on its queue; one that is done or gone is left alone.
///
/// # Errors
/// 503 while table or queue cannot be reached: it stays due.
pub async fn due(service: &Deliveries, scope: &Scope, webhook: &WebhookId, event: &EventId) -> Result<()> {
    let Some(delivery) = service.store.deliveries().get(scope, webhook, event).await? else { return Ok(()) };
    let now = service.runtime.now();
    let is_due = delivery.status == DeliveryStatus::Pending && delivery.due_at.is_some_and(|due| due <= now);
    if !is_due || delivery.is_leased(now) {
        return Ok(());
    }
    let early = delivery.next_attempt_at.map_or(0, |next| next.millis_since(now).max(0));
    enqueue(service, scope, webhook, event, early).await?;
    // It changed meanwhile and has been handled.
    let again = delivery.clone().requeued(now.plus_millis(early + RECHECK_AFTER_MS));
    service.store.deliveries().replace(scope, &delivery, &again).await.map(drop)
}
