//! A rebuild of the index of a service that is used: no search fails, and every entry is found by its words and by its
//! vectors.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use answer::search::VisibilityFilter;
use domain::models::{Visibility, WikiEntry, WikiPath};
use serde_json::{Value, json};
use support::wiki::indexing::rebuild;

use super::{LEAVE, QUESTION, candidates, checked, paths, service_with};
use crate::services;
use crate::support::{EmbeddingStub, TestService, http_client};

#[tokio::test(flavor = "multi_thread")]
async fn an_index_is_rebuilt_while_it_is_searched_and_written() {
    let Some(url) = services::opensearch() else { return };
    let stub = EmbeddingStub::start().await;
    let service = TestService::with(|options| {
        stub.configure(options);
        options.start.opensearch_url = Some(url.to_owned());
    })
    .await;
    let (path, title, content) = LEAVE;
    let leave = json!({"path": path, "title": title, "content": content, "visibility": "internal"});
    service.trainer().post("/wiki", leave).await.expect(201);
    for number in 0..40 {
        service.trainer().wiki_entry(&format!("before/n{number}"), "Walrus", "A walrus swims.").await;
    }
    service.trainer().delete("/wiki/before/n7").await.expect(204);
    service.drain().await;
    stub.passages();

    let (ended, told) = (AtomicBool::new(false), AtomicU64::new(0));
    let rebuilding = async {
        let told = |records| told.store(records, Ordering::SeqCst);
        let rebuilt = rebuild(service.resources(), Duration::from_secs(1), &told).await;
        ended.store(true, Ordering::SeqCst);
        rebuilt.unwrap().unwrap()
    };
    let writing = async {
        let mut written = 0;
        while !ended.load(Ordering::SeqCst) {
            let (path, content) = (format!("during/n{written}"), "A walrus sleeps.");
            service.trainer().wiki_entry(&path, "Walrus", content).await;
            service
                .trainer()
                .patch("/wiki/before/n3", json!({"content": format!("Walrus {written}")}))
                .await
                .expect(200);
            written += 1;
        }
        written
    };
    let searching = async {
        let mut least = u64::MAX;
        while !ended.load(Ordering::SeqCst) {
            let found = service.trainer().get("/wiki?q=walrus").await;
            least = least.min(found.expect(200)["total"].as_u64().unwrap());
        }
        least
    };
    let (records, written, least) = tokio::join!(rebuilding, writing, searching);
    assert!(records >= 41 && told.load(Ordering::SeqCst) >= records, "{records} {told:?}");
    assert!(written > 0 && least >= 39, "{written} written; a search found {least} of 39 at least");
    service.drain().await;
    assert_eq!(service.trainer().get("/wiki?q=walrus").await.json["total"], 39 + written);
    // The vectors were taken from the table.
    assert_eq!(checked(&service).await, ("ok".into(), json!(0)));
    let internal = VisibilityFilter::Only(Visibility::Internal);
    let found = candidates(&service, &service.scope(), QUESTION, internal).await;
    assert_eq!(paths(&found), [path]);
    assert!(!stub.passages().iter().any(|passage| passage.contains("thirty days")), "it was embedded again");
}

/// Changes an entry as a function of an older release does, which knows of no rebuild: in the table, and in the index
/// that is searched.
async fn write_as_an_older_release(service: &TestService, url: &str, path: &str, word: &str) {
    let (resources, scope) = (service.resources(), service.scope());
    let changed = |entry: &WikiEntry| Ok(Some(WikiEntry { content: format!("A {word}."), ..entry.clone() }));
    let wiki_path = WikiPath::parse(path).unwrap();
    let updated = resources.store.wiki().update(&scope, &wiki_path, changed).await.unwrap().entry;
    let id = format!("{}%23live%23{}", scope.tenant, path.replace('/', "%2F"));
    let document = format!("{url}/{}/_doc/{id}", resources.config.search_index);
    let http = http_client();
    let mut stored: Value = http.get(&document).send().await.unwrap().json().await.unwrap();
    let body = &mut stored["_source"];
    body["version"] = updated.version.into();
    body["entry"]["content"] = updated.content.into();
    body["allTerms"] = word.into();
    body["passages"][0]["terms"] = word.into();
    let version = updated.version.to_string();
    let query = [("version", version.as_str()), ("version_type", "external"), ("refresh", "true")];
    let written = http.put(&document).query(&query).json(body).send().await.unwrap();
    assert!(written.status().is_success(), "{}", written.text().await.unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_of_an_older_release_to_the_old_index_is_repaired_by_the_second_pass() {
    let Some(url) = services::opensearch() else { return };
    let is_written = Arc::new(AtomicBool::new(false));
    let no_more_changes = is_written.clone();
    let service = TestService::with(|options| {
        options.start.opensearch_url = Some(url.to_owned());
        // The consumer of this release would write the change of the older one to both indexes.
        options.wrap_changes = Some(Box::new(move |handle| {
            Arc::new(move |records| match no_more_changes.load(Ordering::SeqCst) {
                true => Box::pin(async { None }),
                false => handle(records),
            })
        }));
    })
    .await;
    service.trainer().wiki_entry("help/walrus", "Walrus", "A walrus swims.").await;
    // A consumer that is still busy with the creation would read the older release's write and repair the index.
    service.drain().await;
    let found = async |word: &str| {
        let found = service.trainer().get(&format!("/wiki?q={word}")).await;
        // A node that many tests use at once may answer too late; the next search asks again.
        (found.status != 503).then(|| found.expect(200)["total"].as_u64().unwrap())
    };
    // A write past the service is searched after the next refresh.
    let has_the_write = async || {
        // A minute.
        for _ in 0..240 {
            if (found("narwhal").await, found("swims").await) == (Some(1), Some(0)) {
                return true;
            }
            tokio::time::sleep(Duration::from_millis(250)).await;
        }
        false
    };
    // It is called after the first pass has copied the entry, before the switch.
    let write_once = |_| {
        if !is_written.swap(true, Ordering::SeqCst) {
            tokio::task::block_in_place(|| {
                tokio::runtime::Handle::current().block_on(async {
                    write_as_an_older_release(&service, url, "help/walrus", "narwhal").await;
                    assert!(has_the_write().await, "the old index has the write");
                });
            });
        }
    };
    rebuild(service.resources(), Duration::ZERO, &write_once).await.unwrap().unwrap();
    assert!(is_written.load(Ordering::SeqCst));
    assert!(has_the_write().await, "the new index has it, too");
}

#[tokio::test]
async fn the_embedded_index_needs_no_rebuild() {
    let stub = EmbeddingStub::start().await;
    let service = service_with(&stub).await;
    if service.resources().config.search_endpoint.is_none() {
        assert_eq!(rebuild(service.resources(), Duration::ZERO, &|_| {}).await.unwrap(), None);
    }
}
