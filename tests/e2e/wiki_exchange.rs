//! A wiki out and in again: `PUT /wiki/:path`, `GET /wiki-export`, `POST /wiki-import`.

use futures::future::join_all;
use local::RateLimits;
use serde_json::{Value, json};

use crate::support::{Actor, Fault, Faults, IndexSwitch, Target, TestService};

fn entry(path: &str, title: &str, content: &str) -> Value {
    json!({"path": path, "title": title, "content": content, "visibility": "public", "tags": []})
}

fn whole(title: &str) -> Value {
    json!({"title": title, "content": "The walrus waits.", "visibility": "public", "tags": ["sea"]})
}

async fn import(actor: &Actor, items: &[Value], on_conflict: &str) -> Vec<Value> {
    let body = json!({"items": items, "onConflict": on_conflict});
    actor.post("/wiki-import", body).await.expect(200)["items"].as_array().unwrap().clone()
}

fn actions(items: &[Value]) -> Vec<&str> {
    items.iter().map(|item| item["action"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_put_makes_replaces_and_leaves_the_same_alone() {
    let service = TestService::start().await;
    let admin = service.admin();
    let made = admin.put("/wiki/a/one", whole("Walrus")).await;
    made.expect(201);
    assert_eq!((made.header("location"), made.header("etag")), ("/api/v1/wiki/a/one", "\"1\""));
    assert_eq!((&made.json["version"], &made.json["source"]["type"]), (&json!(1), &json!("manual")));
    assert_eq!(admin.get("/wiki?q=walrus").await.json["total"], 1, "searchable at once");
    let same = admin.put("/wiki/a/one", whole("Walrus")).await;
    same.expect(200);
    assert_eq!(same.json, made.json);
    let mut without_tags = whole("Tusk");
    without_tags.as_object_mut().unwrap().remove("tags");
    let replaced = service.trainer().put("/wiki/a/one", without_tags).await;
    replaced.expect(200);
    assert_eq!((&replaced.json["version"], &replaced.json["tags"]), (&json!(2), &json!([])));
    assert_eq!(replaced.json["createdBy"], made.json["createdBy"]);
    assert_ne!(replaced.json["updatedBy"], made.json["updatedBy"]);
    admin.delete("/wiki/a/one").await.expect(204);
    let again = admin.put("/wiki/a%2Fone", whole("Walrus")).await;
    again.expect(201);
    assert_eq!(again.json["version"], 4, "a deleted path continues its version");
    service.drain().await;
    let history = admin.get("/wiki-revisions?path=a/one").await;
    let history: Vec<_> = history.items().iter().map(|item| item["action"].as_str().unwrap()).collect();
    assert_eq!(history, ["created", "deleted", "updated", "created"]);
}

#[tokio::test]
async fn a_put_holds_its_preconditions_and_its_fields() {
    let service = TestService::start().await;
    let admin = service.admin();
    let put = async |header: &str, value: &str| admin.with_header(header, value).put("/wiki/a/one", whole("New")).await;
    put("if-match", "*").await.expect_error(412, "PRECONDITION_FAILED");
    put("if-match", "\"1\"").await.expect_error(412, "PRECONDITION_FAILED");
    put("if-none-match", "*").await.expect(201);
    put("if-none-match", "*").await.expect_error(412, "PRECONDITION_FAILED");
    put("if-none-match", "\"1\"").await.expect_error(412, "PRECONDITION_FAILED");
    put("if-none-match", "W/\"1\"").await.expect_error(412, "PRECONDITION_FAILED");
    put("if-match", "\"2\"").await.expect_error(412, "PRECONDITION_FAILED");
    put("if-match", "\"1\"").await.expect(200);
    put("if-none-match", "\"7\"").await.expect(200);
    assert_eq!(admin.get("/wiki/a/one").await.json["version"], 1);
    let refused = admin.put("/wiki/a/one", json!({"title": "", "tags": "x"})).await;
    refused.expect_error(400, "VALIDATION_ERROR");
    let details = refused.details();
    for field in ["title", "content", "visibility", "tags"] {
        assert!(details.iter().any(|detail| detail.starts_with(field)), "{field}: {details:?}");
    }
    admin.put("/wiki/one", whole("T")).await.expect_error(400, "VALIDATION_ERROR");
    service.agent().put("/wiki/a/one", whole("T")).await.expect_error(403, "FORBIDDEN");
    service.widget("ann").await.put("/wiki/a/one", whole("T")).await.expect_error(403, "FORBIDDEN");
}

#[tokio::test]
async fn of_concurrent_puts_each_change_has_a_version_and_one_makes_the_entry() {
    let service = TestService::start().await;
    let admin = service.admin();
    let titles: Vec<String> = (0..32).map(|n| format!("Title {n}")).collect();
    let answers = join_all(titles.iter().map(|title| admin.put("/wiki/race/put", whole(title)))).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 201).count(), 1);
    let mut versions: Vec<_> = answers.iter().map(|answer| answer.json["version"].as_u64().unwrap()).collect();
    versions.sort_unstable();
    assert_eq!(versions, (1..=32).collect::<Vec<_>>());
    let only_new = admin.with_header("if-none-match", "*");
    let answers = join_all((0..32).map(|_| only_new.put("/wiki/race/new", whole("T")))).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 201).count(), 1);
    assert_eq!(answers.iter().filter(|answer| answer.status == 412).count(), 31);
}

