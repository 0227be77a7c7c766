//! `GET /webhooks/:id/deliveries`: deliveries with their attempts, newest event first; and one with what it says. Also
//! sending on demand: a test, one delivery again, or everything that a receiver missed.

use axum::extract::State;
use domain::error::DetailCode;
use domain::events::{Envelope, Event};
use domain::models::{
    AuditAction, Delivery, DeliveryId, DeliveryStatus, EventId, EventKind, OutgoingEvent, Replay, ReplayKind, Scope,
    Timestamp, Webhook, WebhookId,
};
use domain::wire::{DeliveryOut, ReceiverOut};
use domain::{Error, Result};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::edge::input::{choice, required, timestamp};
use crate::edge::table::{KeptAnswer, RequestKey};
use crate::edge::{
    self, Accepted, ApiResult, App, CursorPageOut, Json, JsonIn, NoBody, OnceIn, PathIn, PathPairIn, QueryIn, Replayed,
    WebhookManager,
};
use crate::requester::Requester;
use crate::webhooks;
use crate::webhooks::queue::{enqueue_stored, run_replays};

edge::query! {
    /// The filter of the deliveries.
    #[derive(Debug)]
    pub(crate) struct ListDeliveriesQuery {
        /// Only deliveries that stand so.
        status: Option<DeliveryStatus> = "status" => choice::<DeliveryStatus>(),
    }
    cursor: below: EventId, list = (status.map(DeliveryStatus::as_str));
    limit: limit;
}

edge::endpoint! {
    /// List the deliveries of the last 30 days.
    ///
    /// And what is yet to be sent, newest event first. One answer reads 1 MiB at the most, so a page may be short, or
    /// empty, with `hasMore: true`.
    pub(crate) ListDeliveries = GET "/api/v1/webhooks/{id}/deliveries" => list_deliveries;
    rate_class: List,
    example_query: {"status": "failed", "limit": 10},
}

/// Lists what was sent to a receiver in the last 30 days, or is yet to be sent.
async fn list_deliveries(
    State(app): State<App>,
    caller: WebhookManager,
    PathIn(id): PathIn<WebhookId>,
    QueryIn(query): QueryIn<ListDeliveriesQuery>,
) -> ApiResult<Json<CursorPageOut<DeliveryOut>>> {
    let scope = caller.scope();
    app.store.webhooks().get(scope, &id).await?.ok_or_else(|| Error::not_found("webhook"))?;
    let page = app.store.deliveries().list(scope, &id, query.status, query.below.as_ref(), query.limit).await?;
    Ok(Json(CursorPageOut::new(page, &query.list, DeliveryOut::from)?))
}

/// A delivery, and what it says.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "DeliveryWithPayload")]
pub(crate) struct DeliveryWithPayloadOut {
    #[serde(flatten)]
    delivery: DeliveryOut,
    /// The body that is sent: an event, or the line for a Slack channel; null once what it tells of is erased.
    #[schemars(schema_with = "payload")]
    payload: Option<Value>,
}

fn payload(generator: &mut SchemaGenerator) -> Schema {
    let event = generator.subschema_for::<Envelope<'static>>();
    let line = json_schema!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]});
    json_schema!({"anyOf": [event, line, {"type": "null"}]})
}

edge::endpoint! {
    /// Read a delivery, with what was sent.
    ///
    /// Once what it tells of is erased, its `payload` is null.
    pub(crate) GetDelivery = GET "/api/v1/webhooks/{id}/deliveries/{delivery}" => get_delivery;
}

/// Reads one delivery of a receiver.
async fn get_delivery(
    State(app): State<App>,
    caller: WebhookManager,
    PathPairIn(id, delivery_id): PathPairIn<WebhookId, DeliveryId>,
) -> ApiResult<Json<DeliveryWithPayloadOut>> {
    let scope = caller.scope();
    webhooks::find(&app.store, scope, &id).await?;
    let delivery = webhooks::delivery(&app.store, scope, &id, &EventId::of_delivery(&delivery_id)).await?;
    let payload = serde_json::from_str(&delivery.event.body).ok();
    Ok(Json(DeliveryWithPayloadOut { payload, delivery: delivery.into() }))
}

/// How long a request sends what was held or missed, in milliseconds, before it leaves the rest to the sweeper.
pub(crate) const INLINE_SEND_BUDGET_MS: i64 = 3_000;

edge::endpoint! {
    /// Send a test event.
    ///
    /// To this receiver, whatever it subscribed to.
    pub(crate) TestWebhook = POST "/api/v1/webhooks/{id}/test" => test_webhook;
    supports: [IdempotencyKey],
    rate_class: WebhookSend,
}

/// Sends a `webhook.test` to this receiver, whatever it subscribed to.
async fn test_webhook(
    State(app): State<App>,
    caller: WebhookManager,
    PathIn(id): PathIn<WebhookId>,
    OnceIn(request, NoBody): OnceIn<NoBody>,
) -> ApiResult<Replayed<Json<DeliveryOut>>> {
    let (scope, requests) = (caller.scope(), app.store.idempotency());
    let work = async {
        let webhook = webhooks::find(&app.store, scope, &id).await?;
        let held = !webhook.is_active();
        let event = test_event(&app, scope, &webhook)?;
        let delivery = Delivery::new(event, id.clone(), held, app.runtime.now());
        let out = DeliveryOut::from(delivery.clone());
        let record = requests.completed(scope, request.as_ref(), KeptAnswer { answer: out.clone() })?;
        if app.store.deliveries().create_once(scope, delivery.clone(), record).await?.should_send() {
            enqueue_stored(&app, scope, &delivery, 0).await;
        }
        Ok(out)
    };
    let replay =
        async |before: KeptAnswer<DeliveryOut>| webhooks::find(&app.store, scope, &id).await.map(|_| before.answer);
    let (delivery, replayed) = requests.once(scope, request.as_ref(), work, replay).await?;
    Ok(Replayed(replayed, Json(delivery)))
}

