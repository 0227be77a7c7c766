//! The chat widget: its files and the demo shop over HTTP, its build, and the token route of the servers in `examples`.

mod build;
mod pages;
mod servers;

use std::process::{Command, Output};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha384};

use crate::services::{in_ci, installed, output_of};

/// The exit code of the scripts if their tools cannot be fetched.
pub(crate) const NOT_FETCHED: i32 = 75;

/// The element by which a page loads the widget: its main file in a folder, with the hash of that file.
pub(crate) fn script_element(folder: &str, file: &[u8]) -> String {
    let hash = STANDARD.encode(Sha384::digest(file));
    format!(
        r#"<script type="module" src="{folder}/support-chat.js" integrity="sha384-{hash}" crossorigin="anonymous"></script>"#
    )
}

/// Runs a script of the repository. If a tool is missing, or cannot be fetched outside of CI, a line says that
/// `what` was skipped; with `CI=true` that fails.
pub(crate) async fn run_script(what: &str, needed: &[&str], script: Command) -> Option<Output> {
    if let Err(reason) = installed(needed) {
        assert!(!in_ci(), "{what}: {reason}");
        eprintln!("skipped: {what}, because {reason}");
        return None;
    }
    let output = tokio::task::spawn_blocking(move || output_of(script)).await.unwrap();
    if output.status.code() == Some(NOT_FETCHED) && !in_ci() {
        eprintln!(
            "skipped: {what}, because {}",
            String::from_utf8_lossy(&output.stderr).lines().last().unwrap_or_default()
        );
        return None;
    }
    let told = [&output.stdout, &output.stderr].map(|told| String::from_utf8_lossy(told).into_owned());
    assert!(output.status.success(), "{what}\n{}", told.concat());
    Some(output)
}
