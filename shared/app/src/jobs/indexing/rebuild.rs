//! Rebuilds the index under the mapping of this version, while it is searched and written.
//!
//! The next index gets every record of the table, and each write meanwhile. Then searches and writes switch to it in one
//! step. Functions of an older release may have written to the old index only, so the table is indexed once more. At last
//! the old index is deleted.

use std::time::Duration;

use super::IndexingService;
use super::from_table::{FromTable, index_table};
use crate::ClientProvider;
use crate::jobs::embedding::space;
use domain::Result;

/// Concurrent writes of a rebuild: few enough for the smallest search domain.
const CONCURRENCY: usize = 16;

/// After this time no request of before the switch is running: more than the timeouts of two attempts.
pub const REQUESTS_END_AFTER: Duration = Duration::from_secs(10);

/// Rebuilds the index; `progress` is told the number of entries so far. Returns how many records the new index got, or
/// none for an index that needs no rebuild. `requests_end_after` is the time from the switch until the old index is
/// deleted.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when table or index do not answer: the index is as it was, and a repetition starts again. 409 if
/// another rebuild began meanwhile.
pub async fn rebuild(
    clients: &impl ClientProvider,
    requests_end_after: Duration,
    progress: &(impl Fn(u64) + Sync),
) -> Result<Option<u64>> {
    let service = IndexingService::new(clients)?;
    let Some(index) = service.index.as_rebuild() else { return Ok(None) };
    let store = clients.store();
    let space = match clients.embedder().await? {
        Some(embedder) => Some(space::known(&store, &embedder).await?),
        None => None,
    };
    let options = FromTable { concurrency: CONCURRENCY, space: space.as_ref() };
    let next = index.begin_rebuild().await?;
    let records = index_table(&service, options, progress).await?;
    index.switch_to(&next).await?;
    tokio::time::sleep(requests_end_after).await;
    index_table(&service, options, progress).await?;
    index.delete_replaced().await?;
    Ok(Some(records))
}
