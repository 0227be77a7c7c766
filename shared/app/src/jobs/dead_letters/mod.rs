//! Dead letters: the writing of those of changes (`changes`, and batches that wait in `replay`), the one reader of every
//! form (`content`), and their erasure.

mod content;
mod erasure;
mod waiting;

pub use content::DeadLetter;
pub use erasure::{LettersOfSessions, erase_letters_of};
pub use waiting::{WAITING, put_waiting};

use aws::dead_letters::DeadLetters;
use aws::stream::Record;
use domain::models::Timestamp;
use domain::{Error, Result};
use serde_json::json;

/// Stores a record that consumers cannot handle as a dead letter with the reasons, and logs the line that an alarm
/// watches. The same record for the same consumers replaces it.
///
/// # Errors `SERVICE_UNAVAILABLE` if it could not be stored: then the record is not done.
pub async fn put_change(
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