#[tokio::test]
async fn a_put_whose_reply_was_lost_is_done_once() {
    let faults = Faults::default();
    let service = TestService::with(|options| options.wrap_database = Some(faults.wrapper(Target::Table))).await;
    let admin = service.admin();
    for (title, status, version) in [("Walrus", 201, 1), ("Tusk", 200, 2)] {
        faults.arm_saying(&["TransactWriteItems"], 1, Fault::LoseReply);
        let put = admin.put("/wiki/lost/put", whole(title)).await;
        put.expect(status);
        assert_eq!((&put.json["version"], faults.failed()), (&json!(version), 1));
    }
}

#[tokio::test]
async fn an_export_has_every_entry_whole_by_path_and_imports_as_it_is() {
    let service = TestService::start().await;
    let admin = service.admin();
    // Several pages of 1 MiB.
    let long = format!("  \u{feff}# \"Füße\" \\ and 東京\r\n\t{}\n\n", "line\n".repeat(50_000));
    for n in 0..6 {
        admin.put(&format!("/wiki/long/{n}"), whole("Long")).await.expect(201);
        admin
            .patch(&format!("/wiki/long/{n}"), json!({"content": long.chars().take(199_000).collect::<String>()}))
            .await;
    }
    admin.wiki_entry("a/gone", "Gone", "C").await.expect(201);
    admin.delete("/wiki/a/gone").await.expect(204);
    admin.post("/wiki", json!({"path": "a/in", "title": "In", "content": "C", "tags": ["x", "y"]})).await.expect(201);
    let exported = admin.list_all("/wiki-export").await;
    let paths: Vec<_> = exported.iter().map(|item| item["path"].as_str().unwrap()).collect();
    let sorted = {
        let mut sorted = paths.clone();
        sorted.sort_unstable();
        sorted
    };
    assert_eq!(paths, sorted);
    assert!(paths.contains(&"a/in") && !paths.contains(&"a/gone"));
    for item in &exported {
        assert_eq!(&admin.get(&format!("/wiki/{}", item["path"].as_str().unwrap())).await.json, item);
    }
    let of_prefix = admin.list_all("/wiki-export?pathPrefix=long/").await;
    assert_eq!(of_prefix.len(), 6);
    // A cursor is of its own list.
    let first = admin.get("/wiki-export").await;
    let foreign = format!("/wiki-export?pathPrefix=a/&cursor={}", first.text_at("nextCursor"));
    admin.get(&foreign).await.expect_error(400, "VALIDATION_ERROR");
    for given in ["1", "e30", "long/1"] {
        admin.get(&format!("/wiki-export?cursor={given}")).await.expect_error(400, "VALIDATION_ERROR");
    }

    let other = service.test_admin();
    for chunk in exported.chunks(2) {
        import(&other, chunk, "overwrite").await;
    }
    let said = |items: &[Value]| -> Vec<Value> {
        let fields = ["path", "title", "content", "visibility", "tags"];
        items.iter().map(|item| fields.iter().map(|field| item[field].clone()).collect()).collect()
    };
    let mut imported = other.list_all("/wiki-export").await;
    imported.retain(|item| paths.contains(&item["path"].as_str().unwrap()));
    assert_eq!(said(&imported), said(&exported));
}

