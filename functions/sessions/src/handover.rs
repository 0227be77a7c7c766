//! `POST /sessions/:id/escalate` and `/cancel-escalation`.

use app::conversation::{Conversation, Escalated};
use axum::extract::State;
use domain::Error;
use domain::error::Code;
use domain::models::{EscalationId, EscalationStatus, Ownership, Priority, SessionId, Timestamp};
use domain::wire::{SessionOut, Viewer};
use edge::ApiResult;
use edge::{Fields, FromFields, Json, JsonIn, OptionalJsonIn, PathIn, SessionCaller};
use serde::Serialize;

/// Why a human is wanted, and how urgently.
#[derive(Debug)]
pub(crate) struct EscalateIn {
    reason: String,
    priority: Option<Priority>,
}

impl FromFields for EscalateIn {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let reason = fields.required_text("reason", 1, 1_000);
        let priorities: Vec<_> = Priority::ALL.iter().map(|priority| priority.as_str()).collect();
        let priority = fields.choice("priority", Priority::parse, &priorities);
        Some(Self { reason: reason?, priority })
    }
}

/// The request for a human.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EscalatedOut {
    escalation_id: EscalationId,
    session_id: SessionId,
    ownership: Ownership,
    status: EscalationStatus,
    reason: String,
    queue_position: Option<u32>,
    created_at: Timestamp,
}

impl From<Escalated> for EscalatedOut {
    fn from(escalated: Escalated) -> Self {
        Self {
            escalation_id: escalated.escalation.escalation_id,
            session_id: escalated.escalation.session_id,
            ownership: escalated.ownership,
            status: escalated.escalation.status,
            reason: escalated.escalation.reason,
            queue_position: escalated.queue_position,
            created_at: escalated.escalation.created_at,
        }
    }
}

/// Asks for a human.
pub(crate) async fn escalate_session(
    State(conversation): State<Conversation>,
    caller: SessionCaller,
    PathIn(id): PathIn<SessionId>,
    JsonIn(body): JsonIn<EscalateIn>,
) -> ApiResult<Json<EscalatedOut>> {
    if body.priority.is_some() && caller.widget().is_some() {
        return Err(Error::new(Code::Forbidden, "A widget may not set the priority.")
            .because("TOKEN_SCOPE", "priority is for API keys")
            .into());
    }
    let priority = body.priority.unwrap_or(Priority::Normal);
    let escalated = conversation.escalate(&caller, &id, &body.reason, priority).await?;
    Ok(Json(escalated.into()))
}

/// A body without fields; it is still validated as a body.
#[derive(Debug)]
pub(crate) struct NothingIn;

impl FromFields for NothingIn {
    fn from_fields(_: &mut Fields) -> Option<Self> {
        Some(Self)
    }
}

/// The customer no longer wants a human.
pub(crate) async fn cancel_escalation(
    State(conversation): State<Conversation>,
    caller: SessionCaller,
    PathIn(id): PathIn<SessionId>,
    OptionalJsonIn(NothingIn): OptionalJsonIn<NothingIn>,
) -> ApiResult<Json<SessionOut>> {
    let session = conversation.cancel_escalation(&caller, &id).await?;
    Ok(Json(SessionOut::new(session, Viewer::of(&caller))))
}
