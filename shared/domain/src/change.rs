//! One committed change of the data, independent of its storage. Events, figures and gaps are made from it.

use crate::models::{
    Escalation, IngestJob, Scope, Session, SessionId, Settings, Timestamp, Turn, Webhook, WikiEntry, WikiPath,
};

/// One committed change.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The stream's id of the record, the same on every delivery. Markers and event ids are made from it.
    pub record_id: String,
    /// When, as the stream says: often to the second only.
    pub at: Timestamp,
    /// The tenant and mode.
    pub scope: Scope,
    /// The changed thing.
    pub subject: Subject,
}

/// A changed thing: before, none if it was made; and after, none if it was deleted or only a tombstone is left.
#[derive(Debug, Clone, PartialEq)]
pub enum Subject {
    Session { old: Option<Session>, new: Option<Session> },
    Turn { session_id: SessionId, old: Option<Turn>, new: Option<Turn> },
    Escalation { old: Option<Escalation>, new: Option<Escalation> },
    Entry { path: WikiPath, old: EntryState, new: EntryState },
    Webhook { old: Option<Webhook>, new: Option<Webhook> },
    IngestJob { old: Option<IngestJob>, new: Option<IngestJob> },
    Settings { old: Settings, new: Settings },
}

/// The stored state of a path.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EntryState {
    /// The entry, if there is one.
    pub entry: Option<WikiEntry>,
    /// The version of the entry, or of its deletion; 0 if the path never held anything.
    pub version: u64,
    /// When it was deleted, if it was.
    pub deleted_at: Option<Timestamp>,
    /// The deleter; none if an earlier release did it.
    pub deleted_by: Option<String>,
}
