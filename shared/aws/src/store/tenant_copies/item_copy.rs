//! The models that an export has, and their form in its lines.

use std::collections::BTreeMap;

use domain::models::{
    Day, DisabledReason, Draft, EncryptedSecret, Escalation, Gap, GapExample, GapId, IngestId, IngestJob, Pin,
    SavedReply, Session, SessionId, Subscription, Timestamp, Turn, Webhook, WebhookFormat, WebhookHealth, WebhookId,
    WebhookStatus, WikiEntry, WikiPath,
};
use domain::statistics::{Cell, Counts};
use serde::{Deserialize, Serialize};

use crate::store::gaps::GapRecord;
use crate::store::ingest::IngestRecord;
use crate::store::sessions::EscalationRecord;
use crate::store::wiki::DeletedEntry;

/// Something of a tenant's data, as an export has it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "CopyRecord", into = "CopyRecord")]
pub enum ItemCopy {
    /// A wiki entry.
    Entry(Box<WikiEntry>),
    /// The record of a deleted wiki entry.
    DeletedEntry(WikiPath, DeletedEntry),
    /// An old version of an entry.
    Revision(Box<WikiEntry>),
    /// The end of a path's revisions.
    RevisionsEnd(RevisionsEnd),
    /// A receiver of events.
    Webhook(WebhookCopy),
    /// A saved reply of the tenant.
    SavedReply(Box<SavedReply>),
    /// An open draft, without what it quotes.
    Draft(Box<Draft>),
    /// A question that every change of the wiki is tried on.
    Pin(Box<Pin>),
    IngestJob(Box<IngestJob>),
    /// A piece of its text.
    IngestText(IngestText),
    /// A day's counters.
    Statistics(DayCounts),
    Session(Box<Session>),
    /// A turn of it.
    Turn(Box<SessionTurn>),
    /// A request for a human.
    Escalation(Box<Escalation>),
    /// A question without an answer.
    GapQuestion(GapQuestion),
    /// A knowledge gap.
    Gap(Box<Gap>),
}

/// The end of a path's revisions up to the version of its deletion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RevisionsEnd {
    pub path: WikiPath,
    /// The version of the deletion.
    pub version: u64,
    /// When it was deleted.
    pub deleted_at: Timestamp,
    /// The deleter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deleted_by: Option<String>,
}

/// A receiver without its secret. It is disabled wherever it is imported: a rotation of the secret enables it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WebhookCopy {
    pub webhook_id: WebhookId,
    /// Where it listens, without the query, which may hold a secret.
    pub url: String,
    /// The names of its subscription.
    pub events: Vec<String>,
    /// For people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// When it was registered.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// Counts every change.
    pub version: u64,
}

impl WebhookCopy {
    /// The copy of a receiver for an export.
    #[must_use]
    pub fn of(webhook: &Webhook) -> Self {
        Self {
            webhook_id: webhook.webhook_id.clone(),
            url: webhook.url.split(['?', '#']).next().unwrap_or_default().to_owned(),
            events: webhook.events.names().into_iter().map(str::to_owned).collect(),
            description: webhook.description.clone(),
            created_at: webhook.created_at,
            updated_at: webhook.updated_at,
            version: webhook.version,
        }
    }

    /// The receiver of an import. A name of the subscription that is unknown is left out.
    pub(super) fn webhook(&self) -> Webhook {
        let known = || Subscription::Kinds(Vec::new());
        Webhook {
            webhook_id: self.webhook_id.clone(),
            url: self.url.clone(),
            events: Subscription::parse(&self.events).unwrap_or_else(|_| known()),
            description: self.description.clone(),
            status: WebhookStatus::Disabled,
            disabled_reason: Some(DisabledReason::SecretUnreadable),
            disabled_at: Some(self.updated_at),
            secret: EncryptedSecret(String::new()),
            secret_hint: None,
            retired_secrets: Vec::new(),
            format: WebhookFormat::Events,
            created_at: self.created_at,
            updated_at: self.updated_at,
            health: WebhookHealth::default(),
            version: self.version,
        }
    }
}

/// A piece of the text of an ingest job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct IngestText {
    /// The job.
    pub ingest_id: IngestId,
    /// The number of the piece, from 0.
    pub number: u32,
    /// The piece.
    pub text: String,
}

