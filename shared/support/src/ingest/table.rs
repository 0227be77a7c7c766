//! Ingest jobs: one item each, and a text in pieces beside it. Lists read the cards in gsi1, which lag by up to a
//! second.
//!
//! A job and its text are created in one transaction. Then the job is only replaced, on the condition of the version
//! that was read. After a lost race nothing is done: another worker has it.

use domain::error::{Code, DetailCode};
use domain::limits::MAX_SCHEDULED_PAGES;
use domain::models::{AuditAction, IngestCard, IngestId, IngestJob, IngestStatus, Scope, Timestamp, Visibility};
use domain::{Error, Result};
use serde::{Deserialize, Serialize};

use crate::table::item::{Expression, Item, ItemKind, card, item, set_gsi1_key, set_gsi2_key, text, value};
use crate::table::keys::{self, IndexKey, Key};
use crate::table::pages::CursorPage;
use crate::table::transaction::{Outcome, RequestRecord, Tag, Transaction, Write, count};
use crate::table::update::{Basis, Decision};
use crate::table::{Consistency, PartitionQuery, SortCondition, repository};

/// The attribute of a job that names the call that wrote this version.
const WRITE_TOKEN: &str = "writeToken";

/// Bytes of one piece of a text; an item holds 400 KB.
pub(crate) const CHUNK_BYTES: usize = 300 * 1024;

repository!(ingests: IngestJobRepository);

