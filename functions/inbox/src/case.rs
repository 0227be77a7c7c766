//! `GET /inbox/:id`, and the response of every action: the escalation with its conversation.

use app::conversation::{Case, ConversationService};
use axum::extract::State;
use domain::access::Principal;
use domain::models::EscalationId;
use domain::wire::{EscalationOut, SessionOut, TurnOut, Viewer};
use edge::ApiResult;
use edge::{Conditional, IfNoneMatch, InboxAgent, Json, PathIn, Replayed};
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
    /// Read a request for a person, with its conversation.
    ///
    /// With the newest 50 turns. To ask whether anything is new, send the `ETag` as `If-None-Match`.
    pub(crate) GetEscalation = GET "/api/v1/inbox/{id}" => get_escalation;
}

pub(crate) async fn get_escalation(
    State(conversation): State<ConversationService>,
    caller: InboxAgent,
    has: IfNoneMatch,
    PathIn(id): PathIn<EscalationId>,
) -> ApiResult<Conditional<Json<CaseOut>>> {
    let (escalation, session) = conversation.case_without_turns(caller.scope(), &id).await?;
    let tag = has.tag(format!("{}.{}", escalation.version, session.version));
    if has.names(&tag) {
        return Ok(Conditional::NotModified(tag));
    }
    let case = conversation.case_with_turns(caller.scope(), escalation, session).await?;
    Ok(Conditional::new(tag, Json(CaseOut::new(case, &caller))))
}
