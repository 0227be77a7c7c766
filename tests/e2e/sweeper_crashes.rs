//! A due item that ends the sweeper's process at every attempt delays others only briefly and becomes a dead letter.

use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use local::Resources;
use support::sweeper::crashes::MAX_CRASHES;
use support::sweeper::table::DueItem;
use support::sweeper::{Dispatcher, SweepResult, dispatcher, sweep_with};
use support::table::keys::DUE_SHARDS;
use tokio::sync::Notify;

use crate::support::TestService;

const MINUTE_MS: i64 = 60_000;
const DAY_MS: i64 = 86_400_000;

/// Handles due items, but stands for a crash at items whose name contains a text.
struct CrashingSweeper {
    dispatch: Dispatcher,
    crashed: Arc<Notify>,
}

impl CrashingSweeper {
    async fn of(service: &TestService, text: &str) -> Self {
        let (dispatch, crashed, text) =
            (dispatcher(&service.sweeper().await), Arc::new(Notify::new()), text.to_owned());
        let crashing = Arc::clone(&crashed);
        let dispatch: Dispatcher = Arc::new(move |item| {
            if !item.name().contains(&text) {
                return dispatch(item);
            }
            crashing.notify_one();
            Box::pin(pending())
        });
        Self { dispatch, crashed }
    }

    /// Sweeps once, as a run of the function does; `None` if it crashed; its writes stay.
    async fn sweep(&self, service: &TestService) -> Option<SweepResult> {
        let sweeper = service.sweeper().await;
        tokio::select! {
            biased;
            () = self.crashed.notified() => None,
            swept = sweep_with(&sweeper, &self.dispatch) => Some(swept.unwrap()),
        }
    }
}

async fn closed(service: &TestService, sessions: &[String]) -> usize {
    let mut closed = 0;
    for session in sessions {
        let read = service.integration().get(&format!("/sessions/{session}")).await;
        closed += usize::from(read.expect(200)["ownership"] == "closed");
    }
    closed
}

/// Everything that is due within `ms`.
async fn due_within(resources: &Resources, ms: i64) -> Vec<DueItem> {
    let until = resources.runtime.now().plus_millis(ms);
    let mut items = Vec::new();
    for shard in 0..DUE_SHARDS {
        items.extend(resources.store.due().list(shard, until, None, 1_000).await.unwrap().items);
    }
    items
}

/// Everything that has a place in the due index, due or not.
async fn places(service: &TestService) -> Vec<DueItem> {
    due_within(service.resources(), 1_000 * DAY_MS).await
}

async fn sessions(service: &TestService, count: usize) -> Vec<String> {
    let mut sessions = Vec::new();
    for _ in 0..count {
        sessions.push(service.integration().session().await);
    }
    sessions
}

#[tokio::test]
async fn an_item_that_crashes_the_process_at_every_attempt_becomes_a_dead_letter_and_the_others_are_done() {
    let service = TestService::start().await;
    let others = sessions(&service, 40).await;
    let killer = service.integration().session().await;
    let crashing = CrashingSweeper::of(&service, &killer).await;
    service.clock.advance(DAY_MS);
    let (mut crashes, mut minutes, mut all_done) = (0, 0, None);
    while service.dead_letters("due").is_empty() {
        assert!(minutes <= 12, "after {crashes} crashes it is no dead letter");
        crashes += usize::from(crashing.sweep(&service).await.is_none());
        if all_done.is_none() && closed(&service, &others).await == others.len() {
            all_done = Some(minutes);
        }
        minutes += 1;
        service.clock.advance(MINUTE_MS);
    }
    assert!(
        all_done.is_some_and(|minutes| minutes <= 5),
        "the others were done after {all_done:?} of {minutes} minutes"
    );
    // Two runs crash before a third detects it.
    assert_eq!(crashes, 2 + MAX_CRASHES as usize);
    let letters = service.dead_letters("due");
    assert!(letters.len() == 1 && letters[0]["item"].to_string().contains(&killer), "{letters:?}");
    assert!(places(&service).await.iter().all(|item| !item.name().contains(&killer)), "it is due still");
    assert!(places(&service).await.iter().all(|item| item.crashes == 0), "an innocent item counts a crash");
    for _ in 0..3 {
        service.clock.advance(DAY_MS);
        assert!(crashing.sweep(&service).await.is_some(), "it came back");
    }
}

#[tokio::test]
async fn a_sweep_after_a_crash_leaves_every_item_as_any_sweep_does() {
    let service = TestService::start().await;
    sessions(&service, 6).await;
    service.clock.advance(DAY_MS);
    let before = places(&service).await;
    for (fails, moved) in [(false, 0), (true, 60_000)] {
        let run = service.resources().store.sweep_runs().begin(service.resources().runtime.now()).await.unwrap();
        service.clock.advance(2 * MINUTE_MS);
        let (noted, resources) = (Arc::new(AtomicUsize::new(0)), service.resources().clone());
        let seen = Arc::clone(&noted);
        // No other run finds an item due while it is handled.
        let dispatch: Dispatcher = Arc::new(move |item: DueItem| {
            let (seen, resources) = (Arc::clone(&seen), resources.clone());
            Box::pin(async move {
                let is_due = due_within(&resources, 0).await.iter().any(|other| other.name() == item.name());
                seen.fetch_add(usize::from(!is_due), Ordering::SeqCst);
                if fails { Err(domain::Error::unavailable("not now")) } else { Ok(()) }
            })
        });
        let now = service.resources().runtime.now();
        let swept = sweep_with(&service.sweeper().await, &dispatch).await.unwrap();
        assert_eq!((swept.items, swept.failed, noted.load(Ordering::SeqCst)), (6, if fails { 6 } else { 0 }, 6));
        let after = places(&service).await;
        assert_eq!(after.len(), before.len());
        for item in after {
            let seen = before.iter().find(|other| other.name() == item.name()).unwrap();
            let at = if fails { now } else { seen.at };
            assert!(item.crashes == 0 && item.at.millis_since(at) >= moved && item.at.millis_since(at) < moved + 5_000);
        }
        assert!(
            !service.resources().store.sweep_runs().list_unfinished().await.unwrap().contains(&run),
            "the crashed run is still recorded"
        );
    }
}

#[tokio::test]
async fn an_item_that_panics_is_rescheduled_and_the_others_are_done() {
    let service = TestService::start().await;
    let others = sessions(&service, 20).await;
    let panics = service.integration().session().await;
    service.clock.advance(DAY_MS);
    let (inner, bad) = (dispatcher(&service.sweeper().await), panics.clone());
    let dispatch: Dispatcher = Arc::new(move |item| {
        assert!(!item.name().contains(&bad), "poison");
        inner(item)
    });
    let swept = sweep_with(&service.sweeper().await, &dispatch).await.unwrap();
    assert_eq!((swept.items, swept.failed), (21, 1));
    assert_eq!(closed(&service, &others).await, others.len());
    assert_eq!(sweep_with(&service.sweeper().await, &dispatch).await.unwrap().items, 0, "it is not rescheduled");
    service.clock.advance(MINUTE_MS);
    assert_eq!(service.sweep().await.items, 1);
    assert_eq!(closed(&service, &[panics]).await, 1);
}
