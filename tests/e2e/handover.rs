//! Escalating, cancelling, resuming, and reactions to answers.

use std::collections::BTreeSet;

use domain::models::{Mode, Scope, SessionId};
use serde_json::json;
use support::sessions::conversation::ConversationService;

use crate::support::{CapacityMeter, Receiver, TestService};

const QUESTION: &str = "How long does a refund take?";

async fn with_refunds() -> TestService {
    let service = TestService::start().await;
    service.trainer().wiki_entry("help/refunds", "Refunds", "A refund takes five working days after approval.").await;
    service
}

/// Nobody but a person answers who waits for one.
async fn silent_while_waiting(service: &TestService) {
    service.admin().patch("/settings", json!({"answersWhileWaiting": false})).await.expect(200);
}

#[tokio::test]
async fn a_request_for_a_human_is_the_same_one_when_repeated() {
    let service = TestService::start().await;
    let caller = service.integration();
    let ahead = caller.session().await;
    caller.post(&format!("/sessions/{ahead}/escalate"), json!({"reason": "first"})).await.expect(200);
    let session = caller.session().await;
    let path = format!("/sessions/{session}/escalate");
    let first = caller.post(&path, json!({"reason": "I want a person"})).await;
    let body = first.expect(200);
    assert_eq!((&body["status"], &body["ownership"]), (&json!("pending"), &json!("pending_handover")));
    assert_eq!((&body["reason"], &body["queuePosition"]), (&json!("I want a person"), &json!(2)));
    assert_eq!(body["sessionId"], session.as_str());
    let again = caller.post(&path, json!({"reason": "Another"})).await;
    assert_eq!(again.expect(200), body);
    for (bad, detail) in [
        (json!({}), "reason REQUIRED"),
        (json!({"reason": "r".repeat(1_001)}), "reason TOO_LONG"),
        (json!({"reason": null}), "reason REQUIRED"),
    ] {
        let reply = caller.post(&path, bad).await;
        reply.expect_error(400, "VALIDATION_ERROR");
        assert_eq!(reply.details(), [detail]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sixty_four_requests_at_once_make_one_escalation() {
    let service = TestService::start().await;
    let caller = service.integration();
    let receiver = Receiver::start().await;
    service.admin().webhook(&receiver.url(), &["handover.requested"]).await;
    let session = caller.session().await;
    let sends = (0..64).map(|_| {
        let (caller, path) = (caller.clone(), format!("/sessions/{session}/escalate"));
        tokio::spawn(async move { caller.post(&path, json!({"reason": "help"})).await })
    });
    let mut ids = Vec::new();
    for sent in sends.collect::<Vec<_>>() {
        ids.push(sent.await.unwrap().expect(200)["escalationId"].clone());
    }
    ids.dedup();
    assert_eq!(ids.len(), 1);
    assert_eq!(caller.turns(&session).await.len(), 1, "one note that a human was asked for");
    service.drain().await;
    let events: BTreeSet<_> = receiver.caught().iter().map(|caught| caught.id().to_owned()).collect();
    assert_eq!(events.len(), 1, "one event, however often it was delivered");
}

#[tokio::test]
async fn a_cancelled_request_gives_the_session_back_to_the_ai_which_answers_what_was_left() {
    let service = with_refunds().await;
    silent_while_waiting(&service).await;
    let caller = service.integration();
    let session = caller.session().await;
    let cancel = format!("/sessions/{session}/cancel-escalation");
    caller.post_empty(&cancel).await.expect_error(409, "INVALID_STATE");
    caller.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await.expect(200);
    assert_eq!(caller.ask(&session, QUESTION).await.at("disposition"), "queued_for_human");
    caller.ask(&session, "To my card, please.").await.expect(200);
    let back = caller.post_empty(&cancel).await;
    assert_eq!((&back.expect(200)["ownership"], back.at("escalationId")), (&json!("ai"), &json!(null)));
    let turns = caller.turns(&session).await;
    let roles: Vec<_> = turns.iter().map(|t| t["event"].as_str().or(t["role"].as_str()).unwrap()).collect();
    assert_eq!(roles, ["handover_requested", "customer", "customer", "handover_ended", "ai"]);
    assert!(turns[4]["answer"].as_str().unwrap().contains("five working days"));
    caller.post_empty(&cancel).await.expect_error(409, "INVALID_STATE");
    assert_eq!(caller.ask(&session, QUESTION).await.at("disposition"), "answered");
}

#[tokio::test]
async fn a_message_that_was_queued_is_told_the_same_when_it_is_sent_again_after_the_human_is_no_longer_wanted() {
    let service = with_refunds().await;
    silent_while_waiting(&service).await;
    let caller = service.integration();
    let session = caller.session().await;
    caller.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await.expect(200);
    let path = format!("/sessions/{session}/messages");
    let message = json!({"content": QUESTION, "clientMessageId": "m1"});
    let first = caller.post(&path, message.clone()).await;
    assert_eq!(first.expect(200)["disposition"], "queued_for_human");
    assert!(first.text_at("escalationId").starts_with("esc_"));
    caller.post_empty(&format!("/sessions/{session}/cancel-escalation")).await.expect(200);
    let again = caller.post(&path, message).await;
    assert_eq!((again.expect(200), again.header("idempotency-replayed")), (&first.json, "true"));
    assert_eq!(caller.turns(&session).await.iter().filter(|t| t["role"] == "ai").count(), 1);
}

#[tokio::test]
async fn however_much_was_left_it_is_answered_together_once() {
    let service = with_refunds().await;
    silent_while_waiting(&service).await;
    let caller = service.integration();
    let session = caller.session().await;
    caller.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await.expect(200);
    for n in 0..130 {
        caller.ask(&session, &format!("{QUESTION} ({n}) {}", "please ".repeat(40))).await.expect(200);
    }
    caller.post_empty(&format!("/sessions/{session}/cancel-escalation")).await.expect(200);
    let turns = caller.turns(&session).await;
    assert_eq!(turns.iter().filter(|t| t["role"] == "ai").count(), 1);
    assert!(turns.last().unwrap()["answer"].as_str().unwrap().contains("five working days"));
}

#[tokio::test]
async fn a_cancellation_reads_what_one_answer_deals_with_of_what_was_left_and_no_more() {
    let meter = CapacityMeter::default();
    let table = meter.clone();
    let service =
        TestService::with(|options| options.wrap_database = Some(Box::new(move |inner| table.wrap(inner)))).await;
    let caller = service.integration();
    let session = caller.session().await;
    caller.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await.expect(200);
    // Each is two read units.
    let long = "please ".repeat(1_140);
    for _ in 0..180 {
        caller.ask(&session, &long).await.expect(200);
    }
    meter.take();
    caller.post_empty(&format!("/sessions/{session}/cancel-escalation")).await.expect(200);
    let read = meter.take().reads;
    assert!(read < 280.0, "{read} units were read: more than the newest turns");
    assert_eq!(caller.turns(&session).await.iter().filter(|t| t["role"] == "ai").count(), 1);
}

#[tokio::test]
async fn a_cancellation_judges_its_body_like_every_other_request() {
    let service = TestService::start().await;
    let caller = service.integration();
    let session = caller.session().await;
    caller.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await.expect(200);
    let cancel = format!("/sessions/{session}/cancel-escalation");
    caller.post_raw(&cancel, "application/json", "[]").await.expect_error(400, "INVALID_JSON");
    caller.post_raw(&cancel, "application/json", "{").await.expect_error(400, "INVALID_JSON");
    caller.post_raw(&cancel, "text/plain", "{}").await.expect_error(415, "UNSUPPORTED_MEDIA_TYPE");
    assert_eq!(caller.get(&format!("/sessions/{session}")).await.at("ownership"), "pending_handover");
    caller.post(&cancel, json!({})).await.expect(200);
}

#[tokio::test]
async fn a_closed_session_takes_no_message_and_is_resumed_inside_its_window_only() {
    let service = with_refunds().await;
    let caller = service.integration();
    let session = caller.session_with(json!({"externalUserId": "ann"})).await;
    let message = json!({"content": QUESTION, "clientMessageId": "m1"});
    let path = format!("/sessions/{session}/messages");
    let answered = caller.post(&path, message.clone()).await;
    let open = caller.post("/sessions/resume", json!({"externalUserId": "ann"})).await;
    assert_eq!((&open.expect(200)["resumed"], open.at("sessionId")), (&json!(false), &json!(session)));
    close(&service, &session).await;
    caller.ask(&session, QUESTION).await.expect_error(409, "SESSION_CLOSED");
    assert_eq!(caller.post(&path, message).await.expect(200), answered.expect(200), "a repeated message is no new one");
    caller
        .post(&format!("/sessions/{session}/escalate"), json!({"reason": "r"}))
        .await
        .expect_error(409, "SESSION_CLOSED");
    let back = caller.post("/sessions/resume", json!({"sessionId": session})).await;
    assert_eq!((&back.expect(200)["resumed"], back.at("ownership")), (&json!(true), &json!("ai")));
    let events: Vec<_> = back.at("messages").as_array().unwrap().iter().filter_map(|t| t["event"].as_str()).collect();
    assert_eq!(events, ["closed", "resumed"]);
    close(&service, &session).await;
    service.clock.advance(24 * 3_600_000 + 1);
    caller.post("/sessions/resume", json!({"sessionId": session})).await.expect_error(410, "RESUME_WINDOW_EXPIRED");
}

async fn close(service: &TestService, session: &str) {
    let resources = service.resources();
    let scope = Scope { tenant: service.tenant.tenant_id.clone(), mode: Mode::Live };
    let id = SessionId::parse(session).unwrap();
    let now = resources.store.sessions().get(&scope, &id).await.unwrap().unwrap();
    let app = support::functions::sessions::app(resources).await.unwrap();
    assert!(ConversationService::new(&app).unwrap().close_idle_session(&scope, &now).await.unwrap());
}

#[tokio::test]
async fn resuming_names_exactly_one_session_and_a_widget_may_name_none() {
    let service = TestService::start().await;
    let caller = service.integration();
    caller.post("/sessions/resume", json!({})).await.expect_error(400, "VALIDATION_ERROR");
    let both = json!({"sessionId": "ses_01ARZ3NDEKTSV4RRFFQ69G5FAV", "externalUserId": "ann"});
    caller.post("/sessions/resume", both).await.expect_error(400, "VALIDATION_ERROR");
    caller.post("/sessions/resume", json!({"externalUserId": "nobody"})).await.expect_error(404, "NOT_FOUND");
    let widget = service.widget("ann").await;
    widget.post_empty("/sessions/resume").await.expect_error(404, "NOT_FOUND");
    let mine = widget.session().await;
    caller.session_with(json!({"externalUserId": "ann", "channel": "api"})).await;
    let found = widget.post_empty("/sessions/resume").await;
    assert_eq!(found.expect(200)["sessionId"], mine.as_str(), "a widget finds its newest widget session");
    widget.post("/sessions/resume", json!({"externalUserId": "bob"})).await.expect_error(403, "FORBIDDEN");
}

#[tokio::test]
async fn reactions_belong_to_the_last_answer_replace_or_add_up_and_two_rejections_ask_for_a_human() {
    let service = with_refunds().await;
    let caller = service.integration();
    let session = caller.session().await;
    let path = format!("/sessions/{session}/reaction");
    caller.post(&path, json!({"reaction": "flag"})).await.expect_error(409, "NO_AI_RESPONSE");
    let first = caller.ask(&session, QUESTION).await;
    let react = |reaction: &str| json!({"reaction": reaction});
    for (reaction, all) in [
        ("thumbs_up", json!(["thumbs_up"])),
        ("thumbs_down", json!(["thumbs_down"])),
        ("copy", json!(["thumbs_down", "copy"])),
        ("copy", json!(["thumbs_down", "copy"])),
    ] {
        let reply = caller.post(&path, react(reaction)).await;
        assert_eq!((&reply.expect(200)["reactions"], reply.at("messageId")), (&all, first.at("messageId")));
    }
    let second = caller.ask(&session, QUESTION).await;
    let on_first = json!({"reaction": "flag", "messageId": first.at("messageId")});
    assert_eq!(caller.post(&path, on_first).await.at("messageId"), first.at("messageId"));
    for bad in [react("Thumbs_Up"), json!({}), json!({"reaction": 1}), json!({"reaction": "flag", "messageId": 7})] {
        caller.post(&path, bad).await.expect_error(400, "VALIDATION_ERROR");
    }
    let customers = caller.turns(&session).await[0]["messageId"].clone();
    caller.post(&path, json!({"reaction": "flag", "messageId": customers})).await.expect_error(404, "NOT_FOUND");
    assert_eq!(caller.post(&path, react("thumbs_down")).await.at("messageId"), second.at("messageId"));
    let now = caller.get(&format!("/sessions/{session}")).await;
    assert_eq!(now.expect(200)["ownership"], "pending_handover");
}
