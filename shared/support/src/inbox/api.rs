//! The endpoints of acts on a conversation. The body of an act names the acting agent.
//!
//! On a request for a human: `POST /inbox/takeover`, `PATCH /inbox/:id`, and `POST /inbox/:id/message`, `/handback`,
//! `/resolve`, `/release`, `/transfer`, `/renew`, `/reopen` and `/suggestion`. On all claims of an agent: `POST
//! /inbox/renew`. On a session that the agent has not claimed: `POST /sessions/:id/takeover` and `/notes`.

use domain::access::Principal;
use domain::models::{AgentRef, EscalationId, MessageId, Priority, SessionId, Timestamp};
use domain::wire::{TurnOut, Viewer};
use domain::{Result, limits};
use schemars::JsonSchema;
use serde::Serialize;

use crate::edge::input::{
    AtLeastOneOf, Change, choice, clearable, flag, flattened, id, optional, or, replaceable, required, timestamp,
    within,
};
use crate::edge::{
    self, ApiResult, Created, InboxAgent, Json, JsonIn, NoteWriter, OnceIn, OptionalJsonIn, PathIn, Replayed,
};
use crate::inbox::claim::AgentAction;
use crate::inbox::list::{CaseOut, case_response};
use crate::inbox::messages::{AgentMessage, CasePatch, Suggestion};
use crate::inbox::release::{Handback, ReleaseKind, Transfer};
use crate::sessions::conversation::ConversationService;

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

