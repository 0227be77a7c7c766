//! `POST /sessions` and `/sessions/resume`, `PATCH` and `DELETE /sessions/:id`, and `GET /sessions/:id/export`. Also
//! the attributes of a session besides its turns, in request bodies.

use std::collections::BTreeMap;

use domain::access::Principal;
use domain::error::{Code, DetailCode};
use domain::limits::{self, LOCALE, hours, locale};
use domain::models::{
    AuditAction, AuditEntry, Channel, EscalationId, MessageId, Session, SessionId, Visitor, is_preview_visitor,
};
use domain::wire::{EscalationOut, SessionOut, TurnOut, Viewer};
use domain::{Error, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::edge::allowance::LimitedAction;
use crate::edge::input::{
    Alternative, AtLeastOne, Change, Distinct, ExactlyOne, FlatMap, Text, choice, clearable, distinct,
    external_user_id, flat_map, id, list, optional, visitor, within,
};
use crate::edge::query::integer;
use crate::edge::{
    self, AllowanceIn, ApiResult, App, Created, Json, JsonIn, NoContent, OnceIn, OptionalJsonIn, PathIn, QueryIn,
    Replayed, RequestMeta, SessionCaller, SessionEditor, SessionEraser, cursor,
};
use crate::requester::answer_viewer;
use crate::sessions::conversation::ConversationService;
use crate::sessions::conversation::lifecycle::{ResumeTarget, SessionPatch, next_due_at};

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
    conversation: ConversationService,
    caller: SessionCaller,
    AllowanceIn(allowance): AllowanceIn,
    OnceIn(request, OptionalJsonIn(body)): OnceIn<OptionalJsonIn<SessionIn>>,
) -> ApiResult<Replayed<Created<SessionOut>>> {
    let (scope, requests) = (caller.scope(), conversation.store.idempotency());
    let body = with_widget_identity(&caller, body)?;
    // The session's time is that of its id: its figures count on the day of its id.
    let session_id = SessionId::generate(&conversation.runtime)?;
    let work = async {
        let session = new_session(&conversation, &caller, body.clone(), session_id.clone()).await?;
        let record = requests.completed(scope, request.as_ref(), CreatedSession { session_id })?;
        let sessions = conversation.store.sessions();
        let counting = allowance.trying(LimitedAction::NewSession);
        counting.count().await?;
        let created = sessions.create(scope, &session, record).await;
        counting.end(created.is_ok()).await;
        created.map(|_| session)
    };
    let replay = async |CreatedSession { session_id }| {
        // The user is not in the body alone: a widget's is that of its token, which may have changed.
        let now = conversation.session(&caller, &session_id).await?;
        Ok(Session { user: now.user, ..new_session(&conversation, &caller, body.clone(), session_id).await? })
    };
    let (session, replayed) = requests.once(scope, request.as_ref(), work, replay).await?;
    let location = format!("/api/v1/sessions/{}", session.session_id);
    Ok(Replayed(replayed, Created(location, SessionOut::new(session, Viewer::of(&caller)))))
}

