//! `PATCH /inbox/:id`.

use app::conversation::Conversation;
use axum::extract::State;
use domain::models::{EscalationId, Priority};
use edge::ApiResult;
use edge::{Fields, FromFields, InboxAgent, Json, JsonIn, PathIn};

use crate::case::CaseOut;

/// What to change.
#[derive(Debug)]
pub(crate) struct EscalationPatch {
    priority: Priority,
}

impl FromFields for EscalationPatch {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        fields.require("priority");
        let known: Vec<_> = Priority::ALL.iter().map(|priority| priority.as_str()).collect();
        Some(Self { priority: fields.choice("priority", Priority::parse, &known)? })
    }
}

/// Gives a request for a human another priority.
pub(crate) async fn change_escalation(
    State(conversation): State<Conversation>,
    caller: InboxAgent,
    PathIn(id): PathIn<EscalationId>,
    JsonIn(patch): JsonIn<EscalationPatch>,
) -> ApiResult<Json<CaseOut>> {
    let case = conversation.set_priority(caller.scope(), &id, patch.priority).await?;
    Ok(Json(CaseOut::new(case, &caller)))
}
