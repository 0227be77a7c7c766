//! Keys of the due index (gsi2), and the attributes of its items.

use super::webhooks::REPLAYS;
use super::{IndexKey, Key, moment, version_of_revisions_end};
use domain::models::{
    EscalationId, EventId, IngestId, MemberId, Mode, ReplayKind, Scope, SessionId, TenantId, Timestamp, WebhookId,
    WikiPath,
};

/// How many partitions the due index is spread over.
pub(crate) const DUE_SHARDS: u32 = 8;

/// The order to give back a member's claims in one mode.
pub(crate) fn claims_release(of: &Scope, member: &MemberId) -> Key {
    super::key(format!("{}#CLAIMS", super::scope(of)), member.as_str())
}

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

/// gsi2: the due time; after it the number of crashes, if any. The due index holds keys only, so what must be known of
/// an item without reading it is in its key.
pub(crate) fn due_position(at: Timestamp, crashes: u32) -> String {
    match crashes {
        0 => moment(at),
        crashes => format!("{}{CRASHES}{crashes}", moment(at)),
    }
}

const CRASHES: char = '#';

/// Parses the due time and the number of crashes of an item.
pub(crate) fn due_from(place: &str) -> Option<(Timestamp, u32)> {
    match place.split_once(CRASHES) {
        None => Some((parse_sortable_time(place)?, 0)),
        Some((at, crashes)) => Some((parse_sortable_time(at)?, crashes.parse().ok()?)),
    }
}

/// Something with a place in the due index, read back from its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DueSubject {
    /// A session, or what is left of one that is being erased.
    Session(SessionId),
    /// A request for a human whose claim ends.
    Escalation(EscalationId),
    /// The claims of a member who lost the inbox.
    Claims(MemberId),
    /// A wiki entry, or what is left of one, that the index does not have as it is.
    Entry(WikiPath),
    /// A wiki that is being reindexed.
    Reindexing,
    /// The gaps of a tenant, after its wiki changed.
    GapReview,
    /// A delivery that is retried later, or whose message was lost.
    Delivery(WebhookId, EventId),
    /// A standing order to send again what a receiver missed.
    Replay(WebhookId, ReplayKind),
    /// An ingest job that no worker has.
    IngestJob(IngestId),
    /// The revisions of a path up to the version of its deletion: they are erased.
    Revisions(WikiPath, u64),
}

/// The owner and the subject of a due item; none for a key that is of no kind known here.
pub(crate) fn due_subject(key: &Key) -> Option<(Scope, DueSubject)> {
    let mut parts = key.pk.splitn(4, '#');
    let scope = Scope { tenant: TenantId::parse(parts.next()?)?, mode: Mode::parse(parts.next()?)? };
    let subject = match (parts.next()?, parts.next(), key.sk.as_str()) {
        ("SES", Some(id), "SESSION") => DueSubject::Session(SessionId::parse(id)?),
        ("ESC", Some(id), "ESCALATION") => DueSubject::Escalation(EscalationId::parse(id)?),
        ("ING", Some(id), "JOB") => DueSubject::IngestJob(IngestId::parse(id)?),
        ("REV", Some(path), end) => DueSubject::Revisions(WikiPath::parse(path).ok()?, version_of_revisions_end(end)?),
        ("CLAIMS", None, member) => DueSubject::Claims(MemberId::parse(member)?),
        ("REINDEX", None, "JOB") => DueSubject::Reindexing,
        ("GAPREVIEW", None, "REVIEW") => DueSubject::GapReview,
        ("DLV", Some(webhook), event) => DueSubject::Delivery(WebhookId::parse(webhook)?, EventId::parse(event)?),
        (REPLAYS, None, order) => {
            let (webhook, kind) = order.split_once('#')?;
            DueSubject::Replay(WebhookId::parse(webhook)?, ReplayKind::parse(kind)?)
        }
        ("WIKI", None, path) => DueSubject::Entry(WikiPath::parse(path).ok()?),
        _ => return None,
    };
    Some((scope, subject))
}

/// Parses a time that [`moment`] wrote.
fn parse_sortable_time(text: &str) -> Option<Timestamp> {
    text.parse().ok().map(Timestamp::from_millis)
}
