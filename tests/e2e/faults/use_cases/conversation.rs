//! Sessions and messages.

use reqwest::Method;
use serde_json::{Value, json};

use super::super::run::Run;

const QUESTION: &str = "How long does a refund take?";

/// A session of a tenant whose wiki has the answer.
pub(super) async fn session_with_answer(run: &Run<'_>) -> String {
    run.admin().wiki_entry("help/refunds", "Refunds", "A refund takes five working days after approval.").await;
    let session = run.customer().session().await;
    run.world.service.drain().await;
    session
}

/// The roles of a session's turns, and the names of its events.
pub(super) async fn roles(run: &Run<'_>, session: &str) -> Vec<String> {
    let turns = run.admin().turns(session).await;
    let role = |turn: &Value| turn["event"].as_str().or(turn["role"].as_str()).unwrap().to_owned();
    turns.iter().map(role).collect()
}

pub(super) async fn a_session_is_created(run: &Run<'_>) {
    let body = json!({"channel": "api", "externalUserId": "ann", "metadata": {"plan": "a"}});
    let made = run.send(&run.customer(), Method::POST, "/sessions", Some(&body)).await;
    let listed = run.admin().get("/sessions").await;
    assert_eq!(listed.items().len(), 1, "{}", listed.text);
    assert_eq!(listed.at("/items/0/sessionId"), made.at("sessionId"));
    run.expect_told(&[("session.created", 1)]);
    run.expect_counts(&[("sessions", 1), ("sessionsWithMessage", 0)]).await;
}

pub(super) async fn a_message_is_answered(run: &Run<'_>) {
    let session = session_with_answer(run).await;
    let path = format!("/sessions/{session}/messages");
    let body = json!({"content": QUESTION, "clientMessageId": "m1"});
    let reply = run.send(&run.customer(), Method::POST, &path, Some(&body)).await;
    let escalated = reply.at("disposition") == "escalated";
    assert!(reply.at("disposition") == "answered" || (escalated && run.search_may_fail()), "{}", reply.text);
    let told = [("entry.created", 1), ("session.created", 1), ("message.created", 2)];
    if escalated {
        assert_eq!(roles(run, &session).await, ["customer", "ai", "handover_requested"]);
        run.expect_told(&[&told[..], &[("handover.requested", 1)]].concat());
    } else {
        assert_eq!(roles(run, &session).await, ["customer", "ai"]);
        assert!(reply.text_at("answer").contains("five working days"), "{}", reply.text);
        run.expect_told(&told);
    }
    run.expect_counts(&[("sessionsWithMessage", 1), ("queries", 1), ("answers", 1)]).await;
}

/// Without a language model: one transaction stores the message and its answer.
pub(super) async fn a_message_is_answered_at_once(run: &Run<'_>) {
    run.admin().patch("/settings", json!({"modelCallsPerDay": 0})).await.expect(200);
    a_message_is_answered(run).await;
}

/// A visitor of the chat, whose calls count against more quotas and read the tenant's settings.
pub(super) async fn a_visitor_is_answered(run: &Run<'_>) {
    run.admin().wiki_entry("help/refunds", "Refunds", "A refund takes five working days after approval.").await;
    let visitor = run.visitor().await;
    let session = visitor.session_with(json!({})).await;
    run.world.service.drain().await;
    let body = json!({"content": QUESTION, "clientMessageId": "m1"});
    let reply = run.send(&visitor, Method::POST, &format!("/sessions/{session}/messages"), Some(&body)).await;
    let escalated = reply.at("disposition") == "escalated";
    assert!(reply.at("disposition") == "answered" || (escalated && run.search_may_fail()), "{}", reply.text);
    let roles = roles(run, &session).await;
    assert_eq!(roles[..2], ["customer", "ai"]);
    assert_eq!(roles.len(), 2 + usize::from(escalated), "{roles:?}");
    run.expect_counts(&[("sessionsWithMessage", 1), ("queries", 1), ("answers", 1)]).await;
}

