//! `GET /inbox`.

use axum::extract::State;
use serde::Serialize;
use shared::http::{FromQuery, InboxAgent, Json, Query, QueryIn, cursor};
use shared::models::EscalationStatus;
use shared::wire::EscalationOut;
use shared::{Ctx, Result};

/// What to list.
#[derive(Debug)]
pub(crate) struct InboxQuery {
    status: EscalationStatus,
    from: Option<String>,
    limit: usize,
}

impl FromQuery for InboxQuery {
    fn from_query(query: &mut Query) -> Option<Self> {
        let known: Vec<_> = EscalationStatus::ALL.iter().map(|status| status.as_str()).collect();
        let status = query.choice("status", EscalationStatus::parse, &known);
        Some(Self { status: status.unwrap_or(EscalationStatus::Pending), from: query.cursor(), limit: query.limit() })
    }
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

/// Lists the requests of one status.
pub(crate) async fn list_escalations(
    State(ctx): State<Ctx>,
    caller: InboxAgent,
    QueryIn(query): QueryIn<InboxQuery>,
) -> Result<Json<InboxOut>> {
    let (escalations, scope) = (ctx.store.escalations(), caller.scope());
    let (page, pending, claimed) = tokio::try_join!(
        escalations.list(scope, query.status, query.from, query.limit),
        escalations.count(scope, EscalationStatus::Pending),
        escalations.count(scope, EscalationStatus::Claimed),
    )?;
    let next_cursor = page.next.as_ref().map(cursor::encode).transpose()?;
    Ok(Json(InboxOut {
        has_more: next_cursor.is_some(),
        next_cursor,
        items: page.items.into_iter().map(EscalationOut::from).collect(),
        counts: CountsOut { pending: pending.0, claimed: claimed.0, capped: pending.1 || claimed.1 },
    }))
}
