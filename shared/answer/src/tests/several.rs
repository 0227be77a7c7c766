//! Messages that ask several things.

use super::follow_ups::{ask_after, asked};
use super::*;
use std::sync::Mutex;

const PAIR: &str = "How many days does a refund take, and when do parcels arrive?";

#[tokio::test]
async fn each_question_is_answered_from_its_own_entry() {
    let engine = engine(wiki().await, None);
    let answered = ask(&engine, PAIR, PUBLIC).await;
    assert_eq!(answered.text, "We pay refunds back to your card within five days.\n\nParcels arrive in two days.");
    assert_eq!(paths(&answered), ["billing/refunds", "shipping/times"]);
    assert!(answered.sources.iter().all(|source| source.used));
    let least = answered.sources.iter().map(|source| source.confidence).fold(1.0, f64::min);
    assert!((answered.confidence - least).abs() < 1e-9 && answered.confidence >= 0.4, "{answered:?}");
    assert_eq!((answered.disposition, answered.unanswered), (Disposition::Answered, false));
    assert!(answered.missing.is_empty() && answered.left_out.is_empty());
}

#[tokio::test]
async fn the_question_without_an_answer_is_named_beside_the_one_that_has_one() {
    let engine = engine(wiki().await, None);
    let answered = ask(&engine, "When do parcels arrive? Do you sell kubernetes operators?", PUBLIC).await;
    assert_eq!(answered.text, "Parcels arrive in two days.");
    assert_eq!(answered.missing, ["Do you sell kubernetes operators?"]);
    assert_eq!((answered.disposition, answered.unanswered), (Disposition::Answered, true));
    assert_eq!(paths(&answered).first(), Some(&"shipping/times"));
    assert!(answered.confidence >= 0.4);
    let none = ask(&engine, "Do you sell giraffes? Do you sell kubernetes operators?", PUBLIC).await;
    assert_eq!((none.disposition, none.missing.len()), (Disposition::NoAnswer, 2));
    assert!(none.sources.iter().all(|source| !source.used) && none.confidence < 0.4);
}

#[tokio::test]
async fn a_fourth_question_is_left_out() {
    let engine = engine(wiki().await, None);
    let text = format!("{PAIR} Do you sell giraffes? What are refunds? Is there a zebra?");
    let answered = ask(&engine, &text, PUBLIC).await;
    assert_eq!(answered.missing, ["Do you sell giraffes?"]);
    assert_eq!(answered.left_out, ["What are refunds?", "Is there a zebra?"]);
}

#[tokio::test]
async fn questions_of_one_entry_are_one_question() {
    let engine = engine(wiki().await, None);
    let answered = ask(&engine, "How are refunds paid? Do refunds go to a card?", PUBLIC).await;
    assert_eq!(answered.text, "We pay refunds back to your card within five days.");
    assert!(answered.missing.is_empty());
}

#[tokio::test]
async fn after_earlier_questions_a_part_without_an_answer_belongs_to_the_message() {
    let engine = engine(wiki().await, None);
    let text = "How many days do we wait until refunds are back on the card? Is a giraffe insured?";
    assert_eq!(ask(&engine, text, PUBLIC).await.missing, ["Is a giraffe insured?"]);
    let history = asked("When do you pay refunds back to a card?", "billing/refunds");
    let answered = ask_after(&engine, &history, text, PUBLIC).await;
    assert_eq!((answered.disposition, answered.missing.len()), (Disposition::Answered, 0), "{answered:?}");
}

#[tokio::test]
async fn a_pronoun_of_a_later_question_stands_for_the_topic_of_its_message() {
    let index = MemoryIndex::default();
    for (word, weight, day) in [("walrus", "900", "Monday"), ("giraffe", "800", "Friday")] {
        let content =
            format!("The {word} has a weight of {weight} kilos. The stable is cleaned on {day} by the keepers.");
        index.write(&format!("zoo/{word}"), &format!("The {word}"), &content, Visibility::Public);
    }
    let history = asked("What is the weight of the giraffe?", "zoo/giraffe");
    let text = "What is the weight of the walrus? On which day do the keepers clean its stable?";
    let answered = ask_after(&engine(Arc::new(index), None), &history, text, PUBLIC).await;
    assert_eq!(paths(&answered).first(), Some(&"zoo/walrus"), "{answered:?}");
    assert!(answered.text.contains("Monday") && !answered.text.contains("Friday"), "{}", answered.text);
}

#[tokio::test]
async fn the_answers_to_several_questions_have_140_words_together() {
    let index = MemoryIndex::default();
    let filler = |word: &str| format!("The {word} is kept in a box that has a lid and a lock. ").repeat(12);
    for word in ["walrus", "giraffe", "zebra"] {
        let content = format!("{}A {word} eats ten kilos of food. {}", filler(word), filler(word));
        index.write(&format!("zoo/{word}"), &format!("The {word}"), &content, Visibility::Public);
    }
    let engine = engine(Arc::new(index), None);
    let text = "How much food does a walrus eat? How much food does a giraffe eat? How much food does a zebra eat?";
    let answered = ask(&engine, text, PUBLIC).await;
    assert!(text::word_count(&answered.text) <= 140, "{}", answered.text);
    for word in ["walrus", "giraffe", "zebra"] {
        assert!(answered.text.contains(&format!("A {word} eats ten kilos of food.")), "{}", answered.text);
    }
}

/// Keeps the requests.
#[derive(Debug, Default)]
struct Recorder(Mutex<Vec<String>>);

#[async_trait]
impl LanguageModel for Recorder {
    fn name(&self) -> &str {
        "recorder"
    }

    async fn complete(&self, request: &ModelRequest) -> Result<String, ModelError> {
        self.0.lock().unwrap().push(request.user.clone());
        Ok(r#"{"answer": "We pay the refund back to your card within five days. The parcel arrives in two days.", "sources": [1, 2], "answerable": true}"#
            .to_owned())
    }
}

#[tokio::test]
async fn a_model_is_asked_once_over_the_passages_of_all_questions() {
    let model = Arc::new(Recorder::default());
    let engine = engine(wiki().await, Some(model.clone()));
    let answered = ask(&engine, PAIR, PUBLIC).await;
    assert_eq!(answered.text, "We pay the refund back to your card within five days. The parcel arrives in two days.");
    let asked = model.0.lock().unwrap();
    assert_eq!(asked.len(), 1);
    for part in [PAIR, "within five days", "arrive in two days"] {
        assert!(asked[0].contains(part), "{}", asked[0]);
    }
}

#[tokio::test]
async fn an_answer_from_an_entry_near_to_an_unsure_question_alone_is_replaced_by_a_quotation() {
    let engine = engine(wiki().await, Some(Arc::new(Recorder::default())));
    let answered = ask(&engine, "When do parcels arrive? Does a card give me kubernetes operators?", PUBLIC).await;
    assert_eq!(answered.text, "Parcels arrive in two days.", "{answered:?}");
    assert_eq!(answered.missing, ["Does a card give me kubernetes operators?"]);
}
