//! The history of an entry, and the return to one of its versions.

use aws_sdk_dynamodb::types::AttributeValue;
use futures::future::join_all;
use serde_json::{Value, json};

use crate::support::{Actor, Reply, StoredItem, TestService};

const DAY: i64 = 86_400_000;

/// The history of `path` over pages of `limit`: version, action, title and author of each.
async fn history(actor: &Actor, path: &str, limit: usize) -> Vec<Value> {
    let (mut all, start) = (Vec::new(), format!("/wiki-revisions?path={path}&limit={limit}"));
    let mut target = start.clone();
    loop {
        let page = actor.get(&target).await;
        page.expect(200);
        assert!(page.items().len() <= limit);
        all.extend(page.items().to_vec());
        match page.at("nextCursor").as_str() {
            Some(next) => target = format!("{start}&cursor={next}"),
            None => return all,
        }
    }
}

fn shown(history: &[Value]) -> Vec<(u64, &str)> {
    history.iter().map(|it| (it["version"].as_u64().unwrap(), it["action"].as_str().unwrap())).collect()
}

async fn restore(actor: &Actor, version: u64, current: u64, visibility: Option<&str>) -> Reply {
    let body = json!({"path": "a/b", "version": version, "currentVersion": current, "visibility": visibility});
    actor.post("/wiki-revisions/restore", body).await
}

/// An entry with three versions, the second public.
async fn changed_twice(service: &TestService) -> Actor {
    let trainer = service.trainer();
    trainer.wiki_entry("a/b", "One", "A walrus eats clams.").await;
    trainer.patch("/wiki/a/b", json!({"title": "Two", "visibility": "internal", "tags": ["t"]})).await.expect(200);
    service.clock.advance(1_000);
    service.admin().patch("/wiki/a/b", json!({"content": "Ä third text."})).await.expect(200);
    service.drain().await;
    trainer
}

#[tokio::test]
async fn every_version_is_listed_newest_first_and_read_as_it_was() {
    let service = TestService::start().await;
    let trainer = changed_twice(&service).await;
    for limit in [1, 2, 3, 4] {
        let history = history(&service.agent(), "a/b", limit).await;
        assert_eq!(shown(&history), [(3, "updated"), (2, "updated"), (1, "created")], "{limit}");
    }
    let all = history(&trainer, "a/b", 10).await;
    let fields: Vec<&String> = all[0].as_object().unwrap().keys().collect();
    assert_eq!(fields, ["action", "at", "by", "bytes", "title", "version", "visibility"]);
    assert_eq!(
        (&all[0]["title"], &all[0]["visibility"], &all[0]["bytes"]),
        (&json!("Two"), &json!("internal"), &json!(14))
    );
    assert_eq!((&all[2]["title"], &all[2]["visibility"]), (&json!("One"), &json!("public")));
    assert_eq!(all[1]["by"], all[2]["by"]);
    assert_ne!((&all[0]["by"], &all[0]["at"]), (&all[1]["by"], &all[1]["at"]));
    let old = trainer.get("/wiki/a/b?version=1").await;
    assert_eq!((old.expect(200)["content"].as_str(), old.at("current")), (Some("A walrus eats clams."), &json!(false)));
    assert_eq!((old.at("version"), old.header("etag")), (&json!(1), "\"1\""));
    let now = trainer.get("/wiki/a/b?version=3").await;
    assert_eq!((now.expect(200)["content"].as_str(), now.at("current")), (Some("Ä third text."), &json!(true)));
    assert!(!trainer.get("/wiki/a/b").await.expect(200).as_object().unwrap().contains_key("current"));
    for version in ["4", "4294967295"] {
        trainer.get(&format!("/wiki/a/b?version={version}")).await.expect_error(404, "NOT_FOUND");
    }
    for bad in ["0", "-1", "1.0", "x", "4294967296"] {
        trainer.get(&format!("/wiki/a/b?version={bad}")).await.expect_error(400, "VALIDATION_ERROR");
    }
    assert_eq!(trainer.get("/wiki-revisions").await.details(), ["path REQUIRED"]);
    trainer.get("/wiki-revisions?path=x").await.expect_error(400, "VALIDATION_ERROR");
    assert!(history(&trainer, "a/none", 10).await.is_empty());
}

#[tokio::test]
async fn old_versions_are_for_the_tenants_people_alone() {
    let service = TestService::start().await;
    changed_twice(&service).await;
    for refused in [service.integration(), service.widget("ann").await] {
        for path in ["/wiki/a/b?version=1", "/wiki/a/none?version=1", "/wiki-revisions?path=a/b"] {
            let reply = refused.get(path).await;
            reply.expect_error(403, "FORBIDDEN");
            assert_eq!(reply.json["details"][0]["code"], "REQUIRED_ROLE", "{path}");
        }
    }
    restore(&service.agent(), 1, 3, None).await.expect_error(403, "FORBIDDEN");
    for stranger in [service.other_admin(), service.test_admin()] {
        stranger.get("/wiki/a/b?version=1").await.expect_error(404, "NOT_FOUND");
        assert!(history(&stranger, "a/b", 10).await.is_empty());
        restore(&stranger, 1, 3, None).await.expect_error(404, "NOT_FOUND");
    }
}

