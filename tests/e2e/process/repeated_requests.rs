//! A kill while a message is answered: after the next start its repetition is answered at once.

use serde_json::json;
use tokio::net::TcpListener;

use super::service_process::{ServiceProcess, binary};

/// The longest that a request may take, and so its lease, in seconds: a process starts in less.
const LEASE: u64 = 28;

/// The service with a language model at `model`.
fn with_model(folder: &std::path::Path, model: &TcpListener) -> ServiceProcess {
    let mut command = binary();
    let address = model.local_addr().unwrap();
    command.args(["--port", "0", "--data"]).arg(folder.join("data")).env("LOG_LEVEL", "trace");
    command
        .env("MODEL_PROVIDER", "openai")
        .env("MODEL_ID", "slow")
        .env("MODEL_BASE_URL", format!("http://{address}/v1"));
    command.env("MODEL_TIMEOUT_MS", "25000").env("REQUEST_TIMEOUT_MS", format!("{LEASE}000"));
    ServiceProcess::of(command, folder.join("data")).expect("it ended before it had started")
}

#[tokio::test]
async fn a_message_that_was_being_answered_at_a_kill_is_answered_when_it_is_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let model = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let service = with_model(folder.path(), &model);
    let session = service.post("/sessions", json!({})).await["sessionId"].as_str().unwrap().to_owned();
    let path = format!("/sessions/{session}/messages");
    let message = json!({"content": super::QUESTION, "clientMessageId": "m1"});
    let send = |service: &ServiceProcess| {
        service.request(reqwest::Method::POST, &path).header("idempotency-key", "once").json(&message).send()
    };
    let first = tokio::spawn(send(&service));
    // The model is asked once the message is stored, and says nothing.
    let _asked = model.accept().await.unwrap();
    let early = send(&service).await.unwrap();
    assert_eq!(early.status(), 409);
    let left: u64 = early.headers()["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((1..=LEASE).contains(&left), "{left} of {LEASE} seconds");
    service.kill();
    drop(first.await.unwrap());

    let service = ServiceProcess::start(folder.path());
    let answer = send(&service).await.unwrap();
    assert_eq!(answer.status(), 200);
    let answer: serde_json::Value = answer.json().await.unwrap();
    assert_eq!(answer["disposition"], "answered", "{answer}");
    let again = send(&service).await.unwrap();
    assert_eq!(again.headers()["idempotency-replayed"], "true");
    assert_eq!(again.json::<serde_json::Value>().await.unwrap()["messageId"], answer["messageId"]);
    let turns = service.get(&path).await["items"].as_array().unwrap().len();
    assert_eq!(turns, 2, "one message and one answer");
}
