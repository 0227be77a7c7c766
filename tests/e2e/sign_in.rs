//! Signing in, over HTTP: a stand-in for the operator's provider vouches for people, and the desk's tokens are used.

use std::sync::Arc;

use aws::config::{DeskProvider, DeskTokenKey};
use aws::desk_keys::DeskSigningKey;
use axum::Json;
use axum::extract::{RawForm, State};
use axum::routing::{get, post};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use domain::Secret;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use local::Resources;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::support::{Actor, Reply, TestOptions, TestService};

/// The secret that the distribution sends with each request, so that the viewer's address is believed.
pub(crate) const DISTRIBUTION_SECRET: &str = "sesame";
/// The address of the desk.
pub(crate) const DESK: &str = "http://127.0.0.1:4/desk/";
/// The origin of the desk of such a service.
pub(crate) const ORIGIN: &str = "http://127.0.0.1:4";
/// The verifier whose hash the provider's ID tokens have.
pub(crate) const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

/// The provider: a code is what its ID token is to say.
struct Provider {
    issuer: String,
    key: DeskSigningKey,
}

impl Provider {
    async fn start() -> String {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let issuer = format!("http://{}", listener.local_addr().unwrap());
        let pair = format!("p1:{}", STANDARD.encode([9; 32]));
        let key = DeskSigningKey::new(&DeskTokenKey::parse_pair(&pair).unwrap()).unwrap();
        let provider = Arc::new(Self { issuer: issuer.clone(), key });
        let router = axum::Router::new()
            .route("/.well-known/openid-configuration", get(discovery))
            .route("/keys", get(keys))
            .route("/token", post(token))
            .with_state(provider);
        tokio::spawn(std::future::IntoFuture::into_future(axum::serve(listener, router)));
        issuer
    }
}

async fn discovery(State(provider): State<Arc<Provider>>) -> Json<Value> {
    let issuer = &provider.issuer;
    Json(json!({
        "issuer": issuer, "authorization_endpoint": format!("{issuer}/authorize"),
        "token_endpoint": format!("{issuer}/token"), "jwks_uri": format!("{issuer}/keys"),
    }))
}

async fn keys(State(provider): State<Arc<Provider>>) -> Json<Value> {
    let part = |range: std::ops::Range<usize>| URL_SAFE_NO_PAD.encode(&provider.key.public_key[range]);
    let (x, y) = (part(1..33), part(33..65));
    Json(json!({"keys": [{"kty": "EC", "crv": "P-256", "kid": "p1", "alg": "ES256", "use": "sig", "x": x, "y": y}]}))
}

async fn token(State(provider): State<Arc<Provider>>, RawForm(form): RawForm) -> Json<Value> {
    let form = String::from_utf8(form.to_vec()).unwrap();
    let code = form.split('&').find_map(|pair| pair.strip_prefix("code=")).unwrap();
    let mut claims: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(code).unwrap()).unwrap();
    claims["iss"] = provider.issuer.clone().into();
    claims["aud"] = "desk".into();
    claims["nonce"] = URL_SAFE_NO_PAD.encode(Sha256::digest(VERIFIER)).into();
    let mut header = Header::new(Algorithm::ES256);
    header.kid = Some("p1".into());
    let token = encode(&header, &claims, &EncodingKey::from_ec_der(&provider.key.pkcs8)).unwrap();
    Json(json!({"id_token": token, "access_token": "unused", "token_type": "Bearer"}))
}

/// A service with such a provider.
pub(crate) async fn service() -> TestService {
    service_with(|_| {}).await
}

/// The same after `change` has had its say; the distribution's secret is [`DISTRIBUTION_SECRET`].
pub(crate) async fn service_with(change: impl FnOnce(&mut TestOptions)) -> TestService {
    let with_desk = desk_settings().await;
    TestService::with(|options| {
        options.change_resources = Some(Box::new(with_desk));
        change(options);
    })
    .await
}

