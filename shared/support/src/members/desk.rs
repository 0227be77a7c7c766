//! How people sign in to the desk: the provider's code becomes a desk token, the cookie renews it, and signing out ends
//! both. Signing in may fail only so many times a minute from one address.

use std::net::IpAddr;

use aws::store::{Membership, Store};
use axum::extract::{FromRequestParts, State};
use domain::access::{Principal, SecretToken};
use domain::error::Code;
use domain::models::{Mode, Plan, Role, Scope, TenantId, Timestamp};
use domain::rate_limit::{Draw, Quota};
use domain::{Error, Result, Secret, hmac_sha256_hex};
use edge::allowance::refused;
use edge::auth::{DESK_TOKEN_SECONDS, DeskClaims};
use edge::describe::{Input, Operation};
use edge::input::{choice, id, optional, or, required, text};
use edge::{
    ApiError, ApiResult, Json, JsonIn, MaybeBearer, NoContent, NoQuery, SourceAddress, WithCookie, check_desk_origin,
    require_desk_origin,
};
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Uri};
use openid::SignInError;
use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;

use crate::auth::{Auth, Desk, FunctionState};
use crate::members::api::MemberOut;
use crate::members::sign_in;
use crate::members::sign_in::{Person, SignedIn, Wanted};

/// The longest code and invitation that are read, in characters.
const MAX_CHARS: usize = 4_096;

/// A request of the desk's pages, or of no page: every other page is refused before its query and body are looked at.
pub(crate) struct DeskPage;

impl Input for DeskPage {
    fn describe(operation: &mut Operation, _: &mut SchemaGenerator) {
        operation.errors.extend([Code::NotFound, Code::Forbidden]);
    }
}

impl FromRequestParts<Auth> for DeskPage {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &Auth) -> ApiResult<Self> {
        // Without a provider the handlers answer 404.
        if let Ok((_, place)) = state.desk() {
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
async fn get_desk(State(state): State<Auth>, _: NoQuery) -> ApiResult<Json<DeskOut>> {
    let (desk, _) = state.desk()?;
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
    State(state): State<Auth>,
    _: DeskPage,
    _: NoQuery,
    address: SourceAddress,
    JsonIn(body): JsonIn<SignInIn>,
) -> ApiResult<WithCookie<Json<TokenOut>>> {
    let (desk, place) = state.desk()?;
    let address = address.resolve(state.distribution_secret.as_ref());
    let attempt = desk.attempts.begin(&state.store, &address).await?;
    let outcome = sign_in(&state, desk, body).await;
    attempt.end(outcome.as_ref().err()).await;
    let (signed_in, secret) = outcome?;
    let seconds = signed_in.sign_in.ends_at().millis_since(state.runtime.now()) / 1_000;
    let cookie = place.cookie.set(&secret, seconds)?;
    let answer = Json(token_out(desk, &state.store, signed_in).await?);
    Ok(WithCookie { cookie, answer })
}

async fn sign_in(state: &Auth, desk: &Desk, body: SignInIn) -> Result<(SignedIn, SecretToken)> {
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
    sign_in::sign_in(&state.store, &state.runtime, &person, invitation, &wanted).await
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
    State(state): State<Auth>,
    _: DeskPage,
    _: NoQuery,
    headers: HeaderMap,
    JsonIn(body): JsonIn<RenewIn>,
) -> ApiResult<Json<TokenOut>> {
    let (desk, place) = state.desk()?;
    require_desk_origin(&headers, Some(&place.origin))?;
    let secret = place.cookie.read(&headers).ok_or_else(Error::sign_in_required)?;
    let wanted = Wanted { tenant: body.tenant_id, mode: body.mode };
    let renewed = sign_in::renew(&state.store, &state.runtime, &secret, &wanted).await?;
    Ok(Json(token_out(desk, &state.store, renewed).await?))
}

async fn token_out(desk: &Desk, store: &Store, signed_in: SignedIn) -> Result<TokenOut> {
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
    let shows_images = store.settings().get(&claims.scope).await?.shows_images;
    let issued = desk.tokens.issue(&claims).await?;
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
    State(state): State<Auth>,
    headers: HeaderMap,
    MaybeBearer(caller): MaybeBearer,
    _: NoQuery,
) -> ApiResult<WithCookie<NoContent>> {
    let origin = state.desk_url.as_ref().map(|desk| desk.origin.as_str());
    let cookie = state.desk_url.as_ref().map_or(DeskCookie::Secure, |desk| desk.cookie);
    check_desk_origin(&headers, origin)?;
    match caller {
        Some(Principal::Member(member)) => {
            let place = (&member.scope.tenant, &member.member_id, member.scope.mode);
            sign_in::sign_out_of(&state.store, &state.runtime, place, &member.sign_in).await?;
        }
        Some(_) => return Err(Error::new(Code::Forbidden, "Only a desk token signs out.").into()),
        None => {
            if let Some(secret) = cookie.read(&headers) {
                require_desk_origin(&headers, origin)?;
                sign_in::sign_out(&state.store, &state.runtime, &secret).await?;
            }
        }
    }
    Ok(WithCookie { cookie: cookie.clear()?, answer: NoContent })
}

/// The cookie of a sign-in. Scripts cannot read it, no other site's request carries it, and only renewing and signing
/// out read it.
///
/// Browsers send a cookie of one port of a host to its other ports, too. Without encryption, on this machine alone, its
/// name holds the port, so that two services do not replace each other's, and its path keeps it from other pages there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DeskCookie {
    /// Over https: with the prefix of its name, a browser takes it from an encrypted connection alone, and for this host
    /// alone.
    Secure,
    /// On this machine, of the desk at this port.
    Local(u16),
}

impl DeskCookie {
    /// The cookie of the desk with this origin.
    pub(crate) fn of(origin: &Uri) -> Self {
        match origin.scheme_str() {
            Some("http") => Self::Local(origin.port_u16().unwrap_or(80)),
            _ => Self::Secure,
        }
    }