fn test_event(app: &App, scope: &Scope, webhook: &Webhook) -> Result<OutgoingEvent> {
    let data = match serde_json::to_value(ReceiverOut::from(webhook.clone())) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    };
    let (id, at) = (EventId::generate(&app.runtime)?, app.runtime.now());
    let event = Event { id, kind: EventKind::WebhookTest, at, scope: scope.clone(), data, previous: None };
    // A test is about no case, so there is no link.
    Ok(event.outgoing(webhook.format, None))
}

edge::endpoint! {
    /// Send a delivery again.
    ///
    /// With all its attempts before it; one that is being sent right now is left to that.
    pub(crate) ResendDelivery = POST "/api/v1/webhooks/{id}/deliveries/{delivery}/resend" => resend_delivery;
    supports: [IdempotencyKey],
    rate_class: WebhookSend,
}

/// Sends one delivery again, with all its attempts before it; one that is being sent right now is left to that.
async fn resend_delivery(
    State(app): State<App>,
    caller: WebhookManager,
    PathPairIn(id, delivery_id): PathPairIn<WebhookId, DeliveryId>,
    OnceIn(request, NoBody): OnceIn<NoBody>,
) -> ApiResult<Replayed<Json<DeliveryOut>>> {
    let scope = caller.scope();
    webhooks::find(&app.store, scope, &id).await?;
    let event = EventId::of_delivery(&delivery_id);
    let seen = webhooks::delivery(&app.store, scope, &id, &event).await?;
    // The deliveries of a session are erased with it, and so is the record of this request.
    let request = match &seen.event.session_id {
        Some(session) => request.map(|key| key.beside(session)),
        None => request,
    };
    let work = send_again(&app, &caller, seen, request.as_ref());
    let replay = async |before: KeptAnswer<DeliveryOut>| Ok(before.answer);
    let (delivery, replayed) = app.store.idempotency().once(scope, request.as_ref(), work, replay).await?;
    Ok(Replayed(replayed, Json(delivery)))
}

async fn send_again(
    app: &App,
    caller: &WebhookManager,
    mut seen: Delivery,
    request: Option<&RequestKey>,
) -> Result<DeliveryOut> {
    let (scope, requests) = (caller.scope(), app.store.idempotency());
    let kept = |out: &DeliveryOut| KeptAnswer { answer: out.clone() };
    loop {
        let now = app.runtime.now();
        if seen.is_leased(now) {
            let out = DeliveryOut::from(seen);
            requests.store_completed(scope, request, kept(&out)).await?;
            return Ok(out);
        }
        // An erased delivery looks like one that never existed.
        let again = seen.clone().resent(now).ok_or_else(|| Error::not_found("delivery"))?;
        let out = DeliveryOut::from(again.clone());
        let record = requests.completed(scope, request, kept(&out))?;
        let (by, action) = (Requester::Caller(caller), AuditAction::WebhookReplayed);
        let store = by.audited(&app.store, &scope.tenant, action, seen.webhook_id.as_str(), now);
        if store.deliveries().replace_once(scope, &seen, &again, record).await? {
            enqueue_stored(app, scope, &again, 0).await;
            return Ok(out);
        }
        seen = webhooks::delivery(&app.store, scope, &seen.webhook_id, &seen.event.event_id).await?;
    }
}

edge::body! {
    /// Since when to send again.
    #[derive(Debug)]
    pub(crate) struct ReplayIn as "ReplayRequest" {
        /// Deliveries that failed or were held at this time or later are sent; not in the future.
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
    /// Send again everything that failed since a time.
    ///
    /// Deliveries that cannot be sent at once are sent soon.
    pub(crate) ReplayWebhook = POST "/api/v1/webhooks/{id}/replay" => replay_webhook;
    supports: [IdempotencyKey],
    rate_class: WebhookSend,
    errors: [Conflict],
    example: {"since": "2026-01-02T03:04:05Z"},
}

/// Sends again what failed or was held at a time or later.
async fn replay_webhook(
    State(app): State<App>,
    caller: WebhookManager,
    PathIn(id): PathIn<WebhookId>,
    OnceIn(request, JsonIn(body)): OnceIn<JsonIn<ReplayIn>>,
) -> ApiResult<Replayed<Accepted<ReplayOut>>> {
    let (scope, now, requests) = (caller.scope(), app.runtime.now(), app.store.idempotency());
    if body.since > now {
        return Err(Error::invalid("since", DetailCode::InTheFuture, "must not be in the future").into());
    }
    let work = async {
        webhooks::find(&app.store, scope, &id).await?;
        let order = Replay::new(id.clone(), ReplayKind::Missed, body.since, now);
        let record = requests.completed(scope, request.as_ref(), KeptReplay {})?;
        let (by, action) = (Requester::Caller(&caller), AuditAction::WebhookReplayed);
        let store = by.audited(&app.store, &scope.tenant, action, id.as_str(), now);
        store.webhooks().start_replay(scope, order, record).await?;
        run_replays(&app, scope, &id, now.plus_millis(INLINE_SEND_BUDGET_MS)).await.map(drop)
    };
    let replay = async |_: KeptReplay| webhooks::find(&app.store, scope, &id).await.map(drop);
    let ((), replayed) = requests.once(scope, request.as_ref(), work, replay).await?;
    Ok(Replayed(replayed, Accepted(ReplayOut { webhook_id: id, since: body.since })))
}

/// The stored record of a request to send missed deliveries: that there was one.
#[derive(Serialize, Deserialize)]
struct KeptReplay {}
