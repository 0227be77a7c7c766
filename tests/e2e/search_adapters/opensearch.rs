//! Behaviour of OpenSearch only: it refreshes by itself, is created if missing, and can be unavailable.

use std::time::Duration;

use answer::search::{CandidateIndex, Lookup, SearchIndex, VisibilityFilter};
use aws::search::opensearch::{OpenSearchIndex, OpenSearchSettings};
use domain::error::Code;

use super::corpus::{indexed, reference_wiki};
use super::{english, listing, new_scope};
use crate::services;

/// How long is waited for what a busy machine may take its time for, before it is taken for something that never comes.
const TIMEOUT: Duration = Duration::from_secs(60);

#[tokio::test]
async fn an_empty_domain_gets_its_index_at_the_first_use_by_many_at_once() {
    let Some(url) = services::opensearch() else { return };
    let settings = OpenSearchSettings {
        alias: "first-use".into(),
        timeout: Duration::from_secs(60),
        ..OpenSearchSettings::unsigned(url)
    };
    let index = OpenSearchIndex::connect(settings).unwrap();
    index.ping().await.unwrap();
    let scope = new_scope();
    let entry = indexed("a/b", "Title", "Text.");
    let uses = (0..8).map(|_| async {
        index.create_index().await.unwrap();
        index.put(&scope, &entry).await.unwrap();
    });
    futures::future::join_all(uses).await;
    let found = index.search(&scope, &listing("text")).await;
    assert!(found.is_ok(), "{found:?}");
}

/// The promise is two seconds; the index refreshes every one. How long it takes on a busy machine is not asserted.
#[tokio::test]
async fn a_write_becomes_searchable_by_itself() {
    let Some(url) = services::opensearch() else { return };
    let mapping: serde_json::Value =
        serde_json::from_str(include_str!("../../../infra/search/wiki-index.json")).unwrap();
    assert!(mapping.to_string().contains(r#""refresh_interval":"1s""#));
    let settings = OpenSearchSettings { timeout: Duration::from_secs(60), ..OpenSearchSettings::unsigned(url) };
    let index = OpenSearchIndex::connect(settings).unwrap();
    let scope = new_scope();
    index.put(&scope, &indexed("a/b", "Title", "A walrus.")).await.unwrap();
    let found = async {
        while index.search(&scope, &listing("walrus")).await.unwrap().total == 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(TIMEOUT, found).await.expect("it never becomes searchable");
}

#[tokio::test]
async fn after_a_refresh_every_write_before_it_is_searchable() {
    let Some(url) = services::opensearch() else { return };
    let settings = OpenSearchSettings { timeout: Duration::from_secs(60), ..OpenSearchSettings::unsigned(url) };
    let index = OpenSearchIndex::connect(settings).unwrap();
    for _ in 0..5 {
        let scope = new_scope();
        index.put(&scope, &indexed("a/b", "Title", "A walrus.")).await.unwrap();
        index.refresh().await.unwrap();
        assert_eq!(index.search(&scope, &listing("walrus")).await.unwrap().total, 1);
    }
}

#[tokio::test]
async fn an_index_that_is_away_is_unavailable_at_once() {
    let closed = format!("http://127.0.0.1:{}", services::unused_port());
    let index = OpenSearchIndex::connect(OpenSearchSettings::unsigned(closed)).unwrap();
    let (scope, question) = (new_scope(), english().query("refund"));
    let entry = reference_wiki().remove(0);
    let failures = [
        index.put(&scope, &entry).await.unwrap_err(),
        index.delete(&scope, &entry.entry.path, 2, entry.entry.updated_at).await.unwrap_err(),
        index
            .retrieve(&scope, &[Lookup { terms: &question, vector: None, misspelt: &[] }], VisibilityFilter::All)
            .await
            .unwrap_err(),
        index.search(&scope, &listing("refund")).await.unwrap_err(),
        index.ping().await.unwrap_err(),
    ];
    for failure in failures {
        assert_eq!(failure.code(), Code::ServiceUnavailable);
        assert!(!failure.message().contains("127.0.0.1"), "{failure}");
        assert!(failure.causes().iter().any(|line| line.contains("127.0.0.1")), "{failure}");
    }
}

#[tokio::test]
async fn an_index_that_hangs_is_unavailable_after_its_timeout() {
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let settings = OpenSearchSettings {
        timeout: Duration::from_millis(200),
        ..OpenSearchSettings::unsigned(format!("http://{}", silent.local_addr().unwrap()))
    };
    let index = OpenSearchIndex::connect(settings).unwrap();
    let answered = tokio::time::timeout(TIMEOUT, index.ping()).await.expect("it waits for ever");
    assert_eq!(answered.unwrap_err().code(), Code::ServiceUnavailable);
}
