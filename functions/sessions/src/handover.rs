//! `POST /sessions/:id/escalate` and `/cancel-escalation`.

use app::conversation::{ConversationService, EscalationResult};
use axum::extract::State;
use domain::Error;
use domain::error::{Code, DetailCode};
use domain::limits::REMARK;
use domain::models::{EscalationId, EscalationStatus, Ownership, Presence, Priority, SessionId, Timestamp};
use domain::wire::{SessionOut, Viewer};
use edge::ApiResult;
use edge::input::{choice, optional, required, within};
use edge::{AllowanceIn, Json, JsonIn, OnceIn, OptionalJsonIn, PathIn, Replayed, SessionCaller};
use schemars::JsonSchema;
use serde::Serialize;

edge::body! {
    /// Why a human is wanted, and how urgently.
    #[derive(Debug)]
    pub(crate) struct EscalateIn as "NewEscalation" {
        /// Why.
        reason: String = "reason" => required(within(REMARK)),
        /// For API keys only; 403 for a widget. Asked again, the request keeps the priority that it has.
        priority: Option<Priority> = "priority" => optional(choice::<Priority>()),
    }
}

edge::endpoint! {
    /// Ask for a person.
    ///
    /// Asked again, it is the same request. It is made at any hour: `nextOpenAt` says when people are there again. 409 `SESSION_CLOSED` for a session that is closed.
    pub(crate) EscalateSession = POST "/api/v1/sessions/{id}/escalate" => escalate_session;
    supports: [IdempotencyKey],
    rate_class: Escalation,
    errors: [Conflict, InvalidState, SessionClosed],
    example: {"reason": "The refund has not arrived."},
}

/// The request for a human.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Escalated")]
pub(crate) struct EscalatedOut {
    /// The request for a human.
    escalation_id: EscalationId,
    /// The conversation.
    session_id: SessionId,
    /// Who answers the customer now.
    ownership: Ownership,
    /// Where the request stands.
    status: EscalationStatus,
    /// Why, in words.
    reason: String,
    /// From 1, exact up to 1,000; null where it is not in the queue.
    queue_position: Option<u32>,
    /// When it was asked for.
    created_at: Timestamp,
    /// Whether people are there.
    #[serde(flatten)]
    #[schemars(with = "Presence")]
    presence: Option<Presence>,
}

impl From<EscalationResult> for EscalatedOut {
    fn from(escalated: EscalationResult) -> Self {
        Self {
            escalation_id: escalated.escalation_id,
            session_id: escalated.session_id,
            ownership: escalated.ownership,
            status: escalated.status,
            reason: escalated.reason,
            queue_position: escalated.queue_position,
            created_at: escalated.created_at,
            presence: escalated.presence,
        }
    }
}

/// Asks for a human.
pub(crate) async fn escalate_session(
    State(conversation): State<ConversationService>,
    caller: SessionCaller,
    AllowanceIn(allowance): AllowanceIn,
    PathIn(id): PathIn<SessionId>,
    OnceIn(request, JsonIn(body)): OnceIn<JsonIn<EscalateIn>>,
) -> ApiResult<Replayed<Json<EscalatedOut>>> {
    if body.priority.is_some() && caller.widget().is_some() {
        return Err(Error::new(Code::Forbidden, "A widget may not set the priority.")
            .with_detail(DetailCode::TokenScope, "priority is for API keys")
            .into());
    }
    let priority = body.priority.unwrap_or(Priority::Normal);
    let escalated = conversation.escalate(&caller, &id, &body.reason, priority, request, &allowance);
    let (escalated, replayed) = escalated.await?;
    Ok(Replayed(replayed, Json(escalated.into())))
}

edge::body! {
    /// A body without fields; it is still validated.
    #[derive(Debug)]
    pub(crate) struct EmptyBodyIn as "Nothing" {}
}

edge::endpoint! {
    /// Take back the request for a person.
    ///
    /// While the request is pending. The AI answers together what the customer wrote meanwhile.
    pub(crate) CancelEscalation = POST "/api/v1/sessions/{id}/cancel-escalation" => cancel_escalation;
    supports: [IdempotencyKey],
    errors: [Conflict, InvalidState, SessionClosed],
    example: {},
}

/// The customer no longer wants a human.
pub(crate) async fn cancel_escalation(
    State(conversation): State<ConversationService>,
    caller: SessionCaller,
    AllowanceIn(allowance): AllowanceIn,
    PathIn(id): PathIn<SessionId>,
    OnceIn(request, _): OnceIn<OptionalJsonIn<EmptyBodyIn>>,
) -> ApiResult<Replayed<Json<SessionOut>>> {
    let (session, replayed) = conversation.cancel_escalation(&caller, &id, request, &allowance).await?;
    Ok(Replayed(replayed, Json(SessionOut::new(session, Viewer::of(&caller)))))
}
