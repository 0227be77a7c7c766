//! A request that is done once, however often it is sent: its body, and the key of the record that is kept of it.

use axum::extract::{FromRequest, Request};
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

use crate::body::BodyIn;
use crate::meta::IdempotencyKey;
use crate::{ApiError, ApiResult};
use aws::store::RequestKey;
use domain::Error;
use domain::access::Principal;

/// A body, and before it the key by which its request is recognised, where the client sent an `Idempotency-Key`. It is
/// valid for the caller, the method, the path and what the body says: its known fields as they are read, defaults filled
/// in. It comes after the caller among a handler's arguments.
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
        let (body, said) = B::read(&parts.headers, body, caller).await?;
        // As the handler reads it: escapes make no second request.
        let path = percent_decode_str(parts.uri.path()).decode_utf8_lossy();
        let name = [parts.method.as_str(), &path, &caller.name(), key.as_str()];
        Ok(Self(Some(RequestKey::new(&name, &[key.as_str(), &written(said)])), body))
    }
}

/// The fields as one text. The key stands before it in what is hashed: it is stored nowhere, so a short secret in a body
/// cannot be guessed from the hash.
fn written(said: Map<String, Value>) -> String {
    let mut said = Value::Object(said);
    // Whatever order the maps of this build keep.
    said.sort_all_objects();
    said.to_string()
}
