//! Desk tokens: ES256, `typ: desk+jwt`, at most fifteen minutes, for one member and one of its sign-ins.
//!
//! They are read as strictly as widget tokens: the header is parsed first, the key is chosen by an exact `kid`, and every
//! claim is checked here against our clock (RFC 8725). Type, audience and algorithm of the two differ, so neither is ever
//! taken for the other.

use std::collections::HashSet;

use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, encode};
use serde::{Deserialize, Serialize};

use super::token_shape::{StrictHeader, read_header};
use super::widget_token::IssuedToken;
use aws::desk_keys::DeskSigningKey;
use domain::clock::Runtime;
use domain::models::{MemberId, Mode, Scope, SignInId, TenantId, Timestamp, TokenId};
use domain::{Error, Result};

const TYP: &str = "desk+jwt";
const AUDIENCE: &str = "desk";
/// How long a token is good, in seconds.
pub const DESK_TOKEN_SECONDS: i64 = 900;
/// How far our own clocks may be apart, in seconds.
const MAX_SKEW_SECONDS: i64 = 5;
/// The provider's clock may be ahead of ours when it says when somebody signed in, in seconds.
const MAX_AUTH_SKEW_SECONDS: i64 = 60 + MAX_SKEW_SECONDS;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Claims {
    iss: String,
    aud: String,
    sub: String,
    tid: String,
    mode: String,
    r#gen: u64,
    sin: String,
    auth_time: i64,
    iat: i64,
    exp: i64,
    jti: String,
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
pub fn issue_desk_token(
    issuer: &str,
    key: &DeskSigningKey,
    runtime: &Runtime,
    claims: &DeskClaims,
) -> Result<IssuedToken> {
    let iat = runtime.now().as_seconds();
    let exp = iat.saturating_add(DESK_TOKEN_SECONDS);
    let claims = Claims {
        iss: issuer.to_owned(),
        aud: AUDIENCE.to_owned(),
        sub: claims.member_id.to_string(),
        tid: claims.scope.tenant.to_string(),
        mode: claims.scope.mode.to_string(),
        r#gen: claims.generation,
        sin: claims.sign_in.to_string(),
        auth_time: claims.authenticated_at.as_seconds(),
        iat,
        exp,
        jti: TokenId::generate(runtime)?.to_string(),
    };
    let mut header = Header::new(Algorithm::ES256);
    header.typ = Some(TYP.to_owned());
    header.kid = Some(key.kid.clone());
    let token = encode(&header, &claims, &EncodingKey::from_ec_der(&key.pkcs8))
        .map_err(|e| Error::internal(format!("a desk token cannot be signed: {e}")))?;
    Ok(IssuedToken { token, expires_at: Timestamp::from_millis(exp.saturating_mul(1_000)) })
}

/// The name of the key in the header, if the token has the one shape of a desk token.
pub(super) fn read_desk_kid(token: &str) -> Option<String> {
    let StrictHeader { alg, typ, kid } = read_header(token)?;
    (alg == "ES256" && typ == TYP).then_some(kid)
}

/// Whether a credential has the shape of a desk token: what has it is nothing else.
pub(super) fn is_desk_token(credential: &str) -> bool {
    read_desk_kid(credential).is_some()
}

/// The member of a token, by the public key `point` that its `kid` names; 401 unless everything about it is right but
/// perhaps its time: whether that is over says `expires_at`.
///
/// # Errors
/// 401.
pub fn verify_desk_token(issuer: &str, point: &[u8], now: Timestamp, token: &str) -> Result<DeskClaims> {
    read_desk_kid(token).ok_or_else(Error::unauthorized)?;
    let data = decode::<Claims>(token, &DecodingKey::from_ec_der(point), &validation(issuer));
    let claims = data.map_err(|e| Error::unauthorized().context(format!("desk token: {:?}", e.kind())))?.claims;
    let (iat, exp, now) = (claims.iat, claims.exp, now.as_seconds());
    let lifetime = exp.checked_sub(iat).ok_or_else(Error::unauthorized)?;
    let latest_auth = iat.saturating_add(MAX_AUTH_SKEW_SECONDS);
    if iat > now.saturating_add(MAX_SKEW_SECONDS)
        || !(1..=DESK_TOKEN_SECONDS).contains(&lifetime)
        || !(0..=latest_auth).contains(&claims.auth_time)
    {
        return Err(Error::unauthorized().context("desk token: its times are impossible"));
    }
    desk_claims(&claims).ok_or_else(|| Error::unauthorized().context("desk token: its claims are wrong"))
}

fn validation(issuer: &str) -> Validation {
    let mut validation = Validation::new(Algorithm::ES256);
    validation.leeway = 0;
    // Checked here, against this service's clock.
    validation.validate_exp = false;
    validation.set_audience(&[AUDIENCE]);
    validation.set_issuer(&[issuer]);
    validation.required_spec_claims = HashSet::from(["exp", "iss", "aud", "sub"].map(str::to_owned));
    validation
}

fn desk_claims(claims: &Claims) -> Option<DeskClaims> {
    TokenId::parse(&claims.jti)?;
    let seconds = |seconds: i64| Some(Timestamp::from_millis(seconds.checked_mul(1_000)?));
    Some(DeskClaims {
        scope: Scope { tenant: TenantId::parse(&claims.tid)?, mode: Mode::parse(&claims.mode)? },
        member_id: MemberId::parse(&claims.sub)?,
        generation: claims.r#gen,
        sign_in: SignInId::parse(&claims.sin)?,
        authenticated_at: seconds(claims.auth_time)?,
        expires_at: seconds(claims.exp)?,
    })
}

#[cfg(test)]
#[path = "desk_token_tests.rs"]
mod tests;
