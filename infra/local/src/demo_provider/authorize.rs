//! The page with a button for each person, and what pressing one does.

use axum::body::Bytes;
use axum::extract::{RawQuery, State};
use axum::response::{Html, IntoResponse, Response};
use http::{HeaderMap, StatusCode, header};
use url::Url;

use super::codes::Grant;
use super::params::Params;
use super::people::{DemoPerson, PEOPLE};
use super::provider::{CLIENT_ID, DemoProvider, redirect};
use crate::html::{escaped, sha256_base64};

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
        if !is("client_id", CLIENT_ID) || !is("redirect_uri", &self.inner.desk_url) {
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
        let Ok(mut url) = Url::parse(&self.inner.desk_url) else { return StatusCode::BAD_REQUEST.into_response() };
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
        if self.inner.lock.is_opened_by(headers) {
            return Ok(request);
        }
        Err(Box::new(html(StatusCode::FORBIDDEN, LOCKED)))
    }
}

/// The page. It sends the request along in the address of its form.
pub(super) async fn page(
    State(provider): State<DemoProvider>,
    headers: HeaderMap,
    RawQuery(raw): RawQuery,
    query: Params,
) -> Response {
    match provider.admit(&headers, &query) {
        Ok(request) if request.is_silent => provider.back_to_desk(&request, "error", "login_required"),
        Ok(_) => html(StatusCode::OK, &buttons(&raw.unwrap_or_default())),
        Err(refused) => *refused,
    }
}

/// Hands out a code for the person whose button was pressed.
pub(super) async fn press(
    State(provider): State<DemoProvider>,
    headers: HeaderMap,
    query: Params,
    body: Bytes,
) -> Response {
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
    let runtime = &provider.inner.runtime;
    let Ok(code) = runtime.token() else { return StatusCode::INTERNAL_SERVER_ERROR.into_response() };
    let (challenge, nonce) = (request.challenge.clone(), request.nonce.clone());
    let grant = Grant { person, challenge, nonce, at: runtime.now() };
    if !provider.inner.codes.keep(code.clone(), grant) {
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
        (header::CONTENT_SECURITY_POLICY, POLICY.replace("{{HASH}}", &sha256_base64(STYLE))),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
        // Not `no-referrer`: then browsers would send the form with the origin `null`.
        (header::REFERRER_POLICY, "same-origin".to_owned()),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    (status, headers, Html(page)).into_response()
}
