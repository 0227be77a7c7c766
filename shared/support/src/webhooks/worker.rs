//! The webhook worker: takes queue messages, each of which names one delivery, and sends what is due. A message is not
//! trusted: the delivery and its receiver are read.
//!
//! An attempt is the permit of the receiver, the lease, the request, and the record. The lease is taken on condition,
//! so that a repeated message sends nothing twice. The request is signed with every valid secret and posted by the
//! client that refuses private addresses. A delivery is held while its receiver is disabled, and deferred while the
//! receiver has no permit left. The messages of a batch are handled concurrently.

use aws::queue::{Message, Queue, Task};
use bytes::Bytes;
use domain::models::{
    AgentName, Attempt, AttemptError, Delivery, DeliveryLease, DeliveryStatus, DisabledReason, EventId, Scope,
    Timestamp, Webhook, WebhookFormat, WebhookId,
};
use domain::webhooks::{health, schedule, secret_owner, signature};
use domain::{Error, Result, Secret};
use futures::future::join_all;
use http::{HeaderMap, HeaderName, HeaderValue, header};
use outbound::{OutboundUrl, SendError};

use crate::edge::{App, ClientProvider, Parts};
use crate::webhooks::limiter::Permit;
use crate::webhooks::queue::{enqueue_stored, fits_queue_delay};

/// The function's name.
pub const NAME: &str = "webhook-worker";

/// Handles a batch. Returns the ids of the messages that must be delivered again. A message with an unknown task is
/// returned until it goes to the dead-letter queue, and does not delay others.
pub async fn handle(app: &App, messages: Vec<Message>) -> Vec<String> {
    let one = |message: Message| async move {
        let error = handle_message(app, &message).await.err()?;
        let (id, times) = (&message.id, message.receive_count);
        tracing::error!(message.id = %id, message.receive_count = times, error = %error, "failed to handle a delivery message; the queue delivers it again");
        Some(message.id)
    };
    let (started, count) = (app.runtime.now(), messages.len());
    let failed: Vec<String> = join_all(messages.into_iter().map(one)).await.into_iter().flatten().collect();
    let last_error =
        (!failed.is_empty()).then(|| format!("{} of {count} messages failed and are delivered again", failed.len()));
    app.store.agent_runs().record(AgentName::Webhooks, started, app.runtime.now(), last_error.as_deref()).await;
    failed
}

async fn handle_message(app: &App, message: &Message) -> Result<()> {
    match message.task()? {
        Task::Deliver { scope, webhook_id, event_id } => attempt_delivery(app, &scope, &webhook_id, &event_id).await,
        Task::Ingest { .. } | Task::Embed { .. } => {
            Err(Error::internal("a task of another queue is in the queue of deliveries"))
        }
    }
}

/// The worker with its parts.
///
/// # Errors
/// As those of [`ClientProvider`].
pub async fn app(provider: &impl ClientProvider) -> Result<App> {
    let parts = Parts {
        queues: vec![provider.queue(Queue::Webhooks)?],
        cipher: Some(provider.cipher()?),
        outbound: Some(provider.outbound()),
        ..Parts::new(provider)
    };
    Ok(parts.into())
}

/// The maximum number of reads of a delivery that changes between the read and the lease.
const MAX_ATTEMPTS: u32 = 5;

/// Tries a delivery, if it is due and not leased, and stores the result.
///
/// | the worker dies after | what happens then |
/// |---|---|
/// | the lease | the lease expires, a sweep finds the delivery in the due index, and it is sent |
/// | the request | the same: the receiver gets it twice, with the same `webhook-id` |
/// | the record | nothing is lost: the next attempt is in the due index |
///
/// # Errors
/// The table or the keys cannot be reached; the message must be delivered again.
async fn attempt_delivery(app: &App, scope: &Scope, webhook: &WebhookId, event: &EventId) -> Result<()> {
    for _ in 0..MAX_ATTEMPTS {
        match process(app, scope, webhook, event).await? {
            Processed::Done => return Ok(()),
            Processed::Changed => {}
        }
    }
    Err(Error::unavailable("a delivery changed at every attempt to lease it"))
}

