//! Applies a plan: each entry is written by a conditional write, and indexed before it counts as done.

use domain::error::Code;
use domain::models::{
    ChangeAction, Draft, DraftId, DraftStatus, EntryAction, EntrySource, IngestJob, IngestedEntry, Scope, SourceType,
    WikiEntry, WikiPath,
};
use domain::{Error, Result, sha256_hex};
use futures::{StreamExt, TryStreamExt, stream};
use page::SectionDraft;
use text::Analyzer;

use crate::edge::App;
use crate::ingest::worker::plan::{Plan, PlannedWrite, has_same_source, is_unmodified, written_action};
use crate::ingest::worker::{JobError, Tidier};
use crate::wiki::indexing;
use crate::wiki::table::{NewEntry, WikiRecord};

/// The number of entries that are written concurrently.
const CONCURRENCY: usize = 8;
/// How often a concurrently changing entry is read again.
const MAX_ATTEMPTS: usize = 3;

/// Applies the plan; returns the actions in the plan's order.
pub(crate) async fn apply_plan(
    app: &App,
    scope: &Scope,
    job: &IngestJob,
    plan: Plan,
) -> Result<Vec<IngestedEntry>, JobError> {
    let settings = app.store.settings().get(scope).await?;
    let (analyzer, tidier) = (Analyzer::new(settings.language), Tidier::new(app, scope, &settings));
    let writer = EntryWriter { app, scope, job, analyzer, tidier };
    let writer = &writer;
    let Plan { writes, unchanged, proposals, conflicts, removals, removed } = plan;
    let changes_index = !writes.is_empty() || !removals.is_empty();
    let writes = stream::iter(writes).map(|planned| writer.apply_write(planned)).buffered(CONCURRENCY);
    let mut entries: Vec<IngestedEntry> = writes.try_collect().await?;
    entries.extend(unchanged);
    let proposals = stream::iter(proposals).map(|planned| writer.propose(planned)).buffered(CONCURRENCY);
    entries.extend(proposals.try_collect::<Vec<IngestedEntry>>().await?);
    entries.extend(conflicts);
    entries.extend(removed);
    let removals = stream::iter(removals).map(|path| writer.remove(path)).buffered(CONCURRENCY);
    let removals: Vec<IngestedEntry> = removals.try_collect().await?;
    entries.extend(removals);
    // A completed job is searchable (contract), and OpenSearch makes writes searchable once a second only.
    if changes_index {
        indexing::make_searchable(app).await?;
    }
    Ok(entries)
}

/// Writes the entries of a job.
struct EntryWriter<'a> {
    app: &'a App,
    scope: &'a Scope,
    job: &'a IngestJob,
    analyzer: Analyzer,
    tidier: Tidier<'a>,
}

