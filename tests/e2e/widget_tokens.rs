//! Widget tokens: their visitor, their lifetime, and their permissions.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use crate::support::{Reply, TestService};

async fn ask(service: &TestService, body: Value) -> Reply {
    service.integration().post("/auth/widget-token", body).await
}

fn part(token: &str, index: usize) -> Value {
    let part = token.split('.').nth(index).unwrap();
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap()
}

#[tokio::test]
async fn a_token_says_for_whom_it_is_and_until_when() {
    let service = TestService::start().await;
    let body = json!({"externalUserId": "visitor-1", "user": {"name": "Zoë", "email": "z@example.org", "role": "admin"}, "ttlSeconds": 60});
    let reply = ask(&service, body).await;
    reply.expect(200);
    assert_eq!((reply.text_at("tokenType"), reply.at("expiresIn")), ("Bearer", &json!(60)));
    assert_eq!(reply.text_at("externalUserId"), "visitor-1");
    assert_eq!(reply.header("cache-control"), "no-store");
    let token = reply.text_at("token");
    let (header, claims) = (part(token, 0), part(token, 1));
    assert_eq!(
        (&header["alg"], &header["typ"], header.as_object().unwrap().len()),
        (&json!("HS256"), &json!("widget+jwt"), 3)
    );
    assert_eq!(
        (&claims["aud"], &claims["sub"], &claims["mode"]),
        (&json!("widget"), &json!("visitor-1"), &json!("live"))
    );
    assert_eq!(claims["exp"].as_i64().unwrap() - claims["iat"].as_i64().unwrap(), 60);
    assert_eq!(claims["user"], json!({"name": "Zoë", "email": "z@example.org"}));
    assert_eq!(claims["tid"], json!(service.tenant.tenant_id.as_str()));
    assert!(claims.get("sid").is_none());
    let end = domain::models::Timestamp::parse(reply.text_at("expiresAt")).unwrap();
    assert_eq!(end.as_seconds(), claims["exp"].as_i64().unwrap());
}

#[tokio::test]
async fn a_visitor_nobody_named_gets_a_name_to_come_back_with() {
    let service = TestService::start().await;
    let first = service.integration().post_empty("/auth/widget-token").await;
    first.expect(200);
    assert_eq!(first.at("expiresIn"), &json!(900));
    let again = ask(&service, json!({"externalUserId": first.text_at("externalUserId")})).await;
    assert_eq!(again.text_at("externalUserId"), first.text_at("externalUserId"));
    assert_ne!(ask(&service, json!({})).await.text_at("externalUserId"), first.text_at("externalUserId"));
}

#[tokio::test]
async fn a_token_comes_with_what_the_first_page_shows() {
    let service = TestService::start().await;
    let admin = service.admin();
    let first = ask(&service, json!({"externalUserId": "ann"})).await;
    assert_eq!((first.at("latestSessionId"), first.at("sourceUrlTemplate")), (&Value::Null, &Value::Null));
    assert_eq!((first.at("suggestions"), first.at("appearance")), (&json!([]), &Value::Null));
    let mut texts = first.at("texts").clone();
    assert_eq!(texts["notice"].take(), "An automatic assistant answers you here.", "in the wiki's language");
    texts.as_object_mut().unwrap().remove("notice");
    assert_eq!(&texts, admin.get("/settings").await.at("texts"));
    let template = "https://help.example/{path}";
    let look = json!({"color": "#1a7f5a", "name": "Fern", "position": "left", "logoUrl": "https://a.example/logo.svg"});
    let suggestions = json!(["How do I pair my pot?", "Was kostet das?"]);
    let patch = json!({
        "texts": {"greeting": "Hello, I am Ada."}, "sourceUrlTemplate": template, "suggestions": suggestions,
        "appearance": look,
    });
    admin.patch("/settings", patch).await.expect(200);
    service.integration().session_with(json!({"externalUserId": "ann"})).await;
    let told = ask(&service, json!({"externalUserId": "ann"})).await;
    assert_eq!(
        (told.at("/texts/greeting"), told.at("sourceUrlTemplate")),
        (&json!("Hello, I am Ada."), &json!(template))
    );
    assert_eq!((told.at("suggestions"), told.at("appearance")), (&suggestions, &look));
    assert_eq!(told.at("latestSessionId"), &Value::Null, "a session of another channel is no widget's");
    service.widget("ann").await.session_with(json!({"locale": "de-AT"})).await;
    let told = ask(&service, json!({"externalUserId": "ann"})).await;
    assert_eq!(told.at("/texts/notice"), "Sie schreiben mit einem automatischen Assistenten.", "in the session's");
    let cleared = admin.patch("/settings", json!({"sourceUrlTemplate": null})).await;
    assert_eq!(cleared.expect(200)["sourceUrlTemplate"], Value::Null);
}

