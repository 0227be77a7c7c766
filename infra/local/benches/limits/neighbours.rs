//! A quiet tenant alone, and beside one that asks at ten times its limit.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use local::RateLimits;
use tokio::time::{MissedTickBehavior, interval};

use crate::shop::{Asker, Shop};
use crate::{ROUNDS, median, spread};

/// Ten times the 600 calls a minute of a key.
const FLOOD_PERIOD: Duration = Duration::from_millis(10);
/// The quiet tenant asks so often.
const QUIET_PERIOD: Duration = Duration::from_millis(100);

pub(crate) async fn measure(scale: f64) {
    let questions = ((40.0 * scale) as usize).max(10);
    let shop = Arc::new(Shop::start(RateLimits::Real).await);
    let (quiet, noisy) = (shop.tenant().await, shop.tenant().await);
    let (quiet, noisy) = (shop.key(&quiet).await, shop.key(&noisy).await);
    // The noisy tenant spends what its full bucket allows at once.
    while shop.ask(&noisy, None).await.0 != 429 {}
    quiet_p50(&shop, &quiet, questions).await;
    let (mut alone, mut beside) = (Vec::new(), Vec::new());
    let (mut passed, mut refused) = (0, 0);
    for _ in 0..ROUNDS {
        alone.push(quiet_p50(&shop, &quiet, questions).await);
        let flood = Flood::start(&shop, &noisy);
        beside.push(quiet_p50(&shop, &quiet, questions).await);
        let counted = flood.stop().await;
        passed += counted.0;
        refused += counted.1;
    }
    let ratios: Vec<f64> = alone.iter().zip(&beside).map(|(alone, beside)| beside / alone).collect();
    println!("\na quiet tenant's message, p50 ms of {ROUNDS} interleaved runs, median (least to most)");
    println!("  alone: {}", spread(&alone));
    println!(
        "  beside a tenant at ten times its limit ({passed} calls passed, {refused} refused): {}",
        spread(&beside)
    );
    let medians = median(beside) / median(alone);
    println!("  ratio of the medians {medians:.2}; of each run: {}", spread(&ratios));
    Arc::into_inner(shop).expect("the flood has ended").service.stop().await;
}

async fn quiet_p50(shop: &Shop, quiet: &Asker, questions: usize) -> f64 {
    let (mut took, mut ticks) = (Vec::new(), interval(QUIET_PERIOD));
    for _ in 0..questions {
        ticks.tick().await;
        let (status, ms) = shop.ask(quiet, None).await;
        assert_eq!(status, 200);
        took.push(ms);
    }
    median(took)
}

/// Calls at a steady rate, whatever becomes of them.
struct Flood {
    stopped: Arc<AtomicBool>,
    calls: tokio::task::JoinHandle<(usize, usize)>,
}

impl Flood {
    fn start(shop: &Arc<Shop>, noisy: &Asker) -> Self {
        let stopped = Arc::new(AtomicBool::new(false));
        let (shop, noisy, until) = (shop.clone(), noisy.clone(), stopped.clone());
        let calls = tokio::spawn(async move {
            let (passed, refused) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
            let (mut ticks, mut running) = (interval(FLOOD_PERIOD), tokio::task::JoinSet::new());
            ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
            while !until.load(Ordering::Relaxed) {
                ticks.tick().await;
                let (shop, noisy) = (shop.clone(), noisy.clone());
                let (passed, refused) = (passed.clone(), refused.clone());
                running.spawn(async move {
                    let is_refused = shop.ask(&noisy, None).await.0 == 429;
                    if is_refused { &refused } else { &passed }.fetch_add(1, Ordering::Relaxed);
                });
            }
            running.join_all().await;
            (passed.load(Ordering::Relaxed), refused.load(Ordering::Relaxed))
        });
        Self { stopped, calls }
    }

    async fn stop(self) -> (usize, usize) {
        self.stopped.store(true, Ordering::Relaxed);
        self.calls.await.unwrap()
    }
}
