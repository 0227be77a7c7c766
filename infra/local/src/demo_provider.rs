//! The OpenID provider of the demo tenant: three people, of whom one signs in by one click, by the protocol that a
//! company's provider speaks (code flow with PKCE).
//!
//! Whoever presses a button is an admin of the demo tenant. So the buttons are for the person at the terminal alone: the
//! printed address carries a secret in its fragment, a new one at each start, which is exchanged for a cookie.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Bytes;
use axum::extract::{FromRequestParts, RawQuery, State};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use domain::Result;
use domain::clock::Runtime;
use domain::models::Timestamp;
use http::request::Parts;
use http::{HeaderMap, StatusCode, header};
use serde_json::json;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use url::{Url, form_urlencoded};

use crate::demo_people::{DemoPerson, PEOPLE};
use crate::keys::DemoKey;
use crate::pages::escaped;

/// The desk's id as a client.
pub(crate) const CLIENT_ID: &str = "desk";
/// Where the provider lies under its origin.
const PATH: &str = "/openid";

/// The provider: its names, its key, the secrets of this start, and what it has handed out.
pub(crate) struct DemoProvider {
    /// The origin of provider and desk, such as `http://127.0.0.1:9001`.
    origin: String,
    issuer: String,
    /// The one address that people are sent back to.
    desk_url: String,
    key: DemoKey,
    /// In the fragment of the printed address; it is exchanged for the cookie.
    pub(crate) secret: String,
    /// It has the port: browsers send a host's cookies to all of its ports.
    cookie_name: String,
    cookie: String,
    codes: Codes,
    runtime: Runtime,
}

impl DemoProvider {
    /// A provider at `origin` for the desk at `desk_url`, with new secrets.
    pub(crate) fn new(origin: &str, desk_url: &str, key: DemoKey, runtime: &Runtime) -> Result<Arc<Self>> {
        Ok(Arc::new(Self {
            origin: origin.to_owned(),
            issuer: issuer_at(origin),
            desk_url: desk_url.to_owned(),
            key,
            secret: runtime.token()?,
            cookie_name: format!("demo_provider_{}", origin.rsplit(':').next().unwrap_or_default()),
            cookie: runtime.token()?,
            codes: Codes::default(),
            runtime: runtime.clone(),
        }))
    }

    /// Whether a page of the provider's own origin sent the request: browsers name the origin of every `POST`.
    fn is_own_origin(&self, headers: &HeaderMap) -> bool {
        headers.get(header::ORIGIN).is_some_and(|origin| origin == self.origin.as_str())
    }

    /// Whether a request has the cookie.
    fn is_unlocked_by(&self, headers: &HeaderMap) -> bool {
        support::edge::cookies(headers, &self.cookie_name).any(|value| value.ct_eq(self.cookie.as_bytes()).into())
    }
}

/// The issuer of a provider at `origin`.
pub(crate) fn issuer_at(origin: &str) -> String {
    format!("{origin}{PATH}")
}

/// The state of the routes.
type Provider = State<Arc<DemoProvider>>;

/// The provider's routes.
pub(crate) fn router(provider: Arc<DemoProvider>) -> Router {
    let routes = Router::new()
        .route("/.well-known/openid-configuration", get(discovery))
        .route("/keys", get(keys))
        .route("/unlock", post(unlock))
        .route("/authorize", get(page).post(press))
        .route("/token", post(redeem))
        .route("/end-session", get(end_session));
    Router::new().nest(PATH, routes.with_state(provider))
}

async fn discovery(State(provider): Provider) -> Response {
    let issuer = &provider.issuer;
    Json(json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/authorize"),
        "token_endpoint": format!("{issuer}/token"),
        "jwks_uri": format!("{issuer}/keys"),
        "end_session_endpoint": format!("{issuer}/end-session"),
        "response_types_supported": ["code"],
        "grant_types_supported": ["authorization_code"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["ES256"],
        "token_endpoint_auth_methods_supported": ["none"],
        "code_challenge_methods_supported": ["S256"],
        "scopes_supported": ["openid", "email"],
        "claims_supported": ["sub", "auth_time", "email", "email_verified"],
    }))
    .into_response()
}

async fn keys(State(provider): Provider) -> Response {
    Json(json!({"keys": [provider.key.public]})).into_response()
}

