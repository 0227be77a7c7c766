//! `POST /sessions`.

use edge::ApiResult;
use std::collections::BTreeMap;

use crate::Sessions;
use app::conversation::next_look;
use axum::extract::State;
use domain::access::{Principal, WidgetIdentity};
use domain::error::Code;
use domain::models::{Channel, Ownership, Session, SessionId, Visitor};
use domain::wire::{SessionOut, Viewer};
use domain::{Error, Result};
use edge::{Created, Fields, FromFields, OptionalJsonIn, SessionCaller};

use crate::details::{metadata, tags};

/// What a caller says of a new session.
#[derive(Debug, Default)]
pub(crate) struct SessionIn {
    external_user_id: Option<String>,
    user: Option<Visitor>,
    channel: Option<Channel>,
    locale: Option<String>,
    metadata: BTreeMap<String, serde_json::Value>,
    tags: Vec<String>,
}

impl FromFields for SessionIn {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let channels: Vec<_> = Channel::ALL.iter().map(|channel| channel.as_str()).collect();
        Some(Self {
            external_user_id: fields.external_user_id(),
            user: fields.visitor(),
            channel: fields.choice("channel", Channel::parse, &channels),
            locale: fields.line("locale", 2, 35),
            metadata: metadata(fields).unwrap_or_default(),
            tags: tags(fields).unwrap_or_default(),
        })
    }
}

/// Starts a conversation.
pub(crate) async fn create_session(
    State(ctx): State<Sessions>,
    caller: SessionCaller,
    OptionalJsonIn(body): OptionalJsonIn<SessionIn>,
) -> ApiResult<Created<SessionOut>> {
    let session = new_session(&ctx, &caller, body).await?;
    ctx.store.sessions().create(caller.scope(), &session).await?;
    let location = format!("/api/v1/sessions/{}", session.session_id);
    Ok(Created(location, SessionOut::new(session, Viewer::of(&caller))))
}

async fn new_session(ctx: &Sessions, caller: &Principal, mut body: SessionIn) -> Result<Session> {
    if let Some(widget) = caller.widget() {
        as_widget(widget, &mut body)?;
    }
    let settings = ctx.store.settings().get(caller.scope()).await?;
    let now = ctx.ambient.now();
    let mut session = Session {
        // The session's time is that of its id: its figures count on the day of its id.
        session_id: SessionId::from_parts(now, ctx.ambient.random()?),
        mode: caller.mode(),
        ownership: Ownership::Ai,
        epoch: 0,
        turn_count: 0,
        last_message_id: None,
        last_public_message_id: None,
        channel: body.channel.unwrap_or(Channel::Api),
        external_user_id: body.external_user_id,
        user: body.user,
        locale: body.locale,
        metadata: body.metadata,
        tags: body.tags,
        escalation_id: None,
        ai_since_turn: 0,
        ai_turns: 0,
        no_answer_streak: 0,
        answer_due: false,
        ai_reads_after_turn: 0,
        handover_note: None,
        language: None,
        has_customer_message: false,
        ever_escalated: false,
        created_at: now,
        updated_at: now,
        last_activity_at: now,
        last_customer_message_at: None,
        owner_since: now,
        closed_at: None,
        closed_reason: None,
        resumable_until: None,
        due_at: None,
        version: 1,
    };
    session.due_at = next_look(&session, &settings);
    Ok(session)
}

/// What a widget creates is of channel `widget` and of its own visitor, with the token's `user`.
///
/// # Errors
/// 403 for another visitor, and for a token that belongs to one session alone.
fn as_widget(widget: &WidgetIdentity, body: &mut SessionIn) -> Result<()> {
    if widget.session_id.is_some() {
        return Err(Error::new(Code::Forbidden, "This token is limited to one session.")
            .because("TOKEN_SCOPE", "request a token without sessionId"));
    }
    if body.external_user_id.as_ref().is_some_and(|named| *named != widget.external_user_id) {
        return Err(other_visitor());
    }
    body.external_user_id = Some(widget.external_user_id.clone());
    body.channel = Some(Channel::Widget);
    if widget.user.is_some() {
        body.user.clone_from(&widget.user);
    }
    Ok(())
}

/// 403 for a widget that names another visitor than its own.
pub(crate) fn other_visitor() -> Error {
    Error::new(Code::Forbidden, "The token belongs to another visitor.")
        .because("TOKEN_SCOPE", "externalUserId may only repeat the token's own")
}
