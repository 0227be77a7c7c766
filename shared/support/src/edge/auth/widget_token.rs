//! Widget tokens, for one visitor (and optionally one session) of one tenant: their claims, and how a function issues and
//! verifies them.

use std::sync::Arc;

use aws::config::{WidgetKeySet, WidgetTokenKey};
use aws::widget_keys::WidgetKeys;
use domain::access::{PreviewOwner, WidgetIdentity};
use domain::clock::Runtime;
use domain::error::{Code, DetailCode};
use domain::models::{Mode, Scope, SessionId, TenantId, Timestamp, TokenId, Visitor, is_preview_visitor};
use domain::{Error, Result};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey};
use serde::{Deserialize, Serialize};

use super::token::{CREDENTIAL_MAX_BYTES, IssuedToken, Remembered, TokenKind};
use crate::edge::Parts;
use crate::table::Store;

/// HS256, `typ: widget+jwt`, at most an hour.
pub(super) const KIND: TokenKind =
    TokenKind { algorithm: Algorithm::HS256, alg: "HS256", typ: "widget+jwt", audience: "widget", max_seconds: 3_600 };

/// For whom a token is made.
#[derive(Debug, Clone)]
pub struct TokenRequest<'a> {
    /// The tenant of the widget, and the mode.
    pub scope: &'a Scope,
    /// The visitor (`sub`).
    pub external_user_id: &'a str,
    /// The one session it may reach.
    pub session_id: Option<&'a SessionId>,
    /// Copied to sessions that the widget creates.
    pub user: Option<&'a Visitor>,
    /// The member who previews the chat: needed for a visitor `preview_…`, and for no other.
    pub preview_of: Option<&'a PreviewOwner>,
    /// How long it is good, in seconds: 60-3600.
    pub ttl_seconds: i64,
}

/// Issues and verifies widget tokens by the keys that are known now and not revoked; cheap to clone.
#[derive(Debug, Clone)]
pub struct WidgetTokenService {
    /// Cursors take their code of these too.
    pub(super) keys: WidgetKeys,
    store: Store,
    /// The fingerprints of the revoked keys.
    revoked: Remembered<String>,
    issuer: Arc<str>,
    runtime: Runtime,
}

impl WidgetTokenService {
    pub(super) fn new(parts: &Parts, keys: WidgetKeys) -> Self {
        let issuer = parts.config.widget_token_issuer.as_str().into();
        Self { keys, store: parts.store.clone(), revoked: Remembered::new(), issuer, runtime: parts.runtime.clone() }
    }

    async fn revoked(&self, now: Timestamp) -> Result<Arc<[String]>> {
        self.revoked.list(now, async { self.store.revoked_widget_keys().list().await }).await
    }

    /// Makes a token, as [`issue`] does.
    ///
    /// # Errors
    /// As those of [`issue`]; 503 if no key is known that may sign.
    pub async fn issue(&self, request: &TokenRequest<'_>) -> Result<IssuedToken> {
        let now = self.runtime.now();
        let keys = self.keys.for_signing(&self.revoked(now).await?, now).await?;
        issue(&self.issuer, &keys.current, &self.runtime, request)
    }

    /// The visitor of a token, as [`verify`] says; 401 if its key is revoked.
    pub(super) async fn verify(&self, token: &str) -> Result<WidgetIdentity> {
        let kid = KIND.read_kid(token).ok_or_else(Error::unauthorized)?;
        let now = self.runtime.now();
        let revoked = self.revoked(now).await?;
        let keys = self.keys.find_by_kid(&kid, &revoked, now).await?;
        if keys.keys().any(|key| key.kid == kid && revoked.contains(&key.fingerprint())) {
            return Err(KIND.refusal("its key is revoked"));
        }
        verify(&self.issuer, &keys, now, token)
    }
}

/// Makes a token, signed with `key`; 400 when it would be longer than [`verify`] reads.
pub fn issue(issuer: &str, key: &WidgetTokenKey, runtime: &Runtime, request: &TokenRequest<'_>) -> Result<IssuedToken> {
    let iat = runtime.now().as_seconds();
    let exp = iat.saturating_add(request.ttl_seconds.min(KIND.max_seconds));
    let claims = Claims {
        iss: issuer.to_owned(),
        aud: KIND.audience.to_owned(),
        sub: request.external_user_id.to_owned(),
        tid: request.scope.tenant.clone(),
        mode: request.scope.mode,
        sid: request.session_id.cloned(),
        user: request.user.map(|user| UserClaim { name: user.name.clone(), email: user.email.clone() }),
        mem: request.preview_of.cloned(),
        iat,
        exp,
        jti: TokenId::generate(runtime)?,
    };
    let issued = KIND.sign(&key.kid, &EncodingKey::from_secret(&key.secret), &claims, exp)?;
    if issued.token.len() > CREDENTIAL_MAX_BYTES {
        return Err(Error::invalid(
            "externalUserId",
            DetailCode::TooLong,
            "is too long for a token, together with user",
        ));
    }
    Ok(issued)
}

/// The visitor of a token, by one of `keys`; 401 unless everything about it is right, `TOKEN_EXPIRED` when only its time
/// is over. A key that was replaced ends in two steps: see [`WidgetKeySet::may_have_signed`] and
/// [`WidgetKeySet::verifying_key`].
pub fn verify(issuer: &str, keys: &WidgetKeySet, now: Timestamp, token: &str) -> Result<WidgetIdentity> {
    let kid = KIND.read_kid(token).ok_or_else(Error::unauthorized)?;
    let key = keys.verifying_key(&kid, now).ok_or_else(Error::unauthorized)?;
    let claims: Claims = KIND.read_claims(issuer, &DecodingKey::from_secret(&key.secret), token)?;
    let (iat, exp, now) = (claims.iat, claims.exp, now.as_seconds());
    if !keys.may_have_signed(&kid, iat) {
        return Err(KIND.refusal("signed with a key after it was replaced"));
    }
    KIND.check_times(iat, exp, now)?;
    let identity = widget_identity(claims).ok_or_else(|| KIND.refusal("its claims are wrong"))?;
    if exp <= now {
        return Err(Error::new(Code::TokenExpired, "The widget token has expired."));
    }
    Ok(identity)
}

fn widget_identity(claims: Claims) -> Option<WidgetIdentity> {
    let Claims { sub: external_user_id, tid: tenant, mode, sid: session_id, user, mem: preview_of, .. } = claims;
    // The tenant's server asked for the token: it vouches for whom it names.
    let user = user.and_then(|user| Visitor::new(user.name, user.email, true));
    if external_user_id.is_empty() || is_preview_visitor(&external_user_id) != preview_of.is_some() {
        return None;
    }
    Some(WidgetIdentity { scope: Scope { tenant, mode }, external_user_id, session_id, user, preview_of })
}

#[serde_with::skip_serializing_none]
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Claims {
    iss: String,
    aud: String,
    sub: String,
    tid: TenantId,
    mode: Mode,
    sid: Option<SessionId>,
    user: Option<UserClaim>,
    mem: Option<PreviewOwner>,
    iat: i64,
    exp: i64,
    jti: TokenId,
}

#[serde_with::skip_serializing_none]
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct UserClaim {
    name: Option<String>,
    email: Option<String>,
}

#[cfg(test)]
#[path = "widget_token_tests.rs"]
mod tests;
