//! Single wiki entries: create, read, change, delete, and every limit.

use serde_json::{Value, json};

use crate::support::{Actor, TestService};

fn entry(path: &str) -> Value {
    json!({"path": path, "title": "Refunds", "content": "We refund within five days."})
}

#[tokio::test]
async fn an_entry_is_created_read_changed_and_deleted() {
    let world = TestService::start().await;
    let admin = world.admin();
    let created = admin.post("/wiki", json!({
        "path": "billing/refunds", "title": "Refunds", "content": "Five days.", "visibility": "public", "tags": ["money", "money", "cards"],
    })).await;
    assert_eq!(created.status, 201, "{created:?}");
    assert_eq!(created.header("location"), "/api/v1/wiki/billing/refunds");
    assert_eq!(created.header("etag"), "\"1\"");
    let body = &created.json;
    assert_eq!(body["path"], "billing/refunds");
    assert_eq!(body["version"], 1);
    assert_eq!(body["visibility"], "public");
    assert_eq!(body["tags"], json!(["money", "cards"]));
    assert_eq!(body["source"], json!({"type": "manual"}));
    assert_eq!(body["createdAt"], body["updatedAt"]);
    assert!(body["createdBy"].as_str().unwrap().starts_with("key_"));
    let names: Vec<_> = body.as_object().unwrap().keys().map(String::as_str).collect();
    let mut expected = [
        "path",
        "title",
        "content",
        "visibility",
        "version",
        "tags",
        "createdAt",
        "updatedAt",
        "createdBy",
        "updatedBy",
        "source",
    ];
    expected.sort_unstable();
    assert_eq!(names, expected);

    let read = admin.get("/wiki/billing/refunds").await;
    assert_eq!((read.status, read.header("etag")), (200, "\"1\""));
    assert_eq!(read.json, created.json);

    let changed = admin.patch("/wiki/billing/refunds", json!({"content": "Three days."})).await;
    assert_eq!((changed.status, changed.header("etag")), (200, "\"2\""));
    assert_eq!(changed.json["content"], "Three days.");
    assert_eq!(changed.json["title"], "Refunds");
    assert_eq!(changed.json["createdAt"], created.json["createdAt"]);
    assert_eq!(admin.get("/wiki/billing/refunds").await.json, changed.json);

    let deleted = admin.delete("/wiki/billing/refunds").await;
    assert_eq!((deleted.status, deleted.text.as_str()), (204, ""));
    for _ in 0..2 {
        assert_eq!(admin.get("/wiki/billing/refunds").await.status, 404);
        assert_eq!(admin.delete("/wiki/billing/refunds").await.status, 404);
        assert_eq!(admin.patch("/wiki/billing/refunds", json!({"title": "x"})).await.status, 404);
    }
}

#[tokio::test]
async fn a_path_created_again_continues_its_version() {
    let world = TestService::start().await;
    let admin = world.admin();
    for round in 0..3 {
        let created = admin.post("/wiki", entry("a/b")).await;
        assert_eq!(created.status, 201);
        assert_eq!(created.json["version"], 1 + 3 * round, "one for the change and one for the deletion before");
        assert_eq!(
            admin.patch("/wiki/a/b", json!({"title": format!("round {round}")})).await.json["version"],
            2 + 3 * round
        );
        assert_eq!(admin.delete("/wiki/a/b").await.status, 204);
    }
}

#[tokio::test]
async fn an_existing_path_is_a_conflict_and_stays_as_it_is() {
    let world = TestService::start().await;
    let admin = world.admin();
    let first = admin.post("/wiki", entry("a/b")).await;
    let second = admin.post("/wiki", json!({"path": "a/b", "title": "Other", "content": "Other."})).await;
    assert_eq!((second.status, second.text_at("error")), (409, "CONFLICT"));
    assert_eq!(admin.get("/wiki/a/b").await.json, first.json);
    assert_eq!(admin.post("/wiki", entry("A/b")).await.status, 201, "case is kept and counts");
}

