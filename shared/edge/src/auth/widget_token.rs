//! Widget tokens: HS256, `typ: widget+jwt`, at most an hour, for one visitor (and optionally one session) of one
//! tenant.
//!
//! `jsonwebtoken` by itself accepts any `kid`, `crit`, `typ` and `exp == now`. So the header is parsed strictly first,
//! the key is chosen by an exact `kid`, and every claim is checked here against our clock (RFC 8725).

use std::collections::HashSet;

use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, encode};
use serde::{Deserialize, Serialize};

use super::CREDENTIAL_MAX_BYTES;
use super::token_shape::{StrictHeader, read_header};
use aws::config::{WidgetKeySet, WidgetTokenKey};
use domain::access::{PreviewOwner, WidgetIdentity};
use domain::clock::Runtime;
use domain::error::{Code, DetailCode};
use domain::models::{
    MemberId, Mode, Scope, SessionId, SignInId, TenantId, Timestamp, TokenId, Visitor, is_preview_visitor,
};
use domain::{Error, Result};

const TYP: &str = "widget+jwt";
const AUDIENCE: &str = "widget";
/// The longest life, in seconds.
const MAX_TTL_SECONDS: i64 = 3_600;
/// How far our own clocks may be apart, in seconds.
const MAX_SKEW_SECONDS: i64 = 5;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Claims {
    iss: String,
    aud: String,
    sub: String,
    tid: String,
    mode: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sid: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    user: Option<UserClaim>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mem: Option<MemberClaim>,
    iat: i64,
    exp: i64,
    jti: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct UserClaim {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    email: Option<String>,
}

/// The member who previews the chat.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MemberClaim {
    id: String,
    r#gen: u64,
    sin: String,
}

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

/// A token and its end.
#[derive(Clone)]
pub struct IssuedToken {
    pub token: String,
    /// From this moment on it is refused.
    pub expires_at: Timestamp,
}

/// Makes a token, signed with `key`; 400 when it would be longer than [`verify`] reads.
pub fn issue(issuer: &str, key: &WidgetTokenKey, runtime: &Runtime, request: &TokenRequest<'_>) -> Result<IssuedToken> {
    let iat = runtime.now().as_seconds();
    let exp = iat.saturating_add(request.ttl_seconds.min(MAX_TTL_SECONDS));
    let claims = Claims {
        iss: issuer.to_owned(),
        aud: AUDIENCE.to_owned(),
        sub: request.external_user_id.to_owned(),
        tid: request.scope.tenant.to_string(),
        mode: request.scope.mode.to_string(),
        sid: request.session_id.map(ToString::to_string),
        user: request.user.map(|user| UserClaim { name: user.name.clone(), email: user.email.clone() }),
        mem: request.preview_of.map(|owner| MemberClaim {
            id: owner.member_id.to_string(),
            r#gen: owner.generation,
            sin: owner.sign_in.to_string(),
        }),
        iat,
        exp,
        jti: TokenId::generate(runtime)?.to_string(),
    };
    let mut header = Header::new(Algorithm::HS256);
    header.typ = Some(TYP.to_owned());
    header.kid = Some(key.kid.clone());
    let token = encode(&header, &claims, &EncodingKey::from_secret(&key.secret))
        .map_err(|e| Error::internal(format!("a widget token cannot be signed: {e}")))?;
    if token.len() > CREDENTIAL_MAX_BYTES {
        return Err(Error::invalid(
            "externalUserId",
            DetailCode::TooLong,
            "is too long for a token, together with user",
        ));
    }
    Ok(IssuedToken { token, expires_at: Timestamp::from_millis(exp.saturating_mul(1000)) })
}

/// The visitor of a token, by one of `keys`; 401 unless everything about it is right, `TOKEN_EXPIRED` when only its time
/// is over. A key that was replaced ends in two steps: see [`WidgetKeySet::may_have_signed`] and
/// [`WidgetKeySet::verifying_key`].
pub fn verify(issuer: &str, keys: &WidgetKeySet, now: Timestamp, token: &str) -> Result<WidgetIdentity> {
    let kid = read_kid(token).ok_or_else(Error::unauthorized)?;
    let key = keys.verifying_key(&kid, now).ok_or_else(Error::unauthorized)?;
    let data = decode::<Claims>(token, &DecodingKey::from_secret(&key.secret), &validation(issuer));
    let claims = data.map_err(|e| Error::unauthorized().context(format!("widget token: {:?}", e.kind())))?.claims;
    let (iat, exp, now) = (claims.iat, claims.exp, now.as_seconds());
    if !keys.may_have_signed(&kid, iat) {
        return Err(Error::unauthorized().context("widget token: signed with a key after it was replaced"));
    }
    let lifetime = exp.checked_sub(iat).ok_or_else(Error::unauthorized)?;
    if iat > now + MAX_SKEW_SECONDS || !(1..=MAX_TTL_SECONDS).contains(&lifetime) {
        return Err(Error::unauthorized().context("widget token: its times are impossible"));
    }
    let identity =
        widget_identity(claims).ok_or_else(|| Error::unauthorized().context("widget token: its claims are wrong"))?;
    if exp <= now {
        return Err(Error::new(Code::TokenExpired, "The widget token has expired."));
    }
    Ok(identity)
}

/// The name of the key in the header, if the token has the one shape: three parts of the right alphabet, and a
/// header of exactly `alg`, `typ` and `kid`.
pub(super) fn read_kid(token: &str) -> Option<String> {
    let StrictHeader { alg, typ, kid } = read_header(token)?;
    (alg == "HS256" && typ == TYP).then_some(kid)
}

fn validation(issuer: &str) -> Validation {
    let mut validation = Validation::new(Algorithm::HS256);
    validation.leeway = 0;
    // Checked here, against this service's clock.
    validation.validate_exp = false;
    validation.set_audience(&[AUDIENCE]);
    validation.set_issuer(&[issuer]);
    validation.required_spec_claims = HashSet::from(["exp", "iss", "aud", "sub"].map(str::to_owned));
    validation
}

fn widget_identity(claims: Claims) -> Option<WidgetIdentity> {
    let scope = Scope { tenant: TenantId::parse(&claims.tid)?, mode: Mode::parse(&claims.mode)? };
    TokenId::parse(&claims.jti)?;
    let session_id = match claims.sid {
        Some(sid) => Some(SessionId::parse(&sid)?),
        None => None,
    };
    // The tenant's server asked for the token: it vouches for whom it names.
    let user = claims.user.and_then(|user| Visitor::new(user.name, user.email, true));
    let preview_of = match claims.mem {
        Some(member) => Some(PreviewOwner {
            member_id: MemberId::parse(&member.id)?,
            generation: member.r#gen,
            sign_in: SignInId::parse(&member.sin)?,
        }),
        None => None,
    };
    if claims.sub.is_empty() || is_preview_visitor(&claims.sub) != preview_of.is_some() {
        return None;
    }
    Some(WidgetIdentity { scope, external_user_id: claims.sub, session_id, user, preview_of })
}

#[cfg(test)]
#[path = "widget_token_tests.rs"]
mod tests;
