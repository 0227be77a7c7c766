//! The requester of a change that is audited.

use aws::store::Store;
use domain::access::Principal;
use domain::models::{Actor, AuditAction, AuditEntry, TenantId, Timestamp};

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
