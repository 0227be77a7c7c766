//! Both indexes lead to the same confidence, so that a threshold means the same on a laptop and on AWS.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use answer::embedding::{Embedder, EmbeddingError, EmbeddingModel, EmbeddingSettings, TextKind, passage_text};
use answer::search::{CandidateIndex, EntryFilter, EntryQuery, IndexedEntry, PassageVectors, VisibilityFilter};
use answer::{AnswerEngine, Question};
use async_trait::async_trait;
use domain::clock::Runtime;
use domain::models::{Language, Scope, Visibility};
use serde_json::Value;

use super::corpus::{indexed, reference_wiki};
use super::{Adapter, listed, listing, new_scope};

/// How far apart the confidences of one question may be by words: nothing but rounding. OpenSearch finds the nearest
/// vectors by approximation.
const BY_WORDS: f64 = 1e-6;
const BY_VECTORS: f64 = 0.02;

/// How long an index may take until it corrects typos within the time that a customer waits for that.
const CORRECTIONS: Duration = Duration::from_secs(60);

/// How many questions are asked.
const QUESTIONS: usize = 200;

/// The entries of the demo and of the reference figures, every other one public.
fn wiki() -> Vec<IndexedEntry> {
    let mut entries: Vec<IndexedEntry> =
        demo().iter().map(|entry| indexed(text(entry, "path"), text(entry, "title"), text(entry, "content"))).collect();
    entries.extend(reference_wiki());
    for entry in entries.iter_mut().step_by(2) {
        entry.entry.visibility = Visibility::Public;
    }
    entries
}

fn demo() -> Vec<Value> {
    serde_json::from_str(include_str!("../../../infra/local/demo/entries.json")).unwrap()
}

fn text<'a>(entry: &'a Value, field: &str) -> &'a str {
    entry[field].as_str().unwrap()
}

/// Questions made of the demo's own sentences: their words, in parts, misspelt, and beside words that no entry has.
fn questions() -> Vec<String> {
    let entries = demo();
    let sentences: Vec<&str> =
        entries.iter().flat_map(|entry| text(entry, "content").split(['.', '\n', ';'])).collect();
    let mut questions = Vec::new();
    for (at, sentence) in sentences.iter().enumerate() {
        let words: Vec<&str> = sentence.split(' ').filter(|word| word.len() > 3 && word.is_ascii()).collect();
        let [first, second, third, ..] = words[..] else { continue };
        let last = words[words.len() - 1];
        let misspelt = format!("{}x{}", &last[..2], &last[2..]);
        questions.extend([
            format!("What about {first} {second}?"),
            format!("How do I {second} the {third} {last}"),
            format!("{last} {misspelt} {first}"),
            format!("Is the {third} of the walrus {last}?"),
            format!("{} {}", text(&entries[at % entries.len()], "title"), third),
            format!("Does a submarine {second} on Sundays"),
            format!("When {first} the {last}?"),
        ]);
    }
    questions.truncate(QUESTIONS);
    questions
}

/// A model whose vectors are the letters' pairs of a text: texts with similar words are near each other.
#[derive(Debug)]
pub(super) struct LetterPairs;

#[async_trait]
impl EmbeddingModel for LetterPairs {
    fn id(&self) -> &str {
        "letter-pairs"
    }

    fn batch(&self) -> usize {
        1_000
    }

    async fn embed(&self, _: TextKind, texts: &[String], _: Duration) -> Result<Vec<Vec<f32>>, EmbeddingError> {
        let vector = |text: &String| {
            let mut vector = vec![0.01; 64];
            for pair in text.to_lowercase().as_bytes().windows(2) {
                vector[(usize::from(pair[0]) * 31 + usize::from(pair[1])) % 64] += 1.0;
            }
            vector
        };
        Ok(texts.iter().map(vector).collect())
    }
}

