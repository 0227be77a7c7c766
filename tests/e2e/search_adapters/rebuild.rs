//! The rebuild of the index under a newer mapping, on a real OpenSearch: writes of every release succeed before, during and
//! after it, no search fails, and nothing is lost.

use std::time::Duration;

use answer::search::{EntryFilter, EntryQuery, IndexRebuild, IndexedEntry, SearchIndex};
use aws::search::opensearch::{OpenSearchIndex, OpenSearchSettings};
use domain::error::Code;
use domain::models::{Scope, WikiEntry, WikiPath};
use serde_json::{Value, json};

use super::corpus::{entry, indexed, version};
use super::{EVERYTHING, english, listing, new_scope};
use crate::services;

/// An index of its own, whose mapping is that of an older release, without `tags`.
struct OldIndex {
    url: String,
    alias: String,
    http: reqwest::Client,
}

impl OldIndex {
    async fn create() -> Option<Self> {
        let url = services::opensearch()?.to_owned();
        let alias = format!("rebuild-{}", new_scope().tenant.as_str().to_lowercase().replace('_', "-"));
        let mut body: Value = serde_json::from_str(include_str!("../../../infra/search/wiki-index.json")).unwrap();
        body["mappings"]["properties"].as_object_mut().unwrap().remove("tags").unwrap();
        body["aliases"] = json!({&alias: {}});
        let index = Self { url, alias, http: reqwest::Client::builder().no_proxy().build().unwrap() };
        let created = index.http.put(format!("{}/{}-v1", index.url, index.alias)).json(&body).send().await.unwrap();
        assert!(created.status().is_success(), "{}", created.text().await.unwrap());
        Some(index)
    }

    /// The adapter, on the alias with this suffix.
    fn adapter(&self, suffix: &str) -> OpenSearchIndex {
        let settings = OpenSearchSettings {
            alias: format!("{}{suffix}", self.alias),
            timeout: Duration::from_secs(60),
            refresh: true,
            ..OpenSearchSettings::unsigned(&self.url)
        };
        OpenSearchIndex::connect(settings).unwrap()
    }

    /// Writes as a function of another release does, which knows of no rebuild: a field that no mapping here has, and none
    /// of the newest ones.
    async fn write_as_another_release(&self, scope: &Scope, path: &str) {
        let id = format!("{}%23live%23{}", scope.tenant, path.replace('/', "%2F"));
        let document = json!({
            "scope": format!("{}#live", scope.tenant), "path": path, "visibility": "internal", "tags": [],
            "deleted": false, "version": 1, "changedAt": 1_767_322_996_000_i64, "entry": entry(path, "Walrus", "A walrus."),
            "titleTerms": "walrus", "titleLength": 1, "allTerms": "walrus", "fieldOfAnotherRelease": {"deep": ["value"]},
            "passages": [{
                "text": "A walrus.", "terms": "walrus walrus", "length": 2, "bigrams": "walrus_walrus", "bigramLength": 1,
                "another": "value",
            }],
        });
        let url = format!("{}/{}/_doc/{id}", self.url, self.alias);
        let query = [("version", "1"), ("version_type", "external"), ("require_alias", "true"), ("refresh", "true")];
        let written = self.http.post(url).query(&query).json(&document).send().await.unwrap();
        assert!(written.status().is_success(), "{}", written.text().await.unwrap());
    }

    /// The names of its versions.
    async fn versions(&self) -> Vec<String> {
        let url = format!("{}/{}-v*/_alias", self.url, self.alias);
        let indices: Value = self.http.get(url).send().await.unwrap().json().await.unwrap();
        indices.as_object().unwrap().keys().map(|name| name[self.alias.len() + 1..].to_owned()).collect()
    }

    async fn delete(self) {
        for name in self.versions().await {
            self.http.delete(format!("{}/{}-{name}", self.url, self.alias)).send().await.unwrap();
        }
    }
}

async fn total(index: &OpenSearchIndex, scope: &Scope, words: &str) -> u64 {
    index.search(scope, &listing(words)).await.unwrap().total
}

#[tokio::test]
async fn writes_go_to_both_indices_and_another_mapping_takes_over_in_one_step() {
    let Some(old) = OldIndex::create().await else { return };
    let (index, next, scope) = (old.adapter(""), old.adapter("-next"), new_scope());
    let kept = WikiEntry { tags: vec!["zoo".to_owned()], ..entry("a/kept", "Kept", "A walrus swims.") };
    let kept = IndexedEntry::new(&english(), &kept);
    index.put(&scope, &kept).await.unwrap();
    index.put(&scope, &indexed("a/gone", "Gone", "A walrus dives.")).await.unwrap();
    old.write_as_another_release(&scope, "other/before").await;
    let zoo = EntryFilter { tag: Some("zoo".to_owned()), ..EVERYTHING };
    let tagged = EntryQuery { filter: zoo, ..listing("walrus") };
    let tagged = async || index.search(&scope, &tagged).await.unwrap().total;
    assert_eq!(tagged().await, 0, "the old mapping has no tags");

    let name = index.begin_rebuild().await.unwrap();
    assert_eq!(old.versions().await, ["v1", "v2"]);
    assert_eq!(total(&next, &scope, "walrus").await, 0);
    index.put(&scope, &indexed("a/new", "New", "A walrus sleeps.")).await.unwrap();
    let gone = WikiPath::parse("a/gone").unwrap();
    index.delete(&scope, &gone, 2, kept.entry.updated_at).await.unwrap();
    old.write_as_another_release(&scope, "other/during").await;
    assert_eq!((total(&index, &scope, "walrus").await, total(&next, &scope, "walrus").await), (4, 1));
    // A late copy from the table is older than a write made meanwhile.
    for late in [kept, version("a/gone", "A walrus dives.", 1), version("a/new", "Nothing.", 1)] {
        index.put(&scope, &late).await.unwrap();
    }
    assert_eq!(total(&next, &scope, "walrus").await, 2);

    index.switch_to(&name).await.unwrap();
    assert_eq!(total(&index, &scope, "walrus").await, 2);
    assert_eq!(tagged().await, 1);
    old.write_as_another_release(&scope, "other/after").await;
    assert_eq!(total(&index, &scope, "walrus").await, 3);
    index.delete_replaced().await.unwrap();
    assert_eq!(old.versions().await, ["v2"]);
    old.delete().await;
}

#[tokio::test]
async fn a_rebuild_that_did_not_finish_is_begun_again_and_cannot_switch_any_more() {
    let Some(old) = OldIndex::create().await else { return };
    let (index, scope) = (old.adapter(""), new_scope());
    index.put(&scope, &indexed("a/b", "Kept", "A walrus.")).await.unwrap();
    let first = index.begin_rebuild().await.unwrap();
    let second = index.begin_rebuild().await.unwrap();
    assert_eq!(old.versions().await, ["v1", "v3"], "{first} {second}");
    assert_eq!(index.switch_to(&first).await.unwrap_err().code(), Code::Conflict);
    assert_eq!(total(&index, &scope, "walrus").await, 1, "the index is as it was");
    index.switch_to(&second).await.unwrap();
    assert_eq!(index.switch_to(&second).await.unwrap_err().code(), Code::Conflict, "once");
    old.delete().await;
}
