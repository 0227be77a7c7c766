//! The options of a start.

use std::path::PathBuf;
use std::time::Duration;

/// The sweep period; once a minute on AWS, where a longer delay of a retry is acceptable.
const SWEEP_PERIOD: Duration = Duration::from_secs(5);

/// An OpenAI-compatible embedding endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Embeddings {
    /// The base URL, up to `/v1`.
    pub base_url: String,
    pub model_id: String,
}

/// An OpenID provider of the operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issuer {
    /// The issuer, as its discovery document names it.
    pub url: String,
    /// The id of the desk at the provider.
    pub client_id: String,
}

/// The rate limits that hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RateLimits {
    /// The limit in `RATE_LIMIT_PER_MINUTE`; by default 60,000 calls a minute for each limit.
    Configured,
    /// Those of the API.
    Real,
    /// So many calls a minute for each limit.
    PerMinute(u32),
}

/// How a service is started; [`Options::new`] has the defaults of `cargo run -p local`.
#[derive(Debug, Clone)]
pub struct Options {
    /// The data folder.
    pub data: PathBuf,
    /// The port of 127.0.0.1; 0 takes any free port.
    pub port: u16,
    /// Hosts that requests may name besides those of loopback, with a port or without.
    pub allow_hosts: Vec<String>,
    /// Deletes the data of earlier runs in the data folder.
    pub reset: bool,
    /// The URL of a DynamoDB to use instead of the embedded one.
    pub dynamodb_url: Option<String>,
    /// The URL at which functions in processes of their own are invoked. The port then serves the services that they
    /// need, to callers that know the secret of this process, and not the API.
    pub functions_url: Option<String>,
    /// The table's name, instead of `TABLE_NAME`.
    pub table_name: Option<String>,
    /// The URL of an SQS to use instead of the embedded one.
    pub sqs_url: Option<String>,
    /// The prefix of the queue names; services that share an SQS must not share queues.
    pub queue_prefix: String,
    /// The URL of an OpenSearch to use instead of the embedded index.
    pub opensearch_url: Option<String>,
    /// The alias of the index on that OpenSearch, instead of `SEARCH_INDEX`.
    pub search_index: Option<String>,
    /// An embedding model, instead of `EMBEDDING_PROVIDER`, `EMBEDDING_MODEL_ID` and `EMBEDDING_BASE_URL`.
    pub embeddings: Option<Embeddings>,
    /// Creates the demo tenant, its entries and `demo.env`.
    pub demo: bool,
    /// Where people sign in, instead of the demo's provider. The desk is served on the next port with either.
    pub issuer: Option<Issuer>,
    /// The rate limits that hold.
    pub rate_limits: RateLimits,
    /// The sweep period; none leaves it to [`crate::Service::sweep`].
    pub sweep_every: Option<Duration>,
}

impl Options {
    /// The whole service on the data folder `data`, with the demo tenant, on `port`.
    #[must_use]
    pub fn new(data: impl Into<PathBuf>, port: u16) -> Self {
        Self {
            data: data.into(),
            port,
            allow_hosts: Vec::new(),
            reset: false,
            dynamodb_url: None,
            functions_url: None,
            table_name: None,
            sqs_url: None,
            queue_prefix: "support-assistant".into(),
            opensearch_url: None,
            search_index: None,
            embeddings: None,
            demo: true,
            issuer: None,
            rate_limits: RateLimits::Configured,
            sweep_every: Some(SWEEP_PERIOD),
        }
    }
}
