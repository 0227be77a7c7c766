//! Whether somebody still waits for the answer to a request.

use axum::extract::FromRequestParts;
use domain::Error;
use http::request::Parts;
use schemars::SchemaGenerator;
use tokio::sync::watch;

use crate::describe::{Input, Operation};
use crate::{ApiError, ApiResult};

/// The wait of the caller, which ends when the caller disconnects, or at the deadline.
#[derive(Debug, Clone)]
pub struct Waiting(pub(crate) watch::Receiver<()>);

impl Waiting {
    /// Returns when nobody waits any more.
    pub async fn end(mut self) {
        // Nothing is ever sent.
        while self.0.changed().await.is_ok() {}
    }
}

impl Input for Waiting {
    fn describe(_: &mut Operation, _: &mut SchemaGenerator) {}
}

impl<S: Sync> FromRequestParts<S> for Waiting {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> ApiResult<Self> {
        let waiting = parts.extensions.get::<Self>().cloned();
        Ok(waiting.ok_or_else(|| Error::internal("a request that did not pass the edge"))?)
    }
}
