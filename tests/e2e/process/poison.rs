//! Work that ends the process at every attempt: it is given up, and everything else goes on.
//!
//! The service runs in a process of its own, which is this test binary once more: [`child`] hosts the library. It ends
//! itself before it handles a due item that the file `poison` in its folder names; what a delivery, an
//! ingest job or an embedding calls kills it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Json;
use axum::http::{StatusCode, Uri};
use domain::clock::ShiftedClock;
use local::{Embeddings, Hooks, Options, Service};
use serde_json::{Value, json};

use super::received_events::ReceivedEvents;
use super::service_process::ServiceProcess;

/// The variables that give a child its folder and how far its clock is ahead.
const FOLDER_VARIABLE: &str = "POISON_TEST_FOLDER";
const CLOCK_AHEAD_VARIABLE: &str = "POISON_TEST_CLOCK_AHEAD_MS";

const TIMEOUT: Duration = Duration::from_secs(300);
const MINUTE_MS: i64 = 60_000;
/// After so many crashes a due item becomes a dead letter, and a delivery, an ingest job or an embedding is
/// given up.
const MAX_CRASHES: usize = 3;
const MAX_INTERRUPTIONS: usize = 10;
const MAX_ATTEMPTS: usize = 5;

/// Selects the due item that crashes the process, by a text in its name.
fn poison(folder: &Path, text: &str) {
    std::fs::write(folder.join("poison"), text).unwrap();
}

/// Kills the child of this folder, if it runs.
fn kill_child(folder: &Path) {
    let Ok(pid) = std::fs::read_to_string(folder.join("pid")) else { return };
    Command::new("kill").args(["-9", &pid]).status().unwrap();
}

/// Starts a server on a free port that kills the child of `folder` if there is no
/// answer; its address.
async fn server(folder: &Path, answer: impl Fn(&str, &str) -> Option<Value> + Clone + Send + Sync + 'static) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let folder = folder.to_owned();
    let router = axum::Router::new().fallback(async move |uri: Uri, body: String| {
        answer(uri.path(), &body).map(Json).ok_or_else(|| {
            kill_child(&folder);
            StatusCode::INTERNAL_SERVER_ERROR
        })
    });
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    address
}

/// The service in this process, until it aborts or is killed.
#[tokio::test]
#[ignore = "started by the other tests here, in a process of its own"]
async fn child() {
    let Ok(folder) = std::env::var(FOLDER_VARIABLE).map(PathBuf::from) else { return };
    std::fs::write(folder.join("pid"), std::process::id().to_string()).unwrap();
    let mut options = Options::new(folder.join("data"), 0);
    let clock = Arc::new(ShiftedClock::default());
    clock.advance(std::env::var(CLOCK_AHEAD_VARIABLE).unwrap().parse().unwrap());
    let mut hooks = Hooks { clock: Some(clock), ..Hooks::default() };
    options.sweep_every = Some(Duration::from_millis(500));
    let embedding_model = std::fs::read_to_string(folder.join("model")).ok();
    options.embeddings = embedding_model.map(|base_url| Embeddings { base_url, model_id: "any".into() });
    hooks.before_due = Some(Arc::new(move |item| {
        if std::fs::read_to_string(folder.join("poison")).is_ok_and(|poison| item.name().contains(&poison)) {
            std::process::abort();
        }
    }));
    support::edge::telemetry::init_with_quiet_crates(
        support::edge::telemetry::LogFormat::Readable,
        "trace",
        &["dynoxide"],
    );
    let _service = Service::start_with(options, hooks).await.unwrap();
    println!("Ctrl-C stops it.");
    std::future::pending::<()>().await;
}

/// Starts a child whose clock is so far ahead; none when it crashed during startup.
pub(crate) fn start(folder: &Path, ahead_ms: i64) -> Option<ServiceProcess> {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "process::poison::child", "--ignored", "--nocapture"]);
    command.env(FOLDER_VARIABLE, folder).env(CLOCK_AHEAD_VARIABLE, ahead_ms.to_string());
    ServiceProcess::of(command, folder.join("data"))
}

