//! Writes an export.

use std::collections::BTreeSet;

use domain::clock::Runtime;
use domain::gaps::with_query;
use domain::models::{
    CustomerTurn, Day, DraftStatus, Escalation, EscalationId, Gap, GapExample, IngestJob, IngestStatus, Mode, Scope,
    Session, SessionId, Tenant, Turn, TurnBody, WebhookFormat, WikiPath,
};
use domain::{Error, Result};

use crate::table::Store;
use crate::transfer::Line;
use crate::transfer::check::FORMAT;
use crate::transfer::table::items::CopyRoot;
use crate::transfer::table::{DayCounts, DeletedPath, GapQuestion, IngestText, ItemCopy, SessionTurn, WebhookCopy};
use crate::wiki::table::WikiRecord;

/// Text of turns that is in memory at a time, in bytes.
const TURNS_BYTES: usize = 1024 * 1024;
/// Requests for a human that are read at a time.
const ESCALATIONS_PER_READ: usize = 100;
/// How often a session is read again that changes while it is exported.
const MAX_ATTEMPTS: usize = 20;

/// Exports a tenant line by line; `progress` gets the number of items so far. Returns the number of items.
///
/// # Errors
/// 503 if the table does not answer, what `write` fails with, and an internal error for an item that this version
/// does not know.
pub async fn export(
    store: &Store,
    runtime: &Runtime,
    tenant: &Tenant,
    mut write: impl FnMut(&Line) -> Result<()>,
    progress: impl Fn(u64),
) -> Result<u64> {
    let (export_id, exported_at) = (runtime.token()?, runtime.now());
    write(&Line::Export { format: FORMAT, export_id, exported_at, tenant_name: tenant.name.clone() })?;
    for mode in Mode::ALL {
        let scope = Scope { tenant: tenant.tenant_id.clone(), mode: *mode };
        write(&Line::Settings { mode: *mode, settings: Box::new(store.settings().get(&scope).await?) })?;
    }
    let mut exporter = Exporter { store, write, items: 0, days: BTreeSet::new(), sessions: BTreeSet::new() };
    let mut next = None;
    loop {
        let page = store.tenant_items().page(&tenant.tenant_id, next).await?;
        for found in &page.items {
            if let Some(root) = found.copy_root(&tenant.tenant_id)? {
                exporter.root(root).await?;
            }
        }
        progress(exporter.items);
        match page.next {
            Some(position) => next = Some(position),
            None => break,
        }
    }
    for mode in Mode::ALL {
        exporter.rest(&Scope { tenant: tenant.tenant_id.clone(), mode: *mode }).await?;
        progress(exporter.items);
    }
    let Exporter { items, mut write, .. } = exporter;
    write(&Line::End { items })?;
    Ok(items)
}

/// Writes lines, and knows what the last of them need.
struct Exporter<'a, W> {
    store: &'a Store,
    write: W,
    items: u64,
    /// The days that something was counted on; their shards are added up at the end.
    days: BTreeSet<(Mode, Day)>,
    /// The sessions that are exported: what a gap quotes of others is left out.
    sessions: BTreeSet<(Mode, SessionId)>,
}