/// The settings that give a service a desk, where people of a new stand-in for the provider sign in.
pub(crate) async fn desk_settings() -> impl FnOnce(Resources) -> Resources + Send {
    let issuer = Provider::start().await;
    move |mut resources: Resources| {
        let mut config = (*resources.config).clone();
        config.desk_url = Some(DESK.into());
        config.desk_provider =
            Some(DeskProvider { issuer, client_id: "desk".into(), client_secret: None, auth_time_is_iat: false });
        config.distribution_secret = Some(Secret::new(DISTRIBUTION_SECRET.into()));
        resources.config = Arc::new(config);
        resources
    }
}

/// A code of somebody, who proved so many seconds ago who it is.
pub(crate) fn code(service: &TestService, subject: &str, email: &str, seconds_ago: i64) -> String {
    let now = service.resources().runtime.now().as_seconds();
    let claims = json!({
        "sub": subject, "email": email, "email_verified": true, "iat": now, "exp": now + 60,
        "auth_time": now - seconds_ago,
    });
    URL_SAFE_NO_PAD.encode(claims.to_string())
}

/// The invitation of a new member of the service's tenant.
pub(crate) async fn invited(service: &TestService, email: &str, roles: &[&str]) -> (String, String) {
    invited_by(&service.admin(), email, roles).await
}

/// The invitation of a new member of the tenant of an admin: the member's id, and the secret.
pub(crate) async fn invited_by(admin: &Actor, email: &str, roles: &[&str]) -> (String, String) {
    let body = json!({"email": email, "name": "Ada Lovelace", "roles": roles});
    let added = admin.post("/members", body).await;
    added.expect(201);
    let secret = added.text_at("invitationUrl").strip_prefix(&format!("{DESK}#invitation=")).unwrap().to_owned();
    (added.text_at("memberId").to_owned(), secret)
}

async fn sign_in(service: &TestService, code: String, invitation: Option<&str>) -> Reply {
    let more = invitation.map_or_else(|| json!({}), |invitation| json!({"invitation": invitation}));
    sign_in_with(&service.anonymous(), code, more).await
}

/// Redeems a code; `body` is what else the desk says.
pub(crate) async fn sign_in_with(desk: &Actor, code: String, mut body: Value) -> Reply {
    body["code"] = code.into();
    body["codeVerifier"] = VERIFIER.into();
    desk.with_header("origin", ORIGIN).post("/auth/desk-token", body).await
}

/// A member who is signed in: its id, its calls, and its cookie.
async fn member(service: &TestService, email: &str, roles: &[&str], seconds_ago: i64) -> (String, Actor, String) {
    let (id, signed_in) = joined(service, &service.admin(), email, roles, seconds_ago).await;
    (id, service.bearer(signed_in.text_at("token")), cookie(&signed_in))
}

/// A new member of the tenant of an admin, who signs in as the person of that address: the id, and the answer.
pub(crate) async fn joined(
    service: &TestService,
    admin: &Actor,
    email: &str,
    roles: &[&str],
    seconds_ago: i64,
) -> (String, Reply) {
    let (id, invitation) = invited_by(admin, email, roles).await;
    let signed_in = sign_in(service, code(service, email, email, seconds_ago), Some(&invitation)).await;
    signed_in.expect(200);
    (id, signed_in)
}

/// A member of the service's tenant who has just signed in: its id and its calls.
pub(crate) async fn signed_in(service: &TestService, email: &str, roles: &[&str]) -> (String, Actor) {
    let (id, actor, _) = member(service, email, roles, 0).await;
    (id, actor)
}

/// The cookie that an answer sets.
pub(crate) fn cookie(signed_in: &Reply) -> String {
    signed_in.header("set-cookie").split(';').next().unwrap().to_owned()
}

async fn renew(service: &TestService, cookie: &str, origin: &str) -> Reply {
    renew_with(service, cookie, origin, json!({})).await
}