pub(super) async fn a_question_without_an_answer_is_a_gap(run: &Run<'_>) {
    let session = run.customer().session().await;
    run.world.service.drain().await;
    let path = format!("/sessions/{session}/messages");
    let body = json!({"content": "Which zebra sings on Jupiter?"});
    let reply = run.send(&run.customer(), Method::POST, &path, Some(&body)).await;
    let gaps = run.agent().get("/analytics/kb-gaps").await;
    if run.search_may_fail() && reply.at("disposition") == "escalated" {
        assert_eq!(gaps.items().len(), 0, "{}", gaps.text);
        return;
    }
    assert_eq!(reply.at("disposition"), "no_answer", "{}", reply.text);
    assert_eq!(gaps.items().len(), 1, "{}", gaps.text);
    assert_eq!((gaps.at("/items/0/count"), gaps.at("/items/0/sessions")), (&json!(1), &json!(1)));
    run.expect_told(&[("session.created", 1), ("message.created", 2), ("answer.unanswered", 1)]);
    run.expect_counts(&[("queries", 1), ("queriesUnanswered", 1)]).await;
}

pub(super) async fn an_answer_is_rated(run: &Run<'_>) {
    let session = session_with_answer(run).await;
    run.customer().ask(&session, QUESTION).await.expect(200);
    run.world.service.drain().await;
    let path = format!("/sessions/{session}/reaction");
    run.send(&run.customer(), Method::POST, &path, Some(&json!({"reaction": "thumbs_up"}))).await;
    let turns = run.admin().turns(&session).await;
    assert_eq!(turns[1]["reactions"], json!(["thumbs_up"]));
    run.expect_told(&[("entry.created", 1), ("session.created", 1), ("message.created", 2), ("reaction.created", 1)]);
    run.expect_counts(&[("thumbsUp", 1), ("thumbsDown", 0)]).await;
}

pub(super) async fn a_reaction_is_taken_back(run: &Run<'_>) {
    let session = session_with_answer(run).await;
    run.customer().ask(&session, QUESTION).await.expect(200);
    let path = format!("/sessions/{session}/reaction");
    run.customer().post(&path, json!({"reaction": "thumbs_up"})).await.expect(200);
    run.world.service.drain().await;
    run.send(&run.customer(), Method::DELETE, &format!("{path}?reaction=thumbs_up"), None).await;
    assert_eq!(run.admin().turns(&session).await[1]["reactions"], json!([]));
    run.expect_counts(&[("thumbsUp", 0)]).await;
}

pub(super) async fn a_person_is_asked_for(run: &Run<'_>) {
    let session = run.customer().session().await;
    run.world.service.drain().await;
    let path = format!("/sessions/{session}/escalate");
    let asked = run.send(&run.customer(), Method::POST, &path, Some(&json!({"reason": "help"}))).await;
    let inbox = run.agent().get("/inbox").await;
    assert_eq!((inbox.items().len(), inbox.at("/counts/pending")), (1, &json!(1)), "{}", inbox.text);
    assert_eq!(inbox.at("/items/0/escalationId"), asked.at("escalationId"));
    assert_eq!(roles(run, &session).await, ["handover_requested"]);
    run.expect_told(&[("session.created", 1), ("handover.requested", 1)]);
}

pub(super) async fn a_handover_is_cancelled(run: &Run<'_>) {
    run.admin().patch("/settings", json!({"answersWhileWaiting": false})).await.expect(200);
    let session = session_with_answer(run).await;
    run.customer().post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await.expect(200);
    run.customer().ask(&session, QUESTION).await.expect(200);
    run.world.service.drain().await;
    run.send(&run.customer(), Method::POST, &format!("/sessions/{session}/cancel-escalation"), None).await;
    let now = run.customer().get(&format!("/sessions/{session}")).await;
    assert_eq!(now.expect(200)["answerDue"], false);
    let roles = roles(run, &session).await;
    let expected = ["handover_requested", "customer", "handover_ended", "ai", "handover_requested"];
    let again = run.search_may_fail() && roles.len() == expected.len();
    assert_eq!(roles, expected[..if again { 5 } else { 4 }]);
    assert_eq!(now.at("ownership"), if again { "pending_handover" } else { "ai" });
    run.expect_told(&[
        ("entry.created", 1),
        ("session.created", 1),
        ("handover.requested", 1 + usize::from(again)),
        ("handover.cancelled", 1),
        ("message.created", 2),
    ]);
    run.expect_counts(&[("queries", 1), ("answers", 1)]).await;
}

