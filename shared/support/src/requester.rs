//! The requester of a change that is audited, and the parts of answers that the caller of a request may see.

use domain::Result;
use domain::access::Principal;
use domain::models::{Actor, AnswerVisibility, AuditAction, AuditEntry, TenantId, Timestamp};
use domain::wire::Viewer;

use crate::table::Store;

/// The requester of a change: a caller, or the operator.
#[derive(Debug, Clone, Copy)]
pub enum Requester<'a> {
    /// A key or a member.
    Caller(&'a Principal),
    /// The operator, on the command line.
    Operator,
}

impl Requester<'_> {
    /// The id of the key or the member, or `operator`.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Caller(caller) => caller.name(),
            Self::Operator => "operator".to_owned(),
        }
    }

    /// The entry of the audit for what is done to `target` at `at`.
    #[must_use]
    pub fn audit(self, action: AuditAction, target: &str, at: Timestamp) -> AuditEntry {
        match self {
            Self::Caller(caller) => AuditEntry::new(caller, action, target, at),
            Self::Operator => AuditEntry::by_operator(action, target, at),
        }
    }

    /// The table for changes whose effects are audited in this name.
    #[must_use]
    pub fn acting(self, store: &Store) -> Store {
        match self {
            Self::Caller(caller) => store.acting(Actor::of(caller), Some(caller.mode())),
            Self::Operator => store.acting(Actor::operator(), None),
        }
    }

    /// The table for one change that is audited so.
    #[must_use]
    pub fn audited(self, store: &Store, tenant: &TenantId, action: AuditAction, target: &str, at: Timestamp) -> Store {
        store.audited(tenant, self.audit(action, target, at))
    }
}

/// The caller of a request that shows answers: the tenant says what widgets are shown, and may have changed its mind
/// since an answer was given.
///
/// # Errors
/// 503 if the table does not answer.
pub(crate) async fn answer_viewer(store: &Store, caller: &Principal) -> Result<Viewer> {
    let viewer = Viewer::of(caller);
    if viewer.internal_entries {
        return Ok(viewer);
    }
    let settings = store.settings().get(caller.scope()).await?;
    let internal_entries = settings.widget_answer_visibility == AnswerVisibility::All;
    Ok(Viewer { internal_entries, ..viewer })
}
