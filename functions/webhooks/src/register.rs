//! `POST /webhooks`.

use crate::state::Webhooks;
use aws::store::KeptAnswer;
use axum::extract::State;
use domain::access::Principal;
use domain::models::{Scope, Subscription, Webhook, WebhookHealth, WebhookId, WebhookStatus};
use domain::webhooks::secret_owner;
use domain::wire::WebhookOut;
use domain::{Result, Secret};
use edge::ApiResult;
use edge::input::{optional, parsed, required};
use edge::{Created, JsonIn, OnceIn, Replayed, WebhookManager};
use outbound::OutboundUrl;
use serde_json::{Map, Value};

use crate::input;

edge::body! {
    /// A new receiver of events.
    #[derive(Debug)]
    pub(crate) struct WebhookIn as "NewWebhook" {
        /// Where it listens: https, on the public internet.
        url: OutboundUrl = "url" => required(parsed(input::parse_url)),
        /// The kinds of events that it receives.
        events: Subscription = "events" => required(input::Kinds),
        /// `whsec_` and base64 of 24-64 bytes, or any other text, used as its bytes.
        secret: Secret = "secret" => required(input::SecretFormat),
        /// For people; empty means none.
        description: Option<String> = "description" => optional(input::DESCRIPTION),
    }
    defaults: fill_description
}

fn fill_description(known: &mut Map<String, Value>, _: &Principal) {
    known.entry("description").or_insert_with(|| "".into());
}

edge::endpoint! {
    /// Register a receiver of events.
    ///
    /// It hears of everything that happens from now on. A tenant and mode has at most 20; the same address again is
    /// 409.
    pub(crate) CreateWebhook = POST "/api/v1/webhooks" => create_webhook;
    supports: [IdempotencyKey],
    errors: [Conflict],
    example: {"url": "https://hooks.example.com/support", "events": ["handover.requested"], "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"},
}

/// Registers a receiver; it gets all later events.
pub(crate) async fn create_webhook(
    State(state): State<Webhooks>,
    caller: WebhookManager,
    OnceIn(request, JsonIn(body)): OnceIn<JsonIn<WebhookIn>>,
) -> ApiResult<Replayed<Created<WebhookOut>>> {
    let (scope, requests) = (caller.scope(), state.store.idempotency());
    let url = input::check_url(&body.url, &state.outbound)?;
    let work = async {
        let webhook_id = WebhookId::generate(&state.runtime)?;
        let webhook = new_webhook(&state, scope, webhook_id, &url, body).await?;
        let answer = WebhookOut::from(webhook.clone());
        let record = requests.completed(scope, request.as_ref(), KeptAnswer { answer: answer.clone() })?;
        state.store.webhooks().create(scope, &webhook, record).await?;
        Ok(answer)
    };
    let replay = async |before: KeptAnswer<WebhookOut>| {
        state.find(scope, before.answer.webhook_id()).await?;
        Ok(before.answer)
    };
    let (webhook, replayed) = requests.once(scope, request.as_ref(), work, replay).await?;
    Ok(Replayed(replayed, Created(format!("/api/v1/webhooks/{}", webhook.webhook_id()), webhook)))
}

async fn new_webhook(
    state: &Webhooks,
    scope: &Scope,
    webhook_id: WebhookId,
    url: &OutboundUrl,
    body: WebhookIn,
) -> Result<Webhook> {
    let now = state.runtime.now();
    Ok(Webhook {
        url: url.as_str().to_owned(),
        events: body.events,
        description: body.description.filter(|text| !text.is_empty()),
        status: WebhookStatus::Active,
        disabled_reason: None,
        disabled_at: None,
        secret: state.cipher.seal(&secret_owner(scope, &webhook_id), &body.secret).await?,
        secret_hint: input::secret_hint(&body.secret),
        retired_secrets: Vec::new(),
        created_at: now,
        updated_at: now,
        health: WebhookHealth::default(),
        version: 1,
        webhook_id,
    })
}
