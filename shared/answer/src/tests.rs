//! The engine over the in-memory index, with models and indexes that fail in every way.

mod follow_ups;
mod readings;
mod words;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;

use super::model::{LanguageModel, ModelError, ModelRequest};
use super::*;
use crate::search::memory::{MemoryIndex, entry, retrieved, scope};
use crate::search::{CandidateIndex, IndexedEntry, Lookup, NearWords, Retrieval, VisibilityFilter};
use domain::clock::Runtime;
use domain::models::{Disposition, Language, Scope, Timestamp, Visibility, WikiPath};
use text::Analyzer;

fn engine(index: Arc<dyn CandidateIndex>, model: Option<Arc<dyn LanguageModel>>) -> AnswerEngine {
    AnswerEngine { index, model, embedder: None, runtime: Runtime::system(), model_timeout_ms: 50 }
}

async fn wiki() -> Arc<MemoryIndex> {
    let index = MemoryIndex::default();
    for (path, title, content, visibility) in [
        ("billing/refunds", "Refunds", "We pay refunds back to your card within five days.", Visibility::Public),
        ("billing/fraud", "Refund fraud", "Never tell a refund fraud suspect why.", Visibility::Internal),
        ("shipping/times", "Shipping", "Parcels arrive in two days.", Visibility::Public),
    ] {
        index.write(path, title, content, visibility);
    }
    Arc::new(index)
}

async fn ask(engine: &AnswerEngine, text: &str, visibility: VisibilityFilter) -> Answered {
    ask_within(engine, text, visibility, 20_000).await
}

async fn ask_within(engine: &AnswerEngine, text: &str, visibility: VisibilityFilter, deadline_ms: i64) -> Answered {
    let question = Question {
        scope: &scope(),
        text,
        history: &[],
        language: Language::English,
        synonyms: &[],
        visibility,
        threshold: 0.4,
        handover_note: None,
        deadline: engine.runtime.now().plus_millis(deadline_ms),
    };
    engine.answer(&question).await
}

const PUBLIC: VisibilityFilter = VisibilityFilter::Only(Visibility::Public);

fn paths(answered: &Answered) -> Vec<&str> {
    answered.sources.iter().map(|source| source.path.as_str()).collect()
}

/// A model that always does the same.
#[derive(Debug)]
struct Fixed(Result<String, ModelError>);

#[async_trait]
impl LanguageModel for Fixed {
    fn name(&self) -> &str {
        "fixed"
    }

    async fn complete(&self, _request: &ModelRequest) -> Result<String, ModelError> {
        self.0.clone()
    }
}

fn model(reply: &str) -> Option<Arc<dyn LanguageModel>> {
    Some(Arc::new(Fixed(Ok(reply.to_owned()))))
}

/// An index that fails, never answers, returns what it was not asked for, or does not go on as it began.
#[derive(Debug)]
enum BrokenIndex {
    Fails,
    Hangs,
    IgnoresVisibility(Arc<MemoryIndex>),
    /// Answers only the first searches, or looks up near words without end.
    Tires {
        index: Arc<MemoryIndex>,
        searches_left: Arc<AtomicUsize>,
        near_words_hang: bool,
    },
}

