//! The built binary as a process: its output, its data folder, how it stops, and what survives a kill.

mod analytics_recovery;
mod files;
mod message_recovery;
mod poison;
mod received_events;
mod repeated_requests;
mod service_process;
mod services;
mod small_model;
mod watch;
mod webhook_recovery;

use crate::support::{http_client, written_files};
use serde_json::json;
use service_process::{ServiceProcess, start_error};

const QUESTION: &str = "How long does a refund take?";

#[tokio::test]
async fn the_pasted_pair_of_commands_gives_a_cited_answer() {
    let folder = tempfile::tempdir().unwrap();
    let service = ServiceProcess::start(folder.path());
    let pair: Vec<&str> = service.banner.lines().filter(|line| line.contains("curl ")).collect();
    assert_eq!(pair.len(), 2, "{}", service.banner);
    let pasted = std::process::Command::new("sh").args(["-c", &pair.join("\n")]).output().unwrap();
    let answer: serde_json::Value = serde_json::from_slice(&pasted.stdout).unwrap();
    assert_eq!(answer["disposition"], "answered", "{answer}");
    assert_eq!(answer["sources"][0]["path"], "demo/orders/refunds", "{answer}");
    assert!(service.banner.contains(&service.env("SUPPORT_API_URL")), "{}", service.banner);
    assert!(service.banner.contains(&service.env("SUPPORT_API_TEST_KEY")), "{}", service.banner);
}

#[tokio::test]
async fn demo_env_is_for_its_owner_alone_and_nothing_else_holds_a_raw_key() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let service = ServiceProcess::start(folder.path());
    service.get("/wiki").await;
    let data = service.data();
    let mode = std::fs::metadata(data.join("demo.env")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let keys = [service.env("SUPPORT_API_KEY"), service.env("SUPPORT_API_TEST_KEY")];
    service.interrupt();
    for (file, bytes) in written_files::files(&data).into_iter().filter(|(file, _)| !file.ends_with("demo.env")) {
        for key in &keys {
            assert!(!bytes.windows(key.len()).any(|part| part == key.as_bytes()), "{} holds a key", file.display());
        }
    }
}

#[tokio::test]
async fn it_stops_also_while_connections_are_open() {
    for signal in ["INT", "TERM"] {
        let folder = tempfile::tempdir().unwrap();
        let service = ServiceProcess::start(folder.path());
        service.get("/health").await;
        let half = std::net::TcpStream::connect(service.address()).unwrap();
        std::io::Write::write_all(&mut &half, b"POST /api/v1/sessions HTTP/1.1\r\nhost: x\r\n").unwrap();
        // The connection is not closed by its client: a stop that waits for it never ends.
        let status = service.signal(signal);
        assert!(status.success(), "{signal}: {status}");
    }
}

#[tokio::test]
async fn a_second_start_finds_keys_entries_sessions_and_turns() {
    let folder = tempfile::tempdir().unwrap();
    let first = ServiceProcess::start(folder.path());
    let keys = [first.env("SUPPORT_API_KEY"), first.env("SUPPORT_API_TEST_KEY")];
    first.post("/wiki", json!({"path": "demo/added", "title": "Added", "content": "Kept over a restart."})).await;
    let deleted = "/wiki/demo/orders/delivery";
    assert_eq!(first.delete(deleted).await, 204);
    let session = first.post("/sessions", json!({})).await["sessionId"].as_str().unwrap().to_owned();
    let messages = format!("/sessions/{session}/messages");
    let answer = first.post(&messages, json!({"content": QUESTION})).await;
    let turns = first.get(&messages).await;
    first.interrupt();

    let second = ServiceProcess::start(folder.path());
    assert_eq!(keys, [second.env("SUPPORT_API_KEY"), second.env("SUPPORT_API_TEST_KEY")]);
    assert_eq!(second.get(&messages).await, turns);
    assert_eq!(second.get("/wiki/demo/added").await["version"], 1);
    assert_eq!(second.refused(deleted).await, "NOT_FOUND");
    // In a new session: earlier questions count in the old one.
    let fresh = second.post("/sessions", json!({})).await["sessionId"].as_str().unwrap().to_owned();
    let again = second.post(&format!("/sessions/{fresh}/messages"), json!({"content": QUESTION})).await;
    assert_eq!(again["sources"], answer["sources"]);
}

