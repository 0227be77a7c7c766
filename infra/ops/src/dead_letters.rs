//! `dead-letters`: of the bucket or folder, and of the queues. A name of the bucket is the id; a message's is
//! `queue:NAME:ID`.

use aws::dead_letters::DeadLetters;
use aws::queue::{DeadMessage, Queue, SentAgain, TaskQueue};
use domain::Error;
use domain::models::Timestamp;
use serde_json::{Value, json};
use support::changes;
use support::dead_letters::DeadLetter as Content;
use support::edge::{App, ClientProvider};

use crate::cli::DeadLettersCommand;
use crate::output::{Failure, Progress, Report, table};

/// Something that could not be handled.
enum DeadLetter {
    /// A file of the bucket or folder.
    File(String),
    /// A message of a dead-letter queue.
    Message(TaskQueue, DeadMessage),
}

impl DeadLetter {
    fn id(&self) -> String {
        match self {
            Self::File(name) => name.clone(),
            Self::Message(queue, message) => message_id(queue, &message.id),
        }
    }
}

fn message_id(queue: &TaskQueue, id: &str) -> String {
    format!("queue:{}:{id}", queue.name())
}

pub(crate) async fn run(
    clients: &impl ClientProvider,
    command: DeadLettersCommand,
    yes: bool,
) -> Result<Report, Failure> {
    match command {
        DeadLettersCommand::List => list(clients).await,
        DeadLettersCommand::Show { id } => show(clients, &id).await,
        DeadLettersCommand::Replay { id: Some(id), .. } => replay(clients, &id).await,
        DeadLettersCommand::Replay { id: None, .. } => replay_all(clients).await,
        DeadLettersCommand::Discard { id } => discard(clients, &id, yes).await,
    }
}

async fn all(clients: &impl ClientProvider) -> Result<Vec<DeadLetter>, Failure> {
    let mut found: Vec<DeadLetter> =
        clients.dead_letters()?.list_all().await?.into_iter().map(DeadLetter::File).collect();
    // At the same time, because each waits a second for messages.
    let mut listings = Vec::new();
    for queue in Queue::ALL {
        let queue = clients.queue(*queue)?;
        let listed = queue.clone();
        listings.push((queue, tokio::spawn(async move { listed.dead_messages().await })));
    }
    for (queue, listing) in listings {
        let messages = listing.await.map_err(|e| Error::internal(format!("list dead letters: {e}")))??;
        found.extend(messages.into_iter().map(|message| DeadLetter::Message(queue.clone(), message)));
    }
    Ok(found)
}

async fn find(clients: &impl ClientProvider, id: &str) -> Result<DeadLetter, Failure> {
    let found = all(clients).await?.into_iter().find(|letter| letter.id() == id);
    Ok(found.ok_or_else(|| Error::not_found("dead letter"))?)
}

/// The content of a dead letter as JSON.
async fn content(dead_letters: &DeadLetters, letter: &DeadLetter) -> Result<Value, Failure> {
    let text = match letter {
        DeadLetter::Message(_, message) => message.body.clone().into_bytes(),
        DeadLetter::File(name) => dead_letters.get(name).await?.ok_or_else(|| Error::not_found("dead letter"))?,
    };
    Ok(serde_json::from_slice(&text).unwrap_or_else(|_| String::from_utf8_lossy(&text).into_owned().into()))
}

/// Why it could not be handled, in a few words.
fn reason(content: &Value) -> String {
    let failures = content.get("failures").and_then(Value::as_array);
    let consumers = failures.map(|all| all.iter().filter_map(|f| f.get("consumer")?.as_str()).collect::<Vec<_>>());
    let given = content.get("reason").and_then(Value::as_str).map(str::to_owned);
    given.or_else(|| consumers.map(|names| format!("failed: {}", names.join(", ")))).unwrap_or_else(|| "-".into())
}

/// A message names no reason; its worker's log does.
fn sent(message: &DeadMessage) -> String {
    let at = message.sent_at_ms.map(Timestamp::from_millis);
    at.map_or_else(|| "received too often".into(), |at| format!("received too often, sent at {at}"))
}

async fn list(clients: &impl ClientProvider) -> Result<Report, Failure> {
    let dead_letters = clients.dead_letters()?;
    let (mut rows, mut items) = (Vec::new(), Vec::new());
    for letter in all(clients).await? {
        let content = content(&dead_letters, &letter).await?;
        let why = match &letter {
            DeadLetter::File(_) => reason(&content),
            DeadLetter::Message(_, message) => sent(message),
        };
        items.push(json!({"id": letter.id(), "reason": why}));
        rows.push(vec![letter.id(), why]);
    }
    Ok(Report::new(table(&["id", "reason"], &rows), json!({"items": items})))
}

