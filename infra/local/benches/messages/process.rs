//! The service as a process of its own.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

/// A running service on an empty folder; killed when dropped.
pub(crate) struct Process {
    child: Child,
    http: reqwest::Client,
    url: String,
    key: String,
    _folder: tempfile::TempDir,
}

impl Process {
    pub(crate) fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        let mut command = Command::new(env!("CARGO_BIN_EXE_local"));
        let mut child =
            command.args(["--port", "0", "--data"]).arg(&data).stdout(Stdio::piped()).spawn().expect("the binary");
        let mut said = String::new();
        let mut reader = BufReader::new(child.stdout.take().unwrap());
        while !said.contains("Ctrl-C") {
            assert_ne!(reader.read_line(&mut said).unwrap(), 0, "it ended after {said:?}");
        }
        let env = std::fs::read_to_string(data.join("demo.env")).unwrap();
        let value = |name: &str| {
            env.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('=')).unwrap_or_default().to_owned()
        };
        let (url, key) = (value("SUPPORT_API_URL"), value("SUPPORT_API_TEST_KEY"));
        Self { child, http: reqwest::Client::new(), url, key, _folder: folder }
    }

    /// A POST of the test-mode admin, whose wiki has nothing but what was filled in.
    pub(crate) async fn post(&self, path: &str, body: Value) -> Value {
        self.send(Method::POST, path, body).await
    }

    pub(crate) async fn send(&self, method: Method, path: &str, body: Value) -> Value {
        let request = self.http.request(method, format!("{}{path}", self.url)).bearer_auth(&self.key).json(&body);
        let response = request.send().await.unwrap();
        let status = response.status();
        let body = response.json().await.unwrap();
        assert!(status.is_success(), "{path}: {status} {body}");
        body
    }

    /// A session that never asks for a human by itself.
    pub(crate) async fn session(&self) -> String {
        self.post("/sessions", json!({})).await["sessionId"].as_str().unwrap().to_owned()
    }

    pub(crate) fn resident_mib(&self) -> f64 {
        self.memory_mib("VmRSS:")
    }

    /// The most resident memory there ever was.
    #[allow(dead_code, reason = "used by one of two benchmarks")]
    pub(crate) fn peak_mib(&self) -> f64 {
        self.memory_mib("VmHWM:")
    }

    /// The processor time so far in milliseconds, once nothing is left to do: the consumers of the stream follow the
    /// responses.
    #[allow(dead_code, reason = "used by one of the benchmarks")]
    pub(crate) async fn processor_ms(&self) -> f64 {
        let mut last = self.ticks();
        loop {
            tokio::time::sleep(Duration::from_millis(500)).await;
            let ticks = self.ticks();
            // A service with nothing to do polls.
            if ticks - last <= 2.0 {
                return ticks * 10.0;
            }
            last = ticks;
        }
    }

    /// The processor time in user and kernel mode, in hundredths of a second (proc_pid_stat(5), fields 14 and 15).
    fn ticks(&self) -> f64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap_or_default();
        // The name of the program, in brackets, may hold blanks.
        let fields = stat.rsplit_once(") ").map_or("", |(_, fields)| fields).split(' ');
        fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum()
    }

    fn memory_mib(&self, name: &str) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or("0 kB");
        let kib: f64 = line.trim().trim_end_matches(" kB").trim().parse().unwrap_or(0.0);
        kib / 1024.0
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
