//! Requests for a human in customers' own words, and what the AI knows after a human part.

use std::sync::{Arc, Mutex};

use answer::model::{LanguageModel, ModelError, ModelRequest};
use async_trait::async_trait;
use serde_json::{Value, json};

use crate::support::{Actor, TestService};

const QUESTION: &str = "How long does a refund take?";

async fn with_refunds() -> TestService {
    let service = TestService::start().await;
    service.trainer().wiki_entry("help/refunds", "Refunds", "A refund takes five working days after approval.").await;
    service
}

#[tokio::test]
async fn a_human_is_asked_for_in_the_first_words_of_a_customer_in_any_language() {
    let service = with_refunds().await;
    let (widget, agent) = (service.widget("ann").await, service.agent());
    for (words, answer) in [
        ("Can I talk to a human?", "a person of our team"),
        ("मुझे इंसान से बात करनी है", "हमारी टीम"),
        ("转人工", "我们团队"),
        ("Quiero hablar con un agente", "nuestro equipo"),
    ] {
        let session = widget.session().await;
        let reply = widget.ask(&session, words).await;
        let body = reply.expect(200);
        assert_eq!((&body["disposition"], &body["ownership"]), (&json!("escalated"), &json!("pending_handover")));
        assert_eq!((&body["unanswered"], &body["sources"]), (&json!(false), &json!([])), "no gap of the wiki");
        assert!(reply.text_at("answer").contains(answer), "{words}: {}", reply.text_at("answer"));
        let asked = agent.get(&format!("/inbox/{}", reply.text_at("escalationId"))).await;
        assert_eq!(
            (&asked.expect(200)["reasonCategory"], asked.at("requestedBy")),
            (&json!("customer_request"), &json!("customer"))
        );
        assert!(asked.text_at("summary").contains(words));
    }
    let session = widget.session().await;
    let reply = widget.ask(&session, "I don't want to talk to an agent. How long does a refund take?").await;
    assert_eq!((&reply.expect(200)["ownership"], reply.at("escalationId")), (&json!("ai"), &json!(null)));
}

#[tokio::test]
async fn a_question_that_reads_like_a_request_for_a_human_is_answered_where_the_wiki_has_the_answer() {
    let service = with_refunds().await;
    let caller = service.integration();
    let question = "When can I reach support?";
    let in_vain = caller.session().await;
    assert_eq!(caller.ask(&in_vain, question).await.expect(200)["disposition"], "escalated");
    let hours = "You can reach support from nine to five on workdays.";
    service.trainer().wiki_entry("help/hours", "Support hours", hours).await;
    let session = caller.session().await;
    let reply = caller.ask(&session, question).await;
    assert_eq!((&reply.expect(200)["disposition"], reply.at("ownership")), (&json!("answered"), &json!("ai")));
    assert_eq!((reply.text_at("answer"), reply.at("unanswered")), (hours, &json!(false)));
    // Whoever asks again means a person, whatever small talk is between.
    assert_eq!(caller.ask(&session, "thanks").await.expect(200)["disposition"], "small_talk");
    assert_eq!(caller.ask(&session, question).await.expect(200)["disposition"], "escalated");
    // So does whoever asks nothing else as surely, or accepts the offer of a person.
    for (first, then) in [
        ("hello", format!("{question} Is there somebody I can give my ticket to?")),
        ("hello", "I want to reach a human of your support".to_owned()),
        ("Do you sell garden gnomes?", format!("Yes please! {question}")),
    ] {
        let session = caller.session().await;
        assert_ne!(caller.ask(&session, first).await.expect(200)["disposition"], "escalated", "{first}");
        assert_eq!(caller.ask(&session, &then).await.expect(200)["disposition"], "escalated", "{then}");
    }
}

#[tokio::test]
async fn a_question_beside_a_request_for_a_human_is_answered_first() {
    let service = with_refunds().await;
    let caller = service.integration();
    let session = caller.session().await;
    let reply = caller.ask(&session, &format!("{QUESTION} And I want to talk to a person.")).await;
    assert_eq!((&reply.expect(200)["disposition"], reply.at("unanswered")), (&json!("escalated"), &json!(false)));
    let answer = reply.text_at("answer");
    assert!(
        answer.starts_with("A refund takes five working days") && answer.contains("a person of our team"),
        "{answer}"
    );
    for words in [
        "I want a supervisor, also how long does a refund take?",
        "connect me with a person and tell me how long a refund takes",
    ] {
        let session = caller.session().await;
        let reply = caller.ask(&session, words).await;
        assert_eq!(reply.expect(200)["disposition"], "escalated", "{words}");
        assert!(reply.text_at("answer").starts_with("A refund takes five working days"), "{words}: {}", reply.text);
    }
    let session = caller.session().await;
    let reply = caller.ask(&session, "Do you sell purple elephants by the dozen? Let me talk to a human.").await;
    assert_eq!((&reply.expect(200)["disposition"], reply.at("unanswered")), (&json!("escalated"), &json!(true)));
}

