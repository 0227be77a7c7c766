//! Judges an ID token (OpenID Connect Core 1.0, section 3.1.3.7).
//!
//! `jsonwebtoken` by itself accepts any `kid`, `crit`, `jku` and `exp == now`. So the header is parsed strictly first,
//! the key is chosen by [`crate::keys`], and every claim is checked here against our clock (RFC 8725).

use std::collections::HashSet;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::models::Timestamp;
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::error::SignInError;
use crate::settings::{AuthTimeRule, OpenIdSettings};

/// Bytes of a token; providers that list a person's groups need a few thousand.
const MAX_TOKEN_BYTES: usize = 16 * 1024;
/// Bytes of `sub` and of an e-mail address.
pub const MAX_CLAIM_BYTES: usize = 255;
/// Audiences of a token.
const MAX_AUDIENCES: usize = 10;
/// How old `iat` may be, in milliseconds.
const MAX_AGE_MS: i64 = 300_000;
/// How far the provider's clock may be ahead, in milliseconds.
const MAX_AHEAD_MS: i64 = 60_000;

/// The person whom a good ID token names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifiedIdentity {
    /// The configured issuer.
    pub issuer: String,
    /// The person's name at the issuer, which never changes: 1-255 visible ASCII characters.
    pub subject: String,
    /// The e-mail address as the issuer wrote it, which may be anything of at most 255 bytes.
    pub email: Option<String>,
    /// Whether the issuer says that it verified the address; `None` if it says nothing.
    pub email_verified: Option<bool>,
    /// When the person last proved who it is; at most one minute ahead.
    pub auth_time: Timestamp,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StrictHeader {
    alg: String,
    #[serde(default)]
    kid: Option<String>,
    #[serde(default)]
    typ: Option<String>,
    // The thumbprints of a certificate, which some providers add, say nothing here.
    #[serde(default, rename = "x5t")]
    _x5t: Option<String>,
    #[serde(default, rename = "x5t#S256")]
    _x5t_s256: Option<String>,
}

#[derive(Deserialize)]
struct Claims {
    iss: String,
    sub: String,
    aud: Audience,
    exp: NumericDate,
    iat: NumericDate,
    #[serde(default)]
    nonce: Option<String>,
    #[serde(default)]
    azp: Option<String>,
    #[serde(default)]
    nbf: Option<NumericDate>,
    #[serde(default)]
    auth_time: Option<NumericDate>,
    #[serde(default)]
    email: Option<String>,
    #[serde(default)]
    email_verified: Option<Flag>,
}

/// Seconds since 1970 UTC, perhaps with a fraction (RFC 7519, section 2).
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "f64")]
struct NumericDate(Timestamp);

impl TryFrom<f64> for NumericDate {
    type Error = &'static str;

    fn try_from(seconds: f64) -> Result<Self, Self::Error> {
        let since_1970 = Duration::try_from_secs_f64(seconds).map_err(|_| "must be a time after 1970")?;
        let millis = i64::try_from(since_1970.as_millis()).map_err(|_| "must be a possible time")?;
        Ok(Self(Timestamp::from_millis(millis)))
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Many(Vec<String>),
}

/// A boolean, which some providers write as a text.
#[derive(Deserialize)]
#[serde(untagged)]
enum Flag {
    Bool(bool),
    Text(Word),
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Word {
    True,
    False,
}

impl Flag {
    const fn is_true(&self) -> bool {
        matches!(self, Self::Bool(true) | Self::Text(Word::True))
    }
}

/// A token of the right shape, whose signature and claims are still to be judged.
pub(crate) struct ShapedToken<'a> {
    text: &'a str,
    pub(crate) kid: Option<String>,
    pub(crate) algorithm: Algorithm,
}

/// The `nonce` of the authorization request that belongs to `code_verifier`, which is its S256 challenge too.
#[must_use]
pub fn nonce_of(code_verifier: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(code_verifier))
}

/// Reads the header of a token that has the one shape: three parts of the right alphabet, two of them JSON objects, and
/// a header that names an algorithm, perhaps a key, and nothing that would lead to another key.
pub(crate) fn parse_shape(text: &str) -> Result<ShapedToken<'_>, SignInError> {
    let alphabet = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    let shaped = || {
        let mut parts = text.split('.');
        let (header, payload) = (decode_object(parts.next()?)?, decode_object(parts.next()?)?);
        // Claims that are not UTF-8 are none.
        std::str::from_utf8(&payload).ok()?;
        parts.next().filter(|_| parts.next().is_none())?;
        serde_json::from_slice::<StrictHeader>(&header).ok()
    };
    let header = shaped().filter(|_| text.len() <= MAX_TOKEN_BYTES && text.bytes().all(alphabet));
    let header = header.ok_or(SignInError::IdTokenRefused("it has another shape"))?;
    let algorithm = match header.alg.as_str() {
        "RS256" => Algorithm::RS256,
        "ES256" => Algorithm::ES256,
        _ => return Err(SignInError::IdTokenRefused("it is signed by another algorithm")),
    };
    if header.typ.is_some_and(|typ| !typ.eq_ignore_ascii_case("JWT")) {
        return Err(SignInError::IdTokenRefused("it is a token of another type"));
    }
    Ok(ShapedToken { text, kid: header.kid, algorithm })
}

