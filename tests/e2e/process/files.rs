//! The files of the data folder: their permissions, damaged key files, and folders of another version.

use std::fs::Metadata;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::service_process::{ServiceProcess, start_error};
use crate::support::written_files::{files, if_present};

/// `path` and every file and folder under it, with their metadata. What a running service removes meanwhile is skipped.
fn tree(path: &Path) -> Vec<(PathBuf, Metadata)> {
    let Some(metadata) = if_present(std::fs::metadata(path)) else { return Vec::new() };
    let mut all = vec![(path.to_owned(), metadata.clone())];
    if metadata.is_dir() {
        let entries = if_present(std::fs::read_dir(path)).into_iter().flatten();
        all.extend(entries.flat_map(|entry| tree(&entry.unwrap().path())));
    }
    all
}

fn assert_private(folder: &Path) {
    let all = tree(folder);
    assert!(all.len() > 8, "{all:?}");
    for (path, metadata) in all {
        let wanted = if metadata.is_dir() { 0o700 } else { 0o600 };
        let mode = metadata.permissions().mode() & 0o777;
        assert_eq!(mode, wanted, "{} is {mode:o}", path.display());
    }
}

#[tokio::test]
async fn everything_is_for_its_owner_alone_whatever_the_umask_and_an_open_folder_is_tightened() {
    let folder = tempfile::tempdir().unwrap();
    let service = ServiceProcess::start_under(folder.path(), "000");
    service.post("/wiki", serde_json::json!({"path": "a/b", "title": "t", "content": "c"})).await;
    let data = service.data();
    assert_private(&data);
    service.interrupt();
    assert_private(&data);
    let opened = Command::new("chmod").args(["-R", "a+rwX"]).arg(&data).status().unwrap();
    assert!(opened.success());
    let service = ServiceProcess::start_under(folder.path(), "022");
    assert_private(&data);
    service.interrupt();
}

#[test]
fn an_empty_key_file_refuses_the_start_and_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let service = ServiceProcess::start(folder.path());
    let data = service.data();
    service.interrupt();
    for name in ["widget-token.key", "secrets.key"] {
        let path = data.join(name);
        let good = std::fs::read(&path).unwrap();
        std::fs::write(&path, "").unwrap();
        let message = start_error(&["--port", "0", "--data", data.to_str().unwrap()]);
        assert!(message.contains(name) && message.contains("empty or damaged"), "{message}");
        std::fs::write(&path, good).unwrap();
    }
    assert!(!files(&data).is_empty());
}

#[tokio::test]
async fn a_folder_of_another_version_is_refused_with_a_sentence_that_names_reset() {
    let folder = tempfile::tempdir().unwrap();
    let service = ServiceProcess::start(folder.path());
    let (data, key) = (service.data(), service.env("SUPPORT_API_KEY"));
    service.interrupt();
    let version = data.join("format-version");
    let current = std::fs::read(&version).unwrap();
    for content in [Some("0\n"), None] {
        match content {
            Some(content) => std::fs::write(&version, content).unwrap(),
            None => std::fs::remove_file(&version).unwrap(),
        }
        let message = start_error(&["--port", "0", "--data", data.to_str().unwrap()]);
        assert!(message.contains("another version of this service") && message.contains("--reset"), "{message}");
    }
    std::fs::write(&version, &current).unwrap();
    let service = ServiceProcess::start(folder.path());
    assert_eq!(service.env("SUPPORT_API_KEY"), key, "a refused start changes nothing");
    service.interrupt();
    std::fs::remove_file(&version).unwrap();
    let service = ServiceProcess::start_with(folder.path(), &["--reset"]);
    assert_ne!(service.env("SUPPORT_API_KEY"), key);
    service.interrupt();
    assert_eq!(std::fs::read(&version).unwrap(), current);
}
