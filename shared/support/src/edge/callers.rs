//! Callers as handler arguments: a handler that takes a [`WikiWriter`] is only called by a caller who may write the
//! wiki. One macro makes them from the permission table. The file also has the rules for changes of members, beyond the
//! permission of the caller.

use std::ops::Deref;
use std::time::Duration;

use axum::extract::FromRequestParts;
use domain::access::{Permission, Principal};
use domain::error::{Code, DetailCode};
use domain::models::{MemberId, Mode, Role, Settings, Timestamp, is_preview_visitor};
use domain::{Error, Result};
use http::request::Parts;
use http::{HeaderMap, header};
use schemars::SchemaGenerator;

use super::cors;
use super::describe::{Identifies, Input, Operation};
use super::query::check_names;
use super::rate_limit::{Call, RateLimitReport};
use super::route_list::RouteSpec;
use crate::edge::allowance::Allowance;
use crate::edge::auth::{Authenticator, CREDENTIAL_MAX_BYTES};
use crate::edge::{ApiError, ApiResult, App};
use crate::table::Store;

/// How long `GET /health` waits for authentication.
const HEALTH_AUTH_TIMEOUT: Duration = Duration::from_secs(2);

/// How old the sign-in may be with which a member changes access to the tenant, in milliseconds.
const RECENT_MS: i64 = 60 * 60_000;

