//! A request that is done once, however often it is sent: its body, and the key of the record that is kept of it.

use axum::extract::{FromRequest, Request};
use percent_encoding::percent_decode_str;

use crate::body::BodyIn;
use crate::meta::IdempotencyKey;
use crate::{ApiError, ApiResult};
use aws::store::RequestKey;
use domain::access::Principal;
use domain::{Error, sha256_hex};

/// A body, and before it the key by which its request is recognised, if the client sent an `Idempotency-Key`. It is valid
/// for the caller, the method, the path and the bytes of the body. It comes after the caller among a handler's arguments.
#[derive(Debug, Clone)]
pub struct OnceIn<B>(pub Option<RequestKey>, pub B);

impl<S, B> FromRequest<S> for OnceIn<B>
where
    S: Send + Sync,
    B: BodyIn + FromRequest<S, Rejection = ApiError>,
{
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> ApiResult<Self> {
        let Some(key) = IdempotencyKey::from_headers(request.headers())? else {
            return Ok(Self(None, B::from_request(request, state).await?));
        };
        let (parts, body) = request.into_parts();
        let caller = parts.extensions.get::<Principal>();
        let caller = caller.ok_or_else(|| Error::internal("a request with an idempotency key has no caller"))?;
        let (body, bytes) = B::read(&parts.headers, body).await?;
        // As the handler reads it: escapes make no second request.
        let path = percent_decode_str(parts.uri.path()).decode_utf8_lossy();
        let name = [parts.method.as_str(), &path, &caller.name(), key.as_str()];
        // The key is stored nowhere, so a short secret in a body cannot be guessed from the hash of both.
        Ok(Self(Some(RequestKey::new(&name, &[key.as_str(), &sha256_hex(&bytes)])), body))
    }
}
