//! `GET /sessions`, `GET /sessions/:id`, and `GET /sessions/:id/messages`.

use std::collections::BTreeMap;

use axum::extract::State;
use domain::access::{Permission, Principal};
use domain::error::DetailCode;
use domain::models::{Day, Escalation, EscalationId, MessageId, Ownership, Scope, Session, SessionId};
use domain::wire::{SessionOut, TurnOut, Viewer};
use domain::{Error, Result};
use schemars::JsonSchema;
use serde::Serialize;

use crate::edge::input::{Parse, choice, words};
use crate::edge::query::{Parsed, email, integer, parsed, text};
use crate::edge::{
    self, ApiResult, App, Conditional, CursorPageOut, IfNoneMatch, Json, PathIn, QueryIn, SessionCaller, SessionLister,
};
use crate::requester::answer_viewer;
use crate::sessions::conversation::ConversationService;
use crate::sessions::table::lists::{DayCursor, PageBound, SessionPage};
use crate::table::pages::CursorPage;

/// How many pages one request reads to find sessions that pass the filters; beyond, the caller gets a cursor.
const MAX_PAGES_PER_REQUEST: usize = 10;

edge::query! {
    /// The sessions to list.
    #[derive(Debug)]
    pub(crate) struct ListSessionsQuery {
        /// Only sessions that this one answers.
        ownership: Option<Ownership> = "ownership" => choice::<Ownership>(),
        /// Only sessions of this visitor.
        external_user_id: Option<String> = "externalUserId" => text(1, 200),
        /// Only sessions whose user has this e-mail address, compared in lower case (ASCII). Write `+` as `%2B`.
        email: Option<String> = "email" => email(),
        /// Only sessions with this tag.
        tag: Option<String> = "tag" => text(1, 50),
        /// Only sessions that were created on this UTC day or later; without previews, as in the figures.
        first: Option<Day> = "from" => parsed(day),
        /// Only sessions that were created on this UTC day or earlier; without previews, as in the figures.
        last: Option<Day> = "to" => parsed(day),
        /// Only sessions with a question for which a human was (`true`), or was never (`false`), asked: those of
        /// `escalationRate`, or of `containmentRate`.
        escalated: Option<bool> = "escalated" => words(&[("true", true), ("false", false)]),
    }
    cursor: from: DayCursor, list = (
        ownership.map(Ownership::as_str),
        external_user_id.as_deref(),
        email.as_deref(),
        tag.as_deref(),
        first.map(|day| day.to_string()).as_deref(),
        last.map(|day| day.to_string()).as_deref(),
        escalated.map(|it| if it { "true" } else { "false" }),
    );
    limit: limit;
}

edge::endpoint! {
    /// List conversations, newest first.
    ///
    /// A page may be short, or empty, with `hasMore: true`: one answer reads 1 MiB of sessions at the most.
    pub(crate) ListSessions = GET "/api/v1/sessions" => list_sessions;
    rate_class: List,
    example_query: {"ownership": "ai", "limit": 10},
}

fn day(text: &str) -> std::result::Result<Day, &'static str> {
    Day::parse(text).ok_or("must be a day such as 2026-01-31")
}

impl ListSessionsQuery {
    /// Whether a session passes every filter, also the one by which it was found.
    fn wants(&self, session: &Session) -> bool {
        let email = session.user.as_ref().and_then(|user| user.email.as_ref());
        self.ownership.is_none_or(|owner| owner == session.ownership())
            && self.external_user_id.as_ref().is_none_or(|it| session.external_user_id.as_ref() == Some(it))
            && self.email.as_ref().is_none_or(|it| email.is_some_and(|email| email.eq_ignore_ascii_case(it)))
            && self.tag.as_ref().is_none_or(|it| session.tags.contains(it))
            && self.counts(session)
    }

    /// Whether a session is among those that the figures of these days count.
    fn counts(&self, session: &Session) -> bool {
        let created = Day::of(session.created_at);
        let is_of_figures = self.first.is_some() || self.last.is_some() || self.escalated.is_some();
        self.first.is_none_or(|first| first <= created)
            && self.last.is_none_or(|last| created <= last)
            && self.escalated.is_none_or(|it| session.has_customer_message && session.ever_escalated == it)
            && !(is_of_figures && session.is_preview())
    }
}

/// Lists the sessions of a tenant and mode.
async fn list_sessions(
    State(app): State<App>,
    caller: SessionLister,
    QueryIn(query): QueryIn<ListSessionsQuery>,
) -> ApiResult<Json<CursorPageOut<SessionOut>>> {
    let (mut found, mut next) = find_sessions(&app, caller.scope(), &query).await?;
    if found.len() > query.limit {
        found.truncate(query.limit);
        next = found.last().map(|(_, cursor)| cursor.clone());
    }
    let page = CursorPage { items: found, next };
    let viewer = Viewer::of(&caller);
    let mut parts = human_parts(&app, &caller, &query, &page.items).await?;
    let line = |(session, _): (Session, DayCursor)| {
        let part = session.last_human_part.as_ref().and_then(|id| parts.remove(id));
        SessionOut::listed(session, viewer, part)
    };
    Ok(Json(CursorPageOut::new(page, &query.list, line)?))
}

