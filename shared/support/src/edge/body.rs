//! Reads a request's body: size, content type, JSON, fields, in this order, after the caller is authenticated.

use std::cell::RefCell;

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use bytes::{Bytes, BytesMut};
use domain::error::{Code, DetailCode};
use domain::{Error, Result};
use http::{HeaderMap, header};
use http_body_util::BodyExt;
use serde_json::{Map, Value};

use super::input::{FieldPath, Fields};
use super::strict_json;
use crate::edge::{ApiError, ApiResult};

/// The default limit of a body, in bytes.
pub const BODY_LIMIT_BYTES: usize = 1024 * 1024;

/// A type that reads itself from a JSON object, reporting every problem; `None` goes with at least one.
/// [`body!`](crate::edge::body!) implements it.
pub trait FromFields: Sized {
    /// The largest body it is read from, in bytes.
    const BODY_LIMIT_BYTES: usize = BODY_LIMIT_BYTES;

    /// Reads all fields first, then builds.
    fn from_fields(fields: &Fields<'_>) -> Option<Self>;
}

/// A required JSON body.
#[derive(Debug, Clone)]
pub struct JsonIn<T>(pub T);

/// A JSON body that may be left out, which reads like `{}`.
#[derive(Debug, Clone)]
pub struct OptionalJsonIn<T>(pub T);

/// A body that a request which comes again repeats byte for byte.
pub trait BodyIn: Sized {
    /// Reads it; also returns the bytes that it was read from.
    fn read(headers: &HeaderMap, body: Body) -> impl Future<Output = Result<(Self, Bytes)>> + Send;
}

impl<T: FromFields> BodyIn for JsonIn<T> {
    async fn read(headers: &HeaderMap, body: Body) -> Result<(Self, Bytes)> {
        let bytes = read_bytes(headers, body, T::BODY_LIMIT_BYTES).await?;
        Ok((Self(from_object(&object(headers, &bytes)?)?), bytes))
    }
}

impl<T: FromFields> BodyIn for OptionalJsonIn<T> {
    async fn read(headers: &HeaderMap, body: Body) -> Result<(Self, Bytes)> {
        let bytes = read_bytes(headers, body, T::BODY_LIMIT_BYTES).await?;
        let map = if bytes.is_empty() { Map::new() } else { object(headers, &bytes)? };
        Ok((Self(from_object(&map)?), bytes))
    }
}

/// No body: what is sent is not read.
#[derive(Debug, Clone, Copy)]
pub struct NoBody;

impl BodyIn for NoBody {
    async fn read(_: &HeaderMap, _: Body) -> Result<(Self, Bytes)> {
        Ok((Self, Bytes::new()))
    }
}

impl<S: Send + Sync, T: FromFields> FromRequest<S> for JsonIn<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> ApiResult<Self> {
        let (parts, body) = request.into_parts();
        Ok(Self::read(&parts.headers, body).await?.0)
    }
}

impl<S: Send + Sync, T: FromFields> FromRequest<S> for OptionalJsonIn<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> ApiResult<Self> {
        let (parts, body) = request.into_parts();
        Ok(Self::read(&parts.headers, body).await?.0)
    }
}

/// The bytes of a body; 413 if there are more than `limit_bytes`.
async fn read_bytes(headers: &HeaderMap, mut body: Body, limit_bytes: usize) -> Result<Bytes> {
    let declared = headers.get(header::CONTENT_LENGTH).and_then(|v| v.to_str().ok()?.parse::<usize>().ok());
    if declared.is_some_and(|length| length > limit_bytes) {
        return Err(too_large(limit_bytes));
    }
    let mut buffer = BytesMut::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|e| not_an_object().context(format!("the body broke off: {e}")))?;
        let Some(data) = frame.data_ref() else { continue };
        if buffer.len().saturating_add(data.len()) > limit_bytes {
            return Err(too_large(limit_bytes));
        }
        buffer.extend_from_slice(data);
    }
    Ok(buffer.freeze())
}

fn too_large(limit_bytes: usize) -> Error {
    Error::new(Code::PayloadTooLarge, format!("The body is larger than {limit_bytes} bytes."))
}

fn not_an_object() -> Error {
    Error::new(Code::InvalidJson, "The body is not a JSON object.")
}

/// The refusal of a body for `cause`, which quotes nothing of it; its place in the body is for the log.
fn invalid_json(cause: &str) -> Error {
    let reason = cause.split(" at line ").next().unwrap_or(cause);
    Error::new(Code::InvalidJson, format!("The body is not a JSON object that this API accepts: {reason}."))
        .context(cause)
}

fn object(headers: &HeaderMap, bytes: &[u8]) -> Result<Map<String, Value>> {
    if !bytes.is_empty() {
        check_type(headers)?;
    }
    let object = strict_json::object(bytes).map_err(|cause| invalid_json(&cause))?;
    if strict_json::has_inexact_number(bytes) {
        let wanted = "numbers must be 64-bit integers or have the digits of an IEEE 754 double; send others as strings";
        return Err(Error::validation(Vec::new()).with_detail(DetailCode::OutOfRange, wanted));
    }
    Ok(object)
}

