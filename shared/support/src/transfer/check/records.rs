//! The checks of entries with their revisions and deletions, pinned questions, open drafts, knowledge gaps, counters,
//! ingest jobs with their texts, saved replies of the tenant, and receivers of events.

use domain::gaps::EXAMPLE_CHARS;
use domain::limits::{self, INGEST_TEXT, MESSAGE, TextLimit, saved_reply as reply_limits};
use domain::models::{
    ChangeAction, Day, Draft, DraftStatus, Gap, GapExample, IngestId, IngestJob, IngestStatus, Mode, Pin, SavedReply,
    Subscription, Timestamp, WikiEntry, WikiPath,
};

use crate::ingest::table::CHUNK_BYTES as INGEST_CHUNK_BYTES;
use crate::transfer::check::{self, Check, Rules};
use crate::transfer::table::{DayCounts, DeletedPath, ItemCopy, WebhookCopy};

/// An entry, or an old version of one.
pub(crate) fn entry(rules: Rules, entry: &WikiEntry) -> Check {
    check::text("title", limits::ENTRY_TITLE, &entry.title)?;
    check::text("content", limits::ENTRY_CONTENT, &entry.content)?;
    check::at_most("the bytes of content", entry.content.len(), limits::ENTRY_CONTENT_BYTES)?;
    check::tags(&entry.tags)?;
    check::version("version", entry.version)?;
    check::author("createdBy", &entry.created_by)?;
    check::author("updatedBy", &entry.updated_by)?;
    entry.source.url.as_ref().map_or(Ok(()), |url| check::url(rules, url))
}

/// A question that changes are tried on.
pub(crate) fn pin(pin: &Pin) -> Check {
    check::text("question", limits::PIN_QUESTION, &pin.question)?;
    check::author("createdBy", &pin.created_by)
}

#[derive(Debug)]
pub(crate) struct PathLines {
    mode: Mode,
    path: WikiPath,
    version: u64,
    last_revision: u64,
    last_end: u64,
}

impl PathLines {
    pub(crate) fn new(mode: Mode, path: &WikiPath, version: u64) -> Self {
        Self { mode, path: path.clone(), version, last_revision: 0, last_end: 0 }
    }

    pub(crate) fn part(&mut self, rules: Rules, mode: Mode, item: &ItemCopy) -> Check {
        match item {
            ItemCopy::Revision(revision) => {
                self.is_mine(mode, &revision.path)?;
                entry(rules, revision)?;
                let between = revision.version > self.last_revision && revision.version < self.version;
                self.last_revision = revision.version;
                check::holds(between, "revisions are older than the entry, and in order")
            }
            ItemCopy::RevisionsEnd(DeletedPath { path, deleted }) => {
                self.is_mine(mode, path)?;
                check::past("deletedAt", deleted.at, rules)?;
                deleted.by.as_deref().map_or(Ok(()), |by| check::author("deletedBy", by))?;
                let between = deleted.version > self.last_end && deleted.version <= self.version;
                self.last_end = deleted.version;
                check::holds(between, "the ends of revisions are no newer than the entry, and in order")
            }
            _ => Err("it does not belong to the entry before it".into()),
        }
    }

    fn is_mine(&self, mode: Mode, path: &WikiPath) -> Check {
        check::holds(self.mode == mode && self.path == *path, "it belongs to another entry than the lines before it")
    }
}

pub(crate) fn draft(draft: &Draft) -> Check {
    check::holds(draft.status == DraftStatus::Open, "an export has open drafts alone")?;
    check::holds(draft.quotes.is_empty(), "an export has no quotes")?;
    let proposes = draft.action != ChangeAction::Delete;
    let is_whole = [draft.title.is_some(), draft.content.is_some(), draft.visibility.is_some()];
    check::holds(is_whole == [proposes; 3], "a draft has a text unless it proposes that the entry goes")?;
    check::holds(
        draft.base_version.is_some() == (draft.action != ChangeAction::Create),
        "a draft has a base version unless it proposes a new entry",
    )?;
    // They are empty if they were quotes.
    for (name, limit, text) in
        [("title", limits::ENTRY_TITLE, &draft.title), ("content", limits::ENTRY_CONTENT, &draft.content)]
    {
        check::text_if(name, limit, text.as_ref().filter(|text| !text.is_empty()))?;
    }
    let bytes = draft.content.as_ref().map_or(0, String::len);
    check::at_most("the bytes of content", bytes, limits::ENTRY_CONTENT_BYTES)?;
    check::tags(&draft.tags)?;
    check::version("version", draft.version)?;
    draft.base_version.map_or(Ok(()), |version| check::version("baseVersion", version))?;
    check::author("createdBy", &draft.created_by)
}

/// The highest counter of a day: milliseconds are added up, too.
const MAX_AMOUNT: i64 = 1_000_000_000_000_000;
/// How a customer put a question.
const EXAMPLE: TextLimit = TextLimit::line(0, EXAMPLE_CHARS);

