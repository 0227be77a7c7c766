//! Which bodies are the same for an `Idempotency-Key`: those whose known fields are read as the same, defaults filled in,
//! on every POST alike. The cases come from the declarations; a field without a row here fails.

use domain::models::{Mode, Role};
use futures::future::join_all;
use serde_json::{Map, Value, json};

use crate::cases::Case;
use crate::idempotency::{body, is_replayed, keyed, posts, ready};
use crate::support::{Actor, Reply, TestService};
use crate::template::document::root;

/// The meaning of an absent field, by the ending of the path. A value that must be looked up (the newest answer, the
/// first in the queue) is no default.
fn default(path: &str, field: &str, key_id: &str) -> Option<Value> {
    Some(match (path.rsplit('/').next().unwrap(), field) {
        ("sessions", "channel") => json!("api"),
        ("sessions", "metadata") => json!({}),
        ("sessions", "tags") => json!([]),
        ("sessions", "user") => json!({}),
        ("escalate", "priority") => json!("normal"),
        ("takeover" | "message" | "handback" | "resolve" | "release" | "transfer" | "renew" | "reopen", "agentId") => {
            json!(key_id)
        }
        ("message", "internal") => json!(false),
        ("wiki" | "ingest", "visibility") => json!("internal"),
        ("wiki", "tags") => json!([]),
        ("webhooks", "description") => json!(""),
        ("members", "publicName") => json!("Ada"),
        ("webhooks", "format") => json!("events"),
        ("api-keys", "role") => json!("admin"),
        ("api-keys", "mode") => json!("live"),
        _ => return None,
    })
}

/// The body with another value of a field, as good as the first one.
fn changed(path: &str, field: &str, body: &Value) -> Value {
    let mut body = body.clone();
    let fields = body.as_object_mut().unwrap();
    let value = match (path.rsplit('/').next().unwrap(), field) {
        ("resume", "externalUserId") => {
            fields.remove("sessionId");
            json!("own")
        }
        ("ingest", "url") => {
            fields.remove("text");
            json!("http://127.0.0.1:9/page")
        }
        ("webhooks", "url") => json!("http://127.0.0.1:9/another"),
        ("webhooks", "events") => json!(["handover.claimed"]),
        (_, "sessionId") => json!(Case::nothing().id),
        (_, "messageId" | "lastSeenMessageId") => json!("msg_00000000000000000000000000"),
        (_, "escalationId") => json!("esc_00000000000000000000000000"),
        (_, "externalUserId") => json!("own"),
        (_, "scope") => json!("team"),
        (_, "shortcut") => json!("another"),
        (_, "user") => json!({"name": "Bob"}),
        (_, "channel") => json!("email"),
        (_, "locale") => json!("de"),
        (_, "timezone") => json!("Asia/Tokyo"),
        // An integer is another number than the same one with a fraction.
        (_, "metadata") => json!({"order": 7.0}),
        (_, "tags") => json!(["other"]),
        (_, "path") => json!("another/path"),
        (_, "pathPrefix") => json!("ingested/another"),
        (_, "visibility") => json!("public"),
        (_, "priority") => json!("high"),
        (_, "reaction") => json!("flag"),
        (_, "score") => json!(1),
        (_, "version" | "currentVersion" | "baseVersion") => json!(7),
        (_, "action") => json!("delete"),
        (_, "gapId") => json!("gap_00000000000000000000000000000001"),
        (_, "format") => json!("slack"),
        (_, "internal") => json!(true),
        (_, "since") => json!("2026-01-02T03:04:06Z"),
        (_, "expiresAt") => json!("2090-01-01T00:00:00Z"),
        (_, "email") => json!("bob@company.example"),
        (_, "publicName") => json!("Countess"),
        (_, "roles") => json!(["trainer"]),
        (_, "role") => json!("agent"),
        (_, "mode") => json!("test"),
        (
            _,
            "agentId" | "agentName" | "toAgentId" | "toAgentName" | "comment" | "content" | "clientMessageId"
            | "question" | "reason" | "note" | "resolution" | "title" | "text" | "secret" | "description" | "name",
        ) => json!("something else"),
        other => panic!("no other value is known of {other:?}"),
    };
    fields.insert(field.to_owned(), value);
    body
}

