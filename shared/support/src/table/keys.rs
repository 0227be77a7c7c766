//! Keys, and their formats that several kinds of things use; any other format is in the file of its thing. `T` is
//! `tenant#mode`. Ids are validated types, so no text of a caller reaches a key unhashed, except wiki paths and tags
//! with their own alphabet.

use domain::models::{Mode, Scope, SessionId, TenantId, Timestamp};

/// The primary key of an item.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub(crate) pk: String,
    pub(crate) sk: String,
}

/// The key of an item in one of the two indexes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct IndexKey {
    pub(crate) pk: String,
    pub(crate) sk: String,
}

impl Key {
    pub(crate) fn new(pk: String, sk: impl Into<String>) -> Self {
        Self { pk, sk: sk.into() }
    }
}

/// `tenant#mode`.
pub(crate) fn scope(scope: &Scope) -> String {
    format!("{}#{}", scope.tenant, scope.mode)
}

/// A moment as fixed-width text that sorts like time.
pub(crate) fn moment(at: Timestamp) -> String {
    format!("{:015}", at.as_millis().max(0))
}

/// Reads back a moment.
pub(crate) fn moment_of(text: &str) -> Option<Timestamp> {
    let at = Timestamp::from_millis(text.parse().ok()?);
    (moment(at) == text).then_some(at)
}

/// Reads back whose item a partition holds, for keys that begin with `T#`.
pub(crate) fn scope_of(pk: &str) -> Option<Scope> {
    let mut parts = pk.splitn(3, '#');
    let (tenant, mode) = (parts.next()?, parts.next()?);
    parts.next()?;
    Some(Scope { tenant: TenantId::parse(tenant)?, mode: Mode::parse(mode)? })
}

pub(crate) fn tenant(id: &TenantId) -> Key {
    Key::new(format!("TENANT#{id}"), "TENANT")
}

/// Reads back whose item a partition holds: the tenant's own, its settings, or any of its data.
pub(crate) fn tenant_of(pk: &str) -> Option<TenantId> {
    TenantId::parse(pk.strip_prefix("TENANT#").unwrap_or(pk).split('#').next()?)
}

pub(crate) fn session_partition(s: &Scope, id: &SessionId) -> String {
    format!("{}#SES#{id}", scope(s))
}

/// Reads back which session a partition is.
pub(crate) fn session_of_turn(pk: &str) -> Option<SessionId> {
    SessionId::parse(pk.rsplit_once("#SES#")?.1)
}

/// The sort key of a session: the one right after its turns (`TURN#…`), so that one query backwards reads it with the newest.
pub const SESSION: &str = "TURNS";

pub(crate) fn session(s: &Scope, id: &SessionId) -> Key {
    Key::new(session_partition(s, id), SESSION)
}

/// How many partitions the due index is spread over; each is read by itself.
pub const DUE_SHARDS: u32 = 8;

/// gsi2: what the sweeper must look at, from `at` on. Spread by a hash of the item's whole key, so that the many items
/// of one partition, such as the deliveries of one receiver, do not crowd one part of the due index.
pub(crate) fn due(item: &Key, at: Timestamp) -> IndexKey {
    let mut hash = crc32fast::Hasher::new();
    hash.update(item.pk.as_bytes());
    hash.update(item.sk.as_bytes());
    let shard = hash.finalize() % DUE_SHARDS;
    IndexKey { pk: due_shard(shard), sk: moment(at) }
}

/// gsi2: one of the partitions of the due index, below [`DUE_SHARDS`].
pub(crate) fn due_shard(shard: u32) -> String {
    format!("DUE#{shard}")
}

/// The audit of a tenant. Every function of the API adds to it, and none changes it: not below `TENANT#`, which the roles
/// on AWS keep for the function that manages access.
pub(crate) fn audit(tenant: &TenantId) -> String {
    format!("AUDIT#{tenant}")
}

/// An entry of the audit. `token` has 32 hexadecimal digits.
pub(crate) fn audit_entry(tenant: &TenantId, at: Timestamp, token: &str) -> Key {
    Key::new(audit(tenant), format!("{}#{token}", moment(at)))
}