async fn process(app: &App, scope: &Scope, webhook: &WebhookId, event: &EventId) -> Result<Processed> {
    let deliveries = app.store.deliveries();
    let webhooks = app.store.webhooks();
    let read = futures::try_join!(deliveries.get(scope, webhook, event), webhooks.get(scope, webhook))?;
    match read {
        (None, _) => Ok(Processed::Done),
        (Some(_), None) => deliveries.delete(scope, webhook, event).await.map(|()| Processed::Done),
        (Some(delivery), Some(_)) if !delivery.is_ready(app.runtime.now()) => Ok(Processed::Done),
        (Some(delivery), Some(_)) if delivery.has_too_many_interruptions() => {
            let Some(failed) = delivery.clone().interrupted(app.runtime.now()) else { return Ok(Processed::Done) };
            let (given_up, id) = (deliveries.replace(scope, &delivery, &failed).await?, &failed.event.event_id);
            tracing::error!(webhook.id = %webhook, event.id = %id, "a delivery failed for good: its workers ended without a result");
            Ok(Processed::from_replaced(given_up))
        }
        (Some(delivery), Some(receiver)) if !receiver.is_active() => hold_delivery(app, scope, &delivery).await,
        (Some(delivery), Some(receiver)) => lease_and_send(app, scope, &receiver, delivery).await,
    }
}

/// The duration of a delivery's lease, in milliseconds: longer than a request can take with its reads and writes.
const LEASE_MS: i64 = 30_000;

/// Sends a delivery that is due, if the receiver has a permit left and no other worker holds the lease.
async fn lease_and_send(app: &App, scope: &Scope, receiver: &Webhook, delivery: Delivery) -> Result<Processed> {
    let lease = lease(app)?;
    let Some(permit) = Permit::acquire(app, scope, receiver, &lease).await? else {
        return defer(app, scope, &delivery).await;
    };
    let leased = delivery.clone().leased(lease.clone());
    let done = match app.store.deliveries().replace(scope, &delivery, &leased).await {
        Ok(true) => send_leased(app, scope, receiver, leased).await,
        Ok(false) => Ok(Processed::Changed),
        Err(error) => Err(error),
    };
    permit.release(app, scope, &receiver.webhook_id).await;
    done
}

fn lease(app: &App) -> Result<DeliveryLease> {
    let holder = app.runtime.token()?;
    Ok(DeliveryLease { holder, until: app.runtime.now().plus_millis(LEASE_MS) })
}

async fn send_leased(app: &App, scope: &Scope, receiver: &Webhook, leased: Delivery) -> Result<Processed> {
    match send(app, scope, receiver, &leased).await {
        Ok(sent) => record(app, scope, receiver, &leased, &sent).await.map(|()| Processed::Done),
        Err(error) => {
            // No attempt was made, and the lease must not look like that of a worker that died.
            let (webhook, event) = (&receiver.webhook_id, &leased.event.event_id);
            tracing::error!(webhook.id = %webhook, event.id = %event, error = %error, "failed to prepare a delivery; it is rescheduled");
            defer(app, scope, &leased).await
        }
    }
}

