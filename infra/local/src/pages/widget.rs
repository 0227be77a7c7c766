//! The widget's files, embedded as they are committed: pages of every origin may load them, and keep them for ever,
//! because the version in their address is made of their content.

use axum::Router;
use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::{StatusCode, header};
use sha2::{Digest, Sha384};

macro_rules! files {
    ($($name:literal),+ $(,)?) => {
        [$(($name, include_str!(concat!("../../../../web/widget/dist/", $name)))),+]
    };
}

/// Each file's name and content; a test compares the names with the folder.
const FILES: [(&str, &str); 28] = files![
    "actions.js",
    "ar.js",
    "articles.js",
    "bn.js",
    "cards.js",
    "da.js",
    "de.js",
    "el.js",
    "es.js",
    "fi.js",
    "fr.js",
    "hi.js",
    "hu.js",
    "id.js",
    "it.js",
    "ja.js",
    "look.js",
    "nl.js",
    "no.js",
    "pt.js",
    "ro.js",
    "ru.js",
    "support-chat.js",
    "sv.js",
    "ta.js",
    "tr.js",
    "ur.js",
    "zh.js",
];

/// The version of the files: that of the package, and a hash of their content.
const VERSION: &str = include_str!("../../../../web/widget/dist/version.txt");

const MAIN: &str = include_str!("../../../../web/widget/dist/support-chat.js");

/// The element by which a page loads the widget: the browser runs the main file of this version and no other.
pub(super) fn script_element() -> String {
    let (version, hash) = (VERSION.trim_ascii(), STANDARD.encode(Sha384::digest(MAIN)));
    format!(
        r#"<script type="module" src="/widget/{version}/support-chat.js" integrity="sha384-{hash}" crossorigin="anonymous"></script>"#
    )
}

pub(super) fn router() -> Router {
    Router::new().route("/widget/{version}/{file}", get(file))
}

async fn file(Path((version, file)): Path<(String, String)>) -> Response {
    let found = FILES.iter().find(|(name, _)| *name == file).filter(|_| version == VERSION.trim_ascii());
    let Some((_, content)) = found else { return (StatusCode::NOT_FOUND, "There is no such file.\n").into_response() };
    let headers = [
        (header::CONTENT_TYPE.as_str(), "text/javascript; charset=utf-8"),
        (header::CACHE_CONTROL.as_str(), "public, max-age=31536000, immutable"),
        (header::ACCESS_CONTROL_ALLOW_ORIGIN.as_str(), "*"),
        ("cross-origin-resource-policy", "cross-origin"),
        (header::X_CONTENT_TYPE_OPTIONS.as_str(), "nosniff"),
    ];
    (headers, *content).into_response()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_file_of_the_folder_is_embedded() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/widget/dist");
        let names = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
        let scripts: BTreeSet<String> = names.filter(|name| name.ends_with(".js")).collect();
        assert_eq!(scripts, FILES.iter().map(|(name, _)| (*name).to_owned()).collect());
    }
}