/// Reads a JSON object, reporting every problem.
pub(crate) fn from_object<T: FromFields>(map: &Map<String, Value>) -> Result<T> {
    let problems = RefCell::default();
    let built = T::from_fields(&Fields::new(map, FieldPath::whole(&problems)));
    let problems = problems.take();
    match built {
        Some(built) if problems.is_empty() => Ok(built),
        _ => Err(Error::validation(problems)),
    }
}

/// `application/json` or a `+json` type, in UTF-8, not compressed.
fn check_type(headers: &HeaderMap) -> Result<()> {
    let encoded = headers.get_all(header::CONTENT_ENCODING).iter().any(|value| value != "identity");
    let mut types = headers.get_all(header::CONTENT_TYPE).iter();
    let only = types.next().filter(|_| types.next().is_none()).and_then(|value| value.to_str().ok());
    if !encoded && only.is_some_and(is_json) {
        return Ok(());
    }
    Err(Error::new(Code::UnsupportedMediaType, "Send application/json, in UTF-8 and not compressed."))
}

fn is_json(content_type: &str) -> bool {
    let mut parts = content_type.split(';').map(str::trim);
    let essence = parts.next().unwrap_or_default().to_ascii_lowercase();
    let json = essence == "application/json" || (essence.starts_with("application/") && essence.ends_with("+json"));
    json && parts.all(|parameter| {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        !name.eq_ignore_ascii_case("charset") || value.trim_matches('"').eq_ignore_ascii_case("utf-8")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::edge::body! {
        /// A greeting.
        #[derive(Debug, PartialEq)]
        struct Greeting as "Greeting" {
            text: String = "text" => crate::edge::input::required(crate::edge::input::text(1, 10)),
        }
    }

    async fn send(content_type: Option<&str>, body: impl Into<Body>) -> Result<Greeting> {
        let mut request = http::Request::post("/");
        if let Some(content_type) = content_type {
            request = request.header("content-type", content_type);
        }
        JsonIn::from_request(request.body(body.into()).unwrap(), &())
            .await
            .map(|JsonIn(it)| it)
            .map_err(|refused| refused.0)
    }

    #[tokio::test]
    async fn only_json_types_are_read() {
        let body = r#"{"text":"hi"}"#;
        for good in [
            "application/json",
            "Application/JSON; charset=UTF-8",
            "application/problem+json",
            "application/json;charset=\"utf-8\"",
        ] {
            assert!(send(Some(good), body).await.is_ok(), "{good}");
        }
        for bad in [
            "text/plain",
            "text/json",
            "application/x-www-form-urlencoded",
            "application/jsonp",
            "application/json; charset=latin1",
            "",
        ] {
            assert_eq!(send(Some(bad), body).await.unwrap_err().code(), Code::UnsupportedMediaType, "{bad}");
        }
        assert_eq!(send(None, body).await.unwrap_err().code(), Code::UnsupportedMediaType);
        let compressed =
            http::Request::post("/").header("content-type", "application/json").header("content-encoding", "gzip");
        let refused = JsonIn::<Greeting>::from_request(compressed.body(Body::from(body)).unwrap(), &()).await;
        assert_eq!(refused.unwrap_err().0.code(), Code::UnsupportedMediaType);
    }

    #[tokio::test]
    async fn a_body_has_at_most_its_limit_with_or_without_a_content_length() {
        for (size, code) in [
            (BODY_LIMIT_BYTES - 1, Code::ValidationError),
            (BODY_LIMIT_BYTES, Code::ValidationError),
            (BODY_LIMIT_BYTES + 1, Code::PayloadTooLarge),
        ] {
            let body = format!(r#"{{"text":"{}"}}"#, "x".repeat(size - r#"{"text":""}"#.len()));
            let with_length = send(Some("application/json"), body.clone()).await;
            assert_eq!(with_length.unwrap_err().code(), code, "{size}");
            let chunks = body
                .into_bytes()
                .chunks(60_000)
                .map(|c| Ok::<_, std::io::Error>(Bytes::copy_from_slice(c)))
                .collect::<Vec<_>>();
            let streamed = send(Some("application/json"), Body::from_stream(futures::stream::iter(chunks))).await;
            assert_eq!(streamed.unwrap_err().code(), code, "{size} streamed");
        }
    }

    #[tokio::test]
    async fn an_optional_body_may_be_left_out_but_not_be_wrong() {
        crate::edge::body! {
            /// Anything.
            #[derive(Debug)]
            struct Anything as "Anything" {}
        }
        let send = |body: &'static str| async move {
            let request = http::Request::post("/").header("content-type", "application/json").body(Body::from(body));
            OptionalJsonIn::<Anything>::from_request(request.unwrap(), &()).await
        };
        assert!(send("").await.is_ok());
        assert!(send("{}").await.is_ok());
        assert_eq!(send("null").await.unwrap_err().0.code(), Code::InvalidJson);
        assert_eq!(send(" ").await.unwrap_err().0.code(), Code::InvalidJson);
    }
}