#[tokio::test]
async fn visibility_is_internal_unless_asked_for() {
    let world = TestService::start().await;
    let created = world.admin().post("/wiki", entry("a/b")).await;
    assert_eq!(created.json["visibility"], "internal");
    assert_eq!(created.json["tags"], json!([]));
}

#[tokio::test]
async fn every_limit_holds_at_its_edge() {
    let world = TestService::start().await;
    let admin = world.admin();
    let mut number = 0;
    let mut with = |field: &str, value: Value| {
        number += 1;
        let mut body = entry(&format!("limits/n{number}"));
        body[field] = value;
        body
    };
    let segment = "s".repeat(100);
    let path_of = |last: usize| format!("{}/{}", [segment.as_str(); 4].join("/"), "p".repeat(last));
    let eight = ["s"; 8].join("/");
    let cases = [
        (with("title", json!("t")), true),
        (with("title", json!("é".repeat(199))), true),
        (with("title", json!("é".repeat(200))), true),
        (with("title", json!("é".repeat(201))), false),
        (with("title", json!("")), false),
        (with("title", json!("  ")), false),
        (with("title", json!("two\nlines")), false),
        (with("title", json!("a\u{202e}b")), false),
        (with("content", json!("c")), true),
        (with("content", json!("c".repeat(199_999))), true),
        (with("content", json!("c".repeat(200_000))), true),
        (with("content", json!("c".repeat(200_001))), false),
        (with("content", json!("é".repeat(153_599))), true),
        (with("content", json!("é".repeat(153_600))), true),
        (with("content", json!("é".repeat(153_601))), false),
        (with("content", json!("")), false),
        (with("content", json!("\n \t")), false),
        (with("content", json!("a\u{0}b")), false),
        (with("tags", json!(vec!["t"; 20])), true),
        (with("tags", json!(vec!["t"; 21])), false),
        (with("tags", json!(["t".repeat(50)])), true),
        (with("tags", json!(["t".repeat(51)])), false),
        (with("tags", json!([""])), false),
        (with("tags", json!([1])), false),
        (with("tags", json!("t")), false),
        (with("visibility", json!("Public")), false),
        (with("visibility", json!("")), false),
        (with("visibility", json!(["public"])), false),
        (with("path", json!(path_of(100))), true),
        (with("path", json!(path_of(101))), false),
        (with("path", json!(eight)), true),
        (with("path", json!(format!("{eight}/s"))), false),
        (with("path", json!("one")), false),
        (with("path", json!(format!("{}/{}", [segment.as_str(); 5].join("/"), "p".repeat(7)))), true),
        (with("path", json!(format!("{}/{}", [segment.as_str(); 5].join("/"), "p".repeat(8)))), false),
        (with("path", json!("a/.b")), false),
        (with("path", json!("a#T/b")), false),
        (with("path", json!("a/é")), false),
    ];
    for (body, good) in cases {
        let shown: String = body.to_string().chars().take(120).collect();
        let answer = admin.post("/wiki", body.clone()).await;
        if good {
            assert_eq!(answer.status, 201, "{shown}");
            let read = admin.get(&format!("/wiki/{}", body["path"].as_str().unwrap())).await;
            assert_eq!(read.json["content"], body["content"], "{shown}");
        } else {
            assert_eq!((answer.status, answer.text_at("error")), (400, "VALIDATION_ERROR"), "{shown}");
            assert_eq!(answer.json["details"].as_array().unwrap().len(), 1, "{shown}");
        }
    }
}

