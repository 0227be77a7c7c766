//! The client of OpenSearch, its requests, and the index, which is created at the first write or search of an empty
//! domain, from `infra/search/wiki-index.json`.
//!
//! A connection that was kept alive can be closed by the other side, most of all while Lambda has frozen the function.
//! A request is sent again on a fresh connection if the first one broke. Every one may be repeated: a write has its
//! version, and what is created or deleted twice is there or gone.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use futures::future::try_join_all;
use http::{HeaderMap, Method, StatusCode};
use opensearch::OpenSearch;
use opensearch::auth::Credentials;
use opensearch::http::Url;
use opensearch::http::transport::{SingleNodeConnectionPool, TransportBuilder};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::http_client::connection_broke;
use crate::sdk::error_chain;
use domain::models::WikiPath;

/// What searches are called in errors.
const SEARCH: &str = "search";

/// How long the making of the index may take.
const CREATE_TIMEOUT: Duration = Duration::from_secs(20);

/// Settings and mapping of the index.
const WIKI_INDEX: &str = include_str!("../../../../../infra/search/wiki-index.json");

/// Where the index is and how to talk to it.
#[derive(Debug, Clone)]
pub struct OpenSearchSettings {
    /// `https://…` of the domain, or a loopback address.
    pub endpoint: String,
    /// The alias that reads and writes go to; the index behind it is `<alias>-v1`, or a later version that replaced it.
    pub alias: String,
    /// The timeout of one attempt of a request, from connect to last byte.
    pub timeout: Duration,
    /// Makes each write searchable before it returns. Otherwise it is searchable after the index's refresh interval.
    pub refresh: bool,
    /// Signs every request (SigV4, service `es`) with these credentials and region; unsigned without.
    pub sign_with: Option<aws_config::SdkConfig>,
}

impl OpenSearchSettings {
    /// Unsigned requests of at most 3 seconds to the alias `wiki`.
    pub fn unsigned(endpoint: impl Into<String>) -> Self {
        Self {
            endpoint: endpoint.into(),
            alias: "wiki".to_owned(),
            timeout: Duration::from_secs(3),
            refresh: false,
            sign_with: None,
        }
    }

    /// The same, signed.
    pub fn signed(endpoint: impl Into<String>, config: aws_config::SdkConfig) -> Self {
        Self { sign_with: Some(config), ..Self::unsigned(endpoint) }
    }

    /// A client without connections.
    pub(super) fn client(&self) -> domain::Result<OpenSearch> {
        let wrong = |why: String| domain::Error::internal(format!("OpenSearch cannot be configured: {why}"));
        let url = Url::parse(&self.endpoint).map_err(|e| wrong(e.to_string()))?;
        let mut builder =
            TransportBuilder::new(SingleNodeConnectionPool::new(url)).disable_proxy().timeout(self.timeout);
        if let Some(config) = &self.sign_with {
            builder = builder.auth(Credentials::try_from(config.clone()).map_err(|e| wrong(e.to_string()))?);
        }
        Ok(OpenSearch::new(builder.build().map_err(|e| wrong(e.to_string()))?))
    }
}

/// [`answer::search::SearchIndex`] over OpenSearch.
#[derive(Debug, Clone)]
pub struct OpenSearchIndex {
    pub(super) transport: Transport,
    pub(super) settings: Arc<OpenSearchSettings>,
    pub(super) mapped: MappedFields,
    /// A question is asked as if it had no entries at these paths.
    pub(super) without: Arc<[WikiPath]>,
}

impl OpenSearchIndex {
    /// A client for `settings`; connects at the first request. An internal error if they cannot work.
    pub fn connect(settings: OpenSearchSettings) -> domain::Result<Self> {
        let transport = Transport::Http(settings.client()?);
        Ok(Self::over(transport, settings))
    }

    /// The index that `server` answers for, without a connection.
    #[must_use]
    pub fn direct(server: Arc<dyn AnswerRequests>) -> Self {
        Self::over(Transport::Direct(server), OpenSearchSettings::unsigned(""))
    }

    fn over(transport: Transport, settings: OpenSearchSettings) -> Self {
        let settings = Arc::new(settings);
        Self { transport, settings, mapped: MappedFields::default(), without: Arc::default() }
    }

    /// Whether a server on the network has it.
    pub(super) const fn is_remote(&self) -> bool {
        matches!(self.transport, Transport::Http(_))
    }

    /// Sends `request`, once more on a new connection if the first one broke.
    pub(super) async fn send(&self, what: &str, request: &OpenSearchRequest) -> domain::Result<OpenSearchReply> {
        self.transport.send(|| self.settings.client(), what, request).await
    }

    /// The alias that requests name.
    pub(super) fn alias(&self) -> &str {
        &self.settings.alias
    }