#[tokio::test]
async fn an_import_says_what_became_of_each_item_and_a_bad_one_stops_no_other() {
    let service = TestService::start().await;
    let admin = service.admin();
    let items = [
        entry("imp/one", "Walrus", "C"),
        json!("no object"),
        json!({"path": "no", "title": "T", "content": "C", "visibility": "public"}),
        json!({"path": "imp/two", "title": "T", "content": "C"}),
        entry("imp/one", "Twice", "C"),
        json!({"path": "imp/next", "title": "T", "content": "C", "visibility": "public", "fieldOfNextYear": {"a": 1}}),
        json!({"path": "../etc/passwd", "title": "T", "content": "C", "visibility": "public"}),
        json!({}),
    ];
    let done = import(&admin, &items, "skip").await;
    let expected = ["created", "failed", "failed", "failed", "failed", "created", "failed", "failed"];
    assert_eq!(actions(&done), expected);
    let given = [json!("imp/one"), Value::Null, json!("no"), json!("imp/two"), json!("imp/one")];
    assert_eq!(done.iter().map(|item| item["path"].clone()).take(5).collect::<Vec<_>>(), given);
    assert_eq!(done[3]["error"]["error"], "VALIDATION_ERROR");
    assert_eq!(done[3]["error"]["details"][0]["field"], "visibility", "{:?}", done[3]);
    assert_eq!(admin.get("/wiki?q=walrus").await.json["total"], 1, "searchable at once");
    admin.get("/wiki/imp/two").await.expect_error(404, "NOT_FOUND");
    let again = import(&admin, &items[..1], "skip").await;
    assert_eq!(actions(&again), ["unchanged"]);

    for (body, code) in [
        (json!({"items": [], "onConflict": "skip"}), "VALIDATION_ERROR"),
        (json!({"items": vec![items[0].clone(); 101], "onConflict": "skip"}), "VALIDATION_ERROR"),
        (json!({"items": items, "onConflict": "replace"}), "VALIDATION_ERROR"),
        (json!({"items": items}), "VALIDATION_ERROR"),
    ] {
        admin.post("/wiki-import", body).await.expect_error(400, code);
    }
    let large = "x".repeat(3 * 1024 * 1024);
    admin
        .post("/wiki-import", json!({"items": [large], "onConflict": "skip"}))
        .await
        .expect_error(413, "PAYLOAD_TOO_LARGE");
}