macro_rules! callers {
    ($($(#[$meta:meta])* $name:ident => $permission:ident),+ $(,)?) => { $(
        $(#[$meta])*
        #[derive(Debug, Clone)]
        pub struct $name(pub Principal);

        impl Deref for $name {
            type Target = Principal;

            fn deref(&self) -> &Principal {
                &self.0
            }
        }

        impl FromRequestParts<App> for $name {
            type Rejection = ApiError;

            async fn from_request_parts(parts: &mut Parts, app: &App) -> ApiResult<Self> {
                Ok(Self(authorize(parts, app.authenticator()?, Permission::$permission).await?))
            }
        }

        impl Input for $name {
            fn describe(operation: &mut Operation, _: &mut SchemaGenerator) {
                operation.permission = Permission::$permission;
                operation.errors.extend([
                    Code::ValidationError,
                    Code::Unauthorized,
                    Code::SignInRequired,
                    Code::ApiKeyExpired,
                    Code::TokenExpired,
                    Code::Forbidden,
                    Code::RateLimited,
                ]);
                if operation.permission.needs_recent_sign_in() {
                    operation.errors.insert(Code::RecentSignInRequired);
                }
            }
        }
    )+ };
}

callers! {
    /// Uses sessions: any key, or a widget, which the handler holds to its own
    /// ([`domain::access::WidgetIdentity::reaches`]).
    SessionCaller => UseSession,
    /// Rates the people who helped: servers, and a widget, which the handler holds to its own.
    SessionRater => RateSession,
    /// Lists sessions.
    SessionLister => ListSessions,
    /// Changes what is known of a session: any key, or a widget, which the handler holds to its own `user`.
    SessionEditor => EditSession,
    /// Erases sessions.
    SessionEraser => DeleteSession,
    /// Reads the wiki: any key, or a widget, which sees public entries only.
    WikiReader => ReadWiki,
    /// Writes the wiki.
    WikiWriter => WriteWiki,
    /// Reads old versions of entries, and proposed changes.
    KnowledgeReader => ReadKnowledge,
    /// Proposes changes of the wiki; the handler holds drafts of others to [`Permission::WriteWiki`].
    Proposer => Propose,
    /// Reads analytics and knowledge gaps.
    AnalyticsReader => ReadAnalytics,
    /// Dismisses knowledge gaps and opens them again.
    GapEditor => EditGaps,
    /// Works in the inbox.
    InboxAgent => Inbox,
    /// Writes notes about sessions.
    NoteWriter => WriteNotes,
    /// Uses saved replies; the handler holds those of the tenant to [`Permission::WriteTeamReplies`].
    ReplyUser => UseSavedReplies,
    /// Reads the receivers of events, and sends to them again.
    WebhookManager => ManageWebhooks,
    /// Makes, changes and deletes the receivers of events.
    WebhookEditor => ChangeWebhooks,
    /// Makes wiki entries of pages and texts.
    Ingester => Ingest,
    /// Reads keys, reads and changes settings.
    Administrator => Administer,
    /// Makes and deletes keys.
    KeyManager => ManageKeys,
    /// Manages members, and reads the audit.
    MemberManager => ManageMembers,
    /// Adds members.
    MemberAdder => AddMember,
    /// Reads and changes a member: an admin, or a member, whom the handler holds to itself.
    MemberVisitor => ReachMember,
    /// Asks for widget tokens.
    TokenIssuer => IssueWidgetToken,
}

/// The caller of the health report: a valid key, or anonymous. A widget and an invalid credential count as anonymous
/// here, and so do a key that has no call left and every caller while keys cannot be read. An origin that the tenant
/// does not name is refused.
#[derive(Debug, Clone)]
pub struct HealthCaller(pub Option<Principal>);

impl Input for HealthCaller {
    fn describe(operation: &mut Operation, _: &mut SchemaGenerator) {
        operation.identifies = Identifies::KeysAndMembers;
        operation.errors.insert(Code::Forbidden);
    }
}

impl FromRequestParts<App> for HealthCaller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> ApiResult<Self> {
        let outcome = tokio::time::timeout(HEALTH_AUTH_TIMEOUT, count_call(parts, app.authenticator()?)).await;
        let principal = match outcome {
            Ok(Err(error)) if cors::is_origin_refusal(&error) => return Err(error.into()),
            outcome => outcome.ok().and_then(Result::ok).map(|(principal, _)| principal),
        };
        Ok(Self(principal.filter(|principal| principal.widget().is_none())))
    }
}

/// The one that signs out: the caller by a credential, if the request has one; 401 for one that is not good. A desk token that
/// is over, or whose member changed, names nobody any more: then the cookie says whose sign-in ends.
#[derive(Debug, Clone)]
pub struct MaybeBearer(pub Option<Principal>);

impl Input for MaybeBearer {
    fn describe(operation: &mut Operation, _: &mut SchemaGenerator) {
        operation.identifies = Identifies::Members;
        operation.errors.extend([Code::Unauthorized, Code::ApiKeyExpired, Code::Forbidden, Code::RateLimited]);
    }
}

impl FromRequestParts<App> for MaybeBearer {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> ApiResult<Self> {
        if !parts.headers.contains_key(header::AUTHORIZATION) {
            return Ok(Self(None));
        }
        match count_call(parts, app.authenticator()?).await {
            Ok((principal, _)) => Ok(Self(Some(principal))),
            Err(error) if matches!(error.code(), Code::TokenExpired | Code::SignInRequired) => Ok(Self(None)),
            Err(error) => Err(error.into()),
        }
    }
}

/// The query of an operation that is for everybody and takes no parameter.
#[derive(Debug, Clone, Copy)]
pub struct NoQuery;

impl Input for NoQuery {
    fn describe(operation: &mut Operation, _: &mut SchemaGenerator) {
        operation.errors.insert(Code::ValidationError);
    }
}

impl<S: Sync> FromRequestParts<S> for NoQuery {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> ApiResult<Self> {
        check_names(parts.uri.query().unwrap_or_default(), &[])?;
        Ok(Self)
    }
}

/// The allowance of the caller. It comes after the caller among a handler's arguments.
#[derive(Debug, Clone)]
pub struct AllowanceIn(pub Allowance);

impl Input for AllowanceIn {
    fn describe(_: &mut Operation, _: &mut SchemaGenerator) {}
}

impl<S: Sync> FromRequestParts<S> for AllowanceIn {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> ApiResult<Self> {
        let allowance = parts.extensions.get::<Allowance>().cloned();
        Ok(Self(allowance.ok_or_else(|| Error::internal("a request with an allowance has no caller"))?))
    }
}

/// The tenant's settings, if they say which pages may call, or how often.
async fn settings_of(parts: &Parts, store: &Store, caller: &Principal) -> Result<Option<Settings>> {
    let is_from_page = cors::request_origin(&parts.headers).is_some() && caller.member().is_none();
    if !is_from_page && caller.widget().is_none() {
        return Ok(None);
    }
    store.settings().get(caller.scope()).await.map(Some)
}

fn route_of(parts: &Parts) -> Option<&'static RouteSpec> {
    parts.extensions.get::<&'static RouteSpec>().copied()
}

/// The caller, whose call is counted, from a page that may.
///
/// # Errors
/// 401 for whoever is not known, 429 `RATE_LIMITED`, 403 for a page of another origin.
pub(crate) async fn count_call(parts: &Parts, authenticator: &Authenticator) -> Result<(Principal, Allowance)> {
    let credential = bearer(&parts.headers).ok_or_else(Error::unauthorized)?;
    let principal = authenticator.authenticate(credential).await?;
    let settings = settings_of(parts, &authenticator.store, &principal).await?;
    let call = Call {
        principal: &principal,
        route: route_of(parts),
        path: parts.uri.path(),
        query: parts.uri.query().unwrap_or_default(),
        settings: settings.as_ref(),
    };
    let report = parts.extensions.get::<RateLimitReport>();
    let allowance = call.count(&authenticator.store, authenticator.rate_limit_per_minute, report).await?;
    // After the count, so that also a page that may not call is told what is left, and has a limit.
    match &settings {
        _ if principal.member().is_some() => {
            cors::check_desk_origin(&parts.headers, authenticator.desk_origin.as_deref())?;
        }
        Some(settings) if !is_preview_at_desk(parts, &principal, authenticator) => {
            cors::check_origin(&parts.headers, &settings.widget_origins)?;
        }
        _ => {}
    }
    Ok((principal, allowance))
}

