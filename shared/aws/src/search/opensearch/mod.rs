//! The wiki index on Amazon OpenSearch Service, or any OpenSearch from 2.19 on.
//!
//! One document per entry, replaced as one under the entry's version as external version: OpenSearch refuses a late or
//! repeated write (409), which counts as success. `document` writes, `query` builds queries, `response` parses
//! responses, `vectors` finds entries by meaning. The index is created at the first write or search of an empty domain,
//! from `infra/search/wiki-index.json`.

mod document;
mod query;
mod response;
mod vectors;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use opensearch::auth::Credentials;
use opensearch::http::transport::{SingleNodeConnectionPool, TransportBuilder};
use opensearch::http::{StatusCode, Url, response::Response};
use opensearch::indices::{IndicesCreateParts, IndicesExistsAliasParts};
use opensearch::params::{Conflicts, VersionType};
use opensearch::{DeleteByQueryParts, IndexParts, OpenSearch, SearchParts};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::Mutex;

use self::query::Within;
use self::response::SearchAnswer;
use answer::search::{EntryAddress, EntryHits, EntryQuery, IndexedEntry, Retrieval, SearchIndex, VisibilityFilter};
use domain::models::{EmbeddingSpace, QueryVector, Scope, Timestamp, WikiPath};
use text::{MAX_REPAIRS, QueryTerms};

/// How long the making of the index may take.
const CREATE_TIMEOUT: Duration = Duration::from_secs(20);

/// How long the removal of tombstones may take.
const PURGE_TIMEOUT: Duration = Duration::from_secs(20);

/// Settings and mapping of the index.
const WIKI_INDEX: &str = include_str!("../../../../../infra/search/wiki-index.json");

/// Where the index is and how to talk to it.
#[derive(Debug, Clone)]
pub struct OpenSearchSettings {
    /// `https://…` of the domain, or a loopback address.
    pub endpoint: String,
    /// The alias that reads and writes go to; the index behind it is `<alias>-v1`.
    pub alias: String,
    /// At most so long per request, connect to last byte.
    pub timeout: Duration,
    /// Signs every request (SigV4, service `es`) with these credentials and region; unsigned without.
    pub sign_with: Option<aws_config::SdkConfig>,
}

impl OpenSearchSettings {
    /// Unsigned requests of at most 3 seconds to the alias `wiki`.
    pub fn unsigned(endpoint: impl Into<String>) -> Self {
        Self { endpoint: endpoint.into(), alias: "wiki".to_owned(), timeout: Duration::from_secs(3), sign_with: None }
    }

    /// The same, signed.
    pub fn signed(endpoint: impl Into<String>, config: aws_config::SdkConfig) -> Self {
        Self { sign_with: Some(config), ..Self::unsigned(endpoint) }
    }
}

/// [`SearchIndex`] over OpenSearch.
#[derive(Debug, Clone)]
pub struct OpenSearchIndex {
    client: OpenSearch,
    alias: String,
    /// The fields of vectors that were looked for, and whether they are there.
    knn_fields: Arc<Mutex<HashMap<String, bool>>>,
}

/// How OpenSearch took a request.
enum Outcome {
    Done(Response),
    /// It holds a version that is as new.
    Outdated,
    /// The index does not exist yet.
    NoIndex,
}

impl OpenSearchIndex {
    /// A client for `settings`; connects at the first request. An internal error where they cannot work.
    pub fn connect(settings: OpenSearchSettings) -> domain::Result<Self> {
        let wrong = |why: String| domain::Error::internal(format!("OpenSearch cannot be configured: {why}"));
        let url = Url::parse(&settings.endpoint).map_err(|e| wrong(e.to_string()))?;
        let mut builder =
            TransportBuilder::new(SingleNodeConnectionPool::new(url)).disable_proxy().timeout(settings.timeout);
        if let Some(config) = settings.sign_with {
            builder = builder.auth(Credentials::try_from(config).map_err(|e| wrong(e.to_string()))?);
        }
        let transport = builder.build().map_err(|e| wrong(e.to_string()))?;
        Ok(Self { client: OpenSearch::new(transport), alias: settings.alias, knn_fields: Arc::default() })
    }