/// The names of the fields of a body, by the committed document.
fn fields(case: &Case) -> Vec<String> {
    let document: Value =
        serde_json::from_str(&std::fs::read_to_string(root().join("functions/health/openapi.json")).unwrap()).unwrap();
    let schema = |reference: &Value| {
        document.pointer(reference["$ref"].as_str().unwrap().trim_start_matches('#')).unwrap().clone()
    };
    let Some(body) = &case.operation.body else { return Vec::new() };
    let whole = schema(&body.schema.clone().to_value());
    let alternatives: Vec<Value> = whole["oneOf"].as_array().into_iter().flatten().map(&schema).collect();
    let objects = std::iter::once(&whole).chain(&alternatives);
    let names = objects.filter_map(|it| it["properties"].as_object()).flat_map(Map::keys);
    let mut names: Vec<_> = names.cloned().collect();
    names.sort();
    names.dedup();
    names
}

/// The same JSON, written in another way: fields from the last to the first, with white space, and fields that nobody
/// knows.
fn rewritten(value: &Value, is_known_object: bool) -> String {
    match value {
        Value::Object(map) => {
            let fields = map.iter().rev();
            let fields =
                fields.map(|(name, value)| format!("\t{} : {}", json!(name), rewritten(value, name == "user")));
            let unknown = is_known_object.then(|| "\r\n\"zzUnknown\" : { \"a\" : [ 1.5 ] }".to_owned());
            format!("{{ {} }}\n", unknown.into_iter().chain(fields).collect::<Vec<_>>().join(" ,\n"))
        }
        Value::Array(items) => {
            format!("[ {} ]", items.iter().map(|item| rewritten(item, false)).collect::<Vec<_>>().join(" , "))
        }
        plain => plain.to_string(),
    }
}

/// Bodies that say what `base` says, as texts.
fn same(case: &Case, base: &Value, key_id: &str) -> Vec<String> {
    let mut same = vec![base.to_string(), rewritten(base, true)];
    let mut whole = base.clone();
    for field in fields(case) {
        if base.get(&field).is_some() {
            continue;
        }
        let with = |value: Value| {
            let mut body = base.clone();
            body[&field] = value;
            body
        };
        same.push(with(Value::Null).to_string());
        if let Some(value) = default(case.operation.path, &field, key_id) {
            same.push(with(value.clone()).to_string());
            whole[&field] = value;
        }
    }
    same.push(rewritten(&whole, true));
    same
}

