//! Asks the language model, if there is one: which passages it gets, how long it may take, and whether its reply is
//! used.

use std::borrow::Cow;
use std::time::Duration;

use super::engine::{AnswerEngine, Question};
use super::model::ModelError;
use super::prompt::{self, PriorTurn, PromptInput, PromptPassage};
use super::rank::Ranked;
use super::verbatim::is_verbatim;
use crate::search::{Candidate, Retrieval};
use text::{Analyzer, word_count};

/// The most entries whose passages a model gets.
const MAX_ENTRIES: usize = 5;
/// The most words of an entry that a model gets whole.
const WHOLE_ENTRY_WORDS: usize = 120;
/// The least time for a model call, in milliseconds.
const MIN_TIMEOUT_MS: i64 = 500;
/// What is left of the deadline for storing the answer, milliseconds.
const RESERVED_MS: i64 = 2_000;

/// What the model says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ModelDecision {
    /// None is configured, or the tenant's calls of the day are made.
    NoModel,
    /// It failed, took too long, or wrote what cannot be used; the log knows which.
    Failed,
    /// It finds no answer in the passages.
    NotInPassages,
    /// The model's answer, cleaned, and the positions in [`Retrieval::candidates`] that it cites.
    Answer {
        /// The answer.
        text: String,
        /// Never empty.
        cited: Vec<usize>,
        /// Every sentence of the answer quotes what it cites.
        verbatim: bool,
    },
}

/// Asks once. Whatever the model does, the reply is one of the four votes, within the question's deadline.
pub(super) async fn ask_model(
    engine: &AnswerEngine,
    question: &Question<'_>,
    retrieval: &Retrieval,
    ranked: &[Ranked],
) -> ModelDecision {
    let Some(model) = &engine.model else { return ModelDecision::NoModel };
    let Some(timeout) = model_timeout(engine, question) else {
        tracing::warn!(model.name = model.name(), "no time left to call the model; the answer is quoted");
        return ModelDecision::Failed;
    };
    let offered = passages(question, retrieval, ranked);
    let texts: Vec<PromptPassage<'_>> =
        offered.iter().map(|offer| PromptPassage { title: offer.title, text: &offer.text }).collect();
    let history: Vec<PriorTurn<'_>> = question.history.iter().filter_map(PriorTurn::of).collect();
    let input = PromptInput {
        question: question.text,
        passages: &texts,
        history: &history,
        handover_note: question.handover_note,
        timeout,
    };
    let prompt = match prompt::build(&input, &engine.runtime) {
        Ok(prompt) => prompt,
        Err(error) => {
            tracing::error!(error = %error, "failed to build a prompt; the answer is quoted");
            return ModelDecision::Failed;
        }
    };
    let reply = tokio::time::timeout(timeout, model.complete(&prompt.request)).await;
    let reply = reply.unwrap_or(Err(ModelError::Timeout)).and_then(|text| prompt::parse(&prompt, &text));
    match reply {
        Ok(grounded) if grounded.not_in_passages => ModelDecision::NotInPassages,
        Ok(grounded) => {
            let cited: Vec<&OfferedPassage<'_>> = grounded.cited.iter().filter_map(|at| offered.get(*at)).collect();
            let texts: Vec<&str> = cited.iter().map(|offer| offer.text.as_ref()).collect();
            let verbatim = is_verbatim(&grounded.text, &texts, question.language);
            let cited = cited.into_iter().map(|offer| offer.candidate).collect();
            ModelDecision::Answer { text: grounded.text, cited, verbatim }
        }
        Err(error @ ModelError::BudgetSpent) => {
            tracing::info!(model.name = model.name(), error = %error, "the model was not asked; the answer is quoted");
            ModelDecision::NoModel
        }
        Err(error) => {
            tracing::warn!(metric.ModelFailures = 1, model.name = model.name(), error = %error, "the model gave no usable answer; the answer is quoted");
            ModelDecision::Failed
        }
    }
}

fn model_timeout(engine: &AnswerEngine, question: &Question<'_>) -> Option<Duration> {
    let left = question.deadline.millis_since(engine.runtime.now()) - RESERVED_MS;
    let allowed = i64::try_from(engine.model_timeout_ms).unwrap_or(i64::MAX);
    let wait = left.min(allowed);
    (wait >= MIN_TIMEOUT_MS.min(allowed)).then(|| Duration::from_millis(u64::try_from(wait).unwrap_or(0)))
}

/// A text that a model may stand on.
struct OfferedPassage<'a> {
    candidate: usize,
    title: &'a str,
    text: Cow<'a, str>,
}

/// Of each near entry its best passage with those around it, then its further ones; short entries whole.
fn passages<'a>(question: &Question<'_>, retrieval: &'a Retrieval, ranked: &[Ranked]) -> Vec<OfferedPassage<'a>> {
    let mut best = Vec::new();
    let mut further = Vec::new();
    for r in ranked.iter().take(MAX_ENTRIES) {
        let Some(entry) = retrieval.candidates.get(r.candidate) else { continue };
        let offer = |text| OfferedPassage { candidate: r.candidate, title: entry.title.as_str(), text };
        if word_count(&entry.content) <= WHOLE_ENTRY_WORDS {
            best.push(offer(Cow::Borrowed(entry.content.as_str())));
            continue;
        }
        for (at, passage) in entry.passages.iter().enumerate() {
            if at == r.best_passage {
                best.push(offer(Cow::Owned(with_neighbours(question, entry, &passage.text))));
            } else {
                further.push(offer(Cow::Borrowed(passage.text.as_str())));
            }
        }
    }
    best.append(&mut further);
    best
}

/// A passage between the one before it and the one after it, which often say what it is about and what it leaves open.
fn with_neighbours(question: &Question<'_>, entry: &Candidate, passage: &str) -> String {
    let all = Analyzer::new(question.language).passages(&entry.title, &entry.content);
    let Some(at) = all.iter().position(|other| other.text == passage) else { return passage.to_owned() };
    let around = all.get(at.saturating_sub(1)..(at + 2).min(all.len())).unwrap_or_default();
    around.iter().map(|passage| passage.text.as_str()).collect::<Vec<_>>().join("\n\n")
}
