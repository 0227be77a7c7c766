//! The built `health` binary against a stand-in of the Lambda runtime API: what no route takes, and an honest report.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that fails says where")]

#[path = "../../../tests/lambda/runtime.rs"]
mod runtime;

use runtime::{Call, Lambda, Reply};
use serde_json::json;

/// A function whose table, index and queues are not there.
async fn health() -> Lambda {
    let environment = [
        ("TABLE_NAME", "table"),
        ("AWS_ENDPOINT_URL_DYNAMODB", "http://127.0.0.1:1"),
        ("SEARCH_ENDPOINT", "http://127.0.0.1:1"),
        ("AWS_ENDPOINT_URL_SQS", "http://127.0.0.1:1"),
        ("WEBHOOK_QUEUE_URL", "http://127.0.0.1:1/000000000000/webhooks"),
        ("INGEST_QUEUE_URL", "http://127.0.0.1:1/000000000000/ingest"),
    ];
    Lambda::start(env!("CARGO_BIN_EXE_health"), &environment).await
}

async fn ask(lambda: &Lambda, method: &str, raw_path: &str) -> Reply {
    lambda.call(Call { method, raw_path, headers: vec![("Origin", "https://shop.example")], ..Call::default() }).await
}

#[tokio::test]
async fn a_preflight_of_any_widget_route_is_answered_without_credentials() {
    let lambda = health().await;
    for (path, methods) in [
        ("/api/v1/sessions", "POST"),
        ("/api/v1/sessions/ses_01/messages", "GET, POST"),
        ("/api/v1/wiki/billing/refunds", "GET"),
    ] {
        let reply = ask(&lambda, "OPTIONS", path).await;
        assert_eq!(reply.status, 204, "{path}: {reply:?}");
        let mut allowed: Vec<_> = reply.headers["access-control-allow-methods"].split(", ").collect();
        allowed.sort_unstable();
        assert_eq!(allowed.join(", "), methods, "{path}");
        assert_eq!(reply.headers["access-control-allow-origin"], "https://shop.example", "{path}");
        assert!(!reply.headers.contains_key("access-control-allow-credentials"), "{path}");
    }
}

#[tokio::test]
async fn an_unknown_path_is_404_and_a_wrong_method_405_in_the_one_shape() {
    let lambda = health().await;
    for path in ["/", "/api/v1", "/api/v1/nothing", "/api/v2/sessions", "/api/v1/wiki/../sessions/x/y", "/prod/api/v1"]
    {
        let reply = ask(&lambda, "GET", path).await;
        assert_eq!((reply.status, &reply.body["error"]), (404, &json!("NOT_FOUND")), "{path}");
        assert!(reply.body["requestId"].as_str().is_some_and(|id| id.starts_with("req_")), "{path}");
    }
    let reply = ask(&lambda, "PUT", "/api/v1/sessions").await;
    assert_eq!((reply.status, &reply.body["error"]), (405, &json!("METHOD_NOT_ALLOWED")));
    assert_eq!(reply.headers["allow"], "POST, GET, OPTIONS");
    let reply = ask(&lambda, "OPTIONS", "/api/v1/settings").await;
    assert_eq!(reply.status, 405, "no widget may call it, so no preflight is due");
}

#[tokio::test]
async fn a_service_without_its_table_says_that_it_is_down() {
    let lambda = health().await;
    let reply = ask(&lambda, "GET", "/api/v1/health").await;
    assert_eq!((reply.status, &reply.body["status"]), (503, &json!("down")));
    let mut fields: Vec<_> = reply.body.as_object().unwrap().keys().map(String::as_str).collect();
    fields.sort_unstable();
    assert_eq!(fields, ["status", "time"], "nobody gets to know more");
}

#[tokio::test]
async fn every_line_of_the_log_is_json_and_names_its_request() {
    let lambda = health().await;
    lambda
        .call(Call {
            method: "GET",
            raw_path: "/api/v1/nothing",
            headers: vec![("X-Request-Id", "req-of-a-test"), ("Authorization", "Bearer pk_live_hidden")],
            ..Call::default()
        })
        .await;
    let logs = lambda.logs();
    let lines: Vec<serde_json::Value> = logs.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines.iter().any(|line| line["span"]["request.id"] == "req-of-a-test"), "{logs}");
    assert!(!logs.contains("pk_live_hidden"), "{logs}");
}
