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

use crate::sdk::WrapHttpClient;
use crate::stream::HandleRecords;

/// The interval of sweeps; once a minute on AWS, where a longer delay of a retry does not matter.
const SWEEP_PERIOD: Duration = Duration::from_secs(5);

/// Puts something between the service and its wiki index, such as faults of a test.
pub type WrapIndex = Box<dyn FnOnce(Arc<dyn SearchIndex>) -> Arc<dyn SearchIndex> + Send>;

/// Puts something between the reader of the table's stream and its worker: a test hands batches out twice.
pub type WrapChanges = Box<dyn FnOnce(HandleRecords) -> HandleRecords + Send>;

/// Something that a worker is about to be handed.
#[derive(Debug, Clone, Copy)]
pub enum Work<'a> {
    /// Changes of the table.
    Changes(&'a [Record]),
    /// A change, for one step of handling it.
    ChangeStep(&'a Record, Step),
    /// Messages of a queue.
    Messages(Queue, &'a [Message]),
    /// A due item.
    Due(&'a DueItem),
}

/// Sees whatever a worker is about to be handed: a test ends the process there.
pub type BeforeWork = Arc<dyn Fn(Work<'_>) + Send + Sync>;

/// Changes how webhooks and pages are reached: another resolver, shorter times.
pub type ConfigureOutbound = Box<dyn FnOnce(OutboundSettings) -> OutboundSettings + Send>;

/// An OpenAI-compatible endpoint that makes vectors of texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Embeddings {
    /// Its address, up to `/v1`.
    pub base_url: String,
    /// The model to ask for.
    pub model_id: String,
}

/// How a service is started; [`Options::new`] has what `cargo run -p local` does.
#[allow(missing_debug_implementations, reason = "it holds closures")]
pub struct Options {
    /// The data folder.
    pub data: PathBuf,
    /// The port of 127.0.0.1; 0 takes any that is free.
    pub port: u16,
    /// Forgets what earlier runs left in the data folder.
    pub reset: bool,
    /// A DynamoDB in place of the embedded one.
    pub dynamodb_url: Option<String>,
    /// Opens the embedded DynamoDB on this port of 127.0.0.1 to who knows its secret; 0 takes any that is free.
    pub dynamodb_port: Option<u16>,
    /// The table's name, in place of `TABLE_NAME`.
    pub table_name: Option<String>,
    /// An SQS in place of the embedded one.
    pub sqs_url: Option<String>,
    /// What the names of the queues begin with; services that share an SQS must not share queues.
    pub queue_prefix: String,
    /// An OpenSearch in place of the embedded index.
    pub opensearch_url: Option<String>,
    /// An embedding model, in place of `EMBEDDING_PROVIDER`, `EMBEDDING_MODEL_ID` and `EMBEDDING_BASE_URL`.
    pub embeddings: Option<Embeddings>,
    /// Makes the demo tenant, its entries and `demo.env`.
    pub demo: bool,
    /// How often what is due is looked at; nothing leaves it to [`crate::Service::sweep`].
    pub sweep_every: Option<Duration>,
    /// A clock in place of the machine's.
    pub clock: Option<Arc<dyn Clock>>,
    /// Added to the times of changes in the table's stream, in milliseconds. The embedded database stamps changes with
    /// the machine's clock, so a service whose clock starts elsewhere needs the difference. It must stay the same
    /// across restarts, because event ids are made from these times.
    pub stream_time_offset_ms: i64,
    /// A language model in place of the configured one.
    pub model: Option<Arc<dyn LanguageModel>>,
    /// Between the service and its index.
    pub wrap_index: Option<WrapIndex>,
    /// Between the table's stream and its worker.
    pub wrap_changes: Option<WrapChanges>,
    /// Before a worker is handed anything.
    pub before_work: Option<BeforeWork>,
    /// The configured way to webhooks and pages, changed.
    pub configure_outbound: Option<ConfigureOutbound>,
    /// Between the functions' DynamoDB SDK and the wire (not for `https://` addresses).
    pub wrap_database: Option<WrapHttpClient>,
    /// The same for the workers' own client of the database.
    pub wrap_worker_database: Option<WrapHttpClient>,
    /// Wraps the sender of a queue.
    pub wrap_queues: Option<WrapHttpClient>,
}

impl Options {
    /// The whole service over the data folder `data`, with the demo tenant, on `port`.
    #[must_use]
    pub fn new(data: impl Into<PathBuf>, port: u16) -> Self {
        Self {
            data: data.into(),
            port,
            reset: false,
            dynamodb_url: None,
            dynamodb_port: None,
            table_name: None,
            sqs_url: None,
            queue_prefix: "support-assistant".into(),
            opensearch_url: None,
            embeddings: None,
            demo: true,
            sweep_every: Some(SWEEP_PERIOD),
            clock: None,
            stream_time_offset_ms: 0,
            model: None,
            wrap_index: None,
            wrap_changes: None,
            before_work: None,
            configure_outbound: None,
            wrap_database: None,
            wrap_worker_database: None,
            wrap_queues: None,
        }
    }
}
