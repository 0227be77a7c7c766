//! Runs the consumers of one record. A failure is retried if that may help; otherwise the record becomes a dead letter
//! with the reasons, and counts as done.
//!
//! Here are the consumers for the wiki index and vectors, deliveries of events, the revision of an inbox,
//! tags of requests for a human, and pointers to answers. Those of gaps and of revisions of entries are in
//! `knowledge::gaps` and `wiki::revisions`.

use aws::config::ModelChoice;
use domain::change::{Change, EntryState, Subject};
use domain::error::Code;
use domain::events::{Event, events_of};
use domain::models::{EventKind, Scope, SessionId, Turn, Webhook, WikiPath};
use domain::{Error, Result};
use futures::future::{join_all, try_join_all};
use serde_json::json;

use crate::changes::batch::{Batch, Step, apply};
use crate::changes::table::read_change;
use crate::edge::App;
use crate::sessions::conversation::classification::combined_question as as_one_question;
use crate::table::stream::Record;
use crate::webhooks::queue;
use crate::wiki::table::{DeletedEntry, WikiRecord};
use crate::wiki::{embedding, indexing};
use crate::{caught, dead_letters};

/// Passes the record to every consumer. A consumer that fails or panics does not stop another.
///
/// # Errors
/// The table or the queue failed: the record must be delivered again. A fault of the record itself makes it a
/// dead letter, which is not an error.
pub(crate) async fn handle_record(batch: &Batch<'_>, record: &Record, change: Result<Change>) -> Result<()> {
    let failures = match change {
        Ok(change) => run_consumers(batch, &change).await,
        Err(error) => vec![(Step::Reading.as_str(), error)],
    };
    settle(batch.app, record, failures).await
}

/// Runs every consumer on the record of a dead letter again. Returns the failures, each with its consumer's name; stores
/// nothing about them.
pub async fn replay(app: &App, record: &Record) -> Vec<(&'static str, Error)> {
    match read_change(record) {
        Ok(None) => Vec::new(),
        Ok(Some(change)) => run_consumers(&Batch::new(app, [&change]), &change).await,
        Err(error) => vec![(Step::Reading.as_str(), error)],
    }
}

/// Runs every consumer on a change. Returns the failures, each with its consumer's name. Gaps run after the others:
/// they parse most of the customers' text, so if they end the process, the other consumers are done.
async fn run_consumers(batch: &Batch<'_>, change: &Change) -> Vec<(&'static str, Error)> {
    let (gaps, others): (Vec<Step>, Vec<Step>) = Step::ALL.iter().partition(|step| **step == Step::Gaps);
    let mut failures = Vec::new();
    for steps in [others, gaps] {
        let outcomes = join_all(steps.iter().map(|step| caught(apply(batch, change, *step)))).await;
        let outcomes = steps.iter().zip(outcomes);
        failures.extend(outcomes.filter_map(|(step, outcome)| Some((step.as_str(), outcome.err()?))));
    }
    failures
}

/// Writes the pointers to new answers of sessions under the paths of the entries that they were made from, for the list of
/// who was told what an entry says and for dry runs; idempotent.
pub(crate) async fn add_answer_pointers(app: &App, scope: &Scope, answers: &[(SessionId, Turn)]) -> Result<()> {
    let (wiki, sessions) = (app.store.wiki(), app.store.sessions());
    wiki.put_answer_pointers(scope, answers).await?;
    // A session that was erased meanwhile took its pointers with it before these were there.
    let there = sessions.list_existing(scope, &answers.iter().map(|(session, _)| session.clone()).collect()).await?;
    for (session, answer) in answers.iter().filter(|(session, _)| !there.contains(session)) {
        wiki.delete_answer_pointers(scope, session, answer).await?;
    }
    Ok(())
}

