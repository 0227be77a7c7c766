//! The provider itself: its names, its key, and what it has handed out.

use std::sync::Arc;

use axum::response::{IntoResponse, Response};
use domain::Result;
use domain::clock::Runtime;
use http::{HeaderMap, HeaderValue, StatusCode, header};

use super::codes::Codes;
use super::key::DemoKey;
use super::lock::Lock;

/// The desk's id as a client.
pub(crate) const CLIENT_ID: &str = "desk";
/// Where the provider lies under its origin.
pub(super) const PATH: &str = "/openid";

/// The provider; cheap to clone.
#[derive(Clone)]
pub(crate) struct DemoProvider {
    pub(super) inner: Arc<Inner>,
}

pub(super) struct Inner {
    /// The origin of provider and desk, such as `http://127.0.0.1:9001`.
    origin: String,
    pub(super) issuer: String,
    /// The one address that people are sent back to.
    pub(super) desk_url: String,
    pub(super) key: DemoKey,
    pub(super) lock: Lock,
    pub(super) codes: Codes,
    pub(super) runtime: Runtime,
}

impl DemoProvider {
    /// A provider at `origin` for the desk at `desk_url`, with new secrets.
    pub(crate) fn new(origin: &str, desk_url: &str, key: DemoKey, runtime: &Runtime) -> Result<Self> {
        let inner = Inner {
            origin: origin.to_owned(),
            issuer: issuer_at(origin),
            desk_url: desk_url.to_owned(),
            key,
            lock: Lock::new(origin, PATH, runtime)?,
            codes: Codes::default(),
            runtime: runtime.clone(),
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// The secret that opens the provider's page, for the fragment of an address.
    pub(crate) fn secret(&self) -> &str {
        self.inner.lock.secret()
    }

    /// Whether a page of the provider's own origin sent the request: browsers name the origin of every `POST`.
    pub(super) fn is_own_origin(&self, headers: &HeaderMap) -> bool {
        headers.get(header::ORIGIN).is_some_and(|origin| origin == self.inner.origin.as_str())
    }
}

/// The issuer of a provider at `origin`.
pub(crate) fn issuer_at(origin: &str) -> String {
    format!("{origin}{PATH}")
}

/// Sends a browser on by `GET`.
pub(super) fn redirect(to: &str) -> Response {
    let Ok(location) = HeaderValue::from_str(to) else { return StatusCode::BAD_REQUEST.into_response() };
    let headers = [
        (header::LOCATION, location),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    ];
    (StatusCode::SEE_OTHER, headers).into_response()
}
