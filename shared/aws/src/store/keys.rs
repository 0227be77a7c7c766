//! Every key format of the table. `T` is `tenant#mode`. Ids are validated types, so no text of a caller reaches a key
//! unhashed, except wiki paths and tags with their own alphabet.

mod answers;
mod drafts;
mod due;
mod members;
mod pins;
mod saved_replies;
mod session_lists;
mod statistics;
mod vectors;
mod webhooks;

use domain::rate_limit::Draw;

use domain::models::{
    ApiKeyId, Day, EscalationId, GapId, IngestId, MessageId, Mode, Priority, Scope, SessionId, TenantId, Timestamp,
    WikiPath,
};

pub(crate) use answers::{answer_pointer, answers_of, disliked_answer, disliked_answers};
pub(crate) use drafts::{DRAFT_POINTERS, draft, draft_count, draft_id, draft_of_session, drafts, ended_drafts};
pub use due::DueSubject;
pub(crate) use due::{DUE_SHARDS, claims_release, due, due_from, due_position, due_shard, due_subject};
pub(crate) use members::{
    MEMBERS, audit, audit_entry, desk_public_keys, failed_sign_ins, identities, identity, invitation, is_audit_place,
    member, member_email, member_of_email, members_of_email, sign_in, sign_ins,
};
pub(crate) use pins::{pin, pin_count, pin_id, pins};
pub(crate) use saved_replies::{reply_shortcuts, saved_replies, saved_replies_of, saved_reply, team_reply};
pub(crate) use session_lists::{
    email_session, email_sessions, session_by_day, sessions_of_day, visitor_session, visitor_sessions,
};
pub(crate) use statistics::{
    STATISTICS_SHARDS, counted, day_of_statistics, statistics, statistics_bins, statistics_shard,
};
pub(crate) use vectors::{
    embedding_attempts, embedding_cursor, embedding_dimensions, vector, vectors, vectors_of_space,
};
pub(crate) use webhooks::{
    deliveries, deliveries_of_session, delivery, delivery_of_session, pointed_delivery, replay, webhook,
    webhook_health, webhook_permits, webhook_registry, webhooks, webhooks_health,
};

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

