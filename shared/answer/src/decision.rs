//! One question from start to end: terms, candidates, ranking, threshold, and the model's text or a quotation.
//!
//! The confidence of the ranking decides whether there is an answer. A model can withhold an answer ("not in the
//! passages"). If it fails, the answer is quoted. Below the threshold it may only quote the passages.

use domain::models::{Disposition, Source, Visibility};
use domain::{Error, Result};
use text::sanitise;
use text::{Analyzer, QueryTerms};

use super::conversation::ConversationQuery;
use super::engine::{AnswerEngine, AnswerFailure, Answered, Found, Question};
use super::extract;
use super::grounded::{self, ModelDecision};
use super::rank;
use super::rank::{Ranked, Scorer, rank_in_conversation};
use crate::search::{Candidate, Retrieval};

/// The most sources of an answer.
const MAX_SOURCES: usize = 3;
/// Bytes of an answer.
const MAX_ANSWER_BYTES: usize = 8 * 1024;

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
        let decision = grounded::ask_model(self, question, &query, retrieval, &ranked).await;
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
                let quoted = quote(&analyzer, question.text, &query, retrieval, best);
                match (quoted.is_empty(), model_failed) {
                    (false, _) => {
                        answered(quoted, self::sources(retrieval, &ranked, &[best.candidate]), confidence)
                    }
                    (true, false) => no_answer(sources, confidence),
                    (true, true) => failed(sources, confidence, AnswerFailure::Model),
                }
            }
        }
    }
}

fn quote(analyzer: &Analyzer, text: &str, query: &QueryTerms, retrieval: &Retrieval, best: &Ranked) -> String {
    let scorer = Scorer::new(query, &retrieval.stats);
    let Some(candidate) = retrieval.candidates.get(best.candidate) else { return String::new() };
    let near = rank::nearest_passage(candidate).map(|passage| passage.text.as_str());
    let question = extract::Question { analyzer, text, query, scorer: &scorer, near };
    let mut text = sanitise::visible(&extract::extract(&question, &candidate.content));
    text.truncate(text.floor_char_boundary(MAX_ANSWER_BYTES));
    text.trim().to_owned()
}

/// The entries that the answer was made from and then the nearest others, each set nearest first.
fn sources(retrieval: &Retrieval, ranked: &[Ranked], used: &[usize]) -> Vec<Source> {
    let is_used = |r: &Ranked| used.contains(&r.candidate);
    let (first, then): (Vec<&Ranked>, Vec<&Ranked>) = ranked.iter().partition(|r| is_used(r));
    let nearest = first.into_iter().chain(then).take(MAX_SOURCES);
    nearest.filter_map(|r| retrieval.candidates.get(r.candidate).map(|entry| source(entry, r, is_used(r)))).collect()
}

fn source(entry: &Candidate, ranked: &Ranked, used: bool) -> Source {
    Source {
        path: entry.path.clone(),
        confidence: ranked.confidence,
        title: entry.title.clone(),
        version: entry.version,
        used,
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
