//! `listen`: events shown and forwarded while a developer works.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};

use serde_json::json;

use super::support::{Folder, binary, printed};
use crate::support::{Answers, Receiver};

const SECRET: &str = "whsec_QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVoxMjM0NTY=";

/// The command, once it listens, and the rest of its output.
fn listening(folder: &Folder, key: &str, arguments: &[&str]) -> (Child, BufReader<std::process::ChildStdout>) {
    let mut command = binary();
    command.env("SUPPORT_API_URL", folder.url("")).env("SUPPORT_API_KEY", key).env("SUPPORT_WEBHOOK_SECRET", SECRET);
    command.arg("listen").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    assert!(line.starts_with("listening"), "{line}");
    (child, output)
}

#[tokio::test(flavor = "multi_thread")]
async fn events_are_forwarded_signed_once_and_again_when_asked() {
    let folder = Folder::running().await;
    let (_, key) = folder.tenant("Shop").await;
    let receiver = Receiver::start().await;
    let hooks = receiver.at("/hooks");
    let (mut child, mut output) =
        listening(&folder, &key, &["--forward", &hooks, "--events", "entry.created,entry.deleted"]);
    let (_, webhooks) = folder.get(&key, "/webhooks").await;
    assert_eq!(webhooks["items"][0]["status"], "disabled");
    for path in ["a/one", "a/two"] {
        let entry = json!({"path": path, "title": "T", "content": "C"});
        assert_eq!(folder.post(&key, "/wiki", &entry).await.0, 201);
    }
    // Of no kind that it listens to.
    folder.post(&key, "/sessions", &json!({})).await;
    let caught = receiver.wait_for(2).await;
    for (event, path) in caught.iter().zip(["a/one", "a/two"]) {
        event.verify(SECRET);
        assert_eq!((event.kind().as_str(), &event.json()["data"]["path"]), ("entry.created", &json!(path)));
    }
    // A receiver that fails is told, and stops nothing.
    receiver.answer(Answers::status(500));
    let input = child.stdin.as_mut().unwrap();
    writeln!(input, "\n{}\nevt_unknown", caught[0].id()).unwrap();
    let again = receiver.wait_for(4).await;
    assert_eq!([again[2].id(), again[3].id()], [caught[1].id(), caught[0].id()]);
    again[2].verify(SECRET);
    drop(child.stdin.take());
    let ended = tokio::task::spawn_blocking(move || printed(child.wait_with_output().unwrap())).await.unwrap();
    ended.expect(0);
    let mut told = String::new();
    std::io::Read::read_to_string(&mut output, &mut told).unwrap();
    assert!(told.contains("-> 204") && told.contains("-> 500") && told.contains("no such event"), "{told}");
    assert_eq!(receiver.caught().len(), 4);
    let (_, webhooks) = folder.get(&key, "/webhooks").await;
    assert!(webhooks["items"].as_array().unwrap().is_empty(), "{webhooks}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kind_that_does_not_exist_and_a_key_that_may_not_are_refused() {
    let folder = Folder::running().await;
    let (_, key) = folder.tenant("Shop").await;
    let (_, agent) = folder.post(&key, "/api-keys", &json!({"name": "K", "role": "agent"})).await;
    for (key, events) in [(key.as_str(), "entry.invented"), (agent["key"].as_str().unwrap(), "*")] {
        let mut command = binary();
        command.env("SUPPORT_API_URL", folder.url("")).env("SUPPORT_API_KEY", key).args(["listen", "--events", events]);
        let refused = tokio::task::spawn_blocking(move || printed(command.output().unwrap())).await.unwrap();
        refused.expect(4);
    }
    assert!(folder.get(&key, "/webhooks").await.1["items"].as_array().unwrap().is_empty());
}
