//! Entity tags of what is polled: a 304 if nothing is new, and never if something is.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use domain::clock::Clock;
use futures::StreamExt;
use local::RateLimits;
use serde_json::json;

use crate::support::{Actor, CapacityMeter, Fault, Faults, Reply, TestService};

/// Asks again with the tag of an answer.
async fn again(actor: &Actor, path: &str, before: &Reply) -> Reply {
    let tag = before.header("etag").to_owned();
    assert!(!tag.is_empty(), "{} has no tag", before.asked);
    actor.with_header("if-none-match", &tag).get(path).await
}

/// Nothing is new; the answer as it was, which has the same tag.
async fn expect_same(actor: &Actor, path: &str, before: &Reply) {
    let same = again(actor, path, before).await;
    assert_eq!((same.status, same.text.as_str(), same.header("etag")), (304, "", before.header("etag")), "{path}");
}

/// Something is new; the new answer.
async fn expect_new(actor: &Actor, path: &str, before: &Reply) -> Reply {
    let new = again(actor, path, before).await;
    new.expect(200);
    assert_ne!(new.header("etag"), before.header("etag"), "{path}: {}", new.text);
    new
}

async fn waiting(service: &TestService) -> (String, String) {
    let session = service.integration().session().await;
    let asked = service.integration().post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await;
    service.drain().await;
    (session, asked.text_at("escalationId").to_owned())
}

/// A widget session that an agent has: the widget, the session, the escalation.
async fn claimed_of_widget(service: &TestService) -> (Actor, String, String) {
    let widget = service.widget("ann").await;
    let session = widget.session_with(json!({})).await;
    widget.ask(&session, "How long does a refund take?").await.expect(200);
    let asked = widget.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await;
    let escalation = asked.text_at("escalationId").to_owned();
    service.agent().post("/inbox/takeover", json!({"escalationId": escalation})).await.expect(200);
    service.drain().await;
    (widget, session, escalation)
}

#[tokio::test]
async fn the_inbox_is_304_until_something_changes_and_each_list_has_a_tag_of_its_own() {
    let service = TestService::start().await;
    let agent = service.agent();
    let empty = agent.get("/inbox").await;
    assert!(empty.items().is_empty() && empty.header("etag").starts_with("W/\""), "{}", empty.header("etag"));
    expect_same(&agent, "/inbox", &empty).await;
    let (_, escalation) = waiting(&service).await;
    let one = expect_new(&agent, "/inbox", &empty).await;
    assert_eq!(one.items().len(), 1);
    expect_same(&agent, "/inbox", &one).await;
    // Of another list, half or tenant the tag says nothing.
    for other in ["/inbox?status=claimed", "/inbox?limit=1", "/inbox?status=pending", "/inbox?agentId=anna"] {
        again(&agent, other, &one).await.expect(200);
    }
    for stranger in [service.test_admin(), service.other_admin()] {
        assert!(again(&stranger, "/inbox", &one).await.items().is_empty());
    }
    for act in ["message", "release"] {
        agent.post("/inbox/takeover", json!({"escalationId": escalation})).await;
        service.drain().await;
        let before = agent.get("/inbox?status=claimed").await;
        agent.post(&format!("/inbox/{escalation}/{act}"), json!({"content": "Hello."})).await.expect(200);
        service.drain().await;
        expect_new(&agent, "/inbox?status=claimed", &before).await;
    }
}

#[tokio::test]
async fn a_tag_is_looked_at_after_who_calls_and_whose_it_is() {
    let service = TestService::start().await;
    let (session, escalation) = waiting(&service).await;
    let paths = [
        "/inbox".into(),
        format!("/inbox/{escalation}"),
        format!("/sessions/{session}"),
        format!("/sessions/{session}/messages"),
    ];
    for path in paths {
        let read = service.admin().get(&path).await;
        expect_same(&service.admin(), &path, &read).await;
        let with = |actor: Actor| actor.with_header("if-none-match", "*");
        with(service.anonymous()).get(&path).await.expect_error(401, "UNAUTHORIZED");
        let (status, code) = if path == "/inbox" { (403, "FORBIDDEN") } else { (404, "NOT_FOUND") };
        if path == "/inbox" {
            with(service.trainer()).get(&path).await.expect_error(status, code);
        } else {
            with(service.other_admin()).get(&path).await.expect_error(status, code);
        }
        with(service.admin()).get(&format!("{path}?no=1")).await.expect_error(400, "VALIDATION_ERROR");
        assert_eq!(with(service.admin()).get(&path).await.status, 304, "{path}");
        // HEAD is answered like GET.
        let head = with(service.admin()).request(reqwest::Method::HEAD, &path).send().await.unwrap();
        assert_eq!(head.status(), 304);
    }
}

