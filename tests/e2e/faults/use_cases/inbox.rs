//! Use cases of agents.

use reqwest::Method;
use serde_json::json;

use super::super::run::Run;
use super::conversation::{roles, session_with_answer};

const TAKEN: [(&str, usize); 3] = [("session.created", 1), ("handover.requested", 1), ("handover.claimed", 1)];

/// A session whose customer waits for a person, and the escalation.
pub(super) async fn waiting(run: &Run<'_>) -> (String, String) {
    let session = run.customer().session().await;
    let asked = run.customer().post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await;
    let escalation = asked.text_at("escalationId").to_owned();
    run.world.service.drain().await;
    (session, escalation)
}

/// The same with an agent who took over.
async fn claimed(run: &Run<'_>) -> (String, String) {
    let (session, escalation) = waiting(run).await;
    run.agent().post_empty("/inbox/takeover").await.expect(200);
    run.world.service.drain().await;
    (session, escalation)
}

pub(super) async fn a_customer_is_taken_over(run: &Run<'_>) {
    let (session, escalation) = waiting(run).await;
    let body = json!({"agentId": "ann"});
    let taken = run.send(&run.agent(), Method::POST, "/inbox/takeover", Some(&body)).await;
    assert_eq!((taken.text_at("escalationId"), taken.at("/claimedBy/agentId")), (escalation.as_str(), &json!("ann")));
    run.agent().post_empty("/inbox/takeover").await.expect_error(404, "NOT_FOUND");
    assert_eq!(roles(run, &session).await, ["handover_requested", "agent_joined"]);
    run.expect_told(&TAKEN);
}

pub(super) async fn an_agent_writes(run: &Run<'_>) {
    let (session, escalation) = claimed(run).await;
    let path = format!("/inbox/{escalation}/message");
    run.send(&run.agent(), Method::POST, &path, Some(&json!({"content": "Hello, I am Ann."}))).await;
    assert_eq!(roles(run, &session).await, ["handover_requested", "agent_joined", "agent"]);
    run.expect_told(&[&TAKEN[..], &[("message.created", 1)]].concat());
}

pub(super) async fn a_person_who_helped_is_rated(run: &Run<'_>) {
    let (session, escalation) = claimed(run).await;
    let rating = json!({"score": 4, "comment": "Quick."});
    run.send(&run.customer(), Method::POST, &format!("/sessions/{session}/rating"), Some(&rating)).await;
    let shown = run.agent().get(&format!("/inbox/{escalation}")).await;
    assert_eq!((shown.at("/rating/score"), shown.at("/rating/comment")), (&json!(4), &json!("Quick.")));
    run.expect_told(&[&TAKEN[..], &[("rating.created", 1)]].concat());
    run.expect_counts(&[("ratings", 1), ("ratingSum", 4)]).await;
}

pub(super) async fn a_customer_is_released(run: &Run<'_>) {
    let (session, escalation) = claimed(run).await;
    let released = run.send(&run.agent(), Method::POST, &format!("/inbox/{escalation}/release"), None).await;
    assert_eq!(released.at("status"), "pending");
    let inbox = run.agent().get("/inbox").await;
    assert_eq!((inbox.items().len(), inbox.at("/counts/claimed")), (1, &json!(0)));
    assert_eq!(roles(run, &session).await, ["handover_requested", "agent_joined", "agent_left"]);
    run.expect_told(&[&TAKEN[..], &[("handover.released", 1)]].concat());
}

pub(super) async fn a_customer_is_handed_back(run: &Run<'_>) {
    let session = session_with_answer(run).await;
    let asked = run.customer().post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await;
    run.agent().post_empty("/inbox/takeover").await.expect(200);
    run.customer().ask(&session, "How long does a refund take?").await.expect(200);
    run.world.service.drain().await;
    let path = format!("/inbox/{}/handback", asked.text_at("escalationId"));
    let back = run.send(&run.agent(), Method::POST, &path, Some(&json!({"note": "Told the price."}))).await;
    assert_eq!((back.at("status"), back.at("outcome")), (&json!("closed"), &json!("handed_back")));
    let turns = run.admin().turns(&session).await;
    assert_eq!(turns.iter().filter(|turn| turn["role"] == "ai").count(), 1, "{turns:#?}");
    let now = run.customer().get(&format!("/sessions/{session}")).await;
    assert_eq!(now.expect(200)["answerDue"], false);
    let again = usize::from(now.at("ownership") == "pending_handover");
    assert!(again == 0 || run.search_may_fail(), "{}", now.text);
    run.expect_told(&[
        ("entry.created", 1),
        ("session.created", 1),
        ("handover.requested", 1 + again),
        ("handover.claimed", 1),
        ("handover.returned", 1),
        ("message.created", 2),
    ]);
    run.expect_counts(&[("escalationsHandled", 1), ("answers", 1)]).await;
}

