//! Widget tokens: a server requests one and passes it to its visitor's page.

use axum::extract::State;
use domain::access::{PreviewOwner, Principal};
use domain::clock::Runtime;
use domain::error::{Code, DetailCode};
use domain::models::{
    Appearance, Channel, CustomerLanguage, Presence, Role, Scope, Session, SessionId, Settings, Texts, Timestamp,
    Visitor, is_preview_visitor,
};
use domain::{Error, Result};
use schemars::JsonSchema;
use serde::Serialize;
use text::dialogue::{Sentence, sentence};

use crate::edge::allowance::{Allowance, Counting, LimitedAction};
use crate::edge::auth::TokenRequest;
use crate::edge::input::{external_user_id, id, integer, optional, or, token_user};
use crate::edge::{self, AllowanceIn, ApiResult, App, Json, OptionalJsonIn, TokenIssuer};
use crate::tenants::hours::presence;

/// How long a token is good when nobody says, in seconds.
const DEFAULT_TTL_SECONDS: u32 = 900;
/// How often a session that gets its visitor elsewhere at the same moment is read again.
const MAX_ATTEMPTS: u32 = 5;

edge::body! {
    /// For whom the token is.
    #[derive(Debug)]
    pub(crate) struct TokenIn as "WidgetTokenRequest" {
        /// The visitor; one is made where nobody is named.
        external_user_id: Option<String> = "externalUserId" => optional(external_user_id()),
        /// The person, for the sessions that the widget opens.
        user: Option<Option<Visitor>> = "user" => optional(token_user()),
        /// The token belongs to this session alone.
        session_id: Option<SessionId> = "sessionId" => optional(id::<SessionId>()),
        /// How long it is good, in seconds.
        ttl_seconds: u32 = "ttlSeconds" => or(integer(60, 3_600), DEFAULT_TTL_SECONDS),
    }
}

/// A widget token, and for whom it is.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "WidgetToken")]
pub(crate) struct TokenOut {
    /// A JWT.
    token: String,
    /// How it is sent: `Bearer`.
    token_type: &'static str,
    /// Seconds.
    expires_in: i64,
    /// When it expires.
    expires_at: Timestamp,
    /// The visitor; made where none was named.
    external_user_id: String,
    /// The session that `POST /sessions/resume` with this token takes up; null where there is none to go on with.
    latest_session_id: Option<SessionId>,
    /// The fixed sentences of the service.
    texts: WidgetTexts,
    /// The address of an entry on the tenant's site, with `{path}` in place of the entry's path.
    source_url_template: Option<String>,
    /// Whether the chat shows the images of entries.
    shows_images: bool,
    /// Questions to offer before the first message.
    suggestions: Vec<String>,
    /// The look of the chat; null: its own.
    appearance: Option<Appearance>,
    /// Whether people are there.
    #[serde(flatten)]
    presence: Presence,
}

/// The fixed sentences of the service, for a chat.
#[derive(Serialize, JsonSchema)]
pub(crate) struct WidgetTexts {
    /// The tenant's own texts; null if the service's own sentence is said.
    #[serde(flatten)]
    own: Texts,
    /// The sentence that an automatic assistant answers: show it before the first message. In the language of
    /// the session to go on with, else in the wiki's.
    notice: &'static str,
}

edge::endpoint! {
    /// Make a chat token for a visitor.
    ///
    /// Stores nothing, and ignores `Idempotency-Key`. A token for a session of another channel than `widget` is 409. Half
    /// of a key's tokens in a minute are kept for visitors who opened a session in a widget before. A member asks for
    /// those of visitors `preview_…` alone, as an admin; they end with the member's sign-in.
    pub(crate) IssueWidgetToken = POST "/api/v1/auth/widget-token" => issue_widget_token;
    rate_class: WidgetToken,
    errors: [NotFound, InvalidState],
    example: {"externalUserId": "ann", "user": {"name": "Ann"}, "ttlSeconds": 900},
}

/// Makes a token for a visitor, or for the visitor of one session and that session alone.
async fn issue_widget_token(
    State(app): State<App>,
    caller: TokenIssuer,
    AllowanceIn(allowance): AllowanceIn,
    OptionalJsonIn(body): OptionalJsonIn<TokenIn>,
) -> ApiResult<Json<TokenOut>> {
    let scope = caller.scope();
    check_preview(&caller, &body)?;
    // Before anything is read.
    allowance.check(LimitedAction::KnownVisitorToken)?;
    let recipient = match &body.session_id {
        Some(id) => recipient_of_session(&app, scope, &allowance, id, body.external_user_id).await?,
        None => recipient(&app, scope, &allowance, body.external_user_id).await?,
    };
    let now = app.runtime.now();
    let latest = recipient.latest.filter(|session| session.is_resumable(now));
    let preview_of = caller.member().map(PreviewOwner::from);
    let request = TokenRequest {
        scope,
        external_user_id: &recipient.external_user_id,
        session_id: body.session_id.as_ref(),
        user: body.user.as_ref().and_then(Option::as_ref),
        preview_of: preview_of.as_ref(),
        ttl_seconds: body.ttl_seconds.into(),
    };
    let issued = app.authenticator()?.widget_tokens.issue(&request).await;
    recipient.counting.end(issued.is_ok()).await;
    let issued = issued?;
    let expires_in = body.ttl_seconds.into();
    let settings = app.store.settings().get(scope).await?;
    let presence = presence(&app.store, scope, &settings, now).await?;
    Ok(Json(TokenOut {
        token: issued.token,
        token_type: "Bearer",
        expires_in,
        expires_at: issued.expires_at,
        external_user_id: recipient.external_user_id,
        texts: WidgetTexts {
            notice: sentence(notice_language(latest.as_ref(), &settings), Sentence::Notice),
            own: settings.texts,
        },
        latest_session_id: latest.map(|session| session.session_id),
        source_url_template: settings.source_url_template,
        shows_images: settings.shows_images,
        suggestions: settings.suggestions,
        appearance: Some(settings.appearance).filter(|appearance| !appearance.is_own()),
        presence,
    }))
}

