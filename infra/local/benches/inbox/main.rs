//! The latency of a takeover, and of the inbox list: `cargo bench -p local --bench inbox`.
//!
//! For docs/PERFORMANCE.md. The service runs as a process of its own, the agents in this one, both on the same machine.
//! `BENCH_SCALE=0.1` uses a tenth of the waiting customers.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a benchmark that cannot go on says where"
)]

#[path = "../messages/process.rs"]
mod process;

use std::time::{Duration, Instant};

use futures::StreamExt;
use futures::future::join_all;
use process::Process;
use reqwest::Method;
use serde_json::json;

/// How many wait in a long queue, at scale 1.
const MANY: usize = 10_000;
/// How many takeovers each measurement makes.
const TAKEOVERS: usize = 500;

#[tokio::main]
async fn main() {
    let scale: f64 = std::env::var("BENCH_SCALE").ok().and_then(|text| text.parse().ok()).unwrap_or(1.0);
    let many = ((MANY as f64 * scale) as usize).max(TAKEOVERS * 2);
    println!("\nwaiting, agents, p50 ms, p99 ms, takeovers a second");
    let few = Process::start();
    takeovers_of_few(&few, 10).await;
    drop(few);
    let service = Process::start();
    ask_for_humans(&service, many).await;
    list(&service, "pending", 100).await;
    takeovers(&service, many, 1, TAKEOVERS).await;
    takeovers(&service, many - TAKEOVERS, 16, TAKEOVERS).await;
    list(&service, "claimed", 100).await;
    println!("  resident MiB: {:.0}", service.resident_mib());
}

/// Opens sessions with a question each and asks for a human.
async fn ask_for_humans(service: &Process, count: usize) {
    let one = |_| async move {
        let session = service.session().await;
        service.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await;
    };
    futures::stream::iter(0..count).map(one).buffer_unordered(16).collect::<Vec<()>>().await;
}

async fn takeover(service: &Process) -> Duration {
    let start = Instant::now();
    service.post("/inbox/takeover", json!({})).await;
    start.elapsed()
}

/// Each customer who is taken is followed by another, so that as many wait each time.
async fn takeovers_of_few(service: &Process, waiting: usize) {
    ask_for_humans(service, waiting).await;
    let mut waits = Vec::new();
    for _ in 0..TAKEOVERS {
        waits.push(takeover(service).await);
        ask_for_humans(service, 1).await;
    }
    let all = waits.iter().sum();
    print(waiting, 1, waits, all);
}

async fn takeovers(service: &Process, waiting: usize, agents: usize, count: usize) {
    let start = Instant::now();
    let agent = |_| async move {
        let mut waits = Vec::new();
        for _ in 0..count / agents {
            waits.push(takeover(service).await);
        }
        waits
    };
    let waits: Vec<Duration> = join_all((0..agents).map(agent)).await.into_iter().flatten().collect();
    print(waiting, agents, waits, start.elapsed());
}

async fn list(service: &Process, status: &str, times: usize) {
    let mut waits = Vec::new();
    for _ in 0..times {
        let start = Instant::now();
        service.send(Method::GET, &format!("/inbox?status={status}"), json!({})).await;
        waits.push(start.elapsed());
    }
    let (p50, p99) = percentiles(waits);
    println!("  list of {status}: p50 {p50:.2} ms, p99 {p99:.2} ms");
}

fn percentiles(mut waits: Vec<Duration>) -> (f64, f64) {
    waits.sort_unstable();
    let at = |part: f64| waits[((waits.len() - 1) as f64 * part) as usize].as_secs_f64() * 1_000.0;
    (at(0.5), at(0.99))
}

fn print(waiting: usize, agents: usize, waits: Vec<Duration>, all: Duration) {
    let rate = waits.len() as f64 / all.as_secs_f64();
    let (p50, p99) = percentiles(waits);
    println!("  {waiting:>6}  {agents:>3}  {p50:7.2}  {p99:7.2}  {rate:6.0}");
}
