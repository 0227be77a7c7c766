//! An error as a response.

use std::sync::Arc;

use axum::response::{IntoResponse, Response};
use domain::Error;

use crate::respond::status;

/// The error that a handler or an extractor answers with. `?` makes it of the service's [`Error`].
#[derive(Debug)]
pub struct ApiError(pub Error);

/// The result of a handler.
pub type ApiResult<T> = std::result::Result<T, ApiError>;

impl From<Error> for ApiError {
    fn from(error: Error) -> Self {
        Self(error)
    }
}

impl IntoResponse for ApiError {
    /// The status alone, carrying the error; the edge, which knows the request's id, writes the rest.
    fn into_response(self) -> Response {
        let mut response = status(&self.0).into_response();
        response.extensions_mut().insert(Arc::new(self.0));
        response
    }
}