#[async_trait]
impl CandidateIndex for BrokenIndex {
    async fn retrieve(
        &self,
        scope: &Scope,
        lookups: &[Lookup<'_>],
        visibility: VisibilityFilter,
    ) -> domain::Result<Vec<Retrieval>> {
        match self {
            Self::Fails => Err(domain::Error::unavailable("index down")),
            Self::Hangs => futures::future::pending().await,
            Self::IgnoresVisibility(index) => index.retrieve(scope, lookups, VisibilityFilter::All).await,
            Self::Tires { index, searches_left, .. } => {
                let left = searches_left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
                left.map_err(|_| domain::Error::unavailable("index down"))?;
                let found = index.retrieve(scope, lookups, visibility).await?;
                Ok(found.into_iter().map(|found| Retrieval { near_words: Vec::new(), ..found }).collect())
            }
        }
    }

    async fn near_words(
        &self,
        scope: &Scope,
        words: &[String],
        visibility: VisibilityFilter,
    ) -> domain::Result<Vec<NearWords>> {
        match self {
            Self::Tires { near_words_hang: true, .. } => futures::future::pending().await,
            Self::Tires { index, .. } => index.near_words(scope, words, visibility).await,
            _ => Err(domain::Error::unavailable("index down")),
        }
    }

    fn without(&self, _: &[WikiPath]) -> Arc<dyn CandidateIndex> {
        Arc::new(Self::Fails)
    }
}

#[tokio::test]
async fn a_question_the_wiki_answers_is_quoted_with_its_source() {
    let answered = ask(&engine(wiki().await, None), "When do I get a refund to my card?", PUBLIC).await;
    assert_eq!(answered.text, "We pay refunds back to your card within five days.");
    assert_eq!(answered.disposition, Disposition::Answered);
    assert_eq!(paths(&answered).first(), Some(&"billing/refunds"));
    assert!(answered.confidence > 0.4 && !answered.unanswered && answered.failure.is_none());
}

#[tokio::test]
async fn under_the_threshold_there_is_no_answer_but_the_nearest_entries_are_named() {
    let answered =
        ask(&engine(wiki().await, None), "Can I pay parcels with kubernetes operators abroad?", PUBLIC).await;
    assert_eq!((answered.disposition, answered.unanswered), (Disposition::NoAnswer, true));
    assert!(answered.text.is_empty() && !answered.sources.is_empty());
    assert!(answered.confidence < 0.4);
}

#[tokio::test]
async fn stop_words_and_an_empty_wiki_find_nothing() {
    let empty: Arc<dyn CandidateIndex> = Arc::new(MemoryIndex::default());
    for (engine, text) in [(engine(wiki().await, None), "what is it with you"), (engine(empty, None), "refund to card")]
    {
        let answered = ask(&engine, text, PUBLIC).await;
        assert_eq!((answered.disposition, answered.confidence), (Disposition::NoAnswer, 0.0));
        assert!(answered.sources.is_empty() && answered.failure.is_none());
    }
}

#[tokio::test]
async fn a_passage_that_an_index_returns_beyond_the_visibility_is_dropped() {
    let index = Arc::new(BrokenIndex::IgnoresVisibility(wiki().await));
    let answered = ask(&engine(index, None), "refund fraud suspect", PUBLIC).await;
    assert!(!paths(&answered).contains(&"billing/fraud") && !answered.text.contains("Never"));
}

#[tokio::test]
async fn an_index_that_fails_or_hangs_is_a_failure_and_no_gap() {
    for index in [BrokenIndex::Fails, BrokenIndex::Hangs] {
        let answered = ask_within(&engine(Arc::new(index), None), "refund to card", PUBLIC, 50).await;
        assert_eq!(answered.failure, Some(AnswerFailure::Search));
        assert!(!answered.unanswered && answered.sources.is_empty());
    }
}

#[tokio::test]
async fn a_model_answers_from_what_it_cites() {
    let model =
        model(r#"{"answer":"We pay the refund back to your card within five days.","sources":[1],"answerable":true}"#);
    let answered = ask(&engine(wiki().await, model), "refund to card", PUBLIC).await;
    assert_eq!(answered.text, "We pay the refund back to your card within five days.");
    assert_eq!(paths(&answered).first(), Some(&"billing/refunds"));
}

#[tokio::test]
async fn a_model_can_take_an_answer_away() {
    let model = model(r#"{"answer":"","sources":[],"answerable":false}"#);
    let answered = ask(&engine(wiki().await, model), "refund to card", PUBLIC).await;
    assert_eq!((answered.disposition, answered.unanswered), (Disposition::NoAnswer, true));
}

#[tokio::test]
async fn under_the_threshold_a_model_answers_in_sentences_of_what_it_cites_or_not_at_all() {
    let question = "Can I pay parcels with kubernetes operators abroad?";
    let reply = |answer: &str| format!(r#"{{"answer":"{answer}","sources":[1],"answerable":true}}"#);
    for made_up in [
        "Made up.",
        "Parcels arrive in three days.",
        "Parcels never arrive in two days.",
        "Parcels arrive in two days. Kubernetes too.",
    ] {
        let answered = ask(&engine(wiki().await, model(&reply(made_up))), question, PUBLIC).await;
        assert_eq!((answered.disposition, answered.unanswered), (Disposition::NoAnswer, true), "{made_up}");
    }
    let answered = ask(&engine(wiki().await, model(&reply("Parcels arrive in two days."))), question, PUBLIC).await;
    assert_eq!((answered.disposition, answered.text.as_str()), (Disposition::Answered, "Parcels arrive in two days."));
    assert!((0.4..0.5).contains(&answered.confidence) && !answered.unanswered);
}

#[tokio::test]
async fn under_the_threshold_a_model_that_fails_asks_for_a_human() {
    let failing: Arc<dyn LanguageModel> = Arc::new(Fixed(Err(ModelError::Timeout)));
    let answered =
        ask(&engine(wiki().await, Some(failing)), "Can I pay parcels with kubernetes operators abroad?", PUBLIC).await;
    assert_eq!((answered.failure, answered.unanswered), (Some(AnswerFailure::Model), false));
}

#[tokio::test]
async fn a_model_that_fails_or_cites_what_was_not_retrieved_is_replaced_by_a_quotation() {
    for reply in [
        Err(ModelError::Timeout),
        Err(ModelError::Failed("500".to_owned())),
        Ok(String::new()),
        Ok("Sure!".to_owned()),
        Ok(r#"{"answer":"Made up.","sources":[99],"answerable":true}"#.to_owned()),
        Ok(r#"{"answer":"Made up.","sources":[],"answerable":true}"#.to_owned()),
    ] {
        let answered = ask(&engine(wiki().await, Some(Arc::new(Fixed(reply)))), "refund to card", PUBLIC).await;
        assert_eq!(answered.text, "We pay refunds back to your card within five days.");
        assert_eq!((answered.disposition, answered.failure), (Disposition::Answered, None));
    }
}

/// A model that never replies.
#[derive(Debug)]
struct HangingModel;

#[async_trait]
impl LanguageModel for HangingModel {
    fn name(&self) -> &str {
        "silent"
    }

    async fn complete(&self, _request: &ModelRequest) -> Result<String, ModelError> {
        futures::future::pending().await
    }
}

#[tokio::test]
async fn a_model_that_hangs_is_left_behind() {
    let answered = ask(&engine(wiki().await, Some(Arc::new(HangingModel))), "refund to card", PUBLIC).await;
    assert_eq!(answered.disposition, Disposition::Answered);
}

#[tokio::test]
async fn a_quotation_holds_no_hidden_characters_and_at_most_8_kib() {
    let index = MemoryIndex::default();
    let content = format!("Refund\u{202E} card {}", "\u{1F600}".repeat(4_000));
    index.write("a/b", "Refund card", &content, Visibility::Public);
    let answered = ask(&engine(Arc::new(index), None), "refund card", PUBLIC).await;
    assert!(answered.text.starts_with("Refund card") && answered.text.len() <= 8 * 1024);
}
