//! Plain data and the state machines. No AWS, no HTTP.

mod agent_run;
mod day;
mod delivery;
mod embedding;
mod escalation;
mod event;
mod gap;
mod ids;
mod ingest;
mod ingest_card;
mod path_prefix;
mod replay;
mod session;
mod tenant;
mod timestamp;
mod total;
mod turn;
mod webhook;
mod wiki;

pub use agent_run::{AgentName, AgentRun};
pub use day::Day;
pub use delivery::{
    Attempt, AttemptError, Delivery, DeliveryAction, DeliveryLease, DeliveryStatus, OutgoingEvent, QUEUE_GRACE_MS,
};
pub use embedding::{Embedding, EmbeddingSpace, QueryVector, cosine_of_product, dot_product};
pub use escalation::{
    Escalation, EscalationAction, EscalationOutcome, EscalationStatus, Priority, ReasonCategory, RequestedBy,
};
pub use event::EventKind;
pub use gap::{EntryVersion, Gap, GapExample, GapId, GapStatus, NearestEntry};
pub use ids::{
    ApiKeyId, DeliveryId, EscalationId, EventId, IngestId, MessageId, NamedId, RequestId, SessionId, TenantId, TokenId,
    WebhookId,
};
pub use ingest::{
    EntryAction, INGEST_LEASE_MS, IngestAction, IngestError, IngestErrorCode, IngestJob, IngestLease, IngestStatus,
    IngestedEntry,
};
pub use ingest_card::IngestCard;
pub use path_prefix::PathPrefix;
pub use replay::{Replay, ReplayKind};
pub use session::{Channel, ClosedReason, Ownership, SentByWidget, Session, SessionAction, Visitor};
pub use tenant::{AnswerVisibility, ApiKeyRecord, Mode, Plan, Role, Scope, Settings, Tenant, TenantStatus, Texts};
pub use text::wire_enum;
pub use text::{CustomerLanguage, Language};
pub use timestamp::Timestamp;
pub use total::{MAX_TOTAL, Total};
pub use turn::{AgentRef, Disposition, Reaction, Source, SystemEvent, Turn, TurnRole};
pub use webhook::{
    DisabledReason, EncryptedSecret, RetiredSecret, SubscribedKind, Subscription, Webhook, WebhookHealth, WebhookStatus,
};
pub use wiki::{EntryCard, EntrySource, InvalidWikiPath, SourceType, Visibility, WikiEntry, WikiPath};
