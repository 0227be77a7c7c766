//! Clients that ask one question after the other, and their latencies.

use std::time::{Duration, Instant};

use futures::future::join_all;
use serde_json::json;

use crate::process::Process;
use crate::wiki::question;

/// So many clients, each in sessions of its own.
pub(crate) struct Load {
    pub(crate) clients: usize,
    pub(crate) turns_a_session: usize,
    pub(crate) questions: usize,
}

/// The waiting time of each answer, and the time of all of them together.
pub(crate) struct Waits {
    each: Vec<Duration>,
    all: Duration,
    /// The service's processor time in milliseconds for each message, with its share of opening a session and all that
    /// follows from it.
    processor_ms: f64,
}

impl Load {
    pub(crate) async fn run(&self, service: &Process, entries: usize) -> Waits {
        let each = self.questions / self.clients;
        self.client(service, 0, entries, (each / 10).max(10)).await;
        let (before, start) = (service.processor_ms().await, Instant::now());
        let waits = join_all((0..self.clients).map(|client| self.client(service, client, entries, each))).await;
        let all = start.elapsed();
        let processor_ms = (service.processor_ms().await - before) / (each * self.clients) as f64;
        Waits { each: waits.into_iter().flatten().collect(), all, processor_ms }
    }

    /// One client's waits; opening a session is not among them, but among the time that all took.
    async fn client(&self, service: &Process, client: usize, entries: usize, questions: usize) -> Vec<Duration> {
        let mut waits = Vec::with_capacity(questions);
        let mut session = String::new();
        for number in 0..questions {
            if number % (self.turns_a_session / 2) == 0 {
                session = service.session().await;
            }
            waits.push(ask(service, &session, (client * 7_919 + number) % entries).await);
        }
        waits
    }
}

/// Asks in sessions that have `turns` turns already.
pub(crate) async fn run_on_long_sessions(
    service: &Process,
    sessions: usize,
    turns: usize,
    questions_asked: usize,
) -> Waits {
    let (mut each, before) = (Vec::new(), service.processor_ms().await);
    for _ in 0..sessions {
        let session = service.session().await;
        for number in 0..turns / 2 {
            ask(service, &session, number % 500).await;
        }
        for number in 0..questions_asked {
            each.push(ask(service, &session, number % 500).await);
        }
    }
    let messages = sessions * (turns / 2 + questions_asked);
    let processor_ms = (service.processor_ms().await - before) / messages as f64;
    Waits { all: each.iter().sum(), each, processor_ms }
}

async fn ask(service: &Process, session: &str, entry: usize) -> Duration {
    let path = format!("/sessions/{session}/messages");
    let start = Instant::now();
    let answer = service.post(&path, json!({"content": question(entry)})).await;
    let wait = start.elapsed();
    assert_eq!(answer["sources"][0]["path"], format!("bench/e{entry}"), "{answer}");
    wait
}

impl Waits {
    pub(crate) fn print(mut self, name: &str) {
        self.each.sort_unstable();
        let at = |part: f64| self.each[((self.each.len() - 1) as f64 * part) as usize].as_secs_f64() * 1_000.0;
        let rate = self.each.len() as f64 / self.all.as_secs_f64();
        println!("  {name:>6}  {:7.2}  {:7.2}  {rate:7.0}  {:7.2}", at(0.5), at(0.99), self.processor_ms);
    }
}
