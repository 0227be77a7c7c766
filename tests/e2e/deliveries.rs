//! Deliveries to receivers: signed, retried, held, sent again, with a clock that skips days.

use domain::models::Mode;
use serde_json::{Value, json};

use crate::support::{Answers, Fault, Faults, Receiver, SECRET, TestService};

const HOUR_MS: i64 = 3_600_000;
/// The steps of the schedule, in milliseconds.
const RETRY_DELAYS_MS: [i64; 9] =
    [5_000, 300_000, 1_800_000, 2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS, 14 * HOUR_MS, 20 * HOUR_MS, 24 * HOUR_MS];

fn millis(time: &Value) -> i64 {
    domain::models::Timestamp::parse(time.as_str().unwrap()).unwrap().as_millis()
}

/// How long after the end of its newest attempt a delivery is tried again, in milliseconds.
fn planned(delivery: &Value) -> i64 {
    let last = delivery["attempts"].as_array().unwrap().last().unwrap();
    millis(&delivery["nextAttemptAt"]) - millis(&last["at"]) - last["durationMs"].as_i64().unwrap()
}

/// A service with one receiver, whose queue drops whatever is to come later: only a sweep brings it up.
async fn without_timers() -> (TestService, Receiver, String, Faults) {
    let faults = Faults::default();
    let wire = faults.clone();
    let service = TestService::with(|options| {
        options.wrap_queues = Some(Box::new(move |inner| wire.wrap(inner)));
    })
    .await;
    let receiver = Receiver::start().await;
    let id = service.admin().webhook(&receiver.url(), &["webhook.test"]).await;
    (service, receiver, id, faults)
}

/// Sends a test to a receiver, and loses the message of the attempt after the first one.
async fn try_once(service: &TestService, id: &str, faults: &Faults) {
    faults.arm(2, usize::MAX / 2, Fault::BeforeSend);
    service.admin().try_webhook(id).await;
    service.drain().await;
    faults.disarm();
}

#[tokio::test]
async fn an_event_reaches_its_receivers_signed_and_nobody_else() {
    let (service, receiver, id) = TestService::in_real_time(|_| {}).await.and_receiver().await;
    let (other, stranger) = (Receiver::start().await, Receiver::start().await);
    service.admin().webhook(&other.url(), &["handover.requested", "entry.updated"]).await;
    service.other_admin().webhook(&stranger.url(), &["*"]).await;
    service.test_admin().webhook(&stranger.at("/test"), &["*"]).await;
    service.trainer().wiki_entry("a/b", "Refunds", "We pay refunds back.").await;
    service.trainer().patch("/wiki/a/b", json!({"title": "Money back"})).await.expect(200);
    service.drain().await;

    assert_eq!(
        receiver.caught().iter().map(|c| c.kind()).collect::<std::collections::BTreeSet<_>>(),
        ["entry.created", "entry.updated"].map(String::from).into()
    );
    let caught = other.caught();
    assert_eq!(caught.len(), 1);
    let caught = &caught[0];
    caught.verify(SECRET);
    assert_eq!((caught.method.as_str(), caught.path.as_str()), ("POST", "/hook"));
    assert_eq!(caught.header("content-type"), "application/json");
    assert!(caught.header("user-agent").starts_with("SupportAssistant/"));
    assert!(caught.headers.get("authorization").is_none() && caught.headers.get("cookie").is_none());
    let event = caught.json();
    assert_eq!((event["id"].as_str(), event["type"].as_str()), (Some(caught.id()), Some("entry.updated")));
    assert_eq!((event["mode"].as_str(), event["data"]["title"].as_str()), (Some("live"), Some("Money back")));
    assert_eq!(event["tenantId"], json!(service.tenant.scope(Mode::Live).tenant));
    assert_eq!(event["previous"]["title"], "Refunds");
    assert!(stranger.caught().is_empty(), "another tenant or mode heard of it");

    let shown = service.admin().get(&format!("/webhooks/{id}")).await;
    assert_eq!((shown.at("lastStatus"), shown.at("consecutiveFailures")), (&json!(204), &json!(0)));
    assert!(shown.at("lastDeliveryAt").is_string());
    let delivery = &service.admin().deliveries(&id).await[0];
    assert_eq!((delivery["status"].as_str(), delivery["attemptCount"].as_u64()), (Some("succeeded"), Some(1)));
    assert_eq!(delivery["attempts"][0]["status"], 204);
    let ulid = |name: &str| delivery[name].as_str().unwrap()[4..].to_owned();
    assert_eq!(ulid("deliveryId"), ulid("eventId"), "a delivery has its event's ULID");
}

