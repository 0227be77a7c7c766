//! The questions of a dry run: texts, pinned questions, those of a gap or an entry, or those of sessions, newest first.
//! Also the entries of the wiki as changes leave them, cut, analysed and embedded as an index keeps them.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Duration;

use answer::embedding::Embedder;
use answer::search::{IndexedEntry, PassageVectors};
use domain::error::Code;
use domain::gaps::masked_question;
use domain::models::{
    ChangeAction, Disposition, Embedding, EmbeddingSpace, GapId, MessageId, Scope, Session, SessionId, Settings,
    Timestamp, Turn, Visibility, WikiEntry,
};
use domain::{Error, Result};
use futures::future::try_join_all;
use text::Analyzer;

use crate::edge::allowance::Allowance;
use crate::knowledge::dry_run::api::ProposedChange;
use crate::knowledge::dry_run::{self, DryRun, DryRunPlace, QuestionSource};
use crate::sessions::conversation::ConversationService;
use crate::sessions::conversation::answering::AnswerAttempt;
use crate::sessions::conversation::classification::{TurnClassification, combined_question};
use crate::sessions::table::lists::{DayCursor, PageBound};
use crate::wiki::embedding::{self, passage_texts};
use crate::wiki::table::WikiRecord;
use crate::wiki::table::answers::{AnswerFilter, AnswerPointer};
use crate::wiki::table::vectors::TextHash;

/// Read units of the table that one call spends at most: one for each 4 KiB that is read.
const MAX_UNITS: usize = 2_000;
const UNIT_BYTES: usize = 4_096;
/// The most read units that a page of turns takes: 1 MiB.
const PAGE_UNITS: usize = 256;
/// Sessions that are read at a time, and after how many bytes of them no more are.
const SESSIONS: PageBound = PageBound { limit: 20, max_bytes: 256 * 1024 };
/// Questions of a gap or an entry that are listed at a time, and how many are read side by side.
const POINTERS: usize = 100;
const CONCURRENT_READS: usize = 4;
/// The read units of a page of a listing, besides those of the sessions in it.
const LIST_UNITS: usize = 40;
/// Turns of a session that are read at a time, and how many of them are the past of the others alone.
const TURNS: i32 = 120;
const PAST: u32 = 24;
const DAY_MS: i64 = 86_400_000;

/// A question in its conversation.
#[derive(Debug)]
pub(crate) struct AskedQuestion {
    /// Masked.
    pub(crate) question: String,
    pub(crate) asked_in: Option<(SessionId, MessageId)>,
    pub(crate) attempt: AnswerAttempt,
    /// As it stood.
    pub(crate) session: Session,
    pub(crate) understanding: TurnClassification,
}

/// Questions, and where the next ones are.
type Page = (Vec<AskedQuestion>, Option<DryRunPlace>);

/// A source of listed messages.
enum Listing<'a> {
    /// The questions of a gap.
    Gap(&'a GapId),
    /// The answers that were made from an entry, from a moment on.
    Entry(AnswerFilter, Timestamp),
}

/// The values that are the same for all questions.
struct Asking<'a> {
    scope: &'a Scope,
    settings: &'a Settings,
    now: Timestamp,
    deadline: Timestamp,
    /// How many questions at most.
    limit: usize,
}

impl Asking<'_> {
    /// Turns of a customer that get one answer, after the turns `before`.
    fn of_session(&self, session: &Session, before: &[Turn], asked: &[&Turn]) -> Option<AskedQuestion> {
        let last = asked.last()?;
        let session = dry_run::session(session, self.settings, before);
        // After a person's part, or for several messages, the answer was pending: no request for a human is allowed.
        let allows_human_request = asked.len() == 1 && last.disposition() != Some(Disposition::QueuedForHuman);
        let turns: Vec<Turn> = asked.iter().map(|turn| (*turn).clone()).collect();
        let text = combined_question(&turns);
        let written: Vec<&str> = asked.iter().map(|turn| turn.content.as_str()).collect();
        let asked_in = (session.session_id.clone(), last.message_id.clone());
        let question = self.question(session, dry_run::recent(before), &written, allows_human_request, &text);
        let is_question = !question.understanding.question.is_empty();
        is_question.then_some(AskedQuestion { asked_in: Some(asked_in), ..question })
    }

    fn question(
        &self,
        session: Session,
        recent: Vec<Turn>,
        written: &[&str],
        allows_human_request: bool,
        text: &str,
    ) -> AskedQuestion {
        let attempt = AnswerAttempt {
            scope: self.scope.clone(),
            deadline: self.deadline,
            received_at: self.now,
            settings: self.settings.clone(),
            recent,
            redacts: false,
            allows_human_request,
            allowance: Allowance::unlimited(),
        };
        let understanding = TurnClassification::of(&attempt, &session, written);
        AskedQuestion { question: masked_question(text), asked_in: None, attempt, session, understanding }
    }
}

