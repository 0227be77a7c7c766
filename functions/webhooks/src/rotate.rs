//! `POST /webhooks/:id/rotate`: another secret; the old one signs a day longer.

use axum::extract::State;
use shared::config::Secret;
use shared::http::{Fields, FromFields, Json, JsonIn, PathIn, WebhookManager};
use shared::models::{RetiredSecret, Sealed, Timestamp, Webhook, WebhookId};
use shared::wire::WebhookOut;
use shared::{Ctx, Error, Result};

use crate::{input, owner};

/// How long a secret that was replaced still signs, in hours (contract, section 8).
const SIGNS_HOURS: i64 = 24;
/// How many replaced secrets sign at once (a limit of ours, so that a signature stays short).
const MAX_RETIRED: usize = 4;

/// The new secret.
pub(crate) struct RotateIn {
    secret: Secret,
}

impl FromFields for RotateIn {
    fn from_fields(f: &mut Fields) -> Option<Self> {
        Some(Self { secret: input::secret(f)? })
    }
}

/// Replaces the secret; the same one again changes nothing.
pub(crate) async fn rotate_secret(
    State(ctx): State<Ctx>,
    caller: WebhookManager,
    PathIn(id): PathIn<WebhookId>,
    JsonIn(body): JsonIn<RotateIn>,
) -> Result<Json<WebhookOut>> {
    let (scope, owner) = (caller.scope(), owner(caller.scope(), &id));
    let webhooks = ctx.store.webhooks();
    let seen = webhooks.get(scope, &id).await?.ok_or_else(|| Error::not_found("webhook"))?;
    if ctx.cipher.open(&owner, &seen.secret).await? == body.secret {
        return Ok(Json(seen.into()));
    }
    let (sealed, hint, now) =
        (ctx.cipher.seal(&owner, &body.secret).await?, input::hint(&body.secret), ctx.ambient.now());
    let webhook = webhooks.change(scope, &id, |old| Ok(Some(rotated(old.clone(), &sealed, &hint, now)))).await?;
    Ok(Json(webhook.into()))
}

fn rotated(mut webhook: Webhook, sealed: &Sealed, hint: &str, now: Timestamp) -> Webhook {
    let old = std::mem::replace(&mut webhook.secret, sealed.clone());
    webhook.retired_secrets.insert(0, RetiredSecret { sealed: old, until: now.plus_hours(SIGNS_HOURS) });
    webhook.retired_secrets.retain(|retired| retired.until > now);
    webhook.retired_secrets.truncate(MAX_RETIRED);
    hint.clone_into(&mut webhook.secret_hint);
    webhook.updated_at = now;
    webhook
}
