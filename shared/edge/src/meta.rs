//! The metadata of every request: its id, its time and its deadline; and the header `Idempotency-Key`.

use crate::{ApiError, ApiResult};
use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::FromRequestParts;
use http::request::Parts;
use http::{HeaderMap, HeaderValue};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use domain::clock::Runtime;
use domain::error::DetailCode;
use domain::models::{RequestId, Timestamp};
use domain::{Error, Result};

/// The header that names a request.
pub(crate) const REQUEST_ID: &str = "x-request-id";

/// A request's id, time and deadline, set by the edge before anything else looks at it.
#[derive(Debug, Clone)]
pub(crate) struct RequestInfo {
    pub(crate) request_id: Arc<str>,
    pub(crate) at: Timestamp,
    pub(crate) deadline: Timestamp,
}

impl RequestInfo {
    /// Takes the caller's id if it is 1-128 printable ASCII characters, and makes one otherwise. The answer is due
    /// within `timeout`.
    pub(crate) fn from_headers(headers: &HeaderMap, runtime: &Runtime, timeout: Duration) -> Self {
        let at = runtime.now();
        let mut given = headers.get_all(REQUEST_ID).iter();
        let only = given.next().filter(|_| given.next().is_none()).and_then(|value| printable(value, 128));
        let request_id = only.map_or_else(|| generated(runtime, at), Arc::from);
        let deadline = at.plus_millis(i64::try_from(timeout.as_millis()).unwrap_or(i64::MAX));
        Self { request_id, at, deadline }
    }
}

fn generated(runtime: &Runtime, at: Timestamp) -> Arc<str> {
    // Without random bytes the request still gets an error, which needs an id.
    let id = RequestId::generate(runtime).unwrap_or_else(|_| RequestId::from_parts(at, 0));
    Arc::from(id.as_str())
}

fn printable(value: &HeaderValue, max: usize) -> Option<&str> {
    let text = value.to_str().ok()?;
    let sound = (1..=max).contains(&text.len()) && text.bytes().all(|b| (b' '..=b'~').contains(&b));
    sound.then_some(text)
}

/// The validated `Idempotency-Key`: 1-255 printable ASCII characters, without the quotes of RFC 8941.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyKey(String);

impl JsonSchema for IdempotencyKey {
    fn schema_name() -> Cow<'static, str> {
        "IdempotencyKey".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string", "minLength": 1, "maxLength": 255,
            "description": "1-255 printable ASCII characters, in quotes or not; blanks and quotes alone are none.",
            "pattern": r#"^[ -~]*[!#-~][ -~]*$"#,
        })
    }
}

impl IdempotencyKey {
    /// The key as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Reads the header; several, or an invalid one, is 400.
    pub(crate) fn from_headers(headers: &HeaderMap) -> Result<Option<Self>> {
        let mut given = headers.get_all("idempotency-key").iter();
        let Some(first) = given.next() else { return Ok(None) };
        let text = given.next().is_none().then(|| printable(first, 255)).flatten().map(strip_quotes);
        match text.filter(|text| text.bytes().any(|b| !matches!(b, b' ' | b'"'))) {
            Some(text) => Ok(Some(Self(text.to_owned()))),
            None => Err(Error::invalid(
                "Idempotency-Key",
                DetailCode::InvalidFormat,
                "must be 1 to 255 printable ASCII characters",
            )),
        }
    }
}

fn strip_quotes(text: &str) -> &str {
    text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text)
}

/// The metadata of a request.
#[derive(Debug, Clone)]
pub struct RequestMeta {
    /// The caller's `X-Request-Id`, or a generated one.
    pub request_id: Arc<str>,
    /// When the request came.
    pub received_at: Timestamp,
    /// When it must be answered at the latest.
    pub deadline: Timestamp,
}

impl<S: Sync> FromRequestParts<S> for RequestMeta {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> ApiResult<Self> {
        let info = parts.extensions.get::<RequestInfo>().cloned();
        let info = info.ok_or_else(|| Error::internal("a request that did not pass the edge"))?;
        Ok(Self { request_id: info.request_id, received_at: info.at, deadline: info.deadline })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: &'static str, values: &[&[u8]]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(name, HeaderValue::from_bytes(value).unwrap());
        }
        headers
    }

    #[test]
    fn a_request_id_is_echoed_when_printable_and_made_otherwise() {
        let runtime = Runtime::system();
        let id = |values: &[&[u8]]| {
            RequestInfo::from_headers(&headers(REQUEST_ID, values), &runtime, Duration::ZERO).request_id.to_string()
        };
        assert_eq!(id(&[b"abc 1"]), "abc 1");
        assert_eq!(id(&[&[b'x'; 128]]), "x".repeat(128));
        let bad: [&[&[u8]]; 6] = [&[], &[b""], &[&[b'x'; 129]], &[b"a\tb"], &["é".as_bytes()], &[b"a", b"b"]];
        for values in bad {
            assert!(id(values).starts_with("req_"), "{values:?}");
        }
    }

    #[test]
    fn an_idempotency_key_is_printable_and_bounded() {
        let key = |values: &[&[u8]]| IdempotencyKey::from_headers(&headers("idempotency-key", values));
        assert_eq!(key(&[]).unwrap(), None);
        assert_eq!(key(&[b"\"a-b\""]).unwrap().unwrap().as_str(), "a-b");
        assert_eq!(key(&[&[b'k'; 255]]).unwrap().unwrap().as_str().len(), 255);
        let bad: [&[&[u8]]; 8] = [
            &[b""],
            &[&[b'k'; 256]],
            &[b"a\tb"],
            &["é".as_bytes()],
            &[b"a", b"a"],
            &[b"\"\""],
            &[b"  "],
            &[b"\"\" \""],
        ];
        for values in bad {
            assert!(key(values).is_err(), "{values:?}");
        }
    }
}
