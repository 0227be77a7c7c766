//! `POST /sessions/resume`.

use crate::Sessions;
use app::conversation::ResumeTarget;
use app::viewer::viewer_of_answers;
use axum::extract::State;
use domain::access::Principal;
use domain::models::SessionId;
use domain::wire::{SessionOut, TurnOut};
use domain::{Error, Result};
use edge::ApiResult;
use edge::{Fields, FromFields, Json, OptionalJsonIn, SessionCaller};
use serde::Serialize;

use crate::create::other_visitor;

/// The session. As text, because an invalid id is answered like one that never existed.
#[derive(Debug)]
pub(crate) struct ResumeIn {
    session_id: Option<String>,
    external_user_id: Option<String>,
}

impl FromFields for ResumeIn {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let session_id = fields.text("sessionId", 1, 200);
        let external_user_id = fields.external_user_id();
        if session_id.is_some() && external_user_id.is_some() {
            fields.problem("externalUserId", "CONFLICT", "give sessionId or externalUserId, not both");
        }
        Some(Self { session_id, external_user_id })
    }
}

/// A resumed session with its newest turns.
#[derive(Debug, Serialize)]
pub(crate) struct ResumedOut {
    #[serde(flatten)]
    session: SessionOut,
    resumed: bool,
    messages: Vec<TurnOut>,
}

/// Takes up a session again.
pub(crate) async fn resume_session(
    State(ctx): State<Sessions>,
    caller: SessionCaller,
    OptionalJsonIn(body): OptionalJsonIn<ResumeIn>,
) -> ApiResult<Json<ResumedOut>> {
    let target = target(&caller, body)?;
    let resumed = ctx.conversation.resume(&caller, &target).await?;
    let viewer = viewer_of_answers(&ctx.store, &caller).await?;
    Ok(Json(ResumedOut {
        session: SessionOut::new(resumed.session, viewer),
        resumed: resumed.resumed,
        messages: TurnOut::visible(resumed.messages, viewer),
    }))
}

fn target(caller: &Principal, body: ResumeIn) -> Result<ResumeTarget> {
    if let (Some(widget), Some(named)) = (caller.widget(), &body.external_user_id)
        && *named != widget.external_user_id
    {
        return Err(other_visitor());
    }
    match (body.session_id, body.external_user_id, caller.widget()) {
        (Some(id), _, _) => SessionId::parse(&id).map(ResumeTarget::Session).ok_or_else(|| Error::not_found("session")),
        (None, Some(visitor), _) => Ok(ResumeTarget::Visitor(visitor)),
        (None, None, Some(widget)) => Ok(ResumeTarget::Visitor(widget.external_user_id.clone())),
        (None, None, None) => {
            Err(Error::invalid("sessionId", "REQUIRED", "give exactly one of sessionId and externalUserId"))
        }
    }
}
