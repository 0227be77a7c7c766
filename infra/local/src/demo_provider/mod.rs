//! The OpenID provider of the demo tenant: three people, of whom one signs in by one click, by the protocol that a
//! company's provider speaks (code flow with PKCE).
//!
//! Whoever presses a button is an admin of the demo tenant. So the buttons are for the person at the terminal alone: the
//! printed address carries a secret in its fragment, a new one at each start, which [`unlock`] exchanges for a cookie of the
//! [`lock`].
//! [`people`] are those who sign in. [`authorize`] is the page with the buttons, [`codes`] what it hands out, and
//! [`token`] redeems that. [`key`] signs, and is kept in the data folder.

mod authorize;
mod codes;
mod key;
mod lock;
mod params;
pub(crate) mod people;
mod provider;
mod token;
mod unlock;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use http::StatusCode;
use serde_json::json;

pub(crate) use key::DemoKey;
use params::Params;
use provider::PATH;
pub(crate) use provider::{CLIENT_ID, DemoProvider, issuer_at};

/// The provider's routes.
pub(crate) fn router(provider: DemoProvider) -> Router {
    let routes = Router::new()
        .route("/.well-known/openid-configuration", get(discovery))
        .route("/keys", get(keys))
        .route("/unlock", post(unlock::unlock))
        .route("/authorize", get(authorize::page).post(authorize::press))
        .route("/token", post(token::redeem))
        .route("/end-session", get(end_session));
    Router::new().nest(PATH, routes.with_state(provider))
}

async fn discovery(State(provider): State<DemoProvider>) -> Response {
    let issuer = &provider.inner.issuer;
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

async fn keys(State(provider): State<DemoProvider>) -> Response {
    Json(json!({"keys": [provider.inner.key.public()]})).into_response()
}

/// Leads back to the desk: nobody stays signed in here, so there is nothing to end.
async fn end_session(State(provider): State<DemoProvider>, query: Params) -> Response {
    if query.get("post_logout_redirect_uri") == Some(&provider.inner.desk_url) {
        provider::redirect(&provider.inner.desk_url)
    } else {
        (StatusCode::BAD_REQUEST, "You are signed out. Nothing leads back from here.\n").into_response()
    }
}
