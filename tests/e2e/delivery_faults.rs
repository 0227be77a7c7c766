//! Deliveries during failures: slow and hostile receivers, lost messages, dying workers, a failing queue.

use std::time::Duration;

use aws::queue::{Message, Task};
use domain::models::{EventId, EventKind, Mode, OutgoingEvent, WebhookId};
use serde_json::json;

use crate::support::{Answers, Fault, Faults, Receiver, SECRET, TestService};

const HOUR_MS: i64 = 3_600_000;

/// A service whose requests to receivers end after `ms` milliseconds.
async fn service_with_timeout(ms: u64) -> TestService {
    TestService::with(|options| {
        options.configure_outbound = Some(Box::new(move |mut settings| {
            settings.post_timeout = Duration::from_millis(ms);
            settings
        }));
    })
    .await
}

fn message(body: String) -> Message {
    Message { id: body.chars().take(40).collect(), body, receive_count: 1 }
}

/// Makes a delivery to a live receiver of the tenant whose message is on no queue; the message.
async fn unsent(service: &TestService, webhook: &str) -> Message {
    let (resources, scope) = (service.resources(), service.tenant.scope(Mode::Live));
    let (webhook_id, event_id) = (WebhookId::parse(webhook).unwrap(), EventId::generate(&resources.runtime).unwrap());
    let (kind, at, body) = (EventKind::WebhookTest, resources.runtime.now(), "{}".to_owned());
    let event = OutgoingEvent { event_id: event_id.clone(), kind, at, session_id: None, body };
    let created = resources.store.deliveries().create(&scope, event, &webhook_id, false).await.unwrap();
    assert!(created.should_send());
    let task = Task::Deliver { scope, webhook_id, event_id: event_id.clone() };
    Message { id: event_id.to_string(), body: task.to_body(), receive_count: 1 }
}

#[tokio::test]
async fn a_receiver_that_hangs_drips_or_floods_costs_no_more_than_its_time() {
    for (answers, expected) in [
        (Answers::Hang, json!({"error": "TIMEOUT"})),
        (Answers::Drip, json!({"status": 200})),
        (Answers::Flood, json!({"status": 200})),
    ] {
        let service = service_with_timeout(500).await;
        let receiver = Receiver::answering(answers.clone()).await;
        let id = service.admin().webhook(&receiver.url(), &["*"]).await;
        service.admin().try_webhook(&id).await;
        service.drain().await;
        let delivery = service.admin().delivery(&id).await;
        let attempt = &delivery["attempts"][0];
        for (name, value) in expected.as_object().unwrap() {
            assert_eq!(&attempt[name], value, "{answers:?}");
        }
        let succeeded = expected.get("status").is_some();
        assert_eq!(delivery["status"], if succeeded { "succeeded" } else { "pending" }, "{answers:?}");
        assert!(delivery["lastResponse"].as_str().unwrap_or_default().len() <= 1_024, "{answers:?}");
    }
}

#[tokio::test]
async fn a_receiver_that_hangs_keeps_nobody_else_waiting() {
    // A worker gives up its batch after a minute, and then others are sent to the receiver that hangs. A busy machine takes
    // that long for the rest of this test, so what counts is how many wait at once, and there are few deliveries.
    let service = service_with_timeout(3_600_000).await;
    let hanging = Receiver::answering(Answers::Hang).await;
    let hanging_id = service.admin().webhook(&hanging.url(), &["*"]).await;
    let mut others = Vec::new();
    for _ in 0..2 {
        let receiver = Receiver::start().await;
        service.admin().webhook(&receiver.url(), &["*"]).await;
        others.push(receiver);
    }
    for n in 0..12 {
        service.trainer().wiki_entry(&format!("a/b{n}"), "Title", "Text").await;
    }
    for receiver in &others {
        receiver.wait_for(12).await;
    }
    // Everybody else had everything before the first that hangs ended.
    let waiting = service.admin().deliveries(&hanging_id).await;
    assert_eq!(waiting.len(), 12);
    assert!(waiting.iter().all(|delivery| delivery["attempts"].as_array().unwrap().is_empty()), "{waiting:?}");
    assert!((1..=5).contains(&hanging.most_open()), "{} wait for it", hanging.most_open());
}