/// Settles the failures of a record, each with the name of its step. A service that did not answer is worth a retry.
/// Anything else is a fault of the record or of this service and would fail again, so the record becomes a dead letter.
///
/// # Errors
/// The first failure that is worth a retry, or `SERVICE_UNAVAILABLE` if the dead letter could not be stored.
pub(crate) async fn settle(app: &App, record: &Record, failures: Vec<(&'static str, Error)>) -> Result<()> {
    let is_retryable = |error: &Error| error.code() == Code::ServiceUnavailable;
    let (retryable, permanent): (Vec<_>, Vec<_>) = failures.into_iter().partition(|(_, error)| is_retryable(error));
    match retryable.into_iter().next() {
        Some((step, error)) => Err(error.context(step)),
        None if permanent.is_empty() => Ok(()),
        None => write_dead_letter(app, record, &permanent).await,
    }
}

/// Stores a record that consumers cannot handle as a dead letter with the reasons.
///
/// # Errors `SERVICE_UNAVAILABLE` if it could not be stored: then the record is not done.
pub async fn write_dead_letter(app: &App, record: &Record, failures: &[(&'static str, Error)]) -> Result<()> {
    dead_letters::put_change(app.dead_letters()?, app.runtime.now(), record, failures).await
}

/// Queues a changed entry for the embedding worker, and deletes the vectors of a deleted one.
pub(crate) async fn embed_entry(app: &App, change: &Change) -> Result<()> {
    let Subject::Entry { path, old, new } = &change.subject else { return Ok(()) };
    if new.version <= old.version {
        return Ok(());
    }
    if new.entry.is_none() {
        return app.store.vectors().delete(&change.scope, path).await;
    }
    if app.config.embedding != ModelChoice::None
        && let Err(error) = embedding::enqueue(app, &change.scope, path).await
    {
        // Not retried here: the index shows that the entry has no vectors, and the sweeper queues it.
        tracing::warn!(entry.path = %path, error = %error, "failed to queue an entry for embedding; the sweeper queues it again");
    }
    Ok(())
}

/// Creates and queues the deliveries of a change: one for each event and subscribed receiver. A delivery is created
/// once, however often the change is read. If it exists and is not done, the message is sent again, because it may have
/// been lost.
pub(crate) async fn create_deliveries(batch: &Batch<'_>, change: &Change) -> Result<()> {
    for event in events_of(change) {
        let all = batch.receivers(&event.scope).await?;
        let receivers: Vec<&Webhook> = all.iter().filter(|webhook| webhook.events.includes(event.kind)).collect();
        if receivers.is_empty() {
            continue;
        }
        let event = with_question(batch.app, change, event).await?;
        try_join_all(receivers.into_iter().map(|webhook| deliver(batch, &event, webhook))).await?;
    }
    Ok(())
}

async fn deliver(batch: &Batch<'_>, event: &Event, webhook: &Webhook) -> Result<()> {
    let (app, scope) = (batch.app, &event.scope);
    let held = !webhook.is_active();
    let outgoing = event.outgoing(webhook.format, app.config.desk_url.as_deref());
    let created = app.store.deliveries().create(scope, outgoing, &webhook.webhook_id, held).await?;
    if !created.should_send() {
        return Ok(());
    }
    queue::enqueue(app, scope, &webhook.webhook_id, &event.id, 0).await
}

/// Raises the revision of the inbox that the change is of: once a batch in which a request for a human changed.
pub(crate) async fn raise_inbox_revision(batch: &Batch<'_>, change: &Change) -> Result<()> {
    match &change.subject {
        Subject::Escalation { old, new } if old != new => batch.raise_inbox(&change.scope).await,
        _ => Ok(()),
    }
}

/// Indexes an entry that changed, and a wiki whose language changed.
///
/// Usually the writer has indexed it already, and the index accepts a version once. A change without a new version is
/// bookkeeping, such as a pending mark, and is ignored.
pub(crate) async fn index(batch: &Batch<'_>, change: &Change) -> Result<()> {
    match &change.subject {
        Subject::Entry { path, old, new } if new.version > old.version => index_entry(batch, change, path, new).await,
        Subject::Settings { old, new } if new.language != old.language => {
            indexing::begin(batch.app, &change.scope, &change.record_id).await
        }
        _ => Ok(()),
    }
}

async fn index_entry(batch: &Batch<'_>, change: &Change, path: &WikiPath, new: &EntryState) -> Result<()> {
    let scope = &change.scope;
    if !batch.is_index_down() {
        let analyzer = batch.analyzer(scope).await?;
        let deleted = || DeletedEntry {
            version: new.version,
            at: new.deleted_at.unwrap_or(change.at),
            by: new.deleted_by.clone(),
        };
        let record = new.entry.clone().map_or_else(|| WikiRecord::Deleted(path.clone(), deleted()), WikiRecord::Entry);
        match indexing::put(batch.app, scope, &analyzer, &record).await {
            Ok(()) => return Ok(()),
            Err(error) => {
                tracing::warn!(entry.path = %path, entry.version = new.version, error = %error, "failed to index an entry; the sweeper retries");
                batch.mark_index_down();
            }
        }
    }
    indexing::schedule_indexing(batch.app, scope, path, new.version).await
}

/// The event with the unanswered question, or those of several that have no answer, `null` if the session was deleted
/// meanwhile. The question is another turn, which the change does not contain, so it is read from the table. Other
/// events are returned unchanged. The text of a turn does not change, so a replay gives the same event.
async fn with_question(app: &App, change: &Change, mut event: Event) -> Result<Event> {
    let (EventKind::AnswerUnanswered, Subject::Turn { session_id, new: Some(answer), .. }) =
        (event.kind, &change.subject)
    else {
        return Ok(event);
    };
    let asked = app.store.sessions().list_answered_by(&change.scope, session_id, answer).await?;
    let missing = || match answer.missing() {
        [] => as_one_question(&asked),
        missing => missing.join("\n\n"),
    };
    let question = (!asked.is_empty()).then(missing);
    event.data.insert("question".into(), json!(question));
    Ok(event)
}

/// Shows the tags that a session has now, if they changed, on its requests for a human: the inbox lists those by tag.
pub(crate) async fn show_tags(app: &App, change: &Change) -> Result<()> {
    let Subject::Session { old: Some(old), new: Some(new) } = &change.subject else { return Ok(()) };
    if old.tags == new.tags {
        return Ok(());
    }
    // The newest, and not those of this change: the change may be delivered again, after a later one.
    let Some(now) = app.store.sessions().get(&change.scope, &new.session_id).await? else { return Ok(()) };
    app.store.escalations().set_tags(&change.scope, &now.session_id, &now.tags).await
}
