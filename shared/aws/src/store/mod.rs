//! DynamoDB: one repository per kind of thing with its key formats, and the retry of transactions.
//!
//! [`Store`] is the entry point. Its methods return repositories, whose methods take the tenant first.

mod agent_runs;
mod api_keys;
mod audit;
mod deliveries;
mod drafts;
mod dry_runs;
mod due;
mod escalations;
mod gap_review;
mod gaps;
mod idempotency;
mod ingest;
mod item;
mod keys;
mod member_changes;
mod members;
mod model_calls;
mod pages;
mod pins;
mod process;
mod rate_buckets;
mod saved_replies;
mod session_changes;
mod session_erasure;
mod session_lists;
pub mod sessions;
mod settings;
mod statistics;
pub mod stream;
mod sweep_runs;
mod table;
mod tenant_copies;
mod tenant_export;
mod tenants;
mod token_keys;
mod transaction;
mod update;
mod vectors;
mod webhooks;
mod wiki;
mod wiki_answers;
mod wiki_index;
mod wiki_lists;
mod wiki_revisions;

pub use self::member_changes::{ClaimsRelease, ClaimsReleases};
pub use self::token_keys::{DeskPublicKey, DeskPublicKeyRepository, RevokedWidgetKeyRepository};
pub use agent_runs::AgentRunRepository;
pub use api_keys::{ApiKeyRepository, FirstKey};
pub use audit::{AuditPlace, AuditRepository};
pub use deliveries::{Created, Deliveries};
pub use drafts::{DraftFilter, DraftRepository, Publication, PublishedDraft, draft_closed};
pub use dry_runs::{DryRunRepository, RunningDryRun};
pub use due::{DueItem, DueItemRepository, DuePage, DuePosition, DueSubject};
pub use escalations::{EscalationRepository, InboxRevisions};
pub use gap_review::{GapReview, ReviewPage};
pub use gaps::{GapFilter, GapOrder, GapPage, Gaps};
pub use idempotency::{Idempotency, KeptAnswer, Remembered, RequestKey};
pub use ingest::{CHUNK_BYTES as INGEST_CHUNK_BYTES, IngestJobRepository, IngestPlace};
pub use item::ItemKind;
pub use keys::DUE_SHARDS;
pub use member_changes::{MemberChange, MemberDecision, MemberRule, SignInPlace};
pub use members::{MemberAsRead, MemberRepository, Membership};
pub use model_calls::ModelCallRepository;
pub use pages::CursorPage;
pub use pins::PinRepository;
pub use rate_buckets::RateBucketRepository;
pub use saved_replies::{SavedReplies, SavedReplyPlace};
pub use sessions::SessionRepository;
pub use settings::SettingsRepository;
pub use statistics::Statistics;
pub use sweep_runs::{SweepRun, SweepRunRepository};
pub use table::Store;
pub use tenant_copies::{
    DayCounts, DeletedPath, GapQuestion, IngestText, ItemCopy, SessionTurn, TenantImport, WebhookCopy,
};
pub use tenant_export::CopyRoot;
pub use tenants::{TenantItem, TenantItemPage, TenantItemPosition, TenantItems, TenantRepository};
pub use transaction::{RequestRecord, in_progress_for};
pub use update::Decision;
pub use vectors::{EmbeddingAttempts, TextHash, Vectors};
pub use webhooks::{MAX_WEBHOOKS, Webhooks};
pub use wiki::{CreatedEntry, DeletedEntry, NewEntry, UpdatedEntry, WikiRecord, WikiRepository};
pub use wiki_answers::{AnswerFilter, AnswerPointer};
pub use wiki_index::Reindexing;
pub use wiki_lists::{EntryFilter, EntryMetadata, EntryPage, WikiScanPage, WikiScanPosition};
pub use wiki_revisions::{Restoration, RestoredEntry, Revision, entry_moved_on};

/// Makes the methods of [`Store`] that return the repositories.
macro_rules! repositories {
    ($($name:ident: $repository:ident),+ $(,)?) => {
        impl Store {
            $(
                #[must_use]
                pub const fn $name(&self) -> $repository<'_> {
                    $repository(self)
                }
            )+
        }
    };
}

repositories! {
    agent_runs: AgentRunRepository,
    api_keys: ApiKeyRepository,
    audit: AuditRepository,
    claims_releases: ClaimsReleases,
    deliveries: Deliveries,
    desk_public_keys: DeskPublicKeyRepository,
    drafts: DraftRepository,
    dry_runs: DryRunRepository,
    due: DueItemRepository,
    escalations: EscalationRepository,
    gaps: Gaps,
    idempotency: Idempotency,
    inbox_revisions: InboxRevisions,
    ingests: IngestJobRepository,
    members: MemberRepository,
    model_calls: ModelCallRepository,
    pins: PinRepository,
    rate_buckets: RateBucketRepository,
    revoked_widget_keys: RevokedWidgetKeyRepository,
    saved_replies: SavedReplies,
    sessions: SessionRepository,
    settings: SettingsRepository,
    statistics: Statistics,
    sweep_runs: SweepRunRepository,
    tenant_items: TenantItems,
    tenants: TenantRepository,
    vectors: Vectors,
    webhooks: Webhooks,
    wiki: WikiRepository,
}
