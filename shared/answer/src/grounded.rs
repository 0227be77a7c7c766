//! Asks the language model, if there is one: which passages it gets, how long it may take, and whether its reply is
//! used.

use std::time::Duration;

use super::engine::{AnswerEngine, Question};
use super::extract;
use super::model::ModelError;
use super::parts::RankedPart;
use super::prompt::{self, PriorTurn, PromptInput, PromptPassage};
use super::rank::{Ranked, Scorer, nearest_passage};
use super::verbatim::{Held, held};
use crate::search::Retrieval;
use text::{Analyzer, Opposites, images};

/// The most entries whose passages a model gets.
const MAX_ENTRIES: usize = 5;
/// The least time for a model call, in milliseconds.
const MIN_TIMEOUT_MS: i64 = 500;
/// The part of the deadline for storing the answer, milliseconds.
const RESERVED_MS: i64 = 2_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ModelDecision {
    /// None is configured, or the tenant's calls of the day are made.
    NoModel,
    /// It failed, took too long, or wrote what cannot be used; the log knows which.
    Failed,
    /// It finds no answer in the passages.
    NotInPassages,
    /// The model's answer, cleaned, and the positions in [`Retrieval::candidates`] of the entries that hold it.
    Answer {
        text: String,
        /// Empty if a sentence is held by none.
        cited: Vec<usize>,
        /// How what it cites holds it.
        held: Held,
    },
}

/// Asks once. Returns a decision within the question's deadline, whatever the model does.
pub(super) async fn ask_model(
    engine: &AnswerEngine,
    question: &Question<'_>,
    parts: &[RankedPart],
    retrieval: &Retrieval,
    ranked: &[Ranked],
) -> ModelDecision {
    let Some(model) = &engine.model else { return ModelDecision::NoModel };
    let Some(timeout) = model_timeout(engine, question) else {
        tracing::warn!(model.name = model.name(), "no time left to call the model; the answer is quoted");
        return ModelDecision::Failed;
    };
    let offered = passages(question, parts, retrieval, ranked);
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
            let texts: Vec<&str> = cited.iter().map(|offer| offer.text.as_str()).collect();
            let (held, holders) = held(&grounded.text, &texts, question.language);
            let cited = holders.into_iter().filter_map(|at| cited.get(at)).map(|offer| offer.candidate).collect();
            ModelDecision::Answer { text: grounded.text, cited, held }
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
    text: String,
}

/// The best units of each near entry, short entries whole: each entry gets at most half of the characters that are left,
/// the last one all of them.
fn passages<'a>(
    question: &Question<'_>,
    parts: &[RankedPart],
    retrieval: &'a Retrieval,
    ranked: &[Ranked],
) -> Vec<OfferedPassage<'a>> {
    let analyzer = Analyzer::new(question.language);
    let scorers: Vec<Scorer<'_>> = parts.iter().map(|part| Scorer::new(&part.query, &part.retrieval.stats)).collect();
    let mut left = prompt::MAX_PASSAGES_CHARS;
    let mut offered = Vec::new();
    let near = ranked.iter().take(MAX_ENTRIES);
    for (place, r) in near.enumerate() {
        let Some(entry) = retrieval.candidates.get(r.candidate) else { continue };
        let share = if place + 1 == MAX_ENTRIES.min(ranked.len()) { left } else { left / 2 };
        let near = nearest_passage(entry).map(|passage| passage.text.as_str());
        // The first of several questions that the entry is near to says which of its units are shown.
        let asking = parts
            .iter()
            .zip(&scorers)
            .find(|(part, _)| part.is_near(&entry.path))
            .or(parts.iter().zip(&scorers).next());
        let Some((part, scorer)) = asking else { continue };
        let opposites = Opposites::asked(&analyzer, &part.text);
        let asked = extract::Question {
            analyzer: &analyzer,
            text: &part.text,
            query: &part.query,
            scorer,
            opposites: &opposites,
            near,
        };
        let text = extract::excerpt(&asked, &images::without(&entry.content), share);
        left -= text.chars().count().min(left);
        if !text.is_empty() {
            offered.push(OfferedPassage { candidate: r.candidate, title: entry.title.as_str(), text });
        }
    }
    offered
}
