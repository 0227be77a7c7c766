//! `POST /inbox/:id/suggestion`.

use app::conversation::{ConversationService, Suggestion};
use axum::extract::State;
use domain::models::{Disposition, EscalationId, Source, Visibility};
use domain::wire::SourceOut;
use edge::ApiResult;
use edge::input::{flag, or};
use edge::{InboxAgent, Json, OptionalJsonIn, PathIn};
use schemars::JsonSchema;
use serde::Serialize;

edge::body! {
    /// The entries that a suggestion may be made from.
    #[derive(Debug)]
    pub(crate) struct SuggestionIn as "SuggestionRequest" {
        /// From internal entries too, also where the customer would not be answered with them.
        include_internal: bool = "includeInternal" => or(flag(), false),
    }
}

/// The answer that the AI would give.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Suggestion")]
pub(crate) struct SuggestionOut {
    /// Markdown; empty where the customer wrote nothing.
    answer: String,
    /// The nearest entries, those that it was made from first, at most 3.
    sources: Vec<SuggestionSourceOut>,
    /// How likely the answer is in the wiki.
    #[schemars(range(min = 0, max = 1))]
    confidence: f64,
    /// The outcome that it would have.
    disposition: Disposition,
}

/// An entry near what the customer asks.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "SuggestionSource")]
struct SuggestionSourceOut {
    #[serde(flatten)]
    source: SourceOut,
    /// Who may read it.
    visibility: Option<Visibility>,
}

impl From<Source> for SuggestionSourceOut {
    fn from(source: Source) -> Self {
        Self { visibility: source.visibility, source: source.into() }
    }
}

impl From<Suggestion> for SuggestionOut {
    fn from(suggestion: Suggestion) -> Self {
        let Suggestion { answer, sources, confidence, disposition } = suggestion;
        Self { answer, sources: sources.into_iter().map(Into::into).collect(), confidence, disposition }
    }
}

edge::endpoint! {
    /// Ask what the assistant would answer.
    ///
    /// To what the customer wrote since the last answer, or else to what the customer wrote last; from what the session
    /// may be answered with, or from every entry. Nothing is stored, counted or told of, but the calls of a language model; an `Idempotency-Key` is ignored.
    pub(crate) SuggestAnswer = POST "/api/v1/inbox/{id}/suggestion" => suggest_answer;
    rate_class: List,
    example: {"includeInternal": true},
}

pub(crate) async fn suggest_answer(
    State(conversation): State<ConversationService>,
    caller: InboxAgent,
    PathIn(id): PathIn<EscalationId>,
    OptionalJsonIn(body): OptionalJsonIn<SuggestionIn>,
) -> ApiResult<Json<SuggestionOut>> {
    Ok(Json(conversation.suggest(caller.scope(), &id, body.include_internal).await?.into()))
}