/// The result of processing a delivery once.
pub(crate) enum Processed {
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

/// The result of an attempt.
pub(crate) struct Outcome {
    /// The delivery's next state.
    pub(crate) delivery: Delivery,
    /// The delay of the next queue message, in milliseconds; `None` if the queue gets none.
    queue_in_ms: Option<i64>,
    /// The receiver is disabled.
    pub(crate) disable: Option<DisabledReason>,
}

/// The outcome of `sent`; `None` if the delivery no longer waits for one.
fn decide_outcome(leased: &Delivery, webhook: &Webhook, sent: &Sent, now: Timestamp, random: u64) -> Option<Outcome> {
    let (attempt, answer) = (sent.attempt.clone(), sent.answer.clone());
    if attempt.is_success() {
        let delivery = leased.clone().succeeded(attempt, answer)?;
        return Some(Outcome { delivery, queue_in_ms: None, disable: None });
    }
    let after = health::after(&webhook.health, &attempt).unwrap_or_else(|| webhook.health.clone());
    let disable = health::disabled_reason(&after, &attempt);
    let retry_after = sent.retry_after.as_deref().and_then(|header| schedule::retry_after_ms(header, now));
    let delay = schedule::delay_ms(leased.attempt + 1, retry_after, random);
    let queue_in_ms = delay.filter(|delay| disable.is_none() && fits_queue_delay(*delay));
    let next = delay.map(|delay| now.plus_millis(delay));
    let mut delivery = leased.clone().failed(attempt, answer, next, queue_in_ms.is_some())?;
    // Its remaining attempts wait until the receiver is active again.
    if disable.is_some() && next.is_some() {
        delivery = delivery.held(now)?;
    }
    Some(Outcome { delivery, queue_in_ms, disable })
}

/// How long a delivery waits for a receiver that is busy with others, in milliseconds: doubled each time.
fn deferral_delay_ms(deferrals: u32, random: u64) -> i64 {
    const MIN_DEFERRAL_MS: i64 = 1_000;
    const MAX_DEFERRAL_MS: i64 = 300_000;
    let step = MIN_DEFERRAL_MS.saturating_mul(1 << deferrals.min(9)).min(MAX_DEFERRAL_MS);
    step + i64::try_from(random % u64::try_from(step).unwrap_or(1)).unwrap_or(0)
}

/// Stores the result of `sent` with the delivery that was leased for it.
///
/// # Errors
/// The table cannot be reached; the delivery is due again when its lease expires.
pub(crate) async fn record(app: &App, scope: &Scope, receiver: &Webhook, leased: &Delivery, sent: &Sent) -> Result<()> {
    let now = app.runtime.now();
    let Some(Outcome { delivery, queue_in_ms, disable }) =
        decide_outcome(leased, receiver, sent, now, random_u64(app)?)
    else {
        return Ok(());
    };
    if let Some(reason) = disable {
        disable_webhook(app, scope, receiver, sent, reason, now).await?;
    }
    let recorded = app.store.deliveries().replace(scope, leased, &delivery).await?;
    if let Some(delay) = queue_in_ms.filter(|_| recorded) {
        enqueue_stored(app, scope, &delivery, delay).await;
    }
    if recorded && delivery.status == DeliveryStatus::Held {
        release_if_active(app, scope, &delivery).await?;
    }
    log_attempt(&delivery, sent);
    record_health(app, scope, receiver, sent).await;
    Ok(())
}

/// Disables a receiver before the attempt is recorded: a crash in between leaves a delivery that is retried, then held.
async fn disable_webhook(
    app: &App,
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
    match app.store.webhooks().update(scope, &receiver.webhook_id, disable).await {
        Ok(_) => {
            tracing::warn!(webhook.id = %receiver.webhook_id, webhook.reason = %reason, "disabled a webhook");
            Ok(())
        }
        Err(error) if error.code() == domain::error::Code::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

/// Records the receiver's health. A failure is logged and not retried.
async fn record_health(app: &App, scope: &Scope, receiver: &Webhook, sent: &Sent) {
    let after = |seen: &domain::models::WebhookHealth| health::after(seen, &sent.attempt);
    if after(&receiver.health).is_none() {
        return;
    }
    if let Err(error) = app.store.webhooks().record_health(scope, &receiver.webhook_id, after).await {
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

/// The maximum length of the stored part of a response body, in bytes.
const STORED_BODY_BYTES: usize = 1_024;
/// The rest of the lease that a request needs when it is sent, in milliseconds: the longest that a request takes, and
/// two seconds by which clocks may differ.
const MIN_LEFT_MS: i64 = 17_000;

/// The result of a request.
pub(crate) struct Sent {
    pub(crate) attempt: Attempt,
    /// The first bytes of the response body.
    pub(crate) answer: Option<String>,
    retry_after: Option<String>,
}

/// A request to a receiver.
struct Request {
    url: Option<OutboundUrl>,
    headers: HeaderMap,
    body: Bytes,
    at: Timestamp,
}

/// Posts a delivery, signed unless it is for a Slack channel; every result is an attempt. If the secret that is to sign
/// can never be decrypted, nothing is posted.
///
/// # Errors
/// The secrets cannot be decrypted now, the signature is not a valid header, the lease ends too soon for a request, or
/// this process cannot send at all: that is not an attempt.
pub(crate) async fn send(app: &App, scope: &Scope, webhook: &Webhook, delivery: &Delivery) -> Result<Sent> {
    let at = app.runtime.now();
    let request = match webhook.format {
        WebhookFormat::Slack => request(app, webhook, delivery, at),
        WebhookFormat::Events => {
            let secrets = signing_secrets(app, scope, webhook, at).await?;
            if secrets.is_empty() {
                let attempt = Attempt {
                    at,
                    status: None,
                    error: Some(AttemptError::SecretUnreadable),
                    redirects_to: None,
                    duration_ms: 0,
                };
                return Ok(Sent { attempt, answer: None, retry_after: None });
            }
            signed(request(app, webhook, delivery, at), delivery, &secrets)?
        }
    };
    // After everything that may wait: once the lease has ended, another worker sends the delivery as well.
    let left_ms = delivery.lease.as_ref().map_or(0, |lease| lease.until.millis_since(app.runtime.now()));
    if left_ms < MIN_LEFT_MS {
        return Err(Error::unavailable(format!("only {left_ms} ms of the lease are left")));
    }
    let sent = post(app, request).await?;
    let answer = sent.answer.filter(|text| !webhook.is_revealed_by(text));
    Ok(Sent { answer, ..sent })
}

/// The secrets that sign at `at`, newest first; empty if the newest can never be decrypted. An older one that
/// cannot be decrypted is skipped.
async fn signing_secrets(app: &App, scope: &Scope, webhook: &Webhook, at: Timestamp) -> Result<Vec<Secret>> {
    let owner = secret_owner(scope, &webhook.webhook_id);
    let mut secrets = Vec::new();
    for sealed in webhook.signing(at) {
        match app.cipher()?.open(&owner, sealed).await? {
            Some(secret) => secrets.push(secret),
            None if secrets.is_empty() => {
                let id = &webhook.webhook_id;
                tracing::error!(webhook.id = %id, "failed to decrypt a webhook's secret: restore the master key or rotate the secret");
                return Ok(secrets);
            }
            None => {
                tracing::warn!(webhook.id = %webhook.webhook_id, "failed to decrypt a webhook's previous secret; it no longer signs")
            }
        }
    }
    Ok(secrets)
}

/// The request that is posted, without a signature.
fn request(app: &App, webhook: &Webhook, delivery: &Delivery, at: Timestamp) -> Request {
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    // An address that is no longer allowed is a failed attempt, like one that cannot be reached.
    let url = OutboundUrl::parse(&webhook.url, &app.config.outbound).ok();
    Request { url, headers, body: Bytes::from(delivery.event.body.clone()), at }
}

/// The same with the signatures of all `secrets`.
fn signed(mut request: Request, delivery: &Delivery, secrets: &[Secret]) -> Result<Request> {
    let signed = signature::sign(secrets, &delivery.event.event_id, request.at, &request.body);
    for (name, text) in
        [("webhook-id", signed.id), ("webhook-timestamp", signed.timestamp), ("webhook-signature", signed.signature)]
    {
        let value =
            HeaderValue::from_str(&text).map_err(|_| Error::internal(format!("{name} is not a valid header value")))?;
        request.headers.insert(HeaderName::from_static(name), value);
    }
    Ok(request)
}

async fn post(app: &App, request: Request) -> Result<Sent> {
    let Request { url, headers, body, at } = request;
    let answered = match &url {
        Some(url) => app.outbound()?.post(url, headers, body).await,
        None => Err(SendError::Blocked),
    };
    let duration_ms = u32::try_from(app.runtime.now().millis_since(at).max(0)).unwrap_or(u32::MAX);
    let failed_attempt = |error| Sent {
        attempt: Attempt { at, status: None, error: Some(error), redirects_to: None, duration_ms },
        answer: None,
        retry_after: None,
    };
    Ok(match answered {
        Ok(answer) => Sent {
            attempt: Attempt {
                at,
                status: Some(answer.status),
                error: None,
                redirects_to: answer.redirects_to,
                duration_ms,
            },
            answer: Some(body_excerpt(&answer.body_start)).filter(|text| !text.is_empty()),
            retry_after: answer.retry_after,
        },
        Err(SendError::ClientUnavailable) => {
            return Err(Error::internal("failed to build the client for outgoing requests"));
        }
        Err(SendError::Blocked | SendError::Unreachable) => failed_attempt(AttemptError::ConnectionFailed),
        Err(SendError::Timeout) => failed_attempt(AttemptError::Timeout),
        Err(SendError::InvalidResponse | SendError::TooLarge | SendError::Redirect) => {
            failed_attempt(AttemptError::InvalidResponse)
        }
    })
}

/// The first bytes of a response body, as text without control characters.
fn body_excerpt(body: &Bytes) -> String {
    let start = body.get(..STORED_BODY_BYTES.min(body.len())).unwrap_or_default();
    String::from_utf8_lossy(start).chars().filter(|c| !c.is_control() || c.is_whitespace()).collect()
}

/// Holds a delivery of a disabled receiver. If the receiver was enabled meanwhile, the delivery is released, because
/// nothing else would send it.
async fn hold_delivery(app: &App, scope: &Scope, delivery: &Delivery) -> Result<Processed> {
    let now = app.runtime.now();
    let Some(held) = delivery.clone().held(now) else { return Ok(Processed::Done) };
    if !app.store.deliveries().replace(scope, delivery, &held).await? {
        return Ok(Processed::Changed);
    }
    release_if_active(app, scope, &held).await?;
    Ok(Processed::Done)
}

/// Releases a held delivery whose receiver has become active meanwhile.
async fn release_if_active(app: &App, scope: &Scope, held: &Delivery) -> Result<()> {
    let receiver = app.store.webhooks().get(scope, &held.webhook_id).await?;
    if let Some(released) =
        held.clone().released(app.runtime.now()).filter(|_| receiver.is_some_and(|it| it.is_active()))
        && app.store.deliveries().replace(scope, held, &released).await?
    {
        enqueue_stored(app, scope, &released, 0).await;
    }
    Ok(())
}

/// Reschedules a delivery; this does not count as an attempt.
async fn defer(app: &App, scope: &Scope, delivery: &Delivery) -> Result<Processed> {
    let delay = deferral_delay_ms(delivery.deferrals, random_u64(app)?);
    let deferred = delivery.clone().deferred(app.runtime.now().plus_millis(delay));
    let replaced = app.store.deliveries().replace(scope, delivery, &deferred).await?;
    if replaced {
        enqueue_stored(app, scope, &deferred, delay).await;
    }
    Ok(Processed::from_replaced(replaced))
}

/// 64 random bits.
fn random_u64(app: &App) -> Result<u64> {
    Ok(u64::from_be_bytes(app.runtime.bytes::<8>()?))
}

#[cfg(test)]
mod tests {
    use outbound::{OutboundPolicy, OutboundSettings};

    use super::*;

    #[test]
    fn a_request_ends_before_the_lease_under_which_it_is_sent() {
        let longest = OutboundSettings::new(OutboundPolicy::default()).post_timeout.as_millis();
        assert!(i64::try_from(longest).unwrap() + 2_000 <= MIN_LEFT_MS);
    }
}
