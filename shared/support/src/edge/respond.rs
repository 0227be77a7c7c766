//! Responses: the one shape of an error, 201 with its `Location`, 202, 204.

use std::sync::Arc;

use axum::Json;
use axum::response::{IntoResponse, Response};
use domain::Error;
use domain::error::{Code, Detail};
use http::{HeaderValue, StatusCode, header};
use schemars::JsonSchema;
use serde::Serialize;

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

/// 201 with the path of what was made, and its record.
#[derive(Debug, Clone)]
pub struct Created<T>(pub String, pub T);

impl<T: Serialize> IntoResponse for Created<T> {
    fn into_response(self) -> Response {
        let mut response = (StatusCode::CREATED, Json(self.1)).into_response();
        if let Ok(location) = HeaderValue::from_str(&self.0) {
            response.headers_mut().insert(header::LOCATION, location);
        }
        response
    }
}

/// 201 with the path of what a `PUT` made, or 200 with what it replaced or found the same.
#[derive(Debug, Clone)]
pub enum Put<T> {
    Made(Created<T>),
    There(T),
}

impl<T: Serialize> IntoResponse for Put<T> {
    fn into_response(self) -> Response {
        match self {
            Self::Made(created) => created.into_response(),
            Self::There(record) => Json(record).into_response(),
        }
    }
}

/// 202: it will be done.
#[derive(Debug, Clone)]
pub struct Accepted<T>(pub T);

impl<T: Serialize> IntoResponse for Accepted<T> {
    fn into_response(self) -> Response {
        (StatusCode::ACCEPTED, Json(self.0)).into_response()
    }
}

/// 202 with the path of what is being made, and its record.
#[derive(Debug, Clone)]
pub struct AcceptedAt<T>(pub String, pub T);

impl<T: Serialize> IntoResponse for AcceptedAt<T> {
    fn into_response(self) -> Response {
        ([(header::LOCATION, self.0)], Accepted(self.1)).into_response()
    }
}

/// An answer that shows one version of something, with its entity tag.
#[derive(Debug, Clone)]
pub struct Tagged<R> {
    /// The strong entity tag of the version, with its quotes.
    pub etag: String,
    pub answer: R,
}

impl<R: IntoResponse> IntoResponse for Tagged<R> {
    fn into_response(self) -> Response {
        ([(header::ETAG, self.etag)], self.answer).into_response()
    }
}

/// An answer, and before it whether it is the first result of a request that was sent again: then it says so.
#[derive(Debug, Clone)]
pub struct Replayed<T>(pub bool, pub T);

impl<T: IntoResponse> IntoResponse for Replayed<T> {
    fn into_response(self) -> Response {
        let mut response = self.1.into_response();
        if self.0 {
            response.headers_mut().insert("idempotency-replayed", HeaderValue::from_static("true"));
        }
        response
    }
}

/// 204.
#[derive(Debug, Clone, Copy)]
pub struct NoContent;

impl IntoResponse for NoContent {
    fn into_response(self) -> Response {
        StatusCode::NO_CONTENT.into_response()
    }
}

/// An answer that sets or clears a cookie.
#[derive(Debug, Clone)]
pub struct WithCookie<R> {
    /// The value of `Set-Cookie`.
    pub cookie: HeaderValue,
    pub answer: R,
}

impl<R: IntoResponse> IntoResponse for WithCookie<R> {
    fn into_response(self) -> Response {
        ([(header::SET_COOKIE, self.cookie)], self.answer).into_response()
    }
}

/// 503 whose body is a report of what is down, instead of an error.
#[derive(Debug, Clone)]
pub struct ServiceDown<T>(pub T);

/// Marks an answer whose body stays as it is, whatever its status.
#[derive(Debug, Clone, Copy)]
struct CustomBody;

impl<T: Serialize> IntoResponse for ServiceDown<T> {
    fn into_response(self) -> Response {
        let mut response = (StatusCode::SERVICE_UNAVAILABLE, Json(self.0)).into_response();
        response.extensions_mut().insert(CustomBody);
        response
    }
}

/// The one shape of every error.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Error")]
pub struct ErrorOut<'a> {
    /// The code of the error.
    #[schemars(with = "Code")]
    error: &'static str,
    /// For a person.
    message: &'a str,
    /// As in `X-Request-Id`, to be quoted to support.
    request_id: &'a str,
    /// All problems at once.
    details: &'a [Detail],
}

fn status(error: &Error) -> StatusCode {
    StatusCode::from_u16(error.code().status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// The error as everybody sees it.
pub(crate) fn render_error(error: &Error, request_id: &str) -> Response {
    let body = ErrorOut { error: error.code().name(), message: error.message(), request_id, details: error.details() };
    let mut response = (status(error), Json(body)).into_response();
    let headers = response.headers_mut();
    if error.code().status() == 401 {
        headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    if let Some(seconds) = error.retry_after_seconds() {
        headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    if let Some(allow) = error.allowed().and_then(|methods| HeaderValue::from_str(methods).ok()) {
        headers.insert(header::ALLOW, allow);
    }
    response
}

/// The error of a response: ours, or one made from a status of the framework.
pub(crate) fn response_error(response: &Response) -> Option<Arc<Error>> {
    let status = response.status();
    if let Some(error) = response.extensions().get::<Arc<Error>>() {
        return Some(Arc::clone(error));
    }
    let fine = !status.is_client_error() && !status.is_server_error();
    if fine || response.extensions().get::<CustomBody>().is_some() {
        return None;
    }
    let error = match status.as_u16() {
        404 => Error::not_found("resource"),
        405 => Error::new(Code::MethodNotAllowed, "This method is not allowed for this path."),
        413 => Error::new(Code::PayloadTooLarge, "The body is too large."),
        415 => Error::new(Code::UnsupportedMediaType, "Send application/json."),
        400..=499 => Error::new(Code::ValidationError, "The request is not valid."),
        other => Error::internal(format!("the framework answered {other}")),
    };
    Some(Arc::new(error))
}