pub(super) async fn embedded(embedder: &Embedder, entry: IndexedEntry) -> IndexedEntry {
    let texts: Vec<String> = entry.passages.iter().map(|p| passage_text(&entry.entry.title, &p.text)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let embeddings = embedder.passages(&texts, Duration::from_secs(5)).await.unwrap();
    let space = embedder.space_of(embeddings[0].dimensions());
    let vectors = Some(PassageVectors { space, embeddings: embeddings.into_iter().map(Some).collect() });
    IndexedEntry { vectors, ..entry }
}

/// An engine over the wiki in an index.
async fn engine_on(on: &Adapter, embedder: Option<&Embedder>) -> (AnswerEngine, Scope) {
    let scope = new_scope();
    let mut entries = wiki();
    if let Some(embedder) = embedder {
        entries = futures::future::join_all(entries.into_iter().map(|entry| embedded(embedder, entry))).await;
    }
    on.put_all(&scope, &entries).await;
    let index: Arc<dyn CandidateIndex> = on.index.clone();
    let runtime = Runtime::system();
    (AnswerEngine { index, model: None, embedder: embedder.cloned(), runtime, model_timeout_ms: 0 }, scope)
}

/// The nearest entry and the confidence of one question.
pub(super) async fn confidence(
    engine: &AnswerEngine,
    scope: &Scope,
    text: &str,
    sees: VisibilityFilter,
) -> (String, f64) {
    let question = Question {
        scope,
        text,
        history: &[],
        language: Language::English,
        synonyms: &[],
        visibility: sees,
        threshold: 0.4,
        handover_note: None,
        deadline: engine.runtime.now().plus_millis(600_000),
    };
    let found = engine.retrieve(&question).await;
    let answered = engine.answer_from(&question, found).await;
    assert!(answered.failure.is_none(), "{text}: {:?}", answered.failure);
    let nearest = answered.sources.first().map(|source| source.path.to_string());
    (nearest.unwrap_or_default(), answered.confidence)
}

async fn assert_agreement(embedder: Option<&Embedder>, sees: VisibilityFilter, tolerance: f64) {
    let Some(opensearch) = Adapter::opensearch() else { return };
    let asked = questions();
    assert_eq!(asked.len(), QUESTIONS);
    let (ours, our_scope) = engine_on(&Adapter::embedded(), embedder).await;
    let (theirs, their_scope) = engine_on(&opensearch, embedder).await;
    let (mut differences, mut sure) = (String::new(), 0);
    for question in &asked {
        let begun = std::time::Instant::now();
        // A customer does not wait for the correction of typos; a busy machine takes longer than they do.
        let (embedded, real) = loop {
            let embedded = confidence(&ours, &our_scope, question, sees).await;
            let real = confidence(&theirs, &their_scope, question, sees).await;
            if (embedded.1 - real.1).abs() <= tolerance || begun.elapsed() > CORRECTIONS {
                break (embedded, real);
            }
        };
        if (embedded.1 - real.1).abs() > tolerance {
            writeln!(differences, "{question}: embedded {embedded:?}, OpenSearch {real:?}").unwrap();
        }
        sure += usize::from(embedded.1 >= 0.4);
    }
    assert_eq!(differences, "");
    assert!((40..180).contains(&sure), "{sure} of the questions are answered: they no longer tell the indexes apart");
}

#[tokio::test]
async fn two_hundred_questions_have_the_same_confidence_by_words() {
    assert_agreement(None, VisibilityFilter::All, BY_WORDS).await;
}

#[tokio::test]
async fn two_hundred_questions_have_the_same_confidence_where_only_public_entries_count() {
    assert_agreement(None, VisibilityFilter::Only(Visibility::Public), BY_WORDS).await;
}

#[tokio::test]
async fn two_hundred_lists_have_the_same_hits_and_scores() {
    let Some(opensearch) = Adapter::opensearch() else { return };
    let (embedded, scope) = (Adapter::embedded(), new_scope());
    opensearch.put_all(&scope, &wiki()).await;
    embedded.put_all(&scope, &wiki()).await;
    for visibility in [VisibilityFilter::All, VisibilityFilter::Only(Visibility::Public)] {
        for question in questions() {
            let filter = EntryFilter { visibility, tag: None, path_prefix: None };
            let query = EntryQuery { filter, ..listing(&question) };
            let (ours, theirs) = (embedded.list(&scope, &query).await, opensearch.list(&scope, &query).await);
            assert_eq!(listed(&ours), listed(&theirs), "{question}");
            for (ours, theirs) in ours.items.iter().zip(&theirs.items) {
                assert!((ours.score / theirs.score - 1.0).abs() < 1e-6, "{question}: {} {}", ours.score, theirs.score);
            }
        }
    }
}

#[tokio::test]
async fn two_hundred_questions_have_the_same_confidence_by_words_and_vectors() {
    let embedder = Embedder::new(Arc::new(LetterPairs), EmbeddingSettings::default_for(""));
    assert_agreement(Some(&embedder), VisibilityFilter::All, BY_VECTORS).await;
}