/// Renews by a cookie, from a page of `origin`.
pub(crate) async fn renew_with(service: &TestService, cookie: &str, origin: &str, body: Value) -> Reply {
    let desk = service.anonymous().with_header("cookie", cookie).with_header("origin", origin);
    desk.post("/auth/desk-token/renew", body).await
}

#[tokio::test]
async fn an_invitation_binds_one_person_once_and_the_person_signs_in_from_then_on() {
    let service = service().await;
    let desk = service.anonymous().get("/auth/desk").await;
    assert_eq!((&desk.expect(200)["clientId"], &desk.json["redirectUri"]), (&json!("desk"), &json!(DESK)));
    let (id, invitation) = invited(&service, "ada@company.example", &["agent"]).await;
    let ada = |seconds| code(&service, "ada", "ADA@company.example", seconds);
    sign_in(&service, ada(0), None).await.expect_error(403, "NOT_A_MEMBER");
    let other = code(&service, "eve", "eve@company.example", 0);
    sign_in(&service, other.clone(), Some(&invitation)).await.expect_error(403, "NOT_A_MEMBER");
    let signed_in = sign_in(&service, ada(0), Some(&invitation)).await;
    signed_in.expect(200);
    assert_eq!(signed_in.text_at("/member/memberId"), id);
    assert_eq!(signed_in.text_at("/member/status"), "active");
    assert_eq!(signed_in.json["expiresIn"], 900);
    sign_in(&service, ada(0), Some(&invitation)).await.expect_error(403, "NOT_A_MEMBER");
    sign_in(&service, other, Some(&invitation)).await.expect_error(403, "NOT_A_MEMBER");
    sign_in(&service, ada(0), None).await.expect(200);
    let me = service.bearer(signed_in.text_at("token"));
    me.get("/inbox").await.expect(200);
    assert_eq!(me.get(&format!("/members/{id}")).await.expect(200)["availability"], "available");
    me.get("/members").await.expect_error(403, "FORBIDDEN");
    me.with_header("origin", "https://elsewhere.example").get("/inbox").await.expect_error(403, "FORBIDDEN");
    me.with_header("origin", ORIGIN).get("/inbox").await.expect(200);
    me.post("/auth/widget-token", json!({"externalUserId": "ann"})).await.expect_error(403, "FORBIDDEN");
}

#[tokio::test]
async fn of_two_sign_ins_at_once_with_one_invitation_one_is_bound() {
    let service = service().await;
    let (_, invitation) = invited(&service, "ada@company.example", &["agent"]).await;
    let try_as = |subject| sign_in(&service, code(&service, subject, "ada@company.example", 0), Some(&invitation));
    let (one, other) = futures::join!(try_as("ada"), try_as("eve"));
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 403], "{} {}", one.text, other.text);
}

#[tokio::test]
async fn who_is_suspended_gets_other_roles_or_signs_out_is_refused_at_the_next_request() {
    let service = service().await;
    let admin = service.admin();
    let (id, me, cookie) = member(&service, "ada@company.example", &["agent"], 0).await;
    me.get("/inbox").await.expect(200);
    admin.patch(&format!("/members/{id}"), json!({"roles": ["trainer"]})).await.expect(200);
    me.get("/inbox").await.expect_error(401, "SIGN_IN_REQUIRED");
    let renewed = renew(&service, &cookie, ORIGIN).await;
    renewed.expect(200);
    let me = service.bearer(renewed.text_at("token"));
    me.get("/inbox").await.expect_error(403, "FORBIDDEN");
    me.post_empty("/auth/sign-out").await.expect(204);
    me.get("/wiki").await.expect_error(401, "SIGN_IN_REQUIRED");
    renew(&service, &cookie, ORIGIN).await.expect_error(401, "SIGN_IN_REQUIRED");

    let again = sign_in(&service, code(&service, "ada@company.example", "ada@company.example", 0), None).await;
    let me = service.bearer(again.text_at("token"));
    me.get("/wiki").await.expect(200);
    admin.patch(&format!("/members/{id}"), json!({"status": "suspended"})).await.expect(200);
    me.get("/wiki").await.expect_error(401, "SIGN_IN_REQUIRED");
    let refused = sign_in(&service, code(&service, "ada@company.example", "ada@company.example", 0), None).await;
    refused.expect_error(403, "NOT_A_MEMBER");
}

