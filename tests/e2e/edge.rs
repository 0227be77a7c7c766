//! The HTTP edge: callers that disconnect, names and numbers as they are written, foreign origins.

use std::sync::Arc;
use std::time::Duration;

use answer::model::{LanguageModel, ModelError, ModelRequest};
use async_trait::async_trait;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::support::{Reply, TestService};

/// A model that thinks until it is told to answer.
#[derive(Debug)]
struct HeldModel {
    asked: Semaphore,
    go: Semaphore,
}

#[async_trait]
impl LanguageModel for HeldModel {
    fn name(&self) -> &str {
        "held"
    }

    async fn complete(&self, _: &ModelRequest) -> Result<String, ModelError> {
        self.asked.add_permits(1);
        let _go = self.go.acquire().await.unwrap();
        Ok(json!({"answer": "The refund takes five working days after approval.", "sources": [1], "answerable": true})
            .to_string())
    }
}

#[tokio::test]
async fn a_caller_that_goes_away_is_answered_all_the_same() {
    let model = Arc::new(HeldModel { asked: Semaphore::new(0), go: Semaphore::new(0) });
    let held = model.clone();
    let service = TestService::with(|options| options.model = Some(held)).await;
    service.trainer().wiki_entry("help/refunds", "Refunds", "A refund takes five working days after approval.").await;
    let caller = service.integration();
    let session = caller.session().await;
    let path = format!("/sessions/{session}/messages");
    let asking = tokio::spawn({
        let (caller, path) = (caller.clone(), path.clone());
        async move { caller.post(&path, json!({"content": "How long does a refund take?", "clientMessageId": "m"})).await }
    });
    let _asked = model.asked.acquire().await.unwrap();
    asking.abort();
    assert!(asking.await.unwrap_err().is_cancelled(), "the caller is gone while the model thinks");
    model.go.add_permits(1);
    let answered = tokio::time::timeout(Duration::from_secs(120), async {
        while caller.turns(&session).await.len() < 2 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    });
    answered.await.expect("the answer was lost with its caller");
    let again = caller.post(&path, json!({"content": "How long does a refund take?", "clientMessageId": "m"})).await;
    assert_eq!(
        (again.expect(200)["disposition"].as_str(), again.header("idempotency-replayed")),
        (Some("answered"), "true")
    );
    assert_eq!(caller.turns(&session).await.len(), 2);
}

#[tokio::test]
async fn a_person_is_named_within_the_same_limits_everywhere() {
    let service = TestService::start().await;
    let caller = service.integration();
    let user = |name: usize, email: usize| json!({"user": {"name": "n".repeat(name), "email": format!("{}@", "e".repeat(email - 1))}});
    for (body, good) in [
        (json!({"externalUserId": "v".repeat(200)}), true),
        (json!({"externalUserId": "v".repeat(201)}), false),
        (json!({"externalUserId": ""}), false),
        (json!({"externalUserId": " "}), false),
        (json!({"externalUserId": "a\nb"}), false),
        (json!({"externalUserId": "a\u{202e}b"}), false),
        (json!({"externalUserId": 7}), false),
        (user(100, 254), true),
        (user(101, 254), false),
        (user(100, 255), false),
        (user(1, 1), true),
        (user(0, 1), false),
        (json!({"user": {}}), true),
        (json!({"user": null}), true),
        (json!({"user": []}), false),
    ] {
        let (made, token) =
            (caller.post("/sessions", body.clone()).await, caller.post("/auth/widget-token", body.clone()).await);
        assert_eq!((made.status, token.status), if good { (201, 200) } else { (400, 400) }, "{body:.80}");
        assert_eq!(made.at("details"), token.at("details"), "{body:.80}");
        if body.get("externalUserId").is_some() {
            let resumed = caller.post("/sessions/resume", body.clone()).await;
            assert_eq!(resumed.status, if good { 200 } else { 400 }, "{body:.80}");
        }
    }
}

#[tokio::test]
async fn names_that_run_from_right_to_left_keep_their_marks() {
    let service = TestService::start().await;
    let name = "\u{61c}سارة\u{200f} (ACME)\u{200e}";
    let made = service.integration().post("/sessions", json!({"user": {"name": name}, "tags": [name]})).await;
    assert_eq!((&made.expect(201)["user"]["name"], &made.json["tags"]), (&json!(name), &json!([name])));
    let entry = json!({"path": "help/names", "title": name, "content": "x"});
    assert_eq!(service.trainer().post("/wiki", entry).await.expect(201)["title"], name);
    let turned = json!({"path": "help/turned", "title": "a\u{202e}b", "content": "x"});
    service.trainer().post("/wiki", turned).await.expect_error(400, "VALIDATION_ERROR");
}

/// Opens a session with this text of JSON as its metadata.
async fn with_metadata(service: &TestService, metadata: &str) -> Reply {
    let body = format!("{{\"metadata\": {metadata}}}");
    service.integration().post_raw("/sessions", "application/json", body).await
}

#[tokio::test]
async fn metadata_comes_back_as_it_was_sent() {
    let service = TestService::start().await;
    let sent = r#"{"a":1,"b":1.0,"c":0.1,"d":18446744073709551615,"e":-9223372036854775808,"f":1e19,"g":1.7976931348623157e-100,"h":0.30000000000000004,"i":"1.0","j":true,"k":-0.0,"l":123456789.12345679}"#;
    let made = with_metadata(&service, sent).await;
    let read = service.admin().get(&format!("/sessions/{}", made.text_at("sessionId"))).await;
    let expected: Value = serde_json::from_str(sent).unwrap();
    for reply in [&made, &read] {
        assert_eq!(reply.at("metadata").to_string(), expected.to_string());
    }
}

