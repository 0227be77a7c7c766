//! Dead letters: stores those of changes, keeps batches that wait for another try, reads every form ([`DeadLetter`]),
//! and erases what they hold of a session or a tenant, in every form and folder.

mod table;

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use aws::dead_letters::DeadLetters;
use domain::models::{EscalationId, Scope, SessionId, TenantId, Timestamp};
use domain::{Error, Result, sha256_hex};
use futures::{StreamExt, TryStreamExt, stream};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::Mutex;

use crate::dead_letters::table::{escalation_of_due_item, owner_of_due_item, session_id_of, tenant_id_of};
use crate::edge::App;
use crate::table::Store;
use crate::table::stream::Record;

/// Stores a record that consumers cannot handle as a dead letter with the reasons, and logs the line that an alarm
/// watches. The same record for the same consumers replaces it.
///
/// # Errors `SERVICE_UNAVAILABLE` if it could not be stored: then the record is not done.
pub(crate) async fn put_change(
    dead_letters: &DeadLetters,
    now: Timestamp,
    record: &Record,
    failures: &[(&'static str, Error)],
) -> Result<()> {
    let reasons: Vec<_> =
        failures.iter().map(|(consumer, error)| json!({"consumer": consumer, "error": error.to_string()})).collect();
    let content = json!({"deadLetteredAt": now, "failures": reasons, "record": record});
    let consumers: Vec<_> = failures.iter().map(|(consumer, _)| *consumer).collect();
    let name = name(record, &consumers);
    dead_letters.put(&name, content.to_string().into_bytes()).await?;
    // The reasons are kept with the record: they may quote it, and a log must not.
    tracing::error!(
        metric.ChangesDeadLettered = 1,
        record.id = record.event_id,
        record.sequence = record.sequence,
        record.kind = record.kind(),
        consumers = consumers.join(","),
        "a change was moved to the dead letters: correct the cause, then repair what its consumers missed"
    );
    Ok(())
}

/// By day, so that a day's dead letters are in one folder.
fn name(record: &Record, consumers: &[&str]) -> String {
    let sanitise = |text: &str| -> String {
        text.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).collect()
    };
    let (id, sequence, consumers) =
        (sanitise(&record.event_id), sanitise(&record.sequence), sanitise(&consumers.join("-")));
    format!("changes/{}/{id}_{sequence}_{consumers}.json", record.at.day())
}

/// The content of a dead letter. Its form alone says what it is, because a newer version may write elsewhere.
///
/// | who wrote it | where | form |
/// |---|---|---|
/// | `changes`, or the sweeper at last | `changes/` | `{"record": …, "failures": […]}` |
/// | Lambda, for a batch that it gave up on | `aws/` | `{"payload": "{\"Records\": […]}", …}` |
/// | the sweeper, for what waits for another try | `replay/` | `{"records": […]}` |
/// | the sweeper, for a record that does not parse | `unreadable/` | a record of Lambda's, or anything |
/// | the sweeper, for a due item that ends its process | `due/` | `{"item": "pk sk", …}` |
#[derive(Debug, Clone, PartialEq)]
pub enum DeadLetter {
    Change(Box<Record>),
    /// Changes as Lambda passes them; at least one.
    Batch(Vec<Value>),
    /// The name of a due item.
    DueItem(String),
}

impl DeadLetter {
    /// Reads a dead letter.
    ///
    /// # Errors
    /// It holds nothing that can be handled; the message says so without repeating it.
    pub fn parse(content: &[u8]) -> Result<Self> {
        let content: Value = serde_json::from_slice(content).map_err(|_| Error::internal("it is not JSON"))?;
        if let Some(item) = content.get("item").and_then(Value::as_str) {
            return Ok(Self::DueItem(item.to_owned()));
        }
        if let Some(record) = content.get("record") {
            return Record::deserialize(record)
                .map(|record| Self::Change(Box::new(record)))
                .map_err(|e| unreadable(&e));
        }
        let records = records(&content)?;
        if records.is_empty() {
            return Err(Error::internal("it holds no change; discard it"));
        }
        Ok(Self::Batch(records))
    }

    /// Its changes.
    ///
    /// # Errors
    /// One of them does not parse, or it holds no change.
    pub fn changes(self) -> Result<Vec<Record>> {
        match self {
            Self::Change(record) => Ok(vec![*record]),
            Self::Batch(records) => {
                records.into_iter().map(|raw| Record::of_lambda(raw).map_err(|e| unreadable(&e))).collect()
            }
            Self::DueItem(_) => Err(Error::internal("it holds no change; discard it")),
        }
    }
}

/// The records of a batch, or the one record that the content is.
fn records(content: &Value) -> Result<Vec<Value>> {
    if content.get("dynamodb").is_some() {
        return Ok(vec![content.clone()]);
    }
    let event = match content.get("payload") {
        Some(Value::String(text)) => serde_json::from_str(text).map_err(|e| unreadable(&e))?,
        Some(payload) => payload.clone(),
        None => Value::Null,
    };
    let records = content.get("records").or_else(|| event.get("Records")).and_then(Value::as_array);
    Ok(records.cloned().unwrap_or_default())
}

fn unreadable(error: &dyn std::fmt::Display) -> Error {
    Error::internal(format!("it holds no change that can be read: {error}"))
}

/// The dead letters that are read at once; one may have megabytes.
const CONCURRENCY: usize = 4;

/// The owner whose part of dead letters is erased.
#[derive(Debug, Clone, Copy)]
enum Owner<'a> {
    Tenant(&'a TenantId),
    Session(&'a Scope, &'a SessionId),
}

impl Owner<'_> {
    fn has_change(&self, record: &Record) -> bool {
        match self {
            Self::Tenant(tenant) => tenant_id_of(record).as_ref() == Some(*tenant),
            Self::Session(scope, id) => session_id_of(record).is_some_and(|(s, found)| s == **scope && found == **id),
        }
    }

    /// A record of Lambda's; one that does not parse is that of whom it names.
    fn has_raw(&self, raw: &Value) -> bool {
        match Record::of_lambda(raw.clone()) {
            Ok(record) => self.has_change(&record),
            Err(_) => self.is_named_in(&raw.to_string()),
        }
    }

    fn has_due_item(&self, name: &str) -> bool {
        match (self, owner_of_due_item(name)) {
            (Self::Tenant(tenant), Some((scope, _))) => scope.tenant == **tenant,
            (Self::Session(scope, id), Some((s, Some(found)))) => s == **scope && found == **id,
            _ => self.is_named_in(name),
        }
    }

    fn is_named_in(&self, text: &str) -> bool {
        match self {
            Self::Tenant(tenant) => text.contains(tenant.as_str()),
            // An import keeps the ids: another tenant may have a session of the same id.
            Self::Session(scope, id) => text.contains(id.as_str()) && text.contains(scope.tenant.as_str()),
        }
    }
}