impl EntryWriter<'_> {
    async fn apply_write(&self, planned: PlannedWrite) -> Result<IngestedEntry> {
        let mut done = planned.entry();
        let entry = if planned.already_written {
            self.app.store.wiki().get(self.scope, &planned.path).await?
        } else {
            let new = self.new_entry(&planned).await;
            self.write_entry(new, &mut done).await?
        };
        match entry {
            Some(entry) => self.index_entry(WikiRecord::Entry(entry)).await?,
            None if done.action == EntryAction::Conflict => {
                return self.propose(PlannedWrite { action: done.action, section: String::new(), ..planned }).await;
            }
            None => {}
        }
        Ok(done)
    }

    /// Proposes what the page says in the place of an entry that a person edited, unless the entry says it. An entry has one
    /// such draft: it follows the page until a person changes it, and what a person discarded is not proposed again.
    async fn propose(&self, planned: PlannedWrite) -> Result<IngestedEntry> {
        let mut done = planned.entry();
        let PlannedWrite { path, draft: SectionDraft { title, content, .. }, .. } = planned;
        let Some(today) = self.app.store.wiki().get(self.scope, &path).await? else { return Ok(done) };
        if today.title == title && today.content == content {
            return Ok(done);
        }
        let (drafts, now) = (self.app.store.drafts(), self.app.runtime.now());
        let by = self.job.ingest_id.to_string();
        let new = Draft {
            title: Some(title),
            content: Some(content),
            visibility: Some(today.visibility),
            tags: today.tags.clone(),
            base_version: Some(today.version),
            ..Draft::new(draft_id(&today), path, ChangeAction::Update, by, now)
        };
        let follow = |seen: &Draft| {
            let says_the_same = (&seen.title, &seen.content) == (&new.title, &new.content);
            let is_a_persons = seen.created_at != seen.updated_at;
            Ok(match seen.status {
                DraftStatus::Open if is_a_persons || (says_the_same && seen.base_version == new.base_version) => None,
                DraftStatus::Discarded if says_the_same => None,
                DraftStatus::Open | DraftStatus::Discarded | DraftStatus::Published => Some(new.clone()),
            })
        };
        let proposed = match drafts.update(self.scope, &new.draft_id, follow).await {
            Err(error) if error.code() == Code::NotFound => {
                drafts.create(self.scope, &new, None).await.map(|()| new.clone())
            }
            outcome => outcome,
        };
        match proposed {
            Ok(draft) => done.draft_id = (draft.status == DraftStatus::Open).then_some(draft.draft_id),
            // There are as many drafts as there may be: the job is done, and says that the entry is in conflict.
            Err(error) if error.code() == Code::Conflict => {}
            Err(error) => return Err(error),
        }
        Ok(done)
    }

    /// The entry to write, tidied if a model is configured.
    async fn new_entry(&self, planned: &PlannedWrite) -> NewEntry {
        let (title, content) = self.tidier.tidy_section(&planned.draft).await;
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

    /// Creates or updates the entry. Returns it as stored, or `None` if another source owns it. `done` gets the actual
    /// action.
    async fn write_entry(&self, new: NewEntry, done: &mut IngestedEntry) -> Result<Option<WikiEntry>> {
        let wiki = self.app.store.wiki();
        let mut create = done.action == EntryAction::Created;
        for _ in 0..MAX_ATTEMPTS {
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
                match wiki.update(self.scope, &new.path, |existing| self.replacement_of(existing, &new)).await {
                    Ok(updated) => {
                        done.action = written_action(self.job, &updated.entry);
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
    fn replacement_of(&self, existing: &WikiEntry, new: &NewEntry) -> Result<Option<WikiEntry>> {
        self.check_source(existing)?;
        let mine = existing.source.ingest_id.as_ref() == Some(&self.job.ingest_id);
        let same =
            existing.content == new.content && existing.title == new.title && existing.visibility == new.visibility;
        if mine && same {
            return Ok(None);
        }
        let mut next = existing.clone();
        next.title.clone_from(&new.title);
        next.content.clone_from(&new.content);
        next.visibility = new.visibility;
        next.source = new.source.clone();
        next.updated_by = self.job.ingest_id.to_string();
        Ok(Some(next))
    }

    fn check_source(&self, existing: &WikiEntry) -> Result<()> {
        if has_same_source(self.job, existing) && is_unmodified(existing) {
            Ok(())
        } else {
            Err(Error::new(Code::Conflict, "Another writer owns this entry."))
        }
    }

    async fn remove(&self, path: WikiPath) -> Result<IngestedEntry> {
        let mut done = IngestedEntry { path, action: EntryAction::Removed, section: String::new(), draft_id: None };
        match self
            .app
            .store
            .wiki()
            .delete(self.scope, &done.path, self.job.ingest_id.as_str(), |existing| self.check_source(existing))
            .await
        {
            Ok(deleted) => self.index_entry(WikiRecord::Deleted(done.path.clone(), deleted)).await?,
            Err(error) if error.code() == Code::NotFound => {}
            Err(error) if error.code() == Code::Conflict => done.action = EntryAction::Conflict,
            Err(error) => return Err(error),
        }
        Ok(done)
    }

    /// Indexes the entry before it counts as done. If the index fails, the path is marked as pending.
    async fn index_entry(&self, record: WikiRecord) -> Result<()> {
        let Err(error) = indexing::put(self.app, self.scope, &self.analyzer, &record).await else {
            return Ok(());
        };
        let (path, version) = match &record {
            WikiRecord::Entry(entry) => (&entry.path, entry.version),
            WikiRecord::Deleted(path, deleted) => (path, deleted.version),
        };
        indexing::schedule_indexing(self.app, self.scope, path, version).await?;
        Err(error)
    }
}

/// The id of the draft for an entry.
fn draft_id(entry: &WikiEntry) -> DraftId {
    let named = sha256_hex(entry.path.as_str().as_bytes());
    let random = named.get(..20).and_then(|hex| u128::from_str_radix(hex, 16).ok()).unwrap_or_default();
    DraftId::from_parts(entry.created_at, random)
}
