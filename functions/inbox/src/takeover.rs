//! `POST /inbox/takeover`.

use crate::state::Inbox;
use axum::extract::State;
use domain::models::EscalationId;
use edge::ApiResult;
use edge::input::{flattened, id, optional};
use edge::{InboxAgent, Json, OnceIn, OptionalJsonIn, Replayed};

use crate::agent::AgentIn;
use crate::case::{CaseOut, case_response};

edge::body! {
    /// Which one to take over, and who does.
    #[derive(Debug)]
    pub(crate) struct TakeoverIn as "TakeoverRequest" {
        agent: AgentIn = "" => flattened::<AgentIn>(),
        /// The request for a human; by default the first in queue order.
        escalation_id: Option<EscalationId> = "escalationId" => optional(id::<EscalationId>()),
    }
}

edge::endpoint! {
    /// Take the next customer who waits, or a certain one.
    ///
    /// 404 with `QUEUE_EMPTY` where nobody waits. The claim ends after 30 minutes without a message of the agent.
    pub(crate) TakeOverEscalation = POST "/api/v1/inbox/takeover" => take_over_escalation;
    supports: [IdempotencyKey],
    errors: [NotFound, Conflict, InvalidState, AlreadyClaimed],
    example: {"agentId": "anna", "agentName": "Anna", "escalationId": "esc_01JDB8Q7XKZ3T5V9W2Y4A6C8EG"},
}

pub(crate) async fn take_over_escalation(
    State(state): State<Inbox>,
    caller: InboxAgent,
    OnceIn(request, OptionalJsonIn(body)): OnceIn<OptionalJsonIn<TakeoverIn>>,
) -> ApiResult<Replayed<Json<CaseOut>>> {
    let agent = body.agent.into_action(&caller)?;
    let case = state.conversation.takeover(&agent, body.escalation_id.as_ref(), request).await?;
    Ok(case_response(case, &caller))
}
