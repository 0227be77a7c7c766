//! Requests that only read: they are answered, or 503.

use serde_json::json;

use super::super::run::Run;

const QUESTION: &str = "How long does a refund take?";

pub(super) async fn a_company_reads_everything(run: &Run<'_>) {
    run.admin().wiki_entry("help/refunds", "Refunds", "A refund takes five working days after approval.").await;
    let session = run.customer().session().await;
    run.customer().ask(&session, QUESTION).await.expect(200);
    let asked = run.customer().post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await;
    let job = run.admin().post("/ingest", json!({"text": "A text of one line.", "pathPrefix": "made"})).await;
    run.world.service.drain().await;
    let webhook = run.admin().get("/webhooks").await.text_at("/items/0/webhookId").to_owned();
    let key = run.admin().get("/api-keys").await.text_at("/items/0/keyId").to_owned();
    run.read(
        &run.admin(),
        &[
            "/sessions",
            &format!("/sessions/{session}"),
            &format!("/sessions/{session}/messages"),
            &format!("/sessions/{session}/export"),
            "/inbox",
            "/inbox/agents",
            "/saved-replies",
            "/drafts",
            "/wiki-revisions?path=help/refunds",
            "/sessions?email=ann@example.com",
            &format!("/inbox/{}", asked.text_at("escalationId")),
            "/wiki",
            "/wiki?tag=none",
            "/wiki?q=refund",
            "/wiki/help/refunds",
            "/ingest",
            &format!("/ingest/{}", job.text_at("ingestId")),
            "/analytics",
            "/analytics/kb-gaps",
            "/webhooks",
            &format!("/webhooks/{webhook}"),
            &format!("/webhooks/{webhook}/deliveries"),
            "/api-keys",
            &format!("/api-keys/{key}"),
            "/settings",
        ],
    )
    .await;
}

pub(super) async fn a_visitor_reads(run: &Run<'_>) {
    run.admin().wiki_entry("help/refunds", "Refunds", "A refund takes five working days after approval.").await;
    let visitor = run.visitor().await;
    let session = visitor.session_with(json!({})).await;
    visitor.ask(&session, QUESTION).await.expect(200);
    run.world.service.drain().await;
    run.read(
        &visitor,
        &[
            &format!("/sessions/{session}"),
            &format!("/sessions/{session}/messages"),
            "/wiki",
            "/wiki?q=refund",
            "/wiki/help/refunds",
        ],
    )
    .await;
}
