//! The OpenAPI document as a page at `/docs`, by a viewer that is embedded as it is committed (`web/api-docs`).

use axum::Router;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use http::header;

/// Nothing but this service's own files is loaded or asked. The viewer writes its styles into the page; a style can load
/// nothing under this policy.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; \
    img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const PAGE: &str = r#"<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Support Assistant Service: API</title>
<link rel="icon" href="data:,">
<script type="module" src="/docs/openapi-explorer.js"></script>
<openapi-explorer spec-url="/api/v1/openapi.json"></openapi-explorer>
</html>
"#;

const VIEWER: &str = include_str!("../../../../web/api-docs/openapi-explorer.min.js");

pub(super) fn router() -> Router {
    Router::new().route("/docs", get(page)).route("/docs/openapi-explorer.js", get(viewer))
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

async fn viewer() -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/javascript; charset=utf-8"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (headers, VIEWER).into_response()
}
