//! The latency of an answer, by clients, turns and entries: `cargo bench -p local --bench messages`.
//!
//! For docs/PERFORMANCE.md. The service runs as a process of its own, the clients in this one, both on the same
//! machine. `BENCH_SCALE=0.1` asks a tenth of the questions.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a benchmark that cannot go on says where"
)]

mod counting;
mod load;
mod process;
mod table_calls;
mod wiki;

use load::Load;
use process::Process;

/// How many questions each measurement asks, at scale 1.
const QUESTIONS: usize = 3_000;

#[tokio::main]
async fn main() {
    let scale: f64 = std::env::var("BENCH_SCALE").ok().and_then(|text| text.parse().ok()).unwrap_or(1.0);
    let questions = ((QUESTIONS as f64 * scale) as usize).max(20);
    clients(questions).await;
    sessions(questions).await;
    wikis(questions, scale).await;
    table_calls::measure().await;
}

/// 1, 8 and 64 clients on 500 entries, sessions of up to 10 turns.
async fn clients(questions: usize) {
    let service = Process::start();
    wiki::fill(&service, 500).await;
    let idle = service.resident_mib();
    println!("\n500 entries: clients, p50 ms, p99 ms, requests a second, processor ms a message");
    for clients in [1, 8, 64] {
        let load = Load { clients, turns_a_session: 10, questions: questions.max(clients * 20) };
        load.run(&service, 500).await.print(&clients.to_string());
    }
    println!("resident MiB before and after: {idle:.0}, {:.0}", service.resident_mib());
}

/// One client in sessions that have 10 and 1,000 turns.
async fn sessions(questions: usize) {
    let service = Process::start();
    wiki::fill(&service, 500).await;
    println!("\nturns of the session, p50 ms, p99 ms, requests a second, processor ms a message");
    for turns in [10, 1_000] {
        let sessions = if turns == 10 { (questions / 5).min(100) } else { 1 };
        let questions_asked = if turns == 10 { 5 } else { (questions / 5).min(500) };
        load::run_on_long_sessions(&service, sessions, turns, questions_asked).await.print(&turns.to_string());
    }
}

/// One client on wikis of 100 and of 10,000 entries.
async fn wikis(questions: usize, scale: f64) {
    println!("\nentries, p50 ms, p99 ms, requests a second, processor ms a message");
    for entries in [100, (10_000.0 * scale) as usize] {
        let service = Process::start();
        wiki::fill(&service, entries).await;
        let load = Load { clients: 1, turns_a_session: 10, questions: questions / 2 };
        load.run(&service, entries).await.print(&entries.to_string());
        println!("  resident MiB: {:.0}", service.resident_mib());
    }
}
