//! Asks the language model, if there is one, for an answer: which passages it gets, how long it may take, and whether its
//! reply is used. Before that, it may rewrite a follow-up into a self-contained question.
//!
//! The rewritten question is only used for search, in the same wiki and visibility as the question. It is not shown,
//! stored or answered. It is used if it finds more than the question together with those before it.

use std::time::Duration;

use serde::Deserialize;

use super::conversation::ConversationQuery;
use super::engine::{AnswerEngine, Found, Question};
use super::extract;
use super::model::{LanguageModel, ModelError, ModelRequest};
use super::parts::RankedPart;
use super::prompt::{self, Boundary, CANARY, PriorTurn, PromptInput, PromptPassage, add_history, bounded};
use super::rank::{Ranked, Scorer, nearest_passage};
use super::verbatim::{Held, held};
use crate::search::Retrieval;
use domain::clock::Runtime;
use text::{Analyzer, Opposites, images, sanitise};

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

/// A question of this confidence is not rewritten.
const CLEAR_CONFIDENCE: f64 = 0.8;
/// The system role: fixed instructions, no text of customers.
const REWRITE: &str = include_str!("grounded/rewrite.txt");
/// The longest that a customer waits for it.
const REWRITE_TIMEOUT: Duration = Duration::from_millis(1_500);
/// The part of the deadline for the answer itself, milliseconds.
const ANSWER_MS: i64 = 4_000;
/// Tokens of the reply.
const MAX_REWRITTEN_TOKENS: u32 = 120;
/// The most characters of the rewritten question; a longer one is refused.
const MAX_REWRITTEN_CHARS: usize = 400;
/// Characters of the last message that are shown.
const MAX_MESSAGE_CHARS: usize = 2_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rewritten {
    question: String,
}

impl AnswerEngine {
    /// The result of searching the rewritten question, if `question` is one, an unclear follow-up, and its own search
    /// finds less; `found` otherwise.
    pub(super) async fn rewrite_if_unclear(&self, question: &Question<'_>, found: Found) -> Found {
        let [part] = found.parts.as_slice() else { return found };
        let rewritable = self.model.is_some() && part.retrieval.is_some() && !part.conversation.is_first();
        if !rewritable || part.confidence() >= CLEAR_CONFIDENCE {
            return found;
        }
        let Some(rewritten) = rewrite_standalone(self, question).await else { return found };
        let conversation =
            ConversationQuery::new(&Analyzer::new(question.language), question.synonyms, &rewritten, &[]);
        let rewritten = self.retrieve_part(question, rewritten, conversation).await;
        if rewritten.confidence() > part.confidence() { Found::from(rewritten) } else { found }
    }
}

/// The question, rewritten; none without a model, without the time, or if the model fails or writes no question.
async fn rewrite_standalone(engine: &AnswerEngine, question: &Question<'_>) -> Option<String> {
    let model = engine.model.as_ref()?;
    if question.deadline.millis_since(engine.runtime.now()) < ANSWER_MS {
        return None;
    }
    match rewrite(&engine.runtime, model.as_ref(), question).await {
        Ok(rewritten) => Some(rewritten),
        // The answer's own call says so in the log.
        Err(ModelError::BudgetSpent) => None,
        Err(error) => {
            tracing::warn!(metric.ModelFailures = 1, model.name = model.name(), error = %error, "failed to rewrite a follow-up; it is searched as written");
            None
        }
    }
}

async fn rewrite(runtime: &Runtime, model: &dyn LanguageModel, question: &Question<'_>) -> Result<String, ModelError> {
    let boundary = Boundary::generate(runtime).map_err(|e| ModelError::Failed(e.to_string()))?;
    let history: Vec<PriorTurn<'_>> = question.history.iter().filter_map(PriorTurn::of).collect();
    let mut user = boundary.preamble();
    add_history(&mut user, &boundary, &history);
    boundary.fence(&mut user, "last message", &bounded(question.text, MAX_MESSAGE_CHARS));
    user.push_str("Reply with the JSON object and nothing else.\n");
    let request =
        ModelRequest { system: REWRITE.to_owned(), user, max_tokens: MAX_REWRITTEN_TOKENS, timeout: REWRITE_TIMEOUT };
    let reply =
        tokio::time::timeout(REWRITE_TIMEOUT, model.complete(&request)).await.unwrap_or(Err(ModelError::Timeout))?;
    rewritten(&reply, boundary.as_str()).ok_or_else(|| ModelError::Unusable("no question that stands alone".to_owned()))
}

/// The question in a reply, if it is one: a line of text without markup, of a question's length.
fn rewritten(reply: &str, boundary: &str) -> Option<String> {
    // serde reads an array as a struct too.
    let Rewritten { question } = serde_json::from_str(reply.trim()).ok().filter(|_| reply.trim().starts_with('{'))?;
    let question = sanitise::visible(&question);
    let question = question.trim();
    let fits = !question.is_empty() && question.chars().count() <= MAX_REWRITTEN_CHARS;
    let leaks = [CANARY, boundary].iter().any(|secret| question.contains(secret));
    (fits && !leaks && !question.contains(['<', '>', '\n'])).then(|| question.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_question_is_taken() {
        let read = |reply: &str| rewritten(reply, "data-1");
        assert_eq!(
            read(r#" {"question": " How much is Studio a year? "} "#).as_deref(),
            Some("How much is Studio a year?")
        );
        let long = format!(r#"{{"question": "{}"}}"#, "a ".repeat(300));
        for reply in [
            "How much is Studio?",
            r#"{"question": ""}"#,
            r#"{"question": "<b>How much?</b>"}"#,
            r#"{"question": "one\ntwo"}"#,
            r#"{"question": "lantern-4193-harbour"}"#,
            r#"{"question": "data-1"}"#,
            r#"{"question": "a", "answer": "b"}"#,
            r#"["How much?"]"#,
            &long,
        ] {
            assert_eq!(read(reply), None, "{reply}");
        }
    }
}
