//! Requests to OpenSearch, with their outcomes. The index is created at the first write or
//! search of an empty domain, from `infra/search/wiki-index.json`.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use opensearch::auth::Credentials;
use opensearch::http::transport::{SingleNodeConnectionPool, TransportBuilder};
use opensearch::http::{StatusCode, Url, response::Response};
use opensearch::indices::{IndicesCreateParts, IndicesExistsAliasParts};
use opensearch::params::VersionType;
use opensearch::{IndexParts, OpenSearch, SearchParts};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::Mutex;

/// How long the making of the index may take.
const CREATE_TIMEOUT: Duration = Duration::from_secs(20);

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

/// [`answer::search::SearchIndex`] over OpenSearch.
#[derive(Debug, Clone)]
pub struct OpenSearchIndex {
    pub(super) client: OpenSearch,
    pub(super) alias: String,
    /// The fields of vectors that were looked for, and whether they are there.
    pub(super) knn_fields: Arc<Mutex<HashMap<String, bool>>>,
}

/// How OpenSearch took a request.
pub(super) enum WriteOutcome {
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
            response = self.send_create(&without_knn(body)).await?;
        }
        outcome("create the index", Ok(response)).await.map(|_| ())
    }

    async fn send_create(&self, body: &Value) -> domain::Result<Response> {
        let index = format!("{}-v1", self.alias);
        let indices = self.client.indices();
        let create = indices.create(IndicesCreateParts::Index(&index)).body(body);
        // Made once in the life of a domain, and slower than any search: all shards must start.
        let sent = create.request_timeout(CREATE_TIMEOUT).send().await;
        sent.map_err(|e| unavailable("create the index", &error_chain(&e)))
    }

    async fn alias_exists(&self) -> domain::Result<bool> {
        let names = [self.alias.as_str()];
        let sent = self.client.indices().exists_alias(IndicesExistsAliasParts::Name(&names)).send().await;
        let response = sent.map_err(|e| unavailable("look for the index", &error_chain(&e)))?;
        Ok(response.status_code().is_success())
    }

    /// Writes a document under its version; an older or equal one is refused by OpenSearch, which is success.
    pub(super) async fn write(&self, id: &str, version: u64, over: VersionType, body: &Value) -> domain::Result<()> {
        let what = "write";
        let version = i64::try_from(version).map_err(|_| domain::Error::internal("a version beyond 63 bits"))?;
        if let WriteOutcome::NoIndex = outcome(what, self.send_write(id, version, over, body).await).await? {
            self.create_index().await?;
            if let WriteOutcome::NoIndex = outcome(what, self.send_write(id, version, over, body).await).await? {
                return Err(unavailable(what, "the index just made is not there"));
            }
        }
        Ok(())
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

    /// The answer to a search.
    pub(super) async fn ask<A: DeserializeOwned>(&self, body: &Value) -> domain::Result<A> {
        let what = "search";
        let mut answered = outcome(what, self.send_search(body).await).await?;
        if let WriteOutcome::NoIndex = answered {
            self.create_index().await?;
            answered = outcome(what, self.send_search(body).await).await?;
        }
        let WriteOutcome::Done(response) = answered else {
            return Err(unavailable(what, "the index just made is not there"));
        };
        response.json().await.map_err(|e| unavailable(what, &error_chain(&e)))
    }

    pub(super) async fn send_search(&self, body: &Value) -> Result<Response, opensearch::Error> {
        self.client
            .search(SearchParts::Index(&[&self.alias]))
            .allow_partial_search_results(false)
            .body(body)
            .send()
            .await
    }
}

/// What became of a request.
pub(super) async fn outcome(what: &str, sent: Result<Response, opensearch::Error>) -> domain::Result<WriteOutcome> {
    let response = sent.map_err(|e| unavailable(what, &error_chain(&e)))?;
    match response.status_code() {
        status if status.is_success() => Ok(WriteOutcome::Done(response)),
        StatusCode::CONFLICT => Ok(WriteOutcome::Outdated),
        status => {
            let kind = error_type(response).await;
            if status == StatusCode::NOT_FOUND && kind == "index_not_found_exception" {
                return Ok(WriteOutcome::NoIndex);
            }
            Err(unavailable(what, &format!("{status} {kind}")))
        }
    }
}

/// OpenSearch's name for what went wrong. Its reason may quote what people wrote, so it is not read.
pub(super) async fn error_type(response: Response) -> String {
    let body: Value = response.json().await.unwrap_or_default();
    body.pointer("/error/type").and_then(Value::as_str).unwrap_or("without a reason").to_owned()
}

/// The whole story of a failed request: the client's own line names the address, its sources the cause.
pub(super) fn error_chain(error: &opensearch::Error) -> String {
    let mut causes = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        causes.push_str(": ");
        causes.push_str(&inner.to_string());
        cause = inner.source();
    }
    causes
}

/// A search service that does not answer: what was asked of it, and why it failed.
pub(super) fn unavailable(what: &str, why: &str) -> domain::Error {
    domain::Error::unavailable(format!("OpenSearch did not {what}: {why}"))
}

/// The index's settings without its vectors, for an OpenSearch that has no k-NN plugin.
fn without_knn(mut index: Value) -> Value {
    if let Some(settings) = index.pointer_mut("/settings/index").and_then(Value::as_object_mut) {
        settings.remove("knn");
    }
    index
}