/// The part of a dead letter that stays.
#[derive(Debug, PartialEq)]
enum Remainder {
    All,
    Part(Vec<Value>),
    Nothing,
}

/// The part of a dead letter that stays without what is the owner's. Of a batch the others' part stays, and waits for
/// another try. What does not parse is erased whole if it names the owner.
fn remainder(content: &[u8], owner: Owner<'_>) -> Remainder {
    let is_theirs = match DeadLetter::parse(content) {
        Ok(DeadLetter::Change(record)) => owner.has_change(&record),
        Ok(DeadLetter::DueItem(name)) => owner.has_due_item(&name),
        Ok(DeadLetter::Batch(records)) => {
            let all = records.len();
            let kept: Vec<Value> = records.into_iter().filter(|raw| !owner.has_raw(raw)).collect();
            if !kept.is_empty() && kept.len() < all {
                return Remainder::Part(kept);
            }
            kept.is_empty()
        }
        Err(_) => owner.is_named_in(&String::from_utf8_lossy(content)),
    };
    if is_theirs { Remainder::Nothing } else { Remainder::All }
}

/// The outcome of an erasure from a dead letter.
enum Erased {
    /// It holds nothing of them, or is gone.
    Nothing,
    Whole,
    /// Their part; the rest has this name.
    Part(String, Vec<Value>),
}

