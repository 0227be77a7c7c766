//! The built `changes` binary against a stand-in of the Lambda runtime API: batches of the stream, and what it says of
//! them.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that fails says where")]

#[path = "../../../tests/lambda/runtime.rs"]
mod runtime;

use runtime::Lambda;
use serde_json::{Value, json};

/// A function whose table, index and queues are not there.
async fn changes() -> Lambda {
    let environment = [
        ("TABLE_NAME", "table"),
        ("AWS_ENDPOINT_URL_DYNAMODB", "http://127.0.0.1:1"),
        ("SEARCH_ENDPOINT", "http://127.0.0.1:1"),
        ("AWS_ENDPOINT_URL_SQS", "http://127.0.0.1:1"),
        ("WEBHOOK_QUEUE_URL", "http://127.0.0.1:1/000000000000/webhooks"),
        ("SET_ASIDE_BUCKET", "aside"),
    ];
    Lambda::start(env!("CARGO_BIN_EXE_changes"), &environment).await
}

/// A record of an item that nothing follows from.
fn marker(sequence: &str) -> Value {
    json!({
        "eventID": format!("e{sequence}"), "eventName": "INSERT", "eventVersion": "1.1", "eventSource": "aws:dynamodb",
        "awsRegion": "eu-central-1", "eventSourceARN": "arn:aws:dynamodb:eu-central-1:123456789012:table/t/stream/s",
        "dynamodb": {
            "ApproximateCreationDateTime": 1_767_323_045.0, "SequenceNumber": sequence, "SizeBytes": 20,
            "StreamViewType": "NEW_AND_OLD_IMAGES",
            "Keys": {"pk": {"S": "p"}, "sk": {"S": sequence}},
            "NewImage": {"pk": {"S": "p"}, "sk": {"S": sequence}, "kind": {"S": "marker"}},
        },
    })
}

async fn failures(lambda: &Lambda, records: &[Value]) -> Value {
    lambda.invoke(|_| json!({"Records": records})).await.unwrap()["batchItemFailures"].clone()
}

#[tokio::test]
async fn a_batch_that_nothing_follows_from_is_done() {
    let lambda = changes().await;
    assert_eq!(failures(&lambda, &[marker("111"), marker("112")]).await, json!([]));
    assert_eq!(failures(&lambda, &[]).await, json!([]));
}

#[tokio::test]
async fn a_record_that_cannot_be_read_is_the_one_to_go_on_from() {
    let lambda = changes().await;
    let mut broken = marker("112");
    broken["dynamodb"].as_object_mut().unwrap().remove("Keys");
    let failed = failures(&lambda, &[marker("111"), broken, marker("113")]).await;
    assert_eq!(failed, json!([{"itemIdentifier": "112"}]));
    assert_eq!(failures(&lambda, &[marker("114")]).await, json!([]), "the next batch is not held up");
}
