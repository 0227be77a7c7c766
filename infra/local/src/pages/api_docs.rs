//! The OpenAPI document as a page at `/docs`, by a viewer that is embedded as it is committed (`web/api-docs`).

use axum::Router;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use http::header;

/// Nothing but this service's own files is loaded or asked. The viewer writes its styles into the page; a style can load
/// nothing under this policy.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; \
    img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const PAGE: &str = include_str!("../../../../web/api-docs/page.html");
const STYLE: &str = include_str!("../../../../web/api-docs/page.css");
const SCRIPT: &str = include_str!("../../../../web/api-docs/page.js");
const VIEWER: &str = include_str!("../../../../web/api-docs/openapi-explorer.min.js");

const JAVASCRIPT: &str = "text/javascript; charset=utf-8";

pub(super) fn router() -> Router {
    Router::new()
        .route("/docs", get(page))
        .route("/docs/page.css", get(|| async { file("text/css; charset=utf-8", STYLE) }))
        .route("/docs/page.js", get(|| async { file(JAVASCRIPT, SCRIPT) }))
        .route("/docs/openapi-explorer.js", get(|| async { file(JAVASCRIPT, VIEWER) }))
}

async fn page() -> Response {
    let headers = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (headers, Html(PAGE)).into_response()
}

fn file(content_type: &'static str, content: &'static str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, content_type),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (headers, content).into_response()
}
