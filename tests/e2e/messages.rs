//! Messages: a cited answer with a confidence, and every way in which a message could be lost or duplicated.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use answer::model::{LanguageModel, ModelError, ModelRequest};
use async_trait::async_trait;
use domain::models::{Disposition, MessageId};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::support::{Actor, Fault, Faults, TestService};

const QUESTION: &str = "How long does a refund take?";
const OF_THE_MODEL: &str = "The refund takes five working days after approval.";

async fn with_refunds() -> TestService {
    let service = TestService::start().await;
    service.trainer().wiki_entry("help/refunds", "Refunds", "A refund takes five working days after approval.").await;
    service
}

#[tokio::test]
async fn a_question_gets_a_cited_answer_with_a_confidence() {
    let service = with_refunds().await;
    let session = service.integration().session().await;
    let reply = service.integration().ask(&session, QUESTION).await;
    let body = reply.expect(200);
    assert_eq!(body["answer"], "A refund takes five working days after approval.");
    assert_eq!((&body["disposition"], &body["ownership"]), (&json!("answered"), &json!("ai")));
    assert_eq!((&body["unanswered"], &body["turn"]), (&json!(false), &json!(2)));
    assert_eq!(body["sources"][0]["path"], "help/refunds");
    assert_eq!((&body["sources"][0]["title"], &body["sources"][0]["version"]), (&json!("Refunds"), &json!(1)));
    assert_eq!(body["confidence"], body["sources"][0]["confidence"]);
    assert!((0.4..=1.0).contains(&body["confidence"].as_f64().unwrap()));
    let turns = service.integration().turns(&session).await;
    assert_eq!(turns.iter().map(|t| t["role"].as_str().unwrap()).collect::<Vec<_>>(), ["customer", "ai"]);
    assert_eq!((&turns[0]["content"], &turns[1]["answer"]), (&json!(QUESTION), &body["answer"]));
    assert_eq!(turns[1]["messageId"], body["messageId"]);
}

#[tokio::test]
async fn a_second_question_without_an_answer_asks_for_a_human() {
    let service = with_refunds().await;
    let session = service.integration().session().await;
    let first = service.integration().ask(&session, "Do you sell kubernetes operators?").await;
    assert_eq!((first.at("disposition"), first.at("unanswered")), (&json!("no_answer"), &json!(true)));
    assert!(first.at("confidence").as_f64().unwrap() < 0.4 && !first.text_at("answer").is_empty());
    let second = service.integration().ask(&session, "And giraffe insurance?").await;
    assert_eq!((second.at("disposition"), second.at("ownership")), (&json!("escalated"), &json!("pending_handover")));
    assert_eq!(second.at("unanswered"), &json!(true));
    let session_now = service.agent().get(&format!("/sessions/{session}")).await;
    assert_eq!(session_now.at("escalationId"), second.at("escalationId"));
    let silent = service.integration().ask(&session, "And giraffe insurance, please?").await;
    assert_eq!((silent.at("disposition"), silent.at("answer")), (&json!("queued_for_human"), &json!("")));
    assert_eq!((silent.at("sources"), silent.at("confidence")), (&json!([]), &json!(0.0)));
}

#[tokio::test]
async fn the_ai_asks_for_a_human_after_as_many_answers_as_the_settings_allow() {
    let service = with_refunds().await;
    service.admin().patch("/settings", json!({"maxAiTurns": 2})).await.expect(200);
    let session = service.integration().session().await;
    assert_eq!(service.integration().ask(&session, QUESTION).await.at("disposition"), "answered");
    let last = service.integration().ask(&session, QUESTION).await;
    assert_eq!((last.at("disposition"), last.at("unanswered")), (&json!("escalated"), &json!(false)));
    assert!(last.text_at("answer").contains("five working days"), "the last answer is still given");
}

