//! Lists, reads, changes and deletes receivers.

use crate::state::Webhooks;
use app::Requester;
use app::jobs::delivery::run_replays;
use axum::extract::State;
use domain::models::{AuditAction, DisabledReason, Subscription, Timestamp, Webhook, WebhookId, WebhookStatus};
use domain::wire::WebhookOut;
use edge::ApiResult;
use edge::input::{AtLeastOne, Change, choice, clearable, parsed, replaceable};
use edge::{
    CursorPageOut, IfMatch, Json, JsonIn, NoContent, PathIn, QueryIn, Tagged, WebhookEditor, WebhookManager, etag,
};
use outbound::OutboundUrl;

use crate::input;
use crate::resend::INLINE_SEND_BUDGET_MS;

edge::query! {
    /// The filter of the receivers.
    #[derive(Debug)]
    pub(crate) struct ListWebhooksQuery {}
    cursor: after: WebhookId, list = ();
    limit: limit;
}

edge::endpoint! {
    /// List webhooks.
    ///
    /// Those of the caller's mode, oldest first.
    pub(crate) ListWebhooks = GET "/api/v1/webhooks" => list_webhooks;
    rate_class: List,
    example_query: {"limit": 10},
}

/// Lists the receivers of the caller's mode.
pub(crate) async fn list_webhooks(
    State(state): State<Webhooks>,
    caller: WebhookManager,
    QueryIn(query): QueryIn<ListWebhooksQuery>,
) -> ApiResult<Json<CursorPageOut<WebhookOut>>> {
    let page = state.store.webhooks().list(caller.scope(), query.after.as_ref(), query.limit).await?;
    Ok(Json(CursorPageOut::new(page, &query.list, WebhookOut::from)?))
}

edge::endpoint! {
    /// Read a webhook.
    ///
    /// Its secret is in no answer. The `ETag` does not move by deliveries.
    pub(crate) GetWebhook = GET "/api/v1/webhooks/{id}" => get_webhook;
}

/// Reads one receiver.
pub(crate) async fn get_webhook(
    State(state): State<Webhooks>,
    caller: WebhookManager,
    PathIn(id): PathIn<WebhookId>,
) -> ApiResult<Tagged<Json<WebhookOut>>> {
    let webhook = state.find(caller.scope(), &id).await?;
    Ok(Tagged { etag: etag(webhook.version), answer: Json(webhook.into()) })
}

edge::body! {
    /// A change of a receiver: at least one field; each replaces the old value.
    #[derive(Debug)]
    pub(crate) struct WebhookPatch as "WebhookPatch" {
        /// Where it listens.
        url: Option<OutboundUrl> = "url" => replaceable(parsed(input::parse_url)),
        /// The kinds of events that it receives.
        events: Option<Subscription> = "events" => replaceable(input::Kinds),
        /// For people; empty or null means none.
        description: Change<String> = "description" => clearable(input::DESCRIPTION),
        /// Whether it is sent anything; enabling it sends what was held.
        status: Option<WebhookStatus> = "status" => replaceable(choice::<WebhookStatus>()),
    }
    rules: [AtLeastOne]
}

edge::endpoint! {
    /// Change, disable or enable a webhook.
    ///
    /// While a receiver is disabled its deliveries are held; enabling it sends them.
    pub(crate) UpdateWebhook = PATCH "/api/v1/webhooks/{id}" => update_webhook;
    errors: [Conflict],
    example: {"events": ["handover.requested", "entry.updated"], "description": "Help desk"},
}

impl WebhookPatch {
    /// The webhook after the change; none if that is the same.
    fn apply(&self, old: &Webhook, now: Timestamp) -> Option<Webhook> {
        let mut new = old.clone();
        if let Some(url) = &self.url {
            url.as_str().clone_into(&mut new.url);
        }
        if let Some(events) = &self.events {
            new.events.clone_from(events);
        }
        new.description = self.description.clone().of(new.description).filter(|text| !text.is_empty());
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
pub(crate) async fn update_webhook(
    State(state): State<Webhooks>,
    caller: WebhookEditor,
    PathIn(id): PathIn<WebhookId>,
    if_match: IfMatch,
    JsonIn(mut patch): JsonIn<WebhookPatch>,
) -> ApiResult<Tagged<Json<WebhookOut>>> {
    if let Some(url) = &mut patch.url {
        *url = input::check_url(url, &state.outbound)?;
    }
    let (scope, now) = (caller.scope(), state.runtime.now());
    let by = Requester::Caller(&caller);
    let store = by.audited(&state.store, &scope.tenant, AuditAction::WebhookChanged, id.as_str(), now);
    let change = |old: &Webhook| {
        if_match.check(old.version)?;
        let new = patch.apply(old, now);
        new.iter().try_for_each(|new| input::check_format(new.format, &new.events))?;
        Ok(new)
    };
    let webhook = store.webhooks().update(scope, &id, change).await?;
    if patch.status == Some(WebhookStatus::Active) {
        run_replays(&state.deliveries, scope, &id, now.plus_millis(INLINE_SEND_BUDGET_MS)).await?;
    }
    Ok(Tagged { etag: etag(webhook.version), answer: Json(webhook.into()) })
}

edge::endpoint! {
    /// Delete a webhook.
    ///
    /// Deliveries that are on their way to it are not sent any more.
    pub(crate) DeleteWebhook = DELETE "/api/v1/webhooks/{id}" => delete_webhook;
    errors: [Conflict],
}

/// Deletes a receiver; what was on its way to it is not sent any more.
pub(crate) async fn delete_webhook(
    State(state): State<Webhooks>,
    caller: WebhookEditor,
    PathIn(id): PathIn<WebhookId>,
    if_match: IfMatch,
) -> ApiResult<NoContent> {
    let (by, now) = (Requester::Caller(&caller), state.runtime.now());
    let store = by.audited(&state.store, caller.tenant(), AuditAction::WebhookDeleted, id.as_str(), now);
    store.webhooks().delete(caller.scope(), &id, |seen| if_match.check(seen.version)).await?;
    Ok(NoContent)
}
