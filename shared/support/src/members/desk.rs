//! How people sign in to the desk: the provider's code becomes a desk token, the cookie renews it, and signing out ends
//! both. Signing in may fail only so many times a minute from one address.

use axum::extract::{FromRequestParts, State};
use domain::access::{Principal, SecretToken};
use domain::error::Code;
use domain::models::{Mode, Plan, Role, Scope, TenantId, Timestamp};
use domain::{Error, Result};
use http::HeaderMap;
use http::request::Parts;
use openid::SignInError;
use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;

use crate::edge::auth::{DESK_TOKEN_SECONDS, Desk, DeskClaims, DeskCookie};
use crate::edge::describe::{Input, Operation};
use crate::edge::input::{choice, id, optional, or, required, text};
use crate::edge::{
    self, ApiError, ApiResult, App, Json, JsonIn, MaybeBearer, NoContent, NoQuery, SourceAddress, WithCookie,
    check_desk_origin, require_desk_origin,
};
use crate::members::api::MemberOut;
use crate::members::sign_in::{self, Person, SignedIn, Wanted};
use crate::members::table::Membership;

/// The longest code and invitation that are read, in characters.
const MAX_CHARS: usize = 4_096;

/// A request of the desk's pages, or of no page: every other page is refused before its query and body are looked at.
pub(crate) struct DeskPage;

impl Input for DeskPage {
    fn describe(operation: &mut Operation, _: &mut SchemaGenerator) {
        operation.errors.extend([Code::NotFound, Code::Forbidden]);
    }
}

impl FromRequestParts<App> for DeskPage {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> ApiResult<Self> {
        // Without a provider the handlers answer 404.
        if let Ok((_, place)) = app.desk() {
            check_desk_origin(&parts.headers, Some(&place.origin))?;
        }
        Ok(Self)
    }
}

/// How the desk asks the provider to sign somebody in.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "DeskSignIn")]
pub(crate) struct DeskOut {
    /// Where the person is sent.
    authorization_endpoint: String,
    /// The id of the desk at the provider.
    client_id: String,
    /// Where the provider sends the person back to, with a code.
    redirect_uri: String,
    /// The scope to ask for.
    scope: &'static str,
    /// Where the person is sent to sign out at the provider, too; null where it has no such page.
    end_session_url: Option<String>,
}

edge::endpoint! {
    /// Read where people sign in.
    ///
    /// For the desk: it sends the person to `authorizationEndpoint` by the code flow with PKCE (S256), and the
    /// `code_challenge` as `nonce`, too. 404 where the operator has configured no provider.
    pub(crate) GetDesk = GET "/api/v1/auth/desk" => get_desk;
    errors: [NotFound],
}

/// Reads how the desk signs people in.
async fn get_desk(State(app): State<App>, _: NoQuery) -> ApiResult<Json<DeskOut>> {
    let (desk, _) = app.desk()?;
    let metadata = desk.provider.metadata().await.map_err(unusable)?;
    let settings = desk.provider.settings();
    Ok(Json(DeskOut {
        authorization_endpoint: metadata.authorization_endpoint.clone(),
        client_id: settings.client_id.clone(),
        redirect_uri: settings.redirect_uri.clone(),
        scope: "openid email",
        end_session_url: metadata.end_session_url.clone(),
    }))
}

edge::body! {
    /// The result of a sign-in at the provider.
    #[derive(Debug)]
    pub(crate) struct SignInIn as "DeskTokenRequest" {
        /// The provider's code.
        code: String = "code" => required(text(1, MAX_CHARS)),
        /// The value that `code_challenge` and `nonce` are made of.
        code_verifier: String = "codeVerifier" => required(text(1, MAX_CHARS)),
        /// The secret of an invitation, which binds the person to its member.
        invitation: Option<String> = "invitation" => optional(text(1, MAX_CHARS)),
        /// The tenant; by default the one signed in to last.
        tenant_id: Option<TenantId> = "tenantId" => optional(id::<TenantId>()),
        /// The half of the tenant's data.
        mode: Mode = "mode" => or(choice::<Mode>(), Mode::Live),
    }
}

edge::body! {
    /// Where to go on.
    #[derive(Debug)]
    pub(crate) struct RenewIn as "DeskTokenRenewal" {
        /// Another tenant of the person; by default the one signed in to last.
        tenant_id: Option<TenantId> = "tenantId" => optional(id::<TenantId>()),
        /// The half of the tenant's data.
        mode: Mode = "mode" => or(choice::<Mode>(), Mode::Live),
    }
}