    /// The alias of the index under construction, which exists during a rebuild only.
    pub(super) fn next_alias(&self) -> String {
        format!("{}-next", self.alias())
    }

    /// The name of a version of the index.
    pub(super) fn version_name(&self, version: u32) -> String {
        format!("{}-v{version}", self.alias())
    }

    /// Makes the index and its alias if there are none; changes nothing if there are.
    pub async fn create_index(&self) -> domain::Result<()> {
        self.create_version(1, self.alias()).await.map(drop)
    }

    /// Makes a version of the index and its alias, unless the alias exists. Returns the index's name.
    pub(super) async fn create_version(&self, version: u32, alias: &str) -> domain::Result<String> {
        let mut body = index_definition()?;
        if let Some(fields) = body.as_object_mut() {
            fields.insert("aliases".to_owned(), json!({alias: {}}));
        }
        let index = self.version_name(version);
        let mut reply = self.send_create(&index, &body).await?;
        if reply.status == StatusCode::BAD_REQUEST {
            // Another function may have been faster, or the k-NN plugin is not there.
            if self.alias_exists(alias).await? {
                return Ok(index);
            }
            reply = self.send_create(&index, &without_knn(body)).await?;
        }
        reply.outcome("create the index").map(|_| index)
    }

    async fn send_create(&self, index: &str, body: &Value) -> domain::Result<OpenSearchReply> {
        // Made once in the life of a domain, and slower than any search: all shards must start.
        let create = OpenSearchRequest::new(Method::PUT, format!("/{index}")).json(body).within(CREATE_TIMEOUT);
        self.send("create the index", &create).await
    }

    async fn alias_exists(&self, alias: &str) -> domain::Result<bool> {
        let look = OpenSearchRequest::new(Method::HEAD, format!("/_alias/{alias}"));
        Ok(self.send("look for the index", &look).await?.status.is_success())
    }

    /// Makes what was written to an index before searchable on all its shards.
    pub(super) async fn refresh_index(&self, index: &str) -> domain::Result<()> {
        let what = "refresh";
        let refresh = OpenSearchRequest::new(Method::GET, format!("/{index}/_refresh"));
        self.send(what, &refresh).await?.outcome(what).map(drop)
    }

    /// The answer to a search.
    pub(super) async fn ask<A: DeserializeOwned>(&self, body: &Value) -> domain::Result<A> {
        search_answer(self.ask_all(std::slice::from_ref(body)).await?.pop())
    }

    /// The replies to searches, in their order, from one request.
    pub(super) async fn ask_all(&self, bodies: &[Value]) -> domain::Result<Vec<OpenSearchReply>> {
        if bodies.is_empty() {
            return Ok(Vec::new());
        }
        let replies = self.send_searches(bodies).await?;
        if replies.iter().all(|reply| reply.status != StatusCode::NOT_FOUND) {
            return Ok(replies);
        }
        self.create_index().await?;
        self.send_searches(bodies).await
    }

    /// Sends searches in one request; each alone if the server refuses all, as one without the k-NN plugin does if some
    /// are by vectors.
    async fn send_searches(&self, bodies: &[Value]) -> domain::Result<Vec<OpenSearchReply>> {
        let replies = self.send_together(bodies).await?;
        if bodies.len() == 1 || replies.iter().any(|reply| reply.status != StatusCode::BAD_REQUEST) {
            return Ok(replies);
        }
        let alone = bodies.iter().map(|body| self.send_together(std::slice::from_ref(body)));
        Ok(try_join_all(alone).await?.concat())
    }

    async fn send_together(&self, bodies: &[Value]) -> domain::Result<Vec<OpenSearchReply>> {
        let path = format!("/{}/_msearch", self.alias());
        let search = OpenSearchRequest::new(Method::POST, path).searches(bodies);
        self.send(SEARCH, &search).await?.parts(bodies.len())
    }
}

/// The answer to a search.
pub(super) fn search_answer<A: DeserializeOwned>(reply: Option<OpenSearchReply>) -> domain::Result<A> {
    let reply = reply.ok_or_else(|| unavailable(SEARCH, "a search of several has no reply"))?;
    match reply.status.is_success() {
        true => reply.json(SEARCH),
        false => Err(unavailable(SEARCH, &format!("{} {}", reply.status, reply.error_type()))),
    }
}

/// Settings and mapping of the index that this version makes.
pub(super) fn index_definition() -> domain::Result<Value> {
    serde_json::from_str(WIKI_INDEX).map_err(|e| domain::Error::internal(format!("infra/search/wiki-index.json: {e}")))
}

/// The index's settings without its vectors, for an OpenSearch that has no k-NN plugin.
fn without_knn(mut index: Value) -> Value {
    if let Some(settings) = index.pointer_mut("/settings/index").and_then(Value::as_object_mut) {
        settings.remove("knn");
    }
    index
}