/// A day's counters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayCounts {
    pub day: Day,
    /// The counters.
    pub counts: Counts,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionTurn {
    pub session_id: SessionId,
    pub turn: Turn,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(value: &u32) -> bool {
    *value == 0
}

/// A question of a session that found no answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GapQuestion {
    pub gap_id: GapId,
    /// The number of the customer's turn.
    pub turn: u32,
    /// The place of the question in its turn, from 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub part: u32,
    /// How the customer put it.
    #[serde(flatten)]
    pub asked: GapExample,
}

/// How an [`ItemCopy`] is written: an object with the kind and what it is.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", rename_all_fields = "camelCase")]
enum CopyRecord {
    Entry(Box<WikiEntry>),
    DeletedEntry {
        path: WikiPath,
        version: u64,
        deleted_at: Timestamp,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        deleted_by: Option<String>,
    },
    Revision(Box<WikiEntry>),
    RevisionsEnd(RevisionsEnd),
    Webhook(WebhookCopy),
    SavedReply(Box<SavedReply>),
    Draft(Box<Draft>),
    Pin(Box<Pin>),
    IngestJob(Box<IngestRecord>),
    IngestText(IngestText),
    Statistics {
        day: String,
        counts: BTreeMap<Cell, i64>,
    },
    Session(Box<Session>),
    Turn(Box<SessionTurn>),
    Escalation(Box<EscalationRecord>),
    GapQuestion(GapQuestion),
    Gap(Box<GapRecord>),
}

impl From<ItemCopy> for CopyRecord {
    fn from(copy: ItemCopy) -> Self {
        match copy {
            ItemCopy::Entry(entry) => Self::Entry(entry),
            ItemCopy::DeletedEntry(path, DeletedEntry { version, at, by }) => {
                Self::DeletedEntry { path, version, deleted_at: at, deleted_by: by }
            }
            ItemCopy::Revision(entry) => Self::Revision(entry),
            ItemCopy::RevisionsEnd(end) => Self::RevisionsEnd(end),
            ItemCopy::Webhook(webhook) => Self::Webhook(webhook),
            ItemCopy::SavedReply(reply) => Self::SavedReply(reply),
            ItemCopy::Draft(draft) => Self::Draft(draft),
            ItemCopy::Pin(pin) => Self::Pin(pin),
            ItemCopy::IngestJob(job) => Self::IngestJob(Box::new(IngestRecord::of(&job, ""))),
            ItemCopy::IngestText(text) => Self::IngestText(text),
            ItemCopy::Statistics(DayCounts { day, counts }) => {
                Self::Statistics { day: day.to_string(), counts: counts.iter().collect() }
            }
            ItemCopy::Session(session) => Self::Session(session),
            ItemCopy::Turn(turn) => Self::Turn(turn),
            ItemCopy::Escalation(escalation) => Self::Escalation(Box::new((*escalation).into())),
            ItemCopy::GapQuestion(question) => Self::GapQuestion(question),
            ItemCopy::Gap(gap) => Self::Gap(Box::new((*gap).into())),
        }
    }
}

impl TryFrom<CopyRecord> for ItemCopy {
    type Error = &'static str;

    fn try_from(record: CopyRecord) -> Result<Self, &'static str> {
        Ok(match record {
            CopyRecord::Entry(entry) => Self::Entry(entry),
            CopyRecord::DeletedEntry { path, version, deleted_at, deleted_by } => {
                Self::DeletedEntry(path, DeletedEntry { version, at: deleted_at, by: deleted_by })
            }
            CopyRecord::Revision(entry) => Self::Revision(entry),
            CopyRecord::RevisionsEnd(end) => Self::RevisionsEnd(end),
            CopyRecord::Webhook(webhook) => Self::Webhook(webhook),
            CopyRecord::SavedReply(reply) => Self::SavedReply(reply),
            CopyRecord::Draft(draft) => Self::Draft(draft),
            CopyRecord::Pin(pin) => Self::Pin(pin),
            CopyRecord::IngestJob(job) => Self::IngestJob(Box::new((*job).into())),
            CopyRecord::IngestText(text) => Self::IngestText(text),
            CopyRecord::Statistics { day, counts } => {
                let day = Day::parse(&day).ok_or("a day is written YYYY-MM-DD")?;
                Self::Statistics(DayCounts { day, counts: counts.into_iter().collect() })
            }
            CopyRecord::Session(session) => Self::Session(session),
            CopyRecord::Turn(turn) => Self::Turn(turn),
            CopyRecord::Escalation(escalation) => Self::Escalation(Box::new((*escalation).into())),
            CopyRecord::GapQuestion(question) => Self::GapQuestion(question),
            CopyRecord::Gap(gap) => Self::Gap(Box::new((*gap).into())),
        })
    }
}