/// The tenant that a desk token opens.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DeskTenant {
    /// Its id.
    tenant_id: TenantId,
    /// Its name.
    name: String,
    /// Its plan.
    plan: Plan,
    /// Whether customers are shown the images of entries; a preview follows.
    shows_images: bool,
}

/// A tenant where the person is a member.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OwnTenant {
    /// Its id.
    tenant_id: TenantId,
    /// Its name.
    name: String,
    /// The person's roles there.
    roles: Vec<Role>,
}

/// A desk token, and for whom it is.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "DeskToken")]
pub(crate) struct TokenOut {
    /// A JWT.
    token: String,
    /// How it is sent: `Bearer`.
    token_type: &'static str,
    /// Seconds.
    expires_in: i64,
    /// When the token expires.
    expires_at: Timestamp,
    /// When the provider's code was redeemed.
    signed_in_at: Timestamp,
    /// Until when the token can be renewed.
    sign_in_ends_at: Timestamp,
    /// The member.
    member: MemberOut,
    /// The tenant that the token opens.
    tenant: DeskTenant,
    /// Every tenant where the person may go.
    tenants: Vec<OwnTenant>,
}

edge::endpoint! {
    /// Sign in to the desk.
    ///
    /// Redeems the provider's code; no token of the provider leaves the service. Sets an `HttpOnly` cookie that renews the
    /// token for twelve hours. Ignores `Idempotency-Key`. From the desk's own pages alone. `NOT_A_MEMBER` for a person who
    /// is no active member, and for an invitation that is not good; `SIGN_IN_REQUIRED` for a code that is refused; 20
    /// failures a minute and address.
    pub(crate) IssueDeskToken = POST "/api/v1/auth/desk-token" => issue_desk_token;
    errors: [SignInRequired, NotAMember, Conflict, RateLimited],
    example: {"code": "SplxlOBeZQQYbYS6WxSbIA", "codeVerifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"},
}

/// Signs somebody in.
async fn issue_desk_token(
    State(app): State<App>,
    _: DeskPage,
    _: NoQuery,
    address: SourceAddress,
    JsonIn(body): JsonIn<SignInIn>,
) -> ApiResult<WithCookie<Json<TokenOut>>> {
    let (desk, place) = app.desk()?;
    let address = address.resolve(app.distribution_secret.as_ref());
    let attempt = desk.attempts.begin(&app.store, &address).await?;
    let outcome = sign_in(&app, desk, body).await;
    attempt.end(outcome.as_ref().err()).await;
    let (signed_in, secret) = outcome?;
    let seconds = signed_in.sign_in.ends_at().millis_since(app.runtime.now()) / 1_000;
    let cookie = place.cookie.set(&secret, seconds)?;
    let answer = Json(token_out(&app, desk, signed_in).await?);
    Ok(WithCookie { cookie, answer })
}

async fn sign_in(app: &App, desk: &Desk, body: SignInIn) -> Result<(SignedIn, SecretToken)> {
    let person = desk.provider.redeem(&body.code, &body.code_verifier).await.map_err(unusable)?;
    let person = Person {
        issuer: person.issuer,
        subject: person.subject,
        email: person.email,
        email_verified: person.email_verified,
        authenticated_at: person.auth_time,
    };
    let wanted = Wanted { tenant: body.tenant_id, mode: body.mode };
    let invitation = (body.invitation.as_deref(), desk.invite_without_email);
    sign_in::sign_in(&app.store, &app.runtime, &person, invitation, &wanted).await
}

/// The error that the caller gets for a failure of the provider.
fn unusable(error: SignInError) -> Error {
    match error {
        SignInError::Refused(_) => Error::sign_in_required().context(error.to_string()),
        SignInError::IdTokenRefused(_) => {
            tracing::warn!(metric.SignInProviderFailures = 1, error = %error, "nobody can sign in by this ID token");
            Error::sign_in_required()
        }
        // No metric: a caller could raise the operator's alarm.
        SignInError::AskedOtherwise(_) => {
            tracing::warn!(error = %error, "nobody can sign in by this ID token");
            Error::sign_in_required()
        }
        SignInError::Unavailable(_) => {
            tracing::warn!(metric.SignInProviderFailures = 1, error = %error, "the OpenID provider is not usable");
            Error::unavailable("nobody can sign in; the line before says why")
        }
    }
}

