//! An overlay predicts the results of the index after the changes are published, on both indexes.

use std::fmt::Write as _;
use std::sync::Arc;

use answer::AnswerEngine;
use answer::embedding::{Embedder, EmbeddingSettings};
use answer::search::{CandidateIndex, IndexedEntry, OverlayIndex, VisibilityFilter};
use domain::clock::Runtime;
use domain::models::{Scope, WikiEntry};
use serde_json::Value;

use super::agreement::{LetterPairs, confidence, embedded};
use super::corpus::indexed;
use super::{Adapter, new_scope};
use crate::support::scale;

/// Nothing but rounding.
const SAME: f64 = 1e-6;
/// How many entries are taken away and restored.
const ENTRIES: usize = 20;

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The entries of a wiki that was written for this project.
async fn wiki(embedder: Option<&Embedder>) -> Vec<IndexedEntry> {
    let text = |entry: &Value, field: &str| entry[field].as_str().unwrap().to_owned();
    let mut entries = Vec::new();
    for entry in lines(include_str!("../../fixtures/chats/coworking/entries.jsonl")) {
        let entry = indexed(&text(&entry, "path"), &text(&entry, "title"), &text(&entry, "content"));
        entries.push(match embedder {
            Some(embedder) => embedded(embedder, entry).await,
            None => entry,
        });
    }
    entries
}

/// The first questions of chats about it.
fn questions() -> Vec<String> {
    let chats = lines(include_str!("../../fixtures/chats/coworking/chats.jsonl"));
    chats.iter().map(|chat| chat["turns"][0]["say"].as_str().unwrap().to_owned()).collect()
}

/// The outcome of a question: the first source, the confidence, and whether that is an answer.
type Outcome = (String, f64, bool);

async fn outcome(engine: &AnswerEngine, scope: &Scope, question: &str) -> Outcome {
    let (first, confidence) = confidence(engine, scope, question, VisibilityFilter::All).await;
    (first, confidence, confidence >= 0.4)
}

/// The engine as if the entry at the path of `old` were gone, or `new` in its place.
fn predicting(engine: &AnswerEngine, scope: &Scope, old: &IndexedEntry, new: Option<IndexedEntry>) -> AnswerEngine {
    let gone = [old.entry.path.clone()];
    let overlay = OverlayIndex::new(engine.index.as_ref(), scope.clone(), &gone, new.into_iter().collect());
    AnswerEngine { index: Arc::new(overlay), ..engine.clone() }
}

/// Every `step`-th question, from another one for each entry.
fn some(questions: &[String], at: usize, step: usize) -> impl Iterator<Item = &String> {
    questions.iter().skip(at % step).step_by(step)
}

/// Takes entries away one by one and restores them, and compares what an overlay predicted with what is measured; at most
/// `allowed` in a hundred questions may differ. Every `step`-th question is asked, all in a soak test.
async fn assert_predictions(on: &Adapter, embedder: Option<&Embedder>, step: usize, allowed: usize) {
    let step = if scale::operations().is_some() { 1 } else { step };
    let (scope, entries, asked) = (new_scope(), wiki(embedder).await, questions());
    on.put_all(&scope, &entries).await;
    let index: Arc<dyn CandidateIndex> = on.index.clone();
    let runtime = Runtime::system();
    let engine = AnswerEngine { index, model: None, embedder: embedder.cloned(), runtime, model_timeout_ms: 0 };
    let (mut differences, mut compared, mut changed) = (String::new(), 0, 0);
    let mut count = 0;
    for (at, entry) in entries.into_iter().take(ENTRIES).enumerate() {
        let restored = WikiEntry { version: 3, ..entry.entry.clone() };
        let restored = IndexedEntry { entry: restored, ..entry.clone() };
        let mut predicted = Vec::new();
        for question in some(&asked, at, step) {
            let whole = outcome(&engine, &scope, question).await;
            let without = outcome(&predicting(&engine, &scope, &entry, None), &scope, question).await;
            changed += usize::from(whole.0 != without.0);
            predicted.push((question, whole, without));
        }
        on.delete(&scope, entry.entry.path.as_str(), 2).await;
        on.settle().await;
        let restoring = predicting(&engine, &scope, &entry, Some(restored.clone()));
        for (question, whole, without) in predicted {
            let measured = outcome(&engine, &scope, question).await;
            let again = outcome(&restoring, &scope, question).await;
            for (what, predicted, measured) in [("without", &without, &measured), ("restored", &again, &whole)] {
                compared += 1;
                if (&predicted.0, predicted.2) != (&measured.0, measured.2) || (predicted.1 - measured.1).abs() > SAME {
                    count += 1;
                    writeln!(differences, "{what} {}: {question}: {predicted:?}, not {measured:?}", entry.entry.path)
                        .unwrap();
                }
            }
        }
        on.put_all(&scope, &[restored]).await;
    }
    assert!(changed * 200 > compared, "{changed} of {compared}: the entries hardly matter");
    assert!(count * 100 <= allowed * compared, "{count} of {compared}:\n{differences}");
}

fn letter_pairs() -> Embedder {
    Embedder::new(Arc::new(LetterPairs), EmbeddingSettings::default_for(""))
}

#[tokio::test]
async fn predictions_of_entries_that_go_and_come_back_come_true() {
    assert_predictions(&Adapter::embedded(), None, 8, 0).await;
}

#[tokio::test]
async fn predictions_by_vectors_come_true_for_99_of_100_questions() {
    assert_predictions(&Adapter::embedded(), Some(&letter_pairs()), 16, 1).await;
}

#[tokio::test]
async fn predictions_over_opensearch_come_true() {
    let Some(opensearch) = Adapter::opensearch() else { return };
    assert_predictions(&opensearch, None, 24, 0).await;
}

#[tokio::test]
async fn predictions_by_vectors_over_opensearch_come_true_for_97_of_100_questions() {
    let Some(opensearch) = Adapter::opensearch() else { return };
    assert_predictions(&opensearch, Some(&letter_pairs()), 24, 3).await;
}
