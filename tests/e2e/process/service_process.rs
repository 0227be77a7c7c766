//! A running process of the built binary.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use log_check::Confidential;
use reqwest::{Method, StatusCode};
use serde_json::Value;

use crate::support::http_client;

/// How long a test waits for the end of a process.
const TIMEOUT: Duration = Duration::from_secs(180);

/// One process; killed when it is dropped, which fails the test if its log holds anything confidential.
pub(crate) struct ServiceProcess {
    child: Child,
    data: PathBuf,
    http: reqwest::Client,
    confidential: Confidential,
    /// Its output at startup.
    pub(crate) banner: String,
}

/// The binary, without the variables of this process's environment that it reads.
pub(crate) fn binary() -> Command {
    without_variables(Command::new(crate::binaries::binary("local")))
}

fn without_variables(mut command: Command) -> Command {
    for name in ["TABLE_NAME", "LOG_LEVEL", "MODEL_PROVIDER", "SERVICE_VERSION"] {
        command.env_remove(name);
    }
    command
}

/// The error message of a start that must fail.
pub(crate) fn start_error(arguments: &[&str]) -> String {
    let output = binary().args(arguments).output().unwrap();
    assert!(!output.status.success(), "{arguments:?} started");
    String::from_utf8(output.stderr).unwrap()
}

/// Where the processes of a data folder log: beside it.
fn log_file(data: &Path) -> PathBuf {
    data.with_extension("log")
}

/// The log of the processes of a data folder.
pub(crate) fn log(data: &Path) -> String {
    std::fs::read_to_string(log_file(data)).unwrap_or_default()
}

impl ServiceProcess {
    /// Starts it on `folder/data` and any free port, and reads the startup banner.
    pub(crate) fn start(folder: &Path) -> Self {
        Self::start_with(folder, &[])
    }

    pub(crate) fn start_with(folder: &Path, more: &[&str]) -> Self {
        Self::spawn(folder, binary(), more)
    }

    /// Starts it in a shell with this umask.
    pub(crate) fn start_under(folder: &Path, umask: &str) -> Self {
        let mut shell = without_variables(Command::new("sh"));
        shell.args(["-c", &format!("umask {umask}; exec \"$0\" \"$@\"")]).arg(crate::binaries::binary("local"));
        Self::spawn(folder, shell, &[])
    }

    fn spawn(folder: &Path, mut command: Command, more: &[&str]) -> Self {
        let data = folder.join("data");
        command.args(["--port", "0", "--data"]).arg(&data).args(more).env("LOG_LEVEL", "trace");
        Self::of(command, data).expect("it ended before it had started")
    }

    /// Starts `command` with the data folder `data`; none when it ends before the startup banner is complete.
    pub(crate) fn of(mut command: Command, data: PathBuf) -> Option<Self> {
        let log = std::fs::OpenOptions::new().create(true).append(true).open(log_file(&data)).unwrap();
        let mut child = command.stdout(Stdio::piped()).stderr(log).spawn().unwrap();
        let mut banner = String::new();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        while !banner.contains("Ctrl-C stops it.") {
            if stdout.read_line(&mut banner).unwrap() == 0 {
                child.wait().unwrap();
                return None;
            }
        }
        Some(Self { child, data, http: http_client(), confidential: Confidential::default(), banner })
    }

    pub(crate) fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// Waits until it has ended.
    pub(crate) fn wait(mut self) {
        self.child.wait().unwrap();
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.data.clone()
    }

    /// A value of `demo.env`.
    pub(crate) fn env(&self, name: &str) -> String {
        let text = std::fs::read_to_string(self.data.join("demo.env")).unwrap();
        let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
        value.unwrap_or_else(|| panic!("no {name} in {text}")).to_owned()
    }

    pub(crate) fn address(&self) -> SocketAddr {
        let url = self.env("SUPPORT_API_URL");
        let address = url.strip_prefix("http://").unwrap().strip_suffix("/api/v1").unwrap();
        address.parse().unwrap()
    }

    /// A request with the live admin key.
    pub(crate) fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let url = format!("{}{path}", self.env("SUPPORT_API_URL"));
        let key = self.env("SUPPORT_API_KEY");
        self.confidential.add_credential(&key);
        self.http.request(method, url).bearer_auth(key)
    }

    pub(crate) async fn get(&self, path: &str) -> Value {
        let (status, body) = self.answer(self.request(Method::GET, path)).await;
        assert!(status.is_success(), "GET {path}: {status} {body}");
        body
    }

    /// The error code of a refused GET.
    pub(crate) async fn refused(&self, path: &str) -> String {
        let (status, body) = self.answer(self.request(Method::GET, path)).await;
        assert!(!status.is_success(), "GET {path}: {status} {body}");
        body["error"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Value {
        self.confidential.add_body(&body);
        let (status, body) = self.answer(self.request(Method::POST, path).json(&body)).await;
        assert!(status.is_success(), "POST {path}: {status} {body}");
        body
    }

    /// The answer to `request`, whose content the log may not show.
    pub(crate) async fn answer(&self, request: reqwest::RequestBuilder) -> (StatusCode, Value) {
        let response = request.send().await.unwrap();
        let status = response.status();
        let body = response.json().await.unwrap();
        self.confidential.add_body(&body);
        (status, body)
    }

    pub(crate) async fn delete(&self, path: &str) -> u16 {
        self.request(Method::DELETE, path).send().await.unwrap().status().as_u16()
    }

    /// Sends SIGINT, as Ctrl-C does.
    pub(crate) fn interrupt(self) {
        assert!(self.signal("INT").success());
    }

    /// Sends a signal and waits for the end.
    pub(crate) fn signal(mut self, name: &str) -> ExitStatus {
        let kill = format!("kill -{name} {}", self.child.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
        let deadline = Instant::now() + TIMEOUT;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(Instant::now() < deadline, "it does not end after {name}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Kills it, and starts another without waiting for its end.
    pub(crate) fn replaced(mut self, start: impl FnOnce() -> Self) -> Self {
        self.child.kill().unwrap();
        start()
    }

    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for ServiceProcess {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
        let log = log(&self.data);
        if std::thread::panicking() {
            eprintln!("{log}");
        }
        self.confidential.assert_not_in(log.lines());
    }
}