impl IngestJobRepository<'_> {
    /// Makes a job with its text, with the record of its request.
    ///
    /// # Errors
    /// 409 `IDEMPOTENCY_IN_PROGRESS` if there is a record with its key.
    pub async fn create(
        &self,
        scope: &Scope,
        job: IngestJob,
        text: Option<&str>,
        request: Option<RequestRecord>,
    ) -> Result<IngestJob> {
        let chunks = text.map(chunks).unwrap_or_default();
        let job = IngestJob { text_chunks: u32::try_from(chunks.len()).unwrap_or(u32::MAX), ..job };
        let (item, token) = self.item(scope, &job)?;
        let text_item = |(at, text)| text_item(scope, &job.ingest_id, at, text);
        let text = (0..).zip(chunks).map(|chunk| Ok(Write::put(text_item(chunk)?)));
        let transaction = Transaction::of(Write::create(item)).recording(request);
        let transaction = transaction.with(Tag::Beside, text.collect::<Result<Vec<_>>>()?);
        let transaction = transaction.with(Tag::Beside, self.publication(scope, None, &job)?);
        let scheduled = job.every.map(|_| count_scheduled(scope, 1, Some(MAX_SCHEDULED_PAGES)));
        let outcome = self.0.commit(transaction.with(Tag::Taken, scheduled), None).await?;
        if is_written_by(&outcome, &token) {
            return Ok(job);
        }
        if outcome.at(Tag::Taken).is_some() { Err(too_many_scheduled()) } else { outcome.expected().map(|()| job) }
    }

    /// Keeps an imported one with its text, unless it is there; whether it was not.
    pub(crate) async fn put_copy(&self, scope: &Scope, job: &IngestJob, items: Vec<Item>) -> Result<bool> {
        let transaction = items.into_iter().map(Write::create).collect::<Vec<_>>();
        let scheduled = job.every.map(|_| count_scheduled(scope, 1, None));
        self.0.write_if(Transaction::from(transaction).with(Tag::Beside, scheduled)).await
    }

    /// A job; consistent.
    pub async fn get(&self, scope: &Scope, id: &IngestId) -> Result<Option<IngestJob>> {
        self.0.get(&ingest_job_key(scope, id), Consistency::Strong).await
    }

    /// Jobs by id, at most 100, in no order; missing ones are left out.
    pub(super) async fn get_many(&self, scope: &Scope, ids: &[IngestId]) -> Result<Vec<IngestJob>> {
        let keys: Vec<_> = ids.iter().map(|id| ingest_job_key(scope, id)).collect();
        self.0.get_many(&keys, Consistency::Strong).await
    }

    /// The text of a job that has one.
    pub(super) async fn get_text(&self, scope: &Scope, job: &IngestJob) -> Result<String> {
        let mut text = String::new();
        for at in 0..job.text_chunks {
            text.push_str(&self.get_text_chunk(scope, job, at).await?);
        }
        Ok(text)
    }

    /// A piece of the text of a job, from 0 on.
    pub(crate) async fn get_text_chunk(&self, scope: &Scope, job: &IngestJob, number: u32) -> Result<String> {
        let key = ingest_text_key(scope, &job.ingest_id, number);
        let chunk: Option<ChunkRecord> = self.0.get(&key, Consistency::Strong).await?;
        Ok(chunk.ok_or_else(|| Error::internal("an ingest job without its text"))?.text)
    }

    /// Ends the schedule of a job, if it has one.
    ///
    /// # Errors
    /// 404 if there is no such job; 503 if others were faster until the deadline.
    pub(super) async fn unschedule(&self, scope: &Scope, id: &IngestId) -> Result<()> {
        let decide = |job: Option<IngestJob>| {
            let job = job.ok_or_else(|| Error::not_found("ingest job"))?;
            if job.every.is_none() {
                return Ok(Decision::Keep(()));
            }
            let (item, _) = self.item(scope, &job.unscheduled())?;
            let ended = Transaction::of(Write::replace(item, job.version));
            Ok(Decision::Write(ended.with(Tag::Beside, [count_scheduled(scope, -1, None)]), ()))
        };
        self.0.update(&ingest_job_key(scope, id), Basis::Read, self.0.default_deadline(), decide).await
    }

    /// Replaces what was `seen` by `after`; false if it changed meanwhile. The text of a finished job is deleted with
    /// it.
    pub async fn replace(&self, scope: &Scope, seen: &IngestJob, after: &IngestJob) -> Result<bool> {
        self.replace_once(scope, seen, after, None).await
    }

    /// The same with the record of the request that asks for it.
    ///
    /// # Errors
    /// 409 `IDEMPOTENCY_IN_PROGRESS` if there is a record with its key.
    pub(super) async fn replace_once(
        &self,
        scope: &Scope,
        seen: &IngestJob,
        after: &IngestJob,
        request: Option<RequestRecord>,
    ) -> Result<bool> {
        let (item, token) = self.item(scope, after)?;
        let gone = (after.text_chunks..seen.text_chunks).map(|at| ingest_text_key(scope, &seen.ingest_id, at));
        let transaction = Transaction::of(Write::replace(item, seen.version))
            .with(Tag::Beside, gone.map(Write::delete))
            .with(Tag::Beside, self.publication(scope, Some(seen), after)?)
            .recording(request);
        let outcome = self.0.commit(transaction, None).await?;
        Ok(outcome.is_committed() || is_written_by(&outcome, &token))
    }

    /// The audit of a job that somebody hands in, or tries again, and whose entries become public.
    fn publication(&self, scope: &Scope, seen: Option<&IngestJob>, after: &IngestJob) -> Result<Option<Write>> {
        let is_ordered = after.status == IngestStatus::Queued
            && seen.is_none_or(|seen| seen.repeated_at == after.repeated_at)
            && seen.is_none_or(|seen| matches!(seen.status, IngestStatus::Completed | IngestStatus::Failed));
        if !is_ordered || after.visibility != Visibility::Public {
            return Ok(None);
        }
        let (action, target) = (AuditAction::IngestPublished, after.ingest_id.as_str());
        self.0.audit().effect(&scope.tenant, action, target, Vec::new()).map(Some)
    }

    fn item(&self, scope: &Scope, job: &IngestJob) -> Result<(Item, String)> {
        let token = self.0.runtime.token()?;
        Ok((job_item(scope, job, &token)?, token))
    }
}

/// Adds `change` to the number of jobs with an interval, while it is below `most`.
fn count_scheduled(scope: &Scope, change: i32, most: Option<u32>) -> Write {
    let key = Key::new(format!("{}#INGESTCOUNT", keys::scope(scope)), "SCHEDULED");
    count(key, ItemKind::IngestCount, change, most)
}

fn too_many_scheduled() -> Error {
    let message = format!("A tenant may have at most {MAX_SCHEDULED_PAGES} scheduled pages.");
    Error::new(Code::Conflict, message)
        .with_detail(DetailCode::TooManyScheduledPages, "end the schedule of another one")
}

/// A job as an item, with its place in the list and in the due index.
pub(crate) fn job_item(scope: &Scope, job: &IngestJob, write_token: &str) -> Result<Item> {
    let key = ingest_job_key(scope, &job.ingest_id);
    let mut item = item(&key, ItemKind::IngestJob, job)?;
    item.insert("card".into(), value(&IngestCard::from(job.clone()))?);
    item.insert(WRITE_TOKEN.into(), text(write_token));
    set_gsi1_key(&mut item, &ingest_by_creation(scope, &job.ingest_id, job.created_at));
    if let Some(due) = job.due_at() {
        set_gsi2_key(&mut item, &keys::due(&key, due.max(Timestamp::from_millis(0))));
    }
    Ok(item)
}

