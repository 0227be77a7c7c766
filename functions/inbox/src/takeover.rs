//! `POST /inbox/takeover`.

use crate::Inbox;
use axum::extract::State;
use domain::Error;
use domain::models::EscalationId;
use edge::ApiResult;
use edge::{Fields, FromFields, IdempotencyKey, InboxAgent, Json, OptionalJsonIn, Replayed, RequestMeta};

use crate::act::AgentIn;
use crate::case::{CaseOut, answer};

/// A named escalation instead of the first of the queue. As text, because an invalid id is answered like one that never
/// existed.
#[derive(Debug)]
pub(crate) struct TakeoverIn {
    agent: AgentIn,
    escalation_id: Option<String>,
}

impl FromFields for TakeoverIn {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        Some(Self { agent: AgentIn::from_fields(fields)?, escalation_id: fields.text("escalationId", 1, 200) })
    }
}

/// Gives the first of the queue, or the one that is named, to exactly one agent.
pub(crate) async fn take_over(
    State(ctx): State<Inbox>,
    caller: InboxAgent,
    meta: RequestMeta,
    OptionalJsonIn(body): OptionalJsonIn<TakeoverIn>,
) -> ApiResult<Replayed<Json<CaseOut>>> {
    let named = body.escalation_id.map(|id| EscalationId::parse(&id).ok_or_else(|| Error::not_found("escalation")));
    let acting = body.agent.acting(&caller);
    let key = meta.idempotency_key.as_ref().map(IdempotencyKey::as_str);
    let case = ctx.conversation.takeover(&acting, named.transpose()?.as_ref(), key).await?;
    Ok(answer(case, &caller))
}