/// A request of OpenSearch's REST API.
#[derive(Debug, Clone)]
pub struct OpenSearchRequest {
    pub method: Method,
    /// The path, with its query if it has one, such as `/wiki/_doc/ID?version=3`.
    pub path: String,
    /// The JSON; empty without one. Of `_msearch` a line for the header and a line for the body of each search.
    pub body: Vec<u8>,
    /// The time for one attempt, if it is not that of the settings.
    pub(super) timeout: Option<Duration>,
}

impl OpenSearchRequest {
    /// A request without a body.
    pub(super) fn new(method: Method, path: impl Into<String>) -> Self {
        Self { method, path: path.into(), body: Vec::new(), timeout: None }
    }

    /// The same with a body.
    pub(super) fn json(self, body: &Value) -> Self {
        Self { body: body.to_string().into_bytes(), ..self }
    }

    /// The same with searches, each below the line of its parameters.
    fn searches(self, bodies: &[Value]) -> Self {
        let lines = bodies.iter().map(|body| format!("{{\"allow_partial_search_results\":false}}\n{body}\n"));
        Self { body: lines.collect::<String>().into_bytes(), ..self }
    }

    /// The same with a time of its own.
    pub(super) fn within(self, timeout: Duration) -> Self {
        Self { timeout: Some(timeout), ..self }
    }
}

/// A response that was read to its end.
#[derive(Debug, Clone)]
pub struct OpenSearchReply {
    pub status: StatusCode,
    /// The JSON.
    pub body: Vec<u8>,
}

/// A response to searches that were sent together.
#[derive(Deserialize)]
struct Parts {
    responses: Vec<Box<RawValue>>,
}

/// The response to one of them.
#[derive(Deserialize)]
struct Part {
    status: u16,
}

/// Answers the requests of this adapter in place of a server on the network.
#[async_trait]
pub trait AnswerRequests: std::fmt::Debug + Send + Sync {
    /// The reply to `request`.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` if there is none.
    async fn answer(&self, request: &OpenSearchRequest) -> domain::Result<OpenSearchReply>;
}

/// The way to OpenSearch.
#[derive(Debug, Clone)]
pub(super) enum Transport {
    /// Over HTTP.
    Http(OpenSearch),
    /// Without a connection.
    Direct(Arc<dyn AnswerRequests>),
}

impl Transport {
    /// The reply to `request`; if its connection broke, over a client without connections that `fresh` makes.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` if both broke, or at the timeout, which is not retried.
    pub(super) async fn send(
        &self,
        fresh: impl FnOnce() -> domain::Result<OpenSearch>,
        what: &str,
        request: &OpenSearchRequest,
    ) -> domain::Result<OpenSearchReply> {
        let client = match self {
            Self::Http(client) => client,
            Self::Direct(server) => return server.answer(request).await,
        };
        let mut sent = over_http(client, request).await;
        if let Err(error) = &sent
            && is_broken_connection(error)
        {
            tracing::info!(error = error_chain(error), "a connection to OpenSearch broke; retrying on a new one");
            sent = over_http(&fresh()?, request).await;
        }
        sent.map_err(|error| unavailable(what, &error_chain(&error)))
    }
}

async fn over_http(client: &OpenSearch, request: &OpenSearchRequest) -> Result<OpenSearchReply, opensearch::Error> {
    use opensearch::http::Method as Verb;
    let verb = match request.method {
        Method::PUT => Verb::Put,
        Method::POST => Verb::Post,
        Method::DELETE => Verb::Delete,
        Method::HEAD => Verb::Head,
        _ => Verb::Get,
    };
    let body = (!request.body.is_empty()).then_some(request.body.as_slice());
    let sent = client.send(verb, &request.path, HeaderMap::new(), None::<&()>, body, request.timeout).await?;
    Ok(OpenSearchReply { status: sent.status_code(), body: sent.bytes().await?.into() })
}

fn is_broken_connection(error: &opensearch::Error) -> bool {
    let cause = std::error::Error::source(error).and_then(|cause| cause.downcast_ref::<reqwest::Error>());
    cause.is_some_and(connection_broke)
}

impl OpenSearchReply {
    /// The replies to `searches` that were sent together: each is the whole one if that failed.
    fn parts(self, searches: usize) -> domain::Result<Vec<Self>> {
        if !self.status.is_success() {
            return Ok(vec![self; searches]);
        }
        let Parts { responses } = self.json(SEARCH)?;
        let part = |raw: Box<RawValue>| {
            let status = serde_json::from_str(raw.get()).ok().and_then(|it: Part| StatusCode::from_u16(it.status).ok());
            Self { status: status.unwrap_or(StatusCode::BAD_GATEWAY), body: raw.get().into() }
        };
        Ok(responses.into_iter().map(part).collect())
    }

