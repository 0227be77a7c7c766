//! The end of a draft, which moves then: open ones are listed without those that ended. Of those that ended the newest are
//! kept, so that nobody fills the table with drafts.

use serde::{Deserialize, Serialize};

use super::{DraftRepository, count_open, draft_item};
use crate::store::item_kind::ItemKind;
use crate::store::keys;
use crate::store::table::{Consistency, item};
use crate::store::transaction::{Write, version_condition};
use domain::Result;
use domain::models::{Draft, DraftId, DraftStatus, MAX_ENDED_DRAFTS, Scope};

/// The ended drafts that are kept, oldest first.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct EndedDrafts {
    ids: Vec<DraftId>,
    version: u64,
}

impl DraftRepository<'_> {
    /// The writes that end an open draft, as it was seen.
    pub(super) async fn ending(&self, scope: &Scope, seen: &Draft, after: &Draft) -> Result<Vec<Write>> {
        let mut writes = moved(scope, seen, after)?;
        writes.push(count_open(scope, -1, None));
        writes.extend(self.ended(scope, after.status, &after.draft_id).await?);
        Ok(writes)
    }

    /// Adds a draft to those that are kept after their end, and deletes the oldest above the limit.
    async fn ended(&self, scope: &Scope, status: DraftStatus, id: &DraftId) -> Result<Vec<Write>> {
        let key = keys::ended_drafts(scope, status);
        let kept: Option<EndedDrafts> = self.0.get(&key, Consistency::Strong).await?;
        let EndedDrafts { mut ids, version } = kept.unwrap_or_default();
        // One that was opened again ends again.
        ids.retain(|other| other != id);
        ids.push(id.clone());
        let oldest: Vec<DraftId> = ids.drain(..ids.len().saturating_sub(MAX_ENDED_DRAFTS)).collect();
        let kept = item(&key, ItemKind::EndedDrafts, &EndedDrafts { ids, version: version + 1 })?;
        let deleted = oldest.iter().map(|id| Write::Delete { key: keys::draft(scope, status, id), condition: None });
        Ok([Write::replace(kept, version)].into_iter().chain(deleted).collect())
    }
}

/// The writes that put a draft, as it was seen, below another status.
pub(super) fn moved(scope: &Scope, seen: &Draft, after: &Draft) -> Result<Vec<Write>> {
    let key = keys::draft(scope, seen.status, &seen.draft_id);
    let gone = Write::Delete { key, condition: Some(version_condition(seen.version)) };
    Ok(vec![gone, Write::create(draft_item(scope, after)?)])
}
