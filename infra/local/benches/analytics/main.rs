//! The latency of a report over 1, 30 and 90 days for a tenant with a million sessions: `cargo bench -p local --bench
//! analytics`. The service runs in this process; one client requests one report after the other. `BENCH_SCALE=0.1` runs
//! a tenth of the reports over a tenth of the records.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a benchmark that cannot go on says where"
)]

use std::time::Instant;

use domain::models::{Day, Mode, Plan, Role, Scope};
use domain::statistics::{Counter, Increment};
use local::{Options, Service};
use support::analytics::table::CountedRecord;

/// Sessions in all.
const SESSIONS: i64 = 1_000_000;
/// Stream records for the counters, for each day, at scale 1: all shards have some.
const RECORDS_A_DAY: i64 = 64;
const DAYS: i64 = 90;
/// Reports that are asked for, at scale 1.
const REPORTS: usize = 500;

#[tokio::main]
async fn main() {
    let scale: f64 = std::env::var("BENCH_SCALE").ok().and_then(|text| text.parse().ok()).unwrap_or(1.0);
    let records = ((RECORDS_A_DAY as f64 * scale) as i64).max(1);
    let count = ((REPORTS as f64 * scale) as usize).max(20);
    let folder = tempfile::tempdir().unwrap();
    let mut options = Options::new(folder.path().join("data"), 0);
    options.demo = false;
    let service = Service::start(options).await.unwrap();
    let tenant = service.create_tenant("bench", Plan::Pro).await.unwrap();
    fill(&service, &tenant.scope(Mode::Live), records).await;
    let key = tenant.key(Mode::Live, Role::Agent);
    println!("a million sessions' counters: days, p50 ms, p99 ms");
    for days in [1, 30, DAYS] {
        let mut times = reports(service.url(), key, days, count).await;
        times.sort_by(f64::total_cmp);
        println!("{days:>8} {:>8.2} {:>8.2}", times[times.len() / 2], times[times.len() * 99 / 100]);
    }
    service.stop().await;
}

/// Every counter of every day and shard, together as much as a million sessions leave.
async fn fill(service: &Service, scope: &Scope, records: i64) {
    let today = Day::of(service.resources().runtime.now());
    let amount = SESSIONS / DAYS / records;
    for day in 0..DAYS {
        let day = today.plus(-day);
        for record in 0..records {
            let increment = |counter: &Counter| Increment { day, cell: (*counter).into(), amount };
            let increments: Vec<Increment> = Counter::ALL.iter().map(increment).collect();
            let record = CountedRecord { id: format!("bench {day} {record}"), at: day.start(), increments };
            assert!(service.resources().store.statistics().add(scope, &[record]).await.unwrap());
        }
    }
}

/// Milliseconds of each report.
async fn reports(url: &str, key: &str, days: i64, count: usize) -> Vec<f64> {
    let http = reqwest::Client::new();
    let mut times = Vec::new();
    for _ in 0..count {
        let start = Instant::now();
        let request = http.get(format!("{url}/analytics?days={days}")).bearer_auth(key);
        let body: serde_json::Value = request.send().await.unwrap().json().await.unwrap();
        times.push(start.elapsed().as_secs_f64() * 1_000.0);
        assert!(body["totalSessions"].as_i64().unwrap() > 0, "{body}");
    }
    times
}
