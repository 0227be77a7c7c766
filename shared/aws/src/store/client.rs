//! The table: a client, the clock, and what this process remembers of its own writes.

use std::sync::Arc;
use std::time::Duration;

use super::keyed_mutex::KeyedMutex;
use super::rate_meters::{BUCKET_TIMEOUT, Meters};
use super::recorded_runs::RecordedRuns;
use domain::clock::Runtime;
use domain::models::{Actor, AuditEntry, Mode, TenantId};

/// The database, cheap to clone.
#[derive(Debug, Clone)]
pub struct Store {
    pub(super) client: aws_sdk_dynamodb::Client,
    pub(super) table: Arc<str>,
    pub(super) runtime: Runtime,
    /// Writers of an item that other writers of this process were faster at.
    pub(super) contended: KeyedMutex,
    pub(super) recorded: RecordedRuns,
    /// This process's knowledge of the buckets of rate limits.
    pub(super) meters: Meters,
    /// How long a call waits for a bucket of a rate limit to be stored.
    pub(super) bucket_timeout: Duration,
    /// The name of this process, if no other one uses the table.
    pub(super) only_process: Option<Arc<str>>,
    /// The author of the changes of this client, and their mode, for the audit of their effects; the operator by default.
    pub(super) author: Arc<(Actor, Option<Mode>)>,
    /// The entry that each transaction of this client adds to the audit of a tenant.
    pub(super) audited: Option<Arc<(TenantId, AuditEntry)>>,
}

impl Store {
    /// The table `table` behind `client`.
    #[must_use]
    pub fn new(client: aws_sdk_dynamodb::Client, table: &str, runtime: Runtime) -> Self {
        Self {
            client,
            table: table.into(),
            runtime,
            contended: KeyedMutex::default(),
            recorded: RecordedRuns::default(),
            meters: Meters::default(),
            bucket_timeout: BUCKET_TIMEOUT,
            only_process: None,
            author: Arc::new((Actor::operator(), None)),
            audited: None,
        }
    }

    /// The same for the only process that uses the table, under a name that no earlier one had: what requests of another
    /// process held ended with it.
    #[must_use]
    pub fn of_the_only_process(self, name: &str) -> Self {
        Self { only_process: Some(name.into()), ..self }
    }

    /// The same for changes of `author`, in whose name the audit tells of effects that follow from what is written: of
    /// settings, and of entries that become public.
    #[must_use]
    pub fn acting(&self, author: Actor, mode: Option<Mode>) -> Self {
        Self { author: Arc::new((author, mode)), ..self.clone() }
    }

    /// The same for one change that is audited: `entry` is stored in the transaction of the change. What changes nothing
    /// is not in the audit.
    #[must_use]
    pub fn audited(&self, tenant: &TenantId, entry: AuditEntry) -> Self {
        Self { audited: Some(Arc::new((tenant.clone(), entry))), ..self.clone() }
    }

    /// The same, but a call waits so long for a bucket of a rate limit to be stored instead of 250 milliseconds.
    #[must_use]
    pub fn with_bucket_timeout(self, bucket_timeout: Duration) -> Self {
        Self { bucket_timeout, ..self }
    }
}