impl ConversationService {
    /// The questions of one call of a dry run, at most `limit`.
    pub(crate) async fn questions(
        &self,
        scope: &Scope,
        settings: &Settings,
        (run, limit): (&DryRun, usize),
        deadline: Timestamp,
    ) -> Result<Page> {
        let asking = Asking { scope, settings, now: self.runtime.now(), deadline, limit };
        match &run.questions {
            QuestionSource::Texts(texts) => {
                let first = first_of(run);
                let asked = texts.iter().skip(first).take(limit).map(|text| self.text(&asking, run, text));
                Ok((asked.collect::<Result<_>>()?, next_number(first, limit, texts.len())))
            }
            QuestionSource::Pins => {
                let after = match &run.from {
                    Some(DryRunPlace::Pin(last)) => Some(last),
                    _ => None,
                };
                let page = self.store.pins().list(scope, None, after, limit).await?;
                let asked = page.items.iter().map(|pin| self.text(&asking, run, &pin.question));
                Ok((asked.collect::<Result<_>>()?, page.next.map(DryRunPlace::Pin)))
            }
            QuestionSource::Gap(gap) => {
                self.store.gaps().get(scope, gap).await?.ok_or_else(|| Error::not_found("gap"))?;
                self.listed_questions(&asking, run, Listing::Gap(gap)).await
            }
            QuestionSource::Entry { path, days } => {
                let oldest = asking.now.plus_millis(-i64::from(*days) * DAY_MS);
                let filter = AnswerFilter { path: path.clone(), version: None };
                self.listed_questions(&asking, run, Listing::Entry(filter, oldest)).await
            }
            QuestionSource::Days(days) => self.questions_of_days(&asking, run, *days).await,
        }
    }

    /// A text as the first message of a conversation.
    fn text(&self, asking: &Asking<'_>, run: &DryRun, text: &str) -> Result<AskedQuestion> {
        let session = Session::new(SessionId::generate(&self.runtime)?, asking.scope.mode, run.channel);
        Ok(asking.question(session, Vec::new(), &[text], true, text))
    }

    /// The questions of a listing, newest first.
    async fn listed_questions(&self, asking: &Asking<'_>, run: &DryRun, listing: Listing<'_>) -> Result<Page> {
        let mut next = match &run.from {
            Some(DryRunPlace::Message(last)) => Some(last.clone()),
            _ => None,
        };
        let (mut asked, mut units) = (Vec::new(), 0);
        loop {
            let (page, has_more) = self.listed(asking, &listing, next.as_ref()).await?;
            units += LIST_UNITS;
            let mut messages = page.into_iter().peekable();
            while messages.peek().is_some() {
                let room = asking.limit - asked.len();
                if room == 0 || units + CONCURRENT_READS * PAGE_UNITS > MAX_UNITS {
                    return Ok((asked, next.map(DryRunPlace::Message)));
                }
                let some: Vec<_> = messages.by_ref().take(room.min(CONCURRENT_READS)).collect();
                let read =
                    some.iter().map(|(session, message)| self.listed_question(asking, &listing, session, message));
                for (found, bytes) in try_join_all(read).await? {
                    asked.extend(found);
                    units += 2 + bytes / UNIT_BYTES;
                }
                next = some.last().map(|(_, message)| message.clone());
            }
            if !has_more {
                return Ok((asked, None));
            }
        }
    }

