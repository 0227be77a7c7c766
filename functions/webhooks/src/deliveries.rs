//! `GET /webhooks/:id/deliveries`: deliveries with their attempts, newest event first.

use crate::Webhooks;
use axum::extract::State;
use domain::Error;
use domain::models::{DeliveryStatus, EventId, WebhookId};
use domain::wire::DeliveryOut;
use edge::ApiResult;
use edge::{FromQuery, Json, PathIn, Query, QueryIn, WebhookManager, cursor};
use serde::Serialize;

/// Which deliveries to list.
pub(crate) struct ListDeliveriesQuery {
    status: Option<DeliveryStatus>,
    below: Option<EventId>,
    limit: usize,
}

impl FromQuery for ListDeliveriesQuery {
    fn from_query(q: &mut Query) -> Option<Self> {
        let statuses: Vec<_> = DeliveryStatus::ALL.iter().map(|status| status.as_str()).collect();
        let status = q.choice("status", DeliveryStatus::parse, &statuses);
        Some(Self { status, below: q.cursor(&list(status)), limit: q.limit() })
    }
}

/// The list that cursors are of.
fn list(status: Option<DeliveryStatus>) -> cursor::List {
    cursor::List::new("deliveries", &[status.map(DeliveryStatus::as_str)])
}

/// A page of deliveries.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DeliveryListOut {
    items: Vec<DeliveryOut>,
    next_cursor: Option<String>,
    has_more: bool,
}

/// Lists what was sent to a receiver in the last 30 days, or is yet to be sent.
pub(crate) async fn list_deliveries(
    State(ctx): State<Webhooks>,
    caller: WebhookManager,
    PathIn(id): PathIn<WebhookId>,
    QueryIn(query): QueryIn<ListDeliveriesQuery>,
) -> ApiResult<Json<DeliveryListOut>> {
    let scope = caller.scope();
    ctx.store.webhooks().get(scope, &id).await?.ok_or_else(|| Error::not_found("webhook"))?;
    let page = ctx.store.deliveries().list(scope, &id, query.status, query.below.as_ref(), query.limit).await?;
    Ok(Json(DeliveryListOut {
        next_cursor: page.next.as_ref().map(|next| cursor::encode(&list(query.status), next)).transpose()?,
        has_more: page.next.is_some(),
        items: page.deliveries.into_iter().map(DeliveryOut::from).collect(),
    }))
}
