//! Desk tokens, for one member and one of its sign-ins: their claims, how a function verifies them by the public keys of the
//! table, and how the one function that may read the private key issues them.

use std::sync::Arc;

use aws::desk_keys::{DeskKeys, DeskSigningKey};
use domain::access::{MemberIdentity, PreviewOwner, Principal};
use domain::clock::Runtime;
use domain::error::Code;
use domain::models::{Member, MemberId, MemberStatus, Mode, Scope, SignInId, TenantId, Timestamp, TokenId};
use domain::{Error, Result};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey};
use serde::{Deserialize, Serialize};

use super::token::{IssuedToken, MAX_SKEW_SECONDS, Remembered, TokenKind};
use crate::edge::Parts;
use crate::edge::table::token_keys::DeskPublicKey;
use crate::table::Store;

/// How long a token is good, in seconds.
pub const DESK_TOKEN_SECONDS: i64 = 900;
/// The provider's clock may be ahead of ours when it says when somebody signed in, in seconds.
const MAX_AUTH_SKEW_SECONDS: i64 = 60 + MAX_SKEW_SECONDS;

/// How far apart two readings for a `kid` that is not known are at least, in milliseconds: tokens with made-up names must
/// not become a storm.
const MIN_REFRESH_INTERVAL_MS: i64 = 1_000;

/// ES256, `typ: desk+jwt`, at most fifteen minutes.
pub(super) const KIND: TokenKind = TokenKind {
    algorithm: Algorithm::ES256,
    alg: "ES256",
    typ: "desk+jwt",
    audience: "desk",
    max_seconds: DESK_TOKEN_SECONDS,
};

/// Verifies desk tokens by the public keys of the table, and issues them; cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct DeskTokens {
    store: Store,
    keys: Remembered<DeskPublicKey>,
    issuer: Arc<str>,
    runtime: Runtime,
}

impl DeskTokens {
    pub(super) fn new(parts: &Parts) -> Self {
        let issuer = parts.config.widget_token_issuer.as_str().into();
        Self { store: parts.store.clone(), keys: Remembered::new(), issuer, runtime: parts.runtime.clone() }
    }

    /// Whether a credential has the shape of a desk token: what has it is nothing else.
    pub(super) fn has_shape_of(credential: &str) -> bool {
        KIND.read_kid(credential).is_some()
    }

    /// The member whom a token is for, as it is now: the one read that every request with a desk token makes.
    ///
    /// # Errors
    /// 401 `UNAUTHORIZED` for a malformed, forged or foreign token; `SIGN_IN_REQUIRED` if the member or the sign-in
    /// is not what it was; `TOKEN_EXPIRED` if only the token's time is over; 503 if the table does not answer.
    pub(super) async fn verify(&self, token: &str) -> Result<Principal> {
        let kid = KIND.read_kid(token).ok_or_else(Error::unauthorized)?;
        let now = self.runtime.now();
        let key = self.find_key(&kid, now).await?.filter(|key| key.is_valid(now)).ok_or_else(Error::unauthorized)?;
        let point =
            hex::decode(&key.point).map_err(|_| Error::internal("a public key of desk tokens does not read"))?;
        let claims = verify_desk_token(&self.issuer, &point, now, token)?;
        let member = self.store.members().get(&claims.scope.tenant, &claims.member_id).await?;
        let is_signed_in = |member: &Member| is_signed_in(member, claims.generation, &claims.sign_in, now);
        let member = member.filter(is_signed_in).ok_or_else(Error::sign_in_required)?;
        if claims.expires_at <= now {
            return Err(Error::new(Code::TokenExpired, "The desk token has expired."));
        }
        Ok(Principal::Member(MemberIdentity {
            member_id: member.member_id,
            scope: claims.scope,
            roles: member.roles,
            public_name: member.public_name,
            generation: member.generation,
            sign_in: claims.sign_in,
            authenticated_at: claims.authenticated_at,
        }))
    }

    /// Checks that the member who previews the chat is still signed in as when the token was made.
    ///
    /// # Errors
    /// 401 `UNAUTHORIZED` if it is not; 503 if the table does not answer.
    pub(super) async fn check_preview(&self, tenant: &TenantId, owner: &PreviewOwner) -> Result<()> {
        let member = self.store.members().get(tenant, &owner.member_id).await?;
        let now = self.runtime.now();
        match member.filter(|member| is_signed_in(member, owner.generation, &owner.sign_in, now)) {
            Some(_) => Ok(()),
            None => Err(Error::unauthorized().context("widget token: the member who previews the chat signed out")),
        }
    }

