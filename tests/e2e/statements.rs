//! Statements and complaints: they ask the wiki, and are no small talk.

use serde_json::{Value, json};

use crate::support::{Actor, TestService};

/// Texts of customers in six languages that are neither questions nor small talk by their form.
const STATEMENTS: &[&str] = &[
    "Too small",
    "too late",
    "Not working",
    "It stopped",
    "The problem is back",
    "Das Problem ist wieder da",
    "Geht nicht",
    "O problema voltou",
    "Não funciona",
    "No funciona",
    "Ça ne marche pas",
    "It leaks again",
    "Where do I write to?",
    "また壊れた",
    "钥匙丢了",
    "不能用",
    "ログイン",
    "also in may?",
];

async fn with_refunds() -> TestService {
    let service = TestService::start().await;
    service.trainer().wiki_entry("help/refunds", "Refunds", "A refund takes five working days after approval.").await;
    service
}

async fn says(caller: &Actor, session: &str, words: &str) -> Value {
    caller.ask(session, words).await.expect(200).clone()
}

#[tokio::test]
async fn a_statement_without_an_answer_is_a_gap_and_offers_a_human_at_once() {
    let service = TestService::start().await;
    let gifts = "Gift cards are sent by post in a blue envelope.";
    service.trainer().wiki_entry("help/gifts", "Gift cards", gifts).await;
    let caller = service.integration();
    for words in STATEMENTS {
        let body = says(&caller, &caller.session().await, words).await;
        assert_eq!((&body["disposition"], &body["unanswered"]), (&json!("no_answer"), &json!(true)), "{words}: {body}");
    }
    let session = caller.session().await;
    let offer = says(&caller, &session, "It leaks again").await;
    assert!(offer["answer"].as_str().unwrap().contains("Would you like to talk to a person?"), "{offer}");
    assert_eq!(says(&caller, &session, "Not working").await["disposition"], "escalated", "two misses in a row");
    service.drain().await;
    let gaps = service.admin().get("/analytics/kb-gaps?limit=100").await.expect(200).clone();
    assert_eq!(gaps["total"], STATEMENTS.len(), "{gaps}");
}

#[tokio::test]
async fn a_statement_that_the_wiki_answers_gets_the_answer() {
    let service = with_refunds().await;
    let trainer = service.trainer();
    for (path, title, content) in [
        ("shoes/small", "Shoes that are too small", "Shoes that are too small are exchanged within thirty days."),
        ("taps/leak", "The tap leaks", "If the tap leaks again, tighten the ring under it by hand."),
        ("radio/off", "The radio is not working", "If the radio is not working, press the red button for ten seconds."),
    ] {
        trainer.wiki_entry(path, title, content).await;
    }
    let caller = service.integration();
    for (words, path) in [("Too small", "shoes/small"), ("It leaks again", "taps/leak"), ("Not working", "radio/off")] {
        let body = says(&caller, &caller.session().await, words).await;
        assert_eq!((&body["disposition"], &body["sources"][0]["path"]), (&json!("answered"), &json!(path)), "{words}");
    }
}

#[tokio::test]
async fn an_answer_that_did_not_work_is_not_given_again_and_offers_a_human() {
    let service = with_refunds().await;
    let caller = service.integration();
    for words in ["it didn't work", "still not working", "Das geht nicht", "no funciona", "ça ne marche pas"] {
        let session = caller.session().await;
        assert_eq!(says(&caller, &session, "How long does a refund take?").await["disposition"], "answered");
        let offer = says(&caller, &session, words).await;
        assert_eq!(
            (&offer["disposition"], &offer["unanswered"]),
            (&json!("no_answer"), &json!(true)),
            "{words}: {offer}"
        );
        assert_eq!(says(&caller, &session, "ok").await["disposition"], "escalated", "{words}: a human was offered");
    }
    // Nor is an earlier one: this is the second miss in a row.
    let session = caller.session().await;
    for (words, disposition) in [
        ("How long does a refund take?", "answered"),
        ("Which planet is the largest?", "no_answer"),
        ("still not working", "escalated"),
    ] {
        assert_eq!(says(&caller, &session, words).await["disposition"], disposition, "{words}");
    }
}
