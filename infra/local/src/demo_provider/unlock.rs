//! Exchanges the secret of the printed address for the provider's cookie.

use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, StatusCode, header};

use super::provider::DemoProvider;

/// Gives the cookie to a page of this origin that knows the secret, which is the body.
pub(super) async fn unlock(State(provider): State<DemoProvider>, headers: HeaderMap, body: Bytes) -> Response {
    let cookie = provider.inner.lock.cookie_for(&body).filter(|_| provider.is_own_origin(&headers));
    match cookie {
        Some(cookie) => {
            let headers = [(header::SET_COOKIE, cookie), (header::CACHE_CONTROL, "no-store".to_owned())];
            (StatusCode::NO_CONTENT, headers).into_response()
        }
        None => (StatusCode::FORBIDDEN, "Open the address that the service printed at its start.\n").into_response(),
    }
}
