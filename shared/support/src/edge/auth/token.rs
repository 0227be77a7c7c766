//! What widget tokens and desk tokens have in common: their one shape, how they are signed and checked, and how a process
//! remembers their keys.
//!
//! `jsonwebtoken` by itself accepts any `kid`, `crit`, `typ` and `exp == now`. So the header is parsed strictly first,
//! the key is chosen by an exact `kid`, and every claim is checked here against our clock (RFC 8725).

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::models::Timestamp;
use domain::{Error, Result};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, encode};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The longest credential that is looked at, in bytes: the longest widget token that is made, with room.
pub(crate) const CREDENTIAL_MAX_BYTES: usize = 4_096;

/// How long a process remembers whether a tenant is served and which keys are revoked, in milliseconds: so long what the
/// operator ended may still be served.
pub const MAX_STATUS_AGE_MS: i64 = 5_000;

/// How far our own clocks may be apart, in seconds.
pub(super) const MAX_SKEW_SECONDS: i64 = 5;

/// A token and its end.
#[derive(Clone)]
pub struct IssuedToken {
    pub token: String,
    /// From this moment on it is refused.
    pub expires_at: Timestamp,
}

/// A kind of token: what its header and its claims say. Types, audiences and algorithms of two kinds differ, so neither is
/// ever taken for the other.
pub(super) struct TokenKind {
    pub(super) algorithm: Algorithm,
    /// The algorithm as the header names it.
    pub(super) alg: &'static str,
    pub(super) typ: &'static str,
    pub(super) audience: &'static str,
    /// The longest life, in seconds.
    pub(super) max_seconds: i64,
}

impl TokenKind {
    /// Signs claims that end `exp` seconds after 1970.
    pub(super) fn sign(&self, kid: &str, key: &EncodingKey, claims: &impl Serialize, exp: i64) -> Result<IssuedToken> {
        let mut header = Header::new(self.algorithm);
        header.typ = Some(self.typ.to_owned());
        header.kid = Some(kid.to_owned());
        let token = encode(&header, claims, key)
            .map_err(|e| Error::internal(format!("a {} token cannot be signed: {e}", self.audience)))?;
        Ok(IssuedToken { token, expires_at: Timestamp::from_millis(exp.saturating_mul(1_000)) })
    }

    /// The name of the key in the header, if the token has the one shape of its kind: three parts of the right alphabet,
    /// a header of exactly `alg`, `typ` and `kid`, and claims that begin and end like a JSON object.
    pub(super) fn read_kid(&self, token: &str) -> Option<String> {
        let alphabet = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
        let dots = token.bytes().filter(|b| *b == b'.').count();
        if token.len() > CREDENTIAL_MAX_BYTES || dots != 2 || !token.bytes().all(alphabet) {
            return None;
        }
        let mut parts = token.split('.');
        let (header, payload) = (decode_object(parts.next()?)?, decode_object(parts.next()?)?);
        // Claims that serde would read from an array, or that are not UTF-8, are none.
        std::str::from_utf8(&payload).ok()?;
        let StrictHeader { alg, typ, kid } = serde_json::from_slice(&header).ok()?;
        (alg == self.alg && typ == self.typ).then_some(kid)
    }

    /// The claims of a token that `key` verifies; its times are not looked at.
    ///
    /// # Errors
    /// 401.
    pub(super) fn read_claims<C: DeserializeOwned>(&self, issuer: &str, key: &DecodingKey, token: &str) -> Result<C> {
        let mut validation = Validation::new(self.algorithm);
        validation.leeway = 0;
        // Checked by `check_times`, against this service's clock.
        validation.validate_exp = false;
        validation.set_audience(&[self.audience]);
        validation.set_issuer(&[issuer]);
        validation.required_spec_claims = HashSet::from(["exp", "iss", "aud", "sub"].map(str::to_owned));
        decode(token, key, &validation).map(|data| data.claims).map_err(|e| self.refusal(&format!("{:?}", e.kind())))
    }

    /// Refuses a token that was made in the future, or for longer than its kind lives; all times are in seconds.
    ///
    /// # Errors
    /// 401.
    pub(super) fn check_times(&self, iat: i64, exp: i64, now: i64) -> Result<()> {
        let is_life_possible = exp.checked_sub(iat).is_some_and(|life| (1..=self.max_seconds).contains(&life));
        if iat <= now.saturating_add(MAX_SKEW_SECONDS) && is_life_possible {
            return Ok(());
        }
        Err(self.refusal("its times are impossible"))
    }

    /// 401, with the reason for the log.
    pub(super) fn refusal(&self, why: &str) -> Error {
        Error::unauthorized().context(format!("{} token: {why}", self.audience))
    }
}

/// The header of a token.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StrictHeader {
    alg: String,
    typ: String,
    kid: String,
}

/// A part's bytes, when they begin and end like a JSON object.
fn decode_object(part: &str) -> Option<Vec<u8>> {
    let bytes = URL_SAFE_NO_PAD.decode(part).ok()?;
    (bytes.first() == Some(&b'{') && bytes.last() == Some(&b'}')).then_some(bytes)
}

/// A list of the table that is remembered for a few seconds, because every request with a token asks; cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Remembered<T>(Arc<Mutex<Option<Reading<T>>>>);

/// When a list was read, and what it was.
type Reading<T> = (Timestamp, Arc<[T]>);

impl<T> Remembered<T> {
    pub(super) fn new() -> Self {
        Self(Arc::default())
    }

    /// The last reading.
    pub(super) fn known(&self) -> Option<Reading<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn remember(&self, now: Timestamp, items: Vec<T>) -> Arc<[T]> {
        let items: Arc<[T]> = items.into();
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((now, Arc::clone(&items)));
        items
    }

    /// The list, by `read` unless it is remembered.
    ///
    /// # Errors
    /// Those of `read`.
    pub(super) async fn list(&self, now: Timestamp, read: impl Future<Output = Result<Vec<T>>>) -> Result<Arc<[T]>> {
        match self.known() {
            Some((read_at, items)) if (0..MAX_STATUS_AGE_MS).contains(&now.millis_since(read_at)) => Ok(items),
            _ => Ok(self.remember(now, read.await?)),
        }
    }
}
