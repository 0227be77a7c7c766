//! `PATCH /inbox/:id`.

use app::conversation::{CasePatch, ConversationService};
use axum::extract::State;
use domain::models::{EscalationId, Priority, Timestamp};
use edge::ApiResult;
use edge::input::{AtLeastOneOf, Change, choice, clearable, flattened, replaceable, timestamp};
use edge::{InboxAgent, Json, JsonIn, PathIn};

use crate::agent::AgentIn;
use crate::case::CaseOut;

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

pub(crate) async fn update_escalation(
    State(conversation): State<ConversationService>,
    caller: InboxAgent,
    PathIn(id): PathIn<EscalationId>,
    JsonIn(body): JsonIn<EscalationPatch>,
) -> ApiResult<Json<CaseOut>> {
    let agent = body.agent.into_action(&caller)?;
    let patch = CasePatch { priority: body.priority, snooze: body.snoozed_until.replacement() };
    let case = conversation.change_case(&agent, &id, patch).await?;
    Ok(Json(CaseOut::new(case, &caller)))
}