/// The session of a request, as it is opened.
async fn new_session(app: &App, caller: &Principal, body: SessionIn, session_id: SessionId) -> Result<Session> {
    let settings = app.store.settings().get(caller.scope()).await?;
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
fn visitor_mismatch() -> Error {
    Error::new(Code::Forbidden, "The token belongs to another visitor.")
        .with_detail(DetailCode::TokenScope, "externalUserId may only repeat the token's own")
}

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
            Alternative { field: "sessionId", schema: "ResumeSession", needs: &[], owns: &[] },
            Alternative { field: "externalUserId", schema: "ResumeVisitor", needs: &[], owns: &[] },
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
async fn resume_session(
    conversation: ConversationService,
    caller: SessionCaller,
    OnceIn(request, OptionalJsonIn(body)): OnceIn<OptionalJsonIn<ResumeIn>>,
) -> ApiResult<Replayed<Json<ResumeOut>>> {
    let target = resume_target(&caller, body)?;
    let resumed = conversation.resume(&caller, &target, request.as_ref()).await?;
    let viewer = answer_viewer(&conversation.store, &caller).await?;
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

/// `tags`: at most 20, of 1-50 characters each (a limit of ours), each kept once.
const TAGS: Distinct<Text> = distinct(list(limits::MAX_TAGS, within(limits::TAG)));

/// `metadata`: flat, at most 50 keys and 4 KiB of JSON.
const METADATA: FlatMap = flat_map(limits::metadata::MAX_KEYS, limits::metadata::MAX_BYTES);

edge::body! {
    /// A change of what is known of a session: each field replaces the old value whole, `null` clears it.
    #[derive(Debug)]
    pub(crate) struct SessionPatchIn as "SessionPatch" {
        /// Words to find it by.
        tags: Change<Vec<String>> = "tags" => clearable(TAGS),
        /// Anything that is to be found again.
        metadata: Change<BTreeMap<String, serde_json::Value>> = "metadata" => clearable(METADATA),
        /// The person.
        user: Change<Option<Visitor>> = "user" => clearable(visitor()),
    }
    rules: [AtLeastOne]
}

impl From<SessionPatchIn> for SessionPatch {
    fn from(body: SessionPatchIn) -> Self {
        Self {
            tags: body.tags.replacement().map(Option::unwrap_or_default),
            metadata: body.metadata.replacement().map(Option::unwrap_or_default),
            user: body.user.replacement().map(Option::flatten),
        }
    }
}

edge::endpoint! {
    /// Change what is known of a customer or a conversation.
    ///
    /// `tags`, `metadata` and `user` are each replaced whole. What is absent stays, `null` clears. Makes no event. A
    /// widget changes the `user` of its own session alone, as long as that is not verified and its token names none.
    pub(crate) UpdateSession = PATCH "/api/v1/sessions/{id}" => update_session;
    example: {"user": {"name": "Ann", "email": "ann@example.com"}},
}

/// Replaces tags, metadata and user, each whole; what is absent stays, what is `null` is cleared.
async fn update_session(
    conversation: ConversationService,
    caller: SessionEditor,
    PathIn(id): PathIn<SessionId>,
    JsonIn(body): JsonIn<SessionPatchIn>,
) -> ApiResult<Json<SessionOut>> {
    let mut patch = SessionPatch::from(body);
    if caller.widget().is_some() {
        patch.user = patch.user.map(|user| user.map(Visitor::unverified));
    }
    let session = conversation.change_details(&caller, &id, &patch).await?;
    Ok(Json(SessionOut::new(session, Viewer::of(&caller))))
}

edge::endpoint! {
    /// Erase a conversation.
    ///
    /// It is unreadable at once; what was said is erased within 15 minutes, counts stay.
    pub(crate) DeleteSession = DELETE "/api/v1/sessions/{id}" => delete_session;
}

/// Deletes a session with everything that belongs to it.
pub(crate) async fn delete_session(
    conversation: ConversationService,
    caller: SessionEraser,
    PathIn(id): PathIn<SessionId>,
) -> ApiResult<NoContent> {
    conversation.delete(&caller, &id).await?;
    Ok(NoContent)
}

/// How much text of turns a page holds at the most.
const MAX_PAGE_BYTES: usize = 4 * 1024 * 1024;
/// How many escalations a page holds at most. Beside 4 MiB of turns they fit into the 6 MB that a function may answer.
const ESCALATIONS_A_PAGE: usize = 50;

edge::query! {
    /// The page of an export to read.
    #[derive(Debug)]
    pub(crate) struct ExportQuery {
        /// How many turns, and how many escalations, a page holds at most; by default up to 4 MiB of turns.
        limit: Option<u32> = "limit" => integer(1, 100),
    }
    cursor: from: Position, list = ();
}

edge::endpoint! {
    /// Export a conversation.
    ///
    /// The session with its turns, internal notes too, each with its reactions, and with its escalations, both oldest
    /// first. A page holds up to 4 MiB of turns and 50 escalations. The audit has an entry for each page.
    pub(crate) ExportSession = GET "/api/v1/sessions/{id}/export" => export_session;
    rate_class: List,
    example_query: {"limit": 100},
}

/// Where a page begins: behind this turn and behind this escalation.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Position(Option<MessageId>, Option<EscalationId>);

/// A session with what belongs to it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SessionExport")]
pub(crate) struct SessionExportOut {
    #[serde(flatten)]
    session: SessionOut,
    /// Its turns, each with its reactions.
    messages: Vec<TurnOut>,
    /// Its escalations.
    escalations: Vec<EscalationOut>,
    /// Where the next page begins.
    next_cursor: Option<String>,
    /// There is a next page.
    has_more: bool,
}

/// Reads a page of all that belongs to a session.
async fn export_session(
    conversation: ConversationService,
    caller: SessionEraser,
    PathIn(id): PathIn<SessionId>,
    QueryIn(query): QueryIn<ExportQuery>,
    meta: RequestMeta,
) -> ApiResult<Json<SessionExportOut>> {
    let session = conversation.session(&caller, &id).await?;
    let entry = AuditEntry::new(&caller, AuditAction::SessionExported, id.as_str(), meta.received_at);
    conversation.store.audit().add(caller.tenant(), &entry).await?;
    let Position(turn, escalation) = query.from.unwrap_or_default();
    let after = turn.as_ref().map_or(0, MessageId::turn_number);
    let limit = query.limit.and_then(|limit| usize::try_from(limit).ok());
    let escalations_limit = limit.map_or(ESCALATIONS_A_PAGE, |limit| limit.min(ESCALATIONS_A_PAGE));
    let (sessions, escalations) = (conversation.store.sessions(), conversation.store.escalations());
    let turns = sessions.list_turns_after(caller.scope(), &id, after, limit, MAX_PAGE_BYTES).await?;
    let escalations = escalations.list_of_session(caller.scope(), &id, escalation.as_ref(), escalations_limit).await?;
    let has_more = turns.has_more || escalations.next.is_some();
    let next = Position(
        turns.turns.last().map(|last| last.message_id.clone()).or(turn),
        escalations.items.last().map(|last| last.escalation_id.clone()).or(escalation),
    );
    let viewer = Viewer::of(&caller);
    Ok(Json(SessionExportOut {
        session: SessionOut::new(session, viewer),
        messages: TurnOut::visible(turns.turns, viewer),
        escalations: escalations.items.into_iter().map(EscalationOut::from).collect(),
        next_cursor: has_more.then(|| cursor::encode(&query.list, &next)).transpose()?,
        has_more,
    }))
}