async fn send_agent_message(
    conversation: ConversationService,
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

async fn hand_back_escalation(
    conversation: ConversationService,
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

async fn resolve_escalation(
    conversation: ConversationService,
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

async fn release_escalation(
    conversation: ConversationService,
    caller: InboxAgent,
    PathIn(id): PathIn<EscalationId>,
    OnceIn(key, OptionalJsonIn(body)): OnceIn<OptionalJsonIn<AgentIn>>,
) -> ApiResult<Replayed<Json<CaseOut>>> {
    let agent = body.into_action(&caller)?;
    let case = conversation.release_case(&agent, &id, &ReleaseKind::Release, key.as_ref()).await?;
    Ok(case_response(case, &caller))
}

edge::body! {
    /// Who acts: for a key whom it names, without an id the key. A member acts as itself, and may only repeat that.
    #[derive(Debug)]
    pub(crate) struct AgentIn as "ActingAgent" {
        /// Who acts; without it the caller.
        agent_id: Option<String> = "agentId" => optional(within(limits::AGENT_ID)),
        /// Their name, for people.
        agent_name: Option<String> = "agentName" => optional(within(limits::PERSON_NAME)),
    }
}

impl AgentIn {
    /// # Errors
    /// 403 for a member that names another, 400 for a key that names a member.
    fn into_action(self, caller: &Principal) -> Result<AgentAction> {
        AgentAction::new(caller, self.agent_id, self.agent_name)
    }
}

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

async fn take_over_escalation(
    conversation: ConversationService,
    caller: InboxAgent,
    OnceIn(request, OptionalJsonIn(body)): OnceIn<OptionalJsonIn<TakeoverIn>>,
) -> ApiResult<Replayed<Json<CaseOut>>> {
    let agent = body.agent.into_action(&caller)?;
    let case = conversation.takeover(&agent, body.escalation_id.as_ref(), request).await?;
    Ok(case_response(case, &caller))
}

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

async fn transfer_escalation(
    conversation: ConversationService,
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

async fn renew_claims(
    conversation: ConversationService,
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

async fn renew_claim(
    conversation: ConversationService,
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

async fn reopen_escalation(
    conversation: ConversationService,
    caller: InboxAgent,
    PathIn(id): PathIn<EscalationId>,
    OnceIn(key, OptionalJsonIn(body)): OnceIn<OptionalJsonIn<AgentIn>>,
) -> ApiResult<Replayed<Json<CaseOut>>> {
    let case = conversation.reopen_case(&body.into_action(&caller)?, &id, key.as_ref()).await?;
    Ok(case_response(case, &caller))
}

edge::body! {
    /// A change of a request for a human.
    #[derive(Debug)]
    pub(crate) struct EscalationPatch as "EscalationPatch" {
        agent: AgentIn = "" => flattened::<AgentIn>(),
        /// The priority in the queue.
        priority: Option<Priority> = "priority" => replaceable(choice::<Priority>()),
        /// Until when the agent puts it off, at most seven days; `null`: not any longer.
        snoozed_until: Change<Timestamp> = "snoozedUntil" => clearable(timestamp()),
    }
    rules: [AtLeastOneOf(&["priority", "snoozedUntil"])]
}

edge::endpoint! {
    /// Change the priority of a request, or snooze it.
    ///
    /// The priority while it is pending or claimed; 409 `INVALID_STATE` afterwards. Within a priority the queue keeps the
    /// order of `createdAt`. A claim is put off by the agent who has it, or an admin: its lease waits until then, until
    /// the customer or an agent writes, or until it is given to somebody. Makes no event.
    pub(crate) UpdateEscalation = PATCH "/api/v1/inbox/{id}" => update_escalation;
    errors: [Conflict, InvalidState, ClaimedByOther],
    example: {"priority": "high"},
}

async fn update_escalation(
    conversation: ConversationService,
    caller: InboxAgent,
    PathIn(id): PathIn<EscalationId>,
    JsonIn(body): JsonIn<EscalationPatch>,
) -> ApiResult<Json<CaseOut>> {
    let agent = body.agent.into_action(&caller)?;
    let patch = CasePatch { priority: body.priority, snooze: body.snoozed_until.replacement() };
    let case = conversation.change_case(&agent, &id, patch).await?;
    Ok(Json(CaseOut::new(case, &caller)))
}

edge::body! {
    /// Who steps in, and why.
    #[derive(Debug)]
    pub(crate) struct StepInIn as "StepInRequest" {
        agent: AgentIn = "" => flattened::<AgentIn>(),
        /// Why, for colleagues. One that waits already keeps its own reason.
        reason: Option<String> = "reason" => optional(within(limits::REMARK)),
    }
}

edge::endpoint! {
    /// Take over a conversation that the assistant has.
    ///
    /// Takes over a session that the AI has, or that waits for a human. 409 `ALREADY_CLAIMED` where an agent has it,
    /// `SESSION_CLOSED` where it is closed.
    pub(crate) StepIn = POST "/api/v1/sessions/{id}/takeover" => step_in;
    supports: [IdempotencyKey],
    errors: [Conflict, AlreadyClaimed, SessionClosed],
    example: {"agentId": "anna", "agentName": "Anna", "reason": "The customer is going around in circles."},
}

pub(crate) async fn step_in(
    conversation: ConversationService,
    caller: InboxAgent,
    PathIn(id): PathIn<SessionId>,
    OnceIn(key, OptionalJsonIn(body)): OnceIn<OptionalJsonIn<StepInIn>>,
) -> ApiResult<Replayed<Json<CaseOut>>> {
    let agent = body.agent.into_action(&caller)?;
    let case = conversation.step_in(&agent, &id, body.reason.as_deref(), key).await?;
    Ok(case_response(case, &caller))
}

edge::body! {
    /// A note about a session.
    #[derive(Debug)]
    pub(crate) struct NoteIn as "NewNote" {
        /// For the tenant's people. The customer does not see it.
        content: String = "content" => required(within(limits::MESSAGE)),
    }
}

edge::endpoint! {
    /// Write a note for colleagues.
    ///
    /// The customer does not see it. 409 `SESSION_CLOSED` for a session that is closed.
    pub(crate) WriteNote = POST "/api/v1/sessions/{id}/notes" => write_note;
    supports: [IdempotencyKey],
    errors: [Conflict, SessionClosed],
    example: {"content": "Ordered twice by mistake, see the invoice."},
}

pub(crate) async fn write_note(
    conversation: ConversationService,
    caller: NoteWriter,
    PathIn(id): PathIn<SessionId>,
    OnceIn(key, JsonIn(body)): OnceIn<JsonIn<NoteIn>>,
) -> ApiResult<Replayed<Created<TurnOut>>> {
    let author = AgentAction::new(&caller, None, None)?;
    let written = conversation.write_note(&author, &id, &body.content, key).await?;
    let location = format!("/api/v1/sessions/{id}/messages");
    Ok(Replayed(written.replayed, Created(location, TurnOut::new(written.turn, Viewer::of(&caller)))))
}

edge::body! {
    /// The entries that a suggestion may be made from.
    #[derive(Debug)]
    pub(crate) struct SuggestionIn as "SuggestionRequest" {
        /// From internal entries too, also where the customer would not be answered with them.
        include_internal: bool = "includeInternal" => or(flag(), false),
    }
}

edge::endpoint! {
    /// Ask what the assistant would answer.
    ///
    /// To what the customer wrote since the last answer, or else to what the customer wrote last; from what the session
    /// may be answered with, or from every entry. Nothing is stored, counted or told of, but the calls of a language model; an `Idempotency-Key` is ignored.
    pub(crate) SuggestAnswer = POST "/api/v1/inbox/{id}/suggestion" => suggest_answer;
    rate_class: List,
    example: {"includeInternal": true},
}

async fn suggest_answer(
    conversation: ConversationService,
    caller: InboxAgent,
    PathIn(id): PathIn<EscalationId>,
    OptionalJsonIn(body): OptionalJsonIn<SuggestionIn>,
) -> ApiResult<Json<Suggestion>> {
    Ok(Json(conversation.suggest(caller.scope(), &id, body.include_internal).await?))
}
