//! How the binary reaches a data folder: the control socket, its permissions, and the lock.

use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::Path;

use super::support::{Folder, ops};

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[tokio::test(flavor = "multi_thread")]
async fn the_socket_is_for_its_owner_alone_and_goes_with_the_service() {
    let mut folder = Folder::running().await;
    let socket = folder.data.join("control.sock");
    assert!(std::fs::metadata(&socket).unwrap().file_type().is_socket());
    assert_eq!((mode(&socket), mode(&folder.data)), (0o600, 0o700));
    folder.stop().await;
    assert!(!socket.exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_path_too_long_for_a_socket_gets_one_in_a_private_folder_elsewhere() {
    let mut folder = Folder::with_long_path().await;
    let (tenant, key) = folder.tenant("Shop").await;
    assert_eq!(folder.get(&key, "/settings").await.0, 200);
    let named = std::fs::read_to_string(folder.data.join("control.path")).unwrap();
    let socket = Path::new(&named);
    assert_eq!((mode(socket), mode(socket.parent().unwrap())), (0o600, 0o700));
    assert_eq!(mode(&folder.data.join("control.path")), 0o600);
    folder.stop().await;
    assert!(!socket.parent().unwrap().exists() && !folder.data.join("control.path").exists());
    assert_eq!(folder.json(&["tenant", "list"]).await["items"][0]["tenantId"], tenant.as_str());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_made_while_no_service_runs_is_there_after_its_start() {
    let mut folder = Folder::running().await;
    folder.stop().await;
    let (_, key) = folder.tenant("Shop").await;
    folder.start().await;
    assert_eq!(folder.get(&key, "/settings").await.1["name"], "Shop");
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_at_the_same_time_wait_for_each_other_also_without_a_service() {
    let mut folder = Folder::running().await;
    for stopped in [false, true] {
        if stopped {
            folder.stop().await;
        }
        let create = |i| {
            let folder = &folder;
            async move { folder.ops(&["tenant", "create", &format!("Shop {stopped} {i}")]).await.expect(0).exit_code }
        };
        tokio::join!(create(1), create(2), create(3), create(4));
    }
    let listed = folder.json(&["tenant", "list"]).await;
    assert_eq!(listed["items"].as_array().unwrap().len(), 8, "{listed}");
    folder.start().await;
    assert_eq!(folder.json(&["tenant", "list"]).await, listed);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_socket_of_a_service_that_was_killed_is_passed_over() {
    let mut folder = Folder::running().await;
    folder.stop().await;
    // A socket without a listener is what a killed process leaves.
    drop(std::os::unix::net::UnixListener::bind(folder.data.join("control.sock")).unwrap());
    folder.tenant("Shop").await;
    folder.start().await;
    assert_eq!(folder.json(&["tenant", "list"]).await["items"].as_array().unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_is_none_is_refused_and_not_made() {
    let folder = Folder::running().await;
    let other = folder.path().join("other");
    let printed = ops(&["tenant", "list", "--data", other.to_str().unwrap()]);
    assert!(printed.expect(5).stderr.contains("is no data folder of this service"), "{printed:?}");
    assert!(!other.exists());
}
