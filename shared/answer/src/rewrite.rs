//! Rewrites a follow-up into a self-contained question with the language model, if there is one.
//!
//! The result is only used for search, in the same wiki and visibility as the question. It is not shown, stored or
//! answered. It is used if it finds more than the question together with those before it.

use std::time::Duration;

use serde::Deserialize;

use super::conversation::ConversationQuery;
use super::engine::{AnswerEngine, Found, Question};
use super::model::{LanguageModel, ModelError, ModelRequest};
use super::prompt::boundary::Boundary;
use super::prompt::{CANARY, PriorTurn, add_history, bounded};
use domain::clock::Runtime;
use text::{Analyzer, sanitise};

/// A question of this confidence is not rewritten.
const CLEAR_CONFIDENCE: f64 = 0.8;
/// The system role: fixed instructions, no text of customers.
const SYSTEM: &str = include_str!("rewrite/system.txt");
/// The longest that a customer waits for it.
const TIMEOUT: Duration = Duration::from_millis(1_500);
/// The part of the deadline for the answer itself, milliseconds.
const RESERVED_MS: i64 = 4_000;
/// Tokens of the reply.
const MAX_TOKENS: u32 = 120;
/// The most characters of the rewritten question; a longer one is refused.
const MAX_CHARS: usize = 400;
/// Characters of the last message that are shown.
const MAX_MESSAGE_CHARS: usize = 2_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reply {
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
    if question.deadline.millis_since(engine.runtime.now()) < RESERVED_MS {
        return None;
    }
    match ask_model(&engine.runtime, model.as_ref(), question).await {
        Ok(rewritten) => Some(rewritten),
        // The answer's own call says so in the log.
        Err(ModelError::BudgetSpent) => None,
        Err(error) => {
            tracing::warn!(metric.ModelFailures = 1, model.name = model.name(), error = %error, "failed to rewrite a follow-up; it is searched as written");
            None
        }
    }
}

async fn ask_model(
    runtime: &Runtime,
    model: &dyn LanguageModel,
    question: &Question<'_>,
) -> Result<String, ModelError> {
    let boundary = Boundary::generate(runtime).map_err(|e| ModelError::Failed(e.to_string()))?;
    let history: Vec<PriorTurn<'_>> = question.history.iter().filter_map(PriorTurn::of).collect();
    let mut user = boundary.preamble();
    add_history(&mut user, &boundary, &history);
    boundary.fence(&mut user, "last message", &bounded(question.text, MAX_MESSAGE_CHARS));
    user.push_str("Reply with the JSON object and nothing else.\n");
    let request = ModelRequest { system: SYSTEM.to_owned(), user, max_tokens: MAX_TOKENS, timeout: TIMEOUT };
    let reply = tokio::time::timeout(TIMEOUT, model.complete(&request)).await.unwrap_or(Err(ModelError::Timeout))?;
    read(&reply, boundary.as_str()).ok_or_else(|| ModelError::Unusable("no question that stands alone".to_owned()))
}

/// The question in a reply, if it is one: a line of text without markup, of a question's length.
fn read(reply: &str, boundary: &str) -> Option<String> {
    // serde reads an array as a struct too.
    let Reply { question } = serde_json::from_str(reply.trim()).ok().filter(|_| reply.trim().starts_with('{'))?;
    let question = sanitise::visible(&question);
    let question = question.trim();
    let fits = !question.is_empty() && question.chars().count() <= MAX_CHARS;
    let leaks = [CANARY, boundary].iter().any(|secret| question.contains(secret));
    (fits && !leaks && !question.contains(['<', '>', '\n'])).then(|| question.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_question_is_taken() {
        let read = |reply: &str| read(reply, "data-1");
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