    /// Some messages of a listing before `before`, and whether there may be more.
    async fn listed(
        &self,
        asking: &Asking<'_>,
        listing: &Listing<'_>,
        before: Option<&MessageId>,
    ) -> Result<(Vec<(SessionId, MessageId)>, bool)> {
        match listing {
            Listing::Gap(gap) => {
                let mut found = self.store.gaps().list_questions(asking.scope, gap, before, POINTERS).await?;
                let has_more = found.len() == POINTERS;
                // A message may ask several questions of one gap.
                found.dedup_by(|a, b| a.message_id == b.message_id);
                Ok((found.into_iter().map(|it| (it.session_id, it.message_id)).collect(), has_more))
            }
            Listing::Entry(filter, oldest) => {
                let page = self.store.wiki().list_answer_pointers(asking.scope, filter, before, POINTERS).await?;
                let is_recent = |it: &AnswerPointer| it.message_id.created_at() >= *oldest;
                let has_more = page.next.is_some() && page.items.last().is_none_or(is_recent);
                let recent = page.items.into_iter().take_while(is_recent);
                Ok((recent.map(|it| (it.session_id, it.message_id)).collect(), has_more))
            }
        }
    }

    /// The question of a listed message in its conversation, and how many bytes were read; none if it is gone, or asks
    /// nothing.
    async fn listed_question(
        &self,
        asking: &Asking<'_>,
        listing: &Listing<'_>,
        id: &SessionId,
        message: &MessageId,
    ) -> Result<(Option<AskedQuestion>, usize)> {
        let sessions = self.store.sessions();
        let below = message.turn_number().saturating_add(1);
        let (session, (turns, bytes)) = tokio::try_join!(
            sessions.get(asking.scope, id),
            sessions.list_turns_below(asking.scope, id, below, TURNS)
        )?;
        let Some((session, (last, before))) = session.zip(turns.split_last()) else { return Ok((None, bytes)) };
        if last.message_id != *message {
            return Ok((None, bytes));
        }
        let asked = match listing {
            Listing::Gap(_) => asking.of_session(&session, before, &[last]),
            Listing::Entry(..) => {
                let (found, _) = questions_of_turns(&turns, below);
                let of_answer = found.iter().find(|(answer, ..)| *answer == last.number);
                of_answer.and_then(|(_, asked, before)| asking.of_session(&session, before, asked))
            }
        };
        Ok((asked, bytes))
    }

    /// The questions of the sessions of the last `days`, newest first.
    async fn questions_of_days(&self, asking: &Asking<'_>, run: &DryRun, days: u32) -> Result<Page> {
        let oldest = asking.now.plus_millis(-i64::from(days) * DAY_MS);
        let newest = DayCursor::newest_of_day(asking.now);
        let (mut day, mut within) = match run.from.clone() {
            Some(DryRunPlace::Day(day)) => (day, None),
            Some(DryRunPlace::Session(day, session, below)) => (day, Some((session, below))),
            _ => (newest, None),
        };
        let mut asked: Vec<AskedQuestion> = Vec::new();
        let mut units = 0;
        loop {
            let page = self.store.sessions().list(asking.scope, day.clone(), oldest, SESSIONS).await?;
            units += LIST_UNITS + page.sessions.len() + page.bytes / UNIT_BYTES;
            for (session, behind) in page.sessions {
                let id = session.session_id.clone();
                let mut below = match &within {
                    // Opened since the call before.
                    Some((last, _)) if id > *last => continue,
                    Some((last, below)) if id == *last => *below,
                    _ => u32::MAX,
                };
                within = None;
                while below > 1 && !session.is_preview() {
                    if units + PAGE_UNITS > MAX_UNITS {
                        return Ok((asked, Some(DryRunPlace::Session(day, id, below))));
                    }
                    let window = self.store.sessions().list_turns_below(asking.scope, &id, below, TURNS).await?;
                    units += 1 + window.1 / UNIT_BYTES;
                    let (found, next) = questions_of_turns(&window.0, below);
                    for (answer, turns, before) in found {
                        if asked.len() == asking.limit {
                            return Ok((asked, Some(DryRunPlace::Session(day, id, answer.saturating_add(1)))));
                        }
                        asked.extend(asking.of_session(&session, before, &turns));
                    }
                    below = next;
                }
                day = behind;
            }
            match page.next {
                Some(next) if units + PAGE_UNITS > MAX_UNITS => return Ok((asked, Some(DryRunPlace::Day(next)))),
                Some(next) => day = next,
                None => return Ok((asked, None)),
            }
        }
    }
}

