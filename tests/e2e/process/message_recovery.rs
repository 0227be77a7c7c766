//! A kill during many writes: every acknowledged message is stored under its number, and no number is missing.

use serde_json::{Value, json};
use tokio::sync::mpsc::{Sender, channel};
use tokio::task::JoinSet;

use super::service_process::ServiceProcess;

const SESSIONS: usize = 4;
const WRITERS_PER_SESSION: usize = 3;
const ACKNOWLEDGED_BEFORE_THE_END: usize = 120;

/// One acknowledged message.
struct Acknowledged {
    session: String,
    content: String,
    answer: Value,
}

/// Sends messages one after another until the service has ended.
async fn write(request: reqwest::RequestBuilder, session: String, writer: usize, seen: Sender<Acknowledged>) {
    for number in 0.. {
        let content = format!("How long does a refund take? ({writer}.{number})");
        let sent = request.try_clone().unwrap().json(&json!({"content": content})).send().await;
        let Ok(response) = sent else { return };
        let status = response.status();
        let Ok(answer) = response.json::<Value>().await else { return };
        assert_eq!(status, 200, "{answer}");
        seen.send(Acknowledged { session: session.clone(), content, answer }).await.unwrap();
    }
}

#[tokio::test]
async fn a_message_that_was_acknowledged_before_a_kill_is_there_after_it() {
    let folder = tempfile::tempdir().unwrap();
    let service = ServiceProcess::start(folder.path());
    // Every message gets an answer: no session reaches its limit, and none is escalated.
    let unlimited =
        service.request(reqwest::Method::PATCH, "/settings").json(&json!({"maxAiTurns": 1000, "noMatchThreshold": 0}));
    assert_eq!(unlimited.send().await.unwrap().status(), 200);
    let (seen, mut acknowledgements) = channel(10_000);
    let mut sessions = Vec::new();
    let mut writers = JoinSet::new();
    for _ in 0..SESSIONS {
        let session = service.post("/sessions", json!({})).await["sessionId"].as_str().unwrap().to_owned();
        for writer in 0..WRITERS_PER_SESSION {
            let request = service.request(reqwest::Method::POST, &format!("/sessions/{session}/messages"));
            writers.spawn(write(request, session.clone(), writer, seen.clone()));
        }
        sessions.push(session);
    }
    drop(seen);
    let mut seen = Vec::new();
    while seen.len() < ACKNOWLEDGED_BEFORE_THE_END {
        seen.push(acknowledgements.recv().await.unwrap());
    }
    service.kill();
    while let Some(ended) = writers.join_next().await {
        ended.unwrap();
    }
    while let Some(acknowledged) = acknowledgements.recv().await {
        seen.push(acknowledged);
    }

    let service = ServiceProcess::start(folder.path());
    for session in sessions {
        let turns = service.get(&format!("/sessions/{session}/messages")).await["items"].as_array().unwrap().clone();
        let numbers: Vec<u64> = turns.iter().map(|turn| turn["turn"].as_u64().unwrap()).collect();
        let expected: Vec<u64> = (1..).take(turns.len()).collect();
        assert_eq!(numbers, expected, "a number is missing or doubled in {session}");
        for acknowledged in seen.iter().filter(|a| a.session == session) {
            let asked = turns.iter().filter(|turn| turn["content"] == acknowledged.content.as_str()).count();
            assert_eq!(asked, 1, "{} is there {asked} times", acknowledged.content);
            let answer = turns.iter().find(|turn| turn["messageId"] == acknowledged.answer["messageId"]).unwrap();
            assert_eq!(answer["turn"], acknowledged.answer["turn"]);
            assert_eq!(answer["answer"], acknowledged.answer["answer"]);
        }
    }
}