/// Leads back to the desk: nobody stays signed in here, so there is nothing to end.
async fn end_session(State(provider): Provider, query: Params) -> Response {
    if query.get("post_logout_redirect_uri") == Some(&provider.desk_url) {
        redirect(&provider.desk_url)
    } else {
        (StatusCode::BAD_REQUEST, "You are signed out. Nothing leads back from here.\n").into_response()
    }
}

/// Sends a browser on by `GET`.
fn redirect(to: &str) -> Response {
    let headers =
        [(header::LOCATION, to), (header::CACHE_CONTROL, "no-store"), (header::REFERRER_POLICY, "no-referrer")];
    (StatusCode::SEE_OTHER, headers).into_response()
}

/// Gives the cookie to a page of this origin that knows the secret, which is the body.
async fn unlock(State(provider): Provider, headers: HeaderMap, body: Bytes) -> Response {
    if !provider.is_own_origin(&headers) || !bool::from(body.ct_eq(provider.secret.as_bytes())) {
        return (StatusCode::FORBIDDEN, "Open the address that the service printed at its start.\n").into_response();
    }
    let DemoProvider { cookie_name, cookie, .. } = &*provider;
    let cookie = format!("{cookie_name}={cookie}; HttpOnly; SameSite=Strict; Path={PATH}");
    let headers = [(header::SET_COOKIE, cookie), (header::CACHE_CONTROL, "no-store".to_owned())];
    (StatusCode::NO_CONTENT, headers).into_response()
}

/// One style of the page itself, forms to the page itself, and the page in a frame of its own origin alone.
const POLICY: &str = "default-src 'none'; img-src data:; style-src 'sha256-{{HASH}}'; form-action 'self'; base-uri 'none'; \
                      frame-ancestors 'self'";
const STYLE: &str = ":root{color-scheme:light dark}\
                     body{font:1rem/1.5 system-ui,sans-serif;max-width:26rem;margin:2rem auto;padding:0 1rem}\
                     h1{font-size:1.4rem;line-height:1.25}ol{padding-inline-start:1.4rem}li{margin:.5rem 0}\
                     code{font-size:1em;padding:.1em .35em;border-radius:.25em;background:#8883}\
                     button{display:block;width:100%;margin:.5rem 0;padding:.75rem 1rem;font:inherit;text-align:left}";

/// A request of the desk that may be answered.
struct AuthorizationRequest {
    state: Option<String>,
    nonce: Option<String>,
    challenge: String,
    /// Nobody is to be asked.
    is_silent: bool,
}

/// The page for somebody who opened the desk by another address than the printed one.
const LOCKED: &str = "<h1>Open the desk by its printed address</h1>\
    <p>The demo's people sign in without a password, so that only who started the service may be one of them.</p>\
    <ol><li>Look where the service was started. It printed a line that begins with <code>desk</code>.</li>\
    <li>Copy the whole address, also what stands behind <code>#</code>: that is the secret of this start.</li>\
    <li>Open it in this browser. It shows shop and desk side by side, and the desk alone works then, too.</li></ol>";

/// Why there is no page, as a sentence for the person.
struct Refusal(StatusCode, &'static str);

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        html(self.0, &format!("<h1>This does not work</h1><p>{}</p>", escaped(self.1)))
    }
}