impl<W: FnMut(&Line) -> Result<()>> Exporter<'_, W> {
    fn item(&mut self, scope: &Scope, item: ItemCopy) -> Result<()> {
        self.items += 1;
        (self.write)(&Line::Item { mode: scope.mode, item })
    }

    async fn root(&mut self, root: CopyRoot) -> Result<()> {
        match root {
            CopyRoot::Path(scope, path) => self.path(&scope, &path).await,
            CopyRoot::Webhook(scope, id) => {
                let found = self.store.webhooks().get(&scope, &id).await?;
                // The address of a Slack channel is a secret, as those that sign.
                let Some(webhook) = found.filter(|webhook| webhook.format == WebhookFormat::Events) else {
                    return Ok(());
                };
                self.item(&scope, ItemCopy::Webhook(WebhookCopy::of(&webhook)))
            }
            CopyRoot::SavedReply(scope, id) => match self.store.saved_replies().get(&scope, None, &id).await? {
                Some(reply) => self.item(&scope, ItemCopy::SavedReply(Box::new(reply))),
                None => Ok(()),
            },
            CopyRoot::Draft(scope, id) => match self.store.drafts().get(&scope, &id).await? {
                // Its quotes belong to sessions, which may be erased in the exporting service.
                Some(draft) if draft.status == DraftStatus::Open => {
                    self.item(&scope, ItemCopy::Draft(Box::new(draft.without_quotes(|_| true))))
                }
                _ => Ok(()),
            },
            CopyRoot::Pin(scope, id) => match self.store.pins().get(&scope, &id).await? {
                Some(pin) => self.item(&scope, ItemCopy::Pin(Box::new(pin))),
                None => Ok(()),
            },
            CopyRoot::IngestJob(scope, id) => match self.store.ingests().get(&scope, &id).await? {
                Some(job) => self.job(&scope, job).await,
                None => Ok(()),
            },
            CopyRoot::Day(scope, day) => {
                self.days.insert((scope.mode, day));
                Ok(())
            }
            CopyRoot::Session(scope, id) => self.session(&scope, &id).await,
        }
    }

    async fn path(&mut self, scope: &Scope, path: &WikiPath) -> Result<()> {
        let wiki = self.store.wiki();
        let Some(record) = wiki.get_record(scope, path).await? else { return Ok(()) };
        let version = record.version();
        self.item(
            scope,
            match record {
                WikiRecord::Entry(entry) => ItemCopy::Entry(Box::new(entry)),
                WikiRecord::Deleted(path, deleted) => ItemCopy::DeletedEntry(DeletedPath { path, deleted }),
            },
        )?;
        let mut after = 0;
        loop {
            let (revisions, next) = wiki.list_revisions(scope, path, (after, version)).await?;
            for revision in revisions {
                self.item(scope, ItemCopy::Revision(Box::new(revision)))?;
            }
            match next {
                Some(last) => after = last,
                None => break,
            }
        }
        for deleted in wiki.list_revisions_ends(scope, path).await? {
            if deleted.version <= version {
                self.item(scope, ItemCopy::RevisionsEnd(DeletedPath { path: path.clone(), deleted }))?;
            }
        }
        Ok(())
    }

    /// A job that is not finished waits again where it is imported.
    async fn job(&mut self, scope: &Scope, job: IngestJob) -> Result<()> {
        let job = match job.status {
            IngestStatus::Queued | IngestStatus::Running => {
                IngestJob { status: IngestStatus::Queued, lease: None, ..job }
            }
            IngestStatus::Completed | IngestStatus::Failed => job,
        };
        self.item(scope, ItemCopy::IngestJob(Box::new(job.clone())))?;
        for number in 0..job.text_chunks {
            let text = self.store.ingests().get_text_chunk(scope, &job, number).await?;
            self.item(scope, ItemCopy::IngestText(IngestText { ingest_id: job.ingest_id.clone(), number, text }))?;
        }
        Ok(())
    }

    /// A session as it is at one moment, with its requests for a human of that moment; then its turns, which only grow.
    async fn session(&mut self, scope: &Scope, id: &SessionId) -> Result<()> {
        let Some((session, escalations)) = self.snapshot(scope, id).await? else { return Ok(()) };
        if session.is_preview() {
            return Ok(());
        }
        let turn_count = session.turn_count;
        self.sessions.insert((scope.mode, id.clone()));
        self.item(scope, ItemCopy::Session(Box::new(session)))?;
        let known: BTreeSet<EscalationId> = escalations.iter().map(|it| it.escalation_id.clone()).collect();
        for escalation in escalations {
            self.item(scope, ItemCopy::Escalation(Box::new(escalation)))?;
        }
        let mut written = 0;
        while written < turn_count {
            let page = self.store.sessions().list_turns_after(scope, id, written, None, TURNS_BYTES).await?;
            let turns: Vec<Turn> = page.turns.into_iter().filter(|turn| turn.number <= turn_count).collect();
            let Some(last) = turns.last().map(|turn| turn.number) else {
                return Err(Error::unavailable(format!("the session {id} was deleted while it was exported; repeat")));
            };
            written = last;
            for turn in turns {
                let turn = without_later(turn, turn_count, &known);
                self.item(scope, ItemCopy::Turn(Box::new(SessionTurn { session_id: id.clone(), turn })))?;
            }
        }
        for (gap_id, (turn, part), asked) in self.store.gaps().list_of_session(scope, id).await? {
            if turn <= turn_count {
                self.item(scope, ItemCopy::GapQuestion(GapQuestion { gap_id, turn, part, asked }))?;
            }
        }
        Ok(())
    }

    /// A session and its requests for a human; none if it is deleted. What is due is computed by an import.
    async fn snapshot(&self, scope: &Scope, id: &SessionId) -> Result<Option<(Session, Vec<Escalation>)>> {
        let sessions = self.store.sessions();
        for _ in 0..MAX_ATTEMPTS {
            let Some(before) = sessions.get(scope, id).await? else { return Ok(None) };
            let mut escalations = Vec::new();
            let mut from = None;
            loop {
                let all = self.store.escalations();
                let page = all.list_of_session(scope, id, from.as_ref(), ESCALATIONS_PER_READ).await?;
                escalations.extend(page.items);
                match page.next {
                    Some(next) => from = Some(next),
                    None => break,
                }
            }
            if sessions.get(scope, id).await?.is_some_and(|now| now.version == before.version) {
                for escalation in &mut escalations {
                    (escalation.claim_token, escalation.claimed_generation) = (None, None);
                }
                return Ok(Some((Session { due_at: None, ..before }, escalations)));
            }
        }
        Err(Error::unavailable(format!("the session {id} changes all the time; repeat")))
    }

    /// Writes the last items of a mode: the counters, and the gaps.
    async fn rest(&mut self, scope: &Scope) -> Result<()> {
        let days: Vec<Day> = self.days.iter().filter(|(mode, _)| *mode == scope.mode).map(|(_, day)| *day).collect();
        for day in days {
            let mut counted = self.store.statistics().list_days(scope, day, day).await?;
            // While others count, a part of a day may be read before what it takes back.
            let counts = counted.remove(&day).unwrap_or_default();
            let counts = counts.iter().filter(|(_, amount)| *amount > 0).collect();
            self.item(scope, ItemCopy::Statistics(DayCounts { day, counts }))?;
        }
        let mut after = None;
        loop {
            let (gaps, next) = self.store.gaps().list_all(scope, after.as_ref()).await?;
            for gap in gaps {
                let gap = self.without_others(scope.mode, gap);
                self.item(scope, ItemCopy::Gap(Box::new(gap)))?;
            }
            match next {
                Some(last) => after = Some(last),
                None => return Ok(()),
            }
        }
    }

    /// A gap without the words of a session that is not exported: it is deleted, or began after it was read.
    fn without_others(&self, mode: Mode, gap: Gap) -> Gap {
        let is_exported = |said: &GapExample| self.sessions.contains(&(mode, said.session_id.clone()));
        if gap.query.as_ref().is_none_or(is_exported) { gap } else { with_query(&gap, None) }
    }
}