async fn admin_key_id(service: &TestService) -> String {
    let prefix: String = service.tenant.key(Mode::Live, Role::Admin).chars().take("pk_live_ab12".len()).collect();
    let keys = service.admin().get("/api-keys?limit=100").await;
    let mine = keys.items().iter().find(|key| key["prefix"] == prefix.as_str()).unwrap();
    mine["keyId"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_body_is_the_same_by_what_its_known_fields_say_on_every_post() {
    let service = TestService::start().await;
    let key_id = admin_key_id(&service).await;
    for (i, case) in posts().iter().enumerate() {
        let path = case.operation.path;
        let name = format!("same/e{i}");
        let ids = ready(case, &service, &name).await;
        let actor = keyed(&service, &name);
        let mut base = case.operation.example.clone().unwrap_or_else(|| json!({}));
        base.as_object_mut().unwrap().retain(|field, _| default(path, field, &key_id).is_none());
        let first = case.send_body(&actor, &ids, &name, Some(&base)).await;
        assert!(first.status < 300 && !is_replayed(&first), "{}: {} {}", first.asked, first.status, first.text);
        for text in same(case, &base, &key_id) {
            let again = case.send_text(&actor, &ids, &name, Some(&text)).await;
            assert!(is_replayed(&again), "{} {text}: {} {}", again.asked, again.status, again.text);
            assert_eq!((again.status, body(&again)), (first.status, body(&first)), "{} {text}", again.asked);
        }
        for field in fields(case) {
            let other = changed(path, &field, &base);
            let refused = case.send_body(&actor, &ids, &name, Some(&other)).await;
            // Agents who share an API key may use the same idempotency keys (contract, section 6).
            let code = if path.ends_with("/takeover") && field == "agentId" {
                "ALREADY_CLAIMED"
            } else {
                "IDEMPOTENCY_KEY_REUSED"
            };
            assert_eq!(refused.text_at("error"), code, "{} {other}: {}", refused.asked, refused.text);
        }
        let again = case.send_body(&actor, &ids, &name, Some(&base)).await;
        assert!(is_replayed(&again), "{} {}", again.asked, again.text);
    }
}

#[tokio::test]
async fn spellings_of_one_value_are_one_body() {
    let service = TestService::start().await;
    let widget = service.widget("ann").await;
    let session = widget.session_with(json!({})).await;
    let admin = service.admin();
    let any = |url: &str, events: &[&str]| json!({"url": url, "events": events, "secret": "12345678"});
    let hook = |url: &str| any(url, &["webhook.disabled"]);
    let id = admin.post("/webhooks", hook("https://hooks.example.com/a")).await.text_at("webhookId").to_owned();
    let replay = format!("/webhooks/{id}/replay");
    let page = json!({"url": "http://127.0.0.1:9/returns"});
    let prefix = admin.post("/ingest", page.clone()).await.at("pathPrefix").clone();
    let cases: [(&Actor, &str, Value, Value); 11] = [
        (&widget, "/sessions", json!({}), json!({"channel": "widget"})),
        (&widget, "/sessions", json!({}), json!({"externalUserId": "ann", "tags": [], "user": null})),
        (&widget, "/sessions", json!({"user": {"name": "Ann"}}), json!({"user": {"name": "Ann", "verified": true}})),
        (&widget, "/sessions/resume", json!({}), json!({"externalUserId": "ann"})),
        (
            &widget,
            "/sessions/resume",
            json!({"sessionId": session}),
            json!({"sessionId": session, "externalUserId": null}),
        ),
        (&admin, "/sessions", json!({"tags": ["a", "b"]}), json!({"tags": ["a", "b", "a"]})),
        (
            &admin,
            "/sessions",
            json!({"user": {"name": "Ann"}}),
            json!({"user": {"name": "Ann", "email": null, "x": 1}}),
        ),
        (&admin, &replay, json!({"since": "2026-01-02T03:04:05Z"}), json!({"since": "2026-01-02T04:04:05.000+01:00"})),
        (&admin, "/webhooks", hook("https://hooks.example.com/b"), hook("HTTPS://Hooks.Example.COM:443/b")),
        (&admin, "/webhooks", any("http://127.0.0.1:9/c", &["*"]), any("http://127.0.0.1:9/c", &["webhook.test", "*"])),
        (&admin, "/ingest", page, json!({"url": "HTTP://127.0.0.1:9/returns", "pathPrefix": prefix})),
    ];
    for (i, (actor, path, one, other)) in cases.into_iter().enumerate() {
        let actor = actor.with_header("idempotency-key", &format!("spelling-{i}"));
        let first = actor.post(path, one).await;
        assert!(first.status < 300, "{}: {}", first.asked, first.text);
        let again = actor.post(path, other.clone()).await;
        assert!(is_replayed(&again), "{} {other}: {} {}", again.asked, again.status, again.text);
        assert_eq!(again.text, first.text);
    }
}

#[tokio::test]
async fn a_path_is_the_same_however_it_is_escaped() {
    let service = TestService::start().await;
    let session = service.admin().session().await;
    let once = keyed(&service, "once");
    let reason = json!({"reason": "help"});
    once.post(&format!("/sessions/{session}/escalate"), reason.clone()).await.expect(200);
    let escaped = session.replace("ses_", "%73es_");
    assert!(is_replayed(&once.post(&format!("/sessions/{escaped}/escalate"), reason).await));
}

/// The answers to one takeover that is sent twenty times at once.
async fn taken_twenty_times(service: &TestService, round: usize) -> Vec<Reply> {
    let actor = service.agent().with_header("idempotency-key", &format!("round-{round}"));
    join_all((0..20).map(|_| actor.post("/inbox/takeover", json!({"agentId": "anna"})))).await
}

#[tokio::test(flavor = "multi_thread")]
async fn of_twenty_takeovers_with_one_key_one_claims_and_all_others_say_that_they_are_replays() {
    let service = TestService::start().await;
    for round in 0..8 {
        for _ in 0..3 {
            let session = service.admin().session().await;
            let escalate = format!("/sessions/{session}/escalate");
            service.admin().post(&escalate, json!({"reason": "help"})).await.expect(200);
        }
        let replies = taken_twenty_times(&service, round).await;
        let claims = replies.iter().filter(|reply| !is_replayed(reply)).count();
        assert_eq!(claims, 1, "round {round}");
        for reply in &replies {
            assert_eq!(reply.expect(200)["escalationId"], replies[0].json["escalationId"]);
        }
    }
}
