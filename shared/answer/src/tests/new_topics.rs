//! Earlier questions decide what a follow-up means, but not whether a new question has an answer.

use std::time::Duration;

use super::follow_ups::{ask_after, asked};
use super::*;
use crate::embedding::EmbeddingSettings;
use crate::embedding::{Embedder, EmbeddingError, EmbeddingModel, TextKind, passage_text};
use crate::search::PassageVectors;
use domain::models::{Turn, TurnRole};

const MAX_ENTRIES: [(&str, &str, &str); 6] = [
    ("billing/refunds", "Refunds", "A refund takes five days. We pay it back to the card that you paid with."),
    ("billing/links", "Payment links", "Clients pay online by a payment link. One link takes 8,000 euros at most."),
    ("billing/retries", "Failed payments", "We try a failed payment again after two days. After that we call you."),
    ("account/login", "Password", "Choose a new password under Settings. The link is valid for an hour."),
    ("plans/seats", "Extra seats", "Add extra seats to your team under Settings. A seat is 4 euros a month."),
    ("parcels/abroad", "Parcels abroad", "Parcels to Norway take nine days."),
];

/// Words that mean the same to [`MeaningModel`].
const MEANINGS: [&[&str]; 6] = [
    &["refund", "money back"],
    &["payment", "pay "],
    &["fail", "try"],
    &["password", "login"],
    &["seat", "team"],
    &["parcel"],
];

/// An embedding model that knows some meanings.
#[derive(Debug)]
struct MeaningModel;

#[async_trait]
impl EmbeddingModel for MeaningModel {
    fn id(&self) -> &str {
        "meanings"
    }

    fn batch(&self) -> usize {
        100
    }

    async fn embed(&self, _: TextKind, texts: &[String], _: Duration) -> Result<Vec<Vec<f32>>, EmbeddingError> {
        let meant = |text: &str, words: &[&str]| f32::from(u8::from(words.iter().any(|word| text.contains(word))));
        let vector = |text: &String| {
            let text = text.to_lowercase();
            std::iter::once(1.0).chain(MEANINGS.iter().map(|words| meant(&text, words))).collect()
        };
        Ok(texts.iter().map(vector).collect())
    }
}

fn embedder() -> Embedder {
    Embedder::new(Arc::new(MeaningModel), EmbeddingSettings::default_for(""))
}

/// The index with the vectors of all entries but those of `without`.
async fn index(embedder: &Embedder, without: &[&str]) -> Arc<MemoryIndex> {
    let index = MemoryIndex::default();
    for (path, title, content) in MAX_ENTRIES {
        let mut entry =
            IndexedEntry::new(&Analyzer::new(Language::English), &entry(path, title, content, Visibility::Public));
        if !without.contains(&path) {
            let texts: Vec<String> = entry.passages.iter().map(|p| passage_text(title, &p.text)).collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let embeddings = embedder.passages(&texts, Duration::from_secs(1)).await.unwrap();
            let space = embedder.space_of(embeddings[0].dimensions());
            let embeddings = embeddings.into_iter().map(Some).collect();
            entry.vectors = Some(PassageVectors { space, embeddings });
        }
        index.put(&scope(), &entry);
    }
    Arc::new(index)
}

/// The service without and with an embedding model.
async fn services() -> [AnswerEngine; 2] {
    let embedder = embedder();
    let index = index(&embedder, &[]).await;
    let with_vectors = AnswerEngine { embedder: Some(embedder), ..engine(index.clone(), None) };
    [engine(index, None), with_vectors]
}

/// Asks a question that is answered, and gives what was said.
async fn answered_first(engine: &AnswerEngine, question: &str, path: &str) -> Vec<Turn> {
    let answered = ask(engine, question, PUBLIC).await;
    assert_eq!(answered.disposition, Disposition::Answered, "{question}: {}", answered.confidence);
    assert_eq!(paths(&answered).first(), Some(&path), "{question}");
    asked(question, path)
}

/// A question that got no answer.
fn asked_in_vain(question: &str) -> Vec<Turn> {
    let mut turns = asked(question, "no/entry");
    turns.retain(|turn| turn.role() == TurnRole::Customer);
    turns
}

#[tokio::test]
async fn a_new_question_of_unknown_words_gets_no_confidence_from_what_was_answered_before() {
    for engine in services().await {
        let with_vectors = engine.embedder.is_some();
        let history = answered_first(&engine, "How long does a refund take?", "billing/refunds").await;
        for text in [
            "do you have parking?",
            "where does the zebra sleep?",
            "is there a sauna?",
            "Do you sell kubernetes operators?",
            "and what about giraffes?",
        ] {
            let answered = ask_after(&engine, &history, text, PUBLIC).await;
            assert!(answered.confidence < 0.35, "{text} with vectors {with_vectors}: {}", answered.confidence);
            assert_eq!(answered.disposition, Disposition::NoAnswer, "{text}");
        }
    }
}