#[tokio::test]
async fn a_stopped_stream_delays_what_is_new_in_the_inbox_by_twenty_seconds_at_most() {
    let workers = Faults::default();
    let wire = workers.clone();
    let service =
        TestService::with(|options| options.wrap_worker_database = Some(Box::new(move |inner| wire.wrap(inner)))).await;
    let agent = service.agent();
    // To the beginning of twenty seconds.
    let into = service.clock.now().as_millis() % 20_000;
    service.clock.advance(20_000 - into + 1_000);
    let empty = agent.get("/inbox").await;
    let session = service.integration().session().await;
    // Nothing follows the change: who follows the stream does not reach the table.
    workers.arm(1, usize::MAX / 2, Fault::BeforeSend);
    service.integration().post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await.expect(200);
    expect_same(&agent, "/inbox", &empty).await;
    service.clock.advance(20_000);
    assert_eq!(expect_new(&agent, "/inbox", &empty).await.items().len(), 1);
    workers.disarm();
    service.drain().await;
}

#[tokio::test]
async fn a_list_that_was_read_before_its_index_knew_is_304_for_twenty_seconds_at_most() {
    let service = TestService::start().await;
    let agent = service.agent();
    let into = service.clock.now().as_millis() % 20_000;
    service.clock.advance(20_000 - into + 1_000);
    let (_, escalation) = waiting(&service).await;
    // The index loses the request, as one that is behind has not got it yet.
    let place = std::sync::Mutex::new(None);
    service
        .rewrite_items("escalation", &escalation, |mut item| {
            let taken = (item.remove("gsi1pk").unwrap(), item.remove("gsi1sk").unwrap());
            *place.lock().unwrap() = Some(taken);
            Some(item)
        })
        .await;
    let late = agent.get("/inbox").await;
    assert!(late.items().is_empty());
    let (pk, sk) = place.lock().unwrap().take().unwrap();
    service
        .rewrite_items("escalation", &escalation, move |mut item| {
            item.insert("gsi1pk".into(), pk.clone());
            item.insert("gsi1sk".into(), sk.clone());
            Some(item)
        })
        .await;
    service.clock.advance(20_000);
    assert_eq!(expect_new(&agent, "/inbox", &late).await.items().len(), 1);
}

#[tokio::test]
async fn a_deleted_session_leaves_the_inbox_and_its_own_tags() {
    let service = TestService::start().await;
    let admin = service.admin();
    let (session, escalation) = waiting(&service).await;
    let (inbox, case) = (admin.get("/inbox").await, admin.get(&format!("/inbox/{escalation}")).await);
    let (shown, turns) = (format!("/sessions/{session}"), format!("/sessions/{session}/messages"));
    let (read, listed) = (admin.get(&shown).await, admin.get(&turns).await);
    admin.delete(&shown).await.expect(204);
    assert!(expect_new(&admin, "/inbox", &inbox).await.items().is_empty());
    for (path, before) in [(format!("/inbox/{escalation}"), case), (shown, read), (turns, listed)] {
        again(&admin, &path, &before).await.expect_error(404, "NOT_FOUND");
    }
}

/// A change of a conversation.
enum Change {
    PutOff,
    Renewed,
    Note,
    Agent,
    Customer,
    Priority,
    Tags,
    User,
    Reaction,
    Resolve,
}

