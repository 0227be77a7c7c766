//! An id that cannot exist is answered like one that does not: 404 with the same body, wherever it stands.

use serde_json::{Value, json};
use support::edge::describe::ParameterLocation;

use crate::cases::{Case, cases};
use crate::support::{Reply, TestService};

const IMPOSSIBLE: [&str; 9] = [
    "x",
    "~",
    "ses_",
    "key_",
    "ses_01jdb8q7xkz3t5v9w2y4a6c8eg",
    "ses_8ZZZZZZZZZZZZZZZZZZZZZZZZZ",
    "%00",
    "%C3%A9",
    "TENANT%23t",
];

/// Status and body, without what differs from request to request.
fn shown(reply: &Reply) -> (u16, Value) {
    let mut body = reply.json.clone();
    body.as_object_mut().unwrap().remove("requestId");
    (reply.status, body)
}

/// The names of the ids in the path of an operation, each with an id of its kind that nothing has.
fn absent(case: &Case) -> Vec<(String, String)> {
    let path = case.operation.parameters.iter().filter(|parameter| parameter.place == ParameterLocation::Path);
    let named = path.filter_map(|parameter| {
        let kind = parameter.schema.get("$ref")?.as_str()?.rsplit('/').next()?;
        let id = match kind {
            "SessionId" => "ses_00000000000000000000000001",
            "EscalationId" => "esc_00000000000000000000000001",
            "IngestId" => "ing_00000000000000000000000001",
            "ApiKeyId" => "key_00000000000000000000000001",
            "WebhookId" => "whk_00000000000000000000000001",
            "DeliveryId" => "dlv_00000000000000000000000001",
            "GapId" => "gap_00000000000000000000000000000001",
            "MemberId" => "mem_00000000000000000000000001",
            "SavedReplyId" => "rep_00000000000000000000000001",
            "PinId" => "pin_00000000000000000000000001",
            "DraftId" => "drf_00000000000000000000000001",
            "WikiPath" => return None,
            other => panic!("no id is known of {other}"),
        };
        Some((parameter.name.clone(), id.to_owned()))
    });
    named.collect()
}

#[tokio::test]
async fn an_impossible_id_in_a_path_is_answered_like_one_that_does_not_exist_on_every_route() {
    let service = TestService::start().await;
    let admin = service.admin();
    let mut seen = 0;
    for case in cases() {
        for (name, id) in absent(&case) {
            // The other id of the path is of something that there is.
            let made = case.make(&service, "a/b").await;
            let missing = case.send(&admin, &made.with(&name, &id), "a/b").await;
            assert_eq!(missing.status, 404, "{}: {}", missing.asked, missing.text);
            let long = "k".repeat(2_048);
            for impossible in IMPOSSIBLE.into_iter().chain([long.as_str()]) {
                let reply = case.send(&admin, &made.with(&name, impossible), "a/b").await;
                assert_eq!(shown(&reply), shown(&missing), "{} {name} {impossible:.60}", reply.asked);
            }
            seen += 1;
        }
    }
    assert!(seen >= 25, "only {seen} ids of routes");
}

#[tokio::test]
async fn an_impossible_id_in_a_body_is_answered_like_one_that_does_not_exist() {
    let service = TestService::start().await;
    let admin = service.admin();
    let session = admin.session().await;
    admin.ask(&session, "Which zebra sings on Jupiter?").await.expect(200);
    let waiting = admin.session().await;
    admin.post(&format!("/sessions/{waiting}/escalate"), json!({"reason": "help"})).await.expect(200);
    let claimed = admin.post("/inbox/takeover", json!({"agentId": "anna"})).await.text_at("escalationId").to_owned();
    let cases = [
        ("/sessions/resume".to_owned(), "sessionId", json!({}), "ses_00000000000000000000000001"),
        ("/auth/widget-token".to_owned(), "sessionId", json!({}), "ses_00000000000000000000000001"),
        ("/inbox/takeover".to_owned(), "escalationId", json!({}), "esc_00000000000000000000000001"),
        (
            format!("/sessions/{session}/reaction"),
            "messageId",
            json!({"reaction": "flag"}),
            "msg_00000000000000000000000001",
        ),
        (
            format!("/inbox/{claimed}/handback"),
            "lastSeenMessageId",
            json!({"agentId": "anna"}),
            "msg_00000000000000000000000001",
        ),
    ];
    for (path, field, mut body, absent) in cases {
        body[field] = absent.into();
        let missing = admin.post(&path, body.clone()).await;
        missing.expect_error(404, "NOT_FOUND");
        for impossible in ["", " ", "x", "msg_", "ses_01jdb8q7xkz3t5v9w2y4a6c8eg", "é\u{0}", &"k".repeat(5_000)] {
            body[field] = impossible.into();
            let reply = admin.post(&path, body.clone()).await;
            assert_eq!(shown(&reply), shown(&missing), "{path} {impossible:.60}");
        }
        body[field] = json!(7);
        assert_eq!(admin.post(&path, body).await.details(), [format!("{field} WRONG_TYPE")], "{path}");
    }
}

#[tokio::test]
async fn an_impossible_id_is_400_only_where_a_list_goes_on_from_it() {
    let service = TestService::start().await;
    let admin = service.admin();
    let session = admin.session().await;
    for parameter in ["after", "cursor"] {
        for id in ["x", "msg_", "msg_00000000000000000000000001"] {
            let reply = admin.get(&format!("/sessions/{session}/messages?{parameter}={id}")).await;
            reply.expect_error(400, "VALIDATION_ERROR");
        }
    }
}