#[tokio::test]
async fn after_a_rotation_both_secrets_sign_for_a_day() {
    let (service, receiver, id) = TestService::in_real_time(|_| {}).await.and_receiver().await;
    let admin = service.admin();
    let new = "another-secret-which-is-no-base64";
    let rotated = admin.post(&format!("/webhooks/{id}/rotate"), json!({"secret": new})).await;
    assert_eq!((rotated.expect(200)["secretHint"].as_str(), rotated.json.get("secret")), (Some("se64"), None));
    admin.post(&format!("/webhooks/{id}/rotate"), json!({"secret": new})).await.expect(200);
    admin.try_webhook(&id).await;
    service.drain().await;
    let caught = receiver.wait_for(1).await.remove(0);
    caught.verify(SECRET);
    caught.verify(new);
    assert_eq!(caught.header("webhook-signature").split(' ').count(), 2, "the same secret again is no rotation");
    service.clock.advance(24 * HOUR_MS);
    admin.try_webhook(&id).await;
    service.drain().await;
    let caught = receiver.wait_for(2).await.remove(1);
    assert!(caught.is_signed_by(new) && !caught.is_signed_by(SECRET));
    let refused = admin.post(&format!("/webhooks/{id}/rotate"), json!({"secret": "short"})).await;
    assert_eq!(refused.details(), ["secret TOO_SHORT"]);
}

#[tokio::test]
async fn a_receiver_that_was_away_gets_what_it_missed() {
    let (service, mut receiver, id) = TestService::with_receiver().await;
    receiver.stop().await;
    for n in 0..5 {
        service.trainer().wiki_entry(&format!("a/b{n}"), "Title", "Text").await;
    }
    service.drain().await;
    let failing = service.admin().get(&format!("/webhooks/{id}")).await;
    assert!(failing.at("consecutiveFailures").as_u64().unwrap() >= 5 && failing.at("lastStatus").is_null());
    for delivery in service.admin().deliveries(&id).await {
        assert_eq!(delivery["status"], "pending");
        assert_eq!(delivery["attempts"][0]["error"], "CONNECTION_FAILED");
    }
    receiver.start_again().await;
    service.later(HOUR_MS).await;
    let ids: std::collections::BTreeSet<_> = receiver.caught().iter().map(|caught| caught.id().to_owned()).collect();
    assert_eq!((receiver.caught().len(), ids.len()), (5, 5));
    assert_eq!(service.admin().statuses(&id).await, ["succeeded"; 5]);
    let well = service.admin().get(&format!("/webhooks/{id}")).await;
    assert_eq!((well.at("consecutiveFailures"), well.at("lastStatus")), (&json!(0), &json!(204)));
}

#[tokio::test]
async fn a_delivery_that_always_fails_is_tried_ten_times_over_three_days_and_can_be_sent_again() {
    let (service, receiver, id) = TestService::with_receiver().await;
    let admin = service.admin();
    receiver.answer(Answers::status(500));
    let delivery_id = admin.try_webhook(&id).await;
    service.drain().await;
    loop {
        let delivery = admin.delivery(&id).await;
        let made = usize::try_from(delivery["attemptCount"].as_u64().unwrap()).unwrap();
        let Some(step) = RETRY_DELAYS_MS.get(made - 1) else { break };
        assert_eq!(delivery["status"], "pending");
        let planned = planned(&delivery);
        assert!((step * 4 / 5..=step * 6 / 5 + 2_000).contains(&planned), "after {made}: {planned} ms");
        service.later(step * 6 / 5).await;
    }
    let failed = admin.delivery(&id).await;
    assert_eq!((failed["status"].as_str(), &failed["nextAttemptAt"]), (Some("failed"), &Value::Null));
    service.later(100 * HOUR_MS).await;
    let caught = receiver.caught();
    assert_eq!(caught.len(), 10);
    assert!(caught.iter().all(|c| c.id() == caught[0].id() && c.body == caught[0].body && c.is_signed_by(SECRET)));
    let times: Vec<i64> = caught.iter().map(|c| c.header("webhook-timestamp").parse().unwrap()).collect();
    assert!(times.is_sorted() && times[9] - times[0] > 75 * 3_600, "each attempt has its own time: {times:?}");

    receiver.answer(Answers::status(200));
    let again = admin.post_empty(&format!("/webhooks/{id}/deliveries/{delivery_id}/resend")).await;
    assert_eq!((again.expect(200)["status"].as_str(), again.at("attemptCount")), (Some("pending"), &json!(0)));
    service.drain().await;
    let sent = admin.delivery(&id).await;
    assert_eq!((sent["status"].as_str(), sent["attempts"].as_array().unwrap().len()), (Some("succeeded"), 11));
    assert_eq!(receiver.caught()[10].id(), caught[0].id());
}

