//! Ingest jobs: one item each, a text in chunks next to it, and the marker of the request that created it.
//!
//! A job and its text are created in one transaction. Then the job is only replaced, on the condition of the version
//! that was read. After a lost race nothing is done: another worker has it.

mod list;
mod records;

pub use list::IngestPage;
pub(crate) use records::IngestRecord;
use records::{ChunkRecord, SentRecord};

use super::expression::Expression;
use super::table::{self, Consistency, Item, in_gsi1, in_gsi2, item, number, record};
use super::transaction::{Refused, Write};
use super::{Store, keys};
use domain::error::Code;
use domain::models::{IngestId, IngestJob, Scope, Timestamp};
use domain::{Error, Result};

/// Bytes of one piece of a text; an item holds 400 KB.
const CHUNK_BYTES: usize = 300 * 1024;
/// How long an `Idempotency-Key` means the same job, in hours.
const SENT_HOURS: i64 = 24;

/// The ingest jobs.
#[derive(Debug, Clone, Copy)]
pub struct Ingests<'a>(pub(super) &'a Store);

/// The `Idempotency-Key` of a job's request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// Who asks: the key's name.
    pub caller: String,
    /// The header.
    pub token: String,
    /// Lower-case hex of the SHA-256 of the request.
    pub fingerprint: String,
}

impl Ingests<'_> {
    /// Creates a job with its text, or finds the one of an earlier request with the same `Idempotency-Key`, and says
    /// which. The same key with another request is 422 `IDEMPOTENCY_KEY_REUSED`.
    pub async fn create(
        &self,
        scope: &Scope,
        job: IngestJob,
        text: Option<&str>,
        asked: Option<&Asked>,
    ) -> Result<(IngestJob, bool)> {
        let chunks = text.map(chunks).unwrap_or_default();
        let job = IngestJob { text_chunks: u32::try_from(chunks.len()).unwrap_or(u32::MAX), ..job };
        let (item, token) = self.item(scope, &job)?;
        let mut writes = vec![Write::create(item)];
        if let Some(asked) = asked {
            writes.push(self.marker(scope, &job, asked)?);
        }
        for (at, text) in (0..).zip(chunks) {
            let key = keys::ingest_text(scope, &job.ingest_id, at);
            let item = table::item(&key, "ingest_text", &ChunkRecord { text: text.to_owned() })?;
            writes.push(Write::Put { item, condition: None });
        }
        let refused = match self.0.transact(writes, None).await {
            Ok(()) => return Ok((job, false)),
            Err(refused) => refused,
        };
        let mine = there(&refused)?.is_some_and(|there| there.write_token == token);
        match (asked, refused.at(1).flatten().cloned()) {
            _ if mine => Ok((job, false)),
            (Some(asked), Some(marker)) => self.asked_before(scope, asked, record(marker)?).await,
            _ => Err(refused.into_error()),
        }
    }

    /// The job of an earlier identical request.
    async fn asked_before(&self, scope: &Scope, asked: &Asked, marker: SentRecord) -> Result<(IngestJob, bool)> {
        if marker.fingerprint != asked.fingerprint {
            return Err(Error::new(Code::IdempotencyKeyReused, "This Idempotency-Key was used for another request."));
        }
        let job = self.get(scope, &marker.ingest_id).await?;
        job.map(|job| (job, true)).ok_or_else(|| Error::internal("a marker without its ingest job"))
    }

    fn marker(&self, scope: &Scope, job: &IngestJob, asked: &Asked) -> Result<Write> {
        let now = self.0.ambient.now();
        let expires = now.plus_hours(SENT_HOURS).as_seconds();
        let fingerprint = asked.fingerprint.clone();
        let sent = SentRecord { ingest_id: job.ingest_id.clone(), fingerprint, expires, ttl: expires };
        let item = table::item(&keys::ingest_sent(scope, &asked.caller, &asked.token), "ingest_sent", &sent)?;
        // DynamoDB deletes what is over when it finds the time; until then it counts as gone.
        let free =
            Expression::new("attribute_not_exists(pk) OR expires <= :now").with(":now", number(now.as_seconds()));
        Ok(Write::Put { item, condition: Some(free) })
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
    pub async fn text(&self, scope: &Scope, job: &IngestJob) -> Result<String> {
        let mut text = String::new();
        for at in 0..job.text_chunks {
            let key = keys::ingest_text(scope, &job.ingest_id, at);
            let chunk: Option<ChunkRecord> = self.0.get(&key, Consistency::Strong).await?;
            text.push_str(&chunk.ok_or_else(|| Error::internal("an ingest job without its text"))?.text);
        }
        Ok(text)
    }

    /// Replaces what was `seen` by `after`; false if it changed meanwhile. The text of a finished job is deleted with
    /// it.
    pub async fn replace(&self, scope: &Scope, seen: &IngestJob, after: &IngestJob) -> Result<bool> {
        let (item, token) = self.item(scope, after)?;
        let unchanged = Expression::new("version = :seen").with(":seen", number(seen.version));
        let mut writes = vec![Write::Put { item, condition: Some(unchanged) }];
        for at in after.text_chunks..seen.text_chunks {
            let key = keys::ingest_text(scope, &seen.ingest_id, at);
            writes.push(Write::Delete { key, condition: None });
        }
        match self.0.transact(writes, None).await {
            Ok(()) => Ok(true),
            Err(refused @ Refused::Condition(_)) => {
                Ok(there(&refused)?.is_some_and(|there| there.write_token == token))
            }
            Err(other) => Err(other.into_error()),
        }
    }

    fn item(&self, scope: &Scope, job: &IngestJob) -> Result<(Item, String)> {
        let key = keys::ingest_job(scope, &job.ingest_id);
        let token = format!("{:032x}", u128::from_be_bytes(self.0.ambient.bytes::<16>()?));
        let mut item = item(&key, "ingest_job", &IngestRecord::of(job, &token))?;
        in_gsi1(&mut item, &keys::ingest_by_creation(scope, &job.ingest_id, job.created_at));
        if let Some(due) = job.due_at() {
            in_gsi2(&mut item, &keys::due(&key, due.max(Timestamp::from_millis(0))));
        }
        Ok((item, token))
    }
}

/// The item that exists in place of the job to be written.
fn there(refused: &Refused) -> Result<Option<IngestRecord>> {
    refused.at(0).flatten().cloned().map(record).transpose()
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