pub(super) async fn who_waits_asks_on(run: &Run<'_>) {
    let session = session_with_answer(run).await;
    run.customer().post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await.expect(200);
    run.world.service.drain().await;
    let path = format!("/sessions/{session}/messages");
    let asked = run.send(&run.customer(), Method::POST, &path, Some(&json!({"content": QUESTION}))).await;
    assert_eq!(asked.at("ownership"), "pending_handover", "{}", asked.text);
    let answers = usize::from(roles(run, &session).await.last().unwrap() == "ai");
    assert!(asked.at("disposition") == "answered" || asked.at("disposition") == "queued_for_human", "{}", asked.text);
    let expected = ["handover_requested", "customer", "ai"];
    assert_eq!(roles(run, &session).await, expected[..2 + answers]);
    run.expect_told(&[
        ("entry.created", 1),
        ("session.created", 1),
        ("handover.requested", 1),
        ("message.created", 1 + answers),
    ]);
    let count = i64::try_from(answers).unwrap();
    run.expect_counts(&[("queries", count), ("answers", count)]).await;
}

pub(super) async fn a_session_is_resumed(run: &Run<'_>) {
    let session = run.customer().session().await;
    run.customer().post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await.expect(200);
    let taken = run.agent().post_empty("/inbox/takeover").await;
    run.agent().post_empty(&format!("/inbox/{}/resolve", taken.text_at("escalationId"))).await.expect(200);
    run.world.service.drain().await;
    let resumed =
        run.send(&run.customer(), Method::POST, "/sessions/resume", Some(&json!({"sessionId": session}))).await;
    assert_eq!((resumed.at("ownership"), resumed.at("resumed")), (&json!("ai"), &json!(true)));
    let events = roles(run, &session).await;
    assert_eq!(events.iter().filter(|event| *event == "resumed").count(), 1, "{events:?}");
    run.expect_told(&[
        ("session.created", 1),
        ("handover.requested", 1),
        ("handover.claimed", 1),
        ("handover.resolved", 1),
        ("session.closed", 1),
        ("session.resumed", 1),
    ]);
}

pub(super) async fn a_session_is_changed(run: &Run<'_>) {
    let session = run.customer().session().await;
    run.world.service.drain().await;
    let path = format!("/sessions/{session}");
    run.send(&run.customer(), Method::PATCH, &path, Some(&json!({"tags": ["vip"]}))).await;
    assert_eq!(run.customer().get(&path).await.expect(200)["tags"], json!(["vip"]));
    run.expect_told(&[("session.created", 1)]);
}

pub(super) async fn a_session_is_deleted(run: &Run<'_>) {
    let session = session_with_answer(run).await;
    run.customer().ask(&session, QUESTION).await.expect(200);
    run.customer().post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await.expect(200);
    run.world.service.drain().await;
    let path = format!("/sessions/{session}");
    run.send(&run.admin(), Method::DELETE, &path, None).await;
    run.admin().get(&path).await.expect_error(404, "NOT_FOUND");
    run.customer().ask(&session, QUESTION).await.expect_error(404, "NOT_FOUND");
    assert!(run.admin().get("/sessions").await.items().is_empty());
    assert!(run.agent().get("/inbox").await.items().is_empty());
    // Counted figures stay.
    run.expect_counts(&[("sessions", 1), ("queries", 1)]).await;
}
