//! An agent takes up again what was resolved.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::inbox_claims::{act, claimed_by_anna, is_in};
use crate::support::{Reply, TestService};

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;

async fn reopen(service: &TestService, id: &str) -> Reply {
    act(&service.agent(), id, "reopen", json!({"agentId": "bob", "agentName": "Bob"})).await
}

/// A session that Anna resolved after ten minutes: its id and the escalation's.
async fn resolved(service: &TestService) -> (String, String) {
    let (session, id) = claimed_by_anna(service).await;
    service.clock.advance(10 * MINUTE);
    let body = json!({"agentId": "anna", "resolution": "Paid by hand"});
    act(&service.agent(), &id, "resolve", body).await.expect(200);
    (session, id)
}

async fn resume(service: &TestService, session: &str) {
    service.integration().post("/sessions/resume", json!({"sessionId": session})).await.expect(200);
}

#[tokio::test]
async fn a_resolved_case_is_taken_up_again_by_who_reopens_it() {
    let (service, receiver, _) = TestService::with_receiver().await;
    let (session, id) = claimed_by_anna(&service).await;
    let agent = service.agent();
    act(&agent, &id, "message", json!({"content": "Hello.", "agentId": "anna"})).await.expect(200);
    act(&agent, &id, "resolve", json!({"agentId": "anna", "resolution": "Paid"})).await.expect(200);
    let before = agent.get(&format!("/inbox/{id}")).await;
    // A delivery that is under way when the clock jumps is out of its time, and is sent again later.
    service.drain().await;
    service.clock.advance(HOUR);
    let again = reopen(&service, &id).await;
    let now = again.expect(200);
    assert_eq!((&now["status"], &now["session"]["ownership"]), (&json!("claimed"), &json!("human")));
    assert_eq!(now["claimedBy"], json!({"agentId": "bob", "name": "Bob"}));
    assert!(is_in(&service, &now["claimedAt"], 0) && is_in(&service, &now["leaseExpiresAt"], 30 * MINUTE), "{now:#}");
    for cleared in ["resolvedAt", "outcome", "resolution", "closedAt"] {
        assert_eq!(now[cleared], json!(null), "{cleared}");
    }
    for kept in ["firstResponseAt", "createdAt", "reason", "escalationId"] {
        assert_eq!(&now[kept], before.at(kept), "{kept}");
    }
    for cleared in ["closedAt", "closedReason", "resumableUntil"] {
        assert_eq!(now["session"][cleared], json!(null), "{cleared}");
    }
    assert_eq!(now["session"]["escalationId"], id.as_str());
    let turns = service.integration().turns(&session).await;
    assert_eq!(turns.last().unwrap()["event"], "agent_joined");
    assert_eq!(service.integration().ask(&session, "Still broken.").await.at("disposition"), "queued_for_human");
    act(&agent, &id, "message", json!({"content": "I see.", "agentId": "bob"})).await.expect(200);
    act(&agent, &id, "resolve", json!({"agentId": "bob", "resolution": "Now really"})).await.expect(200);
    service.drain().await;
    let told = receiver.caught();
    let of = |kind: &str| {
        told.iter().filter(|caught| caught.kind() == kind).map(|c| c.id().to_owned()).collect::<BTreeSet<_>>()
    };
    let counts =
        ["handover.reopened", "handover.claimed", "handover.resolved", "session.resumed"].map(|kind| of(kind).len());
    assert_eq!(counts, [1, 1, 2, 1]);
}

