//! A deleted session is gone for everybody at once, and its data is erased; so are the revisions of a deleted entry.

use serde_json::json;

use aws_sdk_dynamodb::types::AttributeValue;
use domain::models::SessionId;
use support::table::stream::Record;

use crate::support::{Actor, Receiver, Recorder, StoredItem, TestService};

const SECRET: &str = "My card ends in 4242-xyzzy";
const MINUTE: i64 = 60_000;
const DAY: i64 = 86_400_000;

/// A widget session in which something private was said, with a request for a human.
async fn private_session(service: &TestService, visitor: &str) -> (String, Actor) {
    let widget = service.widget(visitor).await;
    let body = json!({"user": {"name": "xyzzy name", "email": "xyzzy@example.com"}, "metadata": {"k": "xyzzy"}});
    let session = widget.session_with(body).await;
    let path = format!("/sessions/{session}/messages");
    widget.post(&path, json!({"content": SECRET, "clientMessageId": "xyzzy-1"})).await.expect(200);
    widget.post(&format!("/sessions/{session}/escalate"), json!({"reason": "xyzzy reason"})).await.expect(200);
    (session, widget)
}

/// Every call that could show or change a session: all of them must find nothing.
async fn expect_gone(caller: &Actor, session: &str) {
    let at = |rest: &str| format!("/sessions/{session}{rest}");
    caller.get(&at("")).await.expect_error(404, "NOT_FOUND");
    caller.get(&at("/messages")).await.expect_error(404, "NOT_FOUND");
    caller.ask(session, "hello").await.expect_error(404, "NOT_FOUND");
    let again = json!({"content": SECRET, "clientMessageId": "xyzzy-1"});
    caller.post(&at("/messages"), again).await.expect_error(404, "NOT_FOUND");
    caller.post(&at("/reaction"), json!({"reaction": "flag"})).await.expect_error(404, "NOT_FOUND");
    caller.post(&at("/escalate"), json!({"reason": "r"})).await.expect_error(404, "NOT_FOUND");
    caller.post_empty(&at("/cancel-escalation")).await.expect_error(404, "NOT_FOUND");
    caller.post("/sessions/resume", json!({"sessionId": session})).await.expect_error(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_deleted_session_is_gone_for_every_caller_at_once() {
    let service = TestService::start().await;
    let (session, widget) = private_session(&service, "ann").await;
    let bound = service.widget_with(json!({"sessionId": session})).await;
    service.admin().delete(&format!("/sessions/{session}")).await.expect(204);
    for caller in [service.admin(), service.trainer(), service.agent(), service.integration(), widget.clone(), bound] {
        expect_gone(&caller, &session).await;
    }
    widget.post_empty("/sessions/resume").await.expect_error(404, "NOT_FOUND");
    let by_visitor = json!({"externalUserId": "ann"});
    service.integration().post("/sessions/resume", by_visitor).await.expect_error(404, "NOT_FOUND");
    for list in ["/sessions", "/sessions?externalUserId=ann", "/sessions?ownership=pending_handover"] {
        assert!(service.admin().get(list).await.items().is_empty(), "{list}");
    }
    service.admin().delete(&format!("/sessions/{session}")).await.expect_error(404, "NOT_FOUND");
}

#[tokio::test]
async fn nothing_of_its_text_is_left_in_the_table_after_a_sweep() {
    let service = TestService::start().await;
    let (session, _) = private_session(&service, "ann").await;
    let (other, _) = private_session(&service, "bob").await;
    assert!(service.raw_items().await.iter().any(|item| item.contains(&session) && item.contains("xyzzy")));
    service.admin().delete(&format!("/sessions/{session}")).await.expect(204);
    service.sweep_without_failure().await;
    let left = items_about(&service, &session).await;
    assert_eq!(left.len(), 1, "{left:#?}");
    assert!(left[0].contains("session_tombstone") && !left[0].contains("xyzzy"), "{left:?}");
    service.admin().delete(&format!("/sessions/{other}")).await.expect(204);
    service.sweep().await;
    let told: Vec<_> = service.raw_items().await.into_iter().filter(|item| item.contains("xyzzy")).collect();
    assert!(told.is_empty(), "{told:#?}");
}

/// Items that name a session, without those of the audit: it keeps for a year who deleted which session, and no text.
async fn items_about(service: &TestService, session: &str) -> Vec<String> {
    let about = |item: &String| item.contains(session) && !item.contains("\"audit_entry\"");
    service.raw_items().await.into_iter().filter(about).collect()
}

/// Items that tell something of what was said.
async fn telling(service: &TestService) -> Vec<String> {
    service.raw_items().await.into_iter().filter(|item| item.contains("xyzzy")).collect()
}

#[tokio::test]
async fn deliveries_and_gap_wordings_of_a_session_are_erased_with_it() {
    let (service, _receiver, _) = TestService::with_receiver().await;
    let (session, _) = private_session(&service, "ann").await;
    service.drain().await;
    let before = telling(&service).await;
    for kind in ["delivery", "gap"] {
        assert!(before.iter().any(|item| item.contains(&format!("\"{kind}\""))), "no {kind} tells anything");
    }
    service.admin().delete(&format!("/sessions/{session}")).await.expect(204);
    service.drain().await;
    service.sweep_without_failure().await;
    service.drain().await;
    assert_eq!(telling(&service).await, Vec::<String>::new());
}

#[tokio::test]
async fn an_erasure_that_is_cut_off_leaves_less_to_the_next_one() {
    let service = TestService::start().await;
    let session = service.integration().session().await;
    for question in ["Which zebra sings on Jupiter?", "When does the walrus pay its taxes?"] {
        service.integration().ask(&session, question).await.expect(200);
    }
    service.drain().await;
    let (scope, id) = (service.scope(), SessionId::parse(&session).unwrap());
    let gaps = service.resources().store.gaps();
    let mut asked = gaps.list_of_session(&scope, &id).await.unwrap();
    asked.sort_by(|(one, ..), (other, ..)| one.cmp(other));
    assert_eq!(asked.len(), 2, "{asked:?}");
    // The last gap cannot be read.
    let last = asked[1].0.as_str();
    let unreadable = |mut item: StoredItem| {
        item.insert("version".into(), AttributeValue::S("none".into()));
        Some(item)
    };
    service.rewrite_items("gap", last, unreadable).await;
    assert!(gaps.erase_session(&scope, &id).await.is_err());
    assert_eq!(gaps.list_of_session(&scope, &id).await.unwrap(), asked[1..]);
}

#[tokio::test]
async fn records_that_the_stream_makes_after_a_deletion_are_erased_by_the_next_pass() {
    let (service, _receiver, _) = TestService::with_receiver().await;
    let (session, _) = private_session(&service, "ann").await;
    service.admin().delete(&format!("/sessions/{session}")).await.expect(204);
    service.sweep_without_failure().await;
    service.drain().await;
    service.later(15 * MINUTE).await;
    assert_eq!(telling(&service).await, Vec::<String>::new());
}

#[tokio::test]
async fn late_records_are_erased_too_and_finally_the_tombstone() {
    let service = TestService::start().await;
    let (session, _) = private_session(&service, "ann").await;
    service.admin().delete(&format!("/sessions/{session}")).await.expect(204);
    let mut passes = 0;
    for wait in [0, 14 * MINUTE, MINUTE, DAY, 3 * 3_600_000, DAY] {
        service.clock.advance(wait);
        passes += service.sweep().await.items;
    }
    assert_eq!(passes, 3);
    let left = items_about(&service, &session).await;
    assert!(left.is_empty(), "{left:#?}");
    expect_gone(&service.admin(), &session).await;
}

#[tokio::test]
async fn a_session_is_erased_when_its_tenant_no_longer_keeps_it() {
    let service = TestService::start().await;
    service.admin().patch("/settings", json!({"retentionDays": 7, "resumeWindowHours": 336})).await.expect(200);
    let (open, _) = private_session(&service, "ann").await;
    let quiet = service.integration().session().await;
    let used = service.integration().session().await;
    service.clock.advance(6 * DAY);
    service.integration().ask(&used, "Still here").await.expect(200);
    service.clock.advance(DAY);
    service.sweep().await;
    for gone in [&open, &quiet] {
        service.admin().get(&format!("/sessions/{gone}")).await.expect_error(404, "NOT_FOUND");
    }
    service.admin().get(&format!("/sessions/{used}")).await.expect(200);
    service.sweep().await;
    let told: Vec<_> = service.raw_items().await.into_iter().filter(|item| item.contains("xyzzy")).collect();
    assert!(told.is_empty(), "{told:#?}");
    service.clock.advance(6 * DAY);
    service.sweep().await;
    service.admin().get(&format!("/sessions/{used}")).await.expect_error(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_shorter_retention_holds_for_a_session_from_its_next_check_on() {
    let service = TestService::start().await;
    let session = service.integration().session().await;
    service.admin().patch("/settings", json!({"retentionDays": 7})).await.expect(200);
    // It is closed after its window, and looked at then.
    service.clock.advance(2 * DAY);
    service.sweep().await;
    service.clock.advance(4 * DAY);
    service.sweep().await;
    service.admin().get(&format!("/sessions/{session}")).await.expect(200);
    service.clock.advance(2 * DAY);
    service.sweep().await;
    service.admin().get(&format!("/sessions/{session}")).await.expect_error(404, "NOT_FOUND");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_beside_the_deletion_never_brings_the_session_back() {
    let service = TestService::start().await;
    let (admin, caller) = (service.admin(), service.integration());
    for _ in 0..10 {
        let session = caller.session().await;
        let sends = (0..8).map(|_| {
            let (caller, session) = (caller.clone(), session.clone());
            tokio::spawn(async move { caller.ask(&session, "xyzzy").await.status })
        });
        let sends: Vec<_> = sends.collect();
        admin.delete(&format!("/sessions/{session}")).await.expect(204);
        for sent in sends {
            let status = sent.await.unwrap();
            assert!([200, 404].contains(&status), "{status}");
        }
        caller.get(&format!("/sessions/{session}")).await.expect_error(404, "NOT_FOUND");
        service.sweep().await;
        let left: Vec<_> = service.raw_items().await.into_iter().filter(|item| item.contains("xyzzy")).collect();
        assert!(left.is_empty(), "{left:#?}");
    }
}

/// Asks for a human and takes it back, `times` times, each time with a reason that tells something.
async fn ask_and_cancel(caller: &Actor, session: &str, times: usize) {
    for n in 0..times {
        let reason = json!({"reason": format!("xyzzy {n}")});
        caller.post(&format!("/sessions/{session}/escalate"), reason).await.expect(200);
        caller.post_empty(&format!("/sessions/{session}/cancel-escalation")).await.expect(200);
    }
}

#[tokio::test]
async fn the_open_request_of_a_session_with_many_leaves_the_inbox_with_it() {
    let service = TestService::start().await;
    let (caller, agent) = (service.integration(), service.agent());
    for claimed in [false, true] {
        let session = caller.session().await;
        ask_and_cancel(&caller, &session, 50).await;
        caller.post(&format!("/sessions/{session}/escalate"), json!({"reason": "xyzzy open"})).await.expect(200);
        if claimed {
            agent.post_empty("/inbox/takeover").await.expect(200);
        }
        let list = if claimed { "/inbox?status=claimed" } else { "/inbox" };
        assert_eq!(agent.get(list).await.items().len(), 1, "{list}");
        service.admin().delete(&format!("/sessions/{session}")).await.expect(204);
        assert!(agent.get(list).await.items().is_empty(), "{list}");
        agent.post_empty("/inbox/takeover").await.expect_error(404, "NOT_FOUND");
    }
}

/// Files under the data folder's `folder` that hold `text`.
fn files_with(service: &TestService, folder: &str, text: &str) -> Vec<std::path::PathBuf> {
    let has_text = |content: &[u8]| content.windows(text.len()).any(|part| part == text.as_bytes());
    let files = service.files(folder).into_iter();
    files.filter(|(_, content)| has_text(content)).map(|(path, _)| path).collect()
}

/// Hands `changes` the newest record of a kind that tells something of the session, spoiled, so that it becomes a dead
/// letter.
async fn spoil(service: &TestService, session: &str, kind: &str) {
    let about = |record: &Record| {
        let text = serde_json::to_string(record).unwrap();
        record.kind() == kind && record.is_consumed() && text.contains(session) && text.contains("xyzzy")
    };
    let mut record = service.stream_records().await.into_iter().rfind(about).unwrap();
    record.event_id = format!("spoiled-{kind}");
    let image = record.new.as_mut().unwrap().inner_mut();
    let spoiled = if kind == "turn" { "number" } else { "version" };
    image.insert(spoiled.into(), serde_json::from_value(json!({"S": "spoiled"})).unwrap());
    assert_eq!(support::changes::handle(&service.changes().await, vec![record.clone()]).await, None);
    // As whoever gives out the changes does with one that fails or ends the process at every attempt.
    let why = domain::Error::internal("it always fails");
    support::changes::consumers::write_dead_letter(&service.changes().await, &record, &[("changes", why)])
        .await
        .unwrap();
}

#[tokio::test]
async fn no_table_index_queue_dead_letter_or_log_holds_an_erased_session() {
    let queued = Recorder::default();
    let wire = queued.clone();
    let service =
        TestService::with(|options| options.wrap_queues = Some(Box::new(move |inner| wire.wrap(inner)))).await;
    let receiver = Receiver::start().await;
    let webhook = service.admin().webhook(&receiver.url(), &["*"]).await;
    service.drain().await;
    service.admin().patch(&format!("/webhooks/{webhook}"), json!({"status": "disabled"})).await.expect(200);
    let well = Receiver::start().await;
    service.admin().webhook(&well.url(), &["session.created", "handover.requested"]).await;
    let (session, widget) = private_session(&service, "ann").await;
    widget.post_empty(&format!("/sessions/{session}/cancel-escalation")).await.expect(200);
    for _ in 0..7 {
        ask_and_cancel(&widget, &session, 14).await;
        service.drain().await;
    }
    widget.post(&format!("/sessions/{session}/escalate"), json!({"reason": "xyzzy open"})).await.expect(200);
    service.drain().await;
    for kind in ["session", "turn", "escalation"] {
        spoil(&service, &session, kind).await;
    }
    let before = telling(&service).await;
    for (kind, least) in [("delivery", 100), ("escalation", 100), ("gap", 1)] {
        let count = before.iter().filter(|item| item.contains(&format!("\"{kind}\""))).count();
        assert!(count >= least, "only {count} items of kind {kind} tell anything");
    }
    let held = service.admin().get(&format!("/webhooks/{webhook}/deliveries?status=held")).await;
    assert!(!held.items().is_empty(), "no delivery is held");
    assert_eq!(files_with(&service, "dead-letters", "xyzzy").len(), 6);

    service.admin().delete(&format!("/sessions/{session}")).await.expect(204);
    service.drain().await;
    service.sweep_without_failure().await;
    service.later(15 * MINUTE).await;
    assert_eq!(telling(&service).await, Vec::<String>::new());
    assert_eq!(files_with(&service, "dead-letters", "xyzzy"), Vec::<std::path::PathBuf>::new());
    assert_eq!(files_with(&service, "search", "xyzzy"), Vec::<std::path::PathBuf>::new());
    assert_eq!(service.admin().get("/wiki?q=xyzzy").await.json["total"], 0);
    assert!(queued.text().contains("MessageBody") && !queued.text().contains("xyzzy"), "a queue was told");
    assert!(!service.log().is_empty() && !service.log().contains("xyzzy"), "a log tells");
    // When the receiver answers again it is sent the rest of each event: that it happened.
    service.admin().patch(&format!("/webhooks/{webhook}"), json!({"status": "active"})).await.expect(200);
    service.drain().await;
    let bodies = receiver.caught().into_iter().map(|caught| String::from_utf8_lossy(&caught.body).into_owned());
    let told: Vec<String> = bodies.filter(|body| body.contains("xyzzy")).collect();
    assert_eq!(told, Vec::<String>::new(), "a receiver is told what was erased");
}

#[tokio::test]
async fn the_revisions_of_a_deleted_entry_go_after_the_retention_and_not_before() {
    let service = TestService::start().await;
    let admin = service.admin();
    admin.patch("/settings", json!({"retentionDays": 7})).await.expect(200);
    service.trainer().wiki_entry("help/old", "Old", "xyzzy one").await;
    for n in 0..60 {
        service.trainer().patch("/wiki/help/old", json!({"content": format!("xyzzy {n}")})).await.expect(200);
    }
    service.trainer().wiki_entry("help/kept", "Kept", "xyzzy kept").await;
    service.trainer().patch("/wiki/help/kept", json!({"content": "xyzzy is kept"})).await.expect(200);
    service.trainer().delete("/wiki/help/old").await.expect(204);
    service.drain().await;
    let revisions = async || {
        let items = service.raw_items().await;
        let of = |path: &str| items.iter().filter(|i| i.contains(&format!("#REV#help/{path}"))).count();
        (of("old"), of("kept"))
    };
    assert_eq!(revisions().await, (63, 1), "61 versions, the deletion, and when they end");
    // Written again: what it was before its deletion goes all the same, what it is from now on stays.
    service.trainer().wiki_entry("help/old", "New", "xyzzy new").await;
    service.trainer().patch("/wiki/help/old", json!({"content": "newer"})).await.expect(200);
    service.drain().await;
    service.later(6 * DAY).await;
    assert_eq!(revisions().await, (64, 1));
    // A longer retention holds for what is kept still.
    admin.patch("/settings", json!({"retentionDays": 9})).await.expect(200);
    service.later(DAY).await;
    assert_eq!(revisions().await, (64, 1));
    service.later(2 * DAY).await;
    assert_eq!(revisions().await, (1, 1));
    service.trainer().get("/wiki/help/old").await.expect(200);
}