impl DemoProvider {
    /// Reads a request; a sentence for the person if it is not the desk's.
    fn authorization_request(&self, query: &Params) -> Result<AuthorizationRequest, &'static str> {
        let is = |name: &str, value: &str| query.get(name).is_some_and(|said| said == value);
        if !is("client_id", CLIENT_ID) || !is("redirect_uri", &self.desk_url) {
            return Err("This provider signs people in to the desk of the demo alone.");
        }
        let challenge = query.get("code_challenge").filter(|text| is_challenge(text));
        let asks_for_code = is("response_type", "code") && is("code_challenge_method", "S256");
        let is_openid = query.get("scope").is_some_and(|scope| scope.split(' ').any(|part| part == "openid"));
        let challenge = challenge.filter(|_| asks_for_code && is_openid);
        Ok(AuthorizationRequest {
            challenge: challenge.ok_or("The desk must ask for a code with PKCE (S256) and the scope openid.")?.clone(),
            state: query.get("state").cloned(),
            nonce: query.get("nonce").cloned(),
            is_silent: is("prompt", "none"),
        })
    }

    /// The desk's address with these parameters and the `state` of the request.
    fn back_to_desk(&self, request: &AuthorizationRequest, name: &str, value: &str) -> Response {
        let Ok(mut url) = Url::parse(&self.desk_url) else { return StatusCode::BAD_REQUEST.into_response() };
        url.query_pairs_mut().append_pair(name, value);
        if let Some(state) = &request.state {
            url.query_pairs_mut().append_pair("state", state);
        }
        redirect(url.as_str())
    }

    /// Refuses, by a page, what is not the desk's, or comes from a browser that does not know the printed address.
    fn admit(&self, headers: &HeaderMap, query: &Params) -> Result<AuthorizationRequest, Box<Response>> {
        let request = self.authorization_request(query);
        let request = request.map_err(|why| Box::new(Refusal(StatusCode::BAD_REQUEST, why).into_response()))?;
        if self.is_unlocked_by(headers) {
            return Ok(request);
        }
        Err(Box::new(html(StatusCode::FORBIDDEN, LOCKED)))
    }
}

/// The page. It sends the request along in the address of its form.
async fn page(State(provider): Provider, headers: HeaderMap, RawQuery(raw): RawQuery, query: Params) -> Response {
    match provider.admit(&headers, &query) {
        Ok(request) if request.is_silent => provider.back_to_desk(&request, "error", "login_required"),
        Ok(_) => html(StatusCode::OK, &buttons(&raw.unwrap_or_default())),
        Err(refused) => *refused,
    }
}

/// Hands out a code for the person whose button was pressed.
async fn press(State(provider): Provider, headers: HeaderMap, query: Params, body: Bytes) -> Response {
    let request = match provider.admit(&headers, &query) {
        Ok(request) => request,
        Err(refused) => return *refused,
    };
    if !provider.is_own_origin(&headers) {
        return Refusal(StatusCode::FORBIDDEN, "This form is for the provider's own page.").into_response();
    }
    let Some(person) = Params::parse(&body).get("person").and_then(|subject| DemoPerson::of(subject)) else {
        return Refusal(StatusCode::BAD_REQUEST, "There is no such person.").into_response();
    };
    let runtime = &provider.runtime;
    let Ok(code) = runtime.token() else { return StatusCode::INTERNAL_SERVER_ERROR.into_response() };
    let (challenge, nonce) = (request.challenge.clone(), request.nonce.clone());
    let grant = Grant { person, challenge, nonce, at: runtime.now() };
    if !provider.codes.keep(code.clone(), grant) {
        return Refusal(StatusCode::SERVICE_UNAVAILABLE, "Too many people sign in at once. Try again in a minute.")
            .into_response();
    }
    provider.back_to_desk(&request, "code", &code)
}

/// Whether a text may be BASE64URL of a SHA-256 sum.
fn is_challenge(text: &str) -> bool {
    text.len() == 43 && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}

