//! The files of the data folder: private whatever the process inherits, and keys that are damaged refuse the start.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::running::{self, Running, refused};

/// Every file and folder under `folder`, itself included, with its rights.
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
    let service = Running::start_under(folder.path(), "000");
    service.post("/wiki", serde_json::json!({"path": "a/b", "title": "t", "content": "c"})).await;
    let data = service.data();
    assert_private(&data);
    service.interrupt();
    assert_private(&data);
    let opened = Command::new("chmod").args(["-R", "a+rwX"]).arg(&data).status().unwrap();
    assert!(opened.success());
    let service = Running::start_under(folder.path(), "022");
    assert_private(&data);
    service.interrupt();
}

#[test]
fn an_empty_key_file_refuses_the_start_and_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let service = Running::start(folder.path());
    let data = service.data();
    service.interrupt();
    for name in ["widget-token.key", "secrets.key"] {
        let path = data.join(name);
        let good = std::fs::read(&path).unwrap();
        std::fs::write(&path, "").unwrap();
        let told = refused(&["--port", "0", "--data", data.to_str().unwrap()]);
        assert!(told.contains(name) && told.contains("empty or damaged"), "{told}");
        std::fs::write(&path, good).unwrap();
    }
    assert!(!running::files(&data).is_empty());
}
