//! The built `embedding-worker` binary against stand-ins of the Lambda runtime API, of an embedding model and of the
//! search domain: SQS batches in; entries with vectors in the index, and the ids of failed messages out.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that fails says where")]

#[path = "../../../tests/lambda/runtime.rs"]
mod runtime;
#[path = "../../../tests/lambda/table.rs"]
mod table;

use std::sync::{Arc, Mutex};

use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region};
use axum::Router;
use axum::http::{StatusCode, Uri};
use axum::routing::post;
use domain::clock::Runtime;
use domain::models::{EntrySource, Mode, Scope, TenantId, Visibility, WikiPath};
use runtime::Lambda;
use serde_json::{Value, json};
use support::table::Store;
use support::wiki::table::NewEntry;

const PATH: &str = "help/refunds";

/// A model that returns the same vector for every text, or `status`. Returns its URL up to `/v1`.
async fn model(status: StatusCode) -> String {
    let embed = async move |body: String| {
        let asked: Value = serde_json::from_str(&body).unwrap();
        let texts = asked["input"].as_array().unwrap().iter().enumerate();
        let data: Vec<Value> = texts.map(|(index, _)| json!({"index": index, "embedding": [1.0, 1.0]})).collect();
        (status, json!({"data": data}).to_string())
    };
    format!("{}/v1", served(Router::new().route("/v1/embeddings", post(embed))).await)
}

/// A search domain that accepts every request but those for an index under construction. Returns its URL and the
/// documents that it receives.
async fn search() -> (String, Arc<Mutex<Vec<Value>>>) {
    let documents: Arc<Mutex<Vec<Value>>> = Arc::default();
    let given = documents.clone();
    let json = [("Content-Type", "application/json")];
    let answer = async move |address: Uri, body: String| {
        if address.path().starts_with("/wiki-next/") {
            let reply = json!({"error": {"type": "index_not_found_exception"}, "status": 404});
            return (StatusCode::NOT_FOUND, json, reply.to_string());
        }
        if address.path().contains("/_doc/") {
            given.lock().unwrap().push(serde_json::from_str(&body).unwrap());
        }
        (StatusCode::OK, json, json!({"acknowledged": true}).to_string())
    };
    (served(Router::new().fallback(answer)).await, documents)
}

async fn served(router: Router) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    url
}

/// Writes an entry into the table at `url`. Returns its scope.
async fn entry(url: &str) -> Scope {
    let config = aws_sdk_dynamodb::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("eu-central-1"))
        .credentials_provider(Credentials::new("AKIDEXAMPLE", "local", None, None, "test"))
        .endpoint_url(url)
        .http_client(aws::sdk_http::plain_client())
        .build();
    let runtime = Runtime::system();
    let store = Store::new(aws_sdk_dynamodb::Client::from_conf(config), table::NAME, runtime.clone());
    let scope = Scope { tenant: TenantId::generate(&runtime).unwrap(), mode: Mode::Live };
    let new = NewEntry {
        path: WikiPath::parse(PATH).unwrap(),
        title: "Refunds".into(),
        content: "We return your money within five working days.".into(),
        visibility: Visibility::Public,
        tags: Vec::new(),
        created_by: "key_1".into(),
        source: EntrySource::MANUAL,
    };
    store.wiki().create(&scope, new).await.unwrap();
    scope
}

/// Runs the worker with a message that names the entry and with an invalid one. Returns its failures, its logs and the
/// documents that the index received.
async fn handled(status: StatusCode) -> (Value, String, Vec<Value>) {
    let (table_url, _) = table::seeded().await;
    let scope = entry(&table_url).await;
    let (search_url, documents) = search().await;
    let model_url = model(status).await;
    let environment = [
        ("TABLE_NAME", table::NAME),
        ("AWS_ENDPOINT_URL_DYNAMODB", table_url.as_str()),
        ("SEARCH_ENDPOINT", search_url.as_str()),
        ("EMBEDDING_PROVIDER", "openai"),
        ("EMBEDDING_MODEL_ID", "small"),
        ("EMBEDDING_BASE_URL", model_url.as_str()),
        ("EMBEDDING_QUEUE_URL", "http://127.0.0.1:1/123456789012/embeddings"),
    ];
    let worker = Lambda::start(env!("CARGO_BIN_EXE_embedding-worker"), &environment).await;
    let task = json!({"v": 1, "task": "embed", "tenantId": scope.tenant, "mode": "live", "path": PATH}).to_string();
    let batch = json!({"Records": [message("good", &task), message("bad", "no json")]});
    let answer = worker.invoke(|_| batch).await.unwrap();
    let given = documents.lock().unwrap().clone();
    (answer["batchItemFailures"].clone(), worker.logs(), given)
}

fn message(id: &str, body: &str) -> Value {
    json!({
        "messageId": id, "receiptHandle": "r", "body": body, "attributes": {"ApproximateReceiveCount": "1"},
        "messageAttributes": {}, "eventSource": "aws:sqs", "awsRegion": "eu-central-1",
        "eventSourceARN": "arn:aws:sqs:eu-central-1:123456789012:embeddings",
    })
}

#[tokio::test]
async fn an_entry_gets_its_vectors_and_only_an_invalid_message_is_delivered_again() {
    let (failures, logs, documents) = handled(StatusCode::OK).await;
    assert_eq!(failures, json!([{"itemIdentifier": "bad"}]), "{logs}");
    assert_eq!(documents.len(), 1, "{logs}");
    assert_eq!(documents[0]["path"], PATH);
    let passages = documents[0]["passages"].as_array().unwrap();
    assert!(!passages.is_empty() && passages.iter().all(|passage| passage["vector"].is_string()), "{documents:?}");
    assert!(documents[0]["embeddingSpace"].is_string(), "{documents:?}");
    assert!(!logs.contains("working days"), "{logs}");
}

#[tokio::test]
async fn an_entry_whose_model_is_down_is_left_to_the_sweeper() {
    let (failures, logs, documents) = handled(StatusCode::SERVICE_UNAVAILABLE).await;
    assert_eq!(failures, json!([{"itemIdentifier": "bad"}]), "{logs}");
    assert_eq!(documents, Vec::<Value>::new());
    assert!(logs.contains("the embedding model failed") && logs.contains(PATH), "{logs}");
}