/// A turn as it was when its session had so many turns and these requests for a human: an answer that came since changed
/// the question.
fn without_later(mut turn: Turn, turn_count: u32, known: &BTreeSet<EscalationId>) -> Turn {
    let is_known = |id: &mut EscalationId| known.contains(id);
    match &mut turn.body {
        TurnBody::Customer(CustomerTurn { answered_by, silence }) => {
            answered_by.take_if(|by| *by > turn_count);
            if let Some(silence) = silence {
                silence.escalation_id.take_if(|id| !is_known(id));
            }
        }
        TurnBody::Ai(ai) => drop(ai.escalation_id.take_if(|id| !is_known(id))),
        TurnBody::Agent(_) | TurnBody::System(_) => {}
    }
    turn
}

#[cfg(test)]
mod tests {
    use domain::models::{MessageId, Ownership, Silence, SilenceReason, Timestamp};

    use super::*;

    #[test]
    fn a_turn_names_no_answer_and_no_request_for_a_human_that_came_after_its_session_was_read() {
        let known = EscalationId::from_parts(Timestamp::from_millis(1), 1);
        let later = EscalationId::from_parts(Timestamp::from_millis(2), 2);
        let turn = |escalation: Option<&EscalationId>, answered_by: Option<u32>| Turn {
            message_id: MessageId::from_parts(Timestamp::from_millis(1), 1),
            number: 1,
            content: "Hello?".into(),
            created_at: Timestamp::from_millis(1),
            body: TurnBody::Customer(CustomerTurn {
                answered_by,
                silence: Some(Silence {
                    reason: SilenceReason::QueuedForHuman,
                    ownership: Ownership::Human,
                    latency_ms: 1,
                    escalation_id: escalation.cloned(),
                    presence: None,
                }),
            }),
        };
        let escalations = BTreeSet::from([known.clone()]);
        let as_it_was = turn(Some(&known), Some(2));
        assert_eq!(without_later(as_it_was.clone(), 2, &escalations), as_it_was);
        assert_eq!(without_later(turn(Some(&later), Some(3)), 2, &escalations), turn(None, None));
    }
}