#[tokio::test]
async fn a_restored_version_is_the_newest_one_and_who_reads_it_stays_unless_it_is_named() {
    let service = TestService::start().await;
    let trainer = changed_twice(&service).await;
    service.clock.advance(1_000);
    let restored = restore(&trainer, 1, 3, None).await;
    assert_eq!(
        (restored.expect(200)["title"].as_str(), restored.text_at("content")),
        (Some("One"), "A walrus eats clams.")
    );
    assert_eq!((restored.at("version"), restored.text_at("visibility")), (&json!(4), "internal"));
    assert_eq!((restored.at("tags"), restored.header("etag")), (&json!([]), "\"4\""));
    assert_eq!(trainer.get("/wiki/a/b").await.expect(200), &restored.json);
    assert_eq!(trainer.get("/wiki?q=walrus").await.items().len(), 1, "it is searchable at once");
    service.drain().await;
    assert_eq!(restore(&trainer, 3, 4, Some("public")).await.expect(200)["visibility"], "public");
    service.drain().await;
    let all = history(&trainer, "a/b", 10).await;
    assert_eq!(shown(&all)[..2], [(5, "restored"), (4, "restored")]);
    let audit = service.admin().get("/audit").await;
    let restorings: Vec<_> = audit.items().iter().filter(|entry| entry["action"] == "entry.restored").collect();
    assert_eq!((restorings.len(), &restorings[0]["target"]), (2, &json!("a/b")));
}

#[tokio::test]
async fn who_restores_what_moved_on_is_told_the_current_version_and_changes_nothing() {
    let service = TestService::start().await;
    let trainer = changed_twice(&service).await;
    for current in [1, 2, 4] {
        let refused = restore(&trainer, 1, current, None).await;
        refused.expect_error(409, "CONFLICT");
        let detail = json!({"field": "currentVersion", "code": "CURRENT_VERSION", "message": "3"});
        assert_eq!(refused.json["details"], json!([detail]));
    }
    restore(&trainer, 7, 3, None).await.expect_error(404, "NOT_FOUND");
    let both = join_all([restore(&trainer, 1, 3, None), restore(&service.admin(), 2, 3, None)]).await;
    let mut statuses: Vec<u16> = both.iter().map(|reply| reply.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    assert_eq!(trainer.get("/wiki/a/b").await.at("version"), &json!(4));
}

#[tokio::test]
async fn a_deleted_entry_comes_back_internal_as_long_as_its_versions_are_kept() {
    let service = TestService::start().await;
    let trainer = changed_twice(&service).await;
    trainer.patch("/wiki/a/b", json!({"visibility": "public"})).await.expect(200);
    service.admin().delete("/wiki/a/b").await.expect(204);
    service.drain().await;
    let all = history(&trainer, "a/b", 2).await;
    assert_eq!(shown(&all)[..2], [(5, "deleted"), (4, "updated")]);
    let deletion = json!([null, null, 0]);
    assert_eq!(json!([all[0]["title"], all[0]["visibility"], all[0]["bytes"]]), deletion);
    assert_eq!(all[0]["by"], all[2]["by"], "the admin deleted it");
    assert_eq!(trainer.get("/wiki/a/b?version=4").await.expect(200)["current"], false);
    trainer.get("/wiki/a/b?version=5").await.expect_error(404, "NOT_FOUND");
    restore(&trainer, 4, 4, None).await.expect_error(409, "CONFLICT");
    let back = restore(&trainer, 4, 5, None).await;
    assert_eq!((back.expect(200)["version"].as_u64(), back.text_at("visibility")), (Some(6), "internal"));
    service.drain().await;
    let all = history(&trainer, "a/b", 10).await;
    assert_eq!(shown(&all)[..3], [(6, "restored"), (5, "deleted"), (4, "updated")]);
    // The versions up to the deletion go after the retention, and the entry stays.
    service.clock.advance(366 * DAY);
    service.sweep().await;
    assert_eq!(shown(&history(&trainer, "a/b", 10).await), [(6, "restored")]);
    restore(&trainer, 4, 6, None).await.expect_error(404, "NOT_FOUND");
    assert_eq!(trainer.get("/wiki/a/b").await.expect(200)["version"], 6);
}

#[tokio::test]
async fn a_restoration_sent_again_is_done_once_and_not_replayed_once_the_entry_is_gone() {
    let service = TestService::start().await;
    let trainer = changed_twice(&service).await;
    let once = trainer.with_header("idempotency-key", "once");
    let first = restore(&once, 1, 3, None).await;
    let again = restore(&once, 1, 3, None).await;
    assert_eq!((again.expect(200), again.header("idempotency-replayed")), (first.expect(200), "true"));
    restore(&once, 2, 3, None).await.expect_error(422, "IDEMPOTENCY_KEY_REUSED");
    trainer.patch("/wiki/a/b", json!({"title": "Later"})).await.expect(200);
    service.drain().await;
    assert_eq!(restore(&once, 1, 3, None).await.expect(200), first.expect(200));
    trainer.delete("/wiki/a/b").await.expect(204);
    restore(&once, 1, 3, None).await.expect_error(404, "NOT_FOUND");
}

#[tokio::test]
async fn the_newest_thousand_old_versions_of_an_entry_are_kept() {
    let service = TestService::start().await;
    let trainer = service.trainer();
    trainer.wiki_entry("help/often", "Often", "One.").await;
    for text in ["Two.", "Three."] {
        trainer.patch("/wiki/help/often", json!({"content": text})).await.expect(200);
    }
    service.drain().await;
    let at_version = |mut item: StoredItem| {
        item.insert("version".into(), AttributeValue::N("1001".into()));
        Some(item)
    };
    service.rewrite_items("entry", "help/often", at_version).await;
    service.drain().await;
    trainer.get("/wiki/help/often?version=1").await.expect(200);
    trainer.patch("/wiki/help/often", json!({"content": "Last."})).await.expect(200);
    service.drain().await;
    trainer.get("/wiki/help/often?version=1").await.expect_error(404, "NOT_FOUND");
    for kept in [2, 1001, 1002] {
        trainer.get(&format!("/wiki/help/often?version={kept}")).await.expect(200);
    }
}
