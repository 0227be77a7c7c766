//! The publication of a draft: what becomes of the entry, and who is told that something moved on.

use futures::future::join_all;
use serde_json::{Value, json};

use crate::idempotency::is_replayed;
use crate::support::{Actor, Reply, TestService};

async fn draft(actor: &Actor, body: Value) -> String {
    let made = actor.post("/drafts", body).await;
    made.expect(201);
    format!("/drafts/{}", made.text_at("draftId"))
}

async fn publish(actor: &Actor, draft: &str, version: u64) -> Reply {
    actor.post(&format!("{draft}/publish"), json!({"version": version})).await
}

fn expect_moved_on(reply: &Reply, version: &str) {
    reply.expect_error(409, "CONFLICT");
    let detail = json!({"field": "baseVersion", "code": "CURRENT_VERSION", "message": version});
    assert_eq!(reply.json["details"], json!([detail]));
}

async fn entry(service: &TestService) -> Actor {
    let trainer = service.trainer();
    trainer.wiki_entry("a/b", "One", "A walrus eats clams.").await;
    trainer
}

#[tokio::test]
async fn an_entry_becomes_what_its_draft_proposes_and_is_searchable_at_once() {
    let service = TestService::start().await;
    let trainer = entry(&service).await;
    let agent = service.agent();
    let change =
        draft(&agent, json!({"path": "a/b", "title": "Two", "content": "A kangaroo jumps.", "tags": ["t"]})).await;
    service.clock.advance(1_000);
    let published = publish(&trainer, &change, 1).await;
    let (shown, entry) = (&published.expect(200)["draft"], &published.json["entry"]);
    assert_eq!((shown["status"].as_str(), &shown["version"]), (Some("published"), &json!(2)));
    assert_eq!((&entry["title"], &entry["version"], &entry["tags"]), (&json!("Two"), &json!(2), &json!(["t"])));
    assert_eq!(trainer.get("/wiki/a/b").await.expect(200), entry);
    assert_eq!(trainer.get(&change).await.expect(200), shown);
    assert_ne!(entry["updatedBy"], shown["createdBy"]);
    assert_eq!(trainer.get("/wiki?q=kangaroo").await.items().len(), 1);
    let audit = service.admin().get("/audit").await;
    let told: Vec<_> = audit.items().iter().filter(|it| it["action"] == "entry.published").collect();
    // The entry was public before, and the draft gave it other words.
    assert_eq!((told.len(), &told[0]["target"], &told[0]["actor"]["id"]), (2, &json!("a/b"), &entry["updatedBy"]));
    service.drain().await;
    let history = trainer.get("/wiki-revisions?path=a/b").await;
    assert_eq!((&history.items()[0]["action"], &history.items()[1]["action"]), (&json!("updated"), &json!("created")));
}

#[tokio::test]
async fn a_new_entry_and_a_deletion_are_published_too() {
    let service = TestService::start().await;
    let trainer = entry(&service).await;
    let gone = draft(&trainer, json!({"path": "a/b", "action": "delete"})).await;
    let published = publish(&trainer, &gone, 1).await;
    assert_eq!(
        (&published.expect(200)["entry"], &published.json["draft"]["status"]),
        (&Value::Null, &json!("published"))
    );
    trainer.get("/wiki/a/b").await.expect_error(404, "NOT_FOUND");
    assert!(trainer.get("/wiki?q=walrus").await.items().is_empty());
    let body = json!({"path": "a/b", "action": "create", "title": "Again", "content": "A quokka smiles."});
    let back = publish(&trainer, &draft(&trainer, body).await, 1).await;
    assert_eq!(
        (&back.expect(200)["entry"]["version"], &back.json["entry"]["visibility"]),
        (&json!(3), &json!("internal"))
    );
    assert_eq!(trainer.get("/wiki?q=quokka").await.items().len(), 1);
}

#[tokio::test]
async fn of_two_who_publish_drafts_of_one_entry_one_is_told_the_current_version() {
    let service = TestService::start().await;
    let trainer = entry(&service).await;
    for round in 1..=8_u64 {
        let drafts = [
            draft(&trainer, json!({"path": "a/b", "content": format!("One {round}.")})).await,
            draft(&trainer, json!({"path": "a/b", "content": format!("Two {round}.")})).await,
        ];
        let admin = service.admin();
        let replies = join_all([publish(&trainer, &drafts[0], 1), publish(&admin, &drafts[1], 1)]).await;
        let lost = replies.iter().position(|reply| reply.status != 200).unwrap();
        replies[1 - lost].expect(200);
        expect_moved_on(&replies[lost], &(round + 1).to_string());
        assert_eq!(trainer.get(&drafts[lost]).await.at("status"), &json!("open"));
        // The one who was told looks at the entry, and names the version that they saw.
        trainer.patch(&drafts[lost], json!({"baseVersion": round + 1})).await.expect(200);
        if round == 8 {
            let content = publish(&trainer, &drafts[lost], 2).await.expect(200)["entry"]["content"].clone();
            assert_eq!(content, trainer.get(&drafts[lost]).await.json["content"]);
        }
    }
    assert_eq!(trainer.get("/wiki/a/b").await.at("version"), &json!(10));
}

