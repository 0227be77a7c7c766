//! The built `sessions` binary on an embedded table, against a stand-in of the Lambda runtime API: HTTP API events in,
//! responses out. The index does not answer here, so a question is escalated.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that fails says where")]

#[path = "../../../tests/lambda/runtime.rs"]
mod runtime;
#[path = "../../../tests/lambda/table.rs"]
mod table;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use runtime::{Call, Lambda, Reply};
use serde_json::{Value, json};

struct Deployed {
    lambda: Lambda,
    key: String,
}

/// The function with a table in memory, a tenant and an admin key.
async fn sessions() -> Deployed {
    let (url, key) = table::seeded().await;
    let widget_keys = format!("k1:{}", STANDARD.encode([7; 32]));
    let environment = [
        ("TABLE_NAME", table::NAME),
        ("AWS_ENDPOINT_URL_DYNAMODB", url.as_str()),
        ("SEARCH_ENDPOINT", "http://127.0.0.1:1"),
        ("WIDGET_TOKEN_KEYS", widget_keys.as_str()),
    ];
    Deployed { lambda: Lambda::start(env!("CARGO_BIN_EXE_sessions"), &environment).await, key }
}

impl Deployed {
    async fn send(&self, method: &str, raw_path: &str, body: Option<&str>) -> Reply {
        let authorization = format!("Bearer {}", self.key);
        let headers = vec![("Authorization", authorization.as_str()), ("Content-Type", "application/json")];
        self.lambda.call(Call { method, raw_path, headers, body, ..Call::default() }).await
    }

    async fn session(&self) -> String {
        let created = self.send("POST", "/api/v1/sessions", None).await;
        assert_eq!(created.status, 201, "{created:?}\n{}", self.lambda.logs());
        created.body["sessionId"].as_str().unwrap().to_owned()
    }
}

#[tokio::test]
async fn a_session_is_created_and_read_through_gateway_events() {
    let deployed = sessions().await;
    let id = deployed.session().await;
    let read = deployed.send("GET", &format!("/api/v1/sessions/{id}"), None).await;
    assert_eq!((read.status, &read.body["sessionId"]), (200, &json!(id)));
    assert_eq!(read.body["ownership"], "ai");
    assert!(read.headers["x-request-id"].starts_with("req_"));
}

#[tokio::test]
async fn a_base64_body_is_the_body_it_stands_for() {
    let deployed = sessions().await;
    let authorization = format!("Bearer {}", deployed.key);
    let body = STANDARD.encode(r#"{"externalUserId":"Zoë","metadata":{"page":"/käse"}}"#);
    let created = deployed
        .lambda
        .call(Call {
            method: "POST",
            raw_path: "/api/v1/sessions",
            headers: vec![("Authorization", &authorization), ("Content-Type", "application/json; charset=utf-8")],
            body: Some(&body),
            base64: true,
            ..Call::default()
        })
        .await;
    assert_eq!(created.status, 201, "{created:?}");
    assert_eq!(created.body["externalUserId"], "Zoë");
    assert_eq!(created.body["metadata"], json!({"page": "/käse"}));
}

#[tokio::test]
async fn a_question_without_an_index_is_kept_and_goes_to_a_person() {
    let deployed = sessions().await;
    let id = deployed.session().await;
    let path = format!("/api/v1/sessions/{id}/messages");
    let answered = deployed.send("POST", &path, Some(r#"{"content":"How long does a refund take?"}"#)).await;
    assert_eq!(answered.status, 200, "{answered:?}");
    assert_eq!(answered.body["disposition"], "escalated", "{answered:?}");
    let turns = deployed.send("GET", &path, None).await;
    assert_eq!(turns.body["items"][0]["content"], "How long does a refund take?");
    let logs = deployed.lambda.logs();
    assert!(!logs.contains("refund") && !logs.contains(&deployed.key), "{logs}");
}

#[tokio::test]
async fn a_query_reaches_the_handler_as_it_was_sent() {
    let deployed = sessions().await;
    for _ in 0..2 {
        deployed.session().await;
    }
    let authorization = format!("Bearer {}", deployed.key);
    let list = |raw_query: &'static str| Call {
        method: "GET",
        raw_path: "/api/v1/sessions",
        raw_query,
        headers: vec![("Authorization", &authorization)],
        ..Call::default()
    };
    let page = deployed.lambda.call(list("limit=1&ownership=ai")).await;
    assert_eq!((page.status, page.body["items"].as_array().map(Vec::len)), (200, Some(1)), "{page:?}");
    assert_eq!(page.body["hasMore"], true);
    let refused = deployed.lambda.call(list("limit=%31%30%31")).await;
    assert_eq!((refused.status, &refused.body["details"][0]["field"]), (400, &json!("limit")));
}

#[tokio::test]
async fn a_path_that_the_gateway_decoded_is_not_reinterpreted() {
    let deployed = sessions().await;
    let id = deployed.session().await;
    let spoilt =
        [format!("{id}?"), format!("{id}#x"), format!("x/../{id}"), format!("{id} "), format!("./{id}"), "é".into()];
    for spoilt in spoilt {
        let read = deployed.send("GET", &format!("/api/v1/sessions/{spoilt}"), None).await;
        assert_eq!((read.status, &read.body["error"]), (404, &json!("NOT_FOUND")), "{spoilt}");
    }
}

#[tokio::test]
async fn nobody_without_a_key_gets_past_the_door_and_a_broken_body_is_told_so() {
    let deployed = sessions().await;
    let nobody = deployed.lambda.call(Call { method: "POST", raw_path: "/api/v1/sessions", ..Call::default() }).await;
    assert_eq!((nobody.status, &nobody.body["error"]), (401, &json!("UNAUTHORIZED")));
    assert_eq!(nobody.headers["www-authenticate"], "Bearer");
    let broken = deployed.send("POST", "/api/v1/sessions", Some(r#"["x"]"#)).await;
    assert_eq!((broken.status, &broken.body["error"]), (400, &json!("INVALID_JSON")));
    let preflight =
        deployed.lambda.call(Call { method: "OPTIONS", raw_path: "/api/v1/sessions", ..Call::default() }).await;
    assert_eq!((preflight.status, preflight.body), (204, Value::Null));
    let unknown = deployed.send("GET", "/api/v1/sessions/a/b/c", None).await;
    assert_eq!((unknown.status, &unknown.body["error"]), (404, &json!("NOT_FOUND")));
}

/// The descriptions of endpoints and fields are for the OpenAPI document; the linker leaves them out.
#[test]
fn no_description_of_an_endpoint_is_in_the_binary() {
    let binary = std::fs::read(env!("CARGO_BIN_EXE_sessions")).unwrap();
    let text = String::from_utf8_lossy(&binary);
    for described in
        ["Send a customer's message and get the answer", "NewMessage", "The visitor, as the tenant names them"]
    {
        assert!(!text.contains(described), "{described}");
    }
    assert!(text.contains("must contain a visible character"), "what reads fields is there");
}