/// Whether somebody of the tenant tries the chat from the desk's own pages.
fn is_preview_at_desk(parts: &Parts, principal: &Principal, authenticator: &Authenticator) -> bool {
    principal.widget().is_some_and(|widget| is_preview_visitor(&widget.external_user_id))
        && cors::require_desk_origin(&parts.headers, authenticator.desk_origin.as_deref()).is_ok()
}

async fn authorize(parts: &mut Parts, authenticator: &Authenticator, permission: Permission) -> Result<Principal> {
    let (principal, allowance) = count_call(parts, authenticator).await?;
    if permission.allows(&principal) {
        if permission.needs_live_key() {
            require_live_key(&principal)?;
        }
        if permission.needs_recent_sign_in() {
            require_recent_sign_in(&principal, authenticator.now())?;
        }
        // If a query is read, its reader names unknown parameters among its other problems.
        if route_of(parts).is_some_and(|route| route.query.is_empty()) {
            check_names(parts.uri.query().unwrap_or_default(), &[])?;
        }
        parts.extensions.insert(allowance);
        parts.extensions.insert(authenticator.cursor_keys());
        parts.extensions.insert(principal.clone());
        return Ok(principal);
    }
    Err(lacks(permission))
}

/// 403 for a caller without `permission`.
#[must_use]
pub fn lacks(permission: Permission) -> Error {
    let roles: Vec<_> = permission.roles().iter().map(|role| role.as_str()).collect();
    Error::new(Code::Forbidden, "This caller lacks the required permission.")
        .with_detail(DetailCode::RequiredRole, format!("needs a key of role {}", roles.join(", ")))
}

/// The credential of the one `Authorization` header: `Bearer`, in any case, one space or more, and no white space in
/// it.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut given = headers.get_all(header::AUTHORIZATION).iter();
    let only = given.next().filter(|_| given.next().is_none())?.to_str().ok()?;
    let (scheme, rest) = only.split_once(' ')?;
    let credential = rest.trim_start_matches(' ');
    let is_valid =
        (1..=CREDENTIAL_MAX_BYTES).contains(&credential.len()) && credential.bytes().all(|b| b.is_ascii_graphic());
    (scheme.eq_ignore_ascii_case("bearer") && is_valid).then_some(credential)
}

/// Refuses a key of the test mode: members belong to both modes.
///
/// # Errors
/// 403.
pub fn require_live_key(caller: &Principal) -> Result<()> {
    if caller.mode() == Mode::Test && caller.member().is_none() {
        return Err(Error::new(Code::Forbidden, "A test key does not manage members.")
            .with_detail(DetailCode::RequiredMode, "needs a live admin key, or a member who is an admin"));
    }
    Ok(())
}

/// Refuses a member who is no admin and asks about another one. Whether it is the member itself.
///
/// # Errors
/// 403.
pub fn require_itself_or_admin(caller: &Principal, id: &MemberId) -> Result<bool> {
    let itself = caller.member().is_some_and(|member| member.member_id == *id);
    if itself || caller.has_role(Role::Admin) {
        return Ok(itself);
    }
    Err(Error::new(Code::Forbidden, "This caller lacks the required permission.")
        .with_detail(DetailCode::RequiredRole, "needs the role admin, or the member itself"))
}

/// Refuses a member who proved more than an hour ago who it is. A key has no sign-in.
///
/// # Errors
/// 403 `RECENT_SIGN_IN_REQUIRED`.
pub fn require_recent_sign_in(caller: &Principal, now: Timestamp) -> Result<()> {
    match caller.member() {
        Some(member) if now.millis_since(member.authenticated_at) > RECENT_MS => {
            Err(Error::new(Code::RecentSignInRequired, "This needs a sign-in of the last 60 minutes. Sign in again."))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn exactly_one_bearer_credential_is_read() {
        let read = |values: &[&[u8]]| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(header::AUTHORIZATION, HeaderValue::from_bytes(value).unwrap());
            }
            bearer(&headers).map(str::to_owned)
        };
        for good in [&b"Bearer abc"[..], b"bearer abc", b"BEARER  abc"] {
            assert_eq!(read(&[good]).as_deref(), Some("abc"));
        }
        let long = [b"Bearer ".to_vec(), vec![b'x'; CREDENTIAL_MAX_BYTES + 1]].concat();
        let bad: [&[&[u8]]; 13] = [
            &[],
            &[b""],
            &[b"Bearer"],
            &[b"Bearer "],
            &[b"abc"],
            &[b"Basic abc"],
            &[b"Bearer\tabc"],
            &[b"Bearer a\tb"],
            &[b"Bearer abc "],
            &[b"Bearer Bearer abc"],
            &["Bearer é".as_bytes()],
            &[b"Bearer abc", b"Bearer abc"],
            &[&long],
        ];
        for values in bad {
            assert_eq!(read(values), None, "{values:?}");
        }
    }
}