edge::endpoint! {
    /// Get the next desk token.
    ///
    /// By the cookie of the sign-in and from the desk's own pages alone, until `signInEndsAt`; also for another tenant of
    /// the person. Neither `signedInAt` nor the time of the sign-in at the provider changes. Ignores `Idempotency-Key`.
    pub(crate) RenewDeskToken = POST "/api/v1/auth/desk-token/renew" => renew_desk_token;
    errors: [SignInRequired, NotAMember],
    example: {"mode": "live"},
}

/// Renews a desk token.
async fn renew_desk_token(
    State(app): State<App>,
    _: DeskPage,
    _: NoQuery,
    headers: HeaderMap,
    JsonIn(body): JsonIn<RenewIn>,
) -> ApiResult<Json<TokenOut>> {
    let (desk, place) = app.desk()?;
    require_desk_origin(&headers, Some(&place.origin))?;
    let secret = place.cookie.read(&headers).ok_or_else(Error::sign_in_required)?;
    let wanted = Wanted { tenant: body.tenant_id, mode: body.mode };
    let renewed = sign_in::renew(&app.store, &app.runtime, &secret, &wanted).await?;
    Ok(Json(token_out(&app, desk, renewed).await?))
}

async fn token_out(app: &App, desk: &Desk, signed_in: SignedIn) -> Result<TokenOut> {
    let SignedIn { membership, mode, sign_in, memberships } = signed_in;
    let (tenant, member) = (membership.tenant, membership.member);
    let claims = DeskClaims {
        scope: Scope { tenant: tenant.tenant_id.clone(), mode },
        member_id: member.member_id.clone(),
        generation: member.generation,
        sign_in: sign_in.sign_in_id.clone(),
        authenticated_at: sign_in.authenticated_at,
        expires_at: Timestamp::default(),
    };
    let shows_images = app.store.settings().get(&claims.scope).await?.shows_images;
    let issued = app.authenticator()?.desk_tokens.issue(&desk.keys, &claims).await?;
    let own =
        |it: Membership| OwnTenant { tenant_id: it.tenant.tenant_id, name: it.tenant.name, roles: it.member.roles };
    Ok(TokenOut {
        token: issued.token,
        token_type: "Bearer",
        expires_in: DESK_TOKEN_SECONDS,
        expires_at: issued.expires_at,
        signed_in_at: sign_in.signed_in_at,
        sign_in_ends_at: sign_in.ends_at(),
        member: member.into(),
        tenant: DeskTenant { tenant_id: tenant.tenant_id, name: tenant.name, plan: tenant.plan, shows_images },
        tenants: memberships.into_iter().map(own).collect(),
    })
}

edge::endpoint! {
    /// Sign out of the desk.
    ///
    /// Ends the sign-in of the desk token, or without one that counts that of the cookie, and clears the cookie. From the desk's own
    /// pages alone. Ignores `Idempotency-Key`.
    pub(crate) SignOut = POST "/api/v1/auth/sign-out" => sign_out;
}

/// Ends a sign-in.
pub(crate) async fn sign_out(
    State(app): State<App>,
    headers: HeaderMap,
    MaybeBearer(caller): MaybeBearer,
    _: NoQuery,
) -> ApiResult<WithCookie<NoContent>> {
    let origin = app.desk_url.as_ref().map(|desk| desk.origin.as_str());
    let cookie = app.desk_url.as_ref().map_or(DeskCookie::Secure, |desk| desk.cookie);
    check_desk_origin(&headers, origin)?;
    match caller {
        Some(Principal::Member(member)) => {
            let place = (&member.scope.tenant, &member.member_id, member.scope.mode);
            sign_in::sign_out_of(&app.store, &app.runtime, place, &member.sign_in).await?;
        }
        Some(_) => return Err(Error::new(Code::Forbidden, "Only a desk token signs out.").into()),
        None => {
            if let Some(secret) = cookie.read(&headers) {
                require_desk_origin(&headers, origin)?;
                sign_in::sign_out(&app.store, &app.runtime, &secret).await?;
            }
        }
    }
    Ok(WithCookie { cookie: cookie.clear()?, answer: NoContent })
}
