//! Which bodies are the same for an `Idempotency-Key`: those of the same bytes, on every POST alike.

use futures::future::join_all;
use serde_json::json;

use crate::idempotency::{body, is_replayed, keyed, posts, ready};
use crate::support::{Reply, TestService};

#[tokio::test]
async fn the_same_bytes_are_the_same_body_on_every_post_and_no_other_bytes_are() {
    let service = TestService::start().await;
    for (i, case) in posts().iter().enumerate() {
        let name = format!("same/e{i}");
        let ids = ready(case, &service, &name).await;
        let actor = keyed(&service, &name);
        let example = case.operation.example.clone().unwrap_or_else(|| json!({}));
        let mut wider = example.clone();
        wider["zzUnknown"] = json!(1);
        let sent = example.to_string();
        let send = async |text: &str| case.send_text(&actor, &ids, &name, Some(text)).await;
        let first = send(&sent).await;
        assert!(first.status < 300 && !is_replayed(&first), "{}: {} {}", first.asked, first.status, first.text);
        for other in [sent.replacen('{', "{ ", 1), wider.to_string()] {
            let again = send(&other).await;
            match case.operation.body {
                Some(_) => assert_eq!(again.text_at("error"), "IDEMPOTENCY_KEY_REUSED", "{} {other}", again.asked),
                // Nothing of it is read.
                None => assert!(is_replayed(&again), "{} {other}: {}", again.asked, again.text),
            }
        }
        let again = send(&sent).await;
        assert!(is_replayed(&again), "{}: {} {}", again.asked, again.status, again.text);
        assert_eq!((again.status, body(&again)), (first.status, body(&first)), "{}", again.asked);
    }
}

#[tokio::test]
async fn a_body_that_may_be_left_out_is_left_out_again() {
    let service = TestService::start().await;
    let once = keyed(&service, "once");
    let first = once.post_empty("/sessions").await;
    first.expect(201);
    let again = once.post_empty("/sessions").await;
    assert!(is_replayed(&again));
    assert_eq!(again.text, first.text);
    once.post("/sessions", json!({})).await.expect_error(422, "IDEMPOTENCY_KEY_REUSED");
}

#[tokio::test]
async fn a_path_is_the_same_however_it_is_escaped() {
    let service = TestService::start().await;
    let session = service.admin().session().await;
    let once = keyed(&service, "once");
    let reason = json!({"reason": "help"});
    once.post(&format!("/sessions/{session}/escalate"), reason.clone()).await.expect(200);
    let escaped = session.replace("ses_", "%73es_");
    assert!(is_replayed(&once.post(&format!("/sessions/{escaped}/escalate"), reason).await));
}

/// The answers to one takeover that is sent twenty times at once.
async fn taken_twenty_times(service: &TestService, round: usize) -> Vec<Reply> {
    let actor = service.agent().with_header("idempotency-key", &format!("round-{round}"));
    join_all((0..20).map(|_| actor.post("/inbox/takeover", json!({"agentId": "anna"})))).await
}

#[tokio::test(flavor = "multi_thread")]
async fn of_twenty_takeovers_with_one_key_one_claims_and_all_others_say_that_they_are_replays() {
    let service = TestService::start().await;
    for round in 0..8 {
        for _ in 0..3 {
            let session = service.admin().session().await;
            let escalate = format!("/sessions/{session}/escalate");
            service.admin().post(&escalate, json!({"reason": "help"})).await.expect(200);
        }
        let replies = taken_twenty_times(&service, round).await;
        let claims = replies.iter().filter(|reply| !is_replayed(reply)).count();
        assert_eq!(claims, 1, "round {round}");
        for reply in &replies {
            assert_eq!(reply.expect(200)["escalationId"], replies[0].json["escalationId"]);
        }
    }
}
