//! The built `webhook-worker` binary against a stand-in of the Lambda runtime API: SQS batches in, the ids of failed
//! messages out.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that fails says where")]

#[path = "../../../tests/lambda/runtime.rs"]
mod runtime;
#[path = "../../../tests/lambda/table.rs"]
mod table;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use runtime::Lambda;
use serde_json::{Value, json};

const NOTHING: &str = r#"{"v":1,"task":"deliver","tenantId":"ten_00000000010000000000000002","mode":"live",
    "webhookId":"whk_00000000050000000000000006","eventId":"evt_00000000050000000000000007"}"#;

fn message(id: &str, body: &str) -> Value {
    json!({
        "messageId": id, "receiptHandle": "r", "body": body, "attributes": {"ApproximateReceiveCount": "1"},
        "messageAttributes": {}, "eventSource": "aws:sqs", "awsRegion": "eu-central-1",
        "eventSourceARN": "arn:aws:sqs:eu-central-1:123456789012:webhooks",
    })
}

async fn worker(secrets_key: &str) -> Lambda {
    let (table_url, _) = table::seeded().await;
    let environment = [
        ("TABLE_NAME", table::NAME),
        ("AWS_ENDPOINT_URL_DYNAMODB", table_url.as_str()),
        ("WEBHOOK_QUEUE_URL", "http://127.0.0.1:1/123456789012/webhooks"),
        ("SECRETS_KEY", secrets_key),
    ];
    Lambda::start(env!("CARGO_BIN_EXE_webhook-worker"), &environment).await
}

#[tokio::test]
async fn only_invalid_messages_are_delivered_again() {
    let worker = worker(&STANDARD.encode([7; 32])).await;
    let batch = json!({"Records": [message("good", NOTHING), message("bad", "no json"), message("empty", "")]});
    let answer = worker.invoke(|_| batch).await.unwrap();
    let failures = json!([{"itemIdentifier": "bad"}, {"itemIdentifier": "empty"}]);
    assert_eq!(answer["batchItemFailures"], failures, "{}", worker.logs());
}

#[tokio::test]
async fn a_start_without_the_key_of_secrets_is_refused() {
    let mut worker = worker("").await;
    assert!(!worker.refused().await);
    assert!(worker.logs().contains("SECRETS_KMS_KEY_ARN"), "{}", worker.logs());
}
