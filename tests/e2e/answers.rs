//! What an answer says of itself: what it was made from, and that a machine gives it.

use serde_json::{Value, json};

use crate::support::TestService;

const QUESTION: &str = "How long does a refund take?";

async fn with_refunds() -> TestService {
    let service = TestService::start().await;
    service.trainer().wiki_entry("help/refunds", "Refunds", "A refund takes five working days after approval.").await;
    service
}

#[tokio::test]
async fn the_source_that_an_answer_was_made_from_is_marked_and_of_a_miss_none() {
    let service = with_refunds().await;
    service.trainer().wiki_entry("help/returns", "Returns", "A return before approval takes a parcel and a label.").await;
    let session = service.integration().session().await;
    let used = |sources: &Value| sources.as_array().unwrap().iter().map(|s| s["used"].clone()).collect::<Vec<_>>();
    let answered = service.integration().ask(&session, QUESTION).await;
    assert_eq!(used(answered.at("sources")), [json!(true), json!(false)], "{:?}", answered.text);
    let turns = service.integration().turns(&session).await;
    assert_eq!(&turns[1]["sources"], answered.at("sources"));
    let missed = service.integration().ask(&session, "Do you sell kubernetes approval operators?").await;
    assert_eq!(missed.at("disposition"), &json!("no_answer"));
    assert!(!missed.at("sources").as_array().unwrap().is_empty());
    assert!(used(missed.at("sources")).iter().all(|used| *used == json!(false)), "{:?}", missed.text);
}

#[tokio::test]
async fn the_first_answer_of_a_session_says_that_an_automatic_assistant_answers() {
    let service = with_refunds().await;
    let caller = service.integration();
    let session = caller.session_with(json!({"locale": "de"})).await;
    let path = format!("/sessions/{session}/messages");
    let message = json!({"content": "Hallo!", "clientMessageId": "m1"});
    let first = caller.post(&path, message.clone()).await;
    let notice = "Sie schreiben mit einem automatischen Assistenten.";
    assert_eq!(first.at("notice"), notice);
    assert_eq!(caller.post(&path, message).await.at("notice"), notice, "the repeated message has the first result");
    assert!(caller.ask(&session, QUESTION).await.at("notice").is_null());
    let turns = caller.turns(&session).await;
    let notices: Vec<&Value> = turns.iter().map(|turn| &turn["notice"]).collect();
    assert_eq!(notices, [&Value::Null, &json!(notice), &Value::Null, &Value::Null]);
    assert!(!first.text_at("answer").contains("automatisch"), "it is not part of the answer");
}
