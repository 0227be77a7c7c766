//! CORS: which web pages may call. A preflight returns the methods and headers of the routes that a widget may call,
//! without authentication. The origin of the actual request must be one of the tenant's, if the tenant names any.
//! Responses echo the origin, except the refusal of a foreign one, and never allow credentials.

use axum::response::{IntoResponse, Response};
use domain::error::{Code, DetailCode, Error};
use http::{HeaderMap, HeaderValue, StatusCode, header};

use super::route_list::RouteSpec;

/// The headers of an answer that a page may read.
const EXPOSED: HeaderValue = HeaderValue::from_static(
    "ETag, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id, Location, Idempotency-Replayed",
);
/// The headers that a page may send.
const ALLOWED_HEADERS: HeaderValue =
    HeaderValue::from_static("Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id");
/// How long a browser may remember a preflight, in seconds.
const MAX_AGE: HeaderValue = HeaderValue::from_static("600");

/// The request's origin; of several the first is used, and none of them is ever allowed.
pub(crate) fn request_origin(headers: &HeaderMap) -> Option<&HeaderValue> {
    headers.get(header::ORIGIN)
}

/// Whether a tenant with the origins `allowed` accepts this request; an empty list allows all.
pub(crate) fn check_origin(headers: &HeaderMap, allowed: &[String]) -> Result<(), Error> {
    let origins: Vec<_> = headers.get_all(header::ORIGIN).iter().collect();
    let known = |origin: &HeaderValue| allowed.iter().any(|one| one.as_bytes() == origin.as_bytes());
    match origins.as_slice() {
        [] => Ok(()),
        _ if allowed.is_empty() => Ok(()),
        [one] if known(one) => Ok(()),
        _ => Err(Error::new(Code::Forbidden, "This origin is not allowed.")
            .with_detail(DetailCode::OriginNotAllowed, "the tenant's widgetOrigins do not name this origin")),
    }
}

/// Whether the desk at the origin `desk` sends this request, or no page at all.
///
/// # Errors
/// 403 for every other page, and for every page if there is no desk.
pub fn check_desk_origin(headers: &HeaderMap, desk: Option<&str>) -> Result<(), Error> {
    match request_origin(headers) {
        None => Ok(()),
        Some(_) => require_desk_origin(headers, desk),
    }
}

/// Whether the desk at the origin `desk` sends this request, and says so.
///
/// # Errors
/// 403.
pub fn require_desk_origin(headers: &HeaderMap, desk: Option<&str>) -> Result<(), Error> {
    let origins: Vec<_> = headers.get_all(header::ORIGIN).iter().map(HeaderValue::as_bytes).collect();
    if desk.is_some_and(|desk| origins == [desk.as_bytes()]) {
        return Ok(());
    }
    Err(Error::new(Code::Forbidden, "This origin is not allowed.")
        .with_detail(DetailCode::OriginNotAllowed, "only the desk may send this"))
}

/// Whether an error is the refusal of a foreign origin, which the page may not read.
pub(crate) fn is_origin_refusal(error: &Error) -> bool {
    error.details().iter().any(|detail| detail.code == DetailCode::OriginNotAllowed)
}

/// Every method that a path with these `routes` takes, for `Allow`.
pub(crate) fn allowed_methods(routes: &[&'static RouteSpec]) -> String {
    let mut methods: Vec<_> = Vec::new();
    for route in routes {
        methods.push(route.method);
        methods.extend((route.method == "GET").then_some("HEAD"));
    }
    methods.extend(routes.iter().any(|route| route.permission.widget()).then_some("OPTIONS"));
    methods.join(", ")
}

/// The response to a preflight of a path with these `routes`; none if a widget may call none of them.
pub(crate) fn preflight(routes: &[&'static RouteSpec]) -> Option<Response> {
    let methods: Vec<_> = routes.iter().filter(|route| route.permission.widget()).map(|route| route.method).collect();
    if methods.is_empty() {
        return None;
    }
    let mut response = StatusCode::NO_CONTENT.into_response();
    let headers = response.headers_mut();
    headers.insert(header::ALLOW, HeaderValue::from_str(&allowed_methods(routes)).ok()?);
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_str(&methods.join(", ")).ok()?);
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, ALLOWED_HEADERS);
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, MAX_AGE);
    headers.append(
        header::VARY,
        HeaderValue::from_static("Access-Control-Request-Method, Access-Control-Request-Headers"),
    );
    Some(response)
}

/// Lets the page at `origin` read an answer.
pub(crate) fn add_exposed_headers(headers: &mut HeaderMap, origin: &HeaderValue) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_one_of_the_tenants_exactly() {
        let allowed = ["https://allowed.com".to_owned()];
        let accepts = |origins: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for origin in origins {
                headers.append(header::ORIGIN, HeaderValue::from_static(origin));
            }
            check_origin(&headers, &allowed).is_ok()
        };
        assert!(accepts(&[]));
        assert!(accepts(&["https://allowed.com"]));
        for foreign in [
            "null",
            "https://allowed.com.evil.com",
            "https://evilallowed.com",
            "http://allowed.com",
            "https://allowed.com:8443",
            "https://sub.allowed.com",
            "file://",
            "",
            "https://ALLOWED.com",
            "https://allowed.com/",
        ] {
            assert!(!accepts(&[foreign]), "{foreign}");
        }
        assert!(!accepts(&["https://allowed.com", "https://allowed.com"]));
        let mut anywhere = HeaderMap::new();
        anywhere.insert(header::ORIGIN, HeaderValue::from_static("https://x.example"));
        assert!(check_origin(&anywhere, &[]).is_ok());
    }
}
