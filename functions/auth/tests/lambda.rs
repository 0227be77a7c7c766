//! The built `auth` binary with its widget keys in a stand-in of Secrets Manager: it reads the secret at startup and
//! signs with it, reads it again after a rotation, and refuses to start without it, without printing it.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that fails says where")]

#[path = "../../../tests/lambda/runtime.rs"]
mod runtime;
#[path = "../../../tests/lambda/table.rs"]
mod table;

use std::sync::{Arc, Mutex};

use aws::config::WidgetKeySet;
use axum::Router;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use domain::access::ApiKey;
use domain::clock::Runtime;
use runtime::{Call, Lambda};
use serde_json::{Value, json};
use support::edge::auth::{TokenRequest, issue, verify};

const ISSUER: &str = "support-assistant";
const ARN: &str = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:widget-a1b2c3";

/// Secrets Manager with one secret; anything but a question for it is refused.
async fn secrets(secret: Arc<Mutex<String>>) -> String {
    let answer = async move |headers: HeaderMap, body: String| {
        let secret = secret.lock().unwrap().clone();
        let asked: Value = serde_json::from_str(&body).unwrap();
        if headers["x-amz-target"] == "secretsmanager.GetSecretValue" && asked["SecretId"] == ARN {
            (StatusCode::OK, json!({"ARN": ARN, "Name": "widget", "SecretString": secret}).to_string())
        } else {
            (StatusCode::BAD_REQUEST, json!({"__type": "ResourceNotFoundException"}).to_string())
        }
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, Router::new().route("/", post(answer))).await });
    url
}

async fn auth(secret: &str, arn: &str) -> (Lambda, String) {
    auth_with(Arc::new(Mutex::new(secret.to_owned())), arn).await
}

async fn auth_with(secret: Arc<Mutex<String>>, arn: &str) -> (Lambda, String) {
    let (table_url, key) = table::seeded().await;
    (auth_on(&table_url, secret, arn).await, key)
}

async fn auth_on(table_url: &str, secret: Arc<Mutex<String>>, arn: &str) -> Lambda {
    let secrets_url = secrets(secret).await;
    let environment = [
        ("TABLE_NAME", table::NAME),
        ("AWS_ENDPOINT_URL_DYNAMODB", table_url),
        ("AWS_ENDPOINT_URL_SECRETS_MANAGER", secrets_url.as_str()),
        ("WIDGET_TOKEN_SECRET_ARN", arn),
    ];
    Lambda::start(env!("CARGO_BIN_EXE_auth"), &environment).await
}

#[tokio::test]
async fn a_widget_token_is_signed_with_the_stored_secret() {
    let secret = json!({"kid": "k7", "secret": "0123456789abcdef".repeat(4)}).to_string();
    let (lambda, key) = auth(&secret, ARN).await;
    let authorization = format!("Bearer {key}");
    let issued = lambda
        .call(Call {
            method: "POST",
            raw_path: "/api/v1/auth/widget-token",
            headers: vec![("Authorization", &authorization), ("Content-Type", "application/json")],
            body: Some(r#"{"externalUserId":"visitor-1"}"#),
            ..Call::default()
        })
        .await;
    assert_eq!(issued.status, 200, "{issued:?}\n{}", lambda.logs());
    assert_eq!(issued.headers["cache-control"], "no-store");
    let keys = WidgetKeySet::parse(&secret).unwrap();
    let token = issued.body["token"].as_str().unwrap();
    let identity = verify(ISSUER, &keys, Runtime::system().now(), token).unwrap();
    assert_eq!(identity.external_user_id, "visitor-1");
    assert!(!lambda.logs().contains(token) && !lambda.logs().contains(&key));
}

#[tokio::test]
async fn a_token_of_a_rotated_key_is_accepted_without_a_restart() {
    let first = json!({"kid": "k1", "secret": "01".repeat(32)}).to_string();
    let secret = Arc::new(Mutex::new(first.clone()));
    let (table_url, key) = table::seeded().await;
    let key = ApiKey::parse(&key).unwrap();
    let admin = table::store(&table_url, table::NAME).api_keys().find_by_hash(&key.hash()).await.unwrap().unwrap();
    let lambda = auth_on(&table_url, secret.clone(), ARN).await;
    let second = json!({
        "kid": "k2", "secret": "23".repeat(32), "previousKid": "k1", "previousSecret": "01".repeat(32),
        "changedAt": Runtime::system().now(),
    });
    let ask = async |stored: &str| {
        let key = WidgetKeySet::parse(stored).unwrap().current;
        let request = TokenRequest {
            scope: &admin.scope,
            external_user_id: "ann",
            session_id: None,
            user: None,
            preview_of: None,
            ttl_seconds: 600,
        };
        let issued = issue(ISSUER, &key, &Runtime::system(), &request).unwrap();
        let authorization = format!("Bearer {}", issued.token);
        let headers = vec![("Authorization", authorization.as_str())];
        lambda.call(Call { method: "GET", raw_path: "/api/v1/settings", headers, ..Call::default() }).await.status
    };
    // A widget may not read settings: 403 says that its token is good, 401 that it is not.
    assert_eq!(ask(&first).await, 403, "{}", lambda.logs());
    second.to_string().clone_into(&mut secret.lock().unwrap());
    assert_eq!(ask(&second.to_string()).await, 403, "{}", lambda.logs());
    assert_eq!(ask(&first).await, 403, "the previous key is still good");
    let third = json!({"kid": "k3", "secret": "45".repeat(32)}).to_string();
    third.clone_into(&mut secret.lock().unwrap());
    assert_eq!(ask(&third).await, 401, "the secret is read at most once a minute");
}

#[tokio::test]
async fn a_start_without_a_usable_secret_is_refused_without_showing_it() {
    let other = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:another-a1b2c3";
    for (secret, arn) in [("hunter2", ARN), ("", ARN), ("hunter2", other)] {
        let (mut lambda, _) = auth(secret, arn).await;
        assert!(!lambda.refused().await, "{secret} at {arn}");
        let logs = lambda.logs();
        assert!(logs.contains("the function failed to start") && logs.contains("WIDGET_TOKEN_SECRET_ARN"), "{logs}");
        assert!(!logs.contains("hunter2"), "{logs}");
    }
}
