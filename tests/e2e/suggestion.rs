//! The suggested answer, for the agent who has the conversation.

use serde_json::json;

use crate::support::{Actor, IndexSwitch, ModelStub, TestService, answered};

const REFUND: &str = "How long does a refund take?";

/// A session of channel `channel` that an agent has, and its request for a human.
async fn claimed(service: &TestService, channel: &str) -> (String, String) {
    let session = service.integration().session_with(json!({"channel": channel})).await;
    let asked = service.integration().post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await;
    let escalation = asked.text_at("escalationId").to_owned();
    service.agent().post("/inbox/takeover", json!({"escalationId": escalation})).await.expect(200);
    (session, escalation)
}

async fn entries(service: &TestService) {
    let trainer = service.trainer();
    trainer.wiki_entry("help/refunds", "Refunds", "A refund takes five working days after approval.").await;
    let internal = json!({"path": "team/goodwill", "title": "Goodwill vouchers",
        "content": "A goodwill voucher is worth up to forty euros for a late parcel.", "visibility": "internal"});
    trainer.post("/wiki", internal).await.expect(201);
}

fn suggestion(escalation: &str) -> String {
    format!("/inbox/{escalation}/suggestion")
}

/// Every item but those that say when a key was used, and of rate limits.
async fn settled(service: &TestService) -> Vec<String> {
    service.drain().await;
    let mut items = service.raw_items().await;
    items.retain(|item| !["api_key", "rate_bucket", "agent_run"].iter().any(|kind| item.contains(kind)));
    // The attributes of an item come in no order.
    let mut sorted: Vec<String> = items.iter().map(|item| sorted_characters(item)).collect();
    sorted.sort();
    sorted
}

fn sorted_characters(text: &str) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    characters.sort_unstable();
    characters.into_iter().collect()
}

async fn ask(customer: &Actor, session: &str, content: &str) {
    assert_eq!(customer.ask(session, content).await.expect(200)["disposition"], "queued_for_human");
}

#[tokio::test]
async fn a_suggestion_answers_what_the_customer_wrote_since_the_last_answer_and_stores_nothing() {
    let service = TestService::start().await;
    entries(&service).await;
    let (session, escalation) = claimed(&service, "api").await;
    ask(&service.integration(), &session, REFUND).await;
    let before = settled(&service).await;
    let suggested = service.agent().post_empty(&suggestion(&escalation)).await;
    assert_eq!(
        (suggested.expect(200)["disposition"].as_str(), suggested.at("/sources/0/used")),
        (Some("answered"), &json!(true))
    );
    assert!(suggested.text_at("answer").contains("five working days"), "{}", suggested.text);
    assert_eq!(suggested.at("/sources/0/path"), "help/refunds");
    assert_eq!(
        (suggested.at("/sources/0/visibility"), suggested.at("/sources/0/version")),
        (&json!("public"), &json!(1))
    );
    assert!(suggested.at("confidence").as_f64().unwrap() > 0.3, "{}", suggested.text);
    // As often as wanted; a key is ignored.
    let once = service.agent().with_header("idempotency-key", "once");
    for include in [false, true] {
        let again = once.post(&suggestion(&escalation), json!({"includeInternal": include})).await;
        assert_eq!(
            (again.expect(200)["disposition"].as_str(), again.header("idempotency-replayed")),
            (Some("answered"), "")
        );
    }
    assert_eq!(settled(&service).await, before);
    let session = service.agent().get(&format!("/sessions/{session}")).await;
    assert_eq!(session.at("ownership"), "human");
}

#[tokio::test]
async fn a_suggestion_is_what_the_ai_says_once_the_conversation_is_handed_back() {
    let service = TestService::start().await;
    entries(&service).await;
    let (session, escalation) = claimed(&service, "api").await;
    ask(&service.integration(), &session, "Hello?").await;
    ask(&service.integration(), &session, REFUND).await;
    let suggested = service.agent().post_empty(&suggestion(&escalation)).await.expect(200).clone();
    service.agent().post_empty(&format!("/inbox/{escalation}/handback")).await.expect(200);
    let turns = service.agent().turns(&session).await;
    let said = turns.iter().rfind(|turn| turn["role"] == "ai").unwrap();
    for field in ["answer", "confidence", "disposition"] {
        assert_eq!(suggested[field], said[field], "{field}");
    }
    assert_eq!(suggested["sources"][0]["path"], said["sources"][0]["path"]);
}

