//! A request that is done once, however often it is sent: its body, and the key of the record that is kept of it.

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use bytes::Bytes;

use crate::body::{BodyIn, read_bytes};
use crate::meta::IdempotencyKey;
use crate::{ApiError, ApiResult};
use aws::store::RequestKey;
use domain::access::Principal;
use domain::{Error, sha256_hex};

/// A body, and before it the key by which its request is recognised, where the client sent an `Idempotency-Key`. It is
/// valid for the caller, the method, the path and the bytes of the body. It comes after the caller among a handler's
/// arguments.
#[derive(Debug, Clone)]
pub struct OnceIn<B>(pub Option<RequestKey>, pub B);

impl<S, B> FromRequest<S> for OnceIn<B>
where
    S: Send + Sync,
    B: BodyIn + FromRequest<S, Rejection = ApiError>,
{
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> ApiResult<Self> {
        let (parts, body) = request.into_parts();
        let Some(key) = IdempotencyKey::from_headers(&parts.headers)? else {
            return Ok(Self(None, B::from_request(Request::from_parts(parts, body), state).await?));
        };
        let caller = parts.extensions.get::<Principal>().map(Principal::name);
        let caller = caller.ok_or_else(|| Error::internal("a request with an idempotency key has no caller"))?;
        let bytes = match B::LIMIT_BYTES {
            Some(limit) => read_bytes(&parts.headers, body, limit).await?,
            None => Bytes::new(),
        };
        let name = [parts.method.as_str(), parts.uri.path(), &caller, key.as_str()];
        // The key is part of what is hashed. It is stored nowhere, so a short secret in a body cannot be guessed from
        // the hash.
        let request_key = RequestKey::new(&name, &[key.as_str(), &sha256_hex(&bytes)]);
        let body = B::from_request(Request::from_parts(parts, Body::from(bytes)), state).await?;
        Ok(Self(Some(request_key), body))
    }
}
