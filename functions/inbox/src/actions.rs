//! An agent's part in a claimed conversation: `POST /inbox/:id/message`, `/handback`, `/resolve`, `/release`.

use app::conversation::{AgentMessage, ConversationService, Handback, ReleaseKind};
use axum::extract::State;
use domain::limits;
use domain::models::{EscalationId, MessageId};
use domain::wire::{TurnOut, Viewer};
use edge::ApiResult;
use edge::input::{flag, flattened, id, optional, or, required, within};
use edge::{InboxAgent, Json, JsonIn, OnceIn, OptionalJsonIn, PathIn, Replayed};

use crate::agent::AgentIn;
use crate::case::{CaseOut, case_response};

edge::body! {
    /// A message of an agent.
    #[derive(Debug)]
    pub(crate) struct MessageIn as "AgentMessage" {
        agent: AgentIn = "" => flattened::<AgentIn>(),
        /// The message.
        content: String = "content" => required(within(limits::MESSAGE)),
        /// A note that the customer does not see.
        internal: bool = "internal" => or(flag(), false),
    }
}

edge::endpoint! {
    /// Write to the customer, or write a note.
    ///
    /// Only the agent who claimed the conversation, or an admin key. After a message to the customer the claim has no
    /// lease until the customer writes: then the agent has 15 minutes, and after that it lapses. A note renews a lease.
    pub(crate) SendAgentMessage = POST "/api/v1/inbox/{id}/message" => send_agent_message;
    supports: [IdempotencyKey],
    errors: [Conflict, InvalidState, ClaimedByOther],
    example: {"content": "Hello, this is Anna. I am looking into it.", "agentId": "anna", "agentName": "Anna"},
}

pub(crate) async fn send_agent_message(
    State(conversation): State<ConversationService>,
    caller: InboxAgent,
    PathIn(id): PathIn<EscalationId>,
    OnceIn(key, JsonIn(body)): OnceIn<JsonIn<MessageIn>>,
) -> ApiResult<Replayed<Json<TurnOut>>> {
    let agent = body.agent.into_action(&caller)?;
    let message = AgentMessage { content: body.content, internal: body.internal, key };
    let written = conversation.agent_writes(&agent, &id, &message).await?;
    let out = TurnOut::new(written.turn, Viewer::of(&caller));
    Ok(Replayed(written.replayed, Json(out)))
}

edge::body! {
    /// How a conversation goes back to the AI.
    #[derive(Debug)]
    pub(crate) struct HandbackIn as "HandbackRequest" {
        agent: AgentIn = "" => flattened::<AgentIn>(),
        /// For the AI, which reads that a person had a part.
        note: Option<String> = "note" => optional(within(limits::REMARK)),
        /// The newest message that the agent saw: 409 where the customer wrote after it.
        last_seen_message_id: Option<MessageId> = "lastSeenMessageId" => optional(id::<MessageId>()),
    }
}

edge::endpoint! {
    /// Hand the conversation back to the assistant.
    ///
    /// The AI answers together what the customer wrote and nobody answered.
    pub(crate) HandBackEscalation = POST "/api/v1/inbox/{id}/handback" => hand_back_escalation;
    supports: [IdempotencyKey],
    errors: [Conflict, InvalidState, ClaimedByOther],
    example: {"note": "The refund is on its way.", "agentId": "anna"},
}

pub(crate) async fn hand_back_escalation(
    State(conversation): State<ConversationService>,
    caller: InboxAgent,
    PathIn(id): PathIn<EscalationId>,
    OnceIn(key, OptionalJsonIn(body)): OnceIn<OptionalJsonIn<HandbackIn>>,
) -> ApiResult<Replayed<Json<CaseOut>>> {
    let agent = body.agent.into_action(&caller)?;
    let ending = ReleaseKind::Handback(Handback { note: body.note, last_seen: body.last_seen_message_id });
    let case = conversation.release_case(&agent, &id, &ending, key.as_ref()).await?;
    Ok(case_response(case, &caller))
}

edge::body! {
    /// How it was settled.
    #[derive(Debug)]
    pub(crate) struct ResolveIn as "ResolveRequest" {
        agent: AgentIn = "" => flattened::<AgentIn>(),
        /// A remark on what was done.
        resolution: Option<String> = "resolution" => optional(within(limits::REMARK)),
        /// The newest message that the agent saw: 409 where the customer wrote after it.
        last_seen_message_id: Option<MessageId> = "lastSeenMessageId" => optional(id::<MessageId>()),
    }
}

edge::endpoint! {
    /// Resolve the request, and close the conversation.
    ///
    /// The session is closed. Again, it is the stored result.
    pub(crate) ResolveEscalation = POST "/api/v1/inbox/{id}/resolve" => resolve_escalation;
    supports: [IdempotencyKey],
    errors: [Conflict, InvalidState, ClaimedByOther],
    example: {"resolution": "Refunded by hand.", "agentId": "anna"},
}

pub(crate) async fn resolve_escalation(
    State(conversation): State<ConversationService>,
    caller: InboxAgent,
    PathIn(id): PathIn<EscalationId>,
    OnceIn(key, OptionalJsonIn(body)): OnceIn<OptionalJsonIn<ResolveIn>>,
) -> ApiResult<Replayed<Json<CaseOut>>> {
    let agent = body.agent.into_action(&caller)?;
    let ending = ReleaseKind::Resolve { resolution: body.resolution, last_seen: body.last_seen_message_id };
    let case = conversation.release_case(&agent, &id, &ending, key.as_ref()).await?;
    Ok(case_response(case, &caller))
}

edge::endpoint! {
    /// Put the customer back into the queue.
    ///
    /// The request keeps its place.
    pub(crate) ReleaseEscalation = POST "/api/v1/inbox/{id}/release" => release_escalation;
    supports: [IdempotencyKey],
    errors: [Conflict, InvalidState, ClaimedByOther],
    example: {"agentId": "anna"},
}

pub(crate) async fn release_escalation(
    State(conversation): State<ConversationService>,
    caller: InboxAgent,
    PathIn(id): PathIn<EscalationId>,
    OnceIn(key, OptionalJsonIn(body)): OnceIn<OptionalJsonIn<AgentIn>>,
) -> ApiResult<Replayed<Json<CaseOut>>> {
    let agent = body.into_action(&caller)?;
    let case = conversation.release_case(&agent, &id, &ReleaseKind::Release, key.as_ref()).await?;
    Ok(case_response(case, &caller))
}
