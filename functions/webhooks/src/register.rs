//! `POST /webhooks`.

use crate::state::Webhooks;
use app::Requester;
use aws::store::KeptAnswer;
use axum::extract::State;
use domain::clock::Runtime;
use domain::error::DetailCode;
use domain::models::{
    AuditAction, Scope, Subscription, Webhook, WebhookFormat, WebhookHealth, WebhookId, WebhookStatus,
};
use domain::webhooks::secret_owner;
use domain::wire::WebhookOut;
use domain::{Error, Result, Secret};
use edge::ApiResult;
use edge::input::{RequiredUnless, choice, optional, or, parsed, required};
use edge::{Created, JsonIn, OnceIn, Replayed, WebhookEditor};
use outbound::OutboundUrl;

use crate::input;

edge::body! {
    /// A new receiver of events.
    #[derive(Debug)]
    pub(crate) struct WebhookIn as "NewWebhook" {
        /// Where it listens: https, on the public internet.
        url: OutboundUrl = "url" => required(parsed(input::parse_url)),
        /// The kinds of events that it receives.
        events: Subscription = "events" => required(input::Kinds),
        /// `whsec_` and padded base64 of 24-64 bytes, or a text that begins with neither `whsec_` nor `v1,`, used as its
        /// bytes. Events need one; a Slack channel is sent nothing that is signed.
        secret: Option<Secret> = "secret" => optional(input::SecretFormat),
        /// The format of its deliveries: events, or one line of text for a Slack channel, for `handover.…`,
        /// `rating.created` and `webhook.test` alone.
        format: WebhookFormat = "format" => or(choice::<WebhookFormat>(), WebhookFormat::Events),
        /// For people; empty means none.
        description: Option<String> = "description" => optional(input::DESCRIPTION),
    }
    rules: [RequiredUnless { field: "secret", unless: "format" }]
}

impl WebhookIn {
    /// The secret; for a Slack channel that names none one that signs nothing.
    fn secret_to_sign(&self, runtime: &Runtime) -> Result<Secret> {
        match (&self.secret, self.format) {
            (Some(secret), _) => Ok(secret.clone()),
            (None, WebhookFormat::Slack) => Ok(Secret::new(runtime.token()?)),
            (None, WebhookFormat::Events) => Err(Error::invalid("secret", DetailCode::Required, "is required")),
        }
    }
}

edge::endpoint! {
    /// Add a webhook.
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
    caller: WebhookEditor,
    OnceIn(request, JsonIn(body)): OnceIn<JsonIn<WebhookIn>>,
) -> ApiResult<Replayed<Created<WebhookOut>>> {
    let (scope, requests) = (caller.scope(), state.store.idempotency());
    let url = input::check_url(&body.url, &state.outbound)?;
    input::check_format(body.format, &body.events)?;
    let secret = body.secret_to_sign(&state.runtime)?;
    let warnings = input::secret_warnings(&secret);
    let work = async {
        let webhook_id = WebhookId::generate(&state.runtime)?;
        let webhook = new_webhook(&state, scope, webhook_id, &url, body, secret).await?;
        let answer = WebhookOut::from(webhook.clone()).with_warnings(warnings);
        let record = requests.completed(scope, request.as_ref(), KeptAnswer { answer: answer.clone() })?;
        let (id, now) = (webhook.webhook_id.as_str(), webhook.created_at);
        let store =
            Requester::Caller(&caller).audited(&state.store, &scope.tenant, AuditAction::WebhookCreated, id, now);
        store.webhooks().create(scope, &webhook, record).await?;
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
    secret: Secret,
) -> Result<Webhook> {
    let now = state.runtime.now();
    Ok(Webhook {
        url: url.as_str().to_owned(),
        events: body.events,
        description: body.description.filter(|text| !text.is_empty()),
        status: WebhookStatus::Active,
        disabled_reason: None,
        disabled_at: None,
        secret: state.cipher.seal(&secret_owner(scope, &webhook_id), &secret).await?,
        secret_hint: body.secret.as_ref().and_then(input::secret_hint),
        retired_secrets: Vec::new(),
        format: body.format,
        created_at: now,
        updated_at: now,
        health: WebhookHealth::default(),
        version: 1,
        webhook_id,
    })
}