#[tokio::test]
async fn a_token_names_the_session_that_a_resume_takes_up() {
    let service = TestService::start().await;
    let (widget, agent) = (service.widget("ann").await, service.agent());
    let latest = async |body: Value| ask(&service, body).await.expect(200)["latestSessionId"].clone();
    let own = || json!({"externalUserId": "ann"});
    let (open, closed) = (widget.session().await, widget.session().await);
    widget.post(&format!("/sessions/{closed}/escalate"), json!({"reason": "help"})).await.expect(200);
    let case = agent.post_empty("/inbox/takeover").await.text_at("escalationId").to_owned();
    agent.post_empty(&format!("/inbox/{case}/resolve")).await.expect(200);
    assert_eq!(latest(own()).await, open.as_str(), "an open one before a newer closed one");
    assert_eq!(widget.post("/sessions/resume", json!({})).await.text_at("sessionId"), open);
    assert_eq!(latest(json!({"sessionId": closed})).await, closed.as_str(), "the one that the token is limited to");
    assert_eq!(latest(json!({"externalUserId": "bob"})).await, Value::Null);
    service.admin().delete(&format!("/sessions/{open}")).await.expect(204);
    assert_eq!(latest(own()).await, closed.as_str());
    service.clock.advance(25 * 3_600_000);
    assert_eq!(latest(own()).await, Value::Null, "its window is over");
    service.widget("ann").await.post("/sessions/resume", json!({})).await.expect_error(410, "RESUME_WINDOW_EXPIRED");
}

#[tokio::test]
async fn a_token_ends_with_its_time() {
    let service = TestService::start().await;
    let widget = service.widget_with(json!({"externalUserId": "v", "ttlSeconds": 60})).await;
    widget.get("/wiki").await.expect(200);
    service.clock.advance(58_000);
    widget.get("/wiki").await.expect(200);
    service.clock.advance(3_000);
    let refused = widget.get("/wiki").await;
    refused.expect_error(401, "TOKEN_EXPIRED");
    assert_eq!(refused.header("www-authenticate"), "Bearer");
}

#[tokio::test]
async fn a_token_outlives_its_key_by_what_is_left_of_its_hour() {
    let service = TestService::start().await;
    let key = service.admin().post("/api-keys", json!({"name": "of a server", "role": "integration"})).await;
    let server = service.bearer(key.text_at("key"));
    let issued = server.post("/auth/widget-token", json!({"externalUserId": "ann", "ttlSeconds": 3600})).await;
    let widget = service.bearer(issued.text_at("token"));
    service.admin().delete(&format!("/api-keys/{}", key.text_at("keyId"))).await.expect(204);
    server.post("/auth/widget-token", json!({})).await.expect_error(401, "UNAUTHORIZED");
    widget.get("/wiki").await.expect(200);
    // A minute for a slow table: the clock also goes on by itself.
    service.clock.advance(3_540_000);
    widget.get("/wiki").await.expect(200);
    service.clock.advance(60_000);
    widget.get("/wiki").await.expect_error(401, "TOKEN_EXPIRED");
}