    /// Makes the index and its alias where there are none; changes nothing where there are.
    pub async fn create_index(&self) -> domain::Result<()> {
        let mut body: Value = serde_json::from_str(WIKI_INDEX)
            .map_err(|e| domain::Error::internal(format!("infra/search/wiki-index.json: {e}")))?;
        if let Some(fields) = body.as_object_mut() {
            fields.insert("aliases".to_owned(), json!({self.alias.as_str(): {}}));
        }
        let mut response = self.send_create(&body).await?;
        if response.status_code() == StatusCode::BAD_REQUEST {
            // Another function may have been faster, or the k-NN plugin is not there.
            if self.alias_exists().await? {
                return Ok(());
            }
            response = self.send_create(&vectors::without_knn(body)).await?;
        }
        outcome("create the index", Ok(response)).await.map(|_| ())
    }

    async fn send_create(&self, body: &Value) -> domain::Result<Response> {
        let index = format!("{}-v1", self.alias);
        let indices = self.client.indices();
        let create = indices.create(IndicesCreateParts::Index(&index)).body(body);
        // Made once in the life of a domain, and slower than any search: all shards must start.
        let sent = create.request_timeout(CREATE_TIMEOUT).send().await;
        sent.map_err(|e| unavailable("create the index", &chain(&e)))
    }

    async fn alias_exists(&self) -> domain::Result<bool> {
        let names = [self.alias.as_str()];
        let sent = self.client.indices().exists_alias(IndicesExistsAliasParts::Name(&names)).send().await;
        let response = sent.map_err(|e| unavailable("look for the index", &chain(&e)))?;
        Ok(response.status_code().is_success())
    }

    async fn write(&self, id: &str, version: u64, over: VersionType, body: &Value) -> domain::Result<()> {
        let what = "write";
        let version = i64::try_from(version).map_err(|_| domain::Error::internal("a version beyond 63 bits"))?;
        if let Outcome::NoIndex = outcome(what, self.send_write(id, version, over, body).await).await? {
            self.create_index().await?;
            if let Outcome::NoIndex = outcome(what, self.send_write(id, version, over, body).await).await? {
                return Err(unavailable(what, "the index just made is not there"));
            }
        }
        Ok(())
    }

    async fn write_entry(&self, scope: &Scope, entry: &IndexedEntry, over: VersionType) -> domain::Result<()> {
        let id = document::document_id(scope, &entry.entry.path);
        let knn_field = self.field_of(entry.vectors.as_ref()).await?;
        let document = document::entry_document(scope, entry, knn_field.as_deref());
        let written = self.write(&id, entry.entry.version, over, &document).await;
        if knn_field.is_some() && written.is_err() {
            // The index may have been replaced by one without the field.
            self.knn_fields.lock().await.clear();
        }
        written
    }

    async fn send_write(
        &self,
        id: &str,
        version: i64,
        over: VersionType,
        body: &Value,
    ) -> Result<Response, opensearch::Error> {
        self.client
            .index(IndexParts::IndexId(&self.alias, id))
            .version(version)
            .version_type(over)
            .require_alias(true)
            .body(body)
            .send()
            .await
    }

    async fn ask<A: DeserializeOwned>(&self, body: &Value) -> domain::Result<A> {
        let what = "search";
        let mut answered = outcome(what, self.send_search(body).await).await?;
        if let Outcome::NoIndex = answered {
            self.create_index().await?;
            answered = outcome(what, self.send_search(body).await).await?;
        }
        let Outcome::Done(response) = answered else {
            return Err(unavailable(what, "the index just made is not there"));
        };
        response.json().await.map_err(|e| unavailable(what, &chain(&e)))
    }

    async fn send_search(&self, body: &Value) -> Result<Response, opensearch::Error> {
        self.client
            .search(SearchParts::Index(&[&self.alias]))
            .allow_partial_search_results(false)
            .body(body)
            .send()
            .await
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
        let id = document::document_id(scope, path);
        self.write(&id, version, VersionType::External, &document::tombstone(scope, path, version, at)).await
    }

