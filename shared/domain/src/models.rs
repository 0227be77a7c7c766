//! Plain data and the state machines, each of the file of its thing; and what belongs to no one thing.

pub use text::{CustomerLanguage, Language, wire_enum};

pub use crate::api_key::ApiKeyRecord;
pub use crate::appearance::{Appearance, ChatPosition};
pub use crate::audit::{Actor, ActorType, AuditAction, AuditChange, AuditEntry};
pub use crate::draft::{
    ChangeAction, DRAFT_KEPT_DAYS, Draft, DraftQuote, DraftStatus, DryRunChange, DryRunViewer, ImportAction,
    MAX_ENDED_DRAFTS, MAX_OPEN_DRAFTS, MAX_PINS, OnConflict, Pin,
};
pub use crate::embedding::{Embedding, EmbeddingSpace, QueryVector, cosine_of_product, dot_product};
pub use crate::escalation::{
    Escalation, EscalationAction, EscalationOutcome, EscalationStatus, Priority, Rating, ReasonCategory, ReleaseReason,
    RequestedBy,
};
pub use crate::gaps::{EntryVersion, Gap, GapExample, GapId, GapStatus, NearestEntry};
pub use crate::hours::{ClockTime, Hours, OpenRange, Presence, Week};
pub use crate::ids::{
    ApiKeyId, DeliveryId, DraftId, EscalationId, EventId, IngestId, MemberId, MessageId, NamedId, PinId, RequestId,
    SavedReplyId, SessionId, SignInId, TenantId, TokenId, WebhookId,
};
pub use crate::ingest::{
    EntryAction, INGEST_LEASE_MS, IngestAction, IngestCard, IngestError, IngestErrorCode, IngestInterval, IngestJob,
    IngestLease, IngestStatus, IngestedEntry, PageVersion,
};
pub use crate::member::{Availability, Invitation, Member, MemberPlace, MemberStatus, People, ProviderUser, SignIn};
pub use crate::saved_reply::{SavedReply, SavedReplyScope};
pub use crate::session::{Channel, LastWords, SentByWidget, Session, Visitor, is_preview_visitor};
pub use crate::session_state::{ClosedReason, Closing, Ownership, SessionAction, SessionState};
pub use crate::settings::{AnswerVisibility, SensitiveSetting, Settings, Texts};
pub use crate::tenant::{Mode, Plan, Role, Scope, Tenant, TenantStatus};
pub use crate::timestamp::{Day, Timestamp};
pub use crate::turn::{
    AgentRef, AgentTurn, AiTurn, CustomerTurn, Disposition, Reaction, Silence, SilenceReason, Source, SystemEvent,
    SystemTurn, Turn, TurnBody, TurnRole, from_elsewhere, is_member_elsewhere,
};
pub use crate::webhooks::attempts::{Attempt, AttemptError};
pub use crate::webhooks::delivery::{
    Delivery, DeliveryAction, DeliveryLease, DeliveryStatus, OutgoingEvent, QUEUE_GRACE_MS, Replay, ReplayKind,
};
pub use crate::webhooks::{
    DisabledReason, EncryptedSecret, EventKind, RetiredSecret, SubscribedKind, Subscription, Webhook, WebhookFormat,
    WebhookHealth, WebhookStatus,
};
pub use crate::wiki::{
    EntryCard, EntrySource, InvalidWikiPath, MAX_REVISIONS, PathPrefix, RevisionAction, SourceType, Visibility,
    WikiEntry, WikiPath,
};

wire_enum! {
    /// The agent.
    pub enum AgentName {
        /// Answers customers.
        Answer => "answer",
        /// Makes wiki entries of pages and texts.
        Ingest => "ingest",
        /// Brings what follows from a change to where it belongs, the wiki index first.
        Indexer => "indexer",
        /// Delivers events.
        Webhooks => "webhooks",
        /// Handles due items.
        Sweeper => "sweeper",
    }
}

/// One run of a background agent, as reported by `GET /health`.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentRun {
    /// The agent that ran.
    pub agent: AgentName,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended.
    pub finished_at: Timestamp,
    /// The error, in public words.
    pub error: Option<String>,
}

/// How far a list is counted.
pub const MAX_TOTAL: u64 = 10_000;

/// How many items a list has on all its pages, counted up to [`MAX_TOTAL`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Total {
    /// The number of items; if `capped`, the number of those that were counted.
    pub count: u64,
    /// Counting stopped at its bound: there may be more.
    pub capped: bool,
}

impl Total {
    /// A total of `found` items, of which at most [`MAX_TOTAL`] count. `all` says that nothing was left uncounted.
    #[must_use]
    pub const fn of(found: u64, all: bool) -> Self {
        let over = found > MAX_TOTAL;
        Self { count: if over { MAX_TOTAL } else { found }, capped: over || !all }
    }
}
