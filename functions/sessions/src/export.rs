//! `GET /sessions/:id/export`.

use crate::Sessions;
use axum::extract::State;
use domain::models::{AuditAction, AuditEntry, EscalationId, MessageId, SessionId};
use domain::wire::{EscalationOut, SessionOut, TurnOut, Viewer};
use edge::ApiResult;
use edge::query::integer;
use edge::{Json, PathIn, QueryIn, RequestMeta, SessionEraser, cursor};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How much text of turns a page holds at the most.
const MAX_PAGE_BYTES: usize = 4 * 1024 * 1024;
/// How many escalations a page holds at most. Beside 4 MiB of turns they fit into the 6 MB that a function may answer.
const ESCALATIONS_A_PAGE: usize = 50;

edge::query! {
    /// The page of an export to read.
    #[derive(Debug)]
    pub(crate) struct ExportQuery {
        /// How many turns, and how many escalations, a page holds at most; by default up to 4 MiB of turns.
        limit: Option<u32> = "limit" => integer(1, 100),
    }
    cursor: from: Position, list = ();
}

edge::endpoint! {
    /// Export a conversation.
    ///
    /// The session with its turns, internal notes too, each with its reactions, and with its escalations, both oldest
    /// first. A page holds up to 4 MiB of turns and 50 escalations. The audit has an entry for each page.
    pub(crate) ExportSession = GET "/api/v1/sessions/{id}/export" => export_session;
    rate_class: List,
    example_query: {"limit": 100},
}

/// Where a page begins: behind this turn and behind this escalation.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Position(Option<MessageId>, Option<EscalationId>);

/// A session with what belongs to it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SessionExport")]
pub(crate) struct SessionExportOut {
    #[serde(flatten)]
    session: SessionOut,
    /// Its turns, each with its reactions.
    messages: Vec<TurnOut>,
    /// Its escalations.
    escalations: Vec<EscalationOut>,
    /// Where the next page begins.
    next_cursor: Option<String>,
    /// There is a next page.
    has_more: bool,
}

/// Reads a page of all that belongs to a session.
pub(crate) async fn export_session(
    State(state): State<Sessions>,
    caller: SessionEraser,
    PathIn(id): PathIn<SessionId>,
    QueryIn(query): QueryIn<ExportQuery>,
    meta: RequestMeta,
) -> ApiResult<Json<SessionExportOut>> {
    let session = state.conversation.session(&caller, &id).await?;
    let entry = AuditEntry::new(&caller, AuditAction::SessionExported, id.as_str(), meta.received_at);
    state.store.audit().add(caller.tenant(), &entry).await?;
    let Position(turn, escalation) = query.from.unwrap_or_default();
    let after = turn.as_ref().map_or(0, MessageId::turn_number);
    let limit = query.limit.and_then(|limit| usize::try_from(limit).ok());
    let escalations_limit = limit.map_or(ESCALATIONS_A_PAGE, |limit| limit.min(ESCALATIONS_A_PAGE));
    let (sessions, escalations) = (state.store.sessions(), state.store.escalations());
    let turns = sessions.list_turns_after(caller.scope(), &id, after, limit, MAX_PAGE_BYTES).await?;
    let escalations = escalations.list_of_session(caller.scope(), &id, escalation.as_ref(), escalations_limit).await?;
    let has_more = turns.has_more || escalations.next.is_some();
    let next = Position(
        turns.turns.last().map(|last| last.message_id.clone()).or(turn),
        escalations.items.last().map(|last| last.escalation_id.clone()).or(escalation),
    );
    let viewer = Viewer::of(&caller);
    Ok(Json(SessionExportOut {
        session: SessionOut::new(session, viewer),
        messages: TurnOut::visible(turns.turns, viewer),
        escalations: escalations.items.into_iter().map(EscalationOut::from).collect(),
        next_cursor: has_more.then(|| cursor::encode(&query.list, &next)).transpose()?,
        has_more,
    }))
}