#[tokio::test]
async fn an_item_whose_path_holds_another_entry_is_skipped_overwritten_or_drafted_once() {
    let service = TestService::start().await;
    let admin = service.admin();
    admin.put("/wiki/imp/one", whole("Mine")).await.expect(201);
    let items = [entry("imp/one", "Theirs", "C"), entry("imp/two", "New", "C")];
    let plan = async |on_conflict: &str| {
        let body = json!({"items": items, "onConflict": on_conflict, "dryRun": true});
        let done = admin.post("/wiki-import", body).await;
        actions(done.items()).iter().map(|&action| action.to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(plan("skip").await, ["skipped", "created"]);
    assert_eq!(plan("overwrite").await, ["updated", "created"]);
    assert_eq!(plan("draft").await, ["drafted", "created"]);
    admin.get("/wiki/imp/two").await.expect_error(404, "NOT_FOUND");
    assert!(admin.get("/drafts").await.items().is_empty(), "a dry run writes nothing");

    assert_eq!(actions(&import(&admin, &items, "skip").await), ["skipped", "created"]);
    assert_eq!(admin.get("/wiki/imp/one").await.json["title"], "Mine");
    let drafted = import(&admin, &items, "draft").await;
    assert_eq!(actions(&drafted), ["drafted", "unchanged"]);
    let draft = admin.get(&format!("/drafts/{}", drafted[0]["draftId"].as_str().unwrap())).await;
    assert_eq!(
        (&draft.json["title"], &draft.json["action"], &draft.json["baseVersion"]),
        (&json!("Theirs"), &json!("update"), &json!(1))
    );
    assert_eq!(import(&admin, &items, "draft").await, drafted, "sent again, it is the same draft");
    let other = import(&admin, &[entry("imp/one", "Other", "C")], "draft").await;
    assert_ne!(other[0]["draftId"], drafted[0]["draftId"]);
    assert_eq!(actions(&import(&admin, &items, "overwrite").await), ["updated", "unchanged"]);
    assert_eq!(admin.get("/wiki/imp/one").await.json["version"], 2);
    assert_eq!(actions(&import(&admin, &items, "overwrite").await), ["unchanged", "unchanged"]);
}

#[tokio::test]
async fn an_import_counts_as_its_items() {
    let service = TestService::with(|options| options.start.rate_limits = RateLimits::Real).await;
    let admin = service.admin();
    let items: Vec<Value> = (0..100).map(|n| entry(&format!("imp/e{n}"), "T", "C")).collect();
    for _ in 0..5 {
        import(&admin, &items, "skip").await;
    }
    assert_eq!(actions(&import(&admin, &items[..90], "skip").await), ["unchanged"; 90]);
    let refused = admin.post("/wiki-import", json!({"items": items, "onConflict": "overwrite"})).await;
    refused.expect_error(429, "RATE_LIMITED");
    assert!(refused.header("retry-after").parse::<u32>().unwrap() > 0);
    // A call is left, but not a hundred.
    admin.get("/wiki/imp/e1").await.expect(200);
}

#[tokio::test]
async fn an_import_without_the_index_stores_everything_and_two_at_once_make_each_entry_once() {
    let index = IndexSwitch::default();
    let service = TestService::with(|options| options.wrap_index = Some(index.wrap())).await;
    let admin = service.admin();
    let items: Vec<Value> = (0..100).map(|n| entry(&format!("imp/e{n}"), "Walrus", "C")).collect();
    index.off();
    let both = tokio::join!(import(&admin, &items, "overwrite"), import(&admin, &items, "overwrite"));
    let made = actions(&both.0).into_iter().zip(actions(&both.1));
    assert!(made.into_iter().all(|pair| matches!(pair, ("created", "unchanged") | ("unchanged", "created"))));
    index.on();
    let service = service.restart().await;
    assert_eq!(service.admin().get("/wiki?q=walrus").await.json["total"], 100);
}

#[tokio::test]
async fn a_key_that_is_deleted_imports_nothing_more() {
    let service = TestService::start().await;
    let key = service.admin().post("/api-keys", json!({"name": "K", "role": "trainer"})).await;
    let trainer = service.bearer(key.text_at("key"));
    import(&trainer, &[entry("imp/one", "T", "C")], "skip").await;
    service.admin().delete(&format!("/api-keys/{}", key.text_at("keyId"))).await.expect(204);
    let refused =
        trainer.post("/wiki-import", json!({"items": [entry("imp/two", "T", "C")], "onConflict": "skip"})).await;
    refused.expect_error(401, "UNAUTHORIZED");
}
