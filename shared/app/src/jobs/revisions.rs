//! Old versions of wiki entries: a replaced or deleted version is stored, and the revisions of a deleted entry are
//! erased after the tenant's retention.

use aws::store::{DeletedEntry, Store};
use domain::Result;
use domain::change::{Change, Subject};
use domain::models::{Scope, Settings, Timestamp, WikiPath};

/// Keeps what a change replaced. A change that deleted the entry makes its revisions due after `retentionDays`.
///
/// # Errors
/// 503 if the table does not answer.
pub async fn follow(store: &Store, change: &Change) -> Result<()> {
    let Subject::Entry { path, old, new } = &change.subject else { return Ok(()) };
    let scope = &change.scope;
    let Some(entry) = old.entry.as_ref().filter(|_| new.version > old.version) else { return Ok(()) };
    store.wiki().put_revision(scope, entry).await?;
    let Some(deleted_at) = new.deleted_at else { return Ok(()) };
    let due = erase_at(deleted_at, &store.settings().get(scope).await?);
    let deleted = DeletedEntry { version: new.version, at: deleted_at, by: new.deleted_by.clone() };
    store.wiki().schedule_revision_erasure(scope, path, &deleted, due).await
}

/// Erases the revisions of a path up to the `version` of its deletion, and with the last of them the pins of a path that has no entry, or reschedules that if the tenant's retention is
/// longer now.
///
/// # Errors 503 if the table does not answer; then they are still due.
pub async fn due(store: &Store, now: Timestamp, scope: &Scope, path: &WikiPath, version: u64) -> Result<()> {
    let wiki = store.wiki();
    let Some(deleted) = wiki.get_revisions_end(scope, path, version).await? else { return Ok(()) };
    let due = erase_at(deleted.at, &store.settings().get(scope).await?);
    if due > now {
        return wiki.schedule_revision_erasure(scope, path, &deleted, due).await;
    }
    let has_later_end =
        async || Ok(wiki.list_revisions_ends(scope, path).await?.iter().any(|end| end.version > version));
    if wiki.get(scope, path).await?.is_none() && !has_later_end().await? {
        store.pins().delete_of(scope, path).await?;
    }
    wiki.erase_revisions(scope, path, version).await
}

/// When the revisions of an entry that was deleted at `deleted_at` are erased.
pub(crate) fn erase_at(deleted_at: Timestamp, settings: &Settings) -> Timestamp {
    deleted_at.plus_hours(i64::from(settings.retention_days) * 24)
}
