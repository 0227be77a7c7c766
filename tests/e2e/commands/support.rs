//! A local service with its data folder, and the binary that operates it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use aws_sdk_dynamodb::types::AttributeValue;
use local::{Hooks, Options, Service};
use serde_json::{Value, json};

use crate::services::output_of;
use crate::support::http_client;

/// The output of a command.
#[derive(Debug)]
pub(crate) struct Printed {
    pub(crate) exit_code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Printed {
    /// Its standard output as JSON; fails unless it did its work.
    pub(crate) fn json(&self) -> Value {
        self.expect(0);
        serde_json::from_str(&self.stdout).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }

    /// Fails unless it ended with this exit code.
    pub(crate) fn expect(&self, exit_code: i32) -> &Self {
        assert_eq!(self.exit_code, exit_code, "{self:?}");
        self
    }
}

/// Runs `ops` with these arguments.
pub(crate) fn ops(arguments: &[&str]) -> Printed {
    let mut command = binary();
    command.args(arguments);
    printed(output_of(command))
}

/// The output of a process.
pub(crate) fn printed(output: Output) -> Printed {
    let Output { status, stdout, stderr } = output;
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Printed { exit_code: status.code().unwrap(), stdout: text(stdout), stderr: text(stderr) }
}

/// The binary, without the variables of this process's environment that it reads.
pub(crate) fn binary() -> Command {
    let mut command = Command::new(crate::binaries::binary("ops"));
    for name in ["TABLE_NAME", "LOG_LEVEL", "MODEL_PROVIDER", "EMBEDDING_PROVIDER"] {
        command.env_remove(name);
    }
    command
}

/// A data folder, and the service that runs on it, if one does.
pub(crate) struct Folder {
    folder: tempfile::TempDir,
    pub(crate) data: PathBuf,
    pub(crate) service: Option<Service>,
    pub(crate) http: reqwest::Client,
}

impl Folder {
    /// A folder on which a service runs, without the demo tenant.
    pub(crate) async fn running() -> Self {
        Self::with(|_| {}).await
    }

    /// The same with other options.
    pub(crate) async fn with(change: impl FnOnce(&mut Options)) -> Self {
        Self::with_hooks(change, Hooks::default()).await
    }

    /// The same with hooks.
    pub(crate) async fn with_hooks(change: impl FnOnce(&mut Options), hooks: Hooks) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        let mut running = Self { folder, data, service: None, http: http_client() };
        running.start_hooked(change, hooks).await;
        running
    }

    /// The same under a path that is too long for a Unix socket.
    pub(crate) async fn with_long_path() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("d".repeat(120));
        let mut running = Self { folder, data, service: None, http: http_client() };
        running.start().await;
        running
    }

    pub(crate) async fn start(&mut self) {
        self.start_with(|_| {}).await;
    }

    pub(crate) async fn start_with(&mut self, change: impl FnOnce(&mut Options)) {
        self.start_hooked(change, Hooks::default()).await;
    }

    async fn start_hooked(&mut self, change: impl FnOnce(&mut Options), hooks: Hooks) {
        let mut options = Options { demo: false, ..Options::new(&self.data, 0) };
        change(&mut options);
        self.service = Some(Service::start_with(options, hooks).await.unwrap());
    }

    pub(crate) async fn stop(&mut self) {
        self.service.take().unwrap().stop().await;
    }

    /// Runs `ops` on this folder, off the threads that serve.
    pub(crate) async fn ops(&self, arguments: &[&str]) -> Printed {
        let mut all: Vec<String> = arguments.iter().map(|&argument| argument.to_owned()).collect();
        all.extend(["--data".to_owned(), self.data.to_str().unwrap().to_owned()]);
        tokio::task::spawn_blocking(move || ops(&all.iter().map(String::as_str).collect::<Vec<_>>())).await.unwrap()
    }

    /// The same with `--json`.
    pub(crate) async fn json(&self, arguments: &[&str]) -> Value {
        self.ops(&[arguments, &["--json"]].concat()).await.json()
    }

    /// A new tenant's id and its first key.
    pub(crate) async fn tenant(&self, name: &str) -> (String, String) {
        let created = self.json(&["tenant", "create", name, "--plan", "pro"]).await;
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        (text(&created["tenant"]["tenantId"]), text(&created["apiKey"]["key"]))
    }

    /// The URL of an endpoint.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.service.as_ref().unwrap().url())
    }

    /// Status and body of a `GET`.
    pub(crate) async fn get(&self, credential: &str, path: &str) -> (u16, Value) {
        read(self.http.get(self.url(path)).bearer_auth(credential)).await
    }

    /// Status and body of a `POST`.
    pub(crate) async fn post(&self, credential: &str, path: &str, body: &Value) -> (u16, Value) {
        read(self.http.post(self.url(path)).bearer_auth(credential).json(body)).await
    }

    /// The folder around the data folder.
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }
}

async fn read(request: reqwest::RequestBuilder) -> (u16, Value) {
    let response = request.send().await.unwrap();
    let status = response.status().as_u16();
    (status, response.json().await.unwrap_or(Value::Null))
}

/// A tenant with one session, whose changes are handled.
pub(crate) async fn with_session(folder: &Folder) -> (String, String) {
    let (tenant, key) = folder.tenant("Shop").await;
    let session = folder.post(&key, "/sessions", &json!({})).await.1;
    let messages = format!("/sessions/{}/messages", session["sessionId"].as_str().unwrap());
    folder.post(&key, &messages, &json!({"content": "Which zebra sings on Jupiter?"})).await;
    folder.service.as_ref().unwrap().drain().await.unwrap();
    (tenant, key)
}

/// Deletes the items of a tenant in whose partition key one of `texts` is.
pub(crate) async fn forget(folder: &Folder, texts: &[&str]) {
    let client = folder.service.as_ref().unwrap().database_client();
    let scanned = client.scan().table_name("support-assistant").send().await.unwrap();
    for item in scanned.items() {
        let [pk, sk] = ["pk", "sk"].map(|name| item[name].as_s().unwrap().clone());
        if texts.iter().any(|text| pk.contains(text)) {
            let request = client.delete_item().table_name("support-assistant");
            request.key("pk", AttributeValue::S(pk)).key("sk", AttributeValue::S(sk)).send().await.unwrap();
        }
    }
}

pub(crate) async fn sessions_counted(folder: &Folder, key: &str) -> Value {
    folder.get(key, "/analytics").await.1["totalSessions"].clone()
}