fn key(pk: String, sk: impl Into<String>) -> Key {
    Key { pk, sk: sk.into() }
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

// Tenants, settings, keys -------------------------------------------------------------------------------------------

pub(crate) fn tenant(id: &TenantId) -> Key {
    key(format!("TENANT#{id}"), "TENANT")
}

/// Reads back whose item a partition holds: the tenant's own, its settings, or any of its data.
pub(crate) fn tenant_of(pk: &str) -> Option<TenantId> {
    TenantId::parse(pk.strip_prefix("TENANT#").unwrap_or(pk).split('#').next()?)
}

/// How far an import into a tenant is. Among the tenant's data, so that it is erased with it.
pub(crate) fn tenant_import(id: &TenantId) -> Key {
    key(format!("{id}#IMPORT"), "IMPORT")
}

/// The dry runs of a tenant that are running.
pub(crate) fn dry_runs(id: &TenantId) -> Key {
    key(format!("{id}#DRYRUNS"), "PERMITS")
}

/// gsi1: all tenants, by creation.
pub(crate) const TENANTS: &str = "TENANTS";

pub(crate) fn tenant_by_creation(id: &TenantId, created_at: Timestamp) -> IndexKey {
    IndexKey { pk: TENANTS.to_owned(), sk: format!("{}#{id}", moment(created_at)) }
}

pub(crate) fn settings(scope: &Scope) -> Key {
    key(format!("TENANT#{}", scope.tenant), format!("SETTINGS#{}", scope.mode))
}

/// Reads back whose settings an item holds.
pub(crate) fn scope_of_settings(pk: &str, sk: &str) -> Option<Scope> {
    let (tenant, mode) = (pk.strip_prefix("TENANT#")?, sk.strip_prefix("SETTINGS#")?);
    Some(Scope { tenant: TenantId::parse(tenant)?, mode: Mode::parse(mode)? })
}

/// The pointer by which a tenant's keys are listed and deleted consistently.
pub(crate) fn api_key_pointer(tenant: &TenantId, key_id: &ApiKeyId) -> Key {
    key(format!("TENANT#{tenant}"), format!("{API_KEY_POINTERS}{key_id}"))
}

/// The beginning of the sort key of every API key pointer.
pub(crate) const API_KEY_POINTERS: &str = "KEY#";

/// An API key by the hash of the raw key (lower-case hex of SHA-256).
pub(crate) fn api_key(sha256: &str) -> Key {
    key(format!("KEY#{sha256}"), "KEY")
}

// Requests that come again ------------------------------------------------------------------------------------------

/// The record of a request, by the hash of its key (lower-case hex of SHA-256): beside a session, or by itself.
pub(crate) fn idempotency(s: &Scope, beside: Option<&SessionId>, hash: &str) -> Key {
    match beside {
        Some(session) => key(session_partition(s, session), format!("REQUEST#{hash}")),
        None => key(format!("{}#REQUEST#{hash}", scope(s)), "REQUEST"),
    }
}

// Rate limits -------------------------------------------------------------------------------------------------------

/// A bucket of a rate limit. The subject is an id or a hash.
pub(crate) fn rate_bucket(s: &Scope, draw: &Draw) -> Key {
    key(format!("{}#RATE#{}#{}", scope(s), draw.quota.name, draw.subject), "BUCKET")
}

/// A day's calls of the language model.
pub(crate) fn model_calls(s: &Scope, day: Day) -> Key {
    key(format!("{}#MODELCALLS#{day}", scope(s)), "CALLS")
}

// Sessions ----------------------------------------------------------------------------------------------------------

fn session_partition(s: &Scope, id: &SessionId) -> String {
    format!("{}#SES#{id}", scope(s))
}

/// Reads back which session a partition is.
pub(crate) fn session_of_turn(pk: &str) -> Option<SessionId> {
    SessionId::parse(pk.rsplit_once("#SES#")?.1)
}

pub(crate) fn session(s: &Scope, id: &SessionId) -> Key {
    key(session_partition(s, id), "SESSION")
}

/// The beginning of the sort key of every turn.
pub(crate) const TURNS: &str = "TURN#";

pub(crate) fn turn(s: &Scope, id: &SessionId, number: u32) -> Key {
    key(session_partition(s, id), format!("{TURNS}{number:08}"))
}

/// The beginning of the sort key of every pointer from a session to its requests for a human.
pub(crate) const ESCALATIONS: &str = "ESC#";

/// The pointer from a session to one of its requests for a human, so that they can be erased with it.
pub(crate) fn escalation_of_session(s: &Scope, id: &SessionId, escalation: &EscalationId) -> Key {
    key(session_partition(s, id), format!("{ESCALATIONS}{escalation}"))
}

// Escalations -------------------------------------------------------------------------------------------------------

pub(crate) fn escalation(s: &Scope, id: &EscalationId) -> Key {
    key(format!("{}#ESC#{id}", scope(s)), "ESCALATION")
}

/// gsi1: the inbox of one status.
pub(crate) fn inbox(s: &Scope, status: &str) -> String {
    format!("{}#INBOX#{status}", scope(s))
}

/// gsi1: a place in the inbox; high priority before normal.
pub(crate) fn inbox_position(s: &Scope, status: &str, place: &(Priority, Timestamp, EscalationId)) -> IndexKey {
    let (priority, created_at, id) = place;
    let rank = match priority {
        Priority::High => 0,
        Priority::Normal => 1,
    };
    IndexKey { pk: inbox(s, status), sk: format!("{rank}#{}#{id}", moment(*created_at)) }
}

/// Reads back a place in the inbox.
pub(crate) fn inbox_place(sk: &str) -> Option<(Priority, Timestamp, EscalationId)> {
    let (rank, place) = sk.split_once('#')?;
    let (created_at, id) = place.split_once('#')?;
    let priority = match rank {
        "0" => Priority::High,
        "1" => Priority::Normal,
        _ => return None,
    };
    Some((priority, moment_of(created_at)?, EscalationId::parse(id)?))
}

pub(crate) fn inbox_revision(s: &Scope) -> Key {
    key(format!("{}#REVISION", scope(s)), "INBOX")
}

// Wiki --------------------------------------------------------------------------------------------------------------

/// Every entry and tombstone of a tenant and mode.
pub(crate) fn wiki(s: &Scope) -> String {
    format!("{}#WIKI", scope(s))
}

/// Reads back whose wiki a partition is.
pub(crate) fn scope_of_wiki(pk: &str) -> Option<Scope> {
    let (tenant, mode) = pk.strip_suffix("#WIKI")?.split_once('#')?;
    Some(Scope { tenant: TenantId::parse(tenant)?, mode: Mode::parse(mode)? })
}

pub(crate) fn entry(s: &Scope, path: &WikiPath) -> Key {
    key(wiki(s), path.as_str())
}

/// A version of an entry that was replaced or deleted.
pub(crate) fn revision(s: &Scope, path: &WikiPath, version: u64) -> Key {
    key(format!("{}#REV#{path}", scope(s)), format!("{version:012}"))
}

/// The end of a path's revisions up to the version of its deletion.
pub(crate) fn revisions_end(s: &Scope, path: &WikiPath, version: u64) -> Key {
    key(format!("{}#REV#{path}", scope(s)), format!("{REVISIONS_END}{version:012}"))
}

/// Where the sort keys of the ends of revisions begin.
pub(crate) const REVISIONS_END: &str = "END#";

/// Reads back at which version revisions end.
pub(crate) fn version_of_revisions_end(sk: &str) -> Option<u64> {
    sk.strip_prefix(REVISIONS_END)?.parse().ok()
}

/// The progress of a wiki's reindex.
pub(crate) fn reindexing(s: &Scope) -> Key {
    key(format!("{}#REINDEX", scope(s)), "JOB")
}

/// gsi1: entries by their last change.
pub(crate) fn entry_by_update(s: &Scope, updated_at: Timestamp, path: &WikiPath) -> IndexKey {
    IndexKey { pk: wiki(s), sk: format!("{}#{path}", moment(updated_at)) }
}

// Ingest ------------------------------------------------------------------------------------------------------------

fn ingest_partition(s: &Scope, id: &IngestId) -> String {
    format!("{}#ING#{id}", scope(s))
}

/// Reads back which job a partition is.
pub(crate) fn ingest_of(pk: &str) -> Option<IngestId> {
    IngestId::parse(pk.rsplit_once("#ING#")?.1)
}

pub(crate) fn ingest_job(s: &Scope, id: &IngestId) -> Key {
    key(ingest_partition(s, id), "JOB")
}

/// A piece of a job's text.
pub(crate) fn ingest_text(s: &Scope, id: &IngestId, chunk: u32) -> Key {
    key(ingest_partition(s, id), format!("TEXT#{chunk:04}"))
}

/// gsi1: a tenant's jobs.
pub(crate) fn ingest_jobs(s: &Scope) -> String {
    format!("{}#INGEST", scope(s))
}

/// gsi1: a job by when it was made.
pub(crate) fn ingest_by_creation(s: &Scope, id: &IngestId, created_at: Timestamp) -> IndexKey {
    IndexKey { pk: ingest_jobs(s), sk: format!("{}#{id}", moment(created_at)) }
}

/// Reads back when a job was made, and its id.
pub(crate) fn ingest_place(sk: &str) -> Option<(Timestamp, IngestId)> {
    let (created_at, id) = sk.split_once('#')?;
    Some((moment_of(created_at)?, IngestId::parse(id)?))
}

// Knowledge gaps ----------------------------------------------------------------------------------------------------

/// Every gap of a tenant and mode.
pub(crate) fn gaps(s: &Scope) -> String {
    format!("{}#GAP", scope(s))
}

pub(crate) fn gap(s: &Scope, id: &GapId) -> Key {
    key(gaps(s), id.as_str())
}

/// The item by which a gap is listed by time.
pub(crate) fn gap_by_last_seen(s: &Scope, id: &GapId) -> Key {
    key(format!("{}#GAPSEEN", scope(s)), id.as_str())
}

/// gsi1: the gaps of one status, by how often they were asked.
pub(crate) fn gaps_by_count(s: &Scope, status: &str) -> String {
    format!("{}#GAPS#{status}", scope(s))
}

pub(crate) fn gap_by_count(s: &Scope, status: &str, count: u64, last_seen_at: Timestamp, id: &GapId) -> IndexKey {
    IndexKey { pk: gaps_by_count(s, status), sk: format!("{count:012}#{}#{id}", moment(last_seen_at)) }
}

/// gsi1: the gaps of one status, by when they were last asked.
pub(crate) fn gaps_by_time(s: &Scope, status: &str) -> String {
    format!("{}#GAPSEEN#{status}", scope(s))
}

pub(crate) fn gap_by_time(s: &Scope, status: &str, last_seen_at: Timestamp, id: &GapId) -> IndexKey {
    IndexKey { pk: gaps_by_time(s, status), sk: format!("{}#{id}", moment(last_seen_at)) }
}

/// The beginning of the sort key of every question without an answer, in its session's partition.
pub(crate) const GAP_QUESTIONS: &str = "GAP#";

/// A question of a session, one of those of a turn, that its gap counted.
pub(crate) fn gap_question(s: &Scope, id: &SessionId, number: u32, part: u32) -> Key {
    let part = if part == 0 { String::new() } else { format!("#{part}") };
    key(session_partition(s, id), format!("{GAP_QUESTIONS}{number:08}{part}"))
}

/// gsi1: the questions of a gap, oldest first.
pub(crate) fn questions_of_gap(s: &Scope, id: &GapId) -> String {
    format!("{}#GAPASKED#{id}", scope(s))
}

pub(crate) fn gap_question_by_time(s: &Scope, id: &GapId, message: &MessageId, part: u32) -> IndexKey {
    IndexKey { pk: questions_of_gap(s, id), sk: format!("{message}#{part}") }
}

/// The review of a tenant's gaps.
pub(crate) fn gap_review(s: &Scope) -> Key {
    key(format!("{}#GAPREVIEW", scope(s)), "REVIEW")
}

// Agent runs --------------------------------------------------------------------------------------------------------

/// The item that health writes to find out whether the table takes writes.
pub(crate) fn write_probe() -> Key {
    key("HEALTH".to_owned(), "WRITE")
}

/// The signing keys of widget tokens that are revoked, of all tenants.
pub(crate) fn revoked_widget_keys() -> Key {
    key("WIDGETKEYS".to_owned(), "REVOKED")
}

/// The partition of the runs of the sweeper that have not ended.
pub(crate) const SWEEP_RUNS: &str = "SWEEPS";

/// A run of the sweeper, by a random name.
pub(crate) fn sweep_run(holder: &str) -> Key {
    key(SWEEP_RUNS.to_owned(), holder)
}

/// The partition of every agent's latest run.
pub(crate) const AGENT_RUNS: &str = "AGENTS";

pub(crate) fn agent_run(agent: &str) -> Key {
    key(AGENT_RUNS.to_owned(), agent)
}
