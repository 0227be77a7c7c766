//! The built `webhooks` binary with a stand-in of KMS: secrets are encrypted with a data key of the right key and
//! owner, decrypted with it, and shown in no response and no log, at any level.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that fails says where")]

#[path = "../../../tests/lambda/runtime.rs"]
mod runtime;
#[path = "../../../tests/lambda/table.rs"]
mod table;

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use runtime::{Call, Lambda, Reply};
use serde_json::{Value, json};

const KEY_ARN: &str = "arn:aws:kms:eu-central-1:123456789012:key/0d3f";
const SECRET: &str = "correct-horse-battery-staple";
const DATA_KEY: [u8; 32] = [7; 32];

/// The calls of KMS, in their order.
type KmsCalls = Arc<Mutex<Vec<String>>>;

/// KMS with one key, whose data keys say for whom they are; anything else is refused.
async fn kms(asked: KmsCalls) -> String {
    let answer = async move |headers: HeaderMap, body: String| {
        let question: Value = serde_json::from_str(&body).unwrap();
        let call = headers["x-amz-target"].to_str().unwrap().to_owned();
        let owner = question["EncryptionContext"]["owner"].as_str().unwrap_or_default().to_owned();
        let (wrapped, plain) = (STANDARD.encode(format!("wrapped for {owner}")), STANDARD.encode(DATA_KEY));
        asked.lock().unwrap().push(call.clone());
        let right = question["KeyId"] == KEY_ARN && !owner.is_empty();
        match call.as_str() {
            "TrentService.GenerateDataKey" if right && question["KeySpec"] == "AES_256" => {
                (StatusCode::OK, json!({"KeyId": KEY_ARN, "Plaintext": plain, "CiphertextBlob": wrapped}).to_string())
            }
            "TrentService.Decrypt" if right && question["CiphertextBlob"] == wrapped => {
                (StatusCode::OK, json!({"KeyId": KEY_ARN, "Plaintext": plain}).to_string())
            }
            _ => (StatusCode::BAD_REQUEST, json!({"__type": "InvalidCiphertextException"}).to_string()),
        }
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, Router::new().route("/", post(answer))).await });
    url
}

struct Deployed {
    lambda: Lambda,
    key: String,
    asked: KmsCalls,
}

async fn webhooks(arn: &str) -> Deployed {
    let asked = KmsCalls::default();
    let (table_url, key) = table::seeded().await;
    let kms_url = kms(Arc::clone(&asked)).await;
    let widget_keys = format!("k1:{}", STANDARD.encode([7; 32]));
    let environment = [
        ("TABLE_NAME", table::NAME),
        ("AWS_ENDPOINT_URL_DYNAMODB", table_url.as_str()),
        ("AWS_ENDPOINT_URL_KMS", kms_url.as_str()),
        ("WEBHOOK_QUEUE_URL", "http://127.0.0.1:1/123456789012/webhooks"),
        ("WIDGET_TOKEN_KEYS", widget_keys.as_str()),
        ("SECRETS_KMS_KEY_ARN", arn),
        ("LOG_LEVEL", "trace"),
    ];
    Deployed { lambda: Lambda::start(env!("CARGO_BIN_EXE_webhooks"), &environment).await, key, asked }
}

impl Deployed {
    async fn post(&self, path: &str, body: Value) -> Reply {
        let (authorization, body) = (format!("Bearer {}", self.key), body.to_string());
        let headers = vec![("Authorization", authorization.as_str()), ("Content-Type", "application/json")];
        self.lambda.call(Call { method: "POST", raw_path: path, headers, body: Some(&body), ..Call::default() }).await
    }
}

#[tokio::test]
async fn a_secret_is_sealed_and_opened_by_kms_and_neither_answered_nor_logged() {
    let deployed = webhooks(KEY_ARN).await;
    let new = json!({"url": "https://hooks.example.com/", "events": ["*"], "secret": SECRET});
    let made = deployed.post("/api/v1/webhooks", new).await;
    assert_eq!(made.status, 201, "{made:?}\n{}", deployed.lambda.logs());
    let id = made.body["webhookId"].as_str().unwrap().to_owned();
    // The same secret again is recognised, so it was opened; nothing changes.
    let same = deployed.post(&format!("/api/v1/webhooks/{id}/rotate"), json!({"secret": SECRET})).await;
    assert_eq!((same.status, &same.body), (200, &made.body));
    assert_eq!(*deployed.asked.lock().unwrap(), ["TrentService.GenerateDataKey", "TrentService.Decrypt"]);
    let wrong = deployed.post("/api/v1/webhooks", json!({"url": 1, "secret": format!("{SECRET}\n")})).await;
    assert_eq!(wrong.status, 400);
    // The queue does not answer: what is stored is sent by the sweeper.
    let tried = deployed.post(&format!("/api/v1/webhooks/{id}/test"), json!({})).await;
    assert_eq!((tried.status, &tried.body["status"]), (200, &json!("pending")));
    let output = format!("{made:?} {same:?} {wrong:?} {tried:?} {}", deployed.lambda.logs());
    for secret in [SECRET.to_owned(), STANDARD.encode(DATA_KEY)] {
        assert!(!output.contains(&secret), "{output}");
    }
}

#[tokio::test]
async fn a_key_that_kms_does_not_let_us_use_is_503_and_keeps_nothing() {
    let deployed = webhooks("arn:aws:kms:eu-central-1:123456789012:key/other").await;
    let new = json!({"url": "https://hooks.example.com/", "events": ["*"], "secret": SECRET});
    let refused = deployed.post("/api/v1/webhooks", new).await;
    assert_eq!((refused.status, &refused.body["error"]), (503, &json!("SERVICE_UNAVAILABLE")));
    assert!(!deployed.lambda.logs().contains(SECRET));
}
