//! The files of pages, embedded as they are committed: the chat widget's under `/widget/VERSION/`, the OpenAPI document with
//! its viewer at `/docs`, the project's documents at `/documents/`, and the desk at `/desk/`.

use axum::Router;
use axum::body::Body;
use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, HeaderName, StatusCode, header};
use include_dir::{Dir, File, include_dir};
use sha2::{Digest, Sha384};

pub(crate) const HTML: &str = "text/html; charset=utf-8";
pub(crate) const JAVASCRIPT: &str = "text/javascript; charset=utf-8";
pub(crate) const CSS: &str = "text/css; charset=utf-8";
/// A file whose name or address is made of its content may be kept for ever.
const IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// A text as HTML shows it.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A part of a page under its policy.
pub(crate) fn with_policy(
    policy: &str,
    content_type: &'static str,
    cache: &'static str,
    content: impl Into<Body>,
) -> Response {
    let headers = [(header::CONTENT_SECURITY_POLICY, policy), (header::REFERRER_POLICY, "no-referrer")];
    (headers, file(content_type, cache, content)).into_response()
}

fn file(content_type: &'static str, cache: &'static str, content: impl Into<Body>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, content_type),
        (header::CACHE_CONTROL, cache),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (headers, content.into()).into_response()
}

fn no_such_file() -> Response {
    (StatusCode::NOT_FOUND, "There is no such file.\n").into_response()
}

static WIDGET: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../web/widget/dist");

/// The version of the files: that of the package, and a hash of their content.
const VERSION: &str = include_str!("../../../web/widget/dist/version.txt");

const MAIN: &str = include_str!("../../../web/widget/dist/support-chat.js");

/// The element by which a page loads the widget: the browser runs the main file of this version and no other.
pub(crate) fn widget_element() -> String {
    let (version, hash) = (VERSION.trim_ascii(), STANDARD.encode(Sha384::digest(MAIN)));
    format!(
        r#"<script type="module" src="/widget/{version}/support-chat.js" integrity="sha384-{hash}" crossorigin="anonymous"></script>"#
    )
}

/// Pages of every origin may load the widget's files.
pub(crate) fn widget() -> Router {
    Router::new().route("/widget/{version}/{file}", get(widget_file))
}

async fn widget_file(Path((version, name)): Path<(String, String)>) -> Response {
    let is_served = name.ends_with(".js") && version == VERSION.trim_ascii();
    let Some(found) = WIDGET.get_file(&name).filter(|_| is_served) else { return no_such_file() };
    let headers = [
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (HeaderName::from_static("cross-origin-resource-policy"), "cross-origin"),
    ];
    (headers, file(JAVASCRIPT, IMMUTABLE, found.contents())).into_response()
}

/// Nothing but this service's own files is loaded or asked. The viewer writes its styles into the page; a style can load
/// nothing under this policy.
const API_DOCS_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; \
    img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const API_DOCS_PAGE: &str = include_str!("../../../web/api-docs/page.html");
const API_DOCS_STYLE: &str = include_str!("../../../web/api-docs/page.css");
const API_DOCS_SCRIPT: &str = include_str!("../../../web/api-docs/page.js");
const API_DOCS_VIEWER: &str = include_str!("../../../web/api-docs/openapi-explorer.min.js");

/// The OpenAPI document as a page, by the viewer of `web/api-docs`.
pub(crate) fn api_docs() -> Router {
    Router::new()
        .route("/docs", get(|| async { with_policy(API_DOCS_POLICY, HTML, "no-cache", API_DOCS_PAGE) }))
        .route("/docs/page.css", get(|| async { file(CSS, "no-cache", API_DOCS_STYLE) }))
        .route("/docs/page.js", get(|| async { file(JAVASCRIPT, "no-cache", API_DOCS_SCRIPT) }))
        .route("/docs/openapi-explorer.js", get(|| async { file(JAVASCRIPT, "no-cache", API_DOCS_VIEWER) }))
}

/// The folders of documents, by their paths.
static FOLDERS: [(&str, Dir<'_>); 2] = [
    ("docs/", include_dir!("$CARGO_MANIFEST_DIR/../../docs")),
    ("examples/", include_dir!("$CARGO_MANIFEST_DIR/../../examples")),
];

/// Those beside the folders.
const DOCUMENTS: [(&str, &str); 4] = [
    ("README.md", include_str!("../../../README.md")),
    ("CHANGELOG.md", include_str!("../../../CHANGELOG.md")),
    ("CONTRIBUTING.md", include_str!("../../../CONTRIBUTING.md")),
    ("SECURITY.md", include_str!("../../../SECURITY.md")),
];

/// The project's documents, under their paths in the repository.
pub(crate) fn documents() -> Router {
    Router::new().route("/documents/{*path}", get(document))
}

/// A document as plain text, which every browser shows.
async fn document(Path(path): Path<String>) -> Response {
    let file_in = |(prefix, folder): &'static (&str, Dir<'_>)| folder.get_file(path.strip_prefix(prefix)?);
    let in_folder = || FOLDERS.iter().find_map(file_in).and_then(File::contents_utf8);
    let found = DOCUMENTS.iter().find(|(name, _)| *name == path).map(|(_, text)| *text).or_else(in_folder);
    let Some(text) = found else { return (StatusCode::NOT_FOUND, "There is no such document.\n").into_response() };
    let policy = [(header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'")];
    (policy, file("text/plain; charset=utf-8", "no-cache", text)).into_response()
}

static DESK: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../web/desk/dist");

/// Scripts, styles and requests of this origin alone, images of entries from where they are, no text that becomes markup, and
/// no page of another origin around it.
const DESK_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src https:; connect-src 'self'; base-uri 'none'; \
                           form-action 'none'; object-src 'none'; frame-ancestors 'self'; require-trusted-types-for 'script'; \
                           trusted-types 'none'";
/// Browsers send it with the request for the script of a service worker, which could answer in the page's place for ever.
const SERVICE_WORKER: &str = "service-worker";
/// Where the desk lies.
pub(crate) const DESK_PATH: &str = "/desk/";

/// The page where people answer their customers: the files of `web/desk/dist`. A path without a file is a place inside the
/// page.
pub(crate) fn desk() -> Router {
    Router::new().route(DESK_PATH, get(desk_page)).route("/desk/{*path}", get(desk_file))
}

async fn desk_page() -> Response {
    let Some(index) = DESK.get_file("index.html") else { return StatusCode::NOT_FOUND.into_response() };
    let opener = [(HeaderName::from_static("cross-origin-opener-policy"), "same-origin")];
    (opener, with_policy(DESK_POLICY, HTML, "no-cache", index.contents())).into_response()
}

/// A file, or the page, for a place inside it.
async fn desk_file(Path(path): Path<String>, headers: HeaderMap) -> Response {
    if headers.contains_key(SERVICE_WORKER) {
        return (StatusCode::FORBIDDEN, "The desk has no service worker.\n").into_response();
    }
    if !path.starts_with("assets/") {
        return desk_page().await;
    }
    let Some(found) = DESK.get_file(&path) else { return no_such_file() };
    file(if path.ends_with(".css") { CSS } else { JAVASCRIPT }, IMMUTABLE, found.contents())
}