/// A part's bytes, when they begin and end like a JSON object.
fn decode_object(part: &str) -> Option<Vec<u8>> {
    let bytes = URL_SAFE_NO_PAD.decode(part).ok()?;
    (bytes.first() == Some(&b'{') && bytes.last() == Some(&b'}')).then_some(bytes)
}

impl ShapedToken<'_> {
    /// The person whom the token names, if `key` signed it and every claim is right at `now` for the sign-in of
    /// `code_verifier`.
    pub(crate) fn verify(
        &self,
        key: &DecodingKey,
        settings: &OpenIdSettings,
        code_verifier: &str,
        now: Timestamp,
    ) -> Result<VerifiedIdentity, SignInError> {
        let data = decode::<Claims>(self.text, key, &signature_only(self.algorithm));
        // The error itself may quote a claim.
        let claims = data.map_err(|e| match e.kind() {
            ErrorKind::InvalidSignature => SignInError::IdTokenRefused("it has another signature"),
            _ => SignInError::IdTokenRefused("it lacks a claim, or has one of another type"),
        });
        let claims = claims?.claims;
        let nonce = nonce_of(code_verifier);
        if !bool::from(nonce.as_bytes().ct_eq(claims.nonce.as_deref().unwrap_or_default().as_bytes())) {
            return Err(SignInError::AskedOtherwise("it belongs to another sign-in"));
        }
        if claims.iss != settings.issuer || !is_for(&claims, &settings.client_id) {
            return Err(SignInError::IdTokenRefused("it is another issuer's or for another client"));
        }
        let auth_time = check_times(&claims, settings.auth_time, now)?;
        let is_subject =
            (1..=MAX_CLAIM_BYTES).contains(&claims.sub.len()) && claims.sub.bytes().all(|b| b.is_ascii_graphic());
        if !is_subject || claims.email.as_ref().is_some_and(|email| email.len() > MAX_CLAIM_BYTES) {
            return Err(SignInError::IdTokenRefused("it names nobody, or at too great a length"));
        }
        Ok(VerifiedIdentity {
            issuer: claims.iss,
            subject: claims.sub,
            email: claims.email,
            email_verified: claims.email_verified.map(|flag| flag.is_true()),
            auth_time,
        })
    }
}

/// Whether the token is for this client alone, or names it as the party that asked for it.
fn is_for(claims: &Claims, client_id: &str) -> bool {
    let asked = claims.azp.as_deref();
    let is_only = |only: &str| only == client_id && asked.is_none_or(|azp| azp == client_id);
    match &claims.aud {
        Audience::One(only) => is_only(only),
        Audience::Many(all) => match all.as_slice() {
            [only] => is_only(only),
            all => all.len() <= MAX_AUDIENCES && all.iter().any(|one| one == client_id) && asked == Some(client_id),
        },
    }
}

/// When the person authenticated, when all times are possible at `now`.
fn check_times(claims: &Claims, rule: AuthTimeRule, now: Timestamp) -> Result<Timestamp, SignInError> {
    let (earliest, latest) = (now.plus_millis(-MAX_AGE_MS), now.plus_millis(MAX_AHEAD_MS));
    if claims.exp.0 <= now {
        return Err(SignInError::IdTokenRefused("it has expired"));
    }
    if !(earliest..=latest).contains(&claims.iat.0) || claims.nbf.is_some_and(|at| at.0 > latest) {
        return Err(SignInError::IdTokenRefused("it was made too long ago, or in the future"));
    }
    match (claims.auth_time, rule) {
        (Some(at), _) if at.0 > Timestamp::default() && at.0 <= latest => Ok(at.0),
        (Some(_), _) => Err(SignInError::IdTokenRefused("its auth_time is impossible")),
        (None, AuthTimeRule::Iat) => Ok(claims.iat.0),
        // It may be left out unless `max_age` is asked for.
        (None, AuthTimeRule::Claim) => Err(SignInError::AskedOtherwise("it has no auth_time")),
    }
}

/// The signature alone: issuer, audience and times are checked by [`ShapedToken::verify`].
fn signature_only(algorithm: Algorithm) -> Validation {
    let mut validation = Validation::new(algorithm);
    validation.validate_exp = false;
    validation.validate_aud = false;
    validation.required_spec_claims = HashSet::new();
    validation
}
