//! `GET /inbox`: the requests for a human. `GET /inbox/agents`: to whom a conversation may be handed. `GET /inbox/:id`,
//! which is also the response of every act: the escalation with its conversation.

use axum::extract::State;
use domain::access::Principal;
use domain::limits;
use domain::models::{Availability, EscalationId, EscalationStatus, Member, MemberId};
use domain::wire::{EscalationOut, SessionOut, TurnOut, Viewer};
use schemars::JsonSchema;
use serde::Serialize;

use crate::edge::input::{choice, words};
use crate::edge::query::text;
use crate::edge::{
    self, ApiResult, App, Conditional, CursorPageOut, IfNoneMatch, InboxAgent, Json, PathIn, QueryIn, Replayed,
    require_live_key,
};
use crate::inbox::claim::Case;
use crate::sessions::conversation::ConversationService;
use crate::sessions::table::escalations::{InboxFilter, InboxPlace};

/// The list is read again after so many seconds, whatever its revision says: the index or the stream may be behind.
const LIST_SECONDS: i64 = 20;

edge::query! {
    /// The requests to list: those of one status, or some of them.
    #[derive(Debug)]
    pub(crate) struct InboxQuery {
        /// Requests that stand so; by default `pending`, with `agentId` or `snoozed` `claimed`.
        status: Option<EscalationStatus> = "status" => choice::<EscalationStatus>(),
        /// Only what this agent claimed; a key that claimed without an `agentId` goes by its `keyId`.
        agent: Option<String> = "agentId" => text(1, 200),
        /// Only what its agent put off, or only what nobody put off.
        snoozed: Option<bool> = "snoozed" => words(&[("true", true), ("false", false)]),
        /// Only those whose session has this tag.
        tag: Option<String> = "tag" => text(1, limits::TAG.max),
    }
    cursor: from: InboxPlace, list = (
        Some(listed_status(status, agent.as_deref(), snoozed).as_str()),
        agent.as_deref(),
        snoozed.map(|snoozed| if snoozed { "true" } else { "false" }),
        tag.as_deref(),
    );
    limit: limit;
}

const fn listed_status(
    status: Option<EscalationStatus>,
    agent: Option<&str>,
    snoozed: Option<bool>,
) -> EscalationStatus {
    match (status, agent, snoozed) {
        (Some(status), ..) => status,
        (None, None, None) => EscalationStatus::Pending,
        (None, ..) => EscalationStatus::Claimed,
    }
}

edge::endpoint! {
    /// List the customers who ask for a person.
    ///
    /// Pending ones in queue order, all others newest first. One answer reads 1 MiB at the most, so a page may be short,
    /// or empty, with `hasMore: true`. To ask whether anything is new, send the `ETag` as `If-None-Match`: a 304 is never
    /// older than 20 seconds.
    pub(crate) ListEscalations = GET "/api/v1/inbox" => list_escalations;
    rate_class: List,
    example_query: {"status": "pending", "limit": 10},
}

/// Requests for a human, and how many there are.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Inbox")]
pub(crate) struct InboxOut {
    #[serde(flatten)]
    page: CursorPageOut<EscalationOut>,
    /// How many there are in all.
    counts: CountsOut,
}

/// How many requests for a human there are.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "InboxCounts")]
struct CountsOut {
    /// Nobody took them yet, exact up to 1,000.
    pending: u32,
    /// An agent works on them, exact up to 1,000.
    claimed: u32,
    /// There are more than are counted.
    capped: bool,
}

