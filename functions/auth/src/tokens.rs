//! Widget tokens: a server requests one and passes it to its visitor's page.

use crate::Auth;
use axum::extract::State;
use domain::clock::Ambient;
use domain::error::Code;
use domain::models::{Channel, Scope, Session, SessionId, Timestamp, Visitor};
use domain::{Error, Result};
use edge::ApiResult;
use edge::auth::TokenRequest;
use edge::{Fields, FromFields, Json, OptionalJsonIn, TokenIssuer};
use serde::Serialize;

/// The default lifetime of a token, in seconds.
const DEFAULT_TTL_SECONDS: i64 = 900;
/// How often a session that gets its visitor elsewhere at the same moment is read again.
const TRIES: u32 = 5;

/// For whom the token is.
pub(crate) struct TokenIn {
    external_user_id: Option<String>,
    user: Option<Visitor>,
    session_id: Option<String>,
    ttl_seconds: i64,
}

impl FromFields for TokenIn {
    fn from_fields(f: &mut Fields) -> Option<Self> {
        Some(Self {
            external_user_id: f.external_user_id(),
            user: f.visitor(),
            session_id: f.text("sessionId", 1, 100),
            ttl_seconds: f.integer("ttlSeconds", 60, 3_600).unwrap_or(DEFAULT_TTL_SECONDS),
        })
    }
}

/// The token and for whom it is.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TokenOut {
    token: String,
    token_type: &'static str,
    expires_in: i64,
    expires_at: Timestamp,
    external_user_id: String,
}

/// Makes a token for a visitor, or for the visitor of one session and that session alone.
pub(crate) async fn issue_widget_token(
    State(ctx): State<Auth>,
    caller: TokenIssuer,
    OptionalJsonIn(body): OptionalJsonIn<TokenIn>,
) -> ApiResult<Json<TokenOut>> {
    let scope = caller.scope();
    let session_id = body.session_id.as_deref().map(|id| SessionId::parse(id).ok_or_else(no_session)).transpose()?;
    let external_user_id = match &session_id {
        Some(id) => visitor_of(&ctx, scope, id, body.external_user_id).await?,
        None => named_or_new(&ctx.ambient, body.external_user_id)?,
    };
    let request = TokenRequest {
        scope,
        external_user_id: &external_user_id,
        session_id: session_id.as_ref(),
        user: body.user.as_ref(),
        ttl_seconds: body.ttl_seconds,
    };
    let issued = ctx.widget_tokens.issue(&request).await?;
    let expires_in = body.ttl_seconds;
    Ok(Json(TokenOut {
        token: issued.token,
        token_type: "Bearer",
        expires_in,
        expires_at: issued.expires_at,
        external_user_id,
    }))
}

fn no_session() -> Error {
    Error::not_found("session")
}

fn named_or_new(ambient: &Ambient, named: Option<String>) -> Result<String> {
    named.map_or_else(|| anonymous(ambient), Ok)
}

/// An anonymous visitor; 128 random bits.
fn anonymous(ambient: &Ambient) -> Result<String> {
    Ok(format!("anon_{}", ambient.token()?))
}

/// The session's visitor; one without gets the one named or made, by condition, so that two tokens asked for at once
/// are for the same visitor.
async fn visitor_of(ctx: &Auth, scope: &Scope, id: &SessionId, named: Option<String>) -> Result<String> {
    for _ in 0..TRIES {
        let session = ctx.store.sessions().get(scope, id).await?.ok_or_else(no_session)?;
        check_channel(&session)?;
        if let Some(visitor) = session.external_user_id {
            return same_visitor(visitor, named.as_deref());
        }
        let visitor = named_or_new(&ctx.ambient, named.clone())?;
        if ctx.store.sessions().assign_visitor(scope, &session, &visitor).await? {
            return Ok(visitor);
        }
    }
    Err(Error::unavailable("a session without visitor changed again and again"))
}

fn check_channel(session: &Session) -> Result<()> {
    if session.channel == Channel::Widget {
        return Ok(());
    }
    Err(Error::new(Code::InvalidState, "A widget token is valid for sessions of channel widget only."))
}

fn same_visitor(visitor: String, named: Option<&str>) -> Result<String> {
    if named.is_none_or(|named| named == visitor) {
        return Ok(visitor);
    }
    Err(Error::invalid("externalUserId", "OTHER_VISITOR", "must be the session's visitor, or be left out"))
}