/// A piece of a job's text as an item.
pub(crate) fn text_item(scope: &Scope, id: &IngestId, number: u32, text: &str) -> Result<Item> {
    item(&ingest_text_key(scope, id, number), ItemKind::IngestText, &ChunkRecord { text: text.to_owned() })
}

/// Whether the job that is there was written by the call `token` itself, whose reply was lost.
fn is_written_by(outcome: &Outcome, token: &str) -> bool {
    outcome.at(Tag::Item).flatten().is_some_and(|there| there.get(WRITE_TOKEN) == Some(&text(token)))
}

/// The text in pieces that items hold, cut between characters.
fn chunks(text: &str) -> Vec<&str> {
    let mut chunks = Vec::new();
    let mut rest = text;
    while rest.len() > CHUNK_BYTES {
        let mut at = CHUNK_BYTES;
        while !rest.is_char_boundary(at) {
            at -= 1;
        }
        let (chunk, after) = rest.split_at(at);
        chunks.push(chunk);
        rest = after;
    }
    chunks.push(rest);
    chunks
}

/// The place of a job in the list: when it was made, and its id.
pub type IngestPlace = (Timestamp, IngestId);

impl IngestJobRepository<'_> {
    /// Jobs of one status or of all, with an interval, without one, or both, below `below`. One call reads 1 MiB at the
    /// most: a page may be short, or empty, and have a `next`.
    pub(super) async fn list(
        &self,
        scope: &Scope,
        status: Option<IngestStatus>,
        is_scheduled: Option<bool>,
        below: Option<&IngestPlace>,
        limit: usize,
    ) -> Result<CursorPage<IngestCard, IngestPlace>> {
        let mut query = PartitionQuery::of_index("gsi1", ingest_jobs(scope));
        query.forward = false;
        query.condition = below.map_or(SortCondition::Any, |(created_at, id)| {
            SortCondition::Below(ingest_by_creation(scope, id, *created_at).sk)
        });
        let status =
            status.map(|status| Expression::new("card.jobStatus = :status").with(":status", text(status.as_str())));
        let scheduled = is_scheduled.map(|is_scheduled| {
            Expression::new(if is_scheduled {
                "attribute_exists(card.every)"
            } else {
                "attribute_not_exists(card.every)"
            })
        });
        query.filter = Expression::all(status.into_iter().chain(scheduled));
        self.0.cursor_page(query, limit).await?.try_map(card, |sk| ingest_place(&sk))
    }
}

/// A piece of a job's text.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct ChunkRecord {
    text: String,
}

fn ingest_partition(s: &Scope, id: &IngestId) -> String {
    format!("{}#ING#{id}", keys::scope(s))
}

/// Reads back which job a partition is.
pub(crate) fn ingest_of(pk: &str) -> Option<IngestId> {
    IngestId::parse(pk.rsplit_once("#ING#")?.1)
}

fn ingest_job_key(s: &Scope, id: &IngestId) -> Key {
    Key::new(ingest_partition(s, id), "JOB")
}

/// A piece of a job's text.
fn ingest_text_key(s: &Scope, id: &IngestId, chunk: u32) -> Key {
    Key::new(ingest_partition(s, id), format!("TEXT#{chunk:04}"))
}

/// gsi1: a tenant's jobs.
fn ingest_jobs(s: &Scope) -> String {
    format!("{}#INGEST", keys::scope(s))
}

/// gsi1: a job by when it was made.
fn ingest_by_creation(s: &Scope, id: &IngestId, created_at: Timestamp) -> IndexKey {
    IndexKey { pk: ingest_jobs(s), sk: format!("{}#{id}", keys::moment(created_at)) }
}

/// Reads back when a job was made, and its id.
fn ingest_place(sk: &str) -> Option<(Timestamp, IngestId)> {
    let (created_at, id) = sk.split_once('#')?;
    Some((keys::moment_of(created_at)?, IngestId::parse(id)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_between_characters_and_nothing_is_lost() {
        let text = "漢a".repeat(200_000);
        let chunks = chunks(&text);
        assert!(chunks.len() > 2 && chunks.iter().all(|chunk| chunk.len() <= CHUNK_BYTES));
        assert_eq!(chunks.concat(), text);
    }
}
