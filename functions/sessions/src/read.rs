//! `GET /sessions/:id` and its messages.

use crate::state::Sessions;
use app::conversation::ConversationService;
use app::viewer::answer_viewer;
use axum::extract::State;
use domain::error::DetailCode;
use domain::models::{MessageId, Scope, Session, SessionId};
use domain::wire::{SessionOut, TurnOut, Viewer};
use domain::{Error, Result};
use edge::ApiResult;
use edge::input::Parse;
use edge::query::{Parsed, integer, parsed};
use edge::{Conditional, IfNoneMatch, Json, PathIn, QueryIn, SessionCaller};
use schemars::JsonSchema;
use serde::Serialize;

/// The maximum size of the text in one response, in bytes.
const MAX_PAGE_BYTES: usize = 4 * 1024 * 1024;

edge::endpoint! {
    /// Read what is known of a conversation.
    ///
    /// One that awaits a human comes with its place in the queue. To ask whether anything is new, send the `ETag` as
    /// `If-None-Match`.
    pub(crate) GetSession = GET "/api/v1/sessions/{id}" => get_session;
}

/// Reads a session; one that awaits a human with its place in the queue.
pub(crate) async fn get_session(
    State(conversation): State<ConversationService>,
    caller: SessionCaller,
    has: IfNoneMatch,
    PathIn(id): PathIn<SessionId>,
) -> ApiResult<Conditional<Json<SessionOut>>> {
    let session = conversation.session(&caller, &id).await?;
    let position = conversation.queue_position(caller.scope(), &session).await?;
    let viewer = Viewer::of(&caller);
    let tag = has.tag(revision(&session, viewer, position));
    if has.names(&tag) {
        return Ok(Conditional::NotModified(tag));
    }
    Ok(Conditional::new(tag, Json(SessionOut::new(session, viewer).with_queue_position(position))))
}

/// The view of a session and its turns changes with its version, with what its viewer may see, and with its
/// place in the queue.
fn revision(session: &Session, viewer: Viewer, position: Option<u32>) -> String {
    let class = [viewer.internal_notes, viewer.staff_details, viewer.internal_entries];
    let class: String = class.map(|may| if may { '1' } else { '0' }).iter().collect();
    format!("{}.{class}.{}", session.version_for(viewer.internal_notes), position.unwrap_or_default())
}

/// The id of a turn, as a place in the conversation.
const TURN: Parsed<MessageId, Parse<MessageId>> =
    parsed(|text| MessageId::parse(text).ok_or("must be the messageId of a turn of this session"));

edge::query! {
    /// The turns to read.
    #[derive(Debug)]
    pub(crate) struct ListMessagesQuery {
        /// Only what is newer than this message.
        after: Option<MessageId> = "after" => TURN,
        /// `nextCursor` of the answer before; empty for the first page.
        cursor: Option<MessageId> = "cursor" => TURN,
        /// How many turns at most; by default all, up to 4 MiB.
        limit: Option<u32> = "limit" => integer(1, 100),
    }
    either: "after", "cursor";
}

edge::endpoint! {
    /// Read the messages, oldest first.
    ///
    /// All turns come at once, up to 4 MiB; `limit` asks for pages. Internal notes are for admin, trainer and agent
    /// keys. The session comes with its turns, so that one request follows a conversation. To ask whether anything is new,
    /// send the `ETag` as `If-None-Match`.
    pub(crate) ListMessages = GET "/api/v1/sessions/{id}/messages" => list_messages;
    rate_class: Turns,
    example_query: {"limit": 50},
}

/// Turns, oldest first.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "TurnList")]
pub(crate) struct TurnListOut {
    /// The turns.
    items: Vec<TurnOut>,
    /// Where the next page begins.
    next_cursor: Option<MessageId>,
    /// There are newer turns.
    has_more: bool,
    /// The session just before the turns were read, as `GET /sessions/{id}` answers it.
    session: SessionOut,
}

/// Lists a session's turns.
pub(crate) async fn list_messages(
    State(state): State<Sessions>,
    caller: SessionCaller,
    has: IfNoneMatch,
    PathIn(id): PathIn<SessionId>,
    QueryIn(query): QueryIn<ListMessagesQuery>,
) -> ApiResult<Conditional<Json<TurnListOut>>> {
    // Before its turns: a change between the two reads is seen by the next request at the latest.
    let session = state.conversation.session(&caller, &id).await?;
    let position = state.conversation.queue_position(caller.scope(), &session).await?;
    let viewer = answer_viewer(&state.store, &caller).await?;
    let tag = has.tag(revision(&session, viewer, position));
    if has.names(&tag) {
        return Ok(Conditional::NotModified(tag));
    }
    let limit = query.limit.and_then(|limit| usize::try_from(limit).ok());
    let after = turn_after_cursor(&state, caller.scope(), &id, &query).await?;
    let page = state.store.sessions().list_turns_after(caller.scope(), &id, after, limit, MAX_PAGE_BYTES).await?;
    // The cursor names the last turn that was read, seen by the caller or not, so that the next page starts behind it.
    let next_cursor = page.turns.last().filter(|_| page.has_more).map(|turn| turn.message_id.clone());
    let items = TurnOut::visible(page.turns, viewer);
    let session = SessionOut::new(session, Viewer::of(&caller)).with_queue_position(position);
    Ok(Conditional::new(tag, Json(TurnListOut { items, next_cursor, has_more: page.has_more, session })))
}

/// The number of the turn that the query names, after a check that the turn exists.
async fn turn_after_cursor(state: &Sessions, scope: &Scope, id: &SessionId, query: &ListMessagesQuery) -> Result<u32> {
    let (named_by, named) = match (&query.after, &query.cursor) {
        (Some(after), _) => ("after", after),
        (None, Some(cursor)) => ("cursor", cursor),
        (None, None) => return Ok(0),
    };
    let turn = state.store.sessions().get_turn(scope, id, named.turn_number()).await?;
    if turn.is_some_and(|turn| turn.message_id == *named) {
        return Ok(named.turn_number());
    }
    Err(Error::invalid(named_by, DetailCode::UnknownMessage, "must be the messageId of a turn of this session"))
}
