//! `POST /sessions`.

use edge::ApiResult;
use std::collections::BTreeMap;

use crate::state::Sessions;
use app::allowance::LimitedAction;
use app::conversation::next_due_at;
use axum::extract::State;
use domain::access::Principal;
use domain::error::{Code, DetailCode};
use domain::limits::{LOCALE, hours, locale};
use domain::models::{Channel, Session, SessionId, Visitor, is_preview_visitor};
use domain::wire::{SessionOut, Viewer};
use domain::{Error, Result};
use edge::input::{choice, external_user_id, optional, visitor, within};
use edge::{AllowanceIn, Created, OnceIn, OptionalJsonIn, Replayed, SessionCaller};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::details::{METADATA, TAGS};

edge::body! {
    /// A new session.
    #[derive(Debug, Clone)]
    pub(crate) struct SessionIn as "NewSession" {
        /// The visitor, as the tenant names them. A widget may only repeat its own.
        external_user_id: Option<String> = "externalUserId" => optional(external_user_id()),
        /// The person. What a widget's token names counts instead.
        user: Option<Option<Visitor>> = "user" => optional(visitor()),
        /// Where the customer is; `api` where nobody says. What a widget creates is of channel `widget`.
        channel: Option<Channel> = "channel" => optional(choice::<Channel>()),
        /// The language of fixed sentences, as a BCP 47 tag: `en`, `pt-BR`.
        locale: Option<String> = "locale" => optional(within(LOCALE).checked(DetailCode::InvalidFormat, locale::parse, locale::PATTERN)),
        /// The time zone of the customer's clock, as the IANA names it. Fixed sentences name the team's zone if its clock
        /// shows another time, as they do for a name that the service does not know.
        timezone: Option<String> = "timezone" => optional(within(hours::TIMEZONE)),
        /// Anything that is to be found again.
        metadata: Option<BTreeMap<String, Value>> = "metadata" => optional(METADATA),
        /// Words to find it by.
        tags: Option<Vec<String>> = "tags" => optional(TAGS),
    }
}

edge::endpoint! {
    /// Open a conversation.
    ///
    /// The body may be left out. A widget's session belongs to its visitor.
    pub(crate) CreateSession = POST "/api/v1/sessions" => create_session;
    supports: [IdempotencyKey],
    rate_class: NewSession,
    example: {"user": {"name": "Ann"}, "channel": "widget", "locale": "en", "metadata": {"order": 7}, "tags": ["vip"]},
}

/// The stored result of a request that opened a session; everything else stands in the request.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct CreatedSession {
    session_id: SessionId,
}

/// Starts a conversation.
pub(crate) async fn create_session(
    State(state): State<Sessions>,
    caller: SessionCaller,
    AllowanceIn(allowance): AllowanceIn,
    OnceIn(request, OptionalJsonIn(body)): OnceIn<OptionalJsonIn<SessionIn>>,
) -> ApiResult<Replayed<Created<SessionOut>>> {
    let (scope, requests) = (caller.scope(), state.store.idempotency());
    let body = with_widget_identity(&caller, body)?;
    // The session's time is that of its id: its figures count on the day of its id.
    let session_id = SessionId::generate(&state.runtime)?;
    let work = async {
        let session = new_session(&state, &caller, body.clone(), session_id.clone()).await?;
        let record = requests.completed(scope, request.as_ref(), CreatedSession { session_id })?;
        let sessions = state.store.sessions();
        allowance.counting(LimitedAction::NewSession, sessions.create(scope, &session, record)).await?;
        Ok(session)
    };
    let replay = async |CreatedSession { session_id }| {
        // The user is not in the body alone: a widget's is that of its token, which may have changed.
        let now = state.conversation.session(&caller, &session_id).await?;
        Ok(Session { user: now.user, ..new_session(&state, &caller, body.clone(), session_id).await? })
    };
    let (session, replayed) = requests.once(scope, request.as_ref(), work, replay).await?;
    let location = format!("/api/v1/sessions/{}", session.session_id);
    Ok(Replayed(replayed, Created(location, SessionOut::new(session, Viewer::of(&caller)))))
}

/// The session of a request, as it is opened.
async fn new_session(state: &Sessions, caller: &Principal, body: SessionIn, session_id: SessionId) -> Result<Session> {
    let settings = state.store.settings().get(caller.scope()).await?;
    let mut session = Session {
        external_user_id: body.external_user_id,
        user: body.user.flatten(),
        locale: body.locale,
        timezone: body.timezone,
        metadata: body.metadata.unwrap_or_default(),
        tags: body.tags.unwrap_or_default(),
        opened_by_widget: caller.widget().is_some(),
        ..Session::new(session_id, caller.mode(), body.channel.unwrap_or(Channel::Api))
    };
    session.due_at = next_due_at(&session, &settings);
    Ok(session)
}

/// A session that a widget creates is of channel `widget` and of its own visitor, with the token's `user`.
///
/// # Errors
/// 400 for a preview that is not of its own widget; 403 for another visitor, and for a token that belongs to one session alone.
fn with_widget_identity(caller: &Principal, mut body: SessionIn) -> Result<SessionIn> {
    let Some(widget) = caller.widget() else {
        if body.channel == Some(Channel::Widget) && body.external_user_id.as_deref().is_some_and(is_preview_visitor) {
            return Err(Error::invalid(
                "externalUserId",
                DetailCode::NotAllowed,
                "a preview is opened by its own widget",
            ));
        }
        return Ok(body);
    };
    if widget.session_id.is_some() {
        return Err(Error::new(Code::Forbidden, "This token is limited to one session.")
            .with_detail(DetailCode::TokenScope, "request a token without sessionId"));
    }
    if body.external_user_id.as_ref().is_some_and(|named| *named != widget.external_user_id) {
        return Err(visitor_mismatch());
    }
    body.external_user_id = Some(widget.external_user_id.clone());
    body.channel = Some(Channel::Widget);
    body.user = Some(widget.user.clone().or_else(|| body.user.take().flatten().map(Visitor::unverified)));
    Ok(body)
}

/// 403 for a widget that names another visitor than its own.
pub(crate) fn visitor_mismatch() -> Error {
    Error::new(Code::Forbidden, "The token belongs to another visitor.")
        .with_detail(DetailCode::TokenScope, "externalUserId may only repeat the token's own")
}
