//! The plan of a job: its drafts compared with the wiki. Pure, except for reading what earlier jobs made.
//!
//! An entry belongs to the job's source if an ingest of the same page, or of a text under the same prefix, made it. It
//! is unmodified while the job that its source names is also its last writer; an edit sets an API key instead.

use std::collections::{HashMap, HashSet};

use domain::models::{EntryAction, IngestId, IngestJob, IngestedEntry, Scope, SourceType, WikiEntry, WikiPath};
use domain::{Result, sha256_hex};
use page::SectionDraft;

use crate::edge::App;

/// The number of jobs that are read at a time.
const JOBS_PER_READ: usize = 20;

/// An entry to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlannedWrite {
    pub(crate) path: WikiPath,
    /// The title and content.
    pub(crate) draft: SectionDraft,
    /// The hash of the section.
    pub(crate) section: String,
    /// The action of the entry, if it succeeds.
    pub(crate) action: EntryAction,
    /// An earlier attempt of this job wrote it; the index may lack it.
    pub(crate) already_written: bool,
}

/// The work of a job.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Plan {
    /// In the order of the page.
    pub(crate) writes: Vec<PlannedWrite>,
    /// Entries that are up to date.
    pub(crate) unchanged: Vec<IngestedEntry>,
    /// Entries that are left unchanged because a person edited them, and what the page says in their place.
    pub(crate) proposals: Vec<PlannedWrite>,
    /// Entries that are left unchanged because a person edited them, and that the page no longer has.
    pub(crate) conflicts: Vec<IngestedEntry>,
    /// Entries to delete.
    pub(crate) removals: Vec<WikiPath>,
    /// Entries that an earlier attempt of this job deleted.
    pub(crate) removed: Vec<IngestedEntry>,
}

impl Plan {
    /// The actions of the job, if it succeeds.
    pub(crate) fn entries(&self) -> Vec<IngestedEntry> {
        let writes = self.writes.iter().map(PlannedWrite::entry);
        let removals = self.removals.iter().map(|path| entry(path, EntryAction::Removed, ""));
        let proposals = self.proposals.iter().map(PlannedWrite::entry);
        let others = [&self.conflicts, &self.removed].into_iter().flatten().cloned();
        writes.chain(self.unchanged.iter().cloned()).chain(proposals).chain(others).chain(removals).collect()
    }
}

impl PlannedWrite {
    /// As the job reports it.
    pub(crate) fn entry(&self) -> IngestedEntry {
        entry(&self.path, self.action, &self.section)
    }
}

/// The hashes of the sections from which the entries under a prefix were made, by the jobs that made them.
#[derive(Debug, Default)]
pub(crate) struct SectionHashes(HashMap<(IngestId, WikiPath), IngestedEntry>);

impl SectionHashes {
    /// Reads the hashes from the jobs.
    pub(crate) async fn read(app: &App, scope: &Scope, job: &IngestJob, existing: &[WikiEntry]) -> Result<Self> {
        let same_source = existing.iter().filter(|head| has_same_source(job, head));
        let makers: HashSet<IngestId> = same_source.filter_map(|head| head.source.ingest_id.clone()).collect();
        let makers: Vec<IngestId> = makers.into_iter().collect();
        let mut hashes = HashMap::new();
        for ids in makers.chunks(JOBS_PER_READ) {
            for maker in app.store.ingests().get_many(scope, ids).await? {
                let id = maker.ingest_id;
                hashes.extend(maker.entries.into_iter().map(|made| ((id.clone(), made.path.clone()), made)));
            }
        }
        Ok(Self(hashes))
    }

    fn section(&self, job: &IngestJob, head: &WikiEntry) -> Option<&str> {
        let maker = head.source.ingest_id.clone()?;
        let is_planned = |made: &IngestedEntry| {
            maker == job.ingest_id && made.action == EntryAction::Updated && !job.is_of_this_run(head.updated_at)
        };
        // An earlier attempt of this run meant to update it.
        let made = self.0.get(&(maker.clone(), head.path.clone())).filter(|made| !is_planned(made));
        made.map(|made| made.section.as_str())
    }
}

