//! The project's documents at `/documents/`, under their paths in the repository, as they are committed.

use axum::Router;
use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::{StatusCode, header};
use include_dir::{Dir, File, include_dir};

/// The folders of documents, by their paths.
static FOLDERS: [(&str, Dir<'_>); 2] = [
    ("docs/", include_dir!("$CARGO_MANIFEST_DIR/../../docs")),
    ("examples/", include_dir!("$CARGO_MANIFEST_DIR/../../examples")),
];

/// Those beside the folders.
const FILES: [(&str, &str); 4] = [
    ("README.md", include_str!("../../../../README.md")),
    ("CHANGELOG.md", include_str!("../../../../CHANGELOG.md")),
    ("CONTRIBUTING.md", include_str!("../../../../CONTRIBUTING.md")),
    ("SECURITY.md", include_str!("../../../../SECURITY.md")),
];

pub(super) fn router() -> Router {
    Router::new().route("/documents/{*path}", get(document))
}

/// A document as plain text, which every browser shows.
async fn document(Path(path): Path<String>) -> Response {
    let file = |(prefix, folder): &'static (&str, Dir<'_>)| folder.get_file(path.strip_prefix(prefix)?);
    let in_folder = || FOLDERS.iter().find_map(file).and_then(File::contents_utf8);
    let found = FILES.iter().find(|(name, _)| *name == path).map(|(_, text)| *text).or_else(in_folder);
    let Some(text) = found else { return (StatusCode::NOT_FOUND, "There is no such document.\n").into_response() };
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (headers, text).into_response()
}
