//! `GET /sessions/:id` and its messages.

use crate::Sessions;
use app::conversation::Conversation;
use app::viewer::viewer_of_answers;
use axum::extract::State;
use domain::models::{MessageId, Scope, SessionId};
use domain::wire::{SessionOut, TurnOut, Viewer};
use domain::{Error, Result};
use edge::ApiResult;
use edge::{FromQuery, Json, PathIn, Query, QueryIn, SessionCaller};
use serde::Serialize;

/// How much text one answer holds at the most.
const MAX_BYTES: usize = 4 * 1024 * 1024;

/// Reads a session; one that awaits a human with its place in the queue.
pub(crate) async fn get_session(
    State(conversation): State<Conversation>,
    caller: SessionCaller,
    PathIn(id): PathIn<SessionId>,
) -> ApiResult<Json<SessionOut>> {
    let session = conversation.session(&caller, &id).await?;
    let position = conversation.queue_position(caller.scope(), &session).await?;
    Ok(Json(SessionOut::new(session, Viewer::of(&caller)).at_queue_position(position)))
}

/// Which turns to read.
#[derive(Debug)]
pub(crate) struct ListMessagesQuery {
    after: Option<MessageId>,
    /// Pages are asked for by naming a limit; without one, all turns come.
    limit: Option<usize>,
    /// Which parameter named `after`.
    named_by: &'static str,
}

impl FromQuery for ListMessagesQuery {
    fn from_query(query: &mut Query) -> Option<Self> {
        let id = |text: &str| MessageId::parse(text).ok_or("must be the messageId of a turn of this session");
        let after = query.parsed("after", id);
        let cursor = query.parsed("cursor", id);
        let limit = query.has("limit").then(|| query.limit());
        if after.is_some() && cursor.is_some() {
            query.problem("cursor", "CONFLICT", "give after or cursor, not both");
        }
        let named_by = if after.is_some() { "after" } else { "cursor" };
        Some(Self { after: after.or(cursor), limit, named_by })
    }
}

/// Turns, oldest first.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TurnListOut {
    items: Vec<TurnOut>,
    next_cursor: Option<MessageId>,
    has_more: bool,
}

/// Lists a session's turns.
pub(crate) async fn list_messages(
    State(ctx): State<Sessions>,
    caller: SessionCaller,
    PathIn(id): PathIn<SessionId>,
    QueryIn(query): QueryIn<ListMessagesQuery>,
) -> ApiResult<Json<TurnListOut>> {
    ctx.conversation.session(&caller, &id).await?;
    let after = number_after(&ctx, caller.scope(), &id, &query).await?;
    let page = ctx.store.sessions().turns_after(caller.scope(), &id, after, query.limit, MAX_BYTES).await?;
    // The cursor names the last turn that was read, seen by the caller or not, so that the next page starts behind it.
    let next_cursor = page.turns.last().filter(|_| page.has_more).map(|turn| turn.message_id.clone());
    let items = TurnOut::visible(page.turns, viewer_of_answers(&ctx.store, &caller).await?);
    Ok(Json(TurnListOut { items, next_cursor, has_more: page.has_more }))
}

/// The number that a message id carries, once the turn is seen to be the one that is meant.
async fn number_after(ctx: &Sessions, scope: &Scope, id: &SessionId, query: &ListMessagesQuery) -> Result<u32> {
    let Some(named) = &query.after else { return Ok(0) };
    let turn = ctx.store.sessions().turn(scope, id, named.turn_number()).await?;
    if turn.is_some_and(|turn| turn.message_id == *named) {
        return Ok(named.turn_number());
    }
    Err(Error::invalid(query.named_by, "UNKNOWN_MESSAGE", "must be the messageId of a turn of this session"))
}
