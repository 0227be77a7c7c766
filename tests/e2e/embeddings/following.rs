//! Embedding after a write: each passage's text is embedded once, and its vector is kept as long as the entry.

use answer::search::VisibilityFilter;
use serde_json::json;

use super::{LEAVE, QUESTION, candidates, checked, paths, service_with};
use crate::support::{EmbeddingStub, TestService};

/// Eight passages of different sentences.
fn long_text() -> String {
    (0..60)
        .map(|number| format!("Sentence {number} tells what department {number} does about item {number}. "))
        .collect()
}

async fn kept_vectors(service: &TestService) -> usize {
    service.raw_items().await.iter().filter(|item| item.contains("#VEC#")).count()
}

#[tokio::test]
async fn a_text_is_embedded_once_whatever_else_changes() {
    let stub = EmbeddingStub::start().await;
    let service = service_with(&stub).await;
    let trainer = service.trainer();
    trainer.wiki_entry("a/b", "Parcels", &long_text()).await;
    service.drain().await;
    let passages = stub.passages().len();
    assert!(passages > 4, "{passages}");
    trainer.patch("/wiki/a/b", json!({"visibility": "internal", "tags": ["x"]})).await.expect(200);
    service.drain().await;
    service.admin().patch("/settings", json!({"language": "de"})).await.expect(200);
    service.drain().await;
    service.sweep().await;
    service.drain().await;
    assert_eq!(stub.passages(), Vec::<String>::new());
    assert_eq!(checked(&service).await.1, 0);
    let changed = format!("{} One more sentence stands at the end.", long_text());
    trainer.patch("/wiki/a/b", json!({"content": changed})).await.expect(200);
    service.drain().await;
    assert_eq!(stub.passages().len(), 1, "only the last passage has another text");
    assert_eq!(kept_vectors(&service).await, passages, "what no passage says any more is not kept");
}

#[tokio::test]
async fn a_restart_finds_by_vectors_and_embeds_nothing() {
    let stub = EmbeddingStub::start().await;
    let service = service_with(&stub).await;
    let (path, title, content) = LEAVE;
    service.trainer().wiki_entry(path, title, content).await;
    service.drain().await;
    assert_eq!(stub.passages().len(), 1);
    let model = stub.clone();
    let service = service.restart_with(move |options| model.configure(options)).await;
    let sweep = async || {
        service.sweep().await;
        service.drain().await;
    };
    if service.has_remote_table() {
        // The sweeper adds the stored vectors.
        sweep().await;
    }
    let found = candidates(&service, &service.scope(), QUESTION, VisibilityFilter::All).await;
    assert_eq!(paths(&found), [path]);
    sweep().await;
    assert_eq!(stub.passages(), Vec::<String>::new());
}

#[tokio::test]
async fn a_deleted_entry_takes_its_vectors_along() {
    let stub = EmbeddingStub::start().await;
    let service = service_with(&stub).await;
    let (path, title, content) = LEAVE;
    service.trainer().wiki_entry(path, title, content).await;
    service.drain().await;
    assert_eq!(kept_vectors(&service).await, 1);
    service.trainer().delete(&format!("/wiki/{path}")).await.expect(204);
    service.drain().await;
    assert_eq!(kept_vectors(&service).await, 0);
    let found = candidates(&service, &service.scope(), QUESTION, VisibilityFilter::All).await;
    assert_eq!(paths(&found), Vec::<&str>::new());
    assert_eq!(checked(&service).await.1, 0);
}

#[tokio::test]
async fn entries_of_an_ingest_job_are_embedded_too() {
    let stub = EmbeddingStub::start().await;
    let service = service_with(&stub).await;
    let text = "# Leave\n\nEverybody has thirty days of vacation each year, of which five may be kept for the next.";
    let body = json!({"text": text, "pathPrefix": "hr/rules"});
    service.trainer().post("/ingest", body).await.expect(202);
    service.drain().await;
    assert_eq!(stub.passages().len(), 1);
    assert_eq!(checked(&service).await.1, 0);
}
