//! How fast a manager gets the figures of 90 days of a tenant with a million sessions: `cargo bench -p local --bench
//! analytics`. The service runs in this process; one client asks for one report after the other.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a benchmark that cannot go on says where"
)]

use std::time::Instant;

use local::{Options, Service};
use shared::models::{Day, Mode, Plan, Role, Scope};
use shared::statistics::{Counter, Increment};

/// Sessions in all.
const SESSIONS: i64 = 1_000_000;
/// Stream records that the counters are made of, for each day: all shards have some.
const RECORDS_A_DAY: i64 = 64;
/// Days.
const DAYS: i64 = 90;
/// Reports that are asked for.
const REPORTS: usize = 500;

#[tokio::main]
async fn main() {
    let folder = tempfile::tempdir().unwrap();
    let mut options = Options::new(folder.path().join("data"), 0);
    options.demo = false;
    let service = Service::start(options).await.unwrap();
    let tenant = service.create_tenant("bench", Plan::Pro).await.unwrap();
    fill(&service, &tenant.scope(Mode::Live)).await;
    let key = tenant.key(Mode::Live, Role::Agent);
    println!("a million sessions' counters: days, p50 ms, p99 ms");
    for days in [1, 30, DAYS] {
        let mut times = reports(service.url(), key, days).await;
        times.sort_by(f64::total_cmp);
        println!("{days:>8} {:>8.2} {:>8.2}", times[times.len() / 2], times[times.len() * 99 / 100]);
    }
    service.stop().await;
}

/// Every counter of every day and shard, together as much as a million sessions leave.
async fn fill(service: &Service, scope: &Scope) {
    let today = Day::of(service.ctx().ambient.now());
    let amount = SESSIONS / DAYS / RECORDS_A_DAY;
    for day in 0..DAYS {
        let day = today.plus(-day);
        for record in 0..RECORDS_A_DAY {
            let increment = |counter: &Counter| Increment { day, counter: *counter, amount };
            let increments: Vec<Increment> = Counter::ALL.iter().map(increment).collect();
            let record = format!("bench {day} {record}");
            assert!(service.ctx().store.statistics().add(scope, &record, &increments).await.unwrap());
        }
    }
}

/// Milliseconds of each report.
async fn reports(url: &str, key: &str, days: i64) -> Vec<f64> {
    let http = reqwest::Client::new();
    let mut times = Vec::new();
    for _ in 0..REPORTS {
        let start = Instant::now();
        let request = http.get(format!("{url}/analytics?days={days}")).bearer_auth(key);
        let body: serde_json::Value = request.send().await.unwrap().json().await.unwrap();
        times.push(start.elapsed().as_secs_f64() * 1_000.0);
        assert!(body["totalSessions"].as_i64().unwrap() > 0, "{body}");
    }
    times
}
