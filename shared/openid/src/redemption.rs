//! The redemption of a code: the request to the provider's token endpoint (RFC 6749 section 4.1.3, RFC 7636 section 4.5),
//! and the judgement of the ID token that it answers (OpenID Connect Core 1.0, section 3.1.3.7).
//!
//! `jsonwebtoken` by itself accepts any `kid`, `crit`, `jku` and `exp == now`. So the header is parsed strictly first,
//! the key is chosen by [`SigningKeys`](crate::discovery::SigningKeys), and every claim is checked here against our clock
//! (RFC 8725).

use std::collections::HashSet;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use bytes::Bytes;
use domain::models::Timestamp;
use http::{HeaderMap, HeaderValue, header};
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use url::form_urlencoded;

use crate::discovery::ProviderMetadata;
use crate::{AuthTimeRule, OpenIdSettings, SignInError};

const MAX_CODE_BYTES: usize = 4096;
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

/// The `nonce` of the authorization request that belongs to `code_verifier`, which is its S256 challenge too.
#[must_use]
pub fn nonce_of(code_verifier: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(code_verifier))
}

/// A code with the verifier of its challenge, both of a possible form.
#[derive(Clone, Copy)]
pub(crate) struct Redemption<'a> {
    code: &'a str,
    pub(crate) code_verifier: &'a str,
}

impl<'a> Redemption<'a> {
    /// Refuses what no provider would have given or accepted, before it is asked.
    pub(crate) fn parse(code: &'a str, code_verifier: &'a str) -> Result<Self, SignInError> {
        let is_code = (1..=MAX_CODE_BYTES).contains(&code.len()) && code.bytes().all(|b| (b' '..=b'~').contains(&b));
        let unreserved = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_' | b'~');
        let is_verifier = (43..=128).contains(&code_verifier.len()) && code_verifier.bytes().all(unreserved);
        if is_code && is_verifier {
            Ok(Self { code, code_verifier })
        } else {
            Err(SignInError::refused("the code or its verifier is none"))
        }
    }

    /// The headers and the form of the request.
    pub(crate) fn request(
        &self,
        settings: &OpenIdSettings,
        metadata: &ProviderMetadata,
    ) -> Result<(HeaderMap, Bytes), SignInError> {
        let mut headers = HeaderMap::from_iter([
            (header::CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded")),
            (header::ACCEPT, HeaderValue::from_static("application/json")),
        ]);
        let mut form = form_urlencoded::Serializer::new(String::new());
        form.append_pair("grant_type", "authorization_code")
            .append_pair("code", self.code)
            .append_pair("redirect_uri", &settings.redirect_uri)
            .append_pair("code_verifier", self.code_verifier);
        match &settings.client_secret {
            Some(secret) if !metadata.secret_in_body => {
                headers.insert(header::AUTHORIZATION, basic(&settings.client_id, secret.expose())?);
            }
            secret => {
                form.append_pair("client_id", &settings.client_id);
                if let Some(secret) = secret {
                    form.append_pair("client_secret", secret.expose());
                }
            }
        }
        Ok((headers, form.finish().into()))
    }
}

/// The header of HTTP Basic for a client: both parts form-encoded first (RFC 6749 section 2.3.1). A space is `%20`, which
/// every provider decodes; some leave a `+` as it is.
fn basic(client_id: &str, secret: &str) -> Result<HeaderValue, SignInError> {
    let encoded = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20");
    let credentials = STANDARD.encode(format!("{}:{}", encoded(client_id), encoded(secret)));
    let mut value = HeaderValue::try_from(format!("Basic {credentials}"))
        .map_err(|_| SignInError::unavailable("the client's secret cannot be sent"))?;
    value.set_sensitive(true);
    Ok(value)
}

#[derive(Deserialize)]
struct TokenAnswer {
    id_token: String,
}

#[derive(Deserialize)]
struct ErrorAnswer {
    error: String,
}

/// The ID token of an answer. A code that the provider refuses is the caller's; everything else is the provider's or the
/// operator's.
pub(crate) fn read_answer(status: u16, body: &[u8]) -> Result<String, SignInError> {
    if status == 200 {
        let answer: TokenAnswer = serde_json::from_slice(body)
            .map_err(|_| SignInError::unavailable("its token answer has no ID token or is not JSON"))?;
        return Ok(answer.id_token);
    }
    let error = serde_json::from_slice::<ErrorAnswer>(body).map(|answer| answer.error).unwrap_or_default();
    match (status, error.as_str()) {
        // Some say that a code which they never made is no valid request.
        (400, "invalid_grant" | "invalid_request") => Err(SignInError::refused("the provider refused the code")),
        (_, "invalid_client" | "unauthorized_client") => {
            Err(SignInError::unavailable("it refused this service as a client: check the client's id and secret"))
        }
        _ => Err(SignInError::unavailable(format!("its token endpoint answered {status}"))),
    }
}

/// A token of the right shape, whose signature and claims are still to be judged.
pub(crate) struct ShapedToken<'a> {
    text: &'a str,
    pub(crate) kid: Option<String>,
    pub(crate) algorithm: Algorithm,
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
    let audience = match &claims.aud {
        Audience::One(only) => std::slice::from_ref(only),
        Audience::Many(all) => all,
    };
    match audience {
        [only] => only == client_id && asked.is_none_or(|azp| azp == client_id),
        all => all.len() <= MAX_AUDIENCES && all.iter().any(|one| one == client_id) && asked == Some(client_id),
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

/// The signature alone: [`ShapedToken::verify`] checks issuer, audience and times.
fn signature_only(algorithm: Algorithm) -> Validation {
    let mut validation = Validation::new(algorithm);
    validation.validate_exp = false;
    validation.validate_aud = false;
    validation.required_spec_claims = HashSet::new();
    validation
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StrictHeader {
    alg: String,
    kid: Option<String>,
    typ: Option<String>,
    // The thumbprints of a certificate, which some providers add, say nothing here.
    #[serde(rename = "x5t")]
    _x5t: Option<String>,
    #[serde(rename = "x5t#S256")]
    _x5t_s256: Option<String>,
}

#[derive(Deserialize)]
struct Claims {
    iss: String,
    sub: String,
    aud: Audience,
    exp: NumericDate,
    iat: NumericDate,
    nonce: Option<String>,
    azp: Option<String>,
    nbf: Option<NumericDate>,
    auth_time: Option<NumericDate>,
    email: Option<String>,
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
