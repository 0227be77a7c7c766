//! The texts that a language model may say, and those that it gets to read.

use std::sync::{Arc, Mutex};

use answer::model::ModelRequest;
use serde_json::{Value, json};

use crate::support::{Actor, ModelStub, TestService, answered, rewrites, rewritten};

/// About what the wiki has, and asks for what it does not have.
const UNSURE: &str = "Can Studio or Team be paid by kubernetes operators abroad?";

/// A service whose model says what a test wants said, from the first two passages.
struct Plans {
    service: TestService,
    says: Arc<Mutex<&'static str>>,
}

impl Plans {
    async fn start() -> Self {
        let says = Arc::new(Mutex::new(""));
        let answer = says.clone();
        let model = ModelStub::new(move |_| Some(answered(*answer.lock().unwrap(), &[1, 2])));
        let service = TestService::with(|options| options.model = Some(model)).await;
        let trainer = service.trainer();
        trainer.wiki_entry("plans/studio", "Studio plan", "Studio costs 23 euros. Paid yearly it costs less.").await;
        trainer.wiki_entry("plans/team", "Team plan", "Team needs no card. Paid monthly it costs 47 euros.").await;
        Self { service, says }
    }

    /// The answer to a customer in a session of their own if the model says `answer`.
    async fn told(&self, answer: &'static str) -> Value {
        *self.says.lock().unwrap() = answer;
        let caller = self.service.integration();
        caller.ask(&caller.session().await, UNSURE).await.expect(200).clone()
    }
}

#[tokio::test]
async fn under_the_threshold_a_model_says_nothing_that_no_sentence_of_an_entry_says() {
    let plans = Plans::start().await;
    for answer in [
        "Paid yearly it costs 23 euros.",
        "Studio costs 47 euros.",
        "Studio costs less.",
        "Paid yearly it costs less, Team needs no card.",
        "Paid monthly it costs 47 euros, Studio costs 23 euros.",
        "You can.",
        "Studio costs 23 euros. You can.",
        "Team needs a card.",
    ] {
        let told = plans.told(answer).await;
        assert_eq!((&told["disposition"], &told["unanswered"]), (&json!("no_answer"), &json!(true)), "{answer}");
        assert!(told["confidence"].as_f64().unwrap() < 0.4, "the question is no longer unsure: {told}");
    }
}

#[tokio::test]
async fn under_the_threshold_a_quotation_is_answered_at_the_threshold_itself() {
    let plans = Plans::start().await;
    for answer in ["Studio costs 23 euros.", "Studio costs 23 euros. Team needs no card."] {
        let told = plans.told(answer).await;
        assert_eq!((&told["disposition"], &told["answer"]), (&json!("answered"), &json!(answer)), "{told}");
        assert_eq!((&told["confidence"], &told["unanswered"]), (&json!(0.4), &json!(false)));
        assert!(told["sources"][0]["confidence"].as_f64().unwrap() < 0.4, "that of an entry stays its own: {told}");
    }
}

/// A model that says all it was given to read, but for the lines of the boundary.
fn echo(request: &ModelRequest) -> Option<String> {
    let lines = request.user.lines().filter(|line| !line.contains("data-") && !line.starts_with("Reply with"));
    let all = lines.collect::<Vec<_>>().join(" ");
    let short: String = all.chars().take(300).collect();
    Some(if rewrites(request) { rewritten(&short) } else { answered(&all, &[1]) })
}

async fn with_margins(model: Arc<ModelStub>) -> TestService {
    let service = TestService::with(|options| options.model = Some(model)).await;
    let trainer = service.trainer();
    let secret =
        json!({"path": "staff/margins", "title": "Harvest table", "content": "Our margin on pots is forty percent."});
    trainer.post("/wiki", secret).await.expect(201);
    trainer.wiki_entry("help/pots", "Pots", "Pots are made of clay and hold two litres.").await;
    visible_to_widgets(&service, "all").await;
    service
}

async fn visible_to_widgets(service: &TestService, which: &str) {
    service.admin().patch("/settings", json!({"widgetAnswerVisibility": which})).await.expect(200);
}

/// Asks what the internal entry says.
async fn told_the_margin(widget: &Actor) -> String {
    let session = widget.session().await;
    let told = widget.ask(&session, "What is our margin on pots?").await;
    assert!(told.expect(200)["answer"].as_str().unwrap().contains("forty percent"), "{}", told.text);
    session
}

/// The requests to the model after its first `before` ones.
fn asked_since(model: &ModelStub, before: usize) -> Vec<ModelRequest> {
    model.asked().split_off(before)
}

#[tokio::test]
async fn an_answer_from_an_internal_entry_is_given_to_no_model_once_widgets_are_answered_from_public_ones() {
    let model = ModelStub::new(echo);
    let service = with_margins(model.clone()).await;
    let widget = service.widget("ann").await;
    let earlier = told_the_margin(&widget).await;
    let before = model.asked().len();
    widget.ask(&earlier, "What are pots made of?").await.expect(200);
    let asked = asked_since(&model, before);
    assert!(asked.iter().any(|request| request.user.contains("forty percent")), "{asked:?}");
    let session = told_the_margin(&widget).await;
    visible_to_widgets(&service, "public").await;
    let before = model.asked().len();
    for question in ["What are pots made of?", "Do they hold much water?"] {
        let reply = widget.ask(&session, question).await;
        assert_eq!(reply.expect(200)["disposition"], "answered", "{}", reply.text);
        assert!(!reply.text.contains("forty percent") && !reply.text.contains("staff/"), "{}", reply.text);
    }
    let asked = asked_since(&model, before);
    assert!(asked.iter().any(rewrites) && asked.iter().any(|request| !rewrites(request)), "both kinds were asked");
    for request in asked {
        assert!(!request.user.contains("forty percent") && !request.user.contains("Harvest"), "{}", request.user);
    }
}

#[tokio::test]
async fn the_summary_of_a_resolved_conversation_names_no_internal_entry() {
    let model = ModelStub::new(echo);
    let service = with_margins(model.clone()).await;
    let (widget, agent) = (service.widget("ann").await, service.agent());
    let session = told_the_margin(&widget).await;
    widget.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await.expect(200);
    let taken = agent.post_empty("/inbox/takeover").await;
    assert!(taken.expect(200)["summary"].as_str().unwrap().contains("Harvest table"), "people read it: {}", taken.text);
    let resolve = format!("/inbox/{}/resolve", taken.text_at("escalationId"));
    agent.post(&resolve, json!({"resolution": "Told in person."})).await.expect(200);
    visible_to_widgets(&service, "public").await;
    widget.post("/sessions/resume", json!({"sessionId": session})).await.expect(200);
    let before = model.asked().len();
    let reply = widget.ask(&session, "What are pots made of?").await;
    assert!(!reply.text.contains("Harvest"), "{}", reply.text);
    let asked = asked_since(&model, before);
    assert!(asked.iter().any(|request| request.user.contains("Told in person.")), "{asked:?}");
    assert!(asked.iter().all(|request| !request.user.contains("Harvest")), "{asked:?}");
}
