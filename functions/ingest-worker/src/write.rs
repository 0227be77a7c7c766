//! Applies a plan: each entry is written on condition, and indexed before it counts as done.

use crate::IngestWorker;
use app::indexing;
use aws::store::{EntryHead, NewEntry, WikiRecord};
use domain::error::Code;
use domain::models::{EntryAction, EntrySource, IngestJob, IngestedEntry, Scope, SourceType, WikiEntry, WikiPath};
use domain::{Error, Result};
use futures::{StreamExt, TryStreamExt, stream};
use text::Analyzer;

use crate::plan::{Plan, Planned, is_as_made, is_own};
use crate::stop::Stop;
use crate::tidy::Tidier;

/// So many entries are written at a time.
const AT_ONCE: usize = 8;
/// How often a concurrently changing entry is read again.
const LOOKS: usize = 3;

/// Applies the plan; returns the actions in the plan's order.
pub(crate) async fn carry_out(
    ctx: &IngestWorker,
    scope: &Scope,
    job: &IngestJob,
    plan: Plan,
) -> Result<Vec<IngestedEntry>, Stop> {
    let language = ctx.store.settings().get(scope).await?.language;
    let hand = Hand { ctx, scope, job, analyzer: Analyzer::new(language), tidier: Tidier::new(ctx, language) };
    let hand = &hand;
    let Plan { writes, unchanged, conflicts, removals, removed } = plan;
    let writes = stream::iter(writes).map(|planned| hand.write(planned)).buffered(AT_ONCE);
    let mut entries: Vec<IngestedEntry> = writes.try_collect().await?;
    entries.extend(unchanged);
    entries.extend(conflicts);
    entries.extend(removed);
    let removals = stream::iter(removals).map(|path| hand.remove(path)).buffered(AT_ONCE);
    let removals: Vec<IngestedEntry> = removals.try_collect().await?;
    entries.extend(removals);
    Ok(entries)
}

/// The author of a job's writes.
struct Hand<'a> {
    ctx: &'a IngestWorker,
    scope: &'a Scope,
    job: &'a IngestJob,
    analyzer: Analyzer,
    tidier: Tidier<'a>,
}

impl Hand<'_> {
    async fn write(&self, planned: Planned) -> Result<IngestedEntry> {
        let mut done = planned.entry();
        let entry = if planned.written {
            self.ctx.store.wiki().get(self.scope, &planned.path).await?
        } else {
            let new = self.entry(&planned).await;
            self.put(new, &mut done).await?
        };
        if let Some(entry) = entry {
            self.index(WikiRecord::Entry(entry)).await?;
        }
        Ok(done)
    }

    /// What is to be in the wiki, tidied where there is a model.
    async fn entry(&self, planned: &Planned) -> NewEntry {
        let (title, content) = self.tidier.tidied(&planned.draft).await;
        NewEntry {
            path: planned.path.clone(),
            title,
            content,
            visibility: self.job.visibility,
            tags: Vec::new(),
            created_by: self.job.ingest_id.to_string(),
            source: EntrySource {
                source_type: SourceType::Ingest,
                ingest_id: Some(self.job.ingest_id.clone()),
                url: self.job.url.clone(),
            },
        }
    }

    /// The entry as it is now, where it is this job's; `done` becomes what really happened.
    async fn put(&self, new: NewEntry, done: &mut IngestedEntry) -> Result<Option<WikiEntry>> {
        let wiki = self.ctx.store.wiki();
        let mut create = done.action == EntryAction::Created;
        for _ in 0..LOOKS {
            if create {
                match wiki.create(self.scope, new.clone()).await {
                    Ok(entry) => {
                        done.action = EntryAction::Created;
                        return Ok(Some(entry));
                    }
                    Err(error) if error.code() == Code::Conflict => create = false,
                    Err(error) => return Err(error),
                }
            } else {
                match wiki.update(self.scope, &new.path, |there| self.replacement(there, &new)).await {
                    Ok(updated) => {
                        let created = updated.entry.created_by == self.job.ingest_id.as_str();
                        done.action = if created { EntryAction::Created } else { EntryAction::Updated };
                        return Ok(Some(updated.entry));
                    }
                    Err(error) if error.code() == Code::NotFound => create = true,
                    Err(error) if error.code() == Code::Conflict => break,
                    Err(error) => return Err(error),
                }
            }
        }
        done.action = EntryAction::Conflict;
        Ok(None)
    }

    /// The new entry in place of the existing one; 409 if that must not be replaced.
    fn replacement(&self, there: &WikiEntry, new: &NewEntry) -> Result<Option<WikiEntry>> {
        self.must_be_ours(there)?;
        let mine = there.source.ingest_id.as_ref() == Some(&self.job.ingest_id);
        let same = there.content == new.content && there.title == new.title && there.visibility == new.visibility;
        if mine && same {
            return Ok(None);
        }
        let mut next = there.clone();
        next.title.clone_from(&new.title);
        next.content.clone_from(&new.content);
        next.visibility = new.visibility;
        next.source = new.source.clone();
        next.updated_by = self.job.ingest_id.to_string();
        Ok(Some(next))
    }

    fn must_be_ours(&self, there: &WikiEntry) -> Result<()> {
        let head = EntryHead {
            path: there.path.clone(),
            version: there.version,
            visibility: there.visibility,
            created_by: there.created_by.clone(),
            updated_by: there.updated_by.clone(),
            source: there.source.clone(),
        };
        let ours = is_own(self.job, &head) && is_as_made(&head);
        if ours { Ok(()) } else { Err(Error::new(Code::Conflict, "Another writer owns this entry.")) }
    }

    async fn remove(&self, path: WikiPath) -> Result<IngestedEntry> {
        let mut done = IngestedEntry { path, action: EntryAction::Removed, section: String::new() };
        match self.ctx.store.wiki().delete(self.scope, &done.path, |there| self.must_be_ours(there)).await {
            Ok(deleted) => self.index(WikiRecord::Deleted(done.path.clone(), deleted)).await?,
            Err(error) if error.code() == Code::NotFound => {}
            Err(error) if error.code() == Code::Conflict => done.action = EntryAction::Conflict,
            Err(error) => return Err(error),
        }
        Ok(done)
    }

    /// Searchable before it counts. If the index fails, the path is marked as pending.
    async fn index(&self, record: WikiRecord) -> Result<()> {
        let Err(error) = indexing::put(&self.ctx.indexing, self.scope, &self.analyzer, &record).await else {
            return Ok(());
        };
        let (path, version) = match &record {
            WikiRecord::Entry(entry) => (&entry.path, entry.version),
            WikiRecord::Deleted(path, deleted) => (path, deleted.version),
        };
        indexing::owe(&self.ctx.indexing, self.scope, path, version).await?;
        Err(error)
    }
}
