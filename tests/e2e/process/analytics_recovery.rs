//! Kills during many changes: after the restart each change is counted, exactly once.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::service_process::ServiceProcess;

const KILLS: usize = 4;
const WRITERS: usize = 4;
const SESSIONS_BEFORE_A_KILL: usize = 30;

/// Longer than a sweep and the reading of all remaining changes.
const TIMEOUT: Duration = Duration::from_secs(180);

/// Creates sessions until the service has ended.
async fn make_sessions(request: reqwest::RequestBuilder, made: tokio::sync::mpsc::Sender<()>) {
    loop {
        let Ok(response) = request.try_clone().unwrap().json(&json!({})).send().await else { return };
        assert_eq!(response.status(), 201);
        if made.send(()).await.is_err() {
            return;
        }
    }
}

/// Kills the service while many sessions are created.
async fn kill_in_the_middle(service: ServiceProcess) {
    let (made, mut count) = tokio::sync::mpsc::channel(1_000);
    let mut writers = JoinSet::new();
    for _ in 0..WRITERS {
        writers.spawn(make_sessions(service.request(reqwest::Method::POST, "/sessions"), made.clone()));
    }
    for _ in 0..SESSIONS_BEFORE_A_KILL {
        count.recv().await.unwrap();
    }
    service.kill();
    drop(count);
    while let Some(ended) = writers.join_next().await {
        ended.unwrap();
    }
}

/// The number of sessions, acknowledged or not.
async fn sessions(service: &ServiceProcess) -> u64 {
    let (mut count, mut cursor) = (0, String::new());
    loop {
        let page = service.get(&format!("/sessions?limit=100{cursor}")).await;
        let items = page["items"].as_array().unwrap_or_else(|| panic!("{page}"));
        count += items.len() as u64;
        match &page["nextCursor"] {
            Value::String(next) => cursor = format!("&cursor={next}"),
            _ => return count,
        }
    }
}

#[tokio::test]
async fn a_session_that_was_committed_before_a_kill_is_counted_once_after_it() {
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..KILLS {
        kill_in_the_middle(ServiceProcess::start(folder.path())).await;
    }
    let service = ServiceProcess::start(folder.path());
    let there = sessions(&service).await;
    assert!(there >= (KILLS * SESSIONS_BEFORE_A_KILL) as u64, "only {there}");
    let begun = Instant::now();
    let mut counted = 0;
    while counted < there {
        assert!(begun.elapsed() < TIMEOUT, "{counted} of {there} sessions are counted");
        tokio::time::sleep(Duration::from_millis(20)).await;
        counted = service.get("/analytics").await["totalSessions"].as_u64().unwrap();
    }
    service.interrupt();
    let service = ServiceProcess::start(folder.path());
    assert_eq!(service.get("/analytics").await["totalSessions"], there);
}
