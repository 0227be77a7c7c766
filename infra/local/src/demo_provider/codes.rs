//! Codes that were handed out: each is good once and for one minute.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use domain::models::Timestamp;

use super::people::DemoPerson;

/// How long a code is good, in milliseconds.
const GOOD_MS: i64 = 60_000;
/// Codes at once; more are those of a script.
const MAX_CODES: usize = 1_000;

/// The sign-in that a code stands for.
#[derive(Debug, Clone)]
pub(super) struct Grant {
    pub(super) person: &'static DemoPerson,
    /// BASE64URL(SHA-256(verifier)).
    pub(super) challenge: String,
    pub(super) nonce: Option<String>,
    /// When the button was pressed.
    pub(super) at: Timestamp,
}

/// The codes of this process.
#[derive(Debug, Default)]
pub(super) struct Codes(Mutex<HashMap<String, Grant>>);

impl Codes {
    /// Keeps a grant under its code; false if there are too many.
    pub(super) fn keep(&self, code: String, grant: Grant) -> bool {
        let mut codes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        codes.retain(|_, other| is_good(other, grant.at));
        let has_room = codes.len() < MAX_CODES;
        if has_room {
            codes.insert(code, grant);
        }
        has_room
    }

    /// Takes the grant of a code, which is used up whatever follows; none for one that is not good at `now`.
    pub(super) fn take(&self, code: &str, now: Timestamp) -> Option<Grant> {
        let taken = self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(code);
        taken.filter(|grant| is_good(grant, now))
    }
}

fn is_good(grant: &Grant, now: Timestamp) -> bool {
    now.millis_since(grant.at) < GOOD_MS
}
