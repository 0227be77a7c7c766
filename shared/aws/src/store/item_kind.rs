//! The kinds of items: what the attribute `kind` of each item says.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;
use text::wire_enum;

wire_enum! {
    /// The kind of an item of the table.
    pub enum ItemKind {
        /// The latest run of an agent.
        AgentRun => "agent_run",
        /// An answer among those that were made from an entry.
        AnswerPointer => "answer_pointer",
        /// An API key, by its hash.
        ApiKey => "api_key",
        /// An API key among those of its tenant.
        ApiKeyPointer => "api_key_pointer",
        /// An entry of the audit of a tenant.
        AuditEntry => "audit_entry",
        /// The order to give a member's claims back.
        ClaimsRelease => "claims_release",
        /// The marker of a stream record that was counted.
        Counted => "counted",
        /// A proposed change of the wiki.
        Draft => "draft",
        /// How many drafts are open.
        DraftCount => "draft_count",
        /// A draft among those that quote a session.
        DraftPointer => "draft_pointer",
        /// The name of a dead letter of a session.
        DeadLetters => "dead_letters",
        /// The published or discarded drafts that are kept.
        EndedDrafts => "ended_drafts",
        /// The dry runs of a tenant that are running.
        DryRunPermits => "dry_run_permits",
        /// An event on its way to a receiver.
        Delivery => "delivery",
        /// A delivery among those about a session.
        DeliveryPointer => "delivery_pointer",
        /// An answer among those that customers disliked.
        DislikedAnswer => "disliked_answer",
        /// The public keys of desk tokens.
        DeskKeys => "desk_keys",
        /// A session among those of an e-mail address.
        EmailSession => "email_session",
        /// How often it was tried to embed an entry.
        EmbeddingAttempts => "embedding_attempts",
        /// How far the entries that lack vectors have been looked at.
        EmbeddingCursor => "embedding_cursor",
        /// How many dimensions a model's vectors had last.
        EmbeddingDimensions => "embedding_dimensions",
        /// A wiki entry, or what is left of one.
        Entry => "entry",
        /// A request for a human.
        Escalation => "escalation",
        /// A knowledge gap.
        Gap => "gap",
        /// A gap among those by time.
        GapByLastSeen => "gap_by_last_seen",
        /// A question of a session without an answer, and its gap.
        GapQuestion => "gap_question",
        /// The review of a tenant's gaps.
        GapReview => "gap_review",
        /// The stored result of a request.
        Idempotency => "idempotency",
        /// A person whom the provider of sign-ins knows, among the members.
        Identity => "identity",
        /// The revision of an inbox.
        InboxRevision => "inbox_revision",
        /// An ingest job.
        IngestJob => "ingest_job",
        /// A piece of a job's text.
        IngestText => "ingest_text",
        /// An invitation, by its hash.
        Invitation => "invitation",
        /// A person of a tenant.
        Member => "member",
        /// An address of a member.
        MemberEmail => "member_email",
        /// A day's calls of the language model.
        ModelCalls => "model_calls",
        /// A question that every change of an entry is tried on.
        Pin => "pin",
        /// How many pins there are.
        PinCount => "pin_count",
        /// A saved reply of one key or member.
        OwnSavedReply => "own_saved_reply",
        /// A bucket of a rate limit.
        RateBucket => "rate_bucket",
        /// The progress of a wiki's reindex.
        Reindexing => "reindexing",
        /// The shortcuts of saved replies.
        ReplyShortcuts => "reply_shortcuts",
        /// A standing order to send again.
        Replay => "replay",
        /// An old version of an entry.
        Revision => "revision",
        /// The end of a path's revisions, at its deletion.
        RevisionsEnd => "revisions_end",
        /// The signing keys of widget tokens that are revoked.
        RevokedWidgetKeys => "revoked_widget_keys",
        /// A saved reply of the tenant.
        SavedReply => "saved_reply",
        /// A session.
        Session => "session",
        /// A request for a human among those of its session.
        SessionEscalation => "session_escalation",
        /// The tombstone of a session that is being erased.
        SessionTombstone => "session_tombstone",
        /// The settings of a mode.
        Settings => "settings",
        /// A sign-in, by the hash of its cookie.
        SignIn => "sign_in",
        /// A shard of a day's counters.
        Statistics => "statistics",
        /// A run of the sweeper that has not ended.
        SweepRun => "sweep_run",
        /// A tenant.
        Tenant => "tenant",
        /// How far an import into a tenant is.
        TenantImport => "tenant_import",
        /// A turn of a session.
        Turn => "turn",
        /// The vector of a passage.
        Vector => "vector",
        /// A session among those of its visitor.
        VisitorSession => "visitor_session",
        /// A receiver of events.
        Webhook => "webhook",
        /// How a receiver has been doing.
        WebhookHealth => "webhook_health",
        /// The permits of a slow receiver.
        WebhookPermits => "webhook_permits",
        /// The receivers that there are.
        WebhookRegistry => "webhook_registry",
        /// The item that health writes.
        WriteProbe => "write_probe",
    }
}

impl ItemKind {
    /// The value of the attribute `kind`.
    pub(super) fn attribute(self) -> AttributeValue {
        AttributeValue::S(self.as_str().to_owned())
    }

    /// The kind of an item; none if this version knows no such kind.
    pub(super) fn of(item: &HashMap<String, AttributeValue>) -> Option<Self> {
        Self::parse(item.get("kind")?.as_s().ok()?)
    }
}
