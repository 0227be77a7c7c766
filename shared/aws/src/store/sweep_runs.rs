//! Runs of the sweeper that have not ended. One that began too long ago to be still running has died.

use serde::{Deserialize, Serialize};

use super::item::{self, ItemKind, item, key_of, record};
use super::keys::Key;
use super::table::{PartitionQuery, Store};
use super::transaction::Write;
use domain::Result;
use domain::models::Timestamp;

/// So many unfinished runs are read; a transaction takes as many away.
const MAX_RUNS_READ: i32 = 100;

/// A run that has not ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SweepRun {
    /// When it began.
    pub started_at: Timestamp,
    holder: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct SweepRunRecord {
    started_at: Timestamp,
}

/// The runs that have not ended.
#[derive(Debug, Clone, Copy)]
pub struct SweepRunRepository<'a>(pub(super) &'a Store);

impl SweepRunRepository<'_> {
    /// Records the start of a run.
    pub async fn begin(&self, started_at: Timestamp) -> Result<SweepRun> {
        let holder = self.0.runtime.token()?;
        let item = item(&sweep_run_key(&holder), ItemKind::SweepRun, &SweepRunRecord { started_at })?;
        self.0.write(vec![Write::create(item)]).await?;
        Ok(SweepRun { started_at, holder })
    }

    /// The runs that have not ended; at most a hundred of them.
    pub async fn list_unfinished(&self) -> Result<Vec<SweepRun>> {
        let page = self
            .0
            .query(PartitionQuery { limit: Some(MAX_RUNS_READ), ..PartitionQuery::new(SWEEP_RUNS.into()) })
            .await?;
        let read = |item: item::Item| {
            let holder = key_of(&item).map(|key| key.sk).unwrap_or_default();
            record(item).map(|SweepRunRecord { started_at }| SweepRun { started_at, holder })
        };
        page.items.into_iter().map(read).collect()
    }

    /// Deletes the records of runs that ended, or whose death has been handled; at most a hundred.
    pub async fn end(&self, runs: &[SweepRun]) -> Result<()> {
        if runs.is_empty() {
            return Ok(());
        }
        let writes = runs.iter().map(|run| Write::delete(sweep_run_key(&run.holder)));
        self.0.write(writes.collect()).await
    }
}

/// The partition of the runs of the sweeper that have not ended.
const SWEEP_RUNS: &str = "SWEEPS";

/// A run of the sweeper, by a random name.
fn sweep_run_key(holder: &str) -> Key {
    Key::new(SWEEP_RUNS.to_owned(), holder)
}
