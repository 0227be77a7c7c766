//! Actions of agents on a session that they have not claimed: `POST /sessions/:id/takeover` and `/notes`.

use app::conversation::{AgentAction, ConversationService};
use axum::extract::State;
use domain::limits;
use domain::models::SessionId;
use domain::wire::{TurnOut, Viewer};
use edge::ApiResult;
use edge::input::{flattened, optional, required, within};
use edge::{Created, InboxAgent, Json, JsonIn, NoteWriter, OnceIn, OptionalJsonIn, PathIn, Replayed};

use crate::agent::AgentIn;
use crate::case::{CaseOut, case_response};

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
    State(conversation): State<ConversationService>,
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
    State(conversation): State<ConversationService>,
    caller: NoteWriter,
    PathIn(id): PathIn<SessionId>,
    OnceIn(key, JsonIn(body)): OnceIn<JsonIn<NoteIn>>,
) -> ApiResult<Replayed<Created<TurnOut>>> {
    let author = AgentAction::new(&caller, None, None)?;
    let written = conversation.write_note(&author, &id, &body.content, key).await?;
    let location = format!("/api/v1/sessions/{id}/messages");
    Ok(Replayed(written.replayed, Created(location, TurnOut::new(written.turn, Viewer::of(&caller)))))
}
