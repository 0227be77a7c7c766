//! The engine that answers questions, its input, and its output.

use std::sync::Arc;

use domain::clock::Runtime;
use domain::models::{Disposition, Language, Scope, Source, Timestamp, Turn};
use text::QueryTerms;

use super::conversation::ConversationQuery;
use super::embedding::Embedder;
use super::images::EntryImage;
use super::model::LanguageModel;
use super::rank::{Ranked, rank_in_conversation};
use crate::search::{CandidateIndex, Retrieval, VisibilityFilter};

/// A customer's question, and the conditions of its answer.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// The tenant and mode of the wiki.
    pub scope: &'a Scope,
    /// As written.
    pub text: &'a str,
    /// The turns before, oldest first; for the model only.
    pub history: &'a [Turn],
    /// The wiki's language.
    pub language: Language,
    /// The tenant's own groups of words and phrases for the same thing.
    pub synonyms: &'a [Vec<String>],
    /// The entries that may ground the answer. The session decides, never the caller.
    pub visibility: VisibilityFilter,
    /// The confidence below which there is no answer, 0-1.
    pub threshold: f64,
    /// The note of an agent's handback; for the model only.
    pub handover_note: Option<&'a str>,
    /// When the caller must have a reply.
    pub deadline: Timestamp,
}

/// The answer, and its confidence.
#[derive(Debug, Clone, PartialEq)]
pub struct Answered {
    /// The answer, at most 8 KiB, without characters that a reader cannot see; empty if there is none.
    pub text: String,
    /// The images of the entries that the answer was made from; the text has none ([`crate::illustrated`]).
    pub images: Vec<EntryImage>,
    /// The nearest entries, at most 3: those that the answer was made from, then the others, each set nearest first.
    pub sources: Vec<Source>,
    /// The probability that the text says what was asked, 0-1; of several questions the lowest of those that are answered.
    pub confidence: f64,
    /// [`Disposition::Answered`], also if some of several questions are not, or [`Disposition::NoAnswer`].
    pub disposition: Disposition,
    /// The wiki has a gap here.
    pub unanswered: bool,
    /// Of several questions those that have no answer, as written; empty if the message is one question.
    pub missing: Vec<String>,
    /// Further questions of the message, which are not looked up.
    pub left_out: Vec<String>,
    /// Whether it is based on internal entries too.
    pub internal: bool,
    /// The failure because of which there is no answer; it escalates.
    pub failure: Option<AnswerFailure>,
}

/// The part that failed.
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

/// The index's results for a message.
#[derive(Debug, Clone)]
pub struct Found {
    /// Its questions, at least one and at most 3.
    pub(super) parts: Vec<FoundPart>,
    /// Further ones, which were not looked up.
    pub(super) left_out: Vec<String>,
}

impl Found {
    /// How sure the nearest entry to one of the questions makes us: 0-1.
    #[must_use]
    pub fn confidence(&self) -> f64 {
        self.parts.iter().map(FoundPart::confidence).fold(0.0, f64::max)
    }

    /// The result of [`FoundPart::ranked`] for the first question.
    #[must_use]
    pub fn ranked(&self) -> Option<(QueryTerms, Vec<Ranked>)> {
        self.parts.first()?.ranked()
    }
}

impl From<FoundPart> for Found {
    fn from(part: FoundPart) -> Self {
        Self { parts: vec![part], left_out: Vec::new() }
    }
}

/// The index's results for a question.
#[derive(Debug, Clone)]
pub(super) struct FoundPart {
    /// The question, as written.
    pub(super) text: String,
    pub(super) conversation: ConversationQuery,
    /// None if the index did not answer.
    pub(super) retrieval: Option<Retrieval>,
}

impl FoundPart {
    /// The candidates, nearest first, and the query they are ranked by; none if the index did not answer.
    pub(super) fn ranked(&self) -> Option<(QueryTerms, Vec<Ranked>)> {
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
    pub index: Arc<dyn CandidateIndex>,
    /// The language model, if one is configured.
    pub model: Option<Arc<dyn LanguageModel>>,
    /// The embedding model, if one is configured.
    pub embedder: Option<Embedder>,
    /// Clock and entropy.
    pub runtime: Runtime,
    /// How long the language model may take, in milliseconds.
    pub model_timeout_ms: u64,
}
