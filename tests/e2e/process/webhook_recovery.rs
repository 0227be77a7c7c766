//! Kills during many changes: afterwards a receiver has an event of every stored change, and of nothing else.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::poison;
use super::received_events::ReceivedEvents;
use super::service_process::ServiceProcess;

const KILLS: usize = 3;
const EVENTS_BEFORE_A_KILL: usize = 25;
const TIMEOUT: Duration = Duration::from_secs(150);
/// How far the clock is ahead after the last kill: every interrupted delivery is due again.
const AHEAD_MS: i64 = 600_000;

async fn wait_until(received: &ReceivedEvents, enough: impl Fn(&BTreeSet<String>) -> bool) {
    let started = Instant::now();
    while !enough(&received.snapshot()) && started.elapsed() < TIMEOUT {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// The message of a `message.created` event.
fn message_id(event: &Value) -> String {
    assert_eq!(event["type"], "message.created");
    event["data"]["messageId"].as_str().unwrap().to_owned()
}

/// Sends messages one after another until the service has ended.
async fn ask(request: reqwest::RequestBuilder) {
    for number in 0.. {
        let body = json!({"content": format!("How long does a refund take? ({number})")});
        if request.try_clone().unwrap().json(&body).send().await.is_err() {
            return;
        }
    }
}

#[tokio::test]
async fn every_stored_message_is_delivered_after_kills_and_nothing_else_is() {
    let folder = tempfile::tempdir().unwrap();
    let received = ReceivedEvents::default();
    let hook = received.listen(message_id).await;
    let mut service = ServiceProcess::start(folder.path());
    let unlimited =
        service.request(reqwest::Method::PATCH, "/settings").json(&json!({"maxAiTurns": 1000, "noMatchThreshold": 0}));
    assert_eq!(unlimited.send().await.unwrap().status(), 200);
    service
        .post("/webhooks", json!({"url": hook, "events": ["message.created"], "secret": "a-receivers-secret"}))
        .await;
    let mut sessions = Vec::new();
    for _ in 0..3 {
        sessions.push(service.post("/sessions", json!({})).await["sessionId"].as_str().unwrap().to_owned());
    }
    for kill in 1..=KILLS {
        let mut writers = JoinSet::new();
        for session in &sessions {
            writers.spawn(ask(service.request(reqwest::Method::POST, &format!("/sessions/{session}/messages"))));
        }
        let before = received.snapshot().len();
        wait_until(&received, |received| received.len() >= before + EVENTS_BEFORE_A_KILL).await;
        service.kill();
        while let Some(ended) = writers.join_next().await {
            ended.unwrap();
        }
        service = match kill {
            KILLS => poison::start(folder.path(), AHEAD_MS).unwrap(),
            _ => ServiceProcess::start(folder.path()),
        };
    }
    let mut stored = BTreeSet::new();
    for session in sessions {
        let turns = service.get(&format!("/sessions/{session}/messages")).await;
        assert_eq!(turns["hasMore"], false);
        let messages = turns["items"].as_array().unwrap().iter().filter(|turn| turn["role"] != "system");
        stored.extend(messages.map(|turn| turn["messageId"].as_str().unwrap().to_owned()));
    }
    assert!(stored.len() >= KILLS * EVENTS_BEFORE_A_KILL, "{}", stored.len());
    wait_until(&received, |received| received.is_superset(&stored)).await;
    let missing: Vec<_> = stored.difference(&received.snapshot()).cloned().collect();
    assert!(missing.is_empty(), "{} of {} were never delivered: {missing:?}", missing.len(), stored.len());
    let unknown: Vec<_> = received.snapshot().difference(&stored).cloned().collect();
    assert!(unknown.is_empty(), "delivered, but not in the table: {unknown:?}");
}
