//! `GET /analytics/disliked-answers`: the answers that customers disliked.

use axum::extract::State;
use domain::Result;
use domain::gaps::masked_question;
use domain::models::{MessageId, Reaction, Scope, Session, SessionId, Source, Timestamp, WikiPath};
use futures::future::try_join_all;
use schemars::JsonSchema;
use serde::Serialize;

use crate::edge::{self, AnalyticsReader, ApiResult, App, CursorPageOut, Json, QueryIn};
use crate::sessions::conversation::classification::combined_question as as_one_question;
use crate::sessions::table::lists::DislikedAnswer;
use crate::table::Store;
use crate::table::pages::CursorPage;

/// How often the list is read for one page.
const MAX_ROUNDS: usize = 5;

edge::query! {
    /// The filter of the disliked answers.
    #[derive(Debug)]
    pub(crate) struct ListDislikedQuery {}
    cursor: from: MessageId, list = ();
    limit: limit;
}

/// An entry that a disliked answer cites.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "CitedEntry")]
struct CitedOut {
    /// The entry.
    path: WikiPath,
    /// Its title, as it was then.
    title: String,
    /// The version that was read.
    version: u64,
    /// The answer was made from it.
    used: bool,
}

impl From<Source> for CitedOut {
    fn from(Source { path, title, version, used, .. }: Source) -> Self {
        Self { path, title, version, used }
    }
}

/// An answer that a customer disliked.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "DislikedAnswer")]
pub(crate) struct DislikedOut {
    /// Its session.
    session_id: SessionId,
    /// The message of the answer.
    message_id: MessageId,
    /// The customer's question, on one line, personal data masked, at most 500 characters.
    question: String,
    /// The beginning of the answer, on one line, personal data masked, at most 500 characters of its Markdown.
    answer: String,
    /// How sure the answer was.
    #[schemars(range(min = 0, max = 1))]
    confidence: f64,
    /// The entries that it cites, the most likely first.
    sources: Vec<CitedOut>,
    /// What the customer wrote with the rating of the people who then helped, personal data masked; null without one.
    comment: Option<String>,
    /// When it was answered.
    created_at: Timestamp,
}

edge::endpoint! {
    /// List the answers that customers disliked.
    ///
    /// Those with `thumbs_down`, without small talk and previews, the newest answer first, while their session is kept. One
    /// whose reaction is taken back, or replaced by `thumbs_up`, is not listed. A page may be short, or empty, with
    /// `hasMore: true`.
    pub(crate) ListDislikedAnswers = GET "/api/v1/analytics/disliked-answers" => list_disliked;
    rate_class: List,
    example_query: {"limit": 10},
}

async fn list_disliked(
    State(app): State<App>,
    caller: AnalyticsReader,
    QueryIn(query): QueryIn<ListDislikedQuery>,
) -> ApiResult<Json<CursorPageOut<DislikedOut>>> {
    let ListDislikedQuery { from, list, limit } = query;
    let (store, scope) = (&app.store, caller.scope());
    let mut found = CursorPage { items: Vec::new(), next: from };
    for _ in 0..MAX_ROUNDS {
        let wanted = limit - found.items.len();
        let page = store.sessions().list_disliked(scope, found.next.as_ref(), wanted).await?;
        found.next = page.next;
        let shown = try_join_all(page.items.into_iter().map(|one| disliked(store, scope, one))).await?;
        found.items.extend(shown.into_iter().flatten());
        if found.next.is_none() || found.items.len() == limit {
            break;
        }
    }
    Ok(Json(CursorPageOut::new(found, &list, std::convert::identity)?))
}

/// The answer; none if the session is gone or a preview, or the reaction was taken back meanwhile.
async fn disliked(store: &Store, scope: &Scope, one: DislikedAnswer) -> Result<Option<DislikedOut>> {
    let DislikedAnswer { session_id, message_id } = one;
    let (sessions, number) = (store.sessions(), message_id.turn_number());
    let (session, turn) =
        futures::try_join!(sessions.get(scope, &session_id), sessions.get_turn(scope, &session_id, number))?;
    let session = session.filter(|session| !session.is_preview());
    let (Some(session), Some(turn)) = (session, turn.filter(|turn| turn.message_id == message_id)) else {
        return Ok(None);
    };
    let Some(ai) = turn.ai().filter(|ai| ai.reactions.contains(&Reaction::ThumbsDown)) else { return Ok(None) };
    let (asked, comment) =
        futures::try_join!(sessions.list_answered_by(scope, &session_id, &turn), comment(store, scope, &session))?;
    Ok(Some(DislikedOut {
        question: masked_question(&as_one_question(&asked)),
        answer: masked_question(&turn.content),
        confidence: ai.confidence,
        sources: turn.sources().iter().cloned().map(CitedOut::from).collect(),
        comment,
        created_at: turn.created_at,
        session_id,
        message_id,
    }))
}

/// The comment of the newest rating in the session.
async fn comment(store: &Store, scope: &Scope, session: &Session) -> Result<Option<String>> {
    let Some(id) = session.last_human_part.as_ref() else { return Ok(None) };
    let rated = store.escalations().get(scope, id).await?;
    let comment = rated.and_then(|escalation| escalation.rating?.comment);
    Ok(comment.map(|comment| masked_question(&comment)))
}
