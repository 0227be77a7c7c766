//! A message with and without the limits of the API and an `Idempotency-Key`, of a key and of widgets.

use local::{RateLimits, TenantKeys};

use crate::shop::Shop;
use crate::{ROUNDS, median, spread};

/// Messages of a visitor, which is what a visitor may send in a minute.
const MESSAGES_EACH: usize = 20;

/// The measurements of one way to send messages.
#[derive(Default)]
struct Measured {
    /// The p50 of each round, milliseconds.
    p50s: Vec<f64>,
    /// Read and write units of a message, of each round.
    units: Vec<f64>,
}

pub(crate) async fn measure(scale: f64) {
    let sessions = ((3.0 * scale) as usize).max(1);
    // Limits too large to be stored: nothing is written of them.
    let (free, limited) = (Shop::start(RateLimits::PerMinute(1_000_000)).await, Shop::start(RateLimits::Real).await);
    let tenants = [free.tenant().await, limited.tenant().await];
    println!("\na message: p50 ms, median of {ROUNDS} rounds (least to most); units of the table");
    for (caller, is_widget) in [("a key", false), ("a widget", true)] {
        let ways = [(&free, 0, false), (&limited, 1, false), (&free, 0, true), (&limited, 1, true)];
        let mut all: [Measured; 4] = Default::default();
        for round in 0..=ROUNDS {
            for (way, (shop, tenant, idempotent)) in ways.into_iter().enumerate() {
                let (p50, units) = one_round(shop, &tenants[tenant], is_widget, idempotent, sessions).await;
                // The first round warms up.
                if round > 0 {
                    all[way].p50s.push(p50);
                    all[way].units.push(units);
                }
            }
        }
        let names = ["neither", "rate limits", "Idempotency-Key", "both"];
        let (base, base_units) = (median(all[0].p50s.clone()), median(all[0].units.clone()));
        for (name, measured) in names.into_iter().zip(&all) {
            let ratio = median(measured.p50s.clone()) / base;
            let more = median(measured.units.clone()) - base_units;
            let (p50s, units) = (spread(&measured.p50s), spread(&measured.units));
            println!("  {caller}, {name}: {p50s} ms, {ratio:.2} x; {units} units, {more:+.2}");
        }
    }
    free.service.stop().await;
    limited.service.stop().await;
}

async fn one_round(shop: &Shop, tenant: &TenantKeys, is_widget: bool, idempotent: bool, sessions: usize) -> (f64, f64) {
    let (mut took, mut units) = (Vec::new(), 0.0);
    for _ in 0..sessions {
        let asker = if is_widget { shop.widget(tenant).await } else { shop.key(tenant).await };
        shop.service.drain().await.unwrap();
        shop.calls.take();
        for number in 0..MESSAGES_EACH {
            let (status, ms) = shop.ask(&asker, idempotent.then(|| format!("message-{number}"))).await;
            assert_eq!(status, 200);
            took.push(ms);
        }
        units += shop.calls.take().iter().map(|call| call.units).sum::<f64>();
    }
    let messages = took.len() as f64;
    (median(took), units / messages)
}