#[tokio::test]
async fn retry_after_is_done_between_the_step_and_twice_the_step() {
    for (header, low, high) in [
        ("7", 7_000, 8_000),
        ("3600", 8_000, 13_000),
        ("0", 4_000, 7_000),
        ("soon", 4_000, 7_000),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 4_000, 7_000),
    ] {
        let (service, receiver, id, faults) = without_timers().await;
        receiver.answer(Answers::Status(429, vec![("retry-after", header.to_owned())]));
        try_once(&service, &id, &faults).await;
        let delivery = service.admin().delivery(&id).await;
        assert_eq!(delivery["attempts"][0]["status"], 429);
        let planned = planned(&delivery);
        assert!((low..=high).contains(&planned), "{header}: {planned} ms");
    }
}

#[tokio::test]
async fn no_redirect_is_followed_and_each_is_a_failure() {
    for status in [301, 302, 303, 307, 308] {
        let (service, receiver, id, faults) = without_timers().await;
        let target = Receiver::start().await;
        receiver.answer(Answers::Status(status, vec![("location", target.at("/stolen?key=secret"))]));
        try_once(&service, &id, &faults).await;
        let delivery = service.admin().delivery(&id).await;
        assert_eq!(delivery["attempts"][0]["redirectsTo"], target.at(""));
        assert!(!delivery.to_string().contains("stolen"), "{delivery}");
        assert_eq!(
            (delivery["status"].as_str(), &delivery["attempts"][0]["status"]),
            (Some("pending"), &json!(status))
        );
        assert_eq!((receiver.caught().len(), target.caught().len()), (1, 0), "{status}");
    }
}

#[tokio::test]
async fn a_receiver_that_is_gone_is_disabled_at_once_and_what_is_held_is_sent_when_it_is_back() {
    let (service, receiver, id) = TestService::with_receiver().await;
    let witness = Receiver::start().await;
    service.admin().webhook(&witness.url(), &["webhook.disabled"]).await;
    receiver.answer(Answers::status(410));
    service.trainer().wiki_entry("a/one", "Title", "Text").await;
    service.drain().await;
    let disabled = service.admin().get(&format!("/webhooks/{id}")).await;
    assert_eq!((disabled.text_at("status"), disabled.text_at("disabledReason")), ("disabled", "gone"));
    assert_eq!(disabled.at("lastStatus"), 410);
    let told = witness.caught();
    assert_eq!((told.len(), told[0].json()["data"]["webhookId"].as_str()), (1, Some(id.as_str())));
    assert_eq!(told[0].json()["data"]["disabledReason"], "gone");

    service.trainer().wiki_entry("a/two", "Title", "Text").await;
    service.admin().try_webhook(&id).await;
    service.later(200 * HOUR_MS).await;
    assert_eq!(receiver.caught().len(), 1, "a disabled receiver got something");
    // entry.created twice, webhook.disabled, webhook.test
    assert_eq!(service.admin().statuses(&id).await, ["held"; 4]);

    receiver.answer(Answers::status(204));
    let enabled = service.admin().patch(&format!("/webhooks/{id}"), json!({"status": "active"})).await;
    assert_eq!((enabled.text_at("status"), enabled.at("consecutiveFailures")), ("active", &json!(0)));
    service.drain().await;
    assert_eq!(service.admin().statuses(&id).await, ["succeeded"; 4]);
    let kinds: Vec<_> = receiver.caught().iter().skip(1).map(|caught| caught.kind()).collect();
    assert_eq!(kinds.len(), 4, "{kinds:?}");
}

#[tokio::test]
async fn only_failures_for_120_hours_disable_and_one_success_clears() {
    let (service, receiver, id) = TestService::with_receiver().await;
    let admin = service.admin();
    let status = async || admin.get(&format!("/webhooks/{id}")).await.text_at("status").to_owned();
    let fail_for = async |hours: i64| {
        receiver.answer(Answers::status(503));
        for _ in 0..hours / 10 {
            admin.try_webhook(&id).await;
            service.drain().await;
            service.clock.advance(10 * HOUR_MS);
        }
    };
    fail_for(110).await;
    receiver.answer(Answers::status(200));
    admin.try_webhook(&id).await;
    service.drain().await;
    fail_for(110).await;
    assert_eq!(status().await, "active");
    service.clock.advance(10 * HOUR_MS);
    admin.try_webhook(&id).await;
    service.drain().await;
    assert_eq!(status().await, "disabled");
    assert_eq!(admin.get(&format!("/webhooks/{id}")).await.text_at("disabledReason"), "failing");
}