pub(super) async fn a_request_is_resolved(run: &Run<'_>) {
    let (session, escalation) = claimed(run).await;
    let path = format!("/inbox/{escalation}/resolve");
    let resolved = run.send(&run.agent(), Method::POST, &path, Some(&json!({"resolution": "Paid."}))).await;
    assert_eq!((resolved.at("status"), resolved.at("resolution")), (&json!("resolved"), &json!("Paid.")));
    let now = run.customer().get(&format!("/sessions/{session}")).await;
    assert_eq!(now.expect(200)["ownership"], "closed");
    run.expect_told(&[&TAKEN[..], &[("handover.resolved", 1), ("session.closed", 1)]].concat());
    run.expect_counts(&[("escalationsHandled", 1)]).await;
}

pub(super) async fn a_priority_is_changed(run: &Run<'_>) {
    let (_, escalation) = waiting(run).await;
    let path = format!("/inbox/{escalation}");
    run.send(&run.agent(), Method::PATCH, &path, Some(&json!({"priority": "high"}))).await;
    let inbox = run.agent().get("/inbox").await;
    assert_eq!((inbox.items().len(), inbox.at("/counts/pending")), (1, &json!(1)), "{}", inbox.text);
    assert_eq!(run.agent().get(&path).await.expect(200)["priority"], "high");
    run.expect_told(&TAKEN[..2]);
}

pub(super) async fn a_customer_is_transferred(run: &Run<'_>) {
    let (session, escalation) = claimed(run).await;
    let body = json!({"toAgentId": "bob", "note": "Yours."});
    let path = format!("/inbox/{escalation}/transfer");
    let given = run.send(&run.agent(), Method::POST, &path, Some(&body)).await;
    assert_eq!((given.at("status"), given.at("/claimedBy/agentId")), (&json!("claimed"), &json!("bob")));
    assert_eq!(run.admin().turns(&session).await.iter().filter(|turn| turn["content"] == "Yours.").count(), 1);
    // The note is a turn of the agent.
    assert_eq!(roles(run, &session).await, ["handover_requested", "agent_joined", "agent", "agent_joined"]);
    run.expect_told(&[&TAKEN[..], &[("handover.transferred", 1)]].concat());
}

pub(super) async fn a_customer_is_put_off(run: &Run<'_>) {
    let (session, escalation) = claimed(run).await;
    let path = format!("/inbox/{escalation}");
    let until = run.world.service.resources().runtime.now().plus_hours(24).to_string();
    run.send(&run.agent(), Method::PATCH, &path, Some(&json!({"snoozedUntil": until}))).await;
    assert_eq!(run.agent().get("/inbox?snoozed=true").await.at("/items/0/escalationId"), escalation.as_str());
    let message = json!({"content": "Hello?"});
    let messages = format!("/sessions/{session}/messages");
    run.send(&run.customer(), Method::POST, &messages, Some(&message)).await;
    let now = run.agent().get(&path).await;
    assert_eq!((now.at("snoozedUntil"), now.at("leaseExpiresAt").is_string()), (&json!(null), true));
    run.expect_told(&[&TAKEN[..], &[("message.created", 1)]].concat());
}

pub(super) async fn a_request_is_reopened(run: &Run<'_>) {
    let (session, escalation) = claimed(run).await;
    run.agent().post_empty(&format!("/inbox/{escalation}/resolve")).await.expect(200);
    let again = run.send(&run.agent(), Method::POST, &format!("/inbox/{escalation}/reopen"), None).await;
    assert_eq!((again.at("status"), again.at("/session/ownership")), (&json!("claimed"), &json!("human")));
    assert_eq!(roles(run, &session).await, ["handover_requested", "agent_joined", "closed", "agent_joined"]);
    let ended = [("handover.resolved", 1), ("session.closed", 1)];
    run.expect_told(&[&TAKEN[..], &ended, &[("handover.reopened", 1), ("session.resumed", 1)]].concat());
    run.expect_counts(&[("escalationsHandled", 1)]).await;
}

pub(super) async fn an_agent_steps_in(run: &Run<'_>) {
    let session = run.customer().session().await;
    let path = format!("/sessions/{session}/takeover");
    let taken = run.send(&run.agent(), Method::POST, &path, Some(&json!({"reason": "It is urgent."}))).await;
    assert_eq!((taken.at("status"), taken.at("requestedBy")), (&json!("claimed"), &json!("agent")));
    assert_eq!(roles(run, &session).await, ["agent_joined"]);
    assert_eq!(run.agent().get("/inbox?status=claimed").await.items().len(), 1);
    run.expect_told(&[("session.created", 1), ("handover.claimed", 1)]);
}

pub(super) async fn a_note_is_written(run: &Run<'_>) {
    let session = run.customer().session().await;
    let path = format!("/sessions/{session}/notes");
    run.send(&run.agent(), Method::POST, &path, Some(&json!({"content": "A good customer."}))).await;
    let turns = run.admin().turns(&session).await;
    assert_eq!((turns.len(), &turns[0]["internal"]), (1, &json!(true)));
    run.expect_told(&[("session.created", 1)]);
}