    fn name(self) -> String {
        match self {
            Self::Secure => "__Host-desk".to_owned(),
            Self::Local(port) => format!("desk-{port}"),
        }
    }

    const fn attributes(self) -> &'static str {
        match self {
            Self::Secure => "Path=/; HttpOnly; SameSite=Strict; Secure",
            Self::Local(_) => "Path=/api/v1/auth; HttpOnly; SameSite=Strict",
        }
    }

    fn header(self, secret: &str, seconds: i64) -> Result<HeaderValue> {
        let text = format!("{}={secret}; Max-Age={seconds}; {}", self.name(), self.attributes());
        let mut value = HeaderValue::from_str(&text).map_err(|_| Error::internal("a cookie is no header"))?;
        value.set_sensitive(true);
        Ok(value)
    }

    /// Sets it for so many seconds.
    pub(crate) fn set(self, secret: &SecretToken, seconds: i64) -> Result<HeaderValue> {
        self.header(secret.expose(), seconds)
    }

    pub(crate) fn clear(self) -> Result<HeaderValue> {
        self.header("", 0)
    }

    /// The secret of a request; none if it is not there once, or has another form.
    pub(crate) fn read(self, headers: &HeaderMap) -> Option<SecretToken> {
        let name = self.name();
        let mut given = edge::cookies(headers, &name);
        let only = given.next().filter(|_| given.next().is_none())?;
        SecretToken::parse(std::str::from_utf8(only).ok()?)
    }
}

/// How often signing in may fail from one address, which is stored as a keyed hash.
const FAILURES: Quota = Quota::per_minute("failed-sign-ins", 20);

/// Counts failures; cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Attempts {
    /// Keys the hash of addresses.
    key: Secret,
    per_minute: Option<u32>,
}

/// A sign-in that is being tried.
#[must_use = "a sign-in that did not fail is given back"]
pub(crate) struct Attempt<'a> {
    store: &'a Store,
    hash: String,
    draw: Draw,
}

impl Attempts {
    pub(crate) const fn new(key: Secret, per_minute: Option<u32>) -> Self {
        Self { key, per_minute }
    }

