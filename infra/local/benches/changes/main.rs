//! Changes handled a second, with few and many records: `cargo bench -p local --bench changes`.
//!
//! For docs/PERFORMANCE.md. A change is a created session: it is delivered to one receiver (whose deliveries are held,
//! so that sending is not measured) and counted. The service runs in this process, on an embedded table in a temporary
//! folder. `BENCH_SCALE=0.1` runs a tenth of the changes.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a benchmark that cannot go on says where"
)]

use std::time::{Duration, Instant};

use domain::models::{
    DisabledReason, EncryptedSecret, Mode, Plan, Role, Session, SessionId, Subscription, Timestamp, Webhook,
    WebhookHealth, WebhookId, WebhookStatus,
};
use futures::StreamExt;
use local::{Options, Service, TenantKeys};
use support::table::stream::Record;

/// Changes of one measurement, at scale 1.
const CHANGES: usize = 3_000;
/// Changes before the last measurement, at scale 1, written in batches of this size, for at most this time: on a slower
/// machine there are fewer, and the figures say how many.
const BACKLOG: usize = 100_000;
const BATCH_SIZE: usize = 2_000;
const TIMEOUT: Duration = Duration::from_secs(180);
/// Writers side by side.
const WRITERS: usize = 16;
/// Batches that are handled side by side, as many as the local service and the template have lanes.
const LANES: usize = 10;

#[tokio::main]
async fn main() {
    let scale: f64 = std::env::var("BENCH_SCALE").ok().and_then(|text| text.parse().ok()).unwrap_or(1.0);
    let scaled = |count: usize| ((count as f64 * scale) as usize).max(100);
    let folder = tempfile::tempdir().unwrap();
    let mut options = Options::new(folder.path().join("data"), 0);
    options.demo = false;
    let service = Service::start(options).await.unwrap();
    let tenant = service.create_tenant("bench", Plan::Pro).await.unwrap();
    receiver(&service, &tenant).await;
    written(&service, &tenant, scaled(CHANGES) / 5).await;

    println!("changes a second\nchanges behind, written and followed, followed alone");
    measure(&service, &tenant, 0, scaled(CHANGES)).await;
    let (begun, mut backlog) = (Instant::now(), 0);
    while backlog < scaled(BACKLOG) && begun.elapsed() < TIMEOUT {
        let batch = BATCH_SIZE.min(scaled(BACKLOG) - backlog);
        written(&service, &tenant, batch).await;
        backlog += batch;
    }
    measure(&service, &tenant, backlog, scaled(CHANGES)).await;
    service.stop().await;
}

async fn measure(service: &Service, tenant: &TenantKeys, backlog: usize, changes: usize) {
    let through = written(service, tenant, changes).await;
    let alone = followed(service, changes).await;
    println!("{backlog}, {through:.0}, {alone:.0}");
}

/// A receiver of everything, whose deliveries are made and held.
async fn receiver(service: &Service, tenant: &TenantKeys) {
    let at = Timestamp::from_millis(1);
    let webhook = Webhook {
        webhook_id: WebhookId::from_parts(at, 1),
        url: "https://receiver.example/hook".into(),
        events: Subscription::All,
        description: None,
        status: WebhookStatus::Active,
        disabled_reason: None,
        disabled_at: None,
        secret: EncryptedSecret("none".into()),
        secret_hint: Some("none".into()),
        retired_secrets: Vec::new(),
        format: domain::models::WebhookFormat::Events,
        created_at: at,
        updated_at: at,
        health: WebhookHealth::default(),
        version: 1,
    };
    let held = webhook.disabled(DisabledReason::Manual, at);
    service.resources().store.webhooks().create(&tenant.scope(Mode::Live), &held, None).await.unwrap();
}

/// Changes a second that were written and followed, from the first write until everything is at rest.
async fn written(service: &Service, tenant: &TenantKeys, changes: usize) -> f64 {
    let begun = Instant::now();
    let (resources, scope, pattern) = (service.resources(), tenant.scope(Mode::Live), pattern(service, tenant).await);
    let writes = (0..changes).map(|_| async {
        let session = Session { session_id: SessionId::generate(&resources.runtime).unwrap(), ..pattern.clone() };
        resources.store.sessions().create(&scope, &session, None).await.unwrap();
    });
    futures::stream::iter(writes).buffer_unordered(WRITERS).collect::<Vec<_>>().await;
    service.drain().await.unwrap();
    changes as f64 / begun.elapsed().as_secs_f64()
}

/// Changes a second that are followed, with nothing else going on: the newest records, under names of their own.
async fn followed(service: &Service, changes: usize) -> f64 {
    let records = service.stream_records().await.unwrap();
    let newest = records.into_iter().rev().filter(Record::is_consumed).take(changes);
    let records: Vec<Record> =
        newest.map(|record| Record { event_id: format!("{}a", record.event_id), ..record }).collect();
    assert!(records.len() * 2 > changes, "the stream keeps only {} records", records.len());
    let begun = Instant::now();
    let worker = support::changes::app(service.resources()).await.unwrap();
    let batches = records.chunks(100).map(|batch| support::changes::handle(&worker, batch.to_vec()));
    let failed: Vec<_> = futures::stream::iter(batches).buffer_unordered(LANES).collect().await;
    assert!(failed.iter().all(Option::is_none));
    records.len() as f64 / begun.elapsed().as_secs_f64()
}

/// A session like any other, to be made again under other ids.
async fn pattern(service: &Service, tenant: &TenantKeys) -> Session {
    let request = reqwest::Client::new().post(format!("{}/sessions", service.url()));
    let request = request.bearer_auth(tenant.key(Mode::Live, Role::Integration)).json(&serde_json::json!({}));
    let made: serde_json::Value = request.send().await.unwrap().json().await.unwrap();
    let id = SessionId::parse(made["sessionId"].as_str().unwrap()).unwrap();
    service.resources().store.sessions().get(&tenant.scope(Mode::Live), &id).await.unwrap().unwrap()
}