/// A gap. `is_session` says whether a session is there: what is quoted of others nothing would erase.
pub(crate) fn gap(rules: Rules, gap: &Gap, is_session: impl Fn(&str) -> bool) -> Check {
    check::version("version", gap.version)?;
    check::version("count", gap.count)?;
    check::version("sessions", gap.sessions)?;
    check::past("lastSeenAt", gap.last_seen_at, rules)?;
    let nearest = gap.nearest.as_ref().map(|nearest| nearest.confidence);
    nearest.map_or(Ok(()), |confidence| check::share("confidence", confidence))?;
    let Some(said) = &gap.query else { return Ok(()) };
    example(said)?;
    check::holds(is_session(said.session_id.as_str()), "it quotes a session that is not there")
}

pub(crate) fn example(example: &GapExample) -> Check {
    check::text("the text of an example", EXAMPLE, &example.text)
}

/// A day's counters.
pub(crate) fn day(rules: Rules, DayCounts { day, counts }: &DayCounts) -> Check {
    let possible = Day::of(Timestamp::default())..=Day::of(rules.now).plus(1);
    check::holds(possible.contains(day), "the day is before 1970 or yet to come")?;
    let sound = counts.iter().all(|(_, amount)| (1..=MAX_AMOUNT).contains(&amount));
    check::holds(sound, "a counter must be 1 to 1000000000000000")
}

/// How often a job may have been taken.
const MAX_ATTEMPTS: u32 = 1_000_000;
/// Why a job failed.
const ERROR_MESSAGE: TextLimit = TextLimit::prose(1, 2_000);

pub(crate) fn job(rules: Rules, job: &IngestJob) -> Check {
    job.url.as_ref().map_or(Ok(()), |url| check::url(rules, url))?;
    let is_finished = match job.status {
        IngestStatus::Queued => false,
        IngestStatus::Completed | IngestStatus::Failed => true,
        IngestStatus::Running => return Err("no worker has a job of an export".into()),
    };
    check::holds(job.lease.is_none(), "no worker has a job of an export")?;
    check::holds(job.finished_at.is_some() == is_finished, "a job has finishedAt when it is finished")?;
    let has_text = job.text_chunks > 0;
    let needs_text = job.url.is_none() && job.status != IngestStatus::Completed;
    check::holds(has_text == needs_text, "a job has its page or, until it is completed, its text")?;
    check::at_most("attempts", job.attempts, MAX_ATTEMPTS)?;
    check::at_most("earlierAttempts", job.earlier_attempts, job.attempts)?;
    if let Some(error) = &job.error {
        check::text("the error", ERROR_MESSAGE, &error.message)?;
    }
    check::author("createdBy", &job.created_by)?;
    check::version("version", job.version)
}

#[derive(Debug)]
pub(crate) struct JobLines {
    mode: Mode,
    id: IngestId,
    chunks: u32,
    read: u32,
    chars: usize,
}

impl JobLines {
    pub(crate) fn new(mode: Mode, job: &IngestJob) -> Self {
        Self { mode, id: job.ingest_id.clone(), chunks: job.text_chunks, read: 0, chars: 0 }
    }

    pub(crate) fn part(&mut self, mode: Mode, item: &ItemCopy) -> Check {
        let ItemCopy::IngestText(text) = item else { return Err("it does not belong to the job before it".into()) };
        let is_mine = self.mode == mode && self.id == text.ingest_id;
        check::holds(is_mine, "it belongs to another job than the lines before it")?;
        check::holds(text.number == self.read && self.read < self.chunks, "the pieces of a text are in order")?;
        check::at_most("the bytes of a piece", text.text.len(), INGEST_CHUNK_BYTES)?;
        check::holds(!text.text.contains('\0'), "text must not contain U+0000")?;
        self.read += 1;
        self.chars += text.text.chars().count();
        check::at_most("the characters of a text", self.chars, INGEST_TEXT.max)
    }

    pub(crate) fn is_whole(&self) -> Check {
        check::holds(self.read == self.chunks, "the text of the job before it is not complete")
    }
}

pub(crate) fn saved_reply(reply: &SavedReply) -> Check {
    check::holds(reply.owner.is_none(), "an export has no saved replies of keys and members")?;
    check::text("shortcut", reply_limits::SHORTCUT, &reply.shortcut)?;
    reply_limits::shortcut(&reply.shortcut).map_err(|why| format!("shortcut {why}"))?;
    check::text("title", reply_limits::TITLE, &reply.title)?;
    check::text("content", MESSAGE, &reply.content)?;
    check::version("version", reply.version)
}

pub(crate) fn webhook(rules: Rules, webhook: &WebhookCopy) -> Check {
    check::url(rules, &webhook.url)?;
    let known = Subscription::parse(&webhook.events).map(|events| events.names() == webhook.events);
    check::holds(known == Ok(true) && !webhook.events.is_empty(), "events must name known kinds, each once")?;
    check::text_if("description", limits::WEBHOOK_DESCRIPTION, webhook.description.as_ref())?;
    check::version("version", webhook.version)
}
