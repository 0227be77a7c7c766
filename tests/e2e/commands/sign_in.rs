//! The doctor's check of signing in, against a small OpenID provider.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Redirect, Response};
use local::Issuer;
use serde_json::{Value, json};

use super::support::Folder;

/// A fault of a provider of sign-ins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    OtherIssuer,
    NoKeys,
    UnknownClient,
    UnknownRedirect,
}

/// A provider with one client, whose authorization page redirects to its sign-in page.
async fn provider(fault: Arc<Mutex<Fault>>) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let issuer = format!("http://{}", listener.local_addr().unwrap());
    let named = issuer.clone();
    let answer = move |uri: Uri| {
        let (fault, issuer) = (*fault.lock().unwrap(), named.clone());
        async move { answer(&uri, fault, &issuer) }
    };
    tokio::spawn(async move { axum::serve(listener, Router::new().fallback(answer)).await });
    issuer
}

fn answer(uri: &Uri, fault: Fault, issuer: &str) -> Response {
    let query = uri.query().unwrap_or_default();
    match uri.path() {
        "/.well-known/openid-configuration" => {
            let named = if fault == Fault::OtherIssuer { "https://other.example" } else { issuer };
            axum::Json(json!({
                "issuer": named, "jwks_uri": format!("{issuer}/keys"), "token_endpoint": format!("{issuer}/token"),
                "authorization_endpoint": format!("{issuer}/authorize"),
            }))
            .into_response()
        }
        // The example of RFC 7517, appendix A.1.
        "/keys" if fault != Fault::NoKeys => axum::Json(json!({"keys": [{
            "kty": "EC", "crv": "P-256", "kid": "1", "use": "sig",
            "x": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
            "y": "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM",
        }]}))
        .into_response(),
        "/keys" => axum::Json(json!({"keys": []})).into_response(),
        "/authorize" => {
            for part in ["client_id=desk", "redirect_uri=http%3A%2F%2F127.0.0.1%3A", "scope=openid+email"] {
                assert!(query.contains(part), "{query}");
            }
            match fault {
                Fault::UnknownClient => StatusCode::BAD_REQUEST.into_response(),
                Fault::UnknownRedirect => Redirect::to("/error?error=redirect_mismatch&client_id=desk").into_response(),
                _ => Redirect::to("/login?client_id=desk").into_response(),
            }
        }
        other => panic!("nobody asks for {other}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_doctor_asks_the_provider_whether_people_can_sign_in() {
    let fault = Arc::new(Mutex::new(Fault::None));
    let url = provider(fault.clone()).await;
    let folder = Folder::with(|options| options.issuer = Some(Issuer { url, client_id: "desk".into() })).await;
    for (wrong, status, sentence) in [
        (Fault::None, "ok", "knows the client and the desk's address"),
        (Fault::OtherIssuer, "problem", "another issuer's"),
        (Fault::NoKeys, "problem", "no key of RS256 or ES256"),
        (Fault::UnknownClient, "problem", "it answered 400"),
        (Fault::UnknownRedirect, "problem", "redirect_mismatch"),
    ] {
        *fault.lock().unwrap() = wrong;
        let output = folder.ops(&["doctor", "--json"]).await;
        let report: Value = serde_json::from_str(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
        let checks = report["checks"].as_array().unwrap();
        let check = checks.iter().find(|check| check["check"] == "sign-in").unwrap();
        let told = check["found"].as_str().unwrap_or_default();
        assert!(check["status"] == status && told.contains(sentence), "{wrong:?}: {check}");
    }
    let without = Folder::running().await.ops(&["doctor", "--json"]).await;
    assert!(without.stdout.contains("no provider is configured"), "{without:?}");
}