    async fn retrieve(
        &self,
        scope: &Scope,
        query: &QueryTerms,
        vector: Option<&QueryVector>,
        visibility: VisibilityFilter,
    ) -> domain::Result<Retrieval> {
        if query.distinct.is_empty() && vector.is_none() {
            return Ok(Retrieval::default());
        }
        self.retrieve_by_both(Within { scope, visibility }, query, vector).await
    }

    async fn nearest_words(
        &self,
        scope: &Scope,
        words: &[String],
        visibility: VisibilityFilter,
    ) -> domain::Result<Vec<Option<String>>> {
        let within = Within { scope, visibility };
        let looked_up = words.get(..MAX_REPAIRS).unwrap_or(words);
        let mut near =
            self.ask::<SearchAnswer>(&query::near_words(within, looked_up)).await?.near_words(within, looked_up)?;
        near.resize(words.len(), None);
        Ok(near)
    }

    async fn search(&self, scope: &Scope, query: &EntryQuery) -> domain::Result<EntryHits> {
        // OpenSearch refuses a prefix of some thousand characters; no path is longer than these.
        let no_path_begins_so = query.path_prefix.as_ref().is_some_and(|prefix| prefix.len() > WikiPath::MAX_BYTES);
        if query.terms.distinct.is_empty() || no_path_begins_so {
            return Ok(EntryHits::default());
        }
        let within = Within { scope, visibility: query.visibility };
        self.ask::<SearchAnswer>(&query::entries(within, query)).await?.entries(within)
    }

    async fn purge_deleted(&self, before: Timestamp) -> domain::Result<u64> {
        let what = "purge";
        let names = [self.alias.as_str()];
        let request = self.client.delete_by_query(DeleteByQueryParts::Index(&names));
        // What a write changes meanwhile is left for the next time.
        let request = request.conflicts(Conflicts::Proceed).request_timeout(PURGE_TIMEOUT);
        let Outcome::Done(response) = outcome(what, request.body(query::deleted_before(before)).send().await).await?
        else {
            return Ok(0);
        };
        let answer: Value = response.json().await.map_err(|e| unavailable(what, &chain(&e)))?;
        Ok(answer.get("deleted").and_then(Value::as_u64).unwrap_or(0))
    }

    async fn without_vectors(
        &self,
        space: &EmbeddingSpace,
        after: Option<&EntryAddress>,
        limit: usize,
    ) -> domain::Result<Vec<EntryAddress>> {
        self.addresses_without_vectors(space, after, limit).await
    }

    async fn count_without_vectors(&self, space: &EmbeddingSpace) -> domain::Result<u64> {
        self.total_without_vectors(space).await
    }

    async fn ping(&self) -> domain::Result<()> {
        let nothing = json!({"size": 0, "terminate_after": 1, "track_total_hits": false});
        self.ask::<SearchAnswer>(&nothing).await.map(|_| ())
    }
}

async fn outcome(what: &str, sent: Result<Response, opensearch::Error>) -> domain::Result<Outcome> {
    let response = sent.map_err(|e| unavailable(what, &chain(&e)))?;
    match response.status_code() {
        status if status.is_success() => Ok(Outcome::Done(response)),
        StatusCode::CONFLICT => Ok(Outcome::Outdated),
        status => {
            let kind = error_type(response).await;
            if status == StatusCode::NOT_FOUND && kind == "index_not_found_exception" {
                return Ok(Outcome::NoIndex);
            }
            Err(unavailable(what, &format!("{status} {kind}")))
        }
    }
}

/// OpenSearch's name for what went wrong. Its reason may quote what people wrote, so it is not read.
async fn error_type(response: Response) -> String {
    let body: Value = response.json().await.unwrap_or_default();
    body.pointer("/error/type").and_then(Value::as_str).unwrap_or("without a reason").to_owned()
}

/// The whole story of a failed request: the client's own line names the address, its sources the cause.
fn chain(error: &opensearch::Error) -> String {
    let mut story = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        story.push_str(": ");
        story.push_str(&inner.to_string());
        cause = inner.source();
    }
    story
}

fn unavailable(what: &str, why: &str) -> domain::Error {
    domain::Error::unavailable(format!("OpenSearch did not {what}: {why}"))
}
