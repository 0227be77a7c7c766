//! The plan of a job: its drafts compared with the wiki. Pure, except for reading what earlier jobs made.
//!
//! An entry belongs to the job's source if an ingest of the same page, or of a text at the same place, made it. It is
//! unedited while the job that its source names also changed it last; an edit leaves a key there.

use std::collections::{HashMap, HashSet};

use crate::IngestWorker;
use aws::store::EntryHead;
use domain::Result;
use domain::models::{EntryAction, IngestId, IngestJob, IngestedEntry, Scope, SourceType, WikiPath};
use sha2::{Digest, Sha256};

use page::Draft;

/// So many jobs are read at a time.
const JOBS_AT_ONCE: usize = 20;

/// Something to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Planned {
    /// Where.
    pub(crate) path: WikiPath,
    /// What.
    pub(crate) draft: Draft,
    /// The hash of the section.
    pub(crate) section: String,
    /// The action of the entry, if it succeeds.
    pub(crate) action: EntryAction,
    /// An earlier attempt of this job wrote it; the index may lack it.
    pub(crate) written: bool,
}

/// What a job is to do.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Plan {
    /// In the order of the page.
    pub(crate) writes: Vec<Planned>,
    /// What is there as it should be.
    pub(crate) unchanged: Vec<IngestedEntry>,
    /// Entries that are left unchanged because a person edited them.
    pub(crate) conflicts: Vec<IngestedEntry>,
    /// What is to go.
    pub(crate) removals: Vec<WikiPath>,
    /// What an earlier attempt of this job has taken away.
    pub(crate) removed: Vec<IngestedEntry>,
}

impl Plan {
    /// The actions of the job, if it succeeds.
    pub(crate) fn entries(&self) -> Vec<IngestedEntry> {
        let writes = self.writes.iter().map(Planned::entry);
        let removals = self.removals.iter().map(|path| entry(path, EntryAction::Removed, ""));
        let others = [&self.unchanged, &self.conflicts, &self.removed].into_iter().flatten().cloned();
        writes.chain(others).chain(removals).collect()
    }
}

impl Planned {
    /// As the job reports it.
    pub(crate) fn entry(&self) -> IngestedEntry {
        entry(&self.path, self.action, &self.section)
    }
}

/// From which sections the entries under a prefix were made, by the jobs that made them.
#[derive(Debug, Default)]
pub(crate) struct Known(HashMap<(IngestId, WikiPath), String>);

impl Known {
    /// Reads it from the jobs.
    pub(crate) async fn read(ctx: &IngestWorker, scope: &Scope, job: &IngestJob, here: &[EntryHead]) -> Result<Self> {
        let own = here.iter().filter(|head| is_own(job, head));
        let makers: HashSet<IngestId> = own.filter_map(|head| head.source.ingest_id.clone()).collect();
        let makers: Vec<IngestId> = makers.into_iter().collect();
        let mut known = HashMap::new();
        for ids in makers.chunks(JOBS_AT_ONCE) {
            for maker in ctx.store.ingests().get_many(scope, ids).await? {
                let id = maker.ingest_id;
                known.extend(maker.entries.into_iter().map(|made| ((id.clone(), made.path), made.section)));
            }
        }
        Ok(Self(known))
    }

    fn section(&self, head: &EntryHead) -> Option<&str> {
        let maker = head.source.ingest_id.clone()?;
        self.0.get(&(maker, head.path.clone())).map(String::as_str)
    }
}

/// Compares.
pub(crate) fn plan(job: &IngestJob, drafts: Vec<Draft>, here: &[EntryHead], known: &Known) -> Plan {
    let by_path: HashMap<&str, &EntryHead> = here.iter().map(|head| (head.path.as_str(), head)).collect();
    let mut taken = HashSet::new();
    let mut plan = Plan::default();
    for draft in drafts {
        let Some((path, head)) = place(job, &draft.slug, &by_path, &mut taken) else { continue };
        let section = hash(&draft);
        let Some(head) = head else {
            plan.writes.push(Planned { path, draft, section, action: EntryAction::Created, written: false });
            continue;
        };
        if !is_as_made(head) {
            plan.conflicts.push(entry(&path, EntryAction::Conflict, ""));
        } else if known.section(head) != Some(&section) || head.visibility != job.visibility {
            plan.writes.push(Planned { path, draft, section, action: EntryAction::Updated, written: false });
        } else if head.source.ingest_id.as_ref() == Some(&job.ingest_id) {
            let created = head.created_by == job.ingest_id.as_str();
            let action = if created { EntryAction::Created } else { EntryAction::Updated };
            plan.writes.push(Planned { path, draft, section, action, written: true });
        } else {
            plan.unchanged.push(entry(&path, EntryAction::Unchanged, &section));
        }
    }
    for head in here.iter().filter(|head| is_own(job, head) && !taken.contains(head.path.as_str())) {
        if is_as_made(head) {
            plan.removals.push(head.path.clone());
        } else {
            plan.conflicts.push(entry(&head.path, EntryAction::Conflict, ""));
        }
    }
    let gone = |made: &&IngestedEntry| made.action == EntryAction::Removed && !by_path.contains_key(made.path.as_str());
    plan.removed = job.entries.iter().filter(gone).cloned().collect();
    plan
}

/// The first path of a slug that is free or the job's own: what others made there is theirs.
fn place<'h>(
    job: &IngestJob,
    slug: &str,
    by_path: &HashMap<&str, &'h EntryHead>,
    taken: &mut HashSet<String>,
) -> Option<(WikiPath, Option<&'h EntryHead>)> {
    for number in 1_u32.. {
        let slug = if number == 1 { slug.to_owned() } else { format!("{slug}-{number}") };
        let path = job.path_prefix.path(&slug)?;
        let head = by_path.get(path.as_str()).copied();
        if taken.contains(path.as_str()) || head.is_some_and(|head| !is_own(job, head)) {
            continue;
        }
        taken.insert(path.as_str().to_owned());
        return Some((path, head));
    }
    None
}

