//! Lost calls, lost replies and index failures: nothing acknowledged is lost, nothing is done twice, and no caller gets
//! a 500.

use serde_json::json;

use crate::support::{Fault, Faults, IndexSwitch, TestService};

const QUESTION: &str = "How long does a refund take?";
/// More than the calls of any request here.
const CALLS: usize = 12;
/// Fewer than the calls of any request here: authentication, what is read, what is written.
const FEWEST: usize = 3;

async fn with_faults() -> (TestService, Faults) {
    let faults = Faults::default();
    let wire = faults.clone();
    let service =
        TestService::with(|options| options.wrap_database = Some(Box::new(move |http| wire.wrap(http)))).await;
    service.trainer().wiki_entry("help/refunds", "Refunds", "A refund takes five working days after approval.").await;
    (service, faults)
}

#[tokio::test]
async fn a_message_survives_the_loss_of_any_one_call_or_reply() {
    let (service, faults) = with_faults().await;
    let caller = service.integration();
    for fault in [Fault::BeforeSend, Fault::LoseReply] {
        for call in 1.. {
            let session = caller.session().await;
            faults.arm(call, 1, fault);
            let reply = caller.ask(&session, QUESTION).await;
            let calls = faults.disarm();
            assert_eq!(reply.expect(200)["disposition"], "answered", "{fault:?} at {call}");
            assert_eq!(caller.turns(&session).await.len(), 2, "{fault:?} at {call}");
            if is_past_the_end(call, calls) {
                break;
            }
        }
    }
}

/// Whether a request was given a fault behind its last call, so that every one of its calls has had one. Fails where a
/// request makes more calls than any should, or so few that faults cannot have been where they were meant.
fn is_past_the_end(call: usize, calls: usize) -> bool {
    assert!((FEWEST..CALLS).contains(&calls), "{calls} calls");
    assert!(call <= CALLS, "no request went without a fault");
    call > calls
}

/// The SDK tries three times: so many losses in a row are a failure that the caller sees.
async fn a_message_is_finished_by_its_repetition(fault: Fault) {
    let (service, faults) = with_faults().await;
    let caller = service.integration();
    for call in 1.. {
        let session = caller.session().await;
        let path = format!("/sessions/{session}/messages");
        let body = json!({"content": QUESTION, "clientMessageId": "m1"});
        faults.arm(call, 3, fault);
        let first = caller.post(&path, body.clone()).await;
        let calls = faults.disarm();
        assert!([200, 503].contains(&first.status), "{fault:?} at {call}: {} {}", first.status, first.text);
        service.clock.advance(60_000);
        let second = caller.post(&path, body).await;
        assert_eq!(second.expect(200)["disposition"], "answered", "{fault:?} at {call}");
        assert_eq!(caller.turns(&session).await.len(), 2, "{fault:?} at {call}");
        if is_past_the_end(call, calls) {
            break;
        }
    }
}

#[tokio::test]
async fn a_message_whose_calls_never_arrived_is_finished_by_its_repetition() {
    a_message_is_finished_by_its_repetition(Fault::BeforeSend).await;
}

#[tokio::test]
async fn a_message_whose_replies_were_lost_is_finished_by_its_repetition() {
    a_message_is_finished_by_its_repetition(Fault::LoseReply).await;
}

#[tokio::test]
async fn asking_for_a_human_survives_the_loss_of_any_one_reply() {
    let (service, faults) = with_faults().await;
    let caller = service.integration();
    for call in 1.. {
        let session = caller.session().await;
        faults.arm(call, 1, Fault::LoseReply);
        let path = format!("/sessions/{session}/escalate");
        let first = caller.post(&path, json!({"reason": "help"})).await;
        let calls = faults.disarm();
        first.expect(200);
        let again = caller.post(&path, json!({"reason": "help"})).await;
        assert_eq!(again.at("escalationId"), first.at("escalationId"), "at {call}");
        assert_eq!(caller.turns(&session).await.len(), 1, "at {call}");
        if is_past_the_end(call, calls) {
            break;
        }
    }
}

#[tokio::test]
async fn a_search_that_fails_hands_the_customer_to_a_human() {
    let index = IndexSwitch::default();
    index.off();
    let service = TestService::with(|options| options.wrap_index = Some(index.wrap())).await;
    service.trainer().wiki_entry("help/refunds", "Refunds", "A refund takes five working days.").await;
    let session = service.integration().session().await;
    let reply = service.integration().ask(&session, QUESTION).await;
    assert_eq!((&reply.expect(200)["disposition"], reply.at("unanswered")), (&json!("escalated"), &json!(false)));
    assert_eq!(reply.at("ownership"), "pending_handover");
    service.trainer().get("/wiki/help/refunds").await.expect(200);
    service.trainer().get("/wiki?q=refund").await.expect_error(503, "SERVICE_UNAVAILABLE");
    assert_eq!(service.trainer().get("/wiki").await.items().len(), 1);
}
