//! Dead letters of changes: records that cannot be handled, stored with the reasons.

use aws::dead_letters::DeadLetters;
use aws::store::Store;
use aws::store::stream::session_id_of;
use aws::stream::Record;
use domain::models::Timestamp;
use domain::{Error, Result};
use serde_json::json;

/// Stores a record that consumers cannot handle as a dead letter with the reasons, and logs the line that an alarm
/// watches. The same record for the same consumers replaces it. The name is recorded with the session of the record, so
/// that the dead letter is erased with the session.
///
/// # Errors `SERVICE_UNAVAILABLE` if it could not be stored: then the record is not done.
pub async fn put_change(
    store: &Store,
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
    // Recorded first, so that erasing the session finds every dead letter.
    if let Some((scope, session)) = session_id_of(record) {
        store.sessions().put_dead_letter(&scope, &session, &name).await?;
    }
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
