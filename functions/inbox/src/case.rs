//! `GET /inbox/:id`, and the response of every action: the escalation with its conversation.

use app::conversation::{Case, ConversationService};
use axum::extract::State;
use domain::access::Principal;
use domain::models::EscalationId;
use domain::wire::{EscalationOut, SessionOut, TurnOut, Viewer};
use edge::ApiResult;
use edge::{InboxAgent, Json, PathIn, Replayed};
use schemars::JsonSchema;
use serde::Serialize;

/// A request for a human, its session and the newest turns.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Case")]
pub(crate) struct CaseOut {
    #[serde(flatten)]
    escalation: EscalationOut,
    /// Its session.
    session: SessionOut,
    /// The newest turns, at most 50.
    messages: Vec<TurnOut>,
}

impl CaseOut {
    pub(crate) fn new(case: Case, caller: &Principal) -> Self {
        let viewer = Viewer::of(caller);
        Self {
            escalation: case.escalation.into(),
            session: SessionOut::new(case.session, viewer),
            messages: TurnOut::visible(case.messages, viewer),
        }
    }
}

/// The answer to an action; one that was sent again says so.
pub(crate) fn case_response(case: Case, caller: &Principal) -> Replayed<Json<CaseOut>> {
    Replayed(case.replayed, Json(CaseOut::new(case, caller)))
}

edge::endpoint! {
    /// Read a request with its conversation.
    ///
    /// With the newest 50 turns.
    pub(crate) GetEscalation = GET "/api/v1/inbox/{id}" => get_escalation;
}

pub(crate) async fn get_escalation(
    State(conversation): State<ConversationService>,
    caller: InboxAgent,
    PathIn(id): PathIn<EscalationId>,
) -> ApiResult<Json<CaseOut>> {
    let case = conversation.case(caller.scope(), &id).await?;
    Ok(Json(CaseOut::new(case, &caller)))
}
