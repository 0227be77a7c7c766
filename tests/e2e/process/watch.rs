//! The functions in processes of their own under `cargo lambda watch`, if it is found.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::received_events::ReceivedEvents;
use crate::services;

/// How long functions may take to be built and to answer.
const TIMEOUT: Duration = Duration::from_secs(15 * 60);

/// A running `watch.sh`; stopped when it is dropped.
struct Watch {
    child: Child,
    url: String,
    data: PathBuf,
    http: reqwest::Client,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// With `CI=true`, `watch.sh` must be able to fetch it.
fn cargo_lambda_is_found() -> bool {
    if std::env::var("CI").is_ok_and(|ci| ci == "true") {
        return true;
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let installed = std::env::split_paths(&path).any(|folder| folder.join("cargo-lambda").is_file());
    installed || root().join(".services/cargo-lambda/bin/cargo-lambda").is_file()
}

impl Watch {
    fn start(folder: &Path) -> Self {
        let (port, data) = (services::unused_port(), folder.join("data"));
        let mut command = Command::new(root().join("infra/local/watch.sh"));
        command.arg("--data").arg(&data).env("WATCH_PORT", port.to_string()).env("SERVICES_PORT", "0");
        let log = File::create(data.with_extension("log")).unwrap();
        let child = command.stdout(Stdio::null()).stderr(log).spawn().unwrap();
        Self { child, url: format!("http://127.0.0.1:{port}"), data, http: reqwest::Client::new() }
    }

    async fn send(&self, method: Method, path: &str, body: Option<Value>) -> (StatusCode, Value) {
        let request = self.http.request(method, format!("{}{path}", self.url)).bearer_auth(self.key());
        let request = match body {
            Some(body) => request.json(&body),
            None => request,
        };
        let response = request.send().await.unwrap();
        (response.status(), response.json().await.unwrap_or_default())
    }

    fn key(&self) -> String {
        let text = std::fs::read_to_string(self.data.join("demo.env")).unwrap_or_default();
        text.lines().find_map(|line| line.strip_prefix("SUPPORT_API_KEY=")).unwrap_or_default().to_owned()
    }

    /// Waits until `GET path` answers 200 with a body of which `done` holds.
    async fn wait_for(&mut self, path: &str, done: impl Fn(&Value) -> bool) {
        let waiting = async {
            loop {
                assert!(self.child.try_wait().unwrap().is_none(), "watch.sh ended");
                let request = self.http.get(format!("{}{path}", self.url)).bearer_auth(self.key()).send().await;
                if let Ok(response) = request
                    && response.status() == StatusCode::OK
                    && done(&response.json().await.unwrap_or_default())
                {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
        };
        tokio::time::timeout(TIMEOUT, waiting).await.unwrap_or_else(|_| panic!("{path} is not in time"));
    }

    /// The script stops its processes; it may have ended already.
    fn stop(&mut self) {
        if self.child.try_wait().is_ok_and(|ended| ended.is_none()) {
            Command::new("kill").arg(self.child.id().to_string()).status().ok();
            self.child.wait().ok();
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.stop();
        if std::thread::panicking() {
            eprintln!("{}", std::fs::read_to_string(self.data.with_extension("log")).unwrap_or_default());
        }
    }
}

/// Stands for cargo: builds nothing, and writes down how it would watch.
const CARGO: &str =
    "#!/bin/sh\n[ \"$1\" = build ] || { echo \"$*\" > \"$WATCHED.part\"; mv \"$WATCHED.part\" \"$WATCHED\"; }\n";

#[test]
fn the_data_folder_is_understood_in_both_spellings() {
    for spelling in ["--data=", "--data"] {
        let folder = tempfile::tempdir().unwrap();
        let (data, watched, tools) =
            (folder.path().join("data"), folder.path().join("watched"), folder.path().join("bin"));
        std::fs::create_dir(&tools).unwrap();
        // Where cargo would have built it.
        let target = folder.path().join("target");
        std::fs::create_dir_all(target.join("debug")).unwrap();
        std::os::unix::fs::symlink(crate::binaries::binary("local"), target.join("debug/local")).unwrap();
        for tool in ["cargo", "cargo-lambda"] {
            std::fs::write(tools.join(tool), CARGO).unwrap();
            let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
            std::fs::set_permissions(tools.join(tool), mode).unwrap();
        }
        let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap());
        let mut command = Command::new(root().join("infra/local/watch.sh"));
        match spelling.strip_suffix('=') {
            Some(_) => command.arg(format!("--data={}", data.display())),
            None => command.arg("--data").arg(&data),
        };
        command.env("PATH", path).env("CARGO_TARGET_DIR", target).env("WATCHED", &watched).env("SERVICES_PORT", "0");
        let log = File::create(folder.path().join("log")).unwrap();
        let child = command.stdout(Stdio::null()).stderr(log).spawn().unwrap();
        let mut watch = Watch { child, url: String::new(), data, http: reqwest::Client::new() };
        let deadline = std::time::Instant::now() + Duration::from_secs(120);
        while !watched.exists() {
            assert!(std::time::Instant::now() < deadline, "{spelling}: nothing is watched");
            std::thread::sleep(Duration::from_millis(50));
        }
        watch.stop();
        let told = std::fs::read_to_string(watched).unwrap();
        let file = watch.data.join("functions.env");
        assert!(told.trim().ends_with(&format!("--env-file {}", file.display())), "{spelling}: {told}");
    }
}

#[tokio::test]
async fn the_built_functions_answer_under_cargo_lambda_watch() {
    if !cargo_lambda_is_found() {
        eprintln!("skipped: the test under cargo lambda watch, because cargo-lambda is not installed");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut watch = Watch::start(folder.path());
    watch.wait_for("/api/v1/health", |health| health["status"].is_string()).await;

    let events = ReceivedEvents::default();
    let url = events.listen(|event| event["type"].as_str().unwrap_or_default().to_owned()).await;
    let secret = "whsec_QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVoxMjM0NTY=";
    let webhook = json!({"url": url, "events": ["*"], "secret": secret});
    let (status, webhook) = watch.send(Method::POST, "/api/v1/webhooks", Some(webhook)).await;
    assert_eq!(status, StatusCode::CREATED, "{webhook}");

    let (_, session) = watch.send(Method::POST, "/api/v1/sessions", Some(json!({}))).await;
    let messages = format!("/api/v1/sessions/{}/messages", session["sessionId"].as_str().unwrap());
    let question = json!({"content": "How long does a refund take?"});
    let (status, answer) = watch.send(Method::POST, &messages, Some(question)).await;
    assert_eq!((status, answer["disposition"].as_str()), (StatusCode::OK, Some("answered")), "{answer}");
    assert_eq!(answer["sources"][0]["path"], "demo/orders/refunds", "{answer}");

    // The queue and its worker.
    let text = json!({"text": "# Walrus\n\nA walrus sleeps on the ice.", "pathPrefix": "animals"});
    let (status, job) = watch.send(Method::POST, "/api/v1/ingest", Some(text)).await;
    assert_eq!(status, StatusCode::ACCEPTED, "{job}");
    let job = format!("/api/v1/ingest/{}", job["ingestId"].as_str().unwrap());
    watch.wait_for(&job, |job| job["status"] == "completed").await;
    watch.wait_for("/api/v1/wiki?q=walrus", |found| found["total"] == 1).await;
    // The stream.
    watch.wait_for("/api/v1/analytics", |figures| figures["totalQueries"].as_u64() > Some(0)).await;
    let kinds = ["session.created", "ingest.completed"];
    watch.wait_for("/api/v1/health", |_| kinds.iter().all(|kind| events.snapshot().contains(*kind))).await;

    let preflight = watch
        .http
        .request(Method::OPTIONS, format!("{}{messages}", watch.url))
        .header("origin", "https://shop.example")
        .header("access-control-request-method", "POST")
        .send()
        .await
        .unwrap();
    assert!(preflight.status().is_success(), "{}", preflight.status());
    assert!(preflight.headers().contains_key("access-control-allow-methods"), "{:?}", preflight.headers());
    for (method, path, status, code) in [
        (Method::GET, "/api/v1/nothing", 404, "NOT_FOUND"),
        (Method::GET, "/", 404, "NOT_FOUND"),
        (Method::PUT, "/api/v1/sessions", 405, "METHOD_NOT_ALLOWED"),
    ] {
        let (got, body) = watch.send(method, path, None).await;
        assert_eq!((got.as_u16(), body["error"].as_str()), (status, Some(code)), "{path}: {body}");
    }
    let (status, entry) = watch.send(Method::GET, "/api/v1/wiki/demo%2Forders%2Frefunds", None).await;
    assert_eq!((status, entry["path"].as_str()), (StatusCode::OK, Some("demo/orders/refunds")), "{entry}");

    watch.stop();
    assert!(!watch.data.join("functions.env").exists(), "the services did not stop cleanly");
    assert!(watch.http.get(&watch.url).send().await.is_err(), "cargo lambda watch is still there");
}
