//! One delivery: read, leased, sent, recorded.
//!
//! | the worker dies after | what happens then |
//! |---|---|
//! | the lease | the lease expires, a sweep finds the delivery in the due index, and it is sent |
//! | the request | the same: the receiver gets it twice, with the same `webhook-id` |
//! | the record | nothing is lost: the next attempt is in the due index |

use crate::WebhookWorker;
use app::delivery::{enqueue_stored, give_up_delivery};
use domain::models::{
    Delivery, DeliveryLease, DeliveryStatus, DisabledReason, EventId, Scope, Timestamp, Webhook, WebhookId,
};
use domain::webhooks::health;
use domain::{Error, Result};

use crate::limiter::Permit;
use crate::outcome::{Outcome, decide_outcome, deferral_delay_ms};
use crate::sending::{self, Sent};

/// The duration of a delivery's lease, in milliseconds: longer than a request can take with its reads and writes.
const LEASE_MS: i64 = 30_000;

/// The maximum number of reads of a delivery that changes between the read and the lease.
const MAX_ATTEMPTS: u32 = 5;

/// Tries a delivery, if it is due and not leased, and stores the result.
///
/// # Errors The table or the keys cannot be reached; the message must be delivered again.
pub(crate) async fn attempt_delivery(
    ctx: &WebhookWorker,
    scope: &Scope,
    webhook: &WebhookId,
    event: &EventId,
) -> Result<()> {
    for _ in 0..MAX_ATTEMPTS {
        match process(ctx, scope, webhook, event).await? {
            Processed::Done => return Ok(()),
            Processed::Changed => {}
        }
    }
    Err(Error::unavailable("a delivery changed at every attempt to lease it"))
}

/// The result of processing a delivery once.
enum Processed {
    /// Nothing more to do now.
    Done,
    /// It changed between the read and the write, and may still be due.
    Changed,
}

impl Processed {
    const fn from_replaced(replaced: bool) -> Self {
        if replaced { Self::Done } else { Self::Changed }
    }
}

async fn process(ctx: &WebhookWorker, scope: &Scope, webhook: &WebhookId, event: &EventId) -> Result<Processed> {
    let deliveries = ctx.store.deliveries();
    let webhooks = ctx.store.webhooks();
    let read = futures::try_join!(deliveries.get(scope, webhook, event), webhooks.get(scope, webhook))?;
    match read {
        (None, _) => Ok(Processed::Done),
        (Some(_), None) => deliveries.forget(scope, webhook, event).await.map(|()| Processed::Done),
        (Some(delivery), Some(_)) if !delivery.is_ready(ctx.ambient.now()) => Ok(Processed::Done),
        (Some(delivery), Some(_)) if delivery.has_too_many_interruptions() => {
            let (given_up, id) = (give_up_delivery(&ctx.deliveries, scope, &delivery).await?, &delivery.event.event_id);
            tracing::error!(webhook.id = %webhook, event.id = %id, "a delivery failed for good: its workers ended without a result");
            Ok(Processed::from_replaced(given_up))
        }
        (Some(delivery), Some(receiver)) if !receiver.is_active() => hold_delivery(ctx, scope, &delivery).await,
        (Some(delivery), Some(receiver)) => send(ctx, scope, &receiver, delivery).await,
    }
}

/// Holds a delivery of a disabled receiver. If the receiver was enabled meanwhile, the delivery is released, because
/// nothing else would send it.
async fn hold_delivery(ctx: &WebhookWorker, scope: &Scope, delivery: &Delivery) -> Result<Processed> {
    let now = ctx.ambient.now();
    let Some(held) = delivery.clone().held(now) else { return Ok(Processed::Done) };
    if !ctx.store.deliveries().replace(scope, delivery, &held).await? {
        return Ok(Processed::Changed);
    }
    release_if_active(ctx, scope, &held).await?;
    Ok(Processed::Done)
}

/// Releases a held delivery whose receiver has become active meanwhile.
async fn release_if_active(ctx: &WebhookWorker, scope: &Scope, held: &Delivery) -> Result<()> {
    let receiver = ctx.store.webhooks().get(scope, &held.webhook_id).await?;
    if let Some(released) =
        held.clone().released(ctx.ambient.now()).filter(|_| receiver.is_some_and(|it| it.is_active()))
        && ctx.store.deliveries().replace(scope, held, &released).await?
    {
        enqueue_stored(&ctx.deliveries, scope, &released, 0).await;
    }
    Ok(())
}

