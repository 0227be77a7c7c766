//! DynamoDB: every key format in one file, one repository per kind of thing, and the retry of transactions.
//!
//! [`Store`] is the entry point. Its methods return repositories, whose methods take the tenant first.

mod agent_runs;
mod api_keys;
mod deliveries;
mod due;
mod expression;
mod gaps;
mod idempotency;
mod ingest;
mod keyed_mutex;
mod keys;
mod schema;
pub mod sessions;
mod settings;
mod slice;
mod statistics;
pub mod stream;
mod sweep_runs;
mod table;
mod tenants;
mod transaction;
mod update;
mod vectors;
mod webhooks;
mod wiki;

use std::sync::Arc;
use std::time::Duration;

use aws_sdk_dynamodb::config::retry::RetryConfig;

use domain::clock::Ambient;

pub use agent_runs::AgentRuns;
pub use api_keys::ApiKeys;
pub use deliveries::{Created, Deliveries, DeliveryPage};
pub use due::{DUE_SHARDS, DueItem, DueItems, DuePage, DuePosition};
pub use gaps::{GapFilter, GapOrder, GapPage, GapReview, Gaps, GapsToReview};
pub use idempotency::{Idempotency, IdempotencyRecord, Remembered, RequestKey};
pub use ingest::{IngestPage, Ingests};
pub use keys::DueSubject;
pub use settings::SettingsRepo;
pub use statistics::Statistics;
pub use sweep_runs::{SweepRun, SweepRuns};
pub use tenants::Tenants;
pub use update::Decision;
pub use vectors::{EmbeddingAttempts, TextHash, Vectors};
pub use webhooks::Webhooks;
pub use wiki::{
    DeletedEntry, EntryFilter, EntryHead, EntryPage, NewEntry, Reindexing, UpdatedEntry, WikiPosition, WikiRecord,
    WikiRecords, WikiRepository,
};

/// The SDK's retries of lost requests: the table answers in milliseconds, so the first delay is short. The SDK's
/// default is a second.
#[must_use]
pub fn retry() -> RetryConfig {
    RetryConfig::standard().with_initial_backoff(Duration::from_millis(25))
}

/// The database, cheap to clone.
#[derive(Debug, Clone)]
pub struct Store {
    client: aws_sdk_dynamodb::Client,
    table: Arc<str>,
    ambient: Ambient,
    /// Writers of an item that other writers of this process were faster at.
    contended: keyed_mutex::KeyedMutex,
    recorded: agent_runs::Recorded,
}

impl Store {
    /// The table `table` behind `client`.
    #[must_use]
    pub fn new(client: aws_sdk_dynamodb::Client, table: &str, ambient: Ambient) -> Self {
        Self {
            client,
            table: table.into(),
            ambient,
            contended: keyed_mutex::KeyedMutex::default(),
            recorded: agent_runs::Recorded::default(),
        }
    }

    /// The API keys.
    #[must_use]
    pub const fn api_keys(&self) -> ApiKeys<'_> {
        ApiKeys(self)
    }

    /// The ingest jobs.
    #[must_use]
    pub const fn ingests(&self) -> Ingests<'_> {
        Ingests(self)
    }

    /// The receivers of events.
    #[must_use]
    pub const fn webhooks(&self) -> Webhooks<'_> {
        Webhooks(self)
    }

    /// Events on their way to receivers.
    #[must_use]
    pub const fn deliveries(&self) -> Deliveries<'_> {
        Deliveries(self)
    }

    /// The tenants.
    #[must_use]
    pub const fn tenants(&self) -> Tenants<'_> {
        Tenants(self)
    }

    /// What is due.
    #[must_use]
    pub const fn due(&self) -> DueItems<'_> {
        DueItems(self)
    }

    /// The runs of the sweeper that have not ended.
    #[must_use]
    pub const fn sweep_runs(&self) -> SweepRuns<'_> {
        SweepRuns(self)
    }

    /// The latest run of each agent.
    #[must_use]
    pub const fn agent_runs(&self) -> AgentRuns<'_> {
        AgentRuns(self)
    }

    /// The settings.
    #[must_use]
    pub const fn settings(&self) -> SettingsRepo<'_> {
        SettingsRepo(self)
    }
}

/// Makes the record that a model is stored as: the same fields, camel case, absent where empty; and both conversions.
macro_rules! record {
    ($(#[$meta:meta])* $record:ident for $model:ident { $($(#[$fmeta:meta])* $field:ident : $type:ty),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
        #[serde(rename_all = "camelCase")]
        pub(crate) struct $record { $($(#[$fmeta])* pub(crate) $field: $type),+ }

        impl From<$model> for $record {
            fn from(model: $model) -> Self {
                let $model { $($field),+ } = model;
                Self { $($field),+ }
            }
        }

        impl From<$record> for $model {
            fn from(record: $record) -> Self {
                let $record { $($field),+ } = record;
                Self { $($field),+ }
            }
        }
    };
}
pub(crate) use record;