#[tokio::test]
async fn a_token_ends_after_fifteen_minutes_and_its_cookie_renews_it_for_twelve_hours_from_the_desk_alone() {
    let service = service().await;
    let (_, me, cookie) = member(&service, "ada@company.example", &["agent"], 0).await;
    renew(&service, &cookie, "https://elsewhere.example").await.expect_error(403, "FORBIDDEN");
    renew(&service, "desk=", ORIGIN).await.expect_error(401, "SIGN_IN_REQUIRED");
    let form = service.anonymous().with_header("cookie", &cookie).with_header("origin", ORIGIN);
    let form = form.post_raw("/auth/desk-token/renew", "application/x-www-form-urlencoded", "mode=live").await;
    form.expect_error(415, "UNSUPPORTED_MEDIA_TYPE");
    service.clock.advance(901_000);
    me.get("/inbox").await.expect_error(401, "TOKEN_EXPIRED");
    service.bearer(renew(&service, &cookie, ORIGIN).await.text_at("token")).get("/inbox").await.expect(200);
    service.clock.advance(12 * 3_600_000);
    renew(&service, &cookie, ORIGIN).await.expect_error(401, "SIGN_IN_REQUIRED");
}

#[tokio::test]
async fn two_admins_who_demote_each_other_at_once_leave_one_and_an_old_sign_in_changes_nobody() {
    let service = service().await;
    let (ada, as_ada, _) = member(&service, "ada@company.example", &["admin"], 0).await;
    let (bob, as_bob, _) = member(&service, "bob@company.example", &["admin"], 0).await;
    let agent = || json!({"roles": ["agent"]});
    let (to_bob, to_ada) = (format!("/members/{bob}"), format!("/members/{ada}"));
    let (one, other) = futures::join!(as_ada.patch(&to_bob, agent()), as_bob.patch(&to_ada, agent()));
    assert_eq!(
        [one.status, other.status].iter().filter(|status| **status == 200).count(),
        1,
        "{} {}",
        one.text,
        other.text
    );
    let admins = service.admin().get("/members").await;
    let is_admin = |member: &&Value| member["roles"] == json!(["admin"]);
    assert_eq!(admins.items().iter().filter(is_admin).count(), 1);

    let (carl, as_carl, _) = member(&service, "carl@company.example", &["admin"], 3_601).await;
    as_carl.patch(&to_ada, json!({"name": "X"})).await.expect_error(403, "RECENT_SIGN_IN_REQUIRED");
    as_carl.post("/api-keys", json!({"name": "x"})).await.expect_error(403, "RECENT_SIGN_IN_REQUIRED");
    as_carl.patch("/settings", json!({"retentionDays": 30})).await.expect_error(403, "RECENT_SIGN_IN_REQUIRED");
    as_carl.patch("/settings", json!({"maxAiTurns": 30})).await.expect(200);
    as_carl.patch(&format!("/members/{carl}"), json!({"availability": "away"})).await.expect(200);
    as_carl.get("/audit").await.expect(200);
}

