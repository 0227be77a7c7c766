//! Handles failures of a change: retried if that may help; otherwise the record becomes a dead letter with the reasons
//! and counts as done.

use crate::state::Changes;
use app::jobs::dead_letters;
use aws::stream::Record;
use domain::error::Code;
use domain::{Error, Result};

/// Settles the failures of a record, each with the name of its step. A service that did not answer is worth a retry.
/// Anything else is a fault of the record or of this service and would fail again, so the record becomes a dead letter.
///
/// # Errors
/// The first failure that is worth a retry, or `SERVICE_UNAVAILABLE` if the dead letter could not be stored.
pub(crate) async fn settle(state: &Changes, record: &Record, failures: Vec<(&'static str, Error)>) -> Result<()> {
    let is_retryable = |error: &Error| error.code() == Code::ServiceUnavailable;
    let (retryable, permanent): (Vec<_>, Vec<_>) = failures.into_iter().partition(|(_, error)| is_retryable(error));
    match retryable.into_iter().next() {
        Some((step, error)) => Err(error.context(step)),
        None if permanent.is_empty() => Ok(()),
        None => write_dead_letter(state, record, &permanent).await,
    }
}

/// Stores a record that consumers cannot handle as a dead letter with the reasons.
///
/// # Errors `SERVICE_UNAVAILABLE` if it could not be stored: then the record is not done.
pub async fn write_dead_letter(state: &Changes, record: &Record, failures: &[(&'static str, Error)]) -> Result<()> {
    dead_letters::put_change(&state.dead_letters, state.runtime.now(), record, failures).await
}