#[tokio::test]
async fn two_answers_before_do_not_make_a_new_question_surer() {
    for engine in services().await {
        let mut history = answered_first(&engine, "How long does a refund take?", "billing/refunds").await;
        history.extend(answered_first(&engine, "Which card is a refund paid back to?", "billing/refunds").await);
        for text in ["do you have parking?", "where does the zebra sleep?"] {
            let answered = ask_after(&engine, &history, text, PUBLIC).await;
            assert!(answered.confidence < 0.35, "{text}: {}", answered.confidence);
        }
    }
}

#[tokio::test]
async fn a_question_about_another_entry_is_answered_from_it() {
    for engine in services().await {
        let with_vectors = engine.embedder.is_some();
        let history = answered_first(&engine, "How long does a refund take?", "billing/refunds").await;
        for (text, path) in [
            ("how long is the link for a password valid?", "account/login"),
            ("how long does a parcel to Norway take?", "parcels/abroad"),
            ("how much is an extra seat?", "plans/seats"),
            ("and extra seats?", "plans/seats"),
        ] {
            let answered = ask_after(&engine, &history, text, PUBLIC).await;
            assert_eq!(paths(&answered).first(), Some(&path), "{text} with vectors {with_vectors}: {answered:?}");
            assert_eq!(answered.disposition, Disposition::Answered, "{text}: {}", answered.confidence);
            let likeliest = answered.sources.iter().map(|source| source.confidence).fold(0.0, f64::max);
            assert!((answered.confidence - likeliest).abs() < 1e-9, "{text}: the answer's confidence is its source's");
        }
    }
}

#[tokio::test]
async fn a_follow_up_that_names_no_topic_is_about_what_was_asked_before() {
    for (question, path, follow_ups) in [
        ("can my clients pay online with a link?", "billing/links", ["what is the maximum", "how much?"]),
        ("do you try a failed payment again?", "billing/retries", ["and if it still doesn't work?", "and after that?"]),
        ("can i add extra seats to my team?", "plans/seats", ["how much?", "how many at most?"]),
    ] {
        for engine in services().await {
            let history = answered_first(&engine, question, path).await;
            for text in follow_ups {
                let answered = ask_after(&engine, &history, text, PUBLIC).await;
                assert_eq!(paths(&answered).first(), Some(&path), "{text}");
                assert_eq!(answered.disposition, Disposition::Answered, "{text}: {}", answered.confidence);
            }
        }
    }
}

#[tokio::test]
async fn the_vector_of_a_follow_up_means_what_was_asked_before_in_other_words() {
    let [by_words, with_vectors] = services().await;
    let history = asked_in_vain("I lost my login");
    assert!(paths(&ask_after(&by_words, &history, "how long?", PUBLIC).await).is_empty());
    let answered = ask_after(&with_vectors, &history, "how long?", PUBLIC).await;
    assert_eq!(paths(&answered).first(), Some(&"account/login"), "{answered:?}");
    let answered = ask_after(&with_vectors, &history, "Is my parcel late?", PUBLIC).await;
    assert_eq!(paths(&answered).first(), Some(&"parcels/abroad"), "{answered:?}");
}

#[tokio::test]
async fn an_entry_without_vectors_answers_as_if_there_were_no_model() {
    let embedder = embedder();
    let question = "How long does a refund take?";
    let by_words = ask(&engine(index(&embedder, &[]).await, None), question, PUBLIC).await;
    let edited = index(&embedder, &["billing/refunds"]).await;
    let mixed = ask(&AnswerEngine { embedder: Some(embedder), ..engine(edited, None) }, question, PUBLIC).await;
    assert_eq!(paths(&mixed).first(), Some(&"billing/refunds"));
    assert_eq!((&mixed.text, mixed.disposition), (&by_words.text, by_words.disposition));
    // The entries that it is compared with have vectors.
    assert!((mixed.confidence - by_words.confidence).abs() < 0.1, "{} {}", mixed.confidence, by_words.confidence);
}

#[tokio::test]
async fn an_entry_without_vectors_stays_behind_one_that_is_likelier_by_both() {
    let embedder = embedder();
    let edited = index(&embedder, &["parcels/abroad"]).await;
    let engine = AnswerEngine { embedder: Some(embedder), ..engine(edited, None) };
    let answered = ask(&engine, "within how many days can i get my money back abroad", PUBLIC).await;
    assert_eq!(paths(&answered).first(), Some(&"billing/refunds"), "{answered:?}");
}
