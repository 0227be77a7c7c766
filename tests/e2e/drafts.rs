//! Drafts: who proposes and changes what, how many there are, and that no customer and no answer ever sees one.

use aws_sdk_dynamodb::types::AttributeValue;
use futures::future::join_all;
use serde_json::{Value, json};

use crate::support::{Actor, StoredItem, TestService};

const MINUTE: i64 = 60_000;
const DAY: i64 = 1_440 * MINUTE;

fn new_entry(path: &str) -> Value {
    json!({"path": path, "action": "create", "title": "Parcels", "content": "A parcel arrives on Tuesday."})
}

async fn proposed(actor: &Actor, body: Value) -> String {
    let made = actor.post("/drafts", body).await;
    made.expect(201);
    format!("/drafts/{}", made.text_at("draftId"))
}

/// The paths of all drafts that a query lists, over pages of `limit`.
async fn listed(actor: &Actor, query: &str, limit: usize) -> Vec<String> {
    let drafts = actor.list_all(&format!("/drafts?limit={limit}{query}")).await;
    drafts.iter().map(|item| item["path"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_draft_is_made_read_changed_and_discarded() {
    let service = TestService::start().await;
    let trainer = service.trainer();
    let made = trainer.post("/drafts", new_entry("help/parcels")).await;
    let path = format!("/drafts/{}", made.text_at("draftId"));
    assert_eq!(
        (made.expect(201)["status"].as_str(), made.header("location")),
        (Some("open"), format!("/api/v1{path}").as_str())
    );
    let fields: Vec<&String> = made.json.as_object().unwrap().keys().collect();
    let expected = [
        "action",
        "baseVersion",
        "content",
        "createdAt",
        "createdBy",
        "draftId",
        "gapId",
        "path",
        "status",
        "tags",
        "title",
        "updatedAt",
        "version",
        "visibility",
    ];
    assert_eq!(fields, expected);
    assert_eq!(
        (made.text_at("visibility"), made.at("baseVersion"), made.header("etag")),
        ("internal", &Value::Null, "\"1\"")
    );
    let read = service.agent().get(&path).await;
    assert_eq!((read.expect(200), read.header("etag")), (&made.json, "\"1\""));
    service.clock.advance(1_000);
    let patch = json!({"path": "help/mail", "title": "Mail", "visibility": "public", "tags": ["a", "a"]});
    let changed = trainer.patch(&path, patch.clone()).await;
    assert_eq!((changed.expect(200)["path"].as_str(), changed.at("tags")), (Some("help/mail"), &json!(["a"])));
    assert_eq!((changed.at("version"), changed.at("createdAt")), (&json!(2), made.at("createdAt")));
    assert_ne!(changed.at("updatedAt"), made.at("updatedAt"));
    assert_eq!(trainer.patch(&path, patch).await.expect(200), &changed.json, "the same again is no change");
    assert_eq!(trainer.patch(&path, json!({"tags": null})).await.expect(200)["tags"], json!([]));
    let stale = trainer.with_header("if-match", "\"1\"");
    stale.patch(&path, json!({"title": "Late"})).await.expect_error(412, "PRECONDITION_FAILED");
    stale.delete(&path).await.expect_error(412, "PRECONDITION_FAILED");
    trainer.with_header("if-match", "\"3\"").delete(&path).await.expect(204);
    trainer.delete(&path).await.expect(204);
    let gone = trainer.get(&path).await;
    assert_eq!((gone.expect(200)["status"].as_str(), gone.at("version")), (Some("discarded"), &json!(4)));
    trainer.patch(&path, json!({"title": "Late"})).await.expect_error(409, "INVALID_STATE");
    assert!(listed(&trainer, "", 10).await.is_empty());
    assert_eq!(listed(&trainer, "&status=discarded", 10).await, ["help/mail"]);
}

#[tokio::test]
async fn a_draft_of_an_entry_has_what_it_leaves_out_from_the_entry() {
    let service = TestService::start().await;
    let trainer = service.trainer();
    trainer.wiki_entry("a/b", "One", "The first text.").await;
    trainer.patch("/wiki/a/b", json!({"tags": ["t"]})).await.expect(200);
    let update = trainer.post("/drafts", json!({"path": "a/b", "content": "Another."})).await;
    let said = ["action", "title", "content", "visibility", "tags", "baseVersion"].map(|name| update.at(name).clone());
    assert_eq!(json!(said), json!(["update", "One", "Another.", "public", ["t"], 2]));
    let older = trainer.post("/drafts", json!({"path": "a/b", "title": "Mine", "baseVersion": 1})).await;
    assert_eq!(older.expect(201)["baseVersion"], 1);
    let delete = trainer.post("/drafts", json!({"path": "a/b", "action": "delete"})).await;
    let said = ["title", "content", "visibility", "tags", "baseVersion"].map(|name| delete.at(name).clone());
    assert_eq!(json!(said), json!([null, null, null, [], 2]));
    let deletion = format!("/drafts/{}", delete.text_at("draftId"));
    for patch in [json!({"title": "T"}), json!({"content": "C"}), json!({"tags": []}), json!({"path": "a/c"})] {
        trainer.patch(&deletion, patch).await.expect_error(409, "INVALID_STATE");
    }
    let change = format!("/drafts/{}", update.text_at("draftId"));
    trainer.patch(&change, json!({"path": "a/c"})).await.expect_error(409, "INVALID_STATE");
    assert_eq!(trainer.patch(&change, json!({"baseVersion": 1})).await.expect(200)["baseVersion"], 1);
}

#[tokio::test]
async fn an_invalid_draft_is_refused_and_changes_nothing() {
    let service = TestService::start().await;
    let trainer = service.trainer();
    trainer.wiki_entry("a/b", "One", "The first text.").await;
    let blank = json!({"path": "a/c", "action": "create", "title": "\u{200b}", "content": " "});
    assert_eq!(trainer.post("/drafts", blank).await.details(), ["title BLANK", "content BLANK"]);
    let untold = json!({"path": "a/c", "action": "create", "title": "T"});
    assert_eq!(trainer.post("/drafts", untold).await.details(), ["content REQUIRED"]);
    let large = json!({"path": "a/c", "action": "create", "title": "T", "content": "é".repeat(154_000)});
    assert_eq!(trainer.post("/drafts", large).await.details(), ["content TOO_LARGE"]);
    for bad in
        [json!({"path": "x"}), json!({"path": "a/b", "action": "move"}), json!({"path": "a/b", "baseVersion": 0})]
    {
        trainer.post("/drafts", bad).await.expect_error(400, "VALIDATION_ERROR");
    }
    for action in ["update", "delete"] {
        trainer.post("/drafts", json!({"path": "a/none", "action": action})).await.expect_error(404, "NOT_FOUND");
    }
    for body in [new_entry("a/b"), json!({"path": "a/b", "baseVersion": 2})] {
        let refused = trainer.post("/drafts", body).await;
        refused.expect_error(409, "CONFLICT");
        assert_eq!(
            (&refused.json["details"][0]["code"], &refused.json["details"][0]["message"]),
            (&json!("CURRENT_VERSION"), &json!("1"))
        );
    }
    for body in [
        json!({"path": "a/b", "action": "delete", "title": "T"}),
        json!({"path": "a/b", "action": "delete", "tags": []}),
        json!({"path": "a/c", "action": "create", "title": "T", "content": "C", "baseVersion": 1}),
    ] {
        trainer.post("/drafts", body).await.expect_error(409, "INVALID_STATE");
    }
    let of_no_gap = json!({"path": "a/b", "gapId": "gap_0123456789abcdef0123456789abcdef"});
    trainer.post("/drafts", of_no_gap).await.expect_error(404, "NOT_FOUND");
    assert!(listed(&trainer, "", 10).await.is_empty());
    let change = proposed(&trainer, json!({"path": "a/b", "content": "Another."})).await;
    trainer.patch(&change, json!({"baseVersion": 2})).await.expect_error(409, "CONFLICT");
    assert_eq!(trainer.get(&change).await.at("baseVersion"), &json!(1));
    let path = proposed(&trainer, new_entry("a/c")).await;
    for bad in [json!({}), json!({"title": null}), json!({"content": ""}), json!({"visibility": "secret"})] {
        trainer.patch(&path, bad).await.expect_error(400, "VALIDATION_ERROR");
    }
    trainer.patch(&path, json!({"baseVersion": 1})).await.expect_error(409, "INVALID_STATE");
    assert_eq!(trainer.get(&path).await.at("version"), &json!(1));
}

#[tokio::test]
async fn an_agent_changes_its_own_drafts_alone_and_publishes_none() {
    let service = TestService::start().await;
    let (agent, trainer) = (service.agent(), service.trainer());
    let own = proposed(&agent, new_entry("help/own")).await;
    let other = proposed(&trainer, new_entry("help/other")).await;
    assert_eq!(agent.get(&other).await.expect(200)["path"], "help/other");
    agent.patch(&own, json!({"title": "Mine"})).await.expect(200);
    for refused in [
        agent.patch(&other, json!({"title": "Mine"})).await,
        agent.delete(&other).await,
        agent.post(&format!("{own}/publish"), json!({"version": 2})).await,
    ] {
        refused.expect_error(403, "FORBIDDEN");
        assert_eq!(refused.json["details"][0]["code"], "REQUIRED_ROLE");
    }
    trainer.patch(&own, json!({"title": "Better"})).await.expect(200);
    agent.delete(&own).await.expect(204);
    for refused in [service.integration(), service.widget("ann").await] {
        refused.get("/drafts").await.expect_error(403, "FORBIDDEN");
        refused.get(&other).await.expect_error(403, "FORBIDDEN");
        refused.post("/drafts", new_entry("a/b")).await.expect_error(403, "FORBIDDEN");
    }
    for stranger in [service.other_admin(), service.test_admin()] {
        stranger.get(&other).await.expect_error(404, "NOT_FOUND");
        stranger.delete(&other).await.expect_error(404, "NOT_FOUND");
        stranger.post(&format!("{other}/publish"), json!({"version": 1})).await.expect_error(404, "NOT_FOUND");
        assert!(listed(&stranger, "", 10).await.is_empty());
    }
}

#[tokio::test]
async fn a_draft_is_no_ground_of_an_answer_and_in_no_search() {
    let service = TestService::start().await;
    let (trainer, widget) = (service.trainer(), service.widget("ann").await);
    trainer.wiki_entry("help/parcels", "Parcels", "A parcel arrives on Tuesday.").await;
    let body = json!({"path": "help/parcels", "content": "A zebra parcel arrives on Saturday."});
    let draft = proposed(&trainer, body).await;
    let new = json!({"path": "help/zebra", "action": "create", "title": "Zebra", "content": "A zebra sings.", "visibility": "public"});
    proposed(&trainer, new).await;
    service.drain().await;
    for actor in [&trainer, &widget] {
        assert!(actor.get("/wiki?q=zebra").await.items().is_empty());
        assert_eq!(actor.get("/wiki").await.items().len(), 1);
        actor.get("/wiki/help/zebra").await.expect_error(404, "NOT_FOUND");
        let session = actor.session().await;
        let answer = actor.ask(&session, "When does a parcel arrive?").await;
        assert!(answer.text.contains("Tuesday") && !answer.text.contains("Saturday"), "{}", answer.text);
        assert_eq!(actor.ask(&session, "Which zebra sings?").await.at("unanswered"), &json!(true));
    }
    widget.get(&draft).await.expect_error(403, "FORBIDDEN");
}

#[tokio::test]
async fn drafts_are_listed_newest_first_by_status_and_path() {
    let service = TestService::start().await;
    let trainer = service.trainer();
    for path in ["a/one", "a/two", "a/one", "a/three"] {
        proposed(&trainer, new_entry(path)).await;
        service.clock.advance(2);
    }
    for limit in [1, 2, 3, 5] {
        assert_eq!(listed(&trainer, "", limit).await, ["a/three", "a/one", "a/two", "a/one"], "{limit}");
        assert_eq!(listed(&trainer, "&path=a/one", limit).await, ["a/one", "a/one"], "{limit}");
    }
    for status in ["published", "discarded"] {
        assert!(listed(&trainer, &format!("&status={status}"), 10).await.is_empty());
    }
    trainer.get("/drafts?status=gone").await.expect_error(400, "VALIDATION_ERROR");
}

#[tokio::test]
async fn of_a_thousand_and_one_drafts_the_last_is_refused_until_one_is_closed() {
    let service = TestService::start().await;
    let trainer = service.trainer();
    for round in 0..10 {
        let bodies = (0..100).map(|n| new_entry(&format!("many/e{round}-{n}")));
        for made in join_all(bodies.map(|body| trainer.post("/drafts", body))).await {
            made.expect(201);
        }
    }
    let refused = trainer.post("/drafts", new_entry("one/more")).await;
    refused.expect_error(409, "CONFLICT");
    assert_eq!(refused.json["details"][0]["code"], "TOO_MANY_DRAFTS");
    proposed(&service.test_admin(), new_entry("one/more")).await;
    let page = trainer.get("/drafts?limit=1").await;
    let path = format!("/drafts/{}", page.items()[0]["draftId"].as_str().unwrap());
    trainer.delete(&path).await.expect(204);
    trainer.delete(&path).await.expect(204);
    let again = join_all((0..8).map(|_| trainer.post("/drafts", new_entry("one/more")))).await;
    assert_eq!(again.iter().filter(|reply| reply.status == 201).count(), 1);
}

#[tokio::test]
async fn a_closed_draft_is_kept_for_thirty_days_and_an_open_one_for_good() {
    let service = TestService::start().await;
    let trainer = service.trainer();
    let [closed, open] = [proposed(&trainer, new_entry("a/b")).await, proposed(&trainer, new_entry("a/c")).await];
    trainer.delete(&closed).await.expect(204);
    service.clock.advance(30 * DAY - MINUTE);
    trainer.get(&closed).await.expect(200);
    assert_eq!(listed(&trainer, "&status=discarded", 10).await, ["a/b"]);
    service.clock.advance(MINUTE);
    trainer.get(&closed).await.expect_error(404, "NOT_FOUND");
    assert!(listed(&trainer, "&status=discarded", 10).await.is_empty());
    trainer.get(&open).await.expect(200);
    let stored = service.raw_items().await;
    let stored = stored.iter().filter(|item| item.contains("S(\"draft\")"));
    assert_eq!(stored.filter(|item| item.contains("ttl")).count(), 1, "the table deletes the closed one itself");
}

#[tokio::test]
async fn a_draft_that_is_sent_again_is_made_once_also_a_large_one() {
    let service = TestService::start().await;
    let trainer = service.trainer();
    for (n, content) in ["Small.".to_owned(), "é".repeat(110_000)].into_iter().enumerate() {
        let body = json!({"path": format!("a/e{n}"), "action": "create", "title": "T", "content": content});
        let once = trainer.with_header("idempotency-key", &format!("once-{n}"));
        let first = once.post("/drafts", body.clone()).await;
        let again = once.post("/drafts", body).await;
        assert_eq!((again.expect(201), again.header("idempotency-replayed")), (first.expect(201), "true"));
    }
    assert_eq!(listed(&trainer, "", 10).await.len(), 2);
}

#[tokio::test]
async fn discarded_drafts_push_no_open_one_out_of_the_first_page_and_the_newest_thousand_are_kept() {
    let service = TestService::start().await;
    let trainer = service.trainer();
    let large =
        |n: usize| json!({"path": format!("a/e{n}"), "action": "create", "title": "T", "content": "x".repeat(190_000)});
    let open = proposed(&trainer, new_entry("a/open")).await;
    let mut discarded = Vec::new();
    for n in 0..8 {
        // More than one query reads.
        discarded.push(proposed(&trainer, large(n)).await);
        trainer.delete(&discarded[n]).await.expect(204);
    }
    let page = trainer.get("/drafts").await;
    assert_eq!((page.items().len(), page.at("hasMore")), (1, &json!(false)), "{}", page.text);
    let read = trainer.get(&discarded[0]).await;
    assert_eq!((read.expect(200)["status"].as_str(), trainer.get(&open).await.status), (Some("discarded"), 200));
    assert_eq!(listed(&trainer, "&status=discarded", 3).await.len(), 8);
    let id = |path: &String| path.trim_start_matches("/drafts/").to_owned();
    let with_many = |mut item: StoredItem| {
        let Some(AttributeValue::L(ids)) = item.get_mut("ids") else { panic!("{item:?}") };
        ids.extend((0..992).map(|n| AttributeValue::S(format!("drf_0000000000000000000000{n:04}"))));
        Some(item)
    };
    service.rewrite_items("ended_drafts", &id(&discarded[0]), with_many).await;
    trainer.delete(&open).await.expect(204);
    trainer.get(&discarded[0]).await.expect_error(404, "NOT_FOUND");
    trainer.get(&discarded[1]).await.expect(200);
    assert_eq!(listed(&trainer, "&status=discarded", 3).await.len(), 8);
}
