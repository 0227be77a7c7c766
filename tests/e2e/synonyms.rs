//! Questions in other words than the wiki's.

use serde_json::{Value, json};

use crate::support::{Actor, TestService};

async fn told(caller: &Actor, question: &str) -> Value {
    caller.ask(&caller.session().await, question).await.expect(200).clone()
}

/// The disposition, and the path of the nearest entry.
fn found(told: &Value) -> (&str, &str) {
    let nearest = told["sources"].get(0).and_then(|source| source["path"].as_str());
    (told["disposition"].as_str().unwrap(), nearest.unwrap_or_default())
}

async fn fill(service: &TestService) {
    let trainer = service.trainer();
    for (path, title, content) in [
        ("kiosk/frames", "Frames", "A frame is ready within three days. You collect it at the counter."),
        ("kiosk/refunds", "Refunds", "We pay a refund to your card within five days."),
        ("kiosk/lenses", "Lenses", "Lenses are cleaned with warm water and soap."),
    ] {
        trainer.wiki_entry(path, title, content).await;
    }
}

#[tokio::test]
async fn a_tenants_own_word_finds_what_the_wiki_calls_otherwise_in_its_mode_alone() {
    let service = TestService::start().await;
    fill(&service).await;
    let (admin, caller) = (service.admin(), service.integration());
    for question in ["When is my zonk ready?", "When are the spec bows ready?"] {
        let before = told(&caller, question).await;
        let synonyms = json!([["frame", "zonk", "spec bows"], ["lens", "glazing"]]);
        admin.patch("/settings", json!({"synonyms": synonyms})).await.expect(200);
        assert_eq!(service.test_admin().get("/settings").await.json["synonyms"], json!([]));
        let after = told(&caller, question).await;
        assert_eq!(found(&after), ("answered", "kiosk/frames"), "{after}");
        assert!(after["confidence"].as_f64().unwrap() > before["confidence"].as_f64().unwrap(), "{before} {after}");
        admin.patch("/settings", json!({"synonyms": null})).await.expect(200);
        assert_eq!(told(&caller, question).await["confidence"], before["confidence"]);
    }
}

#[tokio::test]
async fn everyday_synonyms_are_known_and_count_less_than_the_word_itself() {
    let service = TestService::start().await;
    fill(&service).await;
    let caller = service.integration();
    let itself = told(&caller, "When do I get a refund?").await;
    let other = told(&caller, "When do I get my money back?").await;
    assert_eq!(found(&itself), ("answered", "kiosk/refunds"));
    assert_eq!(found(&other).1, "kiosk/refunds", "{other}");
    assert!(other["confidence"].as_f64().unwrap() < itself["confidence"].as_f64().unwrap(), "{itself} {other}");
}

#[tokio::test]
async fn a_synonym_is_no_answer_to_a_question_about_something_else() {
    let service = TestService::start().await;
    service.trainer().wiki_entry("app/mobile", "Mobile app", "The mobile app shows your bookings and tickets.").await;
    let told = told(&service.integration(), "Is there phone support for insurance claims?").await;
    assert_eq!(found(&told).0, "no_answer", "{told}");
}
