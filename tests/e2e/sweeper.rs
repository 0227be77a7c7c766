//! Due items: sessions end, pending answers are made, and one failure does not affect others.

use std::sync::Arc;

use answer::model::LanguageModel;
use serde_json::{Value, json};
use support::table::keys::DUE_SHARDS;

use crate::support::{Actor, Fault, Faults, IndexSwitch, ModelStub, TestService, answered};

const QUESTION: &str = "How long does a refund take?";
const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

async fn with_refunds(service: TestService) -> TestService {
    service.trainer().wiki_entry("help/refunds", "Refunds", "A refund takes five working days after approval.").await;
    settle(&service).await;
    service
}

/// Lets everything happen that follows from a new entry, so that only what a test makes due is due.
async fn settle(service: &TestService) {
    service.drain().await;
    service.clock.advance(10 * 60_000);
    for _ in 0..10 {
        if service.sweep().await.items == 0 {
            return;
        }
        service.drain().await;
    }
    panic!("something stays due");
}

async fn session_of(caller: &Actor, id: &str) -> Value {
    caller.get(&format!("/sessions/{id}")).await.expect(200).clone()
}

async fn events_of(caller: &Actor, id: &str) -> Vec<String> {
    let turns = caller.turns(id).await;
    turns.iter().map(|t| t["event"].as_str().or(t["role"].as_str()).unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_session_that_nobody_uses_is_closed_after_its_window_and_not_before() {
    let service = with_refunds(TestService::start().await).await;
    let caller = service.integration();
    let (quiet, busy) = (caller.session().await, caller.session().await);
    caller.ask(&quiet, QUESTION).await.expect(200);
    service.clock.advance(23 * HOUR);
    caller.ask(&busy, QUESTION).await.expect(200);
    let before = session_of(&caller, &busy).await;
    assert_eq!(service.sweep().await.items, 0, "nothing is due yet");
    service.clock.advance(HOUR);
    assert_eq!(service.sweep().await.items, 2);
    let closed = session_of(&caller, &quiet).await;
    assert_eq!((&closed["ownership"], &closed["closedReason"]), (&json!("closed"), &json!("idle")));
    assert_eq!(events_of(&caller, &quiet).await, ["customer", "ai", "closed"]);
    let open = session_of(&caller, &busy).await;
    assert_eq!(open["ownership"], "ai", "its last message is an hour old");
    assert_eq!(open, before, "a session whose due time was set again is unchanged");
    assert_eq!(service.sweep().await.items, 0, "its due time was set again");
    service.clock.advance(23 * HOUR);
    service.sweep().await;
    let closed = session_of(&caller, &busy).await;
    assert_eq!(closed["ownership"], "closed");
    assert_ne!(closed["updatedAt"], open["updatedAt"]);
    service.clock.advance(23 * HOUR);
    let back = caller.post("/sessions/resume", json!({"sessionId": busy})).await;
    assert_eq!(back.expect(200)["ownership"], "ai");
    service.clock.advance(23 * HOUR);
    service.sweep().await;
    assert_eq!(session_of(&caller, &busy).await["ownership"], "ai", "a resumed session has its whole window again");
    service.clock.advance(HOUR);
    service.sweep().await;
    assert_eq!(session_of(&caller, &busy).await["ownership"], "closed");
}

#[tokio::test]
async fn a_human_who_never_comes_is_awaited_for_fourteen_days() {
    let service = TestService::start().await;
    let caller = service.integration();
    let session = caller.session().await;
    caller.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await.expect(200);
    service.clock.advance(13 * DAY);
    caller.ask(&session, "Is anybody there?").await.expect(200);
    service.sweep().await;
    assert_eq!(session_of(&caller, &session).await["ownership"], "pending_handover");
    service.clock.advance(DAY);
    assert_eq!(service.sweep().await.items, 1);
    let closed = session_of(&caller, &session).await;
    assert_eq!((&closed["ownership"], &closed["closedReason"]), (&json!("closed"), &json!("expired")));
    assert_eq!((&closed["escalationId"], &closed["closedAt"]), (&json!(null), &closed["updatedAt"]));
    assert_eq!(events_of(&caller, &session).await, ["handover_requested", "customer", "closed"]);
    assert_eq!(service.sweep().await.items, 0);
}

#[tokio::test]
async fn a_pending_answer_is_sent_once_also_by_two_sweeps_at_once() {
    let (service, faults) = with_faults().await;
    let caller = service.integration();
    let pending = pending_answers(&service, &faults).await;
    assert!(!pending.is_empty(), "no fault left an answer pending");
    for session in &pending {
        assert_eq!(session_of(&caller, session).await["answerDue"], true);
    }
    assert_eq!(service.sweep().await.items, 0, "the first attempt may be at it still");
    service.clock.advance(60_000);
    let (one, other) = tokio::join!(service.sweep(), service.sweep());
    assert_eq!((one.failed, other.failed), (0, 0));
    for session in pending {
        assert_eq!(session_of(&caller, &session).await["answerDue"], false);
        let turns = caller.turns(&session).await;
        let answers: Vec<_> = turns.iter().filter(|t| t["role"] == "ai").collect();
        assert_eq!(answers.len(), 1, "{turns:#?}");
        assert!(answers[0]["answer"].as_str().unwrap().contains("five working days"));
    }
    assert_eq!(service.sweep().await.items, 0);
}

#[tokio::test]
async fn a_pending_answer_is_still_sent_once_a_later_message_was_answered() {
    let (service, faults) = with_faults().await;
    let caller = service.integration();
    let pending = pending_answers(&service, &faults).await;
    for session in &pending {
        let path = format!("/sessions/{session}/messages");
        let hello = caller.post(&path, json!({"content": "hello"})).await;
        assert_eq!(hello.expect(200)["disposition"], "small_talk");
        assert_eq!(session_of(&caller, session).await["answerDue"], true);
    }
    service.clock.advance(60_000);
    service.sweep().await;
    for session in pending {
        assert_eq!(session_of(&caller, &session).await["answerDue"], false);
        let turns = caller.turns(&session).await;
        let last = turns.last().unwrap();
        assert!(last["answer"].as_str().unwrap().contains("five working days"), "{turns:#?}");
    }
}

#[tokio::test]
async fn a_message_repeated_while_its_answer_is_due_waits_for_that_answer() {
    let (service, faults) = with_faults_and_model(model_of_refunds()).await;
    service.admin().patch("/settings", json!({"answersWhileWaiting": false})).await.expect(200);
    let caller = service.integration();
    let session = caller.session().await;
    let (path, first) =
        (format!("/sessions/{session}/messages"), json!({"content": QUESTION, "clientMessageId": "m1"}));
    // The message is stored, and nothing after it.
    let mut stored = 0;
    for call in 1..20 {
        faults.arm(call, 30, Fault::BeforeSend);
        caller.post(&path, first.clone()).await;
        faults.disarm();
        stored = caller.turns(&session).await.len();
        if stored == 1 {
            break;
        }
    }
    assert_eq!(stored, 1, "no fault left a message without an answer");
    caller.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await.expect(200);
    caller.ask(&session, "To my card, please.").await.expect(200);
    service.clock.advance(60_000);
    for call in 1..20 {
        faults.arm(call, 30, Fault::BeforeSend);
        caller.post_empty(&format!("/sessions/{session}/cancel-escalation")).await;
        faults.disarm();
        if session_of(&caller, &session).await["answerDue"] == true {
            break;
        }
    }
    assert_eq!(session_of(&caller, &session).await["answerDue"], true, "no fault left an answer pending");
    caller.post(&path, first.clone()).await.expect_error(409, "IDEMPOTENCY_IN_PROGRESS");
    service.clock.advance(60_000);
    service.sweep().await;
    let again = caller.post(&path, first).await;
    assert!(again.expect(200)["answer"].as_str().unwrap().contains("five working days"));
    let turns = caller.turns(&session).await;
    assert_eq!(turns.iter().filter(|turn| turn["role"] == "ai").count(), 1, "{turns:#?}");
}

#[tokio::test]
async fn a_message_without_an_answer_in_a_closed_session_is_answered_once_that_is_resumed() {
    let (service, faults) = with_faults_and_model(model_of_refunds()).await;
    let caller = service.integration();
    let session = caller.session().await;
    let (path, message) =
        (format!("/sessions/{session}/messages"), json!({"content": QUESTION, "clientMessageId": "m1"}));
    for call in 1..20 {
        faults.arm(call, 30, Fault::BeforeSend);
        caller.post(&path, message.clone()).await;
        faults.disarm();
        if caller.turns(&session).await.len() == 1 {
            break;
        }
    }
    service.clock.advance(25 * HOUR);
    service.sweep().await;
    assert_eq!(session_of(&caller, &session).await["ownership"], "closed");
    caller.post(&path, message.clone()).await.expect_error(409, "SESSION_CLOSED");
    caller.post("/sessions/resume", json!({"sessionId": session})).await.expect(200);
    let again = caller.post(&path, message).await;
    assert!(again.expect(200)["answer"].as_str().unwrap().contains("five working days"));
}

/// Sessions whose handover was cancelled while the calls from one on failed, so that the answer was not made at once.
async fn pending_answers(service: &TestService, faults: &Faults) -> Vec<String> {
    service.admin().patch("/settings", json!({"answersWhileWaiting": false})).await.expect(200);
    let caller = service.integration();
    let mut pending = Vec::new();
    for call in 1..=12 {
        let session = caller.session().await;
        caller.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await.expect(200);
        caller.ask(&session, QUESTION).await.expect(200);
        caller.ask(&session, "To my card, please.").await.expect(200);
        faults.arm(call, 30, Fault::BeforeSend);
        caller.post_empty(&format!("/sessions/{session}/cancel-escalation")).await;
        faults.disarm();
        if events_of(&caller, &session).await.last().unwrap() == "handover_ended" {
            pending.push(session);
        }
    }
    pending
}

async fn with_faults() -> (TestService, Faults) {
    with_faults_and_model(None).await
}

/// With a language model, a message is stored before its answer is made.
async fn with_faults_and_model(model: Option<Arc<dyn LanguageModel>>) -> (TestService, Faults) {
    let faults = Faults::default();
    let wire = faults.clone();
    let service = TestService::with(|options| {
        options.wrap_database = Some(Box::new(move |http| wire.wrap(http)));
        options.model = model;
    })
    .await;
    (with_refunds(service).await, faults)
}

fn model_of_refunds() -> Option<Arc<dyn LanguageModel>> {
    Some(ModelStub::new(|_| Some(answered("A refund takes five working days after approval.", &[1]))))
}

/// Loses three calls in a row, which is what the SDK tries, from each `first`, `first + 2`, … on.
async fn a_lost_sweep_is_finished_by_the_next_one(fault: Fault, first: usize) {
    let (service, faults) = with_faults().await;
    service.admin().patch("/settings", json!({"retentionDays": 3_650})).await.expect(200);
    let caller = service.integration();
    for call in (first..40).step_by(2) {
        let idle = caller.session().await;
        let pending = caller.session().await;
        caller.post(&format!("/sessions/{pending}/escalate"), json!({"reason": "help"})).await.expect(200);
        service.clock.advance(14 * DAY);
        faults.arm(call, 3, fault);
        let swept = support::sweeper::sweep(&service.sweeper().await).await;
        let calls = faults.disarm();
        if let Ok(swept) = swept {
            assert!(swept.items <= 2, "{fault:?} at {call}");
        }
        service.clock.advance(60_000);
        service.sweep().await;
        assert_eq!(session_of(&caller, &idle).await["closedReason"], "idle", "{fault:?} at {call}");
        assert_eq!(session_of(&caller, &pending).await["closedReason"], "expired", "{fault:?} at {call}");
        assert_eq!(events_of(&caller, &idle).await, ["closed"], "{fault:?} at {call}");
        assert_eq!(events_of(&caller, &pending).await, ["handover_requested", "closed"], "{fault:?} at {call}");
        if call > calls {
            return;
        }
    }
    panic!("a sweep of two items makes more calls than expected");
}

#[tokio::test]
async fn a_sweep_whose_odd_calls_never_arrive_is_finished_by_the_next_one() {
    a_lost_sweep_is_finished_by_the_next_one(Fault::BeforeSend, 1).await;
}

#[tokio::test]
async fn a_sweep_whose_even_calls_never_arrive_is_finished_by_the_next_one() {
    a_lost_sweep_is_finished_by_the_next_one(Fault::BeforeSend, 2).await;
}

#[tokio::test]
async fn a_sweep_whose_odd_replies_are_lost_is_finished_by_the_next_one() {
    a_lost_sweep_is_finished_by_the_next_one(Fault::LoseReply, 1).await;
}

#[tokio::test]
async fn a_sweep_whose_even_replies_are_lost_is_finished_by_the_next_one() {
    a_lost_sweep_is_finished_by_the_next_one(Fault::LoseReply, 2).await;
}

#[tokio::test]
async fn an_item_that_fails_is_rescheduled_and_delays_no_other() {
    let index = IndexSwitch::default();
    let wrap = index.wrap();
    let service = TestService::with(|options| options.wrap_index = Some(wrap)).await;
    let session = service.integration().session().await;
    service.clock.advance(DAY);
    index.off();
    service.trainer().wiki_entry("help/refunds", "Refunds", "A refund takes five working days.").await;
    service.drain().await;
    service.clock.advance(10_000);
    assert_eq!(service.sweep().await.failed, 1);
    assert_eq!(session_of(&service.integration(), &session).await["ownership"], "closed");
    index.on();
    service.sweep_without_failure().await;
    assert!(service.trainer().get("/wiki?q=refund").await.items().is_empty(), "it is left alone for a minute");
    service.clock.advance(60_000);
    service.sweep_without_failure().await;
    assert_eq!(service.trainer().get("/wiki?q=refund").await.items().len(), 1);
}

#[tokio::test]
async fn an_agent_who_falls_silent_gives_the_customer_back_to_the_queue() {
    let service = TestService::start().await;
    let (caller, agent) = (service.integration(), service.agent());
    let session = caller.session().await;
    caller.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await.expect(200);
    agent.post("/inbox/takeover", json!({})).await.expect(200);
    service.clock.advance(29 * 60_000);
    assert_eq!(service.sweep().await.items, 0);
    service.clock.advance(60_000);
    let (one, other) = tokio::join!(service.sweep(), service.sweep());
    assert_eq!((one.failed, other.failed), (0, 0));
    assert_eq!(session_of(&caller, &session).await["ownership"], "pending_handover");
    let events = events_of(&caller, &session).await;
    assert_eq!(events, ["handover_requested", "agent_joined"], "nobody left who did not say so");
    service.clock.advance(13 * DAY);
    service.sweep().await;
    assert_eq!(session_of(&caller, &session).await["ownership"], "pending_handover", "it waits again since then");
    service.clock.advance(DAY);
    service.sweep().await;
    assert_eq!(session_of(&caller, &session).await["closedReason"], "expired");
}

#[tokio::test]
async fn sweeps_at_once_close_a_hundred_sessions_once_each() {
    let service = TestService::start().await;
    let caller = service.integration();
    let mut sessions = Vec::new();
    for _ in 0..100 {
        sessions.push(caller.session().await);
    }
    service.clock.advance(DAY);
    let (one, other) = tokio::join!(service.sweep(), service.sweep());
    assert_eq!((one.failed, other.failed), (0, 0));
    assert!(one.items >= 50 && !one.has_more, "{one:?}");
    for session in &sessions {
        assert_eq!(events_of(&caller, session).await, ["closed"]);
    }
    assert_eq!(service.sweep().await.items, 0);
}

#[tokio::test]
async fn a_sweep_that_cannot_read_a_part_of_the_index_says_so_and_does_the_rest() {
    let (service, faults) = with_faults().await;
    let caller = service.integration();
    let mut sessions = Vec::new();
    for _ in 0..20 {
        sessions.push(caller.session().await);
    }
    service.clock.advance(DAY);
    // The first two calls look for runs that died, and note this one.
    faults.arm(3, 3 * DUE_SHARDS as usize, Fault::BeforeSend);
    assert!(support::sweeper::sweep(&service.sweeper().await).await.is_err());
    faults.disarm();
    assert_eq!(service.sweep().await.items, 20);
    for session in &sessions {
        assert_eq!(session_of(&caller, session).await["ownership"], "closed");
    }
}