#[tokio::test]
async fn a_case_is_reopened_while_its_session_is_closed_or_resumed_and_nobody_asked_again() {
    let service = TestService::start().await;
    let caller = service.integration();
    let (session, id) = resolved(&service).await;
    resume(&service, &session).await;
    caller.ask(&session, "Thank you so far.").await.expect(200);
    assert_eq!(reopen(&service, &id).await.expect(200)["session"]["ownership"], "human");
    reopen(&service, &id).await.expect_error(409, "INVALID_STATE");
    act(&service.admin(), &id, "resolve", json!({})).await.expect(200);

    let (session, id) = resolved(&service).await;
    resume(&service, &session).await;
    caller.post(&format!("/sessions/{session}/escalate"), json!({"reason": "again"})).await.expect(200);
    reopen(&service, &id).await.expect_error(409, "INVALID_STATE");
    caller.post_empty(&format!("/sessions/{session}/cancel-escalation")).await.expect(200);
    reopen(&service, &id).await.expect_error(409, "INVALID_STATE");

    let (session, id) = resolved(&service).await;
    resume(&service, &session).await;
    let taken = service.agent().post(&format!("/sessions/{session}/takeover"), json!({})).await;
    reopen(&service, &id).await.expect_error(409, "INVALID_STATE");
    service.agent().post_empty(&format!("/inbox/{}/handback", taken.text_at("escalationId"))).await.expect(200);
    reopen(&service, &id).await.expect_error(409, "INVALID_STATE");

    let (_, id) = resolved(&service).await;
    service.clock.advance(24 * HOUR - 10 * MINUTE);
    assert_eq!(reopen(&service, &id).await.expect(200)["status"], "claimed", "the window's last minutes");
    let (_, id) = resolved(&service).await;
    service.clock.advance(24 * HOUR);
    reopen(&service, &id).await.expect_error(409, "INVALID_STATE");
}

#[tokio::test]
async fn an_unresolved_or_foreign_request_is_not_reopened() {
    let service = TestService::start().await;
    let (_, id) = claimed_by_anna(&service).await;
    reopen(&service, &id).await.expect_error(409, "INVALID_STATE");
    act(&service.agent(), &id, "release", json!({"agentId": "anna"})).await.expect(200);
    reopen(&service, &id).await.expect_error(409, "INVALID_STATE");
    service.agent().post_empty("/inbox/takeover").await.expect(200);
    act(&service.agent(), &id, "handback", json!({})).await.expect(200);
    reopen(&service, &id).await.expect_error(409, "INVALID_STATE");
    let (session, id) = resolved(&service).await;
    act(&service.other_admin(), &id, "reopen", json!({})).await.expect_error(404, "NOT_FOUND");
    act(&service.test_admin(), &id, "reopen", json!({})).await.expect_error(404, "NOT_FOUND");
    act(&service.trainer(), &id, "reopen", json!({})).await.expect_error(403, "FORBIDDEN");
    act(&service.agent(), &id, "reopen", json!({"agentId": "mem_bob"})).await.expect_error(400, "VALIDATION_ERROR");
    let once = service.agent().with_header("idempotency-key", "once");
    act(&once, &id, "reopen", json!({"agentId": "bob"})).await.expect(200);
    act(&service.agent(), &id, "release", json!({"agentId": "bob"})).await.expect(200);
    let again = act(&once, &id, "reopen", json!({"agentId": "bob"})).await;
    assert_eq!((&again.expect(200)["status"], again.header("idempotency-replayed")), (&json!("pending"), "true"));
    service.admin().delete(&format!("/sessions/{session}")).await.expect(204);
    reopen(&service, &id).await.expect_error(404, "NOT_FOUND");
}

#[tokio::test]
async fn handle_time_counts_each_part_that_an_agent_ended_once() {
    let service = TestService::start().await;
    let figures = async || {
        service.drain().await;
        let figures = service.admin().get("/analytics?days=1").await;
        let counts: Value = figures.at("counts").clone();
        (figures.at("avgHumanHandleTimeMs").clone(), counts)
    };
    let (_, id) = resolved(&service).await;
    // The clock goes on.
    let about =
        |value: Value, minutes: i64| (minutes * MINUTE..(minutes + 1) * MINUTE).contains(&value.as_i64().unwrap());
    assert!(about(figures().await.0, 10), "ten minutes");
    let counted = figures().await;
    reopen(&service, &id).await.expect(200);
    assert_eq!(figures().await, counted, "a part that ended stays counted");
    service.clock.advance(20 * MINUTE);
    let to_eve = json!({"agentId": "bob", "toAgentId": "eve"});
    act(&service.agent(), &id, "transfer", to_eve).await.expect(200);
    assert_eq!(figures().await, counted, "a transfer ends no part");
    service.clock.advance(20 * MINUTE);
    act(&service.agent(), &id, "handback", json!({"agentId": "eve"})).await.expect(200);
    assert!(about(figures().await.0, 25), "the mean of ten and forty");
}
