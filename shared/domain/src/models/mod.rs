//! Plain data and the state machines. No AWS, no HTTP.

mod agent_run;
mod appearance;
mod audit;
mod day;
mod delivery;
mod draft;
mod embedding;
mod escalation;
mod event;
mod gap;
mod hours;
mod ids;
mod ingest;
mod ingest_card;
mod last_words;
mod member;
mod ownership;
mod path_prefix;
mod pin;
mod proposed_change;
mod replay;
mod saved_reply;
mod sensitive_setting;
mod session;
mod session_changes;
mod session_state;
mod tenant;
mod timestamp;
mod total;
mod turn;
mod webhook;
mod wiki;

pub use agent_run::{AgentName, AgentRun};
pub use appearance::{Appearance, ChatPosition};
pub use audit::{Actor, ActorType, AuditAction, AuditChange, AuditEntry};
pub use day::Day;
pub use delivery::{
    Attempt, AttemptError, Delivery, DeliveryAction, DeliveryLease, DeliveryStatus, OutgoingEvent, QUEUE_GRACE_MS,
};
pub use draft::{DRAFT_KEPT_DAYS, Draft, DraftQuote, DraftStatus, MAX_ENDED_DRAFTS, MAX_OPEN_DRAFTS};
pub use embedding::{Embedding, EmbeddingSpace, QueryVector, cosine_of_product, dot_product};
pub use escalation::{
    Escalation, EscalationAction, EscalationOutcome, EscalationStatus, Priority, Rating, ReasonCategory, ReleaseReason,
    RequestedBy,
};
pub use event::EventKind;
pub use gap::{EntryVersion, Gap, GapExample, GapId, GapStatus, NearestEntry};
pub use hours::{ClockTime, Hours, OpenRange, Presence, Week};
pub use ids::{
    ApiKeyId, DeliveryId, DraftId, EscalationId, EventId, IngestId, MemberId, MessageId, NamedId, PinId, RequestId,
    SavedReplyId, SessionId, SignInId, TenantId, TokenId, WebhookId,
};
pub use ingest::{
    EntryAction, INGEST_LEASE_MS, IngestAction, IngestError, IngestErrorCode, IngestJob, IngestLease, IngestStatus,
    IngestedEntry,
};
pub use ingest_card::IngestCard;
pub use last_words::LastWords;
pub use member::{Availability, Invitation, Member, MemberPlace, MemberStatus, People, ProviderUser, SignIn};
pub use ownership::Ownership;
pub use path_prefix::PathPrefix;
pub use pin::{MAX_PINS, Pin};
pub use proposed_change::{ChangeAction, DryRunChange, DryRunViewer, ProposedChange};
pub use replay::{Replay, ReplayKind};
pub use saved_reply::{SavedReply, SavedReplyScope};
pub use sensitive_setting::SensitiveSetting;
pub use session::{Channel, SentByWidget, Session, Visitor};
pub use session_changes::is_preview_visitor;
pub use session_state::{ClosedReason, Closing, SessionAction, SessionState};
pub use tenant::{AnswerVisibility, ApiKeyRecord, Mode, Plan, Role, Scope, Settings, Tenant, TenantStatus, Texts};
pub use text::wire_enum;
pub use text::{CustomerLanguage, Language};
pub use timestamp::Timestamp;
pub use total::{MAX_TOTAL, Total};
pub use turn::{
    AgentRef, AgentTurn, AiTurn, CustomerTurn, Disposition, Reaction, Silence, SilenceReason, Source, SystemEvent,
    SystemTurn, Turn, TurnBody, TurnRole, from_elsewhere, is_member_elsewhere,
};
pub use webhook::{
    DisabledReason, EncryptedSecret, RetiredSecret, SubscribedKind, Subscription, Webhook, WebhookFormat,
    WebhookHealth, WebhookStatus,
};
pub use wiki::{
    EntryCard, EntrySource, InvalidWikiPath, MAX_REVISIONS, RevisionAction, SourceType, Visibility, WikiEntry, WikiPath,
};
