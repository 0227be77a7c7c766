//! Pages that become entries, and gaps in the knowledge.

use reqwest::Method;
use serde_json::json;

use super::super::run::Run;
use crate::support::{Pages, Reply};

const PAGE: &str = "<html><body><main><h1>Help</h1><h2>One?</h2><p>The first answer is Tuesday.</p>\
                    <h2>Two?</h2><p>The second answer is Friday.</p></main></body></html>";

/// The job made both entries, once each.
async fn expect_made(run: &Run<'_>, accepted: &Reply) {
    let job = run.admin().get(&format!("/ingest/{}", accepted.text_at("ingestId"))).await;
    assert_eq!(job.expect(200)["status"], "completed", "{}", job.text);
    let entries = run.admin().get("/wiki").await;
    assert!(
        entries.items().len() == 2 && entries.items().iter().all(|entry| entry["version"] == 1),
        "{}",
        entries.text
    );
    assert_eq!(run.admin().get("/ingest").await.items().len(), 1);
}

pub(super) async fn a_page_is_ingested(run: &Run<'_>) {
    let pages = Pages::start().await;
    let body = json!({"url": pages.html("/help", PAGE), "pathPrefix": "made"});
    let accepted = run.send(&run.admin(), Method::POST, "/ingest", Some(&body)).await;
    expect_made(run, &accepted).await;
    run.expect_told(&[("ingest.completed", 1), ("entry.created", 2)]);
}

pub(super) async fn a_failed_job_is_tried_again(run: &Run<'_>) {
    let pages = Pages::start().await;
    let body = json!({"url": pages.url("/late"), "pathPrefix": "made"});
    let accepted = run.admin().post("/ingest", body).await;
    run.world.service.drain().await;
    pages.html("/late", PAGE);
    let path = format!("/ingest/{}/retry", accepted.text_at("ingestId"));
    run.send(&run.admin(), Method::POST, &path, None).await;
    expect_made(run, &accepted).await;
    run.expect_told(&[("ingest.failed", 1), ("ingest.completed", 1), ("entry.created", 2)]);
}

pub(super) async fn a_gap_is_triaged(run: &Run<'_>) {
    let session = run.customer().session().await;
    run.customer().ask(&session, "Which zebra sings on Jupiter?").await.expect(200);
    run.world.service.drain().await;
    let open = run.agent().get("/analytics/kb-gaps").await;
    let path = format!("/analytics/kb-gaps/{}", open.text_at("/items/0/gapId"));
    run.send(&run.admin(), Method::PATCH, &path, Some(&json!({"status": "dismissed"}))).await;
    let dismissed = run.agent().get("/analytics/kb-gaps?status=dismissed").await;
    assert_eq!((dismissed.items().len(), dismissed.at("/items/0/count")), (1, &json!(1)), "{}", dismissed.text);
    assert!(run.agent().get("/analytics/kb-gaps").await.items().is_empty());
}