async fn erase_from(dead_letters: &DeadLetters, name: &str, owner: Owner<'_>) -> Result<Erased> {
    let Some(content) = dead_letters.get(name).await? else { return Ok(Erased::Nothing) };
    let erased = match remainder(&content, owner) {
        Remainder::All => return Ok(Erased::Nothing),
        Remainder::Nothing => Erased::Whole,
        Remainder::Part(rest) => {
            let name = put_waiting(dead_letters, &rest, 0, Timestamp::default()).await?;
            Erased::Part(name, rest)
        }
    };
    dead_letters.delete(name).await.map(|()| erased)
}

/// Erases what dead letters hold of a tenant; the number of those that held something.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the dead letters do not answer.
pub(crate) async fn erase_letters_of(dead_letters: &DeadLetters, tenant: &TenantId) -> Result<u64> {
    let mut erased = 0;
    for name in dead_letters.list_all().await? {
        erased += match erase_from(dead_letters, &name, Owner::Tenant(tenant)).await? {
            Erased::Nothing => 0,
            Erased::Whole | Erased::Part(..) => 1,
        };
    }
    Ok(erased)
}

/// The dead letters, and which sessions they may be about: each is read once, however many sessions are erased. Cheap to
/// clone.
#[derive(Debug, Clone)]
pub(crate) struct LettersOfSessions {
    dead_letters: DeadLetters,
    known: Arc<Mutex<Known>>,
}

/// The dead letters that were read, by name.
#[derive(Debug, Default)]
struct Known {
    is_listed: bool,
    letters: HashMap<String, Mentions>,
}

/// The ids in a dead letter.
#[derive(Debug)]
struct Mentions {
    /// The hashes of ids of sessions.
    sessions: HashSet<u64>,
    /// The request for a human that it is about.
    escalation: Option<(Scope, EscalationId)>,
}

impl Known {
    /// The names of those that may hold something of a session.
    fn about(&self, id: &SessionId) -> Vec<String> {
        let wanted = hash(id.as_str());
        let named = self.letters.iter().filter(|(_, mentions)| mentions.sessions.contains(&wanted));
        named.map(|(name, _)| name.clone()).collect()
    }

    /// The names of those about requests for a human.
    fn of_escalations(&self, scope: &Scope) -> Vec<(String, EscalationId)> {
        let escalation = |mentions: &Mentions| mentions.escalation.clone().filter(|(found, _)| found == scope);
        self.letters.iter().filter_map(|(name, mentions)| Some((name.clone(), escalation(mentions)?.1))).collect()
    }
}

impl LettersOfSessions {
    /// Those of `app`, with what this process has read of them.
    pub(crate) fn of(app: &App) -> Result<Self> {
        Ok(Self { dead_letters: app.dead_letters()?.clone(), known: app.remembered() })
    }

    /// Lets the next erasure list the dead letters again.
    pub(crate) async fn refresh(&self) {
        self.known.lock().await.is_listed = false;
    }

    /// Erases what dead letters hold of a session that is deleted.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when the dead letters or the table do not answer.
    pub(crate) async fn erase(&self, store: &Store, scope: &Scope, id: &SessionId) -> Result<()> {
        // One session after the other: two may have parts in one batch.
        let mut known = self.known.lock().await;
        if !known.is_listed {
            self.list(&mut known).await?;
        }
        for name in known.about(id) {
            if let Erased::Part(rest, records) =
                erase_from(&self.dead_letters, &name, Owner::Session(scope, id)).await?
            {
                known.letters.insert(rest, mentions(json!(records).to_string().as_bytes()));
            }
            known.letters.remove(&name);
        }
        // They hold ids alone, and not the session's: what they are about was deleted with its session.
        for (name, escalation) in known.of_escalations(scope) {
            if store.escalations().get(scope, &escalation).await?.is_none() {
                self.dead_letters.delete(&name).await?;
                known.letters.remove(&name);
            }
        }
        Ok(())
    }