async fn show(clients: &impl ClientProvider, id: &str) -> Result<Report, Failure> {
    let letter = find(clients, id).await?;
    let content = content(&clients.dead_letters()?, &letter).await?;
    Ok(Report::new(format!("{content:#}"), json!({"id": id, "content": content})))
}

async fn discard(clients: &impl ClientProvider, id: &str, yes: bool) -> Result<Report, Failure> {
    let letter = find(clients, id).await?;
    if !yes {
        return Ok(Report::dry_run(format!("would discard {id}"), json!({"id": id})));
    }
    remove(&clients.dead_letters()?, &letter).await?;
    Ok(Report::new(format!("discarded {id}"), json!({"id": id})))
}

async fn remove(dead_letters: &DeadLetters, letter: &DeadLetter) -> Result<(), Failure> {
    match letter {
        DeadLetter::File(name) => dead_letters.delete(name).await?,
        DeadLetter::Message(queue, message) => queue.discard(&message.id).await?,
    }
    Ok(())
}

/// Handles one again, and deletes it; one that fails stays.
async fn replay(clients: &impl ClientProvider, id: &str) -> Result<Report, Failure> {
    let outcome = match find(clients, id).await? {
        DeadLetter::Message(queue, message) => queue.send_again(&message.id).await.map_err(plain),
        DeadLetter::File(name) => replay_file(clients, &changes::app(clients).await?, &name).await,
    };
    Ok(replayed(vec![(id.to_owned(), outcome)]))
}

/// The same for all. Messages are sent again as they are received.
async fn replay_all(clients: &impl ClientProvider) -> Result<Report, Failure> {
    let changes = changes::app(clients).await?;
    let progress = Progress::new("dead letters replayed");
    let mut outcomes = Vec::new();
    for name in clients.dead_letters()?.list_all().await? {
        progress.set(count(&outcomes));
        let outcome = replay_file(clients, &changes, &name).await;
        outcomes.push((name, outcome));
    }
    for queue in Queue::ALL {
        let queue = clients.queue(*queue)?;
        let before = count(&outcomes);
        let counted = |sent: usize| progress.set(before + sent as u64);
        let SentAgain { messages, received } = queue.send_all_again(counted).await;
        let named = |(id, outcome): (String, domain::Result<()>)| (message_id(&queue, &id), outcome.map_err(plain));
        outcomes.extend(messages.into_iter().map(named));
        outcomes.extend(received.err().map(|error| (message_id(&queue, "*"), Err(plain(error)))));
    }
    Ok(replayed(outcomes))
}

fn count<T>(outcomes: &[T]) -> u64 {
    outcomes.len() as u64
}

/// The outcome of each replay.
fn replayed(outcomes: Vec<(String, Result<(), String>)>) -> Report {
    let failed = outcomes.iter().any(|(_, outcome)| outcome.is_err());
    let (mut lines, mut items) = (Vec::new(), Vec::new());
    for (id, outcome) in outcomes {
        lines.push(format!("{id}  {}", outcome.as_ref().err().map_or("replayed", String::as_str)));
        items.push(json!({"id": id, "replayed": outcome.is_ok(), "error": outcome.err()}));
    }
    Report::new(lines.join("\n"), json!({"items": items})).found(failed)
}

fn plain(error: Error) -> String {
    error.to_string()
}

async fn replay_file(clients: &impl ClientProvider, changes: &App, name: &str) -> Result<(), String> {
    let dead_letters = clients.dead_letters().map_err(plain)?;
    let content = dead_letters.get(name).await.map_err(plain)?.unwrap_or_default();
    match Content::parse(&content).map_err(plain)? {
        Content::DueItem(item) => {
            let due = clients.store().due().put_back(&item, clients.runtime().now()).await.map_err(plain)?;
            if !due {
                return Err("what was due does not exist any more; discard it".into());
            }
        }
        content => {
            for record in content.changes().map_err(plain)? {
                let failures = changes::consumers::replay(changes, &record).await;
                let failures: Vec<_> =
                    failures.iter().map(|(consumer, error)| format!("{consumer}: {error}")).collect();
                if !failures.is_empty() {
                    return Err(failures.join("; "));
                }
            }
        }
    }
    dead_letters.delete(name).await.map_err(plain)
}
