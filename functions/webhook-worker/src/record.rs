//! Stores the result of an attempt: the delivery, and the health of its receiver.

use crate::state::WebhookWorker;
use app::jobs::delivery::enqueue_stored;
use domain::Result;
use domain::models::{Delivery, DeliveryStatus, DisabledReason, Scope, Timestamp, Webhook};
use domain::webhooks::health;

use crate::outcome::{Outcome, decide_outcome};
use crate::sending::Sent;
use crate::waiting::{random_u64, release_if_active};

/// Stores the result of `sent` with the delivery that was leased for it.
///
/// # Errors
/// The table cannot be reached; the delivery is due again when its lease expires.
pub(crate) async fn record(
    state: &WebhookWorker,
    scope: &Scope,
    receiver: &Webhook,
    leased: &Delivery,
    sent: &Sent,
) -> Result<()> {
    let now = state.runtime.now();
    let Some(Outcome { delivery, queue_in_ms, disable }) =
        decide_outcome(leased, receiver, sent, now, random_u64(state)?)
    else {
        return Ok(());
    };
    if let Some(reason) = disable {
        disable_webhook(state, scope, receiver, sent, reason, now).await?;
    }
    let recorded = state.store.deliveries().replace(scope, leased, &delivery).await?;
    if let Some(delay) = queue_in_ms.filter(|_| recorded) {
        enqueue_stored(&state.deliveries, scope, &delivery, delay).await;
    }
    if recorded && delivery.status == DeliveryStatus::Held {
        release_if_active(state, scope, &delivery).await?;
    }
    log_attempt(&delivery, sent);
    record_health(state, scope, receiver, sent).await;
    Ok(())
}

/// Disables a receiver before the attempt is recorded: a crash in between leaves a delivery that is retried, then held.
async fn disable_webhook(
    state: &WebhookWorker,
    scope: &Scope,
    receiver: &Webhook,
    sent: &Sent,
    reason: DisabledReason,
    now: Timestamp,
) -> Result<()> {
    let disable = |seen: &Webhook| {
        let mut after = seen.clone().disabled(reason, now);
        after.health = health::after(&seen.health, &sent.attempt).unwrap_or_else(|| seen.health.clone());
        // If the receiver's address was changed or it was enabled meanwhile, the failures do not apply to it.
        let same = seen.is_active() && seen.url == receiver.url && seen.updated_at == receiver.updated_at;
        Ok(same.then_some(after))
    };
    match state.store.webhooks().update(scope, &receiver.webhook_id, disable).await {
        Ok(_) => {
            tracing::warn!(webhook.id = %receiver.webhook_id, webhook.reason = %reason, "disabled a webhook");
            Ok(())
        }
        Err(error) if error.code() == domain::error::Code::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

/// Records the receiver's health. A failure is logged and not retried.
async fn record_health(state: &WebhookWorker, scope: &Scope, receiver: &Webhook, sent: &Sent) {
    let after = |seen: &domain::models::WebhookHealth| health::after(seen, &sent.attempt);
    if after(&receiver.health).is_none() {
        return;
    }
    if let Err(error) = state.store.webhooks().record_health(scope, &receiver.webhook_id, after).await {
        tracing::warn!(webhook.id = %receiver.webhook_id, error = %error, "failed to record an attempt with its webhook");
    }
}

fn log_attempt(delivery: &Delivery, sent: &Sent) {
    let (webhook, event) = (&delivery.webhook_id, &delivery.event.event_id);
    let (status, error) = (sent.attempt.status, sent.attempt.error.map(|error| error.as_str()));
    let (attempt, ms, redirects_to) =
        (delivery.attempt, sent.attempt.duration_ms, sent.attempt.redirects_to.as_deref());
    if delivery.status == DeliveryStatus::Succeeded {
        tracing::info!(metric.DeliveryAttempts = 1, webhook.id = %webhook, event.id = %event, attempt, ms, "delivered an event");
    } else {
        tracing::warn!(metric.DeliveryAttempts = 1, metric.DeliveryFailures = 1, webhook.id = %webhook, event.id = %event, attempt, ms, status, error, redirects_to, "failed to deliver an event");
    }
}