/// The last acts of people in each conversation of one customer, for callers who work in the inbox.
async fn human_parts(
    app: &App,
    caller: &Principal,
    query: &ListSessionsQuery,
    found: &[(Session, DayCursor)],
) -> Result<BTreeMap<EscalationId, Escalation>> {
    let is_of_one = query.external_user_id.is_some() || query.email.is_some();
    if !is_of_one || !Permission::Inbox.allows(caller) {
        return Ok(BTreeMap::new());
    }
    let ids = found.iter().filter_map(|(session, _)| session.last_human_part.as_ref());
    let parts = app.store.escalations().get_many(caller.scope(), ids).await?;
    Ok(parts.into_iter().map(|part| (part.escalation_id.clone(), part)).collect())
}

/// One session more than requested, if there is one, so that `hasMore` is exact.
async fn find_sessions(
    app: &App,
    scope: &Scope,
    query: &ListSessionsQuery,
) -> Result<(Vec<(Session, DayCursor)>, Option<DayCursor>)> {
    let mut found = Vec::new();
    let mut from = match &query.from {
        Some(from) => from.clone(),
        None => {
            let now = app.runtime.now();
            DayCursor::newest_of_day(query.last.map_or(now, |last| now.min(last.start())))
        }
    };
    let mut max_bytes = PageBound::of(query.limit).max_bytes;
    for _ in 0..MAX_PAGES_PER_REQUEST {
        let bound = PageBound { limit: query.limit + 1 - found.len(), max_bytes };
        let page = read_page(app, scope, query, from, bound).await?;
        max_bytes = max_bytes.saturating_sub(page.bytes);
        let nothing = page.sessions.is_empty();
        found.extend(page.sessions.into_iter().filter(|(session, _)| query.wants(session)));
        match page.next {
            // After empty days, or 1 MiB, the caller continues from there: no request reads years.
            Some(next) if found.len() <= query.limit && !nothing && max_bytes > 0 => from = next,
            next => return Ok((found, next)),
        }
    }
    Ok((found, Some(from)))
}

async fn read_page(
    app: &App,
    scope: &Scope,
    query: &ListSessionsQuery,
    from: DayCursor,
    bound: PageBound,
) -> Result<SessionPage> {
    let sessions = app.store.sessions();
    if let Some(email) = &query.email {
        return sessions.list_of_email(scope, email, from, bound).await;
    }
    if let Some(visitor) = &query.external_user_id {
        return sessions.list_of_visitor(scope, visitor, from, bound).await;
    }
    let tenant = app.store.tenants().get(&scope.tenant).await?;
    let Some(tenant) = tenant else { return Ok(SessionPage::default()) };
    let oldest = query.first.map_or(tenant.created_at, |first| tenant.created_at.max(first.start()));
    sessions.list(scope, from, oldest, bound).await
}

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
async fn get_session(
    conversation: ConversationService,
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
async fn list_messages(
    conversation: ConversationService,
    caller: SessionCaller,
    has: IfNoneMatch,
    PathIn(id): PathIn<SessionId>,
    QueryIn(query): QueryIn<ListMessagesQuery>,
) -> ApiResult<Conditional<Json<TurnListOut>>> {
    // Before its turns: a change between the two reads is seen by the next request at the latest.
    let session = conversation.session(&caller, &id).await?;
    let position = conversation.queue_position(caller.scope(), &session).await?;
    let viewer = answer_viewer(&conversation.store, &caller).await?;
    let tag = has.tag(revision(&session, viewer, position));
    if has.names(&tag) {
        return Ok(Conditional::NotModified(tag));
    }
    let limit = query.limit.and_then(|limit| usize::try_from(limit).ok());
    let after = turn_after_cursor(&conversation, caller.scope(), &id, &query).await?;
    let page =
        conversation.store.sessions().list_turns_after(caller.scope(), &id, after, limit, MAX_PAGE_BYTES).await?;
    // The cursor names the last turn that was read, seen by the caller or not, so that the next page starts behind it.
    let next_cursor = page.turns.last().filter(|_| page.has_more).map(|turn| turn.message_id.clone());
    let items = TurnOut::visible(page.turns, viewer);
    let session = SessionOut::new(session, Viewer::of(&caller)).with_queue_position(position);
    Ok(Conditional::new(tag, Json(TurnListOut { items, next_cursor, has_more: page.has_more, session })))
}

/// The number of the turn that the query names, after a check that the turn exists.
async fn turn_after_cursor(app: &App, scope: &Scope, id: &SessionId, query: &ListMessagesQuery) -> Result<u32> {
    let (named_by, named) = match (&query.after, &query.cursor) {
        (Some(after), _) => ("after", after),
        (None, Some(cursor)) => ("cursor", cursor),
        (None, None) => return Ok(0),
    };
    let turn = app.store.sessions().get_turn(scope, id, named.turn_number()).await?;
    if turn.is_some_and(|turn| turn.message_id == *named) {
        return Ok(named.turn_number());
    }
    Err(Error::invalid(named_by, DetailCode::UnknownMessage, "must be the messageId of a turn of this session"))
}
