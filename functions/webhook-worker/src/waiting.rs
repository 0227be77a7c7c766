//! Deliveries that wait: held while their receiver is disabled, or deferred while it has no permit left.

use crate::state::WebhookWorker;
use app::jobs::delivery::enqueue_stored;
use domain::Result;
use domain::models::{Delivery, Scope};

use crate::outcome::{Processed, deferral_delay_ms};

/// Holds a delivery of a disabled receiver. If the receiver was enabled meanwhile, the delivery is released, because
/// nothing else would send it.
pub(crate) async fn hold_delivery(state: &WebhookWorker, scope: &Scope, delivery: &Delivery) -> Result<Processed> {
    let now = state.runtime.now();
    let Some(held) = delivery.clone().held(now) else { return Ok(Processed::Done) };
    if !state.store.deliveries().replace(scope, delivery, &held).await? {
        return Ok(Processed::Changed);
    }
    release_if_active(state, scope, &held).await?;
    Ok(Processed::Done)
}

/// Releases a held delivery whose receiver has become active meanwhile.
pub(crate) async fn release_if_active(state: &WebhookWorker, scope: &Scope, held: &Delivery) -> Result<()> {
    let receiver = state.store.webhooks().get(scope, &held.webhook_id).await?;
    if let Some(released) =
        held.clone().released(state.runtime.now()).filter(|_| receiver.is_some_and(|it| it.is_active()))
        && state.store.deliveries().replace(scope, held, &released).await?
    {
        enqueue_stored(&state.deliveries, scope, &released, 0).await;
    }
    Ok(())
}

/// Reschedules a delivery; this does not count as an attempt.
pub(crate) async fn defer(state: &WebhookWorker, scope: &Scope, delivery: &Delivery) -> Result<Processed> {
    let delay = deferral_delay_ms(delivery.deferrals, random_u64(state)?);
    let deferred = delivery.clone().deferred(state.runtime.now().plus_millis(delay));
    let replaced = state.store.deliveries().replace(scope, delivery, &deferred).await?;
    if replaced {
        enqueue_stored(&state.deliveries, scope, &deferred, delay).await;
    }
    Ok(Processed::from_replaced(replaced))
}

/// 64 random bits.
pub(crate) fn random_u64(state: &WebhookWorker) -> Result<u64> {
    Ok(u64::from_be_bytes(state.runtime.bytes::<8>()?))
}