#[tokio::test]
async fn every_change_of_a_conversation_is_seen_by_whom_it_concerns_and_a_note_by_no_widget() {
    let service = TestService::start().await;
    service.trainer().wiki_entry("help/refunds", "Refunds", "A refund takes five working days.").await;
    let (widget, session, escalation) = claimed_of_widget(&service).await;
    let (admin, agent) = (service.admin(), service.agent());
    let (shown, turns) = (format!("/sessions/{session}"), format!("/sessions/{session}/messages"));
    let (case, at) = (format!("/inbox/{escalation}"), |rest: &str| format!("/inbox/{escalation}/{rest}"));
    let changes = [
        (Change::Note, false, true),
        (Change::PutOff, false, false),
        (Change::Note, false, true),
        (Change::Renewed, false, false),
        (Change::Agent, true, true),
        (Change::Customer, true, true),
        (Change::Priority, false, false),
        (Change::Tags, true, true),
        (Change::User, true, true),
        (Change::Reaction, true, true),
        (Change::Resolve, true, true),
    ];
    for (number, (change, by_widget, by_staff)) in changes.into_iter().enumerate() {
        let widget_before = (widget.get(&shown).await, widget.get(&turns).await);
        let staff_before = (admin.get(&shown).await, admin.get(&turns).await, admin.get(&case).await);
        expect_same(&widget, &turns, &widget_before.1).await;
        expect_same(&admin, &case, &staff_before.2).await;
        service.clock.advance(1_000);
        match change {
            Change::Note => agent.post(&at("message"), json!({"content": "Look.", "internal": true})).await,
            Change::PutOff => {
                let until = service.clock.now().plus_millis(3_600_000);
                agent.patch(&case, json!({"snoozedUntil": until})).await
            }
            Change::Renewed => agent.post_empty(&at("renew")).await,
            Change::Agent => agent.post(&at("message"), json!({"content": "Hello."})).await,
            Change::Customer => widget.ask(&session, "And now?").await,
            Change::Priority => admin.patch(&case, json!({"priority": "high"})).await,
            Change::Tags => admin.patch(&shown, json!({"tags": ["vip"]})).await,
            Change::User => admin.patch(&shown, json!({"user": {"name": "Ann"}})).await,
            Change::Reaction => widget.post(&format!("{shown}/reaction"), json!({"reaction": "flag"})).await,
            Change::Resolve => admin.post_empty(&at("resolve")).await,
        }
        .expect(200);
        expect_new(&admin, &case, &staff_before.2).await;
        if by_staff {
            expect_new(&admin, &shown, &staff_before.0).await;
            expect_new(&admin, &turns, &staff_before.1).await;
        }
        if by_widget {
            expect_new(&widget, &shown, &widget_before.0).await;
            expect_new(&widget, &turns, &widget_before.1).await;
        } else {
            expect_same(&widget, &shown, &widget_before.0).await;
            expect_same(&widget, &turns, &widget_before.1).await;
            // Reading it anew shows the same: nothing tells of the note.
            assert_eq!(widget.get(&turns).await.text, widget_before.1.text, "change {number}");
            assert_eq!(widget.get(&shown).await.text, widget_before.0.text, "change {number}");
        }
    }
}

#[tokio::test]
async fn a_change_after_a_note_moves_the_widgets_version_by_one() {
    let service = TestService::start().await;
    let (widget, session, escalation) = claimed_of_widget(&service).await;
    let (agent, shown) = (service.agent(), format!("/sessions/{session}"));
    let of = async |actor: &Actor| {
        let read = actor.get(&shown).await;
        ["version", "turnCount"].map(|field| read.at(field).as_u64().unwrap())
    };
    let (before, staff) = (of(&widget).await, of(&agent).await);
    let message = format!("/inbox/{escalation}/message");
    for _ in 0..3 {
        agent.post(&message, json!({"content": "Look.", "internal": true})).await.expect(200);
    }
    assert_eq!((of(&widget).await, of(&agent).await), (before, staff.map(|number| number + 3)));
    agent.post(&message, json!({"content": "Hello."})).await.expect(200);
    let after = of(&widget).await;
    // The number of the last turn that it sees: those of notes are missing.
    assert_eq!(after, [before[0] + 1, before[1] + 4]);
    let last = widget.turns(&session).await.last().unwrap()["turn"].as_u64().unwrap();
    assert_eq!(last, after[1]);
}

#[tokio::test]
async fn a_place_in_the_queue_and_a_changed_setting_are_part_of_what_a_tag_says() {
    let service = TestService::start().await;
    let trainer = service.trainer();
    let entry = json!({"path": "team/refunds", "title": "Refunds", "content": "A refund takes five working days."});
    trainer.post("/wiki", entry).await.expect(201);
    service.admin().patch("/settings", json!({"widgetAnswerVisibility": "all"})).await.expect(200);
    let (first, _) = waiting(&service).await;
    let widget = service.widget("ann").await;
    let session = widget.session_with(json!({})).await;
    let (shown, turns) = (format!("/sessions/{session}"), format!("/sessions/{session}/messages"));
    widget.ask(&session, "How long does a refund take?").await.expect(200);
    let answered = widget.get(&turns).await;
    assert!(answered.text.contains("five working days"));
    service.admin().patch("/settings", json!({"widgetAnswerVisibility": "public"})).await.expect(200);
    let hidden = expect_new(&widget, &turns, &answered).await;
    assert!(!hidden.text.contains("five working days"), "{}", hidden.text);
    widget.post(&format!("{shown}/escalate"), json!({"reason": "help"})).await.expect(200);
    service.drain().await;
    let second = widget.get(&shown).await;
    assert_eq!(second.at("queuePosition"), &json!(2));
    service.admin().delete(&format!("/sessions/{first}")).await.expect(204);
    assert_eq!(expect_new(&widget, &shown, &second).await.at("queuePosition"), &json!(1));
}