async fn list_escalations(
    State(app): State<App>,
    caller: InboxAgent,
    has: IfNoneMatch,
    QueryIn(query): QueryIn<InboxQuery>,
) -> ApiResult<Conditional<Json<InboxOut>>> {
    let (escalations, scope) = (app.store.escalations(), caller.scope());
    // Before the list: what changes between the two reads is seen by the next request.
    let revision = app.store.inbox_revisions().get(scope).await?;
    let etag = has.tag(format!("{revision}.{}", app.runtime.now().as_seconds() / LIST_SECONDS));
    if has.names(&etag) {
        return Ok(Conditional::NotModified(etag));
    }
    let InboxQuery { status, agent, snoozed, tag, from, limit, list } = query;
    let filter = InboxFilter { claimed_by: agent.as_deref(), snoozed, tag: tag.as_deref(), leased: false };
    let status = listed_status(status, filter.claimed_by, snoozed);
    let (page, pending, claimed) = tokio::try_join!(
        escalations.list(scope, status, filter, from.as_ref(), limit),
        escalations.count(scope, EscalationStatus::Pending),
        escalations.count(scope, EscalationStatus::Claimed),
    )?;
    let inbox = InboxOut {
        page: CursorPageOut::new(page, &list, EscalationOut::listed)?,
        counts: CountsOut { pending: pending.0, claimed: claimed.0, capped: pending.1 || claimed.1 },
    };
    Ok(Conditional::new(etag, Json(inbox)))
}

/// The members who work in the inbox.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "AgentList")]
pub(crate) struct AgentListOut {
    /// At most 500, oldest first.
    items: Vec<AgentOut>,
}

/// A member who works in the inbox.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "InboxAgent")]
struct AgentOut {
    /// The `toAgentId` of a transfer.
    agent_id: MemberId,
    /// The name, for colleagues.
    name: String,
    /// Whether the member is there for customers.
    availability: Availability,
}

impl From<Member> for AgentOut {
    fn from(member: Member) -> Self {
        Self { agent_id: member.member_id, name: member.name, availability: member.availability }
    }
}

edge::endpoint! {
    /// List the colleagues who work in the inbox.
    ///
    /// Active members with the role admin or agent: to them a conversation can be transferred. A test key reads nobody
    /// (403).
    pub(crate) ListAgents = GET "/api/v1/inbox/agents" => list_agents;
    rate_class: List,
}

async fn list_agents(State(app): State<App>, caller: InboxAgent) -> ApiResult<Json<AgentListOut>> {
    require_live_key(&caller)?;
    let members = app.store.members().list(&caller.scope().tenant).await?;
    let items = members.into_iter().filter(Member::has_inbox).map(AgentOut::from).collect();
    Ok(Json(AgentListOut { items }))
}

/// A request for a human, its session and the newest turns.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Case")]
pub(crate) struct CaseOut {
    #[serde(flatten)]
    escalation: EscalationOut,
    /// Its session.
    session: SessionOut,
    /// The newest turns, at most 50.
    messages: Vec<TurnOut>,
}

impl CaseOut {
    pub(crate) fn new(case: Case, caller: &Principal) -> Self {
        let viewer = Viewer::of(caller);
        Self {
            escalation: case.escalation.into(),
            session: SessionOut::new(case.session, viewer),
            messages: TurnOut::visible(case.messages, viewer),
        }
    }
}

/// The answer to an action; one that was sent again says so.
pub(crate) fn case_response(case: Case, caller: &Principal) -> Replayed<Json<CaseOut>> {
    Replayed(case.replayed, Json(CaseOut::new(case, caller)))
}

edge::endpoint! {
    /// Read a request for a person, with its conversation.
    ///
    /// With the newest 50 turns. To ask whether anything is new, send the `ETag` as `If-None-Match`.
    pub(crate) GetEscalation = GET "/api/v1/inbox/{id}" => get_escalation;
}

async fn get_escalation(
    conversation: ConversationService,
    caller: InboxAgent,
    has: IfNoneMatch,
    PathIn(id): PathIn<EscalationId>,
) -> ApiResult<Conditional<Json<CaseOut>>> {
    let (escalation, session) = conversation.case_without_turns(caller.scope(), &id).await?;
    let tag = has.tag(format!("{}.{}", escalation.version, session.version));
    if has.names(&tag) {
        return Ok(Conditional::NotModified(tag));
    }
    let case = conversation.case_with_turns(caller.scope(), escalation, session).await?;
    Ok(Conditional::new(tag, Json(CaseOut::new(case, &caller))))
}
