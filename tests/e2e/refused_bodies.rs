//! The answer to a client whose body is refused: it names the cause, even if the client sends everything before it
//! reads.

use crate::support::TestService;

#[tokio::test]
async fn a_refusal_names_the_fault_of_the_body() {
    let world = TestService::start().await;
    for (body, cause) in [
        (r#"{"tags":["a"],"tags":["b"]}"#, "duplicate key"),
        (r#"{"locale":"\ud800"}"#, "lone surrogate"),
        (r#"{"locale":"\udc00"}"#, "lone leading surrogate"),
        ("\u{feff}{}", "byte order mark"),
        ("{} x", "trailing characters"),
        (r#"{"metadata":{"n":1e400}}"#, "number out of range"),
    ] {
        let answer = world.admin().post_raw("/sessions", "application/json", body).await;
        answer.expect_error(400, "INVALID_JSON");
        assert!(answer.text_at("message").contains(cause), "{body}: {}", answer.text);
    }
}

#[tokio::test]
async fn a_client_that_sends_everything_first_reads_why_it_was_refused() {
    let world = TestService::start().await;
    let admin = world.admin();
    let text = |mebibytes: usize| format!("{{\"reason\":\"{}\"}}", "x".repeat(mebibytes << 20));
    for (method, path, mebibytes, refusal) in [
        ("POST", "/api/v1/nope", 2, (404, "NOT_FOUND")),
        ("POST", "/api/v1/inbox", 4, (405, "METHOD_NOT_ALLOWED")),
        ("POST", "/api/v1/sessions", 8, (413, "PAYLOAD_TOO_LARGE")),
        ("POST", "/api/v1/sessions", 15, (413, "PAYLOAD_TOO_LARGE")),
        ("PATCH", "/api/v1/settings", 4, (413, "PAYLOAD_TOO_LARGE")),
    ] {
        let answer = admin.raw(method, path, Some(&text(mebibytes))).await;
        assert_eq!((answer.status, answer.text_at("error")), refusal, "{method} {path}");
    }
    let answer = world.anonymous().raw("POST", "/api/v1/sessions", Some(&text(4))).await;
    assert_eq!(answer.status, 401);
}