#[tokio::test]
async fn every_field_of_a_token_request_is_validated_at_its_limits() {
    let service = TestService::start().await;
    for (ttl, status) in [
        (json!(59), 400),
        (json!(60), 200),
        (json!(3_600), 200),
        (json!(3_601), 400),
        (json!("900"), 400),
        (json!(900.0), 400),
    ] {
        assert_eq!(ask(&service, json!({"ttlSeconds": ttl})).await.status, status, "{ttl}");
    }
    for (body, status) in [
        (json!({"externalUserId": "v".repeat(200)}), 200),
        (json!({"externalUserId": "v".repeat(201)}), 400),
        (json!({"externalUserId": ""}), 400),
        (json!({"externalUserId": "a\u{0}b"}), 400),
        (json!({"user": {"name": "n".repeat(100), "email": format!("{}@", "e".repeat(253))}}), 200),
        (json!({"user": {"name": "n".repeat(101)}}), 400),
        (json!({"user": {"email": format!("{}@", "e".repeat(254))}}), 400),
        (json!({"user": "Zoë"}), 400),
        (json!({"sessionId": 7}), 400),
        (json!({"sessionId": "ses_x"}), 404),
    ] {
        assert_eq!(ask(&service, body.clone()).await.status, status, "{body:.80}");
    }
    let longest = json!({"externalUserId": "🙂".repeat(200), "user": {"name": "🙂".repeat(100), "email": format!("{}@", "🙂".repeat(253))}});
    let widget = service.widget_with(longest).await;
    widget.get("/wiki").await.expect(200);
}

#[tokio::test]
async fn a_widget_asks_for_no_tokens_and_manages_nothing() {
    let service = TestService::start().await;
    let widget = service.widget("v").await;
    widget.post("/auth/widget-token", json!({})).await.expect_error(403, "FORBIDDEN");
    for path in ["/api-keys", "/settings", "/sessions"] {
        let refused = widget.get(path).await;
        refused.expect_error(403, "FORBIDDEN");
        assert_eq!(refused.json["details"][0]["code"], "REQUIRED_ROLE");
    }
}

#[tokio::test]
async fn a_token_of_one_process_is_good_after_a_restart() {
    let service = TestService::start().await;
    let token = ask(&service, json!({})).await.text_at("token").to_owned();
    let service = service.restart().await;
    service.bearer(&token).get("/wiki").await.expect(200);
}

#[tokio::test]
async fn a_token_for_a_session_is_for_its_visitor_and_that_session_alone() {
    let service = TestService::start().await;
    let integration = service.integration();
    let one = integration.session_with(json!({"channel": "widget", "externalUserId": "v"})).await;
    let other = integration.session_with(json!({"channel": "widget", "externalUserId": "v"})).await;
    let token = ask(&service, json!({"sessionId": one})).await;
    assert_eq!(token.text_at("externalUserId"), "v");
    assert_eq!(part(token.text_at("token"), 1)["sid"], json!(one));
    let widget = service.bearer(token.text_at("token"));
    widget.get(&format!("/sessions/{one}")).await.expect(200);
    widget.get(&format!("/sessions/{other}")).await.expect_error(404, "NOT_FOUND");
    ask(&service, json!({"sessionId": one, "externalUserId": "v"})).await.expect(200);
    let foreign = ask(&service, json!({"sessionId": one, "externalUserId": "w"})).await;
    foreign.expect_error(400, "VALIDATION_ERROR");
    assert_eq!(foreign.details(), ["externalUserId OTHER_VISITOR"]);
}

#[tokio::test]
async fn a_session_without_visitor_gets_one_and_only_one() {
    let service = TestService::start().await;
    let session = service.integration().session_with(json!({"channel": "widget"})).await;
    let asked = (0..8).map(|_| ask(&service, json!({"sessionId": session})));
    let visitors: std::collections::BTreeSet<_> = futures::future::join_all(asked)
        .await
        .iter()
        .map(|reply| {
            reply.expect(200);
            reply.text_at("externalUserId").to_owned()
        })
        .collect();
    assert_eq!(visitors.len(), 1, "{visitors:?}");
    let read = service.admin().get(&format!("/sessions/{session}")).await;
    assert!(visitors.contains(read.text_at("externalUserId")));
}

#[tokio::test]
async fn a_token_is_for_widget_sessions_of_the_same_tenant_and_mode() {
    let service = TestService::start().await;
    let of_api = service.integration().session().await;
    ask(&service, json!({"sessionId": of_api})).await.expect_error(409, "INVALID_STATE");
    let foreign = service.other_admin().session_with(json!({"channel": "widget"})).await;
    let test = service.test_admin().session_with(json!({"channel": "widget"})).await;
    let missing = ask(&service, json!({"sessionId": "ses_00000000000000000000000000"})).await;
    missing.expect_error(404, "NOT_FOUND");
    for id in [foreign, test] {
        let reply = ask(&service, json!({"sessionId": id})).await;
        reply.expect_error(404, "NOT_FOUND");
        assert_eq!(reply.text_at("message"), missing.text_at("message"));
    }
}