#[tokio::test]
async fn a_draft_that_changed_since_it_was_read_is_not_published() {
    let service = TestService::start().await;
    let trainer = entry(&service).await;
    let change = draft(&service.agent(), json!({"path": "a/b", "content": "As it was read."})).await;
    service.agent().patch(&change, json!({"content": "Something else."})).await.expect(200);
    publish(&trainer, &change, 1).await.expect_error(412, "PRECONDITION_FAILED");
    publish(&trainer, &change, 3).await.expect_error(412, "PRECONDITION_FAILED");
    assert_eq!(trainer.get("/wiki/a/b").await.at("version"), &json!(1));
    for _ in 0..8 {
        let seen = trainer.get(&change).await.at("version").as_u64().unwrap();
        let text = json!({"content": format!("Changed after {seen}.")});
        let (patched, published) = tokio::join!(trainer.patch(&change, text), publish(&trainer, &change, seen));
        let both = (patched.status, published.status);
        assert!([(200, 412), (409, 200)].contains(&both), "{both:?}");
        if published.status == 200 {
            return publish(&trainer, &change, seen + 1).await.expect_error(409, "INVALID_STATE");
        }
    }
}

#[tokio::test]
async fn a_draft_of_an_entry_that_is_gone_moved_on_or_is_there_by_now_is_not_published() {
    let service = TestService::start().await;
    let trainer = entry(&service).await;
    let change = draft(&trainer, json!({"path": "a/b", "content": "Another."})).await;
    let deletion = draft(&trainer, json!({"path": "a/b", "action": "delete"})).await;
    let new = draft(&trainer, json!({"path": "a/c", "action": "create", "title": "T", "content": "C"})).await;
    trainer.patch("/wiki/a/b", json!({"title": "Moved on"})).await.expect(200);
    trainer.wiki_entry("a/c", "There", "It is there.").await;
    for (draft, version) in [(&change, "2"), (&deletion, "2"), (&new, "1")] {
        expect_moved_on(&publish(&trainer, draft, 1).await, version);
    }
    trainer.delete("/wiki/a/b").await.expect(204);
    for draft in [&change, &deletion] {
        expect_moved_on(&publish(&trainer, draft, 1).await, "3");
        trainer.patch(draft, json!({"baseVersion": 3})).await.expect(200);
        expect_moved_on(&publish(&trainer, draft, 2).await, "3");
    }
    trainer.get("/wiki/a/b").await.expect_error(404, "NOT_FOUND");
    assert_eq!(trainer.get("/drafts").await.items().len(), 3);
}

#[tokio::test]
async fn a_change_of_who_reads_an_entry_is_published_only_where_it_is_named() {
    let service = TestService::start().await;
    let trainer = entry(&service).await;
    let inward = draft(&trainer, json!({"path": "a/b", "visibility": "internal"})).await;
    let new = json!({"path": "a/c", "action": "create", "title": "T", "content": "C", "visibility": "public"});
    let new = draft(&trainer, new).await;
    for change in [&inward, &new] {
        assert_eq!(publish(&trainer, change, 1).await.details(), ["visibility REQUIRED"]);
        assert_eq!(trainer.get(change).await.at("status"), &json!("open"));
    }
    let named = |visibility: &str| json!({"version": 1, "visibility": visibility});
    let kept = trainer.post(&format!("{inward}/publish"), named("public")).await;
    assert_eq!(
        (&kept.expect(200)["entry"]["visibility"], &kept.json["draft"]["visibility"]),
        (&json!("public"), &json!("public"))
    );
    let shown = trainer.post(&format!("{new}/publish"), named("public")).await;
    assert_eq!(shown.expect(200)["entry"]["visibility"], "public");
    // The entry became internal since the draft was made.
    trainer.patch("/wiki/a/c", json!({"visibility": "internal"})).await.expect(200);
    let stays = draft(&trainer, json!({"path": "a/c", "content": "Another."})).await;
    trainer.patch("/wiki/a/c", json!({"visibility": "public"})).await.expect(200);
    trainer.patch(&stays, json!({"baseVersion": 3})).await.expect(200);
    assert_eq!(publish(&trainer, &stays, 2).await.details(), ["visibility REQUIRED"]);
}

#[tokio::test]
async fn a_publication_that_is_sent_again_is_done_once() {
    let service = TestService::start().await;
    let trainer = entry(&service).await;
    let change = draft(&trainer, json!({"path": "a/b", "content": "Another."})).await;
    let once = trainer.with_header("idempotency-key", "once");
    let replies = join_all((0..8).map(|_| publish(&once, &change, 1))).await;
    let done = replies.iter().filter(|reply| reply.status == 200 && !is_replayed(reply));
    assert_eq!(done.count(), 1);
    assert!(replies.iter().all(|reply| [200, 409].contains(&reply.status)));
    trainer.patch("/wiki/a/b", json!({"title": "Later"})).await.expect(200);
    service.drain().await;
    let again = publish(&once, &change, 1).await;
    assert_eq!(
        (&again.expect(200)["entry"]["version"], &again.json["entry"]["content"]),
        (&json!(2), &json!("Another."))
    );
    publish(&trainer, &change, 1).await.expect_error(412, "PRECONDITION_FAILED");
    trainer.delete("/wiki/a/b").await.expect(204);
    publish(&once, &change, 1).await.expect_error(404, "NOT_FOUND");
}
