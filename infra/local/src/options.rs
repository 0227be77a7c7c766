//! The options of a start.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use answer::model::LanguageModel;
use answer::search::SearchIndex;
use aws::queue::{Message, Queue};
use aws::store::DueItem;
use aws::stream::Record;
use changes::Step;
use domain::clock::Clock;
use outbound::OutboundSettings;

use crate::queues::HandleMessages;
use crate::resources::Resources;
use crate::sdk::WrapHttpClient;
use crate::stream::HandleRecords;

/// The sweep period; once a minute on AWS, where a longer delay of a retry is acceptable.
const SWEEP_PERIOD: Duration = Duration::from_secs(5);

/// Wraps the wiki index, for example with faults of a test.
pub type WrapIndex = Box<dyn FnOnce(Arc<dyn SearchIndex>) -> Arc<dyn SearchIndex> + Send>;

/// Wraps the worker of the table's stream; a test delivers batches twice.
pub type WrapChanges = Box<dyn FnOnce(HandleRecords) -> HandleRecords + Send>;

/// Wraps the worker of each queue.
pub type WrapMessages = Box<dyn Fn(HandleMessages) -> HandleMessages + Send>;

/// The work that a worker is about to get.
#[derive(Debug, Clone, Copy)]
pub enum Work<'a> {
    /// Changes of the table.
    Changes(&'a [Record]),
    /// One change, for one step of handling it.
    ChangeStep(&'a Record, Step),
    /// Messages of a queue.
    Messages(Queue, &'a [Message]),
    /// A due item.
    Due(&'a DueItem),
}

/// Called before a worker gets its work; a test ends the process there.
pub type BeforeWork = Arc<dyn Fn(Work<'_>) + Send + Sync>;

/// Changes the clients, for example by putting others in their place.
pub type ChangeResources = Box<dyn FnOnce(Resources) -> Resources + Send>;

/// Changes the settings of outgoing requests, such as resolver and timeouts.
pub type ConfigureOutbound = Box<dyn FnOnce(OutboundSettings) -> OutboundSettings + Send>;

/// An OpenAI-compatible embedding endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Embeddings {
    /// The base URL, up to `/v1`.
    pub base_url: String,
    /// The model.
    pub model_id: String,
}

/// Which rate limits hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RateLimits {
    /// What `RATE_LIMIT_PER_MINUTE` says; by default 60,000 calls a minute for each limit.
    Configured,
    /// Those of the API.
    Real,
    /// So many calls a minute for each limit.
    PerMinute(u32),
}

/// How a service is started; [`Options::new`] has the defaults of `cargo run -p local`.
#[allow(missing_debug_implementations, reason = "it holds closures")]
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
    /// Which rate limits hold.
    pub rate_limits: RateLimits,
    /// The sweep period; none leaves it to [`crate::Service::sweep`].
    pub sweep_every: Option<Duration>,
    /// A clock to use instead of the system clock.
    pub clock: Option<Arc<dyn Clock>>,
    /// Added to the times of changes in the table's stream, in milliseconds. The embedded database uses the system
    /// clock, so a service with another clock needs the difference. It must stay the same over restarts, because event
    /// ids are made of these times.
    pub stream_time_offset_ms: i64,
    /// A language model to use instead of the configured one.
    pub model: Option<Arc<dyn LanguageModel>>,
    /// Wraps the wiki index.
    pub wrap_index: Option<WrapIndex>,
    /// Wraps the worker of the table's stream.
    pub wrap_changes: Option<WrapChanges>,
    /// Wraps the workers of the queues.
    pub wrap_messages: Option<WrapMessages>,
    /// Called before a worker gets its work.
    pub before_work: Option<BeforeWork>,
    /// Changes the clients that the configuration made, and the configuration.
    pub change_resources: Option<ChangeResources>,
    /// Changes the configured settings of outgoing requests.
    pub configure_outbound: Option<ConfigureOutbound>,
    /// Wraps the HTTP client of the functions' DynamoDB SDK (not for `https://` URLs).
    pub wrap_database: Option<WrapHttpClient>,
    /// Wraps the HTTP client of the workers' DynamoDB SDK.
    pub wrap_worker_database: Option<WrapHttpClient>,
    /// Wraps the HTTP client of the SQS SDK that sends.
    pub wrap_queues: Option<WrapHttpClient>,
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
            rate_limits: RateLimits::Configured,
            sweep_every: Some(SWEEP_PERIOD),
            clock: None,
            stream_time_offset_ms: 0,
            model: None,
            wrap_index: None,
            wrap_changes: None,
            wrap_messages: None,
            before_work: None,
            change_resources: None,
            configure_outbound: None,
            wrap_database: None,
            wrap_worker_database: None,
            wrap_queues: None,
        }
    }
}