#[tokio::test]
async fn a_message_that_is_none_of_ours_comes_back_and_delays_no_other() {
    let other_version = task_of_nobody().replace("\"v\":1", "\"v\":2");
    let huge = "x".repeat(256 * 1024);
    let bad = ["", "no json", "{}", "null", &other_version, r#"{"v":1,"task":"deliver"}"#, &huge, "[]", "7", "\u{0}"];
    // Two receivers, because not more than five wait for one at once.
    let (service, first, id) = TestService::with_receiver().await;
    let second = Receiver::start().await;
    let ids = [id, service.admin().webhook(&second.url(), &["webhook.test"]).await];
    for poisoned in 0..=10 {
        let mut batch = Vec::new();
        for (n, body) in bad.iter().take(poisoned).enumerate() {
            batch.push(Message { id: format!("poison{n}"), body: (*body).to_owned(), receive_count: 1 });
        }
        let expected: Vec<String> = batch.iter().map(|message| message.id.clone()).collect();
        for n in poisoned..10 {
            batch.push(unsent(&service, &ids[n % 2]).await);
        }
        let before = first.caught().len() + second.caught().len();
        let mut failed = support::webhooks::worker::handle(&service.webhook_worker().await, batch).await;
        failed.sort();
        assert_eq!(failed, expected);
        assert_eq!(first.caught().len() + second.caught().len() - before, 10 - poisoned);
    }
}

fn task_of_nobody() -> String {
    let at = domain::models::Timestamp::from_millis(1);
    let scope = domain::models::Scope { tenant: domain::models::TenantId::from_parts(at, 1), mode: Mode::Live };
    Task::Deliver { scope, webhook_id: WebhookId::from_parts(at, 1), event_id: EventId::from_parts(at, 1) }.to_body()
}

#[tokio::test]
async fn a_message_about_nothing_or_about_somebody_elses_is_done_with() {
    let (service, receiver, id) = TestService::with_receiver().await;
    let mine = unsent(&service, &id).await;
    let other = service.other_tenant.scope(Mode::Live).tenant.to_string();
    let stolen = mine.body.replace(service.tenant.scope(Mode::Live).tenant.as_str(), &other);
    let of_test_mode = mine.body.replace("\"live\"", "\"test\"");
    assert!(stolen != mine.body && of_test_mode != mine.body);
    let batch = [stolen, of_test_mode, task_of_nobody()].map(message).into();
    assert_eq!(support::webhooks::worker::handle(&service.webhook_worker().await, batch).await, Vec::<String>::new());
    assert!(receiver.caught().is_empty(), "something was sent");
}

#[tokio::test]
async fn a_message_that_comes_often_sends_once() {
    let (service, receiver, id) = TestService::with_receiver().await;
    let message = unsent(&service, &id).await;
    let worker = service.webhook_worker().await;
    let batches = (0..8).map(|_| support::webhooks::worker::handle(&worker, vec![message.clone(); 3]));
    for failed in futures::future::join_all(batches).await {
        assert_eq!(failed, Vec::<String>::new());
    }
    support::webhooks::worker::handle(&service.webhook_worker().await, vec![message]).await;
    assert_eq!(receiver.caught().len(), 1);
    assert_eq!(service.admin().statuses(&id).await, ["succeeded"]);
}

/// A service whose workers reach the table over a wire that fails on demand.
async fn with_faulty_workers() -> (TestService, Faults) {
    let faults = Faults::default();
    let wire = faults.clone();
    let service = TestService::with(|options| {
        options.wrap_worker_database = Some(Box::new(move |inner| wire.wrap(inner)));
    })
    .await;
    (service, faults)
}

#[tokio::test]
async fn a_worker_that_dies_after_any_step_loses_nothing_and_doubles_only_what_it_could_not_record() {
    let mut doubled = 0;
    for step in 1.. {
        let (service, faults) = with_faulty_workers().await;
        let receiver = Receiver::start().await;
        let id = service.admin().webhook(&receiver.url(), &["webhook.test"]).await;
        service.drain().await;
        faults.arm(step, usize::MAX / 2, Fault::BeforeSend);
        service.admin().try_webhook(&id).await;
        service.drain().await;
        let calls = faults.disarm();
        let find_sent_message = receiver.caught().len();
        assert!(find_sent_message <= 1, "step {step}");
        let recorded = service.admin().statuses(&id).await == ["succeeded"];
        // The lease of the dead one ends, and the due index brings the delivery up.
        service.later(31_000).await;
        service.later(HOUR_MS).await;
        assert_eq!(service.admin().statuses(&id).await, ["succeeded"], "step {step}");
        let sent = receiver.caught();
        let expected = if find_sent_message == 1 && !recorded { 2 } else { 1 };
        assert_eq!(sent.len(), expected, "step {step}");
        assert!(sent.iter().all(|caught| caught.id() == sent[0].id() && caught.is_signed_by(SECRET)));
        doubled += sent.len() - 1;
        if calls < step {
            break;
        }
    }
    assert!(doubled >= 1, "no fault fell between request and record");
}

#[tokio::test]
async fn a_worker_whose_replies_are_lost_sends_once() {
    for step in 1.. {
        let (service, faults) = with_faulty_workers().await;
        let receiver = Receiver::start().await;
        let id = service.admin().webhook(&receiver.url(), &["webhook.test"]).await;
        service.drain().await;
        faults.arm(step, 1, Fault::LoseReply);
        service.admin().try_webhook(&id).await;
        service.drain().await;
        let calls = faults.disarm();
        assert_eq!(service.admin().statuses(&id).await, ["succeeded"], "step {step}");
        assert_eq!(receiver.caught().len(), 1, "step {step}");
        if calls < step {
            break;
        }
    }
}

#[tokio::test]
async fn a_delivery_is_not_posted_when_its_lease_is_over_and_is_sent_once_by_the_next_worker() {
    let (service, faults) = with_faulty_workers().await;
    faults.slow_by(&service.clock);
    let receiver = Receiver::start().await;
    let id = service.admin().webhook(&receiver.url(), &["webhook.test"]).await;
    service.drain().await;
    // The write of the lease takes longer than the lease.
    faults.arm_saying(&["holder"], 1, Fault::Slow);
    service.admin().try_webhook(&id).await;
    service.drain().await;
    assert_eq!((faults.failed(), receiver.caught().len()), (1, 0), "it was posted after its lease");
    assert!(service.log().contains("of the lease are left"));
    service.later(HOUR_MS).await;
    assert_eq!(service.admin().statuses(&id).await, ["succeeded"]);
    assert_eq!(receiver.caught().len(), 1);
}

#[tokio::test]
async fn a_queue_that_takes_four_of_five_messages_loses_no_delivery() {
    let faults = Faults::default();
    let wire = faults.clone();
    let service = TestService::with(|options| {
        options.wrap_queues = Some(Box::new(move |inner| wire.wrap(inner)));
    })
    .await;
    let receiver = Receiver::start().await;
    let id = service.admin().webhook(&receiver.url(), &["webhook.test"]).await;
    for n in 0..50 {
        // The SDK tries three times, so a send is lost if three calls in a row are.
        if n % 5 == 0 {
            faults.arm(1, 3, Fault::BeforeSend);
        }
        service.admin().try_webhook(&id).await;
        faults.disarm();
    }
    service.drain().await;
    assert_eq!(receiver.caught().len(), 40, "some sends were to fail");
    service.later(0).await;
    assert_eq!(service.admin().statuses(&id).await, vec!["succeeded"; 50]);
    assert_eq!(receiver.caught().len(), 50);
}

#[tokio::test]
async fn a_secret_is_nowhere_in_what_a_receiver_gets() {
    let (service, receiver, id) = TestService::with_receiver().await;
    service.admin().try_webhook(&id).await;
    service.drain().await;
    let caught = receiver.wait_for(1).await.remove(0);
    let text = format!("{:?} {}", caught.headers, String::from_utf8_lossy(&caught.body));
    assert!(!text.contains(SECRET.trim_start_matches("whsec_").trim_end_matches('=')), "{text}");
}
