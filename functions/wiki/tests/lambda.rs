//! The built `wiki` binary on an embedded table, against a stand-in of the Lambda runtime API: paths as the gateway
//! passes them, and an index that does not answer.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that fails says where")]

#[path = "../../../tests/lambda/runtime.rs"]
mod runtime;
#[path = "../../../tests/lambda/table.rs"]
mod table;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use runtime::{Call, Lambda, Reply};
use serde_json::json;

struct Deployed {
    lambda: Lambda,
    key: String,
}

async fn wiki() -> Deployed {
    let (url, key) = table::seeded().await;
    let widget_keys = format!("k1:{}", STANDARD.encode([7; 32]));
    let environment = [
        ("TABLE_NAME", table::NAME),
        ("AWS_ENDPOINT_URL_DYNAMODB", url.as_str()),
        ("SEARCH_ENDPOINT", "http://127.0.0.1:1"),
        ("WIDGET_TOKEN_KEYS", widget_keys.as_str()),
    ];
    Deployed { lambda: Lambda::start(env!("CARGO_BIN_EXE_wiki"), &environment).await, key }
}

impl Deployed {
    async fn send(&self, method: &str, raw_path: &str, more: &[(&str, &str)], body: Option<&str>) -> Reply {
        let authorization = format!("Bearer {}", self.key);
        let mut headers = vec![("Authorization", authorization.as_str()), ("Content-Type", "application/json")];
        headers.extend(more);
        self.lambda.call(Call { method, raw_path, headers, body, ..Call::default() }).await
    }
}

#[tokio::test]
async fn an_entry_is_written_while_the_index_is_down_and_read_by_the_path_that_the_gateway_decoded() {
    let deployed = wiki().await;
    let body = json!({"path": "help/Refunds.v1", "title": "Refunds", "content": "Five working days."}).to_string();
    let created = deployed.send("POST", "/api/v1/wiki", &[], Some(&body)).await;
    assert_eq!(created.status, 201, "{created:?}\n{}", deployed.lambda.logs());
    // An HTTP API hands over `%2F` decoded: both ways of writing a path arrive alike.
    let path = "/api/v1/wiki/help/Refunds.v1";
    let read = deployed.send("GET", path, &[], None).await;
    assert_eq!((read.status, &read.body["content"]), (200, &json!("Five working days.")), "{read:?}");
    // A doubly encoded path arrives with an escape, which is no slash.
    let twice = deployed.send("GET", "/api/v1/wiki/help%2FRefunds.v1", &[], None).await;
    assert_eq!((twice.status, &twice.body["error"]), (400, &json!("VALIDATION_ERROR")), "{twice:?}");
    let tag = read.headers["etag"].clone();
    let patch = |content: &str| json!({"content": content}).to_string();
    let changed = deployed.send("PATCH", path, &[("If-Match", &tag)], Some(&patch("Six."))).await;
    assert_eq!((changed.status, &changed.body["version"]), (200, &json!(2)), "{changed:?}");
    let late = deployed.send("PATCH", path, &[("If-Match", &tag)], Some(&patch("Seven."))).await;
    assert_eq!((late.status, &late.body["error"]), (412, &json!("PRECONDITION_FAILED")), "{late:?}");
    let authorization = format!("Bearer {}", deployed.key);
    let search = Call {
        method: "GET",
        raw_path: "/api/v1/wiki",
        raw_query: "q=refunds",
        headers: vec![("Authorization", authorization.as_str())],
        ..Call::default()
    };
    let searched = deployed.lambda.call(search).await;
    assert_eq!((searched.status, &searched.body["error"]), (503, &json!("SERVICE_UNAVAILABLE")), "{searched:?}");
    assert_eq!(deployed.send("DELETE", path, &[], None).await.status, 204);
    assert_eq!(deployed.send("GET", path, &[], None).await.status, 404);
    let logs = deployed.lambda.logs();
    assert!(!logs.contains("working days") && !logs.contains(&deployed.key), "{logs}");
}