#[tokio::test]
async fn the_turns_after_a_message_have_a_tag_for_each_message() {
    let service = TestService::start().await;
    let (customer, session) = (service.integration(), service.integration().session().await);
    let first = customer.ask(&session, "Hello there").await.text_at("messageId").to_owned();
    let after = format!("/sessions/{session}/messages?after={first}");
    let none = customer.get(&after).await;
    assert!(none.items().is_empty());
    expect_same(&customer, &after, &none).await;
    again(&customer, &format!("/sessions/{session}/messages"), &none).await.expect(200);
    customer.ask(&session, "Are you there?").await.expect(200);
    assert_eq!(expect_new(&customer, &after, &none).await.items().len(), 2);
}

#[tokio::test]
async fn a_page_may_send_the_tag_and_read_it() {
    let service = TestService::start().await;
    let session = service.widget("ann").await.session_with(json!({})).await;
    let preflight = service.anonymous().with_header("origin", "https://shop.example");
    let path = format!("/sessions/{session}");
    let allowed =
        Reply::read("preflight".into(), preflight.request(reqwest::Method::OPTIONS, &path).send().await.unwrap());
    assert!(allowed.await.header("access-control-allow-headers").contains("If-None-Match"));
    let page = service.widget("ann").await.with_header("origin", "https://shop.example");
    let read = page.get(&path).await;
    let same = again(&page, &path, &read).await;
    assert_eq!((same.status, same.header("access-control-allow-origin")), (304, "https://shop.example"));
    assert!(same.header("access-control-expose-headers").contains("ETag"));
    assert_eq!(same.header("cache-control"), "no-store");
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_polls_in_a_minute_are_bounded_and_a_304_counts_a_tenth() {
    let meter = CapacityMeter::default();
    let functions = meter.clone();
    let service = TestService::with(|options| {
        options.wrap_database = Some(Box::new(move |inner| functions.wrap(inner)));
        options.start.rate_limits = RateLimits::Real;
    })
    .await;
    let agent = service.agent();
    // Whatever the caller has is good enough: even if the test takes longer than a tag lasts.
    let poll = agent.with_header("if-none-match", "*");
    meter.take();
    let (same, refused) = (Arc::new(AtomicUsize::new(0)), AtomicUsize::new(0));
    let start = Instant::now();
    futures::stream::iter(0..10_000)
        .for_each_concurrent(16, |_| async {
            match poll.get("/inbox").await.status {
                304 => same.fetch_add(1, Ordering::Relaxed),
                429 => refused.fetch_add(1, Ordering::Relaxed),
                other => panic!("{other}"),
            };
        })
        .await;
    let (same, units) = (same.load(Ordering::Relaxed), meter.take());
    // 600 a minute of three each, a tenth counted: 2,000, and what comes back meanwhile.
    let most = (600.0 + 10.0 * start.elapsed().as_secs_f64()) / 0.3 * 1.1;
    assert!(same >= 1_800 && (same as f64) <= most.max(2_200.0), "{same} of {most}");
    assert_eq!(same + refused.load(Ordering::Relaxed), 10_000);
    // A key, and the revision: refusals look at the key alone.
    assert!(units.reads <= 10_000.0 + 1_500.0 + 10.0 * same as f64 * 0.05, "{units:?}");
}

#[tokio::test]
async fn a_304_of_the_inbox_reads_one_item_beyond_its_caller() {
    let meter = CapacityMeter::default();
    let functions = meter.clone();
    let service =
        TestService::with(|options| options.wrap_database = Some(Box::new(move |inner| functions.wrap(inner)))).await;
    let (session, escalation) = waiting(&service).await;
    let agent = service.agent();
    let unknown = async |path: &str| {
        agent.get(path).await;
        meter.take();
        agent.get(path).await;
        meter.take().reads
    };
    let caller = unknown("/inbox/esc_00000000000000000000000000").await - 1.0;
    let mut told = Vec::new();
    for path in ["/inbox".to_owned(), format!("/inbox/{escalation}"), format!("/sessions/{session}/messages")] {
        let read = agent.get(&path).await;
        meter.take();
        expect_same(&agent, &path, &read).await;
        told.push((path, meter.take().reads - caller));
    }
    println!("figure: units of a 304 beyond the caller's {caller}: {told:?}");
    assert!(told[0].1 <= 0.5, "{told:?}");
}
