//! The page where people answer their customers, at `/desk/`: the files of `web/desk/dist`, embedded as they are
//! committed. A path without a file is a place inside the page.

use axum::Router;
use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::{HeaderMap, HeaderName, StatusCode, header};
use include_dir::{Dir, include_dir};

static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../web/desk/dist");

/// Scripts, styles and requests of this origin alone, images of entries from where they are, no text that becomes markup, and no page of another origin around it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src https:; connect-src 'self'; base-uri 'none'; \
                      form-action 'none'; object-src 'none'; frame-ancestors 'self'; require-trusted-types-for 'script'; \
                      trusted-types 'none'";
/// Browsers send it with the request for the script of a service worker, which could answer in the page's place for ever.
const SERVICE_WORKER: &str = "service-worker";

/// The routes of the desk.
pub(super) fn router() -> Router {
    Router::new().route("/desk/", get(page)).route("/desk/{*path}", get(file))
}

async fn page() -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::CACHE_CONTROL, "no-cache"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ];
    match FILES.get_file("index.html") {
        Some(index) => (headers, index.contents()).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// A file, which may be kept for ever since its name is made of its content; or the page, for a place inside it.
async fn file(Path(path): Path<String>, headers: HeaderMap) -> Response {
    if headers.contains_key(SERVICE_WORKER) {
        return (StatusCode::FORBIDDEN, "The desk has no service worker.\n").into_response();
    }
    if !path.starts_with("assets/") {
        return page().await;
    }
    let Some(found) = FILES.get_file(&path) else {
        return (StatusCode::NOT_FOUND, "There is no such file.\n").into_response();
    };
    let kind = match path.rsplit_once('.') {
        Some((_, "css")) => "text/css; charset=utf-8",
        _ => "text/javascript; charset=utf-8",
    };
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (headers, found.contents()).into_response()
}