#[tokio::test]
async fn a_message_is_held_to_its_limits() {
    let service = TestService::start().await;
    let caller = service.integration();
    let session = caller.session().await;
    let path = format!("/sessions/{session}/messages");
    for good in ["é".repeat(7_999), "é".repeat(8_000)] {
        caller.ask(&session, &good).await.expect(200);
    }
    for (bad, detail) in [
        (json!({}), "content REQUIRED"),
        (json!({"content": ""}), "content TOO_SHORT"),
        (json!({"content": "é".repeat(8_001)}), "content TOO_LONG"),
        (json!({"content": 5}), "content WRONG_TYPE"),
    ] {
        let reply = caller.post(&path, bad).await;
        reply.expect_error(400, "VALIDATION_ERROR");
        assert_eq!(reply.details(), [detail]);
    }
    let reply = caller.post(&path, json!({"clientMessageId": "x".repeat(256)})).await;
    assert_eq!(reply.details(), ["content REQUIRED", "clientMessageId TOO_LONG"]);
    assert_eq!(caller.turns(&session).await.len(), 4 + 1, "two messages, two answers, and one note of the handover");
}

#[tokio::test]
async fn a_message_sent_again_gets_the_first_result_and_is_stored_once() {
    let service = with_refunds().await;
    let caller = service.integration();
    let session = caller.session().await;
    let path = format!("/sessions/{session}/messages");
    let body = json!({"content": QUESTION, "clientMessageId": "m1"});
    let first = caller.post(&path, body.clone()).await;
    let again = caller.post(&path, body).await;
    assert_eq!((first.expect(200), first.header("idempotency-replayed")), (again.expect(200), ""));
    assert_eq!(again.header("idempotency-replayed"), "true");
    let other = caller.post(&path, json!({"content": "Something else", "clientMessageId": "m1"})).await;
    other.expect_error(422, "IDEMPOTENCY_KEY_REUSED");
    let keyed = caller.with_header("Idempotency-Key", "k1");
    let by_key = keyed.post(&path, json!({"content": QUESTION})).await;
    assert_eq!(keyed.post(&path, json!({"content": QUESTION})).await.expect(200), by_key.expect(200));
    assert_ne!(by_key.at("messageId"), first.at("messageId"));
    caller
        .with_header("Idempotency-Key", "")
        .post(&path, json!({"content": "x"}))
        .await
        .expect_error(400, "VALIDATION_ERROR");
    assert_eq!(caller.turns(&session).await.len(), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn sixty_four_copies_of_one_message_are_one_message() {
    let service = with_refunds().await;
    let caller = service.integration();
    let session = caller.session().await;
    let path = format!("/sessions/{session}/messages");
    let sends = (0..64).map(|_| {
        let (caller, path) = (caller.clone(), path.clone());
        tokio::spawn(async move { caller.post(&path, json!({"content": QUESTION, "clientMessageId": "m"})).await })
    });
    for sent in sends.collect::<Vec<_>>() {
        let reply = sent.await.unwrap();
        if reply.status != 200 {
            reply.expect_error(409, "IDEMPOTENCY_IN_PROGRESS");
        }
    }
    assert_eq!(caller.turns(&session).await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn sixty_four_messages_at_once_are_all_answered_once_and_a_reader_misses_none() {
    let service = with_refunds().await;
    service.admin().patch("/settings", json!({"maxAiTurns": 1000})).await.expect(200);
    let caller = service.integration();
    let session = caller.session().await;
    let reader = tokio::spawn(read_until(service.agent(), session.clone(), 128));
    let sends = (0..64).map(|n| {
        let (caller, session) = (caller.clone(), session.clone());
        tokio::spawn(async move { caller.ask(&session, &format!("{QUESTION} ({n})")).await })
    });
    for sent in sends.collect::<Vec<_>>() {
        assert_eq!(sent.await.unwrap().expect(200)["disposition"], "answered");
    }
    let turns = caller.turns(&session).await;
    let numbers: Vec<_> = turns.iter().map(|t| t["turn"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=128).collect::<Vec<_>>());
    let of = |role: &str| turns.iter().filter(|t| t["role"] == role).count();
    assert_eq!((of("customer"), of("ai")), (64, 64));
    assert_eq!(reader.await.unwrap(), turns, "the reader that polled with after= saw every turn, in order");
}

async fn read_until(caller: Actor, session: String, count: usize) -> Vec<Value> {
    let mut seen: Vec<Value> = Vec::new();
    while seen.len() < count {
        let after = seen.last().map_or(String::new(), |t| format!("?after={}", t["messageId"].as_str().unwrap()));
        seen.extend(caller.get(&format!("/sessions/{session}/messages{after}")).await.items().iter().cloned());
    }
    seen
}

#[tokio::test]
async fn turns_come_in_pages_when_asked_for_and_a_strange_after_is_refused() {
    let service = with_refunds().await;
    let caller = service.integration();
    let session = caller.session().await;
    for _ in 0..3 {
        caller.ask(&session, QUESTION).await.expect(200);
    }
    let first = caller.get(&format!("/sessions/{session}/messages?limit=4")).await;
    assert_eq!((first.items().len(), first.at("hasMore")), (4, &json!(true)));
    let rest =
        caller.get(&format!("/sessions/{session}/messages?limit=4&cursor={}", first.text_at("nextCursor"))).await;
    assert_eq!((rest.items().len(), rest.at("hasMore")), (2, &json!(false)));
    assert_eq!(rest.at("/items/0/turn"), &json!(5));
    let strange = MessageId::for_turn(&service.resources().runtime, 2).unwrap();
    for bad in [strange.as_str(), "msg_1", "x"] {
        caller.get(&format!("/sessions/{session}/messages?after={bad}")).await.expect_error(400, "VALIDATION_ERROR");
    }
}

/// A model that waits until it is let go, and counts how often it is asked.
#[derive(Debug)]
struct SlowModel {
    asked: AtomicUsize,
    started: Semaphore,
    go: Semaphore,
}

impl SlowModel {
    fn new() -> Arc<Self> {
        Arc::new(Self { asked: AtomicUsize::new(0), started: Semaphore::new(0), go: Semaphore::new(0) })
    }
}

#[async_trait]
impl LanguageModel for SlowModel {
    fn name(&self) -> &str {
        "slow"
    }

    async fn complete(&self, _request: &ModelRequest) -> Result<String, ModelError> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        self.started.add_permits(1);
        let _go = self.go.acquire().await.unwrap();
        Ok(json!({"answer": OF_THE_MODEL, "sources": [1], "answerable": true}).to_string())
    }
}

async fn with_model(model: Arc<dyn LanguageModel>) -> TestService {
    let service = TestService::with(|options| options.model = Some(model)).await;
    service.trainer().wiki_entry("help/refunds", "Refunds", "A refund takes five working days after approval.").await;
    service
}

#[tokio::test(flavor = "multi_thread")]
async fn the_message_is_durable_before_a_model_is_asked_and_an_answer_that_lost_its_race_is_dropped() {
    let model = SlowModel::new();
    let service = with_model(model.clone()).await;
    service.admin().patch("/settings", json!({"answersWhileWaiting": false})).await.expect(200);
    let caller = service.integration();
    let session = caller.session().await;
    let path = format!("/sessions/{session}/messages");
    let message = json!({"content": QUESTION, "clientMessageId": "m1"});
    let asking = tokio::spawn({
        let (caller, path, message) = (caller.clone(), path.clone(), message.clone());
        async move { caller.post(&path, message).await }
    });
    let _started = model.started.acquire().await.unwrap();
    assert_eq!(caller.turns(&session).await.len(), 1, "the customer's turn is there while the model thinks");
    caller.post(&format!("/sessions/{session}/escalate"), json!({"reason": "now"})).await.expect(200);
    model.go.add_permits(10);
    let reply = asking.await.unwrap();
    assert_eq!((reply.expect(200)["disposition"].as_str(), reply.text_at("answer")), (Some("superseded"), ""));
    let again = caller.post(&path, message.clone()).await;
    assert_eq!((again.expect(200), again.header("idempotency-replayed")), (&reply.json, "true"));
    let roles: Vec<_> = caller.turns(&session).await.iter().map(|t| t["role"].clone()).collect();
    assert_eq!(json!(roles), json!(["customer", "system"]));
    caller.ask(&session, QUESTION).await.expect(200);
    assert_eq!(model.asked.load(Ordering::SeqCst), 1, "no model is asked while a human is awaited");
    let cancelled = caller.post_empty(&format!("/sessions/{session}/cancel-escalation")).await;
    assert_eq!(cancelled.expect(200)["ownership"], "ai");
    let turns = caller.turns(&session).await;
    assert_eq!(turns.last().unwrap()["answer"], OF_THE_MODEL, "one answer for what was pending");
    assert_eq!(turns.iter().filter(|t| t["role"] == "ai").count(), 1);
    caller.post(&format!("/sessions/{session}/escalate"), json!({"reason": "now"})).await.expect(200);
    service.agent().post_empty("/inbox/takeover").await.expect(200);
    let again = caller.post(&path, message).await;
    assert_eq!(again.expect(200), &reply.json, "what the first attempt was told stays so, whoever has the session now");
}

#[derive(Debug)]
struct BrokenModel;

#[async_trait]
impl LanguageModel for BrokenModel {
    fn name(&self) -> &str {
        "broken"
    }

    async fn complete(&self, _request: &ModelRequest) -> Result<String, ModelError> {
        Err(ModelError::Failed("500".into()))
    }
}

#[tokio::test]
async fn a_model_that_fails_is_replaced_by_a_quotation() {
    let service = with_model(Arc::new(BrokenModel)).await;
    let session = service.integration().session().await;
    let reply = service.integration().ask(&session, QUESTION).await;
    assert_eq!(reply.expect(200)["answer"], "A refund takes five working days after approval.");
    assert_eq!(reply.at("disposition"), Disposition::Answered.as_str());
}

#[tokio::test]
async fn an_attempt_that_died_between_its_two_writes_is_finished_by_the_next_one() {
    let (model, faults) = (SlowModel::new(), Faults::default());
    let (asked, wire) = (model.clone(), faults.clone());
    let service = TestService::with(|options| {
        options.model = Some(asked);
        options.wrap_database = Some(Box::new(move |http| wire.wrap(http)));
    })
    .await;
    service.trainer().wiki_entry("help/refunds", "Refunds", "A refund takes five working days after approval.").await;
    let caller = service.integration();
    let session = caller.session().await;
    let path = format!("/sessions/{session}/messages");
    let body = json!({"content": QUESTION, "clientMessageId": "m1"});
    let first = tokio::spawn({
        let (caller, path, body) = (caller.clone(), path.clone(), body.clone());
        async move { caller.post(&path, body).await }
    });
    let _started = model.started.acquire().await.unwrap();
    // The table is gone while the model thinks: the answer cannot be stored.
    faults.arm(1, usize::MAX - 1, Fault::BeforeSend);
    model.go.add_permits(10);
    first.await.unwrap().expect_error(503, "SERVICE_UNAVAILABLE");
    faults.disarm();
    assert_eq!(caller.turns(&session).await.len(), 1);
    let early = caller.post(&path, body.clone()).await;
    early.expect_error(409, "IDEMPOTENCY_IN_PROGRESS");
    let left: i64 = early.header("retry-after").parse().unwrap();
    let lease = i64::try_from(service.resources().config.request_timeout_ms).unwrap() / 1_000;
    assert!((2..=lease).contains(&left), "{left} of {lease} seconds");
    service.clock.advance(left * 1_000);
    let second = caller.post(&path, body.clone()).await;
    assert_eq!(second.expect(200)["disposition"], "answered");
    let third = caller.post(&path, body).await;
    assert_eq!((third.expect(200), third.header("idempotency-replayed")), (&second.json, "true"));
    assert_eq!(caller.turns(&session).await.len(), 2, "one message, one answer");
}

#[tokio::test]
async fn a_header_used_again_with_another_message_id_is_refused() {
    let service = with_refunds().await;
    let caller = service.integration().with_header("Idempotency-Key", "k1");
    let session = caller.session_with(json!({})).await;
    let path = format!("/sessions/{session}/messages");
    let first = caller.post(&path, json!({"content": QUESTION, "clientMessageId": "m1"})).await;
    let again = caller.post(&path, json!({"content": QUESTION, "clientMessageId": "m1"})).await;
    assert_eq!(again.expect(200), first.expect(200));
    let other = caller.post(&path, json!({"content": QUESTION, "clientMessageId": "m2"})).await;
    other.expect_error(422, "IDEMPOTENCY_KEY_REUSED");
    let beside = service.integration().with_header("Idempotency-Key", "k2");
    let again = beside.post(&path, json!({"content": QUESTION, "clientMessageId": "m1"})).await;
    assert_eq!((again.expect(200), again.header("idempotency-replayed")), (first.expect(200), "true"));
    let other = beside.post(&path, json!({"content": QUESTION})).await;
    other.expect_error(422, "IDEMPOTENCY_KEY_REUSED");
    assert_eq!(caller.turns(&session).await.len(), 2);
}

#[tokio::test]
async fn a_widget_is_not_shown_earlier_answers_from_internal_entries_once_the_tenant_no_longer_wants_it() {
    let service = TestService::start().await;
    let secret =
        json!({"path": "staff/margins", "title": "Margins", "content": "Our margin on pots is forty percent."});
    service.trainer().post("/wiki", secret).await.expect(201);
    service.admin().patch("/settings", json!({"widgetAnswerVisibility": "all"})).await.expect(200);
    let widget = service.widget("ann").await;
    let session = widget.session().await;
    let path = format!("/sessions/{session}/messages");
    let question = json!({"content": "What is our margin on pots?", "clientMessageId": "m1"});
    let told = widget.post(&path, question.clone()).await;
    assert!(told.expect(200)["answer"].as_str().unwrap().contains("forty percent"));
    service.admin().patch("/settings", json!({"widgetAnswerVisibility": "public"})).await.expect(200);
    for reply in [
        widget.get(&path).await,
        widget.post_empty("/sessions/resume").await,
        widget.post(&path, question).await,
        widget
            .get(&format!("{path}?limit=1&after={}", widget.turns(&session).await[0]["messageId"].as_str().unwrap()))
            .await,
    ] {
        reply.expect(200);
        assert!(!reply.text.contains("staff/") && !reply.text.contains("forty percent"), "{}", reply.text);
    }
    let turns = service.agent().turns(&session).await;
    assert!(turns[1]["answer"].as_str().unwrap().contains("forty percent"), "people still read what was said");
}

#[tokio::test]
async fn an_answer_to_a_widget_comes_from_public_entries_alone() {
    let service = TestService::start().await;
    let secret =
        json!({"path": "staff/margins", "title": "Margins", "content": "Our margin on pots is forty percent."});
    service.trainer().post("/wiki", secret).await.expect(201);
    let question = "What is our margin on pots?";
    let of_api = service.integration().session().await;
    assert_eq!(service.integration().ask(&of_api, question).await.at("/sources/0/path"), "staff/margins");
    let widget = service.widget("ann").await;
    let of_widget = widget.session().await;
    for caller in [&widget, &service.integration()] {
        let reply = caller.ask(&of_widget, question).await;
        reply.expect(200);
        assert!(!reply.text.contains("staff/") && !reply.text.contains("forty percent"), "{}", reply.text);
    }
}

#[tokio::test]
async fn a_message_that_shows_nothing_is_blank() {
    let service = TestService::start().await;
    let caller = service.integration();
    let session = caller.session().await;
    for nothing in ["\u{200B}", "\u{FEFF}\u{2060} \n\u{200D}", "\u{E0041}\u{AD}"] {
        let refused = caller.ask(&session, nothing).await;
        refused.expect_error(400, "VALIDATION_ERROR");
        assert_eq!(refused.details(), ["content BLANK"], "{nothing:?}");
    }
    assert!(caller.turns(&session).await.is_empty());
    caller.ask(&session, "\u{200B}hello").await.expect(200);
}