    /// Reads those that are new. A dead letter under a known name has what it had, or less.
    async fn list(&self, known: &mut Known) -> Result<()> {
        let names: HashSet<String> = self.dead_letters.list_all().await?.into_iter().collect();
        known.letters.retain(|name, _| names.contains(name));
        let new = names.into_iter().filter(|name| !known.letters.contains_key(name)).collect::<Vec<_>>();
        let read = stream::iter(new.into_iter().map(|name| async move {
            let content = self.dead_letters.get(&name).await?.unwrap_or_default();
            Ok((name, mentions(&content)))
        }));
        let mut read = read.buffer_unordered(CONCURRENCY);
        while let Some((name, mentions)) = read.try_next().await? {
            known.letters.insert(name, mentions);
        }
        known.is_listed = true;
        Ok(())
    }
}

fn mentions(content: &[u8]) -> Mentions {
    let text = String::from_utf8_lossy(content);
    let id_at = |at: usize| text.get(at..)?.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next();
    let sessions = text.match_indices("ses_").filter_map(|(at, _)| id_at(at)).map(hash).collect();
    Mentions { sessions, escalation: escalation_of(content) }
}

/// The request for a human that a dead letter of a due item is about.
fn escalation_of(content: &[u8]) -> Option<(Scope, EscalationId)> {
    let Ok(DeadLetter::DueItem(name)) = DeadLetter::parse(content) else { return None };
    escalation_of_due_item(&name)
}

fn hash(id: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}

/// The folder of what waits for another try.
pub const WAITING: &str = "replay";

/// Keeps a batch as `replay/<failures>/<due>/<hash>.json`, a name that says how often it failed and when it is due;
/// returns the name. The same batch replaces itself.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` if it could not be stored.
pub(crate) async fn put_waiting(
    dead_letters: &DeadLetters,
    records: &[Value],
    failures: u32,
    due: Timestamp,
) -> Result<String> {
    let content = serde_json::to_vec(&json!({"records": records}))
        .map_err(|e| Error::internal(format!("a batch cannot be written: {e}")))?;
    let name = format!("{WAITING}/{failures}/{:013}/{}.json", due.as_millis(), sha256_hex(&content));
    dead_letters.put(&name, content).await?;
    Ok(name)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn parsed(content: &Value) -> Result<DeadLetter> {
        DeadLetter::parse(content.to_string().as_bytes())
    }

    #[test]
    fn a_dead_letter_without_a_record_is_an_error_in_every_form() {
        let empty = [
            json!({}),
            json!("text"),
            json!({"records": []}),
            json!({"records": "x"}),
            json!({"records": [7]}),
            json!({"payload": []}),
            json!({"payload": "7"}),
            json!({"payload": "{"}),
            json!({"payload": {}}),
            json!({"payload": {"Records": []}}),
            json!({"payload": "{\"Records\": [{}]}"}),
            json!({"record": {}}),
            json!({"dynamodb": {}}),
            json!({"item": "pk sk"}),
        ];
        for content in empty {
            assert!(parsed(&content).and_then(DeadLetter::changes).is_err(), "{content}");
        }
        assert!(DeadLetter::parse(b"{").is_err());
    }

    #[test]
    fn a_batch_is_read_in_every_form() {
        let records = vec![json!({"eventID": "a", "dynamodb": {"SequenceNumber": "7"}}), json!({"eventID": "b"})];
        for content in [
            json!({"version": "1.0", "payload": json!({"Records": records}).to_string()}),
            json!({"version": "1.0", "payload": {"Records": records}}),
            json!({"records": records}),
        ] {
            assert_eq!(parsed(&content).unwrap(), DeadLetter::Batch(records.clone()), "{content}");
        }
        assert_eq!(parsed(&records[0]).unwrap(), DeadLetter::Batch(records[..1].to_vec()));
    }
}
