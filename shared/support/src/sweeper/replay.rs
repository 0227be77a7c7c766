//! Replays changes that Lambda gave up on after its tries on the stream, for example because a queue did not answer.
//!
//! Lambda writes such a batch to `aws/lambda/…` of the dead-letter bucket. A sweep passes it to the function that
//! handles changes, which is idempotent. What fails again waits in `replay/<failures>/<due>/…`. A batch that ends the
//! function is halved until the record that does so is alone. What failed [`MAX_FAILURES`] times becomes dead letters
//! of changes, one for each record, and an alarm tells of them.

use aws::changes_function::ChangesFunction;
use domain::{Error, Result, sha256_hex};
use serde_json::Value;

use crate::dead_letters::{self, DeadLetter, WAITING, put_waiting};
use crate::edge::App;
use crate::table::stream::Record;

/// A batch that failed so often is replayed no more.
pub(crate) const MAX_FAILURES: u32 = 3;
/// How long a batch waits after its first and its second failure, in milliseconds.
const WAITS_MS: [i64; 2] = [20 * 60_000, 60 * 60_000];
/// The folder of what Lambda wrote.
const OF_LAMBDA: &str = "aws/lambda";
/// The maximum number of batches that a sweep replays: one takes seconds.
const MAX_BATCHES: usize = 20;
/// The maximum number of waiting batches that a sweep looks at.
const MAX_WAITING: usize = 1_000;

/// Replays what waits for it. `may_start` tells whether there is time for another batch.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` if the bucket did not answer: the next sweep continues.
pub(crate) async fn run(app: &App, changes: &ChangesFunction, may_start: impl Fn() -> bool) -> Result<()> {
    for (name, failures) in due(app).await? {
        if !may_start() {
            break;
        }
        // One batch that cannot be replayed does not stop the next.
        if let Err(error) = replay(app, changes, &name, failures).await {
            tracing::warn!(batch = name, error = %error, "failed to replay a batch of changes; the next sweep tries again");
        }
    }
    Ok(())
}

/// The names of the batches that are due, each with its failures so far.
async fn due(app: &App) -> Result<Vec<(String, u32)>> {
    let now = app.runtime.now().as_millis();
    let waiting = app.dead_letters()?.list(WAITING, MAX_WAITING).await?;
    let is_due = |name: String| {
        let (failures, due_at) = failures_and_due(&name)?;
        (due_at <= now).then_some((name, failures))
    };
    let mut due: Vec<(String, u32)> = waiting.into_iter().filter_map(is_due).collect();
    due.extend(app.dead_letters()?.list(OF_LAMBDA, MAX_BATCHES).await?.into_iter().map(|name| (name, 0)));
    due.truncate(MAX_BATCHES);
    Ok(due)
}

/// From the name of a waiting batch: how often it failed, and when it is due, in milliseconds since 1970.
fn failures_and_due(name: &str) -> Option<(u32, i64)> {
    let mut parts = name.split('/').skip(1);
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

async fn replay(app: &App, changes: &ChangesFunction, name: &str, failures: u32) -> Result<()> {
    let Some(content) = app.dead_letters()?.get(name).await? else { return Ok(()) };
    let records = match DeadLetter::parse(&content) {
        Ok(DeadLetter::Batch(records)) => records,
        // Nothing else is written here.
        other => {
            let error = other.err().unwrap_or_else(|| Error::internal("it holds no batch of changes"));
            tracing::error!(batch = name, error = %error, "failed to parse a batch of changes; it stays in the dead-letter bucket");
            put_unreadable(app, content).await?;
            return app.dead_letters()?.delete(name).await;
        }
    };
    match changes.handle(&records).await {
        Ok(None) => {
            tracing::info!(batch = name, records = records.len(), "replayed a batch of changes");
        }
        Ok(Some(from)) => {
            let error = Error::unavailable("the table or a queue did not respond");
            defer_or_dead_letter(app, from_sequence(&records, &from), failures + 1, &error).await?;
        }
        // The record that ended the function is in one half; the other is handled.
        Err(_) if records.len() > 1 => {
            let (first, second) = records.split_at(records.len() / 2);
            for half in [first, second] {
                put_waiting(app.dead_letters()?, half, failures, app.runtime.now()).await?;
            }
        }
        Err(error) => defer_or_dead_letter(app, &records, failures + 1, &error).await?,
    }
    app.dead_letters()?.delete(name).await
}

/// The records from a sequence number on; all of them if none has it.
fn from_sequence<'a>(records: &'a [Value], sequence: &str) -> &'a [Value] {
    let is_first =
        |record: &Value| record.pointer("/dynamodb/SequenceNumber").and_then(Value::as_str) == Some(sequence);
    let first = records.iter().position(is_first).unwrap_or(0);
    records.get(first..).unwrap_or_default()
}

/// Keeps records that failed: for another try, or after too many failures as dead letters.
async fn defer_or_dead_letter(app: &App, records: &[Value], failures: u32, error: &Error) -> Result<()> {
    let now = app.runtime.now();
    let wait = usize::try_from(failures).ok().and_then(|failures| WAITS_MS.get(failures.checked_sub(1)?));
    if let Some(wait) = wait {
        tracing::warn!(records = records.len(), failures, error = %error, "failed to replay changes; a later sweep tries again");
        return put_waiting(app.dead_letters()?, records, failures, now.plus_millis(*wait)).await.map(drop);
    }
    for raw in records {
        match Record::of_lambda(raw.clone()) {
            Ok(record) => {
                let reason =
                    Error::unavailable(format!("it failed {MAX_FAILURES} times when it was replayed: {error}"));
                dead_letters::put_change(app.dead_letters()?, now, &record, &[("replay", reason)]).await?;
            }
            Err(_) => put_unreadable(app, raw.to_string().into_bytes()).await?,
        }
    }
    Ok(())
}

/// Keeps what does not parse for a person.
async fn put_unreadable(app: &App, content: Vec<u8>) -> Result<()> {
    let name = format!("unreadable/{}.json", sha256_hex(&content));
    app.dead_letters()?.put(&name, content).await
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_replay_begins_at_the_sequence_number_of_the_failed_record() {
        let record = |sequence: &str| json!({"dynamodb": {"SequenceNumber": sequence}});
        let records = [record("1"), record("2"), record("3")];
        assert_eq!(from_sequence(&records, "2"), &records[1..]);
        assert_eq!(from_sequence(&records, ""), &records);
        assert_eq!(failures_and_due("replay/1/1767323045000/x.json"), Some((1, 1_767_323_045_000)));
        assert_eq!(failures_and_due("replay/x.json"), None);
    }
}