fn buttons(raw_query: &str) -> String {
    let button = |person: &DemoPerson| {
        let DemoPerson { subject, name, role, duty, .. } = person;
        format!(r#"<button name="person" value="{subject}"><strong>{name}</strong> ({role}) {duty}</button>"#)
    };
    let all: String = PEOPLE.iter().map(button).collect();
    let query = escaped(raw_query);
    format!(
        r#"<h1>Who signs in?</h1><p>These people exist in the demo alone.</p><form method="post" action="?{query}">{all}</form>"#
    )
}

fn html(status: StatusCode, body: &str) -> Response {
    let page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>Sign in to the demo</title>\n\
         <link rel=\"icon\" href=\"data:,\">\n<style>{STYLE}</style>\n</head>\n<body>\n<main>{body}</main>\n</body>\n</html>\n"
    );
    let headers = [
        (header::CONTENT_SECURITY_POLICY, POLICY.replace("{{HASH}}", &STANDARD.encode(Sha256::digest(STYLE)))),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
        // Not `no-referrer`: then browsers would send the form with the origin `null`.
        (header::REFERRER_POLICY, "same-origin".to_owned()),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    (status, headers, Html(page)).into_response()
}

/// How long a code is good, in milliseconds.
const GOOD_MS: i64 = 60_000;
/// Codes at once; more are those of a script.
const MAX_CODES: usize = 1_000;

/// The sign-in that a code stands for.
#[derive(Debug, Clone)]
struct Grant {
    person: &'static DemoPerson,
    /// BASE64URL(SHA-256(verifier)).
    challenge: String,
    nonce: Option<String>,
    /// When the button was pressed.
    at: Timestamp,
}

/// The codes of this process.
#[derive(Debug, Default)]
struct Codes(Mutex<HashMap<String, Grant>>);

impl Codes {
    /// Keeps a grant under its code; false if there are too many.
    fn keep(&self, code: String, grant: Grant) -> bool {
        let mut codes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        codes.retain(|_, other| is_good(other, grant.at));
        let has_room = codes.len() < MAX_CODES;
        if has_room {
            codes.insert(code, grant);
        }
        has_room
    }

    /// Takes the grant of a code, which is used up whatever follows; none for one that is not good at `now`.
    fn take(&self, code: &str, now: Timestamp) -> Option<Grant> {
        let taken = self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(code);
        taken.filter(|grant| is_good(grant, now))
    }
}

fn is_good(grant: &Grant, now: Timestamp) -> bool {
    now.millis_since(grant.at) < GOOD_MS
}

/// How long an ID token is good, in seconds.
const TTL_SECONDS: i64 = 300;

/// The answer to a form with a code and its verifier.
async fn redeem(State(provider): Provider, body: Bytes) -> Response {
    let form = Params::parse(&body);
    if form.get("grant_type").is_none_or(|grant| grant != "authorization_code") {
        return refuse("unsupported_grant_type");
    }
    if form.get("client_id").is_none_or(|client| client != CLIENT_ID) {
        return refuse("invalid_client");
    }
    let grant = form.get("code").and_then(|code| provider.codes.take(code, provider.runtime.now()));
    let Some(grant) = grant.filter(|grant| is_asked_for_by(grant, &form, &provider.desk_url)) else {
        return refuse("invalid_grant");
    };
    match (provider.key.sign(&provider.claims(&grant)), provider.runtime.token()) {
        (Ok(id_token), Ok(access_token)) => {
            let answer = json!({
                "id_token": id_token, "access_token": access_token, "token_type": "Bearer", "expires_in": TTL_SECONDS,
            });
            ([(header::CACHE_CONTROL, "no-store")], Json(answer)).into_response()
        }
        _ => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// Whether the form is of the one who asked for the code.
fn is_asked_for_by(grant: &Grant, form: &Params, desk_url: &str) -> bool {
    let is_sent_back = form.get("redirect_uri").is_some_and(|address| address == desk_url);
    let challenge = |verifier: &String| URL_SAFE_NO_PAD.encode(Sha256::digest(verifier));
    is_sent_back && form.get("code_verifier").map(challenge).as_ref() == Some(&grant.challenge)
}

impl DemoProvider {
    fn claims(&self, grant: &Grant) -> serde_json::Value {
        let now = self.runtime.now().as_seconds();
        json!({
            "iss": self.issuer, "sub": grant.person.subject, "aud": CLIENT_ID,
            "iat": now, "exp": now.saturating_add(TTL_SECONDS), "auth_time": grant.at.as_seconds(),
            "nonce": grant.nonce, "email": grant.person.email, "email_verified": true,
        })
    }
}

fn refuse(error: &str) -> Response {
    (StatusCode::BAD_REQUEST, [(header::CACHE_CONTROL, "no-store")], Json(json!({"error": error}))).into_response()
}

/// Names and values, in their order.
#[derive(Debug, Clone, Default)]
struct Params(Vec<(String, String)>);

impl Params {
    /// Those of a text such as `a=1&b=2`.
    fn parse(text: &[u8]) -> Self {
        Self(form_urlencoded::parse(text).into_owned().collect())
    }

    /// The value of a parameter that is there once; none otherwise.
    fn get(&self, name: &str) -> Option<&String> {
        let mut values = self.0.iter().filter(|(known, _)| known == name).map(|(_, value)| value);
        values.next().filter(|_| values.next().is_none())
    }
}

/// Those of a request's query.
impl<S: Sync> FromRequestParts<S> for Params {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::parse(parts.uri.query().unwrap_or_default().as_bytes()))
    }
}