    /// The reply to a request that OpenSearch did, or for which it holds a version that is as new; none if the index does
    /// not exist yet.
    pub(super) fn outcome(self, what: &str) -> domain::Result<Option<Self>> {
        match self.status {
            status if status.is_success() || status == StatusCode::CONFLICT => Ok(Some(self)),
            status => {
                let kind = self.error_type();
                if status == StatusCode::NOT_FOUND && kind == "index_not_found_exception" {
                    return Ok(None);
                }
                Err(unavailable(what, &format!("{status} {kind}")))
            }
        }
    }

    /// OpenSearch's name for what went wrong. Its reason may quote what people wrote, so it is not read.
    pub(super) fn error_type(&self) -> String {
        let body: Value = serde_json::from_slice(&self.body).unwrap_or_default();
        body.pointer("/error/type").and_then(Value::as_str).unwrap_or("without a reason").to_owned()
    }

    /// The index that a document was written to.
    pub(super) fn index_name(&self) -> Option<String> {
        let body: Value = serde_json::from_slice(&self.body).ok()?;
        Some(body.get("_index")?.as_str()?.to_owned())
    }

    /// The body.
    pub(super) fn json<A: DeserializeOwned>(&self, what: &str) -> domain::Result<A> {
        // The error's own text may quote the response.
        let unreadable =
            |e: serde_json::Error| unavailable(what, &format!("the response does not read: {:?}", e.classify()));
        serde_json::from_slice(&self.body).map_err(unreadable)
    }
}

/// A search service that does not answer: what was asked of it, and why it failed.
pub(super) fn unavailable(what: &str, why: &str) -> domain::Error {
    domain::Error::unavailable(format!("OpenSearch did not {what}: {why}"))
}

/// The fields of vectors that this process has mapped, each with the index that it is mapped in. Cheap to clone. The
/// name of an index that the alias has named is not used again: a rebuild takes the next number.
#[derive(Debug, Clone, Default)]
pub(super) struct MappedFields(Arc<Mutex<HashMap<String, String>>>);

impl MappedFields {
    /// The index that `field` is mapped in.
    pub(super) fn index_of(&self, field: &str) -> Option<String> {
        self.lock().get(field).cloned()
    }

    /// `field` is mapped in `index`.
    pub(super) fn remember(&self, field: &str, index: String) {
        self.lock().insert(field.to_owned(), index);
    }

    /// The index is gone.
    pub(super) fn forget_all(&self) {
        self.lock().clear();
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use answer::search::SearchIndex;

    use crate::http_stub::KeptAliveOnce;

    #[test]
    fn the_index_scores_by_the_parameters_of_the_ranking() {
        let similarity = index_definition().unwrap()["settings"]["index"]["similarity"]["default"].clone();
        assert_eq!(similarity, serde_json::json!({"type": "BM25", "k1": answer::search::K1, "b": answer::search::B}));
    }

    #[tokio::test]
    async fn a_request_on_a_connection_that_breaks_is_sent_again_on_a_fresh_one() {
        let server =
            KeptAliveOnce::start(r#"{"responses": [{"status": 200, "timed_out": false, "hits": {"hits": []}}]}"#).await;
        let index = OpenSearchIndex::connect(OpenSearchSettings::unsigned(&server.url)).unwrap();
        for _ in 0..4 {
            index.ping().await.unwrap();
        }
        // Two at once leave two connections that are closed already.
        let (one, other) = tokio::join!(index.ping(), index.ping());
        one.and(other).unwrap();
        index.ping().await.unwrap();
        index.ping().await.unwrap();
        assert!(server.broken() >= 2, "no request met a closed connection");
    }

    #[tokio::test]
    async fn a_removal_of_which_a_part_failed_has_failed() {
        let server = KeptAliveOnce::start(r#"{"deleted": 3, "failures": [{"id": "x", "status": 503}]}"#).await;
        let index = OpenSearchIndex::connect(OpenSearchSettings::unsigned(&server.url)).unwrap();
        let failed = index.purge_deleted(domain::models::Timestamp::default()).await.unwrap_err();
        assert_eq!(failed.code(), domain::error::Code::ServiceUnavailable);
    }

    #[tokio::test]
    async fn a_server_that_breaks_every_connection_is_unavailable() {
        let server = KeptAliveOnce::refusing().await;
        let index = OpenSearchIndex::connect(OpenSearchSettings::unsigned(&server.url)).unwrap();
        assert_eq!(index.ping().await.unwrap_err().code(), domain::error::Code::ServiceUnavailable);
        assert_eq!(server.broken(), 2, "one retry");
    }
}
