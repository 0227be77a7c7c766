//! Saved replies: who sees and writes them, how many there are, and what becomes of them.

use futures::future::join_all;
use serde_json::{Value, json};

use crate::support::{Actor, TestService};

fn reply(scope: &str, shortcut: &str) -> Value {
    json!({"scope": scope, "shortcut": shortcut, "title": "Refunds", "content": "Hello {{customer.name}}."})
}

async fn saved(actor: &Actor, scope: &str, shortcut: &str) -> String {
    let made = actor.post("/saved-replies", reply(scope, shortcut)).await;
    made.expect(201);
    made.text_at("replyId").to_owned()
}

/// Every saved reply that the caller sees, by shortcut, over pages of `limit`.
async fn listed(actor: &Actor, limit: usize) -> Vec<String> {
    let replies = actor.list_all(&format!("/saved-replies?limit={limit}")).await;
    replies.iter().map(|item| item["shortcut"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_saved_reply_is_made_read_changed_and_deleted() {
    let service = TestService::start().await;
    let trainer = service.trainer();
    let made = trainer.post("/saved-replies", reply("team", "refund-time")).await;
    let id = made.text_at("replyId").to_owned();
    let path = format!("/saved-replies/{id}");
    assert_eq!((made.status, made.header("location")), (201, format!("/api/v1{path}").as_str()));
    assert_eq!(made.header("etag"), "\"1\"");
    let fields: Vec<&String> = made.json.as_object().unwrap().keys().collect();
    assert_eq!(fields, ["content", "replyId", "scope", "shortcut", "title", "updatedAt", "version"]);
    let read = service.agent().get(&path).await;
    assert_eq!((read.expect(200), read.header("etag")), (&made.json, "\"1\""));
    service.clock.advance(1_000);
    let changed = trainer.patch(&path, json!({"title": "Money back", "scope": "own"})).await;
    assert_eq!((changed.expect(200)["title"].as_str(), changed.at("scope")), (Some("Money back"), &json!("team")));
    assert_eq!((changed.at("version"), changed.header("etag")), (&json!(2), "\"2\""));
    assert_ne!(changed.at("updatedAt"), made.at("updatedAt"));
    // The same again is no change.
    assert_eq!(trainer.patch(&path, json!({"title": "Money back"})).await.expect(200), &changed.json);
    trainer.delete(&path).await.expect(204);
    trainer.delete(&path).await.expect_error(404, "NOT_FOUND");
    trainer.get(&path).await.expect_error(404, "NOT_FOUND");
    assert!(listed(&trainer, 10).await.is_empty());
}

#[tokio::test]
async fn a_saved_reply_is_changed_and_deleted_only_at_the_version_that_if_match_names() {
    let service = TestService::start().await;
    let id = saved(&service.admin(), "team", "hello").await;
    let path = format!("/saved-replies/{id}");
    let (stale, current) =
        (service.admin().with_header("if-match", "\"1\""), service.admin().with_header("if-match", "\"2\""));
    stale.patch(&path, json!({"content": "Hi."})).await.expect(200);
    stale.patch(&path, json!({"content": "Ho."})).await.expect_error(412, "PRECONDITION_FAILED");
    stale.delete(&path).await.expect_error(412, "PRECONDITION_FAILED");
    assert_eq!(service.admin().get(&path).await.expect(200)["content"], "Hi.");
    current.delete(&path).await.expect(204);
}

#[tokio::test]
async fn those_of_the_team_are_written_by_admins_and_trainers_and_read_by_agents() {
    let service = TestService::start().await;
    let team = saved(&service.trainer(), "team", "hello").await;
    let path = format!("/saved-replies/{team}");
    let agent = service.agent();
    for refused in [
        agent.post("/saved-replies", reply("team", "other")).await,
        agent.patch(&path, json!({"title": "Mine now"})).await,
        agent.delete(&path).await,
    ] {
        refused.expect_error(403, "FORBIDDEN");
        assert_eq!(refused.json["details"][0]["code"], "REQUIRED_ROLE");
    }
    assert_eq!(agent.get(&path).await.expect(200)["title"], "Refunds");
    service.integration().get("/saved-replies").await.expect_error(403, "FORBIDDEN");
    service.widget("ann").await.get("/saved-replies").await.expect_error(403, "FORBIDDEN");
    for stranger in [service.other_admin(), service.test_admin()] {
        stranger.get(&path).await.expect_error(404, "NOT_FOUND");
        stranger.patch(&path, json!({"title": "Ours"})).await.expect_error(404, "NOT_FOUND");
        stranger.delete(&path).await.expect_error(404, "NOT_FOUND");
        assert!(listed(&stranger, 10).await.is_empty());
    }
}

#[tokio::test]
async fn an_own_one_is_seen_by_its_owner_alone() {
    let service = TestService::start().await;
    let mine = saved(&service.agent(), "own", "mine").await;
    let path = format!("/saved-replies/{mine}");
    let missing = service.admin().get("/saved-replies/rep_00000000000000000000000000").await;
    for other in [service.admin(), service.trainer(), service.other_admin()] {
        let refused = other.get(&path).await;
        refused.expect_error(404, "NOT_FOUND");
        assert_eq!(refused.at("message"), missing.at("message"));
        other.patch(&path, json!({"title": "Ours"})).await.expect_error(404, "NOT_FOUND");
        other.delete(&path).await.expect_error(404, "NOT_FOUND");
        assert!(listed(&other, 10).await.is_empty());
    }
    // The same shortcut in each scope, and of another owner.
    saved(&service.admin(), "own", "mine").await;
    saved(&service.admin(), "team", "mine").await;
    assert_eq!(listed(&service.agent(), 10).await, ["mine", "mine"]);
    assert_eq!(service.agent().get(&path).await.expect(200)["scope"], "own");
}

#[tokio::test]
async fn a_shortcut_is_unique_in_its_scope_also_when_it_is_changed_and_free_once_it_is_gone() {
    let service = TestService::start().await;
    let admin = service.admin();
    let first = saved(&admin, "team", "one").await;
    let second = saved(&admin, "team", "two").await;
    let duplicate = admin.post("/saved-replies", reply("team", "one")).await;
    duplicate.expect_error(409, "CONFLICT");
    assert_eq!(duplicate.json["details"][0]["code"], "DUPLICATE_SHORTCUT");
    let rename = |id: &str| format!("/saved-replies/{id}");
    admin.patch(&rename(&second), json!({"shortcut": "one"})).await.expect_error(409, "CONFLICT");
    admin.patch(&rename(&first), json!({"shortcut": "three"})).await.expect(200);
    admin.patch(&rename(&second), json!({"shortcut": "one"})).await.expect(200);
    admin.delete(&rename(&second)).await.expect(204);
    saved(&admin, "team", "one").await;
    assert_eq!(listed(&admin, 10).await, ["three", "one"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_sixteen_with_one_shortcut_at_once_one_is_made() {
    let service = TestService::start().await;
    let admin = service.admin();
    for round in 0..8 {
        let shortcut = format!("race-{round}");
        let made = join_all((0..16).map(|_| admin.post("/saved-replies", reply("team", &shortcut)))).await;
        let statuses: Vec<u16> = made.iter().map(|reply| reply.status).collect();
        assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 1, "{statuses:?}");
        assert!(statuses.iter().all(|status| [201, 409].contains(status)), "{statuses:?}");
    }
    assert_eq!(listed(&admin, 100).await.len(), 8);
}

#[tokio::test]
async fn more_saved_replies_than_their_bounds_are_refused() {
    let service = TestService::start().await;
    for (actor, scope, most) in [(service.trainer(), "team", 500), (service.agent(), "own", 100)] {
        for number in 0..most + 20 {
            let made = actor.post("/saved-replies", reply(scope, &format!("r{number}"))).await;
            if number < most {
                made.expect(201);
                continue;
            }
            made.expect_error(409, "CONFLICT");
            assert_eq!(made.json["details"][0]["code"], "TOO_MANY_REPLIES");
        }
    }
    // Another's own ones have a bound of their own; a page is bounded, and pages show each once.
    saved(&service.admin(), "own", "first").await;
    let mut all = listed(&service.agent(), 100).await;
    assert_eq!(all.len(), 600);
    assert_eq!(all[99..101], ["r99", "r0"]);
    all.sort();
    assert_eq!(all.iter().filter(|name| *name == "r7").count(), 2);
    let items = service.raw_items().await;
    assert_eq!(items.iter().filter(|item| item.contains("saved_reply")).count(), 601);
    let gone = service.agent().get("/saved-replies?limit=1").await.items()[0]["replyId"].as_str().unwrap().to_owned();
    service.agent().delete(&format!("/saved-replies/{gone}")).await.expect(204);
    saved(&service.agent(), "own", "again").await;
}

#[tokio::test]
async fn pages_of_saved_replies_show_own_ones_first_and_each_once() {
    let service = TestService::start().await;
    for name in ["t1", "t2", "t3"] {
        saved(&service.admin(), "team", name).await;
        service.clock.advance(2);
    }
    for name in ["o1", "o2"] {
        saved(&service.agent(), "own", name).await;
        service.clock.advance(2);
    }
    for limit in [1, 2, 3, 4, 5, 6] {
        assert_eq!(listed(&service.agent(), limit).await, ["o1", "o2", "t1", "t2", "t3"], "{limit}");
    }
    let foreign = service.agent().get("/saved-replies?limit=1").await.text_at("nextCursor").to_owned();
    let elsewhere = format!("/saved-replies?cursor={foreign}");
    // A cursor names a place alone: the caller's own list goes on there.
    assert_eq!(service.admin().get(&elsewhere).await.expect(200)["items"].as_array().unwrap().len(), 3);
    service.test_admin().get(&elsewhere).await.expect_error(400, "VALIDATION_ERROR");
}

#[tokio::test]
async fn an_invalid_saved_reply_is_refused_and_changes_nothing() {
    let service = TestService::start().await;
    let admin = service.admin();
    let id = saved(&admin, "team", "fine").await;
    let long = "x".repeat(8_001);
    let bad = [
        ("scope", json!("all")),
        ("scope", json!(null)),
        ("shortcut", json!("")),
        ("shortcut", json!("Upper")),
        ("shortcut", json!("a b")),
        ("shortcut", json!("é")),
        ("shortcut", json!("x".repeat(41))),
        ("title", json!("")),
        ("title", json!(" ")),
        ("title", json!("x".repeat(201))),
        ("title", json!("two\nlines")),
        ("content", json!("")),
        ("content", json!(long)),
        ("content", json!("a\0b")),
        ("content", json!(7)),
    ];
    for (field, value) in bad {
        let mut body = reply("team", "other");
        body[field] = value.clone();
        let refused = admin.post("/saved-replies", body).await;
        refused.expect_error(400, "VALIDATION_ERROR");
        assert_eq!(refused.json["details"][0]["field"], field, "{value}");
        if field != "scope" {
            let patch = admin.patch(&format!("/saved-replies/{id}"), json!({field: value})).await;
            patch.expect_error(400, "VALIDATION_ERROR");
        }
    }
    admin.patch(&format!("/saved-replies/{id}"), json!({"scope": "own"})).await.expect_error(400, "VALIDATION_ERROR");
    assert_eq!(listed(&admin, 10).await, ["fine"]);
    assert_eq!(admin.get(&format!("/saved-replies/{id}")).await.at("version"), &json!(1));
    // Names are put in by whoever inserts it: the text stays as it is written.
    let braces = json!({"content": "<b>{{customer.firstName|there}}</b> {{agent.name}} {7*7}"});
    let kept = admin.patch(&format!("/saved-replies/{id}"), braces.clone()).await;
    assert_eq!(kept.expect(200)["content"], braces["content"]);
    for unknown in ["{{7*7}}", "Hello {{customer.nam}}", "{{customer.name", "{{customer.email|there}}"] {
        let new = json!({"scope": "team", "shortcut": "x", "title": "x", "content": unknown});
        for refused in [
            admin.post("/saved-replies", new).await,
            admin.patch(&format!("/saved-replies/{id}"), json!({"content": unknown})).await,
        ] {
            refused.expect_error(400, "VALIDATION_ERROR");
            assert_eq!(refused.details(), ["content UNKNOWN_VARIABLE"], "{unknown}");
        }
    }
    assert_eq!(admin.get(&format!("/saved-replies/{id}")).await.at("content"), &braces["content"]);
}

#[tokio::test]
async fn a_replayed_saved_reply_is_judged_by_todays_rights() {
    let service = TestService::start().await;
    let admin = service.admin();
    let key = admin.post("/api-keys", json!({"name": "k", "role": "trainer"})).await;
    let once = service.bearer(key.text_at("key")).with_header("idempotency-key", "once");
    let first = once.post("/saved-replies", reply("team", "hello")).await;
    let again = once.post("/saved-replies", reply("team", "hello")).await;
    assert_eq!((again.expect(201), again.header("idempotency-replayed")), (first.expect(201), "true"));
    let agent = |mut item: crate::support::StoredItem| {
        item.insert("role".into(), aws_sdk_dynamodb::types::AttributeValue::S("agent".into()));
        Some(item)
    };
    service.rewrite_items("api_key", key.text_at("keyId"), agent).await;
    once.post("/saved-replies", reply("team", "hello")).await.expect_error(403, "FORBIDDEN");
    assert_eq!(listed(&admin, 10).await, ["hello"]);
}
