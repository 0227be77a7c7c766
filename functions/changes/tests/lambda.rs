//! The built `changes` binary against a stand-in of the Lambda runtime API: batches of the stream, and their responses.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that fails says where")]

#[path = "../../../tests/lambda/runtime.rs"]
mod runtime;
#[path = "../../../tests/lambda/table.rs"]
mod table;

use runtime::Lambda;
use serde_json::{Value, json};

/// A function whose table, index and queues are not there.
async fn changes() -> Lambda {
    changes_on("http://127.0.0.1:1", &[("DEAD_LETTER_BUCKET", "dead-letters")]).await
}

/// One whose table is at `table_url`.
async fn changes_on(table_url: &str, more: &[(&str, &str)]) -> Lambda {
    let mut environment = vec![
        ("TABLE_NAME", table::NAME),
        ("AWS_ENDPOINT_URL_DYNAMODB", table_url),
        ("SEARCH_ENDPOINT", "http://127.0.0.1:1"),
        ("AWS_ENDPOINT_URL_SQS", "http://127.0.0.1:1"),
        ("WEBHOOK_QUEUE_URL", "http://127.0.0.1:1/000000000000/webhooks"),
        ("EMBEDDING_QUEUE_URL", "http://127.0.0.1:1/000000000000/embeddings"),
    ];
    environment.extend(more);
    Lambda::start(env!("CARGO_BIN_EXE_changes"), &environment).await
}

/// A record of an item kind without consumers.
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

/// A created entry, as Lambda describes it.
fn record(number: u32) -> Value {
    let text = |text: &str| json!({"S": text});
    let (pk, path) = ("ten_00000000010000000000000002#live#WIKI", format!("help/n{number}"));
    let at = "2026-01-02T03:04:05.678Z";
    let entry = json!({
        "path": text(&path), "version": {"N": "1"},
        "title": text("T"), "content": text("Nobody logs this."), "visibility": text("public"), "tags": {"L": []},
        "createdAt": text(at), "updatedAt": text(at), "createdBy": text("k"), "updatedBy": text("k"),
        "source": {"M": {"type": text("manual")}},
    });
    let image = json!({
        "pk": text(pk), "sk": text(&path), "kind": text("entry"), "path": text(&path), "version": {"N": "1"},
        "deleted": {"BOOL": false}, "createToken": text("t"), "writeToken": text("t"), "entry": {"M": entry},
    });
    json!({
        "eventID": format!("event-{number}"), "eventName": "INSERT", "eventVersion": "1.1",
        "eventSource": "aws:dynamodb", "awsRegion": "eu-central-1",
        "dynamodb": {
            "ApproximateCreationDateTime": 1_767_323_045.0, "Keys": {"pk": text(pk), "sk": text(&path)},
            "NewImage": image, "SequenceNumber": number.to_string(), "SizeBytes": 400,
            "StreamViewType": "NEW_AND_OLD_IMAGES",
        },
        "eventSourceARN": "arn:aws:dynamodb:eu-central-1:123456789012:table/table/stream/2026",
    })
}

#[tokio::test]
async fn a_batch_is_done_though_the_index_is_down_and_given_out_again_where_the_table_is() {
    let records = [record(7), record(8), record(9)];
    let (url, _) = table::seeded().await;
    let lambda = changes_on(&url, &[("DEAD_LETTER_BUCKET", "dead-letters")]).await;
    assert_eq!(failures(&lambda, &records).await, json!([]), "{}", lambda.logs());
    let logs = lambda.logs();
    assert!(logs.contains("failed to index an entry") && !logs.contains("Nobody logs this"), "{logs}");

    let lambda = changes().await;
    assert_eq!(failures(&lambda, &records).await, json!([{"itemIdentifier": "7"}]), "{}", lambda.logs());
}

#[tokio::test]
async fn without_a_dead_letter_bucket_it_does_not_start() {
    let mut lambda = changes_on("http://127.0.0.1:1", &[]).await;
    assert!(!lambda.refused().await);
    assert!(lambda.logs().contains("DEAD_LETTER_BUCKET is not set."), "{}", lambda.logs());
}