    /// Makes a token, signed by `signing`, which one function alone may read. A key that no function knows yet is made known first.
    ///
    /// # Errors
    /// 503 if the table does not answer, and if the known key was ended and no other one is read.
    pub(crate) async fn issue(&self, signing: &DeskKeys, claims: &DeskClaims) -> Result<IssuedToken> {
        let Self { store, keys, issuer, runtime } = self;
        let now = runtime.now();
        let known = self.keys(now).await?;
        let is_wanted = |key: &DeskSigningKey| listed(&known, key).is_none_or(|key| key.is_valid(now));
        let key = signing.for_signing(now, is_wanted).await;
        let valid = match listed(&known, &key) {
            Some(key) => key.is_valid(now),
            None => {
                let all = store.desk_public_keys().add(&key.kid, &hex::encode(&key.public_key), now).await?;
                listed(&keys.remember(now, all), &key).is_some_and(|key| key.is_valid(now))
            }
        };
        if !valid {
            return Err(Error::unavailable("the key of desk tokens was ended, and no other one was read"));
        }
        issue_desk_token(issuer, &key, runtime, claims)
    }

    async fn keys(&self, now: Timestamp) -> Result<Arc<[DeskPublicKey]>> {
        self.keys.list(now, async { self.store.desk_public_keys().list().await }).await
    }

    /// The key of a name; those of the table are read again if none has it, once a second at most.
    async fn find_key(&self, kid: &str, now: Timestamp) -> Result<Option<DeskPublicKey>> {
        let named = |keys: &[DeskPublicKey]| keys.iter().rev().find(|key| key.kid == kid).cloned();
        let keys = self.keys(now).await?;
        let age = self.keys.known().map_or(i64::MAX, |(read_at, _)| now.millis_since(read_at));
        match named(&keys) {
            None if age >= MIN_REFRESH_INTERVAL_MS => {
                Ok(named(&self.keys.remember(now, self.store.desk_public_keys().list().await?)))
            }
            found => Ok(found),
        }
    }
}

fn is_signed_in(member: &Member, generation: u64, sign_in: &SignInId, now: Timestamp) -> bool {
    member.status == MemberStatus::Active
        && member.generation == generation
        && member.live_sign_in(sign_in, now).is_some()
}

fn listed<'k>(all: &'k [DeskPublicKey], key: &DeskSigningKey) -> Option<&'k DeskPublicKey> {
    let point = hex::encode(&key.public_key);
    all.iter().find(|listed| listed.kid == key.kid && listed.point == point)
}

/// For whom a token is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeskClaims {
    /// The tenant, and which half of its data it opens.
    pub scope: Scope,
    /// The member (`sub`).
    pub member_id: MemberId,
    /// The member's generation.
    pub generation: u64,
    /// The sign-in (`sin`).
    pub sign_in: SignInId,
    /// When the person proved who it is, to the second.
    pub authenticated_at: Timestamp,
    /// From this moment on the token is over.
    pub expires_at: Timestamp,
}

/// Makes a token, signed with `key`. `expires_at` of `claims` is not looked at.
///
/// # Errors
/// An internal error if it cannot be signed.
fn issue_desk_token(issuer: &str, key: &DeskSigningKey, runtime: &Runtime, claims: &DeskClaims) -> Result<IssuedToken> {
    let iat = runtime.now().as_seconds();
    let exp = iat.saturating_add(DESK_TOKEN_SECONDS);
    let claims = Claims {
        iss: issuer.to_owned(),
        aud: KIND.audience.to_owned(),
        sub: claims.member_id.clone(),
        tid: claims.scope.tenant.clone(),
        mode: claims.scope.mode,
        r#gen: claims.generation,
        sin: claims.sign_in.clone(),
        auth_time: claims.authenticated_at.as_seconds(),
        iat,
        exp,
        jti: TokenId::generate(runtime)?,
    };
    KIND.sign(&key.kid, &EncodingKey::from_ec_der(&key.pkcs8), &claims, exp)
}

/// The member of a token, by the public key `point` that its `kid` names; 401 unless everything about it is right but
/// perhaps its time: whether that is over says `expires_at`.
///
/// # Errors
/// 401.
fn verify_desk_token(issuer: &str, point: &[u8], now: Timestamp, token: &str) -> Result<DeskClaims> {
    KIND.read_kid(token).ok_or_else(Error::unauthorized)?;
    let claims: Claims = KIND.read_claims(issuer, &DecodingKey::from_ec_der(point), token)?;
    KIND.check_times(claims.iat, claims.exp, now.as_seconds())?;
    if !(0..=claims.iat.saturating_add(MAX_AUTH_SKEW_SECONDS)).contains(&claims.auth_time) {
        return Err(KIND.refusal("its times are impossible"));
    }
    let seconds = |seconds: i64| seconds.checked_mul(1_000).map(Timestamp::from_millis);
    let times = seconds(claims.auth_time).zip(seconds(claims.exp));
    let (authenticated_at, expires_at) = times.ok_or_else(|| KIND.refusal("its claims are wrong"))?;
    Ok(DeskClaims {
        scope: Scope { tenant: claims.tid, mode: claims.mode },
        member_id: claims.sub,
        generation: claims.r#gen,
        sign_in: claims.sin,
        authenticated_at,
        expires_at,
    })
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Claims {
    iss: String,
    aud: String,
    sub: MemberId,
    tid: TenantId,
    mode: Mode,
    r#gen: u64,
    sin: SignInId,
    auth_time: i64,
    iat: i64,
    exp: i64,
    jti: TokenId,
}

#[cfg(test)]
#[path = "desk_token_tests.rs"]
mod tests;
