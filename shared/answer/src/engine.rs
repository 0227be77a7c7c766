//! One question from start to end: terms, candidates, ranking, threshold, and the model's text or a quotation.
//!
//! The confidence of the ranking decides whether there is an answer. A model can withhold an answer ("not in the
//! passages"). If it fails, the answer is quoted. Below the threshold it may only quote the passages.

use super::conversation::ConversationQuery;
use super::embedding::Embedder;
use super::extract::extract;
use super::grounded::{self, ModelDecision};
use super::model::LanguageModel;
use super::rank;
use super::rank::{Ranked, Scorer, rank_in_conversation};
use crate::search::SearchIndex;
use crate::search::{Candidate, Retrieval, VisibilityFilter};
use domain::clock::Ambient;
use domain::models::{Disposition, Language, Scope, Source, Timestamp, Turn, Visibility};
use domain::{Error, Result};
use std::sync::Arc;
use text::sanitise;
use text::{Analyzer, QueryTerms};

/// The most sources of an answer.
const MAX_SOURCES: usize = 3;
/// Bytes of an answer.
const MAX_ANSWER_BYTES: usize = 8 * 1024;

/// What a customer wants to know, and what the answer may stand on.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// Whose wiki.
    pub scope: &'a Scope,
    /// As written.
    pub text: &'a str,
    /// What was said before, oldest first; for the model only.
    pub history: &'a [Turn],
    /// The wiki's language.
    pub language: Language,
    /// What may ground the answer; decided by the session, never by who calls.
    pub visibility: VisibilityFilter,
    /// The confidence below which there is no answer, 0-1.
    pub threshold: f64,
    /// What an agent noted when handing back; for the model only.
    pub handover_note: Option<&'a str>,
    /// When the caller must have a reply.
    pub deadline: Timestamp,
}

/// The answer, and its confidence.
#[derive(Debug, Clone, PartialEq)]
pub struct Answered {
    /// The answer, at most 8 KiB, without characters that a reader cannot see; empty where there is none.
    pub text: String,
    /// The nearest entries, at most 3, nearest first (after those that a model cited).
    pub sources: Vec<Source>,
    /// The chance that the wiki has the answer, 0-1.
    pub confidence: f64,
    /// [`Disposition::Answered`] or [`Disposition::NoAnswer`].
    pub disposition: Disposition,
    /// The wiki has a gap here.
    pub unanswered: bool,
    /// Whether it is based on internal entries too.
    pub internal: bool,
    /// The failure because of which there is no answer; it escalates.
    pub failure: Option<AnswerFailure>,
}

/// What broke.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerFailure {
    /// The index did not answer.
    Search,
    /// The model failed and there was nothing to quote instead.
    Model,
}

impl AnswerFailure {
    /// The run as `GET /health` reports it.
    #[must_use]
    pub const fn public_message(self) -> &'static str {
        match self {
            Self::Search => "the search index does not answer",
            Self::Model => "the language model failed",
        }
    }
}

/// What the index has for a question.
#[derive(Debug, Clone)]
pub struct Found {
    pub(super) conversation: ConversationQuery,
    /// None where the index did not answer.
    pub(super) retrieval: Option<Retrieval>,
}

impl Found {
    /// The candidates, nearest first, and the query they are ranked by; none where the index did not answer.
    #[must_use]
    pub fn ranked(&self) -> Option<(QueryTerms, Vec<Ranked>)> {
        self.retrieval.as_ref().map(|retrieval| rank_in_conversation(&self.conversation, retrieval))
    }

    /// How sure the nearest entry makes us: 0-1.
    pub(super) fn confidence(&self) -> f64 {
        self.ranked().and_then(|(_, ranked)| ranked.first().map(|first| first.confidence)).unwrap_or(0.0)
    }
}

/// Answers questions over one process's index and model.
#[derive(Debug, Clone)]
pub struct AnswerEngine {
    /// The wiki index.
    pub index: Arc<dyn SearchIndex>,
    /// The language model, where one is configured.
    pub model: Option<Arc<dyn LanguageModel>>,
    /// The embedding model, where one is configured.
    pub embedder: Option<Embedder>,
    /// Clock and entropy.
    pub ambient: Ambient,
    /// How long the language model may take, in milliseconds.
    pub model_timeout_ms: u64,
}

impl AnswerEngine {
    /// Answers `question`. Never fails: a failure is in [`Answered::failure`].
    pub async fn answer(&self, question: &Question<'_>) -> Answered {
        let found = self.retrieve(question).await;
        self.answer_from(question, found).await
    }