/// Compares the drafts with the existing entries.
pub(crate) fn plan(job: &IngestJob, drafts: Vec<SectionDraft>, existing: &[WikiEntry], hashes: &SectionHashes) -> Plan {
    let by_path: HashMap<&str, &WikiEntry> = existing.iter().map(|head| (head.path.as_str(), head)).collect();
    let mut taken = HashSet::new();
    let mut plan = Plan::default();
    for draft in drafts {
        let Some((path, head)) = free_path(job, &draft.slug, &by_path, &mut taken) else { continue };
        let section = section_hash(&draft);
        let Some(head) = head else {
            plan.writes.push(PlannedWrite {
                path,
                draft,
                section,
                action: EntryAction::Created,
                already_written: false,
            });
            continue;
        };
        if !is_unmodified(head) {
            let (action, section) = (EntryAction::Conflict, String::new());
            plan.proposals.push(PlannedWrite { path, draft, section, action, already_written: false });
        } else if hashes.section(job, head) != Some(&section) || head.visibility != job.visibility {
            plan.writes.push(PlannedWrite {
                path,
                draft,
                section,
                action: EntryAction::Updated,
                already_written: false,
            });
        } else if head.source.ingest_id.as_ref() == Some(&job.ingest_id) && job.is_of_this_run(head.updated_at) {
            let action = written_action(job, head);
            plan.writes.push(PlannedWrite { path, draft, section, action, already_written: true });
        } else {
            plan.unchanged.push(entry(&path, EntryAction::Unchanged, &section));
        }
    }
    for head in existing.iter().filter(|head| has_same_source(job, head) && !taken.contains(head.path.as_str())) {
        if is_unmodified(head) {
            plan.removals.push(head.path.clone());
        } else {
            plan.conflicts.push(entry(&head.path, EntryAction::Conflict, ""));
        }
    }
    let is_deleted =
        |made: &&IngestedEntry| made.action == EntryAction::Removed && !by_path.contains_key(made.path.as_str());
    plan.removed = job.entries.iter().filter(is_deleted).cloned().collect();
    plan
}

/// The first path of a slug that is free or has the job's source: entries of other sources keep their paths.
fn free_path<'h>(
    job: &IngestJob,
    slug: &str,
    by_path: &HashMap<&str, &'h WikiEntry>,
    taken: &mut HashSet<String>,
) -> Option<(WikiPath, Option<&'h WikiEntry>)> {
    for number in 1_u32.. {
        let slug = if number == 1 { slug.to_owned() } else { format!("{slug}-{number}") };
        let path = job.path_prefix.path(&slug)?;
        let head = by_path.get(path.as_str()).copied();
        if taken.contains(path.as_str()) || head.is_some_and(|head| !has_same_source(job, head)) {
            continue;
        }
        taken.insert(path.as_str().to_owned());
        return Some((path, head));
    }
    None
}

/// What a run did to an entry that it wrote.
pub(crate) fn written_action(job: &IngestJob, head: &WikiEntry) -> EntryAction {
    let is_created = head.created_by == job.ingest_id.as_str() && job.is_of_this_run(head.created_at);
    if is_created { EntryAction::Created } else { EntryAction::Updated }
}

/// Whether an ingest of the same page, or of a text under the same prefix, made the entry.
pub(crate) fn has_same_source(job: &IngestJob, head: &WikiEntry) -> bool {
    head.source.source_type == SourceType::Ingest && head.source.url == job.url
}

/// Whether no person edited the entry since an ingest wrote it.
pub(crate) fn is_unmodified(head: &WikiEntry) -> bool {
    head.source.ingest_id.as_ref().is_some_and(|maker| maker.as_str() == head.updated_by)
}