#[tokio::test]
async fn internal_entries_are_suggested_only_when_asked_for_and_are_marked() {
    let service = TestService::start().await;
    entries(&service).await;
    let (session, escalation) = claimed(&service, "widget").await;
    ask(&service.integration(), &session, "What is a goodwill voucher worth for a late parcel?").await;
    for body in [json!({}), json!({"includeInternal": false}), json!({"includeInternal": null})] {
        let public = service.agent().post(&suggestion(&escalation), body).await;
        assert_eq!(public.expect(200)["disposition"], "no_answer");
        assert!(!public.text.contains("goodwill") && !public.text.contains("forty"), "{}", public.text);
    }
    let all = service.agent().post(&suggestion(&escalation), json!({"includeInternal": true})).await;
    assert!(all.text_at("answer").contains("forty euros"), "{}", all.text);
    assert_eq!(
        (all.at("/sources/0/path"), all.at("/sources/0/visibility")),
        (&json!("team/goodwill"), &json!("internal"))
    );
}

#[tokio::test]
async fn an_answered_question_gets_a_suggestion_again_and_no_question_an_empty_one() {
    let service = TestService::start().await;
    entries(&service).await;
    let (session, escalation) = claimed(&service, "api").await;
    let nothing = json!({"answer": "", "sources": [], "confidence": 0.0, "disposition": "no_answer"});
    assert_eq!(service.agent().post_empty(&suggestion(&escalation)).await.expect(200), &nothing);
    ask(&service.integration(), &session, REFUND).await;
    let message = format!("/inbox/{escalation}/message");
    service.agent().post(&message, json!({"content": "Is it urgent?", "internal": true})).await.expect(200);
    let with_note = service.agent().post_empty(&suggestion(&escalation)).await;
    assert_eq!(with_note.expect(200)["disposition"], "answered");
    service.agent().post(&message, json!({"content": "Five days."})).await.expect(200);
    let again = service.agent().post_empty(&suggestion(&escalation)).await;
    assert_eq!(again.expect(200), with_note.expect(200));
}

#[tokio::test]
async fn a_suggestion_is_for_those_who_have_the_inbox_and_of_their_tenant() {
    let service = TestService::start().await;
    let (_, escalation) = claimed(&service, "api").await;
    let path = suggestion(&escalation);
    for stranger in [service.other_admin(), service.test_admin()] {
        stranger.post_empty(&path).await.expect_error(404, "NOT_FOUND");
    }
    service.trainer().post_empty(&path).await.expect_error(403, "FORBIDDEN");
    service.agent().post(&path, json!({"includeInternal": "yes"})).await.expect_error(400, "VALIDATION_ERROR");
    service.agent().post_empty("/inbox/esc_nothing/suggestion").await.expect_error(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_suggestion_without_a_search_is_503_and_one_without_a_model_is_quoted() {
    let index = IndexSwitch::default();
    let wrap = index.wrap();
    let model = ModelStub::new(|_| None);
    let asked = model.clone();
    let service = TestService::with(|options| {
        options.wrap_index = Some(wrap);
        options.model = Some(asked);
    })
    .await;
    entries(&service).await;
    let (session, escalation) = claimed(&service, "api").await;
    ask(&service.integration(), &session, REFUND).await;
    let quoted = service.agent().post_empty(&suggestion(&escalation)).await;
    assert!(quoted.text_at("answer").contains("five working days"), "{}", quoted.text);
    index.off();
    service.agent().post_empty(&suggestion(&escalation)).await.expect_error(503, "SERVICE_UNAVAILABLE");
}

#[tokio::test]
async fn the_daily_budget_counts_the_model_calls_of_suggestions() {
    let model = ModelStub::new(|_| Some(answered("The refund takes five working days after approval.", &[1])));
    let asked = model.clone();
    let service = TestService::with(|options| options.model = Some(asked)).await;
    entries(&service).await;
    service.admin().patch("/settings", json!({"modelCallsPerDay": 1})).await.expect(200);
    let (session, escalation) = claimed(&service, "api").await;
    ask(&service.integration(), &session, REFUND).await;
    for said in
        ["The refund takes five working days after approval.", "A refund takes five working days after approval."]
    {
        let suggested = service.agent().post_empty(&suggestion(&escalation)).await;
        assert!(suggested.text_at("answer").contains(said), "{}", suggested.text);
    }
}