/// A member asks for tokens of previews alone, as an admin: a token of a customer would let it write as one. A key asks
/// for no previews.
fn check_preview(caller: &Principal, body: &TokenIn) -> Result<()> {
    let is_preview = body.external_user_id.as_deref().is_some_and(is_preview_visitor);
    match (caller.member(), is_preview) {
        (None, true) => Err(Error::invalid("externalUserId", DetailCode::NotAllowed, "only members ask for previews")),
        (Some(_), true) if caller.has_role(Role::Admin) && body.session_id.is_none() => Ok(()),
        (Some(_), _) => Err(Error::new(Code::Forbidden, "A member asks for tokens of previews alone, as an admin.")
            .with_detail(
                DetailCode::RequiredRole,
                "needs the role admin, an externalUserId preview_… and no sessionId",
            )),
        (None, false) => Ok(()),
    }
}

/// The language that the visitor's session has, else the wiki's.
fn notice_language(latest: Option<&Session>, settings: &Settings) -> CustomerLanguage {
    let locale = latest.and_then(|session| session.locale.as_deref());
    let spoken = locale.and_then(CustomerLanguage::of_locale).or(latest.and_then(|session| session.language));
    spoken.unwrap_or_else(|| settings.language.into())
}

/// An anonymous visitor; 128 random bits.
fn anonymous(runtime: &Runtime) -> Result<String> {
    Ok(format!("anon_{}", runtime.token()?))
}

/// For whom a token is.
struct Recipient {
    external_user_id: String,
    /// The visitor's session to go on with.
    latest: Option<Session>,
    counting: Counting,
}

/// A visitor, who was seen before if they have a session of a widget: that is read anyway, and nobody has one by a
/// name that was just made up.
async fn recipient(app: &App, scope: &Scope, allowance: &Allowance, named: Option<String>) -> Result<Recipient> {
    let (external_user_id, latest) = match named {
        Some(named) => {
            let is_widget = |session: &Session| session.channel == Channel::Widget;
            let latest = app.store.sessions().latest_of_visitor(scope, &named, is_widget).await?;
            (named, latest)
        }
        None => (anonymous(&app.runtime)?, None),
    };
    let action = if latest.is_some() { LimitedAction::KnownVisitorToken } else { LimitedAction::NewVisitorToken };
    let counting = allowance.trying(action);
    counting.count().await?;
    Ok(Recipient { external_user_id, latest, counting })
}

/// The visitor of a session; a session without one gets the one named or made, by condition, so that two tokens asked for
/// at once are for the same visitor.
async fn recipient_of_session(
    app: &App,
    scope: &Scope,
    allowance: &Allowance,
    id: &SessionId,
    named: Option<String>,
) -> Result<Recipient> {
    let mut counted = None;
    for _ in 0..MAX_ATTEMPTS {
        let session = app.store.sessions().get(scope, id).await?.ok_or_else(|| Error::not_found("session"))?;
        check_channel(&session)?;
        if session.is_preview() {
            return Err(Error::invalid(
                "sessionId",
                DetailCode::NotAllowed,
                "is a preview, which only members ask for",
            ));
        }
        let known = session.external_user_id.clone();
        let known = known.map(|visitor| require_same_visitor(visitor, named.as_deref())).transpose()?;
        let action = if known.is_some() { LimitedAction::KnownVisitorToken } else { LimitedAction::NewVisitorToken };
        let counting = counted.take().unwrap_or_else(|| allowance.trying(action));
        counting.count().await?;
        if let Some(external_user_id) = known {
            return Ok(Recipient { external_user_id, latest: Some(session), counting });
        }
        let external_user_id = named.clone().map_or_else(|| anonymous(&app.runtime), Ok)?;
        if app.store.sessions().assign_visitor(scope, &session, &external_user_id).await? {
            return Ok(Recipient { external_user_id, latest: Some(session), counting });
        }
        counted = Some(counting);
    }
    Err(Error::unavailable("a session without visitor changed again and again"))
}

fn check_channel(session: &Session) -> Result<()> {
    if session.channel == Channel::Widget {
        return Ok(());
    }
    Err(Error::new(Code::InvalidState, "A widget token is valid for sessions of channel widget only."))
}

fn require_same_visitor(visitor: String, named: Option<&str>) -> Result<String> {
    if named.is_none_or(|named| named == visitor) {
        return Ok(visitor);
    }
    Err(Error::invalid("externalUserId", DetailCode::OtherVisitor, "must be the session's visitor, or be left out"))
}
