//! Days of retries and of retention, with as many deliveries and sessions as `SUPPORT_TEST_OPERATIONS` requests; a few
//! without it.

use std::collections::BTreeMap;

use serde_json::json;

use crate::support::{Answers, Fault, Faults, Receiver, Target, TestService, scale};

const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 24 * HOUR_MS;
/// The SDK makes a call three times, so a fifth of all messages is lost if so many of a hundred calls fail.
const LOST_CALLS: u64 = 58;

/// How often each event was sent to a receiver, and over how many seconds.
fn attempts(receiver: &Receiver) -> BTreeMap<String, (usize, i64)> {
    let mut times: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    for caught in receiver.caught() {
        let at = caught.header("webhook-timestamp").parse().unwrap();
        times.entry(caught.id().to_owned()).or_default().push(at);
    }
    let span = |times: &Vec<i64>| times.iter().max().unwrap() - times.iter().min().unwrap();
    times.iter().map(|(id, times)| (id.clone(), (times.len(), span(times)))).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn three_days_of_retries_lose_no_delivery_and_repeat_no_success() {
    let events = scale::operations().map_or(6, |operations| operations / 50);
    let faults = Faults::default();
    let wire = faults.wrapper(Target::Queues);
    let service = TestService::with(|options| options.wrap_queues = Some(wire)).await;
    let (never, later) = (Receiver::start().await, Receiver::start().await);
    for receiver in [&never, &later] {
        receiver.answer(Answers::status(500));
        service.admin().webhook(&receiver.url(), &["entry.created"]).await;
    }
    faults.arm_random(1, LOST_CALLS, &[Fault::BeforeSend]);
    for number in 0..events {
        service.trainer().wiki_entry(&format!("help/n{number}"), "Title", "Text").await;
    }
    service.drain().await;
    for hour in 0..110 {
        if hour == 10 {
            later.answer(Answers::status(204));
        }
        service.later(HOUR_MS).await;
    }
    let calls = faults.disarm();
    let (failed, succeeded) = (attempts(&never), attempts(&later));
    assert_eq!((failed.len(), succeeded.len()), (events, events), "a delivery was lost");
    for (id, (count, seconds)) in &failed {
        assert_eq!(*count, 10, "{id}");
        assert!(*seconds > 60 * 3_600, "{id}: all in {seconds} s");
    }
    // Nothing is sent again after its success, at ten hours.
    for (id, (count, _)) in &succeeded {
        assert!((3..10).contains(count), "{id} was sent {count} times");
    }
    let sent: usize = failed.values().chain(succeeded.values()).map(|(count, _)| count).sum();
    println!(
        "figure: {} deliveries over 110 hours, a fifth of {} messages lost: {sent} requests, all as the schedule says",
        2 * events,
        calls / 3
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_many_sessions_is_left_after_their_retention() {
    let count = scale::operations().map_or(12, |operations| operations / 20);
    let (service, _receiver, _) = TestService::with_receiver().await;
    service.admin().patch("/settings", json!({"retentionDays": 7})).await.expect(200);
    let customer = service.integration();
    for number in 0..count {
        let session =
            customer.session_with(json!({"channel": "api", "externalUserId": format!("xyzzy-{number}")})).await;
        customer.ask(&session, "Where is the xyzzy?").await.expect(200);
        if number % 3 == 0 {
            customer.post(&format!("/sessions/{session}/escalate"), json!({"reason": "xyzzy"})).await.expect(200);
        }
    }
    service.drain().await;
    let telling = async || service.raw_items().await.iter().filter(|item| item.contains("xyzzy")).count();
    let before = telling().await;
    assert!(before >= 4 * count, "only {before} items tell anything");
    for _ in 0..6 {
        service.later(DAY_MS).await;
    }
    assert_eq!(service.admin().get("/sessions?limit=1").await.items().len(), 1, "nothing goes early");
    for _ in 0..40 {
        service.later(DAY_MS / 4).await;
    }
    assert_eq!(telling().await, 0);
    assert!(service.admin().get("/sessions").await.items().is_empty());
    let counts = service.agent().get("/analytics?days=90").await;
    assert_eq!(counts.expect(200)["counts"]["sessions"], count, "what was counted stays counted");
    println!("figure: retention of {count} sessions over 16 days: {before} items told something, 0 do");
}
