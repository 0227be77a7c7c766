//! The wiki index on Amazon OpenSearch Service, or any OpenSearch from 2.19 on.
//!
//! One document per entry, replaced as one under the entry's version as external version: OpenSearch refuses a late or
//! repeated write (409), which counts as success. `document` and `write` write, `query` builds queries, `entries` searches,
//! `response` parses responses. Searches of one step are one request (`_msearch`). The index is created at the first write
//! or search of an empty domain, from `infra/search/wiki-index.json`, and can be replaced by one with a newer mapping while
//! it is used. The mapping is not dynamic: fields that it does not know are ignored, so a function of an older or newer
//! release can always write.

mod connection;
mod document;
mod entries;
mod query;
mod response;
mod write;

use std::time::Duration;

use async_trait::async_trait;
use http::Method;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::json;

use self::connection::unavailable;
pub use self::connection::{AnswerRequests, OpenSearchIndex, OpenSearchReply, OpenSearchRequest, OpenSearchSettings};
use self::entries::EntryBuckets;
use self::query::ScopeFilter;
use self::response::{Address, SearchResponse, Source};
use self::write::{DocumentWrite, VersionType};
use answer::search::{EntryAddress, EntryFilter, EntryHits, EntryQuery, IndexRebuild, IndexedEntry, SearchIndex};
use domain::models::{EmbeddingSpace, Scope, Timestamp, WikiPath};

/// The response to a removal of tombstones.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Purged {
    deleted: u64,
    failures: Vec<IgnoredAny>,
}

/// How long the removal of tombstones may take.
const PURGE_TIMEOUT: Duration = Duration::from_secs(20);

impl OpenSearchIndex {
    async fn write_entry(&self, scope: &Scope, entry: &IndexedEntry, over: VersionType) -> domain::Result<()> {
        let id = &document::document_id(scope, &entry.entry.path);
        let knn_field = entry.vectors.as_ref().and_then(document::knn_field_of);
        let body = &document::entry_document(scope, entry, knn_field.as_ref().map(|(field, _)| field.as_str()));
        self.write(&DocumentWrite { id, version: entry.entry.version, over, body, knn_field }).await
    }
}

#[async_trait]
impl SearchIndex for OpenSearchIndex {
    async fn put(&self, scope: &Scope, entry: &IndexedEntry) -> domain::Result<()> {
        self.write_entry(scope, entry, VersionType::External).await
    }

    async fn replace(&self, scope: &Scope, entry: &IndexedEntry) -> domain::Result<()> {
        self.write_entry(scope, entry, VersionType::ExternalGte).await
    }

    async fn delete(&self, scope: &Scope, path: &WikiPath, version: u64, at: Timestamp) -> domain::Result<()> {
        let id = &document::document_id(scope, path);
        let body = &document::tombstone(scope, path, version, at);
        self.write(&DocumentWrite { id, version, over: VersionType::External, body, knn_field: None }).await
    }

    async fn search(&self, scope: &Scope, query: &EntryQuery) -> domain::Result<EntryHits> {
        if query.terms.distinct.is_empty() || no_path_begins_so(&query.filter) {
            return Ok(EntryHits::default());
        }
        let within = ScopeFilter { scope, visibility: query.filter.visibility, without: &[] };
        let counted: SearchResponse<Source, EntryBuckets> = self.ask(&entries::counts(within, &query.terms)).await?;
        let counts = counted.counts()?.counts_for(&query.terms)?;
        self.ask::<SearchResponse>(&entries::page(scope, query, &counts)).await?.entries(within)
    }

    async fn count(&self, scope: &Scope, filter: &EntryFilter) -> domain::Result<u64> {
        if no_path_begins_so(filter) {
            return Ok(0);
        }
        self.ask::<SearchResponse<Address>>(&query::count(scope, filter)).await?.total()
    }

    async fn purge_deleted(&self, before: Timestamp) -> domain::Result<u64> {
        let what = "purge";
        let refresh = self.settings.refresh;
        // Entries that a write changes meanwhile are left for the next time.
        let path = format!("/{}/_delete_by_query?conflicts=proceed&refresh={refresh}", self.alias());
        let tombstones = &query::deleted_before(before);
        let purge = OpenSearchRequest::new(Method::POST, path).json(tombstones).within(PURGE_TIMEOUT);
        let Some(reply) = self.send(what, &purge).await?.outcome(what)? else { return Ok(0) };
        let Purged { deleted, failures } = reply.json(what)?;
        if !failures.is_empty() {
            // A failure names the document, so only their number is told.
            return Err(unavailable(what, &format!("{} of its deletions failed", failures.len())));
        }
        Ok(deleted)
    }

    async fn without_vectors(
        &self,
        space: &EmbeddingSpace,
        after: Option<&EntryAddress>,
        limit: usize,
    ) -> domain::Result<Vec<EntryAddress>> {
        self.ask::<SearchResponse<Address>>(&query::without_vectors(space, after, limit)).await?.addresses()
    }

    async fn count_without_vectors(&self, space: &EmbeddingSpace) -> domain::Result<u64> {
        self.refresh().await?;
        self.ask::<SearchResponse<Address>>(&query::without_vectors(space, None, 0)).await?.total()
    }

    async fn refresh(&self) -> domain::Result<()> {
        self.refresh_index(self.alias()).await
    }

    async fn mapping_differences(&self) -> domain::Result<Vec<String>> {
        self.different_fields().await
    }

    fn as_rebuild(&self) -> Option<&dyn IndexRebuild> {
        self.is_remote().then_some(self as &dyn IndexRebuild)
    }

    async fn ping(&self) -> domain::Result<()> {
        let nothing = json!({"size": 0, "terminate_after": 1, "track_total_hits": false});
        self.ask::<SearchResponse>(&nothing).await.map(|_| ())
    }
}

/// OpenSearch refuses a prefix of some thousand characters; no path is longer than these.
fn no_path_begins_so(filter: &EntryFilter) -> bool {
    filter.path_prefix.as_ref().is_some_and(|prefix| prefix.len() > WikiPath::MAX_BYTES)
}
