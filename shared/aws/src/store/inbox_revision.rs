//! The revision of a tenant's inbox, by which a poll finds out with one read that nothing is new.
//!
//! The function that reads the table's stream raises it once a batch. It may be behind, and so may the list: whoever
//! uses it looks at the list itself from time to time.

use super::client::Store;
use super::expression::Expression;
use super::keys;
use super::table::{Consistency, number};
use super::transaction::Write;
use crate::store::item_kind::ItemKind;
use domain::Result;
use domain::models::Scope;
use serde::Deserialize;

/// The revisions of inboxes; made by [`Store::inbox_revisions`].
#[derive(Debug, Clone, Copy)]
pub struct InboxRevisions<'a>(&'a Store);

#[derive(Deserialize)]
struct RevisionRecord {
    revision: u64,
}

impl Store {
    /// The revisions of inboxes.
    #[must_use]
    pub const fn inbox_revisions(&self) -> InboxRevisions<'_> {
        InboxRevisions(self)
    }
}

impl InboxRevisions<'_> {
    /// The revision; 0 before anything happened. Half a read unit: it may be a moment old.
    pub async fn get(&self, scope: &Scope) -> Result<u64> {
        let found: Option<RevisionRecord> = self.0.get(&keys::inbox_revision(scope), Consistency::Eventual).await?;
        Ok(found.map_or(0, |record| record.revision))
    }

    /// Raises it. A repetition raises it again, which costs one look at the list.
    pub async fn raise(&self, scope: &Scope) -> Result<()> {
        self.0.write(vec![raise(scope)]).await
    }
}

/// Raises the revision of an inbox.
pub(super) fn raise(scope: &Scope) -> Write {
    let update = Expression::new("SET kind = :kind ADD revision :one")
        .with(":kind", ItemKind::InboxRevision.attribute())
        .with(":one", number(1));
    Write::Update { key: keys::inbox_revision(scope), update, condition: None }
}
