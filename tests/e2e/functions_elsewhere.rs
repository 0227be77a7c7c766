//! Functions in processes of their own get changes, messages and the schedule as the events of Lambda.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use aws::queue::{Queue, Task};
use axum::extract::{Json, Path, State};
use axum::http::StatusCode;
use axum::routing::post;
use domain::models::{EntrySource, IngestId, Visibility, WikiPath};
use serde_json::{Value, json};
use support::edge::ClientProvider;
use support::wiki::table::NewEntry;

use crate::support::TestService;

/// The invocations, each by its function and event.
type Invocations = Arc<Mutex<Vec<(String, Value)>>>;

/// The endpoint of `cargo lambda watch`, as far as functions are invoked: the first invocation of each function fails.
async fn functions() -> (String, Invocations) {
    let invocations = Invocations::default();
    let invoke = async |State(seen): State<Invocations>, Path(name): Path<String>, Json(event): Json<Value>| {
        let mut seen = seen.lock().unwrap();
        let first = !seen.iter().any(|(known, _)| *known == name);
        seen.push((name, event));
        match first {
            true => (StatusCode::INTERNAL_SERVER_ERROR, Json(json!({"errorType": "Panic", "errorMessage": "poison"}))),
            false => (StatusCode::OK, Json(json!({"batchItemFailures": []}))),
        }
    };
    let routes = axum::Router::new().route("/2015-03-31/functions/{name}/invocations", post(invoke));
    let app = routes.with_state(Arc::clone(&invocations));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, app).await });
    (url, invocations)
}

/// Waits until an invocation of `function` has a record of which `wanted` holds.
async fn wait_for(invocations: &Invocations, function: &str, wanted: impl Fn(&Value) -> bool) {
    let found = || {
        let seen = invocations.lock().unwrap();
        let mut events = seen.iter().filter(|(name, _)| name == function).map(|(_, event)| event);
        let first = events.next().is_some();
        first && events.any(&wanted)
    };
    let waiting = async {
        while !found() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let waited = tokio::time::timeout(Duration::from_secs(60), waiting).await;
    assert!(waited.is_ok(), "{function}: {:?}", invocations.lock().unwrap());
}

#[tokio::test]
async fn changes_and_the_schedule_reach_functions_in_processes_of_their_own_again_after_a_failure() {
    let (url, invocations) = functions().await;
    let service = TestService::with(|options| {
        options.start.functions_url = Some(url);
        options.start.sweep_every = Some(Duration::from_millis(50));
    })
    .await;
    let entry = NewEntry {
        path: WikiPath::parse("a/b").unwrap(),
        title: "Title".into(),
        content: "Text.".into(),
        visibility: Visibility::Public,
        tags: Vec::new(),
        created_by: "test".into(),
        source: EntrySource::MANUAL,
    };
    service.resources().store.wiki().create(&service.scope(), entry).await.unwrap();
    wait_for(&invocations, "changes", |event| {
        let records = event["Records"].as_array().unwrap();
        records.iter().any(|record| record["dynamodb"]["NewImage"]["kind"]["S"] == "entry")
    })
    .await;
    wait_for(&invocations, "sweeper", |_| true).await;
}

#[tokio::test]
async fn a_message_reaches_the_worker_of_its_queue() {
    let (url, invocations) = functions().await;
    let service = TestService::with(|options| options.start.functions_url = Some(url)).await;
    let runtime = service.resources().runtime.clone();
    // The first invocation fails, and its message would come again after minutes.
    for _ in 0..2 {
        let task = Task::Ingest { scope: service.scope(), ingest_id: IngestId::generate(&runtime).unwrap() };
        service.resources().queue(Queue::Ingest).unwrap().send(&task, Duration::ZERO).await.unwrap();
        while invocations.lock().unwrap().is_empty() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
    wait_for(&invocations, "ingest-worker", |event| {
        let record = &event["Records"][0];
        record["body"].as_str().unwrap().contains("ingestId") && record["attributes"]["ApproximateReceiveCount"] == "1"
    })
    .await;
}