/// Starts children, each with its clock `step_ms` ahead of the previous one, until `is_done` for a running one. Returns
/// it and the number of crashes before it.
async fn restart_until(
    folder: &Path,
    step_ms: i64,
    is_done: impl AsyncFn(&ServiceProcess) -> bool,
) -> (ServiceProcess, usize) {
    let begun = Instant::now();
    let mut crashes = 0;
    loop {
        let Some(mut service) = start(folder, step_ms * i64::try_from(crashes + 1).unwrap()) else {
            crashes += 1;
            assert!(crashes <= 12, "processes keep dying: {}", log(folder));
            continue;
        };
        while !service.has_ended() {
            if is_done(&service).await {
                return (service, crashes);
            }
            assert!(begun.elapsed() < TIMEOUT, "it does not come to its end: {}", log(folder));
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        crashes += 1;
        assert!(crashes <= 12, "processes keep dying: {}", log(folder));
    }
}

/// The log of all children.
fn log(folder: &Path) -> String {
    super::service_process::log(&folder.join("data"))
}

/// The dead letters, by file name.
fn dead_letters(folder: &Path) -> Vec<(String, Value)> {
    let folder = folder.join("data/dead-letters");
    let parse = |(file, content): (PathBuf, Vec<u8>)| {
        let name = file.strip_prefix(&folder).unwrap().to_str().unwrap().to_owned();
        (name, serde_json::from_slice(&content).unwrap())
    };
    crate::support::written_files::files(&folder).into_iter().map(parse).collect()
}

/// Whether a receiver got an event with `text` in its data.
fn has(received: &ReceivedEvents, text: &str) -> bool {
    received.snapshot().iter().any(|event| event.contains(text))
}

async fn create_session(service: &ServiceProcess) -> String {
    service.post("/sessions", json!({})).await["sessionId"].as_str().unwrap().to_owned()
}

/// Creates a session with `note` in its metadata; the process may crash before it answers.
async fn create_session_with_note(service: &ServiceProcess, note: &str) {
    let request = service.request(reqwest::Method::POST, "/sessions").json(&json!({"metadata": {"note": note}}));
    request.send().await.ok();
}

/// The response body; null when the process crashed meanwhile.
async fn try_get(service: &ServiceProcess, path: &str) -> Value {
    let Ok(response) = service.request(reqwest::Method::GET, path).send().await else { return Value::Null };
    response.json().await.unwrap_or_default()
}

const HARMLESS: &str = "Does the warp drive rattle?";

// The receivers answer while this test waits for a process, here and below.
#[tokio::test(flavor = "multi_thread")]
async fn a_delivery_that_crashes_the_process_fails_and_the_others_are_sent() {
    let folder = tempfile::tempdir().unwrap();
    let good = ReceivedEvents::default();
    let good_hook = good.listen(|event| event["data"].to_string()).await;
    let bad_hook = server(folder.path(), |_, _| None).await;
    let first = start(folder.path(), 0).unwrap();
    let body = |url: &str| json!({"url": url, "events": ["session.created"], "secret": "a-receivers-secret"});
    let deadly = first.post("/webhooks", body(&bad_hook)).await["webhookId"].as_str().unwrap().to_owned();
    first.post("/webhooks", body(&good_hook)).await;
    create_session_with_note(&first, HARMLESS).await;
    first.wait();
    let seen = Mutex::new(Value::Null);
    let (service, crashes) = restart_until(folder.path(), 10 * MINUTE_MS, async |service| {
        let deliveries = try_get(service, &format!("/webhooks/{deadly}/deliveries")).await;
        let all = deliveries["items"].as_array().cloned().unwrap_or_default();
        let is_failed = all.len() == 1 && all[0]["status"] == "failed";
        let is_done = is_failed && has(&good, HARMLESS) && log(folder.path()).contains("a delivery failed for good");
        *seen.lock().unwrap() = deliveries;
        is_done
    })
    .await;
    assert_eq!(crashes + 1, MAX_INTERRUPTIONS, "{}", log(folder.path()));
    let deliveries = seen.into_inner().unwrap();
    assert_eq!(deliveries["items"][0]["attempts"][0]["error"], "INTERRUPTED", "{deliveries}");
    service.kill();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_ingest_job_that_crashes_the_process_fails_and_the_next_one_completes() {
    let folder = tempfile::tempdir().unwrap();
    let page = server(folder.path(), |_, _| None).await;
    let first = start(folder.path(), 0).unwrap();
    let job = first.post("/ingest", json!({"url": page, "pathPrefix": "deadly"})).await;
    let path = format!("/ingest/{}", job["ingestId"].as_str().unwrap());
    first.wait();
    let (service, crashes) = restart_until(folder.path(), 10 * MINUTE_MS, async |service| {
        try_get(service, &path).await["status"] == "failed"
    })
    .await;
    assert_eq!(crashes + 1, MAX_ATTEMPTS, "{}", log(folder.path()));
    assert_eq!(service.get(&path).await["error"]["code"], "INTERNAL_ERROR");
    let other = service.post("/ingest", json!({"text": "# Fine\n\nThis is read.", "pathPrefix": "fine"})).await;
    let path = format!("/ingest/{}", other["ingestId"].as_str().unwrap());
    let begun = Instant::now();
    while service.get(&path).await["status"] != "completed" {
        assert!(begun.elapsed() < TIMEOUT, "the harmless job is not completed: {}", log(folder.path()));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    service.kill();
}

/// An embedding model with the same vector for every text, which kills the service at a poisoned one; its URL up to
/// `/v1`.
async fn embedding_model(folder: &Path) -> String {
    let address = server(folder, |_, body| {
        let asked: Value = serde_json::from_str(body).unwrap();
        let texts = asked["input"].as_array().unwrap().iter().enumerate();
        let data: Vec<Value> = texts.map(|(index, _)| json!({"index": index, "embedding": [1.0, 1.0]})).collect();
        (!body.contains("poisoned")).then(|| json!({"data": data}))
    });
    format!("{}/v1", address.await)
}

/// Creates an entry; the process may crash before it answers.
async fn create_entry(service: &ServiceProcess, path: &str) {
    let entry = json!({"path": path, "title": "Rules", "content": format!("The rules of the {path}.")});
    service.request(reqwest::Method::POST, "/wiki").json(&entry).send().await.ok();
}

/// The number of entries that are not embedded yet.
async fn pending(service: &ServiceProcess) -> Value {
    try_get(service, "/health").await["checks"]["embeddings"]["pending"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_entry_whose_embedding_crashes_the_process_is_given_up_and_the_others_are_embedded() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("model"), embedding_model(folder.path()).await).unwrap();
    let first = start(folder.path(), 0).unwrap();
    create_entry(&first, "poisoned/entry").await;
    first.wait();
    let (mut service, crashes) =
        restart_until(folder.path(), 10 * MINUTE_MS, async |service| pending(service).await == 0).await;
    assert_eq!(crashes + 1, MAX_ATTEMPTS, "{}", log(folder.path()));
    create_entry(&service, "harmless/entry").await;
    let begun = Instant::now();
    while pending(&service).await != 0 {
        assert!(begun.elapsed() < TIMEOUT, "the harmless entry is not embedded: {}", log(folder.path()));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    // Several sweeps do not enqueue it again.
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert!(!service.has_ended(), "it comes again: {}", log(folder.path()));
    service.kill();
}

#[tokio::test]
async fn a_due_item_that_crashes_the_process_becomes_a_dead_letter_and_the_others_are_done() {
    let folder = tempfile::tempdir().unwrap();
    let first = start(folder.path(), 0).unwrap();
    let (poisoned, other) = (create_session(&first).await, create_session(&first).await);
    poison(folder.path(), &poisoned);
    first.kill();
    let (service, crashes) = restart_until(folder.path(), 25 * 60 * MINUTE_MS, async |service| {
        let closed = try_get(service, &format!("/sessions/{other}")).await["ownership"] == "closed";
        closed && !dead_letters(folder.path()).is_empty() && log(folder.path()).contains("moved to the dead letters")
    })
    .await;
    // A crash is counted if the run before it did not end; `sweeper_crashes` of the end-to-end tests counts exactly.
    assert!((MAX_CRASHES..=MAX_CRASHES + 2).contains(&crashes), "{crashes}: {}", log(folder.path()));
    let dead_letters = dead_letters(folder.path());
    assert!(dead_letters.len() == 1 && dead_letters[0].0.starts_with("due/"), "{dead_letters:?}");
    assert!(
        log(folder.path())
            .contains("a due item was moved to the dead letters, because handling it ended the process 3 times"),
        "{}",
        log(folder.path())
    );
    assert_eq!(service.get(&format!("/sessions/{poisoned}")).await["ownership"], "ai");
    service.kill();
}
