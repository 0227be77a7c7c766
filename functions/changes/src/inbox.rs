//! The revision of an inbox: raised once a batch in which a request for a human changed.

use domain::Result;
use domain::change::{Change, Subject};

use crate::batch::Batch;

/// Raises the revision of the inbox that the change is of.
pub(crate) async fn apply(batch: &Batch<'_>, change: &Change) -> Result<()> {
    match &change.subject {
        Subject::Escalation { old, new } if old != new => batch.raise_inbox(&change.scope).await,
        _ => Ok(()),
    }
}
