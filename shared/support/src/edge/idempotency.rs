//! A request that is done once, however often it is sent: its `Idempotency-Key`, its body, and the key of the record that is
//! kept of it.

use std::borrow::Cow;

use axum::extract::{FromRequest, Request};
use domain::access::Principal;
use domain::error::DetailCode;
use domain::{Error, Result, sha256_hex};
use http::HeaderMap;
use percent_encoding::percent_decode_str;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::edge::body::BodyIn;
use crate::edge::meta::printable;
use crate::edge::table::RequestKey;
use crate::edge::{ApiError, ApiResult};

/// A body, and before it the key by which its request is recognised, if the client sent an `Idempotency-Key`. It is valid
/// for the caller, the method, the path and the bytes of the body. It comes after the caller among a handler's arguments.
#[derive(Debug, Clone)]
pub struct OnceIn<B>(pub Option<RequestKey>, pub B);

impl<S: Sync, B: BodyIn> FromRequest<S> for OnceIn<B> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> ApiResult<Self> {
        let key = IdempotencyKey::from_headers(request.headers())?;
        let (parts, body) = request.into_parts();
        let (body, bytes) = B::read(&parts.headers, body).await?;
        let Some(key) = key else { return Ok(Self(None, body)) };
        let caller = parts.extensions.get::<Principal>();
        let caller = caller.ok_or_else(|| Error::internal("a request with an idempotency key has no caller"))?;
        // As the handler reads it: escapes make no second request.
        let path = percent_decode_str(parts.uri.path()).decode_utf8_lossy();
        let name = [parts.method.as_str(), &path, &caller.name(), key.as_str()];
        // The key is stored nowhere, so a short secret in a body cannot be guessed from the hash of both.
        Ok(Self(Some(RequestKey::new(&name, &[key.as_str(), &sha256_hex(&bytes)])), body))
    }
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

#[cfg(test)]
mod tests {
    use http::{HeaderName, HeaderValue};

    use super::*;

    #[test]
    fn an_idempotency_key_is_printable_and_bounded() {
        let key = |values: &[&[u8]]| {
            let named =
                |value: &&[u8]| (HeaderName::from_static("idempotency-key"), HeaderValue::from_bytes(value).unwrap());
            IdempotencyKey::from_headers(&values.iter().map(named).collect::<HeaderMap>())
        };
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
