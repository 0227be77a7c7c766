//! Ingest jobs: one item each, and a text in pieces beside it.
//!
//! A job and its text are created in one transaction. Then the job is only replaced, on the condition of the version
//! that was read. After a lost race nothing is done: another worker has it.

mod list;
mod records;

pub use list::IngestPlace;
use records::ChunkRecord;
pub(crate) use records::IngestRecord;

use super::client::Store;
use super::keys;
use super::table::{Consistency, Item, item, record, set_gsi1_key, set_gsi2_key};
use super::transaction::{Outcome, RequestRecord, Tag, Transaction, Write};
use crate::store::item_kind::ItemKind;
use domain::models::{AuditAction, IngestId, IngestJob, IngestStatus, Scope, Timestamp, Visibility};
use domain::{Error, Result};

/// Bytes of one piece of a text; an item holds 400 KB.
pub const CHUNK_BYTES: usize = 300 * 1024;

/// The ingest jobs.
#[derive(Debug, Clone, Copy)]
pub struct IngestJobRepository<'a>(pub(super) &'a Store);

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
        let text = (0..).zip(chunks).map(|chunk| Ok(Write::Put { item: text_item(chunk)?, condition: None }));
        let transaction = Transaction::of(Write::create(item)).recording(request);
        let transaction = transaction.with(Tag::Beside, text.collect::<Result<Vec<_>>>()?);
        let transaction = transaction.with(Tag::Beside, self.publication(scope, None, &job)?);
        let outcome = self.0.commit(transaction, None).await?;
        if written_by(&outcome, &token)? { Ok(job) } else { outcome.expected().map(|()| job) }
    }

    /// A job; consistent.
    pub async fn get(&self, scope: &Scope, id: &IngestId) -> Result<Option<IngestJob>> {
        let found: Option<IngestRecord> = self.0.get(&keys::ingest_job(scope, id), Consistency::Strong).await?;
        Ok(found.map(IngestJob::from))
    }

    /// Jobs by id, at most 100, in no order; missing ones are left out.
    pub async fn get_many(&self, scope: &Scope, ids: &[IngestId]) -> Result<Vec<IngestJob>> {
        let keys: Vec<_> = ids.iter().map(|id| keys::ingest_job(scope, id)).collect();
        let found: Vec<IngestRecord> = self.0.get_many(&keys, Consistency::Strong).await?;
        Ok(found.into_iter().map(IngestJob::from).collect())
    }

    /// The text of a job that has one.
    pub async fn get_text(&self, scope: &Scope, job: &IngestJob) -> Result<String> {
        let mut text = String::new();
        for at in 0..job.text_chunks {
            text.push_str(&self.get_text_chunk(scope, job, at).await?);
        }
        Ok(text)
    }

    /// A piece of the text of a job, from 0 on.
    pub async fn get_text_chunk(&self, scope: &Scope, job: &IngestJob, number: u32) -> Result<String> {
        let key = keys::ingest_text(scope, &job.ingest_id, number);
        let chunk: Option<ChunkRecord> = self.0.get(&key, Consistency::Strong).await?;
        Ok(chunk.ok_or_else(|| Error::internal("an ingest job without its text"))?.text)
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
    pub async fn replace_once(
        &self,
        scope: &Scope,
        seen: &IngestJob,
        after: &IngestJob,
        request: Option<RequestRecord>,
    ) -> Result<bool> {
        let (item, token) = self.item(scope, after)?;
        let gone = (after.text_chunks..seen.text_chunks).map(|at| keys::ingest_text(scope, &seen.ingest_id, at));
        let transaction = Transaction::of(Write::replace(item, seen.version))
            .with(Tag::Beside, gone.map(|key| Write::Delete { key, condition: None }))
            .with(Tag::Beside, self.publication(scope, Some(seen), after)?)
            .recording(request);
        let outcome = self.0.commit(transaction, None).await?;
        Ok(outcome.is_committed() || written_by(&outcome, &token)?)
    }

    /// The audit of a job that somebody hands in, or tries again, and whose entries become public.
    fn publication(&self, scope: &Scope, seen: Option<&IngestJob>, after: &IngestJob) -> Result<Option<Write>> {
        let is_ordered = after.status == IngestStatus::Queued
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

/// A job as an item, with its place in the list and in the due index.
pub(super) fn job_item(scope: &Scope, job: &IngestJob, write_token: &str) -> Result<Item> {
    let key = keys::ingest_job(scope, &job.ingest_id);
    let mut item = item(&key, ItemKind::IngestJob, &IngestRecord::of(job, write_token))?;
    set_gsi1_key(&mut item, &keys::ingest_by_creation(scope, &job.ingest_id, job.created_at));
    if let Some(due) = job.due_at() {
        set_gsi2_key(&mut item, &keys::due(&key, due.max(Timestamp::from_millis(0))));
    }
    Ok(item)
}

/// A piece of a job's text as an item.
pub(super) fn text_item(scope: &Scope, id: &IngestId, number: u32, text: &str) -> Result<Item> {
    item(&keys::ingest_text(scope, id, number), ItemKind::IngestText, &ChunkRecord { text: text.to_owned() })
}

/// Whether the job that is there was written by the call `token` itself, whose reply was lost.
fn written_by(outcome: &Outcome, token: &str) -> Result<bool> {
    let there: Option<IngestRecord> = outcome.at(Tag::Item).flatten().cloned().map(record).transpose()?;
    Ok(there.is_some_and(|there| there.write_token == token))
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
