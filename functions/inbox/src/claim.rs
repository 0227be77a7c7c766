//! Changes of claims while their customers stay with people: `POST /inbox/renew`, `/inbox/:id/transfer`, `/renew`,
//! `/reopen`.

use app::conversation::{ConversationService, Transfer};
use axum::extract::State;
use domain::limits;
use domain::models::{AgentRef, EscalationId, Timestamp};
use edge::ApiResult;
use edge::input::{flattened, optional, required, within};
use edge::{InboxAgent, Json, JsonIn, OnceIn, OptionalJsonIn, PathIn, Replayed};
use schemars::JsonSchema;
use serde::Serialize;

use crate::agent::AgentIn;
use crate::case::{CaseOut, case_response};

edge::body! {
    /// Who gets a conversation.
    #[derive(Debug)]
    pub(crate) struct TransferIn as "TransferRequest" {
        agent: AgentIn = "" => flattened::<AgentIn>(),
        /// Who gets it. A `mem_` must be an active member who works in the inbox.
        to_agent_id: String = "toAgentId" => required(within(limits::AGENT_ID)),
        /// Their name, for people. A member has its own.
        to_agent_name: Option<String> = "toAgentName" => optional(within(limits::PERSON_NAME)),
        /// For the colleague. The customer does not see it.
        note: Option<String> = "note" => optional(within(limits::REMARK)),
    }
}

edge::endpoint! {
    /// Hand a conversation to a colleague.
    ///
    /// It stays claimed, by the colleague and for 30 minutes anew. Not to who has it, and not to oneself: 400.
    pub(crate) TransferEscalation = POST "/api/v1/inbox/{id}/transfer" => transfer_escalation;
    supports: [IdempotencyKey],
    errors: [Conflict, InvalidState, ClaimedByOther],
    example: {"toAgentId": "bob", "toAgentName": "Bob", "note": "Bob knows refunds.", "agentId": "anna"},
}

pub(crate) async fn transfer_escalation(
    State(conversation): State<ConversationService>,
    caller: InboxAgent,
    PathIn(id): PathIn<EscalationId>,
    OnceIn(key, JsonIn(body)): OnceIn<JsonIn<TransferIn>>,
) -> ApiResult<Replayed<Json<CaseOut>>> {
    let agent = body.agent.into_action(&caller)?;
    let to = AgentRef { id: body.to_agent_id, name: body.to_agent_name };
    let transfer = Transfer { to, note: body.note };
    let case = conversation.transfer(&agent, &id, &transfer, key.as_ref()).await?;
    Ok(case_response(case, &caller))
}

/// The leases that were renewed.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "RenewedClaims")]
pub(crate) struct RenewedOut {
    /// How many there were.
    renewed: u32,
    /// When they end now.
    lease_expires_at: Timestamp,
}

edge::endpoint! {
    /// Keep all claims of an agent for 30 minutes more.
    ///
    /// For a desk that is open and used. Claims that are answered or put off have no lease, and stay as they are. An
    /// `Idempotency-Key` is ignored: to repeat it is safe.
    pub(crate) RenewClaims = POST "/api/v1/inbox/renew" => renew_claims;
    example: {"agentId": "anna"},
}

pub(crate) async fn renew_claims(
    State(conversation): State<ConversationService>,
    caller: InboxAgent,
    OptionalJsonIn(body): OptionalJsonIn<AgentIn>,
) -> ApiResult<Json<RenewedOut>> {
    let (renewed, lease_expires_at) = conversation.renew_all(&body.into_action(&caller)?).await?;
    Ok(Json(RenewedOut { renewed, lease_expires_at }))
}

edge::endpoint! {
    /// Keep the claim for 30 minutes more.
    ///
    /// Only the agent who claimed the conversation, or an admin key. What was put off is so no longer. A claim that is
    /// answered has no lease, and gets none.
    pub(crate) RenewClaim = POST "/api/v1/inbox/{id}/renew" => renew_claim;
    supports: [IdempotencyKey],
    errors: [Conflict, InvalidState, ClaimedByOther],
    example: {"agentId": "anna"},
}

pub(crate) async fn renew_claim(
    State(conversation): State<ConversationService>,
    caller: InboxAgent,
    PathIn(id): PathIn<EscalationId>,
    OnceIn(key, OptionalJsonIn(body)): OnceIn<OptionalJsonIn<AgentIn>>,
) -> ApiResult<Replayed<Json<CaseOut>>> {
    let case = conversation.renew(&body.into_action(&caller)?, &id, key.as_ref()).await?;
    Ok(case_response(case, &caller))
}

edge::endpoint! {
    /// Reopen a resolved request.
    ///
    /// The caller claims it, and the session is a person's once more. While the session is closed and can be resumed, or
    /// was resumed and nobody asked for a human since; 409 `INVALID_STATE` otherwise.
    pub(crate) ReopenEscalation = POST "/api/v1/inbox/{id}/reopen" => reopen_escalation;
    supports: [IdempotencyKey],
    errors: [Conflict, InvalidState],
    example: {"agentId": "anna"},
}

pub(crate) async fn reopen_escalation(
    State(conversation): State<ConversationService>,
    caller: InboxAgent,
    PathIn(id): PathIn<EscalationId>,
    OnceIn(key, OptionalJsonIn(body)): OnceIn<OptionalJsonIn<AgentIn>>,
) -> ApiResult<Replayed<Json<CaseOut>>> {
    let case = conversation.reopen_case(&body.into_action(&caller)?, &id, key.as_ref()).await?;
    Ok(case_response(case, &caller))
}
