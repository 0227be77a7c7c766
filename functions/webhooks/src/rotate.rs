//! `POST /webhooks/:id/rotate`: sets another secret. The old one signs for another day if it can still be decrypted. A
//! receiver that was disabled because of an unreadable secret is enabled.

use crate::state::Webhooks;
use app::Requester;
use app::jobs::delivery::run_replays;
use aws::store::{KeptAnswer, RequestKey, Store};
use axum::extract::State;
use domain::models::{
    AuditAction, DisabledReason, EncryptedSecret, RetiredSecret, Scope, Timestamp, Webhook, WebhookId,
};
use domain::webhooks::secret_owner;
use domain::wire::WebhookOut;
use domain::{Result, Secret};
use edge::ApiResult;
use edge::input::required;
use edge::{Json, JsonIn, OnceIn, PathIn, Replayed, WebhookEditor};

use crate::input;
use crate::resend::INLINE_SEND_BUDGET_MS;

/// How long a replaced secret still signs, in hours.
const RETIRED_SECRET_HOURS: i64 = 24;
/// How many replaced secrets sign at once (our limit, so that a signature stays short).
const MAX_RETIRED: usize = 4;

edge::body! {
    /// A new secret.
    #[derive(Debug)]
    pub(crate) struct RotateIn as "RotateRequest" {
        /// `whsec_` and padded base64 of 24-64 bytes, or a text that begins with neither `whsec_` nor `v1,`, used as its
        /// bytes. The old one signs 24 hours more.
        secret: Secret = "secret" => required(input::SecretFormat),
    }
}

edge::endpoint! {
    /// Change the secret of a webhook.
    ///
    /// The old one signs 24 hours more. A receiver whose secret could not be read is enabled by it.
    pub(crate) RotateWebhookSecret = POST "/api/v1/webhooks/{id}/rotate" => rotate_webhook_secret;
    supports: [IdempotencyKey],
    errors: [Conflict],
    example: {"secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"},
}

/// Replaces the secret; the same one again changes nothing.
pub(crate) async fn rotate_webhook_secret(
    State(state): State<Webhooks>,
    caller: WebhookEditor,
    PathIn(id): PathIn<WebhookId>,
    OnceIn(request, JsonIn(body)): OnceIn<JsonIn<RotateIn>>,
) -> ApiResult<Replayed<Json<WebhookOut>>> {
    let (scope, now) = (caller.scope(), state.runtime.now());
    let by = Requester::Caller(&caller);
    let store = by.audited(&state.store, &scope.tenant, AuditAction::WebhookRotated, id.as_str(), now);
    let work = rotate(&state, &store, scope, &id, &body.secret, request.as_ref());
    let replay = async |before: KeptAnswer<WebhookOut>| state.find(scope, &id).await.map(|_| before.answer);
    let (webhook, replayed) = state.store.idempotency().once(scope, request.as_ref(), work, replay).await?;
    Ok(Replayed(replayed, Json(webhook)))
}

async fn rotate(
    state: &Webhooks,
    store: &Store,
    scope: &Scope,
    id: &WebhookId,
    secret: &Secret,
    request: Option<&RequestKey>,
) -> Result<WebhookOut> {
    let (owner, webhooks) = (secret_owner(scope, id), store.webhooks());
    let seen = state.find(scope, id).await?;
    let current = state.cipher.open(&owner, &seen.secret).await?;
    let same = current.as_ref() == Some(secret);
    let unchanged = same && seen.disabled_reason != Some(DisabledReason::SecretUnreadable);
    let sealed = if same { None } else { Some(state.cipher.seal(&owner, secret).await?) };
    let (hint, now) = (input::secret_hint(secret), state.runtime.now());
    // An unreadable secret cannot sign, so it is not kept.
    let unreadable = current.is_none().then_some(&seen.secret);
    let rotate = |old: &Webhook| {
        if unchanged {
            return Ok(None);
        }
        let new = match &sealed {
            Some(sealed) => with_new_secret(old.clone(), sealed, unreadable, hint.as_deref(), now),
            None => old.clone(),
        };
        Ok(Some(with_readable_secret(new, now)))
    };
    let answer = |after: Webhook| WebhookOut::from(after).with_warnings(input::secret_warnings(secret));
    let record = |after: &Webhook| {
        let kept = KeptAnswer { answer: answer(after.clone()) };
        state.store.idempotency().completed(scope, request, kept)
    };
    let webhook = webhooks.update_once(scope, id, rotate, record).await?;
    if !seen.is_active() && webhook.is_active() {
        run_replays(&state.deliveries, scope, id, now.plus_millis(INLINE_SEND_BUDGET_MS)).await?;
    }
    Ok(answer(webhook))
}

/// Enables a receiver that was only waiting for a secret that can be read.
fn with_readable_secret(webhook: Webhook, now: Timestamp) -> Webhook {
    match webhook.disabled_reason {
        Some(DisabledReason::SecretUnreadable) => webhook.enabled(now),
        _ => webhook,
    }
}

fn with_new_secret(
    mut webhook: Webhook,
    sealed: &EncryptedSecret,
    unreadable: Option<&EncryptedSecret>,
    hint: Option<&str>,
    now: Timestamp,
) -> Webhook {
    let old = std::mem::replace(&mut webhook.secret, sealed.clone());
    if unreadable != Some(&old) {
        webhook.retired_secrets.insert(0, RetiredSecret { sealed: old, until: now.plus_hours(RETIRED_SECRET_HOURS) });
    }
    webhook.retired_secrets.retain(|retired| retired.until > now);
    webhook.retired_secrets.truncate(MAX_RETIRED);
    webhook.secret_hint = hint.map(str::to_owned);
    webhook.updated_at = now;
    webhook
}