    /// Counts a sign-in before it is tried, so that many at once do not pass.
    ///
    /// # Errors
    /// 429 `RATE_LIMITED`.
    pub(crate) async fn begin<'a>(&self, store: &'a Store, address: &IpAddr) -> Result<Attempt<'a>> {
        let hash = hmac_sha256_hex(self.key.expose().as_bytes(), network(address).as_bytes());
        let quota = self.per_minute.map_or(FAILURES, |limit| Quota::per_minute(FAILURES.name, limit));
        let draw = Draw { quota, subject: String::new(), tokens: 1, is_reported: false };
        let taken = store.rate_buckets().take_of_address(&hash, &draw).await;
        taken.map_err(|exhausted| refused(&exhausted))?;
        Ok(Attempt { store, hash, draw })
    }
}

impl Attempt<'_> {
    /// Ends it: what succeeded, and what failed for another reason than its caller, is given back.
    pub(crate) async fn end(self, error: Option<&Error>) {
        let is_failure = error.is_some_and(|error| error.code().status() < 500);
        if is_failure {
            let code = error.map_or(Code::InternalError, Error::code).name();
            tracing::info!(metric.FailedSignIns = 1, error.code = code, "a sign-in failed");
        } else {
            self.store.rate_buckets().give_back_of_address(&self.hash, &self.draw).await;
        }
    }
}

/// The network that counts as one address: an IPv6 network of 64 bits belongs to one customer.
fn network(address: &IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("{:x}/64", u128::from(address) >> 64),
    }
}

#[cfg(test)]
mod tests {
    use domain::clock::Runtime;
    use http::header;

    use super::*;

    const LOCAL: DeskCookie = DeskCookie::Local(8788);

    #[test]
    fn the_cookie_is_read_where_it_stands_once_under_its_name() {
        let secret = SecretToken::generate(&Runtime::system()).unwrap();
        let read_from = |lines: &[String], cookie: DeskCookie| {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append(header::COOKIE, HeaderValue::from_bytes(line.as_bytes()).unwrap());
            }
            cookie.read(&headers)
        };
        let good = format!("desk-8788={}", secret.expose());
        let secure = format!("__Host-desk={}", secret.expose());
        assert_eq!(read_from(&[format!("a=b; {good}; c")], LOCAL), Some(secret.clone()));
        assert_eq!(read_from(std::slice::from_ref(&secure), DeskCookie::Secure), Some(secret.clone()));
        assert_eq!(read_from(std::slice::from_ref(&good), DeskCookie::Secure), None);
        assert_eq!(read_from(std::slice::from_ref(&good), DeskCookie::Local(8789)), None);
        assert_eq!(read_from(std::slice::from_ref(&secure), LOCAL), None);
        assert_eq!(read_from(&[good.clone(), good.clone()], LOCAL), None);
        assert_eq!(read_from(&["desk-8788=".into()], LOCAL), None);
        assert_eq!(read_from(&[format!("{good}0")], LOCAL), None);
        assert_eq!(read_from(&[format!("{good}é")], LOCAL), None);
        assert_eq!(read_from(&[format!("é={good}")], LOCAL), None);
    }

    #[test]
    fn a_browser_keeps_it_from_scripts_other_sites_and_other_pages_of_this_machine() {
        let secret = SecretToken::generate(&Runtime::system()).unwrap();
        let of = |origin: &'static str| DeskCookie::of(&Uri::from_static(origin));
        for (origin, start, end) in [
            ("https://desk.example", "__Host-desk=", "; Max-Age=60; Path=/; HttpOnly; SameSite=Strict; Secure"),
            ("http://127.0.0.1:8788", "desk-8788=", "; Max-Age=60; Path=/api/v1/auth; HttpOnly; SameSite=Strict"),
            ("http://localhost", "desk-80=", "; Max-Age=60; Path=/api/v1/auth; HttpOnly; SameSite=Strict"),
        ] {
            let set = of(origin).set(&secret, 60).unwrap();
            assert_eq!(set.to_str().unwrap(), format!("{start}{}{end}", secret.expose()));
            let clear = of(origin).clear().unwrap();
            assert_eq!(clear.to_str().unwrap(), format!("{start}{}", end.replace("=60", "=0")));
        }
    }

    #[test]
    fn an_address_of_ipv6_counts_by_its_network() {
        let of = |text: &str| network(&text.parse().unwrap());
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff::9"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
        assert_eq!(of("::ffff:192.0.2.1"), of("192.0.2.1"));
    }
}
