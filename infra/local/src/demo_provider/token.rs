//! Redeems a code for an ID token (RFC 6749 section 4.1.3, RFC 7636 section 4.6).

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::{StatusCode, header};
use serde_json::json;
use sha2::{Digest, Sha256};

use super::codes::Grant;
use super::params::Params;
use super::provider::{CLIENT_ID, DemoProvider};

/// How long an ID token is good, in seconds.
const TTL_SECONDS: i64 = 300;

/// The answer to a form with a code and its verifier.
pub(super) async fn redeem(State(provider): State<DemoProvider>, body: Bytes) -> Response {
    let form = Params::parse(&body);
    if form.get("grant_type").is_none_or(|grant| grant != "authorization_code") {
        return refuse("unsupported_grant_type");
    }
    if form.get("client_id").is_none_or(|client| client != CLIENT_ID) {
        return refuse("invalid_client");
    }
    let inner = &provider.inner;
    let grant = form.get("code").and_then(|code| inner.codes.take(code, inner.runtime.now()));
    let Some(grant) = grant.filter(|grant| is_asked_for_by(grant, &form, &inner.desk_url)) else {
        return refuse("invalid_grant");
    };
    match (inner.key.sign(&provider.claims(&grant)), inner.runtime.token()) {
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
        let now = self.inner.runtime.now().as_seconds();
        json!({
            "iss": self.inner.issuer, "sub": grant.person.subject, "aud": CLIENT_ID,
            "iat": now, "exp": now.saturating_add(TTL_SECONDS), "auth_time": grant.at.as_seconds(),
            "nonce": grant.nonce, "email": grant.person.email, "email_verified": true,
        })
    }
}

fn refuse(error: &str) -> Response {
    (StatusCode::BAD_REQUEST, [(header::CACHE_CONTROL, "no-store")], Json(json!({"error": error}))).into_response()
}
