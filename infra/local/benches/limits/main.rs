//! The cost of rate limits and idempotency for a message, and the cost of a busy tenant for a quiet one:
//! `cargo bench -p local --bench limits`.
//!
//! For docs/PERFORMANCE.md. Everything runs in this process. What is compared is interleaved, so that a slow moment of
//! the machine is in all of it. `BENCH_SCALE=0.1` asks fewer questions.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a benchmark that cannot go on says where"
)]

#[path = "../messages/counting.rs"]
mod counting;
mod neighbours;
mod overhead;
mod shop;

/// How often each comparison is repeated.
const ROUNDS: usize = 5;

#[tokio::main]
async fn main() {
    let scale: f64 = std::env::var("BENCH_SCALE").ok().and_then(|text| text.parse().ok()).unwrap_or(1.0);
    overhead::measure(scale).await;
    neighbours::measure(scale).await;
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// The middle, the least and the most.
fn spread(values: &[f64]) -> String {
    let (least, most) = values.iter().fold((f64::MAX, f64::MIN), |(least, most), v| (least.min(*v), most.max(*v)));
    format!("{:.2} ({least:.2} to {most:.2})", median(values.to_vec()))
}
