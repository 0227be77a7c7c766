//! The wiki index: opened, brought up to the table's state, and closed.

use std::sync::Arc;
use std::time::Duration;

use answer::search::SearchIndex;
use app::jobs::indexing::IndexingService;
use app::jobs::indexing::from_table::{FromTable, index_table, index_wiki};
use aws::config::Config;
use aws::search::opensearch::{OpenSearchIndex, OpenSearchSettings};
use aws_config::SdkConfig;
use domain::models::{Mode, Scope};
use tokio::task::JoinHandle;

use crate::StartError;
use crate::data_dir::DataDir;
use crate::resources::Resources;
use crate::search::TantivyIndex;

/// The wiki index.
#[derive(Debug)]
pub(crate) struct WikiIndex {
    /// The index that the functions use.
    pub(crate) index: Arc<dyn SearchIndex>,
    embedded: Option<Arc<TantivyIndex>>,
    /// It held entries when it was opened: only the last changes before a crash may be missing.
    was_populated: bool,
    /// The running reconciliation; none when it has finished.
    reconciling: Option<JoinHandle<()>>,
}

impl WikiIndex {
    /// Opens the index. The embedded index belongs to the embedded database: for a new database (`is_new`) it starts
    /// empty, and beside a remote database it is in memory and rebuilt at each start.
    pub(crate) async fn open(
        config: &Config,
        data: &DataDir,
        database_embedded: bool,
        is_new: bool,
        search_credentials: Option<SdkConfig>,
    ) -> Result<Self, StartError> {
        let failed = StartError::while_doing;
        if let Some(endpoint) = &config.search_endpoint {
            let settings = OpenSearchSettings::unsigned(endpoint);
            // As with the embedded index, a write can be searched at once.
            let settings = OpenSearchSettings {
                alias: config.search_index.clone(),
                refresh: true,
                sign_with: search_credentials,
                ..settings
            };
            let index = OpenSearchIndex::connect(settings).map_err(failed("connecting to OpenSearch"))?;
            index.create_index().await.map_err(failed("making the OpenSearch index"))?;
            return Ok(Self { index: Arc::new(index), embedded: None, was_populated: false, reconciling: None });
        }
        if is_new {
            data.delete_index()?;
        }
        let index = if database_embedded { TantivyIndex::open(&data.search()) } else { TantivyIndex::in_memory() };
        let index = Arc::new(index.map_err(failed("opening the wiki index"))?);
        let was_populated = !index.is_empty();
        Ok(Self { index: index.clone(), embedded: Some(index), was_populated, reconciling: None })
    }

    /// Adds what the index lacks of the table: before the first request when it was empty, otherwise in the background,
    /// so that a large table does not delay the start.
    pub(crate) async fn reconcile_with_table(&mut self, resources: &Resources) -> Result<(), StartError> {
        if !self.was_populated {
            let failed = StartError::while_doing("bringing the wiki index up to date");
            return rebuild(resources).await.map_err(failed);
        }
        let resources = resources.clone();
        self.reconciling = Some(tokio::spawn(async move {
            if let Err(error) = reconcile(&resources).await {
                tracing::warn!(error = %error, "failed to bring the wiki index up to date; recent entries may be missing until they change");
            }
        }));
        self.wait_until_reconciled(RECONCILE_WAIT).await;
        Ok(())
    }

    /// Waits until the reconciliation has finished, at most `timeout`.
    pub(crate) async fn wait_until_reconciled(&mut self, timeout: Duration) {
        if let Some(task) = &mut self.reconciling
            && tokio::time::timeout(timeout, task).await.is_ok()
        {
            self.reconciling = None;
        }
    }

    /// Stops the writer, which frees the folder even when the index is still referenced.
    pub(crate) async fn close(self) {
        if let Some(task) = self.reconciling {
            task.abort();
            task.await.ok();
        }
        if let Some(index) = self.embedded {
            // Joining the thread would block the runtime.
            tokio::task::spawn_blocking(move || index.close()).await.ok();
        }
    }
}

/// The embedded index commits concurrent calls together.
const FROM_TABLE: FromTable<'_> = FromTable { concurrency: 64, space: None };

/// Makes the index of the whole table.
async fn rebuild(resources: &Resources) -> domain::Result<()> {
    let service = IndexingService::new(resources)?;
    index_table(&service, FROM_TABLE, &|_| {}).await.map(drop)
}

/// Brings an index that was populated up to date. It reads the wikis alone: the rest of the table may be large.
async fn reconcile(resources: &Resources) -> domain::Result<()> {
    let service = IndexingService::new(resources)?;
    for tenant in resources.store.tenants().list().await? {
        for mode in Mode::ALL {
            let scope = Scope { tenant: tenant.tenant_id.clone(), mode: *mode };
            index_wiki(&service, &scope, FROM_TABLE).await?;
        }
    }
    Ok(())
}

/// How long a start waits for the reconciliation of an index that is nearly complete.
const RECONCILE_WAIT: Duration = Duration::from_millis(100);