#[tokio::test]
async fn a_number_that_could_not_come_back_is_refused_and_nothing_is_made() {
    let service = TestService::start().await;
    for number in
        ["1e200", "-1e200", "1e126", "1234567890123456800000000000000000000000", "18446744073709552000", "1e-131"]
    {
        let refused = with_metadata(&service, &format!("{{\"n\": {number}}}")).await;
        refused.expect_error(400, "VALIDATION_ERROR");
        assert_eq!(refused.details(), ["metadata OUT_OF_RANGE"], "{number}");
        let setting = format!("{{\"noMatchThreshold\": {number}}}");
        let bytes = setting.into_bytes();
        let refused = service.admin().bytes("PATCH", "/settings", &[("content-type", "application/json")], bytes).await;
        refused.expect_error(400, "VALIDATION_ERROR");
    }
    assert!(service.admin().get("/sessions").await.items().is_empty());
}

#[tokio::test]
async fn a_number_in_metadata_keeps_its_value() {
    let service = TestService::start().await;
    let sent = r#"{"a":1e5,"b":-0,"c":0.10,"d":1E-5,"e":100.00,"f":12345678901234567890}"#;
    let expected = r#"{"a":100000.0,"b":-0.0,"c":0.1,"d":0.00001,"e":100.0,"f":12345678901234567890}"#;
    let made = with_metadata(&service, sent).await;
    let read = service.admin().get(&format!("/sessions/{}", made.expect(201)["sessionId"].as_str().unwrap())).await;
    for reply in [&made, &read] {
        assert_eq!(reply.at("metadata").to_string(), expected);
    }
}

#[tokio::test]
async fn a_number_without_the_digits_of_a_double_is_refused_anywhere_in_a_body() {
    let service = TestService::start().await;
    for number in ["1e-400", "-1e-400", "0.1234567890123456789012345", "-9223372036854775809", "18446744073709551616"] {
        for body in [format!(r#"{{"metadata":{{"n":{number}}}}}"#), format!(r#"{{"unknown":[{number}]}}"#)] {
            let refused = service.integration().post_raw("/sessions", "application/json", body.clone()).await;
            refused.expect_error(400, "VALIDATION_ERROR");
            assert_eq!(refused.details(), ["OUT_OF_RANGE"], "{body}");
        }
    }
    with_metadata(&service, r#"{"n": 1e400}"#).await.expect_error(400, "INVALID_JSON");
    assert!(service.admin().get("/sessions").await.items().is_empty());
}

#[tokio::test]
async fn health_is_for_the_tenants_own_pages_too() {
    let service = TestService::start().await;
    service.admin().patch("/settings", json!({"widgetOrigins": ["https://own.example"]})).await.expect(200);
    let widget = service.widget("v").await;
    for caller in [service.admin(), widget] {
        let refused = caller.with_header("origin", "https://foreign.example").get("/health").await;
        refused.expect_error(403, "FORBIDDEN");
        assert!(refused.headers.get("access-control-allow-origin").is_none());
        caller.with_header("origin", "https://own.example").get("/health").await.expect(200);
    }
    // Nobody has no tenant that could name a page.
    service.anonymous().with_header("origin", "https://foreign.example").get("/health").await.expect(200);
    service.bearer("nonsense").with_header("origin", "https://foreign.example").get("/health").await.expect(200);
}

#[tokio::test]
async fn a_preflight_names_every_method_of_its_path() {
    let service = TestService::start().await;
    for (path, methods) in [
        ("/wiki", "GET, HEAD, POST, OPTIONS"),
        ("/wiki/a/b", "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"),
        ("/health", "GET, HEAD, OPTIONS"),
    ] {
        let request = service.anonymous().request(Method::OPTIONS, path).header("origin", "https://x.example");
        let reply = Reply::read(format!("OPTIONS {path}"), request.send().await.unwrap()).await;
        assert_eq!((reply.status, reply.header("allow")), (204, methods), "{path}");
    }
}

#[tokio::test]
async fn head_answers_as_get_does_without_the_body() {
    let service = TestService::start().await;
    let session = service.admin().session().await;
    let paths =
        ["/health", "/openapi.json", "/sessions", "/wiki", "/settings", "/inbox", "/sessions/ses_x", "/wiki/none/here"];
    let paths = paths.iter().map(|path| (*path).to_owned()).chain([format!("/sessions/{session}")]);
    for path in paths {
        for caller in [service.admin(), service.anonymous()] {
            let get = caller.get(&path).await;
            let head = caller.bytes("HEAD", &path, &[], Vec::new()).await;
            assert_eq!((head.status, head.text.as_str()), (get.status, ""), "{path}");
            for header in
                ["content-type", "content-length", "cache-control", "www-authenticate", "x-content-type-options"]
            {
                // How long the checks of health took differs from answer to answer.
                let comparable = path != "/health" || header != "content-length";
                assert!(!comparable || head.header(header) == get.header(header), "{path} {header}");
            }
        }
    }
    let refused = service.admin().bytes("HEAD", "/sessions/resume", &[], Vec::new()).await;
    assert_eq!((refused.status, refused.header("allow")), (405, "POST, OPTIONS"));
}
