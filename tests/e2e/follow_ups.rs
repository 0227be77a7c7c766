//! Questions with typos, and follow-ups that do not repeat their topic.

use std::sync::Arc;

use answer::model::ModelRequest;
use serde_json::json;

use crate::support::{Actor, Faults, ModelStub, Reply, TestService, rewrites, rewritten};

const FIRST: &str = "What does Studio cost?";
/// Says nothing without what was asked before.
const FOLLOW_UP: &str = "And paid yearly?";
/// The same, of which the service is less sure.
const UNCLEAR: &str = "Does it take nine euros yearly?";

/// Entries about the cost of plans and the time of parcels.
async fn with_entries(service: TestService) -> TestService {
    let trainer = service.trainer();
    for (path, title, content) in [
        ("plans/studio", "Studio plan", "Studio costs 23 euros. Paid yearly it costs 226 euros."),
        ("plans/team", "Team plan", "Team costs 47 euros. Paid yearly it costs 462 euros."),
        ("parcels/abroad", "Parcels abroad", "Parcels to Norway take nine days."),
    ] {
        trainer.wiki_entry(path, title, content).await;
    }
    service
}

async fn with_model(
    replies: impl Fn(&ModelRequest) -> Option<String> + Send + Sync + 'static,
) -> (TestService, Arc<ModelStub>) {
    let model = ModelStub::new(replies);
    let given = model.clone();
    (with_entries(TestService::with(|options| options.model = Some(given)).await).await, model)
}

/// Asks a session's first question, then another.
async fn ask_after(caller: &Actor, first: &str, then: &str) -> Reply {
    let session = caller.session().await;
    assert_eq!(caller.ask(&session, first).await.expect(200)["disposition"], "answered", "{first}");
    caller.ask(&session, then).await
}

#[tokio::test]
async fn a_question_with_a_typo_is_answered() {
    let service = with_entries(TestService::start().await).await;
    let caller = service.integration();
    for question in ["how long do parcles to norwya take", "parcels to norwaay?", "what does studoi cost"] {
        let reply = caller.ask(&caller.session().await, question).await;
        assert_eq!(reply.expect(200)["disposition"], "answered", "{question}: {}", reply.text);
        let (path, fact) =
            if question.contains("cost") { ("plans/studio", "23 euros") } else { ("parcels/abroad", "nine days") };
        assert_eq!(reply.text_at("/sources/0/path"), path, "{question}");
        assert!(reply.text_at("answer").contains(fact), "{question}: {}", reply.text);
    }
}

#[tokio::test]
async fn a_follow_up_is_answered_from_what_was_asked_before() {
    let service = with_entries(TestService::start().await).await;
    let caller = service.integration();
    for (first, path, price) in
        [(FIRST, "plans/studio", "226 euros"), ("What does Team cost?", "plans/team", "462 euros")]
    {
        let reply = ask_after(&caller, first, FOLLOW_UP).await;
        assert_eq!(reply.expect(200)["disposition"], "answered", "{first}: {}", reply.text);
        assert_eq!(reply.text_at("/sources/0/path"), path);
        assert!(reply.text_at("answer").contains(price), "{}", reply.text);
    }
    let reply = ask_after(&caller, FIRST, "How long do parcels to Norway take?").await;
    assert_eq!(reply.text_at("/sources/0/path"), "parcels/abroad", "another topic is left alone");
}

#[tokio::test]
async fn a_model_rewrites_a_follow_up_that_is_then_looked_up() {
    let (service, model) =
        with_model(|request| rewrites(request).then(|| rewritten("How long do parcels to Norway take?"))).await;
    let reply = ask_after(&service.integration(), FIRST, "And the other thing?").await;
    assert_eq!(reply.expect(200)["disposition"], "answered", "{}", reply.text);
    assert_eq!(reply.text_at("/sources/0/path"), "parcels/abroad");
    assert!(reply.text_at("answer").contains("nine days"), "{}", reply.text);
    assert_eq!(model.rewritings(), 1, "the first question follows none");
    let turns = model.asked().iter().filter(|request| rewrites(request)).map(|r| r.user.clone()).collect::<String>();
    assert!(turns.contains(FIRST) && turns.contains("And the other thing?"), "{turns}");
}

#[tokio::test]
async fn where_the_model_fails_a_follow_up_is_looked_up_with_what_was_asked_before() {
    for reply in [None, Some("no JSON"), Some(r#"{"question": "<b>parcels to Norway</b>"}"#)] {
        let (service, model) = with_model(move |_| reply.map(str::to_owned)).await;
        let reply = ask_after(&service.integration(), FIRST, UNCLEAR).await;
        assert_eq!(reply.expect(200)["disposition"], "answered", "{}", reply.text);
        assert_eq!(reply.text_at("/sources/0/path"), "plans/studio");
        assert!(reply.text_at("answer").contains("226 euros"), "{}", reply.text);
        assert_eq!(model.rewritings(), 1);
    }
}

#[tokio::test]
async fn no_model_is_asked_about_a_message_that_is_not_stored_or_was_sent_before() {
    let (model, faults) = (ModelStub::new(|_| None), Faults::default());
    let (given, wire) = (model.clone(), faults.clone());
    let service = TestService::with(|options| {
        options.model = Some(given);
        options.wrap_database = Some(Box::new(move |http| wire.wrap(http)));
    });
    let service = with_entries(service.await).await;
    let caller = service.integration();
    let session = caller.session().await;
    caller.ask(&session, FIRST).await.expect(200);
    let before = model.asked().len();
    let path = format!("/sessions/{session}/messages");
    let follow_up = json!({"content": UNCLEAR, "clientMessageId": "m1"});

    faults.fail_writes();
    caller.post(&path, follow_up.clone()).await.expect_error(503, "SERVICE_UNAVAILABLE");
    faults.disarm();
    assert_eq!(model.asked().len(), before, "the message was not stored");

    let first = caller.post(&path, follow_up.clone()).await;
    assert_eq!(first.expect(200)["disposition"], "answered");
    assert_eq!(model.rewritings(), 1);
    let after = model.asked().len();
    let again = caller.post(&path, follow_up).await;
    assert_eq!((again.expect(200), again.header("idempotency-replayed")), (&first.json, "true"));
    assert_eq!(model.asked().len(), after, "the message was sent before");
}

#[tokio::test]
async fn a_follow_up_that_waited_for_a_person_is_rewritten_too() {
    let (service, model) =
        with_model(|request| rewrites(request).then(|| rewritten("How long do parcels to Norway take?"))).await;
    service.admin().patch("/settings", json!({"answersWhileWaiting": false})).await.expect(200);
    let caller = service.integration();
    let session = caller.session().await;
    caller.ask(&session, FIRST).await.expect(200);
    caller.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await.expect(200);
    caller.ask(&session, "And the other thing?").await.expect(200);
    assert_eq!(model.rewritings(), 0, "no model is asked while a human is awaited");
    caller.post_empty(&format!("/sessions/{session}/cancel-escalation")).await.expect(200);
    let turns = caller.turns(&session).await;
    assert_eq!(turns.last().unwrap()["sources"][0]["path"], "parcels/abroad", "{turns:#?}");
}
