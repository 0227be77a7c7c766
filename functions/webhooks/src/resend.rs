//! Sending on demand: a test, one delivery again, or everything that a receiver missed.

use crate::state::Webhooks;
use app::jobs::delivery::{enqueue_stored, run_replays};
use axum::extract::State;
use domain::events::Event;
use domain::models::{
    Delivery, DeliveryId, EventId, EventKind, Replay, ReplayKind, Scope, Timestamp, Webhook, WebhookId,
};
use domain::wire::{DeliveryOut, WebhookOut};
use domain::{Error, Result};
use edge::ApiResult;
use edge::input::{required, timestamp};
use edge::{Accepted, Json, JsonIn, PathIn, PathPairIn, WebhookManager};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

/// How long a request sends what was held or missed, in milliseconds, before it leaves the rest to the sweeper.
pub(crate) const INLINE_SEND_BUDGET_MS: i64 = 3_000;

async fn webhook(state: &Webhooks, scope: &Scope, id: &WebhookId) -> Result<Webhook> {
    state.store.webhooks().get(scope, id).await?.ok_or_else(|| Error::not_found("webhook"))
}

edge::endpoint! {
    /// Send a `webhook.test` event.
    ///
    /// To this receiver, whatever it subscribed to.
    pub(crate) TestWebhook = POST "/api/v1/webhooks/{id}/test" => test_webhook;
}

/// Sends a `webhook.test` to this receiver, whatever it subscribed to.
pub(crate) async fn test_webhook(
    State(state): State<Webhooks>,
    caller: WebhookManager,
    PathIn(id): PathIn<WebhookId>,
) -> ApiResult<Json<DeliveryOut>> {
    let scope = caller.scope();
    let webhook = webhook(&state, scope, &id).await?;
    let held = !webhook.is_active();
    let event = test_event(&state, scope, webhook)?;
    let created = state.store.deliveries().create(scope, &event, &id, held).await?;
    let delivery = delivery(&state, scope, &id, &event.id).await?;
    if created.should_send() {
        enqueue_stored(&state.deliveries, scope, &delivery, 0).await;
    }
    Ok(Json(delivery.into()))
}

fn test_event(state: &Webhooks, scope: &Scope, webhook: Webhook) -> Result<Event> {
    let data = match serde_json::to_value(WebhookOut::from(webhook)) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    };
    let (id, at) = (EventId::generate(&state.runtime)?, state.runtime.now());
    Ok(Event { id, kind: EventKind::WebhookTest, at, scope: scope.clone(), data, previous: None })
}

async fn delivery(state: &Webhooks, scope: &Scope, id: &WebhookId, event: &EventId) -> Result<Delivery> {
    let found = state.store.deliveries().get(scope, id, event).await?;
    found.ok_or_else(|| Error::not_found("delivery"))
}

edge::endpoint! {
    /// Send a delivery again.
    ///
    /// With all its attempts before it; one that is being sent right now is left to that.
    pub(crate) ResendDelivery = POST "/api/v1/webhooks/{id}/deliveries/{delivery}/resend" => resend_delivery;
}

/// Sends one delivery again, with all its attempts before it; one that is being sent right now is left to that.
pub(crate) async fn resend_delivery(
    State(state): State<Webhooks>,
    caller: WebhookManager,
    PathPairIn(id, delivery_id): PathPairIn<WebhookId, DeliveryId>,
) -> ApiResult<Json<DeliveryOut>> {
    let scope = caller.scope();
    webhook(&state, scope, &id).await?;
    let event = EventId::of_delivery(&delivery_id);
    loop {
        let seen = delivery(&state, scope, &id, &event).await?;
        let now = state.runtime.now();
        if seen.is_leased(now) {
            return Ok(Json(seen.into()));
        }
        // What was erased looks like what never existed.
        let again = seen.clone().resent(now).ok_or_else(|| Error::not_found("delivery"))?;
        if state.store.deliveries().replace(scope, &seen, &again).await? {
            enqueue_stored(&state.deliveries, scope, &again, 0).await;
            return Ok(Json(again.into()));
        }
    }
}

edge::body! {
    /// Since when to send again.
    #[derive(Debug)]
    pub(crate) struct ReplayIn as "ReplayRequest" {
        /// What failed or was held at this time or later; not in the future.
        since: Timestamp = "since" => required(timestamp()),
    }
}

/// The order to send again, as it was taken.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Replay")]
pub(crate) struct ReplayOut {
    /// The receiver.
    webhook_id: WebhookId,
    /// Since when.
    since: Timestamp,
}

edge::endpoint! {
    /// Send again what failed or was held since a time.
    ///
    /// What cannot be sent at once is sent soon.
    pub(crate) ReplayWebhook = POST "/api/v1/webhooks/{id}/replay" => replay_webhook;
    errors: [Conflict],
    example: {"since": "2026-01-02T03:04:05Z"},
}

/// Sends again what failed or was held at a time or later.
pub(crate) async fn replay_webhook(
    State(state): State<Webhooks>,
    caller: WebhookManager,
    PathIn(id): PathIn<WebhookId>,
    JsonIn(body): JsonIn<ReplayIn>,
) -> ApiResult<Accepted<ReplayOut>> {
    let (scope, now) = (caller.scope(), state.runtime.now());
    if body.since > now {
        return Err(Error::invalid("since", "IN_THE_FUTURE", "must not be in the future").into());
    }
    webhook(&state, scope, &id).await?;
    let order = Replay::new(id.clone(), ReplayKind::Missed, body.since, now);
    state.store.webhooks().start_replay(scope, order).await?;
    run_replays(&state.deliveries, scope, &id, now.plus_millis(INLINE_SEND_BUDGET_MS)).await?;
    Ok(Accepted(ReplayOut { webhook_id: id, since: body.since }))
}