#[tokio::test]
async fn every_problem_of_a_body_is_reported_at_once() {
    let world = TestService::start().await;
    let answer =
        world.admin().post("/wiki", json!({"path": "x", "title": 1, "visibility": "secret", "tags": {}})).await;
    assert_eq!((answer.status, answer.text_at("error")), (400, "VALIDATION_ERROR"));
    let mut fields: Vec<_> =
        answer.json["details"].as_array().unwrap().iter().map(|d| d["field"].as_str().unwrap()).collect();
    fields.sort_unstable();
    assert_eq!(fields, ["content", "path", "tags", "title", "visibility"]);
}

#[tokio::test]
async fn a_field_that_a_caller_may_not_set_is_ignored_and_never_stored() {
    let world = TestService::start().await;
    let admin = world.admin();
    let mut body = entry("a/b");
    for (field, value) in [
        ("version", json!(7)),
        ("createdAt", json!("2001-01-01T00:00:00Z")),
        ("createdBy", json!("me")),
        ("tenantId", json!("ten_x")),
        ("deleted", json!(true)),
        ("source", json!({"type": "ingest"})),
        ("__proto__", json!({"visibility": "public"})),
        ("Visibility", json!("public")),
    ] {
        body[field] = value;
    }
    let created = admin.post("/wiki", body).await;
    assert_eq!(created.status, 201);
    assert_eq!(created.json["version"], 1);
    assert_eq!(created.json["source"], json!({"type": "manual"}));
    assert_eq!(created.json["visibility"], "internal");
    assert!(!created.text.contains("ten_x") && !created.text.contains("2001-") && !created.text.contains("__proto__"));
    let patched = admin.patch("/wiki/a/b", json!({"title": "New", "path": "c/d", "version": 99})).await;
    assert_eq!((patched.json["path"].as_str(), patched.json["version"].as_u64()), (Some("a/b"), Some(2)));
    assert_eq!(admin.get("/wiki/c/d").await.status, 404);
}

#[tokio::test]
async fn slashes_of_a_path_may_come_encoded() {
    let world = TestService::start().await;
    let admin = world.admin();
    assert_eq!(admin.post("/wiki", entry("a/b/c.d")).await.status, 201);
    let plain = admin.get("/wiki/a/b/c.d").await;
    for same in ["/wiki/a%2Fb%2Fc.d", "/wiki/a%2fb/c.d", "/wiki/a/b%2Fc%2Ed", "/wiki/%61/b/c.d"] {
        let read = admin.get(same).await;
        assert_eq!((read.status, &read.json), (200, &plain.json), "{same}");
    }
    assert_eq!(admin.patch("/wiki/a%2Fb%2Fc.d", json!({"title": "Encoded"})).await.json["title"], "Encoded");
    assert_eq!(admin.delete("/wiki/a%2Fb%2Fc.d").await.status, 204);
    assert_eq!(admin.get("/wiki/a/b/c.d").await.status, 404);
}

