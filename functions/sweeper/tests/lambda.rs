//! The built `sweeper` binary against a stand-in of the Lambda runtime API: a tick of the schedule.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that fails says where")]

#[path = "../../../tests/lambda/runtime.rs"]
mod runtime;
#[path = "../../../tests/lambda/table.rs"]
mod table;

use runtime::{Answer, Lambda};
use serde_json::{Value, json};

async fn tick(dynamodb: &str) -> (Answer, String) {
    let environment = [
        ("TABLE_NAME", table::NAME),
        ("AWS_ENDPOINT_URL_DYNAMODB", dynamodb),
        ("SEARCH_ENDPOINT", "http://127.0.0.1:1"),
        ("AWS_ENDPOINT_URL_SQS", "http://127.0.0.1:1"),
        ("WEBHOOK_QUEUE_URL", "http://127.0.0.1:1/000000000000/webhooks"),
        ("EMBEDDING_QUEUE_URL", "http://127.0.0.1:1/000000000000/embeddings"),
        ("INGEST_QUEUE_URL", "http://127.0.0.1:1/000000000000/ingest"),
        ("DEAD_LETTER_BUCKET", "dead-letters"),
        ("CHANGES_FUNCTION_NAME", "changes"),
    ];
    let lambda = Lambda::start(env!("CARGO_BIN_EXE_sweeper"), &environment).await;
    let event = |id: &str| json!({"version": "0", "id": id, "detail-type": "Scheduled Event", "detail": {}});
    (lambda.invoke(event).await, lambda.logs())
}

#[tokio::test]
async fn a_scheduled_run_handles_due_items_and_succeeds() {
    let (dynamodb, _key) = table::seeded().await;
    let (answer, logs) = tick(&dynamodb).await;
    assert_eq!(answer, Ok(Value::Null), "{logs}");
}

#[tokio::test]
async fn a_scheduled_run_that_cannot_read_due_items_fails() {
    let (answer, logs) = tick("http://127.0.0.1:1").await;
    assert!(answer.is_err(), "{answer:?}");
    let last: Value = serde_json::from_str(logs.lines().last().unwrap()).unwrap();
    assert!(last.is_object(), "{logs}");
}