#[tokio::test]
async fn words_from_before_a_cancellation_ask_for_nobody_again() {
    let service = with_refunds().await;
    service.admin().patch("/settings", json!({"answersWhileWaiting": false})).await.expect(200);
    let caller = service.integration();
    let session = caller.session().await;
    caller.ask(&session, "Agent please").await.expect(200);
    caller.ask(&session, "I want a human!").await.expect(200);
    caller.ask(&session, QUESTION).await.expect(200);
    let back = caller.post_empty(&format!("/sessions/{session}/cancel-escalation")).await;
    assert_eq!(back.expect(200)["ownership"], "ai");
    let turns = caller.turns(&session).await;
    let last = turns.last().unwrap();
    assert_eq!((&last["role"], &last["disposition"]), (&json!("ai"), &json!("answered")));
    assert_eq!(caller.ask(&session, "I want a human!").await.at("disposition"), "escalated", "new words count");
}

/// A model that answers from the first passage and remembers what it was asked.
#[derive(Debug, Default)]
struct Remembering(Mutex<Vec<String>>);

#[async_trait]
impl LanguageModel for Remembering {
    fn name(&self) -> &str {
        "remembering"
    }

    async fn complete(&self, request: &ModelRequest) -> Result<String, ModelError> {
        self.0.lock().unwrap().push(request.user.clone());
        Ok(json!({"answer": "The refund takes five working days after approval.", "sources": [1], "answerable": true})
            .to_string())
    }
}

impl Remembering {
    fn last(&self) -> String {
        self.0.lock().unwrap().last().unwrap().clone()
    }
}

async fn with_model() -> (TestService, Arc<Remembering>) {
    let model = Arc::new(Remembering::default());
    let given = model.clone();
    let service = TestService::with(|options| options.model = Some(given)).await;
    service.trainer().wiki_entry("help/refunds", "Refunds", "A refund takes five working days after approval.").await;
    (service, model)
}

/// A session that an agent has taken and written into; the session and the escalation.
async fn with_an_agent(caller: &Actor, agent: &Actor) -> (String, String) {
    let session = caller.session().await;
    caller.ask(&session, "My name is Rumpelstiltskin.").await.expect(200);
    caller.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await.expect(200);
    let taken = agent.post_empty("/inbox/takeover").await;
    let id = taken.text_at("escalationId").to_owned();
    let said = json!({"content": "I have looked into your parcel."});
    agent.post(&format!("/inbox/{id}/message"), said).await.expect(200);
    (session, id)
}

#[tokio::test]
async fn after_a_handback_the_ai_knows_that_a_person_was_there_and_what_they_noted() {
    let (service, model) = with_model().await;
    let (caller, agent) = (service.integration(), service.agent());
    let (session, id) = with_an_agent(&caller, &agent).await;
    let note = json!({"content": "Smells of fraud", "internal": true});
    agent.post(&format!("/inbox/{id}/message"), note).await.expect(200);
    caller.ask(&session, QUESTION).await.expect(200);
    let handback = json!({"note": "The parcel is insured."});
    let back = agent.post(&format!("/inbox/{id}/handback"), handback).await;
    assert_eq!(
        back.expect(200)["messages"].as_array().unwrap().last().unwrap()["content"],
        "The refund takes five working days after approval."
    );
    for asked in [model.last(), {
        caller.ask(&session, QUESTION).await.expect(200);
        model.last()
    }] {
        assert!(
            asked.contains("A person of the team took part") && asked.contains("The parcel is insured."),
            "{asked}"
        );
        assert!(asked.contains("I have looked into your parcel.") && asked.contains("Rumpelstiltskin"), "{asked}");
        assert!(!asked.contains("Smells of fraud"), "{asked}");
    }
    let seen_by_customer = Value::from(caller.turns(&session).await).to_string();
    assert!(!seen_by_customer.contains("insured") && !seen_by_customer.contains("fraud"));
}

#[tokio::test]
async fn after_a_resolve_the_ai_sees_only_a_summary_of_what_lay_before() {
    let (service, model) = with_model().await;
    let (caller, agent) = (service.integration(), service.agent());
    let (session, id) = with_an_agent(&caller, &agent).await;
    for number in 0..3 {
        caller.ask(&session, &format!("Detail number {number}")).await.expect(200);
    }
    let resolution = json!({"resolution": "Sent a new parcel."});
    agent.post(&format!("/inbox/{id}/resolve"), resolution).await.expect(200);
    caller.post("/sessions/resume", json!({"sessionId": session})).await.expect(200);
    caller.ask(&session, QUESTION).await.expect(200);
    let asked = model.last();
    assert!(asked.contains("Sent a new parcel.") && asked.contains("Rumpelstiltskin"), "{asked}");
    assert!(!asked.contains("Detail number 1"), "turns of the time before are not shown: {asked}");
    caller.ask(&session, QUESTION).await.expect(200);
    assert!(model.last().contains("The refund takes five working days after approval."), "what came after is");
}
