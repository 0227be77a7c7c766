//! The disk space of a data folder, and the time of a start on it: `cargo bench -p local --bench folder`.
//!
//! The service runs as a process of its own. Eight clients ask questions in sessions of ten turns; then the stream is
//! trimmed, the process is stopped, and it is started again several times. `BENCH_SCALE=0.1` writes a tenth of the turns.
//! `BENCH_BINARY` names another build of the service, to compare with it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a benchmark that cannot go on says where"
)]

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use futures::future::join_all;
use serde_json::{Value, json};

/// How many turns there are at each measurement, at scale 1.
const TURNS: [usize; 2] = [20_000, 52_000];
const CLIENTS: usize = 8;
const QUESTIONS_A_SESSION: usize = 5;
const STARTS: usize = 7;
/// Longer than the service waits between two trims.
const TRIMMED_AFTER: Duration = Duration::from_secs(75);
const QUESTION: &str = "How long does a refund take, and when do I get the money back?";

#[tokio::main]
async fn main() {
    let scale: f64 = std::env::var("BENCH_SCALE").ok().and_then(|text| text.parse().ok()).unwrap_or(1.0);
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    println!("turns, items, MB of the folder, of the database, KB a turn, ms of a start (median of {STARTS})");
    let mut turns = 0;
    for wanted in TURNS {
        let wanted = (wanted as f64 * scale) as usize;
        let service = Process::start(&data);
        service.lift_limits().await;
        turns += ask(&service, wanted - turns).await;
        tokio::time::sleep(TRIMMED_AFTER).await;
        service.stop();
        let (all, database) = (bytes(&data), std::fs::metadata(data.join("dynamodb.sqlite")).unwrap().len());
        let mut starts: Vec<Duration> = (0..STARTS).map(|_| Process::timed(&data)).collect();
        starts.sort();
        let mb = |bytes: u64| bytes as f64 / 1e6;
        println!(
            "{turns}, {}, {:.1}, {:.1}, {:.2}, {}",
            items(&data),
            mb(all),
            mb(database),
            all as f64 / 1e3 / turns as f64,
            starts[STARTS / 2].as_millis()
        );
    }
}

/// Writes at least `turns` turns; returns their number.
async fn ask(service: &Process, turns: usize) -> usize {
    let sessions = turns.div_ceil(2 * QUESTIONS_A_SESSION * CLIENTS);
    let client = |client: usize| async move {
        for session in 0..sessions {
            let id = service.post("/sessions", json!({})).await["sessionId"].as_str().unwrap().to_owned();
            for number in 0..QUESTIONS_A_SESSION {
                let content = format!("{QUESTION} ({client} {session} {number})");
                service.post(&format!("/sessions/{id}/messages"), json!({"content": content})).await;
            }
        }
    };
    join_all((0..CLIENTS).map(client)).await;
    sessions * CLIENTS * QUESTIONS_A_SESSION * 2
}

/// The bytes of all files under a folder.
fn bytes(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    entries
        .map(|entry| if entry.path().is_dir() { bytes(&entry.path()) } else { entry.metadata().unwrap().len() })
        .sum()
}

/// The items of the table.
fn items(data: &Path) -> i64 {
    let connection = rusqlite::Connection::open(data.join("dynamodb.sqlite")).unwrap();
    connection.query_row("SELECT COUNT(*) FROM \"support-assistant\"", (), |row| row.get(0)).unwrap()
}

/// A running service; killed when dropped.
struct Process {
    child: Child,
    http: reqwest::Client,
    url: String,
    key: String,
}

impl Process {
    fn start(data: &Path) -> Self {
        let binary = std::env::var_os("BENCH_BINARY").unwrap_or_else(|| env!("CARGO_BIN_EXE_local").into());
        let mut command = Command::new(PathBuf::from(binary));
        command.args(["--port", "0", "--data"]).arg(data).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the binary");
        let mut said = String::new();
        let mut reader = BufReader::new(child.stdout.take().unwrap());
        while !said.contains("Ctrl-C") {
            assert_ne!(reader.read_line(&mut said).unwrap(), 0, "it ended after {said:?}");
        }
        let env = std::fs::read_to_string(data.join("demo.env")).unwrap();
        let value = |name: &str| {
            env.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('=')).unwrap_or_default().to_owned()
        };
        let (url, key) = (value("SUPPORT_API_URL"), value("SUPPORT_API_KEY"));
        Self { child, http: reqwest::Client::new(), url, key }
    }

    /// How long a start takes, from the spawn until requests are answered.
    fn timed(data: &Path) -> Duration {
        let begun = Instant::now();
        let service = Self::start(data);
        let taken = begun.elapsed();
        service.stop();
        taken
    }

    /// No conversation asks for a human by itself.
    async fn lift_limits(&self) {
        let settings = json!({"maxAiTurns": 1000, "noMatchThreshold": 0});
        let request = self.http.patch(format!("{}/settings", self.url)).bearer_auth(&self.key).json(&settings);
        assert!(request.send().await.unwrap().status().is_success());
    }

    async fn post(&self, path: &str, body: Value) -> Value {
        let request = self.http.post(format!("{}{path}", self.url)).bearer_auth(&self.key).json(&body);
        let response = request.send().await.unwrap();
        assert!(response.status().is_success(), "{path}: {}", response.status());
        response.json().await.unwrap()
    }

    /// Stops it as Ctrl-C does.
    fn stop(mut self) {
        Command::new("kill").args(["-INT", &self.child.id().to_string()]).status().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