async fn send(ctx: &WebhookWorker, scope: &Scope, receiver: &Webhook, delivery: Delivery) -> Result<Processed> {
    let lease = lease(ctx)?;
    let Some(permit) = Permit::acquire(ctx, scope, receiver, &lease).await? else {
        return defer(ctx, scope, &delivery).await;
    };
    let leased = delivery.clone().leased(lease.clone());
    let done = match ctx.store.deliveries().replace(scope, &delivery, &leased).await {
        Ok(true) => send_leased(ctx, scope, receiver, leased).await,
        Ok(false) => Ok(Processed::Changed),
        Err(error) => Err(error),
    };
    permit.release(ctx, scope, &receiver.webhook_id).await;
    done
}

fn lease(ctx: &WebhookWorker) -> Result<DeliveryLease> {
    let holder = ctx.ambient.token()?;
    Ok(DeliveryLease { holder, until: ctx.ambient.now().plus_millis(LEASE_MS) })
}

/// Reschedules a delivery; this does not count as an attempt.
async fn defer(ctx: &WebhookWorker, scope: &Scope, delivery: &Delivery) -> Result<Processed> {
    let delay = deferral_delay_ms(delivery.deferrals, random_u64(ctx)?);
    let deferred = delivery.clone().deferred(ctx.ambient.now().plus_millis(delay));
    let replaced = ctx.store.deliveries().replace(scope, delivery, &deferred).await?;
    if replaced {
        enqueue_stored(&ctx.deliveries, scope, &deferred, delay).await;
    }
    Ok(Processed::from_replaced(replaced))
}

async fn send_leased(ctx: &WebhookWorker, scope: &Scope, receiver: &Webhook, leased: Delivery) -> Result<Processed> {
    let sent = match sending::send(ctx, scope, receiver, &leased).await {
        Ok(sent) => sent,
        Err(error) => {
            // No attempt was made, and the lease must not look like that of a worker that died.
            let (webhook, event) = (&receiver.webhook_id, &leased.event.event_id);
            tracing::error!(webhook.id = %webhook, event.id = %event, error.story = %error, "failed to prepare a delivery; it is rescheduled");
            return defer(ctx, scope, &leased).await;
        }
    };
    let now = ctx.ambient.now();
    let Some(Outcome { delivery, queue_in_ms, disable }) =
        decide_outcome(&leased, receiver, &sent, now, random_u64(ctx)?)
    else {
        return Ok(Processed::Done);
    };
    if let Some(reason) = disable {
        disable_webhook(ctx, scope, receiver, &sent, reason, now).await?;
    }
    let recorded = ctx.store.deliveries().replace(scope, &leased, &delivery).await?;
    if let Some(delay) = queue_in_ms.filter(|_| recorded) {
        enqueue_stored(&ctx.deliveries, scope, &delivery, delay).await;
    }
    if recorded && delivery.status == DeliveryStatus::Held {
        release_if_active(ctx, scope, &delivery).await?;
    }
    log_attempt(&delivery, &sent);
    record_health(ctx, scope, receiver, &sent).await;
    Ok(Processed::Done)
}

/// Disables a receiver before the attempt is recorded: a crash in between leaves a delivery that is retried, then held.
async fn disable_webhook(
    ctx: &WebhookWorker,
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
    match ctx.store.webhooks().change(scope, &receiver.webhook_id, disable).await {
        Ok(_) => {
            tracing::warn!(webhook.id = %receiver.webhook_id, webhook.reason = %reason, "disabled a webhook");
            Ok(())
        }
        Err(error) if error.code() == domain::error::Code::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

/// Records the receiver's health. A failure is logged and not retried.
async fn record_health(ctx: &WebhookWorker, scope: &Scope, receiver: &Webhook, sent: &Sent) {
    let after = |seen: &domain::models::WebhookHealth| health::after(seen, &sent.attempt);
    if after(&receiver.health).is_none() {
        return;
    }
    if let Err(error) = ctx.store.webhooks().note(scope, &receiver.webhook_id, after).await {
        tracing::warn!(webhook.id = %receiver.webhook_id, error.story = %error, "failed to record an attempt with its webhook");
    }
}

fn log_attempt(delivery: &Delivery, sent: &Sent) {
    let (webhook, event) = (&delivery.webhook_id, &delivery.event.event_id);
    let (status, error) = (sent.attempt.status, sent.attempt.error.map(|error| error.as_str()));
    let (attempt, ms) = (delivery.attempt, sent.attempt.duration_ms);
    if delivery.status == DeliveryStatus::Succeeded {
        tracing::info!(webhook.id = %webhook, event.id = %event, attempt, ms, "delivered an event");
    } else {
        tracing::warn!(webhook.id = %webhook, event.id = %event, attempt, ms, status, error, "failed to deliver an event");
    }
}

fn random_u64(ctx: &WebhookWorker) -> Result<u64> {
    Ok(u64::from_be_bytes(ctx.ambient.bytes::<8>()?))
}