/// Made by an ingest of the same page, or of a text at the same place.
pub(crate) fn is_own(job: &IngestJob, head: &EntryHead) -> bool {
    head.source.source_type == SourceType::Ingest && head.source.url == job.url
}

/// No person edited it since an ingest wrote it.
pub(crate) fn is_as_made(head: &EntryHead) -> bool {
    head.source.ingest_id.as_ref().is_some_and(|maker| maker.as_str() == head.updated_by)
}

fn entry(path: &WikiPath, action: EntryAction, section: &str) -> IngestedEntry {
    IngestedEntry { path: path.clone(), action, section: section.to_owned() }
}

/// 128 bits of SHA-256 of what a section says, in lower-case hex.
fn hash(draft: &Draft) -> String {
    let digest = Sha256::digest(format!("{}\n{}", draft.title, draft.content));
    digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use domain::models::{EntrySource, IngestStatus, PathPrefix, Timestamp, Visibility};

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
            lease: None,
            version: 1,
        }
    }

    fn draft(slug: &str, content: &str) -> Draft {
        Draft { slug: slug.into(), title: slug.into(), content: content.into() }
    }

    /// An entry that job `maker` made and `editor` last changed.
    fn head(slug: &str, maker: u128, editor: &str) -> EntryHead {
        EntryHead {
            path: PathPrefix::parse("docs").unwrap().path(slug).unwrap(),
            version: 1,
            visibility: Visibility::Internal,
            created_by: id(maker).to_string(),
            updated_by: if editor.is_empty() { id(maker).to_string() } else { editor.into() },
            source: EntrySource {
                source_type: SourceType::Ingest,
                ingest_id: Some(id(maker)),
                url: Some("https://a.example/".into()),
            },
        }
    }

    fn known(heads: &[EntryHead], drafts: &[Draft]) -> Known {
        let of = |(head, draft): (&EntryHead, &Draft)| {
            ((head.source.ingest_id.clone().unwrap(), head.path.clone()), hash(draft))
        };
        Known(heads.iter().zip(drafts).map(of).collect())
    }

    fn told(plan: &Plan) -> Vec<String> {
        plan.entries().iter().map(|e| format!("{} {}", e.path.as_str().trim_start_matches("docs/"), e.action)).collect()
    }

    #[test]
    fn a_new_page_is_created_and_the_same_page_is_unchanged() {
        let drafts = vec![draft("a", "1"), draft("b", "2")];
        assert_eq!(told(&plan(&job(1), drafts.clone(), &[], &Known::default())), ["a created", "b created"]);
        let here = [head("a", 1, ""), head("b", 1, "")];
        assert_eq!(told(&plan(&job(2), drafts.clone(), &here, &known(&here, &drafts))), ["a unchanged", "b unchanged"]);
    }

    #[test]
    fn what_changed_is_updated_and_what_is_gone_is_removed() {
        let old = [draft("a", "1"), draft("b", "2"), draft("c", "3")];
        let here = [head("a", 1, ""), head("b", 1, ""), head("c", 1, "")];
        let plan = plan(&job(2), vec![draft("a", "1"), draft("b", "new")], &here, &known(&here, &old));
        assert_eq!(told(&plan), ["b updated", "a unchanged", "c removed"]);
    }

    #[test]
    fn what_a_person_edited_is_left_alone_whether_the_page_still_has_it_or_not() {
        let old = [draft("a", "1"), draft("b", "2")];
        let here = [head("a", 1, "key_7"), head("b", 1, "key_7")];
        let plan = plan(&job(2), vec![draft("a", "new")], &here, &known(&here, &old));
        assert_eq!(told(&plan), ["a conflict", "b conflict"]);
    }

    #[test]
    fn what_others_made_keeps_its_path() {
        let mut manual = head("a", 1, "");
        manual.source = EntrySource { source_type: SourceType::Manual, ingest_id: None, url: None };
        let mut other_page = head("a-2", 5, "");
        other_page.source.url = Some("https://b.example/".into());
        let here = [manual, other_page];
        let plan = plan(&job(2), vec![draft("a", "1"), draft("a-2", "2")], &here, &Known::default());
        assert_eq!(told(&plan), ["a-3 created", "a-2-2 created"]);
    }

    #[test]
    fn what_an_earlier_attempt_did_is_reported_as_it_was() {
        let drafts = vec![draft("a", "1"), draft("b", "2"), draft("c", "3")];
        let mut updated = head("b", 2, "");
        updated.created_by = id(1).to_string();
        let here = [head("a", 2, ""), updated];
        let gone = PathPrefix::parse("docs").unwrap().path("z").unwrap();
        let job = IngestJob { entries: vec![entry(&gone, EntryAction::Removed, "")], ..job(2) };
        let plan = plan(&job, drafts.clone(), &here, &known(&here, &drafts));
        assert_eq!(told(&plan), ["a created", "b updated", "c created", "z removed"]);
        assert_eq!(plan.writes.iter().map(|write| write.written).collect::<Vec<_>>(), [true, true, false]);
    }

    #[test]
    fn another_visibility_is_an_update() {
        let drafts = vec![draft("a", "1")];
        let here = [head("a", 1, "")];
        let job = IngestJob { visibility: Visibility::Public, ..job(2) };
        assert_eq!(told(&plan(&job, drafts.clone(), &here, &known(&here, &drafts))), ["a updated"]);
    }
}
