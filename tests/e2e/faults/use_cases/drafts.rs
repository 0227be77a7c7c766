//! Drafts: proposed, changed, discarded, published; and pinned questions.

use reqwest::Method;
use serde_json::{Value, json};

use super::super::run::Run;

fn proposal() -> Value {
    json!({"path": "help/parcels", "action": "create", "title": "Parcels", "content": "A parcel arrives on Tuesday."})
}

async fn proposed(run: &Run<'_>) -> String {
    format!("/drafts/{}", run.admin().post("/drafts", proposal()).await.text_at("draftId"))
}

/// How many drafts are open, as the list and as the count say.
async fn expect_open(run: &Run<'_>, open: usize) {
    assert_eq!(run.admin().get("/drafts").await.items().len(), open);
    let items = run.world.service.raw_items().await;
    let count = items.iter().find(|item| item.contains("\"draft_count\"")).unwrap();
    assert!(count.contains(&format!("N(\"{open}\")")), "{count}");
}

pub(super) async fn a_change_is_proposed(run: &Run<'_>) {
    let made = run.send(&run.admin(), Method::POST, "/drafts", Some(&proposal())).await;
    let read = run.admin().get(&format!("/drafts/{}", made.text_at("draftId"))).await;
    assert_eq!((read.expect(200)["status"].as_str(), read.at("version")), (Some("open"), &json!(1)));
    expect_open(run, 1).await;
}

pub(super) async fn a_draft_is_changed(run: &Run<'_>) {
    let at = proposed(run).await;
    run.send(&run.admin(), Method::PATCH, &at, Some(&json!({"title": "All parcels"}))).await;
    let read = run.admin().get(&at).await;
    assert_eq!((read.text_at("title"), read.at("version")), ("All parcels", &json!(2)));
}

pub(super) async fn a_draft_is_discarded(run: &Run<'_>) {
    let at = proposed(run).await;
    run.send(&run.admin(), Method::DELETE, &at, None).await;
    assert_eq!(run.admin().get(&at).await.expect(200)["status"], "discarded");
    expect_open(run, 0).await;
}

pub(super) async fn a_draft_is_published(run: &Run<'_>) {
    let at = proposed(run).await;
    run.send(&run.admin(), Method::POST, &format!("{at}/publish"), Some(&json!({"version": 1}))).await;
    assert_eq!(run.admin().get(&at).await.expect(200)["status"], "published");
    assert_eq!(run.admin().get("/wiki/help/parcels").await.expect(200)["version"], 1);
    assert_eq!(run.admin().get("/wiki?q=tuesday").await.items().len(), 1);
    expect_open(run, 0).await;
    run.expect_told(&[("entry.created", 1)]);
}

/// A question to pin, of an entry that is there.
async fn question(run: &Run<'_>) -> Value {
    run.admin().wiki_entry("help/refunds", "Refunds", "A refund takes five working days after approval.").await;
    json!({"path": "help/refunds", "question": "How long does a refund take?"})
}

pub(super) async fn a_question_is_pinned(run: &Run<'_>) {
    run.send(&run.admin(), Method::POST, "/pins", Some(&question(run).await)).await;
    expect_pins(run, 1).await;
}

pub(super) async fn a_pin_is_deleted(run: &Run<'_>) {
    let at = format!("/pins/{}", run.admin().post("/pins", question(run).await).await.text_at("pinId"));
    run.send(&run.admin(), Method::DELETE, &at, None).await;
    expect_pins(run, 0).await;
}

/// How many pins there are, as the list and as the count say.
async fn expect_pins(run: &Run<'_>, pins: usize) {
    assert_eq!(run.admin().get("/pins").await.items().len(), pins);
    let items = run.world.service.raw_items().await;
    let count = items.iter().find(|item| item.contains("\"pin_count\"")).unwrap();
    assert!(count.contains(&format!("N(\"{pins}\")")), "{count}");
}
