//! The files of the data folder: their permissions, damaged key files, and folders of another version.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::service_process::{self, ServiceProcess, start_error};

/// Every file and folder under `folder`, including itself, with its permissions.
fn rights(folder: &Path) -> Vec<(PathBuf, u32)> {
    let own = (folder.to_owned(), std::fs::metadata(folder).unwrap().permissions().mode() & 0o777);
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let below = entries.flat_map(|path| {
        if path.is_dir() {
            return rights(&path);
        }
        let mode = std::fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        vec![(path, mode)]
    });
    std::iter::once(own).chain(below).collect()
}

fn assert_private(folder: &Path) {
    let all = rights(folder);
    assert!(all.len() > 8, "{all:?}");
    for (path, mode) in all {
        let wanted = if path.is_dir() { 0o700 } else { 0o600 };
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
    assert!(!service_process::files(&data).is_empty());
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
