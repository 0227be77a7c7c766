//! The built `health` binary against a stand-in of the Lambda runtime API: requests without a route, and the report.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that fails says where")]

#[path = "../../../tests/lambda/runtime.rs"]
mod runtime;
#[path = "../../../tests/lambda/table.rs"]
mod table;

use axum::Router;
use axum::http::{Method, StatusCode, Uri};
use runtime::{Call, Lambda, Reply};
use serde_json::{Value, json};

/// A function whose table, index and queues are not there.
async fn health() -> Lambda {
    let environment = [
        ("TABLE_NAME", "table"),
        ("AWS_ENDPOINT_URL_DYNAMODB", "http://127.0.0.1:1"),
        ("SEARCH_ENDPOINT", "http://127.0.0.1:1"),
        ("AWS_ENDPOINT_URL_SQS", "http://127.0.0.1:1"),
        ("SEARCH_DOMAIN_NAME", "support"),
        ("WIDGET_TOKEN_KEYS", "k1:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="),
        ("AWS_ENDPOINT_URL_OPENSEARCH", "http://127.0.0.1:1"),
        ("WEBHOOK_QUEUE_URL", "http://127.0.0.1:1/000000000000/webhooks"),
        ("EMBEDDING_QUEUE_URL", "http://127.0.0.1:1/000000000000/embeddings"),
        ("INGEST_QUEUE_URL", "http://127.0.0.1:1/000000000000/ingest"),
    ];
    Lambda::start(env!("CARGO_BIN_EXE_health"), &environment).await
}

/// The control plane of a search domain, which says that the cluster is `cluster`.
async fn search_domain(cluster: &'static str) -> String {
    let answer = async move |method: Method, uri: Uri| match (method, uri.path()) {
        (Method::GET, "/2021-01-01/opensearch/domain/support/health") => {
            (StatusCode::OK, json!({"ClusterHealth": cluster, "DomainState": "Active"}).to_string())
        }
        _ => (StatusCode::NOT_FOUND, "{}".to_owned()),
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, Router::new().fallback(answer)).await });
    url
}

/// The report that somebody with a key gets of a service with its table alone; index and queues do not answer.
async fn report(control_url: &str) -> serde_json::Value {
    let (table_url, key) = table::seeded().await;
    let environment = [
        ("TABLE_NAME", table::NAME),
        ("AWS_ENDPOINT_URL_DYNAMODB", &table_url),
        ("SEARCH_ENDPOINT", "http://127.0.0.1:1"),
        ("SEARCH_DOMAIN_NAME", "support"),
        ("WIDGET_TOKEN_KEYS", "k1:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="),
        ("AWS_ENDPOINT_URL_OPENSEARCH", control_url),
        ("AWS_ENDPOINT_URL_SQS", "http://127.0.0.1:1"),
        ("WEBHOOK_QUEUE_URL", "http://127.0.0.1:1/000000000000/webhooks"),
        ("EMBEDDING_QUEUE_URL", "http://127.0.0.1:1/000000000000/embeddings"),
        ("INGEST_QUEUE_URL", "http://127.0.0.1:1/000000000000/ingest"),
    ];
    let lambda = Lambda::start(env!("CARGO_BIN_EXE_health"), &environment).await;
    let bearer = format!("Bearer {key}");
    let headers = vec![("Authorization", bearer.as_str())];
    let reply = lambda.call(Call { method: "GET", raw_path: "/api/v1/health", headers, ..Call::default() }).await;
    assert_eq!(reply.status, 200, "{reply:?}");
    reply.body
}

#[tokio::test]
async fn the_search_domain_is_asked_for_its_own_health() {
    for (cluster, reported) in [("Green", "green"), ("Red", "red")] {
        let url = search_domain(cluster).await;
        let report = report(&url).await;
        let domain = &report["checks"]["search"]["domain"];
        assert_eq!(domain["status"], "ok", "{report:#}");
        assert_eq!((&domain["cluster"], &domain["state"]), (&json!(reported), &json!("active")));
    }
}

#[tokio::test]
async fn a_domain_and_queues_that_cannot_be_asked_are_told_as_that_and_nothing_is_made_up() {
    let report = report("http://127.0.0.1:1").await;
    assert_eq!(report["status"], "degraded");
    let domain = &report["checks"]["search"]["domain"];
    assert!(["failed", "timeout"].contains(&domain["status"].as_str().unwrap()), "{report:#}");
    assert_eq!((&domain["cluster"], &domain["state"]), (&json!(null), &json!(null)));
    for queue in ["webhooks", "ingest"] {
        let queue = &report["checks"]["queues"][queue];
        assert!(["failed", "timeout"].contains(&queue["status"].as_str().unwrap()), "{report:#}");
        assert_eq!((&queue["depth"], &queue["dead"]), (&json!(null), &json!(null)));
    }
    for agent in report["agents"].as_array().unwrap() {
        assert_eq!(agent["status"], "never");
    }
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
        let vary = "Access-Control-Request-Method, Access-Control-Request-Headers, Origin";
        assert_eq!(reply.headers["vary"], vary, "{path}");
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
    assert_eq!(reply.headers["allow"], "POST, GET, HEAD, OPTIONS");
    let head = ask(&lambda, "HEAD", "/api/v1/openapi.json").await;
    assert_eq!((head.status, &head.body), (200, &Value::Null), "HEAD comes by the $default route");
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
