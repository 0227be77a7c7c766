//! DynamoDB: every key format in one file, one repository per kind of thing, and the retry of transactions.
//!
//! [`Store`] is the entry point. Its methods return repositories, whose methods take the tenant first.

mod agent_runs;
mod api_keys;
mod audit;
mod audit_item;
mod back_off;
mod claims_releases;
mod client;
mod counter;
mod cursor_page;
mod deliveries;
mod desk_public_keys;
mod drafts;
mod dry_runs;
mod due;
mod expression;
mod gaps;
mod idempotency;
mod inbox_revision;
mod ingest;
mod item_kind;
mod item_size;
mod keyed_mutex;
mod keys;
mod members;
mod model_calls;
mod offset_page;
mod permits;
mod pins;
mod rate_buckets;
mod rate_meters;
mod record;
mod recorded_runs;
mod revoked_widget_keys;
mod saved_replies;
mod schema;
pub mod sessions;
mod settings;
mod statistics;
pub mod stream;
mod sweep_runs;
mod table;
mod tenant_copies;
mod tenant_items;
mod tenants;
mod transaction;
mod update;
mod vectors;
mod webhooks;
mod wiki;

pub use agent_runs::AgentRunRepository;
pub use api_keys::{ApiKeyRepository, FirstKey};
pub use audit::{AuditPlace, AuditRepository};
pub use claims_releases::ClaimsRelease;
pub use client::Store;
pub use cursor_page::CursorPage;
pub use deliveries::{Created, Deliveries};
pub use desk_public_keys::{DeskPublicKey, DeskPublicKeyRepository};
pub use drafts::{DraftFilter, DraftRepository, Publication, PublishedDraft, draft_closed};
pub use dry_runs::{DryRunRepository, RunningDryRun};
pub use due::{DUE_SHARDS, DueItem, DueItemRepository, DuePage, DuePosition};
pub use gaps::{GapFilter, GapOrder, GapPage, GapReview, Gaps, ReviewPage};
pub use idempotency::{Idempotency, KeptAnswer, Remembered, RequestKey};
pub use inbox_revision::InboxRevisions;
pub use ingest::{CHUNK_BYTES as INGEST_CHUNK_BYTES, IngestJobRepository, IngestPlace};
pub use item_kind::ItemKind;
pub use keys::DueSubject;
pub use members::{MemberAsRead, MemberChange, MemberDecision, MemberRepository, MemberRule, Membership, SignInPlace};
pub use model_calls::ModelCallRepository;
pub use pins::PinRepository;
pub use rate_buckets::RateBucketRepository;
pub use revoked_widget_keys::RevokedWidgetKeyRepository;
pub use saved_replies::{SavedReplies, SavedReplyPlace};
pub use settings::SettingsRepository;
pub use statistics::Statistics;
pub use sweep_runs::{SweepRun, SweepRunRepository};
pub use tenant_copies::{
    CopyRoot, DayCounts, GapQuestion, IngestText, ItemCopy, RevisionsEnd, SessionTurn, TenantImport, WebhookCopy,
};
pub use tenant_items::{TenantItem, TenantItemPage, TenantItemPosition, TenantItems};
pub use tenants::TenantRepository;
pub use transaction::{RequestRecord, in_progress_for};
pub use update::Decision;
pub use vectors::{EmbeddingAttempts, TextHash, Vectors};
pub use webhooks::{MAX_WEBHOOKS, Webhooks};
pub use wiki::{
    AnswerFilter, AnswerPointer, CreatedEntry, DeletedEntry, EntryFilter, EntryMetadata, EntryPage, NewEntry,
    Reindexing, Restoration, RestoredEntry, Revision, UpdatedEntry, WikiRecord, WikiRepository, WikiScanPage,
    WikiScanPosition, entry_moved_on,
};

impl Store {
    /// The API keys.
    #[must_use]
    pub const fn api_keys(&self) -> ApiKeyRepository<'_> {
        ApiKeyRepository(self)
    }

    /// The ingest jobs.
    #[must_use]
    pub const fn ingests(&self) -> IngestJobRepository<'_> {
        IngestJobRepository(self)
    }

    /// The receivers of events.
    #[must_use]
    pub const fn webhooks(&self) -> Webhooks<'_> {
        Webhooks(self)
    }

    /// Events on their way to receivers.
    #[must_use]
    pub const fn deliveries(&self) -> Deliveries<'_> {
        Deliveries(self)
    }

    #[must_use]
    pub const fn members(&self) -> MemberRepository<'_> {
        MemberRepository(self)
    }

    #[must_use]
    pub const fn tenants(&self) -> TenantRepository<'_> {
        TenantRepository(self)
    }

    /// The due items.
    #[must_use]
    pub const fn due(&self) -> DueItemRepository<'_> {
        DueItemRepository(self)
    }

    /// The runs of the sweeper that have not ended.
    #[must_use]
    pub const fn sweep_runs(&self) -> SweepRunRepository<'_> {
        SweepRunRepository(self)
    }

    /// The latest run of each agent.
    #[must_use]
    pub const fn agent_runs(&self) -> AgentRunRepository<'_> {
        AgentRunRepository(self)
    }

    /// The signing keys of widget tokens that are revoked.
    #[must_use]
    pub const fn revoked_widget_keys(&self) -> RevokedWidgetKeyRepository<'_> {
        RevokedWidgetKeyRepository(self)
    }

    #[must_use]
    pub const fn settings(&self) -> SettingsRepository<'_> {
        SettingsRepository(self)
    }
}
