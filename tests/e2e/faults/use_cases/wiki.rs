//! The wiki, and texts that become entries.

use reqwest::Method;
use serde_json::json;

use super::super::run::Run;

/// How many entries a search finds.
async fn found(run: &Run<'_>, word: &str) -> usize {
    run.admin().get(&format!("/wiki?q={word}")).await.items().len()
}

/// No entry waits for its vectors.
async fn expect_embedded(run: &Run<'_>) {
    let health = run.agent().get("/health").await;
    assert_eq!(health.expect(200)["checks"]["embeddings"]["pending"], 0);
}

async fn entry(run: &Run<'_>) {
    run.admin().wiki_entry("help/parcels", "Parcels", "A parcel arrives on Tuesday.").await;
    run.world.service.drain().await;
}

pub(super) async fn an_entry_is_created(run: &Run<'_>) {
    let body = json!({"path": "help/parcels", "title": "Parcels", "content": "A parcel arrives on Tuesday."});
    let made = run.send(&run.admin(), Method::POST, "/wiki", Some(&body)).await;
    assert_eq!(made.at("version"), 1);
    let kept = run.admin().get("/wiki/help/parcels").await;
    assert_eq!(kept.expect(200)["version"], 1);
    assert_eq!((found(run, "tuesday").await, run.admin().get("/wiki").await.items().len()), (1, 1));
    run.expect_told(&[("entry.created", 1)]);
    expect_embedded(run).await;
}

pub(super) async fn an_entry_is_changed(run: &Run<'_>) {
    entry(run).await;
    let body = json!({"content": "A parcel arrives on Friday."});
    run.send(&run.admin(), Method::PATCH, "/wiki/help/parcels", Some(&body)).await;
    assert_eq!(run.admin().get("/wiki/help/parcels").await.expect(200)["version"], 2);
    assert_eq!((found(run, "friday").await, found(run, "tuesday").await), (1, 0));
    run.expect_told(&[("entry.created", 1), ("entry.updated", 1)]);
    expect_embedded(run).await;
}

pub(super) async fn an_entry_is_deleted(run: &Run<'_>) {
    entry(run).await;
    run.send(&run.admin(), Method::DELETE, "/wiki/help/parcels", None).await;
    run.admin().get("/wiki/help/parcels").await.expect_error(404, "NOT_FOUND");
    assert_eq!((found(run, "parcel").await, run.admin().get("/wiki").await.items().len()), (0, 0));
    run.expect_told(&[("entry.created", 1), ("entry.deleted", 1)]);
    expect_embedded(run).await;
}

pub(super) async fn an_entry_is_restored(run: &Run<'_>) {
    entry(run).await;
    run.admin().patch("/wiki/help/parcels", json!({"content": "A parcel arrives on Friday."})).await.expect(200);
    run.world.service.drain().await;
    let body = json!({"path": "help/parcels", "version": 1, "currentVersion": 2});
    run.send(&run.admin(), Method::POST, "/wiki-revisions/restore", Some(&body)).await;
    let restored = run.admin().get("/wiki/help/parcels").await;
    assert_eq!((restored.at("version"), restored.text_at("content")), (&json!(3), "A parcel arrives on Tuesday."));
    assert_eq!((found(run, "friday").await, found(run, "tuesday").await), (0, 1));
    run.expect_told(&[("entry.created", 1), ("entry.updated", 2)]);
}

pub(super) async fn a_text_is_ingested(run: &Run<'_>) {
    let text = "# Help\n\n## One?\n\nThe first answer is Tuesday.\n\n## Two?\n\nThe second answer is Friday.\n";
    let body = json!({"text": text, "pathPrefix": "made"});
    let accepted = run.send(&run.admin(), Method::POST, "/ingest", Some(&body)).await;
    assert_eq!(run.admin().get("/ingest").await.items().len(), 1);
    let job = run.admin().get(&format!("/ingest/{}", accepted.text_at("ingestId"))).await;
    assert_eq!(job.expect(200)["status"], "completed", "{}", job.text);
    let made = job.at("entries").as_array().unwrap();
    assert!(made.len() == 2 && made.iter().all(|entry| entry["action"] == "created"), "{}", job.text);
    let entries = run.admin().get("/wiki").await;
    assert!(
        entries.items().len() == 2 && entries.items().iter().all(|entry| entry["version"] == 1),
        "{}",
        entries.text
    );
    assert_eq!((found(run, "tuesday").await, found(run, "friday").await), (1, 1));
    run.expect_told(&[("ingest.completed", 1), ("entry.created", 2)]);
    expect_embedded(run).await;
}
