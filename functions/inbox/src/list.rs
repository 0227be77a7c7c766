//! `GET /inbox`.

use crate::Inbox;
use aws::store::sessions::EscalationPage;
use axum::extract::State;
use domain::Result;
use domain::models::{EscalationStatus, Scope};
use domain::wire::EscalationOut;
use edge::ApiResult;
use edge::{FromQuery, InboxAgent, Json, Query, QueryIn, cursor};
use serde::Serialize;

/// What to list: the requests of one status, or those of them that one agent claimed.
#[derive(Debug)]
pub(crate) struct InboxQuery {
    status: EscalationStatus,
    agent: Option<String>,
    from: Option<String>,
    limit: usize,
}

impl FromQuery for InboxQuery {
    fn from_query(query: &mut Query) -> Option<Self> {
        let known: Vec<_> = EscalationStatus::ALL.iter().map(|status| status.as_str()).collect();
        let status = query.choice("status", EscalationStatus::parse, &known);
        let agent = query.text("agentId", 1, 200);
        let default = if agent.is_some() { EscalationStatus::Claimed } else { EscalationStatus::Pending };
        let status = status.unwrap_or(default);
        let from = query.cursor(&cursors(status, agent.as_deref()));
        Some(Self { status, agent, from, limit: query.limit() })
    }
}

/// The list that cursors are of.
fn cursors(status: EscalationStatus, agent: Option<&str>) -> cursor::List {
    cursor::List::new("inbox", &[Some(status.as_str()), agent])
}

/// Requests for a human, and how many there are.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InboxOut {
    items: Vec<EscalationOut>,
    next_cursor: Option<String>,
    has_more: bool,
    counts: CountsOut,
}

/// How many there are; `capped` where there are more than are counted.
#[derive(Debug, Serialize)]
struct CountsOut {
    pending: u32,
    claimed: u32,
    capped: bool,
}

async fn list(ctx: &Inbox, scope: &Scope, query: InboxQuery) -> Result<EscalationPage> {
    let escalations = ctx.store.escalations();
    let InboxQuery { status, agent, from, limit } = query;
    match agent {
        Some(agent) => escalations.list_claimed_by(scope, status, &agent, from, limit).await,
        None => escalations.list(scope, status, from, limit).await,
    }
}

/// Lists the requests of one status.
pub(crate) async fn list_escalations(
    State(ctx): State<Inbox>,
    caller: InboxAgent,
    QueryIn(query): QueryIn<InboxQuery>,
) -> ApiResult<Json<InboxOut>> {
    let (escalations, scope) = (ctx.store.escalations(), caller.scope());
    let cursors = cursors(query.status, query.agent.as_deref());
    let (page, pending, claimed) = tokio::try_join!(
        list(&ctx, scope, query),
        escalations.count(scope, EscalationStatus::Pending),
        escalations.count(scope, EscalationStatus::Claimed),
    )?;
    let next_cursor = page.next.as_ref().map(|next| cursor::encode(&cursors, next)).transpose()?;
    Ok(Json(InboxOut {
        has_more: next_cursor.is_some(),
        next_cursor,
        items: page.items.into_iter().map(EscalationOut::from).collect(),
        counts: CountsOut { pending: pending.0, claimed: claimed.0, capped: pending.1 || claimed.1 },
    }))
}