#[tokio::test]
async fn who_is_there_under_one_sign_in_many_times_at_once_is_signed_out_of_every_tenant() {
    let service = service().await;
    let other = service.new_tenant(domain::models::Plan::Pro).await;
    let there = service.bearer(other.key(domain::models::Mode::Live, domain::models::Role::Admin));
    let (_, here) = joined(&service, &service.admin(), "ada@company.example", &["agent"], 0).await;
    let (id, invitation) = invited_by(&there, "ada@company.example", &["agent"]).await;
    // The person of the first tenant, who is another person's member there.
    sign_in(&service, code(&service, "ada@company.example", "ada@company.example", 0), Some(&invitation))
        .await
        .expect(200);
    let (cookie, wanted) = (cookie(&here), json!({"tenantId": other.scope(domain::models::Mode::Live).tenant}));
    let renewals = (0..8).map(|_| renew_with(&service, &cookie, ORIGIN, wanted.clone()));
    for renewed in futures::future::join_all(renewals).await {
        renewed.expect(200);
    }
    let me = service.bearer(renew_with(&service, &cookie, ORIGIN, wanted).await.text_at("token"));
    me.get("/inbox").await.expect(200);
    me.post_empty("/auth/sign-out").await.expect(204);
    me.get("/inbox").await.expect_error(401, "SIGN_IN_REQUIRED");
    service.bearer(here.text_at("token")).get("/inbox").await.expect_error(401, "SIGN_IN_REQUIRED");
    renew(&service, &cookie, ORIGIN).await.expect_error(401, "SIGN_IN_REQUIRED");
    there.delete(&format!("/members/{id}")).await.expect(204);
}

#[tokio::test]
async fn a_renewal_with_another_tenant_outlives_no_signing_out_at_the_same_moment() {
    let service = service().await;
    let other = service.new_tenant(domain::models::Plan::Pro).await;
    let there = service.bearer(other.key(domain::models::Mode::Live, domain::models::Role::Admin));
    let wanted = json!({"tenantId": other.scope(domain::models::Mode::Live).tenant});
    let (_, here) = joined(&service, &service.admin(), "ada@company.example", &["agent"], 0).await;
    let (_, invitation) = invited_by(&there, "ada@company.example", &["agent"]).await;
    let ada = || code(&service, "ada@company.example", "ada@company.example", 0);
    sign_in(&service, ada(), Some(&invitation)).await.expect(200);
    drop(here);
    for _ in 0..12 {
        let signed_in = sign_in_with(&service.anonymous(), ada(), json!({"tenantId": service.scope().tenant})).await;
        let (cookie, me) = (cookie(&signed_in), service.bearer(signed_in.text_at("token")));
        let renewal = renew_with(&service, &cookie, ORIGIN, wanted.clone());
        let (renewed, ended) = futures::join!(renewal, me.post_empty("/auth/sign-out"));
        ended.expect(204);
        assert!([200, 401].contains(&renewed.status), "{}", renewed.text);
        renew(&service, &cookie, ORIGIN).await.expect_error(401, "SIGN_IN_REQUIRED");
        renew_with(&service, &cookie, ORIGIN, wanted.clone()).await.expect_error(401, "SIGN_IN_REQUIRED");
    }
}

#[tokio::test]
async fn who_signs_out_with_a_token_that_is_over_is_signed_out_by_the_cookie() {
    let service = service().await;
    let (id, me, cookie) = member(&service, "ada@company.example", &["agent"], 0).await;
    let out = |origin: &str| me.with_header("cookie", &cookie).with_header("origin", origin);
    service.clock.advance(16 * 60_000);
    out("https://elsewhere.example").post_empty("/auth/sign-out").await.expect_error(403, "FORBIDDEN");
    renew(&service, &cookie, ORIGIN).await.expect(200);
    let ended = out(ORIGIN).post_empty("/auth/sign-out").await;
    ended.expect(204);
    assert!(ended.header("set-cookie").contains("Max-Age=0"), "{}", ended.header("set-cookie"));
    renew(&service, &cookie, ORIGIN).await.expect_error(401, "SIGN_IN_REQUIRED");
    let audit = service.admin().get("/audit").await;
    let last = &audit.items()[0];
    assert_eq!(
        (&last["action"], &last["target"], &last["mode"]),
        (&json!("member.signed_out"), &json!(id), &json!(null))
    );
}
