//! `POST /inbox/takeover`.

use crate::Inbox;
use axum::extract::State;
use domain::Error;
use domain::models::EscalationId;
use edge::ApiResult;
use edge::input::{flattened, id, optional};
use edge::{IdempotencyKey, InboxAgent, Json, OptionalJsonIn, Replayed, RequestMeta};

use crate::act::AgentIn;
use crate::case::{CaseOut, answer};

edge::body! {
    /// Which one to take over, and who does.
    #[derive(Debug)]
    pub(crate) struct TakeoverIn as "TakeoverRequest" {
        agent: AgentIn = "" => flattened::<AgentIn>(),
        /// The request for a human; by default the first in queue order.
        escalation_id: Option<String> = "escalationId" => optional(id::<EscalationId>(200)),
    }
}

edge::endpoint! {
    /// Take over the next customer, or a named one.
    ///
    /// 404 with `QUEUE_EMPTY` where nobody waits. The claim ends after 30 minutes without a message of the agent.
    pub(crate) TakeOver = POST "/api/v1/inbox/takeover" => take_over;
    honours: [IdempotencyKey],
    fails: [NotFound, Conflict, InvalidState, AlreadyClaimed],
    example: {"agentId": "anna", "agentName": "Anna", "escalationId": "esc_01JDB8Q7XKZ3T5V9W2Y4A6C8EG"},
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
