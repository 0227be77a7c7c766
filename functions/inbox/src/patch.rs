//! `PATCH /inbox/:id`.

use app::conversation::ConversationService;
use axum::extract::State;
use domain::models::{EscalationId, Priority};
use edge::ApiResult;
use edge::input::{choice, required};
use edge::{InboxAgent, Json, JsonIn, PathIn};

use crate::case::CaseOut;

edge::body! {
    /// A change of a request for a human.
    #[derive(Debug)]
    pub(crate) struct EscalationPatch as "EscalationPatch" {
        /// What comes first in the queue.
        priority: Priority = "priority" => required(choice::<Priority>()),
    }
}

edge::endpoint! {
    /// Change the priority of a request.
    ///
    /// While it is pending or claimed; 409 `INVALID_STATE` afterwards. Within a priority the queue keeps the order of
    /// `createdAt`. Makes no event.
    pub(crate) UpdateEscalation = PATCH "/api/v1/inbox/{id}" => update_escalation;
    errors: [Conflict, InvalidState],
    example: {"priority": "high"},
}

pub(crate) async fn update_escalation(
    State(conversation): State<ConversationService>,
    caller: InboxAgent,
    PathIn(id): PathIn<EscalationId>,
    JsonIn(patch): JsonIn<EscalationPatch>,
) -> ApiResult<Json<CaseOut>> {
    let case = conversation.set_priority(caller.scope(), &id, patch.priority).await?;
    Ok(Json(CaseOut::new(case, &caller)))
}
