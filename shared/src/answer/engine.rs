//! One question, start to finish: terms, candidates, ranking, the gate, the model or a quotation.
//!
//! The confidence of the ranking decides whether there is an answer at all; a model is asked only past that gate, can
//! only take an answer away ("not in the passages"), and is replaced by a quotation whenever it fails.

use std::time::Duration;

use super::extract::extract;
use super::grounded::{self, Vote};
use super::rank::{Ranked, Scorer};
use super::{rank, sanitise};
use crate::models::{Disposition, Language, QueryVector, Scope, Source, Timestamp, Turn, Visibility};
use crate::search::{Candidate, Retrieval, VisibilityFilter};
use crate::text::{Analyzer, QueryTerms};
use crate::{Ctx, Error, Result, embedding};

/// An answer names at most so many entries.
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
    /// The confidence under which there is no answer, 0-1.
    pub threshold: f64,
    /// What an agent noted when handing back; for the model only.
    pub handover_note: Option<&'a str>,
    /// When the caller must have a reply.
    pub deadline: Timestamp,
}

/// What is said to the customer, and how much it is worth.
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
    /// Internal entries were among what it stands on.
    pub internal: bool,
    /// What broke on the way so that there is no answer; asks for a human.
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
    /// What `GET /health` tells of it.
    #[must_use]
    pub const fn told(self) -> &'static str {
        match self {
            Self::Search => "the search index does not answer",
            Self::Model => "the language model failed",
        }
    }
}

/// What the index has for a question.
#[derive(Debug, Clone)]
pub struct Found {
    query: QueryTerms,
    /// None where the index did not answer.
    retrieval: Option<Retrieval>,
}

/// Answers questions over one process's index and model.
#[derive(Debug, Clone)]
pub struct AnswerEngine {
    ctx: Ctx,
}

impl AnswerEngine {
    /// An engine over `ctx`.
    #[must_use]
    pub fn new(ctx: &Ctx) -> Self {
        Self { ctx: ctx.clone() }
    }

    /// Answers `question`. Never fails: what breaks is told in [`Answered::failure`].
    pub async fn answer(&self, question: &Question<'_>) -> Answered {
        let found = self.retrieve(question).await;
        self.answer_from(question, found).await
    }

    /// The entries nearest to `question`, at most 3, nearest first; asks no model.
    ///
    /// # Errors
    /// 503 when the index does not answer.
    pub async fn nearest(&self, question: &Question<'_>) -> Result<Vec<Source>> {
        let Found { query, retrieval } = self.retrieve(question).await;
        let retrieval = retrieval.ok_or_else(|| Error::unavailable("the index did not answer a question"))?;
        Ok(sources(&retrieval, &rank(&query, &retrieval), &[]))
    }

    /// What the index has for `question`; asks no model, so it may run while the question itself is being stored.
    pub async fn retrieve(&self, question: &Question<'_>) -> Found {
        let query = Analyzer::new(question.language).query(question.text);
        let vector = embedding::query_vector(&self.ctx, question.text, question.deadline).await;
        let retrieval = match query.terms.is_empty() && vector.is_none() {
            true => Some(Retrieval::default()),
            false => self.candidates(question, &query, vector.as_ref()).await,
        };
        Found { query, retrieval }
    }

    /// Answers `question` from what was found for it.
    pub async fn answer_from(&self, question: &Question<'_>, found: Found) -> Answered {
        let Found { query, retrieval } = found;
        let Some(retrieval) = retrieval else { return search_failed() };
        let internal = retrieval.candidates.iter().any(|entry| entry.visibility == Visibility::Internal);
        Answered { internal, ..self.decide(question, &query, &retrieval).await }
    }

    async fn decide(&self, question: &Question<'_>, query: &QueryTerms, retrieval: &Retrieval) -> Answered {
        let analyzer = Analyzer::new(question.language);
        let ranked = rank(query, retrieval);
        let sources = sources(retrieval, &ranked, &[]);
        let Some(best) = ranked.first() else { return no_answer(sources, 0.0) };
        let confidence = best.confidence;
        if confidence < question.threshold {
            return no_answer(sources, confidence);
        }
        let vote = grounded::ask(&self.ctx, question, retrieval, &ranked).await;
        let model_failed = vote == Vote::Failed;
        match vote {
            Vote::NotInPassages => no_answer(sources, confidence),
            Vote::Answer { text, cited } => answered(text, self::sources(retrieval, &ranked, &cited), confidence),
            Vote::Failed | Vote::NoModel => {
                let quoted = quote(&analyzer, query, retrieval, best);
                match (quoted.is_empty(), model_failed) {
                    (false, _) => answered(quoted, sources, confidence),
                    (true, false) => no_answer(sources, confidence),
                    (true, true) => failed(sources, confidence, AnswerFailure::Model),
                }
            }
        }
    }

    /// The candidates that the session may see; none when the index fails or takes longer than the deadline.
    async fn candidates(
        &self,
        question: &Question<'_>,
        query: &QueryTerms,
        vector: Option<&QueryVector>,
    ) -> Option<Retrieval> {
        let left = question.deadline.millis_since(self.ctx.ambient.now());
        let left = Duration::from_millis(u64::try_from(left).unwrap_or(0));
        let search = self.ctx.index.retrieve(question.scope, query, vector, question.visibility);
        let mut retrieval = match tokio::time::timeout(left, search).await {
            Ok(Ok(retrieval)) => retrieval,
            Ok(Err(error)) => {
                tracing::error!(error = %error, "the index failed; the question goes to a human");
                return None;
            }
            Err(_) => {
                tracing::error!("the index took longer than the deadline; the question goes to a human");
                return None;
            }
        };
        let found = retrieval.candidates.len();
        retrieval.candidates.retain(|candidate| question.visibility.admits(candidate.visibility));
        let foreign = found - retrieval.candidates.len();
        if foreign > 0 {
            tracing::error!(
                search.foreign_hits = foreign,
                "the index returned entries the session may not see; dropped"
            );
        }
        Some(retrieval)
    }
}

fn quote(analyzer: &Analyzer, query: &QueryTerms, retrieval: &Retrieval, best: &Ranked) -> String {
    let scorer = Scorer::new(query, &retrieval.stats);
    let content = retrieval.candidates.get(best.candidate).map_or("", |candidate| candidate.content.as_str());
    let mut text = sanitise::visible(&extract(analyzer, &scorer, content));
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

/// A failure says nothing about what the wiki holds: it is no knowledge gap.
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
