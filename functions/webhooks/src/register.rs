//! `POST /webhooks`.

use crate::Webhooks;
use axum::extract::State;
use domain::Secret;
use domain::models::{Subscription, Webhook, WebhookHealth, WebhookId, WebhookStatus};
use domain::webhooks::secret_owner;
use domain::wire::WebhookOut;
use edge::ApiResult;
use edge::{Created, Fields, FromFields, JsonIn, WebhookManager};

use crate::input;

/// A new receiver.
pub(crate) struct WebhookIn {
    url: String,
    events: Subscription,
    secret: Secret,
    description: Option<String>,
}

impl FromFields for WebhookIn {
    fn from_fields(f: &mut Fields) -> Option<Self> {
        f.require("url");
        f.require("events");
        let (url, events, secret) = (input::url(f), input::events(f), input::secret(f));
        let description = input::description(f).filter(|text| !text.is_empty());
        Some(Self { url: url?, events: events?, secret: secret?, description })
    }
}

/// Registers a receiver; it gets all later events.
pub(crate) async fn register_webhook(
    State(ctx): State<Webhooks>,
    caller: WebhookManager,
    JsonIn(body): JsonIn<WebhookIn>,
) -> ApiResult<Created<WebhookOut>> {
    let url = input::address(&body.url, &ctx.outbound)?;
    let webhook_id = WebhookId::generate(&ctx.ambient)?;
    let now = ctx.ambient.now();
    let webhook = Webhook {
        url,
        events: body.events,
        description: body.description,
        status: WebhookStatus::Active,
        disabled_reason: None,
        disabled_at: None,
        secret: ctx.cipher.seal(&secret_owner(caller.scope(), &webhook_id), &body.secret).await?,
        secret_hint: input::hint(&body.secret),
        retired_secrets: Vec::new(),
        created_at: now,
        updated_at: now,
        health: WebhookHealth::default(),
        version: 1,
        webhook_id,
    };
    ctx.store.webhooks().create(caller.scope(), &webhook).await?;
    Ok(Created(format!("/api/v1/webhooks/{}", webhook.webhook_id), webhook.into()))
}