fn entry(path: &WikiPath, action: EntryAction, section: &str) -> IngestedEntry {
    IngestedEntry { path: path.clone(), action, section: section.to_owned(), draft_id: None }
}

/// 128 bits of the SHA-256 of a section's title and content, in lower-case hex.
fn section_hash(draft: &SectionDraft) -> String {
    let mut digest = sha256_hex(format!("{}\n{}", draft.title, draft.content).as_bytes());
    digest.truncate(32);
    digest
}

#[cfg(test)]
mod tests {
    use domain::models::{EntrySource, IngestInterval, IngestStatus, PathPrefix, Timestamp, Visibility};

    use super::*;

    fn id(number: u128) -> IngestId {
        IngestId::from_parts(Timestamp::from_millis(1), number)
    }

    fn job(number: u128) -> IngestJob {
        IngestJob {
            ingest_id: id(number),
            status: IngestStatus::Running,
            url: Some("https://a.example/".into()),
            text_chunks: 0,
            path_prefix: PathPrefix::parse("docs").unwrap(),
            visibility: Visibility::Internal,
            entries: Vec::new(),
            error: None,
            attempts: 1,
            earlier_attempts: 0,
            created_at: Timestamp::from_millis(1),
            created_by: "key_1".into(),
            finished_at: None,
            every: None,
            repeated_at: None,
            page: None,
            lease: None,
            version: 1,
        }
    }

    fn draft(slug: &str, content: &str) -> SectionDraft {
        SectionDraft { slug: slug.into(), title: slug.into(), content: content.into() }
    }

    /// An entry that job `maker` made and `editor` last changed.
    fn head(slug: &str, maker: u128, editor: &str) -> WikiEntry {
        let path = PathPrefix::parse("docs").unwrap().path(slug).unwrap();
        WikiEntry {
            created_by: id(maker).to_string(),
            updated_by: if editor.is_empty() { id(maker).to_string() } else { editor.into() },
            source: EntrySource {
                source_type: SourceType::Ingest,
                ingest_id: Some(id(maker)),
                url: Some("https://a.example/".into()),
            },
            ..WikiEntry::begun(path, "", Timestamp::from_millis(1))
        }
    }

    fn section_hashes(heads: &[WikiEntry], drafts: &[SectionDraft]) -> SectionHashes {
        let of = |(head, draft): (&WikiEntry, &SectionDraft)| {
            let made = entry(&head.path, EntryAction::Unchanged, &section_hash(draft));
            ((head.source.ingest_id.clone().unwrap(), head.path.clone()), made)
        };
        SectionHashes(heads.iter().zip(drafts).map(of).collect())
    }

    fn actions(plan: &Plan) -> Vec<String> {
        plan.entries().iter().map(|e| format!("{} {}", e.path.as_str().trim_start_matches("docs/"), e.action)).collect()
    }

    #[test]
    fn a_new_page_is_created_and_the_same_page_is_unchanged() {
        let drafts = vec![draft("a", "1"), draft("b", "2")];
        assert_eq!(actions(&plan(&job(1), drafts.clone(), &[], &SectionHashes::default())), ["a created", "b created"]);
        let existing = [head("a", 1, ""), head("b", 1, "")];
        assert_eq!(
            actions(&plan(&job(2), drafts.clone(), &existing, &section_hashes(&existing, &drafts))),
            ["a unchanged", "b unchanged"]
        );
    }

    #[test]
    fn a_changed_section_is_updated_and_a_missing_one_removed() {
        let old = [draft("a", "1"), draft("b", "2"), draft("c", "3")];
        let existing = [head("a", 1, ""), head("b", 1, ""), head("c", 1, "")];
        let plan = plan(&job(2), vec![draft("a", "1"), draft("b", "new")], &existing, &section_hashes(&existing, &old));
        assert_eq!(actions(&plan), ["b updated", "a unchanged", "c removed"]);
    }