/// A question of a session: the number of its answer, the turns that ask it, and the turns before them.
type Question<'a> = (u32, Vec<&'a Turn>, &'a [Turn]);

/// The questions in a part of a session, newest first, that were answered before turn `below`, and before which turn the
/// others were. The first turns of the part are the past of the others.
fn questions_of_turns(turns: &[Turn], below: u32) -> (Vec<Question<'_>>, u32) {
    let first = turns.first().map_or(0, |turn| turn.number);
    let next = if first <= 1 { 0 } else { (first + PAST).min(below.saturating_sub(1)) };
    let mut asked: BTreeMap<u32, Vec<&Turn>> = BTreeMap::new();
    for turn in turns {
        if let Some(answer) = turn.answered_by() {
            asked.entry(answer).or_default().push(turn);
        }
    }
    let mut found: Vec<Question<'_>> = asked
        .into_iter()
        .filter_map(|(answer, asked)| {
            turns.iter().any(|turn| turn.number == answer).then_some(())?;
            let first = asked.first()?.number;
            let before = turns.get(..turns.partition_point(|turn| turn.number < first))?;
            (answer >= next).then_some((answer, asked, before))
        })
        .collect();
    found.sort_by(|(a, ..), (b, ..)| b.cmp(a));
    (found, next)
}

/// The number of the first question of a call.
const fn first_of(run: &DryRun) -> usize {
    match &run.from {
        Some(DryRunPlace::Number(first)) => *first,
        _ => 0,
    }
}

fn next_number(first: usize, limit: usize, all: usize) -> Option<DryRunPlace> {
    let next = first.saturating_add(limit);
    (next < all).then_some(DryRunPlace::Number(next))
}

/// The most text of all changed entries together, in bytes: a body may name a stored entry without its text.
const MAX_CHANGED_BYTES: usize = 1024 * 1024;
/// Passages without a vector that one dry run embeds at most.
const EMBEDDED_PASSAGES: usize = 200;
/// How long the embedding model may take for one batch of them.
const EMBEDDING_TIMEOUT: Duration = Duration::from_secs(5);

impl ConversationService {
    /// The changed entries, without those that the changes delete.
    pub(crate) async fn changed_entries(&self, scope: &Scope, changes: &[ProposedChange]) -> Result<Vec<WikiEntry>> {
        let wiki = self.store.wiki();
        let records = try_join_all(changes.iter().map(|change| wiki.get_record(scope, &change.path))).await?;
        let now = self.runtime.now();
        let changed = changes.iter().zip(records).map(|(change, record)| applied(change, record, now));
        let entries: Vec<WikiEntry> = changed.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect();
        let bytes: usize = entries.iter().map(|entry| entry.title.len() + entry.content.len()).sum();
        if bytes > MAX_CHANGED_BYTES {
            let message = format!("The changed entries have more than {MAX_CHANGED_BYTES} bytes of text.");
            return Err(Error::new(Code::PayloadTooLarge, message));
        }
        Ok(entries)
    }

    /// The same as an index keeps them.
    pub(crate) async fn indexed(
        &self,
        scope: &Scope,
        settings: &Settings,
        entries: &[WikiEntry],
        deadline: Timestamp,
    ) -> Result<Vec<IndexedEntry>> {
        let analyzer = Analyzer::new(settings.language);
        let mut indexed: Vec<_> = entries.iter().map(|entry| IndexedEntry::new(&analyzer, entry)).collect();
        if let Some(embedder) = &self.engine.embedder {
            self.add_vectors(scope, embedder, &mut indexed, deadline).await?;
        }
        Ok(indexed)
    }