#[tokio::test]
async fn a_replay_sends_again_what_was_missed_since_and_nothing_else() {
    let (service, receiver, id, faults) = without_timers().await;
    let admin = service.admin();
    try_once(&service, &id, &faults).await;
    receiver.answer(Answers::status(500));
    try_once(&service, &id, &faults).await;
    service.clock.advance(48 * HOUR_MS);
    let since = service.resources().runtime.now().to_string();
    for _ in 0..3 {
        try_once(&service, &id, &faults).await;
    }
    receiver.answer(Answers::status(200));
    let before = receiver.caught().len();
    let replay = admin.post(&format!("/webhooks/{id}/replay"), json!({"since": since})).await;
    assert_eq!(
        (replay.expect(202)["webhookId"].as_str(), replay.text_at("since")),
        (Some(id.as_str()), since.as_str())
    );
    service.drain().await;
    assert_eq!(receiver.caught().len() - before, 3, "neither what was missed before nor what arrived");
    assert_eq!(admin.statuses(&id).await, ["succeeded", "succeeded", "succeeded", "pending", "succeeded"]);
    let path = format!("/webhooks/{id}/replay");
    assert_eq!(admin.post(&path, json!({})).await.details(), ["since REQUIRED"]);
    assert_eq!(admin.post(&path, json!({"since": "yesterday"})).await.details(), ["since INVALID_FORMAT"]);
    assert_eq!(admin.post(&path, json!({"since": "9999-01-01T00:00:00Z"})).await.details(), ["since IN_THE_FUTURE"]);
}

#[tokio::test]
async fn deliveries_are_listed_page_by_page_newest_first_for_30_days() {
    let (service, _receiver, id) = TestService::with_receiver().await;
    let admin = service.admin();
    let mut sent = Vec::new();
    for _ in 0..5 {
        sent.push(admin.try_webhook(&id).await);
        service.clock.advance(1_000);
    }
    service.drain().await;
    sent.reverse();
    let path = format!("/webhooks/{id}/deliveries");
    let first = admin.get(&format!("{path}?limit=3&status=succeeded")).await;
    let next = first.text_at("nextCursor").to_owned();
    let rest = admin.get(&format!("{path}?limit=3&status=succeeded&cursor={next}")).await;
    let ids = |page: &crate::support::Reply| -> Vec<String> {
        page.items().iter().map(|d| d["deliveryId"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!([ids(&first), ids(&rest)].concat(), sent);
    assert_eq!((first.at("hasMore"), rest.at("hasMore")), (&json!(true), &json!(false)));
    assert!(admin.get(&format!("{path}?status=failed")).await.items().is_empty());
    admin.get(&format!("{path}?status=lost")).await.expect_error(400, "VALIDATION_ERROR");
    service.clock.advance(30 * 24 * HOUR_MS);
    assert!(admin.get(&path).await.items().is_empty());
    let resend = admin.post_empty(&format!("{path}/{}/resend", sent[0])).await;
    resend.expect_error(404, "NOT_FOUND");
}

#[tokio::test]
async fn nothing_is_sent_to_a_receiver_that_was_deleted() {
    let (service, receiver, id) = TestService::with_receiver().await;
    receiver.answer(Answers::status(500));
    service.admin().try_webhook(&id).await;
    service.drain().await;
    service.admin().delete(&format!("/webhooks/{id}")).await.expect(204);
    let before = receiver.caught().len();
    service.trainer().wiki_entry("a/b", "Title", "Text").await;
    service.later(HOUR_MS).await;
    assert_eq!(receiver.caught().len(), before);
}

#[tokio::test]
async fn a_pending_delivery_survives_a_restart() {
    let (service, receiver, id) = TestService::with_receiver().await;
    receiver.answer(Answers::Then(Box::new(Answers::status(500)), 1, Box::new(Answers::status(204))));
    service.admin().try_webhook(&id).await;
    service.drain().await;
    let service = service.restart().await;
    service.later(6_000).await;
    assert_eq!(receiver.caught().len(), 2);
    assert!(receiver.caught()[1].is_signed_by(SECRET), "the key of secrets was kept");
    assert_eq!(service.admin().statuses(&id).await, ["succeeded"]);
}
