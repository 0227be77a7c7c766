//! `GET /webhooks/:id/deliveries`: deliveries with their attempts, newest event first; and one with what it says.

use crate::state::Webhooks;
use axum::extract::State;
use domain::Error;
use domain::events::Envelope;
use domain::models::{DeliveryId, DeliveryStatus, EventId, WebhookId};
use domain::wire::DeliveryOut;
use edge::ApiResult;
use edge::input::choice;
use edge::{CursorPageOut, Json, PathIn, PathPairIn, QueryIn, WebhookManager};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::Value;

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
pub(crate) async fn list_deliveries(
    State(state): State<Webhooks>,
    caller: WebhookManager,
    PathIn(id): PathIn<WebhookId>,
    QueryIn(query): QueryIn<ListDeliveriesQuery>,
) -> ApiResult<Json<CursorPageOut<DeliveryOut>>> {
    let scope = caller.scope();
    state.store.webhooks().get(scope, &id).await?.ok_or_else(|| Error::not_found("webhook"))?;
    let page = state.store.deliveries().list(scope, &id, query.status, query.below.as_ref(), query.limit).await?;
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
pub(crate) async fn get_delivery(
    State(state): State<Webhooks>,
    caller: WebhookManager,
    PathPairIn(id, delivery_id): PathPairIn<WebhookId, DeliveryId>,
) -> ApiResult<Json<DeliveryWithPayloadOut>> {
    let scope = caller.scope();
    state.find(scope, &id).await?;
    let delivery = state.delivery(scope, &id, &EventId::of_delivery(&delivery_id)).await?;
    let payload = serde_json::from_str(&delivery.event.body).ok();
    Ok(Json(DeliveryWithPayloadOut { payload, delivery: delivery.into() }))
}