#[tokio::test]
async fn lost_or_invalid_demo_keys_are_replaced_and_the_data_stays() {
    let folder = tempfile::tempdir().unwrap();
    let service = ServiceProcess::start(folder.path());
    let (env, old) = (service.data().join("demo.env"), service.env("SUPPORT_API_KEY"));
    let session = service.post("/sessions", json!({})).await["sessionId"].as_str().unwrap().to_owned();
    service.interrupt();
    let mut replaced = vec![old.clone()];
    for spoil in [None, Some("not an env"), Some("SUPPORT_API_KEY=pk_live_x\nSUPPORT_API_TEST_KEY=pk_test_x\n")] {
        match spoil {
            None => std::fs::remove_file(&env).unwrap(),
            Some(text) => std::fs::write(&env, text).unwrap(),
        }
        let service = ServiceProcess::start(folder.path());
        assert_ne!(service.env("SUPPORT_API_KEY"), old);
        assert_eq!(service.get(&format!("/sessions/{session}")).await["sessionId"], session.as_str());
        for key in &replaced {
            let asked = service.request(reqwest::Method::GET, "/sessions");
            let mut asked = asked.build().unwrap();
            asked.headers_mut().insert("authorization", format!("Bearer {key}").parse().unwrap());
            let answer = http_client().execute(asked).await.unwrap();
            assert_eq!(answer.status(), 401, "a key of the lost file is still good");
        }
        let named_demo = service.get("/api-keys?limit=100").await["items"].as_array().unwrap().len();
        assert_eq!(named_demo, 2);
        replaced.extend([service.env("SUPPORT_API_KEY"), service.env("SUPPORT_API_TEST_KEY")]);
        service.interrupt();
    }
}

#[tokio::test]
async fn the_index_is_made_from_the_table_again_after_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let service = ServiceProcess::start(folder.path());
    service.kill();
    let service = ServiceProcess::start(folder.path());
    let found = service.get("/wiki?q=refund").await;
    assert_eq!(found["items"][0]["path"], "demo/orders/refunds", "{found}");
}

#[tokio::test]
async fn a_reset_forgets_everything() {
    let folder = tempfile::tempdir().unwrap();
    let service = ServiceProcess::start(folder.path());
    let old = service.env("SUPPORT_API_KEY");
    let session = service.post("/sessions", json!({})).await["sessionId"].as_str().unwrap().to_owned();
    service.interrupt();
    let service = ServiceProcess::start_with(folder.path(), &["--reset"]);
    assert_ne!(service.env("SUPPORT_API_KEY"), old);
    assert_eq!(service.refused(&format!("/sessions/{session}")).await, "NOT_FOUND");
}

#[test]
fn a_second_process_on_the_same_folder_and_a_port_in_use_are_refused_with_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let service = ServiceProcess::start(folder.path());
    let data = service.data();
    let message = start_error(&["--port", "0", "--data", data.to_str().unwrap()]);
    assert!(message.contains("is in use by another process") && message.contains("--data"), "{message}");
    let other = folder.path().join("other");
    let port = service.address().port().to_string();
    let message = start_error(&["--port", &port, "--data", other.to_str().unwrap()]);
    assert!(
        message.contains(&format!("port {port} of 127.0.0.1 is in use")) && message.contains("--port"),
        "{message}"
    );
}

#[test]
fn a_start_waits_for_the_end_of_a_process_that_has_locked_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    std::fs::create_dir(&data).unwrap();
    let lock = std::fs::File::create(data.join("lock")).unwrap();
    lock.lock().unwrap();
    let holder = {
        let data = data.clone();
        std::thread::spawn(move || {
            let deadline = std::time::Instant::now() + std::time::Duration::from_secs(120);
            while !service_process::log(&data).contains("waiting for its end") {
                assert!(std::time::Instant::now() < deadline, "it does not wait");
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
            lock.unlock().unwrap();
        })
    };
    ServiceProcess::start(folder.path()).interrupt();
    holder.join().unwrap();
}

#[tokio::test]
async fn a_start_right_after_a_kill_takes_the_folder_over() {
    let folder = tempfile::tempdir().unwrap();
    let mut service = ServiceProcess::start(folder.path());
    let session = service.post("/sessions", json!({})).await["sessionId"].as_str().unwrap().to_owned();
    for _ in 0..5 {
        // The kill is sent, and the process may still be there.
        service = service.replaced(|| ServiceProcess::start(folder.path()));
        assert_eq!(service.get(&format!("/sessions/{session}")).await["sessionId"], session.as_str());
    }
}

#[test]
fn help_names_every_option() {
    let output = service_process::binary().arg("--help").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    for option in [
        "--port",
        "--data",
        "--allow-host",
        "--reset",
        "--opensearch",
        "--dynamodb",
        "--services-only",
        "--help",
        "demo.env",
    ] {
        assert!(text.contains(option), "no {option} in {text}");
    }
}