#[tokio::test]
async fn an_invalid_path_is_refused_and_never_reinterpreted() {
    let world = TestService::start().await;
    let admin = world.admin();
    for path in ["a/b", "sessions/x"] {
        assert_eq!(admin.post("/wiki", entry(path)).await.status, 201);
    }
    let long = format!("a/{}", "x".repeat(2_048));
    for bad in [
        "a",
        "a/b/",
        "a//b",
        "/a/b",
        "a/b//",
        "./a/b",
        "a/./b",
        "a/../a/b",
        "../wiki/a/b",
        "x/../../sessions",
        "%2e%2e/a/b",
        "a/%2e/b",
        "a/b%3Fx",
        "a/b%23x",
        "a/b%00",
        "a%00/b",
        "a/%ff",
        "a/b%20",
        "a/b;x",
        "a/..;/b",
        "a%252Fb",
        "a/b%252e",
        "a/%C3%A9",
        "a/e%CC%81",
        "a%5Cb",
        "a/b%0a",
        &long,
    ] {
        for method in ["GET", "PATCH", "DELETE"] {
            let body = (method == "PATCH").then_some(r#"{"title":"x"}"#);
            let answer = admin.raw(method, &format!("/api/v1/wiki/{bad}"), body).await;
            assert_eq!((answer.status, answer.text_at("error")), (400, "VALIDATION_ERROR"), "{method} {bad}");
        }
    }
    let nothing = admin.raw("GET", "/api/v1/wiki/", None).await;
    assert!([400, 404].contains(&nothing.status), "{nothing:?}");
    assert_eq!(admin.get("/wiki/a/b").await.json["version"], 1);
}

#[tokio::test]
async fn a_patch_of_nothing_is_refused() {
    let world = TestService::start().await;
    let admin = world.admin();
    admin.post("/wiki", entry("a/b")).await;
    for nothing in [json!({}), json!({"path": "c/d"}), json!({"Title": "x"}), json!({"title": null, "tags": null})] {
        let answer = admin.patch("/wiki/a/b", nothing.clone()).await;
        assert_eq!((answer.status, answer.text_at("error")), (400, "VALIDATION_ERROR"), "{nothing}");
        assert!(answer.json["details"].is_array());
    }
    for wrong in
        [json!({"title": ""}), json!({"content": 1}), json!({"visibility": "x"}), json!({"title": "ok", "tags": [1]})]
    {
        assert_eq!(admin.patch("/wiki/a/b", wrong.clone()).await.status, 400, "{wrong}");
    }
    assert_eq!(admin.get("/wiki/a/b").await.json["version"], 1);
}

#[tokio::test]
async fn a_patch_that_changes_nothing_keeps_version_and_time() {
    let world = TestService::start().await;
    let admin = world.admin();
    let created = admin.post("/wiki", entry("a/b")).await;
    world.clock.advance(5_000);
    for same in [
        json!({"title": "Refunds"}),
        json!({"title": "Refunds", "content": "We refund within five days.", "visibility": "internal", "tags": []}),
    ] {
        let answer = admin.patch("/wiki/a/b", same).await;
        assert_eq!((answer.status, answer.header("etag")), (200, "\"1\""));
        assert_eq!(answer.json, created.json);
    }
    let changed = admin.patch("/wiki/a/b", json!({"tags": ["new"]})).await;
    assert_eq!(changed.json["version"], 2);
    assert!(changed.json["updatedAt"].as_str() > created.json["updatedAt"].as_str());
}

#[tokio::test]
async fn a_change_is_made_only_to_the_version_that_if_match_names() {
    let world = TestService::start().await;
    let admin = world.admin();
    admin.post("/wiki", entry("a/b")).await;
    admin.patch("/wiki/a/b", json!({"title": "Two"})).await;
    for (tag, title) in [("\"2\"", "Three"), ("*", "Four"), ("\"1\", \"4\"", "Five")] {
        let answer = admin.with_header("if-match", tag).patch("/wiki/a/b", json!({"title": title})).await;
        assert_eq!((answer.status, &answer.json["title"]), (200, &json!(title)), "{tag}");
    }
    for tag in ["\"4\"", "W/\"5\"", "5", "\"05\"", "\"1\", \"2\"", "\"nonsense"] {
        let answer = admin.with_header("if-match", tag).patch("/wiki/a/b", json!({"title": "Lost"})).await;
        assert_eq!((answer.status, answer.text_at("error")), (412, "PRECONDITION_FAILED"), "{tag}");
        let answer = admin.with_header("if-match", tag).delete("/wiki/a/b").await;
        assert_eq!((answer.status, answer.text_at("error")), (412, "PRECONDITION_FAILED"), "{tag}");
    }
    let stale_no_change = admin.with_header("if-match", "\"1\"").patch("/wiki/a/b", json!({"title": "Five"})).await;
    assert_eq!(stale_no_change.status, 412, "also where nothing would change");
    assert_eq!(admin.get("/wiki/a/b").await.json["version"], 5);
    assert_eq!(admin.with_header("if-match", "\"1\"").patch("/wiki/a/none", json!({"title": "x"})).await.status, 404);
    assert_eq!(admin.with_header("if-match", "\"5\"").delete("/wiki/a/b").await.status, 204);
}

#[tokio::test]
async fn only_trainers_and_admins_write() {
    let world = TestService::start().await;
    let admin = world.admin();
    admin.post("/wiki", entry("a/b")).await;
    let trainer = world.trainer();
    assert_eq!(trainer.post("/wiki", entry("a/trainer")).await.status, 201);
    assert_eq!(trainer.patch("/wiki/a/trainer", json!({"title": "x"})).await.status, 200);
    assert_eq!(trainer.delete("/wiki/a/trainer").await.status, 204);
    let others: [Actor; 3] = [world.agent(), world.integration(), world.widget("visitor").await];
    for other in &others {
        for answer in [
            other.post("/wiki", entry("a/c")).await,
            other.patch("/wiki/a/b", json!({"title": "x"})).await,
            other.delete("/wiki/a/b").await,
        ] {
            assert_eq!((answer.status, answer.text_at("error")), (403, "FORBIDDEN"));
        }
    }
    assert_eq!(others[0].get("/wiki/a/b").await.status, 200);
    assert_eq!(others[1].get("/wiki/a/b").await.status, 200);
    assert_eq!(admin.get("/wiki/a/b").await.json["version"], 1);
}

#[tokio::test]
async fn an_invisible_entry_looks_like_one_that_never_existed() {
    let world = TestService::start().await;
    let admin = world.admin();
    admin.post("/wiki", entry("secret/plan")).await;
    let widget = world.widget("visitor").await;
    let test_mode = world.test_admin();
    let stranger = world.other_admin();
    for caller in [&widget, &test_mode, &stranger] {
        let caller = caller.with_header("x-request-id", "same");
        let hidden = caller.get("/wiki/secret/plan").await;
        let missing = caller.get("/wiki/secret/none").await;
        assert_eq!(hidden.status, 404);
        assert_eq!(hidden.text, missing.text);
    }
    for caller in [&test_mode, &stranger] {
        let caller = caller.with_header("x-request-id", "same");
        let missing = caller.delete("/wiki/secret/none").await;
        assert_eq!(caller.delete("/wiki/secret/plan").await.text, missing.text);
        assert_eq!(caller.patch("/wiki/secret/plan", json!({"title": "x"})).await.text, missing.text);
        assert_eq!(caller.post("/wiki", entry("secret/plan")).await.status, 201, "the path is free there");
    }
    assert_eq!(admin.get("/wiki/secret/plan").await.json["version"], 1);
    assert_eq!(test_mode.delete("/wiki/secret/plan").await.status, 204);
    assert_eq!(admin.get("/wiki/secret/plan").await.status, 200);
    admin.patch("/wiki/secret/plan", json!({"visibility": "public"})).await;
    assert_eq!(widget.get("/wiki/secret/plan").await.status, 200);
}

#[tokio::test]
async fn a_widget_learns_nothing_of_who_wrote_an_entry() {
    let service = TestService::start().await;
    let made = service.trainer().wiki_entry("help/refunds", "Refunds", "A refund takes five days.").await;
    let author = made.text_at("createdBy").to_owned();
    assert!(author.starts_with("key_"), "{author}");
    let widget = service.widget("ann").await;
    for path in ["/wiki/help/refunds", "/wiki", "/wiki?q=refund"] {
        let read = widget.get(path).await;
        assert!(read.status == 200 && read.text.contains("help/refunds"), "{path}: {}", read.text);
        let shown = ["createdBy", "updatedBy", "key_"].iter().find(|hidden| read.text.contains(**hidden));
        assert_eq!(shown, None, "{path}: {}", read.text);
        let by_key = service.integration().get(path).await;
        assert!(by_key.text.contains(&author), "{path}: {}", by_key.text);
    }
}
