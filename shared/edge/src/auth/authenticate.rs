//! Authentication: from a credential to a principal.

use std::time::Duration;

use super::widget_token;
use app::Ctx;
use domain::access::{ApiKey, Principal, WidgetIdentity};
use domain::error::Code;
use domain::models::ApiKeyRecord;
use domain::{Error, Result};

/// How long noting a key's use may hold up the request that used it.
const NOTE_PATIENCE: Duration = Duration::from_millis(250);
/// How exact `lastUsedAt` is, in milliseconds.
const LAST_USED_STEP_MS: i64 = 60_000;

/// Who the bearer of `credential` is: 401 unless it is a key that exists and has not expired, or a good widget token.
pub async fn authenticate(ctx: &Ctx, credential: &str) -> Result<Principal> {
    if !credential.starts_with("pk_") {
        return widget(ctx, credential).await.map(Principal::Widget);
    }
    // A key whose checksum is wrong costs no read.
    let key = ApiKey::parse(credential).ok_or_else(Error::unauthorized)?;
    let keys = ctx.store.api_keys();
    let record = keys.find(&key.hash()).await?.ok_or_else(Error::unauthorized)?;
    if record.expires_at.is_some_and(|end| end <= ctx.ambient.now()) {
        return Err(Error::new(Code::ApiKeyExpired, "The API key has expired."));
    }
    note_use(ctx, &key, &record).await;
    Ok(Principal::Key { key_id: record.key_id, scope: record.scope, role: record.role })
}

async fn widget(ctx: &Ctx, token: &str) -> Result<WidgetIdentity> {
    let kid = widget_token::kid_of(token).ok_or_else(Error::unauthorized)?;
    let now = ctx.ambient.now();
    let keys = ctx.widget_keys.naming(&kid, now).await;
    widget_token::verify(&ctx.config, &keys, now, token)
}

/// Once a minute, and never at the request's expense: a failure is forgotten.
async fn note_use(ctx: &Ctx, key: &ApiKey, record: &ApiKeyRecord) {
    let now = ctx.ambient.now();
    if record.last_used_at.is_some_and(|last| now.millis_since(last) < LAST_USED_STEP_MS) {
        return;
    }
    let (keys, hash) = (ctx.store.api_keys(), key.hash());
    let noting = keys.note_use(&hash, record, now, LAST_USED_STEP_MS);
    if !matches!(tokio::time::timeout(NOTE_PATIENCE, noting).await, Ok(Ok(()))) {
        tracing::debug!(key.id = %record.key_id, "failed to record the use of an API key");
    }
}
