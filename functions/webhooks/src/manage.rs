//! Lists, reads, changes and deletes receivers.

use crate::Webhooks;
use app::delivery::run_replays;
use axum::extract::State;
use domain::Error;
use domain::models::{DisabledReason, Subscription, Timestamp, Webhook, WebhookId, WebhookStatus};
use domain::wire::WebhookOut;
use edge::ApiResult;
use edge::{Fields, FromFields, FromQuery, Json, JsonIn, NoContent, PathIn, Query, QueryIn, WebhookManager, cursor};
use serde::Serialize;

use crate::again::SENDING_MS;
use crate::input;

/// Which receivers to list.
pub(crate) struct ListWebhooksQuery {
    after: Option<WebhookId>,
    limit: usize,
}

impl FromQuery for ListWebhooksQuery {
    fn from_query(q: &mut Query) -> Option<Self> {
        Some(Self { after: q.cursor(&list()), limit: q.limit() })
    }
}

/// A page of receivers, oldest first.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WebhookListOut {
    items: Vec<WebhookOut>,
    next_cursor: Option<String>,
    has_more: bool,
}

/// The list that cursors are of.
fn list() -> cursor::List {
    cursor::List::new("webhooks", &[])
}

/// Lists the receivers of the caller's mode.
pub(crate) async fn list_webhooks(
    State(ctx): State<Webhooks>,
    caller: WebhookManager,
    QueryIn(query): QueryIn<ListWebhooksQuery>,
) -> ApiResult<Json<WebhookListOut>> {
    let all = ctx.store.webhooks().list(caller.scope()).await?;
    let mut left =
        all.into_iter().filter(|webhook| query.after.as_ref().is_none_or(|after| webhook.webhook_id > *after));
    let page: Vec<_> = left.by_ref().take(query.limit).collect();
    let has_more = left.next().is_some();
    let last = page.last().filter(|_| has_more);
    let next_cursor = last.map(|webhook| cursor::encode(&list(), &webhook.webhook_id)).transpose()?;
    Ok(Json(WebhookListOut { items: page.into_iter().map(WebhookOut::from).collect(), next_cursor, has_more }))
}

/// Reads one receiver.
pub(crate) async fn read_webhook(
    State(ctx): State<Webhooks>,
    caller: WebhookManager,
    PathIn(id): PathIn<WebhookId>,
) -> ApiResult<Json<WebhookOut>> {
    let found = ctx.store.webhooks().get(caller.scope(), &id).await?;
    Ok(Json(found.ok_or_else(|| Error::not_found("webhook"))?.into()))
}

/// What to change; every field that is there replaces the old one.
pub(crate) struct WebhookPatch {
    url: Option<String>,
    events: Option<Subscription>,
    description: Option<String>,
    status: Option<WebhookStatus>,
}

/// Every field of a patch.
const PATCHABLE: [&str; 4] = ["url", "events", "description", "status"];

impl FromFields for WebhookPatch {
    fn from_fields(f: &mut Fields) -> Option<Self> {
        if !PATCHABLE.iter().any(|name| f.has(name)) {
            f.problem("", "NOTHING_TO_CHANGE", format!("name at least one of {}", PATCHABLE.join(", ")));
        }
        let events = if f.has("events") { input::events(f) } else { None };
        Some(Self {
            url: input::url(f),
            events,
            description: input::description(f),
            status: f.choice("status", WebhookStatus::parse, &["active", "disabled"]),
        })
    }
}

impl WebhookPatch {
    /// What becomes of `old`; none where that is the same.
    fn apply(&self, old: &Webhook, now: Timestamp) -> Option<Webhook> {
        let mut new = old.clone();
        if let Some(url) = &self.url {
            new.url.clone_from(url);
        }
        if let Some(events) = &self.events {
            new.events.clone_from(events);
        }
        if let Some(description) = &self.description {
            new.description = Some(description.clone()).filter(|text| !text.is_empty());
        }
        new = match self.status {
            Some(WebhookStatus::Active) => new.enabled(now),
            Some(WebhookStatus::Disabled) => new.disabled(DisabledReason::Manual, now),
            None => new,
        };
        if new == *old {
            return None;
        }
        new.updated_at = now;
        Some(new)
    }
}

/// Changes a receiver; enabling one sends what was held while it was disabled.
pub(crate) async fn change_webhook(
    State(ctx): State<Webhooks>,
    caller: WebhookManager,
    PathIn(id): PathIn<WebhookId>,
    JsonIn(mut patch): JsonIn<WebhookPatch>,
) -> ApiResult<Json<WebhookOut>> {
    if let Some(url) = &mut patch.url {
        *url = input::address(url, &ctx.outbound)?;
    }
    let (scope, now) = (caller.scope(), ctx.ambient.now());
    let webhook = ctx.store.webhooks().change(scope, &id, |old| Ok(patch.apply(old, now))).await?;
    if patch.status == Some(WebhookStatus::Active) {
        run_replays(&ctx.deliveries, scope, &id, now.plus_millis(SENDING_MS)).await?;
    }
    Ok(Json(webhook.into()))
}

/// Deletes a receiver; its pending deliveries are not sent.
pub(crate) async fn delete_webhook(
    State(ctx): State<Webhooks>,
    caller: WebhookManager,
    PathIn(id): PathIn<WebhookId>,
) -> ApiResult<NoContent> {
    ctx.store.webhooks().delete(caller.scope(), &id).await?;
    Ok(NoContent)
}