    /// Gives the entries the vectors that the table has, and new ones for up to [`EMBEDDED_PASSAGES`] other passages.
    async fn add_vectors(
        &self,
        scope: &Scope,
        embedder: &Embedder,
        entries: &mut [IndexedEntry],
        deadline: Timestamp,
    ) -> Result<()> {
        let known = embedding::known(&self.store, embedder).await?;
        let vectors = self.store.vectors();
        let stored = entries.iter().map(|entry| vectors.get_for_entry(scope, &entry.entry.path, &known));
        let stored: HashMap<TextHash, Embedding> = try_join_all(stored).await?.into_iter().flatten().collect();
        let texts: Vec<Vec<(TextHash, String)>> = entries.iter().map(|entry| passage_texts(&entry.entry)).collect();
        let mut seen = HashSet::new();
        let missing: Vec<&(TextHash, String)> = texts
            .iter()
            .flatten()
            .filter(|(hash, _)| !stored.contains_key(hash) && seen.insert(hash))
            .take(EMBEDDED_PASSAGES)
            .collect();
        let (made, space) = self.embed_passages(embedder, known, &missing, deadline).await;
        let vector = |hash: &TextHash| made.get(hash).or_else(|| stored.get(hash)).cloned();
        for (entry, texts) in entries.iter_mut().zip(&texts) {
            let embeddings: Vec<Option<Embedding>> = texts.iter().map(|(hash, _)| vector(hash)).collect();
            entry.vectors = Some(PassageVectors { space: space.clone(), embeddings });
        }
        Ok(())
    }

    /// The vectors of `texts`, as many as the model makes in time, and their space.
    async fn embed_passages(
        &self,
        embedder: &Embedder,
        mut space: EmbeddingSpace,
        texts: &[&(TextHash, String)],
        deadline: Timestamp,
    ) -> (HashMap<TextHash, Embedding>, EmbeddingSpace) {
        let left = u64::try_from(deadline.millis_since(self.runtime.now())).unwrap_or(0);
        let timeout = EMBEDDING_TIMEOUT.min(Duration::from_millis(left));
        let batches = texts.chunks(embedder.batch()).map(|batch| async move {
            let inputs: Vec<&str> = batch.iter().map(|(_, text)| text.as_str()).collect();
            (batch, embedder.passages(&inputs, timeout).await)
        });
        let mut made = HashMap::new();
        for (batch, embedded) in futures::future::join_all(batches).await {
            match embedded {
                Ok(embeddings) => {
                    space = embeddings.first().map_or(space, |first| embedder.space_of(first.dimensions()));
                    made.extend(batch.iter().map(|(hash, _)| hash.clone()).zip(embeddings));
                }
                Err(error) => {
                    tracing::warn!(metric.EmbeddingFailures = 1, error = %error, "failed to embed passages of a dry run; it finds them by words only");
                }
            }
        }
        (made, space)
    }
}

/// The entry as a change leaves it; none if it is deleted.
fn applied(change: &ProposedChange, record: Option<WikiRecord>, now: Timestamp) -> Result<Option<WikiEntry>> {
    match (change.action, record) {
        (ChangeAction::Delete, Some(WikiRecord::Entry(_))) => Ok(None),
        (ChangeAction::Update, Some(WikiRecord::Entry(entry))) => Ok(Some(updated(change, entry))),
        (ChangeAction::Create, Some(WikiRecord::Entry(_))) => {
            Err(Error::new(Code::Conflict, format!("There is an entry at {}.", change.path)))
        }
        (ChangeAction::Create, Some(WikiRecord::Deleted(_, deleted))) => {
            Ok(Some(created(change, deleted.version + 1, now)))
        }
        (ChangeAction::Create, None) => Ok(Some(created(change, 1, now))),
        (ChangeAction::Update | ChangeAction::Delete, _) => Err(Error::not_found("entry")),
    }
}

fn updated(change: &ProposedChange, before: WikiEntry) -> WikiEntry {
    let mut after = before.clone();
    after.title = change.title.clone().unwrap_or(after.title);
    after.content = change.content.clone().unwrap_or(after.content);
    after.visibility = change.visibility.unwrap_or(after.visibility);
    after.version += u64::from(after != before);
    after
}

fn created(change: &ProposedChange, version: u64, now: Timestamp) -> WikiEntry {
    WikiEntry {
        title: change.title.clone().unwrap_or_default(),
        content: change.content.clone().unwrap_or_default(),
        visibility: change.visibility.unwrap_or(Visibility::Internal),
        version,
        ..WikiEntry::begun(change.path.clone(), "", now)
    }
}
