//! A deleted session is gone for everybody at once, and nothing of what was said in it is left behind.

use serde_json::json;

use crate::support::{Actor, TestService};

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
    assert_eq!(service.sweep().await.failed, 0);
    let left: Vec<_> = service.raw_items().await.into_iter().filter(|item| item.contains(&session)).collect();
    assert_eq!(left.len(), 1, "{left:#?}");
    assert!(left[0].contains("session_tombstone") && !left[0].contains("xyzzy"), "{left:?}");
    service.admin().delete(&format!("/sessions/{other}")).await.expect(204);
    service.sweep().await;
    let told: Vec<_> = service.raw_items().await.into_iter().filter(|item| item.contains("xyzzy")).collect();
    assert!(told.is_empty(), "{told:#?}");
}

/// Items that tell something of what was said.
async fn telling(service: &TestService) -> Vec<String> {
    service.raw_items().await.into_iter().filter(|item| item.contains("xyzzy")).collect()
}

#[tokio::test]
async fn what_went_to_receivers_and_into_gaps_is_erased_with_it() {
    let (service, _receiver, _) = TestService::with_receiver().await;
    let (session, _) = private_session(&service, "ann").await;
    service.drain().await;
    let before = telling(&service).await;
    for kind in ["delivery", "gap"] {
        assert!(before.iter().any(|item| item.contains(&format!("\"{kind}\""))), "no {kind} tells anything");
    }
    service.admin().delete(&format!("/sessions/{session}")).await.expect(204);
    service.drain().await;
    assert_eq!(service.sweep().await.failed, 0);
    service.drain().await;
    assert_eq!(telling(&service).await, Vec::<String>::new());
}

#[tokio::test]
async fn what_the_stream_makes_of_a_session_after_its_deletion_goes_by_the_next_pass() {
    let (service, _receiver, _) = TestService::with_receiver().await;
    let (session, _) = private_session(&service, "ann").await;
    service.admin().delete(&format!("/sessions/{session}")).await.expect(204);
    assert_eq!(service.sweep().await.failed, 0);
    service.drain().await;
    service.later(15 * MINUTE).await;
    assert_eq!(telling(&service).await, Vec::<String>::new());
}

#[tokio::test]
async fn what_comes_late_is_erased_too_and_in_the_end_the_tombstone_goes() {
    let service = TestService::start().await;
    let (session, _) = private_session(&service, "ann").await;
    service.admin().delete(&format!("/sessions/{session}")).await.expect(204);
    let mut passes = 0;
    for wait in [0, 14 * MINUTE, MINUTE, DAY, 3 * 3_600_000, DAY] {
        service.clock.advance(wait);
        passes += service.sweep().await.items;
    }
    assert_eq!(passes, 3);
    let left: Vec<_> = service.raw_items().await.into_iter().filter(|item| item.contains(&session)).collect();
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
