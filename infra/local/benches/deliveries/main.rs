//! The latency from a change to its delivery, and deliveries a second: `cargo bench -p local --bench deliveries`.
//!
//! For docs/PERFORMANCE.md. A change is a session that is created over HTTP; its receivers are on this machine and
//! respond at once. The time is from just before the request until the receiver has read the delivery, so it includes
//! the request. The service runs in this process, on an embedded table in a temporary folder. `BENCH_SCALE=0.1` runs a
//! tenth of it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a benchmark that cannot go on says where"
)]

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::routing::post;
use domain::models::{Mode, Plan, Role};
use futures::StreamExt;
use local::{Options, Service, TenantKeys};
use serde_json::{Value, json};
use tokio::sync::mpsc;

/// Changes one after the other, at scale 1.
const ALONE: usize = 300;
/// Changes side by side, at scale 1, and how many at once.
const TOGETHER: usize = 600;
const WRITERS: usize = 16;
/// How many receivers hear of each change.
const RECEIVERS: [usize; 3] = [1, 5, 20];

#[tokio::main]
async fn main() {
    let scale: f64 = std::env::var("BENCH_SCALE").ok().and_then(|text| text.parse().ok()).unwrap_or(1.0);
    let scaled = |count: usize| ((count as f64 * scale) as usize).max(20);
    println!("receivers, change to delivery p50 ms, p99 ms, deliveries a second");
    for receivers in RECEIVERS {
        let mut bench = Bench::start(receivers).await;
        bench.together(scaled(TOGETHER) / 10).await;
        let (p50, p99) = bench.alone(scaled(ALONE)).await;
        let rate = bench.together(scaled(TOGETHER)).await;
        println!("{receivers}, {p50:.1}, {p99:.1}, {rate:.0}");
        bench.service.stop().await;
    }
}

/// A service whose only tenant has receivers.
struct Bench {
    service: Service,
    tenant: TenantKeys,
    http: reqwest::Client,
    receivers: usize,
    caught: mpsc::UnboundedReceiver<Instant>,
    _folder: tempfile::TempDir,
}

impl Bench {
    async fn start(receivers: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut options = Options::new(folder.path().join("data"), 0);
        options.demo = false;
        let service = Service::start(options).await.unwrap();
        let tenant = service.create_tenant("bench", Plan::Pro).await.unwrap();
        let (catch, caught) = mpsc::unbounded_channel();
        let bench = Self { service, tenant, http: reqwest::Client::new(), receivers, caught, _folder: folder };
        let address = listen(catch).await;
        for number in 0..receivers {
            let body = json!({
                "url": format!("http://{address}/{number}"), "events": ["session.created"], "secret": "a-secret-for-this",
            });
            bench.send("POST", "/webhooks", body).await;
        }
        bench
    }

    /// Changes one after the other, each after the previous one was delivered to all receivers; milliseconds until the
    /// first delivery.
    async fn alone(&mut self, changes: usize) -> (f64, f64) {
        let mut took = Vec::new();
        for _ in 0..changes {
            let begun = Instant::now();
            self.change().await;
            let first = self.caught.recv().await.unwrap();
            took.push(first.duration_since(begun).as_secs_f64() * 1_000.0);
            for _ in 1..self.receivers {
                self.caught.recv().await.unwrap();
            }
        }
        took.sort_by(f64::total_cmp);
        (took[took.len() / 2], took[took.len() * 99 / 100])
    }

    /// Changes side by side; deliveries a second until the last has arrived.
    async fn together(&mut self, changes: usize) -> f64 {
        let begun = Instant::now();
        let deliveries = changes * self.receivers;
        let this = &*self;
        let made = (0..changes).map(|_| this.change());
        futures::stream::iter(made).buffer_unordered(WRITERS).collect::<Vec<_>>().await;
        for arrived in 0..deliveries {
            let next = tokio::time::timeout(Duration::from_secs(60), self.caught.recv()).await;
            assert!(next.is_ok(), "only {arrived} of {deliveries} deliveries arrived");
        }
        deliveries as f64 / begun.elapsed().as_secs_f64()
    }

    async fn change(&self) {
        self.send("POST", "/sessions", json!({})).await;
    }

    async fn send(&self, method: &str, path: &str, body: Value) {
        let request = self.http.request(method.parse().unwrap(), format!("{}{path}", self.service.url()));
        let request = request.bearer_auth(self.tenant.key(Mode::Live, Role::Admin)).json(&body);
        let response = request.send().await.unwrap();
        let status = response.status();
        let said = response.text().await.unwrap();
        assert!(status.is_success(), "{method} {path}: {status} {said}");
    }
}

/// Receivers of deliveries on a port of their own: they note when each one has arrived, and answer at once.
async fn listen(catch: mpsc::UnboundedSender<Instant>) -> std::net::SocketAddr {
    let receive = |State(catch): State<Arc<mpsc::UnboundedSender<Instant>>>, _: Bytes| async move {
        catch.send(Instant::now()).ok();
    };
    let router = Router::new().route("/{receiver}", post(receive)).with_state(Arc::new(catch));
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}
