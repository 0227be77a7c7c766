//! Batches of changes that wait for another try: `replay/<failures>/<due>/<hash>.json`, `{"records": […]}`.

use aws::dead_letters::DeadLetters;
use domain::models::Timestamp;
use domain::{Error, Result, sha256_hex};
use serde_json::{Value, json};

/// The folder of what waits for another try.
pub const WAITING: &str = "replay";

/// Keeps a batch under a name that says how often it failed and when it is due; the name. The same batch replaces itself.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` if it could not be stored.
pub async fn put_waiting(
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
