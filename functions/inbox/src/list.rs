//! `GET /inbox`.

use crate::state::Inbox;
use aws::store::sessions::InboxPlace;
use axum::extract::State;
use domain::models::EscalationStatus;
use domain::wire::EscalationOut;
use edge::ApiResult;
use edge::input::choice;
use edge::query::text;
use edge::{CursorPageOut, InboxAgent, Json, QueryIn};
use schemars::JsonSchema;
use serde::Serialize;

edge::query! {
    /// What to list: the requests of one status, or those of them that one agent claimed.
    #[derive(Debug)]
    pub(crate) struct InboxQuery {
        /// Requests that stand so; by default `pending`, with `agentId` `claimed`.
        status: Option<EscalationStatus> = "status" => choice::<EscalationStatus>(),
        /// Only what this agent claimed; a key that claimed without an `agentId` goes by its `keyId`.
        agent: Option<String> = "agentId" => text(1, 200),
    }
    cursor: from: InboxPlace, list = (Some(listed_status(status, agent.as_deref()).as_str()), agent.as_deref());
    limit: limit;
}

/// Which status is listed.
const fn listed_status(status: Option<EscalationStatus>, agent: Option<&str>) -> EscalationStatus {
    match (status, agent) {
        (Some(status), _) => status,
        (None, Some(_)) => EscalationStatus::Claimed,
        (None, None) => EscalationStatus::Pending,
    }
}

edge::endpoint! {
    /// List requests for a human.
    ///
    /// Pending ones in queue order, all others newest first. One answer reads 1 MiB at the most, so a page may be short,
    /// or empty, with `hasMore: true`.
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

pub(crate) async fn list_escalations(
    State(state): State<Inbox>,
    caller: InboxAgent,
    QueryIn(query): QueryIn<InboxQuery>,
) -> ApiResult<Json<InboxOut>> {
    let (escalations, scope) = (state.store.escalations(), caller.scope());
    let InboxQuery { status, agent, from, limit, list } = query;
    let agent = agent.as_deref();
    let (page, pending, claimed) = tokio::try_join!(
        escalations.list(scope, listed_status(status, agent), agent, from.as_ref(), limit),
        escalations.count(scope, EscalationStatus::Pending),
        escalations.count(scope, EscalationStatus::Claimed),
    )?;
    Ok(Json(InboxOut {
        page: CursorPageOut::new(page, &list, EscalationOut::from)?,
        counts: CountsOut { pending: pending.0, claimed: claimed.0, capped: pending.1 || claimed.1 },
    }))
}
