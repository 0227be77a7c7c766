//! The changes of a service for a test: time, models, and parts between the service and its clients.

use std::sync::Arc;
use std::time::Duration;

use answer::model::LanguageModel;
use answer::search::SearchIndex;
use domain::clock::Clock;
use outbound::OutboundSettings;
use support::sweeper::table::DueItem;

use crate::config::WrapHttpClient;
use crate::queues::HandleMessages;
use crate::resources::Resources;
use crate::stream::HandleRecords;

/// Wraps the wiki index, for example with faults of a test.
pub type WrapIndex = Box<dyn FnOnce(Arc<dyn SearchIndex>) -> Arc<dyn SearchIndex> + Send>;

/// Wraps the worker of the table's stream; a test delivers batches twice.
pub type WrapChanges = Box<dyn FnOnce(HandleRecords) -> HandleRecords + Send>;

/// Wraps the worker of each queue.
pub type WrapMessages = Box<dyn Fn(HandleMessages) -> HandleMessages + Send>;

/// Called before the sweeper handles a due item; a test ends the process there.
pub type BeforeDue = Arc<dyn Fn(&DueItem) + Send + Sync>;

/// Changes the clients, for example by putting others in their place.
pub type ChangeResources = Box<dyn FnOnce(Resources) -> Resources + Send>;

/// Changes the settings of outgoing requests, such as resolver and timeouts.
pub type ConfigureOutbound = Box<dyn FnOnce(OutboundSettings) -> OutboundSettings + Send>;

/// The changes that [`crate::Service::start_with`] makes; by default none.
#[derive(Default)]
#[allow(missing_debug_implementations, reason = "it holds closures")]
pub struct Hooks {
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
    /// Called before the sweeper handles a due item.
    pub before_due: Option<BeforeDue>,
    /// Changes the clients that the configuration made, and the configuration.
    pub change_resources: Option<ChangeResources>,
    /// Changes the configured settings of outgoing requests.
    pub configure_outbound: Option<ConfigureOutbound>,
    /// How long a call waits for a bucket of a rate limit to be stored.
    pub bucket_timeout: Option<Duration>,
    /// Wraps the HTTP client of the functions' DynamoDB SDK (not for `https://` URLs).
    pub wrap_database: Option<WrapHttpClient>,
    /// Wraps the HTTP client of the workers' DynamoDB SDK.
    pub wrap_worker_database: Option<WrapHttpClient>,
    /// Wraps the HTTP client of the SQS SDK that sends.
    pub wrap_queues: Option<WrapHttpClient>,
}