    /// The entries nearest to `question`, at most 3, nearest first; asks no model.
    ///
    /// # Errors
    /// 503 when the index does not answer.
    pub async fn nearest(&self, question: &Question<'_>) -> Result<Vec<Source>> {
        let Found { conversation, retrieval } = self.retrieve(question).await;
        let retrieval = retrieval.ok_or_else(|| Error::unavailable("the index did not answer a question"))?;
        let (_, ranked) = rank_in_conversation(&conversation, &retrieval);
        Ok(sources(&retrieval, &ranked, &[]))
    }

    /// Answers `question` from what was found for it. Asks language models, so the question must be stored before.
    pub async fn answer_from(&self, question: &Question<'_>, found: Found) -> Answered {
        let Found { conversation, retrieval } = self.rewrite_if_unclear(question, found).await;
        let Some(retrieval) = retrieval else { return search_failed() };
        let internal = retrieval.candidates.iter().any(|entry| entry.visibility == Visibility::Internal);
        Answered { internal, ..self.decide(question, &conversation, &retrieval).await }
    }

    async fn decide(
        &self,
        question: &Question<'_>,
        conversation: &ConversationQuery,
        retrieval: &Retrieval,
    ) -> Answered {
        let analyzer = Analyzer::new(question.language);
        let (query, ranked) = rank_in_conversation(conversation, retrieval);
        let sources = sources(retrieval, &ranked, &[]);
        let Some(best) = ranked.first() else { return no_answer(sources, 0.0) };
        let confidence = best.confidence;
        let unsure = confidence < question.threshold;
        let decision = grounded::ask_model(self, question, retrieval, &ranked).await;
        let model_failed = decision == ModelDecision::Failed;
        match decision {
            ModelDecision::NotInPassages => no_answer(sources, confidence),
            ModelDecision::Answer { verbatim: false, .. } if unsure => no_answer(sources, confidence),
            // Below the threshold the confidence is the threshold: a lower one would mean that there is no answer, and
            // the ranking justifies no higher one.
            ModelDecision::Answer { text, cited, .. } => {
                answered(text, self::sources(retrieval, &ranked, &cited), confidence.max(question.threshold))
            }
            ModelDecision::NoModel if unsure => no_answer(sources, confidence),
            ModelDecision::Failed if unsure => failed(sources, confidence, AnswerFailure::Model),
            ModelDecision::Failed | ModelDecision::NoModel => {
                let quoted = quote(&analyzer, &query, retrieval, best);
                match (quoted.is_empty(), model_failed) {
                    (false, _) => answered(quoted, sources, confidence),
                    (true, false) => no_answer(sources, confidence),
                    (true, true) => failed(sources, confidence, AnswerFailure::Model),
                }
            }
        }
    }
}

fn quote(analyzer: &Analyzer, query: &QueryTerms, retrieval: &Retrieval, best: &Ranked) -> String {
    let scorer = Scorer::new(query, &retrieval.stats);
    let Some(candidate) = retrieval.candidates.get(best.candidate) else { return String::new() };
    let near = rank::nearest_passage(candidate).map(|passage| passage.text.as_str());
    let mut text = sanitise::visible(&extract(analyzer, &scorer, &candidate.content, query.words, near));
    text.truncate(text.floor_char_boundary(MAX_ANSWER_BYTES));
    text.trim().to_owned()
}

/// The cited entries and then the nearest others, each set nearest first.
fn sources(retrieval: &Retrieval, ranked: &[Ranked], cited: &[usize]) -> Vec<Source> {
    let (first, then): (Vec<&Ranked>, Vec<&Ranked>) = ranked.iter().partition(|r| cited.contains(&r.candidate));
    let candidates = first.into_iter().chain(then).take(MAX_SOURCES);
    candidates.filter_map(|r| retrieval.candidates.get(r.candidate).map(|entry| source(entry, r))).collect()
}

fn source(entry: &Candidate, ranked: &Ranked) -> Source {
    Source {
        path: entry.path.clone(),
        confidence: ranked.confidence,
        title: entry.title.clone(),
        version: entry.version,
    }
}

fn answered(text: String, sources: Vec<Source>, confidence: f64) -> Answered {
    Answered {
        text,
        sources,
        confidence,
        disposition: Disposition::Answered,
        unanswered: false,
        internal: false,
        failure: None,
    }
}

fn no_answer(sources: Vec<Source>, confidence: f64) -> Answered {
    Answered {
        text: String::new(),
        sources,
        confidence,
        disposition: Disposition::NoAnswer,
        unanswered: true,
        internal: false,
        failure: None,
    }
}

fn search_failed() -> Answered {
    failed(Vec::new(), 0.0, AnswerFailure::Search)
}

/// A failure says nothing about the wiki, so it is not a knowledge gap.
fn failed(sources: Vec<Source>, confidence: f64, failure: AnswerFailure) -> Answered {
    Answered {
        text: String::new(),
        sources,
        confidence,
        disposition: Disposition::NoAnswer,
        unanswered: false,
        internal: false,
        failure: Some(failure),
    }
}
