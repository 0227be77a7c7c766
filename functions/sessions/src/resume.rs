//! `POST /sessions/resume`.

use crate::state::Sessions;
use app::conversation::ResumeTarget;
use app::viewer::answer_viewer;
use axum::extract::State;
use domain::access::Principal;
use domain::error::DetailCode;
use domain::models::SessionId;
use domain::wire::{SessionOut, TurnOut};
use domain::{Error, Result};
use edge::ApiResult;
use edge::input::{Alternative, ExactlyOne, external_user_id, id, optional};
use edge::{Json, OnceIn, OptionalJsonIn, Replayed, SessionCaller};
use schemars::JsonSchema;
use serde::Serialize;

use crate::create::visitor_mismatch;

edge::body! {
    /// Which session to come back to: exactly one of the two. A widget may send neither: its own latest session.
    #[derive(Debug)]
    pub(crate) struct ResumeIn as "ResumeRequest" {
        /// The session.
        session_id: Option<SessionId> = "sessionId" => optional(id::<SessionId>()),
        /// The visitor, whose latest session it is.
        external_user_id: Option<String> = "externalUserId" => optional(external_user_id()),
    }
    rules: [ExactlyOne {
        of: &[
            Alternative { field: "sessionId", schema: "ResumeSession", needs: &[] },
            Alternative { field: "externalUserId", schema: "ResumeVisitor", needs: &[] },
        ],
        code: DetailCode::Conflict,
        at: "externalUserId",
        none: None,
        several: "give sessionId or externalUserId, not both",
    }]
}

edge::endpoint! {
    /// Find a customer's conversation again.
    ///
    /// An open session does not change. A closed one goes on with the AI inside its window; 410 afterwards.
    pub(crate) ResumeSession = POST "/api/v1/sessions/resume" => resume_session;
    supports: [IdempotencyKey],
    errors: [NotFound, Conflict, InvalidState, ResumeWindowExpired],
    example: {"sessionId": "ses_01JDB8Q7XKZ3T5V9W2Y4A6C8EG"},
}

/// A session that goes on, with its newest turns.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Resumed")]
pub(crate) struct ResumeOut {
    #[serde(flatten)]
    session: SessionOut,
    /// Whether it was closed and goes on.
    resumed: bool,
    /// The newest turns, at most 50.
    messages: Vec<TurnOut>,
}

/// Takes up a session again.
pub(crate) async fn resume_session(
    State(state): State<Sessions>,
    caller: SessionCaller,
    OnceIn(request, OptionalJsonIn(body)): OnceIn<OptionalJsonIn<ResumeIn>>,
) -> ApiResult<Replayed<Json<ResumeOut>>> {
    let target = resume_target(&caller, body)?;
    let resumed = state.conversation.resume(&caller, &target, request.as_ref()).await?;
    let viewer = answer_viewer(&state.store, &caller).await?;
    let out = ResumeOut {
        session: SessionOut::new(resumed.session, viewer),
        resumed: resumed.resumed,
        messages: TurnOut::visible(resumed.messages, viewer),
    };
    Ok(Replayed(resumed.replayed, Json(out)))
}

fn resume_target(caller: &Principal, body: ResumeIn) -> Result<ResumeTarget> {
    if let (Some(widget), Some(named)) = (caller.widget(), &body.external_user_id)
        && *named != widget.external_user_id
    {
        return Err(visitor_mismatch());
    }
    match (body.session_id, body.external_user_id, caller.widget()) {
        (Some(id), _, _) => Ok(ResumeTarget::Session(id)),
        (None, Some(visitor), _) => Ok(ResumeTarget::Visitor(visitor)),
        (None, None, Some(widget)) => Ok(ResumeTarget::Visitor(widget.external_user_id.clone())),
        (None, None, None) => {
            Err(Error::invalid("sessionId", DetailCode::Required, "give exactly one of sessionId and externalUserId"))
        }
    }
}