    #[test]
    fn an_entry_that_a_person_edited_is_left_alone_with_and_without_its_section() {
        let old = [draft("a", "1"), draft("b", "2")];
        let existing = [head("a", 1, "key_7"), head("b", 1, "key_7")];
        let plan = plan(&job(2), vec![draft("a", "new")], &existing, &section_hashes(&existing, &old));
        assert_eq!(actions(&plan), ["a conflict", "b conflict"]);
    }

    #[test]
    fn an_entry_of_others_keeps_its_path() {
        let mut manual = head("a", 1, "");
        manual.source = EntrySource::MANUAL;
        let mut other_page = head("a-2", 5, "");
        other_page.source.url = Some("https://b.example/".into());
        let existing = [manual, other_page];
        let plan = plan(&job(2), vec![draft("a", "1"), draft("a-2", "2")], &existing, &SectionHashes::default());
        assert_eq!(actions(&plan), ["a-3 created", "a-2-2 created"]);
    }

    #[test]
    fn the_result_of_an_earlier_attempt_is_reported_unchanged() {
        let drafts = vec![draft("a", "1"), draft("b", "2"), draft("c", "3")];
        let mut updated = head("b", 2, "");
        updated.created_by = id(1).to_string();
        let existing = [head("a", 2, ""), updated];
        let gone = PathPrefix::parse("docs").unwrap().path("z").unwrap();
        let job = IngestJob { entries: vec![entry(&gone, EntryAction::Removed, "")], ..job(2) };
        let plan = plan(&job, drafts.clone(), &existing, &section_hashes(&existing, &drafts));
        assert_eq!(actions(&plan), ["a created", "b updated", "c created", "z removed"]);
        assert_eq!(plan.writes.iter().map(|write| write.already_written).collect::<Vec<_>>(), [true, true, false]);
    }

    #[test]
    fn a_repeated_job_updates_what_changed_also_after_an_attempt_that_only_planned_it() {
        let at = Timestamp::from_millis;
        let daily = IngestJob { every: Some(IngestInterval::Day), status: IngestStatus::Completed, ..job(2) };
        let drafts = [draft("a", "1"), draft("b", "2")];
        let existing = [head("a", 2, ""), head("b", 2, "")];
        let made = existing
            .iter()
            .zip(&drafts)
            .map(|(head, draft)| entry(&head.path, EntryAction::Created, &section_hash(draft)));
        let second = IngestJob { entries: made.collect(), finished_at: Some(at(2)), ..daily }.repeated(at(9)).unwrap();
        let hashes = |job: &IngestJob| {
            let made = job.entries.iter().cloned();
            SectionHashes(made.map(|made| ((job.ingest_id.clone(), made.path.clone()), made)).collect())
        };
        assert_eq!(
            actions(&plan(&second, drafts.to_vec(), &existing, &hashes(&second))),
            ["a unchanged", "b unchanged"]
        );
        let changed = vec![draft("a", "1"), draft("b", "another")];
        let first_attempt = plan(&second, changed.clone(), &existing, &hashes(&second));
        assert_eq!(actions(&first_attempt), ["b updated", "a unchanged"]);
        let planned = second.planned(first_attempt.entries());
        assert_eq!(plan(&planned, changed.clone(), &existing, &hashes(&planned)), first_attempt, "nothing was written");
        let written = [existing[0].clone(), WikiEntry { updated_at: at(9), ..existing[1].clone() }];
        let after = plan(&planned, changed, &written, &hashes(&planned));
        assert_eq!(
            (actions(&after).as_slice(), after.writes[0].already_written),
            (["b updated".to_owned(), "a unchanged".to_owned()].as_slice(), true)
        );
    }

    #[test]
    fn another_visibility_is_an_update() {
        let drafts = vec![draft("a", "1")];
        let existing = [head("a", 1, "")];
        let job = IngestJob { visibility: Visibility::Public, ..job(2) };
        assert_eq!(actions(&plan(&job, drafts.clone(), &existing, &section_hashes(&existing, &drafts))), ["a updated"]);
    }
}
